//! Sentences by their lengths.

use alinea::sentence_align::{GaleChurchConfig, Priors, SentenceAligner};
use pyo3::prelude::*;

use crate::work::run;

/// Groups of sentences: where each begins and ends in the source, and in the target. Priors are those of 1-0, 0-1, 1-1,
/// 2-1, 1-2 and 2-2.
#[pyfunction]
pub(crate) fn align_lengths(
    py: Python<'_>,
    source: Vec<u32>,
    target: Vec<u32>,
    ratio: f64,
    variance: f64,
    priors: [f64; 6],
) -> PyResult<Vec<(usize, usize, usize, usize)>> {
    let [one_zero, zero_one, one_one, two_one, one_two, two_two] = priors;
    let priors = Priors::up_to(2).with(|c| {
        (c.one_zero, c.zero_one, c.one_one) = (one_zero, zero_one, one_one);
        (c.two_one, c.one_two, c.two_two) = (two_one, one_two, two_two);
    });
    let beads = run(py, move |observer| {
        SentenceAligner::new(GaleChurchConfig::default().with(|c| {
            c.ratio = ratio;
            c.variance = variance;
            c.priors = priors;
        }))?
        .align(&source, &target, observer)
    })?;
    Ok(beads.iter().map(|bead| (bead.source.start, bead.source.end, bead.target.start, bead.target.end)).collect())
}
