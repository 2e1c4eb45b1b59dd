//! Numbers for the words of one side, in the order in which they first occur.
//!
//! Words are whatever Python accepts as dictionary keys, and equal where Python finds them equal. If all are exactly
//! `str`, equality is that of their UTF-8 bytes, and a native vocabulary numbers them. Other words (subclasses of
//! `str`, which may redefine equality, strings with lone surrogates, tuples, numbers) go through a Python dictionary.
//! The first such word makes the fast path give up, and the side is numbered again from the beginning.

use alinea::bitext::Vocabulary;
use alinea::model::textbook::NumberedSide;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

/// The words of one side, numbered in the order in which they first occur.
pub(crate) struct Names {
    words: Vec<Py<PyAny>>,
    /// The number that the first has.
    first: u32,
}

impl Names {
    /// The words in order.
    pub(crate) fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.words.iter().map(|word| word.bind(py)))
    }

    /// The word with a number; `None`, the empty word, for 0 if that is not a word's.
    pub(crate) fn word<'py>(&self, py: Python<'py>, number: u32) -> Bound<'py, PyAny> {
        match number.checked_sub(self.first) {
            Some(place) => self.words[place as usize].bind(py).clone(),
            None => py.None().into_bound(py),
        }
    }

    /// One more than the greatest number.
    pub(crate) fn numbers(&self) -> usize {
        self.words.len() + self.first as usize
    }

    /// Words with their numbers.
    pub(crate) fn dictionary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dictionary = PyDict::new(py);
        for (word, number) in self.words.iter().zip(self.first..) {
            dictionary.set_item(word, number)?;
        }
        Ok(dictionary)
    }
}

/// Numbers the words of sentences from `first`. If that is 1, `None` is the empty word and has the number 0.
pub(crate) fn number(sentences: &[Bound<'_, PyAny>], first: u32) -> PyResult<(NumberedSide, Names)> {
    match strings(sentences, first)? {
        Some(found) => Ok(found),
        None => objects(sentences, first),
    }
}

/// The same of texts in which all words are plain strings, or nothing if one is something else.
fn strings(sentences: &[Bound<'_, PyAny>], first: u32) -> PyResult<Option<(NumberedSide, Names)>> {
    let mut side = NumberedSide::default();
    let mut words: Vec<Py<PyAny>> = Vec::new();
    let mut vocabulary = Vocabulary::default();
    for sentence in sentences {
        for word in sentence.try_iter()? {
            let word = word?;
            // Subclasses may be equal to other things; and text with surrogates has no bytes.
            let Ok(Ok(text)) = word.cast_exact::<PyString>().map(|word| word.to_str()) else { return Ok(None) };
            let place = vocabulary.intern(text.as_bytes()).index();
            if place == words.len() {
                words.push(word.unbind());
            }
            side.push(place as u32 + first);
        }
        side.end_sentence();
    }
    Ok(Some((side, Names { words, first })))
}

/// The same of any words that have a hash.
fn objects(sentences: &[Bound<'_, PyAny>], first: u32) -> PyResult<(NumberedSide, Names)> {
    let mut side = NumberedSide::default();
    let mut words: Vec<Py<PyAny>> = Vec::new();
    let Some(py) = sentences.first().map(Bound::py) else {
        return Ok((side, Names { words, first }));
    };
    let numbers = PyDict::new(py);
    if first == 1 {
        numbers.set_item(py.None(), 0)?;
    }
    for sentence in sentences {
        for word in sentence.try_iter()? {
            let word = word?;
            let number = if let Some(number) = numbers.get_item(&word)? {
                number.extract()?
            } else {
                let number = words.len() as u32 + first;
                numbers.set_item(&word, number)?;
                words.push(word.unbind());
                number
            };
            side.push(number);
        }
        side.end_sentence();
    }
    Ok((side, Names { words, first }))
}
