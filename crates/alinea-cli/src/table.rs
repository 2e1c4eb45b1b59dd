//! Tables of translations as they are written.

use std::path::Path;

use alinea::error::Result;
use alinea::format::dictionary::DictionaryFormat;
use alinea::format::sink::{self, Output};

/// So many bytes are written at a time.
const BLOCK: usize = 1 << 16;

/// Writes a table line by line.
#[derive(Debug)]
pub(crate) struct TableWriter {
    format: DictionaryFormat,
    lines: Vec<u8>,
    output: Output,
}

impl TableWriter {
    /// Opens the file.
    pub(crate) fn create(path: &Path, format: DictionaryFormat) -> Result<Self> {
        Ok(Self { format, lines: Vec::with_capacity(2 * BLOCK), output: sink::create(path)? })
    }

    /// Adds a line; nothing in place of a word is the empty word.
    pub(crate) fn write(&mut self, condition: Option<&[u8]>, generated: Option<&[u8]>, number: f64) -> Result<()> {
        self.format.write(condition, generated, number, &mut self.lines);
        if self.lines.len() >= BLOCK { self.write_block() } else { Ok(()) }
    }

    /// The output with all lines, to be finished.
    pub(crate) fn into_output(mut self) -> Result<Output> {
        self.write_block()?;
        Ok(self.output)
    }

    fn write_block(&mut self) -> Result<()> {
        let written = self.output.write_bytes(&self.lines);
        self.lines.clear();
        written
    }
}
