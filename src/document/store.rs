//! Holds one document: its revision, its faults, and the steps that can be taken back.
//!
//! Enters: edits of the person, checked proposals of a turn. Leaves: a patch for every change. The handle is
//! shared by cloning. Steps are known by ids that are never used again, never by their depth or content.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use crate::protocol::error::Fault;
use crate::protocol::fields::Fields;
use crate::protocol::json::Json;
use crate::protocol::patch::{JsonPatch, decode_patch};
use crate::protocol::places::KeptPlaces;
use crate::protocol::text::{cap, echo};
use crate::tools::canonical::{canonical_json, sha256_hex};

use super::definition::Definition;
use super::fault::Faults;
use super::outcome::{ChangeSource, CommitOutcome, CommitRefusal, HistoryEntry, TurnStanding};
use super::patch::{apply, diff_by};
use super::pointer::MAX_SEGMENTS;
use super::share::share;

/// How many steps are kept where nothing is said.
const HISTORY: usize = 20;
/// The longest label kept, in code points.
const LABEL_CODE_POINTS: usize = 200;

/// How a store is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreOptions {
    /// How many steps can be undone, at least one.
    pub history: usize,
    /// Whether the document is a sandbox: the only kind on which calls may run without a card.
    pub sandbox: bool,
}

impl Default for StoreOptions {
    fn default() -> StoreOptions {
        StoreOptions { history: HISTORY, sandbox: false }
    }
}

impl StoreOptions {
    /// Reads options from plain JSON; what is left out has its default.
    pub fn decode(value: &Json) -> Result<StoreOptions, Fault> {
        let mut fields = Fields::of(value, "invalid_options", "options")?;
        let history = match fields.opt_integer("history")?.map(usize::try_from) {
            None => HISTORY,
            Some(Ok(history)) if (1..=1000).contains(&history) => history,
            Some(_) => return Err(fields.fault("history", "the history has 1 to 1000 steps").expecting("a whole number from 1 to 1000")),
        };
        let sandbox = fields.opt_bool("sandbox")?.unwrap_or(false);
        fields.finish()?;
        Ok(StoreOptions { history, sandbox })
    }
}

/// A proposed change: the whole next document, or a patch of the current one.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// The whole next document.
    Document(Json),
    /// A patch of the current one.
    Patch(JsonPatch),
}

impl Change {
    /// Reads a change from plain JSON: a list is a patch, everything else a document.
    pub fn decode(value: &Json) -> Result<Change, Fault> {
        match value {
            Json::Array(_) => decode_patch(value).map(Change::Patch),
            document => Ok(Change::Document(document.clone())),
        }
    }
}

/// A change that was read, checked and found different; only a store makes one, and it holds for one revision.
#[derive(Debug)]
pub struct Proposal {
    base: u64,
    next: Version,
}

/// What checking a change came to.
#[derive(Debug)]
pub enum Checked {
    /// It may be made.
    Proposal(Proposal),
    /// It is the document as it is.
    Unchanged,
}

/// One document shared by all who hold a clone of this.
#[derive(Clone)]
pub struct DocumentStore {
    // INVARIANT: nothing is borrowed while a definition runs, for a host's `rules` are foreign code
    inner: Rc<RefCell<Inner>>,
}

struct Inner {
    definition: Rc<dyn Definition>,
    id_keys: Rc<[String]>,
    current: Version,
    revision: u64,
    undo: Vec<Step>,
    redo: Vec<Step>,
    next_step: u64,
    last_writer: u64,
    // steps up to this one left the history by age
    aged_step: u64,
    // turns of which a step left the history by age: what it did can no longer be taken back
    trimmed: KeptPlaces,
    options: StoreOptions,
    digest: Option<String>,
}

/// A document with what is wrong with it; cloning shares both.
#[derive(Clone, Debug)]
struct Version {
    document: Json,
    faults: Rc<Faults>,
}

/// Which turn a change belongs to. Turn ids are unique in one conversation; conversations without a name of their own
/// are told apart by the number the store gave their loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnKey {
    /// 0 where the turn id names its conversation.
    pub writer: u64,
    /// The turn's id.
    pub turn_id: String,
}

impl From<&str> for TurnKey {
    fn from(turn_id: &str) -> TurnKey {
        TurnKey { writer: 0, turn_id: turn_id.to_owned() }
    }
}

impl TurnKey {
    fn text(&self) -> String {
        format!("{}#{}", self.writer, self.turn_id)
    }
}

struct Step {
    id: u64,
    label: String,
    turn: Option<TurnKey>,
    revision: u64,
    before: Version,
    after: Version,
}

impl DocumentStore {
    /// Takes in a first document. One whose shape cannot be read is a fault; one with faulty content is held, and `issues` tells.
    pub fn new(definition: Rc<dyn Definition>, initial: &Json, options: StoreOptions) -> Result<DocumentStore, Fault> {
        let mut faults = Faults::new();
        let Some(document) = read(&*definition, initial, &mut faults) else {
            let first = faults.lines().first().cloned().unwrap_or_default();
            return Err(Fault::at("unreadable_document", "initial", first));
        };
        definition.check(&document, &mut faults);
        let current = Version { document, faults: Rc::new(faults) };
        let options = StoreOptions { history: options.history.max(1), ..options };
        let inner = Inner {
            id_keys: definition.id_keys().into_iter().map(str::to_owned).collect(),
            definition,
            current,
            revision: 1,
            undo: Vec::new(),
            redo: Vec::new(),
            next_step: 1,
            last_writer: 0,
            aged_step: 0,
            trimmed: KeptPlaces::new(),
            options,
            digest: None,
        };
        Ok(DocumentStore { inner: Rc::new(RefCell::new(inner)) })
    }

    /// The document, defaults filled in; it shares its parts with the store.
    #[must_use]
    pub fn read(&self) -> Json {
        self.inner.borrow().current.document.clone()
    }

    /// 1 at first, one more for every change, undo and redo included.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.inner.borrow().revision
    }

    /// SHA-256 of the canonical document; computed when asked, once for each revision.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut inner = self.inner.borrow_mut();
        let document = inner.current.document.clone();
        inner.digest.get_or_insert_with(|| sha256_hex(canonical_json(&document).as_bytes())).clone()
    }

    /// What is wrong with the document, at most 100 lines `class: path: text`.
    #[must_use]
    pub fn issues(&self) -> Vec<String> {
        self.inner.borrow().current.faults.lines().to_vec()
    }

    /// What the document must be.
    #[must_use]
    pub fn definition(&self) -> Rc<dyn Definition> {
        Rc::clone(&self.inner.borrow().definition)
    }

    /// Whether the document is a sandbox.
    #[must_use]
    pub fn is_sandbox(&self) -> bool {
        self.inner.borrow().options.sandbox
    }

    /// Whether both handles are of one store.
    #[must_use]
    pub fn same_store(&self, other: &DocumentStore) -> bool {
        Rc::ptr_eq(&self.inner, &other.inner)
    }

    /// Reads and checks a change without making it; only faults the document did not have refuse it.
    pub fn check(&self, change: &Change) -> Result<Checked, CommitOutcome> {
        let (definition, id_keys, current, base) = {
            let inner = self.inner.borrow();
            (Rc::clone(&inner.definition), Rc::clone(&inner.id_keys), inner.current.clone(), inner.revision)
        };
        let invalid = |message: String| CommitOutcome::refused(CommitRefusal::InvalidDocument, message);
        let proposed = match change {
            Change::Document(document) => document.clone(),
            Change::Patch(patch) => apply(&current.document, patch).map_err(|fault| invalid(format!("the patch does not fit: {fault}")))?,
        };
        let mut faults = Faults::after(&current.faults);
        let document = read(&*definition, &proposed, &mut faults).ok_or_else(|| invalid(faults.message()))?;
        let document = share(&current.document, &document, &names(&id_keys));
        if document == current.document {
            return Ok(Checked::Unchanged);
        }
        definition.check(&document, &mut faults);
        if !faults.nothing_new() {
            return Err(invalid(faults.message()));
        }
        Ok(Checked::Proposal(Proposal { base, next: Version { document, faults: Rc::new(faults) } }))
    }

    /// A number no other loop on this store has; `known` is one that a snapshot remembers, kept as it is.
    #[must_use]
    pub fn writer(&self, known: Option<u64>) -> u64 {
        let mut inner = self.inner.borrow_mut();
        let writer = known.unwrap_or(inner.last_writer.saturating_add(1));
        inner.last_writer = inner.last_writer.max(writer);
        writer
    }

    /// The person's own edit: a step of its own.
    pub fn edit(&self, change: &Change, label: &str) -> CommitOutcome {
        self.make(change, label, None)
    }

    /// Makes a checked change for a turn. It joins the turn's step while that is the last one made, and opens another otherwise.
    pub fn commit_turn(&self, turn: &TurnKey, label: &str, proposal: Proposal) -> CommitOutcome {
        self.commit_proposal(proposal, label, Some(turn))
    }

    /// Takes the last step back.
    pub fn undo(&self) -> CommitOutcome {
        let mut inner = self.inner.borrow_mut();
        let Some(step) = inner.undo.pop() else { return CommitOutcome::Unchanged };
        let outcome = inner.show(step.before.clone());
        inner.redo.push(step);
        outcome
    }

    /// Makes the step that was taken back last once more.
    pub fn redo(&self) -> CommitOutcome {
        let mut inner = self.inner.borrow_mut();
        let Some(mut step) = inner.redo.pop() else { return CommitOutcome::Unchanged };
        let outcome = inner.show(step.after.clone());
        step.revision = inner.revision;
        inner.undo.push(step);
        outcome
    }

    /// The steps that can be undone, oldest first.
    #[must_use]
    pub fn history(&self) -> Vec<HistoryEntry> {
        self.inner.borrow().undo.iter().map(Step::entry).collect()
    }

    /// Whether what this turn changed can be taken back as one step.
    #[must_use]
    pub fn turn_standing(&self, turn: &TurnKey) -> TurnStanding {
        self.inner.borrow().standing(turn)
    }

    /// The step made last, where one can be undone.
    #[must_use]
    pub fn last_step(&self) -> Option<u64> {
        self.inner.borrow().undo.last().map(|step| step.id)
    }

    /// Whether the history holds a step of this turn, done or taken back.
    #[must_use]
    pub fn holds_turn(&self, turn: &TurnKey) -> bool {
        let inner = self.inner.borrow();
        inner.undo.iter().chain(&inner.redo).any(|step| step.turn.as_ref() == Some(turn))
    }

    /// Whether this is a step of this turn: in the history, or gone from it by age.
    #[must_use]
    pub fn knows_step(&self, turn: &TurnKey, id: u64) -> bool {
        let inner = self.inner.borrow();
        let kept = inner.undo.iter().chain(&inner.redo).any(|step| step.id == id && step.turn.as_ref() == Some(turn));
        kept || (id <= inner.aged_step && inner.trimmed.contains_key(turn.text().as_str()))
    }

    /// Whether what a step changed is still in the document: it was not taken back (it may have left the history by age).
    #[must_use]
    pub fn step_stands(&self, id: u64) -> bool {
        let inner = self.inner.borrow();
        id <= inner.aged_step || inner.undo.iter().any(|step| step.id == id)
    }

    /// Takes back what a turn changed, where that is the last step made.
    pub fn undo_turn(&self, turn: &TurnKey) -> CommitOutcome {
        let standing = self.inner.borrow().standing(turn);
        match standing {
            TurnStanding::Undoable => self.undo(),
            TurnStanding::AlreadyUndone => CommitOutcome::Unchanged,
            TurnStanding::Superseded => CommitOutcome::refused(
                CommitRefusal::DocumentChanged,
                "the document was changed after this turn, and taking the turn back would take that back too",
            ),
        }
    }

    fn make(&self, change: &Change, label: &str, turn: Option<&TurnKey>) -> CommitOutcome {
        match self.check(change) {
            Ok(Checked::Proposal(proposal)) => self.commit_proposal(proposal, label, turn),
            Ok(Checked::Unchanged) => CommitOutcome::Unchanged,
            Err(refused) => refused,
        }
    }

    fn commit_proposal(&self, proposal: Proposal, label: &str, turn: Option<&TurnKey>) -> CommitOutcome {
        let mut inner = self.inner.borrow_mut();
        if inner.revision != proposal.base {
            return changed_under_way();
        }
        let before = inner.current.clone();
        let outcome = inner.show(proposal.next);
        inner.redo.clear();
        inner.push(before, cap(label, LABEL_CODE_POINTS), turn);
        outcome
    }
}

/// What is said where a change was made for a document that is no longer there.
pub(crate) fn changed_under_way() -> CommitOutcome {
    CommitOutcome::refused(
        CommitRefusal::DocumentChanged,
        "the document changed while the call ran, so its change was not made; read the document again before trying once more",
    )
}

impl Inner {
    /// Makes `version` the current one.
    fn show(&mut self, version: Version) -> CommitOutcome {
        let patch = diff_by(&self.current.document, &version.document, &names(&self.id_keys));
        self.current = version;
        self.revision += 1;
        self.digest = None;
        CommitOutcome::Committed { revision: self.revision, patch }
    }

    /// Records that `before` led to the current version.
    fn push(&mut self, before: Version, label: String, turn: Option<&TurnKey>) {
        let (after, revision) = (self.current.clone(), self.revision);
        if let Some(step) = self.undo.last_mut()
            && turn.is_some()
            && step.turn.as_ref() == turn
        {
            // INVARIANT: the document before this change is what the last step left, whoever undid and redid in between
            step.after = after;
            step.revision = revision;
            return;
        }
        let id = self.next_step;
        self.next_step += 1;
        self.undo.push(Step { id, label, turn: turn.cloned(), revision, before, after });
        while self.undo.len() > self.options.history {
            // at most a thousand steps: moving them up costs less than a queue's code
            let aged = self.undo.remove(0);
            self.aged_step = self.aged_step.max(aged.id);
            if let Some(turn) = aged.turn {
                self.trimmed.insert(Arc::from(turn.text()), 0);
            }
        }
    }

    fn standing(&self, turn: &TurnKey) -> TurnStanding {
        let own = |step: &&Step| step.turn.as_ref() == Some(turn);
        let steps = self.undo.iter().filter(own).count();
        if self.trimmed.contains_key(turn.text().as_str()) {
            return TurnStanding::Superseded;
        }
        match (steps, self.undo.last().filter(own)) {
            (0, _) => TurnStanding::AlreadyUndone,
            (1, Some(step)) if step.after.document == self.current.document => TurnStanding::Undoable,
            _ => TurnStanding::Superseded,
        }
    }
}

impl Step {
    fn entry(&self) -> HistoryEntry {
        HistoryEntry {
            id: self.id,
            label: self.label.clone(),
            source: if self.turn.is_some() { ChangeSource::Turn } else { ChangeSource::User },
            turn_id: self.turn.as_ref().map(|turn| turn.turn_id.clone()),
            revision: self.revision,
        }
    }
}

fn names(id_keys: &[String]) -> Vec<&str> {
    id_keys.iter().map(String::as_str).collect()
}

/// The checks every definition begins with, then its own.
fn read(definition: &dyn Definition, document: &Json, faults: &mut Faults) -> Option<Json> {
    if !matches!(document, Json::Object(_)) {
        let kind = echo(definition.kind());
        faults.add("missing-section", "document", "", || format!("a `{kind}` document is an object, not {}", document.kind()));
        return None;
    }
    if !nests_within(document, MAX_SEGMENTS) {
        faults.add("too-large", "document", "", || format!("a document nests at most {MAX_SEGMENTS} levels deep"));
        return None;
    }
    definition.read(document, faults)
}

fn nests_within(value: &Json, levels: usize) -> bool {
    match value {
        Json::Array(items) => levels > 0 && items.iter().all(|item| nests_within(item, levels - 1)),
        Json::Object(object) => levels > 0 && object.iter().all(|(_, item)| nests_within(item, levels - 1)),
        _ => true,
    }
}
