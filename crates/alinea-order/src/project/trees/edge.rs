//! A word with its head, before it has a relation.

use super::projected::Origin;

/// The head of a word, and where it comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Edge {
    /// The head, none for the root.
    pub(super) head: Option<usize>,
    /// The source word that the dependent stands for, if the edge above that was carried over.
    pub(super) source: Option<usize>,
    pub(super) origin: Origin,
    /// From 0 to 1.
    pub(super) confidence: f64,
}
