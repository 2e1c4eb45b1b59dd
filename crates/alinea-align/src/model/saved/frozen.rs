//! The lexicon of a saved model, without counts.
//!
//! In training the pair table has counts beside the probabilities. A saved model has only t(f|e) and t(e|f) by pair id,
//! and what takes part in computing the others: the vocabularies, the stems of each level by name with the cutters that
//! find the stems of new words, mu / T by stem, and the character model of spellings. From these `unmet` computes t for
//! word pairs that never occurred together and for words outside the vocabulary.

use crate::bitext::Vocabulary;
use crate::lexicon::StemCutter;
use crate::lexicon::characters::CharacterModel;
use crate::model::em::back_off::Level;

/// What takes the place of the table of pairs in a saved model.
#[derive(Debug)]
pub(in crate::model) struct Frozen {
    /// t(f|e) and t(e|f) by id.
    pub(in crate::model) probabilities: Vec<[f32; 2]>,
    /// The words of both sides.
    pub(in crate::model) words: [Vocabulary; 2],
    /// For each level its stems.
    pub(in crate::model) levels: Vec<FrozenLevel>,
    pub(in crate::model) characters: Option<CharacterModel>,
}

/// The stems of both sides at one level.
#[derive(Debug)]
pub(in crate::model) struct FrozenLevel {
    pub(in crate::model) cutters: [StemCutter; 2],
    pub(in crate::model) stems: [Vocabulary; 2],
    /// mu / T by stem.
    pub(in crate::model) by_stem: [Vec<f32>; 2],
}

impl FrozenLevel {
    /// Given is mu / T by word.
    pub(in crate::model) fn new(
        cutters: [StemCutter; 2],
        stems: [Vocabulary; 2],
        level: &Level,
        by_word: [&[f32]; 2],
    ) -> Self {
        let mut by_stem = stems.each_ref().map(|stems| vec![0.0; stems.len()]);
        for ((by_stem, by_word), stems) in by_stem.iter_mut().zip(by_word).zip([&level.source, &level.target]) {
            stems.of_word().iter().zip(by_word).for_each(|(&stem, &by)| by_stem[stem as usize] = by);
        }
        Self { cutters, stems, by_stem }
    }
}
