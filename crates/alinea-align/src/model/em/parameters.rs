//! The parameters that EM estimates.
//!
//! [`Parameters`] has the lexicon, t(f|e) and t(e|f), with the counts that it is estimated from, and for each
//! [`Direction`] p(word | empty word), the jump table and, once an HMM pass has counted them, fertilities. Forward is
//! p(target | source) and number 0 wherever arrays are by direction; reverse is p(source | target) and number 1.
//!
//! The denominators of t are kept as `mass`: t(f|e) mass(e) is the numerator again, from which leave-one-out subtracts
//! and which adapting, pruning and exporting a model need. Before the first pass p(word | empty word) is the unigram
//! distribution, and jumps prefer the next word. In a model from a file, tables by generated word have one more entry,
//! for all words outside the vocabulary.

use crate::bitext::{Text, Vocabulary, WordId};
use crate::error::Result;
use crate::lexicon::{PairTable, WordKind, word_kinds};
use crate::model::config::{AlignerConfig, JumpConfig};
use crate::model::em::back_off::BackOff;
use crate::model::pair::jumps::JumpTable;
use crate::model::refinement::fertility::FertilityTable;
use crate::storage::{Container, ContainerWriter};

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
    /// What each level of stems says, kept only if self-counts are left out.
    pub(in crate::model) back_off: Vec<BackOff>,
}

impl Parameters {
    /// The direction with this number, 0 for forward.
    #[inline(always)]
    pub(in crate::model) fn direction(&self, direction: usize) -> &Direction {
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
    pub(in crate::model) mass: Vec<f32>,
    /// The denominator of p(word | empty word).
    pub(in crate::model) null_mass: f32,
    /// The kinds of the generated words, if jumps depend on them.
    pub(in crate::model) kinds: Option<Vec<WordKind>>,
    /// How many words a word of the conditioning side generates, once that was counted.
    pub(in crate::model) fertility: Option<FertilityTable>,
}

impl Direction {
    /// p(word | empty word); of a word beyond the vocabulary what the last one has, which stands for all of them in a
    /// model.
    #[inline(always)]
    pub(in crate::model) fn null_of(&self, word: WordId) -> f32 {
        self.null[word.index().min(self.null.len() - 1)]
    }

    /// Adds it to a file, under a name that others begin with; given are the generated words. Their kinds are stored if they
    /// do not follow from the words: those of a model that was adapted are those that the words had before.
    pub(in crate::model) fn store<'a>(&'a self, file: &mut ContainerWriter<'a>, name: &str, generated: &Vocabulary) {
        file.add(format!("{name}.null"), &self.null);
        file.add(format!("{name}.mass"), &self.mass);
        file.add_owned(format!("{name}.null_mass"), vec![self.null_mass]);
        self.jumps.store(file, &format!("{name}.jumps"));
        if let Some(fertility) = &self.fertility {
            file.add(format!("{name}.fertility"), fertility.rows());
        }
        if let Some(kinds) = self.kinds.as_ref().filter(|kinds| **kinds != word_kinds(generated.words())) {
            file.add_owned(format!("{name}.kinds"), kinds.iter().map(|&kind| kind as u8).collect());
        }
    }

    /// The direction that was stored under a name, and what it says of words that were never met. Given are the
    /// configuration, the generated words, and the number of the conditioning ones.
    ///
    /// # Errors
    /// `Model` if arrays are missing, or contradict each other.
    pub(in crate::model) fn load(
        file: &Container,
        name: &str,
        config: &AlignerConfig,
        generated: &Vocabulary,
        conditions: usize,
    ) -> Result<Self> {
        let mut read = Self::read(file, name, config, generated, conditions)?;
        if read.mass.len() != conditions {
            return Err(file.error(format!("{conditions} numbers in `{name}.mass`"), "none".to_owned()));
        }
        let beta = config.prior.as_ref().map_or(0.0, |prior| prior.null);
        read.null.push((beta / read.null_mass).max(NULL_FLOOR));
        if let Some(kinds) = &mut read.kinds {
            kinds.push(WordKind::Rare);
        }
        Ok(read)
    }

    /// The same without words that were never met; before the first pass there is no mass.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub(in crate::model) fn read(
        file: &Container,
        name: &str,
        config: &AlignerConfig,
        generated: &Vocabulary,
        conditions: usize,
    ) -> Result<Self> {
        let numbers =
            |what: &str, len: usize| -> Result<Vec<f32>> { file.section_of::<f32>(&format!("{name}.{what}"), len) };
        let (null, null_mass) = (numbers("null", generated.len())?, numbers("null_mass", 1)?[0]);
        let mass = file.section::<f32>(&format!("{name}.mass"))?;
        if ![0, conditions].contains(&mass.len()) {
            return Err(file.error(format!("{conditions} numbers in `{name}.mass`"), mass.len().to_string()));
        }
        let fertility = format!("{name}.fertility");
        let fertility = if file.has(&fertility) {
            Some(FertilityTable::of_rows(file.section_of(&fertility, conditions + 1)?))
        } else {
            None
        };
        let kinds = match config.jumps.by_kind {
            Some(_) => Some(load_kinds(file, &format!("{name}.kinds"), generated)?),
            None => None,
        };
        let jumps = JumpTable::load(file, &format!("{name}.jumps"), config.jumps)?;
        Ok(Self { null, jumps, mass, null_mass, kinds, fertility })
    }

    /// The table of the empty word is the unigram distribution, jumps prefer the next word.
    pub(in crate::model) fn initial(
        generated: &Text,
        frequencies: &[u64],
        jumps: JumpConfig,
        longest_condition: usize,
    ) -> Self {
        let total = frequencies.iter().sum::<u64>() as f64;
        let null = frequencies.iter().map(|&frequency| (frequency as f64 / total) as f32).collect();
        let kinds = jumps.by_kind.map(|_| word_kinds(generated.vocabulary().words()));
        let jumps = JumpTable::initial(jumps, longest_condition);
        Self { null, jumps, kinds, mass: Vec::new(), null_mass: 1.0, fertility: None }
    }
}

/// The kinds of words that were stored, or those that follow from the words.
fn load_kinds(file: &Container, name: &str, words: &Vocabulary) -> Result<Vec<WordKind>> {
    if !file.has(name) {
        return Ok(word_kinds(words.words()));
    }
    let numbers = file.section_of::<u8>(name, words.len())?;
    let kind = |number: u8| {
        let kind = WordKind::ALL.get(usize::from(number)).copied();
        kind.ok_or_else(|| file.error(format!("`{name}` from 0 to {}", WordKind::COUNT - 1), number.to_string()))
    };
    numbers.into_iter().map(kind).collect()
}
