//! Scores of the first lines against links made by people.

use std::path::Path;

use alinea::alignment::{Alignment, GoldAlignment};
use alinea::bitext::Bitext;
use alinea::error::{ErrorKind, Result};
use alinea::evaluate::{self, Report};
use alinea::format::alignment::{AlignmentFormat, AlignmentReader, LinkReadOptions, PairRecord};
use alinea::format::source::Input;

/// Links made by people for the first lines of the text.
#[derive(Debug)]
pub(super) struct Gold {
    name: String,
    reader: AlignmentReader<Input>,
    records: Vec<PairRecord>,
    annotated_only: bool,
}

impl Gold {
    /// Reads a file, in the format that its name suggests, or Pharaoh.
    pub(super) fn read(path: &Path, annotated_only: bool) -> Result<Self> {
        let format = AlignmentFormat::from_path(path).unwrap_or(AlignmentFormat::Pharaoh);
        let mut reader = AlignmentReader::open(&[path], format, &LinkReadOptions::default())?;
        let name = path.display().to_string();
        let records = reader.by_ref().collect::<Result<Vec<_>>>()?;
        if records.is_empty() {
            return Err(ErrorKind::Empty(format!("{name} has no lines")).into());
        }
        Ok(Self { name, reader, records, annotated_only })
    }

    /// The number of lines it is about.
    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    /// Refuses links for lines that a text of so many pairs does not have.
    pub(super) fn check_length(&self, pairs: usize) -> Result<()> {
        if self.len() > pairs {
            let message = format!("{} has links for {} pairs, the text has only {pairs}", self.name, self.len());
            return Err(ErrorKind::Inconsistent(message).into());
        }
        Ok(())
    }

    /// Refuses links for words that a part of the text does not have; so many pairs come before it.
    pub(super) fn check_part(&self, before: usize, bitext: &Bitext) -> Result<()> {
        for (record, pair) in self.records.iter().skip(before).zip(bitext.pairs()) {
            // Pairs that were left empty have nothing to check against; their links count as missed.
            if !pair.has_empty_side() {
                self.reader.check_range(record, pair.source.len(), pair.target.len())?;
            }
        }
        Ok(())
    }

    /// The scores of the links of the first lines.
    pub(super) fn evaluate(&self, first: &[Alignment]) -> Result<Report> {
        let gold: Vec<GoldAlignment> = self.records.iter().map(PairRecord::gold).collect();
        let options = evaluate::Options { annotated_only: self.annotated_only, ..evaluate::Options::default() };
        Ok(evaluate::evaluate(&gold, first, &options)?.report(0))
    }
}
