//! Words by where they stand.

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Where a word stands: `40001001002`, `n40001001002`, `o010010010021`. Ordered by place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WordId {
    /// The number of the book, from 1 to 99: see [`BookCode::of_number`](crate::format::usfm::BookCode::of_number).
    pub book: u8,
    /// The chapter.
    pub chapter: u16,
    /// The verse.
    pub verse: u16,
    /// The word in the verse, from 1.
    pub word: u16,
    /// The part of the word, where words are cut into some.
    pub part: Option<u8>,
    /// The letter before the number, `n` or `o`.
    pub prefix: Option<char>,
}

/// That text is no id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected the id of a word, such as 40001001002")]
pub struct NoWordId;

impl FromStr for WordId {
    type Err = NoWordId;

    fn from_str(text: &str) -> Result<Self, NoWordId> {
        let prefix = text.chars().next().filter(|first| matches!(first, 'n' | 'o'));
        let digits = &text[usize::from(prefix.is_some())..];
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number || !matches!(digits.len(), 11 | 12) {
            return Err(NoWordId);
        }
        let number =
            |from: usize, to: usize| digits[from..to].bytes().fold(0, |n, digit| 10 * n + u16::from(digit - b'0'));
        let part = (digits.len() == 12).then(|| number(11, 12) as u8);
        let (book, chapter, verse, word) = (number(0, 2) as u8, number(2, 5), number(5, 8), number(8, 11));
        if book == 0 || word == 0 { Err(NoWordId) } else { Ok(Self { book, chapter, verse, word, part, prefix }) }
    }
}

impl fmt::Display for WordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { book, chapter, verse, word, part, prefix } = self;
        prefix.map_or(Ok(()), |prefix| write!(f, "{prefix}"))?;
        write!(f, "{book:02}{chapter:03}{verse:03}{word:03}")?;
        part.map_or(Ok(()), |part| write!(f, "{part}"))
    }
}

impl Serialize for WordId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

struct IdVisitor;

impl Visitor<'_> for IdVisitor {
    type Value = WordId;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the id of a word, such as 40001001002")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<WordId, E> {
        text.parse().map_err(|_| E::invalid_value(de::Unexpected::Str(text), &self))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<WordId, E> {
        // Without its leading zero.
        format!("{number:011}").parse().map_err(|_| E::invalid_value(de::Unexpected::Unsigned(number), &self))
    }
}

impl<'de> Deserialize<'de> for WordId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(IdVisitor)
    }
}
