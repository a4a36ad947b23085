//! From an entity to what is shown of it: only named columns, every text cleaned, cut and escaped.

use crate::protocol::json::{Json, Object};
use crate::protocol::text::{clean, escape};

use super::view::{Column, ColumnKind, DocumentView, Probe, SectionView, Tally, value_at};
use super::{LISTED_ITEMS, SCALAR_CODE_POINTS, TEXT_CODE_POINTS};

/// What is shown of one entity: the columns of a page, or all of them where `whole`.
#[must_use]
pub fn project(view: &DocumentView<'_>, section: &SectionView<'_>, document: &Json, entity: &Json, whole: bool) -> Object {
    let mut shown = Shown::default();
    for column in section.columns {
        match &column.kind {
            _ if !whole && !column.compact => {}
            ColumnKind::Derived { section: other, place } => {
                let id = entity.get(section.id_key).unwrap_or(&Json::Null);
                let found = view.section(other).map(|other| naming(other, document, place, id)).unwrap_or_default();
                shown.list(column.key, &found);
            }
            _ => shown.column(column, entity),
        }
    }
    shown.done()
}

/// What the overview says: of the document itself, how many entities there are, and how the counted values are spread.
pub(super) fn overview(view: &DocumentView<'_>, document: &Json) -> Object {
    let mut shown = Shown::default();
    for column in view.overview {
        shown.column(column, document);
    }
    let mut overview = shown.done();
    let mut counts = Object::new();
    for section in view.sections {
        counts.insert(section.name, section.entities(document).len() as f64);
    }
    overview.insert("counts", counts);
    for tally in view.tallies {
        let entities = view.section(tally.section).map(|section| section.entities(document)).unwrap_or_default();
        overview.insert(tally.key, counted(tally, entities));
    }
    overview
}

fn counted(tally: &Tally<'_>, entities: &[Json]) -> Vec<Json> {
    let mut probe = Probe::new(tally.place);
    let mut counts = vec![0u32; tally.values.len()];
    for entity in entities {
        let value = probe.value(entity).map_or(tally.otherwise, |value| value.as_str().unwrap_or_default());
        if let Some(count) = tally.values.iter().position(|known| *known == value).and_then(|at| counts.get_mut(at)) {
            *count += 1;
        }
    }
    let mut buckets = Vec::new();
    for (value, count) in tally.values.iter().zip(counts) {
        let mut bucket = Object::new();
        bucket.insert(tally.label, *value);
        bucket.insert("count", count);
        buckets.push(Json::from(bucket));
    }
    buckets
}

/// The ids of the entities that hold `id` at `place`, alone or in a list, in document order.
fn naming(section: &SectionView<'_>, document: &Json, place: &str, id: &Json) -> Vec<Json> {
    let (mut probe, mut found) = (Probe::new(place), Vec::new());
    for entity in section.entities(document) {
        let names = match probe.value(entity) {
            Some(Json::Array(items)) => items.contains(id),
            value => value == Some(id),
        };
        if names && let Some(id) = entity.get(section.id_key) {
            found.push(id.clone());
        }
    }
    found
}

/// What is being put together, and whether anything of it was cut.
#[derive(Default)]
struct Shown {
    members: Object,
    truncated: bool,
}

impl Shown {
    fn column(&mut self, column: &Column<'_>, from: &Json) {
        let value = value_at(from, column.place).unwrap_or(&Json::Null);
        let items = value.as_array().unwrap_or_default();
        let (max, otherwise) = match &column.kind {
            ColumnKind::Scalar(otherwise) => (SCALAR_CODE_POINTS, otherwise),
            ColumnKind::Text(otherwise) => (TEXT_CODE_POINTS, otherwise),
            ColumnKind::List => return self.list(column.key, items),
            ColumnKind::Count => return self.put(column.key, Json::from(items.len() as f64)),
            ColumnKind::Record(columns) => {
                let mut record = Shown::default();
                for column in *columns {
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

    fn list(&mut self, key: &str, items: &[Json]) {
        let mut listed = Vec::new();
        for item in items.iter().take(LISTED_ITEMS) {
            listed.extend(self.scalar(item, SCALAR_CODE_POINTS));
        }
        self.put(key, Json::from(listed));
        if items.len() > LISTED_ITEMS {
            self.put(&[key, "_total"].concat(), Json::from(items.len() as f64));
        }
    }

    fn put(&mut self, key: &str, value: Json) {
        self.members.insert(key, value);
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
            self.members.insert("truncated", true);
        }
        self.members
    }
}

/// What is neither invisible nor escaped, nor more than one byte.
fn is_plain(byte: u8) -> bool {
    (b' '..=b'~').contains(&byte) && !matches!(byte, b'\\' | b'<' | b'>')
}
