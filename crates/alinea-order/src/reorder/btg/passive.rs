//! Latent passive-aggressive learning (Nakagawa 2015, section 4).
//!
//! Of a sentence only the order is known, not the tree. The reference is the best of all allowed derivations that the search
//! comes across; where none is left in the beam, weights change at once (*early update*). From the first action at which the
//! best derivation and the reference differ, with `Δφ` the difference of their features,
//!
//! ```text
//! loss = score(best) - score(reference) + √(actions left)        τ = min(1, loss / |Δφ|²)        w ← w + τ Δφ
//! ```
//!
//! The weights of the model are averages over all steps.

use std::collections::BTreeSet;

use super::beam::{Allowed, Beam};
use super::derivation::{Span, spans_of};
use super::on_demand::{Found, OnDemand, Plan};
use super::scores::Pair;
use super::split_features::SplitFeatures;
use super::template::Template;
use crate::reorder::feature_table::FeatureTable;
use crate::reorder::feature_weights::FeatureWeights;
use crate::reorder::ranks::Ranks;

/// Weights while they are learned.
#[derive(Debug, Default)]
pub(super) struct PassiveLearner {
    weights: FeatureTable<Pair>,
    /// Of each feature whose weights changed their mean over all steps.
    means: FeatureTable<Pair>,
    plan: Plan,
    found: Found,
    beam: Beam,
    /// The keys of features, labels, and changes.
    changes: Vec<(u64, usize, f64)>,
}

impl PassiveLearner {
    pub(super) fn new(templates: &[Template]) -> Self {
        Self { plan: Plan::new(templates, true), ..Self::default() }
    }

    /// Visits a sentence, which is at `share` of the whole work, and tells whether weights changed.
    pub(super) fn visit(&mut self, features: &SplitFeatures<'_>, ranks: &Ranks, width: usize, share: f64) -> bool {
        let words = features.words();
        let mut scores = OnDemand::new(&self.plan, features, &self.weights, &mut self.found);
        let found = self.beam.search(&mut scores, width, Some(&Allowed::new(ranks)));
        let (Some(best), Some(reference)) = (found.best.first(), found.reference) else { return false };
        let Some(first) = best.iter().zip(&reference).position(|(one, other)| one != other) else { return false };
        self.changes.clear();
        let [reference_spans, best_spans] =
            [&reference, best].map(|actions| spans_of(words, actions).skip(first).collect::<BTreeSet<Span>>());
        self.collect(features, reference_spans.difference(&best_spans), 1.0);
        self.collect(features, best_spans.difference(&reference_spans), -1.0);
        self.update(((reference.len() - first) as f64).sqrt(), 1.0 - share);
        true
    }

    fn collect<'s>(&mut self, features: &SplitFeatures<'_>, spans: impl Iterator<Item = &'s Span>, sign: f64) {
        for &(context, at, inverted) in spans {
            features.of_split(context, at, |key| {
                // Known from now on, whether its weights change or not: so are all features of a split, or none.
                self.weights.get_mut(key);
                self.changes.push((key, usize::from(inverted), sign));
            });
        }
    }

    fn update(&mut self, margin: f64, remaining: f64) {
        self.changes.sort_unstable_by_key(|&(key, label, _)| (key, label));
        self.changes.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            kept.2 += if same { next.2 } else { 0.0 };
            same
        });
        self.changes.retain(|change| change.2 != 0.0);
        let advantage: f64 = self.changes.iter().map(|&(key, label, by)| by * self.weights.get(key)[label]).sum();
        let norm: f64 = self.changes.iter().map(|change| change.2 * change.2).sum();
        if norm <= 0.0 {
            return;
        }
        let step = ((margin - advantage) / norm).min(1.0);
        for &(key, label, by) in &self.changes {
            self.weights.get_mut(key)[label] += step * by;
            self.means.get_mut(key)[label] += step * by * remaining;
        }
    }

    /// The means of the weights.
    pub(super) fn finish(self) -> FeatureWeights<2> {
        let mean = |key| self.means.get(key).map(|mean| mean as f32);
        self.weights.iter().map(|(key, _)| (key, mean(key))).collect()
    }
}
