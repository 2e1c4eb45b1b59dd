//! One sentence pair as the lexicon sees it: distinct words, the ids of their pairs, the probabilities.

#![expect(clippy::inline_always, reason = "everything here is inlined into a kernel")]

use super::parameters::TRANSLATION_FLOOR;
use crate::bitext::{SentencePair, WordId};
use crate::lexicon::PairIndex;

/// The distinct words of one side, and where each token finds its own.
#[derive(Debug, Clone, Default)]
pub(super) struct GridSide {
    /// Distinct words by rank.
    pub types: Vec<u32>,
    /// How often each occurs in the sentence.
    pub multiplicities: Vec<f32>,
    /// For each token the place of its word in `types`.
    pub slots: Vec<u32>,
    order: Vec<u64>,
}

impl GridSide {
    #[inline(always)]
    fn fill(&mut self, words: &[WordId]) {
        self.order.clear();
        self.order.extend(words.iter().enumerate().map(|(place, word)| (word.index() as u64) << 32 | place as u64));
        self.order.sort_unstable();
        self.types.clear();
        self.multiplicities.clear();
        self.slots.clear();
        self.slots.resize(words.len(), 0);
        for &entry in &self.order {
            let word = (entry >> 32) as u32;
            if self.types.last() == Some(&word) {
                *self.multiplicities.last_mut().expect("as long as types") += 1.0;
            } else {
                self.types.push(word);
                self.multiplicities.push(1.0);
            }
            self.slots[entry as u32 as usize] = self.types.len() as u32 - 1;
        }
    }
}

/// Distinct words of both sides, with the ids and probabilities of their pairs.
#[derive(Debug, Clone, Default)]
pub(super) struct Grid {
    /// The source side, S distinct words.
    pub source: GridSide,
    /// The target side, T distinct words.
    pub target: GridSide,
    /// Pair ids, S rows of T.
    pub ids: Vec<u32>,
    /// t(target | source), T rows of S.
    pub forward: Vec<f32>,
    /// t(source | target), S rows of T.
    pub reverse: Vec<f32>,
}

impl Grid {
    /// Looks up all pairs of a sentence pair.
    #[inline(always)]
    pub(super) fn fill(&mut self, pair: SentencePair<'_>, index: &PairIndex, translation: &[[f32; 2]]) {
        self.source.fill(pair.source);
        self.target.fill(pair.target);
        let (height, width) = (self.source.types.len(), self.target.types.len());
        self.ids.resize(height * width, 0);
        index.resolve(&self.source.types, &self.target.types, &mut self.ids);
        self.forward.resize(height * width, 0.0);
        self.reverse.resize(height * width, 0.0);
        let rows = self.ids.chunks_exact(width).zip(self.reverse.chunks_exact_mut(width));
        for (s, (ids, reverse)) in rows.enumerate() {
            for (t, (&id, reverse)) in ids.iter().zip(reverse).enumerate() {
                let [given_source, given_target] =
                    translation.get(id as usize).copied().unwrap_or([TRANSLATION_FLOOR; 2]);
                *reverse = given_target;
                self.forward[t * height + s] = given_source;
            }
        }
    }
}
