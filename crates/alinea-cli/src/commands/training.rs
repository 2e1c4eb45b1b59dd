//! How a model is trained: which, for how long, and on what besides.

mod added;
mod chain;
mod checkpoint;
mod known;

pub(crate) use added::{Added, AddedText};
pub(crate) use chain::ChainArgs;
pub(crate) use checkpoint::{Checkpoint, go_on};
pub(crate) use known::{Known, ReadKnown};

use std::ffi::OsStr;
use std::path::Path;

use alinea::align::{Iterations, Request};
use alinea::bitext::{Bitext, LONGEST_WHOLE, RankedBitext};
use alinea::error::{Error, ErrorKind};
use alinea::format::bitext::{self, KeptText, ReadBitext, ReadOptions, ReadReport};
use alinea::model::ModelName;
use alinea::model::ibm::Passes;
use alinea::parallel::Parallelism;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind as Complaint;
use clap::{Arg, Command};

use super::text::{self, TextArgs};
use crate::context::Context;
use crate::failure::{self, WithHint};

/// The options for it.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct TrainingArgs {
    /// The model
    #[arg(long, value_name = "NAME", value_parser = ModelNames, default_value_t = ModelName::default(), help_heading = "Model")]
    pub(crate) model: ModelName,
    /// Passes of training, such as ibm1:5,hmm:4 [default: the model's, by the size of the text]
    #[arg(long, value_name = "PASSES", help_heading = "Model")]
    pub(crate) iterations: Option<Passes>,

    /// What else is learned from.
    #[command(flatten)]
    pub(crate) added: Added,
    /// What is known beforehand.
    #[command(flatten)]
    pub(crate) known: Known,
    /// Whether it can be interrupted.
    #[command(flatten)]
    pub(crate) checkpoint: Checkpoint,
}

/// Reads the name of a model, and says so where a file is given in its place.
#[derive(Debug, Clone, Copy)]
struct ModelNames;

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
                "--model {}: expected the name of a model, such as hmm; a model in a file is given by --model-file (-m)\n",
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
    pub(crate) bitext: RankedBitext,
    /// The pairs of the text itself, which stand first.
    pub(crate) pairs: usize,
    /// The tokens of these, source and target.
    pub(crate) tokens: [usize; 2],
    pub(crate) added: Vec<AddedText>,
    /// What was met in the text itself.
    pub(crate) report: ReadReport,
    /// Its lines, if they were to be kept.
    pub(crate) kept: Option<KeptText>,
    /// What is known of it beforehand.
    pub(crate) known: ReadKnown,
}

impl TrainingArgs {
    /// Reads the text, or some pairs of it, evenly spaced, and what is added to it.
    pub(crate) fn read(
        &self,
        text: &TextArgs,
        options: &ReadOptions,
        parallelism: &Parallelism,
        some: Option<usize>,
        context: &Context,
    ) -> anyhow::Result<LearnedText> {
        let observer = context.observer();
        observer.started("reading", 0);
        let known = self.known.read(options).map_err(|error| failure::advise(error, text::advice))?;
        let ReadBitext { mut bitext, report, text: kept } = match some {
            Some(pairs) => bitext::read_evenly(&text.source(), pairs, options),
            None => bitext::read(&text.source(), options, parallelism),
        }
        .map_err(|error| failure::advise(error, text::advice))?;
        let (pairs, tokens) = (bitext.len(), [bitext.source.token_count(), bitext.target.token_count()]);
        check_usable(&bitext)?;
        known.check(&bitext, pairs)?;
        let added = self.added.read(text.columns(), options, parallelism, &mut bitext);
        let added = added.map_err(|error| failure::advise(error, text::advice))?;
        observer.finished(&format!("{} pairs", bitext.len()));
        text::warn(&report, options.tokenize, context);
        let bitext = RankedBitext::new(bitext).weighted(added::weights(pairs, &added)?)?;
        Ok(LearnedText { bitext, pairs, tokens, added, report, kept, known })
    }

    /// The files, with the options that name them.
    pub(crate) fn paths(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        self.added.paths().chain(self.known.paths())
    }

    /// What is asked for.
    ///
    /// # Errors
    /// For options that are not for the model.
    pub(crate) fn request(&self) -> Result<Request, Error> {
        self.known.features().chain(self.checkpoint.feature()).try_for_each(|feature| self.model.require(feature))?;
        let iterations = self.iterations.clone().map(Iterations::Named);
        Ok(Request { model: self.model, iterations, ..Request::default() })
    }
}

/// Refuses a text from which nothing can be learned.
fn check_usable(bitext: &Bitext) -> anyhow::Result<()> {
    if bitext.is_empty() {
        let error = ErrorKind::Empty("nothing to align: the text has no lines".to_owned());
        return Err(Error::from(error).into());
    }
    if bitext.pairs().all(|pair| pair.has_empty_side()) {
        let message = format!("nothing to align: each of the {} sentence pairs has an empty side", bitext.len());
        let result: alinea::error::Result<()> = Err(ErrorKind::Empty(message).into());
        return result.hint("is one of the files empty, or are all lines longer than --max-length?");
    }
    Ok(())
}

/// What is told of pairs that were cut.
pub(crate) fn told_of_cut(pairs: usize) -> String {
    let pairs = if pairs == 1 { "1 pair".to_owned() } else { format!("{pairs} pairs") };
    format!("{pairs} longer than {LONGEST_WHOLE} words, cut for alignment")
}
