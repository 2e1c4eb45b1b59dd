//! Emissions and posteriors of one direction, row by row, and what is known of a pair as a whole: borrowed from whoever
//! computed them.
//!
//! A row belongs to a generated word, a column to a position of the other side. Rows are padded with zeros to full vectors.

use crate::bitext::WordId;
use crate::numeric::simd::for_each_above;

/// The emissions of one direction.
#[derive(Debug, Clone, Copy)]
pub(in crate::model) struct Emission<'a> {
    /// Weighted probabilities: a padded row for each distinct generated word.
    pub(in crate::model) rows: &'a [f32],
    /// The row of each generated token.
    pub(in crate::model) slots: &'a [u32],
    /// The words of the positions.
    pub(in crate::model) positions: &'a [WordId],
}

/// P(position | generated word) of one direction: a row for each generated word, of this length, which may be longer than
/// there are positions.
#[derive(Debug, Clone, Copy)]
pub(in crate::model) struct Rows<'w> {
    pub(in crate::model) posterior: &'w [f32],
    pub(in crate::model) stride: usize,
}

impl<'w> Rows<'w> {
    /// The posterior of a generated word for a position.
    #[inline(always)]
    pub(in crate::model) fn of_cell(self, generated: u32, position: u32) -> f32 {
        self.posterior[generated as usize * self.stride + position as usize].min(1.0)
    }

    /// The posteriors of a row, not yet cut at 1; there are so many positions.
    pub(in crate::model) fn row(&self, generated: usize, positions: usize) -> &'w [f32] {
        &self.posterior[generated * self.stride..][..positions]
    }

    /// Visits the cells above a value, row and position, row by row; there are so many positions.
    pub(in crate::model) fn for_each_above(self, least: f32, positions: usize, mut visit: impl FnMut(u32, u32)) {
        for (generated, row) in self.posterior.chunks_exact(self.stride).enumerate() {
            for_each_above(&row[..positions], least, |position, _| visit(generated as u32, position as u32));
        }
    }
}

/// What is known of a pair as a whole, forward and reverse: the logarithms of the weights of all alignments, and of the
/// probability of what is generated if somebody asked for it.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::model) struct Logs {
    pub(in crate::model) weights: [f64; 2],
    pub(in crate::model) likelihoods: Option<[f64; 2]>,
}

impl std::iter::Sum for Logs {
    /// Those of stretches that are generated each for itself.
    fn sum<I: Iterator<Item = Self>>(logs: I) -> Self {
        let add = |[a, b]: [f64; 2], [c, d]: [f64; 2]| [a + c, b + d];
        let nothing = Self { weights: [0.0; 2], likelihoods: Some([0.0; 2]) };
        logs.fold(nothing, |sum, logs| Self {
            weights: add(sum.weights, logs.weights),
            likelihoods: sum.likelihoods.zip(logs.likelihoods).map(|(sum, logs)| add(sum, logs)),
        })
    }
}
