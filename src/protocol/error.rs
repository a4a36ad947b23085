//! Who is at fault, in words that can be shown: provider (`ProtocolError`) or host (`Fault`).

use std::fmt;
use std::ops::{Deref, DerefMut};

use serde::Serialize;

use crate::{from_json, words};

words! {
    /// What went wrong between the host and a provider; the codes are stable.
    pub enum ProtocolErrorCode {
        /// The model cannot do what was asked of it (tools, say).
        UnsupportedCapability = "unsupported_capability",
        /// No key was given for a provider that wants one.
        NoApiKey = "no_api_key",
        /// The provider answered with an HTTP status that is not a success.
        HttpStatus = "http_status",
        /// The provider asks to slow down (429).
        RateLimited = "rate_limited",
        /// The provider is overloaded.
        Overloaded = "overloaded",
        /// The connection failed.
        Transport = "transport",
        /// One frame of the stream could not be read (a notice, never an end).
        MalformedStream = "malformed_stream",
        /// The stream closed before its message ended.
        TruncatedStream = "truncated_stream",
        /// The stream broke the order of its own protocol.
        ProtocolViolation = "protocol_violation",
        /// What must be sent does not fit the model's window.
        ContextOverflow = "context_overflow",
        /// A cap of the stream was reached.
        LimitExceeded = "limit_exceeded",
        /// The request was cancelled.
        Cancelled = "cancelled",
    }
}

/// A failure of the conversation with a provider: one authored sentence, safe to show, log and keep.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct ProtocolError {
    /// The stable code.
    pub code: ProtocolErrorCode,
    /// One authored sentence, safe to show.
    pub message: String,
    /// The provider's own words: redacted, then capped at 200 code points.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub provider_detail: Option<String>,
    /// How long the provider asks to wait, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub retry_after_ms: Option<f64>,
    /// The HTTP status, where there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub status: Option<u32>,
}

from_json! {
    ProtocolError {
        code: "code",
        message: "message",
        provider_detail: "providerDetail",
        retry_after_ms: "retryAfterMs",
        status: "status",
    }
}

impl ProtocolError {
    /// An error without detail.
    pub fn new(code: ProtocolErrorCode, message: impl Into<String>) -> ProtocolError {
        ProtocolError { code, message: message.into(), provider_detail: None, retry_after_ms: None, status: None }
    }

    /// Adds the provider's own words, masked and capped.
    #[must_use]
    pub fn with_detail(mut self, detail: &str) -> ProtocolError {
        self.provider_detail = super::text::redact(detail);
        self
    }

    /// Whether asking again may help: rate limits, overload, 5xx and network faults.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        match self.code {
            ProtocolErrorCode::RateLimited | ProtocolErrorCode::Overloaded | ProtocolErrorCode::Transport => true,
            ProtocolErrorCode::HttpStatus => self.status.is_some_and(|status| (500..600).contains(&status)),
            _ => false,
        }
    }
}

/// Host misuse: a call that cannot be understood at all. `code` is stable, `path` says where.
// One pointer wide, since nearly every function that reads anything hands one on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(Box<FaultParts>);

/// What a fault says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultParts {
    /// The stable code.
    pub code: &'static str,
    /// What is wrong, in one sentence.
    pub message: String,
    /// Where in the given value, `tools[2].inputSchema` for example; empty where there is no place.
    pub path: String,
    /// What would have been right, where that can be said in a few words.
    pub expected: Option<String>,
}

impl Deref for Fault {
    type Target = FaultParts;

    fn deref(&self) -> &FaultParts {
        &self.0
    }
}

impl DerefMut for Fault {
    fn deref_mut(&mut self) -> &mut FaultParts {
        &mut self.0
    }
}

impl Fault {
    /// A fault without a place.
    pub fn new(code: &'static str, message: impl Into<String>) -> Fault {
        Fault::of(code, String::new(), message.into())
    }

    /// A fault at `path`.
    pub fn at(code: &'static str, path: impl Into<String>, message: impl Into<String>) -> Fault {
        Fault::of(code, path.into(), message.into())
    }

    #[inline(never)]
    fn of(code: &'static str, path: String, message: String) -> Fault {
        Fault(Box::new(FaultParts { code, message, path, expected: None }))
    }

    /// Says what would have been right.
    #[must_use]
    pub fn expecting(mut self, expected: impl Into<String>) -> Fault {
        self.expected = Some(expected.into());
        self
    }

    /// The same fault seen from one level further out: `path` gets `outer` in front.
    #[must_use]
    #[inline(never)]
    pub fn under(mut self, outer: &str) -> Fault {
        if !outer.is_empty() {
            let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
            self.path = super::text::concat(&[outer, dot, &self.path]);
        }
        self
    }

    /// The same fault with another code, and words in front of its message.
    #[must_use]
    pub(crate) fn told_as(mut self, code: &'static str, head: &str) -> Fault {
        self.code = code;
        self.message.insert_str(0, head);
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() { formatter.write_str(&self.message) } else { write!(formatter, "{}: {}", self.path, self.message) }
    }
}

impl std::error::Error for Fault {}
