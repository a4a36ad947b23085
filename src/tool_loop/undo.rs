//! The turn's one undo step, and what others do to the document meanwhile.

use crate::document::outcome::{CommitOutcome, TurnStanding};
use crate::protocol::call::CallStatus;
use crate::protocol::command::TurnCommand;
use crate::protocol::update::{RefusalReason, Update};
use crate::turn::reduce::{Changes, reduce};
use crate::turn::state::TurnState;

use super::ToolLoop;

/// The newest turn that committed.
pub(super) struct CommittedTurn {
    turn_id: String,
    /// Its state, once another turn took the loop over (without the conversation, which goes on).
    archived: Option<TurnState>,
    undone: bool,
}

impl ToolLoop {
    /// Whether the newest turn that committed can be taken back as one step.
    pub fn undo_availability(&mut self) -> TurnStanding {
        self.notice_document();
        match (&self.committed, &self.store) {
            (Some(committed), Some(store)) => store.turn_standing(&committed.turn_id),
            _ => TurnStanding::AlreadyUndone,
        }
    }

    /// Takes back the newest turn that committed.
    pub(super) fn undo_turn(&mut self) {
        if self.state.is_live() {
            return self.collector.refuse("undoTurn", None, RefusalReason::TurnLive);
        }
        let (Some(committed), Some(store)) = (&self.committed, &self.store) else {
            return self.collector.refuse_with("undoTurn", RefusalReason::WrongPhase, "no turn changed the document");
        };
        match store.undo_turn(&committed.turn_id) {
            CommitOutcome::Committed { revision, patch } => {
                self.seen_revision = revision;
                self.foreign_revision = revision;
                self.update(Update::Document { revision, patch });
                self.flip(true);
            }
            CommitOutcome::Unchanged => {
                self.collector.refuse_with("undoTurn", RefusalReason::WrongPhase, "the turn was taken back already")
            }
            CommitOutcome::Refused { result, .. } => self.collector.refuse_with("undoTurn", RefusalReason::WrongPhase, result),
        }
    }

    /// Looks for changes of the document that this loop did not make, and lets the turn know.
    pub(super) fn notice_document(&mut self) {
        let Some(store) = &self.store else { return };
        let revision = store.revision();
        if revision == self.seen_revision {
            return;
        }
        let standing = self.committed.as_ref().map(|committed| store.turn_standing(&committed.turn_id));
        self.seen_revision = revision;
        self.foreign_revision = revision;
        if self.state.is_live() {
            self.reduce(TurnCommand::DocumentEdited { document_revision: revision }.into(), "documentEdited");
        }
        let undone = self.committed.as_ref().is_some_and(|committed| committed.undone);
        match standing {
            Some(TurnStanding::AlreadyUndone) if !undone => self.flip(true),
            Some(TurnStanding::Undoable) if undone => self.flip(false),
            _ => {}
        }
    }

    /// A commit of the current turn: not somebody else's change.
    pub(super) fn committed_now(&mut self, revision: u64) {
        self.seen_revision = revision;
        let turn_id = self.state.turn_id.clone();
        if self.committed.as_ref().is_none_or(|committed| committed.turn_id != turn_id) {
            self.committed = Some(CommittedTurn { turn_id, archived: None, undone: false });
        }
    }

    /// A turn was taken up: what it committed can be taken back where the store still knows its step.
    pub(super) fn remember_commit(&mut self) {
        let turn_id = self.state.turn_id.clone();
        let stands = self.store.as_ref().is_some_and(|store| store.turn_standing(&turn_id) != TurnStanding::AlreadyUndone);
        if stands && self.state.calls.iter().any(|call| call.committed) {
            let undone = self.state.calls.iter().any(|call| call.status == CallStatus::Undone);
            self.committed = Some(CommittedTurn { turn_id, archived: None, undone });
        }
    }

    /// Another turn takes over: what undo may still flip is kept, the conversation is not copied.
    pub(super) fn archive_turn(&mut self) {
        if let Some(committed) = self.committed.as_mut().filter(|committed| committed.turn_id == self.state.turn_id) {
            let messages = std::mem::take(&mut self.state.messages);
            committed.archived = Some(self.state.clone());
            self.state.messages = messages;
        }
    }

    /// The calls of the committed turn become undone, or done again, together.
    fn flip(&mut self, undone: bool) {
        let command = if undone { TurnCommand::UndoTurn } else { TurnCommand::RedoTurn };
        let name = command.name();
        let Some(committed) = self.committed.as_mut() else { return };
        let Some(archived) = committed.archived.as_mut() else {
            // the turn itself still runs: its calls are flipped once it is over
            if self.state.is_live() {
                return;
            }
            committed.undone = undone;
            return self.reduce(command.into(), name);
        };
        committed.undone = undone;
        let mut changes = Changes::new();
        reduce(archived, command.into(), &self.tools, &mut changes);
        for change in changes.take() {
            self.collector.change(change, name, archived);
        }
    }

    /// A turn that ended after its step was taken back by hand: its calls say so now.
    pub(super) fn flip_if_undone(&mut self) {
        let Some(committed) = self.committed.as_ref().filter(|committed| !committed.undone && committed.turn_id == self.state.turn_id)
        else {
            return;
        };
        let standing = self.store.as_ref().map(|store| store.turn_standing(&committed.turn_id));
        let has_committed = self.state.calls.iter().any(|call| call.status == CallStatus::Succeeded && call.committed);
        if has_committed && standing == Some(TurnStanding::AlreadyUndone) {
            self.flip(true);
        }
    }
}
