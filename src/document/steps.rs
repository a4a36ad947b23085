//! The steps of the history, and the changes of late: each keeps what it did to single entities, and whole documents
//! only where a whole document was proposed.

use std::rc::Rc;

use crate::protocol::json::Json;

use super::definition::Section;
use super::edit::Edit;
use super::fault::Faults;
use super::live::Live;
use super::outcome::{ChangeSource, HistoryEntry};
use super::store::TurnKey;

/// How many of the last edits are kept for those who follow the document.
const RECENT: usize = 1024;
/// How many whole documents are kept beside them.
const WHOLES: usize = 8;

/// One step that can be taken back.
pub(super) struct Step {
    pub(super) id: u64,
    pub(super) label: String,
    pub(super) turn: Option<TurnKey>,
    pub(super) revision: u64,
    pub(super) parts: Vec<Part>,
    /// What was known of the document before it: its faults, and what reading it took.
    pub(super) before: (Option<Rc<Faults>>, u64),
    pub(super) after: (Option<Rc<Faults>>, u64),
}

/// One thing a step did.
pub(super) enum Part {
    Entity(Edit),
    Whole { before: Json, after: Json },
}

impl Step {
    /// What the step did goes on.
    pub(super) fn add(&mut self, parts: Vec<Part>) {
        for part in parts {
            let rest = match (part, self.parts.last_mut()) {
                (Part::Entity(edit), Some(Part::Entity(last))) => last.join(edit).map(Part::Entity),
                (part, _) => Some(part),
            };
            self.parts.extend(rest);
        }
    }

    /// The edits that make the step once more, or take it back, where it is made of nothing else.
    pub(super) fn edits(&self, forward: bool) -> Option<Vec<Edit>> {
        let mut edits = Vec::with_capacity(self.parts.len());
        for at in 0..self.parts.len() {
            match self.part(at, forward) {
                Some(Part::Entity(edit)) => edits.push(edit.towards(forward)),
                _ => return None,
            }
        }
        Some(edits)
    }

    /// Makes the step once more, or takes it back, part by part.
    pub(super) fn walk(&self, forward: bool, live: &mut Live, sections: &[Section]) {
        for at in 0..self.parts.len() {
            match self.part(at, forward) {
                Some(Part::Entity(edit)) => {
                    live.make(sections, &edit.towards(forward));
                }
                Some(Part::Whole { before, after }) => live.put(if forward { after.clone() } else { before.clone() }),
                None => {}
            }
        }
    }

    pub(super) fn entry(&self) -> HistoryEntry {
        HistoryEntry {
            id: self.id,
            label: self.label.clone(),
            source: if self.turn.is_some() { ChangeSource::Turn } else { ChangeSource::User },
            turn_id: self.turn.as_ref().map(|turn| turn.turn_id.clone()),
            revision: self.revision,
        }
    }

    fn part(&self, at: usize, forward: bool) -> Option<&Part> {
        self.parts.get(if forward { at } else { self.parts.len() - 1 - at })
    }
}

/// The edits of late with the revisions they led to.
#[derive(Default)]
pub(super) struct Recent {
    edits: Vec<(u64, Edit)>,
    // INVARIANT: every edit after this revision is there
    from: u64,
    /// Documents that others took the place of, with their revisions.
    wholes: Vec<(u64, Json)>,
}

impl Recent {
    pub(super) fn add(&mut self, revision: u64, edits: &[Edit]) {
        if edits.len() > RECENT / 2 {
            return self.begin(revision);
        }
        if self.edits.len() + edits.len() > RECENT
            && let Some((middle, _)) = self.edits.get(self.edits.len() / 2)
        {
            self.from = *middle;
            self.edits.retain(|(other, _)| *other > self.from);
        }
        self.edits.extend(edits.iter().map(|edit| (revision, edit.clone())));
    }

    /// What led to this revision was done elsewhere.
    pub(super) fn begin(&mut self, revision: u64) {
        self.edits.clear();
        self.from = revision;
    }

    /// Another document took the place of the one before; nothing else is known of how it came to be this one.
    pub(super) fn forget(&mut self, revision: u64, before: &Json) {
        self.begin(revision);
        if self.wholes.len() == WHOLES {
            self.wholes.remove(0);
        }
        self.wholes.push((revision.saturating_sub(1), before.clone()));
    }

    /// The document of a revision, where it is kept.
    pub(super) fn at(&self, revision: u64) -> Option<&Json> {
        self.wholes.iter().find(|(known, _)| *known == revision).map(|(_, document)| document)
    }

    pub(super) fn since(&self, revision: u64) -> Option<&[(u64, Edit)]> {
        let known = self.edits.partition_point(|(other, _)| *other <= revision);
        if revision < self.from { None } else { self.edits.get(known..) }
    }
}
