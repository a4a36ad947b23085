//! The words both sides speak: data only, no decisions.
//!
//! Enters and leaves: events from providers, commands from the host, effects and updates back to it.
//! This room knows no other room.

pub mod act;
pub mod call;
pub mod command;
pub mod effect;
pub mod error;
pub mod event;
pub mod fields;
pub mod from_json;
pub mod ids;
pub mod json;
pub mod message;
pub mod patch;
pub(crate) mod places;
pub mod preview;
pub mod reference;
pub mod text;
pub mod update;
pub mod words;
