//! The state of a training in a file: what is needed to count a part, and to go on from its counts.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use super::restricted::directions;
use super::state::TrainingState;
use super::stored_state::{FORMAT, Header, StoredState, VERSION};
use super::words::WholeText;
use crate::error::Result;
use crate::lexicon::characters::CharacterModel;
use crate::lexicon::{PairIndex, PairTable};
use crate::model::config::AlignerConfig;
use crate::model::em::back_off::{BackOff, Level};
use crate::model::em::expectation::PreviousPass;
use crate::model::em::parameters::{Parameters, TRANSLATION_FLOOR};
use crate::model::em::training::Between;
use crate::model::identity::StoredConfig;
use crate::model::refinement::leave_one_out::{Contributions, Ibm1Memory};
use crate::model::saved::header::{PROBABILITIES, StoredForm};
use crate::parallel::Parallelism;
use crate::storage::{Container, ContainerWriter, SectionStream};

impl TrainingState {
    /// Writes a file. After the last pass [`finish`](Self::finish) writes the model instead.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        let Self { whole, config, index, levels, given, between, identity, pruned } = self;
        let Between { passes_done, parameters, previous, characters, log_likelihoods, sums: _ } = between;
        let header = Header {
            format: FORMAT.to_owned(),
            version: VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            parts: whole.parts().to_vec(),
            form: StoredForm::of(whole.form()),
            config: StoredConfig::of(config),
            identity: identity.clone(),
            pruned: pruned.clone(),
            passes_done: *passes_done,
            parts_remember: matches!(previous, PreviousPass::Hmm(_)),
        };
        let mut file = ContainerWriter::new(serde_json::to_string(&header)?);
        whole.store(&mut file);
        index.store(&mut file);
        let Parameters { translation, forward, reverse, back_off } = parameters;
        file.add_made(PROBABILITIES, || translation.probabilities());
        let texts = whole.words().bitext();
        forward.store(&mut file, "forward", texts.target.vocabulary());
        reverse.store(&mut file, "reverse", texts.source.vocabulary());
        for (n, (level, table)) in levels.iter().zip(back_off).enumerate() {
            level.store_pairs(&mut file, n, index);
            table.store(&mut file, n);
        }
        if let Some(characters) = characters {
            characters.store(&mut file);
        }
        if let PreviousPass::Ibm1(memory) = previous {
            memory.store(&mut file);
        }
        let (ids, weights): (Vec<u32>, Vec<f32>) = given.iter().copied().unzip();
        file.add_owned("given.ids", ids);
        file.add_owned("given.weights", weights);
        file.add_owned("log_likelihoods", log_likelihoods.iter().map(|both| both.map(f64::to_bits)).collect());
        file.write(to)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// `Io`; `Model` if it is not one of a training, is damaged, or has another version; `Config` for values that no model has.
    pub fn read(path: &Path) -> Result<Self> {
        let state = StoredState::open(path)?;
        let StoredState { file, whole, config, .. } = &state;
        let frequencies = [whole.words().source_frequencies(), whole.words().target_frequencies()];
        let index = Arc::new(PairIndex::load(file, frequencies)?);
        state.check_given(index.ids())?;
        let (levels, parameters) = parameters(file, whole, &index, config)?;
        let previous = match Ibm1Memory::load(file)? {
            Some(memory) => PreviousPass::Ibm1(memory),
            None if state.parts_remember => PreviousPass::Hmm(Contributions::default()),
            None => PreviousPass::Nothing,
        };
        let characters = CharacterModel::load(file)?;
        let StoredState { whole, config, given, passes_done, log_likelihoods, identity, pruned, .. } = state;
        let between = Between { passes_done, parameters, previous, characters, log_likelihoods, sums: None };
        Ok(Self { whole, config, index, levels, given, between, identity, pruned })
    }
}

/// The parameters in a file, and the levels of stems whose tables it has.
fn parameters(
    file: &Container,
    whole: &WholeText,
    index: &PairIndex,
    config: &AlignerConfig,
) -> Result<(Arc<[Level]>, Parameters)> {
    let words = whole.words();
    let lengths = [words.source_frequencies().len(), words.target_frequencies().len()];
    let (mut levels, mut back_off) = (Vec::new(), Vec::new());
    for (n, cut) in config.levels(whole.usable()).enumerate() {
        if !file.has(&format!("level{n}.counts")) {
            break;
        }
        let level = Level::load_pairs(file, n, cut, words)?;
        back_off.push(BackOff::load(file, n, level.len(), lengths)?);
        levels.push(level);
    }
    let mut translation = PairTable::new(index.ids(), TRANSLATION_FLOOR, &Parallelism::serial());
    let mut probabilities = SectionStream::of_len(file, PROBABILITIES, index.ids())?;
    for cell in translation.cells_mut() {
        if let Some(probability) = probabilities.read()? {
            cell.probability = probability;
        }
    }
    probabilities.finish()?;
    let [forward, reverse] = directions(file, whole, config)?;
    Ok((levels.into(), Parameters { translation, forward, reverse, back_off }))
}
