//! Links between the words of two sentences, and sets of them.
//!
//! A [`Link`] joins a source position to a target position, both from 0. An [`Alignment`] is a set of links, kept
//! sorted by (source, target) without duplicates; a word without link is simply absent from it. A [`GoldAlignment`]
//! holds what people said: sure links, and possible ones that include the sure. [`WeightedLink`]s carry a confidence. An
//! [`AlignedSentence`] has the words of both sides beside its links, and checks that these lie between them.
//!
//! ```
//! use alinea::alignment::{Alignment, Link};
//!
//! let forward: Alignment = [(0, 0), (1, 2)].into();
//! let reverse: Alignment = [(1, 2), (1, 1)].into();
//! assert_eq!(forward.intersection(&reverse), [(1, 2)].into());
//! assert_eq!(forward.union(&reverse).len(), 3);
//! assert_eq!(reverse.inverted(), [(1, 1), (2, 1)].into());
//! assert_eq!(forward.first_outside(2, 2), Some(Link::new(1, 2)));
//! ```

mod gold;
mod sentence;
mod set;

pub use gold::{AnnotatedWords, GoldAlignment};
pub use sentence::AlignedSentence;
pub use set::Alignment;

use std::fmt;

/// A source position and a target position, both from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Link {
    /// Position of the source word.
    pub source: u32,
    /// Position of the target word.
    pub target: u32,
}

impl Link {
    /// The link from `source` to `target`.
    pub const fn new(source: u32, target: u32) -> Self {
        Self { source, target }
    }

    /// The same link seen from the other side.
    #[must_use]
    pub const fn inverted(self) -> Self {
        Self { source: self.target, target: self.source }
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.source, self.target)
    }
}

/// A link with a confidence between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeightedLink {
    /// The link.
    pub link: Link,
    /// The confidence.
    pub weight: f32,
}
