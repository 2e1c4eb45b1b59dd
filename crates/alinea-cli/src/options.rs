//! Options that all verbs share.

use clap::ValueEnum;

/// Options of every verb.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Shared options")]
pub(crate) struct SharedOptions {
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
