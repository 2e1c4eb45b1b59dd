//! Sentences as they are judged: the words that have links, and their order among themselves.
//!
//! Scores are of the *kept* words alone. They count from 0 among each other, in the gold order, in the ranks, and in the order
//! that is judged ([`KeptOrder::of_whole`]).
//!
//! ```
//! use alinea::permutation::Permutation;
//! use alinea::reorder::kept::KeptOrder;
//! use alinea::reorder::{Incomparable, Key};
//!
//! // I am going home = मैं घर जा रहा हूँ: `am` has no link.
//! let gold = KeptOrder::of_alignment(4, &[(0, 0), (2, 2), (3, 1)].into(), Key::Mean, Incomparable::Skip);
//! assert_eq!(gold.kept, [0, 2, 3]);
//! assert_eq!(gold.order, [0, 2, 1]);
//! // home am going I
//! assert_eq!(gold.of_whole(&Permutation::from_order(&[3, 1, 2, 0])?), [2, 1, 0]);
//! # Ok::<(), alinea::error::Error>(())
//! ```

use super::oracle::{Key, Unaligned, gold_order};
use super::ranks::{Incomparable, Ranks, Skipped};
use crate::alignment::{Alignment, Link};
use crate::permutation::Permutation;

/// What is right of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptOrder {
    /// The kept words, as places in the whole sentence, ascending.
    pub kept: Vec<u32>,
    /// Their gold order, as places among the kept words.
    pub order: Vec<u32>,
    /// Their ranks, or why there are none.
    pub ranks: Result<Ranks, Skipped>,
}

impl KeptOrder {
    /// What an alignment of a sentence of so many words tells; links of other words do not count. O(links · log links).
    pub fn of_alignment(words: usize, links: &Alignment, key: Key, incomparable: Incomparable) -> Self {
        let gold = gold_order(words, links, key, Unaligned::Drop);
        let kept = gold.kept();
        // The same links, from places among the kept words.
        let local = (0..).zip(&kept).flat_map(|(place, &word)| {
            links.of_source(word).iter().map(move |link| Link { source: place, target: link.target })
        });
        let ranks = Ranks::of_alignment(kept.len(), &local.collect(), incomparable);
        let order = among(&kept, gold.words());
        Self { kept, order, ranks }
    }

    /// The kept words in the order that a whole sentence is put into, as places among the kept words.
    pub fn of_whole(&self, order: &Permutation) -> Vec<u32> {
        among(&self.kept, order.inverse().places())
    }
}

/// The kept ones of some words, as places among them.
fn among(kept: &[u32], words: &[u32]) -> Vec<u32> {
    words.iter().filter_map(|word| kept.binary_search(word).ok().map(|place| place as u32)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_of_kept_words_too() {
        let gold = KeptOrder::of_alignment(5, &[(1, 3), (2, 3), (4, 0)].into(), Key::Mean, Incomparable::Skip);
        assert_eq!(gold.kept, [1, 2, 4]);
        assert_eq!(gold.order, [2, 0, 1]);
        assert_eq!(gold.ranks.unwrap().ranks(), [Some(1), Some(1), Some(0)]);
    }

    #[test]
    fn words_linked_around_others_have_an_order_but_no_ranks() {
        let links = [(0, 1), (2, 0), (2, 2)].into();
        let gold = KeptOrder::of_alignment(3, &links, Key::Min, Incomparable::Skip);
        assert_eq!(gold.order, [1, 0]);
        assert_eq!(gold.ranks, Err(Skipped::Incomparable { first: 0, second: 1 }));
        assert!(KeptOrder::of_alignment(3, &links, Key::Min, Incomparable::Merge).ranks.is_ok());
        assert_eq!(
            KeptOrder::of_alignment(2, &Alignment::new(), Key::Mean, Incomparable::Skip).ranks,
            Err(Skipped::Unaligned)
        );
    }
}
