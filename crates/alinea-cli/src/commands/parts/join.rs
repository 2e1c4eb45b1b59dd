//! `alinea parts join`: the words of all parts, by frequency.

use std::path::PathBuf;

use alinea::align;

use super::files::check_files;
use crate::context::Context;

const LONG_ABOUT: &str = "\
Put the words of all parts together, in the order of the text, and rank them by frequency.

Examples:
  alinea parts join words.1 words.2 words.3 -o words";

/// Put the words of all parts together
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT)]
pub(super) struct Args {
    /// Words of the parts, in the order of the text
    #[arg(value_name = "WORDS", required = true)]
    parts: Vec<PathBuf>,
    /// Output file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

pub(super) fn run(args: &Args, _: &Context) -> anyhow::Result<()> {
    let Args { parts, output } = args;
    check_files(parts.iter().map(|path| ("WORDS", &**path)), &[("--output", output)])?;
    Ok(align::parts::join(parts, output)?)
}
