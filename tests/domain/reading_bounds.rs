//! Large documents through the read tools: pages without gap or repeat, within their bytes, in linear time.

use super::reading::{body, read};
use super::*;

const LIMIT: usize = 8192;

type Entity = Box<dyn Fn(usize) -> String>;

fn document(section: &str, count: usize, entity: &dyn Fn(usize) -> String) -> Json {
    let entities: Vec<String> = (0..count).map(entity).collect();
    json(&format!(
        r#"{{"version":"1.0","metadata":{{"title":"t","author":"a","created":"2026-01-01","modified":"2026-01-01"}},"{section}":[{}]}}"#,
        entities.join(",")
    ))
}

fn ids_of(told: &Json) -> Vec<String> {
    let results = told.get("results").and_then(Json::as_array).unwrap();
    results.iter().map(|entity| entity.get("id").and_then(Json::as_str).unwrap().to_owned()).collect()
}

/// Every page from the first to the last, put together.
fn paged(document: &Json, kind: &str, rest: &str, limit: usize) -> Vec<String> {
    let (mut ids, mut offset) = (Vec::new(), 0.0);
    loop {
        let body = body(&read(document, "search_entities", &format!(r#"{{"kind":"{kind}","limit":{limit},"offset":{offset}{rest}}}"#)));
        assert!(body.len() <= LIMIT, "{} bytes", body.len());
        let told = json(&body);
        let page = told.get("page").unwrap();
        let of = |key: &str| page.get(key).and_then(Json::as_number);
        let found = ids_of(&told);
        assert!(!found.is_empty() && found.len() <= limit);
        assert_eq!((of("returned"), of("offset")), (Some(found.len() as f64), Some(offset)));
        ids.extend(found);
        match of("next_offset") {
            Some(next) => {
                assert_eq!(next, ids.len() as f64);
                let stopped = page.get("stopped_by").and_then(Json::as_str).unwrap();
                assert!(stopped == "bytes" || stopped == "limit", "{stopped}");
                offset = next;
            }
            None => {
                assert_eq!(of("total"), Some(ids.len() as f64));
                assert_eq!(page.get("stopped_by").and_then(Json::as_str), Some("end"));
                return ids;
            }
        }
    }
}

#[test]
fn r2_pages_of_a_large_section_leave_nothing_out_and_repeat_nothing() {
    let long = "wörd <b> \\ ".repeat(30);
    let sections: [(&str, Entity); 3] = [
        (
            "elements",
            Box::new(move |n| {
                let name: String = long.chars().take(n % 250).collect();
                format!(r#"{{"id":"e{n}","type":"t{}","name":{},"trust_zone":"z"}}"#, n % 2, Json::from(name).to_text())
            }),
        ),
        ("threats", Box::new(|n| format!(r#"{{"id":"e{n}","title":"T {n}","category":"Spoofing","severity":"low"}}"#))),
        ("layers", Box::new(|n| format!(r#"{{"id":"e{n}","name":"{}"}}"#, "n".repeat(n % 200)))),
    ];
    for (section, entity) in &sections {
        let document = document(section, 5000, entity);
        let expected: Vec<String> = (0..5000).map(|n| format!("e{n}")).collect();
        for limit in [1, 20, 50] {
            assert!(paged(&document, section, "", limit) == expected, "{section} by {limit}");
        }
    }
    let document = document("elements", 5000, &*sections[0].1);
    let odd: Vec<String> = (0..5000).filter(|n| n % 2 == 1).map(|n| format!("e{n}")).collect();
    assert!(paged(&document, "elements", r#","element_type":"t1""#, 50) == odd);
}

#[test]
fn r2_no_width_makes_a_page_too_large() {
    for width in 20..=120 {
        let document = document("elements", 60, &|n| {
            format!(r#"{{"id":"e{n}","type":"{0}","name":"{0}","trust_zone":"{0}","layer":"l","group":"g"}}"#, "w".repeat(width))
        });
        let expected: Vec<String> = (0..60).map(|n| format!("e{n}")).collect();
        assert_eq!(paged(&document, "elements", "", 50), expected, "width {width}");
    }
    // the widest an entity can be: every code point four bytes, or one that is escaped twice
    for filler in ["\u{1F600}", "\\\\", "<", "\\\""] {
        let wide = filler.repeat(300);
        let document = document("elements", 60, &|n| {
            format!(r#"{{"id":"e{n}","type":"{wide}","name":"{wide}","trust_zone":"{wide}","layer":"{wide}","group":"{wide}"}}"#)
        });
        assert_eq!(paged(&document, "elements", "", 50).len(), 60, "{filler}");
    }
}

#[test]
fn r2_the_overview_is_bounded_whatever_the_document_says_of_itself() {
    let mut document = document("threats", 5000, &|n| {
        let (severity, category) = (["critical", "info", "wrong"][n % 3], ["Spoofing", "Repudiation"][n % 2]);
        format!(r#"{{"id":"e{n}","title":"T","category":"{category}","severity":"{severity}","mitigation":{{"status":"accepted"}}}}"#)
    });
    let metadata = document.as_object_mut().unwrap().get_mut("metadata").unwrap().as_object_mut().unwrap();
    for key in ["title", "author", "created", "modified", "description", "created_by"] {
        metadata.insert(key, "\u{1F600}\\".repeat(5000));
    }
    let body = body(&read(&document, "get_document_summary", "{}"));
    assert!(body.len() <= LIMIT, "{} bytes", body.len());
    let told = json(&body);
    assert_eq!(told.get("metadata").unwrap().get("truncated"), Some(&Json::from(true)));
    assert_eq!(told.get("threats_by_severity").unwrap().to_text().matches("1667").count(), 2, "a value outside the list is in no bucket");
    assert_eq!(told.get("counts").unwrap().get("threats"), Some(&Json::from(5000u32)));
}
