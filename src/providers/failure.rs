//! What went wrong, where a provider says so in the middle of a stream that had begun as a success.
//!
//! Enters: the provider's words for it. Leaves: one authored error with the HTTP status this kind of failure has
//! otherwise; the words themselves go masked into its detail alone. Knows no wire format.

use crate::protocol::error::{ProtocolError, ProtocolErrorCode};
use crate::protocol::text::find;

/// The failure that `kind`, `code` (a word or a status) and `message` tell of; "" stands for what is not told.
pub(super) fn failure_in_stream(kind: &str, code: &str, message: &str) -> ProtocolError {
    let told = code.parse().ok().filter(|status| (400..600).contains(status));
    let status = told.or_else(|| status_of(kind)).or_else(|| status_of(code));
    let says = |word: &str| find(kind, word).is_some() || find(code, word).is_some();
    let (code_of_ours, status, sentence) = if says("rate_limit") || says("insufficient_quota") || status == Some(429) {
        (ProtocolErrorCode::RateLimited, Some(429), "the provider asks to slow down")
    } else if says("overloaded") || status == Some(529) {
        (ProtocolErrorCode::Overloaded, Some(529), "the provider is overloaded")
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
