//! `alinea align`: links between the words of parallel text.
//!
//! Everything that can be refused without reading is refused first; then the outputs are opened, then the text is read,
//! a model trained on it, a threshold chosen if asked for, and each pair decoded once for all outputs together. An
//! output has as many lines as the text. With a model from a file nothing is trained, and the text is streamed.
//!
//! **Rooms.** `args` the options; `outputs` the files written; `plan` what is asked of the model; `decode` pairs to
//! bytes, in parallel, and `flow` the same for text that flows through a model from a file; `encode` one pair to lines;
//! `summary` what is told at the end; `habits` the options of other
//! aligners.

mod args;
mod decode;
mod encode;
mod flow;
pub(crate) mod habits;
mod outputs;
mod plan;
mod summary;

pub(crate) use args::{Args, advised};

use std::path::Path;
use std::time::Instant;

use alinea::align::{Checkpoint, Recipe, Trained, TrainingData};
use alinea::error::Error;
use alinea::format::bitext::KeptText;
use alinea::model::{Model, ModelName};
use alinea::parallel::Work;
use alinea::progress::Step;

use self::decode::{Part, write_part};
use self::outputs::Outputs;
use self::plan::Plan;
use self::summary::{Summary, Times};
use crate::context::Context;
use crate::failure::WithHint as _;
use crate::input::encode::{LINES, LineEncoder};
use crate::input::links::counted;
use crate::input::training::{LearnedText, Reading};

/// Aligns.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    args.work_dir.install()?;
    match (&args.model_file, args.adapt) {
        (Some(path), None) => flow::run(args, path, context),
        (Some(path), Some(passes)) => {
            learn_and_align(args, &How::Adapted(Box::new(open_model(path)?), passes), context)
        }
        (None, _) => learn_and_align(args, &How::Trained(Box::new(args.request().plan()?)), context),
    }
}

/// Opens a saved model. The name of a model in place of a file is answered.
fn open_model(path: &Path) -> anyhow::Result<Model> {
    let opened = Model::open(path);
    let is_name = || path.to_str().is_some_and(|name| name.parse::<ModelName>().is_ok());
    if opened.is_err() && !path.exists() && is_name() {
        return opened.hint(format!("a model is chosen by --model {}; -m reads a file", path.display()));
    }
    Ok(opened?)
}

/// How a model is had.
enum How {
    /// It is trained on the text.
    Trained(Box<alinea::align::Plan>),
    /// A saved one is adapted to the text, in so many passes.
    Adapted(Box<Model>, u32),
}

impl How {
    fn plan(&self, args: &Args) -> Result<Plan, Error> {
        match self {
            Self::Trained(plan) => Plan::new(args, plan.decoding, args.text.form()),
            Self::Adapted(model, _) => Plan::new(args, args.request().decoding_of(model)?, model.form()),
        }
    }

    /// What the last task takes: as much as a pass of the HMM, or little where the best paths are known already.
    fn aligning(&self) -> Step {
        let is_chain = matches!(self, Self::Trained(plan) if matches!(plan.recipe, Recipe::Chain(_)));
        Step::new(ALIGNING, if is_chain { 1 } else { 4 })
    }

    /// Trains, with the vectors of an encoder if there is one, to which the lines of the text are given.
    fn learn(
        &self,
        data: TrainingData,
        encoder: Option<(&LineEncoder<'_>, &KeptText)>,
        checkpoint: Option<&Checkpoint>,
        work: Work<'_>,
    ) -> Result<(Trained, TrainingData), Error> {
        match (self, encoder) {
            (Self::Adapted(model, passes), None) => Ok((Trained::adapt(model, *passes, &data, work)?, data)),
            (Self::Trained(plan), None) => Ok((Trained::train(plan.recipe.clone(), &data, checkpoint, work)?, data)),
            (Self::Adapted(model, passes), Some((encoder, lines))) => {
                encoder.of(lines).adapt(model, *passes, data, work)
            }
            (Self::Trained(plan), Some((encoder, lines))) => encoder.of(lines).train(&plan.recipe, data, work),
        }
    }

    fn signature(&self, trained: &Trained) -> String {
        match self {
            Self::Adapted(model, _) => model.signature().to_owned() + &trained.given_signature(),
            Self::Trained(_) => trained.signature(),
        }
    }
}

/// The task that comes last.
const ALIGNING: &str = "aligning";

/// Aligns with a model that is trained on the text, or adapted to it.
fn learn_and_align(args: &Args, how: &How, context: &Context) -> anyhow::Result<()> {
    let start = Instant::now();
    let training = &args.training;
    let mut plan = how.plan(args)?;
    args.check_paths()?;
    args.text.check_columns(training.added.has_joint())?;
    training.added.check()?;
    training.known.check()?;
    let parallelism = args.threads.parallelism()?;
    let checkpoint = training.checkpoint.open()?;
    let encoder = args.encode.open(&args.encoder, checkpoint.as_ref())?;
    let reading = Reading { some: None, classes: args.chain.read(&plan.read)? };
    let mut tokens = args.tokens.open()?;
    let mut outputs = Outputs::create(&args.outputs)?;

    let observer = context.observer();
    let learned = training.read(&args.text, &plan.read, reading, &parallelism, context)?;
    let LearnedText { data, tokens: counts, added, report, kept, known, unseen: _ } = learned;
    let (names, is_joint) = args.text.names();
    let other_tokens = args.tokens.is_given().then(|| tokens.read(report.pairs as usize, 0, &names[0])).transpose()?;
    tokens.finish(report.pairs, &names[0])?;
    let read = Instant::now();

    let work = Work { parallelism: &parallelism, observer };
    observer.planned(&[how.aligning()]);
    let encoding = encoder.as_ref().map(|encoder| (encoder, kept.as_ref().expect(LINES)));
    let (trained, data) = how.learn(data, encoding, checkpoint.as_ref(), work)?;
    let learned_at = Instant::now();
    plan.chosen = trained.settle(&mut plan.decoding, &data, work)?;
    let signature = how.signature(&trained);
    let mut beforehand = known.summary(trained.given_word_pairs());
    let text = kept.as_ref().filter(|_| plan.needs_lines());
    let names = names.each_ref().map(String::as_str);
    let skipped = &report.skipped_long;
    let part = Part { before: 0, text, tokens: other_tokens.as_ref(), names, is_joint, skipped };
    let wants = plan.wants_of_pairs();
    observer.started(ALIGNING, data.pairs() as u64);
    let written = write_part(part, data.lengths(), || trained.finder(&data, wants), &plan, &mut outputs, work)?;
    observer.finished(&counted(written.links, "link"));
    outputs.finish()?;
    beforehand.extend(summary::left_out(&written));
    checkpoint.map_or(Ok(()), Checkpoint::delete)?;

    let encode = encoder.as_ref().map(LineEncoder::time);
    let train = (learned_at - read).saturating_sub(encode.unwrap_or_default());
    let times = Times { read: read - start, encode, train, align: learned_at.elapsed() };
    let (plan, signature, shows_signature) = (&plan, &signature, args.signature);
    let cut = data.text().cut_pairs(data.pairs());
    let (report, added) = (&report, &added[..]);
    let links = written.links;
    Summary { report, tokens: counts, added, cut, known: beforehand, links, plan, signature, shows_signature, times }
        .tell(context);
    known.tell_gold(trained.gold_scores(), context)?;
    Ok(())
}
