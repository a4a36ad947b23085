//! Closed lists of words: an enum whose variants have one name each, in Rust, JSON and the docs.

use super::error::Fault;
use super::json::Json;
use super::text::echo;

/// An enum that is written as a word.
pub trait Word: Copy + PartialEq + 'static {
    /// All variants with their words, in order of declaration.
    const WORDS: &'static [(&'static str, Self)];
    /// The words alone, so that looking one up is the same code for every list.
    const NAMES: &'static [&'static str];

    /// The place of this variant in both.
    #[must_use]
    fn place(self) -> usize;

    /// The word of this variant.
    #[must_use]
    fn word(self) -> &'static str {
        Self::NAMES.get(self.place()).copied().unwrap_or_default()
    }

    /// The variant of a word, matched exactly.
    #[must_use]
    fn of_word(word: &str) -> Option<Self> {
        Self::WORDS.get(place_of(word, Self::NAMES)?).map(|(_, variant)| *variant)
    }
}

#[inline(never)]
fn place_of(word: &str, names: &[&str]) -> Option<usize> {
    names.iter().position(|name| *name == word)
}

/// Reads a word; the fault lists those that would have been right.
pub fn read_word<T: Word>(value: &Json, code: &'static str) -> Result<T, Fault> {
    let variant = |place: usize| T::WORDS.get(place).map(|(_, variant)| *variant);
    read_place(value, code, T::NAMES).and_then(|place| variant(place).ok_or_else(|| unknown("", code, T::NAMES)))
}

#[inline(never)]
fn read_place(value: &Json, code: &'static str, names: &[&str]) -> Result<usize, Fault> {
    match value {
        Json::String(word) => place_of(word, names).ok_or_else(|| unknown(word, code, names)),
        other => Err(Fault::new(code, format!("expected a string, got {}", other.kind()))),
    }
}

#[inline(never)]
fn unknown(word: &str, code: &'static str, known: &[&str]) -> Fault {
    let mut listed = String::new();
    for word in known {
        listed.push_str(if listed.is_empty() { "one of `" } else { "`, `" });
        listed.push_str(word);
    }
    listed.push('`');
    Fault::new(code, format!("unknown word `{}`", echo(word))).expecting(listed)
}

/// Declares such an enum: `words! { /// Doc. pub enum Effect { /// Doc. Read = "read" } }`.
#[macro_export]
macro_rules! words {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
        pub enum $name { $($(#[$doc])* #[cfg_attr(feature = "wasm", serde(rename = $word))] $variant),* }

        impl $crate::protocol::words::Word for $name {
            const WORDS: &'static [(&'static str, $name)] = &[$(($word, $name::$variant)),*];
            const NAMES: &'static [&'static str] = &[$($word),*];

            fn place(self) -> usize {
                self as usize
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str($crate::protocol::words::Word::word(*self))
            }
        }

        impl $crate::protocol::from_json::FromJson for $name {
            fn blank() -> $name {
                [$($name::$variant),*][0]
            }

            fn from_json(value: &$crate::protocol::json::Json) -> Result<$name, $crate::protocol::error::Fault> {
                $crate::protocol::words::read_word(value, "invalid_input")
            }
        }
    };
}
