//! Where every case of the turn corpus ends, in one line each: what wasm and the package must end in too, byte for byte.

use countersign::document::store::DocumentStore;
use countersign::protocol::json::Json;
use countersign::tools::canonical::{canonical_json, sha256_hex};

use crate::corpus::{FILES, play};
use crate::player::Cut;
use crate::support::{cases, text_of};

/// The lines that were agreed on; written anew when the environment has `UPDATE_OUTCOMES`.
pub(crate) const AGREED: &str = include_str!("../corpus/turn-outcomes.txt");

/// For every case its id and the SHA-256 of the canonical `{document, state}` at its end.
pub(crate) fn outcomes() -> String {
    let mut lines = String::new();
    for (_, file) in FILES {
        for case in cases(file) {
            let mut player = play(&case, Cut::Whole);
            let state = Json::parse(&serde_json::to_string(&player.state()).unwrap()).unwrap();
            let document = player.store.as_ref().map_or(Json::Null, DocumentStore::read);
            let end = countersign::json_object! { "document" => document, "state" => state };
            lines.push_str(&format!("{} {}\n", text_of(&case, "id"), sha256_hex(canonical_json(&end).as_bytes())));
        }
    }
    lines
}

#[cfg(not(target_arch = "wasm32"))]
#[test]
fn t1_every_case_ends_in_the_agreed_state() {
    let ended = outcomes();
    if std::env::var_os("UPDATE_OUTCOMES").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus/turn-outcomes.txt"), &ended).unwrap();
        return;
    }
    assert_eq!(ended, AGREED, "where this is meant, run `UPDATE_OUTCOMES=1 cargo test --test core t1_every_case`");
}
