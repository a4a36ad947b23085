//! T: the turn is a pure reducer.

use countersign::protocol::call::{Bound, CallErrorCode, CallStatus, DenialReason, TurnOutcome, TurnPhase, TurnViolation};
use countersign::protocol::error::ProtocolErrorCode;
use countersign::turn::{TurnLimits, reduce_turn};

use crate::turn::{
    Turn, advance, answer, approve, batch, call, cancel, deny, error, input, registry, settled, start, start_call, stop, submit, text,
    tick, without_violations,
};

const ALPHA: &str = r#"{"id":"a","title":"A"}"#;
const BETA: &str = r#"{"id":"b","title":"B"}"#;

/// One turn at rest in each phase, with a name.
fn one_in_each_phase() -> Vec<(&'static str, Turn)> {
    let names = ["find", "rename", "remove", "send"];
    let mut idle = Turn::asked(&names);
    idle.state = countersign::turn::idle_turn(Default::default(), &idle.tools);
    let requesting = Turn::asked(&names);
    let mut streaming = Turn::asked(&names);
    streaming.tell(start()).tell(text("I"));
    let mut awaiting = Turn::asked(&names);
    awaiting.model(&[("c1", "rename", ALPHA), ("c2", "find", r#"{"q":"x"}"#)]);
    let mut executing = Turn::asked(&names);
    executing.model(&[("c1", "rename", ALPHA)]).tell(approve("c1"));
    let mut running = Turn::asked(&names);
    running.model(&[("c1", "rename", ALPHA)]).tell(approve("c1")).tell(start_call("c1"));
    let mut over = Turn::asked(&names);
    over.model(&[]);
    vec![
        ("idle", idle),
        ("requesting", requesting),
        ("streaming", streaming),
        ("awaiting_approval", awaiting),
        ("executing", executing),
        ("running", running),
        ("settled", over),
    ]
}

#[test]
fn t1_time_comes_in_as_now_ms_and_never_moves_backwards() {
    let mut turn = Turn::asked(&["rename"]);
    turn.tell(tick(5000));
    assert_eq!(turn.state.clock_ms, 5000);
    turn.tell(tick(10)).tell(input(r#"{"type":"text_delta","text":"x","nowMs":4999}"#));
    assert_eq!(turn.state.clock_ms, 5000);
}

#[test]
fn t1_results_are_the_same_byte_for_byte() {
    for (name, turn) in one_in_each_phase() {
        for told in
            [start(), text("x"), stop("tool_use"), approve("c1"), deny("c1"), start_call("c1"), settled("c1", "r"), cancel(), tick(9)]
        {
            let once = reduce_turn(turn.state.clone(), told.clone(), &turn.tools).unwrap();
            let twice = reduce_turn(turn.state.clone(), told.clone(), &turn.tools).unwrap();
            assert_eq!(serde_json::to_string(&once).unwrap(), serde_json::to_string(&twice).unwrap(), "{name}: {told:?}");
        }
    }
}

#[test]
fn t1_a_state_and_another_registry_are_refused_together() {
    let turn = Turn::asked(&["rename"]);
    let fault = reduce_turn(turn.state.clone(), cancel(), &registry(&["rename", "find"])).unwrap_err();
    assert_eq!(fault.code, "tools_mismatch");
}

#[test]
fn t2_a_runner_may_only_ask() {
    let mut turn = Turn::asked(&["rename"]);
    turn.model(&[("c1", "rename", ALPHA)]);
    // a call nobody approved does not run, whatever the runner asks
    turn.refuses(start_call("c1")).refuses(settled("c1", "done"));
    assert_eq!(turn.status("c1"), CallStatus::Pending);
}

#[test]
fn t3_the_phases_of_a_turn_in_order() {
    let mut turn = Turn::idle(registry(&["find", "rename"]), TurnLimits::default());
    let mut seen = vec![turn.phase()];
    for told in [
        submit(1),
        start(),
        call("c1", "rename", ALPHA),
        stop("tool_use"),
        approve("c1"),
        start_call("c1"),
        settled("c1", "ok"),
        advance(),
        text("done"),
        stop("end_turn"),
    ] {
        turn.tell(told);
        if seen.last() != Some(&turn.phase()) {
            seen.push(turn.phase());
        }
    }
    use TurnPhase::{AwaitingApproval, Executing, Idle, Requesting, Settled, Streaming};
    assert_eq!(seen, [Idle, Requesting, Streaming, AwaitingApproval, Executing, Requesting, Streaming, Settled]);
}

#[test]
fn t3_retry_is_legal_in_requesting_alone_and_stop_wherever_something_runs() {
    for (name, mut turn) in one_in_each_phase() {
        if turn.phase() == TurnPhase::Requesting {
            turn.tell(input(r#"{"type":"retry"}"#));
            assert_eq!((turn.state.budget.retries_used, turn.state.budget.requests_started), (1, 2));
        } else {
            turn.refuses(input(r#"{"type":"retry"}"#));
        }
        let live = turn.state.is_live();
        if live {
            turn.tell(cancel());
            assert_eq!(turn.state.outcome, Some(TurnOutcome::Cancelled), "{name}");
        } else {
            turn.refuses(cancel());
        }
    }
}

#[test]
fn t4_calls_decide_whether_the_turn_goes_on_not_the_stop_reason() {
    for reason in ["end_turn", "tool_use", "max_tokens", "stop_sequence", "refusal", "unknown"] {
        let mut turn = Turn::asked(&["find"]);
        turn.tell_all([start(), call("c1", "find", r#"{"q":"x"}"#), stop(reason)]);
        assert_eq!(turn.phase(), TurnPhase::Executing, "{reason}");
        let mut turn = Turn::asked(&["find"]);
        turn.tell_all([start(), text("x"), stop(reason)]);
        assert_eq!(turn.state.outcome, Some(TurnOutcome::Completed), "{reason}");
        let tells = matches!(reason, "tool_use" | "max_tokens" | "refusal");
        assert_eq!(turn.state.notice.is_some(), tells, "{reason}: {:?}", turn.state.notice);
    }
}

#[test]
fn t4_a_cut_call_never_runs() {
    let mut turn = Turn::asked(&["find"]);
    turn.tell_all([
        start(),
        input(r#"{"type":"tool_call_complete","id":"c1","name":"find","input":{},"invalid":"the arguments were cut"}"#),
        stop("max_tokens"),
    ]);
    assert_eq!((turn.status("c1"), turn.call("c1").error_code), (CallStatus::Failed, Some(CallErrorCode::InvalidArguments)));
    turn.refuses(start_call("c1")).tell(advance());
    assert!(answer(&turn.state, "c1").contains("the arguments were cut"));
}

#[test]
fn t5_an_announced_call_is_no_call() {
    let mut turn = Turn::asked(&["rename"]);
    turn.tell_all([
        start(),
        input(r#"{"type":"tool_call_start","id":"c1","name":"rename"}"#),
        input(r#"{"type":"tool_call_input_delta","id":"c1","partialJson":"{\"id\":\"a\",\"title\":\"A\"}"}"#),
    ]);
    assert!(turn.state.calls.is_empty());
    turn.tell(cancel());
    assert_eq!(turn.shape(), ["user: text"], "nothing of it is kept, and no empty message");
}

#[test]
fn t6_every_opened_call_is_answered_once_in_order_in_one_message() {
    // denied, unknown, invalid, cut, over the cap, failed and succeeded: all of one message
    let mut turn = Turn::asked_with(&["find", "rename", "remove"], TurnLimits { max_tool_calls_per_iteration: 6, ..TurnLimits::default() });
    turn.tell_all([
        start(),
        text("Let me."),
        call("c1", "rename", ALPHA),
        call("c2", "nothing", "{}"),
        call("c3", "find", r#"{"p":1}"#),
        input(r#"{"type":"tool_call_complete","id":"c4","name":"find","input":{},"invalid":"cut"}"#),
        call("c5", "find", r#"{"q":"x"}"#),
        call("c6", "rename", BETA),
        call("c7", "remove", r#"{"id":"a"}"#),
        stop("tool_use"),
        deny("c1"),
        approve("c6"),
        start_call("c5"),
        input(r#"{"type":"callSettled","callId":"c5","outcome":{"status":"error","result":"no index"}}"#),
        start_call("c6"),
        settled("c6", "renamed"),
    ]);
    assert_eq!(turn.shape(), ["user: text", "assistant: text, call c1, call c2, call c3, call c4, call c5, call c6, call c7"]);
    turn.tell(advance());
    assert_eq!(turn.shape().last().unwrap(), "user: result! c1, result! c2, result! c3, result! c4, result! c5, result c6, result! c7");
    turn.tell(cancel());
    assert_eq!(turn.shape().len(), 3, "what was answered is not answered again");
}

#[test]
fn t6_a_turn_that_ends_early_answers_what_was_opened() {
    for end in [cancel(), error("transport"), input(r#"{"type":"aborted"}"#), tick(301_000)] {
        let mut turn = Turn::asked(&["find", "rename"]);
        turn.tell_all([start(), call("c1", "rename", ALPHA), call("c2", "find", r#"{"q":"x"}"#), end.clone()]);
        assert_eq!(turn.phase(), TurnPhase::Settled);
        assert_eq!(turn.shape(), ["user: text", "assistant: call c1, call c2", "user: result! c1, result! c2"], "{end:?}");
    }
}

#[test]
fn t7_nothing_but_undo_and_redo_moves_a_settled_turn() {
    let mut turn = Turn::asked(&["rename", "find"]);
    turn.model(&[("c1", "rename", ALPHA), ("c2", "rename", BETA), ("c3", "find", r#"{"q":"x"}"#)]);
    turn.tell(batch(&["c1", "c2"])).run("c1", "ok").run("c2", "ok").run("c3", "none").tell(advance()).model(&[]);
    assert_eq!(turn.state.outcome, Some(TurnOutcome::Completed));
    let before = without_violations(&turn.state);
    let late = [
        submit(9),
        start(),
        text("x"),
        call("c9", "rename", ALPHA),
        stop("tool_use"),
        error("transport"),
        input(r#"{"type":"aborted"}"#),
        approve("c1"),
        batch(&["c1"]),
        deny("c1"),
        start_call("c1"),
        settled("c1", "again"),
        advance(),
        input(r#"{"type":"retry"}"#),
        tick(999_999),
        cancel(),
        input(r#"{"type":"documentEdited","documentRevision":9}"#),
        input(r#"{"type":"usage","usage":{"inputTokens":1,"outputTokens":1}}"#),
        input(r#"{"type":"callProgress","callId":"c1","label":"x"}"#),
    ];
    for (at, one) in late.iter().enumerate() {
        turn.refuses(one.clone());
        assert_eq!(turn.violations(TurnViolation::PostSettlementEvent), at as u64 + 1);
    }
    assert_eq!(before, without_violations(&turn.state));
    turn.tell(input(r#"{"type":"undoTurn"}"#));
    let statuses = |turn: &Turn| [turn.status("c1"), turn.status("c2"), turn.status("c3")];
    assert_eq!(statuses(&turn), [CallStatus::Undone, CallStatus::Undone, CallStatus::Succeeded], "a reading has nothing to take back");
    turn.refuses(input(r#"{"type":"undoTurn"}"#));
    turn.tell(input(r#"{"type":"redoTurn"}"#));
    assert_eq!(statuses(&turn), [CallStatus::Succeeded; 3]);
}

#[test]
fn t7_undo_flips_only_calls_with_a_document_effect() {
    let mut turn = Turn::asked(&["rename", "send"]);
    turn.model(&[("c1", "rename", ALPHA), ("c2", "send", r#"{"to":"x"}"#), ("c3", "rename", BETA)]);
    turn.tell(batch(&["c1", "c2", "c3"])).run("c1", "ok").run("c2", "sent");
    turn.tell(start_call("c3")).tell(input(r#"{"type":"callSettled","callId":"c3","outcome":{"status":"ok","result":"same","patch":[]}}"#));
    turn.tell(advance()).model(&[]).tell(input(r#"{"type":"undoTurn"}"#));
    assert_eq!(
        [turn.status("c1"), turn.status("c2"), turn.status("c3")],
        [CallStatus::Undone, CallStatus::Succeeded, CallStatus::Succeeded],
        "a mail cannot be taken back, and what changed nothing has nothing to take back"
    );
}

#[test]
fn t8_a_failure_of_the_provider_keeps_what_arrived_and_stop_is_no_error() {
    for code in ["http_status", "rate_limited", "overloaded", "transport", "truncated_stream", "protocol_violation", "limit_exceeded"] {
        let mut turn = Turn::asked(&["rename"]);
        turn.tell_all([start(), text("half an ans"), call("c1", "rename", ALPHA), error(code)]);
        assert_eq!(turn.state.outcome, Some(TurnOutcome::Failed), "{code}");
        assert_eq!(serde_json::to_value(turn.state.error.as_ref().unwrap().code).unwrap(), code);
        assert_eq!(turn.shape(), ["user: text", "assistant: text, call c1", "user: result! c1"]);
    }
    for end in [cancel(), input(r#"{"type":"aborted"}"#)] {
        let mut turn = Turn::asked(&["rename"]);
        turn.tell_all([start(), text("half"), end]);
        assert_eq!((turn.state.outcome, turn.state.error.is_none()), (Some(TurnOutcome::Cancelled), true));
        assert_eq!(turn.shape(), ["user: text", "assistant: text"]);
    }
}

#[test]
fn t10_t11_every_input_in_every_phase_acts_or_is_refused_without_a_trace() {
    let all = [
        submit(2000),
        start(),
        text("x"),
        input(r#"{"type":"reasoning_delta","text":"hm"}"#),
        input(r#"{"type":"tool_call_start","id":"n","name":"find"}"#),
        input(r#"{"type":"tool_call_input_delta","id":"n","partialJson":"{"}"#),
        call("n1", "find", r#"{"q":"y"}"#),
        input(r#"{"type":"provider_state","provider":"anthropic","value":{"a":1}}"#),
        input(r#"{"type":"usage","usage":{"inputTokens":1,"outputTokens":1}}"#),
        stop("tool_use"),
        error("transport"),
        error("malformed_stream"),
        input(r#"{"type":"aborted"}"#),
        approve("c1"),
        approve("zz"),
        batch(&["c1", "zz"]),
        batch(&[]),
        deny("c1"),
        deny("zz"),
        start_call("c1"),
        start_call("zz"),
        settled("c1", "r"),
        settled("zz", "r"),
        input(r#"{"type":"callProgress","callId":"c1","label":"x","fraction":0.5}"#),
        advance(),
        input(r#"{"type":"retry"}"#),
        tick(2000),
        cancel(),
        input(r#"{"type":"documentEdited","documentRevision":3}"#),
        input(r#"{"type":"toolsChanged","toolNames":["rename"]}"#),
        input(r#"{"type":"undoTurn"}"#),
        input(r#"{"type":"redoTurn"}"#),
    ];
    for told in &all {
        for (name, mut turn) in one_in_each_phase() {
            let before = without_violations(&turn.state);
            turn.tell(told.clone());
            let moved = before != without_violations(&turn.state);
            // what did nothing must say so; some inputs have nothing to do in a phase they are legal in
            let quiet = matches!(
                told,
                countersign::protocol::command::TurnInput::Command(
                    countersign::protocol::command::TurnCommand::DocumentEdited { .. }
                        | countersign::protocol::command::TurnCommand::ToolsChanged { .. }
                        | countersign::protocol::command::TurnCommand::Tick { .. }
                )
            ) || *told == batch(&[]);
            let counted =
                matches!(told, countersign::protocol::command::TurnInput::Event { .. }) && matches!(name, "requesting" | "streaming");
            assert!(moved || turn.refused() || quiet || counted, "t11: {told:?} was lost in {name}");
        }
    }
}

#[test]
fn t11_a_batch_approves_what_it_may_and_reports_the_rest() {
    let mut turn = Turn::asked(&["rename", "remove", "find"]);
    turn.model(&[("c1", "rename", ALPHA), ("c2", "remove", r#"{"id":"a"}"#), ("c3", "find", r#"{"q":"x"}"#), ("c4", "rename", BETA)]);
    turn.tell(batch(&["c1", "c2", "c3", "zz", "c1"]));
    let reasons: Vec<String> = turn
        .changes
        .iter()
        .filter_map(|change| match change {
            countersign::turn::Change::Refused { call_id, reason, .. } => {
                Some(format!("{}: {}", call_id.as_ref().unwrap(), serde_json::to_value(reason).unwrap().as_str().unwrap()))
            }
            _ => None,
        })
        .collect();
    assert_eq!(reasons, ["c2: destructive_in_batch", "c3: not_pending", "zz: unknown_call", "c1: not_pending"]);
    assert_eq!([turn.status("c1"), turn.status("c2"), turn.status("c4")], [CallStatus::Approved, CallStatus::Pending, CallStatus::Pending]);
}

#[test]
fn t12_an_empty_assistant_message_is_dropped_at_settlement() {
    for end in [stop("end_turn"), cancel(), error("transport"), tick(400_000)] {
        let mut turn = Turn::asked(&["find"]);
        turn.tell_all([start(), end]);
        assert_eq!(turn.shape(), ["user: text"]);
    }
    // reasoning and announced calls are not content
    let mut turn = Turn::asked(&["find"]);
    turn.tell_all([input(r#"{"type":"reasoning_delta","text":"hm"}"#), input(r#"{"type":"text_delta","text":""}"#), stop("end_turn")]);
    assert_eq!(turn.shape(), ["user: text"]);
}

#[test]
fn t13_floods_cost_constant_memory() {
    let mut turn = Turn::asked(&["find"]);
    turn.model(&[]);
    let mut size = 0;
    for at in 0..10_000u32 {
        let late = if at % 2 == 0 { text("late") } else { settled("nobody", "late") };
        // straight to the reducer: the standing laws are asked once in a while
        if at % 500 == 0 {
            turn.tell(late);
        } else {
            let mut changes = countersign::turn::reduce::Changes::new();
            countersign::turn::reduce(&mut turn.state, late, &turn.tools, &mut changes);
        }
        if at == 100 {
            size = serde_json::to_string(&turn.state).unwrap().len();
        }
    }
    assert_eq!(turn.violations(TurnViolation::PostSettlementEvent), 10_000);
    assert_eq!(turn.state.violations.len(), 32);
    let grown = serde_json::to_string(&turn.state).unwrap().len() - size;
    assert!(grown < 16, "only the counter grows: {grown} bytes");
}

#[test]
fn t13_l2_a_flood_of_unknown_calls_is_answered_and_prepares_nothing() {
    let mut turn = Turn::asked(&["find"]);
    turn.tell(start());
    for at in 0..10_000u32 {
        let mut changes = countersign::turn::reduce::Changes::new();
        countersign::turn::reduce(&mut turn.state, call(&format!("u{at}"), &format!("invented{at}"), "{}"), &turn.tools, &mut changes);
    }
    assert_eq!(turn.state.calls.len(), 10_000);
    assert_eq!(turn.state.violations.len(), 32);
    assert_eq!(turn.violations(TurnViolation::UnknownTool), 12, "past the cap nothing is looked up");
    assert_eq!(turn.violations(TurnViolation::LimitExceeded), 9_988);
    assert!(turn.state.calls.iter().skip(12).all(|call| call.input_digest.is_empty() && call.result.as_ref().unwrap().len() < 100));
    turn.tell(cancel());
    assert_eq!(turn.state.messages.last().unwrap().content.len(), 10_000);
}

#[test]
fn t14_a_stop_without_a_start_and_a_second_message_settle_clearly() {
    for reason in ["end_turn", "tool_use", "max_tokens"] {
        let mut turn = Turn::asked(&["find"]);
        turn.tell(stop(reason));
        assert_eq!(turn.state.outcome, Some(TurnOutcome::Failed));
        assert_eq!(turn.state.error.as_ref().unwrap().code, ProtocolErrorCode::ProtocolViolation);
        assert_eq!(turn.state.budget.requests_started, 1);
    }
    let mut turn = Turn::asked(&["find"]);
    turn.tell(error("truncated_stream"));
    assert_eq!(turn.state.error.as_ref().unwrap().code, ProtocolErrorCode::ProtocolViolation, "an end without a start");
    let mut turn = Turn::asked(&["find"]);
    turn.tell_all([start(), text("one"), start()]);
    assert_eq!(turn.state.outcome, Some(TurnOutcome::Failed));
    assert_eq!(turn.state.error.as_ref().unwrap().code, ProtocolErrorCode::ProtocolViolation);
    assert_eq!(turn.shape(), ["user: text", "assistant: text"]);
}

#[test]
fn t14_content_without_a_start_is_an_implicit_start() {
    for content in [
        text("hi"),
        input(r#"{"type":"reasoning_delta","text":"hm"}"#),
        input(r#"{"type":"tool_call_start","id":"c1","name":"find"}"#),
        call("c1", "find", r#"{"q":"x"}"#),
        input(r#"{"type":"provider_state","provider":"anthropic","value":{}}"#),
    ] {
        let mut turn = Turn::asked(&["find"]);
        turn.tell(content.clone());
        assert_eq!(turn.phase(), TurnPhase::Streaming, "{content:?}");
        turn.tell(start());
        assert_eq!(turn.state.outcome, Some(TurnOutcome::Failed), "a start after content is a second message");
    }
    // neither a count of tokens nor a notice is content
    let mut turn = Turn::asked(&["find"]);
    turn.tell(input(r#"{"type":"usage","usage":{"inputTokens":1,"outputTokens":0}}"#)).tell(error("malformed_stream"));
    assert_eq!(turn.phase(), TurnPhase::Requesting);
}

#[test]
fn t14_every_terminal_error_settles_failed_in_the_reducer() {
    for before in [vec![], vec![start()], vec![start(), text("x")]] {
        for code in ["rate_limited", "overloaded", "transport", "http_status", "context_overflow", "cancelled"] {
            let mut turn = Turn::asked(&["find"]);
            turn.tell_all(before.clone()).tell(error(code));
            assert_eq!(turn.state.outcome, Some(TurnOutcome::Failed), "{code}");
        }
    }
}

#[test]
fn t16_end_states_of_calls_that_never_started() {
    use CallErrorCode::{ApprovalExpired, BudgetExhausted, Cancelled, Denied, Unauthorized};
    let limits = || TurnLimits { approval_ttl_ms: Some(5000), ..TurnLimits::default() };
    for (what, end, reason, code) in [
        ("cancel", cancel(), DenialReason::TurnCancelled, Cancelled),
        ("aborted", input(r#"{"type":"aborted"}"#), DenialReason::TurnCancelled, Cancelled),
        ("user", deny("c1"), DenialReason::UserDeclined, Denied),
        ("new message", submit(1500), DenialReason::Superseded, Denied),
        ("ttl", tick(6000), DenialReason::ApprovalExpired, ApprovalExpired),
    ] {
        let mut turn = Turn::asked_with(&["rename"], limits());
        turn.model(&[("c1", "rename", ALPHA)]).tell(end);
        let call = turn.call("c1");
        assert_eq!((call.status, call.denial_reason, call.error_code), (CallStatus::Denied, Some(reason), Some(code)), "{what}");
        assert!(call.is_error && call.result.is_some());
        if what == "new message" {
            assert_eq!(turn.state.outcome, Some(TurnOutcome::Cancelled));
        }
    }
    // approved, but the bound came first
    let mut turn = Turn::asked(&["rename"]);
    turn.model(&[("c1", "rename", ALPHA)]).tell(approve("c1")).tell(tick(301_000));
    let call = turn.call("c1");
    assert_eq!(
        (call.status, call.denial_reason, call.error_code),
        (CallStatus::Denied, Some(DenialReason::LimitExceeded), Some(BudgetExhausted))
    );
    assert_eq!((turn.state.outcome, turn.state.bound), (Some(TurnOutcome::Bounded), Some(Bound::Deadline)));
    // the policy
    let mut turn = Turn::asked(&["publish"]);
    turn.model(&[("c1", "publish", "{}")]);
    let call = turn.call("c1");
    assert_eq!(
        (call.status, call.denial_reason, call.error_code),
        (CallStatus::Denied, Some(DenialReason::Unauthorized), Some(Unauthorized))
    );
}

#[test]
fn t16_end_states_of_calls_that_ran() {
    use CallErrorCode::{Cancelled, OutcomeUnknown, Timeout};
    for (tool, arguments, end, status, code) in [
        ("rename", ALPHA, cancel(), CallStatus::Failed, Cancelled),
        ("rename", ALPHA, tick(31_000), CallStatus::Failed, Timeout),
        ("rename", ALPHA, tick(301_000), CallStatus::Failed, Timeout),
        ("send", r#"{"to":"x"}"#, cancel(), CallStatus::Unknown, OutcomeUnknown),
        ("send", r#"{"to":"x"}"#, tick(31_000), CallStatus::Unknown, OutcomeUnknown),
        ("send", r#"{"to":"x"}"#, tick(301_000), CallStatus::Unknown, OutcomeUnknown),
    ] {
        let mut turn = Turn::asked(&["rename", "send"]);
        turn.model(&[("c1", tool, arguments)]).tell(approve("c1")).tell(start_call("c1")).tell(end.clone());
        let call = turn.call("c1");
        assert_eq!((call.status, call.error_code, call.denial_reason), (status, Some(code), None), "{tool} {end:?}");
        let said = call.result.clone().unwrap();
        if status == CallStatus::Unknown {
            assert!(said.contains("reconcile before repeating"), "x6: {said}");
        } else {
            assert!(said.contains("interrupted") && said.contains("nothing of it was committed"), "{said}");
        }
    }
}
