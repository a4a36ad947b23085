//! JSON as a value: what every room of the core passes around.
//!
//! Enters: text, or values built by the core. Leaves: text, or a tree that shares its parts with older
//! trees (a snapshot of a document costs one reference count). Numbers are doubles, as they are for every
//! JavaScript host, so `1`, `1.0` and `1e0` are one value here too. Objects keep their key order.

mod decimal;
mod plain;
pub mod read;
pub mod write;

use std::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

pub(crate) use decimal::shortest;

use super::places::KeptPlaces;

/// The largest integer a double holds exactly, and so the largest the core accepts: 2^53 - 1.
pub const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

/// Objects above this size carry an index, so that neither building nor reading one is quadratic.
const INDEX_FROM: usize = 16;

/// One JSON value; cloning shares arrays, objects and strings.
#[derive(Clone, Debug, Default)]
pub enum Json {
    /// `null`.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A finite double.
    Number(f64),
    /// A string.
    String(Arc<str>),
    /// An array.
    Array(Arc<Vec<Json>>),
    /// An object, in key order of insertion.
    Object(Arc<Object>),
}

impl Json {
    /// Reads one JSON text; a duplicate key or anything after the value is an error that names the place.
    pub fn parse(text: &str) -> Result<Json, String> {
        read::parse(text).map_err(|flaw| flaw.message())
    }

    /// Writes the value as JSON text in key order of insertion.
    #[must_use]
    pub fn to_text(&self) -> String {
        write::to_text(self)
    }

    /// The string, where this is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Json::String(text) => Some(text),
            _ => None,
        }
    }

    /// The number, where this is one.
    #[must_use]
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Json::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The boolean, where this is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Json::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The items, where this is an array.
    #[must_use]
    pub fn as_array(&self) -> Option<&[Json]> {
        match self {
            Json::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The object, where this is one.
    #[must_use]
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Json::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The member `key`, where this is an object that has it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Json> {
        self.as_object().and_then(|object| object.get(key))
    }

    /// The array for writing; parts shared with another tree are copied one level deep first.
    pub fn as_array_mut(&mut self) -> Option<&mut Vec<Json>> {
        match self {
            Json::Array(items) => Some(Arc::make_mut(items)),
            _ => None,
        }
    }

    /// The object for writing; parts shared with another tree are copied one level deep first.
    pub fn as_object_mut(&mut self) -> Option<&mut Object> {
        match self {
            Json::Object(object) => Some(Arc::make_mut(object)),
            _ => None,
        }
    }

    /// What kind of value this is, in JSON's own words.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Json::Null => "null",
            Json::Bool(_) => "boolean",
            Json::Number(_) => "number",
            Json::String(_) => "string",
            Json::Array(_) => "array",
            Json::Object(_) => "object",
        }
    }

    /// Whether both are the very same shared tree (a cheap sign that nothing changed).
    #[must_use]
    pub fn same_tree(&self, other: &Json) -> bool {
        match (self, other) {
            (Json::Array(a), Json::Array(b)) => Arc::ptr_eq(a, b),
            (Json::Object(a), Json::Object(b)) => Arc::ptr_eq(a, b),
            (Json::String(a), Json::String(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

/// Equality by value: numbers as numbers, objects without regard to key order.
impl PartialEq for Json {
    fn eq(&self, other: &Json) -> bool {
        match (self, other) {
            (Json::Null, Json::Null) => true,
            (Json::Bool(a), Json::Bool(b)) => a == b,
            (Json::Number(a), Json::Number(b)) => a == b,
            (Json::String(a), Json::String(b)) => a == b,
            (Json::Array(a), Json::Array(b)) => Arc::ptr_eq(a, b) || a == b,
            (Json::Object(a), Json::Object(b)) => Arc::ptr_eq(a, b) || a == b,
            _ => false,
        }
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Json {
        Json::Bool(value)
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::String(Arc::from(text))
    }
}

impl From<String> for Json {
    fn from(text: String) -> Json {
        Json::String(Arc::from(text))
    }
}

impl From<u32> for Json {
    fn from(number: u32) -> Json {
        Json::Number(f64::from(number))
    }
}

impl From<Vec<Json>> for Json {
    fn from(items: Vec<Json>) -> Json {
        Json::Array(Arc::new(items))
    }
}

impl From<Object> for Json {
    fn from(object: Object) -> Json {
        Json::Object(Arc::new(object))
    }
}

/// A JSON object: unique keys in order of insertion.
#[derive(Clone, Debug, Default)]
pub struct Object {
    entries: Vec<(Arc<str>, Json)>,
    // INVARIANT: where present it maps every key to its place in `entries`.
    index: Option<KeptPlaces>,
}

impl Object {
    /// An object without members.
    #[must_use]
    pub fn new() -> Object {
        Object::default()
    }

    /// How many members there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no member.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The value under `key`.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Json> {
        let place = self.place(key)?;
        self.entries.get(place).map(|(_, value)| value)
    }

    /// The value under `key`, looked for first where it was in another object: those of one list are mostly alike.
    pub(crate) fn get_near(&self, key: &mut Arc<str>, place: &mut usize) -> Option<&Json> {
        if let Some((name, value)) = self.entries.get(*place) {
            if Arc::ptr_eq(name, key) {
                return Some(value);
            }
            if **name == **key {
                *key = name.clone();
                return Some(value);
            }
        }
        *place = self.place(key)?;
        self.entries.get(*place).map(|(_, value)| value)
    }

    /// The value under `key` for writing.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Json> {
        let place = self.place(key)?;
        self.entries.get_mut(place).map(|(_, value)| value)
    }

    /// Whether there is a member `key`.
    #[must_use]
    pub fn contains_key(&self, key: &str) -> bool {
        self.place(key).is_some()
    }

    /// Sets `key`, in its old place where it was present, else at the end; returns what it replaced.
    pub fn insert(&mut self, key: impl Into<Arc<str>>, value: impl Into<Json>) -> Option<Json> {
        self.put(key.into(), value.into())
    }

    // not generic, so that there is one of it
    fn put(&mut self, key: Arc<str>, value: Json) -> Option<Json> {
        match self.get_mut(&key) {
            Some(slot) => return Some(std::mem::replace(slot, value)),
            None => self.push(key, value),
        }
        None
    }

    /// Puts a new member at the end; says whether there was none of its name, and leaves that as it is.
    pub(crate) fn add(&mut self, key: Arc<str>, value: Json) -> bool {
        let is_new = !self.contains_key(&key);
        if is_new {
            self.push(key, value);
        }
        is_new
    }

    fn push(&mut self, key: Arc<str>, value: Json) {
        if let Some(index) = &mut self.index {
            index.insert(key.clone(), self.entries.len());
        }
        self.entries.push((key, value));
        if self.index.is_none() && self.entries.len() > INDEX_FROM {
            self.reindex();
        }
    }

    /// Takes `key` out; the order of the others stays.
    pub fn remove(&mut self, key: &str) -> Option<Json> {
        let place = self.place(key)?;
        let (_, value) = self.entries.remove(place);
        if self.index.is_some() {
            self.reindex();
        }
        Some(value)
    }

    /// The members in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&Arc<str>, &Json)> {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    /// The keys in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &Arc<str>> {
        self.entries.iter().map(|(key, _)| key)
    }

    fn place(&self, key: &str) -> Option<usize> {
        match &self.index {
            Some(index) => index.get(key).copied(),
            // of most names the length tells
            None => self.entries.iter().position(|(name, _)| name.len() == key.len() && &**name == key),
        }
    }

    fn reindex(&mut self) {
        // not `collect`, which brings in a whole sort for a map that is as quickly filled one by one
        let mut index = KeptPlaces::new();
        for (place, (key, _)) in self.entries.iter().enumerate() {
            index.insert(key.clone(), place);
        }
        self.index = Some(index);
    }
}

impl PartialEq for Object {
    fn eq(&self, other: &Object) -> bool {
        self.len() == other.len()
            && self.entries.iter().zip(&other.entries).all(|((key, value), (other_key, other_value))| {
                if key == other_key { value == other_value } else { other.get(key) == Some(value) }
            })
    }
}

impl<K: Into<Arc<str>>, V: Into<Json>> FromIterator<(K, V)> for Object {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(members: I) -> Object {
        let mut object = Object::new();
        for (key, value) in members {
            object.insert(key, value);
        }
        object
    }
}

/// Builds an object value: `json_object! { "id" => "a", "n" => 1.0 }`.
#[macro_export]
macro_rules! json_object {
    ($($key:expr => $value:expr),* $(,)?) => {{
        #[allow(unused_mut, reason = "an empty object is never written to")]
        let mut object = $crate::protocol::json::Object::new();
        $(object.insert($key, $value);)*
        $crate::protocol::json::Json::from(object)
    }};
}

impl From<f64> for Json {
    fn from(number: f64) -> Json {
        Json::Number(number)
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Null => serializer.serialize_unit(),
            Json::Bool(value) => serializer.serialize_bool(*value),
            Json::Number(number) => match exact_integer(*number) {
                Some(integer) => serializer.serialize_i64(integer),
                None => serializer.serialize_f64(*number),
            },
            Json::String(text) => serializer.serialize_str(text),
            Json::Array(items) => {
                let mut sequence = serializer.serialize_seq(Some(items.len()))?;
                for item in items.iter() {
                    sequence.serialize_element(item)?;
                }
                sequence.end()
            }
            Json::Object(object) => {
                let mut map = serializer.serialize_map(Some(object.len()))?;
                for (key, value) in object.iter() {
                    map.serialize_entry(&**key, value)?;
                }
                map.end()
            }
        }
    }
}

/// The integer a double stands for, where it stands for one exactly (so `1.0` is written `1`).
#[must_use]
pub fn exact_integer(number: f64) -> Option<i64> {
    if number.fract() != 0.0 || number.abs() > MAX_SAFE_INTEGER {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "integral and within ±(2^53-1), checked above")]
    let integer = number as i64;
    Some(integer)
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Json, E> {
        Ok(Json::Number(number as f64))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Json, E> {
        Ok(Json::Number(number as f64))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Json, E> {
        Ok(Json::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::from(text))
    }

    fn visit_string<E>(self, text: String) -> Result<Json, E> {
        Ok(Json::from(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Json, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = sequence.next_element()? {
            items.push(item);
        }
        Ok(Json::from(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut object = Object::new();
        while let Some((key, value)) = map.next_entry::<String, Json>()? {
            if object.contains_key(&key) {
                let shown: String = key.chars().take(80).collect();
                return Err(serde::de::Error::custom(format_args!("duplicate key `{}`", shown.escape_debug())));
            }
            object.insert(key, value);
        }
        Ok(Json::from(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_without_loss() {
        let text = r#"{"b":1,"a":[null,true,-0.5,"x\n"],"c":{"deep":1e+300}}"#;
        assert_eq!(Json::parse(text).unwrap().to_text(), text);
    }

    #[test]
    fn equality_ignores_key_order_and_number_spelling() {
        assert_eq!(Json::parse(r#"{"a":1,"b":2}"#), Json::parse(r#"{"b":2.0,"a":1e0}"#));
        assert_ne!(Json::parse(r#"{"a":1,"b":2}"#), Json::parse(r#"{"a":1,"c":2}"#));
    }

    #[test]
    fn duplicate_keys_and_trailing_text_are_refused() {
        assert!(Json::parse(r#"{"a":1,"a":2}"#).unwrap_err().contains("duplicate key `a`"));
        assert!(Json::parse("{} {}").is_err());
        assert!(Json::parse(&"[".repeat(100_000)).is_err());
    }

    #[test]
    fn large_objects_keep_order_and_find_keys() {
        let mut object: Object = (0..1000u32).map(|n| (format!("k{n}"), Json::from(n))).collect();
        assert_eq!(object.remove("k500"), Some(Json::Number(500.0)));
        assert_eq!(object.get("k999"), Some(&Json::Number(999.0)));
        assert_eq!(object.keys().next().map(|key| &**key), Some("k0"));
        assert_eq!(object.len(), 999);
    }

    #[test]
    fn writing_copies_only_what_is_shared() {
        let mut changed = Json::parse(r#"{"a":[1],"b":[2]}"#).unwrap();
        let before = changed.clone();
        changed.as_object_mut().unwrap().insert("a", Json::Null);
        assert_eq!(before.get("a"), Some(&Json::from(vec![Json::Number(1.0)])));
        assert!(before.get("b").unwrap().same_tree(changed.get("b").unwrap()));
    }
}
