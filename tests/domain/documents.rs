//! Whole documents: the smallest, one with every field, one of every older kind, and what reading makes of them.

use super::*;
use countersign::document::store::Change;
use countersign::protocol::patch::decode_patch;
use countersign::threat_model::new_document;

pub(super) const MINIMAL: &str = r#"{"version":"1.0","metadata":{"title":"Kiosk","author":"Ola Berg","created":"2026-01-31","modified":"2026-02-01"},"elements":[{"id":"kiosk","type":"process","name":"Kiosk"}]}"#;

const FULL: &str = r##"{
 "version":"1.0","x_root":{"kept":[1]},
 "metadata":{"title":"Clinic","author":"M. Ito","created":"2024-02-29","modified":"2026-02-01","description":"d","created_by":"a","modified_by":"b",
  "last_edit_timestamp":1767225600,"threat_analysis_enabled":true,"settings":{"grid_size":20,"default_element_fill":"#fff","x_setting":1},"x_meta":true},
 "layers":[{"id":"l1","name":"Front","description":"x"},{"id":"l2","name":"Back"}],
 "groups":[{"id":"g1","name":"Site","type":"site"},{"id":"g2","name":"Room","parent":"g1","description":"r","position":{"x":-1.5,"y":2},"size":{"width":10,"height":20},"fill_color":"red","stroke_color":"blue","fill_opacity":0.5,"stroke_opacity":1}],
 "elements":[{"id":"web","type":"web_server","name":"Web","trust_zone":"dmz","layer":"l1","group":"g2","subtype":"nginx","icon":"globe","description":"d","technologies":["t"],"tags":["a","a"],"stores":["s"],"encryption":"tls","position":{"x":0,"y":-3,"z":9},"fill_color":"c","stroke_color":"c","fill_opacity":1,"stroke_opacity":0,"font_size":12.5,"font_weight":"bold","x_own":null},
  {"id":"db","type":"something new","name":"Db"}],
 "data_flows":[{"id":"f1","flow_number":4294967295,"name":"n","from":"web","to":"db","protocol":"p","data":["d"],"authenticated":true,"label_offset":{"x":1,"y":1},"source_handle":"l","target_handle":"r","stroke_color":"c","stroke_opacity":0.1},{"id":"f2","from":"db","to":"db"}],
 "relationships":[{"id":"r1","type":"deploys_to","from":"web","to":"db","name":"n","description":"d","source_handle":"a","target_handle":"b","label_offset":{"x":0,"y":0},"stroke_color":"c","stroke_opacity":1}],
 "trust_boundaries":[{"id":"b1","name":"B","contains":["web","db","web"],"position":{"x":0,"y":0},"size":{"width":400,"height":300},"fill_color":"c"},{"id":"b2","name":"B2","contains":["web"]}],
 "threats":[{"id":"t1","title":"T","category":"Denial of Service","element":"web","flow":"f1","severity":"info","description":"d","mitigation":{"status":"transferred"}},{"id":"t2","title":"T","category":"Repudiation","severity":"critical"}],
 "diagrams":[{"id":"d1","name":"D","kind":"dfd","description":"d","layout_file":"../../etc/x.json","viewport":{"x":0,"y":0,"zoom":1}}]}"##;

#[test]
fn reading_is_a_fixed_point_and_fills_in_every_default() {
    let store = open(&json(MINIMAL)).unwrap();
    assert!(store.issues().is_empty());
    assert_eq!(
        store.read().get("elements").unwrap().to_text(),
        r#"[{"id":"kiosk","type":"process","name":"Kiosk","trust_zone":"","description":"","technologies":[],"tags":[]}]"#
    );
    for section in definition().sections() {
        assert!(store.read().get(&section.name).and_then(Json::as_array).is_some(), "{}", section.name);
    }
    for text in [MINIMAL, FULL] {
        let once = open(&json(text)).unwrap().read();
        assert!(open(&once).unwrap().read().same_tree(&once));
    }
}

#[test]
fn every_field_is_read_and_unknown_ones_are_kept() {
    let document = json(FULL);
    let store = open(&document).unwrap();
    assert_eq!(store.issues(), Vec::<String>::new());
    let read = store.read();
    for (section, entity) in [("layers", 0), ("groups", 1), ("relationships", 0), ("diagrams", 0)] {
        let of = |value: &Json| value.get(section).and_then(Json::as_array).unwrap()[entity].clone();
        assert!(of(&read).same_tree(&of(&document)), "{section}");
    }
    assert!(read.get("metadata").unwrap().same_tree(document.get("metadata").unwrap()));
    assert_eq!(read.get("x_root"), document.get("x_root"));
    let threat = &read.get("threats").and_then(Json::as_array).unwrap()[0];
    assert_eq!(threat.get("mitigation").unwrap().to_text(), r#"{"status":"transferred","description":""}"#);
    let element = &read.get("elements").and_then(Json::as_array).unwrap()[0];
    assert!(element.as_object().unwrap().contains_key("x_own") && element.get("position").unwrap().get("z").is_some());
}

#[test]
fn null_counts_as_absent() {
    let mut document = json(MINIMAL);
    document.as_object_mut().unwrap().insert("groups", Json::Null);
    document.as_object_mut().unwrap().insert(
        "elements",
        json(r#"[{"id":"a","type":"text","name":"n","layer":null,"trust_zone":null,"technologies":null,"position":null}]"#),
    );
    let store = open(&document).unwrap();
    assert_eq!(
        store.read().get("elements").unwrap().to_text(),
        r#"[{"id":"a","type":"text","name":"n","trust_zone":"","technologies":[],"description":"","tags":[]}]"#
    );
}

#[test]
fn a_new_document_is_valid_and_holds_one_diagram() {
    let document = new_document("T", "A", "2026-05-02");
    let store = open(&document).unwrap();
    assert!(store.issues().is_empty() && store.read().same_tree(&document));
    assert_eq!(document.get("diagrams").unwrap().to_text(), r#"[{"id":"main-dfd","name":"Level 0 DFD"}]"#);
    assert!(open(&new_document("T", "A", "today")).is_err());
}

#[test]
fn c1_all_faults_are_told_in_the_order_of_the_rules() {
    let store = open(&json(
        r#"{"version":"1.0","metadata":{"title":"t","author":"a","created":"2026-01-01","modified":"2026-01-01"},
        "elements":[{"id":"e","type":"t","name":"n","layer":"zz"},{"id":"e","type":"t","name":"n"}],
        "groups":[{"id":"g","name":"n","parent":"h"},{"id":"h","name":"n","parent":"g"},{"id":"e","name":"n","parent":"e"}],
        "threats":[{"id":"x","title":"t","category":"Spoofing","severity":"low","element":"zz"},{"id":"x","title":"t","category":"Spoofing","severity":"low"}]}"#,
    ))
    .unwrap();
    let places: Vec<String> = store.issues().iter().map(|line| line.split(": ").take(2).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(
        places,
        [
            "duplicate-id elements[e].id",
            "duplicate-id threats[x].id",
            "duplicate-id groups[e].id",
            "invalid-reference elements[e].layer",
            "circular-group-nesting groups[g].parent",
            "circular-group-nesting groups[e].parent",
            "invalid-reference threats[x].element",
        ]
    );
}

#[test]
fn c1_a_document_that_was_broken_before_can_still_be_worked_on() {
    let mut document = smart_lock();
    document
        .as_object_mut()
        .unwrap()
        .insert("threats", json(r#"[{"id":"old","title":"t","category":"Spoofing","severity":"low","element":"gone"}]"#));
    let store = open(&document).unwrap();
    assert_eq!(store.issues().len(), 1);
    let (_, committed) = call(&store, "add_element", &json(r#"{"element":{"type":"cache","name":"c"}}"#));
    assert!(matches!(committed, CommitOutcome::Committed { .. }), "{committed:?}");
    assert_eq!(store.issues().len(), 1);
    // the person's own edit is held to the same rule
    let edit = |patch: &str| store.edit(&Change::Patch(decode_patch(&json(patch)).unwrap()), "edit");
    assert!(matches!(edit(r#"[{"op":"replace","path":"/elements/0/name","value":"x"}]"#), CommitOutcome::Committed { .. }));
    let CommitOutcome::Refused { result, .. } = edit(r#"[{"op":"replace","path":"/elements/0/layer","value":"nope"}]"#) else {
        panic!("accepted")
    };
    assert!(result.contains("elements[lock-7].layer") && !result.contains("`gone`"), "{result}");
    let CommitOutcome::Refused { result, .. } = edit(r#"[{"op":"replace","path":"/metadata/created","value":"2026-05-02T01:00"}]"#) else {
        panic!("accepted")
    };
    assert!(result.contains("missing-section: metadata.created: `2026-05-02T01:00` has a time of day"), "{result}");
    assert!(matches!(edit(r#"[{"op":"remove","path":"/threats/0/element"}]"#), CommitOutcome::Committed { .. }));
    assert!(store.issues().is_empty());
}
