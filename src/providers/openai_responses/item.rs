//! An item of the output as the stream tells it, and what its call comes to.

use crate::protocol::event::StreamEvent;
use crate::protocol::json::Json;

use super::super::StreamLimits;
use super::super::arguments::{ArgumentText, Arguments};
use super::super::output::{Output, bounded};
use super::wire::{self, Kind};

/// A call of a message that ended without ending the call.
const NEVER_CLOSED: &str = "the message ended before this call was complete";
/// An output item, from the first that is heard of it on.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) kind: Kind,
    /// Its id and its place as it is written; "" where it came without.
    pub(super) id: String,
    pub(super) index: String,
    /// Whether its id or its place may be that of a call that was not complete.
    pub(super) shares_id: bool,
    pub(super) shares_index: bool,
    /// Whether all of it was told.
    pub(super) is_done: bool,
    /// The state to be returned, where it is one.
    pub(super) state: Option<Json>,
    pub(super) call: Call,
}

/// What a call is beside that.
#[derive(Debug, Default)]
pub(super) struct Call {
    /// The provider's id for it; "" where it gave none.
    pub(super) given_id: String,
    /// What it is called here.
    pub(super) id: String,
    pub(super) name: String,
    /// Which of the calls it is, from 1.
    pub(super) number: usize,
    /// Whether it was announced: not before its name is known.
    pub(super) is_told: bool,
    /// Whether its arguments were told to be complete.
    pub(super) is_whole: bool,
    pub(super) text: ArgumentText,
    /// Arguments that came with its beginning: they count where no others come.
    pub(super) early: String,
    /// What the text came to, once it was read.
    pub(super) arguments: Option<Arguments>,
    /// How often something had been lost when it was opened.
    pub(super) gaps: u32,
}

impl Item {
    /// Whether it is a call whose arguments were not told to be complete: a text that reads as whole may still be told
    /// once more.
    pub(super) fn is_open_call(&self) -> bool {
        self.kind == Kind::Call && !self.is_done && !self.call.is_whole
    }

    /// Whether neither of these, where given, speaks against it, as it came without.
    pub(super) fn is_bare(&self, id: &str, index: &str) -> bool {
        (self.id.is_empty() || id.is_empty()) && (self.index.is_empty() || index.is_empty())
    }
}

impl Call {
    /// Takes the id and the name where they are told now.
    pub(super) fn take_name(&mut self, told: &wire::Item<'_>, out: &mut Output<'_>) {
        if self.given_id.is_empty() {
            (*told.call_id).clone_into(&mut self.given_id);
        }
        if !self.is_told {
            self.id = match (&*self.given_id, &*told.id) {
                ("", "") => format!("call-{}", self.number),
                ("", id) | (id, _) => bounded(id),
            };
        }
        self.take_name_alone(&told.name, out);
    }

    pub(super) fn take_name_alone(&mut self, name: &str, out: &mut Output<'_>) {
        if self.name.is_empty() && !name.is_empty() {
            self.name = bounded(name);
            self.tell(out);
        }
    }

    pub(super) fn tell(&mut self, out: &mut Output<'_>) {
        if !std::mem::replace(&mut self.is_told, true) {
            out.event(StreamEvent::ToolCallStart { id: self.id.clone(), name: self.name.clone() });
        }
    }

    pub(super) fn add(&mut self, fragment: &str, gaps: u32, limits: &StreamLimits, out: &mut Output<'_>) {
        self.doubt(gaps);
        if self.text.push(fragment, limits) && self.is_told {
            out.input_delta(&self.id, fragment);
        }
    }

    /// What was lost while they were open may have been a part of the arguments.
    pub(super) fn doubt(&mut self, gaps: u32) {
        if self.gaps != gaps && !self.is_whole {
            self.text.tear();
        }
    }

    /// All of the arguments are told.
    pub(super) fn confirm(&mut self, whole: &str, gaps: u32, limits: &StreamLimits) {
        self.doubt(gaps);
        self.text.confirm(whole, limits);
    }

    /// Reads the arguments, once.
    pub(super) fn read(&mut self, limits: &StreamLimits, is_open: bool) {
        if self.arguments.is_some() {
            return;
        }
        if self.text.is_blank() {
            self.text.push(&self.early, limits);
        }
        self.arguments = Some(if is_open { Arguments::Refused(NEVER_CLOSED.to_owned()) } else { self.text.read(limits) });
        self.text.free();
    }
}
