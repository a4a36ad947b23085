//! Lets a new document share with the old one what is the same in both, so that a history of snapshots
//! costs what changed and a comparison skips the rest.

use crate::protocol::json::{Json, Object};
use crate::protocol::places::Places;

/// `next` by value and key order, with every part that `before` holds too taken from there.
pub(super) fn share(before: &Json, next: &Json, id_keys: &[&str]) -> Json {
    if before.same_tree(next) {
        return before.clone();
    }
    match (before, next) {
        (Json::Object(old), Json::Object(new)) => {
            let shared: Object = new
                .iter()
                .map(|(key, value)| (key.clone(), old.get(key).map_or_else(|| value.clone(), |before| share(before, value, id_keys))))
                .collect();
            let same = old.len() == shared.len() && old.iter().zip(shared.iter()).all(|((a, x), (b, y))| a == b && is_same(x, y));
            if same { before.clone() } else { Json::from(shared) }
        }
        (Json::Array(old), Json::Array(new)) => {
            let mut by_id = Places::new();
            for (place, item) in old.iter().enumerate() {
                if let Some(id) = id(item, id_keys) {
                    by_id.insert(id, place);
                }
            }
            let partner = |at: usize, item: &Json| match id(item, id_keys) {
                Some(id) => old.get(*by_id.get(id)?),
                None => old.get(at),
            };
            let shared: Vec<Json> = new
                .iter()
                .enumerate()
                .map(|(at, item)| partner(at, item).map_or_else(|| item.clone(), |before| share(before, item, id_keys)))
                .collect();
            let same = old.len() == shared.len() && old.iter().zip(&shared).all(|(x, y)| is_same(x, y));
            if same { before.clone() } else { Json::from(shared) }
        }
        (Json::String(old), Json::String(new)) if old == new => before.clone(),
        _ => next.clone(),
    }
}

fn id<'a>(item: &'a Json, id_keys: &[&str]) -> Option<&'a str> {
    id_keys.iter().find_map(|key| item.get(key)?.as_str())
}

/// Whether both are one tree, or equal leaves that have none.
fn is_same(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Array(_), _) | (Json::Object(_), _) | (Json::String(_), _) => a.same_tree(b),
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_parts_are_taken_from_the_old_tree_and_key_order_is_kept() {
        let before = Json::parse(r#"{"a":[{"id":"x","t":["p"]},{"id":"y","t":["q"]}],"b":{"c":1}}"#).unwrap();
        let next = Json::parse(r#"{"b":{"c":1},"a":[{"id":"n"},{"id":"x","t":["p"]},{"t":["q"],"id":"y"}]}"#).unwrap();
        let shared = share(&before, &next, &["id"]);
        assert_eq!(shared.to_text(), next.to_text());
        assert!(shared.get("b").unwrap().same_tree(before.get("b").unwrap()));
        let item = |value: &Json, at: usize| value.get("a").and_then(Json::as_array).unwrap()[at].clone();
        assert!(item(&shared, 1).same_tree(&item(&before, 0)));
        assert!(!item(&shared, 2).same_tree(&item(&before, 1)));
        let copy = Json::parse(&before.to_text()).unwrap();
        assert!(share(&before, &copy, &["id"]).same_tree(&before));
    }
}
