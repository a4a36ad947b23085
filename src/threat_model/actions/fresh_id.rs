//! Ids made by the core: a function of the document alone, free in the whole space they share.

use crate::protocol::json::Json;
use crate::protocol::places::places;

use super::{Target, entries, text};

/// Longer numbers are somebody else's naming, not a counter to go on from.
const MAX_DIGITS: usize = 9;

/// `<prefix>-<n>`: one more than the largest such number in the section, then on until nothing else has it.
pub(super) fn fresh(document: &Json, target: Target) -> String {
    let (prefix, shared): (_, &[&str]) = match target {
        Target::Element => ("comp", &["elements", "groups", "trust_boundaries"]),
        Target::TrustBoundary => ("boundary", &["elements", "groups", "trust_boundaries"]),
        Target::DataFlow => ("flow", &["data_flows", "relationships"]),
        Target::Threat => ("threat", &["threats"]),
    };
    let number = |id: &str| -> Option<u64> {
        let digits = id.strip_prefix(prefix)?.strip_prefix('-')?;
        let plain = (1..=MAX_DIGITS).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
        if plain { digits.parse().ok() } else { None }
    };
    let ids = |section: &str| entries(document, section).iter().filter_map(|entry| text(entry, "id"));
    let taken = places(&mut shared.iter().flat_map(|section| ids(section)));
    let mut next = ids(target.section()).filter_map(number).max().unwrap_or(0) + 1;
    loop {
        let id = format!("{prefix}-{next}");
        if !taken.contains_key(id.as_str()) {
            return id;
        }
        next += 1;
    }
}
