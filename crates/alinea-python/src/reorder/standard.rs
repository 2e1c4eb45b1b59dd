//! Scores of predicted orders against a gold standard: the class `GoldStandard`.
//!
//! The right orders come from links or from column 7 of a corpus, and are those of the words with links. `evaluate`
//! judges a run, which is orders or a file, beside the source as it stands. It returns for both the scores of the text,
//! those of each sentence (NaN where a score is not defined), and with a bootstrap their intervals and standard errors;
//! and the differences between the two, with p-values of the paired bootstrap. Runs that lack words are errors, unless
//! `incomplete` allows them.

use std::path::PathBuf;

use alinea::error::Result;
use alinea::format::rsmt::Missing;
use alinea::numeric::{Bootstrap, Difference, Estimate, Interval};
use alinea::parallel::Parallelism;
use alinea::reorder::engine::Layer;
use alinea::reorder::standard::{self, GoldSentence};
use alinea::reorder::{Incomparable, Key, Score, Sentence, SentenceCounts, scores};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use super::corpus::TaskCorpus;
use super::orders::{ReadOrders, examples_of_links, orders};
use super::source::ReorderSource;
use crate::arguments::{self, Sampling};
use crate::error::to_python;
use crate::links::{ReadMany, alignments};
use crate::text::file;
use crate::work::run;

/// The names of all scores, each with whether better orders have higher ones.
#[pyfunction]
pub(crate) fn order_scores() -> Vec<(&'static str, bool)> {
    Score::ALL.iter().map(|score| (score.name(), score.higher_is_better())).collect()
}

/// The right orders of a text.
#[pyclass(frozen, name = "GoldStandard", module = "alinea._native")]
#[derive(Debug)]
pub(crate) struct GoldStandard(pub(super) standard::GoldStandard);

/// A run: orders, or a file of them.
#[derive(FromPyObject)]
pub(crate) enum ReadRun<'py> {
    #[pyo3(transparent)]
    Orders(ReadOrders<'py>),
    #[pyo3(transparent)]
    File(PathBuf),
}

/// A value with its interval and standard error.
type Estimated = (Option<f64>, Option<(f64, f64)>, Option<f64>);

/// All scores of a text: how many sentences have ranks, the scores, those of each sentence (none is not a number), and the
/// scores with intervals, if these were asked for.
type Judged<'py> = (u64, Vec<Option<f64>>, Bound<'py, PyArray2<f64>>, Vec<Estimated>);

/// A run beside the source as it stands: what both reach, and the differences with p-values.
type Evaluated<'py> = (Judged<'py>, Judged<'py>, Vec<(Estimated, Option<f64>)>);

/// What is counted of an order of each sentence, and what follows for the text.
struct Counted {
    counts: Vec<SentenceCounts>,
    estimates: Option<[Estimate; scores::SCORES]>,
}

impl Counted {
    fn new(
        gold: &standard::GoldStandard,
        orders: &[Vec<u32>],
        bootstrap: Option<&Bootstrap>,
        parallelism: &Parallelism,
    ) -> Result<Self> {
        let counts = gold.judge(orders, parallelism)?;
        let estimate = |bootstrap: &Bootstrap| scores::estimate(&counts, bootstrap, parallelism);
        let estimates = bootstrap.filter(|_| !counts.is_empty()).map(estimate).transpose()?;
        Ok(Self { counts, estimates })
    }

    fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Judged<'py>> {
        let total: SentenceCounts = self.counts.iter().sum();
        let each = self.counts.iter().flat_map(|counts| counts.scores().map(|score| score.unwrap_or(f64::NAN)));
        let each = PyArray1::from_iter(py, each).reshape([self.counts.len(), scores::SCORES])?;
        let estimates = self.estimates.iter().flatten();
        let estimates = estimates.map(|estimate| (estimate.value, ends(estimate.interval), estimate.standard_error));
        Ok((total.ranked(), total.scores().to_vec(), each, estimates.collect()))
    }
}

fn ends(interval: Option<Interval>) -> Option<(f64, f64)> {
    interval.map(|interval| (interval.low, interval.high))
}

#[pymethods]
impl GoldStandard {
    /// The orders that links tell.
    #[staticmethod]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
    fn of_links(source: &ReorderSource, links: ReadMany<'_>, key: &str, incomparable: &str) -> PyResult<Self> {
        let key: Key = key.parse().map_err(to_python)?;
        let incomparable: Incomparable = incomparable.parse().map_err(to_python)?;
        let links = alignments(&links);
        // Refuses links out of their sentences.
        examples_of_links(&source.0, links.clone()).map_err(to_python)?;
        let words = |sentence: &Sentence| sentence.layer(Layer::Words).unwrap_or_default().to_vec();
        let sentences = source.0.iter().map(words).zip(links);
        Ok(Self(standard::GoldStandard::of_links("source", sentences, key, incomparable)))
    }

    /// The orders that column 7 of a corpus tells.
    #[staticmethod]
    fn of_corpus(corpus: &TaskCorpus) -> PyResult<Self> {
        standard::GoldStandard::of_corpus("the corpus", corpus.0.clone()).map(Self).map_err(to_python)
    }

    fn __len__(&self) -> usize {
        self.0.lengths().len()
    }

    /// The numbers, from 0, of the sentences that have an order.
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_iter(py, self.0.sentences().iter().map(|sentence| GoldSentence::number(sentence) as i64))
    }

    /// The number of sentences in which a word is linked around another.
    #[getter]
    fn incomparable(&self) -> usize {
        self.0.incomparable()
    }

    /// Judges a run beside the source as it stands.
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        run: ReadRun<'py>,
        incomplete: bool,
        bootstrap: Option<Sampling>,
        threads: i64,
    ) -> PyResult<Evaluated<'py>> {
        let threads = arguments::threads(threads).map_err(to_python)?;
        let bootstrap = bootstrap.map(Sampling::read).transpose().map_err(to_python)?;
        let given = match run {
            ReadRun::Orders(read) => Ok(orders(&read, "orders")?),
            ReadRun::File(path) => Err(file(path)),
        };
        let Self(gold) = self;
        let missing = if incomplete { Missing::Allowed } else { Missing::Refused };
        let (baseline, judged, differences) = self::run(py, move |_| {
            let parallelism = Parallelism::new(threads)?;
            let kept = match given {
                Ok(orders) => gold.kept_orders(&orders, "orders", missing)?,
                Err(path) => gold.read_run(&path, missing)?,
            };
            let count = |orders: &[Vec<u32>]| Counted::new(gold, orders, bootstrap.as_ref(), &parallelism);
            let (baseline, judged) = (count(&gold.unreordered())?, count(&kept)?);
            let compare =
                |bootstrap: &Bootstrap| scores::compare(&judged.counts, &baseline.counts, bootstrap, &parallelism);
            let differences = bootstrap.as_ref().filter(|_| !judged.counts.is_empty()).map(compare).transpose()?;
            Ok((baseline, judged, differences))
        })?;
        let difference = |difference: &Difference| {
            ((difference.difference, ends(difference.interval), difference.standard_error), difference.p_value)
        };
        let differences = differences.iter().flatten().map(difference).collect();
        Ok((baseline.to_python(py)?, judged.to_python(py)?, differences))
    }
}
