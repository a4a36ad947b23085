//! The shipped domain: threat models as data-flow diagrams, their rules, and the tools that read and change one.
//!
//! Enters: a document as plain JSON. Leaves: the same with its defaults filled in, or every fault it has.
//! Fields nobody here knows are kept as they are. No file format, no editor, no model.

mod actions;
mod calendar;
mod catalog;
mod model;
mod prompt;
mod read;
mod reading;
mod validate;

use std::rc::Rc;

use crate::document::definition::{ByEntity, Definition, OnDelete, Reference, Section};
use crate::document::fault::Faults;
use crate::json_object;
use crate::protocol::json::Json;

pub use actions::graph_action_tools;
pub use catalog::component_catalog;
pub use prompt::PROMPT;
pub use reading::{VIEW, read_tools};

/// The name a host asks for this definition by.
pub const KIND: &str = "threat-model";

/// The definition of threat models.
#[must_use]
pub fn definition() -> Rc<dyn Definition> {
    Rc::new(ThreatModel { sections: sections() })
}

/// An empty threat model; `today` is a calendar date as `2026-05-02`.
#[must_use]
pub fn new_document(title: &str, author: &str, today: &str) -> Json {
    let none = || Json::from(Vec::new());
    json_object! {
        "version" => model::VERSION,
        "metadata" => json_object! {
            "title" => title, "author" => author, "created" => today, "modified" => today, "description" => "",
        },
        "layers" => none(),
        "groups" => none(),
        "elements" => none(),
        "data_flows" => none(),
        "relationships" => none(),
        "trust_boundaries" => none(),
        "threats" => none(),
        "diagrams" => vec![json_object! { "id" => "main-dfd", "name" => "Level 0 DFD" }],
    }
}

struct ThreatModel {
    sections: Vec<Section>,
}

impl Definition for ThreatModel {
    fn kind(&self) -> &str {
        KIND
    }

    fn sections(&self) -> &[Section] {
        &self.sections
    }

    fn read(&self, document: &Json, faults: &mut Faults) -> Option<Json> {
        read::read(document, faults)
    }

    fn check(&self, document: &Json, faults: &mut Faults) {
        validate::check(document, faults);
    }

    fn by_entity(&self) -> Option<&dyn ByEntity> {
        Some(self)
    }
}

impl ByEntity for ThreatModel {
    fn entity(&self, list: usize, entity: &Json, _: &mut u64) -> Option<Json> {
        read::entity(&self.sections.get(list)?.name, entity)
    }

    fn is_plain_id(&self, id: &str) -> bool {
        validate::is_plain_id(id)
    }

    fn most_entries(&self) -> usize {
        model::MAX_ENTRIES
    }

    fn numbered(&self) -> Option<(&str, &str)> {
        Some(NUMBERED)
    }
}

/// Where the numbers shown on flows are.
const NUMBERED: (&str, &str) = ("data_flows", "flow_number");

/// The sections as every other room sees them, in the order of the read tools.
fn sections() -> Vec<Section> {
    let reference = |field: &str, section: &str, on_delete| Reference {
        segments: vec![field.to_owned()],
        sections: vec![section.to_owned()],
        on_delete,
    };
    let ends = || vec![reference("from", "elements", OnDelete::Cascade), reference("to", "elements", OnDelete::Cascade)];
    let section = |name: &str, title: &str, prefix: &str, namespace: Option<&str>, references: Vec<Reference>| Section {
        title_key: Some(title.to_owned()),
        id_prefix: Some(prefix.to_owned()),
        namespace: namespace.map(str::to_owned),
        references,
        ..Section::new(name, &format!("/{name}"))
    };
    let joining = |name: &str, prefix: &str| Section {
        title_from: vec!["from".to_owned(), "to".to_owned()],
        ..section(name, "name", prefix, Some("edges"), ends())
    };
    let layer_and_group = vec![reference("layer", "layers", OnDelete::Clear), reference("group", "groups", OnDelete::Clear)];
    let targets = vec![reference("element", "elements", OnDelete::Clear), reference("flow", "data_flows", OnDelete::Clear)];
    let mut groups = section("groups", "name", "group", Some("nodes"), vec![reference("parent", "groups", OnDelete::Clear)]);
    groups.acyclic = Some(vec!["parent".to_owned()]);
    vec![
        section("elements", "name", "comp", Some("nodes"), layer_and_group),
        joining("data_flows", "flow"),
        section("trust_boundaries", "name", "boundary", Some("nodes"), vec![reference("contains", "elements", OnDelete::Clear)]),
        section("threats", "title", "threat", None, targets),
        section("layers", "name", "layer", None, Vec::new()),
        groups,
        joining("relationships", "rel"),
        section("diagrams", "name", "diagram", None, Vec::new()),
    ]
}
