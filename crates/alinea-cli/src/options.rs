//! Options that all verbs share.

use std::path::PathBuf;

use clap::ValueEnum;

/// Options of every verb.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Shared options")]
pub(crate) struct SharedOptions {
    /// Number of threads; 0 is one for each core. Results do not depend on it
    #[arg(long, global = true, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
    /// Keep large arrays in files of this directory, mapped into memory, where memory does not suffice
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) work_dir: Option<PathBuf>,
    /// How progress is shown on standard error
    #[arg(long, global = true, value_name = "MODE", value_enum, default_value_t = ProgressMode::Auto)]
    pub(crate) progress: ProgressMode,
    /// Say nothing on standard error but errors and what was asked for
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
}

/// How progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressMode {
    /// A bar with rate and remaining time if standard error is a terminal, nothing if not
    Auto,
    /// Nothing
    None,
    /// One JSON object a line for everything that happens
    Json,
}
