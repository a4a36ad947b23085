//! A search: which entities of one kind pass every filter that is given, and the page of them that is asked for.

use crate::protocol::fields::whole;
use crate::protocol::json::Json;
use crate::protocol::text::echo;
use crate::tools::canonical::canonical_json;

use super::DEFAULT_PAGE;
use super::page::{MAX_BODY_BYTES, PageRequest, page};
use super::project::project;
use super::source::{Entities, Source};
use super::text_match::Needle;
use super::view::{DocumentView, Match, Otherwise, Probe, SectionFilter, SectionView};

/// The body of the page, or a sentence that begins with the code of what is wrong.
pub(super) fn search(view: &DocumentView<'_>, tool: &str, source: Source<'_>, input: &Json) -> Result<String, String> {
    let kind = input.get("kind").and_then(Json::as_str).unwrap_or_default();
    let Some(section) = view.section(kind) else { return Err(format!("invalid_filter: there is no kind `{}`", echo(kind))) };
    let mut tests = tests(view, section, input)?;
    let (offset, limit) = asked_for(input);
    let entities = source.entities(section);
    let (total, window) = if tests.is_empty() { all(&entities, offset, limit) } else { matches(&entities, &mut tests, offset, limit) };
    let mut window = window.into_iter();
    let mut next = || window.next().map(|entity| canonical_json(&Json::from(project(view, section, source, &entity, false))));
    answer(PageRequest { tool, kind: Some(section.name), offset, limit, total }, section.name, &mut next)
}

/// Which page an input asks for: the matches to pass over, and how many it may hold.
#[must_use]
pub fn asked_for(input: &Json) -> (u64, u64) {
    let number = |key: &str| input.get(key).and_then(Json::as_number).and_then(whole);
    (number("offset").unwrap_or(0), number("limit").unwrap_or(DEFAULT_PAGE))
}

/// The body of a page of what is called `of`, or why there is none: an offset past the end, or a match that alone is too large.
pub fn answer(request: PageRequest<'_>, of: &str, next: &mut dyn FnMut() -> Option<String>) -> Result<String, String> {
    let PageRequest { offset, total, .. } = request;
    let kind = echo(of);
    if total > 0 && offset >= total {
        let last = total - 1;
        return Err(format!("offset_out_of_range: `{kind}` has {total} matches, `offset` {offset} is past them; use 0 to {last}"));
    }
    page(request, next).map_err(|bytes| {
        let after = offset.saturating_add(1);
        format!("entity_too_large: match {offset} of `{kind}` alone takes {bytes} bytes, more than {MAX_BODY_BYTES}; go on with `offset` {after}")
    })
}

/// How many entities there are, and those of the window.
fn all(entities: &Entities<'_>, offset: u64, limit: u64) -> (u64, Vec<Json>) {
    let (total, mut rest, mut window) = (entities.count(), limit, Vec::new());
    entities.walk(usize::try_from(offset).unwrap_or(usize::MAX).min(total), &mut |entity| {
        if rest > 0 {
            window.push(entity.clone());
            rest -= 1;
        }
        rest > 0
    });
    (u64::try_from(total).unwrap_or(u64::MAX), window)
}

/// How many entities pass, and those of the window.
fn matches(entities: &Entities<'_>, tests: &mut [Test<'_>], offset: u64, limit: u64) -> (u64, Vec<Json>) {
    let end = offset.saturating_add(limit);
    let (mut total, mut window) = (0u64, Vec::new());
    // what an index finds for one filter is only looked at for the others
    let (mut found, mut rest) = (None, Vec::new());
    for test in tests {
        if found.is_none() {
            found = test.found(entities);
            if found.is_some() {
                continue;
            }
        }
        rest.push(test);
    }
    let mut look = |entity: &dyn Fn() -> Option<Json>| {
        if total >= offset && total < end {
            window.extend(entity());
        }
        total += 1;
    };
    match found {
        Some(places) => {
            for place in places {
                let at = || entities.at(place);
                if rest.is_empty() || at().is_some_and(|entity| rest.iter_mut().all(|test| test.passes(entity))) {
                    look(&|| at().cloned());
                }
            }
        }
        None => entities.walk(0, &mut |entity| {
            if rest.iter_mut().all(|test| test.passes(entity)) {
                look(&|| Some(entity.clone()));
            }
            true
        }),
    }
    (total, window)
}

/// The filters that are given, ready to be asked; the first that means nothing for this kind is an error.
fn tests<'a>(view: &DocumentView<'a>, section: &SectionView<'a>, input: &'a Json) -> Result<Vec<Test<'a>>, String> {
    let mut tests = Vec::new();
    for filter in view.filters {
        let Some(wanted) = input.get(filter.name) else { continue };
        let Some(here) = section.filters.iter().find(|here| here.name == filter.name) else {
            let mut known = String::new();
            for filter in section.filters {
                known.push_str(if known.is_empty() { "`" } else { "`, `" });
                known.push_str(filter.name);
            }
            let kind = echo(section.name);
            return Err(format!("invalid_filter: `{}` does not apply to `{kind}`, which takes {known}`", filter.name));
        };
        tests.push(Test::new(*here, wanted));
    }
    Ok(tests)
}

/// One filter with what it looks for.
struct Test<'a> {
    filter: SectionFilter<'a>,
    wanted: &'a Json,
    needle: Needle,
    otherwise: Option<Json>,
    probes: Vec<Probe>,
}

impl<'a> Test<'a> {
    fn new(filter: SectionFilter<'a>, wanted: &'a Json) -> Test<'a> {
        let mut probes = Vec::new();
        for place in filter.places.iter() {
            probes.push(Probe::new(place));
        }
        let needle = Needle::new(wanted.as_str().unwrap_or_default());
        Test { filter, wanted, needle, otherwise: filter.otherwise.value(), probes }
    }

    /// Where what passes stands, where an index knows it.
    fn found(&mut self, entities: &Entities<'_>) -> Option<Vec<usize>> {
        let Entities::Indexed(list) = entities else { return None };
        let filter = self.filter;
        if let (Match::Equal, Otherwise::Nothing, Some(wanted)) = (filter.matching, filter.otherwise, self.wanted.as_str())
            && let Some(places) = list.naming(&mut filter.places.iter(), wanted)
        {
            return Some(places);
        }
        let (place, None) = (filter.places.at(0)?, filter.places.at(1)) else { return None };
        let column = list.column(place)?;
        let passing: Vec<bool> = column.values.iter().map(|value| self.suits(Some(value))).collect();
        let mut places = Vec::new();
        for (place, number) in column.numbers.iter().enumerate() {
            if passing.get(usize::from(*number)) == Some(&true) {
                places.push(place);
            }
        }
        Some(places)
    }

    fn passes(&mut self, entity: &Json) -> bool {
        for at in 0..self.probes.len() {
            let value = self.probes.get_mut(at).and_then(|probe| probe.value(entity));
            if self.suits(value) {
                return true;
            }
        }
        false
    }

    #[inline]
    fn suits(&mut self, value: Option<&Json>) -> bool {
        let value = value.filter(|value| !matches!(value, Json::Null)).or(self.otherwise.as_ref());
        value.is_some_and(|value| holds(self.filter.matching, self.wanted, &mut self.needle, value))
    }
}

fn holds(matching: Match, wanted: &Json, needle: &mut Needle, value: &Json) -> bool {
    match (matching, value) {
        (Match::Includes, Json::Array(items)) => items.contains(wanted),
        (_, Json::Array(items)) => items.iter().any(|item| holds(matching, wanted, needle, item)),
        (Match::Equal, value) => value == wanted,
        (Match::IgnoreCase, Json::String(text)) => needle.is(text),
        (Match::Contains | Match::Includes, Json::String(text)) => needle.is_in(text),
        (Match::IgnoreCase | Match::Includes, value) => value == wanted,
        _ => false,
    }
}
