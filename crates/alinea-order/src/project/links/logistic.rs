//! Logistic regression over features that are there or not.
//!
//! Minimizes `Σ vₙ log(1 + exp(-yₙ xₙ)) + λ/2 Σ w²`, where `vₙ` says how much example n counts, `yₙ` is 1 or -1, and `xₙ`
//! the sum of the bias and the weights of example n's features; the bias is not penalized. Newton's method: the equations
//! of each step are solved by conjugate gradients, no better than the step is worth, and a step is halved until it goes
//! down far enough (Nocedal and Wright 2006, *Numerical Optimization*, algorithms 5.3 and 7.1). Deterministic; a step takes
//! some tens of passes over the features of all examples, and ten steps or so are enough.

use crate::numeric::sigmoid;

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
    pub(super) fn push(&mut self, features: impl IntoIterator<Item = u32>, positive: bool, weight: f64) {
        self.weights.push(weight);
        self.features.extend(features);
        self.ends.push(self.features.len());
        self.positive.push(positive);
    }

    /// The features of each example.
    fn rows(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(self.ends.iter().copied()).map(|(start, end)| &self.features[start..end])
    }

    /// For each example the sum of the bias, which comes last in `weights`, and of its features' weights.
    fn sums(&self, weights: &[f64], sums: &mut Vec<f64>) {
        let bias = weights.last().copied().unwrap_or_default();
        sums.clear();
        sums.extend(self.rows().map(|row| bias + row.iter().map(|&feature| weights[feature as usize]).sum::<f64>()));
    }

    /// For each feature, and last for the bias, the sum of what its examples have.
    fn gather(&self, values: &[f64], gathered: &mut [f64]) {
        gathered.fill(0.0);
        let mut total = 0.0;
        for (row, &value) in self.rows().zip(values) {
            total += value;
            for &feature in row {
                gathered[feature as usize] += value;
            }
        }
        if let Some(last) = gathered.last_mut() {
            *last = total;
        }
    }
}

/// The bias and a weight for each feature.
#[derive(Debug, Clone)]
pub(super) struct Weights {
    pub(super) bias: f64,
    pub(super) weights: Vec<f64>,
}

/// Newton steps, at most.
const STEPS: usize = 100;

/// Steps end when the gradient is this much shorter than at the beginning.
const TOLERANCE: f64 = 1e-4;

/// Passes of conjugate gradients in a step, at most.
const PASSES: usize = 250;

/// Of the descent that the gradient promises, so much must be there.
const ARMIJO: f64 = 1e-4;

/// Halvings of a step, at most: after those there is no better point that numbers could tell.
const HALVINGS: usize = 40;

/// Fits weights of `features` features with penalty `lambda`, above 0.
pub(super) fn fit(examples: &Examples, features: usize, lambda: f64) -> Weights {
    let mut state = State::new(examples, features, lambda);
    let mut first = None;
    for _ in 0..STEPS {
        let (gradient, curvatures) = state.derivatives();
        let length = norm(&gradient);
        if length <= TOLERANCE * *first.get_or_insert(length) {
            break;
        }
        let step = state.newton_step(&gradient, &curvatures);
        if !state.go(&step, dot(&gradient, &step)) {
            break;
        }
    }
    let bias = state.weights.pop().unwrap_or_default();
    Weights { bias, weights: state.weights }
}

/// Where the search is.
struct State<'e> {
    examples: &'e Examples,
    lambda: f64,
    /// The weights, and last the bias.
    weights: Vec<f64>,
    /// The sum of each example.
    sums: Vec<f64>,
}

impl<'e> State<'e> {
    fn new(examples: &'e Examples, features: usize, lambda: f64) -> Self {
        Self { examples, lambda, weights: vec![0.0; features + 1], sums: vec![0.0; examples.ends.len()] }
    }

    /// What the penalty adds to the second derivative of a weight.
    fn penalty(&self, weight: usize) -> f64 {
        if weight + 1 == self.weights.len() { 0.0 } else { self.lambda }
    }

    /// The gradient, and for each example its part of the second derivatives.
    fn derivatives(&self) -> (Vec<f64>, Vec<f64>) {
        let judged = self.examples.positive.iter().zip(&self.examples.weights);
        let (errors, curvatures): (Vec<f64>, Vec<f64>) = judged
            .zip(&self.sums)
            .map(|((&positive, &weight), &sum)| {
                let probability = sigmoid(sum);
                let error = probability - f64::from(u8::from(positive));
                (weight * error, weight * probability * (1.0 - probability))
            })
            .unzip();
        let mut gradient = vec![0.0; self.weights.len()];
        self.examples.gather(&errors, &mut gradient);
        for (number, slope) in gradient.iter_mut().enumerate() {
            *slope += self.penalty(number) * self.weights[number];
        }
        (gradient, curvatures)
    }

    /// What is minimized.
    fn loss(&self, weights: &[f64], sums: &[f64]) -> f64 {
        let judged = self.examples.positive.iter().zip(&self.examples.weights);
        let losses = judged.zip(sums).map(|((&positive, &weight), &sum)| {
            let margin = if positive { sum } else { -sum };
            // Both are right; the second does not overflow.
            weight * if margin > 0.0 { (-margin).exp().ln_1p() } else { margin.exp().ln_1p() - margin }
        });
        let squares: f64 = weights.iter().enumerate().map(|(number, w)| self.penalty(number) * w * w).sum();
        losses.sum::<f64>() + squares / 2.0
    }

    /// Solves for Newton's step, by conjugate gradients that are preconditioned with the diagonal.
    fn newton_step(&self, gradient: &[f64], curvatures: &[f64]) -> Vec<f64> {
        let mut diagonal = vec![0.0; gradient.len()];
        self.examples.gather(curvatures, &mut diagonal);
        for (number, entry) in diagonal.iter_mut().enumerate() {
            // Features without examples have neither slope nor step.
            *entry = (*entry + self.penalty(number)).max(f64::MIN_POSITIVE);
        }
        let precondition = |r: &[f64]| r.iter().zip(&diagonal).map(|(r, d)| r / d).collect::<Vec<f64>>();
        let length = norm(gradient);
        let enough = length / 10.0;
        let mut step = vec![0.0; gradient.len()];
        let mut rest: Vec<f64> = gradient.iter().map(|slope| -slope).collect();
        let mut scaled = precondition(&rest);
        let mut direction = scaled.clone();
        let mut product = dot(&rest, &scaled);
        let (mut sums, mut image) = (Vec::new(), vec![0.0; gradient.len()]);
        for _ in 0..PASSES {
            if norm(&rest) <= enough || product <= 0.0 {
                break;
            }
            self.hessian(&direction, curvatures, &mut sums, &mut image);
            let bend = dot(&direction, &image);
            if bend <= 0.0 {
                break;
            }
            let far = product / bend;
            add(&mut step, far, &direction);
            add(&mut rest, -far, &image);
            scaled = precondition(&rest);
            let next = dot(&rest, &scaled);
            let share = next / product;
            product = next;
            for (d, z) in direction.iter_mut().zip(&scaled) {
                *d = z + share * *d;
            }
        }
        step
    }

    /// The matrix of second derivatives times a vector.
    fn hessian(&self, vector: &[f64], curvatures: &[f64], sums: &mut Vec<f64>, image: &mut [f64]) {
        self.examples.sums(vector, sums);
        for (sum, curvature) in sums.iter_mut().zip(curvatures) {
            *sum *= curvature;
        }
        self.examples.gather(sums, image);
        for (number, entry) in image.iter_mut().enumerate() {
            *entry += self.penalty(number) * vector[number];
        }
    }

    /// Goes along a step whose first derivative is `slope`, or part of it; false if nowhere is lower.
    fn go(&mut self, step: &[f64], slope: f64) -> bool {
        let loss = self.loss(&self.weights, &self.sums);
        let mut moves = Vec::new();
        self.examples.sums(step, &mut moves);
        let mut share = 1.0;
        for _ in 0..HALVINGS {
            let (mut weights, mut sums) = (self.weights.clone(), self.sums.clone());
            add(&mut weights, share, step);
            add(&mut sums, share, &moves);
            if slope < 0.0 && self.loss(&weights, &sums) <= loss + ARMIJO * share * slope {
                (self.weights, self.sums) = (weights, sums);
                return true;
            }
            share /= 2.0;
        }
        false
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(vector: &[f64]) -> f64 {
    dot(vector, vector).sqrt()
}

/// Adds so much of a vector to another.
fn add(to: &mut [f64], share: f64, vector: &[f64]) {
    for (to, v) in to.iter_mut().zip(vector) {
        *to += share * v;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No features: the bias alone decides, log(3/1).
    #[test]
    fn the_bias_is_the_logarithm_of_the_odds() {
        let mut examples = Examples::default();
        for positive in [true, true, true, false] {
            examples.push([], positive, 2.0);
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
            examples.push(features.iter().copied(), positive, weight);
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

    /// Where all are positive the bias has no bound, and where there are none it has nowhere to go.
    #[test]
    fn searches_end_where_there_is_no_minimum() {
        let mut examples = Examples::default();
        assert!(fit(&examples, 0, 1.0).bias.abs() < 1e-12);
        examples.push([0], true, 1.0);
        examples.push([], true, 1.0);
        let fitted = fit(&examples, 1, 1.0);
        assert!(fitted.bias.is_finite() && fitted.bias > 5.0, "{fitted:?}");
    }
}
