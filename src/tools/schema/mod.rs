//! JSON Schema 2020-12, as much of it as guards a tool's input and output.
//!
//! Enters: a schema of the host, once; then values. Leaves: a compiled schema or a fault that names the
//! keyword; then issues, one line each. What is not implemented is refused by name at compilation, never
//! skipped: a rule that is silently not checked is worse than none. `default` is never applied.

mod check;
mod compile;
mod decimal;
mod explain;
mod locate;
mod parts;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::protocol::error::Fault;
use crate::protocol::json::Json;

use super::pattern::Pattern;

pub(crate) use parts::ItemPart;

/// The code of every fault in a schema.
pub(crate) const CODE: &str = "invalid_schema";

/// A compiled schema.
#[derive(Debug)]
pub struct Schema {
    // INVARIANT: node 0 is the root, and every id in a keyword is a place in this list
    nodes: Vec<Node>,
}

impl Schema {
    /// Compiles `schema`; `path` is where it stands, for the fault.
    pub fn compile(schema: &Json, path: &str) -> Result<Schema, Fault> {
        match compile::compile(schema) {
            Ok(nodes) => Ok(Schema { nodes }),
            Err(fault) => Err(fault.under(path)),
        }
    }

    /// What is wrong with `value`: one line each, `path: problem`; nothing where it is valid.
    #[must_use]
    pub fn validate(&self, value: &Json) -> Vec<String> {
        self.validate_as(value, "input")
    }

    /// Like `validate`, with another word for the whole value than `input`.
    #[must_use]
    pub fn validate_as(&self, value: &Json, root: &str) -> Vec<String> {
        self.validate_counted(value, root).0
    }

    /// The same, and how many steps it took.
    pub(crate) fn validate_counted(&self, value: &Json, root: &str) -> (Vec<String>, u64) {
        check::issues(&self.nodes, value, root)
    }
}

/// The place of a node in the list of all nodes.
type NodeId = usize;

/// Names with a place each: one kind of map for everything, for the size of the wasm.
type Places = BTreeMap<Arc<str>, usize>;

/// One schema inside the document.
#[derive(Debug)]
enum Node {
    /// `true` or `false`.
    Always(bool),
    /// All of these hold.
    Keywords(Vec<Keyword>),
}

/// One thing a schema demands.
#[derive(Debug)]
enum Keyword {
    Ref(NodeId),
    /// Bits of `kind_bit`.
    Type(u8),
    Const(Json),
    Enum(Choices),
    /// Length in code points.
    Length {
        min: Option<u64>,
        max: Option<u64>,
    },
    Pattern(Pattern),
    Limit(Bound, f64),
    MultipleOf(f64),
    Items {
        prefix: Vec<NodeId>,
        rest: Option<NodeId>,
    },
    Contains {
        node: NodeId,
        min: u64,
        max: Option<u64>,
    },
    ItemCount {
        min: Option<u64>,
        max: Option<u64>,
    },
    Unique,
    MemberCount {
        min: Option<u64>,
        max: Option<u64>,
    },
    Required(Vec<Arc<str>>),
    Members(Members),
    Names(NodeId),
    DependentRequired(Vec<(Arc<str>, Vec<Arc<str>>)>),
    DependentSchemas(Vec<(Arc<str>, NodeId)>),
    AllOf(Vec<NodeId>),
    AnyOf(Vec<NodeId>),
    OneOf(Vec<NodeId>),
    Not(NodeId),
    If {
        test: NodeId,
        then: Option<NodeId>,
        otherwise: Option<NodeId>,
    },
}

/// `properties`, `patternProperties` and `additionalProperties` of one schema: they decide together.
#[derive(Debug, Default)]
struct Members {
    named: Places,
    /// The names in the order they were declared, for the words of an issue.
    names: Vec<Arc<str>>,
    patterns: Vec<(Pattern, NodeId)>,
    rest: Option<NodeId>,
}

/// The values of an `enum`; texts apart, so that a long list is searched, not walked.
#[derive(Debug)]
struct Choices {
    texts: Places,
    others: Vec<Json>,
    all: Vec<Json>,
}

/// Which side of a number a limit bounds.
#[derive(Clone, Copy, Debug)]
enum Bound {
    AtLeast,
    AtMost,
    Above,
    Below,
}

const NULL: u8 = 1;
const BOOLEAN: u8 = 2;
const NUMBER: u8 = 4;
const STRING: u8 = 8;
const ARRAY: u8 = 16;
const OBJECT: u8 = 32;
const INTEGER: u8 = 64;

/// The names of the types with their bits.
const TYPES: [(&str, u8); 7] = [
    ("null", NULL),
    ("boolean", BOOLEAN),
    ("integer", INTEGER),
    ("number", NUMBER),
    ("string", STRING),
    ("array", ARRAY),
    ("object", OBJECT),
];

/// The bits of every type `value` is of.
fn kind_bits(value: &Json) -> u8 {
    match value {
        Json::Null => NULL,
        Json::Bool(_) => BOOLEAN,
        Json::Number(number) if number.fract() == 0.0 => NUMBER | INTEGER,
        Json::Number(_) => NUMBER,
        Json::String(_) => STRING,
        Json::Array(_) => ARRAY,
        Json::Object(_) => OBJECT,
    }
}

#[cfg(test)]
pub(crate) mod tests;
