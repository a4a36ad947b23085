//! What calls would do is what they do when they are made, told the same whichever way it is made, and nothing of it stays.

use proptest::prelude::*;

use std::cell::Cell;

use super::*;
use countersign::document::definition::{ByEntity, Definition, Section};
use countersign::document::fault::Faults;
use countersign::document::patch::apply;
use countersign::document::store::Change;
use countersign::protocol::patch::decode_patch;
use countersign::protocol::preview::LineKind;

pub(crate) fn step<'a>(act: Act<'a>, input: &'a Json) -> Step<'a> {
    Step { act, input, summary: "s", template: None }
}

/// The previews of calls; what has no input is no call.
pub(crate) fn one_after_the_other(store: &DocumentStore, calls: &[(&dyn CoreTool, Option<Json>)]) -> Vec<Preview> {
    let steps: Vec<Step<'_>> = calls.iter().filter_map(|(tool, input)| Some(step(Act::Core(*tool), input.as_ref()?))).collect();
    store.rehearse(&steps).into_iter().flatten().collect()
}

/// Everything a store says of itself; the document too, where it may be put together.
fn all_of(store: &DocumentStore) -> String {
    format!(
        "{} {:?} {:?} {:?} {:?} {:?}",
        store.revision(),
        store.history(),
        store.issues(),
        store.last_step(),
        ["0", "1"].map(|turn| store.turn_standing(&TurnKey::from(turn))),
        store.changes_since(store.revision().saturating_sub(3)),
    )
}

/// Rehearses one change in every way it can be made, and holds what is told against the change as it is judged and made.
/// `oracle` looks at whole documents and is as `store` is.
pub(crate) fn told_as_done(
    store: &DocumentStore,
    oracle: &DocumentStore,
    before: &Json,
    call: Option<(&dyn CoreTool, &Json)>,
    outcome: &ToolOutcome,
) -> Result<Preview, TestCaseError> {
    let was = all_of(store);
    // somewhere nobody holds the document as one value
    store.loosen();
    prop_assert!(store.drafted(&[]) == *before);
    store.loosen();
    let input = call.map_or(Json::Null, |(_, input)| input.clone());
    let act = call.map_or(Act::Outcome(outcome), |(tool, _)| Act::Core(tool));
    let _ = store.rehearse(&[step(act, &input), step(act, &input)]);
    let held = store.read();
    prop_assert_eq!(held.to_text(), before.to_text());
    let digest = store.digest();
    // twice, so that the second is drafted on the first
    let preview = store.rehearse(&[step(act, &input), step(act, &input)]).remove(0).unwrap();
    prop_assert!(store.read().same_tree(&held));
    prop_assert_eq!(all_of(store), was.clone());
    prop_assert_eq!(store.digest(), digest.clone());
    // a copy that goes its own way: what is made of the document there
    let copy = DocumentStore::new(oracle.definition(), before, StoreOptions::default()).unwrap();
    prop_assert_eq!(copy.issues(), store.issues());
    let made = commit(&copy, &TurnKey::from("c"), "l", BaseRevision(1), ToolEffect::Mutate, outcome);
    let after = copy.read();
    prop_assert_eq!(store.drafted(&[step(act, &input)]).to_text(), after.to_text());
    match &made {
        CommitOutcome::Committed { .. } => {
            prop_assert_eq!(&preview.error, &None);
            prop_assert_eq!(&apply(before, &preview.patch).unwrap(), &after);
        }
        CommitOutcome::Unchanged => prop_assert_eq!((&preview.error, preview.patch.len()), (&None, 0)),
        CommitOutcome::Refused { result, .. } => {
            prop_assert_eq!(preview.error.as_deref(), Some(result.as_str()));
            prop_assert!(preview.patch.is_empty() && preview.lines.is_empty());
        }
    }
    order_as_told(store.definition().sections(), before, &after, &preview)?;
    let (mut told, mut expected) = (entries(&preview), naive(store.definition().sections(), before, &after));
    told.sort();
    expected.sort();
    prop_assert_eq!(told, expected);
    // the same as a patch, as a whole document, and where only whole documents are looked at
    let whole = ToolOutcome::Ok { result: ToolResult::Text(String::new()), document: Some(after.clone()), patch: None };
    let mut ways = vec![(store, Act::Outcome(outcome)), (oracle, act)];
    // what is refused comes to no other document
    if preview.error.is_none() {
        ways.extend([(store, Act::Outcome(&whole)), (oracle, Act::Outcome(&whole))]);
    }
    for (other, act) in ways {
        let another = other.rehearse(&[step(act, &input)]).remove(0).unwrap();
        prop_assert_eq!(&another.lines, &preview.lines);
        prop_assert_eq!(&another.effect_digest, &preview.effect_digest);
        prop_assert_eq!((&another.counts, another.hidden_lines), (&preview.counts, preview.hidden_lines));
    }
    prop_assert!(store.read().same_tree(&held));
    prop_assert_eq!(all_of(store), was);
    Ok(preview)
}

/// Lines as texts that can be compared without their order.
fn entries(preview: &Preview) -> Vec<String> {
    let written =
        |line: &PreviewLine| format!("{:?} {} {} {:?} {:?} {:?}", line.kind, line.section, line.id, line.field, line.before, line.after);
    preview.lines.iter().filter(|line| !has_moved(line)).map(written).collect()
}

fn has_moved(line: &PreviewLine) -> bool {
    line.kind == LineKind::Changed && line.field.is_none() && line.before.is_none()
}

fn order_as_told(sections: &[Section], before: &Json, after: &Json, preview: &Preview) -> Result<(), TestCaseError> {
    for section in sections {
        let ids = |document: &Json| {
            section.entities(document).iter().map(|entity| entity.get("id").unwrap().as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let moved: Vec<_> = preview.lines.iter().filter(|line| has_moved(line) && line.section == section.name).collect();
        prop_assert!(moved.iter().all(|line| line.before.is_none()));
        let told: Vec<_> = moved.iter().map(|line| (line.id.clone(), line.after.clone())).collect();
        order_oracle::is_told(&ids(before), &ids(after), &told).map_err(TestCaseError::fail)?;
    }
    Ok(())
}

/// What differs between two documents, looked for in the plainest way.
fn naive(sections: &[Section], before: &Json, after: &Json) -> Vec<String> {
    let mut told = Vec::new();
    for section in sections {
        let id = |entity: &Json| entity.get("id").and_then(Json::as_str).unwrap().to_owned();
        let mut left: Vec<&Json> = section.entities(before).iter().collect();
        for entity in section.entities(after) {
            let mut write = |kind: LineKind, field: Option<&str>, old: Option<&Json>, new: Option<&Json>| {
                let text = |value: Option<&Json>, document: &Json| value.map(|value| named(sections, section, field, value, document));
                told.push(format!("{kind:?} {} {} {field:?} {:?} {:?}", section.name, id(entity), text(old, before), text(new, after)));
            };
            let Some(at) = left.iter().position(|old| id(old) == id(entity)) else {
                write(LineKind::Added, None, None, None);
                for (key, value) in entity.as_object().unwrap().iter().filter(|(key, _)| &***key != "id") {
                    write(LineKind::Added, Some(key), None, Some(value));
                }
                continue;
            };
            let old = left.remove(at);
            for key in ["one", "many", "up", "in", "name"] {
                if old.get(key) != entity.get(key) {
                    write(LineKind::Changed, Some(key), old.get(key), entity.get(key));
                }
            }
        }
        told.extend(left.iter().map(|gone| format!("{:?} {} {} None None None", LineKind::Removed, section.name, id(gone))));
    }
    told
}

/// A value by the names of a document, looked for in the plainest way.
fn named(sections: &[Section], section: &Section, field: Option<&str>, value: &Json, document: &Json) -> String {
    let references: Vec<_> = section.references.iter().filter(|own| own.segments.len() == 1 && Some(&*own.segments[0]) == field).collect();
    let name = |id: &str| {
        let of_id = |own: &Section| {
            let here = own.entities(document).iter().filter(|entity| entity.get("id").and_then(Json::as_str) == Some(id));
            here.map(|entity| own.title_key.as_ref().and_then(|key| entity.get(key)?.as_str()).map(str::to_owned)).collect::<Vec<_>>()
        };
        let targets = sections.iter().filter(|own| references.iter().any(|reference| reference.sections.contains(&own.name)));
        let found: Vec<_> = targets.flat_map(of_id).collect();
        match &found[..] {
            [Some(title)] if !title.is_empty() && title != id => Some(format!("{title} ({})", if id.is_empty() { "\"\"" } else { id })),
            _ => None,
        }
    };
    match value {
        Json::String(id) => name(id).filter(|_| !id.is_empty()).unwrap_or_else(|| id.to_string()),
        Json::Array(items) => {
            let names: Vec<_> = items.iter().map(|item| name(item.as_str().unwrap())).collect();
            let bare = |item: &Json| if item.as_str() == Some("") { "\"\"".to_owned() } else { item.as_str().unwrap().to_owned() };
            if names.iter().all(Option::is_none) {
                return value.to_text();
            }
            names.into_iter().zip(items.iter()).map(|(name, item)| name.unwrap_or_else(|| bare(item))).collect::<Vec<_>>().join(", ")
        }
        other => other.to_text(),
    }
}

/// What a tool of the host comes to: a patch, a document, or an error.
pub(crate) fn patched(patch: &str) -> ToolOutcome {
    ToolOutcome::Ok { result: ToolResult::Text(String::new()), document: None, patch: Some(decode_patch(&json(patch)).unwrap()) }
}

fn whole(document: Json) -> ToolOutcome {
    ToolOutcome::Ok { result: ToolResult::Text(String::new()), document: Some(document), patch: None }
}

pub(crate) fn told_of(store: &DocumentStore, outcome: &ToolOutcome) -> Preview {
    store.rehearse(&[step(Act::Outcome(outcome), &Json::Null)]).remove(0).unwrap()
}

/// A preview's lines as short texts.
pub(crate) fn lines(preview: &Preview) -> Vec<String> {
    short(&preview.lines)
}

pub(crate) fn short(lines: &[PreviewLine]) -> Vec<String> {
    let written = |line: &PreviewLine| {
        let mark =
            ["+", "-", "~"][[LineKind::Added, LineKind::Removed, LineKind::Changed].iter().position(|kind| *kind == line.kind).unwrap()];
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "·".to_owned());
        let change = line.field.as_ref().map(|field| format!(" {field}: {} > {}", value(&line.before), value(&line.after)));
        let change = change.or_else(|| {
            has_moved(line).then(|| line.after.as_ref().map_or_else(|| " first".to_owned(), |after| format!(" behind {after}")))
        });
        format!("{mark}{}/{} \"{}\"{}", line.section, line.id, line.title, change.unwrap_or_default())
    };
    lines.iter().map(written).collect()
}

pub(crate) fn counts(preview: &Preview) -> Vec<(LineKind, &str, u32)> {
    preview.counts.iter().map(|count| (count.kind, count.section.as_str(), count.count)).collect()
}

const BOARD: &str = r#"{"kind":"board","sections":[
    {"name":"lanes","path":"/board/lanes","titleKey":"name"},
    {"name":"cards","path":"/cards","titleKey":"title","references":[{"path":"/lane","section":"lanes","onDelete":"cascade"}]}]}"#;
const CARDS: &str = r#"{"title":"t","cards":[{"id":"a","title":"Alpha","lane":"x"},{"id":"b","title":"Beta","lane":"x","tags":["p"]},{"id":"c","title":"","lane":"y"},{"id":"d","lane":"x"}],
    "board":{"lanes":[{"id":"x","name":"Doing"},{"id":"y","name":"Done"}],"view":{"zoom":1,"at":[1,2]}}}"#;

pub(crate) fn board() -> DocumentStore {
    DocumentStore::new(Rc::new(defined(&json(BOARD))), &json(CARDS), StoreOptions::default()).unwrap()
}

#[test]
fn c4_lines_tell_sections_entities_and_fields_in_their_order() {
    let store = board();
    let preview = told_of(
        &store,
        &patched(
            r#"[{"op":"add","path":"/cards/-","value":{"id":"e","title":"New","lane":"y","done":false}},
                {"op":"replace","path":"/cards/2/lane","value":"x"},{"op":"add","path":"/cards/2/note","value":"n"},{"op":"remove","path":"/cards/2/title"},
                {"op":"remove","path":"/cards/1"},{"op":"remove","path":"/cards/0"},
                {"op":"replace","path":"/board/lanes/0/name","value":"Doing now"}]"#,
        ),
    );
    assert_eq!(
        lines(&preview),
        [
            "~lanes/x \"Doing\" name: Doing > Doing now",
            "-cards/a \"Alpha\"",
            "-cards/b \"Beta\"",
            "~cards/c \"c\" title:  > ·",
            "~cards/c \"c\" lane: Done (y) > Doing now (x)",
            "~cards/c \"c\" note: · > n",
            "+cards/e \"New\"",
            "+cards/e \"New\" title: · > New",
            "+cards/e \"New\" lane: · > Done (y)",
            "+cards/e \"New\" done: · > false",
        ]
    );
    assert_eq!(
        counts(&preview),
        [(LineKind::Changed, "lanes", 1), (LineKind::Added, "cards", 1), (LineKind::Removed, "cards", 2), (LineKind::Changed, "cards", 1)]
    );
    assert_eq!((preview.title.as_str(), preview.hidden_lines, &preview.error), ("s", 0, &None));
}

#[test]
fn c4_what_changes_beside_the_sections_is_told_by_its_place() {
    let store = board();
    let preview = told_of(
        &store,
        &patched(
            r#"[{"op":"replace","path":"/board/view/at/1","value":9},{"op":"remove","path":"/board/view/zoom"},{"op":"add","path":"/a~1b","value":{"x":1}},
                {"op":"replace","path":"/title","value":"u"},{"op":"remove","path":"/cards/3"}]"#,
        ),
    );
    assert_eq!(
        lines(&preview),
        [
            "-cards/d \"d\"",
            "~/ \"\" /title: t > u",
            "-/ \"\" /board/view/zoom: 1 > ·",
            "~/ \"\" /board/view/at: [1,2] > [1,9]",
            "+/ \"\" /a~1b: · > {\"x\":1}",
        ]
    );
    assert_eq!(counts(&preview), [(LineKind::Removed, "cards", 1)]);
    assert!(store.read().get("board").unwrap().get("view").unwrap().get("zoom").is_some());
}

#[test]
fn c4_the_digest_tells_effects_apart_and_not_at_which_places() {
    let (store, other) = (board(), board());
    let _ =
        other.edit(&Change::Patch(decode_patch(&json(r#"[{"op":"add","path":"/cards/0","value":{"id":"n","lane":"y"}}]"#)).unwrap()), "l");
    let told = |store: &DocumentStore, patch: &str| told_of(store, &patched(patch)).effect_digest;
    assert_eq!(told(&store, r#"[{"op":"remove","path":"/cards/1"}]"#), told(&other, r#"[{"op":"remove","path":"/cards/2"}]"#));
    // what goes is another where it was changed meanwhile
    let _ = other.edit(&Change::Patch(decode_patch(&json(r#"[{"op":"add","path":"/cards/2/note","value":1}]"#)).unwrap()), "l");
    assert_ne!(told(&store, r#"[{"op":"remove","path":"/cards/1"}]"#), told(&other, r#"[{"op":"remove","path":"/cards/2"}]"#));
    // as texts they are shown the same
    let [text, number] = [r#""1""#, "1"].map(|value| format!(r#"[{{"op":"add","path":"/cards/0/n","value":{value}}}]"#));
    assert_eq!(lines(&told_of(&store, &patched(&text))), lines(&told_of(&store, &patched(&number))));
    assert_ne!(told(&store, &text), told(&store, &number));
    let entries = r#"[{"after":"1","field":"n","id":"a","kind":"changed","section":"cards"}]"#;
    assert_eq!(told(&store, &text), countersign::tools::canonical::sha256_hex(entries.as_bytes()));
    // what is not there is another thing than `null`
    assert_ne!(
        told(&store, r#"[{"op":"remove","path":"/cards/1/tags"}]"#),
        told(&store, r#"[{"op":"replace","path":"/cards/1/tags","value":null}]"#)
    );
}

#[test]
fn e4_titles_ids_fields_and_values_are_shown_whole_or_counted_and_hide_nothing() {
    let section = Section { title_key: Some("title".to_owned()), ..Section::new("cards", "/cards") };
    let store = DocumentStore::new(Rc::new(Anything(vec![section])), &json(r#"{"cards":[]}"#), StoreOptions::default()).unwrap();
    let long = format!("{}\u{202E}{}", "h".repeat(400), "t".repeat(600));
    let entity = json(&format!(
        r#"{{"id":"e\u202Ef","title":"a\u200Bb\n{long}","lane":"x","l\u0007g":["{long}"],"__proto__":{{"constructor":null}}}}"#
    ));
    let preview = told_of(&store, &patched(&format!(r#"[{{"op":"add","path":"/cards/-","value":{}}}]"#, entity.to_text())));
    let [head, title, .., list, proto] = &preview.lines[..] else { panic!() };
    assert_eq!((head.id.as_str(), &head.field), ("e\\u{202E}f", &None));
    assert!(head.title.starts_with("a\\u{200B}b\\nhhh") && head.title.ends_with("ttt"), "{}", head.title);
    let shown = title.after.as_ref().unwrap();
    assert!(shown.chars().count() <= 200 && shown.contains(" more …"), "{shown}");
    assert_eq!(list.field.as_deref(), Some("l\\u{0007}g"));
    assert!(list.after.as_ref().unwrap().starts_with("[\"hhh") && list.after.as_ref().unwrap().ends_with("ttt\"]"));
    assert_eq!((proto.field.as_deref(), proto.after.as_deref()), (Some("__proto__"), Some("{\"constructor\":null}")));
    let counted: usize = shown.split("… ").nth(1).and_then(|rest| rest.split(" more").next()).unwrap().replace(',', "").parse().unwrap();
    let ends = shown.replace("\\u{200B}", "?").replace("\\n", "?");
    let (head, tail) = (ends.split('…').next().unwrap().chars().count(), ends.rsplit('…').next().unwrap().chars().count());
    assert_eq!(head + tail + counted, 4 + 1001, "{shown}");
}

#[test]
fn a9_a_delete_that_would_take_another_along_is_another_effect_under_the_same_head() {
    let store = board();
    let tools = entity_tools(&defined(&json(BOARD)));
    let input = json(r#"{"kind":"lanes","id":"y"}"#);
    let told = || store.rehearse(&[step(Act::Core(&*tools[2]), &input)]).remove(0).unwrap();
    let before = told();
    assert_eq!(before.title, "Delete \"Done\" (y) from lanes and with it 1 of cards");
    assert_eq!(lines(&before), ["-lanes/y \"Done\"", "-cards/c \"c\""]);
    let swap = json(r#"[{"op":"replace","path":"/cards/2/lane","value":"x"},{"op":"replace","path":"/cards/0/lane","value":"y"}]"#);
    let _ = store.edit(&Change::Patch(decode_patch(&swap).unwrap()), "l");
    let now = told();
    assert_eq!((&now.title, &now.counts), (&before.title, &before.counts));
    assert_ne!(now.effect_digest, before.effect_digest);
}

#[test]
fn c4_long_changes_are_counted_and_a_large_patch_is_left_out() {
    let store = board();
    let cards: Vec<String> =
        (0..300).map(|no| format!(r#"{{"op":"add","path":"/cards/-","value":{{"id":"n-{no}","lane":"x"}}}}"#)).collect();
    let preview = told_of(&store, &patched(&format!("[{}]", cards.join(","))));
    assert_eq!((preview.lines.len(), preview.hidden_lines), (200, 400));
    assert_eq!(counts(&preview), [(LineKind::Added, "cards", 300)]);
    assert!(!preview.patch.is_empty());
    let large = format!(r#"[{{"op":"add","path":"/cards/0/text","value":"{}"}}]"#, "x".repeat(70_000));
    let preview = told_of(&store, &patched(&large));
    assert_eq!((preview.lines.len(), preview.patch.len(), &preview.error), (1, 0, &None));
}

#[test]
fn c4_what_would_be_refused_says_why_and_leaves_the_draft_to_the_next() {
    let store = board();
    let (bad, good) =
        (r#"[{"op":"replace","path":"/cards/0/lane","value":"nope"}]"#, r#"[{"op":"replace","path":"/cards/0/lane","value":"y"}]"#);
    let both = ToolOutcome::Ok { result: ToolResult::Text(String::new()), document: Some(json(CARDS)), patch: Some(Vec::new()) };
    let failed = ToolOutcome::Error { result: "no\u{202E}\nway".to_owned(), code: None, detail: Some("secret".to_owned()) };
    let outcomes = [
        patched(bad),
        both,
        failed,
        ToolOutcome::Unknown { detail: None },
        whole(Json::Null),
        patched(r#"[{"op":"remove","path":"/cards/9"}]"#),
        patched(good),
    ];
    let mut steps: Vec<Step<'_>> = outcomes.iter().map(|outcome| step(Act::Outcome(outcome), &Json::Null)).collect();
    steps.insert(3, step(Act::Unknown, &Json::Null));
    let mut previews = store.rehearse(&steps);
    assert_eq!(previews.remove(3), None);
    let last = previews.pop().unwrap().unwrap();
    let errors: Vec<String> = previews.into_iter().map(|preview| preview.unwrap().error.unwrap()).collect();
    assert_eq!(lines(&last), ["~cards/a \"Alpha\" lane: Doing (x) > Done (y)"]);
    assert_eq!(errors[2], "no\\u{202E}\nway");
    for (error, outcome) in errors.iter().zip(&outcomes).filter(|(error, _)| !error.starts_with("no\\")) {
        let made = commit(&board(), &TurnKey::from("t"), "l", BaseRevision(1), ToolEffect::Mutate, outcome);
        assert!(matches!(&made, CommitOutcome::Refused { result, .. } if result == error), "{error} {made:?}");
    }
    assert_eq!(store.drafted(&steps), apply(&store.read(), &decode_patch(&json(good)).unwrap()).unwrap());
}

#[test]
fn e4_a_template_names_things_by_their_titles() {
    let store = board();
    let input = json(r#"{"card":"b","lane":"y","new":"n","text":"x y","twin":"same","bare":"d"}"#);
    let outcome = patched(
        r#"[{"op":"remove","path":"/cards/1"},{"op":"add","path":"/cards/-","value":{"id":"n","title":"Nu\u202E","lane":"x"}},
            {"op":"add","path":"/cards/-","value":{"id":"same","title":"One","lane":"x"}},{"op":"add","path":"/board/lanes/-","value":{"id":"same","name":"Two"}},
            {"op":"replace","path":"/board/lanes/1/name","value":"Ready"}]"#,
    );
    let headed = |template: &str| {
        let step = Step { act: Act::Outcome(&outcome), input: &input, summary: "the summary", template: Some(template) };
        store.rehearse(&[step]).remove(0).unwrap().title
    };
    assert_eq!(headed("Put {card} in {lane}"), "Put Beta in Done");
    assert_eq!(headed("{new}, {text}, {twin}, {bare}, {none}"), "Nu\\u{202E}, x y, same, d, (none)");
    assert_eq!(headed("{"), "the summary");
}

#[test]
fn e4_a_template_names_one_of_several_that_join_the_same_with_its_id() {
    let definition = json(
        r#"{"kind":"net","sections":[{"name":"nodes","path":"/nodes","titleKey":"name"},{"name":"links","path":"/links","titleFrom":["from","to"],
            "references":[{"path":"/from","section":"nodes"},{"path":"/to","section":"nodes"}]}]}"#,
    );
    let document = json(
        r#"{"nodes":[{"id":"a","name":"Web"},{"id":"b","name":"Orders"}],
            "links":[{"id":"l1","from":"a","to":"b"},{"id":"l2","from":"a","to":"b"},{"id":"l3","from":"b","to":"a"}]}"#,
    );
    let store = DocumentStore::new(Rc::new(defined(&definition)), &document, StoreOptions::default()).unwrap();
    let headed = |link: &str, place: u8| {
        let input = json(&format!(r#"{{"link":"{link}"}}"#));
        let outcome = patched(&format!(r#"[{{"op":"remove","path":"/links/{place}"}}]"#));
        let step = Step { act: Act::Outcome(&outcome), input: &input, summary: "s", template: Some("Cut {link}") };
        let preview = store.rehearse(&[step]).remove(0).unwrap();
        (preview.title, preview.lines[0].title.clone())
    };
    assert_eq!(headed("l1", 0), ("Cut Web → Orders (l1)".to_owned(), "Web → Orders (l1)".to_owned()));
    assert_eq!(headed("l2", 1).0, "Cut Web → Orders (l2)");
    assert_eq!(headed("l3", 2), ("Cut Orders → Web".to_owned(), "Orders → Web".to_owned()));
}

#[test]
fn a9_what_changed_meanwhile_is_told_while_it_is_known() {
    let store = board();
    let edit = |patch: &str| {
        let made = store.edit(&Change::Patch(decode_patch(&json(patch)).unwrap()), "l");
        assert!(matches!(made, CommitOutcome::Committed { .. }), "{made:?}");
    };
    edit(r#"[{"op":"replace","path":"/cards/0/title","value":"Omega"}]"#);
    edit(r#"[{"op":"replace","path":"/cards/0/title","value":"Psi"},{"op":"remove","path":"/cards/3"}]"#);
    assert_eq!(short(&store.lines_since(1, 6)), ["~cards/a \"Alpha\" title: Alpha > Psi", "-cards/d \"d\""]);
    assert_eq!(short(&store.lines_since(2, 1)), ["~cards/a \"Omega\" title: Omega > Psi"]);
    assert_eq!(store.lines_since(3, 6), []);
    // beside the lists only a whole document tells
    edit(r#"[{"op":"replace","path":"/title","value":"u"}]"#);
    edit(r#"[{"op":"remove","path":"/cards/1/tags"}]"#);
    assert_eq!(short(&store.lines_since(3, 6)), ["~cards/b \"Beta\" tags: [\"p\"] > ·", "~/ \"\" /title: t > u"]);
    assert_eq!(store.lines_since(1, 6), []);
    assert_eq!(store.lines_since(99, 6), []);
    let _ = store.undo();
    let _ = store.undo();
    assert_eq!(short(&store.lines_since(5, 6)).len(), 0);
    assert_eq!(short(&store.lines_since(6, 6)), ["~/ \"\" /title: u > t"]);
}

#[test]
fn c4_a_hosts_rules_judge_each_step_and_may_be_asked_while_the_document_is_read() {
    let held: Rc<std::cell::RefCell<Option<DocumentStore>>> = Rc::default();
    let inside = Rc::clone(&held);
    let definition = defined(&json(BOARD)).with_rules(Box::new(move |document| {
        let count = document.get("cards").and_then(Json::as_array).unwrap().len();
        assert!(inside.borrow().as_ref().is_none_or(|store| store.revision() == 1 && store.read().to_text() == json(CARDS).to_text()));
        Ok(if count > 5 { vec!["too many cards".to_owned()] } else { Vec::new() })
    }));
    let store = DocumentStore::new(Rc::new(definition), &json(CARDS), StoreOptions::default()).unwrap();
    *held.borrow_mut() = Some(store.clone());
    let before = store.read();
    let add = |id: &str| patched(&format!(r#"[{{"op":"add","path":"/cards/-","value":{{"id":"{id}","lane":"x"}}}}]"#));
    let outcomes = [add("e"), add("f"), patched(r#"[{"op":"remove","path":"/cards/0"}]"#), add("g")];
    let previews = store.rehearse(&outcomes.iter().map(|outcome| step(Act::Outcome(outcome), &Json::Null)).collect::<Vec<_>>());
    let errors: Vec<bool> = previews.iter().map(|preview| preview.as_ref().unwrap().error.is_some()).collect();
    assert_eq!(errors, [false, true, false, false]);
    assert!(store.read().same_tree(&before) && store.issues().is_empty());
    *held.borrow_mut() = None;
}

/// A definition that counts how often it is asked.
struct Counted {
    definition: DocumentDefinition,
    wholes: Cell<usize>,
    entities: Cell<usize>,
}

impl Definition for Counted {
    fn kind(&self) -> &str {
        self.definition.kind()
    }

    fn sections(&self) -> &[Section] {
        self.definition.sections()
    }

    fn read(&self, document: &Json, faults: &mut Faults) -> Option<Json> {
        self.wholes.set(self.wholes.get() + 1);
        self.definition.read(document, faults)
    }

    fn check(&self, document: &Json, faults: &mut Faults) {
        self.wholes.set(self.wholes.get() + 1);
        self.definition.check(document, faults);
    }

    fn by_entity(&self) -> Option<&dyn ByEntity> {
        Some(self)
    }
}

impl ByEntity for Counted {
    fn entity(&self, list: usize, entity: &Json, effort: &mut u64) -> Option<Json> {
        self.entities.set(self.entities.get() + 1);
        self.definition.by_entity()?.entity(list, entity, effort)
    }
}

#[test]
fn c4_a_preview_looks_at_what_it_touches_in_a_document_of_ten_thousand() {
    let cards: Vec<String> =
        (0..10_000).map(|no| format!(r#"{{"id":"card-{no}","title":"Card {no}","lane":"{}"}}"#, ["x", "y"][no % 2])).collect();
    let document = json(&format!(r#"{{"cards":[{}],"board":{{"lanes":[{{"id":"x"}},{{"id":"y"}}]}}}}"#, cards.join(",")));
    let definition = Rc::new(Counted { definition: defined(&json(BOARD)), wholes: Cell::new(0), entities: Cell::new(0) });
    let store = DocumentStore::new(definition.clone(), &document, StoreOptions::default()).unwrap();
    let before = store.read();
    let tools = entity_tools(&definition.definition);
    let calls: Vec<(usize, Json)> = [
        (0, r#"{"kind":"cards","fields":{"title":"New","lane":"x"}}"#),
        (1, r#"{"kind":"cards","id":"card-5000","set":{"title":"Other"}}"#),
        (2, r#"{"kind":"cards","id":"card-7"}"#),
        (3, r#"{"kind":"cards","id":"card-9000","before":"card-1"}"#),
        (1, r#"{"kind":"cards","id":"cards-1","set":{"lane":"y"}}"#),
    ]
    .map(|(tool, input)| (tool, json(input)))
    .to_vec();
    let steps: Vec<Step<'_>> = calls.iter().map(|(tool, input)| step(Act::Core(&*tools[*tool]), input)).collect();
    definition.wholes.set(0);
    definition.entities.set(0);
    for _ in 0..50 {
        let previews: Vec<Preview> = store.rehearse(&steps).into_iter().flatten().collect();
        assert!(previews.iter().all(|preview| preview.error.is_none()));
        assert_eq!(lines(&previews[4]), ["~cards/cards-1 \"New\" lane: x > y"]);
    }
    assert_eq!((definition.wholes.get(), definition.entities.get()), (0, 50 * 4));
    assert!(store.read().same_tree(&before));
}

/// A definition that takes anything.
struct Anything(Vec<Section>);

impl Definition for Anything {
    fn kind(&self) -> &str {
        "anything"
    }

    fn sections(&self) -> &[Section] {
        &self.0
    }

    fn read(&self, document: &Json, _: &mut Faults) -> Option<Json> {
        Some(document.clone())
    }

    fn check(&self, _: &Json, _: &mut Faults) {}
}

const ODD: [&str; 6] = [
    r#"{"a":[1,"x",null,[],{"id":7},{"id":"p"},{"id":"p","t":1}],"b":{"c":[{"id":"q","t":"T"}]}}"#,
    r#"{"a":[{"id":"p","t":2},2,{"id":"__proto__","constructor":{"prototype":1}}],"b":{"c":{"id":"q"}}}"#,
    r#"{"a":{"id":"p"},"b":[[{"id":"q"}]],"__proto__":{"x":1}}"#,
    r#"{"a":[],"b":{"c":[]}}"#,
    "{}",
    r#"{"a":[{"id":"p"},{"id":"p"},{"id":"p","t":1}],"b":{"c":[{"id":"q","t":"U"},{"id":"q","t":"T"}],"d":null}}"#,
];

#[test]
fn e2_no_document_is_too_odd_to_be_told() {
    let section = |name: &str, path: &str| Section { title_key: Some("t".to_owned()), ..Section::new(name, path) };
    for (from, to) in ODD.iter().flat_map(|from| ODD.iter().map(move |to| (json(from), json(to)))) {
        let definition = Rc::new(Anything(vec![section("c", "/b/c"), section("a", "/a"), section("in", "/a/0/x")]));
        let store = DocumentStore::new(definition, &from, StoreOptions::default()).unwrap();
        let preview = told_of(&store, &whole(to.clone()));
        assert_eq!((preview.lines.is_empty(), preview.error), (from == to, None), "{} {}", from.to_text(), to.to_text());
        assert_eq!(preview.patch.is_empty(), from == to);
    }
    let definition = || Rc::new(Anything(vec![section("a", "/a")]));
    let store = DocumentStore::new(definition(), &json(ODD[0]), StoreOptions::default()).unwrap();
    let preview =
        told_of(&store, &whole(json(r#"{"a":[1,"y",null,[],{"id":7},{"id":"p","t":1},{"id":"p"}],"b":{"c":[{"id":"q","t":"T"}]}}"#)));
    assert_eq!(lines(&preview), ["~a/ \"\"", "~a/p \"p\" t: · > 1", "~a/p \"p\" t: 1 > ·"]);
}
