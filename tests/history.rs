//! Replays the history cases of the corpus, and holds pairing, repair, budget and builder to their laws on any history.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

mod support;

use std::collections::BTreeMap;

use countersign::history::{InputWindow, budget_messages, pairing_violations, repair_history};
use countersign::protocol::event::ProviderFormat;
use countersign::protocol::json::Json;
use countersign::protocol::message::{ContentBlock, Message, Role};
use countersign::providers::{RequestSpec, build_request};
use proptest::prelude::*;

use support::{cases, matches, text_of};

const HISTORIES: [&str; 4] = [
    include_str!("corpus/history.jsonl"),
    include_str!("corpus/history-openai-chat.jsonl"),
    include_str!("corpus/history-openai-responses.jsonl"),
    include_str!("corpus/history-gemini.jsonl"),
];

fn to_json(value: &impl serde::Serialize) -> Json {
    Json::parse(&serde_json::to_string(value).unwrap()).unwrap()
}

fn messages_of(case: &Json) -> Vec<Message> {
    Message::decode_list(case.get("messages").unwrap()).unwrap()
}

/// What is wrong with one case, if anything.
fn replay(case: &Json) -> Option<String> {
    let differ = |what: &str, expected: &Json, got: &Json| {
        (!matches(expected, got)).then(|| format!("{what}\n  expected {}\n  got      {}", expected.to_text(), got.to_text()))
    };
    match text_of(case, "kind").as_str() {
        "build" => replay_build(case),
        "pairing" => differ("violations", case.get("violations").unwrap(), &to_json(&pairing_violations(&messages_of(case)))),
        "repair" => {
            let repaired = repair_history(&messages_of(case));
            differ("messages", case.get("expected").unwrap(), &to_json(&repaired.messages))
                .or_else(|| differ("repairs", case.get("repairs").unwrap(), &to_json(&repaired.repairs)))
        }
        "budget" => {
            let window = InputWindow::decode(case.get("window").unwrap()).unwrap();
            match (budget_messages(&messages_of(case), window), case.get("error")) {
                (Ok(kept), None) => {
                    let rest: Vec<Message> = messages_of(case).into_iter().skip(kept.dropped).collect();
                    assert_eq!(kept.messages, rest);
                    differ("dropped", case.get("dropped").unwrap(), &Json::from(u32::try_from(kept.dropped).unwrap()))
                }
                (Err(error), Some(expected)) => differ("error", expected, &to_json(&error.code)),
                (outcome, _) => Some(format!("{outcome:?}")),
            }
        }
        other => Some(format!("unknown kind {other}")),
    }
}

fn replay_build(case: &Json) -> Option<String> {
    let format = ProviderFormat::parse(&text_of(case, "format")).unwrap();
    let built = RequestSpec::decode(case.get("request").unwrap()).and_then(|spec| {
        let before = spec.clone();
        let built = build_request(format, &spec)?;
        let again = build_request(format, &spec)?;
        assert_eq!(built.body.to_text(), again.body.to_text(), "a build is the same each time");
        assert_eq!(spec, before);
        Ok(built)
    });
    match (built, case.get("fault")) {
        (Err(fault), Some(expected)) => {
            let path_is_right = expected.get("path").is_none_or(|path| path.as_str() == Some(&fault.path));
            (fault.code != text_of(expected, "code") || !path_is_right).then(|| format!("{fault:?}"))
        }
        (Ok(built), None) => {
            if case.get("path").is_some_and(|path| path.as_str() != Some(&built.path)) {
                return Some(built.path);
            }
            case.get("body").unwrap().as_object().unwrap().iter().find_map(|(key, expected)| {
                let got = built.body.get(key).cloned().unwrap_or_default();
                (!matches(expected, &got)).then(|| format!("{key}\n  expected {}\n  got      {}", expected.to_text(), got.to_text()))
            })
        }
        (outcome, _) => Some(format!("{outcome:?}")),
    }
}

#[test]
fn t6_s5_every_history_of_the_corpus_comes_out_as_expected() {
    let wrong: Vec<String> = HISTORIES
        .into_iter()
        .flat_map(cases)
        .filter_map(|case| Some(format!("{} {}: {}", text_of(&case, "id"), text_of(&case, "name"), replay(&case)?)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn l8_a_long_history_is_handled_in_one_pass() {
    let mut messages = Vec::new();
    for n in 0..20_000 {
        messages.push(Message::user(format!("question {n}")));
        messages.push(Message {
            role: Role::Assistant,
            content: vec![ContentBlock::ToolCall { id: format!("call:{n}"), name: "find".to_owned(), input: Json::parse("{}").unwrap() }],
        });
    }
    let repaired = repair_history(&messages);
    assert_eq!(repaired.repairs.len(), 20_000);
    let spec = RequestSpec::new("m", messages, 10);
    let built = build_request(ProviderFormat::Anthropic, &spec).unwrap();
    assert_eq!(built.body.get("messages").and_then(Json::as_array).unwrap().len(), 40_001);
    let built = build_request(ProviderFormat::OpenaiChat, &spec).unwrap();
    assert_eq!(built.body.get("messages").and_then(Json::as_array).unwrap().len(), 60_000);
    let built = build_request(ProviderFormat::OpenaiResponses, &spec).unwrap();
    assert_eq!(built.body.get("input").and_then(Json::as_array).unwrap().len(), 60_000);
}

/// A thought of the Responses API that can be returned to a server that keeps none.
const SEALED: &str = r#"{"type":"reasoning","id":"r","summary":[],"encrypted_content":"ZQ=="}"#;

fn block() -> impl Strategy<Value = ContentBlock> {
    let id = || proptest::sample::select(vec!["a", "b", "c", "d.1", "d_1", "", "é"]).prop_map(str::to_owned);
    let signed = r#"{"type":"thinking","thinking":"t","signature":"s"}"#;
    let of_chat = r#"{"role":"system","content":"x","tool_calls":[],"id":"z","reasoning_content":"r","reasoning_details":[{"a":1}],"extra_content":{"b":2}}"#;
    prop_oneof![
        proptest::sample::select(vec!["hi", "", " \n", "there"]).prop_map(|text| ContentBlock::Text { text: text.to_owned() }),
        id().prop_map(|id| ContentBlock::ToolCall { id, name: "find it".to_owned(), input: Json::Null }),
        (id(), any::<Option<bool>>()).prop_map(|(tool_call_id, is_error)| ContentBlock::ToolResult {
            tool_call_id,
            content: "ok".to_owned(),
            is_error
        }),
        Just(ContentBlock::ProviderState { provider: ProviderFormat::Anthropic, value: Json::parse(signed).unwrap(), call_id: None }),
        proptest::sample::select(vec![SEALED, r#"{"type":"reasoning","id":"r","summary":[]}"#, r#"{"type":"message"}"#, "7"]).prop_map(
            |value| {
                ContentBlock::ProviderState { provider: ProviderFormat::OpenaiResponses, value: Json::parse(value).unwrap(), call_id: None }
            }
        ),
        Just(ContentBlock::ProviderState { provider: ProviderFormat::Gemini, value: Json::Null, call_id: None }),
        proptest::option::of(id()).prop_map(move |call_id| ContentBlock::ProviderState {
            provider: ProviderFormat::OpenaiChat,
            value: Json::parse(of_chat).unwrap(),
            call_id,
        }),
    ]
}

fn history() -> impl Strategy<Value = Vec<Message>> {
    let role = prop_oneof![Just(Role::User), Just(Role::Assistant)];
    let message = (role, proptest::collection::vec(block(), 0..4)).prop_map(|(role, content)| Message { role, content });
    proptest::collection::vec(message, 0..9)
}

/// What the API asks of a conversation, read off the wire alone.
fn assert_well_formed(messages: &[Json]) {
    let conforms = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    let mut due: Vec<String> = Vec::new();
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for (at, message) in messages.iter().enumerate() {
        let role = text_of(message, "role");
        assert_eq!(role, if at % 2 == 0 { "user" } else { "assistant" }, "roles take turns and the user is first");
        let blocks = message.get("content").and_then(Json::as_array).unwrap();
        assert!(!blocks.is_empty());
        let answered: Vec<String> =
            blocks.iter().take_while(|block| text_of(block, "type") == "tool_result").map(|block| text_of(block, "tool_use_id")).collect();
        assert_eq!(answered, due, "results of the calls just made, first and in call order");
        due.clear();
        for block in blocks.iter().skip(answered.len()) {
            match (role.as_str(), text_of(block, "type").as_str()) {
                (_, "text") => assert!(!text_of(block, "text").trim().is_empty()),
                ("assistant", "tool_use") => {
                    let id = text_of(block, "id");
                    assert!(conforms(&id) && conforms(&text_of(block, "name")));
                    assert!(block.get("input").and_then(Json::as_object).is_some());
                    *seen.entry(id.clone()).or_default() += 1;
                    due.push(id);
                }
                ("assistant", "thinking") => assert!(!text_of(block, "signature").is_empty()),
                other => panic!("{other:?} has no place here"),
            }
        }
        assert_ne!(blocks.last().map(|block| text_of(block, "type")).as_deref(), Some("thinking"));
    }
    assert!(due.is_empty(), "the last message answers what is open");
    assert!(seen.values().all(|uses| *uses == 1));
}

/// The same of the Chat Completions API.
fn assert_well_formed_chat(messages: &[Json]) {
    assert_eq!(messages.first().map(|message| text_of(message, "role")).as_deref(), Some("user"));
    let mut due: Vec<String> = Vec::new();
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let mut before = String::new();
    for message in messages {
        let role = text_of(message, "role");
        if role == "tool" {
            assert_eq!(text_of(message, "tool_call_id"), due.remove(0), "results stand right behind their calls, in call order");
            assert!(!text_of(message, "content").trim().is_empty());
            continue;
        }
        assert!(due.is_empty(), "nothing stands between calls and results");
        let calls = message.get("tool_calls").and_then(Json::as_array);
        let known: &[&str] = match role.as_str() {
            "assistant" => &["role", "content", "tool_calls", "reasoning_content", "reasoning_details"],
            _ => &["role", "content"],
        };
        assert!(message.as_object().unwrap().keys().all(|key| known.contains(&&**key)), "{}", message.to_text());
        match message.get("content").unwrap() {
            Json::Null => assert!(calls.is_some(), "only calls go without words"),
            content => assert!(calls.is_some() || !content.as_str().unwrap().trim().is_empty()),
        }
        // a message with calls is followed by results; neighbours without are one
        assert_ne!(role, before, "neighbours of one role are one message");
        before.clone_from(&role);
        for call in calls.into_iter().flat_map(|calls| calls.iter()) {
            assert_eq!(role, "assistant");
            let id = text_of(call, "id");
            assert!(!id.is_empty() && id.len() <= 40);
            let known = ["type", "function", "id", "extra_content"];
            assert!(call.as_object().unwrap().keys().all(|key| known.contains(&&**key)), "{}", call.to_text());
            let function = call.get("function").unwrap();
            assert!(!text_of(function, "name").is_empty());
            assert!(Json::parse(&text_of(function, "arguments")).unwrap().as_object().is_some());
            *seen.entry(id.clone()).or_default() += 1;
            due.push(id);
        }
        if calls.is_some() {
            before.clear();
        }
    }
    assert!(due.is_empty(), "the last calls are answered");
    assert!(seen.values().all(|uses| *uses == 1));
}

/// What the strictest chat servers ask beside that.
fn assert_well_formed_strict_chat(messages: &[Json]) {
    assert_well_formed_chat(messages);
    for pair in messages.windows(2) {
        assert!(text_of(&pair[0], "role") != "tool" || text_of(&pair[1], "role") != "user", "an answer between results and the user");
    }
}

/// The same of the Responses API, whose items are no messages but for the texts.
fn assert_well_formed_responses(items: &[Json]) {
    let mut due: Vec<String> = Vec::new();
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let mut before = (String::new(), String::new());
    for item in items {
        let kind = text_of(item, "type");
        let role = item.get("role").map(|role| role.as_str().unwrap().to_owned()).unwrap_or_default();
        assert!(
            before.0 != "reasoning" || kind == "function_call" || kind == "reasoning" || role == "assistant",
            "a thought and what it led to"
        );
        match kind.as_str() {
            "message" => {
                assert!(due.is_empty(), "nothing is said between calls and results");
                assert!(role == "user" || role == "assistant");
                assert!(!text_of(item, "content").trim().is_empty());
                assert_ne!(before, (kind.clone(), role.clone()), "neighbours of one role are one message");
            }
            "function_call" => {
                assert_ne!(before.0, "answered", "calls made together stand together");
                let id = text_of(item, "call_id");
                assert!(!id.is_empty() && id.len() <= 64);
                assert!(!text_of(item, "name").is_empty());
                assert!(Json::parse(&text_of(item, "arguments")).unwrap().as_object().is_some());
                *seen.entry(id.clone()).or_default() += 1;
                due.push(id);
            }
            "function_call_output" => {
                assert_eq!(text_of(item, "call_id"), due.remove(0), "results stand right behind their calls, in call order");
                assert!(!text_of(item, "output").trim().is_empty());
            }
            "reasoning" => assert_eq!(item.to_text(), SEALED),
            other => panic!("{other} has no place here"),
        }
        before = (if kind == "function_call_output" && !due.is_empty() { "answered".to_owned() } else { kind }, role);
    }
    assert_ne!(before.0, "reasoning", "a thought and what it led to");
    assert!(due.is_empty(), "the last calls are answered");
    assert!(seen.values().all(|uses| *uses == 1));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn t6_a_repaired_history_pairs_and_repairing_again_changes_nothing(messages in history()) {
        let repaired = repair_history(&messages);
        prop_assert_eq!(&repaired.repairs, &pairing_violations(&messages));
        prop_assert_eq!(pairing_violations(&repaired.messages), vec![]);
        let again = repair_history(&repaired.messages);
        prop_assert_eq!(&again.messages, &repaired.messages);
        prop_assert_eq!(again.repairs, vec![]);
        if repaired.repairs.is_empty() {
            prop_assert_eq!(repaired.messages, messages);
        }
    }

    #[test]
    fn t6_whatever_the_history_the_request_is_well_formed(messages in history(), cache in any::<bool>()) {
        let mut spec = RequestSpec::new("m", messages, 10);
        spec.cache = cache;
        spec.short_call_ids = cache;
        let chat = if cache { assert_well_formed_strict_chat } else { assert_well_formed_chat };
        for (format, list, assert_well_formed) in [
            (ProviderFormat::Anthropic, "messages", assert_well_formed as fn(&[Json])),
            (ProviderFormat::OpenaiChat, "messages", chat),
            (ProviderFormat::OpenaiResponses, "input", assert_well_formed_responses),
        ] {
            match build_request(format, &spec) {
                Ok(built) => assert_well_formed(built.body.get(list).and_then(Json::as_array).unwrap()),
                Err(fault) => prop_assert_eq!(fault.path.as_str(), "messages"),
            }
        }
    }

    #[test]
    fn l8_a_window_starts_at_a_user_text_and_parts_no_call_from_its_result(messages in history(), tokens in 1u64..60) {
        let messages = repair_history(&messages).messages;
        let is_text = |block: &ContentBlock| matches!(block, ContentBlock::Text { text } if !text.trim().is_empty());
        let is_request = |message: &Message| message.role == Role::User && message.content.iter().any(is_text);
        if let Ok(kept) = budget_messages(&messages, InputWindow { max_input_tokens: tokens, reserve_output_tokens: 0 }) {
            prop_assert_eq!(&kept.messages[..], &messages[kept.dropped..]);
            prop_assert_eq!(pairing_violations(&kept.messages), vec![]);
            if kept.dropped > 0 {
                prop_assert!(kept.messages.first().is_some_and(is_request));
            }
            let cost: u64 = kept.messages.iter().map(countersign::history::budget::estimate_tokens).sum();
            prop_assert!(cost <= tokens);
        }
    }
}
