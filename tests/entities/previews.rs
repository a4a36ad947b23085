//! What calls would do is what they do when they are made, told the same whichever way it is made, and nothing of it stays.

use proptest::prelude::*;

use super::*;
use countersign::document::definition::Section;
use countersign::document::patch::apply;
use countersign::protocol::preview::LineKind;

fn step<'a>(act: Act<'a>, input: &'a Json) -> Step<'a> {
    Step { act, input, summary: "s", template: None }
}

/// The previews of calls; what has no input is no call.
pub(crate) fn one_after_the_other(store: &DocumentStore, calls: &[(&dyn CoreTool, Option<Json>)]) -> Vec<Preview> {
    let steps: Vec<Step<'_>> = calls.iter().filter_map(|(tool, input)| Some(step(Act::Core(*tool), input.as_ref()?))).collect();
    store.rehearse(&steps).into_iter().flatten().collect()
}

/// Everything a store says of itself; the document too, where it may be put together.
fn all_of(store: &DocumentStore) -> String {
    format!(
        "{} {:?} {:?} {:?} {:?} {:?}",
        store.revision(),
        store.history(),
        store.issues(),
        store.last_step(),
        ["0", "1"].map(|turn| store.turn_standing(&TurnKey::from(turn))),
        store.changes_since(store.revision().saturating_sub(3)),
    )
}

/// Rehearses one change in every way it can be made, and holds what is told against the change as it is judged and made.
/// `oracle` looks at whole documents and is as `store` is.
pub(crate) fn told_as_done(
    store: &DocumentStore,
    oracle: &DocumentStore,
    before: &Json,
    call: Option<(&dyn CoreTool, &Json)>,
    outcome: &ToolOutcome,
) -> Result<Preview, TestCaseError> {
    let was = all_of(store);
    let held = store.read();
    let digest = store.digest();
    let input = call.map_or(Json::Null, |(_, input)| input.clone());
    let act = call.map_or(Act::Outcome(outcome), |(tool, _)| Act::Core(tool));
    // twice, so that the second is drafted on the first
    let preview = store.rehearse(&[step(act, &input), step(act, &input)]).remove(0).unwrap();
    prop_assert!(store.read().same_tree(&held));
    prop_assert_eq!(all_of(store), was.clone());
    prop_assert_eq!(store.digest(), digest.clone());
    // a copy that goes its own way: what is made of the document there
    let copy = DocumentStore::new(oracle.definition(), before, StoreOptions::default()).unwrap();
    prop_assert_eq!(copy.issues(), store.issues());
    let made = commit(&copy, &TurnKey::from("c"), "l", BaseRevision(1), ToolEffect::Mutate, outcome);
    let after = copy.read();
    prop_assert_eq!(store.drafted(&[step(act, &input)]).to_text(), after.to_text());
    match &made {
        CommitOutcome::Committed { .. } => {
            prop_assert_eq!(&preview.error, &None);
            prop_assert_eq!(&apply(before, &preview.patch).unwrap(), &after);
        }
        CommitOutcome::Unchanged => prop_assert_eq!((&preview.error, preview.patch.len()), (&None, 0)),
        CommitOutcome::Refused { result, .. } => {
            prop_assert_eq!(preview.error.as_deref(), Some(result.as_str()));
            prop_assert!(preview.patch.is_empty() && preview.lines.is_empty());
        }
    }
    let (mut told, mut expected) = (entries(&preview), naive(store.definition().sections(), before, &after));
    told.sort();
    expected.sort();
    prop_assert_eq!(told, expected);
    // the same as a patch, as a whole document, and where only whole documents are looked at
    let whole = ToolOutcome::Ok { result: ToolResult::Text(String::new()), document: Some(after.clone()), patch: None };
    for (other, act) in [(store, Act::Outcome(outcome)), (oracle, act), (store, Act::Outcome(&whole)), (oracle, Act::Outcome(&whole))] {
        let another = other.rehearse(&[step(act, &input)]).remove(0).unwrap();
        prop_assert_eq!(&another.lines, &preview.lines);
        prop_assert_eq!(&another.effect_digest, &preview.effect_digest);
        prop_assert_eq!((&another.counts, another.hidden_lines), (&preview.counts, preview.hidden_lines));
    }
    prop_assert!(store.read().same_tree(&held));
    prop_assert_eq!(all_of(store), was);
    Ok(preview)
}

/// Lines as texts that can be compared without their order.
fn entries(preview: &Preview) -> Vec<String> {
    let written =
        |line: &PreviewLine| format!("{:?} {} {} {:?} {:?} {:?}", line.kind, line.section, line.id, line.field, line.before, line.after);
    preview.lines.iter().map(written).collect()
}

/// What differs between two documents, looked for in the plainest way.
fn naive(sections: &[Section], before: &Json, after: &Json) -> Vec<String> {
    let text = |value: Option<&Json>| value.map(|value| value.as_str().map_or_else(|| value.to_text(), str::to_owned));
    let mut told = Vec::new();
    for section in sections {
        let id = |entity: &Json| entity.get("id").and_then(Json::as_str).unwrap().to_owned();
        let mut left: Vec<&Json> = section.entities(before).iter().collect();
        for entity in section.entities(after) {
            let mut write = |kind: LineKind, field: Option<&str>, old: Option<&Json>, new: Option<&Json>| {
                told.push(format!("{kind:?} {} {} {field:?} {:?} {:?}", section.name, id(entity), text(old), text(new)));
            };
            let Some(at) = left.iter().position(|old| id(old) == id(entity)) else {
                write(LineKind::Added, None, None, None);
                for (key, value) in entity.as_object().unwrap().iter().filter(|(key, _)| &***key != "id") {
                    write(LineKind::Added, Some(key), None, Some(value));
                }
                continue;
            };
            let old = left.remove(at);
            for key in ["one", "many", "up", "in", "name"] {
                if old.get(key) != entity.get(key) {
                    write(LineKind::Changed, Some(key), old.get(key), entity.get(key));
                }
            }
        }
        told.extend(left.iter().map(|gone| format!("{:?} {} {} None None None", LineKind::Removed, section.name, id(gone))));
    }
    told
}
