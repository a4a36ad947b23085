//! The content checks every definition gets: well-formed and unique ids, references that resolve, parents
//! that never come back to their child. Linear in the document.

use std::collections::{BTreeMap, BTreeSet};

use crate::protocol::json::Json;
use crate::protocol::text::{echo, is_invisible};

use super::definition::Section;
use super::fault::{Faults, by_id, candidates};
use super::pointer;

/// The longest id that is accepted, in code points.
pub(crate) const ID_CODE_POINTS: usize = 200;

/// Adds what is wrong with ids, then with references, then with parents.
pub(super) fn check(sections: &[Section], document: &Json, faults: &mut Faults) {
    let ids: BTreeMap<&str, Vec<&str>> = sections.iter().map(|section| (section.name.as_str(), ids_of(section, document))).collect();
    let known: BTreeMap<&str, BTreeSet<&str>> = ids.iter().map(|(name, ids)| (*name, ids.iter().copied().collect())).collect();
    for section in sections {
        let own = ids.get(section.name.as_str()).map(Vec::as_slice).unwrap_or_default();
        check_form(&section.name, &section.id_key, own, faults);
        check_unique(&section.name, &section.id_key, own, &BTreeSet::new(), faults);
    }
    let mut spaces: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for section in sections {
        let (Some(namespace), Some(own)) = (&section.namespace, known.get(section.name.as_str())) else { continue };
        let taken = spaces.entry(namespace).or_default();
        for id in own.iter().filter(|id| !taken.insert(id)) {
            let place = by_id(&section.name, id, &section.id_key);
            faults
                .add("duplicate-id", &place, id, || format!("`{}` in `{}` is used by another section too", echo(id), echo(&section.name)));
        }
    }
    for section in sections {
        check_references(section, document, &ids, &known, faults);
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
        let problem = if id.is_empty() {
            "an id is not empty"
        } else if id.len() > ID_CODE_POINTS && id.chars().count() > ID_CODE_POINTS {
            "an id has at most 200 characters"
        } else if id.chars().any(is_invisible) {
            "an id holds no control, direction or invisible characters"
        } else {
            continue;
        };
        faults.add("invalid-id", &by_id(section, id, id_key), id, || problem.to_owned());
    }
}

/// Adds every id that stands in `taken`, or a second time in `ids`.
pub(crate) fn check_unique(section: &str, id_key: &str, ids: &[&str], taken: &BTreeSet<&str>, faults: &mut Faults) {
    let mut seen = BTreeSet::new();
    for id in ids {
        if !seen.insert(*id) || taken.contains(id) {
            faults.add("duplicate-id", &by_id(section, id, id_key), id, || format!("`{}` is used more than once in `{section}`", echo(id)));
        }
    }
}

/// The ids at which a walk along the parents closes, one for each cycle, in the order they are met.
pub(crate) fn cycles<'a>(links: impl Iterator<Item = (&'a str, Option<&'a str>)>) -> Vec<&'a str> {
    let mut order = Vec::new();
    let mut parents: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    for (id, parent) in links {
        order.push(id);
        parents.entry(id).or_insert(parent);
    }
    // for every id walked: the number of the walk that met it, so that each is met once
    let mut met: BTreeMap<&str, usize> = BTreeMap::new();
    let mut closing = Vec::new();
    for (walk, start) in order.into_iter().enumerate() {
        let mut at = start;
        loop {
            match met.get(at) {
                Some(earlier) if *earlier == walk => {
                    closing.push(at);
                    break;
                }
                Some(_) => break,
                None => met.insert(at, walk),
            };
            match parents.get(at) {
                Some(Some(parent)) => at = parent,
                _ => break,
            }
        }
    }
    closing
}

fn ids_of<'a>(section: &Section, document: &'a Json) -> Vec<&'a str> {
    section.entities(document).iter().filter_map(|entity| entity.get(&section.id_key)?.as_str()).collect()
}

fn check_references(
    section: &Section,
    document: &Json,
    ids: &BTreeMap<&str, Vec<&str>>,
    known: &BTreeMap<&str, BTreeSet<&str>>,
    faults: &mut Faults,
) {
    for entity in section.entities(document) {
        let id = entity.get(&section.id_key).and_then(Json::as_str).unwrap_or_default();
        for reference in &section.references {
            let Some(value) = pointer::find(entity, &reference.segments) else { continue };
            let field = || by_id(&section.name, id, &reference.segments.join("."));
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
                if reference.sections.iter().any(|name| known.get(name.as_str()).is_some_and(|ids| ids.contains(&**target))) {
                    continue;
                }
                faults.add("invalid-reference", &field(), target, || {
                    let all = reference.sections.iter().filter_map(|name| ids.get(name.as_str())).flatten().copied();
                    format!("`{}` is not in `{}`; {}", echo(target), echo(&reference.sections.join("`, `")), candidates(target, all))
                });
            }
        }
    }
}
