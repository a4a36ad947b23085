//! The twelve tools that change a threat model: add, update and delete for elements, data flows, trust
//! boundaries and threats.
//!
//! Enters: a document and a validated input. Leaves: a patch and a small fenced result, or one sentence why
//! not. Pure functions of both; ids are made from the document alone.

mod add;
mod delete;
mod schema;
mod summary;
mod update;

use std::sync::Arc;

use crate::document::fault::candidates;
use crate::document::patch::apply_all;
use crate::document::pointer::ensure_list;
use crate::document::sight::Lent;
use crate::protocol::command::{ToolOutcome, ToolResult};
use crate::protocol::effect::RunsOn;
use crate::protocol::json::{Json, Object};
use crate::protocol::patch::{JsonPatch, PatchOperation};
use crate::protocol::text::{clean, echo, escape, fence, join};
use crate::tools::canonical::canonical_json;
use crate::tools::core_tool::{CoreTool, Sight};
use crate::tools::declaration::ToolDeclaration;
use crate::tools::target::ToolTarget;

use super::model::SEVERITIES;

/// The largest input of one call, in bytes.
const MAX_INPUT_BYTES: u64 = 65_536;
/// The longest id that is told in a result, in code points.
const ID_CODE_POINTS: usize = 200;
/// The most ids a result lists.
const LISTED_IDS: usize = 10;
/// The longest patch that is told as one: more is sooner done as a whole document.
const MAX_PATCH: usize = 64;

/// The twelve tools, in the order in which they are offered.
#[must_use]
pub fn graph_action_tools() -> Vec<Arc<dyn CoreTool>> {
    let mut tools: Vec<Arc<dyn CoreTool>> = Vec::new();
    for target in [Target::Element, Target::DataFlow, Target::TrustBoundary, Target::Threat] {
        for verb in [Verb::Add, Verb::Update, Verb::Delete] {
            tools.push(Arc::new(GraphAction { verb, target }));
        }
    }
    tools
}

/// What is done.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verb {
    Add,
    Update,
    Delete,
}

/// What it is done to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    Element,
    DataFlow,
    TrustBoundary,
    Threat,
}

impl Target {
    /// As it stands in tool names and inputs.
    fn noun(self) -> &'static str {
        match self {
            Target::Element => "element",
            Target::DataFlow => "data_flow",
            Target::TrustBoundary => "trust_boundary",
            Target::Threat => "threat",
        }
    }

    /// As a person reads it.
    fn words(self) -> &'static str {
        match self {
            Target::Element => "element",
            Target::DataFlow => "data flow",
            Target::TrustBoundary => "trust boundary",
            Target::Threat => "threat",
        }
    }

    /// Where it lives.
    fn section(self) -> &'static str {
        match self {
            Target::Element => "elements",
            Target::DataFlow => "data_flows",
            Target::TrustBoundary => "trust_boundaries",
            Target::Threat => "threats",
        }
    }
}

struct GraphAction {
    verb: Verb,
    target: Target,
}

impl GraphAction {
    fn name(&self) -> String {
        let verb = match self.verb {
            Verb::Add => "add",
            Verb::Update => "update",
            Verb::Delete => "delete",
        };
        format!("{verb}_{}", self.target.noun())
    }

    /// The member that holds what is written, where the tool writes something.
    fn payload(&self) -> Option<&'static str> {
        match self.verb {
            Verb::Add => Some(self.target.noun()),
            Verb::Update => Some("updates"),
            Verb::Delete => None,
        }
    }
}

impl CoreTool for GraphAction {
    fn declaration(&self) -> ToolDeclaration {
        let input = schema::input(self.verb, self.target, &self.name());
        let mut declaration = ToolDeclaration::new(self.name(), schema::description(self.verb, self.target), input);
        declaration.destructive = self.verb == Verb::Delete;
        declaration.runs_on = RunsOn::Core;
        declaration.max_input_bytes = Some(MAX_INPUT_BYTES);
        if self.verb != Verb::Add {
            declaration.target = Some(ToolTarget { section: self.target.section().to_owned(), path: "/id".to_owned() });
        }
        declaration
    }

    /// Drops `action` and what is empty, writes severities in lower case, and refuses an update of nothing.
    fn normalize(&self, input: Json) -> Result<Json, Vec<String>> {
        let Json::Object(object) = &input else { return Err(vec![format!("input: expected an object, got {}", input.kind())]) };
        let mut next = Object::clone(object);
        let mut issues = Vec::new();
        if let Some(action) = next.remove("action")
            && action.as_str() != Some(&self.name())
        {
            issues.push(format!("action: must be `{}` or left out", self.name()));
        }
        if let Some(payload) = self.payload()
            && let Some(severity) = next.get(payload).and_then(|fields| fields.get("severity")).cloned()
        {
            match severity.as_str().map(str::to_ascii_lowercase).filter(|severity| SEVERITIES.contains(&severity.as_str())) {
                Some(lower) => {
                    if let Some(fields) = next.get_mut(payload).and_then(Json::as_object_mut) {
                        fields.insert("severity", lower);
                    }
                }
                None => issues.push(format!(
                    "{payload}.severity: `{}` is no severity, use one of `{}`",
                    echo(severity.as_str().unwrap_or_else(|| severity.kind())),
                    join(&SEVERITIES, "`, `")
                )),
            }
        }
        if self.verb == Verb::Update {
            update::normalize(&mut next, &mut issues);
        }
        if issues.is_empty() { Ok(Json::from(next)) } else { Err(issues) }
    }

    fn summary(&self, input: &Json) -> Option<String> {
        Some(summary::head(self.verb, self.target, input))
    }

    fn card(&self, sight: &dyn Sight, input: &Json) -> Option<String> {
        Some(summary::titled(self.verb, self.target, sight, input))
    }

    fn run(&self, document: &Json, input: &Json) -> ToolOutcome {
        self.outcome(&Lent::plain(document, &super::sections(), Some(super::NUMBERED)), input, 0)
    }

    fn run_on(&self, sight: &dyn Sight, input: &Json) -> ToolOutcome {
        self.outcome(sight, input, MAX_PATCH)
    }
}

impl GraphAction {
    /// What comes of a run; a patch longer than `longest` is told as the whole next document.
    fn outcome(&self, sight: &dyn Sight, input: &Json, longest: usize) -> ToolOutcome {
        let done = match self.verb {
            Verb::Add => add::run(self.target, sight, input),
            Verb::Update => update::run(self.target, sight, input),
            Verb::Delete => delete::run(self.target, sight, input),
        };
        let done = match done {
            Ok(done) => done,
            Err(problem) => return ToolOutcome::Error { result: format!("`{}`: {problem}", self.name()), code: None, detail: None },
        };
        let result = ToolResult::Text(done.told(&self.name(), self.target.section()));
        let (document, patch) = match done.size() {
            0 => (None, None),
            short if short <= longest => (None, Some(done.into_patch())),
            _ => (Some(done.whole(sight.document(), self.target)), None),
        };
        ToolOutcome::Ok { result, document, patch }
    }
}

/// What a run came to.
struct Done {
    /// What comes or changes.
    patch: JsonPatch,
    /// What goes: sections with places in order, as they are before all of it.
    removed: Vec<(&'static str, Vec<usize>)>,
    /// The entity that was made, changed or removed.
    id: String,
    /// What else changed with it: counters, in canonical order when written.
    cascades: Vec<(&'static str, usize)>,
    /// Members that name no element and were left out.
    dropped: Vec<String>,
    /// One authored sentence the model should know.
    warning: Option<String>,
}

impl Done {
    fn new(id: &str) -> Done {
        Done { patch: Vec::new(), removed: Vec::new(), id: id.to_owned(), cascades: Vec::new(), dropped: Vec::new(), warning: None }
    }

    /// How many operations it takes.
    fn size(&self) -> usize {
        self.removed.iter().fold(self.patch.len(), |sum, (_, places)| sum + places.len())
    }

    fn into_patch(self) -> JsonPatch {
        let mut patch = self.patch;
        for (section, places) in self.removed {
            // from the back, so that no place moves before its turn
            patch.extend(places.iter().rev().map(|place| PatchOperation::Remove { path: format!("/{section}/{place}") }));
        }
        patch
    }

    /// The whole next document, the section of what is added made where it is not there.
    fn whole(&self, document: &Json, target: Target) -> Json {
        let mut next = document.clone();
        if !matches!(next.get(target.section()), Some(Json::Array(_))) {
            ensure_list(&mut next, &[target.section().to_owned()]);
        }
        // only a document nobody read can refuse it: then it stays as it is
        next = apply_all(&next, &self.patch).unwrap_or(next);
        for (section, places) in self.removed.iter().filter(|(_, places)| !places.is_empty()) {
            let list = next.as_object_mut().and_then(|root| root.get_mut(section)).and_then(Json::as_array_mut);
            let mut at = 0;
            for items in list.into_iter() {
                items.retain(|_| {
                    at += 1;
                    places.binary_search(&(at - 1)).is_err()
                });
            }
        }
        next
    }

    /// The result the model reads: canonical JSON between the markers, nothing in it able to forge one.
    fn told(&self, action: &str, kind: &str) -> String {
        let safe = |text: &str| escape(&clean(text, ID_CODE_POINTS).0);
        let mut told: Object =
            [("action", Json::from(action)), ("id", Json::from(safe(&self.id))), ("kind", Json::from(kind))].into_iter().collect();
        let cascades: Object =
            self.cascades.iter().filter(|(_, count)| *count > 0).map(|(name, count)| (*name, Json::from(*count as f64))).collect();
        if !cascades.is_empty() {
            told.insert("cascades", cascades);
        }
        if !self.dropped.is_empty() {
            let listed: Vec<Json> = self.dropped.iter().take(LISTED_IDS).map(|id| Json::from(echo(id))).collect();
            told.insert("dropped_members", listed);
            told.insert("dropped_members_total", self.dropped.len() as f64);
        }
        if let Some(warning) = &self.warning {
            told.insert("warning", warning.as_str());
        }
        if self.size() == 0 {
            told.insert("unchanged", true);
        }
        fence(&canonical_json(&Json::from(told)))
    }
}

/// The entries of a section.
fn entries<'a>(document: &'a Json, section: &str) -> &'a [Json] {
    document.get(section).and_then(Json::as_array).unwrap_or_default()
}

fn text<'a>(entry: &'a Json, field: &str) -> Option<&'a str> {
    entry.get(field)?.as_str()
}

fn has_id(sight: &dyn Sight, section: &str, id: &str) -> bool {
    !sight.places(section, id).is_empty()
}

/// The place of the first entity with exactly the id the input names, or why there is none. What a card names and what
/// a call changes must be one thing: an id that is merely shown alike is another entity.
fn find(sight: &dyn Sight, section: &str, id: &str) -> Result<usize, String> {
    sight.places(section, id).first().copied().ok_or_else(|| format!("id: {}", unknown(sight, section, id)))
}

/// `x` is not there, and what is.
fn unknown(sight: &dyn Sight, section: &str, id: &str) -> String {
    let known = entries(sight.document(), section).iter().filter_map(|entry| text(entry, "id"));
    format!("`{}` is not in `{section}` now; {}", echo(id), candidates(id, known))
}

/// What is said of a type the catalog does not have.
fn type_warning(element_type: &str) -> Option<String> {
    (!super::catalog::is_known(element_type))
        .then(|| format!("the component catalog has no type `{}`; the element is shown as a generic one", echo(element_type)))
}
