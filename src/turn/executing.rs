//! Executing: approved calls start one after the other, give their outcomes, and are answered together.

use crate::protocol::call::{Bound, CallProgress, CallStatus, TurnViolation};
use crate::protocol::command::ToolOutcome;
use crate::protocol::ids::CallId;
use crate::protocol::text::{cap, visible};
use crate::protocol::update::RefusalReason;
use crate::tools::registry::{Tool, ToolRegistry};

use super::authorization::{authorize_start, consume_grant, open_grant};
use super::limits::may_not_iterate;
use super::outcome::{checked, settle_call};
use super::reduce::{Change, Changes};
use super::settling::{self, Ending};
use super::state::TurnState;
use super::streaming::open_request;
use super::{approval, preview};

/// The longest progress label kept, in code points.
const LABEL_CODE_POINTS: usize = 200;

/// Lets a call run if, and only if, `authorize_start` says so.
pub(super) fn start(
    state: &mut TurnState,
    call_id: &CallId,
    now_ms: u64,
    document_revision: u64,
    tools: &ToolRegistry,
    changes: &mut Changes,
) {
    let Some(place) = state.calls.place(call_id) else {
        changes.violation(state, TurnViolation::NoGrant, Some(call_id.clone()));
        return changes.refuse(Some(call_id.clone()), RefusalReason::UnknownCall);
    };
    if let Err(violation) = authorize_start(state, call_id, now_ms, document_revision, tools) {
        changes.violation(state, violation, Some(call_id.clone()));
        // a call that runs, or is done, has nothing to be shown again for
        let is_approved = state.calls.at(place).is_some_and(|call| call.status == CallStatus::Approved);
        if is_approved && matches!(violation, TurnViolation::GrantExpired | TurnViolation::StaleDocument) {
            state.clock_ms = state.time(Some(now_ms));
            state.document_revision = document_revision;
            let holds_effect = open_grant(state, call_id).is_some_and(|grant| grant.effect_digest.is_some());
            match violation == TurnViolation::StaleDocument && holds_effect {
                true => preview::hold_shown(state, place, tools, changes),
                false => approval::ask_again(state, place, changes),
            }
            approval::settle_phase(state, changes);
        }
        return changes.refuse(Some(call_id.clone()), RefusalReason::WrongPhase);
    }
    if !may_run_beside(state, place, tools) {
        return changes.refuse_with(Some(call_id.clone()), RefusalReason::WrongPhase, "another call is running");
    }
    let now = state.time(Some(now_ms));
    state.clock_ms = now;
    consume_grant(state, call_id);
    if let Some(call) = state.calls.at_mut(place) {
        call.status = CallStatus::Running;
        call.started_at_ms = Some(now);
    }
    changes.push(Change::Call(place));
}

/// Only calls that are declared safe for it, or that read, run beside others; never more than the limit.
fn may_run_beside(state: &TurnState, place: usize, tools: &ToolRegistry) -> bool {
    let running = state.calls.running();
    if running == 0 {
        return true;
    }
    let shares = |name: &str| tools.find(name).is_some_and(|tool| tool.declaration().parallel_safe || tool.declaration().runs_unasked());
    let all_share = state.calls.iter().filter(|call| call.status == CallStatus::Running).all(|call| shares(&call.tool_name));
    u64::try_from(running).unwrap_or(u64::MAX) < state.limits.max_concurrent_calls
        && all_share
        && state.calls.at(place).is_some_and(|call| shares(&call.tool_name))
}

/// What a call came to, and where its change is kept.
pub(super) struct Settled {
    pub(super) outcome: ToolOutcome,
    pub(super) history_step: Option<u64>,
}

/// The outcome of a running call; a result for anything else is recorded and dropped.
pub(super) fn call_settled(
    state: &mut TurnState,
    call_id: CallId,
    settled: Settled,
    now_ms: Option<u64>,
    tools: &ToolRegistry,
    changes: &mut Changes,
) {
    let running = state.calls.find(&call_id).filter(|call| call.status == CallStatus::Running).map(|call| call.tool_name.clone());
    let (Some(name), Some(place)) = (running, state.calls.place(&call_id)) else {
        changes.violation(state, TurnViolation::UnmatchedResult, Some(call_id.clone()));
        let reason = if state.calls.find(&call_id).is_some() { RefusalReason::WrongPhase } else { RefusalReason::UnknownCall };
        return changes.refuse(Some(call_id), reason);
    };
    state.clock_ms = state.time(now_ms);
    let tool = tools.find(&name);
    let outcome = match tool {
        Some(tool) => checked(settled.outcome, tool),
        None => settled.outcome,
    };
    let limits = state.limits.clone();
    let (mut succeeded, mut as_shown) = (false, true);
    if let Some(call) = state.calls.at_mut(place) {
        settle_call(call, outcome, tool, &limits);
        succeeded = call.status == CallStatus::Succeeded;
        as_shown = preview::ended_as_shown(call);
        call.history_step = settled.history_step.filter(|_| call.committed);
    }
    changes.push(Change::Call(place));
    if succeeded && tool.is_some_and(|tool| tool.declaration().terminal) {
        return settling::settle(state, Ending::Completed, changes);
    }
    if !as_shown {
        preview::hold_after(state, place, tools, changes);
        approval::settle_phase(state, changes);
    }
}

/// How far a running call is: shown, never told to the model.
pub(super) fn progress(state: &mut TurnState, call_id: CallId, label: &str, fraction: Option<f64>, changes: &mut Changes) {
    let Some(place) = state.calls.place(&call_id) else {
        return changes.refuse(Some(call_id), RefusalReason::UnknownCall);
    };
    let Some(call) = state.calls.at_mut(place).filter(|call| call.status == CallStatus::Running) else {
        return changes.refuse(Some(call_id), RefusalReason::WrongPhase);
    };
    let reached = call.progress.as_ref().and_then(|progress| progress.fraction);
    let fraction = fraction.map(|fraction| fraction.clamp(0.0, 1.0).max(reached.unwrap_or(0.0))).or(reached);
    call.progress = Some(CallProgress { label: cap(&visible(label), LABEL_CODE_POINTS), fraction });
    changes.push(Change::Call(place));
}

/// Every call of the message is done: answer them and go on, or say which bound ends the turn.
pub(super) fn advance(state: &mut TurnState, now_ms: u64, changes: &mut Changes) {
    if state.current_calls().any(|call| !call.status.is_final()) {
        return changes.refuse_with(None, RefusalReason::WrongPhase, "a call of this message is not done");
    }
    let now = state.time(Some(now_ms));
    state.clock_ms = now;
    if let Some(bound) = may_not_iterate(&state.budget, &state.limits, now) {
        return settling::settle(state, Ending::Bounded(bound), changes);
    }
    // the answers and the message they will get must both fit
    if !state.has_room_for(2) {
        return settling::settle(state, Ending::Bounded(Bound::Messages), changes);
    }
    settling::answer_calls(state);
    open_request(state, changes);
}

/// The next call that could start, in call order; the loop asks for it.
#[must_use]
pub fn next_to_start<'a>(state: &'a TurnState, tools: &ToolRegistry) -> Option<&'a CallId> {
    let place = state.calls.iter().position(|call| call.iteration == state.iteration && call.status == CallStatus::Approved)?;
    if may_run_beside(state, place, tools) { state.calls.at(place).map(|call| &call.id) } else { None }
}

/// When a running call has had its time.
pub(super) fn call_deadline(started_at_ms: Option<u64>, tool: Option<&Tool>) -> Option<u64> {
    Some(started_at_ms?.saturating_add(tool?.declaration().timeout_ms))
}
