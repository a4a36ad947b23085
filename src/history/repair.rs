//! Makes a history that a provider takes out of one that it would refuse.
//!
//! What was left open gets an error result in the message after its call; results without a call, second results and
//! second uses of an id go. Nothing is run, nothing is guessed, and a history without faults comes back as it was.

use std::collections::BTreeMap;

use crate::protocol::message::{ContentBlock, Message, PairingViolation, Role};

use serde::Serialize;

use super::pairing::Pairing;

/// What a model reads where no result was kept: it must not take silence for success.
pub const NO_RESULT: &str = "No result was recorded for this call. Do not assume that it ran.";

/// A history in which calls and results pair.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[must_use]
pub struct Repaired {
    /// The history.
    pub messages: Vec<Message>,
    /// What was wrong before; the places are those of the history that was given.
    pub repairs: Vec<PairingViolation>,
}

/// Answers what was left open and drops what has no place. Doing it twice changes nothing more.
pub fn repair_history(messages: &[Message]) -> Repaired {
    let pairing = Pairing::of(messages);
    if pairing.violations.is_empty() {
        return Repaired { messages: messages.to_vec(), repairs: Vec::new() };
    }
    let mut misfits = pairing.misfits.iter().copied().peekable();
    let mut repaired: Vec<Message> = Vec::with_capacity(messages.len() + pairing.unanswered.len());
    let mut unanswered_of = pairing.unanswered.iter().peekable();
    // the calls of the message just passed, where some of them wait for an answer
    let mut due: Option<Due<'_>> = None;
    for (at, message) in messages.iter().enumerate() {
        let mut content = Vec::with_capacity(message.content.len());
        for (block_at, block) in message.content.iter().enumerate() {
            if misfits.next_if_eq(&(at, block_at)).is_none() {
                content.push(block.clone());
            }
        }
        if let Some(due) = due.take() {
            if message.role == Role::User {
                content = due.answer(content);
            } else {
                repaired.push(Message { role: Role::User, content: due.answer(Vec::new()) });
            }
        }
        due = unanswered_of.next_if(|(message, _)| *message == at).map(|(_, open)| Due { calls: call_order(message), open });
        if !content.is_empty() || message.content.is_empty() {
            repaired.push(Message { role: message.role, content });
        }
    }
    if let Some(due) = due {
        repaired.push(Message { role: Role::User, content: due.answer(Vec::new()) });
    }
    Repaired { messages: repaired, repairs: pairing.violations }
}

/// Calls that wait for an answer in the next message.
struct Due<'m> {
    /// Every call of their message and its place.
    calls: BTreeMap<&'m str, usize>,
    open: &'m [&'m str],
}

impl Due<'_> {
    /// The content with the missing results in it: results of these calls first and in call order.
    fn answer(self, mut content: Vec<ContentBlock>) -> Vec<ContentBlock> {
        for id in self.open {
            content.push(unanswered(id));
        }
        let mut results: Vec<Option<ContentBlock>> = Vec::new();
        results.resize_with(self.calls.len(), || None);
        let mut others = Vec::new();
        for block in content {
            let place = match &block {
                ContentBlock::ToolResult { tool_call_id, .. } => self.calls.get(tool_call_id.as_str()),
                _ => None,
            };
            match place.and_then(|place| results.get_mut(*place)) {
                Some(slot) => *slot = Some(block),
                None => others.push(block),
            }
        }
        let mut answered = Vec::with_capacity(results.len());
        for slot in &mut results {
            if let Some(result) = slot.take() {
                answered.push(result);
            }
        }
        answered.append(&mut others);
        answered
    }
}

/// The place of every call among the calls of its message; of two with one id the first.
fn call_order(message: &Message) -> BTreeMap<&str, usize> {
    let mut places = BTreeMap::new();
    for block in &message.content {
        if let ContentBlock::ToolCall { id, .. } = block {
            let place = places.len();
            places.entry(id.as_str()).or_insert(place);
        }
    }
    places
}

fn unanswered(id: &str) -> ContentBlock {
    ContentBlock::ToolResult { tool_call_id: id.to_owned(), content: NO_RESULT.to_owned(), is_error: Some(true) }
}
