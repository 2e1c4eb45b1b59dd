//! The trained model.

use std::sync::Arc;

use super::back_off::Level;
use super::config::{AlignerConfig, Schedule};
use super::evidence::Evidence;
use super::expectation::{Before, Expectations};
use super::leave_one_out::Own;
use super::pair_worker::{About, PairWorker, Stage, Tables};
use super::parameters::Parameters;
use super::posteriors::Posteriors;
use super::saved::Model;
use super::supervision::{KnownLinks, Supervision};
use super::training::Training;
use crate::alignment::Alignment;
use crate::bitext::{DistinctPairs, RankedBitext, SentencePair, Weights};
use crate::error::{Error, Result};
use crate::lexicon::PairIndex;
use crate::lexicon::characters::CharacterModel;
use crate::parallel::Parallelism;
use crate::progress::Observer;

/// A trained model of both directions. Immutable; every thread aligns with a [`Worker`] of its own.
#[derive(Debug)]
pub struct Aligner {
    pub(super) config: AlignerConfig,
    pub(super) schedule: Schedule,
    pub(super) pairs: usize,
    pub(super) weights: Weights,
    pub(super) distinct: DistinctPairs,
    pub(super) index: Arc<PairIndex>,
    pub(super) levels: Arc<[Level]>,
    pub(super) parameters: Parameters,
    /// How words are spelled in the other language, if that was learned.
    pub(super) characters: Option<CharacterModel>,
    /// What the last pass added to the counts.
    pub(super) before: Before,
    /// What was known beforehand.
    pub(super) known: (KnownLinks, Given),
    /// What the last pass counted besides pairs of words.
    pub(super) sums: Option<Expectations>,
    pub(super) log_likelihoods: Vec<[f64; 2]>,
}

/// How much was given beforehand.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Given {
    /// Pairs of words that a dictionary has, and the text too.
    pub(super) word_pairs: usize,
    /// Sentence pairs with links.
    pub(super) linked: usize,
    /// Models that this one was merged from.
    pub(super) models: usize,
    /// Passes in which a model was adapted.
    pub(super) passes: usize,
}

impl Aligner {
    /// Trains on a text. Pairs with an empty side teach nothing.
    ///
    /// Time O(passes × cells), memory about 23 to 32 bytes for each distinct pair of words that co-occur.
    ///
    /// # Errors
    /// `Config` for a bad configuration, `Empty` if every pair has an empty side, `Cancelled` if the observer says so.
    pub fn train(
        bitext: &RankedBitext,
        config: AlignerConfig,
        parallelism: &Parallelism,
        observer: &dyn Observer,
    ) -> Result<Self> {
        Self::train_with(bitext, config, &Supervision::default(), parallelism, observer)
    }

    /// Trains on a text of which something is known beforehand.
    ///
    /// Cost and errors as in [`train`](Self::train).
    ///
    /// # Errors
    /// `Config` for a dictionary to a model without a prior and for links to a model without an HMM; `Inconsistent` for
    /// links that are not of the text.
    pub fn train_with(
        bitext: &RankedBitext,
        config: AlignerConfig,
        supervision: &Supervision,
        parallelism: &Parallelism,
        observer: &dyn Observer,
    ) -> Result<Self> {
        Training::new(bitext, config, supervision, parallelism, observer)?.run(parallelism, observer)
    }

    /// Adapts a saved model to a text: so many passes of the HMM over the text, whose counts come on top of what the model
    /// was taught. Jumps and fertilities stay those of the model.
    ///
    /// Time O(passes × cells of the text), memory as in [`train`](Self::train), whatever the size of the model.
    ///
    /// # Errors
    /// `Config` if the model is none in agreement, or there is no pass; `Empty` and `Cancelled` as in training.
    pub fn adapt(
        model: &Model,
        bitext: &RankedBitext,
        passes: u32,
        supervision: &Supervision,
        parallelism: &Parallelism,
        observer: &dyn Observer,
    ) -> Result<Self> {
        if !model.config().agreement || model.config().prior.is_none() {
            return Err(Error::config(
                "model",
                model.config().name,
                "agreement, agreement-loo or quality, to be adapted",
            ));
        }
        if !(1..=1000).contains(&passes) {
            return Err(Error::config("adapt", passes, "1 to 1000 passes"));
        }
        let base = Some((model, passes));
        let training = (model.config().clone().for_new_text(), supervision);
        Training::on_top_of(base, bitext, training, (parallelism, observer))?.run(parallelism, observer)
    }

    /// The configuration it was trained with.
    pub fn config(&self) -> &AlignerConfig {
        &self.config
    }

    /// The passes it was trained for.
    pub fn schedule(&self) -> Schedule {
        self.schedule
    }

    /// One line that names every choice that changed results.
    pub fn signature(&self) -> String {
        let weights = if self.weights.are_equal() { String::new() } else { format!("|weights:{}", self.weights) };
        self.config.signature(self.pairs) + &weights + &self.given_signature()
    }

    /// What was known beforehand, a dictionary, links, or models, as fields of a signature; empty if nothing was.
    pub fn given_signature(&self) -> String {
        let Given { word_pairs, linked, models, passes } = self.known.1;
        let field = |name: &str, value: usize| (value > 0).then(|| format!("|{name}:{value}"));
        let fields = [("adapt", passes), ("dictionary", word_pairs), ("links", linked), ("merged", models)];
        fields.into_iter().filter_map(|(name, value)| field(name, value)).collect()
    }

    /// How many pairs of words of the text a dictionary had that was given beforehand.
    pub fn given_word_pairs(&self) -> usize {
        self.known.1.word_pairs
    }

    /// The log-likelihoods of target given source and of source given target before each pass. Where fertilities have
    /// their say they are those of emissions times messages, which are no probabilities.
    pub fn log_likelihoods(&self) -> &[[f64; 2]] {
        &self.log_likelihoods
    }

    /// The pairs of words the model knows.
    pub fn index(&self) -> &PairIndex {
        &self.index
    }

    /// The trained tables.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The buffers for one thread.
    pub fn worker(&self) -> Worker<'_> {
        let Self { index, levels, parameters, config, .. } = self;
        Worker {
            stage: self.stage(),
            aligner: self,
            trained: None,
            buffers: PairWorker::new(Tables { index, levels, parameters, config, frozen: None }),
            paths: [Vec::new(), Vec::new()],
        }
    }

    /// What says how probable pairs of the text trained on are, for one thread.
    pub fn evidence(&self) -> Evidence<'_> {
        let mut worker = self.worker();
        worker.buffers = worker.buffers.without_fertility();
        Evidence::new(worker)
    }

    /// Links by posterior threshold; the convenience for one pair. Word ids are those of the text trained on.
    pub fn align(&self, pair: SentencePair<'_>) -> Alignment {
        let mut worker = self.worker();
        let threshold = self.config.threshold;
        worker.posteriors(pair).map_or_else(Alignment::new, |posteriors| posteriors.links(threshold))
    }

    /// What is known of the `n`-th pair of the text trained on.
    fn about(&self, n: usize) -> About<'_> {
        let own = |place| self.before.own(place, self.weights.of(n));
        let known = |place| About { own: own(place), links: self.known.0.of(place), advice: &[] };
        self.distinct.place_of(n).map_or(NOTHING, known)
    }

    fn stage(&self) -> Stage {
        if self.schedule.hmm > 0 { Stage::Hmm } else { Stage::Ibm1 }
    }
}

/// Nothing is known.
const NOTHING: About<'_> = About { own: Own::Nothing, links: None, advice: &[] };

/// Aligns one pair after another in the same buffers.
#[derive(Debug, Clone)]
pub struct Worker<'m> {
    stage: Stage,
    aligner: &'m Aligner,
    trained: Option<usize>,
    buffers: PairWorker<'m>,
    paths: [Vec<Option<u32>>; 2],
}

impl Worker<'_> {
    /// How many pairs ahead of its turn a pair is best announced.
    pub const AHEAD: usize = super::pair_worker::AHEAD;

    /// Says that a pair will be asked for, after those announced before it, so that its memory can be fetched
    /// meanwhile. Only time depends on it.
    pub fn announce(&mut self, pair: SentencePair<'_>) {
        if !pair.has_empty_side() {
            self.buffers.run_announce(pair);
        }
    }

    /// Says that the next pair asked for is the `n`-th of the text trained on, so that a model that leaves own counts
    /// out can do it for this pair too, and one whose directions part can average its posteriors with those of
    /// training.
    pub fn trained(&mut self, n: usize) -> &mut Self {
        self.trained = Some(n);
        self
    }

    /// The log-likelihoods that the last posteriors came with.
    pub(super) fn log_likelihoods(&self) -> [f64; 2] {
        [self.buffers.forward.log_likelihood, self.buffers.reverse.log_likelihood]
    }

    /// Computes the posteriors by which a pair is decoded; false if one side is empty.
    pub(super) fn run(&mut self, pair: SentencePair<'_>) -> bool {
        let about = self.trained.take().map_or(NOTHING, |n| self.aligner.about(n));
        if pair.has_empty_side() {
            return false;
        }
        self.buffers.run(pair, self.stage, about);
        true
    }

    /// The posteriors of a pair, or nothing if one side is empty.
    pub fn posteriors(&mut self, pair: SentencePair<'_>) -> Option<Posteriors<'_>> {
        if !self.run(pair) {
            return None;
        }
        Some(Posteriors::new(&self.buffers.forward, &self.buffers.reverse, pair))
    }

    /// Posteriors and best paths together, for less than [`posteriors`](Self::posteriors) and then
    /// [`viterbi`](Self::viterbi); nothing if one side is empty.
    pub fn posteriors_and_viterbi(&mut self, pair: SentencePair<'_>) -> Option<(Posteriors<'_>, [Alignment; 2])> {
        if pair.has_empty_side() {
            return None;
        }
        let paths = self.viterbi(pair);
        Some((Posteriors::new(&self.buffers.forward, &self.buffers.reverse, pair), paths))
    }

    /// The best paths of both directions as links: forward gives each target word at most one source word, reverse
    /// each source word at most one target word. Empty for a pair with an empty side.
    pub fn viterbi(&mut self, pair: SentencePair<'_>) -> [Alignment; 2] {
        if !self.run(pair) {
            return [Alignment::new(), Alignment::new()];
        }
        self.buffers.viterbi(pair, self.stage, &mut self.paths);
        super::posteriors::path_links(&self.paths)
    }
}
