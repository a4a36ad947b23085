//! A shipped tool that runs inside the core: what it declares, how it reads its input, what it does.

use std::rc::Rc;

use crate::protocol::command::ToolOutcome;
use crate::protocol::json::Json;
use crate::protocol::reference::Reference;

use super::declaration::ToolDeclaration;

/// A tool the core runs itself, synchronously, as a pure function of document and input.
pub trait CoreTool: Send + Sync {
    /// The declaration as shipped; a host may tighten it, never loosen it.
    fn declaration(&self) -> ToolDeclaration;

    /// Brings schema-valid input to its one canonical form before it is digested and shown; the issues are
    /// written for the model, one line each, prefixed with the path.
    fn normalize(&self, input: Json) -> Result<Json, Vec<String>> {
        Ok(input)
    }

    /// The card's line for a normalized input, where the declaration's template is not enough. Plain text.
    fn summary(&self, input: &Json) -> Option<String> {
        let _ = input;
        None
    }

    /// The head of the card on the document as it is before the call: what it does, things named by their titles. Plain text.
    fn card(&self, sight: &dyn Sight, input: &Json) -> Option<String> {
        let _ = (sight, input);
        None
    }

    /// Whether it checks the whole input itself, so that a host may tell the model of another input schema.
    fn checks_itself(&self) -> bool {
        false
    }

    /// Runs on `document`; returns a whole next document (sharing what did not change) or an error.
    fn run(&self, document: &Json, input: &Json) -> ToolOutcome;

    /// The same on a document in which things are found without a search; a change may be told as a patch.
    fn run_on(&self, sight: &dyn Sight, input: &Json) -> ToolOutcome {
        self.run(sight.document(), input)
    }
}

/// A section as a tool has to know it.
#[derive(Clone, Copy, Debug)]
pub struct Kind<'a> {
    /// Its name.
    pub name: &'a str,
    /// JSON pointer to the list.
    pub path: &'a str,
    /// The member that holds the id.
    pub id_key: &'a str,
    /// The member that holds the title.
    pub title_key: Option<&'a str>,
    /// Members that name other entities.
    pub references: &'a [Reference],
}

/// A document in which things are found without a search. Sections are told by their names.
pub trait Sight {
    /// The whole document; it may have to be put together first.
    fn document(&self) -> &Json;

    /// The names of the sections, in order.
    fn kinds(&self) -> Vec<&str>;

    /// The section of this name.
    fn kind(&self, section: &str) -> Option<Kind<'_>>;

    /// How many entities the section holds.
    fn count(&self, section: &str) -> usize;

    /// The entity at a place of the section.
    fn entity(&self, section: &str, place: usize) -> Option<&Json>;

    /// Where the entities of this id stand in the section, in order; there is at most one in a valid document.
    fn places(&self, section: &str, id: &str) -> Vec<usize>;

    /// The entities that name this one of the section, by section and place, once for each of their references that does.
    fn holders(&self, section: &str, id: &str) -> Vec<(&str, usize)>;

    /// An id for a new entity of the section: `<prefix>-<n>`, one more than the largest such number there, then on until
    /// nothing in the ids it shares has it.
    fn fresh_id(&self, section: &str) -> String;

    /// The largest number the entities of the section hold in the field the definition counts.
    fn largest_number(&self, section: &str) -> f64;

    /// The document with its lists empty, where that is at hand; else all of it.
    fn frame(&self) -> &Json;

    /// The list at this place (a JSON pointer without its first `/`), where an index of it is at hand.
    fn list<'a>(&'a self, place: &str) -> Option<Box<dyn IndexedList + 'a>>;
}

/// A list of entities in which things are found without a search.
pub trait IndexedList {
    /// How many entities it holds.
    fn count(&self) -> usize;

    /// The entity at a place.
    fn entity(&self, place: usize) -> Option<&Json>;

    /// Shows the entities from a place on, in order, until `look` has seen enough.
    fn walk(&self, from: usize, look: &mut dyn FnMut(&Json) -> bool);

    /// What the entities hold at a place (a JSON pointer without its first `/`), where that is only few texts and flags.
    fn column(&self, place: &str) -> Option<Rc<ListColumn>>;

    /// Where the entities stand that hold this id under the member, in order; nothing where ids are held elsewhere.
    fn places_of(&self, id_key: &str, id: &str) -> Option<Vec<usize>>;

    /// Where the entities stand that name this id in a reference at one of the places, in order and each once; nothing where
    /// one of the places is no reference, or where they are so many that a walk is as quick.
    fn naming(&self, references: &mut dyn Iterator<Item = &str>, id: &str) -> Option<Vec<usize>>;
}

/// What the entities of a list hold at one place.
#[derive(Clone, Debug, PartialEq)]
pub struct ListColumn {
    /// Every value there is; `null` stands for none.
    pub values: Vec<Json>,
    /// Which of them each entity holds, in order.
    pub numbers: Vec<u8>,
}
