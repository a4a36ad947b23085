//! What a request is to say, whatever the provider.
//!
//! Enters: a `RequestSpec`, built by the turn or read from a host's plain JSON. Leaves: path and body for one format.

use crate::protocol::call::ToolEffect;
use crate::protocol::error::Fault;
use crate::protocol::event::ProviderFormat;
use crate::protocol::fields::Fields;
use crate::protocol::json::{Json, Object};
use crate::protocol::message::Message;
use crate::protocol::text::echo;
use crate::tools::declaration::AdvertisedTool;

/// The code of every fault in a request.
const CODE: &str = "invalid_request";
/// The longest tool name providers take.
pub(super) const MAX_NAME: usize = 64;

/// One request in neutral words. JSON keys are the camelCase of the field names.
#[derive(Clone, Debug, PartialEq)]
pub struct RequestSpec {
    /// The model's id.
    pub model: String,
    /// The system prompt; left out where it is blank.
    pub system: Option<String>,
    /// The conversation.
    pub messages: Vec<Message>,
    /// The tools offered.
    pub tools: Vec<AdvertisedTool>,
    /// The longest answer, in tokens.
    pub max_output_tokens: u64,
    /// Whether and which tool is to be called.
    pub tool_choice: Option<ToolChoice>,
    /// Whether one message may hold several calls.
    pub parallel_tool_calls: Option<bool>,
    /// Further members of the body; those the builder writes itself are refused.
    pub extra_body: Option<Json>,
    /// How the output limit is called, for the servers that differ in it.
    pub max_tokens_field: Option<MaxTokensField>,
    /// Whether to ask the provider to cache what repeats.
    pub cache: bool,
    /// Whether call ids are nine letters and digits, for the servers of `openai-chat` that take no others; ids that are so
    /// already stay.
    pub short_call_ids: bool,
}

/// Whether and which tool is to be called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolChoice {
    /// The model decides.
    Auto,
    /// None is called.
    None,
    /// This one is called.
    Tool(String),
}

/// The member that holds the output limit in the body of `openai-chat`; other formats have one name for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaxTokensField {
    /// `max_completion_tokens`.
    MaxCompletionTokens,
    /// `max_tokens`.
    MaxTokens,
}

/// A request ready to be sent.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct BuiltRequest {
    /// The path after the base URL.
    pub path: String,
    /// The body.
    pub body: Json,
}

/// Writes `spec` for `format`. The history given is repaired on the way where it must be, and never changed itself.
///
/// Gemini wants a letter or `_` first in a tool's name: a tool that is called otherwise has another name in the body, at the
/// place among the declarations that it has in `spec.tools`. A `ToolLoop` maps it back; a `Decoder` alone does not.
pub fn build_request(format: ProviderFormat, spec: &RequestSpec) -> Result<BuiltRequest, Fault> {
    spec.check()?;
    match format {
        ProviderFormat::Anthropic => super::anthropic::build::build(spec),
        ProviderFormat::OpenaiChat => super::openai_chat::build::build(spec),
        ProviderFormat::OpenaiResponses => super::openai_responses::build::build(spec),
        ProviderFormat::Gemini => super::gemini::build::build(spec),
    }
}

impl RequestSpec {
    /// A request with nothing but a conversation.
    pub fn new(model: impl Into<String>, messages: Vec<Message>, max_output_tokens: u64) -> RequestSpec {
        RequestSpec {
            model: model.into(),
            system: None,
            messages,
            tools: Vec::new(),
            max_output_tokens,
            tool_choice: None,
            parallel_tool_calls: None,
            extra_body: None,
            max_tokens_field: None,
            cache: false,
            short_call_ids: false,
        }
    }

    /// Reads a request from plain JSON; the fault names the member that is wrong.
    pub fn decode(value: &Json) -> Result<RequestSpec, Fault> {
        let mut fields = Fields::of(value, CODE, "")?;
        let model = fields.string("model")?;
        let messages = Message::decode_list(&fields.json("messages")?).map_err(|fault| fault.under("messages"))?;
        let Some(max_output_tokens) = fields.opt_integer("maxOutputTokens")? else {
            return Err(fields.fault("maxOutputTokens", "`maxOutputTokens` is missing"));
        };
        let mut spec = RequestSpec::new(model, messages, max_output_tokens);
        spec.system = fields.opt_text("system");
        spec.tools = decode_tools(&fields.json("tools")?)?;
        spec.tool_choice = fields.opt_json("toolChoice").map(decode_choice).transpose()?;
        spec.parallel_tool_calls = fields.opt_flag("parallelToolCalls");
        spec.extra_body = fields.opt_json("extraBody").cloned();
        spec.max_tokens_field = match fields.opt_string("maxTokensField")?.as_deref() {
            None => None,
            Some("max_completion_tokens") => Some(MaxTokensField::MaxCompletionTokens),
            Some("max_tokens") => Some(MaxTokensField::MaxTokens),
            Some(other) => {
                let fault = fields.fault("maxTokensField", format!("unknown field name `{}`", echo(other)));
                return Err(fault.expecting("`max_completion_tokens` or `max_tokens`"));
            }
        };
        spec.cache = fields.opt_flag("cache").unwrap_or(false);
        spec.short_call_ids = fields.opt_flag("shortCallIds").unwrap_or(false);
        fields.finish()?;
        Ok(spec)
    }

    /// What no provider would take, whoever wrote it.
    fn check(&self) -> Result<(), Fault> {
        if self.model.trim().is_empty() {
            return Err(Fault::at(CODE, "model", "no model is named"));
        }
        if self.max_output_tokens == 0 {
            return Err(Fault::at(CODE, "maxOutputTokens", "`0` would allow nothing").expecting("a whole number from 1"));
        }
        let mut names = std::collections::BTreeMap::new();
        for (at, tool) in self.tools.iter().enumerate() {
            let path = format!("tools[{at}].name");
            if !is_tool_name(&tool.name) {
                let fault = Fault::at(CODE, path, format!("`{}` is not a tool name", echo(&tool.name)));
                return Err(fault.expecting("1 to 64 of `A-Z a-z 0-9 _ -`"));
            }
            if names.insert(tool.name.as_str(), at).is_some() {
                return Err(Fault::at(CODE, path, format!("the tool `{}` is offered twice", tool.name)));
            }
        }
        if let Some(ToolChoice::Tool(name)) = &self.tool_choice
            && !names.contains_key(name.as_str())
        {
            return Err(Fault::at(CODE, "toolChoice.tool", format!("the tool `{}` is not among those offered", echo(name))));
        }
        if let Some(extra) = self.extra_body.as_ref().filter(|extra| extra.as_object().is_none()) {
            return Err(Fault::at(CODE, "extraBody", format!("expected an object, got {}", extra.kind())).expecting("an object"));
        }
        Ok(())
    }

    /// The system prompt, where it says anything.
    pub(super) fn system_prompt(&self) -> Option<&str> {
        self.system.as_deref().filter(|system| !system.trim().is_empty())
    }

    /// Adds the tools as `written`, and what is said of their use, in the words of OpenAI's two formats; `named` writes which one
    /// must be called.
    pub(super) fn offer(&self, body: &mut Object, written: Vec<Json>, named: fn(&str) -> Json) {
        if written.is_empty() {
            return;
        }
        body.insert("tools", written);
        let choice = match &self.tool_choice {
            None => None,
            Some(ToolChoice::Auto) => Some(Json::from("auto")),
            Some(ToolChoice::None) => Some(Json::from("none")),
            Some(ToolChoice::Tool(name)) => Some(named(name)),
        };
        if let Some(choice) = choice {
            body.insert("tool_choice", choice);
        }
        if let Some(parallel) = self.parallel_tool_calls {
            body.insert("parallel_tool_calls", parallel);
        }
    }

    /// Adds the extra members to `body`; one that stands in `reserved` is refused by name.
    pub(super) fn merge_extra(&self, body: &mut Object, reserved: &[&str]) -> Result<(), Fault> {
        for (key, value) in self.extra_body.as_ref().and_then(Json::as_object).into_iter().flat_map(Object::iter) {
            // some servers read the names of members in whatever case they come
            if reserved.iter().any(|reserved| reserved.eq_ignore_ascii_case(key)) {
                let fault = Fault::at("reserved_key", format!("extraBody.{key}"), format!("`{key}` is written by the builder"));
                return Err(fault.expecting("a member the builder does not write"));
            }
            body.insert(key.clone(), value.clone());
        }
        Ok(())
    }
}

/// The history on the wire, where anything of it is left to say.
pub(super) fn something(messages: Vec<Json>) -> Result<Vec<Json>, Fault> {
    if messages.is_empty() {
        return Err(Fault::at(CODE, "messages", "there is nothing to send").expecting("at least one message that is not blank"));
    }
    Ok(messages)
}

/// Whether a provider takes `name` as a tool's.
pub(super) fn is_tool_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= MAX_NAME && name.bytes().all(is_word)
}

/// Letters, digits, `_` and `-` of ASCII: what names and ids may hold.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

fn decode_choice(value: &Json) -> Result<ToolChoice, Fault> {
    match value {
        Json::String(word) if &**word == "auto" => Ok(ToolChoice::Auto),
        Json::String(word) if &**word == "none" => Ok(ToolChoice::None),
        Json::Object(_) => {
            let mut fields = Fields::of(value, CODE, "toolChoice")?;
            let name = fields.string("tool")?;
            fields.finish()?;
            Ok(ToolChoice::Tool(name))
        }
        other => {
            let got = other.as_str().map_or_else(|| other.kind().to_owned(), |word| format!("`{}`", echo(word)));
            Err(Fault::at(CODE, "toolChoice", format!("unknown tool choice {got}")).expecting("`auto`, `none` or { tool }"))
        }
    }
}

fn decode_tools(value: &Json) -> Result<Vec<AdvertisedTool>, Fault> {
    let Some(items) = value.as_array() else {
        return Err(Fault::at(CODE, "tools", format!("expected a list of tools, got {}", value.kind())));
    };
    items.iter().enumerate().map(|(at, item)| decode_tool(item).map_err(|fault| fault.under(&format!("tools[{at}]")))).collect()
}

fn decode_tool(value: &Json) -> Result<AdvertisedTool, Fault> {
    let mut fields = Fields::of(value, CODE, "")?;
    let tool = AdvertisedTool {
        name: fields.string("name")?,
        description: fields.string("description")?,
        input_schema: fields.json("inputSchema")?,
        effect: match fields.opt_string("effect")?.as_deref() {
            Some("read") => ToolEffect::Read,
            None | Some("mutate") => ToolEffect::Mutate,
            Some(other) => return Err(fields.fault("effect", format!("unknown effect `{}`", echo(other))).expecting("`read` or `mutate`")),
        },
        destructive: fields.opt_bool("destructive")?.unwrap_or(false),
    };
    fields.finish()?;
    Ok(tool)
}
