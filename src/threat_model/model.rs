//! The tables of the format: every section, field, type, default and closed list, in canonical order.

use crate::protocol::json::Json;

/// The one version that is read.
pub(super) const VERSION: &str = "1.0";
/// The most entries of all sections together.
pub(super) const MAX_ENTRIES: usize = 50_000;
/// The largest 32-bit count.
pub(super) const MAX_U32: f64 = 4_294_967_295.0;

/// The categories of threats, as they stand in files.
pub(super) const CATEGORIES: [&str; 6] =
    ["Spoofing", "Tampering", "Repudiation", "Information Disclosure", "Denial of Service", "Elevation of Privilege"];
/// How bad a threat is.
pub(super) const SEVERITIES: [&str; 5] = ["critical", "high", "medium", "low", "info"];
/// How far a mitigation is.
pub(super) const MITIGATION_STATUSES: [&str; 5] = ["not_started", "in_progress", "mitigated", "accepted", "transferred"];

/// What a field holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Text,
    Texts,
    Flag,
    Number,
    /// A whole number between the two.
    Whole(f64, f64),
    Date,
    /// One of a closed list.
    OneOf(&'static [&'static str]),
    /// The id of another entity.
    Id,
    /// A list of those.
    Ids,
    /// An object with fields of its own.
    Record(&'static [Field]),
}

/// Whether a field may be left out, and what stands in its place then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    Required,
    Optional,
    EmptyText,
    EmptyList,
    False,
}

impl Need {
    /// The default, where there is one.
    pub(super) fn default(self) -> Option<Json> {
        match self {
            Need::Required | Need::Optional => None,
            Need::EmptyText => Some(Json::from("")),
            Need::EmptyList => Some(Json::from(Vec::new())),
            Need::False => Some(Json::from(false)),
        }
    }
}

/// One field of an entity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) need: Need,
}

/// One section.
pub(super) struct SectionTable {
    pub(super) name: &'static str,
    pub(super) fields: &'static [Field],
}

const fn field(name: &'static str, kind: Kind, need: Need) -> Field {
    Field { name, kind, need }
}

const fn optional(name: &'static str, kind: Kind) -> Field {
    field(name, kind, Need::Optional)
}

const fn required(name: &'static str, kind: Kind) -> Field {
    field(name, kind, Need::Required)
}

const POINT: Kind = Kind::Record(&[required("x", Kind::Number), required("y", Kind::Number)]);
const SIZE: Kind = Kind::Record(&[required("width", Kind::Number), required("height", Kind::Number)]);
const VIEWPORT: Kind = Kind::Record(&[required("x", Kind::Number), required("y", Kind::Number), required("zoom", Kind::Number)]);
const MITIGATION: Kind =
    Kind::Record(&[required("status", Kind::OneOf(&MITIGATION_STATUSES)), field("description", Kind::Text, Need::EmptyText)]);
const SETTINGS: Kind = Kind::Record(&[
    optional("grid_size", Kind::Whole(0.0, MAX_U32)),
    optional("default_element_fill", Kind::Text),
    optional("default_element_stroke", Kind::Text),
    optional("default_boundary_fill", Kind::Text),
    optional("default_boundary_stroke", Kind::Text),
]);

/// The fields of `metadata` that are read after its two dates.
pub(super) const METADATA: [Field; 8] = [
    required("title", Kind::Text),
    required("author", Kind::Text),
    field("description", Kind::Text, Need::EmptyText),
    optional("created_by", Kind::Text),
    optional("modified_by", Kind::Text),
    optional("last_edit_timestamp", Kind::Whole(-crate::protocol::json::MAX_SAFE_INTEGER, crate::protocol::json::MAX_SAFE_INTEGER)),
    optional("threat_analysis_enabled", Kind::Flag),
    optional("settings", SETTINGS),
];

/// The dates of `metadata`, in order.
pub(super) const DATES: [Field; 2] = [required("created", Kind::Date), required("modified", Kind::Date)];

/// The sections in the order in which entries and ids are checked.
pub(super) const SECTIONS: [SectionTable; 8] = [
    SectionTable {
        name: "elements",
        fields: &[
            required("type", Kind::Text),
            required("name", Kind::Text),
            field("trust_zone", Kind::Text, Need::EmptyText),
            optional("layer", Kind::Id),
            optional("group", Kind::Id),
            optional("subtype", Kind::Text),
            optional("icon", Kind::Text),
            field("description", Kind::Text, Need::EmptyText),
            field("technologies", Kind::Texts, Need::EmptyList),
            field("tags", Kind::Texts, Need::EmptyList),
            optional("stores", Kind::Texts),
            optional("encryption", Kind::Text),
            optional("position", POINT),
            optional("fill_color", Kind::Text),
            optional("stroke_color", Kind::Text),
            optional("fill_opacity", Kind::Number),
            optional("stroke_opacity", Kind::Number),
            optional("font_size", Kind::Number),
            optional("font_weight", Kind::Text),
        ],
    },
    SectionTable {
        name: "data_flows",
        fields: &[
            optional("flow_number", Kind::Whole(0.0, MAX_U32)),
            field("name", Kind::Text, Need::EmptyText),
            required("from", Kind::Id),
            required("to", Kind::Id),
            field("protocol", Kind::Text, Need::EmptyText),
            field("data", Kind::Texts, Need::EmptyList),
            field("authenticated", Kind::Flag, Need::False),
            optional("label_offset", POINT),
            optional("source_handle", Kind::Text),
            optional("target_handle", Kind::Text),
            optional("stroke_color", Kind::Text),
            optional("stroke_opacity", Kind::Number),
        ],
    },
    SectionTable { name: "layers", fields: &[required("name", Kind::Text), optional("description", Kind::Text)] },
    SectionTable {
        name: "groups",
        fields: &[
            required("name", Kind::Text),
            optional("type", Kind::Text),
            optional("parent", Kind::Id),
            optional("description", Kind::Text),
            optional("position", POINT),
            optional("size", SIZE),
            optional("fill_color", Kind::Text),
            optional("stroke_color", Kind::Text),
            optional("fill_opacity", Kind::Number),
            optional("stroke_opacity", Kind::Number),
        ],
    },
    SectionTable {
        name: "relationships",
        fields: &[
            required("type", Kind::Text),
            required("from", Kind::Id),
            required("to", Kind::Id),
            optional("name", Kind::Text),
            optional("description", Kind::Text),
            optional("source_handle", Kind::Text),
            optional("target_handle", Kind::Text),
            optional("label_offset", POINT),
            optional("stroke_color", Kind::Text),
            optional("stroke_opacity", Kind::Number),
        ],
    },
    SectionTable {
        name: "trust_boundaries",
        fields: &[
            required("name", Kind::Text),
            field("contains", Kind::Ids, Need::EmptyList),
            optional("position", POINT),
            optional("size", SIZE),
            optional("fill_color", Kind::Text),
            optional("stroke_color", Kind::Text),
            optional("fill_opacity", Kind::Number),
            optional("stroke_opacity", Kind::Number),
        ],
    },
    SectionTable {
        name: "threats",
        fields: &[
            required("title", Kind::Text),
            required("category", Kind::OneOf(&CATEGORIES)),
            optional("element", Kind::Id),
            optional("flow", Kind::Id),
            required("severity", Kind::OneOf(&SEVERITIES)),
            field("description", Kind::Text, Need::EmptyText),
            optional("mitigation", MITIGATION),
        ],
    },
    SectionTable {
        name: "diagrams",
        fields: &[
            required("name", Kind::Text),
            optional("kind", Kind::Text),
            optional("description", Kind::Text),
            optional("layout_file", Kind::Text),
            optional("viewport", VIEWPORT),
        ],
    },
];

/// The five sections whose shape is checked before the version, in order.
pub(super) const CORE_SECTIONS: [&str; 5] = ["elements", "data_flows", "trust_boundaries", "threats", "diagrams"];
/// The three that came later, checked after it.
pub(super) const LATER_SECTIONS: [&str; 3] = ["layers", "groups", "relationships"];
/// The order of the root's keys where they are made.
pub(super) const SECTION_ORDER: [&str; 8] =
    ["layers", "groups", "elements", "data_flows", "relationships", "trust_boundaries", "threats", "diagrams"];

/// Whether an update tool may take this field away: what is optional and has no default.
pub(super) fn clearable(section: &str) -> impl Iterator<Item = &'static str> {
    let table = SECTIONS.iter().find(move |table| table.name == section);
    table.into_iter().flat_map(|table| table.fields.iter()).filter(|field| field.need == Need::Optional).map(|field| field.name)
}
