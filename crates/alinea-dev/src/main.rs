//! Commands for people who work on alinea: measurements of quality on hand-aligned text.
//!
//! Not part of any test: they need data that is not shipped. See `--help` of each.

mod quality;

use clap::{Parser, Subcommand};

#[derive(Debug, Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Alignment error rates on gold standards.
    Quality(quality::Args),
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().command {
        Command::Quality(args) => quality::run(&args),
    }
}
