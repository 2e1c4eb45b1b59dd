//! Classes of words in files, as mkcls writes them: a line a word, the word, a tab, and the number of its class.
//!
//! mkcls counts classes from 2, because GIZA++ has other uses for 0 and 1; here they are written from 1, and read with any
//! numbers. Lines are sorted by the bytes of the words, as in the file that the manual of Moses shows (*Training step 1:
//! prepare data*). A word stands in the file once.
//!
//! ```
//! use alinea::format::classes;
//! use alinea::format::lines::{LineReader, Utf8};
//!
//! let lines = LineReader::new(&b"a\t2\ndog\t3\nthe\t2\n"[..], "text.classes", Utf8::Strict);
//! let table = classes::read(lines)?;
//! assert_eq!((table.number(b"the"), table.number(b"dog"), table.number(b"cat")), (Some(2), Some(3), None));
//!
//! let mut file = Vec::new();
//! classes::write([(&b"the"[..], 1), (b"dog", 2), (b"a", 1)], &mut file);
//! assert_eq!(file, b"a\t1\ndog\t2\nthe\t1\n");
//! # Ok::<(), alinea::error::Error>(())
//! ```

use std::io::{BufRead, Write as _};

use super::lines::LineReader;
use super::tokens::is_blank;
use crate::bitext::Vocabulary;
use crate::error::{Error, Result};

/// Words and the numbers of their classes.
#[derive(Debug, Clone, Default)]
pub struct ClassTable {
    words: Vocabulary,
    numbers: Vec<u32>,
}

impl ClassTable {
    /// The number of words.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The number of the class of a word, which is compared byte by byte.
    pub fn number(&self, word: &[u8]) -> Option<u32> {
        self.words.id(word).map(|id| self.numbers[id.index()])
    }

    /// How many of these words have no class.
    pub fn missing(&self, words: &Vocabulary) -> usize {
        words.words().filter(|word| self.number(word).is_none()).count()
    }

    /// All words with their numbers, in the order of the file.
    pub fn entries(&self) -> impl Iterator<Item = (&[u8], u32)> {
        self.words.words().zip(self.numbers.iter().copied())
    }
}

impl<'w> FromIterator<(&'w [u8], u32)> for ClassTable {
    /// Of a word that comes several times, the first number counts.
    fn from_iter<I: IntoIterator<Item = (&'w [u8], u32)>>(entries: I) -> Self {
        let mut table = Self::default();
        for (word, number) in entries {
            if table.words.intern(word).index() == table.numbers.len() {
                table.numbers.push(number);
            }
        }
        table
    }
}

/// Reads classes.
///
/// # Errors
/// `Io`; `InvalidUtf8`; `Parse` for a line without a word, without a tab, with blanks in the word, with a number that is
/// none, and for a word that was there before.
pub fn read<R: BufRead>(mut lines: LineReader<R>) -> Result<ClassTable> {
    let mut table = ClassTable::default();
    let mut line = String::new();
    while lines.read_into(&mut line)? {
        let fault = |column: usize, expected: &str| {
            let found = line.as_bytes().get(column..).unwrap_or_default();
            Err(Error::parse(lines.position(column + 1), expected, found))
        };
        let Some((word, number)) = line.split_once('\t') else {
            return fault(0, "a word, a tab, and the number of its class");
        };
        if word.is_empty() {
            return fault(0, "a word before the tab");
        }
        if let Some(blank) = word.bytes().position(is_blank) {
            return fault(blank, "a word without blanks");
        }
        let Ok(number) = number.parse() else {
            return fault(word.len() + 1, "the number of a class, from 0 to 4294967295");
        };
        if table.words.intern(word.as_bytes()).index() < table.numbers.len() {
            return fault(0, "each word once (this one is repeated)");
        }
        table.numbers.push(number);
    }
    Ok(table)
}

/// Appends the lines of a file: words in any order, with the numbers of their classes.
pub fn write<'w>(classes: impl IntoIterator<Item = (&'w [u8], u32)>, out: &mut Vec<u8>) {
    let mut entries: Vec<(&[u8], u32)> = classes.into_iter().collect();
    entries.sort_unstable();
    for (word, number) in entries {
        out.extend_from_slice(word);
        // Writing to memory cannot fail.
        let _ = writeln!(out, "\t{number}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::lines::Utf8;
    use proptest::prelude::*;

    fn read(file: &[u8]) -> Result<ClassTable> {
        super::read(LineReader::new(file, "c", Utf8::Strict))
    }

    #[test]
    fn errors_name_the_place() {
        for (file, expected) in [
            ("a\t1\nb 2\n", "c:2:1: expected a word, a tab, and the number of its class, found `b 2`"),
            ("a\t1\n\n", "c:2:1: expected a word, a tab, and the number of its class, found nothing"),
            ("\t1\n", "c:1:1: expected a word before the tab, found `\\t1`"),
            ("ab c\t1\n", "c:1:3: expected a word without blanks, found ` c\\t1`"),
            ("ab\tx\n", "c:1:4: expected the number of a class, from 0 to 4294967295, found `x`"),
            ("ab\t-1\n", "c:1:4: expected the number of a class, from 0 to 4294967295, found `-1`"),
            ("ab\t1\t2\n", "c:1:4: expected the number of a class, from 0 to 4294967295, found `1\\t2`"),
            ("ab\t4294967296\n", "c:1:4: expected the number of a class, from 0 to 4294967295, found `4294967296`"),
            ("ab\t\n", "c:1:4: expected the number of a class, from 0 to 4294967295, found nothing"),
            ("a\t1\nb\t1\na\t2\n", "c:3:1: expected each word once (this one is repeated), found `a\\t2`"),
        ] {
            assert_eq!(read(file.as_bytes()).unwrap_err().to_string(), expected);
        }
        assert_eq!(read(b"a\t1\nb\xFF\t2\n").unwrap_err().position().map(|position| position.line), Some(2));
    }

    #[test]
    fn line_ends_do_not_matter() {
        for file in ["a\t1\nb\t2\n", "a\t1\r\nb\t2\r\n", "a\t1\nb\t2", "\u{FEFF}a\t1\nb\t2\n"] {
            let table = read(file.as_bytes()).unwrap();
            assert_eq!(table.entries().collect::<Vec<_>>(), [(&b"a"[..], 1), (b"b", 2)]);
        }
        assert!(read(b"").unwrap().is_empty());
    }

    proptest! {
        /// Without NUL: short words of every other byte NUL look like UTF-16.
        #[test]
        fn what_is_written_is_read(
            entries in proptest::collection::btree_map("[^ \t\r\n\0\u{FEFF}]{1,4}", any::<u32>(), 0..20),
        ) {
            let mut file = Vec::new();
            write(entries.iter().rev().map(|(word, &number)| (word.as_bytes(), number)), &mut file);
            let table = read(&file).unwrap();
            prop_assert_eq!(table.len(), entries.len());
            prop_assert!(table.entries().eq(entries.iter().map(|(word, &number)| (word.as_bytes(), number))));
        }
    }
}
