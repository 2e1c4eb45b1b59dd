//! `alinea model merge`: one model from several.

use std::path::PathBuf;

use alinea::error::{Error, Result};
use alinea::format::sink;
use alinea::model::{Merged, Model};
use serde_json::json;

use crate::context::Context;
use crate::input::paths::{Role, check_distinct};
use crate::resources::{ThreadOptions, WorkDirOptions};

const LONG_ABOUT: &str = "\
Merge models trained on different texts into one by adding up their counts.

Examples:
  alinea model merge news.alinea books.alinea -o both.alinea";

const AFTER_LONG_HELP: &str = "\
The models must be of the same kind and have read their text the same way. The merged model does not recognize their \
training texts, nor does it include any --dictionary. It does not replace a model trained on all texts together, where \
the texts inform each other in every iteration, but merging costs almost nothing.";

/// Merge several models into one
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(super) struct Args {
    /// Models to merge
    #[arg(value_name = "MODEL", required = true)]
    models: Vec<PathBuf>,
    /// Output file for the model
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    work_dir: WorkDirOptions,
}

/// Merges.
pub(super) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    let Args { models, output, threads, work_dir } = args;
    work_dir.install()?;
    let inputs: Vec<Role<'_>> = models.iter().map(|path| Role::new("MODEL", path)).collect();
    check_distinct(&inputs, &[Role::new("--output", output)])?;
    let models = models.iter().map(|path| Model::open(path)).collect::<Result<Vec<_>>>()?;
    let mut sink = sink::create_uncompressed(output)?;
    let Merged { aligner, words } = Merged::of(&models.iter().collect::<Vec<_>>(), &threads.parallelism()?)?;
    aligner.save(&words, models[0].form(), &mut sink).map_err(|error| Error::io(output, error))?;
    sink.finish()?;
    let of_words = [words.source_frequencies().len(), words.target_frequencies().len()];
    let lines = [
        ("words", format!("{} source, {} target", of_words[0], of_words[1])),
        ("lexicon", format!("{} word pairs", aligner.index().len())),
        ("model", aligner.signature()),
    ];
    let lines: Vec<String> = lines.iter().map(|(name, value)| format!("{name:<10} {value}")).collect();
    let numbers = json!({
        "source_words": of_words[0], "target_words": of_words[1], "word_pairs": aligner.index().len(),
        "signature": aligner.signature(),
    });
    context.summary(&lines.join("\n"), &numbers);
    Ok(())
}
