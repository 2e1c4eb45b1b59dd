//! How similar the words of a sentence pair are, from 0 to 1.
//!
//! With x_i and y_j of length 1, and ρ_i, σ_j the means of the largest cosines of row i and of column j,
//!
//! ```text
//! C(i, j) = x_i · y_j - ρ_i / 2 - σ_j / 2
//! E(i, j) = sqrt( exp(s C(i, j)) / Σ_j' exp(s C(i, j')) · exp(s C(i, j)) / Σ_i' exp(s C(i', j)) ).
//! ```
//!
//! Cosines are rounded to multiples of 2^-20 before anything is computed from them.

use crate::numeric::simd::{Kernel, dispatch, dot};

/// Cosines are multiples of 1 over this.
const STEPS: f32 = (1 << 20) as f32;

/// How cosines become scores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Similarity {
    /// How many of the largest cosines of a word are its neighborhood.
    pub neighbors: usize,
    /// The factor s of the softmax.
    pub scale: f64,
}

impl Similarity {
    /// For the words of a sentence pair.
    pub const OF_WORDS: Self = Self { neighbors: 3, scale: 18.0 };

    /// For the word types of a text.
    pub const OF_TYPES: Self = Self { neighbors: 10, scale: 18.0 };

    /// The scores of all cells, those of the first source word first, into a buffer. The vectors have `width` numbers and
    /// length 1.
    ///
    /// O(I J width) for I and J words.
    ///
    /// # Panics
    /// If the values are no whole number of vectors.
    pub fn scores(&self, source: &[f32], target: &[f32], width: usize, scores: &mut Vec<f32>) {
        let whole = |values: &[f32]| values.len().is_multiple_of(width);
        assert!(whole(source) && whole(target), "vectors of another width");
        let columns = target.len() / width;
        scores.clear();
        if columns == 0 {
            return;
        }
        dispatch(Cosines { source, target, width, cells: scores });
        let near = |values: &mut dyn Iterator<Item = f32>| self.nearness(values);
        let rows: Vec<f64> = scores.chunks_exact(columns).map(|row| near(&mut row.iter().copied())).collect();
        let of_column = |column: usize| near(&mut scores[column..].iter().step_by(columns).copied());
        let of_columns: Vec<f64> = (0..columns).map(of_column).collect();
        let mut sums = (vec![0.0; rows.len()], vec![0.0; columns]);
        for (row, cosines) in scores.chunks_exact(columns).enumerate() {
            for (column, &cosine) in cosines.iter().enumerate() {
                let weight = self.weight(cosine, [rows[row], of_columns[column]]);
                sums.0[row] += weight;
                sums.1[column] += weight;
            }
        }
        for (row, cosines) in scores.chunks_exact_mut(columns).enumerate() {
            for (column, cosine) in cosines.iter_mut().enumerate() {
                *cosine = self.score(*cosine, [rows[row], of_columns[column]], [sums.0[row], sums.1[column]]);
            }
        }
    }

    /// exp(s C) of a cell, from its cosine and the nearness of both words to their neighbors.
    pub(super) fn weight(&self, cosine: f32, [own, other]: [f64; 2]) -> f64 {
        (self.scale * (f64::from(cosine) - 0.5 * (own + other))).exp()
    }

    /// E of a cell, also from the sums of the weights of its row and its column.
    pub(super) fn score(&self, cosine: f32, nearness: [f64; 2], [of_row, of_column]: [f64; 2]) -> f32 {
        (self.weight(cosine, nearness) / (of_row * of_column).sqrt()) as f32
    }

    /// The mean of the largest values, or of all if they are fewer.
    pub(super) fn nearness(&self, values: &mut dyn Iterator<Item = f32>) -> f64 {
        let mut largest: Vec<f32> = Vec::with_capacity(self.neighbors + 1);
        for value in values {
            let place = largest.partition_point(|&larger| larger >= value);
            if place < self.neighbors {
                largest.insert(place, value);
                largest.truncate(self.neighbors);
            }
        }
        largest.iter().copied().map(f64::from).sum::<f64>() / (largest.len() as f64).max(1.0)
    }
}

/// The cosines of all cells.
pub(super) struct Cosines<'v, 'c> {
    pub(super) source: &'v [f32],
    pub(super) target: &'v [f32],
    pub(super) width: usize,
    pub(super) cells: &'c mut Vec<f32>,
}

impl Kernel for Cosines<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        for x in self.source.chunks_exact(self.width) {
            for y in self.target.chunks_exact(self.width) {
                self.cells.push((dot(x, y) * STEPS).round_ties_even() / STEPS);
            }
        }
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "values that are exact")]
mod tests {
    use super::*;

    #[test]
    fn a_side_without_words_has_no_cells() {
        let mut scores = vec![1.0];
        Similarity::OF_WORDS.scores(&[], &[1.0, 0.0], 2, &mut scores);
        assert!(scores.is_empty());
        Similarity::OF_WORDS.scores(&[1.0, 0.0], &[], 2, &mut scores);
        assert!(scores.is_empty());
    }

    #[test]
    fn the_only_cell_is_certain() {
        let mut scores = Vec::new();
        Similarity::OF_WORDS.scores(&[1.0, 0.0], &[-1.0, 0.0], 2, &mut scores);
        assert_eq!(scores, [1.0]);
    }

    #[test]
    fn neighborhoods_are_means_of_the_largest() {
        let of = |values: &[f32]| Similarity::OF_WORDS.nearness(&mut values.iter().copied());
        assert_eq!(of(&[0.25, 1.0, 0.5, 0.75, -1.0]), 0.75);
        assert_eq!(of(&[0.5, 0.0]), 0.25);
        assert_eq!(of(&[]), 0.0);
    }
}
