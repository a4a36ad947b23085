//! Awaiting approval: the person decides, card by card.

use crate::protocol::call::{Awaiting, CallErrorCode, CallRecord, CallStatus, Denial, DenialReason, GrantScope, TurnPhase, TurnViolation};
use crate::protocol::command::TurnCommand;
use crate::protocol::fields::LARGEST_WHOLE;
use crate::protocol::ids::CallId;
use crate::protocol::json::Json;
use crate::protocol::preview::Preview;
use crate::protocol::update::RefusalReason;
use crate::tools::registry::ToolRegistry;

use super::authorization::{binds_document, grant_by_person, open_grant, void_grants};
use super::preview::{carries, effect_of, hold_after, hold_shown, is_card, needs_selection, proposed, settled_act};
use super::reduce::{Change, Changes};
use super::state::TurnState;
use super::{outcome, words};

/// One decision of the person.
pub(super) fn decide(state: &mut TurnState, command: TurnCommand, tools: &ToolRegistry, changes: &mut Changes) {
    match command {
        TurnCommand::ApproveCall { call_id, edited_input, seen, preview, now_ms, document_revision } => {
            let click = Click { scope: GrantScope::Call, now: state.time(now_ms), document_revision };
            let edit = edited_input.map(|input| Edit { input, preview });
            approve(state, call_id, edit, seen.as_deref(), &click, tools, changes);
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
        TurnCommand::DenyCall { call_id, reason, now_ms } => deny(state, call_id, reason.as_deref(), now_ms, tools, changes),
        TurnCommand::SelectTarget { call_id, target_id, now_ms } => select(state, call_id, &target_id, now_ms, tools, changes),
        _ => return changes.refuse(None, RefusalReason::WrongPhase),
    }
    settle_phase(state, changes);
}

/// Another input, and what it would do where that is known.
struct Edit {
    input: Json,
    preview: Option<Box<Preview>>,
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
    edit: Option<Edit>,
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
    if call.awaiting == Some(Awaiting::Preview) {
        return changes.refuse_with(Some(call_id), RefusalReason::StaleEffect, words::NOT_PREVIEWED);
    }
    let is_undecided = needs_selection(call.act.as_ref());
    let mut call = call.clone();
    let mut is_seen = seen.is_none_or(|seen| is_card(seen, &call, click.document_revision));
    let (mut is_changed, mut is_proposal) = (false, false);
    if let Some(Edit { input, preview }) = edit {
        let before = call.input_digest.clone();
        if let Err(why) = change_input(state, &mut call, &input, tools) {
            return changes.refuse_with(Some(call_id), RefusalReason::InvalidInput, why);
        }
        is_changed = call.input_digest != before;
        if is_changed {
            let runs_on_draft = tools.find(&call.tool_name).is_some_and(|tool| tool.declaration().preview);
            call.preview = if runs_on_draft { None } else { preview.map(|preview| *preview) };
            let names_effect = seen.is_some() && seen == effect_of(call.preview.as_ref());
            // what destroys something is approved as it was shown, never as it was typed
            let must_be_shown = call.destructive && call.preview.is_some();
            is_seen = if must_be_shown { seen.is_none() || names_effect } else { is_seen || names_effect };
            is_proposal = runs_on_draft || (must_be_shown && seen.is_none());
        }
    }
    // the same words typed again say no more than before
    if is_undecided && !is_changed {
        return changes.refuse_with(Some(call_id), RefusalReason::InvalidInput, words::NEEDS_SELECTION);
    }
    if !is_seen {
        // what was on screen is not what would run now: nobody approved this
        changes.violation(state, TurnViolation::StaleDocument, Some(call_id.clone()));
        return changes.refuse(Some(call_id), RefusalReason::StaleEffect);
    }
    call.stale = None;
    if is_proposal {
        state.clock_ms = click.now;
        return propose(state, place, call, tools, changes);
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
    if is_changed {
        hold_after(state, place, tools, changes);
    }
}

/// Puts another input in the place of the model's: validated like it, of the same tool, under a digest of its own.
fn change_input(state: &TurnState, call: &mut CallRecord, input: &Json, tools: &ToolRegistry) -> Result<(), String> {
    let prepared = proposed(state, &call.id, input, tools).map_err(|issues| crate::protocol::text::join(&issues, "; "))?;
    // once the person changed it, it is no longer what the model asked for, however often it is approved
    if prepared.input_digest != call.input_digest {
        call.edited = true;
        call.act = settled_act(call.act.as_ref());
    }
    outcome::take_prepared(call, prepared);
    Ok(())
}

/// What the person made of the call is a card of its own: it shows what it would do, and then asks.
fn propose(state: &mut TurnState, place: usize, mut call: CallRecord, tools: &ToolRegistry, changes: &mut Changes) {
    call.expires_at_ms = card_expiry(state);
    call.awaiting = Some(if call.preview.is_none() { Awaiting::Preview } else { Awaiting::User });
    if let Some(slot) = state.calls.at_mut(place) {
        *slot = call;
    }
    changes.push(Change::Call(place));
    hold_after(state, place, tools, changes);
}

/// The person says which thing is meant: an edit like any other, which is shown and asks.
fn select(state: &mut TurnState, call_id: CallId, target_id: &str, now_ms: Option<u64>, tools: &ToolRegistry, changes: &mut Changes) {
    let Some(place) = pending(state, &call_id, changes) else { return };
    let Some(mut call) = state.calls.at(place).cloned() else { return };
    let now = state.time(now_ms);
    if call.expires_at_ms.is_some_and(|expires| now >= expires) {
        return changes.refuse_with(Some(call_id), RefusalReason::NotPending, words::denied(DenialReason::ApprovalExpired));
    }
    let offered = call.act.as_ref().filter(|act| needs_selection(Some(act))).and_then(|act| act.candidates.as_deref());
    if !offered.unwrap_or_default().iter().any(|candidate| candidate.id == target_id) {
        return changes.refuse_with(Some(call_id), RefusalReason::InvalidInput, words::NO_CANDIDATE);
    }
    let tool = tools.find(&call.tool_name).map(|tool| tool.declaration());
    let Some(input) = tool.and_then(|tool| tool.target.as_ref()).and_then(|target| target.with(&call.input, target_id)) else {
        return changes.refuse_with(Some(call_id), RefusalReason::InvalidInput, words::NO_CANDIDATE);
    };
    if let Err(why) = change_input(state, &mut call, &input, tools) {
        return changes.refuse_with(Some(call_id), RefusalReason::InvalidInput, why);
    }
    call.act = settled_act(call.act.as_ref());
    (call.preview, call.stale) = (None, None);
    state.clock_ms = now;
    let shows = tool.is_some_and(|tool| tool.shows_effect());
    propose(state, place, call, tools, changes);
    if let Some(call) = state.calls.at_mut(place).filter(|_| !shows) {
        call.awaiting = Some(Awaiting::User);
    }
}

fn deny(state: &mut TurnState, call_id: CallId, reason: Option<&str>, now_ms: Option<u64>, tools: &ToolRegistry, changes: &mut Changes) {
    let Some(place) = pending(state, &call_id, changes) else { return };
    let now = state.time(now_ms);
    let note = reason.and_then(words::note);
    let Some(call) = state.calls.at_mut(place) else { return };
    outcome::denied(call, DenialReason::UserDeclined, CallErrorCode::Denied, words::declined(note.as_deref()));
    call.denial_note.clone_from(&note);
    let carries = carries(call);
    let denial = Denial {
        call_id,
        tool_name: call.tool_name.clone(),
        input_digest: call.input_digest.clone(),
        reason: DenialReason::UserDeclined,
        note,
    };
    let id = denial.call_id.clone();
    state.denials.push(denial);
    state.clock_ms = now;
    changes.push(Change::Call(place));
    void_grants(state, &id);
    if carries {
        hold_after(state, place, tools, changes);
    }
}

/// Something else changed the document: what was approved on the old one is shown again. Where an effect was shown it is worked
/// out anew first, and an approval of it waits for that.
pub(super) fn document_edited(state: &mut TurnState, document_revision: u64, tools: &ToolRegistry, changes: &mut Changes) {
    let moved = state.document_revision != document_revision;
    state.document_revision = document_revision;
    let iteration = state.iteration;
    for place in state.calls.places(&|call| matches!(call.status, CallStatus::Approved | CallStatus::Pending)) {
        let Some(call) = state.calls.at(place).filter(|call| call.iteration == iteration) else { continue };
        if call.status == CallStatus::Pending {
            if moved {
                hold_shown(state, place, tools, changes);
            }
            continue;
        }
        let Some(grant) = open_grant(state, &call.id).filter(|grant| binds_document(grant, call)) else { continue };
        let (is_old, holds_effect) = (grant.document_revision != document_revision, grant.effect_digest.is_some());
        match (is_old, holds_effect) {
            (false, _) => {}
            (true, true) => hold_shown(state, place, tools, changes),
            (true, false) => ask_again(state, place, changes),
        }
    }
    settle_phase(state, changes);
}

/// A tool is no longer what it was when its calls were approved: they are shown again.
pub(super) fn tools_changed(state: &mut TurnState, tool_names: &[String], changes: &mut Changes) {
    void_approved(state, tool_names, changes);
    settle_phase(state, changes);
}

/// The same while the message still arrives: its end will see what waits.
pub(super) fn void_approved(state: &mut TurnState, tool_names: &[String], changes: &mut Changes) {
    for place in state.calls.places(&|call| tool_names.contains(&call.tool_name)) {
        let Some(call) = state.calls.at(place) else { continue };
        match call.status {
            CallStatus::Approved => ask_again(state, place, changes),
            // an approval that waits for its effect is no better
            CallStatus::Pending => void_grants(state, &call.id.clone()),
            _ => {}
        }
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

/// When a card that is shown now lapses.
pub(super) fn card_expiry(state: &TurnState) -> Option<u64> {
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
pub(super) fn expire_cards(state: &mut TurnState, tools: &ToolRegistry, changes: &mut Changes) {
    let now = state.clock_ms;
    for place in state.calls.places(&|call| call.status == CallStatus::Pending && call.expires_at_ms.is_some_and(|expires| now >= expires))
    {
        let Some(call) = state.calls.at_mut(place) else { continue };
        let (id, carries, reason) = (call.id.clone(), carries(call), DenialReason::ApprovalExpired);
        outcome::denied(call, reason, CallErrorCode::ApprovalExpired, words::denied(reason));
        changes.push(Change::Call(place));
        void_grants(state, &id);
        if carries {
            hold_after(state, place, tools, changes);
        }
    }
}
