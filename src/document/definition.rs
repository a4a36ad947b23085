//! What a document must be: the trait the store asks, and the definition a host writes as plain JSON.
//!
//! Enters: a definition, then documents. Leaves: a document with its defaults filled in, or what is wrong
//! with it. Pure but for the host's `rules`, which may not call back in and may fail: then the answer is no.

use std::sync::Arc;

use crate::protocol::error::Fault;
use crate::protocol::fields::Fields;
use crate::protocol::json::Json;
use crate::protocol::text::{clean, echo, escape, find};
use crate::tools::schema::{ItemPart, Schema};

use super::fault::{Faults, by_place, without_places};
use super::{integrity, pointer};

pub use crate::protocol::reference::{OnDelete, Reference};

/// The code of every fault in a definition.
const CODE: &str = "invalid_definition";
/// The longest line of a host's validator that is kept, in code points.
const FOREIGN_LINE: usize = 300;

/// What a store asks about its documents.
pub trait Definition {
    /// The name of this kind of document.
    fn kind(&self) -> &str;

    /// Where the entities are, in order.
    fn sections(&self) -> &[Section];

    /// Checks the shape and fills in the defaults; `faults` holds what is wrong where nothing is returned.
    /// Parts that need no default stay the very same trees.
    fn read(&self, document: &Json, faults: &mut Faults) -> Option<Json>;

    /// Adds everything that is wrong with the content of a document that was read, in fixed order.
    fn check(&self, document: &Json, faults: &mut Faults);

    /// The names under which entities hold their ids.
    fn id_keys(&self) -> Vec<&str> {
        let mut keys: Vec<&str> = Vec::new();
        for section in self.sections() {
            if !keys.contains(&section.id_key.as_str()) {
                keys.push(&section.id_key);
            }
        }
        keys
    }

    /// How to check a change of single entities, where every rule is about one entity, its id, its references or its parents.
    fn by_entity(&self) -> Option<&dyn ByEntity> {
        None
    }
}

/// A definition whose documents are right where every entity by itself is, every id is free and every reference resolves.
/// `read` and `check` find nothing else in a document, and neither calls foreign code.
pub trait ByEntity {
    /// One entity of the section at this place with its defaults filled in, the same tree where it needs none; nothing where
    /// `read` finds a fault in it. `effort` goes on from what reading the document took.
    fn entity(&self, list: usize, entity: &Json, effort: &mut u64) -> Option<Json>;

    /// Whether `check` finds nothing wrong with the form of an id.
    fn is_plain_id(&self, id: &str) -> bool {
        integrity::form_problem(id).is_none()
    }

    /// The most entities of all sections together.
    fn most_entries(&self) -> usize {
        usize::MAX
    }

    /// A section and a field of its entities whose largest number is asked for.
    fn numbered(&self) -> Option<(&str, &str)> {
        None
    }
}

/// One list of entities.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Its name, for people and models.
    pub name: String,
    /// JSON pointer to the list.
    pub path: String,
    /// The same, split.
    pub segments: Vec<String>,
    /// The member that holds the id.
    pub id_key: String,
    /// The member that holds the title.
    pub title_key: Option<String>,
    /// The references that name an entity without a title, in order: `from` and `to` of a line.
    pub title_from: Vec<String>,
    /// What ids made by the core begin with; the section's name where nothing is said.
    pub id_prefix: Option<String>,
    /// Members that name other entities.
    pub references: Vec<Reference>,
    /// Sections of one namespace share their ids.
    pub namespace: Option<String>,
    /// Pointer to the member that names the parent; following it never comes back.
    pub acyclic: Option<Vec<String>>,
    /// How the section is read, as the host wrote it: `text`, `filters`, `compact`, `full`, `counts`, `backReferences`.
    pub reading: Vec<(&'static str, Json)>,
}

impl Section {
    /// A section whose entities have an `id` and nothing else that matters here.
    #[must_use]
    pub fn new(name: &str, path: &str) -> Section {
        Section {
            name: name.to_owned(),
            path: path.to_owned(),
            segments: pointer::parse(path).unwrap_or_default(),
            id_key: "id".to_owned(),
            title_key: None,
            title_from: Vec::new(),
            id_prefix: None,
            references: Vec::new(),
            namespace: None,
            acyclic: None,
            reading: Vec::new(),
        }
    }

    /// The entities, as far as the document has a list there.
    #[must_use]
    pub fn entities<'a>(&self, document: &'a Json) -> &'a [Json] {
        pointer::find(document, &self.segments).and_then(Json::as_array).unwrap_or_default()
    }
}

/// A host's own validator: lines of what is wrong, or why it could not tell.
pub type Rules = Box<dyn Fn(&Json) -> Result<Vec<String>, String>>;

/// A document as its host defines it.
pub struct DocumentDefinition {
    source: Json,
    kind: String,
    schema: Option<Schema>,
    sections: Arc<[Section]>,
    // what the schema says of the entities of each section, where it says nothing else of any
    parts: Option<Vec<Option<ItemPart>>>,
    rules: Option<Rules>,
}

impl DocumentDefinition {
    /// Reads a definition from plain JSON (all of it but `rules`); the fault names the member.
    pub fn decode(value: &Json) -> Result<DocumentDefinition, Fault> {
        let mut fields = Fields::of(value, CODE, "")?;
        let kind = fields.string("kind")?;
        let schema = fields.opt_json("schema").map(|schema| Schema::compile(schema, "schema")).transpose()?;
        let sections = fields.json("sections")?;
        fields.finish()?;
        if kind.is_empty() {
            return Err(Fault::at(CODE, "kind", "`kind` is empty"));
        }
        let listed = sections.as_array().ok_or_else(|| Fault::at(CODE, "sections", "expected a list of sections"))?;
        let sections: Vec<Section> = listed
            .iter()
            .enumerate()
            .map(|(at, section)| decode_section(section).map_err(|fault| fault.under(&format!("sections[{at}]"))))
            .collect::<Result<_, _>>()?;
        check_sections(&sections)?;
        let parts = parts_of(&sections, schema.as_ref());
        Ok(DocumentDefinition { source: value.clone(), kind, schema, sections: sections.into(), parts, rules: None })
    }

    /// Adds the host's own validator.
    #[must_use]
    pub fn with_rules(mut self, rules: Rules) -> DocumentDefinition {
        self.rules = Some(rules);
        self
    }

    /// The definition as its host wrote it, without `rules`.
    #[must_use]
    pub fn source(&self) -> &Json {
        &self.source
    }

    /// What the whole document must be, as it was written.
    #[must_use]
    pub fn written_schema(&self) -> Option<&Json> {
        self.source.get("schema")
    }

    /// The sections, to be kept by tools that outlive the definition.
    #[must_use]
    pub fn shared_sections(&self) -> Arc<[Section]> {
        Arc::clone(&self.sections)
    }
}

impl Definition for DocumentDefinition {
    fn kind(&self) -> &str {
        &self.kind
    }

    fn sections(&self) -> &[Section] {
        &self.sections
    }

    fn read(&self, document: &Json, faults: &mut Faults) -> Option<Json> {
        let mut whole = document.clone();
        let mut broken = false;
        for section in self.sections.iter() {
            if !pointer::find(&whole, &section.segments).is_some_and(|found| matches!(found, Json::Array(_)))
                && !pointer::ensure_list(&mut whole, &section.segments)
            {
                faults.add("missing-section", &section.name, "", || format!("`{}` is not a list", echo(&section.path)));
                broken = true;
            }
            for (place, entity) in section.entities(&whole).iter().enumerate() {
                let problem = match entity {
                    Json::Object(object) => match object.get(&section.id_key) {
                        Some(Json::String(_)) => continue,
                        Some(other) => format!("the id is not a string but {}", other.kind()),
                        None => "the id is missing".to_owned(),
                    },
                    other => format!("an entry is an object, not {}", other.kind()),
                };
                let field = if matches!(entity, Json::Object(_)) { &section.id_key } else { "" };
                faults.add("missing-section", &by_place(&section.name, place, field), "", || problem);
                broken = true;
            }
        }
        let (lines, effort) = self.schema.as_ref().map(|schema| schema.validate_counted(&whole, "document")).unwrap_or_default();
        faults.set_effort(effort);
        for line in lines {
            let path = find(&line, ": ").and_then(|at| line.split_at_checked(at));
            let (path, problem) = path.map_or(("document", &*line), |(path, rest)| (path, rest.get(2..).unwrap_or_default()));
            faults.add("schema", path, problem, || problem.to_owned());
            broken = true;
        }
        (!broken).then_some(whole)
    }

    fn by_entity(&self) -> Option<&dyn ByEntity> {
        if self.rules.is_none() && self.parts.is_some() { Some(self) } else { None }
    }

    fn check(&self, document: &Json, faults: &mut Faults) {
        integrity::check(&self.sections, document, faults);
        match self.rules.as_ref().map(|rules| rules(document)) {
            None => {}
            Some(Ok(lines)) => {
                for line in lines {
                    faults.add("rule", "document", &without_places(&line), || foreign(&line));
                }
            }
            Some(Err(problem)) => {
                faults.add_always("rule", "document", || format!("the host's own check failed: {}", foreign(&problem)));
            }
        }
    }
}

impl ByEntity for DocumentDefinition {
    fn entity(&self, list: usize, entity: &Json, effort: &mut u64) -> Option<Json> {
        let (section, part) = (self.sections.get(list)?, self.parts.as_ref()?.get(list)?);
        entity.get(&section.id_key)?.as_str()?;
        match (&self.schema, part) {
            (Some(schema), Some(part)) if !schema.is_item(*part, entity, effort) => None,
            _ => Some(entity.clone()),
        }
    }
}

/// What the schema says of the entities of every section; nothing where it looks at a section in another way too, or where one
/// section lies inside another.
fn parts_of(sections: &[Section], schema: Option<&Schema>) -> Option<Vec<Option<ItemPart>>> {
    let inside = |a: &Section, b: &Section| a.name != b.name && a.segments.starts_with(&b.segments);
    if sections.iter().any(|section| sections.iter().any(|other| inside(section, other))) {
        return None;
    }
    sections.iter().map(|section| schema.map_or(Some(None), |schema| schema.item_part(&section.segments).map(Some))).collect()
}

fn foreign(line: &str) -> String {
    escape(&clean(line, FOREIGN_LINE).0)
}

fn decode_section(value: &Json) -> Result<Section, Fault> {
    let mut fields = Fields::of(value, CODE, "")?;
    let (name, path) = (fields.string("name")?, fields.string("path")?);
    let segments = pointer::parse(&path).map_err(|problem| fields.fault("path", problem))?;
    let mut section = Section { segments, ..Section::new(&name, &path) };
    if name.is_empty() || name.chars().count() > 64 {
        return Err(fields.fault("name", "a section's name has 1 to 64 characters"));
    }
    if section.segments.is_empty() {
        return Err(fields.fault("path", "the document itself is no section").expecting("a JSON pointer to a list"));
    }
    section.id_key = fields.opt_string("idKey")?.unwrap_or(section.id_key);
    section.title_key = fields.opt_string("titleKey")?;
    section.title_from = fields.opt_strings("titleFrom")?.unwrap_or_default();
    section.id_prefix = fields.opt_string("idPrefix")?;
    section.namespace = fields.opt_string("namespace")?;
    section.acyclic = match fields.opt_string("acyclic")? {
        Some(pointer) => Some(pointer::parse(&pointer).map_err(|problem| fields.fault("acyclic", problem))?),
        None => None,
    };
    if let Some(references) = fields.opt_json("references") {
        let listed = references.as_array().ok_or_else(|| fields.fault("references", "expected a list of references"))?;
        for (at, reference) in listed.iter().enumerate() {
            section.references.push(decode_reference(reference).map_err(|fault| fault.under(&format!("references[{at}]")))?);
        }
    }
    for key in ["text", "filters", "compact", "full", "counts", "backReferences"] {
        if let Some(value) = fields.opt_json(key) {
            section.reading.push((key, value.clone()));
        }
    }
    fields.finish()?;
    Ok(section)
}

fn decode_reference(value: &Json) -> Result<Reference, Fault> {
    let mut fields = Fields::of(value, CODE, "")?;
    let path = fields.string("path")?;
    let segments = pointer::parse(&path).map_err(|problem| fields.fault("path", problem))?;
    let sections = match fields.json("section")? {
        Json::String(section) => vec![section.to_string()],
        _ => fields.opt_strings("section")?.unwrap_or_default(),
    };
    let on_delete = match fields.opt_string("onDelete")?.as_deref() {
        None | Some("refuse") => OnDelete::Refuse,
        Some("cascade") => OnDelete::Cascade,
        Some("clear") => OnDelete::Clear,
        Some(other) => {
            return Err(fields.fault("onDelete", format!("unknown value `{}`", echo(other))).expecting("`refuse`, `cascade` or `clear`"));
        }
    };
    fields.finish()?;
    Ok(Reference { segments, sections, on_delete })
}

fn check_sections(sections: &[Section]) -> Result<(), Fault> {
    for (at, section) in sections.iter().enumerate() {
        let earlier = sections.iter().take(at);
        if earlier.clone().any(|other| other.name == section.name) {
            return Err(Fault::at(CODE, format!("sections[{at}].name"), format!("`{}` names two sections", echo(&section.name))));
        }
        if earlier.clone().any(|other| other.path == section.path) {
            return Err(Fault::at(CODE, format!("sections[{at}].path"), format!("`{}` holds two sections", echo(&section.path))));
        }
        for (place, reference) in section.references.iter().enumerate() {
            let unknown = reference.sections.iter().find(|name| !sections.iter().any(|section| section.name == **name));
            if let Some(name) = unknown {
                return Err(Fault::at(
                    CODE,
                    format!("sections[{at}].references[{place}].section"),
                    format!("no section is called `{}`", echo(name)),
                ));
            }
            if reference.sections.is_empty() {
                return Err(Fault::at(CODE, format!("sections[{at}].references[{place}].section"), "the list is empty"));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Json {
        Json::parse(text).unwrap()
    }

    fn outline() -> DocumentDefinition {
        DocumentDefinition::decode(&json(
            r#"{"kind":"outline","schema":{"type":"object","properties":{"title":{"type":"string"}}},"sections":[
                {"name":"people","path":"/team/people","idKey":"key","titleKey":"name","idPrefix":"p","namespace":"all","text":["/bio"]},
                {"name":"tasks","path":"/tasks","namespace":"all","acyclic":"/tree/parent","references":[
                    {"path":"/tree/parent","section":"tasks","onDelete":"cascade"},
                    {"path":"/who","section":["people","tasks"],"onDelete":"clear"}]}]}"#,
        ))
        .unwrap()
    }

    fn faults_of(document: &str) -> Vec<String> {
        let (definition, mut faults) = (outline(), Faults::new());
        if let Some(document) = definition.read(&json(document), &mut faults) {
            definition.check(&document, &mut faults);
        }
        faults.lines().to_vec()
    }

    #[test]
    fn a_definition_is_read_whole() {
        let definition = outline();
        assert_eq!((definition.kind(), definition.id_keys()), ("outline", vec!["key", "id"]));
        let tasks = &definition.sections()[1];
        assert_eq!((tasks.references[0].on_delete, tasks.references[1].on_delete), (OnDelete::Cascade, OnDelete::Clear));
        assert_eq!(definition.shared_sections()[0].reading, [("text", json(r#"["/bio"]"#))]);
    }

    #[test]
    fn e1_a_wrong_definition_names_the_member() {
        for (definition, path) in [
            (r#"{"sections":[]}"#, "kind"),
            (r#"{"kind":"","sections":[]}"#, "kind"),
            (r#"{"kind":"k"}"#, "sections"),
            (r#"{"kind":"k","sections":[],"rule":1}"#, ""),
            (r#"{"kind":"k","sections":[{"name":"a","path":"a"}]}"#, "sections[0].path"),
            (r#"{"kind":"k","sections":[{"name":"a","path":""}]}"#, "sections[0].path"),
            (r#"{"kind":"k","sections":[{"name":"a","path":"/a"},{"name":"a","path":"/b"}]}"#, "sections[1].name"),
            (r#"{"kind":"k","sections":[{"name":"a","path":"/a"},{"name":"b","path":"/a"}]}"#, "sections[1].path"),
            (r#"{"kind":"k","sections":[{"name":"a","path":"/a","acyclic":"p"}]}"#, "sections[0].acyclic"),
            (
                r#"{"kind":"k","sections":[{"name":"a","path":"/a","references":[{"path":"/x","section":"z"}]}]}"#,
                "sections[0].references[0].section",
            ),
            (
                r#"{"kind":"k","sections":[{"name":"a","path":"/a","references":[{"path":"/x","section":[]}]}]}"#,
                "sections[0].references[0].section",
            ),
            (
                r#"{"kind":"k","sections":[{"name":"a","path":"/a","references":[{"path":"/x","section":"a","onDelete":"x"}]}]}"#,
                "sections[0].references[0].onDelete",
            ),
        ] {
            let fault = DocumentDefinition::decode(&json(definition)).err().unwrap();
            assert_eq!((fault.code, fault.path.as_str()), (CODE, path), "{definition}: {fault}");
        }
        let fault = DocumentDefinition::decode(&json(r#"{"kind":"k","schema":{"type":"thing"},"sections":[]}"#)).err().unwrap();
        assert!(fault.path.starts_with("schema"), "{fault}");
    }

    #[test]
    fn missing_sections_are_made_and_the_rest_is_shared() {
        let (definition, mut faults) = (outline(), Faults::new());
        let document = json(r#"{"tasks":[{"id":"t"}],"team":null}"#);
        let read = definition.read(&document, &mut faults).unwrap();
        assert_eq!(read.to_text(), r#"{"tasks":[{"id":"t"}],"team":{"people":[]}}"#);
        assert!(read.get("tasks").unwrap().same_tree(document.get("tasks").unwrap()));
        assert!(definition.read(&read, &mut faults).unwrap().same_tree(&read));
        assert_eq!(faults.total(), 0);
    }

    #[test]
    fn c1_every_kind_of_fault_is_found_in_order() {
        assert_eq!(
            faults_of(
                r#"{"team":{"people":[{"key":"x"},{"key":""}]},"tasks":[
                {"id":"x","who":["y","x",4]},{"id":"c","tree":{"parent":"d"}},{"id":"d","tree":{"parent":"c"}},{"id":"e","tree":{"parent":"c"},"who":null}]}"#
            ),
            [
                "invalid-id: people[].key: an id is not empty",
                "duplicate-id: tasks[x].id: `x` in `tasks` is used by another section too",
                "invalid-reference: tasks[x].who: `y` is not in `people`, `tasks`; known: `x`, ``, `x`, `c`, `d`, `e`",
                "invalid-reference: tasks[x].who: a reference is an id, not number",
                "circular-nesting: tasks[c].parent: following the parents of `c` leads back to it",
            ]
        );
    }

    #[test]
    fn c1_a_wrong_shape_is_told_whole() {
        let lines = faults_of(r#"{"title":4,"team":[],"tasks":[{"id":"a"},{"id":2},{},7]}"#);
        assert_eq!(lines.len(), 5);
        assert_eq!(lines[0], "missing-section: people: `/team/people` is not a list");
        assert_eq!(lines[3], "missing-section: tasks[3]: an entry is an object, not number");
        assert!(lines[4].starts_with("schema: title: "), "{}", lines[4]);
    }
}
