//! The content checks every definition gets: well-formed and unique ids, references that resolve, parents
//! that never come back to their child. Linear in the document.

use crate::protocol::json::Json;
use crate::protocol::places::{Places, places};
use crate::protocol::text::{echo, is_invisible, join};

use super::definition::Section;
use super::fault::{Faults, by_id, candidates};
use super::pointer;

/// The longest id that is accepted, in code points.
pub(crate) const ID_CODE_POINTS: usize = 200;

/// Adds what is wrong with ids, then with references, then with parents.
pub(super) fn check(sections: &[Section], document: &Json, faults: &mut Faults) {
    let ids: Vec<Vec<&str>> = sections.iter().map(|section| ids_of(section, document)).collect();
    let known: Vec<Places<'_>> = ids.iter().map(|own| places(&mut own.iter().copied())).collect();
    for (section, own) in sections.iter().zip(&ids) {
        check_form(&section.name, &section.id_key, own, faults);
        check_unique(&section.name, &section.id_key, own, faults);
    }
    let mut spaces: Vec<(&str, Places<'_>)> = Vec::new();
    for (section, own) in sections.iter().zip(&known) {
        let Some(namespace) = section.namespace.as_deref() else { continue };
        let at = spaces.iter().position(|(name, _)| *name == namespace).unwrap_or(spaces.len());
        if at == spaces.len() {
            spaces.push((namespace, Places::new()));
        }
        let Some((_, taken)) = spaces.get_mut(at) else { continue };
        for id in own.keys().filter(|id| taken.insert(id, at).is_some()) {
            let place = by_id(&section.name, id, &section.id_key);
            faults
                .add("duplicate-id", &place, id, || format!("`{}` in `{}` is used by another section too", echo(id), echo(&section.name)));
        }
    }
    let targets = Targets { sections, ids: &ids, known: &known };
    for section in sections {
        check_references(section, document, &targets, faults);
    }
    for section in sections {
        let Some(parent) = &section.acyclic else { continue };
        let links = section.entities(document).iter().filter_map(|entity| {
            let id = entity.get(&section.id_key)?.as_str()?;
            Some((id, pointer::find(entity, parent).and_then(Json::as_str)))
        });
        for id in cycles(links) {
            let place = by_id(&section.name, id, parent.last().map(String::as_str).unwrap_or_default());
            faults.add("circular-nesting", &place, id, || format!("following the parents of `{}` leads back to it", echo(id)));
        }
    }
}

/// Adds ids that cannot be told or typed faithfully: empty, too long, or with characters nobody sees.
pub(crate) fn check_form(section: &str, id_key: &str, ids: &[&str], faults: &mut Faults) {
    for id in ids {
        if let Some(problem) = form_problem(id) {
            faults.add("invalid-id", &by_id(section, id, id_key), id, || problem.to_owned());
        }
    }
}

/// What is wrong with the form of an id.
pub(crate) fn form_problem(id: &str) -> Option<&'static str> {
    if id.is_empty() {
        Some("an id is not empty")
    } else if id.len() > ID_CODE_POINTS && id.chars().count() > ID_CODE_POINTS {
        Some("an id has at most 200 characters")
    } else if id.chars().any(is_invisible) {
        Some("an id holds no control, direction or invisible characters")
    } else {
        None
    }
}

/// Adds every id that stands a second time in `ids`.
pub(crate) fn check_unique(section: &str, id_key: &str, ids: &[&str], faults: &mut Faults) {
    let mut seen = Places::new();
    for (place, id) in ids.iter().enumerate() {
        if seen.insert(id, place).is_some() {
            faults.add("duplicate-id", &by_id(section, id, id_key), id, || format!("`{}` is used more than once in `{section}`", echo(id)));
        }
    }
}

/// The ids at which a walk along the parents closes, one for each cycle, in the order they are met.
pub(crate) fn cycles<'a>(links: impl Iterator<Item = (&'a str, Option<&'a str>)>) -> Vec<&'a str> {
    let links: Vec<(&str, Option<&str>)> = links.collect();
    let mut firsts = Places::new();
    for (place, (id, _)) in links.iter().enumerate() {
        firsts.entry(id).or_insert(place);
    }
    // for every id walked: the number of the walk that met it, so that each is met once
    let mut met = Places::new();
    let mut closing = Vec::new();
    for (walk, (start, _)) in links.iter().enumerate() {
        let mut at = *start;
        loop {
            match met.get(at) {
                Some(earlier) if *earlier == walk => {
                    closing.push(at);
                    break;
                }
                Some(_) => break,
                None => met.insert(at, walk),
            };
            match firsts.get(at).and_then(|first| links.get(*first)) {
                Some((_, Some(parent))) => at = parent,
                _ => break,
            }
        }
    }
    closing
}

fn ids_of<'a>(section: &Section, document: &'a Json) -> Vec<&'a str> {
    section.entities(document).iter().filter_map(|entity| entity.get(&section.id_key)?.as_str()).collect()
}

/// What references may name.
struct Targets<'a> {
    sections: &'a [Section],
    ids: &'a [Vec<&'a str>],
    known: &'a [Places<'a>],
}

impl<'a> Targets<'a> {
    fn place(&self, name: &str) -> Option<usize> {
        self.sections.iter().position(|section| section.name == name)
    }

    fn has(&self, section: &str, id: &str) -> bool {
        self.place(section).and_then(|place| self.known.get(place)).is_some_and(|known| known.contains_key(id))
    }

    fn of(&self, section: &str) -> &'a [&'a str] {
        self.place(section).and_then(|place| self.ids.get(place)).map(Vec::as_slice).unwrap_or_default()
    }
}

fn check_references(section: &Section, document: &Json, targets: &Targets<'_>, faults: &mut Faults) {
    for entity in section.entities(document) {
        let id = entity.get(&section.id_key).and_then(Json::as_str).unwrap_or_default();
        for reference in &section.references {
            let Some(value) = pointer::find(entity, &reference.segments) else { continue };
            let field = || by_id(&section.name, id, &join(&reference.segments, "."));
            let items = match value {
                Json::Null => continue,
                Json::Array(items) => items.as_slice(),
                single => std::slice::from_ref(single),
            };
            for item in items {
                let Json::String(target) = item else {
                    faults.add("invalid-reference", &field(), item.kind(), || format!("a reference is an id, not {}", item.kind()));
                    continue;
                };
                if reference.sections.iter().any(|name| targets.has(name, target)) {
                    continue;
                }
                faults.add("invalid-reference", &field(), target, || {
                    let all = reference.sections.iter().flat_map(|name| targets.of(name)).copied();
                    format!("`{}` is not in `{}`; {}", echo(target), echo(&join(&reference.sections, "`, `")), candidates(target, all))
                });
            }
        }
    }
}
