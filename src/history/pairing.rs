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
    pub(super) unanswered: Vec<(usize, Vec<&'m str>)>,
}

/// What is known of one call id.
struct Opened<'m> {
    id: &'m str,
    place: (usize, usize),
    answered: bool,
}

impl<'m> Pairing<'m> {
    pub(super) fn of(messages: &'m [Message]) -> Pairing<'m> {
        // every call in the order of its block, and where in this list an id stands
        let mut calls: Vec<Opened<'_>> = Vec::new();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        let mut found = Vec::new();
        let mut misfits = Vec::new();
        for (at, message) in messages.iter().enumerate() {
            for (block_at, block) in message.content.iter().enumerate() {
                let (id, wrong) = match block {
                    // nobody answers a call that stands in a user message
                    ContentBlock::ToolCall { id, .. } if message.role == Role::User => (id, Some(PairingViolationKind::UnansweredToolCall)),
                    ContentBlock::ToolCall { id, .. } if places.contains_key(id.as_str()) => {
                        (id, Some(PairingViolationKind::DuplicateToolCallId))
                    }
                    ContentBlock::ToolCall { id, .. } => {
                        places.insert(id, calls.len());
                        calls.push(Opened { id, place: (at, block_at), answered: false });
                        (id, None)
                    }
                    ContentBlock::ToolResult { tool_call_id: id, .. } => {
                        match places.get(id.as_str()).and_then(|place| calls.get_mut(*place)) {
                            Some(call) if message.role == Role::User && !call.answered => {
                                call.answered = true;
                                (id, None)
                            }
                            _ => (id, Some(PairingViolationKind::OrphanToolResult)),
                        }
                    }
                    ContentBlock::Text { .. } | ContentBlock::ProviderState { .. } => continue,
                };
                if let Some(kind) = wrong {
                    found.push(((at, block_at), kind, id.as_str()));
                    misfits.push((at, block_at));
                }
            }
        }
        let mut violations = Vec::new();
        let mut unanswered: Vec<(usize, Vec<&str>)> = Vec::new();
        // both lists are in the order of their blocks: what comes first is told first
        let mut found = found.as_slice();
        for Opened { id, place, answered } in calls {
            if answered {
                continue;
            }
            while let [(at, kind, id), after @ ..] = found
                && *at < place
            {
                violations.push(violation(*kind, id, at.0));
                found = after;
            }
            violations.push(violation(PairingViolationKind::UnansweredToolCall, id, place.0));
            match unanswered.last_mut().filter(|(message, _)| *message == place.0) {
                Some((_, ids)) => ids.push(id),
                None => unanswered.push((place.0, vec![id])),
            }
        }
        for (at, kind, id) in found {
            violations.push(violation(*kind, id, at.0));
        }
        Pairing { violations, misfits, unanswered }
    }
}

fn violation(kind: PairingViolationKind, id: &str, at: usize) -> PairingViolation {
    PairingViolation { kind, tool_call_id: id.to_owned(), message_index: u32::try_from(at).unwrap_or(u32::MAX) }
}
