//! A book and its verses.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::reader;
use super::reference::{BookCode, Reference};
use super::words::occurrences;
use crate::alignment::Alignment;
use crate::error::{Position, Result};
use crate::format::lines::invalid;
use crate::format::source::{self, Input};

/// What is said of a word: names, such as `lemma` and `strong`, with their values.
pub type Attributes = Arc<[(String, String)]>;

/// A book of the Bible in USFM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Book {
    /// What messages call its file.
    pub name: String,
    /// Its code, from `\id`.
    pub code: BookCode,
    /// The file.
    pub text: String,
    /// Its verses in the order of the file.
    pub verses: Vec<Verse>,
}

/// A verse, or several that are translated together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verse {
    /// Which it is.
    pub reference: Reference,
    /// Where its `\v` begins, in bytes of the file.
    pub start: usize,
    /// Its text: stretches of the file, between which markers and notes stand.
    pub stretches: Vec<Range<usize>>,
    /// Its words.
    pub words: Vec<VerseWord>,
    /// The words of the original that `\zaln` milestones of the verse name, in the order of their first milestones.
    pub sources: Vec<SourceWord>,
    /// What these milestones say: links from `sources` to `words`.
    pub links: Alignment,
}

/// Where a word stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordForm {
    /// In the text of a paragraph.
    Bare,
    /// In a style of characters, such as `\nd ...\nd*`.
    Styled,
    /// Alone in `\w ...\w*`.
    Marked,
    /// With others in `\w ...\w*`.
    Phrase,
}

/// A word of a verse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerseWord {
    /// Its bytes in the file.
    pub span: Range<usize>,
    /// The same with the `\w ...\w*` around it, if it is alone in there.
    pub outer: Range<usize>,
    /// Where it stands.
    pub form: WordForm,
    /// The attributes of the `\w` that it is in.
    pub attributes: Attributes,
}

impl VerseWord {
    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }
}

/// A word of the original, as `\zaln` milestones of its translation name it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceWord {
    /// The word.
    pub content: String,
    /// Which one it is of those words of the verse that are equal, from 1.
    pub occurrence: u32,
    /// How many of them there are.
    pub occurrences: u32,
    /// What else is said of it, such as `x-strong`, `x-lemma` and `x-morph`.
    pub attributes: Attributes,
}

impl SourceWord {
    /// The words of a verse as milestones name them. Of what is said of a word, its lemma, its Strong's number and its morphology
    /// are taken.
    pub fn of_verse<'w>(words: impl Iterator<Item = (&'w str, &'w Attributes)>) -> Vec<Self> {
        let (words, attributes): (Vec<&str>, Vec<&Attributes>) = words.unzip();
        let numbers = occurrences(words.iter().copied());
        // Words of a phrase share what is said of them.
        let mut last: Option<(&Attributes, Attributes)> = None;
        let mut renamed = |given: &'w Attributes| match &last {
            Some((same, renamed)) if Arc::ptr_eq(same, given) => Arc::clone(renamed),
            _ => Arc::clone(&last.insert((given, renamed(given))).1),
        };
        let words = words.iter().zip(attributes).zip(numbers);
        words
            .map(|((word, given), [occurrence, occurrences])| Self {
                content: (*word).to_owned(),
                occurrence,
                occurrences,
                attributes: renamed(given),
            })
            .collect()
    }
}

/// What is said of a word as milestones of its translation say it.
fn renamed(given: &Attributes) -> Attributes {
    let names = [("strong", "x-strong"), ("lemma", "x-lemma"), ("x-morph", "x-morph")];
    let value = |name: &str| given.iter().find(|(other, value)| other == name && !value.is_empty());
    names.into_iter().filter_map(|(name, renamed)| Some((renamed.to_owned(), value(name)?.1.clone()))).collect()
}

impl Book {
    /// Reads a file; `-` is standard input.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::read(source::open(path)?)
    }

    /// Reads a book.
    ///
    /// # Errors
    /// `Io`; `InvalidUtf8`; `OtherFormat` for what is no text; `OverLimit`; `Parse` as [`parse`](Self::parse).
    pub fn read(input: Input) -> Result<Self> {
        let name = input.name().to_owned();
        let text = String::from_utf8(input.read_text()?).map_err(|error| {
            let bad = error.utf8_error().valid_up_to();
            let bytes = error.as_bytes();
            let start = memchr::memrchr(b'\n', &bytes[..bad]).map_or(0, |end| end + 1);
            let end = memchr::memchr(b'\n', &bytes[bad..]).map_or(bytes.len(), |length| bad + length);
            let number = 1 + memchr::memchr_iter(b'\n', &bytes[..start]).count() as u64;
            invalid(&name, number, start as u64, &bytes[start..end], bad - start)
        })?;
        Self::parse(name, text)
    }

    /// Reads a book that is in memory; `name` is for messages. Linear in the text, times the logarithm of the number of verses.
    ///
    /// # Errors
    /// `Parse` for a book without `\id`, a second one, a `\c` without a number, a `\v` before any chapter or without a verse, a verse
    /// that was there before, a note or figure that is not closed, a milestone of `\zaln` that is not closed or closes nothing, and
    /// attributes of `\w` or `\zaln` that are none; `OverLimit`.
    pub fn parse(name: impl Into<String>, text: impl Into<String>) -> Result<Self> {
        reader::read(name.into(), text.into())
    }

    /// The text of a word.
    pub fn word(&self, word: &VerseWord) -> &str {
        &self.text[word.span.clone()]
    }

    /// The words of a verse.
    pub fn words<'b>(&'b self, verse: &'b Verse) -> impl ExactSizeIterator<Item = &'b str> {
        verse.words.iter().map(|word| self.word(word))
    }

    /// The text of a verse in one line, with single blanks; also for a no-break space (`~`), and for a line break that may be (`//`).
    pub fn verse_text(&self, verse: &Verse) -> String {
        let text: String = verse.stretches.iter().map(|stretch| &self.text[stretch.clone()]).collect();
        let text = text.replace(['~', '\u{A0}'], " ").replace("//", " ");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Where a byte of the file is.
    pub fn position(&self, at: usize) -> Position {
        position(&self.name, &self.text, at)
    }
}

/// Where a byte of a text is.
pub(super) fn position(name: &str, text: &str, at: usize) -> Position {
    let before = &text.as_bytes()[..at];
    let start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
    let line = 1 + memchr::memchr_iter(b'\n', before).count() as u64;
    Position::new(name, line, (at - start) as u64 + 1)
}
