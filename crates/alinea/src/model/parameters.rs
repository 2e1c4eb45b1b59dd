//! What training estimates.

use super::config::JumpConfig;
use super::jumps::JumpTable;
use crate::lexicon::PairTable;

/// No probability of the lexicon is below this.
pub const TRANSLATION_FLOOR: f32 = 1e-12;

/// No probability in the table of the empty word is below this.
pub const NULL_FLOOR: f32 = 1e-9;

/// The parameters of both directions. Forward is p(target | source).
#[derive(Debug)]
pub struct Parameters {
    /// t(f|e) and t(e|f) for each pair of the index, and the expected counts they are estimated from.
    pub translation: PairTable,
    /// p(target | source).
    pub forward: Direction,
    /// p(source | target).
    pub reverse: Direction,
}

/// What a direction has for itself.
#[derive(Debug, Clone)]
pub struct Direction {
    /// p(word | empty word) for the generated side.
    pub null: Vec<f32>,
    /// The jumps between positions of the conditioning side.
    pub jumps: JumpTable,
}

impl Direction {
    /// The table of the empty word is the unigram distribution, jumps prefer the next word.
    pub(super) fn initial(frequencies: &[u64], jumps: JumpConfig, longest_condition: usize) -> Self {
        let total = frequencies.iter().sum::<u64>() as f64;
        let null = frequencies.iter().map(|&frequency| (frequency as f64 / total) as f32).collect();
        Self { null, jumps: JumpTable::initial(jumps, longest_condition) }
    }
}
