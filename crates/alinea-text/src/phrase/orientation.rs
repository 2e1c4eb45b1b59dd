//! The orientation of a phrase pair towards its neighbors in the target, for models of lexicalized reordering.
//!
//! It is told by single links at the corners of the pair (Koehn et al. 2005). Let the pair be source words i to j and
//! target words u to v. Then
//!
//! ```text
//!          towards what comes before     towards what comes after
//! mono     link (i - 1, u - 1)           link (j + 1, v + 1)
//! swap     link (j + 1, u - 1)           link (i - 1, v + 1)
//! other    both or neither               both or neither
//! ```
//!
//! where the positions before the first words of both sentences count as linked, and so do those behind the last words.

use std::fmt;

use super::{PhrasePair, Phrases, Span};

/// Where translation goes on from one phrase to the next, in the order of the target.
///
/// Sources: Tillmann 2004, *A unigram orientation model for statistical machine translation*; Koehn, Axelrod, Birch Mayne,
/// Callison-Burch, Osborne and Talbot 2005, *Edinburgh system description for the 2005 IWSLT speech translation
/// evaluation* (decided by single links).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Orientation {
    /// The neighbors in the target are neighbors in the source too, in the same order.
    Mono,
    /// The same, but their order is changed.
    Swap,
    /// Neither, or both.
    Other,
}

impl Orientation {
    /// The name that Moses writes: `mono`, `swap` or `other`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mono => "mono",
            Self::Swap => "swap",
            Self::Other => "other",
        }
    }

    const fn of(mono: bool, swap: bool) -> Self {
        match (mono, swap) {
            (true, false) => Self::Mono,
            (false, true) => Self::Swap,
            (true, true) | (false, false) => Self::Other,
        }
    }
}

impl fmt::Display for Orientation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Phrases<'_> {
    /// The orientation of a pair towards what comes before it and after it in the target, decided by the links at its
    /// corners; there are links before the first words of the sentences and behind the last ones. O(log links).
    pub fn orientation(self, pair: PhrasePair) -> [Orientation; 2] {
        let PhrasePair { source: Span { start, end }, target } = pair;
        let (left, right) = (i64::from(start) - 1, i64::from(end));
        let (before, after) = (i64::from(target.start) - 1, i64::from(target.end));
        [
            Orientation::of(self.meet(left, before), self.meet(right, before)),
            Orientation::of(self.meet(right, after), self.meet(left, after)),
        ]
    }

    /// Whether there is a link at these positions, which may lie one word outside of the sentences.
    fn meet(self, source: i64, target: i64) -> bool {
        if let (Ok(source), Ok(target)) = (u32::try_from(source), u32::try_from(target)) {
            self.are_linked(source, target) || [source, target] == self.lengths()
        } else {
            (source, target) == (-1, -1)
        }
    }
}
