//! Vectors of words in half precision: what an encoder says of a text.
//!
//! [`WordVectors`] has one vector for each word of each sentence, all of one width: for a text of n words with vectors of d
//! numbers, an array of n × d numbers of 16 bits (IEEE 754 binary16: 11 significant bits, at most 65504), and the word at which
//! each sentence ends. So a million words with 384 numbers take 768 MB. Numbers are rounded to the nearest, ties to even,
//! with the same result on every processor; larger ones become ±65504.
//!
//! ```
//! use alinea::word_vectors::WordVectors;
//!
//! let mut vectors = WordVectors::new("toy.1", 2);
//! vectors.push(&[1.0, 0.0, 0.5, -0.25]);
//! vectors.push(&[]);
//! vectors.push(&[1e6, 0.1]);
//! assert_eq!((vectors.len(), vectors.words()), (3, 3));
//!
//! let mut sentence = Vec::new();
//! vectors.sentence(0, &mut sentence);
//! assert_eq!(sentence, [1.0, 0.0, 0.5, -0.25]);
//! let mut word = [0.0; 2];
//! vectors.word(2, &mut word);
//! assert_eq!(word, [65504.0, 0.099975586]);
//! ```

use std::ops::Range;

use half::f16;
use half::slice::{HalfBitsSliceExt as _, HalfFloatSliceExt as _};

/// Vectors of the words of a text, sentence by sentence, in half precision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordVectors {
    origin: String,
    width: usize,
    /// The number of words up to and with each sentence.
    ends: Vec<u64>,
    /// Word after word, `width` numbers each, as the bits of binary16.
    values: Vec<u16>,
}

impl WordVectors {
    /// Vectors of no sentences. `origin` says what they come from, such as `multilingual-e5-small.7`, a model and one of its
    /// layers; it stands in signatures. `width` is how many numbers a vector has.
    ///
    /// # Panics
    /// If the width is 0.
    pub fn new(origin: impl Into<String>, width: usize) -> Self {
        assert!(width > 0, "a vector has numbers");
        Self { origin: origin.into(), width, ends: Vec::new(), values: Vec::new() }
    }

    /// Adds a sentence: the vectors of its words, one behind the other. What is no number (NaN) stays so.
    ///
    /// # Panics
    /// If a vector is not complete.
    pub fn push(&mut self, sentence: &[f32]) {
        self.end_sentence(sentence.len());
        let largest = f16::MAX.to_f32();
        self.values.extend(sentence.iter().map(|value| f16::from_f32(value.clamp(-largest, largest)).to_bits()));
    }

    /// Adds a sentence whose numbers are the bits of binary16.
    ///
    /// # Panics
    /// If a vector is not complete.
    pub fn push_halves(&mut self, sentence: &[u16]) {
        self.end_sentence(sentence.len());
        self.values.extend_from_slice(sentence);
    }

    /// Adds all sentences of another text.
    ///
    /// # Panics
    /// If its vectors have another width.
    pub fn append(&mut self, other: &Self) {
        assert_eq!(self.width, other.width, "vectors of one width");
        let words = self.words() as u64;
        self.ends.extend(other.ends.iter().map(|end| words + end));
        self.values.extend_from_slice(&other.values);
    }

    /// Replaces the content of `out` by the vectors of the `n`-th sentence, from 0, one behind the other.
    ///
    /// # Panics
    /// If there is no such sentence.
    pub fn sentence(&self, n: usize, out: &mut Vec<f32>) {
        let halves = self.halves(n);
        out.clear();
        out.resize(halves.len(), 0.0);
        halves.reinterpret_cast::<f16>().convert_to_f32_slice(out);
    }

    /// The vectors of the `n`-th sentence, from 0, as the bits of binary16.
    ///
    /// # Panics
    /// If there is no such sentence.
    pub fn halves(&self, n: usize) -> &[u16] {
        let Range { start, end } = self.range(n);
        &self.values[start * self.width..end * self.width]
    }

    /// Puts the vector of a word into `out`; words are counted from 0 through all sentences.
    ///
    /// # Panics
    /// If there is no such word, or `out` has another width.
    pub fn word(&self, number: usize, out: &mut [f32]) {
        let start = number * self.width;
        self.values[start..start + self.width].reinterpret_cast::<f16>().convert_to_f32_slice(out);
    }

    /// How many sentences there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no sentences.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many words all sentences have together.
    pub fn words(&self) -> usize {
        self.ends.last().map_or(0, |&end| end as usize)
    }

    /// How many words the `n`-th sentence has, from 0.
    ///
    /// # Panics
    /// If there is no such sentence.
    pub fn words_of(&self, n: usize) -> usize {
        self.range(n).len()
    }

    /// How many numbers a vector has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// What the vectors come from.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The words of a sentence among all.
    fn range(&self, n: usize) -> Range<usize> {
        let start = if n == 0 { 0 } else { self.ends[n - 1] };
        start as usize..self.ends[n] as usize
    }

    fn end_sentence(&mut self, numbers: usize) {
        assert!(numbers.is_multiple_of(self.width), "{numbers} numbers are no vectors of {}", self.width);
        self.ends.push((self.words() + numbers / self.width) as u64);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_are_rounded_as_elsewhere() {
        // struct.pack("<e", x) of CPython 3.11, and ±65504 for what it refuses.
        let pairs = [
            (0.0, 0x0000),
            (-0.0, 0x8000),
            (1.0, 0x3C00),
            (-2.0, 0xC000),
            (0.1, 0x2E66),
            (1.0 / 3.0, 0x3555),
            (2049.0, 0x6800),
            (2051.0, 0x6802),
            (6e-8, 0x0001),
            (1e-8, 0x0000),
            (65504.0, 0x7BFF),
            (65519.0, 0x7BFF),
            (1e6, 0x7BFF),
            (f32::INFINITY, 0x7BFF),
            (f32::NEG_INFINITY, 0xFBFF),
        ];
        let mut vectors = WordVectors::new("", 1);
        vectors.push(&pairs.map(|(value, _)| value));
        assert_eq!(vectors.halves(0), pairs.map(|(_, bits)| bits));
        vectors.push(&[f32::NAN]);
        let mut out = Vec::new();
        vectors.sentence(1, &mut out);
        assert!(out[0].is_nan());
    }

    #[test]
    fn sentences_and_words_are_found_again() {
        let mut vectors = WordVectors::new("model.3", 3);
        assert!(vectors.is_empty());
        assert_eq!((vectors.len(), vectors.words(), vectors.width(), vectors.origin()), (0, 0, 3, "model.3"));
        vectors.push(&[]);
        vectors.push(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        vectors.push_halves(&[0x3C00, 0xC000, 0]);
        assert_eq!((vectors.len(), vectors.words()), (3, 3));
        assert_eq!([0, 1, 2].map(|n| vectors.words_of(n)), [0, 2, 1]);
        let mut out = vec![9.0; 20];
        vectors.sentence(0, &mut out);
        assert!(out.is_empty());
        vectors.sentence(1, &mut out);
        assert_eq!(out, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let mut word = vec![0.0; 3];
        vectors.word(1, &mut word);
        assert_eq!(word, [4.0, 5.0, 6.0]);
        vectors.word(2, &mut word);
        assert_eq!(word, [1.0, -2.0, 0.0]);
    }

    #[test]
    #[should_panic(expected = "4 numbers are no vectors of 3")]
    fn half_a_vector_is_refused() {
        WordVectors::new("", 3).push_halves(&[0; 4]);
    }

    #[test]
    #[should_panic(expected = "vectors of one width")]
    fn another_width_is_refused() {
        WordVectors::new("", 3).append(&WordVectors::new("", 4));
    }

    fn sentences() -> impl Strategy<Value = Vec<Vec<f32>>> {
        let word = proptest::collection::vec(-70000.0f32..70000.0, 2);
        let sentence = proptest::collection::vec(word, 0..4).prop_map(|words| words.concat());
        proptest::collection::vec(sentence, 0..8)
    }

    proptest! {
            #[test]
            fn chunks_are_joined_as_if_pushed_at_once(sentences in sentences(), cut in 0usize..8) {
                let of = |sentences: &[Vec<f32>]| {
                    let mut vectors = WordVectors::new("o", 2);
                    for sentence in sentences {
     vectors.push(sentence);
    }
                    vectors
                };
                let cut = cut.min(sentences.len());
                let mut joined = of(&sentences[..cut]);
                joined.append(&of(&sentences[cut..]));
                prop_assert_eq!(joined, of(&sentences));
            }

            #[test]
            fn eleven_bits_are_kept(sentences in sentences()) {
                let mut vectors = WordVectors::new("o", 2);
                for sentence in &sentences {
     vectors.push(sentence);
    }
                let mut out = Vec::new();
                for (n, sentence) in sentences.iter().enumerate() {
                    vectors.sentence(n, &mut out);
                    prop_assert_eq!(out.len(), sentence.len());
                    for (&found, &value) in out.iter().zip(sentence) {
                        let value = value.clamp(-65504.0, 65504.0);
                        // Half a unit in the last place, and below 2^-14 half of 2^-24.
                        prop_assert!((found - value).abs() <= (value.abs() / 2048.0).max(2f32.powi(-25)), "{} {}", found, value);
                    }
                    let mut halves = WordVectors::new("o", 2);
                    halves.push(&out);
                    prop_assert_eq!(halves.halves(0), vectors.halves(n));
                }
            }
        }
}
