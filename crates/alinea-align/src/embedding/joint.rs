//! Posteriors and evidence in one confidence.
//!
//! With λ(x) = ln((x + .005) / (1.005 - x)), p the mean posterior of a cell under a model that was trained with the
//! dictionary of types, r what its score says, and κ from 0 to 1 how far that is trusted,
//!
//! ```text
//! logit P = κ (.43 λ(p) + .36 r - 1.02) + (1 - κ) λ(p) .
//! ```
//!
//! Under a model that knows no such dictionary the numbers are .42, .43 and -1.13.
//!
//! A cell by itself is a link where P reaches σ(-(.62 κ + .20 (1 - κ))): .35 if the evidence is trusted, .45 if it is not. The
//! numbers were chosen on eleven hand-aligned texts, none of which accuracy is reported on.
//!
//! **Decided with its neighborhood.** Links depend on the cells around, too. Whoever looks at these ([`decision`](crate::decision))
//! comes from P to log-odds d, from the posteriors alone to d', and to links where d reaches a level l, or d' one l'. Then
//!
//! ```text
//! logit P' = κ d + (1 - κ) d' ,
//! ```
//!
//! and a cell is a link where P' reaches σ(κ l + (1 - κ) l').

use super::evidence::{Evidence, RANGES};
use crate::numeric::sigmoid;

/// The weights of λ(p) and of r, and the bias, where the model was trained with the dictionary of types.
const WITH_TYPES: [f64; 3] = [0.43, 0.36, -1.02];

/// The same where it was not.
const WITHOUT_TYPES: [f64; 3] = [0.42, 0.43, -1.13];

/// Minus the log-odds from which a cell is a link, with evidence and without.
const LEVELS: [f64; 2] = [0.62, 0.20];

/// What keeps λ finite.
const MARGIN: f64 = 0.005;

/// How posteriors and ranges of scores become confidences.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Joint {
    trust: f64,
    ratios: [f64; RANGES],
    weights: [f64; 3],
}

impl Joint {
    /// With what scores say in a text, for posteriors of a model that was trained with the dictionary of types.
    pub fn new(evidence: &Evidence) -> Self {
        Self { trust: evidence.trust(), ratios: *evidence.ratios(), weights: WITH_TYPES }
    }

    /// The same for posteriors of a model that was trained without, as one from a file.
    pub fn without_dictionary(evidence: &Evidence) -> Self {
        Self { weights: WITHOUT_TYPES, ..Self::new(evidence) }
    }

    /// The confidence of a cell by itself: from its mean posterior from 0 to 1, and the [range](super::range_of) of its score.
    ///
    /// # Panics
    /// If there is no such range.
    pub fn confidence(&self, posterior: f32, range: u8) -> f32 {
        let of_posterior = log_odds(posterior);
        let [of_model, of_score, bias] = self.weights;
        let joint = of_model * of_posterior + of_score * self.ratios[usize::from(range)] + bias;
        sigmoid(self.trust * joint + (1.0 - self.trust) * of_posterior) as f32
    }

    /// The confidence from which a cell by itself is a link.
    pub fn threshold(&self) -> f32 {
        let [with, without] = LEVELS;
        sigmoid(-(self.trust * with + (1.0 - self.trust) * without)) as f32
    }

    /// The log-odds of a cell about which its neighborhood has decided: given are those with evidence, and those without, which
    /// count the more the less the evidence is trusted. Of the log-odds at which links begin it makes those at which they do.
    pub fn decided(&self, with_evidence: f64, without: f64) -> f64 {
        self.trust * with_evidence + (1.0 - self.trust) * without
    }

    /// Whether nothing but the evidence counts for what its neighborhood decides about a cell.
    pub fn is_fully_trusted(&self) -> bool {
        self.trust >= 1.0
    }

    /// A confidence moved in log-odds, so that one becomes another; all from 0 to 1, of which the two others are neither.
    pub fn moved(from: f32, to: f32, confidence: f32) -> f32 {
        let [from, to, confidence] = [from, to, confidence].map(f64::from);
        let odds = |p: f64| p / (1.0 - p);
        let moved = odds(to) / odds(from) * confidence;
        (moved / (moved + 1.0 - confidence)) as f32
    }
}

/// λ(p) of a posterior from 0 to 1.
pub fn log_odds(posterior: f32) -> f64 {
    let posterior = f64::from(posterior);
    ((posterior + MARGIN) / (1.0 + MARGIN - posterior)).ln()
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "values that are exact")]
mod tests {
    use super::*;
    use crate::embedding::CellCounts;

    #[test]
    fn without_trust_posteriors_stay_what_they_are() {
        let joint = Joint::new(&CellCounts::default().evidence());
        assert!((joint.threshold() - 0.45).abs() < 1e-3);
        for posterior in [0.0, 0.3, 0.5, 0.9, 1.0] {
            let confidence = joint.confidence(posterior, 13);
            assert!((confidence - posterior).abs() < 0.006, "{posterior} {confidence}");
            assert_eq!(confidence, joint.confidence(posterior, 0));
        }
    }

    #[test]
    fn moved_confidences_keep_their_order() {
        assert_eq!([0.0, 1.0, 0.3].map(|confidence| Joint::moved(0.3, 0.5, confidence)), [0.0, 1.0, 0.5]);
        // Odds of 4 become 4 * 7 / 3.
        assert!((Joint::moved(0.3, 0.5, 0.8) - 28.0 / 31.0).abs() < 1e-6);
    }

    #[test]
    fn confidences_rise_with_posteriors_and_scores() {
        let mut counts = CellCounts::default();
        for n in 0..10_000u32 {
            let is_link = n % 20 == 0;
            counts.add(if is_link { 0.8 } else { 0.01 }, if is_link { 13 } else { (n % 3) as u8 });
        }
        let joint = Joint::new(&counts.evidence());
        assert!((joint.threshold() - 0.35).abs() < 1e-3, "fully trusted");
        let of_posteriors = [0.0, 0.2, 0.5, 1.0].map(|posterior| joint.confidence(posterior, 7));
        assert!(of_posteriors.is_sorted() && of_posteriors[0] < of_posteriors[3]);
        let of_scores: Vec<f32> = (0..14).map(|range| joint.confidence(0.3, range)).collect();
        assert!(of_scores.is_sorted() && of_scores[0] < 0.05 && of_scores[13] > 0.35, "{of_scores:?}");
    }

    #[test]
    fn without_a_dictionary_scores_weigh_more() {
        let mut counts = CellCounts::default();
        for n in 0..10_000u32 {
            let is_link = n % 20 == 0;
            counts.add(if is_link { 0.8 } else { 0.01 }, if is_link { 13 } else { 0 });
        }
        let evidence = counts.evidence();
        let joint = Joint::without_dictionary(&evidence);
        // The head of the module, with λ(1/2) = 0.
        let logit = |p: f32| (f64::from(p) / (1.0 - f64::from(p))).ln();
        assert!((logit(joint.confidence(0.5, 13)) - (0.43 * evidence.ratios()[13] - 1.13)).abs() < 1e-3);
        assert!(joint.confidence(0.5, 0) < Joint::new(&evidence).confidence(0.5, 0));
        assert!(joint.is_fully_trusted());
        assert!((sigmoid(joint.decided(-0.62, 3.0)) as f32 - joint.threshold()).abs() < 1e-6);
    }

    #[test]
    fn without_trust_links_are_those_of_the_model() {
        let joint = Joint::new(&CellCounts::default().evidence());
        for least in [-3.0, -0.5, 0.0, 2.0] {
            let threshold = joint.decided(3.0, least);
            assert_eq!(joint.decided(-7.0, least), threshold);
            assert!(joint.decided(5.0, least - 1e-3) < threshold && joint.decided(-5.0, least + 1e-3) > threshold);
        }
    }
}
