//! Which cells of a sentence pair are links: a decision that sees the pair, not only the cell.
//!
//! A model gives each cell (i, j) of a pair a confidence. Whether people would link it depends on more: on what else either
//! word is linked to, on the cells beside and along the diagonal, on whether the words are punctuation, function words or
//! content words. All that is a vector of features x ([`PairFeatures`]), and
//!
//! ```text
//! ln P / (1 - P) = w · x .
//! ```
//!
//! **How w was found.** Not by the likelihood, which prefers those who link much, but by the error rate itself: with
//! s = σ(2 w · x) in place of links, the expected AER (Och and Ney 2003) of each tuning set is differentiable, and w makes
//! the mean over these sets least, plus a penalty for going far from a threshold on the confidence alone. The one tuning set of
//! sure links only counts three times, since such are rare there. Then w is scaled, and its bias moved, so that P is the
//! probability of a sure link: w · x becomes a w · x + c, by maximum likelihood over the same sets; links begin at c.
//! `alinea-dev features` and `scripts/fit_decision.py` of the development crate do it; `docs/gold-split.md` has the sets.
//!
//! ```
//! use alinea::decision::{Cells, Decision, PairFeatures, Word};
//!
//! let word = |text: &str| Word::new(text.as_bytes(), 200);
//! let words = [["green", "house"].map(word), ["maison", "verte"].map(word)];
//! // The cells (0, 0), (0, 1), (1, 0) and (1, 1).
//! let posteriors = [0.02, 0.9, 0.95, 0.01];
//! let features = PairFeatures::new(Cells {
//!     words: [&words[0], &words[1]],
//!     posteriors: [&posteriors, &posteriors],
//!     confidences: &posteriors,
//! });
//! let decision = Decision::WITH_ENCODER;
//! assert!(decision.log_odds(&features.of(0, 1)) > decision.least_log_odds());
//! assert!(decision.log_odds(&features.of(0, 0)) < decision.least_log_odds());
//! ```

mod features;
mod weights;
mod word;

pub use features::{Cells, FEATURES, PairFeatures};
pub use word::Word;

/// Weights of features, and where links begin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decision {
    weights: &'static [(&'static str, f64); FEATURES],
    least: f64,
}

impl Decision {
    /// For confidences that a model and an encoder have in common.
    pub const WITH_ENCODER: Self = Self { weights: &weights::WITH_ENCODER, least: weights::LEAST_WITH_ENCODER };

    /// ln P / (1 - P) of a cell with these features.
    pub fn log_odds(&self, features: &[f32; FEATURES]) -> f64 {
        self.weights.iter().zip(features).map(|((_, weight), &feature)| weight * f64::from(feature)).sum()
    }

    /// The log-odds from which on a cell is a link.
    pub fn least_log_odds(&self) -> f64 {
        self.least
    }

    /// The features by name, in order, with their weights.
    pub fn weights(&self) -> &'static [(&'static str, f64); FEATURES] {
        self.weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_have_names_of_their_own() {
        let mut names = Decision::WITH_ENCODER.weights().map(|(name, _)| name);
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }

    /// Two words beside each other, of which the second has a rival elsewhere: a link of the first makes the second likelier.
    #[test]
    fn the_neighborhood_decides() {
        let words = ["of", "the", "house"].map(|word| Word::new(word.as_bytes(), 500));
        let of = |first: f32| {
            let confidences = [first, 0.01, 0.01, 0.3, 0.01, 0.01, 0.01, 0.01, 0.98];
            let cells = Cells { words: [&words, &words], posteriors: [&confidences; 2], confidences: &confidences };
            Decision::WITH_ENCODER.log_odds(&PairFeatures::new(cells).of(1, 0))
        };
        assert!(of(0.9) > of(0.02));
    }
}
