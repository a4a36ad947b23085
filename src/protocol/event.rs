//! What a provider's stream says, in one vocabulary for every provider.

use serde::Serialize;

use crate::{from_json, words};

use super::error::{Fault, ProtocolError, ProtocolErrorCode};
use super::json::Json;
use super::words::read_word;

words! {
    /// The wire formats of providers.
    pub enum ProviderFormat {
        /// Anthropic Messages.
        Anthropic = "anthropic",
        /// OpenAI Chat Completions and the servers that speak it.
        OpenaiChat = "openai-chat",
        /// OpenAI Responses.
        OpenaiResponses = "openai-responses",
        /// Gemini `generateContent`.
        Gemini = "gemini",
    }
}

impl ProviderFormat {
    /// Finds a format by its exact name.
    pub fn parse(name: &str) -> Result<ProviderFormat, Fault> {
        read_word(&Json::from(name), "unknown_format")
    }
}

words! {
    /// Why a message ended.
    pub enum StopReason {
        /// The model had said what it had to say.
        EndTurn = "end_turn",
        /// The model waits for the results of its calls.
        ToolUse = "tool_use",
        /// The output limit cut the message.
        MaxTokens = "max_tokens",
        /// A stop sequence was met.
        StopSequence = "stop_sequence",
        /// The provider or the model declined.
        Refusal = "refusal",
        /// Anything else.
        Unknown = "unknown",
    }
}

/// What one request cost, in tokens. Cached tokens are part of the input, reasoning tokens of the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Tokens read from the provider's cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub cached_input_tokens: Option<u64>,
    /// Tokens spent on reasoning.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub reasoning_tokens: Option<u64>,
}

from_json! {
    Usage {
        input_tokens: "inputTokens",
        output_tokens: "outputTokens",
        cached_input_tokens: "cachedInputTokens",
        reasoning_tokens: "reasoningTokens",
    }
}

/// One thing a stream said. Exactly one terminal event (`message_stop`, a terminal `error`, `aborted`) leaves a decoder.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum StreamEvent {
    /// A message begins; `model` is what the response names, "" where it names none.
    MessageStart {
        /// The model's name.
        model: String,
    },
    /// More text of the answer.
    TextDelta {
        /// Never empty.
        text: String,
    },
    /// More of the model's reasoning: shown, never sent to another provider.
    ReasoningDelta {
        /// Never empty.
        text: String,
    },
    /// A call was announced; it does not exist before it is complete.
    ToolCallStart {
        /// The call's id.
        id: String,
        /// The tool's name.
        name: String,
    },
    /// A piece of the argument text: progress only, never parsed.
    ToolCallInputDelta {
        /// The call's id.
        id: String,
        /// Never empty.
        partial_json: String,
    },
    /// A call is complete.
    ToolCallComplete {
        /// The call's id.
        id: String,
        /// The tool's name.
        name: String,
        /// The arguments; `{}` where they were refused.
        #[cfg_attr(feature = "wasm", tsify(type = "Json"))]
        input: Json,
        /// Why the argument text was refused.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "string"))]
        invalid: Option<String>,
        /// The provider's own id, where the loop gave the call a fresh one.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "string"))]
        provider_id: Option<String>,
    },
    /// Opaque state to be returned to its issuer.
    ProviderState {
        /// Who issued it.
        provider: ProviderFormat,
        /// What was issued.
        #[cfg_attr(feature = "wasm", tsify(type = "Json"))]
        value: Json,
        /// The call it belongs to.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "string"))]
        call_id: Option<String>,
    },
    /// What the request cost so far; the last one counts.
    Usage {
        /// The counts.
        usage: Usage,
    },
    /// The message ended.
    MessageStop {
        /// Why.
        stop_reason: StopReason,
    },
    /// Something failed; `malformed_stream` is a notice about one frame, every other code ends the stream.
    Error {
        /// What failed.
        error: ProtocolError,
    },
    /// The request was stopped by the host.
    Aborted,
}

impl StreamEvent {
    /// The event's name in the public contract.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            StreamEvent::MessageStart { .. } => "message_start",
            StreamEvent::TextDelta { .. } => "text_delta",
            StreamEvent::ReasoningDelta { .. } => "reasoning_delta",
            StreamEvent::ToolCallStart { .. } => "tool_call_start",
            StreamEvent::ToolCallInputDelta { .. } => "tool_call_input_delta",
            StreamEvent::ToolCallComplete { .. } => "tool_call_complete",
            StreamEvent::ProviderState { .. } => "provider_state",
            StreamEvent::Usage { .. } => "usage",
            StreamEvent::MessageStop { .. } => "message_stop",
            StreamEvent::Error { .. } => "error",
            StreamEvent::Aborted => "aborted",
        }
    }

    /// Whether it ends its stream: `malformed_stream` tells of one frame, every other error of the whole.
    #[must_use]
    pub fn is_terminal(&self) -> bool {
        match self {
            StreamEvent::MessageStop { .. } | StreamEvent::Aborted => true,
            StreamEvent::Error { error } => error.code != ProtocolErrorCode::MalformedStream,
            _ => false,
        }
    }
}

/// Takes what a decoder reads; the three deltas come borrowed so that no event object is made for them.
pub trait EventSink {
    /// More text of the answer.
    fn text(&mut self, text: &str);
    /// More of the model's reasoning.
    fn reasoning(&mut self, text: &str);
    /// A piece of a call's argument text.
    fn input_delta(&mut self, id: &str, partial_json: &str);
    /// Everything else.
    fn event(&mut self, event: StreamEvent);
}

impl EventSink for Vec<StreamEvent> {
    fn text(&mut self, text: &str) {
        // adjacent text of one push is one event, which is also what makes any chunking comparable
        if let Some(StreamEvent::TextDelta { text: last }) = self.last_mut() {
            last.push_str(text);
        } else {
            self.push(StreamEvent::TextDelta { text: text.to_owned() });
        }
    }

    fn reasoning(&mut self, text: &str) {
        if let Some(StreamEvent::ReasoningDelta { text: last }) = self.last_mut() {
            last.push_str(text);
        } else {
            self.push(StreamEvent::ReasoningDelta { text: text.to_owned() });
        }
    }

    fn input_delta(&mut self, id: &str, partial_json: &str) {
        self.push(StreamEvent::ToolCallInputDelta { id: id.to_owned(), partial_json: partial_json.to_owned() });
    }

    fn event(&mut self, event: StreamEvent) {
        self.push(event);
    }
}
