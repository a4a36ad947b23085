//! What the twelve actions would do to a threat model: heads by titles, lines with everything that goes along, and the
//! same as what is done.

use proptest::prelude::*;

use super::*;
use countersign::document::rehearsal::{Act, Step};
use countersign::document::store::{Change, TurnKey};
use countersign::protocol::call::ToolEffect;
use countersign::protocol::patch::decode_patch;
use countersign::protocol::preview::{LineKind, Preview};
use documents::MINIMAL;

/// The previews of the calls of one message.
fn rehearsed(store: &DocumentStore, calls: &[(&str, Json)]) -> Vec<Preview> {
    let registry = registry();
    let steps: Vec<Step<'_>> = calls.iter().map(|(tool, input)| step(&registry, tool, input)).collect();
    store.rehearse(&steps).into_iter().map(Option::unwrap).collect()
}

fn step<'a>(registry: &'a ToolRegistry, tool: &str, input: &'a Json) -> Step<'a> {
    Step { act: Act::Core(&**registry.find(tool).unwrap().core().unwrap()), input, summary: "", template: None }
}

fn prepared(calls: &[(&'static str, &str)]) -> Vec<(&'static str, Json)> {
    calls.iter().map(|(tool, input)| (*tool, prepare(tool, &json(input)).unwrap().input)).collect()
}

/// Kind, section and count, as a person would say them.
fn counts(preview: &Preview) -> Vec<(LineKind, &str, u32)> {
    preview.counts.iter().map(|count| (count.kind, count.section.as_str(), count.count)).collect()
}

const ALL: [(&str, &str, &str); 12] = [
    ("add_element", r#"{"element":{"type":"cache","name":"Cache"}}"#, "Add Cache"),
    ("update_element", r#"{"id":"comp-1","updates":{"name":"Hot keys"}}"#, "Change Cache"),
    ("add_data_flow", r#"{"data_flow":{"from":"kiosk","to":"comp-1"}}"#, "Connect Kiosk to Hot keys"),
    ("update_data_flow", r#"{"id":"flow-1","updates":{"name":"Reads"}}"#, "Change data flow Kiosk → Hot keys"),
    ("add_trust_boundary", r#"{"trust_boundary":{"name":"Hall","contains":["kiosk"]}}"#, "Add trust boundary Hall"),
    ("update_trust_boundary", r#"{"id":"boundary-1","updates":{"contains":["comp-1"]}}"#, "Change trust boundary Hall"),
    (
        "add_threat",
        r#"{"threat":{"title":"Skimming","category":"Tampering","element":"kiosk","flow":"flow-1","severity":"low","description":"d"}}"#,
        "Add threat Skimming to Kiosk to Reads",
    ),
    ("update_threat", r#"{"id":"threat-1","updates":{"severity":"high"}}"#, "Change threat Skimming"),
    ("delete_threat", r#"{"id":"threat-1"}"#, "Delete threat Skimming"),
    ("delete_data_flow", r#"{"id":"flow-1"}"#, "Delete data flow Reads"),
    ("delete_trust_boundary", r#"{"id":"boundary-1"}"#, "Delete trust boundary Hall"),
    ("delete_element", r#"{"id":"comp-1"}"#, "Delete Hot keys"),
];

#[test]
fn c4_c5_every_action_is_headed_by_titles_on_what_those_before_it_made() {
    let store = open(&json(MINIMAL)).unwrap();
    let before = store.read();
    let calls: Vec<(&str, Json)> = ALL.iter().map(|(tool, input, _)| (*tool, prepare(tool, &json(input)).unwrap().input)).collect();
    let previews = rehearsed(&store, &calls);
    for (preview, (tool, _, title)) in previews.iter().zip(ALL) {
        assert_eq!((preview.title.as_str(), &preview.error), (title, &None), "{tool}");
        assert!(!preview.lines.is_empty() && !preview.patch.is_empty(), "{tool}");
    }
    assert!(store.read().same_tree(&before));
    // a default that is filled in is part of what comes
    let fields: Vec<&str> = previews[0].lines.iter().filter_map(|line| line.field.as_deref()).collect();
    assert!(fields.starts_with(&["type", "name"]) && fields.contains(&"trust_zone"), "{fields:?}");
}

#[test]
fn e4_what_is_not_there_is_told_by_its_id_and_titles_hide_nothing() {
    let document = json(&MINIMAL.replace(r#""name":"Kiosk""#, &format!(r#""name":"a\u202Eb{}""#, "n".repeat(300))));
    let store = open(&document).unwrap();
    let calls = prepared(&[("delete_element", r#"{"id":"kiosk"}"#), ("delete_data_flow", "{\"id\":\"no\u{200B}pe\"}")]);
    let previews = rehearsed(&store, &calls);
    assert!(previews[0].title.starts_with("Delete a\\u{202E}bnnn"), "{}", previews[0].title);
    assert!(previews[0].title.chars().count() <= 200);
    assert_eq!(previews[1].title, "Delete data flow no\\u{200B}pe");
    assert!(previews[1].error.as_ref().unwrap().contains("is not in `data_flows` now") && previews[1].lines.is_empty());
}

#[test]
fn c4_all_that_goes_along_is_told_and_counted() {
    let store = open(&smart_lock()).unwrap();
    let preview = rehearsed(&store, &prepared(&[("delete_element", r#"{"id":"hub"}"#)])).remove(0);
    let (_, committed) = call(&store, "delete_element", &json(r#"{"id":"hub"}"#));
    assert!(matches!(&committed, CommitOutcome::Committed { patch, .. } if *patch == preview.patch), "{committed:?}");
    let gone: u32 = counts(&preview)
        .iter()
        .filter(|(kind, section, _)| *kind == LineKind::Removed && *section != "elements")
        .map(|count| count.2)
        .sum();
    let lines = preview.lines.iter().filter(|line| line.kind == LineKind::Removed && line.section != "elements").count();
    assert!(gone > 0 && lines == usize::try_from(gone).unwrap(), "{:?}", preview.counts);
    assert!(preview.lines.iter().all(|line| !line.title.is_empty()));
}

/// Two elements, and two flows without a name between them, one of which a threat is about.
const UNNAMED: &str = r#"{"version":"1.0","metadata":{"title":"T","author":"A","created":"2026-01-31","modified":"2026-02-01"},
    "elements":[{"id":"a","type":"web","name":"Web"},{"id":"b","type":"db","name":"Orders"},{"id":"c","type":"db","name":""}],
    "data_flows":[{"id":"f1","from":"a","to":"b"},{"id":"f2","from":"a","to":"c"}],
    "threats":[{"id":"t1","title":"Skimming","category":"Tampering","severity":"low","description":"d","flow":"f1"}],
    "trust_boundaries":[]}"#;

/// Title, field, before and after of every line of one call.
fn told(document: &str, tool: &'static str, input: &str) -> (Vec<[String; 4]>, String) {
    let store = open(&json(document)).unwrap();
    let preview = rehearsed(&store, &prepared(&[(tool, input)])).remove(0);
    assert_eq!(preview.error, None, "{tool}");
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let lines = preview.lines.iter().map(|line| [line.title.clone(), text(&line.field), text(&line.before), text(&line.after)]);
    (lines.collect(), preview.effect_digest)
}

#[test]
fn e4_a_flow_without_a_name_is_told_by_the_names_of_its_ends() {
    let titles = |lines: &[[String; 4]]| lines.iter().map(|line| line[0].clone()).collect::<Vec<_>>();
    let (lines, _) = told(UNNAMED, "delete_element", r#"{"id":"a"}"#);
    assert_eq!(titles(&lines), ["Web", "Web → Orders", "Web → c", "Skimming"], "an end without a name is told by its id");
    let (lines, _) = told(UNNAMED, "update_threat", r#"{"id":"t1","updates":{"flow":"f2"}}"#);
    assert_eq!(
        lines,
        [["Skimming", "flow", "Web → Orders (f1)", "Web → c (f2)"].map(str::to_owned)],
        "the id stands with what is referred to"
    );
    let (lines, _) = told(UNNAMED, "add_data_flow", r#"{"data_flow":{"from":"b","to":"a"}}"#);
    assert_eq!(lines[0][0], "Orders → Web");
    let (lines, _) = told(UNNAMED, "update_data_flow", r#"{"id":"f1","updates":{"to":"a"}}"#);
    assert_eq!(lines, [["Web → Orders", "to", "Orders (b)", "Web (a)"].map(str::to_owned)], "what is changed is told as it was");
    // its own name, where it has one
    let (lines, _) = told(&UNNAMED.replace(r#""id":"f1","#, r#""id":"f1","name":"Reads","#), "delete_data_flow", r#"{"id":"f1"}"#);
    assert_eq!(titles(&lines), ["Reads", "Skimming"]);
}

#[test]
fn e4_what_would_look_alike_is_told_with_its_id_and_no_name_hides_anything() {
    let twins = UNNAMED.replace(r#""to":"c""#, r#""to":"b""#);
    let (lines, digest) = told(&twins, "delete_element", r#"{"id":"b"}"#);
    assert_eq!(lines.iter().map(|line| &*line[0]).collect::<Vec<_>>(), ["Orders", "Web → Orders (f1)", "Web → Orders (f2)", "Skimming"]);
    // alone on a card nobody could tell which of them is meant
    let (lines, _) = told(&twins, "delete_data_flow", r#"{"id":"f1"}"#);
    assert_eq!(lines.iter().map(|line| &*line[0]).collect::<Vec<_>>(), ["Web → Orders (f1)", "Skimming"]);
    let (lines, _) = told(&twins.replace(r#""id":"f2","#, r#""id":"f2","name":"Web → Orders","#), "delete_data_flow", r#"{"id":"f1"}"#);
    assert_eq!(lines[0][0], "Web → Orders (f1)", "a title may be what another is told by");
    let (lines, _) = told(&twins.replace(r#""id":"f2","#, r#""id":"f2","name":"Reads","#), "delete_data_flow", r#"{"id":"f1"}"#);
    assert_eq!(lines[0][0], "Web → Orders");
    let (lines, _) = told(&twins, "add_data_flow", r#"{"data_flow":{"from":"a","to":"b"}}"#);
    assert_eq!(lines[0][0], "Web → Orders (flow-1)");
    let (lines, _) = told(&twins, "update_threat", r#"{"id":"t1","updates":{"flow":"f2"}}"#);
    assert_eq!(lines[0][2..], ["Web → Orders (f1)", "Web → Orders (f2)"], "a reference has its id behind it already");
    // what things are called is no part of the effect
    let (_, renamed) = told(&twins.replace("\"Web\"", "\"Portal\""), "delete_element", r#"{"id":"b"}"#);
    assert_eq!(digest, renamed);
    let long = UNNAMED
        .replace("\"Web\"", &format!(r#""a\u202Eb{}""#, "n".repeat(500)))
        .replace("\"Orders\"", &format!(r#""{}z""#, "o".repeat(500)));
    let (lines, _) = told(&long, "delete_data_flow", r#"{"id":"f1"}"#);
    let title = &lines[0][0];
    assert!(title.starts_with("a\\u{202E}bnnn") && title.contains(" → ooo") && title.ends_with("oz"), "{title}");
    assert!(title.chars().count() <= 200, "{title}");
    let (lines, _) = told(&UNNAMED.replace("\"Web\"", r#""Web (x)""#), "update_threat", r#"{"id":"t1","updates":{"flow":"f2"}}"#);
    assert_eq!(lines[0][2], "\"Web (x) → Orders\" (f1)", "no name ends where it does not");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn c4_c5_a_rehearsal_tells_what_is_done_however_it_is_made(calls in prop::collection::vec(program::any_call(), 1..10)) {
        let (store, registry) = (open(&smart_lock()).unwrap(), registry());
        let calls: Vec<(&str, Json)> =
            calls.iter().filter_map(|(tool, input)| Some((*tool, prepare(tool, &json(input)).ok()?.input))).collect();
        let (held, digest, history) = (store.read(), store.digest(), store.history());
        let previews = rehearsed(&store, &calls);
        let steps: Vec<Step<'_>> = calls.iter().map(|(tool, input)| step(&registry, tool, input)).collect();
        let drafted = store.drafted(&steps);
        prop_assert!(store.read().same_tree(&held) && store.digest() == digest && store.history() == history && store.revision() == 1);
        for ((tool, input), preview) in calls.iter().zip(previews) {
            let alone = rehearsed(&store, &[(tool, input.clone())]).remove(0);
            prop_assert_eq!(&alone, &preview);
            let before = store.read();
            let outcome = store.run(&**registry.find(tool).unwrap().core().unwrap(), input);
            let beside = open(&before).unwrap();
            let committed = commit(&store, &TurnKey::from("turn"), tool, BaseRevision(store.revision()), ToolEffect::Mutate, &outcome);
            match committed {
                CommitOutcome::Committed { patch, .. } => prop_assert_eq!((&preview.patch, &preview.error), (&patch, &None)),
                CommitOutcome::Unchanged => prop_assert!(preview.lines.is_empty() && preview.error.is_none()),
                CommitOutcome::Refused { result, .. } => prop_assert_eq!(preview.error.as_deref(), Some(result.as_str())),
            }
            // as a tool of the host would make it
            if preview.error.is_none() {
                let whole = ToolOutcome::Ok { result: ToolResult::Text(String::new()), document: Some(store.read()), patch: None };
                let step = Step { act: Act::Outcome(&whole), input: &Json::Null, summary: "", template: None };
                let other = beside.rehearse(&[step]).remove(0).unwrap();
                prop_assert_eq!((other.lines, other.effect_digest, other.counts), (preview.lines, preview.effect_digest, preview.counts));
            }
        }
        prop_assert_eq!(drafted.to_text(), store.read().to_text());
    }
}

#[test]
fn c5_where_one_is_left_out_those_after_it_are_another() {
    let store = open(&json(MINIMAL)).unwrap();
    let calls = prepared(&[
        ("add_element", r#"{"element":{"type":"cache","name":"Cache"}}"#),
        ("add_data_flow", r#"{"data_flow":{"from":"kiosk","to":"comp-1"}}"#),
    ]);
    let (both, alone) = (rehearsed(&store, &calls), rehearsed(&store, &calls[1..]));
    assert_eq!((both[1].title.as_str(), &both[1].error), ("Connect Kiosk to Cache", &None));
    assert_eq!(alone[0].title, "Connect Kiosk to comp-1");
    assert!(alone[0].error.is_some() && alone[0].effect_digest != both[1].effect_digest);
    // somewhere else something changed: the same effect
    let patch = decode_patch(&json(r#"[{"op":"replace","path":"/elements/0/description","value":"x"}]"#)).unwrap();
    let _ = store.edit(&Change::Patch(patch), "l");
    let now = rehearsed(&store, &calls);
    assert_eq!([&now[0].effect_digest, &now[1].effect_digest], [&both[0].effect_digest, &both[1].effect_digest]);
}
