//! What a call would do to the document as it is: computed on a draft, shown on the card, and bound by the approval.

use serde::Serialize;

use crate::{from_json, words};

use super::patch::JsonPatch;

words! {
    /// What a line tells of.
    pub enum LineKind {
        /// Something comes.
        Added = "added",
        /// Something goes.
        Removed = "removed",
        /// Something is another.
        Changed = "changed",
    }
}

/// One line of a difference: an entity that comes or goes, one field of an entity, or (`changed` without a field) an entity that
/// passed others of its section and now stands behind what `after` names, first where there is no `after`. Plain text in which every control,
/// bidi and invisible code point is a visible escape; a long value holds its head, its tail and how much is between.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct PreviewLine {
    /// What happens.
    pub kind: LineKind,
    /// The section; empty for what stands beside all sections.
    pub section: String,
    /// The entity's id.
    pub id: String,
    /// The entity's title; its id where it has none.
    pub title: String,
    /// The field; absent where the line tells of the whole entity.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub field: Option<String>,
    /// The field's value before; absent where there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub before: Option<String>,
    /// The field's value after; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub after: Option<String>,
}

from_json! {
    PreviewLine {
        kind: "kind",
        section: "section",
        id: "id",
        title: "title",
        field: "field",
        before: "before",
        after: "after",
    }
}

/// How many entities of one section come, go or are changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct PreviewCount {
    /// What happens to them.
    pub kind: LineKind,
    /// The section.
    pub section: String,
    /// How many.
    pub count: u32,
}

from_json! {
    PreviewCount {
        kind: "kind",
        section: "section",
        count: "count",
    }
}

/// What a call would do to the document, after the calls of its message that stand before it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct Preview {
    /// Heads the card: what the call does, things named by their titles. Plain text.
    pub title: String,
    /// The change, for drawing it; empty where it is too large to hand out or where there is none.
    #[cfg_attr(feature = "wasm", tsify(type = "JsonPatch"))]
    pub patch: JsonPatch,
    /// SHA-256 of the canonical JSON of the ordered `{kind, section, id, field, before, after}`, values whole, what is absent left
    /// out, no positions (what passed others: `after` is the id of what it stands behind); what goes is told whole in `before`. Of
    /// `null` where there is an `error`.
    pub effect_digest: String,
    /// The change line by line, bounded: what is left out is counted in `hiddenLines`.
    pub lines: Vec<PreviewLine>,
    /// All entities of the change, those of the hidden lines too, by section and kind, in the order of the document.
    pub counts: Vec<PreviewCount>,
    /// How many lines are left out.
    pub hidden_lines: u32,
    /// Why the call would change nothing, or why this could not be worked out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "wasm", tsify(optional))]
    pub error: Option<String>,
}

from_json! {
    Preview {
        title: "title",
        patch: "patch",
        effect_digest: "effectDigest",
        lines: "lines",
        counts: "counts",
        hidden_lines: "hiddenLines",
        error: "error",
    }
}

words! {
    /// Why a card shows something else than it did.
    pub enum StaleCause {
        /// Somebody changed the document.
        Document = "document",
        /// A call before it was declined, failed, or was changed by the person.
        Calls = "calls",
    }
}

/// Why a card shows another effect than the one it showed before.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct Stale {
    /// Why.
    pub because: StaleCause,
    /// What changed in the document meanwhile, at most 6 lines; empty where it was not the document, or where nobody knows.
    pub lines: Vec<PreviewLine>,
}

from_json! {
    Stale {
        because: "because",
        lines: "lines",
    }
}
