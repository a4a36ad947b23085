//! Reads the stream of Anthropic's Messages API.
//!
//! Enters: frames. Leaves: events. The frame's event name decides what it is, the payload's `type` where no name
//! is given. A call whose fate hangs on the stop reason (no argument text, or text that may have been cut) is held
//! until that is known; calls and provider state after it wait behind it, so that their order is the model's.

pub(super) mod build;
mod wire;

use std::collections::BTreeMap;

use crate::json_object;
use crate::protocol::error::{ProtocolError, ProtocolErrorCode};
use crate::protocol::event::{ProviderFormat, StopReason, StreamEvent, Usage};
use crate::protocol::json::Json;

use super::StreamLimits;
use super::arguments::{ArgumentText, Arguments, CUT_BY_LIMIT, CUT_BY_REFUSAL, completed};
use super::failure::failure_in_stream;
use super::output::{Output, bounded};
use super::sse::Frame;
use wire::{BlockStart, Counts, Delta, ErrorBody, MessageDelta, MessageStart, Named, usual_delta};

/// A call of a message that ended without ending the call.
const NEVER_CLOSED: &str = "the message ended before this call was complete";

/// What one stream has said so far.
#[derive(Debug)]
pub(super) struct AnthropicDecoder {
    limits: StreamLimits,
    started: bool,
    /// The blocks that are open, by the provider's index.
    open: BTreeMap<u64, Block>,
    blocks_seen: u64,
    calls_seen: u64,
    held: Vec<Held>,
    /// How often something was lost.
    gaps: u32,
    stop: Option<StopReason>,
    counts: Counts,
    usage_told: bool,
}

/// A block that is open.
#[derive(Debug)]
enum Block {
    Call(Call),
    Thinking {
        thinking: String,
        signature: String,
        /// How often something had been lost when it was opened.
        gaps: u32,
    },
    Redacted {
        data: String,
    },
    /// Text, which leaves at once, and what nobody knows.
    Other,
    /// A block that has ended; it stays in the map, as taking out is a third of a map's code.
    Closed,
}

/// A call that is open.
#[derive(Debug)]
struct Call {
    id: String,
    name: String,
    /// Its place among all blocks.
    place: u64,
    /// How often something had been lost when it was opened.
    gaps: u32,
    /// Arguments that came whole with the start of the block.
    given: Option<String>,
    text: ArgumentText,
}

/// What waits for the stop reason.
#[derive(Debug)]
enum Held {
    Call { id: String, name: String, place: u64, arguments: Arguments },
    State(Json),
}

impl AnthropicDecoder {
    pub(super) fn new(limits: StreamLimits) -> AnthropicDecoder {
        AnthropicDecoder {
            limits,
            started: false,
            open: BTreeMap::new(),
            blocks_seen: 0,
            calls_seen: 0,
            held: Vec::new(),
            gaps: 0,
            stop: None,
            counts: Counts::default(),
            usage_told: false,
        }
    }

    pub(super) fn frame(&mut self, frame: Frame<'_>, out: &mut Output<'_>) {
        if !matches!(frame.event, "" | "message") {
            return self.named(frame.event, frame, out);
        }
        // a gateway that sends no event names: the payload says what it is
        let Some(payload) = told(Named::read(frame.data), "", frame, out) else { return self.gap() };
        match &*payload.kind {
            "" if payload.is_error => self.named("error", frame, out),
            kind => self.named(kind, frame, out),
        }
    }

    fn named(&mut self, kind: &str, frame: Frame<'_>, out: &mut Output<'_>) {
        let data = frame.data;
        if kind == "content_block_delta"
            && let Some(delta) = usual_delta(data)
        {
            return self.delta(&delta, out);
        }
        let is_read = match kind {
            "content_block_delta" => Delta::read(data).map(|delta| delta.map(|delta| self.delta(&delta, out)).unwrap_or_default()),
            "content_block_start" => {
                BlockStart::read(data).map(|block| block.map(|block| self.block_start(&block, out)).unwrap_or_default())
            }
            "content_block_stop" => wire::block_stop(data).map(|index| self.block_stop(index, out)),
            "message_start" => MessageStart::read(data).map(|payload| self.message_start(&payload, out)),
            "message_delta" => MessageDelta::read(data).map(|payload| self.message_delta(&payload, out)),
            "message_stop" => Named::read(data).map(|_| self.message_stop(out)),
            "error" => {
                out.fail(failure(data));
                Some(())
            }
            // pings, and what the provider adds one day
            _ => Some(()),
        };
        // the end of one block and the beginning of the next may be lost as well as what stood in them
        if told(is_read, kind, frame, out).is_none() && kind.starts_with("content_block_") {
            self.gap();
        }
    }

    /// Something that may have been a part of an open block could not be read and was skipped: what else comes of its
    /// arguments may read as something that was never said.
    pub(super) fn gap(&mut self) {
        self.gaps = self.gaps.saturating_add(1);
    }

    fn message_start(&mut self, payload: &MessageStart<'_>, out: &mut Output<'_>) {
        if std::mem::replace(&mut self.started, true) {
            return out.fail(ProtocolError::new(ProtocolErrorCode::ProtocolViolation, "the provider began a second message in one stream"));
        }
        if let Some(counts) = &payload.usage {
            self.counts.update(counts);
        }
        out.event(StreamEvent::MessageStart { model: bounded(&payload.model) });
    }

    fn block_start(&mut self, start: &BlockStart<'_>, out: &mut Output<'_>) {
        let place = self.blocks_seen;
        self.blocks_seen += 1;
        let block = match &*start.kind {
            "tool_use" => {
                self.calls_seen += 1;
                let id = match &*start.id {
                    "" => format!("call-{}", self.calls_seen),
                    id => bounded(id),
                };
                let name = bounded(&start.name);
                out.event(StreamEvent::ToolCallStart { id: id.clone(), name: name.clone() });
                let given = start.given_input().map(str::to_owned);
                Block::Call(Call { id, name, place, gaps: self.gaps, given, text: ArgumentText::default() })
            }
            "thinking" => {
                out.reasoning(&start.thinking);
                let (thinking, signature) = (start.thinking.clone().into_owned(), start.signature.clone().into_owned());
                Block::Thinking { thinking, signature, gaps: self.gaps }
            }
            "redacted_thinking" => Block::Redacted { data: start.data.clone().into_owned() },
            "text" => {
                out.text(&start.text);
                Block::Other
            }
            _ => Block::Other,
        };
        if let Some(Block::Call(call)) = self.open.insert(start.index, block) {
            self.never_closed(call, out);
        }
    }

    fn delta(&mut self, delta: &Delta<'_>, out: &mut Output<'_>) {
        match &*delta.kind {
            "text_delta" => out.text(&delta.text),
            "input_json_delta" => match self.open.get_mut(&delta.index) {
                Some(Block::Call(call)) => {
                    let fragment = &delta.partial_json;
                    if call.text.push(fragment, &self.limits) {
                        out.input_delta(&call.id, fragment);
                    }
                }
                Some(Block::Thinking { .. } | Block::Redacted { .. } | Block::Other) => {}
                Some(Block::Closed) | None => out.notice("the provider sent arguments for a call that is not open", ""),
            },
            "thinking_delta" => {
                let more = &delta.thinking;
                if let Some(Block::Thinking { thinking, .. }) = self.open.get_mut(&delta.index) {
                    thinking.push_str(more);
                }
                out.reasoning(more);
            }
            "signature_delta" => {
                if let Some(Block::Thinking { signature, .. }) = self.open.get_mut(&delta.index) {
                    signature.push_str(&delta.signature);
                }
            }
            _ => {}
        }
    }

    fn block_stop(&mut self, index: u64, out: &mut Output<'_>) {
        match self.open.get_mut(&index).map(|block| std::mem::replace(block, Block::Closed)) {
            Some(Block::Call(mut call)) => {
                if call.gaps != self.gaps {
                    call.text.tear();
                }
                let arguments = call.read(&self.limits);
                self.hold(Held::Call { id: call.id, name: call.name, place: call.place, arguments }, out);
            }
            // without its signature or a part of what was signed the block is of no use to anybody: the provider refuses it
            Some(Block::Thinking { thinking, signature, gaps }) if !signature.is_empty() && gaps == self.gaps => {
                let value = json_object! { "type" => "thinking", "thinking" => thinking, "signature" => signature };
                self.hold(Held::State(value), out);
            }
            Some(Block::Redacted { data }) if !data.is_empty() => {
                self.hold(Held::State(json_object! { "type" => "redacted_thinking", "data" => data }), out);
            }
            _ => {}
        }
    }

    fn message_delta(&mut self, payload: &MessageDelta<'_>, out: &mut Output<'_>) {
        if let Some(reason) = &payload.stop_reason {
            self.stop = Some(stop_reason(reason));
            self.release(out);
        }
        if let Some(counts) = &payload.usage {
            self.counts.update(counts);
            self.tell_usage(out);
        }
    }

    fn message_stop(&mut self, out: &mut Output<'_>) {
        let stop = *self.stop.get_or_insert(StopReason::Unknown);
        self.release(out);
        for block in std::mem::take(&mut self.open).into_values() {
            if let Block::Call(call) = block {
                self.never_closed(call, out);
            }
        }
        if !self.usage_told && self.counts.is_told() {
            self.tell_usage(out);
        }
        out.stop(stop);
    }

    fn tell_usage(&mut self, out: &mut Output<'_>) {
        self.usage_told = true;
        let usage = Usage {
            input_tokens: self.counts.input(),
            output_tokens: self.counts.output(),
            cached_input_tokens: self.counts.cached(),
            reasoning_tokens: None,
        };
        out.event(StreamEvent::Usage { usage });
    }

    /// A call whose block has no end is never run, however complete its text looks.
    fn never_closed(&mut self, call: Call, out: &mut Output<'_>) {
        let reason = match self.stop {
            Some(StopReason::MaxTokens) => CUT_BY_LIMIT,
            Some(StopReason::Refusal) => CUT_BY_REFUSAL,
            _ => NEVER_CLOSED,
        };
        // `TooLong` is the one refusal that the stop reason does not reword
        let arguments = Arguments::TooLong(reason.to_owned());
        self.hold(Held::Call { id: call.id, name: call.name, place: call.place, arguments }, out);
    }

    /// Lets `item` out, now or, behind what already waits, once the stop reason is known.
    fn hold(&mut self, item: Held, out: &mut Output<'_>) {
        let waits = matches!(&item, Held::Call { arguments: Arguments::Empty | Arguments::Refused(_), .. });
        if self.stop.is_none() && (waits || !self.held.is_empty()) {
            self.held.push(item);
        } else {
            self.release_one(item, out);
        }
    }

    fn release(&mut self, out: &mut Output<'_>) {
        for item in std::mem::take(&mut self.held) {
            self.release_one(item, out);
        }
    }

    fn release_one(&self, item: Held, out: &mut Output<'_>) {
        match item {
            Held::State(value) => out.event(StreamEvent::ProviderState { provider: ProviderFormat::Anthropic, value, call_id: None }),
            Held::Call { id, name, place, arguments } => {
                let is_last = place + 1 == self.blocks_seen;
                out.event(completed(id, name, arguments, self.stop, is_last));
            }
        }
    }
}

impl Call {
    fn read(&self, limits: &StreamLimits) -> Arguments {
        match &self.given {
            Some(given) if self.text.is_blank() => {
                let mut whole = ArgumentText::default();
                whole.push(given, limits);
                whole.read(limits)
            }
            _ => self.text.read(limits),
        }
    }
}

/// Passes on what a frame's payload read as; one that could not be read is told, unless the stream ended inside it.
fn told<T>(payload: Option<T>, kind: &str, frame: Frame<'_>, out: &mut Output<'_>) -> Option<T> {
    if payload.is_none() && !frame.cut {
        let named = if kind.is_empty() { "frame".to_owned() } else { format!("`{kind}` frame") };
        out.notice(format!("the provider sent a {named} that could not be read; it was skipped"), frame.data);
    }
    payload
}

fn stop_reason(name: &str) -> StopReason {
    match name {
        "end_turn" => StopReason::EndTurn,
        "tool_use" => StopReason::ToolUse,
        "max_tokens" => StopReason::MaxTokens,
        "stop_sequence" => StopReason::StopSequence,
        "refusal" => StopReason::Refusal,
        _ => StopReason::Unknown,
    }
}

/// An error inside a stream that had begun as a success.
fn failure(data: &str) -> ProtocolError {
    match ErrorBody::read(data) {
        Some(body) => failure_in_stream(&body.kind, "", &body.message),
        None => failure_in_stream("", "", data),
    }
}
