//! Fertilities n(φ | e) and the probability p1 of inserting words of the empty word (Brown et al. 1993, section 4.4).
//!
//! A word generates φ = 0..9 words. The M step draws the fertilities of each word to the mean n̄ of all words, by s
//! pseudo-counts. Each of the J - φ0 words that others generate brings along a word of the empty word with probability
//! p1:
//!
//! ```text
//! n(φ | e)  = (c(φ | e) + s n̄(φ)) / (sum over φ' of c(φ' | e) + s)
//! P(φ0 | J) = C(J - φ0, φ0) p1^φ0 p0^(J - 2 φ0) ,    p0 = 1 - p1 ,    p1 = c(φ0) / (c(φ0) + c(J - 2 φ0))
//! ```
//!
//! p1 may also be fixed. What is impossible, φ > 9 or 2 φ0 > J, has -1000 times the excess as its logarithm instead of
//! minus infinity, so that a search that starts there finds its way out.

use super::MIN_PROBABILITY;
use super::shared_counts::SharedCounts;

/// The most words that one word generates.
pub(super) const MOST: usize = 9;

/// One number for each number of generated words.
type Row = [f64; MOST + 1];

/// What is thought of any word before training.
const INITIAL: Row = {
    let rest = 0.01 / 6.0;
    [0.2, 0.65, 0.1, 0.04, rest, rest, rest, rest, rest, rest]
};

/// n(φ | e) by conditioning word.
#[derive(Debug, Clone)]
pub(super) struct FertilityTable(Vec<Row>);

/// Expected counts for it.
#[derive(Debug)]
pub(super) struct FertilityCounts(SharedCounts);

impl FertilityTable {
    /// The same for all words.
    pub(super) fn initial(words: usize) -> Self {
        Self(vec![INITIAL; words])
    }

    /// n(· | e).
    pub(super) fn of(&self, word: u32) -> &Row {
        &self.0[word as usize]
    }

    /// Relative frequencies, drawn to the mean of all words as if that had been counted so many times more; none below
    /// [`MIN_PROBABILITY`]. Words without counts have the mean.
    pub(super) fn maximize(&mut self, counts: FertilityCounts, strength: f64) {
        let counts = counts.0.into_values();
        let mut mean = [0.0; MOST + 1];
        for row in counts.chunks_exact(MOST + 1) {
            mean.iter_mut().zip(row).for_each(|(sum, count)| *sum += count);
        }
        let all: f64 = mean.iter().sum();
        if all <= 0.0 {
            return;
        }
        for sum in &mut mean {
            *sum /= all;
        }
        for (row, counts) in self.0.iter_mut().zip(counts.chunks_exact(MOST + 1)) {
            let total: f64 = counts.iter().sum();
            let strength = if total > 0.0 { strength } else { 1.0 };
            for ((probability, count), mean) in row.iter_mut().zip(counts).zip(mean) {
                *probability = ((count + strength * mean) / (total + strength)).max(MIN_PROBABILITY);
            }
        }
    }

    /// Visits all rows: word, n(· | e).
    #[cfg(test)]
    pub(super) fn for_each(&self, mut visit: impl FnMut(usize, &[f64])) {
        self.0.iter().enumerate().for_each(|(word, row)| visit(word, row));
    }
}

impl FertilityCounts {
    /// Zeros.
    pub(super) fn new(words: usize) -> Self {
        Self(SharedCounts::zeros(words * (MOST + 1)))
    }

    /// Adds to the count of a word's generating so many.
    pub(super) fn add(&self, word: u32, fertility: usize, value: f64) {
        let place = word as usize * (MOST + 1) + fertility;
        if fertility <= MOST && place < self.0.len() {
            self.0.add(place, value);
        }
    }
}

/// p1: each word that some other generated brings one of the empty word along with this probability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct NullInsertion {
    pub(super) probability: f64,
    /// Whether it stays as it is.
    pub(super) fixed: bool,
}

/// How often words were followed by one of the empty word, and how often not.
#[derive(Debug)]
pub(super) struct NullCounts(SharedCounts);

impl NullInsertion {
    /// ln C(J - φ0, φ0) p1^φ0 p0^(J - 2 φ0) for every φ0 from 0 to J (Brown et al. 1993, section 4.4); what is not possible
    /// gets a very low number, the lower the worse, so that a search finds its way out.
    pub(super) fn logarithms(self, words: usize, into: &mut Vec<f64>) {
        let (ln_1, ln_0) = (self.probability.ln(), (1.0 - self.probability).ln());
        let mut choices = 0.0;
        into.clear();
        for null in 0..=words {
            if 2 * null > words {
                into.push(IMPOSSIBLE * (2 * null - words) as f64);
                continue;
            }
            if null > 0 {
                // C(n - k, k) from C(n - k + 1, k - 1).
                let (n, k) = (words as f64, null as f64);
                choices += ((n - 2.0 * k + 2.0) * (n - 2.0 * k + 1.0) / (k * (n - k + 1.0))).ln();
            }
            into.push(choices + null as f64 * ln_1 + (words - 2 * null) as f64 * ln_0);
        }
    }

    /// Relative frequency, from 1e-4 to 0.9999, if it is not fixed.
    pub(super) fn maximize(&mut self, counts: NullCounts) {
        let counts = counts.0.into_values();
        let (inserted, not) = (counts[0], counts[1]);
        if !self.fixed && inserted + not > 0.0 {
            self.probability = (inserted / (inserted + not)).clamp(1e-4, 0.9999);
        }
    }
}

/// A logarithm that says no.
pub(super) const IMPOSSIBLE: f64 = -1000.0;

impl NullCounts {
    /// Zeros.
    pub(super) fn new() -> Self {
        Self(SharedCounts::zeros(2))
    }

    /// Counts J words of which φ0 are the empty word's.
    pub(super) fn add(&self, words: usize, null: usize, value: f64) {
        self.0.add(0, null as f64 * value);
        self.0.add(1, words.saturating_sub(2 * null) as f64 * value);
    }
}

/// ln n(φ | e), and what is beyond the table: the lower the worse.
pub(super) fn logarithm(row: &[f64], fertility: usize) -> f64 {
    match row.get(fertility) {
        Some(probability) => probability.ln(),
        None => IMPOSSIBLE * (fertility - MOST) as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn insertions_are_binomial() {
        let null = NullInsertion { probability: 0.3, fixed: true };
        let mut logarithms = Vec::new();
        for (words, choices) in [(1, vec![1.0]), (4, vec![1.0, 3.0, 1.0]), (7, vec![1.0, 6.0, 10.0, 4.0])] {
            null.logarithms(words, &mut logarithms);
            assert_eq!(logarithms.len(), words + 1);
            for (k, choices) in choices.into_iter().enumerate() {
                let expected: f64 = choices * 0.3f64.powi(k as i32) * 0.7f64.powi((words - 2 * k) as i32);
                assert!((logarithms[k].exp() - expected).abs() < 1e-12, "{words} {k}");
            }
            assert!(logarithms[words / 2 + 1..].iter().all(|&logarithm| logarithm <= IMPOSSIBLE));
        }
    }

    #[test]
    fn fertilities_are_frequencies() {
        let mut table = FertilityTable::initial(3);
        let counts = FertilityCounts::new(3);
        counts.add(0, 1, 3.0);
        counts.add(0, 2, 1.0);
        counts.add(1, 0, 4.0);
        counts.add(1, 70, 4.0);
        table.maximize(counts, 0.0);
        assert_eq!(table.of(0)[..3], [MIN_PROBABILITY, 0.75, 0.25]);
        assert_eq!(table.of(1)[..2], [1.0, MIN_PROBABILITY]);
        assert_eq!(table.of(2)[..3], [0.5, 0.375, 0.125]);
    }
}
