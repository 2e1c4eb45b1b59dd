//! Models that are ready to align: trained on the text itself ([`Trained`]), or saved before ([`SavedAligner`]).
//!
//! [`Trained`] is a joint model of both directions, or a chain of IBM models for each, as the recipe says. A
//! [`SavedAligner`] applies a model from a file to new text; it keeps the workers of its threads between calls, so that
//! text can be aligned part by part. Both give each thread a [`Finder`], with which the loop in `decode` computes
//! posteriors and best paths; `links` and `each` run that loop and return the results in the order of the text.
//!
//! [`Trained::settle`] and [`SavedAligner::settle`] choose a threshold where only an objective was given. Expected precision and recall are
//! measured on the model's own posteriors, of at most 20,000 evenly spaced pairs (see `threshold`).

use std::sync::Mutex;

use super::checkpoint::Checkpoint;
use super::data::TrainingData;
use super::decode::{Chunks, Collector, Finder, Found, Wants, chunks_of, decode};
use super::links::{FoundLink, LinkReader};
use super::request::{Decoding, Recipe};
use super::threshold::{ExpectedLinks, MOST_PAIRS, ThresholdChoice, spaced};
use crate::error::Result;
use crate::model::ibm::{IbmAligner, IbmConfig, IbmWorker};
use crate::model::{Aligner, Feature, Model, ModelName, ModelWorker, NewText, Worker};
use crate::parallel::{Work, chunk_range};

/// Pairs that a thread measures before it looks for more.
const MEASURED_AT_ONCE: usize = 64;

/// A model that was trained on a text, or adapted to it.
#[derive(Debug)]
pub enum Trained {
    /// Of both directions.
    Joint(Box<Aligner>),
    /// A chain of textbook models for each direction.
    Chain(Box<IbmAligner>),
}

impl Trained {
    /// Trains on a text and what else there is to learn from. Warnings go to the observer before the first pass.
    ///
    /// # Errors
    /// Those of [`Aligner::train_with`], [`IbmAligner::train`] and [`Checkpoint::train`]; `Unsupported` for data that the model
    /// cannot use, and for a checkpoint of a chain.
    pub fn train(recipe: Recipe, data: &TrainingData, checkpoint: Option<&Checkpoint>, work: Work<'_>) -> Result<Self> {
        let Work { parallelism, observer } = work;
        match recipe {
            Recipe::Joint(config) => Ok(Self::Joint(Box::new(data.train(config, checkpoint, work)?))),
            Recipe::Chain(config) => {
                let last = config.schedule.last();
                let model = ModelName::ALL.into_iter().find(|model| model.last_stage() == last).unwrap_or_default();
                data.check(model)?;
                if checkpoint.is_some() {
                    return Err(Feature::Checkpoint.refused_by(model));
                }
                data.warn(0, observer);
                let config = IbmConfig { classes: data.classes().cloned().or(config.classes), ..config };
                Ok(Self::Chain(Box::new(IbmAligner::train(data.text(), &config, parallelism, observer)?)))
            }
        }
    }

    /// Adapts a saved model to a text, in `passes` passes ([`Aligner::adapt`]).
    ///
    /// # Errors
    /// Those of [`Aligner::adapt`].
    pub fn adapt(model: &Model, passes: u32, data: &TrainingData, work: Work<'_>) -> Result<Self> {
        Ok(Self::Joint(Box::new(data.adapt(model, passes, work)?)))
    }

    /// One line that names every choice that changed results.
    pub fn signature(&self) -> String {
        match self {
            Self::Joint(aligner) => aligner.signature(),
            Self::Chain(aligner) => aligner.signature().to_owned(),
        }
    }

    /// What finds something of the pairs of the text trained on, for one thread.
    ///
    /// # Panics
    /// If it is another text, as far as the numbers of pairs and words tell; if posteriors are wanted of a chain that ends
    /// with the HMM, which has none.
    pub fn finder<'t>(&'t self, data: &'t TrainingData, wants: Wants) -> OwnTextFinder<'t> {
        let text = data.text();
        let worker = match self {
            Self::Joint(aligner) => {
                let worker = aligner.worker(text);
                OwnTextWorker::Joint(Box::new(if wants.scores { worker.judging() } else { worker }))
            }
            Self::Chain(aligner) => {
                let worker = (wants.posteriors || wants.scores).then(|| Box::new(aligner.worker(text)));
                OwnTextWorker::Chain(aligner, worker)
            }
        };
        OwnTextFinder { worker, wants }
    }

    /// Chooses the threshold, if the decoding has an objective and not yet a threshold: by what the model expects of some
    /// 20,000 pairs of the text trained on, evenly spaced. A warning goes to the observer if no threshold reaches it.
    ///
    /// # Errors
    /// `Cancelled` if the observer says so.
    pub fn settle(
        &self,
        decoding: &mut Decoding,
        data: &TrainingData,
        work: Work<'_>,
    ) -> Result<Option<ThresholdChoice>> {
        settle(decoding, || self.expected_links(data, work), work)
    }

    /// What the model expects of its links, by their confidences: measured on the pairs of the text trained on, or on
    /// 20,000 of them, those numbered ⌊n N / 20,000⌋ of N pairs. Where words have fertilities, confidences are sums over the
    /// alignments that were looked at, and so too sure.
    ///
    /// Time as much as their posteriors take, memory a histogram a chunk.
    ///
    /// # Errors
    /// `Cancelled` if the observer says so.
    pub fn expected_links(&self, data: &TrainingData, work: Work<'_>) -> Result<ExpectedLinks> {
        let wants = Wants { posteriors: true, ..Wants::default() };
        expected_links(data.pairs(), || self.finder(data, wants), work)
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
        let made = gather(data.lengths(), || self.finder(data, wants), || &of, work)?;
        work.observer.finished("");
        Ok(made)
    }

    /// The links of each pair of the text trained on.
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
}

impl<'m> SavedAligner<'m> {
    /// Finds this of new text.
    pub fn new(model: &'m Model, wants: Wants) -> Self {
        Self { model, wants, idle: Mutex::default() }
    }

    /// What finds something of the pairs of a text that the model has [read](Model::read), for one thread.
    ///
    /// # Panics
    /// Only if a thread panicked before.
    pub fn finder<'t>(&'t self, text: &'t NewText<'t>) -> NewTextFinder<'t, 'm> {
        let idle = self.idle.lock().expect("no thread panics while it holds the lock").pop();
        let worker = idle.unwrap_or_else(|| {
            let worker = self.model.worker();
            if self.wants.scores { worker.judging() } else { worker }
        });
        NewTextFinder { worker: Some(worker), text, aligner: self }
    }

    /// Chooses the threshold, if the decoding has an objective and not yet a threshold, as [`Trained::settle`] does: by what
    /// the model expects of some 20,000 evenly spaced pairs of a text that it has [read](Model::read).
    ///
    /// # Errors
    /// `Cancelled` if the observer says so.
    pub fn settle(
        &self,
        decoding: &mut Decoding,
        text: &NewText<'_>,
        work: Work<'_>,
    ) -> Result<Option<ThresholdChoice>> {
        settle(decoding, || expected_links(text.len(), || self.finder(text), work), work)
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
        let made = gather(lengths, || self.finder(text), || &of, work)?;
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

/// Chooses the threshold, if the decoding has an objective, from what the model expects of its links.
fn settle(
    decoding: &mut Decoding,
    expected: impl FnOnce() -> Result<ExpectedLinks>,
    work: Work<'_>,
) -> Result<Option<ThresholdChoice>> {
    let Some(objective) = decoding.objective else { return Ok(None) };
    let choice = expected()?.choose(objective);
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
    work: Work<'_>,
) -> Result<ExpectedLinks> {
    let measured = pairs.min(MOST_PAIRS);
    work.observer.started("expected links", measured as u64);
    let numbers = |chunk| chunk_range(measured, MEASURED_AT_ONCE, chunk).map(move |n| spaced(n, measured, pairs));
    let mut sum = ExpectedLinks::default();
    let end = |links: ExpectedLinks| {
        sum.merge(&links);
        Ok(())
    };
    let chunks = Chunks { number: measured.div_ceil(MEASURED_AT_ONCE), pairs: numbers };
    decode(&chunks, finder, || Ok(ExpectedLinks::default()), end, work)?;
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
    let links = gather(lengths, finder, read, work)?;
    work.observer.finished(&format!("{} links", links.iter().map(Vec::len).sum::<usize>()));
    Ok(links)
}

/// What functions, one for each chunk, make of what is found of all pairs, given the lengths of their sides.
fn gather<F: Finder + Send, T: Send, G: FnMut(Found<'_>) -> T + Send>(
    lengths: impl ExactSizeIterator<Item = [usize; 2]>,
    finder: impl Fn() -> F + Sync + Send,
    make: impl Fn() -> G + Sync + Send,
    work: Work<'_>,
) -> Result<Vec<T>> {
    let pairs = lengths.len();
    work.observer.started("aligning", pairs as u64);
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
