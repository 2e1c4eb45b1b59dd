//! Translations of words that are known beforehand.
//!
//! An entry is a source word, a target word and a weight w > 0: how often the two count as linked before any text was
//! read.
//!
//! ```
//! use alinea::bitext::Dictionary;
//!
//! let mut dictionary = Dictionary::default();
//! dictionary.push(b"house", b"maison", 1.0)?;
//! assert_eq!(dictionary.len(), 1);
//! assert!(dictionary.push(b"house", b"maison", -1.0).is_err());
//! # Ok::<(), alinea::error::Error>(())
//! ```

use super::{Vocabulary, WordId};
use crate::error::{Error, Result};

/// Pairs of words with weights.
#[derive(Debug, Clone, Default)]
pub struct Dictionary {
    source: Vocabulary,
    target: Vocabulary,
    entries: Vec<([WordId; 2], f32)>,
}

impl Dictionary {
    /// The weight of an entry that is given without one: many times that of a pair of which nothing is known, and so little
    /// that a word's other translations, which the dictionary may lack, do not suffer.
    pub const DEFAULT_WEIGHT: f32 = 0.01;

    /// The greatest weight.
    pub const MOST_WEIGHT: f32 = 1e6;

    /// Whether a weight is allowed: above 0, and at most [`MOST_WEIGHT`](Self::MOST_WEIGHT).
    pub fn allows(weight: f32) -> bool {
        weight > 0.0 && weight <= Self::MOST_WEIGHT
    }

    /// Adds an entry. The words are compared with those of the text byte by byte. Weights of equal entries add up.
    ///
    /// # Errors
    /// `Config` if the weight is not allowed.
    pub fn push(&mut self, source: &[u8], target: &[u8], weight: f32) -> Result<()> {
        if !Self::allows(weight) {
            return Err(Error::config("dictionary", weight, "weights above 0 and at most 1000000"));
        }
        self.entries.push(([self.source.intern(source), self.target.intern(target)], weight));
        Ok(())
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entries whose words two vocabularies have, by their numbers there, in order; weights of equal ones summed.
    /// O(entries × log entries).
    pub fn weights_in(&self, source: &Vocabulary, target: &Vocabulary) -> Vec<([usize; 2], f32)> {
        let ids = |own: &Vocabulary, text: &Vocabulary| -> Vec<Option<WordId>> {
            own.words().map(|word| text.id(word)).collect()
        };
        let (sources, targets) = (ids(&self.source, source), ids(&self.target, target));
        let known = |&([s, t], weight): &([WordId; 2], f32)| {
            Some(([sources[s.index()]?.index(), targets[t.index()]?.index()], weight))
        };
        let mut weights: Vec<_> = self.entries.iter().filter_map(known).collect();
        weights.sort_by_key(|&(words, _)| words);
        weights.dedup_by(|(words, weight), (kept, sum)| {
            let same = words == kept;
            if same {
                *sum += *weight;
            }
            same
        });
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_positive_numbers() {
        for bad in [0.0, -1.0, f32::NAN, f32::INFINITY, 2e6] {
            assert!(Dictionary::default().push(b"a", b"b", bad).is_err(), "{bad}");
        }
    }
}
