//! Which of two words comes first, and how much is lost where a node of a tree has them the other way round.
//!
//! Every two words of a sentence are on different sides of exactly one node of a binary tree over it. So what an order loses
//! against a gold standard, pair by pair, is a sum over nodes, and each term a sum over the rectangle of the pairs between the two parts.
//! With sums of all rectangles from the corner it takes four additions.

use std::cmp::Ordering;
use std::ops::Range;

use crate::alignment::{Alignment, Link};
use crate::permutation::Permutation;

/// If left as they are, and if exchanged.
type Pair = [f64; 2];

/// What a pair counts whose words are linked around each other: less than one that is certain.
const UNCERTAIN: f64 = 0.5;

/// What a pair counts of which any order is right: so little that it only decides where nothing else does.
const SLIGHT: f64 = 0.02;

/// The positions that a word is linked to.
#[derive(Debug, Clone, Copy)]
struct Positions {
    first: u32,
    last: u32,
    sum: u64,
    count: u64,
}

impl Positions {
    fn new(links: &[Link]) -> Option<Self> {
        let (first, last) = (links.first()?.target, links.last()?.target);
        let sum = links.iter().map(|link| u64::from(link.target)).sum();
        Some(Self { first, last, sum, count: links.len() as u64 })
    }

    /// Which comes first, and how certain that is.
    fn compare(self, other: Self) -> (Ordering, f64) {
        let (begin, end) = (self.first.cmp(&other.first), self.last.cmp(&other.last));
        if begin == end.reverse() && begin != Ordering::Equal {
            return ((self.sum * other.count).cmp(&(other.sum * self.count)), UNCERTAIN);
        }
        (begin.then(end), 1.0)
    }
}

fn positions(words: usize, alignment: &Alignment) -> Vec<Option<Positions>> {
    (0..words as u32).map(|word| Positions::new(alignment.of_source(word))).collect()
}

/// Whether any two neighbors have an order; if none have, nor have others.
fn any_order(positions: &[Option<Positions>]) -> bool {
    let known = || positions.iter().flatten();
    known().zip(known().skip(1)).any(|(one, other)| one.compare(*other).0 != Ordering::Equal)
}

/// For all pairs of words what it costs to leave them as they are, and what to exchange them.
#[derive(Debug, Clone, Default)]
pub struct Precedence {
    side: usize,
    /// Whether any two words have an order.
    says: bool,
    /// Sums over first words below, and second words below.
    corner: Vec<Pair>,
}

impl Precedence {
    /// What an alignment says: a word comes before another if the positions of the one do not begin nor end later, and are not
    /// the same. Of words of which neither does, that whose positions have the smaller mean comes first, but that counts
    /// half. Words with the same positions had better stay as they are, which counts next to nothing. Words without positions
    /// had better travel with the next word on their right that has some (those at the end with the last), which counts
    /// `unaligned`, at 0 nothing. O(words²).
    pub fn of_alignment(words: usize, alignment: &Alignment, unaligned: f64) -> Self {
        let own = positions(words, alignment);
        let mut all = own.clone();
        for word in (1..words).rev() {
            all[word - 1] = all[word - 1].or(all[word]);
        }
        for word in 1..words {
            all[word] = all[word].or(all[word - 1]);
        }
        let says = any_order(&own);
        Self::new(words, says, |first, second| {
            let (Some(one), Some(other)) = (all[first], all[second]) else { return [0.0; 2] };
            let [certain, slight] =
                if own[first].is_some() && own[second].is_some() { [1.0, SLIGHT] } else { [unaligned; 2] };
            match one.compare(other) {
                (Ordering::Less, cost) => [0.0, cost.min(certain)],
                (Ordering::Equal, _) => [0.0, slight],
                (Ordering::Greater, cost) => [cost.min(certain), 0.0],
            }
        })
    }

    /// Whether an alignment says which of any two words comes first: whether [`of_alignment`](Self::of_alignment) is not
    /// [empty](Self::is_empty). Linear, but for looking up links.
    pub fn is_said_by(words: usize, alignment: &Alignment) -> bool {
        any_order(&positions(words, alignment))
    }

    /// What a total order of some words says: their places; words without travel as they do in
    /// [`of_alignment`](Self::of_alignment). O(words²).
    pub fn of_places(places: &[Option<u32>], unaligned: f64) -> Self {
        let links = (0..).zip(places).filter_map(|(word, place)| Some(Link::new(word, (*place)?)));
        Self::of_alignment(places.len(), &links.collect(), unaligned)
    }

    fn new(words: usize, says: bool, cost: impl Fn(usize, usize) -> Pair) -> Self {
        let side = words + 1;
        let mut corner = vec![[0.0; 2]; side * side];
        for first in 0..words {
            let mut row = [0.0; 2];
            for second in 0..words {
                let cost = if first < second { cost(first, second) } else { [0.0; 2] };
                for label in 0..2 {
                    row[label] += cost[label];
                    corner[(first + 1) * side + second + 1][label] =
                        corner[first * side + second + 1][label] + row[label];
                }
            }
        }
        Self { side, says, corner }
    }

    /// The number of words.
    pub fn words(&self) -> usize {
        self.side.saturating_sub(1)
    }

    /// What is lost if a node keeps its two parts as they are, and if it exchanges them. Constant time.
    ///
    /// # Panics
    /// If the sentence has no such words.
    #[inline(always)]
    pub fn cost(&self, [begin, pivot, end]: [usize; 3]) -> [f64; 2] {
        self.between(begin..pivot, pivot..end)
    }

    /// What is lost if two words are left as they are, and if they are exchanged, whatever the others do; up to rounding.
    ///
    /// # Panics
    /// If the sentence has no such words.
    pub fn cost_of_pair(&self, first: usize, second: usize) -> [f64; 2] {
        self.between(first..first + 1, second..second + 1)
    }

    /// What is lost if the words of one stretch stay before those of another further right, and if they go behind them.
    /// Constant time.
    ///
    /// # Panics
    /// If the sentence has no such words.
    #[inline(always)]
    pub fn between(&self, first: Range<usize>, second: Range<usize>) -> [f64; 2] {
        let at = |first: usize, second: usize| self.corner[first * self.side + second];
        let (a, b) = (at(first.end, second.end), at(first.start, second.end));
        let (c, d) = (at(first.end, second.start), at(first.start, second.start));
        [a[0] - b[0] - c[0] + d[0], a[1] - b[1] - c[1] + d[1]]
    }

    /// Whether nothing certain is said of any two words.
    pub fn is_empty(&self) -> bool {
        !self.says
    }

    /// What an order loses in all. O(words²).
    ///
    /// # Panics
    /// If it is not of as many words.
    pub fn lost(&self, order: &Permutation) -> f64 {
        let places = order.places();
        let cost =
            |first: usize, second: usize| self.cost_of_pair(first, second)[usize::from(places[first] > places[second])];
        (0..places.len()).flat_map(|second| (0..second).map(move |first| cost(first, second))).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What a pair counts of which one has no positions.
    const SLIGHTEST: f64 = 0.001;

    /// Whether a pair in this order costs a whole point, half of one, or next to nothing.
    fn costs(links: &[(u32, u32)], words: usize, begin: usize, pivot: usize, end: usize) -> [f64; 2] {
        let links: Alignment = links.iter().map(|&(source, target)| Link::new(source, target)).collect();
        Precedence::of_alignment(words, &links, SLIGHTEST).cost([begin, pivot, end])
    }

    fn near(one: [f64; 2], other: [f64; 2]) -> bool {
        one.iter().zip(other).all(|(one, other)| (one - other).abs() < 1e-12)
    }

    #[test]
    fn pairs_cost_what_they_should() {
        assert!(near(costs(&[(0, 1), (1, 0)], 2, 0, 1, 2), [1.0, 0.0]));
        assert!(near(costs(&[(0, 0), (1, 0)], 2, 0, 1, 2), [0.0, SLIGHT]));
        // The positions of word 1 lie among those of word 0, whose mean is greater.
        assert!(near(costs(&[(0, 0), (0, 9), (1, 2)], 2, 0, 1, 2), [UNCERTAIN, 0.0]));
        // Word 0 has none, and travels with word 1, which comes behind word 2.
        assert!(near(costs(&[(1, 5), (2, 3)], 3, 0, 1, 2), [0.0, SLIGHTEST]));
        assert!(near(costs(&[(1, 5), (2, 3)], 3, 0, 2, 3), [1.0 + SLIGHTEST, 0.0]));
        assert!(Precedence::of_alignment(3, &[(0, 0)].into(), 1.0).is_empty());
        assert!(Precedence::of_alignment(0, &Alignment::new(), 1.0).is_empty());
    }

    proptest! {
        /// What an order loses is the sum over the nodes of a tree that makes it.
        #[test]
        fn losses_are_sums_over_nodes(
            links in prop::collection::btree_set((0u32..6, 0u32..6), 0..12),
            choices in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 5),
        ) {
            let links: Alignment = links.into_iter().map(|(source, target)| Link::new(source, target)).collect();
            let precedence = Precedence::of_alignment(6, &links, 0.25);
            let (mut spans, mut choices) = (vec![(0, 6)], choices.into_iter());
            let (mut lost, mut order) = (0.0, Vec::new());
            while let Some((begin, end)) = spans.pop() {
                if end - begin == 1 {
                    order.push(begin as u32);
                    continue;
                }
                let (index, inverted) = choices.next().unwrap();
                let pivot = begin + 1 + index.index(end - begin - 1);
                lost += precedence.cost([begin, pivot, end])[usize::from(inverted)];
                spans.extend(if inverted { [(begin, pivot), (pivot, end)] } else { [(pivot, end), (begin, pivot)] });
            }
            prop_assert!((precedence.lost(&Permutation::from_order(&order).unwrap()) - lost).abs() < 1e-9);
        }
    }
}
