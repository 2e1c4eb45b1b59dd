//! How alike two words are written.
//!
//! The Dice coefficient D of the sets of character bigrams of `^word$`, where each bigram is represented by one of 128
//! buckets, so that a word is one 128-bit number and a comparison two population counts. The similarity is 1 for equal
//! words; max(0, 2D - 1) if both have three characters or more; else 0. So half of the bigrams must agree before
//! anything is said.
//!
//! ```
//! use alinea_align::lexicon::similarity::Spelling;
//!
//! let (colour, couleur, house) = (Spelling::of(b"colour"), Spelling::of(b"couleur"), Spelling::of(b"house"));
//! assert!(colour.similarity(&couleur) > 0.05);
//! assert_eq!(colour.similarity(&house), 0.0);
//! ```

use bstr::ByteSlice;

use super::PairIndex;
use crate::bitext::{RankedBitext, WordId};

/// A word's bigrams, as far as similarity wants to know them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spelling {
    buckets: u128,
    long_enough: bool,
}

impl Spelling {
    /// The spelling of a word; bytes that are not UTF-8 count as U+FFFD.
    pub fn of(word: &[u8]) -> Self {
        let mut buckets = 0u128;
        let mut before = '^';
        let mut characters = 0;
        for character in word.chars() {
            buckets |= 1 << bucket(before, character);
            before = character;
            characters += 1;
        }
        buckets |= 1 << bucket(before, '$');
        Self { buckets, long_enough: characters >= 3 }
    }

    /// max(0, 2D - 1), or 0 if one of the words has fewer than three characters. Equality of the words is not seen
    /// here: short words can be equal too.
    pub fn similarity(&self, other: &Self) -> f32 {
        let shared = (self.buckets & other.buckets).count_ones();
        let all = self.buckets.count_ones() + other.buckets.count_ones();
        if !self.long_enough || !other.long_enough || 4 * shared <= all {
            return 0.0;
        }
        4.0 * shared as f32 / all as f32 - 1.0
    }
}

/// The bucket of a bigram: the top seven bits of a multiplicative hash.
fn bucket(first: char, second: char) -> u32 {
    let first = u64::from(u32::from(first)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let second = u64::from(u32::from(second)).wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
    ((first ^ second).wrapping_mul(0xFF51_AFD7_ED55_8CCD) >> 57) as u32
}

/// The pairs of an index whose words are alike, with their similarity above 0, by ascending id.
pub fn similar_pairs(bitext: &RankedBitext, index: &PairIndex) -> Vec<(u32, f32)> {
    let spellings =
        |text: &crate::bitext::Text| -> Vec<Spelling> { text.vocabulary().words().map(Spelling::of).collect() };
    let sources = spellings(&bitext.bitext().source);
    let targets = spellings(&bitext.bitext().target);
    let target_vocabulary = bitext.bitext().target.vocabulary();
    let same: Vec<Option<WordId>> =
        bitext.bitext().source.vocabulary().words().map(|w| target_vocabulary.id(w)).collect();
    let mut similar = Vec::new();
    index.for_each_pair(index.rows(), |id, source, target| {
        let equal = same[source].is_some_and(|word| word.index() == target);
        let similarity = if equal { 1.0 } else { sources[source].similarity(&targets[target]) };
        if similarity > 0.0 {
            similar.push((id as u32, similarity));
        }
    });
    similar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_coefficient_is_dices() {
        // ^n na at ti io on n$ against ^n na at ti io on na al l$: 6 shared of 7 + 8 distinct bigrams (na twice).
        let (a, b) = (Spelling::of(b"nation"), Spelling::of(b"national"));
        assert_eq!((a.buckets.count_ones(), b.buckets.count_ones()), (7, 8), "no two bigrams share a bucket here");
        assert!((a.similarity(&b) - (4.0 * 6.0 / 15.0 - 1.0)).abs() < 1e-6);
        assert_eq!(a.similarity(&b).to_bits(), b.similarity(&a).to_bits());
    }

    #[test]
    fn short_words_are_never_alike() {
        assert!(Spelling::of(b"la").similarity(&Spelling::of(b"la")).abs() < f32::EPSILON);
        assert!(Spelling::of("été".as_bytes()).similarity(&Spelling::of("été".as_bytes())) > 0.99);
    }
}
