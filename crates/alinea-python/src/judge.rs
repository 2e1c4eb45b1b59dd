//! Breakdowns of alignment scores, and gains over a baseline.
//!
//! `breakdown` sorts the links of a hypothesis and of the gold standard into buckets by an attribute: fertility if
//! nothing is given, the distance from the diagonal if the lengths of sentences are, and otherwise a tag or a frequency
//! for each word of one side. Each bucket has its scores and the counts behind them. `gains` compares a system with a
//! baseline: absolute and relative gains in precision, recall, F and AER, with bootstrap intervals over sentences.

use alinea::alignment::Alignment;
use alinea::bitext::Side;
use alinea::evaluate::{
    Annotations, Attribute, GainEstimate, Options, PairLengths, References, breakdown as break_down,
    evaluate_annotations, gains as gains_of,
};
use alinea::numeric::Estimate;
use pyo3::prelude::*;

use crate::annotators::{ReadAnnotation, read};
use crate::arguments::Sampling;
use crate::error::to_python;
use crate::links::{ReadMany, alignments};
use crate::work::run;

/// What links are sorted by: the lengths of sentences, or a tag or number for each word of one side.
#[derive(FromPyObject)]
pub(crate) enum ReadAttribute {
    #[pyo3(transparent)]
    Lengths(Vec<(usize, usize)>),
    #[pyo3(transparent)]
    Frequencies(Vec<Vec<u64>>),
    #[pyo3(transparent)]
    Tags(Vec<Vec<String>>),
}

/// A bucket: its label; precision, recall, F and AER; the five counts that they are made of.
type ReadBucket = (String, [Option<f64>; 4], [u64; 5]);

fn side(target: bool) -> Side {
    if target { Side::Target } else { Side::Source }
}

/// The scores of a hypothesis by buckets of links; by fertility if nothing is given.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    reason = "PyO3 makes arguments by value, Python has names for them"
)]
pub(crate) fn breakdown<'py>(
    py: Python<'py>,
    annotators: Vec<ReadAnnotation<'py>>,
    hypotheses: ReadMany<'py>,
    attribute: Option<ReadAttribute>,
    of_target: bool,
    references: &str,
    annotated_only: bool,
    alpha: f64,
) -> PyResult<Vec<ReadBucket>> {
    let references: References = references.parse().map_err(to_python)?;
    let (annotators, hypotheses) = (read(&annotators), alignments(&hypotheses));
    let options = Options::default().with(|c| {
        c.annotated_only = annotated_only;
        c.alpha = alpha;
        c.bootstrap = None;
    });
    let found = run(py, move |_| {
        let attribute = match attribute {
            None => Attribute::fertility(side(of_target)),
            Some(ReadAttribute::Frequencies(numbers)) => Attribute::frequency(side(of_target), &numbers),
            Some(ReadAttribute::Tags(tags)) => Attribute::tags(side(of_target), &tags),
            Some(ReadAttribute::Lengths(lengths)) => {
                let lengths = lengths.into_iter().map(|(source, target)| PairLengths::new(source, target));
                Attribute::distance(lengths.collect())
            }
        };
        let annotations = Annotations::new(annotators)?;
        let instances = annotations.instances(&hypotheses, references, &options)?;
        break_down(&attribute, &instances, &hypotheses, &options)
    })?;
    let buckets = found.buckets.into_iter().map(|bucket| {
        let (scores, counts) = (bucket.scores, bucket.counts);
        let counts = [counts.hypothesis, counts.sure, counts.possible, counts.in_sure, counts.in_possible];
        (bucket.label, [scores.precision, scores.recall, scores.f, scores.aer], counts)
    });
    Ok(buckets.collect())
}

/// A number with its interval.
type Estimated = (Option<f64>, Option<(f64, f64)>);

/// The absolute and the relative gain in precision, recall, F and AER.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    reason = "PyO3 makes arguments by value, Python has names for them"
)]
pub(crate) fn gains<'py>(
    py: Python<'py>,
    annotators: Vec<ReadAnnotation<'py>>,
    baseline: ReadMany<'py>,
    system: ReadMany<'py>,
    references: &str,
    annotated_only: bool,
    alpha: f64,
    bootstrap: Sampling,
) -> PyResult<(usize, Vec<[Estimated; 2]>)> {
    let references: References = references.parse().map_err(to_python)?;
    let (annotators, baseline, system) = (read(&annotators), alignments(&baseline), alignments(&system));
    let options = Options::default().with(|c| {
        c.annotated_only = annotated_only;
        c.alpha = alpha;
        c.bootstrap = None;
    });
    let bootstrap = bootstrap.read().map_err(to_python)?;
    let sentences = baseline.len();
    let found = run(py, move |_| {
        let annotations = Annotations::new(annotators)?;
        let judge = |links: &[Alignment]| evaluate_annotations(&annotations, links, references, &options);
        gains_of(&judge(&baseline)?.sentences, &judge(&system)?.sentences, alpha, &bootstrap)
    })?;
    let estimated = |estimate: Estimate| -> Estimated {
        (estimate.value, estimate.interval.map(|interval| (interval.low, interval.high)))
    };
    let both = |gain: GainEstimate| [estimated(gain.absolute), estimated(gain.relative)];
    Ok((sentences, [found.precision, found.recall, found.f, found.aer].map(both).into()))
}
