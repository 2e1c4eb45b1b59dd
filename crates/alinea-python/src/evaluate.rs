//! Evaluation of links for Python: `evaluate` scores one hypothesis, `compare` a system beside a baseline by a paired
//! bootstrap test.
//!
//! A gold standard is a list of annotators, each with sure and possible links for the sentences that they annotated.
//! One annotator without a name is a plain gold standard, which has no panel in its signature. Results are tuples of
//! scores, counts, signature and estimates, from which `_evaluation.py` makes objects; scores that are not defined are
//! `None`. Measures are those of `alinea::evaluate` (Och and Ney 2003); `samples = 0` switches the bootstrap off.

use alinea::alignment::Alignment;
use alinea::error::Result;
use alinea::evaluate::{
    Annotations, Comparison, Evaluation, Intervals, Options, References, compare_annotations, evaluate_annotations,
};
use alinea::numeric::{Bootstrap, Difference, Estimate, Interval};
use pyo3::prelude::*;

use crate::annotators::{ReadAnnotation, read};
use crate::arguments::natural;
use crate::error::to_python;
use crate::links::{ReadMany, alignments};
use crate::work::run;

/// Precision, recall, F and AER; the five counts they are made of; the signature; the number of annotations; the interval and
/// the standard error of each score, if they are wanted.
type Judged = ([Option<f64>; 4], [u64; 5], String, usize, Option<[Estimated; 4]>);

/// Both ends of an interval.
type Ends = Option<(f64, f64)>;

/// An interval and a standard error.
type Estimated = (Ends, Option<f64>);

/// A difference, its interval, its standard error and its p-value.
type Different = (Option<f64>, Ends, Option<f64>, Option<f64>);

/// How hypotheses are compared with gold standards.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Judging {
    references: String,
    annotated_only: bool,
    alpha: f64,
    samples: i64,
    confidence: f64,
    seed: u64,
}

impl Judging {
    fn read(self) -> Result<(References, Options)> {
        let Self { references, annotated_only, alpha, samples, confidence, seed } = self;
        let samples = natural("samples", samples, 0, "0 or more")?;
        let bootstrap = (samples > 0).then_some(Bootstrap::new(samples, seed, confidence));
        let options = Options::default().with(|c| {
            c.annotated_only = annotated_only;
            c.alpha = alpha;
            c.bootstrap = bootstrap;
        });
        options.validate()?;
        Ok((references.parse()?, options))
    }
}

/// The gold standard: what one person linked, or several, who have names.
fn gold(annotators: &[ReadAnnotation<'_>]) -> (Result<Annotations>, bool) {
    let alone = matches!(annotators, [(name, _)] if name.is_empty());
    (Annotations::new(read(annotators)), alone)
}

/// Compares hypotheses with a gold standard.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn evaluate<'py>(
    py: Python<'py>,
    annotators: Vec<ReadAnnotation<'py>>,
    hypotheses: ReadMany<'py>,
    judging: Judging,
) -> PyResult<Judged> {
    let (references, options) = judging.read().map_err(to_python)?;
    let ((annotations, alone), hypotheses) = (gold(&annotators), alignments(&hypotheses));
    run(py, move |_| {
        let evaluation = evaluate_annotations(&annotations?, &hypotheses, references, &options)?;
        Ok(judged(evaluation, alone))
    })
}

/// Compares a system with a baseline by a gold standard: both as `evaluate` does, the differences, and whether they are
/// the same.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn compare<'py>(
    py: Python<'py>,
    annotators: Vec<ReadAnnotation<'py>>,
    baseline: ReadMany<'py>,
    system: ReadMany<'py>,
    judging: Judging,
) -> PyResult<(Judged, Judged, [Different; 4], bool)> {
    let (references, options) = judging.read().map_err(to_python)?;
    let (annotations, alone) = gold(&annotators);
    let [baseline, system]: [Vec<Alignment>; 2] = [&baseline, &system].map(alignments);
    run(py, move |_| {
        let compared = compare_annotations(&annotations?, &baseline, &system, references, &options)?;
        let Comparison { baseline, system, differences, identical, .. } = compared;
        let found = [differences.precision, differences.recall, differences.f, differences.aer].map(different);
        Ok((judged(baseline, alone), judged(system, alone), found, identical))
    })
}

fn judged(mut evaluation: Evaluation, alone: bool) -> Judged {
    let annotations = evaluation.panel.map_or(0, |panel| panel.annotations);
    if alone {
        evaluation.panel = None;
    }
    let (scores, counts) = (evaluation.scores, evaluation.counts);
    let intervals = evaluation.intervals.map(|Intervals { precision, recall, f, aer }| {
        [precision, recall, f, aer].map(|Estimate { interval, standard_error, .. }| (ends(interval), standard_error))
    });
    (
        [scores.precision, scores.recall, scores.f, scores.aer],
        [counts.hypothesis, counts.sure, counts.possible, counts.in_sure, counts.in_possible],
        evaluation.signature(),
        annotations,
        intervals,
    )
}

fn different(Difference { difference, interval, standard_error, p_value, .. }: Difference) -> Different {
    (difference, ends(interval), standard_error, p_value)
}

fn ends(interval: Option<Interval>) -> Ends {
    interval.map(|Interval { low, high }| (low, high))
}
