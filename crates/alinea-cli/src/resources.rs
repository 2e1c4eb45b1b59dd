//! Options about threads, and memory on disk.
//!
//! A verb has only options that do something there: one that computes in parallel flattens [`ThreadOptions`] into its
//! `Args`, one whose arrays grow with the text flattens [`WorkDirOptions`] and calls `install` before anything large is
//! made.

use std::path::PathBuf;

use alinea::error::Error;
use alinea::parallel::Parallelism;

use crate::input::kind::Rare as _;
use crate::work_dir;

/// Of verbs that compute in parallel.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Resources")]
pub(crate) struct ThreadOptions {
    /// Number of threads (0: one per core); results do not depend on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

impl ThreadOptions {
    /// The threads to work with.
    pub(crate) fn parallelism(&self) -> Result<Parallelism, Error> {
        Parallelism::new(self.threads)
    }
}

/// Of verbs whose arrays grow with the text.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Resources")]
pub(crate) struct WorkDirOptions {
    /// Keep large arrays in memory-mapped files in this directory, if memory does not suffice
    #[arg(long, value_name = "DIR", rare = true)]
    work_dir: Option<PathBuf>,
}

impl WorkDirOptions {
    /// Has large arrays lie there from now on.
    ///
    /// # Errors
    /// If no file can be made there.
    pub(crate) fn install(&self) -> Result<(), Error> {
        self.work_dir.as_deref().map_or(Ok(()), work_dir::install)
    }
}
