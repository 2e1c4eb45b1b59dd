//! The order of words in Model 4: each cept relative to the one before (Brown et al. 1993, section 4.6).
//!
//! The words of a conditioning position, ascending, are its cept; the first is the head. The center of a cept is the
//! mean of its words' places, from 1, rounded up; before the first cept it is 0. With c the center of the cept before
//! and e its word, b the place of the word before, and A and B the word classes of both sides, the word at j has
//!
//! ```text
//! d_1(j - c | A(e), B(f_j))    if it is the head        d_>1(j - b | B(f_j))    otherwise
//! ```
//!
//! Words of the empty word have no order. `walk` sums the logarithms position by position. A move or swap changes two
//! cepts, so `change` computes again only the cepts from the first of these to the one that follows the second, and
//! takes the difference to the sums of `walk`.

use super::layout::{LayoutRow, RowKey};
use super::tables::Displacements;

/// What the order of one sentence's words costs.
#[derive(Debug)]
pub(super) struct Cepts<'m> {
    values: &'m [f64],
    /// By position before, then by word.
    heads: Vec<LayoutRow>,
    /// By word.
    others: Vec<LayoutRow>,
    words: usize,
    /// For each position the cost of all cepts up to it.
    sums: Vec<f64>,
    /// For each position the last one before it that has words; 0 if none has.
    before: Vec<u32>,
    /// The centers of the positions that have words.
    centers: Vec<i64>,
    changed: [Vec<u32>; 2],
}

/// What changes at a position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change {
    pub(super) position: usize,
    /// The word it loses.
    pub(super) lost: Option<u32>,
    /// The word it gets.
    pub(super) got: Option<u32>,
}

/// The center of a cept: the mean of its words' places, from 1, rounded up.
pub(super) fn center(words: &[u32]) -> i64 {
    let sum: u64 = words.iter().map(|&word| u64::from(word) + 1).sum();
    sum.div_ceil(words.len() as u64) as i64
}

impl<'m> Cepts<'m> {
    pub(super) fn new(model: &'m Displacements, conditions: &[u32], words: &[u32]) -> Self {
        let Displacements { layout, classes, logarithms } = model;
        let class = |word: &u32| classes.words[*word as usize];
        let mut heads = Vec::with_capacity((conditions.len() + 1) * words.len());
        for &before in std::iter::once(&0).chain(conditions) {
            let head_after = Some(classes.conditions[before as usize]);
            heads.extend(words.iter().map(|word| layout.row(RowKey { head_after, class: class(word) })));
        }
        let others = words.iter().map(|word| layout.row(RowKey { head_after: None, class: class(word) })).collect();
        Self {
            values: logarithms,
            heads,
            others,
            words: words.len(),
            sums: Vec::new(),
            before: Vec::new(),
            centers: Vec::new(),
            changed: [const { Vec::new() }; 2],
        }
    }

    /// Visits the places in the table that a cept takes, after the one at a position with a center.
    #[inline(always)]
    fn visit(&self, (before, at): (usize, i64), cept: &[u32], mut visit: impl FnMut(usize)) {
        let mut last = cept[0] as usize;
        visit(self.heads[before * self.words + last].displacement(last as i64 + 1 - at));
        for &word in &cept[1..] {
            let word = word as usize;
            visit(self.others[word].displacement((word - last) as i64));
            last = word;
        }
    }

    #[inline(always)]
    fn cost(&self, before: (usize, i64), cept: &[u32]) -> f64 {
        let mut cost = 0.0;
        self.visit(before, cept, |place| cost += self.values[place]);
        cost
    }

    /// Visits the places in the table that an alignment takes, given the words of each position.
    pub(super) fn visit_all(&self, words: &[Vec<u32>], mut visit: impl FnMut(usize)) {
        let (mut before, mut at) = (0, 0);
        for (position, cept) in words.iter().enumerate().skip(1) {
            if !cept.is_empty() {
                self.visit((before, at), cept, &mut visit);
                (before, at) = (position, center(cept));
            }
        }
    }

    /// The cost of an alignment, given the words of each position; kept for [`change`](Self::change).
    pub(super) fn walk(&mut self, words: &[Vec<u32>]) -> f64 {
        self.sums.clear();
        self.before.clear();
        self.centers.clear();
        let (mut before, mut at, mut sum) = (0, 0, 0.0);
        for (position, cept) in words.iter().enumerate() {
            self.before.push(before);
            let mut own = 0;
            if position > 0 && !cept.is_empty() {
                sum += self.cost((before as usize, at), cept);
                own = center(cept);
                (before, at) = (position as u32, own);
            }
            self.centers.push(own);
            self.sums.push(sum);
        }
        sum
    }

    /// By how much the cost changes if two positions lose or get words. O(words of the positions from the first of the two
    /// to the one after the second).
    pub(super) fn change(&mut self, words: &[Vec<u32>], changes: [Change; 2]) -> f64 {
        let mut changed = std::mem::take(&mut self.changed);
        for (cept, &Change { position, lost, got }) in changed.iter_mut().zip(&changes) {
            cept.clear();
            let mut got = got;
            for &word in &words[position] {
                if got.is_some_and(|got| got < word) {
                    cept.extend(got.take());
                }
                if Some(word) != lost {
                    cept.push(word);
                }
            }
            cept.extend(got);
        }
        let [one, other] = changes.map(|change| change.position);
        let (first, last) = (one.min(other), one.max(other));
        // The empty word has no order.
        let first = if first == 0 { last } else { first };
        let mut before = self.before[first] as usize;
        let mut at = self.centers[before];
        let mut cost = 0.0;
        let mut position = first;
        while position < words.len() {
            let cept = match position {
                _ if position == one => &changed[0],
                _ if position == other => &changed[1],
                _ => &words[position],
            };
            if !cept.is_empty() {
                cost += self.cost((before, at), cept);
                if position > last {
                    break;
                }
                (before, at) = (position, center(cept));
            }
            position += 1;
        }
        let end = position.min(words.len() - 1);
        self.changed = changed;
        cost - (self.sums[end] - self.sums[first - 1])
    }
}
