//! Links that people have made for the first lines of a text.

use std::path::Path;

use alinea::bitext::Bitext;
use alinea::error::{ErrorKind, Result};
use alinea::format::alignment::{AlignmentFormat, AlignmentReader, LinkReadOptions, PairRecord};
use alinea::format::source::Input;

/// A file of them, read.
#[derive(Debug)]
pub(crate) struct LineLinks {
    name: String,
    reader: AlignmentReader<Input>,
    records: Vec<PairRecord>,
}

impl LineLinks {
    /// Reads a file, in the format that its name suggests, or Pharaoh.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let format = AlignmentFormat::from_path(path).unwrap_or(AlignmentFormat::Pharaoh);
        let mut reader = AlignmentReader::open(&[path], format, &LinkReadOptions::default())?;
        let name = path.display().to_string();
        let records = reader.by_ref().collect::<Result<Vec<_>>>()?;
        if records.is_empty() {
            return Err(ErrorKind::Empty(format!("{name} has no lines")).into());
        }
        Ok(Self { name, reader, records })
    }

    /// What each line says.
    pub(crate) fn records(&self) -> &[PairRecord] {
        &self.records
    }

    /// Refuses links for lines that a text of so many pairs does not have.
    pub(crate) fn check_length(&self, pairs: usize) -> Result<()> {
        let lines = self.records.len();
        if lines > pairs {
            let message = format!("{} has links for {lines} pairs, the text has only {pairs}", self.name);
            return Err(ErrorKind::Inconsistent(message).into());
        }
        Ok(())
    }

    /// Refuses links for words that a part of the text does not have; so many pairs come before it.
    pub(crate) fn check_part(&self, before: usize, bitext: &Bitext) -> Result<()> {
        for (record, pair) in self.records.iter().skip(before).zip(bitext.pairs()) {
            // Pairs that were left empty have nothing to check against.
            if !pair.has_empty_side() {
                self.reader.check_range(record, pair.source.len(), pair.target.len())?;
            }
        }
        Ok(())
    }
}
