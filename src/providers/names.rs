//! Ids and names as an API takes them. What conforms stays as it is; what does not is written anew in
//! `A-Z a-z 0-9 _ -`, the same way for every build, however the history grows; distinct ids stay distinct.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::protocol::event::ProviderFormat;
use crate::protocol::message::{ContentBlock, Message};
use crate::protocol::places::KeptPlaces;
use crate::tools::declaration::AdvertisedTool;

use super::request::{MAX_NAME, is_tool_name, is_word};

/// How much of a tool's name that an API does not take is kept legible.
const LEGIBLE_NAME: usize = 40;
/// How long the ids are that the strictest servers take.
const NINE: usize = 9;

/// The ids in use; what a map says of them does not matter.
type Taken = BTreeMap<Arc<str>, usize>;

/// What each call id of a history is called on the wire.
pub(super) struct WireIds<'m> {
    places: BTreeMap<&'m str, usize>,
    written: Vec<Arc<str>>,
}

impl<'m> WireIds<'m> {
    /// `conforms` says which ids the API takes; of those that it does not take, `legible` bytes are kept.
    pub(super) fn of(messages: &'m [Message], conforms: fn(&str) -> bool, legible: usize) -> WireIds<'m> {
        WireIds::written(messages, conforms, &|id, taken| free(id, &self::legible(id, legible), taken))
    }

    /// Ids of nine letters and digits.
    pub(super) fn short(messages: &'m [Message]) -> WireIds<'m> {
        let is_short = |id: &str| id.len() == NINE && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        WireIds::written(messages, is_short, &short)
    }

    fn written(messages: &'m [Message], conforms: fn(&str) -> bool, free: &dyn Fn(&str, &Taken) -> String) -> WireIds<'m> {
        let mut taken = Taken::new();
        let mut wire = WireIds { places: BTreeMap::new(), written: Vec::new() };
        for block in messages.iter().flat_map(|message| &message.content) {
            let ContentBlock::ToolCall { id, .. } = block else { continue };
            // first come, first served: what an id is called never depends on those that come later
            if conforms(id) && !taken.contains_key(id.as_str()) {
                taken.insert(Arc::from(id.as_str()), 0);
                continue;
            }
            let written: Arc<str> = Arc::from(free(id, &taken));
            taken.insert(Arc::clone(&written), 0);
            wire.places.insert(id, wire.written.len());
            wire.written.push(written);
        }
        wire
    }

    pub(super) fn wire<'i>(&'i self, id: &'i str) -> &'i str {
        self.places.get(id).and_then(|place| self.written.get(*place)).map_or(id, |written| &**written)
    }
}

/// What the tools are called on the wire whose own names the API does not take, and back. Empty for the formats that take
/// every name a tool can have.
#[derive(Debug, Default)]
pub(crate) struct WireNames {
    /// The places of both in the lists.
    by_wire: KeptPlaces,
    by_declared: KeptPlaces,
    wire: Vec<Arc<str>>,
    declared: Vec<Arc<str>>,
}

impl WireNames {
    pub(crate) fn of(format: ProviderFormat, tools: &[AdvertisedTool]) -> WireNames {
        let mut names = WireNames::default();
        if format != ProviderFormat::Gemini {
            return names;
        }
        let mut taken = Taken::new();
        let mut foreign = Vec::new();
        for tool in tools {
            if begins_as_a_word(&tool.name) {
                taken.insert(Arc::from(tool.name.as_str()), 0);
            } else {
                foreign.push(tool.name.as_str());
            }
        }
        for name in foreign {
            let wire: Arc<str> = Arc::from(stand_in(name, &taken));
            taken.insert(Arc::clone(&wire), 0);
            names.by_wire.insert(Arc::clone(&wire), names.wire.len());
            names.by_declared.insert(Arc::from(name), names.wire.len());
            names.wire.push(wire);
            names.declared.push(Arc::from(name));
        }
        names
    }

    /// What a declared tool is called on the wire, where it is not its own name.
    pub(super) fn wire(&self, declared: &str) -> Option<&str> {
        self.wire.get(*self.by_declared.get(declared)?).map(|name| &**name)
    }

    /// The name of a call in a history, as Gemini takes it: the same whether or not its tool is still declared.
    pub(super) fn called(&self, name: &str) -> String {
        if let Some(wire) = self.wire(name) {
            return wire.to_owned();
        }
        let wire = wire_name(name);
        if begins_as_a_word(&wire) { wire.into_owned() } else { stand_in(name, &Taken::new()) }
    }

    /// The declared name that stands behind a name on the wire, where it is another.
    pub(crate) fn declared(&self, wire: &str) -> Option<&str> {
        self.declared.get(*self.by_wire.get(wire)?).map(|name| &**name)
    }
}

/// Whether a name begins as Gemini wants it; the rest of a tool's name it takes.
fn begins_as_a_word(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
}

/// What is called instead of a name that does not.
fn stand_in(name: &str, taken: &Taken) -> String {
    free(name, &["_", &legible(name, LEGIBLE_NAME)].concat(), taken)
}

/// A tool's name as the API takes it in a history; a model may have called one that never was.
pub(super) fn wire_name(name: &str) -> Cow<'_, str> {
    if is_tool_name(name) {
        return Cow::Borrowed(name);
    }
    if name.is_empty() { Cow::Borrowed("unnamed") } else { Cow::Owned(legible(name, MAX_NAME)) }
}

/// A legible part and a digest, so that the id is the same however the rest of the history grows, and no longer whatever
/// is taken.
fn free(text: &str, legible: &str, taken: &Taken) -> String {
    let mut text = text.to_owned();
    loop {
        let mut wire = legible.to_owned();
        wire.push('-');
        for byte in Sha256::digest(text.as_bytes()).iter().take(6) {
            wire.push_str(&format!("{byte:02x}"));
        }
        if !taken.contains_key(wire.as_str()) {
            return wire;
        }
        // only an id made to collide comes here
        text.push('+');
    }
}

/// Letters and digits of a digest; there is no room for anything legible.
fn short(id: &str, taken: &Taken) -> String {
    let mut text = id.to_owned();
    loop {
        let mut wire = String::with_capacity(NINE);
        for byte in Sha256::digest(text.as_bytes()).iter().take(NINE) {
            wire.extend(char::from_digit(u32::from(*byte) % 36, 36));
        }
        if !taken.contains_key(wire.as_str()) {
            return wire;
        }
        // only an id made to collide comes here
        text.push('+');
    }
}

fn legible(text: &str, max: usize) -> String {
    let mut legible = String::new();
    for c in text.chars().take(max) {
        legible.push(if c.is_ascii() && u8::try_from(c).is_ok_and(is_word) { c } else { '_' });
    }
    legible
}
