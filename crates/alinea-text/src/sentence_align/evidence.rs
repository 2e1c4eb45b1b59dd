//! What may be known of sentences beside their lengths.

use std::ops::Range;

use crate::error::Result;
use crate::parallel::Work;

/// Tells how much alike groups of sentences of two texts are. Scores of different kinds have different scales;
/// [`EvidenceAligner`](super::EvidenceAligner) learns from the texts what a score says.
pub trait Evidence: Sync {
    /// How much alike a stretch of source sentences and a stretch of target sentences are, 1 to 4 of each, numbered over the
    /// whole texts: larger means more alike. NaN says nothing. The same stretches always have the same score.
    fn score(&self, source: Range<usize>, target: Range<usize>) -> f64;

    /// What it is, in the plural, for the warning that it is not used.
    fn name(&self) -> &'static str {
        "scores"
    }

    /// Which scores are expected, before any text has been seen.
    fn scale(&self) -> Scale;

    /// Pairs of sentences that probably translate each other, in any order; the search goes by those that follow each other
    /// in both texts. `None`, the default, if this evidence proposes no pairs: then the search follows the diagonal.
    ///
    /// # Errors
    /// `Cancelled` if the observer wants it to end.
    fn candidates(&self, _work: Work<'_>) -> Result<Option<Vec<Candidate>>> {
        Ok(None)
    }
}

/// The scores of pairs of sentences.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// The mean where they are unrelated.
    pub unrelated: f64,
    /// The mean where they translate each other, above that.
    pub related: f64,
    /// The standard deviation of either, above 0.
    pub deviation: f64,
}

/// Two sentences that probably translate each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// The number of the source sentence, from 0 over the whole text.
    pub source: usize,
    /// That of the target sentence.
    pub target: usize,
    /// How probable that is: above 0, and of about 1 for good ones.
    pub weight: f64,
}
