//! A neutral history as the `messages` of the API.

use crate::history::repair_history;
use crate::json_object;
use crate::protocol::event::ProviderFormat;
use crate::protocol::json::Json;
use crate::protocol::message::{ContentBlock, Message, Role};

use crate::providers::names::{WireIds, wire_name};
use crate::providers::request::is_word;
use crate::providers::results::{Results, spoken};

use super::mark_cached;

/// What stands first where the history begins with the assistant: the API wants a user there.
const EARLIER_LEFT_OUT: &str = "[Earlier messages were left out.]";
/// How much of an id the API would refuse is kept legible, in bytes.
const LEGIBLE: usize = 40;

/// The messages on the wire; empty where nothing is left to say.
pub(super) fn conversation(messages: &[Message], cache: bool) -> Vec<Json> {
    let messages = repair_history(messages).messages;
    let ids = WireIds::of(&messages, conforms, LEGIBLE);
    let results = Results::of(&messages);
    let mut wire = Wire::default();
    for message in &messages {
        match message.role {
            Role::User => wire.user(message),
            Role::Assistant => wire.assistant(message, &ids, &results),
        }
    }
    wire.finish(cache)
}

/// The messages written so far; neighbours of one role become one message.
#[derive(Default)]
struct Wire {
    done: Vec<(Role, Vec<Json>)>,
    role: Option<Role>,
    open: Vec<Json>,
    /// The results of the open assistant message, first in the user message after it.
    due: Vec<Json>,
}

impl Wire {
    fn user(&mut self, message: &Message) {
        // whatever this message holds, it is the one after the calls
        if !self.due.is_empty() {
            self.speak(Role::User);
        }
        for block in &message.content {
            if let ContentBlock::Text { text } = block
                && !text.trim().is_empty()
            {
                self.speak(Role::User);
                self.open.push(text_block(text));
            }
        }
    }

    fn assistant(&mut self, message: &Message, ids: &WireIds<'_>, results: &Results<'_>) {
        for block in &message.content {
            let written = match block {
                ContentBlock::Text { text } if !text.trim().is_empty() => text_block(text),
                ContentBlock::ToolCall { id, name, input } => {
                    self.speak(Role::Assistant);
                    if let Some((content, is_error)) = results.of_call(id) {
                        self.due.push(result_block(ids.wire(id), content, is_error));
                    }
                    call_block(ids.wire(id), name, input)
                }
                ContentBlock::ProviderState { provider: ProviderFormat::Anthropic, value, .. } if is_signed(value) => value.clone(),
                _ => continue,
            };
            self.speak(Role::Assistant);
            self.open.push(written);
        }
    }

    /// Closes the open message where the other side spoke last.
    fn speak(&mut self, role: Role) {
        if self.role != Some(role) {
            self.close();
            self.role = Some(role);
        }
    }

    fn close(&mut self) {
        let Some(role) = self.role else { return };
        let mut content = std::mem::take(&mut self.open);
        if role == Role::Assistant {
            // the API refuses a message that ends in thinking; what thought led to nothing is not missed
            while content.last().is_some_and(is_signed) {
                content.pop();
            }
            // what follows is a user message that begins with the results
            self.open = std::mem::take(&mut self.due);
        }
        if content.is_empty() {
            return;
        }
        if self.done.is_empty() && role == Role::Assistant {
            self.done.push((Role::User, vec![text_block(EARLIER_LEFT_OUT)]));
        }
        match self.done.last_mut() {
            Some((last, blocks)) if *last == role => blocks.append(&mut content),
            _ => self.done.push((role, content)),
        }
    }

    fn finish(mut self, cache: bool) -> Vec<Json> {
        if !self.due.is_empty() {
            self.speak(Role::User);
        }
        self.close();
        if let Some((Role::Assistant, blocks)) = self.done.last_mut() {
            trim_last(blocks);
        }
        let last_user = self.done.iter_mut().rev().find(|(role, _)| *role == Role::User);
        if let Some(block) = last_user.and_then(|(_, blocks)| blocks.last_mut()).filter(|_| cache) {
            mark_cached(block);
        }
        let mut messages = Vec::with_capacity(self.done.len());
        for (role, content) in self.done {
            messages.push(message(role, content));
        }
        messages
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
