//! What people link, learned from links that they made.
//!
//! One annotator links articles to the noun of the other language, another leaves them alone; one marks whole phrases, another
//! words. A [`Guideline`] is what a [`Decision`](super::Decision) lacks of that, learned from the gold links of some pairs of a text.
//! With z the log-odds that were decided, x the [features](super::PairFeatures) of the cell of the words e and f, and q the
//! confidences beside it, the log-odds of a link become
//!
//! ```text
//! z' = z + a z + w · x + b(e) + c(e) q(i+1, j) + d(e) q(i-1, j) + b(f) + c(f) q(i, j+1) + d(f) q(i, j-1) + p(e, f) .
//! ```
//!
//! Words and pairs of words are those that stand in two of the gold pairs or more, in lower case.
//!
//! **How it is learned.** All weights have a normal prior around 0: with a deviation of .3 for a, .5 for w and b, 1 for the others. So
//! nothing changes if the gold links say nothing, and a little changes if they are few. The most probable weights are those of a
//! logistic regression ([`logistic`](super::logistic)) over the cells that may be links; links that are only possible are left out.
//! Links begin where the AER (Och and Ney 2003) of the gold pairs is least, among 41 log-odds around those of the decision, with
//! the mean over seven neighbors in place of each, and a penalty for going far.
//!
//! **What it is worth** is found by cross-validation ([`CrossValidation`]): links of each fifth of the gold pairs by what was learned of the
//! others. If that is no better than the decision alone, nothing is changed. From the same log-odds come the maps that
//! make them log-odds of sure links and of links at all, so that confidences are probabilities for this guideline.

mod gold_cells;
mod learning;

use std::collections::BTreeMap;

pub use gold_cells::GoldCells;
pub use learning::{CrossValidation, Learned};

use super::calibration::Calibration;
use super::features::{FEATURES, NAMES, NEAR, PairFeatures};
use super::{Word, four_digits};
use crate::bitext::Vocabulary;
use crate::error::Result;
use crate::numeric::sigmoid;
use crate::storage::{Container, ContainerWriter};

/// The weights of a word: by itself, and beside the link of the next and of the previous word of its language.
type OfWord = [f32; 3];

/// What people link, as far as their links have told.
#[derive(Debug, Clone, PartialEq)]
pub struct Guideline {
    /// The sentence pairs that it was learned from.
    pairs: usize,
    /// 1 + a.
    of_score: f64,
    of_features: [f64; FEATURES],
    /// Of source and target words, by ascending hash of their spelling.
    words: [Vec<(u64, OfWord)>; 2],
    /// Of pairs of words, in the same order.
    word_pairs: Vec<([u64; 2], f32)>,
    /// The log-odds from which on a cell is a link.
    least: f64,
    /// What makes the probability of a sure link that of a link at all.
    possible: Calibration,
}

/// What a guideline changes, for people.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The name of a feature, `source word the`, `target word le`, or `the ~ le`.
    pub of: String,
    /// What is added to the log-odds of a link, per unit of the feature.
    pub weight: f64,
}

impl Guideline {
    /// How many sentence pairs it was learned from.
    pub fn pairs(&self) -> usize {
        self.pairs
    }

    /// How many weights of words and pairs of words it has.
    pub fn words(&self) -> [usize; 3] {
        [self.words[0].len(), self.words[1].len(), self.word_pairs.len()]
    }

    /// The probability from which on a cell is a link, with four digits, as signatures show it.
    pub fn threshold(&self) -> f32 {
        four_digits(sigmoid(self.least))
    }

    /// What makes a probability of a sure link one of a link at all.
    pub fn possible(&self) -> Calibration {
        self.possible
    }

    /// The log-odds from which on a cell is a link.
    pub fn least_log_odds(&self) -> f64 {
        self.least
    }

    /// z', the log-odds of a cell, from those that were decided.
    ///
    /// # Panics
    /// If there is no such cell.
    pub fn log_odds(&self, features: &PairFeatures<'_>, row: usize, column: usize, decided: f64) -> f64 {
        let [sources, targets] = features.words();
        self.moved(decided, &features.of(row, column), [sources[row].spelling, targets[column].spelling])
    }

    /// z', from z and what is known of a cell.
    fn moved(&self, decided: f64, features: &[f32; FEATURES], spellings: [u64; 2]) -> f64 {
        let mut sum = self.of_score * decided;
        sum += self.of_features.iter().zip(features).map(|(weight, &value)| weight * f64::from(value)).sum::<f64>();
        for (side, near) in [near_source(features), near_target(features)].into_iter().enumerate() {
            if let Some([alone, next, previous]) = found(&self.words[side], &spellings[side]) {
                sum += f64::from(alone + next * near[0] + previous * near[1]);
            }
        }
        sum + found(&self.word_pairs, &spellings).map_or(0.0, |&weight| f64::from(weight))
    }

    /// What it changes, most first; given are the words of source and target, of which it shows those that it knows.
    pub fn changes(&self, words: [&Vocabulary; 2]) -> Vec<Change> {
        let names = [0, 1].map(|side| {
            let spelled = words[side].words().map(|word| (Word::new(word, 0).spelling, word));
            let known = spelled.filter(|(spelling, _)| found(&self.words[side], spelling).is_some());
            known.map(|(spelling, word)| (spelling, String::from_utf8_lossy(word).to_lowercase())).collect()
        });
        let names: [BTreeMap<u64, String>; 2] = names;
        let features = NAMES.iter().zip(self.of_features).map(|(name, weight)| ((*name).to_owned(), weight));
        let of_side = |side: usize, name: &'static str| {
            let weight = |&(spelling, [alone, ..]): &(u64, OfWord)| {
                Some((format!("{name} {}", names[side].get(&spelling)?), f64::from(alone)))
            };
            self.words[side].iter().filter_map(weight).collect::<Vec<_>>()
        };
        let of_both = self.word_pairs.iter().filter_map(|&([source, target], weight)| {
            Some((format!("{} ~ {}", names[0].get(&source)?, names[1].get(&target)?), f64::from(weight)))
        });
        let all = features.chain(of_side(0, "source word")).chain(of_side(1, "target word")).chain(of_both);
        let mut all: Vec<Change> = all.map(|(of, weight)| Change { of, weight }).collect();
        all.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()).then_with(|| a.of.cmp(&b.of)));
        all
    }

    /// Adds it to a file, under names that begin with this one.
    pub fn store(&self, name: &str, file: &mut ContainerWriter<'_>) {
        let Calibration { factor, summand } = self.possible;
        file.add_owned(numbers_of(name), vec![self.pairs as f64, self.of_score, self.least, factor, summand]);
        file.add_owned(format!("{name}.features"), self.of_features.to_vec());
        for (side, words) in SIDES.into_iter().zip(&self.words) {
            file.add_owned(format!("{name}.{side}.words"), words.iter().map(|&(spelling, _)| spelling).collect());
            file.add_owned(format!("{name}.{side}.weights"), words.iter().map(|&(_, weights)| weights).collect());
        }
        let pairs = &self.word_pairs;
        file.add_owned(format!("{name}.pairs.words"), pairs.iter().map(|&(words, _)| words).collect());
        file.add_owned(format!("{name}.pairs.weights"), pairs.iter().map(|&(_, weight)| weight).collect());
    }

    /// That of a file, if it has one of this name.
    ///
    /// # Errors
    /// `Io`; `Model` if its arrays are damaged, or not what [`store`](Self::store) writes.
    pub fn load(name: &str, file: &Container) -> Result<Option<Self>> {
        if !file.has(&numbers_of(name)) {
            return Ok(None);
        }
        let numbers = file.section_of::<f64>(&numbers_of(name), 5)?;
        let features = file.section_of::<f64>(&format!("{name}.features"), FEATURES)?;
        let mut words = [Vec::new(), Vec::new()];
        for (side, words) in SIDES.into_iter().zip(&mut words) {
            let spellings = file.section::<u64>(&format!("{name}.{side}.words"))?;
            let weights = file.section_of::<OfWord>(&format!("{name}.{side}.weights"), spellings.len())?;
            *words = spellings.into_iter().zip(weights).collect::<Vec<_>>();
        }
        let pairs = file.section::<[u64; 2]>(&format!("{name}.pairs.words"))?;
        let weights = file.section_of::<f32>(&format!("{name}.pairs.weights"), pairs.len())?;
        let word_pairs: Vec<([u64; 2], f32)> = pairs.into_iter().zip(weights).collect();
        let is_finite = numbers.iter().chain(&features).all(|number| number.is_finite())
            && words.iter().flatten().all(|(_, weights)| weights.iter().all(|weight| weight.is_finite()))
            && word_pairs.iter().all(|(_, weight)| weight.is_finite());
        let is_sorted =
            words.iter().all(|words| words.is_sorted_by(|a, b| a.0 < b.0)) && word_pairs.is_sorted_by(|a, b| a.0 < b.0);
        if !is_finite || !is_sorted {
            return Err(file.error(format!("numbers in `{name}`, by words in order"), "others".to_owned()));
        }
        let [pairs, of_score, least, factor, summand] = [0, 1, 2, 3, 4].map(|n| numbers[n]);
        let mut of_features = [0.0; FEATURES];
        of_features.copy_from_slice(&features);
        let possible = Calibration { factor, summand };
        Ok(Some(Self { pairs: pairs as usize, of_score, of_features, words, word_pairs, least, possible }))
    }
}

/// The sides, as names of arrays have them.
const SIDES: [&str; 2] = ["source", "target"];

/// The name of the array by which a file has one.
fn numbers_of(name: &str) -> String {
    format!("{name}.numbers")
}

/// What belongs to a name, in a list that is sorted by them.
fn found<'l, N: Ord, T>(list: &'l [(N, T)], name: &N) -> Option<&'l T> {
    let place = list.binary_search_by(|(other, _)| other.cmp(name)).ok()?;
    Some(&list[place].1)
}

/// What is beside a cell: the cells of the next and of the previous source word.
fn near_source(features: &[f32; FEATURES]) -> [f32; 2] {
    [features[NEAR + 2], features[NEAR + 3]]
}

/// Those of the next and of the previous target word.
fn near_target(features: &[f32; FEATURES]) -> [f32; 2] {
    [features[NEAR], features[NEAR + 1]]
}

#[cfg(test)]
mod tests;
