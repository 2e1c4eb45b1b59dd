//! One sentence pair as the lexicon sees it: distinct words, the ids of their pairs, and weighted probabilities.
//!
//! Words repeat within a sentence, so each pair of distinct words (*types*) is looked up once. For S source and T
//! target types, in order of rank, there are S × T ids and two tables of emissions:
//!
//! ```text
//! forward    T rows, a column for each source token    weight · t(target type | source token)
//! reverse    S rows, a column for each target token    weight · t(source type | target token)
//! ```
//!
//! Rows are padded with zeros to whole vectors; `slots` gives the row of each generated token. `fill` finds the types,
//! `resolve` the ids, `weigh` writes probabilities for the first token of each type, and `complete` copies them to the
//! repeated tokens and clears the padding. Leave-one-out and `unmet` change cells between the last two steps.

use crate::bitext::{SentencePair, WordId};
use crate::lexicon::{PairIndex, Probabilities};
use crate::numeric::simd::padded;

/// The distinct words of one side, and where each token finds its own.
#[derive(Debug, Clone, Default)]
pub(in crate::model) struct GridSide {
    /// Distinct words by rank.
    pub(in crate::model) types: Vec<u32>,
    /// How often each occurs in the sentence.
    pub(in crate::model) multiplicities: Vec<f32>,
    /// How often the word of each token occurs; 0 in the padding.
    pub(in crate::model) token_multiplicities: Vec<f32>,
    /// The first token with this word.
    pub(in crate::model) first: Vec<u32>,
    /// For each token the place of its word in `types`.
    pub(in crate::model) slots: Vec<u32>,
    /// Tokens that repeat a word, with the first token that has it.
    repeated: Vec<(u32, u32)>,
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
        self.first.clear();
        self.repeated.clear();
        self.slots.clear();
        self.slots.resize(words.len(), 0);
        for &entry in &self.order {
            let (word, token) = ((entry >> 32) as u32, entry as u32);
            if self.types.last() == Some(&word) {
                *self.multiplicities.last_mut().expect("as long as types") += 1.0;
                self.repeated.push((token, *self.first.last().expect("as long as types")));
            } else {
                self.types.push(word);
                self.multiplicities.push(1.0);
                self.first.push(token);
            }
            self.slots[token as usize] = self.types.len() as u32 - 1;
        }
        self.token_multiplicities.clear();
        self.token_multiplicities.extend(self.slots.iter().map(|&slot| self.multiplicities[slot as usize]));
        self.token_multiplicities.resize(padded(words.len()), 0.0);
    }

    #[inline(always)]
    fn is_of(&self, words: &[WordId]) -> bool {
        let mut known = self.slots.iter().map(|&slot| self.types[slot as usize]);
        self.slots.len() == words.len() && words.iter().all(|word| known.next() == Some(word.index() as u32))
    }

    /// The number of tokens, filled up to whole vectors.
    #[inline(always)]
    pub(in crate::model) fn stride(&self) -> usize {
        padded(self.slots.len())
    }

    /// Gives repeated tokens the value of the first in every row, and clears the padding.
    #[inline(always)]
    fn complete(&self, table: &mut [f32]) {
        for row in table.chunks_exact_mut(self.stride()) {
            for &(token, first) in &self.repeated {
                row[token as usize] = row[first as usize];
            }
            row[self.slots.len()..].fill(0.0);
        }
    }
}

/// Distinct words of both sides, with the ids and probabilities of their pairs.
///
/// The tables have a row for each distinct generated word and a column for each *token* of the conditioning side,
/// padded with zeros.
#[derive(Debug, Clone, Default)]
pub(in crate::model) struct Grid {
    /// The source side, S distinct words.
    pub(in crate::model) source: GridSide,
    /// The target side, T distinct words.
    pub(in crate::model) target: GridSide,
    /// Pair ids, S rows of T.
    pub(in crate::model) ids: Vec<u32>,
    /// t(target | source) times a weight.
    pub(in crate::model) forward: Vec<f32>,
    /// t(source | target) times a weight.
    pub(in crate::model) reverse: Vec<f32>,
}

impl Grid {
    /// Finds the distinct words of a sentence pair, and has the part of the index fetched that knows their pairs.
    #[inline(always)]
    pub(in crate::model) fn fill(&mut self, pair: SentencePair<'_>, index: &PairIndex) {
        index.prefetch_words(pair);
        self.source.fill(pair.source);
        self.target.fill(pair.target);
        self.ids.clear();
        index.prefetch(&self.source.types, &self.target.types);
    }

    /// Whether these are the words it was filled with.
    #[inline(always)]
    pub(in crate::model) fn is_of(&self, pair: SentencePair<'_>) -> bool {
        self.source.is_of(pair.source) && self.target.is_of(pair.target)
    }

    /// Finds the ids of the pairs, unless that was done before.
    #[inline(always)]
    pub(in crate::model) fn resolve(&mut self, index: &PairIndex) {
        if self.ids.is_empty() {
            self.ids.resize(self.source.types.len() * self.target.types.len(), 0);
            index.resolve(&self.source.types, &self.target.types, &mut self.ids);
        }
    }

    /// Looks up the probabilities of the pairs and weighs them, for the first token of each word; the tables have to be
    /// [completed](Self::complete). Meanwhile the memory of `ahead`, pairs that will be looked up next, is fetched.
    #[inline(always)]
    pub(in crate::model) fn weigh(
        &mut self,
        table: &impl Probabilities,
        [forward_weight, reverse_weight]: [f32; 2],
        ahead: &[u32],
    ) {
        let (height, width) = (self.source.types.len(), self.target.types.len());
        let (source_stride, target_stride) = (self.source.stride(), self.target.stride());
        self.forward.resize(width * source_stride, 0.0);
        self.reverse.resize(height * target_stride, 0.0);
        let mut ahead = ahead.iter();
        let rows = self.ids.chunks_exact(width).zip(self.reverse.chunks_exact_mut(target_stride));
        for ((ids, reverse), &source_token) in rows.zip(&self.source.first) {
            let column = self.forward[source_token as usize..].iter_mut().step_by(source_stride);
            for ((&id, forward), &target_token) in ids.iter().zip(column).zip(&self.target.first) {
                if let Some(&id) = ahead.next() {
                    table.prefetch(id);
                }
                let [given_source, given_target] = table.probability(id);
                *forward = forward_weight * given_source;
                reverse[target_token as usize] = reverse_weight * given_target;
            }
        }
        for &id in ahead {
            table.prefetch(id);
        }
    }

    /// The words of a cell, given by their places among the distinct ones.
    #[inline(always)]
    pub(in crate::model) fn words_of(&self, [s, t]: [u32; 2]) -> [u32; 2] {
        [self.source.types[s as usize], self.target.types[t as usize]]
    }

    /// Sets the weighted probabilities of a cell, forward and reverse, for the first token of each word.
    #[inline(always)]
    pub(in crate::model) fn set(&mut self, [s, t]: [u32; 2], [forward, reverse]: [f32; 2]) {
        let (s, t) = (s as usize, t as usize);
        self.forward[t * self.source.stride() + self.source.first[s] as usize] = forward;
        self.reverse[s * self.target.stride() + self.target.first[t] as usize] = reverse;
    }

    /// Fills in repeated words and padding.
    #[inline(always)]
    pub(in crate::model) fn complete(&mut self) {
        self.source.complete(&mut self.forward);
        self.target.complete(&mut self.reverse);
    }
}
