//! The read tools over a view: what each declares, and what it answers.

use std::sync::Arc;

use crate::json_object;
use crate::protocol::call::ToolEffect;
use crate::protocol::command::{ToolOutcome, ToolResult};
use crate::protocol::effect::RunsOn;
use crate::protocol::json::{Json, MAX_SAFE_INTEGER, Object};
use crate::protocol::text::{echo, fence};
use crate::tools::canonical::canonical_json;
use crate::tools::core_tool::{CoreTool, Sight};
use crate::tools::declaration::ToolDeclaration;

use super::page::MAX_BODY_BYTES;
use super::project::{overview, project, shown_text};
use super::search::search;
use super::source::{Entities, Source};
use super::view::{DocumentView, FilterInput, Lend, Texts};
use super::{LARGEST_PAGE, SCALAR_CODE_POINTS};

const OVERVIEW: &str = "Tells what the document is and how much it holds: what it says of itself, how many entities there are of each kind, and \
     how those with a closed list of values are spread over it. It is short; start with it.";
const ENTITY: &str = "Tells everything that can be read of one entity: longer texts, lists, and the ids of what refers to it. Ids come from \
     search_entities.";
const SEARCH: &str = "Lists the entities of one kind in document order, a page at a time, with their ids. Every filter that is given must match. \
     `page.total` is the number of matches; where `page.next_offset` is a number, send it as `offset` to read on.";

/// The tools that read what the view shows, in the order in which they are offered.
#[must_use]
pub fn read_tools(view: &Arc<dyn Lend>) -> Vec<Arc<dyn CoreTool>> {
    let mut tools: Vec<Arc<dyn CoreTool>> = Vec::new();
    for question in [Question::Overview, Question::Entity, Question::Search] {
        tools.push(Arc::new(ReadTool { question, view: Arc::clone(view) }));
    }
    tools
}

/// The declaration of a tool that only reads, runs here and may run at any time.
#[must_use]
pub fn declared(name: &str, about: &str, summary: Option<&str>, input: Object) -> ToolDeclaration {
    let mut declaration = ToolDeclaration::new(name, about, Json::from(input));
    declaration.effect = ToolEffect::Read;
    declaration.runs_on = RunsOn::Core;
    declaration.summary = summary.map(str::to_owned);
    declaration
}

/// What a body, or the reason why there is none, is as an outcome.
#[must_use]
pub fn told(body: Result<String, String>) -> ToolOutcome {
    match body {
        Ok(body) => ToolOutcome::Ok { result: ToolResult::Text(fence(&body)), document: None, patch: None },
        Err(problem) => ToolOutcome::Error { result: problem, code: None, detail: None },
    }
}

/// What is asked.
#[derive(Clone, Copy)]
enum Question {
    Overview,
    Entity,
    Search,
}

struct ReadTool {
    question: Question,
    view: Arc<dyn Lend>,
}

impl ReadTool {
    fn name(&self) -> &'static str {
        match self.question {
            Question::Overview => "get_document_summary",
            Question::Entity => "get_entity",
            Question::Search => "search_entities",
        }
    }

    fn answer(&self, source: Source<'_>, input: &Json) -> ToolOutcome {
        let mut body = Err(String::new());
        self.view.lend(&mut |view| {
            body = match self.question {
                Question::Overview => Ok(overview(view, source, Some(self.name()), MAX_BODY_BYTES)),
                Question::Entity => entity(view, self.name(), source, input),
                Question::Search => search(view, self.name(), source, input),
            }
        });
        told(body)
    }
}

impl CoreTool for ReadTool {
    fn declaration(&self) -> ToolDeclaration {
        let mut input = Object::new();
        self.view.lend(&mut |view| {
            input = match self.question {
                Question::Overview => object_of(Object::new(), &[]),
                Question::Entity => entity_input(view),
                Question::Search => search_input(view),
            }
        });
        let (about, summary) = match self.question {
            Question::Overview => (OVERVIEW, Some("Read the document's summary")),
            Question::Entity => (ENTITY, Some("Read {kind} {id}")),
            Question::Search => (SEARCH, Some("Search {kind}")),
        };
        let mut declaration = declared(self.name(), about, summary, input);
        declaration.definition = self.view.definition().cloned();
        declaration
    }

    fn run(&self, document: &Json, input: &Json) -> ToolOutcome {
        self.answer(Source::Plain(document), input)
    }

    fn run_on(&self, sight: &dyn Sight, input: &Json) -> ToolOutcome {
        self.answer(Source::Lent(sight), input)
    }
}

/// The body that shows one entity whole, or a sentence that begins with the code of what is wrong.
fn entity(view: &DocumentView<'_>, tool: &str, source: Source<'_>, input: &Json) -> Result<String, String> {
    let text = |key: &str| input.get(key).and_then(Json::as_str).unwrap_or_default();
    let (kind, id) = (text("kind"), text("id"));
    let (shown_kind, shown_id) = (echo(kind), echo(id));
    let Some(section) = view.section(kind) else { return Err(format!("unknown_id: there is no kind `{shown_kind}`")) };
    let entities = source.entities(section);
    let Some(entity) = find(&entities, section.id_key, id) else {
        let count = entities.count();
        return Err(format!(
            "unknown_id: `{shown_id}` is not among the {count} entities of `{shown_kind}`; find its id with search_entities and `kind` `{shown_kind}`"
        ));
    };
    let shown = project(view, section, source, &entity, true);
    let body = canonical_json(&json_object! { "entity" => shown, "kind" => shown_text(kind), "tool" => tool });
    if body.len() > MAX_BODY_BYTES {
        return Err(format!(
            "entity_too_large: `{shown_id}` of `{shown_kind}` takes {} bytes, more than {MAX_BODY_BYTES}; search_entities with `kind` \
             `{shown_kind}` shows its main fields",
            body.len()
        ));
    }
    Ok(body)
}

/// The first entity of this id; else the one it means as results show it, with a backslash before `\`, `<` and `>`.
fn find(entities: &Entities<'_>, id_key: &str, id: &str) -> Option<Json> {
    entities.find(id_key, id).or_else(|| {
        let mut plain = String::with_capacity(id.len());
        let mut chars = id.chars().peekable();
        while let Some(c) = chars.next() {
            let next = chars.next_if(|next| c == '\\' && matches!(next, '\\' | '<' | '>'));
            plain.push(next.unwrap_or(c));
        }
        if plain == id { None } else { entities.find(id_key, &plain) }
    })
}

fn entity_input(view: &DocumentView<'_>) -> Object {
    let mut members = Object::new();
    members.insert("kind", kinds(view));
    members.insert("id", taking(FilterInput::Text, "the exact id"));
    object_of(members, &["kind", "id"])
}

fn search_input(view: &DocumentView<'_>) -> Object {
    let mut members = Object::new();
    members.insert("kind", kinds(view));
    for filter in view.filters {
        members.insert(filter.name, taking(filter.input, filter.about));
    }
    paged(&mut members);
    object_of(members, &["kind"])
}

fn kinds(view: &DocumentView<'_>) -> Json {
    let mut kinds = Vec::new();
    for section in view.sections {
        kinds.push(section.name);
    }
    taking(FilterInput::OneOf(Texts::Fixed(&kinds)), "which entities")
}

/// Adds the members that ask for a page.
pub fn paged(members: &mut Object) {
    for (name, least, most, about) in [
        ("offset", 0.0, MAX_SAFE_INTEGER, "how many matches to pass over"),
        ("limit", 1.0, LARGEST_PAGE as f64, "how many to return, 20 where nothing is said"),
    ] {
        members.insert(name, json_object! { "type" => "integer", "minimum" => least, "maximum" => most, "description" => about });
    }
}

/// The schema of an object with these members and no others.
#[must_use]
pub fn object_of(members: Object, required: &[&str]) -> Object {
    let mut schema = Object::new();
    schema.insert("type", "object");
    schema.insert("properties", members);
    schema.insert("additionalProperties", false);
    if !required.is_empty() {
        schema.insert("required", listed(Texts::Fixed(required)));
    }
    schema
}

/// The schema of what a filter takes.
#[must_use]
pub fn taking(input: FilterInput<'_>, about: &str) -> Json {
    let mut schema = Object::new();
    let kind = match input {
        FilterInput::Text | FilterInput::OneOf(_) => Json::from("string"),
        FilterInput::Flag => Json::from("boolean"),
        FilterInput::Number => Json::from("number"),
        FilterInput::Scalar => Json::from(listed(Texts::Fixed(&["string", "number", "boolean"]))),
    };
    schema.insert("type", kind);
    match input {
        FilterInput::Text | FilterInput::Scalar => {
            schema.insert("minLength", 1.0);
            schema.insert("maxLength", SCALAR_CODE_POINTS as f64);
        }
        FilterInput::OneOf(values) => {
            schema.insert("enum", listed(values));
        }
        FilterInput::Flag | FilterInput::Number => {}
    }
    schema.insert("description", about);
    Json::from(schema)
}

fn listed(texts: Texts<'_>) -> Vec<Json> {
    let mut listed = Vec::new();
    for text in texts.iter() {
        listed.push(Json::from(text));
    }
    listed
}
