//! The state of a training in a file: what is needed to count a part, and to go on from its counts.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::state::TrainingState;
use super::words::{PartFacts, WholeText};
use crate::bitext::Text;
use crate::error::Result;
use crate::lexicon::characters::CharacterModel;
use crate::lexicon::{PairIndex, PairTable};
use crate::model::config::AlignerConfig;
use crate::model::em::back_off::{BackOff, Level};
use crate::model::em::expectation::PreviousPass;
use crate::model::em::parameters::{Direction, Parameters, TRANSLATION_FLOOR};
use crate::model::em::training::Between;
use crate::model::identity::StoredConfig;
use crate::model::refinement::leave_one_out::{Contributions, Ibm1Memory};
use crate::model::saved::header::{self, FileKind, PROBABILITIES, StoredForm};
use crate::parallel::Parallelism;
use crate::storage::{Container, ContainerWriter};

const FORMAT: &str = "alinea training state";
const VERSION: u32 = 1;
const FILE_KIND: FileKind = FileKind { what: "the state of a training", format: FORMAT, version: VERSION };

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    version: u32,
    program: String,
    parts: Vec<PartFacts>,
    form: StoredForm,
    config: StoredConfig,
    passes_done: u32,
    /// Whether each part keeps what it added to the counts of the pass before.
    parts_remember: bool,
}

impl TrainingState {
    /// Writes a file. After the last pass [`finish`](Self::finish) writes the model instead.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        let Self { whole, config, index, levels, given, between } = self;
        let Between { passes_done, parameters, previous, characters, log_likelihoods, sums: _ } = between;
        let header = Header {
            format: FORMAT.to_owned(),
            version: VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            parts: whole.parts().to_vec(),
            form: StoredForm::of(whole.form()),
            config: StoredConfig::of(config),
            passes_done: *passes_done,
            parts_remember: matches!(previous, PreviousPass::Hmm(_)),
        };
        let mut file = ContainerWriter::new(serde_json::to_string(&header)?);
        whole.store(&mut file);
        index.store(&mut file);
        let Parameters { translation, forward, reverse, back_off } = parameters;
        file.add_owned(PROBABILITIES, translation.cells().iter().map(|cell| cell.probability).collect());
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
        let file = Container::open(path)?;
        let bad = |error: String| file.error("a header that describes a training".to_owned(), error);
        let header: Header =
            serde_json::from_value(header::read(&file, FILE_KIND)?).map_err(|error| bad(error.to_string()))?;
        let Header { parts, form, config, passes_done, parts_remember, .. } = header;
        let config = config.config().map_err(bad)??;
        let form = form.form(&file)?;
        let whole = WholeText::load(&file, parts, form)?;
        let frequencies = [whole.words().source_frequencies(), whole.words().target_frequencies()];
        let index = Arc::new(PairIndex::load(&file, frequencies)?);
        let (levels, parameters) = parameters(&file, &whole, &index, &config)?;
        let previous = match Ibm1Memory::load(&file)? {
            Some(memory) => PreviousPass::Ibm1(memory),
            None if parts_remember => PreviousPass::Hmm(Contributions::default()),
            None => PreviousPass::Nothing,
        };
        let ids: Vec<u32> = file.section("given.ids")?;
        let weights: Vec<f32> = file.section_of("given.weights", ids.len())?;
        if !ids.is_sorted_by(|a, b| a < b) || ids.last().is_some_and(|&last| last as usize >= index.ids()) {
            return Err(file.error("`given.ids` of pairs in ascending order".to_owned(), "others".to_owned()));
        }
        let given = ids.into_iter().zip(weights).collect();
        let log_likelihoods: Vec<[u64; 2]> = file.section("log_likelihoods")?;
        let between = Between {
            passes_done,
            parameters,
            previous,
            characters: CharacterModel::load(&file)?,
            log_likelihoods: log_likelihoods.into_iter().map(|both| both.map(f64::from_bits)).collect(),
            sums: None,
        };
        Ok(Self { whole, config, index, levels, given, between })
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
    let probabilities: Vec<[f32; 2]> = file.section_of(PROBABILITIES, index.ids())?;
    let mut translation = PairTable::new(index.ids(), TRANSLATION_FLOOR, &Parallelism::serial());
    translation
        .cells_mut()
        .iter_mut()
        .zip(probabilities)
        .for_each(|(cell, probability)| cell.probability = probability);
    let [source, target] = [&words.bitext().source, &words.bitext().target].map(Text::vocabulary);
    let forward = Direction::read(file, "forward", config, target, source.len())?;
    let reverse = Direction::read(file, "reverse", config, source, target.len())?;
    Ok((levels.into(), Parameters { translation, forward, reverse, back_off }))
}
