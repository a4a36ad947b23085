//! Checks the shape of a threat model and fills in the defaults, as typed structs would: every required
//! field there, every value of its kind, every closed list kept to. `null` in a field counts as absent.

use std::sync::Arc;

use crate::document::fault::{Faults, by_id, by_place};
use crate::protocol::json::{Json, Object, exact_integer};
use crate::protocol::text::{cap, clean, echo, escape, join};

use super::calendar::{date_before_time, is_date};
use super::model::{
    CORE_SECTIONS, DATES, Field, Kind, LATER_SECTIONS, MAX_ENTRIES, METADATA, Need, SECTION_ORDER, SECTIONS, SectionTable, VERSION,
};

/// A section, a date or an id is not what it must be; the class of the oldest rules.
const MISSING_SECTION: &str = "missing-section";
/// A required field is absent.
const MISSING_FIELD: &str = "missing-field";
/// A value is of the wrong kind, or not one of a closed list.
const INVALID_VALUE: &str = "invalid-value";
/// The longest value quoted with a wrong date, in code points.
const QUOTED_DATE: usize = 40;

/// The document with its defaults, parts that need none shared; nothing where its shape is wrong.
pub(super) fn read(document: &Json, faults: &mut Faults) -> Option<Json> {
    let mut reader = Reader { faults, broken: false };
    let next = reader.document(document);
    if reader.broken { None } else { next }
}

/// One entity of a section with its defaults, the same tree where it needs none; nothing where its shape is wrong.
pub(super) fn entity(section: &str, entry: &Json) -> Option<Json> {
    let table = SECTIONS.iter().find(|table| table.name == section)?;
    let object = entry.as_object().filter(|object| matches!(object.get("id"), Some(Json::String(_))))?;
    let mut faults = Faults::new();
    let mut reader = Reader { faults: &mut faults, broken: false };
    let filled = reader.fields(object, table.fields, &|_| String::new());
    if reader.broken { None } else { Some(filled.map_or_else(|| entry.clone(), Json::from)) }
}

struct Reader<'f> {
    faults: &'f mut Faults,
    broken: bool,
}

impl Reader<'_> {
    fn document(&mut self, document: &Json) -> Option<Json> {
        let Some(root) = document.as_object() else {
            self.fault(MISSING_SECTION, "document", "", || format!("a threat model is an object, not {}", document.kind()));
            return None;
        };
        let metadata = self.metadata(root.get("metadata"));
        self.lists(root, &CORE_SECTIONS);
        self.version(root.get("version"));
        self.lists(root, &LATER_SECTIONS);
        if self.broken {
            return None;
        }
        let entries: usize = SECTIONS.iter().map(|table| entries(root, table.name).len()).sum();
        if entries > MAX_ENTRIES {
            self.fault("too-large", "document", "", || format!("a threat model has at most {MAX_ENTRIES} entries, got {entries}"));
            return None;
        }
        for table in &SECTIONS {
            self.ids(entries_of(root, table), table.name);
        }
        if self.broken {
            return None;
        }
        let mut next: Option<Object> = None;
        if let Some(metadata) = metadata {
            next.get_or_insert_with(|| root.clone()).insert("metadata", metadata);
        }
        for name in SECTION_ORDER {
            let Some(table) = SECTIONS.iter().find(|table| table.name == name) else { continue };
            if let Some(list) = self.section(root.get(name), table) {
                next.get_or_insert_with(|| root.clone()).insert(name, list);
            }
        }
        Some(next.map_or_else(|| document.clone(), Json::from))
    }

    fn version(&mut self, version: Option<&Json>) {
        match version {
            Some(Json::String(text)) if &**text == VERSION => {}
            Some(Json::String(text)) => self.fault("unsupported-version", "version", text, || {
                format!("version `{}` is not supported; supported: `{VERSION}`", echo(text))
            }),
            _ => self.fault(MISSING_SECTION, "version", "", || format!("`version` is a text, `\"{VERSION}\"`")),
        }
    }

    /// The metadata where a default was filled in.
    fn metadata(&mut self, metadata: Option<&Json>) -> Option<Object> {
        let Some(object) = metadata.and_then(Json::as_object) else {
            self.fault(MISSING_SECTION, "metadata", "", || "the `metadata` section is missing or is no mapping".to_owned());
            return None;
        };
        for field in &DATES {
            let problem = date_problem(object.get(field.name));
            if let Some(problem) = problem {
                self.fault(MISSING_SECTION, &format!("metadata.{}", field.name), "", || problem);
            }
        }
        self.fields(object, &METADATA, &|field| format!("metadata.{}", field.name))
    }

    /// Every one of these sections that is there must be a list.
    fn lists(&mut self, root: &Object, names: &[&str]) {
        for name in names {
            match root.get(name) {
                None | Some(Json::Null | Json::Array(_)) => {}
                Some(other) => self.fault(MISSING_SECTION, name, "", || format!("the `{name}` section is a list, not {}", other.kind())),
            }
        }
    }

    fn ids(&mut self, entries: &[Json], section: &str) {
        for (place, entry) in entries.iter().enumerate() {
            match entry {
                Json::Object(object) => match object.get("id") {
                    Some(Json::String(_)) => {}
                    Some(other) => self.fault(MISSING_SECTION, &by_place(section, place, "id"), other.kind(), || {
                        format!("an id is a text, not {}", other.kind())
                    }),
                    None => self.fault(MISSING_SECTION, &by_place(section, place, "id"), "", || "the id is missing".to_owned()),
                },
                other => self.fault(MISSING_SECTION, &by_place(section, place, ""), other.kind(), || {
                    format!("an entry is a mapping, not {}", other.kind())
                }),
            }
        }
    }

    /// The section where something was filled in.
    fn section(&mut self, list: Option<&Json>, table: &SectionTable) -> Option<Json> {
        let Some(Json::Array(entries)) = list else { return Some(Json::from(Vec::new())) };
        let mut next: Option<Vec<Json>> = None;
        for (place, entry) in entries.iter().enumerate() {
            let Some(object) = entry.as_object() else { continue };
            let id = object.get("id").and_then(Json::as_str).unwrap_or_default();
            // what names another entity keeps the class and the label of the oldest rules
            let label = |field: &Field| match field.kind {
                Kind::Id | Kind::Ids => by_place(table.name, place, field.name),
                _ => by_id(table.name, id, field.name),
            };
            if let Some(filled) = self.fields(object, table.fields, &label)
                && let Some(slot) = next.get_or_insert_with(|| entries.to_vec()).get_mut(place)
            {
                *slot = Json::from(filled);
            }
        }
        next.map(Json::from)
    }

    /// Checks the fields of one object; returns it where a default was filled in or a `null` taken out.
    fn fields(&mut self, object: &Object, fields: &[Field], label: &dyn Fn(&Field) -> String) -> Option<Object> {
        let mut next: Option<Object> = None;
        for field in fields {
            match object.get(field.name) {
                None | Some(Json::Null) => match (field.need, field.need.default()) {
                    (Need::Required, _) => {
                        let class = if matches!(field.kind, Kind::Id) { MISSING_SECTION } else { MISSING_FIELD };
                        self.fault(class, &label(field), "", || format!("`{}` is missing", field.name));
                    }
                    (_, Some(default)) => {
                        next.get_or_insert_with(|| object.clone()).insert(field.name, default);
                    }
                    (_, None) if object.contains_key(field.name) => {
                        next.get_or_insert_with(|| object.clone()).remove(field.name);
                    }
                    (_, None) => {}
                },
                Some(value) => {
                    if let Some(filled) = self.value(value, field, label) {
                        next.get_or_insert_with(|| object.clone()).insert(field.name, filled);
                    }
                }
            }
        }
        next
    }

    /// Checks one value; returns it where something inside was filled in.
    fn value(&mut self, value: &Json, field: &Field, label: &dyn Fn(&Field) -> String) -> Option<Json> {
        let expected = match (field.kind, value) {
            (Kind::Text | Kind::Id, Json::String(_)) | (Kind::Flag, Json::Bool(_)) | (Kind::Number, Json::Number(_)) => return None,
            (Kind::Texts | Kind::Ids, Json::Array(items)) if items.iter().all(|item| matches!(item, Json::String(_))) => return None,
            (Kind::Whole(least, most), Json::Number(number)) if exact_integer(*number).is_some() && (least..=most).contains(number) => {
                return None;
            }
            (Kind::OneOf(list), Json::String(text)) if list.contains(&&**text) => return None,
            (Kind::Date, Json::String(text)) if is_date(text) => return None,
            (Kind::Record(fields), Json::Object(object)) => {
                let outer = label(field);
                return self.fields(object, fields, &|inner| format!("{outer}.{}", inner.name)).map(Json::from);
            }
            (Kind::Text | Kind::Id, _) => "a text".to_owned(),
            (Kind::Texts | Kind::Ids, _) => "a list of texts".to_owned(),
            (Kind::Flag, _) => "true or false".to_owned(),
            (Kind::Number, _) => "a number".to_owned(),
            // the core's own digits: the standard ones for a double are 16 KB
            (Kind::Whole(least, most), _) => {
                format!("a whole number from {} to {}", Json::Number(least).to_text(), Json::Number(most).to_text())
            }
            (Kind::OneOf(list), _) => format!("one of `{}`", join(list, "`, `")),
            (Kind::Date, _) => "a date as `2026-05-02`".to_owned(),
            (Kind::Record(_), _) => "a mapping".to_owned(),
        };
        let class = if matches!(field.kind, Kind::Id | Kind::Ids) { MISSING_SECTION } else { INVALID_VALUE };
        let (got, subject) = match value {
            Json::String(text) => (format!("`{}`", echo(text)), Arc::clone(text)),
            number @ Json::Number(_) => (format!("`{}`", number.to_text()), number.to_text().into()),
            Json::Array(_) if matches!(field.kind, Kind::Texts | Kind::Ids) => ("a list with something else".to_owned(), "list".into()),
            other => (other.kind().to_owned(), other.kind().into()),
        };
        self.fault(class, &label(field), &subject, || format!("expected {expected}, got {got}"));
        None
    }

    fn fault(&mut self, class: &'static str, path: &str, subject: &str, text: impl FnOnce() -> String) {
        self.broken = true;
        self.faults.add(class, path, subject, text);
    }
}

/// What is wrong with one of the two dates.
fn date_problem(value: Option<&Json>) -> Option<String> {
    let form = "expected a date as `2026-05-02`";
    match value {
        None | Some(Json::Null) => Some(format!("the date is missing; {form}")),
        Some(Json::String(text)) if is_date(text) => None,
        Some(Json::String(text)) => {
            let quoted = escape(&clean(text, QUOTED_DATE).0);
            Some(match date_before_time(text) {
                Some(date) => format!("`{quoted}` has a time of day, which is not allowed; write `{date}`"),
                None => format!("`{quoted}` is no date; {form}"),
            })
        }
        Some(other) => Some(format!("got {}; {form}", cap(other.kind(), QUOTED_DATE))),
    }
}

fn entries<'a>(root: &'a Object, section: &str) -> &'a [Json] {
    root.get(section).and_then(Json::as_array).unwrap_or_default()
}

fn entries_of<'a>(root: &'a Object, table: &SectionTable) -> &'a [Json] {
    entries(root, table.name)
}
