//! The loop machine.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::documents::Store;
use super::functions::{Registry, built, format_of};
use super::{ms, parse, thrown, to_text};
use crate::protocol::command::TurnInput;
use crate::protocol::ids::EffectId;
use crate::protocol::words::Word;
use crate::tool_loop::{Fed, LoopOptions, Outcome, ToolLoop};

/// One conversation. What a chunk caused is asked for after `feed` said of what kind it is.
#[wasm_bindgen]
pub struct Loop {
    inner: ToolLoop,
    text: String,
    text_index: u32,
    outcome: Outcome,
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
        Ok(to_text(&self.inner.dispatch(input, effect_id.map(EffectId::from).as_ref())))
    }

    /// The tools of the next turn.
    #[wasm_bindgen(js_name = setTools)]
    pub fn set_tools(&mut self, registry: &Registry) -> Result<String, JsValue> {
        Ok(to_text(&self.inner.set_tools(registry.tools.clone()).map_err(thrown)?))
    }

    /// The body of an open request.
    pub fn request(&mut self, request_id: &str, format: &str, params: &str) -> Result<String, JsValue> {
        let params = parse(params, "params")?;
        let request = self.inner.request(&EffectId::from(request_id), format_of(format)?, &params).map_err(thrown)?;
        Ok(built(&request))
    }

    /// Bytes of the answer: 0 where nothing happened, 1 where only text was added, 2 for anything else.
    pub fn feed(&mut self, request_id: &str, chunk: &[u8], now_ms: Option<f64>) -> u32 {
        match self.inner.feed_fast(&EffectId::from(request_id), chunk, ms(now_ms)) {
            Fed::Nothing => 0,
            Fed::Text { message_index, delta } => {
                (self.text, self.text_index) = (delta, message_index);
                1
            }
            Fed::Outcome(outcome) => {
                self.outcome = outcome;
                2
            }
        }
    }

    /// The text the last `feed` added.
    #[wasm_bindgen(js_name = takeText)]
    pub fn take_text(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    /// The message it was added to.
    #[wasm_bindgen(js_name = textIndex)]
    #[must_use]
    pub fn text_index(&self) -> u32 {
        self.text_index
    }

    /// What the last `feed` caused.
    #[wasm_bindgen(js_name = takeOutcome)]
    pub fn take_outcome(&mut self) -> String {
        to_text(&std::mem::take(&mut self.outcome))
    }

    /// When to come back with a `tick`.
    #[wasm_bindgen(js_name = nextDeadline)]
    #[must_use]
    pub fn next_deadline(&self) -> Option<f64> {
        self.inner.next_deadline_ms().map(|ms| ms as f64)
    }

    /// The connection closed.
    #[wasm_bindgen(js_name = endStream)]
    pub fn end_stream(&mut self, request_id: &str, now_ms: Option<f64>) -> String {
        to_text(&self.inner.end_stream(&EffectId::from(request_id), ms(now_ms)))
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

    /// The whole conversation.
    #[must_use]
    pub fn messages(&self) -> String {
        to_text(&self.inner.messages())
    }

    /// Whether the newest turn that committed can be taken back.
    #[wasm_bindgen(js_name = undoAvailability)]
    pub fn undo_availability(&mut self) -> String {
        self.inner.undo_availability().word().to_owned()
    }

    /// The conversation as text.
    #[must_use]
    pub fn snapshot(&self) -> String {
        self.inner.snapshot()
    }
}

impl Loop {
    fn holding(inner: ToolLoop) -> Loop {
        Loop { inner, text: String::new(), text_index: 0, outcome: Outcome::default() }
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
