//! The patch that leads from one document to the next: small, exact, and free where both share a tree.

use crate::protocol::json::{Json, Object};
use crate::protocol::patch::{JsonPatch, PatchOperation};
use crate::protocol::places::places;

use super::patch::MAX_OPERATIONS;
use super::pointer::join;

/// From this many operations on, a list or an object is replaced whole: that is shorter to read and to apply.
const REPLACE_FROM: usize = 256;

/// The patch from `before` to `after`: applied to the one it gives the other. Entities of a list are matched by `id`.
#[must_use]
pub fn diff(before: &Json, after: &Json) -> JsonPatch {
    diff_by(before, after, &["id"])
}

/// The same, with the names under which entities hold their ids; the first that fits a list counts.
#[must_use]
pub fn diff_by(before: &Json, after: &Json, id_keys: &[&str]) -> JsonPatch {
    let mut differ = Differ { patch: Vec::new(), id_keys };
    differ.value(before, after, "");
    if differ.patch.len() > MAX_OPERATIONS {
        return vec![PatchOperation::Replace { path: String::new(), value: after.clone() }];
    }
    differ.patch
}

/// Adds what leads from `before` to `after`, both at `path`.
pub(super) fn diff_at(patch: &mut JsonPatch, before: &Json, after: &Json, id_keys: &[&str], path: &str) {
    let mut differ = Differ { patch: std::mem::take(patch), id_keys };
    differ.value(before, after, path);
    *patch = differ.patch;
}

struct Differ<'a> {
    patch: JsonPatch,
    id_keys: &'a [&'a str],
}

impl Differ<'_> {
    fn value(&mut self, before: &Json, after: &Json, path: &str) {
        if before.same_tree(after) {
            return;
        }
        let start = self.patch.len();
        match (before, after) {
            (Json::Object(old), Json::Object(new)) => self.object(old, new, path),
            (Json::Array(old), Json::Array(new)) => match self.keyed(old, new) {
                Some((old_ids, new_ids)) => self.entities(old, new, &old_ids, &new_ids, path),
                None => self.list(old, new, path),
            },
            _ if before == after => {}
            _ => self.patch.push(PatchOperation::Replace { path: path.to_owned(), value: after.clone() }),
        }
        if self.patch.len() - start > REPLACE_FROM && !path.is_empty() {
            self.patch.truncate(start);
            self.patch.push(PatchOperation::Replace { path: path.to_owned(), value: after.clone() });
        }
    }

    fn object(&mut self, old: &Object, new: &Object, path: &str) {
        for key in old.keys().filter(|key| !new.contains_key(key)) {
            self.patch.push(PatchOperation::Remove { path: join(path, key) });
        }
        for (key, value) in new.iter() {
            match old.get(key) {
                Some(before) => self.value(before, value, &join(path, key)),
                None => self.patch.push(PatchOperation::Add { path: join(path, key), value: value.clone() }),
            }
        }
    }

    /// A list without ids: what both ends share stays, the middle is compared place by place.
    fn list(&mut self, old: &[Json], new: &[Json], path: &str) {
        let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        let room = old.len().min(new.len()) - head;
        let tail = old.iter().rev().zip(new.iter().rev()).take(room).take_while(|(a, b)| a == b).count();
        let both = room - tail;
        let middle = |items: &[Json]| items.len() - tail;
        for (at, (a, b)) in old.iter().zip(new).enumerate().skip(head).take(both) {
            self.value(a, b, &join(path, &at.to_string()));
        }
        for at in (head + both..middle(old)).rev() {
            self.patch.push(PatchOperation::Remove { path: join(path, &at.to_string()) });
        }
        for (at, value) in new.iter().enumerate().take(middle(new)).skip(head + both) {
            self.patch.push(PatchOperation::Add { path: join(path, &at.to_string()), value: value.clone() });
        }
    }

    /// A list of entities: what went is removed from the back, then the new order is walked from the front.
    fn entities(&mut self, old: &[Json], new: &[Json], old_ids: &[&str], new_ids: &[&str], path: &str) {
        let places = places(&mut old_ids.iter().copied());
        let stays = longest_rising(&mut new_ids.iter().filter_map(|id| places.get(id).copied()), old.len());
        let is_kept = |place: &usize| stays.get(*place) == Some(&true);
        for at in (0..old.len()).rev().filter(|place| !is_kept(place)) {
            self.patch.push(PatchOperation::Remove { path: join(path, &at.to_string()) });
        }
        for (at, (value, id)) in new.iter().zip(new_ids).enumerate() {
            let place = places.get(id).filter(|place| is_kept(place));
            match place.and_then(|place| old.get(*place)) {
                Some(before) => self.value(before, value, &join(path, &at.to_string())),
                None => self.patch.push(PatchOperation::Add { path: join(path, &at.to_string()), value: value.clone() }),
            }
        }
    }

    /// The ids of both lists, where every item has one and none stands twice.
    fn keyed<'b>(&self, old: &'b [Json], new: &'b [Json]) -> Option<(Vec<&'b str>, Vec<&'b str>)> {
        self.id_keys.iter().find_map(|key| Some((ids(old, key)?, ids(new, key)?)))
    }
}

fn ids<'a>(items: &'a [Json], key: &str) -> Option<Vec<&'a str>> {
    let ids: Vec<&str> = items.iter().map(|item| item.get(key)?.as_str()).collect::<Option<_>>()?;
    let unique = places(&mut ids.iter().copied()).len() == ids.len();
    unique.then_some(ids)
}

/// For each of `count` places whether it is in a longest rising run of `places`: those entities need not move.
fn longest_rising(places: &mut dyn Iterator<Item = usize>, count: usize) -> Vec<bool> {
    // `ends`: for every length the smallest place such a run can end on, and where its step is recorded
    let mut ends: Vec<(usize, usize)> = Vec::new();
    let mut steps: Vec<(usize, Option<usize>)> = Vec::new();
    for place in places {
        let length = ends.partition_point(|(end, _)| *end < place);
        let previous = length.checked_sub(1).and_then(|at| ends.get(at)).map(|(_, step)| *step);
        steps.push((place, previous));
        let end = (place, steps.len() - 1);
        match ends.get_mut(length) {
            Some(slot) => *slot = end,
            None => ends.push(end),
        }
    }
    let mut kept = vec![false; count];
    let mut step = ends.last().map(|(_, step)| *step);
    while let Some((place, previous)) = step.and_then(|at| steps.get(at)) {
        if let Some(slot) = kept.get_mut(*place) {
            *slot = true;
        }
        step = *previous;
    }
    kept
}
