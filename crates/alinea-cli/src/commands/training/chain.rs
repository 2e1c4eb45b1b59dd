//! A chain of textbook models: its passes, and what is asked of Models 3 to 5.

use std::path::{Path, PathBuf};

use alinea::bitext::{RankedBitext, Text};
use alinea::classes::WordClasses;
use alinea::error::Error;
use alinea::format::bitext::ReadOptions;
use alinea::format::classes::{self, ClassTable};
use alinea::format::lines::LineReader;
use alinea::model::ibm::{IbmConfig, IbmModel, IbmSchedule};
use anyhow::{anyhow, bail};

use super::TrainingArgs;
use crate::context::Context;

/// The options for it.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Model")]
pub(crate) struct ChainArgs {
    /// With ibm3, ibm4 and ibm5, sum over the alignments in which each possible link in turn is held fixed, too: much
    /// slower
    #[arg(long)]
    pegging: bool,
    /// With ibm4 and ibm5, classes of the source words, as `alinea classes` writes them, in place of 50 that are learned
    #[arg(long, value_name = "FILE", requires = "target_classes")]
    source_classes: Option<PathBuf>,
    /// The same of the target words
    #[arg(long, value_name = "FILE", requires = "source_classes")]
    target_classes: Option<PathBuf>,
}

/// The classes of words in files: source, target.
#[derive(Debug)]
pub(crate) struct ReadClasses([(PathBuf, ClassTable); 2]);

impl ChainArgs {
    /// The chain of models that is asked for, if it is one; without the classes of words.
    pub(crate) fn config(&self, training: &TrainingArgs) -> anyhow::Result<Option<IbmConfig>> {
        let Some(model) = training.model.chained() else {
            return self.given().map_or(Ok(None), |(option, models)| bail!("{option} is for the models {models}"));
        };
        let schedule = match &training.iterations {
            Some(passes) => IbmSchedule::of(passes)?,
            None => IbmSchedule::up_to(model),
        };
        if schedule.last() != model {
            let allowed = "passes that end with those of --model";
            return Err(Error::config("iterations", schedule, allowed).into());
        }
        if let Some(option) = training.known.given() {
            bail!("{option} is for the models agreement-loo, quality and agreement, not for {model}");
        }
        if training.checkpoint.path().is_some() {
            bail!("--checkpoint is for the models agreement-loo, quality, agreement, hmm and ibm1, not for {model}");
        }
        let fits = if self.source_classes.is_some() { model >= IbmModel::Ibm4 } else { model.is_fertile() };
        if let Some((option, models)) = self.given().filter(|_| !fits) {
            bail!("{option} is for the models {models}, not for {model}");
        }
        Ok(Some(IbmConfig { pegging: self.pegging, ..IbmConfig::new(schedule) }))
    }

    /// An option that is given, of those for the fewest models, and these models.
    fn given(&self) -> Option<(&'static str, &'static str)> {
        let pegging = self.pegging.then_some(("--pegging", "ibm3, ibm4 and ibm5"));
        self.paths().next().map(|(option, _)| (option, "ibm4 and ibm5")).or(pegging)
    }

    /// The files, with the options that name them.
    pub(crate) fn paths(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let paths = [
            ("--source-classes", self.source_classes.as_deref()),
            ("--target-classes", self.target_classes.as_deref()),
        ];
        paths.into_iter().filter_map(|(name, path)| Some((name, path?)))
    }

    /// Reads classes, if there are files of them.
    pub(crate) fn read(&self, options: &ReadOptions) -> anyhow::Result<Option<ReadClasses>> {
        let (Some(source), Some(target)) = (&self.source_classes, &self.target_classes) else { return Ok(None) };
        let read = |path: &PathBuf| {
            let table = classes::read(LineReader::open(path, options.utf8)?)?;
            Ok::<_, Error>((path.clone(), table))
        };
        Ok(Some(ReadClasses([read(source)?, read(target)?])))
    }
}

impl ReadClasses {
    /// The classes of the words of a text, by rank; says how many words have none.
    pub(crate) fn of(&self, bitext: &RankedBitext, context: &Context) -> anyhow::Result<[Vec<u32>; 2]> {
        let Self([(source_path, source), (target_path, target)]) = self;
        let texts = bitext.bitext();
        Ok([
            of_words(&texts.source, (source_path, source), context)?,
            of_words(&texts.target, (target_path, target), context)?,
        ])
    }
}

fn of_words(text: &Text, (path, table): (&Path, &ClassTable), context: &Context) -> anyhow::Result<Vec<u32>> {
    let words = text.vocabulary();
    let missing = words.words().filter(|word| table.number(word).is_none()).count();
    if missing > 0 {
        context.warn(format_args!(
            "{missing} of {} words are not in {}: they are a class of their own",
            words.len(),
            path.display()
        ));
    }
    let classes =
        WordClasses::of_table_with_unknown(table, words).map_err(|error| anyhow!("{}: {error}", path.display()))?;
    Ok(classes.classes().iter().map(|class| class.index() as u32).collect())
}
