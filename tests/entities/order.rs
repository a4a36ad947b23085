//! What passes another in its list: told, bound by the approval, and never taken for nothing.

use countersign::document::store::Change;
use countersign::protocol::patch::decode_patch;
use countersign::protocol::preview::LineKind;

use super::previews::{board, counts, lines, patched, told_of};
use super::*;

#[test]
fn c4_what_passed_others_is_a_line_and_another_id_is_another_entity() {
    let store = board();
    let told = |patch: &str| told_of(&store, &patched(patch));
    let moved = told(r#"[{"op":"remove","path":"/cards/0"},{"op":"add","path":"/cards/-","value":{"lane":"x","title":"Alpha","id":"a"}}]"#);
    assert_eq!(lines(&moved), ["~cards/a \"Alpha\" behind d"]);
    assert_eq!((counts(&moved), &moved.error), (vec![(LineKind::Changed, "cards", 1)], &None));
    let entries = r#"[{"after":"d","id":"a","kind":"changed","section":"cards"}]"#;
    assert_eq!(moved.effect_digest, countersign::tools::canonical::sha256_hex(entries.as_bytes()));
    let first = told(r#"[{"op":"remove","path":"/cards/3"},{"op":"add","path":"/cards/0","value":{"id":"d","lane":"x","done":true}}]"#);
    assert_eq!(lines(&first), ["~cards/d \"d\" done: · > true", "~cards/d \"d\" first"]);
    let behind = told(r#"[{"op":"remove","path":"/cards/3"},{"op":"add","path":"/cards/1","value":{"id":"d","lane":"x"}}]"#);
    assert_eq!(lines(&behind), ["~cards/d \"d\" behind Alpha (a)"]);
    let nothing = told("[]");
    let digests = [&moved, &first, &behind, &nothing].map(|preview| &preview.effect_digest);
    assert!((0..4).all(|one| (0..one).all(|other| digests[one] != digests[other])), "{digests:?}");
    // what comes and goes beside what stays passes nothing
    let beside = told(r#"[{"op":"remove","path":"/cards/0"},{"op":"add","path":"/cards/1","value":{"id":"n","lane":"x"}}]"#);
    assert_eq!(lines(&beside), ["-cards/a \"Alpha\"", "+cards/n \"n\"", "+cards/n \"n\" lane: · > Doing (x)"]);
    // a move is told however large what moves is
    let large = format!(
        r#"[{{"op":"remove","path":"/cards/0"}},{{"op":"add","path":"/cards/2","value":{{"id":"a","lane":"x","title":"{}"}}}}]"#,
        "t".repeat(70_000)
    );
    let _ = store.edit(&Change::Patch(decode_patch(&json(&large)).unwrap()), "l");
    let large = store.read().get("cards").unwrap().as_array().unwrap()[2].to_text();
    let back = told(&format!(r#"[{{"op":"remove","path":"/cards/2"}},{{"op":"add","path":"/cards/0","value":{large}}}]"#));
    assert_eq!((back.patch.len(), back.lines.len(), back.lines[0].after.clone()), (0, 1, None));
    let store = board();
    let named = told_of(&store, &patched(r#"[{"op":"replace","path":"/cards/0/id","value":"z"}]"#));
    assert_eq!(lines(&named)[..2], ["-cards/a \"Alpha\"", "+cards/z \"Alpha\""]);
    // two that change their ids are two that change everything else
    let swapped = told_of(
        &store,
        &patched(r#"[{"op":"replace","path":"/cards/0/id","value":"b"},{"op":"replace","path":"/cards/1/id","value":"a"}]"#),
    );
    assert_eq!(counts(&swapped), [(LineKind::Changed, "cards", 2)]);
}
