//! The options of `alinea align`, and their help.
//!
//! Options that other verbs have too are flattened in: the text (`TextArgs`), training (`TrainingArgs`), chains of
//! textbook models (`ChainArgs`), and the outputs. Here are a model from a file and its adaptation, how links are read
//! off (threshold, objective, symmetrization). Help has them in the order in
//! which they are needed, and only the common ones; the others are shown by `--help-all`.
//!
//! `request` converts the options to a `Request`; the library decides which go together and what they mean. Options
//! that make no sense with a model from a file are excluded by the grammar, and `advised` says why. `check_paths`
//! refuses files that would be read twice, written twice, or both.

use std::path::PathBuf;

use alinea::align::{Objective, Request, Threshold};
use alinea::symmetrize::Method;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::outputs::OutputPaths;
use crate::input::encode::EncodeArgs;
use crate::input::encoder::EncoderArgs;
use crate::input::kind::Rare as _;
use crate::input::paths::{Role, check_distinct};
use crate::input::text::TextArgs;
use crate::input::tokens::TokenArgs;
use crate::input::training::{ChainArgs, TrainingArgs};
use crate::resources::{ThreadOptions, WorkDirOptions};

const LONG_ABOUT: &str = "\
Align the words of parallel text: train a model on the text and write the links of each sentence pair.

Examples:
  alinea align text.en text.fr > links              two files, line by line
  alinea align text.en text.fr -o links.gz          compressed output
  paste text.en text.fr | alinea align --bitext - --columns 1,2
                                                    columns of a table, from a pipe
  alinea align --bitext text.en-fr                  lines `source ||| target`
  alinea align raw.en raw.fr --tokenize unicode --format jsonl
                                                    untokenized text; links and words as JSON
  alinea align text.en text.fr --links full         more links: what covers the text; sure: fewer
  alinea align text.en text.fr --add news.en news.fr
                                                    also train on other text, at a lower weight
  alinea align -m en-fr.alinea text.en text.fr      with a model trained by `alinea train`
  alinea align text.en text.fr --model quality      fewest errors, about five times slower
  alinea align text.en text.fr --encoder intfloat/multilingual-e5-small
                                                    with word vectors of a pretrained encoder: best for
                                                    little text; see --encode for large text
  alinea align text.en text.fr --model hmm --forward f --reverse r
                                                    the textbook HMM; also the links of each direction
  alinea align text.en text.fr --gold first.links -o links
                                                    learn from hand-made links of the first lines
  alinea align text.en text.fr --source-tokens pieces.en --target-tokens pieces.fr
                                                    links between the subwords of the same lines";

const AFTER_LONG_HELP: &str = "\
Links are written as `0-0 1-2`: source position and target position, both from 0, one line per pair. A pair with an \
empty side gives an empty line, so line n of the output always belongs to line n of the text. The model is trained on \
the text itself; the more text, the better the links. With --model-file nothing is trained: the text is streamed in \
bounded memory, and tokenized and lowercased as the training text of the model was.

`alinea align --help-all` shows the rest: links between subwords, adapting a model, weights of added text, thresholds chosen by expected scores, \
word classes, checkpoints, the signature of a model for papers, and so on.";

const USAGE: &str = "alinea align [OPTIONS] <SOURCE> <TARGET>\n       alinea align [OPTIONS] --bitext <FILE>";

/// Align the words of parallel text
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP, override_usage = USAGE)]
pub(crate) struct Args {
    /// The text.
    #[command(flatten)]
    pub(super) text: TextArgs,
    /// What is written.
    #[command(flatten)]
    pub(super) outputs: OutputPaths,
    /// What the links are to count.
    #[command(flatten)]
    pub(super) tokens: TokenArgs,

    /// How a model is trained on it.
    #[command(flatten)]
    pub(super) training: TrainingArgs,
    /// Word vectors of a pretrained encoder.
    #[command(flatten)]
    pub(super) encoder: EncoderArgs,
    /// Which pairs have some.
    #[command(flatten)]
    pub(super) encode: EncodeArgs,
    /// What is asked of chains of models.
    #[command(flatten)]
    pub(super) chain: ChainArgs,
    /// Model written by `alinea train`, instead of training one on the text
    #[arg(short, long, value_name = "FILE", help_heading = "Model", conflicts_with_all = ["model", "iterations",
        "pegging", "source_classes", "target_classes", "checkpoint", "files", "joint", "weights", "tokenize",
        "lowercase", "no_lowercase"])]
    pub(super) model_file: Option<PathBuf>,
    /// With --model-file, adapt the model to the text first, in N training iterations, 8 if N is left out
    ///
    /// The whole text is read, and the model is trained on it for N iterations on top of what it has learned.
    #[arg(long, value_name = "N", num_args = 0..=1, requires = "model_file", help_heading = "Model", rare = true)]
    pub(super) adapt: Option<u32>,
    /// With --model-file, write the links of each pair before reading the next
    #[arg(long, requires = "model_file", conflicts_with_all = ["adapt", "encoder"], help_heading = "Output", rare = true)]
    pub(super) line_buffered: bool,

    /// Minimum confidence of a link, from 0 to 1 [default: 0.36; 0.39 with quality, 0.45 with agreement]
    #[arg(long, value_name = "T", conflicts_with = "symmetrize", help_heading = "Model")]
    pub(super) threshold: Option<Threshold>,
    /// Choose the threshold for this text by expected scores: precision:P, recall:R, f:ALPHA or aer
    ///
    /// precision:P is the smallest threshold with an expected precision of at least P (if none, the largest), recall:R the largest
    /// with an expected recall of at least R (0.9 without a number), f:ALPHA the best F = 1 / (ALPHA / precision + (1 - ALPHA) /
    /// recall), aer the smallest alignment error rate where gold standards have sure and possible links. Scores of thresholds
    /// from 0.05 to 0.95, in steps of 0.025, are estimated from the confidences of at most 20,000 evenly spaced pairs, and are
    /// usually too good. For known purposes --links is as good.
    #[arg(long, value_name = "WHAT", conflicts_with_all = ["symmetrize", "threshold"], help_heading = "Model", rare = true)]
    pub(super) objective: Option<Objective>,
    /// Symmetrize the best paths of both directions: intersection, union, grow, grow-diag, grow-diag-final or
    /// grow-diag-final-and (the default of hmm, ibm1 and the other textbook models)
    #[arg(long, value_name = "METHOD", help_heading = "Model", hide_possible_values = true)]
    pub(super) symmetrize: Option<Method>,

    /// Print the signature, a line that identifies the model and how it was trained, for papers
    #[arg(long, help_heading = "Output", rare = true)]
    pub(super) signature: bool,
    #[command(flatten)]
    pub(super) threads: ThreadOptions,
    #[command(flatten)]
    pub(super) work_dir: WorkDirOptions,
}

/// Why options of training do not go with a model from a file.
const SAVED: &str = "\
a saved model is used as it was trained: case, tokenization and training are decided by `alinea train`";

/// The complaint with advice, if it is that an option does not go with a model from a file.
pub(crate) fn advised(mut error: clap::Error) -> clap::Error {
    let names_model = |kind| error.get(kind).is_some_and(|names| names.to_string().contains("--model-file"));
    let is_about_model = [ContextKind::InvalidArg, ContextKind::PriorArg].into_iter().any(names_model);
    if error.kind() == ErrorKind::ArgumentConflict && is_about_model {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(SAVED)]));
    }
    error
}

impl Args {
    /// What is asked for.
    pub(super) fn request(&self) -> Request {
        let Self { objective, symmetrize, .. } = *self;
        let purpose = self.training.known.purpose().map(Threshold::For);
        let request = self.chain.request(self.training.request());
        request.with(|c| {
            c.threshold = self.threshold.or(purpose);
            c.objective = objective;
            c.symmetrize = symmetrize;
            c.calibrated = self.outputs.calibrated;
            c.needs.extend(self.encoder.feature());
        })
    }

    /// Refuses files that would be read twice, written twice, or read and written.
    pub(super) fn check_paths(&self) -> anyhow::Result<()> {
        let own = self.model_file.as_deref().map(|path| ("--model-file", path));
        let inputs = self.text.paths().chain(self.tokens.paths()).chain(own);
        let inputs = inputs.chain(self.training.paths()).chain(self.chain.paths());
        let inputs = inputs.map(|(name, path)| Role::new(name, path));
        let outputs = self.outputs.all().chain(self.training.checkpoint.path()).chain(self.encoder.cache());
        let outputs = outputs.map(|(name, path)| Role::new(name, path));
        check_distinct(&inputs.collect::<Vec<_>>(), &outputs.collect::<Vec<_>>())
    }
}
