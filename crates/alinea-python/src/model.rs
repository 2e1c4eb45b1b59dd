//! Models in files.

use std::path::PathBuf;

use alinea::alignment::Alignment;
use alinea::bitext::Bitext;
use alinea::error::Error;
use alinea::format::sink;
use alinea::format::tokens::Tokenize;
use alinea::model::{Aligner, Model, ModelWorker, NewText, TextForm};
use alinea::parallel::{Parallelism, chunk_range};
use alinea::progress::check;
use alinea::symmetrize::{Method, Symmetrizer};
use pyo3::prelude::*;

use crate::align::{Besides, Iterations, Learned, PAIRS_PER_CHUNK, natural, plan};
use crate::error::to_python;
use crate::links::{LinkArray, arrays};
use crate::text::{self, TextOptions};
use crate::work::run;

/// Trains on two texts and writes the model.
#[pyfunction]
#[pyo3(signature = (source, target, path, *, besides, model, iterations, lowercase, max_length, threads))]
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
) -> PyResult<()> {
    let (config, _) = plan(model, iterations, None, None).map_err(to_python)?;
    let max_length = natural("max_length", max_length, 1, "1 or more").map_err(to_python)?;
    let threads = natural("threads", threads, 0, "0 or more").map_err(to_python)?;
    let learned = Learned::read([source, target], besides, TextOptions { lowercase, max_length })?;
    run(source.py(), move |observer| {
        let parallelism = Parallelism::new(threads)?;
        let mut output = sink::create(&path)?;
        let Learned { bitext, supervision, .. } = &learned;
        let aligner = Aligner::train_with(bitext, config, supervision, &parallelism, observer)?;
        let form = TextForm { lowercase, tokenize: Tokenize::None };
        aligner.save(bitext, form, &mut output).map_err(|error| Error::io(&path, error))?;
        output.finish()
    })
}

/// A model in a file.
#[pyclass(frozen, name = "TrainedModel", module = "alinea._native")]
pub(crate) struct TrainedModel(Model);

#[pymethods]
impl TrainedModel {
    #[new]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        run(py, move |_| Model::open(&path)).map(Self)
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
    ) -> PyResult<Vec<LinkArray<'py>>> {
        let Self(model) = self;
        let mut config = model.config().clone();
        let by_threshold = config.agreement || threshold.is_some();
        config.threshold = threshold.unwrap_or(config.threshold);
        config.validate().map_err(to_python)?;
        let max_length = natural("max_length", max_length, 1, "1 or more").map_err(to_python)?;
        let threads = natural("threads", threads, 0, "0 or more").map_err(to_python)?;
        let options = TextOptions { lowercase: model.form().lowercase, max_length };
        let (py, source) = (source.py(), text::read(source, "source", options)?);
        let bitext = Bitext::new(source, text::read(target, "target", options)?).map_err(to_python)?;
        let links = run(py, move |observer| {
            let (parallelism, new) = (Parallelism::new(threads)?, model.read(&bitext));
            let mut all = Vec::with_capacity(new.len());
            parallelism.map_ordered(
                new.len().div_ceil(PAIRS_PER_CHUNK),
                || (model.worker(), Symmetrizer::new(Method::GrowDiagFinalAnd)),
                |(worker, symmetrizer), chunk| {
                    check(observer)?;
                    let joining =
                        if by_threshold { Joining::Threshold(config.threshold) } else { Joining::Paths(symmetrizer) };
                    Ok(links(worker, &new, chunk_range(new.len(), PAIRS_PER_CHUNK, chunk), joining))
                },
                |links: Vec<Alignment>| {
                    all.extend(links);
                    Ok(())
                },
            )?;
            Ok(all)
        })?;
        arrays(py, &links)
    }
}

/// How two directions become links.
enum Joining<'s> {
    Threshold(f32),
    Paths(&'s mut Symmetrizer),
}

/// The links of some pairs.
fn links(
    worker: &mut ModelWorker<'_>,
    text: &NewText<'_>,
    pairs: std::ops::Range<usize>,
    mut joining: Joining<'_>,
) -> Vec<Alignment> {
    let of_pair = |n: usize| match &mut joining {
        Joining::Threshold(threshold) => worker.posteriors(text, n).map(|found| found.links(*threshold)),
        Joining::Paths(symmetrizer) => {
            let paths = worker.posteriors_and_viterbi(text, n).map(|(_, paths)| paths);
            paths.map(|[forward, reverse]| symmetrizer.symmetrize(&forward, &reverse))
        }
    };
    pairs.map(of_pair).map(Option::unwrap_or_default).collect()
}
