//! The trained model.

use std::sync::Arc;

use super::back_off::Level;
use super::config::{AlignerConfig, Schedule};
use super::evidence::Evidence;
use super::expectation::{Before, Expectations};
use super::leave_one_out::Own;
use super::name::Feature;
use super::pair_worker::{About, PairWorker, Stage, Tables, Wanted};
use super::parameters::Parameters;
use super::posteriors::{Posteriors, path_links};
use super::saved::Model;
use super::supervision::{KnownLinks, Supervision};
use super::training::Training;
use crate::alignment::Alignment;
use crate::bitext::{Cuts, DistinctPairs, RankedBitext, SentencePair, Weights};
use crate::error::{Error, Result};
use crate::lexicon::PairIndex;
use crate::lexicon::characters::CharacterModel;
use crate::parallel::Parallelism;
use crate::progress::Observer;
use crate::symmetrize::{Method, Symmetrizer};

/// A trained model of both directions. Immutable; every thread aligns with a [`Worker`] of its own.
#[derive(Debug)]
pub struct Aligner {
    pub(super) config: AlignerConfig,
    pub(super) schedule: Schedule,
    pub(super) pairs: usize,
    pub(super) weights: Weights,
    /// Where long pairs of the text are cut: what follows is told by the number of a stretch.
    pub(super) cuts: Cuts,
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
            return Err(Feature::Adaptation.refused_by(model.config().name));
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

    /// The log-likelihoods of target given source and of source given target before each pass. In passes of an HMM with
    /// fertilities, an end factor or jumps by kinds of words they are sums of
    /// [log-weights](Posteriors::log_weights), which are no logarithms of probabilities.
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
            buffers: PairWorker::new(Tables { index, levels, parameters, config, frozen: None }),
            paths: [Vec::new(), Vec::new()],
        }
    }

    /// What says how probable pairs of the text trained on are, for one thread.
    pub fn evidence(&self) -> Evidence<'_> {
        let worker = self.worker();
        Evidence::new(Worker { buffers: worker.buffers.wanting(Wanted::Likelihoods), ..worker })
    }

    /// The links of the `n`-th pair of the text trained on, as the command writes them unless it is told otherwise: under
    /// models in agreement those whose mean posterior reaches the configuration's threshold, else the best paths of both
    /// directions, joined by grow-diag-final-and. The convenience for a pair now and then; for many there is
    /// [`worker`](Self::worker), for text that is new [`Model`].
    ///
    /// # Panics
    /// If there is no such pair, or the text is not that trained on.
    pub fn align(&self, bitext: &RankedBitext, n: usize) -> Alignment {
        self.assert_own(bitext);
        let (mut worker, pair) = (self.worker(), bitext.pair(n));
        let asked = worker.trained(n);
        if self.config.agreement {
            let threshold = self.config.threshold;
            return asked.posteriors(pair).map_or_else(Alignment::new, |posteriors| posteriors.links(threshold));
        }
        let [forward, reverse] = asked.viterbi(pair);
        Symmetrizer::new(Method::GrowDiagFinalAnd).symmetrize(&forward, &reverse)
    }

    /// # Panics
    /// If this is not the text trained on, as far as the numbers of pairs and words tell.
    pub(crate) fn assert_own(&self, bitext: &RankedBitext) {
        let words = [bitext.source_frequencies().len(), bitext.target_frequencies().len()];
        let own = [self.parameters.reverse.null.len(), self.parameters.forward.null.len()];
        assert_eq!(
            (bitext.in_stretches().len(), words),
            (self.distinct.of_pairs(), own),
            "pairs and words of the text trained on"
        );
    }

    /// What is known of the `n`-th stretch of the text trained on.
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

/// Aligns one pair after another in the same buffers. What a pair of the text trained on has put into the counts itself is
/// to be left out when it is aligned, so it is always said which kind of pair it is: [`trained`](Self::trained), or
/// [`unseen`](Self::unseen).
#[derive(Debug, Clone)]
pub struct Worker<'m> {
    stage: Stage,
    aligner: &'m Aligner,
    buffers: PairWorker<'m>,
    paths: [Vec<Option<u32>>; 2],
}

impl<'m> Worker<'m> {
    /// The same, whose posteriors come with [log-likelihoods](Posteriors::log_likelihoods) and
    /// [scores](Posteriors::scores). They take half as much time again.
    #[must_use]
    pub fn judging(self) -> Self {
        Self { buffers: self.buffers.wanting(Wanted::Both), ..self }
    }

    /// Says that a pair will be asked for, after those announced before it, so that its memory can be fetched
    /// meanwhile. Only time depends on it.
    pub fn announce(&mut self, pair: SentencePair<'_>) {
        self.buffers.run_announce(pair);
    }

    /// Asks about the `n`-th pair of the text trained on, which has to be the one that is given then: a model that leaves
    /// own counts out does it for this pair too, one whose directions part averages its posteriors with those of training,
    /// and links that were known are kept to. These are the posteriors by which the command aligns.
    ///
    /// # Panics
    /// If there is no such pair.
    pub fn trained(&mut self, n: usize) -> Asked<'_, 'm> {
        let Aligner { cuts, distinct, .. } = self.aligner;
        assert!(cuts.first_of(n) < distinct.of_pairs(), "there is no pair {n} in the text trained on");
        Asked { worker: self, number: Some(n) }
    }

    /// Asks about a pair of words of the text that is none of its pairs. (A pair that is one would find in the model what
    /// it put there itself.)
    pub fn unseen(&mut self) -> Asked<'_, 'm> {
        Asked { worker: self, number: None }
    }
}

/// A worker that knows what kind of pair it is asked about.
#[derive(Debug)]
pub struct Asked<'w, 'm> {
    worker: &'w mut Worker<'m>,
    /// Which of the text trained on it is.
    number: Option<usize>,
}

impl<'w, 'm> Asked<'w, 'm> {
    /// Computes what is wanted of a pair, and the best paths if they are. Returns the pair as it was cut for training;
    /// nothing if one side is empty.
    fn run<'p>(&mut self, pair: SentencePair<'p>, wants_paths: bool) -> Option<SentencePair<'p>>
    where
        'm: 'p,
    {
        if pair.has_empty_side() {
            return None;
        }
        let Worker { stage, aligner, buffers, paths } = &mut *self.worker;
        let aligner: &'m Aligner = aligner;
        let pair = self.number.map_or(pair, |n| SentencePair { cuts: aligner.cuts.of_pair(n), ..pair });
        let first = self.number.map(|n| aligner.cuts.first_of(n));
        let about = |number, _: SentencePair<'_>| first.map_or(NOTHING, |first| aligner.about(first + number));
        buffers.decode(pair, *stage, about, wants_paths.then_some(paths));
        Some(pair)
    }

    /// ln p(target | source) and ln p(source | target), or nothing if one side is empty.
    pub(super) fn log_likelihoods(mut self, pair: SentencePair<'_>) -> Option<[f64; 2]> {
        let pair = self.run(pair, false)?;
        self.worker.buffers.found(pair).log_likelihoods()
    }

    /// The posteriors of a pair, or nothing if one side is empty.
    pub fn posteriors(mut self, pair: SentencePair<'_>) -> Option<Posteriors<'w>> {
        let pair = self.run(pair, false)?;
        Some(self.worker.buffers.found(pair))
    }

    /// Posteriors and best paths together, for less than one after the other; nothing if one side is empty.
    pub fn posteriors_and_viterbi(mut self, pair: SentencePair<'_>) -> Option<(Posteriors<'w>, [Alignment; 2])> {
        let pair = self.run(pair, true)?;
        let paths = path_links(&self.worker.paths);
        Some((self.worker.buffers.found(pair), paths))
    }

    /// The best paths of both directions as links: forward gives each target word at most one source word, reverse
    /// each source word at most one target word. Empty for a pair with an empty side.
    pub fn viterbi(mut self, pair: SentencePair<'_>) -> [Alignment; 2] {
        if self.run(pair, true).is_none() {
            return [Alignment::new(), Alignment::new()];
        }
        path_links(&self.worker.paths)
    }
}
