//! The order as a tour: each word costs something after the word before it (Visweswariah et al. 2011, *A Word Reordering Model
//! for Improved Machine Translation*).
//!
//! `c(i, j)` is the cost of word `j` directly after word `i`, with a start before the first and an end after the last word. The
//! cheapest path through all words is the order: the asymmetric problem of the travelling salesman. Up to
//! [`MOST_WORDS_FOR_EXACT`] words it is solved exactly (Held and Karp 1962), O(2^n n²). Beyond, two paths, the order of the
//! source and one built by cheapest insertion, are improved by the best exchange of two neighboring stretches of any length,
//! which is what a change of three edges without turning anything round can do (Or 1976), O(n³) an exchange, while one helps; the
//! cheaper one counts.
//!
//! ```
//! use alinea::reorder::salesman::{Costs, shortest_path};
//!
//! // Two words, then the start and the end; from rows to columns.
//! let costs = Costs::new(2, vec![
//!     0.0, 9.0, 0.0, 1.0,
//!     1.0, 0.0, 0.0, 9.0,
//!     5.0, 2.0, 0.0, 0.0,
//!     0.0, 0.0, 0.0, 0.0,
//! ])?;
//! assert_eq!(shortest_path(&costs), [1, 0]);
//! assert_eq!(costs.of_path(&[1, 0]), 2.0 + 1.0 + 1.0);
//! # Ok::<(), alinea::error::Error>(())
//! ```

use super::linear::square;
use crate::error::Result;

/// Up to this many words the search is exact.
pub const MOST_WORDS_FOR_EXACT: usize = 12;

/// What it costs that a word comes directly after another.
#[derive(Debug, Clone, PartialEq)]
pub struct Costs {
    words: usize,
    costs: Vec<f64>,
}

impl Costs {
    /// Of `words` words, row by row: what it costs that the word of the column comes after that of the row. Row and column
    /// `words` are the start, those behind it the end.
    ///
    /// # Errors
    /// `Inconsistent` if there are not (`words` + 2)² numbers, or not all are finite.
    pub fn new(words: usize, costs: Vec<f64>) -> Result<Self> {
        square(words.saturating_add(2), &costs)?;
        Ok(Self { words, costs })
    }

    /// The number of words.
    pub fn words(&self) -> usize {
        self.words
    }

    fn step(&self, from: usize, to: usize) -> f64 {
        self.costs[from * (self.words + 2) + to]
    }

    /// The cost of an order, from the start to the end. Linear.
    ///
    /// # Panics
    /// If it names a word that there is not.
    pub fn of_path(&self, order: &[u32]) -> f64 {
        let end = [self.words + 1];
        let to = order.iter().map(|&word| word as usize).chain(end);
        let from = std::iter::once(self.words).chain(order.iter().map(|&word| word as usize));
        from.zip(to).map(|(from, to)| self.step(from, to)).sum()
    }
}

/// The cheapest order, or one that no exchange of two neighboring stretches makes cheaper if there are more than
/// [`MOST_WORDS_FOR_EXACT`] words. Of equally cheap ones the exact search takes that which is first in the order of the
/// dictionary.
pub fn shortest_path(costs: &Costs) -> Vec<u32> {
    if costs.words <= MOST_WORDS_FOR_EXACT { exact(costs) } else { approximate(costs) }
}

/// Held and Karp's programme, from the end.
fn exact(costs: &Costs) -> Vec<u32> {
    let n = costs.words;
    let side = n + 1;
    // The cost from each word, or the start, through a set of words to the end.
    let mut rest = vec![f64::INFINITY; side << n];
    for (from, rest) in rest[..side].iter_mut().enumerate() {
        *rest = costs.step(from, n + 1);
    }
    let members = |set: usize| (0..n).filter(move |&word| set >> word & 1 == 1);
    let onward =
        |rest: &[f64], set: usize, from: usize, to: usize| costs.step(from, to) + rest[(set & !(1 << to)) * side + to];
    for set in 1..1usize << n {
        for from in (0..side).filter(|&from| from == n || set >> from & 1 == 0) {
            rest[set * side + from] = members(set).map(|to| onward(&rest, set, from, to)).fold(f64::INFINITY, f64::min);
        }
    }
    let mut order = Vec::with_capacity(n);
    let (mut set, mut at) = ((1usize << n) - 1, n);
    while set > 0 {
        let cheapest = rest[set * side + at];
        // The same sums as above, so one of them is equal.
        let Some(next) = members(set).find(|&to| onward(&rest, set, at, to) <= cheapest) else { break };
        order.push(next as u32);
        set &= !(1 << next);
        at = next;
    }
    order
}

fn approximate(costs: &Costs) -> Vec<u32> {
    let source = improve(costs, (0..costs.words as u32).collect());
    let inserted = improve(costs, by_insertion(costs));
    if costs.of_path(&inserted) < costs.of_path(&source) { inserted } else { source }
}

/// Puts word after word where it costs least.
fn by_insertion(costs: &Costs) -> Vec<u32> {
    let mut order: Vec<u32> = Vec::with_capacity(costs.words);
    for word in 0..costs.words {
        let at = |place: usize| order.get(place).map_or(costs.words + 1, |&word| word as usize);
        let before = |place: usize| place.checked_sub(1).map_or(costs.words, at);
        let more = |place: usize| {
            let (from, to) = (before(place), at(place));
            costs.step(from, word) + costs.step(word, to) - costs.step(from, to)
        };
        let place = (0..=order.len()).min_by(|&one, &other| more(one).total_cmp(&more(other))).unwrap_or(0);
        order.insert(place, word as u32);
    }
    order
}

/// Exchanges two neighboring stretches while that makes the path cheaper.
fn improve(costs: &Costs, mut order: Vec<u32>) -> Vec<u32> {
    let n = order.len();
    let mut cost = costs.of_path(&order);
    loop {
        let at = |place: usize| order.get(place).map_or(costs.words + 1, |&word| word as usize);
        let before = |place: usize| place.checked_sub(1).map_or(costs.words, at);
        let mut best = (0.0, 0, 0, 0);
        for i in 0..n {
            for j in i + 1..n {
                for k in j + 1..=n {
                    let removed =
                        costs.step(before(i), at(i)) + costs.step(before(j), at(j)) + costs.step(before(k), at(k));
                    let added =
                        costs.step(before(i), at(j)) + costs.step(before(k), at(i)) + costs.step(before(j), at(k));
                    if added - removed < best.0 {
                        best = (added - removed, i, j, k);
                    }
                }
            }
        }
        let (_, i, j, k) = best;
        let mut next = order.clone();
        next[i..k].rotate_left(j - i);
        let next_cost = costs.of_path(&next);
        // Costs are computed the same way each time, so they cannot fall for ever.
        if next_cost >= cost {
            return order;
        }
        (order, cost) = (next, next_cost);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::Generator;
    use proptest::prelude::*;

    #[test]
    fn bad_numbers_are_refused() {
        let error = Costs::new(1, vec![0.0; 4]).unwrap_err().to_string();
        assert_eq!(error, "4 numbers do not make a square with 3 on each side");
        let none = Costs::new(0, vec![0.0; 4]).unwrap();
        assert!(shortest_path(&none).is_empty());
    }

    fn orders(words: u32) -> Vec<Vec<u32>> {
        let mut all = vec![Vec::new()];
        for word in 0..words {
            let grown = |order: &Vec<u32>| {
                let order = order.clone();
                (0..=order.len()).map(move |place| [&order[..place], &[word], &order[place..]].concat())
            };
            all = all.iter().flat_map(grown).collect();
        }
        all.sort_unstable();
        all
    }

    fn random(words: usize, seed: u64) -> Costs {
        let mut generator = Generator::new(seed, 0);
        let costs = (0..(words + 2).pow(2)).map(|_| (generator.unit() * 20.0).floor()).collect();
        Costs::new(words, costs).unwrap()
    }

    proptest! {
        /// Whole numbers, so that sums are exact and equal ones are equal.
        #[test]
        fn the_exact_path_is_the_first_of_the_cheapest(words in 1u32..7, seed in any::<u64>()) {
            let costs = random(words as usize, seed);
            let all = orders(words);
            let least = all.iter().map(|order| costs.of_path(order)).fold(f64::INFINITY, f64::min);
            let first = all.iter().find(|order| costs.of_path(order) <= least);
            prop_assert_eq!(Some(&shortest_path(&costs)), first);
        }

        #[test]
        fn improved_paths_are_orders_and_no_dearer(words in 1usize..16, seed in any::<u64>()) {
            let costs = random(words, seed);
            let source: Vec<u32> = (0..words as u32).collect();
            let mut found = approximate(&costs);
            prop_assert!(costs.of_path(&found) <= costs.of_path(&source));
            if words <= 9 {
                prop_assert!(costs.of_path(&found) >= costs.of_path(&exact(&costs)));
            }
            found.sort_unstable();
            prop_assert_eq!(found, source);
        }
    }
}
