//! The turn and the loop against the rules: laws by number, stories, one corpus, any sequence of inputs.
//!
//! Only the public face of the crate is used. The corpus (`tests/corpus/turn-*.jsonl`) names no language; what is
//! told here in Rust is what needs altered states, floods or counting.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a test fails by panicking"
)]

mod authorization;
mod bindings;
mod bounds;
mod corpus;
mod countersigned;
mod exploration;
mod hardening;
mod histories;
mod issuers;
#[path = "../support/order.rs"]
mod order;
mod outcomes;
mod player;
mod previews;
mod property;
mod reading;
mod recording;
mod recordings;
mod selection;
mod stories;
#[path = "../support/mod.rs"]
mod support;
mod turn;
mod turn_laws;
