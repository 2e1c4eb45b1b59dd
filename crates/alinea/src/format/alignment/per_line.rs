//! The reader of the formats that have one line a pair.

use std::io::BufRead;

use super::fault::Fault;
use super::{Base, PairRecord};
use crate::error::{Position, Result};
use crate::format::lines::LineReader;

/// Reads a line and fills an empty record.
pub(super) type ParseLine = fn(&str, Base, &mut PairRecord) -> Result<(), Fault>;

/// Reads a format that `parse` knows.
#[derive(Debug)]
pub(super) struct Reader<R> {
    lines: LineReader<R>,
    base: Base,
    parse: ParseLine,
}

impl<R: BufRead> Reader<R> {
    pub(super) fn new(lines: LineReader<R>, base: Base, parse: ParseLine) -> Self {
        Self { lines, base, parse }
    }

    /// The next pair; its links lie between its words, if the line has them.
    pub(super) fn read_into(&mut self, record: &mut PairRecord) -> Result<bool> {
        record.clear();
        let Some(line) = self.lines.read()? else { return Ok(false) };
        let parsed = (self.parse)(line, self.base, record);
        record.number = self.lines.number();
        parsed.map_err(|fault| fault.at(self.lines.position(0)))?;
        if record.source.is_some() || record.target.is_some() {
            record.check_own_range(&self.lines.position(0), self.base)?;
        }
        Ok(true)
    }

    pub(super) fn position(&self) -> Position {
        self.lines.position(0)
    }
}
