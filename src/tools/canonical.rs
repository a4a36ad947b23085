//! One text for one value (RFC 8785), and the digests made from it.

use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::json_object;
use crate::protocol::json::write::{write_number, write_string};
use crate::protocol::json::{Json, Object};

/// Up to this many members are sorted where they stand.
const SORTED_IN_PLACE: usize = 20;

/// Writes `value` by RFC 8785: keys in UTF-16 order, no white space, numbers as ECMAScript writes them.
#[must_use]
pub fn canonical_json(value: &Json) -> String {
    let mut out = String::new();
    write_value(&mut out, value);
    out
}

/// SHA-256 as lower-case hex.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let mut hex = Vec::with_capacity(64);
    for byte in digest {
        for nibble in [byte >> 4, byte & 0x0F] {
            hex.push(if nibble < 10 { b'0' + nibble } else { b'a' + nibble - 10 });
        }
    }
    String::from_utf8(hex).unwrap_or_default()
}

/// The digest a grant binds: SHA-256 of the canonical `{input, tool}`.
#[must_use]
pub fn input_digest(tool: &str, input: &Json) -> String {
    sha256_hex(canonical_json(&json_object! { "input" => input.clone(), "tool" => tool }).as_bytes())
}

/// Adds the canonical text of `value`.
pub(crate) fn write_value(out: &mut String, value: &Json) {
    match value {
        Json::Null => out.push_str("null"),
        Json::Bool(true) => out.push_str("true"),
        Json::Bool(false) => out.push_str("false"),
        Json::Number(number) => write_number(out, *number),
        Json::String(text) => write_string(out, text),
        Json::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write_value(out, item);
            }
            out.push(']');
        }
        Json::Object(object) => write_object(out, object),
    }
}

type Member<'a> = (&'a Arc<str>, &'a Json);

/// The members in UTF-16 order of their keys: a plain merge sort, a tenth of the size of the general one.
fn sorted(mut members: Vec<Member<'_>>) -> Vec<Member<'_>> {
    if members.is_sorted_by(|a, b| !is_before(b.0, a.0)) {
        return members;
    }
    if members.len() <= SORTED_IN_PLACE {
        for end in 1..members.len() {
            let mut at = end;
            while let Some([before, after]) = at.checked_sub(1).and_then(|start| members.get_mut(start..=at))
                && is_before(after.0, before.0)
            {
                std::mem::swap(before, after);
                at -= 1;
            }
        }
        return members;
    }
    let right = members.split_off(members.len() / 2);
    let (left, right) = (sorted(members), sorted(right));
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.as_slice(), right.as_slice());
    while let ([a, after_a @ ..], [b, after_b @ ..]) = (left, right) {
        if is_before(b.0, a.0) {
            merged.push(*b);
            right = after_b;
        } else {
            merged.push(*a);
            left = after_a;
        }
    }
    merged.extend_from_slice(left);
    merged.extend_from_slice(right);
    merged
}

/// Bytes order like UTF-16 but for one thing: astral characters (F0 and up) come before U+E000 to U+FFFF (EE, EF).
fn is_before(a: &str, b: &str) -> bool {
    let rank = |byte: u8| match byte {
        0xF0.. => byte - 2,
        0xEE | 0xEF => byte + 5,
        _ => byte,
    };
    match a.bytes().zip(b.bytes()).find(|(a, b)| a != b) {
        Some((a, b)) => rank(a) < rank(b),
        None => a.len() < b.len(),
    }
}

fn write_object(out: &mut String, object: &Object) {
    let mut members = Vec::with_capacity(object.len());
    for member in object.iter() {
        members.push(member);
    }
    out.push('{');
    for (at, (key, value)) in sorted(members).iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        write_string(out, key);
        out.push(':');
        write_value(out, value);
    }
    out.push('}');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(text: &str) -> String {
        canonical_json(&Json::parse(text).unwrap())
    }

    #[test]
    fn numbers_are_written_as_ecmascript_does() {
        for (text, written) in [
            ("1.0", "1"),
            ("-0", "0"),
            ("1e21", "1e+21"),
            ("1e20", "100000000000000000000"),
            ("1e-7", "1e-7"),
            ("0.000001", "0.000001"),
            ("123.456", "123.456"),
            ("1.5e300", "1.5e+300"),
            ("5e-324", "5e-324"),
            ("9007199254740991", "9007199254740991"),
            ("333333333.33333329", "333333333.3333333"),
            ("4.50", "4.5"),
            ("2e-3", "0.002"),
            ("-1e-27", "-1e-27"),
        ] {
            assert_eq!(canonical(text), written);
        }
    }

    #[test]
    fn numbers_match_appendix_b_of_rfc_8785() {
        for (bits, written) in [
            (0x0000000000000000u64, "0"),
            (0x8000000000000000, "0"),
            (0x0000000000000001, "5e-324"),
            (0x8000000000000001, "-5e-324"),
            (0x7fefffffffffffff, "1.7976931348623157e+308"),
            (0xffefffffffffffff, "-1.7976931348623157e+308"),
            (0x4340000000000000, "9007199254740992"),
            (0xc340000000000000, "-9007199254740992"),
            (0x4430000000000000, "295147905179352830000"),
            (0x44b52d02c7e14af5, "9.999999999999997e+22"),
            (0x44b52d02c7e14af6, "1e+23"),
            (0x44b52d02c7e14af7, "1.0000000000000001e+23"),
            (0x444b1ae4d6e2ef4e, "999999999999999700000"),
            (0x444b1ae4d6e2ef4f, "999999999999999900000"),
            (0x444b1ae4d6e2ef50, "1e+21"),
            (0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"),
            (0x3eb0c6f7a0b5ed8d, "0.000001"),
            (0x41b3de4355555553, "333333333.3333332"),
            (0x41b3de4355555554, "333333333.33333325"),
            (0x41b3de4355555555, "333333333.3333333"),
            (0x41b3de4355555556, "333333333.3333334"),
            (0x41b3de4355555557, "333333333.33333343"),
            (0xbecbf647612f3696, "-0.0000033333333333333333"),
            (0x43143ff3c1cb0959, "1424953923781206.2"),
        ] {
            assert_eq!(canonical_json(&Json::Number(f64::from_bits(bits))), written, "{bits:x}");
        }
        assert_eq!(canonical_json(&Json::from(vec![Json::Number(f64::NAN), Json::Number(f64::INFINITY)])), "[null,null]");
    }

    #[test]
    fn texts_match_the_examples_of_rfc_8785() {
        let literals = r#"{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],
            "string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}"#;
        assert_eq!(
            canonical(literals),
            "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}"
        );
        let sorted = "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u{80}\":\"Control\",\"\u{f6}\":\"o\",\"\u{20ac}\":\"Euro\",\"\u{1F600}\":\"Smiley\",\"\u{fb33}\":\"Dalet\"}";
        let shuffled = "{\"\u{20ac}\":\"Euro\",\"\\r\":\"Carriage Return\",\"\u{fb33}\":\"Dalet\",\"1\":\"One\",\"\u{1F600}\":\"Smiley\",\"\u{80}\":\"Control\",\"\u{f6}\":\"o\"}";
        assert_eq!(canonical(shuffled), sorted);
        for (text, written) in [
            (r#"{"b":1,"a":[{"d":null,"c":true}]}"#, r#"{"a":[{"c":true,"d":null}],"b":1}"#),
            (r#"{"n":1.0,"m":100.5,"z":-0,"big":1e21,"small":1e-7}"#, r#"{"big":1e+21,"m":100.5,"n":1,"small":1e-7,"z":0}"#),
            ("{\"s\":\"\\u0001\\u001f\\b\\f\\n\\r\\t\\u007f /<>\"}", "{\"s\":\"\\u0001\\u001f\\b\\f\\n\\r\\t\u{7f} /<>\"}"),
            (r#"{"":0,"A":1,"a":2,"_":3}"#, r#"{"":0,"A":1,"_":3,"a":2}"#),
        ] {
            assert_eq!(canonical(text), written);
        }
    }

    #[test]
    fn keys_are_sorted_by_utf16_code_unit() {
        // U+1F600 is two units from D800 up, so it comes before U+FB33
        assert_eq!(canonical("{\"\u{FB33}\":1,\"\u{1F600}\":2,\"b\":3,\"a\":4}"), "{\"a\":4,\"b\":3,\"\u{1F600}\":2,\"\u{FB33}\":1}");
    }

    #[test]
    fn keys_compare_as_their_utf16_does() {
        let ends = ["", "a", "\u{7f}", "\u{e9}", "\u{d7ff}", "\u{e000}", "\u{fb33}", "\u{ffff}", "\u{10000}", "\u{1f600}", "\u{10ffff}"];
        for (a, b) in ends.iter().flat_map(|a| ends.iter().map(move |b| (a, b))) {
            for (a, b) in
                [(format!("k{a}"), format!("k{b}")), (format!("{a}z"), format!("{b}z")), (format!("\u{ffff}{a}"), format!("\u{ffff}{b}"))]
            {
                assert_eq!(is_before(&a, &b), a.encode_utf16().lt(b.encode_utf16()), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn many_keys_are_sorted_whatever_their_order() {
        for count in [19u32, 20, 21, 40, 41, 333] {
            let keys = || (0..count).map(|n| format!("{}", n * 7919 % 1000));
            let object: Object = keys().map(|key| (key, Json::Null)).collect();
            let mut expected: Vec<String> = keys().collect();
            expected.sort();
            let expected: Vec<String> = expected.iter().map(|key| format!("\"{key}\":null")).collect();
            assert_eq!(canonical_json(&Json::from(object)), format!("{{{}}}", expected.join(",")));
        }
    }

    #[test]
    fn digests_do_not_see_spelling() {
        let (a, b) = (Json::parse(r#"{"x":1,"y":[2]}"#).unwrap(), Json::parse(r#"{"y":[2.0],"x":1e0}"#).unwrap());
        assert_eq!(input_digest("t", &a), input_digest("t", &b));
        assert_ne!(input_digest("t", &a), input_digest("u", &a));
        assert_eq!(sha256_hex(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
