//! Scores of the first lines against links made by people.

use std::path::Path;

use alinea::alignment::{Alignment, GoldAlignment};
use alinea::error::Result;
use alinea::evaluate::{self, Report};
use alinea::format::alignment::{LineLinks, PairRecord};

/// Links made by people for the first lines of the text. Those of pairs that were left empty count as missed.
#[derive(Debug)]
pub(super) struct Gold {
    pub(super) links: LineLinks,
    annotated_only: bool,
}

impl Gold {
    /// Reads a file.
    pub(super) fn read(path: &Path, annotated_only: bool) -> Result<Self> {
        Ok(Self { links: LineLinks::read(path)?, annotated_only })
    }

    /// The number of lines it is about.
    pub(super) fn len(&self) -> usize {
        self.links.records().len()
    }

    /// The scores of the links of the first lines.
    pub(super) fn evaluate(&self, first: &[Alignment]) -> Result<Report> {
        let gold: Vec<GoldAlignment> = self.links.records().iter().map(PairRecord::gold).collect();
        let options = evaluate::Options::default().with(|c| c.annotated_only = self.annotated_only);
        Ok(evaluate::evaluate(&gold, first, &options)?.report(0))
    }
}
