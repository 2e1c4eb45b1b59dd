//! Models whose generated words have nothing to do with each other: 1, 2 and the diagonal one. Posteriors are exact.

use super::positions::{PositionCounts, Positions};
use super::side::Cells;
use super::translation::{TranslationCounts, TranslationTable};
use super::{Directed, PAIRS_PER_CHUNK, Paths};
use crate::bitext::SentencePair;
use crate::error::Result;
use crate::parallel::{Parallelism, chunk_range};
use crate::progress::{Observer, check};

/// t and a of one direction.
#[derive(Debug)]
pub(super) struct WordByWord {
    pub(super) translation: TranslationTable,
    pub(super) positions: Positions,
}

/// One thread's buffers.
#[derive(Debug, Default)]
struct Buffers {
    cells: Cells,
    positions: Vec<f64>,
    row: Vec<f64>,
}

impl WordByWord {
    /// One pass of EM: expected counts under the posteriors, then relative frequencies (Brown et al. 1993, sections 4.1
    /// and 4.2). Returns the log-likelihood of the text before the pass. O(cells).
    pub(super) fn pass(
        &mut self,
        direction: Directed<'_>,
        pseudo_count: Option<f64>,
        (parallelism, observer): (&Parallelism, &dyn Observer),
    ) -> Result<f64> {
        let Directed { bitext, index, generated } = direction;
        let mut counts = TranslationCounts::new(index, generated.words(bitext));
        let position_counts = self.positions.counts();
        let mut log_likelihood = 0.0;
        parallelism.map_ordered(
            bitext.len().div_ceil(PAIRS_PER_CHUNK),
            Buffers::default,
            |buffers, chunk| {
                check(observer)?;
                let pairs = chunk_range(bitext.len(), PAIRS_PER_CHUNK, chunk);
                observer.advance(pairs.len() as u64);
                let all = pairs.filter(|&n| !bitext.pair(n).has_empty_side());
                Ok(all.map(|n| self.expect(direction, n, buffers, (&counts, &position_counts))).sum::<f64>())
            },
            |sum: f64| {
                log_likelihood += sum;
                Ok(())
            },
        )?;
        self.translation.maximize(&mut counts, (bitext, generated), index, pseudo_count);
        self.positions.maximize(position_counts);
        Ok(log_likelihood)
    }

    /// Counts one pair; its log-likelihood.
    fn expect(
        &self,
        direction: Directed<'_>,
        n: usize,
        buffers: &mut Buffers,
        (counts, position_counts): (&TranslationCounts, &PositionCounts),
    ) -> f64 {
        let weight = f64::from(direction.bitext.weights().of(n));
        self.look_up(direction, direction.bitext.pair(n), buffers);
        let Buffers { cells, positions, row } = buffers;
        let states = cells.states();
        let counted = self.positions.start([cells.conditions.len(), cells.generated.len()]);
        let mut log_likelihood = 0.0;
        for j in 0..cells.generated.len() {
            let places = j * states..(j + 1) * states;
            row.clear();
            row.extend(cells.translation[places.clone()].iter().zip(&positions[places]).map(|(t, a)| t * a));
            let whole: f64 = row.iter().sum();
            log_likelihood += weight * whole.ln();
            for value in &mut *row {
                *value *= weight / whole;
            }
            for (position, &value) in row.iter().enumerate() {
                counts.add(position, cells.id(j, position), value);
            }
            if let Some(start) = counted {
                position_counts.add(start + j * states, row);
            }
        }
        log_likelihood
    }

    fn look_up(&self, Directed { index, generated, .. }: Directed<'_>, pair: SentencePair<'_>, buffers: &mut Buffers) {
        buffers.cells.fill((pair, generated), index, &self.translation);
        let shape = [buffers.cells.conditions.len(), buffers.cells.generated.len()];
        self.positions.fill(shape, &mut buffers.positions);
    }

    /// The most probable position of each generated word. Of equal ones the last, but the empty word loses.
    fn best(&self, direction: Directed<'_>, pair: SentencePair<'_>, buffers: &mut Buffers) -> Vec<u32> {
        self.look_up(direction, pair, buffers);
        let Buffers { cells, positions, .. } = buffers;
        let states = cells.states();
        let best = |j: usize| {
            let probability =
                |position: usize| cells.translation[j * states + position] * positions[j * states + position];
            let better = |best, position| if probability(position) >= probability(best) { position } else { best };
            (1..states).fold(0, better)
        };
        (0..cells.generated.len()).map(|j| best(j) as u32).collect()
    }

    /// The best path of every pair of the text, in order; empty where a side is.
    pub(super) fn paths(&self, direction: Directed<'_>, parallelism: &Parallelism) -> Result<Paths> {
        let bitext = direction.bitext;
        let mut paths = Paths::default();
        parallelism.map_ordered(
            bitext.len().div_ceil(PAIRS_PER_CHUNK),
            Buffers::default,
            |buffers, chunk| {
                let mut some = Paths::default();
                for pair in chunk_range(bitext.len(), PAIRS_PER_CHUNK, chunk).map(|n| bitext.pair(n)) {
                    let path = if pair.has_empty_side() { Vec::new() } else { self.best(direction, pair, buffers) };
                    some.push(&path);
                }
                Ok(some)
            },
            |some| {
                paths.append(&some);
                Ok(())
            },
        )?;
        Ok(paths)
    }
}
