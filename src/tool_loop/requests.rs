//! Requests: opened by the loop, built for a provider's format, answered by bytes or by events.

use crate::history::budget::{InputWindow, budget_messages, tokens_of};
use crate::protocol::call::TurnPhase;
use crate::protocol::command::{TurnCommand, TurnInput};
use crate::protocol::effect::{Effect, OfferedTools};
use crate::protocol::error::Fault;
use crate::protocol::event::{EventSink, ProviderFormat, StreamEvent};
use crate::protocol::fields::Fields;
use crate::protocol::ids::EffectId;
use crate::protocol::json::{Json, Object};
use crate::protocol::update::RefusalReason;
use crate::providers::{BuiltRequest, Decoder, RequestSpec, StreamLimits, WireNames, build_request};
use crate::tools::declaration::AdvertisedTool;
use crate::turn::limits::may_not_retry;
use crate::turn::reduce::{reduce_content, reduce_text};

use super::ToolLoop;
use super::effects::OpenRequest;
use super::issuers::forget_earlier_turns;
use super::outcome::{Fed, Outcome, last_message};

/// The first wait before asking again, doubled each time, in milliseconds.
const BACKOFF_MS: u64 = 500;
/// The longest wait the loop chooses by itself.
const BACKOFF_CEILING_MS: u64 = 10_000;
/// The window of the model that a request goes to, among what the host says of the request.
const WINDOW: &str = "maxInputTokens";
/// The longest wait a provider may ask for.
const RETRY_AFTER_CEILING_MS: u64 = 600_000;

impl ToolLoop {
    /// The body of an open `request` effect, in a provider's format; from here on its bytes can be fed.
    pub fn request(&mut self, request_id: &EffectId, format: ProviderFormat, params: &Json) -> Result<BuiltRequest, Fault> {
        self.touch();
        if let Some(recorder) = &mut self.recorder {
            recorder.requested(request_id, format, params);
        }
        let limits = &self.state.limits;
        let size = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
        let stream_limits = StreamLimits {
            max_stream_bytes: size(limits.max_stream_bytes),
            max_argument_bytes: size(limits.max_argument_bytes),
            max_argument_depth: size(limits.max_argument_depth),
            ..StreamLimits::default()
        };
        let Some(open) = self.open.request(Some(request_id)) else {
            return Err(Fault::new("stale_effect", "no request with this id is open"));
        };
        let tools = match open.effect {
            Effect::Request { tools: OfferedTools::None, .. } => Vec::new(),
            _ => self.tools.list(),
        };
        let (mut spec, own_window) = read_params(params, limits.reserve_output_tokens)?;
        spec.tools = tools;
        spec.messages.clone_from(&self.state.messages);
        self.issuers.strip(&mut spec.messages, format, &spec.model);
        // a conversation may go on with a model of another window
        if let Some(max_input_tokens) = own_window.or(self.options.max_input_tokens) {
            let fixed = fixed_tokens(&spec);
            let window = InputWindow {
                max_input_tokens: max_input_tokens.saturating_sub(fixed),
                reserve_output_tokens: limits.reserve_output_tokens,
            };
            let kept = budget_messages(&spec.messages, window).map_err(|error| Fault::new("context_overflow", error.message))?;
            spec.messages = kept.messages;
            if kept.dropped > 0 {
                forget_earlier_turns(&mut spec.messages, format);
            }
        }
        let built = build_request(format, &spec)?;
        let decoder = Decoder::new(format, stream_limits)?;
        if self.state.phase == TurnPhase::Requesting {
            self.issuers.note(self.state.messages.len(), Some(format), &spec.model);
        }
        if let Some(open) = self.open.request(Some(request_id)) {
            open.format = Some(format);
            open.decoder = Some(Box::new(decoder));
            open.names = WireNames::of(format, &spec.tools);
        }
        Ok(built)
    }

    /// Bytes of the answer, straight to the reducer.
    pub fn feed(&mut self, request_id: &EffectId, chunk: &[u8], now_ms: Option<u64>) -> Outcome {
        let number = self.request_number(request_id);
        self.decode(number, Some(chunk), now_ms);
        self.take_outcome()
    }

    /// What `feed_numbered` knows a request by; 0 where no request of this id is open. Like the id it is never used again.
    #[must_use]
    pub fn request_number(&mut self, request_id: &EffectId) -> u64 {
        self.open.request(Some(request_id)).map_or(0, |open| open.number)
    }

    /// The same as `feed`; text alone comes without a list around it, so that a delta costs no memory of its own.
    pub fn feed_numbered(&mut self, number: u64, chunk: &[u8], now_ms: Option<u64>) -> Fed {
        self.decode(number, Some(chunk), now_ms);
        if self.collector.is_plain() { self.collector.take_text() } else { Fed::Outcome(self.take_outcome()) }
    }

    /// The text of the last `Fed::Text`, and the place of its message.
    #[must_use]
    pub fn fed_text(&self) -> (u32, &str) {
        self.collector.fed_text()
    }

    /// Whether `end_stream` would find the message of this request whole: its finish reason was told, and the connection is still open.
    #[must_use]
    pub fn may_end_stream(&mut self, request_id: &EffectId) -> bool {
        self.open.request(Some(request_id)).and_then(|open| open.decoder.as_ref()).is_some_and(|decoder| decoder.may_end())
    }

    /// The connection closed.
    pub fn end_stream(&mut self, request_id: &EffectId, now_ms: Option<u64>) -> Outcome {
        let number = self.request_number(request_id);
        self.decode(number, None, now_ms);
        self.take_outcome()
    }

    /// A chunk, or the end where there is none.
    pub(super) fn decode(&mut self, number: u64, chunk: Option<&[u8]>, now_ms: Option<u64>) {
        self.touch();
        if let Some(recorder) = &mut self.recorder {
            recorder.fed(number, chunk, now_ms);
        }
        let input = if chunk.is_some() { "feed" } else { "endStream" };
        self.pass_time(now_ms);
        let Some(open) = self.open.numbered(number) else {
            // bytes of a request that was aborted or answered reach nothing
            return self.collector.refuse(input, None, RefusalReason::StaleEffect);
        };
        let (format, Some(mut decoder)) = (open.format, open.decoder.take()) else {
            return self.collector.refuse_with(
                input,
                RefusalReason::InvalidInput,
                "call `request` first: it says which format the bytes have",
            );
        };
        let mut sink = Sink { tool_loop: self, number, format, now_ms };
        match chunk {
            Some(chunk) => decoder.push(chunk, &mut sink),
            None => decoder.end(&mut sink),
        }
        // still heard: the message goes on
        if self.hears(number)
            && let Some(open) = self.open.numbered(number)
        {
            open.decoder = Some(decoder);
            return;
        }
        self.pump();
    }

    /// Whether what this request answers still reaches the turn.
    #[inline]
    fn hears(&mut self, number: u64) -> bool {
        matches!(self.state.phase, TurnPhase::Requesting | TurnPhase::Streaming) && self.open.numbered(number).is_some()
    }

    /// One event instead of bytes.
    pub(super) fn answer_request(&mut self, event: StreamEvent, now_ms: Option<u64>, effect_id: Option<&EffectId>) {
        let Some(open) = self.open.request(effect_id) else {
            return self.collector.refuse(event.name(), None, RefusalReason::StaleEffect);
        };
        let format = open.format;
        if format.is_none() && self.state.phase == TurnPhase::Requesting {
            self.issuers.note(self.state.messages.len(), None, "");
        }
        self.event(event, format, now_ms);
    }

    fn event(&mut self, event: StreamEvent, format: Option<ProviderFormat>, now_ms: Option<u64>) {
        let event = self.with_our_ids(event, format);
        if let StreamEvent::Error { error } = &event
            && error.is_transient()
            && self.state.phase == TurnPhase::Requesting
            && self.retry(error.retry_after_ms, now_ms)
        {
            return;
        }
        let ends = event.is_terminal();
        let name = event.name();
        self.reduce(TurnInput::Event { event, now_ms }, name);
        if ends {
            self.open.request = None;
        }
    }

    /// Calls get ids that are unique in the conversation, and the names that were declared, before the reducer sees them.
    fn with_our_ids(&mut self, event: StreamEvent, format: Option<ProviderFormat>) -> StreamEvent {
        let iteration = self.state.iteration;
        match event {
            StreamEvent::ToolCallStart { id, name } => StreamEvent::ToolCallStart { id, name: self.declared_name(name) },
            StreamEvent::ToolCallComplete { id, name, input, invalid, provider_id: _ } => {
                let name = self.declared_name(name);
                let ours = self.ids.resolve(&id, format, iteration);
                let provider_id = (ours != id && !id.is_empty()).then_some(id);
                StreamEvent::ToolCallComplete { id: ours, name, input, invalid, provider_id }
            }
            StreamEvent::ProviderState { provider, value, call_id } => {
                let call_id = call_id.map(|id| self.ids.resolve(&id, format, iteration));
                StreamEvent::ProviderState { provider, value, call_id }
            }
            other => other,
        }
    }

    /// The tool that the open request calls `name`; what is no such name stays what it is, and resolves to what it may.
    fn declared_name(&self, name: String) -> String {
        let names = self.open.request.as_ref().map(|(_, open)| &open.names);
        names.and_then(|names| names.declared(&name)).map(str::to_owned).unwrap_or(name)
    }

    /// Asks the provider again after a passing failure that came before content; says whether it may.
    fn retry(&mut self, retry_after_ms: Option<f64>, now_ms: Option<u64>) -> bool {
        let now = now_ms.unwrap_or(0).max(self.state.clock_ms);
        if may_not_retry(&self.state.budget, &self.state.limits, now).is_some() {
            return false;
        }
        let attempt = self.open.request.as_ref().map_or(1, |(_, open)| open.attempt);
        let asked = retry_after_ms.and_then(|ms| crate::protocol::fields::whole(ms.ceil())).unwrap_or(0).min(RETRY_AFTER_CEILING_MS);
        let backoff = BACKOFF_MS.saturating_mul(1u64.checked_shl(attempt.saturating_sub(1)).unwrap_or(u64::MAX)).min(BACKOFF_CEILING_MS);
        self.reduce(TurnCommand::Retry { now_ms }.into(), "retry");
        self.open.request = None;
        self.open_request(
            attempt.saturating_add(1),
            Some(now.saturating_add(backoff.max(asked)).min(crate::protocol::fields::LARGEST_WHOLE)),
        );
        true
    }

    pub(super) fn open_request(&mut self, attempt: u32, not_before_ms: Option<u64>) {
        self.ids.next_message();
        let id = self.open.next_id(&self.state.turn_id);
        let effect = Effect::Request { id: id.clone(), iteration: self.state.iteration, attempt, not_before_ms, tools: OfferedTools::All };
        self.open.request = Some((
            id,
            OpenRequest {
                number: self.open.last_number,
                effect: effect.clone(),
                attempt,
                format: None,
                decoder: None,
                names: WireNames::default(),
            },
        ));
        self.emit(effect);
    }
}

/// The host's part of a request, and the window of its model; what the turn itself says is not the host's to say.
fn read_params(params: &Json, max_output_tokens: u64) -> Result<(RequestSpec, Option<u64>), Fault> {
    let Some(given) = params.as_object() else {
        return Err(Fault::new("invalid_request", format!("expected an object, got {}", params.kind())));
    };
    if let Some(key) = ["messages", "tools"].into_iter().find(|key| given.contains_key(key)) {
        return Err(Fault::at("invalid_request", key, format!("`{key}` comes from the turn and cannot be given")));
    }
    let window = Fields::of(params, "invalid_request", "")?.opt_integer(WINDOW)?;
    let mut whole = Object::new();
    for (key, value) in given.iter().filter(|(key, _)| &***key != WINDOW) {
        whole.insert(key.clone(), value.clone());
    }
    whole.insert("messages", Vec::new());
    whole.insert("tools", Vec::new());
    if !whole.contains_key("maxOutputTokens") {
        whole.insert("maxOutputTokens", max_output_tokens as f64);
    }
    Ok((RequestSpec::decode(&Json::from(whole))?, window))
}

/// What a request costs before any message: the system prompt and the tools, estimated like messages are.
fn fixed_tokens(spec: &RequestSpec) -> u64 {
    let tool = |tool: &AdvertisedTool| tool.name.len() + tool.description.len() + tool.input_schema.to_text().len();
    let bytes = spec.system.as_ref().map_or(0, String::len) + spec.tools.iter().map(tool).sum::<usize>();
    tokens_of(bytes)
}

/// Takes what the decoder reads; text goes to the reducer without an event being made for it.
struct Sink<'a> {
    tool_loop: &'a mut ToolLoop,
    number: u64,
    format: Option<ProviderFormat>,
    now_ms: Option<u64>,
}

impl Sink<'_> {
    /// A delta that no event was made for; only a loop that traces its turn makes one.
    fn trace(&mut self, event: impl FnOnce() -> StreamEvent) {
        if self.tool_loop.options.trace_turn {
            let now_ms = self.now_ms;
            self.tool_loop.traced.push(TurnInput::Event { event: event(), now_ms });
        }
    }

    fn translate(&mut self, name: &'static str) {
        for change in self.tool_loop.changes.take() {
            self.tool_loop.collector.change(change, name, &self.tool_loop.state);
        }
    }
}

impl EventSink for Sink<'_> {
    fn text(&mut self, text: &str) {
        if !self.tool_loop.hears(self.number) {
            return;
        }
        self.trace(|| StreamEvent::TextDelta { text: text.to_owned() });
        let taken = reduce_text(&mut self.tool_loop.state, text, self.now_ms, &mut self.tool_loop.changes);
        self.translate("text_delta");
        if taken {
            let index = last_message(&self.tool_loop.state);
            self.tool_loop.collector.text(index, text);
        }
    }

    fn reasoning(&mut self, text: &str) {
        if !self.tool_loop.hears(self.number) {
            return;
        }
        self.trace(|| StreamEvent::ReasoningDelta { text: text.to_owned() });
        if reduce_content(&mut self.tool_loop.state, self.now_ms, &mut self.tool_loop.changes) {
            self.translate("reasoning_delta");
            self.tool_loop.collector.reasoning(text);
        }
    }

    fn input_delta(&mut self, id: &str, partial_json: &str) {
        if !self.tool_loop.hears(self.number) {
            return;
        }
        self.trace(|| StreamEvent::ToolCallInputDelta { id: id.to_owned(), partial_json: partial_json.to_owned() });
        if reduce_content(&mut self.tool_loop.state, self.now_ms, &mut self.tool_loop.changes) {
            self.translate("tool_call_input_delta");
        }
    }

    fn event(&mut self, event: StreamEvent) {
        if !self.tool_loop.hears(self.number) {
            return;
        }
        self.tool_loop.event(event, self.format, self.now_ms);
    }
}
