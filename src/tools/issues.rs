//! What is wrong with a value, in lines a model can correct itself by: `path: problem`.
//!
//! Enters: problems with the place they are at. Leaves: at most eight lines of at most 200 code points, and
//! one that counts the rest. However much is wrong, what is said about it stays small.

use crate::protocol::json::Json;
use crate::protocol::text::{cap, echo};

use super::canonical::canonical_json;

/// The most issues told one by one; a model corrects a few at a time.
pub const MAX_ISSUES: usize = 8;
/// The longest line, in code points.
pub const MAX_ISSUE_CODE_POINTS: usize = 200;

/// A place inside a value, as a chain of steps back to the root.
#[derive(Clone, Copy)]
pub(crate) enum Path<'a> {
    /// The whole value, by the word that names it.
    Root(&'a str),
    /// A member of an object.
    Key(&'a Path<'a>, &'a str),
    /// An item of an array.
    Item(&'a Path<'a>, usize),
}

impl Path<'_> {
    /// The dotted text: `node.ids[2]`; the root's own word where there is no step.
    pub(crate) fn text(&self) -> String {
        let mut steps = Vec::new();
        let mut at = self;
        loop {
            match at {
                Path::Root(word) => {
                    let mut text = String::new();
                    for step in steps.into_iter().rev() {
                        push_step(&mut text, step);
                    }
                    return if text.is_empty() { (*word).to_owned() } else { text };
                }
                Path::Key(outer, key) => {
                    steps.push(Step::Key(key));
                    at = outer;
                }
                Path::Item(outer, index) => {
                    steps.push(Step::Item(*index));
                    at = outer;
                }
            }
        }
    }

    /// How many steps lie between the root and here.
    pub(crate) fn depth(&self) -> usize {
        let mut depth = 0;
        let mut at = self;
        while let Path::Key(outer, _) | Path::Item(outer, _) = at {
            depth += 1;
            at = outer;
        }
        depth
    }
}

/// One step of a path.
#[derive(Clone, Copy)]
pub(crate) enum Step<'a> {
    /// Into the member of this key.
    Key(&'a str),
    /// Into the item at this place.
    Item(usize),
}

/// Appends one step to the text of a path; a key that could be misread is quoted.
pub(crate) fn push_step(text: &mut String, step: Step<'_>) {
    match step {
        Step::Item(index) => {
            text.push('[');
            text.push_str(&index.to_string());
            text.push(']');
        }
        Step::Key(key) if is_plain(key) => {
            if !text.is_empty() {
                text.push('.');
            }
            text.push_str(key);
        }
        Step::Key(key) => {
            text.push_str("[\"");
            text.push_str(&echo(key));
            text.push_str("\"]");
        }
    }
}

/// Whether a key reads as one word, so that it needs no quotes.
pub(crate) fn is_plain(key: &str) -> bool {
    !key.is_empty() && key.len() <= 80 && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'$'))
}

/// A foreign value for an authored line: short values as JSON, containers by their kind.
pub(crate) fn shown(value: &Json) -> String {
    match value {
        Json::Array(items) if !items.is_empty() => "an array".to_owned(),
        Json::Object(object) if !object.is_empty() => "an object".to_owned(),
        // the quotes are ours, so that a cut text still reads as one
        Json::String(text) => format!("\"{}\"", echo(text)),
        other => echo(&canonical_json(other)),
    }
}

/// The lines said so far, and how many were left out.
#[derive(Default)]
pub(crate) struct Issues {
    lines: Vec<String>,
    more: usize,
    /// How many steps from the root the value lies that this collection is about.
    pub(crate) base: usize,
    /// Whether that value is of another kind altogether, rather than wrong in a detail.
    pub(crate) mismatched: bool,
}

impl Issues {
    /// A collection about the value at `path`.
    pub(crate) fn about(path: &Path<'_>) -> Issues {
        Issues { base: path.depth(), ..Issues::default() }
    }

    /// Adds a problem; its words are only made where they will be shown.
    pub(crate) fn add(&mut self, path: &Path<'_>, problem: impl FnOnce() -> String) {
        if self.lines.len() < MAX_ISSUES {
            self.push_line(&format!("{}: {}", path.text(), problem()));
        } else {
            self.more += 1;
        }
    }

    /// Adds a line that has its path already.
    pub(crate) fn push_line(&mut self, line: &str) {
        if self.lines.len() < MAX_ISSUES {
            self.lines.push(cap(line, MAX_ISSUE_CODE_POINTS));
        } else {
            self.more += 1;
        }
    }

    /// Counts issues that were found but not kept.
    pub(crate) fn leave_out(&mut self, count: usize) {
        self.more += count;
    }

    /// Takes over what another collection holds.
    pub(crate) fn absorb(&mut self, other: Issues) {
        for line in &other.lines {
            self.push_line(line);
        }
        self.more += other.more;
    }

    /// The first line, where there is one.
    pub(crate) fn first(&self) -> Option<&str> {
        self.lines.first().map(String::as_str)
    }

    /// Whether nothing is wrong.
    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The lines, the last of them counting what was left out.
    pub(crate) fn into_lines(mut self) -> Vec<String> {
        if self.more > 0 {
            self.lines.push(format!("and {} more", self.more));
        }
        self.lines
    }
}

/// Bounds lines that somebody else wrote the way our own are bounded.
pub(crate) fn bounded(lines: &[String]) -> Vec<String> {
    let mut issues = Issues::default();
    for line in lines {
        issues.push_line(line);
    }
    issues.into_lines()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_read_like_code_and_quote_what_could_be_misread() {
        let root = Path::Root("input");
        let node = Path::Key(&root, "node");
        let ids = Path::Key(&node, "ids");
        assert_eq!(root.text(), "input");
        assert_eq!(Path::Item(&ids, 2).text(), "node.ids[2]");
        assert_eq!(Path::Item(&ids, 2).depth(), 3);
        assert_eq!(Path::Key(&node, "a.b\u{202E}").text(), "node[\"a.b\"]");
        assert_eq!(Path::Key(&node, "").text(), "node[\"\"]");
        assert_eq!(Path::Item(&root, 0).text(), "[0]");
    }

    #[test]
    fn l8_what_is_said_about_a_bad_value_stays_small() {
        let mut issues = Issues::default();
        for at in 0..100 {
            issues.add(&Path::Item(&Path::Root("input"), at), || "x".repeat(500));
        }
        let lines = issues.into_lines();
        assert_eq!(lines.len(), MAX_ISSUES + 1);
        assert!(lines.iter().all(|line| line.chars().count() <= MAX_ISSUE_CODE_POINTS));
        assert_eq!(lines.last().map(String::as_str), Some("and 92 more"));
    }
}
