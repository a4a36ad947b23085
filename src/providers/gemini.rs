//! Reads the stream of Gemini's `generateContent`.
//!
//! Enters: frames, each a response of its own that holds the next parts. Leaves: events. A call comes whole in one part,
//! so that a lost frame costs what was in it and tears nothing else. No frame says that the message is over: it is once
//! a finish reason was given and the connection closes. Opaque state of a call (its id, its signature) leaves behind it.

pub(super) mod build;
mod wire;

use crate::protocol::error::{ProtocolError, ProtocolErrorCode};
use crate::protocol::event::{ProviderFormat, StopReason, StreamEvent, Usage};
use crate::protocol::json::read::items;
use crate::protocol::json::{Json, Object};

use super::StreamLimits;
use super::arguments::{ArgumentText, Arguments, completed};
use super::failure::failure_in_stream;
use super::output::{Output, bounded};
use super::sse::Frame;
use wire::{Call, Chunk, More, Part};

/// A call whose arguments come in pieces, which is nothing a request of ours asks for.
const IN_PIECES: &str = "the arguments came in pieces, which is not supported";
/// The members of opaque state. What was signed: a part without text of its own, which goes back as it came, a part whose
/// text is kept beside it, or a call, whose id is kept with the signature where the provider gave one.
const TEXT: &str = "text";
const SIGNATURE: &str = "thoughtSignature";
const ID: &str = "id";

/// What one stream has said so far.
#[derive(Debug)]
pub(super) struct GeminiDecoder {
    limits: StreamLimits,
    started: bool,
    /// The response's id, as it is written; "" while none was told.
    id: String,
    /// Two frames had the same id: it is not a new one for each frame.
    id_holds: bool,
    calls: u64,
    /// The call told last has arguments in pieces, and more of them follow.
    is_in_pieces: bool,
    held: Vec<Held>,
    stop: Option<StopReason>,
    /// That the message did not end as it should, whatever is said after it.
    cut: Option<StopReason>,
    usage: Option<Usage>,
}

/// What waits for the end of the message: a call without arguments, and what came behind it.
#[derive(Debug)]
enum Held {
    Call { id: String, name: String, arguments: Arguments },
    State { value: Json, call_id: Option<String> },
}

impl GeminiDecoder {
    pub(super) fn new(limits: StreamLimits) -> GeminiDecoder {
        GeminiDecoder {
            limits,
            started: false,
            id: String::new(),
            id_holds: false,
            calls: 0,
            is_in_pieces: false,
            held: Vec::new(),
            stop: None,
            cut: None,
            usage: None,
        }
    }

    pub(super) fn frame(&mut self, frame: Frame<'_>, out: &mut Output<'_>) {
        let mut is_read = self.payload(frame.data, out);
        // servers that leave out the blank line between two payloads: each line is one then
        if !is_read && let Some((first, rest)) = frame.data.split_once('\n') {
            is_read = self.payload(first, out);
            for line in rest.split('\n') {
                is_read &= out.is_done() || self.payload(line, out);
            }
        }
        if !is_read && !frame.cut {
            out.notice("the provider sent a frame that could not be read; it was skipped", frame.data);
        }
    }

    /// The connection closed: a message that had a finish reason is whole.
    pub(super) fn end(&mut self, out: &mut Output<'_>) {
        if self.stop.is_some() {
            self.finish(out);
        } else {
            self.tell_usage(out);
        }
    }

    /// Reads one payload; says whether it could be read.
    fn payload(&mut self, data: &str, out: &mut Output<'_>) -> bool {
        let data = data.trim_ascii();
        // what a gateway adds after the end; without a finish reason it ends nothing
        if matches!(data, "" | "[DONE]") {
            return true;
        }
        if !data.starts_with('[') {
            return self.response(data, out);
        }
        // an error may come in a list of one; of a longer list a part could be read twice
        matches!(items(data).as_deref(), Some([one]) if self.response(one, out))
    }

    fn response(&mut self, data: &str, out: &mut Output<'_>) -> bool {
        // in the middle of an answer, and of the same one
        if self.started
            && self.stop.is_none()
            && let Some(more) = More::read(data, &self.id)
        {
            self.id_holds |= !self.id.is_empty();
            self.usage = more.usage.or(self.usage);
            out.text(&more.text);
            return true;
        }
        let chunk = Chunk::read(data);
        if let Some(chunk) = &chunk {
            self.chunk(chunk, out);
        }
        chunk.is_some()
    }

    fn chunk(&mut self, chunk: &Chunk<'_>, out: &mut Output<'_>) {
        if let Some(error) = &chunk.error {
            return self.fail(failure_in_stream(&error.status, error.code, &error.message), out);
        }
        let says_more = chunk.is_something();
        if says_more && self.is_second(chunk.id) {
            let sentence = "the provider began a second message in one stream";
            return self.fail(ProtocolError::new(ProtocolErrorCode::ProtocolViolation, sentence), out);
        }
        match chunk.id {
            Some(id) if self.id.is_empty() => id.clone_into(&mut self.id),
            Some(id) => self.id_holds |= id == self.id,
            None => {}
        }
        if !chunk.model.is_empty() {
            self.begin(&chunk.model, out);
        }
        if chunk.usage.is_some() {
            self.usage = chunk.usage;
        }
        if chunk.has_second {
            out.notice("the provider sent a second candidate, which was not asked for; it was skipped", "");
        }
        if says_more {
            // a message that goes on has not ended: some servers give the reason with every frame
            self.stop = None;
        }
        for part in &chunk.parts {
            self.part(part, out);
        }
        let is_told = !matches!(&*chunk.finish_reason, "" | "FINISH_REASON_UNSPECIFIED");
        if is_told || chunk.is_blocked {
            self.begin("", out);
            let stop = if is_told { self.finish_reason(chunk, out) } else { StopReason::Refusal };
            // a second finish reason does not undo a cut
            self.cut = self.cut.or((stop != StopReason::EndTurn).then_some(stop));
            self.stop = self.cut.or(Some(stop));
        }
    }

    /// Whether a frame of this id that says something belongs to another message than those before it.
    fn is_second(&self, id: Option<&str>) -> bool {
        let is_other = id.is_some_and(|id| !self.id.is_empty() && id != self.id);
        is_other && (self.id_holds || self.stop.is_some())
    }

    fn part(&mut self, part: &Part<'_>, out: &mut Output<'_>) {
        if let Some(call) = &part.call {
            self.begin("", out);
            return self.call(call, &part.signature, out);
        }
        if !part.text.is_empty() {
            self.begin("", out);
            if part.is_thought {
                out.reasoning(&part.text);
            } else {
                out.text(&part.text);
            }
        }
        // what is not kept cannot be given back, and neither can what was signed on it
        if part.signature.is_empty() || part.is_other {
            return;
        }
        self.begin("", out);
        let mut value = Object::new();
        if part.is_thought || part.text.is_empty() {
            value.insert(TEXT, "");
        }
        value.insert(SIGNATURE, &*part.signature);
        self.hold(Held::State { value: Json::from(value), call_id: None }, out);
    }

    fn call(&mut self, call: &Call<'_>, signature: &str, out: &mut Output<'_>) {
        if self.is_in_pieces && call.name.is_empty() {
            self.is_in_pieces = call.goes_on;
            return;
        }
        self.is_in_pieces = call.goes_on;
        self.calls += 1;
        let id = match &*call.id {
            "" => format!("call-{}", self.calls),
            id => bounded(id),
        };
        let name = bounded(&call.name);
        out.event(StreamEvent::ToolCallStart { id: id.clone(), name: name.clone() });
        let arguments = if call.is_partial {
            Arguments::TooLong(IN_PIECES.to_owned())
        } else {
            let mut text = ArgumentText::default();
            if text.push(call.args, &self.limits) {
                out.input_delta(&id, call.args);
            }
            text.read(&self.limits)
        };
        let mut value = Object::new();
        for (key, told) in [(ID, &*call.id), (SIGNATURE, signature)] {
            if !told.is_empty() {
                value.insert(key, told);
            }
        }
        self.hold(Held::Call { id: id.clone(), name, arguments }, out);
        if !value.is_empty() {
            self.hold(Held::State { value: Json::from(value), call_id: Some(id) }, out);
        }
    }

    fn begin(&mut self, model: &str, out: &mut Output<'_>) {
        if !std::mem::replace(&mut self.started, true) {
            out.event(StreamEvent::MessageStart { model: bounded(model) });
        }
    }

    /// Lets `item` out, now or, behind what already waits, at the end.
    fn hold(&mut self, item: Held, out: &mut Output<'_>) {
        if !self.held.is_empty() || matches!(&item, Held::Call { arguments: Arguments::Empty, .. }) {
            self.held.push(item);
        } else {
            release(item, None, out);
        }
    }

    /// Why the message ended, in our words; what is no end of an answer is told.
    fn finish_reason(&self, chunk: &Chunk<'_>, out: &mut Output<'_>) -> StopReason {
        let sentence = match &*chunk.finish_reason {
            "STOP" => return StopReason::EndTurn,
            "MAX_TOKENS" => return StopReason::MaxTokens,
            "SAFETY"
            | "RECITATION"
            | "LANGUAGE"
            | "BLOCKLIST"
            | "PROHIBITED_CONTENT"
            | "SPII"
            | "MODEL_ARMOR"
            | "IMAGE_SAFETY"
            | "IMAGE_PROHIBITED_CONTENT"
            | "IMAGE_RECITATION" => return StopReason::Refusal,
            "MALFORMED_FUNCTION_CALL" => "the model wrote a call that the provider could not read",
            "UNEXPECTED_TOOL_CALL" => "the model called a tool although none was offered",
            "TOO_MANY_TOOL_CALLS" => "the model called too many tools in a row",
            "MISSING_THOUGHT_SIGNATURE" => "the provider misses the signature of a thought in the conversation",
            _ => return StopReason::Unknown,
        };
        if self.cut.is_none() {
            out.notice(sentence, &chunk.finish_message);
        }
        StopReason::Unknown
    }

    /// The message ended: every call is complete, the costs are known, and so is why.
    fn finish(&mut self, out: &mut Output<'_>) {
        let stop = match self.stop {
            // the provider has no reason of its own for an answer that waits for its calls
            Some(StopReason::EndTurn) if self.calls > 0 => StopReason::ToolUse,
            stop => stop.unwrap_or(StopReason::Unknown),
        };
        for item in std::mem::take(&mut self.held) {
            release(item, Some(stop), out);
        }
        self.tell_usage(out);
        out.stop(stop);
    }

    fn tell_usage(&mut self, out: &mut Output<'_>) {
        if let Some(usage) = self.usage.take() {
            out.event(StreamEvent::Usage { usage });
        }
    }

    fn fail(&mut self, error: ProtocolError, out: &mut Output<'_>) {
        self.tell_usage(out);
        out.fail(error);
    }
}

/// Arguments are an object that the provider itself read and wrote anew: the output limit cannot have cut one that is
/// there, and refuses only the call that came without.
fn release(item: Held, stop: Option<StopReason>, out: &mut Output<'_>) {
    out.event(match item {
        Held::Call { id, name, arguments } => completed(id, name, arguments, stop, false),
        Held::State { value, call_id } => StreamEvent::ProviderState { provider: ProviderFormat::Gemini, value, call_id },
    });
}
