//! Matches of n-grams of all orders, exactly and without strings.
//!
//! Symbols (tokens or characters) are numbers. An n-gram is the pair of a shorter one, its first n - 1 symbols, and its
//! last symbol; so each distinct n-gram gets a number, order by order, and equal numbers are equal n-grams. In a
//! hypothesis only places whose (n - 1)-gram is known are looked at for the n-gram. References of a few words, as most
//! are, take a shorter way: `bits` has the places of each of their words in one number.
//!
//! ```
//! use alinea::metric::ngrams::Ngrams;
//!
//! let mut ngrams = Ngrams::new(2);
//! ngrams.read_references([&[1, 2, 1][..]].into_iter());
//! let mut matches = [0.0; 2];
//! ngrams.matches(&[1, 2, 2], &mut matches);
//! assert_eq!(matches, [2.0, 1.0]);
//! ```

mod bits;

use self::bits::Bits;

/// Marks the empty n-gram.
const EMPTY: u32 = u32::MAX;

/// The n-grams of references, and how often each occurs.
#[derive(Debug)]
pub struct Ngrams {
    order: usize,
    /// The references, if they are short, and whether they are.
    bits: Bits,
    short: bool,
    /// Numbers of n-grams plus one, by hash; 0 is free. The first `slots_used` are in use, a power of two.
    slots: Vec<u32>,
    slots_used: usize,
    entries: Vec<Entry>,
    /// The n-grams of the order at hand by their first place.
    here: Vec<u32>,
    /// Places of a hypothesis and the known n-grams that begin there.
    known: Vec<(u32, u32)>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    /// The number of the shorter n-gram, and the last symbol.
    key: u64,
    /// How often it occurs in the reference that has most of it.
    most: u32,
    /// How often it was met in the sequence at hand.
    met: u32,
}

impl Ngrams {
    /// For n-grams of 1 to `order` symbols of no reference yet.
    pub fn new(order: usize) -> Self {
        Self {
            order,
            bits: Bits::default(),
            short: true,
            slots: Vec::new(),
            slots_used: 0,
            entries: Vec::new(),
            here: Vec::new(),
            known: Vec::new(),
        }
    }

    /// Replaces the references. O(symbols * order).
    pub fn read_references<'r>(&mut self, references: impl Iterator<Item = &'r [u32]> + Clone) {
        self.short = self.bits.read(references.clone());
        if !self.short {
            self.clear(references.clone().map(<[u32]>::len).sum());
            references.for_each(|reference| self.add_reference(reference));
        }
    }

    /// Forgets all n-grams; `symbols` is how many the references have together.
    fn clear(&mut self, symbols: usize) {
        self.entries.clear();
        self.slots_used = (2 * symbols * self.order).next_power_of_two().max(16);
        if self.slots.len() < self.slots_used {
            self.slots.resize(self.slots_used, 0);
        }
        self.slots[..self.slots_used].fill(0);
    }

    fn add_reference(&mut self, symbols: &[u32]) {
        self.forget_met();
        let mut here = std::mem::take(&mut self.here);
        here.clear();
        here.resize(symbols.len(), EMPTY);
        for n in 1..=self.order.min(symbols.len()) {
            for (place, &last) in symbols[n - 1..].iter().enumerate() {
                let number = self.intern(key(here[place], last));
                let entry = &mut self.entries[number as usize];
                entry.met += 1;
                entry.most = entry.most.max(entry.met);
                here[place] = number;
            }
        }
        self.here = here;
    }

    /// Writes for each order how many n-grams of a hypothesis match: each as often as it occurs in both, and of several
    /// references in the one that has most of it (Papineni et al. 2002, section 2.1.1). O(symbols * order).
    ///
    /// # Panics
    /// If there are more numbers to write than orders.
    pub fn matches(&mut self, symbols: &[u32], matches: &mut [f64]) {
        assert!(matches.len() <= self.order, "{} orders, of which {} are counted", matches.len(), self.order);
        if self.short {
            self.bits.matches(symbols, matches);
        } else {
            self.matches_by_number(symbols, matches);
        }
    }

    fn matches_by_number(&mut self, symbols: &[u32], matches: &mut [f64]) {
        self.forget_met();
        matches.fill(0.0);
        let mut known = std::mem::take(&mut self.known);
        known.clear();
        known.extend((0..symbols.len() as u32).map(|place| (place, EMPTY)));
        for (n, matched) in (1..=self.order).zip(matches) {
            let mut count = 0;
            known.retain_mut(|(place, shorter)| {
                let Some(&last) = symbols.get(*place as usize + n - 1) else { return false };
                let Some(number) = self.find(key(*shorter, last)) else { return false };
                *shorter = number;
                let entry = &mut self.entries[number as usize];
                count += u32::from(entry.met < entry.most);
                entry.met += 1;
                true
            });
            *matched = f64::from(count);
        }
        self.known = known;
    }

    fn forget_met(&mut self) {
        for entry in &mut self.entries {
            entry.met = 0;
        }
    }

    fn slot(&self, key: u64) -> usize {
        let shift = u64::BITS - self.slots_used.trailing_zeros();
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> shift) as usize
    }

    fn find(&self, key: u64) -> Option<u32> {
        let mut slot = self.slot(key);
        loop {
            let number = self.slots[slot].checked_sub(1)?;
            if self.entries[number as usize].key == key {
                return Some(number);
            }
            slot = (slot + 1) & (self.slots_used - 1);
        }
    }

    fn intern(&mut self, key: u64) -> u32 {
        let mut slot = self.slot(key);
        while let Some(number) = self.slots[slot].checked_sub(1) {
            if self.entries[number as usize].key == key {
                return number;
            }
            slot = (slot + 1) & (self.slots_used - 1);
        }
        let number = self.entries.len() as u32;
        self.entries.push(Entry { key, most: 0, met: 0 });
        self.slots[slot] = number + 1;
        number
    }
}

fn key(shorter: u32, last: u32) -> u64 {
    u64::from(shorter) << 32 | u64::from(last)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    /// By the definition: all n-grams in a map.
    fn count(symbols: &[u32], n: usize) -> BTreeMap<&[u32], u32> {
        let mut counts = BTreeMap::new();
        for ngram in symbols.windows(n) {
            *counts.entry(ngram).or_default() += 1;
        }
        counts
    }

    proptest! {
        #[test]
        fn as_by_definition(
            references in prop::collection::vec(prop::collection::vec(0u32..4, 0..50), 1..5),
            hypotheses in prop::collection::vec(prop::collection::vec(0u32..5, 0..50), 1..4),
            order in 1usize..6,
            // Numbers as large as this, and as many symbols as there are sometimes, have no bits.
            step in prop::sample::select(vec![1, 30_000]),
        ) {
            let spread = |lists: Vec<Vec<u32>>| -> Vec<Vec<u32>> {
                lists.into_iter().map(|list| list.into_iter().map(|symbol| symbol * step).collect()).collect()
            };
            let (references, hypotheses) = (spread(references), spread(hypotheses));
            let mut ngrams = Ngrams::new(order);
            // Twice, so that buffers are used again, and with others between.
            for _ in 0..2 {
                ngrams.read_references([&[3, 0, 3][..]].into_iter());
                ngrams.read_references(references.iter().map(Vec::as_slice));
                for hypothesis in &hypotheses {
                    let mut matches = vec![7.0; order];
                    ngrams.matches(hypothesis, &mut matches);
                    for n in 1..=order {
                        let of_references: Vec<_> = references.iter().map(|reference| count(reference, n)).collect();
                        let expected: u32 = count(hypothesis, n)
                            .iter()
                            .map(|(ngram, &met)| {
                                let most = of_references.iter().filter_map(|counts| counts.get(ngram)).max();
                                met.min(most.copied().unwrap_or(0))
                            })
                            .sum();
                        prop_assert_eq!(matches[n - 1].to_bits(), f64::from(expected).to_bits());
                    }
                }
            }
        }
    }
}
