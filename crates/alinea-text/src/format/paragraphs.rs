//! Text of one sentence a line, in paragraphs: what sentence alignment begins with.
//!
//! What ends a paragraph is chosen: blank lines, a line that is a mark, or nothing. Lines that end paragraphs are no
//! sentences and are not counted. A sentence is its line without blanks and tabs at its ends, and is as long as its
//! characters (Unicode scalar values) or its bytes are many.
//!
//! ```
//! use alinea::format::lines::{LineReader, Utf8};
//! use alinea::format::paragraphs::{LengthUnit, ParagraphEnd, Paragraphs};
//!
//! let text = "Été.\nIl fait chaud.\n\n\nFin.\n";
//! let mut lines = LineReader::new(text.as_bytes(), "<memory>", Utf8::Strict);
//! let paragraphs = Paragraphs::read(&mut lines, &ParagraphEnd::BlankLines)?;
//! assert_eq!(paragraphs.sentences(), ["Été.", "Il fait chaud.", "Fin."]);
//! assert_eq!(paragraphs.lengths(LengthUnit::Characters), [vec![4, 14], vec![4]]);
//! assert_eq!(paragraphs.lengths(LengthUnit::Bytes), [vec![6, 14], vec![4]]);
//! # Ok::<(), alinea::error::Error>(())
//! ```

use std::io::BufRead;

use super::lines::LineReader;
use super::tokens::is_blank;
use crate::error::Result;

/// What ends a paragraph.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ParagraphEnd {
    /// One blank line or more: lines of blanks and tabs alone. Blank lines before the first sentence and after the last
    /// mean nothing.
    #[default]
    BlankLines,
    /// Each line that is this mark, but for blanks and tabs at its ends; two of them have an empty paragraph between
    /// them. The mark of the last paragraph may be missing. Blank lines are sentences of no characters.
    Line(String),
    /// Nothing: the whole text is one paragraph, also if it is empty. Blank lines are sentences of no characters.
    Nothing,
}

/// What lengths are counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LengthUnit {
    /// Unicode scalar values.
    #[default]
    Characters,
    /// Bytes of UTF-8.
    Bytes,
}

/// The sentences of a text and where its paragraphs end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Paragraphs {
    sentences: Vec<String>,
    /// For each paragraph the number of sentences up to its end.
    ends: Vec<usize>,
}

impl Paragraphs {
    /// Reads a text to its end.
    ///
    /// # Errors
    /// `Io`, `InvalidUtf8` as [`LineReader::read`].
    pub fn read<R: BufRead>(lines: &mut LineReader<R>, end: &ParagraphEnd) -> Result<Self> {
        let mut text = Self::default();
        let blank = |c: char| c.is_ascii() && is_blank(c as u8);
        while let Some(line) = lines.read()? {
            let line = line.trim_matches(blank);
            match end {
                ParagraphEnd::BlankLines if line.is_empty() => text.end_unless_empty(),
                ParagraphEnd::Line(mark) if line == mark.trim_matches(blank) => text.ends.push(text.sentences.len()),
                _ => text.sentences.push(line.to_owned()),
            }
        }
        if *end == ParagraphEnd::Nothing && text.sentences.is_empty() {
            text.ends.push(0);
        }
        text.end_unless_empty();
        Ok(text)
    }

    fn end_unless_empty(&mut self) {
        if self.ends.last().copied().unwrap_or(0) < self.sentences.len() {
            self.ends.push(self.sentences.len());
        }
    }

    /// All sentences, without what separates paragraphs.
    pub fn sentences(&self) -> &[String] {
        &self.sentences
    }

    /// The number of paragraphs.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no paragraph.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The lengths of the sentences of each paragraph. A length of more than 2^32 - 1 counts as that.
    pub fn lengths(&self, unit: LengthUnit) -> Vec<Vec<u32>> {
        let length = |sentence: &String| {
            let length = match unit {
                LengthUnit::Characters => sentence.chars().count(),
                LengthUnit::Bytes => sentence.len(),
            };
            u32::try_from(length).unwrap_or(u32::MAX)
        };
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| self.sentences[start..end].iter().map(length).collect()).collect()
    }
}

/// The sentences of each paragraph, as they are.
///
/// ```
/// use alinea::format::paragraphs::{LengthUnit, Paragraphs};
///
/// let text: Paragraphs = [vec!["Été.".to_owned()], vec![]].into_iter().collect();
/// assert_eq!(text.lengths(LengthUnit::Characters), [vec![4], vec![]]);
/// ```
impl FromIterator<Vec<String>> for Paragraphs {
    fn from_iter<I: IntoIterator<Item = Vec<String>>>(paragraphs: I) -> Self {
        let mut text = Self::default();
        for paragraph in paragraphs {
            text.sentences.extend(paragraph);
            text.ends.push(text.sentences.len());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::lines::Utf8;

    fn read(text: &str, end: &ParagraphEnd) -> (String, Vec<usize>) {
        let mut lines = LineReader::new(text.as_bytes(), "f", Utf8::Strict);
        let text = Paragraphs::read(&mut lines, end).unwrap();
        assert_eq!(text.len(), text.ends.len());
        (text.sentences.join("|"), text.ends)
    }

    #[test]
    fn blank_lines_end_paragraphs() {
        let read = |text| read(text, &ParagraphEnd::BlankLines);
        assert_eq!(read("\n \n a b \t\nc\n\t\n\nd"), ("a b|c|d".to_owned(), vec![2, 3]));
        assert_eq!(read("a\n\n\n"), ("a".to_owned(), vec![1]));
        // A no-break space is a character of a sentence.
        assert_eq!(read("\u{a0}\n"), ("\u{a0}".to_owned(), vec![1]));
        assert_eq!(read("\n\n"), (String::new(), vec![]));
    }

    #[test]
    fn marks_end_paragraphs() {
        let mark = ParagraphEnd::Line(".EOP".to_owned());
        let read = |text| read(text, &mark);
        assert_eq!(read("a\n\nb\n.EOP\n.EOP\nc .EOP\n"), ("a||b|c .EOP".to_owned(), vec![3, 3, 4]));
        assert_eq!(read("a\n .EOP \n"), ("a".to_owned(), vec![1]));
        assert_eq!(read(""), (String::new(), vec![]));
    }

    #[test]
    fn one_paragraph_has_every_line() {
        assert_eq!(read("a\n\nb\n", &ParagraphEnd::Nothing), ("a||b".to_owned(), vec![3]));
        assert_eq!(read("", &ParagraphEnd::Nothing), (String::new(), vec![0]));
    }

    #[test]
    fn invalid_text_is_refused() {
        let mut lines = LineReader::new(&b"a\n\xFF\n"[..], "f", Utf8::Strict);
        let error = Paragraphs::read(&mut lines, &ParagraphEnd::Nothing).unwrap_err();
        assert_eq!(error.to_string(), "f:2:1: invalid UTF-8 at byte 2 of the file (`\\xFF`)");
    }
}
