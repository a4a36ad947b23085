//! What a call caused, for showing it.

use serde::Serialize;

use crate::words;

use super::call::{CallRecord, TurnOutcome, TurnPhase, TurnViolation};
use super::error::ProtocolError;
use super::ids::CallId;
use super::patch::JsonPatch;

words! {
    /// Why an input changed nothing.
    pub enum RefusalReason {
        /// The turn is not where this is possible.
        WrongPhase = "wrong_phase",
        /// No call has this id.
        UnknownCall = "unknown_call",
        /// The call is decided already.
        NotPending = "not_pending",
        /// A call that destroys something is approved alone.
        DestructiveInBatch = "destructive_in_batch",
        /// The effect is not open, or the card is no longer what it showed.
        StaleEffect = "stale_effect",
        /// A turn runs.
        TurnLive = "turn_live",
        /// The turn is over.
        Settled = "settled",
        /// The input itself is wrong.
        InvalidInput = "invalid_input",
    }
}

/// One change to show.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Update {
    /// The turn moved on.
    Phase {
        /// Where it is now.
        phase: TurnPhase,
        /// Which request it is at.
        iteration: u32,
    },
    /// Text was added to a message.
    Text {
        /// The message's place in `messages()`.
        message_index: u32,
        /// What was added.
        delta: String,
    },
    /// Reasoning arrived: shown, not kept.
    Reasoning {
        /// What arrived.
        delta: String,
    },
    /// A call is new or changed.
    Call {
        /// The call as it is now.
        call: Box<CallRecord>,
    },
    /// The document changed.
    Document {
        /// Its revision now.
        revision: u64,
        /// What changed.
        patch: JsonPatch,
    },
    /// Tokens were counted.
    Usage {
        /// Tokens read in this turn.
        input_tokens: u64,
        /// Tokens written in this turn.
        output_tokens: u64,
        /// What they cost, in millionths of the host's currency.
        cost_micros: u64,
    },
    /// Something was tried that the turn does not allow.
    Violation {
        /// What.
        violation: TurnViolation,
        /// The call it concerns.
        call_id: Option<CallId>,
        /// One authored sentence.
        detail: String,
    },
    /// Something was skipped that the person should know of.
    Notice {
        /// One authored sentence.
        message: String,
    },
    /// An input changed nothing.
    Refused {
        /// The input's name.
        input: String,
        /// The call it named.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional))]
        call_id: Option<CallId>,
        /// Why.
        reason: RefusalReason,
        /// One authored sentence more, where there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional))]
        detail: Option<String>,
    },
    /// The turn is over.
    Settled {
        /// How it ended.
        outcome: TurnOutcome,
        /// What the person should know.
        notice: Option<String>,
        /// What failed.
        error: Option<ProtocolError>,
    },
}
