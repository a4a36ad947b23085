//! What the four tools tell a model to send, told from the document's own schema.
//!
//! Enters: sections and the schema of the whole document. Leaves: closed input schemas. They guide and refuse early;
//! what is right is the commit's to say, so whatever cannot be told of one entity alone is left open here.

use std::sync::Arc;

use crate::document::definition::Section;
use crate::document::pointer;
use crate::json_object;
use crate::protocol::json::{Json, Object};
use crate::protocol::text::join;

use super::Verb;

/// The longest description of entities, in bytes of JSON: what is longer would cost every request more than it helps.
const MAX_BYTES: usize = 32_768;
/// How often a reference inside the schema is followed.
const MAX_HOPS: usize = 16;
/// The longest id, in code points.
const ID_CODE_POINTS: u32 = 200;
/// The most members that are cleared at once.
const MAX_CLEARED: u32 = 100;
/// What of an entity's schema still means the same without its id.
const KEPT: [&str; 7] = ["type", "title", "description", "properties", "required", "patternProperties", "propertyNames"];
/// What may say more about the members of an entity: then others than the listed ones are let through.
const SAYS_MORE: [&str; 10] =
    ["$ref", "allOf", "anyOf", "oneOf", "not", "if", "dependentSchemas", "unevaluatedProperties", "$dynamicRef", "$id"];

/// What the model is told a tool does.
pub(super) fn description(verb: Verb) -> &'static str {
    match verb {
        Verb::Add => {
            "Creates one entity at the end of its list. The id is made here and returned: never send one. A member that names another entity holds the id of one that exists now."
        }
        Verb::Update => {
            "Changes one entity. Send in `set` only the members that change: each is replaced whole. Name in `clear` optional members to take away. The id stays."
        }
        Verb::Delete => {
            "Removes one entity. What names it is removed with it, loses the reference, or holds it back, as the document says; the result counts what went along."
        }
        Verb::Move => "Moves one entity within its list, before or after another of the same list, or to the end where neither is given.",
    }
}

/// The input of one tool; `kind` is left open where no section is known.
pub(super) fn input(verb: Verb, sections: &[Section], document: Option<&Json>) -> Json {
    let described = describe(verb, sections, document);
    let text = described.1.to_text().len() + Json::from(described.0.clone()).to_text().len();
    let (branches, defs) = if text > MAX_BYTES { describe(verb, sections, None) } else { described };
    let mut members = Object::new();
    let names: Vec<Json> = sections.iter().map(|section| Json::from(section.name.as_str())).collect();
    let kind = if names.is_empty() {
        json_object! { "type" => "string" }
    } else {
        json_object! { "type" => "string", "enum" => names }
    };
    members.insert("kind", kind);
    let mut required = vec![Json::from("kind")];
    if verb != Verb::Add {
        members.insert("id", id("the id of an entity that exists now"));
        required.push(Json::from("id"));
    }
    match verb {
        Verb::Add => {
            members.insert("fields", any_of(branches));
            required.push(Json::from("fields"));
        }
        Verb::Update => {
            members.insert("set", any_of(branches));
            let cleared = json_object! {
                "type" => "array", "items" => json_object! { "type" => "string" }, "uniqueItems" => true, "maxItems" => MAX_CLEARED,
                "description" => "optional members to take away; an empty text is not the same as none",
            };
            members.insert("clear", cleared);
        }
        Verb::Move => {
            members.insert("before", id("the id of the entity it comes to stand before"));
            members.insert("after", id("the id of the entity it comes to stand behind; not with `before`"));
        }
        Verb::Delete => {}
    }
    let mut schema = Object::new();
    schema.insert("type", "object");
    schema.insert("properties", members);
    schema.insert("required", required);
    schema.insert("additionalProperties", false);
    for (name, value) in defs.as_object().into_iter().flat_map(Object::iter) {
        schema.insert(name.clone(), value.clone());
    }
    Json::from(schema)
}

fn id(about: &str) -> Json {
    json_object! { "type" => "string", "minLength" => 1u32, "maxLength" => ID_CODE_POINTS, "description" => about }
}

fn any_of(mut branches: Vec<Json>) -> Json {
    match (branches.pop(), branches.is_empty()) {
        (None, _) => json_object! { "type" => "object" },
        (Some(only), true) => only,
        (Some(last), false) => {
            branches.push(last);
            json_object! { "anyOf" => branches }
        }
    }
}

/// What the members of an entity may be, section by section, and the shared parts that takes.
fn describe(verb: Verb, sections: &[Section], document: Option<&Json>) -> (Vec<Json>, Json) {
    let (mut branches, mut defs) = (Vec::new(), Object::new());
    if matches!(verb, Verb::Delete | Verb::Move) {
        return (branches, Json::from(defs));
    }
    for section in sections {
        let found = document.and_then(|document| {
            let item = item_of(document, &section.segments)?;
            let own = without_id(item, &section.id_key, verb == Verb::Update);
            // what it shares with others is taken along, or it is not told at all
            let mut carried = defs.clone();
            carry(document, &Json::from(own.clone()), &mut carried)?;
            defs = carried;
            Some(own)
        });
        let mut branch = found.unwrap_or_default();
        if !branch.contains_key("type") {
            branch.insert("type", "object");
        }
        let said = branch.get("description").and_then(Json::as_str).map(|said| format!(": {said}")).unwrap_or_default();
        branch.insert("description", format!("for `{}`{said}{}", section.name, references_of(section)));
        branches.push(Json::from(branch));
    }
    (branches, Json::from(defs))
}

fn references_of(section: &Section) -> String {
    let mut told = String::new();
    for reference in &section.references {
        told.push_str(&format!("; `{}` names one of `{}`", join(&reference.segments, "."), join(&reference.sections, "`, `")));
    }
    told
}

/// The schema of the entities at `segments`.
fn item_of<'a>(document: &'a Json, segments: &[String]) -> Option<&'a Object> {
    let mut at = followed(document, document)?;
    for segment in segments {
        at = followed(document, at.get("properties")?.get(segment)?)?;
    }
    followed(document, at.get("items")?)?.as_object()
}

/// The schema a reference leads to, where it is one.
fn followed<'a>(document: &'a Json, schema: &'a Json) -> Option<&'a Json> {
    let mut at = schema;
    for _ in 0..MAX_HOPS {
        match at.get("$ref") {
            None => return Some(at),
            Some(reference) => {
                let segments = pointer::parse(reference.as_str()?.strip_prefix('#')?).ok()?;
                at = pointer::find(document, &segments)?;
            }
        }
    }
    None
}

/// The schema of what a model may say of an entity: everything but its id, and nothing that must be there where it is `partial`.
fn without_id(item: &Object, id_key: &str, partial: bool) -> Object {
    let mut own = Object::new();
    for name in KEPT {
        let Some(value) = item.get(name) else { continue };
        let mut value = value.clone();
        match (name, &mut value) {
            ("properties", Json::Object(members)) => {
                Arc::make_mut(members).remove(id_key);
            }
            ("required", _) if partial => continue,
            ("required", Json::Array(names)) => {
                Arc::make_mut(names).retain(|name| name.as_str() != Some(id_key));
                if names.is_empty() {
                    continue;
                }
            }
            _ => {}
        }
        own.insert(name, value);
    }
    if let Some(rest) = item.get("additionalProperties")
        && !SAYS_MORE.iter().any(|name| item.contains_key(name))
    {
        own.insert("additionalProperties", rest.clone());
    }
    own
}

/// Takes along every shared part the schema names; nothing where one cannot be.
fn carry(document: &Json, schema: &Json, defs: &mut Object) -> Option<()> {
    let mut wanted = Vec::new();
    named_in(schema, &mut wanted)?;
    // a list, not a call in a call: parts may name each other in a chain of any length
    while let Some(reference) = wanted.pop() {
        let segments = pointer::parse(reference.strip_prefix('#')?).ok()?;
        let [room @ ("$defs" | "definitions"), name] = [segments.first()?.as_str(), segments.get(1)?.as_str()] else { return None };
        let part = document.get(room)?.get(name)?;
        let known = defs.get_mut(room).and_then(Json::as_object_mut);
        match known {
            Some(known) if known.contains_key(name) => continue,
            Some(known) => {
                known.insert(name, part.clone());
            }
            None => {
                defs.insert(room, Object::from_iter([(name, part.clone())]));
            }
        }
        named_in(part, &mut wanted)?;
    }
    Some(())
}

/// The references inside a schema; nothing where something in it has a name that means another place elsewhere.
fn named_in<'a>(schema: &'a Json, wanted: &mut Vec<&'a str>) -> Option<()> {
    match schema {
        Json::Array(items) => items.iter().try_for_each(|item| named_in(item, wanted)),
        Json::Object(object) => object.iter().try_for_each(|(key, value)| {
            match (&**key, value) {
                ("$ref", Json::String(reference)) => wanted.push(reference),
                ("$id" | "$anchor" | "$dynamicRef" | "$dynamicAnchor", Json::String(_)) => return None,
                _ => named_in(value, wanted)?,
            }
            Some(())
        }),
        _ => Some(()),
    }
}
