//! The part of the grid that is searched where more than lengths is known: what lies around points that paths pass.
//!
//! Row i of the grid is behind i source sentences, column j behind j target sentences. Between two points that follow each
//! other the corridor is the whole rectangle, or, if that has more than 40,000 cells, a strip of 100 columns on each side of
//! the line between them. It reaches `radius` columns further on each side, and as far as rows a few before and behind each
//! do. Neither end of the columns goes back from row to row, and rows that follow each other share a column: so there is a
//! path from the first cell to the last, and the corridor has O(n · radius) cells where points are close.

use std::ops::Range;

use super::MOST;

/// The most cells of a rectangle that is searched whole.
const WHOLE: usize = 40_000;

/// Columns on each side of the line through a larger one.
const STRIP: usize = 100;

/// The cells that are searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Corridor {
    /// The columns of each row.
    rows: Vec<Range<usize>>,
    /// Cells before each row, and all.
    starts: Vec<usize>,
}

impl Corridor {
    /// That of so many source and target sentences, around points (row, column) that never go back.
    pub(super) fn new(sentences: (usize, usize), points: &[(usize, usize)], radius: usize) -> Self {
        let (last_row, last_column) = sentences;
        let mut ends: Vec<(usize, usize)> = vec![(usize::MAX, 0); last_row + 1];
        let mut include = |row: usize, first: usize, last: usize| {
            let (low, high) = ends[row];
            ends[row] = (low.min(first), high.max(last));
        };
        let mut from = (0, 0);
        for &to in points.iter().chain(&[(last_row, last_column)]) {
            let (down, across) = (to.0 - from.0, to.1 - from.1);
            let whole = (down + 1).saturating_mul(across + 1) <= WHOLE || down == 0;
            for row in from.0..=to.0 {
                if whole {
                    include(row, from.1, to.1);
                } else {
                    // The line in this row, up to where it enters the next.
                    let at = |step: usize| from.1 + (across as u128 * step.min(down) as u128 / down as u128) as usize;
                    let step = row - from.0;
                    include(row, at(step).saturating_sub(STRIP).max(from.1), (at(step + 1) + STRIP).min(to.1));
                }
            }
            from = to;
        }
        let rows: Vec<Range<usize>> = (0..=last_row)
            .map(|row| {
                let low = ends[row.saturating_sub(MOST)].0.saturating_sub(radius);
                let high = ends[(row + MOST).min(last_row)].1.saturating_add(radius).min(last_column);
                low..high + 1
            })
            .collect();
        let mut starts = Vec::with_capacity(rows.len() + 1);
        let mut cells = 0;
        for row in &rows {
            starts.push(cells);
            cells += row.len();
        }
        starts.push(cells);
        Self { rows, starts }
    }

    /// How many rows there are, one more than source sentences.
    pub(super) fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The columns of a row.
    pub(super) fn row(&self, row: usize) -> Range<usize> {
        self.rows[row].clone()
    }

    /// How many cells there are.
    pub(super) fn cells(&self) -> usize {
        *self.starts.last().unwrap_or(&0)
    }

    /// The number of a cell, row by row; nothing if it is outside.
    pub(super) fn cell(&self, row: usize, column: usize) -> Option<usize> {
        let columns = self.rows.get(row)?;
        columns.contains(&column).then(|| self.starts[row] + column - columns.start)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn it_follows_points() {
        let corridor = Corridor::new((1000, 1000), &[(100, 100), (500, 510), (600, 600)], 10);
        assert_eq!(corridor.row(0), 0..111);
        assert!(corridor.row(500).contains(&510) && !corridor.row(500).contains(&720));
        assert!(corridor.cells() < 1001 * 300, "{}", corridor.cells());
        assert_eq!(corridor.cell(0, 110), Some(110));
        assert_eq!((corridor.cell(0, 111), corridor.cell(1001, 1000)), (None, None));
        assert_eq!(Corridor::new((0, 3), &[], 0).row(0), 0..4);
        assert_eq!(Corridor::new((3, 3), &[], 100).cells(), 16);
    }

    proptest! {
        /// Points, the corners, and a way from each row to the next.
        #[test]
        fn it_is_passable(
            steps in proptest::collection::vec((0usize..300, 0usize..300), 0..6),
            rest in (0usize..900, 0usize..900),
            radius in 0usize..30,
        ) {
            let mut points = Vec::new();
            let (mut row, mut column) = (0, 0);
            for (down, across) in steps {
                (row, column) = (row + down, column + across);
                points.push((row, column));
            }
            let sentences = (row + rest.0, column + rest.1);
            let corridor = Corridor::new(sentences, &points, radius);
            prop_assert_eq!(corridor.rows(), sentences.0 + 1);
            for &(row, column) in points.iter().chain(&[(0, 0), sentences]) {
                prop_assert!(corridor.cell(row, column).is_some());
            }
            for row in 1..corridor.rows() {
                let (above, own) = (corridor.row(row - 1), corridor.row(row));
                prop_assert!(above.start <= own.start && above.end <= own.end && own.start < above.end);
            }
        }
    }
}
