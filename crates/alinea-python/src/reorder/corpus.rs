//! Corpora of the 2012 shared task on learning word order: the class `TaskCorpus`.
//!
//! A corpus is read from a `.conll` file and the files beside it, or packed from a source with links, whose rows are
//! then the words with links, and column 7 their gold order. Packed words must not be empty or contain white space, and
//! parses must have the words of their sentences. Without `.align.info`, `guessed` counts the sentences whose rows may
//! be other words.
//!
//! A corpus gives its sentences as a `ReorderSource`, the words that have rows, and their orders. `reordered` puts
//! other orders into column 7, and `hidden` makes test data without orders and the gold standard for it. `write` writes
//! all files, complete or absent; `write_rows` the rows alone, which are a run.

use std::path::PathBuf;

use alinea::error::{Position, Result};
use alinea::format::rsmt::{Corpus, Found, Paths, Sentence, Unknown};
use alinea::format::sink;
use alinea::reorder::engine::Layer;
use alinea::reorder::reading::{packed, reordered_rows};
use alinea::reorder::{Key, brackets};
use pyo3::prelude::*;

use super::orders::{Orders, ReadOrders, arrays, examples_of_links, orders};
use super::source::{ReorderSource, WordLayers};
use super::{check_length, inconsistent, located};
use crate::error::to_python;
use crate::links::{ReadMany, alignments};
use crate::text::file;
use crate::work::run;

/// All sentences of a corpus.
#[pyclass(frozen, name = "TaskCorpus", module = "alinea._native")]
#[derive(Debug)]
pub(crate) struct TaskCorpus(pub(super) Corpus);

#[pymethods]
impl TaskCorpus {
    /// Reads rows and the files beside them.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        run(py, move |_| Corpus::read(&Paths::beside(&file(path)), Unknown::Allowed)).map(Self)
    }

    /// Makes a corpus of sentences with links.
    #[staticmethod]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
    fn pack(
        py: Python<'_>,
        source: &ReorderSource,
        links: ReadMany<'_>,
        parses: Option<Vec<String>>,
        key: &str,
    ) -> PyResult<Self> {
        let key: Key = key.parse().map_err(to_python)?;
        let links = alignments(&links);
        let sentences = run(py, move |_| {
            // Refuses links out of their sentences.
            examples_of_links(&source.0, links.clone())?;
            parses.as_ref().map_or(Ok(()), |parses| check_parses(parses, source))?;
            let mut parses = parses.map(Vec::into_iter);
            let pack = |(number, (sentence, links))| {
                check_words(sentence).map_err(|error| located("source", number, error))?;
                Ok(packed(sentence, links, parses.as_mut().and_then(Iterator::next), key))
            };
            source.0.iter().zip(&links).enumerate().map(pack).collect::<Result<Vec<_>>>()
        })?;
        Ok(Self(Corpus { sentences }))
    }

    fn __len__(&self) -> usize {
        self.0.sentences.len()
    }

    /// The sentences of these numbers.
    fn select(&self, numbers: Vec<usize>) -> Self {
        let sentence = |number: usize| self.0.sentences.get(number).cloned();
        Self(Corpus { sentences: numbers.into_iter().filter_map(sentence).collect() })
    }

    /// The sentences as engines see them.
    fn source(&self, py: Python<'_>, known: WordLayers<'_>) -> PyResult<ReorderSource> {
        let sentences = self.0.sentences.iter().map(alinea::reorder::Sentence::of_task);
        ReorderSource::of_sentences(py, sentences.collect::<Result<_>>().map_err(to_python)?, known)
    }

    /// The words that have rows, in the order of column 7; none where that is unknown.
    fn orders<'py>(&self, py: Python<'py>) -> Orders<'py> {
        let order = |sentence: &Sentence| -> Vec<u32> {
            let order = sentence.block.order().map(alinea::permutation::Permutation::inverse);
            order.iter().flat_map(|order| order.places().iter().map(|&row| sentence.kept[row as usize])).collect()
        };
        arrays(py, self.0.sentences.iter().map(order))
    }

    /// The places of the words that have rows.
    fn kept<'py>(&self, py: Python<'py>) -> Orders<'py> {
        arrays(py, self.0.sentences.iter().map(|sentence| &sentence.kept))
    }

    /// Whether column 7 tells the order of each sentence that has rows.
    fn known(&self) -> Vec<bool> {
        let known = |sentence: &Sentence| sentence.block.is_empty() || sentence.block.order().is_some();
        self.0.sentences.iter().map(known).collect()
    }

    /// The number of sentences in which the rows may be other words.
    #[getter]
    fn guessed(&self) -> usize {
        self.0.sentences.iter().filter(|sentence| sentence.found == Found::Leftmost).count()
    }

    /// The parse of each sentence.
    fn parses(&self) -> Vec<Option<String>> {
        self.0.sentences.iter().map(|sentence| sentence.parse.clone()).collect()
    }

    /// The same rows with another column 7.
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
    fn reordered(&self, given: ReadOrders<'_>) -> PyResult<Self> {
        let orders = orders(&given, "orders")?;
        check_length("orders", orders.len(), self.0.sentences.len()).map_err(to_python)?;
        let reorder = |(number, (sentence, order)): (usize, (&Sentence, &Vec<u32>))| {
            let block = reordered_rows(sentence, order).map_err(|error| located("orders", number, error))?;
            Ok(Sentence { block, ..sentence.clone() })
        };
        let sentences = self.0.sentences.iter().zip(&orders).enumerate().map(reorder).collect::<Result<_>>();
        Ok(Self(Corpus { sentences: sentences.map_err(to_python)? }))
    }

    /// Test data, the gold standard of the same sentences, and the numbers of those left out.
    fn hidden(&self) -> (Self, Self, Vec<usize>) {
        let (test, gold, left_out) = self.0.clone().into_test();
        (Self(test), Self(gold), left_out)
    }

    /// Writes all files, or those without kept words, whose names begin with `stem`. They are complete or absent.
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
    fn write(&self, py: Python<'_>, stem: PathBuf, info: bool) -> PyResult<()> {
        let Some(stem) = stem.to_str() else {
            return Err(to_python(inconsistent(format!("{}: the name is not Unicode", stem.display()))));
        };
        let (mut paths, Self(corpus)) = (Paths::with_stem(stem), self);
        if !info {
            paths.info = None;
        }
        run(py, move |_| sink::finish_all(corpus.outputs(&paths)?))
    }

    /// Writes the rows alone: a run.
    fn write_rows(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let Self(corpus) = self;
        run(py, move |_| {
            let mut bytes = Vec::new();
            corpus.sentences.iter().for_each(|sentence| sentence.block.write(&mut bytes));
            let mut output = sink::create(file(path))?;
            output.write_bytes(&bytes)?;
            output.finish()
        })
    }
}

fn check_parses(parses: &[String], source: &ReorderSource) -> Result<()> {
    check_length("parses", parses.len(), source.0.len())?;
    (1..).zip(parses.iter().zip(&source.0)).try_for_each(|(line, (parse, sentence))| {
        let words = sentence.layer(Layer::Words).unwrap_or_default();
        brackets::check(parse, words, |column| Position::new("parses", line, column as u64))
    })
}

/// Refuses words that would be several in a file, or none.
fn check_words(sentence: &alinea::reorder::Sentence) -> Result<()> {
    let layers = [Layer::Words, Layer::Tags, Layer::FineTags].map(|layer| sentence.layer(layer).unwrap_or_default());
    match layers.iter().copied().flatten().find(|word| word.is_empty() || word.contains(char::is_whitespace)) {
        None => Ok(()),
        Some(word) => {
            Err(inconsistent(format!("the files cannot have `{word}`: a word is empty, or has blanks in it")))
        }
    }
}
