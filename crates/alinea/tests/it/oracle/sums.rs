//! The sums that probabilities of words are made of, and those without a pair's self-counts.

use std::collections::BTreeMap;

use alinea::model::AlignerConfig;

use super::counts::{Counts, Shares};
use super::training::{Stems, View};

/// The least denominator.
const LEAST: f64 = 1e-3;

/// Pairs of numbers, and how much they have.
type Table = BTreeMap<(usize, usize), f64>;

/// What an M-step computes from the counts of one direction. Without a prior all of it is about nothing.
#[derive(Debug)]
pub(super) struct Sums {
    alpha: f64,
    similarity: f64,
    kappa: f64,
    beta: f64,
    levels: Vec<Level>,
    /// B(e) + c(e), the denominators of t(f|e).
    mass: Vec<f64>,
    /// N, the denominator of p(f|empty word).
    null: f64,
}

/// The sums of one kind of stems.
#[derive(Debug)]
struct Level {
    weight: f64,
    /// The numbers of stems.
    conditions: Vec<usize>,
    generated: Vec<usize>,
    /// r(f), the share of f in its stem.
    share: Vec<f64>,
    /// C(se,sf).
    pairs: Vec<Vec<f64>>,
    /// T(se).
    totals: Vec<f64>,
}

impl Level {
    /// `counts` are c + pi.
    fn new(view: &View, counts: &[Vec<f64>], stems: &Stems, kappa: f64) -> Self {
        let Stems { weight, conditions, generated } = stems.clone();
        let [condition_stems, stems] = [&conditions, &generated].map(|numbers| Stems::count(numbers));
        let mut frequencies = vec![0.0; stems];
        for (&sf, frequency) in generated.iter().zip(&view.frequencies) {
            frequencies[sf] += frequency;
        }
        let share = generated.iter().zip(&view.frequencies).map(|(&sf, frequency)| frequency / frequencies[sf]);
        let share = share.collect();
        let mut pairs = vec![vec![0.0; stems]; condition_stems];
        let mut totals = vec![kappa * stems as f64; conditions.len()];
        for &(e, f) in &view.together {
            pairs[conditions[e]][generated[f]] += counts[e][f];
            totals[conditions[e]] += counts[e][f];
        }
        Self { weight, conditions, generated, share, pairs, totals }
    }

    /// mu g(f|e), the counts of `own` not being there.
    fn without(&self, (e, f): (usize, usize), kappa: f64, own: &StemSelfCounts) -> f64 {
        let (se, sf) = (self.conditions[e], self.generated[f]);
        let left = (self.pairs[se][sf] - of(&own.pairs, (se, sf))).max(0.0) + kappa;
        let total = (self.totals[se] - own.totals.get(&se).unwrap_or(&0.0)).max(LEAST);
        self.weight * self.share[f] * left / total
    }
}

fn of(table: &Table, key: (usize, usize)) -> f64 {
    *table.get(&key).unwrap_or(&0.0)
}

/// A pair's self-counts, added up in every way that sums are made of them.
#[derive(Debug, Default)]
pub(super) struct SelfCounts {
    words: Table,
    conditions: BTreeMap<usize, f64>,
    null: BTreeMap<usize, f64>,
    levels: Vec<StemSelfCounts>,
}

#[derive(Debug, Default)]
struct StemSelfCounts {
    pairs: Table,
    totals: BTreeMap<usize, f64>,
}

impl SelfCounts {
    pub(super) fn new(shares: &Shares, sums: &Sums) -> Self {
        let mut own = Self::default();
        own.levels.resize_with(sums.levels.len(), StemSelfCounts::default);
        for &(e, f, count) in &shares.words {
            *own.words.entry((e, f)).or_default() += count;
            *own.conditions.entry(e).or_default() += count;
            for (level, stems) in sums.levels.iter().zip(&mut own.levels) {
                let (se, sf) = (level.conditions[e], level.generated[f]);
                *stems.pairs.entry((se, sf)).or_default() += count;
                *stems.totals.entry(se).or_default() += count;
            }
        }
        for &(f, count) in &shares.null {
            *own.null.entry(f).or_default() += count;
        }
        own
    }
}

impl Sums {
    pub(super) fn new(view: &View, counts: &Counts, config: &AlignerConfig) -> Self {
        let prior = config.prior.as_ref();
        let numbers = prior.map_or([0.0; 4], |prior| [prior.pair, prior.similarity, prior.stem_pair, prior.null]);
        let [alpha, similarity, kappa, beta] = numbers.map(f64::from);
        let similar = |e: usize, f: usize| view.known(e, f, similarity);
        let added = view.table(|e, f| counts.translation[e][f] + alpha + similar(e, f));
        let levels: Vec<Level> = view.stems.iter().map(|stems| Level::new(view, &added, stems, kappa)).collect();
        let mut mass = vec![alpha * view.generated.len() as f64; view.conditions.len()];
        let nothing = StemSelfCounts::default();
        for &(e, f) in &view.together {
            let back_off: f64 = levels.iter().map(|level| level.without((e, f), kappa, &nothing)).sum();
            mass[e] += counts.translation[e][f] + similar(e, f) + back_off;
        }
        let null = counts.null.iter().sum::<f64>() + beta * view.generated.len() as f64;
        Self { alpha, similarity, kappa, beta, levels, mass, null }
    }

    /// t(f|e) without self-counts.
    pub(super) fn without(&self, view: &View, counts: &Counts, own: &SelfCounts, (e, f): (usize, usize)) -> f64 {
        let left = (counts.translation[e][f] - of(&own.words, (e, f))).max(0.0);
        let prior = self.alpha + view.known(e, f, self.similarity);
        let levels = self.levels.iter().zip(&own.levels);
        let back_off: f64 = levels.map(|(level, own)| level.without((e, f), self.kappa, own)).sum();
        let mass = (self.mass[e] - own.conditions.get(&e).unwrap_or(&0.0)).max(LEAST);
        ((left + prior + back_off) / mass).max(1e-12)
    }

    /// p(f|empty word) without self-counts.
    pub(super) fn null_without(&self, counts: &Counts, own: &SelfCounts, f: usize) -> f64 {
        let left = (counts.null[f] - own.null.get(&f).unwrap_or(&0.0)).max(0.0);
        (left + self.beta) / self.null
    }
}
