//! The public JSON Schema suite (draft 2020-12, required tests), replayed as it stands. What this validator
//! does not take is refused at compilation, never decided wrongly: those schemas are listed here with the reason.
#![cfg(not(target_arch = "wasm32"))]

use countersign::protocol::json::Json;
use countersign::tools::schema::Schema;

/// File, reason, schemas: what is refused must be listed here, what is listed must be refused. Remote references
/// are never fetched, the dialect is fixed, `$dynamicRef` and the `unevaluated` keywords are not built.
const REFUSED: &[(&str, &str, &[&str])] = &[
    ("defs", "leads out of the schema", &["validate definition against metaschema"]),
    (
        "dynamicRef",
        "the keyword `$dynamicRef` is not supported",
        &[
            "A $dynamicRef to a $dynamicAnchor in the same schema resource behaves like a normal $ref to an $anchor",
            "A $dynamicRef to an $anchor in the same schema resource behaves like a normal $ref to an $anchor",
            "A $dynamicRef resolves to the first $dynamicAnchor still in scope that is encountered when the schema is evaluated",
            "A $dynamicRef without anchor in fragment behaves identical to $ref",
            "A $dynamicRef with intermediate scopes that don't include a matching $dynamicAnchor does not affect dynamic scope resolution",
            "An $anchor with the same name as a $dynamicAnchor is not used for dynamic scope resolution",
            "A $dynamicRef without a matching $dynamicAnchor in the same schema resource behaves like a normal $ref to $anchor",
            "A $dynamicRef with a non-matching $dynamicAnchor in the same schema resource behaves like a normal $ref to $anchor",
            "A $dynamicRef that initially resolves to a schema with a matching $dynamicAnchor resolves to the first $dynamicAnchor in the dynamic scope",
            "A $dynamicRef that initially resolves to a schema without a matching $dynamicAnchor behaves like a normal $ref to $anchor",
            "multiple dynamic paths to the $dynamicRef keyword",
            "after leaving a dynamic scope, it is not used by a $dynamicRef",
            "$dynamicRef points to a boolean schema",
            "$dynamicRef skips over intermediate resources - direct reference",
        ],
    ),
    ("dynamicRef", "the keyword `unevaluatedProperties` is not supported", &["strict-tree schema, guards against misspelled properties"]),
    (
        "dynamicRef",
        "leads out of the schema",
        &[
            "tests for implementation dynamic anchor and reference link",
            "$ref and $dynamicAnchor are independent of order - $defs first",
            "$ref and $dynamicAnchor are independent of order - $ref first",
            "$ref to $dynamicRef finds detached $dynamicAnchor",
        ],
    ),
    (
        "not",
        "the keyword `unevaluatedProperties` is not supported",
        &["collect annotations inside a 'not', even if collection is disabled"],
    ),
    ("ref", "leads out of the schema", &["remote ref, containing refs itself"]),
    ("ref", "the keyword `unevaluatedProperties` is not supported", &["ref creates new scope when adjacent to keywords"]),
    (
        "refRemote",
        "leads out of the schema",
        &[
            "remote ref",
            "fragment within remote ref",
            "anchor within remote ref",
            "ref within remote ref",
            "base URI change",
            "base URI change - change folder",
            "base URI change - change folder in subschema",
            "root ref in remote ref",
            "remote ref with ref to defs",
            "Location-independent identifier in remote ref",
            "retrieved nested refs resolve relative to their URI not $id",
            "remote HTTP ref with different $id",
            "remote HTTP ref with different URN $id",
            "remote HTTP ref with nested absolute ref",
            "$ref to $ref finds detached $anchor",
        ],
    ),
    (
        "unevaluatedItems",
        "the keyword `unevaluatedItems` is not supported",
        &[
            "unevaluatedItems true",
            "unevaluatedItems false",
            "unevaluatedItems as schema",
            "unevaluatedItems with uniform items",
            "unevaluatedItems with tuple",
            "unevaluatedItems with items and prefixItems",
            "unevaluatedItems with items",
            "unevaluatedItems with nested tuple",
            "unevaluatedItems with nested items",
            "unevaluatedItems with nested prefixItems and items",
            "unevaluatedItems with nested unevaluatedItems",
            "unevaluatedItems with anyOf",
            "unevaluatedItems with oneOf",
            "unevaluatedItems with not",
            "unevaluatedItems with if/then/else",
            "unevaluatedItems with boolean schemas",
            "unevaluatedItems with $ref",
            "unevaluatedItems before $ref",
            "unevaluatedItems with $dynamicRef",
            "unevaluatedItems can't see inside cousins",
            "item is evaluated in an uncle schema to unevaluatedItems",
            "unevaluatedItems depends on adjacent contains",
            "unevaluatedItems depends on multiple nested contains",
            "unevaluatedItems and contains interact to control item dependency relationship",
            "non-array instances are valid",
            "unevaluatedItems with null instance elements",
            "unevaluatedItems can see annotations from if without then and else",
        ],
    ),
    (
        "unevaluatedProperties",
        "the keyword `unevaluatedProperties` is not supported",
        &[
            "unevaluatedProperties true",
            "unevaluatedProperties schema",
            "unevaluatedProperties false",
            "unevaluatedProperties with adjacent properties",
            "unevaluatedProperties with adjacent patternProperties",
            "unevaluatedProperties with adjacent bool additionalProperties",
            "unevaluatedProperties with adjacent non-bool additionalProperties",
            "unevaluatedProperties with nested properties",
            "unevaluatedProperties with nested patternProperties",
            "unevaluatedProperties with nested additionalProperties",
            "unevaluatedProperties with nested unevaluatedProperties",
            "unevaluatedProperties with anyOf",
            "unevaluatedProperties with oneOf",
            "unevaluatedProperties with not",
            "unevaluatedProperties with if/then/else",
            "unevaluatedProperties with if/then/else, then not defined",
            "unevaluatedProperties with if/then/else, else not defined",
            "unevaluatedProperties with dependentSchemas",
            "unevaluatedProperties with boolean schemas",
            "unevaluatedProperties with $ref",
            "unevaluatedProperties before $ref",
            "unevaluatedProperties with $dynamicRef",
            "unevaluatedProperties can't see inside cousins",
            "unevaluatedProperties can't see inside cousins (reverse order)",
            "nested unevaluatedProperties, outer false, inner true, properties outside",
            "nested unevaluatedProperties, outer false, inner true, properties inside",
            "nested unevaluatedProperties, outer true, inner false, properties outside",
            "nested unevaluatedProperties, outer true, inner false, properties inside",
            "cousin unevaluatedProperties, true and false, true with properties",
            "cousin unevaluatedProperties, true and false, false with properties",
            "property is evaluated in an uncle schema to unevaluatedProperties",
            "in-place applicator siblings, allOf has unevaluated",
            "in-place applicator siblings, anyOf has unevaluated",
            "unevaluatedProperties + single cyclic ref",
            "unevaluatedProperties + ref inside allOf / oneOf",
            "dynamic evalation inside nested refs",
            "non-object instances are valid",
            "unevaluatedProperties with null valued instance properties",
            "unevaluatedProperties not affected by propertyNames",
            "unevaluatedProperties can see annotations from if without then and else",
            "dependentSchemas with unevaluatedProperties",
        ],
    ),
    (
        "vocabulary",
        "is not a known dialect",
        &["schema that uses custom metaschema with with no validation vocabulary", "ignore unrecognized optional vocabulary"],
    ),
];

#[test]
fn the_public_suite_is_decided_as_it_says() {
    let suite = Json::parse(include_str!("corpus/schema-suite.json")).unwrap();
    let (mut decided, mut refused) = (0, Vec::new());
    let mut wrong = Vec::new();
    for (file, groups) in suite.get("files").unwrap().as_object().unwrap().iter() {
        for group in groups.as_array().unwrap() {
            let text = |value: &Json| value.get("description").and_then(Json::as_str).unwrap().to_owned();
            let name = text(group);
            let schema = match Schema::compile(group.get("schema").unwrap(), "schema") {
                Ok(schema) => schema,
                Err(fault) => {
                    assert_eq!(fault.code, "invalid_schema");
                    assert!(fault.path.starts_with("schema"), "{fault}");
                    refused.push((file.to_string(), name, fault.to_string()));
                    continue;
                }
            };
            for test in group.get("tests").unwrap().as_array().unwrap() {
                let issues = schema.validate(test.get("data").unwrap());
                decided += 1;
                if issues.is_empty() != test.get("valid").unwrap().as_bool().unwrap() {
                    wrong.push(format!("{file} / {name} / {}: {issues:?}", text(test)));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(decided > 900, "only {decided} cases decided");
    let listed: Vec<_> = REFUSED.iter().flat_map(|(file, why, names)| names.iter().map(move |name| (*file, *name, *why))).collect();
    for (file, name, said) in &refused {
        let known = listed.iter().any(|(f, n, why)| f == file && n == name && said.contains(why));
        assert!(known, "refused but not listed: {file} / {name}: {said}");
    }
    for (file, name, _) in &listed {
        assert!(refused.iter().any(|(f, n, _)| f == file && n == name), "listed but not refused: {file} / {name}");
    }
    assert_eq!(listed.len(), refused.len());
}
