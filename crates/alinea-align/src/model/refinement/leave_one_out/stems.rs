//! Self-counts of one sentence pair, summed by stems, at one level of back-off.
//!
//! o_l(se,sf) is the sum of o(e,f) over the distinct words of the pair with these stems, o_l(se) that over all
//! generated words: what leave-one-out subtracts from C_l(se,sf) and T_l(se). A stem is represented by the first word
//! of the pair that has it, so tables have S rows of T as everywhere.
//!
//! Words with the same stem form a ring, in which all cells of a stem pair can be visited. Each stem pair is visited at
//! most once in a sentence pair, so all visits together take O(S T) time, however many words share a stem.

use super::self_counts::SelfCountTable;
use crate::model::em::back_off::Level;
use crate::model::pair::grid::Grid;

/// The stems of one sentence pair at one level. A stem goes by the first type that has it.
#[derive(Debug, Clone)]
pub(super) struct SentenceStems {
    /// For each type the first with its stem, source and target.
    firsts: [Vec<u32>; 2],
    /// For each type the next one with its stem, around in a circle.
    others: [Vec<u32>; 2],
    /// Self-counts of stem pairs, S rows of T, by direction; the second is empty where both have the same.
    pooled: [Vec<f32>; 2],
    /// Whether a stem pair was visited, S rows of T.
    visited: Vec<bool>,
    /// Self-counts of the stems of the conditioning side, by direction.
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
            visited: Vec::new(),
            rows: Default::default(),
            known: [vec![0; level.source.len()], vec![0; level.target.len()]],
        }
    }

    /// Finds which words of a sentence pair share a stem, and sums self-counts.
    #[inline(always)]
    pub(super) fn fill(&mut self, level: &Level, grid: &Grid, own: &SelfCountTable) {
        self.place(0, &grid.source.types, level.source.of_word());
        self.place(1, &grid.target.types, level.target.of_word());
        let [sources, targets] = &self.firsts;
        let width = targets.len();
        self.visited.clear();
        self.visited.resize(sources.len() * width, false);
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

    /// Self-counts of the stems of two types.
    #[inline(always)]
    pub(super) fn of(&self, direction: usize, [s, t]: [u32; 2]) -> f32 {
        let [sources, targets] = &self.firsts;
        let separate = !self.pooled[1].is_empty();
        self.pooled[direction * usize::from(separate)]
            [sources[s as usize] as usize * targets.len() + targets[t as usize] as usize]
    }

    /// Self-counts of the stem of the `c`-th conditioning type.
    #[inline(always)]
    pub(super) fn of_row(&self, direction: usize, c: usize) -> f32 {
        self.rows[direction][self.firsts[direction][c] as usize]
    }

    /// Visits all pairs of types that have the stems of these two, unless they were visited since the sentence was filled
    /// in: all visits together take no longer than there are cells.
    #[inline(always)]
    pub(super) fn for_each_alike(&mut self, [s, t]: [u32; 2], mut visit: impl FnMut([u32; 2])) {
        let [sources, targets] = &self.firsts;
        let first = sources[s as usize] as usize * targets.len() + targets[t as usize] as usize;
        if std::mem::replace(&mut self.visited[first], true) {
            return;
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_visits_together_take_no_longer_than_there_are_cells() {
        // 60 words of three stems, 40 of one: a visit finds up to 800 cells, and each of 2,400 cells asks for one.
        let stem_of: Vec<u32> = (0..60).map(|word| word % 3).collect();
        let mut stems = SentenceStems {
            firsts: Default::default(),
            others: Default::default(),
            pooled: Default::default(),
            visited: vec![false; 60 * 40],
            rows: Default::default(),
            known: [vec![0; 3], vec![0; 1]],
        };
        stems.place(0, &(0..60).collect::<Vec<u32>>(), &stem_of);
        stems.place(1, &(0..40).collect::<Vec<u32>>(), &[0; 40]);
        let mut visits = vec![0; 60 * 40];
        for [s, t] in (0..60).flat_map(|s| (0..40).map(move |t| [s, t])) {
            let visited = visits[(s * 40 + t) as usize];
            stems.for_each_alike([s, t], |[s, t]| visits[(s * 40 + t) as usize] += 1);
            assert!(visits[(s * 40 + t) as usize] == 1, "{s} {t}: {visited} before");
        }
        assert!(visits.iter().all(|&visits| visits == 1));
    }
}
