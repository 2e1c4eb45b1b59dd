//! `alinea merge-counts`: the counts of the parts of a text, added up.

use std::path::PathBuf;

use alinea::error::Error;
use alinea::format::sink;
use alinea::model::Counts;
use anyhow::bail;
use serde_json::json;

use crate::context::Context;
use crate::input::paths::{Role, check_distinct};

const LONG_ABOUT: &str = "\
Adds the counts that `alinea train --shard` has written for the parts of a text, so that training can go on.

A text is counted in parts by processes that may run on several machines; each has the whole
text. So a training in two parts begins:

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
Counts are whole numbers, so the model is the same, to the byte, as one trained by one process. The last line says which \
pass was counted, of how many, and whether a part is missing (with --progress json in numbers). Text and options must be \
the same in every run but for --shard, --counts, --after and --threads.";

/// Adds the counts of the parts of a text
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// The counts of the parts
    #[arg(value_name = "COUNTS", required = true)]
    parts: Vec<PathBuf>,
    /// Where the sum goes
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Adds.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    let Args { parts, output } = args;
    let inputs: Vec<Role<'_>> = parts.iter().map(|path| Role::new("COUNTS", path)).collect();
    check_distinct(&inputs, &[Role::new("--output", output)])?;
    let mut sink = sink::create_uncompressed(output)?;
    let mut sum: Option<Counts> = None;
    for path in parts {
        let counts = Counts::read(path)?;
        sum = Some(match sum {
            None => counts,
            Some(sum) => match sum.merged(counts) {
                Ok(sum) => sum,
                Err(error) => bail!("{}: {error}", path.display()),
            },
        });
    }
    let Some(sum) = sum else { bail!("no counts to add") };
    sum.write(&mut sink).map_err(|error| Error::io(output, error))?;
    sink.finish()?;
    tell(&sum, context);
    Ok(())
}

/// Which pass was counted, and how much of the text.
pub(super) fn tell(counts: &Counts, context: &Context) {
    let [counted, all] = counts.progress();
    let missing = if counted == all { String::new() } else { format!(": {counted} of {all} chunks of the text") };
    let (name, pass, passes) = (counts.name(), counts.pass(), counts.passes());
    let numbers = json!({
        "pass": pass, "passes": passes, "name": name, "chunks": counted, "of_chunks": all, "complete": counted == all,
    });
    context.summary(&format!("{:<10} {pass} of {passes}, {name}{missing}", "pass"), &numbers);
}
