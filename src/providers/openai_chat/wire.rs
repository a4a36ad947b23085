//! The payloads of a Chat Completions stream, as far as they are read: borrowed from the frame, lenient about what
//! is absent, null or "" (which servers use for one another), indifferent to what is unknown. Nothing is what a
//! payload reads as that is not of this shape.

use std::borrow::Cow;

use crate::protocol::event::Usage;
use crate::protocol::json::read::{Found, Level, items, members, members_along, string};

use crate::providers::written::{Failure, Text, Written, arguments_of, scalar, text, usage_under};

use super::state::{OF_CALL, REASONING_CONTENT, REASONING_DETAILS};

const TOP: [&str; 5] = ["id", "model", "error", "usage", "object"];
const CHOICE: [&str; 5] = ["finish_reason", "message", "error", "usage", "index"];
const SAID: [&str; 9] =
    ["role", "content", "tool_calls", REASONING_CONTENT, "reasoning", "thinking", "refusal", "function_call", REASONING_DETAILS];

/// What a payload says to be that is itself a failure, as it is written.
const FAILED: &str = "\"error\"";
/// What the one call of the older form is told apart by: it has neither index nor id.
const LEGACY: &str = "function_call";

/// One payload.
pub(super) struct Chunk<'a> {
    /// The message's id, as it is written; nothing where it is "".
    pub(super) id: Written<'a>,
    pub(super) model: Text<'a>,
    pub(super) error: Option<Failure<'a>>,
    pub(super) usage: Option<Usage>,
    /// Which choice it is of, as it is written.
    pub(super) choice: Written<'a>,
    /// Why the message ended, where it did.
    pub(super) finish_reason: Text<'a>,
    /// What is said now.
    pub(super) delta: Said<'a>,
    /// All that was said, where a server tells it again or only now.
    pub(super) snapshot: Option<Said<'a>>,
}

/// What a message says, or a part of it.
#[derive(Default)]
pub(super) struct Said<'a> {
    pub(super) names_role: bool,
    pub(super) text: Text<'a>,
    pub(super) reasoning: Text<'a>,
    /// The reasoning under the name that wants it back, be it ""; it is shown where it is not.
    pub(super) kept: Option<Text<'a>>,
    /// The list of thoughts that wants to go back, as it is written.
    pub(super) details: Written<'a>,
    pub(super) refusal: Text<'a>,
    pub(super) calls: Vec<Fragment<'a>>,
}

/// A call, or a part of one.
pub(super) struct Fragment<'a> {
    /// As it is written: numbers are only compared.
    pub(super) index: Written<'a>,
    pub(super) id: Text<'a>,
    pub(super) name: Text<'a>,
    pub(super) arguments: Text<'a>,
    /// What wants to go back on the call, as it is written.
    pub(super) state: Found<'a, 2>,
}

/// The members of one payload that are looked at, as they are written.
pub(super) struct Payload<'a> {
    data: &'a str,
    top: Found<'a, 5>,
    choice: Found<'a, 5>,
    said: Found<'a, 9>,
}

impl<'a> Payload<'a> {
    pub(super) fn read(data: &'a str) -> Option<Payload<'a>> {
        let mut payload = Payload { data, top: [None; 5], choice: [None; 5], said: [None; 9] };
        let mut path = [Level::new("choices", &CHOICE, &mut payload.choice), Level::new("delta", &SAID, &mut payload.said)];
        members_along(data, &TOP, &mut payload.top, &mut path)?;
        Some(payload)
    }

    /// The text, where the payload is more of the message `id` by a text and by nothing else: what comes by the
    /// thousand, and needs no chunk to be made.
    pub(super) fn text_of(&self, id: &str, choice: &str) -> Option<Text<'a>> {
        let [same, _, None, None, object] = self.top else { return None };
        let ([None, None, None, None, index], [None, Some(text), None, None, None, None, None, None, None]) = (self.choice, self.said)
        else {
            return None;
        };
        let is_more = same.unwrap_or_default() == id && index.unwrap_or_default() == choice && object != Some(FAILED);
        if is_more { string(text).filter(|text| !text.is_empty()) } else { None }
    }

    pub(super) fn chunk(self) -> Option<Chunk<'a>> {
        let [id, model, error, usage, object] = self.top;
        let [finish_reason, message, error_of_choice, usage_of_choice, choice] = self.choice;
        // a server may tell its failure as a payload of its own in place of a member
        let itself = object.filter(|object| *object == FAILED).map(|_| self.data);
        Some(Chunk {
            id: id.filter(|id| *id != "\"\""),
            model: text(model)?,
            error: error.or(error_of_choice).or(itself).and_then(Failure::read),
            // some servers count inside the choice
            choice: choice.filter(|index| *index != "\"\""),
            usage: usage.or(usage_of_choice).and_then(usage_of),
            finish_reason: finish_reason.and_then(string).unwrap_or_default(),
            delta: Said::read(self.said)?,
            snapshot: match message {
                Some(message) => Some(Said::read(members(message, SAID)?)?),
                None => None,
            },
        })
    }
}

impl Chunk<'_> {
    /// Takes out what is said; whether there was anything.
    pub(super) fn silence(&mut self) -> bool {
        let delta = std::mem::take(&mut self.delta);
        let snapshot = self.snapshot.take().unwrap_or_default();
        let reason = std::mem::take(&mut self.finish_reason);
        delta.is_something() || snapshot.is_something() || !reason.is_empty()
    }
}

impl<'a> Said<'a> {
    fn read(found: Found<'a, 9>) -> Option<Said<'a>> {
        let [role, content, calls, reasoning_content, reasoning, thinking, refusal, function_call, details] = found;
        let mut said = Said { names_role: role.is_some_and(|role| role != "\"\""), refusal: text(refusal)?, details, ..Said::default() };
        said.kept = reasoning_content.and_then(string);
        // three names for one thing; a server that writes two of them writes the same under both
        if said.kept.as_deref().unwrap_or_default().is_empty() {
            let thoughts = [reasoning, thinking];
            said.reasoning = thoughts.into_iter().flatten().filter_map(string).find(|thought| !thought.is_empty()).unwrap_or_default();
        }
        match content {
            Some(list) if list.starts_with('[') => said.add_parts(list)?,
            content => said.text = text(content)?,
        }
        if let Some(calls) = calls {
            said.calls = items(calls)?.into_iter().map(Fragment::read).collect::<Option<Vec<_>>>()?;
        }
        if let Some(call) = function_call {
            let [name, arguments] = members(call, ["name", "arguments"])?;
            said.calls.push(Fragment {
                index: Some(LEGACY),
                id: Cow::Borrowed(""),
                name: text(name)?,
                arguments: arguments_of(arguments)?,
                state: [None; 2],
            });
        }
        Some(said)
    }

    /// The reasoning that is shown, whatever it is called.
    pub(super) fn thought(&self) -> &str {
        self.kept.as_deref().filter(|kept| !kept.is_empty()).unwrap_or(&self.reasoning)
    }

    /// Whether anything of a message is in it.
    pub(super) fn is_something(&self) -> bool {
        !(self.text.is_empty() && self.thought().is_empty() && self.refusal.is_empty() && self.calls.is_empty())
    }

    /// Content that is a list of parts: texts, and the thoughts among them.
    fn add_parts(&mut self, list: &'a str) -> Option<()> {
        for part in items(list)? {
            if part.starts_with('"') {
                self.text.to_mut().push_str(&string(part)?);
                continue;
            }
            let [plain, thinking] = members(part, ["text", "thinking"])?;
            self.text.to_mut().push_str(&text(plain)?);
            match thinking {
                Some(list) if list.starts_with('[') => {
                    for thought in items(list)? {
                        let [plain] = members(thought, ["text"])?;
                        self.reasoning.to_mut().push_str(&text(plain)?);
                    }
                }
                thinking => self.reasoning.to_mut().push_str(&text(thinking)?),
            }
        }
        Some(())
    }
}

impl<'a> Fragment<'a> {
    fn read(item: &'a str) -> Option<Fragment<'a>> {
        let (mut found, mut function) = ([None; 4], [None; 2]);
        let [of_call, of_call_too] = OF_CALL;
        let names = ["index", "id", of_call, of_call_too];
        members_along(item, &names, &mut found, &mut [Level::new("function", &["name", "arguments"], &mut function)])?;
        let ([index, id, state @ ..], [name, arguments]) = (found, function);
        Some(Fragment {
            index: index.filter(|index| *index != "\"\""),
            id: scalar(id)?,
            name: text(name)?,
            arguments: arguments_of(arguments)?,
            state,
        })
    }
}

/// The counts, where there are any: an object without them counts nothing.
fn usage_of(written: &str) -> Option<Usage> {
    usage_under(written, ["prompt_tokens", "completion_tokens", "prompt_tokens_details", "completion_tokens_details"])
}
