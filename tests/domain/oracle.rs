//! What is made entity by entity comes to what a look at the whole document would have said, fault for fault.

use proptest::prelude::*;

use super::*;
use countersign::document::definition::{Definition, DocumentDefinition, Section};
use countersign::document::fault::Faults;
use countersign::document::patch::apply;
use countersign::document::store::{Change, TurnKey};
use countersign::protocol::patch::{JsonPatch, decode_patch};
use countersign::tools::core_tool::CoreTool;

/// A definition that only knows how to look at whole documents.
struct Whole(Rc<dyn Definition>);

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

const IDS: [&str; 9] = ["a", "b", "c", "comp-1", "comp-2", "flow-1", "g<", "", "lane-007"];

fn id() -> impl Strategy<Value = String> {
    prop::sample::select(&IDS[..]).prop_map(|id| Json::from(id).to_text())
}

/// One of these lists, most often one with few ids, so that they meet.
fn list(name: &'static str, entity: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    prop::collection::vec(entity, 0..5).prop_map(move |items| format!(r#""{name}":[{}]"#, items.join(",")))
}

fn element() -> impl Strategy<Value = String> {
    (id(), prop::option::of(id()), prop::option::of(id()), 0u8..12).prop_map(|(id, layer, group, odd)| {
        let layer = layer.map(|layer| format!(r#","layer":{layer}"#)).unwrap_or_default();
        let group = group.map(|group| format!(r#","group":{group}"#)).unwrap_or_default();
        let name = if odd == 0 { "7" } else { r#""n""# };
        format!(r#"{{"id":{id},"type":"cache","name":{name}{layer}{group}}}"#)
    })
}

fn edge(extra: &'static str) -> impl Strategy<Value = String> {
    (id(), id(), id(), 0u32..9)
        .prop_map(move |(id, from, to, n)| format!(r#"{{"id":{id},"from":{from},"to":{to}{}}}"#, extra.replace('#', &n.to_string())))
}

fn group() -> impl Strategy<Value = String> {
    (id(), prop::option::of(id())).prop_map(|(id, parent)| {
        format!(r#"{{"id":{id},"name":"g"{}}}"#, parent.map(|parent| format!(r#","parent":{parent}"#)).unwrap_or_default())
    })
}

fn threat() -> impl Strategy<Value = String> {
    (id(), prop::option::of(id()), prop::option::of(id())).prop_map(|(id, element, flow)| {
        let element = element.map(|element| format!(r#","element":{element}"#)).unwrap_or_default();
        let flow = flow.map(|flow| format!(r#","flow":{flow}"#)).unwrap_or_default();
        format!(r#"{{"id":{id},"title":"t","category":"Spoofing","severity":"low","description":"d"{element}{flow}}}"#)
    })
}

fn boundary() -> impl Strategy<Value = String> {
    (id(), prop::collection::vec(id(), 0..4)).prop_map(|(id, all)| format!(r#"{{"id":{id},"name":"b","contains":[{}]}}"#, all.join(",")))
}

fn threat_model() -> impl Strategy<Value = Json> {
    (
        list("groups", group()),
        list("elements", element()),
        list("data_flows", edge(r#","flow_number":#"#)),
        list("relationships", edge(r#","type":"t""#)),
        list("trust_boundaries", boundary()),
        list("threats", threat()),
    )
        .prop_map(|(groups, elements, flows, relationships, boundaries, threats)| {
            let head = r#""version":"1.0","metadata":{"title":"t","author":"a","created":"2026-01-01","modified":"2026-01-01"}"#;
            json(&format!(
                r#"{{{head},"layers":[{{"id":"a","name":"l"}}],{threats},{groups},{elements},{flows},{relationships},{boundaries}}}"#
            ))
        })
}

fn entity(list: &'static str) -> BoxedStrategy<String> {
    match list {
        "elements" => element().boxed(),
        "data_flows" => edge(r#","flow_number":#"#).boxed(),
        "relationships" => edge(r#","type":"t""#).boxed(),
        "groups" => group().boxed(),
        "threats" => threat().boxed(),
        "trust_boundaries" => boundary().boxed(),
        _ => id().prop_map(|id| format!(r#"{{"id":{id},"name":"x"}}"#)).boxed(),
    }
}

/// Any operation on a list: whole entities, single fields, and what does not fit.
fn operation(
    lists: &'static [&'static str],
    fields: &'static [&'static str],
    entity: fn(&'static str) -> BoxedStrategy<String>,
) -> impl Strategy<Value = String> {
    (prop::sample::select(lists), 0u8..7, prop::sample::select(fields), 0u8..10).prop_flat_map(move |(list, place, field, kind)| {
        (entity(list), prop::option::of(id())).prop_map(move |(entity, value)| {
            let value = value.unwrap_or_else(|| "null".to_owned());
            let place = if place == 6 { "-".to_owned() } else { place.to_string() };
            match kind {
                0..3 => format!(r#"{{"op":"add","path":"/{list}/{place}","value":{entity}}}"#),
                3 => format!(r#"{{"op":"replace","path":"/{list}/{place}","value":{entity}}}"#),
                4 | 5 => format!(r#"{{"op":"remove","path":"/{list}/{place}"}}"#),
                6 => format!(r#"{{"op":"remove","path":"/{list}/{place}/{field}"}}"#),
                7 | 8 => format!(r#"{{"op":"add","path":"/{list}/{place}/{field}","value":{value}}}"#),
                _ => format!(r#"{{"op":"test","path":"/{list}/{place}/{field}","value":{value}}}"#),
            }
        })
    })
}

#[derive(Clone, Debug)]
enum Act {
    Patch(Option<u8>, JsonPatch),
    /// Takes an entity out and puts it in at another place, or at its own.
    Move(&'static str, usize, usize),
    Call(u8, usize, Json),
    Whole(Json),
    Undo,
    Redo,
}

fn patch(operations: impl Strategy<Value = String>) -> impl Strategy<Value = Act> {
    (prop::option::of(0u8..2), prop::collection::vec(operations, 1..5))
        .prop_map(|(turn, operations)| Act::Patch(turn, decode_patch(&json(&format!("[{}]", operations.join(",")))).unwrap()))
}

const LISTS: [&str; 7] = ["elements", "data_flows", "relationships", "groups", "threats", "trust_boundaries", "layers"];
const FIELDS: [&str; 11] = ["id", "from", "to", "layer", "group", "parent", "element", "flow", "contains/0", "name", "trust_zone"];

fn model_act() -> impl Strategy<Value = Act> {
    let call = (0u8..2, 0usize..12, id(), id()).prop_map(|(turn, tool, one, other)| {
        let input = match tool {
            0 => r#"{"element":{"type":"cache","name":"n"}}"#.to_owned(),
            1 => format!(r#"{{"id":{one},"updates":{{"layer":"a","name":{other}}}}}"#),
            3 => format!(r#"{{"data_flow":{{"from":{one},"to":{other}}}}}"#),
            4 => format!(r#"{{"id":{one},"updates":{{"to":{other}}}}}"#),
            6 => format!(r#"{{"trust_boundary":{{"name":"b","contains":[{one},{other}]}}}}"#),
            7 => format!(r#"{{"id":{one},"updates":{{"contains":[{other}]}}}}"#),
            9 => format!(r#"{{"threat":{{"title":"t","category":"Spoofing","severity":"low","description":"d","element":{one}}}}}"#),
            10 => format!(r#"{{"id":{one},"updates":{{"flow":{other}}},"clear":["element"]}}"#),
            _ => format!(r#"{{"id":{one}}}"#),
        };
        Act::Call(turn, tool, json(&input))
    });
    prop_oneof![
        5 => patch(operation(&LISTS, &FIELDS, entity)),
        5 => call,
        1 => (prop::sample::select(&LISTS[..]), 0usize..5, 0usize..5).prop_map(|(list, from, to)| Act::Move(list, from, to)),
        1 => threat_model().prop_map(Act::Whole),
        3 => Just(Act::Undo),
        2 => Just(Act::Redo),
    ]
}

/// Runs a program on both and holds one against the other after every act.
fn same_on_both(definition: &Rc<dyn Definition>, initial: &Json, acts: Vec<Act>, tools: &[Arc<dyn CoreTool>]) -> Result<(), TestCaseError> {
    let options = StoreOptions { history: 4, sandbox: false };
    let Ok(store) = DocumentStore::new(Rc::clone(definition), initial, options) else { return Ok(()) };
    let oracle = DocumentStore::new(Rc::new(Whole(Rc::clone(definition))), initial, options).unwrap();
    prop_assert_eq!(store.issues(), oracle.issues());
    let mut followed = (store.revision(), json(&store.read().to_text()));
    for act in acts {
        let before = json(&store.read().to_text());
        let edit = |store: &DocumentStore, turn: Option<u8>, change: &Change| match turn {
            None => store.edit(change, "l"),
            Some(turn) => store.commit_turn(&TurnKey::from(turn.to_string().as_str()), "l", change),
        };
        let (told, expected) = match act {
            Act::Patch(turn, patch) => {
                let change = Change::Patch(patch);
                (edit(&store, turn, &change), edit(&oracle, turn, &change))
            }
            Act::Move(list, from, to) => {
                let entity = before.get(list).and_then(Json::as_array).and_then(|items| items.get(from)).cloned().unwrap_or_default();
                let operations = format!(
                    r#"[{{"op":"remove","path":"/{list}/{from}"}},{{"op":"add","path":"/{list}/{to}","value":{}}}]"#,
                    entity.to_text()
                );
                let change = Change::Patch(decode_patch(&json(&operations)).unwrap());
                (edit(&store, None, &change), edit(&oracle, None, &change))
            }
            Act::Whole(document) => {
                let change = Change::Document(document);
                (edit(&store, Some(0), &change), edit(&oracle, Some(0), &change))
            }
            Act::Call(turn, tool, input) => {
                let key = TurnKey::from(turn.to_string().as_str());
                let tool = &tools[tool % tools.len()];
                let run = |store: &DocumentStore, outcome: &ToolOutcome| {
                    commit(store, &key, "l", BaseRevision(store.revision()), countersign::protocol::call::ToolEffect::Mutate, outcome)
                };
                // as the loop runs it: on the document with its index; and as anyone may run it: on a document alone
                let (here, there) = (store.run(&**tool, &input), tool.run(&oracle.read(), &input));
                prop_assert_eq!(result_of(&here), result_of(&there));
                (run(&store, &here), run(&oracle, &there))
            }
            Act::Undo => (store.undo(), oracle.undo()),
            Act::Redo => (store.redo(), oracle.redo()),
        };
        prop_assert_eq!(store.read().to_text(), oracle.read().to_text());
        prop_assert_eq!(store.issues(), oracle.issues());
        prop_assert_eq!(store.history(), oracle.history());
        match (told, expected) {
            (CommitOutcome::Committed { revision, patch }, CommitOutcome::Committed { revision: other, .. }) => {
                prop_assert_eq!(revision, other);
                prop_assert_eq!(apply(&before, &patch).unwrap(), store.read());
            }
            (told, expected) => prop_assert_eq!(told, expected),
        }
        // who follows the changes has the document, key for key
        if revision_is_even(&store) {
            let now = store.changes_since(followed.0).map_or_else(|| store.read(), |patch| apply(&followed.1, &patch).unwrap());
            prop_assert_eq!(now.to_text(), store.read().to_text());
            followed = (store.revision(), json(&now.to_text()));
        }
    }
    Ok(())
}

fn revision_is_even(store: &DocumentStore) -> bool {
    store.revision().is_multiple_of(2)
}

fn result_of(outcome: &ToolOutcome) -> String {
    match outcome {
        ToolOutcome::Ok { result: ToolResult::Text(text), .. } => text.clone(),
        other => format!("{other:?}"),
    }
}

const BOARD: &str = r#"{"kind":"board","schema":{"type":"object","properties":{"cards":{"type":"array","items":{"type":"object","properties":{"name":{"type":["string","null"]}}}}}},
    "sections":[
    {"name":"cards","path":"/cards","idPrefix":"comp","references":[{"path":"/lane","section":"lanes"},{"path":"/from","section":["cards","lanes"]},{"path":"/parent","section":"cards"}],"namespace":"n","acyclic":"/parent"},
    {"name":"lanes","path":"/lanes","acyclic":"/to","references":[{"path":"/contains","section":["lanes","cards"]}],"namespace":"n"}]}"#;
const BOARD_LISTS: [&str; 2] = ["cards", "lanes"];
const BOARD_FIELDS: [&str; 7] = ["id", "lane", "from", "to", "parent", "name", "contains"];

fn card(_: &'static str) -> BoxedStrategy<String> {
    let field = |name: &'static str| {
        prop::option::weighted(0.4, id()).prop_map(move |id| id.map(|id| format!(r#","{name}":{id}"#)).unwrap_or_default())
    };
    let odd =
        prop_oneof![9 => Just(""), 1 => Just(r#","name":3"#), 1 => Just(r#","contains":["a",4,null]"#), 1 => Just(r#","parent":null"#)];
    (id(), field("lane"), field("from"), field("to"), odd)
        .prop_map(|(id, lane, from, to, odd)| format!(r#"{{"id":{id}{lane}{from}{to}{odd}}}"#))
        .boxed()
}

fn board() -> impl Strategy<Value = Json> {
    (list("lanes", card("")), list("cards", card(""))).prop_map(|(lanes, cards)| json(&format!("{{{lanes},{cards}}}")))
}

fn board_act() -> impl Strategy<Value = Act> {
    prop_oneof![
        8 => patch(operation(&BOARD_LISTS, &BOARD_FIELDS, card)),
        1 => (prop::sample::select(&BOARD_LISTS[..]), 0usize..5, 0usize..5).prop_map(|(list, from, to)| Act::Move(list, from, to)),
        1 => board().prop_map(Act::Whole),
        3 => Just(Act::Undo),
        2 => Just(Act::Redo),
    ]
}

#[test]
fn c1_where_parents_lead_round_already_every_walk_is_looked_at() {
    let definition: Rc<dyn Definition> = Rc::new(DocumentDefinition::decode(&json(BOARD)).unwrap());
    let initial = json(r#"{"cards":[{"id":"c"},{"id":"a","parent":"b"},{"id":"b","parent":"a"}],"lanes":[]}"#);
    let edit = |operations: &str| Act::Patch(None, decode_patch(&json(operations)).unwrap());
    // the walk from the first card now closes at another one than before
    let into = edit(r#"[{"op":"add","path":"/cards/0/parent","value":"b"}]"#);
    let apart = edit(r#"[{"op":"remove","path":"/cards/2/parent"}]"#);
    let other = edit(r#"[{"op":"add","path":"/cards/0/name","value":"n"}]"#);
    same_on_both(&definition, &initial, vec![into.clone(), other, apart, into, Act::Undo, Act::Undo, Act::Redo], &[]).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn c1_a_threat_model_is_judged_by_entity_as_it_is_as_a_whole(initial in threat_model(), acts in prop::collection::vec(model_act(), 1..24)) {
        same_on_both(&definition(), &initial, acts, &graph_action_tools())?;
    }

    #[test]
    fn c1_a_hosts_document_is_judged_by_entity_as_it_is_as_a_whole(initial in board(), acts in prop::collection::vec(board_act(), 1..24)) {
        let definition: Rc<dyn Definition> = Rc::new(DocumentDefinition::decode(&json(BOARD)).unwrap());
        same_on_both(&definition, &initial, acts, &[])?;
    }
}
