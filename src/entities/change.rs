//! One entity comes, is another, or stands elsewhere; and how an entity is found.

use crate::document::fault::candidates;
use crate::document::pointer;
use crate::protocol::json::{Json, Object};
use crate::protocol::patch::PatchOperation;
use crate::protocol::reference::Reference;
use crate::protocol::text::{echo, join};
use crate::tools::core_tool::{Kind, Sight};

use super::done::Done;

/// How many entities are looked at for ids like one that is not there.
const LOOKED_AT: usize = 1000;

/// Appends a new entity, its id made here.
pub(super) fn add(sight: &dyn Sight, input: &Json) -> Result<Done, String> {
    let kind = kind_of(sight, input)?;
    let given = members(input, "fields")?;
    refuse_id(&kind, given, "fields")?;
    check_references(sight, &kind, input.get("fields"), "fields")?;
    let id = sight.fresh_id(kind.name);
    let mut entity = Object::from_iter([(kind.id_key, Json::from(id.as_str()))]);
    for (key, value) in given.iter() {
        entity.insert(key.clone(), value.clone());
    }
    let value = Json::from(entity);
    Ok(Done::new(kind.name, &id, vec![PatchOperation::Add { path: format!("{}/-", kind.path), value }]))
}

/// Merges the given members into one entity and takes the named ones away; every other member stays.
pub(super) fn update(sight: &dyn Sight, input: &Json) -> Result<Done, String> {
    let kind = kind_of(sight, input)?;
    let (id, place) = named(sight, &kind, input, "id")?;
    let Some(Json::Object(entity)) = sight.entity(kind.name, place) else {
        return Err(format!("id: there is no entity at {place}"));
    };
    let mut next = Object::clone(entity);
    if input.get("set").is_some() {
        let set = members(input, "set")?;
        refuse_id(&kind, set, "set")?;
        check_references(sight, &kind, input.get("set"), "set")?;
        for (key, value) in set.iter() {
            next.insert(key.clone(), value.clone());
        }
    }
    for name in input.get("clear").and_then(Json::as_array).unwrap_or_default().iter().filter_map(Json::as_str) {
        if name == kind.id_key {
            return Err(format!("clear: `{}` is the id and stays", echo(name)));
        }
        next.remove(name);
    }
    let mut done = Done::new(kind.name, id, Vec::new());
    if next != **entity {
        done.patch.push(PatchOperation::Replace { path: format!("{}/{place}", kind.path), value: Json::from(next) });
    }
    Ok(done)
}

/// Puts one entity before or after another of its section, or at the end.
pub(super) fn moved(sight: &dyn Sight, input: &Json) -> Result<Done, String> {
    let kind = kind_of(sight, input)?;
    let (id, place) = named(sight, &kind, input, "id")?;
    refuse_outer(sight, kind.name)?;
    let target = match (input.get("before"), input.get("after")) {
        (Some(_), _) => named(sight, &kind, input, "before")?.1,
        (_, Some(_)) => named(sight, &kind, input, "after")?.1 + 1,
        _ => sight.count(kind.name),
    };
    // the place after it was taken out
    let target = if target > place { target - 1 } else { target };
    let mut done = Done::new(kind.name, id, Vec::new());
    if let Some(entity) = sight.entity(kind.name, place).filter(|_| target != place) {
        done.patch.push(PatchOperation::Remove { path: format!("{}/{place}", kind.path) });
        done.patch.push(PatchOperation::Add { path: format!("{}/{target}", kind.path), value: entity.clone() });
    }
    Ok(done)
}

/// The section the input names.
pub(super) fn kind_of<'a>(sight: &'a dyn Sight, input: &Json) -> Result<Kind<'a>, String> {
    let name = input.get("kind").and_then(Json::as_str).unwrap_or_default();
    sight.kind(name).ok_or_else(|| format!("kind: there is no `{}`; {}", echo(name), candidates(name, sight.kinds().into_iter())))
}

/// The id a member of the input names, and the place of the first entity that has exactly that one. What a card names and
/// what a call changes must be one thing: an id that is merely shown alike is another entity.
pub(super) fn named<'a>(sight: &dyn Sight, kind: &Kind<'_>, input: &'a Json, member: &str) -> Result<(&'a str, usize), String> {
    let id = input.get(member).and_then(Json::as_str).unwrap_or_default();
    match sight.places(kind.name, id).first() {
        Some(place) => Ok((id, *place)),
        None => Err(format!("{member}: {}", unknown(sight, &[kind.name], id))),
    }
}

/// Refuses to move what another section lies inside of: its list would be another one then, and what was told of it untrue.
pub(super) fn refuse_outer(sight: &dyn Sight, section: &str) -> Result<(), String> {
    let Some(outer) = sight.kind(section) else { return Ok(()) };
    let lies_inside = |kind: &Kind<'_>| kind.path.strip_prefix(outer.path).is_some_and(|rest| rest.starts_with('/'));
    match sight.kinds().into_iter().filter_map(|name| sight.kind(name)).find(lies_inside) {
        Some(inner) => Err(format!("kind: `{}` lies inside of `{}`, whose entities keep their places", echo(inner.name), echo(section))),
        None => Ok(()),
    }
}

/// The id of an entity.
pub(super) fn id_of<'a>(kind: &Kind<'_>, entity: &'a Json) -> Option<&'a str> {
    entity.get(kind.id_key)?.as_str()
}

/// The references a member holds: one, or one for each item.
pub(super) fn targets<'a>(entity: &'a Json, reference: &Reference) -> &'a [Json] {
    match pointer::find(entity, &reference.segments) {
        None | Some(Json::Null) => &[],
        Some(Json::Array(items)) => items,
        Some(single) => std::slice::from_ref(single),
    }
}

/// `x` is not there, and what is like it among the first of what is.
fn unknown(sight: &dyn Sight, sections: &[&str], id: &str) -> String {
    let (mut known, mut count) = (Vec::new(), 0);
    for section in sections {
        let Some(kind) = sight.kind(section) else { continue };
        count += sight.count(section);
        for place in 0..sight.count(section).min(LOOKED_AT - known.len()) {
            known.extend(sight.entity(section, place).and_then(|entity| id_of(&kind, entity)));
        }
    }
    let more = if count > LOOKED_AT { format!(", of the first {LOOKED_AT} of {count}") } else { String::new() };
    let names: Vec<String> = sections.iter().map(|section| echo(section)).collect();
    format!("`{}` is not in `{}` now; {}{more}", echo(id), join(&names, "`, `"), candidates(id, known.into_iter()))
}

fn members<'a>(input: &'a Json, member: &str) -> Result<&'a Object, String> {
    input.get(member).and_then(Json::as_object).ok_or_else(|| format!("{member}: expected an object"))
}

/// Ids are made here, never by a model.
fn refuse_id(kind: &Kind<'_>, given: &Object, member: &str) -> Result<(), String> {
    if given.contains_key(kind.id_key) {
        return Err(format!("{member}.{}: ids are made here and stay; leave `{}` out", echo(kind.id_key), echo(kind.id_key)));
    }
    Ok(())
}

/// What is set to an id must be one, and is told by the member that holds it; what a call does not touch is the document's own matter.
fn check_references(sight: &dyn Sight, kind: &Kind<'_>, given: Option<&Json>, member: &str) -> Result<(), String> {
    let Some(given) = given else { return Ok(()) };
    for reference in kind.references {
        for target in targets(given, reference) {
            let sections: Vec<&str> = reference.sections.iter().map(String::as_str).collect();
            let Some(id) = target.as_str() else { continue };
            if !sections.iter().any(|section| !sight.places(section, id).is_empty()) {
                let path = echo(&join(&reference.segments, "."));
                return Err(format!("{member}.{path}: {}", unknown(sight, &sections, id)));
            }
        }
    }
    Ok(())
}
