//! Distortion probabilities d(j | i, I, J) of Model 3 (Brown et al. 1993, section 4.4).
//!
//! For each pair of sentence lengths (I, J) in the text and each conditioning position i from 1, a distribution over
//! the places j of the generated words. It starts uniform. The M step takes relative frequencies of expected counts c,
//! mixed with a share u of the uniform distribution, and raises them to at least 1e-12:
//!
//! ```text
//! d(j | i, I, J) = (1 - u) c(j | i, I, J) / sum over j' of c(j' | i, I, J) + u / J
//! ```
//!
//! Pairs with a side of more than 100 words have no table (see `shapes`): there d is 1 / J. The words of the empty word
//! have no distortion.

use super::directed::Generated;
use super::shapes::{Conditioning, Shapes, normalize};
use super::shared_counts::SharedCounts;
use crate::bitext::RankedBitext;

/// Distortion probabilities: for each position of each shape a distribution over the places of the generated words.
#[derive(Debug)]
pub(super) struct Absolute {
    shapes: Shapes,
    values: Vec<f64>,
    /// The share of the uniform distribution.
    uniform: f64,
}

impl Absolute {
    /// All places alike.
    pub(super) fn initial(bitext: &RankedBitext, generated: Generated, uniform: f64) -> Self {
        let shapes = Shapes::of(bitext, generated);
        let mut values = vec![0.0; shapes.len()];
        for ([_, words], cells) in shapes.iter() {
            values[cells].fill(1.0 / words as f64);
        }
        Self { shapes, values, uniform }
    }

    /// Zero counts.
    pub(super) fn counts(&self) -> SharedCounts {
        SharedCounts::zeros(self.values.len())
    }

    /// Relative frequencies (Brown et al. 1993, section 4.4).
    pub(super) fn maximize(&mut self, counts: SharedCounts) {
        normalize(&self.shapes, &counts.into_values(), Conditioning::Condition, self.uniform, &mut self.values);
    }

    /// Adds ln d(j | i, I, J) to the cells of all positions but the empty word's.
    pub(super) fn add_logarithms(&self, shape: [usize; 2], links: &mut [f64]) {
        let states = shape[0] + 1;
        let cells = self.shapes.cells(shape);
        for (n, link) in links.iter_mut().enumerate().filter(|(n, _)| n % states != 0) {
            let probability = cells.clone().map_or(1.0 / shape[1] as f64, |cells| self.values[cells.start + n]);
            *link += probability.ln();
        }
    }

    /// Where the counts of a pair's cells begin, if its shape has any.
    pub(super) fn start(&self, shape: [usize; 2]) -> Option<usize> {
        self.shapes.cells(shape).map(|cells| cells.start)
    }

    /// Visits all probabilities: j from 1, i from 1, I, J.
    #[cfg(test)]
    pub(super) fn for_each(&self, mut visit: impl FnMut([usize; 4], f64)) {
        for ([conditions, words], cells) in self.shapes.iter() {
            for (n, &value) in self.values[cells].iter().enumerate().filter(|(n, _)| n % (conditions + 1) != 0) {
                visit([n / (conditions + 1) + 1, n % (conditions + 1), conditions, words], value);
            }
        }
    }
}
