//! Gathers what one call caused: changes of the turn become updates, in order; text in a row becomes one.

use serde::Serialize;

use crate::protocol::effect::Effect;
use crate::protocol::ids::{CallId, EffectId};
use crate::protocol::update::{RefusalReason, Update};
use crate::turn::reduce::Change;
use crate::turn::state::TurnState;

/// Everything one call caused.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
#[must_use]
pub struct Outcome {
    /// What to show, in order.
    pub updates: Vec<Update>,
    /// What to do; each is answered by its id.
    pub effects: Vec<Effect>,
    /// When to come back with a `tick`, epoch milliseconds.
    pub next_deadline_ms: Option<u64>,
}

/// What one chunk caused; text alone comes without a list around it.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum Fed {
    /// Nothing.
    Nothing,
    /// Text was added to one message, and nothing else happened: `fed_text` gives it until bytes come again.
    Text,
    /// Anything else.
    Outcome(Outcome),
}

#[derive(Default)]
pub(super) struct Collector {
    updates: Vec<Update>,
    effects: Vec<Effect>,
    text: String,
    text_index: u32,
    /// Text that was told of without a list: kept until the next, and its memory used again.
    fed: String,
}

impl Collector {
    pub(super) fn effect(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// Stops a preview; one that nobody was told of yet is not begun at all.
    pub(super) fn stop(&mut self, preview: EffectId) {
        let untold = self.effects.iter().position(|effect| matches!(effect, Effect::Preview { id, .. } if *id == preview));
        match untold {
            Some(place) => drop(self.effects.remove(place)),
            None => self.effect(Effect::Abort { ids: vec![preview] }),
        }
    }

    pub(super) fn update(&mut self, update: Update) {
        self.flush_text();
        self.updates.push(update);
    }

    pub(super) fn text(&mut self, message_index: u32, delta: &str) {
        if message_index != self.text_index {
            self.flush_text();
            self.text_index = message_index;
        }
        self.text.push_str(delta);
    }

    pub(super) fn reasoning(&mut self, text: &str) {
        self.flush_text();
        if let Some(Update::Reasoning { delta }) = self.updates.last_mut() {
            return delta.push_str(text);
        }
        self.updates.push(Update::Reasoning { delta: text.to_owned() });
    }

    pub(super) fn refuse(&mut self, input: &str, call_id: Option<CallId>, reason: RefusalReason) {
        self.update(Update::Refused { input: input.to_owned(), call_id, reason, detail: None });
    }

    pub(super) fn refuse_with(&mut self, input: &str, reason: RefusalReason, detail: impl Into<String>) {
        self.update(Update::Refused { input: input.to_owned(), call_id: None, reason, detail: Some(detail.into()) });
    }

    pub(super) fn change(&mut self, change: Change, input: &str, state: &TurnState) {
        let update = match change {
            Change::Text(delta) => return self.text(last_message(state), &delta),
            Change::Reasoning(text) => return self.reasoning(&text),
            Change::Phase => Update::Phase { phase: state.phase, iteration: state.iteration },
            Change::Call(place) => match state.calls.at(place) {
                Some(call) => Update::Call { call: Box::new(call.clone()) },
                None => return,
            },
            // for the log; the call itself is told beside it
            Change::Renewed(_) => return,
            Change::Usage => Update::Usage {
                input_tokens: state.budget.input_tokens,
                output_tokens: state.budget.output_tokens,
                cost_micros: state.budget.cost_micros,
            },
            Change::Violation(entry) => Update::Violation { violation: entry.violation, call_id: entry.call_id, detail: entry.detail },
            Change::Notice(message) => Update::Notice { message },
            Change::Refused { call_id, reason, detail } => Update::Refused { input: input.to_owned(), call_id, reason, detail },
            Change::Settled => match state.outcome {
                Some(outcome) => Update::Settled { outcome, notice: state.notice.clone(), error: state.error.clone() },
                None => return,
            },
        };
        self.update(update);
    }

    pub(super) fn take(&mut self, next_deadline_ms: Option<u64>) -> Outcome {
        self.flush_text();
        Outcome { updates: std::mem::take(&mut self.updates), effects: std::mem::take(&mut self.effects), next_deadline_ms }
    }

    /// Whether nothing but text was gathered.
    pub(super) fn is_plain(&self) -> bool {
        self.updates.is_empty() && self.effects.is_empty()
    }

    /// The same for a chunk that brought nothing else.
    pub(super) fn take_text(&mut self) -> Fed {
        if self.text.is_empty() {
            return Fed::Nothing;
        }
        std::mem::swap(&mut self.text, &mut self.fed);
        self.text.clear();
        Fed::Text
    }

    pub(super) fn fed_text(&self) -> (u32, &str) {
        (self.text_index, &self.fed)
    }

    fn flush_text(&mut self) {
        if !self.text.is_empty() {
            let delta = std::mem::take(&mut self.text);
            self.updates.push(Update::Text { message_index: self.text_index, delta });
        }
    }
}

/// Where the message that is being received stands.
pub(super) fn last_message(state: &TurnState) -> u32 {
    u32::try_from(state.messages.len().saturating_sub(1)).unwrap_or(u32::MAX)
}
