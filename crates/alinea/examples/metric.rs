//! Scores a translation against a reference by BLEU and chrF, with the numbers and signatures of sacreBLEU.
//!
//! ```text
//! cargo run --release --example metric -- reference.fr system.fr
//! ```

use std::env;
use std::error::Error;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use alinea::format::lines::{LineReader, Utf8};
use alinea::metric::bleu::{Bleu, BleuConfig};
use alinea::metric::chrf::{Chrf, ChrfConfig};
use alinea::metric::{Metric, Segments, Signature, measure};
use alinea::parallel::Parallelism;

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [reference, system] = paths.as_slice() else { return Err("usage: metric REFERENCE SYSTEM".into()) };
    score(reference, system, &mut stdout().lock())
}

/// Writes a line for each metric: name, signature, score and details.
pub(crate) fn score(reference: &Path, system: &Path, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let references = lines(reference)?.into_iter().map(Some).collect();
    let segments = Segments::from_streams(&[lines(system)?], &[references])?;
    let bleu = Bleu::new(BleuConfig::default())?;
    let chrf = Chrf::new(ChrfConfig::default())?;
    let metrics: [&dyn Metric; 2] = [&bleu, &chrf];
    let parallelism = Parallelism::new(0)?;
    for metric in metrics {
        let statistics = measure(metric, &segments, &parallelism)?;
        let sums = statistics[0].sums();
        let signature = Signature::shared(Some(1), &[]).join(&metric.signature());
        let line = format!("{}|{signature} = {:.2} {}", metric.name(), metric.score(&sums), metric.details(&sums));
        writeln!(output, "{}", line.trim_end())?;
    }
    Ok(())
}

/// The lines of a file, which may be compressed.
fn lines(path: &Path) -> Result<Vec<String>, alinea::error::Error> {
    let mut reader = LineReader::open(path, Utf8::Strict)?;
    let mut lines = Vec::new();
    while let Some(line) = reader.read()? {
        lines.push(line.to_owned());
    }
    Ok(lines)
}
