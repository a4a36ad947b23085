//! Writes requests for OpenAI's Chat Completions API.
//!
//! Enters: a request in neutral words. Leaves: a body that OpenAI and stricter servers take whatever the history went
//! through: the system prompt first, then the user; behind every message with calls one result for each in call order, then
//! what the user said; neighbouring texts of one role as one message, since chat templates want the roles in turn.

use crate::history::repair_history;
use crate::json_object;
use crate::protocol::error::Fault;
use crate::protocol::event::ProviderFormat;
use crate::protocol::json::{Json, Object};
use crate::protocol::message::{ContentBlock, Message, Role};
use crate::protocol::places::Places;
use crate::providers::names::{WireIds, wire_name};
use crate::providers::request::{BuiltRequest, MaxTokensField, RequestSpec, something};
use crate::providers::results::{Results, flagged};
use crate::providers::schemas::input_schema;
use crate::providers::turns::EARLIER_LEFT_OUT;

use super::state::{Returned, write_on_call};

/// What the builder writes itself; what would ask for answers that nobody reads; and what names tools, or has a server run
/// some, that nobody declared here and nobody is asked about.
const RESERVED: [&str; 17] = [
    "model",
    "messages",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "stream",
    "stream_options",
    "max_tokens",
    "max_completion_tokens",
    "n",
    "functions",
    "function_call",
    "web_search_options",
    "search_parameters",
    "enable_search",
    "compound_custom",
    "plugins",
];
/// The longest call id that OpenAI takes back, in bytes; otherwise an id is its issuer's business.
const LONGEST_ID: usize = 40;
/// How much of a longer one is kept legible: with the digest behind it, it is as long as may be.
const LEGIBLE: usize = 27;
/// What stands between results and the user's next words where no answer came: the servers that take only short ids
/// refuse a user right behind results, and would refuse everything after a turn that was stopped.
const NO_ANSWER: &str = "(no answer)";

pub(in crate::providers) fn build(spec: &RequestSpec) -> Result<BuiltRequest, Fault> {
    let spoken = something(conversation(&spec.messages, spec.short_call_ids))?;
    let mut messages = Vec::new();
    if let Some(system) = spec.system_prompt() {
        messages.push(json_object! { "role" => "system", "content" => system });
    }
    messages.extend(spoken);
    let mut body = Object::new();
    body.insert("model", spec.model.as_str());
    body.insert("messages", messages);
    let limit = match spec.max_tokens_field {
        Some(MaxTokensField::MaxTokens) => "max_tokens",
        Some(MaxTokensField::MaxCompletionTokens) | None => "max_completion_tokens",
    };
    body.insert(limit, spec.max_output_tokens as f64);
    let mut tools = Vec::with_capacity(spec.tools.len());
    for tool in &spec.tools {
        tools.push(function(json_object! {
            "name" => tool.name.as_str(),
            "description" => tool.description.as_str(),
            "parameters" => input_schema(ProviderFormat::OpenaiChat, &tool.input_schema),
        }));
    }
    spec.offer(&mut body, tools, |name| function(json_object! { "name" => name }));
    body.insert("stream", true);
    body.insert("stream_options", json_object! { "include_usage" => true });
    spec.merge_extra(&mut body, &RESERVED)?;
    Ok(BuiltRequest { path: "/chat/completions".to_owned(), body: Json::from(body) })
}

/// The messages on the wire, without the system prompt; empty where nothing is left to say.
fn conversation(messages: &[Message], short_ids: bool) -> Vec<Json> {
    let messages = repair_history(messages).messages;
    let ids =
        if short_ids { WireIds::short(&messages) } else { WireIds::of(&messages, |id| !id.is_empty() && id.len() <= LONGEST_ID, LEGIBLE) };
    let results = Results::of(&messages);
    let mut wire = Wire { answers_results: short_ids, ..Wire::default() };
    for message in &messages {
        wire.say(message.role, &text_of(message));
        if message.role == Role::User {
            continue;
        }
        let (mut calls, mut answers, mut places) = (Vec::new(), Vec::new(), Places::new());
        for block in &message.content {
            let ContentBlock::ToolCall { id, name, input } = block else { continue };
            places.insert(id, calls.len());
            calls.push(call(ids.wire(id), name, input));
            if let Some((content, is_error)) = results.of_call(id) {
                answers.push(result(ids.wire(id), content, is_error));
            }
        }
        // a message that says nothing is not written, and what was thought for it is of no use to anybody
        let is_written = !calls.is_empty() || wire.is_open(Role::Assistant);
        for block in &message.content {
            match block {
                ContentBlock::ProviderState { provider: ProviderFormat::OpenaiChat, value, call_id: None } if is_written => {
                    wire.returned.add(value);
                }
                ContentBlock::ProviderState { provider: ProviderFormat::OpenaiChat, value, call_id: Some(id) } => {
                    if let Some(call) = places.get(id.as_str()).and_then(|place| calls.get_mut(*place)) {
                        write_on_call(value, call);
                    }
                }
                _ => {}
            }
        }
        if !calls.is_empty() {
            // the API wants the member, and a null in it where nothing is said beside the calls
            let content = wire.take_said().map_or(Json::Null, Json::from);
            wire.push(json_object! { "role" => "assistant", "content" => content, "tool_calls" => calls });
            wire.done.append(&mut answers);
        }
    }
    wire.close();
    wire.done
}

/// The messages written so far, and the text of the one that is open.
#[derive(Default)]
struct Wire {
    /// Whether the assistant says something between results and the user.
    answers_results: bool,
    done: Vec<Json>,
    open: Option<(Role, String)>,
    /// What goes back with the assistant message that is open.
    returned: Returned,
}

impl Wire {
    fn say(&mut self, role: Role, said: &str) {
        if said.trim().is_empty() {
            return;
        }
        match &mut self.open {
            Some((last, text)) if *last == role => {
                text.push_str("\n\n");
                text.push_str(said);
            }
            _ => {
                self.close();
                self.open = Some((role, said.to_owned()));
            }
        }
    }

    /// What the assistant said since anybody else spoke.
    fn take_said(&mut self) -> Option<String> {
        if self.is_open(Role::User) {
            self.close();
        }
        self.open.take().map(|(_, said)| said)
    }

    fn is_open(&self, role: Role) -> bool {
        self.open.as_ref().is_some_and(|(open, _)| *open == role)
    }

    fn close(&mut self) {
        match self.open.take() {
            Some((Role::User, text)) => {
                let is_result = |message: &Json| message.get("tool_call_id").is_some();
                if self.answers_results && self.done.last().is_some_and(is_result) {
                    self.done.push(text_message("assistant", NO_ANSWER));
                }
                self.done.push(text_message("user", &text));
            }
            Some((Role::Assistant, text)) => self.push(text_message("assistant", &text)),
            None => {}
        }
    }

    /// Writes a message of the assistant, with what is to go back with it.
    fn push(&mut self, mut message: Json) {
        if self.done.is_empty() {
            self.done.push(text_message("user", EARLIER_LEFT_OUT));
        }
        std::mem::take(&mut self.returned).write(&mut message);
        self.done.push(message);
    }
}

fn text_message(role: &str, text: &str) -> Json {
    json_object! { "role" => role, "content" => text }
}

fn text_of(message: &Message) -> String {
    let mut said = String::new();
    for block in &message.content {
        if let ContentBlock::Text { text } = block {
            said.push_str(text);
        }
    }
    said
}

fn call(id: &str, name: &str, input: &Json) -> Json {
    let arguments = if input.as_object().is_some() { input.to_text() } else { "{}".to_owned() };
    let mut written = function(json_object! { "name" => wire_name(name).as_ref(), "arguments" => arguments });
    if let Some(object) = written.as_object_mut() {
        object.insert("id", id);
    }
    written
}

fn result(id: &str, content: &str, is_error: bool) -> Json {
    let content = flagged(content, is_error);
    json_object! { "role" => "tool", "tool_call_id" => id, "content" => content }
}

fn function(function: Json) -> Json {
    json_object! { "type" => "function", "function" => function }
}
