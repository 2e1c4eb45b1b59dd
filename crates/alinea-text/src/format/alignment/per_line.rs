//! The reader of the formats that have one line a pair.

use std::io::BufRead;

use super::fault::Fault;
use super::{Base, PairRecord};
use crate::alignment::Link;
use crate::error::{Position, Result};
use crate::format::lines::LineReader;

/// Reads a line and fills a record that has nothing but its number. Links to the empty word are left out; the result is how many.
pub(super) type ParseLine = fn(&str, Base, &mut PairRecord) -> Result<u64, Fault>;

/// Finds a link in a line: the byte where it begins, from 0.
pub(super) type FindLink = fn(&str, Base, Link) -> Option<usize>;

/// Reads a format that `parse` knows.
#[derive(Debug)]
pub(super) struct Reader<R> {
    lines: LineReader<R>,
    base: Base,
    parse: ParseLine,
    find: FindLink,
    /// The line read last, for messages.
    line: String,
    null_links: u64,
}

impl<R: BufRead> Reader<R> {
    pub(super) fn new(lines: LineReader<R>, base: Base, (parse, find): (ParseLine, FindLink)) -> Self {
        Self { lines, base, parse, find, line: String::new(), null_links: 0 }
    }

    /// The next pair; its links lie between its words, if the line has them.
    pub(super) fn read_into(&mut self, record: &mut PairRecord) -> Result<bool> {
        record.clear();
        let number = self.lines.number() + 1;
        let Some(line) = self.lines.read()? else { return Ok(false) };
        self.line.clear();
        self.line.push_str(line);
        record.number = number;
        let parsed = (self.parse)(&self.line, self.base, record);
        self.null_links += parsed.map_err(|fault| fault.at(self.lines.position(0)))?;
        if record.source.is_some() || record.target.is_some() {
            record
                .check_own_range(self.base, |link| self.lines.position(self.column_of(record.number, link) as usize))?;
        }
        Ok(true)
    }

    pub(super) fn position(&self) -> Position {
        self.lines.position(0)
    }

    /// The links to the empty word so far.
    pub(super) fn null_links(&self) -> u64 {
        self.null_links
    }

    /// The column, from 1, of a link of the pair with this number; 0 if that was not read last, or the format has no place for it.
    pub(super) fn column_of(&self, pair: u64, link: Link) -> u64 {
        let found = (pair == self.lines.number()).then(|| (self.find)(&self.line, self.base, link)).flatten();
        found.map_or(0, |start| start as u64 + 1)
    }
}
