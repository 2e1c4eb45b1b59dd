//! Which pairs of a text an encoder gives vectors.
//!
//! Encoding costs far more than alignment, so of a large text only a part is encoded. Links of encoded pairs profit most;
//! what was decided there is learned from, and others profit by that ([`Trained::train`](super::Trained::train)). A pair with
//! an empty side has no links and is never encoded. [`PairEncoder`](super::PairEncoder) does what is chosen here.

use std::fmt;
use std::str::FromStr;

use super::threshold::spaced;
use crate::error::{Error, Result};

/// The pairs of a text that are encoded. Written and read as `all`, `5000` and `30%`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum EncodedPairs {
    /// All of them.
    All,
    /// So many, evenly spaced.
    Spaced(usize),
    /// Those of which a model is least certain, until they have this share of the words: above 0, and below 1
    /// ([`Trained::least_certain`](super::Trained::least_certain)).
    LeastCertain(f64),
}

impl EncodedPairs {
    /// The most pairs of a text of which all are encoded by default.
    pub const MOST_OF_ALL: usize = 20_000;

    /// How many are encoded by default of a text with more.
    pub const OF_LARGE_TEXT: usize = 5000;

    /// The default for a text with so many pairs.
    pub fn of_text(pairs: usize) -> Self {
        if pairs <= Self::MOST_OF_ALL { Self::All } else { Self::Spaced(Self::OF_LARGE_TEXT) }
    }
}

/// The numbers of so many pairs of a text that have words on both sides, evenly spaced; of all of these if there are no more.
/// Given are the lengths of the sides of all pairs.
pub(super) fn evenly_spaced(lengths: impl Iterator<Item = [usize; 2]>, some: usize) -> Vec<usize> {
    let usable: Vec<usize> = lengths.enumerate().filter(|(_, sides)| !sides.contains(&0)).map(|(n, _)| n).collect();
    let all = usable.len();
    if some < all { (0..some).map(|n| usable[spaced(n, some, all)]).collect() } else { usable }
}

/// Of pairs, whose numbers of words and uncertainties are given, those that are least certain, until they have a share of the
/// words; in order. Of equally certain ones the first.
pub(super) fn least_certain(lengths: &[usize], uncertainties: &[f64], share: f64) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..lengths.len()).filter(|&n| lengths[n] > 0).collect();
    numbers.sort_by(|&a, &b| uncertainties[b].total_cmp(&uncertainties[a]).then(a.cmp(&b)));
    let enough = share * lengths.iter().sum::<usize>() as f64;
    let mut words = 0;
    numbers.retain(|&n| {
        let is_taken = (words as f64) < enough;
        words += lengths[n];
        is_taken
    });
    numbers.sort_unstable();
    numbers
}

impl fmt::Display for EncodedPairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::Spaced(pairs) => write!(f, "{pairs}"),
            Self::LeastCertain(share) => write!(f, "{}%", percent(*share)),
        }
    }
}

/// The shortest number of percent that is read as this share: 0.07 × 100 is not 7.
fn percent(share: f64) -> f64 {
    let nearest = 100.0 * share;
    let is_read_so = |percent: &f64| (percent / 100.0).to_bits() == share.to_bits();
    let mut rounded = (0..17).filter_map(|digits: usize| format!("{nearest:.digits$e}").parse::<f64>().ok());
    rounded.find(is_read_so).unwrap_or(nearest)
}

impl FromStr for EncodedPairs {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let refuse = || Error::config("encode", text, "all, 1 or more pairs, or a share above 0% such as 30%");
        if text == "all" {
            return Ok(Self::All);
        }
        let Some(percent) = text.strip_suffix('%') else {
            return text.parse().ok().filter(|&pairs| pairs > 0).map(Self::Spaced).ok_or_else(refuse);
        };
        match percent.parse::<f64>() {
            Ok(percent) if percent > 0.0 && percent < 100.0 => Ok(Self::LeastCertain(percent / 100.0)),
            Ok(percent) if percent.to_bits() == 100f64.to_bits() => Ok(Self::All),
            _ => Err(refuse()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_written_and_read() {
        for (text, pairs) in
            [("all", EncodedPairs::All), ("5000", EncodedPairs::Spaced(5000)), ("30%", EncodedPairs::LeastCertain(0.3))]
        {
            assert_eq!(text.parse::<EncodedPairs>().unwrap(), pairs);
            assert_eq!(pairs.to_string().parse::<EncodedPairs>().unwrap(), pairs);
        }
        // Written as it was read, though 0.07 × 100 is not 7.
        for text in (1..1000).map(|tenths| format!("{}%", f64::from(tenths) / 10.0)) {
            assert_eq!(text.parse::<EncodedPairs>().unwrap().to_string(), text);
        }
        assert_eq!("100%".parse::<EncodedPairs>().unwrap(), EncodedPairs::All);
        for bad in ["", "0", "-1", "0%", "101%", "NaN%", "half", "1.5"] {
            let message = bad.parse::<EncodedPairs>().unwrap_err().to_string();
            assert!(message.ends_with("must be all, 1 or more pairs, or a share above 0% such as 30%"), "{message}");
        }
        assert_eq!(EncodedPairs::of_text(20_000), EncodedPairs::All);
        assert_eq!(EncodedPairs::of_text(20_001), EncodedPairs::Spaced(5000));
    }

    #[test]
    fn some_are_spread_over_pairs_with_words() {
        let lengths = [[1, 1], [0, 1], [1, 0], [2, 3], [0, 0], [1, 1], [1, 4]];
        let spaced = |some| evenly_spaced(lengths.into_iter(), some);
        assert_eq!(spaced(1), [0]);
        assert_eq!(spaced(2), [0, 5]);
        assert_eq!(spaced(3), [0, 3, 5]);
        for all in [4, 5, usize::MAX] {
            assert_eq!(spaced(all), [0, 3, 5, 6]);
        }
        assert!(evenly_spaced([[0, 1], [0, 0]].into_iter(), 3).is_empty());
    }

    #[test]
    fn the_least_certain_have_a_share_of_the_words() {
        let (lengths, uncertainties) = ([10, 0, 20, 30, 40], [0.5, 9.0, 2.0, 0.5, 0.1]);
        let of = |share| least_certain(&lengths, &uncertainties, share);
        assert_eq!(of(0.1), [2]);
        assert_eq!(of(0.2), [2]);
        assert_eq!(of(0.21), [0, 2]);
        assert_eq!(of(0.5), [0, 2, 3]);
        assert_eq!(of(0.99), [0, 2, 3, 4]);
    }
}
