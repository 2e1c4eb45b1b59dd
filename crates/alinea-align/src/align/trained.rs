//! Models that are ready to align: trained on the text itself ([`Trained`]), or saved before ([`SavedAligner`]).
//!
//! [`Trained`] has a joint model of both directions, or a chain of IBM models for each, as the recipe says. A
//! [`SavedAligner`] applies a model from a file to new text; it keeps the workers of its threads between calls, so that
//! text can be aligned part by part. Both give each thread a [`Finder`], with which the loop in `decode` computes
//! posteriors and best paths; `links` and `each` run that loop and return the results in the order of the text.
//!
//! [`Trained::settle`] and [`SavedAligner::settle`] choose a threshold where only an objective was given. Expected precision and recall are
//! measured on the model's own posteriors, of at most 20,000 evenly spaced pairs (see `threshold`).
//!
//! **Gold links.** Where the training data have gold links of some pairs, a model is trained without them, the decision about links
//! is learned from what people linked there ([`Guidelines`]), and a model is trained with these links. A saved model has what was learned, and can learn from
//! gold links of new text, too ([`SavedAligner::learn`]).
//!
//! **Word vectors.** Where the training data have the vectors of the words, a model is trained twice. What the vectors say about
//! links is learned from the posteriors of the first; if that is to be trusted, the second is trained with a dictionary of word
//! types that comes from the vectors, and what is found by it is joined with them (`joined`). Where only some pairs have
//! vectors, or text is added, the second training is also given what was decided of these pairs, as soft links. Vectors may come
//! after the first training, so that it decides which pairs have some ([`Trained::least_certain`], [`Trained::join`]). A saved
//! model is joined with vectors as it is ([`SavedAligner::join`]); one that was trained with vectors needs none.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use super::checkpoint::Checkpoint;
use super::data::TrainingData;
use super::deciding::DecidingFinder;
use super::decode::{Chunks, Collector, Finder, Found, Wants, chunks_of, decode};
use super::encoded::least_certain;
use super::guidelines::{GoldLinks, GoldScores, Guidelines};
use super::joined::{CenteredVectors, EVIDENCE, JoinedEvidence, check_vectors};
use super::links::{FoundLink, LinkReader};
use super::pair_words::Ranked;
use super::request::{Decoding, Recipe};
use super::threshold::{ExpectedLinks, MOST_PAIRS, ThresholdChoice, spaced};
use crate::decision::{Calibration, Decision};
use crate::embedding::Evidence;
use crate::error::{Error, ErrorKind, Result};
use crate::model::ibm::{IbmAligner, IbmConfig, IbmWorker};
use crate::model::{
    Aligner, AlignerConfig, Feature, Model, ModelName, ModelWorker, NewText, SoftLinks, Supervision, TextForm,
    Training, Worker,
};
use crate::parallel::{Work, chunk_range};
use crate::progress::{Observer, Step, Within};
use crate::word_vectors::WordVectors;

/// Pairs that a thread measures before it looks for more.
const MEASURED_AT_ONCE: usize = 64;

/// What looking at all cells takes: as much as aligning does, a pass of the HMM.
const COST_OF_CELLS: u64 = 4;

/// The tasks of going through all pairs.
const ALIGNING: &str = "aligning";
const UNCERTAINTY: &str = "looking for the least certain pairs";

/// What the passes of the second training are part of.
const AGAIN: &str = "with word vectors";

/// A model that was trained on a text, or adapted to it, and what the vectors of the text's words say beside it.
#[derive(Debug)]
pub struct Trained {
    model: TrainedModel,
    evidence: Option<JoinedEvidence>,
    guidelines: Guidelines,
    gold_scores: Option<GoldScores>,
    given_word_pairs: usize,
}

/// A model of one kind or the other.
#[derive(Debug)]
pub enum TrainedModel {
    /// Of both directions.
    Joint(Box<Aligner>),
    /// A chain of textbook models for each direction.
    Chain(Box<IbmAligner>),
}

impl From<Aligner> for Trained {
    fn from(aligner: Aligner) -> Self {
        let given_word_pairs = aligner.given_word_pairs();
        Self::of(TrainedModel::Joint(Box::new(aligner)), None, given_word_pairs)
    }
}

impl From<IbmAligner> for Trained {
    fn from(aligner: IbmAligner) -> Self {
        Self::of(TrainedModel::Chain(Box::new(aligner)), None, 0)
    }
}

impl Trained {
    fn of(model: TrainedModel, evidence: Option<JoinedEvidence>, given_word_pairs: usize) -> Self {
        Self { model, evidence, guidelines: Guidelines::default(), gold_scores: None, given_word_pairs }
    }

    /// Trains on a text and what else there is to learn from. Warnings go to the observer before the first pass.
    ///
    /// With [vectors](super::TrainingDataBuilder::with_vectors) it takes twice as long, or as long as without where they are
    /// not trusted, of which a warning tells. Then the first model has decided about the links of the pairs with vectors: the second
    /// is trained with the dictionary of their word types and, if other pairs are learned from, too, with these links as
    /// [soft links](Supervision::soft_links).
    ///
    /// # Errors
    /// Those of [`Aligner::train_with`], [`IbmAligner::train`] and [`Checkpoint::train`]; `Unsupported` for data that the model
    /// cannot use, and for a checkpoint of a chain; `Config` for a checkpoint with vectors, and for vectors with numbers that are
    /// not finite.
    pub fn train(recipe: Recipe, data: &TrainingData, checkpoint: Option<&Checkpoint>, work: Work<'_>) -> Result<Self> {
        let Work { parallelism, observer } = work;
        if let Some(checkpoint) = checkpoint
            && (data.vectors().is_some() || !data.gold().pairs.is_empty())
        {
            return Err(Checkpoint::refused_with_two_trainings(checkpoint.path()));
        }
        match recipe {
            Recipe::Joint(config) => {
                data.check(config.name)?;
                let train = |data: &TrainingData| {
                    if data.vectors().is_none() {
                        return Ok(data.train(config.clone(), checkpoint, work)?.into());
                    }
                    check_joinable(&config)?;
                    Self::first(data.begin(config.clone(), work)?, work)?.join(None, data, work)
                };
                Self::with_gold(data, Guidelines::default, train, work)
            }
            Recipe::Chain(config) => {
                let last = config.schedule.last();
                let model = ModelName::ALL.into_iter().find(|model| model.last_stage() == last).unwrap_or_default();
                data.check(model)?;
                if checkpoint.is_some() {
                    return Err(Feature::Checkpoint.refused_by(model));
                }
                data.warn(0, observer);
                let config = IbmConfig { classes: data.classes().cloned().or(config.classes), ..config };
                Ok(IbmAligner::train(data.text(), &config, parallelism, observer)?.into())
            }
        }
    }

    /// Adapts a saved model to a text, in `passes` passes ([`Aligner::adapt`]); with vectors twice, as in
    /// [`train`](Self::train).
    ///
    /// # Errors
    /// Those of [`Aligner::adapt`]; `Config` for vectors with numbers that are not finite.
    pub fn adapt(model: &Model, passes: u32, data: &TrainingData, work: Work<'_>) -> Result<Self> {
        let inherited = Guidelines::of(model)?;
        let adapt = |data: &TrainingData| {
            if data.vectors().is_none() {
                return Ok(data.adapt(model, passes, work)?.into());
            }
            Self::first(data.begin_adapting(model, passes, work)?, work)?.join(Some(model), data, work)
        };
        Self::with_gold(data, || inherited, adapt, work)
    }

    /// Trains by a function, without gold links, learns from these what people link, and trains with them. Without any, what people
    /// link is what was known of it.
    pub(super) fn with_gold(
        data: &TrainingData,
        known: impl FnOnce() -> Guidelines,
        mut train: impl FnMut(&TrainingData) -> Result<Self>,
        work: Work<'_>,
    ) -> Result<Self> {
        let Some(before) = data.without_gold() else { return Ok(Self { guidelines: known(), ..train(data)? }) };
        let first = train(&before)?;
        let (guidelines, scores) = first.learn(&before, data.gold(), work)?;
        let is_trained_with_them = data.supervision().links.len() > before.supervision().links.len();
        let trained = if is_trained_with_them {
            // Two models do not fit where one does.
            drop(first);
            train(data)?
        } else {
            first
        };
        Ok(Self { guidelines, gold_scores: Some(scores), ..trained })
    }

    /// The first of two trainings, with which the second is planned, too: that of [`join`](Self::join).
    pub(super) fn first(training: Training<'_>, Work { parallelism, observer }: Work<'_>) -> Result<Self> {
        let steps = training.steps_left();
        observer.planned(&steps);
        observer.planned(&[Step::new(EVIDENCE, COST_OF_CELLS)]);
        Within::new(AGAIN, observer).planned(&steps);
        Ok(training.run(parallelism, observer)?.into())
    }

    /// Learns what vectors say about links and, if they are trusted, trains once more, with what they know of words and of the
    /// links of their pairs. This is the second half of [`train`](Self::train) and of [`adapt`](Self::adapt): for a model of the
    /// same data without vectors, which may have decided by itself what pairs have some. `adapted` is the saved model that it was
    /// adapted from. Without vectors nothing changes.
    ///
    /// # Errors
    /// Those of training; `Unsupported` if the model is of a kind that is not joined with vectors; `Config` for vectors with
    /// numbers that are not finite.
    ///
    /// # Panics
    /// If the model is of another text, as far as the numbers of pairs and words tell.
    pub fn join(self, adapted: Option<&Model>, data: &TrainingData, work: Work<'_>) -> Result<Self> {
        let Some(vectors) = data.vectors() else { return Ok(self) };
        let TrainedModel::Joint(aligner) = &self.model else {
            return Err(chains_refused());
        };
        let (config, schedule) = (aligner.config().clone(), aligner.schedule());
        check_joinable(&config)?;
        let lengths = |n: usize| data.text().pair(n).lengths();
        let (vectors, evidence) = learn(vectors, lengths, || self.own_finder(data, POSTERIORS), work)?;
        let given = data.supervision();
        let joined = JoinedEvidence::new(vectors, evidence, config.name);
        let without = |model: Self, joined: JoinedEvidence| {
            joined.warn(work.observer);
            Self { evidence: Some(joined), ..model }
        };
        if !joined.is_trusted() {
            return Ok(without(self, joined));
        }
        work.observer.started("dictionary of word types", 0);
        let dictionary = joined.vectors().dictionary(data.text(), &given.dictionary, work)?;
        let entries = dictionary.len() - given.dictionary.len();
        work.observer.finished(&format!("{entries} entries"));
        // Where all pairs that are learned from have vectors, there is nobody to learn from their links.
        let has_others = !joined.vectors().are_complete() || data.text().len() > data.pairs();
        let soft_links = if has_others {
            joined.soft_links(Ranked::Own(data.text()), lengths, || self.own_finder(data, POSTERIORS), work)?
        } else {
            Vec::new()
        };
        if entries == 0 && soft_links.is_empty() {
            return Ok(without(self, joined));
        }
        let given_word_pairs = self.given_word_pairs;
        // Two models do not fit where one does.
        drop(self);
        let soft_links = with_given(given, soft_links);
        let supervision = given.clone().with(|c| {
            c.dictionary = dictionary;
            c.soft_links = soft_links;
        });
        let within = Within::new(AGAIN, work.observer);
        let aligner = match adapted {
            Some(model) => Aligner::adapt(model, data.text(), schedule.hmm, &supervision, work.parallelism, &within)?,
            None => Aligner::train_with(data.text(), config, &supervision, work.parallelism, &within)?,
        };
        let joined = if entries > 0 { joined.with_dictionary() } else { joined };
        Ok(Self::of(TrainedModel::Joint(Box::new(aligner)), Some(joined), given_word_pairs))
    }

    /// What people link, from gold links of pairs that the model was trained on without knowing them.
    fn learn(&self, data: &TrainingData, gold: &GoldLinks, work: Work<'_>) -> Result<(Guidelines, GoldScores)> {
        let TrainedModel::Joint(aligner) = &self.model else { return Err(chains_refused()) };
        let decision = decision_of(aligner.config().name)?;
        let finder = |evidence| {
            let text = Ranked::Own(data.text());
            DecidingFinder::new(self.own_finder(data, POSTERIORS), text, Some(decision), evidence, &[])
        };
        Guidelines::learn(gold, finder, self.evidence.as_ref(), decision.least_log_odds(), work)
    }

    /// The pairs of the text trained on of which the model is least certain, until they have a share of the words of all pairs that
    /// have words on both sides: those with the greatest sums of p (1 - p) over all cells, p being mean posteriors. Their numbers,
    /// ascending. Word vectors have no say in it.
    ///
    /// Time as much as their posteriors take.
    ///
    /// # Errors
    /// `Cancelled` if the observer says so.
    pub fn least_certain(&self, data: &TrainingData, share: f64, work: Work<'_>) -> Result<Vec<usize>> {
        uncertain(data.lengths(), || self.own_finder(data, POSTERIORS), share, work)
    }

    /// Writes the model to a file, with its [signature](Self::signature). What the vectors of its text have taught it is in it, but
    /// not the vectors: other text is aligned without.
    ///
    /// # Errors
    /// What the writer says; `Unsupported` for a chain.
    ///
    /// # Panics
    /// If it was trained on other data.
    pub fn save(&self, data: &TrainingData, form: TextForm, to: &mut dyn Write) -> io::Result<()> {
        match &self.model {
            TrainedModel::Joint(aligner) => {
                aligner.save_with(data.text(), form, self.signature(), |file| self.guidelines.store(file), to)
            }
            TrainedModel::Chain(_) => Err(io::Error::new(io::ErrorKind::Unsupported, "chains have no files")),
        }
    }

    /// The model.
    pub fn model(&self) -> &TrainedModel {
        &self.model
    }

    /// The model alone.
    pub fn into_model(self) -> TrainedModel {
        self.model
    }

    /// What the vectors of the words say about links, if there were some.
    pub fn evidence(&self) -> Option<&JoinedEvidence> {
        self.evidence.as_ref()
    }

    /// What people link, where gold links have told.
    pub fn guidelines(&self) -> &Guidelines {
        &self.guidelines
    }

    /// Links of the pairs with gold links, with and without what was learned of the others; none without gold links.
    pub fn gold_scores(&self) -> Option<&GoldScores> {
        self.gold_scores.as_ref()
    }

    /// How many pairs of words of the text the dictionary has that was given beforehand, without what word vectors added to it.
    pub fn given_word_pairs(&self) -> usize {
        self.given_word_pairs
    }

    /// One line that names every choice that changed results.
    pub fn signature(&self) -> String {
        let model = match &self.model {
            TrainedModel::Joint(aligner) => aligner.signature(),
            TrainedModel::Chain(aligner) => aligner.signature().to_owned(),
        };
        model + &self.signature_of_vectors()
    }

    /// What was known beforehand, as fields of a signature ([`Aligner::given_signature`]), and what word vectors come from.
    pub fn given_signature(&self) -> String {
        let model = match &self.model {
            TrainedModel::Joint(aligner) => aligner.given_signature(),
            TrainedModel::Chain(_) => String::new(),
        };
        model + &self.signature_of_vectors()
    }

    fn signature_of_vectors(&self) -> String {
        self.evidence.as_ref().map_or_else(String::new, JoinedEvidence::signature) + &self.guidelines.signature()
    }

    /// What finds something of the pairs of the text trained on, for one thread.
    ///
    /// # Panics
    /// If it is another text, as far as the numbers of pairs and words tell; if posteriors are wanted of a chain that ends
    /// with the HMM, which has none.
    pub fn finder<'t>(&'t self, data: &'t TrainingData, wants: Wants) -> DecidingFinder<'t, OwnTextFinder<'t>> {
        let decision = match &self.model {
            TrainedModel::Joint(aligner) => Decision::of(aligner.config().name),
            TrainedModel::Chain(_) => None,
        };
        let (finder, text, known) = (self.own_finder(data, wants), Ranked::Own(data.text()), &data.supervision().links);
        DecidingFinder::new(finder, text, decision, self.evidence.as_ref(), known).with_guidelines(&self.guidelines)
    }

    /// The same before anything is decided.
    fn own_finder<'t>(&'t self, data: &'t TrainingData, wants: Wants) -> OwnTextFinder<'t> {
        let text = data.text();
        let worker = match &self.model {
            TrainedModel::Joint(aligner) => {
                let worker = aligner.worker(text);
                let worker = if self.evidence.is_some() { worker.forgetting() } else { worker };
                OwnTextWorker::Joint(Box::new(if wants.scores { worker.judging() } else { worker }))
            }
            TrainedModel::Chain(aligner) => {
                let worker = (wants.posteriors || wants.scores).then(|| Box::new(aligner.worker(text)));
                OwnTextWorker::Chain(aligner, worker)
            }
        };
        OwnTextFinder { worker, wants }
    }

    /// Chooses the threshold, if the decoding has an objective and not yet a threshold: by what the model expects of some
    /// 20,000 pairs of the text trained on, evenly spaced. A warning goes to the observer if no threshold reaches it.
    ///
    /// Where word vectors are joined with the model and trusted, a threshold that nobody gave becomes that of the joint
    /// confidence ([`Joint::decided`](crate::embedding::Joint::decided)).
    ///
    /// # Errors
    /// `Cancelled` if the observer says so.
    pub fn settle(
        &self,
        decoding: &mut Decoding,
        data: &TrainingData,
        work: Work<'_>,
    ) -> Result<Option<ThresholdChoice>> {
        let learned = (self.evidence.as_ref(), &self.guidelines);
        settle(decoding, learned, |possible| self.expected_links(data, possible, work), work)
    }

    /// What the model expects of its links, by their confidences: measured on the pairs of the text trained on, or on
    /// 20,000 of them, those numbered ⌊n N / 20,000⌋ of N pairs. `possible` makes probabilities of sure links those of links at all. Where words have fertilities, confidences are sums over the
    /// alignments that were looked at, and so too sure.
    ///
    /// Time as much as their posteriors take, memory a histogram a chunk.
    ///
    /// # Errors
    /// `Cancelled` if the observer says so.
    pub fn expected_links(
        &self,
        data: &TrainingData,
        possible: Option<Calibration>,
        work: Work<'_>,
    ) -> Result<ExpectedLinks> {
        expected_links(data.pairs(), || self.finder(data, POSTERIORS), possible, work)
    }

    /// What `of` makes of what is found of each pair of the text trained on, in order.
    ///
    /// # Errors
    /// `Cancelled` if the observer says so.
    pub fn each<T: Send>(
        &self,
        data: &TrainingData,
        wants: Wants,
        of: impl Fn(Found<'_>) -> T + Sync + Send,
        work: Work<'_>,
    ) -> Result<Vec<T>> {
        let made = gather(ALIGNING, data.lengths(), || self.finder(data, wants), || &of, work)?;
        work.observer.finished("");
        Ok(made)
    }

    /// The links of each pair of the text trained on, by a decoding that is [settled](Self::settle).
    ///
    /// # Errors
    /// `Cancelled` if the observer says so.
    pub fn links(&self, data: &TrainingData, decoding: Decoding, work: Work<'_>) -> Result<Vec<Vec<FoundLink>>> {
        links(data.lengths(), || self.finder(data, Wants::of(decoding.rule)), decoding, work)
    }
}

/// Finds something of the pairs of the text that a model was trained on.
#[derive(Debug)]
pub struct OwnTextFinder<'t> {
    worker: OwnTextWorker<'t>,
    wants: Wants,
}

#[derive(Debug)]
enum OwnTextWorker<'t> {
    Joint(Box<Worker<'t>>),
    /// With a worker if posteriors are wanted.
    Chain(&'t IbmAligner, Option<Box<IbmWorker<'t>>>),
}

impl Finder for OwnTextFinder<'_> {
    fn announce(&mut self, n: usize) {
        match &mut self.worker {
            OwnTextWorker::Joint(worker) => worker.announce(n),
            OwnTextWorker::Chain(..) => {}
        }
    }

    fn find(&mut self, n: usize) -> Found<'_> {
        let Self { worker, wants } = self;
        match worker {
            OwnTextWorker::Joint(worker) => match (wants.posteriors || wants.scores, wants.paths) {
                (true, true) => {
                    let (posteriors, paths) = worker.posteriors_and_viterbi(n).unzip();
                    Found { posteriors, paths: paths.unwrap_or_default() }
                }
                (false, true) => Found { posteriors: None, paths: worker.viterbi(n) },
                (_, false) => Found { posteriors: worker.posteriors(n), ..Found::default() },
            },
            OwnTextWorker::Chain(aligner, worker) => {
                let paths = if wants.paths { aligner.paths(n) } else { Default::default() };
                let posteriors = worker.as_mut().and_then(|worker| worker.posteriors(n));
                Found { posteriors, paths }
            }
        }
    }
}

/// A saved model with the workers of all threads, so that text can flow through it part by part.
#[derive(Debug)]
pub struct SavedAligner<'m> {
    model: &'m Model,
    wants: Wants,
    /// Workers that wait for the next part.
    idle: Mutex<Vec<ModelWorker<'m>>>,
    /// What the vectors of the words say of the text that is aligned.
    evidence: Option<JoinedEvidence>,
    /// What people link.
    guidelines: Guidelines,
}

impl<'m> SavedAligner<'m> {
    /// Finds this of new text.
    ///
    /// # Errors
    /// `Io`; `Model` if what the model has learned from gold links is damaged.
    pub fn new(model: &'m Model, wants: Wants) -> Result<Self> {
        Ok(Self { model, wants, idle: Mutex::default(), evidence: None, guidelines: Guidelines::of(model)? })
    }

    /// Learns what people link from gold links of some pairs of a text; the model stays as it is.
    /// Other text is aligned so, too. Returns links of these pairs for scores; a warning goes to the observer if that makes links no better.
    ///
    /// Time as for aligning these pairs, and for some hundred visits of their cells; given is a text that the model has
    /// [read](Model::read).
    ///
    /// # Errors
    /// `Unsupported` if nothing is decided about the links of the model; `Config` if fewer than two of the pairs have words on both
    /// sides, or no link is sure; `Cancelled` if the observer says so.
    ///
    /// # Panics
    /// If there is no such pair.
    pub fn learn(&mut self, text: &NewText<'_>, gold: &GoldLinks, work: Work<'_>) -> Result<GoldScores> {
        let decision = decision_of(self.model.config().name)?;
        let finder =
            |evidence| DecidingFinder::new(self.own_finder(text), Ranked::New(text), Some(decision), evidence, &[]);
        let evidence = self.evidence.as_ref();
        let (guidelines, scores) = Guidelines::learn(gold, finder, evidence, decision.least_log_odds(), work)?;
        self.guidelines = guidelines;
        Ok(scores)
    }

    /// What people link, where gold links have told.
    pub fn guidelines(&self) -> &Guidelines {
        &self.guidelines
    }

    /// Learns what the vectors of the words of a text say about its links, from what the model finds, which stays as it is. A
    /// warning goes to the observer if that is too little. [`with_evidence`](Self::with_evidence) takes it.
    ///
    /// Time as for aligning the text once; given is a text that the model has [read](Model::read).
    ///
    /// # Errors
    /// `Unsupported` if the model is of a kind that is not joined with vectors; `Inconsistent` for vectors of other sentences or
    /// words than those of the text, but that some pairs may have none; `Config` if there are none, and for numbers that are not finite; `Cancelled` if the observer
    /// says so.
    pub fn join(
        &self,
        text: &NewText<'_>,
        vectors: impl Into<Arc<[WordVectors; 2]>>,
        work: Work<'_>,
    ) -> Result<JoinedEvidence> {
        self.model.config().name.require(Feature::Encoder)?;
        let vectors = vectors.into();
        check_vectors(&vectors, text.bitext(), text.len())?;
        let (vectors, evidence) = learn(&vectors, |n| text.pair(n).lengths(), || self.own_finder(text), work)?;
        let evidence = JoinedEvidence::new(vectors, evidence, self.model.config().name);
        evidence.warn(work.observer);
        Ok(evidence)
    }

    /// The pairs of a text that the model has [read](Model::read) of which it is least certain, as
    /// [`Trained::least_certain`] has them.
    ///
    /// # Errors
    /// `Cancelled` if the observer says so.
    pub fn least_certain(&self, text: &NewText<'_>, share: f64, work: Work<'_>) -> Result<Vec<usize>> {
        let lengths = (0..text.len()).map(|n| text.pair(n).lengths());
        uncertain(lengths, || self.own_finder(text), share, work)
    }

    /// The same, joined with what was learned of a text, and from then on for no other text.
    #[must_use]
    pub fn with_evidence(self, evidence: JoinedEvidence) -> Self {
        Self { evidence: Some(evidence), ..self }
    }

    /// What the vectors of the words say about links, if there are some.
    pub fn evidence(&self) -> Option<&JoinedEvidence> {
        self.evidence.as_ref()
    }

    /// What finds something of the pairs of a text that the model has [read](Model::read), for one thread.
    ///
    /// # Panics
    /// If a thread panicked before, and if it is joined with the vectors of a text with more or fewer pairs.
    pub fn finder<'t>(&'t self, text: &'t NewText<'t>) -> DecidingFinder<'t, NewTextFinder<'t, 'm>> {
        if let Some(evidence) = &self.evidence {
            assert_eq!(evidence.pairs(), text.len(), "pairs of the text that the vectors are of");
        }
        let decision = Decision::of(self.model.config().name);
        let finder =
            DecidingFinder::new(self.own_finder(text), Ranked::New(text), decision, self.evidence.as_ref(), &[]);
        finder.with_guidelines(&self.guidelines)
    }

    /// The same before anything is decided.
    fn own_finder<'t>(&'t self, text: &'t NewText<'t>) -> NewTextFinder<'t, 'm> {
        let idle = self.idle.lock().expect("no thread panics while it holds the lock").pop();
        let worker = idle.unwrap_or_else(|| {
            let worker = self.model.worker();
            if self.wants.scores { worker.judging() } else { worker }
        });
        NewTextFinder { worker: Some(worker), text, aligner: self }
    }

    /// Chooses the threshold, if the decoding has an objective and not yet a threshold, as [`Trained::settle`] does: by what
    /// the model expects of some 20,000 evenly spaced pairs of a text that it has [read](Model::read). Where it is joined with
    /// word vectors, the same holds as there.
    ///
    /// # Errors
    /// `Cancelled` if the observer says so.
    pub fn settle(
        &self,
        decoding: &mut Decoding,
        text: &NewText<'_>,
        work: Work<'_>,
    ) -> Result<Option<ThresholdChoice>> {
        let learned = (self.evidence.as_ref(), &self.guidelines);
        let expected = |possible| expected_links(text.len(), || self.finder(text), possible, work);
        settle(decoding, learned, expected, work)
    }

    /// What `of` makes of what is found of each pair of a text that the model has [read](Model::read), in order.
    ///
    /// # Errors
    /// `Cancelled` if the observer says so.
    pub fn each<T: Send>(
        &self,
        text: &NewText<'_>,
        of: impl Fn(Found<'_>) -> T + Sync + Send,
        work: Work<'_>,
    ) -> Result<Vec<T>> {
        let lengths = (0..text.len()).map(|n| text.pair(n).lengths());
        let made = gather(ALIGNING, lengths, || self.finder(text), || &of, work)?;
        work.observer.finished("");
        Ok(made)
    }

    /// The links of all pairs of a text that the model has [read](Model::read), for which it is to find what the rule
    /// [wants](Wants::of).
    ///
    /// # Errors
    /// `Cancelled` if the observer says so.
    pub fn links(&self, text: &NewText<'_>, decoding: Decoding, work: Work<'_>) -> Result<Vec<Vec<FoundLink>>> {
        let lengths = (0..text.len()).map(|n| text.pair(n).lengths());
        links(lengths, || self.finder(text), decoding, work)
    }
}

/// Plans that the pairs are looked for of which a model is least certain.
pub(super) fn plan_least_certain(observer: &dyn Observer) {
    observer.planned(&[Step::new(UNCERTAINTY, COST_OF_CELLS)]);
}

/// Refuses a model that is not joined with word vectors.
///
/// # Errors
/// `Unsupported`.
pub(super) fn check_joinable(config: &AlignerConfig) -> Result<()> {
    config.name.require(Feature::Encoder)?;
    if config.prior.is_none() { Err(Feature::Encoder.refused_by(config.name)) } else { Ok(()) }
}

/// The decision about the links of a model.
fn decision_of(model: ModelName) -> Result<Decision> {
    Decision::of(model).ok_or_else(|| Feature::Gold.refused_by(model))
}

/// The error where a chain is to be joined with word vectors.
pub(super) fn chains_refused() -> Error {
    let (option, models) = (Feature::Encoder.option(), Feature::Encoder.models());
    ErrorKind::Unsupported { option, models, model: "chains of textbook models" }.into()
}

/// Posteriors alone.
const POSTERIORS: Wants = Wants { posteriors: true, paths: false, scores: false };

/// What vectors say about the links of a text whose lengths are given by number, and what a finder finds of it.
fn learn<F: Finder + Send>(
    vectors: &Arc<[WordVectors; 2]>,
    lengths: impl Fn(usize) -> [usize; 2],
    finder: impl Fn() -> F + Sync + Send,
    work: Work<'_>,
) -> Result<(CenteredVectors, Evidence)> {
    let usable = (0..vectors[0].len()).filter(|&n| lengths(n).iter().all(|&words| words > 0)).count();
    let vectors = CenteredVectors::of(Arc::clone(vectors), usable, work)?;
    let evidence = vectors.evidence(lengths, finder, work)?;
    let (divergence, trust) = (evidence.divergence(), 100.0 * evidence.trust());
    work.observer.finished(&format!("{divergence:.1} nats a link, trusted to {trust:.0} %"));
    Ok((vectors, evidence))
}

/// Soft links with those that were given beforehand, which stay as they are.
fn with_given(given: &Supervision, found: Vec<(usize, SoftLinks)>) -> Vec<(usize, SoftLinks)> {
    let is_soft = |n: usize| given.soft_links.binary_search_by_key(&n, |&(known, _)| known).is_ok();
    let is_known = |n: usize| given.links.binary_search_by_key(&n, |&(known, _)| known).is_ok();
    let others = found.into_iter().filter(|&(n, _)| !is_soft(n) && !is_known(n));
    let mut all: Vec<(usize, SoftLinks)> = given.soft_links.iter().cloned().chain(others).collect();
    all.sort_by_key(|&(n, _)| n);
    all
}

/// The pairs of a text of which the model behind the finders is least certain, until they have a share of the words; given are
/// the lengths of the sides of all pairs.
fn uncertain<F: Finder + Send>(
    lengths: impl ExactSizeIterator<Item = [usize; 2]>,
    finder: impl Fn() -> F + Sync + Send,
    share: f64,
    work: Work<'_>,
) -> Result<Vec<usize>> {
    let lengths: Vec<[usize; 2]> = lengths.collect();
    let uncertainty = |found: Found<'_>| {
        let mut sum = 0.0;
        if let Some(posteriors) = found.posteriors {
            posteriors.for_each_mean(|mean| sum += f64::from(mean) * (1.0 - f64::from(mean)));
        }
        sum
    };
    let uncertainties = gather(UNCERTAINTY, lengths.iter().copied(), finder, || &uncertainty, work)?;
    let words = |[source, target]: [usize; 2]| if source * target == 0 { 0 } else { source + target };
    let words: Vec<usize> = lengths.into_iter().map(words).collect();
    let numbers = least_certain(&words, &uncertainties, share);
    work.observer.finished(&format!("the {} least certain of {} pairs", numbers.len(), words.len()));
    Ok(numbers)
}

/// Takes the threshold that evidence or gold links have, if there are some; chooses one, if the decoding has an objective, from what the model
/// expects of its links.
fn settle(
    decoding: &mut Decoding,
    (evidence, guidelines): (Option<&JoinedEvidence>, &Guidelines),
    expected: impl FnOnce(Option<Calibration>) -> Result<ExpectedLinks>,
    work: Work<'_>,
) -> Result<Option<ThresholdChoice>> {
    if let Some(guideline) = guidelines.leading(evidence) {
        decoding.decided_by(guideline.threshold(), guideline.possible());
    } else if let Some(evidence) = evidence.filter(|evidence| evidence.is_trusted()) {
        decoding.decided_by(evidence.threshold(), evidence.decision().possible());
    }
    let Some(objective) = decoding.objective else { return Ok(None) };
    let choice = expected(decoding.possible)?.choose(objective);
    decoding.settle(&choice);
    if let Some(warning) = choice.warning() {
        work.observer.warn(&warning.to_string());
    }
    Ok(Some(choice))
}

/// What the model behind the finders expects of its links, from at most 20,000 evenly spaced pairs of a text.
fn expected_links<F: Finder + Send>(
    pairs: usize,
    finder: impl Fn() -> F + Sync + Send,
    possible: Option<Calibration>,
    work: Work<'_>,
) -> Result<ExpectedLinks> {
    let measured = pairs.min(MOST_PAIRS);
    work.observer.started("expected links", measured as u64);
    let numbers = |chunk| chunk_range(measured, MEASURED_AT_ONCE, chunk).map(move |n| spaced(n, measured, pairs));
    let mut sum = ExpectedLinks::new(possible);
    let end = |links: ExpectedLinks| {
        sum.merge(&links);
        Ok(())
    };
    let chunks = Chunks { number: measured.div_ceil(MEASURED_AT_ONCE), pairs: numbers };
    decode(&chunks, finder, || Ok(ExpectedLinks::new(possible)), end, work)?;
    work.observer.finished(&format!("{:.0} of {measured} pairs", sum.expected()));
    Ok(sum)
}

/// Why it has a worker.
const WORKER: &str = "the worker is here until the finder is dropped";

/// Finds something of the pairs of a text that is new to a saved model, or not.
#[derive(Debug)]
pub struct NewTextFinder<'t, 'm> {
    /// Goes back when this is dropped.
    worker: Option<ModelWorker<'m>>,
    text: &'t NewText<'t>,
    aligner: &'t SavedAligner<'m>,
}

impl Drop for NewTextFinder<'_, '_> {
    fn drop(&mut self) {
        if let Ok(mut idle) = self.aligner.idle.lock() {
            idle.extend(self.worker.take());
        }
    }
}

impl Finder for NewTextFinder<'_, '_> {
    fn announce(&mut self, n: usize) {
        self.worker.as_mut().expect(WORKER).announce(self.text, n);
    }

    fn find(&mut self, n: usize) -> Found<'_> {
        let Self { worker, text, aligner } = self;
        let worker = worker.as_mut().expect(WORKER);
        if !aligner.wants.paths {
            return Found { posteriors: worker.posteriors(text, n), ..Found::default() };
        }
        let (posteriors, paths) = worker.posteriors_and_viterbi(text, n).unzip();
        Found { posteriors, paths: paths.unwrap_or_default() }
    }
}

/// The links of all pairs, given the lengths of their sides.
fn links<F: Finder + Send>(
    lengths: impl ExactSizeIterator<Item = [usize; 2]>,
    finder: impl Fn() -> F + Sync + Send,
    decoding: Decoding,
    work: Work<'_>,
) -> Result<Vec<Vec<FoundLink>>> {
    let read = || {
        let mut reader = LinkReader::new(decoding);
        move |found: Found<'_>| {
            let confidences = reader.confidences(&found);
            reader.links(&found, confidences.as_ref())
        }
    };
    let links = gather(ALIGNING, lengths, finder, read, work)?;
    work.observer.finished(&format!("{} links", links.iter().map(Vec::len).sum::<usize>()));
    Ok(links)
}

/// What functions, one for each chunk, make of what is found of all pairs, given the lengths of their sides.
fn gather<F: Finder + Send, T: Send, G: FnMut(Found<'_>) -> T + Send>(
    task: &str,
    lengths: impl ExactSizeIterator<Item = [usize; 2]>,
    finder: impl Fn() -> F + Sync + Send,
    make: impl Fn() -> G + Sync + Send,
    work: Work<'_>,
) -> Result<Vec<T>> {
    let pairs = lengths.len();
    work.observer.started(task, pairs as u64);
    let mut all = Vec::with_capacity(pairs);
    let end = |chunk: Gathered<T, G>| {
        all.extend(chunk.made);
        Ok(())
    };
    decode(&chunks_of(lengths), finder, || Ok(Gathered { make: make(), made: Vec::new() }), end, work)?;
    Ok(all)
}

/// What a function makes of what is found of the pairs of a chunk.
struct Gathered<T, G> {
    make: G,
    made: Vec<T>,
}

impl<T: Send, G: FnMut(Found<'_>) -> T + Send> Collector for Gathered<T, G> {
    fn take(&mut self, _: usize, found: Found<'_>) -> Result<()> {
        self.made.push((self.make)(found));
        Ok(())
    }
}
