//! A tool call as it is kept for the length of a turn, and the closed lists that say what became of it.

use serde::Serialize;

use crate::{from_json, words};

use super::act::ActRecord;
use super::effect::RunsOn;
use super::ids::CallId;
use super::json::Json;
use super::preview::{Preview, Stale};

words! {
    /// Whether a tool may change something.
    pub enum ToolEffect {
        /// Reads only: runs without a card.
        Read = "read",
        /// May change something: asks. Also what a tool is that says nothing.
        Mutate = "mutate",
    }
}

words! {
    /// Where a call is in its life; it only ever moves forward, but for `approved` and `succeeded`.
    pub enum CallStatus {
        /// Waits for a decision.
        Pending = "pending",
        /// May start, under a grant.
        Approved = "approved",
        /// Was started.
        Running = "running",
        /// Ran, and what it changed is committed.
        Succeeded = "succeeded",
        /// Did not do what it should.
        Failed = "failed",
        /// Was taken back with its turn.
        Undone = "undone",
        /// Will not run.
        Denied = "denied",
        /// An external call that was cut off: nobody knows whether it took effect.
        Unknown = "unknown",
    }
}

impl CallStatus {
    /// Whether nothing more happens to the call by itself.
    #[must_use]
    pub fn is_final(self) -> bool {
        !matches!(self, CallStatus::Pending | CallStatus::Approved | CallStatus::Running)
    }
}

words! {
    /// Why a call was denied.
    pub enum DenialReason {
        /// The person said no.
        UserDeclined = "user_declined",
        /// The turn was stopped before it ran.
        TurnCancelled = "turn_cancelled",
        /// A bound was reached.
        LimitExceeded = "limit_exceeded",
        /// The trusted context lacks a scope, or the host's policy said no.
        Unauthorized = "unauthorized",
        /// Nobody decided in time.
        ApprovalExpired = "approval_expired",
        /// The person wrote a new message instead.
        Superseded = "superseded",
        /// Another call of a read batch was malformed.
        BatchRefused = "batch_refused",
    }
}

words! {
    /// The stable code of a call that did not succeed.
    pub enum CallErrorCode {
        /// No tool has exactly this name.
        UnknownTool = "unknown_tool",
        /// The arguments are not what the tool's schema wants.
        InvalidArguments = "invalid_arguments",
        /// The context lacks the right.
        Unauthorized = "unauthorized",
        /// The person said no, or the turn moved on.
        Denied = "denied",
        /// Nobody decided in time.
        ApprovalExpired = "approval_expired",
        /// The tool took too long.
        Timeout = "timeout",
        /// The turn was stopped.
        Cancelled = "cancelled",
        /// The tool failed.
        ExecutionFailed = "execution_failed",
        /// The tool's result is not what its output schema says.
        InvalidOutput = "invalid_output",
        /// The tool's result is too large to keep.
        OutputTooLarge = "output_too_large",
        /// A bound of the turn was reached.
        BudgetExhausted = "budget_exhausted",
        /// A read tool tried to change the document.
        ReadToolMutated = "read_tool_mutated",
        /// The document changed under the call.
        DocumentChanged = "document_changed",
        /// The document the tool proposed is not valid.
        InvalidDocument = "invalid_document",
        /// Nobody knows whether it took effect.
        OutcomeUnknown = "outcome_unknown",
    }
}

/// How far a running call is: for people only, never for the model.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct CallProgress {
    /// Plain text, at most 200 code points.
    pub label: String,
    /// 0 to 1, never falling.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub fraction: Option<f64>,
}

from_json! {
    CallProgress {
        label: "label",
        fraction: "fraction",
    }
}

words! {
    /// What a pending call waits for.
    pub enum Awaiting {
        /// What it would do is being worked out.
        Preview = "preview",
        /// The person's decision.
        User = "user",
    }
}

/// One call of a turn.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct CallRecord {
    /// The call's id in this conversation.
    pub id: CallId,
    /// The provider's own id, where the call was given a fresh one.
    #[serde(skip_serializing_if = "Option::is_none")]
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
    /// What it would do to the document, where that was worked out; stays as what was shown once the call is decided.
    pub preview: Option<Preview>,
    /// Why the card shows another effect than before; nothing while it stands as it was first shown.
    pub stale: Option<Stale>,
    /// What its words for its target came to, where its tool has one.
    pub act: Option<ActRecord>,
    /// When the card expires, epoch milliseconds.
    pub expires_at_ms: Option<u64>,
    /// What a pending call waits for.
    pub awaiting: Option<Awaiting>,
    /// When it was started, epoch milliseconds.
    pub started_at_ms: Option<u64>,
    /// Whether its success changed the document.
    pub committed: bool,
    /// The step of the store's history that holds the change.
    pub history_step: Option<u64>,
}

from_json! {
    CallRecord {
        id: "id",
        provider_id: "providerId",
        tool_name: "toolName",
        input: "input",
        input_digest: "inputDigest",
        summary: "summary",
        effect: "effect",
        destructive: "destructive",
        external: "external",
        iteration: "iteration",
        status: "status",
        result: "result",
        result_from: "resultFrom",
        is_error: "isError",
        denial_reason: "denialReason",
        denial_note: "denialNote",
        error_code: "errorCode",
        edited: "edited",
        progress: "progress",
        preview: "preview",
        stale: "stale",
        act: "act",
        expires_at_ms: "expiresAtMs",
        awaiting: "awaiting",
        started_at_ms: "startedAtMs",
        committed: "committed",
        history_step: "historyStep",
    }
}

words! {
    /// How an approval was given.
    pub enum GrantScope {
        /// For one call.
        Call = "call",
        /// For one of an explicit list.
        Batch = "batch",
        /// By the static read-only policy.
        Auto = "auto",
    }
}

/// Leave to run one call once. `binding` is a SHA-256 over every other member and the trusted context.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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

from_json! {
    ApprovalGrant {
        call_id: "callId",
        tool_name: "toolName",
        input_digest: "inputDigest",
        effect_digest: "effectDigest",
        iteration: "iteration",
        scope: "scope",
        document_revision: "documentRevision",
        expires_at_ms: "expiresAtMs",
        consumed: "consumed",
        binding: "binding",
    }
}

/// The person's no to one tool with one input; an identical request of the same turn is denied without asking.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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

from_json! {
    Denial {
        call_id: "callId",
        tool_name: "toolName",
        input_digest: "inputDigest",
        reason: "reason",
        note: "note",
    }
}

words! {
    /// What a model, a tool or a host tried that the turn does not allow.
    pub enum TurnViolation {
        /// Nobody approved the call.
        NoGrant = "no_grant",
        /// The approval was for another tool or input.
        DigestMismatch = "digest_mismatch",
        /// The approval was for another request.
        ForeignIteration = "foreign_iteration",
        /// The approval was spent already.
        GrantAlreadyConsumed = "grant_already_consumed",
        /// No tool has this name.
        UnknownTool = "unknown_tool",
        /// The person declined exactly this.
        DeniedReplay = "denied_replay",
        /// A bound was reached.
        LimitExceeded = "limit_exceeded",
        /// A call id was used twice.
        DuplicateCallId = "duplicate_call_id",
        /// Something came after the end.
        PostSettlementEvent = "post_settlement_event",
        /// The approval lapsed.
        GrantExpired = "grant_expired",
        /// The context lacks the right.
        Unauthorized = "unauthorized",
        /// The document is no longer the one on the card.
        StaleDocument = "stale_document",
        /// A result for a call that does not run.
        UnmatchedResult = "unmatched_result",
    }
}

/// One recorded violation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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

from_json! {
    ViolationEntry {
        violation: "violation",
        call_id: "callId",
        detail: "detail",
    }
}

words! {
    /// Where a turn is.
    pub enum TurnPhase {
        /// Nothing was asked.
        Idle = "idle",
        /// A request is open and nothing of the answer arrived.
        Requesting = "requesting",
        /// The answer arrives.
        Streaming = "streaming",
        /// A call waits for a decision.
        AwaitingApproval = "awaiting_approval",
        /// Calls run, or their results are about to be sent.
        Executing = "executing",
        /// Over.
        Settled = "settled",
    }
}

words! {
    /// How a turn ended.
    pub enum TurnOutcome {
        /// The model had its say.
        Completed = "completed",
        /// The person stopped it.
        Cancelled = "cancelled",
        /// A bound ended it.
        Bounded = "bounded",
        /// The provider failed.
        Failed = "failed",
    }
}

words! {
    /// The bound that ended a turn, in the order in which bounds are asked.
    pub enum Bound {
        /// Requests of one turn.
        Iterations = "iterations",
        /// Calls of one turn.
        ToolCalls = "tool_calls",
        /// Retries of one turn.
        Retries = "retries",
        /// Time.
        Deadline = "deadline",
        /// Tokens.
        Tokens = "tokens",
        /// Money.
        Cost = "cost",
        /// The same call with the same result.
        Repeats = "repeats",
        /// Messages of the conversation.
        Messages = "messages",
    }
}
