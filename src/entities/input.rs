//! What a call of the four tools must hold, whatever its schema says: the schema tells the model, this decides.

use crate::protocol::json::{Json, Object};
use crate::protocol::text::echo;

use super::Verb;

/// Of what kind a member is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Text,
    Members,
    Names,
}

/// A member, its kind, and whether it must be there.
type Row = (&'static str, Shape, bool);

fn rows(verb: Verb) -> &'static [Row] {
    match verb {
        Verb::Add => &[("kind", Shape::Text, true), ("fields", Shape::Members, true)],
        Verb::Update => {
            &[("kind", Shape::Text, true), ("id", Shape::Text, true), ("set", Shape::Members, false), ("clear", Shape::Names, false)]
        }
        Verb::Delete => &[("kind", Shape::Text, true), ("id", Shape::Text, true)],
        Verb::Move => {
            &[("kind", Shape::Text, true), ("id", Shape::Text, true), ("before", Shape::Text, false), ("after", Shape::Text, false)]
        }
    }
}

/// The input with nothing in it that says nothing, or what is wrong with it.
pub(super) fn normalized(verb: Verb, input: Json) -> Result<Json, Vec<String>> {
    let Json::Object(object) = &input else { return Err(vec![format!("input: expected an object, got {}", input.kind())]) };
    let (rows, mut issues) = (rows(verb), Vec::new());
    for (name, shape, required) in rows {
        let problem = match (object.get(name), shape) {
            (None, _) if *required => "is missing".to_owned(),
            (None, _) | (Some(Json::String(_)), Shape::Text) | (Some(Json::Object(_)), Shape::Members) => continue,
            (Some(Json::Array(names)), Shape::Names) if names.iter().all(|name| name.as_str().is_some()) => continue,
            (Some(other), Shape::Text) => format!("expected a text, got {}", other.kind()),
            (Some(other), Shape::Members) => format!("expected an object, got {}", other.kind()),
            (Some(_), Shape::Names) => "expected a list of names".to_owned(),
        };
        issues.push(format!("{name}: {problem}"));
    }
    for key in object.keys().filter(|key| !rows.iter().any(|(name, _, _)| *name == &***key)) {
        issues.push(format!("input: unknown key `{}`", echo(key)));
    }
    if !issues.is_empty() {
        return Err(issues);
    }
    let mut next = Object::clone(object);
    match verb {
        Verb::Update => settle_update(&mut next, &mut issues),
        Verb::Move if next.contains_key("before") && next.contains_key("after") => {
            issues.push("before: give `before` or `after`, not both; neither means the end of the list".to_owned());
        }
        _ => {}
    }
    if issues.is_empty() { Ok(Json::from(next)) } else { Err(issues) }
}

/// Refuses an update of nothing and a member that is both set and cleared; drops what is empty.
fn settle_update(input: &mut Object, issues: &mut Vec<String>) {
    let set = input.get("set").and_then(Json::as_object).map_or(0, Object::len);
    let cleared = input.get("clear").and_then(Json::as_array).map_or(0, <[Json]>::len);
    if set + cleared == 0 {
        issues.push("set: there is nothing to change; name at least one member here or in `clear`".to_owned());
    }
    for name in input.get("clear").and_then(Json::as_array).unwrap_or_default().iter().filter_map(Json::as_str) {
        if input.get("set").is_some_and(|set| set.get(name).is_some()) {
            issues.push(format!("clear: `{}` is set in `set` too", echo(name)));
        }
    }
    if set == 0 {
        input.remove("set");
    }
    if cleared == 0 {
        input.remove("clear");
    }
}
