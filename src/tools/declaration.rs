//! A tool as its host declares it. `effect` and `destructive` are the only inputs to automatic approval,
//! and they come from here alone: never from a model, never from a server's hints.

use serde::Serialize;

use crate::protocol::call::ToolEffect;
use crate::protocol::effect::RunsOn;
use crate::protocol::error::Fault;
use crate::protocol::fields::Fields;
use crate::protocol::json::Json;
use crate::protocol::text::echo;
use crate::protocol::words::Word;

use super::target::ToolTarget;

/// How long a tool may take where nothing is said, in milliseconds.
const TIMEOUT_MS: u64 = 30_000;
/// The code of every fault in a declaration.
const CODE: &str = "invalid_tool";

/// One declared tool. JSON keys are the camelCase of the field names.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify), serde(rename_all = "camelCase"))]
pub struct ToolDeclaration {
    /// 1 to 64 of `A-Z a-z 0-9 _ -`, matched exactly.
    pub name: String,
    /// For the model.
    pub description: String,
    /// JSON Schema 2020-12 of an object.
    #[cfg_attr(feature = "wasm", tsify(type = "JsonSchema"))]
    pub input_schema: Json,
    /// JSON Schema of the result.
    #[cfg_attr(feature = "wasm", tsify(optional, type = "JsonSchema"))]
    pub output_schema: Option<Json>,
    /// Whether it may change something; `mutate` where nothing is said.
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub effect: ToolEffect,
    /// Whether it destroys something: such a call is always approved alone.
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub destructive: bool,
    /// The card's line, a template over the input: `Connect {from} to {to}`.
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string"))]
    pub summary: Option<String>,
    /// `true` on a read tool makes it ask; `false` on a tool that changes something is refused.
    #[cfg_attr(feature = "wasm", tsify(optional, type = "boolean"))]
    pub needs_approval: Option<bool>,
    /// Who runs it; `client` where nothing is said.
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub runs_on: RunsOn,
    /// Whether it can be run on a draft: its card then shows what it would change, and exactly that is approved. For tools of the
    /// host's page that change something and do not reach outside the document.
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub preview: bool,
    /// Whether it reaches outside the document: undo cannot take that back.
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub external: bool,
    /// Whether running it twice is the same as once.
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub idempotent: bool,
    /// Whether it may run beside others.
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub parallel_safe: bool,
    /// Whether its success ends the turn.
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub terminal: bool,
    /// How long one run may take, in milliseconds; 30 000 where nothing is said.
    #[cfg_attr(feature = "wasm", tsify(optional, type = "number"))]
    pub timeout_ms: u64,
    /// The largest input, in bytes of its canonical JSON.
    #[cfg_attr(feature = "wasm", tsify(optional, type = "number"))]
    pub max_input_bytes: Option<u64>,
    /// The largest result, in bytes; never more than the turn's own limit.
    #[cfg_attr(feature = "wasm", tsify(optional, type = "number"))]
    pub max_output_bytes: Option<u64>,
    /// How often one turn may call it.
    #[cfg_attr(feature = "wasm", tsify(optional, type = "number"))]
    pub max_calls_per_turn: Option<u64>,
    /// Where the input names the entity it acts on, so that the person can choose where the model gave a title in place of an id.
    #[cfg_attr(feature = "wasm", tsify(optional, type = "ToolTarget"))]
    pub target: Option<ToolTarget>,
    /// Scopes the trusted context must hold.
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub requires: Vec<String>,
    /// The definition of the documents a core tool is for, where it was made from one: that tool is for no other.
    #[cfg_attr(feature = "wasm", tsify(optional, type = "DocumentDefinition"))]
    pub definition: Option<Json>,
}

impl ToolDeclaration {
    /// A declaration with every default: a client tool that changes something.
    pub fn new(name: impl Into<String>, description: impl Into<String>, input_schema: Json) -> ToolDeclaration {
        ToolDeclaration {
            name: name.into(),
            description: description.into(),
            input_schema,
            output_schema: None,
            effect: ToolEffect::Mutate,
            destructive: false,
            summary: None,
            needs_approval: None,
            runs_on: RunsOn::Client,
            preview: false,
            external: false,
            idempotent: false,
            parallel_safe: false,
            terminal: false,
            timeout_ms: TIMEOUT_MS,
            max_input_bytes: None,
            max_output_bytes: None,
            max_calls_per_turn: None,
            target: None,
            requires: Vec::new(),
            definition: None,
        }
    }

    /// Reads a declaration from plain JSON; the fault names the member. Contradictions are the registry's to find.
    pub fn decode(value: &Json) -> Result<ToolDeclaration, Fault> {
        let mut fields = Fields::of(value, CODE, "")?;
        let mut tool = ToolDeclaration::new(fields.text("name"), fields.text("description"), fields.value("inputSchema"));
        tool.output_schema = fields.opt_json("outputSchema").cloned();
        tool.effect = match fields.opt_string("effect")?.as_deref() {
            None | Some("mutate") => ToolEffect::Mutate,
            Some("read") => ToolEffect::Read,
            Some(other) => return Err(fields.fault("effect", format!("unknown effect `{}`", echo(other))).expecting("`read` or `mutate`")),
        };
        tool.destructive = fields.opt_flag("destructive").unwrap_or(false);
        tool.summary = fields.opt_text("summary");
        tool.needs_approval = fields.opt_flag("needsApproval");
        tool.runs_on = match fields.opt_string("runsOn")?.as_deref() {
            None | Some("client") => RunsOn::Client,
            Some("core") => RunsOn::Core,
            Some("server") => RunsOn::Server,
            Some(other) => {
                return Err(fields.fault("runsOn", format!("unknown place `{}`", echo(other))).expecting("`core`, `client` or `server`"));
            }
        };
        tool.preview = fields.opt_flag("preview").unwrap_or(false);
        tool.external = fields.opt_flag("external").unwrap_or(false);
        tool.idempotent = fields.opt_flag("idempotent").unwrap_or(false);
        tool.parallel_safe = fields.opt_flag("parallelSafe").unwrap_or(false);
        tool.terminal = fields.opt_flag("terminal").unwrap_or(false);
        for (key, slot) in [
            ("maxInputBytes", &mut tool.max_input_bytes),
            ("maxOutputBytes", &mut tool.max_output_bytes),
            ("maxCallsPerTurn", &mut tool.max_calls_per_turn),
        ] {
            *slot = positive(&mut fields, key)?;
        }
        tool.timeout_ms = positive(&mut fields, "timeoutMs")?.unwrap_or(TIMEOUT_MS);
        tool.target = fields.opt_json("target").map(ToolTarget::decode).transpose()?;
        tool.requires = fields.opt_texts("requires").unwrap_or_default();
        tool.definition = fields.opt_json("definition").cloned();
        fields.finish()?;
        Ok(tool)
    }

    /// Whether a call of it may start without asking anybody: the static read-only policy.
    #[must_use]
    pub fn runs_unasked(&self) -> bool {
        self.effect == ToolEffect::Read && !self.destructive && self.needs_approval != Some(true)
    }

    /// Whether what a call of it would do is worked out before it is approved.
    #[must_use]
    pub fn shows_effect(&self) -> bool {
        self.effect == ToolEffect::Mutate && (self.preview || self.runs_on == RunsOn::Core)
    }

    /// The declaration as plain JSON; what was left out stays out.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let mut object = crate::protocol::json::Object::new();
        object.insert("name", self.name.as_str());
        object.insert("description", self.description.as_str());
        object.insert("inputSchema", self.input_schema.clone());
        if let Some(schema) = &self.output_schema {
            object.insert("outputSchema", schema.clone());
        }
        object.insert("effect", self.effect.word());
        if let Some(summary) = &self.summary {
            object.insert("summary", summary.as_str());
        }
        if let Some(asks) = self.needs_approval {
            object.insert("needsApproval", asks);
        }
        object.insert("runsOn", self.runs_on.word());
        for (key, set) in [
            ("destructive", self.destructive),
            ("preview", self.preview),
            ("external", self.external),
            ("idempotent", self.idempotent),
            ("parallelSafe", self.parallel_safe),
            ("terminal", self.terminal),
        ] {
            if set {
                object.insert(key, true);
            }
        }
        object.insert("timeoutMs", self.timeout_ms as f64);
        for (key, value) in [
            ("maxInputBytes", self.max_input_bytes),
            ("maxOutputBytes", self.max_output_bytes),
            ("maxCallsPerTurn", self.max_calls_per_turn),
        ] {
            if let Some(value) = value {
                object.insert(key, value as f64);
            }
        }
        if let Some(target) = &self.target {
            object.insert("target", target.to_json());
        }
        if !self.requires.is_empty() {
            let mut scopes = Vec::new();
            for scope in &self.requires {
                scopes.push(Json::from(scope.as_str()));
            }
            object.insert("requires", scopes);
        }
        if let Some(definition) = &self.definition {
            object.insert("definition", definition.clone());
        }
        Json::from(object)
    }
}

fn positive(fields: &mut Fields<'_>, key: &'static str) -> Result<Option<u64>, Fault> {
    match fields.opt_integer(key)? {
        Some(0) => Err(fields.fault(key, "`0` would allow nothing").expecting("a whole number from 1")),
        other => Ok(other),
    }
}

/// A tool as a model is told of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct AdvertisedTool {
    /// The exact name.
    pub name: String,
    /// For the model.
    pub description: String,
    /// What the input must be.
    #[cfg_attr(feature = "wasm", tsify(type = "JsonSchema"))]
    pub input_schema: Json,
    /// Whether it may change something.
    pub effect: ToolEffect,
    /// Whether it destroys something.
    pub destructive: bool,
}
