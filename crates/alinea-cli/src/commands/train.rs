//! `alinea train`: a model in a file, for text to come.

use std::path::{Path, PathBuf};

use alinea::error::Error;
use alinea::format::sink;
use alinea::model::Aligner;
use anyhow::bail;
use serde_json::json;

use super::Status;
use super::paths::{Role, check_distinct};
use super::text::TextArgs;
use super::training::{LearnedText, TrainingArgs};
use crate::context::Context;

const LONG_ABOUT: &str = "\
Trains a model on parallel text and keeps it in a file, for `alinea align --model-file`.

Examples:
  alinea train text.en text.fr -m en-fr.alinea      learn from two files, line by line
  alinea align -m en-fr.alinea new.en new.fr        align other text with it
  alinea train text.en text.fr -m en-fr.alinea --add news.en news.fr --weight 0.3
                                                    learn from other text too, at a lower weight";

const AFTER_LONG_HELP: &str = "\
A model remembers how the text was read (--tokenize, --no-lowercase), and reads other text the same way. It knows the \
sentence pairs it was trained on again, by a number of 64 bits each, and aligns them as `alinea align` would have: to \
the same links. Words it does not know it understands by their stems and spelling.

Models are safetensors files: other programs can open them. They are mapped into memory, not read, so they cannot be \
compressed, and are there at once.";

const USAGE: &str = "alinea train [OPTIONS] --model-file <FILE> <SOURCE> <TARGET>\n       alinea train [OPTIONS] --model-file <FILE> --bitext <FILE>";

/// Trains a model and keeps it in a file
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP, override_usage = USAGE)]
pub(crate) struct Args {
    /// The text.
    #[command(flatten)]
    text: TextArgs,
    /// How a model is trained on it.
    #[command(flatten)]
    training: TrainingArgs,
    /// Where the model goes
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    model_file: PathBuf,
}

/// Trains.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Status> {
    let Args { text: text_args, training, model_file } = args;
    let (config, form) = (training.config()?, text_args.form());
    let options = text_args.read_options(form, false);
    options.validate()?;
    let inputs = text_args.paths().chain(training.paths()).map(|(name, path)| Role::new(name, path));
    check_distinct(&inputs.collect::<Vec<_>>(), &[Role::new("--model-file", model_file)])?;
    check_name(model_file)?;
    text_args.check_columns(training.added.has_joint())?;
    training.added.check()?;
    let parallelism = context.parallelism()?;
    let mut output = sink::create(model_file)?;

    let learned = training.read(text_args, &options, &parallelism, context)?;
    let LearnedText { bitext, pairs, tokens, report, known, .. } = &learned;
    let observer = context.observer();
    let aligner = Aligner::train_with(bitext, config, &known.supervision, &parallelism, observer)?;
    known.warn(&aligner, context);
    observer.started("writing", 0);
    aligner.save(bitext, form, &mut output).map_err(|error| Error::io(model_file, error))?;
    output.finish()?;
    let bytes = std::fs::metadata(model_file).map_or(0, |metadata| metadata.len());
    let words = [bitext.source_frequencies().len(), bitext.target_frequencies().len()];
    observer.finished(&format!("{bytes} bytes"));
    let signature = aligner.signature();
    let beforehand = known.told(&aligner);
    let lines: String = beforehand.iter().map(|(name, text, _)| format!("{name:<10} {text}\n")).collect();
    let told = format!(
        "{:<10} {pairs}\n{:<10} {} source, {} target\n{:<10} {} source, {} target\n{:<10} {} pairs of words\n{lines}{:<10} {}, {:.1} MB\n{:<10} {signature}",
        "pairs",
        "tokens",
        tokens[0],
        tokens[1],
        "words",
        words[0],
        words[1],
        "lexicon",
        aligner.index().len(),
        "file",
        model_file.display(),
        bytes as f64 / 1e6,
        "model"
    );
    let mut numbers = json!({
        "pairs": report.pairs, "source_tokens": tokens[0], "target_tokens": tokens[1], "source_words": words[0],
        "target_words": words[1], "word_pairs": aligner.index().len(), "bytes": bytes, "signature": signature,
    });
    for (name, _, value) in beforehand {
        numbers[name] = value;
    }
    context.summary(&told, &numbers);
    Ok(Status::Success)
}

/// Refuses names under which no model can be mapped into memory.
fn check_name(path: &Path) -> anyhow::Result<()> {
    let compressed = path.extension().is_some_and(|extension| extension == "gz" || extension == "zst");
    if compressed {
        bail!("{}: a model cannot be compressed, it is mapped into memory", path.display());
    }
    Ok(())
}
