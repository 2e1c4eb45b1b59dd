//! A chain of textbook models: its passes, and what is asked of Models 3 to 5.

use std::path::{Path, PathBuf};

use alinea::align::Request;
use alinea::classes::WordClasses;
use alinea::format::bitext::ReadOptions;
use alinea::format::classes::{self, ClassTable};
use alinea::format::lines::LineReader;
use alinea::model::Feature;
use anyhow::Context as _;

use crate::input::kind::Rare as _;

/// The options for it.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Model")]
pub(crate) struct ChainArgs {
    /// With ibm3, ibm4 and ibm5, also sum over the neighborhoods of alignments with one link held fixed (pegging); much
    /// slower
    #[arg(long, rare = true)]
    pegging: bool,
    /// With ibm4 and ibm5, source word classes as `alinea classes` writes them, instead of 50 learned ones
    #[arg(long, value_name = "FILE", requires = "target_classes", rare = true)]
    source_classes: Option<PathBuf>,
    /// The same for the target words
    #[arg(long, value_name = "FILE", requires = "source_classes", rare = true)]
    target_classes: Option<PathBuf>,
}

impl ChainArgs {
    /// What is asked of a model besides.
    pub(crate) fn request(&self, request: Request) -> Request {
        request.with(|c| {
            c.pegging = self.pegging;
            c.needs.extend(self.source_classes.is_some().then_some(Feature::WordClasses));
        })
    }

    /// The files, with the options that name them.
    pub(crate) fn paths(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let paths = [
            ("--source-classes", self.source_classes.as_deref()),
            ("--target-classes", self.target_classes.as_deref()),
        ];
        paths.into_iter().filter_map(|(name, path)| Some((name, path?)))
    }

    /// Reads the classes of source and target words, if there are files of them.
    pub(crate) fn read(&self, options: &ReadOptions) -> anyhow::Result<Option<[ClassTable; 2]>> {
        let (Some(source), Some(target)) = (&self.source_classes, &self.target_classes) else { return Ok(None) };
        let read = |path: &PathBuf| {
            let table = classes::read(LineReader::open(path, options.utf8)?)?;
            WordClasses::check(&table).with_context(|| path.display().to_string())?;
            Ok::<_, anyhow::Error>(table)
        };
        Ok(Some([read(source)?, read(target)?]))
    }
}
