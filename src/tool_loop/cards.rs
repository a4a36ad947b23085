//! What cards say: core tools tell what their calls would do to the document, each after those before it, and a call that
//! destroys something runs only while that is what it would do.

use crate::document::rehearsal::{Act, Step};
use crate::document::store::DocumentStore;
use crate::protocol::call::{CallRecord, CallStatus, ToolEffect};
use crate::protocol::command::TurnCommand;
use crate::protocol::ids::CallId;
use crate::protocol::json::Json;
use crate::protocol::preview::Preview;
use crate::tools::core_tool::CoreTool;

use super::ToolLoop;

/// For which calls on which document the cards were told.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Described {
    revision: u64,
    iteration: u32,
    calls: usize,
    edited: usize,
}

impl ToolLoop {
    /// Brings the cards of the message up to the document as it is. A call that was approved and would destroy something else
    /// goes back to the person.
    pub(super) fn describe_cards(&mut self) {
        let Some(store) = &self.store else { return };
        let open = |call: &&CallRecord| matches!(call.status, CallStatus::Pending | CallStatus::Approved);
        let now = Described {
            revision: store.revision(),
            iteration: self.state.iteration,
            calls: self.state.current_calls().filter(open).count(),
            edited: self.state.current_calls().filter(|call| call.edited).count(),
        };
        if std::mem::replace(&mut self.described, now) == now {
            return;
        }
        let (mut calls, mut known): (Vec<(&dyn CoreTool, &Json)>, Vec<&CallRecord>) = (Vec::new(), Vec::new());
        for call in self.state.current_calls().filter(open).filter(|call| call.effect == ToolEffect::Mutate) {
            if let Some(core) = self.tools.find(&call.tool_name).and_then(|tool| tool.core()) {
                calls.push((&**core, &call.input));
                known.push(call);
            }
        }
        let (mut changed, mut effects) = (Vec::new(), Vec::new());
        for (call, card) in known.into_iter().zip(told(store, &calls)) {
            let Some(card) = card else { continue };
            let is_approved = call.status == CallStatus::Approved;
            let is_same = card.line == call.summary && !(is_approved && self.is_another(&call.id, &card));
            if !is_same && (!is_approved || call.destructive) {
                changed.push((call.id.clone(), card.line));
            }
            effects.push((call.id.clone(), card.effect));
        }
        self.effects = effects;
        for (call_id, summary) in changed {
            self.reduce(TurnCommand::DescribeCall { call_id, summary }.into(), "describeCall");
        }
    }

    /// Whether a call would destroy something else than its card says, so that it goes back to the person. What others
    /// were approved on this document is shown again with it: an approval names the card that was on screen.
    pub(super) fn asks_again(&mut self, call_id: &CallId) -> bool {
        let Some(call) = self.state.calls.find(call_id).filter(|call| call.destructive) else { return false };
        let (Some(store), Some(core)) = (&self.store, self.tools.find(&call.tool_name).and_then(|tool| tool.core())) else { return false };
        let card = told(store, &[(&**core, &call.input)]).pop().flatten();
        let Some(card) = card.filter(|card| !card.refused && (card.line != call.summary || self.is_another(call_id, card))) else {
            return false;
        };
        let revision = store.revision();
        if revision != self.foreign_revision {
            self.foreign_revision = revision;
            self.reduce(TurnCommand::DocumentEdited { document_revision: revision }.into(), "documentEdited");
        }
        self.effects.retain(|(known, _)| known != call_id);
        self.effects.push((call_id.clone(), card.effect));
        self.reduce(TurnCommand::DescribeCall { call_id: call_id.clone(), summary: card.line }.into(), "describeCall");
        true
    }

    /// Whether a call would do something else than when its card was told, though the line may be the same.
    fn is_another(&self, call_id: &CallId, card: &Card) -> bool {
        self.effects.iter().any(|(known, effect)| known == call_id && card.effect != *effect)
    }
}

/// What a card says.
struct Card {
    line: String,
    effect: String,
    refused: bool,
}

/// The cards as they are kept.
fn told(store: &DocumentStore, calls: &[(&dyn CoreTool, &Json)]) -> Vec<Option<Card>> {
    let steps: Vec<Step<'_>> =
        calls.iter().map(|(tool, input)| Step { act: Act::Core(*tool), input, summary: "", template: None }).collect();
    let card = |((tool, _), preview): (&(&dyn CoreTool, &Json), Option<Preview>)| {
        let preview = preview.filter(|_| tool.declaration().name.ends_with("_entity"))?;
        let refused = preview.error.is_some();
        let line = if refused { format!("{} (would be refused)", preview.title) } else { preview.title };
        Some(Card { line, effect: preview.effect_digest, refused })
    };
    calls.iter().zip(store.rehearse(&steps)).map(card).collect()
}
