//! Leave-one-out estimation: a sentence does not confirm its own guesses.
//!
//! What a sentence pair added to the counts of the pass before, its *own* counts, is taken away while its posteriors
//! are computed. Otherwise a rare word finds in the lexicon what it put there itself. With o(e,f) the self-counts of two
//! words, o(e) their sum over f, o_l those of stems at level l, and the tables of the last M-step (see
//! [`maximization`](crate::model::em::maximization)),
//!
//! ```text
//! t(f|e, s) = [ c(e,f) - o(e,f) + pi + sum over l of mu_l r_l(f) (C_l - o_l(se,sf) + kappa) / (T_l - o_l(se)) ]
//!             / (mass(e) - o(e)) ,        mass(e) the denominator of t(f|e), r_l(f) = freq(f) / freq(sf)
//! p(f|empty, s) = (c0(f) - o0(f) + beta) / N
//! ```
//!
//! where no difference goes below zero, and no denominator below 0.001. Both directions have the same self-counts, those
//! of agreement, but for the last pass where directions part: there o(e,f) of the forward direction are sums of P_f,
//! those of the reverse one sums of P_r, and so are the tables of stems. Two things are not exact: self-counts below
//! 0.01 that are less than 1/128 of what two words have are neglected (and not stored); and where a pair of words has
//! no more than 1/128 of self-counts, its own or those of its stems, all levels are scaled by the mean of T_l / (T_l -
//! o_l(se)).
//!
//! All of it takes time in proportion to the cells of the sentence pair, however many of its words share a stem.
//!
//! After Model 1 the self-counts are computed a second time, from the lexicon it had before its last M-step.

mod contributions;
mod known;
mod self_counts;
mod stems;

use crate::bitext::WordId;
use crate::lexicon::UNIT;
use crate::model::config::LexicalPrior;
use crate::model::em::back_off::Level;
use crate::model::em::parameters::{Direction, NULL_FLOOR, Parameters, TRANSLATION_FLOOR};
use crate::model::pair::grid::{Grid, GridSide};

pub(in crate::model) use contributions::{ChunkContributions, Contributions, LEAST_LINK};
pub(in crate::model) use known::KnownPairs;
pub(in crate::model) use self_counts::{Ibm1Memory, SelfCounts};
use self_counts::{LEAST_SHARE, SelfCountTable, numerator_of};
use stems::SentenceStems;

/// No denominator is below this.
const LEAST_MASS: f32 = 1e-3;

/// Takes self-counts away, one sentence pair after another in the same buffers.
#[derive(Debug, Clone)]
pub(in crate::model) struct LeaveOneOut<'m> {
    levels: &'m [Level],
    /// alpha, kappa, beta.
    pair: f32,
    stem_pair: f32,
    null: f32,
    self_counts: SelfCountTable,
    stems: Vec<SentenceStems>,
    /// By direction.
    rows: [Rows; 2],
    /// Whether a cell is among the candidates, S rows of T; false between sentences.
    met: Vec<bool>,
    candidates: Vec<[u32; 2]>,
    exact: Vec<ExactCell>,
    /// For each of those cells its stem pairs.
    stem_pairs: Vec<u32>,
}

/// What is left of the conditioning words in one direction.
#[derive(Debug, Clone, Default)]
struct Rows {
    /// The denominator of t by type, and what is left of it.
    mass: Vec<[f32; 2]>,
    /// For each type its levels.
    levels: Vec<RowLevel>,
    /// r_l of each type that is generated, level by level.
    shares: Vec<f32>,
    /// What a probability without self-counts becomes, by token: something more, after multiplication.
    more: Vec<f32>,
    factor: Vec<f32>,
}

/// What is left of a conditioning word at one level.
#[derive(Debug, Clone, Copy)]
struct RowLevel {
    /// mu / T.
    by: f32,
    /// T / (T - own).
    factor: f32,
}

/// A cell whose probabilities are computed anew.
#[derive(Debug, Clone, Copy)]
struct ExactCell {
    /// Source and target type.
    types: [u32; 2],
    /// By direction the numerator with self-counts, if it has to be computed.
    numerators: [Option<f32>; 2],
}

impl<'m> LeaveOneOut<'m> {
    pub(in crate::model) fn new(levels: &'m [Level], prior: &LexicalPrior) -> Self {
        Self {
            levels,
            pair: prior.pair,
            stem_pair: prior.stem_pair,
            null: prior.null,
            self_counts: SelfCountTable::default(),
            stems: levels.iter().map(SentenceStems::new).collect(),
            rows: Default::default(),
            met: Vec::new(),
            candidates: Vec::new(),
            exact: Vec::new(),
            stem_pairs: Vec::new(),
        }
    }

    /// Corrects the weighted probabilities of a grid; to be completed afterwards.
    #[inline(always)]
    pub(in crate::model) fn correct(
        &mut self,
        grid: &mut Grid,
        own: SelfCounts<'_>,
        parameters: &Parameters,
        weights: [f32; 2],
        null_probabilities: [f32; 2],
    ) {
        match own {
            SelfCounts::Nothing => self.self_counts.clear(),
            SelfCounts::Ibm1(memory, weight) => {
                self.self_counts.fill_from_ibm1(grid, memory, weight, parameters, null_probabilities);
            }
            SelfCounts::Entries(entries, _) => self.self_counts.fill(grid, entries),
        }
        if self.self_counts.places().is_empty() {
            return;
        }
        for (stems, level) in self.stems.iter_mut().zip(self.levels) {
            stems.fill(level, grid, &self.self_counts);
        }
        self.find_candidates(grid.target.types.len());
        for direction in [0, 1] {
            self.fill_rows(grid, parameters, direction, weights[direction]);
        }
        self.choose_exact(grid, weights);
        grid.forward.chunks_exact_mut(grid.source.stride()).for_each(|row| self.rows[0].scale(row));
        grid.reverse.chunks_exact_mut(grid.target.stride()).for_each(|row| self.rows[1].scale(row));
        self.fetch_stem_pairs(grid, parameters);
        self.write_exact(grid, parameters, weights);
    }

    /// p(word | empty word) of the generated tokens in one direction, times p0.
    #[inline(always)]
    pub(in crate::model) fn weigh_null(
        &self,
        side: &GridSide,
        direction: usize,
        parameters: &Direction,
        p0: f32,
        null: &mut [f32],
    ) {
        let own = self.self_counts.null(direction);
        if own.iter().all(|&own| own == 0.0) {
            return;
        }
        let inverse = 1.0 / parameters.null_mass;
        for (null, &slot) in null.iter_mut().zip(&side.slots) {
            let own = own[slot as usize];
            if own > 0.0 {
                let all = parameters.null[side.types[slot as usize] as usize];
                *null = p0 * ((all - own * inverse).max(self.null * inverse)).max(NULL_FLOOR);
            }
        }
    }

    /// The cells that have self-counts at some level.
    #[inline(always)]
    fn find_candidates(&mut self, width: usize) {
        let Self { self_counts: own, stems, met, candidates, .. } = self;
        met.resize(met.len().max(own.of(0).len()), false);
        candidates.clear();
        let mut meet = |cell: [u32; 2]| {
            let met = &mut met[cell[0] as usize * width + cell[1] as usize];
            if !std::mem::replace(met, true) {
                candidates.push(cell);
            }
        };
        for &place in own.places() {
            meet(place);
            for stems in &mut *stems {
                stems.for_each_alike(place, &mut meet);
            }
        }
        for cell in candidates {
            met[cell[0] as usize * width + cell[1] as usize] = false;
        }
    }

    /// Finds what is left of the conditioning words of one direction.
    #[inline(always)]
    fn fill_rows(&mut self, grid: &Grid, parameters: &Parameters, direction: usize, weight: f32) {
        let conditions = if direction == 0 { &grid.source } else { &grid.target };
        let generated = if direction == 0 { &grid.target } else { &grid.source };
        let Rows { mass, levels, shares, more, factor } = &mut self.rows[direction];
        shares.clear();
        for &word in &generated.types {
            shares.extend(self.levels.iter().map(|level| level.shares(direction)[word as usize]));
        }
        mass.clear();
        mass.resize(conditions.types.len(), [0.0; 2]);
        let own = self.self_counts.of(direction);
        for &[s, t] in self.self_counts.places() {
            let condition = if direction == 0 { s } else { t };
            mass[condition as usize][1] += own[s as usize * grid.target.types.len() + t as usize];
        }
        more.clear();
        more.resize(conditions.stride(), 0.0);
        factor.clear();
        factor.resize(conditions.stride(), 1.0);
        levels.clear();
        for (c, (&word, mass)) in conditions.types.iter().zip(mass).enumerate() {
            let mut sum = 0.0;
            for ((stems, level), back_off) in self.stems.iter().zip(self.levels).zip(&parameters.back_off) {
                let by = back_off.by(direction)[word as usize];
                let total = level.cut.weight / by;
                let factor = total / (total - stems.of_row(direction, c)).max(LEAST_MASS);
                levels.push(RowLevel { by, factor });
                sum += factor;
            }
            let mean = if self.levels.is_empty() { 1.0 } else { sum / self.levels.len() as f32 };
            let all = parameters.direction(direction).mass[word as usize];
            *mass = [all, (all - mass[1]).max(LEAST_MASS)];
            // Nothing of the pair itself is taken away: what backs off is more, each level by its factor.
            let token = conditions.first[c] as usize;
            more[token] = weight * self.pair * (1.0 - mean) / mass[1];
            factor[token] = mean * mass[0] / mass[1];
        }
    }

    /// Lists the candidates whose self-counts are more than a small share of what they have.
    #[inline(always)]
    fn choose_exact(&mut self, grid: &mut Grid, weights: [f32; 2]) {
        self.exact.clear();
        let width = grid.target.types.len();
        for &types in &self.candidates {
            let place = types[0] as usize * width + types[1] as usize;
            let numerators = [0, 1].map(|direction| {
                let (c, generated) = condition_and_generated(direction, types);
                let rows = &self.rows[direction];
                let mut change = self.self_counts.of(direction)[place];
                for ((stems, row), share) in self
                    .stems
                    .iter()
                    .zip(rows.levels_of(c, self.levels.len()))
                    .zip(rows.shares_of(generated, self.levels.len()))
                {
                    change += stems.of(direction, types) * row.by * share;
                }
                let numerator = *probability(grid, direction, types) / weights[direction] * rows.mass[c][0];
                (change > LEAST_SHARE * numerator).then_some(numerator)
            });
            if numerators.iter().any(Option::is_some) {
                let id = grid.ids[place] as usize;
                let [s, t] = types.map(|word| word as usize);
                let words = [grid.source.types[s] as usize, grid.target.types[t] as usize];
                self.levels.iter().for_each(|level| level.prefetch(id, words));
                self.exact.push(ExactCell { types, numerators });
            }
        }
    }

    /// Finds the stem pairs of the cells that have to be exact.
    #[inline(always)]
    fn fetch_stem_pairs(&mut self, grid: &Grid, parameters: &Parameters) {
        self.stem_pairs.clear();
        for &ExactCell { types: [s, t], .. } in &self.exact {
            let id = grid.ids[s as usize * grid.target.types.len() + t as usize];
            for (level, back_off) in self.levels.iter().zip(&parameters.back_off) {
                let words = [grid.source.types[s as usize], grid.target.types[t as usize]];
                let pair = level.pair(id as usize, words.map(|word| word as usize));
                back_off.prefetch(pair);
                self.stem_pairs.push(pair);
            }
        }
    }

    #[inline(always)]
    fn write_exact(&self, grid: &mut Grid, parameters: &Parameters, weights: [f32; 2]) {
        let stem_pairs = self.stem_pairs.chunks(self.levels.len().max(1)).chain(std::iter::repeat(&[][..]));
        for (cell, stem_pairs) in self.exact.iter().zip(stem_pairs) {
            for direction in [0, 1] {
                let Some(numerator) = cell.numerators[direction] else { continue };
                let (c, _) = condition_and_generated(direction, cell.types);
                let width = grid.target.types.len();
                let left = self.numerator_left(width, cell.types, direction, numerator, stem_pairs, parameters);
                let t = (left / self.rows[direction].mass[c][1]).max(TRANSLATION_FLOOR);
                *probability(grid, direction, cell.types) = weights[direction] * t;
            }
        }
    }

    /// The numerator of a cell without self-counts.
    #[inline(always)]
    fn numerator_left(
        &self,
        width: usize,
        types: [u32; 2],
        direction: usize,
        mut numerator: f32,
        stem_pairs: &[u32],
        parameters: &Parameters,
    ) -> f32 {
        let (c, generated) = condition_and_generated(direction, types);
        let rows = &self.rows[direction];
        let rows = rows
            .levels_of(c, self.levels.len())
            .iter()
            .zip(rows.shares_of(generated, self.levels.len()))
            .zip(stem_pairs);
        let mut backed = 0.0;
        for ((stems, back_off), ((row, share), &pair)) in self.stems.iter().zip(&parameters.back_off).zip(rows) {
            let count = back_off.count(pair, direction);
            let share = share * row.by;
            numerator -= count * share;
            backed += share * row.factor * (count - stems.of(direction, types)).max(self.stem_pair);
        }
        let own = self.self_counts.of(direction)[types[0] as usize * width + types[1] as usize];
        (numerator - own).max(self.pair) + backed
    }
}

impl Rows {
    /// The levels of the `c`-th conditioning type, of which there are so many.
    #[inline(always)]
    fn levels_of(&self, c: usize, levels: usize) -> &[RowLevel] {
        &self.levels[c * levels..][..levels]
    }

    /// r_l of the `g`-th generated type at so many levels.
    #[inline(always)]
    fn shares_of(&self, g: usize, levels: usize) -> &[f32] {
        &self.shares[g * levels..][..levels]
    }

    /// Scales the probabilities of one generated word.
    #[inline(always)]
    fn scale(&self, row: &mut [f32]) {
        for ((value, more), factor) in row.iter_mut().zip(&self.more).zip(&self.factor) {
            *value = more + factor * *value;
        }
    }
}

/// The places of the conditioning type and of the generated type of a cell.
#[inline(always)]
fn condition_and_generated(direction: usize, [s, t]: [u32; 2]) -> (usize, usize) {
    if direction == 0 { (s as usize, t as usize) } else { (t as usize, s as usize) }
}

/// The weighted probability of a cell.
#[inline(always)]
fn probability(grid: &mut Grid, direction: usize, [s, t]: [u32; 2]) -> &mut f32 {
    let (s, t) = (s as usize, t as usize);
    if direction == 0 {
        &mut grid.forward[t * grid.source.stride() + grid.source.first[s] as usize]
    } else {
        &mut grid.reverse[s * grid.target.stride() + grid.target.first[t] as usize]
    }
}

/// Whether self-counts of a pair of words, in units of 2^-16, matter in a direction; given is its conditioning word.
#[inline(always)]
pub(in crate::model) fn pair_matters(
    parameters: &Parameters,
    direction: usize,
    condition: WordId,
    id: u32,
    units: u32,
) -> bool {
    let mass = parameters.direction(direction).mass[condition.index()];
    units as f32 / UNIT > LEAST_SHARE * numerator_of(&parameters.translation, id, direction, mass)
}

/// Whether self-counts of the empty word and a word matter.
#[inline(always)]
pub(in crate::model) fn null_matters(direction: &Direction, word: WordId, units: u32) -> bool {
    units as f32 / UNIT > LEAST_SHARE * direction.null[word.index()] * direction.null_mass
}
