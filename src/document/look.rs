//! Whether a change of single entities brought a fault, told from what is around them.
//!
//! Enters: entities before and after, the index as it is after. Leaves: yes, or a doubt that only a look at the
//! whole document can settle. What passes here would pass that look too.

use crate::protocol::json::Json;

use super::definition::{ByEntity, Definition, Section};
use super::index::{Index, list_of, targets, value_of};
use super::pointer;

/// The index of a document that was read, where nothing is wrong with its content.
pub(super) fn clean_index(definition: &dyn Definition, document: &Json) -> (Option<Index>, bool) {
    let Some(by_entity) = definition.by_entity() else { return (None, false) };
    let sections = definition.sections();
    let index = Index::of(sections, by_entity.numbered(), document);
    let mut look = Look::new(&index, sections, by_entity, true);
    let is_clean = sections
        .iter()
        .enumerate()
        .all(|(list, section)| section.entities(document).iter().all(|entity| look.is_right(list, None, Some(entity))));
    (Some(index), is_clean)
}

/// Looks for faults around entities that changed.
pub(super) struct Look<'a> {
    index: &'a Index,
    sections: &'a [Section],
    by_entity: &'a dyn ByEntity,
    /// Whether nothing was wrong with the document before.
    is_clean: bool,
    /// How many parents may still be followed.
    steps: usize,
}

impl<'a> Look<'a> {
    pub(super) fn new(index: &'a Index, sections: &'a [Section], by_entity: &'a dyn ByEntity, is_clean: bool) -> Look<'a> {
        // whoever nests so deep that parents are followed more often than this is looked at as a whole
        Look { index, sections, by_entity, is_clean, steps: 4 * index.entries() + 1024 }
    }

    /// Whether it is certain that what became of an entity brought no fault.
    pub(super) fn is_right(&mut self, list: usize, before: Option<&Json>, after: Option<&Json>) -> bool {
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
        list_of(self.sections, name).is_some_and(|list| self.index.has(list, id))
    }

    /// Whether following the parents of an entity ends.
    fn leads_out(&mut self, section: &Section, list: usize, parent: &[String], id: &str, entity: Option<&Json>) -> bool {
        // nothing leads to what nobody names
        if section.references.iter().any(|reference| reference.segments == parent && reference.sections.contains(&section.name))
            && !self.index.is_named(id)
        {
            return true;
        }
        let mut at = entity;
        while let Some(above) = at.and_then(|entity| pointer::find(entity, parent)).and_then(Json::as_str) {
            if above == id || self.steps == 0 {
                return false;
            }
            self.steps -= 1;
            at = self.index.places(list, above).first().and_then(|place| self.index.entity(list, *place));
        }
        true
    }
}

/// The id an entity has.
pub(super) fn id_of<'a>(entity: Option<&'a Json>, section: &Section) -> Option<&'a str> {
    entity?.get(&section.id_key)?.as_str()
}
