//! What a host says to a turn, and what tools give back. Everything a reducer can be told is a `TurnInput`.

use serde::Serialize;

use crate::from_json;

use super::act::ActRecord;
use super::call::CallErrorCode;
use super::error::Fault;
use super::event::StreamEvent;
use super::fields::Fields;
use super::ids::CallId;
use super::json::Json;
use super::patch::{JsonPatch, decode_patch};
use super::preview::{Preview, Stale};
use super::text::echo;

/// Who asks, told by the authenticated host at submit; nothing a model says can change it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct TurnContext {
    /// The host's own id for the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub request_id: Option<String>,
    /// The person.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub principal: Option<String>,
    /// The customer the person belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub tenant: Option<String>,
    /// What the person may do.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub scopes: Option<Vec<String>>,
}

from_json! {
    TurnContext {
        request_id: "requestId",
        principal: "principal",
        tenant: "tenant",
        scopes: "scopes",
    }
}

impl TurnContext {
    /// Reads a context that a host wrote: a key that is not one is a fault, since a right must not be left out unseen.
    pub fn decode(value: &Json) -> Result<TurnContext, Fault> {
        let mut fields = Fields::of(value, "invalid_input", "")?;
        let context = TurnContext {
            request_id: fields.opt_text("requestId"),
            principal: fields.opt_text("principal"),
            tenant: fields.opt_text("tenant"),
            scopes: fields.opt_texts("scopes"),
        };
        fields.finish()?;
        Ok(context)
    }
}

/// What a tool returns for the model to read: a text, or JSON that is written canonically.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ToolResult {
    /// A text, as it is.
    Text(String),
    /// A value.
    Json(Json),
}

/// What became of one run of a tool.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum ToolOutcome {
    /// It worked. A changed document comes whole or as a patch of the one the call was given; neither means unchanged.
    Ok {
        /// What the model reads.
        #[cfg_attr(feature = "wasm", tsify(type = "string | Json"))]
        result: ToolResult,
        /// The whole next document.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "Json"))]
        document: Option<Json>,
        /// The change of the document.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "JsonPatch"))]
        patch: Option<JsonPatch>,
    },
    /// It did not; nothing is committed.
    Error {
        /// One public line, for the model and the person.
        result: String,
        /// Why; `execution_failed` where nothing is said.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "CallErrorCode"))]
        code: Option<CallErrorCode>,
        /// For the operator only, never for the model.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "string"))]
        detail: Option<String>,
    },
    /// Nobody knows (an external call that was cut off).
    Unknown {
        /// For the operator only.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "string"))]
        detail: Option<String>,
    },
}

impl ToolOutcome {
    /// Reads an outcome from plain JSON.
    pub fn decode(value: &Json) -> Result<ToolOutcome, Fault> {
        let mut fields = Fields::of(value, "invalid_input", "")?;
        let outcome = match fields.string("status")?.as_str() {
            "ok" => ToolOutcome::Ok {
                result: match fields.value("result") {
                    Json::String(text) => ToolResult::Text(text.to_string()),
                    value => ToolResult::Json(value),
                },
                document: fields.opt_json("document").cloned(),
                patch: fields.opt_json("patch").map(|patch| decode_patch(patch).map_err(|fault| fault.under("patch"))).transpose()?,
            },
            "error" => ToolOutcome::Error { result: fields.text("result"), code: fields.read("code")?, detail: fields.opt_text("detail") },
            "unknown" => ToolOutcome::Unknown { detail: fields.opt_text("detail") },
            other => {
                return Err(Fault::at("invalid_input", "status", format!("unknown status `{}`", echo(other)))
                    .expecting("`ok`, `error` or `unknown`"));
            }
        };
        fields.finish()?;
        if let ToolOutcome::Ok { document: Some(_), patch: Some(_), .. } = &outcome {
            return Err(Fault::new("invalid_input", "an outcome holds a `document` or a `patch`, not both"));
        }
        Ok(outcome)
    }
}

/// What the loop alone can say of a call that waits: it holds the document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Told {
    /// What the call would do; nothing where it cannot be worked out yet.
    pub preview: Option<Preview>,
    /// Why the card shows another effect than before.
    pub stale: Option<Stale>,
    /// What the call's words for its target came to, where that is for the person to choose.
    pub act: Option<ActRecord>,
}

/// What a host, a person or the loop itself tells a turn. Time never moves backwards: an older `nowMs` counts as the latest.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum TurnCommand {
    /// A new message of the person.
    Submit {
        /// What the person wrote.
        text: String,
        /// Now, epoch milliseconds.
        #[cfg_attr(feature = "wasm", tsify(type = "number"))]
        now_ms: u64,
        /// Who asks.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "TurnContext"))]
        context: Option<TurnContext>,
    },
    /// The person approves one call.
    ApproveCall {
        /// The call.
        call_id: CallId,
        /// Another input for the same tool, in place of the model's.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "Json"))]
        edited_input: Option<Json>,
        /// The card that was on screen: its effect digest, or input digest, `@` and revision.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "string"))]
        seen: Option<String>,
        /// What the edited input would do (told by the loop alone).
        #[serde(skip)]
        #[cfg_attr(feature = "wasm", tsify(optional))]
        preview: Option<Box<Preview>>,
        /// Now, epoch milliseconds.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "number"))]
        now_ms: Option<u64>,
        /// The revision of the last change of the document that this turn did not make.
        #[cfg_attr(feature = "wasm", tsify(optional, type = "number"))]
        document_revision: u64,
    },
    /// The person approves exactly these calls.
    ApproveBatch {
        /// The calls, as they stood on screen at the click.
        call_ids: Vec<CallId>,
        /// Their cards, in the same order.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "string[]"))]
        seen: Option<Vec<String>>,
        /// Now, epoch milliseconds.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "number"))]
        now_ms: Option<u64>,
        /// The revision of the last change of the document that this turn did not make.
        #[cfg_attr(feature = "wasm", tsify(optional, type = "number"))]
        document_revision: u64,
    },
    /// The person declines one call.
    DenyCall {
        /// The call.
        call_id: CallId,
        /// The person's own words, for the model.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "string"))]
        reason: Option<String>,
        /// Now, epoch milliseconds.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "number"))]
        now_ms: Option<u64>,
    },
    /// The document was changed by something else than this turn.
    DocumentEdited {
        /// Its revision now.
        #[cfg_attr(feature = "wasm", tsify(type = "number"))]
        document_revision: u64,
    },
    /// The host changed or took away these tools: what was approved for them is shown again.
    ToolsChanged {
        /// Their names.
        tool_names: Vec<String>,
    },
    /// The person says which of several things a call means.
    SelectTarget {
        /// The call.
        call_id: CallId,
        /// The id of one of the candidates of its card.
        target_id: String,
        /// Now, epoch milliseconds.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "number"))]
        now_ms: Option<u64>,
    },
    /// What a call that is not started would do. Where the effect is another than was approved, it is shown again.
    Previewed {
        /// The call.
        call_id: CallId,
        /// What a run on a draft came to.
        outcome: ToolOutcome,
        /// The preview as the loop worked it out, in place of the outcome's, with why the card is another now and what the
        /// call's words for its target came to (told by the loop alone).
        #[serde(skip)]
        #[cfg_attr(feature = "wasm", tsify(optional))]
        told: Option<Box<Told>>,
        /// Now, epoch milliseconds.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "number"))]
        now_ms: Option<u64>,
    },
    /// Asks to run an approved call.
    StartCall {
        /// The call.
        call_id: CallId,
        /// Now, epoch milliseconds.
        #[cfg_attr(feature = "wasm", tsify(type = "number"))]
        now_ms: u64,
        /// The revision of the last change of the document that this turn did not make.
        #[cfg_attr(feature = "wasm", tsify(optional, type = "number"))]
        document_revision: u64,
    },
    /// A running call gave its outcome.
    CallSettled {
        /// The call.
        call_id: CallId,
        /// What became of it.
        outcome: ToolOutcome,
        /// The step of the history that holds what it changed (told by the loop).
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "number"))]
        history_step: Option<u64>,
        /// Now, epoch milliseconds.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "number"))]
        now_ms: Option<u64>,
    },
    /// A running call tells how far it is.
    CallProgress {
        /// The call.
        call_id: CallId,
        /// Plain text, at most 200 code points are kept.
        label: String,
        /// 0 to 1, never falling.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "number"))]
        fraction: Option<f64>,
    },
    /// All calls of the message are done: go on.
    Advance {
        /// Now, epoch milliseconds.
        #[cfg_attr(feature = "wasm", tsify(type = "number"))]
        now_ms: u64,
    },
    /// Ask the provider again; legal only while nothing of the answer arrived.
    Retry {
        /// Now, epoch milliseconds.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "number"))]
        now_ms: Option<u64>,
    },
    /// A turn that was laid down is taken up again: the time in between was nobody's.
    Resume {
        /// Now, epoch milliseconds.
        now_ms: u64,
    },
    /// Time passed.
    Tick {
        /// Now, epoch milliseconds.
        #[cfg_attr(feature = "wasm", tsify(type = "number"))]
        now_ms: u64,
    },
    /// Stop.
    Cancel {
        /// Now, epoch milliseconds.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "number"))]
        now_ms: Option<u64>,
    },
    /// What the turn changed was taken back.
    UndoTurn {
        /// Only these steps of the history (told by the loop where the person undoes one of several).
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "number[]"))]
        steps: Option<Vec<u64>>,
    },
    /// What was taken back was brought back (told by the loop when the person redoes a step of the turn).
    RedoTurn {
        /// Only these steps of the history.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "number[]"))]
        steps: Option<Vec<u64>>,
    },
}

impl TurnCommand {
    /// The command's name in the public contract.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            TurnCommand::Submit { .. } => "submit",
            TurnCommand::ApproveCall { .. } => "approveCall",
            TurnCommand::ApproveBatch { .. } => "approveBatch",
            TurnCommand::DenyCall { .. } => "denyCall",
            TurnCommand::DocumentEdited { .. } => "documentEdited",
            TurnCommand::ToolsChanged { .. } => "toolsChanged",
            TurnCommand::SelectTarget { .. } => "selectTarget",
            TurnCommand::Previewed { .. } => "previewed",
            TurnCommand::StartCall { .. } => "startCall",
            TurnCommand::CallSettled { .. } => "callSettled",
            TurnCommand::CallProgress { .. } => "callProgress",
            TurnCommand::Advance { .. } => "advance",
            TurnCommand::Retry { .. } => "retry",
            TurnCommand::Resume { .. } => "resume",
            TurnCommand::Tick { .. } => "tick",
            TurnCommand::Cancel { .. } => "cancel",
            TurnCommand::UndoTurn { .. } => "undoTurn",
            TurnCommand::RedoTurn { .. } => "redoTurn",
        }
    }
}

impl TurnCommand {
    /// The time the command tells, epoch milliseconds.
    #[must_use]
    pub fn now_ms(&self) -> Option<u64> {
        match self {
            TurnCommand::Submit { now_ms, .. }
            | TurnCommand::StartCall { now_ms, .. }
            | TurnCommand::Advance { now_ms }
            | TurnCommand::Resume { now_ms }
            | TurnCommand::Tick { now_ms } => Some(*now_ms),
            TurnCommand::ApproveCall { now_ms, .. }
            | TurnCommand::ApproveBatch { now_ms, .. }
            | TurnCommand::DenyCall { now_ms, .. }
            | TurnCommand::SelectTarget { now_ms, .. }
            | TurnCommand::Previewed { now_ms, .. }
            | TurnCommand::CallSettled { now_ms, .. }
            | TurnCommand::Retry { now_ms }
            | TurnCommand::Cancel { now_ms } => *now_ms,
            TurnCommand::DocumentEdited { .. }
            | TurnCommand::ToolsChanged { .. }
            | TurnCommand::CallProgress { .. }
            | TurnCommand::UndoTurn { .. }
            | TurnCommand::RedoTurn { .. } => None,
        }
    }
}

/// Everything a turn can be told.
#[derive(Clone, Debug, PartialEq)]
pub enum TurnInput {
    /// By the provider. The time is the host's.
    Event {
        /// What it said.
        event: StreamEvent,
        /// Now, epoch milliseconds, where the host told it.
        now_ms: Option<u64>,
    },
    /// By the host.
    Command(TurnCommand),
}

impl From<StreamEvent> for TurnInput {
    fn from(event: StreamEvent) -> TurnInput {
        TurnInput::Event { event, now_ms: None }
    }
}

impl From<TurnCommand> for TurnInput {
    fn from(command: TurnCommand) -> TurnInput {
        TurnInput::Command(command)
    }
}

impl TurnInput {
    /// Reads an input from plain JSON: an object whose `type` names a stream event or a command.
    pub fn decode(value: &Json) -> Result<TurnInput, Fault> {
        let mut fields = Fields::of(value, "invalid_input", "")?;
        let name = fields.string("type")?;
        let now_ms = fields.opt_ms("nowMs")?;
        let input = match decode_event(&name, &mut fields)? {
            Some(event) => TurnInput::Event { event, now_ms },
            None => TurnInput::Command(decode_command(&name, now_ms, &mut fields)?),
        };
        fields.finish()?;
        Ok(input)
    }
}

fn decode_event(name: &str, fields: &mut Fields<'_>) -> Result<Option<StreamEvent>, Fault> {
    Ok(Some(match name {
        "message_start" => StreamEvent::MessageStart { model: fields.text("model") },
        "text_delta" => StreamEvent::TextDelta { text: fields.text("text") },
        "reasoning_delta" => StreamEvent::ReasoningDelta { text: fields.text("text") },
        "tool_call_start" => StreamEvent::ToolCallStart { id: fields.text("id"), name: fields.text("name") },
        "tool_call_input_delta" => StreamEvent::ToolCallInputDelta { id: fields.text("id"), partial_json: fields.text("partialJson") },
        "tool_call_complete" => StreamEvent::ToolCallComplete {
            id: fields.text("id"),
            name: fields.text("name"),
            input: fields.value("input"),
            invalid: fields.opt_text("invalid"),
            provider_id: fields.opt_text("providerId"),
        },
        "provider_state" => StreamEvent::ProviderState {
            provider: fields.read("provider")?,
            value: fields.value("value"),
            call_id: fields.opt_text("callId"),
        },
        "usage" => StreamEvent::Usage { usage: fields.read("usage")? },
        "message_stop" => StreamEvent::MessageStop { stop_reason: fields.read("stopReason")? },
        "error" => StreamEvent::Error { error: fields.read("error")? },
        "aborted" => StreamEvent::Aborted,
        _ => return Ok(None),
    }))
}

fn decode_command(name: &str, now_ms: Option<u64>, fields: &mut Fields<'_>) -> Result<TurnCommand, Fault> {
    let revision = |fields: &mut Fields<'_>| fields.opt_whole("documentRevision").unwrap_or(0);
    let call_id = |fields: &mut Fields<'_>| CallId::from(fields.text("callId"));
    let clock = |fields: &mut Fields<'_>| {
        let now_ms = now_ms.ok_or_else(|| fields.fault("nowMs", "`nowMs` is missing"));
        fields.later(now_ms)
    };
    Ok(match name {
        "submit" => TurnCommand::Submit { text: fields.text("text"), now_ms: clock(fields), context: read_context(fields)? },
        "approveCall" => TurnCommand::ApproveCall {
            call_id: call_id(fields),
            edited_input: fields.opt_json("editedInput").cloned(),
            seen: fields.opt_text("seen"),
            preview: None,
            now_ms,
            document_revision: revision(fields),
        },
        "approveBatch" => TurnCommand::ApproveBatch {
            call_ids: fields.texts("callIds").into_iter().map(CallId::from).collect(),
            seen: fields.opt_texts("seen"),
            now_ms,
            document_revision: revision(fields),
        },
        "denyCall" => TurnCommand::DenyCall { call_id: call_id(fields), reason: fields.opt_text("reason"), now_ms },
        "documentEdited" => TurnCommand::DocumentEdited { document_revision: revision(fields) },
        "toolsChanged" => TurnCommand::ToolsChanged { tool_names: fields.texts("toolNames") },
        "selectTarget" => TurnCommand::SelectTarget { call_id: call_id(fields), target_id: fields.text("targetId"), now_ms },
        "previewed" => TurnCommand::Previewed {
            call_id: call_id(fields),
            outcome: ToolOutcome::decode(&fields.json("outcome")?).map_err(|fault| fault.under("outcome"))?,
            told: None,
            now_ms,
        },
        "startCall" => TurnCommand::StartCall { call_id: call_id(fields), now_ms: clock(fields), document_revision: revision(fields) },
        "callSettled" => TurnCommand::CallSettled {
            call_id: call_id(fields),
            outcome: ToolOutcome::decode(&fields.json("outcome")?).map_err(|fault| fault.under("outcome"))?,
            history_step: fields.read("historyStep")?,
            now_ms,
        },
        "callProgress" => {
            TurnCommand::CallProgress { call_id: call_id(fields), label: fields.text("label"), fraction: fields.opt_number("fraction")? }
        }
        "advance" => TurnCommand::Advance { now_ms: clock(fields) },
        "retry" => TurnCommand::Retry { now_ms },
        "resume" => TurnCommand::Resume { now_ms: clock(fields) },
        "tick" => TurnCommand::Tick { now_ms: clock(fields) },
        "cancel" => TurnCommand::Cancel { now_ms },
        "undoTurn" => TurnCommand::UndoTurn { steps: fields.read("steps")? },
        "redoTurn" => TurnCommand::RedoTurn { steps: fields.read("steps")? },
        other => {
            return Err(fields
                .fault("type", format!("unknown input `{}`", echo(other)))
                .expecting("the name of a stream event or a command"));
        }
    })
}

/// The trusted context, where the host gives one.
pub fn read_context(fields: &mut Fields<'_>) -> Result<Option<TurnContext>, Fault> {
    let context = fields.opt_json("context").map(TurnContext::decode).transpose();
    context.map_err(|fault| fault.under("context"))
}
