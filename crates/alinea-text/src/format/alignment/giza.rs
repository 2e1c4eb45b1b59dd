//! The alignments of GIZA++ and MGIZA: `A3.final` files.
//!
//! ```text
//! # Sentence pair (1) source length 2 target length 3 alignment score : 0.0012
//! la maison bleue
//! NULL ({ }) blue ({ 3 }) house ({ 1 2 })
//! ```
//!
//! Three lines a pair. The second line is the sentence that the model generates ("target"), the third the one it is
//! generated from ("source"), each word followed by the positions, from 1, of the words it generates; the empty word
//! comes first. Which of the two is the source here is [`GizaDirection`].
//!
//! A word may look like anything, `NULL`, `({` and `})` included: the structure tells it from a bracket. The numbers
//! and lengths of the first line are checked against the words. Parts written by several threads, as separate files or
//! one after the other in one file, are put back in the order of their numbers: a pair is held until its turn comes.
//! Every number must come, and come once; asked for, a pair whose number does not come is blank, which is known when all parts are
//! read: those behind it wait until then.

use std::collections::BTreeMap;
use std::io::BufRead;

use super::fault::{Fault, check_word, fields, leading_number, push_number, push_words, whole_number};
use super::{GizaDirection, LinkRecord, PairRecord, TokenList};
use crate::alignment::Link;
use crate::error::{ErrorKind, Position, Result};
use crate::format::lines::LineReader;

/// Reads one file, or several that are parts of one.
#[derive(Debug)]
pub(super) struct Reader<R> {
    parts: Vec<Part<R>>,
    direction: GizaDirection,
    /// How many pairs there must be, if somebody said so.
    total: Option<u64>,
    /// Whether pairs that are missing are left blank.
    fill_gaps: bool,
    /// Pairs that came before their turn.
    waiting: BTreeMap<u64, (PairRecord, Place)>,
    /// Where the pair given last stands.
    place: Place,
    /// The pairs given so far.
    given: u64,
    /// After an error nothing can be put in order any more.
    failed: bool,
}

/// Where the links of a pair stand.
#[derive(Debug, Default)]
struct Place {
    /// The part.
    part: usize,
    /// Its line, from 1.
    line: u64,
    /// Each link, with the byte of the line, from 0, where its number begins.
    links: Vec<(Link, u32)>,
}

#[derive(Debug)]
struct Part<R> {
    lines: LineReader<R>,
    /// The number read last.
    last: u64,
    ended: bool,
}

impl<R: BufRead> Reader<R> {
    pub(super) fn new(
        parts: Vec<LineReader<R>>,
        direction: GizaDirection,
        total: Option<u64>,
        fill_gaps: bool,
    ) -> Self {
        let parts = parts.into_iter().map(|lines| Part { lines, last: 0, ended: false }).collect();
        Self {
            parts,
            direction,
            total,
            fill_gaps,
            waiting: BTreeMap::new(),
            place: Place::default(),
            given: 0,
            failed: false,
        }
    }

    pub(super) fn read_into(&mut self, record: &mut PairRecord) -> Result<bool> {
        if self.failed {
            return Ok(false);
        }
        let read = self.read_next(record);
        self.failed = read.is_err();
        read
    }

    fn read_next(&mut self, record: &mut PairRecord) -> Result<bool> {
        let wanted = self.given + 1;
        loop {
            if let Some(waiting) = self.waiting.remove(&wanted) {
                (*record, self.place) = waiting;
                break;
            }
            // The part that is behind the others is the most likely to have it.
            let going_on = self.parts.iter_mut().enumerate().filter(|(_, part)| !part.ended);
            let behind = going_on.min_by_key(|(_, part)| part.last);
            let Some((number, part)) = behind else {
                if self.fill_gaps && self.is_missing(wanted) {
                    blank(wanted, record);
                    break;
                }
                return self.end(wanted);
            };
            self.place.part = number;
            if !part.read_into(self.direction, record, &mut self.place)? {
                part.ended = true;
                continue;
            }
            if record.number == wanted {
                break;
            }
            let number = record.number;
            let waiting = (std::mem::take(record), std::mem::take(&mut self.place));
            if number < wanted || self.waiting.insert(number, waiting).is_some() {
                let position = part.lines.position(0);
                return Err(inconsistent(format!("{position}: sentence pair {number} occurs twice")));
            }
        }
        self.given = wanted;
        Ok(true)
    }

    /// Where the links of the pair given last stand.
    pub(super) fn position(&self) -> Position {
        let name = self.parts.get(self.place.part).map_or("", |part| part.lines.name());
        Position::new(name, self.place.line, 0)
    }

    /// Where a link of the pair with this number stands; none if that was not given last.
    pub(super) fn place_of(&self, pair: u64, link: Link) -> Option<Position> {
        let (_, start) = self.place.links.iter().find(|(placed, _)| *placed == link).filter(|_| pair == self.given)?;
        Some(Position { column: u64::from(*start) + 1, ..self.position() })
    }

    /// All parts are read: whether a pair of this number should have come.
    fn is_missing(&self, wanted: u64) -> bool {
        !self.waiting.is_empty() || self.total.is_some_and(|total| wanted <= total)
    }

    /// All parts are read: nothing may be missing.
    fn end(&self, wanted: u64) -> Result<bool> {
        if self.is_missing(wanted) {
            return Err(inconsistent(format!("sentence pair {wanted} is missing from {}", self.names())));
        }
        match self.total {
            Some(total) if self.given > total => {
                Err(inconsistent(format!("{} has {} sentence pairs, not {total}", self.names(), self.given)))
            }
            _ => Ok(false),
        }
    }

    fn names(&self) -> String {
        let names: Vec<&str> = self.parts.iter().map(|part| part.lines.name()).collect();
        names.join(", ")
    }
}

/// A pair that is missing.
fn blank(number: u64, record: &mut PairRecord) {
    record.clear();
    record.number = number;
    (record.source, record.target) = (Some(TokenList::default()), Some(TokenList::default()));
}

#[cold]
fn inconsistent(message: String) -> crate::error::Error {
    ErrorKind::Inconsistent(message).into()
}

/// What the first line of a pair says.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Header {
    number: u64,
    /// Words of the sentence that generates, without the empty word.
    generating: usize,
    /// Words of the sentence that is generated.
    generated: usize,
    score: Option<f64>,
}

impl<R: BufRead> Part<R> {
    fn read_into(&mut self, direction: GizaDirection, record: &mut PairRecord, place: &mut Place) -> Result<bool> {
        let header = loop {
            let Some(line) = self.lines.read()? else { return Ok(false) };
            // Files that were joined may have blank lines between them.
            if !line.trim_ascii().is_empty() {
                let parsed = parse_header(line);
                break parsed.map_err(|fault| fault.at(self.lines.position(0)))?;
            }
        };
        let (mut source, mut target) =
            (record.source.take().unwrap_or_default(), record.target.take().unwrap_or_default());
        source.clear();
        target.clear();
        record.clear();
        let (generating, generated) = match direction {
            GizaDirection::SourceToTarget => (&mut source, &mut target),
            GizaDirection::TargetToSource => (&mut target, &mut source),
        };
        let parsed = parse_generated(self.next_line()?, header, generated);
        parsed.map_err(|fault| fault.at(self.lines.position(0)))?;
        place.links.clear();
        let links = &mut record.links;
        let parsed = parse_generating(self.next_line()?, header, generating, |from, to, start| {
            let link = match direction {
                GizaDirection::SourceToTarget => LinkRecord::sure(from, to),
                GizaDirection::TargetToSource => LinkRecord::sure(to, from),
            };
            links.push(link);
            place.links.push((link.link, u32::try_from(start).unwrap_or(u32::MAX - 1)));
        });
        parsed.map_err(|fault| fault.at(self.lines.position(0)))?;
        place.line = self.lines.number();
        self.last = header.number;
        record.number = header.number;
        record.score = header.score;
        record.source = Some(source);
        record.target = Some(target);
        Ok(true)
    }

    fn next_line(&mut self) -> Result<&str> {
        let end = Position { line: self.lines.number() + 1, ..self.lines.position(1) };
        match self.lines.read()? {
            Some(line) => Ok(line),
            None => Err(Fault::new(0, "three lines for each sentence pair", b"").at(end)),
        }
    }
}

fn parse_header(line: &str) -> Result<Header, Fault> {
    let mut at = 0;
    let number = numbered(line, &mut at, "# Sentence pair (")?;
    if number == 0 {
        return Err(Fault::new(at - 1, "a sentence pair number from 1", &line.as_bytes()[at - 1..]));
    }
    let generating = numbered(line, &mut at, ") source length ")?;
    let generated = numbered(line, &mut at, " target length ")?;
    let score = if line[at..].trim_ascii().is_empty() {
        None
    } else {
        literal(line, &mut at, " alignment score : ")?;
        let score: f64 = line[at..]
            .trim_ascii()
            .parse()
            .map_err(|_| Fault::new(at, "a number after `alignment score : `", &line.as_bytes()[at..]))?;
        // Underflow makes `nan` and `inf` of a score in old versions; it has no use then.
        Some(score).filter(|score| score.is_finite())
    };
    Ok(Header { number, generating, generated, score })
}

/// Steps over `expected`.
fn literal(line: &str, at: &mut usize, expected: &'static str) -> Result<(), Fault> {
    if line[*at..].starts_with(expected) {
        *at += expected.len();
        return Ok(());
    }
    let header = "`# Sentence pair (1) source length 2 target length 3 alignment score : 0.5`, here";
    Err(Fault::new(*at, format!("{header} `{}`", expected.trim_ascii()), &line.as_bytes()[*at..]))
}

/// Steps over `expected` and the number behind it.
fn numbered<N: TryFrom<u64>>(line: &str, at: &mut usize, expected: &'static str) -> Result<N, Fault> {
    literal(line, at, expected)?;
    let rest = &line[*at..];
    let (number, digits) = leading_number(rest.as_bytes())
        .ok_or_else(|| Fault::new(*at, format!("a number after `{}`", expected.trim_ascii()), rest.as_bytes()))?;
    *at += digits;
    Ok(number)
}

fn parse_generated(line: &str, header: Header, words: &mut TokenList) -> Result<(), Fault> {
    fields(line).for_each(|(_, word)| words.push(word));
    if words.len() == header.generated {
        return Ok(());
    }
    let expected = format!("{} words, the target length (there are {})", header.generated, words.len());
    Err(Fault::new(0, expected, line.as_bytes()))
}

/// Calls `link` with the positions, from 0, of words that generate and are generated, and the byte where the number of the
/// latter begins.
fn parse_generating(
    line: &str,
    header: Header,
    words: &mut TokenList,
    mut link: impl FnMut(u32, u32, usize),
) -> Result<(), Fault> {
    let mut fields = fields(line);
    let end = |expected: String| Fault::new(line.len(), expected, b"");
    let mut from: Option<u32> = None;
    while let Some((start, word)) = fields.next() {
        match from {
            None if word == "NULL" => {}
            None => return Err(Fault::new(start, "the empty word, `NULL`", word.as_bytes())),
            Some(_) if words.len() == header.generating => {
                let expected = format!("the end of the line after {} words, the source length", header.generating);
                return Err(Fault::new(start, expected, &line.as_bytes()[start..]));
            }
            Some(_) => words.push(word),
        }
        match fields.next() {
            Some((_, "({")) => {}
            Some((start, found)) => return Err(Fault::new(start, "`({` after a word", found.as_bytes())),
            None => return Err(end("`({` after a word".to_owned())),
        }
        loop {
            let (start, field) = fields.next().ok_or_else(|| end("a position or `})`".to_owned()))?;
            if field == "})" {
                break;
            }
            let to = whole_number::<u32>(field).filter(|&to| to >= 1 && to as usize <= header.generated);
            let expected = || format!("a position from 1 to {} or `}})`", header.generated);
            let to = to.ok_or_else(|| Fault::new(start, expected(), field.as_bytes()))?;
            if let Some(from) = from {
                link(from, to - 1, start);
            }
        }
        from = Some(from.map_or(0, |from| from + 1));
    }
    if from.is_none() || words.len() < header.generating {
        let expected = format!("NULL and {} words, the source length (there are {})", header.generating, words.len());
        return Err(end(expected));
    }
    Ok(())
}

/// Appends the three lines of a record.
pub(super) fn write(record: &PairRecord, direction: GizaDirection, out: &mut Vec<u8>) -> Result<()> {
    let (Some(source), Some(target)) = (&record.source, &record.target) else {
        let message = format!("pair {} has no words, which the A3 format requires", record.number);
        return Err(inconsistent(message));
    };
    record.check_words().map_err(|error| error.within(format_args!("pair {}", record.number)))?;
    for word in source.iter().chain(target.iter()) {
        check_word(word, record.number, "A3")?;
    }
    let pairs = record.links.iter().map(|LinkRecord { link, .. }| (link.source, link.target));
    let (generating, generated, mut links): (_, _, Vec<(u32, u32)>) = match direction {
        GizaDirection::SourceToTarget => (source, target, pairs.collect()),
        GizaDirection::TargetToSource => (target, source, pairs.map(|(source, target)| (target, source)).collect()),
    };
    links.sort_unstable();
    links.dedup();

    out.extend_from_slice(b"# Sentence pair (");
    push_number(record.number, out);
    out.extend_from_slice(b") source length ");
    push_number(generating.len() as u64, out);
    out.extend_from_slice(b" target length ");
    push_number(generated.len() as u64, out);
    out.extend_from_slice(format!(" alignment score : {:e}\n", record.score.unwrap_or(0.0)).as_bytes());
    push_words(generated, out);
    write_generating(generating, generated.len(), &links, out);
    Ok(())
}

/// Appends the third line; `links` are sorted.
fn write_generating(words: &TokenList, generated: usize, links: &[(u32, u32)], out: &mut Vec<u8>) {
    let mut unlinked = vec![true; generated];
    for &(_, to) in links {
        unlinked[to as usize] = false;
    }
    let mut entry = |blank: &str, word: &str, positions: &mut dyn Iterator<Item = usize>| {
        out.extend_from_slice(blank.as_bytes());
        out.extend_from_slice(word.as_bytes());
        out.extend_from_slice(b" ({ ");
        for position in positions {
            push_number(position as u64 + 1, out);
            out.push(b' ');
        }
        out.extend_from_slice(b"})");
    };
    entry("", "NULL", &mut (0..generated).filter(|&position| unlinked[position]));
    let mut rest = links;
    for (from, word) in words.iter().enumerate() {
        let (own, others) = rest.split_at(rest.partition_point(|&(of, _)| of as usize <= from));
        entry(" ", word, &mut own.iter().map(|&(_, to)| to as usize));
        rest = others;
    }
    out.push(b'\n');
}

#[cfg(test)]
mod tests;
