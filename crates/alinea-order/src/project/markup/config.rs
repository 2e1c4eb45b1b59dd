//! How tags are placed.

use std::fmt;
use std::str::FromStr;

use alinea_text::error::{Error, Result};

/// Where a pair of tags goes whose words have no counterpart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Unplaced {
    /// Around nothing, near the counterparts of its neighbors.
    #[default]
    Near,
    /// Around nothing, before everything.
    Start,
    /// Around nothing, behind everything.
    End,
    /// Nowhere.
    Drop,
}

impl Unplaced {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Near, Self::Start, Self::End, Self::Drop];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Near => "near",
            Self::Start => "start",
            Self::End => "end",
            Self::Drop => "drop",
        }
    }
}

impl fmt::Display for Unplaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Unplaced {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let known = Self::ALL.into_iter().find(|place| place.name() == name);
        known.ok_or_else(|| Error::config("unplaced", name, "near, start, end or drop"))
    }
}

/// How tags are placed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct MarkupConfig {
    /// Where pairs go whose words have no counterpart, with all that is in them.
    pub unplaced: Unplaced,
}

alinea_text::configurable!(MarkupConfig);
