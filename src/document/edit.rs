//! A change as what it does to single entities: what a history keeps, and what a patch is made of.
//!
//! Enters: edits in the order in which they were made. Leaves: what they come to for every entity they
//! touched, and from that the patch. Costs what was touched, whatever the lists hold.

use crate::protocol::json::Json;
use crate::protocol::patch::{JsonPatch, PatchOperation};

use super::definition::Section;
use super::diff::diff_at;
use super::index::Index;
use super::look::id_of;

/// One entity came (nothing before), went (nothing after) or is another now.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    pub(super) list: usize,
    pub(super) place: usize,
    pub(super) before: Option<Json>,
    pub(super) after: Option<Json>,
}

impl Edit {
    /// It once more, or what takes it back.
    pub(super) fn towards(&self, forward: bool) -> Edit {
        if forward { self.clone() } else { self.inverse() }
    }

    /// What takes it back.
    pub(super) fn inverse(&self) -> Edit {
        Edit { before: self.after.clone(), after: self.before.clone(), ..*self }
    }

    /// Takes in an edit that goes on with the same entity; gives back one that does not.
    pub(super) fn join(&mut self, next: Edit) -> Option<Edit> {
        let goes_on = (self.list, self.place) == (next.list, next.place) && self.after.is_some() && next.before.is_some();
        if goes_on && next.after.is_some() {
            self.after = next.after;
            return None;
        }
        Some(next)
    }

    /// The same for everyone who holds the document as it was: the whole entity, as it is now.
    pub(super) fn operation(&self, sections: &[Section]) -> PatchOperation {
        let path = place_path(sections, self.list, self.place);
        match (&self.before, &self.after) {
            (Some(_), Some(value)) => PatchOperation::Replace { path, value: value.clone() },
            (None, Some(value)) => PatchOperation::Add { path, value: value.clone() },
            _ => PatchOperation::Remove { path },
        }
    }
}

/// Adds an edit; one that goes on with the entity of the last is one with it.
pub(super) fn record(edits: &mut Vec<Edit>, edit: Edit) {
    let rest = match edits.last_mut() {
        Some(last) => last.join(edit),
        None => Some(edit),
    };
    edits.extend(rest);
}

/// What edits came to for one entity.
#[derive(Clone, Debug)]
pub(super) struct Net {
    pub(super) list: usize,
    /// Where it stood before all of them.
    pub(super) origin: Option<usize>,
    /// Where it stands after all of them.
    pub(super) place: Option<usize>,
    pub(super) before: Option<Json>,
    pub(super) after: Option<Json>,
}

/// What the edits came to, each entity once. The work grows with the square of their number.
pub(super) fn net(edits: &[Edit]) -> Vec<Net> {
    let mut nets: Vec<Net> = Vec::new();
    for edit in edits {
        let touched = nets.iter().position(|net| net.list == edit.list && net.place == Some(edit.place) && edit.before.is_some());
        let shift = match (&edit.before, &edit.after) {
            (None, _) => 1,
            (_, None) => -1,
            _ => 0,
        };
        match touched {
            Some(at) => {
                let is_new = nets.get(at).is_some_and(|net| net.origin.is_none());
                if is_new && edit.after.is_none() {
                    nets.remove(at);
                } else if let Some(net) = nets.get_mut(at) {
                    net.after = edit.after.clone();
                    net.place = edit.after.as_ref().map(|_| edit.place);
                }
                move_behind(&mut nets, edit, shift);
            }
            None => {
                let origin = edit.before.as_ref().map(|_| origin_of(&nets, edit));
                move_behind(&mut nets, edit, shift);
                let place = edit.after.as_ref().map(|_| edit.place);
                nets.push(Net { list: edit.list, origin, place, before: edit.before.clone(), after: edit.after.clone() });
            }
        }
    }
    nets
}

/// Joins what went and what came with the same id to one entity that changed, where it stands among the others as it stood
/// before: whatever led there, nothing moved.
pub(super) fn join_halves(nets: &mut Vec<Net>, sections: &[Section]) {
    for at in 0..nets.len() {
        let Some(came) = nets.get(at).filter(|net| net.origin.is_none()) else { continue };
        let (Some(section), Some(place)) = (sections.get(came.list), came.place) else { continue };
        let own = || nets.iter().filter(|net| net.list == came.list);
        // how many of those that neither went nor came stand before it
        let stands = own().filter(|net| net.origin.is_none() && net.place.is_some_and(|other| other < place)).count();
        let stood = |origin: usize| own().filter(|net| net.place.is_none() && net.origin.is_some_and(|other| other < origin)).count();
        let id = id_of(came.after.as_ref(), section);
        let half = nets.iter().position(|net| {
            let fits = |origin: usize| origin - stood(origin) == place - stands;
            net.list == came.list && net.place.is_none() && id_of(net.before.as_ref(), section) == id && net.origin.is_some_and(fits)
        });
        let Some((origin, before)) = half.and_then(|half| nets.get(half)).map(|net| (net.origin, net.before.clone())) else { continue };
        if let Some(net) = nets.get_mut(at) {
            (net.origin, net.before) = (origin, before);
        }
        if let Some(net) = half.and_then(|half| nets.get_mut(half)) {
            // it is told by the other now
            (net.origin, net.before) = (None, None);
        }
    }
    nets.retain(|net| net.before.is_some() || net.after.is_some());
}

/// The other half of an entity that went from one place and came to another.
pub(super) fn half_of<'a>(nets: &'a [Net], net: &Net, section: &Section) -> Option<&'a Net> {
    let is_half = |net: &Net| net.before.is_some() != net.after.is_some();
    let id = |net: &'a Net| id_of(net.before.as_ref().or(net.after.as_ref()), section);
    let own = id_of(net.before.as_ref().or(net.after.as_ref()), section);
    let fits = |other: &&Net| other.list == net.list && is_half(other) && other.after.is_some() != net.after.is_some();
    if is_half(net) { nets.iter().find(|other| fits(other) && id(other) == own) } else { None }
}

/// The patch that does what the edits came to: in each list what went from the back, then the rest from the front.
pub(super) fn patch_of(nets: &[Net], sections: &[Section], index: &Index, id_keys: &[&str]) -> JsonPatch {
    let order = |net: &Net| match (net.place, net.origin) {
        (Some(place), _) => (index.rank(net.list), 1, place),
        (None, origin) => (index.rank(net.list), 0, usize::MAX - origin.unwrap_or(0)),
    };
    // few as they are, they are put in order one by one: a sort would bring its code along
    let mut ordered: Vec<&Net> = Vec::new();
    for net in nets {
        ordered.insert(ordered.partition_point(|other| order(other) < order(net)), net);
    }
    let mut patch = Vec::new();
    for net in ordered {
        let path = place_path(sections, net.list, net.place.or(net.origin).unwrap_or(0));
        match (&net.before, &net.after) {
            (Some(before), Some(after)) => diff_at(&mut patch, before, after, id_keys, &path),
            (None, Some(value)) => patch.push(PatchOperation::Add { path, value: value.clone() }),
            _ => patch.push(PatchOperation::Remove { path }),
        }
    }
    patch
}

/// Everything at or behind the place of an edit moves along.
fn move_behind(nets: &mut [Net], edit: &Edit, shift: isize) {
    for net in nets.iter_mut().filter(|net| net.list == edit.list) {
        if let Some(place) = net.place.filter(|place| if shift < 0 { *place > edit.place } else { *place >= edit.place }) {
            net.place = place.checked_add_signed(shift);
        }
    }
}

/// Where an entity that nothing touched so far stood before all edits.
fn origin_of(nets: &[Net], edit: &Edit) -> usize {
    let own = || nets.iter().filter(|net| net.list == edit.list);
    let came = own().filter(|net| net.origin.is_none() && net.place.is_some_and(|place| place < edit.place)).count();
    let mut origin = edit.place.saturating_sub(came);
    // what went before it still counted then; looked at from the front
    let mut passed: Option<usize> = None;
    loop {
        let gone = own().filter(|net| net.place.is_none()).filter_map(|net| net.origin);
        let Some(next) = gone.filter(|gone| passed.is_none_or(|passed| *gone > passed)).min() else { return origin };
        if next > origin {
            return origin;
        }
        origin += 1;
        passed = Some(next);
    }
}

fn place_path(sections: &[Section], list: usize, place: usize) -> String {
    format!("{}/{place}", sections.get(list).map_or("", |section| &section.path))
}
