//! The core of a bounded, authorized AI tool loop for editors. *The model proposes; the person countersigns.*
//!
//! ```text
//! provider bytes ──► providers ──StreamEvent──┐                       ┌──► Update   (show it)
//!                                             ├──► turn::reduce ──────┤
//! host ──────────────────────────Command──────┘    │       │          └──► Effect   (do it, answer by id with a Command)
//!                                               tools    commit ──► document: one patch, one undo step per turn
//! ```
//!
//! The contract in ten lines:
//!
//! 1. No byte from a model, a tool result or a document makes a tool run that the person did not authorize in this turn.
//! 2. An approval is for one call, one input, one request, one document; it is spent once.
//! 3. Only a tool its host declared `read` runs unasked; one that destroys something is approved alone.
//! 4. The reducer is the only writer of phase and status, and pure: same state and input, same result, everywhere.
//! 5. Every call the model opens is answered exactly once, whatever became of it.
//! 6. Every turn ends: each bound is one field, and the state names the one that was reached.
//! 7. One function commits; a turn is one undo step; a person's edit is never reverted with it.
//! 8. Everything a call caused comes back from that call; effects are answered by id, once.
//! 9. No clock, randomness, I/O or key is in here: time comes in as `now_ms`, bytes as bytes.
//! 10. Bad input is a refusal that says what and where, never a panic.
//!
//! The public interface is: [`tool_loop::ToolLoop`] (the machine), [`turn::reduce_turn`] (the decision alone),
//! [`tools::registry::ToolRegistry`], [`document::store::DocumentStore`], [`providers::Decoder`] and
//! [`providers::build_request`], [`history`], and the words of [`protocol`].

pub mod commit;
pub mod document;
pub mod entities;
pub mod history;
pub mod protocol;
pub mod providers;
pub mod reading;
#[cfg(feature = "threat-model")]
pub mod threat_model;
pub mod tool_loop;
pub mod tools;
pub mod turn;
#[cfg(all(feature = "wasm", target_arch = "wasm32"))]
pub mod wasm;
