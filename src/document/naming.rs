//! What things are called: entities by their title or by what they join, references by what they lead to.
//!
//! Enters: the document after a change and what is another in it. Leaves: `Web → Orders` and `Nina (person-4)`, each by the names
//! of its own side of the change. Finds by ids, never by a walk; looks up no more names than are shown. No two targets look
//! alike: the id stands with every title, and no title or id can end where it does not and go on as if it were the next.

use crate::protocol::json::Json;
use crate::protocol::places::Places;
use crate::protocol::text::join;
use crate::tools::core_tool::Sight;
use crate::tools::summary::shorten;

use super::definition::{Reference, Section};
use super::effect::{Pair, VALUE};
use super::look::id_of;

/// The longest title and the longest id where a value is one reference, in code points as shown.
const SINGLE: (usize, usize) = (120, 60);
/// The same in a list: two of them and a count fit into a value.
const LISTED: (usize, usize) = (40, 40);
/// The longest name of one of two ends: both and an arrow fit into a title.
const END: usize = (VALUE - 3) / 2;
/// What the id behind a title takes at most.
const TWIN: usize = 63;
/// What the count of those that are hidden takes at most: `… 1,234,567 more …` and a comma.
const COUNT: usize = 24;

/// A side of a change.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
}

/// The names on both sides of a change.
pub(super) struct Naming<'a> {
    sections: &'a [Section],
    /// The document after the change.
    sight: &'a dyn Sight,
    pairs: &'a [Pair],
    /// The first pair of an id, and to every pair the next of its id.
    first: Places<'a>,
    later: Vec<usize>,
}

impl<'a> Naming<'a> {
    pub(super) fn new(sections: &'a [Section], sight: &'a dyn Sight, pairs: &'a [Pair]) -> Naming<'a> {
        let mut naming = Naming { sections, sight, pairs, first: Places::new(), later: vec![usize::MAX; pairs.len()] };
        for (at, pair) in pairs.iter().enumerate().rev() {
            let id = sections.get(pair.list).and_then(|section| id_of(pair.before.as_ref().or(pair.after.as_ref()), section));
            if let (Some(next), Some(slot)) = (naming.first.insert(id.unwrap_or_default(), at), naming.later.get_mut(at)) {
                *slot = next;
            }
        }
        naming
    }

    /// The value of a field as it is shown where the field holds references: by the names of what they lead to.
    pub(super) fn shown(&self, list: usize, field: &str, value: &Json, side: Side) -> Option<String> {
        let own = self.sections.get(list)?;
        references(own, field).next()?;
        let is_target = |section: &Section| leads_to(own, field, section);
        let name = |id: &str, room: (usize, usize)| match self.title_of(id, side, &is_target) {
            Some(title) => (true, [&*bare(&title, room.0), " (", &bare(id, room.1), ")"].concat()),
            None => (false, bare(id, room.1)),
        };
        match value {
            Json::String(id) if id.is_empty() => None,
            Json::String(id) => {
                let (is_named, name) = name(id, SINGLE);
                // alone, an id is as long as any value
                Some(if is_named { name } else { bare(id, VALUE) })
            }
            Json::Array(items) => {
                let ids: Vec<&str> = items.iter().map(Json::as_str).collect::<Option<_>>()?;
                listed(&ids, &mut |id| name(id, LISTED))
            }
            _ => None,
        }
    }

    /// The title an entity has.
    pub(super) fn title<'e>(&self, list: usize, entity: &'e Json) -> Option<&'e str> {
        let key = self.sections.get(list)?.title_key.as_ref()?;
        entity.get(key)?.as_str().filter(|title| !title.is_empty())
    }

    /// `Web → Orders`: the titles of what an entity without one joins on a side of the change, each the id where it has none.
    pub(super) fn joined(&self, list: usize, entity: &Json, side: Side) -> Option<String> {
        let section = self.sections.get(list)?;
        let mut names = Vec::new();
        for field in &section.title_from {
            let id = entity.get(field)?.as_str().filter(|id| !id.is_empty())?;
            let end = self.only(id, side, &|target| leads_to(section, field, target));
            let name = end.and_then(|(list, end)| self.title(list, end));
            names.push(shorten(name.unwrap_or(id), END));
        }
        (!names.is_empty()).then(|| join(&names, " → "))
    }

    /// The same, with its id behind it where something else of its section joins the same: alone on a card nobody could tell them apart.
    pub(super) fn told_by(&self, list: usize, entity: &Json, side: Side) -> Option<String> {
        let joined = self.joined(list, entity, side)?;
        let id = self.sections.get(list).and_then(|section| id_of(Some(entity), section)).unwrap_or_default();
        Some(if self.has_twin(list, entity, &joined) { with_id(&joined, id) } else { joined })
    }

    /// What an entity is called that another stands behind: by its title and its id, or by its id alone.
    pub(super) fn standing(&self, list: usize, entity: &Json) -> String {
        let id = self.sections.get(list).and_then(|section| id_of(Some(entity), section)).unwrap_or_default();
        match self.title(list, entity).map(str::to_owned).or_else(|| self.joined(list, entity, Side::After)) {
            Some(title) if title != id => [&*bare(&title, SINGLE.0), " (", &bare(id, SINGLE.1), ")"].concat(),
            _ => bare(id, VALUE),
        }
    }

    /// What the one entity of this id is called where it stands alone, whatever section it is in.
    pub(super) fn name_of(&self, id: &str) -> Option<String> {
        let (list, entity) = self.only(id, Side::After, &|_| true)?;
        let name = self.title(list, entity).map(str::to_owned).or_else(|| self.told_by(list, entity, Side::After));
        name.filter(|name| *name != id)
    }

    /// Whether another entity of the list joins the same, and has no title that says otherwise. It names the same end, so it is
    /// found without a search.
    fn has_twin(&self, list: usize, entity: &Json, joined: &str) -> bool {
        let Some(section) = self.sections.get(list) else { return false };
        let Some(field) = section.title_from.first() else { return false };
        let Some(end) = entity.get(field).and_then(Json::as_str) else { return false };
        let own = id_of(Some(entity), section);
        let is_twin = |other: &Json| {
            id_of(Some(other), section) != own
                && self.title(list, other).is_none_or(|title| title == joined)
                && section.title_from.iter().all(|field| other.get(field) == entity.get(field))
        };
        for target in self.sections.iter().filter(|target| leads_to(section, field, target)) {
            for (holder, place) in self.sight.holders(&target.name, end) {
                if holder == section.name && self.sight.entity(holder, place).is_some_and(is_twin) {
                    return true;
                }
            }
        }
        false
    }

    /// What the one entity of this id in the sections is called.
    fn title_of(&self, id: &str, side: Side, is_target: &dyn Fn(&Section) -> bool) -> Option<String> {
        let (list, entity) = self.only(id, side, is_target)?;
        let title = self.title(list, entity).map(str::to_owned).or_else(|| self.joined(list, entity, side));
        title.filter(|title| *title != id)
    }

    /// The one entity of this id in the sections.
    fn only(&self, id: &str, side: Side, is_target: &dyn Fn(&Section) -> bool) -> Option<(usize, &Json)> {
        let mut found = None;
        for (list, section) in self.sections.iter().enumerate().filter(|(_, section)| is_target(section)) {
            for entity in self.having(list, section, id, side) {
                if found.replace((list, entity)).is_some() {
                    return None;
                }
            }
        }
        found
    }

    /// The entities of this id in the list. What is not another stood there before as it stands there now.
    fn having(&self, list: usize, section: &Section, id: &str, side: Side) -> Vec<&Json> {
        let places = self.sight.places(&section.name, id);
        let mut all: Vec<&Json> = places.iter().filter_map(|place| self.sight.entity(&section.name, *place)).collect();
        let mut at = self.first.get(id).copied().filter(|_| side == Side::Before).unwrap_or(usize::MAX);
        let mut stood = Vec::new();
        while let Some(pair) = self.pairs.get(at) {
            let has_id = |entity: &&Json| pair.list == list && id_of(Some(entity), section) == Some(id);
            if let Some(now) = pair.after.as_ref().filter(has_id).and_then(|after| all.iter().position(|entity| *entity == after)) {
                all.remove(now);
            }
            stood.extend(pair.before.as_ref().filter(has_id));
            at = self.later.get(at).copied().unwrap_or(usize::MAX);
        }
        all.extend(stood);
        all
    }
}

/// `Web → Orders (flow-7)`: a title that others have too.
pub(super) fn with_id(title: &str, id: &str) -> String {
    [&*shorten(title, VALUE - TWIN), " (", &*shorten(id, TWIN - 3), ")"].concat()
}

/// The references an entity of the section holds in a field.
fn references<'a>(section: &'a Section, field: &str) -> impl Iterator<Item = &'a Reference> {
    section.references.iter().filter(move |reference| matches!(&reference.segments[..], [only] if only == field))
}

fn leads_to(section: &Section, field: &str, target: &Section) -> bool {
    references(section, field).any(|reference| reference.sections.contains(&target.name))
}

/// The first names while they fit, how many are hidden, and the last; nothing where none of them is known.
fn listed(ids: &[&str], name: &mut dyn FnMut(&str) -> (bool, String)) -> Option<String> {
    let (last, others) = ids.split_last()?;
    let (mut is_any, last) = name(last);
    let mut parts = Vec::new();
    let mut used = last.chars().count();
    for (at, id) in others.iter().enumerate() {
        let (is_named, part) = name(id);
        used += part.chars().count() + 2;
        let room = if at + 1 == others.len() { VALUE } else { VALUE - COUNT };
        if used > room {
            parts.push(format!("… {} more …", others.len() - at));
            break;
        }
        is_any |= is_named;
        parts.push(part);
    }
    parts.push(last);
    is_any.then(|| join(&parts, ", "))
}

/// A title or an id, as it is where it holds none of the signs that stand around them; else between quotes, of which it holds
/// none.
fn bare(text: &str, most: usize) -> String {
    let is_plain = !text.is_empty() && !text.contains(['"', '(', ')', ',', '…']) && text.trim() == text;
    if is_plain { shorten(text, most) } else { ["\"", &shorten(&text.replace('"', "\\u{22}"), most - 2), "\""].concat() }
}
