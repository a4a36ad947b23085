//! Names for the things a turn talks about; a call id can never be taken for an effect id.

use std::fmt;

use serde::Serialize;

use super::error::Fault;
use super::from_json::FromJson;
use super::json::Json;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// The id as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl<T: Into<String>> From<T> for $name {
            fn from(text: T) -> $name {
                $name(text.into())
            }
        }

        impl FromJson for $name {
            fn blank() -> $name {
                $name(String::new())
            }

            fn from_json(value: &Json) -> Result<$name, Fault> {
                String::from_json(value).map($name)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }
    };
}

id! {
    /// Names one tool call inside a conversation.
    CallId
}
id! {
    /// Names one thing the host was asked to do; never used again, not even after a restore.
    EffectId
}
