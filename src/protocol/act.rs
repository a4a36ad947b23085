//! What became of one act that names what it acts on by words: resolved, or left to the person to choose.

use serde::Serialize;

use crate::{from_json, words};

words! {
    /// The one result of an act.
    pub enum ActResult {
        /// It may run.
        Ready = "ready",
        /// It waits for the person's yes.
        AwaitingConfirmation = "awaiting_confirmation",
        /// Several things, or none that is certain, can be meant: the person chooses.
        NeedsSelection = "needs_selection",
        /// It cannot be done.
        Rejected = "rejected",
        /// A later act took its place.
        Superseded = "superseded",
        /// It was taken back.
        Withdrawn = "withdrawn",
        /// It would change nothing.
        NoChange = "no_change",
    }
}

/// One thing that can be meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    /// Its id.
    pub id: String,
    /// Its title; its id where it has none. Plain text.
    pub title: String,
    /// The section it stands in.
    pub section: String,
}

from_json! {
    Candidate {
        id: "id",
        title: "title",
        section: "section",
    }
}

/// What became of an act.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct ActRecord {
    /// Its place among those of its message, from 0.
    pub index: u32,
    /// What became of it.
    pub result: ActResult,
    /// Why, in one sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub reason: Option<String>,
    /// What can be meant, in the order of the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub candidates: Option<Vec<Candidate>>,
}

from_json! {
    ActRecord {
        index: "index",
        result: "result",
        reason: "reason",
        candidates: "candidates",
    }
}
