//! Tables of stem pairs that rare words back off to, level by level.

use super::config::BackOffLevel;
use crate::bitext::RankedBitext;
use crate::lexicon::{PairIndex, StemPairs, Stems, stems_of};

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
        let (source, target) = stems_of(bitext, level.rule);
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
    /// C + kappa by stem pair, forward and reverse.
    pub(super) counts: Vec<[f32; 2]>,
    /// mu / (sum over sf of C(se,sf) + kappa S), by source word.
    pub(super) by_source: Vec<f32>,
    /// mu / (sum over se of C(se,sf) + kappa S), by target word.
    pub(super) by_target: Vec<f32>,
}

impl BackOff {
    /// mu / T by conditioning word of a direction, 0 for forward.
    #[inline(always)]
    pub(super) fn by(&self, direction: usize) -> &[f32] {
        if direction == 0 { &self.by_source } else { &self.by_target }
    }

    /// mu g of a pair of words in both directions.
    #[inline(always)]
    pub(super) fn of(&self, level: &Level, id: usize, source: usize, target: usize) -> [f32; 2] {
        level.pairs.prefetch(&self.counts, id);
        let [forward, reverse] = self.counts[level.pairs.of_pair()[id] as usize];
        [
            forward * self.by_source[source] * level.target.shares()[target],
            reverse * self.by_target[target] * level.source.shares()[source],
        ]
    }
}
