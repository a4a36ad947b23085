//! The text of a call's arguments, read exactly once.
//!
//! Enters: the accumulated text of a provider. Leaves: one JSON object, or one sentence that says what is
//! wrong and where. Nothing is repaired, no prefix is read, nothing that could be read in two ways passes.

use crate::protocol::json::read::{self, Flaw, FlawKind};
use crate::protocol::json::{Json, Object};
use crate::protocol::text::echo;

use super::inspect::inspect;

/// How large the arguments of one call may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArgumentLimits {
    /// The longest text, in bytes.
    pub max_bytes: usize,
    /// How deep arrays and objects may nest; the arguments object itself is the first level.
    pub max_depth: usize,
}

impl Default for ArgumentLimits {
    fn default() -> ArgumentLimits {
        ArgumentLimits { max_bytes: 262_144, max_depth: 64 }
    }
}

/// Reads the arguments of one call; an empty text is `{}`, the error is one sentence for the model.
pub fn parse_arguments(text: &str, limits: &ArgumentLimits) -> Result<Json, String> {
    if text.len() > limits.max_bytes {
        return Err(format!("the arguments are {} bytes long, more than the {} allowed", text.len(), limits.max_bytes));
    }
    if text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')) {
        return Ok(Json::from(Object::new()));
    }
    let max_depth = limits.max_depth.min(read::MAX_DEPTH);
    let too_deep = || format!("the arguments nest deeper than the {max_depth} levels allowed");
    let value = read::parse(text).map_err(|flaw| if flaw.kind == FlawKind::TooDeep { too_deep() } else { describe(&flaw) })?;
    if !matches!(value, Json::Object(_)) {
        return Err(format!("the arguments must be one JSON object, got {}", value.kind()));
    }
    let flaws = inspect(&value);
    if let Some(path) = flaws.keys.paths.first() {
        return Err(format!("the key at `{path}` is not allowed as a name"));
    }
    if let Some(path) = flaws.integers.paths.first() {
        return Err(format!("the integer at `{path}` is outside ±(2^53-1) and would lose digits"));
    }
    if flaws.depth > max_depth {
        return Err(too_deep());
    }
    Ok(value)
}

/// The reader's complaint, as a model is told; only a duplicate key is quoted, and the reader has bounded it.
fn describe(flaw: &Flaw) -> String {
    let problem = match &flaw.kind {
        FlawKind::DuplicateKey(key) => &format!("the key `{}` stands twice in one object", echo(key)),
        FlawKind::Trailing => "something follows after the JSON value",
        FlawKind::NumberTooLarge => "a number is too large to be held",
        FlawKind::LoneSurrogate => "a string holds half of a surrogate pair",
        FlawKind::Cut => "the text ends before its JSON value does",
        FlawKind::Syntax | FlawKind::TooDeep => "the text is not valid JSON",
    };
    format!("{problem} (line {}, column {})", flaw.line, flaw.column)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn refusal(text: &str) -> String {
        parse_arguments(text, &ArgumentLimits::default()).unwrap_err()
    }

    #[test]
    fn an_empty_text_is_an_empty_object() {
        for text in ["", " \n\t\r", "{}", " { } "] {
            assert_eq!(parse_arguments(text, &ArgumentLimits::default()), Ok(Json::from(Object::new())), "{text:?}");
        }
    }

    #[test]
    fn what_is_not_one_plain_object_is_refused_and_the_place_named() {
        for (text, words) in [
            ("[]", "must be one JSON object, got array"),
            ("null", "must be one JSON object, got null"),
            ("\"{}\"", "must be one JSON object, got string"),
            ("{} {}", "something follows after the JSON value (line 1, column 4)"),
            ("{\"a\":1}x", "something follows"),
            (r#"{"a":{"b":1,"b":2}}"#, "the key `b` stands twice in one object (line 1, column"),
            (r#"{"a":1,"\u0061":2}"#, "the key `a` stands twice"),
            (r#"{"a":[{"__proto__":{}}]}"#, "the key at `a[0].__proto__`"),
            (r#"{"\u005f_proto__":1}"#, "the key at `__proto__`"),
            (r#"{"node":{"ids":[1,2,9007199254740993]}}"#, "the integer at `node.ids[2]` is outside"),
            (r#"{"n":-9007199254740992}"#, "the integer at `n` is outside"),
            (r#"{"n":9007199254740992.0}"#, "the integer at `n` is outside"),
            (r#"{"n":1e300}"#, "the integer at `n` is outside"),
            (r#"{"n":18446744073709551616}"#, "the integer at `n` is outside"),
            (r#"{"n":1e400}"#, "a number is too large to be held (line 1, column"),
            (r#"{"n":NaN}"#, "not valid JSON"),
            ("{\"a\":1,}", "not valid JSON (line 1, column 8)"),
            ("{'a':1}", "not valid JSON"),
            ("{\"a\":1", "the text ends before its JSON value does"),
            ("{\"a\":\"x", "the text ends before its JSON value does"),
            (r#"{"s":"\ud800"}"#, "half of a surrogate pair"),
            (r#"{"s":"\ud800\u0041"}"#, "half of a surrogate pair"),
            (r#"{"s":"\udc00"}"#, "half of a surrogate pair"),
            ("\u{FEFF}{}", "not valid JSON"),
            ("```json\n{}\n```", "not valid JSON"),
        ] {
            let said = refusal(text);
            assert!(said.contains(words), "{text}: {said}");
        }
        assert!(
            parse_arguments(r#"{"n":9007199254740991,"m":-9007199254740991,"s":"\ud83d\ude00","f":1.5e-300}"#, &ArgumentLimits::default())
                .is_ok()
        );
    }

    #[test]
    fn l8_bytes_and_depth_are_capped() {
        let limits = ArgumentLimits { max_bytes: 10, max_depth: 3 };
        assert!(parse_arguments(r#"{"a":1234}"#, &limits).is_ok());
        assert_eq!(parse_arguments(r#"{"a":12345}"#, &limits).unwrap_err(), "the arguments are 11 bytes long, more than the 10 allowed");
        let limits = ArgumentLimits { max_depth: 3, ..ArgumentLimits::default() };
        assert!(parse_arguments(r#"{"a":[[]]}"#, &limits).is_ok());
        assert_eq!(parse_arguments(r#"{"a":[[{}]]}"#, &limits).unwrap_err(), "the arguments nest deeper than the 3 levels allowed");
        let deep = |levels: usize| format!("{{\"a\":{}{}}}", "[".repeat(levels - 1), "]".repeat(levels - 1));
        assert!(parse_arguments(&deep(64), &ArgumentLimits::default()).is_ok());
        for levels in [65, 120, 128, 5_000, 120_000] {
            assert!(refusal(&deep(levels)).contains("nest deeper than the 64 levels"), "{levels}");
        }
        let unbounded = ArgumentLimits { max_bytes: usize::MAX, max_depth: usize::MAX };
        assert!(parse_arguments(&deep(127), &unbounded).is_ok());
        assert!(parse_arguments(&deep(100_000), &unbounded).is_err());
    }

    #[test]
    fn what_is_echoed_is_bounded_and_cannot_close_a_fence() {
        let key = "<<<END>>>".repeat(100);
        let said = refusal(&format!(r#"{{"{key}":1,"{key}":2}}"#));
        assert!(said.chars().count() < 250 && !said.contains("<<"), "{said}");
        let said = refusal(&format!(r#"{{"{key}":{{"__proto__":2}}}}"#));
        assert!(said.chars().count() < 250 && !said.contains("<<"), "{said}");
    }

    proptest! {
        #[test]
        fn e2_any_text_is_read_or_refused(text in "\\PC{0,60}", inner in "[\\[\\]{}:,\"0-9eE.+\\-a-f\\\\u ]{0,60}") {
            let _ = parse_arguments(&text, &ArgumentLimits::default());
            let _ = parse_arguments(&inner, &ArgumentLimits::default());
            if let Ok(value) = parse_arguments(&format!("{{{inner}}}"), &ArgumentLimits::default()) {
                prop_assert!(matches!(value, Json::Object(_)));
            }
        }
    }
}
