//! Occurrences that are shown, with their sentences.

use std::sync::Arc;

use super::pair::LinkedPair;

/// An occurrence of a headword.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// Where it is.
    pub sentence: Arc<Sentence>,
    /// The words of the headword and of its translation, as places in the source and in the target, from 0.
    pub places: [Vec<u32>; 2],
    /// The mean confidence of the links, if they have some.
    pub confidence: Option<f32>,
}

impl Example {
    /// Whether both have the same words, wherever they stand.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.sentence.words == other.sentence.words
    }
}

/// A sentence pair that examples are in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// Its number in the text, from 1.
    pub number: u64,
    /// What it is called, such as a verse, if anything.
    pub name: Option<String>,
    /// The words of source and target.
    pub words: [SentenceWords; 2],
}

impl Sentence {
    pub(super) fn of(pair: &LinkedPair<'_>, number: u64) -> Self {
        Self { number, name: pair.name.map(str::to_owned), words: pair.words.map(SentenceWords::of) }
    }
}

/// The words of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SentenceWords {
    text: String,
    ends: Vec<usize>,
}

impl SentenceWords {
    /// These words.
    pub fn of(words: &[&str]) -> Self {
        let (mut text, mut ends) = (String::new(), Vec::with_capacity(words.len()));
        for word in words {
            text.push_str(word);
            ends.push(text.len());
        }
        Self { text, ends }
    }

    /// The words, in their order.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &str> + DoubleEndedIterator {
        (0..self.ends.len()).map(|n| &self.text[n.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[n]])
    }

    /// How many they are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}
