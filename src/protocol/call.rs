//! A tool call as it is kept for the length of a turn, and the closed lists that say what became of it.

use serde::{Deserialize, Serialize};

use super::effect::RunsOn;
use super::ids::CallId;
use super::json::Json;

/// Whether a tool may change something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum ToolEffect {
    /// Reads only: runs without a card.
    Read,
    /// May change something: asks. Also what a tool is that says nothing.
    Mutate,
}

/// Where a call is in its life; it only ever moves forward, but for `approved` and `succeeded`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum CallStatus {
    /// Waits for a decision.
    Pending,
    /// May start, under a grant.
    Approved,
    /// Was started.
    Running,
    /// Ran, and what it changed is committed.
    Succeeded,
    /// Did not do what it should.
    Failed,
    /// Was taken back with its turn.
    Undone,
    /// Will not run.
    Denied,
    /// An external call that was cut off: nobody knows whether it took effect.
    Unknown,
}

impl CallStatus {
    /// Whether nothing more happens to the call by itself.
    #[must_use]
    pub fn is_final(self) -> bool {
        !matches!(self, CallStatus::Pending | CallStatus::Approved | CallStatus::Running)
    }
}

/// Why a call was denied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum DenialReason {
    /// The person said no.
    UserDeclined,
    /// The turn was stopped before it ran.
    TurnCancelled,
    /// A bound was reached.
    LimitExceeded,
    /// The trusted context lacks a scope, or the host's policy said no.
    Unauthorized,
    /// Nobody decided in time.
    ApprovalExpired,
    /// The person wrote a new message instead.
    Superseded,
    /// Another call of a read batch was malformed.
    BatchRefused,
}

/// The stable code of a call that did not succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum CallErrorCode {
    /// No tool has exactly this name.
    UnknownTool,
    /// The arguments are not what the tool's schema wants.
    InvalidArguments,
    /// The context lacks the right.
    Unauthorized,
    /// The person said no, or the turn moved on.
    Denied,
    /// Nobody decided in time.
    ApprovalExpired,
    /// The tool took too long.
    Timeout,
    /// The turn was stopped.
    Cancelled,
    /// The tool failed.
    ExecutionFailed,
    /// The tool's result is not what its output schema says.
    InvalidOutput,
    /// The tool's result is too large to keep.
    OutputTooLarge,
    /// A bound of the turn was reached.
    BudgetExhausted,
    /// A read tool tried to change the document.
    ReadToolMutated,
    /// The document changed under the call.
    DocumentChanged,
    /// The document the tool proposed is not valid.
    InvalidDocument,
    /// Nobody knows whether it took effect.
    OutcomeUnknown,
}

/// How far a running call is: for people only, never for the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct CallProgress {
    /// Plain text, at most 200 code points.
    pub label: String,
    /// 0 to 1, never falling.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub fraction: Option<f64>,
}

/// What a pending call waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Awaiting {
    /// The person's decision.
    User,
}

/// One call of a turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct CallRecord {
    /// The call's id in this conversation.
    pub id: CallId,
    /// The provider's own id, where the call was given a fresh one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub provider_id: Option<String>,
    /// The tool's name as the model wrote it.
    pub tool_name: String,
    /// The validated input; what the model sent where it was refused.
    #[cfg_attr(feature = "wasm", tsify(type = "Json"))]
    pub input: Json,
    /// SHA-256 over tool and input.
    pub input_digest: String,
    /// One line for the card; plain text.
    pub summary: String,
    /// The tool's effect.
    pub effect: ToolEffect,
    /// Whether the tool destroys something.
    pub destructive: bool,
    /// Whether the tool reaches outside the document.
    pub external: bool,
    /// The request that opened it, from 1.
    pub iteration: u32,
    /// Where it is.
    pub status: CallStatus,
    /// What the model is told, once it is known.
    pub result: Option<String>,
    /// Who wrote the result; `null` where the core did.
    pub result_from: Option<RunsOn>,
    /// Whether that is an error.
    pub is_error: bool,
    /// Why it was denied.
    pub denial_reason: Option<DenialReason>,
    /// The person's own words about the denial.
    pub denial_note: Option<String>,
    /// Why it did not succeed.
    pub error_code: Option<CallErrorCode>,
    /// Whether the person changed the input before approving.
    pub edited: bool,
    /// How far it is.
    pub progress: Option<CallProgress>,
    /// When the card expires, epoch milliseconds.
    pub expires_at_ms: Option<u64>,
    /// What a pending call waits for.
    pub awaiting: Option<Awaiting>,
    /// When it was started, epoch milliseconds.
    pub started_at_ms: Option<u64>,
    /// Whether its success changed the document.
    pub committed: bool,
}

/// How an approval was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum GrantScope {
    /// For one call.
    Call,
    /// For one of an explicit list.
    Batch,
    /// By the static read-only policy.
    Auto,
}

/// Leave to run one call once. `binding` is a SHA-256 over every other member and the trusted context.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct ApprovalGrant {
    /// The call.
    pub call_id: CallId,
    /// The tool.
    pub tool_name: String,
    /// The input.
    pub input_digest: String,
    /// The effect that was on the card, where one was computed.
    pub effect_digest: Option<String>,
    /// The request the call belongs to.
    pub iteration: u32,
    /// How it was given.
    pub scope: GrantScope,
    /// The last change of the document that this turn did not make; 0 and unchecked for `auto`.
    pub document_revision: u64,
    /// When it lapses, epoch milliseconds.
    pub expires_at_ms: Option<u64>,
    /// Whether it was spent.
    pub consumed: bool,
    /// The seal over all of it.
    pub binding: String,
}

/// The person's no to one tool with one input; an identical request of the same turn is denied without asking.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct Denial {
    /// The call that was declined.
    pub call_id: CallId,
    /// Its tool.
    pub tool_name: String,
    /// Its input.
    pub input_digest: String,
    /// Always `user_declined`: nothing else is sticky.
    pub reason: DenialReason,
    /// The person's own words.
    pub note: Option<String>,
}

/// What a model, a tool or a host tried that the turn does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum TurnViolation {
    /// Nobody approved the call.
    NoGrant,
    /// The approval was for another tool or input.
    DigestMismatch,
    /// The approval was for another request.
    ForeignIteration,
    /// The approval was spent already.
    GrantAlreadyConsumed,
    /// No tool has this name.
    UnknownTool,
    /// The person declined exactly this.
    DeniedReplay,
    /// A bound was reached.
    LimitExceeded,
    /// A call id was used twice.
    DuplicateCallId,
    /// Something came after the end.
    PostSettlementEvent,
    /// The approval lapsed.
    GrantExpired,
    /// The context lacks the right.
    Unauthorized,
    /// The document is no longer the one on the card.
    StaleDocument,
    /// A result for a call that does not run.
    UnmatchedResult,
}

/// One recorded violation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct ViolationEntry {
    /// What was tried.
    pub violation: TurnViolation,
    /// The call it concerns.
    pub call_id: Option<CallId>,
    /// One authored sentence.
    pub detail: String,
}

/// Where a turn is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum TurnPhase {
    /// Nothing was asked.
    Idle,
    /// A request is open and nothing of the answer arrived.
    Requesting,
    /// The answer arrives.
    Streaming,
    /// A call waits for a decision.
    AwaitingApproval,
    /// Calls run, or their results are about to be sent.
    Executing,
    /// Over.
    Settled,
}

/// How a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum TurnOutcome {
    /// The model had its say.
    Completed,
    /// The person stopped it.
    Cancelled,
    /// A bound ended it.
    Bounded,
    /// The provider failed.
    Failed,
}

/// The bound that ended a turn, in the order in which bounds are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// Requests of one turn.
    Iterations,
    /// Calls of one turn.
    ToolCalls,
    /// Retries of one turn.
    Retries,
    /// Time.
    Deadline,
    /// Tokens.
    Tokens,
    /// Money.
    Cost,
    /// The same call with the same result.
    Repeats,
    /// Messages of the conversation.
    Messages,
}
