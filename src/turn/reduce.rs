//! The reducer: every phase × input on one screen; each phase's own file says what happens there.
//!
//! Enters: a state and one input. Leaves: the next state and what changed. Total and pure: the same state and
//! input give the same result, and an input that is refused leaves the state as it was, violations aside.

use crate::protocol::call::{TurnPhase, TurnViolation, ViolationEntry};
use crate::protocol::command::{TurnCommand, TurnInput};
use crate::protocol::error::Fault;
use crate::protocol::event::StreamEvent;
use crate::protocol::ids::CallId;
use crate::protocol::update::RefusalReason;
use crate::tools::registry::ToolRegistry;

use super::preview::{self, Previewed};
use super::state::TurnState;
use super::{approval, executing, settling, streaming, words};

/// What one input changed; the state says how it is now.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// The phase, or the iteration.
    Phase,
    /// Text was added to the last message.
    Text(String),
    /// Reasoning arrived.
    Reasoning(String),
    /// The call at this place is new or changed.
    Call(usize),
    /// The approval of the call at this place was renewed: the document changed, and what it would do is the same.
    Renewed(usize),
    /// Tokens were counted.
    Usage,
    /// A violation was recorded.
    Violation(ViolationEntry),
    /// A notice was recorded.
    Notice(String),
    /// The input, or one call it named, changed nothing.
    Refused {
        /// The call it named.
        call_id: Option<CallId>,
        /// Why.
        reason: RefusalReason,
        /// One sentence more.
        detail: Option<String>,
    },
    /// The turn is over.
    Settled,
}

/// The changes of one input, in order.
#[derive(Debug, Default)]
pub struct Changes {
    list: Vec<Change>,
}

impl Changes {
    /// No change yet.
    #[must_use]
    pub fn new() -> Changes {
        Changes::default()
    }

    /// Takes the changes out.
    pub fn take(&mut self) -> Vec<Change> {
        std::mem::take(&mut self.list)
    }

    /// Whether one of them says that the input was refused.
    #[must_use]
    pub fn refused(&self) -> bool {
        self.list.iter().any(|change| matches!(change, Change::Refused { .. }))
    }

    pub(super) fn push(&mut self, change: Change) {
        self.list.push(change);
    }

    pub(super) fn refuse(&mut self, call_id: Option<CallId>, reason: RefusalReason) {
        self.push(Change::Refused { call_id, reason, detail: None });
    }

    pub(super) fn refuse_with(&mut self, call_id: Option<CallId>, reason: RefusalReason, detail: impl Into<String>) {
        self.push(Change::Refused { call_id, reason, detail: Some(detail.into()) });
    }

    pub(super) fn violation(&mut self, state: &mut TurnState, violation: TurnViolation, call_id: Option<CallId>) {
        let entry = state.record_violation(violation, call_id, words::violation(violation).to_owned());
        self.push(Change::Violation(entry));
    }
}

/// The pure face of the reducer: plain values in and out. Refuses only a registry the turn was not begun with.
pub fn reduce_turn(mut state: TurnState, input: TurnInput, tools: &ToolRegistry) -> Result<TurnState, Fault> {
    if state.tools_digest != tools.digest() {
        return Err(Fault::new("tools_mismatch", "the turn was begun with other tools than this registry holds"));
    }
    reduce(&mut state, input, tools, &mut Changes::new());
    Ok(state)
}

/// Moves the turn on by one input. The tools must be those the turn was begun with.
pub fn reduce(state: &mut TurnState, input: TurnInput, tools: &ToolRegistry, changes: &mut Changes) {
    use TurnPhase::{AwaitingApproval, Executing, Idle, Requesting, Settled, Streaming};
    match (state.phase, input) {
        (Settled, input) => settling::after(state, input, changes),
        (Requesting | Streaming, TurnInput::Event { event, now_ms }) => streaming::event(state, event, now_ms, tools, changes),
        (AwaitingApproval | Executing, TurnInput::Event { event: StreamEvent::Aborted, now_ms }) => {
            settling::cancel(state, now_ms, changes)
        }
        (Idle | AwaitingApproval | Executing, TurnInput::Event { .. }) => changes.refuse(None, RefusalReason::WrongPhase),
        (phase, TurnInput::Command(command)) => match (phase, command) {
            (Idle, TurnCommand::Submit { text, now_ms, context }) => streaming::submit(state, text, now_ms, context, changes),
            (AwaitingApproval, TurnCommand::Submit { now_ms, .. }) => settling::supersede(state, now_ms, changes),
            (
                AwaitingApproval,
                command @ (TurnCommand::ApproveCall { .. }
                | TurnCommand::ApproveBatch { .. }
                | TurnCommand::DenyCall { .. }
                | TurnCommand::SelectTarget { .. }),
            ) => {
                approval::decide(state, command, tools, changes);
            }
            (AwaitingApproval | Executing, TurnCommand::DocumentEdited { document_revision }) => {
                approval::document_edited(state, document_revision, tools, changes)
            }
            (Requesting | Streaming, TurnCommand::DocumentEdited { document_revision }) => state.document_revision = document_revision,
            (AwaitingApproval | Executing, TurnCommand::ToolsChanged { tool_names }) => {
                approval::tools_changed(state, &tool_names, changes)
            }
            (Requesting | Streaming, TurnCommand::ToolsChanged { tool_names }) => approval::void_approved(state, &tool_names, changes),
            (AwaitingApproval | Executing, TurnCommand::Previewed { call_id, outcome, told, now_ms }) => {
                preview::previewed(state, Previewed { call_id, outcome, told, now_ms }, tools, changes);
            }
            (Executing, TurnCommand::StartCall { call_id, now_ms, document_revision }) => {
                executing::start(state, &call_id, now_ms, document_revision, tools, changes);
            }
            (AwaitingApproval | Executing, TurnCommand::CallSettled { call_id, outcome, history_step, now_ms }) => {
                executing::call_settled(state, call_id, executing::Settled { outcome, history_step }, now_ms, tools, changes);
            }
            (AwaitingApproval | Executing, TurnCommand::CallProgress { call_id, label, fraction }) => {
                executing::progress(state, call_id, &label, fraction, changes);
            }
            (Executing, TurnCommand::Advance { now_ms }) => executing::advance(state, now_ms, changes),
            (Requesting, TurnCommand::Retry { now_ms }) => streaming::retry(state, now_ms, changes),
            (Requesting | AwaitingApproval | Executing, TurnCommand::Resume { now_ms }) => settling::resume(state, now_ms, changes),
            (Requesting | Streaming | AwaitingApproval | Executing, TurnCommand::Tick { now_ms }) => {
                settling::tick(state, now_ms, tools, changes)
            }
            (Requesting | Streaming | AwaitingApproval | Executing, TurnCommand::Cancel { now_ms }) => {
                settling::cancel(state, now_ms, changes)
            }
            (_, TurnCommand::CallSettled { call_id, .. }) => {
                changes.violation(state, TurnViolation::UnmatchedResult, Some(call_id.clone()));
                changes.refuse(Some(call_id), RefusalReason::WrongPhase);
            }
            (Requesting | Streaming | Executing, TurnCommand::Submit { .. }) => changes.refuse(None, RefusalReason::TurnLive),
            (_, command) => changes.refuse(named_call(&command), RefusalReason::WrongPhase),
        },
    }
}

/// The call a command names, for the refusal.
fn named_call(command: &TurnCommand) -> Option<CallId> {
    match command {
        TurnCommand::ApproveCall { call_id, .. }
        | TurnCommand::DenyCall { call_id, .. }
        | TurnCommand::SelectTarget { call_id, .. }
        | TurnCommand::Previewed { call_id, .. }
        | TurnCommand::StartCall { call_id, .. }
        | TurnCommand::CallProgress { call_id, .. } => Some(call_id.clone()),
        _ => None,
    }
}

/// More text of the answer, borrowed: what `reduce` does with a `text_delta`, without an event made for it.
/// Says whether it was taken; in any other phase it is not.
pub fn reduce_text(state: &mut TurnState, text: &str, now_ms: Option<u64>, changes: &mut Changes) -> bool {
    if !matches!(state.phase, TurnPhase::Requesting | TurnPhase::Streaming) {
        return false;
    }
    state.clock_ms = state.time(now_ms);
    streaming::text_delta(state, text, changes)
}

/// Reasoning or a piece of an argument text arrived, borrowed: what `reduce` does with either event.
pub fn reduce_content(state: &mut TurnState, now_ms: Option<u64>, changes: &mut Changes) -> bool {
    if !matches!(state.phase, TurnPhase::Requesting | TurnPhase::Streaming) {
        return false;
    }
    state.clock_ms = state.time(now_ms);
    streaming::content_arrives(state, changes);
    true
}
