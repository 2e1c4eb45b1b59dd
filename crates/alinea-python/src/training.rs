//! Arguments of training: what a model learns from, and which model for how long.
//!
//! The Python side passes two dictionaries. `Recipe` has the model's name, the passes and the checkpoint, and becomes a
//! `Request`; `Data` has added texts with weights, the dictionary, gold links of some pairs, word classes, and an encoder.
//! With the text it becomes `ReadData`, on which a model is trained, or to which one is adapted. What the data need of a model
//! (`Feature`) goes into the request, and the library decides whether the model supports it. Passes are an int for each
//! model, a pair for Model 1 and the HMM, or a chain by name such as `ibm1:5,hmm:5`. `align`, `model` and `parts` use this
//! file, so that they accept the same arguments.

use std::path::{Path, PathBuf};

use alinea::align::{self, Checkpoint, GoldLinks, Iterations, Request, Trained, TrainingData, TrainingDataBuilder};
use alinea::alignment::GoldAlignment;
use alinea::bitext::{Bitext, Dictionary, Weights};
use alinea::error::{Error, Result};
use alinea::format::alignment::LineLinks;
use alinea::model::ibm::{IbmModel, Passes};
use alinea::model::{Feature, Model, Supervision};
use alinea::parallel::Work;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::encoder::{Encoding, TextEncoder};
use crate::error::to_python;
use crate::links::{ReadLinks, alignment};
use crate::tables::ReadClasses;
use crate::text::{self, TextOptions};
use crate::work::run;

/// Passes of training: as many of each model, those of Model 1 and of the HMM, or those of a chain by name.
pub(crate) fn read_iterations(object: &Bound<'_, PyAny>) -> PyResult<Iterations> {
    let passes = |number: i64| {
        let number = u32::try_from(number);
        number.map_err(|_| to_python(Error::config("iterations", object, "1 to 1000 passes of each model")))
    };
    if let Ok(number) = object.extract() {
        return Ok(Iterations::OfEach(passes(number)?));
    }
    if let Ok(text) = object.extract::<String>() {
        return Ok(Iterations::Named(text.parse().map_err(to_python)?));
    }
    let pair = object.extract::<(i64, i64)>();
    let (ibm1, hmm) = pair.map_err(|_| PyTypeError::new_err("iterations: expected an int, a tuple of two or a str"))?;
    let stages = [(IbmModel::Ibm1, passes(ibm1)?), (IbmModel::Hmm, passes(hmm)?)];
    Ok(Iterations::Named(Passes::new(stages.into_iter().filter(|&(_, passes)| passes > 0).collect())))
}

/// What is trained, and how long.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Recipe<'py> {
    model: String,
    // As it came, so that what is wrong with it is told and not that something is.
    iterations: Option<Bound<'py, PyAny>>,
    pegging: bool,
    checkpoint: Option<PathBuf>,
}

/// What is learned from besides the text.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Data<'py> {
    added: Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
    weights: Vec<f32>,
    dictionary: Vec<(String, String, f32)>,
    links: GivenLinks<'py>,
    gold: GivenLinks<'py>,
    annotated_only: bool,
    classes: Option<[ReadClasses; 2]>,
    encoder: Option<TextEncoder>,
}

/// What a model is trained on, before its words are encoded.
pub(crate) struct ReadData {
    data: TrainingDataBuilder,
    encoding: Option<Encoding>,
}

impl ReadData {
    /// Trains on it.
    pub(crate) fn train(
        self,
        recipe: &align::Recipe,
        checkpoint: Option<&Checkpoint>,
        work: Work<'_>,
    ) -> Result<(Trained, TrainingData)> {
        let Self { data, encoding } = self;
        let data = data.build()?;
        match &encoding {
            Some(encoding) => encoding.pair_encoder().train(recipe, data, work),
            None => Ok((Trained::train(recipe.clone(), &data, checkpoint, work)?, data)),
        }
    }

    /// Adapts a model to it in so many passes.
    pub(crate) fn adapt(self, model: &Model, passes: u32, work: Work<'_>) -> Result<(Trained, TrainingData)> {
        let Self { data, encoding } = self;
        let data = data.build()?;
        match &encoding {
            Some(encoding) => encoding.pair_encoder().adapt(model, passes, data, work),
            None => Ok((Trained::adapt(model, passes, &data, work)?, data)),
        }
    }
}

/// A dictionary of source words, target words and weights, its words read as those of the text.
pub(crate) fn dictionary_of(entries: Vec<(String, String, f32)>, options: TextOptions) -> Result<Dictionary> {
    let mut dictionary = Dictionary::default();
    for (source, target, weight) in entries {
        let [source, target] = [source, target].map(|word| text::word(&word, options));
        dictionary.push(&source, &target, weight)?;
    }
    Ok(dictionary)
}

/// Links that are known of the first pairs.
#[derive(FromPyObject)]
pub(crate) enum GivenLinks<'py> {
    /// Numbers of pairs, their sure links, and their possible links.
    #[pyo3(transparent)]
    Pairs(Vec<(usize, ReadLinks<'py>, ReadLinks<'py>)>),
    /// A file of them.
    #[pyo3(transparent)]
    File(PathBuf),
}

/// Gold links that tell what people link.
pub(crate) struct Gold {
    links: OwnedLinks,
    annotated_only: bool,
}

/// Links that are known of the first pairs, without Python.
pub(crate) enum OwnedLinks {
    Pairs(Vec<(usize, GoldAlignment)>),
    File(PathBuf),
}

impl Gold {
    /// Those of pairs of a text, which it must have.
    pub(crate) fn of(self, bitext: &Bitext) -> Result<GoldLinks> {
        let Self { links, annotated_only } = self;
        match links {
            OwnedLinks::Pairs(pairs) => Ok(GoldLinks { pairs, annotated_only }),
            OwnedLinks::File(path) => GoldLinks::of_lines(&lines_of(&path, bitext)?, annotated_only),
        }
    }
}

impl OwnedLinks {
    /// The links of pairs of a text, by their numbers.
    pub(crate) fn of(self, bitext: &Bitext) -> Result<Vec<(usize, GoldAlignment)>> {
        match self {
            Self::Pairs(pairs) => Ok(pairs),
            Self::File(path) => Ok(lines_of(&path, bitext)?.given().collect()),
        }
    }
}

/// The lines of a file with links of the first pairs of a text, which it must have: checked here, where their places are known.
fn lines_of(path: &Path, bitext: &Bitext) -> Result<LineLinks> {
    let links = LineLinks::read(&text::file(path.to_owned()))?;
    links.check(bitext)?;
    Ok(links)
}

impl GivenLinks<'_> {
    fn is_given(&self) -> bool {
        match self {
            Self::Pairs(pairs) => !pairs.is_empty(),
            Self::File(_) => true,
        }
    }

    pub(crate) fn owned(self) -> OwnedLinks {
        match self {
            Self::Pairs(pairs) => {
                let gold = |sure, possible| GoldAlignment::from_parts(alignment(sure), &alignment(possible));
                let owned = pairs.iter().map(|(n, sure, possible)| (*n, gold(sure, possible)));
                OwnedLinks::Pairs(owned.collect())
            }
            Self::File(path) => OwnedLinks::File(path),
        }
    }
}

impl Recipe<'_> {
    /// What is asked of the model, and the file of a checkpoint.
    pub(crate) fn read(self, data: &Data<'_>) -> PyResult<(Request, Option<PathBuf>)> {
        let Self { model, iterations, pegging, checkpoint } = self;
        let needs = [
            (!data.dictionary.is_empty(), Feature::Dictionary),
            (data.links.is_given(), Feature::Links),
            (data.gold.is_given(), Feature::Gold),
            (data.classes.is_some(), Feature::WordClasses),
            (data.encoder.is_some(), Feature::Encoder),
            (checkpoint.is_some(), Feature::Checkpoint),
        ];
        if let (Some(path), true) = (&checkpoint, data.encoder.is_some() || data.gold.is_given()) {
            return Err(to_python(Checkpoint::refused_with_two_trainings(path)));
        }
        let model = model.parse().map_err(to_python)?;
        let iterations = iterations.as_ref().map(read_iterations).transpose()?;
        let request = Request::default().with(|c| {
            c.model = model;
            c.iterations = iterations;
            c.pegging = pegging;
            c.needs = needs.into_iter().filter_map(|(given, feature)| given.then_some(feature)).collect();
        });
        Ok((request, checkpoint))
    }
}

/// The checkpoint in a file, if there is to be one, at a place that can be written.
pub(crate) fn open_checkpoint(path: Option<PathBuf>) -> Result<Option<Checkpoint>> {
    path.map(|path| Checkpoint::new(text::file(path))).transpose()
}

impl<'py> Data<'py> {
    /// Whether there is an encoder.
    pub(crate) fn has_encoder(&self) -> bool {
        self.encoder.is_some()
    }

    /// The encoder and the gold links, where a model is used as it is, so that nothing else may be given.
    pub(crate) fn of_saved(self) -> PyResult<(Option<TextEncoder>, Gold)> {
        let given = [
            ("added", !self.added.is_empty()),
            ("weight", !self.weights.is_empty()),
            ("dictionary", !self.dictionary.is_empty()),
            ("links", self.links.is_given()),
        ];
        match given.into_iter().find(|(_, is_given)| *is_given) {
            Some((name, _)) => Err(PyValueError::new_err(format!("{name}: only with adapt"))),
            None => Ok((self.encoder, Gold { links: self.gold.owned(), annotated_only: self.annotated_only })),
        }
    }

    /// Reads source and target, and what is learned from besides.
    pub(crate) fn read(self, texts: [&Bound<'py, PyAny>; 2], options: TextOptions) -> PyResult<ReadData> {
        let Self { added, weights, dictionary: entries, links, gold, annotated_only, classes, encoder } = self;
        let weights = Weights::of_added(&weights, added.len()).map_err(to_python)?;
        let ([source, target], encoding) = Encoding::read(encoder, texts, options)?;
        let mut data = Bitext::new(source, target).and_then(TrainingData::of).map_err(to_python)?;
        let (links, gold) = (links.owned(), Gold { links: gold.owned(), annotated_only });
        let (links, gold) = run(texts[0].py(), |_| Ok((links.of(data.text())?, gold.of(data.text())?)))?;
        for (n, ((source, target), weight)) in added.into_iter().zip(weights).enumerate() {
            let side = |text, name: &str| text::read(text, &format!("added[{n}].{name}"), options);
            let more = Bitext::new(side(&source, "source")?, side(&target, "target")?).map_err(to_python)?;
            data = data.with_added(&more, weight);
        }
        let dictionary = dictionary_of(entries, options).map_err(to_python)?;
        let supervision = Supervision::default().with(|c| {
            c.dictionary = dictionary;
            c.links = links;
        });
        let classes = classes.map(|[source, target]| Ok([source.read()?, target.read()?])).transpose();
        let data = data.with_supervision(supervision).with_gold(gold).with_classes(classes.map_err(to_python)?);
        Ok(ReadData { data, encoding })
    }
}
