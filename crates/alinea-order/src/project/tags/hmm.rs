//! What words say of each other's tags: types, endings and neighbors.

use super::words::{Origin, Tag, TaggedSentence, Word, WordNames};

/// Of texts with more tags than that the order of tags is not asked.
const MOST_IN_ORDER: usize = 256;
const PASSES: usize = 3;
/// The power of the probabilities of links.
const SHARPNESS: i32 = 2;
const OF_TYPE: f64 = 2.5;
/// So many tokens of a type are taken to be like those with its ending, and so many of these like all.
const OF_ENDING: f64 = 1.0;
const OF_ALL: f64 = 1.0;
const LEAST: f64 = 1e-3;
/// Of each two neighbors, so many are there that were never seen.
const UNSEEN: f64 = 0.5;
/// How much a tag weighs that the look of a word speaks against, and for a word that has no letters.
const UNLIKELY: f64 = 0.01;
const IMPOSSIBLE: f64 = 1e-6;

/// For each word of a sentence the weight of each tag.
type Weights = Vec<Vec<f64>>;

/// What is counted in a text.
struct Counts {
    tags: usize,
    /// For each type, each ending, the weights of tags.
    forms: Vec<f64>,
    endings: Vec<f64>,
    /// How often each tag is.
    all: Vec<f64>,
    /// How much more often than by chance a tag follows another one; last what stands first. Empty if that is not asked.
    follows: Vec<f64>,
}

/// The tags of all target words, each with its probability: those that are given, and for others what is carried over.
///
/// Time O(words × tags²), memory O((types + words) × tags).
pub(in crate::project) fn carry(
    sentences: &[TaggedSentence<'_>],
    names: &WordNames,
    looks: &Looks,
) -> Vec<Vec<(Tag, f64)>> {
    let given = |sentence: &TaggedSentence<'_>| {
        sentence.words.iter().map(|word| Some((word.tag?, 1.0))).collect::<Option<Vec<_>>>()
    };
    if let Some(given) = sentences.iter().map(given).collect() {
        return given;
    }
    let linked: Vec<Weights> = sentences.iter().map(|sentence| linked(sentence, names.tags())).collect();
    let mut weights = linked.clone();
    for _ in 0..PASSES {
        let counts = Counts::new(sentences, &weights, names);
        weights = (sentences.iter().zip(&linked).zip(&weights))
            .map(|((sentence, linked), before)| counts.sentence(sentence, linked, before, looks))
            .collect();
    }
    // The weight of a tag that is given need not be the greatest.
    let best = |(word, weights): (&Word, &Vec<f64>)| match word.tag {
        Some(tag) => (tag, weights[tag as usize]),
        None => most(weights),
    };
    let of =
        |(sentence, weights): (&TaggedSentence<'_>, &Weights)| sentence.words.iter().zip(weights).map(best).collect();
    sentences.iter().zip(&weights).map(of).collect()
}

/// The tag with the greatest weight, and that; of equals the one that comes first in the source.
pub(super) fn most(weights: &[f64]) -> (Tag, f64) {
    let tag = (0..weights.len()).rev().max_by(|&one, &other| weights[one].total_cmp(&weights[other])).unwrap_or(0);
    (tag as Tag, weights.get(tag).copied().unwrap_or(0.0))
}

/// What the tags of source words say.
pub(super) fn linked(sentence: &TaggedSentence<'_>, tags: usize) -> Weights {
    let of = |(word, links): (&Word, &Vec<Origin>)| {
        let mut weights = vec![0.0; tags];
        match word.tag {
            Some(tag) => weights[tag as usize] = 1.0,
            None => {
                for link in links {
                    weights[sentence.tags[link.source] as usize] += link.probability.powi(SHARPNESS);
                }
            }
        }
        weights
    };
    sentence.words.iter().zip(sentence.links).map(of).collect()
}

/// What words may be by their looks.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::project) struct Looks {
    /// Punctuation and symbols, if there are such tags.
    pub(in crate::project) marks: [Option<Tag>; 2],
    /// The tag of words whose tag is not known.
    pub(in crate::project) unknown: Option<Tag>,
}

impl Looks {
    /// How much its looks speak for a tag of a word.
    fn factor(&self, word: &Word, tag: usize) -> f64 {
        let tag = Some(tag as Tag);
        if word.is_punctuation && self.marks != [None; 2] {
            if self.marks.contains(&tag) { 1.0 } else { IMPOSSIBLE }
        } else if tag == self.marks[0] {
            UNLIKELY
        } else if tag == self.unknown {
            IMPOSSIBLE
        } else {
            1.0
        }
    }
}

impl Counts {
    fn new(sentences: &[TaggedSentence<'_>], weights: &[Weights], names: &WordNames) -> Self {
        let tags = names.tags();
        let mut forms = vec![0.0; names.forms() * tags];
        let mut endings = vec![0.0; names.endings() * tags];
        let is_in_order = tags <= MOST_IN_ORDER;
        let mut follows = vec![UNSEEN; if is_in_order { (tags + 1) * tags } else { 0 }];
        for (sentence, weights) in sentences.iter().zip(weights) {
            for (word, weights) in sentence.words.iter().zip(weights) {
                add(&mut forms[word.form as usize * tags..][..tags], weights, 1.0);
                add(&mut endings[word.ending as usize * tags..][..tags], weights, 1.0);
            }
            if !is_in_order {
                continue;
            }
            if let Some(first) = weights.first() {
                add(&mut follows[tags * tags..], first, 1.0);
            }
            for two in weights.windows(2) {
                for (tag, &before) in two[0].iter().enumerate() {
                    add(&mut follows[tag * tags..][..tags], &two[1], before);
                }
            }
        }
        let mut all = vec![0.0; tags];
        for form in forms.chunks_exact(tags) {
            add(&mut all, form, 1.0);
        }
        scale(&mut all);
        for row in follows.chunks_exact_mut(tags) {
            scale(row);
            for (follows, all) in row.iter_mut().zip(&all) {
                *follows = (*follows / (all + 1e-4)).sqrt();
            }
        }
        Self { tags, forms, endings, all, follows }
    }

    /// The weights of the tags of a sentence, of each word adding up to 1.
    fn sentence(&self, sentence: &TaggedSentence<'_>, linked: &Weights, before: &Weights, looks: &Looks) -> Weights {
        let emissions: Weights = (sentence.words.iter().zip(linked).zip(before))
            .map(|((word, linked), before)| match word.tag {
                Some(_) => linked.clone(),
                None => self.emission(word, linked, before, looks),
            })
            .collect();
        if self.follows.is_empty() { emissions } else { self.in_order(&emissions) }
    }

    /// The probabilities of tags given what words are by themselves, and which tags follow which: forward and backward.
    fn in_order(&self, emissions: &Weights) -> Weights {
        let mut forward: Weights = Vec::with_capacity(emissions.len());
        for emission in emissions {
            let mut weights = match forward.last() {
                None => self.follows[self.tags * self.tags..].to_vec(),
                Some(last) => {
                    let mut sum = vec![0.0; self.tags];
                    for (row, &weight) in self.follows.chunks_exact(self.tags).zip(last) {
                        add(&mut sum, row, weight);
                    }
                    sum
                }
            };
            multiply(&mut weights, emission);
            forward.push(weights);
        }
        let mut behind = vec![1.0; self.tags];
        for (weights, emission) in forward.iter_mut().zip(emissions).rev() {
            multiply(weights, &behind);
            let next: Vec<f64> = emission.iter().zip(&behind).map(|(emission, behind)| emission * behind).collect();
            let rows = self.follows.chunks_exact(self.tags).take(self.tags);
            behind = rows.map(|row| row.iter().zip(&next).map(|(follows, next)| follows * next).sum()).collect();
            scale(&mut behind);
        }
        forward
    }

    /// What a word may be by its links and its type, without the token itself.
    fn emission(&self, word: &Word, linked: &[f64], before: &[f64], looks: &Looks) -> Vec<f64> {
        let form = &self.forms[word.form as usize * self.tags..][..self.tags];
        let ending = &self.endings[word.ending as usize * self.tags..][..self.tags];
        let others: Vec<f64> = ending.iter().zip(form).map(|(ending, form)| (ending - form).max(0.0)).collect();
        let elsewhere: Vec<f64> = form.iter().zip(before).map(|(form, before)| (form - before).max(0.0)).collect();
        let [of_ending, of_type] = [&others, &elsewhere].map(|weights| weights.iter().sum::<f64>());
        let mut emission: Vec<f64> = (0..self.tags)
            .map(|tag| {
                let ending = (others[tag] + OF_ALL * self.all[tag]) / (of_ending + OF_ALL);
                let of_type = (elsewhere[tag] + OF_ENDING * ending) / (of_type + OF_ENDING);
                (linked[tag] + OF_TYPE * of_type + LEAST) * looks.factor(word, tag)
            })
            .collect();
        scale(&mut emission);
        emission
    }
}

fn add(to: &mut [f64], weights: &[f64], factor: f64) {
    for (to, weight) in to.iter_mut().zip(weights) {
        *to += weight * factor;
    }
}

/// Multiplies weights with others, and makes their sum 1.
fn multiply(weights: &mut [f64], by: &[f64]) {
    for (weight, by) in weights.iter_mut().zip(by) {
        *weight *= by;
    }
    scale(weights);
}

/// Makes the sum 1, if it is more than 0.
fn scale(weights: &mut [f64]) {
    let sum: f64 = weights.iter().sum();
    if sum > 0.0 {
        for weight in weights {
            *weight /= sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Against all paths.
        #[test]
        fn probabilities_are_sums_over_paths(
            emissions in prop::collection::vec(prop::collection::vec(0.01..1.0_f64, 3), 1..5),
            follows in prop::collection::vec(0.01..3.0_f64, 12),
        ) {
            let counts = Counts { tags: 3, forms: vec![], endings: vec![], all: vec![], follows };
            let found = counts.in_order(&emissions);
            let length = emissions.len() as u32;
            let path = |mut number: usize| -> Vec<usize> {
                (0..length).map(|_| { let tag = number % 3; number /= 3; tag }).collect()
            };
            let weight = |path: &[usize]| -> f64 {
                let mut before = 3;
                let steps = path.iter().zip(&emissions).map(|(&tag, emission)| {
                    let step = counts.follows[before * 3 + tag] * emission[tag];
                    before = tag;
                    step
                });
                steps.product()
            };
            let paths: Vec<Vec<usize>> = (0..3_usize.pow(length)).map(path).collect();
            let all: f64 = paths.iter().map(|path| weight(path)).sum();
            for (word, weights) in found.iter().enumerate() {
                for (tag, found) in weights.iter().enumerate() {
                    let with = paths.iter().filter(|path| path[word] == tag);
                    let expected = with.map(|path| weight(path)).sum::<f64>() / all;
                    prop_assert!((found - expected).abs() < 1e-9, "{found} {expected}");
                }
            }
        }
    }
}
