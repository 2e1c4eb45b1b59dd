//! Training on a text in parts: a function for each step, from a part of the text and files to files.
//!
//! The steps are those of the library (`alinea::align::parts`), which the command has as `alinea parts`. A part is two texts in any form
//! that the package reads; its words are told apart as the file of words or the state says. Parts have numbers from 1.

use std::path::PathBuf;

use alinea::align::Request;
use alinea::align::parts::{self, Counting, Next};
use alinea::bitext::Bitext;
use alinea::error::Error;
use alinea::model::parts::{PruneLimit, StoredState, TrainingState, WholeText};
use alinea::model::{AlignerConfig, Counts};
use alinea::parallel::{Parallelism, Work};
use pyo3::prelude::*;

use crate::arguments::{self, natural};
use crate::error::to_python;
use crate::text::{self, Reading, TextOptions, file};
use crate::training::{GivenLinks, dictionary_of, read_iterations};
use crate::work::{Progress, run, run_shown};

/// A pass that was counted: its number, from 1, how many there are, what it is called, how many parts were counted, and how many
/// there are.
type Pass = (u32, u32, String, usize, usize);

fn pass_of(counts: &Counts) -> Pass {
    let [counted, all] = counts.progress();
    (counts.pass(), counts.passes(), counts.name().to_owned(), counted, all)
}

fn files(paths: Vec<PathBuf>) -> Vec<PathBuf> {
    paths.into_iter().map(file).collect()
}

/// The number of a part as the library has it, from 0.
fn number_of(part: i64) -> PyResult<usize> {
    natural("part", part, 1, "1 or more").map(|part| part - 1).map_err(to_python)
}

/// The model by name, with so many passes.
fn read_config(model: &str, iterations: Option<&Bound<'_, PyAny>>) -> PyResult<AlignerConfig> {
    let model = model.parse().map_err(to_python)?;
    let iterations = iterations.map(read_iterations).transpose()?;
    let request = Request::default().with(|c| {
        c.model = model;
        c.iterations = iterations;
    });
    parts::config(request).map_err(to_python)
}

/// Checks the options of a training before its steps.
#[pyfunction]
#[pyo3(signature = (*, model, iterations, reading, threads))]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn check_part_training(
    model: &str,
    iterations: Option<Bound<'_, PyAny>>,
    reading: Reading,
    threads: i64,
) -> PyResult<()> {
    read_config(model, iterations.as_ref())?;
    arguments::threads(threads).and_then(|_| reading.options()).map(drop).map_err(to_python)
}

/// A part whose words were counted before, so that warnings were given then.
fn read_again(source: &Bound<'_, PyAny>, target: &Bound<'_, PyAny>, options: TextOptions) -> PyResult<Bitext> {
    let [source, target] = text::read_again([source, target], options)?;
    Bitext::new(source, target).map_err(to_python)
}

/// Counts the words of a part.
#[pyfunction]
#[pyo3(signature = (source, target, output, *, weight, reading))]
pub(crate) fn part_words(
    source: &Bound<'_, PyAny>,
    target: &Bound<'_, PyAny>,
    output: PathBuf,
    weight: f32,
    reading: Reading,
) -> PyResult<()> {
    let options = reading.options().map_err(to_python)?;
    let [texts, targets] = text::read_to_align([source, target], options)?;
    let (part, output) = (Bitext::new(texts, targets).map_err(to_python)?, file(output));
    run(source.py(), move |_| parts::words(part, weight, options.form(), &output))
}

/// Puts the words of all parts together.
#[pyfunction]
pub(crate) fn join_words(py: Python<'_>, words: Vec<PathBuf>, output: PathBuf) -> PyResult<()> {
    let (words, output) = (files(words), file(output));
    run(py, move |_| parts::join(&words, &output))
}

/// Collects the pairs of words of a part.
#[pyfunction]
#[pyo3(signature = (source, target, output, *, part, words, max_length, threads, progress))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of the Python function")]
pub(crate) fn part_pairs(
    source: &Bound<'_, PyAny>,
    target: &Bound<'_, PyAny>,
    output: PathBuf,
    part: i64,
    words: PathBuf,
    max_length: i64,
    threads: i64,
    progress: Progress,
) -> PyResult<()> {
    let (number, threads) = (number_of(part)?, arguments::threads(threads).map_err(to_python)?);
    let max_length = arguments::max_length(max_length).map_err(to_python)?;
    let (words, output) = (file(words), file(output));
    let whole = run(source.py(), move |_| WholeText::read(&words))?;
    let text = read_again(source, target, TextOptions::of(whole.form(), max_length))?;
    run_shown(source.py(), progress, move |observer| {
        let work = Work { parallelism: &Parallelism::new(threads)?, observer };
        parts::pairs(text, number, &whole, &output, work)
    })
}

/// Begins a training, and says how many passes it has.
#[pyfunction]
#[pyo3(signature = (pairs, output, *, words, model, iterations, dictionary, threads, progress))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of the Python function")]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn begin_training(
    py: Python<'_>,
    pairs: Vec<PathBuf>,
    output: PathBuf,
    words: PathBuf,
    model: &str,
    iterations: Option<Bound<'_, PyAny>>,
    dictionary: Vec<(String, String, f32)>,
    threads: i64,
    progress: Progress,
) -> PyResult<u32> {
    let config = read_config(model, iterations.as_ref())?;
    let threads = arguments::threads(threads).map_err(to_python)?;
    let (pairs, words, output) = (files(pairs), file(words), file(output));
    run_shown(py, progress, move |observer| {
        let whole = WholeText::read(&words)?;
        let dictionary = dictionary_of(dictionary, TextOptions::of(whole.form(), usize::MAX))?;
        let work = Work { parallelism: &Parallelism::new(threads)?, observer };
        parts::begin(&pairs, whole, config, &dictionary, &output, work)
    })
}

/// Counts a part in the next pass.
#[pyfunction]
#[pyo3(signature = (source, target, output, *, part, state, keep, own, links, max_length, memory, threads, progress))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of the Python function")]
pub(crate) fn count_part(
    source: &Bound<'_, PyAny>,
    target: &Bound<'_, PyAny>,
    output: PathBuf,
    part: i64,
    state: PathBuf,
    keep: PathBuf,
    own: Option<PathBuf>,
    links: GivenLinks<'_>,
    max_length: i64,
    memory: Option<i64>,
    threads: i64,
    progress: Progress,
) -> PyResult<Pass> {
    let (number, threads) = (number_of(part)?, arguments::threads(threads).map_err(to_python)?);
    let max_length = arguments::max_length(max_length).map_err(to_python)?;
    let bytes = |memory: i64| u64::try_from(memory).map_err(|_| Error::config("memory", memory, "bytes, 0 or more"));
    let memory = memory.map(bytes).transpose().map_err(to_python)?;
    let [state, keep, output] = [state, keep, output].map(file);
    let (own, links) = (own.map(file), links.owned());
    let state = run(source.py(), move |_| StoredState::open(&state))?;
    let text = read_again(source, target, TextOptions::of(state.whole().form(), max_length))?;
    run_shown(source.py(), progress, move |observer| {
        let links = links.of(&text)?;
        let counting = Counting { own: own.as_deref(), links: &links, memory, counts: &output, keep: &keep };
        let work = Work { parallelism: &Parallelism::new(threads)?, observer };
        Ok(pass_of(&parts::count(text, number, &state, counting, work)?))
    })
}

/// Adds up counts.
#[pyfunction]
pub(crate) fn merge_counts(py: Python<'_>, counts: Vec<PathBuf>, output: PathBuf) -> PyResult<Pass> {
    let (counts, output) = (files(counts), file(output));
    run(py, move |_| Ok(pass_of(&parts::merge_counts(&counts, &output)?)))
}

/// Goes on from what was counted, to the next state or to the model, and says how many passes are done and how many there are.
#[pyfunction]
#[pyo3(signature = (counts, *, state, output, model, own, prune, threads, progress))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of the Python function")]
pub(crate) fn maximize_counts(
    py: Python<'_>,
    counts: Vec<PathBuf>,
    state: PathBuf,
    output: Option<PathBuf>,
    model: Option<PathBuf>,
    own: Vec<PathBuf>,
    prune: Option<f32>,
    threads: i64,
    progress: Progress,
) -> PyResult<(u32, u32)> {
    let (counts, own, state) = (files(counts), files(own), file(state));
    let (output, model) = (output.map(file), model.map(file));
    let threads = arguments::threads(threads).map_err(to_python)?;
    let prune = prune.map(PruneLimit::new).transpose().map_err(to_python)?;
    run_shown(py, progress, move |observer| {
        let state = TrainingState::read(&state)?;
        let next = match (&output, &model) {
            (Some(path), None) if !state.is_before_model() => Next::State(path),
            (None, Some(path)) if state.is_before_model() && prune.is_none() => Next::Model { path, own: &own },
            (None, Some(_)) if state.is_before_model() => {
                let limit = prune.map(PruneLimit::counts).unwrap_or_default();
                return Err(Error::config("prune", limit, "None for the last pass, which gives the model"));
            }
            _ => return Err(refused(&state, output.as_ref().or(model.as_ref()))),
        };
        let passes = (state.passes_done() + 1, state.passes());
        let work = Work { parallelism: &Parallelism::new(threads)?, observer };
        parts::maximize(&counts, state, prune, next, work)?;
        Ok(passes)
    })
}

/// What is wrong with where a pass should lead.
fn refused(state: &TrainingState, path: Option<&PathBuf>) -> Error {
    let value = path.map_or_else(|| "None".to_owned(), |path| path.display().to_string());
    if state.is_before_model() {
        Error::config("model", value, "the file of the model, and no output: this is the last pass")
    } else {
        Error::config("output", value, "the file of the next state, and no model: passes are left")
    }
}
