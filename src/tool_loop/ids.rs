//! Call ids that stay unique over a whole conversation, whatever a provider does with its own.

use std::sync::Arc;

use crate::protocol::event::ProviderFormat;
use crate::protocol::message::{ContentBlock, Message};
use crate::protocol::places::KeptPlaces;
use crate::turn::state::Calls;

/// Which ids are taken, and what the current message's ids became.
#[derive(Debug, Default)]
pub(super) struct CallIds {
    turn_number: u64,
    /// Every id that was ever used, with the count of `turns` at that time.
    used: KeptPlaces,
    turns: usize,
    /// The provider's ids of the message that is being received: the places of ours in `ours`.
    this_message: KeptPlaces,
    ours: Vec<String>,
    given: u32,
}

impl CallIds {
    pub(super) fn of_history(messages: &[Message]) -> CallIds {
        let mut ids = CallIds { turns: 1, ..CallIds::default() };
        for block in messages.iter().flat_map(|message| &message.content) {
            if let ContentBlock::ToolCall { id, .. } = block {
                ids.used.insert(Arc::from(id.as_str()), 0);
            }
        }
        ids
    }

    pub(super) fn next_turn(&mut self, turn_number: u64, calls: &Calls) {
        self.turn_number = turn_number;
        for call in calls {
            self.used.entry(Arc::from(call.id.as_str())).or_insert(self.turns);
        }
        self.turns += 1;
        self.next_message();
    }

    /// Takes up a turn where it was left: its own ids are not those of an earlier turn.
    pub(super) fn of_turn(turn_number: u64, before: &[Message], calls: &Calls) -> CallIds {
        let mut ids = CallIds { turn_number, ..CallIds::of_history(before) };
        for call in calls {
            ids.used.entry(Arc::from(call.id.as_str())).or_insert(ids.turns);
        }
        ids
    }

    pub(super) fn next_message(&mut self) {
        self.this_message = KeptPlaces::new();
        self.ours.clear();
        self.given = 0;
    }

    /// Our id for a call of the current message. The same provider id twice in one message stays the same id (the
    /// reducer refuses it); an id of an earlier turn, or a weak one of an earlier message, becomes a fresh one.
    pub(super) fn resolve(&mut self, provider_id: &str, format: Option<ProviderFormat>, iteration: u32) -> String {
        if provider_id.is_empty() {
            // no id is not one id: every call without one is a call of its own
            let ours = self.fresh(iteration);
            self.used.insert(Arc::from(ours.as_str()), self.turns);
            return ours;
        }
        if let Some(ours) = self.this_message.get(provider_id).and_then(|place| self.ours.get(*place)) {
            return ours.clone();
        }
        // servers of these formats count from zero in every message, or send none at all
        let weak = matches!(format, Some(ProviderFormat::OpenaiChat | ProviderFormat::Gemini));
        let taken = self.used.get(provider_id).is_some_and(|turn| weak || *turn < self.turns);
        let ours = if taken || is_nobodys(provider_id) { self.fresh(iteration) } else { provider_id.to_owned() };
        self.used.entry(Arc::from(ours.as_str())).or_insert(self.turns);
        self.this_message.insert(Arc::from(provider_id), self.ours.len());
        self.ours.push(ours.clone());
        ours
    }

    fn fresh(&mut self, iteration: u32) -> String {
        loop {
            self.given = self.given.saturating_add(1);
            let id = format!("c{}_{iteration}_{}", self.turn_number, self.given);
            if !self.used.contains_key(id.as_str()) {
                return id;
            }
        }
    }
}

/// Whether the id is the decoder's own stand-in for a call that came without one.
fn is_nobodys(id: &str) -> bool {
    id.is_empty() || id.strip_prefix("call-").is_some_and(|count| !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit()))
}
