//! How words are counted and what is shown.

use std::fmt;
use std::str::FromStr;

use crate::bitext::Side;
use crate::error::{Error, Result};

/// The least confidence of a link, where nothing else is said: that with which the default model decides, see `alinea::decision`.
pub const DEFAULT_THRESHOLD: f32 = 0.36;

/// What the translations of a headword are ranked by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Rank {
    /// By how often they occur.
    #[default]
    Count,
    /// By Dunning's G².
    LogLikelihood,
    /// By Dice's coefficient.
    Dice,
}

impl Rank {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Count, Self::LogLikelihood, Self::Dice];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::LogLikelihood => "g2",
            Self::Dice => "dice",
        }
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Rank {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let known = Self::ALL.into_iter().find(|rank| rank.name() == name);
        known.ok_or_else(|| Error::config("rank", name, "count, g2 or dice"))
    }
}

/// How a concordance is made.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ConcordanceConfig {
    /// The side that headwords are of.
    pub side: Side,
    /// Whether words that differ in case are different.
    pub case: bool,
    /// The least confidence of a link, from 0 to 1. Links without one always count.
    pub threshold: f32,
    /// Headwords, and translations of one headword, that occur less often are left out.
    pub min_count: u64,
    /// The most translations of a headword that are listed, if there is a limit.
    pub top: Option<usize>,
    /// What they are ranked by; among equals the more frequent come first, and then those whose bytes do.
    pub rank: Rank,
    /// The most examples of a translation.
    pub examples: usize,
}

impl Default for ConcordanceConfig {
    fn default() -> Self {
        Self {
            side: Side::Source,
            case: false,
            threshold: DEFAULT_THRESHOLD,
            min_count: 1,
            top: None,
            rank: Rank::default(),
            examples: 0,
        }
    }
}

crate::configurable!(ConcordanceConfig);

impl ConcordanceConfig {
    /// Refuses values out of range.
    ///
    /// # Errors
    /// `Config` naming the field.
    pub fn validate(&self) -> Result<()> {
        if (0.0..=1.0).contains(&self.threshold) {
            return Ok(());
        }
        Err(Error::config("threshold", self.threshold, "0 to 1"))
    }
}
