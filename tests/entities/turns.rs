//! Whole turns with the tools: cards, decisions, one step, the same ids again.

use countersign::document::outcome::TurnStanding;
use countersign::protocol::call::{CallRecord, CallStatus};
use countersign::protocol::command::{TurnCommand, TurnInput};
use countersign::protocol::preview::StaleCause;
use countersign::protocol::update::{RefusalReason, Update};
use countersign::tool_loop::{LoopOptions, Outcome, ToolLoop};
use countersign::turn::reduce::reduce_turn;

use super::*;

/// A loop over the flow chart, driven by JSON.
struct Table {
    desk: Desk,
    tool_loop: ToolLoop,
    calls: usize,
}

impl Table {
    fn new() -> Table {
        Table::over(Desk::chart())
    }

    fn over(desk: Desk) -> Table {
        let options = LoopOptions { trace_turn: true, ..LoopOptions::default() };
        let tool_loop = ToolLoop::new(options, desk.registry.clone(), Some(desk.store.clone())).unwrap();
        Table { desk, tool_loop, calls: 0 }
    }

    fn tell(&mut self, told: &str) -> Outcome {
        self.tool_loop.dispatch(TurnInput::decode(&json(told)).unwrap(), None)
    }

    /// One message of the model with these calls.
    fn model(&mut self, calls: &[(&str, &str)]) {
        for (name, input) in calls {
            self.calls += 1;
            let _ = self.tell(&format!(r#"{{"type":"tool_call_complete","id":"c{}","name":"{name}","input":{input}}}"#, self.calls));
        }
        let _ = self.tell(r#"{"type":"message_stop","stopReason":"tool_use"}"#);
    }

    fn cards(&mut self) -> Vec<(String, CallStatus)> {
        let line = |call: &CallRecord| match &call.preview {
            Some(preview) if preview.error.is_some() => format!("{} (would be refused)", preview.title),
            Some(preview) => preview.title.clone(),
            None => call.summary.clone(),
        };
        self.tool_loop.state().calls.iter().map(|call| (line(call), call.status)).collect()
    }

    fn card(&mut self, at: usize) -> String {
        self.cards()[at].0.clone()
    }

    /// What the card on screen is known by.
    fn seen(&mut self, at: usize) -> String {
        let state = self.tool_loop.state();
        state.calls.iter().nth(at).unwrap().preview.as_ref().unwrap().effect_digest.clone()
    }

    fn approve(&mut self, at: usize) -> Outcome {
        let seen = self.seen(at);
        self.tell(&format!(r#"{{"type":"approveCall","callId":"c{}","seen":"{seen}"}}"#, at + 1))
    }
}

fn started() -> Table {
    let mut table = Table::new();
    let _ = table.tell(r#"{"type":"submit","text":"x","nowMs":1}"#);
    table
}

const DELETE_STEP: (&str, &str) = ("delete_entity", r#"{"kind":"nodes","id":"node-2"}"#);

#[test]
fn e4_the_card_names_by_title_and_counts_what_goes_along() {
    let mut table = started();
    table.model(&[
        DELETE_STEP,
        ("delete_entity", r#"{"kind":"lanes","id":"lane-2"}"#),
        ("delete_entity", r#"{"kind":"lanes","id":"nope"}"#),
        ("add_entity", r#"{"kind":"nodes","fields":{"lane":"lane-1","label":"Weigh","shape":"step"}}"#),
        ("update_entity", r#"{"kind":"edges","id":"edge-4","set":{"weight":1,"label":"never"},"clear":["bends"]}"#),
        ("move_entity", r#"{"kind":"nodes","id":"node-6","before":"node-1"}"#),
        ("move_entity", r#"{"kind":"comments","id":"c-1"}"#),
    ]);
    let lines: Vec<String> = table.cards().into_iter().map(|card| card.0).collect();
    assert_eq!(
        lines,
        [
            "Delete \"Inspect\" (node-2) from nodes and with it 2 of nodes, 3 of edges; taken out of 2 of comments",
            "Delete \"Warehouse\" (lane-2) from lanes (would be refused)",
            "Delete nope from lanes (would be refused)",
            "Add \"Weigh\" to nodes: lane = \"lane-1\", shape = \"step\"",
            "Change \"no\" (edge-4) of edges: weight = 1, label = \"never\", clear bends",
            "Move \"Refund\" (node-6) of nodes before \"Parcel arrives\" (node-1)",
            "Move c-1 of comments to the end",
        ]
    );
    assert_eq!(table.desk.store.revision(), 1, "a card changes nothing");
}

#[test]
fn e4_no_title_or_name_goes_on_as_if_it_were_the_line() {
    let definition = json(
        r#"{"kind":"list","sections":[{"name":"things","path":"/things","titleKey":"name"},{"name":"odd ones","path":"/odd","titleKey":"name"}]}"#,
    );
    let document =
        json(r#"{"things":[{"id":"a","name":"B\" (b) from things and with it 9 of \"x"},{"id":"b to the end"},{"id":"c"}],"odd":[]}"#);
    let desk = Desk::of(&definition, &document);
    for (tool, input, line) in [
        ("delete_entity", r#"{"kind":"things","id":"a"}"#, r#"Delete "B\" (b) from things and with it 9 of \"x" (a) from things"#),
        ("move_entity", r#"{"kind":"things","id":"c","after":"b to the end"}"#, r#"Move c of things behind "b to the end""#),
        (
            "add_entity",
            r#"{"kind":"odd ones","fields":{"name":"n\" to things: \"","x = 1, y":2}}"#,
            r#"Add "n\" to things: \"" to "odd ones": "x = 1, y" = 2"#,
        ),
        (
            "update_entity",
            r#"{"kind":"things","id":"c","set":{"name":"q\", clear \"r"},"clear":["s, t = 1"]}"#,
            r#"Change c of things: name = "q\", clear \"r", clear "s, t = 1""#,
        ),
    ] {
        assert_eq!(desk.card(tool, input), line);
    }
    // nor does it take the room of what goes along
    for count in 0..90 {
        let definition = json(
            r#"{"kind":"b","sections":[{"name":"lanes","path":"/lanes","titleKey":"name"},{"name":"cards","path":"/cards","references":[
                {"path":"/lane","section":"lanes","onDelete":"cascade"}]}]}"#,
        );
        let quotes = r#"\""#.repeat(count);
        let document = json(&format!(
            r#"{{"lanes":[{{"id":"{}","name":"{quotes}"}}],"cards":[{{"id":"x","lane":"{}"}}]}}"#,
            &r#"\""#.repeat(count.max(1)),
            &r#"\""#.repeat(count.max(1))
        ));
        let desk = Desk::of(&definition, &document);
        let line = desk.card("delete_entity", &format!(r#"{{"kind":"lanes","id":"{}"}}"#, r#"\""#.repeat(count.max(1))));
        assert!(line.ends_with("from lanes and with it 1 of cards"), "{line}");
        let inside = line.replace(r#"\""#, "");
        assert_eq!(inside.matches('"').count(), 4, "{line}");
    }
}

#[test]
fn a5_a_delete_is_approved_alone() {
    let mut table = started();
    table.model(&[("add_entity", r#"{"kind":"lanes","fields":{"name":"Roof"}}"#), DELETE_STEP]);
    let (one, two) = (table.seen(0), table.seen(1));
    let outcome = table.tell(&format!(r#"{{"type":"approveBatch","callIds":["c1","c2"],"seen":["{one}","{two}"]}}"#));
    assert!(outcome.updates.iter().any(|update| matches!(update, Update::Refused { .. })));
    assert_eq!(table.desk.store.revision(), 1);
    let _ = table.approve(1);
    assert_eq!(table.desk.ids("lanes").last().unwrap(), "lane-4");
    assert_eq!(table.desk.ids("edges"), ["edge-4"]);
}

#[test]
fn x1_c3_calls_of_one_message_run_in_order_and_the_turn_is_one_step() {
    let mut table = started();
    table.model(&[
        ("add_entity", r#"{"kind":"lanes","fields":{"name":"Roof"}}"#),
        ("add_entity", r#"{"kind":"nodes","fields":{"label":"Dry","shape":"step","lane":"lane-4"}}"#),
        ("update_entity", r#"{"kind":"nodes","id":"node-7","set":{"parent":"node-2"}}"#),
        ("move_entity", r#"{"kind":"nodes","id":"node-7","after":"node-2"}"#),
    ]);
    let _ = table.tell(r#"{"type":"approveBatch","callIds":["c1","c2","c3","c4"]}"#);
    assert!(table.cards().iter().all(|card| card.1 == CallStatus::Succeeded), "{:?}", table.cards());
    let node = table.desk.store.read().get("nodes").and_then(Json::as_array).unwrap()[2].to_text();
    assert_eq!(node, r#"{"id":"node-7","label":"Dry","shape":"step","lane":"lane-4","parent":"node-2"}"#);
    table.model(&[("delete_entity", r#"{"kind":"nodes","id":"node-2"}"#)]);
    assert!(table.card(4).contains("with it 3 of nodes, 3 of edges"), "{}", table.card(4));
    let _ = table.approve(4);
    let _ = table.tell(r#"{"type":"message_stop","stopReason":"end_turn"}"#);
    assert_eq!((table.desk.store.history().len(), table.tool_loop.undo_availability()), (1, TurnStanding::Undoable));
    let _ = table.tell(r#"{"type":"undoTurn"}"#);
    assert_eq!(table.desk.store.read().to_text(), flowchart("document").to_text());
    assert!(table.cards().iter().all(|card| card.1 == CallStatus::Undone));
}

#[test]
fn a1_a9_a_card_is_told_anew_when_somebody_else_changes_the_document() {
    let mut table = started();
    table.model(&[DELETE_STEP]);
    let stale = table.seen(0);
    let edit = countersign::protocol::patch::decode_patch(&json(
        r#"[{"op":"remove","path":"/nodes/3"},{"op":"remove","path":"/edges/1"},{"op":"replace","path":"/review/comments/0/about","value":[]},{"op":"replace","path":"/review/comments/2/about","value":[]}]"#,
    ));
    let edited = table.desk.store.edit(&countersign::document::store::Change::Patch(edit.unwrap()), "mine");
    assert!(matches!(edited, CommitOutcome::Committed { .. }), "{edited:?}");
    // the click was on the old card
    let outcome = table.tell(&format!(r#"{{"type":"approveCall","callId":"c1","seen":"{stale}"}}"#));
    assert!(outcome.updates.iter().any(|update| matches!(update, Update::Refused { .. })));
    assert_eq!(table.desk.store.revision(), 2);
    assert_eq!(table.card(0), "Delete \"Inspect\" (node-2) from nodes and with it 1 of nodes, 2 of edges");
    let _ = table.approve(0);
    assert_eq!(table.cards()[0].1, CallStatus::Succeeded);
}

#[test]
fn c5_calls_of_one_message_are_told_in_order_on_one_draft() {
    let mut table = started();
    table.model(&[
        ("add_entity", r#"{"kind":"lanes","fields":{"name":"Roof"}}"#),
        ("add_entity", r#"{"kind":"nodes","fields":{"label":"Smell","shape":"step","lane":"lane-4","parent":"node-2"}}"#),
        ("update_entity", r#"{"kind":"nodes","id":"node-7","set":{"owner":"Bo"}}"#),
        DELETE_STEP,
        ("delete_entity", r#"{"kind":"lanes","id":"lane-4"}"#),
    ]);
    assert_eq!(table.desk.store.read().to_text(), flowchart("document").to_text());
    let lines: Vec<String> = table.cards().into_iter().map(|card| card.0).collect();
    assert_eq!(lines[2], "Change \"Smell\" (node-7) of nodes: owner = \"Bo\"");
    assert!(lines[3].contains("with it 3 of nodes, 3 of edges"), "{}", lines[3]);
    assert_eq!(lines[4], "Delete \"Roof\" (lane-4) from lanes");
    // what the person was shown is what runs, without being asked twice
    let _ = table.tell(r#"{"type":"approveBatch","callIds":["c1","c2","c3"]}"#);
    let _ = table.approve(3);
    let _ = table.approve(4);
    assert!(table.cards().iter().all(|card| card.1 == CallStatus::Succeeded), "{:?}", table.cards());
    assert_eq!((table.desk.ids("lanes").len(), table.desk.store.history().len()), (3, 1));
}

#[test]
fn c5_a9_where_one_is_denied_those_after_it_are_told_anew() {
    let mut table = started();
    let add = ("add_entity", r#"{"kind":"nodes","fields":{"label":"Smell","shape":"step","lane":"lane-2","parent":"node-2"}}"#);
    table.model(&[add, DELETE_STEP]);
    assert!(table.card(1).contains("3 of nodes"));
    let _ = table.approve(1);
    assert_eq!(table.cards()[1].1, CallStatus::Approved);
    let _ = table.tell(r#"{"type":"denyCall","callId":"c1"}"#);
    // what was approved would now be something else
    assert_eq!((table.cards()[1].1, table.desk.store.revision()), (CallStatus::Pending, 1));
    assert!(table.card(1).contains("2 of nodes"), "{}", table.card(1));
    let _ = table.approve(1);
    assert_eq!(table.cards()[1].1, CallStatus::Succeeded);
}

#[test]
fn c5_what_would_be_refused_makes_nothing_of_the_draft() {
    let mut table = started();
    // it would close a ring of parents, which the tool does not look at and the commit does
    let ring = ("update_entity", r#"{"kind":"nodes","id":"node-2","set":{"parent":"node-3"}}"#);
    table.model(&[
        ring,
        ("delete_entity", r#"{"kind":"nodes","id":"node-3"}"#),
        ("add_entity", r#"{"kind":"lanes","fields":{"name":"Roof"}}"#),
    ]);
    assert!(table.card(0).ends_with("(would be refused)"), "{}", table.card(0));
    assert_eq!(table.card(1), "Delete \"Open\" (node-3) from nodes and with it 1 of edges");
    let _ = table.tell(r#"{"type":"approveBatch","callIds":["c1","c3"]}"#);
    let _ = table.approve(1);
    let statuses: Vec<CallStatus> = table.cards().into_iter().map(|card| card.1).collect();
    assert_eq!(statuses, [CallStatus::Failed, CallStatus::Succeeded, CallStatus::Succeeded]);
}

#[test]
fn a1_a_delete_approved_without_a_word_of_its_card_runs_only_on_what_was_counted() {
    let definition = json(
        r#"{"kind":"board","sections":[{"name":"lanes","path":"/lanes"},{"name":"cards","path":"/cards","references":[
            {"path":"/lane","section":"lanes","onDelete":"cascade"}]}]}"#,
    );
    let document = json(r#"{"lanes":[{"id":"a"},{"id":"b"}],"cards":[{"id":"x","lane":"a"},{"id":"y","lane":"b"}]}"#);
    let mut table = Table::over(Desk::of(&definition, &document));
    let _ = table.tell(r#"{"type":"submit","text":"x","nowMs":1}"#);
    table.model(&[("delete_entity", r#"{"kind":"lanes","id":"a"}"#)]);
    // the person's own edit leaves the line as it was, and another card would go
    let swap = r#"[{"op":"replace","path":"/cards/0/lane","value":"b"},{"op":"replace","path":"/cards/1/lane","value":"a"}]"#;
    let swap = countersign::protocol::patch::decode_patch(&json(swap)).unwrap();
    let _ = table.desk.store.edit(&countersign::document::store::Change::Patch(swap), "mine");
    let _ = table.tell(r#"{"type":"approveCall","callId":"c1"}"#);
    assert_eq!((table.cards()[0].1, table.desk.store.revision()), (CallStatus::Pending, 2));
    let _ = table.tell(r#"{"type":"approveCall","callId":"c1"}"#);
    assert_eq!((table.cards()[0].1, table.desk.ids("cards")), (CallStatus::Succeeded, vec!["x".to_owned()]));
}

#[test]
fn a6_an_edited_delete_is_shown_before_it_runs() {
    let mut table = started();
    table.model(&[("delete_entity", r#"{"kind":"lanes","id":"lane-3"}"#)]);
    let _ = table.tell(r#"{"type":"approveCall","callId":"c1","editedInput":{"kind":"nodes","id":"node-2"}}"#);
    assert_eq!((table.cards()[0].1, table.desk.store.revision()), (CallStatus::Pending, 1));
    assert!(table.card(0).contains("with it 2 of nodes, 3 of edges"), "{}", table.card(0));
    let _ = table.approve(0);
    assert_eq!(table.cards()[0].1, CallStatus::Succeeded);
}

/// Somebody else's change of the document, without a word to the loop.
fn edit(table: &Table, patch: &str) {
    let patch = countersign::protocol::patch::decode_patch(&json(patch)).unwrap();
    let edited = table.desk.store.edit(&countersign::document::store::Change::Patch(patch), "mine");
    assert!(matches!(edited, CommitOutcome::Committed { .. }), "{edited:?}");
}

fn reasons(outcome: &Outcome) -> Vec<RefusalReason> {
    let reason = |update: &Update| if let Update::Refused { reason, .. } = update { Some(*reason) } else { None };
    outcome.updates.iter().filter_map(reason).collect()
}

impl Table {
    fn call(&mut self, at: usize) -> CallRecord {
        self.tool_loop.state().calls.iter().nth(at).unwrap().clone()
    }

    fn edited(&mut self, at: usize, input: &str, seen: Option<&str>) -> Outcome {
        let seen = seen.map(|seen| format!(r#","seen":"{seen}""#)).unwrap_or_default();
        self.tell(&format!(r#"{{"type":"approveCall","callId":"c{}","editedInput":{input}{seen}}}"#, at + 1))
    }
}

#[test]
fn a6_an_edited_change_is_approved_by_its_card_or_by_what_it_would_do() {
    let update = ("update_entity", r#"{"kind":"nodes","id":"node-2","set":{"owner":"Bo"}}"#);
    let typed = r#"{"kind":"nodes","id":"node-2","set":{"owner":"Cy"}}"#;
    let with = |seen: &dyn Fn(&mut Table) -> Option<String>| {
        let mut table = started();
        table.model(&[update, ("add_entity", r#"{"kind":"lanes","fields":{"name":"Roof"}}"#)]);
        let seen = seen(&mut table);
        let outcome = table.edited(0, typed, seen.as_deref());
        (reasons(&outcome), table.call(0))
    };
    let of_edit = |table: &mut Table| {
        let preview = table.tool_loop.preview(&"c1".into(), Some(&json(typed))).unwrap();
        assert_eq!(preview.lines.last().unwrap().after.as_deref(), Some("Cy"));
        Some(preview.effect_digest)
    };
    for seen in [&|_: &mut Table| None, &(|table: &mut Table| Some(table.seen(0))) as &dyn Fn(&mut Table) -> Option<String>, &of_edit] {
        let (refused, call) = with(seen);
        assert_eq!((refused, call.status, call.edited), (Vec::new(), CallStatus::Approved, true));
        assert_eq!(call.preview.unwrap().lines.last().unwrap().after.as_deref(), Some("Cy"), "the card shows what was approved");
    }
    let (refused, call) = with(&|_| Some("0".repeat(64)));
    assert_eq!((refused, call.status, call.edited), (vec![RefusalReason::StaleEffect], CallStatus::Pending, false));
}

#[test]
fn a6_a5_an_edited_delete_is_approved_by_what_it_would_do_alone() {
    let mut table = started();
    table.model(&[("delete_entity", r#"{"kind":"lanes","id":"lane-3"}"#)]);
    let typed = r#"{"kind":"nodes","id":"node-2"}"#;
    let (card, before) = (table.seen(0), table.call(0));
    let outcome = table.edited(0, typed, Some(&card));
    assert_eq!((reasons(&outcome), table.call(0)), (vec![RefusalReason::StaleEffect], before), "the state is as it was");
    let effect = table.tool_loop.preview(&"c1".into(), Some(&json(typed))).unwrap().effect_digest;
    // what was shown is no longer what it would do
    edit(&table, r#"[{"op":"remove","path":"/edges/1"},{"op":"replace","path":"/review/comments/0/about","value":[]}]"#);
    let outcome = table.edited(0, typed, Some(&effect));
    assert_eq!((reasons(&outcome), table.call(0).status), (vec![RefusalReason::StaleEffect], CallStatus::Pending));
    let effect = table.tool_loop.preview(&"c1".into(), Some(&json(typed))).unwrap().effect_digest;
    let _ = table.edited(0, typed, Some(&effect));
    assert_eq!(table.call(0).status, CallStatus::Succeeded);
}

#[test]
fn a9_an_edit_that_leaves_the_effect_as_it_was_leaves_the_card_and_its_approval() {
    let mut table = started();
    let add = ("add_entity", r#"{"kind":"lanes","fields":{"name":"Roof"}}"#);
    table.model(&[add, DELETE_STEP]);
    let (_, seen) = (table.approve(0), table.seen(1));
    edit(&table, r#"[{"op":"replace","path":"/lanes/0/name","value":"Yard"}]"#);
    // the cards stand, and so does the click on one that was read before
    let outcome = table.tell(&format!(r#"{{"type":"approveCall","callId":"c2","seen":"{seen}"}}"#));
    assert_eq!(reasons(&outcome), []);
    let calls = (table.call(0), table.call(1));
    assert_eq!((calls.0.status, calls.1.status, calls.1.stale), (CallStatus::Succeeded, CallStatus::Succeeded, None));
}

#[test]
fn a9_an_approved_call_says_what_changed_where_it_would_do_something_else() {
    let mut table = started();
    table.model(&[DELETE_STEP, ("add_entity", r#"{"kind":"lanes","fields":{"name":"Roof"}}"#)]);
    let _ = table.approve(0);
    edit(&table, r#"[{"op":"add","path":"/nodes/1/owner","value":"Somebody"}]"#);
    let _ = table.tell(r#"{"type":"tick","nowMs":2}"#);
    let call = table.call(0);
    let stale = call.stale.unwrap();
    assert_eq!((call.status, stale.because, stale.lines.len()), (CallStatus::Pending, StaleCause::Document, 1));
    assert_eq!((stale.lines[0].section.as_str(), stale.lines[0].field.as_deref()), ("nodes", Some("owner")));
    // taken back: it is what was approved, and yet nobody approves it but the person
    let _ = table.desk.store.undo();
    let _ = table.tell(r#"{"type":"tick","nowMs":3}"#);
    assert_eq!((table.call(0).status, table.call(0).stale), (CallStatus::Pending, None));
    assert!(table.tool_loop.state().grants.is_empty());
}

#[test]
fn a9_c5_an_edit_between_two_calls_that_run_is_seen_by_the_second() {
    let mut table = started();
    table.model(&[DELETE_STEP, ("delete_entity", r#"{"kind":"nodes","id":"node-6"}"#)]);
    let (one, two) = (table.seen(0), table.seen(1));
    let _ = table.tell(&format!(r#"{{"type":"approveCall","callId":"c1","seen":"{one}"}}"#));
    edit(&table, r#"[{"op":"add","path":"/nodes/5/owner","value":"Somebody"}]"#);
    let outcome = table.tell(&format!(r#"{{"type":"approveCall","callId":"c2","seen":"{two}"}}"#));
    assert_eq!((reasons(&outcome), table.desk.store.revision()), (vec![RefusalReason::StaleEffect], 2), "nothing of the message ran");
    let _ = table.approve(1);
    assert_eq!(
        (table.call(0).status, table.call(1).status, table.desk.store.revision()),
        (CallStatus::Succeeded, CallStatus::Succeeded, 4)
    );
}

#[test]
fn a1_an_approval_without_a_word_of_its_card_is_for_the_card_that_was_shown() {
    let mut table = started();
    table.model(&[DELETE_STEP, ("update_entity", r#"{"kind":"nodes","id":"node-6","set":{"owner":"Bo"}}"#)]);
    edit(&table, r#"[{"op":"add","path":"/nodes/5/owner","value":"Somebody"}]"#);
    let outcome = table.tell(r#"{"type":"approveBatch","callIds":["c2"]}"#);
    assert_eq!(reasons(&outcome), [RefusalReason::StaleEffect]);
    let outcome = table.tell(r#"{"type":"approveBatch","callIds":["c2"]}"#);
    assert_eq!((reasons(&outcome), table.call(1).status), (Vec::new(), CallStatus::Approved), "by now it was");
}

#[test]
fn c5_calls_that_end_as_they_were_shown_are_worked_out_once() {
    let mut table = started();
    let calls: Vec<(&str, String)> =
        (0..8).map(|at| ("add_entity", format!(r#"{{"kind":"lanes","fields":{{"name":"Lane {at}"}}}}"#))).collect();
    let calls: Vec<(&str, &str)> = calls.iter().map(|(tool, input)| (*tool, input.as_str())).collect();
    table.model(&calls);
    let outcome = table.tell(r#"{"type":"approveBatch","callIds":["c1","c2","c3","c4","c5","c6","c7","c8"]}"#);
    // each is approved, runs and is done: nothing is told of them beside
    assert_eq!(outcome.updates.iter().filter(|update| matches!(update, Update::Call { .. })).count(), 24);
    assert_eq!(table.desk.ids("lanes").len(), 11);
    let inputs = table.tool_loop.traced_inputs();
    let previews = inputs.iter().filter(|told| matches!(told, TurnInput::Command(TurnCommand::Previewed { .. })));
    assert_eq!(previews.count(), 8);
}

#[test]
fn t1_t15_the_same_turn_makes_the_same_ids_and_the_reducer_the_same_state() {
    let run = || {
        let mut table = started();
        table.model(&[
            ("add_entity", r#"{"kind":"lanes","fields":{"name":"Roof"}}"#),
            ("add_entity", r#"{"kind":"nodes","fields":{"label":"Dry","shape":"step","lane":"lane-4"}}"#),
            DELETE_STEP,
        ]);
        let _ = table.tell(r#"{"type":"approveBatch","callIds":["c1","c2"]}"#);
        let _ = table.approve(2);
        table
    };
    let (mut one, two) = (run(), run());
    assert_eq!(one.desk.store.digest(), two.desk.store.digest());
    assert_eq!(one.tool_loop.snapshot(), two.tool_loop.snapshot());
    let mut folded = one.tool_loop.begun_with();
    for told in one.tool_loop.traced_inputs() {
        folded = reduce_turn(folded, told.clone(), &one.desk.registry).unwrap();
    }
    assert_eq!(&folded, one.tool_loop.state());
}

#[test]
fn s1_s2_a_card_survives_being_laid_down() {
    let mut table = started();
    table.model(&[DELETE_STEP]);
    let saved = table.tool_loop.snapshot();
    let mut restored = ToolLoop::restore(&saved, &json("{}"), table.desk.registry.clone(), Some(table.desk.store.clone())).unwrap();
    assert_eq!(restored.snapshot(), saved);
    let call = restored.state().calls.iter().next().unwrap().clone();
    let before = table.tool_loop.state().calls.iter().next().unwrap().clone();
    assert_eq!((call.status, &call.preview), (CallStatus::Pending, &before.preview), "what it would do is worked out again");
    assert!(call.preview.is_some_and(|preview| preview.title.starts_with("Delete \"Inspect\"")));
    // a host may not say what a core tool does
    let outcome = table.tell(r#"{"type":"previewed","callId":"c1","outcome":{"status":"ok","result":"harmless"}}"#);
    assert!(outcome.updates.iter().any(|update| matches!(update, Update::Refused { reason: RefusalReason::StaleEffect, .. })));
    assert!(table.card(0).starts_with("Delete \"Inspect\""));
}

#[test]
fn t10_t11_previews_are_refused_where_no_call_waits() {
    let desk = Desk::chart();
    let state = countersign::turn::idle_turn(countersign::turn::IdleOptions::default(), &desk.registry);
    let told = TurnInput::decode(&json(r#"{"type":"previewed","callId":"c1","outcome":{"status":"ok","result":"x"}}"#)).unwrap();
    assert_eq!(reduce_turn(state.clone(), told, &desk.registry).unwrap(), state);
}

const MOVE_FIRST: (&str, &str) = ("move_entity", r#"{"kind":"lanes","id":"lane-3","before":"lane-1"}"#);

#[test]
fn a1_c5_what_would_change_nothing_is_no_approval_of_a_move() {
    let mut table = started();
    table.model(&[MOVE_FIRST, MOVE_FIRST]);
    // done by the first, the second has nothing left to do
    let shown = table.call(1).preview.unwrap();
    assert_eq!((shown.lines.len(), shown.patch.len(), &shown.error), (0, 0, &None));
    let outcome = table.tell(&format!(r#"{{"type":"approveCall","callId":"c2","seen":"{}"}}"#, shown.effect_digest));
    assert_eq!((reasons(&outcome), table.call(1).status), (Vec::new(), CallStatus::Approved));
    let _ = table.tell(r#"{"type":"denyCall","callId":"c1"}"#);
    // now it would be the move that was declined
    let call = table.call(1);
    assert_eq!((call.status, call.preview.unwrap().lines.len()), (CallStatus::Pending, 1));
    let outcome = table.tell(&format!(r#"{{"type":"approveCall","callId":"c2","seen":"{}"}}"#, shown.effect_digest));
    assert_eq!(reasons(&outcome), [RefusalReason::StaleEffect]);
    assert_eq!((table.desk.ids("lanes"), table.desk.store.revision()), (["lane-1", "lane-2", "lane-3"].map(str::to_owned).to_vec(), 1));
}

#[test]
fn a9_what_a_person_moved_is_not_moved_back_unasked() {
    let mut table = started();
    table.model(&[("move_entity", r#"{"kind":"lanes","id":"lane-1","before":"lane-2"}"#), DELETE_STEP]);
    let _ = table.approve(0);
    let lane = table.desk.store.read().get("lanes").unwrap().as_array().unwrap()[0].to_text();
    edit(&table, &format!(r#"[{{"op":"remove","path":"/lanes/0"}},{{"op":"add","path":"/lanes/-","value":{lane}}}]"#));
    let _ = table.tell(r#"{"type":"tick","nowMs":2}"#);
    let (call, stale) = (table.call(0), table.call(0).stale.unwrap());
    assert_eq!((call.status, stale.because, stale.lines.len()), (CallStatus::Pending, StaleCause::Document, 1));
    let _ = table.approve(1);
    assert_eq!(table.desk.ids("lanes"), ["lane-2", "lane-3", "lane-1"]);
}
