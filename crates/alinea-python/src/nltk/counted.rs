//! The expected counts of one pass of Models 3 to 5, as Python objects.
//!
//! `FertileModel` counts in arrays over numbered words and classes (`FertileCounts`). `Counted` turns these into
//! dictionaries and tuples with the user's own words and classes, which `alinea.nltk` adds to the count tables of NLTK;
//! the M step is done there, since users may override it. Entries that are 0 are left out.
//!
//! The counts are those of Brown et al. (1993, section 4): translations t(f|e), fertilities n(φ|e), and insertions of
//! the empty word in all three models; distortions d(j|i, l, m) in Model 3, displacements of heads and of other words
//! by class in Model 4, vacancies in Model 5. As in NLTK, *mots* are the conditioning words, and *words* the generated
//! ones.

use alinea::model::textbook::{FertileCounts, LayoutRow};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::fertile_model::{ClassNames, FertileModel, distances};
use super::numbering::Names;
use super::text::NumberedText;

/// What a pass has counted. Only what is not 0 comes out.
#[pyclass(frozen, module = "alinea._native")]
pub(crate) struct Counted {
    model: Py<FertileModel>,
    counts: FertileCounts,
}

#[pymethods]
impl Counted {
    /// How often a word was not accompanied by one of the empty word, and how often it was.
    fn null(&self) -> [f64; 2] {
        self.counts.null
    }

    /// For each word, how often it had each mot.
    fn translations<'py>(&self, py: Python<'py>) -> PyResult<Vec<(Bound<'py, PyAny>, Bound<'py, PyDict>)>> {
        let text = self.text(py);
        let row = |word: u32| {
            let cells = text.text.row(word);
            let found = text.text.columns()[cells.clone()].iter().zip(&self.counts.translation[cells]);
            let row = named(py, &text.mots, found.map(|(mot, count)| (*mot, *count)))?;
            Ok((text.words.word(py, word), row))
        };
        (0..text.words.numbers() as u32).map(row).collect()
    }

    /// For each number of words, how often each mot had so many.
    fn fertilities<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let (text, rows) = (self.text(py), &self.model.get().keys.fertilities);
        let mots = 0..rows.len() as u32;
        let longest = mots.clone().map(|mot| rows.row(mot).len()).max().unwrap_or(0);
        let with = |words: usize| {
            let found =
                mots.clone().filter_map(move |mot| Some((mot, *self.counts.fertilities[rows.row(mot)].get(words)?)));
            named(py, &text.mots, found)
        };
        (0..longest).map(with).collect()
    }

    /// In Model 3: position of a word and of a mot, both lengths, and how often.
    fn distortions(&self, py: Python<'_>) -> Vec<(usize, usize, usize, usize, f64)> {
        let grids = self.text(py).text.grids().iter().flat_map(|&(lengths, start)| {
            (0..lengths.cells()).map(move |cell| {
                let (word, state) = (cell / lengths.states() + 1, cell % lengths.states());
                (word, state, lengths.conditions, lengths.words, self.counts.order[start + cell])
            })
        });
        grids.filter(|entry| entry.4 != 0.0).collect()
    }

    /// In Model 4: the distance of a head, the class of the mot before, its own class, and how often.
    fn heads<'py>(&self, py: Python<'py>) -> Vec<(i64, Bound<'py, PyAny>, Bound<'py, PyAny>, f64)> {
        self.entries(py, |row, [mots, words]| {
            let keys =
                (mots[row.key.head_after? as usize].bind(py).clone(), words[row.key.class as usize].bind(py).clone());
            Some(
                self.displacements(row).map(move |(distance, count)| (distance, keys.0.clone(), keys.1.clone(), count)),
            )
        })
    }

    /// In Model 4: the distance of another word, its class, and how often.
    fn others<'py>(&self, py: Python<'py>) -> Vec<(i64, Bound<'py, PyAny>, f64)> {
        self.entries(py, |row, [_, words]| {
            if row.key.head_after.is_some() {
                return None;
            }
            let class = words[row.key.class as usize].bind(py).clone();
            Some(self.displacements(row).map(move |(distance, count)| (distance, class.clone(), count)))
        })
    }

    /// In Model 5: whether it is a head, the difference of vacancies, their number, its class, and how often.
    fn vacancies<'py>(&self, py: Python<'py>) -> Vec<(bool, i64, usize, Bound<'py, PyAny>, f64)> {
        self.entries(py, |row, [_, words]| {
            let (class, row) = (words[row.key.class as usize].bind(py).clone(), *row);
            let head = row.key.head_after.is_some();
            let counts = vacancy_keys(&row).map(move |(difference, most)| {
                (head, difference, most, class.clone(), self.counts.order[row.vacancies(difference, most)])
            });
            Some(counts.filter(|entry| entry.4 != 0.0))
        })
    }
}

impl Counted {
    pub(super) fn new(model: &Bound<'_, FertileModel>, counts: FertileCounts) -> Self {
        Self { model: model.clone().unbind(), counts }
    }

    fn text<'py>(&'py self, py: Python<'py>) -> &'py NumberedText {
        self.model.get().text.bind(py).get()
    }

    /// What rows of the table of word order have.
    fn entries<'s, T, I: Iterator<Item = T>>(
        &'s self,
        _: Python<'_>,
        of: impl Fn(&'s LayoutRow, &'s ClassNames) -> Option<I>,
    ) -> Vec<T> {
        let Some((layout, names)) = &self.model.get().keys.order else { return Vec::new() };
        layout.rows().iter().filter_map(|row| of(row, names)).flatten().collect()
    }

    fn displacements<'s>(&'s self, row: &'s LayoutRow) -> impl Iterator<Item = (i64, f64)> + 's {
        let all = distances(row).map(|distance| (distance, self.counts.order[row.displacement(distance)]));
        all.filter(|(_, count)| *count != 0.0)
    }
}

/// Words and what is not 0 of their values.
fn named<'py>(
    py: Python<'py>,
    names: &Names,
    values: impl Iterator<Item = (u32, f64)>,
) -> PyResult<Bound<'py, PyDict>> {
    let row = PyDict::new(py);
    for (number, value) in values.filter(|(_, value)| *value != 0.0) {
        row.set_item(names.word(py, number), value)?;
    }
    Ok(row)
}

/// Differences and numbers of vacancies that can be.
fn vacancy_keys(row: &LayoutRow) -> impl Iterator<Item = (i64, usize)> + use<> {
    let reach = row.reach;
    distances(row).flat_map(move |difference| (1..=reach).map(move |most| (difference, most)))
}
