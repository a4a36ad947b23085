//! The tools that read a document: an overview, and pages of entities.
//!
//! Enters: a document, a validated input, and a view that says what of the document may be seen. Leaves:
//! canonical JSON between the untrusted-data markers, bounded, or one sentence why not. Pure functions; no
//! store, no setting and no change can reach them, and no kind of document is known here.

mod defined;
mod excerpt;
mod items;
mod page;
mod project;
mod rules;
mod search;
mod source;
mod text_match;
mod tools;
mod view;

pub use defined::DefinedView;
pub use excerpt::{LEAST_PROMPT_BYTES, PROMPT_BYTES, excerpt, summary};
pub use page::{MAX_BODY_BYTES, PageRequest, page};
pub use project::shown_text;
pub use rules::RULES;
pub use search::{answer, asked_for};
#[cfg(feature = "threat-model")]
pub(crate) use text_match::Needle;
pub use tools::{declared, object_of, paged, read_tools, taking, told};
pub use view::{Column, ColumnKind, DocumentView, Filter, FilterInput, Lend, Match, Otherwise, SectionFilter, SectionView, Tally, Texts};

/// The longest short text of a result, in code points.
pub const SCALAR_CODE_POINTS: usize = 200;
/// The longest description of a result, in code points.
pub const TEXT_CODE_POINTS: usize = 400;
/// The most items a list of a result shows.
pub const LISTED_ITEMS: usize = 10;
/// How many entities a page holds where nothing is said.
pub const DEFAULT_PAGE: u64 = 20;
/// How many it may hold; a larger page is refused by the schema, not made smaller.
pub const LARGEST_PAGE: u64 = 50;
