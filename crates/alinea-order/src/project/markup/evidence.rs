//! What links say of target words, seen from a pair of tags.

use std::ops::Range;

use super::sides::Sides;

/// For each target word its links into a pair. Memory for one pair of sentences, used again for each pair of tags.
#[derive(Debug)]
pub(super) struct Evidence {
    /// The logarithm of the probability that it has none.
    without: Vec<f64>,
    best: Vec<f64>,
    /// Words that have some, in order.
    touched: Vec<usize>,
}

impl Evidence {
    pub(super) fn new(words: usize) -> Self {
        Self { without: vec![0.0; words], best: vec![0.0; words], touched: Vec::new() }
    }

    /// Looks at the links of some source words.
    pub(super) fn gather(&mut self, sides: &Sides, words: Range<usize>) {
        for &word in &self.touched {
            (self.without[word], self.best[word]) = (0.0, 0.0);
        }
        self.touched.clear();
        for source in words {
            for &(target, probability) in sides.links(source) {
                let target = target as usize;
                if probability > 0.0 {
                    self.touched.push(target);
                    self.without[target] += Sides::without(probability);
                }
            }
            if let Some((target, probability)) = sides.best[source] {
                let best = &mut self.best[target as usize];
                *best = best.max(probability);
            }
        }
        self.touched.sort_unstable();
        self.touched.dedup();
    }

    pub(super) fn touched(&self) -> &[usize] {
        &self.touched
    }

    /// The probability that a word has a link into the pair.
    pub(super) fn inside(&self, word: usize) -> f64 {
        -self.without[word].exp_m1()
    }

    /// The probability that it has one to other words.
    pub(super) fn outside(&self, sides: &Sides, word: usize) -> f64 {
        -(sides.unlinked[word] - self.without[word]).min(0.0).exp_m1()
    }

    /// How probable it is as the most probable counterpart of a word in the pair.
    pub(super) fn best(&self, word: usize) -> f64 {
        self.best[word]
    }
}
