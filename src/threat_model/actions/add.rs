//! Appends a new entity, its id made here, its defaults filled in.

use crate::json_object;
use crate::protocol::json::{Json, Object};
use crate::protocol::patch::PatchOperation;
use crate::tools::core_tool::Sight;

use super::super::model::MAX_U32;
use super::{Done, Target, has_id, text, type_warning, unknown};

pub(super) fn run(target: Target, sight: &dyn Sight, input: &Json) -> Result<Done, String> {
    let given = input.get(target.noun()).cloned().unwrap_or_default();
    let id = sight.fresh_id(target.section());
    let mut done = Done::new(&id);
    let entity = match target {
        Target::Element => {
            done.warning = text(&given, "type").and_then(type_warning);
            let base = json_object! { "id" => id, "type" => "", "name" => "", "trust_zone" => "", "description" => "", "technologies" => Vec::new() };
            filled(base, &given, &["type", "name", "trust_zone", "description", "technologies", "position"])
        }
        Target::DataFlow => {
            for end in ["from", "to"] {
                let wanted = text(&given, end).unwrap_or_default();
                if !has_id(sight, "elements", wanted) {
                    let other = if end == "from" { "to" } else { "from" };
                    let other = format!("`{other}` is `{}`", crate::protocol::text::echo(text(&given, other).unwrap_or_default()));
                    return Err(format!("data_flow.{end}: {} ({other})", unknown(sight, "elements", wanted)));
                }
            }
            let mut base = Object::from_iter([("id", Json::from(id))]);
            if let Some(number) = next_flow_number(sight) {
                base.insert("flow_number", number);
            }
            for (field, default) in [
                ("name", Json::from("")),
                ("from", Json::from("")),
                ("to", Json::from("")),
                ("protocol", Json::from("")),
                ("data", Json::from(Vec::new())),
                ("authenticated", Json::from(false)),
            ] {
                base.insert(field, default);
            }
            filled(Json::from(base), &given, &["name", "from", "to", "protocol", "data", "authenticated"])
        }
        Target::TrustBoundary => {
            let (kept, dropped) = members(sight, given.get("contains"));
            done.dropped = dropped;
            let mut base = filled(json_object! { "id" => id, "name" => "", "contains" => kept }, &given, &["name"]);
            if let (Some(object), Some(position)) = (base.as_object_mut(), given.get("position")) {
                object.insert("position", position.clone());
            }
            base
        }
        Target::Threat => {
            let base = json_object! { "id" => id };
            filled(base, &given, &["title", "category", "element", "flow", "severity", "description", "mitigation"])
        }
    };
    done.patch.push(PatchOperation::Add { path: format!("/{}/-", target.section()), value: entity });
    Ok(done)
}

/// `base` with the given fields of these names, in this order where they are new.
fn filled(mut base: Json, given: &Json, fields: &[&'static str]) -> Json {
    if let Some(object) = base.as_object_mut() {
        for field in fields {
            if let Some(value) = given.get(field) {
                object.insert(*field, value.clone());
            }
        }
    }
    base
}

/// The given ids that are elements, in order, and those that are not.
pub(super) fn members(sight: &dyn Sight, given: Option<&Json>) -> (Vec<Json>, Vec<String>) {
    let (mut kept, mut dropped) = (Vec::new(), Vec::new());
    for member in given.and_then(Json::as_array).unwrap_or_default() {
        match member.as_str() {
            Some(id) if has_id(sight, "elements", id) => kept.push(member.clone()),
            other => dropped.push(other.unwrap_or_default().to_owned()),
        }
    }
    (kept, dropped)
}

/// One more than the largest number shown on a flow; none where that no longer fits.
fn next_flow_number(sight: &dyn Sight) -> Option<f64> {
    let next = sight.largest_number("data_flows") + 1.0;
    (next <= MAX_U32).then_some(next)
}
