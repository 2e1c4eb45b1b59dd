//! Models 1 and 2 and the diagonal model, in which generated words are independent given the conditioning sentence.
//!
//! ```text
//! P(f | e, J) = prod over j of  sum over i = 0..I of  t(f_j | e_i) a(i | j, I, J)
//! P(a_j = i | f, e) = t(f_j | e_i) a(i | j, I, J) / sum over i' of t(f_j | e_i') a(i' | j, I, J)
//! ```
//!
//! The sum over all alignments factors into sums over positions, so posteriors are exact and a pass takes O(cells) time
//! (Brown et al. 1993, sections 4.1 and 4.2). The models differ in a alone (`positions`). The best alignment takes the
//! most probable position of each word: the last of equal ones, but the empty word only if it is better than all
//! others.

use super::directed::Directed;
use super::paths::{Paths, gather};
use super::positions::{PositionCounts, Positions};
use super::side::Cells;
use super::translation::{TranslationCounts, TranslationTable};
use crate::bitext::SentencePair;
use crate::error::Result;
use crate::parallel::Work;

/// t and a of one direction.
#[derive(Debug)]
pub(super) struct WordByWord {
    pub(super) translation: TranslationTable,
    pub(super) positions: Positions,
}

/// One thread's buffers.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    cells: Cells,
    positions: Vec<f64>,
    /// By position of one generated word.
    row: Vec<f64>,
}

impl Buffers {
    /// The posteriors of the j-th word's positions, times a weight; the logarithm of the word's probability.
    #[inline(always)]
    fn weigh(&mut self, j: usize, weight: f64) -> f64 {
        let Self { cells, positions, row } = self;
        let states = cells.states();
        let places = j * states..(j + 1) * states;
        row.clear();
        row.extend(cells.translation[places.clone()].iter().zip(&positions[places]).map(|(t, a)| t * a));
        let whole: f64 = row.iter().sum();
        for value in &mut *row {
            *value *= weight / whole;
        }
        whole.ln()
    }
}

impl WordByWord {
    /// One pass of EM: expected counts under the posteriors, then relative frequencies (Brown et al. 1993, sections 4.1
    /// and 4.2). Returns the log-likelihood of the text before the pass. O(cells).
    pub(super) fn pass(&mut self, direction: Directed<'_>, pseudo_count: Option<f64>, work: Work<'_>) -> Result<f64> {
        let Directed { bitext, index, generated } = direction;
        let counts = TranslationCounts::new(index, generated.words(bitext));
        let position_counts = self.positions.counts();
        let expect = |buffers: &mut Buffers, n: usize, _: &mut [Paths; 0]| {
            let empty = bitext.pair(n).has_empty_side();
            if empty { 0.0 } else { self.expect(direction, n, buffers, &counts, &position_counts) }
        };
        let ([], log_likelihood) = gather(bitext.len(), work, Buffers::default, expect)?;
        self.translation.maximize(counts, direction, pseudo_count);
        self.positions.maximize(position_counts);
        Ok(log_likelihood)
    }

    /// Counts one pair; its log-likelihood.
    fn expect(
        &self,
        direction: Directed<'_>,
        n: usize,
        buffers: &mut Buffers,
        counts: &TranslationCounts,
        position_counts: &PositionCounts,
    ) -> f64 {
        let weight = f64::from(direction.bitext.weights().of(n));
        self.look_up(direction, direction.bitext.pair(n), buffers);
        let states = buffers.cells.states();
        let counted = self.positions.start([states - 1, buffers.cells.generated.len()]);
        let mut log_likelihood = 0.0;
        for j in 0..buffers.cells.generated.len() {
            log_likelihood += weight * buffers.weigh(j, weight);
            let Buffers { cells, row, .. } = &*buffers;
            for (position, &value) in row.iter().enumerate() {
                counts.add(position, cells.id(j, position), value);
            }
            if let Some(start) = counted {
                position_counts.add(start + j * states, row);
            }
        }
        log_likelihood
    }

    /// The posteriors of a pair, in rows of positions for each generated word, that of the empty word first; its
    /// log-likelihood.
    pub(super) fn posteriors(
        &self,
        direction: Directed<'_>,
        n: usize,
        buffers: &mut Buffers,
        into: &mut Vec<f64>,
    ) -> f64 {
        self.look_up(direction, direction.bitext.pair(n), buffers);
        into.clear();
        let mut log_likelihood = 0.0;
        for j in 0..buffers.cells.generated.len() {
            log_likelihood += buffers.weigh(j, 1.0);
            into.extend_from_slice(&buffers.row);
        }
        log_likelihood
    }

    fn look_up(&self, Directed { index, generated, .. }: Directed<'_>, pair: SentencePair<'_>, buffers: &mut Buffers) {
        buffers.cells.fill(pair, generated, index, &self.translation);
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
    pub(super) fn paths(&self, direction: Directed<'_>, work: Work<'_>) -> Result<Paths> {
        let bitext = direction.bitext;
        let visit = |buffers: &mut Buffers, n: usize, [paths]: &mut [Paths; 1]| {
            let pair = bitext.pair(n);
            paths.push(&if pair.has_empty_side() { Vec::new() } else { self.best(direction, pair, buffers) });
            0.0
        };
        let ([paths], _) = gather(bitext.len(), work, Buffers::default, visit)?;
        Ok(paths)
    }
}
