//! What servers that speak Chat Completions want back with the next request, and nobody else may see.
//!
//! Enters: members of a message, as they are written or as a history keeps them. Leaves: `provider_state` whose value
//! holds those members as they stood in the message, or the members themselves. Which they are is told by their names
//! alone: a server that sends one takes it back. Nothing else of a value is ever written into a message.

use std::sync::Arc;

use crate::json_object;
use crate::protocol::event::{ProviderFormat, StreamEvent};
use crate::protocol::json::read::items;
use crate::protocol::json::{Json, Object};
use crate::protocol::places::KeptPlaces;
use crate::providers::output::Output;

/// The thoughts as one text. Thinking models with this member refuse a message with calls that lacks it, in every
/// later request. `reasoning` and `thinking` are other servers' names for it: those are shown only, since nobody is known
/// to ask for them back, and what asks for more than text has `REASONING_DETAILS` beside them.
pub(super) const REASONING_CONTENT: &str = "reasoning_content";
/// The thoughts as a list of signed, sealed or plain items.
pub(super) const REASONING_DETAILS: &str = "reasoning_details";
/// What stands on a call: a signature of the thought that led to it, without which some refuse the call.
pub(super) const OF_CALL: [&str; 2] = ["extra_content", "provider_specific_fields"];

/// The members of an item whose pieces are strung together; of every other the newest piece counts.
const STRUNG: [&str; 2] = ["text", "summary"];
/// The members that close an item: what comes after a signature was not signed by it.
const CLOSING: [&str; 2] = ["signature", "data"];

/// What a message has said so far that is to be returned. It is told in parts, each before what followed it, so that a
/// message that is stopped later has kept what belongs to its calls; the parts are strung together on the way back.
#[derive(Debug, Default)]
pub(super) struct Thoughts {
    text: String,
    /// Whether the text was there as a member, be it "": a message with calls needs it even so.
    has_text: bool,
    text_is_told: bool,
    details: Vec<Detail>,
    /// The newest item of each type and index.
    by_kind: KeptPlaces,
    has_details: bool,
    /// A part of the list never arrived: what is left of it would be refused.
    is_torn: bool,
}

/// An item of the list, as far as it came.
#[derive(Debug, Default)]
struct Detail {
    members: Object,
    strung: [String; 2],
    is_closed: bool,
}

impl Thoughts {
    pub(super) fn add_text(&mut self, text: &str) {
        self.has_text = true;
        self.text.push_str(text);
    }

    /// Pieces of the list, as they are written. Those of one item have its type and index.
    pub(super) fn add_details(&mut self, list: &str) {
        for piece in self.read(list) {
            let kind = ["type", "index"].map(|key| piece.get(key).map(Json::to_text).unwrap_or_default()).join(" ");
            let open = self.by_kind.get(kind.as_str()).and_then(|place| self.details.get_mut(*place)).filter(|open| open.takes(&piece));
            match open {
                Some(open) => open.add(&piece),
                None => {
                    self.by_kind.insert(Arc::from(kind), self.details.len());
                    self.push(&piece);
                }
            }
        }
    }

    /// The whole list, told again or only now: it counts where no piece of it came.
    pub(super) fn add_whole_details(&mut self, list: &str) {
        if self.has_details {
            return;
        }
        for item in self.read(list) {
            self.push(&item);
        }
    }

    /// Something was lost.
    pub(super) fn tear(&mut self) {
        self.is_torn = true;
    }

    /// Tells the text that ended, since something else follows.
    pub(super) fn tell_text(&mut self, out: &mut Output<'_>) {
        if !self.text.is_empty() {
            self.text_is_told = true;
            tell(json_object! { REASONING_CONTENT => std::mem::take(&mut self.text) }, None, out);
        }
    }

    /// Tells all there is: a call follows, or the message has ended.
    pub(super) fn tell(&mut self, is_for_call: bool, out: &mut Output<'_>) {
        self.tell_text(out);
        if is_for_call && self.has_text && !self.text_is_told {
            self.text_is_told = true;
            tell(json_object! { REASONING_CONTENT => "" }, None, out);
        }
        self.by_kind = KeptPlaces::new();
        let mut list = Vec::new();
        for detail in std::mem::take(&mut self.details) {
            list.push(detail.whole());
        }
        if !list.is_empty() && !self.is_torn {
            tell(json_object! { REASONING_DETAILS => list }, None, out);
        }
    }

    fn read(&mut self, list: &str) -> Vec<Object> {
        let mut read = Vec::new();
        for piece in items(list).unwrap_or_default() {
            match Json::parse(piece) {
                Ok(Json::Object(piece)) => read.push(Object::clone(&piece)),
                _ => self.is_torn = true,
            }
        }
        self.has_details |= !read.is_empty();
        read
    }

    fn push(&mut self, piece: &Object) {
        let mut detail = Detail::default();
        detail.add(piece);
        self.details.push(detail);
    }
}

impl Detail {
    /// Whether the piece may be more of this item: it names no other id, and the item is not complete.
    fn takes(&self, piece: &Object) -> bool {
        let is_other = match (self.members.get("id"), piece.get("id")) {
            (Some(ours), Some(other)) => says(ours) && says(other) && ours != other,
            _ => false,
        };
        !self.is_closed && !is_other
    }

    fn add(&mut self, piece: &Object) {
        for (key, value) in piece.iter() {
            let strung = STRUNG.iter().position(|name| *name == &**key).and_then(|place| self.strung.get_mut(place));
            if let (Some(strung), Some(text)) = (strung, value.as_str()) {
                strung.push_str(text);
                // its place among the members; the text itself is put there once
                self.members.insert(Arc::clone(key), "");
            } else if says(value) || !self.members.contains_key(key) {
                self.members.insert(Arc::clone(key), value.clone());
            }
            self.is_closed |= CLOSING.contains(&&**key) && says(value);
        }
    }

    fn whole(mut self) -> Json {
        for (name, text) in STRUNG.into_iter().zip(self.strung) {
            if !text.is_empty() {
                self.members.insert(name, text);
            }
        }
        Json::from(self.members)
    }
}

/// Tells what is to be returned, on its message or on the call `call_id`.
pub(super) fn tell(value: Json, call_id: Option<&str>, out: &mut Output<'_>) {
    let call_id = call_id.map(str::to_owned);
    out.event(StreamEvent::ProviderState { provider: ProviderFormat::OpenaiChat, value, call_id });
}

/// null and "" are what servers write that have nothing to say.
fn says(value: &Json) -> bool {
    !matches!(value, Json::Null) && value.as_str() != Some("")
}

/// What goes back with an assistant message.
#[derive(Default)]
pub(super) struct Returned {
    text: Option<String>,
    details: Vec<Json>,
}

impl Returned {
    /// Takes the members that belong to a message out of the value of a state; there may be several, of one message or
    /// of neighbours that became one.
    pub(super) fn add(&mut self, value: &Json) {
        if let Some(text) = value.get(REASONING_CONTENT).and_then(Json::as_str) {
            self.text.get_or_insert_default().push_str(text);
        }
        self.details.extend_from_slice(value.get(REASONING_DETAILS).and_then(Json::as_array).unwrap_or_default());
    }

    pub(super) fn write(self, message: &mut Json) {
        let Some(message) = message.as_object_mut() else { return };
        if let Some(text) = self.text {
            message.insert(REASONING_CONTENT, text);
        }
        if !self.details.is_empty() {
            message.insert(REASONING_DETAILS, self.details);
        }
    }
}

/// Writes the members that belong to a call.
pub(super) fn write_on_call(value: &Json, call: &mut Json) {
    let Some(call) = call.as_object_mut() else { return };
    for key in OF_CALL {
        if let Some(member) = value.get(key).filter(|member| says(member)) {
            call.insert(key, member.clone());
        }
    }
}
