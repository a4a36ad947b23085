//! What went wrong, where a provider says so in the middle of a stream that had begun as a success.
//!
//! Enters: the provider's words for it. Leaves: one authored error with the HTTP status this kind of failure has
//! otherwise; the words themselves go masked into its detail alone. Knows no wire format.

use crate::protocol::error::{ProtocolError, ProtocolErrorCode};
use crate::protocol::text::find;

/// What says by itself that the conversation is too long.
const TOO_LONG: [&str; 4] = ["context_length_exceeded", "exceed_context_size_error", "request_too_large", "prompt_too_long"];

/// The failure that `kind`, `code` (a word or a status) and `message` tell of; "" stands for what is not told.
pub(super) fn failure_in_stream(kind: &str, code: &str, message: &str) -> ProtocolError {
    let told = code.parse().ok().filter(|status| (400..600).contains(status));
    let status = told.or_else(|| status_of(kind)).or_else(|| status_of(code));
    let says = |word: &str| find(kind, word).is_some() || find(code, word).is_some();
    let (code_of_ours, status, sentence) = if says("rate_limit") || says("insufficient_quota") || status == Some(429) {
        (ProtocolErrorCode::RateLimited, Some(429), "the provider asks to slow down")
    } else if says("overloaded") || status == Some(529) {
        (ProtocolErrorCode::Overloaded, Some(529), "the provider is overloaded")
    } else if TOO_LONG.iter().any(|word| says(word)) {
        (ProtocolErrorCode::ContextOverflow, status, "the conversation is too large for the model; start a new one or remove something")
    } else if kind == "UNAVAILABLE" {
        (ProtocolErrorCode::Overloaded, Some(503), "the provider is overloaded")
    } else {
        (ProtocolErrorCode::HttpStatus, status, "the provider reported an error in the middle of its answer")
    };
    let mut detail = String::new();
    for part in [kind, code, message] {
        if !part.is_empty() && !detail.is_empty() {
            detail.push_str(": ");
        }
        detail.push_str(part);
    }
    ProtocolError { status, ..ProtocolError::new(code_of_ours, sentence).with_detail(&detail) }
}

/// The status that an answer has which fails in this way before it begins.
fn status_of(word: &str) -> Option<u32> {
    Some(match word {
        "invalid_request_error" | "INVALID_ARGUMENT" | "FAILED_PRECONDITION" | "OUT_OF_RANGE" => 400,
        "authentication_error" | "invalid_api_key" | "UNAUTHENTICATED" => 401,
        "billing_error" => 402,
        "permission_error" | "PERMISSION_DENIED" => 403,
        "not_found_error" | "model_not_found" | "NOT_FOUND" => 404,
        "request_too_large" => 413,
        "RESOURCE_EXHAUSTED" => 429,
        "api_error" | "server_error" | "internal_error" | "internal_server_error" | "INTERNAL" => 500,
        "service_unavailable" => 503,
        "timeout_error" | "DEADLINE_EXCEEDED" => 504,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e1_a_conversation_that_is_too_long_is_told_as_that_in_a_stream_too() {
        for (kind, code) in [
            ("invalid_request_error", "context_length_exceeded"),
            ("", "context_length_exceeded"),
            ("exceed_context_size_error", "400"),
            ("request_too_large", ""),
        ] {
            let error = failure_in_stream(kind, code, "words of the provider");
            assert_eq!(error.code, ProtocolErrorCode::ContextOverflow, "{kind} {code}");
            assert!(!error.message.contains("words"));
        }
        assert_eq!(failure_in_stream("invalid_request_error", "", "no").code, ProtocolErrorCode::HttpStatus);
    }
}
