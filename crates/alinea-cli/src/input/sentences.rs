//! Sentence pairs read line by line, for verbs that go through them beside their links.
//!
//! Words are separated by blanks and tabs, and by nothing else unless `--blanks` says so, as in `align`: positions are
//! places in the line.

use std::path::Path;

use alinea::error::{Error, Result};
use alinea::format::blanks::{Blanks, ForeignBlanks};
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::source::Input;
use alinea::format::tokens;
use clap::ValueEnum;

use crate::context::Context;
use crate::input::kind::Rare as _;

/// The option for where words are cut.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct BlanksArgs {
    /// Whitespace that separates words
    #[arg(long, value_name = "BLANKS", value_enum, default_value_t = BlanksName::Ascii, help_heading = "Reading")]
    #[arg(rare = true)]
    blanks: BlanksName,
}

/// Where words are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum BlanksName {
    /// Spaces and tabs
    Ascii,
    /// All Unicode whitespace, as Python's `str.split()`: also no-break and ideographic spaces, other line breaks, and
    /// so on
    Unicode,
}

impl BlanksArgs {
    /// For the library.
    pub(crate) fn get(self) -> Blanks {
        match self.blanks {
            BlanksName::Ascii => Blanks::Ascii,
            BlanksName::Unicode => Blanks::Unicode,
        }
    }
}

/// Says so if words have blanks inside at which other programs would cut them.
pub(crate) fn warn_of_blanks(found: Option<&ForeignBlanks>, context: &Context) {
    if let Some(found) = found {
        context.warn(format_args!(
            "{found}: positions differ from those of programs that split there, such as Python's str.split(); \
             --blanks unicode splits there too"
        ));
    }
}

/// Two files of as many lines, one pair in memory.
#[derive(Debug)]
pub(crate) struct SentencePairs {
    source: LineReader<Input>,
    target: LineReader<Input>,
    source_line: String,
    target_line: String,
}

impl SentencePairs {
    /// Opens both files, which are UTF-8.
    pub(crate) fn open(source: &Path, target: &Path, blanks: BlanksArgs) -> Result<Self> {
        Self::open_as(source, target, blanks, Utf8::Strict)
    }

    /// Opens both files; what is not UTF-8 is handled as `utf8` says.
    pub(crate) fn open_as(source: &Path, target: &Path, blanks: BlanksArgs, utf8: Utf8) -> Result<Self> {
        Ok(Self {
            source: LineReader::open(source, utf8)?.of_sentences(blanks.get()),
            target: LineReader::open(target, utf8)?.of_sentences(blanks.get()),
            source_line: String::new(),
            target_line: String::new(),
        })
    }

    /// Goes to the next pair; says whether there is one. `UnequalLengths` if only one file has it.
    pub(crate) fn read(&mut self) -> Result<bool> {
        let source = self.source.read_into(&mut self.source_line)?;
        let target = self.target.read_into(&mut self.target_line)?;
        if source != target {
            return Err(self.unequal()?);
        }
        Ok(source)
    }

    /// The number of pairs, with those that are not read yet.
    pub(crate) fn count_all(&mut self) -> Result<u64> {
        let (source, target) = (self.source.count_all()?, self.target.count_all()?);
        if source == target { Ok(source) } else { Err(self.unequal()?) }
    }

    /// The number of the current pair, from 1; 0 before the first.
    pub(crate) fn number(&self) -> u64 {
        self.source.number()
    }

    /// The name of the source file for messages.
    pub(crate) fn name(&self) -> &str {
        self.source.name()
    }

    /// The lines of the current pair as they are.
    pub(crate) fn lines(&self) -> [&str; 2] {
        [&self.source_line, &self.target_line]
    }

    /// Says so if words of the pairs read so far have other blanks inside.
    pub(crate) fn warn_of_blanks(&mut self, context: &Context) {
        let mut found = self.source.take_foreign_blanks();
        ForeignBlanks::add(&mut found, self.target.take_foreign_blanks());
        warn_of_blanks(found.as_ref(), context);
    }

    /// `Parse` if a word of the current pair is this one; `expected` is for the message.
    pub(crate) fn refuse(&self, word: &str, expected: &str) -> Result<()> {
        for (reader, line) in [(&self.source, &self.source_line), (&self.target, &self.target_line)] {
            if !line.contains(word) {
                continue;
            }
            let mut split = tokens::split(line.as_bytes());
            while let Some(found) = split.next() {
                if found == word.as_bytes() {
                    let column = split.offset() - found.len() + 1;
                    return Err(Error::parse(reader.position(column), expected, found));
                }
            }
        }
        Ok(())
    }

    /// The source words of the current pair.
    pub(crate) fn source(&self) -> Vec<&str> {
        words(&self.source_line)
    }

    /// The target words of the current pair.
    pub(crate) fn target(&self) -> Vec<&str> {
        words(&self.target_line)
    }

    fn unequal(&mut self) -> Result<Error> {
        let lines = [self.source.count_all()?, self.target.count_all()?];
        Ok(Error::unequal_lengths(self.source.name(), lines[0], self.target.name(), lines[1]))
    }
}

fn words(line: &str) -> Vec<&str> {
    let mut split = tokens::split(line.as_bytes());
    let mut words = Vec::new();
    while let Some(word) = split.next() {
        let end = split.offset();
        words.push(&line[end - word.len()..end]);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_cut_at_blanks_and_tabs_only() {
        assert_eq!(words("  das\tHaus\u{a0}hier . "), ["das", "Haus\u{a0}hier", "."]);
        assert!(words(" \t").is_empty());
    }
}
