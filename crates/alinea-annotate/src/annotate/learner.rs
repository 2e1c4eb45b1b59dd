//! A model of a text that is trained again with every link that people confirm.
//!
//! The links of confirmed sentences enter in two ways. They are known links: a model is trained with them, so that it learns what
//! translates what. And they are gold links: from the difference to what a model finds that knows none of them follows what the
//! annotators link ([`Guideline`](crate::decision::Guideline)). That model is trained once, in [`Learner::new`]. So suggestions
//! depend on text and links alone, not on the order in which sentences were confirmed.

use super::habits::habits;
use super::suggestions::{LEAST, Rivalry, Suggestions, Validation};
use crate::align::{GoldLinks, GoldScores, Guidelines, Plan, Request, Trained, TrainingData, Wants};
use crate::alignment::{Alignment, GoldAlignment};
use crate::bitext::Bitext;
use crate::decision::{Calibration, CrossValidation};
use crate::error::Result;
use crate::evaluate::{Counts, Options};
use crate::model::Model;
use crate::parallel::Work;
use crate::word_vectors::WordVectors;

/// Posteriors, of which suggestions are made.
const WANTS: Wants = Wants { posteriors: true, paths: false, scores: false };

/// The probability where a link and none are as probable, if every link is sure.
const EVEN: f32 = 0.5;

/// As many as a `f32` has digits.
const HALVINGS: u32 = 24;

/// The passes of adapting to the text.
const ADAPTING_PASSES: u32 = 8;

/// What is learned from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Teaching {
    /// Whether suggestions follow what the annotators link.
    pub by_guideline: bool,
    /// Whether words without links were left out on purpose, so that nothing is known of them.
    pub annotated_only: bool,
}

impl Default for Teaching {
    /// Of sentences in which everything is linked that should be, with what they tell of the annotators.
    fn default() -> Self {
        Self { by_guideline: true, annotated_only: false }
    }
}

/// Makes suggestions for a text, from links of some of its pairs.
#[derive(Debug)]
pub struct Learner {
    data: TrainingData,
    plan: Plan,
    /// What is adapted to the text, if it is not learned from alone.
    model: Option<Model>,
    /// A model that knows none of the links.
    before: Trained,
    /// What that knows of what people link.
    known: Guidelines,
}

impl Learner {
    /// Trains a model on a text, or adapts one.
    ///
    /// # Errors
    /// As [`Request::plan`], [`Trained::train`] and [`Trained::adapt`].
    pub fn new(text: Bitext, request: &Request, model: Option<Model>, work: Work<'_>) -> Result<Self> {
        let data = TrainingData::of(text)?.build()?;
        let mut plan = request.plan()?;
        if let Some(model) = &model {
            plan.decoding = request.decoding_of(model)?;
        }
        Self::of(data, plan, model, work)
    }

    /// The same with the vectors of the words of the text, source and target ([`TrainingData::with_vectors`]).
    ///
    /// # Errors
    /// `Inconsistent` for vectors of other sentences or words; as [`Trained::train`] and [`Trained::adapt`].
    pub fn with_vectors(self, vectors: [WordVectors; 2], work: Work<'_>) -> Result<Self> {
        let Self { data, plan, model, .. } = self;
        Self::of(data.with_vectors(vectors)?, plan, model, work)
    }

    fn of(data: TrainingData, plan: Plan, model: Option<Model>, work: Work<'_>) -> Result<Self> {
        let before = train(&plan, model.as_ref(), &data, work)?;
        let known = before.guidelines().clone();
        Ok(Self { data, plan, model, before, known })
    }

    /// The text.
    pub fn data(&self) -> &TrainingData {
        &self.data
    }

    /// Suggestions, from the links of some pairs, by ascending number.
    ///
    /// # Errors
    /// `Inconsistent` for links of pairs that the text does not have, or outside of their sentences; `Cancelled` if the observer says
    /// so.
    pub fn suggest(
        &mut self,
        known: &[(usize, GoldAlignment)],
        teaching: Teaching,
        work: Work<'_>,
    ) -> Result<Suggestions> {
        let Teaching { by_guideline, annotated_only } = teaching;
        let data = self.data.with_links(known.to_vec())?;
        let (mut rivalry, mut found) = (Rivalry::default(), Vec::new());
        let (guidelines, validation) = if by_guideline && self.is_enough(known) {
            let gold = GoldLinks { pairs: known.to_vec(), annotated_only };
            let (guidelines, scores) = self.before.learn(&self.data, &gold, work)?;
            let CrossValidation { without, with } = &scores.validation;
            let suggested = if guidelines == Guidelines::default() { without } else { with };
            rivalry = Rivalry::of(&scores, suggested, annotated_only);
            found = habits(self.data.text().bitext(), &scores);
            (guidelines, Some(validation(&scores, annotated_only)))
        } else {
            (self.known.clone(), None)
        };
        let made = if annotated_only || known.is_empty() {
            self.before.set_guidelines(guidelines);
            suggestions(&self.before, &self.data, &self.plan, work)?
        } else {
            let mut trained = train(&self.plan, self.model.as_ref(), &data, work)?;
            trained.set_guidelines(guidelines);
            suggestions(&trained, &data, &self.plan, work)?
        };
        Ok(Suggestions { validation, rivalry, habits: found, ..made })
    }

    /// Whether a guideline can be learned from so many links.
    fn is_enough(&self, known: &[(usize, GoldAlignment)]) -> bool {
        let has_words = |n: usize| !self.data.text().pair(n).has_empty_side();
        known.iter().filter(|(n, _)| has_words(*n)).count() > 1
            && known.iter().any(|(_, links)| !links.sure().is_empty())
    }
}

/// What links of the gold pairs are worth without and with what the others told.
fn validation(scores: &GoldScores, annotated_only: bool) -> Validation {
    let options = Options::default().with(|options| options.annotated_only = annotated_only);
    let aer = |links: &[Alignment]| {
        let counts = scores.gold.iter().zip(links).map(|(gold, links)| options.count(gold, links));
        counts.sum::<Counts>().aer()
    };
    let (without, with) = (aer(&scores.validation.without), aer(&scores.validation.with));
    Validation { pairs: scores.pairs.len(), without, with }
}

/// The model of a plan.
fn train(plan: &Plan, model: Option<&Model>, data: &TrainingData, work: Work<'_>) -> Result<Trained> {
    match model {
        Some(model) => Trained::adapt(model, ADAPTING_PASSES, data, work),
        None => Trained::train(plan.recipe.clone(), data, None, work),
    }
}

/// The probability of a sure link from which on suggesting it is expected to need fewer corrections than not suggesting it: a
/// link that is not even possible has to be removed, a sure link that is missing to be added.
fn fewest_corrections(possible: Calibration) -> f32 {
    let (mut low, mut high) = (0.0, EVEN);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        // Both are probabilities of what would be wrong.
        if middle >= 1.0 - possible.probability(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

/// What a model suggests.
fn suggestions(trained: &Trained, data: &TrainingData, plan: &Plan, work: Work<'_>) -> Result<Suggestions> {
    let mut decoding = plan.decoding;
    trained.settle(&mut decoding, data, work)?;
    let threshold = decoding.possible.map_or(EVEN, fewest_corrections);
    let cells = trained.each(
        data,
        WANTS,
        |found| found.posteriors.map_or_else(Vec::new, |posteriors| posteriors.weighted_links(LEAST)),
        work,
    )?;
    let guideline = trained.guideline().cloned();
    Ok(Suggestions { threshold, cells, guideline, ..Suggestions::default() })
}
