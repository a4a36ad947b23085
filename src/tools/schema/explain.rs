//! The words for what is wrong, written so that a model can correct itself: what was wanted, what was got.

use std::sync::Arc;

use crate::protocol::json::Json;
use crate::protocol::text::{cap, echo, join};
use crate::tools::issues::{Issues, Path, shown};
use crate::tools::pattern::Pattern;

use super::check::{Run, fail};
use super::{Bound, Choices, INTEGER, Members, NodeId, TYPES};

/// How many foreign names or values one line lists.
const LISTED: usize = 6;
/// How many alternatives are told why they do not match.
const ALTERNATIVES_TOLD: usize = 3;
/// The longest reason of one of several alternatives, in code points.
const REASON_CODE_POINTS: usize = 50;

impl Run<'_> {
    /// Says why none of the alternatives matches: the issues of the only one that was meant, where that can be
    /// told (the others are about another kind of value), else the first reason of each. Always `false`.
    pub(super) fn explain(&mut self, ids: &[NodeId], value: &Json, path: &Path<'_>, sink: Option<&mut Issues>) -> bool {
        let Some(sink) = sink else { return false };
        let mut tried: Vec<Issues> = Vec::with_capacity(ids.len());
        for id in ids {
            let mut issues = Issues::about(path);
            self.check(*id, value, path, Some(&mut issues));
            tried.push(issues);
        }
        let mut meant = tried.iter().enumerate().filter(|(_, issues)| !issues.mismatched).map(|(at, _)| at);
        if let (Some(at), None) = (meant.next(), meant.next()) {
            sink.absorb(tried.swap_remove(at));
            return false;
        }
        sink.mismatched |= path.depth() <= sink.base && tried.iter().all(|issues| issues.mismatched);
        let prefix = format!("{}: ", path.text());
        let mut reasons = Vec::new();
        for line in tried.iter().filter_map(Issues::first).take(ALTERNATIVES_TOLD) {
            reasons.push(cap(line.strip_prefix(&prefix).unwrap_or(line), REASON_CODE_POINTS));
        }
        let more = if tried.len() > ALTERNATIVES_TOLD { "; …" } else { "" };
        fail(Some(sink), path, || format!("matches none of {} allowed forms ({}{more})", tried.len(), join(&reasons, "; ")))
    }
}

pub(super) fn wrong_type(bits: u8, value: &Json) -> String {
    let mut wanted = Vec::new();
    for (name, bit) in TYPES {
        if bits & bit != 0 {
            wanted.push(name);
        }
    }
    let got = if bits & INTEGER != 0 && matches!(value, Json::Number(_)) { shown(value) } else { value.kind().to_owned() };
    format!("must be {}, got {got}", join(&wanted, " or "))
}

pub(super) fn wrong_choice(choices: &Choices, value: &Json) -> String {
    let wanted = listed(choices.all.len(), &mut choices.all.iter().map(shown));
    format!("must be one of {wanted}; got {}", cap(&shown(value), REASON_CODE_POINTS))
}

pub(super) fn wrong_size(size: u64, min: Option<u64>, max: Option<u64>, unit: &str, adjective: &str) -> String {
    let (side, limit) = match (min, max) {
        (Some(min), _) if size < min => ("at least", min),
        (_, Some(max)) => ("at most", max),
        _ => ("at least", min.unwrap_or(0)),
    };
    let plural = if limit == 1 { "" } else { "s" };
    format!("must be {side} {limit} {unit}{plural} {adjective}, got {size}")
}

pub(super) fn wrong_contents(found: u64, min: u64, max: Option<u64>) -> String {
    match max {
        Some(max) if found > max => format!("must hold at most {max} items of the wanted form, got {found}"),
        _ => format!("must hold at least {min} items of the wanted form, got {found}"),
    }
}

pub(super) fn unknown_keys(unknown: &[&Arc<str>], members: &Members) -> String {
    let keys = listed(unknown.len(), &mut unknown.iter().map(|key| quoted(key)));
    let head = if unknown.len() == 1 { "unknown key" } else { "unknown keys" };
    if members.names.is_empty() {
        return format!("{head} {keys}; no key is allowed here");
    }
    let known = listed(members.names.len(), &mut members.names.iter().map(|key| quoted(key)));
    format!("{head} {}; allowed are {known}", cap(&keys, REASON_CODE_POINTS * 2))
}

pub(super) fn bound_words(bound: Bound) -> &'static str {
    match bound {
        Bound::AtLeast => "at least",
        Bound::AtMost => "at most",
        Bound::Above => "above",
        Bound::Below => "below",
    }
}

pub(super) fn pattern_text(pattern: &Pattern) -> String {
    quoted(pattern.source())
}

fn quoted(text: &str) -> String {
    format!("`{}`", echo(text))
}

/// The first few of a list, and how many more there are.
fn listed(total: usize, texts: &mut dyn Iterator<Item = String>) -> String {
    let mut text = String::new();
    for (at, item) in texts.take(LISTED).enumerate() {
        text.push_str(if at == 0 { "" } else { ", " });
        text.push_str(&item);
    }
    if total > LISTED {
        text.push_str(&format!(" and {} more", total - LISTED));
    }
    text
}
