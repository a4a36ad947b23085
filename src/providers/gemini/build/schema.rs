//! JSON Schema in the OpenAPI subset that Gemini takes for the parameters of a tool.
//!
//! Enters: any schema a tool may have. Leaves: one that accepts at least as much (what the subset cannot say is left out,
//! and said in the description where that is cheap): a call is checked against the tool's own schema in any case.
//! References are followed, not recursed into; depth and size are bounded, and past the bound nothing is demanded.

use crate::json_object;
use crate::protocol::json::{Json, Object, exact_integer};
use crate::protocol::text::cap;
use crate::providers::schemas::step_into;

/// The kinds of values, as bits; a number is an integer or not.
type Kinds = u8;

const NULL: Kinds = 1;
const INTEGER: Kinds = 2;
const FRACTION: Kinds = 4;
const NUMBER: Kinds = INTEGER | FRACTION;
const OBJECT: Kinds = 8;
const ALL: Kinds = 127;
/// JSON Schema's word for each kind and the API's; the wider number stands before the narrower.
const KINDS: [(&str, &str, Kinds); 7] = [
    ("null", "", NULL),
    ("boolean", "BOOLEAN", 16),
    ("number", "NUMBER", NUMBER),
    ("integer", "INTEGER", INTEGER),
    ("string", "STRING", 32),
    ("array", "ARRAY", 64),
    ("object", "OBJECT", OBJECT),
];
/// What is kept of a schema as it is, where the kind of value it is about is the one it is kept for.
const KEPT: [(&str, &str); 5] =
    [("STRING", "format"), ("NUMBER", "minimum"), ("NUMBER", "maximum"), ("INTEGER", "minimum"), ("INTEGER", "maximum")];
/// The keywords of which the subset says anything; those of lists belong together and stand last.
const TELLING: [&str; 14] = [
    "type",
    "enum",
    "const",
    "properties",
    "required",
    "anyOf",
    "format",
    "minimum",
    "maximum",
    "description",
    "minItems",
    "maxItems",
    "items",
    "prefixItems",
];
/// How deep the subset nests.
const DEPTH: usize = 16;
/// How many references and parts in a row are followed from one schema.
const HOPS: usize = 16;
/// How much is written at most, in parts of about 64 bytes.
const SIZE: usize = 4_000;
/// The longest list of values in a description, in code points.
const LONGEST_HINT: usize = 200;

/// The parameters of a tool; nothing where there are none.
pub(super) fn parameters(schema: &Json) -> Option<Json> {
    let mut loosening = Loosening::of(schema);
    let mut flat = Object::new();
    loosening.flatten(schema, &mut flat, HOPS);
    let flat = loosening.in_one(flat, HOPS);
    let union = loosening.union_of_flat(flat, OBJECT, DEPTH);
    let mut object = union.alternatives.into_iter().next()?;
    object.get("properties").and_then(Json::as_object).filter(|properties| !properties.is_empty())?;
    if let Some(description) = union.description {
        object.insert("description", description);
    }
    Some(Json::from(object))
}

/// A schema in the subset, before it is written.
#[derive(Default)]
struct Union {
    description: Option<Json>,
    nullable: bool,
    /// One for each kind of value, or several.
    alternatives: Vec<Object>,
}

struct Loosening<'s> {
    root: &'s Json,
    /// How much may still be written.
    left: usize,
    /// The references that are being followed.
    open: Vec<String>,
}

impl<'s> Loosening<'s> {
    fn of(root: &'s Json) -> Loosening<'s> {
        Loosening { root, left: SIZE, open: Vec::new() }
    }

    fn node(&mut self, schema: &Json, depth: usize) -> Json {
        self.union_of(schema, ALL, depth).written()
    }

    fn union_of(&mut self, schema: &Json, allowed: Kinds, depth: usize) -> Union {
        let open = self.open.len();
        let mut flat = Object::new();
        if self.left > 0 && depth > 0 {
            self.flatten(schema, &mut flat, HOPS);
        }
        let union = self.union_of_flat(flat, allowed, depth);
        self.open.truncate(open);
        union
    }

    fn spend(&mut self, parts: usize) {
        self.left = self.left.saturating_sub(parts);
    }

    /// Writes into `flat` what `schema` demands, what it refers to and what its parts demand: all of that holds at once, so
    /// that of two demands the subset cannot join one is enough.
    fn flatten(&mut self, schema: &Json, flat: &mut Object, hops: usize) {
        let Some(object) = schema.as_object() else { return };
        self.spend(1);
        // a schema with a name of its own is where its references begin
        if hops == 0 || self.left == 0 || (object.contains_key("$id") && !schema.same_tree(self.root)) {
            return;
        }
        // `items` is about what the `prefixItems` beside it leave: never those of another schema
        let has_items = flat.contains_key("items") || flat.contains_key("prefixItems");
        for key in TELLING {
            if let Some(value) = object.get(key).filter(|_| !has_items || !matches!(key, "items" | "prefixItems")) {
                self.add(flat, key, value);
            }
        }
        // of two lists of alternatives one is enough as well
        if let Some(alternatives) = object.get("oneOf") {
            self.add(flat, "anyOf", alternatives);
        }
        if let Some(pointer) = object.get("$ref").and_then(Json::as_str)
            && let Some(target) = self.resolve(pointer)
        {
            if self.open.iter().any(|open| open == pointer) {
                for key in ["type", "description"] {
                    if let Some(value) = target.get(key) {
                        self.add(flat, key, value);
                    }
                }
            } else {
                self.open.push(pointer.to_owned());
                self.flatten(target, flat, hops - 1);
            }
        }
        for part in object.get("allOf").and_then(Json::as_array).unwrap_or_default() {
            self.flatten(part, flat, hops - 1);
        }
    }

    fn add(&mut self, flat: &mut Object, key: &str, value: &Json) {
        let Some(before) = flat.get_mut(key) else {
            self.spend(value.as_object().map_or(1, Object::len) / 8);
            flat.insert(key, value.clone());
            return;
        };
        match key {
            "type" => *before = names_of(kinds_of_type(Some(before)) & kinds_of_type(Some(value))),
            "required" => {
                if let (Some(list), Some(more)) = (before.as_array_mut(), value.as_array()) {
                    list.extend_from_slice(more);
                }
            }
            "properties" => {
                let (Some(members), Some(more)) = (before.as_object_mut(), value.as_object()) else { return };
                for (name, schema) in more.iter() {
                    self.left = self.left.saturating_sub(1);
                    let both = members.get(name).map(|other| json_object! { "allOf" => vec![other.clone(), schema.clone()] });
                    members.insert(name.clone(), both.unwrap_or_else(|| schema.clone()));
                }
            }
            _ => {}
        }
    }

    fn resolve(&self, pointer: &str) -> Option<&'s Json> {
        let mut target = self.root;
        for step in pointer.strip_prefix('#')?.split('/').skip(1) {
            target = step_into(target, step)?;
            if target.get("$id").is_some() {
                return None;
            }
        }
        // a name instead of a path is nobody's
        (pointer == "#" || pointer.starts_with("#/")).then_some(target)
    }

    /// The parameters as one object, which is what the API wants them to be, where they are one of several.
    fn in_one(&mut self, mut flat: Object, hops: usize) -> Object {
        let alternatives = flat.remove("anyOf");
        let telling = alternatives.as_ref().and_then(Json::as_array).unwrap_or_default();
        let mut joined: Option<Object> = None;
        for schema in telling.iter().filter(|schema| schema.as_bool() != Some(false)) {
            if self.left == 0 || hops == 0 || !is_telling(schema) {
                return flat;
            }
            self.spend(1 + flat.get("properties").and_then(Json::as_object).map_or(0, Object::len) / 8);
            let open = self.open.len();
            let mut both = flat.clone();
            self.flatten(schema, &mut both, HOPS);
            let both = self.in_one(both, hops - 1);
            self.open.truncate(open);
            // arguments are an object whatever else might be
            if kinds_of_type(both.get("type")) & OBJECT != 0 {
                joined = Some(joined.map_or_else(|| both.clone(), |before| either(&before, &both)));
            }
        }
        joined.unwrap_or(flat)
    }

    fn union_of_flat(&mut self, mut flat: Object, allowed: Kinds, depth: usize) -> Union {
        let description = flat.remove("description").filter(|text| text.as_str().is_some_and(|text| !text.is_empty()));
        self.spend(1 + description.as_ref().and_then(Json::as_str).map_or(0, str::len) / 64);
        let mut union = Union { description, ..Union::default() };
        let alternatives = flat.remove("anyOf");
        let telling: Vec<&Json> = alternatives.iter().filter_map(Json::as_array).flatten().collect();
        if !telling.iter().any(|schema| is_telling(schema)) {
            self.add_kinds(&flat, allowed, depth, &mut union);
            return union;
        }
        for schema in telling {
            if schema.as_bool() == Some(false) {
                continue;
            }
            if self.left == 0 || depth == 0 {
                // something was left out: nothing is demanded
                union.alternatives.clear();
                self.add_kinds(&Object::new(), allowed, 0, &mut union);
                return union;
            }
            self.spend(flat.len() / 8);
            let open = self.open.len();
            let mut both = flat.clone();
            self.flatten(schema, &mut both, HOPS);
            let one = self.union_of_flat(both, allowed, depth - 1);
            self.open.truncate(open);
            union.add(one);
        }
        union
    }

    /// What of `allowed` the flat schema allows, kind by kind.
    fn add_kinds(&mut self, flat: &Object, allowed: Kinds, depth: usize, union: &mut Union) {
        let constant = flat.get("const").map(std::slice::from_ref);
        let values = constant.or_else(|| flat.get("enum").and_then(Json::as_array));
        let mut kinds = allowed & kinds_of_type(flat.get("type"));
        if let Some(values) = values {
            kinds &= values.iter().fold(0, |kinds, value| kinds | kind_of(value));
            union.hint(values);
        }
        union.nullable |= kinds & NULL != 0;
        for (_, word, kind) in KINDS {
            // where fractions are, the whole numbers are among them
            let is_there = if word == "NUMBER" { kinds & FRACTION != 0 } else { kinds & kind != 0 };
            if word.is_empty() || !is_there || (word == "INTEGER" && kinds & FRACTION != 0) {
                continue;
            }
            let mut node = json_object! { "type" => word };
            if let Some(node) = node.as_object_mut() {
                self.fill(node, word, flat, values, depth);
                union.push(node.clone());
            }
        }
    }

    fn fill(&mut self, node: &mut Object, word: &str, flat: &Object, values: Option<&[Json]>, depth: usize) {
        for (kind, key) in KEPT {
            let is_kept = |value: &&Json| if key == "format" { value.as_str() == Some("date-time") } else { value.as_number().is_some() };
            if kind == word
                && let Some(value) = flat.get(key).filter(is_kept)
            {
                node.insert(key, value.clone());
            }
        }
        match word {
            "STRING" => {
                let texts: Vec<Json> = values.unwrap_or_default().iter().filter(|value| value.as_str().is_some()).cloned().collect();
                // the API refuses an empty value
                if !texts.is_empty() && texts.iter().all(|text| text.as_str() != Some("")) {
                    self.spend(texts.len() / 4);
                    node.insert("enum", texts);
                }
            }
            "ARRAY" => self.fill_array(node, flat, depth),
            "OBJECT" => self.fill_object(node, flat, depth),
            _ => {}
        }
    }

    fn fill_array(&mut self, node: &mut Object, flat: &Object, depth: usize) {
        let rest = flat.get("items");
        let first = flat.get("prefixItems").and_then(Json::as_array).unwrap_or_default();
        let is_open = rest.is_none_or(|rest| rest.as_bool() == Some(true) || rest.as_object().is_some_and(Object::is_empty));
        let is_closed = rest.and_then(Json::as_bool) == Some(false);
        // the API wants the member, and an empty one where anything may stand
        let mut items = json_object! {};
        if depth > 0 && self.left > 0 && !is_open && !(is_closed && first.is_empty()) {
            let mut union = Union::default();
            for schema in first.iter().chain(rest.filter(|_| !is_closed)) {
                let mut one = self.union_of(schema, ALL, depth - 1);
                if first.is_empty() {
                    union.description = one.description.take();
                }
                union.add(one);
            }
            items = union.written();
        }
        node.insert("items", items);
        for key in ["minItems", "maxItems"] {
            // 64-bit integers are texts in this API's JSON
            if let Some(count) = flat.get(key).and_then(Json::as_number).and_then(exact_integer) {
                node.insert(key, count.to_string());
            }
        }
    }

    fn fill_object(&mut self, node: &mut Object, flat: &Object, depth: usize) {
        let mut properties = Object::new();
        for (name, schema) in flat.get("properties").and_then(Json::as_object).into_iter().flat_map(Object::iter) {
            if depth == 0 || self.left == 0 {
                break;
            }
            properties.insert(name.clone(), self.node(schema, depth - 1));
        }
        let mut required: Vec<Json> = Vec::new();
        let mut seen = Object::new();
        for name in names_required(flat) {
            if properties.contains_key(name) && seen.insert(name, true).is_none() {
                required.push(Json::from(name));
            }
        }
        if !properties.is_empty() {
            node.insert("properties", properties);
        }
        if !required.is_empty() {
            node.insert("required", required);
        }
    }
}

impl Union {
    fn push(&mut self, alternative: Object) {
        // equal ones are near each other, where there are any
        if !self.alternatives.iter().rev().take(8).any(|other| *other == alternative) {
            self.alternatives.push(alternative);
        }
    }

    fn add(&mut self, one: Union) {
        self.nullable |= one.nullable;
        for mut alternative in one.alternatives {
            if let Some(description) = one.description.clone().filter(|_| !alternative.contains_key("description")) {
                alternative.insert("description", description);
            }
            self.push(alternative);
        }
    }

    /// Names the values that the subset cannot list.
    fn hint(&mut self, values: &[Json]) {
        if values.iter().all(|value| matches!(value, Json::String(_) | Json::Null)) {
            return;
        }
        let mut hint = String::from(if values.len() == 1 { "Always " } else { "One of " });
        for (place, value) in values.iter().enumerate() {
            if hint.len() > LONGEST_HINT {
                break;
            }
            hint.push_str(if place > 0 { ", " } else { "" });
            hint.push_str(&value.to_text());
        }
        let mut description = self.description.as_ref().and_then(Json::as_str).map(|text| [text, "\n"].concat()).unwrap_or_default();
        description.push_str(&cap(&hint, LONGEST_HINT));
        self.description = Some(Json::from(description));
    }

    fn written(mut self) -> Json {
        let mut node = match self.alternatives.len() {
            // only null, which is no type of its own, or nothing at all, which asks for nothing
            0 => json_object! { "type" => "STRING" },
            1 => Json::from(self.alternatives.swap_remove(0)),
            _ => json_object! { "anyOf" => self.alternatives.into_iter().map(Json::from).collect::<Vec<_>>() },
        };
        if let Some(object) = node.as_object_mut() {
            if let Some(description) = self.description {
                object.insert("description", description);
            }
            if self.nullable {
                object.insert("nullable", true);
            }
        }
        node
    }
}

/// What holds of an object that is one or the other: what only one of them knows may be anything in the other, and only
/// what both require is required.
fn either(one: &Object, other: &Object) -> Object {
    let mut joined = Object::new();
    joined.insert("type", "object");
    if let Some(description) = one.get("description") {
        joined.insert("description", description.clone());
    }
    let [ours, theirs] = [one, other].map(|object| object.get("properties").and_then(Json::as_object).cloned().unwrap_or_default());
    let mut properties = Object::new();
    for (name, schema) in ours.iter().chain(theirs.iter()) {
        let schema = match (ours.get(name), theirs.get(name)) {
            (Some(known), Some(also)) if known == also => known.clone(),
            (Some(known), Some(also)) => {
                // one that is nothing but alternatives takes another
                let several = known.as_object().filter(|object| object.len() == 1).and_then(|object| object.get("anyOf"));
                let mut alternatives = several.and_then(Json::as_array).map_or_else(|| vec![known.clone()], <[Json]>::to_vec);
                alternatives.push(also.clone());
                json_object! { "anyOf" => alternatives }
            }
            _ => schema.get("description").map_or(Json::Bool(true), |text| json_object! { "description" => text.clone() }),
        };
        properties.insert(name.clone(), schema);
    }
    joined.insert("properties", properties);
    let mut also = Object::new();
    for name in names_required(other) {
        also.insert(name, true);
    }
    let mut required = Vec::new();
    for name in names_required(one).into_iter().filter(|name| also.contains_key(name)) {
        required.push(Json::from(name));
    }
    joined.insert("required", required);
    joined
}

fn names_required(object: &Object) -> Vec<&str> {
    object.get("required").and_then(Json::as_array).unwrap_or_default().iter().filter_map(Json::as_str).collect()
}

fn is_telling(schema: &Json) -> bool {
    let says = |key: &str| schema.get(key).is_some();
    schema.as_bool() == Some(false)
        || ["type", "enum", "const", "properties", "items", "prefixItems", "anyOf", "oneOf", "allOf", "$ref"].into_iter().any(says)
}

fn kinds_of_type(written: Option<&Json>) -> Kinds {
    let Some(written) = written else { return ALL };
    let mut kinds = 0;
    for name in written.as_array().unwrap_or(std::slice::from_ref(written)) {
        for (word, _, kind) in KINDS {
            kinds |= if name.as_str() == Some(word) { kind } else { 0 };
        }
    }
    kinds
}

fn names_of(kinds: Kinds) -> Json {
    let mut names = Vec::new();
    for (word, _, kind) in KINDS {
        if kinds & kind == kind {
            names.push(Json::from(word));
        }
    }
    Json::from(names)
}

fn kind_of(value: &Json) -> Kinds {
    match value {
        Json::Number(number) if number.fract() == 0.0 => INTEGER,
        Json::Number(_) => NUMBER,
        other => kinds_of_type(Some(&Json::from(other.kind()))),
    }
}

#[cfg(test)]
mod tests;
