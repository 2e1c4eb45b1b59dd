//! The text of a training, as its passes see it: stretches, each of which is computed once however often it occurs, in
//! chunks that threads take one after another.

use std::ops::{Range, RangeInclusive};

use crate::bitext::{Cuts, DistinctPair, DistinctPairs, MOST_TOKENS, RankedBitext, Text};
use crate::error::{ErrorKind, Result};
use crate::model::refinement::soft_links::GivenPosteriors;
use crate::model::refinement::supervision::GivenLinks;
use crate::parallel::balanced_chunks;

/// A text to train on.
#[derive(Debug)]
pub(in crate::model) struct TrainingText<'t> {
    /// Its sentence pairs; long ones in stretches.
    pub(in crate::model) bitext: &'t RankedBitext,
    /// Where long pairs are cut; everything else is about stretches.
    pub(in crate::model) cuts: Cuts,
    /// Pairs with words on both sides.
    pub(in crate::model) usable: usize,
    /// Which pairs are equal.
    pub(in crate::model) distinct: DistinctPairs,
    /// Parts of the distinct pairs, of [`CELLS_PER_CHUNK`].
    pub(in crate::model) chunks: Vec<Range<usize>>,
    /// The links that are known of distinct pairs.
    pub(in crate::model) links: GivenLinks,
    /// The soft links of distinct pairs.
    pub(in crate::model) given: GivenPosteriors,
}

const CELLS_PER_CHUNK: RangeInclusive<usize> = 1 << 12..=1 << 20;

impl<'t> TrainingText<'t> {
    /// A text in stretches, of which so many pairs are usable; `known` are its links, known ones and soft ones.
    pub(in crate::model) fn new(
        whole: &'t RankedBitext,
        usable: usize,
        distinct: DistinctPairs,
        known: (GivenLinks, GivenPosteriors),
    ) -> Self {
        let bitext = whole.in_stretches();
        let chunks = chunks_of(bitext, &distinct);
        let (links, given) = known;
        Self { bitext, cuts: whole.cuts(), usable, distinct, chunks, links, given }
    }

    /// The longest sentence of each side, in words.
    pub(in crate::model) fn longest(&self) -> [usize; 2] {
        [&self.bitext.bitext().source, &self.bitext.bitext().target].map(Text::longest)
    }
}

/// The fixed parts of a text, by places among its distinct pairs.
fn chunks_of(bitext: &RankedBitext, distinct: &DistinctPairs) -> Vec<Range<usize>> {
    let cells = |distinct: &DistinctPair| {
        let pair = bitext.pair(distinct.first as usize);
        pair.source.len() * pair.target.len() + 1
    };
    balanced_chunks(distinct.pairs().iter().map(cells), CELLS_PER_CHUNK)
}

/// How many pairs have words on both sides.
///
/// # Errors
/// `Empty` if none has; `Inconsistent` if a sentence has more than [`MOST_TOKENS`] words.
pub(in crate::model) fn usable_pairs(bitext: &RankedBitext) -> Result<usize> {
    let lengths = bitext.bitext().pairs().map(|pair| pair.source.len().max(pair.target.len()));
    if let Some((n, length)) = lengths.enumerate().find(|&(_, length)| length > MOST_TOKENS) {
        let message =
            format!("a sentence of pair {} has {length} words, models learn from at most {MOST_TOKENS}", n + 1);
        return Err(ErrorKind::Inconsistent(message).into());
    }
    let usable = bitext.bitext().pairs().filter(|pair| !pair.has_empty_side()).count();
    if usable == 0 {
        return Err(ErrorKind::EmptySides { pairs: bitext.len() }.into());
    }
    Ok(usable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitext::Bitext;

    #[test]
    fn sentences_whose_counts_would_not_fit_are_refused() {
        let text = |words: usize| {
            let mut text = Text::default();
            text.push_sentence(std::iter::repeat_n(&b"a"[..], words));
            text
        };
        let bitext = |words: usize| RankedBitext::new(Bitext::new(text(1), text(words)).unwrap());
        assert_eq!(usable_pairs(&bitext(MOST_TOKENS)).unwrap(), 1);
        let error = usable_pairs(&bitext(MOST_TOKENS + 1)).unwrap_err();
        assert!(error.to_string().contains("pair 1 has 65536 words"), "{error}");
    }
}
