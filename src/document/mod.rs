//! The document a conversation works on: what it must be, how it changes, how a change is taken back.
//!
//! Enters: a definition, a first document, edits of the person, checked proposals of a turn. Leaves: the
//! current document, one patch per change, a bounded history. Knows no tool, no turn and no model.

pub mod definition;
pub mod fault;
pub mod journal;
pub mod outcome;
pub mod patch;
pub mod pointer;
pub mod rehearsal;
pub mod sight;
pub mod store;

mod diff;
mod edit;
mod effect;
pub(crate) mod index;
pub(crate) mod integrity;
mod live;
mod look;
mod naming;
mod share;
mod steps;
