//! The segments of `alinea metric`, read from the files of systems and references side by side.
//!
//! A `Source` is lines (`Streams`), lines with links, or sentences with trees. Segment n is line n of every file; files
//! of different length are an error with both counts.
//!
//! Standard input as the only system file has a system in each column between tabs. The first line says how many, and
//! every line must have as many; white space at the end that would make more is cut off, as in sacreBLEU. With
//! `--num-refs N` a line of the one reference file has N references between tabs; the last keeps any further tabs. The
//! lines of several test sets are in several files, one after another (`Text`).
//!
//! `OddLines` counts lines with a carriage return inside, or a tab that separates nothing, and keeps the place of the
//! first of each. `look_at` looks for what is odd about whole segments.

use std::collections::VecDeque;
use std::path::PathBuf;

use alinea::error::{Error, ErrorKind, Result};
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::source::{Input, is_dash};
use alinea::metric::Segments;
use alinea::metric::oddities::Oddities;

use super::linked_streams::LinkedStreams;
use crate::input::trees::TreeStreams;

/// Where segments come from.
pub(super) enum Source {
    /// Lines of text.
    Lines(Streams),
    /// Lines of text with the links of their source.
    Linked(Box<LinkedStreams>),
    /// Sentences with trees.
    Trees(Box<TreeStreams>),
}

impl Source {
    /// The number of systems.
    pub(super) fn systems(&self) -> usize {
        match self {
            Self::Lines(streams) => streams.systems(),
            Self::Linked(streams) => streams.systems(),
            Self::Trees(streams) => streams.systems(),
        }
    }

    /// Whether segments are lines as people read them, at which somebody should [look](look_at).
    pub(super) fn has_lines(&self) -> bool {
        matches!(self, Self::Lines(_))
    }

    /// Replaces `segments` by the next ones, at most `most`; none at the end.
    pub(super) fn read(&mut self, most: usize, segments: &mut Segments, odd: &mut OddLines) -> anyhow::Result<()> {
        match self {
            Self::Lines(streams) => Ok(streams.read(most, segments, odd)?),
            Self::Linked(streams) => streams.read(most, segments, odd),
            Self::Trees(streams) => streams.read(most, segments),
        }
    }
}

/// The files that have the lines of a system or a reference, one after another.
#[derive(Debug, Clone)]
pub(super) struct Text {
    first: PathBuf,
    others: Vec<PathBuf>,
}

impl From<PathBuf> for Text {
    fn from(file: PathBuf) -> Self {
        Self { first: file, others: Vec::new() }
    }
}

impl Text {
    /// Adds the lines of a file.
    pub(super) fn append(&mut self, file: PathBuf) {
        self.others.push(file);
    }

    /// Whether that is standard input.
    pub(super) fn is_standard_input(&self) -> bool {
        is_dash(&self.first)
    }
}

/// The lines of a system or a reference.
#[derive(Debug)]
struct Stream {
    reader: LineReader<Input>,
    /// Files that are read after this one.
    others: VecDeque<LineReader<Input>>,
    /// Lines of the files before.
    before: u64,
    line: String,
}

impl Stream {
    fn open(text: &Text) -> Result<Self> {
        let open = |path: &PathBuf| LineReader::open(path, Utf8::Strict);
        let reader = open(&text.first)?;
        let others = text.others.iter().map(open).collect::<Result<_>>()?;
        Ok(Self { reader, others, before: 0, line: String::new() })
    }

    /// Reads the next line; says whether there was one.
    fn advance(&mut self) -> Result<bool> {
        while !self.reader.read_into(&mut self.line)? {
            let Some(next) = self.others.pop_front() else { return Ok(false) };
            self.before += self.reader.number();
            self.reader = next;
        }
        Ok(true)
    }

    /// The number of all lines.
    fn count_all(&mut self) -> Result<u64> {
        let mut count = self.before + self.reader.count_all()?;
        for reader in &mut self.others {
            count += reader.count_all()?;
        }
        Ok(count)
    }

    /// The fields of the line: `count`, the last with the tabs that are left.
    fn fields(&self, count: usize) -> std::str::SplitN<'_, char> {
        self.line.splitn(count, '\t')
    }
}

/// All files.
#[derive(Debug)]
pub(super) struct Streams {
    /// Systems first, then references.
    files: Vec<Stream>,
    /// Files of systems.
    system_files: usize,
    /// Systems in a line of the one file of systems, if that is standard input; otherwise 1.
    columns: usize,
    /// Whether that is standard input.
    is_pasted: bool,
    /// Whether the first line of standard input was read, to count them.
    begun: bool,
    /// References in a line of the one file of references.
    in_line: usize,
}

/// What is odd about the lines of files.
#[derive(Debug, Clone)]
pub(super) struct OddLines {
    /// What is odd about segments.
    pub(super) segments: Oddities,
    /// Lines with a carriage return inside, and the place of the first.
    pub(super) returns: Option<(u64, String)>,
    /// Lines with a tab that separates no columns, and the place of the first.
    pub(super) tabs: Option<(u64, String)>,
}

impl Streams {
    /// Opens all files. If standard input has the one file of systems, its columns between tabs are a system each.
    pub(super) fn open(references: &[Text], systems: &[PathBuf], in_line: usize) -> Result<Self> {
        let texts = systems.iter().cloned().map(Text::from).chain(references.iter().cloned());
        let files = texts.map(|text| Stream::open(&text)).collect::<Result<Vec<_>>>()?;
        let mut streams =
            Self { files, system_files: systems.len(), columns: 1, is_pasted: false, begun: false, in_line };
        if let [path] = systems
            && is_dash(path)
        {
            let stream = &mut streams.files[0];
            streams.begun = stream.advance()?;
            if !streams.begun {
                let name = stream.reader.name();
                let message = format!("{name}: no translations (-i FILE reads them from a file)");
                return Err(ErrorKind::Empty(message).into());
            }
            streams.columns += stream.line.trim_end().matches('\t').count();
            streams.is_pasted = true;
        }
        Ok(streams)
    }

    /// All references, without systems.
    pub(super) fn read_references(references: &[Text], in_line: usize) -> Result<Segments> {
        let mut segments = Segments::new(0);
        Self::open(references, &[], in_line)?.read(usize::MAX, &mut segments, &mut OddLines::new(0))?;
        Ok(segments)
    }

    /// The number of systems.
    pub(super) fn systems(&self) -> usize {
        if self.columns > 1 { self.columns } else { self.system_files }
    }

    /// Replaces `segments` by the next ones, at most `most`; none at the end.
    ///
    /// # Errors
    /// `UnequalLengths` if some files have ended and others not; `Parse` for a line with too few references, or with
    /// more or fewer systems than the first.
    pub(super) fn read(&mut self, most: usize, segments: &mut Segments, odd: &mut OddLines) -> Result<()> {
        segments.clear();
        while segments.len() < most {
            let mut ended = 0;
            let begun = usize::from(std::mem::take(&mut self.begun));
            for stream in &mut self.files[begun..] {
                ended += usize::from(!stream.advance()?);
            }
            if ended == self.files.len() {
                break;
            }
            if ended > 0 {
                return Err(self.unequal()?);
            }
            if self.is_pasted {
                trim_surplus(&mut self.files[0].line, self.columns);
            }
            let (systems, references) = self.files.split_at(self.system_files);
            odd.look(systems, self.columns);
            odd.look(references, self.in_line);
            let systems = if self.columns > 1 { columns(&systems[0], self.columns)? } else { lines(systems) };
            let references = if self.in_line > 1 { split(&references[0], self.in_line)? } else { lines(references) };
            segments.push(&systems, &references);
        }
        Ok(())
    }

    /// The first file that is not as long as the first of all.
    fn unequal(&mut self) -> Result<Error> {
        let mut counts = Vec::with_capacity(self.files.len());
        for stream in &mut self.files {
            counts.push(stream.count_all()?);
        }
        let other = counts.iter().position(|count| *count != counts[0]).unwrap_or(0);
        let name = |stream: usize| self.files[stream].reader.name();
        Ok(Error::unequal_lengths(name(0), counts[0], name(other), counts[other]))
    }
}

/// Looks at all segments.
pub(super) fn look_at(segments: &Segments, odd: &mut Oddities) {
    let (mut systems, mut references) = (Vec::new(), Vec::new());
    for segment in 0..segments.len() {
        systems.clear();
        systems.extend((0..segments.systems()).map(|system| segments.hypothesis(segment, system)));
        references.clear();
        references.extend(segments.references(segment));
        odd.look(&systems, &references);
    }
}

/// The lines of files.
fn lines(streams: &[Stream]) -> Vec<&str> {
    streams.iter().map(|stream| stream.line.as_str()).collect()
}

/// Cuts off white space at the end of a line that would be more systems, as sacreBLEU does.
fn trim_surplus(line: &mut String, columns: usize) {
    if line.matches('\t').count() >= columns {
        line.truncate(line.trim_end().len());
    }
}

/// The systems of a line.
fn columns(stream: &Stream, count: usize) -> Result<Vec<&str>> {
    let found = stream.line.matches('\t').count() + 1;
    if found == count {
        return Ok(stream.fields(count).collect());
    }
    let expected = format!("{count} tab-separated systems, as in the first line, not {found}");
    Err(Error::parse(stream.reader.position(1), expected, stream.line.as_bytes()))
}

/// The references of a line.
fn split(stream: &Stream, count: usize) -> Result<Vec<&str>> {
    let fields: Vec<&str> = stream.fields(count).collect();
    if fields.len() == count {
        return Ok(fields);
    }
    let expected = format!("{count} tab-separated references, not {}", fields.len());
    Err(Error::parse(stream.reader.position(1), expected, stream.line.as_bytes()))
}

impl OddLines {
    /// Nothing odd yet.
    pub(super) fn new(systems: usize) -> Self {
        Self { segments: Oddities::new(systems), returns: None, tabs: None }
    }

    /// Looks at a line of each file, which has so many columns.
    fn look(&mut self, streams: &[Stream], columns: usize) {
        for stream in streams {
            note(&mut self.returns, stream, stream.line.find('\r'));
            let start = stream.fields(columns).last().map_or(0, |last| stream.line.len() - last.len());
            note(&mut self.tabs, stream, stream.line[start..].find('\t').map(|place| start + place));
        }
    }
}

/// Counts a line in which something odd is at this byte.
fn note(found: &mut Option<(u64, String)>, stream: &Stream, place: Option<usize>) {
    if let Some(place) = place {
        found.get_or_insert_with(|| (0, stream.reader.position(place + 1).to_string())).0 += 1;
    }
}
