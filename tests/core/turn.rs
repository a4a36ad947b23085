//! A turn held by hand: the pure reducer, one input at a time, with the laws that hold at every step asked at every step.

use countersign::history::pairing::pairing_violations;
use countersign::protocol::call::{Awaiting, CallRecord, CallStatus, TurnPhase, TurnViolation};
use countersign::protocol::command::{TurnCommand, TurnInput};
use countersign::protocol::ids::CallId;
use countersign::protocol::json::Json;
use countersign::protocol::message::{ContentBlock, PairingViolationKind};
use countersign::tools::declaration::ToolDeclaration;
use countersign::tools::registry::ToolRegistry;
use countersign::turn::reduce::{Change, Changes, reduce};
use countersign::turn::{IdleOptions, TurnLimits, TurnState, idle_turn, reduce_turn};

pub(crate) const SHARED: &str = include_str!("../corpus/turn-tools.json");

pub(crate) fn json(text: &str) -> Json {
    Json::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

pub(crate) fn input(text: &str) -> TurnInput {
    TurnInput::decode(&json(text)).unwrap_or_else(|fault| panic!("{fault}: {text}"))
}

/// The declaration of a tool that the corpus shares.
pub(crate) fn declared(name: &str) -> Json {
    json(SHARED).get("tools").and_then(|tools| tools.get(name)).unwrap_or_else(|| panic!("no tool `{name}`")).clone()
}

pub(crate) fn registry(names: &[&str]) -> ToolRegistry {
    registry_of(&names.iter().map(|name| declared(name)).collect::<Vec<_>>())
}

pub(crate) fn registry_of(declarations: &[Json]) -> ToolRegistry {
    let tools = declarations.iter().map(|declaration| ToolDeclaration::decode(declaration).unwrap()).collect();
    ToolRegistry::new(tools, &[]).unwrap()
}

pub(crate) fn submit(now_ms: u64) -> TurnInput {
    input(&format!(r#"{{"type":"submit","text":"please","nowMs":{now_ms}}}"#))
}

pub(crate) fn start() -> TurnInput {
    input(r#"{"type":"message_start","model":"m"}"#)
}

pub(crate) fn text(said: &str) -> TurnInput {
    input(&format!(r#"{{"type":"text_delta","text":{}}}"#, Json::from(said).to_text()))
}

pub(crate) fn call(id: &str, name: &str, arguments: &str) -> TurnInput {
    input(&format!(
        r#"{{"type":"tool_call_complete","id":{},"name":{},"input":{arguments}}}"#,
        Json::from(id).to_text(),
        Json::from(name).to_text()
    ))
}

pub(crate) fn stop(reason: &str) -> TurnInput {
    input(&format!(r#"{{"type":"message_stop","stopReason":"{reason}"}}"#))
}

pub(crate) fn error(code: &str) -> TurnInput {
    input(&format!(r#"{{"type":"error","error":{{"code":"{code}","message":"it failed"}}}}"#))
}

pub(crate) fn approve(id: &str) -> TurnInput {
    input(&format!(r#"{{"type":"approveCall","callId":"{id}"}}"#))
}

pub(crate) fn batch(ids: &[&str]) -> TurnInput {
    let ids = Json::from(ids.iter().map(|id| Json::from(*id)).collect::<Vec<_>>());
    input(&format!(r#"{{"type":"approveBatch","callIds":{}}}"#, ids.to_text()))
}

pub(crate) fn deny(id: &str) -> TurnInput {
    input(&format!(r#"{{"type":"denyCall","callId":"{id}"}}"#))
}

pub(crate) fn start_call(id: &str) -> TurnInput {
    input(&format!(r#"{{"type":"startCall","callId":"{id}","nowMs":0}}"#))
}

pub(crate) fn settled(id: &str, result: &str) -> TurnInput {
    input(&format!(r#"{{"type":"callSettled","callId":"{id}","outcome":{{"status":"ok","result":{}}}}}"#, Json::from(result).to_text()))
}

pub(crate) fn advance() -> TurnInput {
    input(r#"{"type":"advance","nowMs":0}"#)
}

pub(crate) fn tick(now_ms: u64) -> TurnInput {
    input(&format!(r#"{{"type":"tick","nowMs":{now_ms}}}"#))
}

pub(crate) fn cancel() -> TurnInput {
    input(r#"{"type":"cancel"}"#)
}

/// A turn and what its last input changed.
pub(crate) struct Turn {
    pub(crate) state: TurnState,
    pub(crate) tools: ToolRegistry,
    pub(crate) changes: Vec<Change>,
}

impl Turn {
    pub(crate) fn idle(tools: ToolRegistry, limits: TurnLimits) -> Turn {
        let state = idle_turn(IdleOptions { limits, ..IdleOptions::default() }, &tools);
        Turn { state, tools, changes: Vec::new() }
    }

    /// A turn that was asked at 1000 with the shared tools of these names.
    pub(crate) fn asked(names: &[&str]) -> Turn {
        Turn::asked_with(names, TurnLimits::default())
    }

    pub(crate) fn asked_with(names: &[&str], limits: TurnLimits) -> Turn {
        let mut turn = Turn::idle(registry(names), limits);
        turn.tell(submit(1000));
        turn
    }

    /// One input through the machine's own reducer, and through the pure one: they agree, and every standing law holds.
    pub(crate) fn tell(&mut self, told: TurnInput) -> &mut Turn {
        let before = self.state.clone();
        let pure = reduce_turn(before.clone(), told.clone(), &self.tools).unwrap();
        let mut changes = Changes::new();
        reduce(&mut self.state, told.clone(), &self.tools, &mut changes);
        self.changes = changes.take();
        assert_eq!(self.state, pure, "t1: the same state and input give the same result");
        assert_laws(&before, &self.state, &told, &self.changes);
        self
    }

    pub(crate) fn tell_all(&mut self, told: impl IntoIterator<Item = TurnInput>) -> &mut Turn {
        for one in told {
            self.tell(one);
        }
        self
    }

    /// One whole message of the model: these calls, then the stop.
    pub(crate) fn model(&mut self, calls: &[(&str, &str, &str)]) -> &mut Turn {
        self.tell(start());
        for (id, name, arguments) in calls {
            self.tell(call(id, name, arguments));
        }
        self.tell(stop(if calls.is_empty() { "end_turn" } else { "tool_use" }))
    }

    /// Starts an approved call and settles it.
    pub(crate) fn run(&mut self, id: &str, result: &str) -> &mut Turn {
        self.tell(start_call(id)).tell(settled(id, result))
    }

    /// Tells something that must change nothing but violations.
    pub(crate) fn refuses(&mut self, told: TurnInput) -> &mut Turn {
        let before = without_violations(&self.state);
        self.tell(told.clone());
        assert!(self.refused(), "{told:?} was not refused: {:?}", self.changes);
        assert_eq!(before, without_violations(&self.state), "t10: a refused {told:?} changed something");
        self
    }

    pub(crate) fn refused(&self) -> bool {
        self.changes.iter().any(|change| matches!(change, Change::Refused { .. }))
    }

    pub(crate) fn call(&self, id: &str) -> &CallRecord {
        self.state.calls.find(&CallId::from(id)).unwrap_or_else(|| panic!("no call `{id}`"))
    }

    pub(crate) fn status(&self, id: &str) -> CallStatus {
        self.call(id).status
    }

    pub(crate) fn phase(&self) -> TurnPhase {
        self.state.phase
    }

    pub(crate) fn violations(&self, kind: TurnViolation) -> u64 {
        self.state.violation_counts.of(kind)
    }

    /// The blocks of a message as short words.
    pub(crate) fn shape(&self) -> Vec<String> {
        shape(&self.state)
    }
}

/// Messages as short words: `user: text`, `assistant: text, call c1`, `user: result c1, result! c2`.
pub(crate) fn shape(state: &TurnState) -> Vec<String> {
    state
        .messages
        .iter()
        .map(|message| {
            let role = match message.role {
                countersign::protocol::message::Role::User => "user",
                countersign::protocol::message::Role::Assistant => "assistant",
            };
            let blocks: Vec<String> = message
                .content
                .iter()
                .map(|block| match block {
                    ContentBlock::Text { .. } => "text".to_owned(),
                    ContentBlock::ToolCall { id, .. } => format!("call {id}"),
                    ContentBlock::ToolResult { tool_call_id, is_error: Some(true), .. } => format!("result! {tool_call_id}"),
                    ContentBlock::ToolResult { tool_call_id, .. } => format!("result {tool_call_id}"),
                    ContentBlock::ProviderState { .. } => "state".to_owned(),
                })
                .collect();
            format!("{role}: {}", blocks.join(", "))
        })
        .collect()
}

/// What a model reads as the answer to a call.
pub(crate) fn answer(state: &TurnState, id: &str) -> String {
    let blocks = state.messages.iter().flat_map(|message| &message.content);
    let mut found = blocks.filter_map(|block| match block {
        ContentBlock::ToolResult { tool_call_id, content, .. } if tool_call_id == id => Some(content.clone()),
        _ => None,
    });
    let answer = found.next().unwrap_or_else(|| panic!("`{id}` has no answer"));
    assert!(found.next().is_none(), "t6: `{id}` was answered twice");
    answer
}

pub(crate) fn without_violations(state: &TurnState) -> TurnState {
    let mut state = state.clone();
    state.violations.clear();
    state.violation_counts = countersign::turn::state::ViolationCounts::default();
    state
}

/// The laws of one step.
pub(crate) fn assert_laws(before: &TurnState, after: &TurnState, told: &TurnInput, changes: &[Change]) {
    // t6: paired whenever no turn is live; while one is, only calls of the current message wait for their answer
    for violation in pairing_violations(&after.messages) {
        let open = after.is_live()
            && violation.kind == PairingViolationKind::UnansweredToolCall
            && after.current_calls().any(|call| call.id.as_str() == violation.tool_call_id);
        assert!(open, "t6: {violation:?} after {told:?} in {:?}", after.phase);
    }
    // calls are never lost and move only forward
    for call in &before.calls {
        let now = after.calls.find(&call.id).unwrap_or_else(|| panic!("the call `{}` is gone after {told:?}", call.id));
        assert!(may_become(call.status, now.status), "`{}` went from {:?} to {:?} after {told:?}", call.id, call.status, now.status);
        assert_eq!((&call.tool_name, call.iteration), (&now.tool_name, now.iteration), "a call became another");
        if call.status != CallStatus::Running && now.status == CallStatus::Running {
            // a3: only a grant lets a call run, and it is spent by that
            let spent = |state: &TurnState| state.grants.iter().filter(|grant| grant.call_id == call.id && grant.consumed).count();
            assert_eq!(spent(before) + 1, spent(after), "a1: `{}` runs without spending a grant", call.id);
            assert_eq!(call.status, CallStatus::Approved);
        }
    }
    for grant in &after.grants {
        let call = after.calls.find(&grant.call_id).expect("a grant is for a call");
        assert_eq!((&grant.tool_name, grant.iteration), (&call.tool_name, call.iteration), "a1");
    }
    for call in &after.calls {
        let open = after.grants.iter().rev().find(|grant| grant.call_id == call.id && !grant.consumed);
        let effect = call.preview.as_ref().map(|preview| preview.effect_digest.clone());
        if call.status == CallStatus::Approved {
            // a1: what may start is exactly what was shown
            let grant = open.unwrap_or_else(|| panic!("a1: `{}` is approved by nobody after {told:?}", call.id));
            assert_eq!((&grant.effect_digest, &grant.input_digest), (&effect, &call.input_digest), "a1: after {told:?}");
        }
        if call.status == CallStatus::Pending && open.is_some() {
            assert_eq!(call.awaiting, Some(Awaiting::Preview), "a9: an approval is kept only while its effect is worked out");
        }
        // a9: no call that waited is approved by anything but the person's own word, or the very effect of an approval that was kept
        let was = before.calls.find(&call.id);
        if was.is_some_and(|was| was.status == CallStatus::Pending) && call.status == CallStatus::Approved {
            let kept = before.grants.iter().rev().find(|grant| grant.call_id == call.id && !grant.consumed);
            match told {
                TurnInput::Command(TurnCommand::ApproveCall { .. } | TurnCommand::ApproveBatch { .. }) => {
                    assert_ne!(was.and_then(|was| was.awaiting), Some(Awaiting::Preview), "c4: an effect nobody saw was approved");
                }
                TurnInput::Command(TurnCommand::Previewed { .. }) => {
                    assert!(kept.is_some_and(|kept| kept.effect_digest == effect && effect.is_some()), "a9: {told:?} approved a call");
                }
                _ => panic!("a2: {told:?} approved a call"),
            }
        }
    }
    // a grant that was spent stays spent, and stays
    let spent = |state: &TurnState| state.grants.iter().filter(|grant| grant.consumed).cloned().collect::<Vec<_>>();
    let (was, is) = (spent(before), spent(after));
    assert!(was.iter().all(|grant| is.contains(grant)) && is.len() <= was.len() + 1, "a1: a spent grant changed");
    // t7: settled stays settled
    if before.phase == TurnPhase::Settled {
        let mut same = without_violations(before);
        let mut now = without_violations(after);
        // the flip of an undone or redone turn is all that moves
        same.calls = Default::default();
        now.calls = Default::default();
        assert_eq!(same, now, "t7: {told:?} moved a settled turn");
    }
    // t13: the list is a ring
    assert!(after.violations.len() <= 32, "t13");
    assert!(after.clock_ms >= before.clock_ms, "time went backwards");
    // l1: no request without a counter
    let limits = &after.limits;
    assert!(after.budget.iterations_started <= limits.max_iterations, "l1");
    assert!(after.budget.requests_started <= limits.max_iterations.saturating_add(limits.max_retries_per_turn), "l1");
    assert_eq!(after.outcome.is_some(), after.phase == TurnPhase::Settled, "an outcome is the end");
    if after.phase == TurnPhase::Settled {
        assert!(after.calls.iter().all(|call| call.status.is_final()), "t6: a settled turn holds an open call");
    }
    let waits = after.current_calls().any(|call| call.status == CallStatus::Pending);
    match after.phase {
        TurnPhase::AwaitingApproval => assert!(waits, "t3: nothing waits"),
        TurnPhase::Executing => assert!(!waits, "t3: a call waits while calls run"),
        _ => {}
    }
    // t10 and t11: what changed nothing says so, and what was refused changed nothing
    let refused = changes.iter().any(|change| matches!(change, Change::Refused { .. }));
    let moved = changes.iter().any(|change| matches!(change, Change::Call(_) | Change::Phase | Change::Settled));
    if refused && !moved {
        assert_eq!(without_violations(before), without_violations(after), "t10: a refused {told:?} changed something");
    }
}

/// The allowed moves of a call.
pub(crate) fn may_become(from: CallStatus, to: CallStatus) -> bool {
    use CallStatus::{Approved, Denied, Failed, Pending, Running, Succeeded, Undone, Unknown};
    from == to
        || matches!(
            (from, to),
            (Pending, Approved | Denied)
                | (Approved, Running | Pending | Denied)
                | (Running, Succeeded | Failed | Unknown)
                | (Succeeded, Undone)
                | (Undone, Succeeded)
        )
}
