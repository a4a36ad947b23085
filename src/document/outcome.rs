//! What became of a proposed change, and what the history tells of those that were made.

use serde::Serialize;

use crate::words;

use crate::protocol::patch::JsonPatch;

/// What became of a proposed change of the document.
#[must_use]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum CommitOutcome {
    /// The document changed.
    Committed {
        /// Its revision now.
        revision: u64,
        /// What changed.
        patch: JsonPatch,
    },
    /// There was nothing to change.
    Unchanged,
    /// Nothing changed, and why.
    Refused {
        /// The stable reason.
        refusal: CommitRefusal,
        /// What the model and the person are told: authored words, at most 2 kB.
        result: String,
    },
}

impl CommitOutcome {
    /// A refusal with its words.
    pub fn refused(refusal: CommitRefusal, result: impl Into<String>) -> CommitOutcome {
        CommitOutcome::Refused { refusal, result: result.into() }
    }
}

/// Why a proposed change was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum CommitRefusal {
    /// The tool failed.
    ToolError,
    /// A tool that only reads returned a document.
    ReadToolMutated,
    /// The document changed under the call.
    DocumentChanged,
    /// The proposed document is not valid.
    InvalidDocument,
}

/// Who made a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum ChangeSource {
    /// The person, by an edit of their own.
    User,
    /// A turn, by calls the person approved.
    Turn,
}

/// One step that can be undone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntry {
    /// Never used again in this store, so that an old step is never taken for a new one.
    pub id: u64,
    /// What the step is called.
    pub label: String,
    /// Who made it.
    pub source: ChangeSource,
    /// The turn that made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub turn_id: Option<String>,
    /// The revision it led to.
    pub revision: u64,
}

words! {
    /// Whether what a turn changed can be taken back as one step.
    pub enum TurnStanding {
        /// Its one step is the last one made, and the document is what that step left.
        Undoable = "undoable",
        /// Nothing of it is left in the document (or nothing ever was).
        AlreadyUndone = "already_undone",
        /// Something lies above it, between its steps, or its step left the history.
        Superseded = "superseded",
    }
}
