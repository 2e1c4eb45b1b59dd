//! Edit distances to a reference, within a beam, sixty-four cells at a time.
//!
//! D(i, j) is the distance of the first i words of the hypothesis and the first j of the reference. Two neighbors in a row
//! differ by -1, 0 or 1, so a row is two bit vectors, and the next row follows from them by a dozen operations on whole
//! words (Myers 1999, *A fast bit-vector algorithm for approximate string matching*, in the form of Hyyrö 2003): bit j - 1
//! of `up` (`down`) says that D(i, j) = D(i, j-1) + 1 (- 1).
//!
//! Tercom does not compute all cells: row i has only those with
//!
//! ```text
//! floor(i l) - b <= j < floor(i l) + b,   l = length of the reference / length of the hypothesis,
//! ```
//!
//! b = 25 (more if l > 50), the last row goes on to the end, and row 0 is whole. Cells outside are infinite. Bit vectors
//! have no infinity, but values that are never better than those inside do as well. Let a be the first cell of row i, e the
//! end of row i - 1:
//!
//! * at j >= e the row i - 1 is taken to rise by one a word, and no match is allowed for j > e, where the cell before on
//!   the diagonal is infinite: then the way along row i is never longer than one from there;
//! * at a - 1 the row i is taken to be one more than the row i - 1, for as long as a stays the same, and no match is
//!   allowed for j = a if a - 1 is not in row i - 1: then the way down column a is never longer than one from there.
//!
//! Within the beam neighbors still differ by at most one, as a way to (i, j) can be bent to (i, j-1) and (i-1, j) without
//! leaving it, because neither end of the rows ever moves back.

use std::ops::Range;

/// b.
const BEAM: usize = 25;

const WORD: usize = u64::BITS as usize;

/// A reference, ready to be compared.
#[derive(Debug, Default)]
pub(super) struct Reference {
    words: Vec<u32>,
    /// Distinct words are below this number.
    distinct: usize,
    /// Words of 64 bits in a row.
    blocks: usize,
    /// Where each word stands, a row of bits for each, and an empty row for words that it does not have.
    masks: Vec<u64>,
    /// Where the places of each word begin, and all places, in order.
    starts: Vec<u32>,
    places: Vec<u32>,
}

impl Reference {
    /// Replaces the words: numbers that are not much larger than their number.
    pub(super) fn read(&mut self, words: &[u32]) {
        self.words.clear();
        self.words.extend_from_slice(words);
        self.distinct = words.iter().max().map_or(0, |&word| word as usize + 1);
        self.blocks = words.len().div_ceil(WORD);
        self.masks.clear();
        self.masks.resize((self.distinct + 1) * self.blocks, 0);
        self.starts.clear();
        self.starts.resize(self.distinct + 2, 0);
        for (place, &word) in words.iter().enumerate() {
            self.masks[word as usize * self.blocks + place / WORD] |= 1 << (place % WORD);
            self.starts[word as usize + 1] += 1;
        }
        // The empty row begins where the last word ends.
        for word in 1..self.starts.len() {
            self.starts[word] += self.starts[word - 1];
        }
        self.places.clear();
        self.places.resize(words.len(), 0);
        let mut next = std::mem::take(&mut self.starts);
        for (place, &word) in words.iter().enumerate() {
            self.places[next[word as usize] as usize] = place as u32;
            next[word as usize] += 1;
        }
        // What was the start of a word is now its end, the start of the next one.
        next.rotate_right(1);
        next[0] = 0;
        self.starts = next;
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    pub(super) fn words(&self) -> &[u32] {
        &self.words
    }

    /// The row of a word, for [`places`](Self::places) and distances; all that do not occur have one.
    pub(super) fn row(&self, word: u32) -> u32 {
        word.min(self.distinct as u32)
    }

    /// Where the word of a row stands.
    pub(super) fn places(&self, row: u32) -> &[u32] {
        let row = row as usize;
        &self.places[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

/// Differences of neighbors in a stretch of a row.
#[derive(Debug, Clone, Copy, Default)]
struct Cells {
    up: u64,
    down: u64,
}

/// What the beam does to a stretch of a row.
#[derive(Debug, Clone, Copy, Default)]
struct Limits {
    /// Where matches are allowed.
    allowed: u64,
    /// Where the row before is taken to rise.
    rising: u64,
    /// The bit of the first cell, if it is here.
    first: u64,
    /// The bits that the first cell of the row before has to cross to this row's.
    crossed: u64,
}

/// What goes over from a stretch to the next one.
#[derive(Debug, Default)]
struct Carry {
    sum: bool,
    up: u64,
    down: u64,
}

/// The next row of a stretch.
#[inline(always)]
fn step(cells: Cells, mask: u64, limits: &Limits, carry: &mut Carry) -> Cells {
    let (up, down) = (cells.up | limits.rising, cells.down & !limits.rising);
    let equal = mask & limits.allowed;
    let (sum, over) = (equal & up).overflowing_add(up);
    let (sum, over_again) = sum.overflowing_add(u64::from(carry.sum));
    carry.sum = over | over_again;
    let same = (sum ^ up) | equal;
    // Differences from row to row, at the end of each cell and then at its beginning.
    let (more, less) = (down | !(same | up), up & same);
    let (more_before, less_before) = (more << 1 | carry.up | limits.first, less << 1 | carry.down);
    (carry.up, carry.down) = (more >> (WORD - 1), less >> (WORD - 1));
    let known = equal | down;
    Cells { up: less_before | !(known | more_before), down: more_before & known }
}

/// The cells that are computed, for hypotheses and references of certain lengths.
#[derive(Debug, Default)]
struct Beam {
    /// Those of each row.
    rows: Vec<Range<usize>>,
    /// The same for each stretch of each row.
    limits: Vec<Limits>,
}

impl Beam {
    /// For that many words; without a width, all cells are computed.
    fn set(&mut self, hypothesis: usize, reference: usize, width: Option<usize>) {
        self.rows.clear();
        self.limits.clear();
        self.rows.push(0..reference + 1);
        let ratio = if hypothesis == 0 { 1.0 } else { reference as f64 / hypothesis as f64 };
        let blocks = reference.div_ceil(WORD);
        self.limits.resize(blocks, Limits::default());
        for i in 1..=hypothesis {
            let mut row = 0..reference + 1;
            if let Some(width) = width {
                let widened = (ratio / 2.0 + width as f64).ceil() as usize;
                let width = if (width as f64) < ratio / 2.0 { widened } else { width };
                let diagonal = (i as f64 * ratio).floor() as usize;
                row.start = diagonal.saturating_sub(width);
                row.end = if i == hypothesis { row.end } else { row.end.min(diagonal + width) };
            }
            let before = self.rows[i - 1].clone();
            let (from, to) = (first_bit(&before), first_bit(&row));
            self.limits.extend((0..blocks).map(|block| Limits {
                allowed: bits(block, to.max(before.start)..before.end),
                rising: bits(block, 0..to) | bits(block, before.end - 1..usize::MAX),
                first: bits(block, to..to + 1),
                crossed: bits(block, from..to),
            }));
            self.rows.push(row);
        }
    }
}

/// The bit of the first cell of a row that has one.
fn first_bit(row: &Range<usize>) -> usize {
    row.start.saturating_sub(1)
}

/// A range of bits, as far as a block has them.
fn bits(block: usize, range: Range<usize>) -> u64 {
    let below = |bit: usize| match bit.saturating_sub(block * WORD) {
        bit if bit < WORD => (1 << bit) - 1,
        _ => u64::MAX,
    };
    below(range.end) & !below(range.start)
}

/// Computes distances, of hypotheses of one length.
#[derive(Debug, Default)]
pub(super) struct Distances {
    beam: Beam,
    whole: Beam,
    /// The rows of one hypothesis.
    cells: Vec<Cells>,
    /// D of each row just before the first bit.
    bases: Vec<u32>,
    /// A row at hand.
    row: Vec<Cells>,
}

impl Distances {
    /// Whether no beam of this width can keep from any cell.
    fn is_whole(reference: usize) -> bool {
        reference < BEAM
    }

    /// From now on hypotheses have that many words.
    pub(super) fn begin(&mut self, hypothesis: usize, reference: &Reference) {
        let whole = Self::is_whole(reference.len());
        self.beam.set(hypothesis, reference.len(), (!whole).then_some(BEAM));
        self.whole.rows.clear();
    }

    /// The distance of a hypothesis, whose rows are kept. O(words * words / 64).
    pub(super) fn keep(&mut self, hypothesis: &[u32], reference: &Reference) -> usize {
        let blocks = reference.blocks;
        self.cells.clear();
        self.bases.clear();
        self.row.clear();
        self.row.resize(blocks, Cells { up: u64::MAX, down: 0 });
        self.cells.extend_from_slice(&self.row);
        let mut base = 0;
        self.bases.push(base);
        for (before, &word) in hypothesis.iter().enumerate() {
            let limits = &self.beam.limits[(before + 1) * blocks..][..blocks];
            base = next_row(&mut self.row, base, mask(reference, word), limits);
            self.cells.extend_from_slice(&self.row);
            self.bases.push(base);
        }
        self.value(hypothesis.len(), reference.len())
    }

    /// The distance of a hypothesis that begins with the same `row` words as the one whose rows are kept.
    pub(super) fn after(&mut self, row: usize, hypothesis: &[u32], reference: &Reference) -> usize {
        let blocks = reference.blocks;
        let (last, end) = (&self.beam.rows[hypothesis.len()], reference.len());
        let mut base = self.bases[row];
        let limits = &self.beam.limits[(row + 1) * blocks..];
        if blocks == 1 {
            let mut cells = self.cells[row];
            for (&word, limits) in hypothesis[row..].iter().zip(limits) {
                base += 1;
                if limits.crossed != 0 {
                    base = climb(base, cells, limits.crossed);
                }
                cells = step(cells, reference.masks[word as usize], limits, &mut Carry::default());
            }
            return climb(base, cells, bits(0, first_bit(last)..end)) as usize;
        }
        self.row.clear();
        self.row.extend_from_slice(&self.cells[row * blocks..][..blocks]);
        for (&word, limits) in hypothesis[row..].iter().zip(limits.chunks_exact(blocks)) {
            base = next_row(&mut self.row, base, mask(reference, word), limits);
        }
        let stretches = self.row.iter().enumerate();
        stretches.fold(base, |base, (block, &cells)| climb(base, cells, bits(block, first_bit(last)..end))) as usize
    }

    /// The distance of a hypothesis of which `distance` is the one within the beam, when all cells are computed.
    pub(super) fn whole(&mut self, distance: usize, hypothesis: &[u32], reference: &Reference) -> usize {
        let (n, m) = (hypothesis.len(), reference.len());
        // A way of that length is nowhere farther from both ends of the diagonal than the beam reaches.
        if Self::is_whole(m) || distance + n.abs_diff(m) <= 2 * (BEAM - 2) {
            return distance;
        }
        if self.whole.rows.is_empty() {
            self.whole.set(n, m, None);
        }
        let kept = std::mem::replace(&mut self.cells, vec![Cells { up: u64::MAX, down: 0 }; reference.blocks]);
        std::mem::swap(&mut self.beam, &mut self.whole);
        let whole = self.after(0, hypothesis, reference);
        std::mem::swap(&mut self.beam, &mut self.whole);
        self.cells = kept;
        whole
    }

    /// D(i, j) of the hypothesis whose rows are kept; the beam must have the cell.
    fn value(&self, i: usize, j: usize) -> usize {
        let blocks = self.cells.len() / self.bases.len();
        let row = self.cells[i * blocks..][..blocks].iter().enumerate();
        let range = first_bit(&self.beam.rows[i])..j;
        row.fold(self.bases[i], |base, (block, &cells)| climb(base, cells, bits(block, range.clone()))) as usize
    }

    /// The operations that turn the reference into the hypothesis whose rows are kept, from the last to the first.
    ///
    /// Of several ways back, the one that takes a match or substitution if it can, else a word of the hypothesis.
    pub(super) fn operations(
        &self,
        hypothesis: &[u32],
        reference: &Reference,
        mut visit: impl FnMut(Operation, usize, usize),
    ) {
        let (mut i, mut j) = (hypothesis.len(), reference.len());
        let mut here = self.value(i, j);
        while i > 0 || j > 0 {
            let above = |j: usize| (i > 0 && self.beam.rows[i - 1].contains(&j)).then(|| self.value(i - 1, j));
            let matches = i > 0 && j > 0 && reference.row(reference.words[j - 1]) == hypothesis[i - 1];
            let diagonal = if j == 0 { None } else { above(j - 1) };
            let operation = if diagonal == Some(here - usize::from(!matches)) {
                if matches { Operation::Match } else { Operation::Substitute }
            } else if above(j) == Some(here - 1) {
                Operation::Insert
            } else {
                Operation::Delete
            };
            visit(operation, i, j);
            here -= usize::from(operation != Operation::Match);
            i -= usize::from(operation != Operation::Delete);
            j -= usize::from(operation != Operation::Insert);
        }
    }
}

/// A step from (i, j) back to the cell before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operation {
    /// The words are the same.
    Match,
    /// One word for another.
    Substitute,
    /// A word of the hypothesis only.
    Insert,
    /// A word of the reference only.
    Delete,
}

fn mask(reference: &Reference, row: u32) -> &[u64] {
    &reference.masks[row as usize * reference.blocks..][..reference.blocks]
}

/// Goes on from a value over some bits.
fn climb(value: u32, cells: Cells, bits: u64) -> u32 {
    value + (cells.up & bits).count_ones() - (cells.down & bits).count_ones()
}

/// Replaces a row by the next one; returns the base of that.
fn next_row(row: &mut [Cells], base: u32, mask: &[u64], limits: &[Limits]) -> u32 {
    let (mut base, mut carry) = (base + 1, Carry::default());
    for ((cells, &mask), limits) in row.iter_mut().zip(mask).zip(limits) {
        base = climb(base, *cells, limits.crossed);
        *cells = step(*cells, mask, limits, &mut carry);
    }
    base
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Cell by cell: values and the operations back, by the order of preference.
    fn by_cells(hypothesis: &[u32], reference: &[u32], width: usize) -> (usize, Vec<(Operation, usize, usize)>) {
        use Operation::{Delete, Insert, Match, Substitute};
        const INFINITE: usize = usize::MAX / 2;
        let (n, m) = (hypothesis.len(), reference.len());
        let ratio = if n == 0 { 1.0 } else { m as f64 / n as f64 };
        let width = if (width as f64) < ratio / 2.0 { (ratio / 2.0 + width as f64).ceil() } else { width as f64 };
        let mut rows = vec![vec![(INFINITE, Match); m + 1]; n + 1];
        rows[0] = (0..=m).map(|j| (j, Delete)).collect();
        for i in 1..=n {
            let diagonal = (i as f64 * ratio).floor();
            for j in 0..=m {
                let here = j as f64;
                if here < diagonal - width || (here >= diagonal + width && i < n) {
                    continue;
                }
                let mut best = (INFINITE, Match);
                if j > 0 {
                    let same = hypothesis[i - 1] == reference[j - 1];
                    best = (rows[i - 1][j - 1].0 + usize::from(!same), if same { Match } else { Substitute });
                }
                if rows[i - 1][j].0 + 1 < best.0 {
                    best = (rows[i - 1][j].0 + 1, Insert);
                }
                if j > 0 && rows[i][j - 1].0 + 1 < best.0 {
                    best = (rows[i][j - 1].0 + 1, Delete);
                }
                rows[i][j] = best;
            }
        }
        let (mut i, mut j, mut back) = (n, m, Vec::new());
        while i > 0 || j > 0 {
            let operation = rows[i][j].1;
            back.push((operation, i, j));
            i -= usize::from(operation != Delete);
            j -= usize::from(operation != Insert);
        }
        (rows[n][m].0, back)
    }

    fn check(hypothesis: &[u32], words: &[u32], width: usize) {
        let mut reference = Reference::default();
        reference.read(&[7, 7]);
        reference.read(words);
        let rows: Vec<u32> = hypothesis.iter().map(|&word| reference.row(word)).collect();
        let mut distances = Distances::default();
        distances.beam.set(rows.len(), words.len(), Some(width));
        let (expected, back) = by_cells(hypothesis, words, width);
        assert_eq!(distances.keep(&rows, &reference), expected);
        for row in 0..=rows.len() {
            assert_eq!(distances.after(row, &rows, &reference), expected, "after {row}");
        }
        let mut found = Vec::new();
        distances.operations(&rows, &reference, |operation, i, j| found.push((operation, i, j)));
        assert_eq!(found, back);
    }

    proptest! {
        #[test]
        fn cells_are_those_of_the_beam(
            hypothesis in prop::collection::vec(0u32..4, 0..30),
            words in prop::collection::vec(0u32..3, 1..30),
            width in 1usize..8,
        ) {
            check(&hypothesis, &words, width);
        }

        #[test]
        fn references_of_several_stretches(
            hypothesis in prop::collection::vec(0u32..40, 0..150),
            words in prop::collection::vec(0u32..30, 60..200),
            width in prop::sample::select(&[1, 5, 25, 100][..]),
        ) {
            check(&hypothesis, &words, width);
        }

        #[test]
        fn whole_distances(
            hypothesis in prop::collection::vec(0u32..20, 0..80),
            words in prop::collection::vec(0u32..15, 1..80),
        ) {
            let mut reference = Reference::default();
            reference.read(&words);
            let rows: Vec<u32> = hypothesis.iter().map(|&word| reference.row(word)).collect();
            let mut distances = Distances::default();
            distances.begin(rows.len(), &reference);
            let distance = distances.keep(&rows, &reference);
            prop_assert_eq!(distance, by_cells(&hypothesis, &words, BEAM).0);
            prop_assert_eq!(distances.whole(distance, &rows, &reference), by_cells(&hypothesis, &words, 1000).0);
            // Rows are kept.
            prop_assert_eq!(distances.after(rows.len() / 2, &rows, &reference), distance);
        }
    }
}
