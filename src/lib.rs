//! The core of a bounded, authorized AI tool loop: the model proposes, the person countersigns.

pub mod protocol;
pub mod tools;

#[cfg(feature = "wasm")]
pub mod wasm;
