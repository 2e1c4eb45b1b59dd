//! The reader of the formats that have one line a pair.

use std::io::BufRead;

use super::fault::Fault;
use super::{Base, PairRecord};
use crate::alignment::Link;
use crate::error::{Position, Result};
use crate::format::lines::LineReader;

/// Reads a line and fills an empty record.
pub(super) type ParseLine = fn(&str, Base, &mut PairRecord) -> Result<(), Fault>;

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
}

impl<R: BufRead> Reader<R> {
    pub(super) fn new(lines: LineReader<R>, base: Base, (parse, find): (ParseLine, FindLink)) -> Self {
        Self { lines, base, parse, find, line: String::new() }
    }

    /// The next pair; its links lie between its words, if the line has them.
    pub(super) fn read_into(&mut self, record: &mut PairRecord) -> Result<bool> {
        record.clear();
        let Some(line) = self.lines.read()? else { return Ok(false) };
        let parsed = (self.parse)(line, self.base, record);
        self.line.clear();
        self.line.push_str(line);
        record.number = self.lines.number();
        parsed.map_err(|fault| fault.at(self.lines.position(0)))?;
        if record.source.is_some() || record.target.is_some() {
            record
                .check_own_range(self.base, |link| self.lines.position(self.column_of(record.number, link) as usize))?;
        }
        Ok(true)
    }

    pub(super) fn position(&self) -> Position {
        self.lines.position(0)
    }

    /// The column, from 1, of a link of the pair with this number; 0 if that was not read last, or the format has no place for it.
    pub(super) fn column_of(&self, pair: u64, link: Link) -> u64 {
        let found = (pair == self.lines.number()).then(|| (self.find)(&self.line, self.base, link)).flatten();
        found.map_or(0, |start| start as u64 + 1)
    }
}
