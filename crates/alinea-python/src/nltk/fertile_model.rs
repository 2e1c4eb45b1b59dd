//! IBM Models 3, 4 and 5 for `alinea.nltk`, over tables that users own.
//!
//! A `FertileModel` is a copy of the tables as they are when it is made: translation and alignment tables, fertilities,
//! p1, and a table of word order. Python's dictionaries are read into arrays once, by cell of the numbered text, so
//! that a pass needs no Python. Word order is the distortion table of Model 3, by positions and lengths; in Model 4 the
//! displacements of heads, by the class of the mot before and of the word, and of other words, by the class of the
//! word; in Model 5 vacancies, beside the tables of Model 4, by which alignments are searched for. Classes may be any
//! objects with a hash.
//!
//! `sample` gives the alignments of a sentence pair that the search considers, with their log probabilities, and the
//! best one. `count` makes a pass over the text and returns the expected counts (`counted`) and the best alignments. A
//! probability that the search needs and a table lacks is a `ValueError`.

use alinea::model::textbook::{
    Displacements, Fertile, FertilityRows, Layout, LayoutRow, MIN_PROBABILITY, RowKey, WordClasses, WordOrder,
};
use alinea::parallel::Parallelism;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::counted::Counted;
use super::numbering::Names;
use super::reading::Row;
use super::text::NumberedText;
use super::word_model::{Alignments, InitialTable};
use crate::work::run;

/// The tables of Model 4.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct RelativeTables<'py> {
    /// Classes of source and target words.
    source_classes: Bound<'py, PyAny>,
    target_classes: Bound<'py, PyAny>,
    /// Of heads and of other words.
    heads: Bound<'py, PyAny>,
    others: Bound<'py, PyAny>,
}

/// The tables that Model 5 has besides.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct VacancyTables<'py> {
    /// Of heads and of other words.
    heads: Bound<'py, PyAny>,
    others: Bound<'py, PyAny>,
    /// The least share of what Model 4 finds.
    share: f64,
}

/// An alignment: something that is not used, and the position of the mot of each word.
type Path<'py> = Bound<'py, PyTuple>;

/// Class objects of both sides, by number.
pub(super) type ClassNames = [Vec<Py<PyAny>>; 2];

/// Model 3, 4 or 5 of a text, with a user's tables as they are now.
#[pyclass(frozen, module = "alinea._native")]
pub(crate) struct FertileModel {
    pub(super) text: Py<NumberedText>,
    model: Fertile,
    pub(super) keys: Keys,
}

/// What numbers stand for.
pub(super) struct Keys {
    pub(super) fertilities: FertilityRows,
    /// The table of word order, and the class objects of both sides; nothing in Model 3.
    pub(super) order: Option<(Layout, ClassNames)>,
}

#[pymethods]
impl FertileModel {
    #[new]
    #[pyo3(signature = (text, translation, alignment, fertility, p1, *, distortion, relative, vacancies))]
    #[expect(clippy::too_many_arguments, reason = "they are the tables of the models")]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
    fn new(
        text: &Bound<'_, NumberedText>,
        translation: InitialTable<'_>,
        alignment: InitialTable<'_>,
        fertility: &Bound<'_, PyAny>,
        p1: f64,
        distortion: Option<&Bound<'_, PyAny>>,
        relative: Option<RelativeTables<'_>>,
        vacancies: Option<VacancyTables<'_>>,
    ) -> PyResult<Self> {
        let numbered = text.get();
        let (translation, positions) = (numbered.translation(&translation)?, numbered.positions(&alignment)?);
        let rows = FertilityRows::of(&numbered.text);
        let fertilities = read_fertilities(numbered, &rows, fertility)?;
        let (order, kept) = match (distortion, relative) {
            (Some(table), _) => (WordOrder::Absolute(read_distortions(numbered, table)?), None),
            (None, Some(relative)) => {
                let (order, layout, names) = read_order(numbered, &relative, vacancies.as_ref())?;
                (order, Some((layout, names)))
            }
            (None, None) => return Err(PyValueError::new_err("no table of word order")),
        };
        let keys = Keys { fertilities: rows.clone(), order: kept };
        let model =
            text.py().detach(|| Fertile::new(&numbered.text, translation, positions, rows, fertilities, p1, order));
        Ok(Self { text: text.clone().unbind(), model, keys })
    }

    /// The alignments of a sentence pair that are worth looking at, with their logarithms, and the best.
    fn sample<'py>(&self, py: Python<'py>, pair: usize) -> PyResult<(Vec<(Path<'py>, f64)>, Path<'py>)> {
        let text = &self.text.bind(py).get().text;
        if pair >= text.len() {
            return Err(PyIndexError::new_err(format!("no sentence pair {pair}: there are {}", text.len())));
        }
        let sample = run(py, move |_| self.model.sample(text, pair)).map_err(|error| missing(py, error))?;
        let tuple = |states: &[u32]| PyTuple::new(py, std::iter::once(&0).chain(states).collect::<Vec<_>>());
        let all = sample.alignments().map(|(states, score)| Ok((tuple(states)?, score)));
        Ok((all.collect::<PyResult<_>>()?, tuple(sample.best())?))
    }

    /// What a pass of training counts, and the alignments that it finds.
    fn count(slf: &Bound<'_, Self>) -> PyResult<(Counted, Alignments)> {
        let (py, this) = (slf.py(), slf.get());
        let text = &this.text.bind(py).get().text;
        let found = run(py, move |observer| this.model.pass(text, &Parallelism::new(0)?, observer));
        let (counts, states) = found.map_err(|error| missing(py, error))?;
        let alignments = Alignments::new(this.text.clone_ref(py), states);
        Ok((Counted::new(slf, counts), alignments))
    }
}

/// What is missing in tables is a `ValueError`, as elsewhere in `alinea.nltk`.
fn missing(py: Python<'_>, error: PyErr) -> PyErr {
    let interrupted = error.is_instance_of::<pyo3::exceptions::PyKeyboardInterrupt>(py);
    if interrupted { error } else { PyValueError::new_err(error.value(py).to_string()) }
}

/// Displacements from minus the reach to the reach.
pub(super) fn distances(row: &LayoutRow) -> std::ops::RangeInclusive<i64> {
    -(row.reach as i64)..=row.reach as i64
}

fn read_fertilities(text: &NumberedText, rows: &FertilityRows, table: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    let py = table.py();
    let mut values = vec![MIN_PROBABILITY; rows.places()];
    let longest = (0..rows.len() as u32).map(|mot| rows.row(mot).len()).max().unwrap_or(0);
    for words in 0..longest {
        let with = Row::Table(table.clone()).of(words.into_pyobject(py)?.as_any())?;
        // That of the empty word is given by p1.
        for mot in 1..rows.len() as u32 {
            if let Some(place) = rows.row(mot).nth(words) {
                values[place] = with.of(&text.mots.word(py, mot))?.probability()?;
            }
        }
    }
    Ok(values)
}

fn read_distortions(text: &NumberedText, table: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    text.read_grids("distortion_table", table, |word, state| [word, state])
}

/// The class of each word, numbered, and what the numbers stand for; `empty` is that of the empty word, if there is one.
fn classes(names: &Names, table: &Bound<'_, PyAny>, empty: bool) -> PyResult<(Vec<u32>, Vec<Py<PyAny>>)> {
    let py = table.py();
    let (numbers, mut objects, mut of_words) = (PyDict::new(py), Vec::new(), Vec::new());
    for number in 0..names.numbers() as u32 {
        let word = names.word(py, number);
        let class = if empty && number == 0 { word } else { table.get_item(word)? };
        let class_number = if let Some(known) = numbers.get_item(&class)? {
            known.extract()?
        } else {
            numbers.set_item(&class, objects.len())?;
            objects.push(class.unbind());
            objects.len() as u32 - 1
        };
        of_words.push(class_number);
    }
    Ok((of_words, objects))
}

/// The order of Models 4 and 5, the layout of what is counted, and what classes stand for.
fn read_order(
    text: &NumberedText,
    relative: &RelativeTables<'_>,
    vacancies: Option<&VacancyTables<'_>>,
) -> PyResult<(WordOrder, Layout, ClassNames)> {
    let RelativeTables { source_classes, target_classes, heads, others } = relative;
    let py = heads.py();
    let (conditions, mot_names) = classes(&text.mots, source_classes, true)?;
    let (words, word_names) = classes(&text.words, target_classes, false)?;
    let classes = WordClasses { conditions, words };
    let names = [mot_names, word_names];
    let layout = Layout::displacements(&text.text, &classes);
    let mut values = vec![MIN_PROBABILITY; layout.values()];
    let reach = layout.rows().iter().map(|row| row.reach as i64).max().unwrap_or(0);
    for distance in -reach..=reach {
        let key = distance.into_pyobject(py)?;
        let tables = [heads, others].map(|table| Row::Table(table.clone()).of(key.as_any()));
        let [of_heads, of_others] = tables;
        let (of_heads, of_others) = (of_heads?, of_others?);
        for row in layout.rows().iter().filter(|row| row.reach as i64 >= distance.abs()) {
            let RowKey { head_after, class } = row.key;
            let class = names[1][class as usize].bind(py);
            values[row.displacement(distance)] = match head_after {
                Some(before) => of_heads.of(names[0][before as usize].bind(py))?.of(class)?.probability()?,
                None if distance > 0 => of_others.of(class)?.probability()?,
                None => continue,
            };
        }
    }
    let relative = Displacements::new(layout.clone(), classes.clone(), values);
    let Some(VacancyTables { heads, others, share }) = vacancies else {
        return Ok((WordOrder::Relative(relative), layout, names));
    };
    let layout = Layout::vacancies(&text.text, &classes);
    let mut values = vec![MIN_PROBABILITY; layout.values()];
    for row in layout.rows() {
        let table = Row::Table(if row.key.head_after.is_some() { heads.clone() } else { others.clone() });
        let class = names[1][row.key.class as usize].bind(py);
        for difference in distances(row) {
            let of_difference = table.of(difference.into_pyobject(py)?.as_any())?;
            for most in 1..=row.reach {
                let found = of_difference.of(most.into_pyobject(py)?.as_any())?.of(class)?;
                values[row.vacancies(difference, most)] = found.probability()?;
            }
        }
    }
    let table = Displacements::new(layout.clone(), classes, values);
    Ok((WordOrder::Vacancies(relative, table, *share), layout, names))
}
