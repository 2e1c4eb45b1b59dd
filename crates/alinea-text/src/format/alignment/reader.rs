//! One reader for all alignment formats: [`AlignmentReader`] fills a [`PairRecord`] for each sentence pair.
//!
//! It passes each call on to the reader of the format. Formats that have one line a pair share
//! one (`per_line`); the others have their own. Pairs always come in order, positions count from 0, and
//! links with weights below the threshold are dropped; [`LinkReadReport`] counts what was read and dropped. Only A3 may
//! come in several inputs, the parts that MGIZA writes.
//!
//! Memory is that of one pair, except that NAACL is read as a whole, as its lines may come in any order, an array of Serval's as well, and
//! that pairs of A3 wait for those before them.
//!
//! Links are checked against the words that the file has. Where only the caller knows the lengths of the sentences,
//! [`AlignmentReader::check_range`] checks them, and reports line, column and link as they stand in the file.

use std::io::BufRead;
use std::path::Path;

use super::{AlignmentFormat, Base, LinkReadOptions, PairRecord};
use super::{bal, comtrans, giza, json_lines, links, naacl, opus_trainer, per_line, serval, simalign};
use crate::alignment::{Alignment, GoldAlignment};
use crate::error::{ErrorKind, Position, Result};
use crate::format::lines::LineReader;
use crate::format::source::{self, Input};

/// Reads alignments pair by pair.
#[derive(Debug)]
pub struct AlignmentReader<R> {
    inner: Inner<R>,
    format: AlignmentFormat,
    base: Base,
    threshold: Option<f32>,
    report: LinkReadReport,
    name: String,
}

#[derive(Debug)]
enum Inner<R> {
    PerLine(per_line::Reader<R>),
    Naacl(naacl::Reader<R>),
    Giza(giza::Reader<R>),
    Comtrans(comtrans::Reader<R>),
    Serval(serval::Reader<R>),
    Bal(bal::Reader<R>),
}

/// What was met while reading alignments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LinkReadReport {
    /// Pairs read.
    pub pairs: u64,
    /// Links given to the caller.
    pub links: u64,
    /// Links to the empty word, which are dropped. Complete at the end.
    pub null_links: u64,
    /// Links dropped because they weigh too little.
    pub below_threshold: u64,
}

impl AlignmentReader<Input> {
    /// Opens a file, standard input (`-`), or the parts of an A3 file in any order. Without a format it is the one that the name of the
    /// first suggests, or its first line, or Pharaoh.
    ///
    /// # Errors
    /// `Io`, and as [`new`](Self::new).
    pub fn open<P: AsRef<Path>>(
        paths: &[P],
        format: impl Into<Option<AlignmentFormat>>,
        options: &LinkReadOptions,
    ) -> Result<Self> {
        let mut inputs = paths.iter().map(source::open).collect::<Result<Vec<_>>>()?;
        let suggested = || paths.first().and_then(|path| AlignmentFormat::from_path(path.as_ref()));
        let format = match (format.into().or_else(suggested), inputs.first_mut()) {
            (None, Some(input)) => AlignmentFormat::of_input(input)?,
            (format, _) => format,
        };
        let parts = inputs.into_iter().map(|input| LineReader::from_input(input, options.utf8)).collect();
        Self::new(parts, format.unwrap_or(AlignmentFormat::Pharaoh), options)
    }
}

impl<R: BufRead> AlignmentReader<R> {
    /// Reads one input, or the parts of an A3 file in any order.
    ///
    /// # Errors
    /// `Config` if an option is wrong; `Inconsistent` if there is no input, or several and the format is not A3.
    pub fn new(mut parts: Vec<LineReader<R>>, format: AlignmentFormat, options: &LinkReadOptions) -> Result<Self> {
        options.validate()?;
        let base = options.base.unwrap_or(format.default_base());
        let name = parts.iter().map(LineReader::name).collect::<Vec<_>>().join(", ");
        let inner = if format == AlignmentFormat::GizaA3 && !parts.is_empty() {
            let total = options.sentences.as_ref().map(super::Sentences::len);
            Inner::Giza(giza::Reader::new(parts, options.direction, total, options.fill_gaps))
        } else {
            let (Some(lines), true) = (parts.pop(), parts.is_empty()) else {
                let message = format!("one input is needed for the format {}, and parts for giza only", format.name());
                return Err(ErrorKind::Inconsistent(message).into());
            };
            match format {
                AlignmentFormat::Naacl => Inner::Naacl(naacl::Reader::new(lines, base, options.sentences.clone())),
                AlignmentFormat::Comtrans => Inner::Comtrans(comtrans::Reader::new(lines, base)),
                AlignmentFormat::Serval => Inner::Serval(serval::Reader::new(lines, base)),
                AlignmentFormat::Bal => Inner::Bal(bal::Reader::new(lines, options.direction)),
                AlignmentFormat::JsonLines => {
                    Inner::PerLine(per_line::Reader::new(lines, base, (json_lines::parse, json_lines::find)))
                }
                AlignmentFormat::OpusTrainer => {
                    Inner::PerLine(per_line::Reader::new(lines, base, (opus_trainer::parse, opus_trainer::find)))
                }
                AlignmentFormat::SimAlign => {
                    Inner::PerLine(per_line::Reader::new(lines, base, (simalign::parse, simalign::find)))
                }
                AlignmentFormat::Pharaoh | AlignmentFormat::Talp | AlignmentFormat::GizaA3 => {
                    Inner::PerLine(per_line::Reader::new(lines, base, (links::parse, links::find)))
                }
            }
        };
        Ok(Self { inner, format, base, threshold: options.threshold, report: LinkReadReport::default(), name })
    }

    /// Replaces `record` by the next pair; says whether there was one.
    ///
    /// # Errors
    /// `Io`; `InvalidUtf8`; `Parse`; `LinkOutOfRange` in formats that have the words; `Inconsistent` if a pair of an
    /// A3 file is missing or comes twice.
    pub fn read_into(&mut self, record: &mut PairRecord) -> Result<bool> {
        let more = match &mut self.inner {
            Inner::PerLine(reader) => reader.read_into(record)?,
            Inner::Naacl(reader) => reader.read_into(record)?,
            Inner::Giza(reader) => reader.read_into(record)?,
            Inner::Comtrans(reader) => reader.read_into(record)?,
            Inner::Serval(reader) => reader.read_into(record)?,
            Inner::Bal(reader) => reader.read_into(record)?,
        };
        self.report.null_links = match &self.inner {
            Inner::PerLine(reader) => reader.null_links(),
            Inner::Naacl(reader) => reader.null_links(),
            Inner::Comtrans(reader) => reader.null_links(),
            Inner::Serval(reader) => reader.null_links(),
            // The empty word of these says what is linked to nothing.
            Inner::Giza(_) | Inner::Bal(_) => 0,
        };
        if !more {
            return Ok(false);
        }
        if let Some(threshold) = self.threshold {
            let before = record.links.len();
            record.links.retain(|link| link.weight.is_none_or(|weight| weight >= threshold));
            self.report.below_threshold += (before - record.links.len()) as u64;
        }
        self.report.pairs += 1;
        self.report.links += record.links.len() as u64;
        Ok(true)
    }

    /// The format.
    pub fn format(&self) -> AlignmentFormat {
        self.format
    }

    /// The name of the input, or the names of its parts, for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What was met so far.
    pub fn report(&self) -> LinkReadReport {
        self.report
    }

    /// Where the pair read last stands: the line of its links in formats that have one, elsewhere (NAACL) its number.
    pub fn position(&self) -> Position {
        match &self.inner {
            Inner::PerLine(reader) => reader.position(),
            Inner::Comtrans(reader) => reader.position(),
            Inner::Giza(reader) => reader.position(),
            Inner::Serval(reader) => reader.position(),
            Inner::Bal(reader) => reader.position(),
            Inner::Naacl(_) => self.pair_position(self.report.pairs),
        }
    }

    /// Checks that every link of a pair that was read here lies within sentences of these lengths, those that are known.
    ///
    /// # Errors
    /// [`LinkOutOfRange`](PairRecord::check_range) with line and column of the first that does not, as the file writes it. Of
    /// a pair that was not read last there is no column, but in NAACL files, and in A3 files its number stands for the line.
    pub fn check_range(
        &self,
        record: &PairRecord,
        source_len: impl Into<Option<usize>>,
        target_len: impl Into<Option<usize>>,
    ) -> Result<()> {
        let (source_len, target_len) = (source_len.into(), target_len.into());
        let Some(link) = record.first_outside(source_len, target_len) else { return Ok(()) };
        let at = |(line, column): (u64, u64)| Position::new(self.name.as_str(), line, column);
        let place = match &self.inner {
            Inner::PerLine(reader) => Some(at((record.number, reader.column_of(record.number, link)))),
            Inner::Comtrans(reader) => Some(at(reader.place_of(record.number, link))),
            Inner::Naacl(reader) => reader.place_of(record.number, link).map(at),
            Inner::Giza(reader) => reader.place_of(record.number, link),
            Inner::Serval(_) | Inner::Bal(_) => Some(self.position()),
        };
        let position = place.unwrap_or_else(|| self.pair_position(record.number));
        record.check_range(source_len, target_len, &position, self.base)
    }

    fn pair_position(&self, number: u64) -> Position {
        Position::new(format!("{} (pair)", self.name), number, 0)
    }
}

impl<R: BufRead> Iterator for AlignmentReader<R> {
    type Item = Result<PairRecord>;

    fn next(&mut self) -> Option<Result<PairRecord>> {
        let mut record = PairRecord::default();
        self.read_into(&mut record).map(|more| more.then_some(record)).transpose()
    }
}

/// All records of a file.
///
/// # Errors
/// As [`AlignmentReader::open`] and [`AlignmentReader::read_into`].
pub fn read_records(
    path: impl AsRef<Path>,
    format: impl Into<Option<AlignmentFormat>>,
    options: &LinkReadOptions,
) -> Result<Vec<PairRecord>> {
    AlignmentReader::open(&[path], format, options)?.collect()
}

/// All alignments of a file, sure and possible links alike.
///
/// # Errors
/// As [`read_records`].
pub fn read_alignments(
    path: impl AsRef<Path>,
    format: impl Into<Option<AlignmentFormat>>,
    options: &LinkReadOptions,
) -> Result<Vec<Alignment>> {
    map_records(path.as_ref(), format.into(), options, PairRecord::alignment)
}

/// All alignments of a file, with sure and possible links distinguished.
///
/// # Errors
/// As [`read_records`].
pub fn read_gold(
    path: impl AsRef<Path>,
    format: impl Into<Option<AlignmentFormat>>,
    options: &LinkReadOptions,
) -> Result<Vec<GoldAlignment>> {
    map_records(path.as_ref(), format.into(), options, PairRecord::gold)
}

fn map_records<T>(
    path: &Path,
    format: Option<AlignmentFormat>,
    options: &LinkReadOptions,
    map: impl Fn(&PairRecord) -> T,
) -> Result<Vec<T>> {
    let mut reader = AlignmentReader::open(&[path], format, options)?;
    let mut record = PairRecord::default();
    let mut all = Vec::new();
    while reader.read_into(&mut record)? {
        all.push(map(&record));
    }
    Ok(all)
}
