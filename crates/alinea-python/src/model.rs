//! Models in files.

use std::path::PathBuf;

use alinea::align::{Found, Request, SavedAligner, Threshold, Wants};
use alinea::alignment::Alignment;
use alinea::bitext::Bitext;
use alinea::error::{Error, Result};
use alinea::format::sink;
use alinea::format::tokens::Tokenize;
use alinea::model::{Aligner, Model, NewText, Side, TextForm};
use alinea::parallel::{Parallelism, Work};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::align::{Besides, Learned, ReadIterations, confidences, found_column, natural, warn};
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

    /// Aligns two texts. The confidences of the links are their mean posteriors, where they come from these, or the
    /// probabilities that these are calibrated to.
    #[expect(clippy::too_many_arguments, reason = "they are the keywords of the Python method")]
    fn align<'py>(
        &self,
        source: &Bound<'py, PyAny>,
        target: &Bound<'py, PyAny>,
        threshold: Option<f32>,
        calibrated: bool,
        max_length: i64,
        threads: i64,
        progress: Progress,
    ) -> PyResult<(Column<'py>, Bound<'py, PyArray1<f32>>)> {
        let request = Request { threshold: threshold.map(Threshold::Given), calibrated, ..Request::default() };
        let decoding = request.decoding_of(&self.0).map_err(to_python)?;
        let py = source.py();
        let links = self.with_text([source, target], (max_length, threads), progress, |text, work| {
            SavedAligner::links(&self.0, text, decoding, work)
        })?;
        Ok((found_column(py, &links)?, confidences(py, &links)))
    }

    /// The best paths of both directions.
    fn directions<'py>(
        &self,
        source: &Bound<'py, PyAny>,
        target: &Bound<'py, PyAny>,
        max_length: i64,
        threads: i64,
        progress: Progress,
    ) -> PyResult<(Column<'py>, Column<'py>)> {
        let wants = Wants { paths: true, ..Wants::default() };
        let found = self.with_text([source, target], (max_length, threads), progress, |text, work| {
            SavedAligner::new(&self.0, wants).each(text, |found| found.paths, work)
        })?;
        let (forward, reverse): (Vec<_>, Vec<_>) = found.into_iter().map(<(Alignment, Alignment)>::from).unzip();
        Ok((column(source.py(), &forward)?, column(source.py(), &reverse)?))
    }

    /// ln P(target | source) and ln P(source | target), each by the number of generated words: a row a pair, NaN where a side
    /// is empty.
    fn scores<'py>(
        &self,
        source: &Bound<'py, PyAny>,
        target: &Bound<'py, PyAny>,
        max_length: i64,
        threads: i64,
        progress: Progress,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let wants = Wants { scores: true, ..Wants::default() };
        let found = self.with_text([source, target], (max_length, threads), progress, |text, work| {
            let scores = |found: Found<'_>| found.posteriors.and_then(|posteriors| posteriors.scores());
            SavedAligner::new(&self.0, wants).each(text, |found| scores(found).unwrap_or([f64::NAN; 2]), work)
        })?;
        let rows = found.len();
        PyArray1::from_iter(source.py(), found.into_iter().flatten()).reshape([rows, 2])
    }

    /// The translations of a word, the most probable first, with p(translation | word); none if the model does not know the
    /// word.
    fn translations(&self, word: &str, of_target: bool) -> Option<Vec<(String, f32)>> {
        let (side, options) = (if of_target { Side::Target } else { Side::Source }, self.options(usize::MAX));
        let found = self.0.translations(side, &text::word(word, options))?;
        Some(found.into_iter().map(|(p, other)| (String::from_utf8_lossy(other).into_owned(), p)).collect())
    }
}

impl TrainedModel {
    /// How text is read: as that of the model.
    fn options(&self, max_length: usize) -> TextOptions {
        TextOptions { lowercase: self.0.form().lowercase, max_length }
    }

    /// Reads two texts and does something with them.
    fn with_text<R: Send>(
        &self,
        texts: [&Bound<'_, PyAny>; 2],
        (max_length, threads): (i64, i64),
        progress: Progress,
        find: impl FnOnce(&NewText<'_>, Work<'_>) -> Result<R> + Send,
    ) -> PyResult<R> {
        let max_length = natural("max_length", max_length, 1, "1 or more").map_err(to_python)?;
        let threads = natural("threads", threads, 0, "0 or more").map_err(to_python)?;
        let (py, [source, target]) = (texts[0].py(), text::read_both(texts, self.options(max_length))?);
        let bitext = Bitext::new(source, target).map_err(to_python)?;
        run_shown(py, progress, move |observer| {
            find(&self.0.read(&bitext), Work { parallelism: &Parallelism::new(threads)?, observer })
        })
    }
}
