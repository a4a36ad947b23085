//! One value against the nodes of a schema.
//!
//! With somewhere to put issues it says everything that is wrong; without, it stops at the first. What a
//! schema from outside can cost is bounded twice: by depth (the stack) and by steps (the clock).

use std::sync::Arc;

use crate::protocol::json::{Json, Object};
use crate::protocol::text::echo;
use crate::tools::canonical::canonical_json;
use crate::tools::issues::{Issues, Path, shown};

use super::decimal::is_multiple;
use super::explain::{bound_words, pattern_text, unknown_keys, wrong_choice, wrong_contents, wrong_size, wrong_type};
use super::{Bound, Choices, Keyword, Members, Node, NodeId, Places, kind_bits};

/// How deep schemas may apply schemas; a value nests at most 128 levels, and one level seldom needs four.
const MAX_DEPTH: usize = 512;
/// How many checks one validation may take; a full 256 KiB input against a plain schema needs far fewer.
pub(super) const MAX_STEPS: u64 = 4_000_000;

/// What is wrong with `value`, in bounded lines, and how many steps that took.
pub(super) fn issues(nodes: &[Node], value: &Json, root: &str) -> (Vec<String>, u64) {
    let mut run = Run::deep(nodes, 0);
    let mut found = Issues::default();
    let path = Path::Root(root);
    run.check(0, value, &path, Some(&mut found));
    if run.gave_up {
        found = Issues::default();
        found.add(&path, || "is too large or too deep to be checked against its schema".to_owned());
    }
    (found.into_lines(), run.steps)
}

pub(super) struct Run<'s> {
    nodes: &'s [Node],
    depth: usize,
    steps: u64,
    /// Whether a bound was reached: nothing that was decided counts then.
    gave_up: bool,
}

impl<'s> Run<'s> {
    /// A check that begins below `depth` other schemas.
    pub(super) fn deep(nodes: &'s [Node], depth: usize) -> Run<'s> {
        Run { nodes, depth, steps: 0, gave_up: false }
    }

    pub(super) fn steps(&self) -> u64 {
        self.steps
    }

    pub(super) fn gave_up(&self) -> bool {
        self.gave_up
    }

    /// Whether `value` satisfies node `id`.
    pub(super) fn check(&mut self, id: NodeId, value: &Json, path: &Path<'_>, mut sink: Option<&mut Issues>) -> bool {
        self.steps += 1;
        if self.gave_up || self.depth >= MAX_DEPTH || self.steps > MAX_STEPS {
            self.gave_up = true;
            return false;
        }
        let keywords = match self.nodes.get(id) {
            Some(Node::Keywords(keywords)) => keywords,
            Some(Node::Always(true)) => return true,
            Some(Node::Always(false)) | None => return fail(sink, path, || "is not allowed here".to_owned()),
        };
        self.depth += 1;
        let mut valid = true;
        for keyword in keywords {
            if !self.check_keyword(keyword, value, path, sink.as_deref_mut()) {
                valid = false;
                // of another kind altogether: what else could be said is noise
                if sink.is_none() || matches!(keyword, Keyword::Type(_) | Keyword::Const(_) | Keyword::Enum(_)) {
                    break;
                }
            }
        }
        self.depth -= 1;
        valid
    }

    /// Whether `value` satisfies node `id`, without a word.
    pub(super) fn holds(&mut self, id: NodeId, value: &Json) -> bool {
        self.check(id, value, &Path::Root(""), None)
    }

    fn check_keyword(&mut self, keyword: &'s Keyword, value: &Json, path: &Path<'_>, sink: Option<&mut Issues>) -> bool {
        match (keyword, value) {
            (Keyword::Ref(id), _) => self.check(*id, value, path, sink),
            (Keyword::Type(bits), _) => bits & kind_bits(value) != 0 || mismatch(sink, path, 0, || wrong_type(*bits, value)),
            (Keyword::Const(wanted), _) => {
                wanted == value || mismatch(sink, path, 1, || format!("must be {}, got {}", shown(wanted), shown(value)))
            }
            (Keyword::Enum(choices), _) => self.is_choice(choices, value) || mismatch(sink, path, 1, || wrong_choice(choices, value)),
            (Keyword::Length { min, max }, Json::String(text)) => {
                let length = count(text.chars().count());
                within(length, *min, *max) || fail(sink, path, || wrong_size(length, *min, *max, "character", "long"))
            }
            (Keyword::Pattern(pattern), Json::String(text)) => {
                pattern.is_match(text) || fail(sink, path, || format!("must match the pattern {}", pattern_text(pattern)))
            }
            (Keyword::Limit(bound, limit), Json::Number(number)) => {
                bound.allows(*number, *limit)
                    || fail(sink, path, || {
                        format!("must be {} {}, got {}", bound_words(*bound), shown(&Json::Number(*limit)), shown(value))
                    })
            }
            (Keyword::MultipleOf(step), Json::Number(number)) => {
                is_multiple(*number, *step)
                    || fail(sink, path, || format!("must be a multiple of {}, got {}", shown(&Json::Number(*step)), shown(value)))
            }
            (Keyword::Items { prefix, rest }, Json::Array(items)) => self.check_items(prefix, *rest, items, path, sink),
            (Keyword::Contains { node, min, max }, Json::Array(items)) => {
                let found = count(items.iter().filter(|item| self.holds(*node, item)).count());
                within(found, Some(*min), *max) || fail(sink, path, || wrong_contents(found, *min, *max))
            }
            (Keyword::ItemCount { min, max }, Json::Array(items)) => {
                let size = count(items.len());
                within(size, *min, *max) || fail(sink, path, || wrong_size(size, *min, *max, "item", "in size"))
            }
            (Keyword::Unique, Json::Array(items)) => match first_pair(items) {
                None => true,
                Some((a, b)) => fail(sink, path, || format!("items [{a}] and [{b}] are equal, but each may stand only once")),
            },
            (Keyword::MemberCount { min, max }, Json::Object(object)) => {
                let size = count(object.len());
                within(size, *min, *max) || fail(sink, path, || wrong_size(size, *min, *max, "key", "in size"))
            }
            (Keyword::Required(names), Json::Object(object)) => need(names, object, path, sink, String::new),
            (Keyword::Members(members), Json::Object(object)) => self.check_members(members, object, path, sink),
            (Keyword::Names(node), Json::Object(object)) => self.check_names(*node, object, path, sink),
            (Keyword::DependentRequired(needs), Json::Object(object)) => {
                let mut valid = true;
                let mut sink = sink;
                for (name, names) in needs.iter().filter(|(name, _)| object.contains_key(name)) {
                    valid &= need(names, object, path, sink.as_deref_mut(), || format!(" where `{}` is given", echo(name)));
                }
                valid
            }
            (Keyword::DependentSchemas(schemas), Json::Object(object)) => {
                let present = schemas.iter().filter(|(name, _)| object.contains_key(name)).map(|(_, id)| *id);
                self.check_all(present, value, path, sink)
            }
            (Keyword::AllOf(ids), _) => self.check_all(ids.iter().copied(), value, path, sink),
            (Keyword::AnyOf(ids), _) => ids.iter().any(|id| self.holds(*id, value)) || self.explain(ids, value, path, sink),
            (Keyword::OneOf(ids), _) => {
                let mut matching = Vec::new();
                for (at, id) in ids.iter().enumerate() {
                    if self.holds(*id, value) {
                        matching.push(at + 1);
                    }
                }
                match matching.as_slice() {
                    [_] => true,
                    [] => self.explain(ids, value, path, sink),
                    [first, second, ..] => {
                        fail(sink, path, || format!("matches forms {first} and {second} at once, but must match exactly one"))
                    }
                }
            }
            (Keyword::Not(id), _) => !self.holds(*id, value) || fail(sink, path, || "is one of the values that are excluded".to_owned()),
            (Keyword::If { test, then, otherwise }, _) => {
                let branch = if self.holds(*test, value) { then } else { otherwise };
                branch.is_none_or(|id| self.check(id, value, path, sink))
            }
            _ => true,
        }
    }

    fn check_all(&mut self, ids: impl Iterator<Item = NodeId>, value: &Json, path: &Path<'_>, mut sink: Option<&mut Issues>) -> bool {
        let mut valid = true;
        for id in ids {
            valid &= self.check(id, value, path, sink.as_deref_mut());
            if !valid && sink.is_none() {
                break;
            }
        }
        valid
    }

    fn check_items(
        &mut self,
        prefix: &[NodeId],
        rest: Option<NodeId>,
        items: &[Json],
        path: &Path<'_>,
        mut sink: Option<&mut Issues>,
    ) -> bool {
        let mut valid = true;
        for (at, item) in items.iter().enumerate() {
            let Some(id) = prefix.get(at).copied().or(rest) else { break };
            valid &= self.check(id, item, &Path::Item(path, at), sink.as_deref_mut());
            if !valid && sink.is_none() {
                break;
            }
        }
        valid
    }

    fn check_members(&mut self, members: &'s Members, object: &Object, path: &Path<'_>, mut sink: Option<&mut Issues>) -> bool {
        let mut valid = true;
        let mut unknown = Vec::new();
        for (key, value) in object.iter() {
            let place = Path::Key(path, key);
            let mut known = false;
            if let Some(id) = members.named.get(key) {
                known = true;
                valid &= self.check(*id, value, &place, sink.as_deref_mut());
            }
            for (pattern, id) in &members.patterns {
                if pattern.is_match(key) {
                    known = true;
                    valid &= self.check(*id, value, &place, sink.as_deref_mut());
                }
            }
            if let (false, Some(rest)) = (known, members.rest) {
                if let Some(Node::Always(false)) = self.nodes.get(rest) {
                    valid = false;
                    unknown.push(key);
                } else {
                    valid &= self.check(rest, value, &place, sink.as_deref_mut());
                }
            }
            if !valid && sink.is_none() {
                return false;
            }
        }
        if unknown.is_empty() { valid } else { fail(sink, path, || unknown_keys(&unknown, members)) }
    }

    fn check_names(&mut self, id: NodeId, object: &Object, path: &Path<'_>, mut sink: Option<&mut Issues>) -> bool {
        let mut valid = true;
        for key in object.keys() {
            let name = Json::String(key.clone());
            if self.holds(id, &name) {
                continue;
            }
            valid = false;
            let Some(sink) = sink.as_deref_mut() else { return false };
            let mut why = Issues::default();
            self.check(id, &name, &Path::Root("the name"), Some(&mut why));
            sink.add(path, || format!("the key `{}` is not allowed: {}", echo(key), why.first().unwrap_or_default()));
        }
        valid
    }

    fn is_choice(&mut self, choices: &Choices, value: &Json) -> bool {
        match value {
            Json::String(text) => choices.texts.contains_key(text),
            other => {
                self.steps += count(choices.others.len());
                choices.others.contains(other)
            }
        }
    }
}

/// Records a problem where there is somewhere to put it; always `false`.
pub(super) fn fail(sink: Option<&mut Issues>, path: &Path<'_>, problem: impl FnOnce() -> String) -> bool {
    if let Some(sink) = sink {
        sink.add(path, problem);
    }
    false
}

/// Like `fail`, where the value is not even of the kind this schema is about; `explain` asks for that.
fn mismatch(sink: Option<&mut Issues>, path: &Path<'_>, reach: usize, problem: impl FnOnce() -> String) -> bool {
    if let Some(sink) = sink {
        sink.mismatched |= path.depth() <= sink.base + reach;
        sink.add(path, problem);
    }
    false
}

/// Every name of `names` is a key of `object`, or an issue at the place where it is missing.
fn need(names: &[Arc<str>], object: &Object, path: &Path<'_>, mut sink: Option<&mut Issues>, why: impl Fn() -> String) -> bool {
    let mut valid = true;
    for name in names.iter().filter(|name| !object.contains_key(name)) {
        valid = fail(sink.as_deref_mut(), &Path::Key(path, name), || format!("is required but missing{}", why()));
    }
    valid
}

/// The first two places that hold equal values. Equal values have one canonical text, so this is not quadratic.
fn first_pair(items: &[Json]) -> Option<(usize, usize)> {
    let mut seen = Places::new();
    items.iter().enumerate().find_map(|(at, item)| seen.insert(Arc::from(canonical_json(item)), at).map(|first| (first, at)))
}

impl Bound {
    fn allows(self, number: f64, limit: f64) -> bool {
        match self {
            Bound::AtLeast => number >= limit,
            Bound::AtMost => number <= limit,
            Bound::Above => number > limit,
            Bound::Below => number < limit,
        }
    }
}

fn within(size: u64, min: Option<u64>, max: Option<u64>) -> bool {
    min.is_none_or(|min| size >= min) && max.is_none_or(|max| size <= max)
}

fn count(size: usize) -> u64 {
    u64::try_from(size).unwrap_or(u64::MAX)
}
