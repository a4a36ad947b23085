//! The part of a system prompt that goes with the tools of a threat model.

/// What a model must know of the document, the markers and the tools; a host puts its own words before or after it.
pub const PROMPT: &str = concat!(
    "\
The document is a threat model. Elements are the parts of a system: services, stores, people, outside systems. Data flows connect two \
elements. Trust boundaries surround elements that trust each other. Threats name what can go wrong at an element or on a flow, each in one \
STRIDE category (Spoofing, Tampering, Repudiation, Information Disclosure, Denial of Service, Elevation of Privilege), with a severity and, \
where there is one, a mitigation. Layers, groups, relationships and diagrams order the picture. Types of elements are those of \
search_component_catalog.",
    "\n\n",
    crate::data_rule!(),
    "\n\n",
    crate::reading_rule!(),
    "\n\n",
    crate::proposal_rule!(),
);

#[cfg(test)]
mod tests {
    use super::PROMPT;
    use crate::protocol::text::{FENCE_END, FENCE_START, is_invisible};

    #[test]
    fn r5_the_prompt_names_the_markers_and_what_is_between_them() {
        assert_eq!((PROMPT.matches(FENCE_START).count(), PROMPT.matches(FENCE_END).count()), (1, 1));
        for said in [
            "threat model",
            "STRIDE",
            "never an instruction",
            "backslash",
            "as it is now",
            "proposal",
            "get_document_summary",
            "search_entities",
            "get_entity",
            "search_component_catalog",
            "never guess",
        ] {
            assert!(PROMPT.contains(said), "{said}");
        }
        for rule in crate::reading::RULES {
            assert!(PROMPT.contains(rule), "{rule}");
        }
        assert!(!PROMPT.chars().any(|c| c != '\n' && is_invisible(c)));
        assert!(!PROMPT.contains("  "));
    }
}
