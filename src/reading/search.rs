//! A search: which entities of one kind pass every filter that is given, and the page of them that is asked for.

use crate::document::pointer;
use crate::protocol::json::Json;
use crate::protocol::text::echo;
use crate::tools::canonical::canonical_json;

use super::DEFAULT_PAGE;
use super::page::{MAX_BODY_BYTES, PageRequest, page};
use super::project::project;
use super::text_match::Needle;
use super::view::{DocumentView, Match, SectionFilter, SectionView};

/// The body of the page, or a sentence that begins with the code of what is wrong.
pub(super) fn search(view: &DocumentView, tool: &str, document: &Json, input: &Json) -> Result<String, String> {
    let kind = input.get("kind").and_then(Json::as_str).unwrap_or_default();
    let Some(section) = view.section(kind) else {
        return Err(format!(
            "invalid_filter: there is no kind `{}`, use one of {}",
            echo(kind),
            listed(view.sections.iter().map(|section| section.name.as_str()))
        ));
    };
    let mut tests = tests(view, section, input)?;
    let offset = whole(input, "offset", 0);
    let limit = whole(input, "limit", u64::from(DEFAULT_PAGE));
    let entities = section.entities(document);
    let (total, window) = matches(entities, &mut tests, offset, limit);
    if total > 0 && offset >= total {
        return Err(format!(
            "offset_out_of_range: `offset` {offset} is past the {total} matches of `{kind}`, use 0 to {} or leave it out",
            total - 1
        ));
    }
    let mut window = window.into_iter();
    let mut next = || window.next().map(|entity| canonical_json(&Json::from(project(view, section, document, entity, false))));
    page(PageRequest { tool, kind: Some(kind), offset, limit, total }, &mut next).map_err(|bytes| {
        format!(
            "entity_too_large: match {offset} of `{kind}` alone makes a result of {bytes} bytes, more than {MAX_BODY_BYTES}; \
             go on with `offset` {}, or use another filter",
            offset.saturating_add(1)
        )
    })
}

/// How many entities pass, and those of the window.
fn matches<'a>(entities: &'a [Json], tests: &mut [Test<'_>], offset: u64, limit: u64) -> (u64, Vec<&'a Json>) {
    let end = offset.saturating_add(limit);
    let mut window = Vec::new();
    if tests.is_empty() {
        let place = |place: u64| usize::try_from(place).unwrap_or(usize::MAX).min(entities.len());
        window.extend(entities.get(place(offset)..place(end)).unwrap_or_default());
        return (u64::try_from(entities.len()).unwrap_or(u64::MAX), window);
    }
    let mut total = 0u64;
    for entity in entities {
        if tests.iter_mut().all(|test| test.passes(entity)) {
            if total >= offset && total < end {
                window.push(entity);
            }
            total += 1;
        }
    }
    (total, window)
}

/// The filters that are given, ready to be asked; the first that means nothing for this kind is an error.
fn tests<'a>(view: &DocumentView, section: &'a SectionView, input: &'a Json) -> Result<Vec<Test<'a>>, String> {
    let mut tests = Vec::new();
    for filter in &view.filters {
        let Some(wanted) = input.get(&filter.name) else { continue };
        let Some(here) = section.filters.iter().find(|here| here.name == filter.name) else {
            return Err(format!(
                "invalid_filter: `{}` does not apply to `{}`, which takes {}",
                filter.name,
                echo(&section.name),
                listed(section.filters.iter().map(|filter| filter.name.as_str()))
            ));
        };
        tests.push(Test::new(here, wanted));
    }
    Ok(tests)
}

/// One filter with what it looks for.
struct Test<'a> {
    filter: &'a SectionFilter,
    wanted: &'a Json,
    needle: Needle,
    /// Where each path's first member stood in the entity before: those of a list are mostly alike.
    places: Vec<usize>,
}

impl<'a> Test<'a> {
    fn new(filter: &'a SectionFilter, wanted: &'a Json) -> Test<'a> {
        Test { filter, wanted, needle: Needle::new(wanted.as_str().unwrap_or_default()), places: vec![0; filter.paths.len()] }
    }

    fn passes(&mut self, entity: &Json) -> bool {
        let filter = self.filter;
        let Some(object) = entity.as_object() else { return false };
        for (path, place) in filter.paths.iter().zip(&mut self.places) {
            let found = path.split_first().and_then(|(first, rest)| pointer::find(object.get_near(first, place)?, rest));
            let value = match found {
                None | Some(Json::Null) => filter.otherwise.as_ref(),
                found => found,
            };
            if value.is_some_and(|value| holds(filter.matching, self.wanted, &mut self.needle, value)) {
                return true;
            }
        }
        false
    }
}

fn holds(matching: Match, wanted: &Json, needle: &mut Needle, value: &Json) -> bool {
    match (matching, value) {
        (_, Json::Array(items)) => items.iter().any(|item| holds(matching, wanted, needle, item)),
        (Match::Equal, value) => value == wanted,
        (Match::IgnoreCase, Json::String(text)) => needle.is(text),
        (Match::Contains, Json::String(text)) => needle.is_in(text),
        _ => false,
    }
}

fn whole(input: &Json, key: &str, otherwise: u64) -> u64 {
    input.get(key).and_then(Json::as_number).and_then(crate::protocol::fields::whole).unwrap_or(otherwise)
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("`{}`", echo(name))).collect::<Vec<_>>().join(", ")
}
