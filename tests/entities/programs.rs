//! Random programs over random definitions: what is made entity by entity comes to what a look at the whole document
//! would have said, fault for fault, and undo is exact.

use proptest::prelude::*;

use super::*;
use countersign::document::definition::{Definition, Section};
use countersign::document::fault::Faults;
use countersign::document::patch::apply;
use countersign::document::store::Change;
use countersign::protocol::patch::decode_patch;

/// A definition that only knows how to look at whole documents.
struct Whole(DocumentDefinition);

impl Definition for Whole {
    fn kind(&self) -> &str {
        self.0.kind()
    }

    fn sections(&self) -> &[Section] {
        self.0.sections()
    }

    fn read(&self, document: &Json, faults: &mut Faults) -> Option<Json> {
        self.0.read(document, faults)
    }

    fn check(&self, document: &Json, faults: &mut Faults) {
        self.0.check(document, faults);
    }
}

const IDS: [&str; 8] = ["a-1", "a-2", "b-1", "x", "y", "z", "<w", ""];
const SECTIONS: [&str; 3] = ["a", "b", "c"];
const FIELDS: [&str; 6] = ["id", "one", "many", "up", "in", "name"];
const ITEM: &str = r#"{"type":"object","required":["id"],"properties":{"id":{"type":"string"},"name":{"type":["string","null"],"maxLength":3},"in":{"$ref":"@"}}}"#;

fn id() -> impl Strategy<Value = String> {
    prop::sample::select(&IDS[..]).prop_map(|id| Json::from(id).to_text())
}

fn reference(path: &'static str) -> impl Strategy<Value = String> {
    (prop::sample::subsequence(&SECTIONS[..], 1..=3), prop::sample::select(&["refuse", "cascade", "clear"][..])).prop_map(
        move |(sections, on_delete)| {
            let sections: Vec<String> = sections.iter().map(|name| format!(r#""{name}""#)).collect();
            format!(r#"{{"path":"{path}","section":[{}],"onDelete":"{on_delete}"}}"#, sections.join(","))
        },
    )
}

fn section(name: &'static str) -> impl Strategy<Value = String> {
    let maybe = |text: &'static str| prop::bool::ANY.prop_map(move |there| if there { text } else { "" });
    let references = (reference("/one"), reference("/many"), reference("/up"), reference("/in/of"), 0u8..16);
    (maybe(r#","namespace":"n""#), maybe(r#","acyclic":"/up""#), maybe(r#","titleKey":"name""#), references).prop_map(
        move |(namespace, acyclic, title, (one, many, up, inside, wanted))| {
            let all = [one, many, up, inside];
            let own: Vec<&String> = all.iter().enumerate().filter(|(at, _)| wanted >> at & 1 == 1).map(|(_, own)| own).collect();
            let own: Vec<&str> = own.iter().map(|own| own.as_str()).collect();
            let path = if name == "c" {
                "/deep/c"
            } else if name == "a" {
                "/a"
            } else {
                "/b"
            };
            format!(r#"{{"name":"{name}","path":"{path}"{namespace}{acyclic}{title},"references":[{}]}}"#, own.join(","))
        },
    )
}

fn definition() -> impl Strategy<Value = Json> {
    (section("a"), section("b"), section("c"), 0u8..3).prop_map(|(a, b, c, schema)| {
        let item = ITEM.replace('@', "#/$defs/inside");
        let defs = r#""$defs":{"inside":{"type":"object","additionalProperties":{"type":["string","null"]}}}"#;
        let list = |items: &str| format!(r#"{{"type":"array","items":{items}}}"#);
        let schema = match schema {
            0 => String::new(),
            1 => format!(
                r#""schema":{{{defs},"type":"object","properties":{{"a":{},"deep":{{"properties":{{"c":{}}}}}}}}},"#,
                list(&item),
                list(&item)
            ),
            _ => format!(r#""schema":{{{defs},"required":["a"],"properties":{{"b":{}}}}},"#, list(&item)),
        };
        json(&format!(r#"{{"kind":"k",{schema}"sections":[{a},{b},{c}]}}"#))
    })
}

fn members() -> impl Strategy<Value = String> {
    let one = |name: &'static str| prop::option::weighted(0.35, id()).prop_map(move |id| id.map(|id| format!(r#""{name}":{id}"#)));
    let many = prop::option::weighted(0.35, prop::collection::vec(id(), 0..4))
        .prop_map(|ids| ids.map(|ids| format!(r#""many":[{}]"#, ids.join(","))));
    let inside = prop::option::weighted(0.3, id()).prop_map(|id| id.map(|id| format!(r#""in":{{"of":{id}}}"#)));
    let name = prop::option::weighted(0.3, prop::sample::select(&[r#""n""#, r#""too long""#, "null", "7"][..]))
        .prop_map(|name| name.map(|name| format!(r#""name":{name}"#)));
    (one("one"), one("up"), many, inside, name)
        .prop_map(|(a, b, c, d, e)| [a, b, c, d, e].into_iter().flatten().collect::<Vec<_>>().join(","))
}

fn entity() -> impl Strategy<Value = String> {
    (id(), members())
        .prop_map(|(id, members)| if members.is_empty() { format!(r#"{{"id":{id}}}"#) } else { format!(r#"{{"id":{id},{members}}}"#) })
}

fn document() -> impl Strategy<Value = Json> {
    let list = || prop::collection::vec(entity(), 0..6).prop_map(|all| all.join(","));
    (list(), list(), list()).prop_map(|(a, b, c)| json(&format!(r#"{{"a":[{a}],"b":[{b}],"deep":{{"c":[{c}]}}}}"#)))
}

#[derive(Clone, Debug)]
enum Act {
    Patch(Option<u8>, String),
    Call(u8, usize, String),
    Undo,
    Redo,
}

fn path_of(section: &str) -> String {
    if section == "c" { "/deep/c".to_owned() } else { format!("/{section}") }
}

fn operation() -> impl Strategy<Value = String> {
    (prop::sample::select(&SECTIONS[..]), 0u8..7, prop::sample::select(&FIELDS[..]), entity(), id(), 0u8..10, 0u8..7).prop_map(
        |(section, place, field, entity, value, kind, to)| {
            let (list, value) = (path_of(section), if kind % 2 == 0 { value } else { format!("[{value}]") });
            let place = if place == 6 && kind < 3 { "-".to_owned() } else { place.to_string() };
            match kind {
                0..2 => format!(r#"{{"op":"add","path":"{list}/{place}","value":{entity}}}"#),
                2 => format!(r#"{{"op":"replace","path":"{list}/{place}","value":{entity}}}"#),
                3 | 4 => format!(r#"{{"op":"remove","path":"{list}/{place}"}}"#),
                5 => format!(r#"{{"op":"remove","path":"{list}/{place}/{field}"}}"#),
                6 => format!(r#"{{"move":"{list}","from":{place},"to":{to}}}"#),
                _ => format!(r#"{{"op":"add","path":"{list}/{place}/{field}","value":{value}}}"#),
            }
        },
    )
}

fn act() -> impl Strategy<Value = Act> {
    let call = (0u8..2, 0usize..8, prop::sample::select(&SECTIONS[..]), members(), id(), id(), prop::sample::select(&FIELDS[..])).prop_map(
        |(turn, tool, kind, members, one, other, field)| {
            let (tool, rest) = match tool {
                0 => (0, format!(r#","fields":{{{members}}}"#)),
                1 => (1, format!(r#","id":{one},"set":{{{members}}}"#)),
                2 => (1, format!(r#","id":{one},"clear":["{field}"]"#)),
                3..=5 => (2, format!(r#","id":{one}"#)),
                6 => (3, format!(r#","id":{one},"before":{other}"#)),
                _ => (3, format!(r#","id":{one},"after":{other}"#)),
            };
            Act::Call(turn, tool, format!(r#"{{"kind":"{kind}"{rest}}}"#))
        },
    );
    let patch = (prop::option::of(0u8..2), prop::collection::vec(operation(), 1..6));
    prop_oneof![
        5 => patch.prop_map(|(turn, operations)| Act::Patch(turn, operations.join("\n"))),
        6 => call,
        3 => Just(Act::Undo),
        2 => Just(Act::Redo),
    ]
}

/// The operations as a patch; a move takes the entity that stands there by then.
fn patch_of(document: &Json, operations: &str) -> Json {
    let mut patch = Vec::new();
    for operation in operations.lines().map(json) {
        let Some(list) = operation.get("move").and_then(Json::as_str) else {
            patch.push(operation);
            continue;
        };
        let (from, to) = (operation.get("from").unwrap().to_text(), operation.get("to").unwrap().to_text());
        let segments = countersign::document::pointer::parse(&format!("{list}/{from}")).unwrap();
        let current = decode_patch(&Json::from(patch.clone())).ok().and_then(|patch| apply(document, &patch).ok());
        let entity = current.as_ref().and_then(|current| countersign::document::pointer::find(current, &segments)).cloned();
        patch.push(json(&format!(r#"{{"op":"remove","path":"{list}/{from}"}}"#)));
        patch.push(json(&format!(r#"{{"op":"add","path":"{list}/{to}","value":{}}}"#, entity.unwrap_or_default().to_text())));
    }
    Json::from(patch)
}

/// Runs a program on both and holds one against the other after every act.
fn same_on_both(definition: &Json, initial: &Json, acts: Vec<Act>) -> Result<(), TestCaseError> {
    let options = StoreOptions { history: 4, sandbox: false };
    let Ok(store) = DocumentStore::new(Rc::new(defined(definition)), initial, options) else { return Ok(()) };
    let oracle = DocumentStore::new(Rc::new(Whole(defined(definition))), initial, options).unwrap();
    let tools = entity_tools(&defined(definition));
    prop_assert_eq!(store.issues(), oracle.issues());
    let mut followed = (store.revision(), store.read());
    let mut expected = Vec::new();
    for (at, act) in acts.iter().enumerate() {
        if !matches!(act, Act::Call(..)) {
            expected.clear();
        }
        // a document that somebody holds is put together as one value; one that nobody holds is not
        if at % 3 == 0 {
            store.loosen();
        }
        let before = json(&oracle.read().to_text());
        let was_clean = oracle.issues().is_empty();
        let edit = |store: &DocumentStore, turn: &Option<u8>, change: &Change| match turn {
            None => store.edit(change, "l"),
            Some(turn) => store.commit_turn(&TurnKey::from(turn.to_string().as_str()), "l", change),
        };
        let (mut deleted, retraced) = (false, matches!(act, Act::Undo | Act::Redo));
        let (told, other) = match act {
            Act::Patch(turn, operations) => {
                let patch = decode_patch(&patch_of(&before, operations)).unwrap();
                let outcome = ToolOutcome::Ok { result: ToolResult::Text(String::new()), document: None, patch: Some(patch.clone()) };
                let _ = previews::told_as_done(&store, &oracle, &before, None, &outcome)?;
                let change = Change::Patch(patch);
                (edit(&store, turn, &change), edit(&oracle, turn, &change))
            }
            Act::Call(turn, tool, input) => {
                let (key, tool) = (TurnKey::from(turn.to_string().as_str()), &tools[*tool]);
                let Ok(input) = tool.normalize(json(input)) else { continue };
                let run = |store: &DocumentStore, outcome: &ToolOutcome| {
                    commit(store, &key, "l", BaseRevision(store.revision()), ToolEffect::Mutate, outcome)
                };
                // as the loop runs it: on the document with its index; and as anyone may run it: on a document alone
                let (here, there) = (store.run(&**tool, &input), tool.run(&before, &input));
                prop_assert_eq!(format!("{here:?}"), format!("{there:?}"));
                let preview = previews::told_as_done(&store, &oracle, &before, Some((&**tool, &input)), &here)?;
                prop_assert_eq!(store.run(&**tool, &input), here.clone());
                if expected.is_empty() {
                    let upcoming = acts[at..].iter().map_while(|act| match act {
                        Act::Call(_, tool, input) => Some((&*tools[*tool], tools[*tool].normalize(json(input)).ok())),
                        _ => None,
                    });
                    expected = previews::one_after_the_other(&store, &upcoming.collect::<Vec<_>>());
                }
                // what was told before those before it were made is what is told now
                prop_assert_eq!(preview, expected.remove(0));
                deleted = tool.declaration().destructive && matches!(here, ToolOutcome::Ok { .. });
                (run(&store, &here), run(&oracle, &there))
            }
            Act::Undo => (store.undo(), oracle.undo()),
            Act::Redo => (store.redo(), oracle.redo()),
        };
        if at % 2 == 0 {
            prop_assert_eq!(store.read().to_text(), oracle.read().to_text());
        }
        prop_assert_eq!(store.issues(), oracle.issues());
        prop_assert_eq!(store.history(), oracle.history());
        if was_clean && !retraced {
            prop_assert!(store.issues().is_empty());
            // what follows the references leaves none behind that leads nowhere; only the schema may object
            if deleted && let CommitOutcome::Refused { result, .. } = &told {
                prop_assert!(result.contains("schema: "), "{}", result);
            }
        }
        match (told, other) {
            (CommitOutcome::Committed { revision, patch }, CommitOutcome::Committed { revision: other, .. }) => {
                prop_assert_eq!(revision, other);
                prop_assert_eq!(apply(&before, &patch).unwrap(), oracle.read());
            }
            (told, other) => prop_assert_eq!(told, other),
        }
        if at % 4 == 3 {
            let now = store.changes_since(followed.0).map_or_else(|| store.read(), |patch| apply(&followed.1, &patch).unwrap());
            prop_assert_eq!(now.to_text(), oracle.read().to_text());
            followed = (store.revision(), now);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn c1_c3_any_program_over_any_definition_comes_to_what_a_look_at_the_whole_says(
        definition in definition().prop_map(|d| d.to_text()),
        initial in document().prop_map(|d| d.to_text()),
        acts in prop::collection::vec(act(), 1..16),
    ) {
        same_on_both(&json(&definition), &json(&initial), acts)?;
    }

    #[test]
    fn c1_c3_the_same_on_a_document_that_is_right(definition in definition().prop_map(|d| d.to_text()), acts in prop::collection::vec(act(), 1..24)) {
        same_on_both(&json(&definition), &json(r#"{"a":[{"id":"a-1"},{"id":"x"},{"id":"y"}],"b":[{"id":"b-1"},{"id":"z"}],"deep":{"c":[]}}"#), acts)?;
    }
}
