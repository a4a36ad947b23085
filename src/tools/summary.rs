//! The line on a card: what a call will do, told from the validated value and nothing else.
//!
//! Plain text. Whatever cannot be seen is shown as an escape, never dropped; what is too long shows its
//! head, its tail and how much is hidden between them.

use crate::protocol::error::Fault;
use crate::protocol::json::{Json, Object};
use crate::protocol::text::{echo, join, visible};

use super::canonical::canonical_json;
use super::issues::is_plain;

/// The longest value inside a line, in code points as shown.
const VALUE_CODE_POINTS: usize = 80;
/// The longest line, in code points as shown.
const LINE_CODE_POINTS: usize = 200;
/// What stands for a field that the input leaves out.
const ABSENT: &str = "(none)";

/// A template over the input: `Connect {from} to {to}`; `{{` and `}}` stand for a brace.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug)]
enum Piece {
    Text(String),
    Field(Vec<String>),
}

impl Template {
    /// Reads the template and checks its fields against what the schema lists.
    pub(crate) fn parse(source: &str, schema: &Json) -> Result<Template, Fault> {
        let refuse = |why: String| Fault::at("invalid_tool", "summary", why);
        let mut pieces = Vec::new();
        let mut text = String::new();
        let mut chars = source.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '{' | '}' if chars.peek() == Some(&c) => {
                    chars.next();
                    text.push(c);
                }
                '}' => return Err(refuse("a `}` closes nothing".to_owned()).expecting("`}}` for a brace")),
                '{' => {
                    let mut field = String::new();
                    loop {
                        match chars.next() {
                            Some('}') => break,
                            Some(c) => field.push(c),
                            None => return Err(refuse(format!("the `{{` before `{}` is never closed", echo(&field)))),
                        }
                    }
                    let mut steps = Vec::new();
                    for step in field.split('.') {
                        steps.push(step.to_owned());
                    }
                    if !steps.iter().all(|step| is_plain(step)) {
                        return Err(
                            refuse(format!("`{{{}}}` is not the name of a field", echo(&field))).expecting("`{field}` or `{outer.inner}`")
                        );
                    }
                    if !is_known(&steps, schema) {
                        return Err(refuse(format!("the input schema knows no field `{}`", echo(&field))));
                    }
                    pieces.push(Piece::Text(std::mem::take(&mut text)));
                    pieces.push(Piece::Field(steps));
                }
                c => text.push(c),
            }
        }
        pieces.push(Piece::Text(text));
        Ok(Template { pieces })
    }

    /// The line for `input`.
    pub(crate) fn line(&self, input: &Json) -> String {
        self.line_named(input, &mut |_| None)
    }

    /// The same with the names of things in place of their ids; `name` is asked for every text.
    pub(crate) fn line_named(&self, input: &Json, name: &mut dyn FnMut(&str) -> Option<String>) -> String {
        let mut line = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => line.push_str(text),
                Piece::Field(steps) => match steps.iter().try_fold(input, |value, step| value.get(step)) {
                    None => line.push_str(ABSENT),
                    Some(Json::String(text)) => {
                        line.push_str(&shorten(name(text).as_deref().unwrap_or(text), VALUE_CODE_POINTS));
                    }
                    Some(other) => line.push_str(&shorten(&canonical_json(other), VALUE_CODE_POINTS)),
                },
            }
        }
        bounded_line(&line)
    }
}

/// The line where nothing better is declared: the tool's name and the fields, in the schema's order.
pub(crate) fn default_line(name: &str, input: &Json, schema: &Json) -> String {
    let nothing = Object::new();
    let object = input.as_object().unwrap_or(&nothing);
    let declared = schema.get("properties").and_then(Json::as_object).unwrap_or(&nothing);
    let first = declared.keys().filter_map(|key| object.get(key).map(|value| (key, value)));
    let rest = object.iter().filter(|(key, _)| !declared.contains_key(key));
    let mut line = name.to_owned();
    for (at, (key, value)) in first.chain(rest).enumerate() {
        line.push_str(if at == 0 { " " } else { ", " });
        let key = if is_plain(key) { key.to_string() } else { canonical_json(&Json::String(key.clone())) };
        line.push_str(&shorten(&key, VALUE_CODE_POINTS));
        line.push_str(": ");
        line.push_str(&shorten(&canonical_json(value), VALUE_CODE_POINTS));
    }
    bounded_line(&line)
}

/// A line somebody else wrote, made visible and cut to the length of a card's line.
pub(crate) fn bounded_line(line: &str) -> String {
    shorten(line, LINE_CODE_POINTS)
}

/// Shows `text` in at most `max` code points: head, tail, and how many code points are hidden.
pub(crate) fn shorten(text: &str, max: usize) -> String {
    let whole = visible(text);
    if whole.len() <= max || whole.chars().count() <= max {
        return whole;
    }
    // room for the note in the middle: `… 1,234,567 more …`
    let room = max.saturating_sub(24);
    let tail_room = room / 4;
    let (head, head_count) = visible_part(text.chars(), room - tail_room);
    let (mut tail, tail_count) = visible_part(text.chars().rev(), tail_room);
    tail.reverse();
    let hidden = text.chars().count().saturating_sub(head_count + tail_count);
    format!("{}… {} more …{}", join(&head, ""), grouped(hidden), join(&tail, ""))
}

/// The shown code points from one end while they fit; an escape is never cut apart.
fn visible_part(chars: impl Iterator<Item = char>, room: usize) -> (Vec<String>, usize) {
    let mut parts = Vec::new();
    let mut used = 0;
    for c in chars {
        let part = visible(c.encode_utf8(&mut [0; 4]));
        used += part.chars().count();
        if used > room {
            break;
        }
        parts.push(part);
    }
    let count = parts.len();
    (parts, count)
}

/// `1234567` as `1,234,567`.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Whether the schema may know the field; only a plain list of `properties` can say that it does not.
fn is_known(steps: &[String], schema: &Json) -> bool {
    const ELSEWHERE: [&str; 9] = ["$ref", "allOf", "anyOf", "oneOf", "if", "then", "else", "patternProperties", "dependentSchemas"];
    let mut schema = schema;
    for step in steps {
        let Some(object) = schema.as_object() else { return true };
        let Some(properties) = object.get("properties").and_then(Json::as_object) else { return true };
        match properties.get(step) {
            Some(inner) => schema = inner,
            None => return ELSEWHERE.iter().any(|key| object.contains_key(key)),
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Json {
        Json::parse(text).unwrap()
    }

    fn line(template: &str, input: &str) -> String {
        Template::parse(template, &json("{}")).unwrap().line(&json(input))
    }

    #[test]
    fn fills_a_template_from_the_input() {
        assert_eq!(line("Connect {from} to {to}", r#"{"from":"a","to":"b"}"#), "Connect a to b");
        assert_eq!(line("Set {a.b} {{x}}", r#"{"a":{"b":[1,true]}}"#), "Set [1,true] {x}");
        assert_eq!(line("{a} {b.c}", r#"{"b":1}"#), "(none) (none)");
        assert_eq!(line("{constructor} {__proto__}", "{}"), "(none) (none)");
        assert_eq!(line("{a}", r#"{"a":"{b}","b":"no"}"#), "{b}", "what a value holds is not a template");
    }

    #[test]
    fn bad_templates_are_refused() {
        let schema = json(r#"{"properties":{"a":{"properties":{"b":true}},"c":{"$ref":"x"}}}"#);
        for source in ["{", "}", "{}", "{a", "{a b}", "{a..b}", "{x}", "{a.x}", "{a.b} {y}"] {
            assert!(Template::parse(source, &schema).is_err(), "{source}");
        }
        for source in ["", "plain", "{a}", "{a.b}", "{c.anything}", "{a.b.c}"] {
            assert!(Template::parse(source, &schema).is_ok(), "{source}");
        }
    }

    #[test]
    fn e4_what_cannot_be_seen_is_shown_and_long_values_show_both_ends() {
        assert_eq!(line("Rename to {n}", "{\"n\":\"a\u{202E}b\u{200B}\\n\"}"), "Rename to a\\u{202E}b\\u{200B}\\n");
        let long = format!("{}{}{}", "h".repeat(40), "x".repeat(2_000), "tail");
        let shown = line("{n}", &format!("{{\"n\":\"{long}\"}}"));
        assert!(shown.starts_with("hhhh") && shown.ends_with("tail") && shown.contains("… 1,988 more …"), "{shown}");
        assert!(shown.chars().count() <= 80, "{shown}");
        let hidden = "\u{200B}".repeat(5_000);
        let shown = line("{n}{n}{n}{n}", &format!("{{\"n\":\"{hidden}\"}}"));
        assert!(shown.chars().count() <= 200 && shown.starts_with("\\u{200B}"), "{shown}");
    }

    #[test]
    fn the_default_line_names_the_fields_in_the_declared_order() {
        let schema = json(r#"{"properties":{"at":{},"text":{}}}"#);
        assert_eq!(default_line("insert_text", &json(r#"{"text":"x","at":3}"#), &schema), "insert_text at: 3, text: \"x\"");
        assert_eq!(default_line("t", &json("{}"), &schema), "t");
        assert_eq!(default_line("t", &json("{\"a b\u{202E}\":null}"), &json("true")), "t \"a b\\u{202E}\": null");
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
