//! The translation table of a saved model, word by word.
//!
//! For each word e of one side, the words f of the other side that it occurred with and t(f|e), if that reaches a
//! minimum; for the empty word, p(f | empty). The empty word comes first, then the others by falling frequency; within
//! each, the most probable translation comes first. The count beside a probability is the numerator of its estimate,
//! t(f|e) mass(e): expected counts, prior and back-off together.

use crate::bitext::Side;
use crate::bitext::WordId;
use crate::lexicon::Probabilities;
use crate::model::saved::open::Model;

/// What one word, or the empty word, generates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Translation<'m> {
    /// The word that is given; nothing for the empty word.
    pub condition: Option<&'m [u8]>,
    /// The word of the other side.
    pub generated: &'m [u8],
    /// p(generated | condition).
    pub probability: f32,
    /// The numerator of that: expected counts, prior and back-off.
    pub count: f32,
}

impl Model {
    /// Visits the translations of the words of one side with a probability of at least `least`: those of the empty word
    /// first, then word by word, the most frequent first; the most probable of each first. O(pairs × log).
    pub fn for_each_translation(&self, of: Side, least: f32, mut visit: impl FnMut(Translation<'_>)) {
        let side = of as usize;
        let words = [&self.frozen.words[side], &self.frozen.words[1 - side]];
        let direction = self.parameters.direction(side);
        let mut null: Vec<(f32, usize)> = direction.null.iter().copied().zip(0..words[1].len()).collect();
        null.retain(|&(probability, _)| probability >= least);
        null.sort_by(|(p, a), (q, b)| q.total_cmp(p).then(a.cmp(b)));
        for (probability, generated) in null {
            let generated = words[1].word(WordId::from_index(generated));
            visit(Translation { condition: None, generated, probability, count: probability * direction.null_mass });
        }
        let mut found: Vec<(u32, f32, u32)> = Vec::new();
        self.index().for_each_pair(self.index().rows(), |id, source, target| {
            let [condition, generated] = if side == 0 { [source, target] } else { [target, source] };
            let probability = self.frozen.probabilities.probability(id as u32)[side];
            if probability >= least {
                found.push((condition as u32, probability, generated as u32));
            }
        });
        found.sort_unstable_by(|(a, p, x), (b, q, y)| a.cmp(b).then(q.total_cmp(p)).then(x.cmp(y)));
        for (condition, probability, generated) in found {
            let word = |side: usize, word: u32| words[side].word(WordId::from_index(word as usize));
            let count = probability * direction.mass.get(condition as usize).copied().unwrap_or(0.0);
            let (condition, generated) = (Some(word(0, condition)), word(1, generated));
            visit(Translation { condition, generated, probability, count });
        }
    }
}
