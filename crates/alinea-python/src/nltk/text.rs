//! A parallel corpus of `alinea.nltk` as numbers, and reading of user-owned tables over it.
//!
//! `NumberedText` numbers the words of NLTK's `AlignedSent` objects once: generated words from 0, *mots* from 1, with 0
//! for the empty word (`None` in Python). All training works on its `PairedText`: cells are the pairs of words that
//! occur together, grids have a cell for each position and pair of sentence lengths.
//!
//! The readers turn nested dictionaries, or whatever has their methods, into arrays by cell. They look up exactly the
//! keys that the corpus needs; a key that is missing is an error that names it. Texts with fewer than 2^17 states are
//! processed serially, since starting threads would take longer.

use alinea::error::Result;
use alinea::model::textbook::{NumberedSide, PairedText};
use alinea::parallel::Parallelism;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList};

use super::numbering::{Names, number};
use super::reading::{Row, missing};
use crate::error::to_python;

/// The states of a text that is done before threads would have begun.
const FEW_STATES: usize = 1 << 17;

/// Aligned sentences with numbers for words.
#[pyclass(frozen, module = "alinea._native")]
pub(crate) struct NumberedText {
    pub(crate) text: PairedText,
    pub(crate) words: Names,
    /// From 1; 0 is the empty mot, `None`.
    pub(crate) mots: Names,
    numbers: PyOnceLock<Py<PyDict>>,
    /// Threads for passes over it.
    threads: usize,
}

#[pymethods]
impl NumberedText {
    /// Reads a list of aligned sentences.
    #[new]
    fn read(pairs: &Bound<'_, PyList>) -> PyResult<Self> {
        let py = pairs.py();
        let side = |name| pairs.iter().map(|pair| pair.getattr(name)).collect::<PyResult<Vec<_>>>();
        let (words, word_names) = number(&side(pyo3::intern!(py, "words"))?, 0)?;
        let (mots, mot_names) = number(&side(pyo3::intern!(py, "mots"))?, 1)?;
        let threads = threads(states(&words, &mots)).map_err(to_python)?;
        let text = py.detach(|| PairedText::new(words, mots, &threads));
        let threads = threads.threads();
        Ok(Self { text, words: word_names, mots: mot_names, numbers: PyOnceLock::new(), threads })
    }

    /// The different words, in the order in which they first occur.
    fn words<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.words.list(py)
    }

    /// The different mots, the same way, without the empty one.
    fn mots<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.mots.list(py)
    }

    /// The pairs of lengths that occur, mots first.
    fn lengths(&self) -> Vec<(usize, usize)> {
        self.text.grids().iter().map(|(lengths, _)| (lengths.conditions, lengths.words)).collect()
    }
}

/// How many states all words of a text have.
fn states(words: &NumberedSide, mots: &NumberedSide) -> usize {
    (0..words.len()).map(|pair| words.range(pair).len() * (mots.range(pair).len() + 1)).sum()
}

/// Threads for a pass over so many states.
fn threads(states: usize) -> Result<Parallelism> {
    if states < FEW_STATES { Ok(Parallelism::serial()) } else { Parallelism::new(0) }
}

impl NumberedText {
    /// Threads for passes over it.
    pub(crate) fn threads(&self) -> Result<Parallelism> {
        Parallelism::new(self.threads)
    }

    /// The number of a word.
    pub(crate) fn word(&self, word: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
        let numbers =
            self.numbers.get_or_try_init(word.py(), || self.words.dictionary(word.py()).map(Bound::unbind))?;
        numbers.bind(word.py()).get_item(word)?.map(|number| number.extract()).transpose()
    }

    /// A user's translation table, by cell.
    pub(crate) fn read_translation(&self, table: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
        let py = table.py();
        let mut values = Vec::with_capacity(self.text.columns().len());
        for number in 0..self.words.numbers() as u32 {
            let word = self.words.word(py, number);
            let row = Row::Table(table.clone()).of(&word)?;
            for &mot in &self.text.columns()[self.text.row(number)] {
                let mot = self.mots.word(py, mot);
                let found = row.of(&mot)?;
                if matches!(found, Row::Missing) {
                    return Err(missing("translation_table", &[word, mot]));
                }
                values.push(found.probability()?);
            }
        }
        Ok(values)
    }

    /// A user's alignment table, by cell of the grids.
    pub(crate) fn read_positions(&self, table: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
        self.read_grids("alignment_table", table, |word, state| [state, word])
    }

    /// A table with four keys by cell of the grids: those that `first` makes of word and state, and both lengths.
    pub(crate) fn read_grids(
        &self,
        name: &str,
        table: &Bound<'_, PyAny>,
        first: impl Fn(usize, usize) -> [usize; 2],
    ) -> PyResult<Vec<f64>> {
        let py = table.py();
        let mut values = Vec::with_capacity(self.text.grid_cells());
        for &(lengths, _) in self.text.grids() {
            for word in 1..=lengths.words {
                for state in 0..lengths.states() {
                    let [one, two] = first(word, state);
                    let keys = [one, two, lengths.conditions, lengths.words];
                    let keys = keys.map(|key| key.into_pyobject(py).map(Bound::into_any));
                    let keys: Vec<_> = keys.into_iter().collect::<Result<_, _>>()?;
                    let found = keys.iter().try_fold(Row::Table(table.clone()), |row, key| row.of(key))?;
                    if matches!(found, Row::Missing) {
                        return Err(missing(name, &keys));
                    }
                    values.push(found.probability()?);
                }
            }
        }
        Ok(values)
    }
}
