//! The only three ways to a grant, and the only predicate that lets a call run.

use crate::json_object;
use crate::protocol::call::{ApprovalGrant, CallRecord, CallStatus, Denial, DenialReason, GrantScope, ToolEffect, TurnViolation};
use crate::protocol::fields::LARGEST_WHOLE;
use crate::protocol::ids::CallId;
use crate::protocol::json::Json;
use crate::protocol::words::Word;
use crate::tools::canonical::{canonical_json, input_digest, sha256_hex};
use crate::tools::declaration::ToolDeclaration;
use crate::tools::registry::ToolRegistry;

use super::preview::effect_of;
use super::state::TurnState;

/// A grant for one call, or for one of an explicit list: the person's own act at `now_ms`.
pub(super) fn grant_by_person(
    state: &TurnState,
    call: &CallRecord,
    scope: GrantScope,
    now_ms: u64,
    document_revision: u64,
) -> ApprovalGrant {
    let expires_at_ms = state.limits.approval_ttl_ms.map(|ttl| now_ms.saturating_add(ttl).min(LARGEST_WHOLE));
    sealed(state, call, scope, document_revision, expires_at_ms)
}

/// A grant by the static read-only policy; there is none for a tool that changes or destroys something, or that asks.
pub(super) fn grant_by_policy(state: &TurnState, call: &CallRecord, tool: &ToolDeclaration) -> Option<ApprovalGrant> {
    tool.runs_unasked().then(|| sealed(state, call, GrantScope::Auto, 0, None))
}

fn sealed(state: &TurnState, call: &CallRecord, scope: GrantScope, document_revision: u64, expires_at_ms: Option<u64>) -> ApprovalGrant {
    let mut grant = ApprovalGrant {
        call_id: call.id.clone(),
        tool_name: call.tool_name.clone(),
        input_digest: call.input_digest.clone(),
        effect_digest: effect_of(call.preview.as_ref()).map(str::to_owned),
        iteration: call.iteration,
        scope,
        document_revision,
        expires_at_ms,
        consumed: false,
        binding: String::new(),
    };
    grant.binding = binding(state, &grant);
    grant
}

/// The seal: SHA-256 over everything the grant says (but whether it was spent), the turn, and who asks.
fn binding(state: &TurnState, grant: &ApprovalGrant) -> String {
    let context = state.context.as_ref();
    let text = |value: Option<&str>| value.map_or(Json::Null, Json::from);
    let scopes = context.and_then(|context| context.scopes.as_ref());
    let sealed = json_object! {
        "callId" => grant.call_id.as_str(),
        "toolName" => grant.tool_name.as_str(),
        "inputDigest" => grant.input_digest.as_str(),
        "effectDigest" => text(grant.effect_digest.as_deref()),
        "iteration" => grant.iteration,
        "scope" => grant.scope.word(),
        "documentRevision" => grant.document_revision as f64,
        "expiresAtMs" => grant.expires_at_ms.map_or(Json::Null, |ms| Json::from(ms as f64)),
        "turnId" => state.turn_id.as_str(),
        "principal" => text(context.and_then(|context| context.principal.as_deref())),
        "tenant" => text(context.and_then(|context| context.tenant.as_deref())),
        "requestId" => text(context.and_then(|context| context.request_id.as_deref())),
        "scopes" => scopes.map_or(Json::Null, |scopes| Json::from(scopes.iter().map(|scope| text(Some(scope))).collect::<Vec<_>>())),
    };
    sha256_hex(canonical_json(&sealed).as_bytes())
}

/// Whether the call may start now. Asked in fixed order; the first thing that is wrong is the answer.
pub fn authorize_start(
    state: &TurnState,
    call_id: &CallId,
    now_ms: u64,
    document_revision: u64,
    tools: &ToolRegistry,
) -> Result<(), TurnViolation> {
    let call = state.calls.find(call_id).ok_or(TurnViolation::NoGrant)?;
    if tools.find(&call.tool_name).is_none() {
        return Err(TurnViolation::UnknownTool);
    }
    if declined_since(state, call) {
        return Err(TurnViolation::DeniedReplay);
    }
    let grant = latest_grant(state, call_id).ok_or(TurnViolation::NoGrant)?;
    let digest = input_digest(&call.tool_name, &call.input);
    if grant.tool_name != call.tool_name || grant.input_digest != call.input_digest || digest != call.input_digest {
        return Err(TurnViolation::DigestMismatch);
    }
    if grant.iteration != state.iteration || call.iteration != state.iteration {
        return Err(TurnViolation::ForeignIteration);
    }
    if grant.expires_at_ms.is_some_and(|expires| state.time(Some(now_ms)) >= expires) {
        return Err(TurnViolation::GrantExpired);
    }
    if binds_document(grant, call) && grant.document_revision != document_revision {
        return Err(TurnViolation::StaleDocument);
    }
    if grant.consumed || call.status != CallStatus::Approved {
        return Err(TurnViolation::GrantAlreadyConsumed);
    }
    // a grant that was not made here, or was altered since, is no grant
    if grant.binding != binding(state, grant) {
        return Err(TurnViolation::NoGrant);
    }
    // nor does it allow another effect than the card shows
    if grant.effect_digest.as_deref() != effect_of(call.preview.as_ref()) {
        return Err(TurnViolation::DigestMismatch);
    }
    Ok(())
}

/// Whether the grant holds only for the document the person saw: a read is never stale.
pub(super) fn binds_document(grant: &ApprovalGrant, call: &CallRecord) -> bool {
    grant.scope != GrantScope::Auto && call.effect == ToolEffect::Mutate
}

/// Whether the person declined exactly this tool with exactly this input in this turn.
pub(super) fn declined(state: &TurnState, tool_name: &str, digest: &str) -> bool {
    state.denials.iter().any(|denial| denies(denial, tool_name, digest))
}

/// The same for a call that exists: a no to its twin in the same message is not a request that came again, so an
/// approval of this one stands.
fn declined_since(state: &TurnState, call: &CallRecord) -> bool {
    let twin =
        |denial: &Denial| state.calls.find(&denial.call_id).is_some_and(|other| other.id != call.id && other.iteration == call.iteration);
    state.denials.iter().any(|denial| denies(denial, &call.tool_name, &call.input_digest) && !twin(denial))
}

fn denies(denial: &Denial, tool_name: &str, digest: &str) -> bool {
    denial.reason == DenialReason::UserDeclined && denial.tool_name == tool_name && denial.input_digest == digest
}

/// The grant a start would spend: the newest for the call.
fn latest_grant<'a>(state: &'a TurnState, call_id: &CallId) -> Option<&'a ApprovalGrant> {
    state.grants.iter().rev().find(|grant| grant.call_id == *call_id)
}

/// The approval of the call that was not spent.
pub(super) fn open_grant<'a>(state: &'a TurnState, call_id: &CallId) -> Option<&'a ApprovalGrant> {
    latest_grant(state, call_id).filter(|grant| !grant.consumed)
}

/// The same approval on the document as it is now: what it allows is the same effect, for the same time.
pub(super) fn renew_grant(state: &mut TurnState, call_id: &CallId) {
    let Some(mut grant) = open_grant(state, call_id).cloned() else { return };
    grant.document_revision = state.document_revision;
    grant.binding = binding(state, &grant);
    void_grants(state, call_id);
    state.grants.push(grant);
}

/// Spends the call's grant.
pub(super) fn consume_grant(state: &mut TurnState, call_id: &CallId) {
    if let Some(grant) = state.grants.iter_mut().rev().find(|grant| grant.call_id == *call_id) {
        grant.consumed = true;
    }
}

/// Takes back an approval that was not spent; spent grants stay.
pub(super) fn void_grants(state: &mut TurnState, call_id: &CallId) {
    state.grants.retain(|grant| grant.consumed || grant.call_id != *call_id);
}
