//! What a confidence is the probability of.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};
use crate::numeric::sigmoid;

/// What people would call a link for a confidence to be the probability of it. Written and read as `sure` and `possible`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkKind {
    /// A sure link.
    Sure,
    /// A link at all, sure or possible.
    Possible,
}

impl fmt::Display for LinkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Sure => "sure",
            Self::Possible => "possible",
        })
    }
}

impl FromStr for LinkKind {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "sure" => Ok(Self::Sure),
            "possible" => Ok(Self::Possible),
            _ => Err(Error::config("calibrated", text, "sure or possible")),
        }
    }
}

/// From the probability of a link of one kind to that of another: logit P' = f logit P + c.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Calibration {
    /// f.
    pub(crate) factor: f64,
    /// c.
    pub(crate) summand: f64,
}

impl Calibration {
    /// P', from P; both from 0 to 1.
    pub fn probability(&self, confidence: f32) -> f32 {
        let p = f64::from(confidence);
        sigmoid(self.factor * (p / (1.0 - p)).ln() + self.summand) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_keep_their_order() {
        let calibration = Calibration { factor: 2.0, summand: 1.0 };
        let made = [0.0, 0.2, 0.5, 1.0].map(|confidence| calibration.probability(confidence));
        // Odds of 1/4 become e / 16, odds of 1 become e.
        let e = std::f32::consts::E;
        for (found, odds) in made.into_iter().zip([0.0, e / 16.0, e, f32::INFINITY]) {
            let expected = if odds.is_infinite() { 1.0 } else { odds / (1.0 + odds) };
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
    }

    #[test]
    fn kinds_are_read_as_they_are_written() {
        for kind in [LinkKind::Sure, LinkKind::Possible] {
            assert_eq!(kind.to_string().parse::<LinkKind>().unwrap(), kind);
        }
        assert_eq!("yes".parse::<LinkKind>().unwrap_err().to_string(), "calibrated = yes: must be sure or possible");
    }
}
