//! Writing sentence pairs, in any of the formats that are read.
//!
//! What is written is read again as it was: a line is one segment, and no text is changed. What a format cannot have is an error that
//! says where the pair stands: the token `|||` in joint lines, a tab in columns, and in XML the characters that it does not allow (controls
//! but for tab and `\r`, U+FFFE and U+FFFF), which may be replaced ([`PairWriteOptions::replace`]). In TMX and XLIFF a blank side means that there
//! is no translation, so pairs that have one are not written, but counted. Memory does not grow with the text, but for an archive, whose
//! texts are kept compressed until its end.
//!
//! Tables have a header and objects have names: the fields that are given, or else the languages (tables) or `src` and `tgt`. TMX is
//! of version 1.4, XLIFF of version 1.2 or 2.0; they need the languages. Nothing in a file says when it was written, so the same pairs make the
//! same bytes.
//!
//! ```
//! use alinea::error::Position;
//! use alinea::format::pairs::{PairFormat, PairWriteOptions, PairWriter};
//!
//! let directory = tempfile::tempdir().unwrap();
//! let path = directory.path().join("text.csv");
//! let options = PairWriteOptions::default().with(|c| c.languages = Some(["en".to_owned(), "fr".to_owned()]));
//! let mut writer = PairWriter::create(&path, PairFormat::Csv, &options)?;
//! writer.write(["yes, a house", "une maison"], || Position::new("text", 1, 0))?;
//! assert_eq!(writer.finish()?.pairs, 1);
//! assert_eq!(std::fs::read_to_string(&path).unwrap(), "en,fr\n\"yes, a house\",une maison\n");
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod encoder;

use std::fmt;
use std::path::Path;

use self::encoder::{Encoder, Fault};
use super::options::PairFormat;
use crate::error::{Error, ErrorKind, Hint, Position, Result};
use crate::format::archive::{self, Packer};
use crate::format::sink::{self, Output};

/// How sentence pairs are written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct PairWriteOptions {
    /// The languages of source and target: RFC 5646 codes such as `en` and `fr-CA`.
    pub languages: Option<[String; 2]>,
    /// The names of columns, or of members of objects, those of inner objects behind a dot.
    pub fields: Option<[String; 2]>,
    /// What is written in the place of characters that XML does not allow.
    pub replace: Option<char>,
    /// Whether lines are markup, as they are read from XML with [`Tags::Keep`](super::Tags::Keep): it is written as it is. The caller
    /// answers for its being well-formed, and of the same format.
    pub markup: bool,
}

crate::configurable!(PairWriteOptions);

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct PairWriteReport {
    /// Pairs that were written.
    pub pairs: u64,
    /// Pairs with a blank side, which the format cannot have.
    pub blank: u64,
    /// Characters that were replaced.
    pub replaced: u64,
}

/// Writes sentence pairs, one after another, into outputs that are complete or absent.
pub struct PairWriter {
    target: Target,
    report: PairWriteReport,
    buffer: String,
}

enum Target {
    /// One file.
    One(Box<Output>, Encoder),
    /// Two texts.
    Two(Box<[Output; 2]>),
    /// Two texts in an archive, and their names in it.
    Archive(Box<Output>, Box<[(String, Packer); 2]>),
}

impl fmt::Debug for PairWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PairWriter").field("report", &self.report).finish_non_exhaustive()
    }
}

impl PairWriter {
    /// Creates a file, or writes to standard output if the path is `-`.
    ///
    /// # Errors
    /// As [`sink::create`]; `Choice` where a format needs languages and they are not known; `Config` for fields or languages that are no
    /// names.
    pub fn create(path: impl AsRef<Path>, format: PairFormat, options: &PairWriteOptions) -> Result<Self> {
        let path = path.as_ref();
        let needs = format.is_xml() || format == PairFormat::Zip;
        if needs && options.languages.is_none() {
            let problem = format!("the format {format} names the languages, which are not known");
            let (path, hint) = (path.display().to_string(), Hint::ChooseLanguages);
            return Err(ErrorKind::Choice { path, problem, hint }.into());
        }
        let encoder = Encoder::new(format, options)?;
        let mut output = Box::new(sink::create(path)?);
        if let (PairFormat::Zip, Some(languages)) = (format, &options.languages) {
            let stem = path.file_stem().map_or("text".into(), |stem| stem.to_string_lossy());
            let texts = languages.each_ref().map(|code| (format!("{stem}.{code}"), Packer::new()));
            return Ok(Self::of(Target::Archive(output, Box::new(texts))));
        }
        let mut buffer = String::new();
        encoder.begin(&mut buffer);
        output.write_bytes(buffer.as_bytes())?;
        Ok(Self::of(Target::One(output, encoder)))
    }

    /// Creates two texts, a line for each pair.
    ///
    /// # Errors
    /// As [`sink::create`].
    pub fn create_texts(source: impl AsRef<Path>, target: impl AsRef<Path>) -> Result<Self> {
        Ok(Self::of(Target::Two(Box::new([sink::create(source)?, sink::create(target)?]))))
    }

    fn of(target: Target) -> Self {
        Self { target, report: PairWriteReport::default(), buffer: String::new() }
    }

    /// Writes a pair, which stands there. The sides have no line break.
    ///
    /// # Errors
    /// `Io`; `Parse` for text that the format cannot have.
    pub fn write(&mut self, pair: [&str; 2], place: impl FnOnce() -> Position) -> Result<()> {
        if let Some(side) = pair.into_iter().find(|side| side.contains('\n')) {
            return Err(Error::parse(place(), "a line without line breaks", side.as_bytes()));
        }
        match &mut self.target {
            Target::One(output, encoder) => {
                self.buffer.clear();
                match encoder.pair(pair, &mut self.report, &mut self.buffer) {
                    Ok(true) => output.write_bytes(self.buffer.as_bytes())?,
                    Ok(false) => {
                        self.report.blank += 1;
                        return Ok(());
                    }
                    Err(Fault { expected, side }) => {
                        let error = Error::parse(place(), expected, pair[side].as_bytes());
                        return Err(if encoder.format.is_xml() {
                            error.with_hint(Hint::ReplaceCharacters)
                        } else {
                            error
                        });
                    }
                }
            }
            Target::Two(outputs) => {
                for (output, side) in outputs.iter_mut().zip(pair) {
                    output.write_bytes(side.as_bytes())?;
                    output.write_bytes(b"\n")?;
                }
            }
            Target::Archive(output, texts) => {
                for ((_, text), side) in texts.iter_mut().zip(pair) {
                    let packed = text.add(side.as_bytes()).and_then(|()| text.add(b"\n"));
                    packed.map_err(|error| Error::io(output.name(), error))?;
                }
            }
        }
        self.report.pairs += 1;
        Ok(())
    }

    /// Completes the outputs, and gives them their names.
    ///
    /// # Errors
    /// As [`sink::finish_all`]; `Inconsistent` for an archive of more than 4 GiB.
    pub fn finish(self) -> Result<PairWriteReport> {
        match self.target {
            Target::One(mut output, mut encoder) => {
                let mut end = String::new();
                encoder.end(&mut end);
                output.write_bytes(end.as_bytes())?;
                output.finish()?;
            }
            Target::Two(outputs) => sink::finish_all(*outputs)?,
            Target::Archive(mut output, texts) => {
                output.write_bytes(&archive::join(*texts)?)?;
                output.finish()?;
            }
        }
        Ok(self.report)
    }
}
