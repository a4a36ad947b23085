//! What calls would do: told before they are approved, bound by the approval, asked for anew when what it stands on moves.
//!
//! An approval outlives such a move only by the same effect: until that is told it is kept, and of no use.

use crate::protocol::act::{ActRecord, ActResult};
use crate::protocol::call::{Awaiting, CallRecord, CallStatus, ToolEffect};
use crate::protocol::command::{Told, ToolOutcome};
use crate::protocol::ids::CallId;
use crate::protocol::json::{Json, write::to_text};
use crate::protocol::preview::{Preview, Stale, StaleCause};
use crate::protocol::update::RefusalReason;
use crate::tools::canonical::{canonical_json, sha256_hex};
use crate::tools::declaration::ToolDeclaration;
use crate::tools::registry::{PrepareError, PreparedCall, Tool, ToolRegistry};
use crate::tools::summary::bounded_line;

use super::authorization::{declined, open_grant, renew_grant, void_grants};
use super::calls::unfit;
use super::reduce::{Change, Changes};
use super::state::TurnState;
use super::{approval, words};

/// What is told of a call that is not started.
pub(super) struct Previewed {
    pub(super) call_id: CallId,
    pub(super) outcome: ToolOutcome,
    pub(super) told: Option<Box<Told>>,
    pub(super) now_ms: Option<u64>,
}

/// Puts what the call would do on its card. An approval of exactly this effect is renewed, one of another is void.
pub(super) fn previewed(state: &mut TurnState, previewed: Previewed, tools: &ToolRegistry, changes: &mut Changes) {
    let Previewed { call_id, outcome, told, now_ms } = previewed;
    let Some(call) = state.calls.find(&call_id) else { return changes.refuse(Some(call_id), RefusalReason::UnknownCall) };
    if call.iteration != state.iteration || !matches!(call.status, CallStatus::Pending | CallStatus::Approved) {
        return changes.refuse(Some(call_id), RefusalReason::NotPending);
    }
    if call.effect != ToolEffect::Mutate {
        return changes.refuse_with(Some(call_id), RefusalReason::InvalidInput, words::NOTHING_TO_PREVIEW);
    }
    let Some(place) = state.calls.place(&call_id) else { return };
    state.clock_ms = state.time(now_ms);
    let by_loop = told.is_some();
    let told = match told {
        Some(told) => *told,
        None => Told { preview: Some(preview_of(call, &outcome)), stale: None, act: call.act.clone() },
    };
    let shows = tools.find(&call.tool_name).is_some_and(|tool| tool.declaration().shows_effect());
    if shows && told.preview.is_none() && !needs_selection(told.act.as_ref()) {
        if let Some(call) = state.calls.at_mut(place) {
            call.act = told.act;
        }
        hold(state, place, changes);
        return approval::settle_phase(state, changes);
    }
    put(state, place, told, by_loop, tools, changes);
    approval::settle_phase(state, changes);
}

fn put(state: &mut TurnState, place: usize, told: Told, by_loop: bool, tools: &ToolRegistry, changes: &mut Changes) {
    let expires_at_ms = approval::card_expiry(state);
    let Some(call) = state.calls.at(place) else { return };
    let id = call.id.clone();
    let effect = effect_of(told.preview.as_ref());
    let holds = effect.is_some() && open_grant(state, &id).is_some_and(|grant| grant.effect_digest.as_deref() == effect);
    let (was_shown, is_other) = (call.preview.is_some(), effect_of(call.preview.as_ref()) != effect);
    let was_approved = call.status == CallStatus::Approved;
    let renews = holds && !was_approved;
    let Some(call) = state.calls.at_mut(place) else { return };
    call.stale = match by_loop {
        _ if holds => None,
        true => told.stale,
        false if was_shown && is_other => Some(Stale { because: StaleCause::Document, lines: Vec::new() }),
        false => call.stale.take(),
    };
    (call.preview, call.act) = (told.preview, told.act);
    if holds {
        call.status = CallStatus::Approved;
        call.awaiting = None;
        call.expires_at_ms = None;
    } else {
        call.status = CallStatus::Pending;
        call.awaiting = Some(Awaiting::User);
        if is_other || was_approved {
            call.expires_at_ms = expires_at_ms;
        }
        void_grants(state, &id);
    }
    if renews {
        renew_grant(state, &id);
        changes.push(Change::Renewed(place));
    }
    changes.push(Change::Call(place));
    // the loop goes through the calls in order; others are told what stands on this one
    if !by_loop && was_shown && is_other {
        hold_after(state, place, tools, changes);
    }
}

/// A call did not do, or will not do, what those behind it were shown to stand on.
pub(super) fn hold_after(state: &mut TurnState, place: usize, tools: &ToolRegistry, changes: &mut Changes) {
    let iteration = state.iteration;
    for later in state.calls.places(&|call| call.iteration == iteration && !call.status.is_final()) {
        if later > place {
            hold_shown(state, later, tools, changes);
        }
    }
}

/// Sends a call that shows its effect back to be worked out anew.
pub(super) fn hold_shown(state: &mut TurnState, place: usize, tools: &ToolRegistry, changes: &mut Changes) {
    let Some(call) = state.calls.at(place) else { return };
    let runs_on_draft = tools.find(&call.tool_name).is_some_and(|tool| tool.declaration().preview);
    if call.preview.is_some() || runs_on_draft {
        hold(state, place, changes);
    }
}

/// What the call would do is not known: it cannot be approved until it is, and an approval it has is kept for that.
fn hold(state: &mut TurnState, place: usize, changes: &mut Changes) {
    let expires_at_ms = approval::card_expiry(state);
    let Some(call) = state.calls.at_mut(place) else { return };
    let was_approved = call.status == CallStatus::Approved;
    let waits = call.status == CallStatus::Pending && call.awaiting != Some(Awaiting::Preview) && !needs_selection(call.act.as_ref());
    if !was_approved && !waits {
        return;
    }
    call.status = CallStatus::Pending;
    call.awaiting = Some(Awaiting::Preview);
    if was_approved {
        call.expires_at_ms = expires_at_ms;
    }
    changes.push(Change::Call(place));
}

/// What a new card of this tool waits for: its effect, where that is to be worked out, or a call before it is still at that.
pub(super) fn first_awaited(state: &TurnState, tool: &ToolDeclaration) -> Awaiting {
    let held = |call: &CallRecord| call.status == CallStatus::Pending && call.awaiting == Some(Awaiting::Preview);
    match tool.preview || (tool.shows_effect() && state.current_calls().any(held)) {
        true => Awaiting::Preview,
        false => Awaiting::User,
    }
}

/// Whether the person has to say first which of several things the call means.
#[must_use]
pub fn needs_selection(act: Option<&ActRecord>) -> bool {
    act.is_some_and(|act| act.result == ActResult::NeedsSelection)
}

/// The act of a call whose target is certain by now.
pub(super) fn settled_act(act: Option<&ActRecord>) -> Option<ActRecord> {
    act.map(|act| ActRecord { index: act.index, result: ActResult::AwaitingConfirmation, reason: None, candidates: None })
}

/// What `seen` must say of a card: the effect; while there is no preview the input, on the document as the person last saw it.
#[must_use]
pub fn card(call: &CallRecord, document_revision: u64) -> String {
    effect_of(call.preview.as_ref()).map_or_else(|| format!("{}@{document_revision}", call.input_digest), str::to_owned)
}

/// Whether `seen` names the card of the call as it is now: one of a reading only its input, for a reading is never stale.
pub(super) fn is_card(seen: &str, call: &CallRecord, document_revision: u64) -> bool {
    match (call.effect, seen.split_once('@')) {
        (ToolEffect::Read, Some((input_digest, _))) => input_digest == call.input_digest,
        _ => seen == card(call, document_revision),
    }
}

/// What names the effect of a card.
pub(super) fn effect_of(preview: Option<&Preview>) -> Option<&str> {
    preview.map(|preview| preview.effect_digest.as_str())
}

/// Whether calls behind this one were shown to stand on something of it.
pub(super) fn carries(call: &CallRecord) -> bool {
    call.preview.as_ref().is_some_and(|preview| preview.error.is_none())
}

/// Whether what the call would do is worked out before it is approved.
#[must_use]
pub fn shows_effect(call: &CallRecord, tool: &Tool) -> bool {
    call.effect == ToolEffect::Mutate && tool.declaration().shows_effect()
}

/// Another input for a call as it would be approved, or what is wrong with it, line by line.
pub fn proposed(state: &TurnState, call_id: &CallId, input: &Json, tools: &ToolRegistry) -> Result<PreparedCall, Vec<String>> {
    let Some(call) = state.calls.find(call_id) else { return Err(vec!["no call has this id".to_owned()]) };
    if let Some(why) = unfit(input, state) {
        return Err(vec![why]);
    }
    match tools.prepare(&call.tool_name, input) {
        Ok(prepared) if declined(state, &call.tool_name, &prepared.input_digest) => Err(vec![words::DECLINED_INPUT.to_owned()]),
        Ok(prepared) => Ok(prepared),
        Err(PrepareError::Issues(issues)) => Err(issues),
        Err(PrepareError::UnknownTool) => Err(vec![words::unknown_tool(&call.tool_name, &[])]),
    }
}

/// Whether a call that is done did what those behind it were shown to stand on.
#[must_use]
pub fn ended_as_shown(call: &CallRecord) -> bool {
    match call.status {
        CallStatus::Succeeded => call.preview.is_some() || !call.committed,
        _ => !carries(call),
    }
}

/// The preview where no document is at hand to tell what a change means.
#[must_use]
pub fn preview_of(call: &CallRecord, outcome: &ToolOutcome) -> Preview {
    let mut preview = Preview {
        title: call.summary.clone(),
        patch: Vec::new(),
        effect_digest: String::new(),
        lines: Vec::new(),
        counts: Vec::new(),
        hidden_lines: 0,
        error: None,
    };
    let mut change = Json::from(Vec::new());
    match outcome {
        ToolOutcome::Ok { document: Some(document), .. } => change = document.clone(),
        ToolOutcome::Ok { patch: Some(patch), .. } => {
            change = Json::parse(&to_text(patch)).unwrap_or(Json::Null);
            preview.patch.clone_from(patch);
        }
        ToolOutcome::Ok { .. } => {}
        ToolOutcome::Error { result, .. } if !result.trim().is_empty() => preview.error = Some(bounded_line(result)),
        ToolOutcome::Error { .. } => preview.error = Some(words::EXECUTION_FAILED.to_owned()),
        ToolOutcome::Unknown { .. } => preview.error = Some(words::PREVIEW_UNKNOWN.to_owned()),
    }
    // what is refused is another thing than what changes nothing
    let change = if preview.error.is_some() { Json::Null } else { change };
    preview.effect_digest = sha256_hex(canonical_json(&change).as_bytes());
    preview
}
