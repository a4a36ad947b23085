//! Requesting and streaming: from the person's message to the end of the model's.

use crate::protocol::call::{Bound, CallStatus, TurnOutcome, TurnPhase};
use crate::protocol::command::TurnContext;
use crate::protocol::error::{ProtocolError, ProtocolErrorCode};
use crate::protocol::event::{StopReason, StreamEvent, Usage};
use crate::protocol::fields::{LARGEST_WHOLE, whole};
use crate::protocol::message::{ContentBlock, Message};
use crate::protocol::update::RefusalReason;
use crate::tools::registry::ToolRegistry;

use super::calls::{self, OpenedCall};
use super::limits::may_not_retry;
use super::reduce::{Change, Changes};
use super::settling::{self, Ending};
use super::state::{CONVERSATION_FULL, TurnState, count};
use super::{approval, words};

/// The person asks: the first request opens.
pub(super) fn submit(state: &mut TurnState, text: String, now_ms: u64, context: Option<TurnContext>, changes: &mut Changes) {
    if text.trim().is_empty() {
        return changes.refuse_with(None, RefusalReason::InvalidInput, "the message is empty");
    }
    if !state.has_room_for(1) {
        return changes.refuse_with(None, RefusalReason::InvalidInput, CONVERSATION_FULL);
    }
    let now = state.time(Some(now_ms));
    state.clock_ms = now;
    state.budget.started_at_ms = now;
    if context.is_some() {
        state.context = context;
    }
    state.first_message = count(state.messages.len());
    state.messages.push(Message::user(text));
    open_request(state, changes);
}

/// Opens the request of the next iteration.
pub(super) fn open_request(state: &mut TurnState, changes: &mut Changes) {
    state.iteration = state.iteration.saturating_add(1);
    state.budget.iterations_started = state.budget.iterations_started.saturating_add(1);
    state.budget.requests_started = state.budget.requests_started.saturating_add(1);
    state.budget.calls_this_iteration = 0;
    state.request_usage = Usage::default();
    state.stop_reason = None;
    state.phase = TurnPhase::Requesting;
    changes.push(Change::Phase);
}

/// Asks the provider once more; only before anything of the answer arrived.
pub(super) fn retry(state: &mut TurnState, now_ms: Option<u64>, tools: &ToolRegistry, changes: &mut Changes) {
    let now = state.time(now_ms);
    state.clock_ms = now;
    if let Some(bound) = may_not_retry(&state.budget, &state.limits, now) {
        return settling::settle(state, Ending::Bounded(bound), tools, changes);
    }
    state.budget.retries_used = state.budget.retries_used.saturating_add(1);
    state.budget.requests_started = state.budget.requests_started.saturating_add(1);
    state.request_usage = Usage::default();
    changes.push(Change::Phase);
}

/// One event of the answer.
pub(super) fn event(state: &mut TurnState, event: StreamEvent, now_ms: Option<u64>, tools: &ToolRegistry, changes: &mut Changes) {
    state.clock_ms = state.time(now_ms);
    match event {
        StreamEvent::MessageStart { .. } if state.phase == TurnPhase::Requesting => start(state, changes),
        StreamEvent::MessageStart { .. } => {
            fail(state, ProtocolError::new(ProtocolErrorCode::ProtocolViolation, words::SECOND_MESSAGE), tools, changes)
        }
        StreamEvent::TextDelta { text } => {
            if text_delta(state, &text, changes) {
                changes.push(Change::Text(text));
            }
        }
        StreamEvent::ReasoningDelta { text } => {
            content_arrives(state, changes);
            changes.push(Change::Reasoning(text));
        }
        // announced calls do not exist yet, and pieces of an argument text are never read
        StreamEvent::ToolCallStart { .. } | StreamEvent::ToolCallInputDelta { .. } => content_arrives(state, changes),
        StreamEvent::ToolCallComplete { id, name, input, invalid, provider_id } => {
            content_arrives(state, changes);
            calls::open(state, OpenedCall { id, name, input, invalid, provider_id }, tools, changes);
        }
        StreamEvent::ProviderState { provider, value, call_id } => {
            content_arrives(state, changes);
            if let Some(message) = state.open_message() {
                message.content.push(ContentBlock::ProviderState { provider, value, call_id });
            }
        }
        StreamEvent::Usage { usage } => count_usage(state, usage, changes),
        StreamEvent::MessageStop { .. } if state.phase == TurnPhase::Requesting => {
            fail(state, ProtocolError::new(ProtocolErrorCode::ProtocolViolation, words::NO_MESSAGE), tools, changes);
        }
        StreamEvent::MessageStop { stop_reason } => stop(state, stop_reason, tools, changes),
        StreamEvent::Error { error } => failure(state, error, tools, changes),
        StreamEvent::Aborted => settling::cancel(state, now_ms, tools, changes),
    }
}

/// More text; says whether there was any. The one place where text reaches a message, for events and bytes alike.
pub(super) fn text_delta(state: &mut TurnState, text: &str, changes: &mut Changes) -> bool {
    if text.is_empty() {
        return false;
    }
    content_arrives(state, changes);
    if let Some(message) = state.open_message() {
        match message.content.last_mut() {
            Some(ContentBlock::Text { text: said }) => said.push_str(text),
            _ => message.content.push(ContentBlock::Text { text: text.to_owned() }),
        }
    }
    true
}

/// Content without a `message_start` before it is an implicit start: no provider can make the turn ask again for free.
pub(super) fn content_arrives(state: &mut TurnState, changes: &mut Changes) {
    if state.phase == TurnPhase::Requesting {
        start(state, changes);
    }
}

fn start(state: &mut TurnState, changes: &mut Changes) {
    // the message itself begins with its first block: an empty one must never be kept or sent
    state.messages.push(Message { role: crate::protocol::message::Role::Assistant, content: Vec::new() });
    state.phase = TurnPhase::Streaming;
    changes.push(Change::Phase);
}

/// The last report of a request counts: what it said before is taken back first.
fn count_usage(state: &mut TurnState, usage: Usage, changes: &mut Changes) {
    let before = state.request_usage;
    let budget = &mut state.budget;
    budget.input_tokens = budget.input_tokens.saturating_sub(before.input_tokens).saturating_add(usage.input_tokens).min(LARGEST_WHOLE);
    budget.output_tokens = budget.output_tokens.saturating_sub(before.output_tokens).saturating_add(usage.output_tokens).min(LARGEST_WHOLE);
    state.request_usage = usage;
    if let Some(prices) = state.prices {
        let cost =
            budget.input_tokens as f64 * prices.input_micros_per_token + budget.output_tokens as f64 * prices.output_micros_per_token;
        budget.cost_micros = whole(cost.max(0.0).ceil()).unwrap_or(LARGEST_WHOLE);
    }
    changes.push(Change::Usage);
}

/// The message ended: calls decide whether the turn goes on, whatever the reason says.
fn stop(state: &mut TurnState, reason: StopReason, tools: &ToolRegistry, changes: &mut Changes) {
    state.stop_reason = Some(reason);
    if state.current_calls().next().is_none() {
        if let Some(notice) = words::stop_notice(reason) {
            notify(state, notice, changes);
        }
        return settling::settle(state, Ending::Completed, tools, changes);
    }
    if state.current_calls().any(|call| call.status == CallStatus::Pending) {
        approval::begin_waiting(state, changes);
    } else {
        state.phase = TurnPhase::Executing;
        changes.push(Change::Phase);
    }
}

fn notify(state: &mut TurnState, notice: &str, changes: &mut Changes) {
    state.notice = Some(notice.to_owned());
    changes.push(Change::Notice(notice.to_owned()));
}

fn failure(state: &mut TurnState, error: ProtocolError, tools: &ToolRegistry, changes: &mut Changes) {
    match error.code {
        // one frame could not be read: the rest of the answer still counts
        ProtocolErrorCode::MalformedStream => notify(state, &error.message, changes),
        ProtocolErrorCode::TruncatedStream if state.phase == TurnPhase::Requesting => {
            fail(
                state,
                ProtocolError { message: words::NO_MESSAGE.to_owned(), code: ProtocolErrorCode::ProtocolViolation, ..error },
                tools,
                changes,
            );
        }
        _ => fail(state, error, tools, changes),
    }
}

fn fail(state: &mut TurnState, error: ProtocolError, tools: &ToolRegistry, changes: &mut Changes) {
    settling::settle(state, Ending::Failed(error), tools, changes);
}

/// The notice and outcome of a bound belong together.
pub(super) fn bounded_outcome(bound: Bound, state: &TurnState) -> (TurnOutcome, String) {
    let committed = state.calls.iter().filter(|call| call.status == CallStatus::Succeeded && call.committed).count();
    (TurnOutcome::Bounded, words::bounded(bound, state.iteration, committed))
}
