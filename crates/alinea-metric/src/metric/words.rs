//! What the metrics that compare words share: segments as sequences of word numbers, and means over segments.
//!
//! A `WordReader` tokenizes lines, in lower case if asked, and numbers their words: equal words of a segment have equal
//! numbers, from 0 without gaps. The numbers are forgotten with the next references.
//!
//! `BestReference` makes a `Measurer` of a `PairScorer`, which compares a hypothesis with one reference: the row of a
//! segment is the score by the best reference, and 1, so that the score of a text (`mean`) is the mean over segments.
//!
//! `Places` has the positions of each word of a sentence, ascending, by a counting sort. `check_equal_words` refuses
//! lines with too many pairs of equal words before something starts whose time is the number of these pairs.

use super::tokenize::{Tokenizer, Tokens, is_blank};
use super::{Measurer, Signature};
use crate::bitext::Vocabulary;
use crate::error::{Error, Result};
use crate::limits;

/// Reads lines into numbers of words: equal words of a segment have equal numbers, from 0 without gaps.
#[derive(Debug)]
pub(super) struct WordReader<'m> {
    tokenizer: &'m dyn Tokenizer,
    lowercase: bool,
    tokens: Tokens,
    lowered: String,
    vocabulary: Vocabulary,
    references: Vec<u32>,
    /// Where each reference ends.
    ends: Vec<usize>,
    hypothesis: Vec<u32>,
}

impl<'m> WordReader<'m> {
    pub(super) fn new(tokenizer: &'m dyn Tokenizer, lowercase: bool) -> Self {
        Self {
            tokenizer,
            lowercase,
            tokens: Tokens::default(),
            lowered: String::new(),
            vocabulary: Vocabulary::default(),
            references: Vec::new(),
            ends: Vec::new(),
            hypothesis: Vec::new(),
        }
    }

    /// Replaces the references, and forgets all words.
    pub(super) fn read_references(&mut self, references: &[&str]) -> Result<()> {
        self.vocabulary.clear();
        self.references.clear();
        self.ends.clear();
        for reference in references {
            self.tokenize(reference)?;
            let vocabulary = &mut self.vocabulary;
            self.references.extend(self.tokens.iter().map(|token| vocabulary.intern(token.as_bytes()).index() as u32));
            self.ends.push(self.references.len());
        }
        Ok(())
    }

    /// Replaces the hypothesis; words that no reference has get numbers too.
    pub(super) fn read_hypothesis(&mut self, hypothesis: &str) -> Result<()> {
        self.tokenize(hypothesis)?;
        let vocabulary = &mut self.vocabulary;
        self.hypothesis.clear();
        self.hypothesis.extend(self.tokens.iter().map(|token| vocabulary.intern(token.as_bytes()).index() as u32));
        Ok(())
    }

    fn tokenize(&mut self, line: &str) -> Result<()> {
        let line = line.trim_end_matches(is_blank);
        if self.lowercase {
            self.lowered.clear();
            self.lowered.push_str(&line.to_lowercase());
            self.tokenizer.tokenize(&self.lowered, &mut self.tokens)
        } else {
            self.tokenizer.tokenize(line, &mut self.tokens)
        }
    }

    /// The references, as many as were read.
    pub(super) fn references(&self) -> impl ExactSizeIterator<Item = &[u32]> + Clone {
        self.ends.iter().enumerate().map(|(number, &end)| {
            let start = if number == 0 { 0 } else { self.ends[number - 1] };
            &self.references[start..end]
        })
    }

    pub(super) fn hypothesis(&self) -> &[u32] {
        &self.hypothesis
    }

    /// The words that have numbers.
    pub(super) fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }
}

/// Says in a signature how lines become words.
pub(super) fn sign_words(signature: &mut Signature, tokenizer: &dyn Tokenizer, lowercase: bool) {
    signature.push("case", "c", if lowercase { "lc" } else { "mixed" });
    signature.push("tok", "tok", tokenizer.name());
}

/// Scores a hypothesis by one reference.
pub(super) trait PairScorer: Send {
    /// The score; `words` has the words that the numbers stand for.
    ///
    /// # Errors
    /// `OverLimit` for lines that would take too long.
    fn score(&mut self, reference: &[u32], hypothesis: &[u32], words: &Vocabulary) -> Result<f64>;
}

/// Refuses lines that have too many pairs of equal words ([`limits::EQUAL_WORDS`]), among them those of two words of the
/// hypothesis; all words are below `words`. Linear.
pub(super) fn check_equal_words(reference: &[u32], hypothesis: &[u32], words: usize) -> Result<()> {
    let all = (reference.len() + hypothesis.len()) as u64 * hypothesis.len() as u64;
    if limits::EQUAL_WORDS.check(all).is_ok() {
        return Ok(());
    }
    let mut counts = vec![0u64; words];
    reference.iter().chain(hypothesis).for_each(|&word| counts[word as usize] += 1);
    limits::EQUAL_WORDS.check(hypothesis.iter().map(|&word| counts[word as usize]).sum::<u64>())
}

/// Statistics of metrics whose score of a text is the mean over segments, of the score by the reference that gives the
/// best: that score, and 1.
#[derive(Debug)]
pub(super) struct BestReference<'m, S> {
    pub(super) reader: WordReader<'m>,
    pub(super) scorer: S,
}

/// Numbers of a segment.
pub(super) const MEAN_WIDTH: usize = 2;

impl<S: PairScorer> Measurer for BestReference<'_, S> {
    fn read_references(&mut self, references: &[&str]) -> Result<()> {
        self.reader.read_references(references)
    }

    fn measure(&mut self, hypothesis: &str, statistics: &mut [f64]) -> Result<()> {
        self.reader.read_hypothesis(hypothesis)?;
        let (words, hypothesis) = (self.reader.vocabulary(), self.reader.hypothesis());
        let mut best = f64::NEG_INFINITY;
        for reference in self.reader.references() {
            best = best.max(self.scorer.score(reference, hypothesis, words)?);
        }
        statistics.copy_from_slice(&[best, 1.0]);
        Ok(())
    }
}

/// The mean of sums of such statistics; 0 without segments.
pub(super) fn mean(sums: &[f64]) -> f64 {
    if sums[1] > 0.0 { sums[0] / sums[1] } else { 0.0 }
}

/// The places of each word of a sentence.
#[derive(Debug, Default)]
pub(super) struct Places {
    ends: Vec<u32>,
    places: Vec<u32>,
}

impl Places {
    /// Replaces the sentence; all words are below `words`.
    pub(super) fn read(&mut self, sentence: &[u32], words: usize) {
        self.ends.clear();
        self.ends.resize(words + 1, 0);
        for &word in sentence {
            self.ends[word as usize + 1] += 1;
        }
        for word in 1..=words {
            self.ends[word] += self.ends[word - 1];
        }
        self.places.clear();
        self.places.resize(sentence.len(), 0);
        // Starts become ends while places are written, and are shifted back by one word.
        for (place, &word) in (0..).zip(sentence) {
            let next = &mut self.ends[word as usize];
            self.places[*next as usize] = place;
            *next += 1;
        }
    }

    /// The places of a word, in order.
    pub(super) fn of(&self, word: u32) -> &[u32] {
        let word = word as usize;
        let start = if word == 0 { 0 } else { self.ends[word - 1] };
        &self.places[start as usize..self.ends[word] as usize]
    }
}

/// Refuses exponents, and weights, that could make a score more than 1, or no number.
pub(super) fn check_exponent(field: &'static str, value: f64) -> Result<()> {
    if value.is_finite() && value >= 0.0 {
        return Ok(());
    }
    Err(Error::config(field, value, "finite numbers, at least 0"))
}
