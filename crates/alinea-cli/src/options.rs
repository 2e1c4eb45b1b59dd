//! Options that all verbs share.

use std::path::PathBuf;

use clap::ValueEnum;

/// Options of every verb.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Shared options")]
pub(crate) struct SharedOptions {
    /// Number of threads (0: one per core); results do not depend on it
    #[arg(long, global = true, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
    /// Keep large arrays in memory-mapped files in this directory, if memory does not suffice
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) work_dir: Option<PathBuf>,
    /// How to show progress on standard error
    #[arg(long, global = true, value_name = "MODE", value_enum, default_value_t = ProgressMode::Auto)]
    pub(crate) progress: ProgressMode,
    /// Suppress everything on standard error except errors and requested output
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
}

/// How progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressMode {
    /// A bar with rate and remaining time if standard error is a terminal, otherwise nothing
    Auto,
    /// Nothing
    None,
    /// One JSON object per line for each event
    Json,
}
