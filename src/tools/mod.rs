//! What a model may ask for: declarations, the schemas that guard them, and the one way to something runnable.
//!
//! Enters: declarations of the host, raw input of a model. Leaves: a prepared call (validated input, digest,
//! summary) or issues a model can correct. Knows no document and no turn.

pub mod arguments;
pub mod canonical;
pub mod core_tool;
pub mod declaration;
mod inspect;
pub mod issues;
pub mod pattern;
pub mod registry;
pub mod schema;
pub(crate) mod summary;
pub mod target;
