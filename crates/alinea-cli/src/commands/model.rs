//! `alinea model`: what can be done with a model besides aligning.

mod check;
mod export;
mod merge;
mod prune;
mod show;

use clap::Subcommand;

use crate::context::Context;

const LONG_ABOUT: &str = "\
Inspect, export, merge and prune models written by `alinea train`.

Examples:
  alinea model show en-fr.alinea                    sizes, and how it was trained
  alinea model check *.alinea                       whether files are intact
  alinea model export en-fr.alinea --format moses   the translation table
  alinea model merge a.alinea b.alinea -o both.alinea
                                                    merge several models
  alinea model prune en-fr.alinea -o small.alinea   without pairs covered by stems and spelling
  alinea model show --help                          more examples";

/// Inspect, export, merge and prune trained models
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT)]
pub(crate) struct Args {
    /// What to do.
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Clone, Subcommand)]
enum Command {
    Show(show::Args),
    Check(check::Args),
    Export(export::Args),
    Merge(merge::Args),
    Prune(prune::Args),
}

/// Does it.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    match &args.command {
        Command::Show(args) => show::run(args),
        Command::Check(args) => check::run(args),
        Command::Export(args) => export::run(args),
        Command::Merge(args) => merge::run(args, context),
        Command::Prune(args) => prune::run(args, context),
    }
}
