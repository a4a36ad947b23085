//! Keeps the newest part of a conversation that fits a model's window.
//!
//! The part begins with a user's own text and never parts a call from its result. The current request (the last
//! user text and all that followed it) is always in it: where that alone does not fit, nothing may be sent.

use std::collections::BTreeMap;

use crate::protocol::error::{Fault, ProtocolError, ProtocolErrorCode};
use crate::protocol::fields::Fields;
use crate::protocol::json::Json;
use crate::protocol::message::{ContentBlock, Message, Role};

/// Bytes of UTF-8 taken for one token: few, so that code, JSON and scripts beyond Latin are not underestimated.
const BYTES_PER_TOKEN: u64 = 3;
/// What the frame of one message costs, in tokens.
const TOKENS_PER_MESSAGE: u64 = 4;

/// How much a request may hold. JSON keys are the camelCase of the field names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputWindow {
    /// The model's window, in tokens.
    pub max_input_tokens: u64,
    /// What is kept free of it for the answer (and for system prompt and tools, where the host counts them in).
    pub reserve_output_tokens: u64,
}

impl InputWindow {
    /// Reads a window from plain JSON.
    pub fn decode(value: &Json) -> Result<InputWindow, Fault> {
        let mut fields = Fields::of(value, "invalid_input", "")?;
        let max_input_tokens = match fields.opt_integer("maxInputTokens")? {
            Some(0) => return Err(fields.fault("maxInputTokens", "`0` would allow nothing").expecting("a whole number from 1")),
            Some(tokens) => tokens,
            None => return Err(fields.fault("maxInputTokens", "`maxInputTokens` is missing")),
        };
        let Some(reserve_output_tokens) = fields.opt_integer("reserveOutputTokens")? else {
            return Err(fields.fault("reserveOutputTokens", "`reserveOutputTokens` is missing"));
        };
        fields.finish()?;
        Ok(InputWindow { max_input_tokens, reserve_output_tokens })
    }
}

/// The part of a conversation that fits.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Budgeted {
    /// The messages kept, in order.
    pub messages: Vec<Message>,
    /// How many older messages were left out.
    pub dropped: usize,
}

/// The longest end of `messages` that fits `window`; `context_overflow` where the current request alone does not.
/// A conversation without any text of a user is kept whole or not at all.
pub fn budget_messages(messages: &[Message], window: InputWindow) -> Result<Budgeted, ProtocolError> {
    if messages.is_empty() {
        return Ok(Budgeted { messages: Vec::new(), dropped: 0 });
    }
    let room = window.max_input_tokens.saturating_sub(window.reserve_output_tokens);
    let starts = starts(messages);
    let mut cost = 0u64;
    let mut kept_from = None;
    for (at, message) in messages.iter().enumerate().rev() {
        cost = cost.saturating_add(estimate_tokens(message));
        if cost > room {
            break;
        }
        if starts.get(at).copied().unwrap_or(false) || (at == 0 && !starts.contains(&true)) {
            kept_from = Some(at);
        }
    }
    match kept_from {
        Some(dropped) => Ok(Budgeted { messages: messages.get(dropped..).unwrap_or_default().to_vec(), dropped }),
        None => Err(ProtocolError::new(
            ProtocolErrorCode::ContextOverflow,
            "the current request does not fit the model's context window; shorten it or start a new conversation",
        )),
    }
}

/// What a message costs, in tokens, estimated so that it is rather too much than too little.
#[must_use]
pub fn estimate_tokens(message: &Message) -> u64 {
    let bytes: usize = message.content.iter().map(block_bytes).fold(0, usize::saturating_add);
    tokens_of(bytes).saturating_add(TOKENS_PER_MESSAGE)
}

/// What text of this many bytes costs at most, in tokens.
#[must_use]
pub fn tokens_of(bytes: usize) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX).div_ceil(BYTES_PER_TOKEN)
}

fn block_bytes(block: &ContentBlock) -> usize {
    match block {
        ContentBlock::Text { text } => text.len(),
        ContentBlock::ToolCall { name, input, .. } => name.len() + input.to_text().len(),
        ContentBlock::ToolResult { content, .. } => content.len(),
        ContentBlock::ProviderState { value, .. } => value.to_text().len(),
    }
}

/// For each message, whether a conversation may begin with it: a user's text, with no result after it whose call
/// stands before it.
fn starts(messages: &[Message]) -> Vec<bool> {
    let mut calls: BTreeMap<&str, usize> = BTreeMap::new();
    // how many pairs open before a message and close in it or after it, as differences from message to message
    let mut bridges = vec![0i64; messages.len() + 1];
    for (at, message) in messages.iter().enumerate() {
        for block in &message.content {
            match block {
                ContentBlock::ToolCall { id, .. } => {
                    calls.insert(id, at);
                }
                ContentBlock::ToolResult { tool_call_id, .. } => {
                    // a second result belongs to no call, and must not hold on to all that was said since
                    let Some(opened) = calls.remove(tool_call_id.as_str()).filter(|opened| *opened < at) else { continue };
                    for (place, change) in [(opened + 1, 1), (at + 1, -1)] {
                        if let Some(slot) = bridges.get_mut(place) {
                            *slot += change;
                        }
                    }
                }
                ContentBlock::Text { .. } | ContentBlock::ProviderState { .. } => {}
            }
        }
    }
    let mut open = 0i64;
    let mut starts = Vec::with_capacity(messages.len());
    for (message, change) in messages.iter().zip(&bridges) {
        open += change;
        starts.push(open == 0 && message.role == Role::User && message.content.iter().any(is_text));
    }
    starts
}

fn is_text(block: &ContentBlock) -> bool {
    matches!(block, ContentBlock::Text { text } if !text.trim().is_empty())
}
