//! Phrase extraction: all pairs of spans that are consistent with the links of a sentence pair.
//!
//! The definition is in the parent module. For each first source word the end of the span moves to the right, and the
//! *hull*, the least target span with all links of these source words, grows with it. Since the hull contains all links
//! of the source span, the pair is consistent if and only if both have the same number of links. Prefix sums over the
//! positions give both numbers in constant time. Each consistent pair is then widened over target words without links
//! on both sides of the hull. A hull longer than the limit ends the loop, for it never shrinks.
//!
//! The sums are indices as well: with the links sorted by source and by target, those of a span are a slice.
//! A [`PhraseExtractor`] has the buffers of one thread, and [`Phrases`] borrows what it found. O(I L + pairs) for I
//! source words and length limit L, after the links were sorted.

use std::num::NonZeroU32;

use super::{PhrasePair, Span};
use crate::alignment::{Alignment, Link};
use crate::error::{Error, ErrorKind, Result};
use crate::limits;

/// All phrase pairs of a sentence pair with at most `max_length` words on either side; see the module for the definition.
///
/// # Errors
/// As [`PhraseExtractor::extract`].
pub fn phrase_pairs(
    links: &Alignment,
    source_len: usize,
    target_len: usize,
    max_length: Option<NonZeroU32>,
) -> Result<Vec<PhrasePair>> {
    let mut extractor = PhraseExtractor::new(max_length);
    extractor.extract(links, source_len, target_len)?;
    Ok(extractor.pairs)
}

/// Extracts phrase pairs from many sentence pairs, and keeps its buffers between them. One for each thread.
#[derive(Debug, Clone)]
pub struct PhraseExtractor {
    longest: u32,
    /// The links in the order (source, target), and in the order (target, source).
    by_source: Vec<Link>,
    by_target: Vec<Link>,
    /// The number of links of the words before each position, and of all words.
    source_sums: Vec<u32>,
    target_sums: Vec<u32>,
    pairs: Vec<PhrasePair>,
    /// The words of all pairs.
    words: u64,
}

impl PhraseExtractor {
    /// Extracts phrases of at most `max_length` words on either side; without it, of any length. Then there may be as many
    /// pairs as there are pairs of spans.
    pub fn new(max_length: Option<NonZeroU32>) -> Self {
        Self {
            longest: max_length.map_or(u32::MAX, NonZeroU32::get),
            by_source: Vec::new(),
            by_target: Vec::new(),
            source_sums: Vec::new(),
            target_sums: Vec::new(),
            pairs: Vec::new(),
            words: 0,
        }
    }

    /// Finds the phrase pairs of sentences with the given numbers of words.
    ///
    /// # Errors
    /// `Inconsistent` if a link leads out of the sentences, or a sentence has 2^32 words or more; `OverLimit` if the phrases
    /// have more than [`limits::PHRASE_WORDS`] words in all.
    pub fn extract(&mut self, links: &Alignment, source_len: usize, target_len: usize) -> Result<Phrases<'_>> {
        self.pairs.clear();
        self.words = 0;
        self.load(links, [source_len, target_len])?;
        let source_len = source_len as u32;
        for start in 0..source_len {
            self.extract_from(start, start.saturating_add(self.longest).min(source_len))?;
        }
        Ok(Phrases { extractor: self })
    }

    fn load(&mut self, links: &Alignment, lengths: [usize; 2]) -> Result<()> {
        let [source_len, target_len] = lengths;
        if let Some(link) = links.first_outside(source_len, target_len) {
            return Err(Error::link_outside_sentences(link, lengths));
        }
        if lengths.iter().any(|&length| u32::try_from(length).is_err()) {
            let message = format!("sentences of {source_len} and {target_len} words are too long");
            return Err(ErrorKind::Inconsistent(message).into());
        }
        self.by_source.clear();
        self.by_source.extend_from_slice(links.links());
        self.by_target.clear();
        self.by_target.extend_from_slice(links.links());
        self.by_target.sort_unstable_by_key(|link| (link.target, link.source));
        sum_up(self.by_source.iter().map(|link| link.source), source_len, &mut self.source_sums);
        sum_up(self.by_target.iter().map(|link| link.target), target_len, &mut self.target_sums);
        Ok(())
    }

    /// The pairs whose source span begins at `start` and ends at `last` or before.
    fn extract_from(&mut self, start: u32, last: u32) -> Result<()> {
        let mut hull: Option<Span> = None;
        for end in start + 1..=last {
            let own = &self.by_source[range(&self.source_sums, Span::new(end - 1, end))];
            if let (Some(first), Some(last)) = (own.first(), own.last()) {
                let own = Span::new(first.target, last.target + 1);
                hull = Some(hull.map_or(own, |hull| Span::new(hull.start.min(own.start), hull.end.max(own.end))));
            }
            let Some(hull) = hull else { continue };
            if hull.len() > self.longest {
                return Ok(());
            }
            // All links of the source span lie in the hull: if it has no more, none of its words is linked elsewhere.
            let source = Span::new(start, end);
            if range(&self.source_sums, source).len() == range(&self.target_sums, hull).len() {
                self.push_all(source, hull)?;
            }
        }
        Ok(())
    }

    /// The pairs of a source span with its hull, and with the words beside that have no links.
    fn push_all(&mut self, source: Span, hull: Span) -> Result<()> {
        let target_len = self.target_sums.len() as u32 - 1;
        let mut first = hull.start;
        while first > 0 && self.is_free(first - 1) && hull.end - first < self.longest {
            first -= 1;
        }
        for start in first..=hull.start {
            let mut target = Span::new(start, hull.end);
            self.push(PhrasePair { source, target })?;
            while target.end < target_len && self.is_free(target.end) && target.len() < self.longest {
                target.end += 1;
                self.push(PhrasePair { source, target })?;
            }
        }
        Ok(())
    }

    fn push(&mut self, pair: PhrasePair) -> Result<()> {
        self.words += u64::from(pair.source.len()) + u64::from(pair.target.len());
        if self.words > limits::PHRASE_WORDS.most {
            return Err(limits::PHRASE_WORDS.unbounded());
        }
        self.pairs.push(pair);
        Ok(())
    }

    /// Whether a target word has no links.
    fn is_free(&self, target: u32) -> bool {
        range(&self.target_sums, Span::new(target, target + 1)).is_empty()
    }
}

/// Where the links of the words of a span are.
fn range(sums: &[u32], span: Span) -> std::ops::Range<usize> {
    sums[span.start as usize] as usize..sums[span.end as usize] as usize
}

/// Counts positions, which come in order, before each of `length` positions.
fn sum_up(positions: impl Iterator<Item = u32>, length: usize, sums: &mut Vec<u32>) {
    sums.clear();
    let mut counted = 0;
    for position in positions {
        sums.resize(position as usize + 1, counted);
        counted += 1;
    }
    sums.resize(length + 1, counted);
}

/// The phrase pairs of a sentence pair.
#[derive(Debug, Clone, Copy)]
pub struct Phrases<'e> {
    extractor: &'e PhraseExtractor,
}

impl<'e> Phrases<'e> {
    /// The pairs, sorted by source span and then target span.
    pub fn pairs(self) -> &'e [PhrasePair] {
        &self.extractor.pairs
    }

    /// The links inside a pair, by their places in the sentences, in the order (target, source).
    ///
    /// # Panics
    /// If the pair is none of these, and reaches out of the sentences.
    pub fn links(self, pair: PhrasePair) -> &'e [Link] {
        &self.extractor.by_target[range(&self.extractor.target_sums, pair.target)]
    }

    /// The numbers of source and target words.
    pub(super) fn lengths(self) -> [u32; 2] {
        [&self.extractor.source_sums, &self.extractor.target_sums].map(|sums| sums.len() as u32 - 1)
    }

    /// Whether two words of the sentences are linked. O(log links).
    pub(super) fn are_linked(self, source: u32, target: u32) -> bool {
        self.extractor.by_source.binary_search(&Link::new(source, target)).is_ok()
    }
}
