//! The schemas of tools as they are sent: within what each API takes, never tighter than what the tool takes.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use countersign::protocol::call::ToolEffect;
use countersign::protocol::event::ProviderFormat;
use countersign::protocol::json::{Json, Object};
use countersign::protocol::message::Message;
use countersign::providers::{RequestSpec, build_request};
use countersign::tools::declaration::AdvertisedTool;
use countersign::tools::schema::Schema;
use proptest::prelude::*;

const NAMES: [&str; 4] = ["a", "b", "filter[id]", "größe"];
const PATTERNS: [&str; 6] = ["^a", "^\\p{L}", "(?<=a)b", "^[a-c]{2}$", "\\u{61}", "^x?$"];

fn sent(format: ProviderFormat, schema: &Json) -> Json {
    let mut spec = RequestSpec::new("m", vec![Message::user("x")], 10);
    spec.tools = vec![AdvertisedTool {
        name: "t".to_owned(),
        description: String::new(),
        input_schema: schema.clone(),
        effect: ToolEffect::Read,
        destructive: false,
    }];
    let body = build_request(format, &spec).unwrap().body;
    let tool = &body.get("tools").and_then(Json::as_array).unwrap()[0];
    let of_function = tool.get("function").and_then(|function| function.get("parameters"));
    tool.get("input_schema").or(of_function).cloned().unwrap_or_else(|| panic!("no schema in {}", tool.to_text()))
}

/// Every schema in a tree that holds nothing but schemas and texts.
fn each(schema: &Json, look: &mut dyn FnMut(&Json)) {
    look(schema);
    match schema {
        Json::Object(object) => object.iter().for_each(|(_, value)| each(value, look)),
        Json::Array(list) => list.iter().for_each(|value| each(value, look)),
        _ => {}
    }
}

fn assert_taken(format: ProviderFormat, schema: &Json) {
    let text = schema.to_text();
    assert_eq!(schema.get("type").and_then(Json::as_str), Some("object"), "{text}");
    for keyword in ["oneOf", "anyOf", "allOf", "enum", "const", "not", "$ref"] {
        assert!(schema.get(keyword).is_none(), "`{keyword}` at the root: {text}");
    }
    match format {
        ProviderFormat::Anthropic => {
            for name in schema.get("properties").and_then(Json::as_object).into_iter().flat_map(Object::keys) {
                assert!(!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte)), "{text}");
            }
        }
        _ => {
            assert!(schema.get("properties").and_then(Json::as_object).is_some(), "{text}");
            each(schema, &mut |part| {
                let is_list = part.get("type").and_then(Json::as_str) == Some("array");
                assert!(!is_list || part.get("items").is_some(), "{text}");
                let pattern = part.get("pattern").and_then(Json::as_str).unwrap_or_default();
                assert!(!pattern.contains("\\p") && !pattern.contains("(?<") && !pattern.contains("\\u{"), "{text}");
            });
        }
    }
}

fn one(key: &str, value: Json) -> Json {
    Json::from([(key, value)].into_iter().collect::<Object>())
}

fn text(text: &str) -> Json {
    Json::from(text)
}

/// Schemas of values, the keywords in which APIs differ among them.
fn leaf() -> BoxedStrategy<Json> {
    let word = proptest::sample::select(vec!["a", "ab", "b", "x", ""]);
    prop_oneof![
        Just(one("type", text("string"))),
        proptest::sample::select(PATTERNS.to_vec()).prop_map(|pattern| one("pattern", text(pattern))),
        word.prop_map(|word| one("const", text(word))),
        Just(one("type", text("array"))),
        Just(Json::Bool(true)),
        Just(Json::Bool(false)),
        Just(one("type", text("object"))),
    ]
    .boxed()
}

fn schema() -> BoxedStrategy<Json> {
    leaf()
        .prop_recursive(4, 24, 4, |inner| {
            let list = |inner: BoxedStrategy<Json>| proptest::collection::vec(inner, 1..3).prop_map(Json::from);
            let name = || proptest::sample::select(NAMES.to_vec());
            let properties = proptest::collection::vec((name(), inner.clone()), 0..3)
                .prop_map(|all| ("properties", Json::from(all.into_iter().collect::<Object>())));
            let required = proptest::collection::vec(name(), 0..2)
                .prop_map(|all| ("required", Json::from(all.into_iter().map(text).collect::<Vec<_>>())));
            let patterns = (proptest::sample::select(PATTERNS.to_vec()), inner.clone())
                .prop_map(|(key, value)| ("patternProperties", one(key, value)));
            let keyword = prop_oneof![
                3 => properties,
                1 => required,
                1 => patterns,
                1 => Just(("additionalProperties", Json::Bool(false))),
                1 => Just(("unevaluatedProperties", Json::Bool(false))),
                1 => inner.clone().prop_map(|value| ("additionalProperties", value)),
                1 => inner.clone().prop_map(|value| ("not", value)),
                1 => inner.clone().prop_map(|value| ("contains", value)),
                1 => Just(("maxContains", Json::from(1.0))),
                1 => inner.clone().prop_map(|value| ("if", value)),
                1 => inner.clone().prop_map(|value| ("then", value)),
                2 => list(inner.clone().boxed()).prop_map(|value| ("oneOf", value)),
                2 => list(inner.clone().boxed()).prop_map(|value| ("anyOf", value)),
                1 => list(inner.clone().boxed()).prop_map(|value| ("allOf", value)),
                1 => proptest::sample::select(vec!["#", "#/$defs/d"]).prop_map(|target| ("$ref", text(target))),
                1 => Just(("type", text("object"))),
                1 => Just(("type", Json::from(vec![text("object"), text("array")]))),
            ];
            proptest::collection::vec(keyword, 1..4).prop_map(|all| Json::from(all.into_iter().collect::<Object>()))
        })
        .boxed()
}

fn root() -> impl Strategy<Value = Json> {
    (schema(), schema()).prop_map(|(mut root, def)| {
        if let Some(object) = root.as_object_mut() {
            object.insert("$defs", one("d", def));
        }
        root
    })
}

fn value() -> BoxedStrategy<Json> {
    let leaf = prop_oneof![proptest::sample::select(vec!["a", "ab", "b", "x", ""]).prop_map(text), Just(Json::Null), Just(Json::from(7.0))];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Json::from),
            proptest::collection::vec((proptest::sample::select(NAMES.to_vec()), inner), 0..3)
                .prop_map(|all| Json::from(all.into_iter().collect::<Object>())),
        ]
    })
    .boxed()
}

fn arguments() -> impl Strategy<Value = Json> {
    proptest::collection::vec((proptest::sample::select(NAMES.to_vec()), value()), 0..4)
        .prop_map(|all| Json::from(all.into_iter().collect::<Object>()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_the_tool_takes_what_is_sent_takes(schema in root(), inputs in proptest::collection::vec(arguments(), 6)) {
        let Ok(original) = Schema::compile(&schema, "") else { return Ok(()) };
        for format in [ProviderFormat::Anthropic, ProviderFormat::OpenaiChat] {
            let told = sent(format, &schema);
            assert_taken(format, &told);
            prop_assert_eq!(&told.to_text(), &sent(format, &schema).to_text(), "the same each time");
            prop_assert_eq!(&told.to_text(), &sent(format, &told).to_text(), "what conforms stays as it is");
            let looser = match Schema::compile(&told, "") {
                Ok(looser) => looser,
                Err(fault) => return Err(TestCaseError::fail(format!("{fault:?}: {} of {}", told.to_text(), schema.to_text()))),
            };
            for input in &inputs {
                let refused = looser.validate(input);
                let is_taken = original.validate(input).is_empty();
                prop_assert!(!is_taken || refused.is_empty(), "{:?}\n{}\nas {}\ninput {}", refused, schema.to_text(), told.to_text(), input.to_text());
            }
        }
    }
}
