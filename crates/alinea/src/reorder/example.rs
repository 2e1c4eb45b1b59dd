//! Sentences with what is known of their order.

use std::ops::Range;

use super::engine::Sentence;
use super::precedence::Precedence;
use super::ranks::{Ranks, Skipped};
use crate::alignment::{Alignment, Link};
use crate::error::{ErrorKind, Result};

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

    /// Which words come before which.
    pub fn precedence(&self) -> Precedence {
        match &self.gold {
            Gold::Links(links) => Precedence::of_alignment(self.sentence.len(), links),
            Gold::Places(places) => Precedence::of_places(places),
        }
    }

    /// The same as ranks, as Nakagawa's program makes them.
    ///
    /// # Errors
    /// Why there are none.
    pub fn ranks(&self) -> Result<Ranks, Skipped> {
        match &self.gold {
            Gold::Links(links) => Ranks::of_target_sets(self.sentence.len(), links),
            Gold::Places(places) => {
                let links = (0..).zip(places).filter_map(|(word, place)| Some(Link::new(word, (*place)?)));
                Ranks::of_target_sets(self.sentence.len(), &links.collect())
            }
        }
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
}
