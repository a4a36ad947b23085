//! docs/schemas.md says what the validator does: every row of its tables is tried, and no keyword of the dialect is left out.
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::unwrap_used, reason = "a document that is not as the tests read it fails them")]

use std::collections::BTreeSet;

use countersign::protocol::json::Json;
use countersign::tools::schema::Schema;

const DOCS: &str = include_str!("../docs/schemas.md");

/// The keywords of JSON Schema 2020-12, all vocabularies, and what older drafts had in their place.
const DIALECT: &[&str] = &[
    "$schema",
    "$vocabulary",
    "$id",
    "$ref",
    "$dynamicRef",
    "$defs",
    "$anchor",
    "$dynamicAnchor",
    "$comment",
    "prefixItems",
    "items",
    "contains",
    "additionalProperties",
    "properties",
    "patternProperties",
    "dependentSchemas",
    "propertyNames",
    "if",
    "then",
    "else",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "unevaluatedItems",
    "unevaluatedProperties",
    "type",
    "const",
    "enum",
    "multipleOf",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "maxContains",
    "minContains",
    "maxProperties",
    "minProperties",
    "required",
    "dependentRequired",
    "title",
    "description",
    "default",
    "deprecated",
    "readOnly",
    "writeOnly",
    "examples",
    "format",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "$recursiveRef",
    "$recursiveAnchor",
    "additionalItems",
    "dependencies",
];

#[test]
fn what_is_documented_as_checked_is_checked() {
    let rows = rows("Checked");
    assert!(rows.len() >= 40);
    for row in &rows {
        let [keyword, schema, good, bad] = row.as_slice() else { panic!("{row:?}") };
        assert!(schema.contains(&format!("\"{keyword}\"")), "{row:?}");
        let schema = Schema::compile(&json(schema), "schema").unwrap();
        assert_eq!(schema.validate(&json(good)), Vec::<String>::new(), "{row:?}");
        assert!(!schema.validate(&json(bad)).is_empty(), "{row:?}");
    }
}

#[test]
fn what_is_documented_as_refused_is_refused_in_these_words() {
    let rows = rows("Refused");
    assert!(rows.len() >= 20);
    for row in &rows {
        let [schema, words] = row.as_slice() else { panic!("{row:?}") };
        let fault = Schema::compile(&json(schema), "schema").unwrap_err();
        assert_eq!(fault.code, "invalid_schema", "{row:?}");
        assert!(fault.path.starts_with("schema") && fault.message.contains(words.as_str()), "{row:?}: {fault}");
    }
}

#[test]
fn what_is_documented_as_an_annotation_is_taken_and_ignored() {
    for keyword in annotations() {
        for held in ["17", "{\"type\":\"nonsense\"}", "[false]", "\"email\""] {
            let schema = Schema::compile(&json(&format!("{{\"{keyword}\":{held}}}")), "schema").unwrap();
            for value in ["null", "0", "\"\"", "[]", "{}"] {
                assert!(schema.validate(&json(value)).is_empty(), "{keyword}: {held}");
            }
        }
    }
}

#[test]
fn every_keyword_of_the_dialect_is_in_exactly_one_list() {
    let checked: Vec<String> = rows("Checked").into_iter().filter_map(|row| row.into_iter().next()).collect();
    let refused: Vec<String> = rows("Refused")
        .into_iter()
        .filter_map(|row| Some(between(row.get(1)?, "the keyword `", "` is not supported")?.to_owned()))
        .collect();
    let mut listed: Vec<String> = [checked, refused, annotations(), vec!["$schema".to_owned()]].concat();
    listed.sort();
    let dialect: BTreeSet<String> = DIALECT.iter().map(|keyword| (*keyword).to_owned()).collect();
    assert_eq!(listed, dialect.into_iter().collect::<Vec<_>>());
}

fn json(text: &str) -> Json {
    Json::parse(text).unwrap()
}

/// The rows of the one table under a heading, without the backticks around a whole cell.
fn rows(heading: &str) -> Vec<Vec<String>> {
    let section = between(DOCS, &format!("## {heading}\n"), "\n## ").unwrap();
    let cell = |text: &str| {
        let text = text.trim();
        let inner = text.strip_prefix('`').and_then(|text| text.strip_suffix('`'));
        inner.filter(|inner| !inner.contains('`')).unwrap_or(text).to_owned()
    };
    let table = section.lines().filter(|line| line.starts_with('|')).skip(2);
    table.map(|line| line.trim_matches('|').split(" | ").map(cell).collect()).collect()
}

fn annotations() -> Vec<String> {
    let section = between(DOCS, "## Annotations\n", ". So does every keyword nobody knows").unwrap();
    section.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(before)?;
    rest.split_once(after).map(|(inside, _)| inside)
}
