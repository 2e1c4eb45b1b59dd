//! What each sentence pair added to the counts of a pass, as far as it matters: sparse lists, in chunks of the text.
//!
//! Three ask for them: leave-one-out for self-counts, fertilities for likely links, and the worker for the posteriors
//! of the pass before, where directions part; units are divided by the weight of the pair for the last two.

use std::ops::Range;

use crate::error::Result;
use crate::lexicon::UNIT;
use crate::storage::{Container, ContainerWriter};

/// Counts from this on, in units of 2^-16 times the weight of the pair, are stored in any case: they say how many links
/// a word has. One in a hundred.
pub(in crate::model) const LEAST_LINK: f32 = 655.0;

/// What the sentence pairs of one chunk of the text added to the counts, as far as it matters.
///
/// Entries of a pair have ascending keys. With I source and J target tokens: i J + j for tokens i and j; I J + j for
/// target token j and the empty word; I J + J + i for source token i and the empty word. Where directions are apart, 2
/// (i J + j) + d for tokens i and j in direction d, and 2 I J in the place of I J.
#[derive(Debug, Clone, Default)]
pub(in crate::model) struct ChunkContributions {
    /// Where the entries of each sentence pair end.
    ends: Vec<u32>,
    /// How much the key grows, and the count in units of 2^-16, a whole count one unit short. A count of zero is no
    /// entry: only the key grows.
    entries: Vec<[u16; 2]>,
    /// The key of the last entry of the pair that is being added.
    last: usize,
    /// Whether each direction has its self-counts.
    apart: bool,
}

impl ChunkContributions {
    /// Of no pairs. `apart`: each direction has its self-counts; otherwise both have those of direction 0.
    pub(in crate::model) fn new(apart: bool) -> Self {
        Self { apart, ..Self::default() }
    }

    /// What it has, in as much memory as that takes; what it had room for stays, empty.
    pub(in crate::model) fn take(&mut self) -> Self {
        let taken = self.clone();
        self.ends.clear();
        self.entries.clear();
        taken
    }

    /// Adds what a direction counts for the tokens of the cell i J + j, to the pair after those that ended.
    #[inline(always)]
    pub(in crate::model) fn push_link(&mut self, direction: usize, cell: usize, units: u32) {
        self.push(cell * directions(self.apart) + direction, units);
    }

    /// Adds what a direction counts for a generated token and the empty word; given are the numbers of tokens.
    #[inline(always)]
    pub(in crate::model) fn push_null(
        &mut self,
        [sources, targets]: [usize; 2],
        (direction, token): (usize, usize),
        units: u32,
    ) {
        self.push(sources * targets * directions(self.apart) + direction * targets + token, units);
    }

    #[inline(always)]
    fn push(&mut self, key: usize, units: u32) {
        const MOST: usize = u16::MAX as usize;
        let mut growth = key - self.last;
        while growth > MOST {
            self.entries.push([u16::MAX, 0]);
            growth -= MOST;
        }
        self.entries.push([growth as u16, units.min(u32::from(u16::MAX)) as u16]);
        self.last = key;
    }

    /// Ends the list of the pair that entries were added to.
    #[inline(always)]
    pub(in crate::model) fn end_pair(&mut self) {
        self.ends.push(self.entries.len() as u32);
        self.last = 0;
    }

    /// Adds chunks to a file.
    pub(in crate::model) fn store<'c>(chunks: impl Iterator<Item = &'c Self> + Clone, file: &mut ContainerWriter<'_>) {
        let lengths: Vec<[u64; 2]> =
            chunks.clone().map(|chunk| [chunk.ends.len() as u64, chunk.entries.len() as u64]).collect();
        let apart: Vec<u8> = chunks.clone().map(|chunk| u8::from(chunk.apart)).collect();
        let ends: Vec<u32> = chunks.clone().flat_map(|chunk| &chunk.ends).copied().collect();
        let entries: Vec<[u16; 2]> = chunks.flat_map(|chunk| &chunk.entries).copied().collect();
        file.add_owned("contributions.lengths", lengths);
        file.add_owned("contributions.apart", apart);
        file.add_owned("contributions.ends", ends);
        file.add_owned("contributions.entries", entries);
    }

    /// As many chunks from a file.
    ///
    /// # Errors
    /// `Model` if arrays are missing, or contradict each other.
    pub(in crate::model) fn load(file: &Container, chunks: usize) -> Result<Vec<Self>> {
        let lengths: Vec<[u64; 2]> = file.section_of("contributions.lengths", chunks)?;
        let apart: Vec<u8> = file.section_of("contributions.apart", chunks)?;
        let (all_ends, all_entries) = (file.section("contributions.ends")?, file.section("contributions.entries")?);
        let (mut ends, mut entries) = (&all_ends[..], &all_entries[..]);
        let mut read = Vec::with_capacity(chunks);
        for (&[pairs, length], &apart) in lengths.iter().zip(apart.iter()) {
            let taken = ends.split_off(..pairs as usize).zip(entries.split_off(..length as usize));
            let sound = taken.filter(|(ends, entries)| {
                ends.is_sorted() && ends.last().is_none_or(|&end| end as usize == entries.len())
            });
            let Some((ends, entries)) = sound else {
                return Err(file.error("`contributions` that agree with each other".to_owned(), "others".to_owned()));
            };
            read.push(Self { ends: ends.to_vec(), entries: entries.to_vec(), last: 0, apart: apart != 0 });
        }
        Ok(read)
    }

    /// The entries of a pair by its place in the chunk.
    #[inline(always)]
    pub(in crate::model) fn of_pair(&self, place: usize) -> Entries<'_> {
        let start = if place == 0 { 0 } else { self.ends[place - 1] as usize };
        Entries { entries: &self.entries[start..self.ends[place] as usize], apart: self.apart }
    }
}

/// How many directions have entries of their own.
#[inline(always)]
fn directions(apart: bool) -> usize {
    1 + usize::from(apart)
}

/// What all sentence pairs added to the counts of a pass.
#[derive(Debug, Clone, Default)]
pub(in crate::model) struct Contributions {
    chunks: Vec<(Range<usize>, ChunkContributions)>,
}

impl Contributions {
    /// Chunks in order, with the numbers of their pairs.
    pub(in crate::model) fn new(chunks: Vec<(Range<usize>, ChunkContributions)>) -> Self {
        Self { chunks }
    }

    /// The chunks in order.
    pub(in crate::model) fn into_chunks(self) -> impl Iterator<Item = ChunkContributions> {
        self.chunks.into_iter().map(|(_, chunk)| chunk)
    }

    /// The entries of the `n`-th pair; nothing if the text had no such pair.
    pub(in crate::model) fn of_pair(&self, n: usize) -> Entries<'_> {
        let chunk = self.chunks.partition_point(|(pairs, _)| pairs.end <= n);
        self.chunks.get(chunk).map_or_else(Entries::default, |(pairs, chunk)| chunk.of_pair(n - pairs.start))
    }
}

/// What one sentence pair added.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::model) struct Entries<'a> {
    entries: &'a [[u16; 2]],
    apart: bool,
}

impl<'a> Entries<'a> {
    /// The entries as they are stored.
    pub(super) fn raw(self) -> &'a [[u16; 2]] {
        self.entries
    }

    /// Entries as they were stored; nothing if they are not those of a pair with so many tokens.
    pub(super) fn of_raw(entries: &'a [[u16; 2]], apart: bool, [sources, targets]: [usize; 2]) -> Option<Self> {
        let last: usize = entries.iter().map(|&[growth, _]| usize::from(growth)).sum();
        let keys = sources * targets * directions(apart) + sources + targets;
        (last < keys).then_some(Self { entries, apart })
    }

    /// Whether each direction has its self-counts; otherwise both have those of direction 0.
    #[inline(always)]
    pub(in crate::model) fn apart(self) -> bool {
        self.apart
    }

    /// The direction, source token, target token and units, by ascending tokens; given are the numbers of tokens.
    #[inline(always)]
    pub(in crate::model) fn links(
        self,
        [sources, targets]: [usize; 2],
    ) -> impl Iterator<Item = (usize, [usize; 2], u16)> + 'a {
        let directions = directions(self.apart);
        self.iter().filter(move |&(key, _)| key < sources * targets * directions).map(move |(key, units)| {
            let (cell, direction) = if self.apart { (key / 2, key % 2) } else { (key, 0) };
            (direction, [cell / targets, cell % targets], units)
        })
    }

    /// The links of a direction that are likely, and how much each of them counts; given is the weight of the pair.
    #[inline(always)]
    pub(in crate::model) fn likely(
        self,
        direction: usize,
        lengths: [usize; 2],
        weight: f32,
    ) -> impl Iterator<Item = ([usize; 2], f32)> + 'a {
        let direction = if self.apart { direction } else { 0 };
        self.links(lengths).filter_map(move |(of, tokens, units)| {
            let units = f32::from(units);
            (of == direction && units >= LEAST_LINK * weight).then_some((tokens, units / UNIT / weight))
        })
    }

    /// The empty word: the direction, the generated token and units.
    #[inline(always)]
    pub(in crate::model) fn nulls(
        self,
        [sources, targets]: [usize; 2],
    ) -> impl Iterator<Item = (usize, usize, u16)> + 'a {
        self.iter().filter_map(move |(key, units)| {
            let token = key.checked_sub(sources * targets * directions(self.apart))?;
            Some(if token < targets { (0, token, units) } else { (1, token - targets, units) })
        })
    }

    #[inline(always)]
    fn iter(self) -> impl Iterator<Item = (usize, u16)> + 'a {
        let mut key = 0;
        self.entries.iter().filter_map(move |&[growth, units]| {
            key += usize::from(growth);
            (units != 0).then_some((key, units))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back_however_far_apart() {
        let (sources, targets) = (400, 1000);
        let links = [(0, 0, 1), (0, 999, 70_000), (3, 2, 655), (399, 999, 9)];
        let nulls = [(0, 0, 5), (0, 999, 6), (1, 0, 7), (1, 399, 8)];
        let mut chunk = ChunkContributions::default();
        chunk.end_pair();
        for (s, t, units) in links {
            chunk.push_link(0, s * targets + t, units);
        }
        for (direction, token, units) in nulls {
            chunk.push_null([sources, targets], (direction, token), units);
        }
        chunk.end_pair();
        chunk.end_pair();
        let contributions = Contributions::new(vec![(0..3, chunk)]);
        let entries = contributions.of_pair(1);
        let expected = links.map(|(s, t, units)| (0, [s, t], units.min(65_535) as u16));
        assert_eq!(entries.links([sources, targets]).collect::<Vec<_>>(), expected);
        let expected = nulls.map(|(direction, token, units)| (direction, token, units as u16));
        assert_eq!(entries.nulls([sources, targets]).collect::<Vec<_>>(), expected);
        for n in [0, 2, 3, 100] {
            assert_eq!(contributions.of_pair(n).links([sources, targets]).count(), 0);
        }
    }

    #[test]
    fn directions_apart_have_entries_of_their_own() {
        let lengths = [300, 500];
        let links =
            [(0, [0, 0], 65_536), (1, [0, 0], 2), (1, [0, 499], 32_768), (0, [7, 3], 16_384), (1, [299, 499], 9)];
        let nulls = [(0, 0, 5), (0, 499, 6), (1, 0, 7), (1, 299, 8)];
        let mut chunk = ChunkContributions::new(true);
        for (direction, [s, t], units) in links {
            chunk.push_link(direction, s * lengths[1] + t, units);
        }
        for (direction, token, units) in nulls {
            chunk.push_null(lengths, (direction, token), units);
        }
        chunk.end_pair();
        let taken = chunk.take();
        let entries = taken.of_pair(0);
        let expected = links.map(|(direction, tokens, units)| (direction, tokens, units.min(65_535) as u16));
        assert_eq!(entries.links(lengths).collect::<Vec<_>>(), expected);
        let expected = nulls.map(|(direction, token, units)| (direction, token, units as u16));
        assert_eq!(entries.nulls(lengths).collect::<Vec<_>>(), expected);
        let likely = |direction| entries.likely(direction, lengths, 0.5).collect::<Vec<_>>();
        assert_eq!(likely(0), [([0, 0], 2.0 * 65_535.0 / 65_536.0), ([7, 3], 0.5)]);
        assert_eq!(likely(1), [([0, 499], 1.0)]);
        chunk.push_link(1, 0, 3);
        chunk.end_pair();
        assert_eq!(chunk.of_pair(0).links(lengths).collect::<Vec<_>>(), [(1, [0, 0], 3)]);
    }

    #[test]
    fn directions_that_agree_have_the_same_links() {
        let mut chunk = ChunkContributions::new(false);
        chunk.push_link(0, 4, 16_384);
        chunk.end_pair();
        for direction in [0, 1] {
            assert_eq!(chunk.of_pair(0).likely(direction, [2, 3], 1.0).collect::<Vec<_>>(), [([1, 1], 0.25)]);
        }
    }
}
