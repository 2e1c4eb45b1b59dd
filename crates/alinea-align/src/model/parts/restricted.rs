//! What a state says of the pairs of words of one part, by the numbers that these have there.

use super::state::TrainingState;
use crate::error::{ErrorKind, Result};
use crate::lexicon::{PairIndex, PairTable};
use crate::model::em::back_off::Level;
use crate::model::em::parameters::{Parameters, TRANSLATION_FLOOR};
use crate::parallel::Parallelism;

/// The parameters of a state for the pairs of a part.
pub(super) struct Restricted {
    pub(super) parameters: Parameters,
    /// The ids that the pairs of the part have in the whole, ascending as those of the part.
    pub(super) ids: Vec<u32>,
}

impl Restricted {
    /// Finds them; given are the pairs of the part, and their pairs of stems. O(pairs).
    ///
    /// # Errors
    /// `Inconsistent` if the state has not all of these pairs.
    pub(super) fn to(
        index: &PairIndex,
        levels: &[Level],
        state: &TrainingState,
        parallelism: &Parallelism,
    ) -> Result<Self> {
        let Parameters { translation: whole, forward, reverse, back_off } = state.parameters();
        let mut translation = PairTable::new(index.ids(), TRANSLATION_FLOOR, parallelism);
        let mut ids = vec![0; index.ids()];
        let mut counts: Vec<_> =
            back_off.iter().zip(levels).map(|(table, level)| table.of_no_pairs(level.len())).collect();
        let (cells, mut id, mut is_known) = (translation.cells_mut(), [0], true);
        index.for_each_pair(index.rows(), |own, source, target| {
            state.index().resolve(&[source as u32], &[target as u32], &mut id);
            let Some(cell) = whole.cells().get(id[0] as usize) else {
                is_known = false;
                return;
            };
            (ids[own], cells[own].probability) = (id[0], cell.probability);
            let tables = counts.iter_mut().zip(back_off);
            for ((own_table, table), (level, whole)) in tables.zip(levels.iter().zip(state.levels())) {
                let words = [source, target];
                own_table.take(level.pair(own, words), table, whole.pair(id[0] as usize, words));
            }
        });
        if !is_known {
            return Err(
                ErrorKind::Inconsistent("the part has pairs of words that the state does not have".to_owned()).into()
            );
        }
        let parameters =
            Parameters { translation, forward: forward.clone(), reverse: reverse.clone(), back_off: counts };
        Ok(Self { parameters, ids })
    }
}
