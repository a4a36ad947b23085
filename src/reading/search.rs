//! A search: which entities of one kind pass every filter that is given, and the page of them that is asked for.

use crate::protocol::fields::whole;
use crate::protocol::json::Json;
use crate::protocol::text::echo;
use crate::tools::canonical::canonical_json;

use super::DEFAULT_PAGE;
use super::page::{MAX_BODY_BYTES, PageRequest, page};
use super::project::project;
use super::text_match::Needle;
use super::view::{DocumentView, Match, Probe, SectionFilter, SectionView};

/// The body of the page, or a sentence that begins with the code of what is wrong.
pub(super) fn search(view: &DocumentView<'_>, tool: &str, document: &Json, input: &Json) -> Result<String, String> {
    let kind = input.get("kind").and_then(Json::as_str).unwrap_or_default();
    let Some(section) = view.section(kind) else { return Err(format!("invalid_filter: there is no kind `{}`", echo(kind))) };
    let mut tests = tests(view, section, input)?;
    let number = |key: &str| input.get(key).and_then(Json::as_number).and_then(whole);
    let (offset, limit) = (number("offset").unwrap_or(0), number("limit").unwrap_or(DEFAULT_PAGE));
    let (total, window) = matches(section.entities(document), &mut tests, offset, limit);
    if total > 0 && offset >= total {
        let last = total - 1;
        return Err(format!("offset_out_of_range: `{kind}` has {total} matches, `offset` {offset} is past them; use 0 to {last}"));
    }
    let mut window = window.into_iter();
    let mut next = || window.next().map(|entity| canonical_json(&Json::from(project(view, section, document, entity, false))));
    page(PageRequest { tool, kind: Some(kind), offset, limit, total }, &mut next).map_err(|bytes| {
        let after = offset.saturating_add(1);
        format!("entity_too_large: match {offset} of `{kind}` alone takes {bytes} bytes, more than {MAX_BODY_BYTES}; go on with `offset` {after}")
    })
}

/// How many entities pass, and those of the window.
fn matches<'d>(entities: &'d [Json], tests: &mut [Test<'_>], offset: u64, limit: u64) -> (u64, Vec<&'d Json>) {
    let end = offset.saturating_add(limit);
    let (mut total, mut window) = (0u64, Vec::new());
    if tests.is_empty() {
        let place = |place: u64| usize::try_from(place).unwrap_or(usize::MAX).min(entities.len());
        window.extend(entities.get(place(offset)..place(end)).unwrap_or_default());
        return (u64::try_from(entities.len()).unwrap_or(u64::MAX), window);
    }
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
fn tests<'a>(view: &DocumentView<'_>, section: &'a SectionView<'a>, input: &'a Json) -> Result<Vec<Test<'a>>, String> {
    let mut tests = Vec::new();
    for filter in view.filters {
        let Some(wanted) = input.get(filter.name) else { continue };
        let Some(here) = section.filters.iter().find(|here| here.name == filter.name) else {
            let mut known = String::new();
            for filter in section.filters {
                known.push_str(if known.is_empty() { "`" } else { "`, `" });
                known.push_str(filter.name);
            }
            return Err(format!("invalid_filter: `{}` does not apply to `{}`, which takes {known}`", filter.name, section.name));
        };
        tests.push(Test::new(here, wanted));
    }
    Ok(tests)
}

/// One filter with what it looks for.
struct Test<'a> {
    matching: Match,
    wanted: &'a Json,
    needle: Needle,
    otherwise: Option<Json>,
    probes: Vec<Probe>,
}

impl<'a> Test<'a> {
    fn new(filter: &SectionFilter<'_>, wanted: &'a Json) -> Test<'a> {
        let mut probes = Vec::new();
        for place in filter.places {
            probes.push(Probe::new(place));
        }
        let needle = Needle::new(wanted.as_str().unwrap_or_default());
        Test { matching: filter.matching, wanted, needle, otherwise: filter.otherwise.value(), probes }
    }

    fn passes(&mut self, entity: &Json) -> bool {
        for probe in &mut self.probes {
            if let Some(value) = probe.value(entity).or(self.otherwise.as_ref())
                && holds(self.matching, self.wanted, &mut self.needle, value)
            {
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
