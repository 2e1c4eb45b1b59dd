//! Products of inputs with a matrix of weights, plus a bias.
//!
//! **In 16-bit integers.** Each row of inputs and each row of weights is divided by a unit of its own and rounded: inputs to
//! at most 4095 in size, weights to so much that no sum leaves 32 bits, whatever the inputs are:
//!
//! ```text
//! |w_j| <= 32767 ,   4095 Σ_j |w_j| < 2^31 .
//! ```
//!
//! So sums are exact, in any order, and the same on every processor, for any batch and any number of threads.
//!
//! **In single precision.** Each sum goes over the inputs in order, without fused multiply-add, so that it is the same
//! everywhere, too.
//!
//! O(rows × inputs × outputs).

use super::Precision;
use super::functions::ROUND;
use super::product::{PANEL, RoundedProduct, SingleProduct, rounded_product};
use crate::numeric::simd::{Kernel, dispatch};

/// The greatest rounded input.
const MOST_INPUT: f32 = 4095.0;

/// The greatest rounded weight, and the greatest sum of the sizes of rounded weights; rounding adds at most a half to each.
const MOST_WEIGHT: f64 = 32_767.0;
const MOST_SUM: f64 = (i32::MAX / MOST_INPUT as i32) as f64;

/// A matrix of weights and a bias.
#[derive(Debug)]
pub(super) struct Linear {
    inputs: usize,
    outputs: usize,
    /// For whole panels.
    bias: Vec<f32>,
    weights: Weights,
}

/// Weights in panels of [`PANEL`] outputs: what these need for one input stands side by side.
#[derive(Debug)]
enum Weights {
    Single(Vec<[f32; PANEL]>),
    Rounded {
        /// For two inputs.
        panels: Vec<[[i16; 2]; PANEL]>,
        /// What the weights of each output were divided by.
        units: Vec<f32>,
    },
}

/// Inputs in 16-bit integers.
#[derive(Debug, Default)]
pub(super) struct Rounded {
    /// Two inputs side by side, a last odd one with a zero.
    pub(super) values: Vec<[i16; 2]>,
    /// What each row was divided by.
    pub(super) units: Vec<f32>,
}

impl Linear {
    /// Of a matrix with a row for each output.
    ///
    /// # Panics
    /// If the matrix or the bias has another shape.
    pub(super) fn new(matrix: &[f32], bias: Vec<f32>, [outputs, inputs]: [usize; 2], precision: Precision) -> Self {
        assert!(matrix.len() == outputs * inputs && bias.len() == outputs, "a matrix of another shape");
        let padded = outputs.next_multiple_of(PANEL);
        let mut bias = bias;
        bias.resize(padded, 0.0);
        let row = |output: usize| matrix.chunks_exact(inputs).nth(output).unwrap_or(&[]);
        let weights = match precision {
            Precision::Single => {
                let mut panels = Vec::with_capacity(padded / PANEL * inputs);
                for first in (0..padded).step_by(PANEL) {
                    let rows: [&[f32]; PANEL] = std::array::from_fn(|n| row(first + n));
                    panels.extend((0..inputs).map(|input| rows.map(|row| row.get(input).copied().unwrap_or(0.0))));
                }
                Weights::Single(panels)
            }
            Precision::Rounded => {
                let units: Vec<f64> = (0..padded).map(|output| unit(row(output))).collect();
                let mut panels = Vec::with_capacity(padded / PANEL * inputs.div_ceil(2));
                for first in (0..padded).step_by(PANEL) {
                    let rows: [Vec<i16>; PANEL] = std::array::from_fn(|n| {
                        row(first + n)
                            .iter()
                            .map(|&w| (f64::from(w) / units[first + n]).round_ties_even() as i16)
                            .collect()
                    });
                    let at = |row: &[i16], input: usize| row.get(input).copied().unwrap_or(0);
                    let of_two = |input: usize| std::array::from_fn(|n| [at(&rows[n], input), at(&rows[n], input + 1)]);
                    panels.extend((0..inputs).step_by(2).map(of_two));
                }
                Weights::Rounded { panels, units: units.into_iter().map(|unit| unit as f32).collect() }
            }
        };
        Self { inputs, outputs, bias, weights }
    }

    /// Replaces `outputs` by the products of rows of inputs.
    ///
    /// # Panics
    /// If the inputs are no whole number of rows.
    pub(super) fn apply(&self, inputs: &[f32], outputs: &mut Vec<f32>, rounded: &mut Rounded) {
        assert!(inputs.len().is_multiple_of(self.inputs), "rows of another length");
        // What was there before is overwritten.
        outputs.resize(inputs.len() / self.inputs * self.outputs, 0.0);
        let (bias, width) = (&self.bias[..], self.outputs);
        match &self.weights {
            Weights::Single(panels) => {
                dispatch(SingleProduct { inputs, inner: self.inputs, panels, bias, outputs, width });
            }
            Weights::Rounded { panels, units } => {
                dispatch(Round { inputs, inner: self.inputs, rounded });
                let inner = self.inputs.div_ceil(2);
                rounded_product(RoundedProduct { inputs: rounded, inner, panels, units, bias, outputs, width });
            }
        }
    }
}

/// What a row of weights is divided by.
fn unit(row: &[f32]) -> f64 {
    let greatest = row.iter().fold(0.0, |greatest, w| f64::from(w.abs()).max(greatest));
    let sum: f64 = row.iter().map(|w| f64::from(w.abs())).sum();
    let room = MOST_SUM - row.len() as f64 / 2.0;
    let unit = (greatest / MOST_WEIGHT).max(sum / room);
    if unit > 0.0 { unit } else { 1.0 }
}

/// Rounds rows of inputs.
struct Round<'a> {
    inputs: &'a [f32],
    inner: usize,
    rounded: &'a mut Rounded,
}

impl Kernel for Round<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Rounded { values, units } = self.rounded;
        values.clear();
        units.clear();
        for row in self.inputs.chunks_exact(self.inner) {
            let greatest = row.iter().fold(0f32, |greatest, x| if x.abs() > greatest { x.abs() } else { greatest });
            let (unit, inverse) =
                if greatest > 0.0 { (greatest / MOST_INPUT, MOST_INPUT / greatest) } else { (1.0, 0.0) };
            units.push(unit);
            let (pairs, odd) = row.as_chunks::<2>();
            // What is left of a number in the lowest bits of a float of this size is the whole number.
            let round = |x: f32| (x * inverse + ROUND).to_bits().wrapping_sub(ROUND.to_bits()) as i16;
            values.extend(pairs.iter().map(|pair| pair.map(round)));
            values.extend(odd.iter().map(|&x| [round(x), 0]));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn product(matrix: &[f32], bias: &[f32], inputs: &[f32], precision: Precision) -> Vec<f32> {
        let inner = matrix.len() / bias.len();
        let linear = Linear::new(matrix, bias.to_vec(), [bias.len(), inner], precision);
        let mut outputs = Vec::new();
        linear.apply(inputs, &mut outputs, &mut Rounded::default());
        outputs
    }

    fn numbers(count: usize, seed: usize) -> Vec<f32> {
        (0..count).map(|n| ((n * n * 31 + n * seed + 7 * seed) % 2003) as f32 / 1000.0 - 1.0).collect()
    }

    proptest! {
        #[test]
        fn products_are_sums_of_products(rows in 1usize..130, inner in 1usize..50, outputs in 1usize..40, seed in 1usize..99) {
            let [matrix, bias, inputs] = [(outputs * inner, 1), (outputs, 2), (rows * inner, 3)]
                .map(|(count, n)| numbers(count, n * seed));
            let of = |precision| product(&matrix, &bias, &inputs, precision);
            let (single, rounded) = (of(Precision::Single), of(Precision::Rounded));
            prop_assert_eq!(single.len(), rows * outputs);
            prop_assert_eq!(rounded.len(), rows * outputs);
            for row in 0..rows {
                for output in 0..outputs {
                    let terms = inputs[row * inner..][..inner].iter().zip(&matrix[output * inner..][..inner]);
                    let sum: f64 = terms.map(|(x, w)| f64::from(*x) * f64::from(*w)).sum();
                    let expected = sum + f64::from(bias[output]);
                    let place = row * outputs + output;
                    prop_assert!((f64::from(single[place]) - expected).abs() < 1e-5);
                    prop_assert!((f64::from(rounded[place]) - expected).abs() < 3e-4 * inner as f64);
                }
            }
        }
    }

    #[test]
    fn rows_do_not_depend_on_those_beside_them() {
        let (matrix, bias) = (numbers(40 * 24, 5), numbers(24, 6));
        let inputs = numbers(40 * 100, 7);
        for precision in [Precision::Single, Precision::Rounded] {
            let all = product(&matrix, &bias, &inputs, precision);
            let each: Vec<f32> = inputs.chunks(40).flat_map(|row| product(&matrix, &bias, row, precision)).collect();
            assert!(all.iter().zip(&each).all(|(a, b)| a.to_bits() == b.to_bits()));
        }
    }

    #[test]
    fn no_sum_overflows() {
        // The greatest weights and inputs, all of one sign: 3000 · 4095 · w fits into 32 bits.
        let (matrix, inputs) = (vec![3.5f32; 3000], vec![-0.25f32; 3000]);
        let found = product(&matrix, &[1.0], &inputs, Precision::Rounded)[0];
        assert!((found / (1.0 - 3000.0 * 3.5 * 0.25) - 1.0).abs() < 0.003, "{found}");
        assert_eq!(product(&[0.0; 4], &[2.0], &[0.0; 4], Precision::Rounded), [2.0]);
    }
}
