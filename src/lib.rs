//! The core of a bounded, authorized AI tool loop: the model proposes, the person countersigns.

pub mod commit;
pub mod document;
pub mod protocol;
#[cfg(feature = "threat-model")]
pub mod threat_model;
pub mod tools;
