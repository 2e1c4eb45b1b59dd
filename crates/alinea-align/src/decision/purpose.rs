//! What links are for.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};

/// What links are for, in place of the probability from which on a cell is one. Written and read as `sure`, `balanced` and `full`.
///
/// Precision and recall weigh the same in the default, `balanced`. Where links are decided, probabilities are those of sure links, and
/// those at which F_α is greatest (Fraser and Marcu 2007) for α = .8 and .2 are nearly the same for all models and texts: .6 for
/// `sure`, .15 for `full`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Few wrong links, for dictionaries and gold standards: precision weighs four times as much as recall.
    Sure,
    /// The fewest errors.
    Balanced,
    /// Few missed links, for phrases and projection: recall weighs four times as much as precision.
    Full,
}

impl Purpose {
    /// What is written, and what is read.
    pub const NAMES: [(&'static str, Self); 3] =
        [("sure", Self::Sure), ("balanced", Self::Balanced), ("full", Self::Full)];

    /// The least probability of a sure link, if it is not that of the decision.
    pub fn threshold(self) -> Option<f32> {
        match self {
            Self::Sure => Some(0.6),
            Self::Balanced => None,
            Self::Full => Some(0.15),
        }
    }
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES.iter().find(|(_, purpose)| purpose == self).map_or("", |(name, _)| name);
        f.pad(name)
    }
}

impl FromStr for Purpose {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let found = Self::NAMES.iter().find(|(name, _)| *name == text);
        found.map(|&(_, purpose)| purpose).ok_or_else(|| Error::config("links", text, "sure, balanced or full"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::Decision;
    use crate::model::ModelName;

    #[test]
    fn purposes_are_read_as_they_are_written() {
        for (name, purpose) in Purpose::NAMES {
            assert_eq!((name.parse::<Purpose>().unwrap(), purpose.to_string()), (purpose, name.to_owned()));
        }
        assert_eq!("Sure".parse::<Purpose>().unwrap_err().to_string(), "links = Sure: must be sure, balanced or full");
    }

    #[test]
    fn the_balanced_one_is_between_the_others() {
        for model in [ModelName::AgreementLoo, ModelName::Quality] {
            for decision in [Decision::of(model).unwrap(), Decision::with_encoder(model)] {
                let between = Purpose::Full.threshold()..Purpose::Sure.threshold();
                assert!(between.contains(&Some(decision.threshold())), "{model}");
            }
        }
    }
}
