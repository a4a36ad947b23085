//! The state of one turn: plain values, written by the reducer alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::{from_json, words};

use crate::protocol::call::{ApprovalGrant, Bound, CallRecord, CallStatus, Denial, TurnOutcome, TurnPhase, TurnViolation, ViolationEntry};
use crate::protocol::command::{TurnContext, read_context};
use crate::protocol::error::{Fault, ProtocolError};
use crate::protocol::event::{StopReason, Usage};
use crate::protocol::fields::{Fields, LARGEST_WHOLE};
use crate::protocol::from_json::{FromJson, member, object_of};
use crate::protocol::ids::CallId;
use crate::protocol::json::Json;
use crate::protocol::message::{ContentBlock, Message, Role};
use crate::protocol::words::{Word, read_word};
use crate::tools::registry::ToolRegistry;

use super::limits::{TurnBudget, TurnLimits};

/// What is said where a message no longer fits the conversation.
pub const CONVERSATION_FULL: &str = "the conversation has reached its highest number of messages; begin a new one";

/// Violations kept in full; older ones are only counted, so that a flood costs constant memory.
pub const VIOLATIONS_KEPT: usize = 32;

/// No turn counts further; a state that says so was not written by one, and would soon hold a number nobody can read.
pub const LARGEST_COUNT: u64 = 1 << 52;

words! {
/// How much the model may do by itself.
    #[derive(Default)]
    pub enum OrchestrationMode {
        /// Reads run, every change is a card.
        #[default]
        Reviewed = "reviewed",
    }
}

/// What tokens cost, in millionths of the host's currency.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct Prices {
    /// One token read.
    pub input_micros_per_token: f64,
    /// One token written.
    pub output_micros_per_token: f64,
}

from_json! {
    Prices {
        input_micros_per_token: "inputMicrosPerToken",
        output_micros_per_token: "outputMicrosPerToken",
    }
}

/// One turn, from `idle` to `settled`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct TurnState {
    /// Names the turn inside its conversation.
    pub turn_id: String,
    /// Where it is.
    pub phase: TurnPhase,
    /// Which request it is at, from 1; 0 before submit.
    pub iteration: u32,
    /// How much the model may do by itself.
    pub mode: OrchestrationMode,
    /// Names the tools it was begun with; another registry is refused.
    pub tools_digest: String,
    /// What it has spent.
    pub budget: TurnBudget,
    /// What it may spend.
    pub limits: TurnLimits,
    /// Who asks.
    pub context: Option<TurnContext>,
    /// The whole conversation, this turn's part last.
    pub messages: Vec<Message>,
    /// The calls of this turn, in the order in which they were opened.
    #[cfg_attr(feature = "wasm", tsify(type = "CallRecord[]"))]
    pub calls: Calls,
    /// Every grant of this turn, spent ones too.
    pub grants: Vec<ApprovalGrant>,
    /// What the person declined in this turn.
    pub denials: Vec<Denial>,
    /// The last 32 violations.
    pub violations: Vec<ViolationEntry>,
    /// All violations, counted by kind.
    #[cfg_attr(feature = "wasm", tsify(type = "Record<TurnViolation, number>"))]
    pub violation_counts: ViolationCounts,
    /// How it ended.
    pub outcome: Option<TurnOutcome>,
    /// The bound that ended it.
    pub bound: Option<Bound>,
    /// What the person should know.
    pub notice: Option<String>,
    /// What failed.
    pub error: Option<ProtocolError>,
    /// The latest time it was told, epoch milliseconds.
    pub clock_ms: u64,
    /// The revision of the last change of the document that this turn did not make, as far as it was told.
    pub document_revision: u64,
    /// Why the current message ended.
    pub stop_reason: Option<StopReason>,
    /// Where in `messages` this turn begins.
    pub first_message: u32,
    /// How many of `calls` have their result in `messages`.
    pub answered_calls: u32,
    /// What the current request cost so far; the last report of a request replaces the one before.
    pub request_usage: Usage,
    /// What tokens cost.
    pub prices: Option<Prices>,
}

from_json! {
    TurnState {
        turn_id: "turnId",
        phase: "phase",
        iteration: "iteration",
        mode: "mode",
        tools_digest: "toolsDigest",
        budget: "budget",
        limits: "limits",
        context: "context",
        messages: "messages",
        calls: "calls",
        grants: "grants",
        denials: "denials",
        violations: "violations",
        violation_counts: "violationCounts",
        outcome: "outcome",
        bound: "bound",
        notice: "notice",
        error: "error",
        clock_ms: "clockMs",
        document_revision: "documentRevision",
        stop_reason: "stopReason",
        first_message: "firstMessage",
        answered_calls: "answeredCalls",
        request_usage: "requestUsage",
        prices: "prices",
    }
}

/// What an idle turn is made of.
#[derive(Clone, Debug, Default)]
pub struct IdleOptions {
    /// The turn's id; `t1` where it is empty.
    pub turn_id: String,
    /// How much the model may do by itself.
    pub mode: OrchestrationMode,
    /// What it may spend.
    pub limits: TurnLimits,
    /// Who asks; `submit` may name somebody else.
    pub context: Option<TurnContext>,
    /// The conversation so far.
    pub history: Vec<Message>,
    /// What tokens cost.
    pub prices: Option<Prices>,
}

impl IdleOptions {
    /// Reads what a host may say of a turn before it begins; ids and prices are the loop's to say.
    pub fn read(fields: &mut Fields<'_>) -> Result<IdleOptions, Fault> {
        let mode = match fields.opt_json("mode") {
            Some(mode) => read_word(mode, "invalid_options").map_err(|fault| fault.under("mode"))?,
            None => OrchestrationMode::default(),
        };
        let limits = fields.opt_json("limits").map(TurnLimits::resolve).transpose()?.unwrap_or_default();
        let context = read_context(fields)?;
        let history = fields.opt_json("history").map(Message::decode_list).transpose().map_err(|fault| fault.under("history"))?;
        Ok(IdleOptions { mode, limits, context, history: history.unwrap_or_default(), ..IdleOptions::default() })
    }
}

/// A turn in which nothing was asked yet. A history that is not properly paired is repaired first: what was
/// left open is answered, nothing is ever run.
#[must_use]
pub fn idle_turn(options: IdleOptions, tools: &ToolRegistry) -> TurnState {
    let messages = match crate::history::pairing::pairing_violations(&options.history).is_empty() {
        true => options.history,
        false => crate::history::repair::repair_history(&options.history).messages,
    };
    TurnState {
        turn_id: if options.turn_id.is_empty() { "t1".to_owned() } else { options.turn_id },
        phase: TurnPhase::Idle,
        iteration: 0,
        mode: options.mode,
        tools_digest: tools.digest().to_owned(),
        budget: TurnBudget::default(),
        limits: options.limits,
        context: options.context,
        first_message: count(messages.len()),
        messages,
        calls: Calls::default(),
        grants: Vec::new(),
        denials: Vec::new(),
        violations: Vec::new(),
        violation_counts: ViolationCounts::default(),
        outcome: None,
        bound: None,
        notice: None,
        error: None,
        clock_ms: 0,
        document_revision: 0,
        stop_reason: None,
        answered_calls: 0,
        request_usage: Usage::default(),
        prices: options.prices,
    }
}

impl TurnState {
    /// Reads a state from JSON text; what is damaged is a fault, never a guess.
    pub fn decode(text: &str) -> Result<TurnState, Fault> {
        let state = Json::parse(text).map_err(|error| Fault::new("invalid_state", error)).and_then(|value| TurnState::from_json(&value));
        let state = state.and_then(|state| state.check_limits().map(|()| state));
        state.map_err(|fault| fault.told_as("invalid_state", "the turn state cannot be read: "))
    }

    /// Whether the parts of a state that came from elsewhere belong together.
    pub(super) fn check(&self) -> Result<(), Fault> {
        let wrong = |path: &str, what: &str| Err(Fault::at("invalid_state", path, what));
        self.check_limits()?;
        let TurnBudget { requests_started, iterations_started, calls_opened, calls_this_iteration, retries_used, .. } = self.budget;
        let counts = [requests_started, iterations_started, calls_opened, calls_this_iteration, retries_used];
        if counts.iter().any(|count| *count > LARGEST_COUNT) || self.violation_counts.0.iter().any(|(_, count)| *count > LARGEST_COUNT) {
            return wrong("budget", "no turn ever counted that far");
        }
        let answered = usize::try_from(self.answered_calls).unwrap_or(usize::MAX);
        if answered > self.calls.len() {
            return wrong("answeredCalls", "more calls are answered than there are");
        }
        // calls of earlier messages are answered, those of the current one only when the turn is over
        let open = self.calls.iter().skip(answered);
        if self.calls.iter().any(|call| call.iteration > self.iteration) || open.into_iter().any(|call| call.iteration != self.iteration) {
            return wrong("calls", "a call belongs to a request that was never made, or was never answered");
        }
        match self.phase {
            TurnPhase::Idle if !self.calls.is_empty() || self.iteration != 0 => wrong("phase", "an idle turn has no calls"),
            TurnPhase::Settled if self.outcome.is_none() || answered < self.calls.len() => {
                wrong("phase", "a settled turn has an outcome and no open call")
            }
            TurnPhase::Settled if self.calls.iter().any(|call| !call.status.is_final()) => {
                wrong("calls", "a settled turn has no open call")
            }
            TurnPhase::Idle | TurnPhase::Settled => Ok(()),
            _ if self.outcome.is_some() || self.iteration == 0 => wrong("phase", "a live turn has no outcome and is at a request"),
            _ => Ok(()),
        }
    }

    /// Forgets the steps of the history that the store at hand does not know.
    pub(crate) fn keep_steps(&mut self, known: impl Fn(u64) -> bool) {
        for place in self.calls.places(&|call| call.history_step.is_some_and(|step| !known(step))) {
            if let Some(call) = self.calls.at_mut(place) {
                call.history_step = None;
            }
        }
    }

    fn check_limits(&self) -> Result<(), Fault> {
        match self.limits.is_sound() {
            true => Ok(()),
            false => Err(Fault::at("invalid_state", "limits", "a limit of 0 would allow nothing")),
        }
    }

    /// Whether the turn is under way: submitted and not settled.
    #[must_use]
    pub fn is_live(&self) -> bool {
        !matches!(self.phase, TurnPhase::Idle | TurnPhase::Settled)
    }

    /// Whether the conversation may grow by this many messages.
    #[must_use]
    pub fn has_room_for(&self, messages: usize) -> bool {
        u64::try_from(self.messages.len().saturating_add(messages)).unwrap_or(u64::MAX) <= self.limits.max_messages
    }

    /// The calls of the current message.
    pub fn current_calls(&self) -> impl Iterator<Item = &CallRecord> {
        self.calls.iter().filter(|call| call.iteration == self.iteration)
    }

    /// `now_ms`, or the latest time known; time never moves backwards.
    pub(super) fn time(&self, now_ms: Option<u64>) -> u64 {
        now_ms.unwrap_or(0).min(LARGEST_WHOLE).max(self.clock_ms)
    }

    /// Whether an earlier turn, or a message this conversation began with, used the id.
    pub(super) fn id_in_history(&self, id: &str) -> bool {
        let before = usize::try_from(self.first_message).unwrap_or(usize::MAX);
        let opens = |block: &ContentBlock| matches!(block, ContentBlock::ToolCall { id: used, .. } if used == id);
        self.messages.iter().take(before).any(|message| message.content.iter().any(opens))
    }

    /// The assistant message that is being received; begun where there is none.
    pub(super) fn open_message(&mut self) -> Option<&mut Message> {
        if self.messages.last().is_none_or(|message| message.role != Role::Assistant) {
            self.messages.push(Message { role: Role::Assistant, content: Vec::new() });
        }
        self.messages.last_mut()
    }

    pub(super) fn record_violation(&mut self, violation: TurnViolation, call_id: Option<CallId>, detail: String) -> ViolationEntry {
        let entry = ViolationEntry { violation, call_id, detail };
        self.violation_counts.add(violation);
        if self.violations.len() >= VIOLATIONS_KEPT {
            self.violations.remove(0);
        }
        self.violations.push(entry.clone());
        entry
    }
}

/// How often each kind of violation was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViolationCounts(Vec<(TurnViolation, u64)>);

impl Default for ViolationCounts {
    fn default() -> ViolationCounts {
        let mut counts = Vec::with_capacity(TurnViolation::WORDS.len());
        for (_, violation) in TurnViolation::WORDS {
            counts.push((*violation, 0));
        }
        ViolationCounts(counts)
    }
}

impl ViolationCounts {
    /// How often this kind was recorded.
    #[must_use]
    pub fn of(&self, violation: TurnViolation) -> u64 {
        self.0.iter().find(|(kind, _)| *kind == violation).map_or(0, |(_, count)| *count)
    }

    fn add(&mut self, violation: TurnViolation) {
        if let Some((_, count)) = self.0.iter_mut().find(|(kind, _)| *kind == violation) {
            *count = count.saturating_add(1);
        }
    }
}

impl Serialize for ViolationCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(violation, count)| (violation.word(), count)))
    }
}

impl FromJson for ViolationCounts {
    fn blank() -> ViolationCounts {
        ViolationCounts::default()
    }

    fn from_json(value: &Json) -> Result<ViolationCounts, Fault> {
        let object = object_of(value)?;
        let mut counts = ViolationCounts::default();
        for (violation, count) in &mut counts.0 {
            *count = member::<Option<u64>>(object, violation.word())?.unwrap_or(0);
        }
        Ok(counts)
    }
}

/// A count as it is stored; a turn never holds more than fits.
pub(super) fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// The calls of a turn: in order, and found by id without walking them (a flood of calls stays linear).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Calls {
    list: Vec<CallRecord>,
    // INVARIANT: maps the id of every record to its place in `list`; a record's id never changes.
    index: BTreeMap<Arc<str>, usize>,
}

impl Calls {
    /// The call with this id.
    #[must_use]
    pub fn find(&self, id: &CallId) -> Option<&CallRecord> {
        self.list.get(self.place(id)?)
    }

    /// Where the call stands.
    #[must_use]
    pub fn place(&self, id: &CallId) -> Option<usize> {
        self.index.get(id.as_str()).copied()
    }

    /// The call at a place.
    #[must_use]
    pub fn at(&self, place: usize) -> Option<&CallRecord> {
        self.list.get(place)
    }

    /// All calls in order.
    pub fn iter(&self) -> std::slice::Iter<'_, CallRecord> {
        self.list.iter()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn at_mut(&mut self, place: usize) -> Option<&mut CallRecord> {
        self.list.get_mut(place)
    }

    pub(super) fn push(&mut self, call: CallRecord) -> usize {
        let place = self.list.len();
        self.index.insert(Arc::from(call.id.as_str()), place);
        self.list.push(call);
        place
    }

    /// The places of the calls that `wanted` picks.
    pub(crate) fn places(&self, wanted: &dyn Fn(&CallRecord) -> bool) -> Vec<usize> {
        let mut places = Vec::new();
        for (place, call) in self.list.iter().enumerate() {
            if wanted(call) {
                places.push(place);
            }
        }
        places
    }

    /// How many calls run.
    #[must_use]
    pub fn running(&self) -> usize {
        self.list.iter().filter(|call| call.status == CallStatus::Running).count()
    }
}

impl<'a> IntoIterator for &'a Calls {
    type Item = &'a CallRecord;
    type IntoIter = std::slice::Iter<'a, CallRecord>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

impl Serialize for Calls {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.list.serialize(serializer)
    }
}

impl FromJson for Calls {
    fn blank() -> Calls {
        Calls::default()
    }

    fn from_json(value: &Json) -> Result<Calls, Fault> {
        let mut calls = Calls::default();
        for call in Vec::<CallRecord>::from_json(value)? {
            if calls.find(&call.id).is_some() {
                return Err(Fault::new("invalid_input", "two calls have the same id"));
            }
            calls.push(call);
        }
        Ok(calls)
    }
}
