//! The sets of links that a page compares: the systems, and the gold standards that they are measured with.

/// A set of links for every pair of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// What it is called.
    pub name: String,
    /// Whether it is a gold standard, to compare others with.
    pub gold: bool,
}

impl Layer {
    /// Links of a system.
    pub fn system(name: impl Into<String>) -> Self {
        Self { name: name.into(), gold: false }
    }

    /// Gold links.
    pub fn gold(name: impl Into<String>) -> Self {
        Self { name: name.into(), gold: true }
    }
}
