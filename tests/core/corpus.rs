//! Replays the turn corpus: every case as it is and with its bytes cut elsewhere, its facts and the combined laws.

use countersign::protocol::json::Json;

use crate::player::{Cut, Player};
use crate::support::{cases, matches, text_of};

pub(crate) const FILES: [(&str, &str); 5] = [
    ("turn-approvals.jsonl", include_str!("../corpus/turn-approvals.jsonl")),
    ("turn-bounds.jsonl", include_str!("../corpus/turn-bounds.jsonl")),
    ("turn-documents.jsonl", include_str!("../corpus/turn-documents.jsonl")),
    ("turn-previews.jsonl", include_str!("../corpus/turn-previews.jsonl")),
    ("turn-streams.jsonl", include_str!("../corpus/turn-streams.jsonl")),
];

/// Asks the facts that an expectation lists.
pub(crate) fn check(player: &mut Player, expected: &Json) {
    for (name, expected) in expected.as_object().unwrap().iter() {
        match name.as_ref() {
            // by call id: a status, or some members of the record
            "calls" => {
                let calls = Json::parse(&serde_json::to_string(&player.state().calls).unwrap()).unwrap();
                for (id, expected) in expected.as_object().unwrap().iter() {
                    let found = calls.as_array().unwrap().iter().find(|call| call.get("id").and_then(Json::as_str) == Some(id.as_ref()));
                    let call = found.unwrap_or_else(|| panic!("no call `{id}`"));
                    let members = match expected {
                        Json::String(_) => vec![("status", expected)],
                        expected => expected.as_object().unwrap().iter().map(|(key, value)| (key.as_ref(), value)).collect(),
                    };
                    for (member, value) in members {
                        let actual = call.get(member).cloned().unwrap_or(Json::Null);
                        assert!(matches(value, &actual), "`{id}`.{member}: expected {}, got {}", value.to_text(), actual.to_text());
                    }
                }
            }
            "answers" => {
                for (id, expected) in expected.as_object().unwrap().iter() {
                    let actual = player.answer_of(id);
                    assert!(matches(expected, &actual), "answer to `{id}`: expected {}, got {}", expected.to_text(), actual.to_text());
                }
            }
            name => {
                let actual = player.fact(name);
                assert!(matches(expected, &actual), "{name}: expected {}, got {}", expected.to_text(), actual.to_text());
            }
        }
    }
}

pub(crate) fn play(case: &Json, cut: Cut) -> Player {
    let mut player = Player::of(case, cut);
    for step in case.get("script").and_then(Json::as_array).unwrap() {
        player.step(step);
    }
    check(&mut player, case.get("expect").unwrap());
    player
}

#[test]
fn t15_every_case_replays_and_keeps_the_laws() {
    let mut ids = std::collections::BTreeSet::new();
    let mut failed = Vec::new();
    for (file, lines) in FILES {
        for case in cases(lines) {
            let id = text_of(&case, "id");
            assert!(ids.insert(id.clone()), "{file}: `{id}` names two cases");
            let name = format!("{file} {id} {}", text_of(&case, "name"));
            let played = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                let mut whole = play(&case, Cut::Whole);
                let state = whole.state();
                for size in [1, 3, 64, 501] {
                    let mut cut = play(&case, Cut::Every(size));
                    assert_eq!(cut.state(), state, "cut every {size} bytes");
                    assert_eq!(cut.tool_loop.snapshot(), whole.tool_loop.snapshot(), "cut every {size} bytes");
                }
                whole.finish();
            }));
            if let Err(panic) = played {
                let why = panic.downcast_ref::<String>().cloned().or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
                failed.push(format!("{name}\n    {}", why.unwrap_or_default()));
            }
        }
    }
    assert!(failed.is_empty(), "{} of {} cases fail:\n{}", failed.len(), ids.len(), failed.join("\n"));
    assert!(ids.len() >= 40, "{} cases", ids.len());
}
