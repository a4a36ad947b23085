//! What of a threat model a model may read: the table that the read tools work by. Layout and style are in no
//! column, nor is any field the format does not know.

use std::sync::Arc;

use crate::reading::{
    Column, ColumnKind, DocumentView, Filter, FilterInput, Lend, Match, Otherwise, SectionFilter, SectionView, Tally, Texts,
};
use crate::tools::core_tool::CoreTool;

use super::model::{CATEGORIES, MITIGATION_STATUSES, SEVERITIES};

/// The tools that read a threat model, in the order in which they are offered.
#[must_use]
pub fn read_tools() -> Vec<Arc<dyn CoreTool>> {
    let view: Arc<dyn Lend> = Arc::new(VIEW);
    let mut tools = crate::reading::read_tools(&view);
    tools.push(super::catalog::tool());
    tools
}

/// What the read tools show of a threat model.
pub static VIEW: DocumentView<'static> = DocumentView { overview: &OVERVIEW, tallies: &TALLIES, sections: &SECTIONS, filters: &FILTERS };

/// What a threat without a mitigation counts as.
const NO_MITIGATION: &str = "none";
const STATUS: &str = "mitigation/status";
const STATUSES: [&str; MITIGATION_STATUSES.len() + 1] = {
    let [a, b, c, d, e] = MITIGATION_STATUSES;
    [a, b, c, d, e, NO_MITIGATION]
};

static OVERVIEW: [Column<'static>; 2] = [always("version"), column("metadata", "metadata", ColumnKind::Record(&METADATA))];

static METADATA: [Column<'static>; 6] = [
    always("title"),
    always("author"),
    always("created"),
    always("modified"),
    always("description"),
    column("threat_analysis_enabled", "threat_analysis_enabled", ColumnKind::Scalar(Otherwise::Null)),
];

static TALLIES: [Tally<'static>; 3] = [
    tally("threats_by_severity", "severity", "severity", &SEVERITIES),
    tally("threats_by_category", "category", "category", &CATEGORIES),
    tally("threats_by_mitigation_status", STATUS, "status", &STATUSES),
];

/// In the order of the `kind` of the tools; the columns of a page in the order of their keys, so that none is sorted later.
static SECTIONS: [SectionView<'static>; 8] = [
    section(
        "elements",
        &[
            optional("group"),
            always("id"),
            optional("layer"),
            always("name"),
            always("trust_zone"),
            always("type"),
            whole(optional("subtype")),
            whole(optional("icon")),
            whole(optional("encryption")),
            whole(prose("description", Otherwise::Text(""))),
            whole(list("technologies")),
            whole(list("tags")),
            whole(list("stores")),
            whole(named_by("incoming_flow_ids", "data_flows", "to")),
            whole(named_by("outgoing_flow_ids", "data_flows", "from")),
            whole(named_by("trust_boundary_ids", "trust_boundaries", "contains")),
            whole(named_by("threat_ids", "threats", "element")),
        ],
        &[
            text(&["id", "name", "type", "subtype", "trust_zone", "description", "technologies", "tags", "stores"]),
            references(&["layer", "group"]),
            equal("element_type", &["type"]),
            equal("trust_zone", &["trust_zone"]),
        ],
    ),
    section(
        "data_flows",
        &[
            column("authenticated", "authenticated", ColumnKind::Scalar(Otherwise::Flag(false))),
            always("from"),
            always("id"),
            always("name"),
            always("protocol"),
            always("to"),
            whole(list("data")),
            whole(named_by("threat_ids", "threats", "flow")),
        ],
        &[
            text(&["id", "name", "protocol", "from", "to", "data"]),
            references(&["from", "to"]),
            SectionFilter { matching: Match::IgnoreCase, ..equal("protocol", &["protocol"]) },
            equal("authenticated", &["authenticated"]),
        ],
    ),
    section(
        "trust_boundaries",
        &[column("contains_count", "contains", ColumnKind::Count), always("id"), always("name"), whole(list("contains"))],
        &[text(&["id", "name"]), references(&["contains"])],
    ),
    section(
        "threats",
        &[
            always("category"),
            optional("element"),
            optional("flow"),
            always("id"),
            column("mitigation_status", STATUS, ColumnKind::Scalar(Otherwise::Text(NO_MITIGATION))),
            always("severity"),
            always("title"),
            whole(prose("description", Otherwise::Text(""))),
            whole(column("mitigation_description", "mitigation/description", ColumnKind::Text(Otherwise::Nothing))),
        ],
        &[
            text(&["id", "title", "category", "severity", "description", "mitigation/description"]),
            references(&["element", "flow"]),
            equal("severity", &["severity"]),
            equal("category", &["category"]),
            SectionFilter { otherwise: Otherwise::Text(NO_MITIGATION), ..equal("mitigation_status", &[STATUS]) },
        ],
    ),
    section(
        "layers",
        &[always("id"), always("name"), whole(prose("description", Otherwise::Nothing))],
        &[text(&["id", "name", "description"])],
    ),
    section(
        "groups",
        &[always("id"), always("name"), optional("parent"), optional("type"), whole(prose("description", Otherwise::Nothing))],
        &[text(&["id", "name", "type", "description"]), references(&["parent"])],
    ),
    section(
        "relationships",
        &[always("from"), always("id"), optional("name"), always("to"), always("type"), whole(prose("description", Otherwise::Nothing))],
        &[text(&["id", "type", "name", "description"]), references(&["from", "to"])],
    ),
    section(
        "diagrams",
        &[always("id"), optional("kind"), always("name"), whole(prose("description", Otherwise::Nothing))],
        &[text(&["id", "name", "kind", "description"])],
    ),
];

/// In the order in which they are checked and told.
static FILTERS: [Filter<'static>; 9] = [
    filter("text", FilterInput::Text, "part of a name, id, description or other text; capitals do not matter"),
    filter("references", FilterInput::Text, "exact id: what has it as end, target, member, layer, group or parent"),
    filter("element_type", FilterInput::Text, "elements only: exact type"),
    filter("trust_zone", FilterInput::Text, "elements only: exact zone"),
    filter("protocol", FilterInput::Text, "data flows only; capitals do not matter"),
    filter("authenticated", FilterInput::Flag, "data flows only"),
    filter("severity", FilterInput::OneOf(Texts::Fixed(&SEVERITIES)), "threats only"),
    filter("category", FilterInput::OneOf(Texts::Fixed(&CATEGORIES)), "threats only"),
    filter("mitigation_status", FilterInput::OneOf(Texts::Fixed(&STATUSES)), "threats only; `none`: no mitigation is recorded"),
];

const fn section(
    name: &'static str,
    columns: &'static [Column<'static>],
    filters: &'static [SectionFilter<'static>],
) -> SectionView<'static> {
    SectionView { name, list: name, id_key: "id", columns, filters }
}

const fn column(key: &'static str, place: &'static str, kind: ColumnKind<'static>) -> Column<'static> {
    Column { key, place, kind, compact: true }
}

/// The same, left out of a page.
const fn whole(column: Column<'static>) -> Column<'static> {
    Column { compact: false, ..column }
}

const fn always(key: &'static str) -> Column<'static> {
    column(key, key, ColumnKind::Scalar(Otherwise::Text("")))
}

const fn optional(key: &'static str) -> Column<'static> {
    column(key, key, ColumnKind::Scalar(Otherwise::Nothing))
}

const fn prose(key: &'static str, otherwise: Otherwise<'static>) -> Column<'static> {
    column(key, key, ColumnKind::Text(otherwise))
}

const fn list(key: &'static str) -> Column<'static> {
    column(key, key, ColumnKind::List)
}

const fn named_by(key: &'static str, section: &'static str, place: &'static str) -> Column<'static> {
    column(key, key, ColumnKind::Derived { section, place })
}

const fn text(places: &'static [&'static str]) -> SectionFilter<'static> {
    SectionFilter { matching: Match::Contains, ..equal("text", places) }
}

const fn references(places: &'static [&'static str]) -> SectionFilter<'static> {
    equal("references", places)
}

const fn equal(name: &'static str, places: &'static [&'static str]) -> SectionFilter<'static> {
    SectionFilter { name, places: Texts::Fixed(places), matching: Match::Equal, otherwise: Otherwise::Nothing }
}

const fn filter(name: &'static str, input: FilterInput<'static>, about: &'static str) -> Filter<'static> {
    Filter { name, input, about }
}

const fn tally(key: &'static str, place: &'static str, label: &'static str, values: &'static [&'static str]) -> Tally<'static> {
    Tally { key, section: "threats", place, label, values: Texts::Fixed(values), otherwise: Some(NO_MITIGATION) }
}
