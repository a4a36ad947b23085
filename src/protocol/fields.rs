//! Reads the members of an object that a host wrote by hand, and says what is wrong and where.
//!
//! Enters: one JSON value. Leaves: typed members, or a `Fault` with the member's path. A key nobody asked
//! for is a fault too: a misspelt option must not be an option silently left out.

use super::error::Fault;
use super::from_json::{FromJson, member};
use super::json::{Json, MAX_SAFE_INTEGER, Object};
use super::text::{echo, join};

/// The largest whole number every host can hold: 2^53-1. No sum that is kept or handed out passes it.
pub const LARGEST_WHOLE: u64 = 9_007_199_254_740_991;

/// The members of one object, taken one by one.
pub struct Fields<'a> {
    object: &'a Object,
    code: &'static str,
    path: String,
    asked: Vec<&'static str>,
    /// The first fault of a member that was read without looking back.
    fault: Option<Fault>,
}

impl<'a> Fields<'a> {
    /// The members of `value`; `code` is the code of every fault, `path` the place of `value` itself.
    pub fn of(value: &'a Json, code: &'static str, path: &str) -> Result<Fields<'a>, Fault> {
        match value {
            Json::Object(object) => Ok(Fields { object, code, path: path.to_owned(), asked: Vec::new(), fault: None }),
            other => Err(Fault::at(code, path, format!("expected an object, got {}", other.kind())).expecting("an object")),
        }
    }

    /// The raw member, where it is present; `null` counts as present.
    pub fn opt_json(&mut self, key: &'static str) -> Option<&'a Json> {
        if !self.asked.contains(&key) {
            self.asked.push(key);
        }
        self.object.get(key)
    }

    /// The raw member.
    pub fn json(&mut self, key: &'static str) -> Result<Json, Fault> {
        self.opt_json(key).cloned().ok_or_else(|| self.missing(key))
    }

    /// A text.
    pub fn string(&mut self, key: &'static str) -> Result<String, Fault> {
        self.opt_string(key)?.ok_or_else(|| self.missing(key))
    }

    /// A text that may be left out.
    pub fn opt_string(&mut self, key: &'static str) -> Result<Option<String>, Fault> {
        match self.opt_json(key) {
            None => Ok(None),
            Some(Json::String(text)) => Ok(Some(text.to_string())),
            Some(other) => Err(self.wrong(key, "a string", other)),
        }
    }

    /// A list of texts that may be left out.
    pub fn opt_strings(&mut self, key: &'static str) -> Result<Option<Vec<String>>, Fault> {
        let Some(value) = self.opt_json(key) else { return Ok(None) };
        let wrong = || self.wrong(key, "a list of strings", value);
        let mut texts = Vec::new();
        for item in value.as_array().ok_or_else(wrong)? {
            texts.push(item.as_str().ok_or_else(wrong)?.to_owned());
        }
        Ok(Some(texts))
    }

    /// A boolean that may be left out.
    pub fn opt_bool(&mut self, key: &'static str) -> Result<Option<bool>, Fault> {
        match self.opt_json(key) {
            None => Ok(None),
            Some(Json::Bool(value)) => Ok(Some(*value)),
            Some(other) => Err(self.wrong(key, "true or false", other)),
        }
    }

    /// A finite number that may be left out.
    pub fn opt_number(&mut self, key: &'static str) -> Result<Option<f64>, Fault> {
        match self.opt_json(key) {
            None => Ok(None),
            Some(Json::Number(number)) => Ok(Some(*number)),
            Some(other) => Err(self.wrong(key, "a number", other)),
        }
    }

    /// A whole number from 0 to 2^53-1 that may be left out.
    pub fn opt_integer(&mut self, key: &'static str) -> Result<Option<u64>, Fault> {
        match self.opt_number(key)? {
            None => Ok(None),
            Some(number) => match whole(number) {
                Some(integer) => Ok(Some(integer)),
                None => Err(self
                    .fault(key, format!("`{}` is not a whole number from 0 to 2^53-1", Json::Number(number).to_text()))
                    .expecting("a whole number from 0 to 2^53-1")),
            },
        }
    }

    /// A moment or length in milliseconds that may be left out; fractions are cut off.
    pub fn opt_ms(&mut self, key: &'static str) -> Result<Option<u64>, Fault> {
        match self.opt_number(key)? {
            None => Ok(None),
            Some(number) => match whole(number.trunc()) {
                Some(ms) => Ok(Some(ms)),
                None => Err(self
                    .fault(key, format!("`{}` is not a time in milliseconds", Json::Number(number).to_text()))
                    .expecting("milliseconds, 0 to 2^53-1")),
            },
        }
    }

    /// A member of any readable kind.
    pub fn read<T: FromJson>(&mut self, key: &'static str) -> Result<T, Fault> {
        self.asked.push(key);
        member(self.object, key).map_err(|fault| self.first(fault.told_as(self.code, "").under(&self.path)))
    }

    /// A fault at member `key`.
    #[must_use]
    pub fn fault(&self, key: &str, message: impl Into<String>) -> Fault {
        Fault::at(self.code, key, message).under(&self.path)
    }

    /// A text; one that is not there is "" until `finish` tells of it.
    pub fn text(&mut self, key: &'static str) -> String {
        let read = self.string(key);
        self.later(read)
    }

    /// A text that may be left out; `finish` tells of anything else.
    pub fn opt_text(&mut self, key: &'static str) -> Option<String> {
        let read = self.opt_string(key);
        self.later(read)
    }

    /// A list of texts; `finish` tells of anything else.
    pub fn texts(&mut self, key: &'static str) -> Vec<String> {
        let read = self.opt_strings(key).and_then(|texts| texts.ok_or_else(|| self.missing(key)));
        self.later(read)
    }

    /// A list of texts that may be left out; `finish` tells of anything else.
    pub fn opt_texts(&mut self, key: &'static str) -> Option<Vec<String>> {
        let read = self.opt_strings(key);
        self.later(read)
    }

    /// The raw member; `finish` tells where there is none.
    pub fn value(&mut self, key: &'static str) -> Json {
        let read = self.json(key);
        self.later(read)
    }

    /// A boolean that may be left out; `finish` tells of anything else.
    pub fn opt_flag(&mut self, key: &'static str) -> Option<bool> {
        let read = self.opt_bool(key);
        self.later(read)
    }

    /// A whole number that may be left out; `finish` tells of anything else.
    pub fn opt_whole(&mut self, key: &'static str) -> Option<u64> {
        let read = self.opt_integer(key);
        self.later(read)
    }

    /// Keeps the first fault for `finish`: most members are read one after the other without looking back, and a
    /// way out after each would be half of the code that reads them.
    pub fn later<T: Default>(&mut self, read: Result<T, Fault>) -> T {
        read.unwrap_or_else(|fault| {
            self.fault.get_or_insert(fault);
            T::default()
        })
    }

    /// Ends the reading; a member nobody asked for is a fault that names it.
    pub fn finish(self) -> Result<(), Fault> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        match self.object.keys().find(|key| !self.asked.contains(&&***key)) {
            None => Ok(()),
            Some(unknown) => {
                Err(self.fault("", format!("unknown key `{}`", echo(unknown))).expecting(format!("one of `{}`", join(&self.asked, "`, `"))))
            }
        }
    }

    fn missing(&self, key: &str) -> Fault {
        self.first(self.fault(key, format!("`{key}` is missing")))
    }

    fn wrong(&self, key: &str, expected: &str, got: &Json) -> Fault {
        self.first(self.fault(key, format!("expected {expected}, got {}", got.kind())).expecting(expected))
    }

    /// The fault that is told: the one kept, where there is one, since it stands before.
    fn first(&self, fault: Fault) -> Fault {
        self.fault.clone().unwrap_or(fault)
    }
}

/// The whole number from 0 to 2^53-1 that `number` is, where it is one.
#[must_use]
pub fn whole(number: f64) -> Option<u64> {
    if number.fract() != 0.0 || !(0.0..=MAX_SAFE_INTEGER).contains(&number) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and within 0..=2^53-1, checked above")]
    let integer = number as u64;
    Some(integer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_what_is_wrong_and_where() {
        let value = Json::parse(r#"{"label":1,"labell":"x"}"#).unwrap();
        let mut fields = Fields::of(&value, "invalid_input", "tools[2]").unwrap();
        let fault = fields.string("label").unwrap_err();
        assert_eq!((fault.path.as_str(), fault.message.as_str()), ("tools[2].label", "expected a string, got number"));
        assert_eq!(fields.string("name").unwrap_err().message, "`name` is missing");
        let fault = fields.finish().unwrap_err();
        assert_eq!((fault.path.as_str(), fault.message.as_str()), ("tools[2]", "unknown key `labell`"));
    }

    #[test]
    fn numbers_that_are_not_whole_are_refused() {
        for text in ["-1", "0.5", "9007199254740992", "1e300"] {
            let value = Json::parse(&format!(r#"{{"n":{text}}}"#)).unwrap();
            assert!(Fields::of(&value, "invalid_input", "").unwrap().opt_integer("n").is_err(), "{text}");
        }
        assert_eq!(whole(7.0), Some(7));
    }
}
