//! From pairs to lines of output, in parallel and in order.
//!
//! The text is cut into chunks of about as many cells; a thread decodes a chunk into bytes, once for all outputs, and
//! the chunks are written in order. Memory is bounded by a few chunks a thread.

use std::io::Write as _;
use std::ops::Range;

use alinea::alignment::{Alignment, WeightedLink};
use alinea::bitext::RankedBitext;
use alinea::error::Result;
use alinea::format::alignment::{
    AlignmentFormat, AlignmentWriter, LinkKind, LinkRecord, LinkWriteOptions, PairRecord, TokenList,
};
use alinea::format::bitext::KeptText;
use alinea::format::tokens::{self, TokenSpan, Tokenize};
use alinea::model::{Aligner, Posteriors, Worker};
use alinea::parallel::Parallelism;
use alinea::progress::Observer;
use alinea::symmetrize::Symmetrizer;

use super::outputs::{FormatName, Kind, Lines, Outputs};
use super::plan::{LinkChoice, Plan};

/// The most pairs and cells of a chunk.
const CHUNK_PAIRS: usize = 1000;
const CHUNK_CELLS: usize = 1 << 19;

/// The least confidence that `--posteriors` writes, and the decimals of confidences and scores.
const LEAST_POSTERIOR: f32 = 0.01;
const DIGITS: usize = 4;

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
struct Chunk {
    lines: Lines,
    links: u64,
    first: Vec<Alignment>,
}

/// How two directions become links.
enum Joining {
    Threshold(f32),
    Paths(Symmetrizer),
}

/// One thread.
struct Decoder<'a> {
    work: Work<'a>,
    worker: Worker<'a>,
    joining: Joining,
    record: PairRecord,
    spans: Vec<TokenSpan>,
}

impl<'a> Decoder<'a> {
    fn new(work: Work<'a>) -> Self {
        let joining = match work.plan.links {
            LinkChoice::Paths(method) => Joining::Paths(Symmetrizer::new(method)),
            LinkChoice::Threshold(threshold) => Joining::Threshold(threshold),
        };
        let worker = work.aligner.worker();
        Self { work, worker, joining, record: PairRecord::default(), spans: Vec::new() }
    }

    fn chunk(&mut self, pairs: Range<usize>, keep: usize) -> Result<Chunk> {
        let Self { work: Work { bitext, text, skipped, plan, .. }, worker, joining, record, spans, .. } = self;
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
            let paths = paths.unwrap_or_default();
            record.clear();
            record.number = n as u64 + 1;
            if let Some(posteriors) = posteriors {
                match joining {
                    Joining::Threshold(threshold) => fill(record, posteriors.weighted_links(*threshold)),
                    Joining::Paths(symmetrizer) => {
                        let weighted = |link| WeightedLink { link, weight: posteriors.mean(link) };
                        fill(record, symmetrizer.symmetrize(&paths[0], &paths[1]).iter().map(weighted));
                    }
                }
            }
            if n < keep {
                first.push(record.alignment());
            }
            if let Some(text) = text {
                let skipped = skipped.binary_search(&n).is_ok();
                let lines = if skipped { [""; 2] } else { [text.source.line(n), text.target.line(n)] };
                show_words(record, lines, plan.read.tokenize, spans);
            }
            writers.write(record, posteriors, &paths, plan)?;
        }
        let (lines, links) = writers.into_lines();
        Ok(Chunk { lines, links, first })
    }
}

fn fill(record: &mut PairRecord, links: impl IntoIterator<Item = WeightedLink>) {
    let links = links.into_iter();
    record.links.clear();
    record.links.extend(links.map(|WeightedLink { link, weight }| LinkRecord {
        link,
        kind: LinkKind::Sure,
        weight: Some(weight),
    }));
}

/// The words of two lines as they were written, and where they stood.
fn show_words(record: &mut PairRecord, lines: [&str; 2], tokenize: Tokenize, spans: &mut Vec<TokenSpan>) {
    let [source, target] = lines;
    (record.source, record.source_offsets) = words(source, tokenize, spans);
    (record.target, record.target_offsets) = words(target, tokenize, spans);
}

/// The words of a line as they were written; and where they stood, if the line was cut here.
fn words(line: &str, tokenize: Tokenize, spans: &mut Vec<TokenSpan>) -> (Option<TokenList>, Option<Vec<[u32; 2]>>) {
    tokens::spans(line, tokenize, spans);
    let words = spans.iter().map(|span| &line[span.bytes.clone()]).collect();
    let places = spans.iter().map(|span| [span.chars.start as u32, span.chars.end as u32]);
    (Some(words), (tokenize == Tokenize::Unicode).then(|| places.collect()))
}

/// Writers to memory, one for each kind of output.
struct Writers {
    links: AlignmentWriter<Vec<u8>>,
    forward: AlignmentWriter<Vec<u8>>,
    reverse: AlignmentWriter<Vec<u8>>,
    posteriors: AlignmentWriter<Vec<u8>>,
    scores: Vec<u8>,
}

impl Writers {
    fn new(plan: &Plan) -> Result<Self> {
        let writer = |format: AlignmentFormat, digits: Option<usize>| {
            let options = LinkWriteOptions { digits, ..LinkWriteOptions::default() };
            AlignmentWriter::new(Vec::new(), "<memory>", format, &options)
        };
        Ok(Self {
            links: match plan.format {
                FormatName::Pharaoh => writer(AlignmentFormat::Pharaoh, None)?,
                FormatName::Jsonl => writer(AlignmentFormat::JsonLines, Some(DIGITS))?,
            },
            forward: writer(AlignmentFormat::Pharaoh, None)?,
            reverse: writer(AlignmentFormat::Pharaoh, None)?,
            posteriors: writer(AlignmentFormat::Pharaoh, Some(DIGITS))?,
            scores: Vec::new(),
        })
    }

    /// Writes the record, and what else is wanted of the pair; the record's links are used up.
    fn write(
        &mut self,
        record: &mut PairRecord,
        posteriors: Option<Posteriors<'_>>,
        [forward, reverse]: &[Alignment; 2],
        plan: &Plan,
    ) -> Result<()> {
        self.links.write(record)?;
        for (kind, writer, path) in
            [(Kind::Forward, &mut self.forward, forward), (Kind::Reverse, &mut self.reverse, reverse)]
        {
            if plan.wants(kind) {
                fill(record, path.iter().map(|link| WeightedLink { link, weight: 1.0 }));
                writer.write(record)?;
            }
        }
        if plan.wants(Kind::Posteriors) {
            fill(record, posteriors.iter().flat_map(|posteriors| posteriors.weighted_links(LEAST_POSTERIOR)));
            self.posteriors.write(record)?;
        }
        if plan.wants(Kind::Scores) {
            if let Some(posteriors) = posteriors {
                let [forward, reverse] = posteriors.scores().map(rounded);
                // Writing to memory cannot fail.
                let _ = write!(self.scores, "{forward:.DIGITS$}\t{reverse:.DIGITS$}");
            }
            self.scores.push(b'\n');
        }
        Ok(())
    }

    /// The lines, in the order of [`Kind`], and the number of links.
    fn into_lines(self) -> (Lines, u64) {
        let links = self.links.report().links;
        let Self { links: writer, forward, reverse, posteriors, scores } = self;
        let lines = [writer.into_inner(), forward.into_inner(), reverse.into_inner(), posteriors.into_inner(), scores];
        (lines, links)
    }
}

/// So that nothing is written as `-0.0000`.
fn rounded(score: f64) -> f64 {
    let unit = 10f64.powi(DIGITS as i32);
    (score * unit).round() / unit + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_no_sign() {
        assert_eq!(format!("{:.DIGITS$}", rounded(-0.000_01)), "0.0000");
        assert_eq!(format!("{:.DIGITS$}", rounded(-1.234_56)), "-1.2346");
    }
}
