//! The first time through the text: how often each headword has each translation.

use std::ops::Range;

use super::config::ConcordanceConfig;
use super::numbers::Numbers;
use super::pair::{End, Ends, LinkedPair, confidence};
use super::query::Query;
use super::sequences;
use super::tally::{Counts, Tally, UNTRANSLATED};
use crate::bitext::Vocabulary;
use crate::error::Result;

/// What was counted.
#[derive(Debug)]
pub(super) struct Counted {
    pub(super) numbers: Numbers,
    pub(super) counts: Counts,
    pub(super) pairs: u64,
    pub(super) words: u64,
    /// How often each translation occurs with any word; not known yet after a query.
    pub(super) marginals: Option<Vec<u64>>,
}

impl Counted {
    pub(super) fn has_marginals(&self) -> bool {
        self.marginals.is_some()
    }

    /// What was looked up and does not occur.
    pub(super) fn missing(&self, query: &Query) -> Vec<String> {
        let Some((finder, phrases)) = &self.numbers.phrases else { return Vec::new() };
        let keys = |phrase| sequences::keys(phrases, phrase).flatten().collect::<Vec<u32>>();
        let phrases: Vec<Vec<u32>> = (0..phrases.len() as u32).map(keys).collect();
        let found = finder.found(phrases.iter().map(Vec::as_slice));
        let missing = query.given.iter().zip(found).filter(|(_, found)| !found);
        missing.map(|(given, _)| given.clone()).collect()
    }
}

/// Counts pair after pair.
#[derive(Debug)]
pub(super) struct Counter {
    numbers: Numbers,
    tally: Tally,
    pairs: u64,
    words: u64,
    /// The keys of the current pair, and what is linked.
    own: Vec<u32>,
    other: Vec<Option<u32>>,
    ends: Ends,
    spans: Vec<Range<usize>>,
    bytes: Vec<u8>,
}

impl Counter {
    pub(super) fn new(config: &ConcordanceConfig, query: &Query) -> Self {
        Self {
            numbers: Numbers::new(config, query),
            tally: Tally::new(),
            pairs: 0,
            words: 0,
            own: Vec::new(),
            other: Vec::new(),
            ends: Ends::default(),
            spans: Vec::new(),
            bytes: Vec::new(),
        }
    }

    /// Counts the words of a pair.
    pub(super) fn add(&mut self, pair: &LinkedPair<'_>) -> Result<()> {
        self.pairs += 1;
        pair.check(self.pairs)?;
        let Numbers { side, threshold, heads, others, phrases, translations } = &mut self.numbers;
        let (own, other) = (&mut self.own, &mut self.other);
        own.clear();
        own.extend(pair.counted(*side).iter().map(|word| heads.count(word)));
        other.clear();
        other.extend(pair.counted(1 - *side).iter().map(|word| Some(others.count(word))));
        self.words += own.len() as u64;
        let Some((finder, found)) = phrases else {
            self.ends.replace(pair, *side, *threshold);
            for (place, &head) in own.iter().enumerate() {
                let ends = self.ends.of_word(place);
                let number = number(ends, other, translations, &mut self.bytes);
                self.tally.add(head, number, confidence(ends));
            }
            return Ok(());
        };
        finder.learn(heads);
        finder.find(own, &mut self.spans);
        if self.spans.is_empty() {
            return Ok(());
        }
        self.ends.replace(pair, *side, *threshold);
        for span in self.spans.iter().cloned() {
            self.bytes.clear();
            for &key in &own[span.clone()] {
                sequences::push_key(key, &mut self.bytes);
            }
            let head = found.intern(&self.bytes).index() as u32;
            let ends = self.ends.of(span);
            let number = number(ends, other, translations, &mut self.bytes);
            self.tally.add(head, number, confidence(ends));
        }
        Ok(())
    }

    /// What was counted.
    pub(super) fn finish(mut self) -> Counted {
        self.numbers.heads.settle();
        self.numbers.others.settle();
        let counts = self.tally.finish();
        let translations = self.numbers.translations.len();
        let marginals = self.numbers.phrases.is_none().then(|| {
            let mut marginals = vec![0; translations];
            for counted in counts.iter().filter(|counted| counted.translation != UNTRANSLATED) {
                marginals[counted.translation as usize] += counted.count;
            }
            marginals
        });
        Counted { numbers: self.numbers, counts, pairs: self.pairs, words: self.words, marginals }
    }
}

/// The number of the translation that links lead to.
fn number(ends: &[End], keys: &[Option<u32>], translations: &mut Vocabulary, bytes: &mut Vec<u8>) -> u32 {
    if ends.is_empty() || !sequences::of_ends(ends, keys, bytes) {
        return UNTRANSLATED;
    }
    translations.intern(bytes).index() as u32
}
