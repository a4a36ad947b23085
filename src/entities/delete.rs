//! One entity goes, and with it what the references to it say: who holds it back, who goes along, who lets go.
//!
//! Costs what goes and what names it, never what else the document holds, and gives up where that is too much.

use std::sync::Arc;

use crate::document::pointer;
use crate::protocol::json::Json;
use crate::protocol::patch::PatchOperation;
use crate::protocol::places::KeptPlaces;
use crate::protocol::reference::{OnDelete, Reference};
use crate::protocol::text::{echo, join};
use crate::tools::core_tool::{Kind, Sight};

use super::change::{id_of, kind_of, named, refuse_outer, targets};
use super::done::{Cascades, Done};

/// The most entities that go or change with one call.
const MAX_TOUCHED: usize = 10_000;
/// The most references that are looked at for it.
const MAX_LOOKS: usize = 200_000;
/// The most holders a refusal names.
const LISTED: usize = 5;

pub(super) fn delete(sight: &dyn Sight, input: &Json) -> Result<Done, String> {
    let fall = Fall::of(sight, input)?;
    if let Some(problem) = fall.refused() {
        return Err(problem);
    }
    let mut done = Done::new(fall.kind.name, fall.id, Vec::new());
    done.cascades = fall.cascades();
    for (_, path, value) in fall.cleared {
        done.patch.push(PatchOperation::Replace { path, value });
    }
    for (section, place) in &fall.gone {
        match done.removed.last_mut() {
            Some((last, places)) if last == section => places.push(*place),
            _ => done.removed.push(((*section).to_owned(), vec![*place])),
        }
    }
    Ok(done)
}

/// What would become of the document if one entity went.
pub(super) struct Fall<'a> {
    kind: Kind<'a>,
    id: &'a str,
    place: usize,
    // INVARIANT: both lists are in the order of the sections, then of the entities, whatever led to them
    /// What goes, that entity among it.
    gone: Vec<(&'a str, usize)>,
    /// What loses a reference: section, path, and how it is without.
    cleared: Vec<(&'a str, String, Json)>,
    /// What holds it back: the first few, and how many.
    holding: Vec<String>,
    held: usize,
}

impl<'a> Fall<'a> {
    pub(super) fn of(sight: &'a dyn Sight, input: &'a Json) -> Result<Fall<'a>, String> {
        let kind = kind_of(sight, input)?;
        let (id, place) = named(sight, &kind, input, "id")?;
        let mut walk =
            Walk { sight, kinds: sight.kinds(), ids: KeptPlaces::new(), gone: Met::default(), holders: Met::default(), looks: 0 };
        walk.take(kind.name, place);
        let mut at = 0;
        while let Some((section, place)) = walk.gone.met.get(at).copied() {
            at += 1;
            walk.follow(section, place)?;
        }
        let mut fall = Fall { kind, id, place, gone: walk.gone.in_order(), cleared: Vec::new(), holding: Vec::new(), held: 0 };
        for (section, place) in walk.holders.in_order() {
            if !walk.is_gone(section, place) {
                fall.settle(&mut walk, section, place)?;
            }
        }
        let touched = fall.gone.iter().map(|(section, _)| *section).chain(fall.cleared.iter().map(|(section, _, _)| *section));
        let mut last = "";
        for section in touched {
            if section != last {
                refuse_outer(sight, section)?;
            }
            last = section;
        }
        Ok(fall)
    }

    /// How many others go, and how many lose a reference, by section.
    pub(super) fn cascades(&self) -> Cascades {
        let mut cascades = Cascades::default();
        for (section, _) in self.gone.iter().filter(|met| **met != (self.kind.name, self.place)) {
            count(&mut cascades.removed, section);
        }
        for (section, _, _) in &self.cleared {
            count(&mut cascades.cleared, section);
        }
        cascades
    }

    /// Why it may not go.
    pub(super) fn refused(&self) -> Option<String> {
        let shown = self.holding.len();
        let names = join(&self.holding, ", ");
        let names = if shown < self.held { format!("{names} ({shown} of {})", self.held) } else { names };
        (self.held > 0).then(|| {
            let (id, kind) = (echo(self.id), echo(self.kind.name));
            format!("id: `{id}` in `{kind}` stays, because what does not go with it names it or what would go with it: {names}; change or delete that first")
        })
    }

    /// What becomes of an entity that stays and names something that goes.
    fn settle(&mut self, walk: &mut Walk<'a>, section: &'a str, place: usize) -> Result<(), String> {
        let (Some(kind), Some(entity)) = (walk.sight.kind(section), walk.sight.entity(section, place)) else { return Ok(()) };
        let mut next = entity.clone();
        for reference in kind.references {
            let mut loses = false;
            for target in targets(entity, reference).iter().filter_map(Json::as_str) {
                walk.look()?;
                loses |= walk.is_lost(reference, target);
            }
            if !loses {
                continue;
            }
            if reference.on_delete == OnDelete::Clear {
                clear(&mut next, reference, &|id| walk.is_lost(reference, id));
                continue;
            }
            self.held += 1;
            if self.holding.len() < LISTED {
                self.holding.push(format!("`{}` in `{}`", echo(id_of(&kind, entity).unwrap_or_default()), echo(section)));
            }
            return Ok(());
        }
        if self.held == 0 {
            self.cleared.push((section, format!("{}/{place}", kind.path), next));
        }
        if self.gone.len() + self.cleared.len() > MAX_TOUCHED { Err(too_much()) } else { Ok(()) }
    }
}

/// Entities that were met, each once, and their order in the document.
#[derive(Default)]
struct Met<'a> {
    met: Vec<(&'a str, usize)>,
    places: KeptPlaces,
}

impl<'a> Met<'a> {
    fn add(&mut self, key: Arc<str>, section: &'a str, place: usize) {
        let next = self.met.len();
        if *self.places.entry(key).or_insert(next) == next {
            self.met.push((section, place));
        }
    }

    fn in_order(&self) -> Vec<(&'a str, usize)> {
        self.places.values().filter_map(|at| self.met.get(*at).copied()).collect()
    }
}

/// The way from the entity to everything that goes with it.
struct Walk<'a> {
    sight: &'a dyn Sight,
    kinds: Vec<&'a str>,
    /// The ids of what goes.
    ids: KeptPlaces,
    /// Everything that goes.
    gone: Met<'a>,
    /// Everything that names some of it and does not go for that.
    holders: Met<'a>,
    looks: usize,
}

impl<'a> Walk<'a> {
    fn take(&mut self, section: &'a str, place: usize) {
        let id = self.sight.kind(section).and_then(|kind| id_of(&kind, self.sight.entity(section, place)?));
        self.ids.insert(Arc::from(id.unwrap_or_default()), 0);
        self.gone.add(self.key(section, place), section, place);
    }

    /// Takes in what goes with an entity that goes, and notes what else names it.
    fn follow(&mut self, section: &'a str, place: usize) -> Result<(), String> {
        let sight = self.sight;
        let Some(id) = sight.kind(section).and_then(|kind| id_of(&kind, sight.entity(section, place)?)) else { return Ok(()) };
        for (holder, place) in sight.holders(section, id) {
            self.look()?;
            let (Some(kind), Some(entity)) = (sight.kind(holder), sight.entity(holder, place)) else { continue };
            if self.is_gone(holder, place) {
                continue;
            }
            let is_noted = self.holders.places.contains_key(&*self.key(holder, place));
            // what was noted already can still go along, but a long list is not walked again for everything that is in it
            for reference in kind.references.iter().filter(|reference| !is_noted || reference.on_delete == OnDelete::Cascade) {
                // what it can mean beside this is quick to tell; a list may be long
                if self.is_lost(reference, id) && targets(entity, reference).iter().any(|target| target.as_str() == Some(id)) {
                    if reference.on_delete == OnDelete::Cascade {
                        self.take(holder, place);
                    } else {
                        self.holders.add(self.key(holder, place), holder, place);
                    }
                }
            }
            if self.gone.met.len() + self.holders.met.len() > MAX_TOUCHED {
                return Err(too_much());
            }
        }
        Ok(())
    }

    /// Written so that keys in order are entities in order.
    fn key(&self, section: &str, place: usize) -> Arc<str> {
        let rank = self.kinds.iter().position(|name| *name == section).unwrap_or(usize::MAX);
        Arc::from(format!("{rank:020}/{place:020}"))
    }

    /// Whether a reference that meant something means nothing any more: all it can mean goes.
    fn is_lost(&self, reference: &Reference, id: &str) -> bool {
        if !self.ids.contains_key(id) {
            return false;
        }
        let mut meant = false;
        for section in &reference.sections {
            for place in self.sight.places(section, id) {
                if !self.is_gone(section, place) {
                    return false;
                }
                meant = true;
            }
        }
        meant
    }

    fn is_gone(&self, section: &str, place: usize) -> bool {
        self.gone.places.contains_key(&*self.key(section, place))
    }

    fn look(&mut self) -> Result<(), String> {
        self.looks += 1;
        if self.looks > MAX_LOOKS { Err(too_much()) } else { Ok(()) }
    }
}

/// Takes the lost ids out: the items of a list, or the member.
fn clear(entity: &mut Json, reference: &Reference, is_lost: &dyn Fn(&str) -> bool) {
    if let Some(Json::Array(items)) = pointer::find_mut(entity, &reference.segments) {
        return Arc::make_mut(items).retain(|item| !item.as_str().is_some_and(is_lost));
    }
    let Some((last, parents)) = reference.segments.split_last() else { return };
    match pointer::find_mut(entity, parents) {
        Some(Json::Object(object)) => {
            Arc::make_mut(object).remove(last);
        }
        // a place in a list keeps its place
        Some(Json::Array(items)) => {
            if let Some(item) = pointer::index(last).and_then(|at| Arc::make_mut(items).get_mut(at)) {
                *item = Json::Null;
            }
        }
        _ => {}
    }
}

fn count(counts: &mut Vec<(String, usize)>, section: &str) {
    match counts.iter_mut().find(|(name, _)| name == section) {
        Some((_, count)) => *count += 1,
        None => counts.push((section.to_owned(), 1)),
    }
}

fn too_much() -> String {
    format!("id: more than {MAX_TOUCHED} entities would go or change with it; delete what names it first")
}
