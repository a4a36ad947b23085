//! Stories of a loop that need counting, altered snapshots, two loops or a core tool.

use std::collections::BTreeSet;
use std::sync::Arc;

use countersign::document::outcome::TurnStanding;
use countersign::protocol::call::{CallErrorCode, CallStatus, ToolEffect, TurnOutcome, TurnPhase};
use countersign::protocol::command::{ToolOutcome, ToolResult};
use countersign::protocol::effect::{Effect, RunsOn};
use countersign::protocol::ids::{CallId, EffectId};
use countersign::protocol::json::Json;
use countersign::protocol::update::Update;
use countersign::tool_loop::{LoopOptions, ToolLoop};
use countersign::tools::core_tool::CoreTool;
use countersign::tools::declaration::ToolDeclaration;
use countersign::tools::registry::ToolRegistry;

use crate::player::{Player, sse, store_of, tools_of};
use crate::turn::{advance, input, json, start_call, submit};

const ALPHA: &str = r#"{"id":"a","title":"A"}"#;

fn keys(player: &Player) -> Vec<String> {
    player
        .effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Execute { idempotency_key, .. } => Some(idempotency_key.clone()),
            _ => None,
        })
        .collect()
}

/// Plays one approved mail in a conversation; says the idempotency key of its run.
fn key_of(conversation: &str, id: &str, to: &str) -> String {
    let mut player = Player::with(&format!(r#"{{"tools":["send"],"options":{{"conversationId":"{conversation}"}}}}"#));
    player.tell(r#"{"type":"submit","text":"x","nowMs":1}"#).model(&sse(&[], &[(id, "send", &format!(r#"{{"to":"{to}"}}"#))], "tool_use"));
    player.tell(&format!(r#"{{"type":"approveCall","callId":"{id}"}}"#));
    keys(&player)[0].clone()
}

#[test]
fn g11_an_idempotency_key_names_one_run() {
    let key = key_of("k", "c1", "x");
    assert_eq!(key, key_of("k", "c1", "x"), "the same run again has the same key");
    let others: BTreeSet<String> = [key.clone(), key_of("l", "c1", "x"), key_of("k", "c2", "x"), key_of("k", "c1", "y")].into();
    assert_eq!(others.len(), 4, "conversation, call and input are part of it");
    // and the turn
    let mut player = Player::with(r#"{"tools":["send"],"options":{"conversationId":"k"}}"#);
    for now in [1, 2] {
        player.tell(&format!(r#"{{"type":"submit","text":"x","nowMs":{now}}}"#)).model(&sse(
            &[],
            &[("c1", "send", r#"{"to":"x"}"#)],
            "tool_use",
        ));
        let id = if now == 1 { "c1" } else { "c2_1_1" };
        player.tell(&format!(r#"{{"type":"approveCall","callId":"{id}"}}"#));
        player.tell(&format!(r#"{{"type":"callSettled","callId":"{id}","outcome":{{"status":"ok","result":"sent"}}}}"#));
        player.model(&sse(&["done"], &[], "end_turn"));
    }
    let keys = keys(&player);
    assert!(keys.len() == 2 && keys[0] != keys[1]);
}

#[test]
fn g7_an_external_call_whose_outcome_is_unknown_is_not_run_again_by_the_machine() {
    let mut player = Player::with(r#"{"tools":["send"],"options":{"conversationId":"k"}}"#);
    player.tell(r#"{"type":"submit","text":"x","nowMs":1}"#).model(&sse(&[], &[("c1", "send", r#"{"to":"x"}"#)], "tool_use"));
    player.tell(r#"{"type":"approveCall","callId":"c1"}"#);
    player.tell(r#"{"type":"callSettled","callId":"c1","outcome":{"status":"unknown","detail":"socket closed"}}"#);
    assert_eq!(keys(&player).len(), 1);
    assert_eq!(player.state().calls.find(&CallId::from("c1")).unwrap().status, CallStatus::Unknown);
    // the model may ask for it again: that asks the person again
    player.model(&sse(&[], &[("c2", "send", r#"{"to":"x"}"#)], "tool_use"));
    assert_eq!(player.state().phase, TurnPhase::AwaitingApproval);
    assert!(!serde_json::to_string(&player.state()).unwrap().contains("socket closed"), "g6");
}

#[test]
fn s1_s2_a_damaged_or_newer_snapshot_is_a_clear_error() {
    let mut player = Player::with(r#"{"tools":["rename","find"],"document":"two"}"#);
    player.tell(r#"{"type":"submit","text":"x","nowMs":1}"#);
    player.model(&sse(&["Let me"], &[("c1", "rename", ALPHA), ("c2", "find", r#"{"q":"x"}"#)], "tool_use"));
    let text = player.tool_loop.snapshot();
    let restore = |text: &str| {
        ToolLoop::restore(text, &json("{}"), tools_of(Some(&json(r#"["rename","find"]"#))), None).map(|_| ()).map_err(|fault| fault.code)
    };
    assert_eq!(restore(&text), Ok(()));
    assert_eq!(restore(&text.replacen("\"version\":1", "\"version\":2", 1)), Err("unsupported_snapshot"));
    for end in (0..text.len()).step_by(37) {
        assert_eq!(restore(&text[..end]), Err("invalid_snapshot"), "cut at {end}");
    }
    // a call whose block is gone, an answer nobody asked for, a turn of another conversation
    assert_eq!(
        restore(&text.replacen("\"type\":\"tool_call\",\"id\":\"c1\"", "\"type\":\"tool_call\",\"id\":\"cX\"", 1)),
        Err("invalid_snapshot")
    );
    assert_eq!(restore(&text.replace("\"answeredCalls\":0", "\"answeredCalls\":1")), Err("invalid_snapshot"));
    assert_eq!(restore(&text.replacen("\"turnId\":\"t1\"", "\"turnId\":\"t9\"", 1)), Err("invalid_snapshot"));
    assert!(restore("[]").is_err() && restore("null").is_err() && restore("").is_err());
}

#[test]
fn s2_a_forged_snapshot_authorizes_nothing() {
    let mut player = Player::with(r#"{"tools":["rename","remove"]}"#);
    player.tell(r#"{"type":"submit","text":"x","nowMs":1}"#).model(&sse(
        &[],
        &[("c1", "rename", ALPHA), ("c2", "remove", r#"{"id":"a"}"#)],
        "tool_use",
    ));
    player.tell(r#"{"type":"approveCall","callId":"c1"}"#);
    // the live state, grant and all, in place of what a snapshot writes; everything it can claim is claimed
    let live = serde_json::to_string(&player.state()).unwrap();
    let forged_call = live
        .replace("\"status\":\"pending\"", "\"status\":\"approved\"")
        .replace("\"effect\":\"mutate\"", "\"effect\":\"read\"")
        .replace("\"destructive\":true", "\"destructive\":false")
        .replace("\"phase\":\"awaiting_approval\"", "\"phase\":\"executing\"");
    let mut snapshot = json(&player.tool_loop.snapshot());
    for state in [live, forged_call] {
        snapshot.as_object_mut().unwrap().insert("state", json(&state));
        let mut restored =
            ToolLoop::restore(&snapshot.to_text(), &json("{}"), tools_of(Some(&json(r#"["rename","remove"]"#))), None).unwrap();
        assert!(restored.state().grants.is_empty() && restored.pending().is_empty());
        assert!(restored.state().calls.iter().all(|call| call.status == CallStatus::Pending && call.effect == ToolEffect::Mutate));
        assert!(restored.state().calls.find(&CallId::from("c2")).unwrap().destructive, "the declaration says what it is");
    }
}

#[test]
fn s2_tools_that_changed_meanwhile_judge_anew() {
    let mut player = Player::with(r#"{"tools":["rename","find"]}"#);
    player.tell(r#"{"type":"submit","text":"x","nowMs":1}"#).model(&sse(
        &[],
        &[("c1", "rename", ALPHA), ("c2", "find", r#"{"q":"x"}"#)],
        "tool_use",
    ));
    let text = player.tool_loop.snapshot();
    let restored = |tools: &str| {
        let mut restored = ToolLoop::restore(&text, &json("{}"), tools_of(Some(&json(tools))), None).unwrap();
        let call = |id: &str| restored.state().calls.find(&CallId::from(id)).map(|call| (call.status, call.error_code)).unwrap();
        let mut call = call;
        (call("c1"), call("c2"))
    };
    let gone = restored(r#"["find"]"#);
    assert_eq!(gone.0, (CallStatus::Failed, Some(CallErrorCode::UnknownTool)));
    assert_eq!(gone.1, (CallStatus::Running, None), "the reading goes on");
    let narrower =
        restored(r#"[{"name":"rename","description":"d","inputSchema":{"type":"object","properties":{"id":{"type":"integer"}}}},"find"]"#);
    assert_eq!(narrower.0, (CallStatus::Failed, Some(CallErrorCode::InvalidArguments)));
    // what was a reading asks now
    let tighter = restored(r#"["rename",{"name":"find","description":"d","inputSchema":{"type":"object"}}]"#);
    assert_eq!(tighter, ((CallStatus::Pending, None), (CallStatus::Pending, None)));
}

#[test]
fn e2_deeply_nested_input_that_was_refused_does_not_spoil_the_snapshot() {
    for depth in [60, 100, 120, 126] {
        let mut player = Player::with(r#"{"tools":["find"]}"#);
        player.tell(r#"{"type":"submit","text":"x","nowMs":1}"#);
        let value = format!("{}1{}", r#"{"q":"#.repeat(depth), "}".repeat(depth));
        let told = countersign::protocol::command::TurnInput::Event {
            event: countersign::protocol::event::StreamEvent::ToolCallComplete {
                id: "c1".to_owned(),
                name: "find".to_owned(),
                input: json(&value),
                invalid: None,
                provider_id: None,
            },
            now_ms: None,
        };
        let _ = player.tool_loop.dispatch(told, None);
        let _ = player.tool_loop.dispatch(crate::turn::stop("tool_use"), None);
        let text = player.tool_loop.snapshot();
        let restored = ToolLoop::restore(&text, &json("{}"), tools_of(Some(&json(r#"["find"]"#))), None);
        assert!(restored.is_ok(), "{depth}: {:?}", restored.err());
    }
}

/// A tool of the core that changes or reads the board.
struct Core(ToolEffect);

impl CoreTool for Core {
    fn declaration(&self) -> ToolDeclaration {
        let name = if self.0 == ToolEffect::Read { "core_read" } else { "core_clear" };
        ToolDeclaration { effect: self.0, runs_on: RunsOn::Core, ..ToolDeclaration::new(name, "d", json(r#"{"type":"object"}"#)) }
    }

    fn run(&self, document: &Json, input: &Json) -> ToolOutcome {
        match self.0 {
            ToolEffect::Read => ToolOutcome::Ok { result: ToolResult::Json(document.clone()), document: None, patch: None },
            ToolEffect::Mutate if input.get("fail").is_some() => {
                ToolOutcome::Error { result: "no such card".to_owned(), code: None, detail: None }
            }
            ToolEffect::Mutate => {
                ToolOutcome::Ok { result: ToolResult::Text("cleared".to_owned()), document: Some(json(r#"{"cards":[]}"#)), patch: None }
            }
        }
    }
}

fn core_tools() -> ToolRegistry {
    let core: Vec<Arc<dyn CoreTool>> = vec![Arc::new(Core(ToolEffect::Read)), Arc::new(Core(ToolEffect::Mutate))];
    ToolRegistry::new(core.iter().map(|tool| tool.declaration()).collect(), &core).unwrap()
}

#[test]
fn x1_core_tools_run_inside_and_commit_as_one_step() {
    let store = store_of(&json(r#"{"document":"two"}"#)).unwrap();
    let mut one = ToolLoop::new(LoopOptions { trace_turn: true, ..LoopOptions::default() }, core_tools(), Some(store.clone())).unwrap();
    let mut told = |text: &str| one.dispatch(input(text), None);
    let _ = told(r#"{"type":"submit","text":"x","nowMs":1}"#);
    let _ = told(r#"{"type":"tool_call_complete","id":"c1","name":"core_read","input":{}}"#);
    let _ = told(r#"{"type":"tool_call_complete","id":"c2","name":"core_clear","input":{}}"#);
    let _ = told(r#"{"type":"tool_call_complete","id":"c3","name":"core_clear","input":{"fail":true}}"#);
    let _ = told(r#"{"type":"message_stop","stopReason":"tool_use"}"#);
    assert_eq!(store.revision(), 1, "nothing runs beside a card");
    let outcome = one.dispatch(input(r#"{"type":"approveBatch","callIds":["c2","c3"]}"#), None);
    assert!(
        outcome.effects.iter().all(|effect| matches!(effect, Effect::Request { .. })),
        "the host runs none of it: {:?}",
        outcome.effects
    );
    assert!(outcome.updates.iter().any(|update| matches!(update, Update::Document { revision: 2, .. })));
    assert_eq!(store.read(), json(r#"{"cards":[]}"#));
    let statuses: Vec<CallStatus> = one.state().calls.iter().map(|call| call.status).collect();
    assert_eq!(statuses, [CallStatus::Succeeded, CallStatus::Succeeded, CallStatus::Failed]);
    assert_eq!((store.history().len(), one.undo_availability()), (1, TurnStanding::Undoable));
}

#[test]
fn c3_another_loops_commit_counts_as_a_users_edit() {
    let store = store_of(&json(r#"{"document":"two"}"#)).unwrap();
    let loop_of = |conversation: &str| {
        ToolLoop::new(
            LoopOptions { conversation_id: Some(conversation.to_owned()), ..LoopOptions::default() },
            core_tools(),
            Some(store.clone()),
        )
        .unwrap()
    };
    let (mut one, mut two) = (loop_of("one"), loop_of("two"));
    for each in [&mut one, &mut two] {
        let _ = each.dispatch(submit(1), None);
        let _ = each.dispatch(input(r#"{"type":"tool_call_complete","id":"c1","name":"core_clear","input":{}}"#), None);
        let _ = each.dispatch(input(r#"{"type":"message_stop","stopReason":"tool_use"}"#), None);
    }
    let seen = |each: &mut ToolLoop| each.state().calls.iter().next().unwrap().preview.clone().unwrap().effect_digest;
    let (seen_one, seen_two) = (seen(&mut one), seen(&mut two));
    let click = |seen: &str| input(&format!(r#"{{"type":"approveCall","callId":"c1","seen":"{seen}"}}"#));
    let _ = one.dispatch(click(&seen_one), None);
    assert_eq!(store.revision(), 2);
    // the card of the other loop showed what is gone
    let outcome = two.dispatch(click(&seen_two), None);
    assert!(outcome.updates.iter().any(|update| matches!(update, Update::Refused { .. })));
    assert_eq!(two.state().phase, TurnPhase::AwaitingApproval);
}

#[test]
fn t2_a_host_cannot_drive_the_loop_where_only_the_loop_may() {
    let mut player = Player::with(r#"{"tools":["rename"]}"#);
    player.tell(r#"{"type":"submit","text":"x","nowMs":1}"#).model(&sse(&[], &[("c1", "rename", ALPHA)], "tool_use"));
    for told in [
        start_call("c1"),
        advance(),
        input(r#"{"type":"retry"}"#),
        input(r#"{"type":"redoTurn"}"#),
        input(r#"{"type":"toolsChanged","toolNames":["rename"]}"#),
    ] {
        let before = player.state();
        let outcome = player.tool_loop.dispatch(told.clone(), None);
        assert!(matches!(outcome.updates[..], [Update::Refused { .. }]) && outcome.effects.is_empty(), "{told:?}");
        assert_eq!(before, player.state());
    }
}

#[test]
fn x5_a_result_needs_its_own_effect_id() {
    let mut player = Player::with(r#"{"tools":["find"]}"#);
    player.tell(r#"{"type":"submit","text":"x","nowMs":1}"#).model(&sse(
        &[],
        &[("c1", "find", r#"{"q":"1"}"#), ("c2", "find", r#"{"q":"2"}"#)],
        "tool_use",
    ));
    let settle = input(r#"{"type":"callSettled","callId":"c1","outcome":{"status":"ok","result":"r"}}"#);
    for wrong in ["t1.e1", "t1.e3", "t9.e2", ""] {
        let before = player.state();
        let outcome = player.tool_loop.dispatch(settle.clone(), Some(&EffectId::from(wrong)));
        assert!(outcome.updates.iter().any(|update| matches!(update, Update::Refused { .. })), "{wrong}");
        assert_eq!(crate::turn::without_violations(&before), crate::turn::without_violations(&player.state()));
    }
    let _ = player.tool_loop.dispatch(settle.clone(), Some(&EffectId::from("t1.e2")));
    assert_eq!(player.state().calls.find(&CallId::from("c1")).unwrap().status, CallStatus::Succeeded);
}

#[test]
fn t13_a_flood_of_stale_bytes_and_late_results_costs_nothing() {
    let mut player = Player::with(r#"{"tools":["find"]}"#);
    player.tell(r#"{"type":"submit","text":"x","nowMs":1}"#).tell(r#"{"type":"cancel"}"#);
    let late = input(r#"{"type":"callSettled","callId":"c1","outcome":{"status":"ok","result":"r"}}"#);
    for _ in 0..5000 {
        let outcome = player.tool_loop.feed(&EffectId::from("t1.e1"), b"data: {}\n\n", None);
        assert_eq!((outcome.updates.len(), outcome.effects.len()), (1, 0));
        let _ = player.tool_loop.dispatch(late.clone(), None);
    }
    assert!(player.tool_loop.snapshot().len() < 12_000);
    assert_eq!(player.state().outcome, Some(TurnOutcome::Cancelled));
}

#[test]
fn e2_absurd_counts_and_times_can_be_laid_down_and_taken_up() {
    let most = 9_007_199_254_740_991u64;
    let mut player = Player::with(
        r#"{"tools":["rename","find"],"options":{"limits":{"approvalTtlMs":9007199254740991,"turnDeadlineMs":9007199254740991},"prices":{"inputMicrosPerToken":1e9,"outputMicrosPerToken":1}}}"#,
    );
    player.tell(&format!(r#"{{"type":"submit","text":"x","nowMs":{}}}"#, most - 1));
    let usage = format!(r#"{{"type":"usage","usage":{{"inputTokens":{most},"outputTokens":{most}}}}}"#);
    player.tell(r#"{"type":"error","error":{"code":"rate_limited","message":"slow","retryAfterMs":1e300}}"#);
    assert_eq!(player.fact("notBeforeMs"), Json::from(most as f64));
    player.tell(&usage).tell(r#"{"type":"tool_call_complete","id":"c1","name":"find","input":{"q":"x"}}"#);
    player.tell(r#"{"type":"message_stop","stopReason":"tool_use"}"#);
    player.tell(r#"{"type":"callSettled","callId":"c1","outcome":{"status":"ok","result":"r"}}"#).tell(&usage);
    player.tell(&format!(r#"{{"type":"tool_call_complete","id":"c2","name":"rename","input":{ALPHA}}}"#));
    player.tell(r#"{"type":"message_stop","stopReason":"tool_use"}"#).tell(r#"{"type":"approveCall","callId":"c2"}"#);
    assert_eq!(player.fact("tokens"), Json::from(vec![Json::from(most as f64), Json::from(most as f64)]));
    player.step(&json(r#"{"restore":{}}"#));
}
