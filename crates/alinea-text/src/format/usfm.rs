//! Books of the Bible in USFM (Unified Standard Format Markers), and links in them.
//!
//! ```text
//! \id MAT
//! \c 1
//! \p
//! \v 1 The book\f + \ft Or scroll.\f* of the \nd Lord\nd*
//! \v 2-3 ...
//! ```
//!
//! A [`Book`] keeps its file as it is, and says of each [`Verse`] which words it has and where they stand. The text of a verse is
//! that of all its paragraphs and lines of poetry, up to the next `\v`. Not part of it are notes and cross-references (`\f`, `\fe`, `\ef`,
//! `\x`, `\rq`), figures, other numbers of verses (`\vp`, `\va`, `\ca`), headings, titles and introductions (`\s`, `\r`, `\mt`, `\ip`
//! and so on), sidebars, and all that stands before the first verse of a chapter. A heading in which a verse begins, as in Psalms, is text
//! from there on. Of styles of characters the markers are left out and the text stays. An unknown marker is a style if it is closed somewhere in the
//! file, otherwise it begins a paragraph; its text stays, too.
//!
//! What is a word is said by [`words()`]. A marker ends a word. A `\w ...\w*` without blanks is one word as it stands, with its attributes
//! (`\w word|lemma="..." strong="..."\w*`); words of a longer one share them.
//!
//! **Links** are written as milestones, as editors of Bible translations do. Each word of the translation has around it a milestone for
//! every word of the original that it is linked with, which is named by its text and by which of the equal words of its verse it is:
//!
//! ```text
//! \v 1 \zaln-s |x-strong="G976" x-occurrence="1" x-occurrences="1" x-content="Βίβλος"\*\w book|x-occurrence="1"
//! x-occurrences="1"\w*\zaln-e\*
//! ```
//!
//! (In one line.) [`Book::aligned_text`] writes them, [`Book::unaligned_text`] takes them out, and nothing else of the file changes. When a
//! book is read, [`Verse::sources`] and [`Verse::links`] have what they say.
//!
//! [`groups()`] tells which verses of two translations belong together.
//!
//! ```
//! use alinea::format::usfm::{Book, SourceWord, VerseLinks};
//!
//! let original = Book::parse("a.usfm", "\\id RUT\n\\c 1\n\\p\n\\v 1 \\w casa|lemma=\"casa\"\\w* alba\n")?;
//! let book = Book::parse("b.usfm", "\\id RUT\n\\c 1\n\\p\n\\v 1 A white\\f + \\ft Or pale.\\f* house.\n")?;
//! let verse = &book.verses[0];
//! assert_eq!(verse.reference.to_string(), "RUT 1:1");
//! assert_eq!(book.words(verse).collect::<Vec<_>>(), ["A", "white", "house"]);
//!
//! let words = original.verses[0].words.iter().map(|word| (original.word(word), &word.attributes));
//! let links = VerseLinks { sources: SourceWord::of_verse(words), links: [(0, 2), (1, 1)].into() };
//! let aligned = Book::parse("c.usfm", book.aligned_text(&[links])?)?;
//! assert!(aligned.text.contains("x-lemma=\"casa\" x-occurrence=\"1\" x-occurrences=\"1\" x-content=\"casa\"\\*\\w house|"));
//! assert_eq!(aligned.verses[0].sources[1].content, "casa");
//! assert_eq!(aligned.verses[0].links, [(0, 1), (1, 2)].into());
//! assert_eq!(aligned.unaligned_text(), book.text);
//! # Ok::<(), alinea::error::Error>(())
//! ```
//!
//! Source: USFM 3.0 documentation (United Bible Societies, 2019); milestones of alignment as in unfoldingWord's aligned Bibles.

mod book;
mod groups;
mod markers;
mod milestones;
mod reader;
mod reference;
mod scan;
#[cfg(test)]
mod tests;
mod words;

pub use book::{Attributes, Book, SourceWord, Verse, VerseWord, WordForm};
pub use groups::{VerseGroup, groups};
pub use milestones::VerseLinks;
pub use reference::{BookCode, EXPECTED, NoReference, Reference, VerseRange};
pub use words::{occurrences, words};
