//! Reads the stream of OpenAI's Chat Completions API, as OpenAI and the many servers that speak it write it.
//!
//! Enters: frames. Leaves: events. No frame says that a call is complete: it is once its text is a whole object and
//! something else follows, and all of them are once the message has ended, by `[DONE]`, or by a finish reason after
//! which the connection closes. What belongs to which call is told by index, id and name, any of which a server may
//! leave out or repeat; where that leaves a doubt the call is answered, not run.

pub(super) mod build;
mod state;
mod wire;

use std::sync::Arc;

use crate::protocol::error::{ProtocolError, ProtocolErrorCode};
use crate::protocol::event::{StopReason, StreamEvent, Usage};
use crate::protocol::json::{Json, Object};
use crate::protocol::places::KeptPlaces;

use super::StreamLimits;
use super::arguments::{ArgumentText, Arguments, completed};
use super::failure::failure_in_stream;
use super::output::{Output, bounded};
use super::sse::Frame;
use super::written::Failure;
use state::{OF_CALL, Thoughts};
use wire::{Chunk, Fragment, Payload, Said};

/// What one stream has said so far.
#[derive(Debug)]
pub(super) struct ChatDecoder {
    limits: StreamLimits,
    started: bool,
    identity: Identity,
    /// The index of the one choice that is read, as it is written; "" while none was.
    choice: String,
    /// How many bytes of text were told.
    said: usize,
    has_reasoned: bool,
    thoughts: Thoughts,
    has_refused: bool,
    calls: Vec<Call>,
    /// How many of them, from the first, are complete.
    complete: usize,
    /// The newest call under each index as it is written, and under each id.
    by_index: KeptPlaces,
    by_id: KeptPlaces,
    /// Whether a call was opened while the one before it was not complete.
    is_tangled: bool,
    /// How often something was lost.
    gaps: u32,
    stop: Option<StopReason>,
    /// That the message was cut, whatever is said after it.
    cut: Option<StopReason>,
    usage: Option<Usage>,
}

/// A call, from its first fragment on.
#[derive(Debug)]
struct Call {
    /// The provider's, or ours where it gave none.
    id: String,
    name: String,
    /// Whether the provider gave the id.
    is_named: bool,
    /// The index it came with, as it is written; "" where it came without.
    index: String,
    /// Whether its index was that of a call whose arguments were not whole.
    is_contested: bool,
    /// Whether it was announced: not before its name is known.
    is_told: bool,
    /// Whether its text was read before the message ended; that is done once.
    is_tried: bool,
    text: ArgumentText,
    /// What is to be returned with it and was not told yet.
    state: Object,
    /// How often something had been lost when its last part came.
    gaps: u32,
}

/// What tells a second message from more of the first. Some servers give each chunk an id of its own, or each the
/// role: such an id or role says nothing, and whether it does is learned from the stream itself.
#[derive(Debug, Default)]
struct Identity {
    id: String,
    /// Two chunks had the same id.
    id_holds: bool,
    role_is_named: bool,
    role_repeats: bool,
}

/// Where a fragment belongs.
enum Owner {
    Call(usize),
    New,
    /// One of several calls, nobody knows which.
    Doubtful,
    /// A call that was never opened.
    Nobody,
}

impl ChatDecoder {
    pub(super) fn new(limits: StreamLimits) -> ChatDecoder {
        ChatDecoder {
            limits,
            started: false,
            identity: Identity::default(),
            choice: String::new(),
            said: 0,
            has_reasoned: false,
            thoughts: Thoughts::default(),
            has_refused: false,
            calls: Vec::new(),
            complete: 0,
            by_index: KeptPlaces::new(),
            by_id: KeptPlaces::new(),
            is_tangled: false,
            gaps: 0,
            stop: None,
            cut: None,
            usage: None,
        }
    }

    pub(super) fn frame(&mut self, frame: Frame<'_>, out: &mut Output<'_>) {
        if frame.event == "error" {
            let error = Failure::of_payload(frame.data);
            return self.fail(failure_in_stream(&error.kind, &error.code, &error.message), out);
        }
        let mut is_read = self.payload(frame.data, out);
        // servers that leave out the blank line between two payloads: each line is one then
        if !is_read && let Some((first, rest)) = frame.data.split_once('\n') {
            is_read = self.payload(first, out);
            for line in rest.split('\n') {
                is_read &= out.is_done() || self.payload(line, out);
            }
        }
        if is_read {
            return;
        }
        self.gap();
        if !frame.cut {
            out.notice("the provider sent a frame that could not be read; it was skipped", frame.data);
        }
    }

    /// Something that could not be read was skipped: a call that goes on after it, or has nothing so far, is not whole.
    pub(super) fn gap(&mut self) {
        self.gaps = self.gaps.saturating_add(1);
        self.thoughts.tear();
    }

    /// A finish reason was told, so that nothing more of the message has to come.
    pub(super) fn may_end(&self) -> bool {
        self.stop.is_some()
    }

    /// The connection closed: a message that had a finish reason is whole without `[DONE]`.
    pub(super) fn end(&mut self, out: &mut Output<'_>) {
        if self.stop.is_some() {
            self.finish(out);
        } else {
            self.tell_usage(out);
        }
    }

    /// Reads one payload; says whether it could be read.
    fn payload(&mut self, data: &str, out: &mut Output<'_>) -> bool {
        match data.trim_ascii() {
            "" => {}
            "[DONE]" => self.finish(out),
            data => {
                let Some(payload) = Payload::read(data) else { return false };
                match payload.text_of(&self.identity.id, &self.choice) {
                    Some(more) if self.started && self.stop.is_none() => {
                        self.identity.id_holds |= !self.identity.id.is_empty();
                        self.complete_last(false, out);
                        self.text(&more, out);
                    }
                    _ => match payload.chunk() {
                        Some(mut chunk) => {
                            self.choose(&mut chunk, out);
                            self.chunk(&chunk, out);
                        }
                        None => return false,
                    },
                }
            }
        }
        true
    }

    /// One answer was asked for and one is read: what is said in another choice belongs to none of its calls.
    fn choose(&mut self, chunk: &mut Chunk<'_>, out: &mut Output<'_>) {
        let Some(choice) = chunk.choice else { return };
        if self.choice.is_empty() {
            choice.clone_into(&mut self.choice);
        }
        if choice != self.choice && chunk.silence() {
            self.gap();
            out.notice("the provider sent a second choice, which was not asked for; it was skipped", "");
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>, out: &mut Output<'_>) {
        if let Some(error) = &chunk.error {
            return self.fail(failure_in_stream(&error.kind, &error.code, &error.message), out);
        }
        let says_more = chunk.delta.is_something();
        if self.identity.is_second(chunk.id, chunk.delta.names_role, self.stop.is_some(), says_more) {
            let sentence = "the provider began a second message in one stream";
            return self.fail(ProtocolError::new(ProtocolErrorCode::ProtocolViolation, sentence), out);
        }
        if !chunk.model.is_empty() {
            self.begin(&chunk.model, out);
        }
        if chunk.usage.is_some() {
            self.usage = chunk.usage;
        }
        // by itself neither begins a message nor goes on with one: a seal may come with or after the finish reason
        if let Some(list) = chunk.delta.details {
            self.thoughts.add_details(list);
        }
        if says_more {
            // a message that goes on has not ended
            self.stop = None;
            self.delta(&chunk.delta, out);
        } else if chunk.delta.kept.is_some() {
            self.thoughts.add_text("");
        }
        if let Some(snapshot) = &chunk.snapshot {
            self.snapshot(snapshot, out);
        }
        if chunk.finish_reason.is_empty() {
            return;
        }
        match &*chunk.finish_reason.to_ascii_lowercase() {
            "error" => self.fail(failure_in_stream("", "", ""), out),
            reason => {
                self.begin("", out);
                // a second finish reason does not undo a cut
                let stop = self.cut.unwrap_or_else(|| stop_reason(reason, !self.calls.is_empty()));
                self.stop = Some(stop);
                self.cut = self.stop.filter(|stop| matches!(stop, StopReason::MaxTokens | StopReason::Refusal));
            }
        }
    }

    fn delta(&mut self, delta: &Said<'_>, out: &mut Output<'_>) {
        self.begin("", out);
        let thought = delta.thought();
        if !(thought.is_empty() && delta.text.is_empty() && delta.refusal.is_empty()) {
            self.complete_last(false, out);
        }
        self.has_reasoned |= !thought.is_empty();
        if let Some(text) = &delta.kept {
            self.thoughts.add_text(text);
        }
        out.reasoning(thought);
        self.text(&delta.text, out);
        self.has_refused |= !delta.refusal.is_empty();
        self.text(&delta.refusal, out);
        for fragment in &delta.calls {
            match self.owner(fragment) {
                Owner::Call(place) => {
                    self.doubt(place, fragment);
                    self.add(place, fragment, out);
                }
                Owner::New => self.open(fragment, out),
                Owner::Nobody => out.notice("the provider sent arguments for a call that is not open", ""),
                Owner::Doubtful => {
                    self.gap();
                    out.notice("the provider sent arguments without saying for which of several calls", "");
                }
            }
        }
    }

    /// All that was said, told again or only now: what was told already is not told twice, arguments that came in
    /// fragments stand where these are the same.
    fn snapshot(&mut self, said: &Said<'_>, out: &mut Output<'_>) {
        if let Some(list) = said.details {
            self.thoughts.add_whole_details(list);
        }
        if !said.is_something() {
            return;
        }
        self.begin("", out);
        if !self.has_reasoned {
            self.has_reasoned = true;
            if let Some(text) = &said.kept {
                self.thoughts.add_text(text);
            }
            out.reasoning(said.thought());
        }
        let rest = said.text.get(self.said..).unwrap_or_default();
        self.text(rest, out);
        if !self.has_refused {
            self.has_refused = !said.refusal.is_empty();
            self.text(&said.refusal, out);
        }
        for (place, fragment) in said.calls.iter().enumerate() {
            // a whole list: where nothing else is told, the place in it says which call is meant
            let known = match (self.by_id.get(&*fragment.id), fragment.index.and_then(|index| self.by_index.get(index))) {
                (Some(place), _) | (None, Some(place)) => Some(*place),
                (None, None) => self.calls.get(place).filter(|call| call.name == fragment.name).map(|_| place),
            };
            match known {
                None => self.open(fragment, out),
                Some(place) if self.calls.get(place).is_some_and(|call| call.text.is_blank()) => self.add(place, fragment, out),
                Some(place) => {
                    self.add_state(place, fragment);
                    // what has left can be told no other way
                    if let Some(call) = self.calls.get_mut(place).filter(|_| place >= self.complete) {
                        call.text.confirm(&fragment.arguments, &self.limits);
                    }
                }
            }
        }
    }

    fn begin(&mut self, model: &str, out: &mut Output<'_>) {
        if !std::mem::replace(&mut self.started, true) {
            out.event(StreamEvent::MessageStart { model: bounded(model) });
        }
    }

    fn text(&mut self, text: &str, out: &mut Output<'_>) {
        if text.is_empty() {
            return;
        }
        self.thoughts.tell_text(out);
        self.said += text.len();
        out.text(text);
    }

    /// An index is believed before an id, an id before the order. "" and null are as good as absent everywhere.
    fn owner(&self, fragment: &Fragment<'_>) -> Owner {
        let last = self.calls.len().checked_sub(1);
        let is_numbered = |place: usize| self.calls.get(place).is_some_and(|call| !call.index.is_empty());
        let by_id = self.by_id.get(&*fragment.id).copied();
        // an id that was shortened is like others
        let is_of = |place: usize| by_id == Some(place) || self.calls.get(place).is_some_and(|call| call.id == fragment.id);
        let known = match fragment.index {
            // one index for several calls, which their ids tell apart
            Some(index) if by_id.and_then(|place| self.calls.get(place)).is_some_and(|call| call.index == index) => by_id,
            // an index that comes late belongs to the call its id names
            Some(index) => self.by_index.get(index).copied().or(by_id.filter(|place| !is_numbered(*place))),
            None => by_id,
        };
        let may_begin = !fragment.name.is_empty() || !fragment.id.is_empty();
        match (known, last) {
            // the index says one call and the id another
            (Some(place), _) if by_id.is_some() && !is_of(place) => Owner::Doubtful,
            (Some(place), _) => match self.goes_on(place, fragment) {
                // the index alone would say either of two; only an id could begin a third
                Owner::New if !fragment.id.is_empty() => Owner::New,
                _ if self.calls.get(place).is_some_and(|call| call.is_contested) && !is_of(place) => Owner::Doubtful,
                owner => owner,
            },
            // an index, or an id beside it, that was never seen
            (None, _) if fragment.index.is_some() && may_begin => Owner::New,
            (None, None) if may_begin => Owner::New,
            (None, None) => Owner::Nobody,
            // nor was its call given one: the first fragment had none
            (None, Some(place)) if fragment.index.is_some() && is_numbered(place) => Owner::Nobody,
            // neither index nor known id: the call that was opened last, unless an earlier one waits as well
            (None, Some(place)) => match self.goes_on(place, fragment) {
                Owner::New if !fragment.id.is_empty() => Owner::New,
                _ if self.is_tangled => Owner::Doubtful,
                owner => owner,
            },
        }
    }

    /// Whether the fragment goes on with this call or begins another in its place. Id, type and name come once, with
    /// the first fragment, so that nothing begins without a name; some servers give every fragment a new id.
    fn goes_on(&self, place: usize, fragment: &Fragment<'_>) -> Owner {
        let Some(call) = self.calls.get(place) else { return Owner::New };
        let is_its_id = self.by_id.get(&*fragment.id) == Some(&place);
        let begins = !fragment.name.is_empty()
            && !is_its_id
            && ((!fragment.id.is_empty() && call.is_named)
                || (!call.name.is_empty() && call.name != fragment.name)
                // the same name again: another object after a whole one is another call
                || (call.text.is_closed() && fragment.arguments.trim_start().starts_with('{')));
        if begins { Owner::New } else { Owner::Call(place) }
    }

    /// What was lost may have opened another call, whose fragments then look like this one's: order alone, or the index
    /// that some servers give to every call, no longer says whose they are. An id does.
    fn doubt(&mut self, place: usize, fragment: &Fragment<'_>) {
        let is_told_apart = self.by_id.get(&*fragment.id) == Some(&place) || !matches!(fragment.index, None | Some("0"));
        if self.gaps == 0 || is_told_apart || fragment.arguments.is_empty() {
            return;
        }
        if let Some(call) = self.calls.get_mut(place) {
            call.text.tear();
        }
    }

    fn open(&mut self, fragment: &Fragment<'_>, out: &mut Output<'_>) {
        self.complete_last(true, out);
        self.thoughts.tell_text(out);
        let place = self.calls.len();
        let id = match &*fragment.id {
            "" => format!("call-{}", place + 1),
            id => {
                self.by_id.insert(Arc::from(id), place);
                bounded(id)
            }
        };
        let before = fragment.index.and_then(|index| self.by_index.insert(Arc::from(index), place));
        self.is_tangled |= self.calls.last().is_some_and(|call| !call.text.may_be_whole());
        self.calls.push(Call {
            id,
            name: String::new(),
            is_named: !fragment.id.is_empty(),
            index: fragment.index.unwrap_or_default().to_owned(),
            is_contested: before.and_then(|place| self.calls.get(place)).is_some_and(|call| !call.text.may_be_whole()),
            is_told: false,
            is_tried: false,
            text: ArgumentText::default(),
            state: Object::new(),
            gaps: self.gaps,
        });
        self.add(place, fragment, out);
    }

    fn add_state(&mut self, place: usize, fragment: &Fragment<'_>) {
        let Some(call) = self.calls.get_mut(place) else { return };
        for (name, written) in OF_CALL.into_iter().zip(fragment.state) {
            if let Some(value) = written.and_then(|written| Json::parse(written).ok()) {
                call.state.insert(name, value);
            }
        }
    }

    fn add(&mut self, place: usize, fragment: &Fragment<'_>, out: &mut Output<'_>) {
        self.add_state(place, fragment);
        let Some(call) = self.calls.get_mut(place) else { return };
        if call.name.is_empty() && !fragment.name.is_empty() {
            call.name = bounded(&fragment.name);
            call.tell(out);
        }
        if fragment.arguments.is_empty() {
            return;
        }
        if place < self.complete {
            return out.notice("the provider sent arguments for a call that is not open", "");
        }
        if call.gaps != self.gaps {
            call.text.tear();
        }
        if call.text.push(&fragment.arguments, &self.limits) && call.is_told {
            out.input_delta(&call.id, &fragment.arguments);
        }
    }

    /// Something else follows the last call: where its text is whole, nothing but blanks could still belong to it.
    /// While an earlier one waits, so does it: calls are complete in their order. An empty object that no other call
    /// follows waits too, as it may hold the place of arguments that are still to come.
    fn complete_last(&mut self, is_call_next: bool, out: &mut Output<'_>) {
        if self.complete + 1 != self.calls.len() {
            return;
        }
        let Some(call) = self
            .calls
            .last_mut()
            .filter(|call| call.text.may_be_whole() && !call.is_tried && (is_call_next || !call.text.is_placeholder()))
        else {
            return;
        };
        call.is_tried = true;
        let arguments = call.text.read(&self.limits);
        if matches!(arguments, Arguments::Read(_) | Arguments::TooLong(_)) {
            call.tell(out);
            call.text.free();
            self.complete += 1;
            self.thoughts.tell(true, out);
            call.tell_state(out);
            out.event(completed(call.id.clone(), call.name.clone(), arguments, None, true));
        }
    }

    /// The message ended: every call is complete, the costs are known, and so is why.
    fn finish(&mut self, out: &mut Output<'_>) {
        let calls = std::mem::take(&mut self.calls);
        self.stop = self.stop.or(self.cut);
        let stop = match self.stop {
            Some(cut @ (StopReason::MaxTokens | StopReason::Refusal)) => cut,
            // what was opened decides: servers say `stop` beside calls, or nothing at all
            _ if !calls.is_empty() => StopReason::ToolUse,
            _ if self.has_refused => StopReason::Refusal,
            Some(reason) => reason,
            None if self.said > 0 => StopReason::EndTurn,
            None => StopReason::Unknown,
        };
        let last = calls.len();
        // thoughts that led to nothing belong to nothing that could go back
        if last > 0 || self.said > 0 {
            self.thoughts.tell(last > 0, out);
        }
        for (place, mut call) in (1..).zip(calls) {
            if place <= self.complete {
                call.tell_state(out);
                continue;
            }
            call.tell(out);
            call.tell_state(out);
            // what was lost may have been all of it
            if call.text.is_blank() && call.gaps != self.gaps {
                call.text.tear();
            }
            let arguments = call.text.read(&self.limits);
            out.event(completed(call.id, call.name, arguments, self.stop, place == last));
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

impl Call {
    fn tell(&mut self, out: &mut Output<'_>) {
        if !std::mem::replace(&mut self.is_told, true) {
            out.event(StreamEvent::ToolCallStart { id: self.id.clone(), name: self.name.clone() });
        }
    }

    /// Tells what is to be returned with the call; what comes later still is told at the end of the message.
    fn tell_state(&mut self, out: &mut Output<'_>) {
        let state = std::mem::take(&mut self.state);
        if !state.is_empty() {
            state::tell(Json::from(state), Some(&self.id), out);
        }
    }
}

impl Identity {
    /// Whether a chunk with this id and role belongs to another message than those before it.
    fn is_second(&mut self, id: Option<&str>, names_role: bool, has_ended: bool, says_more: bool) -> bool {
        let is_other = id.is_some_and(|id| !self.id.is_empty() && id != self.id);
        let is_role_again = names_role && self.role_is_named && !self.role_repeats;
        let is_second = if has_ended {
            says_more && (is_role_again || (is_other && self.id_holds))
        } else {
            is_role_again && is_other && self.id_holds
        };
        self.role_repeats |= is_role_again;
        self.role_is_named |= names_role;
        match id {
            Some(id) if self.id.is_empty() => id.clone_into(&mut self.id),
            Some(_) if !is_other => self.id_holds = true,
            _ => {}
        }
        is_second
    }
}

/// The finish reasons of OpenAI, and the words that other servers have for the same.
fn stop_reason(name: &str, has_calls: bool) -> StopReason {
    match name {
        "stop" | "eos" | "eos_token" | "end_turn" => StopReason::EndTurn,
        "tool_calls" => StopReason::ToolUse,
        "function_call" if has_calls => StopReason::ToolUse,
        "length" | "max_tokens" | "model_length" => StopReason::MaxTokens,
        "content_filter" | "safety" | "refusal" => StopReason::Refusal,
        "stop_sequence" => StopReason::StopSequence,
        _ => StopReason::Unknown,
    }
}
