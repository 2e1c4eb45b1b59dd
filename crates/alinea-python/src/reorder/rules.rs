//! `ReorderRules`: the reordering rules of `alinea.reorder`, to read, learn, write and apply.
//!
//! A rule set is a text that people edit; its grammar and the learning algorithm are those of `alinea::reorder::rules`.
//! This file checks ranges of arguments, runs learning and application without Python's lock, and returns the orders of
//! a text as one column of positions. `tallies` has how many sentences each rule helped and harmed in training; rules
//! written by hand have `None`.

use std::path::PathBuf;

use alinea::error::{Error, Result};
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::sink;
use alinea::parallel::Parallelism;
use alinea::reorder::rules::{RuleSet, RulesConfig, RulesEngine};
use alinea::reorder::{Engine, Sentence};
use pyo3::prelude::*;

use super::model::{Gold, ReadGold, each_sentence, in_order};
use super::orders::{Orders, arrays};
use super::source::ReorderSource;
use crate::arguments::{self, natural};
use crate::error::to_python;
use crate::text::file;
use crate::work::{Progress, run, run_shown};

/// The text of rules towards languages whose verbs come last.
#[pyfunction]
pub(crate) fn verb_final_rules() -> &'static str {
    RuleSet::verb_final_text()
}

/// Rules in the order in which they are applied.
#[pyclass(frozen, name = "ReorderRules", module = "alinea._native")]
#[derive(Debug)]
pub(crate) struct ReorderRules(RuleSet);

#[pymethods]
impl ReorderRules {
    #[new]
    fn parse(text: &str) -> PyResult<Self> {
        RuleSet::parse(text, "rules").map(Self).map_err(to_python)
    }

    /// Reads a file.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        run(py, move |_| RuleSet::read(LineReader::open(file(path), Utf8::Strict)?)).map(Self)
    }

    /// Learns rules.
    #[staticmethod]
    #[expect(
        clippy::needless_pass_by_value,
        clippy::too_many_arguments,
        reason = "PyO3 makes arguments by value, Python has names for them"
    )]
    fn learn(
        py: Python<'_>,
        source: &ReorderSource,
        gold: ReadGold<'_>,
        numbers: [i64; 4],
        factor: f64,
        seed: u64,
        threads: i64,
        progress: Progress,
    ) -> PyResult<Self> {
        let config = config(numbers, factor, seed).map_err(to_python)?;
        let threads = arguments::threads(threads).map_err(to_python)?;
        let gold = Gold::read(&gold)?;
        let learned = run_shown(py, progress, move |observer| {
            RuleSet::train(&gold.examples(&source.0)?, &config, &Parallelism::new(threads)?, observer)
        })?;
        Ok(Self(learned))
    }

    fn __len__(&self) -> usize {
        self.0.rules.len()
    }

    /// The rules, a line each.
    #[getter]
    fn text(&self) -> String {
        self.0.text()
    }

    /// Of each rule, how many sentences it helped and harmed, where that is known.
    #[getter]
    fn tallies(&self) -> Vec<Option<(u64, u64)>> {
        self.0.rules.iter().map(|rule| rule.tally.map(|tally| (tally.helped, tally.harmed))).collect()
    }

    /// Writes a file, which is complete or absent.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let text = self.0.text();
        run(py, move |_| {
            let mut output = sink::create(file(path))?;
            output.write_bytes(text.as_bytes())?;
            output.finish()
        })
    }

    /// The order of each sentence.
    fn orders<'py>(
        &self,
        py: Python<'py>,
        source: &ReorderSource,
        threads: i64,
        progress: Progress,
    ) -> PyResult<Orders<'py>> {
        let threads = arguments::threads(threads).map_err(to_python)?;
        let Self(rules) = self;
        let found = run_shown(py, progress, move |observer| {
            let order = |engine: &mut RulesEngine<'_>, sentence: &Sentence| engine.order(sentence);
            each_sentence(&source.0, &Parallelism::new(threads)?, observer, || rules.engine(), order)
        })?;
        Ok(arrays(py, found.iter().map(in_order)))
    }
}

fn config([rules, window, sample, least_helped]: [i64; 4], factor: f64, seed: u64) -> Result<RulesConfig> {
    if !(factor >= 1.0 && factor.is_finite()) {
        return Err(Error::config("factor", factor, "1 or more"));
    }
    let rules = natural("rules", rules, 0, "0 or more")?;
    let window = natural("window", window, 2, "2 to 4")?;
    let sample = natural("sample", sample, 1, "1 or more")?;
    let least_helped = natural("least_helped", least_helped, 0, "0 or more")? as u64;
    Ok(RulesConfig::default().with(|c| {
        c.rules = rules;
        c.window = window;
        c.sample = sample;
        c.factor = factor;
        c.least_helped = least_helped;
        c.seed = seed;
    }))
}
