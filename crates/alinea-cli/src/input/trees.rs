//! Reading of treebanks (CoNLL-U), one sentence at a time, for all commands that read trees.
//!
//! `TreeFile` is one file: it keeps the current sentence and its number, and adds the option `--roots many` to the
//! error about a second root. `Units` says whether links connect words of the trees or surface tokens. `streams` reads
//! references and systems in parallel, `args` has the options for comparing trees. The format itself is in
//! `alinea::format::conllu`.
//!
//! Most callers demand as many sentences in all files; `unequal` is the error for it.

mod args;
mod streams;

use std::path::Path;

use alinea::error::{Error, ErrorKind, Hint};
use alinea::format::conllu::Reader;
use alinea::format::source::Input;
use alinea::tree::{ParsedSentence, Roots};
use clap::ValueEnum;

pub(crate) use self::args::{MatchingArgs, PathArgs};
pub(crate) use self::streams::{ParsedSegment, TreeOptions, TreeStreams};
use crate::failure::hinted;
use crate::input::links::counted;

/// How many roots a tree may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RootsName {
    /// One
    One,
    /// One or more
    Many,
}

impl From<RootsName> for Roots {
    fn from(name: RootsName) -> Self {
        match name {
            RootsName::One => Self::One,
            RootsName::Many => Self::Many,
        }
    }
}

/// What links are between.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Units {
    /// Words of the trees
    Words,
    /// Surface tokens, such as French `aux` for the words `à les`
    Tokens,
}

/// A file of trees, read one by one.
#[derive(Debug)]
pub(crate) struct TreeFile {
    reader: Reader<Input>,
    sentence: ParsedSentence,
    sentences: u64,
}

impl TreeFile {
    /// Opens a file in CoNLL-U format.
    pub(crate) fn open(path: &Path, roots: Roots) -> anyhow::Result<Self> {
        Ok(Self { reader: Reader::open(path, roots)?, sentence: ParsedSentence::default(), sentences: 0 })
    }

    /// Goes to the next sentence; says whether there is one. An error about a second root says how to allow it.
    pub(crate) fn read(&mut self) -> anyhow::Result<bool> {
        match self.reader.read_into(&mut self.sentence) {
            Ok(more) => {
                self.sentences += u64::from(more);
                Ok(more)
            }
            Err(error) if error.hint() == Some(Hint::SeveralRoots) => {
                Err(hinted(error, "--roots many allows trees with several roots"))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The sentence read last.
    pub(crate) fn sentence(&self) -> &ParsedSentence {
        &self.sentence
    }

    /// The sentence read last, to be kept.
    pub(crate) fn take(&mut self) -> ParsedSentence {
        std::mem::take(&mut self.sentence)
    }

    /// What the file is called.
    pub(crate) fn name(&self) -> &str {
        self.reader.name()
    }

    /// The number of the sentence read last, from 1; 0 before the first.
    pub(crate) fn number(&self) -> u64 {
        self.sentences
    }

    /// Reads all that is left, and returns the number of all sentences.
    pub(crate) fn count_all(&mut self) -> anyhow::Result<u64> {
        while self.read()? {}
        Ok(self.sentences)
    }
}

/// Two texts of different numbers of sentences.
pub(crate) fn unequal(name: &str, count: u64, other: &str, of_other: u64) -> Error {
    let message = format!("unequal lengths: {name} has {}, {other} has {of_other}", counted(count, "sentence"));
    ErrorKind::Inconsistent(message).into()
}
