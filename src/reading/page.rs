//! One page of results: filled in order until it is full, the bytes end, or there is no more.

use crate::json_object;
use crate::protocol::json::Json;
use crate::tools::canonical::canonical_json;

use super::project::shown_text;

/// The longest body of a result in bytes, markers aside.
pub const MAX_BODY_BYTES: usize = 8192;

/// Which page is made, and of what.
#[derive(Clone, Copy, Debug)]
pub struct PageRequest<'a> {
    /// The tool that answers.
    pub tool: &'a str,
    /// The kind of the entities, where there are several.
    pub kind: Option<&'a str>,
    /// How many matches come before.
    pub offset: u64,
    /// How many the page may hold.
    pub limit: u64,
    /// How many matches there are.
    pub total: u64,
}

/// The body of the page, canonical. `next` gives the matches from `offset` on, each as canonical JSON; none is asked
/// for beyond the one that no longer fits. An error is the size of a body whose first match alone is too large.
pub fn page(request: PageRequest<'_>, next: &mut dyn FnMut() -> Option<String>) -> Result<String, usize> {
    let kind = request.kind.map(|kind| format!("\"kind\":{},", quoted(&shown_text(kind)))).unwrap_or_default();
    let tool = quoted(request.tool);
    let around = "{\"page\":,\"results\":[],\"tool\":}".len() + kind.len() + tool.len();
    let mut results = String::new();
    let mut returned = 0u64;
    let stopped_by = loop {
        if request.offset.saturating_add(returned) >= request.total {
            break "end";
        }
        if returned == request.limit {
            break "limit";
        }
        let Some(item) = next() else { break "end" };
        // the separator counts for every match but the first
        let longer = results.len() + usize::from(returned > 0) + item.len();
        let bytes = around + longer + told_bytes(request, returned + 1);
        if bytes > MAX_BODY_BYTES {
            if returned == 0 {
                return Err(bytes);
            }
            break "bytes";
        }
        if returned > 0 {
            results.push(',');
        }
        results.push_str(&item);
        returned += 1;
    };
    Ok(format!("{{{kind}\"page\":{},\"results\":[{results}],\"tool\":{tool}}}", told(request, returned, stopped_by)))
}

/// What the page says of itself.
fn told(request: PageRequest<'_>, returned: u64, stopped_by: &str) -> String {
    let next = request.offset.saturating_add(returned);
    canonical_json(&json_object! {
        "limit" => request.limit as f64,
        "next_offset" => if next < request.total { Json::from(next as f64) } else { Json::Null },
        "offset" => request.offset as f64,
        "returned" => returned as f64,
        "stopped_by" => stopped_by,
        "total" => request.total as f64,
    })
}

/// How long that is where the page is not the last; counted, because it is asked for every match.
fn told_bytes(request: PageRequest<'_>, returned: u64) -> usize {
    let next = request.offset.saturating_add(returned);
    let next = if next < request.total { digits(next) } else { "null".len() };
    let numbers = digits(request.limit) + digits(request.offset) + digits(returned) + digits(request.total);
    r#"{"limit":,"next_offset":,"offset":,"returned":,"stopped_by":"bytes","total":}"#.len() + numbers + next
}

fn digits(mut number: u64) -> usize {
    let mut digits = 1;
    while number > 9 {
        number /= 10;
        digits += 1;
    }
    digits
}

fn quoted(text: &str) -> String {
    canonical_json(&Json::from(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(items: u64, offset: u64, limit: u64, pad: usize) -> (Json, usize) {
        let mut next = offset..items;
        let mut asked = 0;
        let mut item = || {
            asked += 1;
            next.next().map(|at| format!(r#"{{"id":"e{at}","pad":"{}"}}"#, "p".repeat(pad)))
        };
        let request = PageRequest { tool: "t", kind: None, offset, limit, total: items };
        let body = page(request, &mut item).unwrap();
        assert!(body.len() <= MAX_BODY_BYTES);
        let read = Json::parse(&body).unwrap();
        assert_eq!(canonical_json(&read), body);
        (read, asked)
    }

    #[test]
    fn r2_recorded_pages_are_made() {
        // items, offset, limit, width; returned, next, why it ended
        for (items, offset, limit, pad, returned, next, stopped_by) in [
            (0, 0, 20, 20, 0, None, "end"),
            (1, 0, 20, 20, 1, None, "end"),
            (20, 0, 20, 20, 20, None, "end"),
            (21, 0, 20, 20, 20, Some(20), "limit"),
            (100, 0, 50, 20, 50, Some(50), "limit"),
            (100, 90, 20, 20, 10, None, "end"),
            (100, 0, 50, 400, 19, Some(19), "bytes"),
            (100, 40, 50, 400, 19, Some(59), "bytes"),
            (10, 9, 1, 20, 1, None, "end"),
        ] {
            let (read, asked) = filled(items, offset, limit, pad);
            let next: Json = next.map_or(Json::Null, |next: u32| Json::from(next));
            let expected = json_object! {
                "offset" => offset as f64, "limit" => limit as f64, "returned" => returned as f64, "total" => items as f64,
                "next_offset" => next, "stopped_by" => stopped_by,
            };
            assert_eq!(read.get("page"), Some(&expected));
            assert_eq!(read.get("results").and_then(Json::as_array).map(<[Json]>::len), Some(returned));
            assert!(asked <= returned + 1, "{asked} matches were made for {returned}");
        }
    }

    #[test]
    fn r2_a_page_is_filled_to_the_last_byte() {
        for width in 20..600 {
            let (read, _) = filled(400, 0, 50, width);
            let body = canonical_json(&read);
            let shown = read.get("results").and_then(Json::as_array).unwrap().len();
            if read.get("page").unwrap().get("stopped_by").and_then(Json::as_str) == Some("bytes") {
                let more = format!(r#",{{"id":"e{shown}","pad":"{}"}}"#, "p".repeat(width)).len();
                assert!(body.len() + more > MAX_BODY_BYTES, "width {width}: one more would have fitted");
            } else {
                assert_eq!(shown, 50);
            }
        }
    }

    #[test]
    fn what_a_page_says_of_itself_is_counted_right() {
        let numbers = [0, 1, 9, 10, 99, 100, 5000, 9_007_199_254_740_991];
        for (offset, total) in numbers.iter().flat_map(|offset| numbers.iter().map(|total| (*offset, *total))) {
            for (limit, returned) in [(1, 1), (20, 9), (50, 10)] {
                let request = PageRequest { tool: "t", kind: None, offset, limit, total };
                assert_eq!(told_bytes(request, returned), told(request, returned, "limit").len(), "{request:?}");
            }
        }
    }

    #[test]
    fn r4_a_match_that_never_fits_is_an_error_and_no_endless_page() {
        let mut next = || Some("9".repeat(MAX_BODY_BYTES));
        let request = PageRequest { tool: "t", kind: Some("k"), offset: 0, limit: 1, total: 1 };
        assert!(page(request, &mut next).unwrap_err() > MAX_BODY_BYTES);
    }
}
