//! Text that a model was not trained on, in the numbers that the model has for words.
//!
//! A word of the model keeps its number there; a new one gets a number of its own beyond these, by which `unmet` finds
//! its stems and spelling.

use std::sync::Arc;

use crate::bitext::{Bitext, Cuts, SentencePair, Text, WordId};
use crate::model::saved::open::Model;
use crate::model::saved::unmet::NewWords;

/// A text with the numbers that a model has for its words.
#[derive(Debug)]
pub struct NewText<'t> {
    text: &'t Bitext,
    source: Vec<WordId>,
    target: Vec<WordId>,
    pub(in crate::model) new: Arc<NewWords>,
    cuts: Cuts,
}

impl NewText<'_> {
    /// The number of sentence pairs.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether there is no pair.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The text itself.
    pub fn bitext(&self) -> &Bitext {
        self.text
    }

    /// How many pairs are so long that they are aligned in stretches.
    pub fn cut_pairs(&self) -> usize {
        self.cuts.number()
    }

    /// The `n`-th pair.
    ///
    /// # Panics
    /// If there is no such pair.
    pub fn pair(&self, n: usize) -> SentencePair<'_> {
        let source = &self.source[self.text.source.range(n)];
        SentencePair { source, target: &self.target[self.text.target.range(n)], cuts: self.cuts.of_pair(n) }
    }
}

impl Model {
    /// Finds the words of a text. O(words of the vocabularies + tokens).
    pub fn read<'t>(&self, text: &'t Bitext) -> NewText<'t> {
        let mut new = NewWords::default();
        let ids = [&text.source, &text.target].map(Text::vocabulary);
        let ids = [0, 1].map(|side| self.frozen.ids_of(side, ids[side], &mut new));
        let tokens = |side: usize, text: &Text| -> Vec<WordId> {
            text.tokens().iter().map(|word| ids[side][word.index()]).collect()
        };
        let [source, target] = [tokens(0, &text.source), tokens(1, &text.target)];
        NewText { source, target, text, new: Arc::new(new), cuts: Cuts::of(text) }
    }

    /// Which share of the tokens of each side are of words that the model does not know.
    pub fn unknown_shares(&self, text: &Bitext) -> [f64; 2] {
        self.unknown_shares_of([&text.source, &text.target])
    }

    /// The same of two texts, which may have different numbers of sentences.
    pub(in crate::model) fn unknown_shares_of(&self, [source, target]: [&Text; 2]) -> [f64; 2] {
        let share = |side: usize, text: &Text| {
            let known = text.vocabulary().words().map(|word| self.frozen.words[side].id(word).is_some());
            let known: Vec<bool> = known.collect();
            let unknown = text.tokens().iter().filter(|word| !known[word.index()]).count();
            unknown as f64 / text.token_count().max(1) as f64
        };
        [share(0, source), share(1, target)]
    }
}
