//! A chain of textbook models: its passes, and what is asked of Models 3 to 5.

use std::path::{Path, PathBuf};

use alinea::align::Request;
use alinea::bitext::{RankedBitext, Text};
use alinea::classes::WordClasses;
use alinea::error::Error;
use alinea::format::bitext::ReadOptions;
use alinea::format::classes::{self, ClassTable};
use alinea::format::lines::LineReader;
use alinea::model::Feature;
use anyhow::anyhow;

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
    /// What is asked of a model besides.
    ///
    /// # Errors
    /// For options that are not for the model.
    pub(crate) fn request(&self, request: Request) -> Result<Request, Error> {
        if self.source_classes.is_some() {
            request.model.require(Feature::WordClasses)?;
        }
        Ok(Request { pegging: self.pegging, ..request })
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
    let missing = table.missing(words);
    if missing > 0 {
        context.warn(format_args!(
            "{missing} of {} words are not in {}: they are a class of their own",
            words.len(),
            path.display()
        ));
    }
    let classes =
        WordClasses::of_table_with_unknown(table, words).map_err(|error| anyhow!("{}: {error}", path.display()))?;
    Ok(classes.numbers())
}
