//! Permutations: words in another order.
//!
//! A [`Permutation`] says for each of n words which place it takes, all from 0. Its [inverse](Permutation::inverse) is the
//! *order*: which word stands at each place. Two orders of the same words are compared by one permutation, that of the
//! places which the words of the first, as they come, have in the second ([`Permutation::seen_from`]): if the orders are
//! the same it is the identity.
//!
//! ```
//! use alinea::permutation::Permutation;
//!
//! // `going I home` out of `I am going home` without `am`: word 1 first, then 0, then 2.
//! let order = Permutation::from_order(&[1, 0, 2])?;
//! assert_eq!(order.places(), [1, 0, 2]);
//! let gold = Permutation::from_order(&[0, 2, 1])?;
//! assert_eq!(order.seen_from(&gold)?.places(), [2, 0, 1]);
//! # Ok::<(), alinea::error::Error>(())
//! ```

use crate::alignment::Alignment;
use crate::error::{ErrorKind, Result};

/// What stands in a place that no word has taken yet.
const FREE: u32 = u32::MAX;

/// Slices that are sorted by insertion.
const SHORT: usize = 16;

/// The place of each word, each of 0 to n - 1 once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Permutation {
    places: Vec<u32>,
}

impl Permutation {
    /// Every word in its own place.
    pub fn identity(words: usize) -> Self {
        Self { places: (0..words as u32).collect() }
    }

    /// From the place of each word.
    ///
    /// # Errors
    /// `Inconsistent` if a place is outside, or taken twice.
    pub fn from_places(places: Vec<u32>) -> Result<Self> {
        inverse(&places)?;
        Ok(Self { places })
    }

    /// From the word at each place.
    ///
    /// # Errors
    /// As [`from_places`](Self::from_places).
    pub fn from_order(order: &[u32]) -> Result<Self> {
        Ok(Self { places: inverse(order)? })
    }

    /// From the word at each place, where that is known to be an order.
    pub(crate) fn of_order(order: &[u32]) -> Self {
        let mut places = vec![FREE; order.len()];
        for (place, &word) in order.iter().enumerate() {
            debug_assert_eq!(places[word as usize], FREE, "each word once");
            places[word as usize] = place as u32;
        }
        Self { places }
    }

    /// The order of the values: the smallest is at place 0; of equal ones the first comes first. O(n log n).
    ///
    /// ```
    /// use alinea::permutation::Permutation;
    ///
    /// assert_eq!(Permutation::ranks(&[7, 2, 9, 2]).places(), [2, 0, 3, 1]);
    /// ```
    pub fn ranks<T: Ord>(values: &[T]) -> Self {
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by_key(|&word| &values[word]);
        let mut places = vec![0; values.len()];
        for (place, word) in order.into_iter().enumerate() {
            places[word] = place as u32;
        }
        Self { places }
    }

    /// The order in which an alignment has the words of the source, as Birch and Osborne (2011, *Reordering Metrics for
    /// MT*, section 3.1) make it: a word stands where its first link leads, a word without link where the word before it
    /// stands (the first of the sentence: at 0), and what falls together keeps the order of the source. Links of other
    /// words than the `words` first ones do not count. O(n log n + links).
    ///
    /// ```
    /// use alinea::permutation::Permutation;
    ///
    /// assert_eq!(Permutation::of_alignment(3, &[(0, 1), (0, 5), (2, 0)].into()).places(), [1, 2, 0]);
    /// ```
    pub fn of_alignment(words: usize, alignment: &Alignment) -> Self {
        let mut firsts = vec![None; words];
        for link in alignment.iter() {
            if let Some(first @ None) = firsts.get_mut(link.source as usize) {
                *first = Some(link.target);
            }
        }
        let mut before = 0;
        let targets: Vec<u32> = firsts
            .into_iter()
            .map(|first| {
                before = first.unwrap_or(before);
                before
            })
            .collect();
        Self::ranks(&targets)
    }

    /// The place of each word.
    pub fn places(&self) -> &[u32] {
        &self.places
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Places and words exchanged: the word at each place.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut order = vec![0; self.len()];
        for (word, &place) in self.places.iter().enumerate() {
            order[place as usize] = word as u32;
        }
        Self { places: order }
    }

    /// The places that the words, in this order, have in another.
    ///
    /// # Errors
    /// `Inconsistent` if these are orders of different numbers of words.
    pub fn seen_from(&self, other: &Self) -> Result<Self> {
        if self.len() != other.len() {
            let message = format!("orders of {} and of {} words cannot be compared", self.len(), other.len());
            return Err(ErrorKind::Inconsistent(message).into());
        }
        Ok(self.relative_to(other))
    }

    /// The same, for orders that are known to be of as many words.
    #[doc(hidden)]
    #[must_use]
    pub fn relative_to(&self, other: &Self) -> Self {
        debug_assert_eq!(self.len(), other.len(), "the same words");
        let mut places = vec![0; self.len()];
        for (&here, &there) in self.places.iter().zip(&other.places) {
            places[here as usize] = there;
        }
        Self { places }
    }
}

/// Where each value stands.
fn inverse(values: &[u32]) -> Result<Vec<u32>> {
    let mut at = vec![FREE; values.len()];
    for (position, &value) in values.iter().enumerate() {
        match at.get_mut(value as usize) {
            Some(free) if *free == FREE => *free = position as u32,
            Some(_) => {
                return Err(ErrorKind::Inconsistent(format!("{value} occurs twice in a permutation")).into());
            }
            None => {
                let message = format!("{value} is outside a permutation of 0 to {}", values.len() - 1);
                return Err(ErrorKind::Inconsistent(message).into());
            }
        }
    }
    Ok(at)
}

/// How many pairs of values rise: of a smaller one and a greater one after it. Sorts the values. O(n log n).
///
/// ```
/// use alinea::permutation::rising_pairs;
///
/// let mut values = [2, 1, 0, 3];
/// assert_eq!(rising_pairs(&mut values, &mut Vec::new()), 3);
/// assert_eq!(values, [0, 1, 2, 3]);
/// ```
pub fn rising_pairs(values: &mut [u32], scratch: &mut Vec<u32>) -> u64 {
    if values.len() <= SHORT {
        return rising_by_insertion(values);
    }
    let middle = values.len() / 2;
    let (left, right) = values.split_at_mut(middle);
    let mut rising = rising_pairs(left, scratch) + rising_pairs(right, scratch);
    scratch.clear();
    scratch.extend_from_slice(left);
    let mut smaller = 0;
    let mut next = middle;
    for place in 0..values.len() {
        let from_left = next == values.len() || smaller < middle && scratch[smaller] < values[next];
        if from_left {
            values[place] = scratch[smaller];
            smaller += 1;
        } else {
            values[place] = values[next];
            rising += smaller as u64;
            next += 1;
        }
    }
    rising
}

fn rising_by_insertion(values: &mut [u32]) -> u64 {
    let mut rising = 0;
    for end in 1..values.len() {
        let value = values[end];
        let mut place = end;
        while place > 0 && values[place - 1] >= value {
            values[place] = values[place - 1];
            place -= 1;
        }
        values[place] = value;
        rising += place as u64;
    }
    rising
}

/// The length of the longest sequence of values that rises from each to the next, which need not be neighbors. By patience
/// sorting, O(n log n).
///
/// ```
/// assert_eq!(alinea::permutation::longest_rising([3, 0, 4, 1, 2]), 3);
/// ```
pub fn longest_rising(values: impl IntoIterator<Item = u32>) -> usize {
    // The smallest last value of a rising sequence of each length.
    let mut lasts: Vec<u32> = Vec::new();
    for value in values {
        let length = lasts.partition_point(|&last| last < value);
        match lasts.get_mut(length) {
            Some(last) => *last = value,
            None => lasts.push(value),
        }
    }
    lasts.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_no_permutation_is_refused() {
        let message = |values: &[u32]| Permutation::from_order(values).unwrap_err().to_string();
        assert_eq!(message(&[0, 2, 2]), "2 occurs twice in a permutation");
        assert_eq!(message(&[0, 3, 1]), "3 is outside a permutation of 0 to 2");
        assert_eq!(Permutation::from_places(vec![1]).unwrap_err().to_string(), "1 is outside a permutation of 0 to 0");
        let error = Permutation::identity(2).seen_from(&Permutation::identity(3)).unwrap_err();
        assert_eq!(error.to_string(), "orders of 2 and of 3 words cannot be compared");
        assert!(Permutation::from_order(&[]).expect("no words").is_empty());
    }

    proptest! {
        #[test]
        fn pairs_are_counted_as_by_definition(mut values in prop::collection::vec(0u32..30, 0..90)) {
            let pairs = (0..values.len()).flat_map(|i| (i + 1..values.len()).map(move |j| (i, j)));
            let expected = pairs.filter(|&(i, j)| values[i] < values[j]).count() as u64;
            let mut sorted = values.clone();
            sorted.sort_unstable();
            prop_assert_eq!(rising_pairs(&mut values, &mut Vec::new()), expected);
            prop_assert_eq!(values, sorted);
        }

        #[test]
        fn the_inverse_of_the_inverse_is_the_permutation(values in prop::collection::vec(any::<u32>(), 0..40)) {
            let permutation = Permutation::ranks(&values);
            let inverse = permutation.inverse();
            prop_assert_eq!(&inverse.inverse(), &permutation);
            prop_assert_eq!(&Permutation::from_order(inverse.places()).expect("an order"), &permutation);
            let identity = Permutation::identity(values.len());
            prop_assert_eq!(&permutation.seen_from(&permutation).expect("one length"), &identity);
            prop_assert_eq!(permutation.seen_from(&identity).expect("one length"), inverse);
        }
    }
}
