//! What is done to a document, written down for those who record it and done once more for those who replay it.
//!
//! Enters: changes as they are made. Leaves: their JSON text; and a store that goes on as another one would. A store
//! that nobody follows writes nothing down.

use std::cell::RefCell;
use std::rc::{Rc, Weak};
use std::sync::Arc;

use serde::Serialize;

use crate::from_json;
use crate::protocol::error::Fault;
use crate::protocol::fields::Fields;
use crate::protocol::from_json::FromJson;
use crate::protocol::json::Json;
use crate::protocol::json::write::to_text;
use crate::protocol::patch::JsonPatch;

use super::definition::Section;
use super::edit::Edit;
use super::fault::Faults;
use super::live::Live;
use super::outcome::CommitOutcome;
use super::patch::{apply, diff_by};
use super::steps::{Part, Step};
use super::store::{Change, DocumentStore, TurnKey};

/// The most text that is kept for somebody who does not take it.
const LARGEST_BYTES: usize = 16 << 20;

/// The changes of one store since they were taken last, as the members of a JSON list.
#[derive(Default)]
pub struct Journal(Rc<RefCell<Changes>>);

#[derive(Default)]
struct Changes {
    text: String,
    is_full: bool,
}

impl Journal {
    /// The changes so far, and none of them again; nothing where they were too many to be kept.
    #[must_use]
    pub fn take(&self) -> Option<String> {
        let Changes { text, is_full } = std::mem::take(&mut *self.0.borrow_mut());
        (!is_full).then_some(text)
    }
}

/// Those who follow a store; whoever let go of the journal follows no longer.
#[derive(Default)]
pub(super) struct Followers(Vec<Weak<RefCell<Changes>>>);

impl Followers {
    fn add(&mut self, journal: &Journal) {
        self.0.push(Rc::downgrade(&journal.0));
    }

    /// One change was made.
    pub(super) fn tell(&mut self, told: &Told<'_>) {
        self.0.retain(|follower| follower.strong_count() > 0);
        if self.0.is_empty() {
            return;
        }
        let change = to_text(told);
        for follower in self.0.iter().filter_map(Weak::upgrade) {
            let mut changes = follower.borrow_mut();
            if changes.is_full || changes.text.len() + change.len() > LARGEST_BYTES {
                *changes = Changes { text: String::new(), is_full: true };
                continue;
            }
            if !changes.text.is_empty() {
                changes.text.push(',');
            }
            changes.text.push_str(&change);
        }
    }
}

/// One change as it was asked for.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub(super) enum Told<'a> {
    Change {
        label: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        turn: Option<&'a TurnKey>,
        change: &'a Change,
    },
    Undo,
    Redo,
}

/// Where a store stands, beside its document: what the next changes are numbered by, and what can be taken back.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Standing {
    revision: u64,
    next_step: u64,
    last_writer: u64,
    aged_step: u64,
    history: u64,
    effort: u64,
    trimmed: Vec<String>,
    undo: Vec<KeptStep>,
    redo: Vec<KeptStep>,
}

/// A step with what it did.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct KeptStep {
    id: u64,
    label: String,
    turn: Option<TurnKey>,
    revision: u64,
    efforts: Vec<u64>,
    parts: Vec<KeptPart>,
}

/// One thing a step did: to an entity, or to the document, as the patch that leads over it away from the document as it stands.
#[derive(Default, Serialize)]
struct KeptPart {
    list: u64,
    place: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    patch: Option<JsonPatch>,
}

from_json! {
    TurnKey {
        writer: "writer",
        turn_id: "turnId",
    }
}

from_json! {
    KeptStep {
        id: "id",
        label: "label",
        turn: "turn",
        revision: "revision",
        efforts: "efforts",
        parts: "parts",
    }
}

from_json! {
    KeptPart {
        list: "list",
        place: "place",
        before: "before",
        after: "after",
        patch: "patch",
    }
}

from_json! {
    Standing {
        revision: "revision",
        next_step: "nextStep",
        last_writer: "lastWriter",
        aged_step: "agedStep",
        history: "history",
        effort: "effort",
        trimmed: "trimmed",
        undo: "undo",
        redo: "redo",
    }
}

impl DocumentStore {
    /// From here on every change that is made is written down, for as long as the journal is held.
    #[must_use]
    pub fn follow(&self) -> Journal {
        let journal = Journal::default();
        self.inner.borrow_mut().followers.add(&journal);
        journal
    }

    /// Where the store stands, beside its document, as JSON text.
    #[must_use]
    pub fn standing(&self) -> String {
        let inner = self.inner.borrow();
        let (definition, id_keys) = (Rc::clone(&inner.definition), Rc::clone(&inner.id_keys));
        let id_keys: Vec<&str> = id_keys.iter().map(String::as_str).collect();
        let (document, sections) = (inner.document().clone(), definition.sections());
        // walked on a copy that has no index, and shares with the document what a step did not touch
        to_text(&Standing {
            revision: inner.revision,
            next_step: inner.next_step,
            last_writer: inner.last_writer,
            aged_step: inner.aged_step,
            history: u64::try_from(inner.options.history).unwrap_or(u64::MAX),
            effort: inner.live.effort,
            trimmed: inner.trimmed.keys().map(|turn| turn.to_string()).collect(),
            undo: kept(&inner.undo, false, &document, sections, &id_keys),
            redo: kept(&inner.redo, true, &document, sections, &id_keys),
        })
    }

    /// Goes on where another store of the same document stood. Only a store that nobody used can.
    pub fn stand(&self, standing: &Json) -> Result<(), Fault> {
        let standing = Standing::from_json(standing)?;
        let mut inner = self.inner.borrow_mut();
        if inner.revision != 1 || inner.next_step != 1 || inner.last_writer != 0 {
            return Err(Fault::new("invalid_input", "the document was used already"));
        }
        let Some(history) = usize::try_from(standing.history).ok().filter(|history| *history >= 1) else {
            return Err(Fault::at("invalid_input", "history", "the history has at least one step"));
        };
        let (document, definition) = (inner.document().clone(), Rc::clone(&inner.definition));
        let sections = definition.sections();
        let undo = steps(standing.undo, false, &document, sections).map_err(|fault| fault.under("undo"))?;
        inner.redo = steps(standing.redo, true, &document, sections).map_err(|fault| fault.under("redo"))?;
        inner.undo = undo;
        inner.live.effort = standing.effort;
        inner.revision = standing.revision;
        inner.next_step = standing.next_step;
        inner.last_writer = standing.last_writer;
        inner.aged_step = standing.aged_step;
        inner.options.history = history;
        for turn in standing.trimmed {
            inner.trimmed.insert(Arc::from(turn), 0);
        }
        inner.recent.begin(standing.revision);
        Ok(())
    }

    /// Makes one change that was written down.
    pub fn perform(&self, told: &Json) -> Result<CommitOutcome, Fault> {
        let mut fields = Fields::of(told, "invalid_input", "")?;
        Ok(match fields.string("type")?.as_str() {
            "undo" => self.undo(),
            "redo" => self.redo(),
            "change" => {
                let (label, turn): (String, Option<TurnKey>) = (fields.read("label")?, fields.read("turn")?);
                self.make(&Change::decode(&fields.json("change")?)?, &label, turn.as_ref())
            }
            _ => return Err(fields.fault("type", "nothing like this is done to a document")),
        })
    }
}

/// The steps with what leads over them, away from the document.
fn kept(steps: &[Step], forward: bool, document: &Json, sections: &[Section], id_keys: &[&str]) -> Vec<KeptStep> {
    let mut live = Live::new(sections, document.clone(), Faults::new(), None);
    let mut kept = Vec::with_capacity(steps.len());
    for step in steps.iter().rev() {
        let mut parts = Vec::with_capacity(step.parts.len());
        for part in in_order(step.parts.iter(), forward) {
            parts.push(match part {
                Part::Entity(edit) => {
                    live.make(sections, &edit.towards(forward));
                    let place = |place: usize| u64::try_from(place).unwrap_or(u64::MAX);
                    let (before, after) = (edit.before.clone(), edit.after.clone());
                    KeptPart { list: place(edit.list), place: place(edit.place), before, after, patch: None }
                }
                Part::Whole { before, after } => {
                    let (near, far) = if forward { (before, after) } else { (after, before) };
                    live.put(far.clone());
                    KeptPart { patch: Some(diff_by(near, far, id_keys)), ..KeptPart::default() }
                }
            });
        }
        let (label, turn, efforts) = (step.label.clone(), step.turn.clone(), vec![step.before.1, step.after.1]);
        kept.push(KeptStep { id: step.id, label, turn, revision: step.revision, efforts, parts });
    }
    kept.reverse();
    kept
}

fn steps(kept: Vec<KeptStep>, forward: bool, document: &Json, sections: &[Section]) -> Result<Vec<Step>, Fault> {
    let mut live = Live::new(sections, document.clone(), Faults::new(), None);
    let mut steps = Vec::with_capacity(kept.len());
    for KeptStep { id, label, turn, revision, efforts, parts: told } in kept.into_iter().rev() {
        let mut parts = Vec::with_capacity(told.len());
        for KeptPart { list, place, before, after, patch } in told {
            parts.push(match patch {
                Some(patch) => {
                    let near = live.document(sections).clone();
                    let far = apply(&near, &patch).map_err(|fault| Fault::new("invalid_input", fault.to_string()))?;
                    live.put(far.clone());
                    let (before, after) = if forward { (near, far) } else { (far, near) };
                    Part::Whole { before, after }
                }
                None => {
                    let index = |place: u64| usize::try_from(place).unwrap_or(usize::MAX);
                    let edit = Edit { list: index(list), place: index(place), before, after };
                    let made = live.make(sections, &edit.towards(forward));
                    made.ok_or_else(|| Fault::new("invalid_input", "the step does not lead to the document"))?;
                    Part::Entity(edit)
                }
            });
        }
        let mut efforts = efforts.into_iter();
        let (before, after) = (efforts.next().unwrap_or(0), efforts.next().unwrap_or(0));
        let parts = in_order(parts.into_iter(), forward);
        // what is wrong with them is looked for when it is asked
        steps.push(Step { id, label, turn, revision, parts, before: (None, before), after: (None, after) });
    }
    steps.reverse();
    Ok(steps)
}

/// The parts of a step as they are walked: what is taken back begins with the last.
fn in_order<T>(parts: impl Iterator<Item = T>, forward: bool) -> Vec<T> {
    let mut parts: Vec<T> = parts.collect();
    if !forward {
        parts.reverse();
    }
    parts
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::document::definition::DocumentDefinition;
    use crate::document::store::StoreOptions;

    fn store(document: &Json) -> DocumentStore {
        let definition = r#"{"kind":"board","sections":[{"name":"cards","path":"/cards","titleKey":"title"}]}"#;
        let definition = DocumentDefinition::decode(&Json::parse(definition).unwrap()).unwrap();
        DocumentStore::new(Rc::new(definition), document, StoreOptions::default()).unwrap()
    }

    fn json(text: &str) -> Json {
        Json::parse(text).unwrap()
    }

    /// Everything that a store tells.
    fn told(store: &DocumentStore) -> (String, u64, String, Vec<String>) {
        let history = store.history().iter().map(|entry| format!("{entry:?}")).collect();
        (store.read().to_text(), store.revision(), store.standing(), history)
    }

    #[test]
    fn s4_a_store_that_stands_where_another_stood_goes_on_like_it() {
        let one = store(&json(r#"{"cards":[{"id":"a","title":"A"},{"id":"b","title":"B"}],"note":"n"}"#));
        let edit = |text: &str| drop(one.edit(&Change::decode(&json(text)).unwrap(), "an edit"));
        edit(r#"[{"op":"replace","path":"/cards/0/title","value":"A2"}]"#);
        edit(r#"{"cards":[{"id":"b","title":"B"},{"id":"c","title":"C"}],"note":"m"}"#);
        let turn = TurnKey { writer: 3, turn_id: "t1".to_owned() };
        let _ = one.commit_turn(&turn, "a turn", &Change::decode(&json(r#"[{"op":"remove","path":"/cards/0"}]"#)).unwrap());
        edit(r#"[{"op":"add","path":"/cards/-","value":{"id":"d","title":"D"}}]"#);
        let _ = (one.undo(), one.undo());
        let other = store(&one.read());
        other.stand(&json(&one.standing())).unwrap();
        assert_eq!(told(&other), told(&one));
        let journal = one.follow();
        let _ = (one.redo(), one.redo(), one.undo(), one.undo(), one.undo());
        edit(r#"[{"op":"add","path":"/cards/0","value":{"id":"e","title":"E"}}]"#);
        edit(r#"[{"op":"remove","path":"/cards/9"}]"#);
        let _ = one.commit_turn(&turn, "once more", &Change::decode(&json(r#"{"cards":[],"note":"m"}"#)).unwrap());
        let changes = json(&format!("[{}]", journal.take().unwrap()));
        assert_eq!(changes.as_array().unwrap().len(), 7, "what was refused is not told: {}", changes.to_text());
        for change in changes.as_array().unwrap() {
            assert!(matches!(other.perform(change).unwrap(), CommitOutcome::Committed { .. }));
        }
        assert_eq!(told(&other), told(&one));
        assert_eq!(other.turn_standing(&turn), one.turn_standing(&turn));
        assert_eq!(journal.take().as_deref(), Some(""));
        drop(journal);
        edit(r#"[{"op":"add","path":"/cards/0","value":{"id":"f"}}]"#);
        assert!(one.inner.borrow().followers.0.is_empty(), "nobody follows any longer");
    }

    #[test]
    fn s4_a_store_that_was_used_and_a_standing_that_does_not_fit_are_refused() {
        let document = json(r#"{"cards":[{"id":"a","title":"A"}]}"#);
        let one = store(&document);
        let _ = one.edit(&Change::decode(&json(r#"[{"op":"remove","path":"/cards/0"}]"#)).unwrap(), "an edit");
        let standing = json(&one.standing());
        assert!(one.stand(&standing).is_err());
        assert!(store(&document).stand(&json("{}")).is_err());
        let off = standing.to_text().replace(r#""place":0"#, r#""place":7"#);
        assert!(store(&one.read()).stand(&json(&off)).is_err(), "the way back leads from another document");
        assert!(store(&one.read()).stand(&standing).is_ok());
        for wrong in [r#"{"type":"erase"}"#, r#"{"type":"change","label":"x","change":[{"op":"add"}]}"#, "7", r#"{"type":"change"}"#] {
            assert!(one.perform(&json(wrong)).is_err(), "{wrong}");
        }
    }
}
