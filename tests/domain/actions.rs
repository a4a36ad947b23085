//! The twelve tools: what they declare, what they take, what they do and what they tell.

use super::*;
use countersign::document::outcome::TurnStanding;
use countersign::protocol::call::ToolEffect;
use countersign::protocol::effect::RunsOn;
use documents::MINIMAL;

const NAMES: [&str; 12] = [
    "add_element",
    "update_element",
    "delete_element",
    "add_data_flow",
    "update_data_flow",
    "delete_data_flow",
    "add_trust_boundary",
    "update_trust_boundary",
    "delete_trust_boundary",
    "add_threat",
    "update_threat",
    "delete_threat",
];

fn issues(tool: &str, input: &str) -> Vec<String> {
    prepare(tool, &json(input)).expect_err(input)
}

fn summary(tool: &str, input: &str) -> String {
    prepare(tool, &json(input)).unwrap().summary
}

#[test]
fn g1_twelve_tools_change_the_document_and_four_destroy() {
    let registry = registry();
    let names: Vec<&str> = registry.tools().map(|tool| tool.declaration().name.as_str()).collect();
    assert_eq!(names, NAMES);
    for tool in registry.tools() {
        let declaration = tool.declaration();
        assert_eq!((declaration.effect, declaration.runs_on), (ToolEffect::Mutate, RunsOn::Core));
        assert_eq!(declaration.destructive, declaration.name.starts_with("delete_"));
        assert_eq!(declaration.max_input_bytes, Some(65_536));
        assert!(!declaration.description.is_empty());
    }
    let advertised = serde_json::to_string(&registry.list()).unwrap();
    assert!(advertised.len() < 14_000, "{}", advertised.len());
}

#[test]
fn inputs_are_closed_at_every_level_and_bounded() {
    for (tool, input, place) in [
        ("add_element", r#"{"element":{"type":"t","name":"n","id":"x"}}"#, "element"),
        ("add_element", r#"{"element":{"type":"t","name":""}}"#, "element.name"),
        ("add_element", r#"{"element":{"type":"t","name":"n","position":{"x":1,"y":2,"z":3}}}"#, "element.position"),
        ("add_element", r#"{"element":{"type":"t","name":"n","position":{"x":1e7,"y":2}}}"#, "element.position.x"),
        ("add_element", r#"{"element":{"type":"t","name":"n"},"extra":1}"#, "input"),
        ("add_element", r#"{"action":"add_threat","element":{"type":"t","name":"n"}}"#, "action"),
        ("add_element", r#"{"element":{"type":"t","name":"n","description":null}}"#, "element.description"),
        ("update_element", r#"{"id":"a","updates":{"fill_opacity":1.5}}"#, "updates.fill_opacity"),
        ("update_element", r#"{"id":"a","updates":{"layer":""}}"#, "updates.layer"),
        ("update_element", r#"{"id":"a","updates":{"name":"x"},"clear":["name"]}"#, "clear[0]"),
        ("update_element", r#"{"id":"a","updates":{"icon":"x"},"clear":["icon"]}"#, "clear"),
        ("update_element", r#"{"id":"a"}"#, "updates"),
        ("update_data_flow", r#"{"id":"a","updates":{"flow_number":-1.5}}"#, "updates.flow_number"),
        ("update_data_flow", r#"{"id":"a","updates":{"flow_number":0}}"#, "updates.flow_number"),
        ("update_data_flow", r#"{"id":"a","updates":{"flow_number":4294967296}}"#, "updates.flow_number"),
        ("update_threat", r#"{"id":"a","updates":{"severity":"extreme"}}"#, "updates.severity"),
        ("update_threat", r#"{"id":"a","updates":{"severity":"constructor"}}"#, "updates.severity"),
        ("update_threat", r#"{"id":"a","updates":{"mitigation":{"status":"accepted"}}}"#, "updates.mitigation"),
        ("delete_threat", r#"{"id":""}"#, "id"),
        ("delete_threat", r#"{"id":"a","__proto__":{}}"#, "__proto__"),
    ] {
        let told = issues(tool, input);
        assert!(told[0].starts_with(place), "{tool} {input}: {told:?}");
    }
    let long = |field: &str, length: usize| format!(r#"{{"element":{{"type":"t","name":"n","{field}":"{}"}}}}"#, "é".repeat(length));
    assert!(prepare("add_element", &json(&long("description", 4000))).is_ok());
    assert!(issues("add_element", &long("description", 4001))[0].starts_with("element.description"));
    assert!(issues("add_element", &long("trust_zone", 201))[0].starts_with("element.trust_zone"));
    let many = format!(r#"{{"element":{{"type":"t","name":"n","technologies":[{}]}}}}"#, vec![r#""t""#; 101].join(","));
    assert!(issues("add_element", &many)[0].starts_with("element.technologies"));
}

#[test]
fn a1_the_action_word_and_the_case_of_a_severity_do_not_reach_the_digest() {
    let plain = r#"{"threat":{"title":"t","category":"Spoofing","severity":"high","description":"d"}}"#;
    let spelled = r#"{"action":"add_threat","threat":{"severity":"HIGH","title":"t","category":"Spoofing","description":"d"}}"#;
    let (plain, spelled) = (prepare("add_threat", &json(plain)).unwrap(), prepare("add_threat", &json(spelled)).unwrap());
    assert_eq!(plain.input_digest, spelled.input_digest);
    let store = open(&smart_lock()).unwrap();
    let (outcome, _) = call(&store, "add_threat", &spelled.input);
    assert_eq!(told(&outcome).to_text(), r#"{"action":"add_threat","id":"threat-1","kind":"threats"}"#);
    assert_eq!(store.read().get("threats").and_then(Json::as_array).unwrap()[2].get("severity"), Some(&Json::from("high")));
    let update = prepare("update_data_flow", &json(r#"{"id":"f","updates":{},"clear":["flow_number"]}"#)).unwrap();
    assert_eq!(update.input.to_text(), r#"{"id":"f","clear":["flow_number"]}"#);
}

#[test]
fn c3_every_tool_works_on_the_smallest_document_as_one_step() {
    let store = open(&json(MINIMAL)).unwrap();
    let before = store.read();
    for (tool, input, id) in [
        ("add_element", r#"{"element":{"type":"cache","name":"Cache"}}"#, "comp-1"),
        ("update_element", r#"{"id":"comp-1","updates":{"icon":"redis"},"clear":["layer"]}"#, "comp-1"),
        ("add_data_flow", r#"{"data_flow":{"from":"kiosk","to":"comp-1"}}"#, "flow-1"),
        ("update_data_flow", r#"{"id":"flow-1","updates":{"protocol":"tls"},"clear":["flow_number"]}"#, "flow-1"),
        ("add_trust_boundary", r#"{"trust_boundary":{"name":"B","contains":["kiosk"]}}"#, "boundary-1"),
        ("update_trust_boundary", r#"{"id":"boundary-1","updates":{"contains":["comp-1"]}}"#, "boundary-1"),
        ("add_threat", r#"{"threat":{"title":"T","category":"Tampering","flow":"flow-1","severity":"Low","description":"d"}}"#, "threat-1"),
        ("update_threat", r#"{"id":"threat-1","updates":{"element":"kiosk"}}"#, "threat-1"),
        ("delete_threat", r#"{"id":"threat-1"}"#, "threat-1"),
        ("delete_data_flow", r#"{"id":"flow-1"}"#, "flow-1"),
        ("delete_trust_boundary", r#"{"id":"boundary-1"}"#, "boundary-1"),
        ("delete_element", r#"{"id":"comp-1"}"#, "comp-1"),
    ] {
        let (outcome, committed) = call(&store, tool, &json(input));
        assert!(matches!(committed, CommitOutcome::Committed { .. }), "{tool}: {committed:?}");
        let told = told(&outcome);
        assert_eq!((told.get("action"), told.get("id")), (Some(&Json::from(tool)), Some(&Json::from(id))));
        assert!(store.issues().is_empty());
    }
    assert_eq!(store.read(), before);
    assert_eq!(
        (store.history().len(), store.turn_standing(&countersign::document::store::TurnKey::from("turn"))),
        (1, TurnStanding::Undoable)
    );
    let _ = store.undo_turn(&countersign::document::store::TurnKey::from("turn"));
    assert!(store.read().same_tree(&before));
}

#[test]
fn c3_a_delete_takes_along_what_hangs_on_it_and_one_undo_brings_all_back() {
    let mut document = smart_lock();
    let threats = r#"[{"id":"a","title":"t","category":"Spoofing","severity":"low","element":"hub"},
        {"id":"b","title":"t","category":"Spoofing","severity":"low","element":"vault","flow":"flow-3"},
        {"id":"c","title":"t","category":"Spoofing","severity":"low","element":"hub","flow":"flow-9"},
        {"id":"d","title":"t","category":"Spoofing","severity":"low","element":"lock-7"},
        {"id":"e","title":"t","category":"Spoofing","severity":"low"}]"#;
    document.as_object_mut().unwrap().insert("threats", json(threats));
    let store = open(&document).unwrap();
    let before = store.read();
    let (outcome, committed) = call(&store, "delete_element", &json(r#"{"id":"hub"}"#));
    assert!(matches!(committed, CommitOutcome::Committed { .. }), "{committed:?}");
    assert_eq!(
        told(&outcome).to_text(),
        r#"{"action":"delete_element","cascades":{"boundary_members":1,"data_flows":2,"relationships":1,"threats_changed":1,"threats_removed":2},"id":"hub","kind":"elements"}"#
    );
    let after = store.read();
    let ids = |section: &str| -> Vec<String> {
        let entries = after.get(section).and_then(Json::as_array).unwrap();
        entries.iter().map(|entry| entry.get("id").and_then(Json::as_str).unwrap().to_owned()).collect()
    };
    assert_eq!(ids("threats"), ["b", "d", "e"]);
    assert!(ids("data_flows").is_empty() && ids("relationships").is_empty());
    assert!(after.get("threats").and_then(Json::as_array).unwrap()[0].get("flow").is_none());
    assert!(after.get("layers").unwrap().same_tree(before.get("layers").unwrap()));
    assert!(store.issues().is_empty());
    let _ = store.undo();
    assert!(store.read().same_tree(&before));
}

#[test]
fn fresh_ids_are_made_from_the_document_and_free_in_the_space_they_share() {
    let add = |document: &Json, tool: &str, input: &str| {
        let (outcome, committed) = call(&open(document).unwrap(), tool, &json(input));
        assert!(matches!(committed, CommitOutcome::Committed { .. }), "{committed:?}");
        told(&outcome).get("id").and_then(Json::as_str).unwrap().to_owned()
    };
    let with = |section: &str, entries: &str| {
        let mut document = json(MINIMAL);
        document.as_object_mut().unwrap().insert(section, json(entries));
        document
    };
    let element = r#"{"element":{"type":"cache","name":"c"}}"#;
    let flow = r#"{"data_flow":{"from":"kiosk","to":"kiosk"}}"#;
    let entry = |id: &str| format!(r#"[{{"id":"kiosk","type":"t","name":"n"}},{{"id":"{id}","type":"t","name":"n"}}]"#);
    for (id, next) in [
        ("comp-3", "comp-4"),
        ("comp-007", "comp-8"),
        ("comp-99999999999999999999", "comp-1"),
        ("xcomp-5", "comp-1"),
        ("comp-5x", "comp-1"),
    ] {
        assert_eq!(add(&with("elements", &entry(id)), "add_element", element), next);
    }
    assert_eq!(add(&with("groups", r#"[{"id":"comp-1","name":"n"},{"id":"comp-2","name":"n"}]"#), "add_element", element), "comp-3");
    assert_eq!(
        add(&with("groups", r#"[{"id":"boundary-1","name":"n"}]"#), "add_trust_boundary", r#"{"trust_boundary":{"name":"b"}}"#),
        "boundary-2"
    );
    assert_eq!(add(&with("relationships", r#"[{"id":"flow-1","type":"t","from":"kiosk","to":"kiosk"}]"#), "add_data_flow", flow), "flow-2");
    let full = with("data_flows", r#"[{"id":"flow-1","from":"kiosk","to":"kiosk","flow_number":4294967295}]"#);
    assert_eq!(add(&full, "add_data_flow", flow), "flow-2");
}

#[test]
fn what_was_left_out_or_not_known_is_told() {
    let store = open(&smart_lock()).unwrap();
    let (outcome, _) = call(&store, "add_trust_boundary", &json(r#"{"trust_boundary":{"name":"B","contains":["hub","ghost"]}}"#));
    assert_eq!(
        told(&outcome).to_text(),
        r#"{"action":"add_trust_boundary","dropped_members":["ghost"],"dropped_members_total":1,"id":"boundary-1","kind":"trust_boundaries"}"#
    );
    let (outcome, _) = call(&store, "add_element", &json(r#"{"element":{"type":"toaster","name":"T"}}"#));
    assert!(told(&outcome).get("warning").and_then(Json::as_str).unwrap().contains("`toaster`"));
    let (outcome, committed) = call(&store, "update_element", &json(r#"{"id":"hub","updates":{"trust_zone":"dmz"}}"#));
    assert_eq!(committed, CommitOutcome::Unchanged);
    assert_eq!(told(&outcome).get("unchanged"), Some(&Json::from(true)));
}

#[test]
fn an_error_names_the_field_the_value_and_what_is_near() {
    let store = open(&smart_lock()).unwrap();
    for (tool, input, parts) in [
        (
            "update_data_flow",
            r#"{"id":"flow-3","updates":{"to":"Vaul"}}"#,
            vec!["updates.to: `Vaul` is not in `elements`", "known: `vault`"],
        ),
        ("update_data_flow", r#"{"id":"flow-4","updates":{"to":"hub"}}"#, vec!["id: `flow-4`", "`flow-3`"]),
        ("add_data_flow", r#"{"data_flow":{"from":"hub","to":"ghost"}}"#, vec!["data_flow.to: `ghost`", "`from` is `hub`"]),
        ("update_element", r#"{"id":"hub","updates":{"group":"x"}}"#, vec!["updates.group: `x` is not in `groups`", "`plant`"]),
        ("delete_threat", r#"{"id":"zz"}"#, vec!["`delete_threat`", "`zz`", "`th-1`"]),
    ] {
        let (outcome, committed) = call(&store, tool, &json(input));
        assert!(matches!(committed, CommitOutcome::Refused { .. }));
        for part in parts {
            assert!(problem(&outcome).contains(part), "{part} is not in {}", problem(&outcome));
        }
    }
}

#[test]
fn fields_can_be_cleared_and_others_stay() {
    let store = open(&smart_lock()).unwrap();
    let (_, committed) =
        call(&store, "update_element", &json(r#"{"id":"vault","updates":{"name":"V"},"clear":["subtype","icon","stores","encryption"]}"#));
    assert!(matches!(committed, CommitOutcome::Committed { .. }));
    let vault = store.read().get("elements").and_then(Json::as_array).unwrap()[2].clone();
    let keys: Vec<String> = vault.as_object().unwrap().keys().map(|key| key.to_string()).collect();
    assert_eq!(keys, ["id", "type", "name", "trust_zone", "description", "technologies", "tags"]);
}

#[test]
fn e4_the_card_line_names_things_and_hides_nothing() {
    for (tool, input, line) in [
        ("add_element", r#"{"element":{"type":"cache","name":"Hot keys"}}"#, r#"Add element "Hot keys" (cache)"#),
        ("add_data_flow", r#"{"data_flow":{"from":"a","to":"b","name":"n"}}"#, r#"Add data flow "n" from a to b"#),
        ("add_trust_boundary", r#"{"trust_boundary":{"name":"B","contains":["a","b"]}}"#, r#"Add trust boundary "B" around 2 elements"#),
        (
            "add_threat",
            r#"{"threat":{"title":"T","category":"Tampering","severity":"HIGH","description":"d","element":"a","flow":"f"}}"#,
            r#"Add threat "T" (Tampering, high) on element a and data flow f"#,
        ),
        (
            "update_element",
            r#"{"id":"a","updates":{"name":"N","technologies":["x"],"font_size":2},"clear":["layer"]}"#,
            r#"Change element a: name = "N", technologies = ["x"], font_size = 2, clear layer"#,
        ),
        ("delete_trust_boundary", r#"{"id":"b"}"#, "Delete trust boundary b (its members stay)"),
    ] {
        assert_eq!(summary(tool, input), line);
    }
    let shown = summary("delete_element", "{\"id\":\"a\u{202E}b\\nc\"}");
    assert!(shown.starts_with("Delete element a\\u{202E}b\\nc, its data flows"), "{shown}");
    let long = "v".repeat(100);
    let fields: Vec<String> =
        ["name", "type", "trust_zone", "subtype", "icon", "encryption"].map(|field| format!(r#""{field}":"{long}""#)).to_vec();
    let shown = summary("update_element", &format!(r#"{{"id":"a","updates":{{{}}}}}"#, fields.join(",")));
    assert!(shown.chars().count() <= 200 && shown.ends_with(" more"), "{shown}");
    assert!(shown.contains("…(48 more)…"), "{shown}");
}
