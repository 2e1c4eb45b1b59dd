//! The own counts of the sentence pairs that a saved model was trained on.

use super::{Contributions, Entries, Own};
use crate::bitext::{DistinctPairs, RankedBitext, SentencePair};
use crate::error::Result;
use crate::storage::{Container, ContainerWriter, Section};

/// What each distinct sentence pair added to the counts of the last pass, found by what the pair says: so a text that
/// was trained on is aligned by a saved model as it was in training. A pair is known by a number of 64 bits; that
/// another one has the same number is not to be expected in any text.
#[derive(Debug)]
pub(in crate::model) struct KnownPairs {
    /// The numbers, ascending.
    keys: Section<u64>,
    /// Where the entries of each pair end.
    ends: Section<u64>,
    entries: Section<[u16; 2]>,
    /// The weights of the pairs; none if all count fully.
    weights: Section<f32>,
    apart: bool,
}

const KEYS: &str = "text.keys";
const ENDS: &str = "text.ends";
const ENTRIES: &str = "text.entries";
const WEIGHTS: &str = "text.weights";
const APART: &str = "text.apart";

impl KnownPairs {
    /// Adds what is known of a text to a file.
    pub(in crate::model) fn store(
        file: &mut ContainerWriter<'_>,
        (bitext, distinct): (&RankedBitext, &DistinctPairs),
        contributions: &Contributions,
    ) {
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
        file.add_owned(KEYS, keys);
        file.add_owned(ENDS, ends);
        file.add_owned(ENTRIES, entries);
        file.add_owned(WEIGHTS, weights);
        file.add_owned(APART, vec![u8::from(apart)]);
    }

    /// What is in a file, if anything is.
    ///
    /// # Errors
    /// `Model` if arrays are missing, or contradict each other.
    pub(in crate::model) fn load(file: &Container) -> Result<Option<Self>> {
        if !file.has(KEYS) {
            return Ok(None);
        }
        let keys: Section<u64> = file.section(KEYS)?;
        let ends = file.section_of(ENDS, keys.len())?;
        let weights: Section<f32> = file.section(WEIGHTS)?;
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

    /// The own counts of a pair. O(log).
    pub(in crate::model) fn own(&self, pair: SentencePair<'_>) -> Own<'_> {
        let Ok(place) = self.keys.binary_search(&pair.key()) else { return Own::Nothing };
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        let entries = self.entries.get(start as usize..self.ends[place] as usize).unwrap_or_default();
        let weight = self.weights.get(place).copied().unwrap_or(1.0);
        let lengths = [pair.source.len(), pair.target.len()];
        Entries::of_raw(entries, self.apart, lengths).map_or(Own::Nothing, |entries| Own::Entries(entries, weight))
    }
}
