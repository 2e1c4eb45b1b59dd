//! Levenshtein distances between all prefixes of two sequences of labels, as bit vectors.
//!
//! For a link between words n and n' the two sequences are the labels from n and n' up to their roots. Either half of a
//! path is a prefix of such a sequence: the way up as it is, the way down reversed, which changes no distance. So both
//! distances of any pair of paths are looked up, one in the table of each of its two links.
//!
//! Neighbors in a row of a table differ by at most 1. So a row is stored in blocks of 64 columns: one bit where the
//! distance rises, one where it falls, and the distance before the block. A distance is that number, plus the rises and
//! less the falls up to its column. A block follows from the one above it by some twenty operations on words
//! (Myers 1999; Hyyrö 2003), so a table of sequences of a and b labels takes O(a b / 64) time and memory.

/// Edit distances between all prefixes of pairs of sequences.
///
/// The path from n to m goes up along the first labels of n's way to the root, and down along the first labels of m's, read
/// backwards; reading both sequences backwards does not change their distance. So all path pairs of two trees take their
/// distances from one table for each link, and need no walk of their own.
///
/// Neighbors in a row of such a table differ by at most 1. So a row is two bits a column, one where the distance rises and
/// one where it falls, and 64 columns are computed from the row above by some twenty operations on words (Myers 1999, *A Fast
/// Bit-Vector Algorithm for Approximate String Matching Based on Dynamic Programming*; for distances between whole
/// sequences, Hyyrö 2003, *A Bit-Vector Algorithm for Computing Levenshtein and Damerau Edit Distances*). A distance is what
/// stands before the 64 columns, and the bits up to its own counted.
#[derive(Debug, Default)]
pub(super) struct PrefixDistances {
    blocks: Vec<Block>,
    /// Where each table starts, and how many blocks a row has.
    tables: Vec<(usize, usize)>,
    /// For each label where it stands in the sequence whose prefixes are columns, 64 places a block; all 0 between tables.
    places: Vec<u64>,
}

/// 64 columns of a row.
#[derive(Debug, Clone, Copy)]
struct Block {
    rises: u64,
    falls: u64,
    /// The distance in the column before.
    before: u32,
}

impl PrefixDistances {
    /// The number of blocks that the table of sequences of these lengths takes.
    pub(super) fn blocks(one: usize, other: usize) -> usize {
        (one + 1) * width(other)
    }

    /// Adds the table of a pair. O(length of the one × length of the other / 64). Labels are small numbers.
    pub(super) fn add(&mut self, one: &[u32], other: &[u32]) {
        let width = width(other.len());
        let start = self.blocks.len();
        self.tables.push((start, width));
        let labels = one.iter().chain(other).max().map_or(0, |&label| label as usize + 1);
        self.places.resize(self.places.len().max(labels * width), 0);
        for (place, &label) in other.iter().enumerate() {
            self.places[label as usize * width + place / 64] |= 1 << (place % 64);
        }
        self.blocks.extend((0..width).map(|block| Block { rises: u64::MAX, falls: 0, before: 64 * block as u32 }));
        for (row, &label) in one.iter().enumerate() {
            let above = start + row * width;
            // The first column counts the rows.
            let (mut rises, mut falls) = (1, 0);
            for block in 0..width {
                let mut next = self.blocks[above + block];
                next.before = next.before + rises as u32 - falls as u32;
                (rises, falls) = next.descend(self.places[label as usize * width + block], rises, falls);
                self.blocks.push(next);
            }
        }
        for &label in other {
            self.places[label as usize * width..][..width].fill(0);
        }
    }

    /// The number of pairs.
    pub(super) fn len(&self) -> usize {
        self.tables.len()
    }

    /// The distance between prefixes of these lengths of a pair.
    pub(super) fn get(&self, pair: usize, one: usize, other: usize) -> u32 {
        let (start, width) = self.tables[pair];
        let block = other.saturating_sub(1) / 64;
        let Block { rises, falls, before } = self.blocks[start + one * width + block];
        // All 64 columns, or those up to it.
        let columns = if other == 0 { 0 } else { u64::MAX >> (63 - (other - 1) % 64) };
        before + (rises & columns).count_ones() - (falls & columns).count_ones()
    }
}

/// The number of blocks of a row of so many columns.
fn width(columns: usize) -> usize {
    columns.div_ceil(64).max(1)
}

impl Block {
    /// Goes to the next row, whose label stands at `places`, where the column before rises or falls from row to row (1 or 0
    /// each); says the same of the last column.
    fn descend(&mut self, places: u64, rises: u64, falls: u64) -> (u64, u64) {
        let kept = places | self.falls;
        let places = places | falls;
        let diagonal = ((places & self.rises).wrapping_add(self.rises) ^ self.rises) | places;
        let down = self.falls | !(diagonal | self.rises);
        let up = self.rises & diagonal;
        let (shifted_down, shifted_up) = (down << 1 | rises, up << 1 | falls);
        self.rises = shifted_up | !(kept | shifted_down);
        self.falls = shifted_down & kept;
        (down >> 63, up >> 63)
    }
}

#[cfg(test)]
mod tests {
    use super::super::levenshtein;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn distances_are_those_of_the_definition(
            pairs in proptest::collection::vec(
                (proptest::collection::vec(0u32..4, 0..150), proptest::collection::vec(0u32..4, 0..150)), 1..4),
            lengths in proptest::collection::vec((0usize..150, 0usize..150), 12),
        ) {
            let mut distances = PrefixDistances::default();
            for (one, other) in &pairs {
                distances.add(one, other);
            }
            for (pair, (one, other)) in pairs.iter().enumerate() {
                let whole = lengths.iter().map(|&(row, column)| (row.min(one.len()), column.min(other.len())));
                for (row, column) in whole.chain([(one.len(), other.len()), (0, other.len()), (one.len(), 0)]) {
                    let expected = levenshtein(&one[..row], &other[..column]);
                    prop_assert_eq!(distances.get(pair, row, column), expected, "{} {} {}", pair, row, column);
                }
            }
        }
    }
}
