//! A shipped tool that runs inside the core: what it declares, how it reads its input, what it does.

use crate::protocol::command::ToolOutcome;
use crate::protocol::json::Json;

use super::declaration::ToolDeclaration;

/// A tool the core runs itself, synchronously, as a pure function of document and input.
pub trait CoreTool: Send + Sync {
    /// The declaration as shipped; a host may tighten it, never loosen it.
    fn declaration(&self) -> ToolDeclaration;

    /// Brings schema-valid input to its one canonical form before it is digested and shown; the issues are
    /// written for the model, one line each, prefixed with the path.
    fn normalize(&self, input: Json) -> Result<Json, Vec<String>> {
        Ok(input)
    }

    /// The card's line for a normalized input, where the declaration's template is not enough. Plain text.
    fn summary(&self, input: &Json) -> Option<String> {
        let _ = input;
        None
    }

    /// Runs on `document`; returns a whole next document (sharing what did not change) or an error.
    fn run(&self, document: &Json, input: &Json) -> ToolOutcome;
}
