//! All alignments of two texts within a corridor: the best of them, and how probable each of their groups is.
//!
//! With c(g) the cost of a group g, an alignment A has the weight exp(−Σ_{g ∈ A} c(g)). The best has the greatest weight; the
//! *confidence* of a group is the share of the weights of all alignments that have it. Let α(v) be the sum over all ways from
//! the first cell to v, and β(v) that from v to the last. For a group that leads from u to v
//!
//! ```text
//! confidence(g) = α(u) exp(−c(g)) β(v) / α(last)
//! ```
//!
//! (the forward–backward algorithm; Baum et al. 1970). The confidences of the groups that have a given sentence add up to 1.
//! Sums are of logarithms, so nothing overflows; time and memory grow with the number of cells.

use std::ops::Range;

use super::corridor::Corridor;
use super::{Bead, KINDS};

/// A bead, and how probable it is.
#[derive(Debug, Clone, PartialEq)]
pub struct ConfidentBead {
    /// The bead.
    pub bead: Bead,
    /// The probability of it, given both texts: 0 to 1.
    pub confidence: f64,
}

/// No way leads here.
const NEVER: f64 = f64::NEG_INFINITY;

/// The costs of the groups within a corridor.
#[derive(Debug)]
pub(super) struct Lattice<'c> {
    corridor: &'c Corridor,
    /// For each cell those of the groups that end there, infinite where there is none.
    costs: Vec<[f32; KINDS.len()]>,
}

impl<'c> Lattice<'c> {
    /// With the costs of the groups that end at each cell, row by row.
    pub(super) fn new(corridor: &'c Corridor, costs: Vec<[f32; KINDS.len()]>) -> Self {
        assert_eq!(costs.len(), corridor.cells(), "costs for each cell");
        Self { corridor, costs }
    }

    /// The groups of the best alignment, in order, as ranges of sentences with their costs and confidences. Equal costs are
    /// decided from the end: the last group is the first of its kind in the order of [`KINDS`].
    pub(super) fn best(&self) -> Vec<Group> {
        let mut groups = self.best_path();
        let (forward, backward) = (self.forward(), self.backward());
        let total = forward.last().copied().unwrap_or(0.0);
        for group in &mut groups {
            let from = self.corridor.cell(group.source.start, group.target.start);
            let to = self.corridor.cell(group.source.end, group.target.end);
            // The path goes through cells only.
            let (from, to) = (from.unwrap_or_default(), to.unwrap_or_default());
            group.confidence = (forward[from] - group.cost + backward[to] - total).exp().min(1.0);
        }
        groups
    }

    /// The confidences of given groups, in order; 0 for those that are outside.
    pub(super) fn confidences(&self, groups: impl Iterator<Item = (Range<usize>, Range<usize>)>) -> Vec<f64> {
        let (forward, backward) = (self.forward(), self.backward());
        let total = forward.last().copied().unwrap_or(0.0);
        let confidence = |(source, target): (Range<usize>, Range<usize>)| {
            let kind = KINDS.iter().position(|&kind| kind == (source.len(), target.len()))?;
            let from = self.corridor.cell(source.start, target.start)?;
            let to = self.corridor.cell(source.end, target.end)?;
            Some((forward[from] - f64::from(self.costs[to][kind]) + backward[to] - total).exp().min(1.0))
        };
        groups.map(|group| confidence(group).unwrap_or(0.0)).collect()
    }

    fn best_path(&self) -> Vec<Group> {
        let mut best = vec![f64::INFINITY; self.corridor.cells()];
        let mut choices = vec![0u8; self.corridor.cells()];
        self.for_each_cell(|row, column, cell| {
            if (row, column) == (0, 0) {
                best[cell] = 0.0;
                return;
            }
            self.for_each_group(row, column, |kind, before| {
                let cost = best[before] + f64::from(self.costs[cell][kind]);
                if cost < best[cell] {
                    best[cell] = cost;
                    choices[cell] = kind as u8;
                }
            });
        });
        let (mut row, mut column) = self.last();
        let mut groups = Vec::new();
        while (row, column) != (0, 0) {
            let cell = self.corridor.cell(row, column).expect("beads lead from cell to cell");
            let kind = usize::from(choices[cell]);
            let (sources, targets) = KINDS[kind];
            groups.push(Group {
                source: row - sources..row,
                target: column - targets..column,
                cost: f64::from(self.costs[cell][kind]),
                confidence: 0.0,
            });
            (row, column) = (row - sources, column - targets);
        }
        groups.reverse();
        groups
    }

    /// ln α of each cell.
    fn forward(&self) -> Vec<f64> {
        let mut sums = vec![NEVER; self.corridor.cells()];
        self.for_each_cell(|row, column, cell| {
            if (row, column) == (0, 0) {
                sums[cell] = 0.0;
                return;
            }
            let mut terms = LogSum::default();
            self.for_each_group(row, column, |kind, before| {
                terms.add(sums[before] - f64::from(self.costs[cell][kind]));
            });
            sums[cell] = terms.sum();
        });
        sums
    }

    /// ln β of each cell.
    fn backward(&self) -> Vec<f64> {
        let mut sums = vec![NEVER; self.corridor.cells()];
        for row in (0..self.corridor.rows()).rev() {
            for column in self.corridor.row(row).rev() {
                let Some(cell) = self.corridor.cell(row, column) else { continue };
                if (row, column) == self.last() {
                    sums[cell] = 0.0;
                    continue;
                }
                let mut terms = LogSum::default();
                for (kind, (sources, targets)) in KINDS.into_iter().enumerate() {
                    if let Some(next) = self.corridor.cell(row + sources, column + targets) {
                        terms.add(sums[next] - f64::from(self.costs[next][kind]));
                    }
                }
                sums[cell] = terms.sum();
            }
        }
        sums
    }

    /// The last cell.
    fn last(&self) -> (usize, usize) {
        let row = self.corridor.rows() - 1;
        (row, self.corridor.row(row).end - 1)
    }

    /// Visits all cells, row by row.
    fn for_each_cell(&self, mut visit: impl FnMut(usize, usize, usize)) {
        let mut cell = 0;
        for row in 0..self.corridor.rows() {
            for column in self.corridor.row(row) {
                visit(row, column, cell);
                cell += 1;
            }
        }
    }

    /// Visits the kinds of groups that end at a cell, with the cell that each leads from.
    fn for_each_group(&self, row: usize, column: usize, mut visit: impl FnMut(usize, usize)) {
        for (kind, (sources, targets)) in KINDS.into_iter().enumerate() {
            if sources <= row
                && targets <= column
                && let Some(before) = self.corridor.cell(row - sources, column - targets)
            {
                visit(kind, before);
            }
        }
    }
}

/// A group of the best alignment.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Group {
    pub(super) source: Range<usize>,
    pub(super) target: Range<usize>,
    pub(super) cost: f64,
    pub(super) confidence: f64,
}

/// The logarithm of a sum of few numbers, given as logarithms.
struct LogSum {
    terms: [f64; KINDS.len()],
    count: usize,
}

impl Default for LogSum {
    fn default() -> Self {
        Self { terms: [NEVER; KINDS.len()], count: 0 }
    }
}

impl LogSum {
    fn add(&mut self, term: f64) {
        self.terms[self.count] = term;
        self.count += 1;
    }

    fn sum(&self) -> f64 {
        let terms = &self.terms[..self.count];
        let greatest = terms.iter().copied().fold(NEVER, f64::max);
        if greatest == NEVER {
            return NEVER;
        }
        greatest + terms.iter().map(|term| (term - greatest).exp()).sum::<f64>().ln()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Costs that depend on nothing but a seed.
    fn costs(seed: u64, cells: usize) -> Vec<[f32; KINDS.len()]> {
        let mut generator = crate::numeric::Generator::new(seed, 0);
        let mut costs = || std::array::from_fn(|_| (generator.unit() * 6.0) as f32 - 1.0);
        (0..cells).map(|_| costs()).collect()
    }

    type Path = Vec<(Range<usize>, Range<usize>)>;

    /// All alignments of what is before a cell, with their costs.
    fn all_paths(corridor: &Corridor, costs: &[[f32; KINDS.len()]], row: usize, column: usize) -> Vec<(f64, Path)> {
        if (row, column) == (0, 0) {
            return vec![(0.0, Vec::new())];
        }
        let mut paths = Vec::new();
        for (kind, (s, t)) in KINDS.into_iter().enumerate() {
            if s > row || t > column || corridor.cell(row - s, column - t).is_none() {
                continue;
            }
            let cost = f64::from(costs[corridor.cell(row, column).unwrap()][kind]);
            for (total, mut path) in all_paths(corridor, costs, row - s, column - t) {
                path.push((row - s..row, column - t..column));
                paths.push((total + cost, path));
            }
        }
        paths
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

        /// The best path and the confidences against all alignments, in the whole grid and in narrow corridors.
        #[test]
        fn enumeration_agrees(rows in 0usize..5, columns in 0usize..5, seed in any::<u64>(), radius in 0usize..4) {
            let diagonal: Vec<(usize, usize)> = (0..rows.min(columns)).map(|n| (n, n)).collect();
            let corridor = Corridor::new((rows, columns), &diagonal, radius);
            let costs = costs(seed, corridor.cells());
            let paths = all_paths(&corridor, &costs, rows, columns);
            let total: f64 = paths.iter().map(|(cost, _)| (-cost).exp()).sum();
            let lattice = Lattice::new(&corridor, costs);
            let best = lattice.best();
            let least = paths.iter().map(|(cost, _)| *cost).fold(f64::INFINITY, f64::min);
            let found: f64 = best.iter().map(|group| group.cost).sum();
            prop_assert!((found - least).abs() < 1e-9, "{} {}", found, least);
            for group in &best {
                let own = (group.source.clone(), group.target.clone());
                let with: f64 =
                    paths.iter().filter(|(_, path)| path.contains(&own)).map(|(cost, _)| (-cost).exp()).sum();
                prop_assert!((group.confidence - with / total).abs() < 1e-9);
            }
        }

        /// Each sentence is in exactly one group.
        #[test]
        fn confidences_of_a_sentence_add_up_to_one(rows in 1usize..12, columns in 1usize..12, seed in any::<u64>()) {
            let corridor = Corridor::new((rows, columns), &[], 3);
            let lattice = Lattice::new(&corridor, costs(seed, corridor.cells()));
            let mut groups = Vec::new();
            for row in 0..=rows {
                for column in 0..=columns {
                    let kinds = KINDS.iter().filter(|(s, t)| *s <= row && *t <= column);
                    groups.extend(kinds.map(|(s, t)| (row - s..row, column - t..column)));
                }
            }
            let confidences = lattice.confidences(groups.iter().cloned());
            let (mut of_source, mut of_target) = (vec![0.0; rows], vec![0.0; columns]);
            for ((source, target), confidence) in groups.into_iter().zip(confidences) {
                of_source[source].iter_mut().for_each(|sum| *sum += confidence);
                of_target[target].iter_mut().for_each(|sum| *sum += confidence);
            }
            for sum in of_source.into_iter().chain(of_target) {
                prop_assert!((sum - 1.0f64).abs() < 1e-9, "{}", sum);
            }
        }
    }
}
