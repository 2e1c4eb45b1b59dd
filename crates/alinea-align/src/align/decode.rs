//! The decoding loop: what a model finds in each sentence pair, in parallel and in order.
//!
//! Pairs come in chunks that do not depend on the number of threads; [`chunks_of`] makes them of about 2^18 cells and
//! at most 250 pairs. Each thread has a [`Finder`], the buffers of a model. Each chunk has a [`Collector`], which takes
//! what was [`Found`] of its pairs and makes links, lines of output or sums of it. The caller gets the collectors in
//! the order of the chunks: so the result is the same with any number of threads, and memory is bounded by a few chunks
//! for each.
//!
//! Pairs are announced to the finder two ahead of their turn, so that the part of the lexicon that they need is fetched
//! into the cache meanwhile.

use std::ops::{Range, RangeInclusive};

use crate::alignment::Alignment;
use crate::error::Result;
use crate::model::{AHEAD, LinkRule, Posteriors};
use crate::parallel::{Work, balanced_chunks};
use crate::progress::check;

/// The most pairs of a chunk, and the cells that are enough for one.
const CHUNK_PAIRS: usize = 250;
const CHUNK_CELLS: RangeInclusive<usize> = 1 << 13..=1 << 18;

/// What is to be found of each pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wants {
    /// Posteriors of links.
    pub posteriors: bool,
    /// The best paths of both directions.
    pub paths: bool,
    /// How probable each side is, given the other; comes with the posteriors.
    pub scores: bool,
}

impl Wants {
    /// What links need: posteriors, or best paths.
    pub const fn of(rule: LinkRule) -> Self {
        let paths = matches!(rule, LinkRule::Paths(_));
        Self { posteriors: !paths, paths, scores: false }
    }
}

/// What a model says of a pair.
#[derive(Debug, Default)]
pub struct Found<'w> {
    /// The posteriors of its links; none if a side is empty, or they are not wanted.
    pub posteriors: Option<Posteriors<'w>>,
    /// The best paths, forward and reverse, as links; empty if a side is, or they are not wanted.
    pub paths: [Alignment; 2],
}

impl Found<'_> {
    /// ln P(target | source) and ln P(source | target), each divided by the number of generated words; `None` if a side is
    /// empty, or they are not wanted.
    pub fn scores(&self) -> Option<[f64; 2]> {
        self.posteriors.and_then(|posteriors| posteriors.scores())
    }
}

/// Finds what is wanted of one pair of a text after another, in one thread.
pub trait Finder {
    /// Says that a pair comes soon, after those announced before it, so that its memory can be fetched meanwhile.
    fn announce(&mut self, n: usize);

    /// What is wanted of the `n`-th pair.
    fn find(&mut self, n: usize) -> Found<'_>;
}

/// Takes what was found of the pairs of a chunk.
pub trait Collector: Send {
    /// Takes what was found of the `n`-th pair.
    ///
    /// # Errors
    /// Whatever ends the work.
    fn take(&mut self, n: usize, found: Found<'_>) -> Result<()>;
}

/// Pairs of a text in chunks, of which each thread takes one at a time.
#[derive(Debug, Clone, Copy)]
pub struct Chunks<N> {
    /// How many chunks there are.
    pub number: usize,
    /// The numbers of the pairs of a chunk, in the order in which they are visited.
    pub pairs: N,
}

/// Cuts the first pairs of a text into chunks of about as many cells, of no more than 250 pairs. Given are the lengths of
/// the sides of each pair.
pub fn chunks_of(
    lengths: impl Iterator<Item = [usize; 2]> + Clone,
) -> Chunks<impl Fn(usize) -> Range<usize> + Sync + Send> {
    let least = CHUNK_CELLS.end().div_ceil(CHUNK_PAIRS);
    let chunks = balanced_chunks(lengths.map(|[source, target]| (source * target).max(least)), CHUNK_CELLS);
    Chunks { number: chunks.len(), pairs: move |chunk: usize| chunks[chunk].clone() }
}

/// Visits the pairs of a text, chunk by chunk: each thread has a finder, each chunk a collector, and `end` gets the
/// collectors in the order of the chunks. Pairs are announced to the finder two ahead. Chunks and their order do
/// not depend on the number of threads; memory is bounded by a few chunks for each.
///
/// # Errors
/// Those of the functions; `Cancelled` if the observer says so.
pub fn decode<F: Finder + Send, C: Collector, N: Iterator<Item = usize> + Clone>(
    chunks: &Chunks<impl Fn(usize) -> N + Sync + Send>,
    finder: impl Fn() -> F + Sync + Send,
    collector: impl Fn() -> Result<C> + Sync + Send,
    end: impl FnMut(C) -> Result<()>,
    Work { parallelism, observer }: Work<'_>,
) -> Result<()> {
    let map = |finder: &mut F, chunk: usize| {
        check(observer)?;
        let mut collected = collector()?;
        let numbers = (chunks.pairs)(chunk);
        let mut ahead = numbers.clone();
        ahead.by_ref().take(AHEAD).for_each(|n| finder.announce(n));
        let mut visited = 0;
        for n in numbers {
            if let Some(announced) = ahead.next() {
                finder.announce(announced);
            }
            collected.take(n, finder.find(n))?;
            visited += 1;
        }
        observer.advance(visited);
        Ok(collected)
    };
    parallelism.map_ordered(chunks.number, finder, map, end)
}
