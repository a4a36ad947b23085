//! The state of one turn: plain values, written by the reducer alone.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::protocol::call::{ApprovalGrant, Bound, CallRecord, CallStatus, Denial, TurnOutcome, TurnPhase, TurnViolation, ViolationEntry};
use crate::protocol::command::TurnContext;
use crate::protocol::error::{Fault, ProtocolError};
use crate::protocol::event::{StopReason, Usage};
use crate::protocol::ids::CallId;
use crate::protocol::message::{ContentBlock, Message, Role};
use crate::tools::registry::ToolRegistry;

use super::limits::{TurnBudget, TurnLimits};

/// Violations kept in full; older ones are only counted, so that a flood costs constant memory.
pub const VIOLATIONS_KEPT: usize = 32;

/// How much the model may do by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum OrchestrationMode {
    /// Reads run, every change is a card.
    #[default]
    Reviewed,
}

/// What tokens cost, in millionths of the host's currency.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Prices {
    /// One token read.
    pub input_micros_per_token: f64,
    /// One token written.
    pub output_micros_per_token: f64,
}

/// One turn, from `idle` to `settled`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    pub violation_counts: BTreeMap<TurnViolation, u64>,
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
        violation_counts: ALL_VIOLATIONS.into_iter().map(|violation| (violation, 0)).collect(),
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
        serde_json::from_str(text).map_err(|error| Fault::new("invalid_state", format!("the turn state cannot be read: {error}")))
    }

    /// Whether the turn is under way: submitted and not settled.
    #[must_use]
    pub fn is_live(&self) -> bool {
        !matches!(self.phase, TurnPhase::Idle | TurnPhase::Settled)
    }

    /// The calls of the current message.
    pub fn current_calls(&self) -> impl Iterator<Item = &CallRecord> {
        self.calls.iter().filter(|call| call.iteration == self.iteration)
    }

    /// `now_ms`, or the latest time known; time never moves backwards.
    pub(super) fn time(&self, now_ms: Option<u64>) -> u64 {
        now_ms.unwrap_or(0).max(self.clock_ms)
    }

    /// Whether an earlier turn, or a message this conversation began with, used the id.
    pub(super) fn id_in_history(&self, id: &str) -> bool {
        let before = usize::try_from(self.first_message).unwrap_or(usize::MAX);
        let blocks = self.messages.iter().take(before).flat_map(|message| &message.content);
        blocks.into_iter().any(|block| matches!(block, ContentBlock::ToolCall { id: used, .. } if used == id))
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
        let counter = self.violation_counts.entry(violation).or_insert(0);
        *counter = counter.saturating_add(1);
        if self.violations.len() >= VIOLATIONS_KEPT {
            self.violations.remove(0);
        }
        self.violations.push(entry.clone());
        entry
    }
}

const ALL_VIOLATIONS: [TurnViolation; 13] = [
    TurnViolation::NoGrant,
    TurnViolation::DigestMismatch,
    TurnViolation::ForeignIteration,
    TurnViolation::GrantAlreadyConsumed,
    TurnViolation::UnknownTool,
    TurnViolation::DeniedReplay,
    TurnViolation::LimitExceeded,
    TurnViolation::DuplicateCallId,
    TurnViolation::PostSettlementEvent,
    TurnViolation::GrantExpired,
    TurnViolation::Unauthorized,
    TurnViolation::StaleDocument,
    TurnViolation::UnmatchedResult,
];

/// A count as it is stored; a turn never holds more than fits.
pub(super) fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// The calls of a turn: in order, and found by id without walking them (a flood of calls stays linear).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Calls {
    list: Vec<CallRecord>,
    // INVARIANT: maps the id of every record to its place in `list`; a record's id never changes.
    index: BTreeMap<CallId, usize>,
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
        self.index.get(id).copied()
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
        self.index.insert(call.id.clone(), place);
        self.list.push(call);
        place
    }

    /// The places of the calls that `wanted` picks.
    pub(super) fn places(&self, wanted: impl Fn(&CallRecord) -> bool) -> Vec<usize> {
        self.list.iter().enumerate().filter(|(_, call)| wanted(call)).map(|(place, _)| place).collect()
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

impl<'de> Deserialize<'de> for Calls {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Calls, D::Error> {
        let mut calls = Calls::default();
        for call in Vec::<CallRecord>::deserialize(deserializer)? {
            if calls.find(&call.id).is_some() {
                return Err(serde::de::Error::custom("two calls have the same id"));
            }
            calls.push(call);
        }
        Ok(calls)
    }
}
