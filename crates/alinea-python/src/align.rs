//! Training on a text and aligning it, in one call.
//!
//! `align` reads both texts and what else is learned from (`training`), trains, with word vectors if there is an encoder,
//! chooses the threshold if asked to, and returns the links of all pairs as a column with an array of confidences: mean
//! posteriors, calibrated probabilities, or joint confidences, and 1 for links that have none. `directions` returns the best
//! paths of both directions instead, `scores` the log probabilities of the pairs.
//!
//! `Decoding` says how links are read off: threshold or objective, symmetrization, calibration. It becomes part of a
//! `Request`, which the library checks. A checkpoint is deleted when the work is done.

use std::path::PathBuf;

use alinea::align::{Checkpoint, Found, FoundLink, Plan, Request, Threshold, Trained, TrainingData, Wants};
use alinea::alignment::Alignment;
use alinea::error::{Error, Result};
use alinea::parallel::{Parallelism, Work};
use alinea::symmetrize::Method;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::arguments;
use crate::error::to_python;
use crate::links::{Column, column, rows_column};
use crate::text::Reading;
use crate::training::{Data, Recipe, open_checkpoint};
use crate::work::{Progress, run_shown};

/// The least confidence of links: a number, or what suits a purpose.
fn read_threshold(object: &Bound<'_, PyAny>) -> PyResult<Threshold> {
    if let Ok(number) = object.extract() {
        return Ok(Threshold::Fixed(number));
    }
    match object.extract::<String>() {
        Ok(text) => text.parse().map_err(to_python),
        Err(_) => Err(PyTypeError::new_err("threshold: expected a float, or \"sure\", \"balanced\" or \"full\"")),
    }
}

/// The same where it is called `least`: a number.
fn read_least(object: &Bound<'_, PyAny>) -> PyResult<Threshold> {
    let least: f32 = object.extract().map_err(|_| PyTypeError::new_err("least: expected a float"))?;
    if (0.0..=1.0).contains(&least) {
        Ok(Threshold::Fixed(least))
    } else {
        Err(to_python(Error::config("least", least, "0 to 1")))
    }
}

/// How links are read off a model.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Decoding<'py> {
    // As it came, so that what is wrong with it is told and not that something is.
    threshold: Option<Bound<'py, PyAny>>,
    least: Option<Bound<'py, PyAny>>,
    objective: Option<String>,
    symmetrize: Option<String>,
    calibrated: Option<String>,
}

impl Decoding<'_> {
    /// The same asked of a model.
    pub(crate) fn read(self, request: Request) -> PyResult<Request> {
        let Self { threshold, least, objective, symmetrize, calibrated } = self;
        let threshold = match (threshold, least) {
            (Some(threshold), _) => Some(read_threshold(&threshold)?),
            (None, Some(least)) => Some(read_least(&least)?),
            (None, None) => None,
        };
        let calibrated = calibrated.as_deref().map(str::parse).transpose().map_err(to_python)?;
        let objective = objective.as_deref().map(str::parse).transpose().map_err(to_python)?;
        let symmetrize = symmetrize.as_deref().map(str::parse::<Method>).transpose();
        let symmetrize = symmetrize.map_err(|error| to_python(error.for_field("symmetrize")))?;
        Ok(request.with(|c| {
            c.threshold = threshold;
            c.objective = objective;
            c.symmetrize = symmetrize;
            c.calibrated = calibrated;
        }))
    }
}

/// Links, and their confidences, one after another; 1 where there are none.
pub(crate) type FoundColumn<'py> = (Column<'py>, Bound<'py, PyArray1<f32>>);

/// Trains on two texts and aligns them. The confidences of the links are their mean posteriors, or what was decided in place of
/// these.
#[pyfunction]
#[pyo3(signature = (source, target, *, data, recipe, decoding, reading, threads, progress))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of the Python function")]
pub(crate) fn align<'py>(
    source: &Bound<'py, PyAny>,
    target: &Bound<'py, PyAny>,
    data: Data<'py>,
    recipe: Recipe<'py>,
    decoding: Decoding<'py>,
    reading: Reading,
    threads: i64,
    progress: Progress,
) -> PyResult<FoundColumn<'py>> {
    let task = Task::of(data, recipe, Some(decoding))?;
    let of = |plan: &mut Plan, trained: &Trained, data: &TrainingData, work: Work<'_>| {
        trained.settle(&mut plan.decoding, data, work)?;
        trained.links(data, plan.decoding, work)
    };
    let links = train_and([source, target], task, reading, threads, progress, of)?;
    found_column(source.py(), &links)
}

/// Trains on two texts and finds the best paths of both directions.
#[pyfunction]
#[pyo3(signature = (source, target, *, data, recipe, reading, threads, progress))]
pub(crate) fn directions<'py>(
    source: &Bound<'py, PyAny>,
    target: &Bound<'py, PyAny>,
    data: Data<'py>,
    recipe: Recipe<'py>,
    reading: Reading,
    threads: i64,
    progress: Progress,
) -> PyResult<(Column<'py>, Column<'py>)> {
    let wants = Wants { paths: true, ..Wants::default() };
    let task = Task::of(data, recipe, None)?;
    let paths = train_and_find([source, target], task, reading, threads, progress, wants, |found| found.paths)?;
    path_columns(source.py(), paths)
}

/// Trains on two texts and returns ln P(target | source) and ln P(source | target) of each pair, by the number of generated
/// words: a row a pair, NaN where a side is empty.
#[pyfunction]
#[pyo3(signature = (source, target, *, data, recipe, reading, threads, progress))]
pub(crate) fn scores<'py>(
    source: &Bound<'py, PyAny>,
    target: &Bound<'py, PyAny>,
    data: Data<'py>,
    recipe: Recipe<'py>,
    reading: Reading,
    threads: i64,
    progress: Progress,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let wants = Wants { scores: true, ..Wants::default() };
    let task = Task::of(data, recipe, None)?;
    let scores = train_and_find([source, target], task, reading, threads, progress, wants, |found| found.scores())?;
    score_rows(source.py(), scores)
}

/// What is to be done with two texts.
struct Task<'py> {
    /// What is learned from besides.
    data: Data<'py>,
    plan: Plan,
    /// The file of a checkpoint.
    checkpoint: Option<PathBuf>,
}

impl<'py> Task<'py> {
    /// From the arguments of a function; without a decoding links are not asked for.
    fn of(data: Data<'py>, recipe: Recipe<'py>, decoding: Option<Decoding<'py>>) -> PyResult<Self> {
        let (request, checkpoint) = recipe.read(&data)?;
        let request = match decoding {
            Some(decoding) => decoding.read(request)?,
            None => request,
        };
        Ok(Self { data, plan: request.plan().map_err(to_python)?, checkpoint })
    }
}

/// Trains on two texts and returns what `of` makes of what is found of each pair.
fn train_and_find<'py, T: Send>(
    texts: [&Bound<'py, PyAny>; 2],
    task: Task<'py>,
    reading: Reading,
    threads: i64,
    progress: Progress,
    wants: Wants,
    of: impl Fn(Found<'_>) -> T + Sync + Send,
) -> PyResult<Vec<T>> {
    train_and(texts, task, reading, threads, progress, |_, trained, data, work| trained.each(data, wants, of, work))
}

/// Trains on two texts and makes something of it.
fn train_and<'py, R: Send>(
    texts: [&Bound<'py, PyAny>; 2],
    task: Task<'py>,
    reading: Reading,
    threads: i64,
    progress: Progress,
    of: impl FnOnce(&mut Plan, &Trained, &TrainingData, Work<'_>) -> Result<R> + Send,
) -> PyResult<R> {
    let Task { data, mut plan, checkpoint } = task;
    let threads = arguments::threads(threads).map_err(to_python)?;
    let data = data.read(texts, reading.options().map_err(to_python)?)?;
    run_shown(texts[0].py(), progress, move |observer| {
        let work = Work { parallelism: &Parallelism::new(threads)?, observer };
        let checkpoint = open_checkpoint(checkpoint)?;
        let (trained, data) = data.train(&plan.recipe, checkpoint.as_ref(), work)?;
        let made = of(&mut plan, &trained, &data, work)?;
        checkpoint.map_or(Ok(()), Checkpoint::delete)?;
        Ok(made)
    })
}

/// The links of pairs as a column, and their confidences.
pub(crate) fn found_column<'py>(py: Python<'py>, links: &[Vec<FoundLink>]) -> PyResult<FoundColumn<'py>> {
    let rows = links.iter().map(|pair| pair.iter().map(|FoundLink { link, .. }| [link.source, link.target]));
    let confidences = links.iter().flatten().map(|found| found.confidence.unwrap_or(1.0));
    Ok((rows_column(py, rows)?, PyArray1::from_iter(py, confidences)))
}

/// The best paths of both directions as columns.
pub(crate) fn path_columns(py: Python<'_>, paths: Vec<[Alignment; 2]>) -> PyResult<(Column<'_>, Column<'_>)> {
    let (forward, reverse): (Vec<_>, Vec<_>) = paths.into_iter().map(<(Alignment, Alignment)>::from).unzip();
    Ok((column(py, &forward)?, column(py, &reverse)?))
}

/// The scores of pairs as rows of two, NaN where there are none.
pub(crate) fn score_rows(py: Python<'_>, scores: Vec<Option<[f64; 2]>>) -> PyResult<Bound<'_, PyArray2<f64>>> {
    let rows = scores.len();
    let numbers = scores.into_iter().flat_map(|scores| scores.unwrap_or([f64::NAN; 2]));
    PyArray1::from_iter(py, numbers).reshape([rows, 2])
}
