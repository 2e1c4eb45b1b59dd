//! `alinea merge-counts`: adds up the counts that `train --shard` wrote for the parts of a text.
//!
//! Counts are integers, so sums do not depend on the order of files and equal those of one process. `Counts::merged`
//! refuses files of another text, configuration or pass, and chunks that were counted twice. A sum may be partial: the
//! report says how many parts of the text it covers, and `train` refuses to go on before all are there. `tell` is used
//! by `train` and `parts count`, too.

use std::path::PathBuf;

use alinea::align;
use alinea::model::Counts;
use serde_json::json;

use crate::context::Context;
use crate::input::paths::{Role, check_distinct};
use crate::resources::WorkDirOptions;

const LONG_ABOUT: &str = "\
Merge the counts that `alinea train --shard` wrote for the parts of a text, so that training can continue.

The parts of a text are counted by separate processes, possibly on several machines; each needs the
whole text. Training in two parts starts like this:

Examples:
  alinea train text.en text.fr --shard 1/2 --counts 1.a
  alinea train text.en text.fr --shard 2/2 --counts 1.b
  alinea merge-counts 1.a 1.b -o 1
  alinea train text.en text.fr --after 1 --shard 1/2 --counts 2.a
  alinea train text.en text.fr --after 1 --shard 2/2 --counts 2.b
  alinea merge-counts 2.a 2.b -o 2
  ...
  alinea train text.en text.fr --after 9 -m en-fr.alinea";

const AFTER_LONG_HELP: &str = "\
Counts are integers, so the model is byte-identical to one trained by a single process. The last line reports which \
pass was counted, out of how many, and whether a part is missing (as numbers with --progress json). Text and options \
must be the same in every run, except --shard, --counts, --after and --threads.";

/// Merge the counts of the parts of a text
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// Counts of the parts
    #[arg(value_name = "COUNTS", required = true)]
    parts: Vec<PathBuf>,
    /// Output file for the sum
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    work_dir: WorkDirOptions,
}

/// Adds.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    let Args { parts, output, work_dir } = args;
    work_dir.install()?;
    let inputs: Vec<Role<'_>> = parts.iter().map(|path| Role::new("COUNTS", path)).collect();
    check_distinct(&inputs, &[Role::new("--output", output)])?;
    tell(&align::parts::merge_counts(parts, output)?, context);
    Ok(())
}

/// Which pass was counted, and how much of the text.
pub(super) fn tell(counts: &Counts, context: &Context) {
    let [counted, all] = counts.progress();
    let missing = if counted == all { String::new() } else { format!(": {counted} of {all} parts of the text") };
    let (name, pass, passes) = (counts.name(), counts.pass(), counts.passes());
    let numbers = json!({
        "pass": pass, "passes": passes, "name": name, "chunks": counted, "of_chunks": all, "complete": counted == all,
    });
    context.summary(&format!("{:<10} {pass} of {passes}, {name}{missing}", "pass"), &numbers);
}
