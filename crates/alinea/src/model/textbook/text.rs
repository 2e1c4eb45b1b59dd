//! A text of numbered words, and the cells of its tables.

use std::ops::Range;
use std::sync::Mutex;

use crate::parallel::{Parallelism, chunks_by_weight};

/// The most blocks of a text: each has sums of its own, of the size of a vocabulary.
const MOST_BLOCKS: usize = 16;
/// The states of a block, at least: a good fraction of a millisecond's work.
const LEAST_BLOCK: usize = 1 << 16;

/// One side of a text: sentences of numbers.
#[derive(Debug, Clone, Default)]
pub struct NumberedSide {
    numbers: Vec<u32>,
    ends: Vec<usize>,
}

impl NumberedSide {
    /// Adds a word to the sentence that is not ended yet.
    #[inline]
    pub fn push(&mut self, word: u32) {
        self.numbers.push(word);
    }

    /// Ends a sentence.
    pub fn end_sentence(&mut self) {
        self.ends.push(self.numbers.len());
    }

    /// How many sentences it has.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Where the words of a sentence are among all.
    ///
    /// # Panics
    /// If there is no such sentence.
    #[inline]
    pub fn range(&self, sentence: usize) -> Range<usize> {
        let start = sentence.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[sentence]
    }

    /// The words of a sentence.
    ///
    /// # Panics
    /// As [`range`](Self::range).
    #[inline]
    pub fn sentence(&self, sentence: usize) -> &[u32] {
        &self.numbers[self.range(sentence)]
    }

    /// How many numbers words may have: one more than the greatest.
    fn numbers(&self) -> usize {
        self.numbers.iter().fold(0, |most, &word| most.max(word as usize + 1))
    }
}

/// The lengths of a sentence pair: of the conditioning sentence, and of the one that it generates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lengths {
    /// Words that generate others, without the empty word (I).
    pub conditions: usize,
    /// Words that are generated (J).
    pub words: usize,
}

impl Lengths {
    /// The numbers of positions a word may come from: those of the conditioning words, and 0 for the empty word.
    pub fn states(self) -> usize {
        self.conditions + 1
    }

    /// How many cells a grid of both has.
    pub fn cells(self) -> usize {
        self.states() * self.words
    }
}

/// Lengths that occur, each with its grid of cells: a row for each generated word, a column for each state.
#[derive(Debug, Default)]
pub(super) struct Grids {
    /// In the order in which they first occur, with the first cell of each.
    starts: Vec<(Lengths, usize)>,
    /// For each sentence pair the number of its lengths.
    of_pair: Vec<u32>,
    cells: usize,
}

impl Grids {
    fn of(lengths: impl Iterator<Item = Lengths>) -> Self {
        let mut grids = Self::default();
        let mut numbers = std::collections::BTreeMap::new();
        for lengths in lengths {
            let number = *numbers.entry(lengths).or_insert_with(|| {
                grids.starts.push((lengths, grids.cells));
                grids.cells += lengths.cells();
                grids.starts.len() as u32 - 1
            });
            grids.of_pair.push(number);
        }
        grids
    }

    pub(super) fn of_pair(&self, pair: usize) -> (Lengths, usize) {
        self.starts[self.of_pair[pair] as usize]
    }
}

/// Sentence pairs of numbered words, the cells of a table for all pairs of words that occur together, and those of a table
/// of positions for all pairs of lengths.
///
/// Conditioning words are numbered from 1, and 0 is the empty word, which is in no sentence and is with every word.
#[derive(Debug)]
pub struct PairedText {
    pub(super) words: NumberedSide,
    pub(super) conditions: NumberedSide,
    pub(super) grids: Grids,
    /// Where the cells of each generated word begin, and where the last end.
    rows: Vec<usize>,
    /// The conditioning word of each cell.
    columns: Vec<u32>,
    /// How many numbers conditioning words may have, with that of the empty word.
    pub(super) condition_numbers: usize,
    /// The occurrences of generated words, word by word.
    pub(super) occurrences: Vec<Occurrence>,
    /// For each state of each occurrence, in the same order, its cell, counted from the first of the word.
    pub(super) cells: Vec<u32>,
    /// The generated words in stretches, for threads to take in turn. They depend on nothing but the text.
    pub(super) blocks: Vec<Block>,
}

/// Generated words with consecutive numbers.
#[derive(Debug)]
pub(super) struct Block {
    /// Their occurrences.
    pub(super) occurrences: Range<usize>,
    /// The states of these.
    pub(super) states: Range<usize>,
}

/// Where a generated word occurs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Occurrence {
    pub(super) word: u32,
    pub(super) pair: u32,
    /// From 0.
    pub(super) place: u32,
    /// Conditioning words and the empty one.
    pub(super) states: u32,
}

impl PairedText {
    /// Finds the cells. Time and memory are O(sum of I J).
    ///
    /// # Panics
    /// If the sides have unequal numbers of sentences.
    pub fn new(words: NumberedSide, conditions: NumberedSide, parallelism: &Parallelism) -> Self {
        assert_eq!(words.len(), conditions.len(), "both sides of a text have as many sentences");
        let lengths = |n: usize| Lengths { conditions: conditions.range(n).len(), words: words.range(n).len() };
        let grids = Grids::of((0..words.len()).map(lengths));
        let occurrences = occurrences(&words, &conditions);
        let blocks = blocks(&occurrences);
        let mut cells = vec![0; blocks.last().map_or(0, |block| block.states.end)];
        let condition_numbers = conditions.numbers().max(1);
        let (mut rows, mut columns) = (vec![0], Vec::new());
        let slices = by_block(&mut cells, blocks.iter().map(|block| block.states.len()));
        let joined = parallelism.map_ordered(
            blocks.len(),
            || vec![(u32::MAX, 0); condition_numbers],
            |met, n| {
                let mut cells = slices[n].lock().expect("each block is taken once");
                Ok(find_cells(&occurrences[blocks[n].occurrences.clone()], &conditions, met, &mut cells))
            },
            |found: BlockCells| {
                let mut start = columns.len();
                for (word, cells) in found.words {
                    rows.resize(word as usize + 1, start);
                    start += cells as usize;
                }
                columns.extend_from_slice(&found.columns);
                Ok(())
            },
        );
        joined.expect("nothing that finds cells fails");
        drop(slices);
        rows.resize(words.numbers() + 1, columns.len());
        Self { words, conditions, grids, rows, columns, condition_numbers, occurrences, cells, blocks }
    }

    /// How many sentence pairs it has.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The side whose words are generated.
    pub fn words(&self) -> &NumberedSide {
        &self.words
    }

    /// The side that generates them.
    pub fn conditions(&self) -> &NumberedSide {
        &self.conditions
    }

    /// The cells of a generated word; none if it does not occur.
    pub fn row(&self, word: u32) -> Range<usize> {
        match self.rows.get(word as usize..) {
            Some(&[start, end, ..]) => start..end,
            _ => 0..0,
        }
    }

    /// The rows of the words of a block.
    pub(super) fn rows(&self, block: &Block) -> Range<usize> {
        let of = |occurrence: usize| self.row(self.occurrences[occurrence].word);
        of(block.occurrences.start).start..of(block.occurrences.end - 1).end
    }

    /// The conditioning word of each cell. Those of a generated word are in the order in which they first occur with it,
    /// 0 in front.
    pub fn columns(&self) -> &[u32] {
        &self.columns
    }

    /// The lengths that occur, in the order in which they first do, each with the first cell of its grid: a row for each
    /// generated word, a column for each state.
    pub fn grids(&self) -> &[(Lengths, usize)] {
        &self.grids.starts
    }

    /// How many cells all grids have.
    pub fn grid_cells(&self) -> usize {
        self.grids.cells
    }
}

/// An array in pieces of these lengths, each for the thread that takes the block.
pub(super) fn by_block<T>(array: &mut [T], lengths: impl Iterator<Item = usize>) -> Vec<Mutex<&mut [T]>> {
    let mut rest = array;
    let piece = |length| {
        let (piece, later) = std::mem::take(&mut rest).split_at_mut(length);
        rest = later;
        Mutex::new(piece)
    };
    lengths.map(piece).collect()
}

/// Cuts a text between generated words.
fn blocks(occurrences: &[Occurrence]) -> Vec<Block> {
    let words: Vec<(usize, usize)> = occurrences
        .chunk_by(|one, next| one.word == next.word)
        .map(|of_word| (of_word.len(), of_word.iter().map(|occurrence| occurrence.states as usize).sum()))
        .collect();
    let states: usize = words.iter().map(|&(_, states)| states).sum();
    let enough = LEAST_BLOCK.max(states.div_ceil(MOST_BLOCKS));
    let (mut blocks, mut end, mut states_end) = (Vec::new(), 0, 0);
    for range in chunks_by_weight(words.iter().map(|&(_, states)| states), enough) {
        let (start, states_start) = (end, states_end);
        for &(occurrences, states) in &words[range] {
            end += occurrences;
            states_end += states;
        }
        blocks.push(Block { occurrences: start..end, states: states_start..states_end });
    }
    blocks
}

/// The cells of a block: how many each word has, and their conditioning words.
struct BlockCells {
    words: Vec<(u32, u32)>,
    columns: Vec<u32>,
}

/// Finds the cell of each state of some occurrences. `met` has for each conditioning word the last generated word that it
/// was met with, and the cell of both.
fn find_cells(
    occurrences: &[Occurrence],
    conditions: &NumberedSide,
    met: &mut [(u32, u32)],
    cells: &mut [u32],
) -> BlockCells {
    let mut found = BlockCells { words: Vec::new(), columns: vec![0; cells.len()] };
    let (mut rest, mut end) = (cells, 0);
    for of_word in occurrences.chunk_by(|one, next| one.word == next.word) {
        let word = of_word[0].word;
        let columns = &mut found.columns[end..];
        let mut len = 0;
        // Without a branch, which nobody could predict: a column is written every time, and counts if it is new.
        let mut meet = |condition: u32| {
            let (last, cell) = &mut met[condition as usize];
            let new = *last != word;
            *cell = if new { len } else { *cell };
            *last = word;
            columns[len as usize] = condition;
            len += u32::from(new);
            *cell
        };
        for occurrence in of_word {
            let (cells, later) = rest.split_at_mut(occurrence.states as usize);
            rest = later;
            cells[0] = meet(0);
            for (cell, &condition) in cells[1..].iter_mut().zip(conditions.sentence(occurrence.pair as usize)) {
                *cell = meet(condition);
            }
        }
        found.words.push((word, len));
        end += len as usize;
    }
    found.columns.truncate(end);
    found
}

/// The occurrences of all generated words, word by word, in order: a counting sort.
fn occurrences(words: &NumberedSide, conditions: &NumberedSide) -> Vec<Occurrence> {
    let mut next = vec![0; words.numbers() + 1];
    for &word in &words.numbers {
        next[word as usize + 1] += 1;
    }
    for n in 1..next.len() {
        next[n] += next[n - 1];
    }
    let mut sorted = vec![Occurrence { word: 0, pair: 0, place: 0, states: 0 }; words.numbers.len()];
    for pair in 0..words.len() {
        let states = conditions.range(pair).len() as u32 + 1;
        for (place, &word) in words.sentence(pair).iter().enumerate() {
            let at = &mut next[word as usize];
            sorted[*at] = Occurrence { word, pair: pair as u32, place: place as u32, states };
            *at += 1;
        }
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(sentences: &[&[u32]]) -> NumberedSide {
        let mut side = NumberedSide::default();
        for sentence in sentences {
            sentence.iter().for_each(|&word| side.push(word));
            side.end_sentence();
        }
        side
    }

    #[test]
    fn cells_are_the_pairs_of_words_that_occur_together() {
        let text =
            PairedText::new(side(&[&[2, 0], &[], &[0, 0]]), side(&[&[1, 3, 1], &[2], &[4]]), &Parallelism::serial());
        let row = |word| text.columns()[text.row(word)].to_vec();
        assert_eq!([row(0), row(1), row(2), row(3)], [vec![0, 1, 3, 4], vec![], vec![0, 1, 3], vec![]]);
        assert_eq!(text.cells, [0, 1, 2, 1, 0, 3, 0, 3, 0, 1, 2, 1]);
        let lengths = |conditions, words| Lengths { conditions, words };
        assert_eq!(text.grids(), [(lengths(3, 2), 0), (lengths(1, 0), 8), (lengths(1, 2), 8)]);
        assert_eq!((text.grid_cells(), text.grids.of_pair(2)), (12, (lengths(1, 2), 8)));
    }

    #[test]
    fn a_text_may_be_empty() {
        let text = PairedText::new(side(&[]), side(&[]), &Parallelism::serial());
        assert!(text.is_empty() && text.columns().is_empty() && text.grids().is_empty());
        assert_eq!(text.row(0), 0..0);
    }
}
