//! Opaque state and the model it came from: what a loop sends back when its host asks another one.

use countersign::protocol::effect::Effect;
use countersign::protocol::event::ProviderFormat;
use countersign::protocol::ids::EffectId;
use countersign::protocol::json::Json;
use countersign::tool_loop::{LoopOptions, ToolLoop};
use countersign::tools::registry::ToolRegistry;

use crate::player::tools_of;
use crate::turn::{input, json};

fn tools() -> ToolRegistry {
    tools_of(Some(&json(r#"["find"]"#)))
}

fn looped(history: &str) -> ToolLoop {
    let options = LoopOptions::decode(&json(&format!(r#"{{"history":{history}}}"#))).unwrap();
    ToolLoop::new(options, tools(), None).unwrap()
}

fn dispatch(tool_loop: &mut ToolLoop, told: &str) {
    let _ = tool_loop.dispatch(input(told), None);
}

fn submit(tool_loop: &mut ToolLoop) {
    dispatch(tool_loop, r#"{"type":"submit","text":"x","nowMs":1}"#);
}

fn request_id(tool_loop: &ToolLoop) -> EffectId {
    let of_request = |effect| if let Effect::Request { id, .. } = effect { Some(id) } else { None };
    tool_loop.pending().into_iter().find_map(of_request).unwrap()
}

/// What is sent to `model`, as text.
fn body(tool_loop: &mut ToolLoop, format: ProviderFormat, model: &str) -> String {
    let id = request_id(tool_loop);
    let params = json(&format!(r#"{{"model":{}}}"#, Json::from(model).to_text()));
    tool_loop.request(&id, format, &params).unwrap().body.to_text()
}

/// An answer of a chat server that thought `thought`; says what was sent for it.
fn chat(tool_loop: &mut ToolLoop, model: &str, thought: &str, calls: &str) -> String {
    let sent = body(tool_loop, ProviderFormat::OpenaiChat, model);
    let id = request_id(tool_loop);
    let delta = |delta: &str| format!("data: {{\"id\":\"m\",\"model\":\"m\",\"choices\":[{{\"index\":0,\"delta\":{delta}}}]}}\n\n");
    let rest = if calls.is_empty() { r#"{"content":"said"}"#.to_owned() } else { format!(r#"{{"tool_calls":{calls}}}"#) };
    let bytes = [delta(&format!(r#"{{"reasoning_content":"{thought}"}}"#)), delta(&rest), "data: [DONE]\n\n".to_owned()].concat();
    let _ = tool_loop.feed(&id, bytes.as_bytes(), Some(2));
    sent
}

/// An answer of Anthropic with a signed thought.
fn anthropic(tool_loop: &mut ToolLoop, model: &str, thought: &str) -> String {
    let sent = body(tool_loop, ProviderFormat::Anthropic, model);
    let id = request_id(tool_loop);
    let frames = [
        r#"{"type":"message_start","message":{"model":"m"}}"#.to_owned(),
        format!(
            r#"{{"type":"content_block_start","index":0,"content_block":{{"type":"thinking","thinking":"{thought}","signature":"s-{thought}"}}}}"#
        ),
        r#"{"type":"content_block_stop","index":0}"#.to_owned(),
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"text","text":"said"}}"#.to_owned(),
        r#"{"type":"content_block_stop","index":1}"#.to_owned(),
        r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#.to_owned(),
        r#"{"type":"message_stop"}"#.to_owned(),
    ];
    let bytes: String = frames.iter().map(|frame| format!("data: {frame}\n\n")).collect();
    let _ = tool_loop.feed(&id, bytes.as_bytes(), Some(2));
    sent
}

/// Lays the loop down and takes it up; the text it was laid down as is the same before and after.
fn rested(tool_loop: &ToolLoop) -> ToolLoop {
    let text = tool_loop.snapshot();
    let restored = ToolLoop::restore(&text, &json("{}"), tools(), None).unwrap();
    assert_eq!(restored.snapshot(), text);
    restored
}

const CALL: &str = r#"[{"index":0,"id":"c1","function":{"name":"find","arguments":"{\"q\":\"x\"}"}}]"#;

#[test]
fn s5_state_of_another_model_of_the_same_format_is_not_sent() {
    let mut tool_loop = looped("[]");
    submit(&mut tool_loop);
    chat(&mut tool_loop, "a", "of-a", "");
    submit(&mut tool_loop);
    let sent = chat(&mut tool_loop, "b", "of-b", "");
    assert!(sent.contains("said") && !sent.contains("of-a"), "{sent}");
    submit(&mut tool_loop);
    let sent = chat(&mut tool_loop, "a", "again", "");
    assert!(sent.contains("of-a") && !sent.contains("of-b"), "{sent}");
    assert_eq!(tool_loop.messages().len(), 6);
    let kept = serde_json::to_string(tool_loop.messages()).unwrap();
    assert!(["of-a", "of-b", "again"].iter().all(|thought| kept.contains(thought)), "the conversation itself keeps all of it");
}

#[test]
fn s5_a_switch_of_the_provider_and_back_in_one_conversation() {
    let mut tool_loop = looped("[]");
    submit(&mut tool_loop);
    anthropic(&mut tool_loop, "a", "first");
    submit(&mut tool_loop);
    let sent = chat(&mut tool_loop, "a", "second", "");
    assert!(!sent.contains("first"), "the same name at another provider is another model: {sent}");
    submit(&mut tool_loop);
    let sent = anthropic(&mut tool_loop, "b", "third");
    assert!(!sent.contains("first") && !sent.contains("second"), "{sent}");
    submit(&mut tool_loop);
    let sent = anthropic(&mut tool_loop, "a", "fourth");
    assert!(sent.contains("s-first") && !sent.contains("third"), "{sent}");
}

#[test]
fn s5_the_issuers_of_a_conversation_survive_save_and_restore() {
    let mut tool_loop = looped("[]");
    submit(&mut tool_loop);
    assert!(!tool_loop.snapshot().contains("issuers"), "nobody was asked yet");
    chat(&mut tool_loop, "a", "of-a", "");
    submit(&mut tool_loop);
    chat(&mut tool_loop, "b", "of-b", "");
    let mut restored = rested(&tool_loop);
    submit(&mut restored);
    let mut restored = rested(&restored);
    let sent = body(&mut restored, ProviderFormat::OpenaiChat, "a");
    assert!(sent.contains("of-a") && !sent.contains("of-b"), "{sent}");
    // a snapshot of a build that knew of no issuers: everything is kept
    let text = tool_loop.snapshot();
    let (head, tail) = text.split_once(r#""issuers":["#).unwrap();
    let older = [head, tail.split_once("],").unwrap().1].concat();
    let mut older = ToolLoop::restore(&older, &json("{}"), tools(), None).unwrap();
    submit(&mut older);
    let sent = body(&mut older, ProviderFormat::OpenaiChat, "a");
    assert!(sent.contains("of-a") && sent.contains("of-b"), "{sent}");
}

#[test]
fn s5_an_answer_that_was_laid_down_half_way_is_asked_of_whoever_is_there_then() {
    let mut tool_loop = looped("[]");
    submit(&mut tool_loop);
    chat(&mut tool_loop, "a", "of-a", "");
    submit(&mut tool_loop);
    body(&mut tool_loop, ProviderFormat::OpenaiChat, "b");
    let id = request_id(&tool_loop);
    let _ = tool_loop.feed(&id, b"data: {\"choices\":[{\"delta\":{\"content\":\"ha\"}}]}\n\n", Some(2));
    let mut restored = rested(&tool_loop);
    let sent = chat(&mut restored, "a", "more", "");
    assert!(sent.contains("of-a"), "{sent}");
    submit(&mut restored);
    let sent = body(&mut restored, ProviderFormat::OpenaiChat, "a");
    assert!(sent.contains("of-a") && sent.contains("more"), "{sent}");
}

#[test]
fn s5_a_history_that_was_given_is_kept_as_it_is() {
    let history = r#"[{"role":"user","content":[{"type":"text","text":"x"}]},{"role":"assistant","content":[
        {"type":"provider_state","provider":"openai-chat","value":{"reasoning_content":"given"}},{"type":"text","text":"y"}]}]"#;
    let mut tool_loop = looped(history);
    submit(&mut tool_loop);
    assert!(chat(&mut tool_loop, "a", "of-a", "").contains("given"));
    submit(&mut tool_loop);
    let sent = chat(&mut tool_loop, "b", "of-b", "");
    assert!(sent.contains("given") && !sent.contains("of-a"), "{sent}");
}

#[test]
fn s5_within_a_turn_the_thoughts_go_back_with_the_calls_they_led_to() {
    let mut tool_loop = looped("[]");
    submit(&mut tool_loop);
    chat(&mut tool_loop, "a", "why", CALL);
    dispatch(&mut tool_loop, r#"{"type":"callSettled","callId":"c1","outcome":{"status":"ok","result":"found"}}"#);
    let sent = body(&mut tool_loop, ProviderFormat::OpenaiChat, "a");
    assert!(sent.contains(r#""reasoning_content":"why""#) && sent.contains("found"), "{sent}");
    let sent = body(&mut tool_loop, ProviderFormat::OpenaiChat, "b");
    assert!(!sent.contains("why") && sent.contains("found"), "{sent}");
    // building for another model says nothing yet of who answers
    let sent = body(&mut tool_loop, ProviderFormat::OpenaiChat, "a");
    assert!(sent.contains("why"), "{sent}");
}

#[test]
fn s5_state_in_events_of_the_hosts_own_goes_to_any_model_of_its_format() {
    let mut tool_loop = looped("[]");
    submit(&mut tool_loop);
    chat(&mut tool_loop, "a", "of-a", "");
    submit(&mut tool_loop);
    let state = r#"{"type":"provider_state","provider":"openai-chat","value":{"reasoning_content":"own"}}"#;
    for event in [state, r#"{"type":"text_delta","text":"said"}"#, r#"{"type":"message_stop","stopReason":"end_turn"}"#] {
        dispatch(&mut tool_loop, event);
    }
    submit(&mut tool_loop);
    let sent = body(&mut tool_loop, ProviderFormat::OpenaiChat, "b");
    assert!(sent.contains("own") && !sent.contains("of-a"), "{sent}");
}
