//! Which sentence pair comes next: the one that teaches most for the time that it takes.
//!
//! Three things are known of a pair beforehand: how many errors its suggestions are expected to have ([`Suggestions::expected_errors`]),
//! which of its words nobody has linked yet, and how long it is. With E the expected errors, V the words that are new, each counted
//! by the number of pairs that it is still to come in, and I and J the numbers of words, pairs come in the order of
//!
//! ```text
//! (E + v Σ log(1 + n(w), w in V)) / (c + I + J)
//! ```
//!
//! When a pair is chosen, its words are new no longer, so those that are chosen together do not all teach the same. So a pair is never
//! worth more than it was before, and it is enough to look again at the one that was worth most (Minoux 1978, *Accelerated greedy algorithms
//! for maximizing submodular set functions*).

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeSet, BinaryHeap};

use super::suggestions::Suggestions;
use crate::bitext::Bitext;

/// What counts how much when pairs are ordered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QueueWeights {
    /// v: what new words count beside errors.
    pub novelty: f64,
    /// c: what looking at a pair takes, in words.
    pub cost: f64,
}

impl Default for QueueWeights {
    fn default() -> Self {
        Self { novelty: 0.1, cost: 5.0 }
    }
}

/// The order in which pairs of a text are to be linked, as an iterator over their numbers. Pairs with an empty side come last.
#[derive(Debug)]
pub struct Queue {
    weights: QueueWeights,
    /// Pairs that are left, with what they were worth when that was last looked at.
    heap: BinaryHeap<Waiting>,
    /// By pair: its words, each once, the expected errors, and how many words it has.
    pairs: Vec<Pair>,
    /// By word: ln n, n being the pairs left that have it; 0 for words that are known. Target words come after source words.
    news: Vec<f64>,
}

#[derive(Debug, Default)]
struct Pair {
    words: Vec<usize>,
    errors: f64,
    length: usize,
}

/// A pair in the heap: of those that are worth the same, the first comes first.
#[derive(Debug, PartialEq)]
struct Waiting {
    worth: f64,
    pair: Reverse<usize>,
}

impl Eq for Waiting {}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        self.worth.total_cmp(&other.worth).then_with(|| self.pair.cmp(&other.pair))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Queue {
    /// Of the pairs that are not done. O(words of the text).
    pub fn new(text: &Bitext, suggestions: &Suggestions, done: &BTreeSet<usize>, weights: QueueWeights) -> Self {
        let sources = text.source.vocabulary().len();
        let pair = |n: usize| {
            let pair = text.pair(n);
            let sides = [(0, pair.source), (sources, pair.target)];
            let words = sides.iter().flat_map(|(first, words)| words.iter().map(move |word| first + word.index()));
            let words: BTreeSet<usize> = words.collect();
            let length = if pair.has_empty_side() { 0 } else { pair.source.len() + pair.target.len() };
            Pair { words: words.into_iter().collect(), errors: suggestions.expected_errors(n), length }
        };
        let pairs: Vec<Pair> = (0..text.len()).map(pair).collect();
        let left: Vec<usize> = (0..text.len()).filter(|n| !done.contains(n)).collect();
        let mut coming = vec![0_u32; sources + text.target.vocabulary().len()];
        left.iter().flat_map(|&n| &pairs[n].words).for_each(|&word| coming[word] += 1);
        let mut news: Vec<f64> = coming.into_iter().map(|pairs| f64::from(pairs.max(1)).ln()).collect();
        done.iter().flat_map(|&n| &pairs[n].words).for_each(|&word| news[word] = 0.0);
        let mut queue = Self { weights, heap: BinaryHeap::new(), pairs, news };
        queue.heap = left.into_iter().map(|n| Waiting { worth: queue.worth(n), pair: Reverse(n) }).collect();
        queue
    }

    /// How much a pair is worth, for the time that it takes.
    fn worth(&self, n: usize) -> f64 {
        let Pair { words, errors, length } = &self.pairs[n];
        if *length == 0 {
            return -1.0;
        }
        let novelty: f64 = words.iter().map(|&word| self.news[word]).sum();
        (errors + self.weights.novelty * novelty) / (self.weights.cost + *length as f64)
    }
}

impl Iterator for Queue {
    type Item = usize;

    /// The next pair. For all together O(words of the text + pairs log pairs), as a rule.
    fn next(&mut self) -> Option<usize> {
        loop {
            let Waiting { pair: Reverse(n), .. } = self.heap.pop()?;
            let now = Waiting { worth: self.worth(n), pair: Reverse(n) };
            if self.heap.peek().is_some_and(|other| *other > now) {
                self.heap.push(now);
                continue;
            }
            for &word in &self.pairs[n].words {
                self.news[word] = 0.0;
            }
            return Some(n);
        }
    }
}
