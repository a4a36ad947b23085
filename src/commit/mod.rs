//! The one function that changes a document for a tool.
//!
//! Enters: what a call came to, and the revision it started from. Leaves: one outcome. Nothing else in the
//! core can make a turn's change, and nothing here can be half done.

use crate::document::outcome::{CommitOutcome, CommitRefusal};
use crate::document::store::{Change, DocumentStore, TurnKey, changed_under_way};
use crate::protocol::call::ToolEffect;
use crate::protocol::command::ToolOutcome;

#[cfg(test)]
mod program;
#[cfg(test)]
mod tests;

/// The revision of the document a call was started on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BaseRevision(pub u64);

/// Commits what a call came to. In order: a tool that failed changes nothing, a tool that only reads may
/// not return a document, the document must still be the one the call was started on, and what is proposed
/// must be valid but for faults that were there before. What passes joins the turn's one undo step.
pub fn commit(
    store: &DocumentStore,
    turn: &TurnKey,
    label: &str,
    base: BaseRevision,
    effect: ToolEffect,
    outcome: &ToolOutcome,
) -> CommitOutcome {
    let (document, patch) = match outcome {
        ToolOutcome::Ok { document, patch, .. } => (document, patch),
        ToolOutcome::Error { result, .. } => return CommitOutcome::refused(CommitRefusal::ToolError, result.as_str()),
        ToolOutcome::Unknown { .. } => {
            return CommitOutcome::refused(
                CommitRefusal::ToolError,
                "nobody knows whether the tool took effect; the document was not changed",
            );
        }
    };
    if effect == ToolEffect::Read && (document.is_some() || patch.is_some()) {
        return CommitOutcome::refused(
            CommitRefusal::ReadToolMutated,
            "a tool that only reads tried to change the document; nothing was changed",
        );
    }
    let change = match (document, patch) {
        (None, None) => return CommitOutcome::Unchanged,
        (Some(document), None) => Change::Document(document.clone()),
        (None, Some(patch)) => Change::Patch(patch.clone()),
        (Some(_), Some(_)) => {
            return CommitOutcome::refused(
                CommitRefusal::InvalidDocument,
                "a tool returns a document or a patch, not both; nothing was changed",
            );
        }
    };
    if store.revision() != base.0 {
        return changed_under_way();
    }
    store.commit_turn(turn, label, &change)
}
