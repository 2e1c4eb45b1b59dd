//! The links that a model suggests, with its confidences.

use crate::alignment::{Alignment, Link, WeightedLink};
use crate::decision::Guideline;

/// Cells with a lower confidence are not kept.
pub(super) const LEAST: f32 = 0.02;

/// The links that a model suggests for all pairs of a text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Suggestions {
    pub(super) threshold: f32,
    pub(super) cells: Vec<Vec<WeightedLink>>,
    pub(super) guideline: Option<Guideline>,
    pub(super) validation: Option<Validation>,
}

/// What following the annotators is worth, by cross-validation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Validation {
    /// The pairs that were learned from.
    pub pairs: usize,
    /// The AER of their links if suggestions do not follow the annotators; none without links.
    pub without: Option<f64>,
    /// If they follow what the links of the other pairs tell.
    pub with: Option<f64>,
}

impl Suggestions {
    /// The confidence from which on a link is suggested: where suggesting it is expected to need fewer corrections than leaving it out.
    pub fn threshold(&self) -> f32 {
        self.threshold
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The cells of a pair that may be links, in order, with their confidences, of at least 0.02.
    ///
    /// # Panics
    /// If there is no such pair.
    pub fn cells(&self, n: usize) -> &[WeightedLink] {
        &self.cells[n]
    }

    /// The links that are suggested.
    ///
    /// # Panics
    /// If there is no such pair.
    pub fn links(&self, n: usize) -> Alignment {
        let suggested = self.cells[n].iter().filter(|found| found.weight >= self.threshold);
        suggested.map(|found| found.link).collect::<Vec<Link>>().into_iter().collect()
    }

    /// How many of the cells of a pair the model expects to be wrong: links that are suggested and should not be, and links that
    /// are not suggested and should be.
    ///
    /// # Panics
    /// If there is no such pair.
    pub fn expected_errors(&self, n: usize) -> f64 {
        let error = |found: &WeightedLink| {
            let wrong = if found.weight >= self.threshold { 1.0 - found.weight } else { found.weight };
            f64::from(wrong)
        };
        self.cells[n].iter().map(error).sum()
    }

    /// What was learned of what the annotators link, if that makes suggestions better.
    pub fn guideline(&self) -> Option<&Guideline> {
        self.guideline.as_ref()
    }

    /// What following the annotators is worth, if there were links enough to find out.
    pub fn validation(&self) -> Option<Validation> {
        self.validation
    }
}
