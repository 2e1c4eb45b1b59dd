//! Expected counts, and what one pair adds to them.

use std::collections::BTreeMap;

use alinea::model::AlignerConfig;

use super::training::{Stage, View};
use super::{FLOORS, Jumps, LIMIT, classes};

/// Expected counts of one direction.
#[derive(Debug)]
pub(super) struct Counts {
    pub(super) translation: Vec<Vec<f64>>,
    pub(super) null: Vec<f64>,
    /// By class, then d from -LIMIT on.
    offsets: Vec<Vec<f64>>,
    /// By x, up to LIMIT.
    start: Vec<f64>,
    end: Vec<f64>,
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
    pub(super) fn zero(view: &View, config: &AlignerConfig) -> Self {
        Self {
            translation: vec![vec![0.0; view.generated.len()]; view.conditions.len()],
            null: vec![0.0; view.generated.len()],
            offsets: vec![vec![0.0; 2 * LIMIT as usize + 1]; classes(config)],
            start: vec![0.0; LIMIT as usize + 1],
            end: vec![0.0; LIMIT as usize + 1],
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

    /// Adds jumps by class, then d + I - 1, first and last real positions.
    pub(super) fn add_jumps(&mut self, offsets: &[Vec<f64>], [start, end]: [&[f64]; 2]) {
        let positions = start.len() as i64;
        for (of_class, offsets) in self.offsets.iter_mut().zip(offsets) {
            for (d, count) in (1 - positions..).zip(offsets) {
                of_class[place(d)] += count;
            }
        }
        for (i, (start, end)) in (1..).zip(start.iter().zip(end)) {
            self.start[(i - 1).min(LIMIT) as usize] += start;
            self.end[(positions - i).min(LIMIT) as usize] += end;
        }
    }
}

/// The weights are the counts and a pseudo-count; under a window, those of s are averaged over |d|/4 bins to each side.
/// Where there are several classes, each has its self-counts, and what is estimated from all of them weighs as much as
/// `by_kind` counts.
pub(super) fn estimated_jumps(counts: &Counts, config: &AlignerConfig) -> Jumps {
    let pseudo = f64::from(config.jumps.pseudo_count);
    let floor = FLOORS[2];
    let averaged = |d: i64, weight: &dyn Fn(usize) -> f64| {
        let half = if config.jumps.window { d.abs() / 4 } else { 0 };
        let bins = place(d - half)..=place(d + half);
        let size = bins.clone().count() as f64;
        (bins.map(weight).sum::<f64>() / size).max(floor)
    };
    let summed: Vec<f64> =
        (0..=place(LIMIT)).map(|bin| counts.offsets.iter().map(|of_class| of_class[bin]).sum()).collect();
    let all: Vec<f64> = (-LIMIT..=LIMIT).map(|d| averaged(d, &|bin| summed[bin] + pseudo)).collect();
    let sum: f64 = all.iter().sum();
    let offset = |class: usize, d: i64| match config.jumps.by_kind {
        None => all[place(d)],
        Some(strength) => averaged(d, &|bin| counts.offsets[class][bin]) + f64::from(strength) * all[place(d)] / sum,
    };
    let edge = |counts: &[f64], x: i64| (counts[x as usize] + pseudo).max(floor);
    Jumps::from_weights(counts.offsets.len(), offset, |x| edge(&counts.start, x), |x| edge(&counts.end, x))
}

/// Where the weight of a distance is.
fn place(d: i64) -> usize {
    (d.clamp(-LIMIT, LIMIT) + LIMIT) as usize
}
