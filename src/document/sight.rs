//! A document lent to a core tool together with its index.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::protocol::json::Json;
use crate::tools::core_tool::{IndexedList, ListColumn, Sight};

use super::definition::Section;
use super::index::{Index, list_of};
use super::live::Live;
use super::pointer;

/// A document and its index; one of its own is made where there is none and something is asked of it.
pub struct Lent<'a> {
    held: Held<'a>,
    sections: &'a [Section],
    numbered: Option<(&'a str, &'a str)>,
    own: OnceCell<Index>,
}

enum Held<'a> {
    /// A document alone.
    Plain(&'a Json),
    Live(&'a Live),
}

impl<'a> Lent<'a> {
    /// A document of which nothing is known; `numbered` is the section and field whose largest number may be asked for.
    #[must_use]
    pub fn plain(document: &'a Json, sections: &'a [Section], numbered: Option<(&'a str, &'a str)>) -> Lent<'a> {
        Lent { held: Held::Plain(document), sections, numbered, own: OnceCell::new() }
    }

    /// The document of a store.
    pub(super) fn live(live: &'a Live, sections: &'a [Section]) -> Lent<'a> {
        Lent { held: Held::Live(live), sections, numbered: None, own: OnceCell::new() }
    }

    fn index(&self) -> &Index {
        match self.held {
            Held::Live(live) => live.index(),
            Held::Plain(_) => None,
        }
        .unwrap_or_else(|| self.own.get_or_init(|| Index::of(self.sections, self.numbered, self.document())))
    }
}

impl Sight for Lent<'_> {
    fn document(&self) -> &Json {
        match self.held {
            Held::Plain(document) => document,
            Held::Live(live) => live.document(self.sections),
        }
    }

    fn entity(&self, section: &str, place: usize) -> Option<&Json> {
        self.index().entity(list_of(self.sections, section)?, place)
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

    fn frame(&self) -> &Json {
        match self.held {
            Held::Plain(document) => document,
            Held::Live(live) => live.frame(self.sections),
        }
    }

    fn list<'a>(&'a self, place: &str) -> Option<Box<dyn IndexedList + 'a>> {
        let Held::Live(live) = self.held else { return None };
        let index = live.index()?;
        let list = self.sections.iter().position(|section| section.path.strip_prefix('/') == Some(place))?;
        Some(Box::new(LentList { index, section: self.sections.get(list)?, list }))
    }
}

/// One list of a document that has an index.
struct LentList<'a> {
    index: &'a Index,
    section: &'a Section,
    list: usize,
}

impl IndexedList for LentList<'_> {
    fn count(&self) -> usize {
        self.index.len(self.list)
    }

    fn entity(&self, place: usize) -> Option<&Json> {
        self.index.entity(self.list, place)
    }

    fn walk(&self, from: usize, look: &mut dyn FnMut(&Json) -> bool) {
        self.index.walk(self.list, from, look);
    }

    fn column(&self, place: &str) -> Option<Rc<ListColumn>> {
        self.index.column(self.list, place)
    }

    fn places_of(&self, id_key: &str, id: &str) -> Option<Vec<usize>> {
        (self.section.id_key == id_key).then(|| self.index.places(self.list, id))
    }

    fn naming(&self, references: &mut dyn Iterator<Item = &str>, id: &str) -> Option<Vec<usize>> {
        let mut wanted = Vec::new();
        for place in references {
            let segments = pointer::parse(&["/", place].concat()).ok()?;
            wanted.push(self.section.references.iter().position(|reference| reference.segments == segments)?);
        }
        self.index.naming(self.list, &wanted, id)
    }
}
