//! The tools that change any document of entities: add, update, delete and move, told from its definition.
//!
//! Enters: a document in which things are found without a search, and a prepared input. Leaves: a patch and a small
//! fenced result, or one bounded sentence why not. What is right in a document is the commit's to say; ids are made
//! from the document alone. Knows no particular document.

mod change;
mod delete;
mod done;
mod input;
mod schema;
mod words;

use std::sync::Arc;

use crate::document::definition::{DocumentDefinition, Section};
use crate::document::sight::Lent;
use crate::protocol::command::ToolOutcome;
use crate::protocol::effect::RunsOn;
use crate::protocol::json::Json;
use crate::tools::core_tool::{CoreTool, Sight};
use crate::tools::declaration::ToolDeclaration;

/// The largest input of one call, in bytes.
const MAX_INPUT_BYTES: u64 = 65_536;
/// The longest patch that is told as one: more is sooner done as a whole document.
const MAX_PATCH: usize = 256;

/// The four tools for documents of this definition, in the order in which they are offered.
#[must_use]
pub fn entity_tools(definition: &DocumentDefinition) -> Vec<Arc<dyn CoreTool>> {
    let (sections, document) = (definition.shared_sections(), definition.written_schema());
    let tool = |verb: Verb| {
        let about = About { input: schema::input(verb, &sections, document), sections: Some(Arc::clone(&sections)) };
        Arc::new(EntityTool { verb, about }) as Arc<dyn CoreTool>
    };
    VERBS.map(tool).to_vec()
}

/// The same four for whatever document they are run on: what runs where only their declarations are told.
#[must_use]
pub fn any_entity_tools() -> Vec<Arc<dyn CoreTool>> {
    let tool = |verb: Verb| {
        let about = About { input: schema::input(verb, &[], None), sections: None };
        Arc::new(EntityTool { verb, about }) as Arc<dyn CoreTool>
    };
    VERBS.map(tool).to_vec()
}

/// What is done.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verb {
    Add,
    Update,
    Delete,
    Move,
}

const VERBS: [Verb; 4] = [Verb::Add, Verb::Update, Verb::Delete, Verb::Move];

impl Verb {
    fn name(self) -> &'static str {
        match self {
            Verb::Add => "add_entity",
            Verb::Update => "update_entity",
            Verb::Delete => "delete_entity",
            Verb::Move => "move_entity",
        }
    }
}

struct EntityTool {
    verb: Verb,
    about: About,
}

/// What is known of the documents.
struct About {
    input: Json,
    /// Nothing where only the document itself knows.
    sections: Option<Arc<[Section]>>,
}

impl CoreTool for EntityTool {
    fn declaration(&self) -> ToolDeclaration {
        let mut declaration = ToolDeclaration::new(self.verb.name(), schema::description(self.verb), self.about.input.clone());
        declaration.destructive = self.verb == Verb::Delete;
        declaration.runs_on = RunsOn::Core;
        declaration.max_input_bytes = Some(MAX_INPUT_BYTES);
        declaration
    }

    fn normalize(&self, input: Json) -> Result<Json, Vec<String>> {
        input::normalized(self.verb, input)
    }

    fn summary(&self, input: &Json) -> Option<String> {
        Some(words::line(self.verb, None, input))
    }

    fn card(&self, sight: &dyn Sight, input: &Json) -> Option<String> {
        Some(words::card(self.verb, sight, input))
    }

    fn checks_itself(&self) -> bool {
        true
    }

    fn run(&self, document: &Json, input: &Json) -> ToolOutcome {
        match &self.about.sections {
            Some(sections) => self.run_on(&Lent::plain(document, sections, None), input),
            None => failed(self.verb, "the document does not say what its entities are"),
        }
    }

    fn run_on(&self, sight: &dyn Sight, input: &Json) -> ToolOutcome {
        let done = match self.verb {
            Verb::Add => change::add(sight, input),
            Verb::Update => change::update(sight, input),
            Verb::Delete => delete::delete(sight, input),
            Verb::Move => change::moved(sight, input),
        };
        match done {
            Ok(done) => done.outcome(self.verb.name(), sight, MAX_PATCH),
            Err(problem) => failed(self.verb, &problem),
        }
    }
}

fn failed(verb: Verb, problem: &str) -> ToolOutcome {
    ToolOutcome::Error { result: format!("`{}`: {problem}", verb.name()), code: None, detail: None }
}
