//! Translation probabilities t(f | e) of one direction, for all word pairs that occur together and for the empty word.
//!
//! The table is indexed by pair id, with one more entry for pairs that never occurred; that of the empty word by the
//! rank of the generated word. With expected counts c, and ψ the digamma function, the M step is
//!
//! ```text
//! t(f | e) = c(f, e) / sum over f' of c(f', e)                           (Brown et al. 1993, section 4.1)
//! t(f | e) = exp(ψ(c(f, e) + α) - ψ(sum over f' of (c(f', e) + α)))      (Riley and Gildea 2012, equation 4)
//! ```
//!
//! The second, variational Bayes with a symmetric Dirichlet prior over the pairs that occur, is that of the diagonal
//! model. In both, no probability is below 1e-12.

use super::MIN_PROBABILITY;
use super::directed::{Directed, Generated};
use super::shared_counts::SharedCounts;
use crate::lexicon::PairIndex;
use crate::numeric::digamma;

/// t(f | e) of one direction.
#[derive(Debug)]
pub(super) struct TranslationTable {
    /// By the ids of the index; one more for pairs that never occurred.
    pairs: Vec<f64>,
    /// Of the empty word, by generated word.
    null: Vec<f64>,
}

/// Expected counts of one pass.
#[derive(Debug)]
pub(super) struct TranslationCounts {
    pairs: SharedCounts,
    null: SharedCounts,
}

impl TranslationTable {
    /// The uniform distribution over the generated vocabulary.
    pub(super) fn uniform(index: &PairIndex, [_, generated]: [usize; 2]) -> Self {
        let same = 1.0 / generated as f64;
        Self { pairs: vec![same; index.ids() + 1], null: vec![same; generated] }
    }

    /// A table by id and by generated word.
    pub(super) fn of(pairs: impl Iterator<Item = f64>, null: impl Iterator<Item = f64>) -> Self {
        let mut pairs: Vec<f64> = pairs.map(|probability| probability.max(MIN_PROBABILITY)).collect();
        pairs.push(MIN_PROBABILITY);
        Self { pairs, null: null.map(|probability| probability.max(MIN_PROBABILITY)).collect() }
    }

    /// The probability of a cell: at position 0 the empty word's, given the rank of the generated word, elsewhere that of
    /// a pair of words, given its id.
    #[inline(always)]
    pub(super) fn of_cell(&self, position: usize, id: u32) -> f64 {
        if position == 0 { self.null[id as usize] } else { self.pairs[id as usize] }
    }

    /// Makes probabilities of counts: relative frequencies, none below [`MIN_PROBABILITY`]; or, with a pseudo-count of
    /// every pair that occurs, the means in the exponent of the posterior of a Dirichlet prior (variational Bayes; Riley
    /// and Gildea 2012, equation 4). O(pairs of words).
    pub(super) fn maximize(
        &mut self,
        counts: TranslationCounts,
        Directed { bitext, index, generated }: Directed<'_>,
        pseudo_count: Option<f64>,
    ) {
        let [conditions, _] = generated.words(bitext);
        let more = pseudo_count.unwrap_or(0.0);
        let (pairs, null) = (counts.pairs.into_values(), counts.null.into_values());
        let mut totals = vec![0.0; conditions];
        index.for_each_pair(index.rows(), |id, source, target| {
            let [condition, _] = generated.of_words(source, target);
            totals[condition] += pairs[id] + more;
        });
        let total_null = null.iter().map(|count| count + more).sum();
        let share = |count: f64, total: f64| match pseudo_count {
            None if total > 0.0 => (count / total).max(MIN_PROBABILITY),
            None => MIN_PROBABILITY,
            Some(alpha) => (digamma(count + alpha) - digamma(total)).exp().max(MIN_PROBABILITY),
        };
        index.for_each_pair(index.rows(), |id, source, target| {
            let [condition, _] = generated.of_words(source, target);
            self.pairs[id] = share(pairs[id], totals[condition]);
        });
        for (probability, count) in self.null.iter_mut().zip(null) {
            *probability = share(count, total_null);
        }
    }

    /// Visits all pairs of words: conditioning word, generated word, t.
    pub(super) fn for_each(&self, index: &PairIndex, generated: Generated, mut visit: impl FnMut([usize; 2], f64)) {
        index.for_each_pair(index.rows(), |id, source, target| {
            visit(generated.of_words(source, target), self.pairs[id]);
        });
    }

    /// t(f | empty word) by generated word.
    pub(super) fn null(&self) -> &[f64] {
        &self.null
    }
}

impl TranslationCounts {
    /// Zeros.
    pub(super) fn new(index: &PairIndex, [_, generated]: [usize; 2]) -> Self {
        Self { pairs: SharedCounts::zeros(index.ids() + 1), null: SharedCounts::zeros(generated) }
    }

    /// Adds to a cell, as [`TranslationTable::of_cell`] reads it.
    #[inline(always)]
    pub(super) fn add(&self, position: usize, id: u32, value: f64) {
        let counts = if position == 0 { &self.null } else { &self.pairs };
        counts.add(id as usize, value);
    }
}
