//! `alinea parts words`: the words of a part, and how often they occur.

use std::path::PathBuf;

use alinea::align::parts;
use alinea::format::bitext;

use super::files::check_files;
use crate::context::Context;
use crate::input::links::counted;
use crate::input::text::{self, TextArgs};
use crate::resources::ThreadOptions;

const LONG_ABOUT: &str = "\
Count the words of a part of a text. The order of the parts is that of `alinea parts join`.

Examples:
  alinea parts words 1.en 1.fr -o words.1
  alinea parts words news.en news.fr --weight 0.3 -o words.9
                                                   added text: a part whose pairs count less";

/// Count the words of a part
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT)]
pub(super) struct Args {
    #[command(flatten)]
    text: TextArgs,
    /// What pairs of this part count, from 0.01 to 1: less than 1 for text of another kind (`alinea align --add` has 0.3)
    #[arg(long, value_name = "W", default_value_t = 1.0, help_heading = "Input")]
    weight: f32,
    /// Output file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    threads: ThreadOptions,
}

pub(super) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    let Args { text: text_args, weight, output, threads } = args;
    check_files(text_args.paths(), &[("--output", output)])?;
    text_args.check_columns(false)?;
    let form = text_args.form();
    let options = text_args.read_options(form, false);
    options.validate()?;
    let observer = context.observer();
    observer.started("reading", 0);
    let read = bitext::read(&text_args.source(), &options, &threads.parallelism()?).map_err(text::advise)?;
    observer.finished(&counted(read.report.pairs, "pair"));
    text::warn(&read.report, options.tokenize, context);
    Ok(parts::words(read.bitext, *weight, form, output)?)
}
