//! Where every entity of a document stands, who names whom, and which ids are free: kept beside the document
//! and changed with it, so that a change of one entity costs nothing for the others.
//!
//! Enters: a document, then every insertion, removal and replacement of an entity. Leaves: places. What two
//! entities of one id mean, or a reference to nothing, is none of its business: it holds them all.

mod columns;
mod order;

use std::collections::BinaryHeap;
use std::rc::Rc;
use std::sync::Arc;

use crate::protocol::json::{Json, exact_integer};
use crate::protocol::places::KeptPlaces;
use crate::tools::core_tool::ListColumn;

use super::definition::{Reference, Section};
use super::pointer;
use columns::Columns;
use order::Order;

/// Longer numbers in ids are somebody else's naming, not a counter to go on from.
const MAX_DIGITS: usize = 9;
/// No number: the end of a chain.
const NONE: u32 = u32::MAX;
/// From how many on entities are not looked up one by one.
const MANY: usize = 64;
/// How much may lie about unused before a new index is made.
const WORN: usize = 4096;

/// The index of one document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    /// Every text that is or was an id or a reference, with its number.
    names: KeptPlaces,
    /// For every name the first link that leads to it.
    named: Vec<u32>,
    lists: Vec<List>,
    entities: Vec<Entity>,
    links: Vec<Link>,
    // INVARIANT: the numbers of entities and links that are not in use
    free_entities: Vec<u32>,
    free_links: Vec<u32>,
    /// The field of one list whose largest number is known.
    numbered: Option<(usize, String)>,
    columns: Columns,
}

/// One section.
#[derive(Clone, Debug, Default)]
struct List {
    order: Order,
    /// For every name the first of the list's entities that has it as its id.
    by_name: Vec<u32>,
    // INVARIANT: the largest is one that an entity has; smaller ones may be left from entities that are gone
    id_numbers: BinaryHeap<u64>,
    field_numbers: BinaryHeap<u64>,
    /// Where the list stands among the others in the document.
    rank: usize,
}

#[derive(Clone, Debug)]
struct Entity {
    value: Json,
    list: usize,
    name: u32,
    /// The run of the order that holds it.
    run: u32,
    /// Another entity of that id in the list.
    same: u32,
    /// The first of its references.
    links: u32,
    /// What the counted field holds.
    number: Option<u32>,
}

/// One reference.
#[derive(Clone, Copy, Debug)]
struct Link {
    holder: u32,
    /// Which of the section's references.
    reference: usize,
    target: u32,
    /// The next reference of the holder.
    next: u32,
    /// The neighbours among the links to the same target.
    earlier: u32,
    later: u32,
}

impl Index {
    /// The index of a document; `numbered` is a section and a field whose largest number is asked for.
    pub(crate) fn of(sections: &[Section], numbered: Option<(&str, &str)>, document: &Json) -> Index {
        let mut index = Index::default();
        let ranks: Vec<Vec<usize>> = sections.iter().map(|section| key_places(document, &section.segments)).collect();
        for own in &ranks {
            index.lists.push(List { rank: ranks.iter().filter(|other| *other < own).count(), ..List::default() });
        }
        index.numbered = numbered.and_then(|(name, field)| Some((list_of(sections, name)?, field.to_owned())));
        for (list, section) in sections.iter().enumerate() {
            for (place, entity) in section.entities(document).iter().enumerate() {
                index.insert(section, list, place, entity);
            }
        }
        index
    }

    /// An entity came to stand at `place`.
    pub(crate) fn insert(&mut self, section: &Section, list: usize, place: usize, entity: &Json) {
        self.columns.forget(list);
        let new = Entity { value: entity.clone(), list, name: NONE, run: 0, same: NONE, links: NONE, number: None };
        let number = put(&mut self.entities, &mut self.free_entities, new);
        let (lists, entities) = (&mut self.lists, &mut self.entities);
        if let Some(own) = lists.get_mut(list) {
            own.order.insert(place, number, &mut |number, run| {
                if let Some(entity) = at_mut(entities, number) {
                    entity.run = run;
                }
            });
        }
        self.enter(section, number, entity);
    }

    /// The entity at `place` went.
    pub(crate) fn remove(&mut self, list: usize, place: usize) {
        let Some(number) = self.lists.get_mut(list).and_then(|own| own.order.remove(place)) else { return };
        self.columns.forget(list);
        self.leave(number);
        if let Some(entity) = at_mut(&mut self.entities, number) {
            entity.value = Json::Null;
        }
        self.free_entities.push(number);
        self.settle(list);
    }

    /// The entity at `place` is another now.
    pub(crate) fn replace(&mut self, section: &Section, list: usize, place: usize, before: &Json, after: &Json) {
        let counted = self.numbered.as_ref().filter(|(counted, _)| *counted == list).map(|(_, field)| field.as_str());
        let same = before.get(&section.id_key) == after.get(&section.id_key)
            && counted.is_none_or(|field| before.get(field) == after.get(field))
            && section.references.iter().all(|reference| value_of(before, reference) == value_of(after, reference));
        let Some(number) = self.lists.get(list).and_then(|own| own.order.at(place)) else { return };
        self.columns.forget(list);
        if let Some(entity) = at_mut(&mut self.entities, number) {
            entity.value = after.clone();
        }
        if !same {
            self.leave(number);
            self.enter(section, number, after);
            self.settle(list);
        }
    }

    /// The entity at `place`.
    pub(crate) fn entity(&self, list: usize, place: usize) -> Option<&Json> {
        let number = self.lists.get(list)?.order.at(place)?;
        get(&self.entities, number).map(|entity| &entity.value)
    }

    /// How many entities the list holds.
    pub(crate) fn len(&self, list: usize) -> usize {
        self.lists.get(list).map_or(0, |own| own.order.len())
    }

    /// The list as one value.
    pub(crate) fn whole(&self, list: usize) -> Json {
        let mut items = Vec::with_capacity(self.len(list));
        for number in self.lists.get(list).into_iter().flat_map(|own| own.order.numbers()) {
            items.extend(get(&self.entities, number).map(|entity| entity.value.clone()));
        }
        Json::from(items)
    }

    /// Where the entities of this id stand in the list, in order.
    pub(crate) fn places(&self, list: usize, id: &str) -> Vec<usize> {
        let mut places: Vec<usize> = Vec::new();
        let mut at = self.known(id).map_or(NONE, |name| self.first(list, name));
        while let Some(entity) = get(&self.entities, at) {
            if let Some(place) = self.place(at) {
                places.insert(places.partition_point(|other| *other < place), place);
            }
            at = entity.same;
        }
        places
    }

    /// Shows the entities of the list from a place on, in order, until `look` has seen enough.
    pub(crate) fn walk(&self, list: usize, from: usize, look: &mut dyn FnMut(&Json) -> bool) {
        let Some(own) = self.lists.get(list) else { return };
        own.order.walk(from, &mut |number| get(&self.entities, number).is_none_or(|entity| look(&entity.value)));
    }

    /// What the entities of the list hold at a place, where that is few texts and flags.
    pub(crate) fn column(&self, list: usize, place: &str) -> Option<Rc<ListColumn>> {
        self.columns.column(list, place, &|look| self.walk(list, 0, look))
    }

    /// Where the entities of the list stand that name this id in one of their references, in order and each once; nothing
    /// where they are so many that a look at the whole list is as quick.
    pub(crate) fn naming(&self, list: usize, references: &[usize], id: &str) -> Option<Vec<usize>> {
        let mut places: Vec<usize> = Vec::new();
        let mut at = self.known(id).and_then(|name| get(&self.named, name)).copied().unwrap_or(NONE);
        while let Some(link) = get(&self.links, at) {
            if get(&self.entities, link.holder).is_some_and(|entity| entity.list == list)
                && references.contains(&link.reference)
                && let Some(place) = self.place(link.holder)
                && let Err(before) = places.binary_search(&place)
            {
                if places.len() == MANY {
                    return None;
                }
                places.insert(before, place);
            }
            at = link.later;
        }
        Some(places)
    }

    /// Whether an entity of the list has this id.
    pub(crate) fn has(&self, list: usize, id: &str) -> bool {
        self.known(id).is_some_and(|name| self.first(list, name) != NONE)
    }

    /// Whether two entities of the list have this id.
    pub(crate) fn has_twice(&self, list: usize, id: &str) -> bool {
        let first = self.known(id).map_or(NONE, |name| self.first(list, name));
        get(&self.entities, first).is_some_and(|entity| entity.same != NONE)
    }

    /// Every entity that names this one of the list, once for each of its references that does; what came first is first.
    pub(crate) fn holders(&self, sections: &[Section], list: usize, id: &str) -> Vec<(usize, usize)> {
        let mut holders = Vec::new();
        self.links_to(sections, list, id, &mut |entity, number, _| {
            holders.extend(self.place(number).map(|place| (entity.list, place)));
            true
        });
        // the newest link is met first
        holders.reverse();
        holders
    }

    /// Whether something names this id of the list and means nothing else by it.
    pub(crate) fn is_missed(&self, sections: &[Section], list: usize, id: &str) -> bool {
        let mut missed = false;
        self.links_to(sections, list, id, &mut |_, _, reference| {
            missed = !reference.sections.iter().any(|name| list_of(sections, name).is_some_and(|other| self.has(other, id)));
            !missed
        });
        missed
    }

    /// Whether anything names this id.
    pub(crate) fn is_named(&self, id: &str) -> bool {
        self.known(id).is_some_and(|name| self.named.get(place_of(name)).is_some_and(|link| *link != NONE))
    }

    /// An id that nothing has in the list and the lists it shares its ids with: its number follows the largest in the list.
    pub(crate) fn fresh(&self, sections: &[Section], list: usize) -> String {
        let Some(section) = sections.get(list) else { return String::new() };
        let (prefix, space) = (prefix_of(section), section.namespace.as_deref());
        let mut next = self.lists.get(list).and_then(|own| own.id_numbers.peek()).map_or(0, |top| top >> 32) + 1;
        loop {
            let id = format!("{prefix}-{next}");
            let shares = |(other, known): (usize, &Section)| other == list || (space.is_some() && known.namespace.as_deref() == space);
            if !sections.iter().enumerate().any(|(at, other)| shares((at, other)) && self.has(at, &id)) {
                return id;
            }
            next += 1;
        }
    }

    /// The largest number in the counted field of its list.
    pub(crate) fn largest(&self, list: usize) -> f64 {
        let top = self.lists.get(list).and_then(|own| own.field_numbers.peek()).copied().unwrap_or(0);
        u32::try_from(top >> 32).map_or(0.0, f64::from)
    }

    /// How many entities there are.
    pub(crate) fn entries(&self) -> usize {
        self.entities.len() - self.free_entities.len()
    }

    /// Where the list stands among the others in the document.
    pub(crate) fn rank(&self, list: usize) -> usize {
        self.lists.get(list).map_or(0, |own| own.rank)
    }

    /// Whether so much of it is left from what is gone that a new one should be made.
    pub(crate) fn is_worn(&self) -> bool {
        let used = self.entries() + self.links.len() - self.free_links.len();
        let numbers: usize = self.lists.iter().map(|own| own.id_numbers.len() + own.field_numbers.len()).sum();
        self.names.len() > 2 * used + WORN || numbers > 4 * used + WORN
    }

    /// Takes in what an entity says: its id, its references, its number.
    fn enter(&mut self, section: &Section, number: u32, entity: &Json) {
        let Some(list) = get(&self.entities, number).map(|entity| entity.list) else { return };
        let name = match entity.get(&section.id_key) {
            Some(Json::String(id)) => self.name(id),
            _ => NONE,
        };
        let counted = self.numbered.as_ref().filter(|(counted, _)| *counted == list).and_then(|(_, field)| entity.get(field)?.as_number());
        let counted = counted.and_then(exact_integer).and_then(|whole| u32::try_from(whole).ok());
        let mut same = NONE;
        if let Some(own) = self.lists.get_mut(list) {
            if name != NONE {
                if own.by_name.len() <= place_of(name) {
                    own.by_name.resize(place_of(name) + 1, NONE);
                }
                if let Some(first) = at_mut(&mut own.by_name, name) {
                    same = std::mem::replace(first, number);
                }
                if let Some(value) = entity.get(&section.id_key).and_then(Json::as_str).and_then(|id| id_number(section, id)) {
                    own.id_numbers.push((value << 32) | u64::from(name));
                }
            }
            if let Some(value) = counted {
                own.field_numbers.push((u64::from(value) << 32) | u64::from(number));
            }
        }
        if let Some(own) = at_mut(&mut self.entities, number) {
            (own.name, own.same, own.number) = (name, same, counted);
        }
        for (place, reference) in section.references.iter().enumerate() {
            for target in targets(value_of(entity, reference)) {
                if let Json::String(text) = target {
                    self.link(number, place, text);
                }
            }
        }
    }

    /// Forgets what an entity said.
    fn leave(&mut self, number: u32) {
        let Some(entity) = at_mut(&mut self.entities, number) else { return };
        let (list, name, same, mut at) = (entity.list, entity.name, entity.same, entity.links);
        (entity.name, entity.same, entity.links, entity.number) = (NONE, NONE, NONE, None);
        if let Some(own) = self.lists.get_mut(list)
            && let Some(first) = at_mut(&mut own.by_name, name)
        {
            if *first == number {
                *first = same;
            } else {
                let mut at = *first;
                while let Some(other) = at_mut(&mut self.entities, at) {
                    if other.same == number {
                        other.same = same;
                        break;
                    }
                    at = other.same;
                }
            }
        }
        while let Some(link) = get(&self.links, at).copied() {
            match at_mut(&mut self.links, link.earlier) {
                Some(earlier) => earlier.later = link.later,
                None => {
                    if let Some(first) = at_mut(&mut self.named, link.target) {
                        *first = link.later;
                    }
                }
            }
            if let Some(later) = at_mut(&mut self.links, link.later) {
                later.earlier = link.earlier;
            }
            self.free_links.push(at);
            at = link.next;
        }
    }

    fn link(&mut self, holder: u32, reference: usize, target: &Arc<str>) {
        let target = self.name(target);
        let later = get(&self.named, target).copied().unwrap_or(NONE);
        let next = get(&self.entities, holder).map_or(NONE, |entity| entity.links);
        let new = Link { holder, reference, target, next, earlier: NONE, later };
        let link = put(&mut self.links, &mut self.free_links, new);
        if let Some(other) = at_mut(&mut self.links, later) {
            other.earlier = link;
        }
        if let Some(first) = at_mut(&mut self.named, target) {
            *first = link;
        }
        if let Some(entity) = at_mut(&mut self.entities, holder) {
            entity.links = link;
        }
    }

    /// Lets go of largest numbers that nothing has any more.
    fn settle(&mut self, list: usize) {
        let Some(own) = self.lists.get_mut(list) else { return };
        let low = |top: &u64| u32::try_from(*top & u64::from(u32::MAX)).unwrap_or(NONE);
        while own.id_numbers.peek().is_some_and(|top| get(&own.by_name, low(top)).is_none_or(|first| *first == NONE)) {
            own.id_numbers.pop();
        }
        let entities = &self.entities;
        let holds = |top: &u64| {
            let entity = get(entities, low(top));
            entity.is_some_and(|entity| entity.list == list && entity.number.map(u64::from) == Some(top >> 32))
        };
        while own.field_numbers.peek().is_some_and(|top| !holds(top)) {
            own.field_numbers.pop();
        }
    }

    /// Shows every link to an id of the list to `look`, until that has seen enough.
    fn links_to(&self, sections: &[Section], list: usize, id: &str, look: &mut dyn FnMut(&Entity, u32, &Reference) -> bool) {
        let Some(wanted) = sections.get(list) else { return };
        let mut at = self.known(id).and_then(|name| get(&self.named, name)).copied().unwrap_or(NONE);
        while let Some(link) = get(&self.links, at) {
            if let Some(entity) = get(&self.entities, link.holder)
                && let Some(reference) = sections.get(entity.list).and_then(|section| section.references.get(link.reference))
                && reference.sections.contains(&wanted.name)
                && !look(entity, link.holder, reference)
            {
                return;
            }
            at = link.later;
        }
    }

    fn place(&self, number: u32) -> Option<usize> {
        let entity = get(&self.entities, number)?;
        self.lists.get(entity.list)?.order.place(number, entity.run)
    }

    fn first(&self, list: usize, name: u32) -> u32 {
        self.lists.get(list).and_then(|own| get(&own.by_name, name)).copied().unwrap_or(NONE)
    }

    fn known(&self, text: &str) -> Option<u32> {
        self.names.get(text).and_then(|place| u32::try_from(*place).ok())
    }

    fn name(&mut self, text: &Arc<str>) -> u32 {
        let next = self.named.len();
        let place = *self.names.entry(Arc::clone(text)).or_insert(next);
        if place == next {
            self.named.push(NONE);
        }
        u32::try_from(place).unwrap_or(NONE)
    }
}

/// The place of the section of this name.
pub(crate) fn list_of(sections: &[Section], name: &str) -> Option<usize> {
    sections.iter().position(|section| section.name == name)
}

/// What stands where the reference is.
pub(super) fn value_of<'a>(entity: &'a Json, reference: &Reference) -> Option<&'a Json> {
    pointer::find(entity, &reference.segments)
}

/// The references a member holds: one, or one for each item.
pub(super) fn targets(value: Option<&Json>) -> &[Json] {
    match value {
        None | Some(Json::Null) => &[],
        Some(Json::Array(items)) => items,
        Some(single) => std::slice::from_ref(single),
    }
}

fn prefix_of(section: &Section) -> &str {
    section.id_prefix.as_deref().unwrap_or(&section.name)
}

/// The number an id made by the core ends with.
fn id_number(section: &Section, id: &str) -> Option<u64> {
    let digits = id.strip_prefix(prefix_of(section))?.strip_prefix('-')?;
    let plain = (1..=MAX_DIGITS).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    if plain { digits.parse().ok() } else { None }
}

/// The way to a section as the places of its keys, so that ways compare as the document has them in order.
fn key_places(document: &Json, segments: &[String]) -> Vec<usize> {
    let mut at = Some(document);
    let mut places = Vec::new();
    for segment in segments {
        places.push(at.and_then(Json::as_object).and_then(|object| object.keys().position(|key| **key == **segment)).unwrap_or(usize::MAX));
        at = at.and_then(|value| value.get(segment));
    }
    places
}

fn put<T>(slots: &mut Vec<T>, free: &mut Vec<u32>, value: T) -> u32 {
    if let Some(number) = free.pop()
        && let Some(slot) = at_mut(slots, number)
    {
        *slot = value;
        return number;
    }
    slots.push(value);
    u32::try_from(slots.len() - 1).unwrap_or(NONE)
}

fn get<T>(slots: &[T], number: u32) -> Option<&T> {
    slots.get(place_of(number))
}

fn at_mut<T>(slots: &mut [T], number: u32) -> Option<&mut T> {
    slots.get_mut(place_of(number))
}

fn place_of(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
