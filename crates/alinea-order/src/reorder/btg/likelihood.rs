//! Learning by maximum likelihood over all derivations.
//!
//! A derivation `d` has probability `exp(s(d)) / Z`. The gold standard says of pairs of words which comes first, and what is
//! lost by a derivation that has them the other way round, `lost(d)` in all; so what is made likely is
//!
//! ```text
//! log Σ over d of exp(s(d) - hardness · lost(d))  -  log Σ over d of exp(s(d))
//! ```
//!
//! If some tree reaches the gold order, the first sum is over the trees that do, near enough; if none does, over those that come
//! closest. So no sentence is left out. The slope is the difference of what is expected of each feature under the two
//! distributions, exactly, from two charts. Weights follow it by FTRL-Proximal (`ftrl`), steps that
//! shrink feature by feature, with a Gaussian prior.

use std::sync::Mutex;

use super::chart::Chart;
use super::scores::SplitScores;
use super::split_features::{Cells, Record, SplitFeatures};
use crate::error::Result;
use crate::parallel::Parallelism;
use crate::reorder::feature_weights::FeatureWeights;
use crate::reorder::ftrl::Ftrl;
use crate::reorder::precedence::Precedence;

/// Sentences whose slopes are taken at the same weights.
const BATCH: usize = 8;

/// Slopes below this are passed over, and so are features that never have a greater one.
const LEAST_SLOPE: f64 = 0.01;

/// How weights are learned.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LikelihoodConfig {
    /// Passes over the sentences, at least 1.
    pub passes: usize,
    /// The longest first step of a weight, above 0.
    pub rate: f64,
    /// How strongly weights are drawn to 0, at least 0.
    pub penalty: f64,
    /// How many nats each pair in the wrong order costs, above 0.
    pub hardness: f64,
    /// What a pair counts of which one word has no link, beside pairs of linked words: if above 0 such words travel with their
    /// neighbors on the right. From 0 to 1.
    pub unaligned: f64,
}

alinea_text::configurable!(LikelihoodConfig);

impl Default for LikelihoodConfig {
    fn default() -> Self {
        Self { passes: 4, rate: 0.1, penalty: 1.0, hardness: 10.0, unaligned: 0.0 }
    }
}

/// Weights while they are learned.
#[derive(Debug)]
pub(super) struct LikelihoodLearner<'c> {
    config: &'c LikelihoodConfig,
    features: Ftrl<'c, 2>,
    workers: Vec<Mutex<Worker>>,
}

/// The buffers of one sentence of a batch.
#[derive(Debug, Default)]
struct Worker {
    record: Record,
    cells: Cells,
    scores: SplitScores,
    counts: SplitScores,
    all: Chart,
    right: Chart,
    /// Of this batch: the key of a feature, and its slope.
    slopes: Vec<(u64, [f32; 2])>,
}

impl<'c> LikelihoodLearner<'c> {
    /// With weights that start from others, or 0.
    pub(super) fn new(config: &'c LikelihoodConfig, start: Option<&'c FeatureWeights<2>>) -> Self {
        let workers = (0..BATCH).map(|_| Mutex::default()).collect();
        Self { config, features: Ftrl::new(config.rate, config.penalty, start), workers }
    }

    /// One pass over sentences, in this order; what is lost in all, in nats. `example` gives features and gold standard.
    pub(super) fn pass<'m>(
        &mut self,
        order: &[usize],
        example: impl Fn(usize) -> Result<(SplitFeatures<'m>, Precedence)> + Sync,
        parallelism: &Parallelism,
        mut done: impl FnMut(usize) -> Result<()>,
    ) -> Result<f64> {
        let mut lost = 0.0;
        for batch in order.chunks(BATCH) {
            let Self { config, features: learned, workers } = &*self;
            let visit = |slot: usize| {
                let (features, gold) = example(batch[slot])?;
                let mut worker = workers[slot].lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                Ok(worker.visit(&features, &gold, config.hardness, learned))
            };
            let add = |more: f64| {
                lost += more;
                Ok(())
            };
            parallelism.map_ordered(batch.len(), || (), |(), slot| visit(slot), add)?;
            self.update(batch.len());
            done(batch.len())?;
        }
        Ok(lost)
    }

    fn update(&mut self, batch: usize) {
        let Self { features, workers, .. } = self;
        for worker in &mut workers[..batch] {
            let worker = worker.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
            for (key, slopes) in worker.slopes.drain(..) {
                features.step(key, slopes);
            }
        }
    }

    /// The features, and their weights.
    pub(super) fn finish(self) -> FeatureWeights<2> {
        self.features.finish()
    }
}

impl Worker {
    fn visit(&mut self, features: &SplitFeatures<'_>, gold: &Precedence, hardness: f64, learned: &Ftrl<'_, 2>) -> f64 {
        let Self { record, cells, scores, counts, all, right, slopes } = self;
        slopes.clear();
        let words = features.words();
        if words < 2 || gold.is_empty() {
            return 0.0;
        }
        features.record(|key| learned.weights(key), record);
        record.score(cells, scores);
        let likely = all.fill(scores, |_| [0.0; 2]);
        let right_ones = right.fill(scores, |at| gold.cost(at).map(|cost| hardness * cost));
        counts.reset(words);
        for (chart, sign) in [(all, 1.0), (right, -1.0)] {
            chart.probabilities(|context, [begin, pivot, end], split| {
                for (label, probability) in split.into_iter().enumerate() {
                    let more = sign * probability;
                    counts.splits_mut(begin, end)[pivot - begin - 1][label] += more;
                    counts.pivot_mut(context, pivot)[label] += more;
                    counts.span_mut(context, begin, end)[label] += more;
                }
            });
        }
        record.distribute(counts, cells, |feature, slope| {
            if slope[0].abs() + slope[1].abs() >= LEAST_SLOPE {
                slopes.push((feature.key, slope.map(|slope| slope as f32)));
            }
        });
        likely - right_ones
    }
}
