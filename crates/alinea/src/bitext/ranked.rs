//! A bitext whose word ids are frequency ranks.

use super::{Bitext, SentencePair, Text, Vocabulary, Weights, WordId, fnv_1a};
use crate::error::{ErrorKind, Result};

/// A bitext whose word ids are frequency ranks on each side (0 is the most frequent word), with the frequencies.
///
/// What counts pairs of words wants rare words told from frequent ones by their number alone.
#[derive(Debug, Clone)]
pub struct RankedBitext {
    bitext: Bitext,
    source_frequencies: Vec<u64>,
    target_frequencies: Vec<u64>,
    weights: Weights,
}

impl RankedBitext {
    /// Renumbers the words of both sides. A pair with one empty side loses the other too: it has no links, and its
    /// words are no evidence.
    pub fn new(mut bitext: Bitext) -> Self {
        let half: Vec<usize> = (0..bitext.len())
            .filter(|&n| bitext.pair(n).source.is_empty() != bitext.pair(n).target.is_empty())
            .collect();
        if !half.is_empty() {
            bitext.source = bitext.source.with_emptied(&half);
            bitext.target = bitext.target.with_emptied(&half);
        }
        let source_frequencies = bitext.source.rank_words();
        let target_frequencies = bitext.target.rank_words();
        Self { bitext, source_frequencies, target_frequencies, weights: Weights::default() }
    }

    /// No sentence pairs, but words, by rank, with frequencies.
    pub(crate) fn of_words([source, target]: [Vocabulary; 2], frequencies: [Vec<u64>; 2]) -> Self {
        let bitext = Bitext { source: Text::of_words(source), target: Text::of_words(target) };
        let [source_frequencies, target_frequencies] = frequencies;
        Self { bitext, source_frequencies, target_frequencies, weights: Weights::default() }
    }

    /// The same text, its parts counting as much as they are given; if there are none, all of it counts fully.
    ///
    /// # Errors
    /// `Inconsistent` if the parts have more or fewer pairs.
    pub fn weighted(self, weights: Weights) -> Result<Self> {
        if weights != Weights::default() && weights.pairs() != self.len() {
            let message = format!("{} sentence pairs have weights, the text has {}", weights.pairs(), self.len());
            return Err(ErrorKind::Inconsistent(message).into());
        }
        Ok(Self { weights, ..self })
    }

    /// How much its pairs count.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The bitext, under the new ids.
    pub fn bitext(&self) -> &Bitext {
        &self.bitext
    }

    /// The number of sentence pairs.
    pub fn len(&self) -> usize {
        self.bitext.len()
    }

    /// Whether there is no pair.
    pub fn is_empty(&self) -> bool {
        self.bitext.is_empty()
    }

    /// The `n`-th pair.
    ///
    /// # Panics
    /// If there is no such pair.
    pub fn pair(&self, n: usize) -> SentencePair<'_> {
        self.bitext.pair(n)
    }

    /// A number of 64 bits that tells this text from others. O(tokens).
    pub(crate) fn fingerprint(&self) -> u64 {
        let Bitext { source, target } = &self.bitext;
        let words = [source, target].into_iter().flat_map(|text| text.vocabulary().words());
        let words = words.flat_map(|word| word.iter().copied().chain([b'\n']));
        let pairs = self.bitext.pairs().flat_map(|pair| pair.key().to_le_bytes());
        fnv_1a(words.chain(pairs))
    }

    /// How often each source word occurs, falling.
    pub fn source_frequencies(&self) -> &[u64] {
        &self.source_frequencies
    }

    /// How often each target word occurs, falling.
    pub fn target_frequencies(&self) -> &[u64] {
        &self.target_frequencies
    }

    /// The source word with this rank.
    pub fn source_word(&self, rank: usize) -> &[u8] {
        self.bitext.source.vocabulary().word(WordId::from_index(rank))
    }

    /// The target word with this rank.
    pub fn target_word(&self, rank: usize) -> &[u8] {
        self.bitext.target.vocabulary().word(WordId::from_index(rank))
    }
}
