//! What of a kind of document may be seen, as data: the sections, the columns of their entities, what can be
//! asked for, what is counted. Whatever no column names is never shown.
//!
//! All of it is borrowed, so that a table written at compile time costs no code. A *place* is a JSON pointer
//! without its leading `/`: `mitigation/status`.

use std::sync::Arc;

use crate::document::pointer;
use crate::protocol::json::Json;

/// Whoever has a view lends it: a table written at compile time, or one made from a definition.
pub trait Lend: Send + Sync {
    /// Lends the view for as long as `look` takes.
    fn lend(&self, look: &mut dyn FnMut(&DocumentView<'_>));

    /// The definition it was made from, which every tool over it carries; nothing where it is shipped.
    fn definition(&self) -> Option<&Json> {
        None
    }
}

impl Lend for DocumentView<'static> {
    fn lend(&self, look: &mut dyn FnMut(&DocumentView<'_>)) {
        look(self);
    }
}

/// Texts that are written down, or that somebody else owns.
#[derive(Clone, Copy, Debug)]
pub enum Texts<'a> {
    /// Written down.
    Fixed(&'a [&'a str]),
    /// Somebody else's.
    Owned(&'a [String]),
}

impl<'a> Texts<'a> {
    /// The text at a place.
    #[must_use]
    pub fn at(self, place: usize) -> Option<&'a str> {
        match self {
            Texts::Fixed(texts) => texts.get(place).copied(),
            Texts::Owned(texts) => texts.get(place).map(String::as_str),
        }
    }

    /// All of them, in order.
    pub fn iter(self) -> impl Iterator<Item = &'a str> {
        (0..).map_while(move |place| self.at(place))
    }
}

/// How one kind of document is read.
#[derive(Clone, Copy, Debug)]
pub struct DocumentView<'a> {
    /// What the overview says of the document itself.
    pub overview: &'a [Column<'a>],
    /// What the overview counts beside the entities of each section.
    pub tallies: &'a [Tally<'a>],
    /// The kinds of entities, in the order in which they are told.
    pub sections: &'a [SectionView<'a>],
    /// What a search can ask for, in the order in which it is checked.
    pub filters: &'a [Filter<'a>],
}

impl<'a> DocumentView<'a> {
    /// The section of this name.
    #[must_use]
    pub fn section(&self, name: &str) -> Option<&'a SectionView<'a>> {
        self.sections.iter().find(|section| section.name == name)
    }
}

/// One kind of entities.
#[derive(Clone, Copy, Debug)]
pub struct SectionView<'a> {
    /// Its name: the `kind` of the tools.
    pub name: &'a str,
    /// The place of the list.
    pub list: &'a str,
    /// The member that holds the id.
    pub id_key: &'a str,
    /// What is shown of an entity.
    pub columns: &'a [Column<'a>],
    /// The filters that mean something here, in the order of the view's.
    pub filters: &'a [SectionFilter<'a>],
}

impl SectionView<'_> {
    /// The entities in document order, as far as there is a list.
    #[must_use]
    pub fn entities<'d>(&self, document: &'d Json) -> &'d [Json] {
        pointer::find(document, &segments(self.list)).and_then(Json::as_array).unwrap_or_default()
    }
}

/// One member of what is shown.
#[derive(Clone, Copy, Debug)]
pub struct Column<'a> {
    /// Its name in the result.
    pub key: &'a str,
    /// The place of its value in the entity.
    pub place: &'a str,
    /// How it is shown.
    pub kind: ColumnKind<'a>,
    /// Whether it is shown in a page of a search too.
    pub compact: bool,
}

/// How a value is shown.
#[derive(Clone, Copy, Debug)]
pub enum ColumnKind<'a> {
    /// Whatever is there, as far as it is a text, a number, a boolean or a list of them.
    Value {
        /// Whether a text is a longer one where the entity is shown whole.
        long: bool,
    },
    /// Every other member of an entity that is a text, a number, a boolean or a list of them, the first by name; those named
    /// here are not among them.
    Others(Texts<'a>),
    /// A short text, a number or a boolean.
    Scalar(Otherwise<'a>),
    /// A longer text.
    Text(Otherwise<'a>),
    /// The first ten of a list of short texts, and how many there are where there are more.
    List,
    /// How many items a list has.
    Count,
    /// The ids of the entities of a section that name this one, shown as a list.
    Derived {
        /// Whose entities.
        section: &'a str,
        /// The place where they name it; a list there names each of its items.
        place: &'a str,
    },
    /// A part of the document with columns of its own.
    Record(&'a [Column<'a>]),
}

/// What stands for a value that is not there.
#[derive(Clone, Copy, Debug)]
pub enum Otherwise<'a> {
    /// Nothing: the member is left out.
    Nothing,
    /// `null`.
    Null,
    /// A boolean.
    Flag(bool),
    /// A text.
    Text(&'a str),
}

impl Otherwise<'_> {
    pub(super) fn value(self) -> Option<Json> {
        match self {
            Otherwise::Nothing => None,
            Otherwise::Null => Some(Json::Null),
            Otherwise::Flag(flag) => Some(Json::Bool(flag)),
            Otherwise::Text(text) => Some(Json::from(text)),
        }
    }
}

/// One thing a search can ask for.
#[derive(Clone, Copy, Debug)]
pub struct Filter<'a> {
    /// Its name in the input.
    pub name: &'a str,
    /// What it takes.
    pub input: FilterInput<'a>,
    /// What the model is told of it.
    pub about: &'a str,
}

/// What a filter takes.
#[derive(Clone, Copy, Debug)]
pub enum FilterInput<'a> {
    /// A text of 1 to 200 code points.
    Text,
    /// `true` or `false`.
    Flag,
    /// A number.
    Number,
    /// A text as above, a number, `true` or `false`.
    Scalar,
    /// One of a closed list.
    OneOf(Texts<'a>),
}

/// What a filter means in one section.
#[derive(Clone, Copy, Debug)]
pub struct SectionFilter<'a> {
    /// The filter's name.
    pub name: &'a str,
    /// The places of the values it looks at: an entity passes where any of them does, and a list where any of its items does.
    pub places: Texts<'a>,
    /// When a value passes.
    pub matching: Match,
    /// What an entity without a value counts as.
    pub otherwise: Otherwise<'a>,
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
    /// It is the one asked for, or a text that holds it, without regard to case.
    Includes,
}

/// A member of a closed list, counted over a section.
#[derive(Clone, Copy, Debug)]
pub struct Tally<'a> {
    /// Its name in the overview.
    pub key: &'a str,
    /// Over whose entities.
    pub section: &'a str,
    /// The place of the value.
    pub place: &'a str,
    /// What the value is called in the overview.
    pub label: &'a str,
    /// Every value that is counted, in order.
    pub values: Texts<'a>,
    /// Which of them an entity without a value counts as, where it counts.
    pub otherwise: Option<&'a str>,
}

/// The steps to a place.
pub(super) fn segments(place: &str) -> Vec<String> {
    pointer::parse(&["/", place].concat()).unwrap_or_default()
}

/// What stands at a place, where something does; `null` is nothing.
pub(super) fn value_at<'d>(value: &'d Json, place: &str) -> Option<&'d Json> {
    // nearly every place is the name of a member
    let found =
        if place.bytes().any(|byte| matches!(byte, b'/' | b'~')) { pointer::find(value, &segments(place)) } else { value.get(place) };
    found.filter(|value| !matches!(value, Json::Null))
}

/// A place that is looked at in every entity of a list.
pub(super) struct Probe {
    first: Arc<str>,
    rest: Vec<String>,
    /// Where the first member stood in the entity before.
    near: usize,
}

impl Probe {
    pub(super) fn new(place: &str) -> Probe {
        let mut rest = segments(place);
        let first = if rest.is_empty() { String::new() } else { rest.remove(0) };
        Probe { first: Arc::from(first), rest, near: 0 }
    }

    /// The same as `value_at`.
    #[inline]
    pub(super) fn value<'d>(&mut self, entity: &'d Json) -> Option<&'d Json> {
        let Json::Object(object) = entity else { return None };
        let mut value = object.get_near(&mut self.first, &mut self.near)?;
        if !self.rest.is_empty() {
            value = pointer::find(value, &self.rest)?;
        }
        if matches!(value, Json::Null) { None } else { Some(value) }
    }
}
