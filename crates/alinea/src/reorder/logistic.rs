//! Logistic regression over features that are known by their keys.
//!
//! An example is a set of features and how probable it is that something is the case; the weights follow the slope of the
//! log-likelihood one example at a time ([`ftrl`](super::ftrl)).

use super::feature_index::FeatureIndex;
use super::ftrl::State;
use crate::error::Result;
use crate::storage::{Container, ContainerWriter};

/// How weights are learned.
#[derive(Debug, Clone, PartialEq)]
pub struct LogisticConfig {
    /// Passes over the examples, at least 1.
    pub passes: usize,
    /// The longest first step of a weight, above 0.
    pub rate: f64,
    /// How strongly weights are drawn to 0, at least 0.
    pub penalty: f64,
}

impl Default for LogisticConfig {
    fn default() -> Self {
        Self { passes: 5, rate: 0.1, penalty: 1.0 }
    }
}

/// Weights while they are learned.
#[derive(Debug)]
pub(super) struct LogisticLearner<'c> {
    config: &'c LogisticConfig,
    index: FeatureIndex,
    states: Vec<State<1>>,
    /// The numbers of the features of an example.
    numbers: Vec<usize>,
}

impl<'c> LogisticLearner<'c> {
    pub(super) fn new(config: &'c LogisticConfig) -> Self {
        Self { config, index: FeatureIndex::default(), states: Vec::new(), numbers: Vec::new() }
    }

    /// Takes a step towards an example of so much weight; what it cost before, in nats.
    pub(super) fn visit(&mut self, keys: &[u64], probability: f64, weight: f64) -> f64 {
        let Self { config, index, states, numbers } = self;
        numbers.clear();
        numbers.extend(keys.iter().map(|&key| index.insert(key)));
        states.resize(index.len(), State::default());
        let score: f64 = numbers.iter().map(|&number| f64::from(states[number].weights[0])).sum();
        let slope = weight * (sigmoid(score) - probability);
        for &number in &*numbers {
            states[number].step([slope as f32], config.rate, config.penalty);
        }
        weight * (softplus(score) - probability * score)
    }

    pub(super) fn finish(self) -> Logistic {
        Logistic { index: self.index, weights: self.states.iter().map(|state| state.weights[0]).collect() }
    }
}

/// What was learned.
#[derive(Debug)]
pub(super) struct Logistic {
    index: FeatureIndex,
    weights: Vec<f32>,
}

impl Logistic {
    /// The logarithm of how much more probable it is that something is the case than that it is not.
    pub(super) fn log_odds(&self, keys: &[u64]) -> f64 {
        keys.iter().filter_map(|&key| self.index.get(key)).map(|number| f64::from(self.weights[number])).sum()
    }

    /// The number of features.
    pub(super) fn len(&self) -> usize {
        self.weights.len()
    }

    /// Puts the weights into a file, under names that begin with `prefix`.
    pub(super) fn add_to(&self, prefix: &str, writer: &mut ContainerWriter<'_>) {
        let weights = &self.weights;
        let mut features: Vec<(u64, usize)> =
            self.index.entries().filter(|&(_, number)| weights[number].abs() > 0.0).collect();
        features.sort_unstable();
        writer.add_owned(format!("{prefix}.keys"), features.iter().map(|&(key, _)| key).collect::<Vec<u64>>());
        let sorted = features.iter().map(|&(_, number)| weights[number]).collect::<Vec<f32>>();
        writer.add_owned(format!("{prefix}.weights"), sorted);
    }

    /// Reads weights that were put into a file.
    pub(super) fn read(prefix: &str, container: &Container) -> Result<Self> {
        let keys = container.section::<u64>(&format!("{prefix}.keys"))?;
        let weights = container.section_of::<f32>(&format!("{prefix}.weights"), keys.len())?;
        let mut index = FeatureIndex::default();
        keys.iter().for_each(|&key| {
            index.insert(key);
        });
        if index.len() != keys.len() || !weights.iter().all(|weight| weight.is_finite()) {
            return Err(container.error("features, each once, with numbers".to_owned(), "others".to_owned()));
        }
        Ok(Self { index, weights: weights.to_vec() })
    }
}

/// The probability that has these log odds.
pub(super) fn sigmoid(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// `ln(1 + exp(x))`.
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reorder::example::shuffled;

    /// Two features that each come alone, and one that always comes: without prior the best log odds of a group are those of
    /// its relative frequency.
    #[test]
    fn odds_are_those_of_the_examples() {
        let config = LogisticConfig { passes: 400, rate: 0.5, penalty: 0.0 };
        let mut learner = LogisticLearner::new(&config);
        let examples = [(1, 1.0), (1, 1.0), (1, 0.0), (2, 0.0), (2, 0.0), (2, 0.0), (2, 1.0)];
        for pass in 0..config.passes {
            for number in shuffled(examples.len(), pass as u64) {
                let (key, truth) = examples[number];
                learner.visit(&[key, 7], truth, 1.0);
            }
        }
        let learned = learner.finish();
        assert_eq!(learned.len(), 3);
        assert!((learned.log_odds(&[1, 7]) - 2f64.ln()).abs() < 0.1, "{}", learned.log_odds(&[1, 7]));
        assert!((learned.log_odds(&[2, 7]) + 3f64.ln()).abs() < 0.1, "{}", learned.log_odds(&[2, 7]));
        assert!(learned.log_odds(&[9]).abs() < 1e-12);
    }

    #[test]
    fn costs_are_in_nats() {
        let config = LogisticConfig::default();
        let cost = LogisticLearner::new(&config).visit(&[1], 1.0, 2.0);
        assert!((cost - 2.0 * 2f64.ln()).abs() < 1e-12);
        assert!((sigmoid(3f64.ln()) - 0.75).abs() < 1e-12 && softplus(-800.0) >= 0.0);
    }
}
