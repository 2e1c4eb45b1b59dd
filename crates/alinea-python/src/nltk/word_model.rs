//! IBM Models 1 and 2 for `alinea.nltk`.
//!
//! A `WordModel` has the translation table t(word | mot), and in Model 2 the alignment table, as arrays by cell of a
//! numbered text. It never changes: training returns another. Initial tables are `InitialTable` as a model of the same text,
//! whose arrays are taken as they are, as one number for all cells, or as a table of the user, which is read once.
//!
//! Python gets rows of the translation table, and entries of the alignment table, when it asks for them. `Alignments`
//! has the position of the mot of each word of the text, from 1, or 0 for the empty word. A `LaterAlignment` makes an
//! alignment of them for a sentence pair when it is called.

use alinea::model::textbook::{WordByWord, best_states};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::text::NumberedText;
use crate::work::{Progress, run, run_shown};

/// The tables of Model 1 or 2 of a text. They never change; training makes new ones.
#[pyclass(frozen, module = "alinea._native")]
pub(crate) struct WordModel {
    #[pyo3(get)]
    text: Py<NumberedText>,
    model: WordByWord,
}

/// A table that a text has already, a number for the whole table, or a user's table.
#[derive(FromPyObject)]
pub(crate) enum InitialTable<'py> {
    Model(Bound<'py, WordModel>),
    Uniform(f64),
    Table(Bound<'py, PyAny>),
}

/// Four keys and a probability.
type Entry = (usize, usize, usize, f64);

#[pymethods]
impl WordModel {
    /// One probability for all pairs of words, and no alignment table.
    #[staticmethod]
    fn uniform(text: &Bound<'_, NumberedText>, probability: f64) -> Self {
        Self::new(text, WordByWord::uniform(&text.get().text, probability))
    }

    /// Equal probabilities for all positions, and no translation table.
    #[staticmethod]
    fn uniform_positions(text: &Bound<'_, NumberedText>) -> Self {
        let positions = Some(WordByWord::uniform_positions(&text.get().text));
        Self::new(text, WordByWord { translation: Vec::new(), positions })
    }

    /// Both tables after some passes over a text, which begin with those of other models of it, or a user's.
    #[staticmethod]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
    fn trained(
        py: Python<'_>,
        text: &Bound<'_, NumberedText>,
        translation: InitialTable<'_>,
        positions: Option<InitialTable<'_>>,
        passes: usize,
        progress: Progress,
    ) -> PyResult<Self> {
        let numbered = text.get();
        let translation = numbered.translation(&translation)?;
        let positions = positions.map(|positions| numbered.positions(&positions)).transpose()?;
        let mut model = WordByWord { translation, positions };
        let model = run_shown(py, progress, move |observer| {
            model.train(&numbered.text, passes, &numbered.threads()?, observer)?;
            Ok(model)
        })?;
        Ok(Self::new(text, model))
    }

    /// The best alignment of the whole text, by this model's translation table and, if there is one, another's alignment
    /// table.
    #[pyo3(signature = (alignment=None))]
    fn align(&self, py: Python<'_>, alignment: Option<&Bound<'_, Self>>) -> PyResult<Alignments> {
        let text = self.text.bind(py).get();
        let positions = alignment.and_then(|model| model.get().model.positions.as_deref());
        let states = run(py, |_| Ok(best_states(&text.text, &self.model.translation, positions, &text.threads()?)))?;
        Ok(Alignments { text: self.text.clone_ref(py), states })
    }

    /// A row of the translation table, if the word occurs.
    fn translations<'py>(&self, word: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let py = word.py();
        let text = self.text.bind(py).get();
        let Some(number) = text.word(word)? else { return Ok(None) };
        let row = PyDict::new(py);
        let cells = text.text.row(number);
        for (&mot, value) in text.text.columns()[cells.clone()].iter().zip(&self.model.translation[cells]) {
            row.set_item(text.mots.word(py, mot), value)?;
        }
        Ok(Some(row))
    }

    /// What the alignment table has for a position of a mot: the position of a word, both lengths, and the probability.
    fn positions(&self, py: Python<'_>, state: usize) -> Vec<Entry> {
        let grids = self.text.bind(py).get().text.grids();
        let Some(values) = &self.model.positions else { return Vec::new() };
        let with_state = grids.iter().filter(|(lengths, _)| state < lengths.states());
        let entries = with_state.flat_map(|&(lengths, start)| {
            let cell = move |word: usize| start + (word - 1) * lengths.states() + state;
            (1..=lengths.words).map(move |word| (word, lengths.conditions, lengths.words, values[cell(word)]))
        });
        entries.collect()
    }
}

impl WordModel {
    fn new(text: &Bound<'_, NumberedText>, model: WordByWord) -> Self {
        Self { text: text.clone().unbind(), model }
    }
}

impl NumberedText {
    /// A translation table, by cell.
    pub(crate) fn translation(&self, given: &InitialTable<'_>) -> PyResult<Vec<f64>> {
        match given {
            InitialTable::Model(model) => Ok(model.get().model.translation.clone()),
            InitialTable::Uniform(probability) => Ok(WordByWord::uniform(&self.text, *probability).translation),
            InitialTable::Table(table) => self.read_translation(table),
        }
    }

    /// An alignment table, by cell of the grids.
    pub(crate) fn positions(&self, given: &InitialTable<'_>) -> PyResult<Vec<f64>> {
        match given {
            InitialTable::Model(model) => Ok(model.get().model.positions.clone().unwrap_or_default()),
            InitialTable::Uniform(probability) => Ok(vec![*probability; self.text.grid_cells()]),
            InitialTable::Table(table) => self.read_positions(table),
        }
    }
}

/// The alignments of a text.
#[pyclass(frozen, module = "alinea._native")]
pub(crate) struct Alignments {
    text: Py<NumberedText>,
    /// By word, in the order of the text: the position of its mot from 1, or 0.
    states: Vec<u32>,
}

impl Alignments {
    pub(crate) fn new(text: Py<NumberedText>, states: Vec<u32>) -> Self {
        Self { text, states }
    }
}

#[pymethods]
impl Alignments {
    /// For each sentence pair what calls `make` with the alignment: for each word the position of its mot from 0, or `None`.
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
    fn later(this: Py<Self>, py: Python<'_>, make: Py<PyAny>) -> Vec<LaterAlignment> {
        let pairs = this.get().text.bind(py).get().text.len();
        let later = |pair| LaterAlignment { alignments: this.clone_ref(py), make: make.clone_ref(py), pair };
        (0..pairs).map(later).collect()
    }
}

/// An alignment that is made when somebody asks for it.
#[pyclass(frozen, module = "alinea._native")]
pub(crate) struct LaterAlignment {
    alignments: Py<Alignments>,
    make: Py<PyAny>,
    pair: usize,
}

#[pymethods]
impl LaterAlignment {
    fn __call__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let Alignments { text, states } = self.alignments.get();
        let words = text.bind(py).get().text.words().range(self.pair);
        let mots: Vec<Option<u32>> = states[words].iter().map(|state| state.checked_sub(1)).collect();
        self.make.call1(py, (mots,))
    }
}
