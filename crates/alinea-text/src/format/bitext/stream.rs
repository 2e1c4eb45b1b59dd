//! Parallel text read part by part: the next n sentence pairs at a time, in memory for n pairs.
//!
//! A [`BitextStream`] reads two files in step, or lines that are cut in two. Each part is a bitext of its own, with
//! its own vocabularies, report and, if asked for, original lines; so word ids of different parts cannot be compared.
//! [`ReadReport::add`] joins the reports. If one of two files ends first, the rest is counted and the error names
//! both lengths. [`BitextStream::skip`] passes over pairs without looking at their words.

use super::side::Side;
use super::{
    BitextSource, PassedOver, ReadBitext, ReadOptions, ReadReport, check_columns, check_files, join, too_long,
};
use crate::error::{Error, Hint, Position, Result};
use crate::format::blanks::{self, Blanks, ForeignBlanks};
use crate::format::lines::LineReader;
use crate::format::pairs::cut::Cut;
use crate::format::pairs::{self, PairFormat, PairReader};
use crate::format::source::{self, Input};

/// Parallel text that is read in batches of pairs, with memory for one batch.
///
/// ```
/// use alinea::format::bitext::{BitextSource, BitextStream, ReadOptions};
///
/// let directory = tempfile::tempdir().unwrap();
/// let path = directory.path().join("text.en-fr");
/// std::fs::write(&path, "a house ||| une maison\nthe flower ||| la fleur\nyes ||| oui\n").unwrap();
/// let mut stream = BitextStream::open(&BitextSource::Joint(path), &ReadOptions::default())?;
/// assert_eq!(stream.next(2)?.unwrap().bitext.len(), 2);
/// assert_eq!(stream.next(2)?.unwrap().bitext.len(), 1);
/// assert!(stream.next(2)?.is_none());
/// # Ok::<(), alinea::error::Error>(())
/// ```
#[derive(Debug)]
pub struct BitextStream {
    lines: Lines,
    options: ReadOptions,
    begun: bool,
}

#[derive(Debug)]
enum Lines {
    /// The n-th line of one file translates the n-th of the other.
    Two(Box<[LineReader<Input>; 2]>),
    /// Both sides in one line.
    One(Box<LineReader<Input>>, Cut),
    /// Pairs in a format of another program.
    Pairs(Box<PairReader>),
}

impl Lines {
    fn names(&self) -> [&str; 2] {
        match self {
            Self::Two(readers) => [readers[0].name(), readers[1].name()],
            Self::One(reader, _) => [reader.name(); 2],
            Self::Pairs(reader) => [reader.name(); 2],
        }
    }
}

impl BitextStream {
    /// Opens parallel text.
    ///
    /// # Errors
    /// `Io`; `Inconsistent` if both files are standard input; `Config` if a column or the greatest length is 0.
    pub fn open(from: &BitextSource, options: &ReadOptions) -> Result<Self> {
        options.validate()?;
        let reader = |path, cut| Ok::<_, Error>(options.lines(source::open(path)?, cut));
        let one = |path, cut| Ok::<_, Error>(Lines::One(Box::new(reader(path, Some(cut))?), cut));
        let lines = match from {
            BitextSource::Files { source, target } => {
                check_files([source, target])?;
                Lines::Two(Box::new([reader(source, None)?, reader(target, None)?]))
            }
            BitextSource::Joint(path) => one(path, Cut::Joint)?,
            BitextSource::Columns { path, source, target } => {
                check_columns([*source, *target])?;
                one(path, Cut::Columns(*source, *target))?
            }
            BitextSource::Pairs { path, options: choice } => {
                let choice = choice.clone().with(|c| c.utf8 = options.utf8);
                let (input, format) = PairReader::recognize(path, &choice)?;
                let cut = match format {
                    PairFormat::Joint => Some(Cut::Joint),
                    PairFormat::Columns => {
                        pairs::numbers(&choice).map(|[source, target]| Some(Cut::Columns(source, target)))?
                    }
                    _ => None,
                };
                match cut {
                    Some(cut) => Lines::One(Box::new(options.lines(input, Some(cut))), cut),
                    None => Lines::Pairs(Box::new(PairReader::of_opened(path, input, format, &choice)?)),
                }
            }
        };
        Ok(Self { lines, options: options.clone(), begun: false })
    }

    /// The next `pairs` pairs, or the rest; nothing at the end. Punctuation glued to words is looked for in the
    /// first of them.
    ///
    /// # Errors
    /// As [`read`](super::read).
    pub fn next(&mut self, pairs: usize) -> Result<Option<ReadBitext>> {
        let mut sides = self.sides();
        if std::mem::replace(&mut self.begun, true) {
            sides.iter_mut().for_each(Side::do_not_look_for_glue);
        }
        let more = match &mut self.lines {
            Lines::Two(readers) => read_two(readers, &mut sides, pairs, &self.options)?,
            Lines::One(reader, cut) => read_one(reader, *cut, &mut sides, pairs, &self.options)?,
            Lines::Pairs(reader) => read_pairs(reader, &mut sides, pairs, &self.options)?,
        };
        let [source, target] = sides;
        if more { join(source, target).map(Some) } else { Ok(None) }
    }

    /// All pairs that are left, perhaps none.
    ///
    /// # Errors
    /// As [`read`](super::read).
    pub(super) fn read_all(&mut self) -> Result<ReadBitext> {
        let mut read = if let Some(read) = self.next(usize::MAX)? {
            read
        } else {
            let [source, target] = self.sides();
            join(source, target)?
        };
        read.report.passed_over = self.passed_over();
        Ok(read)
    }

    /// What was passed over so far, of a file in the format of another program.
    pub fn passed_over(&self) -> PassedOver {
        match &self.lines {
            Lines::Pairs(reader) => {
                let report = reader.report();
                PassedOver { untranslated: report.untranslated, other_languages: report.other_languages }
            }
            _ => PassedOver::default(),
        }
    }

    fn sides(&self) -> [Side; 2] {
        self.lines.names().map(|name| Side::new(name, &self.options))
    }

    /// Skips `pairs` pairs, or the rest.
    ///
    /// # Errors
    /// `Io`, `InvalidUtf8`, and `UnequalLengths` if one file ends before the other.
    pub fn skip(&mut self, pairs: usize) -> Result<()> {
        for _ in 0..pairs {
            let ended = match &mut self.lines {
                Lines::One(reader, _) => [reader.read()?.is_none(); 2],
                Lines::Pairs(reader) => [!reader.read()?; 2],
                Lines::Two(readers) => [readers[0].read()?.is_none(), readers[1].read()?.is_none()],
            };
            match (ended, &mut self.lines) {
                ([false, false], _) => {}
                ([true, false] | [false, true], Lines::Two(readers)) => return Err(unequal(readers)?),
                _ => break,
            }
        }
        Ok(())
    }
}

fn unequal(readers: &mut [LineReader<Input>; 2]) -> Result<Error> {
    let lines = [readers[0].count_all()?, readers[1].count_all()?];
    Ok(Error::unequal_lengths(readers[0].name(), lines[0], readers[1].name(), lines[1]))
}

/// Reads pairs of lines; says whether there were any.
fn read_two(
    readers: &mut [LineReader<Input>; 2],
    sides: &mut [Side; 2],
    pairs: usize,
    options: &ReadOptions,
) -> Result<bool> {
    let before = readers.each_ref().map(|reader| (reader.bytes(), reader.replaced_lines()));
    for _ in 0..pairs {
        let mut ended = [false; 2];
        for ((reader, side), ended) in readers.iter_mut().zip(&mut *sides).zip(&mut ended) {
            let Some(line) = reader.read()? else {
                *ended = true;
                continue;
            };
            if let Err(tokens) = side.push(line) {
                return Err(too_long(reader.position(0), tokens, options));
            }
        }
        if ended[0] != ended[1] {
            return Err(unequal(readers)?);
        }
        if ended[0] {
            break;
        }
    }
    for ((reader, side), (bytes, replaced)) in readers.iter_mut().zip(&mut *sides).zip(before) {
        side.bytes = reader.bytes() - bytes;
        side.replaced = reader.replaced_lines() - replaced;
        side.foreign_blanks = reader.take_foreign_blanks();
    }
    Ok(sides[0].lines() > 0)
}

/// Reads lines that are cut in two; says whether there were any.
pub(super) fn read_one(
    reader: &mut LineReader<Input>,
    cut: Cut,
    [source, target]: &mut [Side; 2],
    pairs: usize,
    options: &ReadOptions,
) -> Result<bool> {
    let (bytes, replaced) = (reader.bytes(), reader.replaced_lines());
    for _ in 0..pairs {
        let Some(line) = reader.read()? else { break };
        match cut.cut(line) {
            Ok((left, right)) => {
                let look = options.blanks == Blanks::Ascii;
                let foreign = [left, right].map(|cell| look.then(|| blanks_of_cell(line, cell)).flatten());
                if let Err(tokens) = source.push(left).and_then(|()| target.push(right)) {
                    return Err(too_long(reader.position(0), tokens, options));
                }
                for found in foreign.into_iter().flatten() {
                    let first = reader.position(found.first.column as usize);
                    ForeignBlanks::add(&mut source.foreign_blanks, Some(ForeignBlanks { first, ..found }));
                }
            }
            Err(miss) => {
                let found = line.as_bytes()[miss.column - 1..].to_vec();
                let error = Error::parse(reader.position(miss.column), miss.expected, &found);
                return Err(if cut.is_of_sentences() { error.with_hint(Hint::SeparatorInText) } else { error });
            }
        }
    }
    source.bytes = reader.bytes() - bytes;
    source.replaced = reader.replaced_lines() - replaced;
    Ok(source.lines() > 0)
}

/// Reads pairs in the format of another program; says whether there were any.
fn read_pairs(reader: &mut PairReader, sides: &mut [Side; 2], pairs: usize, options: &ReadOptions) -> Result<bool> {
    let (bytes, replaced) = (reader.bytes(), reader.report().replaced_utf8);
    let mut cut = String::new();
    for _ in 0..pairs {
        if !reader.read()? {
            break;
        }
        for (side, line) in sides.iter_mut().zip(reader.lines()) {
            let pushed = match options.blanks {
                Blanks::Ascii => {
                    ForeignBlanks::add(&mut side.foreign_blanks, ForeignBlanks::of_line(line, || reader.position()));
                    side.push(line)
                }
                Blanks::Unicode => {
                    blanks::replace(line, &mut cut);
                    side.push(&cut)
                }
            };
            pushed.map_err(|tokens| too_long(reader.position(), tokens, options))?;
        }
    }
    sides[0].bytes = reader.bytes() - bytes;
    sides[0].replaced = reader.report().replaced_utf8 - replaced;
    Ok(sides[0].lines() > 0)
}

/// Blanks inside of the words of a side, with the column of the line in bytes, but not yet the line.
fn blanks_of_cell(line: &str, cell: &str) -> Option<ForeignBlanks> {
    let mut found = ForeignBlanks::of_line(cell, || Position::new("", 0, 0))?;
    found.first.column += (cell.as_ptr().addr() - line.as_ptr().addr()) as u64;
    Some(found)
}

impl ReadReport {
    /// Adds what was met in the pairs that follow.
    pub fn add(&mut self, next: &Self) {
        let before = self.pairs as usize;
        self.skipped_long.extend(next.skipped_long.iter().map(|n| before + n));
        self.pairs += next.pairs;
        self.empty_source += next.empty_source;
        self.empty_target += next.empty_target;
        self.empty_both += next.empty_both;
        self.replaced_utf8 += next.replaced_utf8;
        self.bytes += next.bytes;
        ForeignBlanks::add(&mut self.foreign_blanks, next.foreign_blanks.clone());
        self.glued_source = self.glued_source.max(next.glued_source);
        self.glued_target = self.glued_target.max(next.glued_target);
    }
}
