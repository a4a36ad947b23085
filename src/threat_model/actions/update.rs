//! Merges the given fields into one entity and takes the named ones away; every other field stays.

use crate::protocol::json::{Json, Object};
use crate::protocol::patch::PatchOperation;
use crate::protocol::text::echo;
use crate::tools::core_tool::Sight;

use super::add::members;
use super::{Done, Target, find, has_id, text, type_warning, unknown};

/// Refuses an update of nothing and a field that is both set and cleared; drops an empty `updates`.
pub(super) fn normalize(input: &mut Object, issues: &mut Vec<String>) {
    let set = input.get("updates").and_then(Json::as_object).map_or(0, Object::len);
    let cleared: Vec<String> = input
        .get("clear")
        .and_then(Json::as_array)
        .unwrap_or_default()
        .iter()
        .filter_map(|field| field.as_str().map(str::to_owned))
        .collect();
    if set == 0 && cleared.is_empty() {
        issues.push("updates: there is nothing to change; name at least one field here or in `clear`".to_owned());
    }
    for field in &cleared {
        if input.get("updates").is_some_and(|updates| updates.get(field).is_some()) {
            issues.push(format!("clear: `{}` is set in `updates` too", echo(field)));
        }
    }
    if set == 0 {
        input.remove("updates");
    }
    if cleared.is_empty() {
        input.remove("clear");
    }
}

pub(super) fn run(target: Target, sight: &dyn Sight, input: &Json) -> Result<Done, String> {
    let section = target.section();
    let place = find(sight, section, text(input, "id").unwrap_or_default())?;
    let Some(Json::Object(entity)) = sight.entity(section, place) else {
        return Err(format!("id: there is no entity at {place}"));
    };
    let id = entity.get("id").and_then(Json::as_str).unwrap_or_default();
    let mut next = Object::clone(entity);
    for (field, value) in input.get("updates").and_then(Json::as_object).into_iter().flat_map(Object::iter) {
        check_reference(target, sight, field, value)?;
        next.insert(field.clone(), value.clone());
    }
    for field in input.get("clear").and_then(Json::as_array).unwrap_or_default().iter().filter_map(Json::as_str) {
        next.remove(field);
    }
    let mut done = Done::new(id);
    if target == Target::TrustBoundary {
        let (kept, dropped) = members(sight, next.get("contains"));
        if !dropped.is_empty() {
            next.insert("contains", kept);
        }
        done.dropped = dropped;
    }
    if target == Target::Element {
        done.warning = input.get("updates").and_then(|updates| text(updates, "type")).and_then(type_warning);
    }
    if next != **entity {
        done.patch.push(PatchOperation::Replace { path: format!("/{section}/{place}"), value: Json::from(next) });
    }
    Ok(done)
}

/// What an update sets to an id must be one; a reference it does not touch is the document's own matter.
fn check_reference(target: Target, sight: &dyn Sight, field: &str, value: &Json) -> Result<(), String> {
    let section = match (target, field) {
        (Target::Element, "layer") => "layers",
        (Target::Element, "group") => "groups",
        (Target::DataFlow, "from" | "to") => "elements",
        _ => return Ok(()),
    };
    let wanted = value.as_str().unwrap_or_default();
    if has_id(sight, section, wanted) { Ok(()) } else { Err(format!("updates.{field}: {}", unknown(sight, section, wanted))) }
}
