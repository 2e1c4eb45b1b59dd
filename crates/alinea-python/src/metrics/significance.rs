//! Intervals and tests of metric scores, by resampling the statistics of segments.
//!
//! The statistics of a system are an array with a row for each segment. A sample sums up rows, and the metric scores
//! the sum, so that no segment is counted again. Draws are those of numpy or of the library's generator, with a seed,
//! and do not depend on the number of threads.
//!
//! `bootstrap_scores` returns the scores of all samples, `bootstrap` an interval for each system, as its mean and half
//! its width. `paired_bootstrap` and `paired_randomization` test every system against the first, and return p also as
//! sacreBLEU computes it, and whether a system is identical with the first. `alinea::metric::significance` defines the
//! tests.

use alinea::metric::Statistics;
use alinea::metric::significance::{self, Resampling, Tested};
use alinea::parallel::Parallelism;
use pyo3::prelude::*;

use super::bound_metric::{BoundMetric, Rows};
use crate::arguments::{self, natural};
use crate::error::to_python;
use crate::work::run;

/// Mean and half the width of an interval.
type Interval = (f64, f64);

/// The score of a system, its interval, p of the difference to the first one, p as sacreBLEU has it, and whether the two
/// are identical.
type Test = (f64, Option<Interval>, Option<f64>, Option<f64>, bool);

/// The rows of all systems, the draws, and the number of threads.
struct Draws {
    systems: Vec<Statistics>,
    resampling: Resampling,
    threads: usize,
}

impl Draws {
    fn new(
        metric: &BoundMetric,
        systems: &[Rows<'_>],
        samples: i64,
        seed: u64,
        generator: &str,
        threads: i64,
    ) -> PyResult<Self> {
        let source = generator.parse().map_err(to_python)?;
        let samples = number(samples)?;
        Ok(Self {
            systems: systems.iter().map(|rows| metric.statistics(rows)).collect::<PyResult<_>>()?,
            resampling: Resampling::new(samples).drawn_by(source, seed),
            threads: arguments::threads(threads).map_err(to_python)?,
        })
    }
}

fn number(samples: i64) -> PyResult<usize> {
    natural("number of samples", samples, 1, "1 to 1000000").map_err(to_python)
}

fn tests(tested: Vec<Tested>) -> Vec<Test> {
    let test = |tested: Tested| {
        let interval = tested.confidence.map(|interval| (interval.mean, interval.half_width));
        (tested.score, interval, tested.p_value, tested.sacrebleu_p_value, tested.identical)
    };
    tested.into_iter().map(test).collect()
}

/// The scores of all samples, for each system.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn bootstrap_scores(
    metric: &Bound<'_, BoundMetric>,
    systems: Vec<Rows<'_>>,
    samples: i64,
    seed: u64,
    generator: &str,
    threads: i64,
) -> PyResult<Vec<Vec<f64>>> {
    let native = metric.get();
    let draws = Draws::new(native, &systems, samples, seed, generator, threads)?;
    run(metric.py(), move |observer| {
        let parallelism = Parallelism::new(draws.threads)?;
        significance::bootstrap_scores(native.metric(), &draws.systems, draws.resampling, &parallelism, observer)
    })
}

/// An interval for each system.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn bootstrap(
    metric: &Bound<'_, BoundMetric>,
    systems: Vec<Rows<'_>>,
    samples: i64,
    seed: u64,
    generator: &str,
    threads: i64,
) -> PyResult<Vec<Interval>> {
    let native = metric.get();
    let draws = Draws::new(native, &systems, samples, seed, generator, threads)?;
    let intervals = run(metric.py(), move |observer| {
        let parallelism = Parallelism::new(draws.threads)?;
        significance::bootstrap(native.metric(), &draws.systems, draws.resampling, &parallelism, observer)
    })?;
    Ok(intervals.into_iter().map(|interval| (interval.mean, interval.half_width)).collect())
}

/// All systems against the first by the paired bootstrap.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn paired_bootstrap(
    metric: &Bound<'_, BoundMetric>,
    systems: Vec<Rows<'_>>,
    samples: i64,
    seed: u64,
    generator: &str,
    threads: i64,
) -> PyResult<Vec<Test>> {
    let native = metric.get();
    let draws = Draws::new(native, &systems, samples, seed, generator, threads)?;
    let tested = run(metric.py(), move |observer| {
        let parallelism = Parallelism::new(draws.threads)?;
        significance::paired_bootstrap(native.metric(), &draws.systems, draws.resampling, &parallelism, observer)
    })?;
    Ok(tests(tested))
}

/// All systems against the first by approximate randomization, perhaps with intervals of so many samples.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn paired_randomization(
    metric: &Bound<'_, BoundMetric>,
    systems: Vec<Rows<'_>>,
    trials: i64,
    seed: u64,
    generator: &str,
    confidence: Option<i64>,
    threads: i64,
) -> PyResult<Vec<Test>> {
    let native = metric.get();
    let draws = Draws::new(native, &systems, trials, seed, generator, threads)?;
    let confidence = confidence.map(number).transpose()?;
    let tested = run(metric.py(), move |observer| {
        let parallelism = Parallelism::new(draws.threads)?;
        significance::paired_randomization(
            native.metric(),
            &draws.systems,
            draws.resampling,
            confidence,
            &parallelism,
            observer,
        )
    })?;
    Ok(tests(tested))
}
