//! Reordering models: the class `ReorderModel`, which wraps a model of the library and never changes.
//!
//! A model is trained on a `ReorderSource` and the links or the orders of its sentences, perhaps from the weights of
//! another model, or read from a file. Files that it writes are complete or absent.
//!
//! Predictions are orders, n-best orders, trees and n-best trees; with a beam they are searched for by a beam search.
//! `each_sentence` gives each thread an engine and chunks of 8 sentences, and keeps the order of the sentences; rules
//! use it too. Errors name the sentence. Orders go to Python as arrays of word positions in their new order (`orders`).

use std::path::PathBuf;

use alinea::error::{Error, Result};
use alinea::format::sink;
use alinea::parallel::{Parallelism, chunk_range};
use alinea::permutation::Permutation;
use alinea::progress::{Observer, check};
use alinea::reorder::btg::Search;
use alinea::reorder::model::{ATTACHED, MOST_STATES, Model, ModelConfig, ModelEngine, Recipe};
use alinea::reorder::{Engine, Sentence};
use pyo3::prelude::*;

use super::located;
use super::orders::{Orders, ReadOrders, arrays, examples_of_links, examples_of_orders, orders};
use super::source::ReorderSource;
use crate::arguments::{self, natural};
use crate::error::to_python;
use crate::links::{ReadMany, alignments};
use crate::text::file;
use crate::work::{Progress, run, run_shown};

/// Sentences that a thread orders at a time.
const CHUNK: usize = 8;

/// What tells the right orders, one of the two.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct ReadGold<'py> {
    links: Option<ReadMany<'py>>,
    orders: Option<ReadOrders<'py>>,
}

/// How a model is learned.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct ReadConfig {
    engine: String,
    attach_unaligned: bool,
    induce_trees: bool,
    tuning: bool,
    features: Vec<String>,
}

impl ReadConfig {
    fn config(&self) -> Result<ModelConfig> {
        let unaligned = if self.attach_unaligned { ATTACHED } else { 0.0 };
        let recipe = self.engine.parse()?;
        let parts = self.features.iter().map(|name| name.parse()).collect::<Result<Vec<_>>>()?;
        Ok(ModelConfig::default().with(|c| {
            c.recipe = recipe;
            c.unaligned = unaligned;
            c.induced = self.induce_trees;
            c.untuned = !self.tuning;
            c.parts = parts;
        }))
    }
}

/// What is to be learned: links or orders of each sentence.
pub(super) enum Gold {
    Links(Vec<alinea::alignment::Alignment>),
    Orders(Vec<Vec<u32>>),
}

impl Gold {
    pub(super) fn read(gold: &ReadGold<'_>) -> PyResult<Self> {
        match gold {
            ReadGold { orders: Some(read), .. } => Ok(Self::Orders(orders(read, "orders")?)),
            ReadGold { links, .. } => Ok(Self::Links(links.as_ref().map(alignments).unwrap_or_default())),
        }
    }

    pub(super) fn examples(self, source: &[Sentence]) -> Result<Vec<alinea::reorder::example::Example>> {
        match self {
            Self::Links(links) => examples_of_links(source, links),
            Self::Orders(orders) => examples_of_orders(source, &orders),
        }
    }
}

/// The names of all engines, the default first.
#[pyfunction]
pub(crate) fn reorder_engines() -> Vec<&'static str> {
    let others = Recipe::ALL.iter().copied().filter(|recipe| *recipe != Recipe::default());
    std::iter::once(Recipe::default()).chain(others).map(Recipe::name).collect()
}

/// A model that was learned, or read from a file.
#[pyclass(frozen, name = "ReorderModel", module = "alinea._native")]
#[derive(Debug)]
pub(crate) struct ReorderModel(Model);

#[pymethods]
impl ReorderModel {
    #[new]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        run(py, move |_| Model::open(&file(path))).map(Self)
    }

    /// Learns a model.
    #[staticmethod]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
    fn train(
        py: Python<'_>,
        source: &ReorderSource,
        gold: ReadGold<'_>,
        config: ReadConfig,
        start: Option<&Self>,
        threads: i64,
        progress: Progress,
    ) -> PyResult<Self> {
        let config = config.config().map_err(to_python)?;
        let threads = arguments::threads(threads).map_err(to_python)?;
        let gold = Gold::read(&gold)?;
        let start = start.map(|start| &start.0);
        let trained = run_shown(py, progress, move |observer| {
            Model::train(&gold.examples(&source.0)?, &config, start, &Parallelism::new(threads)?, observer)
        })?;
        Ok(Self(trained))
    }

    /// Writes the model. The file is complete or absent.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let Self(model) = self;
        run(py, move |_| {
            let path = file(path);
            let mut output = sink::create(&path)?;
            let mut bytes = Vec::new();
            model.save(&mut bytes).map_err(|error| Error::io(&path, error))?;
            output.write_bytes(&bytes)?;
            output.finish()
        })
    }

    #[getter]
    fn engine(&self) -> &'static str {
        self.0.recipe().name()
    }

    #[getter]
    fn features(&self) -> usize {
        self.0.features()
    }

    /// What features look at, member by member.
    #[getter]
    fn columns(&self) -> Vec<Vec<String>> {
        self.0.columns().map(|columns| columns.iter().map(ToString::to_string).collect()).collect()
    }

    #[getter]
    fn search(&self) -> String {
        self.0.way()
    }

    /// The order of each sentence.
    fn orders<'py>(
        &self,
        py: Python<'py>,
        source: &ReorderSource,
        beam: Option<i64>,
        threads: i64,
        progress: Progress,
    ) -> PyResult<Orders<'py>> {
        let order = |engine: &mut ModelEngine<'_>, sentence: &Sentence| engine.order(sentence);
        let found = self.each(py, source, beam, threads, progress, order)?;
        Ok(arrays(py, found.iter().map(in_order)))
    }

    /// Different orders of each sentence, the best first: how many there are of each, and all of them.
    fn best_orders<'py>(
        &self,
        py: Python<'py>,
        source: &ReorderSource,
        count: i64,
        beam: i64,
        threads: i64,
        progress: Progress,
    ) -> PyResult<(Vec<usize>, Orders<'py>)> {
        let count = natural("count", count, 1, "1 or more").map_err(to_python)?;
        let best = |engine: &mut ModelEngine<'_>, sentence: &Sentence| engine.best_orders(sentence, count);
        let found = self.each(py, source, self.beam(beam), threads, progress, best)?;
        let orders = arrays(py, found.iter().flatten().map(in_order));
        Ok((found.iter().map(Vec::len).collect(), orders))
    }

    /// The tree over each sentence, in brackets.
    fn trees(
        &self,
        py: Python<'_>,
        source: &ReorderSource,
        beam: Option<i64>,
        threads: i64,
        progress: Progress,
    ) -> PyResult<Vec<String>> {
        let tree = |engine: &mut ModelEngine<'_>, sentence: &Sentence| engine.tree(sentence);
        self.each(py, source, beam, threads, progress, tree)
    }

    /// The trees of different orders of each sentence, the best first.
    fn best_trees(
        &self,
        py: Python<'_>,
        source: &ReorderSource,
        count: i64,
        beam: i64,
        threads: i64,
        progress: Progress,
    ) -> PyResult<Vec<Vec<String>>> {
        let count = natural("count", count, 1, "1 or more").map_err(to_python)?;
        let best = |engine: &mut ModelEngine<'_>, sentence: &Sentence| engine.best_trees(sentence, count);
        self.each(py, source, self.beam(beam), threads, progress, best)
    }
}

/// The positions of the words in their new order.
pub(super) fn in_order(order: &Permutation) -> Vec<u32> {
    order.inverse().places().to_vec()
}

impl ReorderModel {
    /// The beam, if the model can have one.
    fn beam(&self, beam: i64) -> Option<i64> {
        self.0.has_derivations().then_some(beam)
    }

    /// What an engine says of each sentence.
    fn each<R: Send>(
        &self,
        py: Python<'_>,
        source: &ReorderSource,
        beam: Option<i64>,
        threads: i64,
        progress: Progress,
        apply: impl Fn(&mut ModelEngine<'_>, &Sentence) -> Result<R> + Sync + Send,
    ) -> PyResult<Vec<R>> {
        let Self(model) = self;
        let search = search(beam).map_err(to_python)?.unwrap_or(model.search());
        model.check_search(search).map_err(to_python)?;
        let threads = arguments::threads(threads).map_err(to_python)?;
        run_shown(py, progress, move |observer| {
            let parallelism = Parallelism::new(threads)?;
            each_sentence(&source.0, &parallelism, observer, || model.engine_with(search), apply)
        })
    }
}

/// A beam of so many states.
fn search(beam: Option<i64>) -> Result<Option<Search>> {
    let Some(states) = beam else { return Ok(None) };
    let natural = usize::try_from(states).ok().filter(|states| (1..=MOST_STATES).contains(states));
    natural.map(|states| Some(Search::Beam(states))).ok_or_else(|| Error::config("beam", states, "1 to 100000"))
}

/// What an engine, of which each thread has one, says of each sentence.
pub(super) fn each_sentence<E: Send, R: Send>(
    sentences: &[Sentence],
    parallelism: &Parallelism,
    observer: &dyn Observer,
    start: impl Fn() -> E + Sync + Send,
    apply: impl Fn(&mut E, &Sentence) -> Result<R> + Sync + Send,
) -> Result<Vec<R>> {
    observer.started("reorder", sentences.len() as u64);
    let mut all = Vec::with_capacity(sentences.len());
    parallelism.map_ordered(
        sentences.len().div_ceil(CHUNK),
        start,
        |engine, chunk| {
            check(observer)?;
            let one =
                |number: usize| apply(engine, &sentences[number]).map_err(|error| located("source", number, error));
            chunk_range(sentences.len(), CHUNK, chunk).map(one).collect::<Result<Vec<_>>>()
        },
        |chunk| {
            observer.advance(chunk.len() as u64);
            all.extend(chunk);
            Ok(())
        },
    )?;
    observer.finished("");
    Ok(all)
}
