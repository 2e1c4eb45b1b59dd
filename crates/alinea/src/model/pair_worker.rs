//! The buffers of one thread, and what it computes for one sentence pair: posteriors of both directions.

#![expect(clippy::inline_always, reason = "everything here is inlined into a kernel")]

use super::config::NullProbability;
use super::grid::{Grid, GridSide};
use super::jumps::{JumpTable, SentenceJumps};
use super::lattice::{Lattice, LatticeInput, SentenceJumpCounts};
use super::parameters::{Direction, Parameters};
use super::viterbi::Viterbi;
use crate::bitext::{SentencePair, WordId};
use crate::lexicon::PairIndex;
use crate::numeric::simd::{Kernel, dispatch, sum};

/// Which equations a pass uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// Model 1: positions are exchangeable.
    Ibm1,
    /// The HMM.
    Hmm,
}

/// One direction of one sentence pair.
#[derive(Debug, Clone, Default)]
pub(super) struct DirectionBuffers {
    /// (1-p0) t, generated words × positions; for Model 1 divided by the number of positions.
    emission: Vec<f32>,
    /// p0 p(word | empty word).
    null: Vec<f32>,
    /// P(position | generated word), generated words × positions.
    pub posterior: Vec<f32>,
    /// The log-likelihood of the generated side.
    pub log_likelihood: f64,
    /// Expected jumps, if asked for.
    pub jump_counts: SentenceJumpCounts,
    lattice: Lattice,
    viterbi: Viterbi,
    jumps: JumpCache,
}

/// What one thread needs to compute posteriors of one sentence pair after another.
#[derive(Debug, Clone)]
pub(super) struct PairWorker<'m> {
    pub(super) index: &'m PairIndex,
    pub(super) parameters: &'m Parameters,
    pub(super) null_probability: NullProbability,
    /// The words of the current pair.
    pub grid: Grid,
    /// p(target | source).
    pub forward: DirectionBuffers,
    /// p(source | target).
    pub reverse: DirectionBuffers,
}

impl<'m> PairWorker<'m> {
    /// A worker with empty buffers.
    pub(super) fn new(index: &'m PairIndex, parameters: &'m Parameters, null_probability: NullProbability) -> Self {
        Self {
            index,
            parameters,
            null_probability,
            grid: Grid::default(),
            forward: DirectionBuffers::default(),
            reverse: DirectionBuffers::default(),
        }
    }

    /// Looks up the words of a pair; neither side may be empty.
    #[inline(always)]
    pub(super) fn load(&mut self, pair: SentencePair<'_>) {
        self.grid.fill(pair, self.index, &self.parameters.translation);
    }

    /// Computes posteriors and log-likelihoods of both directions for the pair that was loaded.
    #[inline(always)]
    pub(super) fn posteriors(&mut self, pair: SentencePair<'_>, stage: Stage, count_jumps: bool) {
        let Self { grid, forward, reverse, parameters, .. } = self;
        let (source, target) = (pair.source.len(), pair.target.len());
        let p0 = self.null_probability.of(source);
        forward.emit(p0, &grid.forward, &grid.target, &grid.source, stage);
        forward.emit_null(p0, pair.target, &parameters.forward);
        forward.infer(source, &parameters.forward.jumps, stage, count_jumps);
        let p0 = self.null_probability.of(target);
        reverse.emit(p0, &grid.reverse, &grid.source, &grid.target, stage);
        reverse.emit_null(p0, pair.source, &parameters.reverse);
        reverse.infer(target, &parameters.reverse.jumps, stage, count_jumps);
    }

    /// Loads a pair and computes its posteriors, with the instruction set of this processor.
    pub(super) fn run(&mut self, pair: SentencePair<'_>, stage: Stage) {
        dispatch(Run { worker: self, pair, stage });
    }

    /// The best path of each direction for the pair whose posteriors were computed last: for each target word a
    /// source position, and for each source word a target position.
    pub(super) fn viterbi(&mut self, pair: SentencePair<'_>, stage: Stage, paths: &mut [Vec<Option<u32>>; 2]) {
        let [forward, reverse] = paths;
        self.forward.best_path(pair.source.len(), &self.parameters.forward.jumps, stage, forward);
        self.reverse.best_path(pair.target.len(), &self.parameters.reverse.jumps, stage, reverse);
    }
}

struct Run<'w, 'm, 'p> {
    worker: &'w mut PairWorker<'m>,
    pair: SentencePair<'p>,
    stage: Stage,
}

impl Kernel for Run<'_, '_, '_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        self.worker.load(self.pair);
        self.worker.posteriors(self.pair, self.stage, false);
    }
}

impl DirectionBuffers {
    #[inline(always)]
    fn emit(&mut self, p0: f32, table: &[f32], generated: &GridSide, condition: &GridSide, stage: Stage) {
        let positions = condition.slots.len();
        let weight = match stage {
            Stage::Ibm1 => (1.0 - p0) / positions as f32,
            Stage::Hmm => 1.0 - p0,
        };
        self.emission.resize(generated.slots.len() * positions, 0.0);
        for (row, &slot) in self.emission.chunks_exact_mut(positions).zip(&generated.slots) {
            let types = &table[slot as usize * condition.types.len()..][..condition.types.len()];
            for (cell, &slot) in row.iter_mut().zip(&condition.slots) {
                *cell = weight * types[slot as usize];
            }
        }
    }

    #[inline(always)]
    fn emit_null(&mut self, p0: f32, generated: &[WordId], direction: &Direction) {
        self.null.clear();
        self.null.extend(generated.iter().map(|word| p0 * direction.null[word.index()]));
    }

    #[inline(always)]
    fn infer(&mut self, positions: usize, table: &JumpTable, stage: Stage, count_jumps: bool) {
        self.posterior.resize(self.emission.len(), 0.0);
        match stage {
            Stage::Ibm1 => self.infer_ibm1(positions),
            Stage::Hmm => {
                let jumps = self.jumps.of(table, positions);
                let input = LatticeInput { emission: &self.emission, null: &self.null, jumps, table };
                let counts = count_jumps.then_some(&mut self.jump_counts);
                self.log_likelihood = self.lattice.posteriors(input, &mut self.posterior, counts);
            }
        }
    }

    #[inline(always)]
    fn infer_ibm1(&mut self, positions: usize) {
        let mut log_likelihood = 0.0;
        let rows = self.posterior.chunks_exact_mut(positions).zip(self.emission.chunks_exact(positions));
        for ((posterior, emission), null) in rows.zip(&self.null) {
            let total = sum(emission) + null;
            log_likelihood += f64::from(total).ln();
            for (p, e) in posterior.iter_mut().zip(emission) {
                *p = e / total;
            }
        }
        self.log_likelihood = log_likelihood;
    }

    fn best_path(&mut self, positions: usize, table: &JumpTable, stage: Stage, path: &mut Vec<Option<u32>>) {
        match stage {
            Stage::Ibm1 => {
                path.clear();
                for (row, &null) in self.emission.chunks_exact(positions).zip(&self.null) {
                    let mut best = (null, None);
                    for (position, &value) in row.iter().enumerate() {
                        if value > best.0 || (value == best.0 && best.1.is_none()) {
                            best = (value, Some(position as u32));
                        }
                    }
                    path.push(best.1);
                }
            }
            Stage::Hmm => {
                let jumps = self.jumps.of(table, positions);
                let input = LatticeInput { emission: &self.emission, null: &self.null, jumps, table };
                self.viterbi.path(input, path);
            }
        }
    }

    /// The posterior of the empty word for each generated word.
    #[inline(always)]
    pub(super) fn null_posteriors(&self, positions: usize) -> impl Iterator<Item = f32> + '_ {
        self.posterior.chunks_exact(positions).map(|row| (1.0 - sum(row)).max(0.0))
    }
}

/// Sentence transitions by length: most sentences share theirs with many others.
#[derive(Debug, Clone, Default)]
struct JumpCache {
    by_length: Vec<SentenceJumps>,
    long: SentenceJumps,
}

const CACHED_LENGTHS: usize = 256;

impl JumpCache {
    #[inline(always)]
    fn of(&mut self, table: &JumpTable, states: usize) -> &SentenceJumps {
        if states >= CACHED_LENGTHS {
            self.long.prepare(table, states);
            return &self.long;
        }
        if self.by_length.is_empty() {
            self.by_length.resize_with(CACHED_LENGTHS, SentenceJumps::default);
        }
        let jumps = &mut self.by_length[states];
        if jumps.scale.is_empty() {
            jumps.prepare(table, states);
        }
        jumps
    }
}
