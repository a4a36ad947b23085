//! Any sequence of calls with any ids keeps the document valid, and one undo takes the whole turn back.

use proptest::prelude::*;

use super::*;
use countersign::document::outcome::TurnStanding;
use countersign::document::patch::apply;
use countersign::tools::canonical::canonical_json;

const IDS: [&str; 12] =
    ["lock-7", "hub", "vault", "comp-1", "comp-2", "flow-3", "flow-9", "flow-10", "perimeter", "boundary-1", "th-1", "ghost"];

fn id() -> impl Strategy<Value = String> {
    prop::sample::select(&IDS[..]).prop_map(str::to_owned)
}

pub(super) fn any_call() -> impl Strategy<Value = (&'static str, String)> {
    prop_oneof![
        Just(("add_element", r#"{"element":{"type":"cache","name":"c"}}"#.to_owned())),
        (id(), id()).prop_map(|(from, to)| ("add_data_flow", format!(r#"{{"data_flow":{{"from":"{from}","to":"{to}"}}}}"#))),
        (id(), id()).prop_map(|(a, b)| ("add_trust_boundary", format!(r#"{{"trust_boundary":{{"name":"b","contains":["{a}","{b}"]}}}}"#))),
        (id(), id()).prop_map(|(element, flow)| {
            let input = format!(r#"{{"threat":{{"title":"t","category":"Spoofing","severity":"Low","description":"d","element":"{element}","flow":"{flow}"}}}}"#);
            ("add_threat", input)
        }),
        id().prop_map(|id| ("update_element", format!(r#"{{"id":"{id}","updates":{{"layer":"edge"}},"clear":["group"]}}"#))),
        (id(), id()).prop_map(|(id, to)| ("update_data_flow", format!(r#"{{"id":"{id}","updates":{{"to":"{to}"}}}}"#))),
        (id(), id()).prop_map(|(id, member)| ("update_trust_boundary", format!(r#"{{"id":"{id}","updates":{{"contains":["{member}"]}}}}"#))),
        (id(), id()).prop_map(|(id, flow)| ("update_threat", format!(r#"{{"id":"{id}","updates":{{"flow":"{flow}"}},"clear":["element"]}}"#))),
        id().prop_map(|id| ("delete_element", format!(r#"{{"id":"{id}"}}"#))),
        id().prop_map(|id| ("delete_data_flow", format!(r#"{{"id":"{id}"}}"#))),
        id().prop_map(|id| ("delete_trust_boundary", format!(r#"{{"id":"{id}"}}"#))),
        id().prop_map(|id| ("delete_threat", format!(r#"{{"id":"{id}"}}"#))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn c3_any_turn_keeps_the_document_valid_and_is_one_step(calls in prop::collection::vec(any_call(), 1..14)) {
        let store = open(&smart_lock()).unwrap();
        let (start, digest) = (store.read(), store.digest());
        let mut committed = 0;
        for (tool, input) in calls {
            let before = store.read();
            let text = canonical_json(&before);
            let (_, outcome) = call(&store, tool, &json(&input));
            prop_assert_eq!(canonical_json(&before), text);
            match outcome {
                CommitOutcome::Committed { patch, .. } => {
                    committed += 1;
                    prop_assert_eq!(apply(&before, &patch).unwrap(), store.read());
                }
                CommitOutcome::Unchanged => prop_assert!(store.read().same_tree(&before)),
                CommitOutcome::Refused { result, .. } => {
                    prop_assert!(result.len() <= 2048);
                    prop_assert!(store.read().same_tree(&before));
                }
            }
            prop_assert_eq!(store.issues(), Vec::<String>::new());
        }
        prop_assert_eq!(store.history().len(), usize::from(committed > 0));
        prop_assert_eq!(store.turn_standing(&countersign::document::store::TurnKey::from("turn")), if committed > 0 { TurnStanding::Undoable } else { TurnStanding::AlreadyUndone });
        let _ = store.undo_turn(&countersign::document::store::TurnKey::from("turn"));
        prop_assert_eq!(store.read().to_text(), start.to_text());
        prop_assert_eq!(store.digest(), digest);
    }
}
