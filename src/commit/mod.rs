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
    let changes = matches!(outcome, ToolOutcome::Ok { document, patch, .. } if document.is_some() || patch.is_some());
    if effect == ToolEffect::Read && changes {
        return CommitOutcome::refused(
            CommitRefusal::ReadToolMutated,
            "a tool that only reads tried to change the document; nothing was changed",
        );
    }
    let change = match Change::proposed(outcome) {
        Ok(Some(change)) => change,
        Ok(None) => return CommitOutcome::Unchanged,
        Err(refused) => return refused,
    };
    if store.revision() != base.0 {
        return changed_under_way();
    }
    store.commit_turn(turn, label, &change)
}
