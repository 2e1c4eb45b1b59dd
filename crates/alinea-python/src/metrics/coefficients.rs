//! Correlation of metrics with human scores, for Python: one coefficient, or several metrics with bootstrap tests.
//!
//! Scores are flat arrays; `Pairs` says where groups end, whether pairs across groups count, and from which human
//! difference on a pair counts. Results are tuples, `None` where a coefficient is not defined. Williams' test is added
//! for Pearson's r alone, since it is a test of that coefficient. Definitions and sources are in
//! `alinea::metric::correlation`.

use alinea::metric::correlation::{Coefficient, ItemScores, bootstrap, williams};
use alinea::numeric::Interval;
use alinea::parallel::Parallelism;
use pyo3::prelude::*;

use crate::arguments::{self, natural};
use crate::error::to_python;
use crate::work::run;

/// Which pairs of items count.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Pairs {
    /// Where groups end.
    ends: Vec<usize>,
    /// Whether pairs across groups count.
    across: bool,
    /// From where on people see a difference.
    least_difference: f64,
}

/// The numbers of two metrics; their difference, its interval, and p; and t and p of Williams' test.
type Difference = ((usize, usize), Option<f64>, Option<(f64, f64)>, Option<f64>, Option<(f64, f64)>);

/// The coefficient of each metric, its interval, and the differences.
type Agreement = (Vec<Option<f64>>, Vec<Option<(f64, f64)>>, Vec<Difference>);

fn scores(human: &[f64], metric: Vec<f64>, pairs: &Pairs) -> alinea::error::Result<ItemScores> {
    let Pairs { ends, across, least_difference } = pairs;
    let scores = ItemScores::with_least_difference(human.to_vec(), metric, ends.clone(), *least_difference)?;
    Ok(if *across { scores.across_groups() } else { scores })
}

/// A coefficient; none where it is not defined.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn correlation(
    py: Python<'_>,
    human: Vec<f64>,
    metric: Vec<f64>,
    pairs: Pairs,
    coefficient: &str,
) -> PyResult<Option<f64>> {
    let coefficient: Coefficient = coefficient.parse().map_err(to_python)?;
    run(py, |_| Ok(coefficient.of(&scores(&human, metric, &pairs)?)))
}

/// A coefficient of several metrics, with intervals and differences.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are the arguments of the Python function")]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn correlate(
    py: Python<'_>,
    human: Vec<f64>,
    metrics: Vec<Vec<f64>>,
    pairs: Pairs,
    coefficient: &str,
    samples: i64,
    seed: u64,
    threads: i64,
) -> PyResult<Agreement> {
    let coefficient: Coefficient = coefficient.parse().map_err(to_python)?;
    let samples = natural("samples", samples, 1, "1 or more").map_err(to_python)?;
    let threads = arguments::threads(threads).map_err(to_python)?;
    run(py, |observer| {
        let scores = metrics.into_iter().map(|metric| scores(&human, metric, &pairs));
        let scores = scores.collect::<alinea::error::Result<Vec<_>>>()?;
        let found = bootstrap(&scores, coefficient, samples, seed, &Parallelism::new(threads)?, observer)?;
        let ends = |interval: Option<Interval>| interval.map(|Interval { low, high }| (low, high));
        let differences = found.differences.into_iter().map(|difference| {
            let (first, second) = difference.metrics;
            let tested = williams(&scores[first], &scores[second]).filter(|_| coefficient == Coefficient::Pearson);
            let tested = tested.map(|tested| (tested.t, tested.p_value));
            (difference.metrics, difference.difference, ends(difference.interval), difference.p_value, tested)
        });
        Ok((found.values, found.intervals.into_iter().map(ends).collect(), differences.collect()))
    })
}
