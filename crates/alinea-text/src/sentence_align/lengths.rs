//! What the lengths of a group say, beside other evidence.
//!
//! Where sentences are left out, it matters not only how far lengths differ, but how probable they are where nothing is
//! translated: that two long sentences have the same length says more than that two short ones have. With s and t the lengths
//! of both sides, c the ratio and σ² the variance of lengths, N(x; m, v) the density of the normal distribution, and g and h
//! the densities of the length of so many source and so many target sentences of the texts, the log likelihood ratio is
//!
//! ```text
//! ln N(t; s c, σ² (s + t / c) / 2) − ½ ln(g(s) h(t) / c)
//! ```
//!
//! the mean of ln p(t | s) / p(t) and ln p(s | t) / p(s); −25 to 25. g and h are gamma distributions: if one sentence has the
//! mean μ and the variance ν, k have kμ and kν.
//!
//! The ratio and the variance are learned from groups, of the anchors at first and of all that were found then. Among the
//! anchors are sentences that are only a part of what translates them, so the first variance is sometimes too large.

use std::ops::Range;

use super::lattice::ConfidentBead;
use super::{GaleChurchConfig, MOST};
use crate::numeric::ln_gamma;

/// What the expected ratio and the expected variance of lengths are worth, in pairs. Ratios differ as much between languages
/// as they do between the sentences of one text.
const EXPECTED_RATIO: f64 = 2.0;
const EXPECTED_VARIANCE: f64 = 20.0;

/// Lengths say no more than this, for or against.
const MOST_SAID: f64 = 25.0;

/// The lengths of both texts.
#[derive(Debug)]
pub(super) struct Lengths([Side; 2]);

#[derive(Debug)]
struct Side {
    /// The total length of what is before each sentence, and of all.
    before: Vec<u64>,
    /// For stretches of one sentence to four the log of how probable the length of the one before each place is.
    unrelated: [Vec<f64>; MOST],
}

impl Lengths {
    pub(super) fn new<S: AsRef<[u32]>, T: AsRef<[u32]>>(source: &[S], target: &[T]) -> Self {
        Self([Side::new(source), Side::new(target)])
    }

    /// How many sentences both texts have.
    pub(super) fn sentences(&self) -> [usize; 2] {
        self.0.each_ref().map(|side| side.before.len() - 1)
    }

    /// The lengths of both sides of a group.
    pub(super) fn of(&self, source: &Range<usize>, target: &Range<usize>) -> [u64; 2] {
        let [sources, targets] = &self.0;
        [sources.of(source), targets.of(target)]
    }

    /// How lengths go together in groups that probably translate each other: the ratio and the variance, beside which those that
    /// are expected are worth a few pairs of medium length. Groups without a side do not matter.
    pub(super) fn learned(&self, expected: &GaleChurchConfig, groups: &[ConfidentBead]) -> GaleChurchConfig {
        let has_sides = |found: &&ConfidentBead| !found.bead.source.is_empty() && !found.bead.target.is_empty();
        let weighted = |found: &ConfidentBead| {
            let [s, t] = self.of(&found.bead.source, &found.bead.target).map(|length| length as f64);
            (found.confidence, s, t)
        };
        let groups: Vec<(f64, f64, f64)> = groups.iter().filter(has_sides).map(weighted).collect();
        let sum = |of: fn(&(f64, f64, f64)) -> f64| groups.iter().map(of).sum::<f64>();
        let (count, source, target) = (sum(|(w, ..)| *w), sum(|(w, s, _)| w * s), sum(|(w, _, t)| w * t));
        if source == 0.0 {
            return expected.clone();
        }
        let prior = EXPECTED_RATIO * source / count;
        let ratio = (prior * expected.ratio + target) / (prior + source);
        let square = |&(w, s, t): &(f64, f64, f64)| {
            let total = s + t / ratio;
            if total > 0.0 { w * 2.0 * (s * ratio - t).powi(2) / total } else { 0.0 }
        };
        let squares: f64 = groups.iter().map(square).sum();
        let variance = (EXPECTED_VARIANCE * expected.variance + squares) / (EXPECTED_VARIANCE + count);
        expected.clone().with(|c| {
            c.ratio = ratio;
            c.variance = variance;
        })
    }

    /// The log likelihood ratio of a group with both sides, as lengths go together in `learned`. O(1).
    pub(super) fn log_ratio(&self, learned: &GaleChurchConfig, source: &Range<usize>, target: &Range<usize>) -> f64 {
        let [s, t] = self.of(source, target).map(|length| length as f64);
        let variance = learned.variance * (s + t / learned.ratio) / 2.0;
        if variance == 0.0 {
            return 0.0;
        }
        let related =
            -0.5 * ((s * learned.ratio - t).powi(2) / variance + (2.0 * std::f64::consts::PI * variance).ln());
        let [sources, targets] = &self.0;
        let unrelated = sources.unrelated(source) - learned.ratio.ln() + targets.unrelated(target);
        (related - 0.5 * unrelated).clamp(-MOST_SAID, MOST_SAID)
    }
}

impl Side {
    fn new<T: AsRef<[u32]>>(paragraphs: &[T]) -> Self {
        let lengths: Vec<u32> = paragraphs.iter().flat_map(AsRef::as_ref).copied().collect();
        let mut before = vec![0];
        let mut sum = 0;
        for &length in &lengths {
            sum += u64::from(length);
            before.push(sum);
        }
        let count = lengths.len().max(1) as f64;
        let mean = (sum as f64 / count).max(1.0);
        let squares: f64 = lengths.iter().map(|&length| (f64::from(length) - mean).powi(2)).sum();
        // Sentences of one length: as those of a Poisson distribution.
        let variance = (squares / count).max(mean);
        let unrelated = std::array::from_fn(|n| {
            let (sentences, scale) = (n + 1, variance / mean);
            let shape = sentences as f64 * mean / scale;
            let constant = ln_gamma(shape) + shape * scale.ln();
            let density = |place: usize| {
                let length = ((before[place] - before[place.saturating_sub(sentences)]) as f64).max(1.0);
                (shape - 1.0) * length.ln() - length / scale - constant
            };
            (0..before.len()).map(density).collect()
        });
        Self { before, unrelated }
    }

    fn of(&self, sentences: &Range<usize>) -> u64 {
        self.before[sentences.end] - self.before[sentences.start]
    }

    fn unrelated(&self, sentences: &Range<usize>) -> f64 {
        self.unrelated[sentences.len() - 1][sentences.end]
    }
}

#[cfg(test)]
mod tests {
    use super::super::Bead;
    use super::*;

    fn pair(source: usize, target: usize, confidence: f64) -> ConfidentBead {
        let bead = Bead { source: source..source + 1, target: target..target + 1, cost: 0.0, misfit: 0.0 };
        ConfidentBead { bead, confidence }
    }

    /// One by the mean and the variance that sentences of 20 and 60 have, the gamma distribution of the shape 4 and the scale 10
    /// has the density x³ e^(−x/10) / (3! 10⁴); that of two sentences x⁷ e^(−x/10) / (7! 10⁸).
    #[test]
    fn the_ratio_is_that_of_the_formula() {
        let lengths = Lengths::new(&[[20u32, 60]], &[[20u32, 60]]);
        let config = GaleChurchConfig::default().with(|c| c.variance = 5.0);
        let one = |x: f64| x.powi(3) * (-x / 10.0).exp() / 6.0e4;
        let two = |x: f64| x.powi(7) * (-x / 10.0).exp() / 5.04e11;
        let normal = |s: f64, t: f64| {
            let variance = 5.0 * (s + t) / 2.0;
            (-(s - t).powi(2) / (2.0 * variance)).exp() / (2.0 * std::f64::consts::PI * variance).sqrt()
        };
        let expected = (normal(20.0, 20.0) / one(20.0)).ln();
        assert!((lengths.log_ratio(&config, &(0..1), &(0..1)) - expected).abs() < 1e-9);
        let expected = (normal(80.0, 60.0) / (two(80.0) * one(60.0)).sqrt()).ln();
        assert!((lengths.log_ratio(&config, &(0..2), &(1..2)) - expected).abs() < 1e-9);
        // Long sentences of the same length are less of a coincidence, and no lengths say more than 25.
        let [short, long] = [0..1, 1..2].map(|range| lengths.log_ratio(&config, &range, &range));
        assert!(short < long, "{short} {long}");
        let far = Lengths::new(&[[20u32, 600]], &[[20u32, 600]]);
        assert!((far.log_ratio(&config, &(0..1), &(1..2)) + 25.0).abs() < 1e-9);
    }

    /// Twice as long in 1,000 pairs, half of which are 10 longer and half shorter; the expected ratio is worth 2 pairs, the
    /// variance 20.
    #[test]
    fn ratio_and_variance_are_learned() {
        let source = [100u32; 1000];
        let target: Vec<u32> = (0..1000).map(|n| if n % 2 == 0 { 190 } else { 210 }).collect();
        let lengths = Lengths::new(&[source], &[target]);
        let pairs: Vec<ConfidentBead> = (0..1000).map(|n| pair(n, n, 0.5)).collect();
        let learned = lengths.learned(&GaleChurchConfig::default(), &pairs);
        // 500 count: the ratio is (2 + 1000) / 502, and the squares are 2 · (10 ± (200 − 100 · ratio))² / total.
        let ratio = 1002.0 / 502.0;
        let square = |t: f64| 2.0 * (100.0 * ratio - t).powi(2) / (100.0 + t / ratio);
        let variance = (20.0 * 6.8 + 250.0 * (square(190.0) + square(210.0))) / 520.0;
        assert!((learned.ratio - ratio).abs() < 1e-9 && (learned.variance - variance).abs() < 1e-9, "{learned:?}");
        let nothing = lengths.learned(&GaleChurchConfig::default(), &[]);
        assert_eq!(nothing, GaleChurchConfig::default());
    }

    #[test]
    fn empty_sentences_say_nothing_and_nothing_overflows() {
        let most = u32::MAX;
        let lengths = Lengths::new(&[[0, most, most, most, most]], &[[0, 0, 0, 1, most]]);
        let config = GaleChurchConfig::default();
        assert!(lengths.log_ratio(&config, &(0..1), &(0..1)).abs() < 1e-12);
        for (source, target) in [(0..1, 4..5), (1..5, 3..4), (1..5, 4..5), (1..2, 0..3)] {
            assert!(lengths.log_ratio(&config, &source, &target).is_finite());
        }
        assert!(Lengths::new(&[[0u32; 3]], &[[7u32; 3]]).log_ratio(&config, &(0..1), &(0..1)).is_finite());
    }
}
