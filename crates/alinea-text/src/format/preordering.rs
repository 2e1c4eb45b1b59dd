//! Files of programs that learn to reorder, LADER and Nakagawa's top-down preorderer: annotated sentences, and their links.
//!
//! A line of *annotation* has columns of equal length, separated by tabs, the tokens of each separated by blanks: words, tags,
//! classes (the top-down program wants exactly these three; of less, the later ones are missing). A line of *alignment* begins
//! with the lengths of both sentences:
//!
//! ```text
//! I had a red pen .⇥PRP VBD DT JJ NN .⇥0 1 2 5 3 4
//! 6-8 ||| 0-0 1-5 1-6 3-2 4-3 5-7
//! ```
//!
//! ```
//! use alinea::format::lines::{LineReader, Utf8};
//! use alinea::format::preordering::{parse_alignment, parse_annotation};
//!
//! let line = |text: &'static str| LineReader::new(text.as_bytes(), "train.annot", Utf8::Strict);
//! let mut reader = line("I sleep .\tPRP VBP .\t0 1 4\n");
//! let text = reader.read()?.map(str::to_owned).unwrap_or_default();
//! let annotated = parse_annotation(&text, &reader)?;
//! assert_eq!(annotated.columns()[1], ["PRP", "VBP", "."]);
//!
//! let reader = line("");
//! let error = parse_alignment("3-2 ||| 0-0 1-2", &reader).unwrap_err();
//! assert_eq!(error.to_string(), "train.annot:0:13: expected positions below 3 and 2, found `1-2`");
//! # Ok::<(), alinea::error::Error>(())
//! ```

use std::io::BufRead;

use super::lines::LineReader;
use super::tokens;
use crate::alignment::{Alignment, Link};
use crate::error::{Error, Result};

/// What comes between lengths and links.
const SEPARATOR: &str = "|||";

/// The most columns of annotation that mean something.
pub const COLUMNS: usize = 3;

/// A line of annotation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Annotated {
    columns: Vec<Vec<String>>,
}

impl Annotated {
    /// Words, tags, classes: as many as there are, of equal length.
    pub fn columns(&self) -> &[Vec<String>] {
        &self.columns
    }

    /// The columns themselves.
    pub fn into_columns(self) -> Vec<Vec<String>> {
        self.columns
    }
}

/// Reads a line of annotation.
///
/// # Errors
/// `Parse` if columns differ in length, or there are more than three.
pub fn parse_annotation<R: BufRead>(line: &str, at: &LineReader<R>) -> Result<Annotated> {
    let mut columns: Vec<Vec<String>> = Vec::new();
    let mut offset = 0;
    for text in line.split('\t') {
        let column: Vec<String> = text.split(' ').filter(|token| !token.is_empty()).map(str::to_owned).collect();
        let words = columns.first().map_or(column.len(), Vec::len);
        let expected = match columns.len() {
            COLUMNS => Some("at most three columns: words, tags and classes".to_owned()),
            _ if column.len() != words => Some(format!("a column of {words} tokens, as of words")),
            _ => None,
        };
        if let Some(expected) = expected {
            return Err(Error::parse(at.position(offset + 1), expected, text.as_bytes()));
        }
        columns.push(column);
        offset += text.len() + 1;
    }
    Ok(Annotated { columns })
}

/// Appends a line of annotation.
pub fn write_annotation(columns: &[&[String]], out: &mut String) {
    let columns: Vec<String> = columns.iter().map(|column| column.join(" ")).collect();
    out.push_str(&columns.join("\t"));
    out.push('\n');
}

/// The lengths of a pair of sentences, and its links.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AlignedLengths {
    /// Words of the source.
    pub source: usize,
    /// Words of the target.
    pub target: usize,
    /// The links, source first.
    pub links: Alignment,
}

/// Reads a line of alignment.
///
/// # Errors
/// `Parse` for what is no pair of numbers, and for links that lead out of the sentences.
pub fn parse_alignment<R: BufRead>(line: &str, at: &LineReader<R>) -> Result<AlignedLengths> {
    let mut tokens = tokens::split(line.as_bytes());
    let mut lengths = None;
    let mut separated = false;
    let mut links = Vec::new();
    while let Some(token) = tokens.next() {
        let fault =
            |expected: String| Err(Error::parse(at.position(tokens.offset() - token.len() + 1), expected, token));
        let pair = std::str::from_utf8(token).ok().and_then(|token| token.split_once('-'));
        let pair = pair.and_then(|(one, other)| Some((one.parse::<u32>().ok()?, other.parse::<u32>().ok()?)));
        match (lengths, separated, pair) {
            (None, _, Some(pair)) => lengths = Some(pair),
            (None, _, None) => return fault("the lengths of both sentences, like 6-8".to_owned()),
            (Some(_), false, _) if token == SEPARATOR.as_bytes() => separated = true,
            (Some(_), false, _) => return fault(format!("`{SEPARATOR}` behind the lengths")),
            (Some((source, target)), true, Some(link)) if link.0 < source && link.1 < target => {
                links.push(Link::new(link.0, link.1));
            }
            (Some((source, target)), true, Some(_)) => {
                return fault(format!("positions below {source} and {target}"));
            }
            (Some(_), true, None) => return fault("a link like 0-0".to_owned()),
        }
    }
    let Some((source, target)) = lengths.filter(|_| separated) else {
        let expected = format!("the lengths of both sentences, `{SEPARATOR}`, and links");
        return Err(Error::parse(at.position(line.len() + 1), expected, b""));
    };
    Ok(AlignedLengths { source: source as usize, target: target as usize, links: links.into_iter().collect() })
}

/// Appends a line of alignment.
pub fn write_alignment(pair: &AlignedLengths, out: &mut String) {
    use std::fmt::Write as _;
    // Writing to a string does not fail.
    let _ = write!(out, "{}-{} {SEPARATOR}", pair.source, pair.target);
    for link in pair.links.iter() {
        let _ = write!(out, " {}-{}", link.source, link.target);
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::lines::Utf8;

    fn reader() -> LineReader<&'static [u8]> {
        LineReader::new(&b""[..], "f", Utf8::Strict)
    }

    #[test]
    fn lines_are_read_as_written() {
        let line = "6-8 ||| 0-0 1-5 1-6 3-2 4-3 5-7\n";
        let pair = parse_alignment(line.trim_end(), &reader()).unwrap();
        assert_eq!((pair.source, pair.target, pair.links.len()), (6, 8, 6));
        let mut written = String::new();
        write_alignment(&pair, &mut written);
        write_alignment(&AlignedLengths::default(), &mut written);
        assert_eq!(written, format!("{line}0-0 |||\n"));

        let line = "a b\tX Y\t0 1\n";
        let annotated = parse_annotation(line.trim_end(), &reader()).unwrap();
        let mut written = String::new();
        write_annotation(&annotated.columns().iter().map(Vec::as_slice).collect::<Vec<_>>(), &mut written);
        assert_eq!(written, line);
        assert!(parse_annotation("", &reader()).unwrap().columns()[0].is_empty());
    }

    #[test]
    fn faults_are_reported() {
        let annotation = |line| parse_annotation(line, &reader()).unwrap_err().to_string();
        assert_eq!(annotation("a b\tX"), "f:0:5: expected a column of 2 tokens, as of words, found `X`");
        assert!(annotation("a\tb\tc\td").contains("f:0:7: expected at most three columns"));
        let alignment = |line| parse_alignment(line, &reader()).unwrap_err().to_string();
        assert!(alignment("").contains("expected the lengths of both sentences"));
        assert!(alignment("3 ||| 0-0").contains("f:0:1: expected the lengths"));
        assert!(alignment("3-3 0-0").contains("f:0:5: expected `|||` behind"));
        assert!(alignment("3-3 ||| 0=0").contains("f:0:9: expected a link like 0-0"));
        assert!(alignment("3-3").contains("`|||`, and links"));
    }
}
