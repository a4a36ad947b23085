//! The read tools over a view: what each declares, and what it answers.

use std::sync::Arc;

use crate::json_object;
use crate::protocol::call::ToolEffect;
use crate::protocol::command::{ToolOutcome, ToolResult};
use crate::protocol::effect::RunsOn;
use crate::protocol::json::{Json, MAX_SAFE_INTEGER, Object};
use crate::protocol::text::fence;
use crate::tools::canonical::canonical_json;
use crate::tools::core_tool::CoreTool;
use crate::tools::declaration::ToolDeclaration;

use super::view::{DocumentView, FilterInput};
use super::{LARGEST_PAGE, SCALAR_CODE_POINTS, project, search};

const OVERVIEW: &str = "Tells what the document is and how much it holds: what it says of itself, how many entities there are of each kind, and \
     how those with a closed list of values are spread over it. It is short; start with it.";
const SEARCH: &str = "Lists the entities of one kind in document order, a page at a time, with their ids. Every filter that is given must match. \
     `page.total` is the number of matches; where `page.next_offset` is a number, send it as `offset` to read on.";

/// The tools that read what the view shows, in the order in which they are offered.
#[must_use]
pub fn read_tools(view: &'static DocumentView<'static>) -> Vec<Arc<dyn CoreTool>> {
    vec![Arc::new(ReadTool { question: Question::Overview, view }), Arc::new(ReadTool { question: Question::Search, view })]
}

/// What is asked.
#[derive(Clone, Copy)]
enum Question {
    Overview,
    Search,
}

struct ReadTool {
    question: Question,
    view: &'static DocumentView<'static>,
}

impl ReadTool {
    fn name(&self) -> &'static str {
        match self.question {
            Question::Overview => "get_document_summary",
            Question::Search => "search_entities",
        }
    }
}

impl CoreTool for ReadTool {
    fn declaration(&self) -> ToolDeclaration {
        let (about, summary, input) = match self.question {
            Question::Overview => (OVERVIEW, "Read the document's summary", object_of(Object::new())),
            Question::Search => (SEARCH, "Search {kind}", search_input(self.view)),
        };
        let mut declaration = ToolDeclaration::new(self.name(), about, Json::from(input));
        declaration.effect = ToolEffect::Read;
        declaration.runs_on = RunsOn::Core;
        declaration.summary = Some(summary.to_owned());
        declaration
    }

    fn run(&self, document: &Json, input: &Json) -> ToolOutcome {
        let body = match self.question {
            Question::Overview => {
                let mut overview = project::overview(self.view, document);
                overview.insert("tool", self.name());
                Ok(canonical_json(&Json::from(overview)))
            }
            Question::Search => search::search(self.view, self.name(), document, input),
        };
        match body {
            Ok(body) => ToolOutcome::Ok { result: ToolResult::Text(fence(&body)), document: None, patch: None },
            Err(problem) => ToolOutcome::Error { result: problem, code: None, detail: None },
        }
    }
}

fn search_input(view: &DocumentView<'_>) -> Object {
    let mut members = Object::new();
    let mut kinds = Vec::new();
    for section in view.sections {
        kinds.push(section.name);
    }
    members.insert("kind", taking(FilterInput::OneOf(&kinds), "which entities"));
    for filter in view.filters {
        members.insert(filter.name, taking(filter.input, filter.about));
    }
    for (name, least, most, about) in [
        ("offset", 0.0, MAX_SAFE_INTEGER, "how many matches to pass over"),
        ("limit", 1.0, LARGEST_PAGE as f64, "how many to return, 20 where nothing is said"),
    ] {
        members.insert(name, json_object! { "type" => "integer", "minimum" => least, "maximum" => most, "description" => about });
    }
    let mut input = object_of(members);
    input.insert("required", vec![Json::from("kind")]);
    input
}

/// The schema of an object with these members and no others.
fn object_of(members: Object) -> Object {
    let mut schema = Object::new();
    schema.insert("type", "object");
    schema.insert("properties", members);
    schema.insert("additionalProperties", false);
    schema
}

fn taking(input: FilterInput<'_>, about: &str) -> Json {
    let mut schema = Object::new();
    schema.insert("type", if matches!(input, FilterInput::Flag) { "boolean" } else { "string" });
    match input {
        FilterInput::Text => {
            schema.insert("minLength", 1.0);
            schema.insert("maxLength", SCALAR_CODE_POINTS as f64);
        }
        FilterInput::Flag => {}
        FilterInput::OneOf(values) => {
            let mut listed = Vec::new();
            for value in values {
                listed.push(Json::from(*value));
            }
            schema.insert("enum", listed);
        }
    }
    schema.insert("description", about);
    Json::from(schema)
}
