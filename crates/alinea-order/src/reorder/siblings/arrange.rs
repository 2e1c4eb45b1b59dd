//! The best order of a few siblings, and how probable each is to follow another.
//!
//! `gain(x, y)` is what it brings that `x` comes before `y`, and an order scores the sum over all pairs. The best order of the
//! siblings in a set ends with one of them, behind the best order of the others: a program over subsets,
//!
//! ```text
//! best(S) = max over x in S of best(S - x) + Σ over y in S - x of gain(y, x)        best(∅) = 0
//! ```
//!
//! O(2ⁿ n) time. With sums in place of maxima it gives what is expected if an order is as probable as the exponential of
//! its score. It is exact up to [`MOST_EXACT`]; beyond, the search of [`linear`] goes on from the order of the source. More
//! than [`MOST_WORDS`] stay as they are: they are a table or a list, and what is computed grows with the third power.

use super::super::beliefs::Beliefs;
use super::super::constituents::{Constituents, Node};
use super::super::engine::MOST_WORDS;
use super::super::linear::{self, Preferences};
use super::posterior::Posterior;
use crate::error::Result;
use crate::numeric::sigmoid;

/// The most siblings whose orders are all looked at.
pub(super) const MOST_EXACT: usize = 8;

/// The words in the order that the parts of each node have.
fn order_of(tree: &Constituents, arranged: &[Vec<usize>]) -> Vec<u32> {
    tree.order(|node| node.this.node.map(|number| arranged[number].clone()))
}

/// Gains for the siblings of a node, with room to search.
#[derive(Debug, Default)]
pub(in super::super) struct Arranger {
    count: usize,
    gains: Vec<f64>,
    /// For each set and sibling, what it brings that all of the set come before it.
    behind: Vec<f64>,
    best: Vec<(f64, usize)>,
}

impl Arranger {
    /// So many siblings, none of which would rather stand elsewhere.
    pub(in super::super) fn reset(&mut self, count: usize) {
        self.count = count;
        self.gains.clear();
        self.gains.resize(count * count, 0.0);
    }

    /// What it brings that `first` comes before `second`, more than the other way round.
    pub(in super::super) fn set(&mut self, first: usize, second: usize, gain: f64) {
        self.gains[first * self.count + second] = gain;
    }

    /// The words of a tree in the order that is best node by node, where `weigh` sets for each node what it brings to exchange two of
    /// its parts ([`set`](Self::set) of the second before the first); it is not asked for nodes of more than [`MOST_WORDS`].
    pub(in super::super) fn order(
        &mut self,
        tree: &Constituents,
        mut weigh: impl FnMut(&mut Self, &Node),
    ) -> Result<Vec<u32>> {
        let mut best = Vec::with_capacity(tree.nodes().len());
        for node in tree.nodes() {
            let count = node.parts().len();
            if count > MOST_WORDS {
                best.push((0..count).collect());
                continue;
            }
            self.reset(count);
            weigh(self, node);
            best.push(self.arrange()?);
        }
        Ok(order_of(tree, &best))
    }

    /// The same where gains are log odds, and what is to be believed of the words two by two.
    pub(in super::super) fn beliefs(
        &mut self,
        tree: &Constituents,
        mut weigh: impl FnMut(&mut Self, &Node),
    ) -> Result<(Beliefs, Vec<u32>)> {
        let mut posterior = Posterior::new(tree.words());
        let mut best = Vec::with_capacity(tree.nodes().len());
        for node in tree.nodes() {
            let count = node.parts().len();
            self.reset(count);
            weigh(self, node);
            for second in 1..count {
                for first in 0..second {
                    posterior.exchanged(node, first, second, sigmoid(self.gains[second * count + first]));
                }
            }
            posterior.close(node, &self.next()?);
            best.push(self.arrange()?);
        }
        Ok((posterior.finish(), order_of(tree, &best)))
    }

    fn add_up(&mut self) {
        let Self { count, gains, behind, .. } = self;
        let count = *count;
        behind.clear();
        behind.resize(count << count, 0.0);
        for set in 1..1usize << count {
            let last = set.trailing_zeros() as usize;
            let rest = set & (set - 1);
            for second in 0..count {
                behind[set * count + second] = behind[rest * count + second] + gains[last * count + second];
            }
        }
    }

    /// The best order; of equally good ones that which leaves the last siblings last.
    pub(in super::super) fn arrange(&mut self) -> Result<Vec<usize>> {
        let count = self.count;
        if count > MOST_EXACT {
            // What is equal otherwise keeps the order of the source.
            let tie = |place: usize| if place / count < place % count { TIE } else { 0.0 };
            let gains = self.gains.iter().enumerate().map(|(place, gain)| gain + tie(place)).collect();
            let preferences = Preferences::new(count, gains)?;
            let order = linear::search(&preferences, (0..count as u32).collect());
            return Ok(order.into_iter().map(|part| part as usize).collect());
        }
        self.add_up();
        let Self { behind, best, .. } = self;
        best.clear();
        best.push((0.0, 0));
        for set in 1..1usize << count {
            let mut found = (f64::NEG_INFINITY, 0);
            for last in (0..count).rev().filter(|last| set >> last & 1 == 1) {
                let rest = set & !(1 << last);
                let score = best[rest].0 + behind[rest * count + last];
                if score > found.0 + LEAST_GAIN {
                    found = (score, last);
                }
            }
            best.push(found);
        }
        let mut order = Vec::with_capacity(count);
        let mut set = (1usize << count) - 1;
        while set > 0 {
            let (_, last) = best[set];
            order.push(last);
            set &= !(1 << last);
        }
        order.reverse();
        Ok(order)
    }

    /// How probable it is that one sibling comes directly before another, by first and second; and, in a last row and column,
    /// that one is the first or the last of all. Beyond [`MOST_EXACT`] the best order counts as certain.
    pub(super) fn next(&mut self) -> Result<Vec<f64>> {
        let count = self.count;
        let side = count + 1;
        let mut next = vec![0.0; side * side];
        if count > MOST_EXACT {
            let order = self.arrange()?;
            let mut before = count;
            for part in order.into_iter().chain([count]) {
                next[before * side + part] = 1.0;
                before = part;
            }
            return Ok(next);
        }
        self.add_up();
        let all = (1usize << count) - 1;
        let behind = |set: usize, last: usize| self.behind[set * count + last];
        let outside = |set: usize| (0..count).filter(move |part| set >> part & 1 == 0);
        // Logarithms of sums over the orders of the siblings in a set, and of the others behind them.
        let mut begun = vec![f64::NEG_INFINITY; all + 1];
        begun[0] = 0.0;
        for set in 0..all {
            for part in outside(set) {
                let to = set | 1 << part;
                begun[to] = log_add(begun[to], begun[set] + behind(set, part));
            }
        }
        let mut ended = vec![f64::NEG_INFINITY; all + 1];
        ended[all] = 0.0;
        for set in (0..all).rev() {
            for part in outside(set) {
                ended[set] = log_add(ended[set], behind(set, part) + ended[set | 1 << part]);
            }
        }
        let sum = begun[all];
        for (set, begun) in begun[..all].iter().enumerate() {
            for first in outside(set) {
                let (with_first, score) = (set | 1 << first, begun + behind(set, first) - sum);
                if set == 0 {
                    next[count * side + first] = (score + ended[with_first]).exp();
                }
                if with_first == all {
                    next[first * side + count] = score.exp();
                }
                for second in outside(with_first) {
                    let both = score + behind(with_first, second) + ended[with_first | 1 << second];
                    next[first * side + second] += both.exp();
                }
            }
        }
        Ok(next)
    }
}

/// What an order must bring, so that rounding does not choose between equal ones.
const LEAST_GAIN: f64 = 1e-12;

/// What it brings that two siblings stay as they are, where that decides.
const TIE: f64 = 1e-9;

fn log_add(one: f64, other: f64) -> f64 {
    let (high, low) = (one.max(other), one.min(other));
    if low == f64::NEG_INFINITY { high } else { high + (low - high).exp().ln_1p() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn permutations(count: usize) -> Vec<Vec<usize>> {
        if count == 0 {
            return vec![Vec::new()];
        }
        let mut all = Vec::new();
        for shorter in permutations(count - 1) {
            for place in 0..count {
                let mut order = shorter.clone();
                order.insert(place, count - 1);
                all.push(order);
            }
        }
        all
    }

    fn arranger(count: usize, gains: &[i32]) -> Arranger {
        let mut arranger = Arranger::default();
        arranger.reset(count);
        for first in 0..count {
            for second in 0..count {
                arranger.set(first, second, f64::from(gains[first * count + second]));
            }
        }
        arranger
    }

    fn score(count: usize, gains: &[i32], order: &[usize]) -> i32 {
        let pairs = (0..count).flat_map(|second| (0..second).map(move |first| (first, second)));
        pairs.map(|(first, second)| gains[order[first] * count + order[second]]).sum()
    }

    #[test]
    fn siblings_that_do_not_care_stay() {
        assert_eq!(arranger(4, &[0; 16]).arrange().unwrap(), [0, 1, 2, 3]);
        assert_eq!(arranger(9, &[0; 81]).arrange().unwrap(), (0..9).collect::<Vec<_>>());
        // The last one would rather be the first.
        let mut gains = vec![0; 81];
        (0..8).for_each(|second| gains[72 + second] = 1);
        assert_eq!(arranger(9, &gains).arrange().unwrap(), [8, 0, 1, 2, 3, 4, 5, 6, 7]);
        let next = arranger(9, &gains).next().unwrap();
        assert!((next[90 + 8] - 1.0).abs() < 1e-12 && (next[79] - 1.0).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn the_order_is_the_best_of_all(gains in prop::collection::vec(-9i32..10, 36), count in 1usize..7) {
            let best = permutations(count).iter().map(|order| score(count, &gains, order)).max();
            let order = arranger(count, &gains).arrange().unwrap();
            prop_assert_eq!(Some(score(count, &gains, &order)), best);
        }

        #[test]
        fn neighbors_are_those_of_all_orders(gains in prop::collection::vec(-2i32..3, 25), count in 1usize..6) {
            let side = count + 1;
            let mut expected = vec![0.0; side * side];
            let mut sum = 0.0;
            for order in permutations(count) {
                let weight = f64::from(score(count, &gains, &order)).exp();
                sum += weight;
                let mut before = count;
                for part in order.into_iter().chain([count]) {
                    expected[before * side + part] += weight;
                    before = part;
                }
            }
            let next = arranger(count, &gains).next().unwrap();
            for (found, expected) in next.iter().zip(expected) {
                prop_assert!((found - expected / sum).abs() < 1e-9);
            }
        }
    }
}
