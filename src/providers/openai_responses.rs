//! Reads the stream of OpenAI's Responses API, as OpenAI and the servers that speak it write it.
//!
//! Enters: frames. Leaves: events. What is said comes in pieces, whole at the end of its part, of its item and of the
//! response; servers leave out any of these, so each is read and none told twice. Which item a piece belongs to is told
//! by the item's id and its place in the output, which servers leave out, repeat or change; where that leaves a doubt
//! the call is answered, not run. Calls and thoughts leave in the order in which the model made them.

pub(super) mod build;
mod item;
mod wire;

use std::sync::Arc;

use crate::protocol::error::{ProtocolError, ProtocolErrorCode};
use crate::protocol::event::{ProviderFormat, StopReason, StreamEvent};
use crate::protocol::json::Json;
use crate::protocol::places::KeptPlaces;

use super::StreamLimits;
use super::arguments::{Arguments, completed};
use super::failure::failure_in_stream;
use super::output::{Output, bounded};
use super::sse::Frame;
use super::written::Failure;
use item::{Call, Item};
use wire::{CONTENT, Kind, Payload, Response, SUMMARY};

/// What stands between two texts of the model's reasoning, each of which is a paragraph or more.
const PARAGRAPH: &str = "\n\n";

/// What one stream has said so far.
#[derive(Debug)]
pub(super) struct ResponsesDecoder {
    limits: StreamLimits,
    started: bool,
    /// The response's id, and whether two events had the same: a server may give each its own, which says nothing.
    id: String,
    id_holds: bool,
    items: Vec<Item>,
    /// How many of them, from the first, have left or have nothing to wait for.
    released: usize,
    /// The newest item under each id, place in the output as it is written, and call id.
    by_id: KeptPlaces,
    by_index: KeptPlaces,
    by_call: KeptPlaces,
    /// The newest item of each kind.
    newest: [Option<usize>; 3],
    /// The places of all calls.
    calls: Vec<usize>,
    /// Whether an item's id was ever met again.
    item_ids_hold: bool,
    /// Whether a call was opened while the one before it was not complete.
    is_tangled: bool,
    /// Whether the server says of calls that they are complete.
    ends_calls: bool,
    /// The part that was told last, and all parts of which something was told.
    part: Part,
    told: KeptPlaces,
    has_said: bool,
    has_reasoned: bool,
    has_refused: bool,
    /// How often something was lost.
    gaps: u32,
    stop: Option<StopReason>,
}

/// One text of an item, as payloads name it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Part {
    channel: Channel,
    item_id: String,
    index: String,
    list: &'static str,
    place: String,
}

/// Where a text goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Channel {
    #[default]
    Nowhere,
    Text,
    Refusal,
    Reasoning,
}

/// Where arguments belong; `is_sure` says whether that stands if something was lost.
enum Owner {
    Call {
        place: usize,
        is_sure: bool,
    },
    /// One of several calls, nobody knows which.
    Doubtful,
    /// A call that is not open.
    Nobody,
}

impl ResponsesDecoder {
    pub(super) fn new(limits: StreamLimits) -> ResponsesDecoder {
        ResponsesDecoder {
            limits,
            started: false,
            id: String::new(),
            id_holds: false,
            items: Vec::new(),
            released: 0,
            by_id: KeptPlaces::new(),
            by_index: KeptPlaces::new(),
            by_call: KeptPlaces::new(),
            newest: [None; 3],
            calls: Vec::new(),
            item_ids_hold: false,
            is_tangled: false,
            ends_calls: false,
            part: Part::default(),
            told: KeptPlaces::new(),
            has_said: false,
            has_reasoned: false,
            has_refused: false,
            gaps: 0,
            stop: None,
        }
    }

    pub(super) fn frame(&mut self, frame: Frame<'_>, out: &mut Output<'_>) {
        let data = frame.data.trim_ascii();
        // some servers end as Chat Completions does; what ends a response is its last event
        if matches!(data, "" | "[DONE]") {
            return;
        }
        let payload = Payload::read(data, frame.event);
        if payload.as_ref().map_or(frame.event == "error", |payload| payload.is_failure(frame.event)) {
            return fail(&Failure::of_payload(data), out);
        }
        if payload.and_then(|payload| self.payload(&payload, out)).is_some() {
            return;
        }
        self.gap();
        if !frame.cut {
            out.notice("the provider sent a frame that could not be read; it was skipped", data);
        }
    }

    /// Something that could not be read was skipped: a call that is open is not whole.
    pub(super) fn gap(&mut self) {
        self.gaps = self.gaps.saturating_add(1);
    }

    /// Reads one payload; nothing where it is not what it says it is.
    fn payload(&mut self, payload: &Payload<'_>, out: &mut Output<'_>) -> Option<()> {
        let Some(event) = payload.kind.strip_prefix("response.") else { return Some(()) };
        match event {
            "created" | "queued" | "in_progress" => {
                let response = payload.response()?;
                if !self.is_second(&response, event == "created", out) && (!response.model.is_empty() || event == "created") {
                    self.begin(&response.model, out);
                }
            }
            "output_item.added" => self.item(payload.item()?, payload.output_index(), false, out),
            "output_item.done" => self.item(payload.item()?, payload.output_index(), true, out),
            "completed" | "incomplete" | "failed" => {
                let response = payload.response()?;
                if !self.is_second(&response, false, out) {
                    self.ended(event, &response, out);
                }
            }
            _ => {
                let (name, is_whole) = match (event.strip_suffix(".delta"), event.strip_suffix(".done")) {
                    (Some(name), _) => (name, false),
                    (_, Some(name)) => (name, true),
                    _ => return Some(()),
                };
                let (channel, list) = match name {
                    "function_call_arguments" => (Channel::Nowhere, ""),
                    "output_text" => (Channel::Text, CONTENT),
                    "refusal" => (Channel::Refusal, CONTENT),
                    "reasoning_text" => (Channel::Reasoning, CONTENT),
                    "reasoning_summary_text" => (Channel::Reasoning, SUMMARY),
                    // parts are told again with their item; other tools are the provider's own
                    _ => return Some(()),
                };
                let said = payload.said(is_whole)?;
                let (item_id, index) = (payload.item_id()?, payload.output_index());
                if channel == Channel::Nowhere {
                    self.arguments(&item_id, index, &payload.name()?, &said, is_whole, out);
                    return Some(());
                }
                let place = payload.place_in(list);
                let is_more = !is_whole && self.part.is(channel, &item_id, index, list, place);
                if !is_more && !said.is_empty() {
                    let kind = if channel == Channel::Reasoning { Kind::Thought } else { Kind::Message };
                    let item = self.speaker(kind, &item_id, index, out);
                    if !self.takes_up(item, list, place, is_whole, channel, out) {
                        return Some(());
                    }
                    self.part = Part { channel, item_id: item_id.into_owned(), index: index.to_owned(), list, place: place.to_owned() };
                }
                self.say(channel, &said, out);
            }
        }
        Some(())
    }

    fn begin(&mut self, model: &str, out: &mut Output<'_>) {
        if !std::mem::replace(&mut self.started, true) {
            out.event(StreamEvent::MessageStart { model: bounded(model) });
        }
    }

    /// Whether this is another response than the one that has said something: then it fails the stream.
    fn is_second(&mut self, response: &Response<'_>, begins: bool, out: &mut Output<'_>) -> bool {
        let has_content = self.has_said || self.has_reasoned || !self.items.is_empty();
        let is_named = !response.id.is_empty();
        let is_other = is_named && !self.id.is_empty() && response.id != self.id;
        if has_content && (begins || (is_other && self.id_holds)) {
            out.fail(ProtocolError::new(ProtocolErrorCode::ProtocolViolation, "the provider began a second message in one stream"));
            return true;
        }
        self.id_holds |= is_named && response.id == self.id;
        if is_named {
            (*response.id).clone_into(&mut self.id);
        }
        false
    }

    /// The item that a text belongs to: what is not known is a new one, as nothing hangs on it.
    fn speaker(&mut self, kind: Kind, id: &str, index: &str, out: &mut Output<'_>) -> usize {
        self.begin("", out);
        let is_it = |place: &usize| self.items.get(*place).is_some_and(|item| item.kind == kind);
        let known = self.by_id.get(id).copied().filter(is_it).or_else(|| self.by_index.get(index).copied().filter(is_it));
        let newest =
            self.newest_of(kind).filter(|place| self.items.get(*place).is_some_and(|item| !item.is_done && item.is_bare(id, index)));
        match known.or(newest) {
            Some(place) => place,
            None => self.open(kind, id, index),
        }
    }

    /// Whether a text of this part is to be told: what is told whole is not where a part of it was.
    fn takes_up(&mut self, item: usize, list: &str, place: &str, is_whole: bool, channel: Channel, out: &mut Output<'_>) -> bool {
        let is_new = self.told.insert(Arc::from(format!("{item} {list} {place}")), item).is_none();
        if is_new && channel == Channel::Reasoning && self.has_reasoned {
            out.reasoning(PARAGRAPH);
        }
        is_new || !is_whole
    }

    fn say(&mut self, channel: Channel, text: &str, out: &mut Output<'_>) {
        if text.is_empty() {
            return;
        }
        match channel {
            Channel::Reasoning => {
                self.has_reasoned = true;
                return out.reasoning(text);
            }
            Channel::Refusal => self.has_refused = true,
            Channel::Text | Channel::Nowhere => {}
        }
        self.has_said = true;
        out.text(text);
    }

    fn newest_of(&self, kind: Kind) -> Option<usize> {
        self.newest.get(kind.slot()).copied().flatten()
    }

    fn open(&mut self, kind: Kind, id: &str, index: &str) -> usize {
        let place = self.items.len();
        let mut call = Call { gaps: self.gaps, ..Call::default() };
        let before = |key: &str, by: &mut KeptPlaces| {
            let before = if key.is_empty() { None } else { by.insert(Arc::from(key), place) };
            before.and_then(|before| self.items.get(before))
        };
        let shares_id = before(id, &mut self.by_id).is_some_and(|before| before.shares_id || before.is_open_call());
        let shares_index = before(index, &mut self.by_index).is_some_and(|before| before.shares_index || before.is_open_call());
        if kind == Kind::Call {
            let before = self.newest_of(kind).and_then(|before| self.items.get(before));
            self.is_tangled |= before.is_some_and(Item::is_open_call);
            self.calls.push(place);
            call.number = self.calls.len();
        }
        if let Some(newest) = self.newest.get_mut(kind.slot()) {
            *newest = Some(place);
        }
        // what comes without a name from here on may be of this one
        self.part = Part::default();
        self.items.push(Item {
            kind,
            id: id.to_owned(),
            index: index.to_owned(),
            shares_id,
            shares_index,
            is_done: false,
            state: None,
            call,
        });
        place
    }

    /// An item begins or is complete.
    fn item(&mut self, told: Option<wire::Item<'_>>, index: &str, is_done: bool, out: &mut Output<'_>) {
        self.begin("", out);
        let Some(told) = told else { return };
        let place = match self.place_of(&told, index, is_done) {
            Some(place) => place,
            None => self.open(told.kind, &told.id, index),
        };
        self.hear(place, &told, is_done, out);
        self.release(out);
    }

    /// Which item it is, of those that are known.
    fn place_of(&mut self, told: &wire::Item<'_>, index: &str, is_done: bool) -> Option<usize> {
        let by_id = self.by_id.get(&*told.id).copied().filter(|place| self.item_is(*place, told));
        if by_id.is_some() {
            self.item_ids_hold |= is_done;
            return by_id;
        }
        let item = |place: usize| self.items.get(place);
        let is_same_call = |known: &Item| !told.call_id.is_empty() && known.call.given_id == told.call_id;
        // a server may give an item another id each time; the id of the call holds
        let by_index = self.by_index.get(index).copied().filter(|place| self.item_is(*place, told)).filter(|place| {
            item(*place).is_some_and(|known| {
                known.id.is_empty() || told.id.is_empty() || is_same_call(known) || (told.kind != Kind::Call && !known.is_done)
            })
        });
        let by_call = self.by_call.get(&*told.call_id).copied().filter(|place| {
            item(*place).is_some_and(|known| {
                let is_elsewhere = !index.is_empty() && !known.index.is_empty() && index != known.index;
                !is_elsewhere && (is_done || known.id.is_empty() || told.id.is_empty())
            })
        });
        // nothing tells which: the one that is open, if there is no other and none was lost
        let by_order = self.newest_of(told.kind).filter(|place| {
            let is_alone = told.kind != Kind::Call || (!self.is_tangled && self.gaps == 0);
            let is_it = |known: &Item| !known.is_done && (known.is_bare("", "") || (told.id.is_empty() && index.is_empty()));
            is_done && is_alone && self.item_is(*place, told) && item(*place).is_some_and(is_it)
        });
        by_index.or(by_call).or(by_order)
    }

    /// Whether nothing that is told speaks against it.
    fn item_is(&self, place: usize, told: &wire::Item<'_>) -> bool {
        self.items.get(place).is_some_and(|known| {
            let differ = |known: &str, told: &str| !known.is_empty() && !told.is_empty() && known != told;
            known.kind == told.kind && !differ(&known.call.given_id, &told.call_id) && !differ(&known.call.name, &bounded(&told.name))
        })
    }

    /// Takes in what is told of a known item.
    fn hear(&mut self, place: usize, told: &wire::Item<'_>, is_done: bool, out: &mut Output<'_>) {
        let channel = if told.kind == Kind::Thought { Channel::Reasoning } else { Channel::Text };
        for (list, at, is_refusal, text) in &told.parts {
            if !text.is_empty() && self.takes_up(place, list, &at.to_string(), true, channel, out) {
                self.say(if *is_refusal { Channel::Refusal } else { channel }, text, out);
            }
        }
        let Some(item) = self.items.get_mut(place) else { return };
        if told.kind == Kind::Call {
            item.call.take_name(told, out);
            if !told.call_id.is_empty() {
                self.by_call.insert(Arc::from(&*told.call_id), place);
            }
            if !is_done {
                // some servers tell the arguments here already, some a placeholder
                if item.call.early.is_empty() && told.arguments.len() <= self.limits.max_argument_bytes {
                    (*told.arguments).clone_into(&mut item.call.early);
                }
            } else if !item.is_done {
                item.call.confirm(&told.arguments, self.gaps, &self.limits);
                item.call.is_whole |= !told.is_cut;
                item.call.read(&self.limits, told.is_cut);
                self.ends_calls = true;
            }
        } else if is_done && !item.is_done && told.kind == Kind::Thought {
            item.state = Json::parse(told.written).ok();
        }
        item.is_done |= is_done;
        self.part = Part::default();
    }

    fn arguments(&mut self, id: &str, index: &str, name: &str, said: &str, is_whole: bool, out: &mut Output<'_>) {
        self.begin("", out);
        match self.owner(id, index) {
            Owner::Call { place, is_sure } => {
                let Some(item) = self.items.get_mut(place) else { return };
                let call = &mut item.call;
                // what was lost may have opened another call, whose arguments then look like this one's
                let is_doubtful = self.gaps > 0 && !is_sure;
                let is_of_another = !name.is_empty() && !call.name.is_empty() && call.name != bounded(name);
                call.take_name_alone(name, out);
                if (is_whole || !said.is_empty()) && (is_doubtful || is_of_another) {
                    call.text.tear();
                }
                if is_whole {
                    if call.arguments.is_none() {
                        call.confirm(said, self.gaps, &self.limits);
                        call.is_whole = true;
                        self.ends_calls = true;
                    }
                } else if call.is_whole || item.is_done {
                    call.text.tear();
                    out.notice("the provider sent arguments for a call that is not open", "");
                } else if !said.is_empty() {
                    call.add(said, self.gaps, &self.limits, out);
                }
            }
            Owner::Nobody => out.notice("the provider sent arguments for a call that is not open", ""),
            Owner::Doubtful => {
                self.gap();
                out.notice("the provider sent arguments without saying for which of several calls", "");
            }
        }
    }

    /// An item's id is believed before its place in the output, that before the order.
    fn owner(&mut self, id: &str, index: &str) -> Owner {
        let call = |place: Option<&usize>| {
            let place = *place?;
            self.items.get(place).filter(|item| item.kind == Kind::Call).map(|item| (place, item))
        };
        let (by_id, by_index) = (call(self.by_id.get(id)), call(self.by_index.get(index)));
        match (by_id, by_index) {
            (Some((place, known)), other) if !known.shares_id => {
                let is_elsewhere = !index.is_empty() && !known.index.is_empty() && index != known.index;
                // the id says one call and the place another
                if is_elsewhere && (self.gaps > 0 || other.is_some_and(|(other, item)| other != place && item.is_open_call())) {
                    return Owner::Doubtful;
                }
                self.item_ids_hold = true;
                Owner::Call { place, is_sure: true }
            }
            (_, Some((place, known))) if !known.shares_index => {
                let is_foreign = !id.is_empty() && !known.id.is_empty() && id != known.id;
                if is_foreign && self.item_ids_hold {
                    return Owner::Doubtful;
                }
                // some servers give every item the first place
                Owner::Call { place, is_sure: !is_foreign && index != "0" }
            }
            (None, None) => {
                let Some((place, newest)) = call(self.newest_of(Kind::Call).as_ref()) else { return Owner::Nobody };
                let is_unknown_place = !index.is_empty() && !newest.index.is_empty();
                let is_unknown_id = !id.is_empty() && !newest.id.is_empty() && self.item_ids_hold;
                if is_unknown_place || is_unknown_id || newest.is_done {
                    Owner::Nobody
                } else if self.is_tangled {
                    Owner::Doubtful
                } else {
                    Owner::Call { place, is_sure: false }
                }
            }
            _ => Owner::Doubtful,
        }
    }

    /// The response ended: what it told only now is told, every call is complete, the costs are known, and so is why.
    fn ended(&mut self, event: &str, response: &Response<'_>, out: &mut Output<'_>) {
        self.begin(&response.model, out);
        let has_failed = event == "failed" || &*response.status == "failed";
        if !has_failed {
            self.snapshot(&response.output, out);
        }
        let is_cut = event == "incomplete" || !response.reason.is_empty() || matches!(&*response.status, "incomplete" | "cancelled");
        let cut = is_cut.then(|| match &*response.reason {
            "max_output_tokens" | "max_tokens" | "length" => StopReason::MaxTokens,
            "content_filter" => StopReason::Refusal,
            _ => StopReason::Unknown,
        });
        let stop = cut.unwrap_or(match (self.calls.len(), self.has_refused) {
            (0, true) => StopReason::Refusal,
            (0, false) => StopReason::EndTurn,
            _ => StopReason::ToolUse,
        });
        if !has_failed {
            self.stop = Some(stop);
            for item in self.items.iter_mut().skip(self.released).filter(|item| item.kind == Kind::Call) {
                item.call.doubt(self.gaps);
                // a server that ends its calls has ended all that it meant
                let is_open = !item.call.is_whole && (is_cut || self.ends_calls);
                item.call.read(&self.limits, is_open);
            }
            self.release(out);
        }
        if let Some(usage) = response.usage {
            out.event(StreamEvent::Usage { usage });
        }
        if has_failed {
            return match &response.error {
                Some(error) => fail(error, out),
                None => out.fail(failure_in_stream("", "", "")),
            };
        }
        out.stop(stop);
    }

    /// All that was said, told again or only now: what was told already is not told twice, even by a server that gives
    /// everything new ids here.
    fn snapshot(&mut self, output: &[&str], out: &mut Output<'_>) {
        let items: Vec<wire::Item<'_>> = output.iter().filter_map(|item| wire::Item::read(item).flatten()).collect();
        let calls: Vec<&wire::Item<'_>> = items.iter().filter(|told| told.kind == Kind::Call).collect();
        let known_calls = calls.iter().filter(|told| self.known(told).is_some()).count();
        // a whole list: where the ids are new, the place in it says which call is meant, if they came in the order of it
        let is_in_order = calls.len() == self.calls.len()
            && self.calls.is_sorted_by_key(|place| self.items.get(*place).map(|item| (item.index.len(), &item.index)))
            && calls
                .iter()
                .zip(&self.calls)
                .all(|(told, place)| self.item_is_named(*place, &told.name) && self.known(told).is_none_or(|known| known == *place));
        let is_doubtful = !calls.is_empty() && known_calls < self.calls.len() && !is_in_order;
        if is_doubtful {
            // which of them are those that were told before is not known
            self.gap();
        }
        let had_said = self.has_said;
        let had_thought = self.newest_of(Kind::Thought).is_some();
        let mut in_order = if is_in_order { self.calls.clone() } else { Vec::new() }.into_iter();
        for told in &items {
            let is_call = told.kind == Kind::Call;
            let meant = if is_call { in_order.next() } else { None };
            let is_left_out = match told.kind {
                Kind::Call => is_doubtful,
                Kind::Message => had_said,
                Kind::Thought => had_thought,
            };
            let place = match self.known(told).or(meant) {
                Some(place) => place,
                None if is_left_out => continue,
                None => self.open(told.kind, &told.id, ""),
            };
            self.hear(place, told, true, out);
            self.release(out);
        }
    }

    /// The item that has an id of this one.
    fn known(&self, told: &wire::Item<'_>) -> Option<usize> {
        let known = self.by_id.get(&*told.id).or_else(|| self.by_call.get(&*told.call_id)).copied();
        known.filter(|place| self.item_is(*place, told))
    }

    fn item_is_named(&self, place: usize, name: &str) -> bool {
        self.items.get(place).is_some_and(|item| item.call.name == bounded(name))
    }

    /// Lets out what has nothing more to wait for, in its order.
    fn release(&mut self, out: &mut Output<'_>) {
        while let Some(item) = self.items.get_mut(self.released) {
            let has_ended = self.stop.is_some();
            let waits = match (item.kind, &item.call.arguments) {
                (Kind::Message, _) => false,
                (Kind::Thought, _) => !item.is_done && !has_ended,
                (Kind::Call, None) => true,
                // what these come to hangs on the stop reason
                (Kind::Call, Some(Arguments::Empty | Arguments::Refused(_))) => !has_ended,
                (Kind::Call, Some(_)) => false,
            };
            if waits {
                return;
            }
            self.released += 1;
            if let Some(value) = item.state.take() {
                out.event(StreamEvent::ProviderState { provider: ProviderFormat::OpenaiResponses, value, call_id: None });
            }
            if let Some(arguments) = item.call.arguments.take() {
                item.call.tell(out);
                let (id, name) = (item.call.id.clone(), item.call.name.clone());
                out.event(completed(id, name, arguments, self.stop, self.released == self.items.len()));
            }
        }
    }
}

impl Part {
    fn is(&self, channel: Channel, item_id: &str, index: &str, list: &str, place: &str) -> bool {
        self.channel == channel && self.place == place && self.index == index && self.item_id == item_id && self.list == list
    }
}

/// What the server says went wrong.
fn fail(error: &Failure<'_>, out: &mut Output<'_>) {
    // the type of the event is not one of the failure
    let kind = if error.kind == "error" { "" } else { &*error.kind };
    out.fail(failure_in_stream(kind, &error.code, &error.message));
}
