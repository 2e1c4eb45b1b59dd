//! Expected counts, and what one pair adds to them.

use std::collections::BTreeMap;

use alinea::model::AlignerConfig;

use super::training::{Stage, View};
use super::{FLOORS, Jumps, LIMIT};

/// Expected counts of one direction.
#[derive(Debug)]
pub(super) struct Counts {
    pub(super) translation: Vec<Vec<f64>>,
    pub(super) null: Vec<f64>,
    offsets: BTreeMap<i64, f64>,
    start: BTreeMap<i64, f64>,
    end: BTreeMap<i64, f64>,
}

/// What one direction of a pair adds to the counts of words.
#[derive(Debug, Default)]
pub(super) struct Shares {
    /// e, f and how much.
    pub(super) words: Vec<(usize, usize, f64)>,
    /// f and how much.
    pub(super) null: Vec<(usize, f64)>,
}

/// To a multiple of 2^-16.
fn rounded(posterior: f64) -> f64 {
    (posterior * 65_536.0 + 0.5).floor() / 65_536.0
}

impl Shares {
    /// The posteriors of a pair, each rounded to a multiple of 2^-16. Model 1 does not tell equal words of a sentence
    /// apart, so there their sum is rounded.
    pub(super) fn new(
        (e, f): (&[usize], &[usize]),
        stage: Stage,
        share: impl Fn(usize, usize) -> f64,
        null: &[f64],
    ) -> Self {
        let (mut words, mut nulls) = (BTreeMap::new(), BTreeMap::new());
        for (j, &f) in f.iter().enumerate() {
            let token = if stage == Stage::Ibm1 { 0 } else { j };
            *nulls.entry((f, token)).or_insert(0.0) += null[j];
            for (i, &e) in e.iter().enumerate() {
                let token = if stage == Stage::Ibm1 { (0, 0) } else { (i, j) };
                *words.entry((e, f, token)).or_insert(0.0) += share(i, j);
            }
        }
        Self {
            words: words.into_iter().map(|((e, f, _), count)| (e, f, rounded(count))).collect(),
            null: nulls.into_iter().map(|((f, _), count)| (f, rounded(count))).collect(),
        }
    }
}

impl Counts {
    pub(super) fn zero(view: &View) -> Self {
        Self {
            translation: vec![vec![0.0; view.generated.len()]; view.conditions.len()],
            null: vec![0.0; view.generated.len()],
            offsets: BTreeMap::new(),
            start: BTreeMap::new(),
            end: BTreeMap::new(),
        }
    }

    pub(super) fn add_words(&mut self, shares: &Shares) {
        for &(e, f, count) in &shares.words {
            self.translation[e][f] += count;
        }
        for &(f, count) in &shares.null {
            self.null[f] += count;
        }
    }

    /// Adds jumps by d + I - 1, first and last real positions.
    pub(super) fn add_jumps(&mut self, [offsets, start, end]: [&[f64]; 3]) {
        let positions = start.len() as i64;
        for (d, count) in (1 - positions..).zip(offsets) {
            *self.offsets.entry(d.clamp(-LIMIT, LIMIT)).or_default() += count;
        }
        for (i, (start, end)) in (1..).zip(start.iter().zip(end)) {
            *self.start.entry((i - 1).min(LIMIT)).or_default() += start;
            *self.end.entry((positions - i).min(LIMIT)).or_default() += end;
        }
    }
}

/// The weights are the counts and a pseudo-count; under a window, those of s are averaged over |d|/4 bins to each side.
pub(super) fn estimated_jumps(counts: &Counts, config: &AlignerConfig) -> Jumps {
    let pseudo = f64::from(config.jumps.pseudo_count);
    let of = |table: &BTreeMap<i64, f64>, x: i64| table.get(&x).unwrap_or(&0.0) + pseudo;
    let floor = FLOORS[2];
    let offset = |d: i64| {
        let half = if config.jumps.window { d.abs() / 4 } else { 0 };
        let bins = (d - half).max(-LIMIT)..=(d + half).min(LIMIT);
        let size = bins.clone().count() as f64;
        bins.map(|d| of(&counts.offsets, d)).sum::<f64>() / size
    };
    Jumps::from_weights(
        |d| offset(d).max(floor),
        |x| of(&counts.start, x).max(floor),
        |x| of(&counts.end, x).max(floor),
    )
}
