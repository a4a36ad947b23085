//! What an approval binds, tried from the sides: what was shown and nothing else, for the tool that was shown.

use countersign::protocol::call::{Awaiting, CallRecord, CallStatus};
use countersign::protocol::effect::Effect;
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

/// Somebody else changes the other card; told to the loop at this time.
fn edit(player: &mut Player, title: usize, now_ms: u64) {
    player.step(&json(&format!(r#"{{"edit":[{{"op":"replace","path":"/cards/1/title","value":"t{title}"}}]}}"#)));
    player.tell(&format!(r#"{{"type":"tick","nowMs":{now_ms}}}"#));
}

fn took_too_long(call: &CallRecord) -> bool {
    let error = call.preview.as_ref().and_then(|preview| preview.error.as_deref());
    call.awaiting == Some(Awaiting::User) && error.is_some_and(|error| error.contains("in time"))
}

#[test]
fn c4_l4_a_preview_that_is_asked_for_again_and_again_has_its_time_from_the_first() {
    let mut player = loop_with(&[ONE]);
    for at in 1..20 {
        edit(&mut player, at as usize, 1000 + at * 100);
        assert_eq!((player.call("c1").awaiting, player.tool_loop.next_deadline_ms()), (Some(Awaiting::Preview), Some(3000)));
    }
    let begun = player.effects.len();
    edit(&mut player, 20, 3000);
    assert!(took_too_long(&player.call("c1")) && player.asked().is_none());
    // what is given up as it is begun is not begun
    let begun: Vec<bool> = player.effects[begun..].iter().map(|effect| matches!(effect, Effect::Abort { .. })).collect();
    assert_eq!(begun, [true]);
    // as ever: what took too long is asked for anew once the document is another, and has its full time
    edit(&mut player, 21, 3100);
    assert_eq!((player.call("c1").awaiting, player.tool_loop.next_deadline_ms()), (Some(Awaiting::Preview), Some(5000)));
    player.show(&retitled(0, "One"));
    edit(&mut player, 22, 4900);
    assert_eq!(player.tool_loop.next_deadline_ms(), Some(5100), "what was answered has its full time");
}

#[test]
fn c5_l4_a_preview_behind_others_that_are_asked_for_again_has_its_time_from_the_first() {
    let mut player = loop_with(&[ONE, TWO]);
    let show_first = |player: &mut Player, now_ms: u64| {
        let (id, ..) = player.asked().unwrap();
        let told = format!(r#"{{"type":"previewed","callId":"c1","outcome":{},"nowMs":{now_ms}}}"#, retitled(0, "One"));
        player.dispatch(crate::turn::input(&told), Some(&id));
    };
    show_first(&mut player, 1050);
    assert_eq!((player.asked().unwrap().1.as_str(), player.tool_loop.next_deadline_ms()), ("c2", Some(3050)));
    for at in 1..20 {
        edit(&mut player, at as usize, 1000 + at * 100);
        assert_eq!(player.asked().unwrap().1, "c1");
        show_first(&mut player, 1050 + at * 100);
        assert_eq!((player.asked().unwrap().1.as_str(), player.tool_loop.next_deadline_ms()), ("c2", Some(3050)));
    }
    edit(&mut player, 20, 3000);
    show_first(&mut player, 3050);
    assert!(took_too_long(&player.call("c2")) && player.asked().is_none());
    // another input is another question
    player.tell(r#"{"type":"approveCall","callId":"c2","editedInput":{"id":"b","title":"Zwei"},"nowMs":3060}"#);
    assert_eq!((player.asked().unwrap().1.as_str(), player.tool_loop.next_deadline_ms()), ("c2", Some(5060)));
    edit(&mut player, 21, 3070);
    show_first(&mut player, 3080);
    player.tell(r#"{"type":"denyCall","callId":"c1","nowMs":3090}"#);
    assert_eq!((player.asked().unwrap().1.as_str(), player.tool_loop.next_deadline_ms()), ("c2", Some(5060)));
    player.show(&retitled(1, "Zwei"));
    assert_eq!(player.call("c2").awaiting, Some(Awaiting::User));
}

#[test]
fn l4_s2_a_preview_that_is_asked_for_again_after_a_rest_has_its_full_time() {
    let mut player = loop_with(&[ONE, TWO]);
    edit(&mut player, 1, 1500);
    player.step(&json(r#"{"restore":{}}"#));
    // the host answers before it tells the time
    player.show(&retitled(0, "One"));
    assert_eq!(player.asked().unwrap().1, "c2");
    edit(&mut player, 2, 90_000_000);
    assert_eq!((player.asked().unwrap().1.as_str(), player.tool_loop.next_deadline_ms()), ("c1", Some(90_002_000)));
    edit(&mut player, 3, 90_000_100);
    assert_eq!((player.asked().unwrap().1.as_str(), player.tool_loop.next_deadline_ms()), ("c1", Some(90_002_000)));
    player.show(&retitled(0, "One"));
    assert_eq!((player.asked().unwrap().1.as_str(), player.tool_loop.next_deadline_ms()), ("c2", Some(90_002_100)));
}
