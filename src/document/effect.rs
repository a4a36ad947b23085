//! What a change does, told entity by entity: what a person reads, and what an approval binds.
//!
//! Enters: edits beside an index, or two documents. Leaves: lines, counts and a digest. They tell what is another, not how
//! it came to be so: edits, a patch and a whole document that lead to the same tell the same. Places are of no account, but
//! who passed another is; entities are known by their ids, and of several with one id the first is the first again.

use crate::protocol::json::Json;
use crate::protocol::json::write::write_string;
use crate::protocol::places::Places;
use crate::protocol::preview::{LineKind, PreviewCount, PreviewLine};
use crate::protocol::words::Word;
use crate::tools::canonical::{sha256_hex, write_value};
use crate::tools::core_tool::Sight;
use crate::tools::summary::shorten;

use super::definition::Section;
use super::edit::{Edit, net};
use super::index::Index;
use super::live::frame_of;
use super::look::id_of;
use super::naming::{Naming, Side, with_id};
use super::pointer;

/// The longest value, title or name in a line, in code points as shown.
pub(super) const VALUE: usize = 200;

/// A change.
#[derive(Default)]
pub(super) struct Effect {
    /// In the order of the sections, then of the entities: what went stands where it stood.
    entities: Vec<Pair>,
    /// What is another beside all sections: pointer, before, after.
    beside: Vec<(String, Option<Json>, Option<Json>)>,
}

/// An entity that came, went, is another now or stands elsewhere among the others.
pub(super) struct Pair {
    pub(super) list: usize,
    pub(super) before: Option<Json>,
    pub(super) after: Option<Json>,
    moved: Option<Moved>,
}

/// An entity at its place.
type Placed<'a> = (usize, &'a Json);

/// Where an entity stands that passed others.
struct Moved {
    /// What it stands behind; nothing where it is the first.
    behind: Option<Json>,
}

/// A change as it is told.
pub(super) struct Told {
    pub(super) lines: Vec<PreviewLine>,
    pub(super) counts: Vec<PreviewCount>,
    pub(super) hidden: u32,
    pub(super) digest: String,
}

impl Effect {
    /// What edits came to, the index being as it is after them; nothing where an id they touch stands twice or is missing, so
    /// that only the whole document tells who is who.
    pub(super) fn of_edits(edits: &[Edit], sections: &[Section], index: &Index) -> Option<Effect> {
        let nets = net(edits);
        let mut effect = Effect::default();
        for (list, section) in sections.iter().enumerate() {
            let (mut stood, mut stands) = (Vec::new(), Vec::new());
            for net in nets.iter().filter(|net| net.list == list) {
                put_in_order(&mut stood, net.origin, net.before.as_ref());
                put_in_order(&mut stands, net.place, net.after.as_ref());
            }
            let count = |all: &[Placed<'_>], id: &str| all.iter().filter(|(_, other)| id_of(Some(other), section) == Some(id)).count();
            for (_, entity) in stood.iter().chain(&stands) {
                let id = id_of(Some(entity), section)?;
                let now = index.places(list, id).len();
                if now > 1 || now + count(&stood, id) > count(&stands, id) + 1 {
                    return None;
                }
            }
            if is_reordered(&stood, &stands, &Partners::of(section, &stood, &stands).origins) {
                // who passed whom only the whole list tells
                (stood, stands) = whole_list(list, index, &stood, &stands);
            }
            effect.add(list, section, &stood, &stands);
        }
        Some(effect)
    }

    /// What is another in `after`.
    pub(super) fn between(before: &Json, after: &Json, sections: &[Section]) -> Effect {
        let mut effect = Effect::default();
        if before.same_tree(after) {
            return effect;
        }
        for (list, section) in sections.iter().enumerate() {
            let (old, new) = (pointer::find(before, &section.segments), pointer::find(after, &section.segments));
            if !old.zip(new).is_some_and(|(old, new)| old.same_tree(new)) {
                effect.add(list, section, &in_places(old), &in_places(new));
            }
        }
        effect.look_beside(sections, &frame_of(sections, before), &frame_of(sections, after), &mut Vec::new());
        effect
    }

    /// Tells it in at most `most` lines, the rest counted; `sight` is the document after it.
    pub(super) fn told(&self, sections: &[Section], most: usize, sight: &dyn Sight) -> Told {
        let naming = Naming::new(sections, sight, &self.entities);
        let mut teller = Teller { most, naming, lines: Vec::new(), joined: Vec::new(), hidden: 0, digested: String::new() };
        let mut counts = Vec::new();
        let mut counted = (usize::MAX, [0; KINDS]);
        for Pair { list, before, after, moved } in &self.entities {
            let Some(section) = sections.get(*list) else { continue };
            if counted.0 != *list {
                put_counts(&mut counts, sections, counted);
                counted = (*list, [0; KINDS]);
            }
            let entity = before.as_ref().or(after.as_ref());
            let id = id_of(entity, section).unwrap_or_default();
            let kind = match (before, after) {
                (None, _) => LineKind::Added,
                (_, None) => LineKind::Removed,
                _ => LineKind::Changed,
            };
            if let Some(count) = counted.1.get_mut(kind.place()) {
                *count += 1;
            }
            let side = if before.is_some() { Side::Before } else { Side::After };
            let subject = Subject { kind, list: *list, section: &section.name, id, entity, side };
            match (before, after) {
                (Some(before), Some(after)) => {
                    for (field, before, after) in fields(before, after) {
                        teller.tell(&subject, field, before, after);
                    }
                    if let Some(Moved { behind }) = moved {
                        teller.tell_moved(&subject, behind.as_ref(), section);
                    }
                }
                (None, Some(after)) => {
                    teller.tell(&subject, None, None, None);
                    for (field, value) in after.as_object().into_iter().flat_map(|object| object.iter()) {
                        // the id is told with every line
                        if **field != *section.id_key || value.as_str().is_none() {
                            teller.tell(&subject, Some(field), None, Some(value));
                        }
                    }
                }
                _ => teller.tell(&subject, None, before.as_ref(), None),
            }
        }
        put_counts(&mut counts, sections, counted);
        for (place, before, after) in &self.beside {
            let kind = match (before, after) {
                (None, _) => LineKind::Added,
                (_, None) => LineKind::Removed,
                _ => LineKind::Changed,
            };
            teller.tell(
                &Subject { kind, list: usize::MAX, section: "", id: "", entity: None, side: Side::After },
                Some(place),
                before.as_ref(),
                after.as_ref(),
            );
        }
        let Teller { mut lines, hidden, mut digested, joined, .. } = teller;
        tell_apart(&mut lines, &joined);
        digested.push_str(if digested.is_empty() { "[]" } else { "]" });
        Told { lines, counts, hidden, digest: sha256_hex(digested.as_bytes()) }
    }

    /// Adds what is another among entities and those that stood there, both in order of their places. Whoever is in neither
    /// is the same and stands in no other order.
    fn add(&mut self, list: usize, section: &Section, stood: &[Placed<'_>], stands: &[Placed<'_>]) {
        let Partners { origins, stayed } = Partners::of(section, stood, stands);
        let moved = if is_reordered(stood, stands, &origins) { passing(&origins) } else { Vec::new() };
        // both are told by how many of those that stayed stand before them
        let mut gone = stood.iter().zip(&stayed).filter(|(_, stayed)| !**stayed).map(|(entity, _)| entity).enumerate().peekable();
        let mut came = 0;
        for (at, ((place, after), origin)) in stands.iter().zip(origins).enumerate() {
            let partner = origin.and_then(|origin| stood.get(origin)).map(|(_, before)| *before);
            while let Some((_, (_, before))) =
                gone.next_if(|(went, (origin, _))| origin.saturating_sub(*went) <= place.saturating_sub(came))
            {
                self.entities.push(Pair { list, before: Some((*before).clone()), after: None, moved: None });
            }
            came += usize::from(partner.is_none());
            let behind = || at.checked_sub(1).and_then(|last| stands.get(last)).map(|(_, last)| (*last).clone());
            let moved = moved.get(at).is_some_and(|moved| *moved).then(|| Moved { behind: behind() });
            if moved.is_some() || !partner.is_some_and(|before| before.same_tree(after) || before == *after) {
                self.entities.push(Pair { list, before: partner.cloned(), after: Some((*after).clone()), moved });
            }
        }
        for (_, (_, before)) in gone {
            self.entities.push(Pair { list, before: Some((*before).clone()), after: None, moved: None });
        }
    }

    /// Adds what is another beside the lists, the smallest members that tell it.
    fn look_beside(&mut self, sections: &[Section], before: &Json, after: &Json, above: &mut Vec<String>) {
        for (field, old, new) in fields(before, after) {
            above.extend(field.map(str::to_owned));
            // a list that is not there is an empty one
            let is_list = |value: Option<&Json>| value.is_none_or(|value| matches!(value, Json::Array(_)));
            let is_section = is_list(old) && is_list(new) && sections.iter().any(|section| section.segments == *above);
            match (old, new) {
                _ if is_section => {}
                (Some(old @ Json::Object(_)), Some(new @ Json::Object(_))) => self.look_beside(sections, old, new, above),
                _ => {
                    let place = above.iter().fold(String::new(), |place, segment| pointer::join(&place, segment));
                    self.beside.push((place, old.cloned(), new.cloned()));
                }
            }
            if field.is_some() {
                above.pop();
            }
        }
    }
}

/// How many kinds of lines there are.
const KINDS: usize = 3;

/// What a line tells of.
struct Subject<'a> {
    kind: LineKind,
    list: usize,
    section: &'a str,
    id: &'a str,
    /// The entity on the side that names it.
    entity: Option<&'a Json>,
    side: Side,
}

/// Writes lines while they are wanted, and all that the digest is made of.
struct Teller<'a> {
    most: usize,
    naming: Naming<'a>,
    lines: Vec<PreviewLine>,
    /// Which of the lines tell of something by what it joins.
    joined: Vec<bool>,
    hidden: u32,
    /// What the digest is of, but its last sign.
    digested: String,
}

impl Teller<'_> {
    fn tell(&mut self, subject: &Subject<'_>, field: Option<&str>, before: Option<&Json>, after: Option<&Json>) {
        self.digest(subject, field, before, after);
        let list = subject.list;
        // what goes is told by its title alone
        let before = if subject.kind == LineKind::Removed && field.is_none() { None } else { before };
        let naming = &self.naming;
        let shown = |value: &Json, side| field.and_then(|field| naming.shown(list, field, value, side)).unwrap_or_else(|| shown(value));
        let (before, after) = (before.map(|value| shown(value, Side::Before)), after.map(|value| shown(value, Side::After)));
        self.write(subject, field, before, after);
    }

    /// Tells what an entity stands behind that passed others.
    fn tell_moved(&mut self, subject: &Subject<'_>, behind: Option<&Json>, section: &Section) {
        let id = behind.map(|behind| Json::from(id_of(Some(behind), section).unwrap_or_default()));
        self.digest(subject, None, None, id.as_ref());
        let after = behind.map(|behind| self.naming.standing(subject.list, behind));
        self.write(subject, None, None, after);
    }

    /// Writes down canonical JSON at once: the members that are there, in the order of their names.
    fn digest(&mut self, subject: &Subject<'_>, field: Option<&str>, before: Option<&Json>, after: Option<&Json>) {
        let digested = &mut self.digested;
        digested.push_str(if digested.is_empty() { "[{" } else { ",{" });
        for (name, value) in [("after", after), ("before", before)] {
            if let Some(value) = value {
                put_name(digested, name);
                write_value(digested, value);
            }
        }
        let Subject { kind, section, id, .. } = *subject;
        for (name, text) in [("field", field), ("id", Some(id)), ("kind", Some(kind.word())), ("section", Some(section))] {
            if let Some(text) = text {
                put_name(digested, name);
                write_string(digested, text);
            }
        }
        digested.push('}');
    }

    fn write(&mut self, subject: &Subject<'_>, field: Option<&str>, before: Option<String>, after: Option<String>) {
        let Subject { kind, list, section, id, entity, side } = *subject;
        if self.lines.len() >= self.most {
            self.hidden = self.hidden.saturating_add(1);
            return;
        }
        let title = entity.and_then(|entity| self.naming.title(list, entity));
        let joined = entity.filter(|_| title.is_none()).and_then(|entity| self.naming.told_by(list, entity, side));
        self.joined.push(joined.is_some());
        self.lines.push(PreviewLine {
            kind,
            section: section.to_owned(),
            id: shorten(id, VALUE),
            title: shorten(title.or(joined.as_deref()).unwrap_or(id), VALUE),
            field: field.map(|field| shorten(field, VALUE)),
            before,
            after,
        });
    }
}

fn put_name(object: &mut String, name: &str) {
    // no value ends with what opens one
    object.push_str(if object.ends_with('{') { "\"" } else { ",\"" });
    object.push_str(name);
    object.push_str("\":");
}

/// Adds the id where two things that are told by what they join would look alike; there are no more lines than are shown.
fn tell_apart(lines: &mut [PreviewLine], joined: &[bool]) {
    let alike = |one: &PreviewLine, other: &PreviewLine| one.title == other.title && one.section == other.section && one.id != other.id;
    let mut twins = Vec::with_capacity(lines.len());
    for (line, is_joined) in lines.iter().zip(joined) {
        twins.push(*is_joined && lines.iter().any(|other| alike(line, other)));
    }
    for (line, _) in lines.iter_mut().zip(twins).filter(|(_, is_twin)| *is_twin) {
        line.title = with_id(&line.title, &line.id);
    }
}

/// Who is who among entities and those that stood there; of several with one id the first is the first again.
struct Partners {
    /// Where each that stands now stood among the others; nothing where it came.
    origins: Vec<Option<usize>>,
    /// Which of those that stood are still there.
    stayed: Vec<bool>,
}

impl Partners {
    fn of(section: &Section, stood: &[Placed<'_>], stands: &[Placed<'_>]) -> Partners {
        let mut first = Places::new();
        let mut later = vec![usize::MAX; stood.len()];
        for (at, (_, entity)) in stood.iter().enumerate().rev() {
            let next = first.insert(id_of(Some(entity), section).unwrap_or_default(), at);
            if let (Some(next), Some(slot)) = (next, later.get_mut(at)) {
                *slot = next;
            }
        }
        let mut partners = Partners { origins: Vec::with_capacity(stands.len()), stayed: vec![false; stood.len()] };
        for (_, entity) in stands {
            let origin = first.get_mut(id_of(Some(entity), section).unwrap_or_default()).and_then(|at| {
                let origin = *at;
                *partners.stayed.get_mut(origin)? = true;
                *at = *later.get(origin)?;
                Some(origin)
            });
            partners.origins.push(origin);
        }
        partners
    }
}

/// All of a list as it stood and as it stands, from those that came, went or are another: the rest passed nothing.
fn whole_list<'a>(list: usize, index: &'a Index, stood: &[Placed<'a>], stands: &[Placed<'a>]) -> (Vec<Placed<'a>>, Vec<Placed<'a>>) {
    let all: Vec<Placed<'_>> = (0..index.len(list)).filter_map(|place| Some((place, index.entity(list, place)?))).collect();
    let mut touched = stands.iter().map(|(place, _)| *place).peekable();
    let mut rest = all.iter().filter(|(place, _)| touched.next_if_eq(place).is_none()).map(|(_, entity)| *entity);
    let mut before: Vec<Placed<'_>> = Vec::with_capacity(all.len());
    for (place, entity) in stood {
        let between = place.saturating_sub(before.len());
        for entity in rest.by_ref().take(between) {
            before.push((before.len(), entity));
        }
        before.push((before.len(), entity));
    }
    for entity in rest {
        before.push((before.len(), entity));
    }
    (before, all)
}

/// Whether of those that stayed one passed another, be it one of these or one that is not told of.
fn is_reordered(stood: &[Placed<'_>], stands: &[Placed<'_>], origins: &[Option<usize>]) -> bool {
    let mut last = None;
    for (at, origin) in origins.iter().enumerate() {
        let Some(origin) = *origin else { continue };
        // how many of those that are the same stand before it, then and now
        let then = stood.get(origin).map(|(place, _)| place.saturating_sub(origin));
        let now = stands.get(at).map(|(place, _)| place.saturating_sub(at));
        if then != now || last.is_some_and(|last| last > origin) {
            return true;
        }
        last = Some(origin);
    }
    false
}

/// Which of them passed others: all but the longest row of those that stand in the order in which they stood.
fn passing(origins: &[Option<usize>]) -> Vec<bool> {
    let origin = |at: usize| origins.get(at).copied().flatten();
    // the last of the best row of each length, and the one before each in its row
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; origins.len()];
    for at in 0..origins.len() {
        if origin(at).is_none() {
            continue;
        }
        let length = ends.partition_point(|end| origin(*end) < origin(at));
        if let Some(slot) = before.get_mut(at) {
            *slot = length.checked_sub(1).and_then(|last| ends.get(last)).copied();
        }
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut passing: Vec<bool> = origins.iter().map(Option::is_some).collect();
    let mut at = ends.last().copied();
    while let Some(stays) = at {
        if let Some(slot) = passing.get_mut(stays) {
            *slot = false;
        }
        at = before.get(stays).copied().flatten();
    }
    passing
}

/// The members in which two entities differ, in the order of the first, then those only the other has. What is no object
/// differs as a whole.
fn fields<'a>(before: &'a Json, after: &'a Json) -> Vec<(Option<&'a str>, Option<&'a Json>, Option<&'a Json>)> {
    let mut differing = Vec::new();
    if before == after {
        return differing;
    }
    let (Json::Object(old), Json::Object(new)) = (before, after) else { return vec![(None, Some(before), Some(after))] };
    for (key, value) in old.iter() {
        let now = new.get(key);
        if now != Some(value) {
            differing.push((Some(&**key), Some(value), now));
        }
    }
    for (key, value) in new.iter().filter(|(key, _)| !old.contains_key(key)) {
        differing.push((Some(&**key), None, Some(value)));
    }
    differing
}

fn shown(value: &Json) -> String {
    match value {
        Json::String(text) => shorten(text, VALUE),
        other => shorten(&other.to_text(), VALUE),
    }
}

fn in_places(list: Option<&Json>) -> Vec<Placed<'_>> {
    list.and_then(Json::as_array).unwrap_or_default().iter().enumerate().collect()
}

/// Few as they are, they are put in order one by one: a sort would bring its code along.
fn put_in_order<'a>(all: &mut Vec<(usize, &'a Json)>, place: Option<usize>, entity: Option<&'a Json>) {
    if let (Some(place), Some(entity)) = (place, entity) {
        all.insert(all.partition_point(|(other, _)| *other < place), (place, entity));
    }
}

fn put_counts(counts: &mut Vec<PreviewCount>, sections: &[Section], (list, counted): (usize, [u32; KINDS])) {
    let Some(section) = sections.get(list) else { return };
    for ((_, kind), count) in LineKind::WORDS.iter().zip(counted).filter(|(_, count)| *count > 0) {
        counts.push(PreviewCount { kind: *kind, section: section.name.clone(), count });
    }
}
