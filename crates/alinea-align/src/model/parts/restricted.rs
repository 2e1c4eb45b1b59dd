//! What a state says of the pairs of words of one part, by the numbers that these have there.
//!
//! The arrays of a state are read once, from their first number to their last, and only what is said of pairs of the part is kept: so
//! memory grows with the part, and with the words of the whole.

use super::prune::fill_pruned;
use super::stored_state::StoredState;
use super::words::WholeText;
use crate::bitext::Text;
use crate::error::Result;
use crate::lexicon::characters::CharacterModel;
use crate::lexicon::{IdsInFile, PairIndex, PairTable};
use crate::model::config::AlignerConfig;
use crate::model::em::back_off::{BackOff, Level};
use crate::model::em::parameters::{Direction, Parameters, TRANSLATION_FLOOR};
use crate::model::refinement::leave_one_out::Ibm1Memory;
use crate::model::saved::header::PROBABILITIES;
use crate::parallel::Parallelism;
use crate::storage::Container;

/// The parameters of a state for the pairs of a part.
pub(super) struct Restricted {
    pub(super) parameters: Parameters,
    /// What Model 1 said before its last M-step, if the state knows it.
    pub(super) ibm1: Option<Ibm1Memory>,
    /// The ids that the pairs of the part have in the whole, ascending as those of the part; of those that are not there, none.
    pub(super) ids: Vec<u32>,
}

impl Restricted {
    /// Finds them; given are the pairs of the part, and their pairs of stems. O(size of the file).
    ///
    /// # Errors
    /// `Model` if the file is damaged, or has not all of these pairs; `Io`.
    pub(super) fn to(
        index: &PairIndex,
        levels: &[Level],
        state: &StoredState,
        parallelism: &Parallelism,
    ) -> Result<Self> {
        let StoredState { file, whole, config, .. } = state;
        let frequencies = [whole.words().source_frequencies(), whole.words().target_frequencies()];
        let ids = index.ids_in(file, frequencies, !state.pruned.is_empty())?;
        state.check_given(ids.of)?;
        let mut translation = PairTable::new(index.ids(), TRANSLATION_FLOOR, parallelism);
        let cells = translation.cells_mut();
        ids.select(file, PROBABILITIES, |id, probability| cells[id].probability = probability)?;
        let kappa = config.prior.as_ref().filter(|_| !state.pruned.is_empty()).map(|prior| prior.stem_pair);
        let back_off = back_off(file, index, levels, frequencies.map(<[u64]>::len), kappa)?;
        let [forward, reverse] = directions(file, whole, config)?;
        let ibm1 = Ibm1Memory::load_some(file, &ids)?;
        // Only the M-step asks how words are spelled; but no part counts under a state that is damaged.
        CharacterModel::load(file)?;
        let IdsInFile { ids, .. } = ids;
        let mut parameters = Parameters { translation, forward, reverse, back_off };
        if !state.pruned.is_empty() {
            fill_pruned((index, &ids), levels, config, &mut parameters);
        }
        Ok(Self { parameters, ibm1, ids })
    }
}

/// What the tables of the levels of stems say, those that the file has.
fn back_off(
    file: &Container,
    index: &PairIndex,
    levels: &[Level],
    lengths: [usize; 2],
    kappa: Option<f32>,
) -> Result<Vec<BackOff>> {
    let there = levels.iter().enumerate().take_while(|(n, _)| file.has(&format!("level{n}.counts")));
    there.map(|(n, level)| level.back_off_in(file, n, index, lengths, kappa)).collect()
}

/// What both directions have for themselves in a file.
pub(super) fn directions(file: &Container, whole: &WholeText, config: &AlignerConfig) -> Result<[Direction; 2]> {
    let bitext = whole.words().bitext();
    let [source, target] = [&bitext.source, &bitext.target].map(Text::vocabulary);
    Ok([
        Direction::read(file, "forward", config, target, source.len())?,
        Direction::read(file, "reverse", config, source, target.len())?,
    ])
}
