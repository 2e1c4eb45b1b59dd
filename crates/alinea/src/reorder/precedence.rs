//! Which of two words comes first, and how much is lost where a node of a tree has them the other way round.
//!
//! Every two words of a sentence are on different sides of exactly one node of a binary tree over it. So what an order loses
//! against a gold standard, pair by pair, is a sum over nodes, and each term a sum over the rectangle of the pairs between the two parts.
//! With sums of all rectangles from the corner it takes four additions.

use std::ops::Range;

use crate::alignment::Alignment;
use crate::permutation::Permutation;

/// If left as they are, and if exchanged.
type Pair = [f64; 2];

/// What a pair counts whose words are linked around each other: less than one that is certain.
const UNCERTAIN: f64 = 0.5;

/// What it costs to exchange words that any order is right for: little, but gold orders have the source's.
const TIE: f64 = 0.02;

/// For all pairs of words what it costs to leave them as they are, and what to exchange them.
#[derive(Debug, Clone, Default)]
pub struct Precedence {
    side: usize,
    /// Sums over first words below, and second words below.
    corner: Vec<Pair>,
}

impl Precedence {
    /// What an alignment says: a word comes before another if the positions of the one do not begin nor end later, and are not
    /// the same. Of words of which neither does, that whose positions have the smaller mean comes first, but that counts
    /// [half](UNCERTAIN). O(words²).
    pub fn of_alignment(words: usize, alignment: &Alignment) -> Self {
        let links = |word: usize| alignment.of_source(word as u32);
        let intervals: Vec<Option<(u32, u32)>> =
            (0..words).map(|word| Some((links(word).first()?.target, links(word).last()?.target))).collect();
        // The sum of the positions, and their number.
        let sums: Vec<(u64, u64)> = (0..words)
            .map(|word| (links(word).iter().map(|link| u64::from(link.target)).sum(), links(word).len() as u64))
            .collect();
        Self::new(words, |first, second| {
            let (Some(one), Some(other)) = (intervals[first], intervals[second]) else { return [0.0; 2] };
            if one.0 <= other.0 && one.1 <= other.1 || one.0 >= other.0 && one.1 >= other.1 {
                return match one.cmp(&other) {
                    std::cmp::Ordering::Less => [0.0, 1.0],
                    std::cmp::Ordering::Equal => [0.0, TIE],
                    std::cmp::Ordering::Greater => [1.0, 0.0],
                };
            }
            let difference = sums[first].0 * sums[second].1;
            let [kept, exchanged] = match difference.cmp(&(sums[second].0 * sums[first].1)) {
                std::cmp::Ordering::Greater => [UNCERTAIN, 0.0],
                std::cmp::Ordering::Less => [0.0, UNCERTAIN],
                std::cmp::Ordering::Equal => [0.0, 0.0],
            };
            [kept, exchanged]
        })
    }

    /// What a total order of some words says: their places, nothing of words without. O(words²).
    pub fn of_places(places: &[Option<u32>]) -> Self {
        Self::new(places.len(), |first, second| match (places[first], places[second]) {
            (Some(one), Some(other)) => [f64::from(u8::from(one > other)), f64::from(u8::from(one < other))],
            _ => [0.0; 2],
        })
    }

    fn new(words: usize, cost: impl Fn(usize, usize) -> Pair) -> Self {
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
        Self { side, corner }
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
        let at = |first: usize, second: usize| self.corner[first * self.side + second];
        let (a, b, c, d) = (at(pivot, end), at(begin, end), at(pivot, pivot), at(begin, pivot));
        [a[0] - b[0] - c[0] + d[0], a[1] - b[1] - c[1] + d[1]]
    }

    /// What is lost if the words of one stretch stay before those of another further right, and if they go behind them.
    /// Constant time.
    ///
    /// # Panics
    /// If the sentence has no such words.
    pub fn between(&self, first: Range<usize>, second: Range<usize>) -> [f64; 2] {
        let at = |first: usize, second: usize| self.corner[first * self.side + second];
        let (a, b) = (at(first.end, second.end), at(first.start, second.end));
        let (c, d) = (at(first.end, second.start), at(first.start, second.start));
        [a[0] - b[0] - c[0] + d[0], a[1] - b[1] - c[1] + d[1]]
    }

    /// Whether anything is said of any two words.
    pub fn is_empty(&self) -> bool {
        self.corner.last().is_none_or(|&[kept, exchanged]| kept + exchanged <= 0.0)
    }

    /// What an order loses in all. O(words²).
    ///
    /// # Panics
    /// If it is not of as many words.
    pub fn lost(&self, order: &Permutation) -> f64 {
        let places = order.places();
        let cost = |first: usize, second: usize| {
            let at = |first: usize, second: usize| self.corner[first * self.side + second];
            let label = usize::from(places[first] > places[second]);
            at(first + 1, second + 1)[label] - at(first, second + 1)[label] - at(first + 1, second)[label]
                + at(first, second)[label]
        };
        (0..places.len()).flat_map(|second| (0..second).map(move |first| cost(first, second))).sum()
    }
}
