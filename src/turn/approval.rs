//! Awaiting approval: the person decides, card by card.

use crate::protocol::call::{
    ApprovalGrant, Awaiting, CallErrorCode, CallStatus, Denial, DenialReason, GrantScope, TurnPhase, TurnViolation,
};
use crate::protocol::command::TurnCommand;
use crate::protocol::fields::LARGEST_WHOLE;
use crate::protocol::ids::CallId;
use crate::protocol::json::Json;
use crate::protocol::update::RefusalReason;
use crate::tools::registry::{PrepareError, ToolRegistry};
use crate::tools::summary::bounded_line;

use super::authorization::{binds_document, declined, grant_by_person, void_grants};
use super::calls::unfit;
use super::reduce::{Change, Changes};
use super::state::TurnState;
use super::{outcome, words};

/// One decision of the person.
pub(super) fn decide(state: &mut TurnState, command: TurnCommand, tools: &ToolRegistry, changes: &mut Changes) {
    match command {
        TurnCommand::ApproveCall { call_id, edited_input, seen, now_ms, document_revision } => {
            let click = Click { scope: GrantScope::Call, now: state.time(now_ms), document_revision };
            approve(state, call_id, edited_input, seen.as_deref(), &click, tools, changes);
        }
        TurnCommand::ApproveBatch { call_ids, seen, now_ms, document_revision } => {
            if seen.as_ref().is_some_and(|seen| seen.len() != call_ids.len()) {
                return changes.refuse_with(None, RefusalReason::InvalidInput, "`seen` must name one card for each call");
            }
            let click = Click { scope: GrantScope::Batch, now: state.time(now_ms), document_revision };
            for (at, call_id) in call_ids.into_iter().enumerate() {
                let seen = seen.as_ref().and_then(|seen| seen.get(at)).map(String::as_str);
                approve(state, call_id, None, seen, &click, tools, changes);
            }
        }
        TurnCommand::DenyCall { call_id, reason, now_ms } => deny(state, call_id, reason.as_deref(), now_ms, changes),
        _ => return changes.refuse(None, RefusalReason::WrongPhase),
    }
    settle_phase(state, changes);
}

struct Click {
    scope: GrantScope,
    now: u64,
    document_revision: u64,
}

/// The place of a call that waits for the person; anything else is refused by name.
fn pending(state: &TurnState, call_id: &CallId, changes: &mut Changes) -> Option<usize> {
    let reason = match state.calls.find(call_id) {
        None => RefusalReason::UnknownCall,
        Some(call) if call.status != CallStatus::Pending => RefusalReason::NotPending,
        Some(_) => return state.calls.place(call_id),
    };
    changes.refuse(Some(call_id.clone()), reason);
    None
}

fn approve(
    state: &mut TurnState,
    call_id: CallId,
    edited: Option<Json>,
    seen: Option<&str>,
    click: &Click,
    tools: &ToolRegistry,
    changes: &mut Changes,
) {
    let Some(place) = pending(state, &call_id, changes) else { return };
    let Some(call) = state.calls.at(place) else { return };
    if click.scope == GrantScope::Batch && call.destructive {
        return changes.refuse(Some(call_id), RefusalReason::DestructiveInBatch);
    }
    if call.expires_at_ms.is_some_and(|expires| click.now >= expires) {
        // the next tick denies it; until then it is no longer there to be approved
        return changes.refuse_with(Some(call_id), RefusalReason::NotPending, words::denied(DenialReason::ApprovalExpired));
    }
    if seen.is_some_and(|seen| seen != card(&call.input_digest, click.document_revision)) {
        // what was on screen is not what would run now: nobody approved this
        changes.violation(state, TurnViolation::StaleDocument, Some(call_id.clone()));
        return changes.refuse(Some(call_id), RefusalReason::StaleEffect);
    }
    let mut call = call.clone();
    if let Some(input) = edited {
        if let Some(why) = unfit(&input, state) {
            return changes.refuse_with(Some(call_id), RefusalReason::InvalidInput, why);
        }
        match tools.prepare(&call.tool_name, &input) {
            Ok(prepared) if declined(state, &call.tool_name, &prepared.input_digest) => {
                return changes.refuse_with(Some(call_id), RefusalReason::InvalidInput, "this input was declined earlier in this turn");
            }
            Ok(prepared) => {
                // once the person changed it, it is no longer what the model asked for, however often it is approved
                call.edited |= prepared.input_digest != call.input_digest;
                outcome::take_prepared(&mut call, prepared);
            }
            Err(PrepareError::Issues(issues)) => {
                return changes.refuse_with(Some(call_id), RefusalReason::InvalidInput, crate::protocol::text::join(&issues, "; "));
            }
            Err(PrepareError::UnknownTool) => return changes.refuse(Some(call_id), RefusalReason::InvalidInput),
        }
    }
    state.clock_ms = click.now;
    state.document_revision = click.document_revision;
    call.status = CallStatus::Approved;
    call.awaiting = None;
    call.expires_at_ms = None;
    let grant = grant_by_person(state, &call, click.scope, click.now, click.document_revision);
    state.grants.push(grant);
    if let Some(slot) = state.calls.at_mut(place) {
        *slot = call;
    }
    changes.push(Change::Call(place));
}

/// What `seen` must say while there is no preview: the input, on the document as the person last saw it.
fn card(input_digest: &str, document_revision: u64) -> String {
    format!("{input_digest}@{document_revision}")
}

fn deny(state: &mut TurnState, call_id: CallId, reason: Option<&str>, now_ms: Option<u64>, changes: &mut Changes) {
    let Some(place) = pending(state, &call_id, changes) else { return };
    let now = state.time(now_ms);
    let note = reason.and_then(words::note);
    let Some(call) = state.calls.at_mut(place) else { return };
    outcome::denied(call, DenialReason::UserDeclined, CallErrorCode::Denied, words::declined(note.as_deref()));
    call.denial_note.clone_from(&note);
    let denial = Denial {
        call_id,
        tool_name: call.tool_name.clone(),
        input_digest: call.input_digest.clone(),
        reason: DenialReason::UserDeclined,
        note,
    };
    state.denials.push(denial);
    state.clock_ms = now;
    changes.push(Change::Call(place));
}

/// Something else changed the document: what was approved on the old one is shown again.
pub(super) fn document_edited(state: &mut TurnState, document_revision: u64, changes: &mut Changes) {
    state.document_revision = document_revision;
    for place in state.calls.places(&|call| call.status == CallStatus::Approved) {
        let Some(call) = state.calls.at(place) else { continue };
        let bound_to_old = |grant: &ApprovalGrant| {
            grant.call_id == call.id && binds_document(grant, call) && !grant.consumed && grant.document_revision != document_revision
        };
        if state.grants.iter().any(bound_to_old) {
            ask_again(state, place, changes);
        }
    }
    settle_phase(state, changes);
}

/// A call would do something else than its card says: the card says it now, and what was approved on the old one is shown again.
pub(super) fn describe(state: &mut TurnState, call_id: CallId, summary: &str, changes: &mut Changes) {
    let approved = state.calls.find(&call_id).is_some_and(|call| call.status == CallStatus::Approved);
    let Some(place) = (if approved { state.calls.place(&call_id) } else { pending(state, &call_id, changes) }) else { return };
    let Some(call) = state.calls.at_mut(place) else { return };
    call.summary = bounded_line(summary);
    if approved {
        ask_again(state, place, changes);
        settle_phase(state, changes);
    } else {
        changes.push(Change::Call(place));
    }
}

/// A tool is no longer what it was when its calls were approved: they are shown again.
pub(super) fn tools_changed(state: &mut TurnState, tool_names: &[String], changes: &mut Changes) {
    void_approved(state, tool_names, changes);
    settle_phase(state, changes);
}

/// The same while the message still arrives: its end will see what waits.
pub(super) fn void_approved(state: &mut TurnState, tool_names: &[String], changes: &mut Changes) {
    for place in state.calls.places(&|call| call.status == CallStatus::Approved && tool_names.contains(&call.tool_name)) {
        ask_again(state, place, changes);
    }
}

/// Sends an approved call back to the person; its approval is void.
pub(super) fn ask_again(state: &mut TurnState, place: usize, changes: &mut Changes) {
    let expires_at_ms = card_expiry(state);
    let Some(call) = state.calls.at_mut(place) else { return };
    call.status = CallStatus::Pending;
    call.awaiting = Some(Awaiting::User);
    call.expires_at_ms = expires_at_ms;
    let id = call.id.clone();
    void_grants(state, &id);
    changes.push(Change::Call(place));
}

fn card_expiry(state: &TurnState) -> Option<u64> {
    state.limits.approval_ttl_ms.map(|ttl| state.clock_ms.saturating_add(ttl).min(LARGEST_WHOLE))
}

/// The message is complete and a call waits: cards can be decided from now on.
pub(super) fn begin_waiting(state: &mut TurnState, changes: &mut Changes) {
    renew_cards(state, changes);
    settle_phase(state, changes);
}

/// Gives every card that waits its full time, counted from now.
pub(super) fn renew_cards(state: &mut TurnState, changes: &mut Changes) {
    let expires_at_ms = card_expiry(state);
    if expires_at_ms.is_none() {
        return;
    }
    for place in state.calls.places(&|call| call.status == CallStatus::Pending) {
        if let Some(call) = state.calls.at_mut(place) {
            call.expires_at_ms = expires_at_ms;
        }
        changes.push(Change::Call(place));
    }
}

/// Waiting while a call of the message is pending, executing otherwise; the clock stands while it waits.
pub(super) fn settle_phase(state: &mut TurnState, changes: &mut Changes) {
    let waits = state.current_calls().any(|call| call.status == CallStatus::Pending);
    let phase = if waits { TurnPhase::AwaitingApproval } else { TurnPhase::Executing };
    if state.phase == phase {
        return;
    }
    state.phase = phase;
    if waits {
        state.budget.paused_since_ms = Some(state.clock_ms);
    } else {
        resume_clock(state);
    }
    changes.push(Change::Phase);
}

/// Adds what the person's thinking took to the pauses.
pub(super) fn resume_clock(state: &mut TurnState) {
    if let Some(since) = state.budget.paused_since_ms.take() {
        state.budget.paused_ms = state.budget.paused_ms.saturating_add(state.clock_ms.saturating_sub(since)).min(LARGEST_WHOLE);
    }
}

/// Denies the cards nobody decided in time.
pub(super) fn expire_cards(state: &mut TurnState, changes: &mut Changes) {
    let now = state.clock_ms;
    for place in state.calls.places(&|call| call.status == CallStatus::Pending && call.expires_at_ms.is_some_and(|expires| now >= expires))
    {
        if let Some(call) = state.calls.at_mut(place) {
            let reason = DenialReason::ApprovalExpired;
            outcome::denied(call, reason, CallErrorCode::ApprovalExpired, words::denied(reason));
        }
        changes.push(Change::Call(place));
    }
}
