//! Two correlations with the same human scores.

use super::{ItemScores, pearson};
use crate::numeric::student_t_tail;

/// Williams' test (1959, *Regression Analysis*) of the difference of two dependent correlations, as Graham and Baldwin (2014,
/// *Testing for Significance of Increased Correlation with Human Judgment*, section 4) have it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Williams {
    /// The statistic, positive if the first metric correlates better.
    pub t: f64,
    /// The probability of such a t, or a higher one, if both correlate equally: one tail, n - 3 degrees of freedom.
    pub p_value: f64,
}

/// Tests whether Pearson's r of the first metric is higher than that of the second one. Both have scored the same items, with
/// the same human scores. None for fewer than four items, or where a correlation is not defined or the two metrics cannot
/// be told apart.
pub fn williams(first: &ItemScores, second: &ItemScores) -> Option<Williams> {
    let n = first.len() as f64;
    if first.len() < 4 || first.human != second.human {
        return None;
    }
    let r12 = pearson(&first.human, &first.metric)?;
    let r13 = pearson(&second.human, &second.metric)?;
    let r23 = pearson(&first.metric, &second.metric)?;
    let k = 1.0 - r12 * r12 - r13 * r13 - r23 * r23 + 2.0 * r12 * r13 * r23;
    let below = 2.0 * k * (n - 1.0) / (n - 3.0) + (r12 + r13).powi(2) / 4.0 * (1.0 - r23).powi(3);
    if below <= 0.0 {
        return None;
    }
    let t = (r12 - r13) * ((n - 1.0) * (1.0 + r23)).sqrt() / below.sqrt();
    Some(Williams { t, p_value: student_t_tail(t, n - 3.0) })
}
