//! What of a kind of document may be seen, as data: the sections, the columns of their entities, what can be
//! asked for, what is counted. Whatever no column names is never shown.

use crate::document::pointer;
use crate::protocol::json::Json;

/// How one kind of document is read.
#[derive(Clone, Debug, Default)]
pub struct DocumentView {
    /// What the overview says of the document itself.
    pub overview: Vec<Column>,
    /// What the overview counts beside the entities of each section.
    pub tallies: Vec<Tally>,
    /// The kinds of entities, in the order in which they are told.
    pub sections: Vec<SectionView>,
    /// What a search can ask for, in the order in which it is checked.
    pub filters: Vec<Filter>,
}

impl DocumentView {
    /// The section of this name.
    #[must_use]
    pub fn section(&self, name: &str) -> Option<&SectionView> {
        self.sections.iter().find(|section| section.name == name)
    }
}

/// One kind of entities.
#[derive(Clone, Debug)]
pub struct SectionView {
    /// Its name: the `kind` of the tools.
    pub name: String,
    /// Where the list is.
    pub list: Vec<String>,
    /// The member that holds the id.
    pub id_key: String,
    /// What is shown of an entity.
    pub columns: Vec<Column>,
    /// The filters that mean something here, in the order of the view's.
    pub filters: Vec<SectionFilter>,
}

impl SectionView {
    /// The entities in document order, as far as there is a list.
    #[must_use]
    pub fn entities<'a>(&self, document: &'a Json) -> &'a [Json] {
        pointer::find(document, &self.list).and_then(Json::as_array).unwrap_or_default()
    }
}

/// One member of what is shown.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name in the result.
    pub key: String,
    /// Where its value stands in the entity.
    pub path: Vec<String>,
    /// How it is shown.
    pub kind: ColumnKind,
    /// Whether it is shown in a page of a search too.
    pub compact: bool,
}

/// How a value is shown; `otherwise` stands in place of one that is not there, and without it the member is left out.
#[derive(Clone, Debug)]
pub enum ColumnKind {
    /// A short text, a number or a boolean.
    Scalar {
        /// See above.
        otherwise: Option<Json>,
    },
    /// A longer text.
    Text {
        /// See above.
        otherwise: Option<Json>,
    },
    /// The first ten of a list of short texts, and how many there are where there are more.
    List,
    /// How many items a list has.
    Count,
    /// The ids of the entities of a section that name this one, shown as a list.
    Derived {
        /// Whose entities.
        section: String,
        /// Where they name it; a list there names each of its items.
        path: Vec<String>,
    },
    /// A part of the document with columns of its own.
    Record(Vec<Column>),
}

/// One thing a search can ask for.
#[derive(Clone, Debug)]
pub struct Filter {
    /// Its name in the input.
    pub name: String,
    /// What it takes.
    pub input: FilterInput,
    /// What the model is told of it.
    pub about: String,
}

/// What a filter takes.
#[derive(Clone, Debug)]
pub enum FilterInput {
    /// A text of 1 to 200 code points.
    Text,
    /// `true` or `false`.
    Flag,
    /// One of a closed list.
    OneOf(Vec<String>),
}

/// What a filter means in one section.
#[derive(Clone, Debug)]
pub struct SectionFilter {
    /// The filter's name.
    pub name: String,
    /// The values it looks at: an entity passes where any of them does, and a list where any of its items does.
    pub paths: Vec<Vec<String>>,
    /// When a value passes.
    pub matching: Match,
    /// What an entity without a value counts as.
    pub otherwise: Option<Json>,
}

/// When a value passes a filter. All compare what the document holds, not what is shown of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// It is the one asked for.
    Equal,
    /// The same, without regard to case.
    IgnoreCase,
    /// It holds the text asked for, without regard to case.
    Contains,
}

/// A member of a closed list, counted over a section.
#[derive(Clone, Debug)]
pub struct Tally {
    /// Its name in the overview.
    pub key: String,
    /// Over whose entities.
    pub section: String,
    /// Where the value stands.
    pub path: Vec<String>,
    /// What the value is called in the overview.
    pub label: String,
    /// Every value that is counted, in order.
    pub values: Vec<String>,
    /// What an entity without a value counts as.
    pub otherwise: Option<String>,
}
