//! The innermost loops: a tile of six rows by 16 outputs is summed in registers.
//!
//! The sums of integers are exact, so a processor's instruction for two products and their sum (`vpmaddwd`), which compilers
//! do not find in a loop, gives the same result as the loop.

use super::linear::Rounded;
use crate::numeric::simd::Kernel;

/// Outputs of a panel.
pub(super) const PANEL: usize = 16;

/// Rows of a tile.
const TILE: usize = 6;

/// Rows that are multiplied by all panels before the next ones, so that they stay in the cache. A multiple of [`TILE`].
const ROWS: usize = 96;

/// A product in single precision.
pub(super) struct SingleProduct<'a> {
    pub(super) inputs: &'a [f32],
    /// How many inputs a row has.
    pub(super) inner: usize,
    pub(super) panels: &'a [[f32; PANEL]],
    pub(super) bias: &'a [f32],
    pub(super) outputs: &'a mut [f32],
    /// How many outputs a row has.
    pub(super) width: usize,
}

/// A product of integers.
pub(super) struct RoundedProduct<'a> {
    pub(super) inputs: &'a Rounded,
    /// How many pairs of inputs a row has.
    pub(super) inner: usize,
    pub(super) panels: &'a [[[i16; 2]; PANEL]],
    pub(super) units: &'a [f32],
    pub(super) bias: &'a [f32],
    pub(super) outputs: &'a mut [f32],
    /// How many outputs a row has.
    pub(super) width: usize,
}

/// Computes all tiles of a product by a function that sums a tile of so many rows. A macro, since closures would be compiled
/// without the instructions that the function around them may use.
macro_rules! each_tile {
    ($product:expr, $inputs:expr, $sums:ident) => {{
        let product = $product;
        let rows = product.outputs.len() / product.width;
        for block in (0..rows).step_by(ROWS) {
            let end = rows.min(block + ROWS);
            for (number, panel) in product.panels.chunks_exact(product.inner).enumerate() {
                let mut row = block;
                while row + TILE <= end {
                    let tile = &$inputs[row * product.inner..(row + TILE) * product.inner];
                    product.finish(row, number, $sums::<TILE>(tile, panel));
                    row += TILE;
                }
                while row < end {
                    let tile = &$inputs[row * product.inner..(row + 1) * product.inner];
                    product.finish(row, number, $sums::<1>(tile, panel));
                    row += 1;
                }
            }
        }
    }};
}

impl Kernel for SingleProduct<'_> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let inputs = self.inputs;
        each_tile!(&mut self, inputs, single_sums);
    }
}

impl SingleProduct<'_> {
    /// Adds the bias to sums, and puts them where they belong.
    #[inline(always)]
    fn finish<const R: usize>(&mut self, row: usize, panel: usize, sums: [[f32; PANEL]; R]) {
        let first = panel * PANEL;
        for (outputs, sums) in self.outputs[row * self.width..].chunks_exact_mut(self.width).zip(sums) {
            let outputs = outputs[first..].iter_mut().take(PANEL);
            outputs.zip(sums).zip(&self.bias[first..]).for_each(|((output, sum), bias)| *output = sum + bias);
        }
    }
}

/// The rows of a tile. No functions that take closures: they would be compiled without the instructions that may be used here.
#[inline(always)]
fn split<T, const R: usize>(rows: &[T], inner: usize) -> [&[T]; R] {
    let mut each: [&[T]; R] = [&[]; R];
    for (each, row) in each.iter_mut().zip(rows.chunks_exact(inner)) {
        *each = row;
    }
    each
}

#[inline(always)]
fn single_sums<const R: usize>(rows: &[f32], panel: &[[f32; PANEL]]) -> [[f32; PANEL]; R] {
    let rows: [_; R] = split(rows, panel.len());
    let mut sums = [[0.0; PANEL]; R];
    for (k, weights) in panel.iter().enumerate() {
        for r in 0..R {
            let input = rows[r][k];
            for n in 0..PANEL {
                sums[r][n] += input * weights[n];
            }
        }
    }
    sums
}

/// Computes a product of integers, with the widest instructions of this processor.
#[cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "calling a function compiled for an instruction set, after detecting it")
)]
pub(super) fn rounded_product(mut product: RoundedProduct<'_>) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the instruction set that it is compiled for was detected just above.
        return unsafe { avx2::product(product) };
    }
    let inputs = &product.inputs.values[..];
    each_tile!(&mut product, inputs, rounded_sums);
}

impl RoundedProduct<'_> {
    /// Multiplies sums by their units, adds the bias, and puts them where they belong.
    #[inline(always)]
    fn finish<const R: usize>(&mut self, row: usize, panel: usize, sums: [[i32; PANEL]; R]) {
        let first = panel * PANEL;
        let scaled = self.outputs[row * self.width..].chunks_exact_mut(self.width).zip(&self.inputs.units[row..]);
        for ((outputs, unit), sums) in scaled.zip(sums) {
            let outputs = outputs[first..].iter_mut().take(PANEL).zip(sums);
            let of_weights = self.units[first..].iter().zip(&self.bias[first..]);
            outputs.zip(of_weights).for_each(|((output, sum), (of_weight, bias))| {
                *output = sum as f32 * (of_weight * unit) + bias;
            });
        }
    }
}

fn rounded_sums<const R: usize>(rows: &[[i16; 2]], panel: &[[[i16; 2]; PANEL]]) -> [[i32; PANEL]; R] {
    let rows: [_; R] = split(rows, panel.len());
    let mut sums = [[0; PANEL]; R];
    for (k, weights) in panel.iter().enumerate() {
        for (sums, row) in sums.iter_mut().zip(rows) {
            let [a, b] = row[k].map(i32::from);
            for n in 0..PANEL {
                sums[n] += a * i32::from(weights[n][0]) + b * i32::from(weights[n][1]);
            }
        }
    }
    sums
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{__m256i, _mm256_add_epi32, _mm256_madd_epi16, _mm256_set1_epi32, _mm256_setzero_si256};

    use super::{PANEL, ROWS, RoundedProduct, TILE, split};

    #[target_feature(enable = "avx2")]
    pub(super) fn product(mut product: RoundedProduct<'_>) {
        let inputs = &product.inputs.values[..];
        each_tile!(&mut product, inputs, sums);
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn sums<const R: usize>(rows: &[[i16; 2]], panel: &[[[i16; 2]; PANEL]]) -> [[i32; PANEL]; R] {
        let rows: [_; R] = split(rows, panel.len());
        let mut sums = [[_mm256_setzero_si256(); 2]; R];
        for (k, weights) in panel.iter().enumerate() {
            let [low, high]: [__m256i; 2] = bytemuck::cast(*weights);
            for r in 0..R {
                let input = _mm256_set1_epi32(bytemuck::cast(rows[r][k]));
                sums[r][0] = _mm256_add_epi32(sums[r][0], _mm256_madd_epi16(input, low));
                sums[r][1] = _mm256_add_epi32(sums[r][1], _mm256_madd_epi16(input, high));
            }
        }
        let mut whole = [[0; PANEL]; R];
        for r in 0..R {
            whole[r] = bytemuck::cast(sums[r]);
        }
        whole
    }

    #[cfg(test)]
    mod tests {
        use super::super::rounded_sums;
        use super::*;

        #[test]
        #[expect(unsafe_code, reason = "calling a function compiled for an instruction set, after detecting it")]
        fn both_instruction_sets_give_the_same_sums() {
            let number = |n: usize| (n * n * 7919 % 8191) as i16 - 4095;
            let rows: Vec<[i16; 2]> = (0..TILE * 50).map(|n| [number(n), number(n + 3)]).collect();
            let panel: Vec<[[i16; 2]; PANEL]> =
                (0..50).map(|k| std::array::from_fn(|n| [number(k * 16 + n), number(k + n)])).collect();
            if std::arch::is_x86_feature_detected!("avx2") {
                // SAFETY: it was detected just above.
                let wide = unsafe { sums::<TILE>(&rows, &panel) };
                assert_eq!(wide, rounded_sums::<TILE>(&rows, &panel));
            }
        }
    }
}
