//! `alinea model prune`: writes a smaller copy of a model.
//!
//! Word pairs whose probability follows from prior, stems and spelling are always removed; with `--size`, further pairs
//! with the lowest counts until the file fits. What is lost is reported as the share of expected link counts that the
//! removed pairs had. The criterion is in `model/saved/prune` of the library; sizes are parsed in `resources`.

use std::path::PathBuf;

use alinea::format::sink;
use alinea::model::{Model, Pruned};
use serde_json::json;

use crate::context::Context;
use crate::input::paths::{Role, check_distinct};
use crate::resources::Bytes;

const LONG_ABOUT: &str = "\
Make a model smaller: remove word pairs that were never linked, those that stems and spelling predict as well, and, \
if a size is given, those with the lowest counts.

Examples:
  alinea model prune en-fr.alinea -o small.alinea
  alinea model prune en-fr.alinea -o small.alinea --size 100MB";

const AFTER_LONG_HELP: &str = "\
The loss is reported at the end: the share of expected link counts that belonged to the removed word pairs. Without \
--size it is negligible; alignment takes a little longer. The model still recognizes its training text.";

/// Make a model smaller
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(super) struct Args {
    /// Model file
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// Output file for the model
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Maximum size, in bytes or with kB, MB, GB, KiB, MiB or GiB
    #[arg(long, value_name = "SIZE")]
    size: Option<Bytes>,
}

/// Prunes.
pub(super) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    let Args { model: path, output, size } = args;
    check_distinct(&[Role::new("MODEL", path)], &[Role::new("--output", output)])?;
    let model = Model::open(path)?;
    let mut sink = sink::create_uncompressed(output)?;
    let Pruned { pairs, kept, lost, bytes } =
        model.prune(size.map(|size| usize::try_from(size.0).unwrap_or(usize::MAX)), &mut sink)?;
    sink.finish()?;
    let lines = [
        ("lexicon", format!("{kept} of {pairs} word pairs")),
        ("lost", format!("{:.4} % of the counts", 100.0 * lost)),
        ("file", format!("{}, {:.1} MB", output.display(), bytes as f64 / 1e6)),
    ];
    let lines: Vec<String> = lines.iter().map(|(name, value)| format!("{name:<10} {value}")).collect();
    let numbers = json!({ "word_pairs": pairs, "kept": kept, "lost": lost, "bytes": bytes });
    context.summary(&lines.join("\n"), &numbers);
    Ok(())
}
