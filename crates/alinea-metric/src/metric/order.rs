//! Scores of orders: are words in the places where they should be?
//!
//! **What it is.** An [`OrderScore`] compares two orders of the same n words. It looks at the *ranks*: the places that the
//! words of one order, as they come, have in the other (a [`Permutation`], the identity if the orders are the same).
//!
//! ```text
//! hamming       words in their place / n                                        0 ... 1
//! kendall       1 - pairs in the wrong order / (n (n - 1) / 2)                  0 ... 1
//! kendall-sqrt  1 - the square root of that share                               0 ... 1
//! tau           1 - twice that share                                           -1 ... 1
//! spearman      1 - 6 sum d^2 / (n^3 - n), d how far a word is from its place  -1 ... 1
//! footrule      1 - sum |d| / floor(n^2 / 2)                                    0 ... 1
//! ulam          longest sequence of words in the right order / n              1/n ... 1
//! fuzzy         1 - (chunks - 1) / (n - 1)                                      0 ... 1
//! ```
//!
//! A chunk is a longest run of words that follow each other in both orders. An order of at most one word is right: 1. Birch
//! and Osborne (2010, *LRscore for Evaluating Lexical and Reordering Quality in MT*) use the first three, under the name of
//! distances, though 1 is the best; Talbot et al. (2011, *A Lightweight Evaluation Framework for Machine Translation
//! Reordering*) the last, the *fuzzy reordering score*. The last and the first reward words that are neighbors or in their
//! place, the others relative order over any distance.
//!
//! ```
//! use alinea::metric::order::OrderScore;
//! use alinea::permutation::Permutation;
//!
//! let candidate = Permutation::from_order(&[1, 0, 2, 3])?;
//! let gold = Permutation::identity(4);
//! assert_eq!(OrderScore::Hamming.compare(&candidate, &gold)?, 0.5);
//! assert_eq!(OrderScore::Kendall.compare(&candidate, &gold)?, 1.0 - 1.0 / 6.0);
//! assert_eq!(OrderScore::Fuzzy.compare(&candidate, &gold)?, 1.0 - 2.0 / 3.0);
//! # Ok::<(), alinea::error::Error>(())
//! ```
//!
//! **Of translations** ([`Order`]). Orders are those of the words that hypothesis and reference share, by the
//! [alignment of RIBES](super::ribes::word_rank_alignment). With alignments to the source there is the [`LrScore`],
//! and [`LinkedLrScore`] for lines with links.
//!
//! **Over trees** ([`pef`]): blocks within blocks that are in the right order.

mod linked;
mod lr_score;
mod pef;
mod translation;

use std::fmt;
use std::str::FromStr;

pub use self::linked::{LinkedLrScore, linked_line};
pub use self::lr_score::LrScore;
pub use self::pef::pef;
pub use self::translation::{Order, OrderConfig};
use crate::error::{Error, Result};
use crate::permutation::{Permutation, longest_rising, rising_pairs};

/// A way to compare two orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderScore {
    /// The share of words that are in their place.
    Hamming,
    /// The share of pairs in the right order.
    Kendall,
    /// 1 less the square root of the share of pairs in the wrong order.
    KendallSquareRoot,
    /// Kendall's tau: the share of pairs in the right order, less that in the wrong order.
    KendallTau,
    /// Spearman's rho.
    Spearman,
    /// Spearman's footrule.
    Footrule,
    /// By the longest sequence of words in the right order, which need not be neighbors.
    Ulam,
    /// By the number of chunks.
    Fuzzy,
}

impl OrderScore {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Hamming,
        Self::Kendall,
        Self::KendallSquareRoot,
        Self::KendallTau,
        Self::Spearman,
        Self::Footrule,
        Self::Ulam,
        Self::Fuzzy,
    ];

    /// The name, as in the table of this [module](self).
    pub fn name(self) -> &'static str {
        match self {
            Self::Hamming => "hamming",
            Self::Kendall => "kendall",
            Self::KendallSquareRoot => "kendall-sqrt",
            Self::KendallTau => "tau",
            Self::Spearman => "spearman",
            Self::Footrule => "footrule",
            Self::Ulam => "ulam",
            Self::Fuzzy => "fuzzy",
        }
    }

    /// The score of an order by another of the same words. At most O(n log n).
    ///
    /// # Errors
    /// `Inconsistent` if the numbers of words differ.
    pub fn compare(self, candidate: &Permutation, gold: &Permutation) -> Result<f64> {
        Ok(self.of_ranks(&candidate.seen_from(gold)?))
    }

    /// The score of words whose ranks are these. At most O(n log n).
    pub fn of_ranks(self, ranks: &Permutation) -> f64 {
        let words = ranks.len() as u64;
        if words < 2 {
            return 1.0;
        }
        let places = || (0..).zip(ranks.places().iter().map(|&there| u64::from(there)));
        let away = || places().map(|(here, there): (u64, u64)| here.abs_diff(there));
        let share = |part: u64, whole: u64| part as f64 / whole as f64;
        match self {
            Self::Hamming => 1.0 - share(away().filter(|&distance| distance != 0).count() as u64, words),
            Self::Kendall => 1.0 - wrong_pairs(ranks),
            Self::KendallSquareRoot => 1.0 - wrong_pairs(ranks).sqrt(),
            Self::KendallTau => 1.0 - 2.0 * wrong_pairs(ranks),
            Self::Spearman => {
                let squares: u64 = away().map(|distance| distance * distance).sum();
                1.0 - (6 * squares) as f64 / (words * (words * words - 1)) as f64
            }
            Self::Footrule => 1.0 - share(away().sum(), words * words / 2),
            Self::Ulam => longest_rising(ranks.places().iter().copied()) as f64 / words as f64,
            Self::Fuzzy => 1.0 - share(chunks(ranks) as u64 - 1, words - 1),
        }
    }
}

/// The share of pairs in the wrong order.
fn wrong_pairs(ranks: &Permutation) -> f64 {
    let words = ranks.len() as u64;
    let pairs = words * (words - 1) / 2;
    let rising = rising_pairs(&mut ranks.places().to_vec(), &mut Vec::new());
    (pairs - rising) as f64 / pairs as f64
}

/// The number of longest runs of words that follow each other in both orders, 0 without words.
///
/// ```
/// use alinea::metric::order::chunks;
/// use alinea::permutation::Permutation;
///
/// assert_eq!(chunks(&Permutation::from_places(vec![2, 3, 0, 1, 4])?), 3);
/// # Ok::<(), alinea::error::Error>(())
/// ```
pub fn chunks(ranks: &Permutation) -> usize {
    let runs_on = ranks.places().windows(2).filter(|pair| pair[1] == pair[0] + 1).count();
    ranks.len() - runs_on
}

impl fmt::Display for OrderScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

const NAMES: &str = "hamming, kendall, kendall-sqrt, tau, spearman, footrule, ulam, fuzzy";

impl FromStr for OrderScore {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let score = Self::ALL.into_iter().find(|score| score.name() == name);
        score.ok_or_else(|| Error::config("order score", name, NAMES))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read() {
        for score in OrderScore::ALL {
            assert_eq!(score.to_string().parse::<OrderScore>().expect("its name"), score);
        }
        let error = "bleu".parse::<OrderScore>().unwrap_err().to_string();
        let names = OrderScore::ALL.map(OrderScore::name).join(", ");
        assert_eq!(error, format!("order score = bleu: must be {names}"));
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "nothing is computed")]
    fn without_words_nothing_is_wrong() {
        for score in OrderScore::ALL {
            assert_eq!(score.of_ranks(&Permutation::identity(0)), 1.0);
            assert_eq!(score.of_ranks(&Permutation::identity(1)), 1.0);
        }
        assert_eq!(chunks(&Permutation::default()), 0);
    }
}
