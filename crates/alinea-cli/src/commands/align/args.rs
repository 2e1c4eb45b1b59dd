//! The options of `alinea align`, and their help.
//!
//! Options that other verbs have too are flattened in: the text (`TextArgs`), training (`TrainingArgs`), chains of
//! textbook models (`ChainArgs`), and the outputs. Here are a model from a file and its adaptation, how links are read
//! off (threshold, objective, symmetrization), and the gold links of the first lines.
//!
//! `request` converts the options to a `Request`; the library decides which go together and what they mean. Options
//! that make no sense with a model from a file are excluded by the grammar. `check_paths` refuses files that would be
//! read twice, written twice, or both.

use std::path::PathBuf;

use alinea::align::{Objective, Request, Threshold};
use alinea::symmetrize::Method;

use super::outputs::OutputPaths;
use crate::input::paths::{Role, check_distinct};
use crate::input::text::TextArgs;
use crate::input::training::{ChainArgs, TrainingArgs};

const LONG_ABOUT: &str = "\
Aligns the words of parallel text: trains a model on it and writes the links of each pair.

Examples:
  alinea align text.en text.fr > links              two files, line by line
  alinea align text.en text.fr -o links.gz          compressed, complete or absent
  paste text.en text.fr | alinea align --bitext - --columns 1,2
                                                    columns of a table, from a pipe
  alinea align --bitext text.en-fr                  lines `source ||| target`
  alinea align raw.en raw.fr --tokenize unicode --format jsonl
                                                    untokenized text; links and words as JSON
  alinea align text.en text.fr --threshold 0.25     more links: lower confidence is enough
  alinea align text.en text.fr --threshold auto     as many as are expected to score best
  alinea align text.en text.fr --objective precision:0.95
                                                    few links, but right ones
  alinea align text.en text.fr --add news.en news.fr --weight 0.3
                                                    learns from other text too, at a lower weight
  alinea align text.en text.fr --dictionary words.tsv --links first-lines.pharaoh
                                                    keeps to what is known: translations, links
  alinea align -m en-fr.alinea text.en text.fr      with a model that `alinea train` has written
  alinea align -m en-fr.alinea --adapt 2 text.en text.fr
                                                    which learns from the text too
  alinea align text.en text.fr --model agreement    faster and smaller, with more errors
  alinea align text.en text.fr --model quality      the fewest errors, for some five times the time
  alinea align text.en text.fr --model hmm --forward f --reverse r
                                                    the textbook model; each direction's links too
  alinea align text.en text.fr --gold text.gold -o links
                                                    with scores of the first lines";

const AFTER_LONG_HELP: &str = "\
Links are written `0-0 1-2`: source position, target position, both from 0, one line a pair. A pair with an empty side \
has an empty line: line n of the output is always line n of the text. Models are trained on the text itself; the more \
text, the better the links.

Models:
  agreement-loo  two HMMs trained to agree, with back-off to stems and spelling;
                 no sentence confirms its own guesses (default)
  quality        the same, interpolated with three such models of subwords: the fewest errors,
                 for some five times the time
  agreement      the same, but sentences confirm their guesses; faster, smaller, less accurate
  hmm            the textbook HMM (Vogel, Ney and Tillmann 1996), directions apart
  ibm1           IBM Model 1 (Brown et al. 1993), directions apart
  ibm2, ibm3, ibm4, ibm5
                 the other models of Brown et al., in chains such as
                 --iterations ibm1:5,hmm:5,ibm3:3,ibm4:3.
                 ibm4 and ibm5 learn 50 classes of words, or take --source-classes and --target-classes
  diagonal       Model 2 along the diagonal (Dyer, Chahuneau and Smith 2013)
  default        another name of agreement-loo

Models from files:
With --model-file nothing is trained: text flows through the model in bounded memory, and is read as the model's own was \
(--tokenize, --no-lowercase). Its own text gets the links it got in training. With --adapt the text is read whole, and \
what it teaches in so many passes comes on top of what the model has learned: 2 to 4 are enough.

Added text:
Text of --add is learned from as if it stood behind yours, but gets no links. The more it differs from yours, the lower its weight should be: what a pair adds to the expected counts of word pairs is multiplied by it. Text of the same kind deserves --weight 1.

Known beforehand:
An entry of a --dictionary counts as if its two words had been seen linked so many times before: its weight, or 0.01 if \
it has none. That is enough for EM to find the pair; a dictionary that has all translations of its words deserves more, \
up to 1. Words that share the stems of an entry profit too. Where --links gives links for a pair, all others are forbidden \
there: give all links of that pair, or none. Such pairs come out as given, and teach the others.

Thresholds:
--threshold auto takes confidences for the probabilities that links are right. From them follow the expected \
precision and recall of each threshold from 0.2 to 0.7 in steps of 0.025, and the best one is used for the whole text. \
Measured are at most 20,000 pairs, evenly spaced; that takes as long as aligning these. --objective says what is best:
  f:ALPHA        the best F = 1 / (ALPHA / precision + (1 - ALPHA) / recall) [default: f:0.5]
  aer            the same as f:0.5: without links made by people, all count as sure
  precision:P    the smallest threshold with an expected precision of P or more; if none, 0.7
Expectations are the model's own, and it may be too sure of itself; --gold tells how good links are.

Results do not depend on --threads, and are the same in every run.";

const USAGE: &str = "alinea align [OPTIONS] <SOURCE> <TARGET>\n       alinea align [OPTIONS] --bitext <FILE>";

/// Aligns the words of parallel text
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP, override_usage = USAGE)]
pub(crate) struct Args {
    /// The text.
    #[command(flatten)]
    pub(super) text: TextArgs,

    /// How a model is trained on it.
    #[command(flatten)]
    pub(super) training: TrainingArgs,
    /// What is asked of chains of models.
    #[command(flatten)]
    pub(super) chain: ChainArgs,
    /// A model written by `alinea train`, in place of one trained on the text
    #[arg(short, long, value_name = "FILE", help_heading = "Model", conflicts_with_all = ["model", "iterations", "pegging", "source_classes", "target_classes", "checkpoint", "files", "joint", "weights", "tokenize", "no_lowercase"])]
    pub(super) model_file: Option<PathBuf>,
    /// With --model-file, learn from the text too: so many passes over it, on top of what the model has learned
    #[arg(long, value_name = "N", requires = "model_file", help_heading = "Model")]
    pub(super) adapt: Option<u32>,
    /// With --model-file, write the links of each pair before the next is read
    #[arg(long, requires = "model_file", conflicts_with = "adapt", help_heading = "Output")]
    pub(super) line_buffered: bool,

    /// Links are the pairs of words with at least this confidence, from 0 to 1, or auto: chosen for the text [default:
    /// 0.45 with agreement-loo and agreement, 0.35 with quality, but 0.45 for text that is new to a model from a file]
    #[arg(long, value_name = "T", conflicts_with = "symmetrize", help_heading = "Model")]
    pub(super) threshold: Option<Threshold>,
    /// What auto chooses the threshold for: f:ALPHA, aer or precision:P; implies --threshold auto [default: f:0.5]
    #[arg(long, value_name = "WHAT", conflicts_with = "symmetrize", help_heading = "Model")]
    pub(super) objective: Option<Objective>,
    /// Links are the two directions' best paths joined: intersection, union, grow, grow-diag, grow-diag-final,
    /// grow-diag-final-and [default: the last, with hmm, ibm1 and other textbook models]
    #[arg(long, value_name = "METHOD", help_heading = "Model", hide_possible_values = true)]
    pub(super) symmetrize: Option<Method>,

    /// What is written.
    #[command(flatten)]
    pub(super) outputs: OutputPaths,

    /// Links made by people for the first lines, as `0-0 1p2` (p: only possible); scores are printed at the end
    #[arg(long, value_name = "FILE", help_heading = "Evaluation")]
    pub(super) gold: Option<PathBuf>,
    /// Score only links between words that both have a gold link
    #[arg(long, requires = "gold", help_heading = "Evaluation")]
    pub(super) annotated_only: bool,
}

impl Args {
    /// What is asked for.
    pub(super) fn request(&self) -> Request {
        let Self { threshold, objective, symmetrize, .. } = *self;
        let request = self.chain.request(self.training.request());
        request.with(|c| {
            c.threshold = threshold;
            c.objective = objective;
            c.symmetrize = symmetrize;
            c.calibrated = self.outputs.calibrated;
        })
    }

    /// Refuses files that would be read twice, written twice, or read and written.
    pub(super) fn check_paths(&self) -> anyhow::Result<()> {
        let own = [("--gold", self.gold.as_deref()), ("--model-file", self.model_file.as_deref())];
        let own = own.into_iter().filter_map(|(name, path)| Some((name, path?)));
        let inputs = self.text.paths().chain(own).chain(self.training.paths()).chain(self.chain.paths());
        let inputs = inputs.map(|(name, path)| Role::new(name, path));
        let outputs =
            self.outputs.all().chain(self.training.checkpoint.path()).map(|(name, path)| Role::new(name, path));
        check_distinct(&inputs.collect::<Vec<_>>(), &outputs.collect::<Vec<_>>())
    }
}
