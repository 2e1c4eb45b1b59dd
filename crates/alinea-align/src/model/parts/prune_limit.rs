//! The limit below which pairs of words leave a training, and what says that some have left.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::lexicon::UNIT;

/// Which expected counts are too few for a pair of words to stay.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PruneLimit(f32);

impl PruneLimit {
    /// Below so many expected counts in both directions.
    ///
    /// # Errors
    /// `Config` if this is not above 0 and at most 1.
    pub fn new(counts: f32) -> Result<Self> {
        if counts > 0.0 && counts <= 1.0 {
            return Ok(Self(counts));
        }
        Err(Error::config("prune", counts, "above 0 and at most 1 expected count"))
    }

    /// The limit.
    pub fn counts(self) -> f32 {
        self.0
    }

    /// The least number of units of a count that is not below it.
    pub(super) fn units(self) -> u64 {
        (f64::from(self.0) * f64::from(UNIT)).ceil() as u64
    }
}

/// What left the index of a training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pruned {
    /// After which pass, from 1.
    after: u32,
    /// Pairs with fewer expected counts.
    below: f32,
}

impl Pruned {
    pub(super) fn new(after: u32, limit: PruneLimit) -> Self {
        Self { after, below: limit.counts() }
    }
}

impl fmt::Display for Pruned {
    /// `below 0.001 after 5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "below {} after {}", self.below, self.after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_counts_up_to_one() {
        assert!(PruneLimit::new(1e-6).is_ok() && PruneLimit::new(1.0).is_ok());
        for counts in [0.0, -1.0, 1.1, f32::NAN] {
            let error = PruneLimit::new(counts).unwrap_err().to_string();
            assert!(error.contains("above 0 and at most 1 expected count"), "{error}");
        }
    }
}
