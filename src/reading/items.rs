//! What a JSON Schema says of one place in the entities of a section, as far as that helps to show and to ask for it. What it
//! does not say plainly counts as unknown: here nothing is checked.

use crate::document::pointer;
use crate::protocol::json::{Json, Object};

/// How many references are followed at most before a schema is taken to lead round.
const MAX_HOPS: usize = 32;

/// What is known of a place.
#[derive(Debug, Default)]
pub(super) struct Place {
    pub(super) shape: Shape,
    /// Whether it holds a list; the rest is about its items then.
    pub(super) is_list: bool,
    /// The texts it may be, where these are listed and nothing else is.
    pub(super) values: Option<Vec<String>>,
}

/// Of what kind a value is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Shape {
    Text,
    Number,
    Flag,
    /// More than one of these.
    Mixed,
    #[default]
    Unknown,
}

impl Place {
    /// The place in an entity, by the schema of the entity.
    pub(super) fn at(root: Option<&Json>, item: &Json, segments: &[String]) -> Place {
        let mut node = Some(item);
        for segment in segments {
            node = node.and_then(|node| properties(root, node)).and_then(|known| known.get(segment));
        }
        node.map(|node| Place::at_node(root, node)).unwrap_or_default()
    }

    /// What a schema says of its value.
    pub(super) fn at_node(root: Option<&Json>, node: &Json) -> Place {
        let node = resolved(root, node);
        if let Some(items) = node.get("items")
            && names(node).contains(&"array")
        {
            let items = resolved(root, items);
            return Place { shape: shape_of(items), is_list: true, values: values_of(items) };
        }
        Place { shape: shape_of(node), is_list: false, values: values_of(node) }
    }

    /// Whether it is a text, a number, a flag or a list of them.
    pub(super) fn is_short(&self) -> bool {
        self.shape != Shape::Unknown
    }
}

/// The schema of the entities of the section at these segments.
pub(super) fn of_section<'a>(root: Option<&'a Json>, segments: &[String]) -> Option<&'a Json> {
    let mut node = root?;
    for segment in segments {
        node = properties(root, node)?.get(segment)?;
    }
    resolved(root, node).get("items").map(|items| resolved(root, items))
}

/// The members a schema names.
pub(super) fn properties<'a>(root: Option<&'a Json>, node: &'a Json) -> Option<&'a Object> {
    resolved(root, node).get("properties").and_then(Json::as_object)
}

/// The schema that is meant: references are followed, and of alternatives the one that is not `null` is taken.
fn resolved<'a>(root: Option<&'a Json>, node: &'a Json) -> &'a Json {
    let mut node = node;
    for _ in 0..MAX_HOPS {
        let inside = |reference: &str| pointer::find(root?, &pointer::parse(reference.strip_prefix('#')?).ok()?);
        let next = match node.get("$ref").and_then(Json::as_str) {
            Some(reference) => inside(reference),
            None => ["anyOf", "oneOf"].into_iter().find_map(|key| {
                let mut some = node.get(key)?.as_array()?.iter().filter(|each| names(each) != ["null"]);
                some.next().filter(|_| some.next().is_none())
            }),
        };
        match next {
            Some(next) => node = next,
            None => break,
        }
    }
    node
}

/// The names of its types.
fn names(node: &Json) -> Vec<&str> {
    match node.get("type") {
        Some(Json::String(name)) => vec![name],
        Some(Json::Array(names)) => names.iter().filter_map(Json::as_str).collect(),
        _ => Vec::new(),
    }
}

fn shape_of(node: &Json) -> Shape {
    let mut shape = Shape::Unknown;
    let mut add = |next: Shape| shape = if shape == Shape::Unknown || shape == next { next } else { Shape::Mixed };
    for name in names(node) {
        match name {
            "string" => add(Shape::Text),
            "number" | "integer" => add(Shape::Number),
            "boolean" => add(Shape::Flag),
            _ => {}
        }
    }
    for value in listed(node) {
        match value {
            Json::String(_) => add(Shape::Text),
            Json::Number(_) => add(Shape::Number),
            Json::Bool(_) => add(Shape::Flag),
            _ => {}
        }
    }
    shape
}

fn listed(node: &Json) -> &[Json] {
    match (node.get("enum"), node.get("const")) {
        (Some(values), _) => values.as_array().unwrap_or_default(),
        (None, Some(value)) => std::slice::from_ref(value),
        _ => &[],
    }
}

/// The listed texts; `null` among them is no value.
fn values_of(node: &Json) -> Option<Vec<String>> {
    let mut values = Vec::new();
    for value in listed(node).iter().filter(|value| !matches!(value, Json::Null)) {
        values.push(value.as_str()?.to_owned());
    }
    if values.is_empty() { None } else { Some(values) }
}
