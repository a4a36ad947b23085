//! From a schema document to a list of nodes.
//!
//! Works through a list of places instead of recursing, so that no schema can exhaust the stack. References
//! are resolved when every `$id` and anchor is known, inside the document alone. A schema that leads back
//! to itself without looking at a smaller part of the value is refused.

use std::sync::Arc;

use crate::protocol::error::Fault;
use crate::protocol::fields::whole;
use crate::protocol::json::{Json, Object};
use crate::protocol::text::{concat, echo, find};
use crate::tools::issues::{Step, push_step, shown};
use crate::tools::pattern::Pattern;

use super::locate::{escape, percent_decode, resolve, split_fragment, step, unescape};
use super::{Bound, CODE, Choices, Keyword, Members, Node, NodeId, Places, TYPES};

/// The most schemas one document may hold; far above any tool, far below what could exhaust memory.
const MAX_NODES: usize = 20_000;

/// A fault behind a pointer: it is handed through many calls, and seldom made.
type Refusal = Box<Fault>;

/// Compiles the document; node 0 is its root.
pub(super) fn compile(document: &Json) -> Result<Vec<Node>, Refusal> {
    let mut compiler = Compiler {
        places: Vec::new(),
        nodes: Vec::new(),
        by_pointer: Places::new(),
        resources: Places::new(),
        anchors: Places::new(),
        references: Vec::new(),
    };
    compiler.resources.insert(Arc::from(""), 0);
    compiler.place("", document, Arc::from(""))?;
    loop {
        while compiler.nodes.len() < compiler.places.len() {
            let node = compiler.read(compiler.nodes.len())?;
            compiler.nodes.push(node);
        }
        let references = std::mem::take(&mut compiler.references);
        if references.is_empty() {
            break;
        }
        for reference in references {
            let target = compiler.target(&reference)?;
            if let Some(Node::Keywords(keywords)) = compiler.nodes.get_mut(reference.node) {
                keywords.push(Keyword::Ref(target));
            }
        }
    }
    compiler.refuse_loops()?;
    Ok(compiler.nodes)
}

/// Where a schema stands in the document.
struct Place<'a> {
    pointer: Arc<str>,
    schema: &'a Json,
    base: Arc<str>,
}

struct Reference {
    node: NodeId,
    text: String,
    base: Arc<str>,
}

struct Compiler<'a> {
    places: Vec<Place<'a>>,
    // INVARIANT: node n is what the schema at place n demands
    nodes: Vec<Node>,
    by_pointer: Places,
    /// The root schema of every `$id`.
    resources: Places,
    /// `uri#name` of every anchor.
    anchors: Places,
    references: Vec<Reference>,
}

/// One schema being read: its object, and where it stands.
struct Site<'a> {
    object: &'a Object,
    pointer: Arc<str>,
    base: Arc<str>,
}

impl<'a> Compiler<'a> {
    fn place(&mut self, pointer: &str, schema: &'a Json, base: Arc<str>) -> Result<NodeId, Refusal> {
        if let Some(id) = self.by_pointer.get(pointer) {
            return Ok(*id);
        }
        if self.places.len() >= MAX_NODES {
            return Err(refuse_at(pointer, &["the schema holds too many parts"], ""));
        }
        let id = self.places.len();
        let pointer: Arc<str> = Arc::from(pointer);
        self.by_pointer.insert(pointer.clone(), id);
        self.places.push(Place { pointer, schema, base });
        Ok(id)
    }

    fn read(&mut self, id: NodeId) -> Result<Node, Refusal> {
        let Some(place) = self.places.get(id) else { return Ok(Node::Always(true)) };
        let (pointer, base) = (place.pointer.clone(), place.base.clone());
        let object = match place.schema {
            Json::Bool(value) => return Ok(Node::Always(*value)),
            Json::Object(object) => object,
            other => return Err(refuse_at(&pointer, &["a schema must be an object or a boolean, got ", other.kind()], "")),
        };
        let mut site = Site { object, pointer, base };
        self.identify(id, &mut site)?;
        for key in object.keys() {
            refuse_unimplemented(&site, key)?;
        }
        let mut keywords = Vec::new();
        self.read_any(&site, &mut keywords)?;
        read_scalars(&site, &mut keywords)?;
        self.read_arrays(&site, &mut keywords)?;
        self.read_objects(&site, &mut keywords)?;
        self.read_combined(&site, &mut keywords)?;
        for key in ["$defs", "definitions"] {
            self.children(&site, key)?;
        }
        if let Some(text) = site.text("$ref")? {
            self.references.push(Reference { node: id, text: text.to_owned(), base: site.base });
        }
        Ok(Node::Keywords(keywords))
    }

    /// Takes in `$id` and anchors: what others may refer to this schema by.
    fn identify(&mut self, id: NodeId, site: &mut Site<'a>) -> Result<(), Refusal> {
        if let Some(uri) = site.text("$schema")?
            && find(uri, "json-schema.org/").is_none()
        {
            return Err(site.refuse("$schema", &["`", &echo(uri), "` is not a known dialect"], "JSON Schema 2020-12"));
        }
        if let Some(text) = site.text("$id")? {
            let (uri, fragment) = split_fragment(text);
            if !fragment.is_empty() {
                return Err(site.refuse("$id", &["`$id` must not hold a fragment"], "`$anchor` for a name inside the schema"));
            }
            site.base = Arc::from(resolve(&site.base, uri));
            if let Some(place) = self.places.get_mut(id) {
                place.base = site.base.clone();
            }
            if self.resources.insert(site.base.clone(), id).is_some_and(|other| other != id) {
                return Err(site.refuse("$id", &["`", &echo(text), "` names two schemas"], ""));
            }
        }
        for key in ["$anchor", "$dynamicAnchor"] {
            if let Some(name) = site.text(key)?
                && self.anchors.insert(Arc::from(concat(&[&site.base, "#", name])), id).is_some_and(|other| other != id)
            {
                return Err(site.refuse(key, &["the anchor `", &echo(name), "` names two schemas"], ""));
            }
        }
        Ok(())
    }

    fn child(&mut self, site: &Site<'a>, key: &str) -> Result<Option<NodeId>, Refusal> {
        let Some(schema) = site.object.get(key) else { return Ok(None) };
        self.place(&concat(&[&site.pointer, "/", key]), schema, site.base.clone()).map(Some)
    }

    /// The schemas under the names of an object.
    fn children(&mut self, site: &Site<'a>, key: &str) -> Result<Vec<(Arc<str>, NodeId)>, Refusal> {
        let mut found = Vec::new();
        let Some(object) = site.members(key)? else { return Ok(found) };
        for (name, schema) in object.iter() {
            let id = self.place(&concat(&[&site.pointer, "/", key, "/", &escape(name)]), schema, site.base.clone())?;
            found.push((name.clone(), id));
        }
        Ok(found)
    }

    /// The schemas of a list that must hold at least one.
    fn listed(&mut self, site: &Site<'a>, key: &str) -> Result<Option<Vec<NodeId>>, Refusal> {
        let Some(value) = site.object.get(key) else { return Ok(None) };
        let Some(items) = value.as_array().filter(|items| !items.is_empty()) else {
            return Err(site.wrong(key, "a list of at least one schema", value));
        };
        let mut found = Vec::with_capacity(items.len());
        for (at, schema) in items.iter().enumerate() {
            found.push(self.place(&concat(&[&site.pointer, "/", key, "/", &at.to_string()]), schema, site.base.clone())?);
        }
        Ok(Some(found))
    }

    fn read_any(&mut self, site: &Site<'a>, keywords: &mut Vec<Keyword>) -> Result<(), Refusal> {
        if let Some(value) = site.object.get("type") {
            let names = match value {
                Json::String(_) => std::slice::from_ref(value),
                Json::Array(items) if !items.is_empty() => items.as_slice(),
                other => return Err(site.wrong("type", "the name of a type or a list of them", other)),
            };
            let mut bits = 0;
            for name in names {
                match TYPES.iter().find(|(known, _)| name.as_str() == Some(known)) {
                    Some((_, bit)) => bits |= bit,
                    None => {
                        let name = echo(name.as_str().unwrap_or(name.kind()));
                        const KNOWN: &str = "null, boolean, integer, number, string, array or object";
                        return Err(site.refuse("type", &["unknown type `", &name, "`"], KNOWN));
                    }
                }
            }
            keywords.push(Keyword::Type(bits));
        }
        if let Some(value) = site.object.get("const") {
            keywords.push(Keyword::Const(value.clone()));
        }
        if let Some(value) = site.object.get("enum") {
            let Some(values) = value.as_array() else { return Err(site.wrong("enum", "a list of values", value)) };
            let mut choices = Choices { texts: Places::new(), others: Vec::new(), all: values.to_vec() };
            for (at, value) in values.iter().enumerate() {
                match value {
                    Json::String(text) => {
                        choices.texts.insert(text.clone(), at);
                    }
                    other => choices.others.push(other.clone()),
                }
            }
            keywords.push(Keyword::Enum(choices));
        }
        Ok(())
    }

    fn read_arrays(&mut self, site: &Site<'a>, keywords: &mut Vec<Keyword>) -> Result<(), Refusal> {
        if matches!(site.object.get("items"), Some(Json::Array(_))) {
            return Err(site.refuse("items", &["`items` must be one schema"], "`prefixItems` for a list of schemas"));
        }
        let prefix = self.listed(site, "prefixItems")?.unwrap_or_default();
        let rest = self.child(site, "items")?;
        if !prefix.is_empty() || rest.is_some() {
            keywords.push(Keyword::Items { prefix, rest });
        }
        let (min, max) = (site.count("minItems")?, site.count("maxItems")?);
        if min.is_some() || max.is_some() {
            keywords.push(Keyword::ItemCount { min, max });
        }
        match site.object.get("uniqueItems") {
            None | Some(Json::Bool(false)) => {}
            Some(Json::Bool(true)) => keywords.push(Keyword::Unique),
            Some(other) => return Err(site.wrong("uniqueItems", "true or false", other)),
        }
        let (min, max) = (site.count("minContains")?.unwrap_or(1), site.count("maxContains")?);
        if let Some(node) = self.child(site, "contains")? {
            keywords.push(Keyword::Contains { node, min, max });
        }
        Ok(())
    }

    fn read_objects(&mut self, site: &Site<'a>, keywords: &mut Vec<Keyword>) -> Result<(), Refusal> {
        if let Some(value) = site.object.get("required") {
            keywords.push(Keyword::Required(site.names("required", value)?));
        }
        let named = self.children(site, "properties")?;
        let mut patterns = Vec::new();
        for (source, node) in self.children(site, "patternProperties")? {
            let pattern = Pattern::compile(&source).map_err(|why| site.bad_pattern("patternProperties", &source, &why))?;
            patterns.push((pattern, node));
        }
        let rest = self.child(site, "additionalProperties")?;
        if !named.is_empty() || !patterns.is_empty() || rest.is_some() {
            let mut members = Members { patterns, rest, ..Members::default() };
            for (name, node) in named {
                members.names.push(name.clone());
                members.named.insert(name, node);
            }
            keywords.push(Keyword::Members(members));
        }
        if let Some(node) = self.child(site, "propertyNames")? {
            keywords.push(Keyword::Names(node));
        }
        let (min, max) = (site.count("minProperties")?, site.count("maxProperties")?);
        if min.is_some() || max.is_some() {
            keywords.push(Keyword::MemberCount { min, max });
        }
        if let Some(object) = site.members("dependentRequired")? {
            let mut needs = Vec::with_capacity(object.len());
            for (name, value) in object.iter() {
                needs.push((name.clone(), site.names("dependentRequired", value)?));
            }
            keywords.push(Keyword::DependentRequired(needs));
        }
        let dependent = self.children(site, "dependentSchemas")?;
        if !dependent.is_empty() {
            keywords.push(Keyword::DependentSchemas(dependent));
        }
        Ok(())
    }

    fn read_combined(&mut self, site: &Site<'a>, keywords: &mut Vec<Keyword>) -> Result<(), Refusal> {
        keywords.extend(self.listed(site, "allOf")?.map(Keyword::AllOf));
        keywords.extend(self.listed(site, "anyOf")?.map(Keyword::AnyOf));
        keywords.extend(self.listed(site, "oneOf")?.map(Keyword::OneOf));
        keywords.extend(self.child(site, "not")?.map(Keyword::Not));
        let (then, otherwise) = (self.child(site, "then")?, self.child(site, "else")?);
        if let Some(test) = self.child(site, "if")? {
            keywords.push(Keyword::If { test, then, otherwise });
        }
        Ok(())
    }

    /// The node a reference leads to, placed now where it stands under a keyword nobody knows.
    fn target(&mut self, reference: &Reference) -> Result<NodeId, Refusal> {
        let (uri, fragment) = split_fragment(&reference.text);
        let uri = resolve(&reference.base, uri);
        let refuse = |compiler: &Compiler<'_>, why: &str| {
            let place = compiler.places.get(reference.node).map_or("", |place| &*place.pointer);
            let expected = "a reference inside this schema, `#/$defs/…`";
            refuse_at(&concat(&[place, "/$ref"]), &["`$ref` `", &echo(&reference.text), "` ", why], expected)
        };
        let Some(resource) = self.resources.get(uri.as_str()).copied() else {
            return Err(refuse(self, "leads out of the schema"));
        };
        let Some(fragment) = percent_decode(fragment) else { return Err(refuse(self, "is not a reference")) };
        if !fragment.is_empty() && !fragment.starts_with('/') {
            return self.anchors.get(concat(&[&uri, "#", &fragment]).as_str()).copied().ok_or_else(|| refuse(self, "names no anchor"));
        }
        let Some(start) = self.places.get(resource) else { return Err(refuse(self, "leads nowhere")) };
        let (mut pointer, mut base) = (start.pointer.to_string(), start.base.clone());
        let mut schema = start.schema;
        for token in fragment.split('/').skip(1) {
            let Some(next) = step(schema, &unescape(token)) else { return Err(refuse(self, "leads nowhere")) };
            schema = next;
            pointer.push('/');
            pointer.push_str(token);
            if let Some(place) = self.by_pointer.get(pointer.as_str()).and_then(|id| self.places.get(*id)) {
                base = place.base.clone();
            }
        }
        self.place(&pointer, schema, base)
    }

    /// Refuses a schema that applies itself to the same value again: it could never be decided.
    fn refuse_loops(&self) -> Result<(), Refusal> {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            Open,
            Done,
        }
        let mut marks = vec![Mark::New; self.nodes.len()];
        for root in 0..self.nodes.len() {
            let mut stack = vec![(root, false)];
            while let Some((id, leaving)) = stack.pop() {
                let Some(mark) = marks.get_mut(id) else { continue };
                if leaving {
                    *mark = Mark::Done;
                } else if *mark == Mark::New {
                    *mark = Mark::Open;
                    stack.push((id, true));
                    for next in self.nodes.get(id).map(in_place).unwrap_or_default() {
                        if marks.get(next) == Some(&Mark::Open) {
                            let place = self.places.get(next).map_or("", |place| &*place.pointer);
                            let why = "the schema refers to itself without looking at a smaller part of the value";
                            return Err(refuse_at(place, &[why], ""));
                        }
                        stack.push((next, false));
                    }
                }
            }
        }
        Ok(())
    }
}

impl<'a> Site<'a> {
    /// A refusal at keyword `key`; its words are handed over in parts.
    #[inline(never)]
    fn refuse(&self, key: &str, message: &[&str], expected: &str) -> Refusal {
        refuse_at(&concat(&[&self.pointer, "/", &escape(key)]), message, expected)
    }

    fn wrong(&self, key: &str, expected: &str, got: &Json) -> Refusal {
        self.refuse(key, &["`", key, "` must be ", expected, ", got ", got.kind()], expected)
    }

    fn bad_pattern(&self, key: &str, source: &str, why: &str) -> Refusal {
        self.refuse(key, &["`", &echo(source), "` is not a regular expression: ", &echo(why)], "an ECMAScript regular expression")
    }

    fn text(&self, key: &str) -> Result<Option<&'a str>, Refusal> {
        match self.object.get(key) {
            None => Ok(None),
            Some(Json::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.wrong(key, "a string", other)),
        }
    }

    fn members(&self, key: &str) -> Result<Option<&'a Object>, Refusal> {
        match self.object.get(key) {
            None => Ok(None),
            Some(Json::Object(object)) => Ok(Some(object)),
            Some(other) => Err(self.wrong(key, "an object", other)),
        }
    }

    fn number(&self, key: &str) -> Result<Option<f64>, Refusal> {
        match self.object.get(key) {
            None => Ok(None),
            Some(Json::Number(number)) => Ok(Some(*number)),
            Some(other) => Err(self.wrong(key, "a number", other)),
        }
    }

    fn count(&self, key: &str) -> Result<Option<u64>, Refusal> {
        match self.number(key)? {
            None => Ok(None),
            Some(number) => whole(number)
                .map(Some)
                .ok_or_else(|| self.refuse(key, &["`", key, "` must be a whole number from 0, got ", &shown(&Json::Number(number))], "")),
        }
    }

    fn names(&self, key: &str, value: &Json) -> Result<Vec<Arc<str>>, Refusal> {
        let wrong = || self.wrong(key, "a list of names", value);
        let mut names = Vec::new();
        for item in value.as_array().ok_or_else(wrong)? {
            let Json::String(name) = item else { return Err(wrong()) };
            names.push(name.clone());
        }
        Ok(names)
    }
}

fn read_scalars(site: &Site<'_>, keywords: &mut Vec<Keyword>) -> Result<(), Refusal> {
    let (min, max) = (site.count("minLength")?, site.count("maxLength")?);
    if min.is_some() || max.is_some() {
        keywords.push(Keyword::Length { min, max });
    }
    if let Some(source) = site.text("pattern")? {
        let pattern = Pattern::compile(source).map_err(|why| site.bad_pattern("pattern", source, &why))?;
        keywords.push(Keyword::Pattern(pattern));
    }
    for (key, bound) in
        [("minimum", Bound::AtLeast), ("maximum", Bound::AtMost), ("exclusiveMinimum", Bound::Above), ("exclusiveMaximum", Bound::Below)]
    {
        keywords.extend(site.number(key)?.map(|limit| Keyword::Limit(bound, limit)));
    }
    if let Some(step) = site.number("multipleOf")? {
        if !(step > 0.0 && step.is_finite()) {
            return Err(site.refuse("multipleOf", &["`multipleOf` must be above 0, got ", &shown(&Json::Number(step))], ""));
        }
        keywords.push(Keyword::MultipleOf(step));
    }
    Ok(())
}

/// Keywords that would assert something here but are not built; the others that are not known assert nothing.
fn refuse_unimplemented(site: &Site<'_>, key: &str) -> Result<(), Refusal> {
    let instead = match key {
        "unevaluatedProperties" => "`additionalProperties` beside the `properties` it closes",
        "unevaluatedItems" => "`items` beside `prefixItems`",
        "$dynamicRef" | "$recursiveRef" | "$recursiveAnchor" => "`$ref`",
        "additionalItems" => "`items` beside `prefixItems`",
        "dependencies" => "`dependentRequired` or `dependentSchemas`",
        _ => return Ok(()),
    };
    Err(site.refuse(key, &["the keyword `", key, "` is not supported"], instead))
}

/// The nodes that are applied to the same value as this one.
fn in_place(node: &Node) -> Vec<NodeId> {
    let mut found = Vec::new();
    let Node::Keywords(keywords) = node else { return found };
    for keyword in keywords {
        match keyword {
            Keyword::Ref(id) | Keyword::Not(id) => found.push(*id),
            Keyword::AllOf(ids) | Keyword::AnyOf(ids) | Keyword::OneOf(ids) => found.extend_from_slice(ids),
            Keyword::If { test, then, otherwise } => {
                found.push(*test);
                found.extend_from_slice(then.as_slice());
                found.extend_from_slice(otherwise.as_slice());
            }
            Keyword::DependentSchemas(schemas) => {
                for (_, id) in schemas {
                    found.push(*id);
                }
            }
            _ => {}
        }
    }
    found
}

/// A refusal at a JSON pointer, told as a dotted path.
#[inline(never)]
fn refuse_at(pointer: &str, message: &[&str], expected: &str) -> Refusal {
    let mut path = String::new();
    for token in pointer.split('/').skip(1) {
        match token.parse() {
            Ok(index) => push_step(&mut path, Step::Item(index)),
            Err(_) => push_step(&mut path, Step::Key(&unescape(token))),
        }
    }
    let expected = (!expected.is_empty()).then(|| expected.to_owned());
    let mut fault = Fault::at(CODE, path, concat(message));
    fault.expected = expected;
    Box::new(fault)
}
