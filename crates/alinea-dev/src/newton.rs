//! Logistic regression by Newton's method.
//!
//! P(right | x) = 1 / (1 + exp(-w · x)). Each step solves H d = g, with the gradient g and the negative Hessian H of the
//! weighted log-likelihood, and takes w + d; the likelihood is concave, so that few steps are needed.

use alinea_text::numeric::sigmoid;
use anyhow::{Result, ensure};

/// A vector of features, what is to be predicted, and how much this counts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Example<const N: usize> {
    pub(crate) features: [f64; N],
    pub(crate) right: bool,
    pub(crate) weight: f64,
}

/// The most steps; ten are plenty where features are not equal to each other.
const STEPS: usize = 50;

/// A step that moves no weight by more than this is the last one.
const SETTLED: f64 = 1e-10;

/// The weights of the highest likelihood.
///
/// # Errors
/// If the features cannot be told from each other, or tell right from wrong without error.
pub(crate) fn logistic_regression<const N: usize>(examples: &[Example<N>]) -> Result<[f64; N]> {
    let mut weights = [0.0; N];
    for _ in 0..STEPS {
        let (gradient, hessian) = derivatives(examples, &weights);
        let step = solve(hessian, gradient)?;
        weights.iter_mut().zip(step).for_each(|(weight, step)| *weight += step);
        if step.iter().all(|step| step.abs() < SETTLED) {
            return Ok(weights);
        }
    }
    anyhow::bail!("no weights after {STEPS} steps: right and wrong can be told without error")
}

fn derivatives<const N: usize>(examples: &[Example<N>], weights: &[f64; N]) -> ([f64; N], [[f64; N]; N]) {
    let mut gradient = [0.0; N];
    let mut hessian = [[0.0; N]; N];
    for Example { features, right, weight } in examples {
        let product: f64 = features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum();
        let p = sigmoid(product);
        let missing = weight * (f64::from(u8::from(*right)) - p);
        for (n, x) in features.iter().enumerate() {
            gradient[n] += missing * x;
            hessian[n].iter_mut().zip(features).for_each(|(sum, y)| *sum += weight * p * (1.0 - p) * x * y);
        }
    }
    (gradient, hessian)
}

/// Gaussian elimination; the matrix is positive definite, so that no rows need be exchanged.
fn solve<const N: usize>(mut matrix: [[f64; N]; N], mut right: [f64; N]) -> Result<[f64; N]> {
    for n in 0..N {
        ensure!(matrix[n][n] > 0.0, "features cannot be told from each other");
        for below in n + 1..N {
            let factor = matrix[below][n] / matrix[n][n];
            let row = matrix[n];
            matrix[below].iter_mut().zip(row).for_each(|(value, above)| *value -= factor * above);
            right[below] -= factor * right[n];
        }
    }
    for n in (0..N).rev() {
        let known: f64 = (n + 1..N).map(|later| matrix[n][later] * right[later]).sum();
        right[n] = (right[n] - known) / matrix[n][n];
    }
    Ok(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn examples(data: &[([f64; 2], bool, f64)]) -> Vec<Example<3>> {
        data.iter().map(|&([x, y], right, weight)| Example { features: [1.0, x, y], right, weight }).collect()
    }

    #[test]
    fn weights_are_those_of_scikit_learn() {
        let data = [
            ([0.5, -1.0], false, 1.0),
            ([1.5, 0.3], true, 2.0),
            ([-0.7, 2.0], true, 1.0),
            ([2.2, 1.1], true, 0.5),
            ([-1.3, -0.4], false, 1.0),
            ([0.1, 0.9], false, 3.0),
            ([1.0, -2.0], true, 1.0),
            ([-0.2, -0.6], false, 1.0),
        ];
        // scikit-learn 1.9.1: LogisticRegression(C=1e14, tol=1e-14, solver="newton-cholesky") with sample_weight.
        let expected = [-1.283_855_31, 2.302_319_25, 0.617_503_73];
        let weights = logistic_regression(&examples(&data)).unwrap();
        assert!(weights.iter().zip(expected).all(|(weight, expected)| (weight - expected).abs() < 1e-7), "{weights:?}");
    }

    #[test]
    fn what_has_no_weights_is_refused() {
        let separable = [([1.0, 0.5], true, 1.0), ([-1.0, 0.2], false, 1.0), ([-2.0, 0.9], false, 1.0)];
        let alike = [([1.0, 1.0], true, 1.0), ([1.0, 1.0], false, 1.0)];
        for data in [&separable[..], &alike] {
            assert!(logistic_regression(&examples(data)).is_err());
        }
    }
}
