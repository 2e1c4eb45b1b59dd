//! Opening a saved model.
//!
//! [`Model::open`] reads and checks what aligning needs: header, vocabularies, pair index, probabilities, levels of
//! stems, both directions, character model, and the self-counts of the training text. The counts of the last pass,
//! about half of the file, stay there until merging or pruning asks for them (`known_counts`).
//!
//! Nothing in the file is trusted: numbers that lead into other arrays are either checked on opening or looked up with
//! a bounds check each time. The pair table of the parameters stays empty: the probabilities are in `frozen`, and
//! `unmet` computes those that the model does not have.

use std::io::Write;
use std::path::Path;

use crate::bitext::{SentencePair, Side, Vocabulary, WordId};
use crate::error::Result;
use crate::lexicon::characters::CharacterModel;
use crate::lexicon::{PairIndex, PairTable, Probabilities, StemCutter};
use crate::model::config::AlignerConfig;
use crate::model::em::back_off::Level;
use crate::model::em::parameters::{Direction, Parameters, TRANSLATION_FLOOR};
use crate::model::em::pass::Stage;
use crate::model::em::tables::Tables;
use crate::model::refinement::leave_one_out::{KnownPairs, SelfCounts};
use crate::model::saved::frozen::{Frozen, FrozenLevel};
use crate::model::saved::header::{Description, PROBABILITIES, SIDES, TextForm};
use crate::parallel::Parallelism;
use crate::storage::Container;

/// The most words that a text is believed to have on one side: with two bytes each, more than any disk has.
const MOST_WORDS: u128 = 1 << 48;

/// A trained model in a file. Immutable; every thread aligns with a [`ModelWorker`](crate::model::ModelWorker) of its own.
#[derive(Debug)]
pub struct Model {
    pub(in crate::model) file: Container,
    description: Description,
    index: PairIndex,
    levels: Vec<Level>,
    pub(in crate::model) parameters: Parameters,
    pub(in crate::model) frozen: Frozen,
    /// How often the words of both sides occurred, falling.
    pub(in crate::model) frequencies: [Vec<u64>; 2],
    known: Option<KnownPairs>,
}

impl Model {
    /// Opens a model (`-`: standard input). All that aligning needs is read and checked; its counts, which are half of it,
    /// are read when something asks for them. O(bytes). The file may be replaced or deleted afterwards.
    ///
    /// # Errors
    /// `Io`; `Model` if the file is none, is damaged, or has another version.
    pub fn open(path: &Path) -> Result<Self> {
        Self::of_container(Container::open(path)?)
    }

    /// A model in memory, as [`Aligner::save`](crate::model::Aligner::save) writes it.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
        Self::of_container(Container::of_bytes("<memory>".to_owned(), bytes)?)
    }

    fn of_container(file: Container) -> Result<Self> {
        let description = Description::of(&file)?;
        let config = &description.config;
        let [source, target] = [load_words(&file, 0)?, load_words(&file, 1)?];
        let by_word = [&source.1[..], &target.1[..]];
        let index = PairIndex::load(&file, by_word)?;
        let probabilities = file.section_of(PROBABILITIES, index.ids())?;
        let words = [source.0, target.0];
        let (mut levels, mut back_off, mut frozen_levels) = (Vec::new(), Vec::new(), Vec::new());
        for (n, cut) in config.levels(description.pairs).enumerate() {
            let (level, table, stems) = Level::load(&file, n, cut, by_word)?;
            let cutters = words.each_ref().map(|words| StemCutter::new(cut.letters, cut.rule, words.words()));
            frozen_levels.push(FrozenLevel::new(cutters, stems, &level, [table.by(0), table.by(1)]));
            levels.push(level);
            back_off.push(table);
        }
        let forward = Direction::load(&file, "forward", config, &words[1], words[0].len())?;
        let reverse = Direction::load(&file, "reverse", config, &words[0], words[1].len())?;
        if forward.fertility.is_some() != reverse.fertility.is_some() {
            return Err(file.error("fertilities of both directions".to_owned(), "those of one".to_owned()));
        }
        let translation = PairTable::new(0, TRANSLATION_FLOOR, &Parallelism::serial());
        let parameters = Parameters { translation, forward, reverse, back_off };
        let characters = CharacterModel::load(&file)?;
        let frozen = Frozen { probabilities, words, levels: frozen_levels, characters };
        let known = KnownPairs::load(&file)?;
        let frequencies = [source.1, target.1];
        Ok(Self { file, description, index, levels, parameters, frozen, frequencies, known })
    }

    /// Writes the model again, checked; `path` is where that goes, for messages.
    ///
    /// # Errors
    /// What the writer says; `Io` and `Model` if its file was changed.
    pub fn save(&self, to: &mut dyn Write, path: &Path) -> Result<()> {
        self.file.copy(to, path)
    }

    /// Its file, for what others have added.
    pub(crate) fn file(&self) -> &Container {
        &self.file
    }

    /// How many bytes its file has.
    pub fn bytes(&self) -> u64 {
        self.file.bytes()
    }

    /// A number that models of other contents do not have.
    pub fn identity(&self) -> u64 {
        self.file.identity()
    }

    /// One line that names every choice that changed results.
    pub fn signature(&self) -> &str {
        &self.description.signature
    }

    /// The configuration it was trained with.
    pub fn config(&self) -> &AlignerConfig {
        &self.description.config
    }

    /// How the text it was trained on was read.
    pub fn form(&self) -> TextForm {
        self.description.form
    }

    /// How many sentence pairs with words on both sides it was trained on.
    pub fn pairs(&self) -> usize {
        self.description.pairs
    }

    /// The number of distinct sentence pairs of its training text.
    pub fn known_pairs(&self) -> usize {
        self.known.as_ref().map_or(0, KnownPairs::len)
    }

    /// The words of both sides, the most frequent first.
    pub fn words(&self) -> [&Vocabulary; 2] {
        self.frozen.words.each_ref()
    }

    /// The word pairs of the model.
    pub fn index(&self) -> &PairIndex {
        &self.index
    }

    /// The words that a word of one side was met with, the most probable first: p(other word | this word), and the other
    /// word. Nothing if the word is unknown to the model. O(pairs of the lexicon).
    pub fn translations(&self, of: Side, word: &[u8]) -> Option<Vec<(f32, &[u8])>> {
        let side = of as usize;
        let word = self.frozen.words[side].id(word)?.index();
        let mut found = Vec::new();
        self.index.for_each_pair(self.index.rows(), |id, source, target| {
            let [this, other] = if side == 0 { [source, target] } else { [target, source] };
            if this == word {
                found.push((self.frozen.probabilities.probability(id as u32)[side], other));
            }
        });
        found.sort_by(|(p, a), (q, b)| q.total_cmp(p).then(a.cmp(b)));
        let words = &self.frozen.words[1 - side];
        Some(found.into_iter().map(|(p, other)| (p, words.word(WordId::from_index(other)))).collect())
    }

    pub(in crate::model) fn tables(&self) -> Tables<'_> {
        let Self { index, levels, parameters, frozen, .. } = self;
        Tables { index, levels, parameters, config: self.config(), frozen: Some(frozen) }
    }

    /// Whether links come from the HMM.
    pub(in crate::model) fn is_hmm(&self) -> bool {
        self.description.hmm
    }

    /// What a pair added to the counts, if the model was trained on it.
    pub(in crate::model) fn self_counts(&self, pair: SentencePair<'_>) -> SelfCounts<'_> {
        self.known.as_ref().map_or(SelfCounts::Nothing, |known| known.self_counts(pair))
    }

    pub(in crate::model) fn stage(&self) -> Stage {
        if self.description.hmm { Stage::Hmm } else { Stage::Ibm1 }
    }
}

/// The words of one side, and how often each occurred, in any order.
pub(in crate::model) fn read_words(file: &Container, side: usize) -> Result<(Vocabulary, Vec<u64>)> {
    let name = format!("words.{}", SIDES[side]);
    let words = Vocabulary::load(file, &name)?;
    let frequencies = file.section_of::<u64>(&format!("{name}.frequencies"), words.len())?;
    Ok((words, frequencies))
}

/// The same by falling frequency.
pub(in crate::model) fn load_words(file: &Container, side: usize) -> Result<(Vocabulary, Vec<u64>)> {
    let (words, frequencies) = read_words(file, side)?;
    let name = format!("words.{}", SIDES[side]);
    let total: u128 = frequencies.iter().map(|&frequency| u128::from(frequency)).sum();
    if total > MOST_WORDS {
        return Err(
            file.error(format!("frequencies of no more than {MOST_WORDS} words in `{name}`"), total.to_string())
        );
    }
    if words.is_empty() || !frequencies.is_sorted_by(|a, b| a >= b) {
        return Err(file.error(format!("`{name}` by falling frequency"), format!("{} words", words.len())));
    }
    Ok((words, frequencies))
}
