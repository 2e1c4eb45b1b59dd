//! Commands for people who work on alinea: measurements of quality on hand-aligned text.
//!
//! Not part of any test: they need data that is not shipped. See `--help` of each.

mod documents;
mod features;
mod quality;
mod sets;
mod simulate;

use clap::{Parser, Subcommand};

#[derive(Debug, Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Documents whose sentence alignment is known, made from parallel lines.
    Documents(documents::Args),
    /// What a decision sees of the cells of gold standards.
    Features(features::Args),
    /// Alignment error rates on gold standards.
    Quality(quality::Args),
    /// What learning saves an annotator, with gold standards in the place of people.
    Simulate(simulate::Args),
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().command {
        Command::Documents(args) => documents::run(&args),
        Command::Features(args) => features::run(&args),
        Command::Quality(args) => quality::run(&args),
        Command::Simulate(args) => simulate::run(&args),
    }
}
