//! The results of a history, found by their calls: APIs want them right behind, whatever stands between here.

use crate::protocol::message::{ContentBlock, Message};
use crate::protocol::places::Places;

/// What the model reads where a tool answered with nothing: APIs refuse blank text.
const NO_OUTPUT: &str = "(no output)";

/// The one result of each call, wherever in the history it stands.
pub(super) struct Results<'m> {
    places: Places<'m>,
    said: Vec<(&'m str, bool)>,
}

impl<'m> Results<'m> {
    pub(super) fn of(messages: &'m [Message]) -> Results<'m> {
        let mut results = Results { places: Places::new(), said: Vec::new() };
        for block in messages.iter().flat_map(|message| &message.content) {
            if let ContentBlock::ToolResult { tool_call_id, content, is_error } = block {
                results.places.insert(tool_call_id, results.said.len());
                results.said.push((content, *is_error == Some(true)));
            }
        }
        results
    }

    /// What the call came to, and whether it failed.
    pub(super) fn of_call(&self, id: &str) -> Option<(&'m str, bool)> {
        self.said.get(*self.places.get(id)?).copied()
    }
}

/// What stands before the result of a call that failed, where an API has no flag for it.
const FAILED: &str = "Error: ";

/// A result's text for an API that has no flag for a call that failed.
pub(super) fn flagged(content: &str, is_error: bool) -> String {
    [if is_error { FAILED } else { "" }, spoken(content)].concat()
}

/// A result's text as an API takes it.
pub(super) fn spoken(content: &str) -> &str {
    if content.trim().is_empty() { NO_OUTPUT } else { content }
}
