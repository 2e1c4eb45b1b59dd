//! Training that can be interrupted.
//!
//! After the expectation step of each pass its counts are written to a file, as all outputs are, so that there is a whole
//! one at any moment. The next run with the same text and options goes on from there, to the same model.

use std::fs;
use std::path::{Path, PathBuf};

use alinea::error::Error;
use alinea::format::sink;
use alinea::model::{Aligner, Counts, Feature, Shard, Training};
use alinea::parallel::Parallelism;
use anyhow::bail;

use crate::commands::paths::check_uncompressed;
use crate::context::Context;
use crate::failure::WithHint as _;

/// The option for it.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Model")]
pub(crate) struct Checkpoint {
    /// Keep what was counted in this file after each pass, and go on from it if it is there; it is deleted in the end
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
}

impl Checkpoint {
    /// The file.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.checkpoint.as_deref()
    }

    /// What is asked of the model.
    pub(super) fn feature(&self) -> Option<Feature> {
        self.checkpoint.is_some().then_some(Feature::Checkpoint)
    }

    /// All passes that are left.
    pub(crate) fn train(
        &self,
        mut training: Training<'_>,
        parallelism: &Parallelism,
        context: &Context,
    ) -> anyhow::Result<Aligner> {
        let Some(path) = self.path() else { return Ok(training.run(parallelism, context.observer())?) };
        // A place that cannot be written to is known before the work.
        check_uncompressed(path)?;
        if !sink::create(path)?.takes_name() {
            bail!("{}: a checkpoint is replaced and deleted, so it must be a regular file", path.display());
        }
        if path.exists() {
            go_on(&mut training, path, parallelism)
                .hint("delete the file, or name another, to train from the beginning")?;
            context.report(format_args!("going on after pass {} of {}", training.passes_done(), training.passes()));
        }
        while training.next_pass().is_some() {
            training.count(Shard::WHOLE, parallelism, context.observer())?;
            write(&training.counts()?, path)?;
            training.maximize(parallelism)?;
        }
        Ok(training.finish())
    }

    /// Deletes the file, once what it is for is complete and on the disk; if the path is a symbolic link, the file
    /// behind it.
    pub(crate) fn delete(&self) -> Result<(), Error> {
        let Some(path) = self.path() else { return Ok(()) };
        path.canonicalize().and_then(fs::remove_file).map_err(|error| Error::io(path, error))
    }
}

/// Takes the counts in a file, and ends the pass they are of.
pub(crate) fn go_on(training: &mut Training<'_>, path: &Path, parallelism: &Parallelism) -> Result<(), Error> {
    training.take(Counts::read(path)?, parallelism)?;
    training.maximize(parallelism)
}

/// Writes the file.
fn write(counts: &Counts, path: &Path) -> Result<(), Error> {
    let mut output = sink::create(path)?;
    counts.write(&mut output).map_err(|error| Error::io(path, error))?;
    output.finish()
}
