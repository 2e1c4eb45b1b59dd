//! Books of the Bible in USFM.
//!
//! `read_usfm` returns for each verse its reference, its text, its words, what is said of each, the words of the original that
//! milestones name, and the links from these. `write_usfm` writes a book again, with milestones for links from words that are given.

use std::path::PathBuf;

use alinea::error::{Error, ErrorKind};
use alinea::format::sink;
use alinea::format::usfm::{Attributes, Book, SourceWord, VerseLinks};
use pyo3::prelude::*;

use crate::links::{ReadMany, alignments};
use crate::text::file;
use crate::work::run;

/// What is said of a word: names and values.
type Said = Vec<(String, String)>;

/// A word of the original: its text, its occurrence, their number, what else is said of it.
type Named = (String, u32, u32, Said);

/// Reference, text, words, what is said of each, words of the original, links.
type ReadVerse = (String, String, Vec<String>, Vec<Said>, Vec<Named>, Vec<(u32, u32)>);

/// Reads a book.
#[pyfunction]
pub(crate) fn read_usfm(py: Python<'_>, path: PathBuf) -> PyResult<Vec<ReadVerse>> {
    let path = file(path);
    run(py, move |_| {
        let book = Book::open(&path)?;
        let verses = book.verses.iter().map(|verse| {
            let named = verse.sources.iter().map(|source| {
                (source.content.clone(), source.occurrence, source.occurrences, source.attributes.to_vec())
            });
            (
                verse.reference.to_string(),
                book.verse_text(verse),
                book.words(verse).map(str::to_owned).collect(),
                verse.words.iter().map(|word| word.attributes.to_vec()).collect(),
                named.collect(),
                verse.links.iter().map(|link| (link.source, link.target)).collect(),
            )
        });
        Ok(verses.collect())
    })
}

/// Writes a book with links.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn write_usfm(
    py: Python<'_>,
    path: PathBuf,
    book: PathBuf,
    source: Vec<Vec<(String, Said)>>,
    links: ReadMany<'_>,
) -> PyResult<()> {
    let (path, book) = (file(path), file(book));
    let links = alignments(&links);
    run(py, move |_| {
        let book = Book::open(&book)?.unaligned()?;
        for (name, length) in [("source", source.len()), ("links", links.len())] {
            if length != book.verses.len() {
                let message = format!("{} has {} verses, {name} has {length}", book.name, book.verses.len());
                return Err(Error::from(ErrorKind::Inconsistent(message)));
            }
        }
        let given = source.into_iter().zip(links).map(|(words, links)| {
            let words: Vec<(String, Attributes)> = words.into_iter().map(|(word, said)| (word, said.into())).collect();
            VerseLinks { sources: SourceWord::of_verse(words.iter().map(|(word, said)| (word.as_str(), said))), links }
        });
        let text = book.aligned_text(&given.collect::<Vec<_>>())?;
        let mut output = sink::create(&path)?;
        output.write_bytes(text.as_bytes())?;
        output.finish()
    })
}
