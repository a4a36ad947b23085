//! A neutral history as the `contents` of the API.

use crate::history::repair_history;
use crate::json_object;
use crate::protocol::event::ProviderFormat;
use crate::protocol::json::{Json, Object};
use crate::protocol::message::{ContentBlock, Message, Role};
use crate::protocol::places::Places;
use crate::providers::names::WireNames;
use crate::providers::results::{Results, spoken};
use crate::providers::turns::Turns;

use super::super::{ID, SIGNATURE, TEXT};

/// What stands in for a signature that is not at hand (the call was another model's, say): the value that the API
/// documents for this, where it would refuse the call without one.
const NO_SIGNATURE: &str = "skip_thought_signature_validator";
const CALL: &str = "functionCall";

/// The contents on the wire; empty where nothing is left to say.
pub(super) fn conversation(messages: &[Message], names: &WireNames, wants_signatures: bool) -> Vec<Json> {
    let messages = repair_history(messages).messages;
    let results = Results::of(&messages);
    let mut turns = Turns::new(text_part, closing);
    for message in &messages {
        match message.role {
            Role::User => turns.user(message),
            Role::Assistant => model(&mut turns, message, names, &results),
        }
    }
    let mut done = turns.finish();
    if wants_signatures {
        sign(&mut done);
    }
    let mut contents = Vec::with_capacity(done.len());
    for (role, parts) in done {
        let role = if role == Role::User { "user" } else { "model" };
        contents.push(json_object! { "role" => role, "parts" => parts });
    }
    contents
}

fn model(turns: &mut Turns, message: &Message, names: &WireNames, results: &Results<'_>) {
    let states = States::of(message);
    let mut follows_text = false;
    for block in &message.content {
        let was_text = std::mem::replace(&mut follows_text, false);
        let part = match block {
            ContentBlock::Text { text } if !text.trim().is_empty() => {
                follows_text = true;
                text_part(text)
            }
            ContentBlock::ToolCall { id, name, input } => {
                turns.assistant();
                let state = states.of_call(id);
                let name = names.called(name);
                if let Some((content, is_error)) = results.of_call(id) {
                    turns.answer(response_part(member(state, ID), &name, content, is_error));
                }
                call_part(state, &name, input)
            }
            ContentBlock::ProviderState { provider: ProviderFormat::Gemini, value, call_id: None } => {
                let Some(signature) = member(Some(value), SIGNATURE) else { continue };
                let signed = if was_text && member_is_absent(value, TEXT) { turns.last() } else { None };
                match signed.and_then(Json::as_object_mut) {
                    Some(part) => {
                        part.insert(SIGNATURE, signature);
                        continue;
                    }
                    None => json_object! { TEXT => "", SIGNATURE => signature },
                }
            }
            _ => continue,
        };
        turns.say(part);
    }
}

/// Signatures alone say nothing.
fn closing(parts: &mut Vec<Json>) {
    if parts.iter().all(|part| part.get(TEXT).and_then(Json::as_str) == Some("")) {
        parts.clear();
    }
}

/// The API asks for a signature on the first call of every content since the user last spoke. Those before are written
/// alike, though nobody asks: what was sent once is sent the same way again, as caches of prompts go by the byte.
fn sign(done: &mut [(Role, Vec<Json>)]) {
    for (_, parts) in done {
        let first = parts.iter_mut().find(|part| part.get(CALL).is_some());
        if let Some(part) = first.and_then(Json::as_object_mut).filter(|part| !part.contains_key(SIGNATURE)) {
            part.insert(SIGNATURE, NO_SIGNATURE);
        }
    }
}

/// What the provider gave with the calls of one message.
struct States<'m> {
    places: Places<'m>,
    values: Vec<&'m Json>,
}

impl<'m> States<'m> {
    fn of(message: &'m Message) -> States<'m> {
        let mut states = States { places: Places::new(), values: Vec::new() };
        for block in &message.content {
            if let ContentBlock::ProviderState { provider: ProviderFormat::Gemini, value, call_id: Some(id) } = block {
                // of a second call with its id nothing is left but this
                states.places.entry(id).or_insert(states.values.len());
                states.values.push(value);
            }
        }
        states
    }

    fn of_call(&self, id: &str) -> Option<&'m Json> {
        self.values.get(*self.places.get(id)?).copied()
    }
}

fn text_part(text: &str) -> Json {
    json_object! { TEXT => text }
}

fn call_part(state: Option<&Json>, name: &str, input: &Json) -> Json {
    let args = if input.as_object().is_some() {
        input.clone()
    } else {
        json_object! {}
    };
    let mut part = Object::new();
    part.insert(CALL, with_id(member(state, ID), json_object! { "name" => name, "args" => args }));
    if let Some(signature) = member(state, SIGNATURE) {
        part.insert(SIGNATURE, signature);
    }
    Json::from(part)
}

fn response_part(id: Option<&str>, name: &str, content: &str, is_error: bool) -> Json {
    let key = if is_error { "error" } else { "output" };
    let response = json_object! { key => spoken(content) };
    json_object! { "functionResponse" => with_id(id, json_object! { "name" => name, "response" => response }) }
}

/// Only an id that the provider gave goes back: servers that give none refuse the member, and pair by name and order.
fn with_id(id: Option<&str>, mut written: Json) -> Json {
    if let (Some(id), Some(object)) = (id, written.as_object_mut()) {
        object.insert(ID, id);
    }
    written
}

/// A text of opaque state that is not empty.
fn member<'v>(value: Option<&'v Json>, key: &str) -> Option<&'v str> {
    value?.get(key).and_then(Json::as_str).filter(|text| !text.is_empty())
}

fn member_is_absent(value: &Json, key: &str) -> bool {
    value.get(key).is_none()
}
