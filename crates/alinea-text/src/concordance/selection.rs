//! What is listed of what was counted: headwords in order, and the best translations of each.
//!
//! Texts are compared only where ranks are equal and it matters, since most translations occur once and are not listed.

use std::ops::Range;

use super::association::Table;
use super::config::{ConcordanceConfig, Rank};
use super::counter::Counted;
use super::numbers::Numbers;
use super::tally::{self, UNTRANSLATED};

/// A headword.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) head: u32,
    pub(super) count: u64,
    pub(super) untranslated: u64,
    /// Its translations; the slot behind them is for what is untranslated.
    pub(super) slots: Range<usize>,
    /// Types and occurrences of other translations.
    pub(super) others: [u64; 2],
}

/// A translation of a headword, or what is untranslated.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    pub(super) head: u32,
    pub(super) translation: u32,
    pub(super) count: u64,
    pub(super) confidence: Option<f64>,
}

/// What is listed: headwords in their order, and slots, of each headword together.
#[derive(Debug, Default)]
pub(super) struct Selection {
    pub(super) entries: Vec<Entry>,
    pub(super) slots: Vec<Slot>,
}

impl Selection {
    /// Chooses what is listed.
    pub(super) fn choose(counted: &Counted, config: &ConcordanceConfig) -> Self {
        let mut selection = Self::default();
        let mut group = Vec::new();
        for counts in counted.counts.by_head() {
            group.clear();
            group.extend(counts);
            selection.add(&mut group, counted, config);
        }
        let entries = std::mem::take(&mut selection.entries).into_iter();
        let mut sorted: Vec<_> = entries.map(|entry| (counted.numbers.head(entry.head), entry)).collect();
        sorted.sort_unstable_by(|(a, one), (b, other)| other.count.cmp(&one.count).then_with(|| a.cmp(b)));
        selection.entries = sorted.into_iter().map(|(_, entry)| entry).collect();
        selection
    }

    /// Adds a headword with all that was counted of it, untranslated last.
    fn add(&mut self, counts: &mut Vec<tally::Counted>, counted: &Counted, config: &ConcordanceConfig) {
        let head = counts[0].head;
        let count = counts.iter().map(|counted| counted.count).sum();
        if count < config.min_count {
            return;
        }
        let untranslated = counts.pop_if(|last| last.translation == UNTRANSLATED).map_or(0, |last| last.count);
        let types = counts.len();
        counts.retain(|translation| translation.count >= config.min_count);
        best(counts, config, |found| Scores::of(found, count, counted), &counted.numbers);
        let start = self.slots.len();
        self.slots.extend(counts.iter().map(|found| Slot {
            head,
            translation: found.translation,
            count: found.count,
            confidence: found.sum.mean(),
        }));
        let end = self.slots.len();
        self.slots.push(Slot { head, translation: UNTRANSLATED, count: untranslated, confidence: None });
        let listed: u64 = counts.iter().map(|found| found.count).sum();
        let others = [(types - counts.len()) as u64, count - untranslated - listed];
        self.entries.push(Entry { head, count, untranslated, slots: start..end, others });
    }
}

/// Leaves the best, in order.
fn best(
    counts: &mut Vec<tally::Counted>,
    config: &ConcordanceConfig,
    scores: impl Fn(&tally::Counted) -> Scores,
    numbers: &Numbers,
) {
    let mut ranked: Vec<(f64, tally::Counted)> = counts
        .drain(..)
        .map(|found| match config.rank {
            Rank::Count => (found.count as f64, found),
            Rank::LogLikelihood => (scores(&found).log_likelihood, found),
            Rank::Dice => (scores(&found).dice, found),
        })
        .collect();
    ranked.sort_unstable_by(|(a, one), (b, other)| b.total_cmp(a).then(other.count.cmp(&one.count)));
    let top = config.top.unwrap_or(usize::MAX);
    let mut at = 0;
    let equal =
        |a: &(f64, tally::Counted), b: &(f64, tally::Counted)| a.0.to_bits() == b.0.to_bits() && a.1.count == b.1.count;
    for group in ranked.chunk_by_mut(equal) {
        if at >= top {
            break;
        }
        at += group.len();
        if group.len() > 1 {
            group.sort_by_cached_key(|(_, found)| numbers.translation(found.translation));
        }
    }
    counts.extend(ranked.into_iter().take(top).map(|(_, found)| found));
}

/// How far a translation belongs to a headword.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scores {
    pub(super) log_likelihood: f64,
    pub(super) dice: f64,
}

impl Scores {
    fn of(found: &tally::Counted, headword: u64, counted: &Counted) -> Self {
        Self::new(found.head, found.translation, [found.count, headword], counted)
    }

    /// Of a translation that occurs so often with a headword, which occurs so often.
    pub(super) fn new(head: u32, translation: u32, [both, headword]: [u64; 2], counted: &Counted) -> Self {
        let of_words = counted.marginals.as_ref().and_then(|all| all.get(translation as usize)).copied().unwrap_or(0);
        // Where each occurrence of a phrase is one word more, it is also one more that is translated so.
        let (translation, words) = if counted.numbers.is_phrase(head) {
            (of_words + both, counted.words + headword)
        } else {
            (of_words.max(both), counted.words)
        };
        let table = Table { both, headword, translation, words };
        Self { log_likelihood: table.log_likelihood(), dice: table.dice() }
    }
}
