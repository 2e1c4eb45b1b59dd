//! `alinea project labels`: carries labels, such as names, over to the translation.
//!
//! `formats` tells the format of the source, and `files` reads files as wholes. Three kinds of formats go three ways, each with its own target:
//!
//! * `spans`: words with tags, in columns or in MISC of CoNLL-U, are labels of stretches of words (`alinea::project::labels`);
//! * `tags`: other fields of CoNLL-U are tags of words (`alinea::project::tags`);
//! * `characters`: labels of characters, in JSON (`json`) or brat's standoff (`brat`), become labels of words, which `cut` finds.
//!
//! `words` has the targets of the first two. Links come from `word_links`. `report` says of each label what became of it, and counts.

mod brat;
mod characters;
mod cut;
mod files;
mod formats;
mod json;
mod options;
mod report;
mod spans;
mod tags;
mod words;

use std::path::PathBuf;

use alinea::error::Error;
use alinea::format::conllu_field::Field;
use alinea::format::offsets::Offsets;
use alinea::format::sink::{self, Output};
use alinea::labels::Scheme;
use alinea::parallel::{Parallelism, Work};
use alinea::project::labels::{LabelConfig, Method};

use self::cut::{PartialWords, TokenizeName};
use self::formats::LabelFormat;
use super::word_links::{LinkSourceArgs, Sentences};
use crate::context::Context;
use crate::input::kind::Rare as _;
use crate::input::trees::unequal;
use crate::resources::ThreadOptions;

const LONG_ABOUT: &str = "\
Carry labels of a text, such as names, or tags of its words, over to its translation.

Examples:
  alinea project labels names.en.iob2 text.de > names.de.iob2
                                         align the words, and label the German ones
  alinea project labels names.en.iob2 text.de --add more.en more.de -o names.de.iob2 --report report.jsonl
                                         with more text to learn from; say what became of each label
  alinea project labels names.en.iob2 text.de -m en-de.alinea
  alinea project labels names.en.iob2 text.de --links posteriors.txt
                                         links of a saved model, or of a file
  alinea project labels names.en.jsonl text.de -o names.de.jsonl
                                         labels of characters, as Prodigy, Doccano and Label Studio export them
  alinea project labels names.en.ann text.de.txt -o text.de.ann
                                         standoff annotation of brat
  alinea project labels en.conllu de.conllu --field upos -o de-tagged.conllu
                                         parts of speech";

const AFTER_LONG_HELP: &str = "\
Formats of the source, told by its name or content:
  columns  a word per line, a blank line after each sentence, and columns separated by tabs or blanks, one of which has \
tags: O, B-PER, I-PER (IOB1, IOB2, BIOES and BILOU are understood). The target has one sentence per line, words \
separated by blanks; a file whose name ends in .iob, .iob1, .iob2, .bio, .bioes, .conll or .tsv has columns, too.
  conllu   CoNLL-U (.conllu). The target is CoNLL-U, too, or has one sentence per line.
  json     records (.json, .jsonl, .ndjson) with spans of characters: `spans`, `label`, `labels` or `entities`, or \
`annotations` of Label Studio. The target has one text per line, or is such a file.
  brat     a text (.txt) and its annotation (.ann); each line is a sentence. The target is a text.";

/// Carry labels of words or characters, such as names, over to the translation
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(super) struct Args {
    /// Source text with its labels
    #[arg(value_name = "SOURCE")]
    source: PathBuf,
    /// Target sentences
    #[arg(value_name = "TARGET")]
    target: PathBuf,
    #[command(flatten)]
    links: LinkSourceArgs,
    /// How a label finds its words
    #[arg(long, value_name = "METHOD", value_parser = options::methods(), default_value = "consistent")]
    #[arg(help_heading = "Labels")]
    method: Method,
    /// Leave out labels with less confidence, from 0 to 1
    #[arg(long, value_name = "P", default_value_t = 0.0, help_heading = "Labels")]
    min_confidence: f32,
    /// Minimum confidence of a link, for hull, longest and all
    #[arg(long, value_name = "P", default_value_t = 0.36, help_heading = "Labels", rare = true)]
    threshold: f32,
    /// Format of the source [default: by its name, or by its content]
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = "Reading")]
    format: Option<LabelFormat>,
    /// Column of the source words [default: the first, or the second behind numbers]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Reading")]
    words: Option<u32>,
    /// Column of the tags [default: the last one that has nothing else]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Reading")]
    tags: Option<u32>,
    /// What to carry of CoNLL-U: upos, xpos, feats, or misc:NAME, tags such as B-PER in MISC [default: misc:NER]
    #[arg(long, value_name = "FIELD", value_parser = options::fields(), help_heading = "Reading")]
    field: Option<Field>,
    /// What offsets of json and brat count
    #[arg(long, value_name = "UNIT", value_parser = options::units(), help_heading = "Reading")]
    #[arg(default_value = "characters")]
    offsets: Offsets,
    /// How the texts of json and brat are cut into words
    #[arg(long, value_name = "HOW", value_enum, help_heading = "Reading")]
    tokenize: Option<TokenizeName>,
    /// Words of the texts of json and brat, one sentence per line, separated by blanks
    #[arg(long, value_names = ["SOURCE", "TARGET"], num_args = 2, conflicts_with = "tokenize", help_heading = "Reading")]
    tokens: Vec<PathBuf>,
    /// What becomes of labels of characters that begin or end inside a word
    #[arg(long, value_name = "HOW", value_enum, default_value_t = PartialWords::Widen, help_heading = "Reading")]
    partial_words: PartialWords,
    /// Only write the words that links count, one sentence per line, to align them elsewhere
    #[arg(long, value_names = ["SOURCE", "TARGET"], num_args = 2, help_heading = "Output")]
    #[arg(conflicts_with_all = ["links", "report", "output"])]
    write_words: Vec<PathBuf>,
    /// Output file (- for standard output)
    #[arg(short, long, value_name = "FILE", default_value = "-", help_heading = "Output")]
    output: PathBuf,
    /// Scheme of the tags [default: that of the source]
    #[arg(long, value_name = "SCHEME", value_parser = options::schemes(), help_heading = "Output")]
    scheme: Option<Scheme>,
    /// Write the confidence of each label into json, as `score`
    #[arg(long, help_heading = "Output")]
    scores: bool,
    /// Output file with a JSON line for each source label: where it is in the target, or why it is not (for tags, for
    /// each target word)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadOptions,
}

/// What is the same for all formats.
struct Task<'a> {
    args: &'a Args,
    context: &'a Context,
    parallelism: Parallelism,
}

pub(super) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    args.links.check()?;
    args.config().validate()?;
    let source = formats::Found::new(args)?;
    args.check_options(source.format)?;
    args.check_paths(&source)?;
    let task = Task { args, context, parallelism: args.threads.parallelism()? };
    match source.format {
        LabelFormat::Columns => spans::of_columns(&task, &source),
        LabelFormat::Conllu => match args.field.clone().unwrap_or(Field::Misc("NER".to_owned())) {
            Field::Misc(name) => spans::of_conllu(&task, &source, &Field::Misc(name)),
            field => tags::run(&task, &source, &field),
        },
        LabelFormat::Json => json::run(&task, &source),
        LabelFormat::Brat => brat::run(&task, &source),
    }
}

impl Args {
    fn config(&self) -> LabelConfig {
        LabelConfig::default().with(|config| {
            config.method = self.method;
            config.threshold = self.threshold;
            config.min_confidence = self.min_confidence;
        })
    }
}

impl Task<'_> {
    /// The links of each pair, unless words were to be written only; the names are those of the files.
    fn links(
        &self,
        [name, target_name]: [&str; 2],
        [source, target]: [&Sentences<'_>; 2],
    ) -> anyhow::Result<Option<Vec<Vec<alinea::alignment::WeightedLink>>>> {
        if source.len() != target.len() {
            return Err(unequal(name, source.len() as u64, target_name, target.len() as u64).into());
        }
        if let [source_path, target_path] = self.args.write_words.as_slice() {
            let outputs = [(source_path, source), (target_path, target)].map(|(path, words)| write_words(path, words));
            sink::finish_all(outputs.into_iter().collect::<Result<Vec<Output>, Error>>()?)?;
            return Ok(None);
        }
        let work = Work { parallelism: &self.parallelism, observer: self.context.observer() };
        self.args.links.links(name, [source, target], work).map(Some)
    }

    /// The output file, and that of the report, before anything is computed.
    fn outputs(&self) -> Result<(Option<Output>, Option<Output>), Error> {
        let output = if self.args.write_words.is_empty() { Some(sink::create(&self.args.output)?) } else { None };
        Ok((output, self.args.report.as_deref().map(sink::create).transpose()?))
    }
}

/// A sentence a line; blanks within words become no-break spaces, so that they stay words.
fn write_words(path: &std::path::Path, sentences: &Sentences<'_>) -> Result<Output, Error> {
    let mut output = sink::create(path)?;
    for words in sentences {
        let words: Vec<String> =
            words.iter().map(|word| word.replace(|c: char| c.is_ascii_whitespace(), "\u{A0}")).collect();
        output.write_bytes(format!("{}\n", words.join(" ")).as_bytes())?;
    }
    Ok(output)
}
