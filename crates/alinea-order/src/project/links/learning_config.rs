//! The plain data of learning rules: its settings, the annotated examples, and the result of a trial.
//!
//! `LearningConfig` has two kinds of fields: fixed ones, and `half_annotated` and `threshold`, which are chosen by
//! cross-validation where they are `None`. An `Example` holds what projection will have as its input (trees, anchors,
//! confidences of the aligner) and the gold links. A `Trial` is one setting with its F and standard error on held-out
//! pairs. Learning itself is in `learn`, the choice among trials in `choice`.

use super::pair::ParsedPair;
use super::projection::Restriction;
use crate::alignment::{Alignment, WeightedLink};
use crate::error::{Error, Result};

/// How rules are learned. Where `half_annotated` and `threshold` are none, they are chosen by cross-validation on the
/// annotated pairs.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LearningConfig {
    /// The least number of candidates that a rule must have proposed, from 1. Default 3.
    pub least_proposed: u64,
    /// The penalty on the squares of weights, above 0. Default 3.
    pub penalty: f64,
    /// For gold standards that leave out words, such as those of grammar: whether pairs of words without any gold link say
    /// nothing, and what is scored is links between words that both have one. Default false.
    pub annotated_only: bool,
    /// With `annotated_only`: how much a candidate counts of whose words only one has a gold link, from 0 to 1. Such a link
    /// is wrong if annotators linked all counterparts of the word that they did link. 0, 0.25, 0.5 and 1 are tried. Default none.
    pub half_annotated: Option<f64>,
    /// The least probability of a link, from 0 to 1; 0.1 to 0.7 in steps of 0.05 are tried. Default none.
    pub threshold: Option<f64>,
    /// Which words may be linked. Default all.
    pub restriction: Restriction,
}

alinea_text::configurable!(LearningConfig);

impl Default for LearningConfig {
    fn default() -> Self {
        Self {
            least_proposed: 3,
            penalty: 3.0,
            annotated_only: false,
            half_annotated: None,
            threshold: None,
            restriction: Restriction::None,
        }
    }
}

impl LearningConfig {
    /// Refuses values out of range.
    ///
    /// # Errors
    /// `Config` naming the field.
    pub fn validate(&self) -> Result<()> {
        if self.least_proposed == 0 {
            return Err(Error::config("least_proposed", self.least_proposed, "1 or more"));
        }
        if !(self.penalty > 0.0 && self.penalty.is_finite()) {
            return Err(Error::config("penalty", self.penalty, "a number above 0"));
        }
        for (field, share) in [("half_annotated", self.half_annotated), ("threshold", self.threshold)] {
            if let Some(share) = share
                && !(0.0..=1.0).contains(&share)
            {
                return Err(Error::config(field, share, "0 to 1"));
            }
        }
        Ok(())
    }
}

/// An annotated sentence pair: what there will be when links are carried (anchors, confidences sorted by link), and the links
/// that there should be.
#[derive(Debug, Clone, Copy)]
pub struct Example<'e> {
    /// The two sentences.
    pub pair: ParsedPair<'e>,
    /// Links to start from.
    pub anchors: &'e Alignment,
    /// Confidences in candidates.
    pub confidences: &'e [WeightedLink],
    /// The gold standard.
    pub gold: &'e Alignment,
}

/// Settings, and how good the rules are that are learned with them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trial {
    /// How much candidates count of whose words only one has a gold link.
    pub half_annotated: f64,
    /// The least probability of a link.
    pub threshold: f64,
    /// F, from 0 to 1, on pairs that were not learned from.
    pub f: f64,
    /// Its standard error.
    pub standard_error: f64,
}
