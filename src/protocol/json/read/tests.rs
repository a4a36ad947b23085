//! The reader held against serde_json, and what it says of a text it does not read.

use proptest::prelude::*;

use super::*;

fn flaw(text: &str) -> Flaw {
    parse(text).unwrap_err()
}

#[test]
fn flaws_are_told_apart_and_placed() {
    for (text, kind, line, column) in [
        ("", FlawKind::Cut, 1, 0),
        ("[1,]", FlawKind::Syntax, 1, 4),
        ("[1 2]", FlawKind::Syntax, 1, 4),
        ("{\"a\" 1}", FlawKind::Syntax, 1, 6),
        ("{\n \"a\":1,\n b:2}", FlawKind::Syntax, 3, 2),
        ("[1", FlawKind::Cut, 1, 2),
        ("\"a\u{1}b\"", FlawKind::Syntax, 1, 3),
        ("\"\\x\"", FlawKind::Syntax, 1, 3),
        ("01", FlawKind::Trailing, 1, 2),
        ("-", FlawKind::Cut, 1, 1),
        ("1.", FlawKind::Cut, 1, 2),
        ("1.e1", FlawKind::Syntax, 1, 3),
        ("tru", FlawKind::Cut, 1, 3),
        ("trve", FlawKind::Syntax, 1, 3),
        ("{} {}", FlawKind::Trailing, 1, 4),
        (r#"{"a":1,"\u0061":2}"#, FlawKind::DuplicateKey("a".to_owned()), 1, 17),
        (r#""\ud800""#, FlawKind::LoneSurrogate, 1, 8),
        (r#""\udc00""#, FlawKind::LoneSurrogate, 1, 8),
        ("[1e999]", FlawKind::NumberTooLarge, 1, 6),
    ] {
        assert_eq!(flaw(text), Flaw { kind, line, column }, "{text}");
    }
    assert!(parse(&format!("{}1{}", "[".repeat(127), "]".repeat(127))).is_ok());
    assert_eq!(flaw(&"[".repeat(128)).kind, FlawKind::TooDeep);
    assert_eq!(flaw("{\"a\":1,\"a\":2}").message(), "duplicate key `a` at line 1 column 12");
}

#[test]
fn members_are_borrowed_and_the_rest_is_passed_over() {
    let text = r#" {"x":[{"k":1,"k":2}],"\u0061":"q\n", "b" : null,"c":{"d":"\"}"}} "#;
    let [a, b, c, d] = members(text, ["a", "b", "c", "d"]).unwrap();
    assert_eq!((a, b, c, d), (Some(r#""q\n""#), None, Some(r#"{"d":"\"}"}"#), None));
    assert_eq!(string(a.unwrap()).unwrap(), "q\n");
    assert_eq!(members(c.unwrap(), ["d"]), Some([Some(r#""\"}""#)]));
    for refused in [r#"{"a":1,"a":2}"#, "[]", "{", r#"{"a":1}x"#, r#"{"a":01}"#, r#"{"a":"\q"}"#, &format!("{{\"b\":{}", "[".repeat(9999))]
    {
        assert_eq!(members(refused, ["a"]), None, "{refused}");
    }
}

fn theirs(text: &str) -> Option<Json> {
    serde_json::from_str(text).ok()
}

fn any_text() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        any::<f64>().prop_filter_map("finite", |number| number.is_finite().then(|| serde_json::to_string(&number).unwrap())),
        any::<i64>().prop_map(|number| number.to_string()),
        "\"([ -~é\u{1F600}&&[^\"\\\\]]|\\\\[nrtbf/\"\\\\]|\\\\u[0-9a-fA-F]{4}){0,12}\"",
    ];
    scalar.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(|items| format!("[ {} ]", items.join(" ,\n"))),
            prop::collection::vec(("\"[a-c]{1,2}\"", inner), 0..4).prop_map(|members| format!(
                "{{{}}}",
                members.iter().map(|(key, value)| format!("{key} :{value}")).collect::<Vec<_>>().join(",")
            )),
        ]
    })
}

proptest! {
    #[test]
    fn any_text_is_read_as_serde_json_reads_it(text in any_text(), at in any::<prop::sample::Index>(), put in "[\\[\\]{}:,\"\\\\0-9eE.+tfn \n-]?") {
        prop_assert_eq!(parse(&text).ok(), theirs(&text), "{}", text);
        // and with one character changed
        let mut broken: Vec<char> = text.chars().collect();
        let at = at.index(broken.len());
        broken.splice(at..=at, put.chars());
        let broken: String = broken.into_iter().collect();
        prop_assert_eq!(parse(&broken).ok(), theirs(&broken), "{}", broken);
        if let Some(value) = theirs(&broken) {
            prop_assert_eq!(parse(&value.to_text()).ok(), Some(value.clone()));
            prop_assert_eq!(theirs(&value.to_text()), Some(value));
        }
    }

    #[test]
    fn any_short_text_is_read_as_serde_json_reads_it(text in "[\\[\\]{}:,\"\\\\0-9eE.+u-]{0,12}") {
        prop_assert_eq!(parse(&text).ok(), theirs(&text), "{}", text);
    }

    #[test]
    fn any_string_is_written_as_serde_json_writes_it(text in "[\u{0}-\u{7f}é\u{1F600}]{0,40}") {
        prop_assert_eq!(crate::protocol::json::write::to_text(&text), serde_json::to_string(&text).unwrap());
    }
}

#[test]
fn a_long_text_shares_its_keys_and_reads_the_same() {
    // more names than are kept, so that some stand at the place of others
    let entity = |n: u32| format!(r#"{{"id":"e{n}","name":"n","k{}":{n},"":1,"\u00e9{}":2}}"#, n % 150, n % 7);
    let text = format!("[{}]", (0..600).map(entity).collect::<Vec<_>>().join(","));
    let value = Json::parse(&text).unwrap();
    assert_eq!(value.to_text(), text.replace("\\u00e9", "é"));
    let items = value.as_array().unwrap();
    let id = |at: usize| items[at].as_object().unwrap().keys().next().unwrap();
    assert!(std::sync::Arc::ptr_eq(id(0), id(1)) && std::sync::Arc::ptr_eq(id(1), id(599)));
    let (mut key, mut place) = (std::sync::Arc::from("name"), 0);
    for item in items {
        assert_eq!(item.as_object().unwrap().get_near(&mut key, &mut place), item.get("name"));
    }
    assert!(Json::parse(&text.replace("\"\":1", "\"id\":1")).unwrap_err().contains("duplicate key `id`"));
}
