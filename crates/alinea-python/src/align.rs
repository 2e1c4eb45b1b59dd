//! Training and alignment of a text.

use std::ffi::CString;

use alinea::align::{FoundLink, Iterations, Plan, Recipe, Request, Threshold, Trained};
use alinea::alignment::GoldAlignment;
use alinea::bitext::{Bitext, Dictionary, RankedBitext, Text, Weights};
use alinea::classes::WordClasses;
use alinea::error::{Error, Result};
use alinea::model::ibm::{IbmConfig, IbmModel, Passes};
use alinea::model::{Feature, ModelName, Supervision};
use alinea::parallel::{Parallelism, Work};
use numpy::PyArray1;
use pyo3::exceptions::{PyTypeError, PyUserWarning};
use pyo3::prelude::*;

use crate::error::to_python;
use crate::links::{Column, ReadLinks, alignment, rows_column};
use crate::tables::ReadClasses;
use crate::text::{self, TextOptions};
use crate::work::{Progress, run_shown};

/// Where warnings point to, in frames from here: to the call of the package's function.
pub(crate) const CALLER_OF_FACADE: i32 = 2;

/// Passes of training: as many of each model, those of Model 1 and of the HMM, or those of a chain by name.
pub(crate) struct ReadIterations(Iterations);

impl FromPyObject<'_, '_> for ReadIterations {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let passes = |number: i64| {
            let number = u32::try_from(number);
            number.map_err(|_| {
                to_python(Error::config("iterations", object.to_string(), "1 to 1000 passes of each model"))
            })
        };
        if let Ok(number) = object.extract() {
            return Ok(Self(Iterations::OfEach(passes(number)?)));
        }
        if let Ok(text) = object.extract::<String>() {
            return Ok(Self(Iterations::Named(text.parse().map_err(to_python)?)));
        }
        let pair = object.extract::<(i64, i64)>();
        let (ibm1, hmm) =
            pair.map_err(|_| PyTypeError::new_err("iterations: an int, a tuple of two or a str is needed"))?;
        let stages = [(IbmModel::Ibm1, passes(ibm1)?), (IbmModel::Hmm, passes(hmm)?)];
        Ok(Self(Iterations::Named(Passes::new(stages.into_iter().filter(|&(_, passes)| passes > 0).collect()))))
    }
}

/// The least confidence of links: a number, or chosen for the text.
pub(crate) struct ReadThreshold(Threshold);

impl FromPyObject<'_, '_> for ReadThreshold {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if let Ok(number) = object.extract() {
            return Ok(Self(Threshold::Given(number)));
        }
        match object.extract::<String>() {
            Ok(text) => text.parse().map(Self).map_err(to_python),
            Err(_) => Err(PyTypeError::new_err("threshold: a float or \"auto\" is needed")),
        }
    }
}

/// A text to learn from, and what is known of it.
pub(crate) struct Learned {
    pub(crate) bitext: RankedBitext,
    /// The pairs of the text itself, which stand first.
    pub(crate) pairs: usize,
    pub(crate) supervision: Supervision,
}

/// What is learned from besides the text, as Python gives it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Besides<'py> {
    added: Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
    weights: Vec<f32>,
    dictionary: Vec<(String, String, f32)>,
    links: Vec<(usize, ReadLinks<'py>, ReadLinks<'py>)>,
}

impl Besides<'_> {
    /// What is asked of a model by what is known beforehand.
    fn features(&self) -> impl Iterator<Item = Feature> {
        let dictionary = (!self.dictionary.is_empty()).then_some(Feature::Dictionary);
        dictionary.into_iter().chain((!self.links.is_empty()).then_some(Feature::Links))
    }

    /// The request for a model, if it can use what is known.
    pub(crate) fn request(&self, model: &str, iterations: Option<ReadIterations>) -> Result<Request> {
        let model: ModelName = model.parse()?;
        self.features().try_for_each(|feature| model.require(feature))?;
        let iterations = iterations.map(|ReadIterations(iterations)| iterations);
        Ok(Request { model, iterations, ..Request::default() })
    }
}

impl Learned {
    /// Reads source and target, and what is learned from besides.
    pub(crate) fn read<'py>(
        [source, target]: [&Bound<'py, PyAny>; 2],
        besides: Besides<'py>,
        options: TextOptions,
    ) -> PyResult<Self> {
        let Besides { added, weights, dictionary: entries, links } = besides;
        let [source, target] = text::read_both([source, target], options)?;
        let mut bitext = Bitext::new(source, target).map_err(to_python)?;
        let mut parts = vec![(bitext.len(), 1.0)];
        for (n, ((source, target), weight)) in added.into_iter().zip(weights).enumerate() {
            let side = |text, name: &str| text::read(text, &format!("added[{n}].{name}"), options);
            let more = Bitext::new(side(&source, "source")?, side(&target, "target")?).map_err(to_python)?;
            parts.push((more.len(), weight));
            bitext.append(&more);
        }
        let mut dictionary = Dictionary::default();
        for (source, target, weight) in entries {
            let [source, target] = [source, target].map(|word| text::word(&word, options));
            dictionary.push(&source, &target, weight).map_err(to_python)?;
        }
        let gold = |sure, possible| GoldAlignment::from_parts(alignment(sure), &alignment(possible));
        let links = links.iter().map(|(n, sure, possible)| (*n, gold(sure, possible))).collect();
        let weights = Weights::new(&parts).map_err(to_python)?;
        let bitext = RankedBitext::new(bitext).weighted(weights).map_err(to_python)?;
        Ok(Self { bitext, pairs: parts[0].0, supervision: Supervision { dictionary, links } })
    }
}

/// Trains on two texts and aligns them. The confidences of the links are their mean posteriors, where they come from these,
/// or the probabilities that these are calibrated to.
#[pyfunction]
#[pyo3(signature = (
    source, target, *, besides, model, iterations, threshold, objective, calibrated, pegging, word_classes, lowercase,
    max_length, threads, progress
))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of the Python function")]
pub(crate) fn align<'py>(
    source: &Bound<'py, PyAny>,
    target: &Bound<'py, PyAny>,
    besides: Besides<'py>,
    model: &str,
    iterations: Option<ReadIterations>,
    threshold: Option<ReadThreshold>,
    objective: Option<&str>,
    calibrated: bool,
    pegging: bool,
    word_classes: Option<[ReadClasses; 2]>,
    lowercase: bool,
    max_length: i64,
    threads: i64,
    progress: Progress,
) -> PyResult<(Column<'py>, Bound<'py, PyArray1<f32>>)> {
    let request = besides.request(model, iterations).and_then(|request| {
        if word_classes.is_some() {
            request.model.require(Feature::WordClasses)?;
        }
        let threshold = threshold.map(|ReadThreshold(threshold)| threshold);
        let objective = objective.map(str::parse).transpose()?;
        Ok(Request { pegging, threshold, objective, calibrated, ..request })
    });
    let Plan { recipe, mut decoding } = request.and_then(|request| request.plan()).map_err(to_python)?;
    let max_length = natural("max_length", max_length, 1, "1 or more").map_err(to_python)?;
    let threads = natural("threads", threads, 0, "0 or more").map_err(to_python)?;
    let learned = Learned::read([source, target], besides, TextOptions { lowercase, max_length })?;
    let py = source.py();
    let (links, warnings) = run_shown(py, progress, move |observer| {
        let work = Work { parallelism: &Parallelism::new(threads)?, observer };
        let Learned { bitext, pairs, supervision } = &learned;
        let mut warnings = Vec::new();
        let recipe = match (recipe, word_classes) {
            (Recipe::Chain(config), Some(classes)) => {
                let classes = Some(classes_of(bitext.bitext(), classes, &mut warnings)?);
                Recipe::Chain(IbmConfig { classes, ..config })
            }
            (recipe, _) => recipe,
        };
        let trained = Trained::train(recipe, bitext, supervision, work)?;
        warnings.extend(supervision.warning(bitext));
        let choice = trained.settle(&mut decoding, bitext, *pairs, work)?;
        warnings.extend(choice.and_then(|choice| choice.warning()));
        Ok((trained.links(bitext, *pairs, decoding, work)?, warnings))
    })?;
    warn(py, warnings)?;
    Ok((found_column(py, &links)?, confidences(py, &links)))
}

/// The links of pairs as a column.
pub(crate) fn found_column<'py>(py: Python<'py>, links: &[Vec<FoundLink>]) -> PyResult<Column<'py>> {
    let rows = links.iter().map(|pair| pair.iter().map(|FoundLink { link, .. }| [link.source, link.target]));
    rows_column(py, rows)
}

/// Their confidences, one after another; 1 where there are none.
pub(crate) fn confidences<'py>(py: Python<'py>, links: &[Vec<FoundLink>]) -> Bound<'py, PyArray1<f32>> {
    PyArray1::from_iter(py, links.iter().flatten().map(|found| found.confidence.unwrap_or(1.0)))
}

/// The classes of the words of both sides, by rank; tells of words that have none.
fn classes_of(text: &Bitext, [source, target]: [ReadClasses; 2], warnings: &mut Vec<String>) -> Result<[Vec<u32>; 2]> {
    let mut of_words = |text: &Text, classes: ReadClasses, name| {
        let (words, table) = (text.vocabulary(), classes.read()?);
        let missing = table.missing(words);
        if missing > 0 {
            let all = words.len();
            warnings.push(format!("{missing} of {all} words are not in {name}: they are a class of their own"));
        }
        Ok::<_, Error>(WordClasses::of_table_with_unknown(&table, words)?.numbers())
    };
    Ok([of_words(&text.source, source, "source_classes")?, of_words(&text.target, target, "target_classes")?])
}

/// Warns whoever called the function of the package.
pub(crate) fn warn(py: Python<'_>, warnings: impl IntoIterator<Item = String>) -> PyResult<()> {
    let category = py.get_type::<PyUserWarning>();
    warnings.into_iter().try_for_each(|text| PyErr::warn(py, &category, &CString::new(text)?, CALLER_OF_FACADE))
}

pub(crate) fn natural(field: &'static str, value: i64, least: usize, allowed: &'static str) -> Result<usize> {
    let natural = usize::try_from(value).ok().filter(|value| *value >= least);
    natural.ok_or_else(|| Error::config(field, value, allowed))
}
