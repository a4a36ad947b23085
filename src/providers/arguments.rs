//! The argument text of one call: kept under a byte cap while it streams, read exactly once at its end.

use crate::json_object;
use crate::protocol::event::{StopReason, StreamEvent};
use crate::protocol::json::Json;
use crate::tools::arguments::{ArgumentLimits, parse_arguments};

use super::StreamLimits;

/// What stands in for the reason where a message was cut by the output limit.
pub(super) const CUT_BY_LIMIT: &str = "the output limit cut the message before the arguments of this call were complete";
/// The same where the answer was declined in the middle.
pub(super) const CUT_BY_REFUSAL: &str = "the answer was refused before the arguments of this call were complete";
/// A call of which a part could not be read or belongs to nobody knows which.
const TORN: &str = "a part of the arguments of this call was lost on the way";
/// A call without arguments in a message that ended nobody knows why.
const END_UNKNOWN: &str = "no arguments came, and it is not known why the message ended";

/// In how many ways a server may write the same arguments: comparing values costs the length of the text each time.
const MAX_WAYS: u8 = 3;

/// The argument text of a call that is still open.
#[derive(Debug, Default)]
pub(super) struct ArgumentText {
    text: String,
    /// The last byte that is no blank; 0 where there is none.
    last: u8,
    /// How many objects and lists are open after it, and where in a string it ended.
    depth: usize,
    string: InString,
    too_long: bool,
    /// A part of it never arrived: what is there may read as something that was never said.
    is_torn: bool,
    /// How often it was told as a whole, written in another way.
    confirmed: u8,
}

/// Whether a text ended inside a string.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum InString {
    #[default]
    No,
    Yes,
    /// Behind a backslash: the next character ends nothing.
    Escaped,
}

/// What an argument text came to.
#[derive(Debug)]
pub(super) enum Arguments {
    /// One JSON object.
    Read(Json),
    /// No text at all, or only blanks: `{}` if the message was not cut.
    Empty,
    /// Not acceptable, and why.
    Refused(String),
    /// Over the byte cap or torn, and so not read; why.
    TooLong(String),
}

impl ArgumentText {
    /// Adds a fragment; one that would pass the cap frees all of the text and is not added.
    pub(super) fn push(&mut self, fragment: &str, limits: &StreamLimits) -> bool {
        if self.is_torn || self.too_long {
            return false;
        }
        if self.text.len() + fragment.len() > limits.max_argument_bytes {
            self.too_long = true;
            self.text = String::new();
            return false;
        }
        if let Some(last) = fragment.bytes().rev().find(|byte| !is_blank(*byte)) {
            self.last = last;
        }
        for byte in fragment.bytes() {
            self.follow(byte);
        }
        self.text.push_str(fragment);
        true
    }

    fn follow(&mut self, byte: u8) {
        self.string = match (self.string, byte) {
            (InString::Yes, b'\\') => InString::Escaped,
            (InString::Yes, b'"') => InString::No,
            (InString::Yes | InString::Escaped, _) => InString::Yes,
            (InString::No, b'"') => InString::Yes,
            (InString::No, _) => InString::No,
        };
        match byte {
            b'{' | b'[' if self.string == InString::No => self.depth += 1,
            b'}' | b']' if self.string == InString::No => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }

    /// Hears what the text is as a whole. One that came in fragments stands where that says the same, be it written
    /// otherwise; where it says something else nobody knows which of the two was meant.
    pub(super) fn confirm(&mut self, whole: &str, limits: &StreamLimits) {
        if self.is_torn || self.too_long || whole.trim_ascii().is_empty() || whole == self.text {
            return;
        }
        let mut confirmed = self.confirmed;
        if !self.is_blank() {
            confirmed += 1;
            if confirmed > MAX_WAYS || !self.says(whole, limits) {
                return self.tear();
            }
        }
        *self = ArgumentText { confirmed, ..ArgumentText::default() };
        self.push(whole, limits);
    }

    fn says(&self, whole: &str, limits: &StreamLimits) -> bool {
        let mut other = ArgumentText::default();
        other.push(whole, limits);
        matches!((self.read(limits), other.read(limits)), (Arguments::Read(one), Arguments::Read(other)) if one == other)
    }

    /// A part never arrived; the rest is of no use.
    pub(super) fn tear(&mut self) {
        self.is_torn = true;
        self.free();
    }

    /// Gives back the memory of a text that was read.
    pub(super) fn free(&mut self) {
        self.text = String::new();
    }

    /// Whether nothing but blanks came.
    pub(super) fn is_blank(&self) -> bool {
        self.last == 0 && !self.too_long && !self.is_torn
    }

    /// Whether the text ends as a whole object does, so that another one may begin.
    pub(super) fn is_closed(&self) -> bool {
        self.last == b'}' && self.depth == 0 && self.string == InString::No
    }

    /// Whether it is what stands in for arguments in general.
    pub(super) fn is_placeholder(&self) -> bool {
        self.text == "{}"
    }

    /// Whether more of it could change nothing, as far as can be told without reading it.
    pub(super) fn may_be_whole(&self) -> bool {
        self.is_closed() || self.too_long || self.is_torn
    }

    /// Reads the text.
    pub(super) fn read(&self, limits: &StreamLimits) -> Arguments {
        if self.too_long {
            return Arguments::TooLong(format!("the argument text is longer than {} bytes", limits.max_argument_bytes));
        }
        if self.is_torn {
            return Arguments::TooLong(TORN.to_owned());
        }
        if self.is_blank() {
            return Arguments::Empty;
        }
        let limits = ArgumentLimits { max_bytes: limits.max_argument_bytes, max_depth: limits.max_argument_depth };
        match parse_arguments(&self.text, &limits) {
            Ok(input) => Arguments::Read(input),
            Err(reason) => Arguments::Refused(reason),
        }
    }
}

/// The event of a call that is complete: its arguments, in the light of how the message ended.
pub(super) fn completed(id: String, name: String, arguments: Arguments, stop: Option<StopReason>, is_last: bool) -> StreamEvent {
    let (input, invalid) = match judge(arguments, stop, is_last) {
        Ok(input) => (input, None),
        Err(reason) => (json_object! {}, Some(reason)),
    };
    StreamEvent::ToolCallComplete { id, name, input, invalid, provider_id: None }
}

fn judge(arguments: Arguments, stop: Option<StopReason>, is_last: bool) -> Result<Json, String> {
    match (arguments, stop) {
        (Arguments::Read(input), _) => Ok(input),
        (Arguments::TooLong(reason), _) => Err(reason),
        (Arguments::Empty, Some(StopReason::EndTurn | StopReason::ToolUse | StopReason::StopSequence)) => Ok(json_object! {}),
        (Arguments::Empty, Some(StopReason::MaxTokens)) => Err(CUT_BY_LIMIT.to_owned()),
        (Arguments::Empty, Some(StopReason::Refusal)) => Err(CUT_BY_REFUSAL.to_owned()),
        (Arguments::Empty, _) => Err(END_UNKNOWN.to_owned()),
        // only the last block of a message can have been cut
        (Arguments::Refused(_), Some(StopReason::MaxTokens)) if is_last => Err(CUT_BY_LIMIT.to_owned()),
        (Arguments::Refused(_), Some(StopReason::Refusal)) if is_last => Err(CUT_BY_REFUSAL.to_owned()),
        (Arguments::Refused(reason), _) => Err(reason),
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}
