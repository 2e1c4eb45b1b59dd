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
//! where no difference goes below zero, and no denominator below 0.001. Two things are neglected: own counts that are less
//! than 1/128 of what the two words have (they are not stored), and o_l(se) in words that share no stem with a word they
//! own counts with, if it is less than 1/8 of T_l.
//!
//! After Model 1 the own counts are computed a second time, from the lexicon it had before its last M-step.

use std::ops::Range;

use super::back_off::{BackOff, Level};
use super::config::LexicalPrior;
use super::grid::{Grid, GridSide};
use super::parameters::{Direction, NULL_FLOOR, Parameters, TRANSLATION_FLOOR};
use crate::bitext::WordId;
use crate::lexicon::PairTable;

/// Own counts below this share of a numerator are neglected.
const LEAST_SHARE: f32 = 1.0 / 128.0;

/// Own counts of a stem below this share of its total are neglected in words without own counts.
const LEAST_STEM_SHARE: f32 = 1.0 / 8.0;

/// No denominator is below this.
const LEAST_MASS: f32 = 1e-3;

const UNIT: f32 = 65_536.0;

/// What the sentence pairs of one chunk of the text added to the counts, as far as it matters.
#[derive(Debug, Clone, Default)]
pub(super) struct ChunkContributions {
    /// Where the entries of each sentence pair end.
    ends: Vec<u32>,
    /// With I source and J target tokens: i J + j for tokens i and j; I J + j for target token j and the empty word;
    /// I J + J + i for source token i and the empty word.
    keys: Vec<u32>,
    /// Counts in units of 2^-16; a whole count is one unit short.
    units: Vec<u16>,
}

impl ChunkContributions {
    #[inline(always)]
    pub(super) fn push(&mut self, key: usize, units: u32) {
        self.keys.push(key as u32);
        self.units.push(units.min(u32::from(u16::MAX)) as u16);
    }

    #[inline(always)]
    pub(super) fn end_pair(&mut self) {
        self.ends.push(self.keys.len() as u32);
    }

    /// Without room for more.
    pub(super) fn shrunk(mut self) -> Self {
        self.ends.shrink_to_fit();
        self.keys.shrink_to_fit();
        self.units.shrink_to_fit();
        self
    }
}

/// What all sentence pairs added to the counts of a pass.
#[derive(Debug, Clone, Default)]
pub(super) struct Contributions {
    chunks: Vec<(Range<usize>, ChunkContributions)>,
}

impl Contributions {
    /// Chunks in order, with the numbers of their pairs.
    pub(super) fn new(chunks: Vec<(Range<usize>, ChunkContributions)>) -> Self {
        Self { chunks }
    }

    /// The keys and units of the `n`-th pair; nothing if the text had no such pair.
    pub(super) fn of_pair(&self, n: usize) -> Entries<'_> {
        let chunk = self.chunks.partition_point(|(pairs, _)| pairs.end <= n);
        let Some((pairs, chunk)) = self.chunks.get(chunk) else {
            return Entries::default();
        };
        let place = n - pairs.start;
        let start = if place == 0 { 0 } else { chunk.ends[place - 1] as usize };
        let end = chunk.ends[place] as usize;
        Entries { keys: &chunk.keys[start..end], units: &chunk.units[start..end] }
    }
}

/// What one sentence pair added.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Entries<'a> {
    keys: &'a [u32],
    units: &'a [u16],
}

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
    stems: Vec<LevelBuffers>,
    rows: Vec<f32>,
}

/// The stems of one sentence pair at one level.
#[derive(Debug, Clone, Default)]
struct LevelBuffers {
    /// For each type the place of its stem among those of the sentence, source and target.
    slots: [Vec<u32>; 2],
    counts: [usize; 2],
    /// Own counts of stem pairs, by slot.
    pooled: Vec<f32>,
    /// Own counts of the stems of the conditioning side.
    rows: Vec<f32>,
    /// 1 + slot by stem, all 0 between sentences.
    known: [Vec<u32>; 2],
}

impl<'m> LeaveOneOut<'m> {
    pub(super) fn new(levels: &'m [Level], prior: &LexicalPrior) -> Self {
        let buffers = |level: &Level| LevelBuffers {
            known: [vec![0; level.source.len()], vec![0; level.target.len()]],
            ..LevelBuffers::default()
        };
        Self {
            levels,
            pair: prior.pair,
            stem_pair: prior.stem_pair,
            null: prior.null,
            own: Default::default(),
            own_null: Default::default(),
            stems: levels.iter().map(buffers).collect(),
            rows: Vec::new(),
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
            self.place_stems(grid);
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
        let kept = |own: f32, numerator: f32| if own < LEAST_SHARE * numerator { 0.0 } else { own };
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

    /// Finds which words of the sentence share a stem.
    #[inline(always)]
    fn place_stems(&mut self, grid: &Grid) {
        for (buffers, level) in self.stems.iter_mut().zip(self.levels) {
            let sides = [(&grid.source.types, level.source.of_word()), (&grid.target.types, level.target.of_word())];
            for (side, (types, stems)) in sides.into_iter().enumerate() {
                let (slots, known) = (&mut buffers.slots[side], &mut buffers.known[side]);
                slots.clear();
                let mut count = 0;
                for &word in types {
                    let slot = &mut known[stems[word as usize] as usize];
                    if *slot == 0 {
                        count += 1;
                        *slot = count;
                    }
                    slots.push(*slot - 1);
                }
                for &word in types {
                    known[stems[word as usize] as usize] = 0;
                }
                buffers.counts[side] = count as usize;
            }
        }
    }

    #[inline(always)]
    fn correct_direction(&mut self, grid: &mut Grid, parameters: &Parameters, direction: usize, weight: f32) {
        let forward = direction == 0;
        let Grid { source, target, ids, forward: forward_table, reverse: reverse_table } = grid;
        let (conditions, generated, table) =
            if forward { (&*source, &*target, forward_table) } else { (&*target, &*source, reverse_table) };
        let width = target.types.len();
        let cell = |c: usize, g: usize| if forward { c * width + g } else { g * width + c };
        let own = &self.own[direction];
        self.rows.clear();
        self.rows.resize(conditions.types.len(), 0.0);
        for (c, row) in self.rows.iter_mut().enumerate() {
            *row = (0..generated.types.len()).map(|g| own[cell(c, g)]).sum();
        }
        for buffers in &mut self.stems {
            buffers.pool(direction, own, &self.rows, width);
        }
        let masses = if forward { &parameters.forward.mass } else { &parameters.reverse.mass };
        let stride = conditions.stride();
        for (c, &row) in self.rows.iter().enumerate() {
            let word = conditions.types[c] as usize;
            let levels = || self.stems.iter().zip(self.levels).zip(&parameters.back_off);
            let row_of = |buffers: &LevelBuffers| buffers.rows[buffers.slots[direction][c] as usize];
            if levels().all(|((buffers, _), _)| row_of(buffers) == 0.0) && row == 0.0 {
                continue;
            }
            let whole = levels().any(|((buffers, level), back_off)| {
                row_of(buffers) * back_off.by(direction)[word] > LEAST_STEM_SHARE * level.weight
            });
            let left = (masses[word] - row).max(LEAST_MASS);
            for g in 0..generated.types.len() {
                let place = cell(c, g);
                let (s, t) = (place / width, place % width);
                let value = &mut table[g * stride + conditions.first[c] as usize];
                if !whole && levels().all(|((buffers, _), _)| buffers.of(s, t) == 0.0) {
                    *value *= masses[word] / left;
                    continue;
                }
                let id = ids[place] as usize;
                let words = (source.types[s] as usize, target.types[t] as usize);
                let mut numerator = numerator_of(&parameters.translation, ids[place], direction, masses[word]);
                let mut base = 0.0;
                for ((buffers, level), back_off) in levels() {
                    let Some(&pair) = level.pairs.of_pair().get(id) else { continue };
                    let count = back_off.counts[pair as usize][direction];
                    let share = if forward { level.target.shares()[words.1] } else { level.source.shares()[words.0] };
                    let by = back_off.by(direction)[word];
                    let total = (level.weight / by - row_of(buffers)).max(LEAST_MASS);
                    numerator -= count * by * share;
                    base += level.weight * share * (count - buffers.of(s, t)).max(self.stem_pair) / total;
                }
                let value_left = (numerator - own[place]).max(self.pair) + base;
                *value = weight * (value_left / left).max(TRANSLATION_FLOOR);
            }
        }
    }
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

impl LevelBuffers {
    /// Sums own counts by stem pair, and by stem of the conditioning side.
    #[inline(always)]
    fn pool(&mut self, direction: usize, own: &[f32], rows: &[f32], width: usize) {
        self.pooled.clear();
        self.pooled.resize(self.counts[0] * self.counts[1], 0.0);
        for (own, &s) in own.chunks_exact(width).zip(&self.slots[0]) {
            let pooled = &mut self.pooled[s as usize * self.counts[1]..][..self.counts[1]];
            for (own, &t) in own.iter().zip(&self.slots[1]) {
                pooled[t as usize] += own;
            }
        }
        self.rows.clear();
        self.rows.resize(self.counts[direction], 0.0);
        for (own, &slot) in rows.iter().zip(&self.slots[direction]) {
            self.rows[slot as usize] += own;
        }
    }

    /// Own counts of the stems of two types.
    #[inline(always)]
    fn of(&self, s: usize, t: usize) -> f32 {
        self.pooled[self.slots[0][s] as usize * self.counts[1] + self.slots[1][t] as usize]
    }
}

impl BackOff {
    #[inline(always)]
    fn by(&self, direction: usize) -> &[f32] {
        if direction == 0 { &self.by_source } else { &self.by_target }
    }
}
