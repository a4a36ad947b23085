//! Where texts stand in a list: the one kind of map the core uses, so that the engine holds it once. What else
//! belongs to a text stands in a list beside it, at the place the map gives.

use std::collections::BTreeMap;
use std::sync::Arc;

/// Texts that are borrowed and their places.
pub(crate) type Places<'a> = BTreeMap<&'a str, usize>;

/// Texts that are kept and their places.
pub(crate) type KeptPlaces = BTreeMap<Arc<str>, usize>;

/// The place of every text; of two that are the same the last.
// not `collect`, which brings in a whole sort for a map that is as quickly filled one by one
pub(crate) fn places<'a>(texts: &mut dyn Iterator<Item = &'a str>) -> Places<'a> {
    let mut places = Places::new();
    for (place, text) in texts.enumerate() {
        places.insert(text, place);
    }
    places
}
