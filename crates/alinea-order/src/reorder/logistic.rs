//! Logistic regression over features that are known by their keys.
//!
//! An example is a set of features and how probable it is that something is the case; the weights follow the slope of the
//! log-likelihood one example at a time ([`ftrl`](super::ftrl)).

use super::feature_weights::FeatureWeights;
use super::ftrl::Ftrl;
use crate::numeric::{sigmoid, softplus};

/// How weights are learned.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LogisticConfig {
    /// Passes over the examples, at least 1.
    pub passes: usize,
    /// The longest first step of a weight, above 0.
    pub rate: f64,
    /// How strongly weights are drawn to 0, at least 0.
    pub penalty: f64,
}

alinea_text::configurable!(LogisticConfig);

impl Default for LogisticConfig {
    fn default() -> Self {
        Self { passes: 5, rate: 0.1, penalty: 1.0 }
    }
}

/// Weights while they are learned.
#[derive(Debug)]
pub(super) struct LogisticLearner<'s> {
    features: Ftrl<'s, 1>,
}

impl<'s> LogisticLearner<'s> {
    /// With weights that start from others, or 0.
    pub(super) fn new(config: &LogisticConfig, start: Option<&'s FeatureWeights<1>>) -> Self {
        Self { features: Ftrl::new(config.rate, config.penalty, start) }
    }

    /// Takes a step towards an example of so much weight; what it cost before, in nats.
    pub(super) fn visit(&mut self, keys: &[u64], probability: f64, weight: f64) -> f64 {
        let score: f64 = keys.iter().map(|&key| f64::from(self.features.weights(key)[0])).sum();
        let slope = weight * (sigmoid(score) - probability);
        for &key in keys {
            self.features.step(key, [slope as f32]);
        }
        weight * (softplus(score) - probability * score)
    }

    pub(super) fn finish(self) -> FeatureWeights<1> {
        self.features.finish()
    }
}

impl FeatureWeights<1> {
    /// The logarithm of how much more probable it is that something is the case than that it is not.
    pub(super) fn log_odds(&self, keys: &[u64]) -> f64 {
        keys.iter().map(|&key| self.get(key)[0]).sum()
    }
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
        let mut learner = LogisticLearner::new(&config, None);
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
        let cost = LogisticLearner::new(&config, None).visit(&[1], 1.0, 2.0);
        assert!((cost - 2.0 * 2f64.ln()).abs() < 1e-12);
    }
}
