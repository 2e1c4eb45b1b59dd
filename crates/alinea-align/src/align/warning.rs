//! Warnings: what a user should know about training and its data, although it is no error.
//!
//! A [`Warning`] says that something given has no effect (links across stretches, a dictionary without a pair of the
//! text), that data do not fit (words without a class, a text with many words that the model does not know), or that no
//! threshold reaches the objective. Its fields are data, and its display is one line for people. Most go to the
//! observer as training or the choice of a threshold finds them. [`Warning::of_unknown_words`] is for callers that
//! align with a saved model: from a fifth of unknown words on, the text is probably in another language, tokenized
//! otherwise, or has its sides exchanged. Word vectors that say nothing about the text are told of when they have been
//! looked at, and gold links when cross-validation says that nothing was learned.

use std::fmt;

use super::threshold::{ExpectedScores, Objective, ThresholdChoice};
use crate::alignment::Link;
use crate::bitext::{Bitext, RankedBitext, Side};
use crate::model::{Model, Supervision, UnknownWords};

/// A warning; displays as one line.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// Links that were given have no effect, since they are between words of different stretches of a long pair.
    LinksAcrossStretches {
        /// How many.
        links: usize,
        /// The pair of the first, from 0.
        pair: usize,
        /// The first.
        first: Link,
    },
    /// No entry of the dictionary joins two words that co-occur in the text.
    UnusedDictionary {
        /// How many entries it has.
        entries: usize,
    },
    /// Words have no class.
    WordsWithoutClass {
        /// Their side.
        side: Side,
        /// How many.
        missing: usize,
        /// How many words there are.
        words: usize,
    },
    /// Many words of a text are unknown to a saved model.
    UnknownWords {
        /// Which shares of the source and of the target words.
        shares: [f64; 2],
        /// Whether it knows more if source and target change places.
        swapped: bool,
    },
    /// Word vectors say so little about links of the text that they are not used.
    UselessVectors {
        /// How much a score says about a link on average, in nats, at most 1.
        divergence: f64,
    },
    /// Gold links taught nothing that makes links better.
    UselessGold {
        /// How many sentence pairs have some.
        pairs: usize,
    },
    /// No threshold promises what was asked for.
    ObjectiveNotReached(ThresholdChoice),
}

/// A text with a greater share of unknown words, on the side that has more of them, is probably of other languages than
/// the model.
const SUSPICIOUS: f64 = 0.2;

impl Warning {
    /// Of a text that a saved model aligns, or the first pairs of it; none of a few words. O(tokens).
    pub fn of_unknown_words(model: &Model, text: &Bitext) -> Option<Self> {
        let found = UnknownWords::of(model, [&text.source, &text.target], SUSPICIOUS)?;
        Some(Self::UnknownWords { shares: found.shares, swapped: found.swapped })
    }

    /// Of links that are given.
    pub(super) fn of_links(supervision: &Supervision, text: &RankedBitext) -> Option<Self> {
        let apart = supervision.across_stretches(text);
        apart.first().map(|&(pair, first)| Self::LinksAcrossStretches { links: apart.len(), pair, first })
    }
}

impl ThresholdChoice {
    /// What the user should know if the objective was not reached.
    pub fn warning(self) -> Option<Warning> {
        (!self.reached).then_some(Warning::ObjectiveNotReached(self))
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LinksAcrossStretches { links, pair, first } => write!(
                f,
                "given links across stretches of a long pair have no effect: {links}, the first {first} of pair {}",
                pair + 1
            ),
            Self::UnusedDictionary { entries } => write!(
                f,
                "none of the {entries} dictionary entries joins two words that co-occur in the text: is it for other \
                 languages, or are source and target swapped?"
            ),
            Self::WordsWithoutClass { side, missing, words } => {
                let side = if *side == Side::Source { "source" } else { "target" };
                write!(f, "{missing} of {words} {side} words have no class: they share one of their own")
            }
            Self::UnknownWords { shares, swapped } => {
                let unknown = UnknownWords { shares: *shares, swapped: *swapped };
                write!(f, "{unknown}")
            }
            Self::UselessVectors { divergence } => write!(
                f,
                "the encoder knows too little of this text to help ({divergence:.2} nats a link, more than 1 is \
                 needed): links are those of the model alone"
            ),
            Self::UselessGold { pairs } => write!(
                f,
                "cross-validation on the gold links of {pairs} sentence pairs finds no improvement: the decision about \
                 links stays the general one"
            ),
            Self::ObjectiveNotReached(choice) => {
                let ThresholdChoice { objective, scores, .. } = choice;
                let ExpectedScores { threshold, precision, recall, .. } = scores;
                let (which, name, value) = match objective {
                    Objective::Recall(_) => ("smallest", "recall", recall),
                    _ => ("largest", "precision", precision),
                };
                write!(f, "no threshold should reach {objective}: using the {which}, {threshold}, with ")?;
                match value {
                    Some(value) => write!(f, "an expected {name} of {value:.4}"),
                    None => write!(f, "no links expected"),
                }
            }
        }
    }
}
