//! Cuts a byte stream into server-sent events.
//!
//! Enters: chunks, cut anywhere. Leaves: frames (event name, data), the same for every cut of the same bytes,
//! and what was too long. Line ends are LF, CRLF or CR; data lines of one frame are joined by LF; invalid UTF-8
//! becomes U+FFFD. At the end of the stream an unfinished frame is handed out marked `cut`: many servers leave the
//! last blank line out, and only a reader of its payload can tell whether that is all of it. Servers that fail may
//! write JSON with no field around it: it is handed out as `Bare`. Knows no provider.

use std::borrow::Cow;
use std::ops::ControlFlow;

use memchr::memchr2;

/// Takes what the splitter finds; where it breaks, nothing more is read.
pub(crate) type Emit<'e> = dyn FnMut(Item<'_>) -> ControlFlow<()> + 'e;

/// One thing the splitter found.
#[derive(Debug)]
pub(crate) enum Item<'a> {
    /// A frame.
    Frame(Frame<'a>),
    /// Lines that begin like JSON and are of no field.
    Bare(&'a str),
    /// A line over the cap: it is skipped, and so is the frame it belongs to.
    LineTooLong,
    /// The stream is over its cap; nothing follows.
    StreamTooLong,
}

/// One server-sent event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame<'a> {
    /// The event's name; "" where none is given.
    pub(crate) event: &'a str,
    /// The data.
    pub(crate) data: &'a str,
    /// Whether the stream ended before the frame did.
    pub(crate) cut: bool,
}

/// Cuts one stream. Every byte is looked at once, whatever the chunks are.
#[derive(Debug)]
pub(crate) struct Splitter {
    max_line_bytes: usize,
    /// How many bytes the stream may still have.
    stream_left: usize,
    /// The beginning of a line whose end has not come.
    line: Vec<u8>,
    /// Whether the rest of this line is thrown away.
    skipping: bool,
    /// Whether the last line ended with a CR, so that a LF next would belong to it.
    after_cr: bool,
    first_line: bool,
    frame: Open,
    #[cfg(test)]
    bytes_looked_at: usize,
}

/// The frame that is being read, as far as it came in earlier chunks.
#[derive(Debug, Default)]
struct Open {
    event: String,
    data: String,
    has_data: bool,
    /// What may be JSON outside any field.
    bare: String,
    /// One of its lines was too long.
    dropped: bool,
}

/// The parts of the open frame that lie whole in the chunk at hand, not copied.
#[derive(Default)]
struct Here<'c> {
    event: Option<&'c str>,
    data: Option<&'c str>,
}

impl Splitter {
    pub(crate) fn new(max_line_bytes: usize, max_stream_bytes: usize) -> Splitter {
        Splitter {
            max_line_bytes,
            stream_left: max_stream_bytes,
            line: Vec::new(),
            skipping: false,
            after_cr: false,
            first_line: true,
            frame: Open::default(),
            #[cfg(test)]
            bytes_looked_at: 0,
        }
    }

    /// Reads one chunk; `emit` may break, after which nothing more may be read.
    pub(crate) fn push(&mut self, chunk: &[u8], emit: &mut Emit<'_>) -> ControlFlow<()> {
        let (chunk, over) = chunk.split_at_checked(self.stream_left).unwrap_or((chunk, &[]));
        self.stream_left -= chunk.len();
        self.lines(chunk, emit)?;
        if over.is_empty() { ControlFlow::Continue(()) } else { emit(Item::StreamTooLong) }
    }

    /// Ends the stream: what is left of a frame is handed out as `cut`.
    pub(crate) fn finish(&mut self, emit: &mut Emit<'_>) -> ControlFlow<()> {
        if self.skipping {
            return ControlFlow::Continue(());
        }
        if !self.line.is_empty() {
            self.end_line(&[], &mut Here::default(), emit)?;
        }
        self.frame.tell_bare(emit)?;
        if !self.frame.has_data || self.frame.dropped {
            return ControlFlow::Continue(());
        }
        emit(Item::Frame(Frame { event: &self.frame.event, data: &self.frame.data, cut: true }))
    }

    fn lines(&mut self, chunk: &[u8], emit: &mut Emit<'_>) -> ControlFlow<()> {
        let mut here = Here::default();
        let mut rest = chunk;
        #[cfg(test)]
        (self.bytes_looked_at += chunk.len());
        if self.after_cr && !rest.is_empty() {
            self.after_cr = false;
            rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        }
        if self.is_between_frames() {
            while let Some((frame, after)) = usual_frame(rest, self.max_line_bytes) {
                self.first_line = false;
                rest = after;
                emit(Item::Frame(frame))?;
            }
        }
        while let Some((line, end)) = memchr2(b'\n', b'\r', rest).and_then(|at| rest.split_at_checked(at)) {
            self.after_cr = end == b"\r";
            rest = end.strip_prefix(b"\r\n").or_else(|| end.get(1..)).unwrap_or_default();
            if self.line.is_empty() && line.is_empty() && !self.skipping {
                self.first_line = false;
                self.dispatch(&mut here, emit)?;
            } else {
                self.end_line(line, &mut here, emit)?;
            }
        }
        self.frame.keep(&mut here);
        self.keep_line(rest, emit)
    }

    fn is_between_frames(&self) -> bool {
        let Open { event, has_data, bare, dropped, .. } = &self.frame;
        self.line.is_empty() && !self.skipping && event.is_empty() && !has_data && bare.is_empty() && !dropped
    }

    /// Keeps the beginning of a line for the next chunk.
    fn keep_line(&mut self, part: &[u8], emit: &mut Emit<'_>) -> ControlFlow<()> {
        if self.skipping || part.is_empty() {
            return ControlFlow::Continue(());
        }
        if self.line.len() + part.len() > self.max_line_bytes {
            self.skipping = true;
            self.line = Vec::new();
            return emit(Item::LineTooLong);
        }
        self.line.extend_from_slice(part);
        ControlFlow::Continue(())
    }

    /// A line ends: `tail` is its last part, all of it where nothing was kept.
    fn end_line<'c>(&mut self, tail: &'c [u8], here: &mut Here<'c>, emit: &mut Emit<'_>) -> ControlFlow<()> {
        let first = std::mem::replace(&mut self.first_line, false);
        if std::mem::replace(&mut self.skipping, false) {
            self.frame.dropped = true;
            return ControlFlow::Continue(());
        }
        if self.line.len() + tail.len() > self.max_line_bytes {
            self.line = Vec::new();
            self.frame.dropped = true;
            return emit(Item::LineTooLong);
        }
        if self.line.is_empty() {
            return self.field(without_mark(tail, first), here, emit);
        }
        let mut line = std::mem::take(&mut self.line);
        line.extend_from_slice(tail);
        // a line begun in an earlier chunk is the first to end in this one, so `here` is still empty
        let mut kept = Here::default();
        let flow = self.field(without_mark(&line, first), &mut kept, emit);
        self.frame.keep(&mut kept);
        line.clear();
        self.line = line;
        flow
    }

    fn field<'c>(&mut self, line: &'c [u8], here: &mut Here<'c>, emit: &mut Emit<'_>) -> ControlFlow<()> {
        if line.is_empty() {
            return self.dispatch(here, emit);
        }
        if let Some(value) = value_of(line, b"data") {
            self.frame.tell_bare(emit)?;
            self.frame.add_data(here, text(value));
        } else if let Some(value) = value_of(line, b"event") {
            match text(value.trim_ascii()) {
                Cow::Borrowed(event) => here.event = Some(event),
                Cow::Owned(event) => {
                    here.event = None;
                    self.frame.event = event;
                }
            }
        } else if !self.frame.bare.is_empty() || line.starts_with(b"{") || line.starts_with(b"[") {
            self.frame.add_bare(line, self.max_line_bytes);
        }
        // the rest is comments, ids, retry hints, and what nobody knows
        ControlFlow::Continue(())
    }

    /// A blank line ends the frame.
    fn dispatch(&mut self, here: &mut Here<'_>, emit: &mut Emit<'_>) -> ControlFlow<()> {
        let here = std::mem::take(here);
        self.frame.tell_bare(emit)?;
        let data = here.data.or_else(|| self.frame.has_data.then_some(self.frame.data.as_str()));
        let flow = match data {
            Some(data) if !self.frame.dropped => {
                emit(Item::Frame(Frame { event: here.event.unwrap_or(&self.frame.event), data, cut: false }))
            }
            _ => ControlFlow::Continue(()),
        };
        self.frame.clear();
        flow
    }
}

impl Open {
    fn add_data<'c>(&mut self, here: &mut Here<'c>, text: Cow<'c, str>) {
        match text {
            Cow::Borrowed(text) if here.data.is_none() && !self.has_data => here.data = Some(text),
            text => {
                self.keep(here);
                self.append(&text);
            }
        }
    }

    /// Copies what lies in the chunk, because the chunk goes or the frame goes on.
    fn keep(&mut self, here: &mut Here<'_>) {
        if let Some(event) = here.event.take() {
            event.clone_into(&mut self.event);
        }
        if let Some(data) = here.data.take() {
            self.append(data);
        }
    }

    fn append(&mut self, text: &str) {
        if self.has_data {
            self.data.push('\n');
        }
        self.has_data = true;
        self.data.push_str(text);
    }

    /// Keeps a line of no field; what is longer than any line may be is no failure.
    fn add_bare(&mut self, line: &[u8], max_bytes: usize) {
        if self.bare.len() + line.len() >= max_bytes {
            return self.bare.clear();
        }
        self.bare.push_str(&text(line));
        self.bare.push('\n');
    }

    fn tell_bare(&mut self, emit: &mut Emit<'_>) -> ControlFlow<()> {
        let bare = std::mem::take(&mut self.bare);
        if bare.is_empty() || self.dropped { ControlFlow::Continue(()) } else { emit(Item::Bare(&bare)) }
    }

    fn clear(&mut self) {
        self.event.clear();
        self.bare.clear();
        self.data.clear();
        self.has_data = false;
        self.dropped = false;
    }
}

/// The frame that the bytes begin with, where it lies there whole, as servers nearly always write it: one line for the name, one for the
/// data, one blank. What is written otherwise is nothing here, and the reader of lines says what it is.
fn usual_frame(bytes: &[u8], max_line_bytes: usize) -> Option<(Frame<'_>, &[u8])> {
    let (event, rest) = usual_line(bytes, b"event: ", max_line_bytes)?;
    let (data, rest) = usual_line(rest, b"data: ", max_line_bytes)?;
    let after = rest.strip_prefix(b"\n")?;
    (event.trim_ascii().len() == event.len()).then_some((Frame { event, data, cut: false }, after))
}

fn usual_line<'b>(bytes: &'b [u8], field: &[u8], max_line_bytes: usize) -> Option<(&'b str, &'b [u8])> {
    let value = bytes.strip_prefix(field)?;
    let (line, end) = value.split_at_checked(memchr2(b'\n', b'\r', value)?)?;
    let rest = end.strip_prefix(b"\n")?;
    let fits = field.len() + line.len() <= max_line_bytes;
    std::str::from_utf8(line).ok().filter(|_| fits).map(|line| (line, rest))
}

/// The value of a line of the field `name`, without the one space that may stand before it.
fn value_of<'l>(line: &'l [u8], name: &[u8]) -> Option<&'l [u8]> {
    match line.strip_prefix(name)? {
        [b':', b' ', value @ ..] | [b':', value @ ..] => Some(value),
        // a field without a colon has an empty value
        [] => Some(&[]),
        _ => None,
    }
}

/// The bytes as text; checking first is several times faster than replacing at once, and nearly always enough.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}

/// The line without a byte order mark, which only a stream's first line may have.
fn without_mark(line: &[u8], first: bool) -> &[u8] {
    if first { line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line) } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn split(chunks: &[&[u8]], max_line: usize, max_stream: usize) -> (Vec<String>, Splitter) {
        let mut splitter = Splitter::new(max_line, max_stream);
        let mut found = Vec::new();
        let mut emit = |item: Item<'_>| {
            let over = matches!(item, Item::StreamTooLong);
            found.push(match item {
                Item::Frame(frame) => format!("{}|{}{}", frame.event, frame.data, if frame.cut { "|cut" } else { "" }),
                other => format!("{other:?}"),
            });
            if over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let read = chunks.iter().try_for_each(|chunk| splitter.push(chunk, &mut emit));
        if read.is_continue() {
            let _ = splitter.finish(&mut emit);
        }
        (found, splitter)
    }

    fn whole(text: &str) -> Vec<String> {
        split(&[text.as_bytes()], 1 << 20, 1 << 26).0
    }

    #[test]
    fn a_usual_frame_is_what_its_lines_read_as() {
        let frames: [&[u8]; 14] = [
            b"event: a\ndata: {}\n\n",
            b"event:  a \ndata:  {}\n\n",
            b"event: \ndata: \n\n",
            b"event: a\r\ndata: {}\r\n\r\n",
            b"event: a\ndata: {}\n\r\n",
            b"event: a\ndata: {}\n\n\n",
            b"event: a\ndata: 1\ndata: 2\n\n",
            b"event: a\nid: 7\ndata: {}\n\n",
            b"event: a\ndata: x\ry\n\n",
            b"event: a\xff\ndata: \xc3\n\n",
            b"event: a\ndata: 0123456789\n\n",
            b"event: 0123456789\ndata: a\n\n",
            b"event: a\n\ndata: b\n\n",
            b"\xef\xbb\xbfevent: a\ndata: {}\n\n",
        ];
        for first in frames {
            for second in frames {
                let text = [first, second, b"data: last\n\n"].concat();
                let bytes: Vec<&[u8]> = text.chunks(1).collect();
                for max_line in [15, 16, 1 << 20] {
                    assert_eq!(split(&[&text], max_line, 1 << 20).0, split(&bytes, max_line, 1 << 20).0, "{:?}", text.escape_ascii());
                }
            }
        }
    }

    #[test]
    fn frames_follow_the_event_stream_format() {
        for (text, frames) in [
            ("data: a\n\ndata:b\n\n", vec!["|a", "|b"]),
            ("event: x\ndata:  two spaces\n\n", vec!["x| two spaces"]),
            ("data: a\ndata\ndata: c\n\n", vec!["|a\n\nc"]),
            ("data:a\r\rdata:b\r\n\r\ndata:c\n\r", vec!["|a", "|b", "|c"]),
            (": comment\nid: 7\nretry: 5\nnothing\n\n", vec![]),
            ("\u{FEFF}data: a\n\n\u{FEFF}data: b\n\n", vec!["|a"]),
            ("event: x\n\ndata: a\n\n", vec!["|a"]),
            ("event: x \nevent: y\ndata: a\n\n", vec!["y|a"]),
            ("data\n\n", vec!["|"]),
            ("data: a", vec!["|a|cut"]),
            ("{\n \"e\": 1\n}", vec!["Bare(\"{\\n \\\"e\\\": 1\\n}\\n\")"]),
            (" {\n}\n\n", vec![]),
            ("data: a\n\n[{}]\n\ndata: b\n\n", vec!["|a", "Bare(\"[{}]\\n\")", "|b"]),
            ("{}\ndata: b\n\n", vec!["Bare(\"{}\\n\")", "|b"]),
            ("data: a\nevent: z\n", vec!["z|a|cut"]),
        ] {
            assert_eq!(whole(text), frames, "{text:?}");
        }
    }

    #[test]
    fn bytes_that_are_not_utf8_are_replaced() {
        assert_eq!(split(&[b"data: a\xE2\x82", b"\ndata: \xFFb\n\n"], 99, 99).0, ["|a\u{FFFD}\n\u{FFFD}b"]);
    }

    #[test]
    fn l8_a_line_over_the_cap_takes_its_frame_with_it() {
        let text = b"data: 123456789\ndata: x\n\ndata: ok\n\ndata: 123456789";
        assert_eq!(split(&[text], 14, 999).0, ["LineTooLong", "|ok", "LineTooLong"]);
        assert_eq!(split(&[b"data: 12345678\r\n\r\n"], 14, 999).0, ["|12345678"]);
    }

    #[test]
    fn l8_a_stream_over_the_cap_ends_at_the_same_byte_for_every_cut() {
        let text = b"data: a\n\ndata: b\n\ndata: c\n\n";
        for at in 0..text.len() {
            assert_eq!(split(&[&text[..at], &text[at..]], 99, 18).0, ["|a", "|b", "StreamTooLong"], "{at}");
        }
    }

    #[test]
    fn l8_a_long_line_in_one_byte_chunks_is_looked_at_once() {
        let mut text = b"data: ".to_vec();
        text.resize((1 << 20) - 1, b'x');
        text.extend_from_slice(b"\n\n");
        let chunks: Vec<&[u8]> = text.chunks(1).collect();
        let (found, splitter) = split(&chunks, 1 << 20, 1 << 21);
        assert_eq!(found.len(), 1);
        assert_eq!(splitter.bytes_looked_at, text.len());
    }

    #[test]
    fn l8_an_endless_line_is_not_kept() {
        let chunk = vec![b'x'; 1 << 16];
        let chunks = vec![chunk.as_slice(); 64];
        let (found, splitter) = split(&chunks, 1 << 17, 1 << 30);
        assert_eq!(found, ["LineTooLong"]);
        assert_eq!(splitter.line.capacity(), 0);
    }

    const PARTS: &[&[u8]] = &[
        b"data: ",
        b"data",
        b"event:x",
        b"{",
        b"\n",
        b"\r",
        b"\n\n",
        b":",
        b"\xEF\xBB\xBF",
        b"\xF0\x9F",
        b"\x98\x80",
        b"\xFF",
        b"abcdefgh",
    ];

    proptest! {
        #[test]
        fn any_cut_of_any_bytes_gives_the_same_frames(
            parts in proptest::collection::vec(proptest::sample::select(PARTS), 0..40),
            cuts in proptest::collection::vec(0usize..200, 0..8),
            max_line in 1usize..30,
            max_stream in 1usize..200,
        ) {
            let bytes = parts.concat();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.sort_unstable();
            let mut chunks = Vec::new();
            let mut from = 0;
            for cut in cuts {
                chunks.push(&bytes[from..cut]);
                from = cut;
            }
            chunks.push(&bytes[from..]);
            let expected = split(&[&bytes], max_line, max_stream).0;
            prop_assert_eq!(split(&chunks, max_line, max_stream).0, expected.clone());
            let single: Vec<&[u8]> = bytes.chunks(1).collect();
            prop_assert_eq!(split(&single, max_line, max_stream).0, expected);
        }
    }
}
