//! Files that are read as a whole.

use std::path::Path;

use alinea::error::Result;
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::source;

/// A text file in memory.
pub(super) struct TextFile {
    pub(super) name: String,
    /// Without a byte order mark.
    pub(super) text: String,
}

impl TextFile {
    /// Reads a file, or standard input if the path is `-`.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let input = source::open(path)?;
        let name = input.name().to_owned();
        Self::of(name, input.read_text()?)
    }

    pub(super) fn of(name: String, bytes: Vec<u8>) -> Result<Self> {
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                // Reading its lines says where.
                let mut lines = LineReader::new(error.as_bytes(), name.as_str(), Utf8::Strict);
                while lines.read()?.is_some() {}
                String::new()
            }
        };
        let text = match text.strip_prefix('\u{FEFF}') {
            Some(rest) => rest.to_owned(),
            None => text,
        };
        Ok(Self { name, text })
    }

    /// Its lines, as any reader of lines here sees them.
    pub(super) fn reader(&self) -> LineReader<&[u8]> {
        LineReader::new(self.text.as_bytes(), self.name.as_str(), Utf8::Strict)
    }

    /// Its lines, without what ends them.
    pub(super) fn lines(&self) -> Vec<&str> {
        self.text.split_terminator('\n').map(|line| line.trim_end_matches('\r')).collect()
    }
}
