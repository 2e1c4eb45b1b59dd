//! Metrics judged by people: how well do scores agree with human scores?
//!
//! **What it is.** Items are translations that both people and a metric have scored; they come in groups: the translations
//! of one segment by all systems, or, where systems are compared, all in one group. [`ItemScores`] has the scores, a
//! [`Coefficient`] says how well they agree, and [`bootstrap`] how sure that is, and whether two metrics differ.
//!
//! ```text
//! pearson    covariance / product of the standard deviations, over all items
//! spearman   the same of ranks; equal scores share the mean of their ranks
//! ```
//!
//! The others look at pairs of items of one group, or of all items ([`ItemScores::across_groups`]). Of these C are concordant, D discordant, in T only the scores of the
//! metric are equal, in H only those of people, and in B both are.
//!
//! ```text
//! tau-b      (C - D) / sqrt((C + D + T) (C + D + H))
//! tau-10     (C - D - T) / (C + D + T)
//! tau-13     (C - D) / (C + D)
//! tau-14     (C - D) / (C + D + T)
//! accuracy   (C + B) / (C + D + T + H + B)
//! ```
//!
//! tau-b is Kendall's (1945, *The Treatment of Ties in Ranking Problems*). The next three are what the metrics tasks of WMT
//! have had, and are named as in Deutsch et al. (2023, *Ties Matter*, section 3), who compare them. All are equation 2 of Ma
//! et al. (2019, *Results of the WMT19 Metrics Shared Task*, section 5.2), `(concordant - discordant) / (concordant +
//! discordant)`, and differ in what ties of the metric are, which the matrix below the equation says. In tau-10 they are
//! discordant: so in WMT10 to WMT12 and, over pairs that people scored more than 25 points apart (daRR, section 2.3.2), in
//! WMT17 to WMT20. In tau-13, that of WMT13, they are left out; in tau-14, that of WMT14 to WMT16, they are neither but
//! count below the line, so that they cost less (Macháček and Bojar 2014, *Results of the WMT14 Metrics Shared Task*,
//! section 4). Equation 1 of Ma et al. (section 5.1) is Pearson's r. `accuracy` is that of Kocmi et al. (2021, *To Ship
//! or Not to Ship*) for pairs of systems, and of Deutsch et al. for pairs of translations. A coefficient is not defined
//! where its denominator is 0.
//!
//! ```
//! use alinea::metric::correlation::{Coefficient, ItemScores};
//!
//! // Two segments, three systems: what people say, and what two metrics say.
//! let human = vec![3.0, 2.0, 1.0, 5.0, 5.0, 2.0];
//! let good = ItemScores::new(human.clone(), vec![0.9, 0.5, 0.1, 0.8, 0.7, 0.2], vec![3, 6])?;
//! let flat = ItemScores::new(human, vec![0.5, 0.5, 0.1, 0.8, 0.8, 0.9], vec![3, 6])?;
//! assert_eq!(Coefficient::Tau14.of(&good), Some(1.0));
//! // Concordant 2, discordant 2, and a tie where people saw a difference.
//! assert_eq!(Coefficient::Tau14.of(&flat), Some(0.0));
//! assert_eq!(Coefficient::Tau10.of(&flat), Some(-0.2));
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod pairs;
mod resample;
mod williams;

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

pub use self::pairs::PairCounts;
pub use self::resample::{Agreement, Difference, bootstrap};
pub use self::williams::{Williams, williams};
use crate::error::{Error, ErrorKind, Result};

/// Human and metric scores of items; more is better in both.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemScores {
    human: Vec<f64>,
    metric: Vec<f64>,
    /// Where groups end.
    ends: Vec<usize>,
    /// The pairs of each group; if those of all items count, of all together.
    pairs: Vec<PairCounts>,
    least_difference: f64,
    /// Whether pairs of items of different groups count.
    across: bool,
}

impl ItemScores {
    /// Scores of items, of which those up to each of `ends` are a group. People see a difference if scores differ at all.
    ///
    /// # Errors
    /// `Inconsistent` if there are not as many scores of the one as of the other, groups do not end with the items, or a score
    /// is no finite number.
    pub fn new(human: Vec<f64>, metric: Vec<f64>, ends: Vec<usize>) -> Result<Self> {
        Self::with_least_difference(human, metric, ends, 0.0)
    }

    /// The same; human scores count as different only if they differ by at least `least_difference`, or, if that is 0, at all.
    ///
    /// # Errors
    /// As [`new`](Self::new), and `Config` for a negative difference.
    pub fn with_least_difference(
        human: Vec<f64>,
        metric: Vec<f64>,
        ends: Vec<usize>,
        least_difference: f64,
    ) -> Result<Self> {
        if least_difference.is_nan() || least_difference < 0.0 {
            return Err(Error::config("least difference", least_difference, "0 or more"));
        }
        let (items, others) = (human.len(), metric.len());
        if items != others || !ends.is_sorted() || ends.last().copied().unwrap_or(0) != items {
            let message = format!("{items} human scores, {others} of the metric, groups up to {:?}", ends.last());
            return Err(ErrorKind::Inconsistent(message).into());
        }
        if let Some(wrong) = human.iter().chain(&metric).find(|score| !score.is_finite()) {
            return Err(ErrorKind::Inconsistent(format!("{wrong} is not a score")).into());
        }
        let mut scores = Self { human, metric, ends, pairs: Vec::new(), least_difference, across: false };
        scores.pairs = (0..scores.ends.len()).map(|group| scores.count(scores.group(group))).collect();
        Ok(scores)
    }

    /// The same scores, where all pairs of items count, whichever their groups. Groups are still what samples are drawn of.
    /// O(n log n).
    #[must_use]
    pub fn across_groups(mut self) -> Self {
        self.across = true;
        self.pairs = vec![self.count(0..self.len())];
        self
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        self.human.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.human.is_empty()
    }

    /// The human scores.
    pub fn human(&self) -> &[f64] {
        &self.human
    }

    /// The scores of the metric.
    pub fn metric(&self) -> &[f64] {
        &self.metric
    }

    /// The items of a group.
    fn group(&self, group: usize) -> std::ops::Range<usize> {
        let start = if group == 0 { 0 } else { self.ends[group - 1] };
        start..self.ends[group]
    }

    /// The pairs that count. O(n log n) when the scores were made.
    pub fn pairs(&self) -> PairCounts {
        self.pairs.iter().fold(PairCounts::default(), PairCounts::plus)
    }

    fn count(&self, items: std::ops::Range<usize>) -> PairCounts {
        PairCounts::of(&self.human[items.clone()], &self.metric[items], self.least_difference)
    }
}

fn sign(difference: f64) -> Ordering {
    difference.partial_cmp(&0.0).unwrap_or(Ordering::Equal)
}

/// A way to say how well scores agree: -1 to 1, `accuracy` 0 to 1. See the [module](self).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coefficient {
    /// Pearson's r.
    Pearson,
    /// Spearman's rho.
    Spearman,
    /// Kendall's tau-b.
    TauB,
    /// That of WMT10 to WMT12 and of daRR: ties of the metric are wrong.
    Tau10,
    /// That of WMT13: ties of the metric do not count.
    Tau13,
    /// That of WMT14 to WMT16: ties of the metric are half wrong.
    Tau14,
    /// Pairwise accuracy: the share of pairs that the metric and humans rank alike.
    Accuracy,
}

impl Coefficient {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Pearson, Self::Spearman, Self::TauB, Self::Tau10, Self::Tau13, Self::Tau14, Self::Accuracy];

    /// The name, as in the table of the [module](self).
    pub fn name(self) -> &'static str {
        match self {
            Self::Pearson => "pearson",
            Self::Spearman => "spearman",
            Self::TauB => "tau-b",
            Self::Tau10 => "tau-10",
            Self::Tau13 => "tau-13",
            Self::Tau14 => "tau-14",
            Self::Accuracy => "accuracy",
        }
    }

    /// The coefficient of these scores; none where it is not defined. Linear, but O(n log n) for ranks.
    pub fn of(self, scores: &ItemScores) -> Option<f64> {
        match self {
            Self::Pearson => pearson(&scores.human, &scores.metric),
            Self::Spearman => pearson(&ranks(&scores.human), &ranks(&scores.metric)),
            _ => self.of_pairs(&scores.pairs()),
        }
    }

    /// The coefficient of these pairs; none where it is not defined, or not one of pairs.
    pub fn of_pairs(self, pairs: &PairCounts) -> Option<f64> {
        let &PairCounts { concordant, discordant, metric_ties, human_ties, both_ties } = pairs;
        let [c, d, t, h, b] = [concordant, discordant, metric_ties, human_ties, both_ties].map(|count| count as f64);
        let (above, below) = match self {
            Self::Pearson | Self::Spearman => return None,
            Self::TauB => (c - d, ((c + d + t) * (c + d + h)).sqrt()),
            Self::Tau10 => (c - d - t, c + d + t),
            Self::Tau13 => (c - d, c + d),
            Self::Tau14 => (c - d, c + d + t),
            Self::Accuracy => (c + b, c + d + t + h + b),
        };
        (below > 0.0).then(|| above / below)
    }
}

impl fmt::Display for Coefficient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Coefficient {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|coefficient| coefficient.name() == name);
        let names = "pearson, spearman, tau-b, tau-10, tau-13, tau-14, accuracy";
        found.ok_or_else(|| Error::config("coefficient", name, names))
    }
}

/// Pearson's r of two sequences of one length; none if one of them is constant.
fn pearson(one: &[f64], other: &[f64]) -> Option<f64> {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (mean_one, mean_other) = (mean(one), mean(other));
    let (mut both, mut of_one, mut of_other) = (0.0, 0.0, 0.0);
    for (x, y) in one.iter().zip(other) {
        let (x, y) = (x - mean_one, y - mean_other);
        both += x * y;
        of_one += x * x;
        of_other += y * y;
    }
    let constant = |values: &[f64]| values.windows(2).all(|pair| sign(pair[0] - pair[1]).is_eq());
    if constant(one) || constant(other) {
        return None;
    }
    Some((both / (of_one.sqrt() * of_other.sqrt())).clamp(-1.0, 1.0))
}

/// Ranks from 1; equal values share the mean of theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&one, &other| sign(values[one] - values[other]));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for equal in order.chunk_by(|&one, &other| sign(values[one] - values[other]).is_eq()) {
        let rank = before as f64 + f64::midpoint(1.0, equal.len() as f64);
        for &item in equal {
            ranks[item] = rank;
        }
        before += equal.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read() {
        for coefficient in Coefficient::ALL {
            assert_eq!(coefficient.to_string().parse::<Coefficient>().unwrap(), coefficient);
        }
        assert!("tau".parse::<Coefficient>().is_err());
    }

    #[test]
    fn what_does_not_vary_has_no_correlation() {
        let scores = ItemScores::new(vec![1.0, 2.0, 3.0], vec![0.1; 3], vec![3]).unwrap();
        let found = Coefficient::ALL.map(|coefficient| coefficient.of(&scores));
        assert_eq!(found, [None, None, None, Some(-1.0), None, Some(0.0), Some(0.0)]);
        let none = ItemScores::new(Vec::new(), Vec::new(), Vec::new()).unwrap();
        assert!(Coefficient::ALL.iter().all(|coefficient| coefficient.of(&none).is_none()));
    }

    #[test]
    fn small_differences_may_count_as_none() {
        let count = |least| {
            ItemScores::with_least_difference(vec![10.0, 34.0, 60.0], vec![0.1, 0.2, 0.3], vec![3], least)
                .unwrap()
                .pairs()
        };
        assert_eq!(count(0.0).concordant, 3);
        assert_eq!((count(25.0).concordant, count(25.0).human_ties), (2, 1));
        assert_eq!((count(26.0).concordant, count(26.0).human_ties), (2, 1));
        assert_eq!(count(50.5).human_ties, 3);
    }

    #[test]
    fn scores_that_do_not_fit_are_refused() {
        assert!(ItemScores::new(vec![1.0], vec![], vec![1]).is_err());
        assert!(ItemScores::new(vec![1.0], vec![1.0], vec![]).is_err());
        assert!(ItemScores::new(vec![f64::NAN], vec![1.0], vec![1]).is_err());
        assert!(ItemScores::with_least_difference(vec![1.0], vec![1.0], vec![1], -1.0).is_err());
    }
}
