//! Options for the parallel text that is trained on or aligned: where it is, and how its lines become words.
//!
//! `TextArgs` has the places: two files, one file of lines `source ||| target` or in a format of another program (`--bitext`, with the
//! options of `pairs`), or two columns of a table separated by tabs (`--bitext` with `--columns`). `ReadingArgs` has the rest: lines are cut at blanks and tabs, or at
//! the word boundaries of Unicode Standard Annex 29; words are lowercased unless `--no-lowercase`; invalid UTF-8 is
//! refused or replaced; lines longer than `--max-length` words are refused or left empty. `--lowercase`, which users of
//! other programs give, is the default.
//!
//! Both only turn options into the types of the library (`BitextSource`, `TextForm`, `ReadOptions`); the text is read
//! elsewhere. `warn` reports empty sides, other blanks inside words, and text that seems not to be tokenized. `advise`
//! words the hints of library errors in terms of these options.

use std::path::{Path, PathBuf};

use alinea::error::{Error, Hint};
use alinea::format::bitext::{BitextSource, ReadOptions, ReadReport};
use alinea::format::blanks::ForeignBlanks;
use alinea::format::lines::Utf8;
use alinea::format::source::is_dash;
use alinea::format::tokens::{GluedPunctuation, Tokenize};
use alinea::model::TextForm;
use anyhow::bail;
use clap::{Arg, ArgAction};

use crate::context::Context;
use crate::failure::hinted;
use crate::input::kind::Rare as _;
use crate::input::pairs::{Columns, PairArgs, tell_passed_over};
use crate::input::sentences::{BlanksArgs, warn_of_blanks};
use crate::input::tokenize::TokenizeParser;

/// The options for it.
#[derive(Debug, Clone, clap::Args)]
#[command(mut_arg("fields", |arg| arg.rare(true)))]
pub(crate) struct TextArgs {
    /// Source text, one tokenized sentence per line (- for standard input)
    #[arg(value_name = "SOURCE", required_unless_present = "bitext")]
    source: Option<PathBuf>,
    /// Target text, with the same number of lines
    #[arg(value_name = "TARGET", required_unless_present = "bitext")]
    target: Option<PathBuf>,
    /// One file instead of two: lines `source ||| target`, TMX, XLIFF, JSON lines, CSV, TSV or a zip archive (- for standard
    /// input)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["source", "target"], help_heading = "Input")]
    bitext: Option<PathBuf>,
    /// Read these columns (from 1) of a tab-separated table instead of `|||`
    #[arg(long, value_name = "S,T", help_heading = "Input", rare = true)]
    columns: Option<Columns>,
    #[command(flatten)]
    pairs: PairArgs,

    #[command(flatten)]
    reading: ReadingArgs,
}

/// The default by name.
fn lowercase() -> Arg {
    Arg::new("lowercase").long("lowercase").action(ArgAction::SetTrue).hide(true).conflicts_with("no_lowercase")
}

/// The options for how lines are read.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Text", arg(lowercase()))]
pub(crate) struct ReadingArgs {
    /// How to split lines into words
    #[arg(long, value_name = "HOW", value_parser = TokenizeParser, default_value_t = Tokenize::None)]
    tokenize: Tokenize,
    #[command(flatten)]
    blanks: BlanksArgs,
    /// Keep case distinctions (default: lowercase)
    #[arg(long)]
    no_lowercase: bool,
    /// Replace invalid UTF-8 instead of failing
    #[arg(long, rare = true)]
    lossy: bool,
    /// Maximum line length in words (pairs longer than 256 words are aligned in segments)
    #[arg(long, value_name = "N", default_value_t = 2000, rare = true)]
    max_length: usize,
    /// Output an empty line for longer pairs instead of failing
    #[arg(long, rare = true)]
    skip_long: bool,
}

impl TextArgs {
    /// Where the text is. The grammar makes sure that it is somewhere.
    pub(crate) fn source(&self) -> BitextSource {
        if let Some(path) = &self.bitext {
            return self.one_file(path);
        }
        let path = |side: &Option<PathBuf>| side.clone().unwrap_or_default();
        BitextSource::Files { source: path(&self.source), target: path(&self.target) }
    }

    /// A bitext in one file, read as this one would be.
    pub(crate) fn one_file(&self, path: &Path) -> BitextSource {
        self.pairs.source(path, self.columns)
    }

    /// The files, with what names them.
    pub(crate) fn paths(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let inputs = [
            ("SOURCE", self.source.as_deref()),
            ("TARGET", self.target.as_deref()),
            ("--bitext", self.bitext.as_deref()),
        ];
        inputs.into_iter().filter_map(|(name, path)| Some((name, path?)))
    }

    /// The names of the files of both sides, and whether they are one.
    pub(crate) fn names(&self) -> ([String; 2], bool) {
        let name = |path: &Path| if is_dash(path) { "<stdin>".to_owned() } else { path.display().to_string() };
        match (&self.bitext, &self.source, &self.target) {
            (None, Some(source), Some(target)) => ([name(source), name(target)], false),
            (path, ..) => {
                let joint = path.as_deref().map_or_else(String::new, name);
                ([joint.clone(), joint], true)
            }
        }
    }

    /// How words are told apart.
    pub(crate) fn form(&self) -> TextForm {
        self.reading.form()
    }

    /// How the text is read, in this form.
    pub(crate) fn read_options(&self, form: TextForm, keep_text: bool) -> ReadOptions {
        self.reading.read_options(form, keep_text)
    }

    /// Refuses columns where no file has any.
    pub(crate) fn check_columns(&self, other_tables: bool) -> anyhow::Result<()> {
        let given = self.columns.map(|_| "--columns").or(self.pairs.given());
        if let Some(option) = given.filter(|_| self.bitext.is_none() && !other_tables) {
            bail!("{option} needs --bitext or --add-bitext");
        }
        if let (Some(_), Some(option)) = (self.columns, self.pairs.given()) {
            bail!("{option}: --columns is for tables without header, whose format is known");
        }
        Ok(())
    }
}

impl ReadingArgs {
    /// How words are told apart.
    pub(crate) fn form(&self) -> TextForm {
        TextForm::default().with(|c| {
            c.lowercase = !self.no_lowercase;
            c.tokenize = self.tokenize;
        })
    }

    /// How the text is read, in this form.
    pub(crate) fn read_options(&self, form: TextForm, keep_text: bool) -> ReadOptions {
        ReadOptions::default().with(|c| {
            c.lowercase = form.lowercase;
            c.utf8 = if self.lossy { Utf8::Lossy } else { Utf8::Strict };
            c.tokenize = form.tokenize;
            c.blanks = self.blanks.get();
            c.max_length = self.max_length;
            c.skip_long = self.skip_long;
            c.keep_text = keep_text;
        })
    }
}

/// What the user should know about the text, each once; `cut` is how lines were cut.
pub(crate) fn warn(report: &ReadReport, cut: Tokenize, context: &Context) {
    let ReadReport { pairs, empty_source, empty_target, empty_both, .. } = report;
    let empty = empty_source + empty_target + empty_both;
    if empty > 0 && empty < *pairs {
        context.warn(format_args!(
            "{empty} of {pairs} pairs have an empty side ({empty_source} the source, {empty_target} the target, \
             {empty_both} both): their lines stay empty"
        ));
    }
    tell_passed_over(report.passed_over, context);
    warn_of_words(report.glued_punctuation(), report.foreign_blanks.as_ref(), cut, context);
}

/// Says so if text that was cut at blanks has other blanks inside of words, or seems not to be tokenized.
pub(crate) fn warn_of_words(glued: f64, foreign: Option<&ForeignBlanks>, cut: Tokenize, context: &Context) {
    if cut != Tokenize::None {
        return;
    }
    warn_of_blanks(foreign, context);
    if glued > GluedPunctuation::SUSPICIOUS {
        context.warn(format_args!(
            "{:.0} % of the words end in punctuation (such as `house,`): the text does not seem to be \
             tokenized; --tokenize unicode tokenizes it",
            glued * 100.0
        ));
    }
}

/// Says what to do about text that was refused, by the options of [`TextArgs`].
pub(crate) fn advise(error: Error) -> anyhow::Error {
    let advice = match error.hint() {
        Some(Hint::NotUtf8) => "convert the file, for example with iconv, or use --lossy",
        Some(Hint::LineByLine) => "line n of one file must translate line n of the other",
        Some(Hint::SeparatorInText) => "use --columns for tables, or two files if the text contains `|||`",
        Some(Hint::LineTooLong { .. }) => "raise --max-length, or output empty lines for such pairs with --skip-long",
        Some(Hint::EmptySides) => "is one of the files empty, or are all lines longer than --max-length?",
        _ => return error.into(),
    };
    hinted(error, advice)
}
