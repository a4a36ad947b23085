//! Where entities are read from: a document alone, or one that is lent with an index.

use std::rc::Rc;

use crate::protocol::json::Json;
use crate::tools::core_tool::{IndexedList, ListColumn, Sight};

use super::view::{Probe, SectionView};

/// A document to be read.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    Plain(&'a Json),
    Lent(&'a dyn Sight),
}

impl<'a> Source<'a> {
    /// The document, its lists perhaps empty.
    pub(super) fn frame(self) -> &'a Json {
        match self {
            Source::Plain(document) => document,
            Source::Lent(sight) => sight.frame(),
        }
    }

    /// The entities of a section, as far as there is a list.
    pub(super) fn entities(self, section: &SectionView<'_>) -> Entities<'a> {
        let document = match self {
            Source::Plain(document) => document,
            Source::Lent(sight) => match sight.list(section.list) {
                Some(list) => return Entities::Indexed(list),
                None => sight.document(),
            },
        };
        Entities::Plain(section.entities(document))
    }
}

/// The entities of one section, in document order.
pub(super) enum Entities<'a> {
    Plain(&'a [Json]),
    Indexed(Box<dyn IndexedList + 'a>),
}

impl Entities<'_> {
    pub(super) fn count(&self) -> usize {
        match self {
            Entities::Plain(entities) => entities.len(),
            Entities::Indexed(list) => list.count(),
        }
    }

    pub(super) fn at(&self, place: usize) -> Option<&Json> {
        match self {
            Entities::Plain(entities) => entities.get(place),
            Entities::Indexed(list) => list.entity(place),
        }
    }

    /// What the entities hold at a place, where an index knows it.
    pub(super) fn column(&self, place: &str) -> Option<Rc<ListColumn>> {
        match self {
            Entities::Plain(_) => None,
            Entities::Indexed(list) => list.column(place),
        }
    }

    /// Shows the entities from a place on, until `look` has seen enough.
    pub(super) fn walk(&self, from: usize, look: &mut dyn FnMut(&Json) -> bool) {
        match self {
            Entities::Plain(entities) => {
                for entity in entities.get(from..).unwrap_or_default() {
                    if !look(entity) {
                        return;
                    }
                }
            }
            Entities::Indexed(list) => list.walk(from, look),
        }
    }

    /// The first entity with this id.
    pub(super) fn find(&self, id_key: &str, id: &str) -> Option<Json> {
        if let Entities::Indexed(list) = self
            && let Some(places) = list.places_of(id_key, id)
        {
            return places.first().and_then(|place| list.entity(*place)).cloned();
        }
        let (mut found, wanted) = (None, Some(id));
        self.walk(0, &mut |entity| {
            if entity.get(id_key).and_then(Json::as_str) == wanted {
                found = Some(entity.clone());
            }
            found.is_none()
        });
        found
    }

    /// Shows the entities that hold `id` at the place, alone or in a list.
    pub(super) fn naming(&self, place: &str, id: &Json, look: &mut dyn FnMut(&Json)) {
        if let Entities::Indexed(list) = self
            && let Some(id) = id.as_str()
            && let Some(places) = list.naming(&mut std::iter::once(place), id)
        {
            return places.into_iter().filter_map(|place| list.entity(place)).for_each(look);
        }
        let mut probe = Probe::new(place);
        self.walk(0, &mut |entity| {
            let names = match probe.value(entity) {
                Some(Json::Array(items)) => items.contains(id),
                value => value == Some(id),
            };
            if names {
                look(entity);
            }
            true
        });
    }
}
