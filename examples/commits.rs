//! cargo run --release --example commits
use countersign::document::definition::{Definition, DocumentDefinition};
use countersign::document::store::{Change, DocumentStore, StoreOptions};
use countersign::protocol::json::Json;
use countersign::protocol::patch::decode_patch;
use std::rc::Rc;
use std::time::Instant;

fn board(n: usize) -> (Rc<dyn Definition>, Json) {
    let definition = DocumentDefinition::decode(&Json::parse(r#"{"kind":"b","schema":{"type":"object","properties":{"cards":{"type":"array","items":{"type":"object","properties":{"title":{"type":"string"}}}}}},"sections":[{"name":"cards","path":"/cards","references":[{"path":"/lane","section":"lanes"},{"path":"/parent","section":"cards"}],"acyclic":"/parent"},{"name":"lanes","path":"/lanes"}]}"#).unwrap()).unwrap();
    let cards: Vec<String> = (0..n)
        .map(|i| format!(r#"{{"id":"card-{i}","title":"Card {i}","lane":"lane-{}","parent":"card-{}","tags":["a"]}}"#, i % 10, i / 3))
        .map(|c| c.replace(r#","parent":"card-0""#, ""))
        .collect();
    let lanes: Vec<String> = (0..10).map(|i| format!(r#"{{"id":"lane-{i}"}}"#)).collect();
    (Rc::new(definition), Json::parse(&format!(r#"{{"cards":[{}],"lanes":[{}]}}"#, cards.join(","), lanes.join(","))).unwrap())
}

fn main() {
    for n in [100, 1000, 10_000, 100_000] {
        let (definition, document) = board(n);
        let start = Instant::now();
        let store = DocumentStore::new(definition, &document, StoreOptions::default()).unwrap();
        drop(document);
        let made = start.elapsed();
        let runs = if n > 20_000 { 40 } else { 200 };
        let mut line = format!("{n:>7}  new {:>9.1}us", made.as_secs_f64() * 1e6);
        let ops: [(&str, Box<dyn Fn(usize) -> String>); 5] = [
            ("update", Box::new(move |k| format!(r#"[{{"op":"replace","path":"/cards/{}/title","value":"t{k}"}}]"#, (k * 7919) % n))),
            ("add", Box::new(|k| format!(r#"[{{"op":"add","path":"/cards/-","value":{{"id":"x{k}","title":"t","lane":"lane-1"}}}}]"#))),
            ("insert", Box::new(|k| format!(r#"[{{"op":"add","path":"/cards/5","value":{{"id":"y{k}","title":"t","lane":"lane-1"}}}}]"#))),
            ("remove", Box::new(|_| r#"[{"op":"remove","path":"/cards/5"}]"#.to_owned())),
            ("reparent", Box::new(move |k| format!(r#"[{{"op":"add","path":"/cards/{}/parent","value":"card-0"}}]"#, n / 2 + k % (n / 4)))),
        ];
        for (name, op) in &ops {
            let mut spent = 0.0f64;
            let mut undo = 0.0f64;
            for k in 0..runs {
                let change = Change::Patch(decode_patch(&Json::parse(&op(k)).unwrap()).unwrap());
                let start = Instant::now();
                let outcome = store.edit(&change, "l");
                spent += start.elapsed().as_secs_f64();
                assert!(!format!("{outcome:?}").starts_with("Refused"), "{name} {outcome:?}");
                drop(outcome);
                let start = Instant::now();
                let _ = store.undo();
                undo += start.elapsed().as_secs_f64();
                let _ = store.redo();
            }
            line += &format!("  {name} {:.1}/{:.1}us", spent / runs as f64 * 1e6, undo / runs as f64 * 1e6);
        }
        println!("{line}");
    }
}
