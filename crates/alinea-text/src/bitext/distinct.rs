//! The distinct sentence pairs of a text, and how often each occurs.
//!
//! Two pairs are equal if they have the same words on both sides and the same weight. Then they also have the same
//! posteriors, which need to be computed only once, and are counted as often as the pair occurs. Pairs with an empty
//! side are left out.
//!
//! [`DistinctPairs`] lists each pair by its first occurrence, with its frequency, and has the place in the list of each
//! pair of the text. Places are found through a hash table, in O(tokens); the list is in order of first appearance, so
//! it does not depend on the hash.

use std::hash::Hasher;

use hashbrown::HashTable;

use super::vocabulary::hasher;
use super::{RankedBitext, SentencePair};

/// A sentence pair, and how often the text has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DistinctPair {
    /// The number of the first pair of these words, from 0.
    pub first: u32,
    /// How many there are.
    pub times: u32,
}

/// The sentence pairs of a text that have words on both sides, each once, in the order of their first appearance.
///
/// Large texts repeat themselves (a quarter of the sentence pairs of parliamentary debates), and equal pairs of equal
/// weight have equal posteriors.
#[derive(Debug, Clone, Default)]
pub struct DistinctPairs {
    pairs: Vec<DistinctPair>,
    /// For each pair of the text its place in `pairs`, or [`NOWHERE`].
    place_of: Vec<u32>,
}

/// The place of pairs with an empty side.
const NOWHERE: u32 = u32::MAX;

impl DistinctPairs {
    /// Finds them. O(tokens).
    ///
    /// # Panics
    /// If there are 2^32 - 1 pairs or more.
    pub fn of(bitext: &RankedBitext) -> Self {
        let mut distinct = Self::default();
        let mut places: HashTable<u32> = HashTable::new();
        for n in 0..u32::try_from(bitext.len()).expect("fewer than 2^32 sentence pairs") {
            let pair = bitext.pair(n as usize);
            if pair.has_empty_side() {
                distinct.place_of.push(NOWHERE);
                continue;
            }
            let pairs = &mut distinct.pairs;
            let first = |place: u32, pairs: &[DistinctPair]| pairs[place as usize].first as usize;
            let weight = bitext.weights().of(n as usize).to_bits();
            let same = |&place: &u32| {
                let first = first(place, pairs);
                bitext.pair(first) == pair && bitext.weights().of(first).to_bits() == weight
            };
            let hash_of_pair = hash(pair);
            let place = if let Some(&place) = places.find(hash_of_pair, same) {
                pairs[place as usize].times += 1;
                place
            } else {
                let place = pairs.len() as u32;
                places.insert_unique(hash_of_pair, place, |&place| hash(bitext.pair(first(place, pairs))));
                pairs.push(DistinctPair { first: n, times: 1 });
                place
            };
            distinct.place_of.push(place);
        }
        distinct.pairs.shrink_to_fit();
        distinct
    }

    /// The pairs, each once.
    pub fn pairs(&self) -> &[DistinctPair] {
        &self.pairs
    }

    /// The number of pairs of the text.
    pub fn of_pairs(&self) -> usize {
        self.place_of.len()
    }

    /// The place of the `n`-th pair of the text among them; nothing if it has an empty side, or there is no such pair.
    #[inline]
    pub fn place_of(&self, n: usize) -> Option<usize> {
        self.place_of.get(n).filter(|&&place| place != NOWHERE).map(|&place| place as usize)
    }

    /// How often each of the first of them occurs among the first `lines` pairs of the text.
    pub fn times_among_first(&self, lines: usize) -> Vec<u32> {
        let mut times = Vec::new();
        for place in (0..lines.min(self.place_of.len())).filter_map(|n| self.place_of(n)) {
            times.resize(times.len().max(place + 1), 0);
            times[place] += 1;
        }
        times
    }
}

fn hash(pair: SentencePair<'_>) -> u64 {
    let mut hasher = hasher();
    for side in [pair.source, pair.target] {
        hasher.write_usize(side.len());
        for word in side {
            hasher.write_u32(word.index() as u32);
        }
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitext::{Bitext, Text, Weights};

    fn bitext(lines: &[(&str, &str)]) -> RankedBitext {
        let (mut source, mut target) = (Text::default(), Text::default());
        for (s, t) in lines {
            for (text, line) in [(&mut source, s), (&mut target, t)] {
                text.push_sentence(line.split(' ').filter(|word| !word.is_empty()).map(str::as_bytes));
            }
        }
        RankedBitext::new(Bitext::new(source, target).unwrap())
    }

    #[test]
    fn equal_pairs_are_found_once() {
        let lines = [("a b", "x"), ("a", "b x"), ("a b", "x"), ("", "x"), ("a b", "x y"), ("a b", "x"), ("a", "b x")];
        let distinct = DistinctPairs::of(&bitext(&lines));
        let found: Vec<_> = distinct.pairs().iter().map(|pair| (pair.first, pair.times)).collect();
        assert_eq!(found, [(0, 3), (1, 2), (4, 1)]);
        let places: Vec<_> = (0..8).map(|n| distinct.place_of(n)).collect();
        assert_eq!(places, [Some(0), Some(1), Some(0), None, Some(2), Some(0), Some(1), None]);
        assert_eq!(distinct.times_among_first(3), [2, 1]);
        assert_eq!(distinct.times_among_first(usize::MAX), [3, 2, 1]);
    }

    #[test]
    fn pairs_of_other_weight_are_others() {
        let lines = [("a", "x"), ("a", "x"), ("a", "x")];
        let bitext = bitext(&lines).weighted(Weights::new(&[(1, 1.0), (2, 0.5)]).unwrap()).unwrap();
        let times: Vec<_> = DistinctPairs::of(&bitext).pairs().iter().map(|pair| pair.times).collect();
        assert_eq!(times, [1, 2]);
    }
}
