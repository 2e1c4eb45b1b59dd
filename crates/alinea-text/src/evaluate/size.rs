//! The lengths of sentence pairs, and the size of a corpus: sentence pairs, words, mean lengths.
//!
//! Links alone do not say how many words a sentence has. Lengths are needed wherever words without links count, and to
//! refuse links outside of the sentences. [`PairLengths`] has those of one pair, whose product is the number of cells;
//! [`CorpusSize`] has the sums.

use serde::{Deserialize, Serialize};

use crate::alignment::Alignment;
use crate::error::{Error, Result};

/// The numbers of words of a sentence pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PairLengths {
    /// Of the source sentence.
    pub source: usize,
    /// Of the target sentence.
    pub target: usize,
}

impl PairLengths {
    /// These lengths.
    pub const fn new(source: usize, target: usize) -> Self {
        Self { source, target }
    }

    /// The cells of the grid, that is, the links that there could be.
    pub const fn cells(self) -> u64 {
        self.source as u64 * self.target as u64
    }

    /// `Inconsistent` if there is a link outside the grid; `sentence` counts from 0.
    pub(super) fn check(self, links: &Alignment, sentence: usize) -> Result<()> {
        let Some(link) = links.first_outside(self.source, self.target) else { return Ok(()) };
        let outside = Error::link_outside_sentences(link, [self.source, self.target]);
        Err(outside.within(format_args!("sentence {}", sentence + 1)))
    }
}

/// `UnequalLengths` unless there are lengths of as many sentences.
pub(super) fn check_number(sentences: usize, lengths: &[PairLengths]) -> Result<()> {
    if sentences == lengths.len() {
        return Ok(());
    }
    Err(Error::unequal_lengths("gold", sentences as u64, "sentences", lengths.len() as u64))
}

/// How many sentences a corpus has, how many words, and how long they are.
///
/// ```
/// use alinea::evaluate::{CorpusSize, PairLengths};
///
/// let size = CorpusSize::of(&[PairLengths::new(4, 5), PairLengths::new(7, 10)]);
/// assert_eq!((size.source_tokens, size.mean_target_length()), (11, Some(7.5)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CorpusSize {
    /// Sentence pairs.
    pub sentences: u64,
    /// Words of the source.
    pub source_tokens: u64,
    /// Words of the target.
    pub target_tokens: u64,
}

impl CorpusSize {
    /// The size of a text with sentences of these lengths.
    pub fn of(lengths: &[PairLengths]) -> Self {
        Self {
            sentences: lengths.len() as u64,
            source_tokens: lengths.iter().map(|pair| pair.source as u64).sum(),
            target_tokens: lengths.iter().map(|pair| pair.target as u64).sum(),
        }
    }

    /// Source words a sentence; none if there is no sentence.
    pub fn mean_source_length(&self) -> Option<f64> {
        self.mean(self.source_tokens)
    }

    /// Target words a sentence; none if there is no sentence.
    pub fn mean_target_length(&self) -> Option<f64> {
        self.mean(self.target_tokens)
    }

    fn mean(&self, tokens: u64) -> Option<f64> {
        (self.sentences > 0).then(|| tokens as f64 / self.sentences as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_has_no_mean() {
        let size = CorpusSize::of(&[]);
        assert_eq!((size, size.mean_source_length()), (CorpusSize::default(), None));
    }

    #[test]
    fn links_outside_are_named() {
        let error = PairLengths::new(2, 3).check(&[(1, 2), (2, 0)].into(), 4).unwrap_err().to_string();
        assert_eq!(error, "sentence 5: link 2-0 is out of range, the source has 2 tokens, the target 3");
        assert!(check_number(1, &[]).is_err());
    }
}
