//! The shipped domain through its public face: recorded verdicts and effects, our own documents, hostile ones.
#![cfg(all(feature = "threat-model", not(target_arch = "wasm32")))]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper of a test may fail the test; clippy sees only the test functions themselves"
)]

mod actions;
mod corpus;
mod documents;
mod hostile;
mod oracle;
mod previews;
mod program;
mod reading;
mod reading_bounds;
mod reading_entity;
mod rehearsals;

use std::rc::Rc;
use std::sync::Arc;

use countersign::commit::{BaseRevision, commit};
use countersign::document::outcome::CommitOutcome;
use countersign::document::store::{DocumentStore, StoreOptions};
use countersign::protocol::command::{ToolOutcome, ToolResult};
use countersign::protocol::error::Fault;
use countersign::protocol::json::Json;
use countersign::threat_model::{definition, graph_action_tools};
use countersign::tools::registry::{PrepareError, PreparedCall, ToolRegistry};

fn json(text: &str) -> Json {
    Json::parse(text).unwrap()
}

fn open(document: &Json) -> Result<DocumentStore, Fault> {
    DocumentStore::new(definition(), document, StoreOptions::default())
}

/// The document of the recorded mutations: two groups, three elements, two flows, a relationship, two threats.
fn smart_lock() -> Json {
    corpus::lines(corpus::MUTATIONS)[0].get("document").unwrap().clone()
}

fn registry() -> ToolRegistry {
    thread_local! {
        static REGISTRY: ToolRegistry = {
            let tools = graph_action_tools();
            ToolRegistry::new(tools.iter().map(|tool| tool.declaration()).collect(), &tools).unwrap()
        };
    }
    REGISTRY.with(ToolRegistry::clone)
}

fn prepare(tool: &str, input: &Json) -> Result<PreparedCall, Vec<String>> {
    registry().prepare(tool, input).map_err(|error| match error {
        PrepareError::Issues(issues) => issues,
        PrepareError::UnknownTool => panic!("no tool is named {tool}"),
    })
}

/// Prepares, runs and commits one call as a turn would.
fn call(store: &DocumentStore, tool: &str, input: &Json) -> (ToolOutcome, CommitOutcome) {
    let registry = registry();
    let prepared = registry.prepare(tool, input).unwrap_or_else(|error| panic!("{tool}: {error:?}"));
    let found = registry.find(tool).unwrap();
    let outcome = found.core().unwrap().run(&store.read(), &prepared.input);
    let base = BaseRevision(store.revision());
    let committed = commit(store, &countersign::document::store::TurnKey::from("turn"), tool, base, found.declaration().effect, &outcome);
    (outcome, committed)
}

/// The body between the markers, as JSON.
fn told(outcome: &ToolOutcome) -> Json {
    let ToolOutcome::Ok { result: ToolResult::Text(text), .. } = outcome else { panic!("{outcome:?}") };
    let body =
        text.strip_prefix("<<<UNTRUSTED_DOCUMENT_DATA>>>\n").and_then(|rest| rest.strip_suffix("\n<<<END_UNTRUSTED_DOCUMENT_DATA>>>"));
    json(body.unwrap())
}

fn problem(outcome: &ToolOutcome) -> &str {
    match outcome {
        ToolOutcome::Error { result, .. } => result,
        other => panic!("{other:?}"),
    }
}
