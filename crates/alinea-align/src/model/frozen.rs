//! What takes the place of the table of pairs in a saved model: probabilities that no longer change, and the words and stems they
//! are of.

use super::back_off::Level;
use crate::bitext::Vocabulary;
use crate::lexicon::StemCutter;
use crate::lexicon::characters::CharacterModel;

/// What takes the place of the table of pairs in a saved model.
#[derive(Debug)]
pub(super) struct Frozen {
    /// t(f|e) and t(e|f) by id.
    pub(super) probabilities: Vec<[f32; 2]>,
    /// The words of both sides.
    pub(super) words: [Vocabulary; 2],
    /// For each level its stems.
    pub(super) levels: Vec<FrozenLevel>,
    pub(super) characters: Option<CharacterModel>,
}

/// The stems of both sides at one level.
#[derive(Debug)]
pub(super) struct FrozenLevel {
    pub(super) cutters: [StemCutter; 2],
    pub(super) stems: [Vocabulary; 2],
    /// mu / T by stem.
    pub(super) by_stem: [Vec<f32>; 2],
}

impl FrozenLevel {
    /// Given is mu / T by word.
    pub(super) fn new(cutters: [StemCutter; 2], stems: [Vocabulary; 2], level: &Level, by_word: [&[f32]; 2]) -> Self {
        let mut by_stem = stems.each_ref().map(|stems| vec![0.0; stems.len()]);
        for ((by_stem, by_word), stems) in by_stem.iter_mut().zip(by_word).zip([&level.source, &level.target]) {
            stems.of_word().iter().zip(by_word).for_each(|(&stem, &by)| by_stem[stem as usize] = by);
        }
        Self { cutters, stems, by_stem }
    }
}
