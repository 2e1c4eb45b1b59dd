//! Sentences of Python strings as numbers.

use alinea::bitext::Text;
use alinea::error::{ErrorKind, Position};
use alinea::format::tokens;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::error::to_python;

/// How sentences become words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextOptions {
    /// Whether words are compared in lower case.
    pub(crate) lowercase: bool,
    /// The most words a sentence may have.
    pub(crate) max_length: usize,
}

/// Reads sentences; `side` is what messages call the argument.
pub(crate) fn read(sentences: &Bound<'_, PyAny>, side: &str, options: TextOptions) -> PyResult<Text> {
    if sentences.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err(format!("{side}: one str, where a sequence of sentences is needed")));
    }
    let mut reader = Reader { text: Text::default(), folded: Vec::new(), lowercase: options.lowercase };
    for (number, sentence) in sentences.try_iter()?.enumerate() {
        let length = reader.push(&sentence?, || format!("{side}[{number}]"))?;
        if length > options.max_length {
            let too_long = ErrorKind::TooLong {
                position: Position::new(side, number as u64 + 1, 0),
                tokens: length,
                limit: options.max_length,
                hint: "; set max_length to allow more".to_owned(),
            };
            return Err(to_python(too_long.into()));
        }
    }
    Ok(reader.text)
}

struct Reader {
    text: Text,
    folded: Vec<u8>,
    lowercase: bool,
}

impl Reader {
    /// Adds one sentence and returns its number of words.
    fn push(&mut self, sentence: &Bound<'_, PyAny>, place: impl Fn() -> String) -> PyResult<usize> {
        let mut length = 0;
        if let Ok(line) = sentence.cast::<PyString>() {
            for word in tokens::split(without_line_end(line.to_str()?).as_bytes()) {
                self.push_word(word);
                length += 1;
            }
        } else {
            let wrong = |what: &str, object: &Bound<'_, PyAny>| {
                let found = object.get_type().name().map_or_else(|_| "that".to_owned(), |name| name.to_string());
                PyTypeError::new_err(format!("{}: {what}, not {found}", place()))
            };
            let words = sentence.try_iter().map_err(|_| wrong("a sentence is a str or a sequence of str", sentence))?;
            for word in words {
                let word = word?;
                let word = word.cast::<PyString>().map_err(|_| wrong("a token is a str", &word))?;
                self.push_word(word.to_str()?.as_bytes());
                length += 1;
            }
        }
        self.text.end_sentence();
        Ok(length)
    }

    fn push_word(&mut self, word: &[u8]) {
        if self.lowercase {
            self.folded.clear();
            tokens::fold_case(word, &mut self.folded);
            self.text.push_word(&self.folded);
        } else {
            self.text.push_word(word);
        }
    }
}

/// A word alone, as [`read`] reads those of sentences.
pub(crate) fn word(word: &str, options: TextOptions) -> Vec<u8> {
    let mut read = Vec::new();
    if options.lowercase {
        tokens::fold_case(word.as_bytes(), &mut read);
    } else {
        read.extend_from_slice(word.as_bytes());
    }
    read
}

/// A line as Python's files give it has its line end with it, which is part of no word.
pub(crate) fn without_line_end(line: &str) -> &str {
    line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line))
}
