//! Finds where calls and results do not pair.
//!
//! A call belongs to an assistant message, its result to a later user message; an id names one call; a call has one
//! result. A second result, or one in the wrong place, answers nothing and is an orphan.

use std::collections::BTreeMap;

use crate::protocol::message::{ContentBlock, Message, PairingViolation, PairingViolationKind, Role};

/// Everything that is wrong with the pairing of `messages`, in the order of the blocks it is about.
#[must_use]
pub fn pairing_violations(messages: &[Message]) -> Vec<PairingViolation> {
    Pairing::of(messages).violations
}

/// How the calls and results of a history pair.
pub(super) struct Pairing<'m> {
    pub(super) violations: Vec<PairingViolation>,
    /// The blocks (message, block) that have no place in the history.
    pub(super) misfits: Vec<(usize, usize)>,
    /// The calls that nothing answers, by the message that opened them, in call order.
    pub(super) unanswered: BTreeMap<usize, Vec<&'m str>>,
}

/// What is known of one call id.
struct Opened {
    message: usize,
    block: usize,
    answered: bool,
}

impl<'m> Pairing<'m> {
    pub(super) fn of(messages: &'m [Message]) -> Pairing<'m> {
        let mut calls: BTreeMap<&str, Opened> = BTreeMap::new();
        let mut found = Vec::new();
        let mut misfits = Vec::new();
        for (at, message) in messages.iter().enumerate() {
            for (block_at, block) in message.content.iter().enumerate() {
                let (id, wrong) = match block {
                    // nobody answers a call that stands in a user message
                    ContentBlock::ToolCall { id, .. } if message.role == Role::User => (id, Some(PairingViolationKind::UnansweredToolCall)),
                    ContentBlock::ToolCall { id, .. } if calls.contains_key(id.as_str()) => {
                        (id, Some(PairingViolationKind::DuplicateToolCallId))
                    }
                    ContentBlock::ToolCall { id, .. } => {
                        calls.insert(id, Opened { message: at, block: block_at, answered: false });
                        (id, None)
                    }
                    ContentBlock::ToolResult { tool_call_id: id, .. } => match calls.get_mut(id.as_str()) {
                        Some(call) if message.role == Role::User && !call.answered => {
                            call.answered = true;
                            (id, None)
                        }
                        _ => (id, Some(PairingViolationKind::OrphanToolResult)),
                    },
                    ContentBlock::Text { .. } | ContentBlock::ProviderState { .. } => continue,
                };
                if let Some(kind) = wrong {
                    found.push(((at, block_at), kind, id.as_str()));
                    misfits.push((at, block_at));
                }
            }
        }
        let mut open: Vec<_> =
            calls.iter().filter(|(_, call)| !call.answered).map(|(id, call)| ((call.message, call.block), *id)).collect();
        open.sort_unstable();
        let mut unanswered: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        for (place, id) in open {
            found.push((place, PairingViolationKind::UnansweredToolCall, id));
            unanswered.entry(place.0).or_default().push(id);
        }
        found.sort_by_key(|(place, ..)| *place);
        let violations = found.into_iter().map(|((at, _), kind, id)| violation(kind, id, at)).collect();
        Pairing { violations, misfits, unanswered }
    }
}

fn violation(kind: PairingViolationKind, id: &str, at: usize) -> PairingViolation {
    PairingViolation { kind, tool_call_id: id.to_owned(), message_index: u32::try_from(at).unwrap_or(u32::MAX) }
}
