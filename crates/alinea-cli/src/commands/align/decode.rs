//! From pairs to lines of output, in parallel and in order.
//!
//! A thread writes what is found of the pairs of a chunk to memory, once for all outputs, and the chunks are written in
//! order. Memory is bounded by a few chunks a thread.

use alinea::align::{Collector, Finder, Found, chunks_of, decode};
use alinea::error::Result;
use alinea::format::bitext::KeptText;
use alinea::parallel::Work;

use super::encode::{Encoder, PairLines, Writers};
use super::outputs::Outputs;
use super::plan::Plan;
use crate::input::tokens::{PlacedLine, TokenReport, TokenText};

/// Pairs of the text, and what is known of their lines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part<'a> {
    /// How many pairs stand before them.
    pub(super) before: usize,
    /// The lines as they were, where the format shows words, or links count other tokens.
    pub(super) text: Option<&'a KeptText>,
    /// The other tokens.
    pub(super) tokens: Option<&'a TokenText>,
    /// The names of the files of both sides.
    pub(super) names: [&'a str; 2],
    /// Whether both sides are in lines of one file.
    pub(super) is_joint: bool,
    /// The pairs, in order, that were skipped for their length.
    pub(super) skipped: &'a [usize],
}

impl<'a> Part<'a> {
    /// The lines of the `n`-th pair.
    fn lines(&self, n: usize) -> PairLines<'a> {
        let skipped = self.skipped.binary_search(&n).is_ok();
        let Some(text) = self.text.filter(|_| !skipped) else { return PairLines::default() };
        let number = (self.before + n) as u64 + 1;
        let placed = |side: usize| {
            let line = if side == 0 { text.source.line(n) } else { text.target.line(n) };
            Some(PlacedLine { line, name: self.names[side], number, is_whole: !self.is_joint })
        };
        let tokens = |side: usize| self.tokens.and_then(|tokens| tokens.line(side, n));
        PairLines { text: [0, 1].map(placed), tokens: [0, 1].map(tokens) }
    }
}

/// What was written of some pairs.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Written {
    pub(super) links: u64,
    /// What was left out because of tokens.
    pub(super) tokens: TokenReport,
}

impl Written {
    /// Adds what was written of others.
    pub(super) fn add(&mut self, other: Self) {
        self.links += other.links;
        self.tokens.add(other.tokens);
    }
}

/// Finds what is wanted of all pairs, given the lengths of their sides, and writes it.
pub(super) fn write_part<F: Finder + Send>(
    part: Part<'_>,
    lengths: impl ExactSizeIterator<Item = [usize; 2]> + Clone,
    finder: impl Fn() -> F + Sync + Send,
    plan: &Plan,
    outputs: &mut Outputs,
    work: Work<'_>,
) -> Result<Written> {
    let mut all = Written::default();
    let start = || Ok(ChunkWriter { part, encoder: Encoder::new(plan), writers: Writers::new(plan)? });
    let end = |ChunkWriter { encoder, writers, .. }: ChunkWriter<'_>| {
        let (lines, links) = writers.into_lines();
        all.add(Written { links, tokens: encoder.left_out() });
        outputs.write(&lines)
    };
    decode(&chunks_of(lengths), finder, start, end, work)?;
    Ok(all)
}

/// Writes the pairs of one chunk to memory.
struct ChunkWriter<'a> {
    part: Part<'a>,
    encoder: Encoder<'a>,
    writers: Writers,
}

impl Collector for ChunkWriter<'_> {
    fn take(&mut self, n: usize, found: Found<'_>) -> Result<()> {
        let Self { part, encoder, writers } = self;
        let number = (part.before + n) as u64 + 1;
        encoder.write(part.lines(n), number, &found, writers)
    }
}
