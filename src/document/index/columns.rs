//! What the entities of a list hold at one place, kept between two changes: whoever pages through a filter looks at every
//! entity once.

use std::cell::RefCell;
use std::rc::Rc;

use crate::document::pointer;
use crate::protocol::json::Json;
use crate::protocol::places::KeptPlaces;
use crate::tools::core_tool::ListColumn;

/// The most columns that are kept.
const KEPT: usize = 16;
/// The most values of one column: with more of them a number for each saves nothing.
const MOST_VALUES: usize = 256;

/// The columns asked for since the lists changed.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns(RefCell<Vec<Kept>>);

/// Shows the entities of a list in order, until what they are shown to has seen enough.
type Walk<'a> = dyn Fn(&mut dyn FnMut(&Json) -> bool) + 'a;

#[derive(Clone, Debug)]
struct Kept {
    list: usize,
    place: String,
    // nothing where the values are too many, or not all of them texts and flags
    column: Option<Rc<ListColumn>>,
}

impl Columns {
    /// The column of a list; `walk` shows its entities in order.
    pub(super) fn column(&self, list: usize, place: &str, walk: &Walk<'_>) -> Option<Rc<ListColumn>> {
        let mut kept = self.0.borrow_mut();
        if let Some(known) = kept.iter().find(|known| known.list == list && known.place == place) {
            return known.column.clone();
        }
        if kept.len() == KEPT {
            kept.remove(0);
        }
        let column = made(place, walk).map(Rc::new);
        kept.push(Kept { list, place: place.to_owned(), column: column.clone() });
        column
    }

    /// The list is another now.
    pub(super) fn forget(&mut self, list: usize) {
        self.0.get_mut().retain(|known| known.list != list);
    }
}

fn made(place: &str, walk: &Walk<'_>) -> Option<ListColumn> {
    let segments = pointer::parse(&["/", place].concat()).ok()?;
    let mut column = ListColumn { values: vec![Json::Null, Json::Bool(false), Json::Bool(true)], numbers: Vec::new() };
    let (mut texts, mut fits) = (KeptPlaces::new(), true);
    walk(&mut |entity| {
        let number = match pointer::find(entity, &segments) {
            None | Some(Json::Null) => 0,
            Some(Json::Bool(flag)) => 1 + usize::from(*flag),
            Some(Json::String(text)) => match texts.get(text) {
                Some(number) => *number,
                None => {
                    texts.insert(text.clone(), column.values.len());
                    column.values.push(Json::String(text.clone()));
                    column.values.len() - 1
                }
            },
            Some(_) => MOST_VALUES,
        };
        fits = number < MOST_VALUES;
        column.numbers.push(u8::try_from(number).unwrap_or(0));
        fits
    });
    fits.then_some(column)
}
