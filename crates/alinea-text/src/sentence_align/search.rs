//! The least total cost over the grid.
//!
//! The cell (i, j) of the grid is the place behind i source and j target sentences; its cost is the least of the costs of
//! the cells that a bead leads from, with that of the bead. Only the cells of a [`Band`] are computed. What makes the
//! result certain: a path that leaves the band takes a *detour*, from a cell at its border to another. Whatever lies
//! outside, each sentence on a detour costs at least the *toll*, the least of −ln P(bead) / (sentences of the bead) over
//! all kinds of beads, for differences of lengths never cost less than 0. So cells at the border may also be reached from
//! cells at the same border, in earlier rows, for the toll of the sentences between, a little less. If the best path of
//! this larger grid has no detour, then no path of the whole grid is better, or as good; if it has, the band is doubled.
//! At the latest the band that is the whole grid has no border.
//!
//! Costs go forward row by row; every so many rows they are kept, and from there the rows are computed a second time to
//! find the way back. So memory grows with the square root of the number of rows.

use super::band::Band;
use super::tails::Tails;
use super::{Bead, KINDS, MOST};
use crate::error::Result;
use crate::progress::{self, Observer};

/// Cells before the first column of a row: beads lead back so far.
const PAD: usize = MOST;

/// How a cell was reached that no bead led to at the least cost. Otherwise it is the place in [`KINDS`].
const DETOUR: u8 = KINDS.len() as u8;

/// One search.
#[derive(Debug)]
pub(super) struct Search<'s> {
    source: &'s [u32],
    /// The length of so many target sentences before each column, from one: nothing comes before the first.
    targets: [Vec<u64>; MOST],
    /// The cost of leaving out the target sentence before each column.
    zero_one: Vec<f64>,
    tails: &'s mut Tails,
    /// −ln P of each kind of bead.
    priors: [f64; KINDS.len()],
    toll: f64,
    /// Detours are cheaper by this share of the cost of the whole path: more than rounding takes from sums of so many
    /// costs, so that a path which is better, or as good, is never missed.
    margin: f64,
    /// Costs of one row, by kind of bead, but those of one sentence alone.
    costs: [Vec<f64>; KINDS.len() - ALONE],
}

/// The first kinds are beads of one sentence.
const ALONE: usize = 2;

/// The last rows, and the costs of the best beginnings of detours.
#[derive(Debug, Clone)]
struct Front {
    /// The current row, the one before it and so on; cells behind [`PAD`] others.
    rows: [Row; MOST + 1],
    /// The least cost of a cell from which a path may go outside, above the band (larger columns) and below it, less the
    /// toll of all sentences before it.
    above: f64,
    below: f64,
}

#[derive(Debug, Clone)]
struct Row {
    costs: Vec<f64>,
    /// Whether the best path to the cell has a detour.
    detours: Vec<bool>,
}

/// What goes on from a row.
#[derive(Debug)]
struct Checkpoint {
    /// The current row and those before it that beads lead back to from the next: the first cell, and the cells.
    rows: [(usize, Vec<f64>, Vec<bool>); MOST],
    above: f64,
    below: f64,
}

/// How the cells of some rows were reached.
#[derive(Debug, Default)]
struct Choices {
    kinds: Vec<u8>,
    /// For each row its first column, and the place of that in `kinds`.
    starts: Vec<(usize, usize)>,
}

impl<'s> Search<'s> {
    pub(super) fn new(source: &'s [u32], target: &'s [u32], tails: &'s mut Tails) -> Self {
        let targets: [Vec<u64>; MOST] =
            std::array::from_fn(|n| (0..=target.len()).map(|column| before(target, column, n + 1)).collect());
        let priors = tails.priors();
        let mut zero_one = vec![0.0; target.len() + 1];
        tails.fill(0, &targets[0], &mut zero_one);
        for cost in &mut zero_one {
            *cost += priors[1];
        }
        let tolls = KINDS.iter().zip(priors).map(|((source, target), prior)| prior / (source + target) as f64);
        Self {
            source,
            targets,
            zero_one,
            tails,
            priors,
            toll: tolls.fold(f64::INFINITY, f64::min),
            margin: 8.0 * (source.len() + target.len()) as f64 * f64::EPSILON,
            costs: Default::default(),
        }
    }

    /// The beads of the best path. The search begins with a band of `width` columns on each side.
    pub(super) fn best(mut self, target: &[u32], width: usize, observer: &dyn Observer) -> Result<Vec<Bead>> {
        let mut band = Band::new(self.source, target, width);
        loop {
            if band.is_passable()
                && let Some(checkpoints) = self.forward(&band, observer)?
            {
                return self.trace(&band, checkpoints, observer);
            }
            band.widen();
        }
    }

    /// Computes all rows. Returns what the way back needs, or nothing if the best path has a detour.
    fn forward(&mut self, band: &Band, observer: &dyn Observer) -> Result<Option<Vec<Checkpoint>>> {
        let (every, last_column) = (rows_between(band.last_row()), band.last_column());
        let mut front = Front::new(last_column);
        let mut checkpoints = Vec::with_capacity(band.last_row() / every + 1);
        let mut kinds = Vec::new();
        for row in 0..=band.last_row() {
            progress::check(observer)?;
            kinds.clear();
            self.step(band, row, last_column, &mut front, &mut kinds);
            if row % every == 0 {
                checkpoints.push(front.checkpoint(band, row));
            }
        }
        let certain = !front.rows[0].detours[last_column + PAD];
        Ok(certain.then_some(checkpoints))
    }

    /// The beads of the best path, from the last cell back: the rows between two checkpoints are computed again, with how
    /// each cell was reached.
    fn trace(&mut self, band: &Band, mut checkpoints: Vec<Checkpoint>, observer: &dyn Observer) -> Result<Vec<Bead>> {
        let every = rows_between(band.last_row());
        let (mut row, mut column) = (band.last_row(), band.last_column());
        let mut beads = Vec::new();
        let mut choices = Choices::default();
        while let Some(checkpoint) = checkpoints.pop() {
            let first = checkpoints.len() * every + 1;
            if row >= first {
                let mut front = Front::from_checkpoint(&checkpoint, band.last_column());
                choices.clear();
                for row in first..=row {
                    progress::check(observer)?;
                    choices.starts.push((*band.row(row).start(), choices.kinds.len()));
                    self.step(band, row, column, &mut front, &mut choices.kinds);
                }
            }
            while row >= first {
                let (sources, targets) = choices.at(row - first, column);
                beads.push(self.bead(row, column, sources, targets));
                (row, column) = (row - sources, column - targets);
            }
        }
        // The first row: target sentences that translate nothing.
        while column > 0 {
            beads.push(self.bead(row, column, 0, 1));
            column -= 1;
        }
        beads.reverse();
        Ok(beads)
    }

    /// The bead of so many sentences before a cell.
    fn bead(&mut self, row: usize, column: usize, sources: usize, targets: usize) -> Bead {
        let (source, target) = (row - sources..row, column - targets..column);
        let length = before(self.source, row, sources);
        let of_target = targets.checked_sub(1).map_or(0, |n| self.targets[n][column]);
        let mut misfit = [0.0];
        self.tails.fill(length, &[of_target], &mut misfit);
        let kind = KINDS.iter().position(|&kind| kind == (sources, targets)).unwrap_or_default();
        Bead { source, target, cost: misfit[0] + self.priors[kind], misfit: misfit[0] }
    }

    /// Computes a row up to the column `limit`, and appends to `kinds` how each cell was reached.
    fn step(&mut self, band: &Band, row: usize, limit: usize, front: &mut Front, kinds: &mut Vec<u8>) {
        let (first, last) = (*band.row(row).start(), (*band.row(row).end()).min(limit));
        let alone = self.fill_costs(row, first, last);
        // From here on cells may be reached that lie beside what is outside.
        let beside_above = band.row(row.saturating_sub(MOST)).end() + 1;
        let sentences = |column: usize| (row + column) as f64;
        let (toll, share) = (self.toll, 1.0 - self.margin);
        front.rows.rotate_right(1);
        let [current, earlier @ ..] = &mut front.rows;
        current.clear(first, last, *band.row((row + MOST).min(band.last_row())).end());
        for column in first..=last {
            let (cell, place) = (column + PAD, column - first);
            let mut best = Best { cost: f64::INFINITY, kind: DETOUR, detour: false };
            best.try_from(&earlier[0], cell, alone, 0);
            best.try_from(current, cell - 1, self.zero_one[column], 1);
            for (kind, costs) in self.costs.iter().enumerate() {
                let (sources, targets) = KINDS[kind + ALONE];
                best.try_from(&earlier[sources - 1], cell - targets, costs[place], (kind + ALONE) as u8);
            }
            if column < first + MOST {
                best.try_detour((front.below + toll * sentences(column)) * share);
            }
            if column >= beside_above {
                best.try_detour((front.above + toll * sentences(column)) * share);
            }
            if (row, column) == (0, 0) {
                best.cost = 0.0;
            }
            current.costs[cell] = best.cost;
            current.detours[cell] = best.detour;
            kinds.push(best.kind);
        }
        front.leave(band, row, last, toll);
    }

    /// Puts the costs of beads that end in a row at the columns `first` to `last` in place. Returns that of leaving out
    /// the source sentence before the row. In rows that have no such sentence costs mean nothing, and do not matter.
    fn fill_costs(&mut self, row: usize, first: usize, last: usize) -> f64 {
        let columns = first..last + 1;
        let kinds = KINDS.into_iter().zip(self.priors).skip(ALONE);
        for (costs, ((sources, targets), prior)) in self.costs.iter_mut().zip(kinds) {
            costs.resize(columns.len(), 0.0);
            if prior.is_infinite() {
                costs.fill(prior);
                continue;
            }
            self.tails.fill(before(self.source, row, sources), &self.targets[targets - 1][columns.clone()], costs);
            for cost in costs.iter_mut() {
                *cost += prior;
            }
        }
        let mut alone = [0.0];
        self.tails.fill(before(self.source, row, 1), &[0], &mut alone);
        alone[0] + self.priors[0]
    }
}

/// The length of so many sentences before a place in their text, or of all that there are.
fn before(text: &[u32], place: usize, sentences: usize) -> u64 {
    text[place.saturating_sub(sentences)..place].iter().map(|&length| u64::from(length)).sum()
}

/// The least cost of a cell so far, and how it was reached.
struct Best {
    cost: f64,
    kind: u8,
    detour: bool,
}

impl Best {
    fn try_from(&mut self, row: &Row, cell: usize, cost: f64, kind: u8) {
        let cost = row.costs[cell] + cost;
        if cost < self.cost {
            *self = Self { cost, kind, detour: row.detours[cell] };
        }
    }

    fn try_detour(&mut self, cost: f64) {
        // In doubt the band must grow.
        if cost.is_finite() && cost <= self.cost {
            *self = Self { cost, kind: DETOUR, detour: true };
        }
    }
}

impl Front {
    /// Before the first row.
    fn new(last_column: usize) -> Self {
        let cells = last_column + 1 + PAD;
        let row = Row { costs: vec![f64::INFINITY; cells], detours: vec![false; cells] };
        Self { rows: std::array::from_fn(|_| row.clone()), above: f64::INFINITY, below: f64::INFINITY }
    }

    /// Takes in from where in this row, now complete, a path may go outside: columns from which a bead leads above the
    /// band, or, in one of the next rows, below it.
    fn leave(&mut self, band: &Band, row: usize, last: usize, toll: f64) {
        let columns = band.row(row);
        let costs = &self.rows[0].costs;
        let cost = |column: usize| costs[column + PAD] - toll * (row + column) as f64;
        if *columns.end() < band.last_column() {
            let near = columns.end().saturating_sub(MOST - 1).max(*columns.start())..=last;
            self.above = near.map(cost).fold(self.above, f64::min);
        }
        let below = *columns.start()..(*band.row((row + MOST).min(band.last_row())).start()).min(last + 1);
        self.below = below.map(cost).fold(self.below, f64::min);
    }

    /// What goes on from this row.
    fn checkpoint(&self, band: &Band, row: usize) -> Checkpoint {
        let end = *band.row((row + MOST).min(band.last_row())).end() + PAD;
        let slice = |of: &Row, row: usize| {
            let cells = *band.row(row).start()..end + 1;
            (cells.start, of.costs[cells.clone()].to_vec(), of.detours[cells].to_vec())
        };
        let rows = std::array::from_fn(|n| slice(&self.rows[n], row.saturating_sub(n)));
        Checkpoint { rows, above: self.above, below: self.below }
    }

    fn from_checkpoint(checkpoint: &Checkpoint, last_column: usize) -> Self {
        let mut front = Self::new(last_column);
        for (row, (start, costs, detours)) in front.rows.iter_mut().zip(&checkpoint.rows) {
            row.costs[*start..start + costs.len()].copy_from_slice(costs);
            row.detours[*start..start + detours.len()].copy_from_slice(detours);
        }
        Self { above: checkpoint.above, below: checkpoint.below, ..front }
    }
}

impl Row {
    /// Makes the cells that are not computed, but looked at from the next rows, out of reach: those before the
    /// `first` column, and those behind the `last` up to the column `end`.
    fn clear(&mut self, first: usize, last: usize, end: usize) {
        self.costs[first..first + PAD].fill(f64::INFINITY);
        if last < end {
            self.costs[last + 1 + PAD..=end + PAD].fill(f64::INFINITY);
        }
    }
}

impl Choices {
    fn clear(&mut self) {
        self.kinds.clear();
        self.starts.clear();
    }

    /// The sentences of the bead that leads to a cell; `row` counts from the first kept.
    fn at(&self, row: usize, column: usize) -> (usize, usize) {
        let (first, place) = self.starts[row];
        let kind = usize::from(self.kinds[place + column - first]);
        *KINDS.get(kind).expect("the best path was found to have no detour, and cells on it are reached by beads")
    }
}

/// Rows from checkpoint to checkpoint. A row between takes a byte a cell, a checkpoint 36: the sum is least at six times
/// the square root.
fn rows_between(last_row: usize) -> usize {
    (6 * last_row.isqrt()).max(64)
}
