//! Text that somebody else wrote: made safe to fence for a model, to show a person, to keep in an error.
//!
//! Three treatments, one each: `clean` + `escape` for what goes inside the untrusted-data markers,
//! `visible` for what a person reads before approving, `redact` for a provider's own words.

/// Opens the fence around text that comes from a document or a tool.
pub const FENCE_START: &str = "<<<UNTRUSTED_DOCUMENT_DATA>>>";
/// Closes the fence.
pub const FENCE_END: &str = "<<<END_UNTRUSTED_DOCUMENT_DATA>>>";
/// The longest foreign value echoed in an authored message, in code points.
pub const ECHO_CODE_POINTS: usize = 80;
/// The longest provider detail kept, in code points.
const DETAIL_CODE_POINTS: usize = 200;
/// A run of token characters this long that holds a digit is taken for a key.
const KEY_RUN: usize = 24;

/// Whether a person cannot see this code point, or it moves the text around it: controls, format characters (category
/// Cf), separators, fillers, the braille blank, and all that Unicode ignores by default, assigned or not.
#[must_use]
pub fn is_invisible(c: char) -> bool {
    matches!(u32::from(c),
        0x00..=0x1F | 0x7F..=0x9F | 0xAD | 0x0600..=0x0605 | 0x061C | 0x06DD | 0x070F | 0x0890..=0x0891 | 0x08E2
        | 0x034F | 0x115F | 0x1160 | 0x17B4 | 0x17B5 | 0x180B..=0x180F | 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x206F | 0x2800 | 0x3164
        | 0xFE00..=0xFE0F | 0xFEFF | 0xFFA0 | 0xFFF0..=0xFFFB | 0x110BD | 0x110CD | 0x13430..=0x1343F
        | 0x1BCA0..=0x1BCA3 | 0x1D173..=0x1D17A | 0xE0000..=0xE0FFF)
}

/// Deletes what is invisible, turns runs of tab and line ends into one space, and keeps at most `max`
/// code points, the last of them `…` where something was cut. Says whether it was.
#[must_use]
pub fn clean(text: &str, max: usize) -> (String, bool) {
    let mut kept = String::with_capacity(text.len().min(max.saturating_mul(4)));
    let mut count = 0usize;
    let mut cut_at = 0usize;
    let mut in_break = false;
    for c in text.chars() {
        let is_break = matches!(c, '\t' | '\n' | '\r');
        if (is_break && in_break) || (!is_break && is_invisible(c)) {
            continue;
        }
        in_break = is_break;
        if count + 1 == max {
            cut_at = kept.len();
        }
        if count == max {
            kept.truncate(cut_at);
            kept.push('…');
            return (kept, true);
        }
        kept.push(if is_break { ' ' } else { c });
        count += 1;
    }
    (kept, false)
}

/// Puts a backslash before `\`, `<` and `>`, so that no text can open or close a marker.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | '<' | '>') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// A foreign value for an authored message: cleaned, escaped, at most 80 code points.
#[must_use]
pub fn echo(text: &str) -> String {
    escape(&clean(text, ECHO_CODE_POINTS).0)
}

/// Puts authored or already escaped text between the markers, on lines of its own.
#[must_use]
pub fn fence(body: &str) -> String {
    format!("{FENCE_START}\n{body}\n{FENCE_END}")
}

/// Shows every invisible code point as an escape (`\n`, `\u{202E}`), never dropping one.
#[must_use]
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            c if is_invisible(c) => shown.push_str(&format!("\\u{{{:04X}}}", u32::from(c))),
            c => shown.push(c),
        }
    }
    shown
}

/// The first `max` code points, the last of them `…` where something was cut.
#[must_use]
pub fn cap(text: &str, max: usize) -> String {
    if text.len() <= max || text.chars().count() <= max {
        return text.to_owned();
    }
    cut(text, max.saturating_sub(1))
}

fn cut(text: &str, code_points: usize) -> String {
    let mut kept: String = text.chars().take(code_points).collect();
    kept.push('…');
    kept
}

/// Where `part` begins in `text`, where it does: for the short words looked for here, in place of a searcher that is
/// a kilobyte of code.
#[must_use]
pub(crate) fn find(text: &str, part: &str) -> Option<usize> {
    text.as_bytes().windows(part.len().max(1)).position(|window| window == part.as_bytes())
}

/// The parts in one text with `between` between each two: the standard joiner is a kilobyte for every kind of part.
#[must_use]
pub(crate) fn join<T: AsRef<str>>(parts: &[T], between: &str) -> String {
    let mut text = String::new();
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            text.push_str(between);
        }
        text.push_str(part.as_ref());
    }
    text
}

/// The parts one after the other.
#[must_use]
pub(crate) fn concat(parts: &[&str]) -> String {
    join(parts, "")
}

/// Masks key-shaped text, then keeps at most 200 code points; nothing is left of an empty text.
#[must_use]
pub fn redact(text: &str) -> Option<String> {
    let masked = mask_keys(text);
    if masked.trim().is_empty() {
        return None;
    }
    if masked.chars().count() <= DETAIL_CODE_POINTS {
        return Some(masked);
    }
    Some(cut(&masked, DETAIL_CODE_POINTS))
}

/// Replaces what looks like a key: `sk-…`, long runs of token characters that hold a digit, and the value
/// after an authorization-like header name.
fn mask_keys(text: &str) -> String {
    const MASK: &str = "[redacted-key]";
    let mut masked = String::with_capacity(text.len());
    let mut after_header = false;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = rest.find(|c| !is_token(c)).unwrap_or(rest.len());
        if length == 0 {
            masked.push(first);
            // the value of a header may stand after a colon, an equals sign, quotes or spaces
            after_header &= matches!(first, ' ' | ':' | '=' | '"' | '\'');
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
            continue;
        }
        let (run, tail) = rest.split_at_checked(length).unwrap_or((rest, ""));
        let lower = run.to_ascii_lowercase();
        if is_header(&lower) {
            masked.push_str(run);
            after_header = true;
        } else if after_header && !is_header_word(&lower) {
            masked.push_str(MASK);
            after_header = false;
        } else if after_header {
            masked.push_str(run);
        } else if run.len() >= KEY_RUN && run.bytes().any(|byte| byte.is_ascii_digit()) {
            masked.push_str(MASK);
        } else {
            masked.push_str(&mask_sk(run, &lower));
        }
        rest = tail;
    }
    masked
}

/// Masks `sk-` and what follows, wherever a word may begin inside a run (`xsk-` and `_sk-` too: better once too often).
fn mask_sk(run: &str, lower: &str) -> String {
    match find(lower, "sk-") {
        Some(at) if at + 3 < run.len() => format!("{}[redacted-key]", run.get(..at).unwrap_or_default()),
        _ => run.to_owned(),
    }
}

fn is_token(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '+' | '~')
}

fn is_header(lower: &str) -> bool {
    matches!(
        lower,
        "authorization"
            | "proxy-authorization"
            | "x-api-key"
            | "api-key"
            | "apikey"
            | "api_key"
            | "x-goog-api-key"
            | "cookie"
            | "set-cookie"
            | "bearer"
    )
}

fn is_header_word(lower: &str) -> bool {
    matches!(lower, "bearer" | "basic" | "token")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e4_invisible_text_is_shown_never_dropped() {
        assert_eq!(visible("a\u{202E}b\n\u{E0041}"), "a\\u{202E}b\\n\\u{E0041}");
    }

    #[test]
    fn cleaning_strips_caps_and_flags_only_cuts() {
        assert_eq!(clean("a\r\n\tb\u{200B}c", 80), ("a bc".to_owned(), false));
        assert_eq!(clean("abcdef", 4), ("abc…".to_owned(), true));
        assert_eq!(clean("abcd", 4), ("abcd".to_owned(), false));
        assert_eq!(clean("\u{E0041}\u{FE0F}\u{00AD}", 4), (String::new(), false));
    }

    #[test]
    fn r5_what_unicode_ignores_by_default_is_invisible() {
        let ranges = [
            (0xAD, 0xAD),
            (0x34F, 0x34F),
            (0x61C, 0x61C),
            (0x115F, 0x1160),
            (0x17B4, 0x17B5),
            (0x180B, 0x180F),
            (0x200B, 0x200F),
            (0x202A, 0x202E),
            (0x2060, 0x206F),
            (0x3164, 0x3164),
            (0xFE00, 0xFE0F),
            (0xFEFF, 0xFEFF),
            (0xFFA0, 0xFFA0),
            (0xFFF0, 0xFFF8),
            (0x1BCA0, 0x1BCA3),
            (0x1D173, 0x1D17A),
            (0xE0000, 0xE0FFF),
        ];
        for (first, last) in ranges {
            assert!((first..=last).filter_map(char::from_u32).all(is_invisible), "{first:x}");
        }
        assert!("aé語😀\u{301}\u{FFFD} ".chars().all(|c| !is_invisible(c)));
    }

    #[test]
    fn no_text_can_hold_a_marker() {
        assert!(!escape(FENCE_END).contains("<<"));
        assert_eq!(escape(r"a\<b"), r"a\\\<b");
    }

    #[test]
    fn e3_key_shaped_text_is_masked_before_it_is_cut() {
        for (text, masked) in [
            ("key sk-abc123 and SK-XYZ_9", "key [redacted-key] and [redacted-key]"),
            ("Authorization: Bearer abc", "Authorization: Bearer [redacted-key]"),
            ("x-api-key=hello", "x-api-key=[redacted-key]"),
            ("token AIzaSyA1234567890abcdefghij used", "token [redacted-key] used"),
            ("a plain sentence stays", "a plain sentence stays"),
        ] {
            assert_eq!(redact(text).as_deref(), Some(masked));
        }
        let long = format!("{} sk-secret", "word ".repeat(60));
        assert!(!redact(&long).unwrap().contains("secret"));
        assert_eq!(redact(&"é".repeat(300)).unwrap().chars().count(), 201);
        assert_eq!(redact("  "), None);
    }
}
