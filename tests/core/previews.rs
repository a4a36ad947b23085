//! What a person approves is the effect they saw: tools of the host run on drafts, in order, and nothing else than shown is committed.

use countersign::protocol::call::{Awaiting, CallErrorCode, CallRecord, CallStatus, TurnPhase, TurnViolation};
use countersign::protocol::command::TurnInput;
use countersign::protocol::effect::Effect;
use countersign::protocol::ids::{CallId, EffectId};
use countersign::protocol::json::Json;
use countersign::protocol::preview::StaleCause;
use countersign::protocol::update::{RefusalReason, Update};
use countersign::tools::declaration::ToolDeclaration;
use countersign::tools::registry::ToolRegistry;
use countersign::turn::TurnLimits;

use crate::player::{Player, sse, store_of, tools_of};
use crate::turn::{Turn, advance, approve, batch, deny, input, json, settled, start_call};

/// What the shared tool `retitle` gives back: a change of the title at a place.
pub(crate) fn retitled(place: usize, title: &str) -> String {
    format!(r#"{{"status":"ok","result":"done","patch":[{{"op":"replace","path":"/cards/{place}/title","value":"{title}"}}]}}"#)
}

pub(crate) fn previewed(id: &str, outcome: &str) -> TurnInput {
    input(&format!(r#"{{"type":"previewed","callId":"{id}","outcome":{outcome}}}"#))
}

/// A loop over the two cards, after one message with these calls.
pub(crate) fn loop_with(calls: &[(&str, &str, &str)]) -> Player {
    let mut player = Player::with(r#"{"tools":["retitle","discard","rename","find"],"document":"two"}"#);
    player.tell(r#"{"type":"submit","text":"x","nowMs":1000}"#).model(&sse(&[], calls, "tool_use"));
    player
}

pub(crate) trait Previews {
    fn call(&mut self, id: &str) -> CallRecord;
    fn asked(&self) -> Option<(EffectId, String, Json)>;
    fn show(&mut self, outcome: &str);
    fn effect(&mut self, id: &str) -> String;
    fn approve(&mut self, id: &str);
    fn run(&mut self, id: &str, outcome: &str);
    fn refusals(&mut self) -> Vec<RefusalReason>;
}

impl Previews for Player {
    fn call(&mut self, id: &str) -> CallRecord {
        self.state().calls.find(&CallId::from(id)).unwrap().clone()
    }

    /// The open preview: its id, the call, the draft.
    fn asked(&self) -> Option<(EffectId, String, Json)> {
        self.tool_loop.pending().into_iter().find_map(|effect| match effect {
            Effect::Preview { id, call_id, document, .. } => Some((id, call_id.to_string(), document)),
            _ => None,
        })
    }

    /// Answers the open preview.
    fn show(&mut self, outcome: &str) {
        let (id, call_id, _) = self.asked().expect("a preview is open");
        self.dispatch(previewed(&call_id, outcome), Some(&id));
        self.laws();
    }

    fn effect(&mut self, id: &str) -> String {
        self.call(id).preview.unwrap_or_else(|| panic!("`{id}` has no preview")).effect_digest
    }

    /// Approves the card as it is now.
    fn approve(&mut self, id: &str) {
        let seen = self.effect(id);
        self.tell(&format!(r#"{{"type":"approveCall","callId":"{id}","seen":"{seen}"}}"#));
    }

    fn run(&mut self, id: &str, outcome: &str) {
        self.tell(&format!(r#"{{"type":"callSettled","callId":"{id}","outcome":{outcome}}}"#));
    }

    /// Every refusal since this was asked last.
    fn refusals(&mut self) -> Vec<RefusalReason> {
        let told = std::mem::take(&mut self.updates);
        told.into_iter().filter_map(|update| if let Update::Refused { reason, .. } = update { Some(reason) } else { None }).collect()
    }
}

pub(crate) const ONE: (&str, &str, &str) = ("c1", "retitle", r#"{"id":"a","title":"One"}"#);
pub(crate) const TWO: (&str, &str, &str) = ("c2", "retitle", r#"{"id":"b","title":"Two"}"#);

#[test]
fn c4_only_a_tool_of_the_page_that_changes_the_document_alone_may_say_that_it_runs_on_a_draft() {
    let declare = |members: &str| {
        let text = format!(r#"{{"name":"t","description":"d","inputSchema":{{"type":"object"}},{members}}}"#);
        ToolRegistry::new(vec![ToolDeclaration::decode(&json(&text)).unwrap()], &[]).map_err(|fault| fault.path.clone())
    };
    let with = declare(r#""preview":true,"target":{"section":"cards","path":"/id"}"#).unwrap();
    assert_ne!(with.digest(), declare(r#""preview":false"#).unwrap().digest(), "it is part of what a turn is frozen to");
    let read_back = ToolDeclaration::decode(&with.find("t").unwrap().declaration().to_json()).unwrap();
    assert_eq!(&read_back, with.find("t").unwrap().declaration());
    for refused in [r#""effect":"read""#, r#""runsOn":"server""#, r#""external":true"#] {
        assert_eq!(declare(&format!(r#""preview":true,{refused}"#)).unwrap_err(), "tools[0].preview", "{refused}");
    }
    for path in ["", "id", "/a~2"] {
        let target = format!(r#""target":{{"section":"cards","path":"{path}"}}"#);
        assert_eq!(declare(&target).unwrap_err(), "tools[0].target.path");
    }
    assert_eq!(declare(r#""effect":"read","target":{"section":"s","path":"/id"}"#).unwrap_err(), "tools[0].target");
}

#[test]
fn c4_a1_a_call_is_not_approved_before_its_effect_is_known() {
    let mut player = loop_with(&[ONE]);
    let (_, call_id, document) = player.asked().unwrap();
    assert_eq!((call_id.as_str(), &document), ("c1", &json(r#"{"cards":[{"id":"a","title":"Alpha"},{"id":"b","title":"Beta"}]}"#)));
    assert_eq!((player.call("c1").awaiting, player.state().phase), (Some(Awaiting::Preview), TurnPhase::AwaitingApproval));
    player.tell(r#"{"type":"approveCall","callId":"c1"}"#).tell(r#"{"type":"approveBatch","callIds":["c1"]}"#);
    assert_eq!(player.refusals(), [RefusalReason::StaleEffect; 2]);
    player.show(&retitled(0, "One"));
    let call = player.call("c1");
    let preview = call.preview.unwrap();
    assert_eq!((call.awaiting, preview.title.as_str(), preview.lines.len()), (Some(Awaiting::User), "Rename Alpha to One", 1));
    assert_eq!((preview.lines[0].before.as_deref(), preview.lines[0].after.as_deref()), (Some("Alpha"), Some("One")));
    assert_eq!(call.summary, "Rename a to One", "the line of the input alone stays what it is");
    assert_eq!(player.store.as_ref().unwrap().revision(), 1, "a preview commits nothing");
    player.approve("c1");
    let grant = player.state().grants[0].clone();
    assert_eq!(grant.effect_digest.as_deref(), Some(preview.effect_digest.as_str()));
    player.run("c1", &retitled(0, "One"));
    assert_eq!((player.call("c1").status, player.store.as_ref().unwrap().revision()), (CallStatus::Succeeded, 2));
}

#[test]
fn c4_a1_what_a_tool_does_beside_what_it_showed_is_not_committed() {
    for other in [
        retitled(0, "Onf"),
        retitled(1, "One"),
        r#"{"status":"ok","result":"done"}"#.to_owned(),
        r#"{"status":"ok","result":"done","document":{"cards":[{"id":"a","title":"One"}]}}"#.to_owned(),
        r#"{"status":"ok","result":"done","patch":[{"op":"replace","path":"/cards/0/title","value":"One"},{"op":"add","path":"/cards/-","value":{"id":"x"}}]}"#.to_owned(),
    ] {
        let mut player = loop_with(&[ONE]);
        player.show(&retitled(0, "One"));
        player.approve("c1");
        player.run("c1", &other);
        let call = player.call("c1");
        assert_eq!((call.status, call.error_code), (CallStatus::Failed, Some(CallErrorCode::ExecutionFailed)), "{other}");
        assert!(call.result.unwrap().contains("another change than the one that was approved"));
        assert_eq!(player.store.as_ref().unwrap().revision(), 1, "{other}");
    }
    // the same change told as a whole document is the same effect
    let mut player = loop_with(&[ONE]);
    player.show(&retitled(0, "One"));
    player.approve("c1");
    player.run("c1", r#"{"status":"ok","result":"done","document":{"cards":[{"id":"a","title":"One"},{"id":"b","title":"Beta"}]}}"#);
    assert_eq!(player.call("c1").status, CallStatus::Succeeded);
}

#[test]
fn c4_c1_what_a_tool_shows_and_may_not_do_is_said_on_its_card() {
    let mut player = loop_with(&[ONE]);
    let twice = r#"{"status":"ok","result":"","patch":[{"op":"add","path":"/cards/-","value":{"id":"a","title":"twice"}}]}"#;
    player.show(twice);
    let preview = player.call("c1").preview.unwrap();
    assert!(preview.error.is_some() && preview.lines.is_empty(), "{preview:?}");
    // whoever approves that it changes nothing has approved nothing else
    player.approve("c1");
    player.run("c1", &retitled(0, "One"));
    assert_eq!((player.call("c1").status, player.store.as_ref().unwrap().revision()), (CallStatus::Failed, 1));
    // and what is refused is refused in the validator's words
    let mut player = loop_with(&[ONE]);
    player.show(&retitled(0, "One"));
    player.approve("c1");
    player.run("c1", twice);
    assert_eq!(player.call("c1").error_code, Some(CallErrorCode::InvalidDocument));
}

#[test]
fn c5_previews_are_asked_in_order_each_on_what_those_before_it_made() {
    let mut player = loop_with(&[ONE, TWO, ("c3", "rename", r#"{"id":"a","title":"X"}"#)]);
    assert_eq!(player.asked().unwrap().1, "c1");
    assert_eq!((player.call("c2").awaiting, player.call("c3").awaiting), (Some(Awaiting::Preview), Some(Awaiting::User)));
    player.show(&retitled(0, "One"));
    let (_, call_id, document) = player.asked().unwrap();
    assert_eq!(
        (call_id.as_str(), document.to_text()),
        ("c2", r#"{"cards":[{"id":"a","title":"One"},{"id":"b","title":"Beta"}]}"#.to_owned())
    );
    player.show(&retitled(1, "Two"));
    assert!(player.asked().is_none());
    // approved together, run one after the other, asked once
    let (one, two) = (player.effect("c1"), player.effect("c2"));
    player
        .tell(&format!(r#"{{"type":"approveBatch","callIds":["c1","c2"],"seen":["{one}","{two}"]}}"#))
        .tell(r#"{"type":"denyCall","callId":"c3"}"#);
    player.run("c1", &retitled(0, "One"));
    player.run("c2", &retitled(1, "Two"));
    assert_eq!((player.call("c1").status, player.call("c2").status), (CallStatus::Succeeded, CallStatus::Succeeded));
    assert_eq!(player.effects.iter().filter(|effect| matches!(effect, Effect::Preview { .. })).count(), 2);
}

#[test]
fn c5_where_the_first_is_denied_or_fails_those_after_it_are_asked_anew() {
    // declined
    let mut player = loop_with(&[ONE, TWO]);
    player.show(&retitled(0, "One"));
    player.show(&retitled(1, "Two"));
    player.approve("c2");
    player.tell(r#"{"type":"denyCall","callId":"c1"}"#);
    assert_eq!((player.call("c2").status, player.call("c2").awaiting), (CallStatus::Pending, Some(Awaiting::Preview)));
    assert_eq!(player.asked().unwrap().2.to_text(), r#"{"cards":[{"id":"a","title":"Alpha"},{"id":"b","title":"Beta"}]}"#);
    // the same effect: what was approved stands, and runs
    player.show(&retitled(1, "Two"));
    assert_eq!(player.call("c2").status, CallStatus::Running);
    // failed, and the second depends on it
    let mut player = loop_with(&[ONE, ("c2", "retitle", r#"{"id":"a","title":"Two"}"#)]);
    player.show(&retitled(0, "One"));
    player.show(&retitled(0, "Two"));
    player.approve("c1");
    player.approve("c2");
    player.run("c1", r#"{"status":"error","result":"no"}"#);
    assert_eq!((player.call("c2").status, player.state().phase), (CallStatus::Pending, TurnPhase::AwaitingApproval));
    player.show(&retitled(0, "Two"));
    let call = player.call("c2");
    assert_eq!((call.status, call.awaiting), (CallStatus::Pending, Some(Awaiting::User)));
    let stale = call.stale.unwrap();
    assert_eq!((stale.because, stale.lines.len()), (StaleCause::Calls, 0));
    assert_eq!(call.preview.unwrap().lines[0].before.as_deref(), Some("Alpha"));
    assert!(player.state().grants.iter().all(|grant| grant.call_id.as_str() != "c2"), "an approval of another effect is void");
    player.approve("c2");
    assert!(player.call("c2").stale.is_none(), "decided");
    player.run("c2", &retitled(0, "Two"));
    assert_eq!(player.call("c2").status, CallStatus::Succeeded);
}

#[test]
fn c5_a6_an_edited_input_is_shown_first_and_those_after_it_anew() {
    let mut player = loop_with(&[ONE, ("c2", "retitle", r#"{"id":"a","title":"Two"}"#)]);
    player.show(&retitled(0, "One"));
    player.show(&retitled(0, "Two"));
    let seen = player.effect("c1");
    player.tell(&format!(r#"{{"type":"approveCall","callId":"c1","editedInput":{{"id":"a","title":"Mine"}},"seen":"{seen}"}}"#));
    let call = player.call("c1");
    assert_eq!((call.status, call.edited, call.awaiting, call.preview), (CallStatus::Pending, true, Some(Awaiting::Preview), None));
    assert_eq!((player.asked().unwrap().1.as_str(), player.call("c2").awaiting), ("c1", Some(Awaiting::Preview)));
    // the card of the model's input names nothing any more
    player.refusals();
    player.tell(&format!(r#"{{"type":"approveCall","callId":"c1","seen":"{seen}"}}"#));
    player.show(&retitled(0, "Mine"));
    player.tell(&format!(r#"{{"type":"approveCall","callId":"c1","seen":"{seen}"}}"#));
    assert_eq!(player.refusals(), [RefusalReason::StaleEffect; 2]);
    assert!(player.call("c1").stale.is_none(), "the person's own input is no surprise");
    player.show(&retitled(0, "Two"));
    let second = player.call("c2");
    assert_eq!((second.stale.unwrap().because, second.preview.unwrap().lines[0].before.as_deref()), (StaleCause::Calls, Some("Mine")));
    player.approve("c1");
    player.approve("c2");
    player.run("c1", &retitled(0, "Mine"));
    player.run("c2", &retitled(0, "Two"));
    assert_eq!((player.call("c1").status, player.call("c2").status), (CallStatus::Succeeded, CallStatus::Succeeded));
    // c3: one step, taken back as one
    player.model(&sse(&["done"], &[], "end_turn"));
    player.finish();
}

const TITLE_OF_A: &str = r#"{"edit":[{"op":"replace","path":"/cards/0/title","value":"Else"}]}"#;
const TITLE_OF_B: &str = r#"{"edit":[{"op":"replace","path":"/cards/1/title","value":"Else"}]}"#;

#[test]
fn a9_an_edit_of_the_person_keeps_an_approval_of_the_same_effect() {
    let mut player = loop_with(&[ONE, ("c2", "rename", r#"{"id":"b","title":"X"}"#)]);
    player.show(&retitled(0, "One"));
    player.approve("c1");
    let before = player.state().grants[0].clone();
    player.step(&json(TITLE_OF_B));
    player.tell(r#"{"type":"tick","nowMs":1001}"#);
    // not void, and of no use: what it would do now is asked first
    assert_eq!((player.call("c1").status, player.call("c1").awaiting), (CallStatus::Pending, Some(Awaiting::Preview)));
    assert_eq!(player.state().grants, std::slice::from_ref(&before));
    player.refusals();
    player.tell(r#"{"type":"approveCall","callId":"c1"}"#);
    assert_eq!(player.refusals(), [RefusalReason::StaleEffect]);
    player.show(&retitled(0, "One"));
    assert_eq!((player.call("c1").status, player.call("c1").stale), (CallStatus::Approved, None));
    let renewed = player.state().grants[0].clone();
    assert_eq!((renewed.scope, renewed.expires_at_ms, &renewed.effect_digest), (before.scope, before.expires_at_ms, &before.effect_digest));
    assert!(renewed.document_revision == 2 && renewed.binding != before.binding, "sealed for the document as it is now");
    player.tell(r#"{"type":"denyCall","callId":"c2"}"#);
    player.run("c1", &retitled(0, "One"));
    assert_eq!(player.call("c1").status, CallStatus::Succeeded);
}

#[test]
fn a9_an_edit_of_the_person_that_makes_it_another_effect_asks_again_and_says_why() {
    for approved in [true, false] {
        let mut player = loop_with(&[ONE, TWO]);
        player.show(&retitled(0, "One"));
        player.show(&retitled(1, "Two"));
        let seen = player.effect("c1");
        if approved {
            player.approve("c1");
        }
        player.step(&json(TITLE_OF_A));
        player.tell(r#"{"type":"tick","nowMs":1001}"#);
        player.show(&retitled(0, "One"));
        let call = player.call("c1");
        assert_eq!((call.status, call.awaiting), (CallStatus::Pending, Some(Awaiting::User)));
        let stale = call.stale.unwrap();
        assert_eq!((stale.because, stale.lines[0].after.as_deref(), stale.lines.len()), (StaleCause::Document, Some("Else"), 1));
        assert!(player.state().grants.is_empty());
        player.refusals();
        player.tell(&format!(r#"{{"type":"approveCall","callId":"c1","seen":"{seen}"}}"#));
        assert_eq!(player.refusals(), [RefusalReason::StaleEffect]);
        assert_eq!(player.state().violation_counts.of(TurnViolation::StaleDocument), 1);
        // the edit is taken back: it is what it was, and says so
        player.step(&json(r#"{"undo":true}"#));
        player.tell(r#"{"type":"tick","nowMs":1002}"#);
        player.show(&retitled(0, "One"));
        assert!(player.call("c1").stale.is_none() && player.effect("c1") == seen);
        // what the second stands on was the same all along
        assert_eq!((player.asked(), player.call("c2").awaiting), (None, Some(Awaiting::User)));
        player.approve("c1");
        assert_eq!(player.call("c1").status, CallStatus::Approved);
    }
}

#[test]
fn a9_c1_an_edit_while_the_tool_runs_refuses_what_it_made() {
    let mut player = loop_with(&[ONE]);
    player.show(&retitled(0, "One"));
    player.approve("c1");
    player.step(&json(TITLE_OF_B));
    player.run("c1", &retitled(0, "One"));
    assert_eq!(player.call("c1").error_code, Some(CallErrorCode::DocumentChanged));
}

#[test]
fn c4_t9_a_late_answer_of_a_preview_that_was_stopped_is_not_heard() {
    let mut player = loop_with(&[ONE, TWO]);
    let (first, ..) = player.asked().unwrap();
    player.step(&json(TITLE_OF_B));
    player.tell(r#"{"type":"tick","nowMs":1001}"#);
    let (second, ..) = player.asked().unwrap();
    assert_ne!(first, second, "an id is never used again");
    let stopped =
        |player: &Player, id: &EffectId| player.effects.iter().any(|effect| matches!(effect, Effect::Abort { ids } if ids.contains(id)));
    assert!(stopped(&player, &first) && !stopped(&player, &second));
    player.refusals();
    player.dispatch(previewed("c1", &retitled(0, "Late")), Some(&first));
    // nor is one for another call, or one that nobody asked for
    player.dispatch(previewed("c2", &retitled(1, "Two")), Some(&second));
    player.dispatch(previewed("c2", &retitled(1, "Two")), None);
    player.dispatch(previewed("nobody", &retitled(1, "Two")), Some(&second));
    assert_eq!(player.refusals(), [RefusalReason::StaleEffect; 4]);
    assert!(player.call("c1").preview.is_none() && player.call("c2").preview.is_none());
    // a no before it is answered stops it, and the next is asked
    player.tell(r#"{"type":"denyCall","callId":"c1"}"#);
    assert!(stopped(&player, &second));
    assert_eq!(player.asked().unwrap().1, "c2");
    player.tell(r#"{"type":"cancel"}"#);
    assert!(player.asked().is_none() && player.tool_loop.pending().is_empty());
    player.dispatch(previewed("c2", &retitled(1, "Two")), None);
    assert_eq!(player.refusals(), [RefusalReason::StaleEffect]);
}

#[test]
fn c4_l4_a_preview_that_takes_too_long_says_so_and_holds_nobody() {
    let mut player = loop_with(&[ONE, TWO]);
    assert_eq!(player.tool_loop.next_deadline_ms(), Some(3000), "the tool's own time");
    player.tell(r#"{"type":"tick","nowMs":2999}"#);
    assert!(player.asked().is_some());
    let (first, ..) = player.asked().unwrap();
    player.tell(r#"{"type":"tick","nowMs":3000}"#);
    assert!(player.effects.iter().any(|effect| matches!(effect, Effect::Abort { ids } if ids.contains(&first))));
    let call = player.call("c1");
    assert_eq!(call.awaiting, Some(Awaiting::User));
    assert!(call.preview.unwrap().error.unwrap().contains("in time"));
    assert_eq!(player.asked().unwrap().1, "c2");
    // approved all the same, it may change nothing
    player.show(&retitled(1, "Two"));
    player.approve("c1");
    player.tell(r#"{"type":"denyCall","callId":"c2"}"#);
    player.run("c1", &retitled(0, "One"));
    assert_eq!((player.call("c1").status, player.store.as_ref().unwrap().revision()), (CallStatus::Failed, 1));
}

#[test]
fn c4_t9_a_new_message_stops_the_preview_of_the_turn_it_takes_the_place_of() {
    let mut player = loop_with(&[ONE]);
    let (id, ..) = player.asked().unwrap();
    player.tell(r#"{"type":"submit","text":"rather this","nowMs":1001}"#);
    assert!(player.asked().is_none() && player.effects.iter().any(|effect| matches!(effect, Effect::Abort { ids } if ids.contains(&id))));
    player.refusals();
    player.dispatch(previewed("c1", &retitled(0, "One")), Some(&id));
    assert_eq!(player.refusals(), [RefusalReason::StaleEffect]);
}

#[test]
fn a9_c4_without_a_document_of_its_own_a_loop_asks_anew_when_the_host_tells_of_an_edit() {
    let mut player = Player::with(r#"{"tools":["retitle"]}"#);
    player.tell(r#"{"type":"submit","text":"x","nowMs":1000}"#).model(&sse(&[], &[ONE, TWO], "tool_use"));
    assert_eq!(player.asked().unwrap().2, Json::Null);
    player.show(&retitled(0, "One"));
    player.show(&retitled(1, "Two"));
    let preview = player.call("c1").preview.unwrap();
    assert_eq!((preview.title.as_str(), preview.patch.len(), preview.lines.len()), ("Rename a to One", 1, 0));
    player.approve("c1");
    player.tell(r#"{"type":"documentEdited","documentRevision":5}"#);
    assert_eq!((player.call("c1").awaiting, player.asked().unwrap().1.as_str()), (Some(Awaiting::Preview), "c1"));
    player.show(&retitled(0, "Other"));
    player.show(&retitled(1, "Two"));
    assert_eq!((player.call("c1").status, player.call("c1").stale.is_some(), player.call("c2").stale), (CallStatus::Pending, true, None));
    // those that were shown behind a call that is declined are asked anew too: nobody else can tell
    player.tell(r#"{"type":"denyCall","callId":"c1"}"#);
    assert_eq!(player.asked().unwrap().1, "c2");
}

#[test]
fn a11_a_card_has_its_time_from_when_it_shows_its_effect() {
    let case = r#"{"tools":["retitle"],"document":"two","options":{"limits":{"approvalTtlMs":1500}}}"#;
    let mut player = Player::with(case);
    player.tell(r#"{"type":"submit","text":"x","nowMs":1000}"#).model(&sse(&[], &[ONE], "tool_use"));
    player.tell(r#"{"type":"tick","nowMs":2000}"#);
    player.show(&retitled(0, "One"));
    assert_eq!(player.call("c1").expires_at_ms, Some(3500));
    player.approve("c1");
    // a renewed approval lapses when the one that was given would have
    assert_eq!(player.state().grants[0].expires_at_ms, Some(3500));
}

#[test]
fn a5_a_destructive_call_is_approved_alone_and_as_it_was_shown() {
    let gone = r#"{"status":"ok","result":"gone","patch":[{"op":"remove","path":"/cards/0"}]}"#;
    let mut player = loop_with(&[("c1", "discard", r#"{"id":"a"}"#)]);
    player.show(gone);
    let seen = player.effect("c1");
    player.refusals();
    player.tell(&format!(r#"{{"type":"approveBatch","callIds":["c1"],"seen":["{seen}"]}}"#));
    // another thing is another card
    player.tell(r#"{"type":"approveCall","callId":"c1","editedInput":{"id":"b"},"seen":"nothing"}"#);
    assert_eq!(player.refusals(), [RefusalReason::DestructiveInBatch, RefusalReason::StaleEffect]);
    assert_eq!((player.call("c1").status, player.effect("c1")), (CallStatus::Pending, seen.clone()));
    player.approve("c1");
    player.run("c1", gone);
    assert_eq!(player.call("c1").status, CallStatus::Succeeded);
}

#[test]
fn a1_two_loops_on_one_store_see_each_others_changes_before_they_are_approved() {
    let store = store_of(&json(r#"{"document":"two"}"#)).unwrap();
    let player = || {
        let mut player = Player::with(r#"{"tools":["retitle"]}"#);
        let options = countersign::tool_loop::LoopOptions { trace_turn: true, ..Default::default() };
        let tools = tools_of(Some(&json(r#"["retitle"]"#)));
        player.tool_loop = countersign::tool_loop::ToolLoop::new(options, tools, Some(store.clone())).unwrap();
        player.store = Some(store.clone());
        player.tell(r#"{"type":"submit","text":"x","nowMs":1000}"#).model(&sse(&[], &[ONE], "tool_use"));
        player.show(&retitled(0, "One"));
        player
    };
    let (mut one, mut two) = (player(), player());
    let seen = two.effect("c1");
    one.approve("c1");
    one.run("c1", &retitled(0, "One"));
    assert_eq!(store.revision(), 2);
    two.refusals();
    two.tell(&format!(r#"{{"type":"approveCall","callId":"c1","seen":"{seen}"}}"#));
    assert_eq!(two.refusals(), [RefusalReason::StaleEffect]);
    two.show(&retitled(0, "One"));
    let call = two.call("c1");
    assert_eq!((call.stale.unwrap().because, call.preview.unwrap().lines.len()), (StaleCause::Document, 0), "there is nothing left to do");
}

#[test]
fn s1_s2_previews_are_worked_out_again_where_a_turn_is_taken_up() {
    let mut player = loop_with(&[ONE, TWO]);
    player.show(&retitled(0, "One"));
    player.approve("c1");
    let text = player.tool_loop.snapshot();
    assert!(text.contains(r#""preview":null"#) && !text.contains("effectDigest\":\""), "nothing of it is laid down");
    let (before, ..) = player.asked().unwrap();
    player.step(&json(r#"{"restore":{}}"#));
    assert_eq!((player.call("c1").status, player.call("c1").awaiting), (CallStatus::Pending, Some(Awaiting::Preview)));
    assert!(player.state().grants.is_empty());
    let (id, call_id, _) = player.asked().unwrap();
    assert!(call_id == "c1" && id != before);
    // its time counts from when the host tells the time
    player.tell(r#"{"type":"tick","nowMs":900000}"#);
    assert_eq!(player.asked().unwrap().0, id);
    player.show(&retitled(0, "One"));
    player.show(&retitled(1, "Two"));
    player.approve("c1");
    player.approve("c2");
    player.run("c1", &retitled(0, "One"));
    assert_eq!(player.call("c2").status, CallStatus::Running);
}

#[test]
fn c4_what_a_call_would_do_can_be_asked_and_changes_nothing() {
    let mut player = loop_with(&[ONE]);
    let state = player.state();
    assert!(player.tool_loop.preview(&CallId::from("c1"), None).is_none());
    let wrong = player.tool_loop.preview(&CallId::from("c1"), Some(&json(r#"{"id":1}"#))).unwrap();
    assert!(wrong.error.as_deref().unwrap().contains("title"), "{wrong:?}");
    assert!(player.tool_loop.preview(&CallId::from("c1"), Some(&json(r#"{"id":"a","title":"Z"}"#))).is_none(), "only its tool could say");
    assert!(player.tool_loop.preview(&CallId::from("no"), Some(&json("{}"))).is_none());
    assert_eq!(player.state(), state);
    player.show(&retitled(0, "One"));
    assert_eq!(player.tool_loop.preview(&CallId::from("c1"), None), player.call("c1").preview);
}

#[test]
fn c4_c5_a9_the_pure_reducer_holds_to_the_same() {
    let mut turn = Turn::asked(&["retitle", "discard", "rename", "find"]);
    turn.model(&[ONE, ("c2", "discard", r#"{"id":"b"}"#), ("r1", "find", r#"{"q":"x"}"#)]);
    turn.refuses(approve("c1"))
        .refuses(batch(&["c1"]))
        .refuses(previewed("zz", &retitled(0, "x")))
        .refuses(previewed("r1", &retitled(0, "x")));
    turn.tell(previewed("c1", &retitled(0, "One"))).tell(previewed("c2", &retitled(1, "Two")));
    let effect = turn.call("c1").preview.clone().unwrap().effect_digest;
    turn.refuses(input(r#"{"type":"approveCall","callId":"c1","seen":"x"}"#));
    turn.tell(input(&format!(r#"{{"type":"approveCall","callId":"c1","seen":"{effect}"}}"#)));
    // another effect than was approved is not approved, and what stands on it is asked anew
    turn.tell(previewed("c1", &retitled(0, "Other")));
    assert_eq!((turn.status("c1"), turn.call("c2").awaiting), (CallStatus::Pending, Some(Awaiting::Preview)));
    assert!(turn.state.grants.iter().all(|grant| grant.call_id.as_str() == "r1") && turn.call("c1").stale.is_some());
    turn.tell(previewed("c1", &retitled(0, "One"))).tell(approve("c1")).tell(previewed("c2", &retitled(1, "Two"))).tell(approve("c2"));
    // somebody edits: both wait, and neither starts
    turn.tell(input(r#"{"type":"documentEdited","documentRevision":7}"#));
    turn.refuses(start_call("c1")).refuses(approve("c1"));
    turn.tell(previewed("c1", &retitled(0, "One")));
    assert_eq!(turn.status("c1"), CallStatus::Approved);
    turn.tell(previewed("c2", &retitled(1, "Else")));
    assert_eq!((turn.status("c2"), turn.phase()), (CallStatus::Pending, TurnPhase::AwaitingApproval));
    turn.tell(approve("c2"));
    // a start that names a document nobody told of asks again, and keeps what was approved for the same effect
    turn.tell(input(r#"{"type":"startCall","callId":"c1","nowMs":0,"documentRevision":9}"#));
    assert_eq!((turn.status("c1"), turn.call("c1").awaiting), (CallStatus::Pending, Some(Awaiting::Preview)));
    turn.tell(previewed("c1", &retitled(0, "One")));
    turn.tell(input(r#"{"type":"startCall","callId":"c1","nowMs":0,"documentRevision":9}"#));
    turn.refuses(previewed("c1", &retitled(0, "One")));
    turn.tell(input(r#"{"type":"callSettled","callId":"c1","outcome":{"status":"error","result":"no"}}"#));
    assert_eq!(turn.call("c2").awaiting, Some(Awaiting::Preview), "c5: it stood on what did not happen");
    turn.tell(deny("c2")).refuses(previewed("c2", &retitled(1, "Else")));
    turn.tell(start_call("r1")).tell(settled("r1", "x")).tell(advance());
    turn.refuses(previewed("c2", &retitled(1, "Else")));
}

#[test]
fn a1_a_grant_of_another_effect_than_the_card_shows_starts_nothing() {
    let mut turn = Turn::asked_with(&["retitle"], TurnLimits::default());
    turn.model(&[ONE]).tell(previewed("c1", &retitled(0, "One"))).tell(approve("c1"));
    let mut altered = turn.state.clone();
    let text = serde_json::to_string(&altered).unwrap();
    let effect = turn.call("c1").preview.clone().unwrap().effect_digest;
    // what the card says is changed under the approval, or the approval under the card
    for (at, place) in [r#""preview":{"#, r#""grants":["#].into_iter().enumerate() {
        let from = text.find(place).unwrap();
        let swapped = format!("{}{}", &text[..from], text[from..].replacen(&effect, &"0".repeat(64), 1));
        altered = countersign::turn::TurnState::decode(&swapped).unwrap();
        let answer = countersign::turn::authorize_start(&altered, &CallId::from("c1"), 0, 0, &turn.tools);
        assert_eq!(answer, Err([TurnViolation::DigestMismatch, TurnViolation::NoGrant][at]));
    }
    assert_eq!(countersign::turn::authorize_start(&turn.state, &CallId::from("c1"), 0, 0, &turn.tools), Ok(()));
}
