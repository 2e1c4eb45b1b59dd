//! Functions of single numbers and of rows. No function of the system is called, so results are the same everywhere.
//!
//! * e^x is 2^n times the Taylor polynomial of degree 7 of e^r, with |r| at most ln 2 / 2: relative error below 1e-7.
//! * erf is formula 7.1.26 of Abramowitz and Stegun, *Handbook of Mathematical Functions*: error below 1.5e-7.
//! * GELU(x) = x Φ(x) (Hendrycks and Gimpel 2016), and its approximation by tanh in the same paper.

use crate::config::Activation;
use crate::numeric::simd::{Kernel, LANES, join, sum};

/// ln 2 in two parts, of which the first has few bits, so that its products with small whole numbers are exact.
const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];

/// Adding this, 1.5 · 2^23, and taking it away rounds to a whole number, ties to even.
pub(super) const ROUND: f32 = 12_582_912.0;

/// e^x for x at most 88; 0, or nearly so, below -87.
#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    let x = if x > -87.0 { x } else { -87.0 };
    let n = (x * std::f32::consts::LOG2_E + ROUND) - ROUND;
    let r = (x - n * LN_2[0]) - n * LN_2[1];
    let mut e = 1.0 / 5040.0;
    for term in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        e = e * r + term;
    }
    e * f32::from_bits(((n as i32 + 127) as u32) << 23)
}

/// erf x.
#[inline(always)]
fn erf(x: f32) -> f32 {
    let size = x.abs();
    let t = 1.0 / (1.0 + 0.327_591_1 * size);
    let mut sum = 1.061_405_4;
    for term in [-1.453_152, 1.421_413_7, -0.284_496_74, 0.254_829_6] {
        sum = sum * t + term;
    }
    let erf = 1.0 - sum * t * exp(-(size * size));
    if x < 0.0 { -erf } else { erf }
}

#[inline(always)]
fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + erf(x * std::f32::consts::FRAC_1_SQRT_2))
}

/// 0.5 x (1 + tanh u) = x / (1 + e^(-2u)), u = √(2/π) (x + 0.044715 x³).
#[inline(always)]
fn gelu_by_tanh(x: f32) -> f32 {
    let u = 0.797_884_6 * (x + 0.044_715 * x * x * x);
    let twice = -2.0 * u;
    x / (1.0 + exp(if twice < 87.0 { twice } else { 87.0 }))
}

/// Applies the activation to all values.
pub(super) struct Activate<'v> {
    pub(super) activation: Activation,
    pub(super) values: &'v mut [f32],
}

impl Kernel for Activate<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        match self.activation {
            Activation::Gelu => each(self.values, gelu),
            Activation::GeluTanh => each(self.values, gelu_by_tanh),
            Activation::Relu => each(self.values, |x| if x > 0.0 { x } else { 0.0 }),
        }
    }
}

#[inline(always)]
fn each(values: &mut [f32], f: impl Fn(f32) -> f32) {
    for value in values {
        *value = f(*value);
    }
}

/// Adds something to states, or nothing, and gives each row mean 0 and variance 1, then gain and bias (Ba, Kiros and Hinton 2016).
pub(super) struct Normalize<'v> {
    pub(super) states: &'v mut [f32],
    /// As many, or none.
    pub(super) added: &'v [f32],
    pub(super) gain: &'v [f32],
    pub(super) bias: &'v [f32],
    pub(super) epsilon: f32,
}

impl Kernel for Normalize<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { states, added, gain, bias, epsilon } = self;
        let width = gain.len();
        states.iter_mut().zip(added).for_each(|(state, added)| *state += added);
        for row in states.chunks_exact_mut(width) {
            let mean = sum(row) / width as f32;
            for x in row.iter_mut() {
                *x -= mean;
            }
            let scale = 1.0 / (sum_of_squares(row) / width as f32 + epsilon).sqrt();
            for ((x, gain), bias) in row.iter_mut().zip(gain).zip(bias) {
                *x = *x * scale * gain + bias;
            }
        }
    }
}

#[inline(always)]
fn sum_of_squares(row: &[f32]) -> f32 {
    let (blocks, rest) = row.as_chunks::<LANES>();
    let mut lanes = [0f32; LANES];
    for block in blocks {
        for lane in 0..LANES {
            lanes[lane] += block[lane] * block[lane];
        }
    }
    rest.iter().enumerate().for_each(|(lane, x)| lanes[lane] += x * x);
    join(lanes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the series, in double precision.
    fn exact_erf(x: f64) -> f64 {
        let (mut term, mut sum) = (x, x);
        for n in 1..200 {
            term *= -x * x / f64::from(n);
            sum += term / f64::from(2 * n + 1);
        }
        sum * 2.0 / std::f64::consts::PI.sqrt()
    }

    #[test]
    fn functions_are_close_to_their_definitions() {
        for n in -4000..=4000 {
            let x = n as f32 / 1000.0;
            let of = f64::from(x);
            assert!((f64::from(exp(x)) / of.exp() - 1.0).abs() < 2e-7, "exp {x}");
            assert!((f64::from(erf(x)) - exact_erf(of)).abs() < 5e-7, "erf {x}");
            let exact = 0.5 * of * (1.0 + exact_erf(of / 2f64.sqrt()));
            assert!((f64::from(gelu(x)) - exact).abs() < 6e-7, "gelu {x}");
            let u = (2.0 / std::f64::consts::PI).sqrt() * (of + 0.044_715 * of.powi(3));
            assert!((f64::from(gelu_by_tanh(x)) - 0.5 * of * (1.0 + u.tanh())).abs() < 6e-7, "tanh {x}");
        }
        assert!(exp(-1000.0) < 1e-37 && (exp(80.0) / 80f32.exp() - 1.0).abs() < 1e-5);
        assert!(gelu_by_tanh(-1e4).abs() < 1e-30 && (gelu(50.0) - 50.0).abs() < 1e-6);
    }

    #[test]
    fn rows_have_mean_0_and_variance_1() {
        let mut states = vec![1.0, 2.0, 3.0, 4.0, 6.0, 5.0, 6.0, 5.0];
        let (gain, bias) = ([1.0; 4], [0.0; 4]);
        Normalize { states: &mut states, added: &[0.0; 8], gain: &gain, bias: &bias, epsilon: 0.0 }.run();
        let expected = [-1.341_640_8, -0.447_213_6, 0.447_213_6, 1.341_640_8, 1.0, -1.0, 1.0, -1.0];
        assert!(states.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-6), "{states:?}");
    }
}
