//! Holds one document: its revision, its faults, and the steps that can be taken back.
//!
//! Enters: edits of the person, checked proposals of a turn. Leaves: a patch for every change. The handle is
//! shared by cloning. Steps are known by ids that are never used again, never by their depth or content.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use serde::Serialize;

use crate::protocol::command::ToolOutcome;
use crate::protocol::error::Fault;
use crate::protocol::fields::Fields;
use crate::protocol::json::Json;
use crate::protocol::patch::{JsonPatch, decode_patch};
use crate::protocol::places::KeptPlaces;
use crate::protocol::text::{cap, echo};
use crate::tools::canonical::{canonical_json, sha256_hex};
use crate::tools::core_tool::{CoreTool, Sight};

use super::definition::Definition;
use super::edit::Edit;
use super::effect::Effect;
use super::fault::Faults;
use super::index::Index;
use super::journal::{Followers, Told};
use super::live::{Live, Tried, nests_within};
use super::look::clean_index;
use super::outcome::{CommitOutcome, CommitRefusal, HistoryEntry, TurnStanding};
use super::patch::{apply, diff_by};
use super::pointer::MAX_SEGMENTS;
use super::rehearsal::Draft;
use super::share::share;
use super::sight::Lent;
use super::steps::{Part, Recent, Step};

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
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
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

    /// What a tool proposes, where it does; else why nothing can come of it.
    pub fn proposed(outcome: &ToolOutcome) -> Result<Option<Change>, CommitOutcome> {
        let refused = |refusal, why: &str| Err(CommitOutcome::refused(refusal, why));
        match outcome {
            ToolOutcome::Ok { document: Some(_), patch: Some(_), .. } => {
                refused(CommitRefusal::InvalidDocument, "a tool returns a document or a patch, not both; nothing was changed")
            }
            ToolOutcome::Ok { document: Some(document), .. } => Ok(Some(Change::Document(document.clone()))),
            ToolOutcome::Ok { patch, .. } => Ok(patch.clone().map(Change::Patch)),
            ToolOutcome::Error { result, .. } => refused(CommitRefusal::ToolError, result),
            ToolOutcome::Unknown { .. } => {
                refused(CommitRefusal::ToolError, "nobody knows whether the tool took effect; the document was not changed")
            }
        }
    }
}

/// One document shared by all who hold a clone of this.
#[derive(Clone)]
pub struct DocumentStore {
    // INVARIANT: nothing is borrowed while a host's `rules` run, for they are foreign code
    pub(super) inner: Rc<RefCell<Inner>>,
}

pub(super) struct Inner {
    pub(super) definition: Rc<dyn Definition>,
    pub(super) id_keys: Rc<[String]>,
    pub(super) live: Live,
    pub(super) revision: u64,
    pub(super) undo: Vec<Step>,
    pub(super) redo: Vec<Step>,
    pub(super) next_step: u64,
    pub(super) last_writer: u64,
    // steps up to this one left the history by age
    pub(super) aged_step: u64,
    // turns of which a step left the history by age: what it did can no longer be taken back
    pub(super) trimmed: KeptPlaces,
    pub(super) recent: Recent,
    pub(super) followers: Followers,
    pub(super) options: StoreOptions,
    digest: Option<String>,
}

/// A whole document that was read and checked.
pub(super) struct Version {
    pub(super) document: Json,
    pub(super) faults: Faults,
    pub(super) index: Option<Index>,
}

/// Which turn a change belongs to. Turn ids are unique in one conversation; conversations without a name of their own
/// are told apart by the number the store gave their loop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
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

impl DocumentStore {
    /// Takes in a first document. One whose shape cannot be read is a fault; one with faulty content is held, and `issues` tells.
    pub fn new(definition: Rc<dyn Definition>, initial: &Json, options: StoreOptions) -> Result<DocumentStore, Fault> {
        let mut faults = Faults::new();
        let Some(document) = read(&*definition, initial, &mut faults) else {
            let first = faults.lines().first().cloned().unwrap_or_default();
            return Err(Fault::at("unreadable_document", "initial", first));
        };
        let index = check(&*definition, &document, &mut faults);
        let live = Live::new(definition.sections(), document, faults, index);
        let options = StoreOptions { history: options.history.max(1), ..options };
        let inner = Inner {
            id_keys: definition.id_keys().into_iter().map(str::to_owned).collect(),
            definition,
            live,
            revision: 1,
            undo: Vec::new(),
            redo: Vec::new(),
            next_step: 1,
            last_writer: 0,
            aged_step: 0,
            trimmed: KeptPlaces::new(),
            recent: Recent::default(),
            followers: Followers::default(),
            options,
            digest: None,
        };
        Ok(DocumentStore { inner: Rc::new(RefCell::new(inner)) })
    }

    /// The document, defaults filled in; it shares its parts with the store.
    #[must_use]
    pub fn read(&self) -> Json {
        self.inner.borrow().document().clone()
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
        let document = inner.document().clone();
        inner.digest.get_or_insert_with(|| sha256_hex(canonical_json(&document).as_bytes())).clone()
    }

    /// What is wrong with the document, at most 100 lines `class: path: text`.
    #[must_use]
    pub fn issues(&self) -> Vec<String> {
        self.inner.borrow_mut().faults().lines().to_vec()
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

    /// Runs a core tool on the document; it may not call back in.
    #[must_use]
    pub fn run(&self, tool: &dyn CoreTool, input: &Json) -> ToolOutcome {
        let mut outcome = None;
        self.lend(&mut |sight| outcome = Some(tool.run_on(sight, input)));
        outcome.unwrap_or_else(|| tool.run(&Json::Null, input))
    }

    /// Lends the document to be looked at; `look` may not call back in.
    pub fn lend(&self, look: &mut dyn FnMut(&dyn Sight)) {
        let mut inner = self.inner.borrow_mut();
        let definition = Rc::clone(&inner.definition);
        if let Some(by_entity) = definition.by_entity() {
            inner.live.ensure_index(definition.sections(), by_entity);
        }
        look(&Lent::live(&inner.live, definition.sections()));
    }

    /// The document to be changed for a moment. It lacks its index until the draft is given back, so that nobody may look at it
    /// before; where a host's `rules` may do that it has none.
    pub(crate) fn draft(&self) -> Draft {
        let inner = &mut *self.inner.borrow_mut();
        let definition = Rc::clone(&inner.definition);
        if let Some(by_entity) = definition.by_entity() {
            inner.live.ensure_index(definition.sections(), by_entity);
        }
        Draft::new(definition, Rc::clone(&inner.id_keys), inner.live.lend())
    }

    /// Gives a draft back: the document is what it was.
    pub(crate) fn end(&self, draft: Draft) {
        draft.end(&mut self.inner.borrow_mut().live);
    }

    /// The document at a revision as far as it is remembered, or how it came to be this one.
    pub(super) fn effect_since(&self, revision: u64) -> Option<Effect> {
        let inner = self.inner.borrow();
        let sections = inner.definition.sections();
        if let Some(edits) = inner.recent.since(revision) {
            let edits: Vec<Edit> = edits.iter().map(|(_, edit)| edit.clone()).collect();
            if let Some(effect) = inner.live.index().and_then(|index| Effect::of_edits(&edits, sections, index)) {
                return Some(effect);
            }
        }
        inner.recent.at(revision).map(|then| Effect::between(then, inner.document(), sections))
    }

    /// Lets go of the document as one value; it is put together again when it is read. For those who follow its changes.
    pub fn loosen(&self) {
        self.inner.borrow_mut().live.loosen();
    }

    /// What leads from the document at a revision to the one now, whole entities with their keys in order; nothing where
    /// that is not known any more and the document has to be read.
    #[must_use]
    pub fn changes_since(&self, revision: u64) -> Option<JsonPatch> {
        let inner = self.inner.borrow();
        inner.recent.since(revision).map(|edits| edits.iter().map(|(_, edit)| edit.operation(inner.definition.sections())).collect())
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

    /// Makes a change for a turn, where it brings no fault the document did not have. It joins the turn's step while that is the
    /// last one made, and opens another otherwise.
    pub fn commit_turn(&self, turn: &TurnKey, label: &str, change: &Change) -> CommitOutcome {
        self.make(change, label, Some(turn))
    }

    /// Takes the last step back.
    pub fn undo(&self) -> CommitOutcome {
        let mut inner = self.inner.borrow_mut();
        let Some(step) = inner.undo.pop() else { return CommitOutcome::Unchanged };
        let outcome = inner.retrace(&step, false);
        inner.followers.tell(&Told::Undo);
        inner.redo.push(step);
        outcome
    }

    /// Makes the step that was taken back last once more.
    pub fn redo(&self) -> CommitOutcome {
        let mut inner = self.inner.borrow_mut();
        let Some(mut step) = inner.redo.pop() else { return CommitOutcome::Unchanged };
        let outcome = inner.retrace(&step, true);
        inner.followers.tell(&Told::Redo);
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

    /// The turn that made the last step that can be undone, where a turn made it.
    #[must_use]
    pub fn last_turn(&self) -> Option<String> {
        self.inner.borrow().undo.last()?.turn.as_ref().map(|turn| turn.turn_id.clone())
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

    pub(super) fn make(&self, change: &Change, label: &str, turn: Option<&TurnKey>) -> CommitOutcome {
        let outcome = self.made(change, label, turn);
        if let CommitOutcome::Committed { .. } = outcome {
            self.inner.borrow_mut().followers.tell(&Told::Change { label, turn, change });
        }
        outcome
    }

    fn made(&self, change: &Change, label: &str, turn: Option<&TurnKey>) -> CommitOutcome {
        if let Change::Patch(patch) = change
            && let Some(outcome) = self.inner.borrow_mut().make_in_place(patch, label, turn)
        {
            return outcome;
        }
        match self.check_whole(change) {
            Ok((base, Some(next))) => self.inner.borrow_mut().make_whole(base, next, label, turn),
            Ok((_, None)) => CommitOutcome::Unchanged,
            Err(refused) => refused,
        }
    }

    /// Reads and checks the whole document a change leads to; only faults the document did not have refuse it. Nothing where it
    /// is the document as it is.
    fn check_whole(&self, change: &Change) -> Result<(u64, Option<Version>), CommitOutcome> {
        let (definition, id_keys, current, earlier, base) = {
            let mut inner = self.inner.borrow_mut();
            let earlier = inner.faults();
            (Rc::clone(&inner.definition), Rc::clone(&inner.id_keys), inner.document().clone(), earlier, inner.revision)
        };
        Ok((base, check_change(&*definition, &names(&id_keys), &current, &earlier, change)?))
    }
}

/// Reads and checks the whole document a change of `current` leads to; nothing where it is the document as it is.
pub(super) fn check_change(
    definition: &dyn Definition,
    id_keys: &[&str],
    current: &Json,
    earlier: &Faults,
    change: &Change,
) -> Result<Option<Version>, CommitOutcome> {
    let invalid = |message: String| CommitOutcome::refused(CommitRefusal::InvalidDocument, message);
    let proposed = match change {
        Change::Document(document) => document.clone(),
        Change::Patch(patch) => apply(current, patch).map_err(|fault| invalid(format!("the patch does not fit: {fault}")))?,
    };
    let mut faults = Faults::after(earlier);
    let document = read(definition, &proposed, &mut faults).ok_or_else(|| invalid(faults.message()))?;
    let document = share(current, &document, id_keys);
    if document == *current {
        return Ok(None);
    }
    let index = check(definition, &document, &mut faults);
    if !faults.nothing_new() {
        return Err(invalid(faults.message()));
    }
    Ok(Some(Version { document, faults, index }))
}

/// What is said where a change was made for a document that is no longer there.
pub(crate) fn changed_under_way() -> CommitOutcome {
    CommitOutcome::refused(
        CommitRefusal::DocumentChanged,
        "the document changed while the call ran, so its change was not made; read the document again before trying once more",
    )
}

impl Inner {
    pub(super) fn document(&self) -> &Json {
        self.live.document(self.definition.sections())
    }

    fn faults(&mut self) -> Rc<Faults> {
        self.live.faults(&*self.definition)
    }

    /// Makes a patch entity by entity, where that is certain to be right.
    fn make_in_place(&mut self, patch: &JsonPatch, label: &str, turn: Option<&TurnKey>) -> Option<CommitOutcome> {
        let (before, effort) = (self.live.faults.clone(), self.live.effort);
        match self.live.try_patch(&*self.definition, &names(&self.id_keys), patch)? {
            Tried::Unchanged => Some(CommitOutcome::Unchanged),
            Tried::Changed { edits, patch } => {
                let outcome = self.committed(patch);
                self.recent.add(self.revision, &edits);
                self.push((before, effort), edits.into_iter().map(Part::Entity).collect(), label, turn);
                Some(outcome)
            }
        }
    }

    fn make_whole(&mut self, base: u64, next: Version, label: &str, turn: Option<&TurnKey>) -> CommitOutcome {
        if self.revision != base {
            return changed_under_way();
        }
        let (before, known) = (self.document().clone(), (self.live.faults.clone(), self.live.effort));
        self.live = Live::new(self.definition.sections(), next.document, next.faults, next.index);
        let after = self.document().clone();
        let patch = diff_by(&before, &after, &names(&self.id_keys));
        let outcome = self.committed(patch);
        self.recent.forget(self.revision, &before);
        self.push(known, vec![Part::Whole { before, after }], label, turn);
        outcome
    }

    /// Makes a step once more, or takes it back.
    fn retrace(&mut self, step: &Step, forward: bool) -> CommitOutcome {
        let (known, id_keys) = (if forward { &step.after } else { &step.before }, names(&self.id_keys));
        let patch = match step.edits(forward) {
            Some(edits) => {
                let patch = self.live.retrace(&*self.definition, &id_keys, &edits);
                self.recent.add(self.revision + 1, &edits);
                patch
            }
            None => {
                let before = self.document().clone();
                self.live.put(before.clone());
                step.walk(forward, &mut self.live, self.definition.sections());
                self.recent.forget(self.revision + 1, &before);
                diff_by(&before, self.document(), &id_keys)
            }
        };
        (self.live.faults, self.live.effort) = known.clone();
        self.committed(patch)
    }

    /// The document is another now.
    fn committed(&mut self, patch: JsonPatch) -> CommitOutcome {
        self.revision += 1;
        self.digest = None;
        CommitOutcome::Committed { revision: self.revision, patch }
    }

    /// Records what led to the current version; `before` is what was known of the one before.
    fn push(&mut self, before: (Option<Rc<Faults>>, u64), parts: Vec<Part>, label: &str, turn: Option<&TurnKey>) {
        self.redo.clear();
        let (after, revision) = ((self.live.faults.clone(), self.live.effort), self.revision);
        if let Some(step) = self.undo.last_mut()
            && turn.is_some()
            && step.turn.as_ref() == turn
        {
            // INVARIANT: the document before this change is what the last step left, whoever undid and redid in between
            step.add(parts);
            step.after = after;
            step.revision = revision;
            return;
        }
        let id = self.next_step;
        self.next_step += 1;
        let mut step = Step { id, label: cap(label, LABEL_CODE_POINTS), turn: turn.cloned(), revision, parts: Vec::new(), before, after };
        step.add(parts);
        self.undo.push(step);
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
            // the document is always what the last step left
            (1, Some(_)) => TurnStanding::Undoable,
            _ => TurnStanding::Superseded,
        }
    }
}

pub(super) fn names(id_keys: &[String]) -> Vec<&str> {
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

/// Adds what is wrong with the content of a document that was read; the index is made on the way where it may be of use.
fn check(definition: &dyn Definition, document: &Json, faults: &mut Faults) -> Option<Index> {
    let (index, is_clean) = clean_index(definition, document);
    if !is_clean {
        definition.check(document, faults);
    }
    index
}
