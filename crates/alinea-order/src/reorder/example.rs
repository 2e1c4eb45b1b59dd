//! Training examples: sentences with what is known of their order.
//!
//! An `Example` has links to a translation, or places: for each word its position in the gold order, or none. Places
//! are taken for links to these positions. From either follow, when they are asked for, the three forms of a gold order
//! that learners use: `precedence`, which of two words comes first and with which weight; `ranks`, the partial order of
//! Nakagawa's program, which some sentences do not have; and `order`, the words with links sorted by the mean of their
//! linked positions.
//!
//! Long sentences are learned from in pieces. `shuffled` is the order of the examples in a pass; it depends on the
//! number of examples and the number of the pass only, so that training gives the same model every time.

use std::borrow::Cow;
use std::num::NonZeroU64;
use std::ops::Range;

use super::engine::{Layer, Sentence, stretches};
use super::kept::KeptOrder;
use super::oracle::{Key, Unaligned, gold_order};
use super::precedence::Precedence;
use super::ranks::{Incomparable, Ranks, Skipped};
use super::scores::{Case, Counter, SentenceCounts};
use crate::alignment::{Alignment, Link};
use crate::error::{Error, ErrorKind, Result};
use crate::numeric::Generator;
use crate::permutation::Permutation;

/// A sentence to learn from.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    sentence: Sentence,
    gold: Gold,
}

#[derive(Debug, Clone, PartialEq)]
enum Gold {
    Links(Alignment),
    Places(Vec<Option<u32>>),
}

impl Example {
    /// With links to its translation.
    ///
    /// # Errors
    /// `Inconsistent` if a link leaves the sentence.
    pub fn of_links(sentence: Sentence, links: Alignment) -> Result<Self> {
        let words = sentence.len();
        if let Some(link) = links.iter().find(|link| link.source as usize >= words) {
            let message = format!("a link from word {} of a sentence of {words}", link.source);
            return Err(ErrorKind::Inconsistent(message).into());
        }
        Ok(Self { sentence, gold: Gold::Links(links) })
    }

    /// With the places of some of its words among these in the gold order.
    ///
    /// # Errors
    /// `Inconsistent` if there are not as many as words.
    pub fn of_places(sentence: Sentence, places: Vec<Option<u32>>) -> Result<Self> {
        if places.len() != sentence.len() {
            let message = format!("{} places for a sentence of {} words", places.len(), sentence.len());
            return Err(ErrorKind::Inconsistent(message).into());
        }
        Ok(Self { sentence, gold: Gold::Places(places) })
    }

    /// The sentence.
    pub fn sentence(&self) -> &Sentence {
        &self.sentence
    }

    /// The same with more known of the sentence, or less.
    #[must_use]
    pub(super) fn with_sentence(mut self, sentence: Sentence) -> Self {
        debug_assert_eq!(sentence.len(), self.sentence.len(), "the same words");
        self.sentence = sentence;
        self
    }

    /// Which words come before which; pairs with a word that has no place count `unaligned`
    /// ([`Precedence::of_alignment`]).
    pub fn precedence(&self, unaligned: f64) -> Precedence {
        match &self.gold {
            Gold::Links(links) => Precedence::of_alignment(self.sentence.len(), links, unaligned),
            Gold::Places(places) => Precedence::of_places(places, unaligned),
        }
    }

    /// Whether it is known of any two words which comes first. Takes no room for all pairs, as [`precedence`](Self::precedence)
    /// does.
    pub(super) fn says(&self) -> bool {
        match &self.gold {
            Gold::Links(links) => Precedence::is_said_by(self.sentence.len(), links),
            Gold::Places(places) => Precedence::is_said_by(places.len(), &links_to(places)),
        }
    }

    /// The words that have a place, in the gold order: by the mean position of what they are linked to.
    pub fn order(&self) -> Vec<u32> {
        gold_order(self.sentence.len(), &self.links(), Key::Mean, Unaligned::Drop).words().to_vec()
    }

    fn links(&self) -> Alignment {
        match &self.gold {
            Gold::Links(links) => links.clone(),
            Gold::Places(places) => links_to(places),
        }
    }

    /// [`precedence`](Self::precedence) as ranks, as Nakagawa's program makes them.
    ///
    /// # Errors
    /// Why there are none.
    pub fn ranks(&self) -> Result<Ranks, Skipped> {
        match &self.gold {
            Gold::Links(links) => Ranks::of_target_sets(self.sentence.len(), links),
            Gold::Places(places) => Ranks::of_target_sets(self.sentence.len(), &links_to(places)),
        }
    }

    /// What is counted of an order of the sentence's words, by place, against what is known; nothing where no word has a place.
    ///
    /// # Errors
    /// `Inconsistent` if it is not of as many words.
    pub fn judged(&self, order: &Permutation, counter: &mut Counter<'_>) -> Result<SentenceCounts> {
        let links = self.links();
        let gold = KeptOrder::of_alignment(self.sentence.len(), &links, Key::Mean, Incomparable::Skip);
        if gold.kept.is_empty() {
            return Ok(SentenceCounts::default());
        }
        let all = self.sentence.layer(Layer::Words).unwrap_or_default();
        let words: Vec<&str> = gold.kept.iter().map(|&word| all[word as usize].as_str()).collect();
        let candidate = gold.of_whole(order);
        let ranks = gold.ranks.as_ref().ok();
        counter.count(&Case { words: &words, gold: &gold.order, candidate: &candidate, ranks })
    }

    /// A stretch of the sentence, with what is known of it.
    ///
    /// # Panics
    /// If the sentence has no such words.
    #[must_use]
    pub fn stretch(&self, range: Range<usize>) -> Self {
        let gold = match &self.gold {
            Gold::Links(links) => {
                let inside = links.iter().filter(|link| range.contains(&(link.source as usize)));
                let moved = inside.map(|link| Link::new(link.source - range.start as u32, link.target));
                Gold::Links(moved.collect())
            }
            Gold::Places(places) => Gold::Places(places[range.clone()].to_vec()),
        };
        Self { sentence: self.sentence.stretch(range), gold }
    }

    /// A stretch, or the whole without copying.
    pub(super) fn piece(&self, range: Range<usize>) -> Cow<'_, Self> {
        if range.len() == self.sentence.len() { Cow::Borrowed(self) } else { Cow::Owned(self.stretch(range)) }
    }
}

/// Examples, the long ones in stretches ([`stretches`]).
pub(super) fn pieces(examples: &[Example]) -> Vec<Cow<'_, Example>> {
    let ranges = |example: &Example| stretches(example.sentence.len());
    examples.iter().flat_map(|example| ranges(example).map(|range| example.piece(range))).collect()
}

/// Numbers of examples in an order that depends on the pass alone.
pub(super) fn shuffled(count: usize, pass: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut generator = Generator::named(0, &[0x0072_656f_7264_6572, pass]);
    for place in (1..count).rev() {
        let bound = NonZeroU64::MIN.saturating_add(place as u64);
        order.swap(place, generator.below(bound) as usize);
    }
    order
}

/// What is said where no example says which of two words comes first.
pub(super) fn nothing_to_learn() -> Error {
    ErrorKind::Inconsistent("nothing to learn from: no sentence has two words whose order is known".to_owned()).into()
}

/// Links to places.
fn links_to(places: &[Option<u32>]) -> Alignment {
    (0..).zip(places).filter_map(|(word, place)| Some(Link::new(word, (*place)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_of_words_that_have_places() {
        let sentence = || Sentence::new(["a", "b", "c"].map(str::to_owned).to_vec());
        let example = Example::of_links(sentence(), [(0, 4), (2, 0), (2, 1)].into()).unwrap();
        assert_eq!(example.order(), [2, 0]);
        let example = Example::of_places(sentence(), vec![Some(2), Some(0), Some(1)]).unwrap();
        assert_eq!(example.order(), [1, 2, 0]);
        assert_eq!(example.stretch(1..3).order(), [0, 1]);
    }

    #[test]
    fn long_examples_are_taken_in_pieces() {
        let words = |count: u32| Sentence::new((0..count).map(|word| word.to_string()).collect());
        let turned = |count: u32| Example::of_places(words(count), (0..count).rev().map(Some).collect()).unwrap();
        let examples = [turned(3), turned(240)];
        let pieces = pieces(&examples);
        assert_eq!(pieces.iter().map(|piece| piece.sentence().len()).collect::<Vec<_>>(), [3, 80, 80, 80]);
        assert!(matches!(pieces[0], Cow::Borrowed(_)));
        assert_eq!(pieces[3].order()[0], 79);
        assert_eq!(pieces[3].sentence().layer(Layer::Words).unwrap()[0], "160");
    }

    #[test]
    fn passes_have_orders_of_their_own() {
        let mut order = shuffled(50, 3);
        assert_ne!(order, shuffled(50, 4));
        order.sort_unstable();
        assert_eq!(order, (0..50).collect::<Vec<_>>());
    }
}
