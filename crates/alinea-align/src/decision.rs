//! Which cells of a sentence pair are links: a decision that sees the pair, not only the cell.
//!
//! A model gives each cell (i, j) of a pair a confidence. Whether people would link it depends on more: on what else either
//! word is linked to, on the cells beside and along the diagonal, on whether the words are punctuation, function words or
//! content words. All that is a vector of features x ([`PairFeatures`]), and
//!
//! ```text
//! ln P / (1 - P) = w · x + Σ u_k φ(a_k · x) ,      φ(z) = z / √(1 + z²),   k = 1 .. 8 .
//! ```
//!
//! So P is the probability that people would call the cell a sure link. A cell is a link from some P on ([`Decision::threshold`]).
//! The probability that they would call it a link at all, sure or possible, is another ([`Calibration`]).
//!
//! **How the weights were found.** Not by the likelihood, which prefers those who link much, but by the error rate itself: with
//! s = σ(2 z) in place of links, z being the right side above, the expected AER (Och and Ney 2003) of each tuning set is
//! differentiable, and the weights make the mean over these sets least, plus a penalty for going far from a threshold on the
//! confidence alone. Then z is scaled and moved by maximum likelihood over the same sets, so that P is that of a sure link and,
//! with other numbers, of a possible one. `alinea-dev features` and `scripts/fit_decision.py` of the development crate do
//! it; `docs/gold-split.md` has the sets.
//!
//! ```
//! use alinea::decision::{Cells, Decision, PairFeatures, Word};
//! use alinea::model::ModelName;
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
//! let decision = Decision::of(ModelName::AgreementLoo).unwrap();
//! assert!(decision.log_odds(&features, 0, 1) > decision.least_log_odds());
//! assert!(decision.log_odds(&features, 0, 0) < decision.least_log_odds());
//! ```

mod calibration;
mod features;
mod guideline;
mod logistic;
mod purpose;
mod weights;
mod word;

pub use calibration::{Calibration, LinkKind};
pub use features::{Cells, FEATURES, NAMES, PairFeatures};
pub use guideline::{Change, CrossValidation, GoldCells, Guideline, Learned};
pub use purpose::Purpose;
pub use word::Word;

use crate::model::ModelName;
use crate::numeric::sigmoid;

/// How many units lie between the features and the log-odds.
const HIDDEN: usize = 8;

/// The weights of one decision.
#[derive(Debug)]
struct Weights {
    /// For each feature its weight w, and its weights a in the units.
    of_features: [(f32, [f32; HIDDEN]); FEATURES],
    /// The weights u of the units.
    of_units: [f32; HIDDEN],
    /// The log-odds from which on a cell is a link.
    least: f64,
    /// What makes probabilities of sure links those of sure or possible ones.
    possible: Calibration,
}

/// A probability with as many digits as signatures show.
pub(crate) fn four_digits(probability: f64) -> f32 {
    ((probability * 1e4).round() / 1e4) as f32
}

/// Nothing but the confidence of a cell, which is a link from these log-odds on.
const fn alone(least: f64) -> Weights {
    let mut of_features = [(0.0, [0.0; HIDDEN]); FEATURES];
    of_features[features::CONFIDENCE].0 = 1.0;
    Weights { of_features, of_units: [0.0; HIDDEN], least, possible: Calibration { factor: 1.0, summand: 0.0 } }
}

/// Weights of features, and where links begin.
#[derive(Debug, Clone, Copy)]
pub struct Decision(&'static Weights);

impl Decision {
    /// For the posteriors of a model, if there is one.
    pub fn of(model: ModelName) -> Option<Self> {
        match model {
            ModelName::AgreementLoo => Some(Self(&weights::AGREEMENT_LOO)),
            ModelName::Quality => Some(Self(&weights::QUALITY)),
            _ => None,
        }
    }

    /// For the posteriors of a model in a text of which other pairs have vectors. Without a decision of its own, nothing but the
    /// confidence of a cell.
    pub(crate) fn beside_encoder(model: ModelName) -> Self {
        Self::of(model).unwrap_or(Self(&weights::OF_POSTERIORS))
    }

    /// For confidences that a model and an encoder have in common.
    pub fn with_encoder(model: ModelName) -> Self {
        Self(match model {
            ModelName::Quality => &weights::QUALITY_WITH_ENCODER,
            _ => &weights::WITH_ENCODER,
        })
    }

    /// ln P / (1 - P) of a cell.
    ///
    /// # Panics
    /// If there is no such cell.
    pub fn log_odds(&self, features: &PairFeatures<'_>, row: usize, column: usize) -> f64 {
        let (mut sum, mut units) = (0.0, [0.0; HIDDEN]);
        features.visit(row, column, |number, feature| {
            let (weight, of_units) = &self.0.of_features[number];
            sum += feature * weight;
            for (unit, weight) in units.iter_mut().zip(of_units) {
                *unit += feature * weight;
            }
        });
        for (unit, weight) in units.into_iter().zip(self.0.of_units) {
            sum += weight * (unit / (1.0 + unit * unit).sqrt());
        }
        f64::from(sum)
    }

    /// The log-odds from which on a cell is a link.
    pub fn least_log_odds(&self) -> f64 {
        self.0.least
    }

    /// The probability from which on a cell is a link, with four digits, as signatures show it.
    pub fn threshold(&self) -> f32 {
        four_digits(sigmoid(self.0.least))
    }

    /// What makes a probability of this decision, that of a sure link, one of a link at all.
    pub fn possible(self) -> Calibration {
        self.0.possible
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_have_names_of_their_own() {
        let mut names = NAMES;
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
            Decision::with_encoder(ModelName::AgreementLoo).log_odds(&PairFeatures::new(cells), 1, 0)
        };
        assert!(of(0.9) > of(0.02));
    }
}
