//! How trees are projected.

use std::fmt;
use std::str::FromStr;

use alinea_text::error::{Error, Result};

/// How a word of the target finds its head.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Method {
    /// By the probabilities of links and by what is attached to what elsewhere in the text: the best tree of all.
    #[default]
    Consistent,
    /// By direct correspondence, with mends for words that it leaves without a head, after Tiedemann and Agić (2016).
    Mended,
    /// By direct correspondence (Hwa et al. 2005); words that it leaves without a head are attached to the root.
    Direct,
}

impl Method {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Consistent, Self::Mended, Self::Direct];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Consistent => "consistent",
            Self::Mended => "mended",
            Self::Direct => "direct",
        }
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
        known.ok_or_else(|| Error::config("method", name, "consistent, mended or direct"))
    }
}

/// How trees are projected.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TreeConfig {
    /// How a word finds its head.
    pub method: Method,
    /// The least probability of what counts as a link for `Mended` and `Direct`, from 0 to 1.
    pub threshold: f32,
}

impl Default for TreeConfig {
    fn default() -> Self {
        Self { method: Method::default(), threshold: 0.36 }
    }
}

alinea_text::configurable!(TreeConfig);

impl TreeConfig {
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
