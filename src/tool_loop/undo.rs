//! The turn's one undo step, and what others do to the document meanwhile.

use crate::document::outcome::{CommitOutcome, TurnStanding};
use crate::document::store::TurnKey;
use crate::protocol::call::CallStatus;
use crate::protocol::command::TurnCommand;
use crate::protocol::update::{RefusalReason, Update};
use crate::turn::reduce::{Changes, reduce};
use crate::turn::state::TurnState;

use super::ToolLoop;

/// A turn that committed; the last of them is the one that undo takes back.
pub(super) struct CommittedTurn {
    key: TurnKey,
    /// Its state, once another turn took the loop over (without the conversation, which goes on).
    archived: Option<TurnState>,
}

impl ToolLoop {
    /// Whether the newest turn that committed can be taken back as one step.
    pub fn undo_availability(&mut self) -> TurnStanding {
        self.notice_document();
        match (self.committed.last(), &self.store) {
            (Some(committed), Some(store)) => store.turn_standing(&committed.key),
            _ => TurnStanding::AlreadyUndone,
        }
    }

    /// The current turn as the store knows it.
    pub(super) fn turn_key(&self) -> TurnKey {
        TurnKey { writer: self.writer, turn_id: self.state.turn_id.clone() }
    }

    /// The same for a change that is made now. What the store has under this name before the turn's first change is somebody
    /// else's (the id of a conversation was used again): from here on the loop's turns go by a number of their own.
    pub(super) fn key_to_commit(&mut self) -> TurnKey {
        let key = self.turn_key();
        let Some(store) = &self.store else { return key };
        let is_own = self.committed.last().is_some_and(|committed| committed.key == key);
        if is_own || (!store.holds_turn(&key) && store.turn_standing(&key) == TurnStanding::AlreadyUndone) {
            return key;
        }
        self.writer = store.writer(None);
        self.turn_key()
    }

    /// Takes back the newest turn that committed.
    pub(super) fn undo_turn(&mut self) {
        if self.state.is_live() {
            return self.collector.refuse("undoTurn", None, RefusalReason::TurnLive);
        }
        let (Some(committed), Some(store)) = (self.committed.last(), &self.store) else {
            return self.collector.refuse_with("undoTurn", RefusalReason::WrongPhase, "no turn changed the document");
        };
        match store.undo_turn(&committed.key) {
            CommitOutcome::Committed { revision, patch } => {
                self.seen_revision = revision;
                self.foreign_revision = revision;
                if let Some(recorder) = &self.recorder {
                    recorder.own_change();
                }
                self.update(Update::Document { revision, patch });
                self.follow_steps();
            }
            CommitOutcome::Unchanged => {
                self.collector.refuse_with("undoTurn", RefusalReason::WrongPhase, "the turn was taken back already")
            }
            CommitOutcome::Refused { result, .. } => self.collector.refuse_with("undoTurn", RefusalReason::WrongPhase, result),
        }
    }

    /// Looks for changes of the document that this loop did not make, and lets the turn know.
    pub(super) fn notice_document(&mut self) {
        self.notice_change(true);
    }

    /// The same; `looked` where nothing else is put in with it.
    pub(super) fn notice_change(&mut self, looked: bool) {
        let Some(store) = &self.store else { return };
        let revision = store.revision();
        if revision == self.seen_revision {
            return;
        }
        self.cards.edited_from(self.seen_revision, &self.state);
        self.seen_revision = revision;
        self.foreign_revision = revision;
        if let Some(recorder) = &mut self.recorder {
            recorder.document_changed(revision, looked);
        }
        if self.state.is_live() {
            self.reduce(TurnCommand::DocumentEdited { document_revision: revision }.into(), "documentEdited");
        }
        self.follow_steps();
        // before anything else is heard: what is approved now must have been seen as it is now
        self.review_cards(None);
    }

    /// A commit of the current turn: not somebody else's change.
    pub(super) fn committed_now(&mut self, revision: u64) {
        self.seen_revision = revision;
        if let Some(recorder) = &self.recorder {
            recorder.own_change();
        }
        let key = self.turn_key();
        if self.committed.last().is_some_and(|committed| committed.key == key) {
            return;
        }
        // a turn none of whose steps is left in the history has nothing more to follow
        if let Some(store) = &self.store {
            self.committed.retain(|turn| store.holds_turn(&turn.key));
        }
        self.committed.push(CommittedTurn { key, archived: None });
    }

    /// A turn was taken up: its calls keep the steps this store knows, since the numbers of another store mean nothing
    /// here, and what it committed can be taken back where a step of it is left.
    pub(super) fn remember_commit(&mut self) {
        let key = self.turn_key();
        let known = |step: u64| self.store.as_ref().is_some_and(|store| store.knows_step(&key, step));
        self.state.keep_steps(known);
        if self.state.calls.iter().any(|call| call.history_step.is_some()) {
            self.committed.push(CommittedTurn { key, archived: None });
        }
    }

    /// Another turn takes over: what undo may still flip is kept, the conversation is not copied.
    pub(super) fn archive_turn(&mut self) {
        if let Some(committed) = self.committed.last_mut().filter(|committed| committed.key.turn_id == self.state.turn_id) {
            let messages = std::mem::take(&mut self.state.messages);
            committed.archived = Some(self.state.clone());
            self.state.messages = messages;
        }
    }

    /// The calls of every committed turn follow their steps of the history: what was taken back is undone, what was
    /// brought back is done. While a turn runs its calls stay as they are; they follow once it is over.
    pub(super) fn follow_steps(&mut self) {
        for at in 0..self.committed.len() {
            let (undone, redone) = (self.moved(at, CallStatus::Succeeded, false), self.moved(at, CallStatus::Undone, true));
            if !undone.is_empty() {
                self.flip(at, TurnCommand::UndoTurn { steps: Some(undone) });
            }
            if !redone.is_empty() {
                self.flip(at, TurnCommand::RedoTurn { steps: Some(redone) });
            }
        }
    }

    /// The steps of a committed turn whose calls have this status although the step does, or does not, stand.
    fn moved(&self, at: usize, status: CallStatus, stands: bool) -> Vec<u64> {
        let mut steps: Vec<u64> = Vec::new();
        let (Some(committed), Some(store)) = (self.committed.get(at), &self.store) else { return steps };
        let own = committed.archived.as_ref().unwrap_or(&self.state);
        if own.is_live() || own.turn_id != committed.key.turn_id {
            return steps;
        }
        for call in own.calls.iter().filter(|call| call.status == status && call.committed) {
            if let Some(step) = call.history_step
                && store.step_stands(step) == stands
                && !steps.contains(&step)
            {
                steps.push(step);
            }
        }
        steps
    }

    fn flip(&mut self, at: usize, command: TurnCommand) {
        let name = command.name();
        let Some(archived) = self.committed.get_mut(at).and_then(|committed| committed.archived.as_mut()) else {
            return self.reduce(command.into(), name);
        };
        let mut changes = Changes::new();
        reduce(archived, command.into(), &self.tools, &mut changes);
        for change in changes.take() {
            self.collector.change(change, name, archived);
        }
    }
}
