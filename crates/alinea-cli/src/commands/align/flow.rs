//! Text that flows through a model from a file.
//!
//! Pairs are read a batch at a time, cut into chunks that threads decode, and written in order before the next batch is
//! read: memory does not depend on how much text there is.

use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use alinea::alignment::Alignment;
use alinea::bitext::Bitext;
use alinea::error::Result;
use alinea::format::bitext::{BitextStream, ReadBitext, ReadReport};
use alinea::model::{Model, ModelWorker};
use alinea::parallel::{Parallelism, chunk_range};
use alinea::progress::check;
use anyhow::bail;

use super::args::{Args, Threshold};
use super::decode::Chunk;
use super::encode::{Encoder, Writers, lines_of};
use super::gold::Gold;
use super::outputs::{Kind, Outputs};
use super::plan::Plan;
use super::summary::{Summary, Times};
use crate::commands::{Status, text};
use crate::context::Context;
use crate::failure;

/// The pairs of a chunk, and how many of them there are in a batch for each thread.
const CHUNK_PAIRS: usize = 250;
const CHUNKS_PER_THREAD: usize = 8;

/// A text with a greater share of unknown words, on the side that has more of them, is probably of other languages than
/// the model.
const SUSPICIOUS: f64 = 0.2;

/// Aligns with the model in a file.
pub(super) fn run(args: &Args, path: &Path, context: &Context) -> anyhow::Result<Status> {
    let start = Instant::now();
    if args.threshold == Some(Threshold::Auto) || args.objective.is_some() {
        bail!("--threshold auto looks at the whole text before it begins: with --model-file only if there is --adapt");
    }
    if let Some(option) = args.training.known.given() {
        bail!("{option} is for training: with --model-file only if there is --adapt");
    }
    args.check_paths()?;
    args.text.check_columns(false)?;
    let model = Model::open(path)?;
    let opened = start.elapsed();
    let plan = Plan::new(args, model.config().clone(), model.form())?;
    let parallelism = context.parallelism()?;
    let gold = args.gold.as_deref().map(|path| Gold::read(path, args.annotated_only)).transpose()?;
    let mut outputs = Outputs::create(&args.outputs)?;
    let mut stream = BitextStream::open(&args.text.source(), &plan.read)?;

    let observer = context.observer();
    observer.started("aligning", 0);
    let mut flow = Flow::new(&model, &plan, gold.as_ref().map_or(0, Gold::len));
    let batch = if args.line_buffered { 1 } else { CHUNK_PAIRS * CHUNKS_PER_THREAD * parallelism.threads() };
    while let Some(read) = stream.next(batch).map_err(|error| failure::advise(error, text::advice))? {
        check(observer)?;
        let pairs = read.bitext.len() as u64;
        if flow.report.pairs == 0 {
            warn_of_unknown_words(&model, &read.bitext, context);
        }
        if let Some(gold) = &gold {
            gold.links.check_part(flow.report.pairs as usize, &read.bitext)?;
        }
        flow.batch(&read, &mut outputs, &parallelism)?;
        if args.line_buffered {
            outputs.flush()?;
        }
        observer.advance(pairs);
    }
    let Flow { report, tokens, cut, links, first, .. } = flow;
    if let Some(gold) = &gold {
        gold.links.check_length(report.pairs as usize)?;
    }
    outputs.finish()?;
    observer.finished(&format!("{links} links"));
    text::warn(&report, plan.read.tokenize, context);
    let times = Times { read: opened, train: Duration::ZERO, align: start.elapsed().saturating_sub(opened) };
    let signature = format!("{}|frozen", model.signature());
    Summary {
        report: &report,
        tokens,
        added: &[],
        cut,
        known: Vec::new(),
        links,
        plan: &plan,
        signature: &signature,
        times,
    }
    .tell(context);
    if let Some(gold) = gold {
        context.answer(gold.evaluate(&first)?);
    }
    Ok(Status::Success)
}

/// The text so far.
struct Flow<'a> {
    model: &'a Model,
    plan: &'a Plan,
    /// How many pairs from the first have their links kept.
    keep: usize,
    report: ReadReport,
    tokens: [usize; 2],
    /// How many pairs were aligned in stretches.
    cut: usize,
    links: u64,
    first: Vec<Alignment>,
    /// Workers that wait for the next chunk.
    idle: Mutex<Vec<ModelWorker<'a>>>,
}

impl<'a> Flow<'a> {
    fn new(model: &'a Model, plan: &'a Plan, keep: usize) -> Self {
        let (report, tokens, first) = (ReadReport::default(), [0; 2], Vec::new());
        Self { model, plan, keep, report, tokens, cut: 0, links: 0, first, idle: Mutex::default() }
    }

    /// Decodes and writes a batch.
    fn batch(&mut self, read: &ReadBitext, outputs: &mut Outputs, parallelism: &Parallelism) -> Result<()> {
        let before = self.report.pairs as usize;
        let this = &*self;
        let text = this.model.read(&read.bitext);
        let pairs = text.len();
        let map = |(): &mut (), chunk: usize| {
            let mut worker = this.borrow_worker();
            let mut writers = Writers::new(this.plan)?;
            let mut encoder = Encoder::new(this.plan);
            let mut first = Vec::new();
            let range = chunk_range(pairs, CHUNK_PAIRS, chunk);
            let mut ahead = range.clone();
            ahead.by_ref().take(ModelWorker::AHEAD).for_each(|n| worker.announce(&text, n));
            for n in range {
                if let Some(announced) = ahead.next() {
                    worker.announce(&text, announced);
                }
                let (posteriors, paths) = if this.plan.needs_paths() {
                    worker.posteriors_and_viterbi(&text, n).unzip()
                } else {
                    (worker.posteriors(&text, n), None)
                };
                let lines = read.text.as_ref().map(|kept| lines_of(kept, &read.report.skipped_long, n));
                let number = (before + n) as u64 + 1;
                let found = (posteriors, paths.unwrap_or_default());
                first.extend(encoder.write((number, lines), found, before + n < this.keep, &mut writers)?);
            }
            this.idle.lock().expect("no thread panics while it holds the lock").push(worker);
            let (lines, links) = writers.into_lines();
            Ok(Chunk { lines, links, first })
        };
        let (mut links, mut first) = (0, Vec::new());
        parallelism.map_ordered(
            pairs.div_ceil(CHUNK_PAIRS),
            || (),
            map,
            |decoded| {
                links += decoded.links;
                first.extend(decoded.first);
                outputs.write(&decoded.lines)
            },
        )?;
        self.cut += text.cut_pairs();
        self.links += links;
        self.first.extend(first);
        self.report.add(&read.report);
        self.tokens[0] += read.bitext.source.token_count();
        self.tokens[1] += read.bitext.target.token_count();
        Ok(())
    }

    fn borrow_worker(&self) -> ModelWorker<'a> {
        let idle = self.idle.lock().expect("no thread panics while it holds the lock").pop();
        idle.unwrap_or_else(|| {
            let worker = self.model.worker();
            if self.plan.wants(Kind::Scores) { worker.judging() } else { worker }
        })
    }
}

/// Says so if the first pairs have few words that the model knows.
fn warn_of_unknown_words(model: &Model, bitext: &Bitext, context: &Context) {
    let [source, target] = model.unknown_shares(bitext);
    if source.max(target) <= SUSPICIOUS {
        return;
    }
    let swapped = model.unknown_shares(&Bitext { source: bitext.target.clone(), target: bitext.source.clone() });
    let guess = if swapped[0].max(swapped[1]) < 0.5 * source.max(target) {
        "source and target seem to have changed places"
    } else {
        "is it for other languages, or for text that is tokenized otherwise?"
    };
    context.warn(format_args!(
        "the model does not know {:.0} % of the source words and {:.0} % of the target words: {guess}",
        100.0 * source,
        100.0 * target
    ));
}
