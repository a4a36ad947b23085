//! The laws of every decoder, for bytes that anybody chose: the fuzz targets call them, and `cargo test` replays the
//! kept inputs through the same functions.
//!
//! Enters: an input whose first bytes say how the rest is cut and bounded. Leaves: nothing; what breaks a law panics.

use std::collections::BTreeMap;

use countersign::protocol::event::{EventSink, ProviderFormat, StreamEvent};
use countersign::protocol::json::Json;
use countersign::providers::{Decoder, StreamLimits};

/// How many bytes of an input are not of the stream: one for the limits, seven for the lengths of the chunks.
const HEAD: usize = 8;
/// An id or a name that is passed on: 200 code points and the mark of what was cut.
const LONGEST_NAME: usize = 201 * 4;
/// A notice: an authored sentence, and a detail of 200 code points.
const LONGEST_NOTICE: usize = 1_200;

/// An input, taken apart.
pub(crate) struct Input<'i> {
    limits: StreamLimits,
    lengths: &'i [u8],
    pub(crate) stream: &'i [u8],
}

impl<'i> Input<'i> {
    /// Takes `data` apart; nothing where it is too short to say how it is cut.
    pub(crate) fn of(data: &'i [u8]) -> Option<Input<'i>> {
        let (head, stream) = data.split_at_checked(HEAD)?;
        let (limits, lengths) = head.split_first()?;
        Some(Input { limits: limits_of(*limits), lengths, stream })
    }

    /// The stream in chunks whose lengths come round again and again; all zero: in one piece.
    fn chunks(&self) -> Vec<&'i [u8]> {
        if self.lengths.iter().all(|length| *length == 0) {
            return vec![self.stream];
        }
        let mut rest = self.stream;
        let mut chunks = Vec::new();
        for length in self.lengths.iter().cycle() {
            let (chunk, after) = rest.split_at(usize::from(*length).min(rest.len()));
            chunks.push(chunk);
            rest = after;
            if rest.is_empty() {
                break;
            }
        }
        chunks
    }
}

/// The usual limits, or such as a short input can reach.
fn limits_of(chosen: u8) -> StreamLimits {
    let usual = StreamLimits::default();
    let of = |bit: u8, small: usize, usual: usize| if chosen & bit == 0 { usual } else { small };
    StreamLimits {
        max_line_bytes: of(1, 120, usual.max_line_bytes),
        max_stream_bytes: of(2, 900, usual.max_stream_bytes),
        max_argument_bytes: of(4, 24, usual.max_argument_bytes),
        max_argument_depth: of(8, 2, usual.max_argument_depth),
    }
}

/// Any bytes, cut in any way, are read as the same well-formed sequence of events.
pub(crate) fn any_cut_gives_the_same_lawful_events(format: ProviderFormat, data: &[u8]) {
    let Some(input) = Input::of(data) else { return };
    let whole = read(format, input.limits, &[input.stream]);
    lawful(&whole, &input);
    let single: Vec<&[u8]> = input.stream.chunks(1).collect();
    assert_eq!(read(format, input.limits, &single), whole, "one byte at a time");
    assert_eq!(read(format, input.limits, &input.chunks()), whole, "cut as chosen");
    // where the connection closes earlier, no call is complete with arguments that it does not have in the end; with
    // Chat Completions a close is one way to end a message, so that what would have followed is of no account
    let half = input.stream.get(..input.stream.len() / 2).unwrap_or_default();
    let half = read(format, input.limits, &[half]);
    lawful(&half, &input);
    let is_beginning = runnable(&whole).starts_with(&runnable(&half));
    assert!(is_beginning || format == ProviderFormat::OpenaiChat, "a shorter stream completes another call\n{half:?}\n{whole:?}");
}

/// However a stream writes its frames, what they are is all that counts: written anew in the plainest form, they say
/// the same. The reading here is the simplest there is, and knows neither chunks nor limits.
pub(crate) fn only_the_frames_count(data: &[u8]) {
    let Some(input) = Input::of(data) else { return };
    // JSON outside any field may tell of a failure, and so may end the stream
    if lines_of(without_mark(input.stream)).iter().any(|(line, _)| matches!(line.first(), Some(b'{' | b'['))) {
        return;
    }
    let frames = frames_of(input.stream);
    for format in FORMATS {
        let plain = read(format, StreamLimits::default(), &[written(&frames, "\n").as_bytes()]);
        assert_eq!(read(format, StreamLimits::default(), &input.chunks()), plain, "{format:?}");
        assert_eq!(read(format, StreamLimits::default(), &[written(&frames, "\r\n").as_bytes()]), plain, "{format:?}");
    }
}

/// What the decoder of `format` holds is read by nobody: the most memory this may take, for a measure to compare with.
pub(crate) fn memory_allowed(data: &[u8]) -> usize {
    (256 << 10) + data.len() * 128
}

/// Reads the stream and keeps nothing of it, so that all the memory it takes is the decoder's.
pub(crate) fn read_and_forget(format: ProviderFormat, data: &[u8]) {
    let Some(input) = Input::of(data) else { return };
    let Some(mut decoder) = decoder(format, input.limits) else { return };
    for chunk in input.chunks() {
        decoder.push(chunk, &mut Forget);
    }
    decoder.end(&mut Forget);
}

/// Every format there is.
pub(crate) const FORMATS: [ProviderFormat; 4] =
    [ProviderFormat::Anthropic, ProviderFormat::OpenaiChat, ProviderFormat::OpenaiResponses, ProviderFormat::Gemini];

/// A decoder, where this build has one for the format.
fn decoder(format: ProviderFormat, limits: StreamLimits) -> Option<Decoder> {
    Decoder::new(format, limits).ok()
}

/// The events of one stream, neighbouring deltas of text as one.
fn read(format: ProviderFormat, limits: StreamLimits, chunks: &[&[u8]]) -> Vec<StreamEvent> {
    let Some(mut decoder) = decoder(format, limits) else { return Vec::new() };
    let mut events = Vec::new();
    for chunk in chunks {
        decoder.push(chunk, &mut events);
    }
    decoder.end(&mut events);
    assert!(decoder.is_done());
    let told = events.len();
    decoder.push(b"data: {}\n\n", &mut events);
    decoder.end(&mut events);
    assert_eq!(events.len(), told, "something left after the end");
    events
}

fn runnable(events: &[StreamEvent]) -> Vec<&StreamEvent> {
    events.iter().filter(|event| matches!(event, StreamEvent::ToolCallComplete { invalid: None, .. })).collect()
}

/// What holds of the events of any stream at all.
fn lawful(events: &[StreamEvent], input: &Input<'_>) {
    let Some((last, before)) = events.split_last() else { return };
    assert!(last.is_terminal(), "the last event ends nothing: {last:?}");
    assert!(!before.iter().any(StreamEvent::is_terminal), "two ends: {events:?}");
    let read = input.stream.len().min(input.limits.max_stream_bytes);
    assert!(events.len() <= read + 4, "{} events of {read} bytes", events.len());
    let mut open: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut has_started = false;
    let mut told = 0;
    for event in events {
        match event {
            StreamEvent::MessageStart { model } => {
                assert!(!std::mem::replace(&mut has_started, true), "a second message began");
                assert!(model.len() <= LONGEST_NAME);
            }
            StreamEvent::TextDelta { text } | StreamEvent::ReasoningDelta { text } => {
                assert!(!text.is_empty());
                told += text.len();
            }
            StreamEvent::ToolCallStart { id, name } => {
                assert!(!id.is_empty() && id.len() <= LONGEST_NAME && name.len() <= LONGEST_NAME);
                open.entry(id).or_default().push(name);
            }
            StreamEvent::ToolCallInputDelta { id, partial_json } => {
                assert!(!partial_json.is_empty() && open.contains_key(id.as_str()), "a part of no call: {event:?}");
                told += partial_json.len();
            }
            StreamEvent::ToolCallComplete { id, name, input: arguments, invalid, provider_id } => {
                let names = open.get_mut(id.as_str()).unwrap_or_else(|| panic!("never opened: {event:?}"));
                // a call is complete once, under the name it was opened with
                let place = names.iter().position(|opened| opened == name);
                let place = place.unwrap_or_else(|| panic!("complete twice, or under another name: {event:?}"));
                names.remove(place);
                assert!(provider_id.is_none());
                lawful_arguments(arguments, invalid.as_deref(), &input.limits);
                told += arguments.to_text().len();
            }
            StreamEvent::ProviderState { value, .. } => told += value.to_text().len(),
            StreamEvent::Error { error } => {
                let detail = error.provider_detail.as_ref().map_or(0, String::len);
                assert!(error.message.len() + detail <= LONGEST_NOTICE, "{error:?}");
            }
            StreamEvent::Usage { .. } | StreamEvent::MessageStop { .. } => {}
            StreamEvent::Aborted => panic!("only a host aborts"),
        }
    }
    if matches!(last, StreamEvent::MessageStop { .. }) {
        assert!(open.values().all(Vec::is_empty), "the message ended and not every call: {events:?}");
    }
    // an invalid byte is three as U+FFFD, a number like 1e20 is written out, and reasoning is told and kept
    assert!(told <= read * 12 + 64, "{told} bytes told of {read}");
}

fn lawful_arguments(arguments: &Json, invalid: Option<&str>, limits: &StreamLimits) {
    let members = arguments.as_object().unwrap_or_else(|| panic!("no object: {arguments:?}"));
    match invalid {
        Some(why) => assert!(!why.is_empty() && members.is_empty(), "refused, and yet {arguments:?}"),
        None => assert!(depth(arguments) <= limits.max_argument_depth, "deeper than may be: {arguments:?}"),
    }
    let text = arguments.to_text();
    assert_eq!(Json::parse(&text).as_ref(), Ok(arguments), "{text}");
}

fn depth(value: &Json) -> usize {
    match value {
        Json::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Json::Object(members) => 1 + members.iter().map(|(_, value)| depth(value)).max().unwrap_or(0),
        _ => 0,
    }
}

/// One frame as the standard reads it: its name, the lines of its data.
struct Plain {
    event: String,
    data: Vec<String>,
    ended: bool,
}

fn frames_of(stream: &[u8]) -> Vec<Plain> {
    let mut frames = Vec::new();
    let mut open = Plain { event: String::new(), data: Vec::new(), ended: true };
    for (line, ended) in lines_of(without_mark(stream)) {
        if line.is_empty() && ended {
            let done = std::mem::replace(&mut open, Plain { event: String::new(), data: Vec::new(), ended: true });
            if !done.data.is_empty() {
                frames.push(done);
            }
            continue;
        }
        let (field, value) = line.iter().position(|byte| *byte == b':').map_or((line, &[][..]), |at| (&line[..at], &line[at + 1..]));
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => open.data.push(String::from_utf8_lossy(value).into_owned()),
            b"event" => open.event = String::from_utf8_lossy(value.trim_ascii()).into_owned(),
            _ => {}
        }
    }
    if !open.data.is_empty() {
        frames.push(Plain { ended: false, ..open });
    }
    frames
}

fn without_mark(stream: &[u8]) -> &[u8] {
    stream.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(stream)
}

/// The lines, each with whether it has an end.
fn lines_of(stream: &[u8]) -> Vec<(&[u8], bool)> {
    let mut lines = Vec::new();
    let mut rest = stream;
    while let Some(at) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
        lines.push((&rest[..at], true));
        rest = rest[at..].strip_prefix(b"\r\n").unwrap_or(&rest[at + 1..]);
    }
    lines.push((rest, false));
    lines
}

fn written(frames: &[Plain], end: &str) -> String {
    let mut text = String::new();
    for frame in frames {
        if !frame.event.is_empty() {
            text.push_str(&format!("event: {}{end}", frame.event));
        }
        for line in &frame.data {
            text.push_str(&format!("data: {line}{end}"));
        }
        if frame.ended {
            text.push_str(end);
        }
    }
    text
}

/// Takes events and keeps none.
struct Forget;

impl EventSink for Forget {
    fn text(&mut self, _: &str) {}
    fn reasoning(&mut self, _: &str) {}
    fn input_delta(&mut self, _: &str, _: &str) {}
    fn event(&mut self, _: StreamEvent) {}
}
