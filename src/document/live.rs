//! The document as it is now, its index, and the changes that are made in its place, entity by entity.
//!
//! Enters: patches and edits. Leaves: what was done, or nothing where only a look at the whole document can tell
//! whether it may be done; then the document is as it was. What passes here would pass that look too.

use std::rc::Rc;
use std::sync::Arc;

use crate::protocol::json::Json;
use crate::protocol::patch::{JsonPatch, PatchOperation};

use super::definition::{ByEntity, Definition, Section};
use super::diff::diff_by;
use super::edit::{Edit, Net, net, patch_of, record};
use super::fault::Faults;
use super::index::{Index, targets, value_of};
use super::patch::{MAX_OPERATIONS, apply_at, parts};
use super::pointer::{self, MAX_SEGMENTS};

/// The most operations that are made entity by entity: more are sooner done with the document as a whole.
const MAX_EDITS: usize = 256;

/// The document with what is known of it.
pub(super) struct Live {
    pub(super) document: Json,
    /// What is wrong with it, where that is known.
    pub(super) faults: Option<Rc<Faults>>,
    /// What reading it took, at most.
    pub(super) effort: u64,
    /// Nothing until it is asked for.
    pub(super) index: Option<Index>,
}

/// What a patch came to.
pub(super) enum Tried {
    Unchanged,
    Changed { edits: Vec<Edit>, patch: JsonPatch },
}

impl Live {
    /// What is wrong with the document, looked for where it is not known.
    pub(super) fn faults(&mut self, definition: &dyn Definition) -> Rc<Faults> {
        let document = &self.document;
        let found = self.faults.get_or_insert_with(|| {
            let mut faults = Faults::new();
            definition.check(document, &mut faults);
            Rc::new(faults)
        });
        Rc::clone(found)
    }

    /// The index, made where there is none or the old one is worn.
    pub(super) fn indexed(&mut self, sections: &[Section], by_entity: &dyn ByEntity) -> &mut Index {
        if self.index.as_ref().is_some_and(Index::is_worn) {
            self.index = None;
        }
        let document = &self.document;
        self.index.get_or_insert_with(|| Index::of(sections, by_entity.numbered(), document))
    }

    /// Makes a patch that touches only entities, if it certainly brings no fault; nothing where that is not certain.
    pub(super) fn try_patch(&mut self, definition: &dyn Definition, id_keys: &[&str], patch: &[PatchOperation]) -> Option<Tried> {
        let by_entity = definition.by_entity().filter(|_| patch.len() <= MAX_EDITS)?;
        let sections = definition.sections();
        self.indexed(sections, by_entity);
        // whoever holds the document as it is makes it be copied; then what is refused leaves that very tree
        let kept = is_shared(&self.document).then(|| self.document.clone());
        let (mut edits, effort) = (Vec::new(), self.effort);
        let fits = patch.iter().all(|operation| self.apply(sections, operation, &mut edits).is_some());
        let nets = if fits { self.judged(sections, by_entity, &mut edits) } else { None };
        if let (Some(index), Some(nets)) = (&self.index, &nets)
            && !nets.is_empty()
        {
            let patch = bounded(patch_of(nets, sections, index, id_keys), &self.document);
            if self.faults.as_ref().is_some_and(|faults| faults.total() > 0) {
                self.faults = None;
            }
            return Some(Tried::Changed { edits, patch });
        }
        for edit in edits.iter().rev() {
            self.make(sections, &edit.inverse());
        }
        if let Some(kept) = kept {
            self.document = kept;
        }
        self.effort = effort;
        nets.map(|_| Tried::Unchanged)
    }

    /// Makes edits that were made before, or takes them back; the patch says what they come to.
    pub(super) fn retrace(&mut self, definition: &dyn Definition, id_keys: &[&str], edits: &[Edit]) -> JsonPatch {
        let sections = definition.sections();
        if let Some(by_entity) = definition.by_entity() {
            self.indexed(sections, by_entity);
        }
        let before = (edits.len() > MAX_EDITS).then(|| self.document.clone());
        for edit in edits {
            self.make(sections, edit);
        }
        match (before, &self.index) {
            (None, Some(index)) => bounded(patch_of(&net(edits), sections, index, id_keys), &self.document),
            (before, _) => diff_by(&before.unwrap_or_default(), &self.document, id_keys),
        }
    }

    /// Makes one edit in document and index.
    pub(super) fn make(&mut self, sections: &[Section], edit: &Edit) -> Option<()> {
        let section = sections.get(edit.list)?;
        let items = pointer::find_mut(&mut self.document, &section.segments)?.as_array_mut()?;
        match (&edit.before, &edit.after) {
            (None, Some(value)) if edit.place <= items.len() => {
                items.insert(edit.place, value.clone());
                if let Some(index) = &mut self.index {
                    index.insert(section, edit.list, edit.place, value);
                }
            }
            (Some(before), Some(after)) => {
                *items.get_mut(edit.place)? = after.clone();
                if let Some(index) = &mut self.index {
                    index.replace(section, edit.list, edit.place, before, after);
                }
            }
            (Some(_), None) if edit.place < items.len() => {
                items.remove(edit.place);
                if let Some(index) = &mut self.index {
                    index.remove(edit.list, edit.place);
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// Makes one operation of a patch; nothing where it does not fit or touches more than one entity.
    fn apply(&mut self, sections: &[Section], operation: &PatchOperation, edits: &mut Vec<Edit>) -> Option<()> {
        let (path, value) = parts(operation);
        let segments = pointer::parse(path).ok()?;
        if let PatchOperation::Test { .. } = operation {
            return (pointer::find(&self.document, &segments)? == value).then_some(());
        }
        let list = sections.iter().position(|section| segments.starts_with(&section.segments))?;
        let (_, inside) = segments.split_at_checked(sections.get(list)?.segments.len())?;
        let (place, rest) = inside.split_first()?;
        let items = sections.get(list)?.entities(&self.document);
        let is_new = rest.is_empty() && matches!(operation, PatchOperation::Add { .. });
        let place = if is_new && place == "-" { items.len() } else { pointer::index(place)? };
        let before = if is_new { None } else { Some(items.get(place)?.clone()) };
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
        nets.retain(|net| net.before != net.after);
        let index = self.index.as_ref()?;
        if index.entries() > by_entity.most_entries() || nets.iter().any(|net| is_moved(net, &nets, sections)) {
            return None;
        }
        let is_clean = self.faults.as_ref().is_some_and(|faults| faults.total() == 0);
        let mut look = Look { document: &self.document, index, sections, by_entity, is_clean, steps: steps_of(index) };
        nets.iter().all(|net| look.is_right(net.list, net.before.as_ref(), net.after.as_ref())).then_some(nets)
    }
}

/// The index of a document that was read, where nothing is wrong with its content.
pub(super) fn clean_index(definition: &dyn Definition, document: &Json) -> (Option<Index>, bool) {
    let Some(by_entity) = definition.by_entity() else { return (None, false) };
    let sections = definition.sections();
    let index = Index::of(sections, by_entity.numbered(), document);
    let mut look = Look { document, index: &index, sections, by_entity, is_clean: true, steps: steps_of(&index) };
    let is_clean = sections
        .iter()
        .enumerate()
        .all(|(list, section)| section.entities(document).iter().all(|entity| look.is_right(list, None, Some(entity))));
    (Some(index), is_clean)
}

/// Whether a value nests at most so many levels deep.
pub(super) fn nests_within(value: &Json, levels: usize) -> bool {
    match value {
        Json::Array(items) => levels > 0 && items.iter().all(|item| nests_within(item, levels - 1)),
        Json::Object(object) => levels > 0 && object.iter().all(|(_, item)| nests_within(item, levels - 1)),
        _ => true,
    }
}

/// Looks for faults around entities that changed.
struct Look<'a> {
    document: &'a Json,
    index: &'a Index,
    sections: &'a [Section],
    by_entity: &'a dyn ByEntity,
    /// Whether nothing was wrong with the document before.
    is_clean: bool,
    /// How many parents may still be followed.
    steps: usize,
}

impl Look<'_> {
    /// Whether it is certain that what became of an entity brought no fault.
    fn is_right(&mut self, list: usize, before: Option<&Json>, after: Option<&Json>) -> bool {
        let Some(section) = self.sections.get(list) else { return false };
        let (old, new) = (id_of(before, section), id_of(after, section));
        if old != new
            && (new.is_some_and(|id| !self.is_free(section, list, id))
                || old.is_some_and(|id| !self.index.has(list, id) && self.index.is_missed(self.sections, list, id)))
        {
            return false;
        }
        let same =
            |reference| old == new && before.map(|entity| value_of(entity, reference)) == after.map(|entity| value_of(entity, reference));
        for reference in section.references.iter().filter(|reference| !same(reference)) {
            for target in targets(after.and_then(|entity| value_of(entity, reference))) {
                let known = |id: &str| reference.sections.iter().any(|name| self.knows(name, id));
                if !target.as_str().is_some_and(known) {
                    return false;
                }
            }
        }
        let Some(parent) = &section.acyclic else { return true };
        let up = |entity: Option<&Json>| entity.and_then(|entity| pointer::find(entity, parent)).and_then(Json::as_str).map(str::to_owned);
        if old == new && up(before) == up(after) {
            return true;
        }
        // where an id stands twice or parents lead round already, what is found depends on where each walk begins
        self.is_clean && new.is_none_or(|id| self.leads_out(section, list, parent, id, after))
    }

    /// Whether nothing else has an id that came into the list, and it is well formed.
    fn is_free(&self, section: &Section, list: usize, id: &str) -> bool {
        let shares = |other: &Section| section.namespace.is_some() && other.namespace == section.namespace;
        let is_taken = |(at, other): (usize, &Section)| at != list && shares(other) && self.index.has(at, id);
        self.by_entity.is_plain_id(id) && !self.index.has_twice(list, id) && !self.sections.iter().enumerate().any(is_taken)
    }

    fn knows(&self, name: &str, id: &str) -> bool {
        super::index::list_of(self.sections, name).is_some_and(|list| self.index.has(list, id))
    }

    /// Whether following the parents of an entity ends.
    fn leads_out(&mut self, section: &Section, list: usize, parent: &[String], id: &str, entity: Option<&Json>) -> bool {
        // nothing leads to what nobody names
        if section.references.iter().any(|reference| reference.segments == parent && reference.sections.contains(&section.name))
            && !self.index.is_named(id)
        {
            return true;
        }
        let items = section.entities(self.document);
        let mut at = entity;
        while let Some(above) = at.and_then(|entity| pointer::find(entity, parent)).and_then(Json::as_str) {
            if above == id || self.steps == 0 {
                return false;
            }
            self.steps -= 1;
            at = self.index.places(list, above).first().and_then(|place| items.get(*place));
        }
        true
    }
}

fn id_of<'a>(entity: Option<&'a Json>, section: &Section) -> Option<&'a str> {
    entity?.get(&section.id_key)?.as_str()
}

/// Whether an entity went from one place and came to another: what that means is for a look at the whole list.
fn is_moved(net: &Net, nets: &[Net], sections: &[Section]) -> bool {
    let Some(section) = sections.get(net.list).filter(|_| net.after.is_none()) else { return false };
    let id = id_of(net.before.as_ref(), section);
    nets.iter().any(|other| other.list == net.list && other.after.is_some() && id_of(other.after.as_ref(), section) == id)
}

/// So many parents are followed for one change; whoever nests deeper is looked at as a whole.
fn steps_of(index: &Index) -> usize {
    4 * index.entries() + 1024
}

fn is_shared(document: &Json) -> bool {
    matches!(document, Json::Object(object) if Arc::strong_count(object) > 1)
}

/// A patch longer than any that is applied is the document instead.
fn bounded(patch: JsonPatch, document: &Json) -> JsonPatch {
    if patch.len() > MAX_OPERATIONS {
        return vec![PatchOperation::Replace { path: String::new(), value: document.clone() }];
    }
    patch
}
