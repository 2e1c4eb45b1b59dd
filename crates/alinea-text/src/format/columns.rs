//! Sentences in columns, as shared tasks of CoNLL give them: a word a line, a blank line after each sentence, and a tag for what the
//! word is part of.
//!
//! ```text
//! # sent_id = 1          U.N.      NNP  I-NP  I-ORG
//! 1  Ankara  B-LOC       official  NN   I-NP  O
//! 2  said    O
//! ```
//!
//! Columns are separated by tabs, where a line has one, or by blanks; each line of a file has as many. Which column has the words and
//! which the tags can be said. If it is not, tags are in the last column that has nothing but tags ([`Tag`]), and words in the first,
//! or in the second behind numbers. Lines before the first word of a sentence that begin with `#` and have no tab are comments, and so are
//! those that begin with `-DOCSTART-`.
//!
//! ```
//! use alinea::format::columns::{self, Choice};
//! use alinea::format::lines::{LineReader, Utf8};
//! use alinea::labels::{LabeledSpan, Scheme};
//!
//! let file = "# text\n1\tUnited\tB-LOC\n2\tStates\tI-LOC\n\n1\tno\tO\n";
//! let text = columns::read(LineReader::new(file.as_bytes(), "text.iob2", Utf8::Strict), Choice::default())?;
//! assert_eq!((text.layout.words, text.layout.tags), (1, Some(2)));
//! let spans = text.spans()?;
//! assert_eq!((text.scheme()?, &spans[0]), (Some(Scheme::Iob2), &vec![LabeledSpan::new(0..2, "LOC")]));
//! assert_eq!(text.words(0).collect::<Vec<_>>(), ["United", "States"]);
//! # Ok::<(), alinea::error::Error>(())
//! ```

use std::fmt::Write as _;
use std::io::BufRead;

use super::lines::LineReader;
use crate::error::{Error, ErrorKind, Position, Result};
use crate::labels::{LabeledSpan, Scheme, Tag, spans_of};

/// Which columns are which, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// The words.
    pub words: usize,
    /// The tags, if there are some.
    pub tags: Option<usize>,
}

/// Which columns are which, as far as it is known before the file is read; counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Choice {
    /// The words.
    pub words: Option<usize>,
    /// The tags.
    pub tags: Option<usize>,
}

/// A sentence: the comments before it, and a row for each word.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    /// The lines before it that are none of it.
    pub comments: Vec<String>,
    rows: Vec<Row>,
}

#[derive(Debug, Clone)]
struct Row {
    fields: Vec<String>,
    line: u64,
}

/// A file of such sentences.
#[derive(Debug, Clone)]
pub struct ColumnText {
    /// What messages call it.
    pub name: String,
    /// Which columns are which.
    pub layout: Layout,
    /// Its sentences.
    pub sentences: Vec<Rows>,
}

/// Reads a file to its end.
///
/// # Errors
/// `Io`, `InvalidUtf8`, `OverLimit`; `Parse` for a row with another number of columns than the first, or that lacks a chosen one.
pub fn read<R: BufRead>(mut lines: LineReader<R>, choice: Choice) -> Result<ColumnText> {
    let mut sentences: Vec<Rows> = Vec::new();
    let (mut current, mut line, mut columns) = (Rows::default(), String::new(), None);
    let mut before = lines.bytes();
    while lines.read_into(&mut line)? {
        lines.check_sentence(before)?;
        if line.trim_ascii().is_empty() {
            before = lines.bytes();
            if !current.rows.is_empty() {
                sentences.push(std::mem::take(&mut current));
            }
        } else if current.rows.is_empty() && is_comment(&line) {
            current.comments.push(line.clone());
        } else {
            let fields: Vec<String> = if line.contains('\t') {
                line.split('\t').map(str::to_owned).collect()
            } else {
                line.split_ascii_whitespace().map(str::to_owned).collect()
            };
            let number = *columns.get_or_insert(fields.len());
            if fields.len() != number {
                let expected = format!("{number} columns, as in the first row");
                return Err(Error::parse(lines.position(1), expected, line.as_bytes()));
            }
            if let Some(missing) = [choice.words, choice.tags].into_iter().flatten().find(|&column| column >= number) {
                let expected = format!("a column {}", missing + 1);
                return Err(Error::parse(lines.position(1), expected, line.as_bytes()));
            }
            current.rows.push(Row { fields, line: lines.number() });
        }
    }
    if !current.rows.is_empty() {
        sentences.push(current);
    }
    let layout = layout(&sentences, columns.unwrap_or(1), choice);
    Ok(ColumnText { name: lines.name().to_owned(), layout, sentences })
}

fn is_comment(line: &str) -> bool {
    line.starts_with("-DOCSTART-") || line.starts_with('#') && !line.contains('\t')
}

fn layout(sentences: &[Rows], columns: usize, choice: Choice) -> Layout {
    let all = |column: usize, is: &dyn Fn(&str) -> bool| {
        sentences.iter().flat_map(|sentence| &sentence.rows).all(|row| is(&row.fields[column]))
    };
    let is_number = |field: &str| !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit());
    let words = choice.words.unwrap_or(usize::from(columns > 2 && all(0, &is_number)));
    let has_tags = |&column: &usize| column != words && all(column, &|field| Tag::parse(field).is_some());
    let tags = choice.tags.or_else(|| (0..columns).rev().find(has_tags));
    Layout { words, tags }
}

impl ColumnText {
    /// The words of a sentence.
    pub fn words(&self, sentence: usize) -> impl ExactSizeIterator<Item = &str> {
        self.sentences[sentence].rows.iter().map(|row| row.fields[self.layout.words].as_str())
    }

    /// The tags of a sentence.
    fn tags(&self, sentence: usize) -> Result<Vec<Tag<'_>>> {
        let Some(column) = self.layout.tags else {
            let expected = "a column of tags, such as O, B-PER and I-PER: no column has nothing else".to_owned();
            let first = self.sentences.first().map_or(1, |sentence| sentence.rows[0].line);
            return Err(Error::parse(Position::new(self.name.as_str(), first, 0), expected, b""));
        };
        let position = |row: &Row| {
            let before: usize = row.fields[..column].iter().map(|field| field.len() + 1).sum();
            Position::new(self.name.as_str(), row.line, before as u64 + 1)
        };
        let rows = self.sentences[sentence].rows.iter();
        rows.map(|row| Tag::read(&row.fields[column], || position(row))).collect()
    }

    /// The spans of each sentence.
    ///
    /// # Errors
    /// `Parse` for what is no tag, or a file without tags.
    pub fn spans(&self) -> Result<Vec<Vec<LabeledSpan>>> {
        (0..self.sentences.len()).map(|sentence| Ok(spans_of(&self.tags(sentence)?))).collect()
    }

    /// The scheme of the tags, if there are labels.
    ///
    /// # Errors
    /// As [`spans`](Self::spans).
    pub fn scheme(&self) -> Result<Option<Scheme>> {
        let mut seen = None;
        for sentence in 0..self.sentences.len() {
            match Scheme::of(&self.tags(sentence)?) {
                Some(Scheme::Iob2) => seen = seen.or(Some(Scheme::Iob2)),
                Some(other) => return Ok(Some(other)),
                None => {}
            }
        }
        Ok(seen)
    }

    /// Adds a sentence with these tags to a file: its rows with the tags in their column, or in a new last one.
    ///
    /// # Panics
    /// If there is not a tag for each word.
    pub fn write_tagged(&self, sentence: usize, tags: &[String], file: &mut String) {
        let Rows { comments, rows } = &self.sentences[sentence];
        assert_eq!(rows.len(), tags.len(), "a tag for each word");
        for comment in comments {
            let _ = writeln!(file, "{comment}");
        }
        for (row, tag) in rows.iter().zip(tags) {
            let mut fields: Vec<&str> = row.fields.iter().map(String::as_str).collect();
            match self.layout.tags {
                Some(column) => fields[column] = tag,
                None => fields.push(tag),
            }
            let _ = writeln!(file, "{}", fields.join("\t"));
        }
        file.push('\n');
    }
}

/// Adds a sentence of two columns to a file, its words and their tags.
///
/// # Errors
/// `Inconsistent` for a word with a tab, or none at all: a line could not have it.
pub fn write_words<'w>(words: impl IntoIterator<Item = &'w str>, tags: &[String], file: &mut String) -> Result<()> {
    for (word, tag) in words.into_iter().zip(tags) {
        if word.is_empty() || word.contains(['\t', '\n', '\r']) {
            return Err(ErrorKind::Inconsistent(format!("a column cannot have the word {word:?}")).into());
        }
        let _ = writeln!(file, "{word}\t{tag}");
    }
    file.push('\n');
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::lines::Utf8;

    fn text(file: &str, choice: Choice) -> Result<ColumnText> {
        read(LineReader::new(file.as_bytes(), "text", Utf8::Strict), choice)
    }

    #[test]
    fn columns_are_found() {
        let old = "-DOCSTART- -X- O O\n\nU.N. NNP I-NP I-ORG\n# NN O O\n\n\n# NN O O\n";
        let text = text(old, Choice::default()).unwrap();
        assert_eq!((text.layout, text.sentences.len()), (Layout { words: 0, tags: Some(3) }, 1));
        assert_eq!(text.words(0).collect::<Vec<_>>(), ["U.N.", "#"]);
        assert_eq!(text.scheme().unwrap(), Some(Scheme::Iob1));
        // Without a tab, such a line at the beginning of a sentence is a comment.
        assert_eq!(text.sentences[0].comments, ["-DOCSTART- -X- O O"]);
        let chunks = self::text(old, Choice { tags: Some(2), ..Choice::default() }).unwrap();
        assert_eq!(chunks.spans().unwrap(), [[LabeledSpan::new(0..1, "NP")]]);
        let untagged = self::text("1\tthe\tDT\n", Choice::default()).unwrap();
        assert_eq!(untagged.layout, Layout { words: 1, tags: None });
        assert!(untagged.spans().unwrap_err().to_string().starts_with("text:1: expected a column of tags"));
        let empty = self::text("", Choice::default()).unwrap();
        assert_eq!((empty.sentences.len(), empty.spans().unwrap().len()), (0, 0));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let refused = |file: &str, choice: Choice| match text(file, choice).and_then(|text| text.spans()) {
            Ok(spans) => panic!("{spans:?}"),
            Err(error) => error.to_string(),
        };
        let message = refused("a\tO\nb\tO\tO\n", Choice::default());
        assert_eq!(message, "text:2:1: expected 2 columns, as in the first row, found `b\\tO\\tO`");
        let message = refused("a\tO\n", Choice { tags: Some(2), words: None });
        assert_eq!(message, "text:1:1: expected a column 3, found `a\\tO`");
        let message = refused("a\tO\nb\tB\n", Choice { tags: Some(1), words: None });
        assert_eq!(message, "text:2:3: expected a tag: O, or B-, I-, E-, L-, S- or U- and a label, found `B`");
    }

    #[test]
    fn rows_keep_what_they_have_beside() {
        let file = "# sent_id = 1\n1\tAnkara\tB-LOC\t_\n2\tsaid\tO\t_\n\n";
        let text = text(file, Choice::default()).unwrap();
        assert_eq!(text.layout, Layout { words: 1, tags: Some(2) });
        let (mut same, mut other) = (String::new(), String::new());
        text.write_tagged(0, &["B-LOC", "O"].map(String::from), &mut same);
        assert_eq!(same, file);
        write_words(text.words(0), &["S-LOC", "O"].map(String::from), &mut other).unwrap();
        assert_eq!(other, "Ankara\tS-LOC\nsaid\tO\n\n");
        assert!(write_words(["a\tb"], &["O".to_owned()], &mut other).is_err());
    }
}
