//! What is wrong with a document: collected whole, told in bounded lines `class: path: text`.
//!
//! A fault is known by class, path and offending value, and counted. What a document had before a change is
//! told apart from what the change brought.

use std::rc::Rc;
use std::sync::Arc;

use crate::protocol::places::KeptPlaces;
use crate::protocol::text::{cap, concat, echo};

/// The most lines collected.
pub const MAX_LINES: usize = 100;
/// The longest message made of them, in bytes.
pub const MESSAGE_BYTES: usize = 2048;
/// The longest line, in code points.
const LINE_CODE_POINTS: usize = 400;
/// What the message says beside its lines fits in this.
const FRAME_BYTES: usize = 260;
/// The most candidates a fault offers for a value that is none of them.
const CANDIDATES: usize = 10;
/// The most bytes those take.
const CANDIDATES_BYTES: usize = 600;

/// The faults of one document, seen against those of the document it came from.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    before: Rc<KeptPlaces>,
    counts: Rc<KeptPlaces>,
    lines: Vec<String>,
    new_lines: Vec<String>,
    total: usize,
    new_total: usize,
    effort: u64,
}

impl Faults {
    /// Nothing found yet, and nothing known from before.
    #[must_use]
    pub fn new() -> Faults {
        Faults::default()
    }

    /// Nothing found yet; what `earlier` found is not new.
    #[must_use]
    pub fn after(earlier: &Faults) -> Faults {
        Faults { before: Rc::clone(&earlier.counts), ..Faults::default() }
    }

    /// Adds a fault; `path` and `text` are authored words with foreign values echoed, `subject` is the raw
    /// offending value. The text is only made where it will be shown.
    pub fn add(&mut self, class: &'static str, path: &str, subject: &str, text: impl FnOnce() -> String) {
        let wanted = self.count(class, path, subject);
        if wanted.any() {
            self.keep(class, path, wanted, &text());
        }
    }

    /// Adds a fault that counts as new whatever was known (a check that could not be made).
    pub fn add_always(&mut self, class: &'static str, path: &str, text: impl FnOnce() -> String) {
        let wanted = self.wanted(true);
        if wanted.any() {
            self.keep(class, path, wanted, &text());
        }
    }

    /// Notes what it took to read the document, where the definition bounds that.
    pub fn set_effort(&mut self, effort: u64) {
        self.effort = effort;
    }

    /// What it took to read the document.
    #[must_use]
    pub fn effort(&self) -> u64 {
        self.effort
    }

    /// Every fault found, at most 100, in order.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Those that were not there before, at most 100, in order.
    #[must_use]
    pub fn new_lines(&self) -> &[String] {
        &self.new_lines
    }

    /// How many were found.
    #[must_use]
    pub fn total(&self) -> usize {
        self.total
    }

    /// Whether nothing was found that was not there before.
    #[must_use]
    pub fn nothing_new(&self) -> bool {
        self.new_total == 0
    }

    /// What the proposer of the document is told: at most 2 kB.
    #[must_use]
    pub fn message(&self) -> String {
        let (mut told, mut shown) = (String::new(), 0usize);
        for line in &self.new_lines {
            if told.len() + line.len() + 1 > MESSAGE_BYTES - FRAME_BYTES {
                break;
            }
            told.push('\n');
            told.push_str(line);
            shown += 1;
        }
        let mut message = format!("the proposed document is not valid, so nothing was changed:{told}");
        if self.new_total > shown {
            message.push_str(&format!("\nand {} more", self.new_total - shown));
        }
        match self.total - self.new_total {
            0 => {}
            old => message.push_str(&format!(
                "\n({old} more {} in the document before this change and {} not the reason)",
                if old == 1 { "fault was" } else { "faults were" },
                if old == 1 { "is" } else { "are" }
            )),
        }
        message
    }

    fn count(&mut self, class: &str, path: &str, subject: &str) -> Wanted {
        let key = concat(&[class, "\u{0}", path, "\u{0}", subject]);
        let known = self.before.get(key.as_str()).copied().unwrap_or(0);
        let count = Rc::make_mut(&mut self.counts).entry(Arc::from(key)).or_insert(0);
        *count += 1;
        let is_new = *count > known;
        self.wanted(is_new)
    }

    fn wanted(&mut self, is_new: bool) -> Wanted {
        self.total += 1;
        self.new_total += usize::from(is_new);
        Wanted { line: self.lines.len() < MAX_LINES, new_line: is_new && self.new_lines.len() < MAX_LINES }
    }

    fn keep(&mut self, class: &str, path: &str, wanted: Wanted, text: &str) {
        let line = cap(&concat(&[class, ": ", path, ": ", text]), LINE_CODE_POINTS);
        if wanted.new_line {
            self.new_lines.push(line.clone());
        }
        if wanted.line {
            self.lines.push(line);
        }
    }
}

/// Where the line of a fault is shown.
#[derive(Clone, Copy)]
struct Wanted {
    line: bool,
    new_line: bool,
}

impl Wanted {
    fn any(self) -> bool {
        self.line || self.new_line
    }
}

/// `elements[web].layer`: a place told by id.
#[must_use]
pub fn by_id(section: &str, id: &str, field: &str) -> String {
    dotted(format!("{section}[{}]", echo(id)), field)
}

/// `elements[2].id`: a place told by number, where there is no id to tell it by.
#[must_use]
pub fn by_place(section: &str, place: usize, field: &str) -> String {
    dotted(format!("{section}[{place}]"), field)
}

/// At most ten of the values that would have been right, those most like `wanted` first, and their number.
#[must_use]
pub fn candidates<'a>(wanted: &str, known: impl Iterator<Item = &'a str>) -> String {
    let folded: String = wanted.trim().chars().flat_map(char::to_lowercase).collect();
    let mut count = 0usize;
    // the ten best so far, best first; ties stay in document order
    let mut best: Vec<(usize, &str)> = Vec::new();
    for value in known {
        count += 1;
        let likeness = folded.chars().zip(value.chars().flat_map(char::to_lowercase)).take_while(|(a, b)| a == b).count();
        let place = best.partition_point(|(other, _)| *other >= likeness);
        if place < CANDIDATES {
            best.insert(place, (likeness, value));
            best.truncate(CANDIDATES);
        }
    }
    if count == 0 {
        return "there is none".to_owned();
    }
    let (mut list, mut shown) = (String::new(), 0usize);
    for (_, value) in best {
        let item = format!("`{}`", echo(value));
        if list.len() + item.len() + 2 > CANDIDATES_BYTES {
            break;
        }
        list.push_str(if list.is_empty() { "" } else { ", " });
        list.push_str(&item);
        shown += 1;
    }
    if shown == count { format!("known: {list}") } else { format!("known: {list} ({shown} of {count})") }
}

fn dotted(place: String, field: &str) -> String {
    if field.is_empty() { place } else { format!("{place}.{field}") }
}

/// A host's line with every number in brackets left out: a fault that only moved in its list is no new one.
pub(super) fn without_places(line: &str) -> String {
    let mut kept = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((head, tail)) = rest.split_once('[') {
        kept.push_str(head);
        kept.push('[');
        rest = tail.trim_start_matches(|c: char| c.is_ascii_digit());
        if !rest.starts_with(']') {
            rest = tail;
        }
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c1_a_fault_that_was_there_is_not_new_and_one_more_of_it_is() {
        let fault = |faults: &mut Faults| faults.add("duplicate-id", "elements[3].id", "3", || "again".to_owned());
        let mut first = Faults::new();
        fault(&mut first);
        let mut second = Faults::after(&first);
        fault(&mut second);
        assert!(second.nothing_new());
        assert_eq!(second.lines(), ["duplicate-id: elements[3].id: again"]);
        second.add("duplicate-id", "elements[4].id", "3", || "again".to_owned());
        assert_eq!(second.new_lines(), ["duplicate-id: elements[4].id: again"]);
        assert!(second.message().ends_with("(1 more fault was in the document before this change and is not the reason)"));
        fault(&mut second);
        assert_eq!((second.new_lines().len(), second.total()), (2, 3));
        assert_eq!(without_places("tasks[12].x: no [1a] [] [7]"), "tasks[].x: no [1a] [] []");
    }

    #[test]
    fn c1_messages_are_bounded_whatever_is_wrong() {
        let mut faults = Faults::new();
        for n in 0..50_000 {
            faults.add("duplicate-id", &by_id("elements", &"\u{1F600}<".repeat(200), ""), &n.to_string(), || "é".repeat(1000));
        }
        assert_eq!((faults.lines().len(), faults.total()), (MAX_LINES, 50_000));
        assert!(faults.message().len() <= MESSAGE_BYTES);
        assert!(faults.message().contains("more"));
    }

    #[test]
    fn candidates_are_few_and_near() {
        let ids: Vec<String> = (0..3000).map(|n| format!("comp-{n}")).chain(["Web".to_owned()]).collect();
        let told = candidates("web ", ids.iter().map(String::as_str));
        assert!(told.starts_with("known: `Web`, `comp-0`") && told.ends_with("(10 of 3001)"), "{told}");
        assert_eq!(candidates("x", ["a"].into_iter()), "known: `a`");
        let wide = ["\u{1F600}<".repeat(60), "b".to_owned()];
        assert!(candidates("x", wide.iter().map(String::as_str)).len() < 700);
    }
}
