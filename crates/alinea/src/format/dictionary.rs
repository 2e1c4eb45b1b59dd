//! Dictionaries: an entry a line, a source word, a target word, and perhaps a weight.
//!
//! Fields are separated by tabs or, in a line without any, by blanks. Words are read as those of the text are: cut and in
//! lower case as [`ReadOptions`] say. Entries in which a side has several words, as they occur where fields are separated
//! by tabs, are counted and left out; empty lines are no entries.
//!
//! ```
//! use alinea::format::bitext::ReadOptions;
//! use alinea::format::dictionary;
//! use alinea::format::lines::{LineReader, Utf8};
//!
//! let lines = &b"House\tMaison\t2.5\nflower fleur\nice cream\tglace\n"[..];
//! let read = dictionary::read(LineReader::new(lines, "<memory>", Utf8::Strict), &ReadOptions::default())?;
//! assert_eq!((read.dictionary.len(), read.several_words), (2, 1));
//! # Ok::<(), alinea::error::Error>(())
//! ```

use std::io::BufRead;

use super::bitext::ReadOptions;
use super::lines::LineReader;
use super::tokens;
use crate::bitext::Dictionary;
use crate::error::{Error, Result};

/// A dictionary, and what was met in the file.
#[derive(Debug, Clone, Default)]
pub struct ReadDictionary {
    /// The entries.
    pub dictionary: Dictionary,
    /// Entries left out because a side has several words.
    pub several_words: u64,
}

/// Reads a dictionary.
///
/// # Errors
/// `Io`, `InvalidUtf8`, and `Parse` for lines that are no entries and weights that are not allowed.
pub fn read<R: BufRead>(mut lines: LineReader<R>, options: &ReadOptions) -> Result<ReadDictionary> {
    let mut read = ReadDictionary::default();
    let mut line = String::new();
    let (mut source, mut target) = (Word::default(), Word::default());
    while lines.read_into(&mut line)? {
        if line.bytes().all(tokens::is_blank) {
            continue;
        }
        let entry = Entry::cut(&line).map_err(|(column, expected)| {
            let found = line.as_bytes().get(column..).unwrap_or_default();
            Error::parse(lines.position(column + 1), expected, found)
        })?;
        source.take(entry.source, options);
        target.take(entry.target, options);
        if source.words == 1 && target.words == 1 {
            read.dictionary.push(&source.bytes, &target.bytes, entry.weight)?;
        } else {
            read.several_words += 1;
        }
    }
    Ok(read)
}

/// One line.
#[derive(Debug, PartialEq)]
struct Entry<'l> {
    source: &'l str,
    target: &'l str,
    weight: f32,
}

impl<'l> Entry<'l> {
    /// The parts of a line, or what is wrong with it: the byte, from 0, and what was expected there.
    fn cut(line: &'l str) -> std::result::Result<Self, (usize, &'static str)> {
        let fields: Vec<&str> = if line.contains('\t') {
            line.split('\t').map(|field| field.trim_matches([' ', '\r'])).collect()
        } else {
            line.split(' ').filter(|field| !field.is_empty()).collect()
        };
        let column = |field: &str| field.as_ptr() as usize - line.as_ptr() as usize;
        let (source, target, weight) = match fields[..] {
            [source, target] => (source, target, None),
            [source, target, weight] => (source, target, Some(weight)),
            [.., last] if fields.len() > 3 => {
                return Err((
                    column(last),
                    "source word, target word and at most a weight (tabs separate several words)",
                ));
            }
            _ => return Err((0, "a source word and a target word, separated by a tab or a blank")),
        };
        if let Some(empty) = [source, target].into_iter().find(|word| word.is_empty()) {
            return Err((column(empty), "a word before and after the tab"));
        }
        let weight = weight.map_or(Ok(Dictionary::DEFAULT_WEIGHT), |text| {
            let weight = text.parse().ok().filter(|&weight| Dictionary::allows(weight));
            weight.ok_or((column(text), "a weight above 0 and at most 1000000"))
        })?;
        Ok(Self { source, target, weight })
    }
}

/// One side of an entry.
#[derive(Debug, Default)]
struct Word {
    bytes: Vec<u8>,
    words: usize,
}

impl Word {
    fn take(&mut self, field: &str, options: &ReadOptions) {
        self.bytes.clear();
        self.words = 0;
        tokens::for_each(field, options.tokenize, |word| {
            self.words += 1;
            if options.lowercase {
                tokens::fold_case(word, &mut self.bytes);
            } else {
                self.bytes.extend_from_slice(word);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::lines::Utf8;

    #[test]
    fn lines_are_cut_at_tabs_or_blanks() {
        let entry = |source, target, weight| Ok(Entry { source, target, weight });
        assert_eq!(Entry::cut("a b"), entry("a", "b", 0.01));
        assert_eq!(Entry::cut("  a   b 0.5 "), entry("a", "b", 0.5));
        assert_eq!(Entry::cut("ice cream\tglace\t3"), entry("ice cream", "glace", 3.0));
        assert_eq!(Entry::cut("a \t b"), entry("a", "b", 0.01));
        assert_eq!(Entry::cut("a"), Err((0, "a source word and a target word, separated by a tab or a blank")));
        assert_eq!(Entry::cut("a\t\t1"), Err((2, "a word before and after the tab")));
        assert_eq!(Entry::cut("a b c d").unwrap_err().0, 6);
        for weight in ["x", "0", "-1", "nan", "inf", "1e9"] {
            assert_eq!(Entry::cut(&format!("a b {weight}")), Err((4, "a weight above 0 and at most 1000000")));
        }
    }

    #[test]
    fn errors_name_the_place() {
        let lines = LineReader::new(&b"a b\r\n\r\na b 0\n"[..], "d.txt", Utf8::Strict);
        let error = read(lines, &ReadOptions::default()).unwrap_err().to_string();
        assert_eq!(error, "d.txt:3:5: expected a weight above 0 and at most 1000000, found `0`");
    }
}
