//! Functions without a state of their own, and the registry they share.

use std::sync::Arc;

use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::documents::unknown;
use super::{ms, parse, parse_options, thrown, to_text};
use crate::document::definition::DocumentDefinition;
use crate::history::budget::{InputWindow, budget_messages};
use crate::history::pairing::pairing_violations;
use crate::history::repair::repair_history;
use crate::protocol::command::TurnInput;
use crate::protocol::error::Fault;
use crate::protocol::event::{ProviderFormat, StreamEvent};
use crate::protocol::fields::Fields;
use crate::protocol::from_json::FromJson;
use crate::protocol::ids::CallId;
use crate::protocol::json::Json;
use crate::protocol::message::Message;
use crate::protocol::words::Word;
use crate::providers::{Decoder as CoreDecoder, RequestSpec, StreamLimits};
use crate::reading::{DefinedView, Lend};
use crate::tools::canonical;
use crate::tools::core_tool::CoreTool;
use crate::tools::declaration::ToolDeclaration;
use crate::tools::registry::{PrepareError, ToolRegistry};
use crate::turn::{IdleOptions, TurnBudget, TurnLimits, TurnState, authorize_start, budget_exhaustion, idle_turn, reduce_turn};

/// The tools this engine ships.
fn core_tools() -> Vec<Arc<dyn CoreTool>> {
    #[cfg_attr(not(feature = "threat-model"), expect(unused_mut, reason = "without the threat model there are no others"))]
    let mut tools = crate::entities::any_entity_tools();
    #[cfg(feature = "threat-model")]
    {
        tools.extend(crate::threat_model::read_tools());
        tools.extend(crate::threat_model::graph_action_tools());
    }
    tools
}

/// The declarations of the four entity tools for documents of a definition.
#[wasm_bindgen(js_name = entityTools)]
pub fn entity_tools(definition: &str) -> Result<String, JsValue> {
    let definition = DocumentDefinition::decode(&parse(definition, "definition")?).map_err(|fault| thrown(fault.under("definition")))?;
    Ok(declared(&crate::entities::entity_tools(&definition)))
}

/// The declarations of the tools that read a document; `definition` is JSON: the name of a shipped definition, or a definition.
#[wasm_bindgen(js_name = readTools)]
pub fn read_tools(definition: &str) -> Result<String, JsValue> {
    Ok(declared(&match parse(definition, "definition")? {
        #[cfg(feature = "threat-model")]
        Json::String(name) if &*name == crate::threat_model::KIND => crate::threat_model::read_tools(),
        Json::String(name) => return Err(thrown(unknown(&name))),
        definition => defined_tools(&definition).map_err(thrown)?,
    }))
}

/// The core tools that are made from a definition.
fn defined_tools(definition: &Json) -> Result<Vec<Arc<dyn CoreTool>>, Fault> {
    let view: Arc<dyn Lend> = Arc::new(DefinedView::of(&DocumentDefinition::decode(definition)?)?);
    Ok(crate::reading::read_tools(&view))
}

/// What the core can run of these declarations: the shipped tools, and those of every definition that is carried along.
fn runnable(declarations: &[ToolDeclaration]) -> Result<Vec<Arc<dyn CoreTool>>, Fault> {
    let mut tools = core_tools();
    let mut known: Vec<&Json> = Vec::new();
    for (at, declaration) in declarations.iter().enumerate() {
        if let Some(definition) = &declaration.definition
            && !known.contains(&definition)
        {
            known.push(definition);
            tools.extend(defined_tools(definition).map_err(|fault| fault.under(&format!("tools[{at}].definition")))?);
        }
    }
    Ok(tools)
}

/// The declarations of the twelve graph actions.
#[cfg(feature = "threat-model")]
#[wasm_bindgen(js_name = graphActionTools)]
#[must_use]
pub fn graph_action_tools() -> String {
    declared(&crate::threat_model::graph_action_tools())
}

fn declared(tools: &[Arc<dyn CoreTool>]) -> String {
    let declared: Vec<Json> = tools.iter().map(|tool| tool.declaration().to_json()).collect();
    to_text(&declared)
}

/// Every component of the catalog, as its tool shows them.
#[cfg(feature = "threat-model")]
#[wasm_bindgen(js_name = componentCatalog)]
#[must_use]
pub fn component_catalog() -> String {
    to_text(&crate::threat_model::component_catalog())
}

/// What a model must be told of a threat model and its tools.
#[cfg(feature = "threat-model")]
#[wasm_bindgen(js_name = threatModelPrompt)]
#[must_use]
pub fn threat_model_prompt() -> String {
    crate::threat_model::PROMPT.to_owned()
}

/// What a model must be told of any document and its tools: a list of paragraphs.
#[wasm_bindgen(js_name = documentRules)]
#[must_use]
pub fn document_rules() -> String {
    to_text(&crate::reading::RULES)
}

/// An empty threat model.
#[cfg(feature = "threat-model")]
#[wasm_bindgen(js_name = newThreatModel)]
#[must_use]
pub fn new_threat_model(title: &str, author: &str, today: &str) -> String {
    to_text(&crate::threat_model::new_document(title, author, today))
}

/// RFC 8785.
#[wasm_bindgen(js_name = canonicalJson)]
pub fn canonical_json(value: &str) -> Result<String, JsValue> {
    Ok(canonical::canonical_json(&parse(value, "value")?))
}

/// SHA-256 of the canonical `{input, tool}`.
#[wasm_bindgen(js_name = inputDigest)]
pub fn input_digest(tool: &str, input: &str) -> Result<String, JsValue> {
    Ok(canonical::input_digest(tool, &parse(input, "input")?))
}

/// The limits of a turn.
#[wasm_bindgen(js_name = resolveLimits)]
pub fn resolve_limits(overrides: Option<String>) -> Result<String, JsValue> {
    Ok(to_text(&TurnLimits::resolve(&parse_options(overrides, "limits")?).map_err(thrown)?))
}

/// The first exhausted bound.
#[wasm_bindgen(js_name = budgetExhaustion)]
pub fn exhausted_bound(budget: &str, limits: &str, now_ms: f64) -> Result<Option<String>, JsValue> {
    let budget = TurnBudget::from_json(&parse(budget, "budget")?).map_err(|fault| thrown(fault.under("budget")))?;
    let limits = TurnLimits::from_json(&parse(limits, "limits")?).map_err(|fault| thrown(fault.under("limits")))?;
    let Some(now_ms) = ms(Some(now_ms)) else {
        return Err(thrown(Fault::at("invalid_input", "nowMs", "expected a time in milliseconds")));
    };
    Ok(budget_exhaustion(&budget, &limits, now_ms).map(|bound| bound.word().to_owned()))
}

fn messages(text: &str) -> Result<Vec<Message>, JsValue> {
    Message::decode_list(&parse(text, "messages")?).map_err(|fault| thrown(fault.under("messages")))
}

/// What is wrong with the pairing of a history.
#[wasm_bindgen(js_name = pairingViolations)]
pub fn history_violations(history: &str) -> Result<String, JsValue> {
    Ok(to_text(&pairing_violations(&messages(history)?)))
}

/// A history in which every call is answered once.
#[wasm_bindgen(js_name = repairHistory)]
pub fn repaired_history(history: &str) -> Result<String, JsValue> {
    Ok(to_text(&repair_history(&messages(history)?)))
}

/// The newest part of a history that fits a window.
#[wasm_bindgen(js_name = budgetMessages)]
pub fn budgeted_messages(history: &str, window: &str) -> Result<String, JsValue> {
    let window = InputWindow::decode(&parse(window, "window")?).map_err(thrown)?;
    Ok(match budget_messages(&messages(history)?, window) {
        Ok(fits) => {
            #[derive(Serialize)]
            struct Fits<'a> {
                ok: bool,
                messages: &'a [Message],
                dropped: u64,
            }
            to_text(&Fits { ok: true, messages: &fits.messages, dropped: u64::try_from(fits.dropped).unwrap_or(u64::MAX) })
        }
        Err(error) => {
            #[derive(Serialize)]
            struct Overflows {
                ok: bool,
                error: crate::protocol::error::ProtocolError,
            }
            to_text(&Overflows { ok: false, error })
        }
    })
}

/// Path and body as the wrapper reads them.
fn built(built: &crate::providers::BuiltRequest) -> String {
    #[derive(Serialize)]
    struct Built<'a> {
        path: &'a str,
        body: &'a Json,
    }
    to_text(&Built { path: &built.path, body: &built.body })
}

/// Finds a format by its public name.
pub(super) fn format_of(name: &str) -> Result<ProviderFormat, JsValue> {
    ProviderFormat::parse(name).map_err(|fault| thrown(fault.under("format")))
}

/// One request in a provider's format. A tool whose name the provider does not take has another one in the body, at the
/// same place among the declarations; the loop maps it back, `StreamDecoder` does not.
#[wasm_bindgen(js_name = buildRequest)]
pub fn build_request(format: &str, request: &str) -> Result<String, JsValue> {
    let spec = RequestSpec::decode(&parse(request, "request")?).map_err(thrown)?;
    let request = crate::providers::build_request(format_of(format)?, &spec).map_err(thrown)?;
    Ok(built(&request))
}

/// The registered tools.
#[wasm_bindgen]
pub struct Registry {
    pub(super) tools: ToolRegistry,
}

#[wasm_bindgen]
impl Registry {
    /// Registers the declarations; every fault names its tool.
    #[wasm_bindgen(constructor)]
    pub fn new(declarations: &str) -> Result<Registry, JsValue> {
        let declared = parse(declarations, "tools")?;
        let Some(items) = declared.as_array() else {
            return Err(thrown(Fault::at("invalid_tool", "tools", "expected a list of tools")));
        };
        let mut declarations = Vec::with_capacity(items.len());
        for (at, item) in items.iter().enumerate() {
            declarations.push(ToolDeclaration::decode(item).map_err(|fault| thrown(fault.under(&format!("tools[{at}]"))))?);
        }
        let core = runnable(&declarations).map_err(thrown)?;
        Ok(Registry { tools: ToolRegistry::new(declarations, &core).map_err(thrown)? })
    }

    /// The tools as a model is told of them.
    #[must_use]
    pub fn list(&self) -> String {
        to_text(&self.tools.list())
    }

    /// The one way from raw input to something runnable.
    pub fn prepare(&self, name: &str, raw: &str) -> Result<String, JsValue> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Call<'a> {
            summary: &'a str,
            input: &'a Json,
            input_digest: &'a str,
        }
        #[derive(Serialize)]
        struct Prepared<'a> {
            ok: bool,
            #[serde(skip_serializing_if = "Option::is_none")]
            call: Option<Call<'a>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            issues: Option<Vec<String>>,
        }
        let prepared = self.tools.prepare(name, &parse(raw, "input")?);
        Ok(to_text(&match &prepared {
            Ok(call) => {
                let call = Call { summary: &call.summary, input: &call.input, input_digest: &call.input_digest };
                Prepared { ok: true, call: Some(call), issues: None }
            }
            Err(PrepareError::Issues(issues)) => Prepared { ok: false, call: None, issues: Some(issues.clone()) },
            Err(PrepareError::UnknownTool) => {
                let issue = format!("no tool is named `{}`", crate::protocol::text::echo(name));
                Prepared { ok: false, call: None, issues: Some(vec![issue]) }
            }
        }))
    }
}

/// A turn in which nothing was asked yet.
#[wasm_bindgen(js_name = idleTurn)]
pub fn idle(options: &str, registry: &Registry) -> Result<String, JsValue> {
    let options = decode_idle(&parse(options, "options")?).map_err(thrown)?;
    Ok(to_text(&idle_turn(options, &registry.tools)))
}

fn decode_idle(value: &Json) -> Result<IdleOptions, Fault> {
    let mut fields = Fields::of(value, "invalid_options", "")?;
    let options = IdleOptions::read(&mut fields)?;
    fields.finish()?;
    Ok(options)
}

/// The reducer.
#[wasm_bindgen(js_name = reduceTurn)]
pub fn reduced(state: &str, input: &str, registry: &Registry) -> Result<String, JsValue> {
    let state = TurnState::decode(state).map_err(thrown)?;
    let input = TurnInput::decode(&parse(input, "input")?).map_err(thrown)?;
    Ok(to_text(&reduce_turn(state, input, &registry.tools).map_err(thrown)?))
}

/// The only predicate that lets a call run.
#[wasm_bindgen(js_name = authorizeStart)]
pub fn authorized(state: &str, call_id: &str, now: &str, registry: &Registry) -> Result<String, JsValue> {
    #[derive(Serialize)]
    struct Answer {
        ok: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        violation: Option<crate::protocol::call::TurnViolation>,
    }
    let state = TurnState::decode(state).map_err(thrown)?;
    if state.tools_digest != registry.tools.digest() {
        return Err(thrown(Fault::new("tools_mismatch", "the turn was begun with other tools than this registry holds")));
    }
    let now = parse(now, "now")?;
    let mut fields = Fields::of(&now, "invalid_input", "now").map_err(thrown)?;
    let now_ms =
        fields.opt_ms("nowMs").map_err(thrown)?.ok_or_else(|| thrown(Fault::at("invalid_input", "now.nowMs", "`nowMs` is missing")))?;
    let revision = fields.opt_integer("documentRevision").map_err(thrown)?.unwrap_or(0);
    fields.finish().map_err(thrown)?;
    let violation = authorize_start(&state, &CallId::from(call_id), now_ms, revision, &registry.tools).err();
    Ok(to_text(&Answer { ok: violation.is_none(), violation }))
}

/// Reads a provider's stream.
#[wasm_bindgen]
pub struct Decoder {
    decoder: CoreDecoder,
}

#[wasm_bindgen]
impl Decoder {
    /// A decoder for one answer.
    #[wasm_bindgen(constructor)]
    pub fn new(format: &str, limits: Option<String>) -> Result<Decoder, JsValue> {
        let limits = StreamLimits::decode(&parse_options(limits, "limits")?).map_err(thrown)?;
        Ok(Decoder { decoder: CoreDecoder::new(format_of(format)?, limits).map_err(thrown)? })
    }

    /// Events of a chunk; nothing is an empty text.
    #[must_use]
    pub fn push(&mut self, chunk: &[u8]) -> String {
        let mut events: Vec<StreamEvent> = Vec::new();
        self.decoder.push(chunk, &mut events);
        written(&events)
    }

    /// The connection closed.
    #[must_use]
    pub fn end(&mut self) -> String {
        let mut events: Vec<StreamEvent> = Vec::new();
        self.decoder.end(&mut events);
        written(&events)
    }
}

fn written(events: &[StreamEvent]) -> String {
    if events.is_empty() { String::new() } else { to_text(&events) }
}
