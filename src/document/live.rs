//! The document as it is now, entity by entity beside an index, and the changes that are made in its place.
//!
//! Enters: patches and edits. Leaves: what was done, or nothing where only a look at the whole document can tell
//! whether it may be done; then the document is as it was. As one value it is put together when it is read.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use crate::protocol::json::Json;
use crate::protocol::patch::{JsonPatch, PatchOperation};

use super::definition::{ByEntity, Definition, Section};
use super::diff::diff_by;
use super::edit::{Edit, Net, half_of, join_halves, net, patch_of, record};
use super::fault::Faults;
use super::index::Index;
use super::look::{Look, id_of};
use super::patch::{MAX_OPERATIONS, apply_at, parts};
use super::pointer::{self, MAX_SEGMENTS};

/// The most operations that are made entity by entity: more are sooner done with the document as a whole.
const MAX_EDITS: usize = 256;

/// The document with what is known of it.
pub(super) struct Live {
    /// As one value, where that is at hand.
    // INVARIANT: it is where there is no index
    whole: OnceCell<Json>,
    /// What is not in the lists, where there is an index.
    frame: Json,
    /// Nothing until it is asked for.
    index: Option<Index>,
    /// What is wrong with it, where that is known.
    pub(super) faults: Option<Rc<Faults>>,
    /// What reading it took, at most.
    pub(super) effort: u64,
}

/// What a patch came to.
pub(super) enum Tried {
    Unchanged,
    Changed { edits: Vec<Edit>, patch: JsonPatch },
}

impl Live {
    /// A document that was read and checked.
    pub(super) fn new(sections: &[Section], document: Json, faults: Faults, index: Option<Index>) -> Live {
        let frame = if index.is_some() { frame_of(sections, &document) } else { Json::Null };
        Live { whole: OnceCell::from(document), frame, index, effort: faults.effort(), faults: Some(Rc::new(faults)) }
    }

    /// The document as one value.
    pub(super) fn document(&self, sections: &[Section]) -> &Json {
        self.whole.get_or_init(|| {
            let mut whole = self.frame.clone();
            for (list, section) in sections.iter().enumerate() {
                if let (Some(slot), Some(index)) = (pointer::find_mut(&mut whole, &section.segments), &self.index) {
                    *slot = index.whole(list);
                }
            }
            whole
        })
    }

    /// The document with its lists empty, where it is kept so; else all of it.
    pub(super) fn frame(&self, sections: &[Section]) -> &Json {
        if self.index.is_some() { &self.frame } else { self.document(sections) }
    }

    /// Another document altogether.
    pub(super) fn put(&mut self, document: Json) {
        self.whole = OnceCell::from(document);
        self.index = None;
    }

    /// Lets go of the document as one value where it can be put together again.
    pub(super) fn loosen(&mut self) {
        if self.index.is_some() {
            self.whole.take();
        }
    }

    /// What is wrong with the document, looked for where it is not known.
    pub(super) fn faults(&mut self, definition: &dyn Definition) -> Rc<Faults> {
        if let Some(faults) = &self.faults {
            return Rc::clone(faults);
        }
        let mut faults = Faults::new();
        definition.check(self.document(definition.sections()), &mut faults);
        Rc::clone(self.faults.insert(Rc::new(faults)))
    }

    /// The index, where one was asked for.
    pub(super) fn index(&self) -> Option<&Index> {
        self.index.as_ref()
    }

    /// Makes an index where there is none or the old one is worn.
    pub(super) fn ensure_index(&mut self, sections: &[Section], by_entity: &dyn ByEntity) {
        if self.index.as_ref().is_none_or(Index::is_worn) {
            let document = self.document(sections);
            let (index, frame) = (Index::of(sections, by_entity.numbered(), document), frame_of(sections, document));
            (self.index, self.frame) = (Some(index), frame);
        }
    }

    /// Makes a patch that touches only entities, if it certainly brings no fault; nothing where that is not certain.
    pub(super) fn try_patch(&mut self, definition: &dyn Definition, id_keys: &[&str], patch: &[PatchOperation]) -> Option<Tried> {
        let by_entity = definition.by_entity().filter(|_| patch.len() <= MAX_EDITS)?;
        let sections = definition.sections();
        self.ensure_index(sections, by_entity);
        // somebody holds the document as it is: it is not touched, and what is refused leaves that very tree
        let kept = if self.whole.get().is_some_and(is_shared) { self.whole.take() } else { None };
        let (mut edits, effort) = (Vec::new(), self.effort);
        let fits = patch.iter().all(|operation| self.apply(sections, operation, &mut edits).is_some());
        let nets = if fits { self.judged(sections, by_entity, &mut edits) } else { None };
        if let (Some(index), Some(nets)) = (&self.index, &nets)
            && !nets.is_empty()
        {
            let patch = self.bounded(patch_of(nets, sections, index, id_keys), sections);
            if self.faults.as_ref().is_some_and(|faults| faults.total() > 0) {
                self.faults = None;
            }
            return Some(Tried::Changed { edits, patch });
        }
        for edit in edits.iter().rev() {
            self.make(sections, &edit.inverse());
        }
        if let Some(kept) = kept {
            self.whole = OnceCell::from(kept);
        }
        self.effort = effort;
        nets.map(|_| Tried::Unchanged)
    }

    /// The document for a draft: with its index where there is one, of which this keeps nothing until it is given back.
    pub(super) fn lend(&mut self) -> Live {
        let (whole, frame) = (self.whole.clone(), self.frame.clone());
        // nothing is put together from what is not there meanwhile
        self.whole.get_or_init(|| Json::Null);
        Live { whole, frame, index: self.index.take(), faults: self.faults.clone(), effort: self.effort }
    }

    /// Takes back what drafts made of the document that was lent.
    pub(super) fn take_back(&mut self, sections: &[Section], mut lent: Live, edits: &[Edit]) {
        for edit in edits.iter().rev() {
            lent.make(sections, &edit.inverse());
        }
        self.index = lent.index;
        if matches!(self.whole.get(), Some(Json::Null)) {
            self.whole.take();
        }
    }

    /// Makes edits that were made before, or takes them back; the patch says what they come to.
    pub(super) fn retrace(&mut self, definition: &dyn Definition, id_keys: &[&str], edits: &[Edit]) -> JsonPatch {
        let sections = definition.sections();
        if let Some(by_entity) = definition.by_entity() {
            self.ensure_index(sections, by_entity);
        }
        let before = (edits.len() > MAX_EDITS).then(|| self.document(sections).clone());
        for edit in edits {
            self.make(sections, edit);
        }
        match (before, &self.index) {
            (None, Some(index)) => {
                let mut nets = net(edits);
                join_halves(&mut nets, sections);
                self.bounded(patch_of(&nets, sections, index, id_keys), sections)
            }
            (before, _) => diff_by(&before.unwrap_or_default(), self.document(sections), id_keys),
        }
    }

    /// Makes one edit in the index, and in the one value where that costs as little.
    pub(super) fn make(&mut self, sections: &[Section], edit: &Edit) -> Option<()> {
        let (section, place) = (sections.get(edit.list)?, edit.place);
        let length = match (&self.index, self.whole.get()) {
            (Some(index), _) => index.len(edit.list),
            (None, whole) => section.entities(whole?).len(),
        };
        if place >= length + usize::from(edit.before.is_none()) || (edit.before.is_none() && edit.after.is_none()) {
            return None;
        }
        let is_cheap = self.index.is_none() || (edit.before.is_some() && edit.after.is_some()) || place + 1 >= length;
        if let Some(index) = &mut self.index {
            match (&edit.before, &edit.after) {
                (Some(before), Some(after)) => index.replace(section, edit.list, place, before, after),
                (None, Some(after)) => index.insert(section, edit.list, place, after),
                _ => index.remove(edit.list, place),
            }
            if !is_cheap || self.whole.get().is_some_and(is_shared) {
                self.whole.take();
            }
        }
        let Some(whole) = self.whole.get_mut() else { return Some(()) };
        let items = pointer::find_mut(whole, &section.segments)?.as_array_mut()?;
        match (&edit.before, &edit.after) {
            (Some(_), Some(after)) => *items.get_mut(place)? = after.clone(),
            (None, Some(after)) => items.insert(place, after.clone()),
            _ => {
                items.remove(place);
            }
        }
        Some(())
    }

    /// Makes one operation of a patch; nothing where it does not fit or touches more than one entity.
    fn apply(&mut self, sections: &[Section], operation: &PatchOperation, edits: &mut Vec<Edit>) -> Option<()> {
        let (path, value) = parts(operation);
        let segments = pointer::parse(path).ok()?;
        let Some(list) = sections.iter().position(|section| segments.starts_with(&section.segments)) else {
            // beside the lists nothing changes here, but it may be looked at
            let beside = !sections.iter().any(|section| section.segments.starts_with(&segments));
            let is_test = matches!(operation, PatchOperation::Test { .. });
            return (beside && is_test && pointer::find(&self.frame, &segments)? == value).then_some(());
        };
        let (_, inside) = segments.split_at_checked(sections.get(list)?.segments.len())?;
        let (place, rest) = inside.split_first()?;
        let index = self.index.as_ref()?;
        if let PatchOperation::Test { .. } = operation {
            return (pointer::find(index.entity(list, pointer::index(place)?)?, rest)? == value).then_some(());
        }
        let is_new = rest.is_empty() && matches!(operation, PatchOperation::Add { .. });
        let place = if is_new && place == "-" { index.len(list) } else { pointer::index(place)? };
        let before = if is_new { None } else { Some(index.entity(list, place)?.clone()) };
        let after = match (operation, &before) {
            (PatchOperation::Remove { .. }, _) if rest.is_empty() => None,
            (_, Some(before)) if !rest.is_empty() => {
                let mut next = before.clone();
                apply_at(&mut next, rest, operation).ok()?;
                Some(next)
            }
            _ => Some(value.clone()),
        };
        let edit = Edit { list, place, before, after };
        self.make(sections, &edit)?;
        record(edits, edit);
        Some(())
    }

    /// Fills in defaults and looks at everything the edits can have broken: what they came to, where that is certainly right.
    fn judged(&mut self, sections: &[Section], by_entity: &dyn ByEntity, edits: &mut Vec<Edit>) -> Option<Vec<Net>> {
        let mut nets = net(edits);
        for net in &mut nets {
            let (Some(place), Some(after)) = (net.place, &net.after) else { continue };
            if net.before.as_ref().is_some_and(|before| before.same_tree(after)) {
                continue;
            }
            let room = MAX_SEGMENTS.checked_sub(sections.get(net.list)?.segments.len() + 1)?;
            if !nests_within(after, room) {
                return None;
            }
            let filled = by_entity.entity(net.list, after, &mut self.effort)?;
            if !filled.same_tree(after) {
                let edit = Edit { list: net.list, place, before: Some(after.clone()), after: Some(filled.clone()) };
                self.make(sections, &edit)?;
                record(edits, edit);
                net.after = Some(filled);
            }
        }
        join_halves(&mut nets, sections);
        nets.retain(|net| net.before != net.after);
        let index = self.index.as_ref()?;
        if index.entries() > by_entity.most_entries() {
            return None;
        }
        let is_clean = self.faults.as_ref().is_some_and(|faults| faults.total() == 0);
        let mut look = Look::new(index, sections, by_entity, is_clean);
        let mut is_right = |net: &Net| {
            let Some(section) = sections.get(net.list) else { return false };
            let Some(half) = half_of(&nets, net, section) else {
                return look.is_right(net.list, net.before.as_ref(), net.after.as_ref());
            };
            // where parents lead round already, what is found depends on the order of the entities
            (is_clean || section.acyclic.is_none())
                && !id_of(half.before.as_ref().or(half.after.as_ref()), section).is_some_and(|id| index.has_twice(net.list, id))
                && (net.after.is_none() || look.is_right(net.list, half.before.as_ref(), net.after.as_ref()))
        };
        nets.iter().all(&mut is_right).then_some(nets)
    }

    /// A patch longer than any that is applied is the document instead.
    fn bounded(&self, patch: JsonPatch, sections: &[Section]) -> JsonPatch {
        if patch.len() > MAX_OPERATIONS {
            return vec![PatchOperation::Replace { path: String::new(), value: self.document(sections).clone() }];
        }
        patch
    }
}

/// Whether a value nests at most so many levels deep.
pub(super) fn nests_within(value: &Json, levels: usize) -> bool {
    match value {
        Json::Array(items) => levels > 0 && items.iter().all(|item| nests_within(item, levels - 1)),
        Json::Object(object) => levels > 0 && object.iter().all(|(_, item)| nests_within(item, levels - 1)),
        _ => true,
    }
}

/// The document with every list empty.
pub(super) fn frame_of(sections: &[Section], document: &Json) -> Json {
    let mut frame = document.clone();
    for section in sections {
        if let Some(list) = pointer::find_mut(&mut frame, &section.segments) {
            *list = Json::from(Vec::new());
        }
    }
    frame
}

fn is_shared(document: &Json) -> bool {
    matches!(document, Json::Object(object) if Arc::strong_count(object) > 1)
}
