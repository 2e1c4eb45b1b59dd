//! How often a word is labeled elsewhere in the text.

use std::collections::BTreeMap;

use super::words::{Sentence, Shape, Word};

/// Words of so many tokens at most say what words of their shape are like.
const RARE: f64 = 2.0;
/// So many words of a shape are taken to be like all words.
const SMOOTHING: f64 = 5.0;
/// So much its shape counts beside what is known of a word.
const OF_SHAPE: f64 = 1.0;
/// Shares are between this and one minus this.
const LEAST: f64 = 1e-4;

/// The tokens of a form, and how many of them are labeled.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    tokens: f64,
    labeled: f64,
}

impl Count {
    fn add(&mut self, labeled: f64) {
        self.tokens += 1.0;
        self.labeled += labeled;
    }
}

/// What is labeled in a text.
#[derive(Debug)]
pub(super) struct Elsewhere {
    forms: Vec<Count>,
    /// For each shape, from 0 to 1: a half where it says nothing.
    shapes: [f64; Shape::COUNT],
    /// For each word of each sentence how far it is labeled, from 0 to 1.
    labeled: Vec<Vec<f64>>,
}

impl Elsewhere {
    /// Counts labeled words; given is for each word of each sentence how far it is labeled, from 0 to 1.
    pub(super) fn new(sentences: &[Sentence], labeled: Vec<Vec<f64>>) -> Self {
        let number = sentences.iter().flat_map(|sentence| &sentence.words).map(|word| word.form as usize + 1).max();
        let mut forms = vec![Count::default(); number.unwrap_or(0)];
        let all = || sentences.iter().flat_map(|sentence| &sentence.words).zip(labeled.iter().flatten().copied());
        for (word, labeled) in all() {
            forms[word.form as usize].add(labeled);
        }
        let (mut shapes, mut rare) = ([Count::default(); Shape::COUNT], Count::default());
        for (word, labeled) in all() {
            if forms[word.form as usize].tokens <= RARE {
                shapes[word.shape.index()].add(labeled);
                rare.add(labeled);
            }
        }
        let mean = (rare.labeled / rare.tokens.max(1.0)).clamp(1e-6, 1.0 - 1e-6);
        let shapes = shapes.map(|shape| {
            let share = (shape.labeled + SMOOTHING * mean) / (shape.tokens + SMOOTHING);
            let ratio = odds(share) / odds(mean);
            ratio / (1.0 + ratio)
        });
        Self { forms, shapes, labeled }
    }

    /// For each word of a sentence the odds with which it is labeled in the others.
    pub(super) fn odds(&self, sentence: &Sentence, number: usize) -> Vec<f64> {
        let mut own: BTreeMap<u32, Count> = BTreeMap::new();
        for (word, &labeled) in sentence.words.iter().zip(&self.labeled[number]) {
            own.entry(word.form).or_default().add(labeled);
        }
        let share = |word: &Word| {
            let (all, own) = (self.forms[word.form as usize], own[&word.form]);
            let of_shape = OF_SHAPE * self.shapes[word.shape.index()];
            (all.labeled - own.labeled + of_shape) / (all.tokens - own.tokens + OF_SHAPE)
        };
        sentence.words.iter().map(|word| odds(share(word).clamp(LEAST, 1.0 - LEAST))).collect()
    }
}

pub(super) fn odds(probability: f64) -> f64 {
    probability / (1.0 - probability)
}
