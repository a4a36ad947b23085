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

use super::change::{id_of, kind_of, named, targets};
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
    for name in sight.kinds() {
        let mut places: Vec<usize> = Vec::new();
        for (section, place) in &fall.gone {
            if *section == name {
                places.insert(places.partition_point(|other| other < place), *place);
            }
        }
        if !places.is_empty() {
            done.removed.push((name.to_owned(), places));
        }
    }
    Ok(done)
}

/// What would become of the document if one entity went.
pub(super) struct Fall<'a> {
    kind: Kind<'a>,
    id: &'a str,
    /// What goes, that entity first.
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
        let mut fall = Fall { kind, id, gone: Vec::new(), cleared: Vec::new(), holding: Vec::new(), held: 0 };
        let mut walk = Walk { sight, gone: KeptPlaces::new(), ids: KeptPlaces::new(), holders: KeptPlaces::new(), looks: 0 };
        walk.take(&mut fall.gone, kind.name, place);
        let mut holders = Vec::new();
        let mut at = 0;
        while let Some((section, place)) = fall.gone.get(at).copied() {
            at += 1;
            walk.follow(&mut fall.gone, &mut holders, section, place)?;
        }
        for (section, place) in holders {
            if !walk.is_gone(section, place) {
                fall.settle(&mut walk, section, place)?;
            }
        }
        Ok(fall)
    }

    /// How many others go, and how many lose a reference, by section.
    pub(super) fn cascades(&self) -> Cascades {
        let mut cascades = Cascades::default();
        for (section, _) in self.gone.iter().skip(1) {
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
            let mut lost: Vec<&str> = Vec::new();
            for target in targets(entity, reference).iter().filter_map(Json::as_str) {
                walk.look()?;
                if walk.is_lost(reference, target) {
                    lost.push(target);
                }
            }
            if lost.is_empty() {
                continue;
            }
            if reference.on_delete == OnDelete::Clear {
                clear(&mut next, reference, &lost);
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

/// The way from the entity to everything that goes with it.
struct Walk<'a> {
    sight: &'a dyn Sight,
    /// Everything that goes, by section and place.
    gone: KeptPlaces,
    /// The ids of it.
    ids: KeptPlaces,
    /// Everything that names some of it.
    holders: KeptPlaces,
    looks: usize,
}

impl<'a> Walk<'a> {
    fn take(&mut self, gone: &mut Vec<(&'a str, usize)>, section: &'a str, place: usize) {
        if self.gone.insert(key(section, place), 0).is_some() {
            return;
        }
        let id = self.sight.kind(section).and_then(|kind| id_of(&kind, self.sight.entity(section, place)?));
        self.ids.insert(Arc::from(id.unwrap_or_default()), 0);
        gone.push((section, place));
    }

    /// Takes in what goes with an entity that goes, and notes what else names it.
    fn follow(
        &mut self,
        gone: &mut Vec<(&'a str, usize)>,
        holders: &mut Vec<(&'a str, usize)>,
        section: &'a str,
        place: usize,
    ) -> Result<(), String> {
        let sight = self.sight;
        let Some(id) = sight.kind(section).and_then(|kind| id_of(&kind, sight.entity(section, place)?)) else { return Ok(()) };
        for (holder, place) in sight.holders(section, id) {
            self.look()?;
            let (Some(kind), Some(entity)) = (sight.kind(holder), sight.entity(holder, place)) else { continue };
            for reference in kind.references {
                if targets(entity, reference).iter().any(|target| target.as_str() == Some(id)) && self.is_lost(reference, id) {
                    if reference.on_delete == OnDelete::Cascade {
                        self.take(gone, holder, place);
                    } else if self.holders.insert(key(holder, place), 0).is_none() {
                        holders.push((holder, place));
                    }
                }
            }
            if gone.len() + holders.len() > MAX_TOUCHED {
                return Err(too_much());
            }
        }
        Ok(())
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
        self.gone.contains_key(&*key(section, place))
    }

    fn look(&mut self) -> Result<(), String> {
        self.looks += 1;
        if self.looks > MAX_LOOKS { Err(too_much()) } else { Ok(()) }
    }
}

/// Takes the lost ids out: the items of a list, or the member.
fn clear(entity: &mut Json, reference: &Reference, lost: &[&str]) {
    if let Some(Json::Array(items)) = pointer::find_mut(entity, &reference.segments) {
        return Arc::make_mut(items).retain(|item| !item.as_str().is_some_and(|id| lost.contains(&id)));
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

fn key(section: &str, place: usize) -> Arc<str> {
    Arc::from(format!("{section}\u{0}{place}"))
}

fn too_much() -> String {
    format!("id: more than {MAX_TOUCHED} entities would go or change with it; delete what names it first")
}
