//! Our validator against the `jsonschema` crate: generated schemas and values, equal verdicts.
//!
//! Where the two are known to differ nothing is generated, so that no disagreement is ever passed over: remote and
//! dynamic references and the `unevaluated` keywords (refused here), references that never reach a smaller part
//! (refused here, endless there), patterns beyond what both engines read alike, integers beyond 2^53 (doubles here),
//! and `multipleOf` of steps that no binary fraction holds (decimal digits decide here).
#![cfg(not(target_arch = "wasm32"))]

use std::cell::Cell;
use std::sync::Arc;

use countersign::protocol::json::{Json, Object};
use countersign::tools::schema::Schema;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};

/// Schemas tried, and values for each.
const SCHEMAS: u32 = 1000;
const VALUES: usize = 16;

const NAMES: [&str; 5] = ["a", "b", "ab", "é", "__proto__"];
const TYPES: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];
const PATTERNS: [&str; 6] = ["^a", "b$", "^[a-c]*$", "^.{2,3}$", "a|é", "^\\d+$"];

#[test]
fn generated_schemas_are_decided_as_another_validator_decides_them() {
    let (valid, invalid) = (Cell::new(0_u32), Cell::new(0_u32));
    let config = ProptestConfig { cases: SCHEMAS, failure_persistence: None, ..ProptestConfig::default() };
    // half of the schemas are flat: in those every keyword decides by itself
    let cases = (prop_oneof![document().boxed(), object(assertions()).boxed()], prop::collection::vec(value(), VALUES));
    let outcome = TestRunner::new_with_rng(config, proptest::test_runner::TestRng::deterministic_rng(Default::default())).run(
        &cases,
        |(schema, values)| {
            let ours = Schema::compile(&ours(&schema), "schema").map_err(|fault| TestCaseError::fail(format!("refused here: {fault}")))?;
            let theirs = jsonschema::draft202012::new(&schema).map_err(|error| TestCaseError::fail(format!("refused there: {error}")))?;
            for value in &values {
                let issues = ours.validate(&self::ours(value));
                let (here, there) = (issues.is_empty(), theirs.is_valid(value));
                prop_assert_eq!(here, there, "{} against {}: {:?}", value, schema, issues);
                let counter = if here { &valid } else { &invalid };
                counter.set(counter.get() + 1);
            }
            Ok(())
        },
    );
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
    let (valid, invalid) = (valid.get(), invalid.get());
    assert!(valid + invalid >= 16_000, "{valid} valid, {invalid} invalid");
    assert!(valid.min(invalid) > 4_000, "both verdicts are tried: {valid} valid, {invalid} invalid");
}

/// The same value as the core holds it.
fn ours(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(value) => Json::from(*value),
        Value::Number(number) => Json::from(number.as_f64().unwrap_or(f64::NAN)),
        Value::String(text) => Json::from(text.as_str()),
        Value::Array(items) => Json::from(items.iter().map(ours).collect::<Vec<_>>()),
        Value::Object(members) => {
            Json::from(members.iter().map(|(name, member)| (Arc::from(name.as_str()), ours(member))).collect::<Object>())
        }
    }
}

/// A schema with definitions: `d0` may name `d1` in place, both may name the root and each other below a member or an item.
fn document() -> impl Strategy<Value = Value> {
    (schema(0), schema(1), schema(2)).prop_map(|(root, first, second)| {
        let mut root = match root {
            Value::Object(object) => object,
            other => Map::from_iter([("allOf".to_owned(), json!([other]))]),
        };
        let anchored = |schema: Value, name: &str| match schema {
            Value::Object(mut object) => {
                object.insert("$anchor".to_owned(), json!(name));
                Value::Object(object)
            }
            other => json!({ "$anchor": name, "allOf": [other] }),
        };
        root.insert("$defs".to_owned(), json!({ "d0": anchored(first, "first"), "d1": anchored(second, "second") }));
        Value::Object(root)
    })
}

/// What stands at this level of the document: 0 the root, then the definitions; in place a schema names later ones only.
fn schema(level: usize) -> BoxedStrategy<Value> {
    let leaf = prop_oneof![1 => any::<bool>().prop_map(Value::from), 9 => object(assertions())];
    let named: BoxedStrategy<Value> = match level {
        0 => prop::sample::select(vec!["#/$defs/d0", "#/$defs/d1", "#first", "#second"]).prop_map(|to| json!({ "$ref": to })).boxed(),
        1 => prop::sample::select(vec!["#/$defs/d1", "#second"]).prop_map(|to| json!({ "$ref": to })).boxed(),
        _ => Just(json!({ "type": ["object", "array", "string", "null"] })).boxed(),
    };
    let below = prop::sample::select(vec!["#", "#/$defs/d0", "#/$defs/d1", "#first", "#second"]).prop_map(|to| json!({ "$ref": to }));
    prop_oneof![6 => leaf, 1 => named]
        .prop_recursive(3, 24, 4, move |inner| {
            let part = prop_oneof![6 => inner.clone(), 1 => below.clone()];
            let parts = prop_oneof![2 => applied(part.boxed()), 2 => combined(inner.boxed()), 3 => assertions()];
            object(parts.boxed())
        })
        .boxed()
}

type Member = (&'static str, Value);

/// Several keywords in one schema.
fn object(members: BoxedStrategy<Vec<Member>>) -> impl Strategy<Value = Value> {
    prop::collection::vec(members, 1..4)
        .prop_map(|lists| Value::Object(lists.into_iter().flatten().map(|(key, value)| (key.to_owned(), value)).collect()))
}

/// Keywords that look at one value, and annotations among them.
fn assertions() -> BoxedStrategy<Vec<Member>> {
    let one = |key: &'static str, value: BoxedStrategy<Value>| value.prop_map(move |value| vec![(key, value)]).boxed();
    let count = || (0_u64..4).prop_map(Value::from).boxed();
    let limit = || prop::sample::select(vec![json!(-1), json!(0), json!(1), json!(1.5), json!(2.0), json!(-0.5), json!(1e3)]).boxed();
    let types = prop::sample::subsequence(TYPES.to_vec(), 1..4)
        .prop_map(|types| if let [only] = types.as_slice() { json!(only) } else { json!(types) });
    let names = || prop::sample::subsequence(NAMES.to_vec(), 0..3).prop_map(|names| json!(names)).boxed();
    let choices = prop::collection::vec(value(), 1..4).prop_map(|mut list| {
        let mut kept: Vec<Value> = Vec::new();
        list.retain(|item| {
            let fresh = !kept.iter().any(|other| ours(other) == ours(item));
            kept.push(item.clone());
            fresh
        });
        Value::from(list)
    });
    prop::strategy::Union::new_weighted(vec![
        (6, one("type", types.boxed())),
        (1, one("const", value().boxed())),
        (2, one("enum", choices.boxed())),
        (1, one("minLength", count())),
        (1, one("maxLength", count())),
        (2, one("pattern", prop::sample::select(PATTERNS.to_vec()).prop_map(Value::from).boxed())),
        (1, one("minimum", limit())),
        (1, one("maximum", limit())),
        (1, one("exclusiveMinimum", limit())),
        (1, one("exclusiveMaximum", limit())),
        (1, one("multipleOf", prop::sample::select(vec![json!(1), json!(2), json!(0.5), json!(3), json!(1.5)]).boxed())),
        (1, one("minItems", count())),
        (1, one("maxItems", count())),
        (2, one("uniqueItems", any::<bool>().prop_map(Value::from).boxed())),
        (1, one("minProperties", count())),
        (1, one("maxProperties", count())),
        (2, one("required", names())),
        (1, one("dependentRequired", names().prop_map(|names| json!({ "a": names })).boxed())),
        (1, one("title", Just(json!("annotation")).boxed())),
        (1, one("default", value().boxed())),
        (1, one("format", Just(json!("email")).boxed())),
        (1, one("x-unknown", value().boxed())),
    ])
    .boxed()
}

/// Keywords that apply schemas to parts of the value.
fn applied(part: BoxedStrategy<Value>) -> BoxedStrategy<Vec<Member>> {
    let one = |key: &'static str, value: BoxedStrategy<Value>| value.prop_map(move |value| vec![(key, value)]).boxed();
    let list = prop::collection::vec(part.clone(), 1..3).prop_map(Value::from);
    let named = |part: &BoxedStrategy<Value>| {
        (prop::sample::subsequence(NAMES.to_vec(), 1..4), prop::collection::vec(part.clone(), 4))
            .prop_map(|(names, parts)| Value::Object(names.into_iter().map(str::to_owned).zip(parts).collect()))
            .boxed()
    };
    let patterned = (prop::sample::select(PATTERNS.to_vec()), part.clone()).prop_map(|(pattern, part)| json!({ pattern: part }));
    let contains = (part.clone(), prop::option::of(0_u64..3), prop::option::of(0_u64..3)).prop_map(|(part, min, max)| {
        let mut members = vec![("contains", part)];
        members.extend(min.map(|min| ("minContains", json!(min))));
        members.extend(max.map(|max| ("maxContains", json!(max))));
        members
    });
    prop_oneof![
        3 => one("properties", named(&part)),
        1 => one("patternProperties", patterned.boxed()),
        2 => one("additionalProperties", part.clone()),
        1 => one("propertyNames", part.clone()),
        2 => one("items", part),
        2 => one("prefixItems", list.boxed()),
        2 => contains,
    ]
    .boxed()
}

/// Keywords that apply schemas to the value itself.
fn combined(inner: BoxedStrategy<Value>) -> BoxedStrategy<Vec<Member>> {
    let one = |key: &'static str, value: BoxedStrategy<Value>| value.prop_map(move |value| vec![(key, value)]).boxed();
    let list = || prop::collection::vec(inner.clone(), 1..4).prop_map(Value::from).boxed();
    let branches = (inner.clone(), prop::option::of(inner.clone()), prop::option::of(inner.clone())).prop_map(|(test, then, otherwise)| {
        let mut members = vec![("if", test)];
        members.extend(then.map(|then| ("then", then)));
        members.extend(otherwise.map(|otherwise| ("else", otherwise)));
        members
    });
    prop_oneof![
        1 => one("allOf", list()),
        2 => one("anyOf", list()),
        2 => one("oneOf", list()),
        1 => one("not", inner.clone()),
        1 => one("dependentSchemas", inner.clone().prop_map(|schema| json!({ "a": schema })).boxed()),
        2 => branches,
    ]
    .boxed()
}

/// Small values over the same names and words that the schemas use.
fn value() -> impl Strategy<Value = Value> {
    let number = prop::sample::select(vec![
        json!(0),
        json!(-0.0),
        json!(1),
        json!(1.0),
        json!(2),
        json!(-1),
        json!(0.5),
        json!(1.5),
        json!(3.0),
        json!(1000),
        json!(1e3),
    ]);
    let text = prop::sample::select(vec!["", "a", "b", "ab", "abc", "é", "e\u{301}", "\u{1F600}", "12", "__proto__"]);
    let leaf = prop_oneof![Just(Value::Null), any::<bool>().prop_map(Value::from), number, text.prop_map(Value::from)];
    let nested = leaf.clone().prop_recursive(3, 16, 4, |inner| {
        let members = (prop::sample::subsequence(NAMES.to_vec(), 0..=NAMES.len()), prop::collection::vec(inner.clone(), NAMES.len()));
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Value::from),
            members.prop_map(|(names, values)| Value::Object(names.into_iter().map(str::to_owned).zip(values).collect())),
        ]
    });
    prop_oneof![leaf, nested]
}
