//! Sentences as features see them: columns of numbers.
//!
//! A [`Column`] is a layer of the sentence, or made of its words: their beginnings, ends, and shapes. What a column says of a
//! word becomes a fingerprint; outside of the sentence stands the empty token.

use std::fmt;
use std::str::FromStr;

use super::engine::{Layer, Sentence};
use super::fingerprint::fingerprint;
use crate::error::{Error, ErrorKind, Result};

/// What features may look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Column {
    /// A layer of the sentence.
    Layer(Layer),
    /// A prefix of the word of this many characters.
    Prefix(u8),
    /// Its last characters.
    Suffix(u8),
    /// Which kinds of characters it has: capital and small letters, digits, others, without repetitions.
    Shape,
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Layer(layer) => f.write_str(layer.name()),
            Self::Prefix(length) => write!(f, "prefix{length}"),
            Self::Suffix(length) => write!(f, "suffix{length}"),
            Self::Shape => f.write_str("shape"),
        }
    }
}

impl FromStr for Column {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let affix = |kind: &str| name.strip_prefix(kind)?.parse().ok().filter(|&length: &u8| (1..=9).contains(&length));
        match name {
            "shape" => Ok(Self::Shape),
            _ => affix("prefix")
                .map(Self::Prefix)
                .or_else(|| affix("suffix").map(Self::Suffix))
                .or_else(|| name.parse().ok().map(Self::Layer))
                .ok_or_else(|| {
                    Error::config("column", name, "a layer, prefix1 to prefix9, suffix1 to suffix9, or shape")
                }),
        }
    }
}

impl Column {
    /// The layer that it is made of.
    pub const fn layer(self) -> Layer {
        match self {
            Self::Layer(layer) => layer,
            Self::Prefix(_) | Self::Suffix(_) | Self::Shape => Layer::Words,
        }
    }
}

/// How far before and behind a sentence features look.
const MARGIN: usize = 2;

/// The columns of a sentence, as fingerprints.
#[derive(Debug, Clone, Default)]
pub struct Columns {
    words: usize,
    /// Column by column, with margins on both sides.
    values: Vec<u64>,
}

impl Columns {
    /// Of these columns of a sentence.
    ///
    /// # Errors
    /// `Inconsistent` if it lacks the layer of one.
    pub fn new(columns: &[Column], sentence: &Sentence) -> Result<Self> {
        let words = sentence.len();
        let outside = fingerprint(b"");
        let mut values = Vec::with_capacity(columns.len() * (words + 2 * MARGIN));
        for &column in columns {
            let tokens = layer_of(column, sentence)?;
            values.extend([outside; MARGIN]);
            values.extend(tokens.iter().map(|token| value(column, token)));
            values.extend([outside; MARGIN]);
        }
        Ok(Self { words, values })
    }

    /// Whether a sentence has these columns.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub(super) fn check(columns: &[Column], sentence: &Sentence) -> Result<()> {
        columns.iter().try_for_each(|&column| layer_of(column, sentence).map(|_| ()))
    }

    /// The number of words.
    pub fn words(&self) -> usize {
        self.words
    }

    /// What a column says of the word at `place` - 2; so places from 0 to the number of words + 3.
    #[inline(always)]
    pub(super) fn shifted(&self, column: usize, place: usize) -> u64 {
        self.values[column * (self.words + 2 * MARGIN) + place]
    }
}

/// The tokens that a column is made of.
fn layer_of(column: Column, sentence: &Sentence) -> Result<&[String]> {
    let layer = column.layer();
    sentence.layer(layer).ok_or_else(|| {
        let message = format!("the sentence has no {layer}, which the model was trained with");
        ErrorKind::Inconsistent(message).into()
    })
}

fn value(column: Column, token: &str) -> u64 {
    match column {
        Column::Layer(_) => fingerprint(token.as_bytes()),
        Column::Prefix(length) => {
            let end = token.char_indices().nth(usize::from(length)).map_or(token.len(), |(at, _)| at);
            fingerprint(&token.as_bytes()[..end])
        }
        Column::Suffix(length) => {
            let start = token.char_indices().rev().nth(usize::from(length) - 1).map_or(0, |(at, _)| at);
            fingerprint(&token.as_bytes()[start..])
        }
        Column::Shape => fingerprint(shape(token).as_bytes()),
    }
}

/// `McDonald's` is `AaAa-a`.
fn shape(token: &str) -> String {
    let kind = |character: char| match character {
        _ if character.is_uppercase() => 'A',
        _ if character.is_alphabetic() => 'a',
        _ if character.is_numeric() => '0',
        _ => '-',
    };
    let mut shape: Vec<char> = token.chars().map(kind).collect();
    shape.dedup();
    shape.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence(words: &[&str]) -> Sentence {
        Sentence::new(words.iter().map(|&word| word.to_owned()).collect())
    }

    #[test]
    fn columns_are_made_of_words() {
        assert_eq!(shape("McDonald's"), "AaAa-a");
        assert_eq!(shape("1990s"), "0a");
        let columns = |name: &str, word: &str| {
            let columns = Columns::new(&[name.parse().unwrap()], &sentence(&[word])).unwrap();
            columns.shifted(0, 2)
        };
        assert_eq!(columns("suffix2", "größe"), fingerprint("ße".as_bytes()));
        assert_eq!(columns("prefix3", "größe"), fingerprint("grö".as_bytes()));
        assert_eq!(columns("suffix9", "an"), fingerprint(b"an"));
        assert_eq!(columns("shape", "An"), fingerprint(b"Aa"));
    }

    #[test]
    fn what_is_outside_is_empty() {
        let columns = Columns::new(&["words".parse().unwrap()], &sentence(&["a"])).unwrap();
        let seen: Vec<u64> = (0..5).map(|place| columns.shifted(0, place)).collect();
        let (outside, a) = (fingerprint(b""), fingerprint(b"a"));
        assert_eq!(seen, [outside, outside, a, outside, outside]);
    }

    #[test]
    fn names_are_read_as_written() {
        for name in ["words", "tags", "prefix1", "suffix9", "shape"] {
            assert_eq!(name.parse::<Column>().unwrap().to_string(), name);
        }
        let error = "suffix0".parse::<Column>().unwrap_err().to_string();
        assert!(error.contains("suffix1 to suffix9"), "{error}");
        let error = Columns::new(&["tags".parse().unwrap()], &sentence(&["a"])).unwrap_err().to_string();
        assert_eq!(error, "the sentence has no tags, which the model was trained with");
    }
}
