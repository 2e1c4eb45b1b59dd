//! What each sentence pair added to the counts of a pass, as far as it matters: sparse lists, in chunks of the text.

use std::ops::Range;

use crate::lexicon::UNIT;

/// Counts from this on, in units of 2^-16, are stored in any case: they say how many links a word has. One in a hundred.
pub(in crate::model) const LEAST_LINK: u32 = (UNIT / 100.0) as u32;

/// What the sentence pairs of one chunk of the text added to the counts, as far as it matters.
#[derive(Debug, Clone, Default)]
pub(in crate::model) struct ChunkContributions {
    /// Where the entries of each sentence pair end.
    ends: Vec<u32>,
    /// With I source and J target tokens: i J + j for tokens i and j; I J + j for target token j and the empty word;
    /// I J + J + i for source token i and the empty word.
    keys: Vec<u32>,
    /// Counts in units of 2^-16; a whole count is one unit short.
    units: Vec<u16>,
}

impl ChunkContributions {
    #[inline(always)]
    pub(in crate::model) fn push(&mut self, key: usize, units: u32) {
        self.keys.push(key as u32);
        self.units.push(units.min(u32::from(u16::MAX)) as u16);
    }

    /// Ends the lists of all pairs of the chunk up to this one, from 0, excluded.
    #[inline(always)]
    pub(in crate::model) fn end_pairs(&mut self, before: usize) {
        self.ends.resize(before, self.keys.len() as u32);
    }

    /// Without room for more.
    pub(in crate::model) fn shrunk(mut self) -> Self {
        self.ends.shrink_to_fit();
        self.keys.shrink_to_fit();
        self.units.shrink_to_fit();
        self
    }
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

    /// The entries of the `n`-th pair; nothing if the text had no such pair.
    pub(in crate::model) fn of_pair(&self, n: usize) -> Entries<'_> {
        let chunk = self.chunks.partition_point(|(pairs, _)| pairs.end <= n);
        let Some((pairs, chunk)) = self.chunks.get(chunk) else {
            return Entries::default();
        };
        let place = n - pairs.start;
        let start = if place == 0 { 0 } else { chunk.ends[place - 1] as usize };
        let end = chunk.ends[place] as usize;
        Entries { keys: &chunk.keys[start..end], units: &chunk.units[start..end] }
    }
}

/// What one sentence pair added.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::model) struct Entries<'a> {
    keys: &'a [u32],
    units: &'a [u16],
}

impl<'a> Entries<'a> {
    /// Source token, target token and units, by ascending tokens; given are the numbers of tokens.
    #[inline(always)]
    pub(in crate::model) fn links(
        self,
        [sources, targets]: [usize; 2],
    ) -> impl Iterator<Item = ([usize; 2], u16)> + 'a {
        self.iter()
            .filter(move |&(key, _)| key < sources * targets)
            .map(move |(key, units)| ([key / targets, key % targets], units))
    }

    /// The empty word: the direction, the generated token and units.
    #[inline(always)]
    pub(in crate::model) fn nulls(
        self,
        [sources, targets]: [usize; 2],
    ) -> impl Iterator<Item = (usize, usize, u16)> + 'a {
        self.iter().filter_map(move |(key, units)| {
            let token = key.checked_sub(sources * targets)?;
            Some(if token < targets { (0, token, units) } else { (1, token - targets, units) })
        })
    }

    #[inline(always)]
    fn iter(self) -> impl Iterator<Item = (usize, u16)> + 'a {
        self.keys.iter().map(|&key| key as usize).zip(self.units.iter().copied())
    }
}
