//! Leave-one-out estimation: a sentence does not confirm its own guesses.
//!
//! What a sentence pair added to the counts of the pass before, its *own* counts, is taken away while its posteriors are
//! computed. Otherwise a rare word finds in the lexicon what it put there itself. With o(e,f) the own counts of two
//! words, o(e) their sum over f, o_l those of stems at level l, and the tables of the last M-step (see
//! [`maximization`](super::maximization)),
//!
//! ```text
//! t(f|e, s) = [ c(e,f) - o(e,f) + pi + sum over l of mu_l r_l(f) (C_l - o_l(se,sf) + kappa) / (T_l - o_l(se)) ]
//!             / (mass(e) - o(e)) ,        mass(e) the denominator of t(f|e), r_l(f) = freq(f) / freq(sf)
//! p(f|empty, s) = (c0(f) - o0(f) + beta) / N
//! ```
//!
//! where no difference goes below zero, and no denominator below 0.001. Two things are not exact: own counts that are less
//! than 1/128 of what two words have are neglected (and not stored); and where a pair of words has no more than that of
//! own counts, its own or those of its stems, all levels are scaled by the mean of T_l / (T_l - o_l(se)).
//!
//! After Model 1 the own counts are computed a second time, from the lexicon it had before its last M-step.

mod contributions;
mod stems;

use super::back_off::Level;
use super::config::LexicalPrior;
use super::grid::{Grid, GridSide};
use super::parameters::{Direction, NULL_FLOOR, Parameters, TRANSLATION_FLOOR};
use crate::bitext::WordId;
use crate::lexicon::{PairTable, UNIT, to_units};
use crate::numeric::simd::prefetch;

pub(super) use contributions::{ChunkContributions, Contributions, Entries};
use stems::SentenceStems;

/// Own counts below this share of a numerator are neglected.
const LEAST_SHARE: f32 = 1.0 / 128.0;

/// No denominator is below this.
const LEAST_MASS: f32 = 1e-3;

/// Model 1 before its last M-step, from which the counts of its last pass came.
#[derive(Debug, Clone)]
pub(super) struct Ibm1Memory {
    /// t(f|e) and t(e|f) with 8 bits of precision, packed.
    translation: Vec<u32>,
    null: [Vec<f32>; 2],
}

impl Ibm1Memory {
    pub(super) fn of(parameters: &Parameters) -> Self {
        let short = |probability: f32| (probability.to_bits() + 0x8000) >> 16;
        let pack = |[forward, reverse]: [f32; 2]| short(forward) | short(reverse) << 16;
        Self {
            translation: parameters.translation.cells().iter().map(|cell| pack(cell.probability)).collect(),
            null: [parameters.forward.null.clone(), parameters.reverse.null.clone()],
        }
    }

    #[inline(always)]
    fn probability(&self, id: u32) -> [f32; 2] {
        let packed = self.translation.get(id as usize).copied().unwrap_or_default();
        [f32::from_bits(packed << 16), f32::from_bits(packed & 0xFFFF_0000)]
    }
}

/// Where own counts come from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Own<'a> {
    /// Nothing is left out.
    Nothing,
    /// The first pass after Model 1.
    Ibm1(&'a Ibm1Memory),
    /// Later passes.
    Entries(Entries<'a>),
}

/// Takes own counts away, one sentence pair after another in the same buffers.
#[derive(Debug, Clone)]
pub(super) struct LeaveOneOut<'m> {
    levels: &'m [Level],
    /// alpha, kappa, beta.
    pair: f32,
    stem_pair: f32,
    null: f32,
    /// Own counts of types, S rows of T, by direction.
    own: [Vec<f32>; 2],
    own_null: [Vec<f32>; 2],
    stems: Vec<SentenceStems>,
    rows: Vec<f32>,
    /// For each conditioning word its levels.
    row_levels: Vec<RowLevel>,
    exact: Vec<ExactCell>,
    /// For each of those cells its stem pairs.
    stem_pairs: Vec<u32>,
}

impl<'m> LeaveOneOut<'m> {
    pub(super) fn new(levels: &'m [Level], prior: &LexicalPrior) -> Self {
        Self {
            levels,
            pair: prior.pair,
            stem_pair: prior.stem_pair,
            null: prior.null,
            own: Default::default(),
            own_null: Default::default(),
            stems: levels.iter().map(SentenceStems::new).collect(),
            rows: Vec::new(),
            row_levels: Vec::new(),
            exact: Vec::new(),
            stem_pairs: Vec::new(),
        }
    }

    /// Corrects the weighted probabilities of a grid; to be completed afterwards.
    #[inline(always)]
    pub(super) fn correct(
        &mut self,
        grid: &mut Grid,
        own: Own<'_>,
        parameters: &Parameters,
        weights: [f32; 2],
        null_probabilities: [f32; 2],
    ) {
        if matches!(own, Own::Nothing) {
            self.own_null.iter_mut().for_each(Vec::clear);
            return;
        }
        let Grid { source, target, .. } = grid;
        let cells = source.types.len() * target.types.len();
        for (own, (null, generated)) in
            self.own.iter_mut().zip(self.own_null.iter_mut().zip([&target.types, &source.types]))
        {
            own.clear();
            own.resize(cells, 0.0);
            null.clear();
            null.resize(generated.len(), 0.0);
        }
        let any = match own {
            Own::Nothing => false,
            Own::Ibm1(memory) => {
                self.fill_from_ibm1(grid, memory, parameters, null_probabilities);
                true
            }
            Own::Entries(entries) => self.fill(grid, entries),
        };
        if any {
            for (stems, level) in self.stems.iter_mut().zip(self.levels) {
                stems.place(level, grid);
            }
            for direction in [0, 1] {
                self.correct_direction(grid, parameters, direction, weights[direction]);
            }
        }
    }

    /// p(word | empty word) of the generated tokens in one direction, times p0.
    #[inline(always)]
    pub(super) fn weigh_null(
        &self,
        side: &GridSide,
        (direction, parameters): (usize, &Direction),
        p0: f32,
        null: &mut [f32],
    ) {
        let own = &self.own_null[direction];
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

    /// Takes what was stored; false if that is nothing.
    #[inline(always)]
    fn fill(&mut self, grid: &Grid, entries: Entries<'_>) -> bool {
        let (width, sources, targets) = (grid.target.types.len(), grid.source.slots.len(), grid.target.slots.len());
        for (&key, &units) in entries.keys.iter().zip(entries.units) {
            let (key, own) = (key as usize, f32::from(units) / UNIT);
            if key < sources * targets {
                let (s, t) = (grid.source.slots[key / targets], grid.target.slots[key % targets]);
                let cell = s as usize * width + t as usize;
                self.own[0][cell] += own;
                self.own[1][cell] += own;
            } else if key < (sources + 1) * targets {
                self.own_null[0][grid.target.slots[key - sources * targets] as usize] += own;
            } else {
                self.own_null[1][grid.source.slots[key - (sources + 1) * targets] as usize] += own;
            }
        }
        !entries.keys.is_empty()
    }

    /// Computes what Model 1 added.
    #[inline(always)]
    fn fill_from_ibm1(&mut self, grid: &Grid, memory: &Ibm1Memory, parameters: &Parameters, p0: [f32; 2]) {
        let Grid { source, target, ids, .. } = grid;
        let width = target.types.len();
        let weights = [(1.0 - p0[0]) / source.slots.len() as f32, (1.0 - p0[1]) / target.slots.len() as f32];
        let [forward, reverse] = &mut self.own;
        let [forward_null, reverse_null] = &mut self.own_null;
        let null = |side: &GridSide, direction: usize, t: usize| {
            p0[direction] * memory.null[direction][side.types[t] as usize]
        };
        // First the weights of all cells, and their sums for each generated word.
        for (s, own) in reverse_null.iter_mut().enumerate() {
            *own = null(source, 1, s);
        }
        for (t, own) in forward_null.iter_mut().enumerate() {
            *own = null(target, 0, t);
        }
        let place = |cell: usize| (cell / width, cell % width);
        for (cell, &id) in ids.iter().enumerate() {
            let (s, t) = place(cell);
            let [given_source, given_target] = memory.probability(id);
            forward[cell] = weights[0] * given_source * source.multiplicities[s];
            reverse[cell] = weights[1] * given_target * target.multiplicities[t];
            forward_null[t] += forward[cell];
            reverse_null[s] += reverse[cell];
        }
        let Parameters { translation, forward: by_source, reverse: by_target, .. } = parameters;
        // As it was counted, in whole units, whose sums do not depend on their order.
        let kept = |own: f32, numerator: f32| {
            if own < LEAST_SHARE * numerator { 0.0 } else { to_units(own) as f32 / UNIT }
        };
        for (cell, &id) in ids.iter().enumerate() {
            let (s, t) = place(cell);
            let source_mass = by_source.mass[source.types[s] as usize];
            let target_mass = by_target.mass[target.types[t] as usize];
            forward[cell] = kept(
                forward[cell] / forward_null[t] * target.multiplicities[t],
                numerator_of(translation, id, 0, source_mass),
            );
            reverse[cell] = kept(
                reverse[cell] / reverse_null[s] * source.multiplicities[s],
                numerator_of(translation, id, 1, target_mass),
            );
        }
        for (t, own) in forward_null.iter_mut().enumerate() {
            *own = null(target, 0, t) / *own * target.multiplicities[t];
        }
        for (s, own) in reverse_null.iter_mut().enumerate() {
            *own = null(source, 1, s) / *own * source.multiplicities[s];
        }
    }

    /// Corrects one direction: all cells of words that have own counts roughly, those where it matters exactly.
    #[inline(always)]
    fn correct_direction(&mut self, grid: &mut Grid, parameters: &Parameters, direction: usize, weight: f32) {
        let Grid { source, target, ids, forward, reverse } = grid;
        let (conditions, generated, table) =
            if direction == 0 { (&*source, &*target, forward) } else { (&*target, &*source, reverse) };
        let side = DirectionView { direction, conditions, generated, width: target.types.len() };
        self.sum_rows(&side);
        self.exact.clear();
        self.row_levels.clear();
        for c in 0..conditions.types.len() {
            self.correct_row(&side, c, table, ids, parameters, weight);
        }
        self.fetch_stem_pairs(parameters);
        for (n, cell) in self.exact.iter().enumerate() {
            let numerator = self.numerator_left(cell, n, direction, parameters);
            table[cell.value] = weight * (numerator / cell.left).max(TRANSLATION_FLOOR);
        }
    }

    #[inline(always)]
    fn sum_rows(&mut self, side: &DirectionView<'_>) {
        let own = &self.own[side.direction];
        self.rows.clear();
        self.rows.resize(side.conditions.types.len(), 0.0);
        for (s, own) in own.chunks_exact(side.width).enumerate() {
            if side.direction == 0 {
                self.rows[s] = own.iter().sum();
            } else {
                self.rows.iter_mut().zip(own).for_each(|(row, own)| *row += own);
            }
        }
        for stems in &mut self.stems {
            stems.pool(side.direction, own, &self.rows, side.width);
        }
    }

    /// Scales the cells of one conditioning word, and lists those that have to be exact.
    #[inline(always)]
    fn correct_row(
        &mut self,
        side: &DirectionView<'_>,
        c: usize,
        table: &mut [f32],
        ids: &[u32],
        parameters: &Parameters,
        weight: f32,
    ) {
        let DirectionView { direction, conditions, generated, .. } = *side;
        let word = conditions.types[c] as usize;
        let first_level = self.row_levels.len();
        for ((stems, level), back_off) in self.stems.iter().zip(self.levels).zip(&parameters.back_off) {
            let by = back_off.by(direction)[word];
            let total = level.weight / by;
            let own = stems.of_row(direction, c);
            self.row_levels.push(RowLevel { by, own, factor: total / (total - own).max(LEAST_MASS) });
        }
        let levels = &self.row_levels[first_level..];
        if self.rows[c] == 0.0 && levels.iter().all(|level| level.own == 0.0) {
            return;
        }
        let mean = levels.iter().map(|level| level.factor).sum::<f32>() / levels.len().max(1) as f32;
        let mass = parameters.direction(direction).mass[word];
        let left = (mass - self.rows[c]).max(LEAST_MASS);
        let stride = conditions.stride();
        for g in 0..generated.types.len() {
            let types = side.types(c, g);
            let place = types[0] * side.width + types[1];
            let value = g * stride + conditions.first[c] as usize;
            let numerator = table[value] / weight * mass;
            let mut change = self.own[direction][place];
            for ((stems, level), row) in self.stems.iter().zip(self.levels).zip(levels) {
                let own = stems.of(types);
                if own > 0.0 {
                    change += own * row.by * level.shares(direction)[generated.types[g] as usize];
                }
            }
            if change > LEAST_SHARE * numerator {
                let (id, generated) = (ids[place], generated.types[g]);
                self.levels.iter().for_each(|level| level.pairs.prefetch_own(id as usize));
                self.exact.push(ExactCell { types, place, value, id, generated, first_level, numerator, left });
            } else {
                // Nothing of the pair itself is taken away: what backs off is more, each level by its factor.
                table[value] = weight * (self.pair + (numerator - self.pair) * mean) / left;
            }
        }
    }

    /// Finds the stem pairs of the cells that have to be exact.
    #[inline(always)]
    fn fetch_stem_pairs(&mut self, parameters: &Parameters) {
        self.stem_pairs.clear();
        for cell in &self.exact {
            for (level, back_off) in self.levels.iter().zip(&parameters.back_off) {
                let pair = level.pairs.of_pair().get(cell.id as usize).copied().unwrap_or_default();
                prefetch(&back_off.counts, pair as usize);
                self.stem_pairs.push(pair);
            }
        }
    }

    /// The numerator of a cell without own counts.
    #[inline(always)]
    fn numerator_left(&self, cell: &ExactCell, n: usize, direction: usize, parameters: &Parameters) -> f32 {
        let (mut numerator, mut backed) = (cell.numerator, 0.0);
        let levels = self.stems.iter().zip(self.levels).zip(&parameters.back_off);
        let rows = self.row_levels[cell.first_level..].iter().zip(&self.stem_pairs[n * self.levels.len()..]);
        for (((stems, level), back_off), (row, &pair)) in levels.zip(rows) {
            let count = back_off.counts[pair as usize][direction];
            let share = level.shares(direction)[cell.generated as usize] * row.by;
            let own = stems.of(cell.types);
            numerator -= count * share;
            backed += share * row.factor * (count - own).max(self.stem_pair);
        }
        (numerator - self.own[direction][cell.place]).max(self.pair) + backed
    }
}

/// One direction of a grid.
#[derive(Debug, Clone, Copy)]
struct DirectionView<'g> {
    direction: usize,
    conditions: &'g GridSide,
    generated: &'g GridSide,
    /// The number of target types.
    width: usize,
}

impl DirectionView<'_> {
    /// The source and the target type of a conditioning and a generated type.
    #[inline(always)]
    fn types(&self, c: usize, g: usize) -> [usize; 2] {
        if self.direction == 0 { [c, g] } else { [g, c] }
    }
}

/// A cell whose probability is computed anew.
#[derive(Debug, Clone, Copy)]
struct ExactCell {
    /// Source and target type.
    types: [usize; 2],
    /// In tables by source and target type.
    place: usize,
    /// In the table of the direction.
    value: usize,
    id: u32,
    /// The generated word.
    generated: u32,
    /// Where the levels of the conditioning word begin.
    first_level: usize,
    /// With own counts.
    numerator: f32,
    /// The denominator without own counts.
    left: f32,
}

/// What is left of a word at one level.
#[derive(Debug, Clone, Copy)]
struct RowLevel {
    /// mu / T.
    by: f32,
    /// Own counts of its stem.
    own: f32,
    /// T / (T - own).
    factor: f32,
}

/// What the lexicon had for a pair before it was divided by the mass of the conditioning word.
#[inline(always)]
fn numerator_of(table: &PairTable, id: u32, direction: usize, mass: f32) -> f32 {
    table.probability(id)[direction] * mass
}

/// Whether own counts of a pair of words, in units of 2^-16, matter in one of the directions.
#[inline(always)]
pub(super) fn pair_matters(parameters: &Parameters, id: u32, source: WordId, target: WordId, units: u32) -> bool {
    let own = units as f32 / UNIT;
    let Parameters { translation, forward, reverse, .. } = parameters;
    own > LEAST_SHARE * numerator_of(translation, id, 0, forward.mass[source.index()])
        || own > LEAST_SHARE * numerator_of(translation, id, 1, reverse.mass[target.index()])
}

/// Whether own counts of the empty word and a word matter.
#[inline(always)]
pub(super) fn null_matters(direction: &Direction, word: WordId, units: u32) -> bool {
    units as f32 / UNIT > LEAST_SHARE * direction.null[word.index()] * direction.null_mass
}
