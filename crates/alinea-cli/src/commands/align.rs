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

use alinea::model::ibm::{IbmAligner, IbmConfig};
use alinea::model::{Aligner, AlignerConfig, ExpectedLinks, Model, Training};
use alinea::parallel::Parallelism;

use self::decode::Trained;
use self::gold::Gold;
use self::outputs::Outputs;
use self::plan::Plan;
use self::summary::{Summary, Times};
use super::Status;
use super::training::{LearnedText, ReadClasses};
use crate::context::Context;

/// Aligns.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Status> {
    match (&args.model_file, args.adapt) {
        (Some(path), None) => flow::run(args, path, context),
        (Some(path), Some(passes)) => learn_and_align(args, &How::Adapting(&Model::open(path)?, passes), context),
        (None, _) => match args.chain.config(&args.training)? {
            Some(config) => learn_and_align(args, &How::Chains(config), context),
            None => learn_and_align(args, &How::Together(args.training.config()?), context),
        },
    }
}

/// How a model is had.
enum How<'m> {
    /// One of both directions is trained.
    Together(AlignerConfig),
    /// A saved one is adapted, in so many passes.
    Adapting(&'m Model, u32),
    /// A chain of models is trained for each direction.
    Chains(IbmConfig),
}

/// A model, and its signature.
enum Learned {
    Together(Box<Aligner>, String),
    Chains(Box<IbmAligner>, String),
}

impl How<'_> {
    fn plan(&self, args: &Args) -> anyhow::Result<Plan> {
        match self {
            Self::Together(config) => {
                let trained = config.clone().with_threshold(config.threshold);
                Plan::new(args, trained, args.text.form())
            }
            Self::Adapting(model, _) => Plan::new(args, model.config().clone().for_new_text(), model.form()),
            Self::Chains(config) => Plan::of_chains(args, config),
        }
    }

    fn learn(
        &self,
        args: &Args,
        text: &LearnedText,
        classes: Option<&ReadClasses>,
        parallelism: &Parallelism,
        context: &Context,
    ) -> anyhow::Result<Learned> {
        let (LearnedText { bitext, known, .. }, observer) = (text, context.observer());
        let aligner = match self {
            Self::Together(config) => {
                let begun = Training::new(bitext, config.clone(), &known.supervision, parallelism, observer)?;
                args.training.checkpoint.train(begun, parallelism, context)?
            }
            Self::Adapting(model, passes) => {
                Aligner::adapt(model, bitext, *passes, &known.supervision, parallelism, observer)?
            }
            Self::Chains(config) => {
                let classes = classes.map(|classes| classes.of(bitext, context)).transpose()?;
                let config = IbmConfig { classes, ..config.clone() };
                let aligner = IbmAligner::train(bitext, &config, parallelism, observer)?;
                return Ok(Learned::Chains(Box::new(aligner), config.signature()));
            }
        };
        known.warn(&aligner, bitext, context);
        let signature = match self {
            Self::Adapting(model, _) => format!("{}{}", model.signature(), aligner.given_signature()),
            _ => aligner.signature(),
        };
        Ok(Learned::Together(Box::new(aligner), signature))
    }
}

/// Aligns with a model that is trained on the text, or adapted to it.
fn learn_and_align(args: &Args, how: &How<'_>, context: &Context) -> anyhow::Result<Status> {
    let start = Instant::now();
    let training = &args.training;
    let mut plan = how.plan(args)?;
    args.check_paths()?;
    args.text.check_columns(training.added.has_joint())?;
    training.added.check()?;
    let parallelism = context.parallelism()?;
    let gold = args.gold.as_deref().map(|path| Gold::read(path, args.annotated_only)).transpose()?;
    let classes = args.chain.read(&plan.read)?;
    let mut outputs = Outputs::create(&args.outputs)?;

    let observer = context.observer();
    let learned = training.read(&args.text, &plan.read, &parallelism, None, context)?;
    let LearnedText { bitext, pairs, tokens, added, report, kept, known } = &learned;
    if let Some(gold) = &gold {
        gold.links.check_length(*pairs)?;
        gold.links.check_part(0, bitext.bitext())?;
    }
    let read = Instant::now();

    let model = how.learn(args, &learned, classes.as_ref(), &parallelism, context)?;
    let trained = Instant::now();
    if let Some(objective) = plan.objective {
        let text = (bitext, *pairs);
        let expected = match &model {
            Learned::Together(aligner, _) => ExpectedLinks::measure(aligner, text, &parallelism, observer)?,
            Learned::Chains(aligner, _) => ExpectedLinks::measure_chain(aligner, text, &parallelism, observer)?,
        };
        let choice = expected.choose(objective);
        choice.warning().iter().for_each(|warning| context.warn(warning));
        plan.settle(choice);
    }
    let (by, known, signature) = match &model {
        Learned::Together(aligner, signature) => (Trained::Together(aligner), known.told(aligner), signature),
        Learned::Chains(aligner, signature) => (Trained::Chains(aligner), Vec::new(), signature),
    };
    let (text, skipped) = (kept.as_ref(), &report.skipped_long[..]);
    let work = decode::Work { model: by, bitext, pairs: *pairs, text, skipped, plan: &plan };
    let keep = gold.as_ref().map_or(0, Gold::len);
    let decoded = decode::decode(&work, keep, &mut outputs, &parallelism, observer)?;
    outputs.finish()?;
    if matches!(how, How::Together(_)) {
        training.checkpoint.delete()?;
    }

    let times = Times { read: read - start, train: trained - read, align: trained.elapsed() };
    let (links, plan) = (decoded.links, &plan);
    let cut = bitext.cut_pairs(*pairs);
    Summary { report, tokens: *tokens, added, cut, known, links, plan, signature, times }.tell(context);
    if let Some(gold) = gold {
        context.answer(gold.evaluate(&decoded.first)?);
    }
    Ok(Status::Success)
}
