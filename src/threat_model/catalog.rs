//! The component catalog: what an element can be, as one text, and the tool that searches it.
//!
//! A line is one component: id, label, category, icon, shape, role, keywords, variants (id, label, provider,
//! icon), and `deprecated` where it is. It is read where it is asked for: the text is a third of what a table
//! of its parts would take. Ids are permanent; the ids of components, variants and icons may stand in documents.

use std::sync::Arc;

use crate::json_object;
use crate::protocol::command::ToolOutcome;
use crate::protocol::json::{Json, Object};
use crate::protocol::text::join;
use crate::reading::{FilterInput, Needle, PageRequest, Texts, answer, asked_for, declared, object_of, paged, taking, told};
use crate::tools::canonical::canonical_json;
use crate::tools::core_tool::CoreTool;
use crate::tools::declaration::ToolDeclaration;

const TABLE: &str = include_str!("catalog.txt");
const NAME: &str = "search_component_catalog";
const ABOUT: &str = "Lists the component types an element can have, a page at a time: id (the `type` of an element), label, category, role, \
     keywords and variants (the `subtype`). The catalog does not depend on the document.";
/// The provider of every component; its variants have one of their own.
const GENERIC: &str = "generic";

/// The categories and how they are written.
const CATEGORIES: [(&str, &str); 10] = [
    ("generic", "Generic"),
    ("annotations", "Annotations"),
    ("services", "Services"),
    ("databases", "Databases"),
    ("messaging", "Messaging"),
    ("infrastructure", "Infrastructure"),
    ("security", "Security"),
    ("clients", "Clients"),
    ("networking", "Networking"),
    ("platform", "Cloud / Platform"),
];

/// The providers and how they are written.
const PROVIDERS: [(&str, &str); 7] = [
    ("generic", "Generic"),
    ("aws", "Amazon Web Services"),
    ("azure", "Microsoft Azure"),
    ("gcp", "Google Cloud"),
    ("cloudflare", "Cloudflare"),
    ("kubernetes", "Kubernetes"),
    ("oss", "Open Source"),
];

/// Every component, in the order in which they were declared, as the tool shows them.
#[must_use]
pub fn component_catalog() -> Vec<Json> {
    TABLE.lines().map(|line| Component::of(line).shown()).collect()
}

/// Whether the catalog has an entry for this type.
pub(super) fn is_known(element_type: &str) -> bool {
    TABLE.lines().any(|line| line.strip_prefix(element_type).is_some_and(|rest| rest.starts_with('|')))
}

/// The tool that searches the catalog.
pub(super) fn tool() -> Arc<dyn CoreTool> {
    Arc::new(SearchCatalog)
}

/// One line, taken apart.
struct Component<'a> {
    id: &'a str,
    label: &'a str,
    category: &'a str,
    icon_id: &'a str,
    shape: &'a str,
    stride_role: &'a str,
    keywords: Vec<&'a str>,
    variants: Vec<[&'a str; 4]>,
    is_deprecated: bool,
}

impl<'a> Component<'a> {
    fn of(line: &'a str) -> Component<'a> {
        let mut parts = line.split('|');
        let mut next = || parts.next().unwrap_or_default();
        let (id, label, category, icon_id, shape, stride_role) = (next(), next(), next(), next(), next(), next());
        let keywords = next().split(',').collect();
        let mut variants = Vec::new();
        for variant in next().split(',').filter(|variant| !variant.is_empty()) {
            let mut parts = variant.split('/');
            variants.push([(); 4].map(|()| parts.next().unwrap_or_default()));
        }
        Component { id, label, category, icon_id, shape, stride_role, keywords, variants, is_deprecated: next() == "deprecated" }
    }

    /// As it is shown: no list is longer than what a result shows of one.
    fn shown(&self) -> Json {
        let mut variants = Vec::new();
        for [id, label, provider, icon_id] in &self.variants {
            variants.push(json_object! { "icon_id" => *icon_id, "id" => *id, "label" => *label, "provider" => *provider });
        }
        let mut keywords = Vec::new();
        for keyword in &self.keywords {
            keywords.push(Json::from(*keyword));
        }
        json_object! {
            "aliases" => Vec::new(),
            "category" => self.category,
            "icon_id" => self.icon_id,
            "id" => self.id,
            "keywords" => keywords,
            "label" => self.label,
            "provider" => GENERIC,
            "shape" => self.shape,
            "status" => if self.is_deprecated { "deprecated" } else { "active" },
            "stride_role" => self.stride_role,
            "variants" => variants,
        }
    }

    /// Everything a query may be part of.
    fn words(&self) -> String {
        let mut words = vec![self.label, self.id];
        words.extend(&self.keywords);
        words.extend([written(&CATEGORIES, self.category), written(&PROVIDERS, GENERIC)]);
        for [id, label, provider, _] in &self.variants {
            words.extend([*label, *id, written(&PROVIDERS, provider)]);
        }
        join(&words, " ")
    }

    fn is_of(&self, provider: &str) -> bool {
        provider == GENERIC || self.variants.iter().any(|[_, _, own, _]| *own == provider)
    }
}

fn written<'a>(known: &[(&'a str, &'a str)], id: &str) -> &'a str {
    known.iter().find(|(known, _)| *known == id).map_or("", |(_, written)| written)
}

struct SearchCatalog;

impl CoreTool for SearchCatalog {
    fn declaration(&self) -> ToolDeclaration {
        let (categories, providers) = (CATEGORIES.map(|(id, _)| id), PROVIDERS.map(|(id, _)| id));
        let mut members = Object::new();
        members.insert("query", taking(FilterInput::Text, "part of a name, id, keyword or variant; capitals do not matter"));
        members.insert("category", taking(FilterInput::OneOf(Texts::Fixed(&categories)), "exact category"));
        members.insert("provider", taking(FilterInput::OneOf(Texts::Fixed(&providers)), "who offers it or a variant of it"));
        members.insert("include_deprecated", taking(FilterInput::Flag, "also those that new elements should not use"));
        paged(&mut members);
        declared(NAME, ABOUT, None, object_of(members, &[]))
    }

    fn summary(&self, input: &Json) -> Option<String> {
        let query = input.get("query").and_then(Json::as_str);
        Some(["Search the component catalog", if query.is_some() { " for " } else { "" }, query.unwrap_or_default()].concat())
    }

    fn run(&self, _: &Json, input: &Json) -> ToolOutcome {
        let text = |key: &str| input.get(key).and_then(Json::as_str);
        let mut query = Needle::new(text("query").unwrap_or_default().trim());
        let with_deprecated = input.get("include_deprecated").and_then(Json::as_bool) == Some(true);
        let mut found = Vec::new();
        for line in TABLE.lines() {
            let component = Component::of(line);
            if (with_deprecated || !component.is_deprecated)
                && text("category").is_none_or(|category| category == component.category)
                && text("provider").is_none_or(|provider| component.is_of(provider))
                && query.is_in(&component.words())
            {
                found.push(component);
            }
        }
        let ((offset, limit), total) = (asked_for(input), u64::try_from(found.len()).unwrap_or(u64::MAX));
        let mut rest = found.iter().skip(usize::try_from(offset).unwrap_or(usize::MAX));
        let mut next = || rest.next().map(|component| canonical_json(&component.shown()));
        told(answer(PageRequest { tool: NAME, kind: None, offset, limit, total }, "components", &mut next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::{LISTED_ITEMS, shown_text};

    fn components() -> Vec<Component<'static>> {
        TABLE.lines().map(Component::of).collect()
    }

    fn found(input: &str) -> Vec<String> {
        let ToolOutcome::Ok { result, .. } = SearchCatalog.run(&Json::Null, &Json::parse(input).unwrap()) else { panic!("{input}") };
        let crate::protocol::command::ToolResult::Text(text) = result else { panic!() };
        let body = Json::parse(text.lines().nth(1).unwrap()).unwrap();
        let results = body.get("results").and_then(Json::as_array).unwrap();
        results.iter().map(|entry| entry.get("id").and_then(Json::as_str).unwrap().to_owned()).collect()
    }

    #[test]
    fn the_table_is_whole() {
        let all = components();
        assert_eq!((all.len(), all.iter().filter(|component| component.is_deprecated).count()), (48, 3));
        assert_eq!(all.iter().map(|component| component.variants.len()).sum::<usize>(), 16);
        let mut icons: Vec<&str> = all.iter().map(|component| component.icon_id).collect();
        icons.extend(all.iter().flat_map(|component| component.variants.iter().map(|variant| variant[3])));
        icons.extend(["aws", "docker", "postgresql", "redis", "mongodb", "nginx", "graphql", "kafka"]);
        icons.sort_unstable();
        icons.dedup();
        assert_eq!(icons.len(), 52);
        let mut ids: Vec<&str> = all.iter().map(|component| component.id).collect();
        assert!(ids.iter().all(|id| is_known(id)) && !is_known("web") && !is_known("") && !is_known("generic|"));
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 48);
        for line in TABLE.lines() {
            let component = Component::of(line);
            assert_eq!(line.split('|').count(), 9, "{line}");
            assert!((3..=8).contains(&component.keywords.len()), "{line}");
            assert!(component.keywords.iter().all(|word| !word.is_empty() && *word == word.to_lowercase()), "{line}");
            assert!(!written(&CATEGORIES, component.category).is_empty(), "{line}");
            assert!(["rounded", "database", "rect", "hexagon", "text"].contains(&component.shape), "{line}");
            assert!(["service", "store", "actor", "none"].contains(&component.stride_role), "{line}");
            assert!(component.variants.iter().flatten().all(|part| !part.is_empty()) && component.variants.len() <= LISTED_ITEMS);
            assert!(component.variants.iter().all(|[_, _, provider, _]| !written(&PROVIDERS, provider).is_empty()), "{line}");
        }
    }

    #[test]
    fn r5_nothing_of_the_catalog_needs_cleaning_or_escaping() {
        assert!(TABLE.lines().all(|line| shown_text(line).len() == line.len().min(200)));
        assert!(TABLE.is_ascii() && !TABLE.contains(['\\', '<', '>', '\t', '\r']));
    }

    #[test]
    fn r3_the_filters_find_what_they_name_in_declaration_order() {
        let ids: Vec<&str> = components().iter().map(|component| component.id).collect();
        let active = ids.get(..45).unwrap();
        assert_eq!(found(r#"{"limit":20}"#), active[..20]);
        assert_eq!(found(r#"{"limit":20,"offset":40}"#), active[40..]);
        assert_eq!(found(r#"{"limit":20,"offset":40,"include_deprecated":true}"#), ids[40..]);
        assert_eq!(found(r#"{"query":"  "}"#), active[..20]);
        for (category, active, all) in [
            ("generic", 1, 1),
            ("annotations", 1, 1),
            ("services", 5, 6),
            ("databases", 8, 9),
            ("messaging", 3, 3),
            ("infrastructure", 5, 5),
            ("security", 8, 8),
            ("clients", 6, 7),
            ("networking", 4, 4),
            ("platform", 4, 4),
        ] {
            assert_eq!(found(&format!(r#"{{"category":"{category}"}}"#)).len(), active, "{category}");
            assert_eq!(found(&format!(r#"{{"category":"{category}","include_deprecated":true}}"#)).len(), all, "{category}");
        }
        assert_eq!(
            found(r#"{"provider":"aws"}"#),
            ["sql_database", "nosql_database", "object_storage", "message_queue", "event_bus", "cdn"]
        );
        assert_eq!(found(r#"{"provider":"oss"}"#), ["cache", "message_queue", "event_bus"]);
        for (provider, count) in [("generic", 20), ("azure", 3), ("gcp", 2), ("cloudflare", 1), ("kubernetes", 0)] {
            assert_eq!(found(&format!(r#"{{"provider":"{provider}"}}"#)).len(), count, "{provider}");
        }
        assert_eq!(found(r#"{"query":" DynamoDB "}"#), ["nosql_database"]);
        assert_eq!(found(r#"{"query":"dfd"}"#), Vec::<String>::new());
        assert_eq!(found(r#"{"query":"dfd","include_deprecated":true}"#), ["process", "data_store", "external_entity"]);
        assert_eq!(found(r#"{"query":"cloud / platform"}"#), ["kubernetes", "serverless_platform", "ci_cd_pipeline", "container_registry"]);
        assert_eq!(found(r#"{"query":"open source","category":"databases"}"#), ["cache"]);
        assert_eq!(found(r#"{"query":"generic"}"#).len(), 20, "every entry has a generic provider");
    }

    #[test]
    fn r2_the_whole_catalog_is_read_page_by_page() {
        let (mut seen, mut offset) = (Vec::new(), 0);
        while offset < 48 {
            let page = found(&format!(r#"{{"limit":50,"include_deprecated":true,"offset":{offset}}}"#));
            offset += page.len();
            seen.extend(page);
        }
        assert_eq!(seen, components().iter().map(|component| component.id).collect::<Vec<_>>());
        let ToolOutcome::Error { result, .. } = SearchCatalog.run(&Json::Null, &Json::parse(r#"{"offset":45}"#).unwrap()) else { panic!() };
        assert_eq!(result, "offset_out_of_range: `components` has 45 matches, `offset` 45 is past them; use 0 to 44");
    }

    #[test]
    fn the_card_names_the_query() {
        let line = |input: &str| SearchCatalog.summary(&Json::parse(input).unwrap()).unwrap();
        assert_eq!(line("{}"), "Search the component catalog");
        assert_eq!(line(r#"{"query":"queue"}"#), "Search the component catalog for queue");
    }
}
