//! A model from a file that is ready to align.
//!
//! A [`SavedAligner`] keeps the workers of its threads between calls, so that text can be aligned part by part. It may be joined with
//! the word vectors of a text, and it has what its model has learned from gold links, or learns from those of a text.

use std::sync::{Arc, Mutex};

use super::deciding::DecidingFinder;
use super::decode::{Finder, Found, Wants};
use super::gold_learning;
use super::guidelines::{GoldLinks, GoldScores, Guidelines};
use super::joined::{JoinedEvidence, check_vectors};
use super::links::FoundLink;
use super::pair_words::Ranked;
use super::request::Decoding;
use super::threshold::ThresholdChoice;
use super::whole_text::{ALIGNING, decision_of, expected_links, gather, learn, links, settle, uncertain};
use crate::decision::Decision;
use crate::error::Result;
use crate::model::{Feature, Model, ModelWorker, NewText};
use crate::parallel::Work;
use crate::word_vectors::WordVectors;

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
        let (guidelines, scores) = gold_learning::learn(gold, finder, evidence, decision.least_log_odds(), work)?;
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
        let (vectors, evidence) = learn(&vectors.into(), |n| text.pair(n).lengths(), || self.own_finder(text), work)?;
        let evidence = JoinedEvidence::new(vectors, evidence, self.model.config().name);
        evidence.warn(work.observer);
        Ok(evidence)
    }

    /// The pairs of a text that the model has [read](Model::read) of which it is least certain, as
    /// [`Trained::least_certain`](super::Trained::least_certain) has them.
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

    /// Chooses the threshold, if the decoding has an objective and not yet a threshold, as [`Trained::settle`](super::Trained::settle) does: by what
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
