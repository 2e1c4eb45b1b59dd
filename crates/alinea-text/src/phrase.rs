//! Phrase pairs: which stretches of two sentences translate each other, by their links.
//!
//! A [`PhrasePair`] joins a [`Span`] of source words and a span of target words. It is *consistent* with the links of the
//! sentence pair if
//!
//! 1. at least one link has both ends inside it, and
//! 2. no link has exactly one end inside it.
//!
//! All consistent pairs whose spans both have at most so many words are extracted, each once, in the order (source span,
//! target span):
//!
//! ```text
//!        maria  hat  gerade  geschlafen
//! mary     ■     ·      ·        ·         mary             maria
//! just     ·     ·      ■        ·         mary just slept  maria hat gerade geschlafen
//! slept    ·     ■      ·        ■         just             gerade
//!                                          just slept       hat gerade geschlafen
//! ```
//!
//! `slept` alone is in no pair: between its target words is `gerade`, which is linked to a word outside. Words without
//! links may stand at the borders of a phrase as well as within it, so that several pairs may have the same links.
//!
//! **How.** For each first source word the last one moves to the right, and with it the *hull*, the least span of target
//! words that has all links of the source words so far. The pair of source span and hull is consistent if there are as many
//! links at the words of the one as at those of the other, which sums over the words before each position tell at once;
//! target words without links beside the hull give the other pairs. A hull that is too long ends the search, for it only
//! grows. O(I · L + links + pairs found), where I is the number of source words and L the greatest length.
//!
//! [`Phrases::orientation`] says how a phrase pair stands to its neighbors, [`moses`] writes lines as Moses does.
//!
//! Sources: Och, Tillmann and Ney 1999, *Improved alignment models for statistical machine translation* (alignment
//! templates); Koehn, Och and Marcu 2003, *Statistical phrase-based translation* (phrases of words). Both sides have the same
//! limit, as in Moses, whose default is [`MOSES_MAX_LENGTH`]. `nltk.translate.phrase_extraction` of NLTK 3.10 has the same
//! definition, but with a limit cuts target spans to it, so that links lead out of them.
//!
//! ```
//! use std::num::NonZeroU32;
//!
//! use alinea::alignment::Alignment;
//! use alinea::phrase::{PhraseExtractor, PhrasePair, phrase_pairs};
//!
//! let links: Alignment = [(0, 0), (1, 2), (2, 1), (2, 3)].into();
//! let pair = |source: [u32; 2], target: [u32; 2]| PhrasePair { source: source.into(), target: target.into() };
//! let all = [pair([0, 1], [0, 1]), pair([0, 3], [0, 4]), pair([1, 2], [2, 3]), pair([1, 3], [1, 4])];
//! assert_eq!(phrase_pairs(&links, 3, 4, None)?, all);
//! assert_eq!(phrase_pairs(&links, 3, 4, NonZeroU32::new(3))?, [all[0], all[2], all[3]]);
//!
//! // For many sentence pairs, one extractor a thread keeps its buffers.
//! let mut extractor = PhraseExtractor::new(None);
//! let phrases = extractor.extract(&links, 3, 4)?;
//! assert_eq!(phrases.pairs().len(), 4);
//! assert_eq!(phrases.links(all[3]).len(), 3);
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod extractor;
pub mod moses;
mod orientation;

pub use extractor::{PhraseExtractor, Phrases, phrase_pairs};
pub use orientation::Orientation;

use std::num::NonZeroU32;
use std::ops::Range;

/// The default maximum number of words of a phrase in Moses.
pub const MOSES_MAX_LENGTH: NonZeroU32 = NonZeroU32::new(7).expect("not zero");

/// Neighboring words of a sentence: from `start`, counted from 0, to before `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first word.
    pub start: u32,
    /// The word behind the last.
    pub end: u32,
}

impl Span {
    /// The words from `start` to before `end`.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The number of words.
    pub const fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Whether there is no word.
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The positions, to index a slice of words by.
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl From<[u32; 2]> for Span {
    fn from([start, end]: [u32; 2]) -> Self {
        Self { start, end }
    }
}

/// A source span and a target span.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PhrasePair {
    /// The source words.
    pub source: Span,
    /// The target words.
    pub target: Span,
}
