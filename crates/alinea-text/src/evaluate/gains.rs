//! What a system gains over a baseline.
//!
//! For a score `b` of the baseline and `n` of the system the *absolute* gain is `n - b`, the *relative* gain `(n - b) /
//! b`. A gain of 0.09 in recall is more where recall was 0.43 (relative 0.21) than where it was 0.66 (0.14), which is
//! what relative gains are for when corpora are compared (Ozdowska 2008). Intervals come from the bootstrap samples of
//! [`Bootstrap`], which take the same sentences of both.
//!
//! ```
//! use alinea::evaluate::Gain;
//!
//! let gain = Gain::of(Some(0.5), Some(0.75));
//! assert_eq!((gain.absolute, gain.relative), (Some(0.25), Some(0.5)));
//! assert_eq!(Gain::of(Some(0.0), Some(0.5)).relative, None, "nothing is relative to nothing");
//! ```

use serde::{Deserialize, Serialize};

use super::Counts;
use crate::error::{Error, Result};
use crate::numeric::{Bootstrap, Estimate, Statistics};
use crate::parallel::Parallelism;

/// What is gained in one score.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Gain {
    /// New minus old; none if one has no value.
    pub absolute: Option<f64>,
    /// The absolute gain as a share of the old; none if the old is 0 or has no value.
    pub relative: Option<f64>,
}

impl Gain {
    /// The gain of `new` over `base`.
    pub fn of(base: Option<f64>, new: Option<f64>) -> Self {
        let absolute = base.zip(new).map(|(base, new)| new - base);
        let relative = absolute.zip(base.filter(|base| *base != 0.0)).map(|(absolute, base)| absolute / base);
        Self { absolute, relative }
    }
}

/// A gain and how sure it is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct GainEstimate {
    /// New minus old.
    pub absolute: Estimate,
    /// New minus old as a share of the old.
    pub relative: Estimate,
}

/// What a system gains over a baseline in each score. For AER a negative gain is an improvement.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Gains {
    /// In precision.
    pub precision: GainEstimate,
    /// In recall.
    pub recall: GainEstimate,
    /// In F.
    pub f: GainEstimate,
    /// In the alignment error rate.
    pub aer: GainEstimate,
}

/// Columns of the counts of one system.
const WIDTH: usize = 5;

/// The gains of `new` over `base`, whose counts are of the same sentences, with intervals. O(samples × sentences).
///
/// # Errors
/// `UnequalLengths` if there are more or fewer sentences of one, `Empty` if there are none, `Config` for a bootstrap that
/// is not allowed.
pub fn gains(base: &[Counts], new: &[Counts], alpha: f64, bootstrap: &Bootstrap) -> Result<Gains> {
    if base.len() != new.len() {
        return Err(Error::unequal_lengths("baseline", base.len() as u64, "system", new.len() as u64));
    }
    // One row has the counts of both, so that every sample has the same sentences of both.
    let mut statistics = Statistics::new(2 * WIDTH);
    for (base, new) in base.iter().zip(new) {
        statistics.push(&[base.row(), new.row()].concat())?;
    }
    let score = |sums: &[u64]| -> [Option<f64>; 8] {
        let (base, new) = sums.split_at(WIDTH);
        let [base, new] = [base, new].map(|sums| Counts::from_row(sums).scores(alpha).array());
        let gains: [Gain; 4] = std::array::from_fn(|score| Gain::of(base[score], new[score]));
        std::array::from_fn(|n| if n % 2 == 0 { gains[n / 2].absolute } else { gains[n / 2].relative })
    };
    let estimates = bootstrap.estimate(&statistics, score, &Parallelism::serial())?;
    let gain = |n: usize| GainEstimate { absolute: estimates[2 * n], relative: estimates[2 * n + 1] };
    Ok(Gains { precision: gain(0), recall: gain(1), f: gain(2), aer: gain(3) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(hypothesis: u64, right: u64, sure: u64) -> Counts {
        Counts { hypothesis, sure, possible: sure, in_sure: right, in_possible: right }
    }

    #[test]
    fn gains_are_those_of_the_pooled_counts() {
        // Precision 4/8 and 6/8, recall 4/10 and 6/10.
        let base = [counts(4, 2, 5), counts(4, 2, 5)];
        let new = [counts(4, 3, 5), counts(4, 3, 5)];
        let gains = gains(&base, &new, 0.5, &Bootstrap::default()).unwrap();
        assert_eq!(gains.precision.absolute.value, Some(0.25));
        assert_eq!(gains.precision.relative.value, Some(0.5));
        let recall = gains.recall.relative.value.unwrap();
        assert!((recall - 0.5).abs() < 1e-12, "{recall}");
        // AER 1 - 8/18 and 1 - 12/18.
        assert!((gains.aer.absolute.value.unwrap() + 4.0 / 18.0).abs() < 1e-12);
        // The two sentences are equal, and so are all samples.
        let interval = gains.precision.relative.interval.unwrap();
        assert_eq!((interval.low, interval.high), (0.5, 0.5));
    }

    #[test]
    fn the_absolute_gains_are_the_differences_of_a_comparison() {
        let base: Vec<Counts> = (1..30).map(|n| counts(10, n % 7, 8)).collect();
        let new: Vec<Counts> = (1..30).map(|n| counts(9, n % 8, 8)).collect();
        let bootstrap = Bootstrap { samples: 200, ..Bootstrap::default() };
        let gains = gains(&base, &new, 0.5, &bootstrap).unwrap();
        let rows = |counts: &[Counts]| Statistics::from_rows(counts.iter().map(Counts::row));
        let score = |sums: &[u64]| Counts::from_row(sums).scores(0.5).array();
        let differences = bootstrap.compare(&rows(&new), &rows(&base), score, &Parallelism::serial()).unwrap();
        for (gain, difference) in [gains.precision, gains.recall, gains.f, gains.aer].iter().zip(differences) {
            assert_eq!(gain.absolute.value, difference.difference);
            assert_eq!(gain.absolute.interval, difference.interval);
        }
    }

    #[test]
    fn unequal_numbers_of_sentences_are_refused() {
        let error = gains(&[counts(1, 1, 1)], &[], 0.5, &Bootstrap::default()).unwrap_err();
        assert_eq!(error.to_string(), "unequal lengths: baseline has 1 line, system has 0");
    }
}
