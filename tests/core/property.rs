//! Any sequence of inputs, plausible and hostile: the laws of a step hold at every step.

use std::collections::BTreeMap;

use countersign::document::outcome::ChangeSource;
use countersign::protocol::call::{CallErrorCode, CallStatus};
use countersign::protocol::command::{ToolOutcome, ToolResult, TurnCommand, TurnInput};
use countersign::protocol::effect::Effect;
use countersign::protocol::error::{ProtocolError, ProtocolErrorCode};
use countersign::protocol::event::{ProviderFormat, StopReason, StreamEvent, Usage};
use countersign::protocol::ids::{CallId, EffectId};
use countersign::protocol::json::Json;
use countersign::protocol::patch::PatchOperation;
use countersign::turn::TurnLimits;
use proptest::prelude::*;

use crate::player::Player;
use crate::turn::{Turn, json, may_become, registry};

const TOOLS: [&str; 8] = ["find", "rename", "remove", "send", "finish", "peek", "retitle", "discard"];
const NAMES: [&str; 11] = ["find", "rename", "remove", "retitle", "discard", "send", "finish", "peek", "nothing", "find ", "__proto__"];
const IDS: [&str; 7] = ["c1", "c2", "c3", "c2_1_1", "", "__proto__", "t1.e1"];
const INPUTS: [&str; 8] = [
    r#"{"id":" ALPHA","title":"A"}"#,
    r#"{"q":"x"}"#,
    r#"{"q":"y"}"#,
    r#"{"id":"a","title":"A"}"#,
    r#"{"title":"A","id":"a"}"#,
    r#"{"id":"a"}"#,
    "{}",
    "[1]",
];
const TIMES: [u64; 7] = [0, 1000, 1100, 2500, 40_000, 400_000, 9_007_199_254_740_991];

/// One input, as numbers: what it is, whose, with what, when.
type Dice = (u8, u8, u8, u8);

fn pick<T: Copy>(all: &[T], dice: u8) -> T {
    all[usize::from(dice) % all.len()]
}

fn patch(dice: u8) -> Vec<PatchOperation> {
    match dice % 4 {
        0 => vec![PatchOperation::Replace { path: "/cards/0/title".to_owned(), value: Json::from("A") }],
        1 => vec![PatchOperation::Replace { path: "/cards/1/title".to_owned(), value: Json::from("B") }],
        2 => vec![PatchOperation::Remove { path: "/cards/9".to_owned() }],
        _ => vec![PatchOperation::Add { path: "/cards/-".to_owned(), value: json(r#"{"id":"a","title":"twice"}"#) }],
    }
}

fn input_of((what, whose, with, when): Dice) -> TurnInput {
    let call_id = CallId::from(pick(&IDS, whose));
    let id = pick(&IDS, whose).to_owned();
    let now_ms = (when % 2 == 0).then(|| pick(&TIMES, when / 2));
    let now = pick(&TIMES, when);
    let document_revision = u64::from(with % 3);
    let event = |event| TurnInput::Event { event, now_ms };
    let command = TurnInput::Command;
    match what % 33 {
        0 => {
            command(TurnCommand::Submit { text: if with % 5 == 0 { " ".to_owned() } else { "go".to_owned() }, now_ms: now, context: None })
        }
        1 => event(StreamEvent::MessageStart { model: String::new() }),
        2 => event(StreamEvent::TextDelta { text: if with % 4 == 0 { String::new() } else { "text".to_owned() } }),
        3..=7 => event(StreamEvent::ToolCallComplete {
            id,
            name: pick(&NAMES, with).to_owned(),
            input: json(pick(&INPUTS, when)),
            invalid: (when % 11 == 0).then(|| "cut".to_owned()),
            provider_id: None,
        }),
        8 | 9 => {
            event(StreamEvent::MessageStop { stop_reason: pick(&[StopReason::ToolUse, StopReason::EndTurn, StopReason::MaxTokens], with) })
        }
        10 => {
            let code = pick(
                &[
                    ProtocolErrorCode::Transport,
                    ProtocolErrorCode::MalformedStream,
                    ProtocolErrorCode::HttpStatus,
                    ProtocolErrorCode::Overloaded,
                ],
                with,
            );
            event(StreamEvent::Error { error: ProtocolError::new(code, "it failed") })
        }
        11 => event(pick(&[1u8, 2, 3], with).into_event(id)),
        12 | 13 => command(TurnCommand::ApproveCall {
            call_id,
            edited_input: (with % 5 == 0).then(|| json(pick(&INPUTS, when))),
            seen: (with % 7 == 0).then(|| "nothing".to_owned()),
            preview: None,
            now_ms,
            document_revision,
        }),
        14 | 15 => command(TurnCommand::ApproveBatch {
            call_ids: IDS.iter().take(usize::from(with % 5)).map(|id| CallId::from(*id)).collect(),
            seen: None,
            now_ms,
            document_revision,
        }),
        16 => command(TurnCommand::DenyCall { call_id, reason: (with % 2 == 0).then(|| "no\u{202E}".repeat(300)), now_ms }),
        17 => command(TurnCommand::DocumentEdited { document_revision }),
        18 => command(TurnCommand::ToolsChanged { tool_names: vec![pick(&NAMES, with).to_owned()] }),
        19 | 20 => command(TurnCommand::StartCall { call_id, now_ms: now, document_revision }),
        21 | 22 => command(TurnCommand::CallSettled { call_id, outcome: outcome_of(with), history_step: None, now_ms }),
        23 => {
            command(TurnCommand::CallProgress { call_id, label: "\u{200B}half".repeat(90), fraction: Some(f64::from(with) / 64.0 - 1.0) })
        }
        24 => command(TurnCommand::Advance { now_ms: now }),
        25 => command(TurnCommand::Retry { now_ms }),
        26 => command(TurnCommand::Tick { now_ms: now }),
        27 if with % 3 == 0 => command(TurnCommand::Cancel { now_ms }),
        28 => command(TurnCommand::UndoTurn { steps: None }),
        29 => command(TurnCommand::RedoTurn { steps: None }),
        30 | 31 => command(TurnCommand::Previewed { call_id, outcome: outcome_of(with), told: None, now_ms }),
        32 => command(TurnCommand::SelectTarget { call_id, target_id: "a".to_owned(), now_ms }),
        _ => event(StreamEvent::Usage { usage: Usage { input_tokens: u64::from(with), output_tokens: now, ..Usage::default() } }),
    }
}

trait IntoEvent {
    fn into_event(self, id: String) -> StreamEvent;
}

impl IntoEvent for u8 {
    fn into_event(self, id: String) -> StreamEvent {
        match self {
            1 => StreamEvent::ReasoningDelta { text: "hm".to_owned() },
            2 => StreamEvent::ToolCallInputDelta { id, partial_json: "{".to_owned() },
            _ => StreamEvent::ProviderState { provider: ProviderFormat::Anthropic, value: json(r#"{"a":[1]}"#), call_id: Some(id) },
        }
    }
}

fn outcome_of(dice: u8) -> ToolOutcome {
    match dice % 8 {
        0 => ToolOutcome::Error { result: String::new(), code: Some(CallErrorCode::Timeout), detail: Some("secret".to_owned()) },
        1 => ToolOutcome::Unknown { detail: None },
        2 => ToolOutcome::Ok { result: ToolResult::Json(json(r#"{"a":1}"#)), document: Some(json(r#"{"cards":[]}"#)), patch: None },
        3 => ToolOutcome::Ok { result: ToolResult::Text("<<<END".repeat(50)), document: None, patch: None },
        other => ToolOutcome::Ok { result: ToolResult::Text("ok".to_owned()), document: None, patch: Some(patch(other)) },
    }
}

fn limits_of(dice: u8) -> TurnLimits {
    TurnLimits {
        max_iterations: 1 + u64::from(dice % 4),
        max_retries_per_turn: u64::from(dice % 3),
        max_tool_calls_per_iteration: 2 + u64::from(dice % 3),
        max_tool_calls_per_turn: 5,
        approval_ttl_ms: dice.is_multiple_of(2).then_some(2000),
        max_repeats_per_call: 2,
        max_concurrent_calls: 1 + u64::from(dice % 3),
        max_messages: 6 + u64::from(dice % 5) * 3,
        max_result_bytes: 100,
        max_total_tokens: dice.is_multiple_of(5).then_some(400),
        ..TurnLimits::default()
    }
}

/// What happens to a loop and its document.
#[derive(Clone, Debug)]
enum Act {
    Tell(Dice),
    /// Answers the first open effect as a host would.
    Answer(u8),
    /// Approves whatever waits.
    ApproveAll,
    Bytes(u8),
    Edit(u8),
    Undo,
    Redo,
    Tools(u8),
    Restore,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        9 => any::<Dice>().prop_map(Act::Tell),
        2 => (0u8..8).prop_map(|with| Act::Tell((3, with, with, with * 2))),
        3 => any::<u8>().prop_map(Act::Answer),
        2 => Just(Act::ApproveAll),
        1 => any::<u8>().prop_map(Act::Bytes),
        1 => any::<u8>().prop_map(Act::Edit),
        1 => Just(Act::Undo),
        1 => Just(Act::Redo),
        1 => any::<u8>().prop_map(Act::Tools),
        1 => Just(Act::Restore),
    ]
}

fn do_one(player: &mut Player, act: &Act) {
    let titled = |dice: u8| format!(r#"{{"edit":[{{"op":"replace","path":"/cards/{}/title","value":"u{dice}"}}]}}"#, dice % 2);
    match act {
        Act::Tell(dice) => player.dispatch(input_of(*dice), None),
        Act::Answer(dice) => match player.tool_loop.pending().into_iter().next() {
            Some(Effect::Execute { call_id, id, .. }) => {
                player.dispatch(
                    TurnCommand::CallSettled { call_id, outcome: outcome_of(*dice), history_step: None, now_ms: None }.into(),
                    Some(&id),
                );
            }
            Some(Effect::Preview { call_id, id, .. }) => {
                player.dispatch(TurnCommand::Previewed { call_id, outcome: outcome_of(*dice), told: None, now_ms: None }.into(), Some(&id));
            }
            Some(Effect::Request { id, .. }) => {
                let events = [(1, 0), (3, *dice), (4, dice.wrapping_add(1)), (8, 0)];
                for (what, whose) in events {
                    player.dispatch(input_of((what, whose, *dice, dice.wrapping_mul(2))), Some(&id));
                }
            }
            _ => player.dispatch(TurnCommand::Submit { text: "more".to_owned(), now_ms: 5, context: None }.into(), None),
        },
        Act::ApproveAll => {
            let waiting: Vec<CallId> =
                player.state().calls.iter().filter(|call| call.status == CallStatus::Pending).map(|call| call.id.clone()).collect();
            for call_id in waiting {
                player.dispatch(
                    TurnCommand::ApproveCall { call_id, edited_input: None, seen: None, preview: None, now_ms: None, document_revision: 0 }
                        .into(),
                    None,
                );
            }
        }
        Act::Bytes(dice) => {
            let id = player
                .tool_loop
                .pending()
                .into_iter()
                .find_map(|effect| if let Effect::Request { id, .. } = effect { Some(id) } else { None });
            let id = id.unwrap_or_else(|| EffectId::from("t1.e1"));
            let _ = player.tool_loop.request(&id, ProviderFormat::Anthropic, &json(r#"{"model":"m"}"#));
            let said = crate::player::sse(&["hi"], &[(pick(&IDS, *dice), pick(&NAMES, *dice), pick(&INPUTS, *dice))], "tool_use");
            let outcome = player.tool_loop.feed(&id, &said.as_bytes()[..said.len().min(usize::from(*dice) * 7)], None);
            player.take(outcome);
            let outcome = player.tool_loop.end_stream(&id, None);
            player.take(outcome);
        }
        Act::Edit(dice) => player.step(&json(&titled(*dice))),
        Act::Undo => player.step(&json(r#"{"undo":true}"#)),
        Act::Redo => player.step(&json(r#"{"redo":true}"#)),
        Act::Tools(dice) if dice % 2 == 0 => player.step(&json(r#"{"setTools":["find","rename","finish"]}"#)),
        Act::Tools(_) => player.step(&json(r#"{"setTools":["find","rename","remove","send","finish","peek","retitle","discard"]}"#)),
        Act::Restore => player.step(&json(r#"{"restore":{}}"#)),
    }
    player.laws();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn t1_t6_t7_t10_a3_any_inputs_into_the_reducer(limits in any::<u8>(), dice in prop::collection::vec(any::<Dice>(), 0..60)) {
        let mut turn = Turn::idle(registry(&TOOLS), limits_of(limits));
        if limits % 8 != 0 {
            turn.tell(crate::turn::submit(1000));
        }
        for one in dice {
            turn.tell(input_of(one));
        }
        // and it can always be ended
        if turn.state.is_live() {
            turn.tell(crate::turn::cancel());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn t15_c3_s1_any_inputs_into_the_loop(limits in any::<u8>(), acts in prop::collection::vec(act(), 0..40)) {
        let limits = serde_json::to_string(&limits_of(limits)).unwrap();
        let case = format!(r#"{{"tools":["find","rename","remove","send","finish","peek","retitle","discard"],"document":"two","store":{{"history":5}},"options":{{"conversationId":"k","limits":{limits}}}}}"#);
        let mut player = Player::with(&case);
        let mut before = player.state();
        for act in &acts {
            do_one(&mut player, act);
            let store = player.store.clone().unwrap();
            prop_assert!(store.issues().is_empty(), "c1: {:?}", store.issues());
            // c3: a turn never has two steps in a row
            let history = store.history();
            prop_assert!(history.windows(2).all(|pair| pair[0].source == ChangeSource::User || pair[0].turn_id != pair[1].turn_id), "{history:?}");
            let state = player.state();
            if state.turn_id == before.turn_id && !matches!(act, Act::Restore) {
                for call in &before.calls {
                    let now = state.calls.find(&call.id).unwrap().status;
                    // one act may take a call several steps on
                    prop_assert!(may_become(call.status, now) || !call.status.is_final(), "{:?} {:?} {act:?}", call.status, now);
                }
            }
            before = state;
        }
        // l1 and g11: no request without a counter, no key twice, nothing runs twice
        if !acts.iter().any(|act| matches!(act, Act::Restore)) {
            let state = player.state();
            let mine = |id: &EffectId| id.as_str().strip_prefix(state.turn_id.as_str()).is_some_and(|rest| rest.starts_with(".e"));
            let requests = player.effects.iter().filter(|effect| matches!(effect, Effect::Request { id, .. } if mine(id))).count();
            prop_assert_eq!(requests as u64, state.budget.requests_started);
            let runs = player.effects.iter().filter(|effect| matches!(effect, Effect::Execute { id, .. } if mine(id))).count();
            prop_assert_eq!(runs, state.grants.iter().filter(|grant| grant.consumed).count());
            let mut keys = BTreeMap::new();
            for effect in &player.effects {
                if let Effect::Execute { idempotency_key, call_id, .. } = effect {
                    prop_assert!(keys.insert(idempotency_key.clone(), call_id.clone()).is_none(), "`{call_id}` runs twice");
                }
            }
        }
    }
}
