//! How much a corpus score depends on the sentences that happened to be drawn.
//!
//! A corpus score such as AER or BLEU is a function `f` of counts that add up over sentences. From `n` rows of counts
//! `x_1 … x_n` a [`Bootstrap`] draws `B` samples of `n` rows with replacement and scores each: `s*_b = f(x_{i_1} + … +
//! x_{i_n})` (Efron and Tibshirani 1993, *An introduction to the bootstrap*, chapter 6; for translation scores Koehn
//! 2004, *Statistical significance tests for machine translation evaluation*). Then
//!
//! * the **standard error** is the standard deviation of the `s*_b` with divisor `B - 1` (Efron and Tibshirani,
//!   chapter 6);
//! * the **percentile interval** of confidence `c` leaves out the `k = floor(B (1 - c) / 2)` lowest and the `k` highest
//!   of the `s*_b` and runs from the lowest to the highest of the rest (Koehn: 25 of 1000 on each side for 95 %).
//!
//! Two systems are compared on the *same* samples (Koehn), which removes what makes a sentence hard for
//! both. With `d = f(first) - f(second)` on all sentences and `d*_b` on sample `b`, the **p-value** is two-sided, for
//! the hypothesis that there is no difference, whose distribution is taken to be that of `d*_b - d`:
//!
//! ```text
//! p = (1 + #{b : |d*_b - d| >= |d|}) / (1 + B)
//! ```
//!
//! The distribution is centered because that of `d*_b` itself lies around `d`, where the hypothesis is false
//! (Efron and Tibshirani, chapter 16); the ones are added because the observed difference is itself a draw under the
//! hypothesis, so that no p-value is 0 (Davison and Hinkley 1997, *Bootstrap methods and their application*, chapter
//! 4). Equal systems have `p = 1`. One row cannot be resampled, since every sample is that row: then there is no standard
//! error, interval or p-value. Koehn's own number, the share of samples in which one system is better, is
//! reported beside it ([`Difference::higher`], [`Difference::lower`]).
//!
//! Sample `b` is drawn from stream `b` under the seed, so results do not depend on the number of threads.
//!
//! ```
//! use alinea::numeric::{Bootstrap, Statistics};
//! use alinea::parallel::Parallelism;
//!
//! let first = Statistics::from_rows([[3, 4], [2, 2], [1, 3], [5, 6]]);
//! let second = Statistics::from_rows([[2, 4], [1, 2], [0, 3], [4, 6]]);
//! let precision = |counts: &[u64]| [Some(counts[0] as f64 / counts[1] as f64)];
//! let [difference] = Bootstrap::default().compare(&first, &second, precision, &Parallelism::serial())?;
//! assert!((difference.difference.unwrap_or(0.0) - 4.0 / 15.0).abs() < 1e-12);
//! assert_eq!(difference.higher, 1000);
//! assert_eq!(difference.p_value, Some(1.0 / 1001.0));
//! # Ok::<(), alinea::error::Error>(())
//! ```

use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

use super::Generator;
use crate::error::{Error, ErrorKind, Result};
use crate::parallel::{Parallelism, chunk_range};

/// The fewest sentences for which intervals and tests are given without a warning. With 300 Koehn (2004, abstract and
/// section 4) still found the conclusions of the bootstrap right; for fewer nobody has shown it.
pub const FEWEST_SENTENCES: usize = 300;

/// The fewest systems, or other units of which there are few and all are given, for which that holds. Of n units there are
/// C(2n - 1, n) different samples: 462 of 6, and 1716 of 7, which is the first number above the 1000 samples that are usually
/// drawn.
pub const FEWEST_SYSTEMS: usize = 7;

/// Samples that one thread draws at a time.
const CHUNK: usize = 16;

/// Two distances that differ by less than this share of the larger are the same number, rounded differently.
const ROUNDING: f64 = 1e-12;

/// Counts that add up: one row a sentence, one column a count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statistics {
    width: usize,
    rows: usize,
    counts: Vec<u64>,
}

impl Statistics {
    /// No rows yet, of `width` counts each.
    pub fn new(width: usize) -> Self {
        Self { width, rows: 0, counts: Vec::new() }
    }

    /// These rows.
    pub fn from_rows<const N: usize>(rows: impl IntoIterator<Item = [u64; N]>) -> Self {
        let counts: Vec<[u64; N]> = rows.into_iter().collect();
        Self { width: N, rows: counts.len(), counts: counts.into_flattened() }
    }

    /// Adds a row.
    ///
    /// # Errors
    /// `Inconsistent` if it has another number of counts than the others.
    pub fn push(&mut self, row: &[u64]) -> Result<()> {
        if row.len() != self.width {
            let message = format!("a row of {} counts among rows of {}", row.len(), self.width);
            return Err(ErrorKind::Inconsistent(message).into());
        }
        self.counts.extend_from_slice(row);
        self.rows += 1;
        Ok(())
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The sums of the columns; sums that do not fit 64 bits stay at the largest number.
    pub fn totals(&self) -> Vec<u64> {
        let mut totals = vec![0; self.width];
        for row in 0..self.rows {
            self.add_row(row, &mut totals);
        }
        totals
    }

    fn add_row(&self, row: usize, sums: &mut [u64]) {
        let row = &self.counts[row * self.width..(row + 1) * self.width];
        for (sum, count) in sums.iter_mut().zip(row) {
            *sum = sum.saturating_add(*count);
        }
    }
}

/// How to resample.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Bootstrap {
    /// The number of samples `B`, from 1. Default 1000 (Koehn 2004).
    pub samples: usize,
    /// The seed. Default 12345.
    pub seed: u64,
    /// The confidence of intervals, between 0 and 1, both excluded. Default 0.95.
    pub confidence: f64,
}

crate::configurable!(Bootstrap);

impl Bootstrap {
    /// This many samples, drawn with this seed, for intervals of this confidence.
    pub fn new(samples: usize, seed: u64, confidence: f64) -> Self {
        Self { samples, seed, confidence }
    }
}

impl Default for Bootstrap {
    fn default() -> Self {
        Self { samples: 1000, seed: 12345, confidence: 0.95 }
    }
}

/// A range of values of a score, in its unit; both ends belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// A score and how sure it is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The score of all sentences; none where it is not defined.
    pub value: Option<f64>,
    /// The percentile interval; none if the score is defined in no sample, or if there is one row.
    pub interval: Option<Interval>,
    /// The standard error; none if the score is defined in fewer than two samples, or if there is one row.
    pub standard_error: Option<f64>,
    /// The number of samples without a score, which are left out.
    pub undefined: usize,
}

/// The difference between two systems' scores and how sure it is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// First score minus second score on all sentences; none where one is not defined.
    pub difference: Option<f64>,
    /// The percentile interval of the difference; none if there is one row.
    pub interval: Option<Interval>,
    /// The standard error of the difference.
    pub standard_error: Option<f64>,
    /// The two-sided p-value, above 0 and at most 1; none if the difference has no value, or none in any sample, or if
    /// there is one row.
    pub p_value: Option<f64>,
    /// The number of samples in which the first score is higher than the second.
    #[serde(alias = "first_higher")]
    pub higher: usize,
    /// The number of samples in which the first score is lower than the second.
    #[serde(alias = "second_higher")]
    pub lower: usize,
    /// The number of samples in which one of the scores is not defined; they are left out.
    pub undefined: usize,
}

impl Bootstrap {
    /// Says whether the fields have allowed values.
    ///
    /// # Errors
    /// `Config` names the field, its value and what is allowed.
    pub fn validate(&self) -> Result<()> {
        if self.samples == 0 {
            return Err(Error::config("samples", self.samples, "1 or more"));
        }
        if !(self.confidence > 0.0 && self.confidence < 1.0) {
            return Err(Error::config("confidence", self.confidence, "between 0 and 1, both excluded"));
        }
        Ok(())
    }

    /// One line that names every choice.
    pub fn signature(&self) -> String {
        format!("bootstrap|samples:{}|seed:{}|confidence:{}", self.samples, self.seed, self.confidence)
    }

    /// `K` scores of the same counts, all on the same samples. `score` gets sums of columns; a score that is not
    /// finite counts as not defined. O(samples × rows × width).
    ///
    /// # Errors
    /// `Config` for a bad configuration, `Empty` if there is no row.
    pub fn estimate<const K: usize>(
        &self,
        statistics: &Statistics,
        score: impl Fn(&[u64]) -> [Option<f64>; K] + Sync,
        parallelism: &Parallelism,
    ) -> Result<[Estimate; K]> {
        let value = finite(score(&statistics.totals()));
        let mut samples = self.draw([statistics], |[sums]| finite(score(sums)), parallelism)?;
        if statistics.rows == 1 {
            samples.clear();
        }
        Ok(std::array::from_fn(|k| {
            let sampled = defined(&samples, k, value[k]);
            Estimate {
                value: value[k],
                standard_error: standard_error(&sampled),
                undefined: samples.len() - sampled.len(),
                interval: percentile_interval(sampled, self.confidence),
            }
        }))
    }

    /// `K` scores of two systems on the same sentences, all on the same samples; see the module for definitions.
    /// O(samples × rows × width).
    ///
    /// # Errors
    /// `Config` for a bad configuration, `Empty` if there is no row, `UnequalLengths` or `Inconsistent` if the two
    /// have different numbers of rows or columns.
    pub fn compare<const K: usize>(
        &self,
        first: &Statistics,
        second: &Statistics,
        score: impl Fn(&[u64]) -> [Option<f64>; K] + Sync,
        parallelism: &Parallelism,
    ) -> Result<[Difference; K]> {
        if first.rows != second.rows {
            return Err(Error::unequal_lengths("first", first.rows as u64, "second", second.rows as u64));
        }
        if first.width != second.width {
            let message = format!("rows of {} counts against rows of {}", first.width, second.width);
            return Err(ErrorKind::Inconsistent(message).into());
        }
        let subtract = |sums: [&[u64]; 2]| -> [Option<f64>; K] {
            let [first, second] = sums.map(|sums| finite(score(sums)));
            std::array::from_fn(|k| first[k].zip(second[k]).map(|(first, second)| first - second))
        };
        let observed = subtract([&first.totals(), &second.totals()]);
        let mut samples = self.draw([first, second], subtract, parallelism)?;
        if first.rows == 1 {
            samples.clear();
        }
        Ok(std::array::from_fn(|k| {
            let sampled = defined(&samples, k, observed[k]);
            Difference {
                difference: observed[k],
                p_value: observed[k].and_then(|observed| p_value(observed, &sampled)),
                higher: sampled.iter().filter(|difference| **difference > 0.0).count(),
                lower: sampled.iter().filter(|difference| **difference < 0.0).count(),
                standard_error: standard_error(&sampled),
                undefined: samples.len() - sampled.len(),
                interval: percentile_interval(sampled, self.confidence),
            }
        }))
    }

    /// Scores of all samples in order; each sample takes the same rows of all `statistics`, which are equally long.
    fn draw<const S: usize, const K: usize>(
        &self,
        statistics: [&Statistics; S],
        score: impl Fn([&[u64]; S]) -> [Option<f64>; K] + Sync,
        parallelism: &Parallelism,
    ) -> Result<Vec<[Option<f64>; K]>> {
        self.validate()?;
        let rows = NonZeroU64::new(statistics[0].rows as u64)
            .ok_or_else(|| Error::from(ErrorKind::Empty("no sentences to resample".to_owned())))?;
        let mut scores = Vec::with_capacity(self.samples.min(1 << 20));
        parallelism.map_ordered(
            self.samples.div_ceil(CHUNK),
            || statistics.map(|statistics| vec![0u64; statistics.width]),
            |sums, chunk| {
                Ok(chunk_range(self.samples, CHUNK, chunk)
                    .map(|sample| {
                        for sums in sums.iter_mut() {
                            sums.fill(0);
                        }
                        let mut generator = Generator::new(self.seed, sample as u64);
                        for _ in 0..rows.get() {
                            let row = generator.below(rows) as usize;
                            for (statistics, sums) in statistics.iter().zip(sums.iter_mut()) {
                                statistics.add_row(row, sums);
                            }
                        }
                        score(std::array::from_fn(|system| sums[system].as_slice()))
                    })
                    .collect::<Vec<_>>())
            },
            |chunk| {
                scores.extend(chunk);
                Ok(())
            },
        )?;
        Ok(scores)
    }
}

/// The values of score `k` in the samples that have one; where all rows together have none, it is defined in no sample.
fn defined<const K: usize>(samples: &[[Option<f64>; K]], k: usize, observed: Option<f64>) -> Vec<f64> {
    samples.iter().filter_map(|sample| observed.and(sample[k])).collect()
}

fn finite<const K: usize>(scores: [Option<f64>; K]) -> [Option<f64>; K] {
    scores.map(|score| score.filter(|value| value.is_finite()))
}

fn standard_error(sampled: &[f64]) -> Option<f64> {
    let divisor = sampled.len().checked_sub(1).filter(|divisor| *divisor > 0)? as f64;
    let mean = sampled.iter().sum::<f64>() / sampled.len() as f64;
    Some((sampled.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / divisor).sqrt())
}

fn percentile_interval(mut sampled: Vec<f64>, confidence: f64) -> Option<Interval> {
    sampled.sort_unstable_by(f64::total_cmp);
    let last = sampled.len().checked_sub(1)?;
    // 1000 samples at 90 % are 49.999… on each side in binary: the small addend makes that 50.
    let cut = ((1.0 - confidence) / 2.0 * sampled.len() as f64 + 1e-9) as usize;
    let cut = cut.min(last / 2);
    Some(Interval { low: sampled[cut], high: sampled[last - cut] })
}

fn p_value(observed: f64, sampled: &[f64]) -> Option<f64> {
    if sampled.is_empty() {
        return None;
    }
    let limit = observed.abs() * (1.0 - ROUNDING);
    let extreme = sampled.iter().filter(|difference| (**difference - observed).abs() >= limit).count();
    Some((extreme + 1) as f64 / (sampled.len() + 1) as f64)
}

#[cfg(test)]
mod tests;
