//! Words cut into pieces by byte pair encoding (Gage 1994; Sennrich, Haddow and Birch 2016, section 3.2).
//!
//! Every word begins as its code points. The two neighbors that are found together most often, over all words, become one
//! piece wherever they are neighbors; then again, until no two neighbors are found together often enough. Of pairs that
//! are equally frequent the one goes first whose pieces are older, code points in order of their numbers. A word that is
//! not UTF-8, has no letter, or is longer than [`LONGEST_WORD`], is one piece.
//!
//! ```
//! use alinea::bitext::{Pieces, Text};
//!
//! let mut text = Text::default();
//! text.push_sentence("haus hauses baum baumes".split(' ').map(str::as_bytes));
//! let pieces = Pieces::learn(text.vocabulary(), &text.frequencies(), 2);
//! let baumes = text.vocabulary().id(b"baumes").unwrap();
//! assert_eq!(pieces.of(text.vocabulary(), baumes).collect::<Vec<_>>(), [&b"baum"[..], b"es"]);
//! ```

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::{Vocabulary, WordId};

/// The bytes of the longest word that is cut. What is longer is no word, and each of its pieces would ask for pairs with all pieces
/// of a word beside it.
const LONGEST_WORD: usize = 1000;

/// How each word of a vocabulary is cut.
#[derive(Debug, Clone)]
pub struct Pieces {
    /// Where pieces end in their words, word after word.
    ends: Vec<u32>,
    /// Where the pieces of each word end among these.
    words: Vec<usize>,
}

/// A piece: its number, and its length in bytes.
type Piece = (u32, u32);

/// Two neighbors by number.
type Pair = (u32, u32);

/// How often two pieces are neighbors, and words where they once were.
#[derive(Debug, Default)]
struct Neighbors {
    times: u64,
    words: Vec<u32>,
}

impl Pieces {
    /// Learns from words and how often each counts: neighbors become one piece if they are found at least `least` times.
    ///
    /// Time O(n log n) for n code points, times the number of pieces that a word goes through (about ten).
    pub fn learn(vocabulary: &Vocabulary, times: &[u64], least: u64) -> Self {
        let mut words: Vec<Vec<Piece>> = code_points(vocabulary);
        let mut pairs: BTreeMap<Pair, Neighbors> = BTreeMap::new();
        for (number, word) in words.iter().enumerate() {
            for pair in neighbors(word) {
                let entry = pairs.entry(pair).or_default();
                entry.times += times[number];
                entry.words.push(number as u32);
            }
        }
        let mut next = words.iter().flatten().map(|&(piece, _)| piece + 1).max().unwrap_or(0);
        let mut queue: BinaryHeap<(u64, Reverse<Pair>)> =
            pairs.iter().map(|(&pair, entry)| (entry.times, Reverse(pair))).collect();
        while let Some((met, Reverse(pair))) = queue.pop() {
            let now = pairs.get(&pair).map_or(0, |entry| entry.times);
            if met != now {
                // It has become rarer since.
                if now > 0 {
                    queue.push((now, Reverse(pair)));
                }
                continue;
            }
            if now < least.max(1) {
                break;
            }
            let made = join(pair, next, &mut words, (&mut pairs, times));
            queue.extend(made.into_iter().map(|pair| (pairs[&pair].times, Reverse(pair))));
            next += 1;
        }
        Self::of_words(&words)
    }

    fn of_words(words: &[Vec<Piece>]) -> Self {
        let mut pieces = Self { ends: Vec::new(), words: Vec::with_capacity(words.len()) };
        for word in words {
            let lengths = word.iter().map(|&(_, length)| length);
            pieces.ends.extend(lengths.scan(0, |end, length| {
                *end += length;
                Some(*end)
            }));
            pieces.words.push(pieces.ends.len());
        }
        pieces
    }

    /// How many pieces a word has: at least one.
    pub fn count(&self, word: WordId) -> usize {
        self.ends_of(word).len()
    }

    /// The pieces of a word of the vocabulary that was learned from.
    pub fn of<'a>(&'a self, vocabulary: &'a Vocabulary, word: WordId) -> impl Iterator<Item = &'a [u8]> + 'a {
        let mut start = 0;
        self.ends_of(word)
            .iter()
            .map(move |&end| &vocabulary.word(word)[std::mem::replace(&mut start, end as usize)..end as usize])
    }

    fn ends_of(&self, word: WordId) -> &[u32] {
        let start = word.index().checked_sub(1).map_or(0, |before| self.words[before]);
        &self.ends[start..self.words[word.index()]]
    }
}

/// Each word as its code points, numbered in their order; another word is one piece, with a number that they do not have.
fn code_points(vocabulary: &Vocabulary) -> Vec<Vec<Piece>> {
    let texts: Vec<Option<&str>> = vocabulary.words().map(|word| std::str::from_utf8(word).ok()).collect();
    let mut known: Vec<char> = texts.iter().flatten().flat_map(|text| text.chars()).collect();
    known.sort_unstable();
    known.dedup();
    let number = |c: char| known.partition_point(|&other| other < c) as u32;
    let whole = |(word, text): (&[u8], Option<&str>)| match text {
        Some(text) if (1..=LONGEST_WORD).contains(&text.len()) => {
            text.chars().map(|c| (number(c), c.len_utf8() as u32)).collect()
        }
        _ => vec![(known.len() as u32, word.len() as u32)],
    };
    vocabulary.words().zip(texts.iter().copied()).map(whole).collect()
}

fn neighbors(word: &[Piece]) -> impl Iterator<Item = Pair> + '_ {
    word.windows(2).map(|pair| (pair[0].0, pair[1].0))
}

/// Makes one piece of two neighbors in all words; returns the neighbors that it has.
fn join(
    pair: Pair,
    made: u32,
    words: &mut [Vec<Piece>],
    (pairs, times): (&mut BTreeMap<Pair, Neighbors>, &[u64]),
) -> Vec<Pair> {
    let mut among = pairs.remove(&pair).unwrap_or_default().words;
    among.sort_unstable();
    among.dedup();
    let mut new = Vec::new();
    for number in among {
        let (word, times) = (&mut words[number as usize], times[number as usize]);
        let joined = joined(word, pair, made);
        if joined.len() == word.len() {
            continue;
        }
        for old in neighbors(word).filter(|&old| old != pair) {
            if let Some(entry) = pairs.get_mut(&old) {
                entry.times -= times;
            }
        }
        for now in neighbors(&joined) {
            let entry = pairs.entry(now).or_default();
            entry.times += times;
            if now.0 == made || now.1 == made {
                entry.words.push(number);
                new.push(now);
            }
        }
        *word = joined;
    }
    new.sort_unstable();
    new.dedup();
    new
}

/// A word where these neighbors, from the left, are one piece.
fn joined(word: &[Piece], pair: Pair, made: u32) -> Vec<Piece> {
    let mut joined = Vec::with_capacity(word.len());
    let mut rest = word;
    while let Some((&first, others)) = rest.split_first() {
        match others.first() {
            Some(second) if (first.0, second.0) == pair => {
                joined.push((made, first.1 + second.1));
                rest = &others[1..];
            }
            _ => {
                joined.push(first);
                rest = others;
            }
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a word of 100,000 letters thousands of pairs would be joined, each with a look at the whole word.
    #[test]
    fn what_is_too_long_for_a_word_is_not_cut() {
        let cut = |letters: usize| {
            let mut vocabulary = Vocabulary::default();
            let mut state = 1u32;
            let letter = |_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                b'a' + (state >> 29) as u8
            };
            let id = vocabulary.intern(&(0..letters).map(letter).collect::<Vec<u8>>());
            Pieces::learn(&vocabulary, &[1], 2).count(id)
        };
        assert!((2..LONGEST_WORD).contains(&cut(LONGEST_WORD)));
        assert_eq!(cut(100_000), 1);
    }
}
