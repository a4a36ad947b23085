//! A tool's input schema as an API takes it.
//!
//! Enters: a schema as its tool declares it. Leaves: the same tree where it conforms, since caches of prompts go by the
//! byte; else a looser one. It is loosened and never tightened: whatever the tool takes may be said, and arguments are
//! judged by the schema of the tool. What cannot be said as a schema is said in the description, so nothing is mapped back.

use std::sync::Arc;

use crate::json_object;
use crate::protocol::event::ProviderFormat;
use crate::protocol::json::{Json, Object};

use super::request::{MAX_NAME, is_word};

/// What Anthropic and OpenAI refuse at the root, beside a type that is not `object`.
const NOT_AT_ROOT: [&str; 7] = ["oneOf", "anyOf", "allOf", "enum", "const", "not", "$ref"];
/// How many schemas a root is gathered from; what lies beyond is not told.
const MOST_FORMS: usize = 400;

/// What stands under a keyword.
enum Under {
    Schema,
    List,
    Map,
}

/// The keywords that hold schemas: anything else (defaults, examples, constants) is data.
const KEYWORDS: [(&str, Under); 20] = [
    ("properties", Under::Map),
    ("items", Under::Schema),
    ("anyOf", Under::List),
    ("oneOf", Under::List),
    ("allOf", Under::List),
    ("additionalProperties", Under::Schema),
    ("$defs", Under::Map),
    ("definitions", Under::Map),
    ("prefixItems", Under::List),
    ("patternProperties", Under::Map),
    ("propertyNames", Under::Schema),
    ("dependentSchemas", Under::Map),
    ("contains", Under::Schema),
    ("not", Under::Schema),
    ("if", Under::Schema),
    ("then", Under::Schema),
    ("else", Under::Schema),
    ("unevaluatedProperties", Under::Schema),
    ("unevaluatedItems", Under::Schema),
    ("contentSchema", Under::Schema),
];

/// What one step of a reference leads to.
pub(super) fn step_into<'s>(schema: &'s Json, step: &str) -> Option<&'s Json> {
    let key = step.replace("~1", "/").replace("~0", "~");
    match schema {
        Json::Array(list) => list.get(key.parse::<usize>().ok()?),
        other => other.get(&key),
    }
}

/// The schema of a tool's input for `format`.
pub(super) fn input_schema(format: ProviderFormat, schema: &Json) -> Json {
    let is_openai = match format {
        ProviderFormat::Anthropic => false,
        ProviderFormat::OpenaiChat | ProviderFormat::OpenaiResponses => true,
        // a subset of its own, another dialect
        ProviderFormat::Gemini => return schema.clone(),
    };
    let changes_root = !is_object_root(schema) || (!is_openai && !has_plain_names(schema));
    let changes = Changes {
        lists: is_openai,
        patterns: is_openai && any(schema, &has_foreign_pattern),
        roots: changes_root && any(schema, &|schema| schema.get("$ref").is_some_and(means_root)),
    };
    let mut root = object_root(&changes.within(schema).unwrap_or_else(|| schema.clone()));
    if !is_openai {
        return plain_names(root);
    }
    if root.get("properties").is_none() {
        put(&mut root, "properties", json_object! {});
    }
    root
}

fn put(schema: &mut Json, key: &str, value: impl Into<Json>) {
    if let Some(object) = schema.as_object_mut() {
        object.insert(key, value);
    }
}

fn is_object_root(schema: &Json) -> bool {
    schema.get("type").and_then(Json::as_str) == Some("object") && NOT_AT_ROOT.iter().all(|key| schema.get(key).is_none())
}

/// The schema with a root that is an object and nothing else.
fn object_root(schema: &Json) -> Json {
    let Some(old) = schema.as_object() else { return json_object! { "type" => "object", "properties" => json_object! {} } };
    if is_object_root(schema) {
        return schema.clone();
    }
    let mut gathered = Gatherer { root: schema, left: MOST_FORMS, hints: Vec::new() };
    let form = gathered.form(schema).unwrap_or_default();
    let mut new = Object::new();
    new.insert("type", "object");
    for (key, value) in old.iter() {
        // what is evaluated changes with what is left out
        if !NOT_AT_ROOT.contains(&&**key) && &**key != "type" && &**key != "unevaluatedProperties" {
            new.insert(Arc::clone(key), value.clone());
        }
    }
    new.insert("properties", form.properties);
    new.remove("required");
    if !form.required.is_empty() {
        new.insert("required", form.required);
    }
    let mut root = Json::from(new);
    describe(&mut root, &gathered.hints.join(" "));
    root
}

/// Puts a sentence behind the description.
fn describe(schema: &mut Json, sentence: &str) {
    if sentence.is_empty() {
        return;
    }
    let said = schema.get("description").and_then(Json::as_str).unwrap_or_default();
    let said = if said.is_empty() { sentence.to_owned() } else { format!("{said} {sentence}") };
    put(schema, "description", said);
}

/// What an object must look like to pass a schema, as far as its members go.
#[derive(Default)]
struct Form {
    properties: Object,
    required: Vec<Json>,
    /// Whether other members than these are refused.
    is_closed: bool,
}

/// Reads the members of an object off a schema and all that it refers to.
struct Gatherer<'s> {
    root: &'s Json,
    left: usize,
    /// What the alternatives are, in words.
    hints: Vec<String>,
}

impl Gatherer<'_> {
    /// The form of the objects that pass; nothing where none does.
    fn form(&mut self, schema: &Json) -> Option<Form> {
        let mut form = Form::default();
        if *schema == Json::Bool(false) {
            return None;
        }
        let (Some(object), Some(left)) = (schema.as_object(), self.left.checked_sub(1)) else { return Some(form) };
        self.left = left;
        if !takes_objects(object) {
            return None;
        }
        if let Some(properties) = object.get("properties").and_then(Json::as_object) {
            form.properties.clone_from(properties);
        }
        form.require(object.get("required").and_then(Json::as_array).unwrap_or_default());
        form.is_closed = object.get("additionalProperties") == Some(&Json::Bool(false)) && !object.contains_key("patternProperties");
        if let Some(target) = object.get("$ref").and_then(Json::as_str).and_then(|target| self.target(target)) {
            form.and(self.form(&target)?);
        }
        for part in object.get("allOf").and_then(Json::as_array).unwrap_or_default() {
            form.and(self.form(part)?);
        }
        for key in ["anyOf", "oneOf"] {
            let Some(parts) = object.get(key).and_then(Json::as_array) else { continue };
            let mut forms = Vec::new();
            for part in parts {
                forms.extend(self.form(part));
            }
            if forms.is_empty() {
                return None;
            }
            form.and(self.one_of(forms));
        }
        Some(form)
    }

    /// The schema that a reference inside this one means.
    fn target(&self, reference: &str) -> Option<Json> {
        let mut found = self.root;
        for step in reference.strip_prefix('#')?.split('/').skip(1) {
            found = step_into(found, step)?;
        }
        Some(found.clone())
    }

    /// What all the forms have in common: each property as any of them says it, or as anything where one says nothing.
    fn one_of(&mut self, mut forms: Vec<Form>) -> Form {
        if forms.len() < 2 {
            return forms.pop().unwrap_or_default();
        }
        let mut told: Vec<String> = Vec::new();
        for form in &forms {
            let form = form.in_words();
            if !told.contains(&form) {
                told.push(form);
            }
        }
        self.hints.push(format!("Give the members of one of these forms (? marks what may be left out): {}.", told.join("; ")));
        let mut common = Form { is_closed: forms.iter().all(|form| form.is_closed), ..Form::default() };
        for form in &forms {
            for key in form.properties.keys() {
                if common.properties.contains_key(key) {
                    continue;
                }
                let mut said: Vec<Json> = Vec::new();
                for form in &forms {
                    let value = match form.properties.get(key) {
                        Some(value) => value.clone(),
                        None if form.is_closed => continue,
                        None => json_object! {},
                    };
                    if !said.contains(&value) {
                        said.push(value);
                    }
                }
                let only = if said.len() == 1 { said.pop() } else { None };
                common.properties.insert(Arc::clone(key), only.unwrap_or_else(|| json_object! { "anyOf" => said }));
            }
        }
        let (first, others) = forms.split_first().map_or((&[][..], &[][..]), |(first, others)| (&first.required[..], others));
        for name in first {
            if others.iter().all(|form| form.required.contains(name)) {
                common.required.push(name.clone());
            }
        }
        common
    }
}

impl Form {
    /// An object must look like this and like `other`; either schema of a property alone is loose enough.
    fn and(&mut self, other: Form) {
        for (key, value) in other.properties.iter() {
            if !self.properties.contains_key(key) {
                self.properties.insert(Arc::clone(key), value.clone());
            }
        }
        self.require(&other.required);
        self.is_closed |= other.is_closed;
    }

    fn require(&mut self, names: &[Json]) {
        for name in names {
            if !self.required.contains(name) {
                self.required.push(name.clone());
            }
        }
    }

    fn in_words(&self) -> String {
        let mut words: Vec<String> = self.required.iter().filter_map(Json::as_str).map(|name| format!("`{name}`")).collect();
        for key in self.properties.keys() {
            if !self.required.iter().any(|name| name.as_str() == Some(key)) {
                words.push(format!("`{key}`?"));
            }
        }
        if words.is_empty() { "nothing".to_owned() } else { words.join(", ") }
    }
}

fn takes_objects(schema: &Object) -> bool {
    match schema.get("type") {
        None => true,
        Some(Json::Array(kinds)) => kinds.iter().any(|kind| kind.as_str() == Some("object")),
        Some(kind) => kind.as_str() == Some("object"),
    }
}

fn is_plain(name: &str) -> bool {
    (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(|byte| is_word(byte) || byte == b'.')
}

fn has_plain_names(root: &Json) -> bool {
    root.get("properties").and_then(Json::as_object).is_none_or(|properties| properties.keys().all(|key| is_plain(key)))
}

/// Anthropic takes names of letters, digits, `_`, `.` and `-` for the members of the input itself, 64 at most.
fn plain_names(mut root: Json) -> Json {
    if has_plain_names(&root) {
        return root;
    }
    let Some(properties) = root.get("properties").and_then(Json::as_object) else { return root };
    let (mut plain, mut others) = (Object::new(), Object::new());
    for (key, value) in properties.iter() {
        let fitting = if is_plain(key) { &mut plain } else { &mut others };
        fitting.insert(Arc::clone(key), value.clone());
    }
    let (mut required, mut must) = (Vec::new(), Vec::new());
    for name in root.get("required").and_then(Json::as_array).unwrap_or_default() {
        let is_other = name.as_str().is_some_and(|name| others.contains_key(name));
        if is_other { &mut must } else { &mut required }.push(name.clone());
    }
    let mut sentence = format!("It takes these members as well, by JSON Schema: {}", Json::from(others).to_text());
    if !must.is_empty() {
        sentence.push_str(&format!("; required of them: {}", Json::from(must).to_text()));
    }
    if let Some(object) = root.as_object_mut() {
        object.insert("properties", plain);
        object.insert("required", required);
        // either would refuse what no longer has a name of its own
        object.remove("additionalProperties");
        object.remove("unevaluatedProperties");
    }
    describe(&mut root, &sentence);
    root
}

/// What is put right in every part of a schema.
struct Changes {
    /// A list without `items` gets some: OpenAI wants them.
    lists: bool,
    /// Patterns that Python cannot compile go: OpenAI compiles them.
    patterns: bool,
    /// References to the root or into it go: it will be another.
    roots: bool,
}

impl Changes {
    /// The schema with the changes in it; nothing where nothing changes.
    fn within(&self, schema: &Json) -> Option<Json> {
        let object = schema.as_object()?;
        let mut changed: Option<Object> = None;
        for (keyword, under) in &KEYWORDS {
            let Some(value) = object.get(keyword) else { continue };
            if let Some(value) = self.under(value, under) {
                changed.get_or_insert_with(|| object.clone()).insert(*keyword, value);
            }
        }
        let is_list = |kind: &Json| kind.as_str() == Some("array");
        let kinds = object.get("type");
        let takes_lists = kinds.is_some_and(|kind| is_list(kind) || kind.as_array().is_some_and(|kinds| kinds.iter().any(is_list)));
        if self.lists && takes_lists && !object.contains_key("items") {
            changed.get_or_insert_with(|| object.clone()).insert("items", json_object! {});
        }
        if self.patterns || self.roots {
            self.loosen(changed.get_or_insert_with(|| object.clone()));
        }
        changed.map(Json::from)
    }

    fn loosen(&self, object: &mut Object) {
        if self.patterns && object.get("pattern").is_some_and(is_foreign) {
            object.remove("pattern");
        }
        if self.roots && object.get("$ref").is_some_and(means_root) {
            object.remove("$ref");
        }
        let patterns = object.get("patternProperties").and_then(Json::as_object).filter(|_| self.patterns);
        if let Some(patterns) = patterns.filter(|patterns| !patterns.keys().all(|pattern| is_portable(pattern))) {
            let mut kept = Object::new();
            for (pattern, value) in patterns.iter().filter(|(pattern, _)| is_portable(pattern)) {
                kept.insert(Arc::clone(pattern), value.clone());
            }
            object.insert("patternProperties", kept);
            object.remove("additionalProperties");
        }
        // more passes than before: what lets a value pass because a part fails goes as well, and what counts as seen
        for keyword in ["not", "if", "then", "else", "maxContains", "unevaluatedProperties", "unevaluatedItems"] {
            object.remove(keyword);
        }
        let Some(parts) = object.remove("oneOf") else { return };
        if object.contains_key("anyOf") {
            let mut all = object.get("allOf").and_then(Json::as_array).unwrap_or_default().to_vec();
            all.push(json_object! { "anyOf" => parts });
            object.insert("allOf", all);
        } else {
            object.insert("anyOf", parts);
        }
    }

    fn under(&self, value: &Json, under: &Under) -> Option<Json> {
        match (under, value) {
            (Under::Schema, value) => self.within(value),
            (Under::List, Json::Array(list)) => {
                let mut changed: Option<Vec<Json>> = None;
                for (at, item) in list.iter().enumerate() {
                    if let Some(item) = self.within(item)
                        && let Some(slot) = changed.get_or_insert_with(|| list.to_vec()).get_mut(at)
                    {
                        *slot = item;
                    }
                }
                changed.map(Json::from)
            }
            (Under::Map, Json::Object(map)) => {
                let mut changed: Option<Object> = None;
                for (key, item) in map.iter() {
                    if let Some(item) = self.within(item) {
                        changed.get_or_insert_with(|| Object::clone(map)).insert(Arc::clone(key), item);
                    }
                }
                changed.map(Json::from)
            }
            _ => None,
        }
    }
}

/// Whether `test` holds for the schema or one inside it.
fn any(schema: &Json, test: &dyn Fn(&Object) -> bool) -> bool {
    let Some(object) = schema.as_object() else { return false };
    test(object)
        || KEYWORDS.iter().any(|(keyword, under)| match (under, object.get(keyword)) {
            (Under::Schema, Some(value)) => any(value, test),
            (Under::List, Some(Json::Array(list))) => list.iter().any(|item| any(item, test)),
            (Under::Map, Some(Json::Object(map))) => map.iter().any(|(_, item)| any(item, test)),
            _ => false,
        })
}

fn has_foreign_pattern(schema: &Object) -> bool {
    let of_names = schema.get("patternProperties").and_then(Json::as_object);
    schema.get("pattern").is_some_and(is_foreign) || of_names.is_some_and(|patterns| !patterns.keys().all(|pattern| is_portable(pattern)))
}

/// Whether a reference means the root or a part of it, other than its definitions.
fn means_root(reference: &Json) -> bool {
    let is_definition = |target: &str| target.starts_with("#/$defs/") || target.starts_with("#/definitions/");
    reference.as_str().is_some_and(|target| target.starts_with('#') && !is_definition(target))
}

fn is_foreign(pattern: &Json) -> bool {
    pattern.as_str().is_some_and(|pattern| !is_portable(pattern))
}

/// Whether Python compiles the pattern as ECMAScript does: without classes of Unicode, code points in braces, control
/// letters, names of groups, lookbehind (which there must have one length) and empty classes.
fn is_portable(pattern: &str) -> bool {
    let mut rest = pattern;
    while let Some(at) = rest.find(['\\', '(', '[']) {
        let (_, found) = rest.split_at(at);
        if ["\\p", "\\P", "\\u{", "\\c", "\\k", "(?<", "[]", "[^]"].iter().any(|foreign| found.starts_with(foreign)) {
            return false;
        }
        let mut chars = found.chars();
        // what is escaped is nothing by itself
        if chars.next() == Some('\\') {
            chars.next();
        }
        rest = chars.as_str();
    }
    true
}
