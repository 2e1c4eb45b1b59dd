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
//! **Neighbors.** Words that are next to each other tend to be translated by words that are. With P0 that of the formula above,
//! n(i, j) the sum of the greatest P0 of the two neighbors on one diagonal, and that of the other, and m(i, j) the same for the two
//! cells beside and the two cells above and below, and γ = κ from a divergence of 4 on, 0 up to 3, and linear between,
//!
//! ```text
//! logit P = logit P0 + γ (.2 n + m - .4) .
//! ```
//!
//! A cell is a link where P reaches σ(-(.62 κ + .20 (1 - κ))): .35 if the evidence is trusted, .45 if it is not. A model
//! whose links begin at another posterior t has σ(-.62 κ + λ(t) (1 - κ)). The numbers were chosen on eleven hand-aligned
//! texts, none of which accuracy is reported on.
//!
//! Where only a part of a text has evidence, the posteriors of the rest are moved in log-odds, so that the links of the model
//! are those whose confidence reaches the same level T as that of the others:
//!
//! ```text
//! logit P = λ(p) + logit T - λ(t)      for p from .01 on, and below in proportion to p.
//! ```

use super::evidence::{Evidence, RANGES, range_of};
use crate::numeric::sigmoid;

/// The weights of λ(p) and of r, and the bias, where the model was trained with the dictionary of types.
const WITH_TYPES: [f64; 3] = [0.43, 0.36, -1.02];

/// The same where it was not.
const WITHOUT_TYPES: [f64; 3] = [0.42, 0.43, -1.13];

/// Minus the log-odds from which a cell is a link, with evidence and without.
const LEVELS: [f64; 2] = [0.62, 0.20];

/// What the diagonal neighbors of a cell are worth, and the others, and the bias beside them.
const OF_NEIGHBORS: [f32; 3] = [0.2, 1.0, -0.4];

/// What keeps λ finite.
const MARGIN: f64 = 0.005;

/// Posteriors below this become confidences in proportion.
const SMALL: f32 = 0.01;

/// How posteriors and ranges of scores become confidences.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Joint {
    trust: f64,
    /// γ.
    of_neighbors: f32,
    ratios: [f64; RANGES],
    weights: [f64; 3],
}

impl Joint {
    /// With what scores say in a text, for posteriors of a model that was trained with the dictionary of types.
    pub fn new(evidence: &Evidence) -> Self {
        let trust = evidence.trust();
        let of_neighbors = (trust * (evidence.divergence() - 3.0).clamp(0.0, 1.0)) as f32;
        Self { trust, of_neighbors, ratios: *evidence.ratios(), weights: WITH_TYPES }
    }

    /// The same for posteriors of a model that was trained without, as one from a file.
    pub fn without_dictionary(evidence: &Evidence) -> Self {
        Self { weights: WITHOUT_TYPES, ..Self::new(evidence) }
    }

    /// The confidences of all cells of a sentence pair with so many target words, those of the first source word first: from
    /// their mean posteriors from 0 to 1, whose place they take, and their scores. Linear in the cells.
    ///
    /// # Panics
    /// If there are other scores than cells, or cells that are no whole rows.
    pub fn confidences(&self, columns: usize, cells: &mut [f32], scores: &[f32]) {
        assert_eq!(cells.len(), scores.len(), "a score for each cell");
        for (cell, &score) in cells.iter_mut().zip(scores) {
            *cell = self.confidence(*cell, range_of(score));
        }
        if self.of_neighbors == 0.0 || cells.is_empty() {
            return;
        }
        assert!(cells.len().is_multiple_of(columns), "whole rows");
        let alone = cells.to_vec();
        let rows = (cells.len() / columns) as isize;
        let greater = |row: usize, column: usize, (down, right): (isize, isize)| -> f32 {
            let of = |row: isize, column: isize| {
                let is_inside = (0..rows).contains(&row) && (0..columns as isize).contains(&column);
                if is_inside { alone[row as usize * columns + column as usize] } else { 0.0 }
            };
            let (row, column) = (row as isize, column as isize);
            of(row + down, column + right).max(of(row - down, column - right))
        };
        let [diagonal, beside, bias] = OF_NEIGHBORS;
        for (place, cell) in cells.iter_mut().enumerate() {
            let near = |step: (isize, isize)| greater(place / columns, place % columns, step);
            let (diagonals, others) = (near((1, 1)) + near((1, -1)), near((0, 1)) + near((1, 0)));
            let said = self.of_neighbors * (diagonal * diagonals + beside * others + bias);
            let factor = said.exp();
            *cell = *cell * factor / (1.0 - *cell + *cell * factor);
        }
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

    /// The confidence from which a cell is a link.
    pub fn threshold(&self) -> f32 {
        let [with, without] = LEVELS;
        sigmoid(-(self.trust * with + (1.0 - self.trust) * without)) as f32
    }

    /// The same for a model whose links have a mean posterior of at least `of_model`, from 0 to 1: without trust these stay
    /// its links.
    pub fn threshold_beside(&self, of_model: f32) -> f32 {
        sigmoid(-self.trust * LEVELS[0] + (1.0 - self.trust) * log_odds(of_model)) as f32
    }

    /// What makes posteriors of cells without evidence confidences that can be compared with those of the others: `of_model`,
    /// where the links of the model begin, becomes `threshold`, both from 0 to 1. Confidences rise with posteriors.
    pub fn without_evidence(of_model: f32, threshold: f32) -> impl Fn(f32) -> f32 {
        let threshold = f64::from(threshold);
        let shift = (threshold / (1.0 - threshold)).ln() - log_odds(of_model);
        let moved = move |posterior: f32| sigmoid(log_odds(posterior) + shift) as f32;
        let slope = moved(SMALL) / SMALL;
        move |posterior: f32| if posterior < SMALL { slope * posterior } else { moved(posterior) }
    }
}

/// λ(p).
fn log_odds(posterior: f32) -> f64 {
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

    /// The formula, cell by cell, in a text of divergence 4 and more and in one below 3.
    #[test]
    fn neighbors_count_where_they_are_trusted() {
        let evidence = |share: u32| {
            let mut counts = CellCounts::default();
            for n in 0..10_000u32 {
                let is_link = n % 20 == 0;
                let range = if is_link && n % 100 < share { 13 } else { (n % 3) as u8 };
                counts.add(if is_link { 0.8 } else { 0.01 }, range);
            }
            counts.evidence()
        };
        let (trusted, doubtful) = (evidence(100), evidence(20));
        assert!(trusted.divergence() > 4.0 && doubtful.divergence() < 3.0, "{}", doubtful.divergence());
        let posteriors = [0.9, 0.1, 0.3, 0.2, 0.5, 0.05];
        let scores = [0.95, 0.0005, 0.002, 0.002, 0.9, 0.0005];
        let of = |evidence: &Evidence| {
            let joint = Joint::new(evidence);
            let alone = [0, 1, 2, 3, 4, 5].map(|n| f64::from(joint.confidence(posteriors[n], range_of(scores[n]))));
            let mut cells = posteriors;
            joint.confidences(3, &mut cells, &scores);
            (alone, cells.map(f64::from))
        };
        let (alone, cells) = of(&doubtful);
        assert_eq!(alone, cells);
        let (alone, cells) = of(&trusted);
        let [a, b, c, d, e, f] = alone;
        let logit = |p: f64| (p / (1.0 - p)).ln();
        // Two rows of three cells: the greater of the neighbors on each diagonal, beside, and above or below.
        let sums = [(e, b + d), (d + f, a.max(c) + e), (e, b + f), (b, e + a), (a + c, d.max(f) + b), (b, e + c)];
        for (n, (diagonals, others)) in sums.into_iter().enumerate() {
            let expected = logit(alone[n]) + 0.2 * diagonals + others - 0.4;
            assert!((logit(cells[n]) - expected).abs() < 1e-3, "{n}: {} {expected}", logit(cells[n]));
        }
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
        assert!((joint.threshold_beside(0.2) - joint.threshold()).abs() < 1e-6, "fully trusted");
    }

    #[test]
    fn links_without_evidence_are_those_of_the_model() {
        for (of_model, threshold) in [(0.45, 0.3498), (0.35, 0.3498), (0.45, 0.4), (0.2, 0.7)] {
            let confidence = Joint::without_evidence(of_model, threshold);
            assert!((confidence(of_model) - threshold).abs() < 1e-6, "{of_model} {threshold}");
            assert_eq!(confidence(0.0), 0.0);
            let confidences: Vec<f32> = (0..=1000u16).map(|n| confidence(f32::from(n) / 1000.0)).collect();
            assert!(confidences.is_sorted() && confidences[1000] < 1.0);
            for (n, &found) in (0u16..).zip(&confidences) {
                let posterior = f32::from(n) / 1000.0;
                if (posterior - of_model).abs() > 1e-4 {
                    assert_eq!(found >= threshold, posterior >= of_model, "{posterior} {found}");
                }
            }
        }
    }

    #[test]
    fn without_trust_links_are_those_of_the_model() {
        let joint = Joint::new(&CellCounts::default().evidence());
        for least in [0.0, 0.3, 0.35, 0.45, 1.0] {
            let threshold = joint.threshold_beside(least);
            assert_eq!(joint.confidence(least, 5), threshold);
            assert!(joint.confidence(least - 1e-3, 5) < threshold && joint.confidence(least + 1e-3, 5) > threshold);
        }
    }
}
