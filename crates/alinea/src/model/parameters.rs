//! What training estimates.

use super::back_off::BackOff;
use super::config::JumpConfig;
use super::fertility::FertilityTable;
use super::jumps::JumpTable;
use crate::bitext::Text;
use crate::lexicon::{PairTable, WordKind, word_kinds};

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
    /// What each level of stems says, kept only if own counts are left out.
    pub(super) back_off: Vec<BackOff>,
}

impl Parameters {
    /// The direction with this number, 0 for forward.
    #[inline(always)]
    pub(super) fn direction(&self, direction: usize) -> &Direction {
        if direction == 0 { &self.forward } else { &self.reverse }
    }
}

/// What a direction has for itself.
#[derive(Debug, Clone)]
pub struct Direction {
    /// p(word | empty word) for the generated side.
    pub null: Vec<f32>,
    /// The jumps between positions of the conditioning side.
    pub jumps: JumpTable,
    /// The denominators of t(f|e), by conditioning word: what a word has to give.
    pub(super) mass: Vec<f32>,
    /// The denominator of p(word | empty word).
    pub(super) null_mass: f32,
    /// The kinds of the generated words, if jumps depend on them.
    pub(super) kinds: Option<Vec<WordKind>>,
    /// How many words a word of the conditioning side generates, once that was counted.
    pub(super) fertility: Option<FertilityTable>,
}

impl Direction {
    /// The table of the empty word is the unigram distribution, jumps prefer the next word.
    pub(super) fn initial(generated: &Text, frequencies: &[u64], jumps: JumpConfig, longest_condition: usize) -> Self {
        let total = frequencies.iter().sum::<u64>() as f64;
        let null = frequencies.iter().map(|&frequency| (frequency as f64 / total) as f32).collect();
        let kinds = jumps.by_kind.map(|_| word_kinds(generated.vocabulary().words()));
        let jumps = JumpTable::initial(jumps, longest_condition);
        Self { null, jumps, kinds, mass: Vec::new(), null_mass: 1.0, fertility: None }
    }
}
