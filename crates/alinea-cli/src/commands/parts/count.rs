//! `alinea parts count`: the expected counts of a part in the next pass.

use std::path::PathBuf;

use alinea::align::parts::{self, Counting};
use alinea::format::alignment::LineLinks;
use alinea::model::parts::StoredState;
use alinea::parallel::Work;

use super::files::{PartArgs, check_files};
use crate::commands::merge_counts;
use crate::context::Context;
use crate::resources::{Bytes, ThreadOptions, WorkDirOptions};

const LONG_ABOUT: &str = "\
Count a part in the next pass of a training. What the pairs of the part add is kept for its next pass.

Examples:
  alinea parts count 1.en 1.fr --part 1 --state state.0 -o counts.1.1 --keep own.1.1
  alinea parts count 1.en 1.fr --part 1 --state state.1 --own own.1.1 -o counts.2.1 --keep own.2.1
  alinea parts count 1.en 1.fr --part 1 --state state.0 -o counts.1.1 --keep own.1.1 --memory 4GiB";

/// Count a part in the next pass
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT)]
pub(super) struct Args {
    #[command(flatten)]
    part: PartArgs,
    /// The state of the training, from `alinea parts begin` or `maximize`
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    state: PathBuf,
    /// What --keep wrote in the pass before, for the same part
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    own: Option<PathBuf>,
    /// Known links of the first pairs of the part, one line per pair; an empty line leaves its pair to the model
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    links: Option<PathBuf>,
    /// Output file for the counts, which `alinea parts maximize` needs of all parts
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Output file for what the pairs of this part have added, which the part needs in the next pass
    #[arg(long, value_name = "FILE")]
    keep: PathBuf,
    /// Memory that the process may take, such as 4GiB: pairs of words that do not fit are counted one after another, with files without
    /// a name beside the output in between; the counts are the same
    #[arg(long, value_name = "SIZE", help_heading = "Resources")]
    memory: Option<Bytes>,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    work_dir: WorkDirOptions,
}

pub(super) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    let Args { part, state, own, links, output, keep, memory, threads, work_dir } = args;
    let memory = memory.map(|Bytes(bytes)| bytes);
    work_dir.install()?;
    let others = [("--state", Some(&**state)), ("--own", own.as_deref()), ("--links", links.as_deref())];
    let inputs = part.text.paths().chain(others.into_iter().filter_map(|(name, path)| Some((name, path?))));
    check_files(inputs, &[("--output", output), ("--keep", keep)])?;
    let parallelism = threads.parallelism()?;
    let state = StoredState::open(state)?;
    let links = links.as_deref().map(LineLinks::read).transpose()?;
    let text = part.read(state.whole().form(), &parallelism, context)?;
    links.as_ref().map_or(Ok(()), |links| links.check(&text))?;
    let links: Vec<_> = links.iter().flat_map(LineLinks::given).collect();
    let counting = Counting { own: own.as_deref(), links: &links, memory, counts: output, keep };
    let work = Work { parallelism: &parallelism, observer: context.observer() };
    let counts = parts::count(text, part.number(), &state, counting, work)?;
    merge_counts::tell(&counts, context);
    Ok(())
}
