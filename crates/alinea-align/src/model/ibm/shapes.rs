//! Tables over positions: a number for each j, i and pair of sentence lengths.
//!
//! A shape is a pair of lengths (I conditioning words, J generated words). A table has J rows of I + 1 cells for each shape
//! that occurs in the text, position 0 being the empty word's. Pairs with a longer side than [`LONGEST`] have no shape:
//! they are too few to estimate anything, and what is said of them is the same for all positions.

use std::collections::BTreeMap;

use super::MIN_PROBABILITY;
use super::directed::Generated;
use crate::bitext::RankedBitext;

/// The longest sentences that have shapes of their own.
pub(super) const LONGEST: usize = 100;

/// The shapes of a text.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    /// Where the cells of each shape begin, by conditioning and generated length.
    starts: BTreeMap<[usize; 2], usize>,
    cells: usize,
}

impl Shapes {
    /// All shapes of a text in one direction. O(pairs).
    pub(super) fn of(bitext: &RankedBitext, generated: Generated) -> Self {
        let mut shapes = Self::default();
        for pair in bitext.bitext().pairs().filter(|pair| !pair.has_empty_side()) {
            let (conditions, words) = generated.split(pair);
            if conditions.len() <= LONGEST && words.len() <= LONGEST {
                shapes.starts.entry([conditions.len(), words.len()]).or_default();
            }
        }
        for ([conditions, words], start) in &mut shapes.starts {
            *start = shapes.cells;
            shapes.cells += (conditions + 1) * words;
        }
        shapes
    }

    /// The cells of a shape; nothing if it has none.
    pub(super) fn cells(&self, [conditions, words]: [usize; 2]) -> Option<std::ops::Range<usize>> {
        let start = *self.starts.get(&[conditions, words])?;
        Some(start..start + (conditions + 1) * words)
    }

    /// How many cells all shapes have.
    pub(super) fn len(&self) -> usize {
        self.cells
    }

    /// All shapes with their cells.
    pub(super) fn iter(&self) -> impl Iterator<Item = ([usize; 2], std::ops::Range<usize>)> + '_ {
        self.starts.iter().map(|(&shape, &start)| (shape, start..start + (shape[0] + 1) * shape[1]))
    }
}

/// Which sums over a shape are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Conditioning {
    /// For each j, over the positions i: an alignment probability a(i | j, I, J).
    Generated,
    /// For each i, over the places j: a distortion probability d(j | i, I, J).
    Condition,
}

/// Relative frequencies from counts, none below [`MIN_PROBABILITY`]; what was never counted is left as it was. With a
/// share of the uniform distribution mixed in.
pub(super) fn normalize(shapes: &Shapes, counts: &[f64], given: Conditioning, uniform: f64, values: &mut [f64]) {
    for ([conditions, words], cells) in shapes.iter() {
        let (counts, values) = (&counts[cells.clone()], &mut values[cells]);
        let states = conditions + 1;
        let (groups, size, stride, step) = match given {
            Conditioning::Generated => (words, states, states, 1),
            Conditioning::Condition => (states, words, 1, states),
        };
        for group in 0..groups {
            let cell = |n: usize| group * stride + n * step;
            let total: f64 = (0..size).map(|n| counts[cell(n)]).sum();
            for n in 0..size {
                if total > 0.0 {
                    let share = (1.0 - uniform) * counts[cell(n)] / total + uniform / size as f64;
                    values[cell(n)] = share.max(MIN_PROBABILITY);
                }
            }
        }
    }
}
