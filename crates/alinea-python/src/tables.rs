//! Lexical translation tables and word classes.
//!
//! `lexicon` counts the links of a text and returns a list of (word, translation, probability, count) for one side,
//! with `None` for the empty word.
//!
//! `classes` maximizes the likelihood of a class bigram model by the exchange algorithm, from the classes of a file or
//! a dictionary if there are any. It returns the words, sorted, with the numbers of their classes from 1; the
//! log-likelihood and the perplexity; whether no word can be moved for the better; and the signature.

use std::collections::BTreeMap;
use std::path::PathBuf;

use alinea::bitext::{Bitext, Side};
use alinea::classes::{ClassesConfig, WordClasses};
use alinea::error::{Error, Result};
use alinea::format::classes::{self as class_files, ClassTable};
use alinea::format::lines::{LineReader, Utf8};
use alinea::lexicon::{LinkCounts, TableChoice};
use alinea::parallel::Parallelism;
use alinea::progress::check;
use pyo3::prelude::*;

use crate::arguments::{self, natural};
use crate::error::to_python;
use crate::links::{ReadMany, alignments};
use crate::text::{self, TextOptions, file};
use crate::work::{Progress, run, run_shown};

/// Pairs between two questions whether to stop.
const BATCH: usize = 4096;

/// A word, its translation, their probability and how often they are linked; nothing in place of a word is the empty one.
type Entry = (Option<String>, Option<String>, f64, u64);

/// Counts links and returns the table of translations of one side.
#[pyfunction]
#[pyo3(signature = (source, target, links, *, reverse, best, least, empty_word, lowercase))]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of the Python function")]
pub(crate) fn lexicon<'py>(
    source: &Bound<'py, PyAny>,
    target: &Bound<'py, PyAny>,
    links: ReadMany<'py>,
    reverse: bool,
    best: Option<i64>,
    least: f64,
    empty_word: bool,
    lowercase: bool,
) -> PyResult<Vec<Entry>> {
    let best = best.map(|best| natural("best", best, 1, "1 or more, or None")).transpose().map_err(to_python)?;
    if !(0.0..=1.0).contains(&least) {
        return Err(to_python(Error::config("least", least, "0 to 1")));
    }
    let options = TextOptions { lowercase, ..TextOptions::AS_IS };
    let [texts, targets] = text::read_both([source, target], options)?;
    let bitext = Bitext::new(texts, targets).map_err(to_python)?;
    let links = alignments(&links);
    if links.len() != bitext.len() {
        let lengths = [links.len() as u64, bitext.len() as u64];
        return Err(to_python(Error::unequal_lengths("links", lengths[0], "source", lengths[1])));
    }
    let of = if reverse { Side::Target } else { Side::Source };
    let choice = TableChoice::default().with(|c| {
        c.best = best;
        c.least = least;
        c.empty_word = empty_word;
    });
    run(source.py(), move |observer| {
        let mut counts = LinkCounts::default();
        for (n, links) in links.iter().enumerate() {
            if n % BATCH == 0 {
                check(observer)?;
            }
            let pair = bitext.pair(n);
            let source = pair.source.iter().map(|&word| bitext.source.vocabulary().word(word));
            let target = pair.target.iter().map(|&word| bitext.target.vocabulary().word(word));
            counts.add(source, target, links).map_err(|error| of_pair(n, error))?;
        }
        let mut entries = Vec::new();
        let word = |word: Option<&[u8]>| word.map(|word| String::from_utf8_lossy(word).into_owned());
        counts.into_table().for_each(of, &choice, |found| {
            entries.push((word(found.condition), word(found.generated), found.probability, found.count));
            Ok(())
        })?;
        Ok(entries)
    })
}

/// An error about the links of pair `n`.
pub(crate) fn of_pair(n: usize, error: Error) -> Error {
    error.within(format_args!("links[{n}]"))
}

/// A table of classes: a file, or numbers by words.
#[derive(FromPyObject)]
pub(crate) enum ReadClasses {
    #[pyo3(transparent)]
    Numbers(BTreeMap<String, u32>),
    #[pyo3(transparent)]
    File(PathBuf),
}

impl ReadClasses {
    pub(crate) fn read(self) -> Result<ClassTable> {
        match self {
            Self::Numbers(numbers) => Ok(numbers.iter().map(|(word, number)| (word.as_bytes(), *number)).collect()),
            Self::File(path) => class_files::read(LineReader::open(file(path), Utf8::Strict)?),
        }
    }
}

/// Words with the numbers of their classes, from 1, in order; log-likelihood and perplexity of the text; whether no word
/// can be moved for the better; the signature; how many words were not among those to begin with.
type Classes = (Vec<(String, usize)>, [f64; 2], bool, String, usize);

/// Puts the words of a text into classes.
#[pyfunction]
#[pyo3(signature = (text, *, classes, cooling, passes, start, lowercase, max_length, threads, progress))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of the Python function")]
pub(crate) fn classes(
    text: &Bound<'_, PyAny>,
    classes: i64,
    cooling: i64,
    passes: i64,
    start: Option<ReadClasses>,
    lowercase: bool,
    max_length: i64,
    threads: i64,
    progress: Progress,
) -> PyResult<Classes> {
    let config = config(classes, cooling, passes).map_err(to_python)?;
    let max_length = arguments::max_length(max_length).map_err(to_python)?;
    let threads = arguments::threads(threads).map_err(to_python)?;
    let (py, text) =
        (text.py(), text::read(text, "text", TextOptions { lowercase, max_length, ..TextOptions::AS_IS })?);
    run_shown(py, progress, move |observer| {
        let parallelism = Parallelism::new(threads)?;
        let words = text.vocabulary();
        let (trained, missing) = match start {
            None => (WordClasses::train(&text, &config, &parallelism, observer)?, 0),
            Some(table) => {
                let table = table.read()?;
                let start = WordClasses::of_table(&table, words)?;
                (start.improved(&text, config.passes, &parallelism, observer)?, table.missing(words))
            }
        };
        let words = words.words().zip(trained.classes.classes());
        let number = |(word, class): (&[u8], &alinea::classes::ClassId)| {
            (String::from_utf8_lossy(word).into_owned(), class.index() + 1)
        };
        let mut numbered: Vec<_> = words.map(number).collect();
        numbered.sort_unstable();
        let scores = [trained.log_likelihood, trained.perplexity()];
        Ok((numbered, scores, trained.is_converged, trained.config.signature(), missing))
    })
}

fn config(classes: i64, cooling: i64, passes: i64) -> Result<ClassesConfig> {
    let number = |field, value: i64| u32::try_from(value).map_err(|_| Error::config(field, value, "0 to 4294967295"));
    let classes = natural("classes", classes, 1, "1 to 2000")?;
    let (cooling, passes) = (number("cooling", cooling)?, number("passes", passes)?);
    let config = ClassesConfig::default().with(|c| {
        c.classes = classes;
        c.cooling = cooling;
        c.passes = passes;
    });
    config.validate()?;
    Ok(config)
}
