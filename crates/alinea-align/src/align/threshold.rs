//! The threshold for links, chosen by what the model itself expects.
//!
//! **What it computes.** A link is made where its confidence reaches a threshold t. Where something is
//! [decided](crate::decision), a confidence is the probability p that people would make the link a sure one, and with another map
//! p' is the probability that they would make it at all, sure or possible; elsewhere p is the mean of both directions' posteriors, and
//! p' = p. So confidences say how good the links of each threshold will be, without any links made by people. Over all cells of all
//! pairs,
//!
//! ```text
//! P(t) = sum_{p >= t} p / #{p >= t}        R(t) = sum_{p >= t} p / sum p
//! F_α(t) = 1 / (α / P + (1 - α) / R) = sum_{p >= t} p / (α #{p >= t} + (1 - α) sum p)
//! AER(t) = 1 - sum_{p >= t} (p + p') / (#{p >= t} + sum p)
//! ```
//!
//! are the expected numbers of right links in what precision, recall and F (Fraser and Marcu 2007, *Measuring word
//! alignment quality for statistical machine translation*) of sure links divide, and in what AER (Och and Ney 2003, equation 6) of sure and
//! possible links does. Of all thresholds the best is α times the F that it reaches (Lipton, Elkan and Naryanaswamy 2014,
//! *Optimal thresholding of classifiers to maximize F1 measure*, for α = 1/2): confidences above raise F, those below
//! lower it. So a text that is aligned well gets a threshold a little below α, a difficult one a lower one.
//!
//! One threshold serves the whole text. It is one of [`THRESHOLDS`], so all that must be kept of the cells is a
//! histogram, [`ExpectedLinks`]; an [`Objective`] makes a [`ThresholdChoice`] of it. Sums are integers: the choice is
//! the same under any number of threads.
//!
//! ```
//! use alinea::align::ExpectedLinks;
//!
//! let mut expected = ExpectedLinks::new(None);
//! for p in [0.9, 0.8, 0.35, 0.3, 0.1] {
//!     expected.add(p);
//! }
//! // Two links: 2 · 1.7 / (2 + 2.45) = 0.764. Three: 2 · 2.05 / (3 + 2.45) = 0.752. Four: 0.729.
//! let choice = expected.choose("f:0.5".parse()?);
//! assert_eq!(choice.scores.threshold, 0.375);
//! assert!((choice.scores.f.unwrap() - 3.4 / 4.45).abs() < 1e-6);
//! // More weight on recall: 2.05 / (0.4 · 3 + 0.6 · 2.45) = 0.768 for three links, 0.749 for two, 0.765 for four.
//! let choice = expected.choose("f:0.4".parse()?);
//! assert_eq!(choice.scores.threshold, 0.325);
//! // (0.9 + 0.8 + 0.35) / 3 = 0.683 of three links are right.
//! let choice = expected.choose("precision:0.65".parse()?);
//! assert_eq!(choice.scores.threshold, 0.325);
//! # Ok::<(), alinea::error::Error>(())
//! ```

use std::fmt;
use std::str::FromStr;

use super::decode::{Collector, Found};
use crate::decision::Calibration;
use crate::error::{Error, Result};
use crate::model::Posteriors;

/// The thresholds to choose from: 0.05 to 0.95 in steps of 0.025.
pub const THRESHOLDS: [f32; 37] = {
    let mut thresholds = [0.0; 37];
    let mut n = 0;
    while n < thresholds.len() {
        thresholds[n] = (2 + n) as f32 / 40.0;
        n += 1;
    }
    thresholds
};

/// What the choice of a threshold is to make best. Written and read as `aer`, `f:0.5`, `precision:0.9` or `recall:0.9`; `precision` and
/// `recall` alone are read as those of 0.9.
///
/// ```
/// use alinea::align::Objective;
///
/// assert_eq!("aer".parse::<Objective>()?, Objective::Aer);
/// assert_eq!("f:0.30".parse::<Objective>()?.to_string(), "f:0.3");
/// assert_eq!("recall".parse::<Objective>()?.to_string(), "recall:0.9");
/// assert!("precision:1".parse::<Objective>().is_err());
/// # Ok::<(), alinea::error::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Objective {
    /// The smallest expected AER.
    Aer,
    /// The greatest expected F, in which precision has this weight, from 0 to 1.
    F(f64),
    /// The smallest threshold whose expected precision is at least this, above 0 and below 1.
    Precision(f64),
    /// The greatest threshold whose expected recall is at least this, above 0 and below 1.
    Recall(f64),
}

/// What may be given as an objective.
const ALLOWED: &str =
    "aer, f:ALPHA with ALPHA from 0 to 1, or precision:P or recall:R with P and R above 0 and below 1";

/// Precision or recall, if no other is asked for.
const ENOUGH: f64 = 0.9;

impl Objective {
    /// The weight of precision in the F that belongs to the objective: 1/2 but for F itself.
    pub fn alpha(self) -> f64 {
        match self {
            Self::F(alpha) => alpha,
            Self::Aer | Self::Precision(_) | Self::Recall(_) => 0.5,
        }
    }
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Aer => f.write_str("aer"),
            Self::F(alpha) => write!(f, "f:{alpha}"),
            Self::Precision(least) => write!(f, "precision:{least}"),
            Self::Recall(least) => write!(f, "recall:{least}"),
        }
    }
}

impl FromStr for Objective {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let refused = || Error::config("objective", text, ALLOWED);
        let (name, value) = text.split_once(':').map_or((text, None), |(name, value)| (name, Some(value)));
        let value = value.map(|value| value.parse::<f64>().map_err(|_| refused())).transpose()?;
        let least = value.unwrap_or(ENOUGH);
        let is_share = least > 0.0 && least < 1.0;
        match (name, value) {
            ("aer", None) => Ok(Self::Aer),
            // Without the sign that a zero may have.
            ("f", Some(alpha)) if (0.0..=1.0).contains(&alpha) => Ok(Self::F(alpha + 0.0)),
            ("precision", _) if is_share => Ok(Self::Precision(least)),
            ("recall", _) if is_share => Ok(Self::Recall(least)),
            _ => Err(refused()),
        }
    }
}

/// How good links are expected to be at one threshold: fractions from 0 to 1. A ratio of zero to zero has no value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExpectedScores {
    /// The threshold t.
    pub threshold: f32,
    /// The expected share of the links that are right, P(t).
    pub precision: Option<f64>,
    /// The expected share of the right links that are made, R(t).
    pub recall: Option<f64>,
    /// F(t), with the weight [`Objective::alpha`].
    pub f: Option<f64>,
    /// AER(t).
    pub aer: Option<f64>,
}

/// A threshold and what it was chosen for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ThresholdChoice {
    /// What was to be best.
    pub objective: Objective,
    /// The threshold, and what is expected of it.
    pub scores: ExpectedScores,
    /// Whether the objective was reached; if not, it was a precision or recall that no threshold promises, and the largest
    /// threshold that makes links was taken, or the smallest.
    pub reached: bool,
}

/// The confidences of cells between one threshold and the next.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Bin {
    cells: u64,
    /// The sum of their confidences, each rounded to a multiple of 2^-32: at most one for each word of the pairs that are
    /// looked at, [`MOST_PAIRS`] of at most 65,535 words.
    units: u64,
    /// The same of the probabilities of links at all.
    possible: u64,
}

/// Multiples of this are summed.
const UNIT: f64 = 1.0 / (1u64 << 32) as f64;

/// The most sentence pairs that are measured: what more pairs would tell is far below a step of [`THRESHOLDS`].
pub(super) const MOST_PAIRS: usize = 20_000;

/// A histogram of the confidences of cells, by [`THRESHOLDS`]. Room for 2^32 expected links.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpectedLinks {
    /// What makes confidences probabilities of links at all.
    possible: Option<Calibration>,
    /// Bin n has the cells that reach n thresholds.
    bins: [Bin; THRESHOLDS.len() + 1],
}

impl ExpectedLinks {
    /// None yet; given is what makes confidences probabilities of links at all, sure or possible, if they are those of sure links.
    pub fn new(possible: Option<Calibration>) -> Self {
        Self { possible, bins: [Bin::default(); THRESHOLDS.len() + 1] }
    }

    /// Adds all cells of a sentence pair that may have a link; those between stretches of a long pair would change nothing.
    pub fn add_pair(&mut self, posteriors: Posteriors<'_>) {
        posteriors.for_each_mean(|p| self.add(p));
    }

    /// Adds a cell whose link has the confidence `p`, from 0 to 1.
    #[inline]
    pub fn add(&mut self, p: f32) {
        let reached = if p < THRESHOLDS[0] { 0 } else { THRESHOLDS.partition_point(|&threshold| threshold <= p) };
        let bin = &mut self.bins[reached];
        bin.cells += 1;
        let units = |p: f32| (f64::from(p) / UNIT + 0.5) as u64;
        bin.units += units(p);
        bin.possible += units(self.possible.map_or(p, |possible| possible.probability(p)));
    }

    /// Adds the cells of another.
    pub fn merge(&mut self, other: &Self) {
        for (bin, more) in self.bins.iter_mut().zip(other.bins) {
            bin.cells += more.cells;
            bin.units += more.units;
            bin.possible += more.possible;
        }
    }

    /// The expected number of right links among all cells.
    pub fn expected(&self) -> f64 {
        self.above(0).expected()
    }

    /// The cells that reach at least so many thresholds.
    fn above(&self, thresholds: usize) -> Bin {
        self.bins[thresholds..].iter().fold(Bin::default(), |sum, bin| Bin {
            cells: sum.cells + bin.cells,
            units: sum.units + bin.units,
            possible: sum.possible + bin.possible,
        })
    }

    /// What is expected of each of [`THRESHOLDS`], with the weight `alpha` of precision in F, from 0 to 1.
    pub fn scores(&self, alpha: f64) -> [ExpectedScores; THRESHOLDS.len()] {
        let all = self.expected();
        std::array::from_fn(|n| {
            let made = self.above(n + 1);
            let (right, links) = (made.expected(), made.cells as f64);
            let ratio = |below: f64| (below > 0.0).then(|| right / below);
            ExpectedScores {
                threshold: THRESHOLDS[n],
                precision: ratio(links),
                recall: ratio(all),
                f: if made.cells > 0 { ratio(alpha * links + (1.0 - alpha) * all) } else { None },
                aer: (made.cells > 0).then(|| 1.0 - (right + made.possible as f64 * UNIT) / (links + all)),
            }
        })
    }

    /// The best of [`THRESHOLDS`], the smallest of several.
    pub fn choose(&self, objective: Objective) -> ThresholdChoice {
        let all = self.scores(objective.alpha());
        let best = |is_better: fn(&ExpectedScores, &ExpectedScores) -> bool| {
            all.into_iter()
                .filter(|scores| scores.f.is_some())
                .reduce(|best, next| if is_better(&next, &best) { next } else { best })
        };
        let found = match objective {
            Objective::F(_) => best(|next, best| next.f > best.f).or(Some(all[0])),
            Objective::Aer => best(|next, best| next.aer < best.aer).or(Some(all[0])),
            Objective::Precision(least) => all.into_iter().find(|scores| scores.precision >= Some(least)),
            Objective::Recall(least) => all.into_iter().rfind(|scores| scores.recall >= Some(least)),
        };
        let otherwise = || match objective {
            Objective::Recall(_) => Some(all[0]),
            _ => all.into_iter().rfind(|scores| scores.precision.is_some()),
        };
        let scores = found.or_else(otherwise).unwrap_or(all[all.len() - 1]);
        ThresholdChoice { objective, scores, reached: found.is_some() }
    }
}

impl Collector for ExpectedLinks {
    fn take(&mut self, _: usize, found: Found<'_>) -> Result<()> {
        found.posteriors.into_iter().for_each(|posteriors| self.add_pair(posteriors));
        Ok(())
    }
}

impl Bin {
    /// The expected number of right links.
    fn expected(self) -> f64 {
        self.units as f64 * UNIT
    }
}

/// The `n`-th of `some` numbers that are spread evenly over those below `all`.
pub(super) fn spaced(n: usize, some: usize, all: usize) -> usize {
    (n as u128 * all as u128 / some as u128) as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn histogram(confidences: &[f32]) -> ExpectedLinks {
        let mut links = ExpectedLinks::new(None);
        for &p in confidences {
            links.add(p);
        }
        links
    }

    fn chosen(confidences: &[f32], objective: &str) -> (f32, bool) {
        let choice = histogram(confidences).choose(objective.parse().unwrap());
        assert_eq!(choice.warning().is_none(), choice.reached);
        (choice.scores.threshold, choice.reached)
    }

    /// P, R and F as the head of the module defines them.
    fn direct(confidences: &[f32], threshold: f32, alpha: f64) -> (usize, f64, f64, f64) {
        let made = confidences.iter().filter(|&&p| p >= threshold);
        let (number, right) = (made.clone().count(), made.map(|&p| f64::from(p)).sum::<f64>());
        let precision = right / number as f64;
        let recall = right / confidences.iter().map(|&p| f64::from(p)).sum::<f64>();
        (number, precision, recall, 1.0 / (alpha / precision + (1.0 - alpha) / recall))
    }

    /// Anything, with many that are thresholds or just beside one.
    fn confidences() -> impl Strategy<Value = Vec<f32>> {
        let threshold = (0..THRESHOLDS.len(), 0..3).prop_map(|(n, side)| match side {
            0 => THRESHOLDS[n].next_down(),
            1 => THRESHOLDS[n],
            _ => THRESHOLDS[n].next_up(),
        });
        let confidence = prop_oneof![0.0f32..=1.0, 0.0f32..=0.05, 0.6f32..=1.0, threshold];
        proptest::collection::vec(confidence, 1..60)
    }

    proptest! {
        #[test]
        fn scores_are_those_of_the_definition(confidences in confidences(), alpha in 0.0..=1.0) {
            for scores in histogram(&confidences).scores(alpha) {
                let (number, precision, recall, f) = direct(&confidences, scores.threshold, alpha);
                prop_assert_eq!(scores.precision.is_some(), number > 0);
                prop_assert_eq!(scores.f.is_some(), number > 0);
                if number > 0 {
                    for (ours, theirs) in [(scores.precision, precision), (scores.recall, recall), (scores.f, f)] {
                        prop_assert!((ours.unwrap() - theirs).abs() < 1e-7, "{:?}: {}", scores, theirs);
                    }
                }
            }
        }

        #[test]
        fn no_threshold_has_a_better_f(confidences in confidences(), alpha in 0.0..=1.0) {
            let choice = histogram(&confidences).choose(Objective::F(alpha));
            let threshold = choice.scores.threshold;
            let (number, .., best) = direct(&confidences, threshold, alpha);
            for other in THRESHOLDS {
                let (others, .., f) = direct(&confidences, other, alpha);
                prop_assert!(others == 0 || f <= best + 1e-7, "{}: {}, {}: {}", threshold, best, other, f);
                prop_assert!(others != number || other >= threshold, "{} makes the same links", other);
            }
            prop_assert!(choice.reached);
        }

        #[test]
        fn the_smallest_threshold_of_enough_precision(confidences in confidences(), least in 0.01..0.99) {
            let choice = histogram(&confidences).choose(Objective::Precision(least));
            let enough = |threshold: f32, margin: f64| {
                let (number, precision, ..) = direct(&confidences, threshold, 0.5);
                number > 0 && precision >= least + margin
            };
            let smaller = THRESHOLDS.into_iter().filter(|&t| t < choice.scores.threshold || !choice.reached);
            prop_assert!(smaller.clone().all(|t| !enough(t, 1e-7)), "{:?}", choice);
            prop_assert!(!choice.reached || enough(choice.scores.threshold, -1e-7), "{:?}", choice);
        }

        #[test]
        fn parts_add_up_to_the_whole(confidences in confidences(), cut in 0usize..60) {
            let (first, second) = confidences.split_at(cut.min(confidences.len()));
            let mut sum = histogram(second);
            sum.merge(&histogram(first));
            prop_assert_eq!(sum, histogram(&confidences));
        }

        #[test]
        fn objectives_are_read_as_they_are_written(value in 0.0..=1.0, precision in any::<bool>()) {
            let share = 0.01 + 0.98 * value;
            let objective = if precision { Objective::Precision(share) } else { Objective::F(value) };
            prop_assert_eq!(objective.to_string().parse::<Objective>().unwrap(), objective);
        }
    }

    #[test]
    fn the_smallest_of_equals_is_taken() {
        // One link: 2 · 0.75 / (1 + 2). Two: 2 · 1 / (2 + 2).
        let tied = [0.75, 0.25, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125];
        assert_eq!(histogram(&tied).choose(Objective::F(0.5)).scores.f, Some(0.5));
        assert_eq!(chosen(&tied, "f:0.5"), (0.15, true));
        assert_eq!(chosen(&tied, "f:0.625"), (0.275, true));
        assert_eq!(chosen(&tied, "f:0"), (0.05, true), "recall alone");
        assert_eq!(chosen(&tied, "f:1"), (0.275, true), "precision alone");
    }

    #[test]
    fn a_precision_is_reached_or_not() {
        assert_eq!(chosen(&[0.75, 0.25], "precision:0.5"), (0.05, true));
        assert_eq!(chosen(&[0.75, 0.25], "precision:0.51"), (0.275, true));
        assert_eq!(chosen(&[0.75, 0.25], "precision:0.76"), (0.75, false));
        let warning = histogram(&[0.75, 0.25]).choose(Objective::Precision(0.76)).warning().unwrap().to_string();
        let expected =
            "no threshold should reach precision:0.76: using the largest, 0.75, with an expected precision of 0.7500";
        assert_eq!(warning, expected);
        assert_eq!(chosen(&[], "precision:0.5"), (0.95, false));
        assert_eq!(chosen(&[], "aer"), (0.05, true));
    }

    #[test]
    fn a_recall_is_reached_or_not() {
        // One link has 0.75 of 1.0, both have all.
        assert_eq!(chosen(&[0.75, 0.25], "recall:0.7"), (0.75, true));
        assert_eq!(chosen(&[0.75, 0.25], "recall:0.76"), (0.25, true));
        assert_eq!(chosen(&[0.75, 0.25, 0.04], "recall:0.99"), (0.05, false));
        let warning = histogram(&[0.75, 0.25, 0.04]).choose(Objective::Recall(0.99)).warning().unwrap().to_string();
        assert_eq!(
            warning,
            "no threshold should reach recall:0.99: using the smallest, 0.05, with an expected recall of 0.9615"
        );
    }

    #[test]
    fn possible_links_count_once_in_error_rates() {
        // Twice as likely to be links at all, in odds.
        let possible = Calibration { factor: 1.0, summand: 2f64.ln() };
        let confidences = [0.9f32, 0.6, 0.4, 0.3, 0.1];
        let mut expected = ExpectedLinks::new(Some(possible));
        for &p in &confidences {
            expected.add(p);
        }
        let aer = |threshold: f32| {
            let made: Vec<f64> = confidences.iter().filter(|&&p| p >= threshold).map(|&p| f64::from(p)).collect();
            let right: f64 = made.iter().map(|p| p + 2.0 * p / (1.0 + p)).sum();
            1.0 - right / (made.len() as f64 + 2.3)
        };
        for scores in expected.scores(0.5) {
            assert!((scores.aer.unwrap_or(aer(scores.threshold)) - aer(scores.threshold)).abs() < 1e-6, "{scores:?}");
        }
        let choice = expected.choose(Objective::Aer).scores;
        assert!(THRESHOLDS.iter().all(|&threshold| aer(threshold) >= aer(choice.threshold) - 1e-6 || threshold > 0.9));
        // Without a map it is 1 - F of sure links.
        let plain = histogram(&confidences).choose(Objective::Aer).scores;
        assert_eq!(plain, histogram(&confidences).choose(Objective::F(0.5)).scores);
        assert!((plain.aer.unwrap() + plain.f.unwrap() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn objectives_are_named_or_refused() {
        let read = |text: &str| text.parse::<Objective>().map(|objective| objective.to_string());
        for (text, name) in [
            ("aer", "aer"),
            ("f:-0", "f:0"),
            ("f:1", "f:1"),
            ("f:.25", "f:0.25"),
            ("precision:.9", "precision:0.9"),
            ("recall:.8", "recall:0.8"),
        ] {
            assert_eq!(read(text).unwrap(), name);
        }
        for text in [
            "",
            "f",
            "f:",
            "f:1.5",
            "f:-0.1",
            "f:nan",
            "precision:0",
            "precision:1",
            "recall:1",
            "AER",
            "aer:1",
            "f: 1",
        ] {
            let message = read(text).unwrap_err().to_string();
            assert!(message.starts_with("objective = ") && message.contains("precision:P"), "{text}: {message}");
        }
    }

    #[test]
    fn samples_are_spread_evenly() {
        let numbers = |some, all| (0..some).map(|n| spaced(n, some, all)).collect::<Vec<_>>();
        assert_eq!(numbers(5, 5), [0, 1, 2, 3, 4]);
        assert_eq!(numbers(4, 10), [0, 2, 5, 7]);
        assert_eq!(spaced(19_999, 20_000, 1 << 40), (1 << 40) - (1 << 40) / 20_000 - 1);
    }
}
