//! Every ceiling of a turn, one field each, and the one function that says which was reached first.

use serde::Serialize;

use crate::from_json;

use crate::protocol::call::Bound;
use crate::protocol::error::Fault;
use crate::protocol::fields::Fields;
use crate::protocol::json::Json;

/// The registry reads no deeper input, whatever a limit says.
const MAX_ARGUMENT_DEPTH: u64 = 64;

/// The ceilings of one turn, frozen at submit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct TurnLimits {
    /// Requests one message of the person may cost, retries aside. Default 8.
    pub max_iterations: u64,
    /// Calls one turn may open. Default 32.
    pub max_tool_calls_per_turn: u64,
    /// Calls one message of the model may open: what a person can review in one go. Default 12.
    pub max_tool_calls_per_iteration: u64,
    /// Requests asked again after a passing failure; 0 for none. Default 3.
    pub max_retries_per_turn: u64,
    /// How long a turn may take, the person's thinking time aside. Default 300 000 ms.
    pub turn_deadline_ms: u64,
    /// Output tokens kept free when a history is cut to the window. Default 4096.
    pub reserve_output_tokens: u64,
    /// How long a card, and then its approval, is good for; `null` for ever, the default.
    pub approval_ttl_ms: Option<u64>,
    /// Tokens of one turn; `null` for no bound, the default.
    pub max_total_tokens: Option<u64>,
    /// Cost of one turn in millionths; `null` for no bound, the default.
    pub max_cost_micros: Option<u64>,
    /// How often the same call may give the same result. Default 3.
    pub max_repeats_per_call: u64,
    /// Calls that may run at a time. Default 1.
    pub max_concurrent_calls: u64,
    /// Argument text of one call, in bytes. Default 256 KiB.
    pub max_argument_bytes: u64,
    /// Nesting of one call's arguments. Default 64.
    pub max_argument_depth: u64,
    /// Result text of one call, in bytes. Default 64 KiB.
    pub max_result_bytes: u64,
    /// One answer of the provider, in bytes. Default 50 MiB.
    pub max_stream_bytes: u64,
    /// Messages of one conversation. Default 2000.
    pub max_messages: u64,
    /// How long the host may take to authorize a call. Default 30 000 ms.
    pub authorize_timeout_ms: u64,
}

from_json! {
    TurnLimits {
        max_iterations: "maxIterations",
        max_tool_calls_per_turn: "maxToolCallsPerTurn",
        max_tool_calls_per_iteration: "maxToolCallsPerIteration",
        max_retries_per_turn: "maxRetriesPerTurn",
        turn_deadline_ms: "turnDeadlineMs",
        reserve_output_tokens: "reserveOutputTokens",
        approval_ttl_ms: "approvalTtlMs",
        max_total_tokens: "maxTotalTokens",
        max_cost_micros: "maxCostMicros",
        max_repeats_per_call: "maxRepeatsPerCall",
        max_concurrent_calls: "maxConcurrentCalls",
        max_argument_bytes: "maxArgumentBytes",
        max_argument_depth: "maxArgumentDepth",
        max_result_bytes: "maxResultBytes",
        max_stream_bytes: "maxStreamBytes",
        max_messages: "maxMessages",
        authorize_timeout_ms: "authorizeTimeoutMs",
    }
}

impl Default for TurnLimits {
    fn default() -> TurnLimits {
        TurnLimits {
            max_iterations: 8,
            max_tool_calls_per_turn: 32,
            max_tool_calls_per_iteration: 12,
            max_retries_per_turn: 3,
            turn_deadline_ms: 300_000,
            reserve_output_tokens: 4096,
            approval_ttl_ms: None,
            max_total_tokens: None,
            max_cost_micros: None,
            max_repeats_per_call: 3,
            max_concurrent_calls: 1,
            max_argument_bytes: 262_144,
            max_argument_depth: 64,
            max_result_bytes: 65_536,
            max_stream_bytes: 52_428_800,
            max_messages: 2000,
            authorize_timeout_ms: 30_000,
        }
    }
}

impl TurnLimits {
    /// The defaults with a host's overrides; a limit that is not a positive whole number is a fault that names it.
    pub fn resolve(overrides: &Json) -> Result<TurnLimits, Fault> {
        let mut limits = TurnLimits::default();
        let mut fields = Fields::of(overrides, "invalid_limits", "limits")?;
        for (key, slot) in [
            ("maxIterations", &mut limits.max_iterations),
            ("maxToolCallsPerTurn", &mut limits.max_tool_calls_per_turn),
            ("maxToolCallsPerIteration", &mut limits.max_tool_calls_per_iteration),
            ("turnDeadlineMs", &mut limits.turn_deadline_ms),
            ("reserveOutputTokens", &mut limits.reserve_output_tokens),
            ("maxRepeatsPerCall", &mut limits.max_repeats_per_call),
            ("maxConcurrentCalls", &mut limits.max_concurrent_calls),
            ("maxArgumentBytes", &mut limits.max_argument_bytes),
            ("maxArgumentDepth", &mut limits.max_argument_depth),
            ("maxResultBytes", &mut limits.max_result_bytes),
            ("maxStreamBytes", &mut limits.max_stream_bytes),
            ("maxMessages", &mut limits.max_messages),
            ("authorizeTimeoutMs", &mut limits.authorize_timeout_ms),
        ] {
            match fields.opt_integer(key)? {
                None => {}
                Some(0) => return Err(fields.fault(key, "`0` would allow nothing").expecting("a whole number from 1")),
                Some(value) => *slot = value,
            }
        }
        if limits.max_argument_depth > MAX_ARGUMENT_DEPTH {
            let message = format!("`{}` is deeper than any tool's input is read", limits.max_argument_depth);
            return Err(fields.fault("maxArgumentDepth", message).expecting("a whole number from 1 to 64"));
        }
        if let Some(retries) = fields.opt_integer("maxRetriesPerTurn")? {
            limits.max_retries_per_turn = retries;
        }
        for (key, slot) in [
            ("approvalTtlMs", &mut limits.approval_ttl_ms),
            ("maxTotalTokens", &mut limits.max_total_tokens),
            ("maxCostMicros", &mut limits.max_cost_micros),
        ] {
            if let Some(Json::Null) = fields.opt_json(key) {
                *slot = None;
                continue;
            }
            match fields.opt_integer(key)? {
                None => {}
                Some(0) => {
                    return Err(fields.fault(key, "`0` would allow nothing").expecting("a whole number from 1, or null for no bound"));
                }
                Some(value) => *slot = Some(value),
            }
        }
        fields.finish()?;
        Ok(limits)
    }
}

/// What a turn has spent. A bound is reached when its counter is at or above the limit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct TurnBudget {
    /// When the turn began, epoch milliseconds.
    pub started_at_ms: u64,
    /// How long it waited for the person.
    pub paused_ms: u64,
    /// Since when it waits for the person.
    pub paused_since_ms: Option<u64>,
    /// Requests, retries counted.
    pub requests_started: u64,
    /// Requests, retries aside.
    pub iterations_started: u64,
    /// Calls the model opened.
    pub calls_opened: u64,
    /// Calls its current message opened.
    pub calls_this_iteration: u64,
    /// Retries.
    pub retries_used: u64,
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// What they cost.
    pub cost_micros: u64,
    /// How often a call was asked again although it had given the same result each time.
    pub highest_repeat: u64,
}

from_json! {
    TurnBudget {
        started_at_ms: "startedAtMs",
        paused_ms: "pausedMs",
        paused_since_ms: "pausedSinceMs",
        requests_started: "requestsStarted",
        iterations_started: "iterationsStarted",
        calls_opened: "callsOpened",
        calls_this_iteration: "callsThisIteration",
        retries_used: "retriesUsed",
        input_tokens: "inputTokens",
        output_tokens: "outputTokens",
        cost_micros: "costMicros",
        highest_repeat: "highestRepeat",
    }
}

impl TurnBudget {
    /// How long the turn has worked: waiting for the person is free.
    #[must_use]
    pub fn worked_ms(&self, now_ms: u64) -> u64 {
        let waiting = self.paused_since_ms.map_or(0, |since| now_ms.saturating_sub(since));
        now_ms.saturating_sub(self.started_at_ms).saturating_sub(self.paused_ms).saturating_sub(waiting)
    }
}

/// The first bound reached, in fixed order: iterations, tool calls, retries, deadline, tokens, cost, repeats.
#[must_use]
pub fn budget_exhaustion(budget: &TurnBudget, limits: &TurnLimits, now_ms: u64) -> Option<Bound> {
    exhausted_of(budget, limits, now_ms, &ALL)
}

/// What `advance` asks: a retry that helped must not end a healthy turn.
pub(super) fn may_not_iterate(budget: &TurnBudget, limits: &TurnLimits, now_ms: u64) -> Option<Bound> {
    exhausted_of(
        budget,
        limits,
        now_ms,
        &[Bound::Iterations, Bound::ToolCalls, Bound::Deadline, Bound::Tokens, Bound::Cost, Bound::Repeats],
    )
}

/// What `retry` asks: the last allowed iteration may still be asked for again.
#[must_use]
pub fn may_not_retry(budget: &TurnBudget, limits: &TurnLimits, now_ms: u64) -> Option<Bound> {
    exhausted_of(budget, limits, now_ms, &[Bound::Retries, Bound::Deadline, Bound::Tokens, Bound::Cost])
}

const ALL: [Bound; 7] = [Bound::Iterations, Bound::ToolCalls, Bound::Retries, Bound::Deadline, Bound::Tokens, Bound::Cost, Bound::Repeats];

fn exhausted_of(budget: &TurnBudget, limits: &TurnLimits, now_ms: u64, asked: &[Bound]) -> Option<Bound> {
    let reached = |bound: &Bound| match bound {
        Bound::Iterations => budget.iterations_started >= limits.max_iterations,
        Bound::ToolCalls => budget.calls_opened >= limits.max_tool_calls_per_turn,
        Bound::Retries => budget.retries_used >= limits.max_retries_per_turn,
        Bound::Deadline => budget.worked_ms(now_ms) >= limits.turn_deadline_ms,
        Bound::Tokens => limits.max_total_tokens.is_some_and(|max| budget.input_tokens.saturating_add(budget.output_tokens) >= max),
        Bound::Cost => limits.max_cost_micros.is_some_and(|max| budget.cost_micros >= max),
        Bound::Repeats => budget.highest_repeat >= limits.max_repeats_per_call,
        Bound::Messages => false, // counted where a message is added, not spent over time
    };
    asked.iter().copied().find(reached)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(text: &str) -> Result<TurnLimits, Fault> {
        TurnLimits::resolve(&Json::parse(text).unwrap())
    }

    #[test]
    fn l1_limits_are_positive_whole_numbers() {
        for bad in [
            r#"{"maxIterations":0}"#,
            r#"{"maxIterations":-1}"#,
            r#"{"maxIterations":0.5}"#,
            r#"{"maxIterations":1e300}"#,
            r#"{"maxIterations":null}"#,
            r#"{"maxIterations":"8"}"#,
            r#"{"maxIteration":8}"#,
            r#"{"approvalTtlMs":0}"#,
            r#"{"maxArgumentDepth":65}"#,
            "[]",
        ] {
            assert!(resolve(bad).is_err(), "{bad}");
        }
        let fault = resolve(r#"{"maxIterations":0.5}"#).unwrap_err();
        assert_eq!((fault.code, fault.path.as_str()), ("invalid_limits", "limits.maxIterations"));
        let limits = resolve(r#"{"maxIterations":2,"maxRetriesPerTurn":0,"maxTotalTokens":null}"#).unwrap();
        assert_eq!((limits.max_iterations, limits.max_retries_per_turn, limits.max_total_tokens), (2, 0, None));
    }

    #[test]
    fn l1_the_first_exhausted_bound_is_named_in_fixed_order() {
        let limits = TurnLimits { max_total_tokens: Some(10), max_cost_micros: Some(5), ..TurnLimits::default() };
        let mut budget = TurnBudget {
            iterations_started: 8,
            calls_opened: 32,
            retries_used: 3,
            input_tokens: 4,
            output_tokens: 6,
            cost_micros: 5,
            highest_repeat: 3,
            ..TurnBudget::default()
        };
        let now = 300_000;
        for (bound, clear) in [
            (Bound::Iterations, (|b| b.iterations_started = 7) as fn(&mut TurnBudget)),
            (Bound::ToolCalls, |b| b.calls_opened = 31),
            (Bound::Retries, |b| b.retries_used = 2),
            (Bound::Deadline, |b| b.paused_ms = 1),
            (Bound::Tokens, |b| b.output_tokens = 5),
            (Bound::Cost, |b| b.cost_micros = 4),
            (Bound::Repeats, |b| b.highest_repeat = 2),
        ] {
            assert_eq!(budget_exhaustion(&budget, &limits, now), Some(bound));
            clear(&mut budget);
        }
        assert_eq!(budget_exhaustion(&budget, &limits, now), None);
    }

    #[test]
    fn l4_the_clock_stands_while_the_person_thinks() {
        let budget = TurnBudget { started_at_ms: 100, paused_ms: 50, paused_since_ms: Some(1000), ..TurnBudget::default() };
        assert_eq!(budget.worked_ms(900_000), 850);
        assert_eq!(budget.worked_ms(0), 0);
    }
}
