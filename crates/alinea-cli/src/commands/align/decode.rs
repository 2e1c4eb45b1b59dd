//! From pairs to lines of output, in parallel and in order.
//!
//! The text is cut into chunks of about as many cells; a thread decodes a chunk into bytes, once for all outputs, and
//! the chunks are written in order. Memory is bounded by a few chunks a thread.

use std::ops::Range;

use alinea::alignment::Alignment;
use alinea::bitext::{RankedBitext, SentencePair};
use alinea::error::Result;
use alinea::format::bitext::KeptText;
use alinea::model::ibm::{IbmAligner, IbmWorker};
use alinea::model::{Aligner, Worker};
use alinea::parallel::Parallelism;
use alinea::progress::Observer;

use super::encode::{Encoder, Found, Writers, lines_of};
use super::outputs::{Kind, Lines, Outputs};
use super::plan::Plan;

/// The most pairs and cells of a chunk.
const CHUNK_PAIRS: usize = 1000;
const CHUNK_CELLS: usize = 1 << 19;

/// What is decoded, and how.
#[derive(Debug, Clone, Copy)]
pub(super) struct Work<'a> {
    pub(super) model: Trained<'a>,
    pub(super) bitext: &'a RankedBitext,
    /// How many pairs of it are aligned, from the first; the rest is only learned from.
    pub(super) pairs: usize,
    /// The lines as they were, where the format shows words.
    pub(super) text: Option<&'a KeptText>,
    /// The pairs, in order, that were skipped for their length.
    pub(super) skipped: &'a [usize],
    pub(super) plan: &'a Plan,
}

/// What was trained.
#[derive(Debug, Clone, Copy)]
pub(super) enum Trained<'a> {
    /// A model of both directions, whose posteriors are known.
    Together(&'a Aligner),
    /// A chain of models for each direction.
    Chains(&'a IbmAligner),
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
    finder: Finder<'a>,
    encoder: Encoder<'a>,
}

/// What finds a pair's links.
enum Finder<'a> {
    Together(Box<Worker<'a>>),
    Chains(&'a IbmAligner, Box<IbmWorker<'a>>),
}

impl<'a> Decoder<'a> {
    fn new(work: Work<'a>) -> Self {
        let finder = match work.model {
            Trained::Together(aligner) => {
                let worker = aligner.worker();
                Finder::Together(Box::new(if work.plan.wants(Kind::Scores) { worker.judging() } else { worker }))
            }
            Trained::Chains(aligner) => Finder::Chains(aligner, Box::new(aligner.worker(work.bitext))),
        };
        Self { work, finder, encoder: Encoder::new(work.plan) }
    }

    fn chunk(&mut self, pairs: Range<usize>, keep: usize) -> Result<Chunk> {
        let Self { work: Work { bitext, text, skipped, plan, .. }, finder, encoder } = self;
        let mut writers = Writers::new(plan)?;
        let mut first = Vec::new();
        let mut ahead = pairs.clone().map(|n| bitext.pair(n));
        ahead.by_ref().take(Worker::AHEAD).for_each(|pair| finder.announce(pair));
        for n in pairs {
            if let Some(announced) = ahead.next() {
                finder.announce(announced);
            }
            let found = finder.find(n, bitext.pair(n), plan);
            let lines = text.map(|text| lines_of(text, skipped, n));
            first.extend(encoder.write((n as u64 + 1, lines), found, n < keep, &mut writers)?);
        }
        let (lines, links) = writers.into_lines();
        Ok(Chunk { lines, links, first })
    }
}

impl Finder<'_> {
    /// Says that a pair comes soon.
    fn announce(&mut self, pair: SentencePair<'_>) {
        match self {
            Self::Together(worker) => worker.announce(pair),
            Self::Chains(..) => {}
        }
    }

    /// What is known of the `n`-th pair.
    fn find(&mut self, n: usize, pair: SentencePair<'_>, plan: &Plan) -> Found<'_> {
        match self {
            Self::Together(worker) => {
                let asked = worker.trained(n);
                if !plan.needs_paths() {
                    return (asked.posteriors(pair), <[Alignment; 2]>::default());
                }
                let (posteriors, paths) = asked.posteriors_and_viterbi(pair).unzip();
                (posteriors, paths.unwrap_or_default())
            }
            Self::Chains(aligner, worker) => {
                let posteriors = if plan.needs_posteriors() { worker.posteriors(n) } else { None };
                (posteriors, aligner.paths(n))
            }
        }
    }
}
