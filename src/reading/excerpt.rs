//! The document's part of a system prompt: only the summary, or that and the beginning of every section.
//!
//! Enters: a view, a document, how many bytes there are. Leaves: fenced text that says what is not in it. The
//! same document gives the same text.

use crate::json_object;
use crate::protocol::json::Json;
use crate::protocol::text::{FENCE_END, FENCE_START, fence};
use crate::tools::canonical::canonical_json;
use crate::tools::core_tool::Sight;

use super::project::{overview, project, shown_text};
use super::source::Source;
use super::view::{DocumentView, SectionView};

/// How long the part is where nothing is said, in bytes.
pub const PROMPT_BYTES: usize = 8192;
/// The shortest it may be told to be: room for the markers, the words and a little of the document.
pub const LEAST_PROMPT_BYTES: usize = 1024;

const ABOUT_SUMMARY: &str = "\nThat is the document's summary. The read tools show the rest of it, and show it as it is now.";
const ABOUT_EXCERPT: &str = "\nThat is an excerpt of the document: its summary, then each kind of entity with its first ones. Where `shown` is less \
     than `total`, search_entities shows the others and get_entity all of one. The read tools show the document as it is now.";
/// The markers with the line ends beside them.
const FENCES: usize = FENCE_START.len() + FENCE_END.len() + 2;

/// The summary alone, in at most `most` bytes and those of the shortest part there is.
#[must_use]
pub fn summary(view: &DocumentView<'_>, sight: &dyn Sight, most: usize) -> String {
    let room = most.max(LEAST_PROMPT_BYTES) - FENCES - ABOUT_SUMMARY.len();
    fence(&overview(view, Source::Lent(sight), None, room)) + ABOUT_SUMMARY
}

/// The summary and the first entities of every section, as a page shows them, one on a line. Each section has
/// its share of the room; it begins with how many are shown of how many.
#[must_use]
pub fn excerpt(view: &DocumentView<'_>, sight: &dyn Sight, most: usize) -> String {
    let source = Source::Lent(sight);
    let mut room = most.max(LEAST_PROMPT_BYTES) - FENCES - ABOUT_EXCERPT.len();
    let mut body = overview(view, source, None, room / 2);
    room -= body.len().min(room);
    // the shortest come first to their share, so that what they leave is for the long ones
    let mut order: Vec<(usize, usize)> = Vec::new();
    for (at, section) in view.sections.iter().enumerate() {
        let count = source.entities(section).count();
        order.insert(order.partition_point(|(other, _)| *other <= count), (count, at));
    }
    let mut parts = vec![String::new(); order.len()];
    for (nth, (total, at)) in order.iter().enumerate() {
        let share = room / (order.len() - nth);
        if let (Some(section), Some(part)) = (view.sections.get(*at), parts.get_mut(*at)) {
            *part = beginning(view, section, source, *total, share);
            room -= part.len().min(room);
        }
    }
    for part in parts {
        body.push_str(&part);
    }
    fence(&body) + ABOUT_EXCERPT
}

/// A line that says how many entities are shown of how many, and those: no more than so many bytes.
fn beginning(view: &DocumentView<'_>, section: &SectionView<'_>, source: Source<'_>, total: usize, most: usize) -> String {
    let head = |shown: usize| {
        let head = json_object! { "kind" => shown_text(section.name), "shown" => shown as f64, "total" => total as f64 };
        ["\n", &canonical_json(&head)].concat()
    };
    // no head is longer than that of a section that is shown whole
    let Some(mut left) = most.checked_sub(head(total).len()) else { return String::new() };
    let (mut shown, mut lines) = (0, String::new());
    source.entities(section).walk(0, &mut |entity| {
        let line = canonical_json(&Json::from(project(view, section, source, entity, false)));
        let fits = line.len() < left;
        if fits {
            left -= line.len() + 1;
            shown += 1;
            lines.push('\n');
            lines.push_str(&line);
        }
        fits
    });
    head(shown) + &lines
}
