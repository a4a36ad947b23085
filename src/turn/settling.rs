//! How turns end: every call gets its end state, every opened call its one answer, and after that nothing moves
//! but the flip of an undone turn.

use crate::protocol::call::{Bound, CallErrorCode, CallStatus, DenialReason, TurnOutcome, TurnPhase, TurnViolation};
use crate::protocol::command::{TurnCommand, TurnInput};
use crate::protocol::error::ProtocolError;
use crate::protocol::fields::LARGEST_WHOLE;
use crate::protocol::message::{ContentBlock, Message, Role};
use crate::protocol::update::RefusalReason;
use crate::tools::registry::ToolRegistry;

use super::limits::TurnLimits;
use super::reduce::{Change, Changes};
use super::state::{TurnState, count};
use super::streaming::bounded_outcome;
use super::{approval, executing, outcome, preview, words};

/// Why a turn ends.
pub(super) enum Ending {
    Completed,
    Cancelled,
    Superseded,
    Bounded(Bound),
    Failed(ProtocolError),
}

/// Stop, now. What arrived is kept; what runs is cut off; what waits is not run.
pub(super) fn cancel(state: &mut TurnState, now_ms: Option<u64>, changes: &mut Changes) {
    state.clock_ms = state.time(now_ms);
    settle(state, Ending::Cancelled, changes);
}

/// The person wrote a new message instead of deciding.
pub(super) fn supersede(state: &mut TurnState, now_ms: u64, changes: &mut Changes) {
    state.clock_ms = state.time(Some(now_ms));
    settle(state, Ending::Superseded, changes);
}

/// Time passed: the deadline, cards nobody decided, calls that take too long.
pub(super) fn tick(state: &mut TurnState, now_ms: u64, tools: &ToolRegistry, changes: &mut Changes) {
    let now = state.time(Some(now_ms));
    state.clock_ms = now;
    if state.phase != TurnPhase::AwaitingApproval && state.budget.worked_ms(now) >= state.limits.turn_deadline_ms {
        return settle(state, Ending::Bounded(Bound::Deadline), changes);
    }
    for place in state.calls.places(&|call| call.status == CallStatus::Running) {
        let Some(call) = state.calls.at_mut(place) else { continue };
        if executing::call_deadline(call.started_at_ms, tools.find(&call.tool_name)).is_some_and(|deadline| now >= deadline) {
            cut_off(call, true);
            let carries = preview::carries(call);
            changes.push(Change::Call(place));
            if carries {
                preview::hold_after(state, place, tools, changes);
            }
        }
    }
    if state.phase == TurnPhase::AwaitingApproval {
        approval::expire_cards(state, tools, changes);
    }
    if matches!(state.phase, TurnPhase::AwaitingApproval | TurnPhase::Executing) {
        approval::settle_phase(state, changes);
    }
}

/// The turn was laid down and is taken up again: the time in between is free, and cards get their full time anew.
pub(super) fn resume(state: &mut TurnState, now_ms: u64, changes: &mut Changes) {
    let now = state.time(Some(now_ms));
    if state.phase != TurnPhase::AwaitingApproval {
        state.budget.paused_ms = state.budget.paused_ms.saturating_add(now.saturating_sub(state.clock_ms)).min(LARGEST_WHOLE);
    }
    state.clock_ms = now;
    approval::renew_cards(state, changes);
    // a call that was started when the turn was taken up has run for no time yet
    for place in state.calls.places(&|call| call.status == CallStatus::Running) {
        if let Some(call) = state.calls.at_mut(place) {
            call.started_at_ms = Some(now);
        }
        changes.push(Change::Call(place));
    }
}

/// The next moment at which `tick` would do something.
#[must_use]
pub fn next_deadline_ms(state: &TurnState, tools: &ToolRegistry) -> Option<u64> {
    if !state.is_live() {
        return None;
    }
    let TurnLimits { turn_deadline_ms, .. } = state.limits;
    let mut next = (state.phase != TurnPhase::AwaitingApproval)
        .then(|| state.budget.started_at_ms.saturating_add(state.budget.paused_ms).saturating_add(turn_deadline_ms));
    for call in &state.calls {
        let deadline = match call.status {
            CallStatus::Pending => call.expires_at_ms,
            CallStatus::Running => executing::call_deadline(call.started_at_ms, tools.find(&call.tool_name)),
            _ => None,
        };
        if let Some(deadline) = deadline {
            next = Some(next.map_or(deadline, |next| next.min(deadline)));
        }
    }
    next.map(|deadline| deadline.min(LARGEST_WHOLE))
}

fn cut_off(call: &mut crate::protocol::call::CallRecord, timed_out: bool) {
    if call.external {
        // it may have taken effect out there: nobody knows
        return outcome::unknown(call);
    }
    let (code, result) =
        if timed_out { (CallErrorCode::Timeout, words::TIMED_OUT) } else { (CallErrorCode::Cancelled, words::INTERRUPTED) };
    outcome::failed(call, code, result);
}

/// Ends the turn.
pub(super) fn settle(state: &mut TurnState, ending: Ending, changes: &mut Changes) {
    approval::resume_clock(state);
    let timed_out = matches!(ending, Ending::Bounded(Bound::Deadline));
    let (reason, code) = match &ending {
        Ending::Superseded => (DenialReason::Superseded, CallErrorCode::Denied),
        Ending::Bounded(_) => (DenialReason::LimitExceeded, CallErrorCode::BudgetExhausted),
        Ending::Completed | Ending::Cancelled | Ending::Failed(_) => (DenialReason::TurnCancelled, CallErrorCode::Cancelled),
    };
    for place in state.calls.places(&|call| !call.status.is_final()) {
        if let Some(call) = state.calls.at_mut(place) {
            if call.status == CallStatus::Running {
                cut_off(call, timed_out);
            } else {
                outcome::denied(call, reason, code, words::denied(reason));
            }
        }
        changes.push(Change::Call(place));
    }
    // an assistant message without content is refused by providers, and every later turn with it
    if state.messages.last().is_some_and(|message| message.role == Role::Assistant && message.content.is_empty()) {
        state.messages.pop();
    }
    answer_calls(state);
    state.outcome = Some(match ending {
        Ending::Completed => TurnOutcome::Completed,
        Ending::Cancelled | Ending::Superseded => TurnOutcome::Cancelled,
        Ending::Bounded(bound) => {
            let (outcome, notice) = bounded_outcome(bound, state);
            state.bound = Some(bound);
            state.notice = Some(notice);
            outcome
        }
        Ending::Failed(error) => {
            state.error = Some(error);
            TurnOutcome::Failed
        }
    });
    state.phase = TurnPhase::Settled;
    changes.push(Change::Phase);
    changes.push(Change::Settled);
}

/// Answers every call that has no answer yet, in call order, in one user message.
pub(super) fn answer_calls(state: &mut TurnState) {
    let answered = usize::try_from(state.answered_calls).unwrap_or(usize::MAX);
    let mut results = Vec::new();
    for call in state.calls.iter().skip(answered) {
        results.push(ContentBlock::ToolResult {
            tool_call_id: call.id.as_str().to_owned(),
            content: outcome::answer(call),
            is_error: call.is_error.then_some(true),
        });
    }
    state.answered_calls = count(state.calls.len());
    if !results.is_empty() {
        state.messages.push(Message { role: Role::User, content: results });
    }
}

/// After the end only the flip of an undone or redone turn acts; everything else is recorded and dropped.
pub(super) fn after(state: &mut TurnState, input: TurnInput, changes: &mut Changes) {
    let (from, to, steps) = match input {
        TurnInput::Command(TurnCommand::UndoTurn { steps }) => (CallStatus::Succeeded, CallStatus::Undone, steps),
        TurnInput::Command(TurnCommand::RedoTurn { steps }) => (CallStatus::Undone, CallStatus::Succeeded, steps),
        _ => {
            changes.violation(state, TurnViolation::PostSettlementEvent, None);
            return changes.refuse(None, RefusalReason::Settled);
        }
    };
    let in_steps = |step: Option<u64>| steps.as_ref().is_none_or(|steps| step.is_some_and(|step| steps.contains(&step)));
    let places = state.calls.places(&|call| call.status == from && call.committed && in_steps(call.history_step));
    if places.is_empty() {
        return changes.refuse_with(None, RefusalReason::WrongPhase, "this turn has nothing to take back");
    }
    for place in places {
        if let Some(call) = state.calls.at_mut(place) {
            call.status = to;
        }
        changes.push(Change::Call(place));
    }
}
