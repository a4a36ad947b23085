//! Bytes of a provider's stream become events; a neutral history becomes a provider's request.
//!
//! Enters: chunks cut anywhere, or a `RequestSpec`. Leaves: events, the same for every cut of the same bytes, or a
//! path and a body. One file per wire format. Knows no document, no turn and no network.

mod anthropic;
mod arguments;
mod failure;
mod gemini;
mod names;
mod openai_chat;
mod openai_responses;
mod output;
pub mod request;
mod results;
mod schemas;
mod sse;
mod turns;
mod written;

use std::ops::ControlFlow;

use serde::Serialize;

use crate::protocol::error::{Fault, ProtocolError, ProtocolErrorCode};
use crate::protocol::event::{EventSink, ProviderFormat};
use crate::protocol::fields::Fields;
use crate::protocol::json::Json;
use crate::protocol::json::read::{items, members};

use anthropic::AnthropicDecoder;
use gemini::GeminiDecoder;
use openai_chat::ChatDecoder;
use openai_responses::ResponsesDecoder;
use output::Output;
use sse::{Emit, Frame, Item, Splitter};

pub(crate) use names::WireNames;
pub use request::{BuiltRequest, MaxTokensField, RequestSpec, ToolChoice, build_request};

/// What one stream may cost. JSON keys are the camelCase of the field names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct StreamLimits {
    /// The longest line, without its end.
    pub max_line_bytes: usize,
    /// The longest stream.
    pub max_stream_bytes: usize,
    /// The longest argument text of one call.
    pub max_argument_bytes: usize,
    /// How deep the arguments of a call may nest.
    pub max_argument_depth: usize,
}

impl Default for StreamLimits {
    fn default() -> StreamLimits {
        StreamLimits { max_line_bytes: 1_048_576, max_stream_bytes: 52_428_800, max_argument_bytes: 262_144, max_argument_depth: 64 }
    }
}

impl StreamLimits {
    /// Reads limits from plain JSON; what is left out has its default. Zero, fractions and unknown keys are refused.
    pub fn decode(value: &Json) -> Result<StreamLimits, Fault> {
        let mut limits = StreamLimits::default();
        let mut fields = Fields::of(value, "invalid_limits", "")?;
        for (key, slot) in [
            ("maxLineBytes", &mut limits.max_line_bytes),
            ("maxStreamBytes", &mut limits.max_stream_bytes),
            ("maxArgumentBytes", &mut limits.max_argument_bytes),
            ("maxArgumentDepth", &mut limits.max_argument_depth),
        ] {
            match fields.opt_integer(key)? {
                None => {}
                Some(0) => return Err(fields.fault(key, "`0` would allow nothing").expecting("a whole number from 1")),
                // what does not fit the address space cannot be reached either
                Some(limit) => *slot = usize::try_from(limit).unwrap_or(usize::MAX),
            }
        }
        fields.finish()?;
        Ok(limits)
    }
}

/// Reads one stream of one request. Exactly one terminal event leaves it, and nothing after that.
#[derive(Debug)]
pub struct Decoder {
    splitter: Splitter,
    format: Format,
    done: bool,
}

/// The state of one wire format; each has a file.
#[derive(Debug)]
enum Format {
    Anthropic(AnthropicDecoder),
    OpenaiChat(ChatDecoder),
    OpenaiResponses(ResponsesDecoder),
    Gemini(GeminiDecoder),
}

impl Format {
    fn frame(&mut self, frame: Frame<'_>, out: &mut Output<'_>) {
        match self {
            Format::Anthropic(decoder) => decoder.frame(frame, out),
            Format::OpenaiChat(decoder) => decoder.frame(frame, out),
            Format::OpenaiResponses(decoder) => decoder.frame(frame, out),
            Format::Gemini(decoder) => decoder.frame(frame, out),
        }
    }

    /// Something that nobody could read was skipped.
    fn gap(&mut self) {
        match self {
            Format::Anthropic(decoder) => decoder.gap(),
            Format::OpenaiChat(decoder) => decoder.gap(),
            Format::OpenaiResponses(decoder) => decoder.gap(),
            // nothing that is read spans two frames
            Format::Gemini(_) => {}
        }
    }

    /// The connection closed, which is how some formats end.
    fn end(&mut self, out: &mut Output<'_>) {
        match self {
            Format::Anthropic(_) | Format::OpenaiResponses(_) => {}
            Format::OpenaiChat(decoder) => decoder.end(out),
            Format::Gemini(decoder) => decoder.end(out),
        }
    }

    /// Whether the message would be whole if the connection closed now.
    fn may_end(&self) -> bool {
        match self {
            Format::Anthropic(_) | Format::OpenaiResponses(_) => false,
            Format::OpenaiChat(decoder) => decoder.may_end(),
            Format::Gemini(decoder) => decoder.may_end(),
        }
    }
}

impl Decoder {
    /// A decoder for one stream of `format`.
    pub fn new(format: ProviderFormat, limits: StreamLimits) -> Result<Decoder, Fault> {
        let format = match format {
            ProviderFormat::Anthropic => Format::Anthropic(AnthropicDecoder::new(limits)),
            ProviderFormat::OpenaiChat => Format::OpenaiChat(ChatDecoder::new(limits)),
            ProviderFormat::OpenaiResponses => Format::OpenaiResponses(ResponsesDecoder::new(limits)),
            ProviderFormat::Gemini => Format::Gemini(GeminiDecoder::new(limits)),
        };
        Ok(Decoder { splitter: Splitter::new(limits.max_line_bytes, limits.max_stream_bytes), format, done: false })
    }

    /// Reads one chunk, cut anywhere.
    pub fn push(&mut self, chunk: &[u8], sink: &mut dyn EventSink) {
        self.read(sink, |splitter, emit| splitter.push(chunk, emit));
    }

    /// The connection closed: a stream whose message did not end is `truncated_stream`.
    pub fn end(&mut self, sink: &mut dyn EventSink) {
        self.read(sink, |splitter, emit| splitter.finish(emit));
        if !self.done {
            let mut out = Output::new(sink);
            self.format.end(&mut out);
            // a no-op where the message ended
            out.fail(ProtocolError::new(
                ProtocolErrorCode::TruncatedStream,
                "the connection closed before the provider had ended its answer",
            ));
            self.done = true;
        }
    }

    /// Whether the terminal event has left.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Whether a finish reason was told, so that the message is whole once the connection closes: whoever listens need
    /// not wait long for a server that says no more and does not close it.
    #[must_use]
    pub fn may_end(&self) -> bool {
        !self.done && self.format.may_end()
    }

    fn read(&mut self, sink: &mut dyn EventSink, read: impl FnOnce(&mut Splitter, &mut Emit<'_>) -> ControlFlow<()>) {
        if self.done {
            return;
        }
        let Decoder { splitter, format, done } = self;
        let mut out = Output::new(sink);
        let flow = read(splitter, &mut |item| {
            match item {
                Item::Frame(frame) => format.frame(frame, &mut out),
                Item::Bare(text) => match failure_in(text) {
                    Some(data) => format.frame(Frame { event: "", data, cut: false }, &mut out),
                    None => {
                        format.gap();
                        out.notice("the provider sent something outside its frames; it was skipped", text);
                    }
                },
                Item::LineTooLong => {
                    format.gap();
                    out.notice("the provider sent a line that is too long; it was skipped", "");
                }
                Item::StreamTooLong => out.fail(ProtocolError::new(
                    ProtocolErrorCode::LimitExceeded,
                    "the provider's answer is larger than the limit for one stream",
                )),
            }
            if out.is_done() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        *done = flow.is_break();
    }
}

/// The payload that tells of a failure, where a server wrote that as it would have answered without a stream: alone or in a
/// list of one. Anything else outside the frames is nobody's.
fn failure_in(text: &str) -> Option<&str> {
    let list = items(text);
    let payload = match list.as_deref() {
        Some([one]) => one,
        _ => text,
    };
    let [error] = members(payload, ["error"])?;
    error.map(|_| payload)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_refuse_zero_fractions_and_unknown_keys() {
        for text in [r#"{"maxLineBytes":0}"#, r#"{"maxStreamBytes":0.5}"#, r#"{"maxLines":3}"#, r#"{"maxArgumentDepth":-1}"#, "[]"] {
            assert_eq!(StreamLimits::decode(&Json::parse(text).unwrap()).unwrap_err().code, "invalid_limits", "{text}");
        }
        let limits = StreamLimits::decode(&Json::parse(r#"{"maxArgumentDepth":3}"#).unwrap()).unwrap();
        assert_eq!(limits, StreamLimits { max_argument_depth: 3, ..StreamLimits::default() });
    }

    #[test]
    fn t8_a_message_may_end_between_its_finish_reason_and_whatever_says_that_it_goes_on_or_is_over() {
        for (format, steps) in [
            (
                ProviderFormat::OpenaiChat,
                [
                    (r#"{"choices":[{"delta":{"role":"assistant","content":"a"}}]}"#, false),
                    (r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#, true),
                    (r#"{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1}}"#, true),
                    ("[DONE]", false),
                ],
            ),
            (
                ProviderFormat::Gemini,
                [
                    (r#"{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}"#, false),
                    (r#"{"candidates":[{"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"}]}"#, true),
                    (r#"{"usageMetadata":{"promptTokenCount":1}}"#, true),
                    (r#"{"error":{"code":500,"message":"no"}}"#, false),
                ],
            ),
            (
                ProviderFormat::Anthropic,
                [
                    (r#"{"type":"message_start","message":{"model":"m"}}"#, false),
                    (r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"a"}}"#, false),
                    (r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#, false),
                    (r#"{"type":"message_stop"}"#, false),
                ],
            ),
        ] {
            let mut decoder = Decoder::new(format, StreamLimits::default()).unwrap();
            let mut events = Vec::new();
            for (payload, may_end) in steps {
                decoder.push(format!("data: {payload}\n\n").as_bytes(), &mut events);
                assert_eq!(decoder.may_end(), may_end, "{format:?} {payload}");
            }
            assert!(decoder.is_done());
        }
    }
}
