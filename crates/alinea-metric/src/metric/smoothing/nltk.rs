//! The smoothing methods of NLTK (`nltk.translate.bleu_score.SmoothingFunction`), where its values are wanted.
//!
//! They have the numbers of Chen and Cherry's techniques, and departures of their own. What the outputs of the releases 3.5,
//! 3.6.1, 3.7 and 3.10.4 say:
//!
//! ```text
//!            the paper                          NLTK 3.6.1 to 3.10.4               NLTK 3.5
//! all        0 where a precision is 0           such orders are left out           refused
//!            l_n n-grams of a hypothesis        at least 1 of each segment         the same
//!            orders without n-grams left out    they have precision 0              the same
//! 0          0 where an order has no match      2.2e-308 in its place              the same
//! 2          (m_n + 1) / (l_n + 1), n >= 2      the same                           n >= 1
//! 4          m_n = (ln c / k)^i                 ln c / (2^i k)                     n - 1 + k / ln c
//! 5          the mean of three counts           the mean of three precisions       the same
//! 6          needs nothing                      refused without a trigram match    the same
//! 7          4, and then 5                      its own 4, and its own 5           the same
//! ```
//!
//! where i counts the orders without a match. Methods 5 and 7 look at the 5-grams of the *last* segment of a corpus, method
//! 6 at its length, so that scores depend on the order of segments: see
//! [`Metric::of_last`](crate::metric::Metric::of_last). Where NLTK raises an error, the score is 0: method 6 without a
//! trigram that matches, and of 3.5 the methods 4 and 7 for a single token, and method 1 with an epsilon of 0.

use super::ChenCherry;
use crate::error::{Error, Result};

/// The order that methods 5 and 7 look at behind the last one, whatever that is.
pub(in crate::metric) const ORDER_BEHIND: usize = 5;

/// A method of NLTK.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nltk {
    /// Its number and parameters.
    pub method: ChenCherry,
    /// As which releases have it.
    pub release: NltkRelease,
}

/// Releases of NLTK that have the same values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NltkRelease {
    /// 3.6.1 to 3.10.4.
    Current,
    /// 3.5.
    Old,
}

/// What the methods ask of the last segment.
#[derive(Debug, Clone, Copy)]
pub(in crate::metric) struct LastSegment {
    /// Matches of [`ORDER_BEHIND`].
    pub(in crate::metric) matches: f64,
    /// Tokens of the hypothesis.
    pub(in crate::metric) tokens: f64,
}

impl NltkRelease {
    /// What names and signatures have in front of the method.
    pub(super) fn prefix(self) -> &'static str {
        match self {
            Self::Current => "nltk-",
            Self::Old => "nltk3.5-",
        }
    }
}

impl Nltk {
    /// The method of a name without its release, such as `nltk-method5`, and the rest of the name.
    pub(super) fn release_of(name: &str) -> Option<(NltkRelease, &str)> {
        [NltkRelease::Current, NltkRelease::Old]
            .into_iter()
            .find_map(|release| Some((release, name.strip_prefix(release.prefix())?)))
    }

    /// Whether the last segment has a part of its own.
    pub(in crate::metric) fn asks_of_last(self) -> bool {
        matches!(self.method.method, 5..=7)
    }

    /// Says whether there are enough orders.
    pub(in crate::metric) fn check_orders(self, orders: usize) -> Result<()> {
        if self.method.method == 6 && orders < 3 {
            return Err(Error::config("number of weights", orders, "3 or more with method 6 of NLTK"));
        }
        Ok(())
    }

    /// Precisions in percent and the logarithm of their weighted geometric mean; none where nothing matches, or where NLTK
    /// refuses the text. `totals` count at least one n-gram of each segment and order.
    pub(in crate::metric) fn score(
        self,
        (matches, totals): (&[f64], &[f64]),
        weights: &[f64],
        tokens: f64,
        last: LastSegment,
    ) -> (Vec<f64>, Option<f64>) {
        let orders = weights.len();
        let (matches, totals) = (&matches[..orders], &totals[..orders]);
        let smoothed = (matches[0] > 0.0).then(|| self.precisions(matches, totals, tokens, last)).flatten();
        let Some(precisions) = smoothed else { return (vec![0.0; orders], None) };
        let positive = precisions.iter().zip(weights).filter(|(precision, _)| **precision > 0.0);
        let mean: f64 = positive.map(|(precision, weight)| weight * precision.ln()).sum();
        (precisions.iter().map(|precision| 100.0 * precision).collect(), Some(mean + 100f64.ln()))
    }

    fn precisions(self, matches: &[f64], totals: &[f64], tokens: f64, last: LastSegment) -> Option<Vec<f64>> {
        let ChenCherry { method, epsilon, alpha, k } = self.method;
        let old = self.release == NltkRelease::Old;
        let mut precisions: Vec<f64> = matches.iter().zip(totals).map(|(count, total)| count / total).collect();
        let mut zeros = 0;
        for (order, precision) in precisions.iter_mut().enumerate() {
            let (none, total) = (matches[order] == 0.0, totals[order]);
            zeros += i32::from(none);
            match method {
                0 if none => *precision = f64::MIN_POSITIVE,
                1 if none => *precision = epsilon / total,
                2 if old || order > 0 => *precision = (matches[order] + 1.0) / (total + 1.0),
                3 if none => *precision = 0.5f64.powi(zeros) / total,
                4 | 7 if none && old => *precision = (order as f64 + k / tokens.ln()) / total,
                4 | 7 if none && tokens > 1.0 => *precision = tokens.ln() * 0.5f64.powi(zeros) / k / total,
                _ => {}
            }
        }
        match method {
            5 | 7 => average(&mut precisions, last),
            6 if matches[2] == 0.0 => return None,
            6 => extrapolate(&mut precisions, matches, alpha, last),
            _ => {}
        }
        let defined = |precision: &f64| precision.is_finite() && (!old || *precision > 0.0);
        precisions.iter().all(defined).then_some(precisions)
    }
}

/// The mean of the precision of the order before, averaged already, of the order itself, and of the next.
fn average(precisions: &mut [f64], last: LastSegment) {
    let behind = last.matches / (last.tokens + 1.0 - ORDER_BEHIND as f64).max(1.0);
    let mut before = precisions[0] + 1.0;
    for order in 0..precisions.len() {
        let next = precisions.get(order + 1).copied().unwrap_or(behind);
        before = (before + precisions[order] + next) / 3.0;
        precisions[order] = before;
    }
}

/// From the third order on alpha n-grams more, of which as many match as the two orders before let expect.
fn extrapolate(precisions: &mut [f64], matches: &[f64], alpha: f64, last: LastSegment) {
    for order in 2..precisions.len() {
        let (one, two) = (precisions[order - 1], precisions[order - 2]);
        let prior = if two == 0.0 { 0.0 } else { one * one / two };
        let total = (last.tokens - order as f64).max(0.0);
        precisions[order] = (matches[order] + alpha * prior) / (total + alpha);
    }
}
