//! What both hosts must answer exactly as the native core does.

use countersign::protocol::json::Json;
use countersign::tools::canonical::{canonical_json, input_digest};

/// Texts and their canonical form: the strings the native core writes.
const CANONICAL: [(&str, &str); 4] = [
    (r#"{"b":1.0,"a":[1e21,-0,4.50]}"#, r#"{"a":[1e+21,0,4.5],"b":1}"#),
    ("{\"\u{FB33}\":1,\"\u{1F600}\":2}", "{\"\u{1F600}\":2,\"\u{FB33}\":1}"),
    (r#"["\u0007\n\"",5e-324,333333333.33333329]"#, r#"["\u0007\n\"",5e-324,333333333.3333333]"#),
    (r#"{"z":null,"":{"y":true,"x":false}}"#, r#"{"":{"x":false,"y":true},"z":null}"#),
];

pub(crate) fn canonical_text_is_the_native_one() {
    for (text, written) in CANONICAL {
        assert_eq!(canonical_json(&Json::parse(text).expect("a case is JSON")), written);
    }
}

pub(crate) fn digests_are_the_native_ones() {
    let input = Json::parse(r#"{"id":"n1","title":"Gateway"}"#).expect("a case is JSON");
    assert_eq!(input_digest("rename", &input), "42c558ae97acd2a973ee6c3a302606a037a12f3696c32298de7e8c3333629dc1");
}
