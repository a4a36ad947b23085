//! What the next request looks like after a turn that went wrong, for every format: each call answered, nothing empty.

use countersign::protocol::effect::Effect;
use countersign::protocol::event::ProviderFormat;
use countersign::protocol::json::Json;
use countersign::tool_loop::{LoopOptions, ToolLoop};

use crate::player::tools_of;
use crate::turn::{input, json};

const FORMATS: [ProviderFormat; 2] = [ProviderFormat::Anthropic, ProviderFormat::OpenaiChat];
const TOOLS: &str = r#"["find","rename","send"]"#;

fn looped(options: &str) -> ToolLoop {
    let options = LoopOptions::decode(&json(options)).unwrap();
    ToolLoop::new(options, tools_of(Some(&json(TOOLS))), None).unwrap()
}

fn tell(tool_loop: &mut ToolLoop, told: &[&str]) {
    for told in told {
        let _ = tool_loop.dispatch(input(told), None);
    }
}

fn body(tool_loop: &mut ToolLoop, format: ProviderFormat, params: &str) -> Result<Json, String> {
    let of_request = |effect| if let Effect::Request { id, .. } = effect { Some(id) } else { None };
    let id = tool_loop.pending().into_iter().find_map(of_request).unwrap();
    tool_loop.request(&id, format, &json(params)).map(|built| built.body).map_err(|fault| fault.code.to_owned())
}

/// The messages on the wire, each as its role and what it holds: `text`, `call <id>`, `result <id>`.
fn shape(messages: &Json) -> Vec<String> {
    let text = |value: &Json, key: &str| value.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
    let block = |block: &Json| match text(block, "type").as_str() {
        "tool_use" => format!("call {}", text(block, "id")),
        "tool_result" => format!("result {}", text(block, "tool_use_id")),
        other => other.to_owned(),
    };
    let shown = |message: &Json| {
        let mut held: Vec<String> = match message.get("content") {
            Some(Json::Array(blocks)) => blocks.iter().map(block).collect(),
            Some(Json::String(_)) if text(message, "role") == "tool" => vec![format!("result {}", text(message, "tool_call_id"))],
            Some(Json::String(said)) => vec![format!("text{}", if said.trim().is_empty() { " that is blank" } else { "" })],
            _ => Vec::new(),
        };
        held.extend(
            message.get("tool_calls").and_then(Json::as_array).into_iter().flatten().map(|call| format!("call {}", text(call, "id"))),
        );
        format!("{}: {}", text(message, "role"), held.join(", "))
    };
    messages.as_array().unwrap().iter().map(shown).collect()
}

/// The items of a Responses request, each as its role and kind or as what it calls or answers.
fn items(input: &Json) -> Vec<String> {
    let text = |item: &Json, key: &str| item.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
    let shown = |item: &Json| match text(item, "type").as_str() {
        "function_call" => format!("call {}", text(item, "call_id")),
        "function_call_output" => format!("result {}", text(item, "call_id")),
        _ => format!("{}: text{}", text(item, "role"), if text(item, "content").trim().is_empty() { " that is blank" } else { "" }),
    };
    input.as_array().unwrap().iter().map(shown).collect()
}

/// What a chat server reads, as those items.
fn in_items(chat: &[&str]) -> Vec<String> {
    let said = |message: &&str| {
        let (role, held) = message.split_once(": ").unwrap();
        held.split(", ").map(|held| if held == "text" { format!("{role}: text") } else { held.to_owned() }).collect::<Vec<_>>()
    };
    chat.iter().flat_map(said).collect()
}

/// The contents of a Gemini request, each as its role and what its parts are.
fn contents(contents: &Json) -> Vec<String> {
    let part = |part: &Json| match (part.get("functionCall"), part.get("functionResponse"), part.get("text")) {
        (Some(_), None, None) => "call",
        (None, Some(_), None) => "result",
        (None, None, Some(text)) if !text.as_str().unwrap().trim().is_empty() => "text",
        _ => "nothing that is known",
    };
    let shown = |content: &Json| {
        let parts: Vec<&str> = content.get("parts").and_then(Json::as_array).unwrap().iter().map(part).collect();
        format!("{}: {}", content.get("role").and_then(Json::as_str).unwrap(), parts.join(", "))
    };
    contents.as_array().unwrap().iter().map(shown).collect()
}

/// What Anthropic reads, as those contents: they name no ids where the provider gave none.
fn in_contents(anthropic: &[&str]) -> Vec<String> {
    anthropic.iter().map(|message| message.replace("assistant", "model").replace(" k1", "").replace(" k2", "")).collect()
}

const START: &str = r#"{"type":"message_start","model":"m"}"#;
const SAID: &str = r#"{"type":"text_delta","text":"Sure."}"#;
const ANNOUNCED: &str = r#"{"type":"tool_call_start","id":"k1","name":"rename"}"#;
const HALF: &str = r#"{"type":"tool_call_input_delta","id":"k1","partialJson":"{\"id\":\"a\",\"ti"}"#;
const CALL: &str = r#"{"type":"tool_call_complete","id":"k1","name":"find","input":{"q":"x"}}"#;
const SECOND: &str = r#"{"type":"tool_call_complete","id":"k2","name":"find","input":{"q":"y"}}"#;
const STOP: &str = r#"{"type":"message_stop","stopReason":"tool_use"}"#;
const CANCEL: &str = r#"{"type":"cancel","nowMs":2}"#;
const FAILED: &str = r#"{"type":"error","error":{"code":"transport","message":"gone"}}"#;
const FOUND: &str = r#"{"type":"callSettled","callId":"k1","outcome":{"status":"ok","result":"found"}}"#;

#[test]
fn t6_t12_a_turn_that_ends_anywhere_leaves_a_conversation_every_format_takes() {
    let user = "user: text";
    // what happened, and what Anthropic and a chat server read before the next message (B35, W7)
    let stories: [(&[&str], &[&str], &[&str]); 9] = [
        (&[CANCEL], &["user: text, text"], &[user]),
        (&[START, CANCEL], &["user: text, text"], &[user]),
        (&[START, FAILED], &["user: text, text"], &[user]),
        (&[START, ANNOUNCED, HALF, CANCEL], &["user: text, text"], &[user]),
        (&[START, SAID, ANNOUNCED, HALF, CANCEL], &[user, "assistant: text", user], &[user, "assistant: text", user]),
        (&[START, SAID, ANNOUNCED, HALF, FAILED], &[user, "assistant: text", user], &[user, "assistant: text", user]),
        (
            &[START, CALL, STOP, CANCEL],
            &[user, "assistant: call k1", "user: result k1, text"],
            &[user, "assistant: call k1", "tool: result k1", user],
        ),
        (
            &[START, SAID, CALL, SECOND, FAILED],
            &[user, "assistant: text, call k1, call k2", "user: result k1, result k2, text"],
            &[user, "assistant: text, call k1, call k2", "tool: result k1", "tool: result k2", user],
        ),
        (
            &[START, CALL, SECOND, STOP, FOUND, CANCEL],
            &[user, "assistant: call k1, call k2", "user: result k1, result k2, text"],
            &[user, "assistant: call k1, call k2", "tool: result k1", "tool: result k2", user],
        ),
    ];
    for (told, anthropic, chat) in stories {
        let mut tool_loop = looped(r#"{"conversationId":"k"}"#);
        tell(&mut tool_loop, &[r#"{"type":"submit","text":"write an intro","nowMs":1}"#]);
        tell(&mut tool_loop, told);
        tell(&mut tool_loop, &[CANCEL, r#"{"type":"submit","text":"never mind","nowMs":3}"#]);
        for (format, expected) in FORMATS.into_iter().zip([anthropic, chat]) {
            let built = body(&mut tool_loop, format, r#"{"model":"m"}"#).unwrap();
            assert_eq!(shape(built.get("messages").unwrap()), expected, "{told:?} for {format:?}");
        }
        let built = body(&mut tool_loop, ProviderFormat::OpenaiResponses, r#"{"model":"m"}"#).unwrap();
        assert_eq!(items(built.get("input").unwrap()), in_items(chat), "{told:?}");
        let built = body(&mut tool_loop, ProviderFormat::Gemini, r#"{"model":"m"}"#).unwrap();
        assert_eq!(contents(built.get("contents").unwrap()), in_contents(anthropic), "{told:?}");
    }
}

#[test]
fn l8_x4_refused_arguments_go_back_as_an_object_with_one_error_each() {
    let refused = ["v1", "v2", "v3"].map(|id| {
        format!(r#"{{"type":"tool_call_complete","id":"{id}","name":"rename","input":{{}},"invalid":"it is not one JSON object"}}"#)
    });
    let mut tool_loop = looped(r#"{"conversationId":"k"}"#);
    tell(&mut tool_loop, &[r#"{"type":"submit","text":"go","nowMs":1}"#, START, &refused[0], &refused[1], &refused[2], STOP]);
    let sent = body(&mut tool_loop, ProviderFormat::Anthropic, r#"{"model":"m"}"#).unwrap();
    assert_eq!(
        shape(sent.get("messages").unwrap())[1..],
        ["assistant: call v1, call v2, call v3", "user: result v1, result v2, result v3"]
    );
    assert_eq!((sent.to_text().matches(r#""input":{}"#).count(), sent.to_text().matches(r#""is_error":true"#).count()), (3, 3));
    let sent = body(&mut tool_loop, ProviderFormat::OpenaiChat, r#"{"model":"m"}"#).unwrap().to_text();
    assert_eq!((sent.matches(r#""arguments":"{}""#).count(), sent.matches(r#""content":"Error: "#).count()), (3, 3), "{sent}");
}

#[test]
fn w9_the_system_prompt_and_the_tools_count_against_the_window() {
    let ask = |max: u64, params: &str| {
        let mut tool_loop = looped(&format!(r#"{{"conversationId":"k","maxInputTokens":{max},"limits":{{"reserveOutputTokens":10}}}}"#));
        for text in ["one", "two"] {
            tell(
                &mut tool_loop,
                &[
                    &format!(r#"{{"type":"submit","text":"{text}","nowMs":1}}"#),
                    START,
                    SAID,
                    r#"{"type":"message_stop","stopReason":"end_turn"}"#,
                ],
            );
        }
        tell(&mut tool_loop, &[r#"{"type":"submit","text":"three","nowMs":1}"#]);
        body(&mut tool_loop, ProviderFormat::Anthropic, params).map(|body| shape(body.get("messages").unwrap()).len())
    };
    // the tools alone take some: the smallest window that holds everything, found by trying
    let least = (10..5000).find(|max| ask(*max, r#"{"model":"m"}"#) == Ok(5)).unwrap();
    assert_eq!(ask(least - 1, r#"{"model":"m"}"#), Ok(3));
    // 300 bytes are 100 tokens at three bytes each, in a script beyond Latin as in JSON
    for system in ["é".repeat(150), "界".repeat(100), r#"{\"a\":1} "#.repeat(37)] {
        let params = format!(r#"{{"model":"m","system":"{system}"}}"#);
        assert!(ask(least + 103, &params) == Ok(5) && ask(least + 95, &params) == Ok(3), "{system}");
        assert_eq!(ask(20, &params), Err("context_overflow".to_owned()));
    }
}

#[test]
fn s5_where_earlier_turns_are_left_out_thinking_of_the_rest_stays_only_in_the_current_turn() {
    let thinking = |thought: &str, provider: &str, member: &str| {
        format!(
            r#"{{"type":"provider_state","provider":"{provider}","value":{{"type":"thinking","signature":"s","{member}":"{thought}"}}}}"#
        )
    };
    for (format, provider, member, keeps) in [
        (ProviderFormat::Anthropic, "anthropic", "thinking", false),
        (ProviderFormat::OpenaiChat, "openai-chat", "reasoning_content", true),
    ] {
        for (max, earlier) in [(100_000, true), (1200, keeps)] {
            let mut tool_loop =
                looped(&format!(r#"{{"conversationId":"k","maxInputTokens":{max},"limits":{{"reserveOutputTokens":10}}}}"#));
            for (text, thought) in [("x".repeat(3000), "first"), ("short".to_owned(), "second")] {
                let submit = format!(r#"{{"type":"submit","text":"{text}","nowMs":1}}"#);
                tell(
                    &mut tool_loop,
                    &[&submit, START, &thinking(thought, provider, member), SAID, r#"{"type":"message_stop","stopReason":"end_turn"}"#],
                );
            }
            tell(
                &mut tool_loop,
                &[r#"{"type":"submit","text":"now","nowMs":1}"#, START, &thinking("third", provider, member), CALL, STOP, FOUND],
            );
            let sent = body(&mut tool_loop, format, r#"{"model":"m"}"#).unwrap().to_text();
            assert_eq!(sent.contains("first"), max == 100_000, "{sent}");
            assert!(sent.contains("second") == earlier && sent.contains("third"), "{format:?} {max} {sent}");
        }
    }
}
