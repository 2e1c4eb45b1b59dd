//! Links that people made, of which a decision learns what counts as a link.

use std::path::Path;

use alinea::align::{GoldLinks, GoldScores};
use alinea::bitext::Bitext;
use alinea::error::Result;
use alinea::evaluate;
use alinea::format::alignment::LineLinks;

use crate::context::Context;

/// Gold links of some of the first pairs.
#[derive(Debug)]
pub(crate) struct ReadGold {
    lines: LineLinks,
    links: GoldLinks,
}

impl ReadGold {
    pub(super) fn read(path: &Path, annotated_only: bool) -> Result<Self> {
        let lines = LineLinks::read(path)?;
        let links = GoldLinks::of_lines(&lines, annotated_only)?;
        Ok(Self { lines, links })
    }

    /// How many of the first pairs the file is about.
    pub(crate) fn pairs(&self) -> usize {
        self.lines.records().len()
    }

    /// Refuses links that a text does not have.
    pub(crate) fn check(&self, bitext: &Bitext) -> Result<()> {
        self.lines.check(bitext)
    }

    /// Refuses links for lines beyond the number of pairs of a text.
    pub(crate) fn check_length(&self, pairs: usize) -> Result<()> {
        self.lines.check_length(pairs)
    }

    /// What is learned from.
    pub(crate) fn links(&self) -> &GoldLinks {
        &self.links
    }

    /// Tells how well these pairs are aligned: without their links, and each by what those of the others tell.
    pub(crate) fn tell(&self, scores: &GoldScores, context: &Context) -> Result<()> {
        let options = evaluate::Options::default().with(|c| c.annotated_only = self.links.annotated_only);
        let validation = &scores.validation;
        let compared = evaluate::compare(&scores.gold, &validation.without, &validation.with, &options)?;
        context.answer("gold links: baseline without them, system by those of other pairs (cross-validation)");
        context.answer(compared.report(0));
        Ok(())
    }
}
