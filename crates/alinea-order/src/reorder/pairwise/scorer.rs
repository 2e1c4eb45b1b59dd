//! Linear scores of pairs of words, which `linear` and `salesman` share: trained, kept in a file, and computed.
//!
//! The score of a pair p under the label l is Σ w(f, l) over the features f of p. `linear` has one label, the log odds
//! that the two words are exchanged; `salesman` has two, for either word directly behind the other.
//!
//! For training, long sentences are cut into pieces, and pieces of which the objective knows nothing are left out.
//! There are `passes` passes (4 by default) over the pieces, each in an order of its own; after each the observer
//! gets the loss in nats per piece. `rate` and `penalty` are those of FTRL (`reorder::ftrl`). A trained `Scorer` is
//! immutable.

use super::learner::{Learner, Objective, add};
use super::pair_features::{PairFeatures, pair};
use super::template::{Template, default_templates};
use crate::error::{Error, Result};
use crate::parallel::Parallelism;
use crate::progress::{Observer, check};
use crate::reorder::engine::Sentence;
use crate::reorder::example::{Example, nothing_to_learn, pieces, shuffled};
use crate::reorder::feature_weights::FeatureWeights;
use crate::reorder::features::Column;
use crate::storage::{Container, ContainerWriter};

/// How a model of pairs is learned.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PairwiseConfig {
    /// What features look at.
    pub columns: Vec<Column>,
    /// The features: conjunctions such as `L.tags&R.tags&distance`, of the left and the right word.
    pub templates: Vec<String>,
    /// Passes over the sentences, at least 1.
    pub passes: usize,
    /// The longest first step of a weight, above 0.
    pub rate: f64,
    /// How strongly weights are drawn to 0, at least 0.
    pub penalty: f64,
}

alinea_text::configurable!(PairwiseConfig);

impl PairwiseConfig {
    /// The features for these columns, and for dependency trees if sentences have them.
    pub fn new(columns: &[Column], trees: bool) -> Self {
        Self {
            columns: columns.to_vec(),
            templates: default_templates(columns, trees),
            passes: 4,
            rate: 0.1,
            penalty: 1.0,
        }
    }

    fn check(&self) -> Result<()> {
        if self.passes == 0 {
            return Err(Error::config("passes", self.passes, "at least 1"));
        }
        if !(self.rate.is_finite() && self.rate > 0.0) {
            return Err(Error::config("rate", self.rate, "a number above 0"));
        }
        if !(self.penalty.is_finite() && self.penalty >= 0.0) {
            return Err(Error::config("penalty", self.penalty, "a number of at least 0"));
        }
        Ok(())
    }
}

/// Gives each pair of positions a score for each label.
#[derive(Debug)]
pub(in crate::reorder) struct Scorer<const LABELS: usize> {
    columns: Vec<Column>,
    templates: Vec<String>,
    parsed: Vec<Template>,
    weights: FeatureWeights<LABELS>,
}

fn parse(templates: &[String], columns: &[Column]) -> Result<Vec<Template>> {
    templates.iter().map(|text| Template::parse(text, columns)).collect()
}

impl<const LABELS: usize> Scorer<LABELS> {
    pub(super) fn train<O: Objective<LABELS>>(
        examples: &[Example],
        config: &PairwiseConfig,
        start: Option<&Self>,
        parallelism: &Parallelism,
        observer: &dyn Observer,
    ) -> Result<Self> {
        config.check()?;
        let parsed = parse(&config.templates, &config.columns)?;
        let mut pieces = pieces(examples);
        pieces.retain(|piece| O::of(piece).is_some());
        if pieces.is_empty() {
            return Err(nothing_to_learn());
        }
        let visit = |number: usize, learn: &mut dyn FnMut(&PairFeatures<'_>, &O)| {
            let piece = &pieces[number];
            let features = PairFeatures::new(&parsed, &config.columns, piece.sentence(), O::BORDERS)?;
            if let Some(known) = O::of(piece) {
                learn(&features, &known);
            }
            Ok(())
        };
        let mut learner = Learner::new(config, start.map(|start| &start.weights));
        for pass in 1..=config.passes {
            let order = shuffled(pieces.len(), pass as u64);
            observer.started(&format!("pass {pass}"), pieces.len() as u64);
            let lost = learner.pass(&order, visit, parallelism, |count| {
                observer.advance(count as u64);
                check(observer)
            })?;
            observer.finished(&format!("{:.3} nats a sentence", lost / pieces.len() as f64));
        }
        let PairwiseConfig { columns, templates, .. } = config.clone();
        Ok(Self { columns, templates, parsed, weights: learner.finish() })
    }

    /// The scores of all pairs of positions.
    pub(super) fn score(&self, sentence: &Sentence, borders: bool, scores: &mut Vec<[f64; LABELS]>) -> Result<()> {
        let features = PairFeatures::new(&self.parsed, &self.columns, sentence, borders)?;
        scores.clear();
        scores.resize(pair(0, features.positions()), [0.0; LABELS]);
        features.visit(|_, _| true, |pair, key| add(&mut scores[pair], self.weights.get(key)));
        Ok(())
    }

    /// What features look at.
    pub(in crate::reorder) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The number of features.
    pub(in crate::reorder) fn features(&self) -> usize {
        self.weights.len()
    }

    /// Puts the weights into a file, under a number.
    pub(in crate::reorder) fn add_to(&self, number: usize, writer: &mut ContainerWriter<'_>) {
        self.weights.add_to(&number.to_string(), writer);
    }

    /// The columns and templates, for the text of a file.
    pub(in crate::reorder) fn description(&self) -> (Vec<String>, Vec<String>) {
        (self.columns.iter().map(Column::to_string).collect(), self.templates.clone())
    }

    /// Reads what was put into a file.
    pub(in crate::reorder) fn read(
        container: &Container,
        number: usize,
        columns: &[String],
        templates: &[String],
    ) -> Result<Self> {
        let columns = columns.iter().map(|column| column.parse()).collect::<Result<Vec<Column>>>()?;
        let parsed = parse(templates, &columns)?;
        let weights = FeatureWeights::read(&number.to_string(), container)?;
        Ok(Self { columns, templates: templates.to_vec(), parsed, weights })
    }
}
