//! Own counts of the stems of one sentence pair, at one level.

use crate::model::back_off::Level;
use crate::model::grid::Grid;

/// The stems of one sentence pair at one level.
#[derive(Debug, Clone)]
pub(super) struct SentenceStems {
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

impl SentenceStems {
    pub(super) fn new(level: &Level) -> Self {
        Self {
            slots: Default::default(),
            counts: [0; 2],
            pooled: Vec::new(),
            rows: Vec::new(),
            known: [vec![0; level.source.len()], vec![0; level.target.len()]],
        }
    }

    /// Finds which words of a sentence pair share a stem.
    #[inline(always)]
    pub(super) fn place(&mut self, level: &Level, grid: &Grid) {
        let sides = [(&grid.source.types, level.source.of_word()), (&grid.target.types, level.target.of_word())];
        for (side, (types, stems)) in sides.into_iter().enumerate() {
            let (slots, known) = (&mut self.slots[side], &mut self.known[side]);
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
            self.counts[side] = count as usize;
        }
    }

    /// Sums own counts by stem pair, and by stem of the conditioning side.
    #[inline(always)]
    pub(super) fn pool(&mut self, direction: usize, own: &[f32], rows: &[f32], width: usize) {
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
    pub(super) fn of(&self, [s, t]: [usize; 2]) -> f32 {
        self.pooled[self.slots[0][s] as usize * self.counts[1] + self.slots[1][t] as usize]
    }

    /// Own counts of the stem of the `c`-th conditioning type.
    #[inline(always)]
    pub(super) fn of_row(&self, direction: usize, c: usize) -> f32 {
        self.rows[self.slots[direction][c] as usize]
    }
}
