//! What a change costs does not depend on what else the document holds. Times are the best of many, and the bound is far
//! from what a pass over the document would cost: it tells one from the other on any machine.

use std::time::{Duration, Instant};

use countersign::document::outcome::TurnStanding;
use countersign::document::store::Change;
use countersign::protocol::patch::decode_patch;

use super::*;

const SMALL: usize = 1_000;
const LARGE: usize = 30_000;
/// A pass over the larger document would take thirty times as long as one over the smaller.
const MOST: f64 = 10.0;

/// A flow chart of about so many entities.
fn chart_of(size: usize) -> Json {
    let (nodes, lanes) = (size / 2, size / 100);
    let list = |count: usize, make: &dyn Fn(usize) -> String| (1..=count).map(make).collect::<Vec<_>>().join(",");
    let parent = |no: usize| if no.is_multiple_of(7) { format!(r#","parent":"node-{}""#, no - 1) } else { String::new() };
    let all_lanes = list(lanes, &|no| format!(r#"{{"id":"lane-{no}","name":"Lane"}}"#));
    let all_nodes = list(nodes, &|no| {
        format!(r#"{{"id":"node-{no}","label":"Step {no}","shape":"step","lane":"lane-{}"{}}}"#, no % lanes + 1, parent(no))
    });
    let edges = list(nodes, &|no| format!(r#"{{"id":"edge-{no}","from":"node-{no}","to":"node-{}"}}"#, no * 7919 % nodes + 1));
    json(&format!(r#"{{"title":"t","lanes":[{all_lanes}],"nodes":[{all_nodes}],"edges":[{edges}],"review":{{"comments":[]}}}}"#))
}

/// The best of many runs.
fn best(run: &mut dyn FnMut()) -> Duration {
    (0..40).fold(Duration::MAX, |best, _| {
        let begin = Instant::now();
        run();
        best.min(begin.elapsed())
    })
}

fn times(size: usize) -> Vec<(&'static str, Duration)> {
    let desk = Desk::of(&flowchart("definition"), &chart_of(size));
    desk.store.loosen();
    let middle = size / 4;
    let mut count = 0;
    let commit = |tool: &str, input: String| {
        let (_, committed) = desk.call(tool, &input);
        assert!(matches!(committed, CommitOutcome::Committed { .. }), "{tool} {input}: {committed:?}");
    };
    commit("update_entity", format!(r#"{{"kind":"nodes","id":"node-{middle}","set":{{"label":"x"}}}}"#));
    let mut all = vec![
        ("add", best(&mut || commit("add_entity", r#"{"kind":"nodes","fields":{"label":"n","shape":"step","lane":"lane-1"}}"#.to_owned()))),
        (
            "update",
            best(&mut || {
                count += 1;
                commit(
                    "update_entity",
                    format!(r#"{{"kind":"nodes","id":"node-{middle}","set":{{"label":"{count}","lane":"lane-{}"}}}}"#, count % 2 + 1),
                );
            }),
        ),
        (
            "move",
            best(&mut || {
                count += 1;
                let to = if count % 2 == 0 { r#","before":"node-1""# } else { "" };
                commit("move_entity", format!(r#"{{"kind":"nodes","id":"node-{middle}"{to}}}"#));
            }),
        ),
        (
            "add and delete",
            best(&mut || {
                commit(
                    "add_entity",
                    format!(r#"{{"kind":"nodes","fields":{{"label":"n","shape":"step","lane":"lane-1","parent":"node-{middle}"}}}}"#),
                );
                let id = desk.ids_end();
                commit("delete_entity", format!(r#"{{"kind":"nodes","id":"{id}"}}"#));
            }),
        ),
    ];
    all.push((
        "undo and redo",
        best(&mut || assert!(desk.store.undo() != CommitOutcome::Unchanged && desk.store.redo() != CommitOutcome::Unchanged)),
    ));
    all.push((
        "edit",
        best(&mut || {
            count += 1;
            let patch = decode_patch(&json(&format!(r#"[{{"op":"replace","path":"/nodes/{middle}/label","value":"{count}"}}]"#))).unwrap();
            assert!(matches!(desk.store.edit(&Change::Patch(patch), "l"), CommitOutcome::Committed { .. }));
        }),
    ));
    let standing = || desk.store.turn_standing(&TurnKey::from("turn"));
    all.push(("standing", best(&mut || assert_eq!(standing(), TurnStanding::Superseded))));
    all
}

impl Desk {
    /// The id the last `add_entity` of a node made.
    fn ids_end(&self) -> String {
        let tool = self.registry.find("add_entity").unwrap().core().unwrap();
        let next = told(&self.store.run(&**tool, &json(r#"{"kind":"nodes","fields":{}}"#)));
        let number: u64 = next.get("id").and_then(Json::as_str).unwrap().trim_start_matches("node-").parse().unwrap();
        format!("node-{}", number - 1)
    }
}

#[test]
fn c1_what_a_change_costs_does_not_grow_with_the_document() {
    let (small, large) = (times(SMALL), times(LARGE));
    for ((name, before), (_, after)) in small.iter().zip(&large) {
        println!("{name:>16}: {before:>10.1?} at {SMALL}, {after:>10.1?} at {LARGE}");
    }
    for ((name, before), (_, after)) in small.iter().zip(&large) {
        assert!(after.as_secs_f64() < MOST * before.as_secs_f64() + 20e-6, "{name}: {before:?} became {after:?}");
    }
}
