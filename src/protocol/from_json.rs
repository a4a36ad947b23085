//! Reads plain values that were written by the core itself (states, snapshots, messages): what is missing or of
//! another kind is a fault with its path. Members the core does not know are left alone, so that it can grow.

use super::error::Fault;
use super::fields::whole;
use super::json::{Json, Object};

/// The code of every fault here; who calls gives it a name of its own.
const CODE: &str = "invalid_input";

/// A value that can be read from JSON.
pub trait FromJson: Sized {
    /// Reads the value.
    fn from_json(value: &Json) -> Result<Self, Fault>;

    /// A value of no meaning, which holds the place of a member that could not be read until the record is given up.
    #[must_use]
    fn blank() -> Self;

    /// What a member that is left out stands for; nothing, for most.
    #[must_use]
    fn absent() -> Option<Self> {
        None
    }
}

/// A record that is being read: the first fault stays, so that its members are read one after the other without
/// looking back (which, with two dozen members each, is most of what the reading of a record weighs).
pub struct Record<'a> {
    object: &'a Object,
    fault: Option<Fault>,
}

impl<'a> Record<'a> {
    /// The record `value` holds.
    pub fn of(value: &'a Json) -> Result<Record<'a>, Fault> {
        Ok(Record { object: object_of(value)?, fault: None })
    }

    /// One member.
    #[inline(never)]
    pub fn member<T: FromJson>(&mut self, key: &str) -> T {
        let read = match self.object.get(key) {
            Some(value) => T::from_json(value),
            None => return T::absent().unwrap_or_else(|| self.missing(key)),
        };
        read.unwrap_or_else(|fault| self.failed(key, fault))
    }

    fn missing<T: FromJson>(&mut self, key: &str) -> T {
        self.note(missing(key));
        T::blank()
    }

    fn failed<T: FromJson>(&mut self, key: &str, fault: Fault) -> T {
        self.note(fault.under(key));
        T::blank()
    }

    #[inline(never)]
    fn note(&mut self, fault: Fault) {
        self.fault.get_or_insert(fault);
    }

    /// The record that was read, or what is wrong with it.
    pub fn done<T>(self, record: T) -> Result<T, Fault> {
        self.fault.map_or(Ok(record), Err)
    }
}

/// The object a record is read from.
pub fn object_of(value: &Json) -> Result<&Object, Fault> {
    value.as_object().ok_or_else(|| wrong("an object", value))
}

/// One member of a record.
pub fn member<T: FromJson>(object: &Object, key: &str) -> Result<T, Fault> {
    match object.get(key) {
        Some(value) => T::from_json(value).map_err(|fault| fault.under(key)),
        None => T::absent().ok_or_else(|| missing(key)),
    }
}

fn items_of(value: &Json) -> Result<&[Json], Fault> {
    value.as_array().ok_or_else(|| wrong("a list", value))
}

#[inline(never)]
fn at_item(fault: Fault, at: usize) -> Fault {
    fault.under(&format!("[{at}]"))
}

#[inline(never)]
fn missing(key: &str) -> Fault {
    Fault::at(CODE, key, format!("`{key}` is missing"))
}

#[inline(never)]
fn wrong(expected: &str, got: &Json) -> Fault {
    Fault::new(CODE, format!("expected {expected}, got {}", got.kind())).expecting(expected)
}

/// Declares how a record is read: `from_json! { Usage { input_tokens: "inputTokens" } }`.
#[macro_export]
macro_rules! from_json {
    ($name:ident { $($field:ident : $key:literal),* $(,)? }) => {
        impl $crate::protocol::from_json::FromJson for $name {
            fn from_json(value: &$crate::protocol::json::Json) -> Result<$name, $crate::protocol::error::Fault> {
                let mut record = $crate::protocol::from_json::Record::of(value)?;
                let read = $name { $($field: record.member($key)),* };
                record.done(read)
            }

            fn blank() -> $name {
                $name { $($field: $crate::protocol::from_json::FromJson::blank()),* }
            }
        }
    };
}

impl FromJson for Json {
    fn blank() -> Json {
        Json::Null
    }

    fn from_json(value: &Json) -> Result<Json, Fault> {
        Ok(value.clone())
    }
}

impl FromJson for String {
    fn blank() -> String {
        String::new()
    }

    fn from_json(value: &Json) -> Result<String, Fault> {
        value.as_str().map(str::to_owned).ok_or_else(|| wrong("a string", value))
    }
}

impl FromJson for bool {
    fn blank() -> bool {
        false
    }

    fn from_json(value: &Json) -> Result<bool, Fault> {
        value.as_bool().ok_or_else(|| wrong("true or false", value))
    }
}

impl FromJson for u64 {
    fn blank() -> u64 {
        0
    }

    fn from_json(value: &Json) -> Result<u64, Fault> {
        value.as_number().and_then(whole).ok_or_else(|| wrong("a whole number from 0 to 2^53-1", value))
    }
}

impl FromJson for u32 {
    fn blank() -> u32 {
        0
    }

    fn from_json(value: &Json) -> Result<u32, Fault> {
        u64::from_json(value).and_then(|number| u32::try_from(number).map_err(|_| wrong("a whole number below 2^32", value)))
    }
}

impl FromJson for f64 {
    fn blank() -> f64 {
        0.0
    }

    fn from_json(value: &Json) -> Result<f64, Fault> {
        value.as_number().ok_or_else(|| wrong("a number", value))
    }
}

impl<T: FromJson> FromJson for Option<T> {
    fn blank() -> Option<T> {
        None
    }

    fn from_json(value: &Json) -> Result<Option<T>, Fault> {
        if let Json::Null = value { Ok(None) } else { T::from_json(value).map(Some) }
    }

    fn absent() -> Option<Option<T>> {
        Some(None)
    }
}

impl<T: FromJson> FromJson for Vec<T> {
    fn blank() -> Vec<T> {
        Vec::new()
    }

    fn from_json(value: &Json) -> Result<Vec<T>, Fault> {
        let items = items_of(value)?;
        let mut list = Vec::with_capacity(items.len());
        for item in items {
            match T::from_json(item) {
                Ok(item) => list.push(item),
                Err(fault) => return Err(at_item(fault, list.len())),
            }
        }
        Ok(list)
    }
}
