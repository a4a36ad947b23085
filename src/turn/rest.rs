//! A turn laid down and taken up again: what a snapshot writes, and what is trusted of it (nothing).

use crate::history::pairing::pairing_violations;
use crate::protocol::call::{Awaiting, CallErrorCode, CallRecord, CallStatus, DenialReason, TurnPhase};
use crate::protocol::command::TurnContext;
use crate::protocol::error::Fault;
use crate::protocol::event::Usage;
use crate::protocol::message::{ContentBlock, Role};
use crate::tools::registry::{PrepareError, ToolRegistry};

use super::authorization::grant_by_policy;
use super::calls::missing_scopes;
use super::preview::first_awaited;
use super::reduce::Changes;
use super::state::{Calls, TurnState};
use super::{approval, outcome, words};

/// The state as a snapshot writes it: no grant, nothing running, no half message, no trusted context. Laying a
/// taken-up turn down again gives the same.
#[must_use]
pub fn laid_down(state: &TurnState) -> TurnState {
    let mut resting = state.clone();
    resting.grants.clear();
    resting.context = None;
    resting.document_revision = 0;
    if matches!(resting.phase, TurnPhase::Requesting | TurnPhase::Streaming) {
        drop_partial_message(&mut resting);
    }
    for place in resting.calls.places(&|call| !call.status.is_final()) {
        if let Some(call) = resting.calls.at_mut(place) {
            if call.status == CallStatus::Running && call.external {
                outcome::unknown(call);
            } else {
                ask_anew(call);
            }
        }
    }
    if resting.phase == TurnPhase::Executing || resting.phase == TurnPhase::AwaitingApproval {
        approval::settle_phase(&mut resting, &mut Changes::new());
    }
    resting
}

/// The request is asked anew: what arrived of its answer is dropped, the request stays counted.
fn drop_partial_message(state: &mut TurnState) {
    if state.phase == TurnPhase::Streaming && state.messages.last().is_some_and(|message| message.role == Role::Assistant) {
        state.messages.pop();
    }
    let iteration = state.iteration;
    let mut kept = Calls::default();
    for call in state.calls.iter().filter(|call| call.iteration != iteration) {
        kept.push(call.clone());
    }
    state.calls = kept;
    state.budget.calls_this_iteration = 0;
    // what the dropped answer cost stays counted; the next one reports its own
    state.request_usage = Usage::default();
    state.phase = TurnPhase::Requesting;
}

fn ask_anew(call: &mut CallRecord) {
    call.status = CallStatus::Pending;
    call.awaiting = Some(Awaiting::User);
    call.started_at_ms = None;
    call.expires_at_ms = None;
    call.progress = None;
    // worked out again when the turn is taken up: nothing of it is believed
    call.preview = None;
    call.stale = None;
    call.act = None;
}

/// A turn from a snapshot, under the tools and the trusted context of now. Restored data is input, not proof:
/// grants are dropped, waiting calls are validated again and ask again.
pub fn taken_up(state: TurnState, context: Option<TurnContext>, document_revision: u64, tools: &ToolRegistry) -> Result<TurnState, Fault> {
    let mut state = laid_down(&state);
    state.check().map_err(|fault| fault.under("state").told_as("invalid_snapshot", "the snapshot does not hold together: "))?;
    check_pairing(&state)?;
    state.context = context;
    state.document_revision = document_revision;
    tools.digest().clone_into(&mut state.tools_digest);
    for place in state.calls.places(&|call| call.status == CallStatus::Pending) {
        let Some(mut call) = state.calls.at(place).cloned() else { continue };
        match tools.prepare(&call.tool_name, &call.input) {
            Ok(prepared) => {
                outcome::take_prepared(&mut call, prepared);
                let tool = tools.find(&call.tool_name).map(|tool| tool.declaration());
                if let Some(tool) = tool {
                    (call.effect, call.destructive, call.external) = (tool.effect, tool.destructive, tool.external);
                }
                let missing = tool.map(|tool| missing_scopes(&state, tool)).unwrap_or_default();
                if !missing.is_empty() {
                    // who asks now may do less than who asked then
                    outcome::denied(&mut call, DenialReason::Unauthorized, CallErrorCode::Unauthorized, words::lacks_scopes(&missing));
                } else if let Some(grant) = tool.and_then(|tool| grant_by_policy(&state, &call, tool)) {
                    call.status = CallStatus::Approved;
                    call.awaiting = None;
                    state.grants.push(grant);
                } else if let Some(tool) = tool {
                    call.awaiting = Some(first_awaited(&state, tool));
                }
            }
            Err(PrepareError::UnknownTool) => {
                let result = words::unknown_tool(&call.tool_name, &[]);
                outcome::failed(&mut call, CallErrorCode::UnknownTool, result);
            }
            Err(PrepareError::Issues(issues)) => {
                outcome::failed(&mut call, CallErrorCode::InvalidArguments, words::invalid_arguments(&issues));
            }
        }
        if let Some(slot) = state.calls.at_mut(place) {
            *slot = call;
        }
    }
    if state.phase == TurnPhase::AwaitingApproval || state.phase == TurnPhase::Executing {
        approval::settle_phase(&mut state, &mut Changes::new());
    }
    Ok(state)
}

/// Every call of the conversation is answered, but for those the turn itself still has to answer.
fn check_pairing(state: &TurnState) -> Result<(), Fault> {
    let answered = usize::try_from(state.answered_calls).unwrap_or(usize::MAX);
    let open = |id: &str| state.calls.iter().skip(answered).any(|call| call.id.as_str() == id);
    for violation in pairing_violations(&state.messages) {
        if violation.kind == crate::protocol::message::PairingViolationKind::UnansweredToolCall && open(&violation.tool_call_id) {
            continue;
        }
        let id = crate::protocol::text::echo(&violation.tool_call_id);
        return Err(Fault::at(
            "invalid_snapshot",
            format!("state.messages[{}]", violation.message_index),
            format!("the call `{id}` and its result do not pair"),
        ));
    }
    // a result for a call that is still to be answered would be its second one
    let answered_early = |block: &ContentBlock| matches!(block, ContentBlock::ToolResult { tool_call_id, .. } if open(tool_call_id));
    if state.messages.iter().any(|message| message.content.iter().any(answered_early)) {
        return Err(Fault::at("invalid_snapshot", "state.answeredCalls", "a call that counts as open has its answer already"));
    }
    let blocks = |id: &str| {
        let found = |block: &ContentBlock| matches!(block, ContentBlock::ToolCall { id: other, .. } if other == id);
        state.messages.iter().any(|message| message.content.iter().any(found))
    };
    match state.calls.iter().find(|call| !blocks(call.id.as_str())) {
        Some(call) => Err(Fault::at(
            "invalid_snapshot",
            "state.calls",
            format!("the call `{}` stands in no message", crate::protocol::text::echo(call.id.as_str())),
        )),
        None => Ok(()),
    }
}
