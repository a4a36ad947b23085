//! Laws of the Responses decoder on streams that no case of the corpus holds.

use countersign::protocol::event::{ProviderFormat, StreamEvent};
use countersign::protocol::json::Json;
use countersign::providers::{Decoder, StreamLimits};
use proptest::prelude::*;

use super::{Count, decode};

const END: &str = "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\"}}\n\n";

fn frame(kind: &str, rest: &str) -> String {
    format!("data: {{\"type\":\"response.{kind}\",{rest}}}\n\n")
}

/// The id, the tool and the arguments of every call that may run.
fn runs(stream: &str) -> Vec<(String, String, Json)> {
    let events = decode(ProviderFormat::OpenaiResponses, StreamLimits::default(), &[stream.as_bytes()]);
    let run = |event| match event {
        StreamEvent::ToolCallComplete { id, name, input, invalid: None, .. } => Some((id, name, input)),
        _ => None,
    };
    events.into_iter().filter_map(run).collect()
}

/// How a server tells which item something belongs to, and what of it it tells again.
#[derive(Clone, Copy, Debug)]
struct Style {
    /// 0: none, 1: each its own, 2: the same for all.
    index: u8,
    /// 0: none, 1: where an item begins or ends, 2: everywhere, 3: another one in each event.
    id: u8,
    call_ids: bool,
    /// Whether all calls are of one tool.
    one_tool: bool,
    fragments: bool,
    ends_arguments: bool,
    ends_items: bool,
    /// 0: none, 1: with the same ids, 2: with new ones.
    snapshot: u8,
}

fn style() -> impl Strategy<Value = Style> {
    ((0u8..3, 0u8..4, any::<[bool; 2]>()), any::<[bool; 3]>(), 0u8..3).prop_map(|((index, id, [call_ids, one_tool]), told, snapshot)| {
        let [fragments, ends_arguments, ends_items] = told;
        // somewhere the arguments are told
        let ends_items = ends_items || !(fragments || ends_arguments || snapshot > 0);
        Style { index, id, call_ids, one_tool, fragments, ends_arguments, ends_items, snapshot }
    })
}

struct Server {
    style: Style,
    events: usize,
}

impl Server {
    fn ids(&mut self, call: usize, of_item: bool) -> String {
        self.events += 1;
        let key = if of_item { "id" } else { "item_id" };
        match self.style.id {
            3 => format!("\"{key}\":\"x{}\",", self.events),
            2 => format!("\"{key}\":\"fc_{call}\","),
            1 if of_item => format!("\"{key}\":\"fc_{call}\","),
            _ => String::new(),
        }
    }

    fn index(&self, call: usize) -> String {
        match self.style.index {
            0 => String::new(),
            1 => format!("\"output_index\":{call},"),
            _ => "\"output_index\":0,".to_owned(),
        }
    }

    fn item(&mut self, call: usize, arguments: &str, prefix: &str) -> String {
        let ids = if prefix.is_empty() { self.ids(call, true) } else { format!("\"id\":\"{prefix}{call}\",") };
        let call_id = if self.style.call_ids { format!("\"call_id\":\"{prefix}c{call}\",") } else { String::new() };
        let tool = if self.style.one_tool { 0 } else { call };
        format!("{{\"type\":\"function_call\",{ids}{call_id}\"name\":\"n{tool}\",\"arguments\":{}}}", Json::from(arguments).to_text())
    }

    /// The frames of one call.
    fn call(&mut self, call: usize, text: &str, size: usize) -> Vec<String> {
        let index = self.index(call);
        let item = self.item(call, "", "");
        let mut frames = vec![frame("output_item.added", &format!("{index}\"item\":{item}"))];
        if self.style.fragments {
            for part in text.as_bytes().chunks(size) {
                let ids = self.ids(call, false);
                let part = Json::from(std::str::from_utf8(part).unwrap()).to_text();
                frames.push(frame("function_call_arguments.delta", &format!("{ids}{index}\"delta\":{part}")));
            }
        }
        if self.style.ends_arguments {
            let ids = self.ids(call, false);
            let text = Json::from(text).to_text();
            frames.push(frame("function_call_arguments.done", &format!("{ids}{index}\"arguments\":{text}")));
        }
        if self.style.ends_items {
            let item = self.item(call, text, "");
            frames.push(frame("output_item.done", &format!("{index}\"item\":{item}")));
        }
        frames
    }

    fn end(&mut self, kind: &str, texts: &[&str]) -> String {
        let prefix = if self.style.snapshot == 2 { "new" } else { "" };
        let told = if self.style.snapshot > 0 { texts } else { &[] };
        let output: Vec<String> = told.iter().enumerate().map(|(call, text)| self.item(call, text, prefix)).collect();
        frame(kind, &format!("\"response\":{{\"status\":\"{kind}\",\"output\":[{}]}}", output.join(",")))
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn t4_no_responses_call_runs_with_arguments_that_are_not_its_own(
        style in style(),
        order in proptest::collection::vec(0usize..3, 0..40),
        texts in proptest::collection::vec(proptest::sample::select(vec![r#"{"a":1}"#, r#"{"a":{"b":2}}"#, r#"{"c":"}{"}"#, r#"{"a":12,"d":[{}]}"#, "{}", ""]), 1..4),
        size in 1usize..9,
        lost in proptest::collection::vec(0usize..40, 0..3),
        end in proptest::sample::select(vec!["completed", "incomplete"]),
    ) {
        let mut server = Server { style, events: 0 };
        let frames: Vec<Vec<String>> = texts.iter().enumerate().map(|(call, text)| server.call(call, text, size)).collect();
        let mut told = vec![0; texts.len()];
        let mut stream = Vec::new();
        let rest = (0..texts.len()).flat_map(|call| std::iter::repeat_n(call, 99));
        for call in order.into_iter().map(|call| call % texts.len()).chain(rest) {
            if let Some(frame) = frames[call].get(told[call]) {
                told[call] += 1;
                stream.push(frame.clone());
            }
        }
        for place in lost {
            if let Some(frame) = stream.get_mut(place) {
                *frame = "data: {\n\n".to_owned();
            }
        }
        let stream = stream.concat() + &server.end(end, &texts);
        let said = |call: usize| if texts[call].is_empty() { "{}" } else { texts[call] };
        let mut left: Vec<&str> = (0..texts.len()).map(said).collect();
        for (id, name, input) in runs(&stream) {
            let number = id.trim_start_matches("new").trim_start_matches("fc_").trim_start_matches('c');
            // where all ids are new at the end and one tool is meant, only that each is run once counts
            let call = match (style.one_tool, style.snapshot) {
                (true, 2) => "",
                (true, _) => number,
                (false, _) => name.strip_prefix('n').unwrap(),
            };
            if let Ok(call) = call.parse::<usize>() {
                prop_assert_eq!(input.to_text(), said(call), "{}", stream);
            }
            // nor is any run twice, where an id that holds or their places say which is which
            if (style.call_ids || style.id == 2) && (style.snapshot < 2 || style.index == 1) {
                let place = left.iter().position(|own| *own == input.to_text());
                prop_assert!(place.is_some(), "{} {}", input.to_text(), stream);
                left.remove(place.unwrap());
            }
        }
    }

    #[test]
    fn t4_every_call_of_a_server_that_tells_all_runs(
        order in proptest::collection::vec(0usize..3, 0..40),
        texts in proptest::collection::vec(proptest::sample::select(vec![r#"{"a":1}"#, r#"{"a":{"b":2}}"#, "{}", ""]), 1..4),
        size in 1usize..9,
        snapshot in 0u8..3,
        (fragments, one_tool) in any::<(bool, bool)>(),
        (index, id) in proptest::sample::select(vec![(1, 2), (0, 2), (1, 0), (2, 2), (1, 3)]),
    ) {
        let style = Style { index, id, call_ids: true, one_tool, fragments, ends_arguments: true, ends_items: true, snapshot };
        let mut server = Server { style, events: 0 };
        let frames: Vec<Vec<String>> = texts.iter().enumerate().map(|(call, text)| server.call(call, text, size)).collect();
        let mut told = vec![0; texts.len()];
        let mut stream = String::new();
        let rest = (0..texts.len()).flat_map(|call| std::iter::repeat_n(call, 99));
        for call in order.into_iter().map(|call| call % texts.len()).chain(rest) {
            if let Some(frame) = frames[call].get(told[call]) {
                told[call] += 1;
                stream += frame;
            }
        }
        stream += &server.end("completed", &texts);
        prop_assert_eq!(runs(&stream).len(), texts.len(), "{}", stream);
    }
}

#[test]
fn l8_responses_arguments_that_never_end_are_not_kept() {
    let mut decoder = Decoder::new(ProviderFormat::OpenaiResponses, StreamLimits::default()).unwrap();
    let mut events = Vec::new();
    let open = frame("output_item.added", r#""item":{"type":"function_call","id":"a","name":"b"}"#);
    decoder.push(open.as_bytes(), &mut events);
    let fragment = frame("function_call_arguments.delta", &format!(r#""item_id":"a","delta":"{}""#, "x".repeat(60_000)));
    for _ in 0..100 {
        decoder.push(fragment.as_bytes(), &mut events);
    }
    let told = events.iter().filter(|event| matches!(event, StreamEvent::ToolCallInputDelta { .. })).count();
    assert_eq!(told, 4, "262144 bytes hold four fragments, and nothing is told of what is not kept");
    decoder.push(END.as_bytes(), &mut events);
    assert!(events.iter().any(|event| matches!(event, StreamEvent::ToolCallComplete { invalid: Some(_), .. })));
}

/// Streams made to be slow, at a length where a cost with the square of it would never end.
#[test]
fn l8_no_responses_stream_costs_more_than_its_length() {
    let open = |at: usize| {
        frame(
            "output_item.added",
            &format!(r#""output_index":{at},"item":{{"type":"function_call","id":"i{at}","call_id":"c{at}","name":"n"}}"#),
        )
    };
    let call = |at: usize, text: &str| {
        frame("function_call_arguments.delta", &format!(r#""item_id":"i{at}","output_index":{at},"delta":{}"#, Json::from(text).to_text()))
    };
    let end = |text: &str| frame("function_call_arguments.done", &format!(r#""item_id":"i0","arguments":{}"#, Json::from(text).to_text()));
    let text = |at: usize| frame("output_text.delta", &format!(r#""item_id":"m{}","content_index":{at},"delta":"a""#, at % 2));
    let spaced = format!("{{\"a\":1,{}\"b\":2}}", " ".repeat(200_000));
    let many: String = (0..20_000).map(open).collect();
    let items: Vec<String> = (0..20_000)
        .map(|at| format!(r#"{{"type":"function_call","id":"j{at}","call_id":"d{at}","name":"n","arguments":"{{}}"}}"#))
        .collect();
    let snapshot = frame("completed", &format!(r#""response":{{"output":[{}]}}"#, items.join(",")));
    let limits = StreamLimits { max_line_bytes: 4_000_000, ..StreamLimits::default() };
    for stream in [
        open(0) + &call(0, &spaced) + &(end("{\"a\":1,\"b\":2}") + &end("{\"a\":1, \"b\":2}") + &end("{ \"a\":1,\"b\":2}")).repeat(10_000),
        open(0) + &call(0, &" ".repeat(200_000)) + &end(" ").repeat(20_000),
        open(0) + &call(0, &"{".repeat(200_000)) + &"data: {\n\n".repeat(20_000),
        many.clone() + &"data: {\n\n".repeat(20_000),
        many.clone() + &frame("function_call_arguments.delta", r#""delta":" ""#).repeat(20_000),
        many.clone() + &(0..20_000).map(|at| call(19_999 - at, "{}")).collect::<String>(),
        many + &snapshot,
        (0..20_000).map(text).collect(),
        frame("output_item.added", r#""item":{"type":"reasoning","id":"r"}"#)
            + &(0..20_000).map(|at| open(at) + &call(at, "{}")).collect::<String>(),
        snapshot,
    ] {
        let mut decoder = Decoder::new(ProviderFormat::OpenaiResponses, limits).unwrap();
        let mut count = Count(0);
        decoder.push(stream.as_bytes(), &mut count);
        decoder.push(END.as_bytes(), &mut count);
        assert!(decoder.is_done() && count.0 > 0);
    }
}
