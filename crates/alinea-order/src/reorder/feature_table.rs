//! Values of features, by their keys.
//!
//! Most features that are asked for have no value, and the answer for those is a value as well. So an entry that is free holds
//! what unknown features have, and a look stops the same way at a free one as at the right one: the processor need not
//! guess which it will be, and fetches many entries at once. Who does not look where there is nothing asks first, of bits that
//! are few enough to stay near the processor.

/// Open addressing with entries one behind the other, at most half of them taken.
#[derive(Debug, Clone)]
pub(super) struct FeatureTable<V> {
    /// A power of two of them; keys of free ones are 0.
    entries: Vec<(u64, V)>,
    /// Four bits for each entry. Each feature sets one, by other bits of its key than those that tell its entry.
    marks: Vec<u64>,
    taken: usize,
}

impl<V: Copy + Default> Default for FeatureTable<V> {
    fn default() -> Self {
        Self::with_capacity(0)
    }
}

impl<V: Copy + Default> FeatureTable<V> {
    /// With room for so many features.
    pub(super) fn with_capacity(features: usize) -> Self {
        let entries = (2 * features).next_power_of_two().max(16);
        Self { entries: vec![(0, V::default()); entries], marks: vec![0; entries / 16], taken: 0 }
    }

    /// Where the mark of a feature is: a word, and a bit of it.
    #[inline(always)]
    fn mark(&self, key: u64) -> (usize, u64) {
        let high = key.rotate_left(26) as usize;
        ((high >> 6) & (self.marks.len() - 1), 1 << (high & 63))
    }

    /// The entry of a feature, or the free one where it would be.
    #[inline(always)]
    fn find(&self, key: u64) -> usize {
        // Keys are mixed already.
        let mask = self.entries.len() - 1;
        let mut at = key as usize & mask;
        while self.entries[at].0 != key && self.entries[at].0 != 0 {
            at = (at + 1) & mask;
        }
        at
    }

    /// The value of a feature; the default if it has none.
    #[inline(always)]
    pub(super) fn get(&self, key: u64) -> V {
        self.entries[self.find(key.max(1))].1
    }

    /// Whether a feature may have a value: true for all that have one, and for at most one in eight of the others.
    #[inline(always)]
    pub(super) fn may_know(&self, key: u64) -> bool {
        let (word, bit) = self.mark(key.max(1));
        self.marks[word] & bit != 0
    }

    /// The value of a feature if it has one.
    #[inline(always)]
    pub(super) fn known(&self, key: u64) -> Option<V> {
        let (found, value) = self.entries[self.find(key.max(1))];
        (found != 0).then_some(value)
    }

    /// The value of a feature, to be changed; it has one from now on.
    pub(super) fn get_mut(&mut self, key: u64) -> &mut V {
        let key = key.max(1);
        let mut at = self.find(key);
        if self.entries[at].0 == 0 {
            if 2 * (self.taken + 1) > self.entries.len() {
                self.grow();
                at = self.find(key);
            }
            self.taken += 1;
            self.entries[at].0 = key;
            let (word, bit) = self.mark(key);
            self.marks[word] |= bit;
        }
        &mut self.entries[at].1
    }

    fn grow(&mut self) {
        let mut larger = Self::with_capacity(self.entries.len());
        for (key, value) in self.iter() {
            *larger.get_mut(key) = value;
        }
        *self = larger;
    }

    /// Keys with their values, in no order that means anything.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, V)> {
        self.entries.iter().copied().filter(|&(key, _)| key != 0)
    }

    /// How many features have values.
    pub(super) fn len(&self) -> usize {
        self.taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reorder::fingerprint::mix;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        /// As a map from the standard library, also where keys want the same entry.
        #[test]
        fn tables_are_maps(changes in prop::collection::vec((1u64..40, 0u64..3, 1i64..9), 0..200)) {
            let mut table = FeatureTable::default();
            let mut map = BTreeMap::new();
            for (low, high, change) in changes {
                let key = low | high << 60;
                *table.get_mut(key) += change;
                *map.entry(key).or_insert(0) += change;
                prop_assert_eq!(table.get(key), map[&key]);
            }
            prop_assert_eq!(table.len(), map.len());
            prop_assert!((1..99).all(|key| table.get(key) == map.get(&key).copied().unwrap_or_default()));
            prop_assert!((1..99).all(|key| table.known(key) == map.get(&key).copied()));
            prop_assert!(map.keys().all(|&key| table.may_know(key)));
            let mut all: Vec<(u64, i64)> = table.iter().collect();
            all.sort_unstable();
            prop_assert_eq!(all, map.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn few_marks_are_others() {
        let mut table = FeatureTable::default();
        let keys = |first: u64| (first..first + 5000).map(|number| mix(number, number));
        keys(0).for_each(|key| *table.get_mut(key) = 1);
        assert!(keys(0).all(|key| table.may_know(key)));
        assert!(keys(5000).filter(|&key| table.may_know(key)).count() < 5000 / 8);
        assert!(keys(5000).all(|key| table.known(key).is_none()));
    }
}
