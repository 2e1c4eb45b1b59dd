//! Metrics of translations: what decides a score, counting, scores of counts, significance, and tokenizers by name.
//!
//! The statistics of a system are an array with a row for each segment. What has them needs the metric only to make
//! scores of them: so the façade keeps arrays, and `significance` has what draws from their rows.

mod coefficients;
mod significance;
mod trees;
mod words;

use std::path::PathBuf;
use std::sync::Arc;

use alinea::error::{Error, ErrorKind, Result};
use alinea::format::lines::{LineReader, Utf8};
use alinea::metric::bleu::{Bleu, BleuConfig};
use alinea::metric::chrf::{Chrf, ChrfConfig};
use alinea::metric::oddities::Oddities;
use alinea::metric::significance::Resampling;
use alinea::metric::smoothing::Smoothing;
use alinea::metric::ter::Ter;
use alinea::metric::tokenize::{Tercom, Tokenizer, TokenizerOptions, Tokens, tokenizer_by_name};
use alinea::metric::{Metric, Segments, Signature, Statistics, measure};
use alinea::parallel::Parallelism;
use alinea::progress::{Observer, Silent, check};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

pub(crate) use self::coefficients::{correlate, correlation};
pub(crate) use self::significance::{bootstrap, bootstrap_scores, paired_bootstrap, paired_randomization};
pub(crate) use self::trees::{
    dependency_path_metric, explain_dependency_paths, path_disparity, path_encoding, tree_edit_metric,
};
pub(crate) use self::words::{
    gleu_metric, lepor_metric, lr_metric, meteor_metric, nist_metric, order_metric, ribes_metric,
};
use crate::arguments::{self, natural};
use crate::error::to_python;
use crate::text::file;
use crate::work::run;

/// Segments, or lines, between two questions whether to stop.
const BATCH: usize = 4096;

/// Up to so many bytes of text are scored by the thread that asks: one more would take longer to start.
const SMALL: usize = 4096;

/// For each system whether it is the same as the references, and how many of its lines look tokenized, if many do; and the
/// tokenizer that would cut the references better; and how many segments have a carriage return inside a line, with the
/// number of the first.
type Odd = (Vec<(bool, Option<u64>)>, Option<&'static str>, Option<(u64, u64)>);

/// A row of numbers for each segment.
type Rows<'py> = PyReadonlyArray2<'py, f64>;

/// A tokenizer.
#[pyclass(frozen, name = "Tokenizer", module = "alinea._native")]
pub(crate) struct NamedTokenizer(Arc<dyn Tokenizer>);

#[pymethods]
impl NamedTokenizer {
    #[new]
    #[pyo3(signature = (name, *, dictionary, model))]
    fn open(py: Python<'_>, name: &str, dictionary: Option<PathBuf>, model: Option<PathBuf>) -> PyResult<Self> {
        let options = TokenizerOptions::default().with(|c| {
            c.dictionary = dictionary;
            c.model = model;
        });
        run(py, move |_| Ok(Self(tokenizer_by_name(name, &options)?.into())))
    }

    /// What makes the tokens of TER.
    #[staticmethod]
    #[expect(clippy::fn_params_excessive_bools, reason = "they are the arguments of the Python function")]
    fn tercom(normalized: bool, no_punctuation: bool, asian_support: bool, case_sensitive: bool) -> Self {
        Self(Arc::new(Tercom { normalized, no_punctuation, asian_support, case_sensitive }))
    }

    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// The tokens of each line.
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
    fn tokenize(&self, py: Python<'_>, lines: Vec<PyBackedStr>) -> PyResult<Vec<Vec<String>>> {
        let tokenize = |observer: &dyn Observer| {
            let mut tokens = Tokens::default();
            let mut all = Vec::with_capacity(lines.len());
            for (number, line) in lines.iter().enumerate() {
                if number % BATCH == 0 {
                    check(observer)?;
                }
                self.0.tokenize(line, &mut tokens)?;
                all.push(tokens.iter().map(str::to_owned).collect());
            }
            Ok(all)
        };
        if is_small(&lines) { tokenize(&Silent).map_err(to_python) } else { run(py, tokenize) }
    }
}

/// A tokenizer that several metrics share.
#[derive(Debug)]
struct Shared(Arc<dyn Tokenizer>);

impl Tokenizer for Shared {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn tokenize(&self, line: &str, tokens: &mut Tokens) -> Result<()> {
        self.0.tokenize(line, tokens)
    }
}

enum Kind {
    Bleu(Arc<Bleu>),
    Other(Box<dyn Metric>),
}

/// A metric with its settings.
#[pyclass(frozen, name = "Metric", module = "alinea._native")]
pub(crate) struct BoundMetric(Kind);

impl BoundMetric {
    fn metric(&self) -> &dyn Metric {
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
    fn statistics(&self, rows: &Rows<'_>) -> PyResult<Statistics> {
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
            let tokenizer = Box::new(Shared(Arc::clone(&tokenizer.0)));
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
        Ok(Self(Kind::Other(Box::new(Chrf::new(config).map_err(to_python)?))))
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
            test.extend(Resampling { seed, source, ..Resampling::new(1) }.signature());
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
        let (counted, odd) = if systems.iter().chain(&references).map(|lines| length(lines)).sum::<usize>() <= SMALL {
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

fn length(lines: &[PyBackedStr]) -> usize {
    lines.iter().map(|line| line.len()).sum::<usize>() + lines.len()
}

fn is_small(lines: &[PyBackedStr]) -> bool {
    length(lines) <= SMALL
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

/// The lines of a file, plain or compressed.
#[pyfunction]
pub(crate) fn read_lines(py: Python<'_>, path: PathBuf) -> PyResult<Vec<String>> {
    let path = file(path);
    run(py, move |observer| {
        let mut reader = LineReader::open(&path, Utf8::Strict)?;
        let mut lines = Vec::new();
        while let Some(line) = reader.read()? {
            lines.push(line.to_owned());
            if lines.len() % BATCH == 0 {
                check(observer)?;
            }
        }
        Ok::<_, Error>(lines)
    })
}
