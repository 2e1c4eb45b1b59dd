//! From pairs to lines of output, in parallel and in order.
//!
//! The text is cut into chunks of about as many cells; a thread decodes a chunk into bytes, once for all outputs, and
//! the chunks are written in order. Memory is bounded by a few chunks a thread.

use std::ops::Range;

use alinea::alignment::Alignment;
use alinea::bitext::RankedBitext;
use alinea::error::Result;
use alinea::format::bitext::KeptText;
use alinea::model::{Aligner, Worker};
use alinea::parallel::Parallelism;
use alinea::progress::Observer;

use super::encode::{Encoder, Writers, lines_of};
use super::outputs::{Lines, Outputs};
use super::plan::Plan;

/// The most pairs and cells of a chunk.
const CHUNK_PAIRS: usize = 1000;
const CHUNK_CELLS: usize = 1 << 19;

/// What is decoded, and how.
#[derive(Debug, Clone, Copy)]
pub(super) struct Work<'a> {
    pub(super) aligner: &'a Aligner,
    pub(super) bitext: &'a RankedBitext,
    /// How many pairs of it are aligned, from the first; the rest is only learned from.
    pub(super) pairs: usize,
    /// The lines as they were, where the format shows words.
    pub(super) text: Option<&'a KeptText>,
    /// The pairs, in order, that were skipped for their length.
    pub(super) skipped: &'a [usize],
    pub(super) plan: &'a Plan,
}

/// What was decoded.
#[derive(Debug, Default)]
pub(super) struct Decoded {
    /// The links of all pairs.
    pub(super) links: u64,
    /// The links of the first pairs.
    pub(super) first: Vec<Alignment>,
}

/// Decodes all pairs and writes them; keeps the links of the first `keep` pairs.
pub(super) fn decode(
    work: &Work<'_>,
    keep: usize,
    outputs: &mut Outputs,
    parallelism: &Parallelism,
    observer: &dyn Observer,
) -> Result<Decoded> {
    let chunks = chunks(work.bitext, work.pairs);
    let mut decoded = Decoded::default();
    observer.started("aligning", work.pairs as u64);
    let start = || Decoder::new(*work);
    let map = |decoder: &mut Decoder<'_>, chunk: usize| {
        let pairs = chunks[chunk].clone();
        let result = decoder.chunk(pairs.clone(), keep)?;
        observer.advance(pairs.len() as u64);
        Ok(result)
    };
    parallelism.map_ordered(chunks.len(), start, map, |chunk: Chunk| {
        decoded.links += chunk.links;
        decoded.first.extend(chunk.first);
        outputs.write(&chunk.lines)
    })?;
    observer.finished(&format!("{} links", decoded.links));
    Ok(decoded)
}

fn chunks(bitext: &RankedBitext, pairs: usize) -> Vec<Range<usize>> {
    let mut chunks = Vec::new();
    let (mut start, mut cells) = (0, 0);
    for n in 0..pairs {
        let pair = bitext.pair(n);
        cells += pair.source.len() * pair.target.len();
        if cells >= CHUNK_CELLS || n + 1 - start >= CHUNK_PAIRS || n + 1 == pairs {
            chunks.push(start..n + 1);
            (start, cells) = (n + 1, 0);
        }
    }
    chunks
}

/// Lines for the pairs of one chunk.
pub(super) struct Chunk {
    pub(super) lines: Lines,
    pub(super) links: u64,
    /// The links that are to be kept.
    pub(super) first: Vec<Alignment>,
}

/// One thread.
struct Decoder<'a> {
    work: Work<'a>,
    worker: Worker<'a>,
    encoder: Encoder<'a>,
}

impl<'a> Decoder<'a> {
    fn new(work: Work<'a>) -> Self {
        Self { work, worker: work.aligner.worker(), encoder: Encoder::new(work.plan) }
    }

    fn chunk(&mut self, pairs: Range<usize>, keep: usize) -> Result<Chunk> {
        let Self { work: Work { bitext, text, skipped, plan, .. }, worker, encoder } = self;
        let mut writers = Writers::new(plan)?;
        let mut first = Vec::new();
        let mut ahead = pairs.clone().map(|n| bitext.pair(n));
        ahead.by_ref().take(Worker::AHEAD).for_each(|pair| worker.announce(pair));
        for n in pairs {
            let pair = bitext.pair(n);
            if let Some(announced) = ahead.next() {
                worker.announce(announced);
            }
            let (posteriors, paths) = if plan.needs_paths() {
                worker.trained(n).posteriors_and_viterbi(pair).unzip()
            } else {
                (worker.trained(n).posteriors(pair), None)
            };
            let lines = text.map(|text| lines_of(text, skipped, n));
            let found = (posteriors, paths.unwrap_or_default());
            first.extend(encoder.write((n as u64 + 1, lines), found, n < keep, &mut writers)?);
        }
        let (lines, links) = writers.into_lines();
        Ok(Chunk { lines, links, first })
    }
}
