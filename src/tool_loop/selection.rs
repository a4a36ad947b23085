//! Which thing a call means, where it names one by its title: told to the person, who chooses; never resolved by itself.

use crate::document::store::DocumentStore;
use crate::protocol::act::{ActRecord, ActResult, Candidate};
use crate::protocol::call::CallRecord;
use crate::protocol::json::Json;
use crate::protocol::text::{cap, visible};
use crate::tools::core_tool::Sight;
use crate::tools::target::ToolTarget;
use crate::turn::TurnState;

/// The most things that are offered.
const CANDIDATES: usize = 20;
/// The longest title that is shown, in code points.
const TITLE: usize = 200;

/// What the call's words for its target come to: nothing to choose where they are an id, or name nothing at all.
pub(super) fn act_of(state: &TurnState, call: &CallRecord, target: &ToolTarget, store: &DocumentStore) -> Option<ActRecord> {
    let settled = || call.act.clone().filter(|act| act.result != ActResult::NeedsSelection);
    let Some(words) = target.named(&call.input) else { return settled() };
    let mut candidates = Vec::new();
    let mut more = 0_usize;
    store.lend(&mut |sight| (candidates, more) = meant(sight, &target.section, words));
    if candidates.is_empty() {
        return settled();
    }
    let index = state.current_calls().take_while(|other| other.id != call.id).count();
    let reason = match (candidates.len(), more) {
        (1, 0) => "the model gave a title in place of an id; say whether this is what is meant".to_owned(),
        (all, 0) => format!("the model gave a title that {all} things have; say which one is meant"),
        (all, more) => format!("the model gave a title that {} things have; say which one is meant", all.saturating_add(more)),
    };
    Some(ActRecord {
        index: u32::try_from(index).unwrap_or(u32::MAX),
        result: ActResult::NeedsSelection,
        reason: Some(reason),
        candidates: Some(candidates),
    })
}

/// The things of the section that the words name by title or id, case and white space aside, and how many more there are; none
/// where they are the very id of one.
fn meant(sight: &dyn Sight, section: &str, words: &str) -> (Vec<Candidate>, usize) {
    let (mut candidates, mut more) = (Vec::new(), 0);
    let Some(kind) = sight.kind(section) else { return (candidates, 0) };
    if !sight.places(section, words).is_empty() {
        return (candidates, 0);
    }
    let folded_words = folded(words);
    if folded_words.is_empty() {
        return (candidates, 0);
    }
    for place in 0..sight.count(section) {
        let Some(entity) = sight.entity(section, place) else { continue };
        let Some(id) = entity.get(kind.id_key).and_then(Json::as_str) else { continue };
        let title = kind.title_key.and_then(|key| entity.get(key)).and_then(Json::as_str).unwrap_or_default();
        if folded(title) != folded_words && folded(id) != folded_words {
            continue;
        }
        if candidates.len() == CANDIDATES {
            more += 1;
            continue;
        }
        let shown = if title.is_empty() { id } else { title };
        candidates.push(Candidate { id: id.to_owned(), title: cap(&visible(shown), TITLE), section: section.to_owned() });
    }
    (candidates, more)
}

/// The text in small letters, with one space wherever there is white space inside it.
fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(&word.to_lowercase());
    }
    folded
}
