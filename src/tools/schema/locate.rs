//! Where a `$ref` leads: references resolved against a base, JSON pointers walked. Nothing is fetched.

use crate::protocol::json::Json;
use crate::protocol::text::join;

/// Splits a reference at `#`.
pub(super) fn split_fragment(reference: &str) -> (&str, &str) {
    reference.split_once('#').unwrap_or((reference, ""))
}

/// Resolves `reference` (without fragment) against `base`, as RFC 3986 says.
pub(super) fn resolve(base: &str, reference: &str) -> String {
    if reference.is_empty() {
        return base.to_owned();
    }
    if scheme_length(reference).is_some() {
        return reference.to_owned();
    }
    let scheme = scheme_length(base).unwrap_or(0);
    let (scheme, rest) = base.split_at_checked(scheme).unwrap_or(("", base));
    if reference.starts_with("//") {
        return format!("{scheme}{reference}");
    }
    let authority = match rest.strip_prefix("//") {
        Some(after) => after.find(['/', '?']).map_or(rest.len(), |length| length + 2),
        None => 0,
    };
    let (authority, path) = rest.split_at_checked(authority).unwrap_or((rest, ""));
    let path = path.split('?').next().unwrap_or_default();
    if reference.starts_with('?') {
        return format!("{scheme}{authority}{path}{reference}");
    }
    let (reference_path, query) = match reference.find('?') {
        Some(at) => reference.split_at_checked(at).unwrap_or((reference, "")),
        None => (reference, ""),
    };
    let merged = if reference_path.starts_with('/') {
        reference_path.to_owned()
    } else {
        let folder = path.bytes().rposition(|byte| byte == b'/').and_then(|at| path.get(..=at)).unwrap_or(if authority.is_empty() {
            ""
        } else {
            "/"
        });
        format!("{folder}{reference_path}")
    };
    format!("{scheme}{authority}{}{query}", without_dots(&merged))
}

/// The length of `scheme:` at the front, where there is one.
fn scheme_length(uri: &str) -> Option<usize> {
    let (scheme, _) = uri.split_once(':')?;
    let mut bytes = scheme.bytes();
    let starts = bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic());
    (starts && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))).then_some(scheme.len() + 1)
}

fn without_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.split('/').peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        match segment {
            "." if last => kept.push(""),
            "." => {}
            ".." => {
                if kept.len() > 1 || kept.first().is_some_and(|first| !first.is_empty()) {
                    kept.pop();
                }
                if last {
                    kept.push("");
                }
            }
            other => kept.push(other),
        }
    }
    join(&kept, "/")
}

/// The bytes that `%41` stands for; `None` where they are no text.
pub(super) fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let high = char::from(rest.next()?).to_digit(16)?;
        let low = char::from(rest.next()?).to_digit(16)?;
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(bytes).ok()
}

/// One token of a JSON pointer, unescaped.
pub(super) fn unescape(token: &str) -> String {
    let mut text = String::with_capacity(token.len());
    let mut chars = token.chars().peekable();
    while let Some(c) = chars.next() {
        text.push(match (c, chars.peek()) {
            ('~', Some('1')) => '/',
            ('~', Some('0')) => '~',
            (other, _) => {
                text.push(other);
                continue;
            }
        });
        chars.next();
    }
    text
}

/// A key as one token of a JSON pointer.
pub(super) fn escape(key: &str) -> String {
    let mut token = String::with_capacity(key.len());
    for c in key.chars() {
        match c {
            '~' => token.push_str("~0"),
            '/' => token.push_str("~1"),
            c => token.push(c),
        }
    }
    token
}

/// The member or item a token names.
pub(super) fn step<'a>(value: &'a Json, token: &str) -> Option<&'a Json> {
    match value {
        Json::Object(object) => object.get(token),
        Json::Array(items) => {
            if token.len() > 1 && token.starts_with('0') {
                return None;
            }
            items.get(token.bytes().all(|byte| byte.is_ascii_digit()).then(|| token.parse::<usize>().ok())??)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_resolve_as_rfc_3986_says() {
        let base = "http://a/b/c/d;p?q";
        for (reference, resolved) in [
            ("g:h", "g:h"),
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            (";x", "http://a/b/c/;x"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"),
            ("/./g", "http://a/g"),
            ("/../g", "http://a/g"),
            ("g;x=1/../y", "http://a/b/c/y"),
        ] {
            assert_eq!(resolve(base, reference), resolved, "{reference}");
        }
        assert_eq!(resolve("", "node.json"), "node.json");
        assert_eq!(resolve("http://a", "g"), "http://a/g");
        assert_eq!(resolve("urn:uuid:1", ""), "urn:uuid:1");
    }

    #[test]
    fn pointers_take_no_liberties_with_indexes() {
        let value = Json::parse(r#"{"a":[1,2],"/":3,"":4}"#).unwrap();
        let list = step(&value, "a").unwrap();
        assert!(step(list, "1").is_some());
        for token in ["01", "-", "+1", "2", "1e0", ""] {
            assert!(step(list, token).is_none(), "{token}");
        }
        assert_eq!(unescape(&escape("a~/b~1")), "a~/b~1");
        assert_eq!(percent_decode("%25%C3%A9").as_deref(), Some("%é"));
        assert_eq!(percent_decode("%C3"), None);
        assert_eq!(percent_decode("%2"), None);
    }
}
