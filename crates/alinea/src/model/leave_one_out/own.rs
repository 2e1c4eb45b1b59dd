//! Own counts of one sentence pair, by type.

use super::contributions::Entries;
use super::{LEAST_SHARE, numerator_of};
use crate::lexicon::{UNIT, to_units};
use crate::model::grid::{Grid, GridSide};
use crate::model::parameters::Parameters;

/// What one sentence pair added to the counts: by type of word, so that repeated words are pooled.
#[derive(Debug, Clone, Default)]
pub(super) struct OwnCounts {
    /// S rows of T, by direction; the second is empty where both have the same.
    cells: [Vec<f32>; 2],
    /// Source and target type of the cells that have some.
    places: Vec<[u32; 2]>,
    /// Of the empty word, by direction and generated type.
    null: [Vec<f32>; 2],
}

impl OwnCounts {
    /// Own counts of a direction: S rows of T.
    #[inline(always)]
    pub(super) fn of(&self, direction: usize) -> &[f32] {
        &self.cells[direction * usize::from(self.separate())]
    }

    /// Whether the directions have counts of their own.
    #[inline(always)]
    pub(super) fn separate(&self) -> bool {
        !self.cells[1].is_empty()
    }

    /// Source and target type of all cells that have own counts in one of the directions.
    #[inline(always)]
    pub(super) fn places(&self) -> &[[u32; 2]] {
        &self.places
    }

    /// Own counts of the empty word, by generated type; empty if there are none.
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
        self.cells[0].resize(source.types.len() * target.types.len(), 0.0);
        self.null[0].resize(target.types.len(), 0.0);
        self.null[1].resize(source.types.len(), 0.0);
        let lengths = [source.slots.len(), target.slots.len()];
        for ([s, t], units) in entries.links(lengths) {
            let (s, t) = (source.slots[s], target.slots[t]);
            let own = &mut self.cells[0][s as usize * target.types.len() + t as usize];
            if *own == 0.0 {
                self.places.push([s, t]);
            }
            *own += f32::from(units) / UNIT;
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
        (memory, weight): (&Ibm1Memory, f32),
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

    #[inline(always)]
    fn probability(&self, id: u32) -> [f32; 2] {
        self.translation.get(id as usize).copied().unwrap_or_default()
    }
}
