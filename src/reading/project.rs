//! From an entity to what is shown of it: only named columns, every text cleaned, cut and escaped.

use crate::document::pointer;
use crate::protocol::json::{Json, Object};
use crate::protocol::text::{clean, escape};

use super::view::{Column, ColumnKind, DocumentView, SectionView, Tally};
use super::{LISTED_ITEMS, SCALAR_CODE_POINTS, TEXT_CODE_POINTS};

/// What is shown of one entity: the columns of a page, or all of them where `whole`.
#[must_use]
pub fn project(view: &DocumentView, section: &SectionView, document: &Json, entity: &Json, whole: bool) -> Object {
    let mut shown = Shown::default();
    let id = entity.get(&section.id_key);
    for column in section.columns.iter().filter(|column| whole || column.compact) {
        match &column.kind {
            ColumnKind::Derived { section, path } => {
                let found = view.section(section).zip(id).map(|(section, id)| naming(section, document, path, id)).unwrap_or_default();
                shown.list(&column.key, &found);
            }
            _ => shown.column(column, entity),
        }
    }
    shown.done()
}

/// What the overview says: of the document itself, how many entities there are, and how the counted values are spread.
pub(super) fn overview(view: &DocumentView, document: &Json) -> Object {
    let mut shown = Shown::default();
    for column in &view.overview {
        shown.column(column, document);
    }
    let mut overview = shown.done();
    let counts: Object =
        view.sections.iter().map(|section| (section.name.as_str(), Json::from(section.entities(document).len() as f64))).collect();
    overview.insert("counts", counts);
    for tally in &view.tallies {
        overview.insert(tally.key.as_str(), counted(view, tally, document));
    }
    overview
}

/// What stands at a place of an entity, where something does; `null` is nothing.
pub(super) fn value_at<'a>(entity: &'a Json, path: &[String]) -> Option<&'a Json> {
    pointer::find(entity, path).filter(|value| !matches!(value, Json::Null))
}

/// The ids of the entities that hold `id` at `path`, alone or in a list, in document order.
fn naming(section: &SectionView, document: &Json, path: &[String], id: &Json) -> Vec<Json> {
    let names = |entity: &&Json| match value_at(entity, path) {
        Some(Json::Array(items)) => items.contains(id),
        value => value == Some(id),
    };
    section.entities(document).iter().filter(names).filter_map(|entity| entity.get(&section.id_key).cloned()).collect()
}

fn counted(view: &DocumentView, tally: &Tally, document: &Json) -> Json {
    let mut counts = vec![0u32; tally.values.len()];
    for entity in view.section(&tally.section).map(|section| section.entities(document)).unwrap_or_default() {
        let value = value_at(entity, &tally.path).map_or(tally.otherwise.as_deref(), Json::as_str);
        let place = tally.values.iter().position(|known| Some(known.as_str()) == value);
        if let Some(count) = place.and_then(|place| counts.get_mut(place)) {
            *count += 1;
        }
    }
    let bucket = |(value, count): (&String, u32)| {
        Json::from(Object::from_iter([(tally.label.as_str(), Json::from(value.as_str())), ("count", Json::from(count))]))
    };
    Json::from(tally.values.iter().zip(counts).map(bucket).collect::<Vec<_>>())
}

/// What is being put together, and whether anything of it was cut.
#[derive(Default)]
struct Shown {
    members: Object,
    truncated: bool,
}

impl Shown {
    fn column(&mut self, column: &Column, from: &Json) {
        let value = value_at(from, &column.path);
        let items = || value.and_then(Json::as_array).unwrap_or_default();
        let shown = match &column.kind {
            ColumnKind::Scalar { otherwise } => {
                value.and_then(|value| self.scalar(value, SCALAR_CODE_POINTS)).or_else(|| otherwise.clone())
            }
            ColumnKind::Text { otherwise } => value.and_then(|value| self.scalar(value, TEXT_CODE_POINTS)).or_else(|| otherwise.clone()),
            ColumnKind::List => return self.list(&column.key, items()),
            ColumnKind::Count => Some(Json::from(items().len() as f64)),
            ColumnKind::Record(columns) => {
                let mut record = Shown::default();
                for column in columns {
                    record.column(column, value.unwrap_or(&Json::Null));
                }
                Some(Json::from(record.done()))
            }
            // only an entity of a section can be named by others
            ColumnKind::Derived { .. } => None,
        };
        if let Some(shown) = shown {
            self.members.insert(column.key.as_str(), shown);
        }
    }

    fn list(&mut self, key: &str, items: &[Json]) {
        let listed: Vec<Json> = items.iter().take(LISTED_ITEMS).filter_map(|item| self.scalar(item, SCALAR_CODE_POINTS)).collect();
        self.members.insert(key, listed);
        if items.len() > LISTED_ITEMS {
            self.members.insert(format!("{key}_total"), items.len() as f64);
        }
    }

    /// A text made safe, a number or a boolean as it is; nothing else is ever shown.
    fn scalar(&mut self, value: &Json, max: usize) -> Option<Json> {
        match value {
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
