//! Models in files.

use std::path::PathBuf;

use alinea::bitext::Bitext;
use alinea::error::Error;
use alinea::format::sink;
use alinea::format::tokens::Tokenize;
use alinea::model::{Aligner, Model, TextForm};
use alinea::parallel::Parallelism;
use alinea::symmetrize::{Method, Symmetrizer};
use pyo3::prelude::*;

use crate::align::{Besides, Iterations, Learned, decode, natural, together, warn};
use crate::error::to_python;
use crate::links::{Column, column};
use crate::text::{self, TextOptions};
use crate::work::{Progress, run, run_shown};

/// Trains on two texts and writes the model.
#[pyfunction]
#[pyo3(signature = (source, target, path, *, besides, model, iterations, lowercase, max_length, threads, progress))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of the Python function")]
pub(crate) fn train<'py>(
    source: &Bound<'py, PyAny>,
    target: &Bound<'py, PyAny>,
    path: PathBuf,
    besides: Besides<'py>,
    model: &str,
    iterations: Option<Iterations>,
    lowercase: bool,
    max_length: i64,
    threads: i64,
    progress: Progress,
) -> PyResult<()> {
    let path = text::file(path);
    let (config, _) = together(model, iterations, None, None).map_err(to_python)?;
    let max_length = natural("max_length", max_length, 1, "1 or more").map_err(to_python)?;
    let threads = natural("threads", threads, 0, "0 or more").map_err(to_python)?;
    let learned = Learned::read([source, target], besides, TextOptions { lowercase, max_length })?;
    let warning = run_shown(source.py(), progress, move |observer| {
        let parallelism = Parallelism::new(threads)?;
        let mut output = sink::create(&path)?;
        let Learned { bitext, supervision, .. } = &learned;
        let aligner = Aligner::train_with(bitext, config, supervision, &parallelism, observer)?;
        let form = TextForm { lowercase, tokenize: Tokenize::None };
        aligner.save(bitext, form, &mut output).map_err(|error| Error::io(&path, error))?;
        output.finish()?;
        Ok(supervision.warning(bitext))
    })?;
    warn(source.py(), warning)
}

/// A model in a file.
#[pyclass(frozen, name = "TrainedModel", module = "alinea._native")]
pub(crate) struct TrainedModel(Model);

#[pymethods]
impl TrainedModel {
    #[new]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        run(py, move |_| Model::open(&text::file(path))).map(Self)
    }

    /// A number that models of other contents do not have.
    #[getter]
    fn identity(&self) -> u64 {
        self.0.identity()
    }

    #[getter]
    fn signature(&self) -> &str {
        self.0.signature()
    }

    #[getter]
    fn pairs(&self) -> usize {
        self.0.pairs()
    }

    /// Aligns two texts.
    fn align<'py>(
        &self,
        source: &Bound<'py, PyAny>,
        target: &Bound<'py, PyAny>,
        threshold: Option<f32>,
        max_length: i64,
        threads: i64,
        progress: Progress,
    ) -> PyResult<Column<'py>> {
        let Self(model) = self;
        let mut config = model.config().clone();
        let by_threshold = config.agreement || threshold.is_some();
        if let Some(threshold) = threshold {
            config = config.with_threshold(threshold);
        }
        config.validate().map_err(to_python)?;
        let max_length = natural("max_length", max_length, 1, "1 or more").map_err(to_python)?;
        let threads = natural("threads", threads, 0, "0 or more").map_err(to_python)?;
        let options = TextOptions { lowercase: model.form().lowercase, max_length };
        let (py, [source, target]) = (source.py(), text::read_both([source, target], options)?);
        let bitext = Bitext::new(source, target).map_err(to_python)?;
        let links = run_shown(py, progress, move |observer| {
            let (parallelism, new) = (Parallelism::new(threads)?, model.read(&bitext));
            let start = || (model.worker(), Symmetrizer::new(Method::GrowDiagFinalAnd));
            decode(new.len(), &parallelism, observer, start, |(worker, symmetrizer), n| {
                let links = if by_threshold {
                    worker.posteriors(&new, n).map(|found| found.links(config.threshold_for(found.is_new())))
                } else {
                    let paths = worker.posteriors_and_viterbi(&new, n).map(|(_, paths)| paths);
                    paths.map(|[forward, reverse]| symmetrizer.symmetrize(&forward, &reverse))
                };
                links.unwrap_or_default()
            })
        })?;
        column(py, &links)
    }
}
