//! How entities name each other: what a definition says of it, read by the rooms that keep documents and by tools.

/// A member that names an entity, or a list of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Pointer inside the entity, split.
    pub segments: Vec<String>,
    /// The sections it may point into.
    pub sections: Vec<String>,
    /// What becomes of it when its target is deleted.
    pub on_delete: OnDelete,
}

/// What becomes of a reference when its target is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnDelete {
    /// The target stays.
    Refuse,
    /// The entity that holds it goes too.
    Cascade,
    /// The reference is taken out.
    Clear,
}
