//! Sets of synonyms that users supply: a file with a set on each line, its words separated by blanks or tabs.
//!
//! A word may be in several sets, and two words are synonyms if some set has both; so synonymy is not transitive. Words
//! are compared in lower case. For each word the numbers of its sets are stored, ascending. A line with fewer than two
//! words is an error.

use std::io::BufRead;

use crate::bitext::Vocabulary;
use crate::error::{Error, Result};
use crate::format::lines::LineReader;
use crate::format::tokens::is_blank;

/// Sets of words with one meaning; a word can be in several. Words are compared in lower case.
///
/// In a file each line is a set, its words set apart by blanks or tabs.
///
/// ```
/// use alinea::format::lines::{LineReader, Utf8};
/// use alinea::metric::meteor::Synonyms;
///
/// let synonyms = Synonyms::read(LineReader::new(&b"bank shore\nbank institute\n"[..], "sets", Utf8::Strict))?;
/// assert_eq!(synonyms.len(), 2);
/// assert!(synonyms.share("Bank", "institute") && !synonyms.share("shore", "institute"));
/// # Ok::<(), alinea::error::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Synonyms {
    words: Vocabulary,
    sets: Vec<Vec<u32>>,
    count: u32,
}

impl Synonyms {
    /// Reads sets.
    ///
    /// # Errors
    /// `Io`, `InvalidUtf8`, and `Parse` for a line with fewer than two words.
    pub fn read<R: BufRead>(mut lines: LineReader<R>) -> Result<Self> {
        let mut synonyms = Self::default();
        let mut line = String::new();
        while lines.read_into(&mut line)? {
            let blank = |character: char| character.is_ascii() && is_blank(character as u8);
            let words: Vec<&str> = line.split(blank).filter(|word| !word.is_empty()).collect();
            if words.len() < 2 {
                return Err(Error::parse(lines.position(1), "a set of at least two words", line.as_bytes()));
            }
            synonyms.insert(&words);
        }
        Ok(synonyms)
    }

    /// Adds a set.
    pub fn insert(&mut self, words: &[&str]) {
        for word in words {
            let number = self.words.intern(word.to_lowercase().as_bytes()).index();
            self.sets.resize_with(self.words.len(), Vec::new);
            // A word may stand twice in the set.
            if self.sets[number].last() != Some(&self.count) {
                self.sets[number].push(self.count);
            }
        }
        self.count += 1;
    }

    /// The number of sets.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether a set has both words.
    pub fn share(&self, one: &str, other: &str) -> bool {
        let (one, other) = (one.to_lowercase(), other.to_lowercase());
        self.sets_of(&one).iter().any(|set| self.sets_of(&other).contains(set))
    }

    /// The sets that have a word, which is in lower case, as numbers in order.
    pub(super) fn sets_of(&self, word: &str) -> &[u32] {
        self.words.id(word.as_bytes()).map_or(&[], |id| &self.sets[id.index()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::lines::Utf8;

    #[test]
    fn a_lonely_word_is_refused() {
        let read = |text: &'static str| Synonyms::read(LineReader::new(text.as_bytes(), "sets", Utf8::Strict));
        let error = read("car automobile\n\tcar \n").unwrap_err().to_string();
        assert!(error.starts_with("sets:2:1: expected a set of at least two words"), "{error}");
        assert!(read("a b\n\n").is_err());
        let sets = read("Car car  AUTOMOBILE\n").expect("one set");
        assert!(sets.share("car", "Automobile"));
        assert_eq!(sets.sets_of("car"), [0]);
    }
}
