//! The four entity tools on documents the core knows nothing of: what they do, what they refuse, whole turns, and every
//! verdict held against a look at the whole document.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper of a test may fail the test; clippy sees only the test functions themselves"
)]

mod names;
mod order;
#[path = "../support/order.rs"]
mod order_oracle;
mod previews;
mod programs;
mod scale;
mod schemas;
mod tools;
mod turns;

use std::rc::Rc;
use std::sync::Arc;

use countersign::commit::{BaseRevision, commit};
use countersign::document::definition::DocumentDefinition;
use countersign::document::outcome::CommitOutcome;
use countersign::document::rehearsal::{Act, Step};
use countersign::document::store::{DocumentStore, StoreOptions, TurnKey};
use countersign::entities::entity_tools;
use countersign::protocol::call::ToolEffect;
use countersign::protocol::command::{ToolOutcome, ToolResult};
use countersign::protocol::json::Json;
use countersign::protocol::preview::{Preview, PreviewLine};
use countersign::tools::core_tool::CoreTool;
use countersign::tools::registry::{PrepareError, ToolRegistry};

fn json(text: &str) -> Json {
    Json::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn flowchart(part: &str) -> Json {
    json(include_str!("../support/flowchart.json")).get(part).unwrap().clone()
}

fn defined(definition: &Json) -> DocumentDefinition {
    DocumentDefinition::decode(definition).unwrap()
}

/// A store with the tools of its definition.
struct Desk {
    store: DocumentStore,
    tools: Vec<Arc<dyn CoreTool>>,
    registry: ToolRegistry,
}

impl Desk {
    fn of(definition: &Json, document: &Json) -> Desk {
        let tools = entity_tools(&defined(definition));
        let registry = ToolRegistry::new(tools.iter().map(|tool| tool.declaration()).collect(), &tools).unwrap();
        let store = DocumentStore::new(Rc::new(defined(definition)), document, StoreOptions::default()).unwrap();
        Desk { store, tools, registry }
    }

    fn chart() -> Desk {
        Desk::of(&flowchart("definition"), &flowchart("document"))
    }

    fn prepare(&self, tool: &str, input: &str) -> Result<Json, Vec<String>> {
        self.registry.prepare(tool, &json(input)).map(|call| call.input).map_err(|error| match error {
            PrepareError::Issues(issues) => issues,
            PrepareError::UnknownTool => panic!("no tool is named {tool}"),
        })
    }

    /// Prepares, runs and commits one call as a turn would.
    fn call(&self, tool: &str, input: &str) -> (ToolOutcome, CommitOutcome) {
        let input = self.prepare(tool, input).unwrap_or_else(|issues| panic!("{tool}: {issues:?}"));
        let outcome = self.store.run(&**self.registry.find(tool).unwrap().core().unwrap(), &input);
        let base = BaseRevision(self.store.revision());
        let committed = commit(&self.store, &TurnKey::from("turn"), tool, base, ToolEffect::Mutate, &outcome);
        (outcome, committed)
    }

    /// The same where it must be committed: what the model is told.
    fn done(&self, tool: &str, input: &str) -> Json {
        let (outcome, committed) = self.call(tool, input);
        assert!(matches!(committed, CommitOutcome::Committed { .. }), "{outcome:?} {committed:?}");
        assert_eq!(self.store.issues(), Vec::<String>::new());
        told(&outcome)
    }

    /// The same where it must be refused by the tool: the words.
    fn refused(&self, tool: &str, input: &str) -> String {
        match self.call(tool, input).0 {
            ToolOutcome::Error { result, .. } => result,
            other => panic!("{other:?}"),
        }
    }

    fn preview(&self, tool: &str, input: &str) -> Preview {
        let input = self.prepare(tool, input).unwrap();
        let act = Act::Core(&**self.registry.find(tool).unwrap().core().unwrap());
        self.store.rehearse(&[Step { act, input: &input, summary: "", template: None }]).remove(0).unwrap()
    }

    fn card(&self, tool: &str, input: &str) -> String {
        self.preview(tool, input).title
    }

    fn ids(&self, section: &str) -> Vec<String> {
        let (path, key) = if section == "comments" { ("review", "key") } else { (section, "id") };
        let document = self.store.read();
        let list = document.get(path).unwrap();
        let list = if section == "comments" { list.get("comments").unwrap() } else { list };
        list.as_array().unwrap().iter().map(|entity| entity.get(key).and_then(Json::as_str).unwrap().to_owned()).collect()
    }
}

/// The body between the markers, as JSON.
fn told(outcome: &ToolOutcome) -> Json {
    let ToolOutcome::Ok { result: ToolResult::Text(text), .. } = outcome else { panic!("{outcome:?}") };
    let body =
        text.strip_prefix("<<<UNTRUSTED_DOCUMENT_DATA>>>\n").and_then(|rest| rest.strip_suffix("\n<<<END_UNTRUSTED_DOCUMENT_DATA>>>"));
    json(body.unwrap())
}
