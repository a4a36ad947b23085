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

use super::view::{DocumentView, Filter, FilterInput};
use super::{DEFAULT_PAGE, LARGEST_PAGE, SCALAR_CODE_POINTS, project, search};

/// The tools that read what the view shows, in the order in which they are offered.
#[must_use]
pub fn read_tools(view: DocumentView) -> Vec<Arc<dyn CoreTool>> {
    let view = Arc::new(view);
    vec![
        Arc::new(ReadTool { question: Question::Overview, view: Arc::clone(&view) }),
        Arc::new(ReadTool { question: Question::Search, view }),
    ]
}

/// What is asked.
#[derive(Clone, Copy)]
enum Question {
    Overview,
    Search,
}

struct ReadTool {
    question: Question,
    view: Arc<DocumentView>,
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
        let (about, summary, properties, required) = match self.question {
            Question::Overview => (
                "Tells what the document is and how much it holds: what it says of itself, how many entities there are of each kind, and how those with a fixed list of values are spread over it. It is short; start with it.",
                "Read the document's summary",
                Object::new(),
                Vec::new(),
            ),
            Question::Search => (
                "Lists the entities of one kind in document order, a page at a time, with the ids that the other tools take. Every filter that is given must match. `page.total` is the number of matches; where `page.next_offset` is a number, send it as `offset` to read on.",
                "Search {kind}",
                search_input(&self.view),
                vec![Json::from("kind")],
            ),
        };
        let mut input = Object::from_iter([("type", Json::from("object")), ("properties", Json::from(properties))]);
        if !required.is_empty() {
            input.insert("required", required);
        }
        input.insert("additionalProperties", false);
        let mut declaration = ToolDeclaration::new(self.name(), about, Json::from(input));
        declaration.effect = ToolEffect::Read;
        declaration.runs_on = RunsOn::Core;
        declaration.summary = Some(summary.to_owned());
        declaration
    }

    fn run(&self, document: &Json, input: &Json) -> ToolOutcome {
        let body = match self.question {
            Question::Overview => {
                let mut overview = project::overview(&self.view, document);
                overview.insert("tool", self.name());
                Ok(canonical_json(&Json::from(overview)))
            }
            Question::Search => search::search(&self.view, self.name(), document, input),
        };
        match body {
            Ok(body) => ToolOutcome::Ok { result: ToolResult::Text(fence(&body)), document: None, patch: None },
            Err(problem) => ToolOutcome::Error { result: problem, code: None, detail: None },
        }
    }
}

/// The members a search takes.
fn search_input(view: &DocumentView) -> Object {
    let kinds: Vec<Json> = view.sections.iter().map(|section| Json::from(section.name.as_str())).collect();
    let mut members =
        Object::from_iter([("kind", json_object! { "type" => "string", "enum" => kinds, "description" => "which entities" })]);
    for filter in &view.filters {
        members.insert(filter.name.as_str(), filter_input(filter));
    }
    let count = |least: f64, most: f64, about: String| {
        json_object! { "type" => "integer", "minimum" => least, "maximum" => most, "description" => about }
    };
    members.insert("offset", count(0.0, MAX_SAFE_INTEGER, "how many matches to pass over".to_owned()));
    members.insert("limit", count(1.0, f64::from(LARGEST_PAGE), format!("how many to return, {DEFAULT_PAGE} where nothing is said")));
    members
}

fn filter_input(filter: &Filter) -> Json {
    let mut schema = Object::new();
    match &filter.input {
        FilterInput::Text => {
            schema.insert("type", "string");
            schema.insert("minLength", 1.0);
            schema.insert("maxLength", SCALAR_CODE_POINTS as f64);
        }
        FilterInput::Flag => {
            schema.insert("type", "boolean");
        }
        FilterInput::OneOf(values) => {
            schema.insert("type", "string");
            schema.insert("enum", values.iter().map(|value| Json::from(value.as_str())).collect::<Vec<_>>());
        }
    }
    schema.insert("description", filter.about.as_str());
    Json::from(schema)
}
