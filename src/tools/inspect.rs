//! The look at a raw value that comes before any schema: keys that must not exist, numbers that are not
//! what they seem, depth. Walks without recursion, so that no depth of nesting can exhaust the stack.

use crate::protocol::json::{Json, MAX_SAFE_INTEGER};

use super::issues::{MAX_ISSUES, Step, push_step};

/// A key that reaches into the prototype of a JavaScript object: never an honest name.
const FORBIDDEN_KEY: &str = "__proto__";

/// What the walk found; at most `MAX_ISSUES` places of each kind are kept, all are counted.
#[derive(Default)]
pub(crate) struct Flaws {
    /// Where the forbidden key stands.
    pub(crate) keys: Places,
    /// Where a whole number is outside ±(2^53-1).
    pub(crate) integers: Places,
    /// Where a number is not finite (a host can build one, JSON text cannot).
    pub(crate) not_finite: Places,
    /// How deep arrays and objects nest; 0 for a scalar.
    pub(crate) depth: usize,
}

/// Paths of one kind of flaw.
#[derive(Default)]
pub(crate) struct Places {
    /// The first few.
    pub(crate) paths: Vec<String>,
    /// All of them.
    pub(crate) count: usize,
}

struct Open<'a> {
    container: &'a Json,
    trail: usize,
    depth: usize,
}

/// Walks the whole of `value` once.
pub(crate) fn inspect(value: &Json) -> Flaws {
    let mut flaws = Flaws::default();
    // one entry per container: the container around it and the step from there; entry 0 is the root
    let mut trails: Vec<(usize, Step<'_>)> = vec![(0, Step::Item(0))];
    let mut stack = Vec::new();
    match value {
        Json::Array(_) | Json::Object(_) => stack.push(Open { container: value, trail: 0, depth: 1 }),
        scalar => inspect_scalar(scalar, &mut flaws, || String::from("input")),
    }
    while let Some(Open { container, trail, depth }) = stack.pop() {
        flaws.depth = flaws.depth.max(depth);
        let first = stack.len();
        let child = |step: Step<'_>, value: &Json, flaws: &mut Flaws, trails: &[(usize, Step<'_>)]| {
            if matches!(step, Step::Key(FORBIDDEN_KEY)) {
                flaws.keys.note(|| path_text(trails, trail, step));
            }
            inspect_scalar(value, flaws, || path_text(trails, trail, step));
        };
        match container {
            Json::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    child(Step::Item(at), item, &mut flaws, &trails);
                    if matches!(item, Json::Array(_) | Json::Object(_)) {
                        trails.push((trail, Step::Item(at)));
                        stack.push(Open { container: item, trail: trails.len() - 1, depth: depth + 1 });
                    }
                }
            }
            Json::Object(object) => {
                for (key, item) in object.iter() {
                    child(Step::Key(key), item, &mut flaws, &trails);
                    if matches!(item, Json::Array(_) | Json::Object(_)) {
                        trails.push((trail, Step::Key(key)));
                        stack.push(Open { container: item, trail: trails.len() - 1, depth: depth + 1 });
                    }
                }
            }
            _ => {}
        }
        // the stack gives back the last first, paths should come in the order of the text
        if let Some(added) = stack.get_mut(first..) {
            added.reverse();
        }
    }
    flaws
}

fn inspect_scalar(value: &Json, flaws: &mut Flaws, path: impl FnOnce() -> String) {
    let Json::Number(number) = value else { return };
    if !number.is_finite() {
        flaws.not_finite.note(path);
    } else if number.abs() > MAX_SAFE_INTEGER {
        // from here up every double is whole
        flaws.integers.note(path);
    }
}

impl Places {
    fn note(&mut self, path: impl FnOnce() -> String) {
        self.count += 1;
        if self.paths.len() < MAX_ISSUES {
            self.paths.push(path());
        }
    }
}

fn path_text(trails: &[(usize, Step<'_>)], mut trail: usize, last: Step<'_>) -> String {
    let mut steps = vec![last];
    while trail != 0 {
        let Some((outer, step)) = trails.get(trail) else { break };
        steps.push(*step);
        trail = *outer;
    }
    let mut text = String::new();
    for step in steps.into_iter().rev() {
        push_step(&mut text, step);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_every_flaw_in_the_order_of_the_text() {
        let value = Json::parse(
            r#"{"a":{"__proto__":1},"b":[{"c":{"__proto__":{"__proto__":2}}}],"n":[9007199254740992,-1e300,9007199254740991]}"#,
        );
        let flaws = inspect(&value.unwrap());
        assert_eq!(flaws.keys.paths, ["a.__proto__", "b[0].c.__proto__", "b[0].c.__proto__.__proto__"]);
        assert_eq!(flaws.integers.paths, ["n[0]", "n[1]"]);
        assert_eq!(flaws.depth, 5);
        let flaws = inspect(&Json::from(vec![Json::Number(f64::NAN), Json::Number(f64::INFINITY)]));
        assert_eq!(flaws.not_finite.paths, ["[0]", "[1]"]);
    }

    #[test]
    fn e2_twenty_thousand_levels_do_not_overflow() {
        let mut value = crate::json_object! { "__proto__" => true };
        for _ in 0..20_000 {
            value = Json::from(vec![value]);
        }
        let flaws = inspect(&value);
        assert_eq!((flaws.depth, flaws.keys.count), (20_001, 1));
        // taken apart level by level: dropping it whole would recurse
        while let Json::Array(items) = value {
            value = items.first().cloned().unwrap_or_default();
        }
    }
}
