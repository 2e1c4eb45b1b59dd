//! The self-counts of the training text in a saved model, found by sentence pair.
//!
//! A saved model recognizes the sentence pairs that it was trained on and leaves their own counts out, so it aligns its
//! training text as training did. The key of a pair is a 64-bit FNV-1a hash of its word ids; words are not compared,
//! since a collision is not to be expected. Keys are sorted, and the entries of the pairs (see `contributions`) lie
//! behind each other in that order, with their ends and, unless all are equal, the weights of the pairs. Of a pair that
//! the text has with several weights, the one with the greatest is kept.
//!
//! Keys are as good as uniformly distributed, so lookup is an interpolation search: the key predicts its position, two
//! corrections follow, then galloping and bisection. That is a few cache misses instead of one for each bisection.

use super::contributions::{Contributions, Entries};
use super::self_counts::SelfCounts;
use crate::bitext::{DistinctPairs, RankedBitext, SentencePair};
use crate::error::Result;
use crate::storage::{Container, ContainerWriter};

/// What each distinct sentence pair added to the counts of the last pass, found by what the pair says: so a text that
/// was trained on is aligned by a saved model as it was in training. A pair is known by a number of 64 bits; that
/// another one has the same number is not to be expected in any text.
#[derive(Debug, Clone, Default)]
pub(in crate::model) struct KnownPairs {
    /// The numbers, ascending.
    keys: Vec<u64>,
    /// Where the entries of each pair end.
    ends: Vec<u64>,
    entries: Vec<[u16; 2]>,
    /// The weights of the pairs; none if all count fully.
    weights: Vec<f32>,
    apart: bool,
}

const KEYS: &str = "text.keys";
const ENDS: &str = "text.ends";
const ENTRIES: &str = "text.entries";
const WEIGHTS: &str = "text.weights";
const APART: &str = "text.apart";

impl KnownPairs {
    /// What is known of a text.
    pub(in crate::model) fn of(bitext: &RankedBitext, distinct: &DistinctPairs, contributions: &Contributions) -> Self {
        let weight = |first: u32| bitext.weights().of(first as usize);
        let keyed =
            distinct.pairs().iter().enumerate().map(|(place, pair)| (bitext.pair(pair.first as usize).key(), place));
        let mut order: Vec<(u64, usize)> = keyed.collect();
        // The same words may be there with several weights: the greatest is that of the text itself.
        let by_weight = |place: usize| std::cmp::Reverse(weight(distinct.pairs()[place].first).to_bits());
        order.sort_unstable_by_key(|&(key, place)| (key, by_weight(place), place));
        order.dedup_by_key(|&mut (key, _)| key);
        let (mut ends, mut entries, mut weights) = (Vec::new(), Vec::new(), Vec::new());
        let mut apart = false;
        for &(_, place) in &order {
            let of_pair = contributions.of_pair(place);
            apart |= of_pair.apart();
            entries.extend_from_slice(of_pair.raw());
            ends.push(entries.len() as u64);
            weights.push(weight(distinct.pairs()[place].first));
        }
        if bitext.weights().are_equal() {
            weights.clear();
        }
        let keys: Vec<u64> = order.into_iter().map(|(key, _)| key).collect();
        Self { keys, ends, entries, weights, apart }
    }

    /// What is known of the parts of a text, in their order. O(n log n).
    pub(in crate::model) fn merged(parts: &[Self]) -> Self {
        let mut order: Vec<(u64, std::cmp::Reverse<u32>, usize, usize)> = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            let keyed = part.keys.iter().enumerate();
            let weight = |place: usize| std::cmp::Reverse(part.weight(place).to_bits());
            order.extend(keyed.map(|(place, &key)| (key, weight(place), number, place)));
        }
        order.sort_unstable();
        order.dedup_by_key(|&mut (key, ..)| key);
        let mut merged = Self { apart: parts.iter().any(|part| part.apart), ..Self::default() };
        for (key, _, number, place) in order {
            merged.keys.push(key);
            merged.entries.extend_from_slice(parts[number].entries(place));
            merged.ends.push(merged.entries.len() as u64);
            merged.weights.push(parts[number].weight(place));
        }
        if parts.iter().all(|part| part.weights.is_empty()) {
            merged.weights.clear();
        }
        merged
    }

    /// The entries of the pair at a place, and its weight.
    fn entries(&self, place: usize) -> &[[u16; 2]] {
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        self.entries.get(start as usize..self.ends[place] as usize).unwrap_or_default()
    }

    fn weight(&self, place: usize) -> f32 {
        self.weights.get(place).copied().unwrap_or(1.0)
    }

    /// Adds it to a file.
    pub(in crate::model) fn store(self, file: &mut ContainerWriter<'_>) {
        file.add_owned(KEYS, self.keys);
        file.add_owned(ENDS, self.ends);
        file.add_owned(ENTRIES, self.entries);
        file.add_owned(WEIGHTS, self.weights);
        file.add_owned(APART, vec![u8::from(self.apart)]);
    }

    /// What is in a file, if anything is.
    ///
    /// # Errors
    /// `Model` if arrays are missing, or contradict each other.
    pub(in crate::model) fn load(file: &Container) -> Result<Option<Self>> {
        if !file.has(KEYS) {
            return Ok(None);
        }
        let keys: Vec<u64> = file.section(KEYS)?;
        let ends = file.section_of(ENDS, keys.len())?;
        let weights: Vec<f32> = file.section(WEIGHTS)?;
        if !weights.is_empty() && weights.len() != keys.len() {
            return Err(file.error(format!("{} weights", keys.len()), format!("{}", weights.len())));
        }
        let apart = file.section_of::<u8>(APART, 1)?[0] != 0;
        Ok(Some(Self { keys, ends, entries: file.section(ENTRIES)?, weights, apart }))
    }

    /// The number of distinct pairs.
    pub(in crate::model) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The self-counts of a pair. O(log) at most; most often a few looks suffice.
    pub(in crate::model) fn self_counts(&self, pair: SentencePair<'_>) -> SelfCounts<'_> {
        let Some(place) = place_of(&self.keys, pair.key()) else { return SelfCounts::Nothing };
        let (entries, weight) = (self.entries(place), self.weight(place));
        let lengths = [pair.source.len(), pair.target.len()];
        Entries::of_raw(entries, self.apart, lengths)
            .map_or(SelfCounts::Nothing, |entries| SelfCounts::Entries(entries, weight))
    }
}

/// Where a key stands among ascending ones, if it is there. Keys are as good as random, so each tells about where it
/// stands, and what stands there tells it more exactly: that is a few cache misses in place of one for each bisection.
fn place_of(keys: &[u64], key: u64) -> Option<usize> {
    let places = |distance: u64| ((u128::from(distance) * keys.len() as u128) >> 64) as usize;
    let mut place = places(key);
    for _ in 0..CORRECTIONS {
        let there = *keys.get(place)?;
        place = match key.checked_sub(there) {
            Some(more) => (place + places(more)).min(keys.len() - 1),
            None => place - places(there - key).min(place),
        };
    }
    let (mut start, mut end, mut step) = (place, place, 1);
    while start > 0 && keys[start] > key {
        start -= step.min(start);
        step *= 2;
    }
    while end < keys.len() && keys[end] < key {
        end += step.min(keys.len() - end);
        step *= 2;
    }
    let end = keys.len().min(end + 1);
    keys[start..end].binary_search(&key).ok().map(|nth| start + nth)
}

/// How often a place is made more exact: a guess is wrong by hundreds of a million, then by tens, then by a few.
const CORRECTIONS: usize = 2;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn places_are_those_of_bisection(
            keys in proptest::collection::btree_set(prop_oneof![any::<u64>(), 0u64..40, (u64::MAX - 40)..], 0..300),
            others in proptest::collection::vec(any::<u64>(), 8),
        ) {
            let keys: Vec<u64> = keys.into_iter().collect();
            let near = keys.iter().flat_map(|&key| [key, key.saturating_sub(1), key.saturating_add(1)]);
            for key in near.chain(others) {
                prop_assert_eq!(place_of(&keys, key), keys.binary_search(&key).ok());
            }
        }
    }
}
