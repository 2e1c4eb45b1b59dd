//! The part of the grid that is searched.

use std::ops::RangeInclusive;

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
    /// A band of so many columns on each side, at least 2: then no bead leads from one side of it to the other.
    pub(super) fn new(source: &[u32], target: &[u32], width: usize) -> Self {
        Self { diagonal: diagonal(source, target), width: width.max(2), columns: target.len() }
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

    /// Whether the last cell of the grid is in the band.
    pub(super) fn has_end(&self) -> bool {
        self.row(self.last_row()).contains(&self.columns)
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
        let band = Band::new(&[10, 10, 10], &[10, 1, 1, 1, 1, 1, 1, 1, 10], 2);
        assert_eq!(band.diagonal, [0, 1, 7, 9]);
        assert_eq!(band.row(0), 0..=2);
        assert_eq!(band.row(2), 5..=9);
        assert_eq!(band.row(3), 7..=9);
        assert_eq!((band.last_row(), band.last_column()), (3, 9));
        assert_eq!(Band::new(&[0, 0], &[0, 0, 0, 0], 0).diagonal, [0, 2, 4]);
    }

    #[test]
    fn first_and_last_cell_are_in_it() {
        let mut band = Band::new(&[5], &[1; 100], 3);
        assert_eq!((band.row(0), band.row(1)), (0..=3, 97..=100));
        for _ in 0..70 {
            band.widen();
        }
        assert_eq!((band.row(0), band.row(1)), (0..=100, 0..=100));
        assert!(band.has_end());
        assert!(!Band::new(&[], &[1; 9], 8).has_end() && Band::new(&[], &[1; 9], 9).has_end());
    }
}
