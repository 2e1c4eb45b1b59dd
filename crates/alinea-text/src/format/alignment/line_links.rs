//! Links that people have made for the first lines of a text.
//!
//! The file is read as a whole, in the format that its name suggests. Where its links lie outside of the sentences is known
//! once the text is read: [`LineLinks::check_part`] then says line and column as they are in the file.

use std::path::Path;

use super::{AlignmentReader, LinkReadOptions, PairRecord};
use crate::alignment::GoldAlignment;
use crate::bitext::Bitext;
use crate::error::{ErrorKind, Result};
use crate::format::source::Input;

/// The content of a file of manual links for the first lines of a text.
#[derive(Debug)]
pub struct LineLinks {
    name: String,
    reader: AlignmentReader<Input>,
    records: Vec<PairRecord>,
}

impl LineLinks {
    /// Reads a file, in the format that its name suggests, or its first line, or Pharaoh.
    ///
    /// # Errors
    /// Those of [`AlignmentReader`]; `Empty` for a file without lines.
    pub fn read(path: &Path) -> Result<Self> {
        let mut reader = AlignmentReader::open(&[path], None, &LinkReadOptions::default())?;
        let name = path.display().to_string();
        let records = reader.by_ref().collect::<Result<Vec<_>>>()?;
        if records.is_empty() {
            return Err(ErrorKind::Empty(format!("{name} has no lines")).into());
        }
        Ok(Self { name, reader, records })
    }

    /// What each line says.
    pub fn records(&self) -> &[PairRecord] {
        &self.records
    }

    /// Where they come from.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The links of each pair that has some, with its number from 0; an empty line says nothing of its pair.
    pub fn given(&self) -> impl Iterator<Item = (usize, GoldAlignment)> + '_ {
        let lines = self.records.iter().enumerate();
        lines.filter(|(_, record)| !record.links.is_empty()).map(|(n, record)| (n, record.gold()))
    }

    /// Refuses links that a text does not have.
    ///
    /// # Errors
    /// Those of [`check_length`](Self::check_length) and [`check_part`](Self::check_part).
    pub fn check(&self, bitext: &Bitext) -> Result<()> {
        self.check_length(bitext.len())?;
        self.check_part(0, bitext)
    }

    /// Refuses links for lines beyond the number of pairs of the text.
    ///
    /// # Errors
    /// `Inconsistent`.
    pub fn check_length(&self, pairs: usize) -> Result<()> {
        let lines = self.records.len();
        if lines > pairs {
            let message = format!("{} has links for {lines} pairs, the text has only {pairs}", self.name);
            return Err(ErrorKind::Inconsistent(message).into());
        }
        Ok(())
    }

    /// Refuses links for words that a part of the text does not have; so many pairs come before it.
    ///
    /// # Errors
    /// `LinkOutOfRange`, with the place in the file.
    pub fn check_part(&self, before: usize, bitext: &Bitext) -> Result<()> {
        for (record, pair) in self.records.iter().skip(before).zip(bitext.pairs()) {
            // Pairs that were left empty have nothing to check against.
            if !pair.has_empty_side() {
                self.reader.check_range(record, pair.source.len(), pair.target.len())?;
            }
        }
        Ok(())
    }
}
