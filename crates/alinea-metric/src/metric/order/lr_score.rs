//! LRscore: an order score and BLEU, mixed (Birch and Osborne 2010, 2011).
//!
//! ```text
//! LRscore = alpha R + (1 - alpha) BLEU        R = mean over sentences of score · BP
//! ```
//!
//! Hypothesis and reference are each aligned to the source, and each alignment gives a permutation of the source words:
//! a word stands where its first link leads, a word without links where the word before it stands. The score compares
//! both, in the papers by the Hamming distance or by Kendall's tau with a square root; 1 is best, in spite of the name
//! *distance*. BP is the brevity penalty of the sentence. [`LrScore`] computes this from alignments that the caller
//! has; `LinkedLrScore` is the metric over lines.

use super::OrderScore;
use crate::alignment::Alignment;
use crate::error::{Error, Result};
use crate::metric::bleu::brevity_penalty;
use crate::permutation::Permutation;

/// LRscore (Birch and Osborne 2010, *LRscore for Evaluating Lexical and Reordering Quality in MT*, and 2011, *Reordering
/// Metrics for MT*): `alpha R + (1 - alpha) BLEU`.
///
/// Hypothesis and reference are each aligned to the source. Either alignment gives an order of the words of the source
/// ([`Permutation::of_alignment`]); R is the mean over sentences of the score of the one by the other, times the brevity
/// penalty of the sentence. The paper's scores are [`OrderScore::Hamming`] and [`OrderScore::KendallSquareRoot`]; alpha was
/// tuned for each pair of languages.
///
/// ```
/// use alinea::metric::order::{LrScore, OrderScore};
///
/// let lr_score = LrScore::new(OrderScore::Hamming, 0.25)?;
/// let (hypothesis, reference) = ([(0, 0), (1, 1), (2, 2)].into(), [(0, 0), (1, 2), (2, 1)].into());
/// let distance = lr_score.distance(3, [&hypothesis, &reference], [3, 3]);
/// assert!((distance - 1.0 / 3.0).abs() < 1e-12);
/// assert!((lr_score.mix(distance, 0.5) - (0.25 / 3.0 + 0.75 * 0.5)).abs() < 1e-12);
/// # Ok::<(), alinea::error::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LrScore {
    score: OrderScore,
    alpha: f64,
}

impl LrScore {
    /// With this score, and this share of it.
    ///
    /// # Errors
    /// `Config` if alpha is not between 0 and 1.
    pub fn new(score: OrderScore, alpha: f64) -> Result<Self> {
        if !(0.0..=1.0).contains(&alpha) {
            return Err(Error::config("alpha", alpha, "0 to 1"));
        }
        Ok(Self { score, alpha })
    }

    /// How orders are compared.
    pub fn score(self) -> OrderScore {
        self.score
    }

    /// The share of the order score.
    pub fn alpha(self) -> f64 {
        self.alpha
    }

    /// The score of a sentence whose source has so many words, times its brevity penalty: given are alignments of the source
    /// to hypothesis and reference, in this order, and the numbers of words of both. Of several references the paper takes
    /// the greatest value.
    pub fn distance(self, source: usize, links: [&Alignment; 2], [hypothesis, reference]: [usize; 2]) -> f64 {
        let [order, gold] = links.map(|links| Permutation::of_alignment(source, links));
        let score = self.score.of_ranks(&order.relative_to(&gold));
        score * brevity_penalty(hypothesis as f64, reference as f64)
    }

    /// LRscore of the mean of the sentences' scores, and of BLEU between 0 and 1.
    pub fn mix(self, mean: f64, bleu: f64) -> f64 {
        self.alpha * mean + (1.0 - self.alpha) * bleu
    }
}
