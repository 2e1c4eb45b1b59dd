//! What a saved model teaches about a text that it is adapted to.
//!
//! Of each pair of words of the text the model has a numerator, t(f|e) mass(e): counts, prior and back-off together. In
//! the passes over the text that takes the place of the prior:
//!
//! ```text
//! t(f|e) = (c + κ t0(f|e) mass0(e) + mu g) / (κ mass0(e) + sum over f' of (c + mu g))
//! ```
//!
//! with c and g from the text alone, and κ = 0.3: other text tells less about the words of this one than the text itself.
//! So what the model has seen often hardly moves, and what it has not seen is learned as in training; words that are new
//! to it still share what their stems learn from the text.

use std::sync::Arc;

use crate::bitext::{RankedBitext, Text, WordId};
use crate::lexicon::{PairIndex, PairTable, Probabilities};
use crate::model::em::maximization::Taught;
use crate::model::em::parameters::{Direction, Parameters, TRANSLATION_FLOOR};
use crate::model::refinement::fertility::FertilityTable;
use crate::model::saved::open::Model;
use crate::model::saved::unmet::{NewWords, UnmetPairs};
use crate::parallel::Parallelism;

/// The passes that adapt a model best: two leave up to two points more AER, on text that differs most from the model's.
pub const ADAPTATION_PASSES: u32 = 8;

/// κ: how much what the model was trained on counts, beside the text.
const OF_OLD_TEXT: f32 = 0.3;

impl Model {
    /// The parameters to begin with, and what the counts of a text come on top of; given are the pairs of its words, and
    /// the greatest lengths of its sentences.
    pub(in crate::model) fn teach(
        &self,
        bitext: &RankedBitext,
        index: &PairIndex,
        lengths: [usize; 2],
        parallelism: &Parallelism,
    ) -> (Parameters, Taught) {
        let mut new = NewWords::default();
        let vocabularies = [&bitext.bitext().source, &bitext.bitext().target].map(Text::vocabulary);
        let words = [0, 1].map(|side| self.frozen.ids_of(side, vocabularies[side], &mut new));
        let numbers = words.each_ref().map(|words| words.iter().map(|word| word.index() as u32).collect::<Vec<_>>());
        let mut unmet = UnmetPairs::new(&self.frozen, self.tables());
        unmet.take_words([&numbers[0], &numbers[1]], &Arc::new(new));

        let mut pairs = vec![[0.0; 2]; index.ids()];
        let mut translation = PairTable::new(index.ids(), TRANSLATION_FLOOR, parallelism);
        let masses =
            [0, 1].map(|side| -> Vec<f32> { words[side].iter().map(|w| unmet.mass(side, w.index())).collect() });
        let mut rest = masses.clone().map(|masses| masses.into_iter().map(f64::from).collect::<Vec<f64>>());
        let mut id_of_pair = [0];
        index.for_each_pair(index.rows(), |id, s, t| {
            self.index().resolve(&[numbers[0][s]], &[numbers[1][t]], &mut id_of_pair);
            let known = self.frozen.probabilities.probability(id_of_pair[0]);
            let found = unmet.numerators_of([s, t], [words[0][s].index(), words[1][t].index()], known);
            pairs[id] = found.map(|numerator| OF_OLD_TEXT * numerator);
            for (side, word) in [s, t].into_iter().enumerate() {
                rest[side][word] -= f64::from(found[side]);
                translation.cells_mut()[id].probability[side] =
                    (found[side] / masses[side][word]).max(TRANSLATION_FLOOR);
            }
        });
        let rest = rest.map(|rest| rest.into_iter().map(|rest| OF_OLD_TEXT * rest.max(0.0) as f32).collect());
        let Parameters { forward, reverse, .. } = &self.parameters;
        let null = |direction: &Direction, generated: &[WordId]| {
            let mass = OF_OLD_TEXT * direction.null_mass;
            (generated.iter().map(|&word| direction.null_of(word) * mass).collect(), mass)
        };
        let null = [null(forward, &words[1]), null(reverse, &words[0])];
        let parameters = Parameters {
            translation,
            forward: forward.of_words([&words[0], &words[1]], &masses[0], lengths[0]),
            reverse: reverse.of_words([&words[1], &words[0]], &masses[1], lengths[1]),
            back_off: Vec::new(),
        };
        (parameters, Taught { pairs, rest, null })
    }
}

impl Direction {
    /// The same for the words of a text, by their numbers in the model: conditioning and generated ones.
    fn of_words(&self, [conditions, generated]: [&[WordId]; 2], mass: &[f32], longest: usize) -> Self {
        let kind = |kinds: &Vec<_>| generated.iter().map(|word| kinds[word.index().min(kinds.len() - 1)]).collect();
        Self {
            null: generated.iter().map(|&word| self.null_of(word)).collect(),
            jumps: self.jumps.reaching(longest),
            mass: mass.to_vec(),
            null_mass: self.null_mass,
            kinds: self.kinds.as_ref().map(kind),
            fertility: self.fertility.as_ref().map(|table| table.of_words(conditions)),
        }
    }
}

impl FertilityTable {
    /// The rows of these words, and that of words that were never counted.
    fn of_words(&self, words: &[WordId]) -> Self {
        let unknown = WordId::from_index(u32::MAX as usize);
        Self::of_rows(words.iter().chain([&unknown]).map(|&word| *self.of(word)).collect())
    }
}
