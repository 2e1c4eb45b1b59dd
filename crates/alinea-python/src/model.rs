//! Alignment models that are kept: training into a file or into memory, and the class `TrainedModel`.
//!
//! `train` opens the file before it trains, so that a place that cannot be written is known at once, saves the model,
//! and opens it again. Without a file the same bytes are kept in memory. Either way the result is a saved model of the
//! library, which never changes: `adapt`, `prune` and `merge` make new ones.
//!
//! `align`, which also chooses a threshold for the text, joins the model with the word vectors of an encoder, and perhaps adapts
//! it first, `directions` and `scores` read two texts as that of the model was read (case, tokenization), with a length limit of their own, and return
//! links with confidences, the best paths of both directions, or for both directions the log probability of a pair divided by
//! the number of generated words. `translations` looks up a word. `stream` aligns text part by part.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use alinea::align::{self, FoundLink, Request, SavedAligner, Wants, Warning};
use alinea::bitext::Bitext;
use alinea::error::{Error, ErrorKind, Result};
use alinea::format::sink;
use alinea::model::{Feature, Merged, Model, NewText, Side};
use alinea::parallel::{Parallelism, Work};
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::align::{Decoding, FoundColumn, found_column, path_columns, score_rows};
use crate::arguments::{self, natural};
use crate::encoder::{Encoding, TextEncoder};
use crate::error::to_python;
use crate::links::Column;
use crate::stream::ModelStream;
use crate::text::{self, Reading, TextOptions};
use crate::training::{Data, Recipe, open_checkpoint};
use crate::work::{Progress, run, run_shown};

/// Trains on two texts; the model goes to a file, or stays in memory.
#[pyfunction]
#[pyo3(signature = (source, target, *, path, data, recipe, reading, threads, progress))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of the Python function")]
pub(crate) fn train<'py>(
    source: &Bound<'py, PyAny>,
    target: &Bound<'py, PyAny>,
    path: Option<PathBuf>,
    data: Data<'py>,
    recipe: Recipe<'py>,
    reading: Reading,
    threads: i64,
    progress: Progress,
) -> PyResult<TrainedModel> {
    let path = path.map(text::file);
    let (request, checkpoint) = recipe.read(&data)?;
    let config = request.recipe_for_file().map_err(to_python)?;
    let threads = arguments::threads(threads).map_err(to_python)?;
    let options = reading.options().map_err(to_python)?;
    let data = data.read([source, target], options)?;
    run_shown(source.py(), progress, move |observer| {
        let work = Work { parallelism: &Parallelism::new(threads)?, observer };
        // A place that cannot be written is known before the work.
        let output = path.as_deref().map(sink::create_uncompressed).transpose()?;
        let checkpoint = open_checkpoint(checkpoint)?;
        let (trained, data) = data.train(&align::Recipe::Joint(config), checkpoint.as_ref(), work)?;
        let model = match (path, output) {
            (Some(path), Some(mut output)) => {
                let saved = trained.save(&data, options.form(), &mut output);
                saved.map_err(|error| Error::io(&path, error))?;
                output.finish()?;
                drop((trained, data));
                Model::open(&path)?
            }
            _ => kept(move |to| trained.save(&data, options.form(), to))?,
        };
        checkpoint.map_or(Ok(()), align::Checkpoint::delete)?;
        Ok(model)
    })
    .map(TrainedModel::of)
}

/// A model in memory, as `save` writes it, which then lets go of what it was made of.
fn kept(save: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<Model> {
    let mut bytes = Vec::new();
    save(&mut bytes).map_err(|error| Error::io(Path::new("<memory>"), error))?;
    Model::from_bytes(bytes)
}

/// How many passes the argument `field` asks for.
fn read_passes(field: &'static str, passes: i64) -> PyResult<u32> {
    u32::try_from(passes).map_err(|_| to_python(Error::config(field, passes, "1 to 1000 passes")))
}

/// A model in a file, or in memory.
#[pyclass(frozen, name = "TrainedModel", module = "alinea._native")]
pub(crate) struct TrainedModel(Arc<Model>);

#[pymethods]
impl TrainedModel {
    #[new]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        run(py, move |_| Model::open(&text::file(path))).map(Self::of)
    }

    /// The model that `to_bytes` gave.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, content: &[u8]) -> PyResult<Self> {
        run(py, move |_| Model::from_bytes(content.to_vec())).map(Self::of)
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = run(py, move |_| {
            let mut bytes = Vec::with_capacity(self.0.bytes() as usize);
            self.0.save(&mut bytes, Path::new("<memory>"))?;
            Ok(bytes)
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Writes the model to a file, which is complete or absent.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        run(py, move |_| {
            let path = text::file(path);
            let mut output = sink::create_uncompressed(&path)?;
            self.0.save(&mut output, &path)?;
            output.finish()
        })
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

    /// How a sentence that is one string is cut into words.
    #[getter]
    fn tokenize(&self) -> &'static str {
        self.0.form().tokenize.name()
    }

    /// Whether words are compared in lower case.
    #[getter]
    fn lowercase(&self) -> bool {
        self.0.form().lowercase
    }

    #[getter]
    fn pairs(&self) -> usize {
        self.0.pairs()
    }

    #[getter]
    fn word_pairs(&self) -> usize {
        self.0.index().len()
    }

    #[getter]
    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    /// Aligns two texts, perhaps with word vectors: as it is, with a warning where words are not known, or adapted to them in so
    /// many passes. The confidences of the links are their mean posteriors, where they come from these, the probabilities that these
    /// are calibrated to, or joint ones.
    #[expect(clippy::too_many_arguments, reason = "they are the keywords of the Python method")]
    fn align<'py>(
        &self,
        source: &Bound<'py, PyAny>,
        target: &Bound<'py, PyAny>,
        adapt: Option<i64>,
        data: Data<'py>,
        decoding: Decoding<'py>,
        max_length: i64,
        threads: i64,
        progress: Progress,
    ) -> PyResult<FoundColumn<'py>> {
        self.check_encoder(data.has_encoder())?;
        let (texts, request) = ([source, target], decoding.read(Request::default())?);
        let links = if let Some(passes) = adapt {
            let passes = read_passes("adapt", passes)?;
            self.links_of_adapted(texts, passes, data, &request, max_length, threads, progress)?
        } else {
            self.links_of_new(texts, data, &request, max_length, threads, progress)?
        };
        found_column(source.py(), &links)
    }

    /// What aligns text that comes part by part.
    fn stream(&self, decoding: Decoding<'_>, max_length: i64, threads: i64) -> PyResult<ModelStream> {
        let decoding = decoding.read(Request::default())?.decoding_of(&self.0).map_err(to_python)?;
        let max_length = arguments::max_length(max_length).map_err(to_python)?;
        let threads = arguments::threads(threads).map_err(to_python)?;
        Ok(ModelStream::new(Arc::clone(&self.0), decoding, self.options(max_length), threads))
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
        let paths = self.with_text([source, target], None, max_length, threads, progress, |text, _, work| {
            SavedAligner::new(&self.0, wants)?.each(text, |found| found.paths, work)
        })?;
        path_columns(source.py(), paths)
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
        let scores = self.with_text([source, target], None, max_length, threads, progress, |text, _, work| {
            SavedAligner::new(&self.0, wants)?.each(text, |found| found.scores(), work)
        })?;
        score_rows(source.py(), scores)
    }

    /// The translations of a word, the most probable first, with p(translation | word); none if the model does not know the
    /// word.
    fn translations(&self, word: &str, of_target: bool) -> Option<Vec<(String, f32)>> {
        let (side, options) = (if of_target { Side::Target } else { Side::Source }, self.options(usize::MAX));
        let found = self.0.translations(side, &text::word(word, options))?;
        Some(found.into_iter().map(|(p, other)| (String::from_utf8_lossy(other).into_owned(), p)).collect())
    }

    /// The model that learns from two texts on top of this one.
    #[expect(clippy::too_many_arguments, reason = "they are the keywords of the Python method")]
    fn adapt<'py>(
        &self,
        source: &Bound<'py, PyAny>,
        target: &Bound<'py, PyAny>,
        passes: i64,
        data: Data<'py>,
        max_length: i64,
        threads: i64,
        progress: Progress,
    ) -> PyResult<Self> {
        let passes = read_passes("passes", passes)?;
        let max_length = arguments::max_length(max_length).map_err(to_python)?;
        let threads = arguments::threads(threads).map_err(to_python)?;
        self.check_encoder(data.has_encoder())?;
        let data = data.read([source, target], self.options(max_length))?;
        run_shown(source.py(), progress, move |observer| {
            let work = Work { parallelism: &Parallelism::new(threads)?, observer };
            let (adapted, data) = data.adapt(&self.0, passes, work).map_err(|error| match error.kind() {
                ErrorKind::Config { field, .. } if *field == "adapt" => error.for_field("passes"),
                _ => error,
            })?;
            kept(move |to| adapted.save(&data, self.0.form(), to))
        })
        .map(Self::of)
    }

    /// The model without pairs of words that are not worth their place.
    fn prune(&self, py: Python<'_>, size: Option<i64>) -> PyResult<Self> {
        let size = size.map(|size| natural("size", size, 1, "1 byte or more")).transpose().map_err(to_python)?;
        run(py, move |_| {
            let mut bytes = Vec::new();
            self.0.prune(size, &mut bytes)?;
            Model::from_bytes(bytes)
        })
        .map(Self::of)
    }

    /// One model of this and others.
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
    fn merge(&self, py: Python<'_>, others: Vec<PyRef<'_, Self>>) -> PyResult<Self> {
        let models: Vec<&Model> =
            std::iter::once(self).chain(others.iter().map(|other| &**other)).map(|model| &*model.0).collect();
        run(py, move |_| {
            let Merged { aligner, words } = Merged::of(&models, &Parallelism::new(0)?)?;
            kept(move |to| aligner.save(&words, self.0.form(), to))
        })
        .map(Self::of)
    }
}

impl TrainedModel {
    fn of(model: Model) -> Self {
        Self(Arc::new(model))
    }

    /// The model of the library.
    pub(crate) fn model(&self) -> &Arc<Model> {
        &self.0
    }

    /// How text is read: as that of the model.
    fn options(&self, max_length: usize) -> TextOptions {
        TextOptions::of(self.0.form(), max_length)
    }

    /// Refuses an encoder if the model is of a kind that is not joined with word vectors.
    fn check_encoder(&self, is_given: bool) -> PyResult<()> {
        if is_given { self.0.config().name.require(Feature::Encoder).map_err(to_python) } else { Ok(()) }
    }

    /// The links of two texts, which the model aligns as it is.
    fn links_of_new(
        &self,
        texts: [&Bound<'_, PyAny>; 2],
        data: Data<'_>,
        request: &Request,
        max_length: i64,
        threads: i64,
        progress: Progress,
    ) -> PyResult<Vec<Vec<FoundLink>>> {
        let mut decoding = request.decoding_of(&self.0).map_err(to_python)?;
        let (encoder, gold) = data.of_saved()?;
        self.with_text(texts, encoder, max_length, threads, progress, |text, encoding, work| {
            if let Some(warning) = Warning::of_unknown_words(&self.0, text.bitext()) {
                work.observer.warn(&warning.to_string());
            }
            let mut aligner = SavedAligner::new(&self.0, Wants::of(decoding.rule))?;
            if let Some(encoding) = &encoding
                && let Some(evidence) = encoding.pair_encoder().join(&aligner, text, work)?
            {
                aligner = aligner.with_evidence(evidence);
            }
            let gold = gold.of(text.bitext())?;
            if !gold.pairs.is_empty() {
                aligner.learn(text, &gold, work)?;
            }
            aligner.settle(&mut decoding, text, work)?;
            aligner.links(text, decoding, work)
        })
    }

    /// The links of two texts, to which the model is adapted first.
    #[expect(clippy::too_many_arguments, reason = "they are the keywords of the Python method")]
    fn links_of_adapted<'py>(
        &self,
        texts: [&Bound<'py, PyAny>; 2],
        passes: u32,
        data: Data<'py>,
        request: &Request,
        max_length: i64,
        threads: i64,
        progress: Progress,
    ) -> PyResult<Vec<Vec<FoundLink>>> {
        let mut decoding = request.decoding_of(&self.0).map_err(to_python)?;
        let max_length = arguments::max_length(max_length).map_err(to_python)?;
        let threads = arguments::threads(threads).map_err(to_python)?;
        let data = data.read(texts, self.options(max_length))?;
        run_shown(texts[0].py(), progress, move |observer| {
            let work = Work { parallelism: &Parallelism::new(threads)?, observer };
            let (adapted, data) = data.adapt(&self.0, passes, work)?;
            adapted.settle(&mut decoding, &data, work)?;
            adapted.links(&data, decoding, work)
        })
    }

    /// Reads two texts and does something with them, and with what encodes them, if that is given.
    fn with_text<R: Send>(
        &self,
        texts: [&Bound<'_, PyAny>; 2],
        encoder: Option<TextEncoder>,
        max_length: i64,
        threads: i64,
        progress: Progress,
        find: impl FnOnce(&NewText<'_>, Option<Encoding>, Work<'_>) -> Result<R> + Send,
    ) -> PyResult<R> {
        let max_length = arguments::max_length(max_length).map_err(to_python)?;
        let threads = arguments::threads(threads).map_err(to_python)?;
        let ([source, target], encoding) = Encoding::read(encoder, texts, self.options(max_length))?;
        let bitext = Bitext::new(source, target).map_err(to_python)?;
        run_shown(texts[0].py(), progress, move |observer| {
            find(&self.0.read(&bitext), encoding, Work { parallelism: &Parallelism::new(threads)?, observer })
        })
    }
}
