//! What a run came to: as a patch or as the whole next document, and as the model reads it.

use crate::document::patch::apply_all;
use crate::document::pointer;
use crate::protocol::command::{ToolOutcome, ToolResult};
use crate::protocol::json::{Json, Object};
use crate::protocol::patch::{JsonPatch, PatchOperation};
use crate::protocol::text::{clean, escape, fence};
use crate::tools::canonical::canonical_json;
use crate::tools::core_tool::Sight;

/// The longest id that is told in a result, in code points: as long as an id may be.
const ID_CODE_POINTS: usize = 200;

/// What a run came to.
pub(super) struct Done {
    pub(super) kind: String,
    /// The entity that was made, changed, moved or removed.
    pub(super) id: String,
    /// What comes, moves or is another.
    pub(super) patch: JsonPatch,
    /// What goes: sections with places in order, as they are before all of it.
    pub(super) removed: Vec<(String, Vec<usize>)>,
    /// How many others went or lost a reference, by section.
    pub(super) cascades: Cascades,
}

/// How many others went or lost a reference with an entity, by section.
#[derive(Default)]
pub(super) struct Cascades {
    pub(super) removed: Vec<(String, usize)>,
    pub(super) cleared: Vec<(String, usize)>,
}

impl Cascades {
    fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.cleared.is_empty()
    }
}

impl Done {
    pub(super) fn new(kind: &str, id: &str, patch: JsonPatch) -> Done {
        Done { kind: kind.to_owned(), id: id.to_owned(), patch, removed: Vec::new(), cascades: Cascades::default() }
    }

    /// The outcome; a patch longer than `longest` is told as the whole next document.
    pub(super) fn outcome(self, action: &str, sight: &dyn Sight, longest: usize) -> ToolOutcome {
        let size = self.removed.iter().fold(self.patch.len(), |sum, (_, places)| sum + places.len());
        let result = ToolResult::Text(self.told(action, size));
        let (document, patch) = match size {
            0 => (None, None),
            short if short <= longest => (None, Some(self.into_patch(sight))),
            _ => (Some(self.whole(sight)), None),
        };
        ToolOutcome::Ok { result, document, patch }
    }

    fn into_patch(self, sight: &dyn Sight) -> JsonPatch {
        let mut patch = self.patch;
        for (section, places) in self.removed {
            let path = sight.kind(&section).map_or("", |kind| kind.path);
            // from the back, so that no place moves before its turn
            patch.extend(places.iter().rev().map(|place| PatchOperation::Remove { path: format!("{path}/{place}") }));
        }
        patch
    }

    fn whole(&self, sight: &dyn Sight) -> Json {
        let document = sight.document();
        let mut next = apply_all(document, &self.patch).unwrap_or_else(|_| document.clone());
        for (section, places) in &self.removed {
            let segments = sight.kind(section).and_then(|kind| pointer::parse(kind.path).ok()).unwrap_or_default();
            let mut at = 0;
            for items in pointer::find_mut(&mut next, &segments).and_then(Json::as_array_mut).into_iter() {
                items.retain(|_| {
                    at += 1;
                    places.binary_search(&(at - 1)).is_err()
                });
            }
        }
        next
    }

    /// The result the model reads: canonical JSON between the markers, nothing in it able to forge one.
    fn told(&self, action: &str, size: usize) -> String {
        let mut told = Object::new();
        told.insert("action", action);
        told.insert("kind", safe(&self.kind));
        told.insert("id", safe(&self.id));
        if !self.cascades.is_empty() {
            let mut cascades = Object::new();
            for (name, counts) in [("removed", &self.cascades.removed), ("cleared", &self.cascades.cleared)] {
                if !counts.is_empty() {
                    let mut by_section = Object::new();
                    for (section, count) in counts {
                        by_section.insert(safe(section), *count as f64);
                    }
                    cascades.insert(name, by_section);
                }
            }
            told.insert("cascades", cascades);
        }
        if size == 0 {
            told.insert("unchanged", true);
        }
        fence(&canonical_json(&Json::from(told)))
    }
}

fn safe(text: &str) -> String {
    escape(&clean(text, ID_CODE_POINTS).0)
}
