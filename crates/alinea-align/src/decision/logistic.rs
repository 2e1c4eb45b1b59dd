//! Logistic regression with a prior.
//!
//! Of examples with features x_n, log-odds o_n that are known beforehand, and y_n = 1 or 0, it finds the weights v that make
//!
//! ```text
//! L(v) = |v|² / 2 + Σ_n ln(1 + exp(z_n)) - y_n z_n ,      z_n = o_n + x_n · v
//! ```
//!
//! least: the most probable ones if each has a standard normal prior. (For another deviation of a weight its feature is multiplied by
//! it.) L is strictly convex, so there is one minimum. It is found by Newton's method, with steps by
//! [preconditioned](preconditioner) conjugate gradients that stop early (Nocedal and Wright 2006, *Numerical optimization*, algorithm
//! 7.1). A step costs time linear in the numbers that are not zero; some ten steps of some five products each are enough. One thread,
//! sums in order: the same bytes always.

mod preconditioner;

use preconditioner::Preconditioner;

use crate::numeric::sigmoid;
use crate::numeric::simd::{Kernel, LANES, dispatch};

/// Steps are few where the prior is this strong; these are never reached.
const MOST_STEPS: usize = 50;
const MOST_PRODUCTS: usize = 200;

/// The gradient at the end, in parts of that where all weights are 0.
const TOLERANCE: f64 = 1e-6;

/// How much of what a step promises it must keep, but for rounding in parts of L.
const ENOUGH: f64 = 1e-4;
const ROUNDING: f64 = 1e-12;

/// Examples: features that all have, and some of many that few have.
#[derive(Debug)]
pub(super) struct Examples {
    /// How many features all have; they come first.
    dense: usize,
    /// How many there are.
    columns: usize,
    of_all: Vec<f32>,
    of_few: Vec<(u32, f32)>,
    /// Where those of each example end.
    ends: Vec<usize>,
    known: Vec<f64>,
    is_right: Vec<bool>,
}

impl Examples {
    /// None yet, of so many features, the first of which all examples have.
    pub(super) fn new(dense: usize, columns: usize) -> Self {
        let (of_all, of_few, ends, known, is_right) = Default::default();
        Self { dense, columns, of_all, of_few, ends, known, is_right }
    }

    /// Adds one: the features that all have, others by their numbers, what is known beforehand, and whether it is right.
    pub(super) fn push(
        &mut self,
        of_all: impl IntoIterator<Item = f32>,
        of_few: impl IntoIterator<Item = (usize, f32)>,
        known: f64,
        is_right: bool,
    ) {
        self.of_all.extend(of_all);
        self.of_few.extend(of_few.into_iter().map(|(column, value)| (column as u32, value)));
        self.ends.push(self.of_few.len());
        self.known.push(known);
        self.is_right.push(is_right);
        assert_eq!(self.of_all.len(), self.dense * self.known.len(), "features that all have");
    }

    fn len(&self) -> usize {
        self.known.len()
    }

    #[inline(always)]
    fn few(&self, n: usize) -> &[(u32, f32)] {
        let start = if n > 0 { self.ends[n - 1] } else { 0 };
        &self.of_few[start..self.ends[n]]
    }

    /// x_n · v.
    #[inline(always)]
    fn product(&self, n: usize, v: &[f64]) -> f64 {
        let (all, all_left) = self.of_all[n * self.dense..][..self.dense].as_chunks::<LANES>();
        let (v_of_all, _) = v[..self.dense].as_chunks::<LANES>();
        let mut sums = [0.0; LANES];
        for (x, v) in all.iter().zip(v_of_all) {
            for lane in 0..LANES {
                sums[lane] += f64::from(x[lane]) * v[lane];
            }
        }
        let left = all_left.iter().zip(&v[self.dense - all_left.len()..]);
        let sum = left.fold(sums.iter().sum::<f64>(), |sum, (&x, v)| sum + f64::from(x) * v);
        self.few(n).iter().fold(sum, |sum, &(column, x)| sum + f64::from(x) * v[column as usize])
    }

    /// Adds `factor` x_n.
    #[inline(always)]
    fn add(&self, n: usize, factor: f64, to: &mut [f64]) {
        for (to, &x) in to.iter_mut().zip(&self.of_all[n * self.dense..][..self.dense]) {
            *to += factor * f64::from(x);
        }
        for &(column, x) in self.few(n) {
            to[column as usize] += factor * f64::from(x);
        }
    }

    fn log_odds(&self, v: &[f64]) -> Vec<f64> {
        (0..self.len()).map(|n| self.known[n] + self.product(n, v)).collect()
    }

    fn loss(&self, v: &[f64], log_odds: &[f64]) -> f64 {
        let of_examples = log_odds.iter().zip(&self.is_right).map(|(&z, &is_right)| {
            let wrong = if is_right { -z } else { z };
            // ln(1 + exp(wrong)), without overflow.
            wrong.max(0.0) + (-wrong.abs()).exp().ln_1p()
        });
        dot(v, v) / 2.0 + of_examples.sum::<f64>()
    }

    fn gradient(&self, v: &[f64], log_odds: &[f64]) -> Vec<f64> {
        let mut gradient = v.to_vec();
        for (n, (&z, &is_right)) in log_odds.iter().zip(&self.is_right).enumerate() {
            self.add(n, sigmoid(z) - f64::from(u8::from(is_right)), &mut gradient);
        }
        gradient
    }

    /// The weights. Linear in the numbers that are not zero, times some hundred.
    pub(super) fn fit(&self) -> Vec<f64> {
        self.fit_from(vec![0.0; self.columns])
    }

    /// The same, sooner if these weights are near.
    ///
    /// # Panics
    /// If there are not as many as features.
    pub(super) fn fit_from(&self, mut v: Vec<f64>) -> Vec<f64> {
        assert_eq!(v.len(), self.columns, "a weight for each feature");
        let at_zero = norm(&self.gradient(&vec![0.0; self.columns], &self.known)).max(f64::MIN_POSITIVE);
        let mut log_odds = self.log_odds(&v);
        let mut loss = self.loss(&v, &log_odds);
        let mut gradient = self.gradient(&v, &log_odds);
        for _ in 0..MOST_STEPS {
            let size = norm(&gradient) / at_zero;
            if size <= TOLERANCE {
                break;
            }
            let curvatures: Vec<f64> = log_odds.iter().map(|&z| sigmoid(z) * sigmoid(-z)).collect();
            let step = self.step(&gradient, &curvatures, size.sqrt().min(0.1));
            let slope = dot(&gradient, &step);
            let mut length = 1.0;
            loop {
                let next: Vec<f64> = v.iter().zip(&step).map(|(v, step)| v + length * step).collect();
                let next_log_odds = self.log_odds(&next);
                let next_loss = self.loss(&next, &next_log_odds);
                if next_loss <= loss + ENOUGH * length * slope + ROUNDING * loss {
                    (v, log_odds, loss) = (next, next_log_odds, next_loss);
                    break;
                }
                length /= 2.0;
                if length < TOLERANCE {
                    // As good as the numbers allow.
                    return v;
                }
            }
            gradient = self.gradient(&v, &log_odds);
        }
        v
    }

    /// What H step = -gradient has for a solution, up to a residual of this part of the gradient; H = 1 + Σ_n c_n x_n x_nᵀ.
    fn step(&self, gradient: &[f64], curvatures: &[f64], tolerance: f64) -> Vec<f64> {
        let preconditioner = Preconditioner::new(self, curvatures);
        let mut step = vec![0.0; self.columns];
        let mut residual: Vec<f64> = gradient.iter().map(|g| -g).collect();
        let enough = tolerance * norm(&residual);
        let mut solved = preconditioner.solve(&residual);
        let mut direction = solved.clone();
        let mut square = dot(&residual, &solved);
        for _ in 0..MOST_PRODUCTS {
            if norm(&residual) <= enough {
                break;
            }
            let image = dispatch(Curved { examples: self, curvatures, direction: &direction });
            let factor = square / dot(&direction, &image);
            for (n, direction) in direction.iter().enumerate() {
                step[n] += factor * direction;
                residual[n] -= factor * image[n];
            }
            solved = preconditioner.solve(&residual);
            let next = dot(&residual, &solved);
            for (direction, solved) in direction.iter_mut().zip(&solved) {
                *direction = solved + next / square * *direction;
            }
            square = next;
        }
        step
    }
}

/// H v, v being a direction: v + Σ_n c_n x_n x_nᵀ v.
struct Curved<'e> {
    examples: &'e Examples,
    curvatures: &'e [f64],
    direction: &'e [f64],
}

impl Kernel for Curved<'_> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn run(self) -> Vec<f64> {
        let Self { examples, curvatures, direction } = self;
        let mut image = direction.to_vec();
        for (n, curvature) in curvatures.iter().enumerate() {
            examples.add(n, curvature * examples.product(n, direction), &mut image);
        }
        image
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_weight_is_where_the_slope_is_zero() {
        let mut examples = Examples::new(1, 1);
        for is_right in [true, true, true, false] {
            examples.push([2.0], [], 0.0, is_right);
        }
        let v = examples.fit()[0];
        // v + 4 · 2 σ(2 v) - 3 · 2 = 0.
        assert!((v + 8.0 * sigmoid(2.0 * v) - 6.0).abs() < 1e-5, "{v}");
        assert!(Examples::new(2, 5).fit().iter().all(|&v| v.abs() < 1e-12), "nothing is known but the prior");
    }

    pub(super) const COLUMNS: usize = 6;

    pub(super) fn examples() -> impl Strategy<Value = Examples> {
        let number = -2.0f32..2.0;
        let example = (
            [number.clone(), number.clone()],
            proptest::collection::btree_map(2..COLUMNS, number, 0..3),
            -3.0f64..3.0,
            any::<bool>(),
        );
        proptest::collection::vec(example, 0..20).prop_map(|all| {
            let mut examples = Examples::new(2, COLUMNS);
            for (dense, sparse, known, is_right) in all {
                examples.push(dense, sparse, known, is_right);
            }
            examples
        })
    }

    proptest! {
        #[test]
        fn no_other_weights_are_better(examples in examples(), other in proptest::array::uniform6(-2.0f64..2.0)) {
            for v in [examples.fit(), examples.fit_from(other.to_vec())] {
                let log_odds = examples.log_odds(&v);
                prop_assert!(norm(&examples.gradient(&v, &log_odds)) < 1e-4);
                let least = examples.loss(&v, &log_odds);
                for size in [0.01, 1.0] {
                    let near: Vec<f64> = v.iter().zip(other).map(|(v, other)| v + size * other).collect();
                    prop_assert!(examples.loss(&near, &examples.log_odds(&near)) >= least - 1e-9);
                }
            }
        }

        #[test]
        fn gradients_are_slopes(examples in examples(), v in proptest::array::uniform6(-1.0f64..1.0)) {
            let gradient = examples.gradient(&v, &examples.log_odds(&v));
            for n in 0..v.len() {
                let at = |by: f64| {
                    let mut moved = v;
                    moved[n] += by;
                    examples.loss(&moved, &examples.log_odds(&moved))
                };
                prop_assert!(((at(1e-5) - at(-1e-5)) / 2e-5 - gradient[n]).abs() < 1e-4);
            }
        }
    }
}
