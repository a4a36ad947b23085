//! The part of a schema that alone constrains the items of one list deep in a value, so that a change of one item
//! is checked without the others. Where anything else has a say in that list there is no such part.

use crate::protocol::json::Json;

use super::check::{MAX_STEPS, Run};
use super::{ARRAY, Keyword, Node, NodeId, OBJECT, Schema};

/// What the items of a list must be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ItemPart {
    /// Nothing where anything is allowed.
    node: Option<NodeId>,
    /// How many schemas lie above it.
    depth: usize,
}

impl Schema {
    /// The part for the items of the list at `segments`; nothing where the schema looks at that list in another way too.
    pub(crate) fn item_part(&self, segments: &[String]) -> Option<ItemPart> {
        let (mut node, mut depth) = (0, 0);
        for segment in segments {
            match self.step(&mut node, &mut depth, Some(segment))? {
                Some(next) => node = next,
                None => return Some(ItemPart { node: None, depth }),
            }
        }
        let items = self.step(&mut node, &mut depth, None)?;
        Some(ItemPart { node: items, depth })
    }

    /// Whether an item is valid; `steps` counts what all items of a value may take together.
    pub(crate) fn is_item(&self, part: ItemPart, item: &Json, steps: &mut u64) -> bool {
        let Some(node) = part.node else { return true };
        let mut run = Run::deep(&self.nodes, part.depth);
        let valid = run.holds(node, item) && !run.gave_up();
        *steps = steps.saturating_add(run.steps());
        valid && *steps <= MAX_STEPS
    }

    /// One level down: by the name of a member, or to the items. Nothing where the level says more than of what kind its
    /// value is, which members it must have, and what these are.
    fn step(&self, node: &mut NodeId, depth: &mut usize, member: Option<&str>) -> Option<Option<NodeId>> {
        loop {
            let keywords = match self.nodes.get(*node)? {
                Node::Always(true) => return Some(None),
                Node::Always(false) => return None,
                Node::Keywords(keywords) => keywords,
            };
            *depth += 1;
            if let [Keyword::Ref(target)] = keywords.as_slice() {
                // compiled schemas never lead back to themselves this way
                *node = *target;
                continue;
            }
            let mut below = None;
            for keyword in keywords {
                match (keyword, member) {
                    (Keyword::Type(bits), Some(_)) if bits & OBJECT != 0 => {}
                    (Keyword::Type(bits), None) if bits & ARRAY != 0 => {}
                    (Keyword::Required(_), _) => {}
                    (Keyword::Members(members), Some(name)) if members.patterns.is_empty() => {
                        below = members.named.get(name).copied().or(members.rest);
                    }
                    (Keyword::Items { prefix, rest }, None) if prefix.is_empty() => below = *rest,
                    _ => return None,
                }
            }
            return Some(below);
        }
    }
}
