//! One sentence pair in one direction, as tables of generated words by positions.
//!
//! For I conditioning and J generated words, `Cells` has J rows of I + 1 columns: column 0 is the empty word, column i
//! the i-th conditioning word. Beside t(f_j | e_i) it keeps the id under which the count of a cell is added: that of
//! the word pair, or in column 0 the rank of the generated word. Ids are looked up once for each pair of distinct
//! words, in the `Grid` that the joint models use, and then spread over the tokens.

use super::directed::Generated;
use super::translation::TranslationTable;
use crate::bitext::{SentencePair, WordId};
use crate::lexicon::PairIndex;
use crate::model::pair::grid::Grid;

/// The words of one sentence pair, the ids of their pairs, and how each generated word translates each position.
///
/// Position 0 is the empty word, 1..I are the conditioning words. Tables have a row of I + 1 positions for each of the J
/// generated words.
#[derive(Debug, Clone, Default)]
pub(super) struct Cells {
    grid: Grid,
    /// The conditioning words, by rank.
    pub(super) conditions: Vec<u32>,
    /// The generated words, by rank.
    pub(super) generated: Vec<u32>,
    /// The id of each cell; that of the empty word is the generated word's rank.
    ids: Vec<u32>,
    /// t(f_j | e_i).
    pub(super) translation: Vec<f64>,
}

impl Cells {
    /// Looks a pair up. O(I J).
    pub(super) fn fill(
        &mut self,
        pair: SentencePair<'_>,
        generated: Generated,
        index: &PairIndex,
        table: &TranslationTable,
    ) {
        let (conditions, words) = generated.split(pair);
        let ranks = |words: &[WordId], into: &mut Vec<u32>| {
            into.clear();
            into.extend(words.iter().map(|word| word.index() as u32));
        };
        ranks(conditions, &mut self.conditions);
        ranks(words, &mut self.generated);
        self.grid.fill(pair, index);
        self.grid.resolve(index);
        let (sources, targets) = (&self.grid.source.slots, &self.grid.target.slots);
        let width = self.grid.target.types.len();
        self.ids.clear();
        for (j, &word) in self.generated.iter().enumerate() {
            self.ids.push(word);
            let ids = &self.grid.ids;
            match generated {
                Generated::Target => {
                    self.ids.extend(sources.iter().map(|&s| ids[s as usize * width + targets[j] as usize]));
                }
                Generated::Source => {
                    self.ids.extend(targets.iter().map(|&t| ids[sources[j] as usize * width + t as usize]));
                }
            }
        }
        let states = self.states();
        self.translation.clear();
        for row in self.ids.chunks_exact(states) {
            self.translation.extend(row.iter().enumerate().map(|(position, &id)| table.of_cell(position, id)));
        }
    }

    /// How many positions there are, the empty word's among them: I + 1.
    pub(super) fn states(&self) -> usize {
        self.conditions.len() + 1
    }

    /// The id of a cell; of the empty word's, the rank of the generated word.
    pub(super) fn id(&self, j: usize, position: usize) -> u32 {
        self.ids[j * self.states() + position]
    }
}
