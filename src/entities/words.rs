//! The card's line: what a call would do, by the titles of what it touches where the document is at hand, with
//! everything that goes along counted. Nothing is dropped in silence: what does not fit is counted.

use crate::protocol::json::{Json, Object};
use crate::protocol::text::concat;
use crate::tools::canonical::canonical_json;
use crate::tools::core_tool::{Kind, Sight};
use crate::tools::summary::shorten;

use super::Verb;
use super::delete::Fall;
use super::done::Cascades;

/// The longest line, in code points.
const LINE: usize = 200;
/// The longest name or value in it, in code points: two of them and a section leave room for what goes along.
const VALUE: usize = 44;

/// The head of the card of a call on the document as it is.
pub(super) fn card(verb: Verb, sight: &dyn Sight, input: &Json) -> String {
    let head = line(verb, Some(sight), input);
    let fall = if verb == Verb::Delete { Fall::of(sight, input).ok() } else { None };
    match fall.filter(|fall| fall.refused().is_none()) {
        Some(fall) => along(head, &fall),
        None => head,
    }
}

/// The same with all that goes along.
fn along(head: String, fall: &Fall<'_>) -> String {
    let Cascades { removed, cleared } = fall.cascades();
    let mut line = head;
    for (counted, what) in [(&removed, " and with it"), (&cleared, "; taken out of")] {
        let parts: Vec<String> = counted.iter().map(|(section, count)| format!("{count} of {}", named_so(section))).collect();
        if !parts.is_empty() {
            line = listed(&concat(&[&line, what]), &parts, " ");
        }
    }
    line
}

/// The line; told from the input alone where there is no document.
pub(super) fn line(verb: Verb, sight: Option<&dyn Sight>, input: &Json) -> String {
    let section = named_so(text(input, "kind"));
    let kind = sight.and_then(|sight| sight.kind(text(input, "kind")));
    let name = |member: &str| named(sight, kind, text(input, member));
    match verb {
        Verb::Add => {
            let fields = input.get("fields").and_then(Json::as_object);
            let title_key = kind.and_then(|kind| kind.title_key).unwrap_or_default();
            let title = fields.and_then(|fields| fields.get(title_key)).and_then(Json::as_str);
            let head = match title {
                Some(title) => format!("Add {} to {section}", quoted(title)),
                None => format!("Add to {section}"),
            };
            listed(&head, &values(fields, if title.is_some() { title_key } else { "" }), ": ")
        }
        Verb::Update => {
            let mut parts = values(input.get("set").and_then(Json::as_object), "");
            for name in input.get("clear").and_then(Json::as_array).unwrap_or_default().iter().filter_map(Json::as_str) {
                parts.push(format!("clear {}", named_so(name)));
            }
            listed(&format!("Change {} of {section}", name("id")), &parts, ": ")
        }
        Verb::Delete => format!("Delete {} from {section}", name("id")),
        Verb::Move => {
            let to = match (input.get("before"), input.get("after")) {
                (Some(_), _) => format!("before {}", name("before")),
                (_, Some(_)) => format!("behind {}", name("after")),
                _ => "to the end".to_owned(),
            };
            format!("Move {} of {section} {to}", name("id"))
        }
    }
}

/// `"Doing" (column-2)`, or the id alone.
fn named(sight: Option<&dyn Sight>, kind: Option<Kind<'_>>, id: &str) -> String {
    let title = sight.zip(kind).and_then(|(sight, kind)| {
        let place = *sight.places(kind.name, id).first()?;
        sight.entity(kind.name, place)?.get(kind.title_key?)?.as_str()
    });
    match title {
        Some(title) => format!("{} ({})", quoted(title), named_so(id)),
        None => named_so(id),
    }
}

fn values(members: Option<&Object>, but: &str) -> Vec<String> {
    let mut parts = Vec::new();
    for (key, value) in members.into_iter().flat_map(Object::iter).filter(|(key, _)| but.is_empty() || ***key != *but) {
        let value = match value {
            Json::String(text) => quoted(text),
            other => shown(&canonical_json(other)),
        };
        parts.push(format!("{} = {value}", named_so(key)));
    }
    parts
}

/// The parts behind the head while they fit, and how many more there are.
fn listed(head: &str, parts: &[String], between: &str) -> String {
    let mut line = head.to_owned();
    for (at, part) in parts.iter().enumerate() {
        let more = format!(" and {} more", parts.len() - at);
        let separator = if at == 0 { between } else { ", " };
        // room is kept for the count, unless this is the last
        let room = if at + 1 == parts.len() { 0 } else { more.len() };
        if line.chars().count() + separator.len() + part.chars().count() + room > LINE {
            line.push_str(&more);
            break;
        }
        line.push_str(separator);
        line.push_str(part);
    }
    line
}

fn text<'a>(input: &'a Json, member: &str) -> &'a str {
    input.get(member).and_then(Json::as_str).unwrap_or_default()
}

/// A text between quotes, none of its own among them: no title can end where it does not and go on as if it were the line. However
/// many it holds, it takes no more room than another, so that it cannot push out what stands behind it.
fn quoted(text: &str) -> String {
    let mut inside = String::new();
    // where only the last fits it is a text of that many quotes, or the count of what it hides
    for most in [VALUE, 36, 30, VALUE / 2] {
        inside = shorten(text, most).replace('"', "\\\"");
        if inside.chars().count() <= VALUE {
            break;
        }
    }
    format!("\"{inside}\"")
}

/// The name of a section or a member, or an id: as it is where it is one word, else between quotes.
fn named_so(name: &str) -> String {
    let is_word =
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/' | '@' | '$' | '#'));
    if is_word { shown(name) } else { quoted(name) }
}

/// A value as a person sees it: head and tail of a long one, with the number of what lies between.
fn shown(value: &str) -> String {
    shorten(value, VALUE)
}
