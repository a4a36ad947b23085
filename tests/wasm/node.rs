//! The core as wasm in Node; the same cases run natively too, so that all three hosts give one answer.
#![allow(clippy::expect_used, reason = "in a test a panic is the report")]

mod cases;

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test;

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn canonical_text_is_the_native_one() {
    cases::canonical_text_is_the_native_one();
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn digests_are_the_native_ones() {
    cases::digests_are_the_native_ones();
}
