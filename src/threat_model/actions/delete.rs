//! Removes one entity and everything that could not stand without it, in one patch.

use crate::protocol::json::{Json, Object};
use crate::protocol::patch::PatchOperation;
use crate::tools::core_tool::Sight;

use super::{Done, Target, find, text};

pub(super) fn run(target: Target, sight: &dyn Sight, input: &Json) -> Result<Done, String> {
    let (section, id) = (target.section(), text(input, "id").unwrap_or_default());
    let place = find(sight, section, id)?;
    let mut done = Done::new(id);
    // a second entity of that id (a fault of the document) still holds what names it
    if sight.places(section, id).len() == 1 {
        match target {
            Target::Element => with_element(sight, id, &mut done),
            Target::DataFlow => untarget(sight, None, &[place], &holders(sight, section, id, "threats"), &mut done),
            Target::TrustBoundary | Target::Threat => {}
        }
    }
    done.removed.push((section, vec![place]));
    Ok(done)
}

/// What ends at the element, what contains it, and the threats to it.
fn with_element(sight: &dyn Sight, id: &str, done: &mut Done) {
    let flows = holders(sight, "elements", id, "data_flows");
    let relationships = holders(sight, "elements", id, "relationships");
    let mut members = 0;
    for place in holders(sight, "elements", id, "trust_boundaries") {
        let Some(Json::Object(boundary)) = sight.entity("trust_boundaries", place) else { continue };
        let mut next = Object::clone(boundary);
        if let Some(contained) = next.get_mut("contains").and_then(Json::as_array_mut) {
            let before = contained.len();
            contained.retain(|member| member.as_str() != Some(id));
            members += before - contained.len();
        }
        done.patch.push(PatchOperation::Replace { path: format!("/trust_boundaries/{place}"), value: Json::from(next) });
    }
    done.cascades = vec![("data_flows", flows.len()), ("relationships", relationships.len()), ("boundary_members", members)];
    let mut threats = holders(sight, "elements", id, "threats");
    for flow in &flows {
        let flow = sight.entity("data_flows", *flow).and_then(|flow| text(flow, "id")).unwrap_or_default();
        for place in holders(sight, "data_flows", flow, "threats") {
            add(&mut threats, place);
        }
    }
    untarget(sight, Some(id), &flows, &threats, done);
    done.removed.extend([("data_flows", flows), ("relationships", relationships)]);
}

/// Takes an element and the flows at these places off the threats that may have them as their targets; a threat that had no
/// other goes too.
fn untarget(sight: &dyn Sight, element: Option<&str>, flows: &[usize], threats: &[usize], done: &mut Done) {
    // where a flow of the same id stays (a fault of the document), so do the threats to it
    let is_gone = |flow: &str| {
        let places = sight.places("data_flows", flow);
        !places.is_empty() && places.iter().all(|place| flows.binary_search(place).is_ok())
    };
    let (mut removed, mut changed) = (Vec::new(), 0);
    for place in threats {
        let Some(Json::Object(threat)) = sight.entity("threats", *place) else { continue };
        let mut next = Object::clone(threat);
        let target = |threat: &Object, field: &str| threat.get(field).and_then(Json::as_str).map(str::to_owned);
        if element.is_some() && target(&next, "element").as_deref() == element {
            next.remove("element");
        }
        if target(&next, "flow").is_some_and(|flow| is_gone(&flow)) {
            next.remove("flow");
        }
        if next.len() == threat.len() {
            continue;
        }
        if target(&next, "element").is_some() || target(&next, "flow").is_some() {
            changed += 1;
            done.patch.push(PatchOperation::Replace { path: format!("/threats/{place}"), value: Json::from(next) });
        } else {
            removed.push(*place);
        }
    }
    done.cascades.extend([("threats_removed", removed.len()), ("threats_changed", changed)]);
    done.removed.push(("threats", removed));
}

/// Where in `of` the entities stand that name this one, in order, each once.
fn holders(sight: &dyn Sight, section: &str, id: &str, of: &str) -> Vec<usize> {
    let mut places = Vec::new();
    for (holder, place) in sight.holders(section, id) {
        if holder == of {
            add(&mut places, place);
        }
    }
    places
}

fn add(places: &mut Vec<usize>, place: usize) {
    let at = places.partition_point(|other| *other < place);
    if places.get(at) != Some(&place) {
        places.insert(at, place);
    }
}
