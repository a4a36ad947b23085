//! What an approval binds, tried from the sides: what was shown and nothing else, for the tool that was shown.

use countersign::protocol::call::{Awaiting, CallStatus};
use countersign::protocol::preview::StaleCause;
use countersign::protocol::update::RefusalReason;

use crate::player::{Player, sse};
use crate::previews::{ONE, Previews, TWO, loop_with, retitled};
use crate::turn::json;

/// A loop of the four tools of the board, after one message with these calls.
fn board_with(calls: &[(&str, &str, &str)]) -> Player {
    let mut player = Player::with(r#"{"tools":[{"entityTools":"board"}],"document":"two"}"#);
    player.tell(r#"{"type":"submit","text":"x","nowMs":1000}"#).model(&sse(&[], calls, "tool_use"));
    player
}

const HOLD: (&str, &str, &str) = ("c9", "update_entity", r#"{"kind":"cards","id":"b","set":{"title":"Two"}}"#);
const THIRD_CARD: &str = r#"{"edit":[{"op":"add","path":"/cards/-","value":{"id":"c","title":"Gamma"}}]}"#;

#[test]
fn m9_an_ambiguous_target_is_not_approved_by_typing_it_again() {
    let case = r#"{"tools":["retitle"],"document":{"cards":[{"id":"a","title":"Same"},{"id":"b","title":"same"}]}}"#;
    let mut player = Player::with(case);
    let calls = [("c1", "retitle", r#"{"id":"Same","title":"One"}"#)];
    player.tell(r#"{"type":"submit","text":"x","nowMs":1000}"#).model(&sse(&[], &calls, "tool_use"));
    player.refusals();
    player.tell(r#"{"type":"approveCall","callId":"c1","editedInput":{"id":"Same","title":"One"}}"#);
    assert_eq!((player.refusals(), player.call("c1").status), (vec![RefusalReason::InvalidInput], CallStatus::Pending));
    // words that are as ambiguous are another question, not an answer
    player.tell(r#"{"type":"approveCall","callId":"c1","editedInput":{"id":"SAME","title":"One"}}"#);
    assert_eq!((player.call("c1").status, player.call("c1").act.is_some(), player.asked()), (CallStatus::Pending, true, None));
}

#[test]
fn g3_a_tool_that_changes_while_its_approval_waits_for_its_effect_is_asked_for_again() {
    let mut player = loop_with(&[ONE, TWO]);
    player.show(&retitled(0, "One"));
    player.show(&retitled(1, "Two"));
    player.approve("c1");
    player.step(&json(r#"{"edit":[{"op":"replace","path":"/cards/1/title","value":"Else"}]}"#));
    player.tell(r#"{"type":"tick","nowMs":1001}"#);
    assert_eq!(player.call("c1").awaiting, Some(Awaiting::Preview));
    player.step(&json(r#"{"setTools":["find"]}"#));
    assert!(player.state().grants.is_empty());
    player.show(&retitled(0, "One"));
    assert_eq!((player.call("c1").status, player.call("c1").awaiting), (CallStatus::Pending, Some(Awaiting::User)));
}

#[test]
fn a9_c4_who_approved_what_is_refused_has_approved_no_move() {
    let mut player = board_with(&[("c1", "move_entity", r#"{"kind":"cards","id":"a","after":"c"}"#), HOLD]);
    let preview = player.call("c1").preview.unwrap();
    assert!(preview.error.is_some(), "{preview:?}");
    player.approve("c1");
    player.step(&json(THIRD_CARD));
    player.tell(r#"{"type":"tick","nowMs":1001}"#);
    let call = player.call("c1");
    assert_eq!((call.status, call.stale.map(|stale| stale.because)), (CallStatus::Pending, Some(StaleCause::Document)));
    // nor does the card that said so name the one that moves
    player.refusals();
    player.tell(&format!(r#"{{"type":"approveCall","callId":"c1","seen":"{}"}}"#, preview.effect_digest));
    assert_eq!(player.refusals(), [RefusalReason::StaleEffect]);
}

#[test]
fn c4_a_tool_that_could_not_say_what_it_does_may_do_what_changes_nothing() {
    for (outcome, status) in [
        (r#"{"status":"ok","result":"done"}"#, CallStatus::Succeeded),
        (r#"{"status":"ok","result":"done","patch":[]}"#, CallStatus::Succeeded),
        (r#"{"status":"error","result":"no"}"#, CallStatus::Failed),
        (
            r#"{"status":"ok","result":"done","document":{"cards":[{"id":"b","title":"Beta"},{"id":"a","title":"Alpha"}]}}"#,
            CallStatus::Failed,
        ),
    ] {
        let mut player = loop_with(&[ONE]);
        player.show(r#"{"status":"error","result":"not now"}"#);
        player.approve("c1");
        player.run("c1", outcome);
        assert_eq!((player.call("c1").status, player.store.as_ref().unwrap().revision()), (status, 1), "{outcome}");
    }
}

#[test]
fn c4_a_tool_that_showed_no_change_puts_nothing_in_another_order() {
    let mut player = loop_with(&[ONE]);
    player.show(r#"{"status":"ok","result":"done"}"#);
    player.approve("c1");
    player.run("c1", r#"{"status":"ok","result":"done","document":{"cards":[{"id":"b","title":"Beta"},{"id":"a","title":"Alpha"}]}}"#);
    assert_eq!((player.call("c1").status, player.store.as_ref().unwrap().revision()), (CallStatus::Failed, 1));
}

#[test]
fn m9_what_a_person_types_names_one_thing_too() {
    let tool = r#"{"name":"paint","description":"d","inputSchema":{"type":"object"},"target":{"section":"cards","path":"/id"}}"#;
    let case = format!(r#"{{"tools":[{tool}],"document":{{"cards":[{{"id":"a","title":"Same"}},{{"id":"b","title":"same"}}]}}}}"#);
    let mut player = Player::with(&case);
    player.tell(r#"{"type":"submit","text":"x","nowMs":1000}"#).model(&sse(&[], &[("c1", "paint", r#"{"id":"a"}"#)], "tool_use"));
    player.refusals();
    player.tell(r#"{"type":"approveCall","callId":"c1","editedInput":{"id":"same"}}"#);
    assert_eq!((player.refusals(), player.call("c1").status), (vec![RefusalReason::InvalidInput], CallStatus::Pending));
    player.tell(r#"{"type":"approveCall","callId":"c1","editedInput":{"id":"b"}}"#);
    assert_eq!(player.call("c1").status, CallStatus::Running);
}
