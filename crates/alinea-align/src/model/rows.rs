//! Posteriors of one direction, row by row, and what is known of a pair as a whole: borrowed from whoever computed them.

use crate::numeric::simd::for_each_above;

/// P(position | generated word) of one direction: a row for each generated word, of this length, which may be longer than
/// there are positions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows<'w> {
    pub(super) posterior: &'w [f32],
    pub(super) stride: usize,
}

impl Rows<'_> {
    /// The posterior of a generated word for a position.
    #[inline(always)]
    pub(super) fn of_cell(self, generated: u32, position: u32) -> f32 {
        self.posterior[generated as usize * self.stride + position as usize].min(1.0)
    }

    /// Visits the cells above a value, row and position, row by row; there are so many positions.
    pub(super) fn for_each_above(self, least: f32, positions: usize, mut visit: impl FnMut(u32, u32)) {
        for (generated, row) in self.posterior.chunks_exact(self.stride).enumerate() {
            for_each_above(&row[..positions], least, |position, _| visit(generated as u32, position as u32));
        }
    }
}

/// What is known of a pair as a whole, forward and reverse: the logarithms of the weights of all alignments, and of the
/// probability of what is generated if somebody asked for it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Logs {
    pub(super) weights: [f64; 2],
    pub(super) likelihoods: Option<[f64; 2]>,
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
