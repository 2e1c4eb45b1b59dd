//! One language: books in USFM, or a text of one verse a line whose references are in another file.
//!
//! A folder stands for all files in it whose names end in `.usfm`, `.sfm` or `.usfm3`, sorted by name. In a text, an empty line is a
//! verse that is missing, and a line `<range>` says that the verse is part of the line above, as in the eBible corpus.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use alinea::error::{Error, ErrorKind};
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::source::{Input, open};
use alinea::format::usfm::{Attributes, Book, EXPECTED, Reference, words};
use anyhow::{Context as _, bail};

use crate::failure::hinted;

/// What a line is that belongs to the verse above.
const RANGE: &str = "<range>";

/// The verses of one language.
pub(super) struct Side {
    /// What messages call it.
    pub(super) name: String,
    /// Its books, if it has some.
    pub(super) books: Vec<Book>,
    /// Its verses.
    pub(super) verses: Vec<SideVerse>,
}

/// A verse.
pub(super) struct SideVerse {
    pub(super) reference: Reference,
    /// The number of its book, and its own in there.
    pub(super) place: Option<(usize, usize)>,
    pub(super) words: Vec<String>,
    pub(super) attributes: Vec<Attributes>,
    /// The verse as it is written.
    pub(super) text: String,
}

impl Side {
    /// Reads files and folders; a text needs references.
    pub(super) fn open(paths: &[PathBuf], references: Option<&Path>) -> anyhow::Result<Self> {
        let files = files(paths)?;
        let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        if let ([file], Some(references)) = (&files[..], references) {
            let input = open(file)?;
            let name = input.name().to_owned();
            let bytes = input.read_text()?;
            return if is_usfm(&bytes) {
                Self::of_books(vec![Book::read(Input::from_bytes(name, bytes))?])
            } else {
                Self::of_lines(&name, bytes, references)
            };
        }
        let books = files.iter().map(|file| Book::open(file).map_err(advised)).collect::<anyhow::Result<Vec<_>>>()?;
        Ok(Self { name: names.join(", "), ..Self::of_books(books)? })
    }

    /// The verses of books.
    pub(super) fn of_books(books: Vec<Book>) -> anyhow::Result<Self> {
        let mut names: BTreeMap<_, &str> = BTreeMap::new();
        for book in &books {
            if let Some(other) = names.insert(book.code, &book.name) {
                bail!("{}: the book {} is in {other}, too", book.name, book.code);
            }
        }
        let mut verses = Vec::new();
        for (number, book) in books.iter().enumerate() {
            verses.extend(book.verses.iter().enumerate().map(|(n, verse)| SideVerse {
                reference: verse.reference,
                place: Some((number, n)),
                words: book.words(verse).map(str::to_owned).collect(),
                attributes: verse.words.iter().map(|word| Attributes::clone(&word.attributes)).collect(),
                text: book.verse_text(verse),
            }));
        }
        let name = books.first().map_or_else(String::new, |book| book.name.clone());
        Ok(Self { name, books, verses })
    }

    /// The verses of a text of one verse a line.
    fn of_lines(name: &str, bytes: Vec<u8>, references: &Path) -> anyhow::Result<Self> {
        let mut references = LineReader::open(references, Utf8::Strict)?;
        let mut lines = LineReader::from_input(Input::from_bytes(name, bytes), Utf8::Strict);
        let mut verses: Vec<SideVerse> = Vec::new();
        let mut seen = BTreeMap::new();
        let (mut line, mut reference) = (String::new(), String::new());
        loop {
            let more = [lines.read_into(&mut line)?, references.read_into(&mut reference)?];
            if more == [false, false] {
                break;
            }
            if more != [true, true] {
                let counts = [lines.count_all()?, references.count_all()?];
                return Err(Error::unequal_lengths(name, counts[0], references.name(), counts[1]).into());
            }
            let Ok(read) = reference.parse::<Reference>() else {
                return Err(Error::parse(references.position(1), EXPECTED, reference.as_bytes()).into());
            };
            for (verse, part) in read.range.parts() {
                let place = (read.book, read.chapter, verse, part);
                if let Some(other) = seen.insert(place, references.number()) {
                    let expected = format!("another verse than in line {other}");
                    return Err(Error::parse(references.position(1), expected, reference.as_bytes()).into());
                }
            }
            if line.trim() == RANGE {
                extend(verses.last_mut(), read).ok_or_else(|| {
                    Error::parse(lines.position(1), format!("a verse above that {read} follows"), line.as_bytes())
                })?;
            } else if !line.trim().is_empty() {
                verses.push(of_line(read, &line));
            }
        }
        Ok(Self { name: name.to_owned(), books: Vec::new(), verses })
    }

    /// The references of its verses.
    pub(super) fn references(&self) -> Vec<Reference> {
        self.verses.iter().map(|verse| verse.reference).collect()
    }
}

/// Joins the next verse with the one above.
fn extend(above: Option<&mut SideVerse>, next: Reference) -> Option<()> {
    let above = &mut above?.reference;
    let follows =
        (above.book, above.chapter, above.range.verses[1] + 1) == (next.book, next.chapter, next.range.verses[0]);
    follows.then(|| above.range.verses[1] = next.range.verses[1])
}

fn of_line(reference: Reference, line: &str) -> SideVerse {
    let words: Vec<String> = words(line).into_iter().map(|word| line[word].to_owned()).collect();
    let attributes = vec![Attributes::default(); words.len()];
    SideVerse { reference, place: None, words, attributes, text: line.trim().to_owned() }
}

/// Whether a file begins like USFM.
fn is_usfm(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    bytes.trim_ascii_start().starts_with(b"\\")
}

/// The files that paths stand for.
fn files(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let before = files.len();
        for entry in std::fs::read_dir(path).with_context(|| path.display().to_string())? {
            let file = entry.with_context(|| path.display().to_string())?.path();
            if is_book(&file) && file.is_file() {
                files.push(file);
            }
        }
        if files.len() == before {
            bail!("{}: no files of USFM in this folder (.usfm or .sfm)", path.display());
        }
        files[before..].sort();
    }
    Ok(files)
}

fn is_book(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let name = alinea::format::source::plain_name(&name);
    !name.starts_with('.') && [".usfm", ".sfm", ".usfm3"].iter().any(|ending| name.ends_with(ending))
}

/// Says what else there is where a file is no USFM.
fn advised(error: Error) -> anyhow::Error {
    let at_start = matches!(error.kind(), ErrorKind::Parse { position, expected, .. }
        if position.line == 1 && position.column == 1 && expected.contains("\\id"));
    if at_start {
        hinted(error, "for a text of one verse a line give its references: --references FILE")
    } else {
        error.into()
    }
}
