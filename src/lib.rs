//! The core of a bounded, authorized AI tool loop: the model proposes, the person countersigns.

pub mod history;
pub mod protocol;
pub mod providers;
pub mod tools;
