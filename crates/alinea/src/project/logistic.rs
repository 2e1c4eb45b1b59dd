//! Logistic regression over features that are there or not.
//!
//! Minimizes `Σ log(1 + exp(-yₙ xₙ)) + λ/2 Σ w²`, where `yₙ` is 1 or -1 and `xₙ` the sum of the bias and the weights of
//! example n's features; the bias is not penalized. Newton steps, one weight at a time, each no longer than a bound that
//! grows and shrinks with the steps taken (Genkin, Lewis and Madigan 2007, *Large-scale Bayesian logistic regression for text
//! categorization*, section 4, with a Gaussian prior). Deterministic; O(features of all examples) a pass.

/// Examples: for each its features, and whether it is positive.
#[derive(Debug, Default)]
pub(super) struct Examples {
    features: Vec<u32>,
    ends: Vec<usize>,
    positive: Vec<bool>,
}

impl Examples {
    /// Adds an example; each feature once.
    pub(super) fn push(&mut self, features: &[u32], positive: bool) {
        self.features.extend_from_slice(features);
        self.ends.push(self.features.len());
        self.positive.push(positive);
    }

    /// All examples.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[u32], bool)> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts
            .zip(&self.ends)
            .zip(&self.positive)
            .map(|((start, &end), &positive)| (&self.features[start..end], positive))
    }

    /// The number of examples.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }
}

/// The bias and a weight for each feature.
#[derive(Debug, Clone)]
pub(super) struct Weights {
    pub(super) bias: f64,
    pub(super) weights: Vec<f64>,
}

/// Passes, at most.
const PASSES: usize = 200;

/// Passes end when no weight changed by more.
const TOLERANCE: f64 = 1e-4;

/// Fits weights of `features` features with penalty `lambda`, above 0.
pub(super) fn fit(examples: &Examples, features: usize, lambda: f64) -> Weights {
    // Column 0 is the bias.
    let mut columns: Vec<Vec<u32>> = vec![Vec::new(); features + 1];
    for (example, (present, _)) in (0..).zip(examples.iter()) {
        columns[0].push(example);
        for &feature in present {
            columns[feature as usize + 1].push(example);
        }
    }
    let mut weights = vec![0.0; features + 1];
    let mut bounds = vec![1.0; features + 1];
    // y x of each example.
    let mut margins = vec![0.0; examples.len()];
    for _ in 0..PASSES {
        let mut largest = 0.0f64;
        for (column, rows) in columns.iter().enumerate() {
            let penalty = if column == 0 { 0.0 } else { lambda };
            let step = newton(rows, examples, &margins, weights[column], penalty, bounds[column]);
            bounds[column] = (2.0 * step.abs()).max(bounds[column] / 2.0);
            weights[column] += step;
            for &row in rows {
                margins[row as usize] += if examples.positive[row as usize] { step } else { -step };
            }
            largest = largest.max(step.abs());
        }
        if largest < TOLERANCE {
            break;
        }
    }
    Weights { bias: weights.remove(0), weights }
}

/// The step for one weight: that of Newton, within the bound.
fn newton(rows: &[u32], examples: &Examples, margins: &[f64], weight: f64, lambda: f64, bound: f64) -> f64 {
    let (mut slope, mut curvature) = (-lambda * weight, lambda);
    for &row in rows {
        let wrong = 1.0 / (1.0 + margins[row as usize].exp());
        slope += if examples.positive[row as usize] { wrong } else { -wrong };
        curvature += wrong * (1.0 - wrong);
    }
    if curvature <= 0.0 { 0.0 } else { (slope / curvature).clamp(-bound, bound) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One feature, present in all: the bias alone decides, log(3/1), and no penalty pulls the feature from 0 but its own.
    #[test]
    fn the_bias_is_the_logarithm_of_the_odds() {
        let mut examples = Examples::default();
        for positive in [true, true, true, false] {
            examples.push(&[], positive);
        }
        let fitted = fit(&examples, 0, 1.0);
        assert!((fitted.bias - 3f64.ln()).abs() < 1e-3);
    }

    /// At the minimum the gradient is zero: checked from the definition.
    #[test]
    fn the_gradient_vanishes() {
        let mut examples = Examples::default();
        let rows: [(&[u32], bool); 7] = [
            (&[0], true),
            (&[0, 1], true),
            (&[1], false),
            (&[], false),
            (&[0, 2], false),
            (&[2], true),
            (&[1, 2], true),
        ];
        for (features, positive) in rows {
            examples.push(features, positive);
        }
        let lambda = 0.3;
        let Weights { bias, weights } = fit(&examples, 3, lambda);
        let mut gradient = [0.0, lambda * weights[0], lambda * weights[1], lambda * weights[2]];
        for (features, positive) in rows {
            let x = bias + features.iter().map(|&feature| weights[feature as usize]).sum::<f64>();
            let error = 1.0 / (1.0 + (-x).exp()) - f64::from(u8::from(positive));
            gradient[0] += error;
            for &feature in features {
                gradient[feature as usize + 1] += error;
            }
        }
        assert!(gradient.iter().all(|g| g.abs() < 1e-3), "{gradient:?}");
    }
}
