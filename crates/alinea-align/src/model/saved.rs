//! Models in files, and text they were not trained on.
//!
//! [`Aligner::save`] writes what training learned; [`Model::open`] reads what aligning needs, and checks it. A model
//! aligns any text, in as little memory as the text is
//! given to it in: words it does not know are understood by their stems and their spelling.
//!
//! The sentence pairs a model was trained on it knows again, by a number of 64 bits, and with them what each has added to
//! the counts: so it leaves that out as training did, and aligns its own text, whole or in parts and in any order, to the
//! same links.
//!
//! ```
//! use alinea::bitext::{Bitext, RankedBitext, Text};
//! use alinea::model::{Aligner, AlignerConfig, Model, TextForm};
//! use alinea::parallel::Parallelism;
//! use alinea::progress::Silent;
//!
//! let text = |lines: &[(&str, &str)]| {
//!     let (mut source, mut target) = (Text::default(), Text::default());
//!     for (s, t) in lines {
//!         source.push_sentence(s.split(' ').map(str::as_bytes));
//!         target.push_sentence(t.split(' ').map(str::as_bytes));
//!     }
//!     Bitext::new(source, target).unwrap()
//! };
//! let known = RankedBitext::new(text(&[("the house", "la maison"), ("the flower", "la fleur"), ("a house", "une maison")]));
//! let aligner = Aligner::train(&known, AlignerConfig::default(), &Parallelism::serial(), &Silent)?;
//! let directory = tempfile::tempdir().unwrap();
//! let path = directory.path().join("en-fr.alinea");
//! let mut bytes = Vec::new();
//! aligner.save(&known, TextForm::default(), &mut bytes).unwrap();
//! std::fs::write(&path, bytes).unwrap();
//!
//! let model = Model::open(&path)?;
//! let other = text(&[("the houses", "la maison")]);
//! let (new, mut worker) = (model.read(&other), model.worker());
//! let posteriors = worker.posteriors(&new, 0).unwrap();
//! assert_eq!(posteriors.links(0.45).to_string(), "0-0 1-1");
//! # Ok::<(), alinea::error::Error>(())
//! ```

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::aligner::Aligner;
use super::back_off::Level;
use super::config::AlignerConfig;
use super::counts::split;
use super::expectation::PreviousPass;
use super::frozen::{Frozen, FrozenLevel};
use super::header;
use super::leave_one_out::{KnownPairs, SelfCounts};
use super::pair_worker::{About, PairWorker, Wanted};
use super::parameters::{Direction, Parameters, TRANSLATION_FLOOR};
use super::pass::Stage;
use super::posteriors::{Posteriors, path_links};
use super::tables::Tables;
use super::unmet::NewWords;
use crate::alignment::Alignment;
pub use crate::bitext::Side;
use crate::bitext::{Bitext, Cuts, RankedBitext, SentencePair, Text, Vocabulary, WordId};
use crate::error::Result;
use crate::format::tokens::Tokenize;
use crate::lexicon::characters::CharacterModel;
use crate::lexicon::{PairIndex, PairTable, Probabilities, StemCutter};
use crate::parallel::Parallelism;
use crate::storage::{Container, ContainerWriter};

/// How the text that a model was trained on was read; other text should be read so too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextForm {
    /// Whether words are compared in lower case.
    pub lowercase: bool,
    /// How lines are cut into words.
    pub tokenize: Tokenize,
}

impl Default for TextForm {
    fn default() -> Self {
        Self { lowercase: true, tokenize: Tokenize::None }
    }
}

/// What the header of a model says.
#[derive(Debug, Serialize)]
struct Header {
    format: &'static str,
    version: u32,
    program: &'static str,
    #[serde(flatten)]
    description: Description,
}

/// What it says of this model, once it is known to be one.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Description {
    signature: String,
    config: AlignerConfig,
    form: TextForm,
    /// Sentence pairs with words on both sides.
    pairs: usize,
    /// Whether links come from the HMM.
    hmm: bool,
}

const FORMAT: &str = "alinea model";

/// The version of files that are written, and the only one that is read.
pub const MODEL_VERSION: u32 = 2;

/// The most words that a text is believed to have on one side: with two bytes each, more than any disk has.
const MOST_WORDS: u128 = 1 << 48;

const SIDES: [&str; 2] = ["source", "target"];
pub(super) const PROBABILITIES: &str = "lexicon.probabilities";

impl Aligner {
    /// Writes the model that was trained on this text. (One that was adapted knows the words and pairs of its text alone.)
    ///
    /// # Errors
    /// What the writer says.
    ///
    /// # Panics
    /// If it was trained on another text.
    pub fn save(&self, bitext: &RankedBitext, form: TextForm, to: &mut dyn Write) -> io::Result<()> {
        let texts = [&bitext.bitext().source, &bitext.bitext().target];
        let frequencies = [bitext.source_frequencies(), bitext.target_frequencies()];
        let Parameters { translation, forward, reverse, back_off } = self.parameters();
        assert_eq!([reverse.null.len(), forward.null.len()], texts.map(|text| text.vocabulary().len()), "its own text");
        let description = Description {
            signature: self.signature(),
            config: self.config().clone(),
            form,
            pairs: self.pairs,
            hmm: self.schedule().hmm > 0,
        };
        let header = Header { format: FORMAT, version: MODEL_VERSION, program: env!("CARGO_PKG_VERSION"), description };
        let mut file = ContainerWriter::new(serde_json::to_string(&header)?);
        for ((side, text), frequencies) in SIDES.into_iter().zip(texts).zip(frequencies) {
            text.vocabulary().store(&mut file, &format!("words.{side}"));
            file.add(format!("words.{side}.frequencies"), frequencies);
        }
        self.index().store(&mut file);
        file.add_owned(PROBABILITIES, translation.cells().iter().map(|cell| cell.probability).collect());
        forward.store(&mut file, "forward", texts[1].vocabulary());
        reverse.store(&mut file, "reverse", texts[0].vocabulary());
        for (n, (level, back_off)) in self.levels.iter().zip(back_off).enumerate() {
            level.store(&mut file, (n, back_off), self.index(), texts.map(Text::vocabulary));
        }
        if let Some(characters) = &self.characters {
            characters.store(&mut file);
        }
        if let Some(sums) = &self.sums {
            let (ids, counts) = split(&translation.counts());
            file.add_owned("counts.ids", ids);
            file.add_owned("counts.counts", counts);
            sums.store(&mut file, "counts.");
        }
        if let PreviousPass::Hmm(contributions) = &self.before {
            KnownPairs::store(&mut file, (bitext.in_stretches(), &self.distinct), contributions);
        }
        file.write(to)
    }
}

/// A trained model in a file. Immutable; every thread aligns with a [`ModelWorker`] of its own.
#[derive(Debug)]
pub struct Model {
    pub(super) file: Container,
    description: Description,
    index: PairIndex,
    levels: Vec<Level>,
    pub(super) parameters: Parameters,
    pub(super) frozen: Frozen,
    /// How often the words of both sides occurred, falling.
    pub(super) frequencies: [Vec<u64>; 2],
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

    /// A model in memory, as [`Aligner::save`] writes it.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
        Self::of_container(Container::of_bytes("<memory>".to_owned(), bytes)?)
    }

    fn of_container(file: Container) -> Result<Self> {
        let description = description(&file)?;
        let config = &description.config;
        let [source, target] = [load_words(&file, 0)?, load_words(&file, 1)?];
        let by_word = [&source.1[..], &target.1[..]];
        let index = PairIndex::load(&file, by_word)?;
        let probabilities = file.section_of(PROBABILITIES, index.ids())?;
        let words = [source.0, target.0];
        let (mut levels, mut back_off, mut frozen_levels) = (Vec::new(), Vec::new(), Vec::new());
        for (n, cut) in config.levels(description.pairs).enumerate() {
            let (level, table, stems) = Level::load(&file, (n, cut), by_word)?;
            let cutters = words.each_ref().map(|words| StemCutter::new(cut.letters, cut.rule, words.words()));
            frozen_levels.push(FrozenLevel::new(cutters, stems, &level, [table.by(0), table.by(1)]));
            levels.push(level);
            back_off.push(table);
        }
        let forward = Direction::load(&file, "forward", config, (&words[1], words[0].len()))?;
        let reverse = Direction::load(&file, "reverse", config, (&words[0], words[1].len()))?;
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

    /// How many different sentence pairs it knows again.
    pub fn known_pairs(&self) -> usize {
        self.known.as_ref().map_or(0, KnownPairs::len)
    }

    /// The words of both sides, the most frequent first.
    pub fn words(&self) -> [&Vocabulary; 2] {
        self.frozen.words.each_ref()
    }

    /// The pairs of words it knows.
    pub fn index(&self) -> &PairIndex {
        &self.index
    }

    /// The words that a word of one side was met with, the most probable first: p(other word | this word), and the other
    /// word. Nothing if the model does not know it. O(pairs of the lexicon).
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

    /// Finds the words of a text. O(words of the vocabularies + tokens).
    pub fn read<'t>(&self, text: &'t Bitext) -> NewText<'t> {
        let mut new = NewWords::default();
        let ids = [&text.source, &text.target].map(Text::vocabulary);
        let ids = [0, 1].map(|side| self.frozen.ids_of(side, ids[side], &mut new));
        let tokens = |side: usize, text: &Text| -> Vec<WordId> {
            text.tokens().iter().map(|word| ids[side][word.index()]).collect()
        };
        let [source, target] = [tokens(0, &text.source), tokens(1, &text.target)];
        NewText { source, target, text, new: Arc::new(new), cuts: Cuts::of(text) }
    }

    /// Which share of the tokens of each side are of words that the model does not know.
    pub fn unknown_shares(&self, text: &Bitext) -> [f64; 2] {
        let share = |side: usize, text: &Text| {
            let known = text.vocabulary().words().map(|word| self.frozen.words[side].id(word).is_some());
            let known: Vec<bool> = known.collect();
            let unknown = text.tokens().iter().filter(|word| !known[word.index()]).count();
            unknown as f64 / text.token_count().max(1) as f64
        };
        [share(0, &text.source), share(1, &text.target)]
    }

    /// The buffers for one thread.
    pub fn worker(&self) -> ModelWorker<'_> {
        ModelWorker { model: self, buffers: PairWorker::new(self.tables()), paths: [Vec::new(), Vec::new()] }
    }

    pub(super) fn tables(&self) -> Tables<'_> {
        let Self { index, levels, parameters, frozen, .. } = self;
        Tables { index, levels, parameters, config: self.config(), frozen: Some(frozen) }
    }

    /// Whether links come from the HMM.
    pub(super) fn is_hmm(&self) -> bool {
        self.description.hmm
    }

    /// What a pair added to the counts, if the model was trained on it.
    fn own(&self, pair: SentencePair<'_>) -> SelfCounts<'_> {
        self.known.as_ref().map_or(SelfCounts::Nothing, |known| known.own(pair))
    }

    fn stage(&self) -> Stage {
        if self.description.hmm { Stage::Hmm } else { Stage::Ibm1 }
    }
}

/// The words of one side, and how often each occurred.
fn load_words(file: &Container, side: usize) -> Result<(Vocabulary, Vec<u64>)> {
    let name = format!("words.{}", SIDES[side]);
    let words = Vocabulary::load(file, &name)?;
    let frequencies = file.section_of::<u64>(&format!("{name}.frequencies"), words.len())?;
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

fn description(file: &Container) -> Result<Description> {
    let bad = |error: serde_json::Error| file.error("a header that describes the model".to_owned(), error.to_string());
    let header = header::read(file, ("a model", FORMAT, MODEL_VERSION))?;
    let description: Description = serde_json::from_value(header).map_err(bad)?;
    description.config.validate()?;
    Ok(description)
}

/// A text with the numbers that a model has for its words.
#[derive(Debug)]
pub struct NewText<'t> {
    text: &'t Bitext,
    source: Vec<WordId>,
    target: Vec<WordId>,
    new: Arc<NewWords>,
    cuts: Cuts,
}

impl NewText<'_> {
    /// The number of sentence pairs.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether there is no pair.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The text itself.
    pub fn bitext(&self) -> &Bitext {
        self.text
    }

    /// How many pairs are so long that they are aligned in stretches.
    pub fn cut_pairs(&self) -> usize {
        self.cuts.number()
    }

    /// The `n`-th pair.
    ///
    /// # Panics
    /// If there is no such pair.
    pub fn pair(&self, n: usize) -> SentencePair<'_> {
        let source = &self.source[self.text.source.range(n)];
        SentencePair { source, target: &self.target[self.text.target.range(n)], cuts: self.cuts.of_pair(n) }
    }
}

/// Aligns one pair after another in the same buffers.
#[derive(Debug, Clone)]
pub struct ModelWorker<'m> {
    model: &'m Model,
    buffers: PairWorker<'m>,
    paths: [Vec<Option<u32>>; 2],
}

impl ModelWorker<'_> {
    /// The same, whose posteriors come with [log-likelihoods](Posteriors::log_likelihoods) and
    /// [scores](Posteriors::scores). They take half as much time again.
    #[must_use]
    pub fn judging(self) -> Self {
        Self { buffers: self.buffers.wanting(Wanted::Both), ..self }
    }

    /// Says that a pair will be asked for, after those announced before it. Only time depends on it.
    pub fn announce(&mut self, text: &NewText<'_>, n: usize) {
        self.buffers.run_announce(text.pair(n));
    }

    /// Whether the pair is new to the model, or a stretch of it; nothing if one side is empty.
    fn run(&mut self, text: &NewText<'_>, n: usize, wants_paths: bool) -> Option<bool> {
        let Self { model, buffers, paths } = self;
        let pair = text.pair(n);
        if pair.has_empty_side() {
            return None;
        }
        let about = |_, stretch: SentencePair<'_>| About { own: model.own(stretch), links: None, advice: &[] };
        buffers.learn_words(&text.new);
        buffers.decode(pair, model.stage(), about, wants_paths.then_some(paths));
        Some(pair.stretches().any(|(_, stretch)| matches!(model.own(stretch), SelfCounts::Nothing)))
    }

    /// The posteriors of the `n`-th pair, or nothing if one side is empty.
    pub fn posteriors<'w>(&'w mut self, text: &NewText<'_>, n: usize) -> Option<Posteriors<'w>> {
        let new = self.run(text, n, false)?;
        Some(self.buffers.found(text.pair(n)).of_new(new))
    }

    /// Posteriors, and the best paths of both directions as links; nothing if one side is empty.
    pub fn posteriors_and_viterbi<'w>(
        &'w mut self,
        text: &NewText<'_>,
        n: usize,
    ) -> Option<(Posteriors<'w>, [Alignment; 2])> {
        let new = self.run(text, n, true)?;
        let paths = path_links(&self.paths);
        Some((self.buffers.found(text.pair(n)).of_new(new), paths))
    }
}
