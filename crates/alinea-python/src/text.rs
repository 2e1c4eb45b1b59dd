//! Sentences of Python strings, of files and of columns of data frames as numbers.

use std::path::{Path, PathBuf};

use alinea::bitext::Text;
use alinea::error::{ErrorKind, Position};
use alinea::format::bitext::{ReadOptions, read_text};
use alinea::format::blanks::ForeignBlanks;
use alinea::format::{source, tokens};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::align::warn;
use crate::arrow::{self, Item, Refused};
use crate::work::run;

/// Sentences between two questions whether a signal came.
const BATCH: usize = 4096;

/// How sentences become words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextOptions {
    /// Whether words are compared in lower case.
    pub(crate) lowercase: bool,
    /// The most words a sentence may have.
    pub(crate) max_length: usize,
}

/// Reads sentences; `side` is what messages call the argument. Warns of blanks inside of words.
pub(crate) fn read(sentences: &Bound<'_, PyAny>, side: &str, options: TextOptions) -> PyResult<Text> {
    let (text, foreign) = read_quietly(sentences, side, options)?;
    warn_of_blanks(sentences.py(), foreign)?;
    Ok(text)
}

/// Reads the arguments `source` and `target`. Warns of blanks inside of words, once for both.
pub(crate) fn read_both(sides: [&Bound<'_, PyAny>; 2], options: TextOptions) -> PyResult<[Text; 2]> {
    let (source, mut foreign) = read_quietly(sides[0], "source", options)?;
    let (target, of_target) = read_quietly(sides[1], "target", options)?;
    ForeignBlanks::add(&mut foreign, of_target);
    warn_of_blanks(sides[0].py(), foreign)?;
    Ok([source, target])
}

fn warn_of_blanks(py: Python<'_>, found: Option<ForeignBlanks>) -> PyResult<()> {
    let Some(found) = found else { return Ok(()) };
    let message = format!(
        "{found}: positions differ from those of str.split(); sentences as lists of words, such as line.split(), are \
         taken as they are"
    );
    warn(py, [message])
}

fn read_quietly(
    sentences: &Bound<'_, PyAny>,
    side: &str,
    options: TextOptions,
) -> PyResult<(Text, Option<ForeignBlanks>)> {
    if sentences.is_instance_of::<PyString>() {
        let message = format!("{side}: one str, where a sequence of sentences is needed (a file is a pathlib.Path)");
        return Err(PyTypeError::new_err(message));
    }
    if let Some(path) = path(sentences)? {
        return read_file(sentences.py(), path, options);
    }
    let read = arrow::with_column(sentences, side, |column, observer| {
        let mut reader = Reader::new(side, options);
        column.for_each_text(observer, |number, item| reader.push_item(number, item))?;
        Ok((reader.text, reader.foreign))
    })?;
    read.map_or_else(|| read_objects(sentences, side, options), Ok)
}

/// The path that an object is, if it is one.
pub(crate) fn path(object: &Bound<'_, PyAny>) -> PyResult<Option<PathBuf>> {
    if object.hasattr("__fspath__")? { object.extract().map(file).map(Some) } else { Ok(None) }
}

/// A file, whatever it is called: the one path that would stand for a standard stream, by another name.
pub(crate) fn file(path: PathBuf) -> PathBuf {
    if source::is_dash(&path) { Path::new(".").join(path) } else { path }
}

/// Reads a file with a sentence a line.
fn read_file(
    py: Python<'_>,
    path: PathBuf,
    TextOptions { lowercase, max_length }: TextOptions,
) -> PyResult<(Text, Option<ForeignBlanks>)> {
    let options = ReadOptions { lowercase, max_length, ..ReadOptions::default() };
    let read = run(py, move |_| {
        let read = source::open(&path).and_then(|input| read_text(input, &options));
        read.map_err(|error| match error.into_kind() {
            ErrorKind::TooLong { position, tokens, limit, .. } => {
                let hint = "; set max_length to allow more".to_owned();
                ErrorKind::TooLong { position, tokens, limit, hint }.into()
            }
            kind => kind.into(),
        })
    })?;
    Ok((read.text, read.report.foreign_blanks))
}

/// Reads the items of an iterable.
fn read_objects(
    sentences: &Bound<'_, PyAny>,
    side: &str,
    options: TextOptions,
) -> PyResult<(Text, Option<ForeignBlanks>)> {
    let mut reader = Reader::new(side, options);
    for (number, sentence) in sentences.try_iter()?.enumerate() {
        if number % BATCH == 0 {
            sentences.py().check_signals()?;
        }
        let length = reader.push(&sentence?, || format!("{side}[{number}]"))?;
        if length > options.max_length {
            return Err(arrow::too_long(side, number, [length, options.max_length]));
        }
    }
    Ok((reader.text, reader.foreign))
}

struct Reader<'s> {
    side: &'s str,
    text: Text,
    /// Blanks inside of words of sentences that are one string.
    foreign: Option<ForeignBlanks>,
    folded: Vec<u8>,
    options: TextOptions,
}

impl<'s> Reader<'s> {
    fn new(side: &'s str, options: TextOptions) -> Self {
        Self { side, text: Text::default(), foreign: None, folded: Vec::new(), options }
    }

    /// Adds one sentence and returns its number of words.
    fn push(&mut self, sentence: &Bound<'_, PyAny>, place: impl Fn() -> String) -> PyResult<usize> {
        let mut length = 0;
        if let Ok(line) = sentence.cast::<PyString>() {
            length = self.push_line(line.to_str()?);
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

    /// Adds item `number`, from 0, of a column.
    fn push_item(&mut self, number: usize, item: Option<Item<'_>>) -> Result<(), Refused> {
        let null = |what: &str| Refused::Type(format!("[{number}]: {what}, not null"));
        let length = match item {
            None => return Err(null("a sentence is a str or a sequence of str")),
            Some(Item::Line(line)) => self.push_line(line),
            Some(Item::Words(words)) => {
                let mut length = 0;
                for word in words.iter() {
                    self.push_word(word.ok_or_else(|| null("a token is a str"))?.as_bytes());
                    length += 1;
                }
                length
            }
        };
        self.text.end_sentence();
        let limit = self.options.max_length;
        if length > limit { Err(Refused::TooLong([number, length, limit])) } else { Ok(()) }
    }

    /// Adds the words of a line and returns their number.
    fn push_line(&mut self, line: &str) -> usize {
        let line = without_line_end(line);
        let place = || Position::new(self.side, self.text.len() as u64 + 1, 0);
        ForeignBlanks::add(&mut self.foreign, ForeignBlanks::of_line(line, place));
        tokens::split(line.as_bytes()).map(|word| self.push_word(word)).count()
    }

    fn push_word(&mut self, word: &[u8]) {
        if self.options.lowercase {
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
    line.strip_suffix('\n').unwrap_or(line).trim_end_matches('\r')
}
