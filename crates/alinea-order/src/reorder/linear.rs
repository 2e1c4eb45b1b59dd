//! Linear ordering: the order in which words best stand before each other (Tromble and Eisner 2009, *Learning Linear Ordering
//! Problems for Better Translation*).
//!
//! `B[l][r]` is what is gained when `l` stands somewhere before `r`; an order scores the sum over all pairs. The best order is
//! hard to find, but the best of an exponential neighborhood is not: of all orders that a binary tree over the present one
//! makes, whose nodes keep their two parts or exchange them. With `gain(i, j, k)` for exchanging the words from `i` to `j`
//! with those from `j` to `k`,
//!
//! ```text
//! best(i, k) = max over j of best(i, j) + best(j, k) + max(0, gain(i, j, k))        best(i, i + 1) = 0
//! ```
//!
//! A gain is a sum over a rectangle of `B[π_r][π_l] - B[π_l][π_r]`, so that sums of all rectangles from the corner give each in
//! a few additions: O(n³) time, O(n²) memory. [`search`] steps from neighborhood to neighborhood while the score grows.
//!
//! ```
//! use alinea::reorder::linear::{Preferences, search};
//!
//! // Word 1 would rather stand before word 0.
//! let preferences = Preferences::new(3, vec![0.0, 1.0, 0.5, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0])?;
//! let order = search(&preferences, vec![0, 1, 2]);
//! assert_eq!(order, [1, 0, 2]);
//! assert_eq!(preferences.score(&order), 3.5);
//! # Ok::<(), alinea::error::Error>(())
//! ```

use crate::error::{ErrorKind, Result};

/// What is gained when one word stands before another, for each pair of the words of a sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct Preferences {
    words: usize,
    gains: Vec<f64>,
}

impl Preferences {
    /// Of `words` words, row by row: what is gained when the word of the row stands before that of the column.
    ///
    /// # Errors
    /// `Inconsistent` if there are not `words`² numbers, or not all are finite.
    pub fn new(words: usize, gains: Vec<f64>) -> Result<Self> {
        square(words, &gains)?;
        Ok(Self { words, gains })
    }

    /// The number of words.
    pub fn words(&self) -> usize {
        self.words
    }

    /// What is gained when `left` stands before `right`.
    ///
    /// # Panics
    /// If there is no such word.
    pub fn gain(&self, left: u32, right: u32) -> f64 {
        self.gains[left as usize * self.words + right as usize]
    }

    /// The score of an order: of all pairs of words, the first before the second. O(n²).
    ///
    /// # Panics
    /// If it names a word that there is not.
    pub fn score(&self, order: &[u32]) -> f64 {
        let pairs = order
            .iter()
            .enumerate()
            .flat_map(|(place, &left)| order[place + 1..].iter().map(move |&right| (left, right)));
        pairs.map(|(left, right)| self.gain(left, right)).sum()
    }
}

/// Refuses what is no square of finite numbers.
pub(super) fn square(side: usize, numbers: &[f64]) -> Result<()> {
    if side.checked_mul(side) != Some(numbers.len()) {
        let message = format!("{} numbers do not make a square with {side} on each side", numbers.len());
        return Err(ErrorKind::Inconsistent(message).into());
    }
    match numbers.iter().find(|number| !number.is_finite()) {
        None => Ok(()),
        Some(number) => Err(ErrorKind::Inconsistent(format!("{number} among scores of orders")).into()),
    }
}

/// What is gained by exchanging two neighboring stretches of an order.
#[derive(Debug, Default)]
pub(super) struct ExchangeGains {
    side: usize,
    /// Sums over the places l < i and r < k, from the corner.
    corner: Vec<f64>,
}

impl ExchangeGains {
    /// Those of an order. O(n²).
    pub(super) fn fill(&mut self, preferences: &Preferences, order: &[u32]) {
        let side = order.len() + 1;
        self.side = side;
        self.corner.clear();
        self.corner.resize(side * side, 0.0);
        let corner = &mut self.corner;
        for i in 1..side {
            for k in 1..side {
                let (left, right) = (order[i - 1], order[k - 1]);
                let change = preferences.gain(right, left) - preferences.gain(left, right);
                corner[i * side + k] =
                    change + corner[(i - 1) * side + k] + corner[i * side + k - 1] - corner[(i - 1) * side + k - 1];
            }
        }
    }

    /// What is gained by exchanging the words from `i` to `j` with those from `j` to `k`.
    #[inline(always)]
    pub(super) fn of(&self, i: usize, j: usize, k: usize) -> f64 {
        let at = |row: usize, column: usize| self.corner[row * self.side + column];
        at(j, k) - at(i, k) - at(j, j) + at(i, j)
    }
}

/// The best order of the neighborhood: of all that binary trees over `order` make. Of equally good ones the first found
/// counts: earlier splits, and parts that stay as they are. O(n³).
///
/// # Panics
/// If the order names a word that there is not.
pub fn best_neighbor(preferences: &Preferences, order: &[u32]) -> Vec<u32> {
    let n = order.len();
    if n < 2 {
        return order.to_vec();
    }
    let side = n + 1;
    let mut gains = ExchangeGains::default();
    gains.fill(preferences, order);
    let mut best = vec![0.0; side * side];
    let mut split = vec![(0, false); side * side];
    for length in 2..=n {
        for i in 0..=n - length {
            let k = i + length;
            let mut found = f64::NEG_INFINITY;
            for j in i + 1..k {
                let gain = gains.of(i, j, k);
                let total = best[i * side + j] + best[j * side + k] + gain.max(0.0);
                if total > found {
                    found = total;
                    split[i * side + k] = (j, gain > 0.0);
                }
            }
            best[i * side + k] = found;
        }
    }
    let mut neighbor = Vec::with_capacity(n);
    let mut spans = vec![(0, n)];
    while let Some((i, k)) = spans.pop() {
        if k - i == 1 {
            neighbor.push(order[i]);
            continue;
        }
        let (j, exchanged) = split[i * side + k];
        // What is pushed last comes first.
        let parts = if exchanged { [(i, j), (j, k)] } else { [(j, k), (i, j)] };
        spans.extend(parts);
    }
    neighbor
}

/// Steps to the best neighbor while the score grows. O(n³) a step; one or two are the rule, and from the order of the source
/// the first finds the best of all orders that a binary tree reaches.
///
/// # Panics
/// If the order names a word that there is not.
pub fn search(preferences: &Preferences, start: Vec<u32>) -> Vec<u32> {
    let mut order = start;
    let mut score = preferences.score(&order);
    loop {
        let neighbor = best_neighbor(preferences, &order);
        let next = preferences.score(&neighbor);
        // Scores are computed the same way each time, so they cannot grow for ever.
        if next <= score {
            return order;
        }
        (order, score) = (neighbor, next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bad_numbers_are_refused() {
        let message = |words, gains| Preferences::new(words, gains).unwrap_err().to_string();
        assert_eq!(message(2, vec![0.0; 3]), "3 numbers do not make a square with 2 on each side");
        assert_eq!(message(1, vec![f64::NAN]), "NaN among scores of orders");
        assert!(best_neighbor(&Preferences::new(0, vec![]).unwrap(), &[]).is_empty());
    }

    /// All orders that binary trees over this one make.
    fn neighborhood(order: &[u32]) -> Vec<Vec<u32>> {
        if order.len() < 2 {
            return vec![order.to_vec()];
        }
        let mut all = Vec::new();
        for split in 1..order.len() {
            for left in neighborhood(&order[..split]) {
                for right in neighborhood(&order[split..]) {
                    all.push([&left[..], &right].concat());
                    all.push([&right[..], &left].concat());
                }
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    proptest! {
        /// Whole numbers, so that sums are exact.
        #[test]
        fn the_neighbor_is_the_best_of_all(
            gains in prop::collection::vec(-9i32..10, 25),
            words in 1usize..6,
        ) {
            let gains = gains[..words * words].iter().map(|&gain| f64::from(gain)).collect();
            let preferences = Preferences::new(words, gains).unwrap();
            let order: Vec<u32> = (0..words as u32).rev().collect();
            let best = neighborhood(&order).iter().map(|order| preferences.score(order)).fold(f64::MIN, f64::max);
            prop_assert!((preferences.score(&best_neighbor(&preferences, &order)) - best).abs() < 1e-9);
            let found = search(&preferences, order);
            prop_assert!(preferences.score(&found) >= best);
            prop_assert_eq!(search(&preferences, found.clone()), found);
        }
    }
}
