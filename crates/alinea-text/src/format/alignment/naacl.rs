//! The format of the shared tasks of 2003 and 2005 (Mihalcea and Pedersen 2003): one line a link.
//!
//! ```text
//! 0001 1 1 S
//! 0001 2 3 P 0.87
//! ```
//!
//! Sentence, source position, target position, and optionally `S` or `P` and a confidence. A link without letter is
//! sure. Positions count from 1, and position 0 is the empty word: such links are dropped and counted, since being
//! unlinked is the absence of links here. (Under base 0 every position is a word.)
//!
//! The lines may come in any order, so the whole file is read before the first pair is known. A sentence without links
//! leaves no line: [`Sentences`] says how many there are, or what they are called and in which order they stand.
//! Without it there are as many as the largest number seen, and sentences at the end that have no links are lost.

use std::io::BufRead;

use super::fault::{Fault, fields, push_number, push_weight, weight, whole_number};
use super::{Base, LinkKind, LinkRecord, PairRecord, Sentences};
use crate::alignment::Link;
use crate::error::{Error, ErrorKind, Result};
use crate::format::lines::LineReader;

/// How far beyond the largest number so far a sentence may be when nobody said how many there are: one wrong number
/// shall not make billions of empty sentences.
const LARGEST_GAP: u32 = 1_000_000;

/// Reads a file as a whole and gives its pairs in order.
#[derive(Debug)]
pub(super) struct Reader<R> {
    /// The input until it is read.
    lines: Option<LineReader<R>>,
    base: Base,
    sentences: Option<Sentences>,
    /// The links, in the order of their sentences once the input is read.
    entries: Vec<Entry>,
    next_entry: usize,
    next_sentence: u32,
    total: u32,
    null_links: u64,
}

/// A link where it stands.
#[derive(Debug)]
struct Entry {
    /// The sentence, from 0.
    sentence: u32,
    /// The line of the file, from 1.
    line: u64,
    link: PlacedLink,
}

/// A link, and the byte of its line, from 0, where its source position begins.
#[derive(Debug, Clone, Copy)]
struct PlacedLink {
    record: LinkRecord,
    start: u32,
}

impl<R: BufRead> Reader<R> {
    pub(super) fn new(lines: LineReader<R>, base: Base, sentences: Option<Sentences>) -> Self {
        Self {
            lines: Some(lines),
            base,
            sentences,
            entries: Vec::new(),
            next_entry: 0,
            next_sentence: 0,
            total: 0,
            null_links: 0,
        }
    }

    pub(super) fn null_links(&self) -> u64 {
        self.null_links
    }

    pub(super) fn read_into(&mut self, record: &mut PairRecord) -> Result<bool> {
        record.clear();
        if let Some(lines) = self.lines.take()
            && let Err(error) = self.read_all(lines)
        {
            self.total = 0;
            return Err(error);
        }
        if self.next_sentence >= self.total {
            return Ok(false);
        }
        let links = &self.entries[self.next_entry..];
        let links = &links[..links.partition_point(|entry| entry.sentence <= self.next_sentence)];
        record.links.extend(links.iter().map(|entry| entry.link.record));
        self.next_entry += links.len();
        self.next_sentence += 1;
        record.number = u64::from(self.next_sentence);
        Ok(true)
    }

    /// The line and the column, from 1, of a link of the pair with this number; the first if it has several.
    pub(super) fn place_of(&self, pair: u64, link: Link) -> Option<(u64, u64)> {
        let of_pair = |entry: &&Entry| u64::from(entry.sentence) + 1 == pair;
        let first = self.entries.partition_point(|entry| u64::from(entry.sentence) + 1 < pair);
        let mut entries = self.entries[first..].iter().take_while(of_pair);
        let entry = entries.find(|entry| entry.link.record.link == link)?;
        Some((entry.line, u64::from(entry.link.start) + 1))
    }

    fn read_all(&mut self, mut lines: LineReader<R>) -> Result<()> {
        let names = Names::new(self.sentences.as_ref())?;
        self.total = names.total();
        while let Some(line) = lines.read()? {
            match parse_line(line, self.base, &names, self.total) {
                Ok(None) => {}
                Ok(Some((sentence, link))) => {
                    self.total = self.total.max(sentence + 1);
                    match link {
                        Some(link) => self.entries.push(Entry { sentence, line: lines.number(), link }),
                        None => self.null_links += 1,
                    }
                }
                Err(fault) => return Err(fault.at(lines.position(0))),
            }
        }
        if !self.entries.is_sorted_by_key(|entry| entry.sentence) {
            self.entries.sort_by_key(|entry| entry.sentence);
        }
        Ok(())
    }
}

/// What sentences may be called.
enum Names<'a> {
    Any,
    Count(u32),
    /// Names without leading zeros, sorted, with their places.
    Sorted(Vec<(&'a str, u32)>),
}

impl<'a> Names<'a> {
    fn new(sentences: Option<&'a Sentences>) -> Result<Self> {
        let count = |count: u64| {
            u32::try_from(count).map_err(|_| Error::config("sentences", count, "fewer than 2^32 sentences"))
        };
        match sentences {
            None => Ok(Self::Any),
            Some(Sentences::Count(total)) => Ok(Self::Count(count(*total)?)),
            Some(Sentences::Order(names)) => {
                let mut sorted = Vec::with_capacity(names.len());
                for (place, name) in names.iter().enumerate() {
                    sorted.push((canonical(name), count(place as u64)?));
                }
                sorted.sort_unstable();
                if let Some(twice) = sorted.windows(2).find(|two| two[0].0 == two[1].0) {
                    let message = format!("sentence {} occurs twice in the order of sentences", twice[0].0);
                    return Err(ErrorKind::Inconsistent(message).into());
                }
                Ok(Self::Sorted(sorted))
            }
        }
    }

    /// The number of sentences, as far as it is known beforehand.
    fn total(&self) -> u32 {
        match self {
            Self::Any => 0,
            Self::Count(total) => *total,
            Self::Sorted(names) => names.len() as u32,
        }
    }

    /// The place, from 0, of a sentence; the error says what was expected.
    fn place(&self, name: &str, so_far: u32) -> Result<u32, String> {
        if let Self::Sorted(names) = self {
            return match names.binary_search_by_key(&canonical(name), |(name, _)| name) {
                Ok(found) => Ok(names[found].1),
                Err(_) => Err("a sentence of the given order".to_owned()),
            };
        }
        let limit = match self {
            Self::Count(total) => *total,
            _ => so_far.saturating_add(LARGEST_GAP).min(u32::MAX - 1),
        };
        match whole_number::<u32>(name) {
            Some(number) if number >= 1 && number <= limit => Ok(number - 1),
            Some(number) if number > limit && matches!(self, Self::Any) => {
                Err(format!("a sentence number up to {limit}, not far beyond the others (or state how many there are)"))
            }
            _ if matches!(self, Self::Any) => Err("a sentence number from 1".to_owned()),
            _ => Err(format!("a sentence number from 1 to {limit}")),
        }
    }
}

/// `0001` and `1` are the same sentence.
fn canonical(name: &str) -> &str {
    if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()) {
        let significant = name.trim_start_matches('0');
        return if significant.is_empty() { "0" } else { significant };
    }
    name
}

/// The sentence, from 0, and the link of a line; no link if one of its words is the empty word, nothing at all if the
/// line is blank.
fn parse_line(
    line: &str,
    base: Base,
    names: &Names<'_>,
    so_far: u32,
) -> Result<Option<(u32, Option<PlacedLink>)>, Fault> {
    let mut fields = fields(line);
    let Some((start, name)) = fields.next() else { return Ok(None) };
    let sentence = names.place(name, so_far).map_err(|expected| Fault::new(start, expected, name.as_bytes()))?;
    let mut position = || match fields.next() {
        None => Err(Fault::new(line.len(), "sentence, source position and target position", b"")),
        Some((start, field)) => {
            let number = whole_number::<u32>(field);
            number.map(|number| (number, start)).ok_or_else(|| Fault::new(start, "a position", field.as_bytes()))
        }
    };
    let ((source, start), (target, _)) = (position()?, position()?);
    let (mut kind, mut weighed) = (None, None);
    for (start, field) in fields {
        match field {
            "S" | "s" if kind.is_none() && weighed.is_none() => kind = Some(LinkKind::Sure),
            "P" | "p" if kind.is_none() && weighed.is_none() => kind = Some(LinkKind::Possible),
            _ => match weight(field) {
                Some(weight) if weighed.is_none() => weighed = Some(weight),
                _ => return Err(Fault::new(start, "`S` or `P`, then perhaps a confidence", field.as_bytes())),
            },
        }
    }
    let link = match (base.position(source), base.position(target)) {
        (Some(source), Some(target)) => {
            let link = Link::new(source, target);
            let record = LinkRecord { link, kind: kind.unwrap_or_default(), weight: weighed };
            Some(PlacedLink { record, start: u32::try_from(start).unwrap_or(u32::MAX - 1) })
        }
        _ => None,
    };
    Ok(Some((sentence, link)))
}

/// Appends the links of a record, one a line.
pub(super) fn write(
    record: &PairRecord,
    base: Base,
    digits: Option<usize>,
    sentences: Option<&Sentences>,
    out: &mut Vec<u8>,
) -> Result<()> {
    let name = match sentences {
        Some(Sentences::Order(names)) => {
            let index = usize::try_from(record.number).ok().and_then(|number| number.checked_sub(1));
            Some(index.and_then(|index| names.get(index)).ok_or_else(|| {
                let message = format!("pair {} has no name, the order has {} sentences", record.number, names.len());
                Error::from(ErrorKind::Inconsistent(message))
            })?)
        }
        _ => None,
    };
    for LinkRecord { link, kind, weight } in &record.links {
        match name {
            Some(name) => out.extend_from_slice(name.as_bytes()),
            None => push_number(record.number, out),
        }
        out.push(b' ');
        push_number(base.written(link.source), out);
        out.push(b' ');
        push_number(base.written(link.target), out);
        out.extend_from_slice(if *kind == LinkKind::Sure { b" S" } else { b" P" });
        if let (Some(weight), Some(digits)) = (weight, digits) {
            out.push(b' ');
            push_weight(*weight, Some(digits), out);
        }
        out.push(b'\n');
    }
    Ok(())
}
