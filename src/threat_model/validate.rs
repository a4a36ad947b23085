//! The content rules of a threat model, in the order in which their faults are told. Linear: every
//! membership test is a set, every walk marks what it met.

use crate::document::fault::{Faults, by_id, candidates};
use crate::document::integrity::{check_form, check_unique, cycles, form_problem};
use crate::protocol::json::Json;
use crate::protocol::places::{Places, places};
use crate::protocol::text::echo;

/// Adds every fault of a document that was read.
pub(super) fn check(document: &Json, faults: &mut Faults) {
    let ids = Ids::of(document);
    unique_ids(&ids, faults);
    for (section, own) in ids.sections() {
        check_form(section, "id", own, faults);
        check_echo(section, own, faults);
    }
    let elements = Known::new("elements", &ids.elements);
    let flows = Known::new("data_flows", &ids.data_flows);
    let layers = Known::new("layers", &ids.layers);
    let groups = Known::new("groups", &ids.groups);
    for flow in entries(document, "data_flows") {
        elements.check("data_flows", flow, "from", faults);
        elements.check("data_flows", flow, "to", faults);
    }
    for element in entries(document, "elements") {
        layers.check("elements", element, "layer", faults);
        groups.check("elements", element, "group", faults);
    }
    for group in entries(document, "groups") {
        groups.check("groups", group, "parent", faults);
    }
    for relationship in entries(document, "relationships") {
        elements.check("relationships", relationship, "from", faults);
        elements.check("relationships", relationship, "to", faults);
    }
    let parents = entries(document, "groups").iter().filter_map(|group| Some((text(group, "id")?, text(group, "parent"))));
    for id in cycles(parents) {
        faults.add("circular-group-nesting", &by_id("groups", id, "parent"), id, || {
            format!("following the parents of group `{}` leads back to it", echo(id))
        });
    }
    for boundary in entries(document, "trust_boundaries") {
        let id = text(boundary, "id").unwrap_or_default();
        for member in boundary.get("contains").and_then(Json::as_array).unwrap_or_default() {
            elements.check_value("trust_boundaries", id, "contains", member.as_str(), faults);
        }
    }
    for threat in entries(document, "threats") {
        elements.check("threats", threat, "element", faults);
        flows.check("threats", threat, "flow", faults);
    }
}

/// Whether nothing is wrong with the form of an id.
pub(super) fn is_plain_id(id: &str) -> bool {
    form_problem(id).is_none() && !is_escaped(id)
}

/// Whether it is escaped where a model reads it, and cannot be written back by it as it was shown.
fn is_escaped(id: &str) -> bool {
    id.contains(['<', '>', '\\'])
}

fn check_echo(section: &str, ids: &[&str], faults: &mut Faults) {
    for id in ids.iter().filter(|id| is_escaped(id)) {
        faults.add("invalid-id", &by_id(section, id, "id"), id, || "an id holds no `<`, `>` or backslash".to_owned());
    }
}

/// Ids are unique in their section, and in the space they share on the canvas: nodes and edges.
fn unique_ids(ids: &Ids<'_>, faults: &mut Faults) {
    for (section, own) in ids.sections() {
        check_unique(section, "id", own, faults);
    }
    let (elements, boundaries, flows) = (
        places(&mut ids.elements.iter().copied()),
        places(&mut ids.trust_boundaries.iter().copied()),
        places(&mut ids.data_flows.iter().copied()),
    );
    let mut shared = |section: &str, other: &str, own: &[&str], taken: &dyn Fn(&str) -> bool| {
        for id in own.iter().filter(|id| taken(id)) {
            faults.add("duplicate-id", &by_id(section, id, "id"), &format!("{other} {id}"), || {
                format!("`{}` in `{section}` is used in {other} too", echo(id))
            });
        }
    };
    shared("groups", "`elements` or `trust_boundaries`", &ids.groups, &|id| elements.contains_key(id) || boundaries.contains_key(id));
    shared("relationships", "`data_flows`", &ids.relationships, &|id| flows.contains_key(id));
    shared("trust_boundaries", "`elements`", &ids.trust_boundaries, &|id| elements.contains_key(id));
}

/// The ids of every section, in document order.
struct Ids<'a> {
    elements: Vec<&'a str>,
    data_flows: Vec<&'a str>,
    layers: Vec<&'a str>,
    groups: Vec<&'a str>,
    relationships: Vec<&'a str>,
    trust_boundaries: Vec<&'a str>,
    threats: Vec<&'a str>,
    diagrams: Vec<&'a str>,
}

impl<'a> Ids<'a> {
    fn of(document: &'a Json) -> Ids<'a> {
        let of = |section: &str| entries(document, section).iter().filter_map(|entry| text(entry, "id")).collect();
        Ids {
            elements: of("elements"),
            data_flows: of("data_flows"),
            layers: of("layers"),
            groups: of("groups"),
            relationships: of("relationships"),
            trust_boundaries: of("trust_boundaries"),
            threats: of("threats"),
            diagrams: of("diagrams"),
        }
    }

    /// In the order of the rules.
    fn sections(&self) -> [(&'static str, &[&'a str]); 8] {
        [
            ("elements", &self.elements),
            ("data_flows", &self.data_flows),
            ("layers", &self.layers),
            ("groups", &self.groups),
            ("relationships", &self.relationships),
            ("trust_boundaries", &self.trust_boundaries),
            ("threats", &self.threats),
            ("diagrams", &self.diagrams),
        ]
    }
}

/// The ids a reference may name.
struct Known<'a> {
    section: &'static str,
    order: &'a [&'a str],
    set: Places<'a>,
}

impl<'a> Known<'a> {
    fn new(section: &'static str, order: &'a [&'a str]) -> Known<'a> {
        Known { section, order, set: places(&mut order.iter().copied()) }
    }

    fn check(&self, section: &str, entry: &Json, field: &str, faults: &mut Faults) {
        let id = text(entry, "id").unwrap_or_default();
        self.check_value(section, id, field, text(entry, field), faults);
    }

    fn check_value(&self, section: &str, id: &str, field: &str, value: Option<&str>, faults: &mut Faults) {
        let Some(value) = value.filter(|value| !self.set.contains_key(value)) else { return };
        faults.add("invalid-reference", &by_id(section, id, field), value, || {
            format!("`{}` is not in `{}`; {}", echo(value), self.section, candidates(value, self.order.iter().copied()))
        });
    }
}

fn entries<'a>(document: &'a Json, section: &str) -> &'a [Json] {
    document.get(section).and_then(Json::as_array).unwrap_or_default()
}

fn text<'a>(entry: &'a Json, field: &str) -> Option<&'a str> {
    entry.get(field)?.as_str()
}
