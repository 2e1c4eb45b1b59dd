//! Training and alignment of a text.

use std::ffi::CString;

use alinea::alignment::{Alignment, GoldAlignment};
use alinea::bitext::{Bitext, Dictionary, RankedBitext, SentencePair, Weights};
use alinea::error::{Error, Result};
use alinea::model::{Aligner, AlignerConfig, ExpectedLinks, Objective, Schedule, Supervision, ThresholdChoice, Worker};
use alinea::parallel::{Parallelism, chunk_range};
use alinea::progress::{Observer, check};
use alinea::symmetrize::{Method, Symmetrizer};
use pyo3::exceptions::{PyTypeError, PyUserWarning};
use pyo3::prelude::*;

use crate::error::to_python;
use crate::links::{LinkArray, ReadLinks, alignment, arrays};
use crate::text::{self, TextOptions};
use crate::work::run;

/// Where warnings point to, in frames from here: to the call of the package's function.
const CALLER_OF_FACADE: i32 = 2;

/// Sentence pairs that a thread aligns before it looks for more.
pub(crate) const PAIRS_PER_CHUNK: usize = 64;

/// Passes of Model 1 and of the HMM: as many of each, or two numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Iterations {
    Same(i64),
    Each(i64, i64),
}

impl FromPyObject<'_, '_> for Iterations {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if let Ok(number) = object.extract() {
            return Ok(Self::Same(number));
        }
        let pair = object.extract().map(|(ibm1, hmm)| Self::Each(ibm1, hmm));
        pair.map_err(|_| PyTypeError::new_err("iterations: an int or a tuple of two is needed"))
    }
}

/// The least confidence of links: a number, or chosen for the text.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Threshold {
    Auto,
    Given(f32),
}

impl FromPyObject<'_, '_> for Threshold {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if let Ok(number) = object.extract() {
            return Ok(Self::Given(number));
        }
        match object.extract::<String>() {
            Ok(text) if text == "auto" => Ok(Self::Auto),
            Ok(text) => Err(to_python(Error::config("threshold", text, "auto or 0 to 1"))),
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

impl Learned {
    /// Reads source and target, and what is learned from besides.
    pub(crate) fn read<'py>(
        [source, target]: [&Bound<'py, PyAny>; 2],
        besides: Besides<'py>,
        options: TextOptions,
    ) -> PyResult<Self> {
        let Besides { added, weights, dictionary: entries, links } = besides;
        let source = text::read(source, "source", options)?;
        let target = text::read(target, "target", options)?;
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

/// Trains on two texts and aligns them.
#[pyfunction]
#[pyo3(signature = (
    source, target, *, besides, model, iterations, threshold, objective, lowercase, max_length, threads
))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of the Python function")]
pub(crate) fn align<'py>(
    source: &Bound<'py, PyAny>,
    target: &Bound<'py, PyAny>,
    besides: Besides<'py>,
    model: &str,
    iterations: Option<Iterations>,
    threshold: Option<Threshold>,
    objective: Option<&str>,
    lowercase: bool,
    max_length: i64,
    threads: i64,
) -> PyResult<Vec<LinkArray<'py>>> {
    let plan = plan(model, iterations, threshold, objective).map_err(to_python)?;
    let max_length = natural("max_length", max_length, 1, "1 or more").map_err(to_python)?;
    let threads = natural("threads", threads, 0, "0 or more").map_err(to_python)?;
    let learned = Learned::read([source, target], besides, TextOptions { lowercase, max_length })?;
    let py = source.py();
    let (links, choice) = run(py, move |observer| align_texts(&learned, plan, threads, observer))?;
    if let Some(warning) = choice.and_then(|choice| choice.warning()) {
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &CString::new(warning)?, CALLER_OF_FACADE)?;
    }
    arrays(py, &links)
}

/// Where links come from.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Decoding {
    /// Mean posteriors of at least the configuration's threshold.
    Threshold,
    /// Mean posteriors of at least what is best for this.
    Auto(Objective),
    /// The best paths of both directions, joined.
    Paths(Method),
}

/// The model and the decoding that the command chooses for the same options.
pub(crate) fn plan(
    model: &str,
    iterations: Option<Iterations>,
    threshold: Option<Threshold>,
    objective: Option<&str>,
) -> Result<(AlignerConfig, Decoding)> {
    let mut config = match model {
        "default" => AlignerConfig::default(),
        "agreement-loo" => AlignerConfig::agreement_loo(),
        "agreement" => AlignerConfig::agreement(),
        "hmm" => AlignerConfig::hmm(),
        "ibm1" => AlignerConfig::ibm1(),
        _ => return Err(Error::config("model", model, "agreement-loo, agreement, hmm, ibm1 or default")),
    };
    if let Some(iterations) = iterations {
        let (ibm1, hmm) = match iterations {
            Iterations::Same(number) if model == "ibm1" => (number, 0),
            Iterations::Same(number) => (number, number),
            Iterations::Each(ibm1, hmm) => (ibm1, hmm),
        };
        let refused = |allowed| Error::config("iterations", format!("ibm1:{ibm1},hmm:{hmm}"), allowed);
        if model == "ibm1" && hmm != 0 {
            return Err(refused("no passes of hmm with the model ibm1"));
        }
        if model != "ibm1" && hmm == 0 {
            return Err(refused("at least one pass of hmm with this model"));
        }
        let passes =
            |number: i64| u32::try_from(number).map_err(|_| refused("1 to 1000 passes of ibm1 and 0 to 1000 of hmm"));
        config.schedule = Some(Schedule { ibm1: passes(ibm1)?, hmm: passes(hmm)? });
    }
    if let Some(Threshold::Given(threshold)) = threshold {
        config.threshold = threshold;
    }
    config.validate()?;
    let objective = objective.map(str::parse).transpose()?;
    let decoding = match (threshold, objective) {
        (Some(Threshold::Given(threshold)), Some(_)) => {
            return Err(Error::config("threshold", threshold, "auto where an objective is given"));
        }
        (Some(Threshold::Auto), None) => Decoding::Auto(Objective::default()),
        (_, Some(objective)) => Decoding::Auto(objective),
        (None, None) if matches!(model, "hmm" | "ibm1") => Decoding::Paths(Method::GrowDiagFinalAnd),
        (_, None) => Decoding::Threshold,
    };
    Ok((config, decoding))
}

pub(crate) fn natural(field: &'static str, value: i64, least: usize, allowed: &'static str) -> Result<usize> {
    let natural = usize::try_from(value).ok().filter(|value| *value >= least);
    natural.ok_or_else(|| Error::config(field, value, allowed))
}

/// Trains on a text and aligns its first pairs.
fn align_texts(
    Learned { bitext, pairs, supervision }: &Learned,
    (config, decoding): (AlignerConfig, Decoding),
    threads: usize,
    observer: &dyn Observer,
) -> Result<(Vec<Alignment>, Option<ThresholdChoice>)> {
    let parallelism = Parallelism::new(threads)?;
    let pairs = *pairs;
    let aligner = Aligner::train_with(bitext, config, supervision, &parallelism, observer)?;
    let choice = match decoding {
        Decoding::Auto(objective) => {
            Some(ExpectedLinks::measure(&aligner, (bitext, pairs), &parallelism, observer)?.choose(objective))
        }
        Decoding::Threshold | Decoding::Paths(_) => None,
    };
    let threshold = choice.map_or(aligner.config().threshold, |choice| choice.scores.threshold);
    let mut all = Vec::with_capacity(pairs);
    parallelism.map_ordered(
        pairs.div_ceil(PAIRS_PER_CHUNK),
        || Decoder::new(aligner.worker(), decoding, threshold),
        |decoder, chunk| {
            check(observer)?;
            let numbers = chunk_range(pairs, PAIRS_PER_CHUNK, chunk);
            Ok(numbers.map(|number| decoder.links(number, bitext.pair(number))).collect::<Vec<_>>())
        },
        |links| {
            all.extend(links);
            Ok(())
        },
    )?;
    Ok((all, choice))
}

/// The links of one pair after another.
enum Decoder<'m> {
    Threshold(Worker<'m>, f32),
    Paths(Worker<'m>, Symmetrizer),
}

impl<'m> Decoder<'m> {
    fn new(worker: Worker<'m>, decoding: Decoding, threshold: f32) -> Self {
        match decoding {
            Decoding::Threshold | Decoding::Auto(_) => Self::Threshold(worker, threshold),
            Decoding::Paths(method) => Self::Paths(worker, Symmetrizer::new(method)),
        }
    }

    /// The links of the `n`-th pair trained on.
    fn links(&mut self, n: usize, pair: SentencePair<'_>) -> Alignment {
        match self {
            Self::Threshold(worker, threshold) => {
                worker.trained(n).posteriors(pair).map_or_else(Alignment::new, |found| found.links(*threshold))
            }
            Self::Paths(worker, symmetrizer) => {
                let [forward, reverse] = worker.trained(n).viterbi(pair);
                symmetrizer.symmetrize(&forward, &reverse)
            }
        }
    }
}
