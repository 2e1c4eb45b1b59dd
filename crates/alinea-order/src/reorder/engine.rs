//! What predicts an order, from what is known of a [`Sentence`].
//!
//! Engines that take time that grows fast with the words order a long sentence a stretch at a time, by `by_stretches`.

pub use super::sentence::{Layer, MOST_WORDS, Sentence, stretches};
use crate::error::Result;
use crate::permutation::Permutation;

/// Predicts orders. What was learned is immutable and shared; an engine is the buffers of one thread over it.
pub trait Engine {
    /// The place that each word of the sentence takes; an order of as many words as the sentence has.
    ///
    /// # Errors
    /// `Inconsistent` if the sentence lacks a layer that the engine was trained with.
    fn order(&mut self, sentence: &Sentence) -> Result<Permutation>;
}

/// Leaves sentences as they are: the baseline that every engine has to beat.
///
/// ```
/// use alinea::permutation::Permutation;
/// use alinea::reorder::{Engine, Identity, Sentence};
///
/// let sentence = Sentence::new(vec!["home".to_owned()]);
/// assert_eq!(Identity.order(&sentence)?, Permutation::identity(1));
/// # Ok::<(), alinea::error::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Identity;

impl Engine for Identity {
    fn order(&mut self, sentence: &Sentence) -> Result<Permutation> {
        Ok(Permutation::identity(sentence.len()))
    }
}

/// Orders a sentence a stretch at a time, in several ways at once: what is returned for each stretch are orders of its words.
pub(super) fn by_stretches<const WAYS: usize>(
    sentence: &Sentence,
    mut orders: impl FnMut(&Sentence) -> Result<[Vec<u32>; WAYS]>,
) -> Result<[Permutation; WAYS]> {
    let words = sentence.len();
    let mut whole: [Vec<u32>; WAYS] = std::array::from_fn(|_| Vec::with_capacity(words));
    for range in stretches(words) {
        let start = range.start as u32;
        let found = if range.len() == words { orders(sentence)? } else { orders(&sentence.stretch(range))? };
        for (whole, found) in whole.iter_mut().zip(found) {
            whole.extend(found.into_iter().map(|word| word + start));
        }
    }
    let mut permutations = [const { None }; WAYS];
    for (permutation, whole) in permutations.iter_mut().zip(&whole) {
        *permutation = Some(Permutation::from_order(whole)?);
    }
    Ok(permutations.map(Option::unwrap_or_default))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_of_stretches_are_put_together() {
        let words = |count: usize| Sentence::new((0..count).map(|word| word.to_string()).collect());
        let ways = |sentence: &Sentence| {
            let count = sentence.len() as u32;
            Ok([(0..count).collect(), (0..count).rev().collect()])
        };
        let [kept, turned] = by_stretches(&words(MOST_WORDS + 1), ways).unwrap();
        assert_eq!(kept, Permutation::identity(MOST_WORDS + 1));
        assert_eq!(turned.inverse().places()[..2], [66, 65]);
        assert_eq!(turned.inverse().places()[67..69], [133, 132]);
        let [_, turned] = by_stretches(&words(3), ways).unwrap();
        assert_eq!(turned.places(), [2, 1, 0]);
        let [nothing, _] = by_stretches(&words(0), ways).unwrap();
        assert!(nothing.is_empty());
        assert!(by_stretches(&words(2), |_| Ok([vec![0, 0]])).is_err());
    }
}
