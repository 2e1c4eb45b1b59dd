//! The options of `align`.

use std::path::PathBuf;
use std::str::FromStr;

use alinea::error::{Error, ErrorKind};
use alinea::format::bitext::BitextSource;
use alinea::format::tokens::Tokenize;
use alinea::model::{Objective, Schedule};
use alinea::symmetrize::Method;
use anyhow::bail;
use clap::ValueEnum;

use super::added::Added;
use super::outputs::OutputPaths;
use crate::commands::paths::{Role, check_distinct};

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
  alinea align text.en text.fr --model agreement    faster and smaller, with more errors
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
  agreement      the same, but sentences confirm their guesses; faster, smaller, less accurate
  hmm            the textbook HMM (Vogel, Ney and Tillmann 1996), directions apart
  ibm1           IBM Model 1 (Brown et al. 1993), directions apart
  default        another name of agreement-loo

Added text:
Text of --add is learned from as if it stood behind yours, but gets no links. The more it differs from yours, the lower its weight should be: what a pair adds to the expected counts of word pairs is multiplied by it. Text of the same kind deserves --weight 1.

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
#[expect(clippy::struct_excessive_bools, reason = "flags")]
pub(crate) struct Args {
    /// Source text, one tokenized sentence a line (- for standard input)
    #[arg(value_name = "SOURCE", required_unless_present = "bitext", requires = "target")]
    source: Option<PathBuf>,
    /// Target text, as many lines
    #[arg(value_name = "TARGET")]
    target: Option<PathBuf>,
    /// One file of lines `source ||| target` in place of two files (- for standard input)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["source", "target"], help_heading = "Input")]
    bitext: Option<PathBuf>,
    /// The two columns, from 1, of a table separated by tabs, in place of `|||`
    #[arg(long, value_name = "S,T", help_heading = "Input")]
    columns: Option<Columns>,

    /// How lines are cut into words
    #[arg(long, value_name = "HOW", value_enum, default_value_t = TokenizeName::None, help_heading = "Text")]
    tokenize: TokenizeName,
    /// Tell words apart by case
    #[arg(long, help_heading = "Text")]
    pub(super) no_lowercase: bool,
    /// Replace invalid UTF-8 in place of refusing it
    #[arg(long, help_heading = "Text")]
    pub(super) lossy: bool,
    /// The most words a line may have
    #[arg(long, value_name = "N", default_value_t = 2000, help_heading = "Text")]
    pub(super) max_length: usize,
    /// Leave pairs with a longer line empty in place of refusing them
    #[arg(long, help_heading = "Text")]
    pub(super) skip_long: bool,

    /// The model
    #[arg(long, value_name = "NAME", value_enum, default_value_t = ModelName::AgreementLoo, help_heading = "Model")]
    pub(super) model: ModelName,
    /// Passes of training, such as ibm1:5,hmm:4 [default: the model's, by the size of the text]
    #[arg(long, value_name = "PASSES", help_heading = "Model")]
    pub(super) iterations: Option<Iterations>,
    /// Links are the pairs of words with at least this confidence, from 0 to 1, or auto: chosen for the text [default:
    /// 0.45 with agreement-loo and agreement]
    #[arg(long, value_name = "T", conflicts_with = "symmetrize", help_heading = "Model")]
    pub(super) threshold: Option<Threshold>,
    /// What auto chooses the threshold for: f:ALPHA, aer or precision:P; implies --threshold auto [default: f:0.5]
    #[arg(long, value_name = "WHAT", conflicts_with = "symmetrize", help_heading = "Model")]
    pub(super) objective: Option<Objective>,
    /// Links are the two directions' best paths joined: intersection, union, grow, grow-diag, grow-diag-final,
    /// grow-diag-final-and [default: the last, with hmm and ibm1]
    #[arg(long, value_name = "METHOD", help_heading = "Model", hide_possible_values = true)]
    pub(super) symmetrize: Option<Method>,

    /// What else is learned from.
    #[command(flatten)]
    pub(super) added: Added,

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

/// The models by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModelName {
    /// Two HMMs trained to agree, own counts left out, fertility
    #[value(alias = "default")]
    AgreementLoo,
    /// Two HMMs trained to agree
    Agreement,
    /// The textbook HMM
    Hmm,
    /// IBM Model 1
    Ibm1,
}

/// The ways to cut lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TokenizeName {
    /// At blanks and tabs
    None,
    /// At the word boundaries of Unicode Standard Annex 29
    Unicode,
}

/// Two columns, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Columns {
    source: usize,
    target: usize,
}

impl FromStr for Columns {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "expected two different columns from 1, such as 1,2";
        let (source, target) = text.split_once(',').ok_or(EXPECTED)?;
        let number = |text: &str| text.trim().parse().ok().filter(|&column: &usize| column > 0);
        match (number(source), number(target)) {
            (Some(source), Some(target)) if source != target => Ok(Self { source, target }),
            _ => Err(EXPECTED),
        }
    }
}

/// The least confidence of links.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Threshold {
    /// Chosen for the text.
    Auto,
    /// This.
    Given(f32),
}

impl FromStr for Threshold {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "auto" => Ok(Self::Auto),
            _ => text.parse().map(Self::Given).map_err(|_| "expected auto or a number from 0 to 1"),
        }
    }
}

/// Passes of each model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Iterations(pub(super) Schedule);

impl FromStr for Iterations {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (mut ibm1, mut hmm) = (None, None);
        for part in text.split(',') {
            let (model, passes) = part
                .split_once(':')
                .ok_or_else(|| format!("expected passes such as ibm1:5,hmm:4, found `{part}` without a colon"))?;
            let passes: u32 = passes
                .trim()
                .parse()
                .map_err(|_| format!("expected a number of passes such as {model}:5, found `{passes}`"))?;
            let place = match model.trim() {
                "ibm1" => &mut ibm1,
                "hmm" => &mut hmm,
                other => return Err(format!("expected the model ibm1 or hmm, found `{other}`")),
            };
            if place.replace(passes).is_some() {
                return Err(format!("{model} is given twice"));
            }
        }
        Ok(Self(Schedule { ibm1: ibm1.unwrap_or(0), hmm: hmm.unwrap_or(0) }))
    }
}

impl Args {
    /// Where the text is. The grammar makes sure that it is somewhere.
    pub(super) fn bitext_source(&self) -> BitextSource {
        match (&self.bitext, self.columns) {
            (Some(path), Some(Columns { source, target })) => {
                BitextSource::Columns { path: path.clone(), source, target }
            }
            (Some(path), None) => BitextSource::Joint(path.clone()),
            (None, _) => {
                let path = |side: &Option<PathBuf>| side.clone().unwrap_or_default();
                BitextSource::Files { source: path(&self.source), target: path(&self.target) }
            }
        }
    }

    /// The columns of tables, if they are named.
    pub(super) fn columns(&self) -> Option<(usize, usize)> {
        self.columns.map(|Columns { source, target }| (source, target))
    }

    pub(super) fn tokenize(&self) -> Tokenize {
        match self.tokenize {
            TokenizeName::None => Tokenize::None,
            TokenizeName::Unicode => Tokenize::Unicode,
        }
    }

    /// Refuses columns where no file has any.
    pub(super) fn check_columns(&self) -> anyhow::Result<()> {
        if self.columns.is_some() && self.bitext.is_none() && !self.added.has_joint() {
            bail!("--columns is for the files of --bitext and --add-bitext, and there is none");
        }
        Ok(())
    }

    /// Refuses files that would be read twice, written twice, or read and written.
    pub(super) fn check_paths(&self) -> anyhow::Result<()> {
        let inputs = [
            ("SOURCE", self.source.as_deref()),
            ("TARGET", self.target.as_deref()),
            ("--bitext", self.bitext.as_deref()),
            ("--gold", self.gold.as_deref()),
        ];
        let inputs = inputs.into_iter().filter_map(|(name, path)| Some((name, path?))).chain(self.added.paths());
        let inputs = inputs.map(|(name, path)| Role::new(name, path));
        let outputs = self.outputs.all().map(|(name, path)| Role::new(name, path));
        check_distinct(&inputs.collect::<Vec<_>>(), &outputs.collect::<Vec<_>>())
    }
}

/// What to do about text that was refused.
pub(super) fn advice(error: &Error) -> Option<&'static str> {
    match error.kind() {
        ErrorKind::InvalidUtf8 { .. } => Some("convert the file, such as with iconv, or use --lossy"),
        ErrorKind::UnequalLengths { .. } => Some("line n of one file must translate line n of the other"),
        ErrorKind::Parse { expected, .. } if expected.contains("|||") => {
            Some("use --columns for tables, or two files where the text contains `|||`")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterations_are_read_or_explained() {
        let read = |text: &str| text.parse::<Iterations>();
        assert_eq!(read("ibm1:5,hmm:4"), Ok(Iterations(Schedule { ibm1: 5, hmm: 4 })));
        assert_eq!(read("hmm:2, ibm1:3"), Ok(Iterations(Schedule { ibm1: 3, hmm: 2 })));
        assert_eq!(read("ibm1:7"), Ok(Iterations(Schedule { ibm1: 7, hmm: 0 })));
        let error = |text: &str| read(text).unwrap_err();
        assert_eq!(error("5"), "expected passes such as ibm1:5,hmm:4, found `5` without a colon");
        assert_eq!(error("ibm1:x"), "expected a number of passes such as ibm1:5, found `x`");
        assert_eq!(error("ibm2:1"), "expected the model ibm1 or hmm, found `ibm2`");
        assert_eq!(error("hmm:1,hmm:2"), "hmm is given twice");
    }

    #[test]
    fn thresholds_are_given_or_chosen() {
        assert_eq!("auto".parse(), Ok(Threshold::Auto));
        assert_eq!("0.3".parse(), Ok(Threshold::Given(0.3)));
        assert_eq!("Auto".parse::<Threshold>(), Err("expected auto or a number from 0 to 1"));
    }

    #[test]
    fn columns_are_two() {
        assert_eq!("2,1".parse(), Ok(Columns { source: 2, target: 1 }));
        for bad in ["", "1", "1,1", "0,1", "a,b", "1,2,3"] {
            assert!(bad.parse::<Columns>().is_err(), "{bad}");
        }
    }
}
