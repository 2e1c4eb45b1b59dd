//! One direction of a text: which side is generated from which.
//!
//! The IBM models are asymmetric: f_1..f_J is generated from e_1..e_I. Their code is written once, for generated and
//! conditioning words, and `Generated` says which of these are target and which are source. Forward generates the
//! target from the source and is number 0 in arrays by direction; reverse generates the source from the target and is
//! number 1. The pair index is the same for both directions.

use crate::bitext::{RankedBitext, SentencePair, WordId};
use crate::lexicon::PairIndex;

/// The side of a text that a model generates from the other, the conditioning side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Generated {
    Target,
    Source,
}

impl Generated {
    /// Both directions: forward, reverse.
    pub(super) const BOTH: [Self; 2] = [Self::Target, Self::Source];

    /// The conditioning words e_1..e_I and the generated words f_1..f_J of a pair.
    pub(super) fn split(self, pair: SentencePair<'_>) -> (&[WordId], &[WordId]) {
        match self {
            Self::Target => (pair.source, pair.target),
            Self::Source => (pair.target, pair.source),
        }
    }

    /// How many conditioning words and how many generated words a text knows.
    pub(super) fn words(self, bitext: &RankedBitext) -> [usize; 2] {
        let [source, target] = [bitext.source_frequencies().len(), bitext.target_frequencies().len()];
        match self {
            Self::Target => [source, target],
            Self::Source => [target, source],
        }
    }

    /// The conditioning and the generated word of a pair of words.
    pub(super) fn of_words(self, source: usize, target: usize) -> [usize; 2] {
        match self {
            Self::Target => [source, target],
            Self::Source => [target, source],
        }
    }
}

/// One direction of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Directed<'t> {
    pub(super) bitext: &'t RankedBitext,
    pub(super) index: &'t PairIndex,
    pub(super) generated: Generated,
}
