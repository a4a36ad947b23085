//! A document lent to a core tool together with its index.

use std::cell::OnceCell;

use crate::protocol::json::Json;
use crate::tools::core_tool::Sight;

use super::definition::Section;
use super::index::{Index, list_of};

/// A document and its index; one of its own is made where none was given and something is asked of it.
pub(crate) struct Lent<'a> {
    document: &'a Json,
    sections: &'a [Section],
    numbered: Option<(&'a str, &'a str)>,
    given: Option<&'a Index>,
    own: OnceCell<Index>,
}

impl<'a> Lent<'a> {
    pub(crate) fn new(
        document: &'a Json,
        sections: &'a [Section],
        numbered: Option<(&'a str, &'a str)>,
        given: Option<&'a Index>,
    ) -> Lent<'a> {
        Lent { document, sections, numbered, given, own: OnceCell::new() }
    }

    fn index(&self) -> &Index {
        self.given.unwrap_or_else(|| self.own.get_or_init(|| Index::of(self.sections, self.numbered, self.document)))
    }
}

impl Sight for Lent<'_> {
    fn document(&self) -> &Json {
        self.document
    }

    fn places(&self, section: &str, id: &str) -> Vec<usize> {
        list_of(self.sections, section).map(|list| self.index().places(list, id)).unwrap_or_default()
    }

    fn holders(&self, section: &str, id: &str) -> Vec<(&str, usize)> {
        let Some(list) = list_of(self.sections, section) else { return Vec::new() };
        let holders = self.index().holders(self.sections, list, id);
        holders.into_iter().filter_map(|(list, place)| Some((self.sections.get(list)?.name.as_str(), place))).collect()
    }

    fn fresh_id(&self, section: &str) -> String {
        list_of(self.sections, section).map(|list| self.index().fresh(self.sections, list)).unwrap_or_default()
    }

    fn largest_number(&self, section: &str) -> f64 {
        list_of(self.sections, section).map_or(0.0, |list| self.index().largest(list))
    }
}
