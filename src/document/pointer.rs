//! JSON pointers (RFC 6901): the one way a place in a document is named.

use std::sync::Arc;

use crate::protocol::json::{Json, Object};

/// The deepest place a pointer may name; documents nest no deeper.
pub const MAX_SEGMENTS: usize = 64;

/// Splits a pointer into its unescaped segments; the error says what is wrong with it.
pub fn parse(pointer: &str) -> Result<Vec<String>, &'static str> {
    if pointer.is_empty() {
        return Ok(Vec::new());
    }
    let rest = pointer.strip_prefix('/').ok_or("a JSON pointer is empty or begins with `/`")?;
    let segments = rest.split('/').map(unescape).collect::<Option<Vec<_>>>().ok_or("`~` stands only in `~0` and `~1`")?;
    if segments.len() > MAX_SEGMENTS { Err("the pointer is more than 64 levels deep") } else { Ok(segments) }
}

/// Appends one segment, escaped, to a pointer.
#[must_use]
pub fn join(pointer: &str, segment: &str) -> String {
    format!("{pointer}/{}", segment.replace('~', "~0").replace('/', "~1"))
}

/// What stands at the place, where something does.
#[must_use]
pub fn find<'a>(value: &'a Json, segments: &[String]) -> Option<&'a Json> {
    segments.iter().try_fold(value, |at, segment| match at {
        Json::Object(object) => object.get(segment),
        Json::Array(items) => items.get(index(segment)?),
        _ => None,
    })
}

/// The place for writing; shared levels on the way are copied.
pub fn find_mut<'a>(value: &'a mut Json, segments: &[String]) -> Option<&'a mut Json> {
    segments.iter().try_fold(value, |at, segment| match at {
        Json::Object(object) => Arc::make_mut(object).get_mut(segment),
        Json::Array(items) => Arc::make_mut(items).get_mut(index(segment)?),
        _ => None,
    })
}

/// Makes an empty list at the place where nothing (or `null`) stands, with the objects above it; says
/// whether a list stands there now.
pub fn ensure_list(value: &mut Json, segments: &[String]) -> bool {
    let mut at = value;
    for segment in segments {
        if matches!(at, Json::Null) {
            *at = Json::from(Object::new());
        }
        let Some(object) = at.as_object_mut() else { return false };
        if !object.contains_key(segment) {
            object.insert(segment.as_str(), Json::Null);
        }
        let Some(next) = object.get_mut(segment) else { return false };
        at = next;
    }
    if matches!(at, Json::Null) {
        *at = Json::from(Vec::new());
    }
    matches!(at, Json::Array(_))
}

/// The array index a segment writes: digits without a leading zero.
#[must_use]
pub fn index(segment: &str) -> Option<usize> {
    let well_formed = segment.bytes().all(|byte| byte.is_ascii_digit()) && (segment == "0" || !segment.starts_with('0'));
    if well_formed { segment.parse().ok() } else { None }
}

fn unescape(segment: &str) -> Option<String> {
    let mut plain = String::with_capacity(segment.len());
    let mut chars = segment.chars();
    while let Some(c) = chars.next() {
        plain.push(match c {
            '~' => match chars.next()? {
                '0' => '~',
                '1' => '/',
                _ => return None,
            },
            c => c,
        });
    }
    Some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_escaped_both_ways() {
        let pointer = join(&join("", "a/b"), "~1");
        assert_eq!(pointer, "/a~1b/~01");
        assert_eq!(parse(&pointer).unwrap(), ["a/b", "~1"]);
        assert_eq!(parse("/").unwrap(), [""]);
        assert!(parse("a").is_err() && parse("/~2").is_err() && parse("/~").is_err());
        assert!(parse(&"/a".repeat(64)).is_ok() && parse(&"/a".repeat(65)).is_err());
    }

    #[test]
    fn an_index_has_one_spelling() {
        assert_eq!((index("0"), index("10")), (Some(0), Some(10)));
        for wrong in ["", "01", "-1", "+1", "1e1", "99999999999999999999999", "-"] {
            assert_eq!(index(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn lists_are_made_where_nothing_stands() {
        let mut value = Json::parse(r#"{"a":null,"c":1}"#).unwrap();
        assert!(ensure_list(&mut value, &parse("/a/b").unwrap()));
        assert!(!ensure_list(&mut value, &parse("/c").unwrap()));
        assert_eq!(value.to_text(), r#"{"a":{"b":[]},"c":1}"#);
    }
}
