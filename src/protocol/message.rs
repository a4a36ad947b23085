//! The conversation as it is kept and sent: messages of blocks. The system prompt is never a message.

use serde::Serialize;

use crate::{from_json, words};

use super::error::Fault;
use super::event::ProviderFormat;
use super::fields::Fields;
use super::from_json::FromJson;
use super::json::Json;

words! {
    /// Who speaks.
    pub enum Role {
        /// The person, and the results of tools.
        User = "user",
        /// The model.
        Assistant = "assistant",
    }
}

/// One message.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said, in order.
    pub content: Vec<ContentBlock>,
}

impl Message {
    /// A user message of one text.
    pub fn user(text: impl Into<String>) -> Message {
        Message { role: Role::User, content: vec![ContentBlock::Text { text: text.into() }] }
    }

    /// An assistant message of one text.
    pub fn assistant(text: impl Into<String>) -> Message {
        Message { role: Role::Assistant, content: vec![ContentBlock::Text { text: text.into() }] }
    }
}

/// One part of a message.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum ContentBlock {
    /// Plain text.
    Text {
        /// The text.
        text: String,
    },
    /// A call the model opened (assistant messages only).
    ToolCall {
        /// The call's id.
        id: String,
        /// The tool's name as the model wrote it.
        name: String,
        /// The arguments; `{}` where they were refused.
        #[cfg_attr(feature = "wasm", tsify(type = "Json"))]
        input: Json,
    },
    /// The answer to a call (user messages only).
    ToolResult {
        /// The call that is answered.
        tool_call_id: String,
        /// What the model reads.
        content: String,
        /// Present and true where the call did not succeed.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "boolean"))]
        is_error: Option<bool>,
    },
    /// Opaque state of a provider (signed thinking, say): returned byte-identical, only to its issuer.
    ProviderState {
        /// Who issued it.
        provider: ProviderFormat,
        /// What was issued.
        #[cfg_attr(feature = "wasm", tsify(type = "Json"))]
        value: Json,
        /// The call it belongs to, where it belongs to one.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "string"))]
        call_id: Option<String>,
    },
}

impl ContentBlock {
    /// Reads one block from plain JSON; the fault names the member that is wrong.
    pub fn decode(value: &Json) -> Result<ContentBlock, Fault> {
        let mut fields = Fields::of(value, "invalid_input", "")?;
        let block = match fields.string("type")?.as_str() {
            "text" => ContentBlock::Text { text: fields.text("text") },
            "tool_call" => ContentBlock::ToolCall { id: fields.text("id"), name: fields.text("name"), input: fields.value("input") },
            "tool_result" => ContentBlock::ToolResult {
                tool_call_id: fields.text("toolCallId"),
                content: fields.text("content"),
                is_error: fields.opt_flag("isError"),
            },
            "provider_state" => ContentBlock::ProviderState {
                provider: fields.read("provider")?,
                value: fields.value("value"),
                call_id: fields.opt_text("callId"),
            },
            other => {
                return Err(Fault::at("invalid_input", "type", format!("unknown block type `{}`", super::text::echo(other)))
                    .expecting("`text`, `tool_call`, `tool_result` or `provider_state`"));
            }
        };
        fields.finish()?;
        Ok(block)
    }
}

impl FromJson for ContentBlock {
    fn blank() -> ContentBlock {
        ContentBlock::Text { text: String::new() }
    }

    fn from_json(value: &Json) -> Result<ContentBlock, Fault> {
        ContentBlock::decode(value)
    }
}

from_json! {
    Message {
        role: "role",
        content: "content",
    }
}

impl Message {
    /// Reads a list of messages from plain JSON.
    pub fn decode_list(value: &Json) -> Result<Vec<Message>, Fault> {
        Vec::from_json(value)
    }
}

words! {
    /// What is wrong with the pairing of calls and results in a history.
    pub enum PairingViolationKind {
        /// A result whose call is not in an earlier message.
        OrphanToolResult = "orphan_tool_result",
        /// A call that nothing answers.
        UnansweredToolCall = "unanswered_tool_call",
        /// A call id used a second time; the later block is the one reported.
        DuplicateToolCallId = "duplicate_tool_call_id",
    }
}

/// One fault in the pairing of a history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct PairingViolation {
    /// What is wrong.
    pub kind: PairingViolationKind,
    /// The id it is about.
    pub tool_call_id: String,
    /// The message it stands in.
    pub message_index: u32,
}
