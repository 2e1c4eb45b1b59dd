//! How a model is trained: which, for how long, and on what besides.

mod added;
mod chain;
mod checkpoint;
mod known;

pub(crate) use added::{Added, AddedText};
pub(crate) use chain::{ChainArgs, ReadClasses};
pub(crate) use checkpoint::{Checkpoint, go_on};
pub(crate) use known::{Known, ReadKnown};

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;

use alinea::bitext::{Bitext, LONGEST_WHOLE, RankedBitext};
use alinea::error::{Error, ErrorKind};
use alinea::format::bitext::{self, KeptText, ReadBitext, ReadOptions, ReadReport};
use alinea::model::ibm::{IbmModel, Passes};
use alinea::model::{AlignerConfig, Schedule};
use alinea::parallel::Parallelism;
use clap::builder::{EnumValueParser, PossibleValue, TypedValueParser};
use clap::error::ErrorKind as Complaint;
use clap::{Arg, Command, ValueEnum};

use super::text::{self, TextArgs};
use crate::context::Context;
use crate::failure::{self, WithHint};

/// The options for it.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct TrainingArgs {
    /// The model
    #[arg(long, value_name = "NAME", value_parser = ModelNames, default_value_t = ModelName::AgreementLoo, help_heading = "Model")]
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

/// The models by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModelName {
    /// Two HMMs trained to agree, own counts left out, fertility
    #[value(alias = "default")]
    AgreementLoo,
    /// The same, advised by three models of words in pieces
    Quality,
    /// Two HMMs trained to agree
    Agreement,
    /// The textbook HMM
    Hmm,
    /// IBM Model 1
    Ibm1,
    /// IBM Model 2
    Ibm2,
    /// Model 2 with positions along the diagonal
    Diagonal,
    /// IBM Model 3
    Ibm3,
    /// IBM Model 4
    Ibm4,
    /// IBM Model 5
    Ibm5,
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_possible_value().map_or(Ok(()), |value| f.write_str(value.get_name()))
    }
}

/// Reads the name of a model, and says so where a file is given in its place.
#[derive(Debug, Clone, Copy)]
struct ModelNames;

impl TypedValueParser for ModelNames {
    type Value = ModelName;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<ModelName, clap::Error> {
        let parsed = EnumValueParser::new().parse_ref(command, arg, value);
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
        Some(Box::new(ModelName::value_variants().iter().filter_map(ValueEnum::to_possible_value)))
    }
}

impl ModelName {
    /// The model that ends a chain, if it is trained as one.
    fn chained(self) -> Option<IbmModel> {
        match self {
            Self::AgreementLoo | Self::Quality | Self::Agreement | Self::Hmm | Self::Ibm1 => None,
            Self::Ibm2 => Some(IbmModel::Ibm2),
            Self::Diagonal => Some(IbmModel::Diagonal),
            Self::Ibm3 => Some(IbmModel::Ibm3),
            Self::Ibm4 => Some(IbmModel::Ibm4),
            Self::Ibm5 => Some(IbmModel::Ibm5),
        }
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

    /// The model that is asked for.
    ///
    /// # Errors
    /// Of a chain of models, and for passes that do not fit.
    pub(crate) fn config(&self) -> Result<AlignerConfig, Error> {
        let mut config = match self.model {
            ModelName::AgreementLoo => AlignerConfig::agreement_loo(),
            ModelName::Quality => AlignerConfig::quality(),
            ModelName::Agreement => AlignerConfig::agreement(),
            ModelName::Hmm => AlignerConfig::hmm(),
            ModelName::Ibm1 => AlignerConfig::ibm1(),
            _ => {
                let name = self.model.chained().map_or("", IbmModel::name);
                return Err(Error::config(
                    "model",
                    name,
                    "agreement-loo, quality, agreement, hmm or ibm1 for a model in a file",
                ));
            }
        };
        if let Some(iterations) = &self.iterations {
            let fault = |allowed| Err(Error::config("iterations", iterations, allowed));
            let Some(schedule) = schedule(iterations) else {
                return fault(
                    "passes of ibm1 and hmm; other passes with the model that they end with, such as --model ibm4",
                );
            };
            match self.model {
                ModelName::Ibm1 if schedule.hmm > 0 => return fault("no passes of hmm with --model ibm1"),
                ModelName::Ibm1 => {}
                _ if schedule.hmm == 0 => {
                    return fault("at least one pass of hmm, such as ibm1:5,hmm:4 (or --model ibm1)");
                }
                _ => {}
            }
            config.schedule = Some(schedule);
        }
        config.validate()?;
        Ok(config)
    }
}

/// Passes of Model 1 and the HMM, if there are no others.
fn schedule(passes: &Passes) -> Option<Schedule> {
    let known = passes.stages().iter().all(|(model, _)| matches!(model, IbmModel::Ibm1 | IbmModel::Hmm));
    known.then(|| Schedule { ibm1: passes.of(IbmModel::Ibm1), hmm: passes.of(IbmModel::Hmm) })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_of_others_are_no_schedule() {
        let schedule = |text: &str| schedule(&text.parse().unwrap());
        assert_eq!(schedule("ibm1:5,hmm:4"), Some(Schedule { ibm1: 5, hmm: 4 }));
        assert_eq!(schedule("hmm:2, ibm1:3"), Some(Schedule { ibm1: 3, hmm: 2 }));
        assert_eq!(schedule("ibm1:7"), Some(Schedule { ibm1: 7, hmm: 0 }));
        assert_eq!(schedule("ibm1:5,hmm:5,ibm3:3"), None);
    }
}
