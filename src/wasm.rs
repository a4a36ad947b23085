//! The bindings: translates between JavaScript and the core, and decides nothing.
//!
//! Enters: JavaScript values and calls. Leaves: values, JSON text and errors with a code.
//! The only room that names `wasm_bindgen`.

use wasm_bindgen::prelude::wasm_bindgen;

/// The version of the engine, as its package states it.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// The words the generated declarations use for plain JSON.
#[wasm_bindgen(typescript_custom_section)]
const JSON_TYPES: &str = r#"/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A JSON Schema (2020-12). */
export type JsonSchema = boolean | { [keyword: string]: Json };

/** A patch (RFC 6902): add, remove and replace; `test` too in a host's. */
export type JsonPatch = (
  | { op: "add" | "replace" | "test"; path: string; value: Json }
  | { op: "remove"; path: string }
)[];"#;
