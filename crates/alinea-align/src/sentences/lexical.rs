//! How much of two sentences is translated by the other: evidence of a lexicon.
//!
//! Let p(t | s) be the probability of a translation and q(t) the share of t among the words of its text. A word s *explains*
//! t by
//!
//! ```text
//! v(t | s) = p(t | s) / (p(t | s) + q(t) + 0.02)
//! ```
//!
//! which is near 1 for translations, and small where t would be expected anyway. The score of two groups of sentences is the
//! mean over both sides of
//!
//! ```text
//! Σ_t w(t) max_s v(t | s) / Σ_t w(t)        with    w(t) = ln((n + 1) / n(t))
//! ```
//!
//! over the words t of a group and the words s of the other; n(t) of the n sentences of the text have t. Where a side has several
//! sentences, the least share of a single one is averaged with that: a short sentence that does not belong to the others would
//! hardly be noticed among all words. Only words count that some word of the other text translates, so that words which the
//! lexicon does not know are no evidence against a pair. Words that both texts have explain each other where they have a digit
//! or the lexicon knows neither.
//!
//! Moore 2002, *Fast and accurate sentence alignment of bilingual corpora*, AMTA, sums log probabilities of IBM Model 1 in
//! place of this mean; a mean can be compared between lexicons of any quality, and
//! [`EvidenceAligner`](crate::sentence_align::EvidenceAligner) learns what it is worth.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::bitext::{Dictionary, Side, Text, Vocabulary, WordId};
use crate::error::Result;
use crate::model::Model;
use crate::parallel::{Work, chunk_range};
use crate::progress::check;
use crate::sentence_align::{Candidate, Evidence, Scale};

/// Translations that are less probable are no evidence.
const LEAST: f32 = 0.01;

/// What is added to the share of a word: a translation of this probability explains half of the rarest word.
const FLOOR: f32 = 0.02;

/// Translations of a word that count, the best ones.
const MOST: usize = 16;

/// The probability that a word of both texts translates itself.
const IDENTICAL: f32 = 0.5;

/// Words of more sentences propose no pairs, and the pairs that are proposed for a sentence.
const RARE: usize = 30;
const PROPOSED: usize = 3;

/// The most sentences of a side of a group.
const SENTENCES: usize = 4;

/// Sentences that a thread looks at before it looks for more.
const CHUNK: usize = 64;

/// Words of two texts, and what translates them.
#[derive(Debug, Clone)]
pub struct LexicalEvidence {
    sides: [Vec<Sentence>; 2],
}

#[derive(Debug, Clone, Default)]
struct Sentence {
    /// The distinct words that can be explained, by number, and their weights.
    words: Vec<(u32, f32)>,
    /// The words of the other text that this sentence explains, by number, and how well.
    explained: Vec<(u32, f32)>,
}

/// How a source and a target word explain each other: the target word by the source word, and the other way.
#[derive(Debug, Clone, Copy)]
struct Entry {
    words: [u32; 2],
    values: [f32; 2],
}

impl LexicalEvidence {
    /// That of the translations of a model and of a dictionary, for the sentences of two texts. Words are compared byte by byte:
    /// texts are read in the form of the model, and so is the dictionary, whose weights count in proportion to those of the
    /// other entries of a word.
    ///
    /// O(pairs of the model × log pairs) once, then linear in the words of the texts.
    pub fn new(model: Option<&Model>, dictionary: &Dictionary, source: &Text, target: &Text) -> Self {
        let texts = [source, target];
        let vocabularies = [source.vocabulary(), target.vocabulary()];
        let mut entries = Vec::new();
        if let Some(model) = model {
            add_model(&mut entries, model, vocabularies);
        }
        add_dictionary(&mut entries, dictionary, vocabularies);
        add_identical(&mut entries, vocabularies);
        let mut entries = joined(entries);
        for (side, text) in texts.into_iter().enumerate() {
            let tokens = text.token_count().max(1) as f32;
            let shares: Vec<f32> = text.frequencies().into_iter().map(|count| count as f32 / tokens).collect();
            // The values of target words come first.
            for entry in &mut entries {
                let probability = &mut entry.values[1 - side];
                *probability /= *probability + shares[entry.words[side] as usize] + FLOOR;
            }
        }
        let sides = [0, 1].map(|side| {
            let explained_by = translations(&entries, side, vocabularies[side].len());
            sentences(texts[side], &explained_by, &can_be_explained(&entries, side, vocabularies[side].len()))
        });
        Self { sides }
    }
}

impl Evidence for LexicalEvidence {
    fn score(&self, source: Range<usize>, target: Range<usize>) -> f64 {
        let (source, target) = (&self.sides[0][source], &self.sides[1][target]);
        match (explained(source, target), explained(target, source)) {
            (Some(a), Some(b)) => f64::midpoint(a, b),
            (Some(share), None) | (None, Some(share)) => share,
            (None, None) => f64::NAN,
        }
    }

    fn name(&self) -> &'static str {
        "translations of words"
    }

    fn scale(&self) -> Scale {
        Scale { unrelated: 0.15, related: 0.5, deviation: 0.12 }
    }

    fn candidates(&self, work: Work<'_>) -> Result<Option<Vec<Candidate>>> {
        let [sources, targets] = &self.sides;
        let words = targets.iter().flat_map(|sentence| &sentence.words).map(|&(word, _)| word + 1).max().unwrap_or(0);
        let mut places: Vec<Vec<u32>> = vec![Vec::new(); words as usize];
        for (number, sentence) in (0..).zip(targets) {
            for &(word, _) in &sentence.words {
                places[word as usize].push(number);
            }
        }
        let weight = |number: u32, word: u32| -> f32 {
            let words = &targets[number as usize].words;
            words.binary_search_by_key(&word, |&(word, _)| word).map_or(0.0, |place| words[place].1)
        };
        let unrelated = self.scale().unrelated;
        let propose = |sums: &mut Vec<f32>, chunk: usize| {
            check(work.observer)?;
            sums.resize(targets.len(), 0.0);
            let mut proposed = Vec::new();
            for source in chunk_range(sources.len(), CHUNK, chunk) {
                let mut touched = Vec::new();
                for &(word, value) in &sources[source].explained {
                    let Some(places) = places.get(word as usize).filter(|places| places.len() <= RARE) else {
                        continue;
                    };
                    for &number in places {
                        let sum = &mut sums[number as usize];
                        if *sum == 0.0 {
                            touched.push(number);
                        }
                        *sum += value * weight(number, word);
                    }
                }
                touched.sort_by(|&a, &b| sums[b as usize].total_cmp(&sums[a as usize]).then(a.cmp(&b)));
                touched.dedup();
                for target in touched.iter().take(PROPOSED).map(|&number| number as usize) {
                    let weight = self.score(source..source + 1, target..target + 1) - unrelated;
                    if weight > 0.0 {
                        proposed.push(Candidate { source, target, weight });
                    }
                }
                for number in touched {
                    sums[number as usize] = 0.0;
                }
            }
            Ok(proposed)
        };
        let mut all = Vec::new();
        work.parallelism.map_ordered(sources.len().div_ceil(CHUNK), Vec::new, propose, |proposed| {
            all.extend(proposed);
            Ok(())
        })?;
        Ok(Some(all))
    }
}

/// Adds the translations of a model between words of two texts, as probabilities.
fn add_model(entries: &mut Vec<Entry>, model: &Model, [source, target]: [&Vocabulary; 2]) {
    model.for_each_translation(Side::Source, LEAST, |found| {
        let condition = found.condition.and_then(|word| source.id(word));
        if let (Some(source), Some(target)) = (condition, target.id(found.generated)) {
            entries.push(Entry { words: numbers(source, target), values: [found.probability, 0.0] });
        }
    });
    model.for_each_translation(Side::Target, LEAST, |found| {
        let condition = found.condition.and_then(|word| target.id(word));
        if let (Some(target), Some(source)) = (condition, source.id(found.generated)) {
            entries.push(Entry { words: numbers(source, target), values: [0.0, found.probability] });
        }
    });
}

/// Adds the entries of a dictionary between words of two texts: weights as shares of those of a word.
fn add_dictionary(entries: &mut Vec<Entry>, dictionary: &Dictionary, [source, target]: [&Vocabulary; 2]) {
    let weights = dictionary.weights_in(source, target);
    let mut sums = [vec![0.0f32; source.len()], vec![0.0f32; target.len()]];
    for ([source, target], weight) in &weights {
        sums[0][*source] += weight;
        sums[1][*target] += weight;
    }
    entries.extend(weights.into_iter().map(|([source, target], weight)| Entry {
        words: [source as u32, target as u32],
        values: [weight / sums[0][source], weight / sums[1][target]],
    }));
}

/// Adds the words that both texts have, where they have a digit, or nothing is known of them.
fn add_identical(entries: &mut Vec<Entry>, [source, target]: [&Vocabulary; 2]) {
    let known: [BTreeSet<u32>; 2] = [0, 1].map(|side| entries.iter().map(|entry| entry.words[side]).collect());
    for (number, word) in (0..).zip(source.words()) {
        let Some(other) = target.id(word) else { continue };
        let words: [u32; 2] = [number, other.index() as u32];
        let is_known = known[0].contains(&words[0]) || known[1].contains(&words[1]);
        if !is_known || word.iter().any(u8::is_ascii_digit) {
            entries.push(Entry { words, values: [IDENTICAL; 2] });
        }
    }
}

fn numbers(source: WordId, target: WordId) -> [u32; 2] {
    [source.index() as u32, target.index() as u32]
}

/// Distinct entries, by source and target word; the greater probabilities of equal ones.
fn joined(mut entries: Vec<Entry>) -> Vec<Entry> {
    entries.sort_by_key(|entry| entry.words);
    entries.dedup_by(|entry, kept| {
        let same = entry.words == kept.words;
        if same {
            for (kept, value) in kept.values.iter_mut().zip(entry.values) {
                *kept = kept.max(value);
            }
        }
        same
    });
    entries
}

/// For each word of a side the words of the other side that it explains best, and how well.
fn translations(entries: &[Entry], side: usize, words: usize) -> Vec<Vec<(u32, f32)>> {
    let mut all = vec![Vec::new(); words];
    for entry in entries {
        // Source words explain target words by the first value.
        let value = entry.values[side];
        if value > 0.0 {
            all[entry.words[side] as usize].push((entry.words[1 - side], value));
        }
    }
    for of_word in &mut all {
        of_word.sort_by(|(a, v), (b, w)| w.total_cmp(v).then(a.cmp(b)));
        of_word.truncate(MOST);
    }
    all
}

/// Whether some word of the other side explains a word of this one.
fn can_be_explained(entries: &[Entry], side: usize, words: usize) -> Vec<bool> {
    let mut can = vec![false; words];
    for entry in entries.iter().filter(|entry| entry.values[1 - side] > 0.0) {
        can[entry.words[side] as usize] = true;
    }
    can
}

/// The sentences of a side.
fn sentences(text: &Text, explained_by: &[Vec<(u32, f32)>], can: &[bool]) -> Vec<Sentence> {
    let distinct = |n: usize| -> BTreeSet<usize> { text.sentence(n).iter().map(|word| word.index()).collect() };
    let mut having = vec![0u32; text.vocabulary().len()];
    for n in 0..text.len() {
        for word in distinct(n) {
            having[word] += 1;
        }
    }
    let weight = |word: usize| ((text.len() + 1) as f32 / having[word] as f32).ln();
    (0..text.len())
        .map(|n| {
            let own = distinct(n);
            let words = own.iter().filter(|&&word| can[word]).map(|&word| (word as u32, weight(word))).collect();
            let mut explained: Vec<(u32, f32)> = own.iter().flat_map(|&word| &explained_by[word]).copied().collect();
            explained.sort_by(|(a, v), (b, w)| a.cmp(b).then(w.total_cmp(v)));
            explained.dedup_by_key(|(word, _)| *word);
            Sentence { words, explained }
        })
        .collect()
}

/// Which share of the words of sentences the others explain: the mean of that of all words and of that of the sentence of
/// which they explain least. Nothing if no word can be explained.
fn explained(sentences: &[Sentence], by: &[Sentence]) -> Option<f64> {
    let (mut sum, mut total, mut least) = (0.0f32, 0.0f32, f32::INFINITY);
    for sentence in sentences {
        // All lists are in the order of words.
        let mut rest: [&[(u32, f32)]; SENTENCES] = [&[]; SENTENCES];
        for (rest, other) in rest.iter_mut().zip(by) {
            *rest = &other.explained;
        }
        let (mut own, mut of_all) = (0.0f32, 0.0f32);
        for &(word, weight) in &sentence.words {
            let mut best = 0.0f32;
            for list in &mut rest {
                let before = list.iter().take_while(|(other, _)| *other < word).count();
                *list = &list[before..];
                if let Some(&(other, value)) = list.first()
                    && other == word
                {
                    best = best.max(value);
                }
            }
            own += weight * best;
            of_all += weight;
        }
        if of_all > 0.0 {
            least = least.min(own / of_all);
        }
        sum += own;
        total += of_all;
    }
    (total > 0.0).then(|| f64::midpoint(f64::from(sum / total), f64::from(least)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::Parallelism;
    use crate::progress::Silent;

    fn text(sentences: &[&str]) -> Text {
        let mut text = Text::default();
        for sentence in sentences {
            text.push_sentence(sentence.split(' ').filter(|word| !word.is_empty()).map(str::as_bytes));
        }
        text
    }

    fn evidence(entries: &[(&str, &str, f32)], source: &[&str], target: &[&str]) -> LexicalEvidence {
        let mut dictionary = Dictionary::default();
        for (source, target, weight) in entries {
            dictionary.push(source.as_bytes(), target.as_bytes(), *weight).unwrap();
        }
        LexicalEvidence::new(None, &dictionary, &text(source), &text(target))
    }

    /// By the formulas, with n = 2: w(x) = ln 3, w(y) = w(z) = ln 3, w(a) = ln(3/2).
    #[test]
    fn scores_are_those_of_the_formula() {
        let found = evidence(&[("a", "x", 3.0), ("a", "y", 1.0), ("b", "y", 1.0)], &["a b u", "a"], &["x y", "z"]);
        let value = |p: f64, share: f64| p / (p + share + 0.02);
        // Of the target: x and y by a and b, 3 words in all; of the source: a by x (or y), b by y; u is unknown.
        let target = f64::midpoint(value(0.75, 1.0 / 3.0), value(1.0, 1.0 / 3.0));
        let (a, b) = (1.5f64.ln(), 3.0f64.ln());
        let source = (a * value(1.0, 0.5) + b * value(0.5, 0.25)) / (a + b);
        assert!((found.score(0..1, 0..1) - f64::midpoint(source, target)).abs() < 1e-6);
        // z is explained by nothing in any sentence: all that counts is what the source lacks.
        assert!(found.score(1..2, 1..2).abs() < 1e-6);
        assert!(found.score(0..2, 0..1) > found.score(0..2, 1..2));
    }

    /// The second sentence is short and unrelated: among all words of both it makes 1 of 4.
    #[test]
    fn each_sentence_of_a_group_counts() {
        let entries = [("a", "x", 1.0), ("b", "y", 1.0), ("c", "z", 1.0), ("d", "w", 1.0)];
        let found = evidence(&entries, &["a b c", "d"], &["x y z", "w"]);
        let (right, group) = (found.score(0..1, 0..1), found.score(0..2, 0..1));
        // The source side loses a quarter of its share and all of its least, the target side nothing.
        assert!((group - 0.5 * (right + 0.375 * right)).abs() < 1e-6, "{right} {group}");
        assert!((found.score(0..2, 0..2) - right).abs() < 1e-6);
    }

    #[test]
    fn unknown_words_say_nothing_and_equal_ones_something() {
        let found = evidence(&[], &["p q", "anna 1848", ""], &["r s", "anna 1848", ""]);
        assert!(found.score(0..1, 0..1).is_nan() && found.score(2..3, 2..3).is_nan());
        assert!(found.score(1..2, 1..2) > 0.5);
        assert!(found.score(1..2, 0..1).abs() < 1e-6);
        // Of `die` the dictionary knows better; numbers are numbers.
        let found = evidence(&[("die", "sterben", 1.0)], &["die", "x"], &["die", "sterben"]);
        assert!(found.score(0..1, 0..1).abs() < 1e-6 && found.score(0..1, 1..2) > 0.5);
        let found = evidence(&[("7", "sieben", 1.0)], &["7", "x"], &["7", "sieben"]);
        assert!(found.score(0..1, 0..1) > 0.3 && found.score(0..1, 1..2) > 0.3);
    }

    #[test]
    fn rare_words_propose_pairs() {
        let source = ["the house is old", "the garden is large", "the dog barks"];
        let target = ["das haus ist alt", "der hund bellt", "der garten ist groß"];
        let entries = [("house", "haus", 1.0), ("garden", "garten", 1.0), ("dog", "hund", 1.0), ("is", "ist", 1.0)];
        let found = evidence(&entries, &source, &target);
        let parallelism = Parallelism::new(2).unwrap();
        let work = Work { parallelism: &parallelism, observer: &Silent };
        let mut proposed = found.candidates(work).unwrap().unwrap();
        proposed.sort_by(|a, b| a.source.cmp(&b.source).then(b.weight.total_cmp(&a.weight)));
        proposed.dedup_by_key(|candidate| candidate.source);
        let best: Vec<_> = proposed.iter().map(|candidate| (candidate.source, candidate.target)).collect();
        assert_eq!(best, [(0, 0), (1, 2), (2, 1)]);
    }
}
