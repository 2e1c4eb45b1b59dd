//! Training that can be interrupted.
//!
//! After the expectation step of each pass its counts are written to a file, which is complete or absent at any moment. A
//! later run with the same text and options takes them up and ends with the same model.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind, Result};
use crate::format::sink;
use crate::model::{Aligner, Counts, Shard, Training};
use crate::parallel::{Parallelism, Work};

/// The file that keeps the counts of the last pass.
#[derive(Debug, Clone)]
pub struct Checkpoint {
    path: PathBuf,
}

impl Checkpoint {
    /// A file, which need not exist yet.
    ///
    /// # Errors
    /// `Io` if it cannot be written; `UnusablePath` if it is no regular file, or would be compressed.
    pub fn new(path: impl Into<PathBuf>) -> Result<Self> {
        let path = path.into();
        if !sink::create_uncompressed(&path)?.takes_name() {
            let (path, reason) = (path.display().to_string(), "a checkpoint must be a regular file");
            return Err(ErrorKind::UnusablePath { path, reason }.into());
        }
        Ok(Self { path })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The error where there is to be one of a model that is trained twice.
    pub fn refused_with_two_trainings(path: &Path) -> Error {
        let allowed = "unset with word vectors or gold links, with which a model is trained twice";
        Error::config("checkpoint", path.display(), allowed)
    }

    /// All passes that are left; if the file exists, those after the pass whose counts it has.
    ///
    /// # Errors
    /// `Checkpoint` if the file is of another text or training, damaged, or none; `Io`; `Cancelled` if the observer says so.
    pub fn train(&self, mut training: Training<'_>, work: Work<'_>) -> Result<Aligner> {
        let Work { parallelism, observer } = work;
        if self.path.exists() {
            let resumed = resume(&mut training, &self.path, parallelism);
            resumed.map_err(|error| ErrorKind::Checkpoint(Box::new(error)))?;
            observer.note(&format!("resuming after pass {} of {}", training.passes_done(), training.passes()));
        }
        observer.planned(&training.steps_left());
        while training.next_pass().is_some() {
            training.count(Shard::WHOLE, parallelism, observer)?;
            self.write(&training.counts()?)?;
            training.maximize(parallelism)?;
        }
        Ok(training.finish())
    }

    fn write(&self, counts: &Counts) -> Result<()> {
        let mut output = sink::create_uncompressed(&self.path)?;
        counts.write(&mut output).map_err(|error| Error::io(&self.path, error))?;
        output.finish()
    }

    /// Deletes the file, once what it is for is complete and on the disk; if the path is a symbolic link, the file behind it.
    ///
    /// # Errors
    /// `Io`.
    pub fn delete(self) -> Result<()> {
        self.path.canonicalize().and_then(fs::remove_file).map_err(|error| Error::io(&self.path, error))
    }
}

/// Takes the counts of a pass from a file and ends that pass.
///
/// # Errors
/// `Io`; `Model` if it is no file of counts or damaged; `Inconsistent` if they are of another text or training, or of a part of
/// the text.
pub fn resume(training: &mut Training<'_>, path: &Path, parallelism: &Parallelism) -> Result<()> {
    training.take(Counts::read(path)?, parallelism)?;
    training.maximize(parallelism)
}
