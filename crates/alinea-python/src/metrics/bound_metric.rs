//! A metric with its settings: what decides a score, counting, and scores of counts.
//!
//! The statistics of a system are an array with a row for each segment. Who has them needs the metric only to make
//! scores of them: so the Python classes keep arrays, and `significance` draws from their rows.

use std::sync::Arc;

use alinea::error::{ErrorKind, Result};
use alinea::metric::bleu::{Bleu, BleuConfig};
use alinea::metric::chrf::{Chrf, ChrfConfig};
use alinea::metric::oddities::Oddities;
use alinea::metric::significance::Resampling;
use alinea::metric::smoothing::Smoothing;
use alinea::metric::ter::Ter;
use alinea::metric::tokenize::Tercom;
use alinea::metric::{Metric, Segments, Signature, Statistics, measure};
use alinea::parallel::Parallelism;
use alinea::progress::{Observer, Silent, check};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

use super::tokenizer::{NamedTokenizer, is_small};
use crate::arguments::{self, natural};
use crate::error::to_python;
use crate::work::{BATCH, run};

/// For each system whether it is the same as the references, and how many of its lines look tokenized, if many do; and the
/// tokenizer that would cut the references better; and how many segments have a carriage return inside a line, with the
/// number of the first.
type Odd = (Vec<(bool, Option<u64>)>, Option<&'static str>, Option<(u64, u64)>);

/// A row of numbers for each segment.
pub(super) type Rows<'py> = PyReadonlyArray2<'py, f64>;

/// A metric; BLEU is known as such, since it has precisions, and LRscore is made of it.
pub(super) enum Kind {
    Bleu(Arc<Bleu>),
    Other(Box<dyn Metric>),
}

/// A metric with its settings.
#[pyclass(frozen, name = "Metric", module = "alinea._native")]
pub(crate) struct BoundMetric(pub(super) Kind);

impl BoundMetric {
    /// Any metric but BLEU, or what is wrong with its settings.
    pub(super) fn new(metric: Result<impl Metric + 'static>) -> PyResult<Self> {
        metric.map(|metric| Self(Kind::Other(Box::new(metric)))).map_err(to_python)
    }

    pub(super) fn metric(&self) -> &dyn Metric {
        match &self.0 {
            Kind::Bleu(bleu) => bleu.as_ref(),
            Kind::Other(metric) => metric.as_ref(),
        }
    }

    fn check_width(&self, numbers: usize) -> PyResult<()> {
        let width = self.metric().width();
        if numbers == width {
            return Ok(());
        }
        let message = format!("{numbers} numbers of a segment, where {} has {width}", self.metric().name());
        Err(PyValueError::new_err(message))
    }

    /// What is odd about lines for this metric: text that looks tokenized is fine where tokens are what blanks separate.
    fn odd(&self, oddities: &Oddities, systems: usize) -> Odd {
        let signature = self.metric().signature();
        let tokenizer = signature.fields().find_map(|(name, value)| (name == "tok").then_some(value)).unwrap_or("none");
        let cuts = !matches!(tokenizer, "none" | "tercom");
        let of_system = |system| (oddities.is_copy(system), oddities.tokenized_lines(system).filter(|_| cuts));
        let better = oddities.scripts.better_tokenizer(tokenizer).filter(|_| cuts);
        ((0..systems).map(of_system).collect(), better, oddities.returns)
    }

    /// The rows of a system as the library has them.
    pub(super) fn statistics(&self, rows: &Rows<'_>) -> PyResult<Statistics> {
        let rows = rows.as_array();
        self.check_width(rows.ncols())?;
        let mut statistics = Statistics::of(self.metric());
        let flat: Vec<f64> = rows.iter().copied().collect();
        statistics.extend_from_slice(&flat);
        Ok(statistics)
    }
}

#[pymethods]
impl BoundMetric {
    /// BLEU.
    #[staticmethod]
    #[pyo3(signature = (*, tokenizer, smoothing, smoothing_value, weights, effective_order, lowercase))]
    fn bleu(
        tokenizer: &NamedTokenizer,
        smoothing: &str,
        smoothing_value: Option<f64>,
        weights: Vec<f64>,
        effective_order: bool,
        lowercase: bool,
    ) -> PyResult<Self> {
        let bleu = Smoothing::by_name(smoothing, smoothing_value).and_then(|smoothing| {
            let tokenizer = tokenizer.shared();
            Bleu::new(BleuConfig::default().with(|c| {
                c.weights = weights;
                c.smoothing = smoothing;
                c.effective_order = effective_order;
                c.lowercase = lowercase;
                c.tokenizer = tokenizer;
            }))
        });
        Ok(Self(Kind::Bleu(Arc::new(bleu.map_err(to_python)?))))
    }

    /// chrF.
    #[staticmethod]
    #[pyo3(signature = (*, character_order, word_order, beta, whitespace, epsilon_smoothing, lowercase))]
    fn chrf(
        character_order: i64,
        word_order: i64,
        beta: f64,
        whitespace: bool,
        epsilon_smoothing: bool,
        lowercase: bool,
    ) -> PyResult<Self> {
        let order = |field, order| natural(field, order, 0, "0 to 32").map_err(to_python);
        let character_order = order("order of characters", character_order)?;
        let word_order = order("order of words", word_order)?;
        let config = ChrfConfig::default().with(|c| {
            c.character_order = character_order;
            c.word_order = word_order;
            c.beta = beta;
            c.whitespace = whitespace;
            c.epsilon_smoothing = epsilon_smoothing;
            c.lowercase = lowercase;
        });
        Self::new(Chrf::new(config))
    }

    /// TER.
    #[staticmethod]
    #[pyo3(signature = (*, normalized, no_punctuation, asian_support, case_sensitive))]
    #[expect(clippy::fn_params_excessive_bools, reason = "they are the arguments of the Python function")]
    fn ter(normalized: bool, no_punctuation: bool, asian_support: bool, case_sensitive: bool) -> Self {
        let tokenizer = Tercom { normalized, no_punctuation, asian_support, case_sensitive };
        Self(Kind::Other(Box::new(Ter::new(tokenizer))))
    }

    #[getter]
    fn name(&self) -> String {
        self.metric().name()
    }

    #[getter]
    fn higher_is_better(&self) -> bool {
        self.metric().higher_is_better()
    }

    /// Whether sums of rows are all that a score needs, in any order of the segments.
    #[getter]
    fn adds_up(&self) -> bool {
        self.metric().of_last() == 0
    }

    /// The signature, and the short one, of scores with so many references each, and of a test.
    #[pyo3(signature = (references, *, bootstrap, trials, seed, generator))]
    fn signature(
        &self,
        references: Option<usize>,
        bootstrap: Option<usize>,
        trials: Option<usize>,
        seed: u64,
        generator: &str,
    ) -> PyResult<(String, String)> {
        let bootstrap = bootstrap.map(|samples| ("bs", "bs", samples.to_string()));
        let trials = trials.map(|trials| ("ar", "ar", trials.to_string()));
        let mut test: Vec<_> = bootstrap.into_iter().chain(trials).collect();
        if !test.is_empty() {
            let source = generator.parse().map_err(to_python)?;
            let resampling = Resampling::new(1).drawn_by(source, seed);
            test.extend(resampling.signature());
        }
        let signature = Signature::shared(references, &test).join(&self.metric().signature());
        Ok((signature.to_string(), signature.short()))
    }

    /// Counts all segments: an array for each system, and what is odd about them.
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
    fn measure<'py>(
        &self,
        py: Python<'py>,
        systems: Vec<Vec<PyBackedStr>>,
        references: Vec<Vec<PyBackedStr>>,
        threads: i64,
    ) -> PyResult<(Vec<Bound<'py, PyArray2<f64>>>, Odd)> {
        let threads = arguments::threads(threads).map_err(to_python)?;
        check_lengths(&systems, &references).map_err(to_python)?;
        let count = |parallelism: &Parallelism, observer: &dyn Observer| {
            count(self.metric(), (&systems, &references), parallelism, observer)
        };
        let (counted, odd) = if is_small(systems.iter().chain(&references)) {
            py.detach(|| count(&Parallelism::serial(), &Silent)).map_err(to_python)?
        } else {
            run(py, move |observer| count(&Parallelism::new(threads)?, observer))?
        };
        let array = |statistics: Statistics| {
            let shape = [statistics.len(), statistics.width()];
            PyArray1::from_slice(py, statistics.values()).reshape(shape)
        };
        let arrays = counted.into_iter().map(array).collect::<PyResult<_>>()?;
        Ok((arrays, self.odd(&odd, systems.len())))
    }

    /// The sums of all rows, and their score.
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
    fn total(&self, rows: Rows<'_>) -> PyResult<(Vec<f64>, f64)> {
        let sums = self.statistics(&rows)?.sums();
        let score = self.metric().score(&sums);
        Ok((sums, score))
    }

    /// The score of each row.
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
    fn scores(&self, rows: Rows<'_>) -> PyResult<Vec<f64>> {
        Ok(self.statistics(&rows)?.rows().map(|row| self.metric().score(row)).collect())
    }

    /// The scores of sums in single precision, as samples have them.
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
    fn sample_scores(&self, sums: PyReadonlyArray2<'_, f32>) -> PyResult<Vec<f64>> {
        let sums = sums.as_array();
        self.check_width(sums.ncols())?;
        Ok(sums.rows().into_iter().map(|row| self.metric().score_of_resample(&row.to_vec())).collect())
    }

    /// What stands behind the score of sums, for people.
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
    fn details(&self, rows: Rows<'_>) -> PyResult<String> {
        Ok(self.metric().details(&self.statistics(&rows)?.sums()))
    }

    /// The precisions of BLEU in percent, and its penalty.
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
    fn parts(&self, rows: Rows<'_>) -> PyResult<(Vec<f64>, f64)> {
        let sums = self.statistics(&rows)?.sums();
        let Kind::Bleu(bleu) = &self.0 else {
            return Err(PyTypeError::new_err(format!("{} has no precisions", self.metric().name())));
        };
        let parts = bleu.parts(&sums);
        Ok((parts.precisions, parts.brevity_penalty))
    }
}

/// All systems have as many segments as there are references, at least one for each.
fn check_lengths(systems: &[Vec<PyBackedStr>], references: &[Vec<PyBackedStr>]) -> Result<()> {
    for (number, system) in systems.iter().enumerate() {
        let name = if systems.len() == 1 { "hypotheses".to_owned() } else { format!("system {}", number + 1) };
        let segments = |count: usize| if count == 1 { "1 segment".to_owned() } else { format!("{count} segments") };
        if system.len() != references.len() {
            let (ours, theirs) = (segments(system.len()), segments(references.len()));
            let message = format!("unequal lengths: {name} has {ours}, there are references for {theirs}");
            return Err(ErrorKind::Inconsistent(message).into());
        }
    }
    match references.iter().position(Vec::is_empty) {
        Some(segment) => Err(ErrorKind::Empty(format!("segment {} has no reference", segment + 1)).into()),
        None => Ok(()),
    }
}

/// Counts batch by batch, so that the text is copied in parts, and looks at the lines.
fn count(
    metric: &dyn Metric,
    (systems, references): (&[Vec<PyBackedStr>], &[Vec<PyBackedStr>]),
    parallelism: &Parallelism,
    observer: &dyn Observer,
) -> Result<(Vec<Statistics>, Oddities)> {
    let mut all = vec![Statistics::of(metric); systems.len()];
    let mut oddities = Oddities::new(systems.len());
    let mut segments = Segments::new(systems.len());
    for start in (0..references.len()).step_by(BATCH) {
        check(observer)?;
        segments.clear();
        for (number, references) in references.iter().enumerate().skip(start).take(BATCH) {
            let hypotheses: Vec<&str> = systems.iter().map(|system| &*system[number]).collect();
            let references: Vec<&str> = references.iter().map(|reference| &**reference).collect();
            oddities.look(&hypotheses, &references);
            segments.push(&hypotheses, &references);
        }
        for (all, counted) in all.iter_mut().zip(measure(metric, &segments, parallelism)?) {
            all.extend_from_slice(counted.values());
        }
    }
    Ok((all, oddities))
}
