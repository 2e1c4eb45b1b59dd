//! Learning weights for features of pairs.
//!
//! What is learned is an [`Objective`]: from scores of pairs, how unlikely they make what is known of a sentence, and the slopes of
//! that. Slopes of a batch of sentences are taken at the same weights, at once, and steps are made sentence by sentence
//! ([`ftrl`](crate::reorder::ftrl)), so that threads make no difference. A feature that many pairs of a sentence have makes one step by the
//! sum of their slopes: as many steps would go too far, since their slopes go the same way.

use std::sync::{Mutex, PoisonError};

use super::pair_features::{PairFeatures, pair};
use super::scorer::PairwiseConfig;
use crate::error::Result;
use crate::parallel::Parallelism;
use crate::reorder::example::Example;
use crate::reorder::feature_weights::FeatureWeights;
use crate::reorder::ftrl::Ftrl;

/// Sentences whose slopes are taken at the same weights.
const BATCH: usize = 8;

/// Slopes below this are passed over, and so are features that never have a greater one.
const LEAST_SLOPE: f64 = 0.01;

/// What of a sentence is made likely.
pub(super) trait Objective<const LABELS: usize>: Sized {
    /// Whether the start and the end of a sentence are positions.
    const BORDERS: bool;

    /// What is known of a sentence; none if that is nothing.
    fn of(example: &Example) -> Option<Self>;

    /// Whether anything is known of a pair of positions.
    fn wanted(&self, left: usize, right: usize) -> bool;

    /// The nats that are lost with these scores, by the number of the pair; adds their slopes.
    fn slopes(&self, scores: &[[f64; LABELS]], slopes: &mut [[f64; LABELS]]) -> f64;
}

/// A feature where it is.
#[derive(Debug, Clone, Copy)]
struct Feature {
    key: u64,
    pair: u32,
}

/// The slope of a feature.
type Slope<const LABELS: usize> = (u64, [f64; LABELS]);

/// The buffers of one sentence of a batch.
#[derive(Debug)]
struct Worker<const LABELS: usize> {
    features: Vec<Feature>,
    scores: Vec<[f64; LABELS]>,
    slopes_of_pairs: Vec<[f64; LABELS]>,
    slopes: Vec<Slope<LABELS>>,
}

/// Weights while they are learned.
#[derive(Debug)]
pub(super) struct Learner<'s, const LABELS: usize> {
    features: Ftrl<'s, LABELS>,
    workers: Vec<Mutex<Worker<LABELS>>>,
}

impl<'s, const LABELS: usize> Learner<'s, LABELS> {
    /// With weights that start from others, or 0.
    pub(super) fn new(config: &PairwiseConfig, start: Option<&'s FeatureWeights<LABELS>>) -> Self {
        let worker = |_| {
            let (features, scores, slopes_of_pairs, slopes) = Default::default();
            Mutex::new(Worker { features, scores, slopes_of_pairs, slopes })
        };
        let features = Ftrl::new(config.rate, config.penalty, start);
        Self { features, workers: (0..BATCH).map(worker).collect() }
    }

    /// One pass over sentences, in this order; what is lost in all, in nats. `visit` hands over features and what is known.
    pub(super) fn pass<O: Objective<LABELS>>(
        &mut self,
        order: &[usize],
        visit: impl Fn(usize, &mut dyn FnMut(&PairFeatures<'_>, &O)) -> Result<()> + Sync,
        parallelism: &Parallelism,
        mut done: impl FnMut(usize) -> Result<()>,
    ) -> Result<f64> {
        let mut lost = 0.0;
        for batch in order.chunks(BATCH) {
            let Self { features: learned, workers } = &*self;
            let learn = |slot: usize| {
                let mut worker = workers[slot].lock().unwrap_or_else(PoisonError::into_inner);
                worker.slopes.clear();
                let mut lost = 0.0;
                visit(batch[slot], &mut |features, known| lost = worker.visit(features, known, learned))?;
                Ok(lost)
            };
            let add = |more: f64| {
                lost += more;
                Ok(())
            };
            parallelism.map_ordered(batch.len(), || (), |(), slot| learn(slot), add)?;
            self.update(batch.len());
            done(batch.len())?;
        }
        Ok(lost)
    }

    fn update(&mut self, batch: usize) {
        let Self { features, workers } = self;
        for worker in &mut workers[..batch] {
            let worker = worker.get_mut().unwrap_or_else(PoisonError::into_inner);
            for (key, slopes) in worker.slopes.drain(..) {
                features.step(key, slopes.map(|slope| slope as f32));
            }
        }
    }

    /// The features, and their weights.
    pub(super) fn finish(self) -> FeatureWeights<LABELS> {
        self.features.finish()
    }
}

impl<const LABELS: usize> Worker<LABELS> {
    fn visit<O: Objective<LABELS>>(
        &mut self,
        features: &PairFeatures<'_>,
        known: &O,
        learned: &Ftrl<'_, LABELS>,
    ) -> f64 {
        let pairs = pair(0, features.positions());
        for numbers in [&mut self.scores, &mut self.slopes_of_pairs] {
            numbers.clear();
            numbers.resize(pairs, [0.0; LABELS]);
        }
        self.features.clear();
        features.visit(
            |left, right| known.wanted(left, right),
            |pair, key| {
                add(&mut self.scores[pair], learned.weights(key).map(f64::from));
                self.features.push(Feature { key, pair: pair as u32 });
            },
        );
        let lost = known.slopes(&self.scores, &mut self.slopes_of_pairs);
        let slope = |feature: &Feature| (feature.key, self.slopes_of_pairs[feature.pair as usize]);
        self.slopes.extend(self.features.iter().map(slope));
        sum_by_key(&mut self.slopes);
        self.slopes.retain(|(_, slopes)| slopes.iter().map(|slope| slope.abs()).sum::<f64>() >= LEAST_SLOPE);
        lost
    }
}

/// Sums the slopes of the same feature, in the order in which they came.
fn sum_by_key<const LABELS: usize>(slopes: &mut Vec<Slope<LABELS>>) {
    slopes.sort_by_key(|slope| slope.0);
    slopes.dedup_by(|next, sum| {
        let same = next.0 == sum.0;
        if same {
            add(&mut sum.1, next.1);
        }
        same
    });
}

#[inline(always)]
pub(super) fn add<const LABELS: usize>(to: &mut [f64; LABELS], more: [f64; LABELS]) {
    to.iter_mut().zip(more).for_each(|(to, more)| *to += more);
}
