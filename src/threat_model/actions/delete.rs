//! Removes one entity and everything that could not stand without it, in one document.

use crate::protocol::json::Json;
use crate::protocol::places::places;

use super::{Done, Target, entries, entries_mut, find, has_id, text};

pub(super) fn run(target: Target, document: &Json, input: &Json) -> Result<Done, String> {
    let place = find(document, target.section(), text(input, "id").unwrap_or_default())?;
    let id = entries(document, target.section()).get(place).and_then(|entity| text(entity, "id")).unwrap_or_default();
    let mut next = document.clone();
    if let Some(list) = entries_mut(&mut next, target.section()) {
        list.remove(place);
    }
    let mut done = Done::new(Json::Null, id);
    // a second entity of that id (a fault of the document) still holds what names it
    if !has_id(&next, target.section(), id) {
        match target {
            Target::Element => {
                let ends_here = |entry: &Json| text(entry, "from") == Some(id) || text(entry, "to") == Some(id);
                let flows = entries(document, "data_flows").iter().filter(|flow| ends_here(flow));
                let flows = places(&mut flows.filter_map(|flow| text(flow, "id")));
                done.cascades = vec![
                    ("data_flows", remove_where(&mut next, "data_flows", ends_here)),
                    ("relationships", remove_where(&mut next, "relationships", ends_here)),
                    ("boundary_members", remove_members(&mut next, id)),
                ];
                let after = next.clone();
                let left = places(&mut entries(&after, "data_flows").iter().filter_map(|flow| text(flow, "id")));
                let gone = |flow: &str| flows.contains_key(flow) && !left.contains_key(flow);
                done.cascades.extend(untarget(&mut next, &|field, value| if field == "element" { value == id } else { gone(value) }));
            }
            Target::DataFlow => done.cascades.extend(untarget(&mut next, &|field, value| field == "flow" && value == id)),
            Target::TrustBoundary | Target::Threat => {}
        }
    }
    done.document = Some(next);
    Ok(done)
}

/// Removes the entries that match; says how many there were. A section without one stays the same tree.
fn remove_where(document: &mut Json, section: &str, matches: impl Fn(&Json) -> bool) -> usize {
    let count = entries(document, section).iter().filter(|entry| matches(entry)).count();
    if count > 0
        && let Some(list) = entries_mut(document, section)
    {
        list.retain(|entry| !matches(entry));
    }
    count
}

/// Takes the element out of every boundary; says how often it stood in one.
fn remove_members(document: &mut Json, id: &str) -> usize {
    let holds = |boundary: &Json| {
        boundary.get("contains").and_then(Json::as_array).is_some_and(|members| members.iter().any(|member| member.as_str() == Some(id)))
    };
    if !entries(document, "trust_boundaries").iter().any(holds) {
        return 0;
    }
    let mut count = 0;
    for boundary in entries_mut(document, "trust_boundaries").into_iter().flatten().filter(|boundary| holds(boundary)) {
        if let Some(members) = boundary.as_object_mut().and_then(|object| object.get_mut("contains")).and_then(Json::as_array_mut) {
            let before = members.len();
            members.retain(|member| member.as_str() != Some(id));
            count += before - members.len();
        }
    }
    count
}

/// Takes targets that are gone off the threats; a threat that had no other goes too.
fn untarget(document: &mut Json, gone: &dyn Fn(&str, &str) -> bool) -> [(&'static str, usize); 2] {
    let loses = |threat: &Json, field: &str| text(threat, field).is_some_and(|value| gone(field, value));
    let any = |threat: &Json| loses(threat, "element") || loses(threat, "flow");
    let (mut removed, mut changed) = (0, 0);
    if entries(document, "threats").iter().any(any)
        && let Some(list) = entries_mut(document, "threats")
    {
        list.retain_mut(|threat| {
            if !any(threat) {
                return true;
            }
            for field in ["element", "flow"] {
                if loses(threat, field)
                    && let Some(object) = threat.as_object_mut()
                {
                    object.remove(field);
                }
            }
            let stays = text(threat, "element").is_some() || text(threat, "flow").is_some();
            if stays {
                changed += 1
            } else {
                removed += 1
            }
            stays
        });
    }
    [("threats_removed", removed), ("threats_changed", changed)]
}
