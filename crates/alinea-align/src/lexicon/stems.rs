//! Stems: a coarser lexicon that inflected forms share.
//!
//! A [`StemRule`] keeps the first or the last characters of a word. Crude, language-independent, and enough for a
//! back-off distribution; several rules together see prefixes and suffixes. A rule may be shown the consonants alone
//! ([`Letters`]): what forms of a word share where vowels change, or affixes are of vowels. A
//! [`StemPairs`](super::StemPairs) table maps each pair of words to the pair of their stems.

use std::fmt;

use bstr::ByteSlice;

use super::Vowels;
use crate::bitext::{RankedBitext, Text, Vocabulary};
use crate::error::Result;
use crate::storage::{Container, ContainerWriter};

/// The first character of the writing systems of East Asia.
pub(super) const EAST_ASIAN: char = '\u{2E80}';

/// Which characters of a word are its stem.
///
/// A word with an ASCII digit keeps all characters, with every digit replaced by 5.
///
/// ```
/// use alinea::lexicon::StemRule;
/// let rule = StemRule::prefix(4, 1);
/// assert_eq!(rule.stem("nationale".as_bytes()), "nati".as_bytes());
/// assert_eq!(rule.stem(b"1,204"), b"5,555");
/// assert_eq!(rule.stem("経済".as_bytes()), "経".as_bytes());
/// assert_eq!(StemRule::suffix(3, 1).stem("nationale".as_bytes()), "ale".as_bytes());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StemRule {
    /// Which end of the word is kept.
    pub affix: Affix,
    /// How many characters are kept.
    pub characters: usize,
    /// How many are kept of a word whose first character is U+2E80 or above (the writing systems of East Asia).
    pub east_asian: usize,
}

/// An end of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Affix {
    /// The first characters.
    Prefix,
    /// The last characters.
    Suffix,
}

/// Which letters of a word a rule is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Letters {
    /// All of them.
    #[default]
    All,
    /// Those that are not [`Vowels`] of the word's text. Words with an ASCII digit keep all.
    Consonants,
}

/// Nothing, or a name and a hyphen: `consonants-`.
impl fmt::Display for Letters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::All => "",
            Self::Consonants => "consonants-",
        })
    }
}

impl StemRule {
    /// The first `characters` of a word, or `east_asian` in the writing systems of East Asia.
    pub const fn prefix(characters: usize, east_asian: usize) -> Self {
        Self { affix: Affix::Prefix, characters, east_asian }
    }

    /// The last `characters` of a word, or `east_asian` in the writing systems of East Asia.
    pub const fn suffix(characters: usize, east_asian: usize) -> Self {
        Self { affix: Affix::Suffix, characters, east_asian }
    }

    /// The stem of a word.
    pub fn stem(&self, word: &[u8]) -> Vec<u8> {
        if word.iter().any(u8::is_ascii_digit) {
            return word.iter().map(|&byte| if byte.is_ascii_digit() { b'5' } else { byte }).collect();
        }
        let east_asian = word.chars().next().is_some_and(|first| first >= EAST_ASIAN);
        let kept = if east_asian { self.east_asian } else { self.characters };
        match self.affix {
            Affix::Prefix => word[..word.char_indices().nth(kept).map_or(word.len(), |(start, ..)| start)].to_vec(),
            Affix::Suffix => word[word.char_indices().rev().nth(kept).map_or(0, |(_, end, _)| end)..].to_vec(),
        }
    }
}

/// `prefix4/1`: the end that is kept, and how many characters.
impl fmt::Display for StemRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let affix = match self.affix {
            Affix::Prefix => "prefix",
            Affix::Suffix => "suffix",
        };
        write!(f, "{affix}{}/{}", self.characters, self.east_asian)
    }
}

/// Cuts the words of one language.
#[derive(Debug, Clone)]
pub struct StemCutter {
    rule: StemRule,
    /// Those that are left out, if they are.
    vowels: Option<Vowels>,
}

impl StemCutter {
    /// A rule that is shown all letters, or consonants alone: those of the language that has these words.
    pub fn new<'w>(letters: Letters, rule: StemRule, words: impl IntoIterator<Item = &'w [u8]>) -> Self {
        let vowels = match letters {
            Letters::All => None,
            Letters::Consonants => Some(Vowels::of(words)),
        };
        Self { rule, vowels }
    }

    /// The stem of a word.
    pub fn stem(&self, word: &[u8]) -> Vec<u8> {
        match &self.vowels {
            Some(vowels) if !word.iter().any(u8::is_ascii_digit) => self.rule.stem(&vowels.consonants(word)),
            _ => self.rule.stem(word),
        }
    }
}

/// The stems of one vocabulary under one rule.
#[derive(Debug, Clone)]
pub struct Stems {
    of_word: Vec<u32>,
    shares: Vec<f32>,
    /// How often each stem occurs.
    frequencies: Vec<u64>,
}

impl Stems {
    /// The stems of a text's words, each shown to the rule without its vowels or with them.
    pub fn of(text: &Text, word_frequencies: &[u64], letters: Letters, rule: StemRule) -> Self {
        let cutter = StemCutter::new(letters, rule, text.vocabulary().words());
        let mut stems = Vocabulary::default();
        let words = text.vocabulary().words();
        let of_word = words.map(|word| stems.intern(&cutter.stem(word)).index() as u32).collect();
        Self::of_words(of_word, stems.len(), word_frequencies)
    }

    /// The same of words whose stems are known by number.
    fn of_words(of_word: Vec<u32>, len: usize, word_frequencies: &[u64]) -> Self {
        let mut frequencies = vec![0u64; len];
        for (&stem, &frequency) in of_word.iter().zip(word_frequencies) {
            frequencies[stem as usize] += frequency;
        }
        let share = |(&stem, &frequency): (&u32, &u64)| (frequency as f64 / frequencies[stem as usize] as f64) as f32;
        let shares = of_word.iter().zip(word_frequencies).map(share).collect();
        Self { of_word, shares, frequencies }
    }

    /// Adds them to a file, under a name that others begin with.
    pub(crate) fn store(&self, file: &mut ContainerWriter<'_>, name: &str, words: &Vocabulary, cutter: &StemCutter) {
        let mut stems = Vocabulary::default();
        for (word, &stem) in words.words().zip(&self.of_word) {
            // They are numbered in the order of their first words.
            if stem as usize == stems.len() {
                stems.intern(&cutter.stem(word));
            }
        }
        stems.store(file, &format!("{name}.stems"));
        file.add_owned(format!("{name}.of_word"), self.of_word.clone());
    }

    /// What was stored under a name; and the stems themselves.
    ///
    /// # Errors
    /// `Model` if arrays are missing, or contradict each other.
    pub(crate) fn load(file: &Container, name: &str, word_frequencies: &[u64]) -> Result<(Self, Vocabulary)> {
        let stems = Vocabulary::load(file, &format!("{name}.stems"))?;
        let of_word = file.section_of::<u32>(&format!("{name}.of_word"), word_frequencies.len())?;
        if let Some(&wrong) = of_word.iter().find(|&&stem| stem as usize >= stems.len()) {
            return Err(file.error(format!("{} stems in `{name}.of_word`", stems.len()), format!("number {wrong}")));
        }
        Ok((Self::of_words(of_word, stems.len(), word_frequencies), stems))
    }

    /// How often each stem occurs.
    pub(crate) fn frequencies(&self) -> &[u64] {
        &self.frequencies
    }

    /// The number of distinct stems.
    pub fn len(&self) -> usize {
        self.frequencies.len()
    }

    /// Whether there are no stems.
    pub fn is_empty(&self) -> bool {
        self.frequencies.is_empty()
    }

    /// The stem of each word, by rank.
    pub fn of_word(&self) -> &[u32] {
        &self.of_word
    }

    /// Which share of the tokens with its stem are tokens of this word, by rank.
    pub fn shares(&self) -> &[f32] {
        &self.shares
    }
}

/// The stems of both sides of a bitext.
pub(crate) fn stems_of(bitext: &RankedBitext, letters: Letters, rule: StemRule) -> (Stems, Stems) {
    (
        Stems::of(&bitext.bitext().source, bitext.source_frequencies(), letters, rule),
        Stems::of(&bitext.bitext().target, bitext.target_frequencies(), letters, rule),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_share_their_consonants() {
        let mut text = Text::default();
        text.push_sentence("kitab kutub katib nukub ai 1a 1u".split(' ').map(str::as_bytes));
        let frequencies = text.rank_words();
        let stems = Stems::of(&text, &frequencies, Letters::Consonants, StemRule::prefix(3, 1));
        let of = |word: &str| stems.of_word()[text.vocabulary().id(word.as_bytes()).unwrap().index()];
        assert!(["kutub", "katib"].map(of).into_iter().all(|stem| stem == of("kitab")));
        assert_ne!(of("kitab"), of("nukub"));
        assert_ne!(of("1a"), of("1u"));
        assert_eq!(stems.len(), 5);
    }

    #[test]
    fn short_words_are_their_own_stems() {
        for rule in [StemRule::prefix(3, 1), StemRule::suffix(3, 1)] {
            assert_eq!(rule.stem("né".as_bytes()), "né".as_bytes());
            assert_eq!(rule.stem(b""), b"");
        }
        assert_eq!(StemRule::suffix(3, 1).stem("été".as_bytes()), "été".as_bytes());
        assert_eq!(StemRule::suffix(2, 1).stem("日本語".as_bytes()), "語".as_bytes());
    }
}
