//! What must hold between the calls and the results of a conversation before a provider takes it.
//!
//! Enters: messages. Leaves: what is wrong, a history in which nothing is, or the newest part that fits a window.
//! Never runs anything, never changes what it was given. Knows no provider and no turn.

pub mod budget;
pub mod pairing;
pub mod repair;

pub use budget::{Budgeted, InputWindow, budget_messages};
pub use pairing::pairing_violations;
pub use repair::{Repaired, repair_history};
