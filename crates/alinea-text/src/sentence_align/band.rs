//! The part of the grid that is searched: a band around the diagonal, doubled in width until the result is certain.
//!
//! Row i of the grid is behind i source sentences, column j behind j target sentences. The diagonal follows lengths: in
//! each row it is at the last column with no larger share of its text behind it than the row has. A sentence counts one
//! more than its length, so that empty ones move on, too. The band has `width` columns on each side, 64 at first and
//! never fewer than a bead has sentences on a side. From row to row its ends never go back, which the search relies on.
//!
//! Where the diagonal is steep the band may jump so far between rows that no path can follow, or that a bead leads from
//! above the band to below it. Such a band is not passable, and is widened before it is searched.

use std::ops::RangeInclusive;

use super::MOST;

/// Columns on each side of the diagonal that are searched first.
pub(super) const FIRST_WIDTH: usize = 64;

/// For each row of the grid, source sentences behind it, the columns that are searched, target sentences behind them.
///
/// The diagonal is where both texts have the same share of their lengths behind them. Neither end of the columns ever
/// goes back from row to row. The band holds the first cell of the grid, and the last if there is a source sentence.
#[derive(Debug)]
pub(super) struct Band {
    diagonal: Vec<usize>,
    width: usize,
    columns: usize,
}

impl Band {
    /// A band of so many columns on each side, at least so many that no bead leads from below it to above it.
    pub(super) fn new(source: &[u32], target: &[u32], width: usize) -> Self {
        Self { diagonal: diagonal(source, target), width: width.max(MOST), columns: target.len() }
    }

    /// The last row.
    pub(super) fn last_row(&self) -> usize {
        self.diagonal.len() - 1
    }

    /// The last column of the grid.
    pub(super) fn last_column(&self) -> usize {
        self.columns
    }

    /// The columns of a row.
    pub(super) fn row(&self, row: usize) -> RangeInclusive<usize> {
        let center = self.diagonal[row];
        center.saturating_sub(self.width)..=(center.saturating_add(self.width)).min(self.columns)
    }

    /// Whether the last cell of the grid is in the band, and no bead leads from above it to below it, as one might where
    /// the diagonal is very steep.
    pub(super) fn is_passable(&self) -> bool {
        let far = |row: usize| *self.row((row + MOST).min(self.last_row())).start();
        self.row(self.last_row()).contains(&self.columns)
            && (0..=self.last_row()).all(|row| far(row) <= self.row(row).end() + 1)
    }

    /// Makes the band wider.
    pub(super) fn widen(&mut self) {
        self.width = self.width.saturating_mul(2);
    }
}

/// For each row the last column that has no larger share of its text behind it.
fn diagonal(source: &[u32], target: &[u32]) -> Vec<usize> {
    // Each sentence counts one more than it is long, so that those of length 0 go on too.
    let weight = |text: &[u32]| text.iter().map(|&length| u128::from(length) + 1).sum::<u128>();
    let (source_total, target_total) = (weight(source).max(1), weight(target).max(1));
    let (mut source_behind, mut target_behind) = (0u128, 0u128);
    let mut column = 0;
    let mut diagonal = Vec::with_capacity(source.len() + 1);
    diagonal.push(0);
    for &length in source {
        source_behind += u128::from(length) + 1;
        while let Some(&length) = target.get(column) {
            let next = target_behind + u128::from(length) + 1;
            if next * source_total > source_behind * target_total {
                break;
            }
            target_behind = next;
            column += 1;
        }
        diagonal.push(column);
    }
    diagonal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_band_follows_the_lengths() {
        let target: Vec<u32> = [10].into_iter().chain([1; 22]).chain([10]).collect();
        let band = Band::new(&[10, 10, 10, 24], &target, 4);
        assert_eq!(band.diagonal, [0, 1, 8, 14, 24]);
        assert_eq!(band.row(0), 0..=4);
        assert_eq!(band.row(3), 10..=18);
        assert_eq!(band.row(4), 20..=24);
        assert_eq!((band.last_row(), band.last_column()), (4, 24));
        assert_eq!(Band::new(&[0, 0], &[0, 0, 0, 0], 0).diagonal, [0, 2, 4]);
    }

    #[test]
    fn first_and_last_cell_are_in_it() {
        let mut band = Band::new(&[5], &[1; 100], 4);
        assert_eq!((band.row(0), band.row(1)), (0..=4, 96..=100));
        assert!(!band.is_passable(), "a bead leads from behind column 4 to before column 96");
        for _ in 0..70 {
            band.widen();
        }
        assert_eq!((band.row(0), band.row(1)), (0..=100, 0..=100));
        assert!(band.is_passable());
        assert!(!Band::new(&[], &[1; 9], 8).is_passable() && Band::new(&[], &[1; 9], 9).is_passable());
        assert!(!Band::new(&[5], &[1; 100], 49).is_passable() && Band::new(&[5], &[1; 100], 50).is_passable());
    }
}
