//! The options, and which of them belong to which format.

use std::path::PathBuf;

use alinea::format::conllu_field::Field;
use alinea::format::offsets::Offsets;
use alinea::labels::Scheme;
use alinea::project::labels::{LabelConfig, Method};
use anyhow::bail;
use clap::ValueEnum as _;

use super::cut::{CutArgs, PartialWords};
use super::formats::{Found, LabelFormat};
use super::options;
use crate::input::kind::Rare as _;
use crate::input::paths::{Role, check_distinct};
use crate::input::word_links::LinkSourceArgs;
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
pub(crate) struct Args {
    /// Source text with its labels
    #[arg(value_name = "SOURCE")]
    pub(super) source: PathBuf,
    /// Target sentences
    #[arg(value_name = "TARGET")]
    pub(super) target: PathBuf,
    #[command(flatten)]
    pub(super) links: LinkSourceArgs,
    /// How a label finds its words
    #[arg(long, value_name = "METHOD", value_parser = options::methods(), default_value = "consistent")]
    #[arg(help_heading = "Labels")]
    pub(super) method: Method,
    /// Leave out labels with less confidence, from 0 to 1
    #[arg(long, value_name = "P", default_value_t = 0.0, help_heading = "Labels")]
    pub(super) min_confidence: f32,
    /// Minimum confidence of a link, for hull, longest and all
    #[arg(long, value_name = "P", default_value_t = 0.36, help_heading = "Labels", rare = true)]
    pub(super) threshold: f32,
    /// Format of the source [default: by its name, or by its content]
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = "Reading")]
    pub(super) format: Option<LabelFormat>,
    /// Column of the source words [default: the first, or the second behind numbers]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Reading")]
    pub(super) words: Option<u32>,
    /// Column of the tags [default: the last one that has nothing else]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Reading")]
    pub(super) tags: Option<u32>,
    /// What to carry of CoNLL-U: upos, xpos, feats, or misc:NAME, tags such as B-PER in MISC [default: misc:NER]
    #[arg(long, value_name = "FIELD", value_parser = options::fields(), help_heading = "Reading")]
    pub(super) field: Option<Field>,
    /// What offsets of json and brat count
    #[arg(long, value_name = "UNIT", value_parser = options::units(), help_heading = "Reading")]
    #[arg(default_value = "characters")]
    pub(super) offsets: Offsets,
    #[command(flatten)]
    pub(super) cut: CutArgs,
    /// Only write the words that links count, one sentence per line, to align them elsewhere
    #[arg(long, value_names = ["SOURCE", "TARGET"], num_args = 2, help_heading = "Output")]
    #[arg(conflicts_with_all = ["links", "report", "output"])]
    pub(super) write_words: Vec<PathBuf>,
    /// Output file (- for standard output)
    #[arg(short, long, value_name = "FILE", default_value = "-", help_heading = "Output")]
    pub(super) output: PathBuf,
    /// Scheme of the tags [default: that of the source]
    #[arg(long, value_name = "SCHEME", value_parser = options::schemes(), help_heading = "Output")]
    pub(super) scheme: Option<Scheme>,
    /// Write the confidence of each label into json, as `score`
    #[arg(long, help_heading = "Output")]
    pub(super) scores: bool,
    /// Output file with a JSON line for each source label: where it is in the target, or why it is not (for tags, for
    /// each target word)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(super) report: Option<PathBuf>,
    #[command(flatten)]
    pub(super) threads: ThreadOptions,
}

impl Args {
    /// How labels are carried.
    pub(super) fn config(&self) -> LabelConfig {
        LabelConfig::default().with(|config| {
            config.method = self.method;
            config.threshold = self.threshold;
            config.min_confidence = self.min_confidence;
        })
    }

    /// Refuses options that say nothing of the format of the source.
    pub(super) fn check_options(&self, format: LabelFormat) -> anyhow::Result<()> {
        use LabelFormat::{Brat, Columns, Conllu, Json};
        let given: [(&str, bool, &[LabelFormat]); 9] = [
            ("--words", self.words.is_some(), &[Columns]),
            ("--tags", self.tags.is_some(), &[Columns]),
            ("--field", self.field.is_some(), &[Conllu]),
            ("--scheme", self.scheme.is_some(), &[Columns, Conllu]),
            ("--offsets", self.offsets != Offsets::default(), &[Json, Brat]),
            ("--tokenize", self.cut.tokenize.is_some(), &[Json, Brat]),
            ("--tokens", !self.cut.tokens.is_empty(), &[Json, Brat]),
            ("--partial-words", self.cut.partial_words != PartialWords::default(), &[Json, Brat]),
            ("--scores", self.scores, &[Json]),
        ];
        for (option, is_given, formats) in given {
            if is_given && !formats.contains(&format) {
                let name = |format: &LabelFormat| {
                    format.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
                };
                let formats: Vec<String> = formats.iter().map(name).collect();
                bail!("{option} is for the formats {}, and the source is {}", formats.join(" and "), name(&format));
            }
        }
        Ok(())
    }

    /// Refuses files that would overwrite each other.
    pub(super) fn check_paths(&self, source: &Found) -> anyhow::Result<()> {
        let target = source.target(&self.target);
        let mut inputs = vec![Role::new("SOURCE", &source.path), Role::new("TARGET", &target)];
        inputs.extend(source.annotation.as_deref().map(|path| Role::new("SOURCE", path)));
        inputs.extend(self.cut.tokens.iter().map(|path| Role::new("--tokens", path)));
        inputs.extend(self.links.paths().map(|(name, path)| Role::new(name, path)));
        let mut outputs: Vec<Role<'_>> = self.write_words.iter().map(|path| Role::new("--write-words", path)).collect();
        if outputs.is_empty() {
            outputs.push(Role::new("--output", &self.output));
        }
        outputs.extend(self.report.as_deref().map(|path| Role::new("--report", path)));
        check_distinct(&inputs, &outputs)
    }
}
