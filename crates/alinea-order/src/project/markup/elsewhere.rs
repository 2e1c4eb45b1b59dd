//! What is in tags elsewhere in the text.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::placing::Stretches;
use super::sides::Sides;
use super::structure::{Structure, Unit};

/// Words of longer stretches are not counted: a whole sentence in tags says nothing of its words.
const LONGEST: usize = 12;

/// So many of the stretches that pairs around the same source words have are looked for.
const MOST_KNOWN: usize = 4;

/// So many places of each are tried.
const MOST_PLACES: usize = 8;

/// Logarithms of odds are between this and its negative.
const MOST_ODDS: f64 = 2.5;

/// What was found in a pair: how often each form occurs, how often in tags, and how often in tags around a phrase.
#[derive(Debug, Default)]
pub(super) struct Own {
    forms: BTreeMap<u32, [u32; 2]>,
    of_phrases: BTreeMap<(u32, u32), u32>,
    /// Phrases, and what they are around in the target.
    phrases: BTreeMap<u32, Around>,
}

/// What pairs around a phrase are around in the target, how often.
type Around = BTreeMap<Vec<u32>, u32>;

impl Own {
    pub(super) fn new(structure: &Structure, sides: &Sides, found: &Stretches) -> Self {
        let mut own = Self::default();
        let mut is_tagged = vec![false; sides.target_forms.len()];
        let mut by_phrase: BTreeSet<(u32, usize)> = BTreeSet::new();
        for (unit, words) in structure.units.iter().zip(&found.words) {
            let Some(words) = words else { continue };
            if let Some(phrase) = unit.phrase {
                let around = own.phrases.entry(phrase).or_default();
                *around.entry(sides.target_forms[words.clone()].to_vec()).or_default() += 1;
            }
            if words.len() <= LONGEST {
                is_tagged[words.clone()].fill(true);
                by_phrase.extend(unit.phrase.iter().flat_map(|&phrase| words.clone().map(move |word| (phrase, word))));
            }
        }
        for (&form, is_tagged) in sides.target_forms.iter().zip(is_tagged) {
            let counts = own.forms.entry(form).or_default();
            counts[0] += 1;
            counts[1] += u32::from(is_tagged);
        }
        for (phrase, word) in by_phrase {
            *own.of_phrases.entry((phrase, sides.target_forms[word])).or_default() += 1;
        }
        own
    }
}

/// How many there are, and those that come most often with their counts.
type MostAround = (u32, Vec<(Vec<u32>, u32)>);

/// How many there are, and those that come most often, some more than are looked for since those of the pair itself do not count.
fn most(around: Around) -> MostAround {
    let total = around.values().sum();
    let mut most: Vec<(Vec<u32>, u32)> = around.into_iter().collect();
    most.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    most.truncate(2 * MOST_KNOWN);
    (total, most)
}

/// The same of a text.
#[derive(Debug)]
pub(super) struct Elsewhere {
    forms: Vec<[u32; 2]>,
    of_phrases: BTreeMap<(u32, u32), u32>,
    /// How many pairs are around a phrase, and what most of them are around in the target.
    phrases: BTreeMap<u32, MostAround>,
    /// The share of all words that are in tags.
    share: f64,
}

impl Elsewhere {
    pub(super) fn new<'s>(sides: impl Iterator<Item = &'s Sides>, all: &[Own]) -> Self {
        let last = sides.filter_map(|sides| sides.target_forms.iter().max().copied()).max();
        let mut forms = vec![[0; 2]; last.map_or(0, |last| last as usize + 1)];
        let (mut of_phrases, mut phrases) = (BTreeMap::new(), BTreeMap::<u32, Around>::new());
        for own in all {
            for (&form, counts) in &own.forms {
                forms[form as usize][0] += counts[0];
                forms[form as usize][1] += counts[1];
            }
            for (&key, count) in &own.of_phrases {
                *of_phrases.entry(key).or_default() += count;
            }
            for (&phrase, around) in &own.phrases {
                let all = phrases.entry(phrase).or_default();
                for (words, count) in around {
                    *all.entry(words.clone()).or_default() += count;
                }
            }
        }
        let phrases = phrases.into_iter().map(|(phrase, around)| (phrase, most(around))).collect();
        let sum = |which: usize| forms.iter().map(|counts: &[u32; 2]| f64::from(counts[which])).sum::<f64>();
        let share = (sum(1) / sum(0).max(1.0)).clamp(1e-6, 1.0 - 1e-6);
        Self { forms, of_phrases, phrases, share }
    }

    /// The logarithm of the odds with which a form is in tags in other pairs, around other words than those of a unit, against those of any word.
    pub(super) fn odds(&self, own: &Own, unit: &Unit, form: u32) -> f64 {
        let [all, tagged] = self.forms[form as usize];
        let [own_all, own_tagged] = own.forms.get(&form).copied().unwrap_or_default();
        let around_same = unit.phrase.map_or(0, |phrase| {
            let count = |counts: &BTreeMap<(u32, u32), u32>| counts.get(&(phrase, form)).copied().unwrap_or(0);
            count(&self.of_phrases).saturating_sub(count(&own.of_phrases))
        });
        let tagged = f64::from(tagged.saturating_sub(own_tagged).saturating_sub(around_same));
        let others = f64::from(all.saturating_sub(own_all).saturating_sub(around_same)) - tagged;
        let odds = (tagged + self.share) / (others.max(0.0) + 1.0 - self.share) / (self.share / (1.0 - self.share));
        odds.ln().clamp(-MOST_ODDS, MOST_ODDS)
    }

    /// Where in a part of a sentence the words stand that other pairs around the words of a unit are around, and the share of those.
    pub(super) fn known(&self, own: &Own, unit: &Unit, sides: &Sides, range: Range<usize>) -> Vec<(Range<usize>, f64)> {
        let Some((phrase, all)) = unit.phrase.and_then(|phrase| Some((phrase, self.phrases.get(&phrase)?))) else {
            return Vec::new();
        };
        let (total, around) = all;
        let own = own.phrases.get(&phrase);
        let own_total: u32 = own.map_or(0, |own| own.values().sum());
        let total = f64::from(total - own_total) + 0.5;
        let others = around
            .iter()
            .map(|(words, count)| (count - own.and_then(|own| own.get(words)).copied().unwrap_or(0), words.as_slice()));
        let mut known = Vec::new();
        let forms = &sides.target_forms[range.clone()];
        for (count, words) in others.filter(|(count, _)| *count > 0).take(MOST_KNOWN) {
            let share = f64::from(count) / total;
            let found = forms.windows(words.len()).enumerate().filter(|(_, window)| *window == words);
            known.extend(
                found
                    .map(|(place, _)| (range.start + place..range.start + place + words.len(), share))
                    .take(MOST_PLACES),
            );
        }
        known
    }
}
