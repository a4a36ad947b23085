//! The core as wasm in a real, headless browser.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::expect_used, reason = "in a test a panic is the report")]

mod cases;

use wasm_bindgen_test::wasm_bindgen_test;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
fn canonical_text_is_the_native_one() {
    cases::canonical_text_is_the_native_one();
}

#[wasm_bindgen_test]
fn digests_are_the_native_ones() {
    cases::digests_are_the_native_ones();
}

#[cfg(feature = "threat-model")]
#[wasm_bindgen_test]
fn r5_read_results_are_the_native_ones() {
    cases::r5_read_results_are_the_native_ones();
}
