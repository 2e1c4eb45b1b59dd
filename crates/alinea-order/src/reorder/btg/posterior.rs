//! What a chart believes of words two by two.
//!
//! Two words are on different sides of exactly one node, so that one comes before the other is as probable as that their node
//! keeps its parts: a sum over rectangles, O(words³) in all. That one follows the other directly is the sum over nodes
//! of: the one is the last word of the first part, the other the first word of the second. For a span, the probabilities of being
//! its first or its last word come from those of its parts. Splits below [`LEAST`] are passed over.

use super::chart::Chart;
use super::scores::{CONTEXTS, context_of};
use crate::reorder::beliefs::Beliefs;

/// Less probable splits do not count for neighbors.
const LEAST: f64 = 1e-4;

/// A span of words, and what made it.
#[derive(Clone, Copy)]
struct Span {
    context: usize,
    begin: usize,
    end: usize,
}

/// For each span and what made it, how probable it is that a word is at its border.
struct Borders {
    side: usize,
    starts: Vec<usize>,
    values: Vec<f64>,
}

impl Borders {
    fn new(words: usize) -> Self {
        let side = words + 1;
        let mut starts = Vec::with_capacity(CONTEXTS * side * side);
        let mut start = 0;
        for _ in 0..CONTEXTS {
            for begin in 0..side {
                for end in 0..side {
                    starts.push(start);
                    start += end.saturating_sub(begin);
                }
            }
        }
        Self { side, starts, values: vec![0.0; start] }
    }

    fn range(&self, Span { context, begin, end }: Span) -> std::ops::Range<usize> {
        let start = self.starts[(context * self.side + begin) * self.side + end];
        start..start + (end - begin)
    }

    fn of(&self, span: Span) -> &[f64] {
        &self.values[self.range(span)]
    }

    /// Adds the border of a part to that of the whole.
    fn add(&mut self, whole: Span, part: Span, probability: f64) {
        let (from, to) = (self.range(part), self.range(whole));
        let shift = part.begin - whole.begin;
        for place in 0..from.len() {
            self.values[to.start + shift + place] += probability * self.values[from.start + place];
        }
    }
}

/// What a filled chart believes.
pub(super) fn beliefs(words: usize, chart: &mut Chart) -> Beliefs {
    let mut beliefs = Beliefs::new(words);
    let side = words + 1;
    let mut corner = vec![0.0; side * side];
    let mut splits = Vec::new();
    chart.probabilities(|context, [begin, pivot, end], split| {
        let inverted = split[1];
        corner[begin * side + pivot] += inverted;
        corner[pivot * side + pivot] -= inverted;
        corner[begin * side + end] -= inverted;
        corner[pivot * side + end] += inverted;
        if split[0].max(split[1]) >= LEAST {
            splits.push((context, [begin, pivot, end], split));
        }
    });
    for first in 0..words {
        for second in 0..words {
            let at = |first: usize, second: usize| corner[first * side + second];
            let above = if first > 0 { at(first - 1, second) } else { 0.0 };
            let left = if second > 0 { at(first, second - 1) } else { 0.0 };
            let both = if first > 0 && second > 0 { at(first - 1, second - 1) } else { 0.0 };
            corner[first * side + second] += above + left - both;
            if first < second {
                beliefs.set_before(first, second, 1.0 - corner[first * side + second].clamp(0.0, 1.0));
            }
        }
    }
    add_neighbors(words, chart, &splits, &mut beliefs);
    beliefs
}

type Split = (usize, [usize; 3], [f64; 2]);

fn add_neighbors(words: usize, chart: &Chart, splits: &[Split], beliefs: &mut Beliefs) {
    let (mut firsts, mut lasts) = (Borders::new(words), Borders::new(words));
    for context in 0..CONTEXTS {
        for word in 0..words {
            for borders in [&mut firsts, &mut lasts] {
                let at = borders.range(Span { context, begin: word, end: word + 1 }).start;
                borders.values[at] = 1.0;
            }
        }
    }
    // The splits come from the top down; borders are known from the bottom up.
    for &(context, [begin, pivot, end], split) in splits.iter().rev() {
        let node = chart.node(context, begin, end);
        let whole = Span { context, begin, end };
        for (probability, inverted) in [(split[0], false), (split[1], true)] {
            if probability < LEAST {
                continue;
            }
            let left = Span { context: context_of(inverted, false), begin, end: pivot };
            let right = Span { context: context_of(inverted, true), begin: pivot, end };
            let (first, second) = if inverted { (right, left) } else { (left, right) };
            firsts.add(whole, first, probability / node);
            lasts.add(whole, second, probability / node);
            let (last, next) = (lasts.of(first), firsts.of(second));
            for (one, &ends) in (first.begin..).zip(last).filter(|(_, ends)| **ends >= LEAST) {
                for (other, &begins) in (second.begin..).zip(next).filter(|(_, begins)| **begins >= LEAST) {
                    beliefs.add_next(one, other, probability * ends * begins);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::chart::tests::{all_derivations, random};
    use super::super::derivation::order_of;
    use super::*;

    #[test]
    fn beliefs_are_those_of_all_derivations() {
        for words in 2..6 {
            let scores = random(words, 70 + words as u64);
            let mut chart = Chart::default();
            let sum = chart.fill(&scores, |_| [0.0; 2]);
            let beliefs = beliefs(words, &mut chart);
            let mut before = vec![0.0; words * words];
            let mut next = vec![0.0; words * words];
            for (score, splits) in all_derivations(&scores, 0, 0, words) {
                let actions: Vec<(usize, bool)> =
                    splits.iter().map(|&(_, [_, pivot, _], label)| (pivot, label == 1)).collect();
                let order = order_of(words, &actions);
                for (place, &word) in order.iter().enumerate() {
                    for (distance, &other) in order[place + 1..].iter().enumerate() {
                        before[word as usize * words + other as usize] += (score - sum).exp();
                        if distance == 0 {
                            next[word as usize * words + other as usize] += (score - sum).exp();
                        }
                    }
                }
            }
            for first in 0..words {
                for second in (0..words).filter(|&second| second != first) {
                    let at = first * words + second;
                    assert!((beliefs.before(first, second) - before[at]).abs() < 1e-9);
                    // What is less probable than one in ten thousand is left out.
                    assert!(
                        (beliefs.next(first, second) - next[at]).abs() < 0.02,
                        "{} {}",
                        beliefs.next(first, second),
                        next[at]
                    );
                }
            }
        }
    }
}
