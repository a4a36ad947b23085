//! What of a threat model a model may read: the table that the read tools work by. Layout and style are in no
//! column, nor is any field the format does not know.

use std::sync::Arc;

use crate::protocol::json::Json;
use crate::reading::{Column, ColumnKind, DocumentView, Filter, FilterInput, Match, SectionFilter, SectionView, Tally};
use crate::tools::core_tool::CoreTool;

use super::model::{CATEGORIES, MITIGATION_STATUSES, SEVERITIES};

/// What a threat without a mitigation counts as.
const NO_MITIGATION: &str = "none";

/// The tools that read a threat model, in the order in which they are offered.
#[must_use]
pub fn read_tools() -> Vec<Arc<dyn CoreTool>> {
    crate::reading::read_tools(view())
}

/// What the read tools show of a threat model.
#[must_use]
pub fn view() -> DocumentView {
    DocumentView {
        overview: columns(OVERVIEW)
            .into_iter()
            .chain([Column {
                key: "metadata".to_owned(),
                path: vec!["metadata".to_owned()],
                kind: ColumnKind::Record(columns(METADATA)),
                compact: true,
            }])
            .collect(),
        tallies: vec![
            tally("threats_by_severity", "severity", "severity", &SEVERITIES, None),
            tally("threats_by_category", "category", "category", &CATEGORIES, None),
            tally("threats_by_mitigation_status", "mitigation/status", "status", &MITIGATION_STATUSES, Some(NO_MITIGATION)),
        ],
        sections: SECTIONS.iter().map(section).collect(),
        filters: FILTERS
            .iter()
            .map(|(name, input, about)| Filter { name: (*name).to_owned(), input: input.filter_input(), about: (*about).to_owned() })
            .collect(),
    }
}

/// How a group of columns is shown; what is in a page of a search begins with `In`.
#[derive(Clone, Copy)]
enum Shown {
    /// A short text that is always there.
    InText,
    /// A short text, number or boolean that may be left out.
    InOptional,
    InFlag,
    InCount,
    InStatus,
    Optional,
    OptionalFlag,
    Prose,
    OptionalProse,
    List,
    /// The ids of the entities of a section that name this one in this field.
    NamedBy(&'static str, &'static str),
}

/// Names of columns; `name=where/it/stands` where that differs.
type Columns = &'static [(&'static str, Shown)];

/// One section: its name, its columns, the fields `text` looks at, the fields `references` looks at, other filters with their field.
struct Table {
    name: &'static str,
    columns: Columns,
    text: &'static str,
    references: &'static str,
    filters: &'static [(&'static str, &'static str)],
}

use Shown::{InCount, InFlag, InOptional, InStatus, InText, List, NamedBy, Optional, OptionalFlag, OptionalProse, Prose};

const OVERVIEW: Columns = &[("version", InText)];
const METADATA: Columns = &[("title author created modified description", InText), ("threat_analysis_enabled", OptionalFlag)];

/// In the order of the `kind` of the tools.
const SECTIONS: [Table; 8] = [
    Table {
        name: "elements",
        columns: &[
            ("id name type trust_zone", InText),
            ("layer group", InOptional),
            ("subtype icon encryption", Optional),
            ("description", Prose),
            ("technologies tags stores", List),
            ("incoming_flow_ids", NamedBy("data_flows", "to")),
            ("outgoing_flow_ids", NamedBy("data_flows", "from")),
            ("trust_boundary_ids", NamedBy("trust_boundaries", "contains")),
            ("threat_ids", NamedBy("threats", "element")),
        ],
        text: "id name type subtype trust_zone description technologies tags stores",
        references: "layer group",
        filters: &[("element_type", "type"), ("trust_zone", "trust_zone")],
    },
    Table {
        name: "data_flows",
        columns: &[
            ("id name from to protocol", InText),
            ("authenticated", InFlag),
            ("data", List),
            ("threat_ids", NamedBy("threats", "flow")),
        ],
        text: "id name protocol from to data",
        references: "from to",
        filters: &[("protocol", "protocol"), ("authenticated", "authenticated")],
    },
    Table {
        name: "trust_boundaries",
        columns: &[("id name", InText), ("contains_count=contains", InCount), ("contains", List)],
        text: "id name",
        references: "contains",
        filters: &[],
    },
    Table {
        name: "threats",
        columns: &[
            ("id title category severity", InText),
            ("element flow", InOptional),
            ("mitigation_status=mitigation/status", InStatus),
            ("description", Prose),
            ("mitigation_description=mitigation/description", OptionalProse),
        ],
        text: "id title category severity description mitigation/description",
        references: "element flow",
        filters: &[("severity", "severity"), ("category", "category"), ("mitigation_status", "mitigation/status")],
    },
    Table {
        name: "layers",
        columns: &[("id name", InText), ("description", OptionalProse)],
        text: "id name description",
        references: "",
        filters: &[],
    },
    Table {
        name: "groups",
        columns: &[("id name", InText), ("type parent", InOptional), ("description", OptionalProse)],
        text: "id name type description",
        references: "parent",
        filters: &[],
    },
    Table {
        name: "relationships",
        columns: &[("id type from to", InText), ("name", InOptional), ("description", OptionalProse)],
        text: "id type name description",
        references: "from to",
        filters: &[],
    },
    Table {
        name: "diagrams",
        columns: &[("id name", InText), ("kind", InOptional), ("description", OptionalProse)],
        text: "id name kind description",
        references: "",
        filters: &[],
    },
];

/// What a filter takes.
#[derive(Clone, Copy)]
enum Takes {
    Text,
    Flag,
    OneOf(&'static [&'static str], Option<&'static str>),
}

impl Takes {
    fn filter_input(self) -> FilterInput {
        match self {
            Takes::Text => FilterInput::Text,
            Takes::Flag => FilterInput::Flag,
            Takes::OneOf(values, more) => FilterInput::OneOf(texts(values, more)),
        }
    }
}

/// In the order in which they are checked and told.
const FILTERS: [(&str, Takes, &str); 9] = [
    ("text", Takes::Text, "part of a name, an id, a description or another text, capitals or not"),
    (
        "references",
        Takes::Text,
        "the exact id of an entity that the ones you look for name: an end of a flow, a target of a threat, a member, a layer, a group, a parent",
    ),
    ("element_type", Takes::Text, "for elements: the exact type"),
    ("trust_zone", Takes::Text, "for elements: the exact trust zone"),
    ("protocol", Takes::Text, "for data flows: the protocol, capitals or not"),
    ("authenticated", Takes::Flag, "for data flows"),
    ("severity", Takes::OneOf(&SEVERITIES, None), "for threats"),
    ("category", Takes::OneOf(&CATEGORIES, None), "for threats: the STRIDE category"),
    ("mitigation_status", Takes::OneOf(&MITIGATION_STATUSES, Some(NO_MITIGATION)), "for threats; `none` where no mitigation is recorded"),
];

fn section(table: &Table) -> SectionView {
    let mut filters = Vec::new();
    let mut filter = |name: &str, fields: &str, matching: Match| {
        let otherwise = (name == "mitigation_status").then(|| Json::from(NO_MITIGATION));
        let paths: Vec<Vec<String>> = fields.split_whitespace().map(path).collect();
        if !paths.is_empty() {
            filters.push(SectionFilter { name: name.to_owned(), paths, matching, otherwise });
        }
    };
    filter("text", table.text, Match::Contains);
    filter("references", table.references, Match::Equal);
    for (name, field) in table.filters {
        filter(name, field, if *name == "protocol" { Match::IgnoreCase } else { Match::Equal });
    }
    SectionView { name: table.name.to_owned(), list: path(table.name), id_key: "id".to_owned(), columns: columns(table.columns), filters }
}

fn columns(groups: Columns) -> Vec<Column> {
    let mut columns = Vec::new();
    for (names, shown) in groups {
        for name in names.split_whitespace() {
            let (key, field) = name.split_once('=').unwrap_or((name, name));
            let compact = matches!(shown, InText | InOptional | InFlag | InCount | InStatus);
            columns.push(Column { key: key.to_owned(), path: path(field), kind: kind(*shown), compact });
        }
    }
    columns
}

fn kind(shown: Shown) -> ColumnKind {
    let scalar = |otherwise: Json| ColumnKind::Scalar { otherwise: Some(otherwise) };
    match shown {
        InText => scalar(Json::from("")),
        InFlag => scalar(Json::from(false)),
        InStatus => scalar(Json::from(NO_MITIGATION)),
        OptionalFlag => scalar(Json::Null),
        InOptional | Optional => ColumnKind::Scalar { otherwise: None },
        InCount => ColumnKind::Count,
        Prose => ColumnKind::Text { otherwise: Some(Json::from("")) },
        OptionalProse => ColumnKind::Text { otherwise: None },
        List => ColumnKind::List,
        NamedBy(section, field) => ColumnKind::Derived { section: section.to_owned(), path: path(field) },
    }
}

fn tally(key: &str, field: &str, label: &str, values: &[&str], otherwise: Option<&str>) -> Tally {
    Tally {
        key: key.to_owned(),
        section: "threats".to_owned(),
        path: path(field),
        label: label.to_owned(),
        values: texts(values, otherwise),
        otherwise: otherwise.map(str::to_owned),
    }
}

fn path(field: &str) -> Vec<String> {
    field.split('/').map(str::to_owned).collect()
}

fn texts(values: &[&str], more: Option<&str>) -> Vec<String> {
    values.iter().copied().chain(more).map(str::to_owned).collect()
}
