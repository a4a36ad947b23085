//! A call comes into being: from a complete `tool_call` of the model to a record that runs, waits or is refused.

use crate::protocol::call::{Awaiting, CallErrorCode, CallRecord, CallStatus, DenialReason, ToolEffect, TurnViolation};
use crate::protocol::ids::CallId;
use crate::protocol::json::Json;
use crate::protocol::message::ContentBlock;
use crate::protocol::text::{cap, visible};
use crate::tools::canonical::input_digest;
use crate::tools::declaration::ToolDeclaration;
use crate::tools::registry::{MAX_INPUT_DEPTH, PrepareError, Tool, ToolRegistry};

use super::authorization::{declined, grant_by_policy};
use super::preview::first_awaited;
use super::reduce::{Change, Changes};
use super::state::TurnState;
use super::{outcome, words};

/// The longest tool name shown for a call that could not be prepared, in code points.
const NAME_CODE_POINTS: usize = 80;

/// What the model asked for, as the stream told it.
pub(super) struct OpenedCall {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) input: Json,
    pub(super) invalid: Option<String>,
    pub(super) provider_id: Option<String>,
}

/// Opens the call; every call of a message gets a block and a record, whatever becomes of it. Only a reused id adds nothing.
pub(super) fn open(state: &mut TurnState, opened: OpenedCall, tools: &ToolRegistry, changes: &mut Changes) {
    let id = CallId::from(opened.id);
    if state.calls.find(&id).is_some() || state.id_in_history(id.as_str()) {
        changes.violation(state, TurnViolation::DuplicateCallId, Some(id));
        return;
    }
    // a provider accepts only an object here, and what was refused must not come back as if it had been meant
    let invalid = opened.invalid.or_else(|| unfit(&opened.input, state));
    let input = if invalid.is_none() { opened.input } else { Json::from(crate::protocol::json::Object::new()) };
    if let Some(message) = state.open_message() {
        message.content.push(ContentBlock::ToolCall { id: id.as_str().to_owned(), name: opened.name.clone(), input: input.clone() });
    }
    state.budget.calls_opened = state.budget.calls_opened.saturating_add(1);
    state.budget.calls_this_iteration = state.budget.calls_this_iteration.saturating_add(1);
    let tool = tools.find(&opened.name);
    let mut call = blank(id, opened.name, input, tool, state.iteration);
    call.provider_id = opened.provider_id;
    match judge(state, &mut call, tool, invalid, tools) {
        Verdict::Runs => {
            call.status = CallStatus::Approved;
            state.grants.extend(tool.and_then(|tool| grant_by_policy(state, &call, tool.declaration())));
        }
        Verdict::Asks => call.awaiting = Some(tool.map_or(Awaiting::User, |tool| first_awaited(state, tool.declaration()))),
        Verdict::Failed { code, result, violation } => {
            outcome::failed(&mut call, code, result);
            report(state, &call, violation, changes);
        }
        Verdict::Denied { reason, code, result, violation } => {
            outcome::denied(&mut call, reason, code, result);
            report(state, &call, violation, changes);
        }
    }
    let place = state.calls.push(call);
    changes.push(Change::Call(place));
}

/// Why an input that came as a value is no argument object: a decoder refuses the same in the text.
pub(super) fn unfit(input: &Json, state: &TurnState) -> Option<String> {
    if input.as_object().is_none() {
        return Some(format!("input: expected an object, got {}", input.kind()));
    }
    // what nests deeper could not be read back from a snapshot
    let levels = usize::try_from(state.limits.max_argument_depth).unwrap_or(usize::MAX).min(MAX_INPUT_DEPTH);
    if !nests_within(input, levels) {
        return Some(format!("input: nests deeper than {levels} levels"));
    }
    let bytes = u64::try_from(input.to_text().len()).unwrap_or(u64::MAX);
    let max = state.limits.max_argument_bytes;
    (bytes > max).then(|| format!("input: {bytes} bytes of arguments are more than the {max} one call may have"))
}

/// Whether arrays and objects nest at most this deep; what nests deeper could not be read back from a snapshot.
pub(super) fn nests_within(value: &Json, levels: usize) -> bool {
    match value {
        Json::Array(items) => levels > 0 && items.iter().all(|item| nests_within(item, levels - 1)),
        Json::Object(object) => levels > 0 && object.iter().all(|(_, item)| nests_within(item, levels - 1)),
        _ => true,
    }
}

fn report(state: &mut TurnState, call: &CallRecord, violation: Option<TurnViolation>, changes: &mut Changes) {
    if let Some(violation) = violation {
        changes.violation(state, violation, Some(call.id.clone()));
    }
}

fn blank(id: CallId, name: String, input: Json, tool: Option<&Tool>, iteration: u32) -> CallRecord {
    let declaration = tool.map(Tool::declaration);
    CallRecord {
        id,
        provider_id: None,
        input_digest: String::new(),
        summary: cap(&visible(&name), NAME_CODE_POINTS),
        tool_name: name,
        input,
        effect: declaration.map_or(ToolEffect::Mutate, |declaration| declaration.effect),
        destructive: declaration.is_some_and(|declaration| declaration.destructive),
        external: declaration.is_some_and(|declaration| declaration.external),
        iteration,
        status: CallStatus::Pending,
        result: None,
        result_from: None,
        is_error: false,
        denial_reason: None,
        denial_note: None,
        error_code: None,
        edited: false,
        progress: None,
        preview: None,
        stale: None,
        act: None,
        expires_at_ms: None,
        awaiting: None,
        started_at_ms: None,
        committed: false,
        history_step: None,
    }
}

enum Verdict {
    Runs,
    Asks,
    Failed { code: CallErrorCode, result: String, violation: Option<TurnViolation> },
    Denied { reason: DenialReason, code: CallErrorCode, result: String, violation: Option<TurnViolation> },
}

/// Decides in fixed order: caps, name, argument text, schema, earlier no, repeats, rights, policy.
fn judge(state: &mut TurnState, call: &mut CallRecord, tool: Option<&Tool>, invalid: Option<String>, tools: &ToolRegistry) -> Verdict {
    if let Some(verdict) = over_cap(state, call, tool) {
        return verdict;
    }
    if let (Some(_), Some(why)) = (tool, &invalid) {
        // the text is not kept, so that there is no input to digest: two refused texts are never one call that came again
        let result = words::invalid_arguments(std::slice::from_ref(why));
        return Verdict::Failed { code: CallErrorCode::InvalidArguments, result, violation: None };
    }
    call.input_digest = input_digest(&call.tool_name, &call.input);
    let Some(tool) = tool else {
        let mut known = Vec::with_capacity(tools.len());
        for tool in tools.tools() {
            known.push(tool.declaration().name.as_str());
        }
        let result = words::unknown_tool(&call.tool_name, &known);
        return repeated(state, call).unwrap_or(Verdict::Failed {
            code: CallErrorCode::UnknownTool,
            result,
            violation: Some(TurnViolation::UnknownTool),
        });
    };
    match tools.prepare(&call.tool_name, &call.input) {
        Ok(prepared) => {
            outcome::take_prepared(call, prepared);
        }
        Err(PrepareError::UnknownTool) => {
            let result = words::unknown_tool(&call.tool_name, &[]);
            return Verdict::Failed { code: CallErrorCode::UnknownTool, result, violation: Some(TurnViolation::UnknownTool) };
        }
        Err(PrepareError::Issues(issues)) => {
            let result = words::invalid_arguments(&issues);
            return repeated(state, call).unwrap_or(Verdict::Failed { code: CallErrorCode::InvalidArguments, result, violation: None });
        }
    }
    if declined(state, &call.tool_name, &call.input_digest) {
        let result = words::declined_before();
        return Verdict::Denied { reason: DenialReason::UserDeclined, code: CallErrorCode::Denied, result, violation: None };
    }
    if let Some(verdict) = repeated(state, call) {
        return verdict;
    }
    if let Some(verdict) = lacks_scope(state, tool.declaration()) {
        return verdict;
    }
    if tool.declaration().runs_unasked() { Verdict::Runs } else { Verdict::Asks }
}

fn limit_exceeded(result: String) -> Verdict {
    Verdict::Denied {
        reason: DenialReason::LimitExceeded,
        code: CallErrorCode::BudgetExhausted,
        result,
        violation: Some(TurnViolation::LimitExceeded),
    }
}

fn over_cap(state: &TurnState, call: &CallRecord, tool: Option<&Tool>) -> Option<Verdict> {
    let limits = &state.limits;
    if state.budget.calls_this_iteration > limits.max_tool_calls_per_iteration {
        return Some(limit_exceeded(words::too_many_in_message(limits.max_tool_calls_per_iteration)));
    }
    if state.budget.calls_opened > limits.max_tool_calls_per_turn {
        return Some(limit_exceeded(words::too_many_in_turn(limits.max_tool_calls_per_turn)));
    }
    let max = tool?.declaration().max_calls_per_turn?;
    let before =
        state.calls.iter().filter(|other| other.tool_name == call.tool_name && other.denial_reason != Some(DenialReason::LimitExceeded));
    (u64::try_from(before.count()).unwrap_or(u64::MAX) >= max).then(|| limit_exceeded(words::too_many_of_tool(&call.tool_name, max)))
}

/// Counts how often exactly this call gave the same result in a row; from the limit on it is not run again.
fn repeated(state: &mut TurnState, call: &CallRecord) -> Option<Verdict> {
    let ran = |other: &&CallRecord| {
        other.tool_name == call.tool_name
            && other.input_digest == call.input_digest
            && matches!(other.status, CallStatus::Succeeded | CallStatus::Failed)
            // a message that asks the same twice has not seen the first result yet
            && other.iteration < call.iteration
    };
    let mut earlier = state.calls.iter().rev().filter(ran);
    let last = earlier.next()?.result.clone();
    let in_a_row = earlier.take_while(|other| other.result == last).count().saturating_add(1);
    let in_a_row = u64::try_from(in_a_row).unwrap_or(u64::MAX);
    state.budget.highest_repeat = state.budget.highest_repeat.max(in_a_row);
    (in_a_row >= state.limits.max_repeats_per_call).then(|| limit_exceeded(words::repeated(in_a_row)))
}

/// The scopes the tool requires and the trusted context lacks.
pub(super) fn missing_scopes<'a>(state: &TurnState, tool: &'a ToolDeclaration) -> Vec<&'a str> {
    let held = state.context.as_ref().and_then(|context| context.scopes.as_deref()).unwrap_or_default();
    let mut missing = Vec::new();
    for scope in &tool.requires {
        if !held.contains(scope) {
            missing.push(scope.as_str());
        }
    }
    missing
}

fn lacks_scope(state: &TurnState, tool: &ToolDeclaration) -> Option<Verdict> {
    let missing = missing_scopes(state, tool);
    (!missing.is_empty()).then(|| Verdict::Denied {
        reason: DenialReason::Unauthorized,
        code: CallErrorCode::Unauthorized,
        result: words::lacks_scopes(&missing),
        violation: Some(TurnViolation::Unauthorized),
    })
}
