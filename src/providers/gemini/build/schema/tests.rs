//! The subset is never stricter than the schema it stands for, and never holds what the API refuses.

use proptest::prelude::*;

use super::*;
use crate::tools::schema::Schema;

fn json(text: &str) -> Json {
    Json::parse(text).unwrap()
}

fn subset(schema: &str) -> String {
    parameters(&json(schema)).map_or_else(|| "none".to_owned(), |node| node.to_text())
}

/// The parameter `p` of a tool that has only this one.
fn of_property(schema: &str) -> String {
    let node = parameters(&json(&format!(r#"{{"type":"object","properties":{{"p":{schema}}}}}"#))).unwrap();
    node.get("properties").and_then(|properties| properties.get("p")).unwrap().to_text()
}

/// What a node of the subset says, in JSON Schema.
fn meaning(node: &Json) -> Json {
    let mut meant = Object::new();
    for (key, value) in node.as_object().unwrap().iter() {
        let value = match &**key {
            "type" => Json::from(value.as_str().unwrap().to_ascii_lowercase()),
            "items" => meaning(value),
            "anyOf" => Json::from(value.as_array().unwrap().iter().map(meaning).collect::<Vec<_>>()),
            "properties" => {
                let mut members = Object::new();
                for (name, node) in value.as_object().unwrap().iter() {
                    members.insert(name.clone(), meaning(node));
                }
                Json::from(members)
            }
            "minItems" | "maxItems" => Json::from(value.as_str().unwrap().parse::<f64>().unwrap()),
            "nullable" => continue,
            _ => value.clone(),
        };
        meant.insert(key.clone(), value);
    }
    let meant = Json::from(meant);
    match node.get("nullable") {
        None => meant,
        Some(_) => json_object! { "anyOf" => vec![meant, json_object! { "type" => "null" }] },
    }
}

/// What the API is known to refuse.
fn assert_taken(node: &Json) {
    let object = node.as_object().unwrap();
    let kind = object.get("type").and_then(Json::as_str);
    assert!(kind.is_some() != object.contains_key("anyOf") || object.is_empty(), "{}", node.to_text());
    for (key, value) in object.iter() {
        match &**key {
            "type" => assert!(KINDS.iter().any(|(_, word, _)| !word.is_empty() && Some(*word) == value.as_str())),
            "description" => assert!(!value.as_str().unwrap().is_empty()),
            "nullable" => assert_eq!(value.as_bool(), Some(true)),
            "enum" => {
                assert_eq!(kind, Some("STRING"));
                assert!(value.as_array().unwrap().iter().all(|text| text.as_str().is_some_and(|text| !text.is_empty())));
            }
            "format" => assert_eq!((kind, value.as_str()), (Some("STRING"), Some("date-time"))),
            "minimum" | "maximum" => assert!(matches!(kind, Some("NUMBER" | "INTEGER")) && value.as_number().is_some()),
            "minItems" | "maxItems" => assert!(kind == Some("ARRAY") && value.as_str().is_some()),
            "items" => {
                assert_eq!(kind, Some("ARRAY"));
                assert_taken(value);
            }
            "anyOf" => {
                assert!(value.as_array().unwrap().len() > 1);
                value.as_array().unwrap().iter().for_each(assert_taken);
            }
            "properties" => {
                assert_eq!(kind, Some("OBJECT"));
                value.as_object().unwrap().iter().for_each(|(_, node)| assert_taken(node));
            }
            "required" => {
                let names = value.as_array().unwrap();
                let members = object.get("properties").and_then(Json::as_object).unwrap();
                assert!(!names.is_empty() && names.iter().all(|name| members.contains_key(name.as_str().unwrap())));
            }
            other => panic!("`{other}` is not in the subset"),
        }
    }
    assert!(kind != Some("ARRAY") || object.contains_key("items"), "{}", node.to_text());
}

fn assert_looser(schema: &Json, accepted: &[&Json], context: &str) {
    let node = Loosening::of(schema).node(schema, DEPTH);
    assert_taken(&node);
    let meant = Schema::compile(&meaning(&node), "subset").unwrap();
    for value in accepted {
        let issues = meant.validate(value);
        assert!(issues.is_empty(), "{context}: {} refuses {}: {issues:?}\n{}", node.to_text(), value.to_text(), schema.to_text());
    }
    // as parameters, which are an object
    if let Some(node) = parameters(schema) {
        assert_taken(&node);
        assert_eq!(node.get("type").and_then(Json::as_str), Some("OBJECT"));
        let meant = Schema::compile(&meaning(&node), "subset").unwrap();
        for value in accepted.iter().filter(|value| value.as_object().is_some()) {
            let issues = meant.validate(value);
            assert!(issues.is_empty(), "{context}: {} refuses {}: {issues:?}\n{}", node.to_text(), value.to_text(), schema.to_text());
        }
    }
}

#[test]
fn the_subset_takes_whatever_the_public_suite_calls_valid() {
    let suite = json(include_str!("../../../../../tests/corpus/schema-suite.json"));
    let mut held = 0;
    for (file, groups) in suite.get("files").unwrap().as_object().unwrap().iter() {
        // there a schema may switch keywords off
        for group in groups.as_array().unwrap().iter().filter(|_| &**file != "vocabulary") {
            let tests = group.get("tests").and_then(Json::as_array).unwrap();
            let valid: Vec<&Json> = tests.iter().filter(|test| test.get("valid").and_then(Json::as_bool) == Some(true)).collect();
            let values: Vec<&Json> = valid.iter().map(|test| test.get("data").unwrap()).collect();
            assert_looser(group.get("schema").unwrap(), &values, &format!("{file} / {}", group.get("description").unwrap().to_text()));
            held += values.len();
        }
    }
    assert!(held > 500, "{held}");
}

#[test]
fn unions_with_null_become_nullable_and_others_alternatives() {
    for (schema, node) in [
        (r#"{"type":"string"}"#, r#"{"type":"STRING"}"#),
        (r#"{"type":["string","null"],"description":"d"}"#, r#"{"type":"STRING","description":"d","nullable":true}"#),
        (r#"{"anyOf":[{"type":"string"},{"type":"null"}]}"#, r#"{"type":"STRING","nullable":true}"#),
        (r#"{"oneOf":[{"type":"integer"},{"type":"string"}]}"#, r#"{"anyOf":[{"type":"INTEGER"},{"type":"STRING"}]}"#),
        (r#"{"type":["integer","boolean"]}"#, r#"{"anyOf":[{"type":"BOOLEAN"},{"type":"INTEGER"}]}"#),
        (r#"{"type":"null"}"#, r#"{"type":"STRING","nullable":true}"#),
        (
            r#"{"type":"object","oneOf":[{"properties":{"a":{"const":"x"}},"required":["a"]},{"properties":{"b":{"type":"number"}}}]}"#,
            r#"{"anyOf":[{"type":"OBJECT","properties":{"a":{"type":"STRING","enum":["x"]}},"required":["a"]},{"type":"OBJECT","properties":{"b":{"type":"NUMBER"}}}]}"#,
        ),
    ] {
        assert_eq!(of_property(schema), node, "{schema}");
    }
}

#[test]
fn values_are_listed_where_they_are_texts_and_named_where_not() {
    for (schema, node) in [
        (r#"{"const":"a"}"#, r#"{"type":"STRING","enum":["a"]}"#),
        (r#"{"enum":["a","b",null]}"#, r#"{"type":"STRING","enum":["a","b"],"nullable":true}"#),
        (r#"{"enum":["a",""]}"#, r#"{"type":"STRING"}"#),
        (r#"{"type":"integer","enum":[1,2],"description":"How many."}"#, r#"{"type":"INTEGER","description":"How many.\nOne of 1, 2"}"#),
        (r#"{"const":true}"#, r#"{"type":"BOOLEAN","description":"Always true"}"#),
        (r#"{"enum":[1.5,"a"]}"#, r#"{"anyOf":[{"type":"NUMBER"},{"type":"STRING","enum":["a"]}],"description":"One of 1.5, \"a\""}"#),
    ] {
        assert_eq!(of_property(schema), node, "{schema}");
    }
}

#[test]
fn what_the_subset_cannot_say_is_left_out() {
    for (schema, node) in [
        (r#"{"type":"string","format":"date-time","minLength":1,"pattern":"^a"}"#, r#"{"type":"STRING","format":"date-time"}"#),
        (r#"{"type":"string","format":"email"}"#, r#"{"type":"STRING"}"#),
        (r#"{"type":"number","minimum":1,"exclusiveMaximum":9,"multipleOf":2}"#, r#"{"type":"NUMBER","minimum":1}"#),
        (r#"{"type":"array"}"#, r#"{"type":"ARRAY","items":{}}"#),
        (
            r#"{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":false,"maxItems":2}"#,
            r#"{"type":"ARRAY","items":{"anyOf":[{"type":"STRING"},{"type":"INTEGER"}]},"maxItems":"2"}"#,
        ),
        (r#"{"type":"array","prefixItems":[{"type":"string"}]}"#, r#"{"type":"ARRAY","items":{}}"#),
        (
            r#"{"type":"object","additionalProperties":{"type":"string"},"patternProperties":{"a":{}},"propertyNames":{"maxLength":3}}"#,
            r#"{"type":"OBJECT"}"#,
        ),
        (
            r#"{"type":"object","properties":{"a":{"type":"string"}},"required":["a","b"],"additionalProperties":false}"#,
            r#"{"type":"OBJECT","properties":{"a":{"type":"STRING"}},"required":["a"]}"#,
        ),
        (r#"{"type":"string","not":{"const":"a"},"if":{"minLength":3},"then":{"maxLength":4}}"#, r#"{"type":"STRING"}"#),
    ] {
        assert_eq!(of_property(schema), node, "{schema}");
    }
    for none in [r#"{"type":"object"}"#, r#"{"type":"object","properties":{}}"#, "{}", "true", r#"{"type":"string"}"#] {
        assert_eq!(subset(none), "none", "{none}");
    }
}

#[test]
fn references_are_followed_and_never_round_and_round() {
    let tree = r##"{"type":"object","description":"A tree.","$defs":{"node":{"type":"object","description":"A node.",
        "properties":{"name":{"type":"string"},"kids":{"type":"array","items":{"$ref":"#/$defs/node"}}}}},
        "properties":{"top":{"$ref":"#/$defs/node"},"other":{"$ref":"#/$defs/node","description":"Another."}}}"##;
    let node = r#""properties":{"name":{"type":"STRING"},"kids":{"type":"ARRAY","items":{"type":"OBJECT","description":"A node."}}}"#;
    let expected = format!(
        r#"{{"type":"OBJECT","properties":{{"top":{{"type":"OBJECT",{node},"description":"A node."}},"other":{{"type":"OBJECT",{node},"description":"Another."}}}},"description":"A tree."}}"#
    );
    assert_eq!(subset(tree), expected);
    let both = r##"{"type":"object","$defs":{"a":{"properties":{"x":{"type":"string"}},"required":["x"]}},
        "allOf":[{"$ref":"#/$defs/a"},{"properties":{"x":{"description":"X."},"y":{"type":"boolean"}},"required":["y"]}]}"##;
    let expected =
        r#"{"type":"OBJECT","properties":{"x":{"type":"STRING","description":"X."},"y":{"type":"BOOLEAN"}},"required":["x","y"]}"#;
    assert_eq!(subset(both), expected);
}

#[test]
fn parameters_that_are_one_of_several_objects_become_one() {
    let schema = r#"{"type":"object","properties":{"id":{"type":"string"}},"required":["id"],"oneOf":[
        {"properties":{"kind":{"const":"a"},"size":{"type":"number"}},"required":["kind","size"]},
        {"properties":{"kind":{"const":"b"}},"required":["kind"]}]}"#;
    let node = json(&subset(schema));
    assert_eq!(node.get("required").unwrap().to_text(), r#"["id","kind"]"#);
    let properties = node.get("properties").unwrap();
    assert_eq!(properties.get("kind").unwrap().to_text(), r#"{"anyOf":[{"type":"STRING","enum":["a"]},{"type":"STRING","enum":["b"]}]}"#);
    // only one of them knows it
    assert_eq!(properties.get("size").unwrap().get("anyOf").and_then(Json::as_array).unwrap().len(), 5);
}

#[test]
fn l8_a_schema_that_multiplies_is_bounded() {
    let mut defs = Object::new();
    for level in 0..40 {
        let next = json(&format!(r##"{{"$ref":"#/$defs/d{}"}}"##, level + 1));
        defs.insert(
            format!("d{level}"),
            json_object! { "type" => "object", "properties" => json_object! { "a" => next.clone(), "b" => next } },
        );
    }
    let mut bomb = defs.get("d0").unwrap().clone();
    bomb.as_object_mut().unwrap().insert("$defs", defs);
    assert!(parameters(&bomb).unwrap().to_text().len() < 400_000);

    let mut wide = Object::new();
    for n in 0..20_000 {
        wide.insert(format!("p{n}"), json(r#"{"type":"string","description":"A text that is not long."}"#));
    }
    let alternatives: Vec<Json> = (0..5_000).map(|n| json(&format!(r#"{{"properties":{{"k":{{"const":"v{n}"}}}}}}"#))).collect();
    let schema = json_object! { "type" => "object", "properties" => wide, "anyOf" => alternatives };
    assert!(parameters(&schema).is_none_or(|node| node.to_text().len() < 400_000));
    let deep = (0..100).fold(json(r#"{"type":"string"}"#), |inner, _| json_object! { "type" => "array", "items" => inner });
    let deep = json_object! { "type" => "object", "properties" => json_object! { "deep" => deep } };
    assert!(parameters(&deep).unwrap().to_text().len() < 2_000);
}

fn value() -> impl Strategy<Value = Json> {
    let leaf = proptest::sample::select(vec!["null", "true", "1", "2.5", "-3", "\"a\"", "\"b\"", "\"\"", "{}", "[]"]).prop_map(json);
    leaf.prop_recursive(3, 12, 3, |inner| {
        let key = || proptest::sample::select(vec!["a", "b", "c"]);
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Json::from),
            proptest::collection::vec((key(), inner), 0..3).prop_map(|members| {
                let mut object = Object::new();
                for (key, value) in members {
                    object.insert(key, value);
                }
                Json::from(object)
            }),
        ]
    })
}

fn schema() -> impl Strategy<Value = Json> {
    let leaf = proptest::sample::select(vec![
        "true",
        "{}",
        "false",
        r#"{"type":"string"}"#,
        r#"{"type":["integer","null"]}"#,
        r#"{"type":"number","minimum":0}"#,
        r#"{"enum":["a",1,null,""]}"#,
        r#"{"const":{"a":1}}"#,
        r#"{"required":["a"]}"#,
        r##"{"$ref":"#"}"##,
        r##"{"$ref":"#/$defs/d"}"##,
        r#"{"minItems":1,"maxItems":2}"#,
    ])
    .prop_map(json);
    leaf.prop_recursive(4, 24, 3, |inner| {
        let list = || proptest::collection::vec(inner.clone(), 1..3);
        let keyword = prop_oneof![
            list().prop_map(|schemas| ("anyOf", Json::from(schemas))),
            list().prop_map(|schemas| ("oneOf", Json::from(schemas))),
            list().prop_map(|schemas| ("allOf", Json::from(schemas))),
            list().prop_map(|schemas| ("prefixItems", Json::from(schemas))),
            inner.clone().prop_map(|schema| ("items", schema)),
            inner.clone().prop_map(|schema| ("additionalProperties", schema)),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| ("properties", json_object! { "a" => a, "b" => b })),
            proptest::sample::select(vec![r#""object""#, r#"["array","string"]"#, r#""integer""#]).prop_map(|kind| ("type", json(kind))),
            proptest::sample::select(vec![r#"["a"]"#, r#"["a","c"]"#]).prop_map(|names| ("required", json(names))),
            Just(("$ref", Json::from("#/$defs/d"))),
        ];
        proptest::collection::vec(keyword, 1..4).prop_map(|keywords| {
            let mut object = Object::new();
            for (key, value) in keywords {
                object.insert(key, value);
            }
            Json::from(object)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_a_schema_accepts_its_subset_accepts(
        schema in schema(),
        definition in schema(),
        values in proptest::collection::vec(value(), 1..12),
    ) {
        let mut root = schema.as_object().cloned().unwrap_or_default();
        root.insert("$defs", json_object! { "d" => definition });
        let root = Json::from(root);
        // some refer to themselves without end, and are refused where a tool is declared
        let Ok(compiled) = Schema::compile(&root, "schema") else { return Ok(()) };
        let accepted: Vec<&Json> = values.iter().filter(|value| compiled.validate(value).is_empty()).collect();
        assert_looser(&root, &accepted, "random");
    }
}
