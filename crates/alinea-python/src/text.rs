//! Sentences from Python, read into a `Text`: those of files, of Arrow columns, and of any iterable.
//!
//! An object with `__fspath__` is a file with a sentence a line. An object that lends its memory through Arrow is read
//! without Python's lock. Anything else is iterated over. A sentence is a `str`, which is cut into words as
//! `TextOptions` says, or a sequence of `str`, whose words are taken as they are. A single `str` in place of a sequence
//! of sentences is refused: it would be read as sentences of one letter.
//!
//! Words are lowercased if the options say so, and sentences of more than `max_length` words are errors, which name the
//! argument and the sentence. Blanks other than space and tab inside words of a `str` cause a warning, and with
//! `read_to_align` so does text of `str` that seems not to be tokenized. `TextParts` gives each warning once for a text that
//! comes part by part.

use std::path::{Path, PathBuf};

use alinea::bitext::Text;
use alinea::error::Position;
use alinea::format::bitext::{ReadOptions, read_text};
use alinea::format::blanks::ForeignBlanks;
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::tokens::{GluedPunctuation, Tokenize};
use alinea::format::{source, tokens};
use alinea::model::TextForm;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::arguments;
use crate::arrow::{self, Item, Refused};
use crate::work::{BATCH, run, warn};

/// In how many sentences glued punctuation is looked for.
const GLUED_SENTENCES: usize = 1000;

/// How sentences become words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextOptions {
    /// Whether words are compared in lower case.
    pub(crate) lowercase: bool,
    /// How a sentence that is one string is cut into words.
    pub(crate) tokenize: Tokenize,
    /// The most words a sentence may have.
    pub(crate) max_length: usize,
}

impl TextOptions {
    /// Words as they are, however many, cut at blanks and tabs.
    pub(crate) const AS_IS: Self = Self { lowercase: false, tokenize: Tokenize::None, max_length: usize::MAX };

    /// How text is read as that of a model or a training was.
    pub(crate) fn of(form: TextForm, max_length: usize) -> Self {
        let TextForm { lowercase, tokenize, .. } = form;
        Self { lowercase, tokenize, max_length }
    }

    /// What a model remembers of it.
    pub(crate) fn form(self) -> TextForm {
        TextForm::default().with(|c| {
            c.lowercase = self.lowercase;
            c.tokenize = self.tokenize;
        })
    }
}

/// The same as the façade gives it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Reading {
    lowercase: bool,
    tokenize: String,
    max_length: i64,
}

impl Reading {
    /// What it says.
    pub(crate) fn options(self) -> alinea::error::Result<TextOptions> {
        let Self { lowercase, tokenize, max_length } = self;
        let tokenize = tokenize.parse()?;
        let max_length = arguments::max_length(max_length)?;
        Ok(TextOptions { lowercase, tokenize, max_length })
    }
}

/// A text, and what was met in it.
struct ReadText {
    text: Text,
    /// Blanks inside of words of sentences that are one string.
    foreign: Option<ForeignBlanks>,
    /// Words of sentences that are one string, in the first sentences.
    glued: GluedPunctuation,
}

/// Reads sentences; `side` is what messages call the argument. Warns of blanks inside of words.
pub(crate) fn read(sentences: &Bound<'_, PyAny>, side: &str, options: TextOptions) -> PyResult<Text> {
    let ReadText { text, foreign, .. } = read_quietly(sentences, side, options)?;
    warn_of_blanks(sentences.py(), foreign)?;
    Ok(text)
}

/// Reads the arguments `source` and `target`. Warns of blanks inside of words, once for both.
pub(crate) fn read_both(sides: [&Bound<'_, PyAny>; 2], options: TextOptions) -> PyResult<[Text; 2]> {
    let ReadBoth { texts, foreign, .. } = read_two(sides, options)?;
    warn_of_blanks(sides[0].py(), foreign)?;
    Ok(texts)
}

/// The same for text that was read before, when warnings were given.
pub(crate) fn read_again(sides: [&Bound<'_, PyAny>; 2], options: TextOptions) -> PyResult<[Text; 2]> {
    read_two(sides, options).map(|read| read.texts)
}

/// The same for text that is aligned: warns of text that seems not to be tokenized, too.
pub(crate) fn read_to_align(sides: [&Bound<'_, PyAny>; 2], options: TextOptions) -> PyResult<[Text; 2]> {
    let mut parts = TextParts::default();
    let texts = parts.read(sides, options)?;
    parts.end(sides[0].py(), options)?;
    Ok(texts)
}

/// A text to be aligned that comes part by part: what is warned of is warned of once.
#[derive(Debug, Default)]
pub(crate) struct TextParts {
    /// Of source and target.
    glued: [GluedPunctuation; 2],
    sentences: usize,
    /// Whether blanks inside of words were warned of.
    foreign: bool,
    /// Whether enough was seen to say if the text is tokenized.
    judged: bool,
}

impl TextParts {
    /// Reads the next part, its arguments `source` and `target`.
    pub(crate) fn read(&mut self, sides: [&Bound<'_, PyAny>; 2], options: TextOptions) -> PyResult<[Text; 2]> {
        let (py, ReadBoth { texts, foreign, glued }) = (sides[0].py(), read_two(sides, options)?);
        if foreign.is_some() && !std::mem::replace(&mut self.foreign, true) {
            warn_of_blanks(py, foreign)?;
        }
        for (sum, part) in self.glued.iter_mut().zip(glued) {
            sum.tokens += part.tokens;
            sum.glued += part.glued;
        }
        self.sentences += texts[0].len();
        if self.sentences >= GLUED_SENTENCES {
            self.end(py, options)?;
        }
        Ok(texts)
    }

    /// Warns of text that seems not to be tokenized, unless that was done.
    pub(crate) fn end(&mut self, py: Python<'_>, options: TextOptions) -> PyResult<()> {
        if std::mem::replace(&mut self.judged, true) || options.tokenize != Tokenize::None {
            return Ok(());
        }
        let [source, target] = self.glued.map(|side| side.share());
        let share = source.max(target);
        if share <= GluedPunctuation::SUSPICIOUS {
            return Ok(());
        }
        let message = format!(
            "{:.0} % of the words end in punctuation (such as `house,`): the text does not seem to be tokenized; \
             tokenize=\"unicode\" cuts it",
            share * 100.0
        );
        warn(py, [message])
    }
}

/// Both texts, and what was met in them.
struct ReadBoth {
    texts: [Text; 2],
    foreign: Option<ForeignBlanks>,
    glued: [GluedPunctuation; 2],
}

fn read_two(sides: [&Bound<'_, PyAny>; 2], options: TextOptions) -> PyResult<ReadBoth> {
    let source = read_quietly(sides[0], "source", options)?;
    let target = read_quietly(sides[1], "target", options)?;
    let mut foreign = source.foreign;
    ForeignBlanks::add(&mut foreign, target.foreign);
    Ok(ReadBoth { texts: [source.text, target.text], foreign, glued: [source.glued, target.glued] })
}

fn warn_of_blanks(py: Python<'_>, found: Option<ForeignBlanks>) -> PyResult<()> {
    let Some(found) = found else { return Ok(()) };
    let message = format!(
        "{found}: positions differ from those of str.split(); sentences as lists of words, such as line.split(), are \
         taken as they are"
    );
    warn(py, [message])
}

fn read_quietly(sentences: &Bound<'_, PyAny>, side: &str, options: TextOptions) -> PyResult<ReadText> {
    if sentences.is_instance_of::<PyString>() {
        let message = format!("{side}: expected a sequence of sentences, not a str (pass a file as a pathlib.Path)");
        return Err(PyTypeError::new_err(message));
    }
    if let Some(path) = path(sentences)? {
        return read_file(sentences.py(), path, options);
    }
    let read = arrow::with_column(sentences, side, |column, observer| {
        let mut reader = Reader::new(side, options);
        column.for_each_text(observer, |number, item| reader.push_item(number, item))?;
        Ok(reader.end())
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
fn read_file(py: Python<'_>, path: PathBuf, options: TextOptions) -> PyResult<ReadText> {
    let TextOptions { lowercase, tokenize, max_length } = options;
    let options = ReadOptions::default().with(|c| {
        c.lowercase = lowercase;
        c.tokenize = tokenize;
        c.max_length = max_length;
    });
    let read = run(py, move |_| source::open(&path).and_then(|input| read_text(input, &options)))?;
    Ok(ReadText { text: read.text, foreign: read.report.foreign_blanks, glued: read.report.glued })
}

/// Visits sentences that are one string each, of whatever they come in.
pub(crate) fn for_each_line(
    sentences: &Bound<'_, PyAny>,
    side: &str,
    mut visit: impl FnMut(&str) + Send,
) -> PyResult<()> {
    if let Some(path) = path(sentences)? {
        return run(sentences.py(), |_| {
            let mut lines = LineReader::open(&path, Utf8::Strict)?;
            while let Some(line) = lines.read()? {
                visit(line);
            }
            Ok(())
        });
    }
    let of_column = arrow::with_column(sentences, side, |column, observer| {
        column.for_each_text(observer, |number, item| match item {
            Some(Item::Line(line)) => {
                visit(without_line_end(line));
                Ok(())
            }
            _ => Err(Refused::Type(format!("[{number}]: a sentence is a str"))),
        })
    })?;
    if of_column.is_some() {
        return Ok(());
    }
    for (number, sentence) in sentences.try_iter()?.enumerate() {
        if number % BATCH == 0 {
            sentences.py().check_signals()?;
        }
        let sentence = sentence?;
        let line = sentence.cast::<PyString>();
        let line = line.map_err(|_| PyTypeError::new_err(format!("{side}[{number}]: a sentence is a str")))?;
        visit(without_line_end(line.to_str()?));
    }
    Ok(())
}

/// Reads the items of an iterable.
fn read_objects(sentences: &Bound<'_, PyAny>, side: &str, options: TextOptions) -> PyResult<ReadText> {
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
    Ok(reader.end())
}

struct Reader<'s> {
    side: &'s str,
    text: Text,
    /// Blanks inside of words of sentences that are one string.
    foreign: Option<ForeignBlanks>,
    glued: GluedPunctuation,
    folded: Vec<u8>,
    options: TextOptions,
}

impl<'s> Reader<'s> {
    fn new(side: &'s str, options: TextOptions) -> Self {
        let glued = GluedPunctuation::default();
        Self { side, text: Text::default(), foreign: None, glued, folded: Vec::new(), options }
    }

    fn end(self) -> ReadText {
        ReadText { text: self.text, foreign: self.foreign, glued: self.glued }
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
        let tokenize = self.options.tokenize;
        if tokenize == Tokenize::None {
            let place = || Position::new(self.side, self.text.len() as u64 + 1, 0);
            ForeignBlanks::add(&mut self.foreign, ForeignBlanks::of_line(line, place));
        }
        let mut length = 0;
        tokens::for_each(line, tokenize, |word| {
            if self.text.len() < GLUED_SENTENCES {
                self.glued.observe(word);
            }
            self.push_word(word);
            length += 1;
        });
        length
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
