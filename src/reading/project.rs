//! From an entity to what is shown of it: only named columns, every text cleaned, cut and escaped.

use std::sync::Arc;

use crate::protocol::json::{Json, Object};
use crate::protocol::text::{clean, echo, escape};
use crate::tools::canonical::canonical_json;

use super::source::Source;
use super::view::{Column, ColumnKind, DocumentView, Probe, SectionView, Tally, Texts, value_at};
use super::{LISTED_ITEMS, SCALAR_CODE_POINTS, TEXT_CODE_POINTS};

/// The flag that says that something was cut.
pub(super) const TRUNCATED: &str = "truncated";
/// The most members of an entity that are shown without being named.
const OTHER_MEMBERS: usize = 32;

/// What is shown of one entity: the columns of a page, or all of them where `whole`.
pub(super) fn project(view: &DocumentView<'_>, section: &SectionView<'_>, source: Source<'_>, entity: &Json, whole: bool) -> Object {
    let mut shown = Shown { whole, ..Shown::default() };
    for column in section.columns {
        match &column.kind {
            _ if !whole && !column.compact => {}
            ColumnKind::Derived { section: other, place } => {
                let id = entity.get(section.id_key).unwrap_or(&Json::Null);
                let (mut found, mut total) = (Vec::new(), 0usize);
                if let Some(other) = view.section(other) {
                    source.entities(other).naming(place, id, &mut |holder| {
                        if let Some(id) = holder.get(other.id_key) {
                            total += 1;
                            if total <= LISTED_ITEMS {
                                found.push(id.clone());
                            }
                        }
                    });
                }
                shown.list(column.key, &found, total);
            }
            _ => shown.column(column, entity),
        }
    }
    shown.done()
}

/// What the overview says in at most `most` bytes of canonical JSON: of the document itself, how many entities there are, and
/// how the counted values are spread. What is least missed goes first, and then it says that it is cut.
pub(super) fn overview(view: &DocumentView<'_>, source: Source<'_>, tool: Option<&str>, most: usize) -> String {
    let mut shown = Shown { whole: true, ..Shown::default() };
    for column in view.overview {
        shown.column(column, source.frame());
    }
    let mut overview = shown.done();
    let mut parts: Vec<String> = overview.keys().map(|key| key.to_string()).collect();
    let mut counts = Object::new();
    for section in view.sections {
        counts.insert(shown_text(section.name), source.entities(section).count() as f64);
    }
    overview.insert("counts", counts);
    parts.insert(0, "counts".to_owned());
    for tally in view.tallies {
        overview.insert(tally.key, counted(view, tally, source));
        parts.push(tally.key.to_owned());
    }
    if let Some(tool) = tool {
        overview.insert("tool", tool);
    }
    loop {
        let text = canonical_json(&Json::from(overview.clone()));
        match parts.pop() {
            Some(part) if text.len() > most => {
                overview.remove(&part);
                overview.insert("truncated", true);
            }
            _ => return text,
        }
    }
}

fn counted(view: &DocumentView<'_>, tally: &Tally<'_>, source: Source<'_>) -> Vec<Json> {
    let mut counts: Vec<(&str, usize)> = tally.values.iter().map(|value| (value, 0)).collect();
    let mut count = |value: Option<&Json>, times: usize| {
        let found = match value {
            None | Some(Json::Null) => tally.otherwise,
            Some(value) => value.as_str(),
        };
        for (value, count) in &mut counts {
            if Some(*value) == found {
                *count += times;
                break;
            }
        }
    };
    if let Some(section) = view.section(tally.section) {
        let entities = source.entities(section);
        match entities.column(tally.place) {
            Some(column) => {
                let mut times = [0usize; 256];
                for number in &column.numbers {
                    if let Some(times) = times.get_mut(usize::from(*number)) {
                        *times += 1;
                    }
                }
                for (value, times) in column.values.iter().zip(times) {
                    count(Some(value), times);
                }
            }
            None => {
                let mut probe = Probe::new(tally.place);
                entities.walk(0, &mut |entity| {
                    count(probe.value(entity), 1);
                    true
                });
            }
        }
    }
    let mut buckets = Vec::new();
    for (value, count) in counts {
        let mut bucket = Object::new();
        bucket.insert(tally.label, shown_text(value));
        bucket.insert("count", count as f64);
        buckets.push(Json::from(bucket));
    }
    buckets
}

/// A word that is shown as a key or beside one.
pub fn shown_text(word: &str) -> String {
    escape(&clean(word, SCALAR_CODE_POINTS).0)
}

/// What is being put together, and whether anything of it was cut.
#[derive(Default)]
struct Shown {
    members: Object,
    whole: bool,
    truncated: bool,
}

impl Shown {
    fn column(&mut self, column: &Column<'_>, from: &Json) {
        let value = value_at(from, column.place).unwrap_or(&Json::Null);
        let items = value.as_array().unwrap_or_default();
        let (max, otherwise) = match column.kind {
            ColumnKind::Scalar(otherwise) => (SCALAR_CODE_POINTS, otherwise),
            ColumnKind::Text(otherwise) => (TEXT_CODE_POINTS, otherwise),
            ColumnKind::Value { long } => return self.value(column.key, value, long),
            ColumnKind::Others(named) => return self.others(named, from),
            ColumnKind::List => return self.list(column.key, items, items.len()),
            ColumnKind::Count => return self.put(column.key, Json::from(items.len() as f64)),
            ColumnKind::Record(columns) => {
                let mut record = Shown { whole: self.whole, ..Shown::default() };
                // without a place it is about the whole
                let value = if column.place.is_empty() { from } else { value };
                for column in columns {
                    record.column(column, value);
                }
                return self.put(column.key, Json::from(record.done()));
            }
            // only an entity of a section can be named by others
            ColumnKind::Derived { .. } => return,
        };
        if let Some(shown) = self.scalar(value, max).or_else(|| otherwise.value()) {
            self.put(column.key, shown);
        }
    }

    fn value(&mut self, key: &str, value: &Json, long: bool) {
        if let Json::Array(items) = value {
            self.list(key, items, items.len());
        } else if let Some(shown) = self.scalar(value, if long && self.whole { TEXT_CODE_POINTS } else { SCALAR_CODE_POINTS }) {
            self.put(key, shown);
        }
    }

    /// The members nobody named, in the order of their names and no more than a few, so that neither the order in the document
    /// nor its size shows.
    fn others(&mut self, named: Texts<'_>, from: &Json) {
        let mut others: Vec<(&str, &Json)> = Vec::new();
        for (key, value) in from.as_object().into_iter().flat_map(Object::iter) {
            let is_shown = match value {
                Json::Array(items) => items.iter().all(is_scalar),
                value => is_scalar(value),
            };
            if is_shown && !named.iter().any(|name| name == &**key) {
                others.insert(others.partition_point(|(other, _)| *other < &**key), (key, value));
                self.truncated |= others.len() > OTHER_MEMBERS;
                others.truncate(OTHER_MEMBERS);
            }
        }
        for (key, value) in others {
            let shown = echo(key);
            if !self.members.contains_key(&shown) && shown != TRUNCATED {
                self.value(&shown, value, false);
            }
        }
    }

    /// The first items of a list that has `total`.
    fn list(&mut self, key: &str, items: &[Json], total: usize) {
        let mut listed = Vec::new();
        for item in items.iter().take(LISTED_ITEMS) {
            listed.extend(self.scalar(item, SCALAR_CODE_POINTS));
        }
        self.put(key, Json::from(listed));
        if total > LISTED_ITEMS {
            self.members.insert([key, "_total"].concat(), total as f64);
        }
    }

    /// What a key shows first it goes on to show: the total of a list is not taken for a member of that name.
    fn put(&mut self, key: &str, value: Json) {
        self.members.add(Arc::from(key), value);
    }

    /// A text made safe, a number or a boolean as it is; nothing else is ever shown.
    fn scalar(&mut self, value: &Json, max: usize) -> Option<Json> {
        match value {
            // most texts need nothing done to them and are shared
            Json::String(text) if text.len() <= max && text.bytes().all(is_plain) => Some(value.clone()),
            Json::String(text) => {
                let (cleaned, was_cut) = clean(text, max);
                self.truncated |= was_cut;
                Some(Json::from(escape(&cleaned)))
            }
            Json::Number(_) | Json::Bool(_) => Some(value.clone()),
            _ => None,
        }
    }

    fn done(mut self) -> Object {
        if self.truncated {
            self.members.insert(TRUNCATED, true);
        }
        self.members
    }
}

fn is_scalar(value: &Json) -> bool {
    matches!(value, Json::String(_) | Json::Number(_) | Json::Bool(_))
}

/// What is neither invisible nor escaped, nor more than one byte.
fn is_plain(byte: u8) -> bool {
    (b' '..=b'~').contains(&byte) && !matches!(byte, b'\\' | b'<' | b'>')
}
