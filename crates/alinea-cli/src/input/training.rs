//! Options for training an alignment model, and the reading of everything that it is trained on.
//!
//! `TrainingArgs` has the name of the model, the passes, text that is only learned from (`added`), a dictionary and
//! links (`supervision`), and a `checkpoint`; `chain` has the options of Models 3 to 5. They become a `Request`; what
//! goes with which model is decided by the library.
//!
//! `read` reads dictionary and links first, then the text or an even sample of it, checks the links against the
//! text, reads the added text, and gives the warnings. The result is a `LearnedText`: the training data, and what is
//! reported about it. A file in place of the name of a model gets an error that names `--model-file`.

mod added;
mod chain;
mod checkpoint;
mod gold;
mod supervision;

pub(crate) use added::{AddedArgs, AddedText};
pub(crate) use chain::ChainArgs;
pub(crate) use checkpoint::CheckpointArgs;
pub(crate) use gold::ReadGold;
pub(crate) use supervision::{ReadSupervision, SupervisionArgs};

use std::ffi::OsStr;
use std::path::Path;

use alinea::align::{Iterations, Request, TrainingData};
use alinea::bitext::LONGEST_WHOLE;
use alinea::format::bitext::{self, KeptText, ReadBitext, ReadOptions, ReadReport, Sample, Unseen};
use alinea::format::classes::ClassTable;
use alinea::model::ModelName;
use alinea::parallel::Parallelism;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind as Complaint;
use clap::{Arg, Command};

use super::links::counted;
use super::text::{self, TextArgs};
use crate::context::Context;

/// The options for it.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct TrainingArgs {
    /// Alignment model
    #[arg(long, value_name = "NAME", value_parser = ModelNames, default_value_t = ModelName::default(), help_heading = "Model")]
    pub(crate) model: ModelName,
    /// Training iterations: a number for each model of the chain, or by name, such as ibm1:5,hmm:4 [default: depends on
    /// the model and the size of the text]
    #[arg(long, value_name = "PASSES", help_heading = "Model")]
    pub(crate) iterations: Option<Iterations>,

    /// What else is learned from.
    #[command(flatten)]
    pub(crate) added: AddedArgs,
    /// What is known beforehand.
    #[command(flatten)]
    pub(crate) known: SupervisionArgs,
    /// Whether it can be interrupted.
    #[command(flatten)]
    pub(crate) checkpoint: CheckpointArgs,
}

/// Reads the name of a model, and says so where a file is given in its place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ModelNames;

impl ModelNames {
    fn values() -> impl Iterator<Item = PossibleValue> {
        ModelName::ALL.into_iter().map(|model| {
            let value = PossibleValue::new(model.name()).help(model.summary());
            if model == ModelName::default() { value.alias(ModelName::ALIAS_OF_DEFAULT) } else { value }
        })
    }
}

impl TypedValueParser for ModelNames {
    type Value = ModelName;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<ModelName, clap::Error> {
        let names = PossibleValuesParser::new(Self::values()).try_map(|name| name.parse::<ModelName>());
        let parsed = names.parse_ref(command, arg, value);
        let path = Path::new(value);
        if parsed.is_err() && (path.is_file() || path.components().count() > 1 || path.extension().is_some()) {
            let message = format!(
                "--model {}: expected the name of a model, such as hmm; use --model-file (-m) for a model in a file\n",
                path.display()
            );
            return Err(clap::Error::raw(Complaint::InvalidValue, message).with_cmd(command));
        }
        parsed
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Self::values()))
    }
}

/// A text that was read to be learned from, and what was added to it.
#[derive(Debug)]
pub(crate) struct LearnedText {
    pub(crate) data: TrainingData,
    /// The tokens of the text itself, source and target.
    pub(crate) tokens: [usize; 2],
    pub(crate) added: Vec<AddedText>,
    /// What was met in the text itself.
    pub(crate) report: ReadReport,
    /// Its lines, if they were to be kept.
    pub(crate) kept: Option<KeptText>,
    /// What is known of it beforehand.
    pub(crate) known: ReadSupervision,
    /// What a sample does not have of the words of its text, source and target.
    pub(crate) unseen: Option<[Unseen; 2]>,
}

/// Which part of a text is read, and what is known of its words.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// A sample of so many pairs only.
    pub(crate) some: Option<usize>,
    /// The classes of its words.
    pub(crate) classes: Option<[ClassTable; 2]>,
}

impl TrainingArgs {
    /// Reads the text, or a sample of it, and what is added to it.
    pub(crate) fn read(
        &self,
        text: &TextArgs,
        options: &ReadOptions,
        Reading { some, classes }: Reading,
        parallelism: &Parallelism,
        context: &Context,
    ) -> anyhow::Result<LearnedText> {
        let observer = context.observer();
        observer.started("reading", 0);
        let mut known = self.known.read(options).map_err(text::advise)?;
        let (read, unseen) = match some {
            Some(pairs) => bitext::read_evenly(&text.source(), pairs, options)
                .map(|Sample { read, unseen, .. }| (read, Some(unseen))),
            None => bitext::read(&text.source(), options, parallelism).map(|read| (read, None)),
        }
        .map_err(text::advise)?;
        let ReadBitext { bitext, report, text: kept } = read;
        let tokens = [bitext.source.token_count(), bitext.target.token_count()];
        let data = TrainingData::of(bitext).map_err(text::advise)?;
        known.check(data.text())?;
        let added = self.added.read(|path| text.one_file(path), options, parallelism, data);
        let (data, added) = added.map_err(text::advise)?;
        observer.finished(&counted(data.text().len() as u64, "pair"));
        text::warn(&report, options.tokenize, context);
        known.warn(context);
        let (gold, supervision) = (known.gold(), known.take());
        let data = data.with_supervision(supervision).with_gold(gold).with_classes(classes).build()?;
        Ok(LearnedText { data, tokens, added, report, kept, known, unseen })
    }

    /// The files, with the options that name them.
    pub(crate) fn paths(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        self.added.paths().chain(self.known.paths())
    }

    /// What is asked for.
    pub(crate) fn request(&self) -> Request {
        let iterations = self.iterations.clone();
        let needs = self.known.features().chain(self.checkpoint.feature()).collect();
        Request::default().with(|c| {
            c.model = self.model;
            c.iterations = iterations;
            c.needs = needs;
        })
    }
}

/// What is told of pairs that were cut.
pub(crate) fn cut_summary(pairs: usize) -> String {
    format!("{} longer than {LONGEST_WHOLE} words, aligned in segments", counted(pairs as u64, "pair"))
}
