//! `alinea train`: trains an alignment model on parallel text and saves it to a file.
//!
//! Options and paths are checked, and the output and the checkpoint opened, before anything is read. Then come the
//! text, or an even sample of it (`--train-on`), the added text, the dictionary and the links; the passes of EM,
//! with an encoder twice; and the file, which is written uncompressed and appears when it is complete. A checkpoint is
//! deleted at the end. The summary on standard error has sizes, and with `--signature` that of the model.
//!
//! A text may also be counted in parts. `--shard K/N --counts FILE` writes the expected counts of the K-th of N parts
//! in the next pass, `alinea merge-counts` adds up the parts, and `--after` continues from a pass that was counted.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use alinea::align::{self, Checkpoint, Recipe, Trained, TrainedModel};
use alinea::error::Error;
use alinea::format::bitext::Unseen;
use alinea::format::sink;
use alinea::model::Shard;
use alinea::parallel::Work;
use anyhow::bail;
use serde_json::json;

use super::merge_counts;
use crate::context::Context;
use crate::input::encode::{EncodeArgs, LINES};
use crate::input::encoder::EncoderArgs;
use crate::input::kind::{Rare as _, letter};
use crate::input::paths::{Role, check_distinct};
use crate::input::text::TextArgs;
use crate::input::training::{LearnedText, Reading, TrainingArgs, cut_summary};
use crate::resources::{ThreadOptions, WorkDirOptions};

const LONG_ABOUT: &str = "\
Train a model on parallel text and save it to a file, for `alinea align --model-file`.

Examples:
  alinea train text.en text.fr -m en-fr.alinea      train on two files, line by line
  alinea align -m en-fr.alinea new.en new.fr        align new text with it
  alinea train text.en text.fr -m en-fr.alinea --train-on 300000
                                                    for many millions of pairs: train on a sample
  alinea train text.en text.fr -m en-fr.alinea --add news.en news.fr
                                                    also train on other text, at a lower weight
  alinea train text.en text.fr -m en-fr.alinea --encoder intfloat/multilingual-e5-small --encode 5000
                                                    learn from what a pretrained encoder knows of 5000 pairs;
                                                    `alinea align -m` needs no encoder";

const AFTER_LONG_HELP: &str = "\
A model stores how the text was read (--tokenize, --no-lowercase), and reads other text in the same way. It recognizes \
its training pairs by a 64-bit hash and aligns them exactly as in training. Unknown words are aligned by stem and \
spelling.

Models are safetensors files, which other programs can open. They have checksums, and damaged models are rejected (see \
`alinea model check`); they cannot be compressed.

`alinea train --help-all` shows the rest: weights of added text, checkpoints, counting a text in parts, and so on.";

const USAGE: &str = "alinea train [OPTIONS] --model-file <FILE> <SOURCE> <TARGET>\n       alinea train [OPTIONS] --model-file <FILE> --bitext <FILE>";

/// Train a model and save it to a file
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP, override_usage = USAGE)]
#[command(mut_arg("skip_long", |arg| arg.help("Leave out longer pairs instead of failing")))]
#[command(arg(letter("output_letter", 'o', "the output file for the model is --model-file (-m)")))]
pub(crate) struct Args {
    /// The text.
    #[command(flatten)]
    text: TextArgs,
    /// Output file for the model
    #[arg(short, long, value_name = "FILE", help_heading = "Output", required_unless_present = "shard")]
    model_file: Option<PathBuf>,
    /// Print the signature, a line that identifies the model and how it was trained, for papers
    #[arg(long, help_heading = "Output", rare = true)]
    signature: bool,
    /// How a model is trained on it.
    #[command(flatten)]
    training: TrainingArgs,
    /// Word vectors of a pretrained encoder.
    #[command(flatten)]
    encoder: EncoderArgs,
    /// Which pairs have some.
    #[command(flatten)]
    encode: EncodeArgs,
    /// Train on a sample of N pairs, even by place in the text and by length; `alinea align -m` aligns all of them
    #[arg(long, value_name = "N", conflicts_with_all = ["links", "gold"], help_heading = "Model")]
    train_on: Option<usize>,
    /// Count only the K-th of N parts of the text in the next pass; see `alinea merge-counts --help`
    #[arg(long, value_name = "K/N", help_heading = "Parts", requires = "counts",
        conflicts_with_all = ["model_file", "checkpoint", "encoder", "gold"], rare = true)]
    shard: Option<Shard>,
    /// Output file for the counts of the part
    #[arg(long, value_name = "FILE", help_heading = "Parts", requires = "shard", rare = true)]
    counts: Option<PathBuf>,
    /// Continue after the pass whose counts are in this file
    #[arg(long, value_name = "FILE", help_heading = "Parts", conflicts_with_all = ["checkpoint", "encoder", "gold"],
        rare = true)]
    after: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    work_dir: WorkDirOptions,
}

/// Trains, or counts a part of the text.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    let Args { text: text_args, training: training_args, train_on, model_file, shard, counts, after, .. } = args;
    args.work_dir.install()?;
    let request = training_args.request().with(|c| c.needs.extend(args.encoder.feature()));
    let (config, form) = (request.recipe_for_file()?, text_args.form());
    let options = text_args.read_options(form, args.encoder.is_given());
    options.validate()?;
    let own = after.as_deref().map(|path| Role::new("--after", path));
    let inputs = text_args.paths().chain(training_args.paths()).map(|(name, path)| Role::new(name, path)).chain(own);
    let outputs = [("--model-file", model_file.as_deref()), ("--counts", counts.as_deref())];
    let outputs = outputs.into_iter().filter_map(|(name, path)| Some((name, path?)));
    let outputs = outputs.chain(training_args.checkpoint.path()).chain(args.encoder.cache());
    let outputs: Vec<Role<'_>> = outputs.map(|(name, path)| Role::new(name, path)).collect();
    check_distinct(&inputs.collect::<Vec<_>>(), &outputs)?;
    let Some(path) = model_file.as_deref().or(counts.as_deref()) else { bail!("--model-file or --counts is needed") };
    text_args.check_columns(training_args.added.has_joint())?;
    training_args.added.check()?;
    training_args.known.check()?;
    if let Some(purpose) = training_args.known.purpose() {
        bail!("--links {purpose} is for `alinea align`, which reads links off the model");
    }
    let parallelism = args.threads.parallelism()?;
    let mut output = sink::create_uncompressed(path)?;
    let checkpoint = training_args.checkpoint.open()?;
    let encoder = args.encode.open(&args.encoder, checkpoint.as_ref())?;

    let reading = Reading { some: *train_on, classes: None };
    let learned = training_args.read(text_args, &options, reading, &parallelism, context)?;
    let observer = context.observer();
    let work = Work { parallelism: &parallelism, observer };
    let (trained, learned) = if let Some(encoder) = &encoder {
        let lines = learned.kept.as_ref().expect(LINES);
        let (trained, data) = encoder.of(lines).train(&Recipe::Joint(config), learned.data, work)?;
        (trained, LearnedText { data, ..learned })
    } else if shard.is_none() && after.is_none() {
        (Trained::train(Recipe::Joint(config), &learned.data, checkpoint.as_ref(), work)?, learned)
    } else {
        let mut training = learned.data.begin(config, work)?;
        if let Some(after) = after {
            align::resume(&mut training, after, &parallelism)?;
        }
        if let Some(shard) = *shard {
            training.count(shard, &parallelism, observer)?;
            let counts = training.counts()?;
            counts.write(&mut output).map_err(|error| Error::io(path, error))?;
            output.finish()?;
            merge_counts::tell(&counts, context);
            return Ok(());
        }
        (training.run(&parallelism, observer)?.into(), learned)
    };
    observer.started("writing", 0);
    trained.save(&learned.data, form, &mut output).map_err(|error| Error::io(path, error))?;
    output.finish()?;
    checkpoint.map_or(Ok(()), Checkpoint::delete)?;
    tell(path, &learned, &trained, context);
    learned.known.tell_gold(trained.gold_scores(), context)?;
    if args.signature {
        context.answer(format_args!("signature  {}", trained.signature()));
    }
    Ok(())
}

/// What was trained.
fn tell(path: &Path, learned: &LearnedText, trained: &Trained, context: &Context) {
    let LearnedText { data, tokens, report, known, unseen, .. } = learned;
    let (bitext, pairs) = (data.text(), data.pairs());
    let bytes = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    let words = [bitext.source_frequencies().len(), bitext.target_frequencies().len()];
    context.observer().finished(&format!("{bytes} bytes"));
    let signature = trained.signature();
    let beforehand = known.summary(trained.given_word_pairs());
    let TrainedModel::Joint(aligner) = trained.model() else { unreachable!("chains have no files") };
    let word_pairs = aligner.index().len();
    let mut lines = String::new();
    // Writing to a string cannot fail.
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(lines, "{name:<10} {value}");
    };
    line("pairs", &pairs.to_string());
    line("tokens", &format!("{} source, {} target", tokens[0], tokens[1]));
    line("words", &format!("{} source, {} target", words[0], words[1]));
    line("lexicon", &format!("{word_pairs} word pairs"));
    if let Some(unseen) = unseen {
        line("unseen", &unseen_summary(unseen));
    }
    let cut = bitext.cut_pairs(pairs);
    if cut > 0 {
        line("segments", &cut_summary(cut));
    }
    for (name, text, _) in &beforehand {
        line(name, text);
    }
    line("file", &format!("{}, {:.1} MB", path.display(), bytes as f64 / 1e6));
    let mut numbers = json!({
        "pairs": report.pairs, "source_tokens": tokens[0], "target_tokens": tokens[1], "source_words": words[0],
        "target_words": words[1], "word_pairs": word_pairs, "bytes": bytes, "signature": signature,
    });
    if let Some([source, target]) = unseen {
        let shares = |unseen: &Unseen| json!({"types": unseen.share_of_types(), "tokens": unseen.share_of_tokens()});
        numbers["unseen"] = json!({"source": shares(source), "target": shares(target)});
    }
    if cut > 0 {
        numbers["in_stretches"] = json!(cut);
    }
    for (name, _, value) in beforehand {
        numbers[name] = value;
    }
    context.summary(lines.trim_end(), &numbers);
}

/// What the sample does not have of the words of the text.
fn unseen_summary([source, target]: &[Unseen; 2]) -> String {
    let side = |name: &str, unseen: &Unseen| {
        let [types, tokens] = [unseen.share_of_types(), unseen.share_of_tokens()].map(|share| 100.0 * share);
        format!("{types:.1} % of {name} words, {tokens:.2} % of tokens")
    };
    format!("{}; {}", side("source", source), side("target", target))
}
