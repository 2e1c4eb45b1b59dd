//! Files of links, as all verbs read them.
//!
//! A `LinkReader` goes through a file, or the parts of an A3 file, with one sentence pair in memory. The format is that
//! of an option, or the one that the name of the first file suggests, or its first line, or Pharaoh. A NAACL file does not say how many
//! sentences it is about; `sentences` reads the option that does, a number or a file of names.
//!
//! Positions in records count from 0, whatever the file counts from. An error that another base would explain names the
//! option by which the verb at hand sets it. `count_all` counts what is left, malformed records too, for messages about
//! files of different length. `LinkFormatArgs` has the options of verbs that read links, `LinkArgs` those of verbs that
//! also read a gold standard.

mod args;

pub(crate) use args::{LinkArgs, LinkFormatArgs};

use std::path::PathBuf;

use alinea::error::{Error, Hint, Position};
use alinea::format::alignment::{
    AlignmentFormat, AlignmentReader, Base, LinkReadOptions, LinkReadReport, PairRecord, Sentences,
};
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::source::Input;
use anyhow::bail;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::failure::hinted;

/// Reads the value of an option that names a format that is written.
pub(crate) fn written_format_parser() -> impl TypedValueParser<Value = AlignmentFormat> {
    let written = AlignmentFormat::ALL.into_iter().filter(|format| format.is_written());
    PossibleValuesParser::new(written.map(AlignmentFormat::name)).try_map(|name| name.parse::<AlignmentFormat>())
}

/// Reads the value of an option that names a format.
pub(crate) fn format_parser() -> impl TypedValueParser<Value = AlignmentFormat> {
    PossibleValuesParser::new(AlignmentFormat::ALL.map(AlignmentFormat::name))
        .try_map(|name| name.parse::<AlignmentFormat>())
}

/// Reads the value of an option that says what positions count from.
pub(crate) fn base_parser() -> impl TypedValueParser<Value = Base> {
    PossibleValuesParser::new(["0", "1"]).try_map(|name| name.parse::<Base>())
}

/// The sentences of a NAACL file: a number, or a file with their names, one a line.
///
/// A name that is a number is taken for the number; `./12` is the file.
pub(crate) fn sentences(value: &str) -> anyhow::Result<Sentences> {
    if let Ok(count) = value.parse() {
        return Ok(Sentences::Count(count));
    }
    let mut lines = LineReader::open(value, Utf8::Strict)?;
    let mut names = Vec::new();
    while let Some(line) = lines.read()? {
        names.push(line.trim_ascii().to_owned());
    }
    Ok(Sentences::Order(names))
}

/// How one file of links is read.
#[derive(Debug, Clone, Default)]
pub(crate) struct LinkFormat {
    /// The format; without it the one that the name suggests, or the first line, or Pharaoh.
    pub(crate) format: Option<AlignmentFormat>,
    /// The options of the library.
    pub(crate) options: LinkReadOptions,
    /// The option of the command that sets the base, for advice in messages.
    pub(crate) base_option: &'static str,
}

/// Goes through a file of links, one pair in memory.
#[derive(Debug)]
pub(crate) struct LinkReader {
    reader: AlignmentReader<Input>,
    record: PairRecord,
    base_option: &'static str,
    pairs: u64,
}

impl LinkReader {
    /// Opens a file, or the parts of an A3 file.
    pub(crate) fn open(paths: &[PathBuf], format: &LinkFormat) -> anyhow::Result<Self> {
        let reader = AlignmentReader::open(paths, format.format, &format.options)?;
        Ok(Self { reader, record: PairRecord::default(), base_option: format.base_option, pairs: 0 })
    }

    /// Refuses a format of which lines are no pairs, for verbs that read links line by line beside other files.
    pub(crate) fn check_by_line(&self) -> anyhow::Result<()> {
        if self.format() == AlignmentFormat::Naacl {
            bail!("{}: convert a NAACL file to a line-based format with `alinea convert`", self.name());
        }
        Ok(())
    }

    /// Goes to the next pair; says whether there is one.
    pub(crate) fn read(&mut self) -> anyhow::Result<bool> {
        match self.reader.read_into(&mut self.record) {
            Ok(more) => {
                self.pairs += u64::from(more);
                Ok(more)
            }
            Err(error) => Err(self.with_option(error)),
        }
    }

    /// The current pair.
    pub(crate) fn record(&self) -> &PairRecord {
        &self.record
    }

    /// The current pair, to be changed.
    pub(crate) fn record_mut(&mut self) -> &mut PairRecord {
        &mut self.record
    }

    /// The number of the current pair, from 1; 0 before the first.
    pub(crate) fn number(&self) -> u64 {
        self.pairs
    }

    /// Where the current pair stands.
    pub(crate) fn position(&self) -> Position {
        self.reader.position()
    }

    /// The name of the file for messages.
    pub(crate) fn name(&self) -> &str {
        self.reader.name()
    }

    /// The format of the file.
    pub(crate) fn format(&self) -> AlignmentFormat {
        self.reader.format()
    }

    /// What was met so far.
    pub(crate) fn report(&self) -> LinkReadReport {
        self.reader.report()
    }

    /// Counts the pairs that are left, malformed ones too, and returns the number of all.
    pub(crate) fn count_all(&mut self) -> anyhow::Result<u64> {
        loop {
            match self.reader.read_into(&mut self.record) {
                Ok(false) => return Ok(self.pairs),
                Ok(true) => self.pairs += 1,
                Err(error) if error.position().is_some() => self.pairs += 1,
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// `LinkOutOfRange` if a link of the current pair is not between sentences of these lengths, those that are known.
    pub(crate) fn check_range(
        &self,
        source_len: impl Into<Option<usize>>,
        target_len: impl Into<Option<usize>>,
    ) -> anyhow::Result<()> {
        let checked = self.reader.check_range(&self.record, source_len, target_len);
        checked.map_err(|error| self.with_option(error))
    }

    /// Where the hint of an error is about what positions count from, names the option that sets it for this file.
    fn with_option(&self, error: Error) -> anyhow::Error {
        let option = self.base_option;
        match error.hint() {
            Some(Hint::CountsFromOne) => hinted(error, format!("does the file count from 1 ({option} 1)?")),
            Some(Hint::CountsFromZero) => hinted(error, format!("a file that counts from 0 needs {option} 0")),
            _ => error.into(),
        }
    }
}

/// `1 link`, `2 links`.
pub(crate) fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
