//! A few recordings with the digests they lead to, one in each line: replayed natively, in wasm and through the package.

use std::rc::Rc;

use countersign::document::definition::DocumentDefinition;
use countersign::document::store::{DocumentStore, StoreOptions};
use countersign::protocol::json::Json;
use countersign::tool_loop::ToolLoop;

use crate::player::tools_of;
use crate::support::{cases, text_of};
use crate::turn::{SHARED, json};

/// The lines that were agreed on; written anew when the environment has `UPDATE_OUTCOMES`.
pub(crate) const AGREED: &str = include_str!("../corpus/recordings.jsonl");

/// Replays every line; gives the digests that are to be and those that are.
pub(crate) fn digests() -> (Vec<String>, Vec<String>) {
    let (mut agreed, mut replayed) = (Vec::new(), Vec::new());
    for line in cases(AGREED) {
        let tools: Vec<_> = line.get("tools").and_then(Json::as_array).unwrap().iter().map(|tools| tools_of(Some(tools))).collect();
        let recording = text_of(&line, "recording");
        let store = line.get("definition").map(|named| {
            let definition = json(SHARED).get("definitions").and_then(|all| all.get(named.as_str()?)).unwrap().clone();
            let document = json(&recording).get("document").unwrap().clone();
            DocumentStore::new(Rc::new(DocumentDefinition::decode(&definition).unwrap()), &document, StoreOptions::default()).unwrap()
        });
        let mut one = ToolLoop::replay(&recording, &json("{}"), &tools, store).unwrap();
        let id = text_of(&line, "id");
        agreed.push(format!("{id} {}", text_of(&line, "digest")));
        replayed.push(format!("{id} {}", one.state_digest()));
    }
    (agreed, replayed)
}

#[cfg(not(target_arch = "wasm32"))]
#[test]
fn s4_kept_recordings_lead_to_the_agreed_digests() {
    if std::env::var_os("UPDATE_OUTCOMES").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus/recordings.jsonl");
        return std::fs::write(path, recorded()).unwrap();
    }
    let (agreed, replayed) = digests();
    assert!(agreed.len() >= 8);
    assert_eq!(replayed, agreed, "where this is meant, run `UPDATE_OUTCOMES=1 cargo test --test core`");
}

/// Of the turn corpus the first two cases of every file, and the first with each kind of step.
#[cfg(not(target_arch = "wasm32"))]
fn recorded() -> String {
    use crate::corpus::{FILES, play};
    use crate::player::Cut;

    let (mut lines, mut seen) = (String::new(), std::collections::BTreeSet::new());
    for (_, file) in FILES {
        for (at, case) in cases(file).iter().enumerate() {
            let script = case.get("script").and_then(Json::as_array).unwrap();
            let kinds = script.iter().flat_map(|step| step.as_object().unwrap().keys().cloned());
            let is_first = kinds.filter(|kind| seen.insert(kind.clone())).count() > 0;
            let named = case.get("definition").is_none_or(|definition| definition.as_str().is_some());
            if !named || !(is_first || at < 2) {
                continue;
            }
            let mut player = play(case, Cut::Every(50));
            let mut tools = vec![case.get("tools").cloned().unwrap_or(json("[]"))];
            tools.extend(script.iter().filter_map(|step| step.get("setTools").cloned()));
            let (recording, digest) = (player.tool_loop.recording().unwrap(), player.tool_loop.state_digest());
            let mut line = countersign::json_object! { "id" => text_of(case, "id"), "rule" => json(r#"["S4"]"#), "name" => text_of(case, "name"), "tools" => tools };
            if player.store.is_some() {
                line.as_object_mut().unwrap().insert("definition", case.get("definition").cloned().unwrap_or(Json::from("board")));
            }
            line.as_object_mut().unwrap().insert("digest", digest);
            line.as_object_mut().unwrap().insert("recording", recording);
            lines.push_str(&line.to_text());
            lines.push('\n');
        }
    }
    lines
}
