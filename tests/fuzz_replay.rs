//! Replays what the fuzz targets start from, and what they once found, through the laws that they call.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

#[path = "support/laws.rs"]
mod laws;

use std::fs;
use std::path::PathBuf;

use countersign::protocol::event::ProviderFormat;
use countersign::protocol::words::Word;

/// The kept inputs of a format: its seeds, then what was once wrong.
fn kept(format: ProviderFormat) -> Vec<(PathBuf, Vec<u8>)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz");
    let mut inputs = Vec::new();
    for folder in ["seeds", "regressions"] {
        let Ok(entries) = fs::read_dir(root.join(folder).join(format.word())) else { continue };
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        inputs.extend(paths.into_iter().map(|path| (path.clone(), fs::read(path).unwrap())));
    }
    inputs
}

fn replay(format: ProviderFormat) {
    let inputs = kept(format);
    assert!(inputs.len() >= 10, "only {} inputs are kept for `{}`", inputs.len(), format.word());
    for (path, input) in inputs {
        println!("{}", path.display());
        laws::any_cut_gives_the_same_lawful_events(format, &input);
        laws::only_the_frames_count(&input);
        laws::read_and_forget(format, &input);
        assert!(laws::memory_allowed(&input) > input.len());
    }
}

#[test]
fn t14_the_laws_hold_for_what_is_kept_of_anthropic() {
    replay(ProviderFormat::Anthropic);
}

#[test]
fn t14_the_laws_hold_for_what_is_kept_of_openai_chat() {
    replay(ProviderFormat::OpenaiChat);
}

#[test]
fn t14_the_laws_hold_for_what_is_kept_of_openai_responses() {
    replay(ProviderFormat::OpenaiResponses);
}

#[test]
fn t14_the_laws_hold_for_what_is_kept_of_gemini() {
    replay(ProviderFormat::Gemini);
}
