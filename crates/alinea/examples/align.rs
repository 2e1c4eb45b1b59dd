//! Aligns the words of two files, as `alinea align` does, and writes the links in Pharaoh format.
//!
//! ```text
//! cargo run --release --example align -- en-fr.en en-fr.fr en-fr.links
//! ```

use std::env;
use std::path::{Path, PathBuf};

use alinea::align::{Request, Trained, TrainingData};
use alinea::alignment::Alignment;
use alinea::error::Result;
use alinea::format::bitext::{BitextSource, ReadOptions, read};
use alinea::format::sink;
use alinea::parallel::{Parallelism, Work};
use alinea::progress::Silent;

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let paths: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [source, target, links] = paths.as_slice() else { return Err("usage: align SOURCE TARGET LINKS".into()) };
    align(source, target, links)?;
    Ok(())
}

/// Trains the default model on a text and writes a line of links for each sentence pair.
pub(crate) fn align(source: &Path, target: &Path, links: &Path) -> Result<()> {
    let parallelism = Parallelism::new(0)?; // a thread for each core: the links are the same under any number
    let work = Work { parallelism: &parallelism, observer: &Silent };
    let files = BitextSource::Files { source: source.into(), target: target.into() };
    let text = read(&files, &ReadOptions::default(), &parallelism)?.bitext;
    let data = TrainingData::of(text)?.build()?;

    // Another model: Request::default().with(|request| request.model = ModelName::Quality)
    let plan = Request::default().plan()?;
    let trained = Trained::train(plan.recipe, &data, None, work)?;

    // The file is complete or absent.
    let mut output = sink::create(links)?;
    for pair in trained.links(&data, plan.decoding, work)? {
        let links: Alignment = pair.iter().map(|found| found.link).collect();
        output.write_bytes(format!("{links}\n").as_bytes())?;
    }
    output.finish()
}
