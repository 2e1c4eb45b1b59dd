//! What scores say: Fisher's linear discriminant, the logarithm of a likelihood ratio.
//!
//! A group has a score x_f for each kind of evidence f. Scores of sentences that translate each other have the means
//! μ_f, those of unrelated ones ν_f, and both vary with the covariance Σ. If they are normally distributed,
//!
//! ```text
//! ln p(x | related) / p(x | unrelated) = Σ_f a_f (x_f − (μ_f + ν_f) / 2)    where    a = Σ⁻¹ (μ − ν)
//! ```
//!
//! Means and covariance are learned from pairs that probably translate each other and from pairs some sentences off them,
//! which are what a wrong path would take; both count the same. The scales that the evidence expects are a prior that is worth
//! 20 pairs of each. Evidence that is no higher for the related is not used. A score that says nothing (NaN) adds nothing.
//!
//! Source: Fisher 1936, *The use of multiple measurements in taxonomic problems*, Annals of Eugenics 7.

use super::Scale;

/// What the expected scales are worth, in pairs.
const PRIOR: f64 = 20.0;

/// No score says more than this, for or against: about 1 to 10^11.
const MOST_SAID: f64 = 25.0;

/// The scores of a pair, one for each kind of evidence, and how much it counts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sample {
    pub(super) weight: f64,
    pub(super) scores: Vec<f64>,
}

/// A linear function of scores.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Discriminant {
    /// Where each score speaks neither for nor against, and its factor.
    terms: Vec<(f64, f64)>,
}

impl Discriminant {
    /// Learns it.
    pub(super) fn learn(scales: &[Scale], related: &[Sample], unrelated: &[Sample]) -> Self {
        let expected = |of: fn(&Scale) -> f64| scales.iter().map(of).collect::<Vec<f64>>();
        let (related_mean, related_covariance) = moments(&expected(|scale| scale.related), scales, related);
        let (unrelated_mean, unrelated_covariance) = moments(&expected(|scale| scale.unrelated), scales, unrelated);
        let used: Vec<usize> = (0..scales.len()).filter(|&f| related_mean[f] > unrelated_mean[f]).collect();
        let covariance = |f: usize, g: usize| {
            let place = f * scales.len() + g;
            0.5 * (related_covariance[place] + unrelated_covariance[place])
        };
        let matrix: Vec<Vec<f64>> = used.iter().map(|&f| used.iter().map(|&g| covariance(f, g)).collect()).collect();
        let difference: Vec<f64> = used.iter().map(|&f| related_mean[f] - unrelated_mean[f]).collect();
        let factors = solved(matrix, difference);
        let mut terms: Vec<(f64, f64)> =
            related_mean.iter().zip(&unrelated_mean).map(|(a, b)| (f64::midpoint(*a, *b), 0.0)).collect();
        for (&f, factor) in used.iter().zip(factors) {
            terms[f].1 = factor;
        }
        Self { terms }
    }

    /// The log of how much more probable such scores are where sentences translate each other; −25 to 25.
    pub(super) fn log_ratio(&self, scores: &[f32]) -> f64 {
        let said = |(score, &(middle, factor)): (&f32, &(f64, f64))| {
            if score.is_nan() { 0.0 } else { factor * (f64::from(*score) - middle) }
        };
        let sum: f64 = scores.iter().zip(&self.terms).map(said).sum();
        sum.clamp(-MOST_SAID, MOST_SAID)
    }
}

/// Mean and covariance (row by row), with what is expected as a prior. A score that says nothing is as expected.
fn moments(expected: &[f64], scales: &[Scale], samples: &[Sample]) -> (Vec<f64>, Vec<f64>) {
    let kinds = expected.len();
    let total = PRIOR + samples.iter().map(|sample| sample.weight).sum::<f64>();
    let score = |sample: &Sample, f: usize| if sample.scores[f].is_nan() { expected[f] } else { sample.scores[f] };
    let mean: Vec<f64> = (0..kinds)
        .map(|f| {
            let sum: f64 = samples.iter().map(|sample| sample.weight * score(sample, f)).sum();
            (PRIOR * expected[f] + sum) / total
        })
        .collect();
    let mut covariance = vec![0.0; kinds * kinds];
    for (f, scale) in scales.iter().enumerate() {
        for g in 0..kinds {
            let off = |sample: &Sample, f: usize| score(sample, f) - mean[f];
            let sum: f64 = samples.iter().map(|sample| sample.weight * off(sample, f) * off(sample, g)).sum();
            let own = if f == g { PRIOR * scale.deviation * scale.deviation } else { 0.0 };
            let prior = own + PRIOR * (expected[f] - mean[f]) * (expected[g] - mean[g]);
            covariance[f * kinds + g] = (prior + sum) / total;
        }
    }
    (mean, covariance)
}

/// The solution of a system of equations with a symmetric positive definite matrix, by elimination.
fn solved(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for n in 0..size {
        for row in n + 1..size {
            let factor = matrix[row][n] / matrix[n][n];
            let (above, below) = matrix.split_at_mut(row);
            for (value, upper) in below[0].iter_mut().zip(&above[n]).skip(n) {
                *value -= factor * upper;
            }
            right[row] -= factor * right[n];
        }
    }
    for n in (0..size).rev() {
        let known: f64 = (n + 1..size).map(|m| matrix[n][m] * right[m]).sum();
        right[n] = (right[n] - known) / matrix[n][n];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCALE: Scale = Scale { unrelated: 0.0, related: 1.0, deviation: 0.5 };

    fn sample(scores: &[f64]) -> Sample {
        Sample { weight: 1.0, scores: scores.to_vec() }
    }

    /// ln N(x; 1, ½) / N(x; 0, ½) = 4 (x − ½).
    #[test]
    fn without_samples_the_scale_decides() {
        let discriminant = Discriminant::learn(&[SCALE], &[], &[]);
        for (score, expected) in [(0.5, 0.0), (1.0, 2.0), (0.0, -2.0), (100.0, 25.0), (-100.0, -25.0)] {
            assert!((discriminant.log_ratio(&[score]) - expected).abs() < 1e-9, "{score}");
        }
        assert!(discriminant.log_ratio(&[f32::NAN]).abs() < 1e-12);
    }

    /// Scores of 2 ± 1 and −2 ± 1: ln N(x; 2, 1) / N(x; −2, 1) = 4 x. The prior is worth little among 20,000.
    #[test]
    fn means_and_deviations_are_learned() {
        let around = |mean: f64| -> Vec<Sample> {
            (0..10_000).map(|n| sample(&[mean + f64::from(n % 2) * 2.0 - 1.0])).collect()
        };
        let discriminant = Discriminant::learn(&[SCALE], &around(2.0), &around(-2.0));
        for score in [-2.0f32, 0.0, 1.0] {
            assert!((discriminant.log_ratio(&[score]) - 4.0 * f64::from(score)).abs() < 0.1, "{score}");
        }
    }

    /// Two scores that always agree say what one does.
    #[test]
    fn what_is_said_twice_counts_once() {
        let values = |mean: f64| (0..4000).map(move |n| mean + f64::from(n % 40) / 20.0 - 0.975);
        let once = |mean: f64| values(mean).map(|x| sample(&[x])).collect::<Vec<_>>();
        let twice = |mean: f64| values(mean).map(|x| sample(&[x, x])).collect::<Vec<_>>();
        let one = Discriminant::learn(&[SCALE], &once(1.0), &once(0.0));
        let both = Discriminant::learn(&[SCALE, SCALE], &twice(1.0), &twice(0.0));
        for score in [0.0f32, 0.3, 1.0] {
            let difference = one.log_ratio(&[score]) - both.log_ratio(&[score, score]);
            assert!(difference.abs() < 0.1, "{score}: {difference}");
        }
    }

    #[test]
    fn what_contradicts_itself_is_not_used() {
        let of = |score: f64| vec![sample(&[score]); 1000];
        let discriminant = Discriminant::learn(&[SCALE], &of(0.0), &of(1.0));
        assert!(discriminant.log_ratio(&[5.0]).abs() < 1e-12);
    }
}
