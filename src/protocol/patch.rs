//! JSON Patch (RFC 6902) as data: how a change of a document travels.

use serde::{Serialize, Serializer, ser::SerializeMap};

use super::error::Fault;
use super::fields::Fields;
use super::from_json::FromJson;
use super::json::Json;
use super::text::echo;

/// One operation; `path` is a JSON pointer.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "wasm", serde(tag = "op", rename_all = "lowercase"))]
pub enum PatchOperation {
    /// Puts `value` where nothing was (in an array: before that place, `-` for the end).
    Add {
        /// Where.
        path: String,
        /// What.
        #[cfg_attr(feature = "wasm", tsify(type = "Json"))]
        value: Json,
    },
    /// Takes away what is there.
    Remove {
        /// Where.
        path: String,
    },
    /// Puts `value` in the place of what is there.
    Replace {
        /// Where.
        path: String,
        /// What.
        #[cfg_attr(feature = "wasm", tsify(type = "Json"))]
        value: Json,
    },
    /// Holds only if `value` is there; a host may send it, the core never does.
    Test {
        /// Where.
        path: String,
        /// What.
        #[cfg_attr(feature = "wasm", tsify(type = "Json"))]
        value: Json,
    },
}

/// A list of operations, applied in order, all or none.
pub type JsonPatch = Vec<PatchOperation>;

impl Serialize for PatchOperation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (op, path, value) = match self {
            PatchOperation::Add { path, value } => ("add", path, Some(value)),
            PatchOperation::Remove { path } => ("remove", path, None),
            PatchOperation::Replace { path, value } => ("replace", path, Some(value)),
            PatchOperation::Test { path, value } => ("test", path, Some(value)),
        };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("op", op)?;
        map.serialize_entry("path", path)?;
        if let Some(value) = value {
            map.serialize_entry("value", value)?;
        }
        map.end()
    }
}

impl FromJson for PatchOperation {
    fn blank() -> PatchOperation {
        PatchOperation::Remove { path: String::new() }
    }

    fn from_json(value: &Json) -> Result<PatchOperation, Fault> {
        decode_operation(value)
    }
}

/// Reads a patch from plain JSON; the fault names the operation that is wrong.
pub fn decode_patch(value: &Json) -> Result<JsonPatch, Fault> {
    let Some(operations) = value.as_array() else {
        return Err(Fault::new("invalid_input", format!("expected a list of patch operations, got {}", value.kind())));
    };
    let mut patch = Vec::with_capacity(operations.len());
    for (at, operation) in operations.iter().enumerate() {
        patch.push(decode_operation(operation).map_err(|fault| fault.under(&format!("[{at}]")))?);
    }
    Ok(patch)
}

fn decode_operation(value: &Json) -> Result<PatchOperation, Fault> {
    let mut fields = Fields::of(value, "invalid_input", "")?;
    let path = fields.string("path")?;
    let operation = match fields.string("op")?.as_str() {
        "add" => PatchOperation::Add { path, value: fields.json("value")? },
        "remove" => PatchOperation::Remove { path },
        "replace" => PatchOperation::Replace { path, value: fields.json("value")? },
        "test" => PatchOperation::Test { path, value: fields.json("value")? },
        other => {
            return Err(Fault::at("invalid_input", "op", format!("unknown operation `{}`", echo(other)))
                .expecting("`add`, `remove`, `replace` or `test`"));
        }
    };
    fields.finish()?;
    Ok(operation)
}
