//! Training and alignment of a text.

use std::ffi::CString;

use alinea::alignment::{Alignment, GoldAlignment, WeightedLink};
use alinea::bitext::{Bitext, Dictionary, RankedBitext, SentencePair, Text, Weights};
use alinea::classes::WordClasses;
use alinea::error::{Error, Result};
use alinea::model::ibm::{IbmAligner, IbmConfig, IbmModel, IbmSchedule};
use alinea::model::{
    Aligner, AlignerConfig, Calibration, ExpectedLinks, Objective, Schedule, Supervision, ThresholdChoice, Worker,
};
use alinea::parallel::{Parallelism, chunk_range};
use alinea::progress::{Observer, check};
use alinea::symmetrize::{Method, Symmetrizer};
use numpy::PyArray1;
use pyo3::exceptions::{PyTypeError, PyUserWarning};
use pyo3::prelude::*;

use crate::error::to_python;
use crate::links::{Column, ReadLinks, alignment, rows_column};
use crate::tables::{ReadClasses, without_class};
use crate::text::{self, TextOptions};
use crate::work::{Progress, run_shown};

/// Where warnings point to, in frames from here: to the call of the package's function.
pub(crate) const CALLER_OF_FACADE: i32 = 2;

/// The models, for whoever asks for another.
const MODELS: &str =
    "agreement-loo, quality, agreement, hmm, ibm1 or default, and in align ibm2, diagonal, ibm3, ibm4 or ibm5";

/// Sentence pairs that a thread aligns before it looks for more.
const PAIRS_PER_CHUNK: usize = 64;

/// Passes of training: as many of each model, those of Model 1 and of the HMM, or those of a chain by name.
#[derive(Debug, Clone)]
pub(crate) enum Iterations {
    Same(i64),
    Each(i64, i64),
    Named(String),
}

impl FromPyObject<'_, '_> for Iterations {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if let Ok(number) = object.extract() {
            return Ok(Self::Same(number));
        }
        if let Ok(text) = object.extract() {
            return Ok(Self::Named(text));
        }
        let pair = object.extract().map(|(ibm1, hmm)| Self::Each(ibm1, hmm));
        pair.map_err(|_| PyTypeError::new_err("iterations: an int, a tuple of two or a str is needed"))
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

impl Besides<'_> {
    /// For models that cannot use what is known beforehand.
    fn refuse_knowledge(&self) -> Result<()> {
        let allowed = "nothing, but with the models agreement-loo, quality and agreement";
        if !self.dictionary.is_empty() {
            return Err(Error::config("dictionary", format!("{} entries", self.dictionary.len()), allowed));
        }
        if !self.links.is_empty() {
            return Err(Error::config("links", format!("those of {} pairs", self.links.len()), allowed));
        }
        Ok(())
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
    iterations: Option<Iterations>,
    threshold: Option<Threshold>,
    objective: Option<&str>,
    calibrated: bool,
    pegging: bool,
    word_classes: Option<[ReadClasses; 2]>,
    lowercase: bool,
    max_length: i64,
    threads: i64,
    progress: Progress,
) -> PyResult<(Column<'py>, Bound<'py, PyArray1<f32>>)> {
    let of_chain = OfChain { pegging, classes: word_classes };
    let last = IbmModel::ALL.into_iter().find(|chained| is_chain(*chained) && chained.name() == model);
    of_chain.check(last).map_err(to_python)?;
    let plan = if let Some(last) = last {
        besides.refuse_knowledge().map_err(to_python)?;
        // What it has in common with the textbook HMM, whose directions are apart too.
        let (common, decoding) = together("hmm", None, threshold, objective).map_err(to_python)?;
        let config = IbmConfig { pegging, ..IbmConfig::new(schedule(last, iterations).map_err(to_python)?) };
        Plan::Chain(config, of_chain.classes, (decoding, common.threshold))
    } else {
        Plan::Together(together(model, iterations, threshold, objective).map_err(to_python)?)
    };
    let calibration = if calibrated { Some(plan.calibration().map_err(to_python)?) } else { None };
    let max_length = natural("max_length", max_length, 1, "1 or more").map_err(to_python)?;
    let threads = natural("threads", threads, 0, "0 or more").map_err(to_python)?;
    let learned = Learned::read([source, target], besides, TextOptions { lowercase, max_length })?;
    let py = source.py();
    let Aligned { links, choice, warnings } = run_shown(py, progress, move |observer| {
        let parallelism = Parallelism::new(threads)?;
        match plan {
            Plan::Together(plan) => align_together(&learned, plan, calibration, &parallelism, observer),
            Plan::Chain(config, classes, decoding) => {
                align_by_chain(&learned, (config, classes), decoding, &parallelism, observer)
            }
        }
    })?;
    warn(py, choice.and_then(|choice| choice.warning()).into_iter().chain(warnings))?;
    let confidences = links.iter().flatten().map(|weighted| weighted.weight);
    let confidences = PyArray1::from_iter(py, confidences);
    let rows = links.iter().map(|pair| pair.iter().map(|WeightedLink { link, .. }| [link.source, link.target]));
    Ok((rows_column(py, rows)?, confidences))
}

/// Warns whoever called the function of the package.
pub(crate) fn warn(py: Python<'_>, warnings: impl IntoIterator<Item = String>) -> PyResult<()> {
    let category = py.get_type::<PyUserWarning>();
    warnings.into_iter().try_for_each(|text| PyErr::warn(py, &category, &CString::new(text)?, CALLER_OF_FACADE))
}

/// Links, and what is to be told of them.
struct Aligned {
    links: Vec<Vec<WeightedLink>>,
    choice: Option<ThresholdChoice>,
    /// That words have no class, or links no effect.
    warnings: Vec<String>,
}

/// What is asked of chains alone.
struct OfChain {
    pegging: bool,
    classes: Option<[ReadClasses; 2]>,
}

impl OfChain {
    /// Refuses what a model, if it ends a chain, has no use for.
    fn check(&self, last: Option<IbmModel>) -> Result<()> {
        if self.pegging && !last.is_some_and(IbmModel::is_fertile) {
            return Err(Error::config("pegging", true, "False, but with the models ibm3, ibm4 and ibm5"));
        }
        if self.classes.is_some() && last.is_none_or(|last| last < IbmModel::Ibm4) {
            return Err(Error::config("source_classes", "given", "None, but with the models ibm4 and ibm5"));
        }
        Ok(())
    }
}

/// What is trained, and how it gives links.
enum Plan {
    Together((AlignerConfig, Decoding)),
    Chain(IbmConfig, Option<[ReadClasses; 2]>, (Decoding, f32)),
}

impl Plan {
    /// How confidences become probabilities.
    fn calibration(&self) -> Result<Calibration> {
        let known = match self {
            Self::Together((config, _)) => Calibration::of(config),
            Self::Chain(..) => None,
        };
        known.ok_or_else(|| Error::config("calibrated", true, "False, but with the models agreement-loo and quality"))
    }
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

/// Whether a model is trained as the last one of a chain.
fn is_chain(model: IbmModel) -> bool {
    !matches!(model, IbmModel::Ibm1 | IbmModel::Hmm)
}

/// The chain that the command chooses for the same options.
fn schedule(last: IbmModel, iterations: Option<Iterations>) -> Result<IbmSchedule> {
    let schedule = match iterations {
        None => IbmSchedule::up_to(last),
        Some(Iterations::Named(text)) => text.parse()?,
        Some(Iterations::Same(passes)) => {
            let number = u32::try_from(passes);
            let number = number.map_err(|_| Error::config("iterations", passes, "1 to 1000 passes of each model"))?;
            let stages = IbmSchedule::up_to(last).stages().iter().map(|&(model, _)| (model, number)).collect();
            IbmSchedule::new(stages)?
        }
        Some(Iterations::Each(ibm1, hmm)) => {
            return Err(Error::config(
                "iterations",
                format!("({ibm1}, {hmm})"),
                "a number or a chain, with this model",
            ));
        }
    };
    if schedule.last() != last {
        return Err(Error::config("iterations", schedule, "passes that end with those of the model"));
    }
    Ok(schedule)
}

/// The passes that a str gives to Model 1 and to the HMM.
fn named_passes(text: &str) -> Result<(i64, i64)> {
    let mut passes = [None; 2];
    for part in text.split(',') {
        let named = part.split_once(':').and_then(|(name, number)| {
            let place = ["ibm1", "hmm"].iter().position(|known| *known == name.trim())?;
            Some((&mut passes[place], number.trim().parse().ok()?))
        });
        match named {
            Some((place @ None, number)) => *place = Some(number),
            _ => return Err(Error::config("iterations", text, "passes of ibm1 and hmm, such as ibm1:5,hmm:4")),
        }
    }
    Ok((passes[0].unwrap_or(0), passes[1].unwrap_or(0)))
}

/// The model and the decoding that the command chooses for the same options.
pub(crate) fn together(
    model: &str,
    iterations: Option<Iterations>,
    threshold: Option<Threshold>,
    objective: Option<&str>,
) -> Result<(AlignerConfig, Decoding)> {
    let mut config = match model {
        "default" => AlignerConfig::default(),
        "agreement-loo" => AlignerConfig::agreement_loo(),
        "quality" => AlignerConfig::quality(),
        "agreement" => AlignerConfig::agreement(),
        "hmm" => AlignerConfig::hmm(),
        "ibm1" => AlignerConfig::ibm1(),
        _ => return Err(Error::config("model", model, MODELS)),
    };
    if let Some(iterations) = iterations {
        let (ibm1, hmm) = match iterations {
            Iterations::Same(number) if model == "ibm1" => (number, 0),
            Iterations::Same(number) => (number, number),
            Iterations::Each(ibm1, hmm) => (ibm1, hmm),
            Iterations::Named(text) => named_passes(&text)?,
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
        config = config.with_threshold(threshold);
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
fn align_together(
    Learned { bitext, pairs, supervision }: &Learned,
    (config, decoding): (AlignerConfig, Decoding),
    calibration: Option<Calibration>,
    parallelism: &Parallelism,
    observer: &dyn Observer,
) -> Result<Aligned> {
    let aligner = Aligner::train_with(bitext, config, supervision, parallelism, observer)?;
    let choice = match decoding {
        Decoding::Auto(objective) => {
            Some(ExpectedLinks::measure(&aligner, (bitext, *pairs), parallelism, observer)?.choose(objective))
        }
        Decoding::Threshold | Decoding::Paths(_) => None,
    };
    let threshold = choice.map_or(aligner.config().threshold, |choice| choice.scores.threshold);
    let start = || Decoder::new(aligner.worker(), decoding, (threshold, calibration));
    let links = decode(*pairs, parallelism, observer, start, |decoder, n| decoder.links(n, bitext.pair(n)))?;
    Ok(Aligned { links, choice, warnings: supervision.warning(bitext).into_iter().collect() })
}

/// Trains a chain of models on a text and aligns its first pairs.
fn align_by_chain(
    Learned { bitext, pairs, .. }: &Learned,
    (mut config, classes): (IbmConfig, Option<[ReadClasses; 2]>),
    (decoding, threshold): (Decoding, f32),
    parallelism: &Parallelism,
    observer: &dyn Observer,
) -> Result<Aligned> {
    let mut warnings = Vec::new();
    if let Some([source, target]) = classes {
        let texts = bitext.bitext();
        let mut of_words = |text: &Text, classes: ReadClasses, name| {
            let (words, table) = (text.vocabulary(), classes.read()?);
            let missing = without_class(words, &table);
            if missing > 0 {
                let all = words.len();
                warnings.push(format!("{missing} of {all} words are not in {name}: they are a class of their own"));
            }
            let classes = WordClasses::of_table_with_unknown(&table, words)?;
            Ok::<_, Error>(classes.classes().iter().map(|class| class.index() as u32).collect())
        };
        config.classes = Some([
            of_words(&texts.source, source, "source_classes")?,
            of_words(&texts.target, target, "target_classes")?,
        ]);
    }
    let aligner = IbmAligner::train(bitext, &config, parallelism, observer)?;
    let choice = match decoding {
        Decoding::Auto(objective) => {
            let text = (bitext, *pairs);
            Some(ExpectedLinks::measure_chain(&aligner, text, parallelism, observer)?.choose(objective))
        }
        Decoding::Threshold | Decoding::Paths(_) => None,
    };
    let threshold = choice.map_or(threshold, |choice| choice.scores.threshold);
    let links = if let Decoding::Paths(method) = decoding {
        let start = || Symmetrizer::new(method);
        decode(*pairs, parallelism, observer, start, |symmetrizer, n| joined(symmetrizer, &aligner.paths(n)))?
    } else {
        let start = || aligner.worker(bitext);
        decode(*pairs, parallelism, observer, start, |worker, n| {
            worker.posteriors(n).map_or_else(Vec::new, |found| found.weighted_links(threshold))
        })?
    };
    Ok(Aligned { links, choice, warnings })
}

/// Joined paths. They have no confidences, and all have 1.
fn joined(symmetrizer: &mut Symmetrizer, [forward, reverse]: &[Alignment; 2]) -> Vec<WeightedLink> {
    let links = symmetrizer.symmetrize(forward, reverse);
    links.iter().map(|link| WeightedLink { link, weight: 1.0 }).collect()
}

/// What is found of so many pairs, in order.
pub(crate) fn decode<W: Send, R: Send>(
    pairs: usize,
    parallelism: &Parallelism,
    observer: &dyn Observer,
    start: impl Fn() -> W + Sync + Send,
    find: impl Fn(&mut W, usize) -> R + Sync + Send,
) -> Result<Vec<R>> {
    observer.started("aligning", pairs as u64);
    let mut all = Vec::with_capacity(pairs);
    parallelism.map_ordered(
        pairs.div_ceil(PAIRS_PER_CHUNK),
        start,
        |worker, chunk| {
            check(observer)?;
            let numbers = chunk_range(pairs, PAIRS_PER_CHUNK, chunk);
            let found: Vec<R> = numbers.map(|n| find(worker, n)).collect();
            observer.advance(found.len() as u64);
            Ok(found)
        },
        |found| {
            all.extend(found);
            Ok(())
        },
    )?;
    observer.finished("");
    Ok(all)
}

/// The links of one pair after another.
enum Decoder<'m> {
    Threshold(Worker<'m>, f32, Option<Calibration>),
    Paths(Worker<'m>, Symmetrizer),
}

impl<'m> Decoder<'m> {
    fn new(worker: Worker<'m>, decoding: Decoding, (threshold, calibration): (f32, Option<Calibration>)) -> Self {
        match decoding {
            Decoding::Threshold | Decoding::Auto(_) => Self::Threshold(worker, threshold, calibration),
            Decoding::Paths(method) => Self::Paths(worker, Symmetrizer::new(method)),
        }
    }

    /// The links of the `n`-th pair trained on.
    fn links(&mut self, n: usize, pair: SentencePair<'_>) -> Vec<WeightedLink> {
        match self {
            Self::Threshold(worker, threshold, calibration) => {
                let Some(found) = worker.trained(n).posteriors(pair) else { return Vec::new() };
                let mut links = found.weighted_links(*threshold);
                if let Some(calibrated) = calibration.map(|calibration| calibration.of_pair(&found)) {
                    for found in &mut links {
                        found.weight = calibrated.probability(*found);
                    }
                }
                links
            }
            Self::Paths(worker, symmetrizer) => joined(symmetrizer, &worker.trained(n).viterbi(pair)),
        }
    }
}
