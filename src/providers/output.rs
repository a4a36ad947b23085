//! Where a format's decoder puts its events: the guard that lets one terminal event out and nothing after it.

use crate::protocol::error::{ProtocolError, ProtocolErrorCode};
use crate::protocol::event::{EventSink, StopReason, StreamEvent};
use crate::protocol::text::cap;

/// The longest id, tool name or model name passed on, in code points; a valid tool name is shorter.
const NAME_CODE_POINTS: usize = 200;

/// The way out of a decoder.
pub(super) struct Output<'a> {
    sink: &'a mut dyn EventSink,
    done: bool,
}

impl<'a> Output<'a> {
    pub(super) fn new(sink: &'a mut dyn EventSink) -> Output<'a> {
        Output { sink, done: false }
    }

    /// Whether the terminal event has left.
    pub(super) fn is_done(&self) -> bool {
        self.done
    }

    pub(super) fn text(&mut self, text: &str) {
        if !text.is_empty() && !self.done {
            self.sink.text(text);
        }
    }

    pub(super) fn reasoning(&mut self, text: &str) {
        if !text.is_empty() && !self.done {
            self.sink.reasoning(text);
        }
    }

    pub(super) fn input_delta(&mut self, id: &str, partial_json: &str) {
        if !partial_json.is_empty() && !self.done {
            self.sink.input_delta(id, partial_json);
        }
    }

    /// Anything that is neither a delta nor terminal.
    pub(super) fn event(&mut self, event: StreamEvent) {
        if !self.done {
            self.sink.event(event);
        }
    }

    /// Tells of one frame that could not be read; the stream goes on.
    pub(super) fn notice(&mut self, message: impl Into<String>, detail: &str) {
        self.event(StreamEvent::Error { error: ProtocolError::new(ProtocolErrorCode::MalformedStream, message).with_detail(detail) });
    }

    /// The message ended.
    pub(super) fn stop(&mut self, stop_reason: StopReason) {
        self.event(StreamEvent::MessageStop { stop_reason });
        self.done = true;
    }

    /// The stream failed.
    pub(super) fn fail(&mut self, error: ProtocolError) {
        self.event(StreamEvent::Error { error });
        self.done = true;
    }
}

/// A name that a stream chose, bounded; what was cut can match nothing that was declared.
pub(super) fn bounded(name: &str) -> String {
    cap(name, NAME_CODE_POINTS)
}
