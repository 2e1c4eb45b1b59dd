//! Own counts of the stems of one sentence pair, at one level.

use super::own::OwnCounts;
use crate::model::back_off::Level;
use crate::model::grid::Grid;

/// The stems of one sentence pair at one level. A stem goes by the first type that has it.
#[derive(Debug, Clone)]
pub(super) struct SentenceStems {
    /// For each type the first with its stem, source and target.
    firsts: [Vec<u32>; 2],
    /// For each type the next one with its stem, around in a circle.
    others: [Vec<u32>; 2],
    /// Own counts of stem pairs, S rows of T, by direction; the second is empty where both have the same.
    pooled: [Vec<f32>; 2],
    /// Own counts of the stems of the conditioning side, by direction.
    rows: [Vec<f32>; 2],
    /// 1 + first type by stem, all 0 between sentences.
    known: [Vec<u32>; 2],
}

impl SentenceStems {
    pub(super) fn new(level: &Level) -> Self {
        Self {
            firsts: Default::default(),
            others: Default::default(),
            pooled: Default::default(),
            rows: Default::default(),
            known: [vec![0; level.source.len()], vec![0; level.target.len()]],
        }
    }

    /// Finds which words of a sentence pair share a stem, and sums own counts.
    #[inline(always)]
    pub(super) fn fill(&mut self, level: &Level, grid: &Grid, own: &OwnCounts) {
        self.place(0, &grid.source.types, level.source.of_word());
        self.place(1, &grid.target.types, level.target.of_word());
        let [sources, targets] = &self.firsts;
        let width = targets.len();
        for (direction, (pooled, rows)) in self.pooled.iter_mut().zip(&mut self.rows).enumerate() {
            let pool = direction == 0 || own.separate();
            pooled.clear();
            pooled.resize(if pool { sources.len() * width } else { 0 }, 0.0);
            rows.clear();
            rows.resize(if direction == 0 { sources.len() } else { width }, 0.0);
            let cells = own.of(direction);
            for &[s, t] in own.places() {
                let own = cells[s as usize * width + t as usize];
                let (s, t) = (sources[s as usize] as usize, targets[t as usize] as usize);
                rows[if direction == 0 { s } else { t }] += own;
                if pool {
                    pooled[s * width + t] += own;
                }
            }
        }
    }

    #[inline(always)]
    fn place(&mut self, side: usize, types: &[u32], stems: &[u32]) {
        let (firsts, others, known) = (&mut self.firsts[side], &mut self.others[side], &mut self.known[side]);
        firsts.clear();
        others.clear();
        for (place, &word) in types.iter().enumerate() {
            let (place, first) = (place as u32, &mut known[stems[word as usize] as usize]);
            if *first == 0 {
                *first = place + 1;
                others.push(place);
            } else {
                let next = std::mem::replace(&mut others[*first as usize - 1], place);
                others.push(next);
            }
            firsts.push(*first - 1);
        }
        for &word in types {
            known[stems[word as usize] as usize] = 0;
        }
    }

    /// Own counts of the stems of two types.
    #[inline(always)]
    pub(super) fn of(&self, direction: usize, [s, t]: [u32; 2]) -> f32 {
        let [sources, targets] = &self.firsts;
        let separate = !self.pooled[1].is_empty();
        self.pooled[direction * usize::from(separate)]
            [sources[s as usize] as usize * targets.len() + targets[t as usize] as usize]
    }

    /// Own counts of the stem of the `c`-th conditioning type.
    #[inline(always)]
    pub(super) fn of_row(&self, direction: usize, c: usize) -> f32 {
        self.rows[direction][self.firsts[direction][c] as usize]
    }

    /// Visits all pairs of types that have the stems of these two.
    #[inline(always)]
    pub(super) fn for_each_alike(&self, [s, t]: [u32; 2], mut visit: impl FnMut([u32; 2])) {
        let [sources, targets] = &self.others;
        let (mut source, mut target) = (s, t);
        loop {
            visit([source, target]);
            target = targets[target as usize];
            if target == t {
                source = sources[source as usize];
                if source == s {
                    break;
                }
            }
        }
    }
}
