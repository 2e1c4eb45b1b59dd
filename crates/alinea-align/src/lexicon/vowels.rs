//! Which letters are vowels, found without knowing the language.
//!
//! Sukhotin's algorithm (1962; in English Guy, Cryptologia 15, 1991): vowels stand next to consonants more than next to
//! each other. All letters begin as consonants, with n(a,b) the number of times that a and b are neighbors, a ≠ b, and
//! the sum of n(a,b) over all b for each letter. The letter with the largest sum becomes a vowel; twice what it has
//! with each other letter is taken from that one's sum; until no sum is above zero. Each distinct word counts once.
//! Scripts of East Asia have no vowels here.
//!
//! What is found need not be a vowel: in the script of Arabic it is what stands for long vowels, and some letters
//! that are rare. It is only asked which letters say less about a word than others.
//!
//! ```
//! use alinea_align::lexicon::Vowels;
//!
//! let words = ["saguntum", "populus", "romanus", "legati", "hannibal", "bellum", "consul", "senatus"];
//! let vowels = Vowels::of(words.map(str::as_bytes));
//! assert!("aeiou".chars().all(|letter| vowels.contains(letter)));
//! assert_eq!(vowels.consonants(b"romani"), b"rmn");
//! ```

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use bstr::ByteSlice;

use super::stems::EAST_ASIAN;

/// The letters that are taken for vowels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Vowels {
    letters: BTreeSet<char>,
}

impl Vowels {
    /// The vowels of a language, from its words. Their order does not matter. O(letters² + length of all words).
    pub fn of<'w>(words: impl IntoIterator<Item = &'w [u8]>) -> Self {
        let neighbors = neighbors(words);
        let mut sums: BTreeMap<char, i64> =
            neighbors.iter().map(|(&letter, others)| (letter, others.values().sum())).collect();
        let mut vowels = Self::default();
        while let Some((&vowel, &sum)) = sums.iter().max_by_key(|&(&letter, &sum)| (sum, Reverse(letter))) {
            if sum <= 0 {
                break;
            }
            sums.remove(&vowel);
            vowels.letters.insert(vowel);
            for (other, count) in &neighbors[&vowel] {
                if let Some(sum) = sums.get_mut(other) {
                    *sum -= 2 * count;
                }
            }
        }
        vowels
    }

    /// Whether a letter is one of them.
    pub fn contains(&self, letter: char) -> bool {
        self.letters.contains(&letter)
    }

    /// A word without its vowels; all of it if nothing would be left.
    pub fn consonants(&self, word: &[u8]) -> Vec<u8> {
        let kept = word.char_indices().filter(|&(_, _, letter)| !self.contains(letter));
        let consonants: Vec<u8> = kept.flat_map(|(start, end, _)| &word[start..end]).copied().collect();
        if consonants.is_empty() { word.to_vec() } else { consonants }
    }
}

/// How often each letter stands next to each other one.
fn neighbors<'w>(words: impl IntoIterator<Item = &'w [u8]>) -> BTreeMap<char, BTreeMap<char, i64>> {
    let mut neighbors: BTreeMap<char, BTreeMap<char, i64>> = BTreeMap::new();
    for word in words {
        let letters = word.chars().map(|letter| (letter.is_alphabetic() && letter < EAST_ASIAN).then_some(letter));
        for pair in letters.clone().zip(letters.skip(1)) {
            let (Some(a), Some(b)) = pair else { continue };
            if a != b {
                *neighbors.entry(a).or_default().entry(b).or_default() += 1;
                *neighbors.entry(b).or_default().entry(a).or_default() += 1;
            }
        }
    }
    neighbors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_between_consonants_are_vowels() {
        let words = ["saguntum", "populus", "romanus", "legati", "hannibal", "bellum", "consul", "senatus"];
        let vowels = Vowels::of(words.map(str::as_bytes));
        assert_eq!(vowels.letters.iter().collect::<String>(), "aeiou");
        assert_eq!(vowels.consonants(b"romani"), b"rmn");
        assert_eq!(Vowels::of(words.iter().rev().map(|word| word.as_bytes())), vowels);
    }

    #[test]
    fn a_word_without_consonants_is_kept() {
        let vowels = Vowels::of(["ba", "da", "fa"].map(str::as_bytes));
        assert_eq!(vowels.consonants(b"aa"), b"aa");
        assert_eq!(vowels.consonants(b""), b"");
        assert_eq!(vowels.consonants(b"a\xFFa"), b"\xFF");
    }

    #[test]
    fn signs_digits_and_east_asian_writing_have_no_vowels() {
        assert_eq!(Vowels::of(["1-1", "にに日日", "가나가"].map(str::as_bytes)), Vowels::default());
    }
}
