//! Dropping the pairs of words that have next to nothing.
//!
//! A pair stays if its numerator (expected count, pseudo-counts and back-off, see the [parent module](super)) is at
//! least the threshold in one of the directions, or if its words are alike. A pair that is dropped has its pseudo-count
//! alpha and no more:
//!
//! ```text
//! t(f|e) = alpha / mass(e) ,        mass(e) the denominator of t(f|e)
//! ```
//!
//! which is what the denominator has for it in the next M-step too. The denominators of the last M-step stay as they
//! are.

use super::{Maximizer, chunks_of};
use crate::error::Result;
use crate::lexicon::IdSet;
use crate::model::parameters::Parameters;
use crate::parallel::Parallelism;

impl Maximizer {
    /// Drops all pairs that have less than `least`, after an M-step. What stays only moves to the front of its tables,
    /// so it takes no more memory meanwhile.
    ///
    /// # Errors
    /// None of its own.
    pub(in crate::model) fn prune(
        &mut self,
        least: f32,
        parameters: &mut Parameters,
        parallelism: &Parallelism,
    ) -> Result<()> {
        let Parameters { translation, forward, reverse, back_off } = parameters;
        let mut alike = IdSet::new(self.index.ids());
        for &(id, _) in self.prior.iter().flat_map(|prior| &prior.similar) {
            alike.insert(id as usize);
        }
        let keep = |id: usize, source: usize, target: usize| {
            let [given_source, given_target] = translation.probability(id as u32);
            given_source * forward.mass[source] >= least
                || given_target * reverse.mass[target] >= least
                || alike.contains(id)
        };
        let (index, kept) = self.index.pruned(&self.chunks, keep, parallelism)?;
        if index.len() == self.index.len() {
            return Ok(());
        }
        self.index = index;
        self.chunks = chunks_of(&self.index);
        translation.retain(&kept);
        if let Some(prior) = &mut self.prior {
            kept.retain_sparse(&mut prior.similar);
        }
        for (n, level) in self.levels.iter_mut().enumerate() {
            let stem_pairs = level.pairs.retain(&kept);
            if let Some(back_off) = back_off.get_mut(n) {
                back_off.retain(&stem_pairs);
            }
        }
        Ok(())
    }
}
