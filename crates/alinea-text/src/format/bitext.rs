//! Reading parallel text.
//!
//! Three forms: two files with as many lines, the n-th line of one translating the n-th of the other
//! ([`read_files`]); one stream of `source ||| target` lines ([`read_joint`]); two columns of a table separated by
//! tabs ([`read_columns`]). Files in formats of other programs, such as TMX, are read by [`pairs`](super::pairs).
//! [`read`] chooses by a [`BitextSource`]. The result is a
//! [`Bitext`], a [`ReadReport`] that counts what was met on the way, and, if asked for, the
//! lines as they were ([`KeptText`]), for outputs that show words. [`read_text`] reads one language alone.
//!
//! Nothing is dropped: pair `n` of the bitext is line `n` of the text, empty or not. A line with more words than
//! [`ReadOptions::max_length`] is an error, since so long a line is most often no sentence; with
//! [`ReadOptions::skip_long`] both sides of such a pair become empty instead. Files of unequal length are an error
//! that gives both lengths. [`read_evenly`] reads a sample of a text that is too large to be learned from as a whole.
//!
//! ```
//! use alinea::format::bitext::{self, ReadOptions};
//! use alinea::format::source::Input;
//! use alinea::parallel::Parallelism;
//!
//! let english = Input::from_bytes("text.en", "The house\n\nA flower\n");
//! let french = Input::from_bytes("text.fr", "La maison\nbleue\nUne fleur\n");
//! let read = bitext::read_files(english, french, &ReadOptions::default(), &Parallelism::serial())?;
//! assert_eq!((read.report.pairs, read.report.empty_source), (3, 1));
//!
//! let english = Input::from_bytes("text.en", "The house\n");
//! let french = Input::from_bytes("text.fr", "La maison\nUne fleur\n");
//! let error = bitext::read_files(english, french, &ReadOptions::default(), &Parallelism::serial()).unwrap_err();
//! assert_eq!(error.to_string(), "unequal lengths: text.en has 1 line, text.fr has 2");
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod kept;
mod one;
mod options;
mod sample;
mod side;
mod strata;
mod stream;

pub use kept::{KeptLines, KeptText};
pub use one::{ReadText, TextReport, read_text};
pub use options::ReadOptions;
pub use sample::{Sample, Unseen, read_evenly};
pub use stream::BitextStream;

use std::path::{Path, PathBuf};

use self::side::Side;
use super::blanks::ForeignBlanks;
use super::pairs::PairOptions;
use super::pairs::cut::Cut;
use super::source::{self, Input, STDIN_NAME, is_dash};
use crate::bitext::Bitext;
use crate::error::{Error, ErrorKind, Position, Result};
use crate::parallel::Parallelism;

/// Where parallel text comes from. Each path may be `-`, standard input, but only one of a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BitextSource {
    /// Two files.
    Files {
        /// The source side.
        source: PathBuf,
        /// The target side.
        target: PathBuf,
    },
    /// Lines `source ||| target`.
    Joint(PathBuf),
    /// Columns of a table.
    Columns {
        /// The table.
        path: PathBuf,
        /// The column of the source side, from 1.
        source: usize,
        /// The column of the target side, from 1.
        target: usize,
    },
    /// One file in a format that its content or its name tells, if it is not given: lines `source ||| target` if it is nothing else.
    Pairs {
        /// The file.
        path: PathBuf,
        /// Its format, if it is given, and what of it is source and target. What happens to bytes that are not UTF-8 is said by the
        /// [`ReadOptions`].
        options: PairOptions,
    },
}

/// What was read.
#[derive(Debug)]
pub struct ReadBitext {
    /// The text as numbers.
    pub bitext: Bitext,
    /// What was met.
    pub report: ReadReport,
    /// The lines as they were, with [`ReadOptions::keep_text`].
    pub text: Option<KeptText>,
}

/// What was met while reading.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReadReport {
    /// Sentence pairs, all of them.
    pub pairs: u64,
    /// Pairs with words on the target side only.
    pub empty_source: u64,
    /// Pairs with words on the source side only.
    pub empty_target: u64,
    /// Pairs without words; those counted by `skipped_long` are not among them.
    pub empty_both: u64,
    /// The pairs, numbered from 0 and in order, that were made empty because a side was too long.
    pub skipped_long: Vec<usize>,
    /// Lines in which U+FFFD stands for something that was not UTF-8.
    pub replaced_utf8: u64,
    /// The share of source words with punctuation glued to them, in the first lines.
    pub glued_source: f64,
    /// The same of the target.
    pub glued_target: f64,
    /// White space other than blanks and tabs inside of words, unless words are cut there.
    pub foreign_blanks: Option<ForeignBlanks>,
    /// (Decompressed) bytes read, both sides.
    pub bytes: u64,
    /// What files in formats of other programs have besides pairs; not part of what is [added](Self::add).
    pub passed_over: PassedOver,
}

/// Units that are no pairs, and were skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PassedOver {
    /// Units that have no text in one of the languages.
    pub untranslated: u64,
    /// Units that have neither language.
    pub other_languages: u64,
}

impl ReadReport {
    /// The greater of the two shares of words with glued punctuation: above
    /// [`GluedPunctuation::SUSPICIOUS`](super::tokens::GluedPunctuation::SUSPICIOUS) the text seems not to be
    /// tokenized.
    pub fn glued_punctuation(&self) -> f64 {
        self.glued_source.max(self.glued_target)
    }
}

/// Opens and reads parallel text.
///
/// # Errors
/// As the function for the form chosen; `Inconsistent` if both files are standard input.
pub fn read(from: &BitextSource, options: &ReadOptions, parallelism: &Parallelism) -> Result<ReadBitext> {
    match from {
        BitextSource::Files { source, target } => {
            check_files([source, target])?;
            read_files(source::open(source)?, source::open(target)?, options, parallelism)
        }
        BitextSource::Joint(path) => read_joint(source::open(path)?, options),
        BitextSource::Columns { path, source, target } => read_columns(source::open(path)?, *source, *target, options),
        BitextSource::Pairs { .. } => BitextStream::open(from, options)?.read_all(),
    }
}

/// Reads two files of as many lines, side by side if there are two threads.
///
/// # Errors
/// `Io`; `InvalidUtf8`; `TooLong` unless such pairs are skipped; `UnequalLengths` with the lengths of both files.
/// If both files are wrong the error of the lower line is returned, the same under any number of threads.
pub fn read_files(
    source: Input,
    target: Input,
    options: &ReadOptions,
    parallelism: &Parallelism,
) -> Result<ReadBitext> {
    options.validate()?;
    let (source, target) = parallelism.join(|| read_side(source, options), || read_side(target, options));
    let (source, target) = match (source, target) {
        (Ok(source), Ok(target)) => (source, target),
        (Err(first), Err(second)) => {
            let line = |error: &Error| error.position().map_or(0, |position| position.line);
            return Err(if line(&second) < line(&first) { second } else { first });
        }
        (Err(error), _) | (_, Err(error)) => return Err(error),
    };
    if source.lines() != target.lines() {
        return Err(Error::unequal_lengths(&source.name, source.lines(), &target.name, target.lines()));
    }
    join(source, target)
}

/// Reads lines `source ||| target`. The separator is the token `|||`, between blanks or at an end of the line; each
/// line has one, but blank lines, which are empty pairs. A `\r` directly before it (or its blank) is no part of a word.
///
/// # Errors
/// `Io`; `InvalidUtf8`; `Parse` where a line has no separator or several; `TooLong` unless such pairs are skipped.
pub fn read_joint(input: Input, options: &ReadOptions) -> Result<ReadBitext> {
    read_cut(input, options, Cut::Joint)
}

/// Reads two columns, numbered from 1, of a table separated by tabs. Blank lines are empty pairs. A `\r` directly before a tab
/// is no part of a word.
///
/// # Errors
/// `Config` if a column is 0; `Io`; `InvalidUtf8`; `Parse` where a line has no such column; `TooLong` unless such
/// pairs are skipped.
pub fn read_columns(input: Input, source: usize, target: usize, options: &ReadOptions) -> Result<ReadBitext> {
    check_columns([source, target])?;
    read_cut(input, options, Cut::Columns(source, target))
}

fn read_side(input: Input, options: &ReadOptions) -> Result<Side> {
    let mut lines = options.lines(input, None);
    let mut side = Side::new(lines.name(), options);
    while let Some(line) = lines.read()? {
        if let Err(tokens) = side.push(line) {
            return Err(too_long(lines.position(0), tokens, options));
        }
    }
    side.bytes = lines.bytes();
    side.replaced = lines.replaced_lines();
    side.foreign_blanks = lines.take_foreign_blanks();
    Ok(side)
}

fn read_cut(input: Input, options: &ReadOptions, cut: Cut) -> Result<ReadBitext> {
    options.validate()?;
    let mut lines = options.lines(input, Some(cut));
    let mut sides = [Side::new(lines.name(), options), Side::new(lines.name(), options)];
    stream::read_one(&mut lines, cut, &mut sides, usize::MAX, options)?;
    let [source, target] = sides;
    join(source, target)
}

/// Refuses standard input on both sides.
fn check_files(paths: [&Path; 2]) -> Result<()> {
    if paths.into_iter().all(is_dash) {
        let message = format!("{STDIN_NAME} cannot be both the source and the target");
        return Err(ErrorKind::Inconsistent(message).into());
    }
    Ok(())
}

/// Refuses columns that are not numbered from 1.
fn check_columns(columns: [usize; 2]) -> Result<()> {
    if columns.contains(&0) {
        return Err(Error::config("column", 0, "1 or more"));
    }
    Ok(())
}

#[cold]
fn too_long(position: Position, tokens: usize, options: &ReadOptions) -> Error {
    ErrorKind::TooLong { position, tokens, limit: options.max_length }.into()
}

/// Makes a bitext of two sides with as many lines.
fn join(mut source: Side, mut target: Side) -> Result<ReadBitext> {
    let mut long: Vec<usize> = source.long.iter().chain(&target.long).copied().collect();
    long.sort_unstable();
    long.dedup();
    // A side that has every one of them empty already needs no work.
    if long != source.long {
        source.text = source.text.with_emptied(&long);
    }
    if long != target.long {
        target.text = target.text.with_emptied(&long);
    }
    source.text.shrink_to_fit();
    target.text.shrink_to_fit();
    let bitext = Bitext::new(source.text, target.text)?;
    let mut report = ReadReport {
        pairs: bitext.len() as u64,
        skipped_long: long,
        replaced_utf8: source.replaced + target.replaced,
        glued_source: source.glued.share(),
        glued_target: target.glued.share(),
        bytes: source.bytes + target.bytes,
        foreign_blanks: source.foreign_blanks,
        ..ReadReport::default()
    };
    ForeignBlanks::add(&mut report.foreign_blanks, target.foreign_blanks);
    for pair in bitext.pairs() {
        match (pair.source.is_empty(), pair.target.is_empty()) {
            (true, true) => report.empty_both += 1,
            (true, false) => report.empty_source += 1,
            (false, true) => report.empty_target += 1,
            (false, false) => {}
        }
    }
    report.empty_both -= report.skipped_long.len() as u64;
    let text = match (source.kept, target.kept) {
        (Some(source), Some(target)) => Some(KeptText { source, target }),
        _ => None,
    };
    Ok(ReadBitext { bitext, report, text })
}

#[cfg(test)]
mod tests;
