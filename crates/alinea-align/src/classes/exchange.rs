//! Moving words from class to class.
//!
//! The table of class bigrams is kept twice, by rows of the first class and by rows of the second, each cell with its
//! h(n): what a word would change in the cells of all classes is then read from front to back.

use super::bigrams::{Bigrams, Neighbor};
use super::fixed::Entropy;

/// A count and its h(n).
#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    count: u64,
    entropy: i64,
}

impl Cell {
    fn change(&mut self, difference: i64, entropy: &Entropy) {
        self.count = self.count.wrapping_add_signed(difference);
        self.entropy = entropy.of(self.count);
    }

    /// How much h grows with the count.
    #[inline]
    fn growth(self, by: u64, entropy: &Entropy) -> i64 {
        entropy.of(self.count + by) - self.entropy
    }
}

/// How often the word in hand stands behind, or before, words of each class, the border last. Itself is left out.
#[derive(Debug, Default)]
struct Context {
    counts: Vec<u64>,
    /// The classes whose count is above 0.
    met: Vec<usize>,
}

impl Context {
    fn of_classes(classes: usize) -> Self {
        Self { counts: vec![0; classes], met: Vec::new() }
    }

    /// Takes the neighbors of a word, and returns how often it is its own.
    fn take(&mut self, word: usize, neighbors: &[Neighbor], classes: &[u16]) -> u64 {
        for class in self.met.drain(..) {
            self.counts[class] = 0;
        }
        let mut own = 0;
        for neighbor in neighbors {
            let count = u64::from(neighbor.count);
            if neighbor.word as usize == word {
                own += count;
                continue;
            }
            let class = usize::from(classes[neighbor.word as usize]);
            if self.counts[class] == 0 {
                self.met.push(class);
            }
            self.counts[class] += count;
        }
        own
    }
}

/// Classes of words, and the counts that follow from them.
#[derive(Debug)]
pub(super) struct Exchange<'b> {
    bigrams: &'b Bigrams,
    entropy: &'b Entropy,
    /// By word, the border's last.
    classes: Vec<u16>,
    /// The number of classes without that of the border, which is the last one.
    count: usize,
    /// Bigrams of classes, in rows by the first.
    after: Vec<Cell>,
    /// The same, in rows by the second.
    before: Vec<Cell>,
    /// How many tokens are in each class.
    sizes: Vec<Cell>,
    context: [Context; 2],
    gains: Vec<i64>,
}

impl<'b> Exchange<'b> {
    /// Words in these classes, numbered from 0 and below `count`.
    pub(super) fn new(bigrams: &'b Bigrams, entropy: &'b Entropy, mut classes: Vec<u16>, count: usize) -> Self {
        classes.push(count as u16);
        let width = count + 1;
        let (mut after, mut before) = (vec![Cell::default(); width * width], vec![Cell::default(); width * width]);
        let mut sizes = vec![Cell::default(); width];
        for word in 0..=bigrams.words() {
            let first = usize::from(classes[word]);
            for neighbor in bigrams.after(word) {
                let second = usize::from(classes[neighbor.word as usize]);
                after[first * width + second].count += u64::from(neighbor.count);
            }
            sizes[first].count += bigrams.frequencies.get(word).copied().unwrap_or(bigrams.sentences);
        }
        for first in 0..width {
            for second in 0..width {
                let cell = &mut after[first * width + second];
                cell.change(0, entropy);
                before[second * width + first] = *cell;
            }
            sizes[first].change(0, entropy);
        }
        let context = [Context::of_classes(width), Context::of_classes(width)];
        Self { bigrams, entropy, classes, count, after, before, sizes, context, gains: vec![0; count] }
    }

    /// The class of each word.
    pub(super) fn classes(&self) -> &[u16] {
        &self.classes[..self.bigrams.words()]
    }

    /// The log-likelihood of the text, in units of [`Entropy`]. O(words + classes²).
    pub(super) fn log_likelihood(&self) -> i64 {
        let bigrams: i64 = self.after.iter().map(|cell| cell.entropy).sum();
        let classes: i64 = self.sizes.iter().map(|cell| cell.entropy).sum();
        let words: i64 = self.bigrams.frequencies.iter().map(|&frequency| self.entropy.of(frequency)).sum();
        bigrams - 2 * classes + words + self.entropy.of(self.bigrams.sentences)
    }

    /// Moves a word into the best of the other classes, the lowest if there are several, if the likelihood grows or falls by
    /// less than the threshold (in units of [`Entropy`]). Says whether it moved. O(neighbors + classes²).
    pub(super) fn exchange(&mut self, word: usize, threshold: i64) -> bool {
        let own = self.take(word);
        let old = usize::from(self.classes[word]);
        self.change(word, old, own, -1);
        self.weigh(word, own);
        let others = self.gains.iter().enumerate().filter(|&(class, _)| class != old);
        // The last one of equal ones would be taken, so from the end.
        let best = others.rev().max_by_key(|&(_, gain)| gain);
        let new = best.filter(|&(_, &gain)| gain > self.gains[old] - threshold).map_or(old, |(class, _)| class);
        self.change(word, new, own, 1);
        self.classes[word] = new as u16;
        new != old
    }

    /// Looks up the neighbors of a word, and returns how often it follows itself.
    fn take(&mut self, word: usize) -> u64 {
        let [before, after] = &mut self.context;
        before.take(word, self.bigrams.before(word), &self.classes);
        after.take(word, self.bigrams.after(word), &self.classes)
    }

    /// Puts the word in hand into a class, or takes it out of it.
    fn change(&mut self, word: usize, class: usize, own: u64, sign: i64) {
        let width = self.count + 1;
        let entropy = self.entropy;
        let mut change = |first: usize, second: usize, count: u64| {
            self.after[first * width + second].change(sign * count as i64, entropy);
            self.before[second * width + first].change(sign * count as i64, entropy);
        };
        let [before, after] = &self.context;
        before.met.iter().for_each(|&other| change(other, class, before.counts[other]));
        after.met.iter().for_each(|&other| change(class, other, after.counts[other]));
        change(class, class, own);
        self.sizes[class].change(sign * self.bigrams.frequencies[word] as i64, entropy);
    }

    /// By how much the likelihood grows if the word in hand, which is in no class, gets into each.
    fn weigh(&mut self, word: usize, own: u64) {
        let width = self.count + 1;
        let (entropy, gains) = (self.entropy, &mut self.gains);
        let frequency = self.bigrams.frequencies[word];
        for (gain, size) in gains.iter_mut().zip(&self.sizes) {
            *gain = -2 * size.growth(frequency, entropy);
        }
        for (context, table) in self.context.iter().zip([&self.after, &self.before]) {
            for &other in &context.met {
                let count = context.counts[other];
                for (gain, cell) in gains.iter_mut().zip(&table[other * width..]) {
                    *gain += cell.growth(count, entropy);
                }
            }
        }
        // The bigrams of a class with itself: those of both sides fall into one cell, and the word's own too.
        let [before, after] = &self.context;
        for (class, gain) in gains.iter_mut().enumerate() {
            let (before, after) = (before.counts[class], after.counts[class]);
            let cell = self.after[class * width + class];
            let growth = |count| cell.growth(count, entropy);
            *gain += growth(before + after + own) - growth(before) - growth(after);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::super::fixed::units;
    use super::*;
    use crate::bitext::Text;
    use crate::parallel::Parallelism;
    use proptest::prelude::*;

    fn bigrams(sentences: &[Vec<u8>]) -> Bigrams {
        let mut text = Text::default();
        for sentence in sentences {
            text.push_sentence(sentence.iter().map(std::slice::from_ref));
        }
        Bigrams::of(&text, &Parallelism::serial()).unwrap()
    }

    fn counts(table: &[Cell]) -> Vec<(u64, i64)> {
        table.iter().map(|cell| (cell.count, cell.entropy)).collect()
    }

    /// Every table is what it would be if it had been counted from the classes as they are.
    fn assert_counted(exchange: &Exchange<'_>) {
        let anew = Exchange::new(exchange.bigrams, exchange.entropy, exchange.classes().to_vec(), exchange.count);
        assert_eq!(counts(&exchange.after), counts(&anew.after));
        assert_eq!(counts(&exchange.before), counts(&anew.before));
        assert_eq!(counts(&exchange.sizes), counts(&anew.sizes));
    }

    proptest! {
        #[test]
        fn counts_follow_the_words(
            sentences in proptest::collection::vec(proptest::collection::vec(0u8..8, 0..9), 1..12),
            start in proptest::collection::vec(0u16..4, 8),
            moves in proptest::collection::vec((0usize..8, 0i64..5), 0..40),
        ) {
            let bigrams = bigrams(&sentences);
            let entropy = Entropy::new();
            let words = bigrams.words();
            let mut exchange = Exchange::new(&bigrams, &entropy, start[..words].to_vec(), 4);
            for (word, threshold) in moves.into_iter().filter(|&(word, _)| word < words) {
                let threshold = threshold * units(2.0);
                let before = (exchange.log_likelihood(), exchange.classes().to_vec());
                let moved = exchange.exchange(word, threshold);
                assert_counted(&exchange);
                let difference = exchange.log_likelihood() - before.0;
                prop_assert_eq!(moved, exchange.classes() != before.1);
                prop_assert!(!moved || difference > -threshold);
                prop_assert!(threshold > 0 || moved == (difference > 0), "without threshold only what helps");
            }
        }

        #[test]
        fn the_best_of_the_other_classes_is_taken(
            sentences in proptest::collection::vec(proptest::collection::vec(0u8..8, 0..9), 1..12),
            start in proptest::collection::vec(0u16..4, 8),
        ) {
            let bigrams = bigrams(&sentences);
            let entropy = Entropy::new();
            for word in 0..bigrams.words() {
                let of = |class: u16| {
                    let mut classes = start[..bigrams.words()].to_vec();
                    classes[word] = class;
                    Exchange::new(&bigrams, &entropy, classes, 4)
                };
                let mut exchange = of(start[word]);
                let others = (0..4).filter(|&class| class != start[word]);
                let best = others.max_by_key(|&class| (of(class).log_likelihood(), Reverse(class)));
                prop_assert!(exchange.exchange(word, units(1e6)));
                prop_assert_eq!(Some(exchange.classes()[word]), best);
            }
        }
    }

    #[test]
    fn there_may_be_no_other_class() {
        let bigrams = bigrams(&[vec![0, 1], vec![0, 2]]);
        let entropy = Entropy::new();
        assert!(!Exchange::new(&bigrams, &entropy, vec![0, 0, 0], 1).exchange(0, units(1e6)));
    }
}
