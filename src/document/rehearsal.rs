//! What calls would do one after the other, told on a draft: nothing of it is checked, and nothing of it stays.

use crate::protocol::command::ToolOutcome;
use crate::protocol::json::Json;
use crate::tools::core_tool::{Card, CoreTool};

use super::definition::Definition;
use super::live::Live;
use super::patch::apply;
use super::sight::Lent;

/// The card of every call on what the calls before it made. What cannot be made entity by entity goes on with a whole document.
pub(super) fn cards(live: &mut Live, definition: &dyn Definition, calls: &[(&dyn CoreTool, &Json)]) -> Vec<Option<Card>> {
    let sections = definition.sections();
    if let Some(by_entity) = definition.by_entity() {
        live.ensure_index(sections, by_entity);
    }
    let (whole, mut edits) = (live.set_aside(), Vec::new());
    let mut other: Option<Json> = None;
    let mut cards = Vec::with_capacity(calls.len());
    for (at, (tool, input)) in calls.iter().enumerate() {
        let lent = other.as_ref().map_or_else(|| Lent::live(live, sections), |other| Lent::plain(other, sections, None));
        let card = tool.card(&lent, input);
        let is_last = at + 1 == calls.len();
        let refused = card.as_ref().is_some_and(|card| card.refused);
        cards.push(card);
        if is_last || refused {
            continue;
        }
        let outcome = tool.run_on(&lent, input);
        drop(lent);
        other = match (outcome, other) {
            (ToolOutcome::Ok { document: Some(next), .. }, _) => Some(next),
            (ToolOutcome::Ok { patch: Some(patch), .. }, Some(other)) => Some(apply(&other, &patch).unwrap_or(other)),
            (ToolOutcome::Ok { patch: Some(patch), .. }, None) => {
                let known = edits.len();
                if live.draft(sections, &patch, &mut edits) {
                    None
                } else {
                    let made = edits.split_off(known);
                    live.take_back(sections, &made, None);
                    apply(live.document(sections), &patch).ok()
                }
            }
            (_, other) => other,
        };
    }
    live.take_back(sections, &edits, whole);
    cards
}
