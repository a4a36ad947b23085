//! The payloads of Anthropic's stream, as far as they are read: borrowed from the frame, lenient about what is
//! absent or null, indifferent to what is unknown. Nothing is what a payload reads as that is not of this shape.

use std::borrow::Cow;

use crate::protocol::fields::whole;
use crate::protocol::json::read::{members, members_of, number, string, whole_string};
use crate::providers::written::{Text, Written};

/// Reads the texts of one payload. Whether all of them were texts is asked once, at the end: a way out after each
/// would be most of the code.
struct Texts {
    are_read: bool,
}

impl Texts {
    #[inline(never)]
    fn text<'a>(&mut self, written: Written<'a>) -> Text<'a> {
        let Some(written) = written else { return Cow::Borrowed("") };
        let text = string(written);
        self.are_read &= text.is_some();
        text.unwrap_or_default()
    }
}

/// The number of a block; 0 where a server leaves it out, nothing where it is none: two such would be one.
fn index(written: Written<'_>) -> Option<u64> {
    written.map_or(Some(0), |written| number(written).and_then(whole))
}

/// What an object may be that is not there.
const ABSENT: &str = "{}";

/// Any payload: what it says it is.
pub(super) struct Named<'a> {
    pub(super) kind: Text<'a>,
    pub(super) is_error: bool,
}

impl<'a> Named<'a> {
    pub(super) fn read(data: &'a str) -> Option<Named<'a>> {
        let [kind, error] = members(data, ["type", "error"])?;
        let mut texts = Texts { are_read: true };
        let read = Named { kind: texts.text(kind), is_error: error.is_some() };
        texts.are_read.then_some(read)
    }
}

/// Part of a block. The one payload that comes by the thousand: only the member its kind names is read.
pub(super) struct Delta<'a> {
    pub(super) index: u64,
    pub(super) kind: Text<'a>,
    pub(super) text: Text<'a>,
    pub(super) partial_json: Text<'a>,
    pub(super) thinking: Text<'a>,
    pub(super) signature: Text<'a>,
}

impl<'a> Delta<'a> {
    /// The delta, where there is one.
    pub(super) fn read(data: &'a str) -> Option<Option<Delta<'a>>> {
        let ([place], delta) = members_of(data, ["index"], "delta", ["type", "text", "partial_json", "thinking", "signature"])?;
        let index = index(place)?;
        let Some([kind, plain, partial_json, thinking, signature]) = delta else { return Some(None) };
        let mut texts = Texts { are_read: true };
        let read = Delta {
            index,
            kind: texts.text(kind),
            text: texts.text(plain),
            partial_json: texts.text(partial_json),
            thinking: texts.text(thinking),
            signature: texts.text(signature),
        };
        texts.are_read.then_some(Some(read))
    }
}

/// The part of a text or of an argument text, where `data` is written exactly as the provider's own servers write it: what nearly
/// every frame of a long answer is. Anything else reads as nothing here, and `Delta::read` says what it is.
pub(super) fn usual_delta(data: &str) -> Option<Delta<'_>> {
    let rest = after(data, r#"{"type":"content_block_delta","index":"#)?;
    // as many digits as a message has blocks: a number that could be written in two ways is not usual
    let (index, rest) = match rest.as_bytes() {
        [digit @ b'0'..=b'9', b',', ..] => (u64::from(digit - b'0'), rest.get(2..)?),
        [tens @ b'1'..=b'9', digit @ b'0'..=b'9', b',', ..] => (u64::from(tens - b'0') * 10 + u64::from(digit - b'0'), rest.get(3..)?),
        _ => return None,
    };
    let text = after(rest, r#""delta":{"type":"text_delta","text":"#);
    let written = text.or_else(|| after(rest, r#""delta":{"type":"input_json_delta","partial_json":"#))?;
    let said = whole_string(written.strip_suffix("}}")?)?;
    let nothing = || Cow::Borrowed("");
    let (kind, text, partial_json) = match text {
        Some(_) => ("text_delta", said, nothing()),
        None => ("input_json_delta", nothing(), said),
    };
    Some(Delta { index, kind: Cow::Borrowed(kind), text, partial_json, thinking: nothing(), signature: nothing() })
}

/// What follows `prefix`, compared eight bytes at once: the engine's own comparison takes them one by one.
fn after<'t>(text: &'t str, prefix: &str) -> Option<&'t str> {
    let (head, rest) = text.split_at_checked(prefix.len())?;
    let ((words, last), (wanted_words, wanted_last)) = (head.as_bytes().as_chunks::<8>(), prefix.as_bytes().as_chunks::<8>());
    let is_same = words.iter().zip(wanted_words).all(|(word, wanted)| u64::from_le_bytes(*word) == u64::from_le_bytes(*wanted));
    (is_same && last == wanted_last).then_some(rest)
}

/// The beginning of a block.
pub(super) struct BlockStart<'a> {
    pub(super) index: u64,
    pub(super) kind: Text<'a>,
    pub(super) id: Text<'a>,
    pub(super) name: Text<'a>,
    pub(super) text: Text<'a>,
    pub(super) thinking: Text<'a>,
    pub(super) signature: Text<'a>,
    pub(super) data: Text<'a>,
    input: Written<'a>,
}

impl<'a> BlockStart<'a> {
    /// The block, where there is one.
    pub(super) fn read(data: &'a str) -> Option<Option<BlockStart<'a>>> {
        let [place, block] = members(data, ["index", "content_block"])?;
        let index = index(place)?;
        let Some(block) = block else { return Some(None) };
        let [kind, id, name, plain, thinking, signature, data, input] =
            members(block, ["type", "id", "name", "text", "thinking", "signature", "data", "input"])?;
        let mut texts = Texts { are_read: true };
        let read = BlockStart {
            index,
            kind: texts.text(kind),
            id: texts.text(id),
            name: texts.text(name),
            text: texts.text(plain),
            thinking: texts.text(thinking),
            signature: texts.text(signature),
            data: texts.text(data),
            input,
        };
        texts.are_read.then_some(Some(read))
    }

    /// The arguments that came with the block, as written; an empty object or string is the usual placeholder.
    pub(super) fn given_input(&self) -> Option<&'a str> {
        let written = self.input?;
        let inside = written.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        let is_placeholder = written == "\"\"" || inside.is_some_and(|inside| inside.trim().is_empty());
        (!is_placeholder).then_some(written)
    }
}

/// The number of the block that ends.
pub(super) fn block_stop(data: &str) -> Option<u64> {
    let [place] = members(data, ["index"])?;
    index(place)
}

/// The beginning of a message.
pub(super) struct MessageStart<'a> {
    pub(super) model: Text<'a>,
    pub(super) usage: Option<Counts>,
}

impl<'a> MessageStart<'a> {
    pub(super) fn read(data: &'a str) -> Option<MessageStart<'a>> {
        let [message] = members(data, ["message"])?;
        let [model, usage] = members(message.unwrap_or(ABSENT), ["model", "usage"])?;
        let mut texts = Texts { are_read: true };
        let read = MessageStart { model: texts.text(model), usage: Counts::read(usage)? };
        texts.are_read.then_some(read)
    }
}

/// What a message says at its end.
pub(super) struct MessageDelta<'a> {
    pub(super) stop_reason: Option<Text<'a>>,
    pub(super) usage: Option<Counts>,
}

impl<'a> MessageDelta<'a> {
    pub(super) fn read(data: &'a str) -> Option<MessageDelta<'a>> {
        let [delta, usage] = members(data, ["delta", "usage"])?;
        let [stop_reason] = members(delta.unwrap_or(ABSENT), ["stop_reason"])?;
        let stop_reason = match stop_reason {
            None => None,
            Some(written) => Some(string(written)?),
        };
        Some(MessageDelta { stop_reason, usage: Counts::read(usage)? })
    }
}

/// What went wrong, in the provider's words.
pub(super) struct ErrorBody<'a> {
    pub(super) kind: Text<'a>,
    pub(super) message: Text<'a>,
}

impl<'a> ErrorBody<'a> {
    pub(super) fn read(data: &'a str) -> Option<ErrorBody<'a>> {
        let [error] = members(data, ["error"])?;
        let [kind, message] = members(error?, ["type", "message"])?;
        let mut texts = Texts { are_read: true };
        let read = ErrorBody { kind: texts.text(kind), message: texts.text(message) };
        texts.are_read.then_some(read)
    }
}

/// Token counts; each frame's are cumulative, and what a frame leaves out stays as it was.
#[derive(Debug, Default)]
pub(super) struct Counts {
    input_tokens: Option<f64>,
    output_tokens: Option<f64>,
    cache_read_input_tokens: Option<f64>,
    cache_creation_input_tokens: Option<f64>,
}

impl Counts {
    /// The counts, where there are any.
    fn read(written: Written<'_>) -> Option<Option<Counts>> {
        let Some(written) = written else { return Some(None) };
        let found = members(written, ["input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"])?;
        let mut told = [None; 4];
        for (told, written) in told.iter_mut().zip(found) {
            if let Some(written) = written {
                *told = Some(number(written)?);
            }
        }
        let [input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens] = told;
        Some(Some(Counts { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens }))
    }

    /// Takes over what `newer` tells. A zero is taken for "not told": gateways send it in the frame that does not count.
    pub(super) fn update(&mut self, newer: &Counts) {
        for (known, told) in [
            (&mut self.input_tokens, newer.input_tokens),
            (&mut self.output_tokens, newer.output_tokens),
            (&mut self.cache_read_input_tokens, newer.cache_read_input_tokens),
            (&mut self.cache_creation_input_tokens, newer.cache_creation_input_tokens),
        ] {
            if told.is_some_and(|count| known.is_none() || count > 0.0) {
                *known = told;
            }
        }
    }

    /// Whether anything was told.
    pub(super) fn is_told(&self) -> bool {
        self.input_tokens.is_some() || self.output_tokens.is_some()
    }

    /// All tokens read, those from and to the cache with them.
    pub(super) fn input(&self) -> u64 {
        tokens(self.input_tokens)
            .saturating_add(tokens(self.cache_read_input_tokens))
            .saturating_add(tokens(self.cache_creation_input_tokens))
    }

    pub(super) fn output(&self) -> u64 {
        tokens(self.output_tokens)
    }

    pub(super) fn cached(&self) -> Option<u64> {
        self.cache_read_input_tokens.map(|count| tokens(Some(count)))
    }
}

fn tokens(count: Option<f64>) -> u64 {
    count.and_then(whole).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(delta: &Delta<'_>) -> (u64, String, String, String) {
        (delta.index, delta.kind.to_string(), delta.text.to_string(), delta.partial_json.to_string())
    }

    #[test]
    fn a_usual_delta_is_what_any_delta_reads_as() {
        let bodies = ["", "Hel", "größer 😀", r"\n", r#"\"a\": 1}}"#, r"\ud83d\ude00", r"\u0041 b", r"a\\", r#"{\"id\":\"x\"}"#];
        for index in ["0", "7", "42"] {
            for (kind, key) in [("text_delta", "text"), ("input_json_delta", "partial_json")] {
                for body in bodies {
                    let data = format!(r#"{{"type":"content_block_delta","index":{index},"delta":{{"type":"{kind}","{key}":"{body}"}}}}"#);
                    let usual = usual_delta(&data).unwrap_or_else(|| panic!("{data}"));
                    let any = Delta::read(&data).flatten().unwrap();
                    assert_eq!(told(&usual), told(&any), "{data}");
                }
            }
        }
    }

    #[test]
    fn what_is_not_usual_is_left_to_the_reader_of_any_delta() {
        let usual = r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}"#;
        assert!(usual_delta(usual).is_some());
        for data in [
            r#"{"type":"content_block_delta","index":00,"delta":{"type":"text_delta","text":"a"}}"#,
            r#"{"type":"content_block_delta","index":-1,"delta":{"type":"text_delta","text":"a"}}"#,
            r#"{"type":"content_block_delta","index":1e1,"delta":{"type":"text_delta","text":"a"}}"#,
            r#"{"type":"content_block_delta","index":,"delta":{"type":"text_delta","text":"a"}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a","text":"b"}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}},"x":{"y":"}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"b"}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a\"}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\ud83d"}}"#,
            "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"a\u{1}\"}}",
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"} }"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":7}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"a"}}"#,
            "",
        ] {
            assert!(usual_delta(data).is_none(), "{data}");
        }
    }
}
