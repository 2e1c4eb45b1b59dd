//! How probable a model finds the words of one side of a sentence pair, given the other side and how many they are.
//!
//! Posteriors come from weights that are more than a model's probabilities: messages about fertilities, an end factor, and
//! jumps that depend on the kind of the word that they lead to. Their sums over all alignments compare alignments of one
//! pair, and no two pairs: they depend on lengths and frequencies, and many are above one. Here all of that is left out,
//! and what remains is the HMM (or Model 1) as a distribution over sentences f_1..f_J,
//!
//! ```text
//! P(f | e, J) = sum over paths of prod over j of ( (1-p0) min(1, t(f_j|e_i)) a(i|i', k)   or   p0 p(f_j|empty) )
//! ```
//!
//! with k the kind of f_{j-1}, and a(i|i', k) from the weights s of all classes of jumps with that k, added up. Of each
//! state (i', k) the factors of all steps and words add up to one, and so does P over all f of J words of the vocabulary,
//! save for probabilities that were raised to their floors. Of a pair that was trained on, t and p are those without its
//! self-counts: P is what the rest of the text says of it.
//!
//! Two kinds of t are estimates, whose sum may be more than one, and for which there is the bound of 1: those without own
//! counts, which are taken away to within an approximation (`leave_one_out`), and those of words that a saved model has
//! not met together (`unmet`), which take nothing away from those that it has.

use crate::model::em::pass::Stage;
use crate::model::pair::jump_cache::JumpCache;
use crate::model::pair::jumps::JumpTable;
use crate::model::pair::lattice::{Lattice, LatticeInput, NEGLIGIBLE};
use crate::numeric::simd::{padded, sum};

/// What is known of one direction of a pair: the weighted probabilities of the grid, a row for each distinct generated
/// word; the row of each generated token; p0 p(word | empty word) and the class of the jump by token.
#[derive(Debug, Clone, Copy)]
pub(in crate::model) struct Generated<'a> {
    pub(in crate::model) rows: &'a [f32],
    pub(in crate::model) slots: &'a [u32],
    pub(in crate::model) null: &'a [f32],
    pub(in crate::model) classes: &'a [u8],
    /// The number of conditioning words.
    pub(in crate::model) states: usize,
    /// What a weighted probability is at most: the weight.
    pub(in crate::model) most: f32,
}

/// Judges one pair after another in the same buffers.
#[derive(Debug, Clone, Default)]
pub(in crate::model) struct Likelihood {
    table: Option<JumpTable>,
    jumps: JumpCache,
    lattice: Lattice,
    bounded: Vec<f32>,
    classes: Vec<u8>,
    room: Vec<f32>,
}

impl Likelihood {
    /// ln P, at most 0. O(J I) under Model 1, under the HMM as half of its posteriors.
    #[inline(always)]
    pub(in crate::model) fn of(&mut self, generated: Generated<'_>, stage: Stage, jumps: &JumpTable) -> f64 {
        let Generated { rows, slots, null, classes, states, most } = generated;
        let stride = padded(states);
        self.bounded.clear();
        self.bounded.extend(rows.iter().map(|weighted| weighted.min(most)));
        let log = match stage {
            Stage::Ibm1 => {
                let row = |slot: u32| &self.bounded[slot as usize * stride..][..stride];
                slots.iter().zip(null).map(|(&slot, null)| f64::from(sum(row(slot)) + null).ln()).sum()
            }
            Stage::Hmm => {
                let table = self.table.get_or_insert_with(|| jumps.to_any_word());
                self.classes.clear();
                self.classes.extend(classes.iter().map(|class| class % table.classes() as u8));
                let (table, jumps) = self.jumps.of(table, states);
                let (emission, classes) = (&self.bounded[..], &self.classes[..]);
                let input = LatticeInput { emission, slots, null, jumps, table, classes, negligible: NEGLIGIBLE };
                self.room.resize(slots.len() * stride, 0.0);
                self.lattice.log_likelihood(input, &mut self.room)
            }
        };
        // Sums of single precision may be above one by their rounding errors.
        log.min(0.0)
    }
}
