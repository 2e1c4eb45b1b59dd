//! Numbers for features.

use hashbrown::HashTable;

/// Features by their keys, numbered in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct FeatureIndex {
    table: HashTable<(u64, u32)>,
}

impl FeatureIndex {
    /// The number of a feature.
    #[inline(always)]
    pub(super) fn get(&self, key: u64) -> Option<usize> {
        // Keys are mixed already.
        self.table.find(key, |entry| entry.0 == key).map(|entry| entry.1 as usize)
    }

    /// The number of a feature, the next one if it has none.
    pub(super) fn insert(&mut self, key: u64) -> usize {
        let next = self.table.len() as u32;
        self.table.entry(key, |entry| entry.0 == key, |entry| entry.0).or_insert((key, next)).get().1 as usize
    }

    /// Keys with their numbers, in no order.
    pub(super) fn entries(&self) -> impl Iterator<Item = (u64, usize)> {
        self.table.iter().map(|&(key, number)| (key, number as usize))
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.table.len()
    }
}
