//! Self-counts of one sentence pair: what it added to the counts of the previous pass, by distinct word.
//!
//! `SelfCountTable` has o(e,f) for the S × T distinct words of a pair, and o0 for the empty word, by direction;
//! repeated words are pooled. After an HMM pass the counts are those that the pass stored (`contributions`). After
//! Model 1 nothing was stored: they are computed again, from the parameters that its last pass started from
//! (`Ibm1Memory`). With n(·) the frequency of a word in the sentence, I conditioning words, and w the weight of the
//! pair,
//!
//! ```text
//! o(e,f) = w n(f) (1-p0)/I n(e) t(f|e) / ( p0 p(f|empty) + (1-p0)/I sum over e' of n(e') t(f|e') )
//! ```
//!
//! rounded to units of 2^-16, as they were counted; what is below 1/128 of the numerator of t(f|e) is dropped.
//! Under agreement both directions have the same self-counts, which are kept once.

use super::contributions::Entries;
use crate::error::Result;
use crate::lexicon::{IdsInFile, PairTable, Probabilities, UNIT, to_units};
use crate::model::em::parameters::Parameters;
use crate::model::pair::grid::{Grid, GridSide};
use crate::storage::{Container, ContainerWriter};

/// Self-counts below this share of a numerator are neglected.
pub(super) const LEAST_SHARE: f32 = 1.0 / 128.0;

/// What a sentence pair is known to have added to the counts of the pass before.
#[derive(Debug, Clone, Copy)]
pub(in crate::model) enum SelfCounts<'a> {
    /// Nothing: it is not of the text trained on, or not asked.
    Nothing,
    /// What can be computed from Model 1, for a pair of this weight.
    Ibm1(&'a Ibm1Memory, f32),
    /// What an HMM pass stored, for a pair of this weight.
    Entries(Entries<'a>, f32),
}

/// What one sentence pair added to the counts: by type of word, so that repeated words are pooled.
#[derive(Debug, Clone, Default)]
pub(super) struct SelfCountTable {
    /// S rows of T, by direction; the second is empty where both have the same.
    cells: [Vec<f32>; 2],
    /// Source and target type of the cells that have some.
    places: Vec<[u32; 2]>,
    /// Of the empty word, by direction and generated type.
    null: [Vec<f32>; 2],
}

impl SelfCountTable {
    /// Self-counts of a direction: S rows of T.
    #[inline(always)]
    pub(super) fn of(&self, direction: usize) -> &[f32] {
        &self.cells[direction * usize::from(self.separate())]
    }

    /// Whether the directions have counts of their own.
    #[inline(always)]
    pub(super) fn separate(&self) -> bool {
        !self.cells[1].is_empty()
    }

    /// Source and target type of all cells that have self-counts in one of the directions.
    #[inline(always)]
    pub(super) fn places(&self) -> &[[u32; 2]] {
        &self.places
    }

    /// Self-counts of the empty word, by generated type; empty if there are none.
    #[inline(always)]
    pub(super) fn null(&self, direction: usize) -> &[f32] {
        &self.null[direction]
    }

    /// Nothing.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.cells.iter_mut().chain(&mut self.null).for_each(Vec::clear);
    }

    /// Takes what was stored.
    #[inline(always)]
    pub(super) fn fill(&mut self, grid: &Grid, entries: Entries<'_>) {
        self.clear();
        let (source, target) = (&grid.source, &grid.target);
        let width = target.types.len();
        self.cells[0].resize(source.types.len() * width, 0.0);
        self.cells[1].resize(if entries.apart() { source.types.len() * width } else { 0 }, 0.0);
        self.null[0].resize(target.types.len(), 0.0);
        self.null[1].resize(source.types.len(), 0.0);
        let lengths = [source.slots.len(), target.slots.len()];
        for (direction, [s, t], units) in entries.links(lengths) {
            let (s, t) = (source.slots[s], target.slots[t]);
            let place = s as usize * width + t as usize;
            if self.cells.iter().all(|cells| cells.get(place).is_none_or(|&own| own == 0.0)) {
                self.places.push([s, t]);
            }
            self.cells[direction][place] += f32::from(units) / UNIT;
        }
        for (direction, token, units) in entries.nulls(lengths) {
            let side = if direction == 0 { target } else { source };
            self.null[direction][side.slots[token] as usize] += f32::from(units) / UNIT;
        }
    }

    /// Computes what a pair of this weight added in the last pass of Model 1; p0 by direction.
    #[inline(always)]
    pub(super) fn fill_from_ibm1(
        &mut self,
        grid: &Grid,
        memory: &Ibm1Memory,
        weight: f32,
        parameters: &Parameters,
        p0: [f32; 2],
    ) {
        self.clear();
        let Grid { source, target, ids, .. } = grid;
        let width = target.types.len();
        let null = |side: &GridSide, direction: usize| -> Vec<f32> {
            side.types.iter().map(|&word| p0[direction] * memory.null[direction][word as usize]).collect()
        };
        let by_null = [null(target, 0), null(source, 1)];
        let weights = [(1.0 - p0[0]) / source.slots.len() as f32, (1.0 - p0[1]) / target.slots.len() as f32];
        let [forward, reverse] = &mut self.cells;
        forward.resize(ids.len(), 0.0);
        reverse.resize(ids.len(), 0.0);
        // First the weights of all cells, and their sums for each generated word.
        let mut totals = by_null.clone();
        let place = |cell: usize| (cell / width, cell % width);
        for (cell, &id) in ids.iter().enumerate() {
            let (s, t) = place(cell);
            let [given_source, given_target] = memory.probability(id);
            forward[cell] = weights[0] * given_source * source.multiplicities[s];
            reverse[cell] = weights[1] * given_target * target.multiplicities[t];
            totals[0][t] += forward[cell];
            totals[1][s] += reverse[cell];
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
            let [own_forward, own_reverse] = [
                forward[cell] / totals[0][t] * target.multiplicities[t] * weight,
                reverse[cell] / totals[1][s] * source.multiplicities[s] * weight,
            ];
            forward[cell] = kept(own_forward, numerator_of(translation, id, 0, source_mass));
            reverse[cell] = kept(own_reverse, numerator_of(translation, id, 1, target_mass));
            if forward[cell] + reverse[cell] > 0.0 {
                self.places.push([s as u32, t as u32]);
            }
        }
        for (direction, side) in [target, source].into_iter().enumerate() {
            let shares = by_null[direction].iter().zip(&totals[direction]).zip(&side.multiplicities);
            self.null[direction].extend(shares.map(|((null, total), times)| null / total * times * weight));
        }
    }
}

const TRANSLATION: &str = "ibm1.translation";

/// Model 1 before its last M-step, from which the counts of its last pass came.
#[derive(Debug, Clone)]
pub(in crate::model) struct Ibm1Memory {
    translation: Vec<[f32; 2]>,
    null: [Vec<f32>; 2],
}

impl Ibm1Memory {
    pub(in crate::model) fn of(parameters: &Parameters) -> Self {
        Self {
            translation: parameters.translation.cells().iter().map(|cell| cell.probability).collect(),
            null: [parameters.forward.null.clone(), parameters.reverse.null.clone()],
        }
    }

    /// What a file has of some pairs of words, if it has anything; given is where they are in the file.
    ///
    /// # Errors
    /// As [`load`](Self::load); `Model` if it does not have all pairs.
    pub(in crate::model) fn load_some(file: &Container, ids: &IdsInFile) -> Result<Option<Self>> {
        if !file.has(TRANSLATION) {
            return Ok(None);
        }
        let mut translation = vec![[0.0; 2]; ids.ids.len()];
        ids.select(file, TRANSLATION, |id, probability| translation[id] = probability)?;
        Ok(Some(Self { translation, null: load_null(file)? }))
    }

    /// Forgets pairs of words: given are the old ids of those that stay, by new id.
    pub(in crate::model) fn retain(&mut self, ids: &[u32]) {
        let old = |&id: &u32| self.translation.get(id as usize).copied().unwrap_or_default();
        self.translation = ids.iter().map(old).collect();
    }

    /// Adds it to a file.
    pub(in crate::model) fn store<'a>(&'a self, file: &mut ContainerWriter<'a>) {
        file.add(TRANSLATION, &self.translation);
        file.add("ibm1.forward_null", &self.null[0]);
        file.add("ibm1.reverse_null", &self.null[1]);
    }

    /// What is in a file, if anything is.
    ///
    /// # Errors
    /// `Model` if arrays are missing.
    pub(in crate::model) fn load(file: &Container) -> Result<Option<Self>> {
        if !file.has(TRANSLATION) {
            return Ok(None);
        }
        Ok(Some(Self { translation: file.section(TRANSLATION)?, null: load_null(file)? }))
    }

    #[inline(always)]
    fn probability(&self, id: u32) -> [f32; 2] {
        self.translation.get(id as usize).copied().unwrap_or_default()
    }
}

fn load_null(file: &Container) -> Result<[Vec<f32>; 2]> {
    let null = |direction: &str| -> Result<Vec<f32>> { file.section(&format!("ibm1.{direction}_null")) };
    Ok([null("forward")?, null("reverse")?])
}

/// What the lexicon had for a pair before it was divided by the mass of the conditioning word.
#[inline(always)]
pub(super) fn numerator_of(table: &PairTable, id: u32, direction: usize, mass: f32) -> f32 {
    table.probability(id)[direction] * mass
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::refinement::leave_one_out::ChunkContributions;

    /// Words 5 9 5 on one side, 2 3 on the other.
    fn grid() -> Grid {
        let mut grid = Grid::default();
        (grid.source.types, grid.source.slots) = (vec![5, 9], vec![0, 1, 0]);
        (grid.target.types, grid.target.slots) = (vec![2, 3], vec![0, 1]);
        grid
    }

    /// Direction, cell and units; token 0 and token 2 of the source are the same word.
    fn filled(apart: bool, links: &[(usize, usize, u32)]) -> SelfCountTable {
        let mut chunk = ChunkContributions::new(apart);
        for &(direction, cell, units) in links {
            chunk.push_link(direction, cell, units);
        }
        chunk.push_null([3, 2], (0, 1), 1 << 13);
        chunk.push_null([3, 2], (1, 2), 1 << 12);
        chunk.end_pair();
        let mut own = SelfCountTable::default();
        own.fill(&grid(), chunk.of_pair(0));
        assert_eq!([own.null(0), own.null(1)], [[0.0, 0.125], [0.0625, 0.0]]);
        own
    }

    #[test]
    fn equal_words_are_pooled_in_each_direction() {
        let own = filled(true, &[(0, 0, 1 << 14), (1, 0, 1 << 13), (1, 3, 1 << 15), (0, 4, 1 << 15)]);
        assert_eq!(own.of(0), [0.75, 0.0, 0.0, 0.0]);
        assert_eq!(own.of(1), [0.125, 0.0, 0.0, 0.5]);
        assert_eq!(own.places(), [[0, 0], [1, 1]]);
    }

    #[test]
    fn directions_that_agree_have_the_same() {
        let own = filled(false, &[(0, 0, 1 << 14), (0, 3, 1 << 15), (0, 4, 1 << 15)]);
        assert!(!own.separate());
        assert_eq!(own.of(0), [0.75, 0.0, 0.0, 0.5]);
        assert_eq!(own.of(1), own.of(0));
        assert_eq!(own.places(), [[0, 0], [1, 1]]);
    }
}
