//! What was recorded is rebuilt: the same state, the same document, the same snapshot, from any beginning, up to any input.

use std::rc::Rc;

use countersign::document::definition::DocumentDefinition;
use countersign::document::store::{Change, DocumentStore, StoreOptions, TurnKey};
use countersign::entities::entity_tools;
use countersign::protocol::command::TurnInput;
use countersign::protocol::effect::Effect;
use countersign::protocol::error::Fault;
use countersign::protocol::event::ProviderFormat;
use countersign::protocol::ids::EffectId;
use countersign::protocol::json::Json;
use countersign::tool_loop::{LoopOptions, ToolLoop};
use countersign::tools::declaration::ToolDeclaration;
use countersign::tools::registry::ToolRegistry;
use proptest::prelude::*;

use crate::corpus::{FILES, check};
use crate::player::{Cut, Player, sse};
use crate::support::{cases, text_of};
use crate::turn::{SHARED, json};

/// A store of its own for a recording of a loop on `store`.
fn fresh(recording: &str, store: Option<&DocumentStore>) -> Option<DocumentStore> {
    let document = json(recording).get("document").unwrap().clone();
    store.map(|store| DocumentStore::new(store.definition(), &document, StoreOptions::default()).unwrap())
}

fn replay(recording: &str, options: &str, tools: &[ToolRegistry], store: Option<&DocumentStore>) -> Result<ToolLoop, Fault> {
    ToolLoop::replay(recording, &json(options), tools, fresh(recording, store))
}

/// What is left when a store is looked at.
fn told(store: &DocumentStore) -> String {
    format!("{} {} {:?}", store.read().to_text(), store.revision(), store.history())
}

/// Where two texts part, and what led there; both whole would be thousands of lines.
fn same(is: &str, was: &str, recording: &str) {
    let at = is.bytes().zip(was.bytes()).take_while(|(a, b)| a == b).count();
    let near = |text: &str| {
        String::from_utf8_lossy(&text.as_bytes()[at.saturating_sub(200).min(text.len())..(at + 300).min(text.len())]).into_owned()
    };
    let inputs = json(recording).get("inputs").unwrap().clone();
    let led = inputs.as_array().unwrap().iter().filter(|input| input.get("type").and_then(Json::as_str) != Some("feed"));
    assert!(is == was, "replayed\n{}\nwas\n{}\nafter\n{}", near(is), near(was), led.map(Json::to_text).collect::<Vec<_>>().join("\n"));
}

/// The law: everything that can be seen of a loop is rebuilt from its recording. Gives the count of inputs and the digest.
fn rebuilt(live: &mut ToolLoop, tools: &[ToolRegistry], store: Option<&DocumentStore>) -> (usize, String) {
    let recording = live.recording().unwrap();
    let own = fresh(&recording, store);
    let mut replayed = ToolLoop::replay(&recording, &json("{}"), tools, own.clone()).unwrap_or_else(|fault| panic!("{fault}: {recording}"));
    let written = |one: &mut ToolLoop| serde_json::to_string(one.state()).unwrap();
    same(&written(&mut replayed), &written(live), &recording);
    assert_eq!(replayed.state_digest(), live.state_digest());
    assert_eq!(replayed.snapshot(), live.snapshot());
    assert_eq!(replayed.pending(), live.pending());
    assert_eq!(replayed.undo_availability(), live.undo_availability());
    assert_eq!(own.as_ref().map(told), store.map(told));
    assert_eq!(replayed.recording().unwrap(), recording, "and it goes on being recorded");
    (json(&recording).get("inputs").and_then(Json::as_array).unwrap().len(), live.state_digest())
}

#[test]
fn s4_every_case_is_rebuilt_from_what_was_recorded_and_up_to_every_input() {
    let mut inputs = 0;
    for (file, lines) in FILES {
        for case in cases(lines) {
            for cut in [Cut::Every(64), Cut::Every(3)] {
                let mut player = Player::of(&case, cut);
                let mut known = Vec::new();
                for step in case.get("script").and_then(Json::as_array).unwrap() {
                    player.step(step);
                    if step.get("restore").is_some() {
                        known.clear();
                    }
                    // in small pieces only the end is looked at, since most of the time would go into the beginnings
                    if cut == Cut::Every(64) {
                        known.push(rebuilt(&mut player.tool_loop, &player.all_tools, player.store.as_ref()));
                    }
                }
                check(&mut player, case.get("expect").unwrap());
                let (count, _) = rebuilt(&mut player.tool_loop, &player.all_tools, player.store.as_ref());
                let recording = player.tool_loop.recording().unwrap();
                if cut == Cut::Every(3) {
                    continue;
                }
                inputs += count;
                for until in 0..=count {
                    let options = format!(r#"{{"until":{until}}}"#);
                    let mut replayed = replay(&recording, &options, &player.all_tools, player.store.as_ref()).unwrap();
                    // the last of those that stand on as many inputs: what came after it was not put in
                    if let Some((_, digest)) = known.iter().rev().find(|(count, _)| *count == until) {
                        assert_eq!(&replayed.state_digest(), digest, "{file} {} after {until}", text_of(&case, "id"));
                    }
                }
            }
        }
    }
    assert!(inputs > 1000, "{inputs} inputs");
}

/// The shared board, with a schema: what core tools make their own of.
const DEFINITION: &str = r#"{"kind":"board","schema":{"type":"object","properties":{"cards":{"type":"array","items":{"type":"object",
    "properties":{"id":{"type":"string"},"title":{"type":"string"}},"required":["id","title"]}}}},"sections":[{"name":"cards","path":"/cards","titleKey":"title"}]}"#;

fn board() -> DocumentStore {
    let document = json(SHARED).get("documents").and_then(|all| all.get("two")).unwrap().clone();
    let definition = DocumentDefinition::decode(&json(DEFINITION)).unwrap();
    DocumentStore::new(Rc::new(definition), &document, StoreOptions { history: 3, sandbox: false }).unwrap()
}

/// Tools of the host, with and without a preview of their own, beside core tools.
fn tools_named(named: &[&str]) -> ToolRegistry {
    let shared = json(SHARED);
    let declared = |name: &&str| ToolDeclaration::decode(shared.get("tools").and_then(|all| all.get(name)).unwrap()).unwrap();
    let definition = DocumentDefinition::decode(&json(DEFINITION)).unwrap();
    let core = entity_tools(&definition);
    let mut declarations: Vec<_> = named.iter().map(declared).collect();
    declarations.extend(core.iter().map(|tool| tool.declaration()));
    ToolRegistry::new(declarations, &core).unwrap()
}

fn tools() -> ToolRegistry {
    tools_named(&["find", "rename", "remove", "retitle", "discard"])
}

fn other_tools() -> ToolRegistry {
    tools_named(&["find", "rename", "discard"])
}

fn recorded() -> LoopOptions {
    LoopOptions { record_inputs: true, ..LoopOptions::default() }
}

/// Two loops on one document, both recorded, and somebody who edits, undoes and redoes.
struct Scene {
    store: DocumentStore,
    loops: [ToolLoop; 2],
    now_ms: u64,
}

impl Scene {
    fn new() -> Scene {
        let store = board();
        // the first step was made before anything was recorded
        let _ = store.edit(&Change::decode(&json(r#"[{"op":"replace","path":"/cards/0/title","value":"0"}]"#)).unwrap(), "before");
        let made = || ToolLoop::new(recorded(), tools(), Some(store.clone())).unwrap();
        let loops = [made(), made()];
        Scene { store, loops, now_ms: 1000 }
    }

    fn tell(&mut self, whose: usize, told: &str) {
        let _ = self.loops[whose].dispatch(TurnInput::decode(&json(told)).unwrap(), None);
    }

    fn call(&self, whose: usize, status: &str, dice: u8) -> String {
        let state = json(&serde_json::to_string(&{ self.loops[whose].snapshot() }).unwrap());
        let state = json(state.as_str().unwrap());
        let calls = state.get("state").and_then(|state| state.get("calls")).and_then(Json::as_array).unwrap();
        let ids: Vec<&str> = calls
            .iter()
            .filter(|call| call.get("status").and_then(Json::as_str) == Some(status))
            .map(|call| call.get("id").and_then(Json::as_str).unwrap())
            .collect();
        if ids.is_empty() { "nobody".to_owned() } else { ids[usize::from(dice) % ids.len()].to_owned() }
    }

    fn step(&mut self, (what, whose, dice): (u8, u8, u8)) {
        let whose = usize::from(whose % 2);
        self.now_ms += u64::from(dice);
        let now_ms = self.now_ms;
        let title = format!("T{dice}");
        match what % 24 {
            0 => self.tell(whose, &format!(r#"{{"type":"submit","text":"größer","nowMs":{now_ms}}}"#)),
            1..=4 | 20 => self.answer(whose, dice),
            5..=9 | 21 => {
                let whose = if self.call(whose, "pending", dice) == "nobody" { 1 - whose } else { whose };
                let call = self.call(whose, "pending", dice);
                self.tell(whose, &format!(r#"{{"type":"approveCall","callId":"{call}","nowMs":{now_ms}}}"#));
            }
            10 => {
                let call = self.call(whose, "pending", dice);
                self.tell(whose, &format!(r#"{{"type":"denyCall","callId":"{call}","reason":"no"}}"#));
            }
            11..=13 | 22 => {
                let running = self.loops[whose]
                    .pending()
                    .into_iter()
                    .find_map(|effect| if let Effect::Execute { call_id, .. } = effect { Some(call_id) } else { None });
                let call = running.map_or_else(|| "nobody".to_owned(), |id| id.to_string());
                let patch = format!(r#"[{{"op":"replace","path":"/cards/{}/title","value":"{title}"}}]"#, dice % 3);
                self.tell(
                    whose,
                    &format!(r#"{{"type":"callSettled","callId":"{call}","outcome":{{"status":"ok","result":"done","patch":{patch}}}}}"#),
                );
            }
            14 => {
                let patch = format!(r#"[{{"op":"replace","path":"/cards/1/title","value":"{title}"}}]"#);
                let _ = self.store.edit(&Change::decode(&json(&patch)).unwrap(), "an edit");
            }
            15 => {
                let mut whole = self.store.read();
                whole.as_object_mut().unwrap().insert("note", title);
                let _ = self.store.edit(&Change::Document(whole), "a whole document");
            }
            16 => drop(if dice % 3 == 0 { self.store.redo() } else { self.store.undo() }),
            17 | 18 if dice % 4 != 0 => {
                let asked = self.loops[whose]
                    .pending()
                    .into_iter()
                    .find_map(|effect| if let Effect::Preview { call_id, .. } = effect { Some(call_id) } else { None });
                let call = asked.map_or_else(|| "nobody".to_owned(), |id| id.to_string());
                let patch = format!(r#"[{{"op":"replace","path":"/cards/{}/title","value":"{title}"}}]"#, dice % 3);
                self.tell(
                    whose,
                    &format!(r#"{{"type":"previewed","callId":"{call}","outcome":{{"status":"ok","result":"done","patch":{patch}}}}}"#),
                );
            }
            17 | 18 => self.tell(whose, r#"{"type":"undoTurn"}"#),
            19 if dice % 2 == 0 => {
                let tools = if dice % 4 == 0 { tools() } else { other_tools() };
                let _ = self.loops[whose].set_tools(tools).unwrap();
            }
            19 => {
                let key = TurnKey { writer: 9, turn_id: format!("foreign{}", dice % 2) };
                let _ = self.store.commit_turn(
                    &key,
                    "another's",
                    &Change::decode(&json(&format!(r#"[{{"op":"replace","path":"/cards/0/title","value":"{title}"}}]"#))).unwrap(),
                );
            }
            _ if dice % 4 == 0 => {
                let text = self.loops[whose].snapshot();
                let tools = if json(&text).get("state").and_then(|state| state.get("toolsDigest")).and_then(Json::as_str)
                    == Some(tools().digest())
                {
                    tools()
                } else {
                    other_tools()
                };
                self.loops[whose] = ToolLoop::restore(
                    &text,
                    &json(r#"{"recordInputs":true,"context":{"principal":"p"}}"#),
                    tools,
                    Some(self.store.clone()),
                )
                .unwrap();
            }
            _ => self.tell(whose, &format!(r#"{{"type":"tick","nowMs":{now_ms}}}"#)),
        }
    }

    /// An answer in pieces that cut characters in two, or half of one.
    fn answer(&mut self, whose: usize, dice: u8) {
        let open = self.loops[whose]
            .pending()
            .into_iter()
            .find_map(|effect| if let Effect::Request { id, .. } = effect { Some(id) } else { None });
        let Some(id) = open else { return };
        let _ = self.loops[whose].request(&id, ProviderFormat::Anthropic, &json(r#"{"model":"m","system":"s"}"#)).unwrap();
        let call = |n: u8| {
            let (id, title) = (["a", "b"][usize::from(n % 2)], format!("größer {n}"));
            let (name, input) = match (dice / 4 + n) % 6 {
                0 => ("rename", format!(r#"{{"id":"{id}","title":"{title}"}}"#)),
                1 => ("remove", format!(r#"{{"id":"{id}"}}"#)),
                2 => ("retitle", format!(r#"{{"id":"{id}","title":"{title}"}}"#)),
                3 => ("discard", format!(r#"{{"id":"{id}"}}"#)),
                4 => ("update_entity", format!(r#"{{"kind":"cards","id":"{id}","set":{{"title":"{title}"}}}}"#)),
                _ => ("delete_entity", format!(r#"{{"kind":"cards","id":"{id}"}}"#)),
            };
            (format!("k{n}{dice}"), name, input)
        };
        let calls: Vec<_> = (0..if dice.is_multiple_of(8) { 0 } else { 1 + dice % 3 }).map(call).collect();
        let calls: Vec<_> = calls.iter().map(|(id, name, input)| (id.as_str(), *name, input.as_str())).collect();
        let bytes = sse(&["größer 😀"], &calls, if calls.is_empty() { "end_turn" } else { "tool_use" }).into_bytes();
        let kept = if dice.is_multiple_of(11) { bytes.len() / 2 } else { bytes.len() };
        for (at, chunk) in bytes[..kept].chunks(7).enumerate() {
            let _ = self.loops[whose].feed(&id, chunk, at.is_multiple_of(9).then_some(self.now_ms));
        }
        if !dice.is_multiple_of(13) {
            let _ = self.loops[whose].end_stream(&id, None);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn s4_any_program_on_a_shared_document_is_rebuilt(program in prop::collection::vec((any::<u8>(), any::<u8>(), any::<u8>()), 1..60)) {
        let mut scene = Scene::new();
        let tools = [tools(), other_tools()];
        // both ask, and have calls to decide
        let begun = [(0, 0, 3), (1, 0, 20), (0, 1, 3), (1, 1, 7)];
        for (at, step) in begun.iter().chain(&program).enumerate() {
            scene.step(*step);
            if at % 8 == 0 {
                // looking at a loop is no input, but it may be what lets it see a change
                let _ = scene.loops[at % 2].state();
            }
        }
        let store = scene.store.clone();
        for own in &mut scene.loops {
            let (count, digest) = rebuilt(own, &tools, Some(&store));
            let recording = own.recording().unwrap();
            let mut last = None;
            for until in (0..=count).rev().step_by(1 + count / 6) {
                let digest = replay(&recording, &format!(r#"{{"until":{until}}}"#), &tools, Some(&store)).unwrap().state_digest();
                last.get_or_insert(digest);
            }
            prop_assert_eq!(last, Some(digest));
        }
    }

    #[test]
    fn e2_a_damaged_recording_is_a_clear_fault(at in 0usize..10_000, byte in 0u8..128, cut in any::<bool>()) {
        let mut scene = Scene::new();
        for step in [(0, 0, 1), (1, 0, 1), (5, 0, 0), (11, 0, 1), (14, 0, 3), (1, 0, 2)] {
            scene.step(step);
        }
        let recording = scene.loops[0].recording().unwrap();
        let mut bytes = recording.clone().into_bytes();
        let at = at % bytes.len();
        if cut { bytes.truncate(at) } else { bytes[at] = byte }
        let Ok(damaged) = String::from_utf8(bytes) else { return Ok(()) };
        if let Err(fault) = ToolLoop::replay(&damaged, &json("{}"), &[tools()], fresh(&recording, Some(&scene.store))) {
            prop_assert!(["invalid_recording", "unsupported_recording", "tools_mismatch", "document_mismatch"].contains(&fault.code), "{}", fault.code);
        }
    }
}

#[test]
fn s4_what_does_not_fit_a_recording_is_said() {
    let mut scene = Scene::new();
    for step in [(0, 0, 1), (1, 0, 2), (14, 0, 1), (19, 0, 2), (16, 0, 1)] {
        scene.step(step);
    }
    let (recording, store) = (scene.loops[0].recording().unwrap(), scene.store.clone());
    let all = [tools(), other_tools()];
    let code = |recording: &str, options: &str, tools: &[ToolRegistry], store: Option<DocumentStore>| {
        ToolLoop::replay(recording, &json(options), tools, store).map(|_| ()).unwrap_err().code
    };
    let own = || fresh(&recording, Some(&store));
    assert!(ToolLoop::replay(&recording, &json("{}"), &all, own()).is_ok());
    assert_eq!(code(&recording, "{}", &[], own()), "tools_mismatch");
    assert_eq!(code(&recording, "{}", &[tools()], own()), "tools_mismatch", "it was given others later");
    assert_eq!(code(&recording, "{}", &all, None), "document_mismatch");
    assert_eq!(code(&recording, "{}", &all, Some(board())), "document_mismatch");
    let used = own().unwrap();
    let _ = (used.edit(&Change::Document(json(r#"{"cards":[]}"#)), "x"), used.undo());
    assert_eq!(code(&recording, "{}", &all, Some(used)), "document_mismatch");
    assert_eq!(code("", "{}", &all, own()), "invalid_recording");
    assert_eq!(code("[]", "{}", &all, own()), "invalid_recording");
    assert_eq!(code(&recording.replacen(r#""version":1"#, r#""version":2"#, 1), "{}", &all, own()), "unsupported_recording");
    assert_eq!(code(&recording.replacen(r#""type":"feed""#, r#""type":"fed""#, 1), "{}", &all, own()), "invalid_recording");
    assert_eq!(code(&recording, r#"{"untill":1}"#, &all, own()), "invalid_options");
    let fault =
        ToolLoop::replay(&recording.replacen(r#""type":"undo""#, r#""type":"redo""#, 1), &json("{}"), &all, own()).map(|_| ()).unwrap_err();
    assert!(fault.code == "invalid_recording" && fault.path.starts_with("inputs["), "{fault}");
    let mut without = ToolLoop::new(LoopOptions::default(), no_core(), None).unwrap();
    assert_eq!(without.recording().unwrap_err().code, "not_recorded");
}

fn no_core() -> ToolRegistry {
    crate::player::tools_of(Some(&json(r#"["find","rename"]"#)))
}

#[test]
fn a7_who_asked_is_told_anew_where_it_is_told() {
    let options =
        LoopOptions::decode(&json(r#"{"recordInputs":true,"context":{"principal":"a","scopes":["x"]},"conversationId":"v"}"#)).unwrap();
    let mut one = ToolLoop::new(options, no_core(), None).unwrap();
    let _ = one.dispatch(TurnInput::decode(&json(r#"{"type":"submit","text":"hi","nowMs":1}"#)).unwrap(), None);
    let recording = one.recording().unwrap();
    let mut same = replay(&recording, "{}", &[no_core()], None).unwrap();
    assert_eq!(same.state_digest(), one.state_digest());
    let mut other = replay(&recording, r#"{"context":{"principal":"b"}}"#, &[no_core()], None).unwrap();
    assert_eq!(other.state().context.as_ref().and_then(|context| context.principal.as_deref()), Some("b"));
    assert_ne!(other.state_digest(), one.state_digest());
}

#[test]
fn l8_a_recording_that_grew_too_large_is_given_up_and_the_loop_goes_on() {
    let mut one = ToolLoop::new(recorded(), no_core(), None).unwrap();
    let stale = EffectId::from("none");
    let chunk = vec![b'x'; 1 << 20];
    for _ in 0..65 {
        let _ = one.feed(&stale, &chunk, None);
    }
    assert_eq!(one.recording().unwrap_err().code, "recording_full");
    let outcome = one.dispatch(TurnInput::decode(&json(r#"{"type":"submit","text":"hi","nowMs":1}"#)).unwrap(), None);
    assert_eq!(outcome.effects.len(), 1);
    assert_eq!(one.recording().unwrap_err().code, "recording_full");
}

#[test]
fn s4_what_nests_as_deep_as_it_may_is_read_back() {
    let deep = format!("{}1{}", "[".repeat(120), "]".repeat(120));
    let told = format!(r#"{{"type":"approveCall","callId":"c","editedInput":{deep}}}"#);
    let mut one = ToolLoop::new(recorded(), tools(), Some(board())).unwrap();
    let _ = one.dispatch(TurnInput::decode(&json(&told)).unwrap(), None);
    let recording = one.recording().unwrap();
    let store = board();
    let document = store.read();
    let own = DocumentStore::new(store.definition(), &document, StoreOptions::default()).unwrap();
    assert!(ToolLoop::replay(&recording, &json("{}"), &[tools()], Some(own)).is_ok());
}
