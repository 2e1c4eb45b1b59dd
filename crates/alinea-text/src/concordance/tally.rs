//! How often each headword has each translation, and with what confidence, by sorting.
//!
//! What is added waits in a buffer of fixed size; when it is full it is sorted and merged into the counts, which are in order, from
//! behind, in the place where they are. So nothing is hashed and nothing is there twice. Confidences are multiples of 2^-24, so that sums
//! have no order, and are not kept before there is one.

/// The translation of what has none.
pub(super) const UNTRANSLATED: u32 = u32::MAX;

/// So much waits.
const WAITING: usize = 1 << 19;

/// A confidence of 1.
const ONE: f64 = 16_777_216.0;

/// No confidence.
const NONE: u32 = u32::MAX;

/// Headword, translation, confidence.
type Event = [u32; 3];

/// The sum of confidences, and of how many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sum {
    sum: u64,
    number: u32,
}

impl Sum {
    fn add(&mut self, other: Self) {
        self.sum += other.sum;
        self.number += other.number;
    }

    /// The mean.
    pub(super) fn mean(self) -> Option<f64> {
        (self.number > 0).then(|| self.sum as f64 / ONE / f64::from(self.number))
    }
}

/// Counts of pairs of numbers, in order.
#[derive(Debug, Default)]
pub(super) struct Tally {
    keys: Vec<[u32; 2]>,
    counts: Vec<u32>,
    /// As many as keys, or none.
    sums: Vec<Sum>,
    waiting: Vec<Event>,
    size: usize,
}

impl Tally {
    pub(super) fn new() -> Self {
        Self { size: WAITING, ..Self::default() }
    }

    /// With another size of the buffer.
    #[cfg(test)]
    pub(super) fn of_size(size: usize) -> Self {
        Self { size, ..Self::default() }
    }

    /// Counts one.
    pub(super) fn add(&mut self, head: u32, translation: u32, confidence: Option<f32>) {
        let weight = confidence.map_or(NONE, |confidence| (f64::from(confidence) * ONE).round() as u32);
        self.waiting.push([head, translation, weight]);
        if self.waiting.len() >= self.size {
            self.merge();
        }
    }

    /// All that was counted, in order.
    pub(super) fn finish(mut self) -> Counts {
        self.merge();
        Counts { keys: self.keys, numbers: self.counts, sums: self.sums }
    }

    fn merge(&mut self) {
        self.waiting.sort_unstable();
        let is_weighted = self.waiting.iter().any(|[.., weight]| *weight != NONE);
        if is_weighted && self.sums.is_empty() {
            self.sums.resize(self.keys.len(), Sum::default());
        }
        let new = self.new_keys();
        let (mut from, mut to) = (self.keys.len(), self.keys.len() + new);
        // Exactly, for these are what takes the memory.
        self.keys.reserve_exact(new);
        self.keys.resize(to, [0; 2]);
        self.counts.reserve_exact(new);
        self.counts.resize(to, 0);
        let sums = is_weighted || !self.sums.is_empty();
        if sums {
            self.sums.reserve_exact(to - self.sums.len());
            self.sums.resize(to, Sum::default());
        }
        // From behind: the last key of both sides goes to the last place that is free.
        while let Some(&[head, translation, _]) = self.waiting.last() {
            let key = [head, translation];
            while from > 0 && self.keys[from - 1] > key {
                (from, to) = (from - 1, to - 1);
                self.keys[to] = self.keys[from];
                self.counts[to] = self.counts[from];
                if sums {
                    self.sums[to] = self.sums[from];
                }
            }
            let (mut count, mut sum) = (0, Sum::default());
            while let Some([.., weight]) = self.waiting.pop_if(|[head, translation, _]| [*head, *translation] == key) {
                count += 1;
                if weight != NONE {
                    sum.add(Sum { sum: u64::from(weight), number: 1 });
                }
            }
            if from > 0 && self.keys[from - 1] == key {
                from -= 1;
                count += self.counts[from];
                if sums {
                    sum.add(self.sums[from]);
                }
            }
            to -= 1;
            self.keys[to] = key;
            self.counts[to] = count;
            if sums {
                self.sums[to] = sum;
            }
        }
    }

    /// How many keys wait that were not counted yet. Those that wait are sorted.
    fn new_keys(&self) -> usize {
        let (mut new, mut at) = (0, 0);
        for group in self.waiting.chunk_by(|a, b| a[..2] == b[..2]) {
            let key = [group[0][0], group[0][1]];
            at += self.keys[at..].partition_point(|counted| *counted < key);
            new += usize::from(self.keys.get(at) != Some(&key));
        }
        new
    }
}

/// What was counted, in order.
#[derive(Debug, Default)]
pub(super) struct Counts {
    keys: Vec<[u32; 2]>,
    numbers: Vec<u32>,
    sums: Vec<Sum>,
}

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counted {
    pub(super) head: u32,
    pub(super) translation: u32,
    pub(super) count: u64,
    pub(super) sum: Sum,
}

impl Counts {
    /// All.
    pub(super) fn iter(&self) -> impl Iterator<Item = Counted> + '_ {
        (0..self.keys.len()).map(|n| self.get(n))
    }

    fn get(&self, n: usize) -> Counted {
        let [head, translation] = self.keys[n];
        let sum = self.sums.get(n).copied().unwrap_or_default();
        Counted { head, translation, count: u64::from(self.numbers[n]), sum }
    }

    /// Those of each headword together.
    pub(super) fn by_head(&self) -> impl Iterator<Item = impl Iterator<Item = Counted> + '_> + '_ {
        let mut at = 0;
        self.keys.chunk_by(|a, b| a[0] == b[0]).map(move |group| {
            let first = at;
            at += group.len();
            (first..at).map(|n| self.get(n))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counts_are_those_of_a_map(
            events in prop::collection::vec((0..4u32, prop_oneof![0..5u32, Just(UNTRANSLATED)], prop::option::of(0..=4u32)), 0..200),
            size in 1usize..40,
        ) {
            let mut tally = Tally::of_size(size);
            let mut expected: BTreeMap<[u32; 2], (u64, Vec<f64>)> = BTreeMap::new();
            for &(head, translation, quarters) in &events {
                let confidence = quarters.map(|quarters| quarters as f32 / 4.0);
                tally.add(head, translation, confidence);
                let (count, weights) = expected.entry([head, translation]).or_default();
                *count += 1;
                weights.extend(confidence.map(f64::from));
            }
            let found = tally.finish();
            let mean = |weights: &[f64]| (!weights.is_empty()).then(|| weights.iter().sum::<f64>() / weights.len() as f64);
            let expected: Vec<_> = expected.iter().map(|(key, (count, weights))| (*key, *count, mean(weights))).collect();
            let counts: Vec<_> = found.iter().map(|c| ([c.head, c.translation], c.count, c.sum.mean())).collect();
            prop_assert_eq!(&counts, &expected);
            let grouped: Vec<_> = found.by_head().flatten().collect();
            prop_assert_eq!(grouped, found.iter().collect::<Vec<_>>());
        }
    }
}
