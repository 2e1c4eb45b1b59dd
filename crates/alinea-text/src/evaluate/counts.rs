//! What is counted to evaluate word alignments, and the scores of the counts: precision, recall, F and AER.
//!
//! With A the links of the hypothesis, S the sure and P the possible links of the gold standard, S ⊆ P:
//!
//! ```text
//! precision = |A ∩ P| / |A|        recall = |A ∩ S| / |S|        F_α = 1 / (α / precision + (1 - α) / recall)
//! AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|)
//! ```
//!
//! (Och and Ney 2003; F_α as in Fraser and Marcu 2007). Five counts are enough, and they add up: the score of a corpus
//! or of a bootstrap sample is that of the sums over its sentences. A ratio of zero to zero has no value; F is 0 if
//! precision or recall is.

use std::iter::Sum;
use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

use crate::alignment::{Alignment, GoldAlignment};

/// The counts that all scores are made of, of one sentence pair or, added, of many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Links of the hypothesis, `|A|`.
    pub hypothesis: u64,
    /// Sure links, `|S|`.
    pub sure: u64,
    /// Possible links, the sure among them, `|P|`.
    pub possible: u64,
    /// Links of the hypothesis that are sure, `|A ∩ S|`.
    pub in_sure: u64,
    /// Links of the hypothesis that are possible, the sure among them, `|A ∩ P|`.
    pub in_possible: u64,
}

/// Scores as fractions; those of counts that do not define them have no value.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Scores {
    /// `|A ∩ P| / |A|`, from 0 to 1; none if the hypothesis is empty.
    pub precision: Option<f64>,
    /// `|A ∩ S| / |S|`, from 0 to 1; none if there are no sure links.
    pub recall: Option<f64>,
    /// `F_α`, from 0 to 1; none if precision or recall is.
    pub f: Option<f64>,
    /// The alignment error rate, from 0 (best) to 1; none if there are neither links in the hypothesis nor sure links.
    pub aer: Option<f64>,
}

impl Counts {
    /// Counts one sentence pair. O(links).
    pub fn of(gold: &GoldAlignment, hypothesis: &Alignment) -> Self {
        Self {
            hypothesis: hypothesis.len() as u64,
            sure: gold.sure().len() as u64,
            possible: gold.possible().len() as u64,
            in_sure: hypothesis.intersection_len(gold.sure()) as u64,
            in_possible: hypothesis.intersection_len(gold.possible()) as u64,
        }
    }

    /// Links of the hypothesis that are not even possible, `|A \ P|`.
    pub fn wrong(&self) -> u64 {
        self.hypothesis.saturating_sub(self.in_possible)
    }

    /// Sure links that the hypothesis lacks, `|S \ A|`.
    pub fn missed(&self) -> u64 {
        self.sure.saturating_sub(self.in_sure)
    }

    /// Links of the gold standard that are possible but not sure, `|P \ S|`.
    pub fn only_possible(&self) -> u64 {
        self.possible.saturating_sub(self.sure)
    }

    /// Links of the hypothesis that are possible but not sure, `|A ∩ P \ S|`.
    pub fn in_only_possible(&self) -> u64 {
        self.in_possible.saturating_sub(self.in_sure)
    }

    /// Wrong and missed links together.
    pub fn errors(&self) -> u64 {
        self.wrong() + self.missed()
    }

    /// `|A ∩ P| / |A|`; none if the hypothesis is empty.
    pub fn precision(&self) -> Option<f64> {
        ratio(self.in_possible, self.hypothesis)
    }

    /// `|A ∩ S| / |S|`; none if there are no sure links.
    pub fn recall(&self) -> Option<f64> {
        ratio(self.in_sure, self.sure)
    }

    /// `1 / (alpha / precision + (1 - alpha) / recall)`, 0 if either is 0; none if either has no value. `alpha` is the
    /// weight of precision, from 0 to 1.
    pub fn f(&self, alpha: f64) -> Option<f64> {
        let (precision, recall) = (self.precision()?, self.recall()?);
        if precision == 0.0 || recall == 0.0 {
            return Some(0.0);
        }
        Some(1.0 / (alpha / precision + (1.0 - alpha) / recall))
    }

    /// `1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|)`; none if both below are empty.
    pub fn aer(&self) -> Option<f64> {
        ratio(self.in_sure + self.in_possible, self.hypothesis + self.sure).map(|agreement| 1.0 - agreement)
    }

    /// All scores; see [`f`](Self::f) for `alpha`.
    pub fn scores(&self, alpha: f64) -> Scores {
        Scores { precision: self.precision(), recall: self.recall(), f: self.f(alpha), aer: self.aer() }
    }

    /// The counts as a row of additive statistics.
    pub(super) fn row(&self) -> [u64; 5] {
        [self.hypothesis, self.sure, self.possible, self.in_sure, self.in_possible]
    }

    /// The counts of such a row, or of a sum of such rows; counts that are not there are 0.
    pub(super) fn from_row(row: &[u64]) -> Self {
        let at = |column: usize| row.get(column).copied().unwrap_or(0);
        Self { hypothesis: at(0), sure: at(1), possible: at(2), in_sure: at(3), in_possible: at(4) }
    }
}

impl Scores {
    pub(super) fn array(self) -> [Option<f64>; 4] {
        [self.precision, self.recall, self.f, self.aer]
    }

    pub(super) fn from_array([precision, recall, f, aer]: [Option<f64>; 4]) -> Self {
        Self { precision, recall, f, aer }
    }
}

impl Add for Counts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            hypothesis: self.hypothesis + other.hypothesis,
            sure: self.sure + other.sure,
            possible: self.possible + other.possible,
            in_sure: self.in_sure + other.in_sure,
            in_possible: self.in_possible + other.in_possible,
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), Add::add)
    }
}

fn ratio(above: u64, below: u64) -> Option<f64> {
    (below > 0).then(|| above as f64 / below as f64)
}
