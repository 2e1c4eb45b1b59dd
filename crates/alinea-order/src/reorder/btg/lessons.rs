//! Training passes of bracketing trees over examples, by either of the two learners.
//!
//! Sentences longer than `MOST_WORDS` are cut into pieces first. `by_likelihood` makes a given number of passes, each
//! in a random order that the number of the pass seeds, and reports the mean loss; pieces are computed in parallel with
//! a result that does not depend on threads. `passively` is the training of Nakagawa (2015): pieces in the order of the
//! text, only those whose gold order some bracketing tree can produce, until a pass makes no error.
//!
//! This file has the loops, progress and interruption; the updates of weights are in `likelihood` and `passive`.

use std::borrow::Cow;

use super::likelihood::{LikelihoodConfig, LikelihoodLearner};
use super::model::PassiveConfig;
use super::passive::PassiveLearner;
use super::split_features::SplitFeatures;
use super::template::Template;
use crate::error::Result;
use crate::parallel::Parallelism;
use crate::progress::{Observer, check};
use crate::reorder::example::{Example, nothing_to_learn, pieces, shuffled};
use crate::reorder::feature_weights::FeatureWeights;
use crate::reorder::features::{Column, Columns};
use crate::reorder::ranks::Ranks;

/// What is learned from: examples, in pieces that are not too long.
#[derive(Debug)]
pub(super) struct Lessons<'l> {
    columns: &'l [Column],
    templates: &'l [Template],
    pieces: Vec<Cow<'l, Example>>,
}

impl<'l> Lessons<'l> {
    pub(super) fn new(examples: &'l [Example], columns: &'l [Column], templates: &'l [Template]) -> Self {
        Self { columns, templates, pieces: pieces(examples) }
    }

    fn features(&self, example: &Example) -> Result<SplitFeatures<'l>> {
        let sentence = example.sentence();
        Ok(SplitFeatures::new(self.templates, Columns::new(self.columns, sentence)?, sentence.tree()))
    }

    /// Learns from all examples, from the weights of `start`, in an order of its own in each pass.
    pub(super) fn by_likelihood(
        &self,
        config: &LikelihoodConfig,
        start: Option<&FeatureWeights<2>>,
        parallelism: &Parallelism,
        observer: &dyn Observer,
    ) -> Result<FeatureWeights<2>> {
        let count = self.pieces.len();
        if !self.pieces.iter().any(|piece| piece.says()) {
            return Err(nothing_to_learn());
        }
        let mut learner = LikelihoodLearner::new(config, start);
        let lesson = |number: usize| {
            let piece = &self.pieces[number];
            Ok((self.features(piece)?, piece.precedence(config.unaligned)))
        };
        for pass in 1..=config.passes {
            observer.started(&format!("pass {pass}"), count as u64);
            let lost = learner.pass(&shuffled(count, pass as u64), lesson, parallelism, |done| {
                observer.advance(done as u64);
                check(observer)
            })?;
            observer.finished(&format!("{:.3} nats a sentence", lost / count as f64));
        }
        Ok(learner.finish())
    }

    /// Learns from the examples whose order a tree reaches, until a pass changes nothing.
    pub(super) fn passively(&self, config: &PassiveConfig, observer: &dyn Observer) -> Result<FeatureWeights<2>> {
        let ranks = self.pieces.iter().map(|piece| piece.ranks().ok().filter(Ranks::is_bracketable));
        let usable: Vec<(&Cow<'_, Example>, Ranks)> =
            self.pieces.iter().zip(ranks).filter_map(|(piece, ranks)| Some((piece, ranks?))).collect();
        if usable.is_empty() {
            return Err(nothing_to_learn());
        }
        let mut learner = PassiveLearner::new(self.templates);
        for pass in 0..config.passes {
            observer.started(&format!("pass {}", pass + 1), usable.len() as u64);
            let mut changed = 0;
            for (place, (piece, ranks)) in usable.iter().enumerate() {
                check(observer)?;
                let share = (pass * usable.len() + place) as f64 / (config.passes * usable.len()) as f64;
                let features = self.features(piece)?;
                changed += u64::from(learner.visit(&features, ranks, config.beam, share));
                observer.advance(1);
            }
            observer.finished(&format!("{changed} of {} sentences wrong", usable.len()));
            if changed == 0 {
                break;
            }
        }
        Ok(learner.finish())
    }
}
