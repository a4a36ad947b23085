//! The loop machine.

use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::documents::Store;
use super::functions::{Registry, format_of};
use super::{ms, parse, thrown, to_text};
use crate::protocol::command::TurnInput;
use crate::protocol::fields::whole;
use crate::protocol::ids::{CallId, EffectId};
use crate::protocol::json::Json;
use crate::protocol::preview::Preview;
use crate::protocol::words::Word;
use crate::tool_loop::{Fed, LoopOptions, Outcome, ToolLoop};
use crate::tools::registry::ToolRegistry;

/// `feed` says it: nothing happened.
const NOTHING: u32 = 0;
/// Text was added and nothing else; it lies in the inbox, and the rest of the number is its length.
const TEXT: u32 = 1;
/// Text was added and nothing else; it is asked for by `takeText`.
const LONG_TEXT: u32 = 2;
/// Anything else; it is asked for by `takeOutcome`.
const OUTCOME: u32 = 3;
/// Beside one of them: the next deadline is another than was told last.
const OTHER_DEADLINE: u32 = 4;
/// What a length is multiplied by, to stand beside these.
const LENGTHS: u32 = 8;

/// The smallest inbox: most chunks of a stream fit it.
const INBOX_BYTES: u32 = 4096;

/// One conversation. A chunk is put where `inbox` says; what it caused is asked for after `feed` said of what kind it is.
#[wasm_bindgen]
pub struct Loop {
    inner: ToolLoop,
    inbox: Vec<u8>,
    outcome: Outcome,
    /// The deadline the wrapper knows of.
    told_deadline: Option<u64>,
}

#[wasm_bindgen]
impl Loop {
    /// A loop in which nothing was asked yet; it shares registry and store with their handles.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str, registry: &Registry, store: Option<StoreHandle>) -> Result<Loop, JsValue> {
        let options = LoopOptions::decode(&parse(options, "options")?).map_err(thrown)?;
        ToolLoop::new(options, registry.tools.clone(), store.map(|handle| handle.store)).map(Loop::holding).map_err(thrown)
    }

    /// A loop from a snapshot.
    pub fn restore(snapshot: &str, options: &str, registry: &Registry, store: Option<StoreHandle>) -> Result<Loop, JsValue> {
        let options = parse(options, "options")?;
        ToolLoop::restore(snapshot, &options, registry.tools.clone(), store.map(|handle| handle.store)).map(Loop::holding).map_err(thrown)
    }

    /// One step.
    pub fn dispatch(&mut self, input: &str, effect_id: Option<String>) -> Result<String, JsValue> {
        let input = TurnInput::decode(&parse(input, "input")?).map_err(thrown)?;
        let outcome = self.inner.dispatch(input, effect_id.map(EffectId::from).as_ref());
        Ok(self.told(&outcome))
    }

    /// The tools of the next turn.
    #[wasm_bindgen(js_name = setTools)]
    pub fn set_tools(&mut self, registry: &Registry) -> Result<String, JsValue> {
        let outcome = self.inner.set_tools(registry.tools.clone()).map_err(thrown)?;
        Ok(self.told(&outcome))
    }

    /// The body of an open request as it is sent, a line end (which JSON text never holds), and the path.
    pub fn request(&mut self, request_id: &str, format: &str, params: &str) -> Result<String, JsValue> {
        let params = parse(params, "params")?;
        let request = self.inner.request(&EffectId::from(request_id), format_of(format)?, &params).map_err(thrown)?;
        let mut told = request.body.to_text();
        told.push('\n');
        told.push_str(&request.path);
        Ok(told)
    }

    /// What `feed` knows an open request by; 0 where none of this id is open.
    #[wasm_bindgen(js_name = requestNumber)]
    pub fn request_number(&mut self, request_id: &str) -> f64 {
        self.inner.request_number(&EffectId::from(request_id)) as f64
    }

    /// Where a chunk of so many bytes is put before `feed`: an address that stands until more are asked for.
    pub fn inbox(&mut self, bytes: u32) -> u32 {
        let wanted = usize::try_from(bytes.max(INBOX_BYTES)).unwrap_or(usize::MAX);
        if self.inbox.len() < wanted {
            self.inbox = vec![0; wanted];
        }
        u32::try_from(self.inbox.as_ptr().expose_provenance()).unwrap_or(0)
    }

    /// The first bytes of the inbox as bytes of the answer; says in one number what they caused.
    pub fn feed(&mut self, request_number: f64, bytes: u32, now_ms: f64) -> u32 {
        let Loop { inner, inbox, .. } = self;
        let chunk = usize::try_from(bytes).ok().and_then(|bytes| inbox.get(..bytes)).unwrap_or_default();
        let kind = match inner.feed_numbered(whole(request_number).unwrap_or(0), chunk, whole(now_ms.trunc())) {
            Fed::Nothing => NOTHING,
            Fed::Text => {
                let (_, text) = inner.fed_text();
                match (inbox.get_mut(..text.len()), u32::try_from(text.len())) {
                    (Some(place), Ok(length)) if length < u32::MAX / LENGTHS => {
                        place.copy_from_slice(text.as_bytes());
                        TEXT | (length * LENGTHS)
                    }
                    _ => LONG_TEXT,
                }
            }
            Fed::Outcome(outcome) => {
                self.outcome = outcome;
                OUTCOME
            }
        };
        let deadline = self.inner.next_deadline_ms();
        if deadline == self.told_deadline { kind } else { kind | OTHER_DEADLINE }
    }

    /// The text the last `feed` added.
    #[wasm_bindgen(js_name = takeText)]
    #[must_use]
    pub fn take_text(&self) -> String {
        self.inner.fed_text().1.to_owned()
    }

    /// The message it was added to.
    #[wasm_bindgen(js_name = textIndex)]
    #[must_use]
    pub fn text_index(&self) -> u32 {
        self.inner.fed_text().0
    }

    /// What the last `feed` caused.
    #[wasm_bindgen(js_name = takeOutcome)]
    pub fn take_outcome(&mut self) -> String {
        let outcome = std::mem::take(&mut self.outcome);
        self.told(&outcome)
    }

    /// When to come back with a `tick`.
    #[wasm_bindgen(js_name = nextDeadline)]
    pub fn next_deadline(&mut self) -> Option<f64> {
        self.told_deadline = self.inner.next_deadline_ms();
        self.told_deadline.map(|ms| ms as f64)
    }

    /// Whether the message would be whole if the connection closed now.
    #[wasm_bindgen(js_name = mayEndStream)]
    #[must_use]
    pub fn may_end_stream(&mut self, request_id: &str) -> bool {
        self.inner.may_end_stream(&EffectId::from(request_id))
    }

    /// The connection closed.
    #[wasm_bindgen(js_name = endStream)]
    pub fn end_stream(&mut self, request_id: &str, now_ms: Option<f64>) -> String {
        let outcome = self.inner.end_stream(&EffectId::from(request_id), ms(now_ms));
        self.told(&outcome)
    }

    /// The effects that were not answered yet.
    #[must_use]
    pub fn pending(&self) -> String {
        to_text(&self.inner.pending())
    }

    /// The current turn.
    pub fn state(&mut self) -> String {
        to_text(self.inner.state())
    }

    /// The revision that the turn's cards stand on.
    #[wasm_bindgen(js_name = documentRevision)]
    pub fn document_revision(&mut self) -> f64 {
        self.inner.state().document_revision as f64
    }

    /// The conversation from the message at this place on.
    #[must_use]
    pub fn messages(&self, from: u32) -> String {
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        to_text(&self.inner.messages().get(from..).unwrap_or_default())
    }

    /// What a call that waits would do, or what it would do with another input; `null` where that is not known.
    pub fn preview(&mut self, call_id: &str, edited_input: Option<String>) -> Result<String, JsValue> {
        let edited = edited_input.map(|text| parse(&text, "editedInput")).transpose()?;
        Ok(to_text(&self.inner.preview(&CallId::from(call_id), edited.as_ref())))
    }

    /// Another input of a call as it would be approved, with what it would do; or what is wrong with it.
    pub fn propose(&mut self, call_id: &str, input: &str) -> Result<String, JsValue> {
        let input = parse(input, "editedInput")?;
        Ok(match self.inner.propose(&CallId::from(call_id), &input) {
            Ok((prepared, preview)) => to_text(&Proposal { ok: true, input: prepared.input, preview }),
            Err(issues) => to_text(&Refused { ok: false, issues }),
        })
    }

    /// Whether the newest turn that committed can be taken back.
    #[wasm_bindgen(js_name = undoAvailability)]
    pub fn undo_availability(&mut self) -> String {
        self.inner.undo_availability().word().to_owned()
    }

    /// Everything that went in so far, as text.
    pub fn recording(&mut self) -> Result<String, JsValue> {
        self.inner.recording().map_err(thrown)
    }

    /// SHA-256 over the turn's state and the document's digest.
    #[wasm_bindgen(js_name = stateDigest)]
    pub fn state_digest(&mut self) -> String {
        self.inner.state_digest()
    }

    /// The conversation as text.
    #[must_use]
    pub fn snapshot(&self) -> String {
        self.inner.snapshot()
    }
}

/// An input that could be approved.
#[derive(Serialize)]
struct Proposal {
    ok: bool,
    input: Json,
    preview: Option<Preview>,
}

/// An input that could not.
#[derive(Serialize)]
struct Refused {
    ok: bool,
    issues: Vec<String>,
}

impl Loop {
    fn holding(inner: ToolLoop) -> Loop {
        Loop { inner, inbox: Vec::new(), outcome: Outcome::default(), told_deadline: None }
    }

    fn told(&mut self, outcome: &Outcome) -> String {
        self.told_deadline = outcome.next_deadline_ms;
        to_text(outcome)
    }
}

/// A recording that is to be played: offered every registry its loop had, then run.
#[wasm_bindgen]
#[derive(Default)]
pub struct Replay {
    tools: Vec<ToolRegistry>,
}

#[wasm_bindgen]
impl Replay {
    /// Nothing is offered yet.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Replay {
        Replay::default()
    }

    /// The tools of the beginning, or of later.
    pub fn offer(&mut self, registry: &Registry) {
        self.tools.push(registry.tools.clone());
    }

    /// Plays the recording.
    pub fn run(&self, recording: &str, options: &str, store: Option<StoreHandle>) -> Result<Loop, JsValue> {
        let options = parse(options, "options")?;
        ToolLoop::replay(recording, &options, &self.tools, store.map(|handle| handle.store)).map(Loop::holding).map_err(thrown)
    }
}

/// A second handle to a store: `Option<&Store>` cannot cross, and a moved `Store` would be gone for the host.
#[wasm_bindgen]
pub struct StoreHandle {
    store: crate::document::store::DocumentStore,
}

#[wasm_bindgen]
impl Store {
    /// Another handle to the same document, to be given to a loop.
    #[must_use]
    pub fn handle(&self) -> StoreHandle {
        StoreHandle { store: self.store.clone() }
    }
}
