//! `alinea align`: links between the words of parallel text.
//!
//! Everything that can be refused without reading is refused first; then the outputs are opened, then the text is read,
//! a model trained on it, a threshold chosen if asked for, and each pair decoded once for all outputs together. An
//! output has as many lines as the text.
//!
//! **Rooms.** `args` the options; `added` the text that is learned from besides; `outputs` the files written; `plan`
//! what is asked of the model; `decode` pairs to bytes, in parallel; `gold` the scores against links made by people;
//! `summary` what is told at the end.

mod added;
mod args;
mod decode;
mod gold;
mod outputs;
mod plan;
mod summary;

pub(crate) use args::Args;

use std::time::Instant;

use alinea::bitext::{Bitext, RankedBitext};
use alinea::error::ErrorKind;
use alinea::format::bitext::{self, ReadBitext, ReadReport};
use alinea::format::tokens::{GluedPunctuation, Tokenize};
use alinea::model::{Aligner, ExpectedLinks};

use self::gold::Gold;
use self::outputs::Outputs;
use self::plan::Plan;
use self::summary::{Summary, Times};
use super::Status;
use crate::context::Context;
use crate::failure::{self, WithHint};

/// Aligns.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Status> {
    let start = Instant::now();
    let mut plan = Plan::new(args)?;
    args.check_paths()?;
    args.check_columns()?;
    args.added.check()?;
    let parallelism = context.parallelism()?;
    let gold = args.gold.as_deref().map(|path| Gold::read(path, args.annotated_only)).transpose()?;
    let mut outputs = Outputs::create(&args.outputs)?;

    let observer = context.observer();
    observer.started("reading", 0);
    let ReadBitext { mut bitext, report, text } = bitext::read(&args.bitext_source(), &plan.read, &parallelism)
        .map_err(|error| failure::advise(error, args::advice))?;
    let (pairs, tokens) = (bitext.len(), [bitext.source.token_count(), bitext.target.token_count()]);
    check_usable(&bitext)?;
    if let Some(gold) = &gold {
        gold.check(&bitext)?;
    }
    let added = args.added.read(args.columns(), &plan.read, &parallelism, &mut bitext);
    let added = added.map_err(|error| failure::advise(error, args::advice))?;
    observer.finished(&format!("{} pairs", bitext.len()));
    warn(&report, args, context);
    let bitext = RankedBitext::new(bitext).weighted(added::weights(pairs, &added)?)?;
    let read = Instant::now();

    let aligner = Aligner::train(&bitext, plan.model.clone(), &parallelism, observer)?;
    let trained = Instant::now();
    if let Some(objective) = plan.objective {
        let choice = ExpectedLinks::measure(&aligner, (&bitext, pairs), &parallelism, observer)?.choose(objective);
        choice.warning().iter().for_each(|warning| context.warn(warning));
        plan.settle(choice);
    }
    let skipped = &report.skipped_long;
    let work = decode::Work { aligner: &aligner, bitext: &bitext, pairs, text: text.as_ref(), skipped, plan: &plan };
    let keep = gold.as_ref().map_or(0, Gold::len);
    let decoded = decode::decode(&work, keep, &mut outputs, &parallelism, observer)?;
    outputs.finish()?;

    let times = Times { read: read - start, train: trained - read, align: trained.elapsed() };
    let summary = Summary { report: &report, tokens, added: &added, links: decoded.links, plan: &plan, times };
    summary.tell(&aligner, context);
    if let Some(gold) = gold {
        context.answer(gold.evaluate(&decoded.first)?);
    }
    Ok(Status::Success)
}

/// What the user should know about the text, each once.
fn warn(report: &ReadReport, args: &Args, context: &Context) {
    let ReadReport { pairs, empty_source, empty_target, empty_both, .. } = report;
    let empty = empty_source + empty_target + empty_both;
    if empty > 0 && empty < *pairs {
        context.warn(format_args!(
            "{empty} of {pairs} pairs have an empty side ({empty_source} the source, {empty_target} the target, \
             {empty_both} both): their lines stay empty"
        ));
    }
    let glued = report.glued_punctuation();
    if args.tokenize() == Tokenize::None && glued > GluedPunctuation::SUSPICIOUS {
        context.warn(format_args!(
            "{:.0} % of the words end in punctuation (such as `house,`): the text seems not to be tokenized; \
             --tokenize unicode cuts it",
            glued * 100.0
        ));
    }
}

/// Refuses a text from which nothing can be learned.
fn check_usable(bitext: &Bitext) -> anyhow::Result<()> {
    if bitext.is_empty() {
        let error = ErrorKind::Empty("nothing to align: the text has no lines".to_owned());
        return Err(alinea::error::Error::from(error).into());
    }
    if bitext.pairs().all(|pair| pair.has_empty_side()) {
        let message = format!("nothing to align: each of the {} sentence pairs has an empty side", bitext.len());
        let result: alinea::error::Result<()> = Err(ErrorKind::Empty(message).into());
        return result.hint("is one of the files empty, or are all lines longer than --max-length?");
    }
    Ok(())
}
