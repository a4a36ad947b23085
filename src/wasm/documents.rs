//! The document store.

use std::rc::Rc;
use std::sync::Arc;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::{message_of, parse, parse_options, thrown, to_text};
use crate::document::definition::{Definition, DocumentDefinition};
use crate::document::store::{Change, DocumentStore, StoreOptions};
use crate::protocol::error::Fault;
use crate::protocol::fields::whole;
use crate::protocol::from_json::FromJson;
use crate::protocol::json::Json;
use crate::protocol::text::echo;
use crate::reading::{DefinedView, LEAST_PROMPT_BYTES, Lend, PROMPT_BYTES, excerpt, summary};

#[wasm_bindgen]
extern "C" {
    /// The host's own validator.
    #[wasm_bindgen(js_name = Function, typescript_type = "(document: string) => string")]
    pub type Rules;

    #[wasm_bindgen(method, catch)]
    fn call(this: &Rules, receiver: &JsValue, document: &str) -> Result<JsValue, JsValue>;
}

/// One document with its history.
#[wasm_bindgen]
pub struct Store {
    pub(super) store: DocumentStore,
    view: Arc<dyn Lend>,
}

#[wasm_bindgen]
impl Store {
    /// Takes in a first document. `definition` is JSON: the name of a shipped definition, or a definition; `rules` is the host's
    /// own validator over JSON text.
    #[wasm_bindgen(constructor)]
    pub fn new(definition: &str, initial: &str, options: Option<String>, rules: Option<Rules>) -> Result<Store, JsValue> {
        let (definition, view) = definition_of(&parse(definition, "definition")?, rules).map_err(thrown)?;
        let options = StoreOptions::decode(&parse_options(options, "options")?).map_err(thrown)?;
        let initial = parse(initial, "initial")?;
        let store = DocumentStore::new(definition, &initial, options).map_err(thrown)?;
        store.loosen();
        Ok(Store { store, view })
    }

    /// What is wrong with the document as it is.
    #[must_use]
    pub fn issues(&self) -> String {
        to_text(&self.store.issues())
    }

    /// The document, defaults filled in.
    #[must_use]
    pub fn read(&self) -> String {
        let text = self.store.read().to_text();
        // whoever read it once follows its changes
        self.store.loosen();
        text
    }

    /// What leads from the document at a revision to the one now, as a patch of whole entities; nothing where it has to be read.
    #[must_use]
    pub fn changes(&self, since: f64) -> Option<String> {
        self.store.changes_since(super::ms(Some(since))?).map(|patch| to_text(&patch))
    }

    /// One more with every change.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn revision(&self) -> f64 {
        self.store.revision() as f64
    }

    /// SHA-256 of the canonical document.
    #[must_use]
    pub fn digest(&self) -> String {
        self.store.digest()
    }

    /// The document's part of a system prompt, `summary` or `excerpt`, in so many bytes.
    pub fn prompt(&self, part: &str, max_bytes: Option<f64>) -> Result<String, JsValue> {
        let most =
            max_bytes.map_or(Some(PROMPT_BYTES), |most| usize::try_from(whole(most)?).ok().filter(|most| *most >= LEAST_PROMPT_BYTES));
        let Some(most) = most else {
            let problem = Fault::at("invalid_options", "maxBytes", "the part of a prompt has more room than this");
            return Err(thrown(problem.expecting(format!("a whole number from {LEAST_PROMPT_BYTES}"))));
        };
        let make = match part {
            "summary" => summary,
            "excerpt" => excerpt,
            other => {
                let problem = Fault::at("invalid_options", "part", format!("no part is named `{}`", echo(other)));
                return Err(thrown(problem.expecting("`summary` or `excerpt`")));
            }
        };
        let mut text = String::new();
        self.store.lend(&mut |sight| self.view.lend(&mut |view| text = make(view, sight, most)));
        Ok(text)
    }

    /// The person's own edit.
    pub fn edit(&self, next: &str, label: &str) -> Result<String, JsValue> {
        let change = Change::decode(&parse(next, "next")?).map_err(|fault| thrown(fault.under("patch")))?;
        Ok(to_text(&self.store.edit(&change, label)))
    }

    /// Takes the last step back.
    #[must_use]
    pub fn undo(&self) -> String {
        to_text(&self.store.undo())
    }

    /// Makes it again.
    #[must_use]
    pub fn redo(&self) -> String {
        to_text(&self.store.redo())
    }

    /// The turn that made the newest of them, where a turn made it.
    #[wasm_bindgen(js_name = lastTurn)]
    #[must_use]
    pub fn last_turn(&self) -> Option<String> {
        self.store.last_turn()
    }

    /// The steps that can be undone.
    #[must_use]
    pub fn history(&self) -> String {
        to_text(&self.store.history())
    }
}

type Defined = (Rc<dyn Definition>, Arc<dyn Lend>);

fn definition_of(value: &Json, rules: Option<Rules>) -> Result<Defined, Fault> {
    if let Json::String(name) = value {
        return shipped(name);
    }
    let definition = DocumentDefinition::decode(value)?;
    let view = DefinedView::of(&definition)?;
    let definition = match rules {
        Some(rules) => definition.with_rules(Box::new(move |document| call_rules(&rules, document))),
        None => definition,
    };
    Ok((Rc::new(definition), Arc::new(view)))
}

fn shipped(name: &str) -> Result<Defined, Fault> {
    #[cfg(feature = "threat-model")]
    if name == crate::threat_model::KIND {
        return Ok((crate::threat_model::definition(), Arc::new(crate::threat_model::VIEW)));
    }
    Err(unknown(name))
}

/// What is said of a name no shipped definition has.
pub(super) fn unknown(name: &str) -> Fault {
    Fault::at("unknown_definition", "definition", format!("no definition is named `{}` in this build", echo(name)))
        .expecting("a definition, or `threat-model` with `countersign/threat-model`")
}

/// Calls the host's validator; what it throws is a refusal, never a pass.
fn call_rules(rules: &Rules, document: &Json) -> Result<Vec<String>, String> {
    let answer = rules.call(&JsValue::NULL, &document.to_text());
    let text = answer.map_err(|error| reason(&error))?.as_string().ok_or_else(|| "it returned no list".to_owned())?;
    let list = Json::parse(&text)?;
    Vec::from_json(&list).map_err(|_| "it returned something else than a list of lines".to_owned())
}

fn reason(error: &JsValue) -> String {
    message_of(error).or_else(|| error.as_string()).unwrap_or_else(|| "it threw".to_owned())
}
