//! Writes requests for Anthropic's Messages API.
//!
//! Enters: a request in neutral words. Leaves: a body the API takes whatever the history went through: user first,
//! roles in turn, every call answered in the very next message with all results first and in call order, no blank
//! text, ids and names in the API's alphabet, its own signed blocks as they came and nobody else's.

mod conversation;

use crate::json_object;
use crate::protocol::error::Fault;
use crate::protocol::event::ProviderFormat;
use crate::protocol::json::{Json, Object};
use crate::providers::request::{BuiltRequest, RequestSpec, ToolChoice, something};
use crate::providers::schemas::input_schema;
use crate::tools::declaration::AdvertisedTool;

use conversation::conversation;

/// What the builder writes itself; what has the provider run tools that nobody declared here and nobody is asked about; and
/// what brings in another conversation, or another answer than a message.
const RESERVED: [&str; 11] =
    ["model", "max_tokens", "system", "messages", "tools", "tool_choice", "stream", "mcp_servers", "container", "thread", "compaction"];

pub(in crate::providers) fn build(spec: &RequestSpec) -> Result<BuiltRequest, Fault> {
    let messages = something(conversation(&spec.messages, spec.cache))?;
    let mut body = Object::new();
    body.insert("model", spec.model.as_str());
    body.insert("max_tokens", spec.max_output_tokens as f64);
    if let Some(system) = spec.system_prompt() {
        body.insert("system", system_prompt(system, spec.cache));
    }
    body.insert("messages", messages);
    if !spec.tools.is_empty() {
        body.insert("tools", tools(&spec.tools, spec.cache));
        if let Some(choice) = tool_choice(spec) {
            body.insert("tool_choice", choice);
        }
    }
    body.insert("stream", true);
    spec.merge_extra(&mut body, &RESERVED)?;
    Ok(BuiltRequest { path: "/v1/messages".to_owned(), body: Json::from(body) })
}

fn system_prompt(system: &str, cache: bool) -> Json {
    if !cache {
        return Json::from(system);
    }
    let mut block = json_object! { "type" => "text", "text" => system };
    mark_cached(&mut block);
    Json::from(vec![block])
}

fn tools(tools: &[AdvertisedTool], cache: bool) -> Vec<Json> {
    let mut written = Vec::with_capacity(tools.len());
    for tool in tools {
        written.push(json_object! {
            "name" => tool.name.as_str(),
            "description" => tool.description.as_str(),
            "input_schema" => input_schema(ProviderFormat::Anthropic, &tool.input_schema),
        });
    }
    if let Some(last) = written.last_mut().filter(|_| cache) {
        mark_cached(last);
    }
    written
}

fn tool_choice(spec: &RequestSpec) -> Option<Json> {
    let one_at_a_time = spec.parallel_tool_calls == Some(false);
    let mut choice = match &spec.tool_choice {
        Some(ToolChoice::None) => return Some(json_object! { "type" => "none" }),
        Some(ToolChoice::Tool(name)) => json_object! { "type" => "tool", "name" => name.as_str() },
        Some(ToolChoice::Auto) => json_object! { "type" => "auto" },
        None if one_at_a_time => json_object! { "type" => "auto" },
        None => return None,
    };
    if let Some(object) = choice.as_object_mut().filter(|_| one_at_a_time) {
        object.insert("disable_parallel_tool_use", true);
    }
    Some(choice)
}

/// Asks the provider to cache everything up to and with this block.
fn mark_cached(block: &mut Json) {
    if let Some(object) = block.as_object_mut() {
        object.insert("cache_control", json_object! { "type" => "ephemeral" });
    }
}
