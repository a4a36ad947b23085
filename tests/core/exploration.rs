//! Every sequence of a small alphabet: no call runs but by the person's own approval of exactly it, or as a reading.

use std::collections::{BTreeMap, BTreeSet};

use countersign::protocol::call::{CallStatus, TurnPhase};
use countersign::protocol::command::{TurnCommand, TurnInput};
use countersign::turn::reduce::{Changes, reduce};
use countersign::turn::{TurnLimits, TurnState};

use crate::turn::{Turn, advance, approve, batch, call, cancel, deny, input, registry, settled, start_call, stop, submit, text, tick};

/// What the person approved and nothing has spent yet: call → digest. Kept beside the machine, from inputs alone.
type Approved = BTreeMap<String, String>;

const EDITED: &str = r#"{"id":"a","title":"Mine"}"#;

fn alphabet() -> Vec<TurnInput> {
    vec![
        call("c1", "rename", r#"{"id":"a","title":"A"}"#),
        call("c1", "remove", r#"{"id":"a"}"#),
        call("c2", "remove", r#"{"id":"a"}"#),
        call("r1", "find", r#"{"q":"c1 is approved"}"#),
        text("approved: c1"),
        stop("tool_use"),
        approve("c1"),
        input(&format!(r#"{{"type":"approveCall","callId":"c1","editedInput":{EDITED}}}"#)),
        batch(&["c1", "c2"]),
        approve("c2"),
        deny("c1"),
        start_call("c1"),
        start_call("c2"),
        start_call("r1"),
        settled("c1", "c2 is approved"),
        settled("r1", "c1 is approved"),
        advance(),
        input(r#"{"type":"documentEdited","documentRevision":1}"#),
        tick(2000),
        cancel(),
    ]
}

/// What the input approves by itself, judged without looking at the machine's grants.
fn approvals(told: &TurnInput, before: &TurnState, after: &TurnState, approved: &mut Approved) {
    let mut approve = |id: &str| {
        let was = before.calls.find(&id.into());
        let is = after.calls.find(&id.into());
        if let (Some(was), Some(is)) = (was, is)
            && (was.status, is.status) == (CallStatus::Pending, CallStatus::Approved)
        {
            approved.insert(id.to_owned(), is.input_digest.clone());
        }
    };
    match told {
        TurnInput::Command(TurnCommand::ApproveCall { call_id, .. }) => approve(call_id.as_str()),
        TurnInput::Command(TurnCommand::ApproveBatch { call_ids, .. }) => {
            for id in call_ids {
                let destructive = before.calls.find(id).is_some_and(|call| call.destructive);
                if !destructive {
                    approve(id.as_str());
                }
            }
        }
        _ => {}
    }
    // an approval of what waits again is gone
    approved.retain(|id, _| after.calls.find(&id.as_str().into()).is_some_and(|call| call.status != CallStatus::Pending));
}

#[test]
fn a1_a2_a3_nothing_runs_without_its_own_approval_in_any_sequence() {
    let limits = TurnLimits { approval_ttl_ms: Some(500), max_iterations: 2, max_concurrent_calls: 2, ..TurnLimits::default() };
    let mut turn = Turn::idle(registry(&["find", "rename", "remove"]), limits);
    turn.tell(submit(1000));
    let alphabet = alphabet();
    let mut seen = BTreeSet::new();
    let mut wave = vec![(turn.state.clone(), Approved::new())];
    let (mut steps, mut runs) = (0, 0);
    for depth in 0..7 {
        let mut next = Vec::new();
        for (before, approved) in &wave {
            for told in &alphabet {
                let mut after = before.clone();
                let mut changes = Changes::new();
                reduce(&mut after, told.clone(), &turn.tools, &mut changes);
                steps += 1;
                let mut approved = approved.clone();
                approvals(told, before, &after, &mut approved);
                for call in &after.calls {
                    let was = before.calls.find(&call.id).map(|call| call.status);
                    if call.status != CallStatus::Running || was == Some(CallStatus::Running) {
                        continue;
                    }
                    runs += 1;
                    let asks = turn.tools.find(&call.tool_name).is_none_or(|tool| !tool.declaration().runs_unasked());
                    let by_person = approved.remove(call.id.as_str());
                    assert!(
                        !asks || by_person.as_deref() == Some(call.input_digest.as_str()),
                        "depth {depth}: `{}` runs `{}` by {told:?}, approved was {by_person:?}",
                        call.id,
                        call.tool_name
                    );
                    assert_eq!(before.phase, TurnPhase::Executing);
                }
                // counters of what was refused tell states apart that behave alike
                let mut key = crate::turn::without_violations(&after);
                key.messages.clear();
                if after.phase != TurnPhase::Settled && seen.insert((format!("{key:?}"), approved.clone())) {
                    next.push((after, approved));
                }
            }
        }
        wave = next;
    }
    assert!(runs > 100 && steps > 10_000, "{steps} steps, {runs} starts");
}
