//! Writes requests for Gemini's `generateContent`.
//!
//! Enters: a request in neutral words. Leaves: a path that the model's name cannot bend, and a body the API takes whatever
//! the history went through: user first, roles in turn, the responses to all calls of one turn together and first in the
//! content behind it, in call order; names and schemas in the API's subset; its own signatures on the parts they came on.
//! Whether one message may hold several calls cannot be said to it, nor what to cache.

mod conversation;
mod schema;

use crate::json_object;
use crate::protocol::error::Fault;
use crate::protocol::event::ProviderFormat;
use crate::protocol::json::{Json, Object};
use crate::providers::names::WireNames;
use crate::providers::request::{BuiltRequest, RequestSpec, ToolChoice, something};

use conversation::conversation;

/// What the builder writes itself, under both names it goes by, and what would bring in tools nobody declared.
const RESERVED: [&str; 11] = [
    "model",
    "contents",
    "systemInstruction",
    "system_instruction",
    "tools",
    "toolConfig",
    "tool_config",
    "generation_config",
    "cachedContent",
    "cached_content",
    "stream",
];
/// What of the generation's settings is not the host's: one answer is asked for, of the length the request says.
const RESERVED_SETTINGS: [&str; 4] = ["maxOutputTokens", "max_output_tokens", "candidateCount", "candidate_count"];
/// The settings of the generation, which the builder and the host share.
const SETTINGS: &str = "generationConfig";

pub(in crate::providers) fn build(spec: &RequestSpec) -> Result<BuiltRequest, Fault> {
    // the name is given with or without the collection it is in
    let model = spec.model.trim().strip_prefix("models/").unwrap_or(spec.model.trim());
    if model.is_empty() {
        return Err(Fault::at("invalid_request", "model", "no model is named"));
    }
    let names = WireNames::of(ProviderFormat::Gemini, &spec.tools);
    let contents = something(conversation(&spec.messages, &names, wants_signatures(model)))?;
    let mut body = Object::new();
    if let Some(system) = spec.system_prompt() {
        body.insert("systemInstruction", json_object! { "parts" => vec![json_object! { "text" => system }] });
    }
    body.insert("contents", contents);
    if !spec.tools.is_empty() {
        body.insert("tools", vec![json_object! { "functionDeclarations" => declarations(spec, &names) }]);
        if let Some(choice) = &spec.tool_choice {
            body.insert("toolConfig", json_object! { "functionCallingConfig" => tool_choice(choice, &names) });
        }
    }
    body.insert(SETTINGS, json_object! { "maxOutputTokens" => spec.max_output_tokens as f64 });
    let settings = body.get(SETTINGS).cloned();
    spec.merge_extra(&mut body, &RESERVED)?;
    share_settings(&mut body, settings)?;
    Ok(BuiltRequest { path: path_of(model), body: Json::from(body) })
}

/// The path; whatever is not plain in a name is escaped, so that it stays one segment of it.
fn path_of(model: &str) -> String {
    let mut path = "/models/".to_owned();
    for byte in model.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => path.push(char::from(byte)),
            other => path.push_str(&format!("%{other:02X}")),
        }
    }
    path.push_str(":streamGenerateContent?alt=sse");
    path
}

/// Whether this model refuses calls of the current turn that lost their signatures. Those up to 2.5 do not, and what is
/// no Gemini model has none; whatever comes later is taken to be as strict as the newest.
fn wants_signatures(model: &str) -> bool {
    let Some((_, version)) = model.rsplit_once("gemini-") else { return false };
    let major = version.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
    !matches!(major, "1" | "2")
}

fn declarations(spec: &RequestSpec, names: &WireNames) -> Vec<Json> {
    let mut written = Vec::with_capacity(spec.tools.len());
    for tool in &spec.tools {
        let name = names.wire(&tool.name).unwrap_or(&tool.name);
        let mut declaration = Object::new();
        declaration.insert("name", name);
        declaration.insert("description", tool.description.as_str());
        if let Some(parameters) = schema::parameters(&tool.input_schema) {
            declaration.insert("parameters", parameters);
        }
        written.push(Json::from(declaration));
    }
    written
}

fn tool_choice(choice: &ToolChoice, names: &WireNames) -> Json {
    match choice {
        ToolChoice::Auto => json_object! { "mode" => "AUTO" },
        ToolChoice::None => json_object! { "mode" => "NONE" },
        ToolChoice::Tool(name) => {
            let name = names.wire(name).unwrap_or(name);
            json_object! { "mode" => "ANY", "allowedFunctionNames" => vec![Json::from(name)] }
        }
    }
}

/// Puts the host's settings beside those the request has.
fn share_settings(body: &mut Object, ours: Option<Json>) -> Result<(), Fault> {
    let (Some(given), Some(mut shared)) = (body.get(SETTINGS).cloned(), ours) else { return Ok(()) };
    if given == shared {
        return Ok(());
    }
    let path = format!("extraBody.{SETTINGS}");
    let (Some(given), Some(settings)) = (given.as_object(), shared.as_object_mut()) else {
        return Err(Fault::at("invalid_request", path, "the settings are not an object").expecting("an object"));
    };
    for (key, value) in given.iter() {
        if RESERVED_SETTINGS.contains(&&**key) {
            let fault = Fault::at("reserved_key", format!("{path}.{key}"), format!("`{key}` is written by the builder"));
            return Err(fault.expecting("a setting the builder does not write"));
        }
        settings.insert(key.clone(), value.clone());
    }
    body.insert(SETTINGS, shared);
    Ok(())
}
