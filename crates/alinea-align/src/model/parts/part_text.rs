//! One part of a text.

use super::words::{PartFacts, WholeText};
use crate::bitext::{Bitext, RankedBitext, Weights};
use crate::error::Result;

/// A part of a text, in the ranks that its words have in the whole.
#[derive(Debug, Clone)]
pub struct PartText {
    number: usize,
    facts: PartFacts,
    text: RankedBitext,
    /// Pairs (long ones in stretches) of the parts before it.
    before: usize,
}

impl PartText {
    /// The part with this number, from 0. O(tokens).
    ///
    /// # Errors
    /// `Config` if there is no such part; `Inconsistent` if this is not its text.
    pub fn new(part: Bitext, number: usize, whole: &WholeText) -> Result<Self> {
        let facts = whole.check(number, &part)?.clone();
        let weights =
            if facts.weight < 1.0 { Weights::new(&[(part.len(), facts.weight)])? } else { Weights::default() };
        let text = RankedBitext::among(part, whole.words())?.weighted(weights)?;
        let before = whole.parts()[..number].iter().map(|part| part.stretches).sum();
        Ok(Self { number, facts, text, before })
    }

    /// Its number, from 0.
    pub fn number(&self) -> usize {
        self.number
    }

    pub(super) fn facts(&self) -> &PartFacts {
        &self.facts
    }

    pub(super) fn text(&self) -> &RankedBitext {
        &self.text
    }

    /// How many pairs (long ones in stretches) the parts before it have.
    pub(super) fn before(&self) -> usize {
        self.before
    }
}
