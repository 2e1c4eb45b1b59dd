//! From pairs to lines of output, in parallel and in order.
//!
//! A thread writes what is found of the pairs of a chunk to memory, once for all outputs, and the chunks are written in
//! order. Memory is bounded by a few chunks a thread.

use alinea::align::{Collector, Finder, Found, chunks_of, decode};
use alinea::error::Result;
use alinea::format::bitext::KeptText;
use alinea::parallel::Work;

use super::encode::{Encoder, Writers, lines_of};
use super::outputs::Outputs;
use super::plan::Plan;

/// Pairs of the text, and what is known of their lines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part<'a> {
    /// How many pairs stand before them.
    pub(super) before: usize,
    /// The lines as they were, where the format shows words.
    pub(super) text: Option<&'a KeptText>,
    /// The pairs, in order, that were skipped for their length.
    pub(super) skipped: &'a [usize],
}

/// Finds what is wanted of all pairs, given the lengths of their sides, and writes it; returns the number of links.
pub(super) fn write_part<F: Finder + Send>(
    part: Part<'_>,
    lengths: impl ExactSizeIterator<Item = [usize; 2]>,
    finder: impl Fn() -> F + Sync + Send,
    plan: &Plan,
    outputs: &mut Outputs,
    work: Work<'_>,
) -> Result<u64> {
    let mut all = 0;
    let start = || Ok(ChunkWriter { part, encoder: Encoder::new(plan), writers: Writers::new(plan)? });
    let end = |ChunkWriter { writers, .. }: ChunkWriter<'_>| {
        let (lines, links) = writers.into_lines();
        all += links;
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
        let Self { part: Part { before, text, skipped }, encoder, writers } = self;
        let lines = text.map(|text| lines_of(text, skipped, n));
        let place = *before + n;
        encoder.write((place as u64 + 1, lines), &found, writers)
    }
}
