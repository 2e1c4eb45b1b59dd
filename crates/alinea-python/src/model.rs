//! Models in files.

use std::path::PathBuf;

use alinea::align::{Request, SavedAligner, Threshold, Wants};
use alinea::bitext::Bitext;
use alinea::error::Error;
use alinea::format::sink;
use alinea::format::tokens::Tokenize;
use alinea::model::{Aligner, Model, TextForm};
use alinea::parallel::{Parallelism, Work};
use pyo3::prelude::*;

use crate::align::{Besides, Learned, ReadIterations, found_column, natural, warn};
use crate::error::to_python;
use crate::links::Column;
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
    iterations: Option<ReadIterations>,
    lowercase: bool,
    max_length: i64,
    threads: i64,
    progress: Progress,
) -> PyResult<()> {
    let path = text::file(path);
    let request = besides.request(model, iterations);
    let config = request.and_then(|request| request.recipe_for_file()).map_err(to_python)?;
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
        let request = Request { threshold: threshold.map(Threshold::Given), ..Request::default() };
        let decoding = request.decoding_of(model).map_err(to_python)?;
        let max_length = natural("max_length", max_length, 1, "1 or more").map_err(to_python)?;
        let threads = natural("threads", threads, 0, "0 or more").map_err(to_python)?;
        let options = TextOptions { lowercase: model.form().lowercase, max_length };
        let (py, [source, target]) = (source.py(), text::read_both([source, target], options)?);
        let bitext = Bitext::new(source, target).map_err(to_python)?;
        let links = run_shown(py, progress, move |observer| {
            let work = Work { parallelism: &Parallelism::new(threads)?, observer };
            SavedAligner::new(model, Wants::of(decoding.rule)).links(&model.read(&bitext), decoding, work)
        })?;
        found_column(py, &links)
    }
}
