//! Evaluates links against a gold standard that has the first sentences, and prints scores with their intervals.
//!
//! ```text
//! cargo run --release --example evaluate -- en-fr.gold en-fr.links
//! ```

use std::env;
use std::error::Error;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use alinea::evaluate::{Intervals, Options, evaluate};
use alinea::format::alignment::{AlignmentFormat, LinkReadOptions, read_alignments, read_gold};
use alinea::numeric::Interval;

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [gold, links] = paths.as_slice() else { return Err("usage: evaluate GOLD LINKS".into()) };
    report(gold, links, &mut stdout().lock())
}

/// Writes a line for each score, in percent, and the signature: every choice that changes the numbers.
pub(crate) fn report(gold: &Path, links: &Path, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let options = LinkReadOptions::default();
    let gold = read_gold(gold, AlignmentFormat::Pharaoh, &options)?;
    let mut links = read_alignments(links, AlignmentFormat::Pharaoh, &options)?;
    links.truncate(gold.len());

    // By default with 95 % intervals, from 1000 bootstrap samples.
    let evaluation = evaluate(&gold, &links, &Options::default())?;
    if let Some(Intervals { precision, recall, f, aer }) = evaluation.intervals {
        for (name, estimate) in [("AER", aer), ("precision", precision), ("recall", recall), ("F", f)] {
            // A score such as 0 / 0 has no value.
            if let (Some(value), Some(Interval { low, high })) = (estimate.value, estimate.interval) {
                writeln!(output, "{name:9} {:6.2} [{:.2}, {:.2}]", 100.0 * value, 100.0 * low, 100.0 * high)?;
            }
        }
    }
    writeln!(output, "{}", evaluation.signature())?;
    Ok(())
}
