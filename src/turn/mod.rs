//! Who decides. One pure reducer is the only writer of phase and call status; grants live in its state.
//!
//! Enters: events of a provider and commands of a host. Leaves: the next state and what changed in it.
//! Knows tools as data (declaration, prepared input); never sees bytes, a document or a clock.

pub mod authorization;
pub mod executing;
pub mod limits;
pub mod outcome;
pub mod reduce;
pub mod rest;
pub mod state;

mod approval;
mod calls;
pub mod preview;
pub mod settling;
mod streaming;
mod words;

pub use authorization::authorize_start;
pub use limits::{TurnBudget, TurnLimits, budget_exhaustion};
pub use reduce::{Change, reduce, reduce_turn};
pub use state::{IdleOptions, OrchestrationMode, TurnState, idle_turn};
