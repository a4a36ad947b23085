//! Holds the builders to one law: what was sent once is sent again byte for byte however the conversation goes on, since
//! providers cache prompts by their beginning.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use countersign::protocol::event::ProviderFormat;
use countersign::protocol::json::Json;
use countersign::protocol::message::{ContentBlock, Message, Role};
use countersign::providers::{RequestSpec, build_request};
use proptest::prelude::*;

/// Formats with a model each, and where their conversation stands in the body.
const FORMATS: [(ProviderFormat, &str, &str); 5] = [
    (ProviderFormat::Anthropic, "m", "messages"),
    (ProviderFormat::OpenaiChat, "m", "messages"),
    (ProviderFormat::OpenaiResponses, "m", "input"),
    (ProviderFormat::Gemini, "gemini-2.5-pro", "contents"),
    (ProviderFormat::Gemini, "gemini-3-pro", "contents"),
];
/// Ids that conform to all, to some and to none, and what one of them becomes.
const IDS: [&str; 9] =
    ["c1", "a.b", "a:b", "a_b-2e7336dc8eba", "", "é.é", "abcdefghi", "call_0123456789012345678901234567890123456789", "c1_1_1"];
const NAMES: [&str; 4] = ["find", "9lives", "no tool", "_9lives"];
const STATES: [(ProviderFormat, &str); 5] = [
    (ProviderFormat::Anthropic, r#"{"type":"thinking","thinking":"t","signature":"s"}"#),
    (ProviderFormat::OpenaiChat, r#"{"reasoning_content":"r","reasoning_details":[{"a":1}]}"#),
    (ProviderFormat::OpenaiResponses, r#"{"type":"reasoning","id":"r","summary":[],"encrypted_content":"ZQ=="}"#),
    (ProviderFormat::Gemini, r#"{"thoughtSignature":"c2ln"}"#),
    (ProviderFormat::Gemini, r#"{"id":"g"}"#),
];

/// One answer of a model: what it thought, what it said, how many calls it made, and whether the user spoke behind them.
type Answer = (Vec<usize>, &'static str, Vec<(usize, bool)>, &'static str);

fn answer() -> impl Strategy<Value = Answer> {
    let said = || proptest::sample::select(vec!["", "said", " \n"]);
    let calls = proptest::collection::vec((0..NAMES.len(), any::<bool>()), 0..3);
    (proptest::collection::vec(0..STATES.len(), 0..3), said(), calls, said())
}

/// A conversation as a loop keeps it: each call answered in the message behind it, each id used once.
fn conversation(answers: &[Answer], ids: &[&str]) -> Vec<Message> {
    let text = |text: &str| ContentBlock::Text { text: text.to_owned() };
    let mut ids = ids.iter();
    let mut messages = vec![Message::user("hi")];
    for (states, said, calls, then) in answers {
        let mut content = Vec::new();
        for state in states {
            let (provider, value) = STATES[*state];
            content.push(ContentBlock::ProviderState { provider, value: Json::parse(value).unwrap(), call_id: None });
        }
        content.push(text(said));
        let mut behind = Vec::new();
        for (name, is_signed) in calls {
            let Some(id) = ids.next() else { break };
            content.push(ContentBlock::ToolCall { id: (*id).to_owned(), name: NAMES[*name].to_owned(), input: Json::parse("{}").unwrap() });
            if *is_signed {
                let (provider, value) = STATES[3];
                content.push(ContentBlock::ProviderState { provider, value: Json::parse(value).unwrap(), call_id: Some((*id).to_owned()) });
            }
            behind.push(ContentBlock::ToolResult { tool_call_id: (*id).to_owned(), content: String::new(), is_error: Some(*is_signed) });
        }
        // somebody always speaks last before a model is asked
        behind.push(text(if behind.is_empty() && then.trim().is_empty() { "go on" } else { then }));
        messages.push(Message { role: Role::Assistant, content });
        messages.push(Message { role: Role::User, content: behind });
    }
    messages
}

fn sent(format: ProviderFormat, list: &str, spec: &RequestSpec) -> Vec<Json> {
    build_request(format, spec).unwrap().body.get(list).and_then(Json::as_array).unwrap().to_vec()
}

/// Whether a message that was the last one goes on as `later`: more of the user's may stand behind it.
fn goes_on(before: &Json, later: &Json) -> bool {
    let begins = |key: &str| match (before.get(key), later.get(key)) {
        (Some(Json::Array(before)), Some(Json::Array(later))) => later.starts_with(before),
        (Some(Json::String(before)), Some(Json::String(later))) => later.starts_with(&**before),
        (before, later) => before == later,
    };
    let keys: Vec<_> = before.as_object().unwrap().keys().collect();
    keys == later.as_object().unwrap().keys().collect::<Vec<_>>() && keys.iter().all(|key| begins(key))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_was_sent_is_sent_again_byte_for_byte_however_the_conversation_grows(
        answers in proptest::collection::vec(answer(), 1..6),
        ids in Just(IDS.to_vec()).prop_shuffle(),
        has_tools in any::<bool>(),
        short_call_ids in any::<bool>(),
    ) {
        let messages = conversation(&answers, &ids);
        for (format, model, list) in FORMATS {
            let tools = r#"[{"name":"9lives","description":"d","inputSchema":{"type":"object"}}]"#;
            let mut spec = RequestSpec::decode(&Json::parse(&format!(
                r#"{{"model":"{model}","messages":[],"maxOutputTokens":9,"tools":{tools},"shortCallIds":{short_call_ids}}}"#
            )).unwrap()).unwrap();
            spec.messages.clone_from(&messages);
            // the last request of all may come without tools
            let mut earlier = spec.clone();
            if !has_tools {
                spec.tools.clear();
            }
            let whole = sent(format, list, &spec);
            for asked in (1..messages.len()).step_by(2) {
                earlier.messages = messages[..asked].to_vec();
                let part = sent(format, list, &earlier);
                let (last, before) = part.split_last().unwrap();
                let (same, rest) = whole.split_at(before.len());
                prop_assert_eq!(before.iter().map(Json::to_text).collect::<Vec<_>>(), same.iter().map(Json::to_text).collect::<Vec<_>>());
                prop_assert!(goes_on(last, &rest[0]), "{}\n{}", last.to_text(), rest[0].to_text());
            }
        }
    }
}
