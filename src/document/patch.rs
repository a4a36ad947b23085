//! Applies a JSON Patch, and makes the one that leads from a document to the next.
//!
//! Enters: a document and a patch, or two documents. Leaves: the changed document (sharing what the patch
//! did not touch), or the patch. All or nothing: a patch that does not fit changes nothing. Keys are keys:
//! `__proto__` and `constructor` mean nothing special here.

use std::sync::Arc;

use crate::protocol::error::Fault;
use crate::protocol::json::Json;
use crate::protocol::patch::PatchOperation;
use crate::protocol::text::echo;

use super::pointer;

pub use super::diff::{diff, diff_by};

/// The longest patch that is applied: more than this is a new document, and cheaper as one.
pub const MAX_OPERATIONS: usize = 10_000;
/// The code of every fault here.
const CODE: &str = "invalid_patch";

/// Applies every operation in order to a copy of `document`; the fault names the first that does not fit.
pub fn apply(document: &Json, patch: &[PatchOperation]) -> Result<Json, Fault> {
    if patch.len() > MAX_OPERATIONS {
        return Err(Fault::new(CODE, format!("a patch has at most {MAX_OPERATIONS} operations, got {}", patch.len()))
            .expecting("the whole next document"));
    }
    apply_all(document, patch)
}

/// The same, however long the patch is.
pub(crate) fn apply_all(document: &Json, patch: &[PatchOperation]) -> Result<Json, Fault> {
    let mut next = document.clone();
    for (at, operation) in patch.iter().enumerate() {
        apply_operation(&mut next, operation).map_err(|fault| fault.under(&format!("[{at}]")))?;
    }
    Ok(next)
}

/// Where an operation does something, and with what.
pub(super) fn parts(operation: &PatchOperation) -> (&str, &Json) {
    match operation {
        PatchOperation::Add { path, value } | PatchOperation::Replace { path, value } | PatchOperation::Test { path, value } => {
            (path, value)
        }
        PatchOperation::Remove { path } => (path, &Json::Null),
    }
}

fn apply_operation(root: &mut Json, operation: &PatchOperation) -> Result<(), Fault> {
    let path = parts(operation).0;
    let segments = pointer::parse(path).map_err(|problem| Fault::at(CODE, "path", format!("`{}`: {problem}", echo(path))))?;
    apply_at(root, &segments, operation)
}

/// Applies one operation at `segments` of `root`; faults name its own path.
pub(super) fn apply_at(root: &mut Json, segments: &[String], operation: &PatchOperation) -> Result<(), Fault> {
    let (path, value) = parts(operation);
    if let PatchOperation::Test { .. } = operation {
        return match pointer::find(root, segments) {
            Some(found) if found == value => Ok(()),
            Some(_) => Err(Fault::at(CODE, "value", format!("the value at `{}` is another", echo(path)))),
            None => Err(missing(path)),
        };
    }
    let Some((last, parents)) = segments.split_last() else {
        return match operation {
            PatchOperation::Remove { .. } => Err(Fault::at(CODE, "path", "the whole document cannot be removed")),
            _ => {
                *root = value.clone();
                Ok(())
            }
        };
    };
    match (pointer::find_mut(root, parents).ok_or_else(|| missing(path))?, operation) {
        (Json::Object(object), PatchOperation::Add { .. }) => {
            Arc::make_mut(object).insert(last.as_str(), value.clone());
        }
        (Json::Object(object), PatchOperation::Replace { .. }) => {
            *Arc::make_mut(object).get_mut(last).ok_or_else(|| missing(path))? = value.clone();
        }
        (Json::Object(object), _) => {
            Arc::make_mut(object).remove(last).ok_or_else(|| missing(path))?;
        }
        (Json::Array(items), PatchOperation::Add { .. }) => {
            let end = items.len();
            let place = if last == "-" { Some(end) } else { pointer::index(last).filter(|place| *place <= end) };
            Arc::make_mut(items).insert(place.ok_or_else(|| missing(path))?, value.clone());
        }
        (Json::Array(items), PatchOperation::Replace { .. }) => {
            let place = pointer::index(last).and_then(|place| Arc::make_mut(items).get_mut(place));
            *place.ok_or_else(|| missing(path))? = value.clone();
        }
        (Json::Array(items), _) => {
            let place = pointer::index(last).filter(|place| *place < items.len()).ok_or_else(|| missing(path))?;
            Arc::make_mut(items).remove(place);
        }
        _ => return Err(missing(path)),
    }
    Ok(())
}

fn missing(path: &str) -> Fault {
    Fault::at(CODE, "path", format!("there is nothing at `{}`", echo(path)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::protocol::json::Object;
    use crate::protocol::patch::{JsonPatch, decode_patch};

    fn json(text: &str) -> Json {
        Json::parse(text).unwrap()
    }

    fn patched(document: &str, patch: &str) -> Result<String, String> {
        apply(&json(document), &decode_patch(&json(patch)).unwrap()).map(|next| next.to_text()).map_err(|fault| fault.to_string())
    }

    #[test]
    fn c2_every_operation_does_what_the_standard_says() {
        for (document, patch, after) in [
            (r#"{"a":1}"#, r#"[{"op":"add","path":"/b","value":[2]},{"op":"add","path":"/b/-","value":3}]"#, r#"{"a":1,"b":[2,3]}"#),
            (r#"{"a":[1,3]}"#, r#"[{"op":"add","path":"/a/1","value":2}]"#, r#"{"a":[1,2,3]}"#),
            (r#"{"a/b":{"~":1}}"#, r#"[{"op":"replace","path":"/a~1b/~0","value":2}]"#, r#"{"a/b":{"~":2}}"#),
            (r#"{"a":1,"b":2}"#, r#"[{"op":"remove","path":"/a"}]"#, r#"{"b":2}"#),
            (r#"{"a":1}"#, r#"[{"op":"replace","path":"","value":{"z":0}}]"#, r#"{"z":0}"#),
            (r#"{"a":1}"#, r#"[{"op":"test","path":"/a","value":1.0},{"op":"add","path":"/a","value":9}]"#, r#"{"a":9}"#),
            (
                "{}",
                r#"[{"op":"add","path":"/__proto__","value":{}},{"op":"add","path":"/__proto__/constructor","value":1}]"#,
                r#"{"__proto__":{"constructor":1}}"#,
            ),
        ] {
            assert_eq!(patched(document, patch).unwrap(), after);
        }
    }

    #[test]
    fn c2_a_patch_that_does_not_fit_names_the_operation_and_changes_nothing() {
        for (patch, place) in [
            (r#"[{"op":"add","path":"/b","value":1},{"op":"remove","path":"/zz"}]"#, "[1].path"),
            (r#"[{"op":"replace","path":"/zz","value":1}]"#, "[0].path"),
            (r#"[{"op":"add","path":"/a/3","value":1}]"#, "[0].path"),
            (r#"[{"op":"add","path":"/a/01","value":1}]"#, "[0].path"),
            (r#"[{"op":"remove","path":"/a/-"}]"#, "[0].path"),
            (r#"[{"op":"remove","path":""}]"#, "[0].path"),
            (r#"[{"op":"add","path":"a","value":1}]"#, "[0].path"),
            (r#"[{"op":"add","path":"/a/0/x","value":1}]"#, "[0].path"),
            (r#"[{"op":"test","path":"/a","value":1}]"#, "[0].value"),
        ] {
            let document = json(r#"{"a":[1]}"#);
            let fault = apply(&document, &decode_patch(&json(patch)).unwrap()).unwrap_err();
            assert_eq!((fault.code, fault.path.as_str()), (CODE, place), "{patch}");
            assert_eq!(document.to_text(), r#"{"a":[1]}"#);
        }
        let many = vec![PatchOperation::Remove { path: "/a".to_owned() }; MAX_OPERATIONS + 1];
        assert!(apply(&json("{}"), &many).is_err());
    }

    #[test]
    fn what_a_patch_does_not_touch_is_shared() {
        let before = json(r#"{"a":[{"x":1},{"y":2}],"b":[1]}"#);
        let after = apply(&before, &decode_patch(&json(r#"[{"op":"replace","path":"/a/0/x","value":2}]"#)).unwrap()).unwrap();
        assert!(before.get("b").unwrap().same_tree(after.get("b").unwrap()));
        let second = |value: &Json| value.get("a").and_then(Json::as_array).and_then(|items| items.get(1).cloned()).unwrap();
        assert!(second(&before).same_tree(&second(&after)));
    }

    #[test]
    fn entities_are_matched_by_id() {
        let before = json(r#"{"s":[{"id":"a","n":1},{"id":"b","n":2},{"id":"c","n":3}]}"#);
        for (after, operations) in [
            (r#"{"s":[{"id":"b","n":2},{"id":"c","n":3}]}"#, r#"[{"op":"remove","path":"/s/0"}]"#),
            (
                r#"{"s":[{"id":"n"},{"id":"a","n":1},{"id":"b","n":2},{"id":"c","n":3}]}"#,
                r#"[{"op":"add","path":"/s/0","value":{"id":"n"}}]"#,
            ),
            (
                r#"{"s":[{"id":"b","n":2},{"id":"c","n":4}]}"#,
                r#"[{"op":"remove","path":"/s/0"},{"op":"replace","path":"/s/1/n","value":4}]"#,
            ),
            (
                r#"{"s":[{"id":"c","n":3},{"id":"a","n":1},{"id":"b","n":2}]}"#,
                r#"[{"op":"remove","path":"/s/2"},{"op":"add","path":"/s/0","value":{"id":"c","n":3}}]"#,
            ),
        ] {
            let patch = diff(&before, &json(after));
            assert_eq!(serde_json::to_string(&patch).unwrap(), operations);
            assert_eq!(apply(&before, &patch).unwrap(), json(after));
        }
    }

    #[test]
    fn a_change_of_everything_is_still_exact_and_bounded() {
        let list = |from: u32, to: u32| Json::from((from..to).map(|n| json(&format!(r#"{{"id":"e{n}"}}"#))).collect::<Vec<_>>());
        let (before, after) = (json_object(list(0, 20_000)), json_object(list(19_990, 40_000)));
        let patch = diff(&before, &after);
        assert!(patch.len() <= MAX_OPERATIONS);
        assert_eq!(apply(&before, &patch).unwrap(), after);
        assert!(diff(&after, &after.clone()).is_empty());
    }

    fn json_object(list: Json) -> Json {
        Json::from(Object::from_iter([("s", list)]))
    }

    fn any_json() -> impl Strategy<Value = Json> {
        let leaf = prop_oneof![
            Just(Json::Null),
            any::<bool>().prop_map(Json::from),
            (0u32..5).prop_map(Json::from),
            "[ab~/]{0,2}".prop_map(Json::from),
        ];
        leaf.prop_recursive(4, 48, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Json::from),
                prop::collection::vec(("[abc_~/]|__proto__|id", inner.clone()), 0..5)
                    .prop_map(|members| Json::from(Object::from_iter(members))),
                prop::collection::vec(("[a-f]", inner), 0..6).prop_map(|items| {
                    Json::from(
                        items
                            .into_iter()
                            .map(|(id, value)| Json::from(Object::from_iter([("id", Json::from(id)), ("v", value)])))
                            .collect::<Vec<_>>(),
                    )
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn c2_a_difference_applied_is_the_other_document(before in any_json(), after in any_json()) {
            let patch = diff(&before, &after);
            prop_assert_eq!(apply(&before, &patch).unwrap(), after.clone());
            prop_assert!(diff(&before, &before.clone()).is_empty());
            prop_assert_eq!(patch.is_empty(), before == after);
        }

        #[test]
        fn e2_no_patch_panics(document in any_json(), paths in prop::collection::vec("(/[ab0-9~-]{0,2}){0,3}", 0..6), value in any_json()) {
            let patch: JsonPatch = paths.iter().enumerate().map(|(at, path)| match at % 3 {
                0 => PatchOperation::Add { path: path.clone(), value: value.clone() },
                1 => PatchOperation::Remove { path: path.clone() },
                _ => PatchOperation::Replace { path: path.clone(), value: value.clone() },
            }).collect();
            let copy = document.clone();
            let _ = apply(&document, &patch);
            prop_assert_eq!(document, copy);
        }
    }
}
