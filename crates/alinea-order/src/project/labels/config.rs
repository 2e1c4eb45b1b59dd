//! How labels are projected.

use std::fmt;
use std::str::FromStr;

use alinea_text::error::{Error, Result};

/// How a label finds its stretch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Method {
    /// By the probabilities of links and by what is labeled elsewhere.
    #[default]
    Consistent,
    /// By the probabilities of links alone: the stretch with the greatest sum of q - 1/2.
    Overlap,
    /// From the first word to the last that has a link into the label.
    Hull,
    /// The longest stretch of words that have one, with gaps of one word.
    Longest,
    /// Every stretch of such words, each labeled.
    All,
}

impl Method {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Consistent, Self::Overlap, Self::Hull, Self::Longest, Self::All];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Consistent => "consistent",
            Self::Overlap => "overlap",
            Self::Hull => "hull",
            Self::Longest => "longest",
            Self::All => "all",
        }
    }

    /// Whether labels compete for words, by probabilities.
    pub(in crate::project) const fn is_joint(self) -> bool {
        matches!(self, Self::Consistent | Self::Overlap)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Method {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let known = Self::ALL.into_iter().find(|method| method.name() == name);
        known.ok_or_else(|| Error::config("method", name, "consistent, overlap, hull, longest or all"))
    }
}

/// How labels are projected.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LabelConfig {
    /// How a label finds its stretch.
    pub method: Method,
    /// The least probability of what counts as a link for `Hull`, `Longest` and `All`, from 0 to 1.
    pub threshold: f32,
    /// The least confidence of what is projected, from 0 to 1.
    pub min_confidence: f32,
}

impl Default for LabelConfig {
    fn default() -> Self {
        Self { method: Method::default(), threshold: 0.36, min_confidence: 0.0 }
    }
}

alinea_text::configurable!(LabelConfig);

impl LabelConfig {
    /// Refuses values out of range.
    ///
    /// # Errors
    /// `Config` naming the field.
    pub fn validate(&self) -> Result<()> {
        let fields = [("threshold", self.threshold), ("min_confidence", self.min_confidence)];
        match fields.into_iter().find(|(_, value)| !(0.0..=1.0).contains(value)) {
            Some((field, value)) => Err(Error::config(field, value, "0 to 1")),
            None => Ok(()),
        }
    }
}
