//! How a model is trained: which, for how long, and on what besides.

mod added;
mod checkpoint;
mod known;

pub(crate) use added::{Added, AddedText};
pub(crate) use checkpoint::{Checkpoint, go_on};
pub(crate) use known::{Known, ReadKnown};

use std::path::Path;
use std::str::FromStr;

use alinea::bitext::{Bitext, RankedBitext};
use alinea::error::{Error, ErrorKind};
use alinea::format::bitext::{self, KeptText, ReadBitext, ReadOptions, ReadReport};
use alinea::model::{AlignerConfig, Schedule};
use alinea::parallel::Parallelism;
use clap::ValueEnum;

use super::text::{self, TextArgs};
use crate::context::Context;
use crate::failure::{self, WithHint};

/// The options for it.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct TrainingArgs {
    /// The model
    #[arg(long, value_name = "NAME", value_enum, default_value_t = ModelName::AgreementLoo, help_heading = "Model")]
    pub(crate) model: ModelName,
    /// Passes of training, such as ibm1:5,hmm:4 [default: the model's, by the size of the text]
    #[arg(long, value_name = "PASSES", help_heading = "Model")]
    pub(crate) iterations: Option<Iterations>,

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
    /// Two HMMs trained to agree
    Agreement,
    /// The textbook HMM
    Hmm,
    /// IBM Model 1
    Ibm1,
}

/// Passes of each model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Iterations(Schedule);

impl FromStr for Iterations {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (mut ibm1, mut hmm) = (None, None);
        for part in text.split(',') {
            let (model, passes) = part
                .split_once(':')
                .ok_or_else(|| format!("expected passes such as ibm1:5,hmm:4, found `{part}` without a colon"))?;
            let passes: u32 = passes
                .trim()
                .parse()
                .map_err(|_| format!("expected a number of passes such as {model}:5, found `{passes}`"))?;
            let place = match model.trim() {
                "ibm1" => &mut ibm1,
                "hmm" => &mut hmm,
                other => return Err(format!("expected the model ibm1 or hmm, found `{other}`")),
            };
            if place.replace(passes).is_some() {
                return Err(format!("{model} is given twice"));
            }
        }
        Ok(Self(Schedule { ibm1: ibm1.unwrap_or(0), hmm: hmm.unwrap_or(0) }))
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
    pub(crate) fn config(&self) -> Result<AlignerConfig, Error> {
        let mut config = match self.model {
            ModelName::AgreementLoo => AlignerConfig::agreement_loo(),
            ModelName::Agreement => AlignerConfig::agreement(),
            ModelName::Hmm => AlignerConfig::hmm(),
            ModelName::Ibm1 => AlignerConfig::ibm1(),
        };
        if let Some(Iterations(schedule)) = self.iterations {
            let given = format!("ibm1:{},hmm:{}", schedule.ibm1, schedule.hmm);
            match self.model {
                ModelName::Ibm1 if schedule.hmm > 0 => {
                    return Err(Error::config("iterations", given, "no passes of hmm with --model ibm1"));
                }
                ModelName::AgreementLoo | ModelName::Agreement | ModelName::Hmm if schedule.hmm == 0 => {
                    let allowed = "at least one pass of hmm, such as ibm1:5,hmm:4 (or --model ibm1)";
                    return Err(Error::config("iterations", given, allowed));
                }
                _ => config.schedule = Some(schedule),
            }
        }
        config.validate()?;
        Ok(config)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterations_are_read_or_explained() {
        let read = |text: &str| text.parse::<Iterations>();
        assert_eq!(read("ibm1:5,hmm:4"), Ok(Iterations(Schedule { ibm1: 5, hmm: 4 })));
        assert_eq!(read("hmm:2, ibm1:3"), Ok(Iterations(Schedule { ibm1: 3, hmm: 2 })));
        assert_eq!(read("ibm1:7"), Ok(Iterations(Schedule { ibm1: 7, hmm: 0 })));
        let error = |text: &str| read(text).unwrap_err();
        assert_eq!(error("5"), "expected passes such as ibm1:5,hmm:4, found `5` without a colon");
        assert_eq!(error("ibm1:x"), "expected a number of passes such as ibm1:5, found `x`");
        assert_eq!(error("ibm2:1"), "expected the model ibm1 or hmm, found `ibm2`");
        assert_eq!(error("hmm:1,hmm:2"), "hmm is given twice");
    }
}
