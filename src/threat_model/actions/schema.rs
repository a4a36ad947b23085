//! What the twelve tools are told to take: closed objects with a bound on every text, list and number.

use crate::json_object;
use crate::protocol::json::{Json, Object};

use super::super::model::{CATEGORIES, MAX_U32, MITIGATION_STATUSES, clearable};
use super::{Target, Verb};

/// The longest id, name, title and other short text, in code points.
const SHORT: u32 = 200;
/// The longest description, in code points.
const LONG: u32 = 4000;
/// The longest list.
const ITEMS: u32 = 100;
/// The farthest place on the canvas.
const FAR: f64 = 1_000_000.0;

/// The value a field takes.
#[derive(Clone, Copy)]
enum Shape {
    /// A short text that may be empty.
    Short,
    /// A short text that may not: a name or an id.
    Named,
    Long,
    LongNamed,
    Shorts,
    Flag,
    Position,
    Size,
    Opacity,
    FontSize,
    FlowNumber,
    Category,
    Severity,
    Mitigation,
}

/// A field, whether it must be given, and what the model should know of it.
type Row = (&'static str, Shape, bool, &'static str);

/// The input of one tool.
pub(super) fn input(verb: Verb, target: Target, name: &str) -> Json {
    let action = json_object! { "const" => name, "description" => "may be left out" };
    let id = || described(Shape::Named, &format!("the id of a {} that exists now", target.words()));
    match verb {
        Verb::Add => closed([("action", action), (target.noun(), fields(added(target)))], &[target.noun()]),
        Verb::Update => {
            let names: Vec<Json> =
                clearable(target.section()).filter(|field| updated(target).iter().any(|row| row.0 == *field)).map(Json::from).collect();
            let clear = json_object! {
                "type" => "array",
                "items" => json_object! { "enum" => names },
                "uniqueItems" => true,
                "maxItems" => ITEMS,
                "description" => "fields to take away; an empty text is not the same as none",
            };
            closed([("action", action), ("id", id()), ("updates", fields(updated(target))), ("clear", clear)], &["id"])
        }
        Verb::Delete => closed([("action", action), ("id", id())], &["id"]),
    }
}

/// What the model is told a tool does.
pub(super) fn description(verb: Verb, target: Target) -> &'static str {
    match (verb, target) {
        (Verb::Add, Target::Element) => {
            "Creates one element of the diagram: a component, a store, an actor or a text note. The id is made here and returned. Any type of the component catalog may be used."
        }
        (Verb::Update, Target::Element) => {
            "Changes one element. Send only the fields that change; lists are replaced whole. Use `clear` to take optional fields away."
        }
        (Verb::Delete, Target::Element) => {
            "Removes one element. Its data flows and relationships go with it, it leaves its trust boundaries, and threats on it or on those flows lose that target; a threat with no other target is removed."
        }
        (Verb::Add, Target::DataFlow) => {
            "Creates one data flow between two elements that exist; a flow from an element to itself is allowed. The id is made here and returned."
        }
        (Verb::Update, Target::DataFlow) => {
            "Changes one data flow. Send only the fields that change; an end that is set must be an element that exists. Use `clear` to take optional fields away."
        }
        (Verb::Delete, Target::DataFlow) => {
            "Removes one data flow. Threats on it lose that target; a threat with no other target is removed."
        }
        (Verb::Add, Target::TrustBoundary) => {
            "Creates one trust boundary around elements. Members that are no elements are left out, and the result names them. The id is made here and returned."
        }
        (Verb::Update, Target::TrustBoundary) => {
            "Changes one trust boundary. Send only the fields that change; `contains` is replaced whole, and members that are no elements are left out. Use `clear` to take optional fields away."
        }
        (Verb::Delete, Target::TrustBoundary) => "Removes one trust boundary. The elements inside stay.",
        (Verb::Add, Target::Threat) => {
            "Creates one threat against an element or a data flow that exists. The id is made here and returned."
        }
        (Verb::Update, Target::Threat) => {
            "Changes one threat. Send only the fields that change; `mitigation` is replaced whole. Use `clear` to take optional fields away."
        }
        (Verb::Delete, Target::Threat) => "Removes one threat.",
    }
}

fn added(target: Target) -> &'static [Row] {
    match target {
        Target::Element => &[
            (
                "type",
                Shape::Named,
                true,
                "a type of the component catalog, such as `web_server`, `sql_database`, `mobile_app`; `text` is a note on the canvas",
            ),
            ("name", Shape::Named, true, "what it is called in the diagram"),
            ("trust_zone", Shape::Short, false, ""),
            ("description", Shape::Long, false, ""),
            ("technologies", Shape::Shorts, false, ""),
            ("position", Shape::Position, false, "pixels; x grows to the right, y downwards"),
        ],
        Target::DataFlow => &[
            ("name", Shape::Short, false, ""),
            ("from", Shape::Named, true, "the id of an element that exists now"),
            ("to", Shape::Named, true, "the id of an element that exists now"),
            ("protocol", Shape::Short, false, ""),
            ("data", Shape::Shorts, false, "what flows"),
            ("authenticated", Shape::Flag, false, ""),
        ],
        Target::TrustBoundary => &[
            ("name", Shape::Named, true, ""),
            ("contains", Shape::Shorts, false, "ids of elements that exist now"),
            ("position", Shape::Position, false, "pixels; x grows to the right, y downwards"),
        ],
        Target::Threat => &[
            ("title", Shape::Named, true, ""),
            ("category", Shape::Category, true, ""),
            ("element", Shape::Named, false, "the id of an element that exists now"),
            ("flow", Shape::Named, false, "the id of a data flow that exists now"),
            ("severity", Shape::Severity, true, ""),
            ("description", Shape::LongNamed, true, ""),
            ("mitigation", Shape::Mitigation, false, ""),
        ],
    }
}

fn updated(target: Target) -> &'static [Row] {
    match target {
        Target::Element => &[
            ("name", Shape::Short, false, ""),
            ("type", Shape::Short, false, "a type of the component catalog"),
            ("trust_zone", Shape::Short, false, ""),
            ("subtype", Shape::Short, false, ""),
            ("icon", Shape::Short, false, ""),
            ("description", Shape::Long, false, ""),
            ("technologies", Shape::Shorts, false, ""),
            ("stores", Shape::Shorts, false, ""),
            ("encryption", Shape::Short, false, ""),
            ("layer", Shape::Named, false, "the id of a layer that exists now"),
            ("group", Shape::Named, false, "the id of a group that exists now"),
            ("tags", Shape::Shorts, false, ""),
            ("position", Shape::Position, false, "pixels; x grows to the right, y downwards"),
            ("fill_color", Shape::Short, false, ""),
            ("stroke_color", Shape::Short, false, ""),
            ("fill_opacity", Shape::Opacity, false, ""),
            ("stroke_opacity", Shape::Opacity, false, ""),
            ("font_size", Shape::FontSize, false, ""),
            ("font_weight", Shape::Short, false, ""),
        ],
        Target::DataFlow => &[
            ("flow_number", Shape::FlowNumber, false, "the number shown on the flow"),
            ("name", Shape::Short, false, ""),
            ("from", Shape::Named, false, "the id of an element that exists now"),
            ("to", Shape::Named, false, "the id of an element that exists now"),
            ("protocol", Shape::Short, false, ""),
            ("data", Shape::Shorts, false, ""),
            ("authenticated", Shape::Flag, false, ""),
            ("label_offset", Shape::Position, false, ""),
            ("source_handle", Shape::Short, false, ""),
            ("target_handle", Shape::Short, false, ""),
            ("stroke_color", Shape::Short, false, ""),
            ("stroke_opacity", Shape::Opacity, false, ""),
        ],
        Target::TrustBoundary => &[
            ("name", Shape::Short, false, ""),
            ("contains", Shape::Shorts, false, "ids of elements that exist now; replaces the whole list"),
            ("position", Shape::Position, false, "pixels; x grows to the right, y downwards"),
            ("size", Shape::Size, false, "pixels"),
            ("fill_color", Shape::Short, false, ""),
            ("stroke_color", Shape::Short, false, ""),
            ("fill_opacity", Shape::Opacity, false, ""),
            ("stroke_opacity", Shape::Opacity, false, ""),
        ],
        Target::Threat => &[
            ("title", Shape::Short, false, ""),
            ("category", Shape::Category, false, ""),
            ("element", Shape::Named, false, "the id of an element that exists now"),
            ("flow", Shape::Named, false, "the id of a data flow that exists now"),
            ("severity", Shape::Severity, false, ""),
            ("description", Shape::Long, false, ""),
            ("mitigation", Shape::Mitigation, false, ""),
        ],
    }
}

fn fields(rows: &[Row]) -> Json {
    let required: Vec<&str> = rows.iter().filter(|row| row.2).map(|row| row.0).collect();
    closed(rows.iter().map(|(name, shape, _, about)| (*name, described(*shape, about))), &required)
}

fn described(shape: Shape, about: &str) -> Json {
    let mut schema = schema(shape);
    if let Some(object) = schema.as_object_mut()
        && !about.is_empty()
    {
        object.insert("description", about);
    }
    schema
}

fn schema(shape: Shape) -> Json {
    let names = |list: &[&'static str]| list.iter().map(|name| Json::from(*name)).collect::<Vec<_>>();
    let number = |least: f64, most: f64| json_object! { "type" => "number", "minimum" => least, "maximum" => most };
    match shape {
        Shape::Short => json_object! { "type" => "string", "maxLength" => SHORT },
        Shape::Named => json_object! { "type" => "string", "minLength" => 1u32, "maxLength" => SHORT },
        Shape::Long => json_object! { "type" => "string", "maxLength" => LONG },
        Shape::LongNamed => json_object! { "type" => "string", "minLength" => 1u32, "maxLength" => LONG },
        Shape::Shorts => json_object! { "type" => "array", "items" => schema(Shape::Short), "maxItems" => ITEMS },
        Shape::Flag => json_object! { "type" => "boolean" },
        Shape::Position => closed([("x", number(-FAR, FAR)), ("y", number(-FAR, FAR))], &["x", "y"]),
        Shape::Size => closed([("width", number(0.0, FAR)), ("height", number(0.0, FAR))], &["width", "height"]),
        Shape::Opacity => number(0.0, 1.0),
        Shape::FontSize => number(0.0, FAR),
        Shape::FlowNumber => json_object! { "type" => "integer", "minimum" => 1u32, "maximum" => MAX_U32 },
        Shape::Category => json_object! { "enum" => names(&CATEGORIES) },
        // any case is let through here and brought to lower case before the call is digested and shown
        Shape::Severity => {
            json_object! { "type" => "string", "maxLength" => SHORT, "description" => "`critical`, `high`, `medium`, `low` or `info`" }
        }
        Shape::Mitigation => closed(
            [("status", json_object! { "enum" => names(&MITIGATION_STATUSES) }), ("description", schema(Shape::Long))],
            &["status", "description"],
        ),
    }
}

/// An object with these members and no others.
fn closed<'a>(members: impl IntoIterator<Item = (&'a str, Json)>, required: &[&str]) -> Json {
    let mut schema = Object::from_iter([("type", Json::from("object")), ("properties", Json::from(Object::from_iter(members)))]);
    if !required.is_empty() {
        schema.insert("required", required.iter().map(|name| Json::from(*name)).collect::<Vec<_>>());
    }
    schema.insert("additionalProperties", false);
    Json::from(schema)
}
