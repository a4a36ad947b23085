//! The payloads of Anthropic's stream, as far as they are read: flat, borrowed from the frame, lenient about what
//! is absent or null, indifferent to what is unknown.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::protocol::fields::whole;

/// A string of the payload; owned only where it held an escape.
#[derive(Debug, Deserialize)]
pub(super) struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl Text<'_> {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The string, "" where there is none.
pub(super) fn text<'t>(text: &'t Option<Text<'_>>) -> &'t str {
    text.as_ref().map_or("", Text::as_str)
}

/// The number of a block; 0 where a server leaves it out.
pub(super) fn index(index: Option<f64>) -> u64 {
    index.and_then(whole).unwrap_or(0)
}

/// Any payload: what it says it is.
#[derive(Deserialize)]
pub(super) struct Named<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
pub(super) struct DeltaFrame<'a> {
    pub(super) index: Option<f64>,
    #[serde(borrow)]
    pub(super) delta: Option<Delta<'a>>,
}

#[derive(Deserialize)]
pub(super) struct Delta<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) text: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) partial_json: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) thinking: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) signature: Option<Text<'a>>,
}

#[derive(Deserialize)]
pub(super) struct StartFrame<'a> {
    pub(super) index: Option<f64>,
    #[serde(borrow)]
    pub(super) content_block: Option<BlockStart<'a>>,
}

#[derive(Deserialize)]
pub(super) struct BlockStart<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) id: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) name: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) text: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) thinking: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) signature: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) data: Option<Text<'a>>,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
}

impl<'a> BlockStart<'a> {
    /// The arguments that came with the block, as written; an empty object or string is the usual placeholder.
    pub(super) fn given_input(&self) -> Option<&'a str> {
        let written = self.input?.get();
        let inside = written.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        let is_placeholder = written == "\"\"" || inside.is_some_and(|inside| inside.trim().is_empty());
        (!is_placeholder).then_some(written)
    }
}

#[derive(Deserialize)]
pub(super) struct StopFrame {
    pub(super) index: Option<f64>,
}

#[derive(Deserialize)]
pub(super) struct MessageStart<'a> {
    #[serde(borrow)]
    pub(super) message: Option<Message<'a>>,
}

#[derive(Default, Deserialize)]
pub(super) struct Message<'a> {
    #[serde(borrow)]
    pub(super) model: Option<Text<'a>>,
    pub(super) usage: Option<Counts>,
}

#[derive(Deserialize)]
pub(super) struct MessageDelta<'a> {
    #[serde(borrow)]
    pub(super) delta: Option<EndDelta<'a>>,
    pub(super) usage: Option<Counts>,
}

#[derive(Deserialize)]
pub(super) struct EndDelta<'a> {
    #[serde(borrow)]
    pub(super) stop_reason: Option<Text<'a>>,
}

#[derive(Deserialize)]
pub(super) struct ErrorFrame<'a> {
    #[serde(borrow)]
    pub(super) error: Option<ErrorBody<'a>>,
}

#[derive(Deserialize)]
pub(super) struct ErrorBody<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) message: Option<Text<'a>>,
}

/// Token counts; each frame's are cumulative, and what a frame leaves out stays as it was.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Counts {
    input_tokens: Option<f64>,
    output_tokens: Option<f64>,
    cache_read_input_tokens: Option<f64>,
    cache_creation_input_tokens: Option<f64>,
}

impl Counts {
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
