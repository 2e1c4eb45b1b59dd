//! What makes steps by conjugate gradients few.
//!
//! H = 1 + Σ_n c_n x_n x_nᵀ is far from a multiple of the identity, because the features that all examples have depend on each other.
//! A matrix M like H, of which M r = b is easily solved, takes that away (Nocedal and Wright 2006, section 5.1): the block of these
//! features, of some examples evenly chosen in the place of all, and of the others the diagonal. M changes how many products a step
//! takes, not what it is looking for.

use super::Examples;
use crate::numeric::simd::{Kernel, dispatch};

/// The examples that the block is of, if there are so many.
const CHOSEN: usize = 2048;

/// M, ready to be solved.
#[derive(Debug)]
pub(super) struct Preconditioner {
    dense: usize,
    /// Row by row the lower triangle L of the block, which is L Lᵀ.
    triangle: Vec<f64>,
    /// Of all features, of which the first are in the block.
    diagonal: Vec<f64>,
}

impl Preconditioner {
    /// That of the H of examples with these curvatures. Linear in the examples, and in the cube of the features that all have.
    pub(super) fn new(examples: &Examples, curvatures: &[f64]) -> Self {
        let mut diagonal = vec![1.0; examples.columns];
        for (n, curvature) in curvatures.iter().enumerate() {
            for &(column, x) in examples.few(n) {
                diagonal[column as usize] += curvature * f64::from(x) * f64::from(x);
            }
        }
        let triangle = factored(dispatch(Block { examples, curvatures }), examples.dense);
        Self { dense: examples.dense, triangle, diagonal }
    }

    /// The r that M r = b has for a solution.
    pub(super) fn solve(&self, b: &[f64]) -> Vec<f64> {
        let Self { dense, triangle, diagonal } = self;
        let row = |i: usize| &triangle[i * dense..][..=i];
        let mut r: Vec<f64> = b.iter().zip(diagonal).map(|(b, diagonal)| b / diagonal).collect();
        // L y = b, then Lᵀ r = y.
        for i in 0..*dense {
            let sum: f64 = row(i).iter().zip(&r[..i]).map(|(l, r)| l * r).sum();
            r[i] = (b[i] - sum) / row(i)[i];
        }
        for i in (0..*dense).rev() {
            r[i] /= row(i)[i];
            let known = r[i];
            for (r, l) in r[..i].iter_mut().zip(row(i)) {
                *r -= known * l;
            }
        }
        r
    }
}

/// The lower triangle of the block of the features that all have.
struct Block<'e> {
    examples: &'e Examples,
    curvatures: &'e [f64],
}

impl Kernel for Block<'_> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn run(self) -> Vec<f64> {
        let Self { examples, curvatures } = self;
        let dense = examples.dense;
        let mut block = vec![0.0; dense * dense];
        for i in 0..dense {
            block[i * dense + i] = 1.0;
        }
        let every = (curvatures.len() / CHOSEN).max(1);
        let mut x = vec![0.0; dense];
        for n in (0..curvatures.len()).step_by(every) {
            for (x, &of_all) in x.iter_mut().zip(&examples.of_all[n * dense..][..dense]) {
                *x = f64::from(of_all);
            }
            for (i, row) in block.chunks_exact_mut(dense).enumerate() {
                let factor = every as f64 * curvatures[n] * x[i];
                for (sum, x) in row[..=i].iter_mut().zip(&x) {
                    *sum += factor * x;
                }
            }
        }
        block
    }
}

/// The Cholesky factor of a matrix that is 1 and a positive one, in its place.
fn factored(mut matrix: Vec<f64>, size: usize) -> Vec<f64> {
    for i in 0..size {
        let (above, from) = matrix.split_at_mut(i * size);
        let row = &mut from[..=i];
        for j in 0..i {
            let other = &above[j * size..][..=j];
            let sum: f64 = row[..j].iter().zip(other).map(|(a, b)| a * b).sum();
            row[j] = (row[j] - sum) / other[j];
        }
        let sum: f64 = row[..i].iter().map(|l| l * l).sum();
        // At least 1, but for rounding.
        row[i] = (row[i] - sum).max(1.0).sqrt();
    }
    matrix
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Curved, tests};
    use super::*;

    /// The block and the diagonal of H, by products, times what was solved.
    fn image(examples: &Examples, curvatures: &[f64], r: &[f64]) -> Vec<f64> {
        let columns = examples.columns;
        let unit = |i: usize| (0..columns).map(|j| f64::from(u8::from(i == j))).collect::<Vec<f64>>();
        let of_row = |i: usize| {
            let row = Curved { examples, curvatures, direction: &unit(i) }.run();
            let kept = |j: usize| i == j || (i < examples.dense && j < examples.dense);
            (0..columns).filter(|&j| kept(j)).map(|j| row[j] * r[j]).sum()
        };
        (0..columns).map(of_row).collect()
    }

    fn check(examples: &Examples, b: &[f64]) {
        let curvatures: Vec<f64> = (0..examples.len()).map(|n| 0.25 / (n / 2 + 1) as f64).collect();
        let r = Preconditioner::new(examples, &curvatures).solve(b);
        for (image, b) in image(examples, &curvatures, &r).iter().zip(b) {
            assert!((image - b).abs() < 1e-9, "{image} {b}");
        }
    }

    #[test]
    fn examples_that_were_chosen_count_for_the_others() {
        let mut examples = Examples::new(2, 3);
        for n in 0..2 * CHOSEN {
            // Two of each.
            let x = (n / 2) as f32;
            examples.push([x.sin(), x.cos()], [(2, 1.0)], 0.0, true);
        }
        check(&examples, &[1.0, -2.0, 3.0]);
    }

    proptest! {
        #[test]
        fn what_is_solved_is_the_block_and_the_diagonal(
            examples in tests::examples(),
            b in proptest::collection::vec(-2.0f64..2.0, tests::COLUMNS),
        ) {
            check(&examples, &b);
        }
    }
}
