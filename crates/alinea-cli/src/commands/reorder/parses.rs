//! `--parses`: bracketed parses of source sentences, one a line.
//!
//! The words of a parse must be those of the sentence beside it; if parses are given alone, their words are the
//! sentences. An empty line is a sentence without a parse. Errors have file, line and column, the column counted within
//! the parse. The grammar of brackets is in `alinea::reorder::brackets`, trees made of them are `Constituents`.

use std::path::{Path, PathBuf};

use alinea::error::{Error, Position, Result};
use alinea::format::lines::{LineReader, Utf8};
use alinea::reorder::brackets;
use alinea::reorder::constituents::Constituents;

use crate::input::paths::Role;

/// The trees of the source sentences.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct ParseArgs {
    /// Bracketed parses of the source sentences, one per line, such as `(S (NP I) (VP (VB see) (NP houses)))`; if given
    /// alone, their words are the source sentences
    #[arg(long, value_name = "FILE", help_heading = "Reading")]
    parses: Option<PathBuf>,
}

/// Lines of brackets.
#[derive(Debug)]
pub(super) struct Parses {
    pub(super) name: String,
    pub(super) lines: Vec<String>,
}

impl ParseArgs {
    /// Whether there are any.
    pub(super) fn is_given(&self) -> bool {
        self.parses.is_some()
    }

    /// The file, with what names it.
    pub(super) fn roles(&self) -> impl Iterator<Item = Role<'_>> {
        self.parses.iter().map(|path| Role::new("--parses", path))
    }

    /// Reads the lines.
    pub(super) fn read(&self) -> Result<Option<Parses>> {
        let read = |path: &PathBuf| parse_lines(path).map(|(name, lines)| Parses { name, lines });
        self.parses.as_ref().map(read).transpose()
    }
}

/// The lines of a file, and its name.
pub(super) fn parse_lines(path: &Path) -> Result<(String, Vec<String>)> {
    let mut reader = LineReader::open(path, Utf8::Strict)?;
    let mut lines = Vec::new();
    while let Some(line) = reader.read()? {
        lines.push(line.to_owned());
    }
    Ok((reader.name().to_owned(), lines))
}

/// The words of a line of brackets, `number` from 0.
pub(super) fn parse_words(line: &str, name: &str, number: usize) -> Result<Vec<String>> {
    match brackets::words(line) {
        Ok(words) => Ok(words.into_iter().map(str::to_owned).collect()),
        Err((at, expected)) => Err(fault(line, name, number, at + 1, expected.to_owned())),
    }
}

/// Refuses a line of brackets that is none, or is not around these words.
pub(super) fn check_parse(line: &str, words: &[String], name: &str, number: usize) -> Result<()> {
    brackets::check(line, words, |column| Position::new(name, number as u64 + 1, column as u64))
}

/// The tree of a line of brackets around these words; none of an empty line.
pub(super) fn tree_of_parse(line: &str, words: &[String], name: &str, number: usize) -> Result<Option<Constituents>> {
    if line.trim().is_empty() {
        return Ok(None);
    }
    check_parse(line, words, name, number)?;
    let read = Constituents::of_brackets(line);
    read.map(Some).map_err(|(at, expected)| fault(line, name, number, at + 1, expected.to_owned()))
}

fn fault(line: &str, name: &str, number: usize, column: usize, expected: String) -> Error {
    let found = line.as_bytes().get(column.saturating_sub(1)..).unwrap_or_default();
    Error::parse(Position::new(name, number as u64 + 1, column as u64), expected, found)
}
