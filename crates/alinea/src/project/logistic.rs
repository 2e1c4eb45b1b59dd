//! Logistic regression over features that are there or not.
//!
//! Minimizes `Σ vₙ log(1 + exp(-yₙ xₙ)) + λ/2 Σ w²`, where `vₙ` says how much example n counts, `yₙ` is 1 or -1, and `xₙ` the sum of the bias and the weights of
//! example n's features; the bias is not penalized. Newton steps, one weight at a time, each no longer than a bound that
//! grows and shrinks with the steps taken (Genkin, Lewis and Madigan 2007, *Large-scale Bayesian logistic regression for text
//! categorization*, section 4, with a Gaussian prior). Deterministic; O(features of all examples) a pass.

/// Examples: for each its features, and whether it is positive.
#[derive(Debug, Default)]
pub(super) struct Examples {
    features: Vec<u32>,
    ends: Vec<usize>,
    positive: Vec<bool>,
    weights: Vec<f64>,
}

impl Examples {
    /// Adds an example, which counts so much; each feature once.
    pub(super) fn push(&mut self, features: &[u32], positive: bool, weight: f64) {
        self.weights.push(weight);
        self.features.extend_from_slice(features);
        self.ends.push(self.features.len());
        self.positive.push(positive);
    }

    /// All examples.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[u32], bool, f64)> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let judged = self.positive.iter().copied().zip(self.weights.iter().copied());
        let ranges = starts.zip(self.ends.iter().copied());
        ranges.zip(judged).map(|((start, end), (positive, weight))| (&self.features[start..end], positive, weight))
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
    for (example, (present, ..)) in (0..).zip(examples.iter()) {
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
        let weight = examples.weights[row as usize];
        slope += if examples.positive[row as usize] { weight * wrong } else { -weight * wrong };
        curvature += weight * wrong * (1.0 - wrong);
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
            examples.push(&[], positive, 2.0);
        }
        let fitted = fit(&examples, 0, 1.0);
        assert!((fitted.bias - 3f64.ln()).abs() < 1e-3);
    }

    /// At the minimum the gradient is zero: checked from the definition.
    #[test]
    fn the_gradient_vanishes() {
        let mut examples = Examples::default();
        let rows: [(&[u32], bool, f64); 7] = [
            (&[0], true, 1.0),
            (&[0, 1], true, 0.5),
            (&[1], false, 1.0),
            (&[], false, 0.25),
            (&[0, 2], false, 1.0),
            (&[2], true, 2.0),
            (&[1, 2], true, 1.0),
        ];
        for (features, positive, weight) in rows {
            examples.push(features, positive, weight);
        }
        let lambda = 0.3;
        let Weights { bias, weights } = fit(&examples, 3, lambda);
        let mut gradient = [0.0, lambda * weights[0], lambda * weights[1], lambda * weights[2]];
        for (features, positive, weight) in rows {
            let x = bias + features.iter().map(|&feature| weights[feature as usize]).sum::<f64>();
            let error = weight * (1.0 / (1.0 + (-x).exp()) - f64::from(u8::from(positive)));
            gradient[0] += error;
            for &feature in features {
                gradient[feature as usize + 1] += error;
            }
        }
        assert!(gradient.iter().all(|g| g.abs() < 1e-3), "{gradient:?}");
    }
}
