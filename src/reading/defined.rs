//! A view made from a definition: what its host wrote of reading is checked, the rest is known from the schema.
//!
//! Enters: a definition. Leaves: a table that lends a view, or the member that is wrong. What a host names is
//! shown in that order of right: id and title first, then what it named, then what the schema knows.

use crate::document::definition::{Definition, DocumentDefinition, Section};
use crate::document::pointer;
use crate::protocol::error::Fault;
use crate::protocol::fields::Fields;
use crate::protocol::json::{Json, Object};
use crate::protocol::text::{concat, echo, join};

use super::items::{Place, Shape, of_section, properties};
use super::project::{TRUNCATED, shown_text};
use super::view::{
    Column, ColumnKind, DocumentView, Filter, FilterInput, Lend, Match, Otherwise, SectionFilter, SectionView, Tally, Texts,
};

/// The code of every fault in a definition.
const CODE: &str = "invalid_definition";
/// What an entity without a value counts as, where a filter says so.
const NONE: &str = "none";
/// The names a filter cannot have: they mean something else in the input of a search.
const TAKEN: [&str; 6] = ["kind", "offset", "limit", "text", "references", "__proto__"];
/// The longest name of a filter, in bytes.
const MAX_NAME: usize = 64;
/// The most members that are shown because the schema knows them.
const MAX_KNOWN: usize = 64;

/// How documents of one definition are read.
#[derive(Debug)]
pub struct DefinedView {
    source: Json,
    overview: OwnColumn,
    sections: Vec<OwnSection>,
    filters: Vec<OwnFilter>,
    tallies: Vec<OwnTally>,
}

#[derive(Debug)]
struct OwnSection {
    name: String,
    list: String,
    id_key: String,
    columns: Vec<OwnColumn>,
    filters: Vec<OwnSectionFilter>,
}

#[derive(Debug)]
struct OwnColumn {
    key: String,
    place: String,
    shown: Shown,
    compact: bool,
}

#[derive(Debug)]
enum Shown {
    Value { long: bool },
    NamedBy { section: String },
    Others { named: Vec<String> },
}

#[derive(Debug)]
struct OwnSectionFilter {
    name: String,
    places: Vec<String>,
    matching: Match,
    or_none: bool,
}

#[derive(Debug)]
struct OwnFilter {
    name: String,
    takes: Takes,
    sections: Vec<String>,
    about: String,
}

/// What a filter takes, in every section that has it.
#[derive(Clone, Debug, PartialEq)]
enum Takes {
    Text,
    Flag,
    Number,
    Scalar,
    OneOf(Vec<String>),
}

#[derive(Debug)]
struct OwnTally {
    key: String,
    section: String,
    place: String,
    label: String,
    values: Vec<String>,
    or_none: bool,
}

impl DefinedView {
    /// Reads what a definition says of reading; the fault names the member.
    pub fn of(definition: &DocumentDefinition) -> Result<DefinedView, Fault> {
        let schema = definition.source().get("schema");
        // the lists of entities are told by their numbers
        let named = definition.sections().iter().filter_map(|section| section.segments.first().cloned()).collect();
        let shown = Shown::Others { named };
        let overview = OwnColumn { key: "document".to_owned(), place: String::new(), shown, compact: true };
        let mut view = DefinedView {
            source: definition.source().clone(),
            overview,
            sections: Vec::new(),
            filters: vec![OwnFilter::new("text", Takes::Text), OwnFilter::new("references", Takes::Text)],
            tallies: Vec::new(),
        };
        for (at, section) in definition.sections().iter().enumerate() {
            let mut maker = Maker { section, sections: definition.sections(), schema, columns: Vec::new() };
            maker.make(&mut view).map_err(|fault| fault.under(&format!("sections[{at}]")))?;
        }
        view.filters.retain(|filter| !filter.sections.is_empty());
        for filter in &mut view.filters {
            filter.tell();
        }
        Ok(view)
    }
}

impl Lend for DefinedView {
    fn lend(&self, look: &mut dyn FnMut(&DocumentView<'_>)) {
        let (mut columns, mut filters) = (Vec::new(), Vec::new());
        for section in &self.sections {
            columns.push(section.columns.iter().map(OwnColumn::lent).collect::<Vec<_>>());
            filters.push(section.filters.iter().map(OwnSectionFilter::lent).collect::<Vec<_>>());
        }
        let mut sections = Vec::new();
        for (section, (columns, filters)) in self.sections.iter().zip(columns.iter().zip(&filters)) {
            sections.push(SectionView { name: &section.name, list: &section.list, id_key: &section.id_key, columns, filters });
        }
        let (mut filters, mut tallies) = (Vec::new(), Vec::new());
        for filter in &self.filters {
            let input = match &filter.takes {
                Takes::Text => FilterInput::Text,
                Takes::Flag => FilterInput::Flag,
                Takes::Number => FilterInput::Number,
                Takes::Scalar => FilterInput::Scalar,
                Takes::OneOf(values) => FilterInput::OneOf(Texts::Owned(values)),
            };
            filters.push(Filter { name: &filter.name, input, about: &filter.about });
        }
        for OwnTally { key, section, place, label, values, or_none } in &self.tallies {
            let otherwise = or_none.then_some(NONE);
            tallies.push(Tally { key, section, place, label, values: Texts::Owned(values), otherwise });
        }
        let itself = [self.overview.lent()];
        let overview = [Column { kind: ColumnKind::Record(&itself), ..self.overview.lent() }];
        look(&DocumentView { overview: &overview, tallies: &tallies, sections: &sections, filters: &filters });
    }

    fn definition(&self) -> Option<&Json> {
        Some(&self.source)
    }
}

impl OwnColumn {
    fn lent(&self) -> Column<'_> {
        let kind = match &self.shown {
            Shown::Value { long } => ColumnKind::Value { long: *long },
            Shown::NamedBy { section } => ColumnKind::Derived { section, place: &self.place },
            Shown::Others { named } => ColumnKind::Others(Texts::Owned(named)),
        };
        Column { key: &self.key, place: &self.place, kind, compact: self.compact }
    }
}

impl OwnSectionFilter {
    fn lent(&self) -> SectionFilter<'_> {
        let otherwise = if self.or_none { Otherwise::Text(NONE) } else { Otherwise::Nothing };
        SectionFilter { name: &self.name, places: Texts::Owned(&self.places), matching: self.matching, otherwise }
    }
}

impl OwnFilter {
    fn new(name: &str, takes: Takes) -> OwnFilter {
        OwnFilter { name: name.to_owned(), takes, sections: Vec::new(), about: String::new() }
    }

    /// Puts into words what the filter is for.
    fn tell(&mut self) {
        self.about = match self.name.as_str() {
            "text" => "part of an id, a title or another text; capitals do not matter".to_owned(),
            "references" => "exact id: what refers to it".to_owned(),
            _ => concat(&["of ", &join(&self.sections, ", "), if self.about.is_empty() { "" } else { "; " }, &self.about]),
        };
    }
}

/// Makes the view of one section.
struct Maker<'a> {
    section: &'a Section,
    sections: &'a [Section],
    schema: Option<&'a Json>,
    columns: Vec<OwnColumn>,
}

impl Maker<'_> {
    fn make(&mut self, view: &mut DefinedView) -> Result<(), Fault> {
        let (section, schema) = (self.section, self.schema);
        let name = &section.name;
        let item = of_section(schema, &section.segments);
        let read = |key: &str| section.reading.iter().find(|(known, _)| *known == key).map(|(_, value)| value);
        self.column("id", place_of(std::slice::from_ref(&section.id_key)), true);
        let mut searched = vec![place_of(std::slice::from_ref(&section.id_key))];
        if let Some(title) = &section.title_key {
            let place = place_of(std::slice::from_ref(title));
            self.named("titleKey", std::slice::from_ref(title), true)?;
            searched.push(place);
        }
        let (text, compact, full) = (places("text", read("text"))?, places("compact", read("compact"))?, places("full", read("full"))?);
        let mut filters = Vec::new();
        let mut references = Vec::new();
        for reference in &section.references {
            references.push(place_of(&reference.segments));
        }
        for (name, given) in filters_of(read("filters"))? {
            filters.push(self.filter(view, &name, given, item).map_err(|fault| fault.under(&format!("filters.{name}")))?);
        }
        match &compact {
            Some(places) => self.all("compact", places, true)?,
            None => {
                for (at, reference) in section.references.iter().enumerate() {
                    self.named(&format!("references[{at}].path"), &reference.segments, true)?;
                }
                for (filter, segments) in &filters {
                    self.named(&format!("filters.{}.path", filter.name), segments, true)?;
                }
            }
        }
        for (at, segments) in text.iter().flatten().enumerate() {
            self.named(&format!("text[{at}]"), segments, false)?;
            let place = place_of(segments);
            for column in self.columns.iter_mut().filter(|column| column.place == place) {
                column.shown = Shown::Value { long: true };
            }
            if !searched.contains(&place) {
                searched.push(place);
            }
        }
        self.back_references(read("backReferences"))?;
        match (&full, item.and_then(|item| properties(schema, item))) {
            (Some(places), _) => self.all("full", places, false)?,
            (None, Some(known)) => self.known(known),
            (None, None) => self.others(),
        }
        for (at, segments) in places("counts", read("counts"))?.iter().flatten().enumerate() {
            let or_none = filters.iter().any(|(filter, place)| filter.or_none && place == segments);
            let tally = self.tally(segments, item, or_none).map_err(|fault| fault.under(&format!("counts[{at}]")))?;
            if view.tallies.iter().any(|other| other.key == tally.key) {
                return Err(Fault::at(CODE, format!("counts[{at}]"), format!("two counts are told as `{}`", tally.key)));
            }
            view.tallies.push(tally);
        }
        let mut own = vec![OwnSectionFilter { name: "text".to_owned(), places: searched, matching: Match::Contains, or_none: false }];
        if !references.is_empty() {
            own.push(OwnSectionFilter { name: "references".to_owned(), places: references, matching: Match::Equal, or_none: false });
        }
        own.extend(filters.into_iter().map(|(filter, _)| filter));
        for filter in &own {
            if let Some(known) = view.filters.iter_mut().find(|known| known.name == filter.name) {
                known.sections.push(shown_text(name));
            }
        }
        let (list, columns) = (place_of(&section.segments), std::mem::take(&mut self.columns));
        view.sections.push(OwnSection { name: name.clone(), list, id_key: section.id_key.clone(), columns, filters: own });
        Ok(())
    }

    /// A member that is shown; where it is shown already it is shown once.
    fn named(&mut self, member: &str, segments: &[String], compact: bool) -> Result<(), Fault> {
        let place = place_of(segments);
        if let Some(column) = self.columns.iter_mut().find(|column| column.place == place) {
            column.compact |= compact;
            return Ok(());
        }
        let key = key_of(segments);
        self.free(member, &key)?;
        self.column(&key, place, compact);
        Ok(())
    }

    fn all(&mut self, member: &str, places: &[Vec<String>], compact: bool) -> Result<(), Fault> {
        for (at, segments) in places.iter().enumerate() {
            self.named(&format!("{member}[{at}]"), segments, compact)?;
        }
        Ok(())
    }

    fn column(&mut self, key: &str, place: String, compact: bool) {
        self.columns.push(OwnColumn { key: key.to_owned(), place, shown: Shown::Value { long: false }, compact });
    }

    /// Whether nothing else is shown as `key`.
    fn free(&self, member: &str, key: &str) -> Result<(), Fault> {
        if key == TRUNCATED || self.columns.iter().any(|column| column.key == key) {
            return Err(Fault::at(CODE, member, format!("something else is shown as `{key}`")).expecting("a place of another name"));
        }
        Ok(())
    }

    fn filter(
        &self,
        view: &mut DefinedView,
        name: &str,
        given: &Json,
        item: Option<&Json>,
    ) -> Result<(OwnSectionFilter, Vec<String>), Fault> {
        let fits = (1..=MAX_NAME).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
            && !TAKEN.contains(&name);
        if !fits {
            return Err(Fault::at(CODE, "", format!("`{}` cannot be the name of a filter", echo(name)))
                .expecting("1 to 64 of A-Z a-z 0-9 _ -, and none of `kind`, `offset`, `limit`, `text`, `references`"));
        }
        let mut fields = Fields::of(given, CODE, "")?;
        let (path, matching) = (fields.string("path")?, fields.string("match")?);
        fields.finish()?;
        let segments = member("path", &path)?;
        let (matching, or_none, about) = match matching.as_str() {
            "equal" => (Match::Equal, false, ""),
            "ignore_case" => (Match::IgnoreCase, false, "capitals do not matter"),
            "includes" => (Match::Includes, false, "an item of a list, or part of a text"),
            "equal_or_none" => (Match::Equal, true, "`none`: it has none"),
            other => {
                return Err(Fault::at(CODE, "match", format!("unknown value `{}`", echo(other)))
                    .expecting("`equal`, `ignore_case`, `includes` or `equal_or_none`"));
            }
        };
        let place = item.map(|item| Place::at(self.schema, item, &segments)).unwrap_or_default();
        let takes = match (place.shape, place.values) {
            (_, Some(mut values)) if matching != Match::Includes || place.is_list => {
                if or_none && !values.iter().any(|value| value == NONE) {
                    values.push(NONE.to_owned());
                }
                Takes::OneOf(values)
            }
            (Shape::Flag, _) if !or_none => Takes::Flag,
            (Shape::Number, _) if !or_none => Takes::Number,
            (Shape::Text, _) => Takes::Text,
            _ if matching == Match::IgnoreCase => Takes::Text,
            _ => Takes::Scalar,
        };
        match view.filters.iter_mut().find(|known| known.name == name) {
            Some(known) => known.takes = both(&known.takes, takes),
            None => view.filters.push(OwnFilter { about: about.to_owned(), ..OwnFilter::new(name, takes) }),
        }
        Ok((OwnSectionFilter { name: name.to_owned(), places: vec![place_of(&segments)], matching, or_none }, segments))
    }

    fn back_references(&mut self, given: Option<&Json>) -> Result<(), Fault> {
        const MEMBER: &str = "backReferences";
        let Some(given) = given else { return Ok(()) };
        let listed = given.as_array().ok_or_else(|| Fault::at(CODE, MEMBER, "expected a list"))?;
        for (at, given) in listed.iter().enumerate() {
            let at = format!("{MEMBER}[{at}]");
            let mut fields = Fields::of(given, CODE, &at)?;
            let (name, section, path) = (fields.string("name")?, fields.string("section")?, fields.string("path")?);
            fields.finish()?;
            if !self.sections.iter().any(|other| other.name == section) {
                return Err(Fault::at(CODE, format!("{at}.section"), format!("no section is called `{}`", echo(&section))));
            }
            let place = place_of(&member("path", &path).map_err(|fault| fault.under(&at))?);
            if name.is_empty() || shown_text(&name) != name {
                return Err(Fault::at(CODE, format!("{at}.name"), "the name is empty, too long or holds what cannot be shown"));
            }
            self.free(&format!("{at}.name"), &name)?;
            self.columns.push(OwnColumn { key: name, place, shown: Shown::NamedBy { section }, compact: false });
        }
        Ok(())
    }

    /// Shows what the schema knows to be short, as far as its name is free.
    fn known(&mut self, known: &Object) {
        let mut shown = 0;
        for (name, schema) in known.iter() {
            let segments = std::slice::from_ref(name).iter().map(|name| name.to_string()).collect::<Vec<_>>();
            if shown < MAX_KNOWN && Place::at_node(self.schema, schema).is_short() && self.named("", &segments, false).is_ok() {
                shown += 1;
            }
        }
    }

    /// Shows what is there, for nothing says what may be.
    fn others(&mut self) {
        let mut named = vec![TRUNCATED.to_owned()];
        for column in &self.columns {
            let first = column.place.split('/').next().unwrap_or_default();
            if !matches!(column.shown, Shown::NamedBy { .. }) {
                named.extend(pointer::parse(&concat(&["/", first])).unwrap_or_default());
            }
        }
        self.columns.push(OwnColumn { key: String::new(), place: String::new(), shown: Shown::Others { named }, compact: false });
    }

    fn tally(&self, segments: &[String], item: Option<&Json>, or_none: bool) -> Result<OwnTally, Fault> {
        let place = item.map(|item| Place::at(self.schema, item, segments)).unwrap_or_default();
        let Some(mut values) = place.values.filter(|_| !place.is_list) else {
            let problem = format!("the schema has no list of texts (`enum`) for `{}`", echo(&pointer_of(segments)));
            return Err(Fault::at(CODE, "", problem).expecting("a place whose values the schema lists"));
        };
        if or_none && !values.iter().any(|value| value == NONE) {
            values.push(NONE.to_owned());
        }
        let label = key_of(segments);
        let key = concat(&[&shown_text(&self.section.name), "_by_", &label]);
        Ok(OwnTally { key, section: self.section.name.clone(), place: place_of(segments), label, values, or_none })
    }
}

/// What a filter takes that takes one thing here and another there.
fn both(a: &Takes, b: Takes) -> Takes {
    match (a, b) {
        (a, b) if *a == b => b,
        (Takes::OneOf(known), Takes::OneOf(more)) => {
            let mut values = known.clone();
            for value in more {
                if !values.contains(&value) {
                    values.push(value);
                }
            }
            Takes::OneOf(values)
        }
        (Takes::OneOf(_) | Takes::Text, Takes::OneOf(_) | Takes::Text) => Takes::Text,
        _ => Takes::Scalar,
    }
}

/// The filters a section names, with their names.
fn filters_of(given: Option<&Json>) -> Result<Vec<(String, &Json)>, Fault> {
    let Some(given) = given else { return Ok(Vec::new()) };
    let object = given.as_object().ok_or_else(|| Fault::at(CODE, "filters", "expected an object of filters by name"))?;
    Ok(object.iter().map(|(name, filter)| (name.to_string(), filter)).collect())
}

/// A list of pointers into the entity, split.
fn places(name: &str, given: Option<&Json>) -> Result<Option<Vec<Vec<String>>>, Fault> {
    let Some(given) = given else { return Ok(None) };
    let listed = given.as_array().ok_or_else(|| Fault::at(CODE, name, "expected a list of JSON pointers"))?;
    let mut places = Vec::new();
    for (at, pointer) in listed.iter().enumerate() {
        let at = format!("{name}[{at}]");
        let text = pointer.as_str().ok_or_else(|| Fault::at(CODE, &at, format!("expected a JSON pointer, got {}", pointer.kind())))?;
        places.push(member(&at, text)?);
    }
    Ok(Some(places))
}

/// The pointer to a member of an entity, split.
fn member(name: &str, pointer: &str) -> Result<Vec<String>, Fault> {
    match pointer::parse(pointer) {
        Ok(segments) if !segments.is_empty() => Ok(segments),
        Ok(_) => Err(Fault::at(CODE, name, "the entity itself is no member").expecting("a JSON pointer such as `/title`")),
        Err(problem) => Err(Fault::at(CODE, name, problem).expecting("a JSON pointer such as `/title`")),
    }
}

fn pointer_of(segments: &[String]) -> String {
    segments.iter().fold(String::new(), |pointer, segment| pointer::join(&pointer, segment))
}

/// The same without its first `/`.
fn place_of(segments: &[String]) -> String {
    pointer_of(segments).strip_prefix('/').unwrap_or_default().to_owned()
}

/// What a place is shown as.
fn key_of(segments: &[String]) -> String {
    shown_text(&join(segments, "."))
}
