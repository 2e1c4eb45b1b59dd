//! Sentence pairs read one by one, from two files or from one in a format of another program, for verbs that go through them beside
//! their links.
//!
//! Words are separated by blanks and tabs, and by nothing else unless `--blanks` says so, as in `align`: positions are
//! places in the line.

use alinea::error::{Error, Result};
use alinea::format::bitext::{BitextSource, PassedOver};
use alinea::format::blanks::{self, Blanks, ForeignBlanks};
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::pairs::{PairFormat, PairOptions, PairReader};
use alinea::format::source::Input;
use alinea::format::tokens;
use clap::ValueEnum;

use crate::context::Context;
use crate::input::kind::Rare as _;
use crate::input::pairs::tell_passed_over;

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

/// Sentence pairs, one in memory.
#[derive(Debug)]
pub(crate) struct SentencePairs {
    from: From,
    source_line: String,
    target_line: String,
}

/// Where they come from.
#[derive(Debug)]
enum From {
    /// Two files of as many lines.
    Two(Box<[LineReader<Input>; 2]>),
    /// One file, and blanks of other kinds inside of its words.
    One(Box<PairReader>, Blanks, Option<ForeignBlanks>),
}

impl From {
    /// Puts the next pair into these lines.
    fn read(&mut self, lines: [&mut String; 2]) -> Result<bool> {
        match self {
            Self::Two(readers) => {
                let mut more = [false; 2];
                for ((reader, line), more) in readers.iter_mut().zip(lines).zip(&mut more) {
                    *more = reader.read_into(line)?;
                }
                if more[0] == more[1] { Ok(more[0]) } else { Err(unequal(readers)?) }
            }
            Self::One(reader, cut_at, foreign) => {
                if !reader.read()? {
                    return Ok(false);
                }
                for (line, text) in lines.into_iter().zip(reader.lines()) {
                    if *cut_at == Blanks::Unicode {
                        blanks::replace(text, line);
                    } else {
                        ForeignBlanks::add(foreign, ForeignBlanks::of_line(text, || reader.position()));
                        line.clear();
                        line.push_str(text);
                    }
                }
                Ok(true)
            }
        }
    }
}

fn unequal(readers: &mut [LineReader<Input>; 2]) -> Result<Error> {
    let lines = [readers[0].count_all()?, readers[1].count_all()?];
    Ok(Error::unequal_lengths(readers[0].name(), lines[0], readers[1].name(), lines[1]))
}

impl SentencePairs {
    /// Opens a bitext, which is UTF-8.
    pub(crate) fn open(bitext: &BitextSource, blanks: BlanksArgs) -> Result<Self> {
        Self::open_as(bitext, blanks, Utf8::Strict)
    }

    /// Opens a bitext; what is not UTF-8 is handled as `utf8` says.
    pub(crate) fn open_as(bitext: &BitextSource, blanks: BlanksArgs, utf8: Utf8) -> Result<Self> {
        let open = |path| Ok::<_, Error>(LineReader::open(path, utf8)?.of_sentences(blanks.get()));
        let one = |path, options: PairOptions| {
            let reader = PairReader::open(path, &options.with(|c| c.utf8 = utf8))?;
            Ok::<_, Error>(From::One(Box::new(reader), blanks.get(), None))
        };
        let of_format = |format| PairOptions::default().with(|c| c.format = Some(format));
        let from = match bitext {
            BitextSource::Files { source, target } => From::Two(Box::new([open(source)?, open(target)?])),
            BitextSource::Joint(path) => one(path, of_format(PairFormat::Joint))?,
            BitextSource::Columns { path, source, target } => {
                let fields = Some([source.to_string(), target.to_string()]);
                one(path, of_format(PairFormat::Columns).with(|c| c.fields = fields))?
            }
            BitextSource::Pairs { path, options } => one(path, options.clone())?,
        };
        Ok(Self { from, source_line: String::new(), target_line: String::new() })
    }

    /// Goes to the next pair; says whether there is one. `UnequalLengths` if only one file has it.
    pub(crate) fn read(&mut self) -> Result<bool> {
        self.from.read([&mut self.source_line, &mut self.target_line])
    }

    /// The number of pairs, with those that are not read yet.
    pub(crate) fn count_all(&mut self) -> Result<u64> {
        match &mut self.from {
            From::Two(readers) => {
                let lines = [readers[0].count_all()?, readers[1].count_all()?];
                if lines[0] == lines[1] { Ok(lines[0]) } else { Err(unequal(readers)?) }
            }
            From::One(reader, ..) => reader.count_all(),
        }
    }

    /// The number of the current pair, from 1; 0 before the first.
    pub(crate) fn number(&self) -> u64 {
        match &self.from {
            From::Two(readers) => readers[0].number(),
            From::One(reader, ..) => reader.number(),
        }
    }

    /// The name of the file, of the source file of two, for messages.
    pub(crate) fn name(&self) -> &str {
        match &self.from {
            From::Two(readers) => readers[0].name(),
            From::One(reader, ..) => reader.name(),
        }
    }

    /// What was passed over so far.
    fn passed_over(&self) -> PassedOver {
        match &self.from {
            From::Two(_) => PassedOver::default(),
            From::One(reader, ..) => {
                let report = reader.report();
                PassedOver { untranslated: report.untranslated, other_languages: report.other_languages }
            }
        }
    }

    /// The lines of the current pair as they are.
    pub(crate) fn lines(&self) -> [&str; 2] {
        [&self.source_line, &self.target_line]
    }

    /// Says so if words of the pairs read so far have other blanks inside, and what was passed over.
    pub(crate) fn warn_of_blanks(&mut self, context: &Context) {
        let found = match &mut self.from {
            From::Two(readers) => {
                let mut found = readers[0].take_foreign_blanks();
                ForeignBlanks::add(&mut found, readers[1].take_foreign_blanks());
                found
            }
            From::One(_, _, foreign) => foreign.take(),
        };
        warn_of_blanks(found.as_ref(), context);
        tell_passed_over(self.passed_over(), context);
    }

    /// `Parse` if a word of the current pair is this one; `expected` is for the message.
    pub(crate) fn refuse(&self, word: &str, expected: &str) -> Result<()> {
        for (side, line) in [&self.source_line, &self.target_line].into_iter().enumerate() {
            if !line.contains(word) {
                continue;
            }
            let mut split = tokens::split(line.as_bytes());
            while let Some(found) = split.next() {
                if found == word.as_bytes() {
                    let column = split.offset() - found.len() + 1;
                    let position = match &self.from {
                        From::Two(readers) => readers[side].position(column),
                        // The column is that of the segment, which stands somewhere in the line.
                        From::One(reader, ..) => reader.position(),
                    };
                    return Err(Error::parse(position, expected, found));
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
