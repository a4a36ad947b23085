//! What every replay of the corpus needs: reading the lines and comparing with an expectation.

use countersign::protocol::json::Json;

/// The cases of one corpus file.
pub(crate) fn cases(lines: &str) -> Vec<Json> {
    lines.lines().map(|line| Json::parse(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

/// The text under `key`.
pub(crate) fn text_of(case: &Json, key: &str) -> String {
    case.get(key).and_then(Json::as_str).unwrap_or_else(|| panic!("no `{key}` in {}", case.to_text())).to_owned()
}

/// Whether `actual` is what is expected; `{ "$contains": "…" }` stands for any text that holds it.
pub(crate) fn matches(expected: &Json, actual: &Json) -> bool {
    match (expected, actual) {
        (Json::Object(expected), Json::String(text)) if expected.len() == 1 => {
            expected.get("$contains").and_then(Json::as_str).is_some_and(|part| text.contains(part))
        }
        (Json::Object(expected), Json::Object(actual)) => {
            expected.len() == actual.len() && expected.iter().all(|(key, value)| actual.get(key).is_some_and(|other| matches(value, other)))
        }
        (Json::Array(expected), Json::Array(actual)) => {
            expected.len() == actual.len() && expected.iter().zip(actual.iter()).all(|(one, other)| matches(one, other))
        }
        (expected, actual) => expected == actual,
    }
}

/// The bytes of a base64 text.
#[allow(dead_code, reason = "not every replay has bytes")]
pub(crate) fn base64(text: &str) -> Vec<u8> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = Vec::new();
    let (mut bits, mut held) = (0u32, 0u32);
    for byte in text.bytes().filter(|byte| *byte != b'=') {
        let value = ALPHABET.iter().position(|letter| *letter == byte).expect("base64");
        bits = (bits << 6) | u32::try_from(value).unwrap();
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from((bits >> held) & 0xFF).unwrap());
        }
    }
    bytes
}
