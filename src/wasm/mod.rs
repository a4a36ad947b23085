//! The bindings: JSON text in, JSON text out, bytes for streams. They translate and decide nothing.
//!
//! The only room that names `wasm_bindgen`. Structured data crosses as text: `JSON.parse` keeps a key that a
//! model chose (`__proto__`) an ordinary key, and bad input is a thrown fault, never a leaked object.

pub mod documents;
pub mod functions;
pub mod loops;
mod regexp;
mod types;

use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::protocol::error::Fault;
use crate::protocol::json::Json;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = Error)]
    type HostError;

    #[wasm_bindgen(method, getter)]
    fn message(this: &HostError) -> String;
}

/// Runs once when the engine is instantiated.
#[wasm_bindgen(start)]
pub fn start() {
    regexp::install();
}

/// A fault as it is thrown: a string of JSON that the wrapper turns into a `CountersignError`.
#[derive(Serialize)]
struct Thrown<'a> {
    code: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<&'a str>,
}

fn thrown(fault: Fault) -> JsValue {
    let thrown = Thrown { code: fault.code, message: &fault.message, path: &fault.path, expected: fault.expected.as_deref() };
    JsValue::from_str(&to_text(&thrown))
}

/// The words of what the host threw, where it is an error.
fn message_of(thrown: &JsValue) -> Option<String> {
    thrown.dyn_ref::<HostError>().map(HostError::message)
}

/// Reads JSON text that the wrapper wrote; `what` names the argument.
fn parse(text: &str, what: &str) -> Result<Json, JsValue> {
    Json::parse(text).map_err(|error| thrown(Fault::at("invalid_input", what, format!("this is not JSON: {error}"))))
}

/// Reads an argument that may be left out; what is left out is an empty object.
fn parse_options(text: Option<String>, what: &str) -> Result<Json, JsValue> {
    parse(text.as_deref().unwrap_or("{}"), what)
}

fn to_text<T: Serialize>(value: &T) -> String {
    crate::protocol::json::write::to_text(value)
}

/// Milliseconds from JavaScript: fractions are cut off, what is no time is left out.
fn ms(now_ms: Option<f64>) -> Option<u64> {
    now_ms.and_then(|now| crate::protocol::fields::whole(now.trunc()))
}
