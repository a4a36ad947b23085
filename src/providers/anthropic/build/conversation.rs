//! A neutral history as the `messages` of the API.

use crate::history::repair_history;
use crate::json_object;
use crate::protocol::event::ProviderFormat;
use crate::protocol::json::Json;
use crate::protocol::message::{ContentBlock, Message, Role};

use crate::providers::names::{WireIds, wire_name};
use crate::providers::request::is_word;
use crate::providers::results::{Results, spoken};
use crate::providers::turns::Turns;

use super::mark_cached;

/// How much of an id the API would refuse is kept legible, in bytes.
const LEGIBLE: usize = 40;

/// The messages on the wire; empty where nothing is left to say.
pub(super) fn conversation(messages: &[Message], cache: bool) -> Vec<Json> {
    let messages = repair_history(messages).messages;
    let ids = WireIds::of(&messages, conforms, LEGIBLE);
    let results = Results::of(&messages);
    let mut turns = Turns::new(text_block, closing);
    for message in &messages {
        match message.role {
            Role::User => turns.user(message),
            Role::Assistant => assistant(&mut turns, message, &ids, &results),
        }
    }
    let mut done = turns.finish();
    if let Some((Role::Assistant, blocks)) = done.last_mut() {
        trim_last(blocks);
    }
    let last_user = done.iter_mut().rev().find(|(role, _)| *role == Role::User);
    if let Some(block) = last_user.and_then(|(_, blocks)| blocks.last_mut()).filter(|_| cache) {
        mark_cached(block);
    }
    let mut messages = Vec::with_capacity(done.len());
    for (role, content) in done {
        messages.push(message(role, content));
    }
    messages
}

fn assistant(turns: &mut Turns, message: &Message, ids: &WireIds<'_>, results: &Results<'_>) {
    for block in &message.content {
        let written = match block {
            ContentBlock::Text { text } if !text.trim().is_empty() => text_block(text),
            ContentBlock::ToolCall { id, name, input } => {
                turns.assistant();
                if let Some((content, is_error)) = results.of_call(id) {
                    turns.answer(result_block(ids.wire(id), content, is_error));
                }
                call_block(ids.wire(id), name, input)
            }
            ContentBlock::ProviderState { provider: ProviderFormat::Anthropic, value, .. } if is_signed(value) => value.clone(),
            _ => continue,
        };
        turns.say(written);
    }
}

/// The API refuses a message that ends in thinking; what thought led to nothing is not missed.
fn closing(content: &mut Vec<Json>) {
    while content.last().is_some_and(is_signed) {
        content.pop();
    }
}

fn message(role: Role, content: Vec<Json>) -> Json {
    let role = match role {
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    json_object! { "role" => role, "content" => content }
}

/// An answer that is to go on may not end with a blank: the API refuses the request.
fn trim_last(blocks: &mut [Json]) {
    let Some(text) = blocks.last_mut().and_then(Json::as_object_mut).and_then(|block| block.get_mut("text")) else { return };
    if let Some(trimmed) = text.as_str().map(str::trim_end).map(Json::from) {
        *text = trimmed;
    }
}

fn text_block(text: &str) -> Json {
    json_object! { "type" => "text", "text" => text }
}

fn call_block(id: &str, name: &str, input: &Json) -> Json {
    let input = if input.as_object().is_some() {
        input.clone()
    } else {
        json_object! {}
    };
    json_object! { "type" => "tool_use", "id" => id, "name" => wire_name(name).as_ref(), "input" => input }
}

fn result_block(id: &str, content: &str, is_error: bool) -> Json {
    let mut block = json_object! { "type" => "tool_result", "tool_use_id" => id, "content" => spoken(content) };
    if let Some(object) = block.as_object_mut().filter(|_| is_error) {
        object.insert("is_error", true);
    }
    block
}

fn conforms(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(is_word)
}

/// Whether this is a thinking block the API takes back: one that it signed or sealed.
fn is_signed(value: &Json) -> bool {
    let filled = |key: &str| value.get(key).and_then(Json::as_str).is_some_and(|text| !text.is_empty());
    match value.get("type").and_then(Json::as_str) {
        Some("thinking") => filled("signature"),
        Some("redacted_thinking") => filled("data"),
        _ => false,
    }
}
