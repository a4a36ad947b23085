//! The core of a bounded, authorized AI tool loop: the model proposes, the person countersigns.

pub mod commit;
pub mod document;
pub mod history;
pub mod protocol;
pub mod providers;
#[cfg(feature = "threat-model")]
pub mod threat_model;
pub mod tool_loop;
pub mod tools;
pub mod turn;
#[cfg(all(feature = "wasm", target_arch = "wasm32"))]
pub mod wasm;
