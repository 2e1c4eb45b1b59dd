//! Models that are trained on the text itself and ready to align it.
//!
//! [`Trained`] has a joint model of both directions, or a chain of IBM models for each, as the recipe says. It gives each thread a
//! [`Finder`], with which the loop in `decode` computes posteriors and best paths; `links` and `each` run that loop and return
//! the results in the order of the text.
//!
//! [`Trained::settle`] chooses a threshold where only an objective was given. Expected scores are measured on the model's own
//! confidences, of at most 20,000 evenly spaced pairs (see `threshold`).
//!
//! **Gold links.** Where the training data have gold links of some pairs, a model is trained without them, the decision about links
//! is learned from what people linked there ([`Guidelines`]), and a model is trained with these links.
//!
//! **Word vectors.** Where the training data have the vectors of the words, a model is trained twice. What the vectors say about
//! links is learned from the posteriors of the first; if that is to be trusted, the second is trained with a dictionary of word
//! types that comes from the vectors, and what is found by it is joined with them (`joined`). Where only some pairs have
//! vectors, or text is added, the second training is also given what was decided of these pairs, as soft links. Vectors may come
//! after the first training, so that it decides which pairs have some ([`Trained::least_certain`], [`Trained::join`]).

use std::io::{self, Write};

use super::checkpoint::Checkpoint;
use super::data::TrainingData;
use super::deciding::DecidingFinder;
use super::decode::{Finder, Found, Wants};
use super::gold_learning;
use super::guidelines::{GoldLinks, GoldScores, Guidelines};
use super::joined::{EVIDENCE, JoinedEvidence};
use super::links::FoundLink;
use super::pair_words::Ranked;
use super::request::{Decoding, Recipe};
use super::threshold::{ExpectedLinks, ThresholdChoice};
use super::whole_text::{
    ALIGNING, COST_OF_CELLS, POSTERIORS, chains_refused, check_joinable, decision_of, expected_links, gather, learn,
    links, settle, uncertain,
};
use crate::decision::{Calibration, Decision, Guideline};
use crate::error::Result;
use crate::model::ibm::{IbmAligner, IbmConfig, IbmWorker};
use crate::model::{Aligner, Feature, Model, ModelName, SoftLinks, Supervision, TextForm, Training, Worker};
use crate::parallel::Work;
use crate::progress::{Observer, Step, Within};

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
                Self::with_gold(data, Guidelines::default(), train, work)
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
        let adapt = |data: &TrainingData| {
            if data.vectors().is_none() {
                return Ok(data.adapt(model, passes, work)?.into());
            }
            Self::first(data.begin_adapting(model, passes, work)?, work)?.join(Some(model), data, work)
        };
        Self::with_gold(data, Guidelines::of(model)?, adapt, work)
    }

    /// Trains by a function, without gold links, learns from these what people link, and trains with them. Without any, what people
    /// link is what was known of it.
    pub(super) fn with_gold(
        data: &TrainingData,
        known: Guidelines,
        mut train: impl FnMut(&TrainingData) -> Result<Self>,
        work: Work<'_>,
    ) -> Result<Self> {
        let Some(before) = data.without_gold() else { return Ok(Self { guidelines: known, ..train(data)? }) };
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
        let Some(vectors) = data.text_vectors() else { return Ok(self) };
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

    /// What people link, from gold links of pairs that the model was trained on without knowing them. The model stays as it is;
    /// [`set_guidelines`](Self::set_guidelines) takes what was learned. [`train`](Self::train) does both for gold links that are
    /// part of its data.
    ///
    /// Time as for aligning these pairs, and for some hundred visits of their cells.
    ///
    /// # Errors
    /// `Unsupported` if nothing is decided about the links of the model; `Config` if fewer than two of the pairs have words on both
    /// sides, or no link is sure; `Cancelled` if the observer says so.
    ///
    /// # Panics
    /// If there is no such pair, or the model was trained on other data.
    pub fn learn(&self, data: &TrainingData, gold: &GoldLinks, work: Work<'_>) -> Result<(Guidelines, GoldScores)> {
        let TrainedModel::Joint(aligner) = &self.model else { return Err(chains_refused()) };
        let decision = decision_of(aligner.config().name)?;
        let finder = |evidence| {
            let text = Ranked::Own(data.text());
            DecidingFinder::new(self.own_finder(data, POSTERIORS), text, Some(decision), evidence, &[])
        };
        gold_learning::learn(gold, finder, self.evidence.as_ref(), decision.least_log_odds(), work)
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

    /// Has links follow what people link, in place of what was known of that; the model stays as it is.
    pub fn set_guidelines(&mut self, guidelines: Guidelines) {
        self.guidelines = guidelines;
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

    /// That by which links are read off: of pairs with vectors where these are trusted, else of pairs without.
    pub fn guideline(&self) -> Option<&Guideline> {
        self.guidelines.leading(self.evidence().is_some_and(JoinedEvidence::is_trusted))
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

/// Soft links with those that were given beforehand, which stay as they are.
fn with_given(given: &Supervision, found: Vec<(usize, SoftLinks)>) -> Vec<(usize, SoftLinks)> {
    let is_soft = |n: usize| given.soft_links.binary_search_by_key(&n, |&(known, _)| known).is_ok();
    let is_known = |n: usize| given.links.binary_search_by_key(&n, |&(known, _)| known).is_ok();
    let others = found.into_iter().filter(|&(n, _)| !is_soft(n) && !is_known(n));
    let mut all: Vec<(usize, SoftLinks)> = given.soft_links.iter().cloned().chain(others).collect();
    all.sort_by_key(|&(n, _)| n);
    all
}
