//! How sure correlation coefficients are, and whether those of two metrics differ: the bootstrap.
//!
//! A sample draws as many groups as there are, with replacement, or the items of the group if there is only one. It is
//! the same for all metrics, so differences are paired. Intervals go from the 2.5 % to the 97.5 % quantile, with linear
//! interpolation. For the differences d_b in the B samples that have one
//!
//! ```text
//! p = min(1, 2 min(1 + #{b : d_b <= 0}, 1 + #{b : d_b >= 0}) / (1 + B))
//! ```
//!
//! (Davison and Hinkley 1997, section 4.4). Coefficients of pairs within groups need only the sums of the counts of the
//! groups; all others are computed from the items of the sample. Sample b is drawn from stream b under the seed, so
//! results are the same under any number of threads.

use std::num::NonZeroU64;

use super::{Coefficient, ItemScores, PairCounts, pearson, ranks};
use crate::error::{Error, ErrorKind, Result};
use crate::numeric::{Generator, Interval};
use crate::parallel::{Parallelism, chunk_range};
use crate::progress::{self, Observer};

/// Samples that a thread draws between two questions whether to stop.
const SAMPLES_PER_CHUNK: usize = 16;

/// Coefficients of metrics with intervals, and how they differ.
#[derive(Debug, Clone, PartialEq)]
pub struct Agreement {
    /// The coefficient of each metric; none where it is not defined.
    pub values: Vec<Option<f64>>,
    /// The interval of each: its quantiles over the samples in which it is defined; none if that are fewer than two, or if there
    /// is one group of one item.
    pub intervals: Vec<Option<Interval>>,
    /// By first and second metric, the first one before the other: interval of the difference, and p.
    pub differences: Vec<Difference>,
}

/// How two metrics differ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// The numbers of the metrics.
    pub metrics: (usize, usize),
    /// The coefficient of the first less that of the second.
    pub difference: Option<f64>,
    /// Its interval.
    pub interval: Option<Interval>,
    /// Twice the smaller share of samples in which the difference has not one sign, each with 1 added to the samples, at
    /// most 1 (Davison and Hinkley 1997, *Bootstrap Methods and their Application*, section 4.4, for both tails); none if
    /// it is defined in no sample.
    pub p_value: Option<f64>,
}

/// Draws groups with replacement, the same for all metrics, or the items of a single group; 95 % intervals. Samples
/// depend on the seed alone, under any number of threads. O(samples × items), but for coefficients of pairs of a single
/// group, or across groups, O(samples × items × log items).
///
/// # Errors
/// `Inconsistent` if metrics have not scored the same items, with the same human scores; `Config` without samples;
/// `Cancelled`.
pub fn bootstrap(
    metrics: &[ItemScores],
    coefficient: Coefficient,
    samples: usize,
    seed: u64,
    parallelism: &Parallelism,
    observer: &dyn Observer,
) -> Result<Agreement> {
    if samples == 0 {
        return Err(Error::config("samples", samples, "1 or more"));
    }
    if metrics.windows(2).any(|pair| pair[0].human != pair[1].human || pair[0].ends != pair[1].ends) {
        return Err(ErrorKind::Inconsistent("metrics have scored other items".to_owned()).into());
    }
    let values: Vec<Option<f64>> = metrics.iter().map(|scores| coefficient.of(scores)).collect();
    let mut drawn: Vec<Vec<Option<f64>>> = vec![Vec::new(); metrics.len()];
    let units = metrics.first().map_or(0, ItemScores::units);
    // A single unit is every sample, which tells nothing.
    if let Some(bound) = NonZeroU64::new(units as u64).filter(|_| units > 1) {
        let of_sample = |sample: usize| -> Vec<Option<f64>> {
            let mut generator = Generator::new(seed, sample as u64);
            let draw: Vec<usize> = (0..units).map(|_| generator.below(bound) as usize).collect();
            metrics.iter().map(|scores| scores.of_sample(coefficient, &draw)).collect()
        };
        observer.started("bootstrap", samples as u64);
        parallelism.map_ordered(
            samples.div_ceil(SAMPLES_PER_CHUNK),
            || (),
            |(), chunk| {
                progress::check(observer)?;
                Ok(chunk_range(samples, SAMPLES_PER_CHUNK, chunk).map(of_sample).collect::<Vec<_>>())
            },
            |chunk| {
                observer.advance(chunk.len() as u64);
                for of_metrics in chunk {
                    drawn.iter_mut().zip(of_metrics).for_each(|(drawn, value)| drawn.push(value));
                }
                Ok(())
            },
        )?;
        observer.finished("");
    }
    let intervals = drawn.iter().map(|drawn| interval(drawn.iter().copied())).collect();
    let pairs = (0..metrics.len()).flat_map(|first| (first + 1..metrics.len()).map(move |second| (first, second)));
    let differences = pairs
        .map(|(first, second)| {
            let differences: Vec<Option<f64>> =
                drawn[first].iter().zip(&drawn[second]).map(|(one, other)| Some((*one)? - (*other)?)).collect();
            Difference {
                metrics: (first, second),
                difference: values[first].zip(values[second]).map(|(one, other)| one - other),
                interval: interval(differences.iter().copied()),
                p_value: p_value(&differences),
            }
        })
        .collect();
    Ok(Agreement { values, intervals, differences })
}

impl ItemScores {
    /// How many samples are drawn from: the groups, or the items of a single group.
    pub fn units(&self) -> usize {
        if self.ends.len() > 1 { self.ends.len() } else { self.len() }
    }

    /// The coefficient of a sample of groups, or of items of the one group.
    fn of_sample(&self, coefficient: Coefficient, draw: &[usize]) -> Option<f64> {
        let by_group = self.ends.len() > 1;
        let gather = |values: &[f64]| -> Vec<f64> {
            let items = |unit: usize| if by_group { self.group(unit) } else { unit..unit + 1 };
            draw.iter().flat_map(|&unit| items(unit)).map(|item| values[item]).collect()
        };
        match coefficient {
            Coefficient::Pearson => pearson(&gather(&self.human), &gather(&self.metric)),
            Coefficient::Spearman => pearson(&ranks(&gather(&self.human)), &ranks(&gather(&self.metric))),
            _ if by_group && !self.across => {
                let pairs = draw.iter().map(|&group| &self.pairs[group]);
                coefficient.of_pairs(&pairs.fold(PairCounts::default(), PairCounts::plus))
            }
            _ => {
                let (human, metric) = (gather(&self.human), gather(&self.metric));
                coefficient.of_pairs(&PairCounts::of(&human, &metric, self.least_difference))
            }
        }
    }
}

/// The quantiles of 2.5 and 97.5 %, between neighbors in proportion.
fn interval(values: impl Iterator<Item = Option<f64>>) -> Option<Interval> {
    let mut values: Vec<f64> = values.flatten().collect();
    if values.len() < 2 {
        return None;
    }
    values.sort_unstable_by(f64::total_cmp);
    let quantile = |share: f64| {
        let place = share * (values.len() - 1) as f64;
        let (low, part) = (place.floor() as usize, place.fract());
        let high = (low + 1).min(values.len() - 1);
        values[low] + part * (values[high] - values[low])
    };
    Some(Interval { low: quantile(0.025), high: quantile(0.975) })
}

fn p_value(differences: &[Option<f64>]) -> Option<f64> {
    let defined: Vec<f64> = differences.iter().copied().flatten().collect();
    if defined.is_empty() {
        return None;
    }
    let share = |wrong: fn(f64) -> bool| {
        (defined.iter().filter(|difference| wrong(**difference)).count() + 1) as f64 / (defined.len() + 1) as f64
    };
    Some((2.0 * share(|difference| difference <= 0.0).min(share(|difference| difference >= 0.0))).min(1.0))
}
