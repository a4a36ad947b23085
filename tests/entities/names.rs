//! What references lead to is named on the lines of a preview, and no two targets look alike.

use super::previews::{lines, patched, short, step, told_of};
use super::*;

const TEAM: &str = r#"{"kind":"team","sections":[{"name":"people","path":"/people","titleKey":"name"},{"name":"bots","path":"/bots"},
    {"name":"tasks","path":"/tasks","titleKey":"title","references":[{"path":"/who","section":["people","bots"],"onDelete":"clear"},
        {"path":"/with","section":"people","onDelete":"clear"},{"path":"/after","section":"tasks","onDelete":"clear"},{"path":"/in/of","section":"people"}]}]}"#;
const PEOPLE: &str = r#"{"people":[{"id":"p1","name":"Nina"},{"id":"p2","name":"Nina"},{"id":"p3","name":"Tom (p1), \"Nina"},{"id":"p (4)","name":"\u202EMo"},{"id":"p5"}],
    "bots":[{"id":"b1","name":"Robot"}],"tasks":[{"id":"t1","title":"One","who":"p1","with":["p1","p2"],"in":{"of":"p1"}},{"id":"t2","title":"Two","who":"b1"}]}"#;

#[test]
fn e4_references_are_shown_by_titles_that_make_no_two_targets_look_alike() {
    let store = DocumentStore::new(Rc::new(defined(&json(TEAM))), &json(PEOPLE), StoreOptions::default()).unwrap();
    let after = |field: &str, value: &str| {
        let preview = told_of(&store, &patched(&format!(r#"[{{"op":"add","path":"/tasks/1/{field}","value":{value}}}]"#)));
        assert_eq!(preview.error, None);
        preview.lines[0].after.clone().unwrap()
    };
    assert_eq!([after("who", r#""p1""#), after("who", r#""p2""#)], ["Nina (p1)", "Nina (p2)"]);
    assert_eq!(after("who", r#""p3""#), r#""Tom (p1), \u{22}Nina" (p3)"#);
    assert_eq!([after("who", r#""p (4)""#), after("who", r#""p5""#)], [r#"\u{202E}Mo ("p (4)")"#, "p5"]);
    assert_eq!(after("with", r#"["p3","p5","p1"]"#), r#""Tom (p1), \u{22}Nina" (p3), p5, Nina (p1)"#);
    assert_eq!([after("with", r#"["p5"]"#), after("with", "[]")], [r#"["p5"]"#, "[]"]);
    // without a title key the id is the title
    let to_bot = told_of(&store, &patched(r#"[{"op":"replace","path":"/tasks/0/who","value":"b1"}]"#));
    assert_eq!(lines(&to_bot), [r#"~tasks/t1 "One" who: Nina (p1) > b1"#]);
    assert_eq!(
        lines(&told_of(&store, &patched(r#"[{"op":"add","path":"/bots/0/name","value":"R"}]"#))),
        [r#"~bots/b1 "b1" name: Robot > R"#]
    );
    assert_eq!([after("in", r#"{"of":"p1"}"#), after("note", r#""p1""#)], [r#"{"of":"p1"}"#, "p1"]);
    // what is approved are ids
    let told = told_of(&store, &patched(r#"[{"op":"replace","path":"/tasks/0/who","value":"p2"}]"#));
    let entries = r#"[{"after":"p2","before":"p1","field":"who","id":"t1","kind":"changed","section":"tasks"}]"#;
    assert_eq!(told.effect_digest, countersign::tools::canonical::sha256_hex(entries.as_bytes()));
    let many = vec![r#""p1""#; 100].join(",");
    let shown = after("with", &format!("[{many}]"));
    assert!(shown.starts_with("Nina (p1), Nina (p1), ") && shown.ends_with(", Nina (p1)") && shown.chars().count() <= 200, "{shown}");
    let hidden: usize = shown.split("… ").nth(1).and_then(|rest| rest.split(" more …").next()).unwrap().parse().unwrap();
    assert_eq!(shown.matches("Nina (p1)").count() + hidden, 100, "{shown}");
}

#[test]
fn e4_each_value_is_named_as_its_own_side_of_the_change_names_it() {
    let store = DocumentStore::new(Rc::new(defined(&json(TEAM))), &json(PEOPLE), StoreOptions::default()).unwrap();
    let first = patched(r#"[{"op":"add","path":"/people/-","value":{"id":"p9","name":"Ada"}}]"#);
    let second = patched(
        r#"[{"op":"replace","path":"/tasks/0/who","value":"p9"},{"op":"add","path":"/tasks/1/with","value":["p1"]},
            {"op":"replace","path":"/people/0/name","value":"Nora"},{"op":"replace","path":"/tasks/0/with","value":["p1"]},{"op":"remove","path":"/people/1"}]"#,
    );
    let mut previews = store.rehearse(&[step(Act::Outcome(&first), &Json::Null), step(Act::Outcome(&second), &Json::Null)]);
    let told = lines(&previews.pop().unwrap().unwrap());
    let expected = [
        "~people/p1 \"Nina\" name: Nina > Nora",
        "-people/p2 \"Nina\"",
        "~tasks/t1 \"One\" who: Nina (p1) > Ada (p9)",
        "~tasks/t1 \"One\" with: Nina (p1), Nina (p2) > Nora (p1)",
        "~tasks/t2 \"Two\" with: · > Nora (p1)",
    ];
    assert_eq!(told, expected);
    // what changed meanwhile is told by the same names
    let made = commit(&store, &TurnKey::from("t"), "l", BaseRevision(1), ToolEffect::Mutate, &first);
    assert!(matches!(made, CommitOutcome::Committed { .. }));
    assert!(matches!(
        commit(&store, &TurnKey::from("t"), "l", BaseRevision(2), ToolEffect::Mutate, &second),
        CommitOutcome::Committed { .. }
    ));
    assert_eq!(short(&store.lines_since(2, 6)), expected);
}

const GRAPH: &str = r#"{"kind":"graph","sections":[{"name":"nodes","path":"/nodes","titleKey":"name"},
    {"name":"links","path":"/links","titleFrom":["from","to"],"references":[
        {"path":"/from","section":"nodes","onDelete":"cascade"},{"path":"/to","section":["nodes"],"onDelete":"cascade"}]},
    {"name":"notes","path":"/notes","titleKey":"text","titleFrom":["about"],"references":[{"path":"/about","section":"links","onDelete":"clear"}]}]}"#;
const GRAPH_DOCUMENT: &str = r#"{"nodes":[{"id":"a","name":"Web"},{"id":"b"}],
    "links":[{"id":"l","from":"a","to":"b"},{"id":"half","from":"a"}],"notes":[{"id":"n","text":"Look","about":"l"},{"id":"m","about":"l"}]}"#;

#[test]
fn e4_what_has_no_title_is_told_by_what_it_joins_where_the_definition_says_so() {
    let store = DocumentStore::new(Rc::new(defined(&json(GRAPH))), &json(GRAPH_DOCUMENT), StoreOptions::default()).unwrap();
    let told = |patch: &str| {
        let preview = store.rehearse(&[step(Act::Outcome(&patched(patch)), &Json::Null)]).remove(0).unwrap();
        assert_eq!(preview.error, None);
        let line = |line: &PreviewLine| (line.title.clone(), line.before.clone().unwrap_or_default());
        preview.lines.iter().map(line).collect::<Vec<_>>()
    };
    let own = |lines: &[(&str, &str)]| lines.iter().map(|(title, before)| (title.to_string(), before.to_string())).collect::<Vec<_>>();
    assert_eq!(told(r#"[{"op":"remove","path":"/notes/0/about"}]"#), own(&[("Look", "Web → b (l)")]));
    assert_eq!(told(r#"[{"op":"replace","path":"/links/0/to","value":"a"}]"#), own(&[("Web → b", "b")]));
    // what joins too little is told by its id, and so is what is told by something that has no title of its own
    assert_eq!(told(r#"[{"op":"remove","path":"/links/1"}]"#), own(&[("half", "")]));
    assert_eq!(told(r#"[{"op":"remove","path":"/notes/1"}]"#), own(&[("l", "")]));
}

#[test]
fn e1_members_that_name_an_entity_are_a_list_of_names() {
    let fault = DocumentDefinition::decode(&json(&GRAPH.replace(r#"["from","to"]"#, r#""from""#))).err().unwrap();
    assert_eq!(fault.path, "sections[1].titleFrom");
}
