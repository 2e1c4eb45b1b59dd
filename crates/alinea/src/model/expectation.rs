//! The expectation step: posteriors of all sentence pairs, summed into expected counts.
//!
//! Model 1 passes count each direction's own posteriors, P_f(i|j) and P_r(j|i). HMM passes count their product
//! q = P_f P_r in both directions under agreement, each direction's own without. What a direction gives to the empty
//! word, 1 - sum_i P(i|j), is counted there in any case. Values are rounded to multiples of 2^-16 and summed as
//! integers, so the counts do not depend on the number of threads.

use std::ops::Range;
use std::sync::Mutex;

use super::config::AlignerConfig;
use super::grid::{Grid, GridSide};
use super::jumps::JumpCounts;
use super::pair_worker::{AHEAD, PairWorker, Stage};
use super::parameters::Parameters;
use crate::bitext::{RankedBitext, SentencePair};
use crate::error::Result;
use crate::lexicon::{CountSink, FEW, PairIndex, few_to_units, to_units};
use crate::numeric::simd::{Kernel, LANES, dispatch, sum};
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

/// One pass over the text. The counts of the table must be zero.
pub(super) fn expect(
    bitext: &RankedBitext,
    chunks: &[Range<usize>],
    model: (&PairIndex, &Parameters, &AlignerConfig),
    stage: Stage,
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
        sink: parameters.translation.sink(alone),
        stage,
        agreement: config.agreement && stage == Stage::Hmm,
        units: [Vec::new(), Vec::new()],
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
        let usable = chunks[chunk].clone().map(|n| (n, bitext.pair(n))).filter(|(_, pair)| !pair.has_empty_side());
        let mut ahead = usable.clone();
        ahead.by_ref().take(AHEAD).for_each(|(_, pair)| counter.worker.run_announce(pair));
        for (n, pair) in usable {
            let announced = ahead.next().map(|(_, pair)| pair);
            dispatch(CountPair { counter, pair, announced, count_jumps: n < jump_limit });
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
    /// Counts of one pair under Model 1, forward and reverse.
    units: [Vec<u32>; 2],
    expectations: Expectations,
}

struct CountPair<'c, 'a, 'p> {
    counter: &'c mut Counter<'a>,
    pair: SentencePair<'p>,
    announced: Option<SentencePair<'p>>,
    count_jumps: bool,
}

impl Kernel for CountPair<'_, '_, '_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        if let Some(announced) = self.announced {
            self.counter.worker.announce(announced);
        }
        self.counter.worker.load(self.pair, self.counter.stage);
        match self.counter.stage {
            Stage::Ibm1 => self.counter.count_ibm1(self.pair),
            Stage::Hmm => self.counter.count_hmm(self.pair, self.count_jumps),
        }
    }
}

impl Counter<'_> {
    /// Model 1 knows no positions, so equal words share one computation.
    #[inline(always)]
    fn count_ibm1(&mut self, pair: SentencePair<'_>) {
        let PairWorker { grid, parameters, null_probability, .. } = &mut self.worker;
        let Grid { source, target, ids, forward, reverse } = grid;
        let [forward_units, reverse_units] = &mut self.units;
        self.expectations.log_likelihood[0] += ibm1_types(
            (forward, target, source),
            forward_units,
            (null_probability.of(pair.source.len()), &parameters.forward.null),
            &mut self.expectations.forward_null,
        );
        self.expectations.log_likelihood[1] += ibm1_types(
            (reverse, source, target),
            reverse_units,
            (null_probability.of(pair.target.len()), &parameters.reverse.null),
            &mut self.expectations.reverse_null,
        );
        let rows = ids.chunks_exact(target.types.len()).zip(reverse_units.chunks_exact(target.stride()));
        for ((ids, reverse), &source_token) in rows.zip(&source.first) {
            let column = forward_units[source_token as usize..].iter().step_by(source.stride());
            for ((&id, &forward), &target_token) in ids.iter().zip(column).zip(&target.first) {
                let reverse = reverse[target_token as usize];
                if forward | reverse != 0 {
                    self.sink.add(id, forward, reverse);
                }
            }
        }
    }

    #[inline(always)]
    fn count_hmm(&mut self, pair: SentencePair<'_>, count_jumps: bool) {
        self.worker.posteriors(pair, Stage::Hmm, count_jumps);
        let PairWorker { forward, reverse, .. } = &self.worker;
        let expectations = &mut self.expectations;
        expectations.log_likelihood[0] += forward.log_likelihood;
        expectations.log_likelihood[1] += reverse.log_likelihood;
        for (word, null) in pair.target.iter().zip(forward.null_posteriors()) {
            expectations.forward_null[word.index()] += u64::from(to_units(null));
        }
        for (word, null) in pair.source.iter().zip(reverse.null_posteriors()) {
            expectations.reverse_null[word.index()] += u64::from(to_units(null));
        }
        if count_jumps {
            let counts = &forward.jump_counts;
            expectations.forward_jumps.add(&counts.offsets, &counts.start, &counts.end);
            let counts = &reverse.jump_counts;
            expectations.reverse_jumps.add(&counts.offsets, &counts.start, &counts.end);
        }
        if self.agreement {
            self.count_agreement();
        } else {
            self.count_directions();
        }
    }

    /// Adds the product of the two posteriors of every cell to both directions.
    #[inline(always)]
    fn count_agreement(&mut self) {
        let PairWorker { forward, reverse, grid, .. } = &self.worker;
        let width = grid.target.types.len();
        for (s, row) in reverse.posterior.chunks_exact(reverse.stride).enumerate() {
            let ids = &grid.ids[grid.source.slots[s] as usize * width..][..width];
            for (block, values) in row.chunks_exact(LANES).enumerate() {
                if values.iter().fold(0.0f32, |max, &value| if value > max { value } else { max }) < HALF_A_UNIT {
                    continue;
                }
                for (k, &given_target) in values.iter().enumerate() {
                    let t = block * LANES + k;
                    // The padding of a row is zero.
                    if given_target >= HALF_A_UNIT {
                        let both = to_units(forward.posterior[t * forward.stride + s] * given_target);
                        if both != 0 {
                            self.sink.add(ids[grid.target.slots[t] as usize], both, both);
                        }
                    }
                }
            }
        }
    }

    /// Adds each direction's own posteriors.
    #[inline(always)]
    fn count_directions(&mut self) {
        let PairWorker { forward, reverse, grid, .. } = &self.worker;
        let width = grid.target.types.len();
        for (s, row) in reverse.posterior.chunks_exact(reverse.stride).enumerate() {
            let ids = &grid.ids[grid.source.slots[s] as usize * width..][..width];
            for (t, (&slot, &given_target)) in grid.target.slots.iter().zip(row).enumerate() {
                let given_source = to_units(forward.posterior[t * forward.stride + s]);
                let given_target = to_units(given_target);
                if given_source | given_target != 0 {
                    self.sink.add(ids[slot as usize], given_source, given_target);
                }
            }
        }
    }
}

/// Posteriors below this are counted as zero.
const HALF_A_UNIT: f32 = 0.5 / 65_536.0;

/// Turns weighted t into expected counts in units of 2^-16, multiplicities of both words included: a row for each
/// distinct generated word, a column for each conditioning token. Counts the empty word and returns the log-likelihood.
#[inline(always)]
fn ibm1_types(
    (table, generated, condition): (&[f32], &GridSide, &GridSide),
    units: &mut Vec<u32>,
    (p0, null): (f32, &[f32]),
    null_counts: &mut [u64],
) -> f64 {
    let mut log_likelihood = 0.0;
    let (mut product, mut pending) = (1.0f64, 0.0f64);
    units.resize(table.len(), 0);
    let most = condition.multiplicities.iter().copied().fold(1.0, f32::max);
    let words = generated.types.iter().zip(&generated.multiplicities);
    let rows = table.chunks_exact(condition.stride()).zip(units.chunks_exact_mut(condition.stride()));
    for ((row, units), (&word, &times)) in rows.zip(words) {
        let by_null = p0 * null[word as usize];
        let total = sum(row) + by_null;
        let share = times / total;
        let counts = units.iter_mut().zip(row).zip(&condition.token_multiplicities);
        if times * most < FEW {
            for ((units, cell), repeated) in counts {
                *units = few_to_units(cell * share * repeated);
            }
        } else {
            for ((units, cell), repeated) in counts {
                *units = to_units(cell * share * repeated);
            }
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
