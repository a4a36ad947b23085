//! Call ids that stay unique over a whole conversation, whatever a provider does with its own.

use std::collections::{BTreeMap, BTreeSet};

use crate::protocol::event::ProviderFormat;
use crate::protocol::message::{ContentBlock, Message};
use crate::turn::state::Calls;

/// Which ids are taken, and what the current message's ids became.
#[derive(Debug, Default)]
pub(super) struct CallIds {
    turn_number: u64,
    earlier_turns: BTreeSet<String>,
    this_turn: BTreeSet<String>,
    /// The provider's id → ours, for the message that is being received.
    this_message: BTreeMap<String, String>,
    given: u32,
}

impl CallIds {
    pub(super) fn of_history(messages: &[Message]) -> CallIds {
        let blocks = messages.iter().flat_map(|message| &message.content);
        let used = blocks.filter_map(|block| match block {
            ContentBlock::ToolCall { id, .. } => Some(id.clone()),
            _ => None,
        });
        CallIds { earlier_turns: used.collect(), ..CallIds::default() }
    }

    pub(super) fn next_turn(&mut self, turn_number: u64, calls: &Calls) {
        self.turn_number = turn_number;
        self.earlier_turns.extend(calls.iter().map(|call| call.id.as_str().to_owned()));
        self.earlier_turns.append(&mut self.this_turn);
        self.next_message();
    }

    /// Takes up a turn where it was left: its own ids are not those of an earlier turn.
    pub(super) fn of_turn(turn_number: u64, before: &[Message], calls: &Calls) -> CallIds {
        let this_turn = calls.iter().map(|call| call.id.as_str().to_owned()).collect();
        CallIds { turn_number, this_turn, ..CallIds::of_history(before) }
    }

    pub(super) fn next_message(&mut self) {
        self.this_message.clear();
        self.given = 0;
    }

    /// Our id for a call of the current message. The same provider id twice in one message stays the same id (the
    /// reducer refuses it); an id of an earlier turn, or a weak one of an earlier message, becomes a fresh one.
    pub(super) fn resolve(&mut self, provider_id: &str, format: Option<ProviderFormat>, iteration: u32) -> String {
        if provider_id.is_empty() {
            // no id is not one id: every call without one is a call of its own
            let ours = self.fresh(iteration);
            self.this_turn.insert(ours.clone());
            return ours;
        }
        if let Some(ours) = self.this_message.get(provider_id) {
            return ours.clone();
        }
        // servers of these formats count from zero in every message, or send none at all
        let weak = matches!(format, Some(ProviderFormat::OpenaiChat | ProviderFormat::Gemini));
        let taken = self.earlier_turns.contains(provider_id) || (weak && self.this_turn.contains(provider_id));
        let ours = if taken || is_nobodys(provider_id) { self.fresh(iteration) } else { provider_id.to_owned() };
        self.this_turn.insert(ours.clone());
        self.this_message.insert(provider_id.to_owned(), ours.clone());
        ours
    }

    fn fresh(&mut self, iteration: u32) -> String {
        loop {
            self.given = self.given.saturating_add(1);
            let id = format!("c{}_{iteration}_{}", self.turn_number, self.given);
            if !self.earlier_turns.contains(&id) && !self.this_turn.contains(&id) {
                return id;
            }
        }
    }
}

/// Whether the id is the decoder's own stand-in for a call that came without one.
fn is_nobodys(id: &str) -> bool {
    id.is_empty() || id.strip_prefix("call-").is_some_and(|count| !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit()))
}
