//! Plays a script on a loop: what a host would do, one step at a time, with the combined laws asked after every step.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use countersign::document::definition::DocumentDefinition;
use countersign::document::store::{Change, DocumentStore, StoreOptions};
use countersign::entities::entity_tools;
use countersign::history::pairing::pairing_violations;
use countersign::protocol::command::TurnInput;
use countersign::protocol::effect::Effect;
use countersign::protocol::event::ProviderFormat;
use countersign::protocol::ids::EffectId;
use countersign::protocol::json::Json;
use countersign::protocol::message::PairingViolationKind;
use countersign::protocol::patch::decode_patch;
use countersign::protocol::update::Update;
use countersign::tool_loop::{LoopOptions, Outcome, ToolLoop};
use countersign::tools::registry::ToolRegistry;
use countersign::turn::{TurnState, reduce_turn};

use crate::turn::{SHARED, answer, declared, json, registry_of, shape};

/// How the bytes of a stream are cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cut {
    Whole,
    Every(usize),
}

pub(crate) struct Player {
    pub(crate) tool_loop: ToolLoop,
    pub(crate) store: Option<DocumentStore>,
    tools: ToolRegistry,
    /// All tools the loop was ever given.
    pub(crate) all_tools: Vec<ToolRegistry>,
    /// The tools the current turn was begun with.
    turn_tools: ToolRegistry,
    cut: Cut,
    /// Whether the loop was restored: it no longer knows how the turn began.
    restored: bool,
    pub(crate) effects: Vec<Effect>,
    pub(crate) updates: Vec<Update>,
    next_deadline_ms: Option<u64>,
    /// The document before each step of the history, by the step's id.
    before: BTreeMap<u64, Json>,
}

/// The tools a case names, or declares itself, or the four entity tools of a definition.
pub(crate) fn tools_of(named: Option<&Json>) -> ToolRegistry {
    let named = named.and_then(Json::as_array).unwrap_or_default();
    if let Some(definition) = named.first().and_then(|tool| tool.get("entityTools")) {
        let tools = entity_tools(&DocumentDefinition::decode(&shared("definitions", definition)).unwrap());
        return ToolRegistry::new(tools.iter().map(|tool| tool.declaration()).collect(), &tools).unwrap();
    }
    registry_of(&named.iter().map(|tool| tool.as_str().map_or_else(|| tool.clone(), declared)).collect::<Vec<_>>())
}

fn shared(kind: &str, value: &Json) -> Json {
    match value.as_str() {
        Some(name) => json(SHARED).get(kind).and_then(|all| all.get(name)).unwrap_or_else(|| panic!("no {kind} `{name}`")).clone(),
        None => value.clone(),
    }
}

/// The store of a case: the shared board where it says nothing else.
pub(crate) fn store_of(case: &Json) -> Option<DocumentStore> {
    let document = shared("documents", case.get("document")?);
    let definition = shared("definitions", case.get("definition").unwrap_or(&Json::from("board")));
    let definition = DocumentDefinition::decode(&definition).unwrap();
    let options = case.get("store").map(|options| StoreOptions::decode(options).unwrap()).unwrap_or_default();
    Some(DocumentStore::new(Rc::new(definition), &document, options).unwrap())
}

impl Player {
    pub(crate) fn of(case: &Json, cut: Cut) -> Player {
        let tools = tools_of(case.get("tools"));
        let store = store_of(case);
        let mut options = LoopOptions::decode(case.get("options").unwrap_or(&json("{}"))).unwrap();
        (options.record_inputs, options.trace_turn) = (true, true);
        let tool_loop = ToolLoop::new(options, tools.clone(), store.clone()).unwrap();
        Player {
            tool_loop,
            store,
            turn_tools: tools.clone(),
            all_tools: vec![tools.clone()],
            tools,
            cut,
            restored: false,
            effects: Vec::new(),
            updates: Vec::new(),
            next_deadline_ms: None,
            before: BTreeMap::new(),
        }
    }

    /// A case without a script, for stories told in Rust.
    pub(crate) fn with(case: &str) -> Player {
        Player::of(&json(case), Cut::Every(7))
    }

    /// One step of a script.
    pub(crate) fn step(&mut self, step: &Json) {
        let documents = self.store.as_ref().map(DocumentStore::read);
        let (name, value) = step.as_object().unwrap().iter().next().unwrap();
        match name.as_ref() {
            "dispatch" => {
                let told = TurnInput::decode(value).unwrap_or_else(|fault| panic!("{fault}: {}", value.to_text()));
                let id = step.get("effect").and_then(Json::as_str).map(EffectId::from);
                let outcome = self.tool_loop.dispatch(told, id.as_ref());
                self.take(outcome);
            }
            "sse" => self.answer(step),
            "edit" => drop(self.document().edit(&Change::Patch(decode_patch(value).unwrap()), "an edit")),
            "undo" => drop(self.document().undo()),
            "redo" => drop(self.document().redo()),
            "setTools" => {
                self.tools = tools_of(Some(value));
                self.all_tools.push(self.tools.clone());
                let outcome = self.tool_loop.set_tools(self.tools.clone()).unwrap();
                self.take(outcome);
            }
            "restore" => {
                let text = self.tool_loop.snapshot();
                let mut options = value.clone();
                options.as_object_mut().unwrap().insert("recordInputs", true);
                self.tool_loop = ToolLoop::restore(&text, &options, self.tools.clone(), self.store.clone()).unwrap();
                self.restored = true;
                self.turn_tools = self.tools.clone();
            }
            "check" => crate::corpus::check(self, value),
            other => panic!("no step is named `{other}`"),
        }
        if let (Some(before), Some(store)) = (documents, &self.store)
            && let Some(step) = store.history().last()
        {
            self.before.entry(step.id).or_insert(before);
        }
        self.laws();
    }

    pub(crate) fn dispatch(&mut self, told: TurnInput, effect_id: Option<&EffectId>) {
        let outcome = self.tool_loop.dispatch(told, effect_id);
        self.take(outcome);
    }

    pub(crate) fn tell(&mut self, told: &str) -> &mut Player {
        self.step(&json(&format!(r#"{{"dispatch":{told}}}"#)));
        self
    }

    /// A whole answer of the provider.
    pub(crate) fn model(&mut self, answer: &str) -> &mut Player {
        self.step(&json(&format!(r#"{{"sse":{}}}"#, Json::from(answer).to_text())));
        self
    }

    pub(crate) fn document(&self) -> &DocumentStore {
        self.store.as_ref().expect("the case has a document")
    }

    /// The request that is open.
    pub(crate) fn open_request(&self) -> EffectId {
        self.tool_loop
            .pending()
            .into_iter()
            .find_map(|effect| if let Effect::Request { id, .. } = effect { Some(id) } else { None })
            .expect("a request is open")
    }

    /// The messages of the body of the open request.
    pub(crate) fn body(&mut self) -> Json {
        let id = self.open_request();
        let built = self.tool_loop.request(&id, ProviderFormat::Anthropic, &json(r#"{"model":"m"}"#)).unwrap();
        built.body.get("messages").unwrap().clone()
    }

    fn answer(&mut self, step: &Json) {
        let bytes = step.get("sse").and_then(Json::as_str).unwrap().as_bytes();
        let now_ms = step.get("nowMs").and_then(Json::as_number).map(|ms| ms as u64);
        let id = match step.get("to").and_then(Json::as_str) {
            Some(id) => EffectId::from(id),
            None => {
                let id = self.open_request();
                if step.get("more").is_none() {
                    let _ = self.tool_loop.request(&id, ProviderFormat::Anthropic, &json(r#"{"model":"m"}"#)).unwrap();
                }
                id
            }
        };
        let size = match self.cut {
            Cut::Whole => bytes.len().max(1),
            Cut::Every(size) => size,
        };
        for chunk in bytes.chunks(size) {
            // what was closed meanwhile would only be refused, once for each chunk
            if step.get("to").is_none() && !self.is_open(&id) {
                return;
            }
            let outcome = self.tool_loop.feed(&id, chunk, now_ms);
            self.take(outcome);
            if step.get("to").is_some() {
                return;
            }
        }
        if step.get("open").is_none() && self.is_open(&id) {
            let outcome = self.tool_loop.end_stream(&id, now_ms);
            self.take(outcome);
        }
    }

    fn is_open(&self, wanted: &EffectId) -> bool {
        self.tool_loop.pending().iter().any(|effect| matches!(effect, Effect::Request { id, .. } if id == wanted))
    }

    pub(crate) fn take(&mut self, outcome: Outcome) {
        self.updates.extend(outcome.updates);
        self.effects.extend(outcome.effects);
        self.next_deadline_ms = outcome.next_deadline_ms;
    }

    pub(crate) fn state(&mut self) -> TurnState {
        self.tool_loop.state().clone()
    }

    /// One named fact about where the loop is, as plain JSON.
    pub(crate) fn fact(&mut self, name: &str) -> Json {
        let state = self.state();
        let whole = json(&serde_json::to_string(&state).unwrap());
        let texts = |texts: Vec<String>| Json::from(texts.into_iter().map(Json::from).collect::<Vec<_>>());
        match name {
            "phase" | "outcome" | "bound" | "notice" | "iteration" | "turnId" => whole.get(name).unwrap().clone(),
            "error" => whole.get("error").and_then(|error| error.get("code")).cloned().unwrap_or(Json::Null),
            "shape" => texts(shape(&state)),
            "messages" => whole.get("messages").unwrap().clone(),
            "violations" => {
                let counts = whole.get("violationCounts").and_then(Json::as_object).unwrap();
                Json::from(
                    counts
                        .iter()
                        .filter(|(_, count)| **count != Json::from(0.0))
                        .map(|(kind, count)| (kind.clone(), count.clone()))
                        .collect::<countersign::protocol::json::Object>(),
                )
            }
            "requests" => Json::from(self.effects.iter().filter(|effect| matches!(effect, Effect::Request { .. })).count() as f64),
            "executed" => texts(
                self.effects
                    .iter()
                    .filter_map(|effect| if let Effect::Execute { call_id, .. } = effect { Some(call_id.to_string()) } else { None })
                    .collect(),
            ),
            "pending" => texts(
                self.tool_loop
                    .pending()
                    .iter()
                    .map(|effect| match effect {
                        Effect::Request { iteration, attempt, .. } => format!("request {iteration}.{attempt}"),
                        Effect::Execute { call_id, .. } => format!("execute {call_id}"),
                        Effect::Preview { call_id, .. } => format!("preview {call_id}"),
                        Effect::Abort { .. } => "abort".to_owned(),
                    })
                    .collect(),
            ),
            "aborted" => {
                texts(
                    self.effects
                        .iter()
                        .flat_map(|effect| {
                            if let Effect::Abort { ids } = effect { ids.iter().map(ToString::to_string).collect() } else { Vec::new() }
                        })
                        .collect(),
                )
            }
            "notBeforeMs" => self
                .tool_loop
                .pending()
                .iter()
                .find_map(|effect| if let Effect::Request { not_before_ms, .. } = effect { *not_before_ms } else { None })
                .map_or(Json::Null, |ms| Json::from(ms as f64)),
            "nextDeadlineMs" => self.tool_loop.next_deadline_ms().map_or(Json::Null, |ms| Json::from(ms as f64)),
            "refused" => texts(
                self.updates
                    .iter()
                    .filter_map(|update| match update {
                        Update::Refused { input, reason, .. } => {
                            Some(format!("{input}: {}", serde_json::to_value(reason).unwrap().as_str().unwrap()))
                        }
                        _ => None,
                    })
                    .collect(),
            ),
            "document" => self.document().read(),
            "steps" => Json::from(self.document().history().len() as f64),
            "undo" => json(&serde_json::to_string(&self.tool_loop.undo_availability()).unwrap()),
            "tokens" => Json::from(vec![Json::from(state.budget.input_tokens as f64), Json::from(state.budget.output_tokens as f64)]),
            "grants" => texts(state.grants.iter().map(|grant| grant.call_id.to_string()).collect()),
            "body" => self.body(),
            other => panic!("no fact is named `{other}`"),
        }
    }

    pub(crate) fn answer_of(&mut self, id: &str) -> Json {
        Json::from(answer(&self.state(), id))
    }

    /// What holds after every step, whatever the step was.
    pub(crate) fn laws(&mut self) {
        let state = self.state();
        if state.tools_digest == self.tools.digest() {
            self.turn_tools = self.tools.clone();
        }
        // pairing, and no empty message, whenever nothing runs
        for violation in pairing_violations(&state.messages) {
            let open = state.is_live()
                && violation.kind == PairingViolationKind::UnansweredToolCall
                && state.current_calls().any(|call| call.id.as_str() == violation.tool_call_id);
            assert!(open, "t6: {violation:?} in {:?}", state.phase);
        }
        if !state.is_live() {
            assert!(state.messages.iter().all(|message| !message.content.is_empty()), "t12: an empty message is kept");
        }
        // the state is plain data
        let text = serde_json::to_string(&state).unwrap();
        assert_eq!(TurnState::decode(&text).unwrap(), state, "a state that is written is read back as it was");
        // t15: the fast path is the same reducer
        if !self.restored {
            let mut folded = self.tool_loop.begun_with();
            for told in self.tool_loop.traced_inputs() {
                folded = reduce_turn(folded, told.clone(), &self.turn_tools).unwrap();
            }
            assert!(folded == state, "t15: folded\n{folded:?}\nthe loop has\n{state:?}");
        }
        // an id names one effect, for ever
        let mut ids = BTreeSet::new();
        for effect in &self.effects {
            if let Effect::Request { id, .. } | Effect::Execute { id, .. } | Effect::Preview { id, .. } = effect {
                assert!(ids.insert(id.clone()), "the effect id `{id}` was given twice");
            }
        }
        // s1: laid down, taken up and laid down again is the same text, and the live loop does not notice
        let laid_down = self.tool_loop.snapshot();
        assert_eq!(laid_down, self.tool_loop.snapshot());
        assert_eq!(state, self.state(), "s1: a snapshot changed the loop");
        let mut taken_up = ToolLoop::restore(&laid_down, &json("{}"), self.turn_tools.clone(), self.store.clone()).unwrap();
        let again = taken_up.snapshot();
        assert!(again == laid_down, "s1: laid down\n{laid_down}\nand again\n{again}");
        let resting = taken_up.state();
        assert!(resting.grants.iter().all(|grant| grant.scope == countersign::protocol::call::GrantScope::Auto), "s2: a grant survived");
        for effect in taken_up.pending() {
            if let Effect::Request { id, .. } | Effect::Execute { id, .. } = effect {
                assert!(!ids.contains(&id), "the effect id `{id}` was given again after a restore");
            }
        }
    }

    /// What holds at the end: the turn's one step can be taken back and brought back.
    pub(crate) fn finish(&mut self) {
        use countersign::document::outcome::TurnStanding;
        if self.store.is_none() || self.state().is_live() || self.tool_loop.undo_availability() != TurnStanding::Undoable {
            return;
        }
        let (state, done) = (self.state(), self.document().read());
        let top = self.document().history().last().unwrap().id;
        self.tell(r#"{"type":"undoTurn"}"#);
        assert_eq!(Some(&self.document().read()), self.before.get(&top), "c3: undo gives the document as it was");
        assert_eq!(self.tool_loop.undo_availability(), TurnStanding::AlreadyUndone);
        self.step(&json(r#"{"redo":true}"#));
        assert_eq!(self.document().read(), done, "c3: redo gives the document as it was");
        assert_eq!(self.state(), state, "c3: redo flips the calls back");
    }
}

/// One answer in the Anthropic wire format: texts, and calls as (id, tool, argument text).
pub(crate) fn sse(said: &[&str], calls: &[(&str, &str, &str)], stop_reason: &str) -> String {
    let mut out = String::new();
    let mut frame = |name: &str, data: String| out.push_str(&format!("event: {name}\ndata: {data}\n\n"));
    let text = |text: &str| Json::from(text).to_text();
    frame("message_start", r#"{"type":"message_start","message":{"model":"m","usage":{"input_tokens":5,"output_tokens":1}}}"#.to_owned());
    for (at, said) in said.iter().enumerate() {
        frame(
            "content_block_start",
            format!(r#"{{"type":"content_block_start","index":{at},"content_block":{{"type":"text","text":""}}}}"#),
        );
        frame(
            "content_block_delta",
            format!(r#"{{"type":"content_block_delta","index":{at},"delta":{{"type":"text_delta","text":{}}}}}"#, text(said)),
        );
        frame("content_block_stop", format!(r#"{{"type":"content_block_stop","index":{at}}}"#));
    }
    for (at, (id, name, arguments)) in calls.iter().enumerate() {
        let at = at + said.len();
        let block = format!(r#"{{"type":"tool_use","id":{},"name":{},"input":{{}}}}"#, text(id), text(name));
        frame("content_block_start", format!(r#"{{"type":"content_block_start","index":{at},"content_block":{block}}}"#));
        let delta = format!(r#"{{"type":"input_json_delta","partial_json":{}}}"#, text(arguments));
        frame("content_block_delta", format!(r#"{{"type":"content_block_delta","index":{at},"delta":{delta}}}"#));
        frame("content_block_stop", format!(r#"{{"type":"content_block_stop","index":{at}}}"#));
    }
    frame(
        "message_delta",
        format!(r#"{{"type":"message_delta","delta":{{"stop_reason":"{stop_reason}"}},"usage":{{"output_tokens":9}}}}"#),
    );
    frame("message_stop", r#"{"type":"message_stop"}"#.to_owned());
    out
}
