//! The expectation step: posteriors of all sentence pairs, summed into expected counts.
//!
//! Model 1 passes count each direction's own posteriors, P_f(i|j) and P_r(j|i). HMM passes count their product
//! q = P_f P_r in both directions under agreement, each direction's own without. What a direction gives to the empty
//! word, 1 - sum_i P(i|j), is counted there in any case. Values are rounded to multiples of 2^-16 and summed as
//! integers, so the counts do not depend on the number of threads.

use std::ops::Range;
use std::sync::Mutex;

use super::config::AlignerConfig;
use super::jumps::JumpCounts;
use super::pair_worker::{PairWorker, Stage};
use super::parameters::Parameters;
use crate::bitext::{RankedBitext, SentencePair};
use crate::error::Result;
use crate::lexicon::{CountSink, PairCounts, PairIndex, to_units};
use crate::numeric::simd::{Kernel, dispatch, sum};
use crate::parallel::Parallelism;
use crate::progress::{Observer, check};

/// What a pass has counted besides the pairs of words.
#[derive(Debug, Clone)]
pub(super) struct Expectations {
    /// Expected counts of the empty word generating each target word, in units of 2^-16.
    pub forward_null: Vec<u64>,
    /// The same for source words.
    pub reverse_null: Vec<u64>,
    /// Jumps between source positions.
    pub forward_jumps: JumpCounts,
    /// Jumps between target positions.
    pub reverse_jumps: JumpCounts,
    /// The log-likelihood of the target given the source, and of the source given the target, under the parameters
    /// the pass started from.
    pub log_likelihood: [f64; 2],
}

/// The fixed parts of a text that threads take one after another: about [`CELLS_PER_CHUNK`] cells each.
pub(super) fn sentence_chunks(bitext: &RankedBitext) -> Vec<Range<usize>> {
    let mut chunks = Vec::new();
    let (mut start, mut cells) = (0, 0);
    for n in 0..bitext.len() {
        let pair = bitext.pair(n);
        cells += pair.source.len() * pair.target.len() + 1;
        if cells >= CELLS_PER_CHUNK {
            chunks.push(start..n + 1);
            (start, cells) = (n + 1, 0);
        }
    }
    if start < bitext.len() {
        chunks.push(start..bitext.len());
    }
    chunks
}

const CELLS_PER_CHUNK: usize = 1 << 20;

/// One pass over the text. `counts` must be zero.
pub(super) fn expect(
    bitext: &RankedBitext,
    chunks: &[Range<usize>],
    model: (&PairIndex, &Parameters, &AlignerConfig),
    stage: Stage,
    counts: &PairCounts,
    (parallelism, observer): (&Parallelism, &dyn Observer),
) -> Result<Expectations> {
    let (index, parameters, config) = model;
    let jump_limit = match stage {
        Stage::Ibm1 => 0,
        Stage::Hmm => config.jumps.sentences.unwrap_or(usize::MAX),
    };
    let likelihoods: Vec<Mutex<[f64; 2]>> = chunks.iter().map(|_| Mutex::default()).collect();
    let alone = parallelism.threads() == 1;
    let start = || Counter {
        worker: PairWorker::new(index, parameters, config.null_probability),
        sink: counts.sink(alone),
        stage,
        agreement: config.agreement && stage == Stage::Hmm,
        expectations: Expectations {
            forward_null: vec![0; parameters.forward.null.len()],
            reverse_null: vec![0; parameters.reverse.null.len()],
            forward_jumps: JumpCounts::default(),
            reverse_jumps: JumpCounts::default(),
            log_likelihood: [0.0; 2],
        },
    };
    let workers = parallelism.fold(chunks.len(), start, |counter, chunk| {
        check(observer)?;
        counter.expectations.log_likelihood = [0.0; 2];
        for n in chunks[chunk].clone() {
            let pair = bitext.pair(n);
            if !pair.has_empty_side() {
                dispatch(CountPair { counter, pair, count_jumps: n < jump_limit });
            }
        }
        *likelihoods[chunk].lock().expect("each chunk is locked once") = counter.expectations.log_likelihood;
        observer.advance(chunks[chunk].len() as u64);
        Ok(())
    })?;
    let mut all = workers.into_iter().map(|counter| counter.expectations);
    let mut merged = all.next().expect("at least one thread works");
    all.for_each(|other| merged.merge(&other));
    merged.log_likelihood = [0.0; 2];
    for chunk in likelihoods {
        let [forward, reverse] = chunk.into_inner().expect("each chunk is locked once");
        merged.log_likelihood[0] += forward;
        merged.log_likelihood[1] += reverse;
    }
    Ok(merged)
}

impl Expectations {
    fn merge(&mut self, other: &Self) {
        let sum = |a: &mut [u64], b: &[u64]| a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        sum(&mut self.forward_null, &other.forward_null);
        sum(&mut self.reverse_null, &other.reverse_null);
        self.forward_jumps.merge(&other.forward_jumps);
        self.reverse_jumps.merge(&other.reverse_jumps);
    }
}

/// One thread of a pass.
struct Counter<'a> {
    worker: PairWorker<'a>,
    sink: CountSink<'a>,
    stage: Stage,
    agreement: bool,
    expectations: Expectations,
}

struct CountPair<'c, 'a, 'p> {
    counter: &'c mut Counter<'a>,
    pair: SentencePair<'p>,
    count_jumps: bool,
}

impl Kernel for CountPair<'_, '_, '_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        self.counter.worker.load(self.pair);
        match self.counter.stage {
            Stage::Ibm1 => self.counter.count_ibm1(self.pair),
            Stage::Hmm => self.counter.count_hmm(self.pair, self.count_jumps),
        }
    }
}

#[expect(clippy::inline_always, reason = "part of a kernel")]
impl Counter<'_> {
    /// Model 1 knows no positions, so equal words share one computation.
    #[inline(always)]
    fn count_ibm1(&mut self, pair: SentencePair<'_>) {
        let grid = &mut self.worker.grid;
        let (height, width) = (grid.source.types.len(), grid.target.types.len());
        let parameters = self.worker.parameters;
        let config = self.worker.null_probability;
        self.expectations.log_likelihood[0] += ibm1_types(
            (&mut grid.forward, &grid.target.types, &grid.target.multiplicities),
            (&grid.source.multiplicities, pair.source.len()),
            (config.of(pair.source.len()), &parameters.forward.null),
            &mut self.expectations.forward_null,
        );
        self.expectations.log_likelihood[1] += ibm1_types(
            (&mut grid.reverse, &grid.source.types, &grid.source.multiplicities),
            (&grid.target.multiplicities, pair.target.len()),
            (config.of(pair.target.len()), &parameters.reverse.null),
            &mut self.expectations.reverse_null,
        );
        for s in 0..height {
            for t in 0..width {
                let forward = to_units(grid.forward[t * height + s]);
                let reverse = to_units(grid.reverse[s * width + t]);
                if forward | reverse != 0 {
                    self.sink.add(grid.ids[s * width + t], forward, reverse);
                }
            }
        }
    }

    #[inline(always)]
    fn count_hmm(&mut self, pair: SentencePair<'_>, count_jumps: bool) {
        self.worker.posteriors(pair, Stage::Hmm, count_jumps);
        let (source, target) = (pair.source.len(), pair.target.len());
        let PairWorker { forward, reverse, grid, .. } = &self.worker;
        self.expectations.log_likelihood[0] += forward.log_likelihood;
        self.expectations.log_likelihood[1] += reverse.log_likelihood;
        for (word, null) in pair.target.iter().zip(forward.null_posteriors(source)) {
            self.expectations.forward_null[word.index()] += u64::from(to_units(null));
        }
        for (word, null) in pair.source.iter().zip(reverse.null_posteriors(target)) {
            self.expectations.reverse_null[word.index()] += u64::from(to_units(null));
        }
        if count_jumps {
            let counts = &forward.jump_counts;
            self.expectations.forward_jumps.add(&counts.offsets, &counts.start, &counts.end);
            let counts = &reverse.jump_counts;
            self.expectations.reverse_jumps.add(&counts.offsets, &counts.start, &counts.end);
        }
        let width = grid.target.types.len();
        for (s, row) in reverse.posterior.chunks_exact(target).enumerate() {
            let ids = &grid.ids[grid.source.slots[s] as usize * width..][..width];
            for (t, &given_target) in row.iter().enumerate() {
                if self.agreement && given_target < HALF_A_UNIT {
                    continue;
                }
                let given_source = forward.posterior[t * source + s];
                let (forward, reverse) = if self.agreement {
                    let both = to_units(given_source * given_target);
                    (both, both)
                } else {
                    (to_units(given_source), to_units(given_target))
                };
                if forward | reverse != 0 {
                    self.sink.add(ids[grid.target.slots[t] as usize], forward, reverse);
                }
            }
        }
    }
}

/// Posteriors below this are counted as zero.
const HALF_A_UNIT: f32 = 0.5 / 65_536.0;

/// Turns t into expected counts: generated types × condition types, multiplicities of both included. Counts the empty
/// word and returns the log-likelihood.
#[inline(always)]
#[expect(clippy::inline_always, reason = "part of a kernel")]
fn ibm1_types(
    (table, types, multiplicities): (&mut [f32], &[u32], &[f32]),
    (condition, positions): (&[f32], usize),
    (p0, null): (f32, &[f32]),
    null_counts: &mut [u64],
) -> f64 {
    let weight = (1.0 - p0) / positions as f32;
    let mut log_likelihood = 0.0;
    let (mut product, mut pending) = (1.0f64, 0.0f64);
    for ((row, &word), &times) in table.chunks_exact_mut(condition.len()).zip(types).zip(multiplicities) {
        for (cell, count) in row.iter_mut().zip(condition) {
            *cell *= weight * count;
        }
        let by_null = p0 * null[word as usize];
        let total = sum(row) + by_null;
        let share = times / total;
        for cell in row.iter_mut() {
            *cell *= share;
        }
        null_counts[word as usize] += u64::from(to_units(by_null * share));
        if times > 1.0 {
            pending += f64::from(times) * f64::from(total).ln();
        } else {
            product *= f64::from(total);
            if product < 1e-200 {
                log_likelihood += product.ln();
                product = 1.0;
            }
        }
    }
    log_likelihood + product.ln() + pending
}
