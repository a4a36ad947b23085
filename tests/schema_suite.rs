//! The public JSON Schema suite (draft 2020-12, required tests), replayed as it stands. What this validator
//! does not take is refused at compilation, never decided wrongly: those schemas are listed here with the reason.
#![cfg(not(target_arch = "wasm32"))]

use countersign::protocol::json::Json;
use countersign::tools::schema::Schema;

/// What is refused must be listed there, what is listed must be refused; the packed package is held to the same list.
const REFUSED: &str = include_str!("corpus/schema-suite-refused.json");

/// How many cases are decided, of how many: written in docs/schemas.md.
const DECIDED: usize = 984;

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
    assert_eq!(decided, DECIDED);
    let list = Json::parse(REFUSED).unwrap();
    let word = |entry: &Json, key: &str| entry.get(key).and_then(Json::as_str).unwrap().to_owned();
    let mut listed = Vec::new();
    for entry in list.as_array().unwrap() {
        for name in entry.get("schemas").unwrap().as_array().unwrap() {
            listed.push((word(entry, "file"), name.as_str().unwrap().to_owned(), word(entry, "why")));
        }
    }
    for (file, name, said) in &refused {
        let known = listed.iter().any(|(f, n, why)| f == file && n == name && said.contains(why));
        assert!(known, "refused but not listed: {file} / {name}: {said}");
    }
    for (file, name, _) in &listed {
        assert!(refused.iter().any(|(f, n, _)| f == file && n == name), "listed but not refused: {file} / {name}");
    }
    assert_eq!(listed.len(), refused.len());
}
