//! Sentence pairs in one file, in the formats of other programs.
//!
//! | format | by content | by name | a pair is |
//! |---|---|---|---|
//! | [`Joint`](PairFormat::Joint) | what is nothing else | | a line `source ||| target` |
//! | [`Columns`](PairFormat::Columns) | if asked for | | a line, two columns between tabs |
//! | [`Tmx`](PairFormat::Tmx) | `<tmx` | `.tmx` | a unit with a variant in both languages |
//! | [`Xliff`](PairFormat::Xliff) | `<xliff` | `.xlf` `.xliff` | a unit or segment with source and target |
//! | [`JsonLines`](PairFormat::JsonLines) | a line that is an object | `.jsonl` `.ndjson` | an object with two fields |
//! | [`Csv`](PairFormat::Csv), [`Tsv`](PairFormat::Tsv) | | `.csv` `.tsv` | a row below a header |
//! | [`Zip`](PairFormat::Zip) | `PK` | `.zip` | a line of two texts; or one file in the archive |
//!
//! A [`PairReader`] finds out which it is, and gives one pair after another, each side a line: memory is that of one pair, whatever the
//! size of the file. Markup and tables are in files of their own names, `languages` and `options` say what is chosen. Units that have no text on
//! one side are skipped and counted ([`PairReport`]); in tables and objects an empty text is a text. A [`PairWriter`] writes all of them.
//!
//! ```
//! use alinea::format::pairs::{PairFormat, PairOptions, PairReader};
//! use alinea::format::source::Input;
//!
//! let memory = "<tmx version=\"1.4\"><header srclang=\"en\"/><body>
//!   <tu><tuv xml:lang=\"fr-CA\"><seg>la <hi>maison</hi></seg></tuv><tuv xml:lang=\"en\"><seg>the house</seg></tuv></tu>
//! </body></tmx>";
//! let mut pairs = PairReader::new(Input::from_bytes("memory.tmx", memory), &PairOptions::default())?;
//! assert_eq!(pairs.format(), PairFormat::Tmx);
//! assert!(pairs.read()?);
//! assert_eq!(pairs.lines(), ["the house", "la maison"]);
//! assert!(!pairs.read()?);
//!
//! let wanted = PairOptions::default().with(|c| c.languages = Some(["en".to_owned(), "de".to_owned()]));
//! let mut pairs = PairReader::new(Input::from_bytes("memory.tmx", memory), &wanted)?;
//! let error = pairs.read().unwrap_err();
//! assert_eq!(error.to_string(), "memory.tmx: no segment in the language de; there is fr-CA, en");
//! # Ok::<(), alinea::error::Error>(())
//! ```

pub(super) mod cut;
mod file;
mod json_lines;
mod languages;
mod markup;
mod one_line;
mod options;
mod places;
mod recognize;
mod segment;
mod table;
mod texts;
mod tmx;
mod writer;
mod xliff;
mod zipped;

pub use file::PairReport;
pub use options::{PairFormat, PairOptions, Tags};
pub use writer::{PairWriteOptions, PairWriteReport, PairWriter};

use std::fmt;
use std::path::Path;

use self::cut::Cut;
use self::file::{Lines, PairFile};
use self::json_lines::JsonLines;
use self::table::Table;
use self::texts::{CutLines, TwoTexts};
use self::tmx::Tmx;
use self::xliff::Xliff;
use self::zipped::Found;
use super::archive::Archive;
use super::blanks::Blanks;
use super::lines::LineReader;
use super::source::{self, Compression, Input, is_dash};
use crate::error::{Error, Position, Result};

/// Reads sentence pairs, one after another.
pub struct PairReader {
    file: Box<dyn PairFile + Send>,
    format: PairFormat,
    name: String,
    pair: Lines,
    number: u64,
}

impl fmt::Debug for PairReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PairReader")
            .field("format", &self.format)
            .field("name", &self.name)
            .field("number", &self.number)
            .finish_non_exhaustive()
    }
}

impl PairReader {
    /// Opens a file, or standard input if the path is `-`, of which an archive is read as a whole.
    ///
    /// # Errors
    /// `Io`; `Config`; `Parse` or `OtherFormat` if the file is not what it seems to be; `Choice` if it is not clear what of it is source
    /// and target.
    pub fn open(path: impl AsRef<Path>, options: &PairOptions) -> Result<Self> {
        let path = path.as_ref();
        let (input, format) = Self::recognize(path, options)?;
        Self::of_opened(path, input, format, options)
    }

    /// Opens a file and finds out its format.
    pub(super) fn recognize(path: &Path, options: &PairOptions) -> Result<(Input, PairFormat)> {
        options.validate()?;
        let mut input = source::open(path)?;
        let format = match options.format {
            Some(format) => format,
            None => recognize::recognize(&mut input, path)?,
        };
        Ok((input, format))
    }

    /// Reads what was opened by [`recognize`](Self::recognize).
    pub(super) fn of_opened(path: &Path, input: Input, format: PairFormat, options: &PairOptions) -> Result<Self> {
        if format == PairFormat::Zip && !is_dash(path) && input.compression() == Compression::None {
            return Self::of_archive(&Archive::open(path)?, options);
        }
        Self::of_input(input, format, options)
    }

    /// Reads an opened input, whose name may tell the format.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn new(mut input: Input, options: &PairOptions) -> Result<Self> {
        options.validate()?;
        let format = if let Some(format) = options.format {
            format
        } else {
            let name = input.name().to_owned();
            recognize::recognize(&mut input, Path::new(&name))?
        };
        Self::of_input(input, format, options)
    }

    /// Reads two texts in step, as those of an archive, whose format it says they have; `languages` are what they are known to be in.
    pub fn of_texts(source: Input, target: Input, options: &PairOptions, languages: Option<[String; 2]>) -> Self {
        let name = source.name().to_owned();
        let texts = [source, target].map(|text| LineReader::from_input(text, options.utf8).of_sentences(Blanks::Ascii));
        Self::of(Box::new(TwoTexts { texts, languages }), PairFormat::Zip, name)
    }

    fn of(file: Box<dyn PairFile + Send>, format: PairFormat, name: String) -> Self {
        Self { file, format, name, pair: Lines::default(), number: 0 }
    }

    fn of_input(input: Input, format: PairFormat, options: &PairOptions) -> Result<Self> {
        let name = input.name().to_owned();
        let file: Box<dyn PairFile + Send> = match format {
            PairFormat::Joint => {
                let lines = LineReader::from_input(input, options.utf8).of_sentence_pairs();
                Box::new(CutLines { lines, cut: Cut::Joint })
            }
            PairFormat::Columns => {
                let [source, target] = numbers(options)?;
                let lines = LineReader::from_input(input, options.utf8);
                Box::new(CutLines { lines, cut: Cut::Columns(source, target) })
            }
            PairFormat::Tmx => Box::new(Tmx::new(input, options)?),
            PairFormat::Xliff | PairFormat::Xliff2 => Box::new(Xliff::new(input, options)?),
            PairFormat::JsonLines => Box::new(JsonLines::new(input, options)),
            PairFormat::Csv => Box::new(Table::new(input, ',', options)?),
            PairFormat::Tsv => Box::new(Table::new(input, '\t', options)?),
            PairFormat::Zip => {
                let archive = Archive::of_bytes(input.read_all()?, &name)?;
                return Self::of_archive(&archive, options);
            }
        };
        Ok(Self::of(file, format, name))
    }

    fn of_archive(archive: &Archive, options: &PairOptions) -> Result<Self> {
        match zipped::find(archive, options)? {
            Found::Two(texts, languages) => {
                let [source, target] = *texts;
                let reader = Self::of_texts(source, target, options, languages);
                Ok(Self { name: archive.name().to_owned(), ..reader })
            }
            Found::One(input, name) => {
                let mut input = *input;
                let options = options.clone().with(|c| c.format = None);
                match recognize::recognize(&mut input, Path::new(&name))? {
                    PairFormat::Zip => {
                        let problem = format!("{}: an archive within an archive", input.name());
                        Err(crate::error::ErrorKind::Inconsistent(problem).into())
                    }
                    format => Self::of_input(input, format, &options),
                }
            }
        }
    }

    /// Goes to the next pair; says whether there is one.
    ///
    /// # Errors
    /// `Io`; `Parse`, `InvalidUtf8` and so on, for what does not follow the format; `UnequalLengths` for texts of an archive; `OverLimit`;
    /// at the end `Choice` if a language that is wanted is not in the file.
    pub fn read(&mut self) -> Result<bool> {
        let more = self.file.read(&mut self.pair)?;
        self.number += u64::from(more);
        Ok(more)
    }

    /// Counts the pairs that are left, and returns the number of all.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn count_all(&mut self) -> Result<u64> {
        while self.read()? {}
        Ok(self.number)
    }

    /// Source and target of the pair read last, a line each.
    pub fn lines(&self) -> [&str; 2] {
        self.pair.each_ref().map(String::as_str)
    }

    /// The number of the pair read last, from 1; 0 before the first.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Where it begins; the column is 0 where it is not known.
    pub fn position(&self) -> Position {
        self.file.position()
    }

    /// The format.
    pub fn format(&self) -> PairFormat {
        self.format
    }

    /// The name used in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// (Decompressed, decoded) bytes read so far.
    pub fn bytes(&self) -> u64 {
        self.file.bytes()
    }

    /// What was met so far.
    pub fn report(&self) -> PairReport {
        PairReport { pairs: self.number, ..self.file.report() }
    }
}

/// The columns of source and target, from 1.
pub(super) fn numbers(options: &PairOptions) -> Result<[usize; 2]> {
    let Some(fields) = &options.fields else { return Ok([1, 2]) };
    let number = |field: &String| field.parse().ok().filter(|&column: &usize| column > 0);
    match fields.each_ref().map(number) {
        [Some(source), Some(target)] => Ok([source, target]),
        _ => {
            Err(Error::config("fields", fields.join(","), "two columns from 1, such as 1,2, where there is no header"))
        }
    }
}

#[cfg(test)]
mod tests;
