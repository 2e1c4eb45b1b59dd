//! Column 7 of `.conll`, the *previous index*: a permutation as a linked list.
//!
//! The cell of a word is the number, from 1, of the word before it in the new order, and 0 for the first word: `0 3 1`
//! for *I going home* is the order *I home going*. Such a list of n numbers is a permutation if and only if the words
//! form one chain that begins at 0 and reaches all n.
//!
//! [`order_from_previous`] inverts the list to an array of successors. A number out of range, a word after itself
//! and a second successor of the same word show at once. The walk from 0 then gives the order; if it ends early, the
//! words that it did not reach form cycles, one of which is reported. [`previous_from_order`] is the inverse. Both are
//! linear.
//!
//! [`BrokenChain`] counts words from 0, its messages count from 1, as files do.

use std::fmt;

use crate::permutation::Permutation;

/// Words of a circle that a message names.
const SHOWN: usize = 8;

/// Why previous indices are no chain. Words count from 0 here, previous indices from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum BrokenChain {
    /// The index is not that of a word.
    Outside {
        /// The word that has it.
        word: u32,
        /// The number of words.
        words: u32,
    },
    /// The word comes after itself.
    Itself {
        /// The word.
        word: u32,
    },
    /// Another word comes after the same one, or first too.
    Twice {
        /// The second word.
        word: u32,
        /// The first one.
        first: u32,
        /// The index that both have.
        previous: u32,
    },
    /// Words follow each other in a circle, so that no chain reaches them.
    Circle {
        /// The words, each followed by the one that it comes after; at least two.
        words: Vec<u32>,
    },
}

impl BrokenChain {
    /// The word at which it shows.
    pub fn word(&self) -> u32 {
        match self {
            Self::Outside { word, .. } | Self::Itself { word } | Self::Twice { word, .. } => *word,
            Self::Circle { words } => words.first().copied().unwrap_or(0),
        }
    }

    /// The same for words that have these numbers in files, from 1.
    pub(super) fn numbered(self, numbers: &[u32]) -> Self {
        let of = |word: u32| numbers.get(word as usize).map_or(word, |number| number - 1);
        match self {
            Self::Outside { word, words } => Self::Outside { word: of(word), words },
            Self::Itself { word } => Self::Itself { word: of(word) },
            Self::Twice { word, first, previous: 0 } => Self::Twice { word: of(word), first: of(first), previous: 0 },
            Self::Twice { word, first, previous } => {
                Self::Twice { word: of(word), first: of(first), previous: of(previous - 1) + 1 }
            }
            Self::Circle { words } => Self::Circle { words: words.into_iter().map(of).collect() },
        }
    }
}

/// Says what should be there; words are named as in files, from 1.
impl fmt::Display for BrokenChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outside { words, .. } => {
                write!(f, "the index of the word before in the new order, from 0 to {words}")
            }
            Self::Itself { .. } => f.write_str("the index of another word than this one"),
            Self::Twice { first, previous: 0, .. } => {
                write!(f, "one word that comes first (index 0), but word {} does already", first + 1)
            }
            Self::Twice { first, previous, .. } => {
                write!(f, "one word after word {previous}, but word {} comes there already", first + 1)
            }
            Self::Circle { words } => {
                f.write_str("one chain over all words, but words ")?;
                for word in words.iter().take(SHOWN) {
                    write!(f, "{} ← ", word + 1)?;
                }
                if words.len() > SHOWN {
                    f.write_str("… ← ")?;
                }
                write!(f, "{} form a cycle", self.word() + 1)
            }
        }
    }
}

impl std::error::Error for BrokenChain {}

/// The place of each word, from the index, counted from 1, of the word before it; 0 for the first word. Linear.
///
/// ```
/// use alinea::format::rsmt::{BrokenChain, order_from_previous};
///
/// assert_eq!(order_from_previous(&[0, 3, 1])?.inverse().places(), [0, 2, 1]);
/// assert_eq!(order_from_previous(&[2, 1]), Err(BrokenChain::Circle { words: vec![0, 1] }));
/// # Ok::<(), BrokenChain>(())
/// ```
///
/// # Errors
/// What makes it no chain over all words.
pub fn order_from_previous(previous: &[u32]) -> Result<Permutation, BrokenChain> {
    let words = previous.len() as u32;
    // The word that comes first, and the word after each word.
    let mut next: Vec<Option<u32>> = vec![None; previous.len() + 1];
    for (word, &index) in (0..).zip(previous) {
        match next.get_mut(index as usize) {
            None => return Err(BrokenChain::Outside { word, words }),
            Some(_) if index == word + 1 => return Err(BrokenChain::Itself { word }),
            Some(Some(first)) => return Err(BrokenChain::Twice { word, first: *first, previous: index }),
            Some(free) => *free = Some(word),
        }
    }
    let mut order = Vec::with_capacity(previous.len());
    let mut at = 0;
    while let Some(word) = next[at].take() {
        order.push(word);
        at = word as usize + 1;
    }
    if order.len() < previous.len() {
        // What was not reached is followed by something that was not reached either: circles.
        let start = next.iter().flatten().min().copied().unwrap_or(0);
        let circle = std::iter::successors(Some(start), |&word| {
            let before = previous[word as usize] - 1;
            (before != start).then_some(before)
        });
        return Err(BrokenChain::Circle { words: circle.collect() });
    }
    Ok(Permutation::of_order(&order))
}

/// Column 7 for an order: for each word the index, counted from 1, of the word before it; 0 for the first word. Linear.
///
/// ```
/// use alinea::format::rsmt::previous_from_order;
/// use alinea::permutation::Permutation;
///
/// let order = Permutation::from_order(&[0, 2, 1])?;
/// assert_eq!(previous_from_order(&order), [0, 3, 1]);
/// # Ok::<(), alinea::error::Error>(())
/// ```
pub fn previous_from_order(order: &Permutation) -> Vec<u32> {
    let mut previous = vec![0; order.len()];
    for pair in order.inverse().places().windows(2) {
        previous[pair[1] as usize] = pair[0] + 1;
    }
    previous
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn messages_name_words_as_files_do() {
        let message = |previous: &[u32]| order_from_previous(previous).unwrap_err().to_string();
        assert_eq!(message(&[0, 5]), "the index of the word before in the new order, from 0 to 2");
        assert_eq!(message(&[0, 2]), "the index of another word than this one");
        assert_eq!(message(&[0, 0]), "one word that comes first (index 0), but word 1 does already");
        assert_eq!(message(&[0, 1, 1]), "one word after word 1, but word 2 comes there already");
        assert_eq!(message(&[0, 3, 2]), "one chain over all words, but words 2 ← 3 ← 2 form a cycle");
        let long: Vec<u32> = (0..12).map(|word| (word + 1) % 12 + 1).collect();
        assert!(message(&long).ends_with("but words 1 ← 2 ← 3 ← 4 ← 5 ← 6 ← 7 ← 8 ← … ← 1 form a cycle"));
    }

    proptest! {
        #[test]
        fn orders_come_back(values in prop::collection::vec(any::<u32>(), 0..40)) {
            let order = Permutation::ranks(&values);
            prop_assert_eq!(order_from_previous(&previous_from_order(&order)), Ok(order));
        }

        /// Of all lists of indices those are chains that come from an order: n! of (n + 1)^n.
        #[test]
        fn what_is_accepted_is_a_chain(previous in prop::collection::vec(0u32..6, 0..6)) {
            match order_from_previous(&previous) {
                Ok(order) => prop_assert_eq!(previous_from_order(&order), previous),
                Err(broken) => prop_assert!((broken.word() as usize) < previous.len()),
            }
        }
    }
}
