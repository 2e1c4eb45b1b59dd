//! Weights of the parts of a text, so that added text of another kind can help without outvoting the rest.
//!
//! A text is a sequence of parts, each a number of sentence pairs with a weight w from 0.01 to 1. What a pair adds to
//! the expected counts of the lexicon is multiplied by w. The lower bound is due to counts being multiples of 2^-16.
//! Pairs behind the last part have weight 1, so the default, no parts at all, gives all pairs the same weight.
//!
//! Stored is where each part ends, with its weight; finding that of a pair is linear in the number of parts. Weights
//! are displayed as `1000*1,50000*0.3`.

use std::fmt;

use crate::error::{Error, Result};

/// How much sentence pairs count, part by part of a text: what a pair of weight w adds to the expected counts of a
/// lexicon is multiplied by w. So a text of another kind can help without outvoting the text that is to be aligned.
///
/// ```
/// use alinea::bitext::Weights;
///
/// let weights = Weights::new(&[(1000, 1.0), (50_000, 0.3)])?;
/// assert_eq!((weights.of(999), weights.of(1000)), (1.0, 0.3));
/// # Ok::<(), alinea::error::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Weights {
    /// Where each part ends, and the weight of its pairs. What comes behind the last counts fully.
    parts: Vec<(usize, f32)>,
}

impl Weights {
    /// The least weight: counts are multiples of 2^-16, so lighter pairs would count in steps.
    pub const LEAST: f32 = 0.01;

    /// What pairs of added text count where nothing else is said: measured best for text of another kind.
    pub const OF_ADDED_TEXT: f32 = 0.3;

    /// The numbers of sentence pairs of the parts, and their weights; parts of equal weight that follow each other are one.
    ///
    /// # Errors
    /// `Config` if a weight is not from [`LEAST`](Self::LEAST) to 1.
    pub fn new(parts: &[(usize, f32)]) -> Result<Self> {
        let mut end = 0;
        let mut weights = Self::default();
        for &(pairs, weight) in parts {
            Self::check(weight)?;
            end += pairs;
            match weights.parts.last_mut() {
                Some(last) if last.1.to_bits() == weight.to_bits() => last.0 = end,
                _ => weights.parts.push((end, weight)),
            }
        }
        Ok(weights)
    }

    /// The weight of each of so many added texts: the one that is given for all, those that are given for each, or
    /// [`OF_ADDED_TEXT`](Self::OF_ADDED_TEXT).
    ///
    /// # Errors
    /// `Config` if weights are given without texts, or several, but not as many as texts; and as [`new`](Self::new).
    pub fn of_added(given: &[f32], texts: usize) -> Result<Vec<f32>> {
        let refused = |allowed| {
            let given: Vec<String> = given.iter().map(ToString::to_string).collect();
            Err(Error::config("weight", given.join(", "), allowed))
        };
        if texts == 0 && !given.is_empty() {
            return refused("unset unless text is added");
        }
        if given.len() > 1 && given.len() != texts {
            return refused("one for all added texts, or one for each");
        }
        given.iter().try_for_each(|&weight| Self::check(weight))?;
        let of_all = given.first().copied().unwrap_or(Self::OF_ADDED_TEXT);
        Ok((0..texts).map(|n| given.get(n).copied().unwrap_or(of_all)).collect())
    }

    fn check(weight: f32) -> Result<()> {
        if (Self::LEAST..=1.0).contains(&weight) { Ok(()) } else { Err(Error::config("weight", weight, "0.01 to 1")) }
    }

    /// The weight of the `n`-th pair, from 0.
    #[inline]
    pub fn of(&self, n: usize) -> f32 {
        self.parts.iter().find(|&&(end, _)| n < end).map_or(1.0, |&(_, weight)| weight)
    }

    /// Whether all pairs count fully.
    pub fn are_equal(&self) -> bool {
        self.parts.iter().all(|&(_, weight)| weight >= 1.0)
    }

    /// The same where pairs are cut: given is the number of the first stretch of a pair.
    pub(crate) fn of_stretches(&self, first_of: impl Fn(usize) -> usize) -> Self {
        Self { parts: self.parts.iter().map(|&(end, weight)| (first_of(end), weight)).collect() }
    }

    /// The number of pairs of all parts.
    pub fn pairs(&self) -> usize {
        self.parts.last().map_or(0, |&(end, _)| end)
    }
}

impl fmt::Display for Weights {
    /// `1000*1,50000*0.3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut start = 0;
        for (n, &(end, weight)) in self.parts.iter().enumerate() {
            let comma = if n == 0 { "" } else { "," };
            write!(f, "{comma}{}*{weight}", end - start)?;
            start = end;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_follow_each_other() {
        let weights = Weights::new(&[(2, 1.0), (0, 0.5), (1, 0.1)]).unwrap();
        assert!((0..4).map(|n| weights.of(n)).eq([1.0, 1.0, 0.1, 1.0]));
        assert_eq!((weights.to_string().as_str(), weights.pairs()), ("2*1,0*0.5,1*0.1", 3));
        assert!(!weights.are_equal());
        assert!(Weights::default().are_equal());
        for bad in [0.0, 0.001, 1.5, -1.0, f32::NAN] {
            assert!(Weights::new(&[(1, bad)]).unwrap_err().to_string().ends_with("must be 0.01 to 1"));
        }
    }

    #[test]
    fn weights_are_given_for_all_added_texts_or_for_each() {
        let weights = |given: &[f32], texts| Weights::of_added(given, texts).map_err(|error| error.to_string());
        assert_eq!(weights(&[], 0), Ok(vec![]));
        assert_eq!(weights(&[], 2), Ok(vec![Weights::OF_ADDED_TEXT; 2]));
        assert_eq!(weights(&[0.5], 2), Ok(vec![0.5, 0.5]));
        assert_eq!(weights(&[0.5, 1.0], 2), Ok(vec![0.5, 1.0]));
        let refused = |message: &str| Err(message.to_owned());
        assert_eq!(weights(&[0.5], 0), refused("weight = 0.5: must be unset unless text is added"));
        let number = "weight = 0.5, 1: must be one for all added texts, or one for each";
        assert_eq!([weights(&[0.5, 1.0], 1), weights(&[0.5, 1.0], 3)], [refused(number), refused(number)]);
        assert_eq!(weights(&[0.5, 2.0], 2), refused("weight = 2: must be 0.01 to 1"));
    }
}
