//! The messages of the formats whose roles take turns: neighbours of one role become one message, and what answers
//! the calls of the assistant comes first in the user's message behind it.
//!
//! Enters: parts as the format writes them. Leaves: them by message. Knows no format.

use crate::protocol::json::Json;
use crate::protocol::message::{ContentBlock, Message, Role};

/// What stands first where a history begins with the assistant: APIs and chat templates want a user there.
pub(super) const EARLIER_LEFT_OUT: &str = "[Earlier messages were left out.]";

/// The messages written so far.
pub(super) struct Turns {
    done: Vec<(Role, Vec<Json>)>,
    role: Option<Role>,
    open: Vec<Json>,
    /// What answers the calls of the open message of the assistant.
    due: Vec<Json>,
    /// How a text is written.
    text: fn(&str) -> Json,
    /// What the assistant said when its message ends, without what would be refused there.
    closing: fn(&mut Vec<Json>),
}

impl Turns {
    pub(super) fn new(text: fn(&str) -> Json, closing: fn(&mut Vec<Json>)) -> Turns {
        Turns { done: Vec::new(), role: None, open: Vec::new(), due: Vec::new(), text, closing }
    }

    /// All that a user said.
    pub(super) fn user(&mut self, message: &Message) {
        // whatever this message holds, it is the one after the calls
        if !self.due.is_empty() {
            self.speak(Role::User);
        }
        for block in &message.content {
            if let ContentBlock::Text { text } = block
                && !text.trim().is_empty()
            {
                self.speak(Role::User);
                self.open.push((self.text)(text));
            }
        }
    }

    /// The assistant goes on; what answered its calls so far is closed with the message they stood in.
    pub(super) fn assistant(&mut self) {
        self.speak(Role::Assistant);
    }

    /// What answers a call of the assistant's.
    pub(super) fn answer(&mut self, part: Json) {
        self.due.push(part);
    }

    /// More of what the assistant said.
    pub(super) fn say(&mut self, part: Json) {
        self.speak(Role::Assistant);
        self.open.push(part);
    }

    /// What was said last in the open message.
    pub(super) fn last(&mut self) -> Option<&mut Json> {
        self.open.last_mut()
    }

    /// Every message with its parts; none is empty, and the first is a user's.
    pub(super) fn finish(mut self) -> Vec<(Role, Vec<Json>)> {
        if !self.due.is_empty() {
            self.speak(Role::User);
        }
        self.close();
        self.done
    }

    /// Closes the open message where the other side spoke last.
    fn speak(&mut self, role: Role) {
        if self.role != Some(role) {
            self.close();
            self.role = Some(role);
        }
    }

    fn close(&mut self) {
        let Some(role) = self.role else { return };
        let mut parts = std::mem::take(&mut self.open);
        if role == Role::Assistant {
            (self.closing)(&mut parts);
            self.open = std::mem::take(&mut self.due);
        }
        if parts.is_empty() {
            return;
        }
        if self.done.is_empty() && role == Role::Assistant {
            self.done.push((Role::User, vec![(self.text)(EARLIER_LEFT_OUT)]));
        }
        match self.done.last_mut() {
            Some((last, before)) if *last == role => before.append(&mut parts),
            _ => self.done.push((role, parts)),
        }
    }
}
