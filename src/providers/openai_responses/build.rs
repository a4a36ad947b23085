//! Writes requests for OpenAI's Responses API.
//!
//! Enters: a request in neutral words. Leaves: a body that OpenAI and stricter servers take whatever the history went
//! through: one result behind the calls for each of them, in call order; what the model thought exactly as it came,
//! before what it led to and not without; neighbouring texts of one role as one message. Nothing is stored by default.

use crate::history::repair_history;
use crate::json_object;
use crate::protocol::error::Fault;
use crate::protocol::event::ProviderFormat;
use crate::protocol::json::{Json, Object};
use crate::protocol::message::{ContentBlock, Message, Role};
use crate::providers::names::{WireIds, wire_name};
use crate::providers::request::{BuiltRequest, RequestSpec, something};
use crate::providers::results::{Results, flagged};
use crate::providers::schemas::input_schema;

/// What the builder writes itself, and what would bring in another conversation or tools that nobody declared here, or
/// answer where nobody reads.
const RESERVED: [&str; 14] = [
    "model",
    "input",
    "instructions",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "stream",
    "stream_options",
    "max_output_tokens",
    "previous_response_id",
    "conversation",
    "background",
    "prompt",
    "plugins",
];
/// The longest call id that OpenAI takes back, in bytes; otherwise an id is its issuer's business.
const LONGEST_ID: usize = 64;
/// How much of a longer one is kept legible: with the digest behind it, it is as long as may be.
const LEGIBLE: usize = 51;
/// Asks for thoughts that can be returned where the server keeps none.
const SEALED_THOUGHTS: &str = "reasoning.encrypted_content";

pub(in crate::providers) fn build(spec: &RequestSpec) -> Result<BuiltRequest, Fault> {
    let is_stored = spec.extra_body.as_ref().and_then(|extra| extra.get("store")) == Some(&Json::Bool(true));
    let input = something(conversation(&spec.messages, is_stored))?;
    let mut body = Object::new();
    body.insert("model", spec.model.as_str());
    if let Some(system) = spec.system_prompt() {
        body.insert("instructions", system);
    }
    body.insert("input", input);
    body.insert("max_output_tokens", spec.max_output_tokens as f64);
    let mut tools = Vec::with_capacity(spec.tools.len());
    for tool in &spec.tools {
        tools.push(json_object! {
            "type" => "function",
            "name" => tool.name.as_str(),
            "description" => tool.description.as_str(),
            "parameters" => input_schema(ProviderFormat::OpenaiResponses, &tool.input_schema),
            "strict" => false,
        });
    }
    spec.offer(&mut body, tools, |name| json_object! { "type" => "function", "name" => name });
    body.insert("stream", true);
    body.insert("store", false);
    spec.merge_extra(&mut body, &RESERVED)?;
    if !is_stored && body.get("include").is_none() {
        body.insert("include", vec![Json::from(SEALED_THOUGHTS)]);
    }
    Ok(BuiltRequest { path: "/responses".to_owned(), body: Json::from(body) })
}

/// The items on the wire; empty where nothing is left to say.
fn conversation(messages: &[Message], is_stored: bool) -> Vec<Json> {
    let messages = repair_history(messages).messages;
    let ids = WireIds::of(&messages, |id| !id.is_empty() && id.len() <= LONGEST_ID, LEGIBLE);
    let results = Results::of(&messages);
    let mut wire = Wire { is_stored, ..Wire::default() };
    for message in &messages {
        for block in &message.content {
            match block {
                ContentBlock::Text { text } => wire.say(message.role, text),
                ContentBlock::ToolCall { id, name, input } if message.role == Role::Assistant => {
                    wire.thoughts(true);
                    wire.done.push(call(ids.wire(id), name, input));
                    if let Some((content, is_error)) = results.of_call(id) {
                        wire.due.push(result(ids.wire(id), content, is_error));
                    }
                }
                ContentBlock::ProviderState { provider: ProviderFormat::OpenaiResponses, value, .. } if message.role == Role::Assistant => {
                    wire.thought.push(value.clone());
                }
                _ => {}
            }
        }
        // what a thought led to stands in its message or is gone
        wire.thought.clear();
        wire.answer();
    }
    wire.close();
    wire.done
}

/// The items written so far, and the text of the one that is open.
#[derive(Default)]
struct Wire {
    is_stored: bool,
    done: Vec<Json>,
    open: Option<(Role, String)>,
    /// The results of the calls just written.
    due: Vec<Json>,
    /// What was thought and waits for what it led to.
    thought: Vec<Json>,
}

impl Wire {
    fn say(&mut self, role: Role, said: &str) {
        if said.trim().is_empty() {
            return;
        }
        self.answer();
        self.thoughts(false);
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

    /// Writes what was thought before the item that follows. Each item goes back as it came or not at all.
    fn thoughts(&mut self, before_call: bool) {
        let mut thought = std::mem::take(&mut self.thought);
        let last = thought.pop();
        // a server that keeps items holds a thought to the item that followed it. A call is known by its own id; a text
        // is not, as the ids of items are not kept
        let is_stored = self.is_stored;
        let may_go = |item: &Json, is_last: bool| match item.get("type").and_then(Json::as_str) {
            Some("compaction") => true,
            Some("reasoning") if is_stored => is_last && before_call,
            // one that keeps nothing looks for what is neither sealed nor told, and fails
            Some("reasoning") => carries_itself(item),
            _ => false,
        };
        thought.retain(|item| may_go(item, false));
        thought.extend(last.filter(|item| may_go(item, true)));
        if before_call || !thought.is_empty() {
            self.close();
        }
        self.done.append(&mut thought);
    }

    fn answer(&mut self) {
        self.done.append(&mut self.due);
    }

    fn close(&mut self) {
        if let Some((role, text)) = self.open.take() {
            let role = if role == Role::User { "user" } else { "assistant" };
            // the easy form of a message, with its text as a string: the other one wants ids from the assistant
            self.done.push(json_object! { "type" => "message", "role" => role, "content" => text });
        }
    }
}

/// Whether a thought is in its item, sealed or in words, and not only where the server that had it may keep it.
fn carries_itself(item: &Json) -> bool {
    item.get("encrypted_content").and_then(Json::as_str).is_some_and(|sealed| !sealed.is_empty())
        || item.get("content").and_then(Json::as_array).is_some_and(|content| !content.is_empty())
}

fn call(id: &str, name: &str, input: &Json) -> Json {
    let arguments = if input.as_object().is_some() { input.to_text() } else { "{}".to_owned() };
    json_object! { "type" => "function_call", "call_id" => id, "name" => wire_name(name).as_ref(), "arguments" => arguments }
}

fn result(id: &str, content: &str, is_error: bool) -> Json {
    let output = flagged(content, is_error);
    json_object! { "type" => "function_call_output", "call_id" => id, "output" => output }
}
