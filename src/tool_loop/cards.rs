//! What cards say: a core tool tells what its call would do to the document as it is, and a call that destroys something
//! runs only while that is what it would do.

use crate::protocol::call::{CallRecord, CallStatus};
use crate::protocol::command::TurnCommand;
use crate::protocol::ids::CallId;
use crate::tools::core_tool::Card;
use crate::tools::summary::bounded_line;

use super::ToolLoop;

impl ToolLoop {
    /// Brings the cards of the calls that wait up to the document as it is.
    pub(super) fn describe_cards(&mut self) {
        let Some(store) = &self.store else { return };
        let waiting = self.state.current_calls().filter(|call| call.status == CallStatus::Pending);
        let now = (store.revision(), self.state.iteration, waiting.count());
        if std::mem::replace(&mut self.described, now) == now {
            return;
        }
        let waiting: Vec<CallId> =
            self.state.current_calls().filter(|call| call.status == CallStatus::Pending).map(|call| call.id.clone()).collect();
        for call_id in waiting {
            let Some(call) = self.state.calls.find(&call_id) else { continue };
            if let Some(card) = self.card(call).filter(|card| card.line != call.summary) {
                self.reduce(TurnCommand::DescribeCall { call_id, summary: card.line }.into(), "describeCall");
            }
        }
    }

    /// Whether a call would destroy something else than its card says, so that it goes back to the person. What others
    /// were approved on this document is shown again with it: an approval names the card that was on screen.
    pub(super) fn asks_again(&mut self, call_id: &CallId) -> bool {
        let Some(call) = self.state.calls.find(call_id).filter(|call| call.destructive) else { return false };
        let Some(card) = self.card(call).filter(|card| !card.refused && card.line != call.summary) else { return false };
        let Some(revision) = self.store.as_ref().map(|store| store.revision()) else { return false };
        if revision != self.foreign_revision {
            self.foreign_revision = revision;
            self.reduce(TurnCommand::DocumentEdited { document_revision: revision }.into(), "documentEdited");
        }
        self.reduce(TurnCommand::DescribeCall { call_id: call_id.clone(), summary: card.line }.into(), "describeCall");
        true
    }

    fn card(&self, call: &CallRecord) -> Option<Card> {
        let (store, core) = (self.store.as_ref()?, self.tools.find(&call.tool_name)?.core()?);
        let card = store.card(&**core, &call.input)?;
        Some(Card { line: bounded_line(&card.line), ..card })
    }
}
