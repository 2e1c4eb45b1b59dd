//! Tables of stem pairs that rare words back off to, level by level.

use super::config::BackOffLevel;
use crate::bitext::RankedBitext;
use crate::lexicon::{PairIndex, StemPairs, Stems, stems_of};
use crate::numeric::simd::prefetch;

/// One way of cutting stems, and the stems of a text under it.
#[derive(Debug, Clone)]
pub(super) struct Level {
    /// Pseudo-counts distributed by the table (mu).
    pub(super) weight: f32,
    pub(super) source: Stems,
    pub(super) target: Stems,
    pub(super) pairs: StemPairs,
}

impl Level {
    /// Cuts the words of a text.
    pub(super) fn new(bitext: &RankedBitext, index: &PairIndex, level: BackOffLevel) -> Self {
        let (source, target) = stems_of(bitext, level.letters, level.rule);
        let pairs = StemPairs::of(index, &source, &target);
        Self { weight: level.weight, source, target, pairs }
    }

    /// r(w) of the words generated in one direction, 0 for forward.
    #[inline(always)]
    pub(super) fn shares(&self, direction: usize) -> &[f32] {
        if direction == 0 { self.target.shares() } else { self.source.shares() }
    }
}

/// What the table of one level says after a pass.
#[derive(Debug, Clone)]
pub(super) struct BackOff {
    /// C + kappa by stem pair: forward and reverse, or once if they are the same.
    counts: Vec<f32>,
    /// How many counts a stem pair has.
    directions: usize,
    /// mu / (sum over sf of C(se,sf) + kappa S), by source word.
    by_source: Vec<f32>,
    /// mu / (sum over se of C(se,sf) + kappa S), by target word.
    by_target: Vec<f32>,
}

impl BackOff {
    /// Counts by stem pair, for each direction or for both; mu / T by source and by target word.
    pub(super) fn new<const DIRECTIONS: usize>(
        counts: Vec<[f32; DIRECTIONS]>,
        [by_source, by_target]: [Vec<f32>; 2],
    ) -> Self {
        Self { counts: counts.into_flattened(), directions: DIRECTIONS, by_source, by_target }
    }

    /// mu / T by conditioning word of a direction, 0 for forward.
    #[inline(always)]
    pub(super) fn by(&self, direction: usize) -> &[f32] {
        if direction == 0 { &self.by_source } else { &self.by_target }
    }

    /// C + kappa of a stem pair in one direction.
    #[inline(always)]
    pub(super) fn count(&self, pair: u32, direction: usize) -> f32 {
        self.counts[pair as usize * self.directions + direction.min(self.directions - 1)]
    }

    /// Has the counts of a stem pair fetched.
    #[inline(always)]
    pub(super) fn prefetch(&self, pair: u32) {
        prefetch(&self.counts, pair as usize * self.directions);
    }

    /// mu g of a pair of words, with this stem pair, in both directions.
    #[inline(always)]
    pub(super) fn of(&self, level: &Level, pair: u32, source: usize, target: usize) -> [f32; 2] {
        [
            self.count(pair, 0) * self.by_source[source] * level.target.shares()[target],
            self.count(pair, 1) * self.by_target[target] * level.source.shares()[source],
        ]
    }
}
