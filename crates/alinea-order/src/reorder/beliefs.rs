//! What an engine believes of the words of a sentence, and the order that is right as often as may be.
//!
//! An engine that knows how probable orders are can say how probable it is that one word comes before another. The order with
//! the greatest sum of those probabilities has the highest score of Kendall that can be expected: a linear ordering problem
//! ([`linear`]). Engines of different kinds are combined by the means of their beliefs.
//!
//! With [`Beliefs::next`], how probable it is that a word comes directly behind another, neighbors count as well, as they do in
//! the fuzzy reordering score. The search then exchanges two neighboring stretches of words while that pays.

use super::linear::{self, ExchangeGains, Preferences};
use crate::error::Result;

/// Probabilities, for the words of a sentence two by two.
#[derive(Debug, Clone, PartialEq)]
pub struct Beliefs {
    words: usize,
    /// By first and second word: that the first comes somewhere before the second.
    before: Vec<f64>,
    /// That it comes directly before it.
    next: Vec<f64>,
}

/// The decision rule from marginals to orders.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decision {
    /// The bias toward the order of the source: added to the probability that a pair of words keeps its order, so that at
    /// 1 nothing moves. From 0 to 1.
    pub bias: f64,
    /// How much it counts that words follow each other directly, beside the pairs in the right order: both are means, over
    /// words and over pairs. At least 0.
    pub neighbors: f64,
}

impl Default for Decision {
    fn default() -> Self {
        Self { bias: 0.0, neighbors: 0.5 }
    }
}

impl Beliefs {
    /// Uninformative marginals of the given number of words.
    pub fn new(words: usize) -> Self {
        Self { words, before: vec![0.0; words * words], next: vec![0.0; words * words] }
    }

    /// The number of words.
    pub fn words(&self) -> usize {
        self.words
    }

    /// How probable it is that `first` comes before `second`.
    pub fn before(&self, first: usize, second: usize) -> f64 {
        self.before[first * self.words + second]
    }

    /// How probable it is that `second` comes directly behind `first`.
    pub fn next(&self, first: usize, second: usize) -> f64 {
        self.next[first * self.words + second]
    }

    pub(super) fn set_before(&mut self, first: usize, second: usize, probability: f64) {
        self.before[first * self.words + second] = probability;
        self.before[second * self.words + first] = 1.0 - probability;
    }

    pub(super) fn add_next(&mut self, first: usize, second: usize, probability: f64) {
        self.next[first * self.words + second] += probability;
    }

    /// Adds those of another engine: what comes before what counts `before`, what comes next `next`.
    pub fn add(&mut self, other: &Self, before: f64, next: f64) {
        for (to, from, weight) in [(&mut self.before, &other.before, before), (&mut self.next, &other.next, next)] {
            to.iter_mut().zip(from).for_each(|(to, from)| *to += weight * from);
        }
    }

    /// The best order that is found, and no worse than `start`. O(words³) a step; a few are the rule.
    ///
    /// # Errors
    /// `Inconsistent` if probabilities are no numbers.
    pub fn decide(&self, start: Vec<u32>, decision: Decision) -> Result<Vec<u32>> {
        let words = self.words;
        let bias = |first: usize, second: usize| if first < second { decision.bias } else { 0.0 };
        let pairs = (words * words.saturating_sub(1) / 2).max(1) as f64;
        let gain = |place: usize| {
            let (first, second) = (place / words, place % words);
            (self.before[place] + bias(first, second)) / pairs
        };
        let preferences = Preferences::new(words, (0..words * words).map(gain).collect())?;
        let order = linear::search(&preferences, start);
        if decision.neighbors <= 0.0 {
            return Ok(order);
        }
        let scale = decision.neighbors / (words + 1) as f64;
        let next = |first: usize, second: usize| {
            let source = if second == first + 1 { decision.bias } else { 0.0 };
            scale * (self.next[first * words + second] + source)
        };
        Ok(exchange(&preferences, next, order))
    }
}

/// Exchanges two neighboring stretches while the score grows.
fn exchange(preferences: &Preferences, next: impl Fn(usize, usize) -> f64, mut order: Vec<u32>) -> Vec<u32> {
    let n = order.len();
    let mut gains = ExchangeGains::default();
    loop {
        gains.fill(preferences, &order);
        let follows = |one: Option<usize>, other: usize| match (one.and_then(|one| order.get(one)), order.get(other)) {
            (Some(&one), Some(&other)) => next(one as usize, other as usize),
            _ => 0.0,
        };
        let mut best = (LEAST_GAIN, 0, 0, 0);
        for i in 0..n {
            for j in i + 1..n {
                for k in j + 1..=n {
                    let pairs = gains.of(i, j, k);
                    let before = i.checked_sub(1);
                    let lost = follows(before, i) + follows(Some(j - 1), j) + follows(Some(k - 1), k);
                    let won = follows(before, j) + follows(Some(k - 1), i) + follows(Some(j - 1), k);
                    if pairs + won - lost > best.0 {
                        best = (pairs + won - lost, i, j, k);
                    }
                }
            }
        }
        let (_, i, j, k) = best;
        if k == 0 {
            return order;
        }
        order[i..k].rotate_left(j - i);
    }
}

/// What an exchange must bring, so that rounding does not make the search go round.
const LEAST_GAIN: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn beliefs(words: usize, numbers: &[f64]) -> Beliefs {
        let mut beliefs = Beliefs::new(words);
        let mut numbers = numbers.iter();
        for second in 0..words {
            for first in 0..second {
                beliefs.set_before(first, second, *numbers.next().unwrap());
                beliefs.add_next(first, second, *numbers.next().unwrap());
                beliefs.add_next(second, first, *numbers.next().unwrap());
            }
        }
        beliefs
    }

    /// The mean over pairs of what is believed of their order, and over words of what is believed of neighbors.
    fn expected(beliefs: &Beliefs, order: &[u32], decision: Decision) -> f64 {
        let bias = |apart: bool| if apart { decision.bias } else { 0.0 };
        let words = order.len();
        let (mut pairs, mut neighbors) = (0.0, 0.0);
        for (place, &one) in order.iter().enumerate() {
            for &other in &order[place + 1..] {
                pairs += beliefs.before(one as usize, other as usize) + bias(one < other);
            }
            if let Some(&other) = order.get(place + 1) {
                neighbors += beliefs.next(one as usize, other as usize) + bias(other == one + 1);
            }
        }
        pairs / (words * (words - 1) / 2) as f64 + decision.neighbors * neighbors / (words + 1) as f64
    }

    proptest! {
        /// No exchange of neighboring stretches makes the decision better, by the definition of what is expected.
        #[test]
        fn decisions_cannot_be_made_better_by_an_exchange(
            words in 2usize..7,
            numbers in prop::collection::vec(0.0f64..1.0, 45),
            bias in 0.0f64..0.3,
            neighbors in 0.1f64..2.0,
        ) {
            let beliefs = beliefs(words, &numbers);
            let decision = Decision { bias, neighbors };
            let found = beliefs.decide((0..words as u32).collect(), decision).unwrap();
            let reached = expected(&beliefs, &found, decision);
            for i in 0..words {
                for j in i + 1..words {
                    for k in j + 1..=words {
                        let mut other = found.clone();
                        other[i..k].rotate_left(j - i);
                        prop_assert!(expected(&beliefs, &other, decision) <= reached + 1e-6);
                    }
                }
            }
        }
    }

    #[test]
    fn with_full_bias_nothing_moves() {
        let beliefs = beliefs(4, &[0.0, 0.0, 1.0].repeat(6));
        let order = |bias| beliefs.decide(vec![0, 1, 2, 3], Decision { bias, neighbors: 0.0 }).unwrap();
        assert_eq!(order(1.0), [0, 1, 2, 3]);
        assert_eq!(order(0.0), [3, 2, 1, 0]);
    }
}
