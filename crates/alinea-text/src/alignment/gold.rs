//! Gold alignments: sure links S and possible links P of a sentence pair, with S ⊆ P (Och and Ney 2003, section 4).
//!
//! A sure link is one that a good alignment has, a possible link one that it may have. A [`GoldAlignment`] keeps P with
//! the sure links included, which is how the scores are defined. Files list only the others as possible;
//! [`GoldAlignment::from_parts`] takes the links so, and one that is given as both is sure.
//!
//! Some gold standards leave words out on purpose, function words for instance, and say nothing of their links.
//! [`AnnotatedWords`] is the words that have a gold link; [`GoldAlignment::restrict_to_annotated`] keeps the links of a
//! hypothesis between two of them.

use super::{Alignment, Link};
use crate::error::{ErrorKind, Result};

/// Sure links and possible links of one sentence pair; every sure link is possible too (Och and Ney 2003, section 4).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GoldAlignment {
    sure: Alignment,
    possible: Alignment,
}

impl GoldAlignment {
    /// Sure links, and possible links that include them.
    ///
    /// # Errors
    /// `Inconsistent` if a sure link is not possible.
    pub fn new(sure: Alignment, possible: Alignment) -> Result<Self> {
        if let Some(link) = sure.difference(&possible).iter().next() {
            return Err(ErrorKind::Inconsistent(format!("sure link {link} is not among the possible links")).into());
        }
        Ok(Self { sure, possible })
    }

    /// Sure links, and links that are only possible. A link given as both is sure.
    pub fn from_parts(sure: Alignment, only_possible: &Alignment) -> Self {
        let possible = sure.union(only_possible);
        Self { sure, possible }
    }

    /// The sure links.
    pub fn sure(&self) -> &Alignment {
        &self.sure
    }

    /// The possible links, the sure among them.
    pub fn possible(&self) -> &Alignment {
        &self.possible
    }

    /// Whether there are no links.
    pub fn is_empty(&self) -> bool {
        self.possible.is_empty()
    }

    /// Source and target changed.
    #[must_use]
    pub fn inverted(&self) -> Self {
        Self { sure: self.sure.inverted(), possible: self.possible.inverted() }
    }

    /// The links of `hypothesis` whose two words both have a gold link. For gold standards that left some words,
    /// such as function words, out on purpose.
    #[must_use]
    pub fn restrict_to_annotated(&self, hypothesis: &Alignment) -> Alignment {
        let annotated = AnnotatedWords::of(&self.possible);
        hypothesis.iter().filter(|&link| annotated.both(link)).collect()
    }
}

/// The words that have a link in a gold standard. What people said of the others is not known if they left words out on
/// purpose.
///
/// ```
/// use alinea::alignment::{AnnotatedWords, Link};
///
/// let words = AnnotatedWords::of(&[(0, 0), (2, 3)].into());
/// assert!(words.both(Link::new(0, 3)) && !words.both(Link::new(0, 1)));
/// assert!(words.either(Link::new(0, 1)) && !words.either(Link::new(1, 1)));
/// ```
#[derive(Debug, Clone)]
pub struct AnnotatedWords {
    sources: Vec<u32>,
    targets: Vec<u32>,
}

impl AnnotatedWords {
    /// The words that have one of these links. O(n log n).
    pub fn of(links: &Alignment) -> Self {
        let mut targets: Vec<u32> = links.iter().map(|link| link.target).collect();
        targets.sort_unstable();
        // Links are sorted by their sources.
        Self { sources: links.iter().map(|link| link.source).collect(), targets }
    }

    /// Whether both words of a link are among them. O(log n).
    pub fn both(&self, link: Link) -> bool {
        self.has_source(link) && self.has_target(link)
    }

    /// Whether at least one of its words is. O(log n).
    pub fn either(&self, link: Link) -> bool {
        self.has_source(link) || self.has_target(link)
    }

    fn has_source(&self, link: Link) -> bool {
        self.sources.binary_search(&link.source).is_ok()
    }

    fn has_target(&self, link: Link) -> bool {
        self.targets.binary_search(&link.target).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sure_links_must_be_possible() {
        let sure: Alignment = [(0, 0), (1, 1)].into();
        assert!(GoldAlignment::new(sure.clone(), [(0, 0), (1, 1), (1, 2)].into()).is_ok());
        let error = GoldAlignment::new(sure, [(0, 0)].into()).unwrap_err();
        assert_eq!(error.to_string(), "sure link 1-1 is not among the possible links");
    }

    #[test]
    fn only_links_between_annotated_words_are_kept() {
        let gold = GoldAlignment::from_parts([(0, 0)].into(), &[(2, 3)].into());
        let kept = gold.restrict_to_annotated(&[(0, 0), (0, 1), (0, 3), (1, 0), (2, 0)].into());
        assert_eq!(kept, [(0, 0), (0, 3), (2, 0)].into());
    }
}
