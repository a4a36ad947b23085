//! Where an input names the entity that its tool acts on: a place in the input and a section of the document.

use std::sync::Arc;

use crate::json_object;
use crate::protocol::error::Fault;
use crate::protocol::fields::Fields;
use crate::protocol::json::Json;

/// Where an input names the entity the tool acts on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct ToolTarget {
    /// The section of the document that the entity stands in.
    pub section: String,
    /// JSON pointer into the input, to a text: an id.
    pub path: String,
}

impl ToolTarget {
    /// Reads a target from plain JSON.
    pub fn decode(value: &Json) -> Result<ToolTarget, Fault> {
        let mut fields = Fields::of(value, "invalid_tool", "target")?;
        let target = ToolTarget { section: fields.text("section"), path: fields.text("path") };
        fields.finish()?;
        Ok(target)
    }

    /// The target as plain JSON.
    #[must_use]
    pub fn to_json(&self) -> Json {
        json_object! { "section" => self.section.as_str(), "path" => self.path.as_str() }
    }

    /// The steps of the path; nothing where it names no place inside an input.
    #[must_use]
    pub fn steps(&self) -> Option<Vec<String>> {
        let rest = self.path.strip_prefix('/')?;
        let mut steps = Vec::new();
        for step in rest.split('/') {
            let step = step.replace("~1", "/");
            // what is left of `~` may only be `~0`
            if step.matches('~').count() != step.matches("~0").count() {
                return None;
            }
            steps.push(step.replace("~0", "~"));
        }
        Some(steps)
    }

    /// The text at the place.
    #[must_use]
    pub fn named<'a>(&self, input: &'a Json) -> Option<&'a str> {
        self.steps()?.iter().try_fold(input, |value, step| value.get(step))?.as_str()
    }

    /// The input with another text at the place; nothing where there is none.
    #[must_use]
    pub fn with(&self, input: &Json, id: &str) -> Option<Json> {
        self.named(input)?;
        let mut input = input.clone();
        let mut place = &mut input;
        for step in self.steps()? {
            let Json::Object(object) = place else { return None };
            place = Arc::make_mut(object).get_mut(&step)?;
        }
        *place = Json::from(id);
        Some(input)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_names_one_text_of_the_input() {
        let at = |path: &str| ToolTarget { section: "cards".to_owned(), path: path.to_owned() };
        let input = Json::parse(r#"{"id":"a","in":{"a/b":{"~":"deep"}},"list":["x"],"n":1}"#).unwrap();
        assert_eq!(at("/id").named(&input), Some("a"));
        assert_eq!(at("/in/a~1b/~0").named(&input), Some("deep"));
        for path in ["", "id", "/n", "/in", "/nothing", "/list/0", "/~2", "/~"] {
            assert_eq!(at(path).named(&input), None, "{path}");
            assert_eq!(at(path).with(&input, "z"), None, "{path}");
        }
        let other = at("/in/a~1b/~0").with(&input, "z").unwrap();
        assert_eq!(other.to_text(), r#"{"id":"a","in":{"a/b":{"~":"z"}},"list":["x"],"n":1}"#);
        assert!(at("/a~").steps().is_none() && at("/~01").steps().is_some_and(|steps| steps == ["~1"]));
    }
}
