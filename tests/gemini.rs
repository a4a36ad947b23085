//! What holds of Gemini's format for any stream and any history, and what the loop keeps of it over its own ids and names.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

use countersign::protocol::command::TurnInput;
use countersign::protocol::effect::Effect;
use countersign::protocol::event::{ProviderFormat, StreamEvent};
use countersign::protocol::json::Json;
use countersign::protocol::message::{ContentBlock, Message, Role};
use countersign::providers::{Decoder, RequestSpec, StreamLimits, build_request};
use countersign::tool_loop::{LoopOptions, ToolLoop};
use countersign::tools::declaration::ToolDeclaration;
use countersign::tools::registry::ToolRegistry;
use proptest::prelude::*;

const FORMAT: ProviderFormat = ProviderFormat::Gemini;

fn json(text: &str) -> Json {
    Json::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn text_of(value: &Json, key: &str) -> String {
    value.get(key).and_then(Json::as_str).unwrap_or_else(|| panic!("no `{key}` in {}", value.to_text())).to_owned()
}

fn decode(stream: &str) -> Vec<StreamEvent> {
    let mut decoder = Decoder::new(FORMAT, StreamLimits::default()).unwrap();
    let mut events = Vec::new();
    decoder.push(stream.as_bytes(), &mut events);
    decoder.end(&mut events);
    events
}

/// One frame of these parts, written as JSON.
fn frame(parts: &str, more: &str) -> String {
    format!("data: {{\"candidates\":[{{\"content\":{{\"parts\":[{parts}],\"role\":\"model\"}}{more}}}],\"modelVersion\":\"m\"}}\n\n")
}

const STOP: &str = r#","finishReason":"STOP""#;

/// What a stream of random frames is made of; the name of a call says which its arguments are.
fn frames() -> impl Strategy<Value = Vec<String>> {
    let args = |n: usize| [r#"{"a":0}"#, r#"{"a":{"b":[1]}}"#, r#"{"a":"}{"}"#][n % 3];
    let whole = (0usize..3, 0u8..3, any::<bool>()).prop_map(move |(n, id, signed)| {
        let id = ["", r#""id":"","#, &*format!(r#""id":"i{n}","#)][usize::from(id)].to_owned();
        let signature = if signed { r#","thoughtSignature":"c2ln""# } else { "" };
        format!(r#"{{"functionCall":{{{id}"name":"n{n}","args":{}}}{signature}}}"#, args(n))
    });
    let pieces = (0usize..3, any::<bool>(), any::<bool>()).prop_map(|(n, named, goes_on)| {
        let name = if named { format!(r#""name":"n{n}","#) } else { String::new() };
        format!(
            r#"{{"functionCall":{{{name}"args":{{"a":9}},"partialArgs":[{{"jsonPath":"$.a","numberValue":9}}],"willContinue":{goes_on}}}}}"#
        )
    });
    let other =
        proptest::sample::select(vec![r#"{"text":"x"}"#, r#"{"text":"t","thought":true}"#, r#"{"functionCall":{"name":"empty"}}"#, "{}"]);
    let part = prop_oneof![3 => whole, 1 => pieces, 2 => other.prop_map(str::to_owned)];
    let end = proptest::sample::select(vec!["", "", "", STOP, r#","finishReason":"MAX_TOKENS""#]);
    let one = (proptest::collection::vec(part, 0..3), end).prop_map(|(parts, end)| frame(&parts.join(","), end));
    proptest::collection::vec(prop_oneof![6 => one, 1 => Just("data: {\n\n".to_owned())], 0..8)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn t4_no_call_runs_with_arguments_that_are_not_its_own(
        frames in frames(),
        cut in 0usize..2000,
        lost in proptest::collection::vec(0usize..8, 0..3),
    ) {
        let mut frames = frames;
        for place in lost {
            if place < frames.len() {
                frames.remove(place);
            }
        }
        let whole = frames.concat() + &frame("", STOP);
        for stream in [&whole[..], &whole[..cut.min(whole.len())]] {
            for event in decode(stream) {
                let StreamEvent::ToolCallComplete { name, input, invalid: None, .. } = event else { continue };
                let own = match name.as_str() {
                    "n0" => r#"{"a":0}"#,
                    "n1" => r#"{"a":{"b":[1]}}"#,
                    "n2" => r#"{"a":"}{"}"#,
                    _ => "{}",
                };
                prop_assert_eq!(input.to_text(), own, "{}", stream);
            }
        }
    }

    #[test]
    fn t6_whatever_the_history_the_request_is_well_formed(
        messages in history(),
        tools in proptest::sample::subsequence(vec!["find", "9lives", "-x", "_9lives", "edit"], 0..5),
        model in proptest::sample::select(vec!["gemini-2.5-pro", "gemini-3-pro", "gemma-3"]),
    ) {
        let mut spec = RequestSpec::decode(&json(&format!(
            r#"{{"model":"{model}","messages":[],"maxOutputTokens":9,"tools":[{}]}}"#,
            tools.iter().map(|name| format!(r#"{{"name":"{name}","description":"d","inputSchema":{{}}}}"#)).collect::<Vec<_>>().join(",")
        ))).unwrap();
        spec.messages = messages;
        match build_request(FORMAT, &spec) {
            Ok(built) => {
                assert_well_formed(built.body.get("contents").and_then(Json::as_array).unwrap(), model == "gemini-3-pro");
                let names = declared(&built.body);
                prop_assert_eq!(names.len(), tools.len());
                prop_assert!(names.iter().all(|name| conforms(name)));
                prop_assert_eq!(names.iter().collect::<std::collections::BTreeSet<_>>().len(), names.len());
            }
            Err(fault) => prop_assert_eq!(fault.path.as_str(), "messages"),
        }
    }
}

fn declared(body: &Json) -> Vec<String> {
    let Some(tools) = body.get("tools").and_then(Json::as_array) else { return Vec::new() };
    tools[0].get("functionDeclarations").and_then(Json::as_array).unwrap().iter().map(|tool| text_of(tool, "name")).collect()
}

fn conforms(name: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    name.len() <= 64 && name.bytes().all(is_word) && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

fn history() -> impl Strategy<Value = Vec<Message>> {
    let id = || proptest::sample::select(vec!["a", "b", "c", "", "é"]).prop_map(str::to_owned);
    let value = || {
        proptest::sample::select(vec![
            r#"{"thoughtSignature":"c2ln"}"#,
            r#"{"text":"","thoughtSignature":"c2ln"}"#,
            r#"{"id":"fc-1","thoughtSignature":"c2ln"}"#,
            r#"{"id":"fc-2"}"#,
            r#"{"thoughtSignature":7,"id":[]}"#,
            "null",
        ])
        .prop_map(json)
    };
    let state = |call_id| (value(), call_id).prop_map(|(value, call_id)| ContentBlock::ProviderState { provider: FORMAT, value, call_id });
    let block = prop_oneof![
        proptest::sample::select(vec!["hi", "", " \n", "there"]).prop_map(|text| ContentBlock::Text { text: text.to_owned() }),
        (id(), proptest::sample::select(vec!["find", "9lives", "find it", ""])).prop_map(|(id, name)| ContentBlock::ToolCall {
            id,
            name: name.to_owned(),
            input: Json::Null
        }),
        (id(), any::<Option<bool>>()).prop_map(|(tool_call_id, is_error)| ContentBlock::ToolResult {
            tool_call_id,
            content: String::new(),
            is_error
        }),
        state(id().prop_map(Some).boxed()),
        state(Just(None).boxed()),
    ];
    let role = prop_oneof![Just(Role::User), Just(Role::Assistant)];
    let message = (role, proptest::collection::vec(block, 0..5)).prop_map(|(role, content)| Message { role, content });
    proptest::collection::vec(message, 0..9)
}

/// What the API asks of a conversation, read off the wire alone.
fn assert_well_formed(contents: &[Json], is_strict: bool) {
    let mut due: Vec<(String, Option<String>)> = Vec::new();
    let id_of = |call: &Json| call.get("id").map(|id| id.as_str().unwrap().to_owned());
    for (at, content) in contents.iter().enumerate() {
        let role = text_of(content, "role");
        assert_eq!(role, if at % 2 == 0 { "user" } else { "model" }, "roles take turns and the user is first");
        let parts = content.get("parts").and_then(Json::as_array).unwrap();
        assert!(!parts.is_empty());
        let answered: Vec<_> = parts
            .iter()
            .map_while(|part| part.get("functionResponse"))
            .map(|response| {
                let members = response.get("response").and_then(Json::as_object).unwrap();
                assert!(members.len() == 1 && (members.contains_key("output") || members.contains_key("error")));
                (text_of(response, "name"), id_of(response))
            })
            .collect();
        assert_eq!(answered, due, "responses to the calls just made, first and in call order");
        due.clear();
        let mut says_something = !answered.is_empty();
        for part in parts.iter().skip(answered.len()) {
            match part.get("functionCall") {
                Some(call) => {
                    assert_eq!(role, "model");
                    assert!(conforms(&text_of(call, "name")) && call.get("args").and_then(Json::as_object).is_some());
                    due.push((text_of(call, "name"), id_of(call)));
                    says_something = true;
                }
                None => {
                    let is_empty = text_of(part, "text").trim().is_empty();
                    assert!(!is_empty || (role == "model" && part.get("thoughtSignature").is_some()), "{}", part.to_text());
                    says_something |= !is_empty;
                }
            }
            assert!(part.get("thoughtSignature").is_none_or(|signature| signature.as_str().is_some_and(|text| !text.is_empty())));
        }
        assert!(says_something);
    }
    assert!(due.is_empty(), "the last content answers what is open");
    let has_text = |content: &Json| content.get("parts").and_then(Json::as_array).unwrap().iter().any(|part| part.get("text").is_some());
    let turn = contents.iter().rposition(|content| text_of(content, "role") == "user" && has_text(content));
    for content in contents.iter().skip(turn.unwrap_or(0)).filter(|_| is_strict) {
        let first = content.get("parts").and_then(Json::as_array).unwrap().iter().find(|part| part.get("functionCall").is_some());
        assert!(first.is_none_or(|part| part.get("thoughtSignature").is_some()), "the first call of every step is signed");
    }
}

#[test]
fn l8_no_stream_and_no_history_costs_more_than_its_length() {
    let calls = vec![r#"{"functionCall":{"name":"n"},"thoughtSignature":"c2ln"}"#; 20_000];
    for stream in [
        frame(&calls.join(","), STOP),
        calls.iter().map(|call| frame(call, STOP)).collect(),
        format!("data: {}{}\n\n", "[".repeat(200_000), "]".repeat(200_000)),
        format!("data: [{}]\n\n", vec!["{}"; 100_000].join(",")),
        frame(&vec![r#"{"text":"a"}"#; 60_000].join(","), STOP),
    ] {
        let limits = StreamLimits { max_line_bytes: 1 << 23, ..StreamLimits::default() };
        let mut decoder = Decoder::new(FORMAT, limits).unwrap();
        let mut events = Vec::new();
        decoder.push(stream.as_bytes(), &mut events);
        decoder.end(&mut events);
        assert!(decoder.is_done());
    }
    let mut messages = Vec::new();
    for n in 0..20_000 {
        let id = format!("call:{n}");
        messages.push(Message::user(format!("question {n}")));
        messages.push(Message {
            role: Role::Assistant,
            content: vec![
                ContentBlock::ToolCall { id: id.clone(), name: "9lives".to_owned(), input: json("{}") },
                ContentBlock::ProviderState { provider: FORMAT, value: json(r#"{"id":"x"}"#), call_id: Some(id) },
            ],
        });
    }
    let built = build_request(FORMAT, &RequestSpec::new("m", messages, 10)).unwrap();
    assert_eq!(built.body.get("contents").and_then(Json::as_array).unwrap().len(), 40_001);
}

fn input(text: &str) -> TurnInput {
    TurnInput::decode(&json(text)).unwrap()
}

fn loop_with(names: &[&str]) -> ToolLoop {
    let declare = |name: &&str| {
        ToolDeclaration::decode(&json(&format!(
            r#"{{"name":"{name}","description":"d","effect":"read","inputSchema":{{"type":"object","properties":{{"q":{{"type":"string"}}}}}}}}"#
        )))
        .unwrap()
    };
    let tools = ToolRegistry::new(names.iter().map(declare).collect(), &[]).unwrap();
    let mut tool_loop = ToolLoop::new(LoopOptions::default(), tools, None).unwrap();
    let _ = tool_loop.dispatch(input(r#"{"type":"submit","text":"please","nowMs":1000}"#), None);
    tool_loop
}

/// Sends the open request, feeds this answer, and gives the body that was sent.
fn exchange(tool_loop: &mut ToolLoop, parts: &str) -> Json {
    let id = tool_loop
        .pending()
        .iter()
        .find_map(|effect| if let Effect::Request { id, .. } = effect { Some(id.clone()) } else { None })
        .unwrap();
    let built = tool_loop.request(&id, FORMAT, &json(r#"{"model":"gemini-3-pro"}"#)).unwrap();
    let _ = tool_loop.feed(&id, frame(parts, STOP).as_bytes(), Some(1001));
    let _ = tool_loop.end_stream(&id, Some(1002));
    built.body
}

/// Runs everything that waits for the host, one call after the other.
fn run(tool_loop: &mut ToolLoop) -> Vec<String> {
    let mut ran = Vec::new();
    let is_execution = |effect: &Json| effect.get("type").and_then(Json::as_str) == Some("execute");
    let waiting = |tool_loop: &ToolLoop| {
        json(&serde_json::to_string(&tool_loop.pending()).unwrap()).as_array().unwrap().iter().find(|effect| is_execution(effect)).cloned()
    };
    while let Some(effect) = waiting(tool_loop) {
        let id = text_of(&effect, "callId");
        ran.push(text_of(&effect, "toolName"));
        let settled = format!(r#"{{"type":"callSettled","callId":"{id}","outcome":{{"status":"ok","result":"ok"}}}}"#);
        let _ = tool_loop.dispatch(input(&settled), None);
    }
    ran
}

fn parts_of(body: &Json, role: &str) -> Vec<Json> {
    let contents = body.get("contents").and_then(Json::as_array).unwrap();
    let of_role = contents.iter().filter(|content| text_of(content, "role") == role);
    of_role.flat_map(|content| content.get("parts").and_then(Json::as_array).unwrap().to_vec()).collect()
}

#[test]
fn g2_a_name_on_the_wire_is_the_tool_it_stands_for_and_nothing_else() {
    let mut tool_loop = loop_with(&["9lives", "find"]);
    let call = |name: &str| format!(r#"{{"functionCall":{{"name":"{name}","args":{{"q":"x"}}}}}}"#);
    let wire = {
        let id = tool_loop
            .pending()
            .into_iter()
            .find_map(|effect| if let Effect::Request { id, .. } = effect { Some(id) } else { None })
            .unwrap();
        declared(&tool_loop.request(&id, FORMAT, &json(r#"{"model":"gemini-3-pro"}"#)).unwrap().body).remove(0)
    };
    assert!(wire.starts_with("_9lives-"), "{wire}");
    let asked = [&*wire, "find", "_9lives", &*wire.to_uppercase(), "9lives "].map(call).join(",");
    exchange(&mut tool_loop, &asked);
    assert_eq!(run(&mut tool_loop), ["9lives", "find"]);
    let body = exchange(&mut tool_loop, r#"{"text":"done"}"#);
    // the history calls it as it was declared to this API
    let called: Vec<String> =
        parts_of(&body, "model").iter().filter_map(|part| part.get("functionCall")).map(|call| text_of(call, "name")).collect();
    assert_eq!(called[..2], [wire.clone(), "find".to_owned()]);
    assert_eq!(text_of(parts_of(&body, "user")[1].get("functionResponse").unwrap(), "name"), wire);
    // and what is kept is the declared name
    let kept = tool_loop.messages().iter().flat_map(|message| &message.content).find_map(|block| match block {
        ContentBlock::ToolCall { name, .. } => Some(name.clone()),
        _ => None,
    });
    assert_eq!(kept.as_deref(), Some("9lives"));
}

#[test]
fn a10_t6_signatures_and_ids_of_the_provider_stay_with_their_calls_under_fresh_ids() {
    let mut tool_loop = loop_with(&["find"]);
    let step = |n: usize| {
        format!(
            r#"{{"text":"step {n}"}},{{"functionCall":{{"id":"fc","name":"find","args":{{"q":"{n}"}}}},"thoughtSignature":"s{n}"}},{{"functionCall":{{"name":"find","args":{{"q":"{n}b"}}}}}}"#
        )
    };
    for n in 0..3 {
        exchange(&mut tool_loop, &step(n));
        assert_eq!(run(&mut tool_loop).len(), 2, "step {n}");
    }
    let body = exchange(&mut tool_loop, r#"{"text":"done","thoughtSignature":"end"}"#);
    let calls: Vec<Json> = parts_of(&body, "model").into_iter().filter(|part| part.get("functionCall").is_some()).collect();
    assert_eq!(calls.len(), 6);
    for (n, pair) in calls.chunks(2).enumerate() {
        assert_eq!(
            pair[0].to_text(),
            format!(r#"{{"functionCall":{{"name":"find","args":{{"q":"{n}"}},"id":"fc"}},"thoughtSignature":"s{n}"}}"#)
        );
        assert_eq!(pair[1].to_text(), format!(r#"{{"functionCall":{{"name":"find","args":{{"q":"{n}b"}}}}}}"#));
    }
    let ids: std::collections::BTreeSet<String> = tool_loop.state().calls.iter().map(|call| call.id.to_string()).collect();
    assert_eq!(ids.len(), 6, "the loop's own ids are all different");
    let responses: Vec<Option<String>> = parts_of(&body, "user")
        .iter()
        .filter_map(|part| part.get("functionResponse"))
        .map(|response| response.get("id").and_then(Json::as_str).map(str::to_owned))
        .collect();
    let fc = Some("fc".to_owned());
    assert_eq!(responses, [fc.clone(), None, fc.clone(), None, fc, None]);
    // a text keeps its own over the next turn
    let _ = tool_loop.dispatch(input(r#"{"type":"submit","text":"more","nowMs":9000}"#), None);
    let body = exchange(&mut tool_loop, r#"{"text":"ok"}"#);
    assert!(parts_of(&body, "model").iter().any(|part| part.to_text() == r#"{"text":"done","thoughtSignature":"end"}"#));
}
