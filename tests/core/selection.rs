//! A call that names a thing by its title: the person chooses, and the call is shown and asks like any other.

use countersign::protocol::act::ActResult;
use countersign::protocol::call::{Awaiting, CallStatus};
use countersign::protocol::update::RefusalReason;

use crate::player::{Player, sse, store_of, tools_of};
use crate::previews::{Previews, retitled};
use crate::turn::json;

#[test]
fn m9_a_title_in_place_of_an_id_is_for_the_person_to_choose() {
    let case =
        r#"{"tools":["retitle"],"document":{"cards":[{"id":"a","title":"Same"},{"id":"b","title":"  same"},{"id":"c","title":"Alone"}]}}"#;
    let mut player = Player::with(case);
    let calls = [
        ("c1", "retitle", r#"{"id":"SAME ","title":"One"}"#),
        ("c2", "retitle", r#"{"id":"alone","title":"Two"}"#),
        ("c3", "retitle", r#"{"id":"nobody","title":"Three"}"#),
        ("c4", "retitle", r#"{"id":"b","title":"Four"}"#),
    ];
    player.tell(r#"{"type":"submit","text":"x","nowMs":1000}"#).model(&sse(&[], &calls, "tool_use"));
    let act = player.call("c1").act.unwrap();
    let ids = |act: &countersign::protocol::act::ActRecord| {
        act.candidates.as_ref().unwrap().iter().map(|candidate| candidate.id.clone()).collect::<Vec<_>>()
    };
    assert_eq!((act.index, act.result, ids(&act)), (0, ActResult::NeedsSelection, vec!["a".to_owned(), "b".to_owned()]));
    let second = player.call("c2");
    let act = second.act.unwrap();
    assert_eq!((act.index, act.result, ids(&act)), (1, ActResult::NeedsSelection, vec!["c".to_owned()]), "one alone is shown too");
    assert_eq!(second.awaiting, Some(Awaiting::User));
    assert!(player.call("c4").act.is_none(), "an id is an id");
    // what can be worked out is: the one that names nothing is for its tool to say
    assert_eq!(player.asked().unwrap().1, "c3");
    player.refusals();
    player.tell(r#"{"type":"approveCall","callId":"c1"}"#).tell(r#"{"type":"approveBatch","callIds":["c1","c2"]}"#);
    player.tell(r#"{"type":"selectTarget","callId":"c1","targetId":"c"}"#).tell(r#"{"type":"selectTarget","callId":"c4","targetId":"a"}"#);
    assert_eq!(player.refusals(), [RefusalReason::InvalidInput; 5]);
    player.tell(r#"{"type":"selectTarget","callId":"c1","targetId":"b"}"#);
    let call = player.call("c1");
    assert_eq!((call.edited, call.status, call.awaiting), (true, CallStatus::Pending, Some(Awaiting::Preview)));
    assert_eq!(
        (call.act.unwrap().result, call.input.to_text()),
        (ActResult::AwaitingConfirmation, r#"{"id":"b","title":"One"}"#.to_owned())
    );
    assert_eq!(player.asked().unwrap().1, "c1", "it is shown, and still asks");
    player.show(&retitled(1, "One"));
    player.show(r#"{"status":"error","result":"no card has this id"}"#);
    assert_eq!(player.call("c3").preview.unwrap().error.as_deref(), Some("no card has this id"));
    // a restored turn chooses again where nothing was chosen, and keeps what was
    player.step(&json(r#"{"restore":{}}"#));
    assert!(player.call("c1").act.is_none() && player.call("c2").act.unwrap().result == ActResult::NeedsSelection);
    // the last thing it could mean is gone: it is a call like any other
    player.step(&json(r#"{"edit":[{"op":"remove","path":"/cards/2"}]}"#));
    player.tell(r#"{"type":"tick","nowMs":1001}"#);
    assert!(player.call("c2").act.is_none());
}

#[test]
fn m9_a_target_in_a_section_that_is_not_there_is_refused_at_once() {
    let tool = r#"{"name":"t","description":"d","inputSchema":{"type":"object"},"target":{"section":"boards","path":"/id"}}"#;
    let store = store_of(&json(r#"{"document":"two"}"#));
    let tools = tools_of(Some(&json(&format!("[{tool}]"))));
    let fault = countersign::tool_loop::ToolLoop::new(Default::default(), tools.clone(), store).err().unwrap();
    assert_eq!((fault.code, fault.message.contains("boards")), ("invalid_options", true));
    assert!(countersign::tool_loop::ToolLoop::new(Default::default(), tools, None).is_ok(), "without a document nobody looks");
}
