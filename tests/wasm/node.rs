//! The core as wasm in Node; the same cases run natively too, so that all three hosts give one answer.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a test fails by panicking"
)]

mod cases;
#[path = "../core/corpus.rs"]
#[allow(dead_code, reason = "the whole player serves the native tests; wasm needs where each case ends")]
mod corpus;
#[path = "../core/outcomes.rs"]
mod outcomes;
#[path = "../core/player.rs"]
#[allow(dead_code, reason = "as above")]
mod player;
#[path = "../core/recordings.rs"]
mod recordings;
#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "as above")]
mod support;
#[path = "../core/turn.rs"]
#[allow(dead_code, reason = "as above")]
mod turn;

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

#[cfg(feature = "threat-model")]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn r5_read_results_are_the_native_ones() {
    cases::r5_read_results_are_the_native_ones();
}

#[cfg(target_arch = "wasm32")]
#[wasm_bindgen_test]
fn t1_every_case_ends_in_wasm_as_it_does_natively() {
    assert_eq!(outcomes::outcomes(), outcomes::AGREED);
}

#[cfg(target_arch = "wasm32")]
#[wasm_bindgen_test]
fn s4_kept_recordings_lead_to_the_native_digests() {
    let (agreed, replayed) = recordings::digests();
    assert_eq!(replayed, agreed);
}
