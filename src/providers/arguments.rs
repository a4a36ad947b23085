//! The argument text of one call: kept under a byte cap while it streams, read exactly once at its end.

use crate::protocol::json::Json;
use crate::tools::arguments::{ArgumentLimits, parse_arguments};

use super::StreamLimits;

/// The argument text of a call that is still open.
#[derive(Debug, Default)]
pub(super) struct ArgumentText {
    text: String,
    too_long: bool,
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
    /// Over the byte cap, and so not read; why.
    TooLong(String),
}

impl ArgumentText {
    /// Adds a fragment; one that would pass the cap frees all of the text and is not added.
    pub(super) fn push(&mut self, fragment: &str, limits: &StreamLimits) -> bool {
        if self.too_long || self.text.len() + fragment.len() > limits.max_argument_bytes {
            self.too_long = true;
            self.text = String::new();
            return false;
        }
        self.text.push_str(fragment);
        true
    }

    /// Whether nothing but blanks came.
    pub(super) fn is_blank(&self) -> bool {
        !self.too_long && is_blank(&self.text)
    }

    /// Reads the text.
    pub(super) fn read(&self, limits: &StreamLimits) -> Arguments {
        if self.too_long {
            return Arguments::TooLong(format!("the argument text is longer than {} bytes", limits.max_argument_bytes));
        }
        if is_blank(&self.text) {
            return Arguments::Empty;
        }
        let limits = ArgumentLimits { max_bytes: limits.max_argument_bytes, max_depth: limits.max_argument_depth };
        match parse_arguments(&self.text, &limits) {
            Ok(input) => Arguments::Read(input),
            Err(reason) => Arguments::Refused(reason),
        }
    }
}

fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
}
