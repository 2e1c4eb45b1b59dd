//! Parts of speech carried over links.
//!
//! What a target word is linked to says what it may be, and so do the other places where the same word stands, or for rare ones words
//! with the same ending (Das and Petrov 2011; Täckström et al. 2013 have types and tokens, too). With p the probabilities of links,
//! a tag t of a token w weighs
//!
//! ```text
//! Σ over source words i of tag t of p_i²  +  2.5 p(t | type w elsewhere)  +  0.001
//! ```
//!
//! and a sentence is a path through a hidden Markov model with these for emissions and the square root of how much more often than by
//! chance a tag follows another. The model is counted on what it says itself, three times, first on links alone. A word without a letter or
//! digit is punctuation or a symbol, and no other word is punctuation without need.

use super::text::{Names, Sentence, Tag, Word};

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
    /// How much more often than by chance a tag follows another one; last what stands first.
    follows: Vec<f64>,
}

/// The tags of all target words: those that are given, and for others what is carried over.
///
/// Time O(words × tags²), memory O((types + words) × tags).
pub(super) fn carry(sentences: &[Sentence], names: &mut Names) -> Vec<Vec<Tag>> {
    let given = |sentence: &Sentence| sentence.words.iter().map(|word| word.tag).collect::<Option<Vec<Tag>>>();
    if let Some(given) = sentences.iter().map(given).collect() {
        return given;
    }
    let marks = ["PUNCT", "SYM"].map(|name| names.tag(name));
    let none = names.tag("_");
    let looks = Looks { tags: names.tags(), marks, none };
    let linked: Vec<Weights> = sentences.iter().map(|sentence| linked(sentence, looks.tags)).collect();
    let mut weights = linked.clone();
    for _ in 0..PASSES {
        let counts = Counts::new(sentences, &weights, names);
        weights = (sentences.iter().zip(&linked).zip(&weights))
            .map(|((sentence, linked), before)| counts.sentence(sentence, linked, before, &looks))
            .collect();
    }
    let best = |(word, weights): (&Word, &Vec<f64>)| {
        let most = (0..weights.len()).rev().max_by(|&one, &other| weights[one].total_cmp(&weights[other]));
        word.tag.unwrap_or(most.unwrap_or(0) as Tag)
    };
    let of = |(sentence, weights): (&Sentence, &Weights)| sentence.words.iter().zip(weights).map(best).collect();
    sentences.iter().zip(&weights).map(of).collect()
}

/// What the tags of source words say.
fn linked(sentence: &Sentence, tags: usize) -> Weights {
    let of = |(word, links): (&Word, &Vec<super::text::Origin>)| {
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
    sentence.words.iter().zip(&sentence.links).map(of).collect()
}

/// What words may be by their looks.
struct Looks {
    tags: usize,
    /// Punctuation and symbols.
    marks: [Tag; 2],
    /// The tag of words without one.
    none: Tag,
}

impl Looks {
    /// How much its looks speak for a tag of a word.
    fn factor(&self, word: &Word, tag: usize) -> f64 {
        let tag = tag as Tag;
        if word.is_punctuation {
            if self.marks.contains(&tag) { 1.0 } else { IMPOSSIBLE }
        } else if tag == self.marks[0] {
            UNLIKELY
        } else if tag == self.none {
            IMPOSSIBLE
        } else {
            1.0
        }
    }
}

impl Counts {
    fn new(sentences: &[Sentence], weights: &[Weights], names: &Names) -> Self {
        let tags = names.tags();
        let mut forms = vec![0.0; names.forms() * tags];
        let mut endings = vec![0.0; names.endings() * tags];
        let mut follows = vec![UNSEEN; (tags + 1) * tags];
        for (sentence, weights) in sentences.iter().zip(weights) {
            for (word, weights) in sentence.words.iter().zip(weights) {
                add(&mut forms[word.form as usize * tags..][..tags], weights, 1.0);
                add(&mut endings[word.ending as usize * tags..][..tags], weights, 1.0);
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
    fn sentence(&self, sentence: &Sentence, linked: &Weights, before: &Weights, looks: &Looks) -> Weights {
        let emissions: Weights = (sentence.words.iter().zip(linked).zip(before))
            .map(|((word, linked), before)| match word.tag {
                Some(_) => linked.clone(),
                None => self.emission(word, linked, before, looks),
            })
            .collect();
        let mut forward: Weights = Vec::with_capacity(emissions.len());
        for emission in &emissions {
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
        for (weights, emission) in forward.iter_mut().zip(&emissions).rev() {
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
