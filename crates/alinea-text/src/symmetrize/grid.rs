//! The links of both directions as a sparse grid that the methods work on.
//!
//! The links of the union are numbered in the order of visits, (target, source). Links of one target form a *row*; rows
//! are numbered too, and so are the source positions that occur (*columns*). So nothing is as large as a position.
//!
//! Growing repeats passes over the links of the result. One visit to a link is enough: it adds every neighbor that has
//! an uncovered word, and a neighbor that it leaves out has covered words forever, since links are never removed. So
//! each link waits for one visit, in the current pass if it comes after the link being visited and in the next pass if
//! not, and two heaps of waiting links replace the passes: O(n log n) where passes may cost O(n²).

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use crate::alignment::{Alignment, Link};

/// A link of the union.
#[derive(Debug, Clone, Copy)]
struct Point {
    link: Link,
    row: u32,
    column: u32,
    /// Place in the order (source, target).
    rank: u32,
    in_forward: bool,
    in_reverse: bool,
    kept: bool,
}

/// The union of two directions, and which of its links are kept so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Grid {
    /// In the order (target, source).
    points: Vec<Point>,
    /// Where each row starts in `points`, and at the end the number of points.
    starts: Vec<u32>,
    covered_rows: Vec<bool>,
    covered_columns: Vec<bool>,
    /// Links whose visit is due in this pass, lowest first.
    now: BinaryHeap<Reverse<u32>>,
    /// Links whose visit is due in the next pass.
    later: BinaryHeap<Reverse<u32>>,
    /// Kept links by rank, while the result is written.
    ranked: Vec<Option<Link>>,
}

impl Grid {
    /// Takes in a sentence pair; the intersection is kept.
    pub(super) fn load(&mut self, forward: &Alignment, reverse: &Alignment) {
        self.merge(forward.links(), reverse.links());
        self.points.sort_unstable_by_key(|point| (point.link.target, point.link.source));
        self.starts.clear();
        let mut target = None;
        for (n, point) in self.points.iter_mut().enumerate() {
            if target != Some(point.link.target) {
                target = Some(point.link.target);
                self.starts.push(n as u32);
            }
            point.row = self.starts.len() as u32 - 1;
        }
        self.covered_rows.clear();
        self.covered_rows.resize(self.starts.len(), false);
        self.starts.push(self.points.len() as u32);
        for point in self.points.iter().filter(|point| point.kept) {
            self.covered_rows[point.row as usize] = true;
            self.covered_columns[point.column as usize] = true;
        }
    }

    /// The union in the order (source, target), with columns and ranks.
    fn merge(&mut self, mut forward: &[Link], mut reverse: &[Link]) {
        self.points.clear();
        let mut columns = 0u32;
        let mut source = None;
        while let Some(&link) = forward.first().into_iter().chain(reverse.first()).min() {
            let in_forward = forward.first() == Some(&link);
            let in_reverse = reverse.first() == Some(&link);
            forward = &forward[usize::from(in_forward)..];
            reverse = &reverse[usize::from(in_reverse)..];
            if source != Some(link.source) {
                source = Some(link.source);
                columns += 1;
            }
            let (rank, kept) = (self.points.len() as u32, in_forward && in_reverse);
            self.points.push(Point { link, row: 0, column: columns - 1, rank, in_forward, in_reverse, kept });
        }
        self.covered_columns.clear();
        self.covered_columns.resize(columns as usize, false);
    }

    /// Keeps the whole union.
    pub(super) fn keep_all(&mut self) {
        for point in &mut self.points {
            point.kept = true;
        }
    }

    /// Grows what is kept over neighbors, until there is nothing to add.
    pub(super) fn grow(&mut self, diagonal: bool) {
        self.now.clear();
        self.later.clear();
        let kept = self.points.iter().enumerate().filter(|(_, point)| point.kept);
        self.now.extend(kept.map(|(n, _)| Reverse(n as u32)));
        while !self.now.is_empty() {
            while let Some(Reverse(current)) = self.now.pop() {
                for neighbor in self.neighbors(current as usize, diagonal).into_iter().flatten() {
                    if !self.points[neighbor].kept && self.uncovered(neighbor).contains(&true) {
                        self.keep(neighbor);
                        let due = if neighbor > current as usize { &mut self.now } else { &mut self.later };
                        due.push(Reverse(neighbor as u32));
                    }
                }
            }
            std::mem::swap(&mut self.now, &mut self.later);
        }
    }

    /// Keeps links of the reverse direction only that cover an uncovered word, or two of them.
    pub(super) fn add_reverse(&mut self, both: bool) {
        self.add(both, |point| point.in_reverse && !point.in_forward);
    }

    /// Keeps links of the forward direction only that cover an uncovered word, or two of them.
    pub(super) fn add_forward(&mut self, both: bool) {
        self.add(both, |point| point.in_forward && !point.in_reverse);
    }

    /// Writes what is kept.
    pub(super) fn store(&mut self, result: &mut Alignment) {
        self.ranked.clear();
        self.ranked.resize(self.points.len(), None);
        for point in self.points.iter().filter(|point| point.kept) {
            self.ranked[point.rank as usize] = Some(point.link);
        }
        result.clear();
        for link in self.ranked.iter().flatten() {
            result.insert(*link);
        }
    }

    fn add(&mut self, both: bool, candidate: impl Fn(&Point) -> bool) {
        for n in 0..self.points.len() {
            if candidate(&self.points[n]) && !self.points[n].kept {
                let uncovered = self.uncovered(n);
                if if both { uncovered == [true, true] } else { uncovered.contains(&true) } {
                    self.keep(n);
                }
            }
        }
    }

    fn keep(&mut self, n: usize) {
        let point = &mut self.points[n];
        point.kept = true;
        self.covered_rows[point.row as usize] = true;
        self.covered_columns[point.column as usize] = true;
    }

    fn uncovered(&self, n: usize) -> [bool; 2] {
        let point = &self.points[n];
        [!self.covered_rows[point.row as usize], !self.covered_columns[point.column as usize]]
    }

    /// The neighbors that are in the union, in the order in which they are tried.
    fn neighbors(&self, n: usize, diagonal: bool) -> [Option<usize>; 8] {
        let Point { link, row, .. } = self.points[n];
        let (left, here, right) = (link.source.checked_sub(1), Some(link.source), link.source.checked_add(1));
        let above = self.row(row.checked_sub(1), link.target.checked_sub(1));
        let same = self.row(Some(row), Some(link.target));
        let below = self.row(row.checked_add(1), link.target.checked_add(1));
        let straight = [(&above, here), (&same, left), (&below, here), (&same, right)];
        let [a, b, c, d] = straight.map(|(row, source)| self.find(row, source));
        if !diagonal {
            return [a, b, c, d, None, None, None, None];
        }
        let slanted = [(&above, left), (&above, right), (&below, left), (&below, right)];
        let [e, f, g, h] = slanted.map(|(row, source)| self.find(row, source));
        [a, b, c, d, e, f, g, h]
    }

    /// The points of a row if it is there and of this target position; otherwise none.
    fn row(&self, row: Option<u32>, target: Option<u32>) -> Range<usize> {
        let Some(row) = row.map(|row| row as usize) else { return 0..0 };
        match self.starts.get(row..row + 2) {
            Some(&[start, end]) if Some(self.points[start as usize].link.target) == target => {
                start as usize..end as usize
            }
            _ => 0..0,
        }
    }

    /// The point of a row with this source position.
    fn find(&self, row: &Range<usize>, source: Option<u32>) -> Option<usize> {
        let place = self.points[row.clone()].binary_search_by_key(&source?, |point| point.link.source).ok()?;
        Some(row.start + place)
    }
}
