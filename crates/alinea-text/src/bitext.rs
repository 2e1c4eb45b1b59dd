//! Parallel text as numbers: what every model reads.
//!
//! Words are interned once, at the edge: a [`Vocabulary`] gives each distinct form a [`WordId`], a [`Text`] keeps all
//! tokens of one language in one arena with the sentences' offsets, and a [`Bitext`] is two texts with the same number
//! of sentences. A [`SentencePair`] borrows one line of it. A sentence may be empty.
//!
//! Memory: 4 bytes a token, 8 bytes a sentence and side, and the vocabulary (about 40 bytes a form).
//!
//! ```
//! use alinea::bitext::{Bitext, Text};
//!
//! let mut source = Text::default();
//! let mut target = Text::default();
//! source.push_sentence("the house".split(' ').map(str::as_bytes));
//! target.push_sentence("la maison".split(' ').map(str::as_bytes));
//! let bitext = Bitext::new(source, target)?;
//! let pair = bitext.pair(0);
//! assert_eq!(bitext.source.vocabulary().word(pair.source[1]), b"house");
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod dictionary;
mod distinct;
mod pieces;
mod ranked;
mod stretches;
mod vocabulary;
mod weights;

pub use dictionary::Dictionary;
pub use distinct::{DistinctPair, DistinctPairs};
pub use pieces::Pieces;
pub use ranked::RankedBitext;
#[doc(hidden)]
pub use ranked::without_half_pairs;
#[doc(hidden)]
pub use stretches::Cuts;
pub use stretches::LONGEST_WHOLE;
pub use vocabulary::{Vocabulary, WordId};
pub use weights::Weights;

use std::ops::Range;

use crate::error::{Error, Result};

/// The most words a sentence may have that a model learns from: what is counted of one sentence pair fits 32 bits in units of
/// 2^-16 (the unit of expected counts).
pub const MOST_TOKENS: usize = 65_535;

/// A side of parallel text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The source language.
    Source,
    /// The target language.
    Target,
}

/// All sentences of one language: an arena of word ids, and where each sentence ends in it.
#[derive(Debug, Clone, Default)]
pub struct Text {
    vocabulary: Vocabulary,
    tokens: Vec<WordId>,
    ends: Vec<u64>,
}

impl Text {
    /// Adds one sentence; its words are interned.
    pub fn push_sentence<'w>(&mut self, words: impl IntoIterator<Item = &'w [u8]>) {
        for word in words {
            let id = self.vocabulary.intern(word);
            self.tokens.push(id);
        }
        self.end_sentence();
    }

    /// Adds one word to the sentence that [`end_sentence`](Self::end_sentence) will close.
    pub fn push_word(&mut self, word: &[u8]) {
        let id = self.vocabulary.intern(word);
        self.tokens.push(id);
    }

    /// Closes the sentence that the words pushed last belong to.
    pub fn end_sentence(&mut self) {
        self.ends.push(self.tokens.len() as u64);
    }

    /// Takes back the words of the sentence that is not yet closed, which so stays empty. They remain in the
    /// vocabulary.
    pub fn clear_open_sentence(&mut self) {
        let start = self.ends.last().copied().unwrap_or(0);
        self.tokens.truncate(start as usize);
    }

    /// The number of sentences.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no sentence.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of tokens of all sentences.
    pub fn token_count(&self) -> usize {
        self.tokens.len()
    }

    /// All tokens, sentence after sentence.
    pub fn tokens(&self) -> &[WordId] {
        &self.tokens
    }

    /// The words of the `n`-th sentence, from 0.
    ///
    /// # Panics
    /// If there is no such sentence.
    pub fn sentence(&self, n: usize) -> &[WordId] {
        &self.tokens[self.range(n)]
    }

    /// Where the words of the `n`-th sentence are among all tokens.
    #[doc(hidden)]
    pub fn range(&self, n: usize) -> Range<usize> {
        let start = if n == 0 { 0 } else { self.ends[n - 1] };
        start as usize..self.ends[n] as usize
    }

    /// The words that occur, and their ids.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// No sentences, but words that are known.
    pub(crate) fn of_words(vocabulary: Vocabulary) -> Self {
        Self { vocabulary, ..Self::default() }
    }

    /// The same words as sentences of these lengths, which add up to all of them.
    fn with_sentences(&self, lengths: impl Iterator<Item = usize>) -> Self {
        let ends = lengths.scan(0, |end, length| {
            *end += length as u64;
            Some(*end)
        });
        Self { ends: ends.collect(), ..self.clone() }
    }

    /// How often each word occurs, by id.
    pub fn frequencies(&self) -> Vec<u64> {
        let mut counts = vec![0u64; self.vocabulary.len()];
        for word in &self.tokens {
            counts[word.index()] += 1;
        }
        counts
    }

    /// Renumbers the words by falling frequency (ties: the word met first comes first), so that an id is a rank.
    /// Words that no longer occur are forgotten. Returns the frequencies by new id.
    pub fn rank_words(&mut self) -> Vec<u64> {
        let counts = self.frequencies();
        let mut order: Vec<u32> = (0..counts.len() as u32).filter(|&id| counts[id as usize] > 0).collect();
        order.sort_by_key(|&id| (std::cmp::Reverse(counts[id as usize]), id));
        let mut rank = vec![WordId::from_index(0); counts.len()];
        for (new, &old) in order.iter().enumerate() {
            rank[old as usize] = WordId::from_index(new);
        }
        for word in &mut self.tokens {
            *word = rank[word.index()];
        }
        self.vocabulary = self.vocabulary.reordered(&order);
        order.iter().map(|&old| counts[old as usize]).collect()
    }

    /// The same text in the numbers of another vocabulary, which must have its words: the first that it does not have, otherwise.
    pub(crate) fn renumbered(mut self, vocabulary: &Vocabulary) -> std::result::Result<Self, Vec<u8>> {
        let number = |word: &[u8]| vocabulary.id(word).ok_or_else(|| word.to_vec());
        let numbers = self.vocabulary.words().map(number).collect::<std::result::Result<Vec<_>, _>>()?;
        for word in &mut self.tokens {
            *word = numbers[word.index()];
        }
        self.vocabulary = vocabulary.clone();
        Ok(self)
    }

    /// The same text with the sentences of these numbers (from 0, rising) made empty, as if it had been built so:
    /// words that occurred only in them are forgotten, and the others are numbered by first appearance.
    #[must_use]
    pub fn with_emptied(&self, numbers: &[usize]) -> Self {
        let mut emptied = Self::default();
        let mut renumbered: Vec<Option<WordId>> = vec![None; self.vocabulary.len()];
        let mut numbers = numbers.iter().copied().peekable();
        for n in 0..self.len() {
            if numbers.next_if_eq(&n).is_none() {
                for &word in self.sentence(n) {
                    let id = *renumbered[word.index()]
                        .get_or_insert_with(|| emptied.vocabulary.intern(self.vocabulary.word(word)));
                    emptied.tokens.push(id);
                }
            }
            emptied.end_sentence();
        }
        emptied
    }

    /// The number of words of the longest sentence.
    #[doc(hidden)]
    pub fn longest(&self) -> usize {
        (0..self.len()).map(|n| self.sentence(n).len()).max().unwrap_or(0)
    }

    /// Adds the sentences of another text.
    pub fn append(&mut self, other: &Self) {
        let mut numbers: Vec<Option<WordId>> = vec![None; other.vocabulary.len()];
        for n in 0..other.len() {
            for &word in other.sentence(n) {
                let number = &mut numbers[word.index()];
                let id = *number.get_or_insert_with(|| self.vocabulary.intern(other.vocabulary.word(word)));
                self.tokens.push(id);
            }
            self.end_sentence();
        }
    }

    /// Bytes of memory held for tokens, offsets and vocabulary.
    pub fn memory_bytes(&self) -> usize {
        self.tokens.capacity() * 4 + self.ends.capacity() * 8 + self.vocabulary.memory_bytes()
    }

    /// Gives back memory that was reserved for growth.
    pub fn shrink_to_fit(&mut self) {
        self.tokens.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

/// Two texts, sentence by sentence translations of each other.
#[derive(Debug, Clone, Default)]
pub struct Bitext {
    /// The source language.
    pub source: Text,
    /// The target language.
    pub target: Text,
}

impl Bitext {
    /// Joins two texts.
    ///
    /// # Errors
    /// `UnequalLengths` if they have different numbers of sentences.
    pub fn new(source: Text, target: Text) -> Result<Self> {
        if source.len() != target.len() {
            let lengths = [source.len() as u64, target.len() as u64];
            return Err(Error::unequal_lengths("source", lengths[0], "target", lengths[1]));
        }
        Ok(Self { source, target })
    }

    /// Adds the pairs of another bitext.
    pub fn append(&mut self, other: &Self) {
        self.source.append(&other.source);
        self.target.append(&other.target);
    }

    /// A 64-bit fingerprint of this text: its words by number, and its pairs. O(tokens).
    #[doc(hidden)]
    pub fn fingerprint(&self) -> u64 {
        let words = [&self.source, &self.target].into_iter().flat_map(|text| text.vocabulary().words());
        let words = words.flat_map(|word| word.iter().copied().chain([b'\n']));
        let pairs = self.pairs().flat_map(|pair| pair.key().to_le_bytes());
        fnv_1a(words.chain(pairs))
    }

    /// The number of sentence pairs.
    pub fn len(&self) -> usize {
        self.source.len()
    }

    /// Whether there is no pair.
    pub fn is_empty(&self) -> bool {
        self.source.is_empty()
    }

    /// The `n`-th pair, from 0.
    ///
    /// # Panics
    /// If there is no such pair.
    pub fn pair(&self, n: usize) -> SentencePair<'_> {
        SentencePair { source: self.source.sentence(n), target: self.target.sentence(n), cuts: &[] }
    }

    /// All pairs in order.
    pub fn pairs(&self) -> impl Iterator<Item = SentencePair<'_>> {
        (0..self.len()).map(|n| self.pair(n))
    }
}

/// One line of a bitext.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SentencePair<'a> {
    /// The source words.
    pub source: &'a [WordId],
    /// The target words.
    pub target: &'a [WordId],
    /// Where stretches end, on both sides, of which each is aligned for itself; none if the pair is aligned as a whole.
    pub cuts: &'a [[u32; 2]],
}

impl<'a> SentencePair<'a> {
    /// The stretches of the pair in order, each with the places where it starts: one, if the pair is not cut.
    #[doc(hidden)]
    pub fn stretches(self) -> impl Iterator<Item = ([u32; 2], Self)> + 'a {
        let end = [self.source.len() as u32, self.target.len() as u32];
        let starts = std::iter::once([0, 0]).chain(self.cuts.iter().copied());
        let ends = self.cuts.iter().copied().chain(std::iter::once(end));
        starts.zip(ends).map(move |(start, end)| {
            let [source, target] = [0, 1].map(|side| start[side] as usize..end[side] as usize);
            (start, Self { source: &self.source[source], target: &self.target[target], cuts: &[] })
        })
    }

    /// The numbers of words of the source and of the target.
    pub fn lengths(&self) -> [usize; 2] {
        [self.source.len(), self.target.len()]
    }

    /// Whether one of the sides has no words: such a pair has no links and teaches nothing.
    pub fn has_empty_side(&self) -> bool {
        self.source.is_empty() || self.target.is_empty()
    }

    /// A number of 64 bits that tells pairs of a text apart: FNV-1a over the length of the source side and the ids of all
    /// words, the lowest byte first; the same in every version and on every machine.
    #[doc(hidden)]
    pub fn key(self) -> u64 {
        let ids = self.source.iter().chain(self.target).map(|word| word.index() as u32);
        let numbers = std::iter::once(self.source.len() as u32).chain(ids);
        fnv_1a(numbers.flat_map(u32::to_le_bytes))
    }
}

/// The hash FNV-1a of 64 bits (Fowler, Noll and Vo).
#[doc(hidden)]
pub fn fnv_1a(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(lines: &[&str]) -> Text {
        let mut text = Text::default();
        for line in lines {
            text.push_sentence(line.split(' ').filter(|w| !w.is_empty()).map(str::as_bytes));
        }
        text
    }

    #[test]
    fn sentences_come_back() {
        let t = text(&["a b a", "", "c"]);
        assert_eq!(t.len(), 3);
        assert_eq!(t.token_count(), 4);
        let words: Vec<_> = t.sentence(0).iter().map(|&w| t.vocabulary().word(w)).collect();
        assert_eq!(words, [b"a", b"b", b"a"]);
        assert!(t.sentence(1).is_empty());
        assert_eq!(t.frequencies(), [2, 1, 1]);
    }

    #[test]
    fn ranks_follow_frequency_then_first_appearance() {
        let mut t = text(&["x y z", "z y z"]);
        let frequencies = t.rank_words();
        assert_eq!(frequencies, [3, 2, 1]);
        let words: Vec<_> = t.sentence(0).iter().map(|&w| t.vocabulary().word(w)[0]).collect();
        assert_eq!(words, *b"xyz");
        assert_eq!(t.vocabulary().id(b"z"), Some(WordId::from_index(0)));
    }

    #[test]
    fn an_open_sentence_can_be_cleared() {
        let mut t = text(&["a"]);
        t.push_word(b"b");
        t.clear_open_sentence();
        t.end_sentence();
        assert!(t.sentence(1).is_empty());
        assert_eq!(t.rank_words(), [1]);
        assert_eq!(t.vocabulary().id(b"b"), None);
    }

    #[test]
    fn emptied_sentences_leave_no_trace() {
        let emptied = text(&["a b", "c b", "d c"]).with_emptied(&[0, 2]);
        let expected = text(&["", "c b", ""]);
        let words = |t: &Text| t.vocabulary().words().map(<[u8]>::to_vec).collect::<Vec<_>>();
        assert_eq!(words(&emptied), words(&expected));
        assert_eq!(emptied.tokens(), expected.tokens());
        assert_eq!((0..3).map(|n| emptied.sentence(n).len()).collect::<Vec<_>>(), [0, 2, 0]);
    }

    #[test]
    fn appended_text_is_as_if_it_had_been_read_in_one() {
        let mut appended = text(&["a b", "c"]);
        appended.append(&text(&["d", "", "c a"]));
        let whole = text(&["a b", "c", "d", "", "c a"]);
        assert_eq!(appended.tokens(), whole.tokens());
        assert_eq!(appended.len(), 5);
        assert!(appended.vocabulary().words().eq(whole.vocabulary().words()));
    }

    #[test]
    fn keys_are_those_of_fnv() {
        // From the test vectors published with the hash.
        for (text, expected) in
            [("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8)]
        {
            assert_eq!(fnv_1a(text.bytes()), expected, "{text}");
        }
        let key = |source: &[usize], target: &[usize]| {
            let [source, target] =
                [source, target].map(|ids| ids.iter().map(|&id| WordId::from_index(id)).collect::<Vec<_>>());
            SentencePair { source: &source, target: &target, cuts: &[] }.key()
        };
        let bytes = |numbers: &[u32]| {
            numbers
                .iter()
                .flat_map(|number| number.to_le_bytes())
                .fold(0xCBF2_9CE4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(1_099_511_628_211))
        };
        assert_eq!(key(&[7, 70_000], &[3]), bytes(&[2, 7, 70_000, 3]));
        assert_ne!(key(&[1, 2], &[3]), key(&[1], &[2, 3]));
    }

    #[test]
    fn unequal_texts_are_refused() {
        let error = Bitext::new(text(&["a"]), text(&["a", "b"])).unwrap_err();
        assert_eq!(error.to_string(), "unequal lengths: source has 1 line, target has 2");
    }
}
