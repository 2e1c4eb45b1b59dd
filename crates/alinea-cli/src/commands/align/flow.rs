//! Text that flows through a model from a file.
//!
//! Pairs are read a batch at a time, cut into chunks that threads decode, and written in order before the next batch is
//! read: memory does not depend on how much text there is. With an encoder the whole text is one batch, since what word
//! vectors say about links is learned from all of it.

use std::path::Path;
use std::time::{Duration, Instant};

use alinea::align::{GoldScores, JoinedEvidence, SavedAligner, Warning};
use alinea::error::Result;
use alinea::format::bitext::{BitextStream, ReadBitext, ReadReport};
use alinea::model::Model;
use alinea::parallel::Work;
use anyhow::bail;

use super::args::Args;
use super::decode::{Part, Written, write_part};
use super::outputs::Outputs;
use super::plan::Plan;
use super::summary::{self, Summary, Times};
use crate::context::Context;
use crate::input::encode::{LINES, LineEncoder};
use crate::input::links::counted;
use crate::input::text;
use crate::input::tokens::{TokenFiles, TokenText};
use crate::input::training::ReadGold;

/// How many pairs of a batch there are for each thread.
const PAIRS_PER_THREAD: usize = 2000;

/// Aligns with the model in a file.
pub(super) fn run(args: &Args, path: &Path, context: &Context) -> anyhow::Result<()> {
    let start = Instant::now();
    if args.objective.is_some() && !args.encoder.is_given() {
        bail!("--objective needs the whole text first: with --model-file it also needs --adapt or --encoder");
    }
    if let Some(option) = args.training.known.given() {
        bail!("{option} is for training: with --model-file it also needs --adapt");
    }
    args.training.known.check()?;
    args.check_paths()?;
    args.text.check_columns(false)?;
    let model = super::open_model(path)?;
    let opened = start.elapsed();
    let plan = Plan::new(args, args.request().decoding_of(&model)?, model.form())?;
    let parallelism = args.threads.parallelism()?;
    let gold = args.training.known.read_gold()?;
    let encoder = args.encode.open(&args.encoder, None)?;
    let (names, is_joint) = args.text.names();
    let mut tokens = args.tokens.open()?;
    let mut outputs = Outputs::create(&args.outputs)?;
    let mut stream = BitextStream::open(&args.text.source(), &plan.read)?;

    let observer = context.observer();
    observer.started("aligning", 0);
    let mut flow = Flow::new(&model, plan, (names, is_joint))?;
    let batch = match &encoder {
        Some(_) => usize::MAX,
        None if args.line_buffered => 1,
        None => PAIRS_PER_THREAD * parallelism.threads(),
    };
    // All gold links are learned from before anything is aligned.
    let mut first = gold.as_ref().map_or(batch, |gold| batch.max(gold.pairs()));
    while let Some(read) = stream.next(std::mem::replace(&mut first, batch)).map_err(text::advise)? {
        let gold = gold.as_ref().filter(|_| flow.report.pairs == 0);
        if flow.report.pairs == 0
            && let Some(warning) = Warning::of_unknown_words(&model, &read.bitext)
        {
            context.warn(warning);
        }
        if let Some(gold) = gold {
            gold.check(&read.bitext)?;
        }
        let work = Work { parallelism: &parallelism, observer };
        let other = flow.read_tokens(&read, &mut tokens)?;
        flow.batch(&read, (encoder.as_ref(), gold, other.as_ref()), &mut outputs, work)?;
        if args.line_buffered {
            outputs.flush()?;
        }
    }
    flow.report.passed_over = stream.passed_over();
    tokens.finish(flow.report.pairs, &flow.names[0])?;
    let Flow { aligner, plan, report, tokens, cut, written, gold_scores, .. } = flow;
    if let Some(gold) = &gold {
        // A text without pairs has no first batch.
        gold.check_length(report.pairs as usize)?;
    }
    outputs.finish()?;
    observer.finished(&counted(written.links, "link"));
    text::warn(&report, plan.read.tokenize, context);
    let encode = encoder.as_ref().map(LineEncoder::time);
    let align = start.elapsed().saturating_sub(opened + encode.unwrap_or_default());
    let times = Times { read: opened, encode, train: Duration::ZERO, align };
    let of_encoder = aligner.evidence().map_or_else(String::new, JoinedEvidence::signature);
    let signature = format!("{}|frozen{of_encoder}", model.signature());
    Summary {
        report: &report,
        tokens,
        added: &[],
        cut,
        known: summary::left_out(&written).into_iter().collect(),
        links: written.links,
        plan: &plan,
        signature: &signature,
        shows_signature: args.signature,
        times,
    }
    .tell(context);
    if let (Some(gold), Some(scores)) = (&gold, &gold_scores) {
        gold.tell(scores, context)?;
    }
    Ok(())
}

/// The text so far.
struct Flow<'a> {
    model: &'a Model,
    aligner: SavedAligner<'a>,
    plan: Plan,
    report: ReadReport,
    tokens: [usize; 2],
    /// How many pairs were aligned in stretches.
    cut: usize,
    written: Written,
    /// The names of the files of both sides.
    names: [String; 2],
    /// Whether both sides are in lines of one file.
    is_joint: bool,
    /// How well the pairs with gold links are aligned.
    gold_scores: Option<GoldScores>,
}

impl<'a> Flow<'a> {
    fn new(model: &'a Model, plan: Plan, (names, is_joint): ([String; 2], bool)) -> Result<Self> {
        let aligner = SavedAligner::new(model, plan.wants_of_pairs())?;
        let report = ReadReport::default();
        let (written, tokens) = (Written::default(), [0; 2]);
        Ok(Self { model, aligner, plan, report, tokens, cut: 0, written, names, is_joint, gold_scores: None })
    }

    /// The other tokens of a batch, if links are to count them.
    fn read_tokens(&self, read: &ReadBitext, files: &mut TokenFiles) -> Result<Option<TokenText>> {
        let wanted = self.plan.tokens.is_given();
        wanted.then(|| files.read(read.report.pairs as usize, self.report.pairs, &self.names[0])).transpose()
    }

    /// Decodes and writes a batch, the first of which may have gold links; with an encoder, the whole text.
    fn batch(
        &mut self,
        read: &ReadBitext,
        (encoder, gold, tokens): (Option<&LineEncoder<'_>>, Option<&ReadGold>, Option<&TokenText>),
        outputs: &mut Outputs,
        work: Work<'_>,
    ) -> Result<()> {
        let Self { model, aligner, plan, .. } = self;
        let text = model.read(&read.bitext);
        let (before, skipped) = (self.report.pairs as usize, &read.report.skipped_long[..]);
        if let Some(encoder) = encoder {
            let lines = read.text.as_ref().expect(LINES);
            if let Some(evidence) = encoder.of(lines).join(aligner, &text, work)? {
                *aligner = SavedAligner::new(model, plan.wants_of_pairs())?.with_evidence(evidence);
            }
        }
        if let Some(gold) = gold {
            self.gold_scores = Some(aligner.learn(&text, gold.links(), work)?);
        }
        if before == 0 {
            plan.chosen = aligner.settle(&mut plan.decoding, &text, work)?;
        }
        let text_lines = read.text.as_ref().filter(|_| plan.needs_lines());
        let names = self.names.each_ref().map(String::as_str);
        let part = Part { before, text: text_lines, tokens, names, is_joint: self.is_joint, skipped };
        let lengths = (0..text.len()).map(|n| text.pair(n).lengths());
        self.written.add(write_part(part, lengths, || aligner.finder(&text), plan, outputs, work)?);
        self.cut += text.cut_pairs();
        self.report.add(&read.report);
        self.tokens[0] += read.bitext.source.token_count();
        self.tokens[1] += read.bitext.target.token_count();
        Ok(())
    }
}
