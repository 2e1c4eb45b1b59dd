//! What the gold links of a text have taught, and where it is kept.
//!
//! A text may have pairs with word vectors and others. What is decided about these differs, and so does what it lacks: there
//! are two [`Guideline`]s, of which that for pairs without vectors is learned of all gold pairs as if none had any. A model file
//! has both.

use crate::alignment::GoldAlignment;
use crate::decision::{CrossValidation, Guideline};
use crate::error::{ErrorKind, Result};
use crate::format::alignment::LineLinks;
use crate::model::Model;
use crate::storage::ContainerWriter;

/// The names in a file.
const WITHOUT_VECTORS: &str = "gold";
const WITH_VECTORS: &str = "gold.encoder";

/// What people link: in pairs without vectors, and in pairs with vectors.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Guidelines {
    pub(super) without_vectors: Option<Guideline>,
    pub(super) with_vectors: Option<Guideline>,
}

/// Gold links of some pairs of a text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GoldLinks {
    /// By ascending number of their pairs.
    pub pairs: Vec<(usize, GoldAlignment)>,
    /// Whether words without a gold link were left out on purpose, so that nothing is known of their links.
    pub annotated_only: bool,
}

impl GoldLinks {
    /// Those of the first pairs, from the lines of a file; an empty line leaves its pair out.
    ///
    /// # Errors
    /// `Inconsistent` if no line has links.
    pub fn of_lines(lines: &LineLinks, annotated_only: bool) -> Result<Self> {
        let pairs: Vec<_> = lines.given().collect();
        if pairs.is_empty() {
            let message = format!("{} has no links: gold links of 2 sentence pairs or more are needed", lines.name());
            return Err(ErrorKind::Inconsistent(message).into());
        }
        Ok(Self { pairs, annotated_only })
    }
}

/// Links of gold pairs by what the other gold pairs told, for scores that can be believed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GoldScores {
    /// The numbers of the pairs.
    pub pairs: Vec<usize>,
    /// What people linked.
    pub gold: Vec<GoldAlignment>,
    /// What is linked without these links, and with them.
    pub validation: CrossValidation,
}

impl Guidelines {
    /// Those of a model.
    ///
    /// # Errors
    /// `Io`; `Model` if they are damaged.
    pub fn of(model: &Model) -> Result<Self> {
        let load = |name| Guideline::load(name, model.file());
        Ok(Self { without_vectors: load(WITHOUT_VECTORS)?, with_vectors: load(WITH_VECTORS)? })
    }

    /// Adds them to the file of a model.
    pub(super) fn store(&self, file: &mut ContainerWriter<'_>) {
        for (name, guideline) in [(WITHOUT_VECTORS, &self.without_vectors), (WITH_VECTORS, &self.with_vectors)] {
            if let Some(guideline) = guideline {
                guideline.store(name, file);
            }
        }
    }

    /// That for pairs without vectors.
    pub fn without_vectors(&self) -> Option<&Guideline> {
        self.without_vectors.as_ref()
    }

    /// That for pairs with vectors.
    pub fn with_vectors(&self) -> Option<&Guideline> {
        self.with_vectors.as_ref()
    }

    /// That by which links are read off a text, which may have vectors that are trusted.
    pub(super) fn leading(&self, has_vectors: bool) -> Option<&Guideline> {
        if has_vectors { self.with_vectors() } else { self.without_vectors() }
    }

    /// A field of a signature, empty if there is nothing.
    pub(super) fn signature(&self) -> String {
        let either = self.with_vectors.as_ref().or(self.without_vectors.as_ref());
        either.map_or_else(String::new, |guideline| format!("|gold:{}", guideline.pairs()))
    }
}

impl GoldScores {
    /// Takes what another has of the same pairs, or of some of them.
    pub(super) fn replace(&mut self, other: Self) {
        let CrossValidation { without, with } = other.validation;
        for ((n, without), with) in other.pairs.into_iter().zip(without).zip(with) {
            if let Ok(place) = self.pairs.binary_search(&n) {
                self.validation.without[place] = without;
                self.validation.with[place] = with;
            }
        }
    }
}
