//! By how much one way to order sentences is better than another, and how far chance may have brought that about.
//!
//! Both order the same n sentences. The difference d of a score is that of all sentences together, and its standard error is that
//! of the jackknife (Efron and Stein 1981, *The Jackknife Estimate of Variance*, equation 1.6), which leaves out one sentence after
//! another and serves BLEU, which is pooled, as it serves means: with d(i) the difference without sentence i, the error is the
//! root of (n - 1) / n Σ (d(i) - mean of all d(i))². Of means it is the usual one, the deviation over √n.

use crate::reorder::scores::{Score, SentenceCounts};

/// What a difference may lack to its standard error by rounding: a single sentence that differs makes the two the same.
const ROUNDING: f64 = 1e-9;

/// The difference of a score between two ways, from -1 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Gain {
    /// Positive if the second is better.
    difference: f64,
    /// Its standard error; 0 of a single sentence, which says nothing of it.
    error: f64,
}

impl Gain {
    /// That of the second, sentence by sentence beside the first. O(n).
    pub(super) fn new(first: &[SentenceCounts], second: &[SentenceCounts], score: Score) -> Self {
        let sums: [SentenceCounts; 2] = [first.iter().sum(), second.iter().sum()];
        let difference = |[first, second]: [SentenceCounts; 2]| {
            second.score(score).unwrap_or_default() - first.score(score).unwrap_or_default()
        };
        let without = |(first, second)| difference([sums[0] - first, sums[1] - second]);
        let differences: Vec<f64> = first.iter().zip(second).map(without).collect();
        let count = differences.len().max(1) as f64;
        let mean = differences.iter().sum::<f64>() / count;
        let squares: f64 = differences.iter().map(|difference| (difference - mean).powi(2)).sum();
        Self { difference: difference(sums), error: ((count - 1.0) / count * squares).sqrt() }
    }

    /// Whether the difference is at least so many standard errors.
    pub(super) fn is_at_least(self, errors: f64) -> bool {
        self.difference >= errors * self.error - ROUNDING
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permutation::Permutation;
    use crate::reorder::ranks::Ranks;
    use crate::reorder::scores::{Case, Judge};

    const RIGHT: [u32; 5] = [0, 1, 2, 3, 4];
    /// One of ten pairs is wrong, and so on.
    const ONE: [u32; 5] = [1, 0, 2, 3, 4];
    const THREE: [u32; 5] = [2, 1, 0, 3, 4];

    /// The same sentence in one order after another.
    fn counts(orders: &[[u32; 5]]) -> Vec<SentenceCounts> {
        let judge = Judge::new().unwrap();
        let mut counter = judge.counter();
        let ranks = Ranks::of_order(&Permutation::identity(5));
        let mut count = |candidate: &[u32; 5]| {
            let case = Case { words: &["a", "b", "c", "d", "e"], gold: &RIGHT, candidate, ranks: Some(&ranks) };
            counter.count(&case).unwrap()
        };
        orders.iter().map(&mut count).collect()
    }

    #[test]
    fn errors_of_means_are_deviations_over_the_root() {
        // Differences 0.1, 0, -0.1 and 0.3: the mean is 0.075, and the variance 0.0875 / 3.
        let gain = Gain::new(&counts(&[ONE, ONE, RIGHT, THREE]), &counts(&[RIGHT, ONE, ONE, RIGHT]), Score::Tau);
        assert!((gain.difference - 0.075).abs() < 1e-9, "{gain:?}");
        assert!((gain.error - (0.0875_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-9, "{gain:?}");
        assert!(gain.is_at_least(0.8) && !gain.is_at_least(0.9));
    }

    /// The differences are counted anew without each sentence.
    #[test]
    fn errors_of_pooled_scores_leave_out_sentences() {
        let orders = [[ONE, THREE, RIGHT, RIGHT], [RIGHT, ONE, RIGHT, ONE]];
        let difference = |left_out: Option<usize>| {
            let [first, second] = orders.map(|mut orders| {
                let last = left_out.map_or(4, |number| {
                    orders.swap(number, 3);
                    3
                });
                counts(&orders[..last]).iter().sum::<SentenceCounts>().score(Score::Bleu).unwrap()
            });
            second - first
        };
        let without: Vec<f64> = (0..4).map(|number| difference(Some(number))).collect();
        let mean = without.iter().sum::<f64>() / 4.0;
        let error = (0.75 * without.iter().map(|value| (value - mean).powi(2)).sum::<f64>()).sqrt();
        let gain = Gain::new(&counts(&orders[0]), &counts(&orders[1]), Score::Bleu);
        assert!((gain.difference - difference(None)).abs() < 1e-12 && (gain.error - error).abs() < 1e-12, "{gain:?}");
        assert!(error > 0.01);
    }

    #[test]
    fn chance_is_no_gain() {
        let gains = |first: &[[u32; 5]], second: &[[u32; 5]]| {
            Gain::new(&counts(first), &counts(second), Score::BorderedFuzzy).is_at_least(1.0)
        };
        assert!(gains(&[ONE; 3], &[ONE; 3]) && gains(&[ONE; 3], &[RIGHT; 3]) && !gains(&[RIGHT; 3], &[ONE; 3]));
        // A single sentence is better, and no other is worse; one is worse.
        assert!(gains(&[ONE; 4], &[ONE, RIGHT, ONE, ONE]));
        assert!(!gains(&[ONE, ONE, RIGHT, ONE], &[RIGHT, ONE, ONE, ONE]));
        assert!(Gain::new(&[], &[], Score::Bleu).is_at_least(1.0));
    }
}
