//! Matches of n-grams of two sequences by sorting, for chrF: sequences are long, and symbols are few.
//!
//! The (up to) six symbols from a place on are packed into one number of 64 bits, ten bits a symbol. Sorted numbers have
//! equal n-grams side by side, for all n at once: those that share the first n digits. So one merge of the sorted numbers
//! of hypothesis and reference finds the matches of all orders. Between two numbers with d common digits the groups of
//! all orders above d end, and a group of h n-grams of the hypothesis and r of the reference has min(h, r) matches. The
//! orders are lanes of one vector. For the hypothesis `abb` and the reference `abab`, `·` and `:` behind their ends:
//!
//! ```text
//!                   common digits   groups that end, with their matches
//! aba  reference
//! abb  hypothesis         2         aba 0
//! ab:  reference          2         abb 0
//! b··  hypothesis         0         ab: 0, ab 1, a 1
//! bab  reference          1         b·· 0, b· 0
//! bb·  hypothesis         1         bab 0, ba 0
//! b::  reference          1         bb· 0, bb 0
//!                         0         b:: 0, b: 0, b 2
//! ```
//!
//! Behind the end stand digits that the other sequence never has, so what reaches over the end matches nothing.
//!
//! Sequences with more symbols than ten bits can tell apart, orders above six, and very long sequences are left to
//! [`Ngrams`].

use super::super::ngrams::Ngrams;

/// The symbol of a hypothesis that no reference has. References have symbols from 1.
pub(super) const UNKNOWN: u32 = 0;

/// Bits of a symbol.
const DIGIT: u32 = 10;

/// Symbols of a number; they are its upper bits.
const DIGITS: usize = 6;

/// Behind the end of a reference.
const END: u32 = (1 << DIGIT) - 1;

/// Groups are counted in 16 bits.
const LONGEST: usize = i16::MAX as usize;

/// A number for each order; two are not used.
type Lanes = [i16; 8];

/// N-grams of references, to be compared with those of hypotheses.
#[derive(Debug)]
pub(super) struct SortedNgrams {
    order: usize,
    /// The symbols of all references.
    symbols: Vec<u32>,
    /// Their packed n-grams, those of each reference sorted, and a number above all others.
    keys: Vec<u64>,
    references: Vec<Reference>,
    hypothesis: Vec<u32>,
    hypothesis_keys: Vec<u64>,
    /// For what cannot be packed.
    ngrams: Ngrams,
}

#[derive(Debug, Clone, Copy)]
struct Reference {
    /// Where its symbols are.
    start: usize,
    end: usize,
    /// Where its keys are, if it has any.
    keys: Option<usize>,
}

impl Reference {
    fn len(self) -> usize {
        self.end - self.start
    }
}

impl SortedNgrams {
    /// For n-grams of 1 to `order` symbols.
    pub(super) fn new(order: usize) -> Self {
        Self {
            order,
            symbols: Vec::new(),
            keys: Vec::new(),
            references: Vec::new(),
            hypothesis: Vec::new(),
            hypothesis_keys: Vec::new(),
            ngrams: Ngrams::new(order),
        }
    }

    /// Forgets all references.
    pub(super) fn clear(&mut self) {
        self.symbols.clear();
        self.keys.clear();
        self.references.clear();
    }

    /// Adds a reference, symbols from 1. O(symbols log symbols).
    pub(super) fn add_reference(&mut self, symbols: impl Iterator<Item = u32>) {
        let start = self.symbols.len();
        self.symbols.extend(symbols);
        let end = self.symbols.len();
        let symbols = &self.symbols[start..];
        let packs = self.order <= DIGITS && symbols.len() <= LONGEST && symbols.iter().all(|&symbol| symbol < END);
        let keys = packs.then_some(self.keys.len());
        if packs {
            push_keys(symbols.iter().copied(), END, &mut self.keys);
        }
        self.references.push(Reference { start, end, keys });
    }

    /// Takes a hypothesis, until the next one. O(symbols log symbols).
    pub(super) fn read_hypothesis(&mut self, symbols: impl Iterator<Item = u32>) {
        self.hypothesis.clear();
        self.hypothesis.extend(symbols);
        self.hypothesis_keys.clear();
        // Symbols that are too large belong to references that are not packed.
        let packed = self.hypothesis.iter().map(|&symbol| if symbol < END { symbol } else { UNKNOWN });
        push_keys(packed, UNKNOWN, &mut self.hypothesis_keys);
    }

    /// Writes three numbers for each order: n-grams of the hypothesis (none if the reference has none), of the reference,
    /// and matches.
    pub(super) fn count(&mut self, reference: usize, statistics: &mut [f64]) {
        let reference = self.references[reference];
        let length = self.hypothesis.len();
        let mut matches = [0.0; DIGITS];
        let mut more = Vec::new();
        let matches = match reference.keys {
            Some(start) if length <= LONGEST => {
                let keys = &self.keys[start..=start + reference.len()];
                for (matched, lane) in matches.iter_mut().zip(merge(&self.hypothesis_keys, keys)) {
                    *matched = f64::from(lane);
                }
                &matches[..]
            }
            _ => {
                more.resize(self.order, 0.0);
                self.ngrams.read_references(std::iter::once(&self.symbols[reference.start..reference.end]));
                self.ngrams.matches(&self.hypothesis, &mut more);
                &more
            }
        };
        for ((shorter, row), matched) in statistics.chunks_exact_mut(3).enumerate().zip(matches) {
            let in_reference = reference.len().saturating_sub(shorter);
            let in_hypothesis = if in_reference == 0 { 0 } else { length.saturating_sub(shorter) };
            row.copy_from_slice(&[in_hypothesis as f64, in_reference as f64, *matched]);
        }
    }
}

/// Adds the sorted n-grams that begin at each place, and a last number above all others.
fn push_keys(symbols: impl DoubleEndedIterator<Item = u32>, end: u32, keys: &mut Vec<u64>) {
    const LOW: u64 = (1 << (u64::BITS - DIGIT * DIGITS as u32)) - 1;
    let top = u64::BITS - DIGIT;
    let start = keys.len();
    let mut key = (0..DIGITS).fold(0, |key, _| key >> DIGIT | u64::from(end) << top);
    keys.extend(symbols.rev().map(|symbol| {
        key = key >> DIGIT & !LOW | u64::from(symbol) << top;
        key
    }));
    keys[start..].sort_unstable();
    keys.push(u64::MAX);
}

/// Which groups end between numbers with that many common digits: those of higher orders.
const ENDING: [Lanes; DIGITS + 1] = {
    let mut ending = [[0; 8]; DIGITS + 1];
    let mut common = 0;
    while common <= DIGITS {
        let mut lane = common;
        while lane < 8 {
            ending[common][lane] = -1;
            lane += 1;
        }
        common += 1;
    }
    ending
};

/// Matches of each order between two sorted lists, each with a last number that is not one of them.
fn merge(hypothesis: &[u64], reference: &[u64]) -> Lanes {
    let (mut matches, mut in_hypothesis, mut in_reference) = ([0i16; 8], [0i16; 8], [0i16; 8]);
    let (mut h, mut r) = (0, 0);
    let mut before = 0;
    for _ in 2..hypothesis.len() + reference.len() {
        let (of_hypothesis, of_reference) = (hypothesis[h], reference[r]);
        let takes_hypothesis = of_hypothesis < of_reference;
        let key = of_hypothesis.min(of_reference);
        let common = ((key ^ before).leading_zeros() / DIGIT).min(DIGITS as u32);
        before = key;
        let ending = &ENDING[common as usize];
        let (one_h, one_r) = (i16::from(takes_hypothesis), i16::from(!takes_hypothesis));
        for lane in 0..8 {
            matches[lane] += in_hypothesis[lane].min(in_reference[lane]) & ending[lane];
            in_hypothesis[lane] = (in_hypothesis[lane] & !ending[lane]) + one_h;
            in_reference[lane] = (in_reference[lane] & !ending[lane]) + one_r;
        }
        h += usize::from(takes_hypothesis);
        r += usize::from(!takes_hypothesis);
    }
    for lane in 0..8 {
        matches[lane] += in_hypothesis[lane].min(in_reference[lane]);
    }
    matches
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    /// By the definition: all n-grams in maps.
    fn by_definition(hypothesis: &[u32], reference: &[u32], n: usize) -> [f64; 3] {
        let count = |symbols: &[u32]| {
            let mut counts: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
            for ngram in symbols.windows(n) {
                *counts.entry(ngram.to_vec()).or_default() += 1;
            }
            counts
        };
        let (of_hypothesis, of_reference) = (count(hypothesis), count(reference));
        let total = |counts: &BTreeMap<_, u32>| f64::from(counts.values().sum::<u32>());
        let matches = of_hypothesis.iter().map(|(ngram, &met)| met.min(*of_reference.get(ngram).unwrap_or(&0)));
        let in_hypothesis = if of_reference.is_empty() { 0.0 } else { total(&of_hypothesis) };
        [in_hypothesis, total(&of_reference), f64::from(matches.sum::<u32>())]
    }

    fn check(order: usize, references: &[Vec<u32>], hypotheses: &[Vec<u32>]) {
        let mut ngrams = SortedNgrams::new(order);
        // Twice, so that buffers are used again.
        for _ in 0..2 {
            ngrams.clear();
            for reference in references {
                ngrams.add_reference(reference.iter().copied());
            }
            for hypothesis in hypotheses {
                ngrams.read_hypothesis(hypothesis.iter().copied());
                for (number, reference) in references.iter().enumerate() {
                    let mut statistics = vec![7.0; 3 * order];
                    ngrams.count(number, &mut statistics);
                    let expected: Vec<_> = (1..=order).flat_map(|n| by_definition(hypothesis, reference, n)).collect();
                    assert_eq!(statistics, expected, "{hypothesis:?} {reference:?}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn as_by_definition(
            references in prop::collection::vec(prop::collection::vec(1u32..5, 0..20), 1..4),
            hypotheses in prop::collection::vec(prop::collection::vec(0u32..6, 0..20), 1..4),
            order in 1usize..9,
        ) {
            check(order, &references, &hypotheses);
        }

        #[test]
        fn symbols_that_do_not_fit(
            references in prop::collection::vec(prop::collection::vec(1020u32..1027, 0..20), 1..4),
            hypotheses in prop::collection::vec(prop::collection::vec(1019u32..1028, 0..20), 1..4),
        ) {
            // What no reference has is unknown.
            let known: Vec<u32> = references.iter().flatten().copied().collect();
            let mut hypotheses = hypotheses;
            for symbol in hypotheses.iter_mut().flatten() {
                *symbol = if known.contains(symbol) { *symbol } else { UNKNOWN };
            }
            check(6, &references, &hypotheses);
        }
    }

    #[test]
    fn very_long_sequences() {
        let short: Vec<u32> = vec![1; 100];
        let longest: Vec<u32> = vec![1; LONGEST];
        let too_long: Vec<u32> = (0..=LONGEST as u32).map(|n| n % 3 + 1).collect();
        check(2, &[short.clone(), longest.clone(), too_long.clone()], &[short, longest, too_long]);
    }
}
