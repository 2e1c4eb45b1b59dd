//! What becomes of trees.

/// Where the head of a word comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// From an edge of the source, over links of both its words.
    Carried,
    /// From the source, where an edge has no counterpart: over words without links, or within what one word became.
    Mended,
    /// From no link, but from what is usual in the text.
    Guessed,
}

impl Origin {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Carried, Self::Mended, Self::Guessed];

    /// What to call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Carried => "carried",
            Self::Mended => "mended",
            Self::Guessed => "guessed",
        }
    }
}

/// A word of the target in its tree.
#[derive(Debug, Clone, PartialEq)]
pub struct ProjectedWord {
    /// Its head, none for the root.
    pub head: Option<u32>,
    /// Its relation to the head: `root` for the root, and for no other word.
    pub relation: String,
    /// Its universal part of speech: the given one, or that carried over.
    pub upos: String,
    /// The source word whose head was carried over, if one was.
    pub source: Option<u32>,
    /// Where the head comes from.
    pub origin: Origin,
    /// How sure the head is, from 0 to 1. Under [`Consistent`](super::Method::Consistent) the probability of this head among all
    /// words; else the product of the probabilities of the links that the edge was carried over, 0 for guessed ones.
    pub confidence: f32,
}

/// A tree over the target words: one root and no cycles, if there are words.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ProjectedTree {
    /// The words, in order.
    pub words: Vec<ProjectedWord>,
}

impl ProjectedTree {
    /// How many words have a head of an origin.
    pub fn count(&self, origin: Origin) -> usize {
        self.words.iter().filter(|word| word.origin == origin).count()
    }
}
