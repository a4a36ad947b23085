//! `pattern` on the host's own RegExp: one of the two host functions the core calls; it cannot call back.

use std::cell::RefCell;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::message_of;
use crate::tools::pattern::{self, HostRegExp};

#[wasm_bindgen]
extern "C" {
    type RegExp;

    // a bad pattern throws
    #[wasm_bindgen(constructor, catch)]
    fn new(source: &str, flags: &str) -> Result<RegExp, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn test(this: &RegExp, text: &str) -> Result<bool, JsValue>;
}

thread_local! {
    static COMPILED: RefCell<Vec<(String, RegExp)>> = const { RefCell::new(Vec::new()) };
}

/// Gives the core this host's RegExp.
pub(super) fn install() {
    pattern::install(HostRegExp { compile, test });
}

/// The same source gets the same number, so that schemas registered again cost nothing.
fn compile(source: &str) -> Result<u32, String> {
    COMPILED.with_borrow_mut(|compiled| {
        if let Some(at) = compiled.iter().position(|(known, _)| known == source) {
            return Ok(u32::try_from(at).unwrap_or(u32::MAX));
        }
        let regexp = RegExp::new(source, "u").map_err(|error| reason(&error))?;
        compiled.push((source.to_owned(), regexp));
        Ok(u32::try_from(compiled.len().saturating_sub(1)).unwrap_or(u32::MAX))
    })
}

fn test(number: u32, text: &str) -> bool {
    COMPILED.with_borrow(|compiled| {
        let regexp = usize::try_from(number).ok().and_then(|number| compiled.get(number));
        regexp.is_some_and(|(_, regexp)| regexp.test(text).unwrap_or(false))
    })
}

fn reason(error: &JsValue) -> String {
    message_of(error).unwrap_or_else(|| "the pattern is refused".to_owned())
}
