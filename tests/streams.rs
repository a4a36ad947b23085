//! Replays the stream cases of the corpus for every cut of their bytes, and holds the decoder to its laws on any bytes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

mod support;

use countersign::protocol::event::{ProviderFormat, StreamEvent};
use countersign::protocol::json::Json;
use countersign::providers::{Decoder, StreamLimits};
use proptest::prelude::*;

use support::{base64, cases, matches, text_of};

const STREAMS: &str = include_str!("corpus/anthropic-sse.jsonl");

fn decode(format: ProviderFormat, limits: StreamLimits, chunks: &[&[u8]]) -> Vec<StreamEvent> {
    let mut decoder = Decoder::new(format, limits).unwrap();
    let mut events = Vec::new();
    for chunk in chunks {
        decoder.push(chunk, &mut events);
    }
    decoder.end(&mut events);
    assert!(decoder.is_done());
    let seen = events.len();
    decoder.push(b"event: message_stop\ndata: {}\n\n", &mut events);
    decoder.end(&mut events);
    assert_eq!(events.len(), seen, "nothing leaves after the terminal event");
    joined(events)
}

/// Neighbouring deltas of text as one, as the corpus compares them.
fn joined(events: Vec<StreamEvent>) -> Vec<StreamEvent> {
    let mut joined: Vec<StreamEvent> = Vec::new();
    for event in events {
        match (joined.last_mut(), event) {
            (Some(StreamEvent::TextDelta { text }), StreamEvent::TextDelta { text: more })
            | (Some(StreamEvent::ReasoningDelta { text }), StreamEvent::ReasoningDelta { text: more }) => text.push_str(&more),
            (_, event) => joined.push(event),
        }
    }
    joined
}

fn is_terminal(event: &StreamEvent) -> bool {
    match event {
        StreamEvent::MessageStop { .. } | StreamEvent::Aborted => true,
        StreamEvent::Error { error } => error.code != countersign::protocol::error::ProtocolErrorCode::MalformedStream,
        _ => false,
    }
}

struct Case {
    id: String,
    format: ProviderFormat,
    limits: StreamLimits,
    chunks: Vec<Vec<u8>>,
    events: Json,
}

fn streams() -> Vec<Case> {
    let read = |case: Json| Case {
        id: format!("{} {}", text_of(&case, "id"), text_of(&case, "name")),
        format: ProviderFormat::parse(&text_of(&case, "format")).unwrap(),
        limits: case.get("limits").map_or_else(StreamLimits::default, |limits| StreamLimits::decode(limits).unwrap()),
        chunks: match case.get("chunks").and_then(Json::as_array) {
            Some(chunks) => chunks.iter().map(|chunk| chunk.as_str().unwrap().as_bytes().to_vec()).collect(),
            None => case.get("base64").unwrap().as_array().unwrap().iter().map(|chunk| base64(chunk.as_str().unwrap())).collect(),
        },
        events: case.get("events").unwrap().clone(),
    };
    cases(STREAMS).into_iter().map(read).collect()
}

fn as_json(events: &[StreamEvent]) -> Json {
    Json::parse(&serde_json::to_string(events).unwrap()).unwrap()
}

#[test]
fn t5_t14_every_stream_of_the_corpus_gives_its_events() {
    let mut wrong = Vec::new();
    for case in streams() {
        let chunks: Vec<&[u8]> = case.chunks.iter().map(Vec::as_slice).collect();
        let events = as_json(&decode(case.format, case.limits, &chunks));
        if !matches(&case.events, &events) {
            wrong.push(format!("{}\n  expected {}\n  got      {}", case.id, case.events.to_text(), events.to_text()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn e2_every_cut_of_a_stream_gives_the_same_events() {
    for case in streams() {
        let bytes = case.chunks.concat();
        let whole = decode(case.format, case.limits, &[&bytes]);
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(decode(case.format, case.limits, &single), whole, "{} one byte at a time", case.id);
        for at in 0..=bytes.len() {
            let (head, tail) = bytes.split_at(at);
            assert_eq!(decode(case.format, case.limits, &[head, tail]), whole, "{} cut at {at}", case.id);
        }
    }
}

#[test]
fn t14_exactly_one_terminal_event_leaves_and_it_is_the_last() {
    for case in streams() {
        let bytes = case.chunks.concat();
        for at in 0..=bytes.len() {
            let events = decode(case.format, case.limits, &[&bytes[..at]]);
            assert_eq!(events.iter().filter(|event| is_terminal(event)).count(), 1, "{} ended at {at}", case.id);
            assert!(is_terminal(events.last().unwrap()), "{} ended at {at}", case.id);
        }
    }
}

#[test]
fn t5_a_stream_that_is_cut_anywhere_completes_no_call_with_other_arguments() {
    for case in streams() {
        let bytes = case.chunks.concat();
        let complete = |events: Vec<StreamEvent>| -> Vec<StreamEvent> {
            events.into_iter().filter(|event| matches!(event, StreamEvent::ToolCallComplete { invalid: None, .. })).collect()
        };
        let whole = complete(decode(case.format, case.limits, &[&bytes]));
        for at in 0..bytes.len() {
            let cut = complete(decode(case.format, case.limits, &[&bytes[..at]]));
            assert!(whole.starts_with(&cut), "{} ended at {at}", case.id);
        }
    }
}

#[test]
fn l8_arguments_that_never_end_are_not_kept() {
    let mut decoder = Decoder::new(ProviderFormat::Anthropic, StreamLimits::default()).unwrap();
    let mut events = Vec::new();
    let start = r#"event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"b","input":{}}}

"#;
    decoder.push(start.as_bytes(), &mut events);
    let fragment = format!(
        "event: content_block_delta\ndata: {{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{{\"type\":\"input_json_delta\",\"partial_json\":\"{}\"}}}}\n\n",
        "x".repeat(60_000)
    );
    for _ in 0..100 {
        decoder.push(fragment.as_bytes(), &mut events);
    }
    let told = events.iter().filter(|event| matches!(event, StreamEvent::ToolCallInputDelta { .. })).count();
    assert_eq!(told, 4, "262144 bytes hold four fragments, and nothing is told of what is not kept");
    decoder.push(b"event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n", &mut events);
    assert!(matches!(events.last(), Some(StreamEvent::ToolCallComplete { invalid: Some(_), .. })));
}

/// Pieces of streams, so that random input reaches past the framing.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let whole: Vec<Vec<u8>> = streams()
        .iter()
        .flat_map(|case| case.chunks.concat().split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>())
        .collect();
    prop_oneof![
        4 => proptest::sample::select(whole),
        1 => Just(b"\n".to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 0..12),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn e2_any_bytes_in_any_chunks_give_the_same_events(
        pieces in proptest::collection::vec(piece(), 0..40),
        cuts in proptest::collection::vec(0usize..4000, 0..6),
    ) {
        let bytes = pieces.concat();
        let limits = StreamLimits { max_line_bytes: 400, max_stream_bytes: 3000, max_argument_bytes: 30, max_argument_depth: 3 };
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
        cuts.sort_unstable();
        let mut chunks = Vec::new();
        let mut from = 0;
        for cut in cuts {
            chunks.push(&bytes[from..cut]);
            from = cut;
        }
        chunks.push(&bytes[from..]);
        let whole = decode(ProviderFormat::Anthropic, limits, &[&bytes]);
        prop_assert_eq!(decode(ProviderFormat::Anthropic, limits, &chunks), whole.clone());
        prop_assert_eq!(whole.iter().filter(|event| is_terminal(event)).count(), 1);
    }
}
