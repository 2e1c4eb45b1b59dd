//! How far scores would move with other segments, and whether two systems differ by more.
//!
//! * **Bootstrap** (Koehn 2004, *Statistical Significance Tests for Machine Translation Evaluation*): segments are drawn with
//!   replacement, as many as there are, and scored; the middle 95 % of such scores are the interval. In the *paired* test
//!   the same are drawn for both systems; p is the share of samples whose difference is above the mean difference of
//!   samples by more than the difference that was measured.
//! * **Approximate randomization** (Riezler and Maxwell 2005, *On Some Pitfalls in Automatic Evaluation and Significance
//!   Testing for MT*): segments change sides by the flip of a coin; p is the share of trials that differ by more than
//!   the systems do.
//!
//! One is added above and below, so that p is never 0. With the same seed all numbers are those of sacreBLEU 2.6 over
//! numpy 2: the same draws, sums and scores in single precision where it has them. Another [`RandomSource`] has other draws.
//! Statistics are counted once, so a sample costs a row of additions for each segment.
//!
//! Two cases are told apart from chance where sacreBLEU calls them significant, since no sample exceeds what was measured:
//! systems that no sample tells apart, because the statistics of all segments are equal or because all scores are, have
//! p = 1; and of one segment there is no p, as it cannot be resampled. [`Tested::sacrebleu_p_value`] is p without that.

mod draws;

use self::draws::Draws;
pub use self::draws::RandomSource;
use super::{Metric, Statistics};
use crate::error::{Error, ErrorKind, Result};
use crate::parallel::{Parallelism, chunk_range};
use crate::progress::{Observer, check as check_stop};

/// Samples or trials drawn before they are added up; a multiple of 32.
const SAMPLES_PER_BATCH: usize = 64;

/// Numbers that are added together.
const LANES: usize = 8;

/// How many samples or trials there are, and what draws them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resampling {
    /// Samples or trials, from 1 to a million.
    pub samples: usize,
    /// The seed; sacreBLEU's is 12345.
    pub seed: u64,
    /// What draws them.
    pub source: RandomSource,
}

alinea_text::configurable!(Resampling);

impl Resampling {
    /// As many samples, with the default seed, drawn as sacreBLEU draws them.
    pub fn new(samples: usize) -> Self {
        Self { samples, seed: 12345, source: RandomSource::Numpy }
    }

    /// The same, drawn by another source or with another seed.
    #[must_use]
    pub fn drawn_by(self, source: RandomSource, seed: u64) -> Self {
        Self { seed, source, ..self }
    }

    /// What the signature of a test says of the seed and of the generator.
    pub fn signature(self) -> Vec<(&'static str, &'static str, String)> {
        let generator = self.source.field().map(|name| ("rng", "rng", name.to_owned()));
        [("seed", "rs", self.seed.to_string())].into_iter().chain(generator).collect()
    }

    fn draws(self) -> Draws {
        Draws::new(self.source, self.seed)
    }

    /// Checks the number of samples.
    ///
    /// # Errors
    /// `Config` if it is 0 or above a million.
    pub fn validate(self) -> Result<()> {
        if (1..=1_000_000).contains(&self.samples) {
            return Ok(());
        }
        Err(Error::config("number of samples", self.samples, "1 to 1000000"))
    }
}

/// Where 95 % of resampled scores are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Confidence {
    /// The mean of all samples.
    pub mean: f64,
    /// Half the distance between the ends of the interval.
    pub half_width: f64,
}

impl Confidence {
    /// Of scores of samples; at least one.
    fn of(metric: &dyn Metric, mut scores: Vec<f64>) -> Self {
        let precision = Precision::of(metric, &scores);
        scores.sort_by(f64::total_cmp);
        let cut = scores.len() / 40;
        let half_width = 0.5 * precision.round(scores[scores.len() - 1 - cut] - scores[cut]);
        Self { mean: precision.mean(&scores), half_width }
    }
}

/// What numbers are rounded to that are computed from scores of samples.
///
/// An operation on two numbers of single precision, done in double precision and rounded, is that in single precision.
#[derive(Debug, Clone, Copy)]
enum Precision {
    Single,
    Double,
}

impl Precision {
    /// Of these scores.
    fn of(metric: &dyn Metric, scores: &[f64]) -> Self {
        if scores.iter().all(|&score| metric.has_in_single(score)) { Self::Single } else { Self::Double }
    }

    /// Of what is computed from two kinds of numbers.
    fn join(self, other: Self) -> Self {
        if matches!((self, other), (Self::Single, Self::Single)) { Self::Single } else { Self::Double }
    }

    fn round(self, value: f64) -> f64 {
        match self {
            Self::Single => f64::from(value as f32),
            Self::Double => value,
        }
    }

    fn mean(self, values: &[f64]) -> f64 {
        self.round(self.sum(values) / values.len() as f64)
    }

    /// The sum in the order in which numpy adds, for the same rounding: in eight columns, and long rows in halves.
    fn sum(self, values: &[f64]) -> f64 {
        let add = |sum: f64, value: &f64| self.round(sum + value);
        if values.len() < LANES {
            return values.iter().fold(0.0, add);
        }
        if values.len() > 128 {
            let half = values.len() / 2 / LANES * LANES;
            let (first, second) = values.split_at(half);
            return self.round(self.sum(first) + self.sum(second));
        }
        let (eights, rest) = values.as_chunks::<LANES>();
        let mut r = eights[0];
        for eight in &eights[1..] {
            r.iter_mut().zip(eight).for_each(|(sum, value)| *sum = add(*sum, value));
        }
        let [a, b] = [[r[0], r[1], r[2], r[3]], [r[4], r[5], r[6], r[7]]]
            .map(|[w, x, y, z]| self.round(self.round(w + x) + self.round(y + z)));
        rest.iter().fold(self.round(a + b), add)
    }
}

/// What a test says of a system.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tested {
    /// The score of all segments.
    pub score: f64,
    /// The interval, where one was asked for.
    pub confidence: Option<Confidence>,
    /// p of the difference to the first system, the baseline; 1 if the two do not differ in any sample. None for the baseline
    /// itself, and where there is one segment.
    pub p_value: Option<f64>,
    /// p as sacreBLEU has it: the least there can be for systems that no sample tells apart, and for one segment.
    pub sacrebleu_p_value: Option<f64>,
    /// Whether the statistics of each segment are those of the baseline; not said of the baseline itself.
    pub identical: bool,
}

impl Tested {
    /// A score without interval and test.
    pub fn untested(score: f64) -> Self {
        Self { score, confidence: None, p_value: None, sacrebleu_p_value: None, identical: false }
    }

    /// With the test of a system against a baseline, by what was drawn and what was measured.
    fn against(self, [system, baseline]: [&Statistics; 2], drawn: impl Iterator<Item = f64>, measured: f64) -> Self {
        let (mut samples, mut above) = (0usize, 0usize);
        for difference in drawn {
            samples += 1;
            above += usize::from(difference > measured);
        }
        let p_value = (above + 1) as f64 / (samples + 1) as f64;
        let told_apart = above > 0 || measured > 0.0;
        Self {
            p_value: (system.len() > 1).then_some(if told_apart { p_value } else { 1.0 }),
            sacrebleu_p_value: Some(p_value),
            identical: system == baseline,
            ..self
        }
    }
}

/// Intervals by the bootstrap, one for each system, all from the same draws.
///
/// # Errors
/// `Config`; `Empty` without segments; `Inconsistent` if systems have different numbers of segments; `Cancelled` if the
/// observer says so.
pub fn bootstrap(
    metric: &dyn Metric,
    systems: &[Statistics],
    resampling: Resampling,
    parallelism: &Parallelism,
    observer: &dyn Observer,
) -> Result<Vec<Confidence>> {
    let samples = bootstrap_scores(metric, systems, resampling, parallelism, observer)?;
    Ok(samples.into_iter().map(|samples| Confidence::of(metric, samples)).collect())
}

/// The scores of the samples themselves, in the order of the draws, for each system.
///
/// # Errors
/// As [`bootstrap`].
pub fn bootstrap_scores(
    metric: &dyn Metric,
    systems: &[Statistics],
    resampling: Resampling,
    parallelism: &Parallelism,
    observer: &dyn Observer,
) -> Result<Vec<Vec<f64>>> {
    let mut draws = check(systems, resampling)?;
    resample(metric, systems, resampling.samples, &mut draws, parallelism, observer)
}

/// The paired bootstrap of all systems against the first.
///
/// # Errors
/// As [`bootstrap`].
pub fn paired_bootstrap(
    metric: &dyn Metric,
    systems: &[Statistics],
    resampling: Resampling,
    parallelism: &Parallelism,
    observer: &dyn Observer,
) -> Result<Vec<Tested>> {
    let samples = bootstrap_scores(metric, systems, resampling, parallelism, observer)?;
    let scores: Vec<f64> = systems.iter().map(|system| metric.score(&system.sums())).collect();
    let of_baseline = Precision::of(metric, &samples[0]);
    let tested = samples.iter().enumerate().map(|(system, of_system)| {
        let confidence = Some(Confidence::of(metric, of_system.clone()));
        let tested = Tested { confidence, ..Tested::untested(scores[system]) };
        if system == 0 {
            return tested;
        }
        let precision = of_baseline.join(Precision::of(metric, of_system));
        let pairs = of_system.iter().zip(&samples[0]);
        let differences: Vec<f64> = pairs.map(|(score, baseline)| precision.round(score - baseline).abs()).collect();
        let center = precision.mean(&differences);
        let centered = differences.iter().map(|difference| precision.round(difference - center));
        let measured = precision.round((scores[0] - scores[system]).abs());
        tested.against([&systems[system], &systems[0]], centered, measured)
    });
    Ok(tested.collect())
}

/// Approximate randomization of all systems against the first, with intervals by the bootstrap if `confidence` says of how
/// many samples.
///
/// # Errors
/// As [`bootstrap`].
pub fn paired_randomization(
    metric: &dyn Metric,
    systems: &[Statistics],
    resampling: Resampling,
    confidence: Option<usize>,
    parallelism: &Parallelism,
    observer: &dyn Observer,
) -> Result<Vec<Tested>> {
    let mut draws = check(systems, resampling)?;
    let scores: Vec<f64> = systems.iter().map(|system| metric.score(&system.sums())).collect();
    let measured: Vec<f64> = scores.iter().map(|score| (scores[0] - score).abs()).collect();
    let shuffled = randomize(metric, systems, resampling.samples, &mut draws, parallelism, observer)?;
    let mut intervals = vec![None; systems.len()];
    if let Some(samples) = confidence {
        Resampling { samples, ..resampling }.validate()?;
        // Of numpy's numbers the baseline has the first ones, the others those that follow the coins.
        let mut first = resampling.draws();
        let of_baseline = resample(metric, &systems[..1], samples, &mut first, parallelism, observer)?;
        let of_others = resample(metric, &systems[1..], samples, &mut draws, parallelism, observer)?;
        for (interval, samples) in intervals.iter_mut().zip(of_baseline.into_iter().chain(of_others)) {
            *interval = Some(Confidence::of(metric, samples));
        }
    }
    let tested = (0..systems.len()).map(|system| {
        let tested = Tested { confidence: intervals[system], ..Tested::untested(scores[system]) };
        if system == 0 {
            return tested;
        }
        tested.against([&systems[system], &systems[0]], shuffled[system - 1].iter().copied(), measured[system])
    });
    Ok(tested.collect())
}

fn check(systems: &[Statistics], resampling: Resampling) -> Result<Draws> {
    resampling.validate()?;
    let first = systems.first().filter(|system| !system.is_empty());
    let Some(first) = first else { return Err(ErrorKind::Empty("no segments to draw from".to_owned()).into()) };
    if let Some(other) = systems.iter().find(|system| system.len() != first.len()) {
        let message = format!("unequal lengths: one system has {} segments, another {}", first.len(), other.len());
        return Err(ErrorKind::Inconsistent(message).into());
    }
    Ok(resampling.draws())
}

/// The scores of samples of all systems. O(samples * segments * width).
fn resample(
    metric: &dyn Metric,
    systems: &[Statistics],
    samples: usize,
    draws: &mut Draws,
    parallelism: &Parallelism,
    observer: &dyn Observer,
) -> Result<Vec<Vec<f64>>> {
    let rows: Vec<Rows> = systems.iter().map(Rows::new).collect();
    let mut scores = vec![Vec::with_capacity(samples); systems.len()];
    let Some(segments) = systems.first().map(Statistics::len) else { return Ok(scores) };
    let mut drawn = Vec::new();
    for batch in (0..samples).step_by(SAMPLES_PER_BATCH) {
        let count = SAMPLES_PER_BATCH.min(samples - batch);
        draws.samples(&mut drawn, count, segments);
        parallelism.map_ordered(
            count,
            || (),
            |(), sample| {
                let drawn = &drawn[chunk_range(drawn.len(), segments, sample)];
                Ok(rows.iter().map(|rows| metric.score_of_resample(&rows.sums(drawn))).collect::<Vec<_>>())
            },
            |sample| {
                check_stop(observer)?;
                scores.iter_mut().zip(sample).for_each(|(scores, score)| scores.push(score));
                Ok(())
            },
        )?;
    }
    Ok(scores)
}

/// Statistics in single precision, rows padded to whole lanes.
struct Rows {
    width: usize,
    /// Numbers at the end of a row of which those of the last row drawn stand for all.
    of_last: usize,
    lanes: usize,
    values: Vec<[f32; LANES]>,
}

impl Rows {
    fn new(statistics: &Statistics) -> Self {
        let lanes = statistics.width().div_ceil(LANES);
        let mut values = vec![[0.0; LANES]; statistics.len() * lanes];
        for (row, padded) in statistics.rows().zip(values.as_flattened_mut().chunks_exact_mut(lanes * LANES)) {
            padded.iter_mut().zip(row).for_each(|(padded, &value)| *padded = value as f32);
        }
        Self { width: statistics.width(), of_last: statistics.of_last(), lanes, values }
    }

    /// The sums of some rows, added in their order.
    fn sums(&self, drawn: &[u32]) -> Vec<f32> {
        let mut sums = match self.lanes {
            1 => self.add::<1>(drawn),
            2 => self.add::<2>(drawn),
            3 => self.add::<3>(drawn),
            4 => self.add::<4>(drawn),
            _ => self.add_wide(drawn),
        };
        sums.truncate(self.width);
        if let Some(&last) = drawn.last() {
            let row = &self.values.as_flattened()[last as usize * self.lanes * LANES..][..self.width];
            let added = self.width - self.of_last;
            sums[added..].copy_from_slice(&row[added..]);
        }
        sums
    }

    fn add<const N: usize>(&self, drawn: &[u32]) -> Vec<f32> {
        let (rows, _) = self.values.as_chunks::<N>();
        let mut sums = [[0.0f32; LANES]; N];
        for &row in drawn {
            for (sums, values) in sums.iter_mut().zip(&rows[row as usize]) {
                for (sum, value) in sums.iter_mut().zip(values) {
                    *sum += value;
                }
            }
        }
        sums.as_flattened().to_vec()
    }

    fn add_wide(&self, drawn: &[u32]) -> Vec<f32> {
        let mut sums = vec![0.0f32; self.lanes * LANES];
        for &row in drawn {
            let values = &self.values[row as usize * self.lanes..][..self.lanes];
            sums.iter_mut().zip(values.as_flattened()).for_each(|(sum, value)| *sum += value);
        }
        sums
    }
}

/// For each system but the first, how far the sides are apart in each trial.
fn randomize(
    metric: &dyn Metric,
    systems: &[Statistics],
    trials: usize,
    draws: &mut Draws,
    parallelism: &Parallelism,
    observer: &dyn Observer,
) -> Result<Vec<Vec<f64>>> {
    let segments = systems[0].len();
    let mut differences = vec![Vec::with_capacity(trials); systems.len() - 1];
    let mut coins = Vec::new();
    for batch in (0..trials).step_by(SAMPLES_PER_BATCH) {
        let count = SAMPLES_PER_BATCH.min(trials - batch);
        draws.coins(&mut coins, count, segments);
        parallelism.map_ordered(
            count,
            || (),
            |(), trial| {
                let coins = &coins[chunk_range(coins.len(), segments, trial)];
                let apart = systems[1..].iter().map(|system| {
                    let [one, other] = exchange(&systems[0], system, coins);
                    (metric.score(&one) - metric.score(&other)).abs()
                });
                Ok(apart.collect::<Vec<_>>())
            },
            |apart| {
                check_stop(observer)?;
                differences.iter_mut().zip(apart).for_each(|(differences, apart)| differences.push(apart));
                Ok(())
            },
        )?;
    }
    Ok(differences)
}

/// The sums of both sides: the first has rows of the baseline where the coin says so, the second the others.
fn exchange(baseline: &Statistics, system: &Statistics, coins: &[bool]) -> [Vec<f64>; 2] {
    let mut sums = [vec![0.0; baseline.width()], vec![0.0; baseline.width()]];
    for ((ours, theirs), &coin) in baseline.rows().zip(system.rows()).zip(coins) {
        let rows = if coin { [ours, theirs] } else { [theirs, ours] };
        for (sums, row) in sums.iter_mut().zip(rows) {
            baseline.add(sums, row);
        }
    }
    sums
}
