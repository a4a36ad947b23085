//! The card's line: what a call would do, told from its validated input alone, or by the titles in the document, in at
//! most 200 code points.
//! Nothing is dropped in silence: invisible characters are shown, and what does not fit is counted.

use crate::protocol::json::{Json, Object};
use crate::protocol::text::{cap, concat, join, visible};
use crate::tools::canonical::canonical_json;
use crate::tools::core_tool::Sight;

use super::{Target, Verb, text};

/// The longest line, in code points.
const LINE: usize = 200;
/// The longest value in it, in code points.
const VALUE: usize = 60;
/// How much of a longer value is shown from its beginning.
const HEAD: usize = 40;
/// How much of it is shown from its end.
const TAIL: usize = 12;

pub(super) fn head(verb: Verb, target: Target, input: &Json) -> String {
    let line = match verb {
        Verb::Add => added(target, input.get(target.noun()).unwrap_or(&Json::Null)),
        Verb::Update => updated(target, input),
        Verb::Delete => format!("Delete {} {}{}", target.words(), name(input, "id"), along(target)),
    };
    cap(&line, LINE)
}

/// The head of the card on the document as it is: what is done, things named by their titles.
pub(super) fn titled(verb: Verb, target: Target, sight: &dyn Sight, input: &Json) -> String {
    let given = input.get(target.noun()).unwrap_or(&Json::Null);
    let named = |target: Target, given: &Json, field: &str| title(sight, target, text(given, field).unwrap_or_default());
    let (word, what) = match (verb, target) {
        (Verb::Add, Target::DataFlow) => {
            let [from, to] = ["from", "to"].map(|end| named(Target::Element, given, end));
            return cap(&format!("Connect {from} to {to}"), LINE);
        }
        (Verb::Add, Target::Threat) => {
            let mut on = name(given, "title");
            for (field, target) in [("element", Target::Element), ("flow", Target::DataFlow)] {
                if given.get(field).is_some() {
                    on = concat(&[&on, " to ", &named(target, given, field)]);
                }
            }
            ("Add", on)
        }
        (Verb::Add, _) => ("Add", name(given, "name")),
        (Verb::Update, _) => ("Change", named(target, input, "id")),
        (Verb::Delete, _) => ("Delete", named(target, input, "id")),
    };
    // an element needs no other word
    let noun = if target == Target::Element { "" } else { target.words() };
    cap(&format!("{word} {noun}{}{what}", if noun.is_empty() { "" } else { " " }), LINE)
}

/// The title of what has this id; a flow without one is told by its ends, and what is not there by the id.
fn title(sight: &dyn Sight, target: Target, id: &str) -> String {
    let section = target.section();
    let Some(entity) = sight.places(section, id).first().and_then(|place| sight.entity(section, *place)) else { return shorten(id) };
    let own = name(entity, sight.kind(section).and_then(|kind| kind.title_key).unwrap_or_default());
    if !own.is_empty() {
        return own;
    }
    if target == Target::DataFlow {
        let [from, to] = ["from", "to"].map(|end| title(sight, Target::Element, text(entity, end).unwrap_or_default()));
        return format!("{from} → {to}");
    }
    shorten(id)
}

fn added(target: Target, given: &Json) -> String {
    match target {
        Target::Element => format!("Add element {} ({})", quoted(given, "name"), name(given, "type")),
        Target::DataFlow => {
            let called =
                if text(given, "name").unwrap_or_default().is_empty() { String::new() } else { format!(" {}", quoted(given, "name")) };
            format!("Add data flow{called} from {} to {}", name(given, "from"), name(given, "to"))
        }
        Target::TrustBoundary => {
            let members = given.get("contains").and_then(Json::as_array).map_or(0, <[Json]>::len);
            let around = match members {
                0 => String::new(),
                1 => " around 1 element".to_owned(),
                many => format!(" around {many} elements"),
            };
            format!("Add trust boundary {}{around}", quoted(given, "name"))
        }
        Target::Threat => {
            let on: Vec<String> = [("element", "element"), ("flow", "data flow")]
                .into_iter()
                .filter(|(field, _)| given.get(field).is_some())
                .map(|(field, words)| format!("{words} {}", name(given, field)))
                .collect();
            let on = if on.is_empty() { String::new() } else { format!(" on {}", join(&on, " and ")) };
            format!("Add threat {} ({}, {}){on}", quoted(given, "title"), name(given, "category"), name(given, "severity"))
        }
    }
}

fn updated(target: Target, input: &Json) -> String {
    let mut line = format!("Change {} {}:", target.words(), name(input, "id"));
    let set = input
        .get("updates")
        .and_then(Json::as_object)
        .into_iter()
        .flat_map(Object::iter)
        .map(|(field, value)| format!("{field} = {}", value_text(value)));
    let clear = input
        .get("clear")
        .and_then(Json::as_array)
        .unwrap_or_default()
        .iter()
        .map(|field| format!("clear {}", shorten(field.as_str().unwrap_or_default())));
    let parts: Vec<String> = set.chain(clear).collect();
    for (at, part) in parts.iter().enumerate() {
        let more = format!(" and {} more", parts.len() - at);
        let separator = if at == 0 { " " } else { ", " };
        // room is kept for the count, unless this is the last
        let room = if at + 1 == parts.len() { 0 } else { more.len() };
        if line.chars().count() + separator.len() + part.chars().count() + room > LINE {
            line.push_str(&more);
            return line;
        }
        line.push_str(separator);
        line.push_str(part);
    }
    line
}

/// What goes with it.
fn along(target: Target) -> &'static str {
    match target {
        Target::Element => ", its data flows and relationships, and the threats that have no other target",
        Target::DataFlow => " and the threats that have no other target",
        Target::TrustBoundary => " (its members stay)",
        Target::Threat => "",
    }
}

fn value_text(value: &Json) -> String {
    match value {
        Json::String(text) => format!("\"{}\"", shorten(text)),
        other => shorten(&canonical_json(other)),
    }
}

fn quoted(given: &Json, field: &str) -> String {
    format!("\"{}\"", name(given, field))
}

fn name(given: &Json, field: &str) -> String {
    shorten(text(given, field).unwrap_or_default())
}

/// A value as a person sees it: head and tail of a long one, with the number of what lies between.
fn shorten(value: &str) -> String {
    let shown: Vec<char> = visible(value).chars().collect();
    if shown.len() <= VALUE {
        return shown.into_iter().collect();
    }
    let hidden = shown.len() - HEAD - TAIL;
    let tail = shown.iter().skip(HEAD + hidden);
    shown.iter().take(HEAD).copied().chain(format!("…({hidden} more)…").chars()).chain(tail.copied()).collect()
}
