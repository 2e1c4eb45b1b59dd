//! A bitext whose word ids are frequency ranks: 0 is the most frequent word of its side.
//!
//! The lexicon builds on this, because the number alone then tells which of two words is rarer. Of equally frequent
//! words the first to appear has the lower rank. Words that do not occur have none.
//!
//! A pair with one empty side loses the other side as well: it can have no links, and its words are no evidence. A pair
//! with a side of more than 256 words is cut into stretches (see `stretches`). [`RankedBitext::pair`] and
//! [`RankedBitext::len`] are about the pairs of the text; `RankedBitext::in_stretches` is what models see: the text
//! with each stretch as a pair. [`RankedBitext::weighted`] says how much each part of the text counts.

use std::sync::Arc;

use super::{Bitext, Cuts, SentencePair, Text, Vocabulary, Weights, WordId};
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
    /// The same text with each stretch of its long pairs as a pair, and where these are cut; nothing if it has none.
    stretched: Option<Arc<(Self, Cuts)>>,
}

impl RankedBitext {
    /// Renumbers the words of both sides. A pair with one empty side loses the other too: it has no links, and its
    /// words are no evidence.
    ///
    /// Pairs with a side of more than 256 words are aligned in stretches, each for itself: what a model does with a pair
    /// grows with the third power of its length.
    pub fn new(bitext: Bitext) -> Self {
        Self::uncut(bitext).stretched()
    }

    /// A part of a text, in the ranks that its words have in the whole text, and with the frequencies that they have there.
    ///
    /// # Errors
    /// `Inconsistent` if it has a word that the whole text does not have.
    #[doc(hidden)]
    pub fn among(bitext: Bitext, words: &Self) -> Result<Self> {
        let Bitext { source, target } = without_half_pairs(bitext);
        let of_whole = |text: Text, whole: &Text| {
            text.renumbered(whole.vocabulary()).map_err(|word| {
                let word = String::from_utf8_lossy(&word).into_owned();
                ErrorKind::Inconsistent(format!("the words of the whole text, of which `{word}` is none"))
            })
        };
        let bitext =
            Bitext { source: of_whole(source, &words.bitext.source)?, target: of_whole(target, &words.bitext.target)? };
        Ok(Self { bitext, weights: Weights::default(), stretched: None, ..words.clone() }.stretched())
    }

    /// Cuts its long pairs.
    fn stretched(self) -> Self {
        let cuts = Cuts::of(&self.bitext);
        let stretched = (cuts.number() > 0).then(|| Arc::new((self.cut(&cuts), cuts)));
        Self { stretched, ..self }
    }

    /// The same, all pairs being aligned as a whole.
    #[doc(hidden)]
    pub fn uncut(bitext: Bitext) -> Self {
        let mut bitext = without_half_pairs(bitext);
        let source_frequencies = bitext.source.rank_words();
        let target_frequencies = bitext.target.rank_words();
        Self { bitext, source_frequencies, target_frequencies, weights: Weights::default(), stretched: None }
    }

    /// The text with each stretch as a pair.
    fn cut(&self, cuts: &Cuts) -> Self {
        let stretches =
            || (0..self.len()).flat_map(|n| SentencePair { cuts: cuts.of_pair(n), ..self.pair(n) }.stretches());
        let Bitext { source, target } = &self.bitext;
        let bitext = Bitext {
            source: source.with_sentences(stretches().map(|(_, stretch)| stretch.source.len())),
            target: target.with_sentences(stretches().map(|(_, stretch)| stretch.target.len())),
        };
        Self { bitext, stretched: None, ..self.clone() }
    }

    /// The text as models see it: with each stretch of its long pairs as a pair.
    #[doc(hidden)]
    pub fn in_stretches(&self) -> &Self {
        self.stretched.as_ref().map_or(self, |stretched| &stretched.0)
    }

    /// Where its long pairs are cut.
    #[doc(hidden)]
    pub fn cuts(&self) -> Cuts {
        self.stretched.as_ref().map_or_else(Cuts::default, |stretched| stretched.1.clone())
    }

    /// How many of the first pairs are so long that they are aligned in stretches.
    pub fn cut_pairs(&self, first: usize) -> usize {
        self.stretched.as_ref().map_or(0, |stretched| stretched.1.before(first))
    }

    /// No sentence pairs, but words, by rank, with frequencies.
    #[doc(hidden)]
    pub fn of_words([source, target]: [Vocabulary; 2], frequencies: [Vec<u64>; 2]) -> Self {
        let bitext = Bitext { source: Text::of_words(source), target: Text::of_words(target) };
        let [source_frequencies, target_frequencies] = frequencies;
        Self { bitext, source_frequencies, target_frequencies, weights: Weights::default(), stretched: None }
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
        let stretched = self.stretched.as_ref().map(|stretched| {
            let (text, cuts) = &**stretched;
            Arc::new((Self { weights: weights.of_stretches(|n| cuts.first_of(n)), ..text.clone() }, cuts.clone()))
        });
        Ok(Self { weights, stretched, ..self })
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
        let cuts = self.stretched.as_ref().map_or(&[][..], |stretched| stretched.1.of_pair(n));
        SentencePair { cuts, ..self.bitext.pair(n) }
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

/// The text, pairs with one empty side without the other.
#[doc(hidden)]
pub fn without_half_pairs(bitext: Bitext) -> Bitext {
    let is_half = |&n: &usize| bitext.pair(n).source.is_empty() != bitext.pair(n).target.is_empty();
    let half: Vec<usize> = (0..bitext.len()).filter(is_half).collect();
    if half.is_empty() {
        return bitext;
    }
    Bitext { source: bitext.source.with_emptied(&half), target: bitext.target.with_emptied(&half) }
}
