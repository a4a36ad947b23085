//! Members of a payload as they are written, and what several formats mean by them: borrowed from the frame, lenient
//! about what is absent or null. Nothing is what a member reads as that is not of this shape.

use std::borrow::Cow;

use crate::protocol::event::Usage;
use crate::protocol::fields::whole;
use crate::protocol::json::read::{members, number, string};

/// A string of the payload; "" where there is none.
pub(super) type Text<'a> = Cow<'a, str>;

/// A member as it is written, where it is present and not null.
pub(super) type Written<'a> = Option<&'a str>;

/// What went wrong, in the server's words.
pub(super) struct Failure<'a> {
    pub(super) kind: Text<'a>,
    pub(super) code: Text<'a>,
    pub(super) message: Text<'a>,
}

impl<'a> Failure<'a> {
    /// What a payload that is an error tells, whatever its shape.
    pub(super) fn of_payload(data: &'a str) -> Failure<'a> {
        let inside = members(data, ["error"]).and_then(|[error]| error);
        let said = Failure::read(inside.unwrap_or(data));
        said.unwrap_or(Failure { kind: Cow::Borrowed(""), code: Cow::Borrowed(""), message: Cow::Borrowed(data) })
    }

    /// The failure that stands under `error`; what says that there is none is none.
    pub(super) fn read(written: &'a str) -> Option<Failure<'a>> {
        if written.starts_with('{') {
            let [kind, code, message, status] = members(written, ["type", "code", "message", "status"])?;
            let code = code.and_then(|code| scalar(Some(code))).filter(|code| !code.is_empty());
            return Some(Failure {
                kind: kind.and_then(string).unwrap_or_default(),
                code: code.or_else(|| status.and_then(|status| scalar(Some(status)))).unwrap_or_default(),
                message: message.map(|message| string(message).unwrap_or(Cow::Borrowed(message))).unwrap_or_default(),
            });
        }
        let message = scalar(Some(written)).unwrap_or(Cow::Borrowed(written));
        let is_none = matches!(&*message, "" | "false");
        (!is_none).then_some(Failure { kind: Cow::Borrowed(""), code: Cow::Borrowed(""), message })
    }
}

/// A string; "" where there is none, nothing where something else stands there.
pub(super) fn text(written: Written<'_>) -> Option<Text<'_>> {
    written.map_or(Some(Cow::Borrowed("")), string)
}

/// A string, or a number as it is written.
pub(super) fn scalar(written: Written<'_>) -> Option<Text<'_>> {
    match written {
        Some(other) if !other.starts_with(['"', '{', '[']) => Some(Cow::Borrowed(other)),
        written => text(written),
    }
}

/// Arguments are a text; a server that writes the object itself means the text it is written as.
pub(super) fn arguments_of(written: Written<'_>) -> Option<Text<'_>> {
    match written {
        Some(other) if !other.starts_with('"') => Some(Cow::Borrowed(other)),
        written => text(written),
    }
}

/// The counts under the names that a format has for them, where there are any: an object without them counts nothing.
pub(super) fn usage_under(written: &str, names: [&str; 4]) -> Option<Usage> {
    let [input, output, of_input, of_output] = members(written, names)?;
    input.or(output)?;
    let [cached] = of_input.and_then(|details| members(details, ["cached_tokens"])).unwrap_or_default();
    let [reasoning] = of_output.and_then(|details| members(details, ["reasoning_tokens"])).unwrap_or_default();
    let tokens = |count: Written<'_>| count.and_then(number).and_then(whole);
    Some(Usage {
        input_tokens: tokens(input).unwrap_or(0),
        output_tokens: tokens(output).unwrap_or(0),
        cached_input_tokens: tokens(cached),
        reasoning_tokens: tokens(reasoning),
    })
}
