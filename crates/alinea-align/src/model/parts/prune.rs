//! Fewer pairs of words on the way: those that were hardly ever counted leave the index of a training.
//!
//! Most pairs of words that occur together are never linked, and after a few passes their expected counts say so. Pairs with fewer than
//! a limit in both directions leave; those that a dictionary gives, or whose words are alike, stay. What a part has of other pairs is
//! as probable as pairs that a model has never met ([`unmet`](crate::model::saved)),
//!
//! ```text
//! t(f|e) = [ alpha + sum over l of mu_l g_l(f|e) ] / mass(e)
//! ```
//!
//! and is counted no more. So states, counts and the maximization step are smaller in the passes that follow.

use std::sync::Arc;

use super::prune_limit::{PruneLimit, Pruned};
use super::state::TrainingState;
use crate::error::Result;
use crate::lexicon::{IdsInFile, PairIndex, PairTable};
use crate::model::config::AlignerConfig;
use crate::model::em::back_off::Level;
use crate::model::em::expectation::PreviousPass;
use crate::model::em::parameters::{Parameters, TRANSLATION_FLOOR};
use crate::model::em::training::Between;
use crate::parallel::Parallelism;

impl TrainingState {
    /// The same without the pairs that do not stay, by id. O(pairs).
    ///
    /// # Errors
    /// None of its own.
    pub(super) fn pruned(self, limit: PruneLimit, stays: &[bool], parallelism: &Parallelism) -> Result<Self> {
        let Self { whole, config, index, levels, given, mut between, identity, mut pruned } = self;
        let frequencies = [whole.words().source_frequencies(), whole.words().target_frequencies()];
        let (smaller, ids) = index.filtered(frequencies, |id| stays[id])?;
        let levels: Arc<[Level]> = levels.iter().map(|level| level.listed(&index)).collect();
        let given = smaller_list(&given, &ids);
        let Between { parameters, previous, .. } = &mut between;
        let mut translation = PairTable::new(smaller.ids(), TRANSLATION_FLOOR, parallelism);
        for (cell, &id) in translation.cells_mut().iter_mut().zip(&ids).filter(|(_, id)| **id != IdsInFile::NO_PAIR) {
            cell.probability = parameters.translation.cells()[id as usize].probability;
        }
        parameters.translation = translation;
        if let PreviousPass::Ibm1(memory) = previous {
            memory.retain(&ids);
        }
        pruned.push(Pruned::new(between.passes_done, limit));
        Ok(Self { whole, config, index: Arc::new(smaller), levels, given, between, identity, pruned })
    }
}

/// What a list by ascending id says of those that are left, which had these ids.
fn smaller_list(list: &[(u32, f32)], ids: &[u32]) -> Vec<(u32, f32)> {
    let mut left = list.iter().peekable();
    let mut smaller = Vec::with_capacity(list.len());
    for (id, &before) in (0..).zip(ids).filter(|(_, before)| **before != IdsInFile::NO_PAIR) {
        while left.next_if(|(other, _)| *other < before).is_some() {}
        smaller.extend(left.next_if(|(other, _)| *other == before).map(|&(_, value)| (id, value)));
    }
    smaller
}

/// Sets the probabilities of the pairs of a part that are not in the index of the training any more; given are the ids that the others
/// have there. O(pairs of the part).
pub(super) fn fill_pruned(
    (index, ids): (&PairIndex, &[u32]),
    levels: &[Level],
    config: &AlignerConfig,
    parameters: &mut Parameters,
) {
    let Some(prior) = &config.prior else { return };
    let Parameters { translation, forward, reverse, back_off } = parameters;
    let cells = translation.cells_mut();
    index.for_each_pair(index.rows(), |id, source, target| {
        if ids[id] == IdsInFile::NO_PAIR {
            let mut numerators = [prior.pair; 2];
            for (level, back_off) in levels.iter().zip(&*back_off) {
                let words = [source, target];
                let backed = back_off.of(level, level.pair(id, words), source, target);
                numerators = [numerators[0] + backed[0], numerators[1] + backed[1]];
            }
            let mass = [forward.mass.get(source), reverse.mass.get(target)];
            for (side, probability) in cells[id].probability.iter_mut().enumerate() {
                *probability = mass[side].map_or(0.0, |mass| numerators[side] / mass).max(TRANSLATION_FLOOR);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_ids_follow() {
        const NONE: u32 = IdsInFile::NO_PAIR;
        let list = [(1, 0.1), (4, 0.4), (5, 0.5), (9, 0.9)];
        assert_eq!(smaller_list(&list, &[0, 4, NONE, 5, 8, 9, 10]), [(1, 0.4), (3, 0.5), (5, 0.9)]);
        assert_eq!(smaller_list(&list, &[]), []);
        assert_eq!(smaller_list(&[], &[1, NONE, 2]), []);
    }
}
