//! `alinea align`: links between the words of parallel text.
//!
//! Everything that can be refused without reading is refused first; then the outputs are opened, then the text is read,
//! a model trained on it, a threshold chosen if asked for, and each pair decoded once for all outputs together. An
//! output has as many lines as the text. With a model from a file nothing is trained, and the text flows through.
//!
//! **Rooms.** `args` the options; `outputs` the files written; `plan` what is asked of the model; `decode` pairs to
//! bytes, in parallel, and `flow` the same for text that flows through a model from a file; `encode` one pair to lines;
//! `gold` the scores against links made by people; `summary` what is told at the end.

mod args;
mod decode;
mod encode;
mod flow;
mod gold;
mod outputs;
mod plan;
mod summary;

pub(crate) use args::Args;

use std::time::Instant;

use alinea::model::{Aligner, ExpectedLinks, Model, Training};

use self::gold::Gold;
use self::outputs::Outputs;
use self::plan::Plan;
use self::summary::{Summary, Times};
use super::Status;
use super::training::LearnedText;
use crate::context::Context;

/// Aligns.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Status> {
    match (&args.model_file, args.adapt) {
        (Some(path), None) => flow::run(args, path, context),
        (Some(path), Some(passes)) => learn_and_align(args, Some((&Model::open(path)?, passes)), context),
        (None, _) => learn_and_align(args, None, context),
    }
}

/// Aligns with a model that is trained on the text, or adapted to it in so many passes.
fn learn_and_align(args: &Args, model: Option<(&Model, u32)>, context: &Context) -> anyhow::Result<Status> {
    let start = Instant::now();
    let training = &args.training;
    let mut plan = match model {
        Some((model, _)) => Plan::new(args, model.config().clone(), model.form())?,
        None => Plan::new(args, training.config()?, args.text.form())?,
    };
    args.check_paths()?;
    args.text.check_columns(training.added.has_joint())?;
    training.added.check()?;
    let parallelism = context.parallelism()?;
    let gold = args.gold.as_deref().map(|path| Gold::read(path, args.annotated_only)).transpose()?;
    let mut outputs = Outputs::create(&args.outputs)?;

    let observer = context.observer();
    let learned = training.read(&args.text, &plan.read, &parallelism, None, context)?;
    let LearnedText { bitext, pairs, tokens, added, report, kept, known } = &learned;
    if let Some(gold) = &gold {
        gold.links.check_length(*pairs)?;
        gold.links.check_part(0, bitext.bitext())?;
    }
    let read = Instant::now();

    let (aligner, signature) = if let Some((model, passes)) = model {
        let aligner = Aligner::adapt(model, bitext, passes, &known.supervision, &parallelism, observer)?;
        let signature = format!("{}{}", model.signature(), aligner.given_signature());
        (aligner, signature)
    } else {
        let begun = Training::new(bitext, plan.model.clone(), &known.supervision, &parallelism, observer)?;
        let aligner = training.checkpoint.train(begun, &parallelism, context)?;
        let signature = aligner.signature();
        (aligner, signature)
    };
    let trained = Instant::now();
    known.warn(&aligner, context);
    if let Some(objective) = plan.objective {
        let choice = ExpectedLinks::measure(&aligner, (bitext, *pairs), &parallelism, observer)?.choose(objective);
        choice.warning().iter().for_each(|warning| context.warn(warning));
        plan.settle(choice);
    }
    let (text, skipped) = (kept.as_ref(), &report.skipped_long[..]);
    let work = decode::Work { aligner: &aligner, bitext, pairs: *pairs, text, skipped, plan: &plan };
    let keep = gold.as_ref().map_or(0, Gold::len);
    let decoded = decode::decode(&work, keep, &mut outputs, &parallelism, observer)?;
    outputs.finish()?;
    if model.is_none() {
        training.checkpoint.delete()?;
    }

    let times = Times { read: read - start, train: trained - read, align: trained.elapsed() };
    let (links, plan) = (decoded.links, &plan);
    Summary { report, tokens: *tokens, added, known: known.told(&aligner), links, plan, signature: &signature, times }
        .tell(context);
    if let Some(gold) = gold {
        context.answer(gold.evaluate(&decoded.first)?);
    }
    Ok(Status::Success)
}
