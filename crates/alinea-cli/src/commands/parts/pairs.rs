//! `alinea parts pairs`: which words occur together in a part.

use std::path::PathBuf;

use alinea::align::parts;
use alinea::model::parts::WholeText;
use alinea::parallel::Work;

use super::files::{PartArgs, check_files};
use crate::context::Context;
use crate::resources::{ThreadOptions, WorkDirOptions};

const LONG_ABOUT: &str = "\
Collect the pairs of words that occur together in a part.

Examples:
  alinea parts pairs 1.en 1.fr --part 1 --words words -o pairs.1";

/// Collect the word pairs of a part
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT)]
pub(super) struct Args {
    #[command(flatten)]
    part: PartArgs,
    /// The words of the whole text, from `alinea parts join`
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    words: PathBuf,
    /// Output file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    work_dir: WorkDirOptions,
}

pub(super) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    let Args { part, words, output, threads, work_dir } = args;
    work_dir.install()?;
    check_files(part.text.paths().chain([("--words", &**words)]), &[("--output", output)])?;
    let parallelism = threads.parallelism()?;
    let whole = WholeText::read(words)?;
    let text = part.read(whole.form(), &parallelism, context)?;
    let work = Work { parallelism: &parallelism, observer: context.observer() };
    Ok(parts::pairs(text, part.number(), &whole, output, work)?)
}
