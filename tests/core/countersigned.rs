//! Anything may happen between a card and its change: whatever is committed is what was on the card that was approved.

use std::collections::BTreeMap;

use countersign::document::definition::DocumentDefinition;
use countersign::document::store::{Change, DocumentStore, StoreOptions};
use countersign::entities::entity_tools;
use countersign::protocol::call::{CallRecord, CallStatus};
use countersign::protocol::command::TurnInput;
use countersign::protocol::effect::Effect;
use countersign::protocol::ids::CallId;
use countersign::protocol::json::Json;
use countersign::protocol::patch::decode_patch;
use countersign::protocol::preview::{LineKind, Preview, PreviewLine};
use countersign::protocol::update::Update;
use countersign::tool_loop::{LoopOptions, Outcome, ToolLoop};
use countersign::tools::declaration::ToolDeclaration;
use countersign::tools::registry::ToolRegistry;

use crate::order;
use crate::player::{sse, store_of};
use crate::turn::{SHARED, declared, json};

/// Dice that fall the same way for the same seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % most
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

const IDS: [&str; 6] = ["a", "b", "c", "cards-1", "ALPHA", "same"];
const TITLES: [&str; 4] = ["Alpha", "Same", "same ", "X"];

/// What a person saw when they approved: the effect, or nothing.
struct Signed {
    shown: Option<Preview>,
    input: Json,
}

struct Game {
    dice: Dice,
    tool_loop: ToolLoop,
    store: DocumentStore,
    registries: Vec<ToolRegistry>,
    /// Which of them the loop has.
    tools: usize,
    /// Which of them the turn began with.
    turn_tools: usize,
    now_ms: u64,
    /// The cards as they were drawn last, each with its name.
    screen: Vec<(CallRecord, String)>,
    /// What was approved last, and what before it while it is not known whether the loop took that.
    signed: BTreeMap<String, Vec<Signed>>,
    said: Vec<String>,
    committed: usize,
}

fn registry(version: usize) -> ToolRegistry {
    let definition = json(SHARED).get("definitions").unwrap().get("board").unwrap().clone();
    let core = entity_tools(&DocumentDefinition::decode(&definition).unwrap());
    let mut declarations: Vec<ToolDeclaration> = core.iter().map(|tool| tool.declaration()).collect();
    for name in ["retitle", "discard", "rename", "find"] {
        let mut declaration = declared(name);
        if version > 0 && (name == "retitle" || name == "rename") {
            declaration.as_object_mut().unwrap().insert("description", "Another.");
        }
        if name == "retitle" || name == "discard" {
            declaration.as_object_mut().unwrap().insert("parallelSafe", true);
        }
        declarations.push(ToolDeclaration::decode(&declaration).unwrap());
    }
    ToolRegistry::new(declarations, &core).unwrap()
}

fn board(document: &Json) -> DocumentStore {
    let definition = DocumentDefinition::decode(json(SHARED).get("definitions").unwrap().get("board").unwrap()).unwrap();
    DocumentStore::new(std::rc::Rc::new(definition), document, StoreOptions::default()).unwrap()
}

fn cards(document: &Json) -> Vec<Json> {
    document.get("cards").and_then(Json::as_array).unwrap_or_default().to_vec()
}

fn id(card: &Json) -> String {
    card.get("id").and_then(Json::as_str).unwrap_or_default().to_owned()
}

fn by_id(document: &Json) -> BTreeMap<String, Json> {
    cards(document).into_iter().map(|card| (id(&card), card)).collect()
}

fn text(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_text(), str::to_owned)
}

/// The change as lines, told without any of the code under test.
fn lines(before: &Json, after: &Json) -> Vec<String> {
    let (old, new) = (by_id(before), by_id(after));
    let mut lines = Vec::new();
    for (id, card) in &old {
        match new.get(id) {
            None => lines.push(format!("removed {id}")),
            Some(now) => {
                for (key, value) in card.as_object().unwrap().iter() {
                    if now.get(key) != Some(value) {
                        lines.push(format!("changed {id} {key} {:?} {:?}", Some(text(value)), now.get(key).map(text)));
                    }
                }
                for (key, value) in now.as_object().unwrap().iter().filter(|(key, _)| card.get(key).is_none()) {
                    lines.push(format!("changed {id} {key} None {:?}", Some(text(value))));
                }
            }
        }
    }
    for (id, card) in new.iter().filter(|(id, _)| !old.contains_key(*id)) {
        lines.push(format!("added {id}"));
        for (key, value) in card.as_object().unwrap().iter().filter(|(key, _)| &***key != "id") {
            lines.push(format!("added {id} {key} {:?}", Some(text(value))));
        }
    }
    lines.sort();
    lines
}

fn has_moved(line: &PreviewLine) -> bool {
    line.kind == LineKind::Changed && line.field.is_none() && line.before.is_none()
}

fn moves_of(preview: &Preview) -> Vec<(String, Option<String>)> {
    preview.lines.iter().filter(|line| has_moved(line)).map(|line| (line.id.clone(), line.after.clone())).collect()
}

fn lines_of(preview: &Preview) -> Vec<String> {
    let mut lines = Vec::new();
    for line in preview.lines.iter().filter(|line| !has_moved(line)) {
        let kind = serde_json::to_value(line.kind).unwrap().as_str().unwrap().to_owned();
        lines.push(match (&line.field, kind.as_str()) {
            (None, _) => format!("{kind} {}", line.id),
            (Some(field), "added") => format!("added {} {field} {:?}", line.id, line.after),
            (Some(field), _) => format!("{kind} {} {field} {:?} {:?}", line.id, line.before, line.after),
        });
    }
    lines.sort();
    lines
}

impl Game {
    fn new(seed: u64) -> Game {
        let store =
            store_of(&json(r#"{"document":{"cards":[{"id":"a","title":"Alpha"},{"id":"b","title":"Same"},{"id":"c","title":"same"}]}}"#))
                .unwrap();
        let registries = vec![registry(0), registry(1)];
        let mut options = LoopOptions { record_inputs: true, ..LoopOptions::default() };
        options.limits.max_concurrent_calls = 1 + seed % 3;
        options.limits.approval_ttl_ms = seed.is_multiple_of(4).then_some(5000);
        options.limits.max_iterations = 50;
        options.limits.max_tool_calls_per_turn = 100;
        let tool_loop = ToolLoop::new(options, registries[0].clone(), Some(store.clone())).unwrap();
        Game {
            dice: Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1),
            tool_loop,
            store,
            registries,
            tools: 0,
            turn_tools: 0,
            now_ms: 1000,
            screen: Vec::new(),
            signed: BTreeMap::new(),
            said: Vec::new(),
            committed: 0,
        }
    }

    fn tell(&mut self, told: &str, effect: Option<&countersign::protocol::ids::EffectId>) -> Outcome {
        self.said.push(told.to_owned());
        let before = self.store.read();
        let input = TurnInput::decode(&json(told)).unwrap_or_else(|fault| panic!("{fault}: {told}"));
        let outcome = self.tool_loop.dispatch(input, effect);
        self.judge(before, &outcome);
        let state = self.tool_loop.state();
        let holds = |id: &CallId| state.grants.iter().any(|grant| grant.call_id == *id && !grant.consumed);
        self.signed.retain(|id, _| {
            let id = CallId::from(id.as_str());
            holds(&id) || state.calls.find(&id).is_none_or(|call| call.status != CallStatus::Pending)
        });
        outcome
    }

    /// What the loop did by itself or let the host do was approved, as it was shown.
    fn judge(&mut self, mut document: Json, outcome: &Outcome) {
        let why = || self.said.iter().rev().take(24).rev().cloned().collect::<Vec<_>>().join("\n");
        let mut change = None;
        for update in &outcome.updates {
            match update {
                Update::Document { patch, .. } => {
                    let twin = board(&document);
                    let _ = twin.edit(&Change::Patch(patch.clone()), "x");
                    let after = twin.read();
                    change = Some((lines(&document, &after), [&document, &after].map(|one| cards(one).iter().map(id).collect::<Vec<_>>())));
                    document = after;
                }
                Update::Call { call } if call.status == CallStatus::Succeeded && call.tool_name != "find" => {
                    let signed = self.signed.remove(call.id.as_str()).unwrap_or_default();
                    assert!(signed.iter().any(|signed| signed.input == call.input), "`{}` ran and nobody approved it\n{}", call.id, why());
                    let made = change.take().unwrap_or_default();
                    // who found another document than it was given may have done nothing
                    let (made, [stood, stands]) = made;
                    let in_order = |shown: &Preview| order::is_told(&stood, &stands, &moves_of(shown)).is_ok();
                    let is_as_shown =
                        |shown: &Preview| !call.committed || (shown.error.is_none() && made == lines_of(shown) && in_order(shown));
                    let allows = |signed: &Signed| signed.input == call.input && signed.shown.as_ref().is_none_or(is_as_shown);
                    assert!(signed.iter().any(allows), "`{}` did {made:?}\n{}", call.id, why());
                    self.committed += usize::from(call.committed);
                }
                Update::Call { call } if call.status == CallStatus::Failed || call.status == CallStatus::Denied => {
                    self.signed.remove(call.id.as_str());
                    assert!(change.is_none());
                }
                _ => {}
            }
        }
        for effect in &outcome.effects {
            if let Effect::Execute { call_id, tool_name, input, .. } = effect
                && tool_name != "find"
            {
                let signed = self.signed.get(call_id.as_str()).and_then(|all| all.iter().find(|signed| signed.input == *input));
                let signed = signed.unwrap_or_else(|| panic!("`{call_id}` runs and nobody approved it\n{}", why()));
                assert!(signed.shown.is_some() || tool_name == "rename", "`{call_id}` runs unseen\n{}", why());
            }
        }
    }

    fn look(&mut self) {
        self.screen.clear();
        let state = self.tool_loop.state().clone();
        let revision = state.document_revision;
        for call in state.calls.iter().filter(|call| call.status == CallStatus::Pending) {
            let name =
                call.preview.as_ref().map_or_else(|| format!("{}@{revision}", call.input_digest), |preview| preview.effect_digest.clone());
            self.screen.push((call.clone(), name));
        }
    }

    fn call(&mut self) -> (String, String, String) {
        let (id, title) = (self.dice.of(&IDS), self.dice.of(&TITLES));
        let other = self.dice.of(&IDS);
        let (name, input) = match self.dice.below(8) {
            0 | 1 => ("retitle", format!(r#"{{"id":"{id}","title":"{title}"}}"#)),
            2 => ("discard", format!(r#"{{"id":"{id}"}}"#)),
            3 => ("rename", format!(r#"{{"id":"{id}","title":"{title}"}}"#)),
            4 => ("add_entity", format!(r#"{{"kind":"cards","fields":{{"title":"{title}"}}}}"#)),
            5 => ("update_entity", format!(r#"{{"kind":"cards","id":"{id}","set":{{"title":"{title}"}}}}"#)),
            6 => ("delete_entity", format!(r#"{{"kind":"cards","id":"{id}"}}"#)),
            _ => ("move_entity", format!(r#"{{"kind":"cards","id":"{id}","after":"{other}"}}"#)),
        };
        (name.to_owned(), input, id.to_owned())
    }

    /// What a tool of the host makes of a document: mostly what it is for.
    fn work(&mut self, input: &Json, document: &Json) -> String {
        let cards = cards(document);
        let wanted = input.get("id").and_then(Json::as_str).unwrap_or_default();
        let place = cards.iter().position(|card| id(card) == wanted);
        match (self.dice.below(12), place) {
            (0, _) => r#"{"status":"ok","result":"done"}"#.to_owned(),
            (1, _) => {
                r#"{"status":"ok","result":"done","document":{"cards":[{"id":"b","title":"B"},{"id":"a","title":"Alpha"}]}}"#.to_owned()
            }
            (2, _) => r#"{"status":"ok","result":"done","patch":[{"op":"remove","path":"/cards/0"}]}"#.to_owned(),
            (3, _) => r#"{"status":"unknown"}"#.to_owned(),
            (_, None) => r#"{"status":"error","result":"no such card"}"#.to_owned(),
            (_, Some(place)) => match input.get("title") {
                Some(title) => {
                    format!(
                        r#"{{"status":"ok","result":"done","patch":[{{"op":"add","path":"/cards/{place}/title","value":{}}}]}}"#,
                        title.to_text()
                    )
                }
                None => format!(r#"{{"status":"ok","result":"done","patch":[{{"op":"remove","path":"/cards/{place}"}}]}}"#),
            },
        }
    }

    fn approve(&mut self) {
        if self.screen.is_empty() {
            return;
        }
        let at = self.dice.below(self.screen.len());
        let (card, seen) = self.screen[at].clone();
        let (mut shown, mut seen, mut edited) = (card.preview.clone(), seen, String::new());
        if self.dice.below(4) == 0 {
            let input = if self.dice.below(3) == 0 { card.input.to_text() } else { self.call().1 };
            if let Ok((_, Some(preview))) = self.tool_loop.propose(&card.id, &json(&input)) {
                seen = preview.effect_digest.clone();
                shown = Some(preview);
            }
            edited = format!(r#","editedInput":{input}"#);
            if self.dice.below(3) == 0 {
                self.edit();
            }
        }
        let is_edited = !edited.is_empty();
        let told = format!(r#"{{"type":"approveCall","callId":"{}","seen":"{seen}","nowMs":{}{edited}}}"#, card.id, self.now_ms);
        let input = if is_edited {
            let proposed = json(&told).get("editedInput").unwrap().clone();
            // where it is not shown, what was on screen was another input: only what asks again may come of it
            if shown == card.preview && proposed != card.input && shown.is_some() {
                shown = None;
            }
            proposed
        } else {
            card.input.clone()
        };
        self.sign(&[(card.id.clone(), shown, input)], &told);
    }

    /// Approves, and remembers what was: before the loop acts on it, since it acts at once.
    fn sign(&mut self, cards: &[(CallId, Option<Preview>, Json)], told: &str) {
        for (id, shown, input) in cards {
            self.signed.entry(id.to_string()).or_default().push(Signed { shown: shown.clone(), input: input.clone() });
        }
        let outcome = self.tell(told, None);
        for (id, ..) in cards {
            let is_refused = outcome
                .updates
                .iter()
                .any(|update| matches!(update, Update::Refused { call_id, .. } if call_id.is_none() || call_id.as_ref() == Some(id)));
            let Some(all) = self.signed.get_mut(id.as_str()) else { continue };
            match is_refused {
                true => drop(all.pop()),
                false => drop(all.drain(..all.len().saturating_sub(1))),
            }
        }
    }

    fn batch(&mut self) {
        let (mut ids, mut seen, mut cards) = (Vec::new(), Vec::new(), Vec::new());
        for at in 0..self.screen.len() {
            if self.dice.below(2) == 0 {
                let (card, name) = self.screen[at].clone();
                ids.push(format!("\"{}\"", card.id));
                seen.push(format!("\"{name}\""));
                cards.push((card.id, card.preview, card.input));
            }
        }
        let told =
            format!(r#"{{"type":"approveBatch","callIds":[{}],"seen":[{}],"nowMs":{}}}"#, ids.join(","), seen.join(","), self.now_ms);
        self.sign(&cards, &told);
    }

    fn edit(&mut self) {
        let count = cards(&self.store.read()).len();
        let at = self.dice.below(count.max(1));
        let title = self.dice.of(&TITLES);
        let id = self.dice.of(&["a", "b", "c", "z"]);
        let patch = match self.dice.below(6) {
            0 => format!(r#"[{{"op":"add","path":"/cards/-","value":{{"id":"{id}","title":"{title}"}}}}]"#),
            1 => format!(r#"[{{"op":"remove","path":"/cards/{at}"}}]"#),
            2 => format!(r#"[{{"op":"move","from":"/cards/{at}","path":"/cards/0"}}]"#),
            _ => format!(r#"[{{"op":"add","path":"/cards/{at}/title","value":"{title}"}}]"#),
        };
        self.said.push(format!("edit {patch}"));
        match self.dice.below(6) {
            0 => drop(self.store.undo()),
            1 => drop(self.store.redo()),
            _ => {
                if let Ok(patch) = decode_patch(&json(&patch)) {
                    let _ = self.store.edit(&Change::Patch(patch), "edit");
                }
            }
        }
    }

    fn step(&mut self) {
        self.now_ms += self.dice.below(900) as u64;
        if self.dice.below(3) > 0 {
            self.look();
        }
        let now = self.now_ms;
        let pending = self.tool_loop.pending();
        let request = pending.iter().find_map(|effect| if let Effect::Request { id, .. } = effect { Some(id.clone()) } else { None });
        if !self.tool_loop.state().is_live() {
            self.signed.clear();
            self.turn_tools = self.tools;
            let _ = self.tell(&format!(r#"{{"type":"submit","text":"go","nowMs":{now}}}"#), None);
            return;
        }
        if let Some(request) = request {
            let mut calls = Vec::new();
            for at in 0..1 + self.dice.below(4) {
                let (name, input, _) = self.call();
                calls.push((format!("k{}x{at}", self.said.len()), name, input));
            }
            let calls: Vec<(&str, &str, &str)> =
                calls.iter().map(|(id, name, input)| (id.as_str(), name.as_str(), input.as_str())).collect();
            self.said.push(format!("{calls:?}"));
            let params = json(r#"{"model":"m"}"#);
            let _ = self.tool_loop.request(&request, countersign::protocol::event::ProviderFormat::Anthropic, &params).unwrap();
            let before = self.store.read();
            let outcome = self.tool_loop.feed(&request, sse(&[], &calls, "tool_use").as_bytes(), Some(now));
            self.judge(before, &outcome);
            let before = self.store.read();
            let outcome = self.tool_loop.end_stream(&request, Some(now));
            self.judge(before, &outcome);
            return;
        }
        match self.dice.below(20) {
            0..=4 => {
                let asked = pending.iter().find_map(|effect| match effect {
                    Effect::Preview { id, call_id, input, document, .. } => {
                        Some((id.clone(), call_id.clone(), input.clone(), document.clone()))
                    }
                    _ => None,
                });
                if let Some((id, call_id, input, document)) = asked {
                    let outcome = self.work(&input, &document);
                    let _ =
                        self.tell(&format!(r#"{{"type":"previewed","callId":"{call_id}","outcome":{outcome},"nowMs":{now}}}"#), Some(&id));
                }
            }
            5..=8 => {
                let runs = pending.iter().find_map(|effect| match effect {
                    Effect::Execute { id, call_id, input, .. } => Some((id.clone(), call_id.clone(), input.clone())),
                    _ => None,
                });
                if let Some((id, call_id, input)) = runs {
                    let document = self.store.read();
                    let outcome = self.work(&input, &document);
                    let _ = self
                        .tell(&format!(r#"{{"type":"callSettled","callId":"{call_id}","outcome":{outcome},"nowMs":{now}}}"#), Some(&id));
                }
            }
            9..=12 => self.approve(),
            13 => self.batch(),
            14 => {
                if let Some((card, _)) = self.screen.first().cloned() {
                    let _ = self.tell(&format!(r#"{{"type":"denyCall","callId":"{}","nowMs":{now}}}"#, card.id), None);
                }
            }
            15 => {
                let id = self.dice.of(&["a", "b", "c"]);
                if let Some((card, _)) = self.screen.last().cloned() {
                    let outcome =
                        self.tell(&format!(r#"{{"type":"selectTarget","callId":"{}","targetId":"{id}","nowMs":{now}}}"#, card.id), None);
                    if !outcome.updates.iter().any(|update| matches!(update, Update::Refused { .. })) {
                        self.signed.remove(card.id.as_str());
                    }
                }
            }
            16 | 17 => self.edit(),
            18 => match self.dice.below(3) {
                0 => {
                    self.tools = 1 - self.tools;
                    let before = self.store.read();
                    self.said.push("setTools".to_owned());
                    if self.tools != self.turn_tools {
                        // those are another tool now, but for what runs already
                        let state = self.tool_loop.state();
                        self.signed.retain(|id, _| {
                            let call = state.calls.find(&CallId::from(id.as_str())).unwrap();
                            call.status == CallStatus::Running || !matches!(call.tool_name.as_str(), "retitle" | "rename")
                        });
                    }
                    let outcome = self.tool_loop.set_tools(self.registries[self.tools].clone()).unwrap();
                    self.judge(before, &outcome);
                }
                1 if self.dice.below(4) == 0 => {
                    self.said.push("restore".to_owned());
                    let text = self.tool_loop.snapshot();
                    self.tool_loop = ToolLoop::restore(
                        &text,
                        &json(r#"{"recordInputs":true}"#),
                        self.registries[self.tools].clone(),
                        Some(self.store.clone()),
                    )
                    .unwrap();
                    self.signed.clear();
                    self.turn_tools = self.tools;
                    assert_eq!(self.tool_loop.snapshot(), text);
                }
                _ => {}
            },
            _ => drop(self.tell(&format!(r#"{{"type":"tick","nowMs":{now}}}"#), None)),
        }
    }
}

#[test]
fn a1_c4_whatever_happens_only_what_was_shown_and_approved_is_done() {
    let games: u64 = std::env::var("COUNTERSIGN_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(60);
    let mut committed = 0;
    for seed in 1..=games {
        let mut game = Game::new(seed);
        for _ in 0..150 {
            game.step();
        }
        committed += game.committed;
        // s4: played again it ends the same
        let recording = game.tool_loop.recording().unwrap();
        let first = json(&recording).get("document").unwrap().clone();
        let mut replayed = ToolLoop::replay(&recording, &json("{}"), &game.registries, Some(board(&first))).unwrap();
        assert_eq!(replayed.state_digest(), game.tool_loop.state_digest(), "seed {seed}");
    }
    assert!(committed as u64 > games, "too little came of it: {committed}");
}
