//! `alinea model prune`: writes a smaller copy of a model.
//!
//! Word pairs whose probability follows from prior, stems and spelling are always removed; with `--size`, further pairs
//! with the lowest counts until the file fits. What is lost is reported as the share of expected link counts that the
//! removed pairs had. The criterion is in `model/saved/prune` of the library; this file parses sizes (decimal units: 1
//! kB is 1000 bytes).

use std::path::PathBuf;
use std::str::FromStr;

use alinea::format::sink;
use alinea::model::{Model, Pruned};
use serde_json::json;

use crate::context::Context;
use crate::input::paths::{Role, check_distinct};

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
    /// Maximum size, in bytes or with kB, MB or GB
    #[arg(long, value_name = "SIZE")]
    size: Option<Bytes>,
}

/// A size of files.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bytes(usize);

impl FromStr for Bytes {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let units = [("kB", 1e3), ("MB", 1e6), ("GB", 1e9), ("B", 1.0)];
        let cut = units.into_iter().find_map(|(unit, bytes)| Some((text.strip_suffix(unit)?, bytes)));
        let (number, unit) = cut.unwrap_or((text, 1.0));
        let size = number.trim().parse().map(|number: f64| number * unit);
        let size = size.ok().filter(|size| (1.0..=1e15).contains(size));
        size.map(|size| Self(size as usize)).ok_or("expected a size such as 100MB, 1.5GB or a number of bytes")
    }
}

/// Prunes.
pub(super) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    let Args { model: path, output, size } = args;
    check_distinct(&[Role::new("MODEL", path)], &[Role::new("--output", output)])?;
    let model = Model::open(path)?;
    let mut sink = sink::create_uncompressed(output)?;
    let Pruned { pairs, kept, lost, bytes } = model.prune(size.map(|Bytes(size)| size), &mut sink)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        let read = |text: &str| text.parse::<Bytes>().map(|Bytes(size)| size);
        assert_eq!(read("100MB"), Ok(100_000_000));
        assert_eq!(read("1.5 GB"), Ok(1_500_000_000));
        assert_eq!(read("12kB"), Ok(12_000));
        assert_eq!(read("77"), Ok(77));
        for bad in ["", "MB", "-1MB", "0", "1TB", "nan"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
