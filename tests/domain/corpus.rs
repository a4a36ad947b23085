//! Replays the recorded verdicts and effects. Where ours differ, the case says so and why.

use super::*;
use countersign::document::outcome::CommitRefusal;
use countersign::tools::canonical::canonical_json;

pub(super) const VALIDATION: &str = include_str!("../corpus/threat_model_validation.jsonl");
pub(super) const MUTATIONS: &str = include_str!("../corpus/threat_model_mutations.jsonl");

pub(super) fn lines(corpus: &str) -> Vec<Json> {
    corpus.lines().map(json).collect()
}

fn text<'a>(case: &'a Json, field: &str) -> &'a str {
    case.get(field).and_then(Json::as_str).unwrap_or_default()
}

fn texts<'a>(case: &'a Json, field: &str) -> Vec<&'a str> {
    case.get(field).and_then(Json::as_array).unwrap_or_default().iter().filter_map(Json::as_str).collect()
}

#[test]
fn c1_every_recorded_verdict_is_given_with_its_class_and_words() {
    let cases = lines(VALIDATION);
    assert!(cases.len() > 70);
    for case in &cases {
        let name = text(case, "name");
        let first = match open(case.get("document").unwrap()) {
            Err(fault) => {
                assert_eq!(fault.code, "unreadable_document", "{name}");
                fault.message.clone()
            }
            Ok(store) => store.issues().first().cloned().unwrap_or_default(),
        };
        let class = first.split(": ").next().unwrap_or_default();
        assert_eq!(if first.is_empty() { "accepted" } else { class }, text(case, "expect"), "{name}: {first}");
        for part in texts(case, "contains") {
            assert!(first.contains(part), "{name}: `{part}` is not in: {first}");
        }
    }
}

#[test]
fn c1_every_recorded_change_is_made_and_taken_back() {
    let cases = lines(MUTATIONS);
    let (first, cases) = cases.split_first().unwrap();
    let document = first.get("document").unwrap();
    assert_eq!(cases.len(), 25);
    for case in cases {
        let (tool, input, expect) = (text(case, "tool"), case.get("input").unwrap(), text(case, "expect"));
        let prepared = match prepare(tool, input) {
            Ok(prepared) => prepared,
            Err(issues) => {
                assert_eq!(expect, "rejected", "{tool}: {issues:?}");
                let places: Vec<&str> = issues.iter().map(|issue| issue.split(": ").next().unwrap()).collect();
                assert_eq!(places, texts(case, "paths"));
                continue;
            }
        };
        assert_eq!(canonical_json(&prepared.input), canonical_json(case.get("validated").unwrap()), "{tool}");
        let store = open(document).unwrap();
        let before = store.read();
        let (outcome, committed) = call(&store, tool, input);
        match (&committed, expect) {
            (CommitOutcome::Committed { .. }, "committed") => {
                let mut after = document.clone();
                for (section, entries) in case.get("sections").and_then(Json::as_object).unwrap().iter() {
                    after.as_object_mut().unwrap().insert(section.clone(), entries.clone());
                }
                assert_eq!(store.read(), open(&after).unwrap().read(), "{tool} {input:?}");
                assert!(store.issues().is_empty());
                let _ = store.undo();
                assert!(store.read().same_tree(&before));
            }
            (CommitOutcome::Refused { refusal: CommitRefusal::ToolError, .. }, "error") => {
                assert!(problem(&outcome).starts_with(&format!("`{tool}`: ")), "{}", problem(&outcome));
            }
            (CommitOutcome::Refused { refusal: CommitRefusal::InvalidDocument, result }, "invalid_document") => {
                for part in texts(case, "contains") {
                    assert!(result.contains(part), "{tool}: `{part}` is not in: {result}");
                }
                assert!(store.read().same_tree(&before));
            }
            other => panic!("{tool} {input:?}: {other:?}"),
        }
    }
}
