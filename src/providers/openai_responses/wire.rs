//! The payloads of a Responses stream, as far as they are read: borrowed from the frame, lenient about what is absent,
//! null or "" (which servers use for one another), indifferent to what is unknown. Nothing is what a payload reads as
//! that is not of this shape.

use std::borrow::Cow;

use crate::protocol::event::Usage;
use crate::protocol::json::read::{Found, items, members};

use crate::providers::written::{Failure, Text, Written, arguments_of, scalar, text, usage_under};

const TOP: [&str; 13] = [
    "type",
    "item_id",
    "output_index",
    "content_index",
    "summary_index",
    "delta",
    "text",
    "refusal",
    "arguments",
    "name",
    "item",
    "response",
    "error",
];

/// One payload.
pub(super) struct Payload<'a> {
    data: &'a str,
    /// What it says it is; the frame's name for it where it does not say.
    pub(super) kind: Text<'a>,
    found: Found<'a, 13>,
}

/// What an output item is; only these are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A call of a declared tool.
    Call,
    /// What the model says.
    Message,
    /// What the model thought, and what else is opaque and to be returned as it came.
    Thought,
}

/// An output item, as far as it is told.
pub(super) struct Item<'a> {
    pub(super) kind: Kind,
    pub(super) id: Text<'a>,
    pub(super) call_id: Text<'a>,
    pub(super) name: Text<'a>,
    pub(super) arguments: Text<'a>,
    /// Whether it says to have been cut.
    pub(super) is_cut: bool,
    /// What it says or thinks: by which list, at which place in it, whether it is a refusal, the text.
    pub(super) parts: Vec<(&'static str, usize, bool, Text<'a>)>,
    /// All of it, as it is written.
    pub(super) written: &'a str,
}

/// The response itself, as the first and the last events hold it.
pub(super) struct Response<'a> {
    pub(super) id: Text<'a>,
    pub(super) model: Text<'a>,
    pub(super) status: Text<'a>,
    pub(super) error: Option<Failure<'a>>,
    /// Why it is incomplete, where it is.
    pub(super) reason: Text<'a>,
    pub(super) usage: Option<Usage>,
    pub(super) output: Vec<&'a str>,
}

impl<'a> Payload<'a> {
    pub(super) fn read(data: &'a str, event: &'a str) -> Option<Payload<'a>> {
        let found = members(data, TOP)?;
        let [kind, ..] = found;
        let kind = text(kind)?;
        Some(Payload { data, kind: if kind.is_empty() { Cow::Borrowed(event) } else { kind }, found })
    }

    /// The id of the item it is about, and the item's place in the output as it is written; "" where nothing is told.
    pub(super) fn item_id(&self) -> Option<Text<'a>> {
        let [_, id, ..] = self.found;
        scalar(id)
    }

    pub(super) fn output_index(&self) -> &'a str {
        let [_, _, index, ..] = self.found;
        index.unwrap_or_default()
    }

    /// The place in that list of its item, as it is written.
    pub(super) fn place_in(&self, list: &str) -> &'a str {
        let [_, _, _, in_content, in_summary, ..] = self.found;
        if list == SUMMARY { in_summary } else { in_content }.unwrap_or("0")
    }

    /// What it says: more of something, or all of it.
    pub(super) fn said(&self, is_whole: bool) -> Option<Text<'a>> {
        let [_, _, _, _, _, delta, text_of, refusal, arguments, ..] = self.found;
        if is_whole { arguments_of(text_of.or(refusal).or(arguments)) } else { text(delta) }
    }

    pub(super) fn name(&self) -> Option<Text<'a>> {
        let [.., name, _, _, _] = self.found;
        text(name)
    }

    /// The item it holds; nothing inside where it is of a kind that is not read.
    pub(super) fn item(&self) -> Option<Option<Item<'a>>> {
        let [.., item, _, _] = self.found;
        Item::read(item?)
    }

    pub(super) fn response(&self) -> Option<Response<'a>> {
        let [.., response, _] = self.found;
        // a server may write the members of the response beside the type
        Response::read(response.unwrap_or(self.data))
    }

    /// Whether it tells of a failure; `event` is the frame's name for it.
    pub(super) fn is_failure(&self, event: &str) -> bool {
        let [.., error] = self.found;
        // the second is how some gateways write the first
        matches!(&*self.kind, "error" | "response.error") || (!self.kind.starts_with("response.") && (event == "error" || error.is_some()))
    }
}

impl Kind {
    pub(super) fn slot(self) -> usize {
        match self {
            Kind::Call => 0,
            Kind::Message => 1,
            Kind::Thought => 2,
        }
    }
}

/// The lists of an item: what it says, and what it says of its thoughts.
pub(super) const CONTENT: &str = "content";
pub(super) const SUMMARY: &str = "summary";

impl<'a> Item<'a> {
    pub(super) fn read(written: &'a str) -> Option<Option<Item<'a>>> {
        let [kind, id, call_id, name, arguments, status, content, summary] =
            members(written, ["type", "id", "call_id", "name", "arguments", "status", CONTENT, SUMMARY])?;
        let kind = match &*text(kind)? {
            "function_call" => Kind::Call,
            "message" => Kind::Message,
            "reasoning" | "compaction" => Kind::Thought,
            // what the provider runs itself, and what it adds one day
            _ => return Some(None),
        };
        let mut item = Item {
            kind,
            id: scalar(id)?,
            call_id: scalar(call_id)?,
            name: text(name)?,
            arguments: arguments_of(arguments)?,
            is_cut: &*text(status)? == "incomplete",
            parts: Vec::new(),
            written,
        };
        if kind != Kind::Call {
            item.add_parts(SUMMARY, summary)?;
            item.add_parts(CONTENT, content)?;
        }
        Some(Some(item))
    }

    fn add_parts(&mut self, list: &'static str, written: Written<'a>) -> Option<()> {
        match written {
            None => {}
            Some(said) if said.starts_with('"') => self.parts.push((list, 0, false, text(written)?)),
            Some(parts) => {
                for (place, part) in items(parts)?.into_iter().enumerate() {
                    let [said, refusal] = members(part, ["text", "refusal"])?;
                    self.parts.push((list, place, said.is_none(), text(said.or(refusal))?));
                }
            }
        }
        Some(())
    }
}

impl<'a> Response<'a> {
    fn read(written: &'a str) -> Option<Response<'a>> {
        let [id, model, status, error, details, usage, output] =
            members(written, ["id", "model", "status", "error", "incomplete_details", "usage", "output"])?;
        let [reason] = details.and_then(|details| members(details, ["reason"])).unwrap_or_default();
        let lenient = |written: Written<'a>| scalar(written).unwrap_or_default();
        Some(Response {
            id: lenient(id),
            model: lenient(model),
            status: lenient(status),
            error: error.and_then(Failure::read),
            reason: lenient(reason),
            usage: usage
                .and_then(|usage| usage_under(usage, ["input_tokens", "output_tokens", "input_tokens_details", "output_tokens_details"])),
            output: output.and_then(items).unwrap_or_default(),
        })
    }
}
