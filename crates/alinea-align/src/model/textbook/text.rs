//! A text of numbered words, and the layout of the tables over it.
//!
//! The *cells* of t: a row for each generated word, with a cell for each conditioning word that it occurs with, the
//! empty word (0) first and then in the order of first occurrence. The *grids* of a and d: for each pair of lengths (I,
//! J) that occurs, J rows of I + 1 states.
//!
//! Occurrences of generated words are counting-sorted by word, so that Model 1 finishes one row before the next. The
//! cell of each state of each occurrence, which the other models need, is found when it is first asked for. Generated
//! words are divided into at most 16 blocks, which depend on the text alone; threads work block by block, so sums of
//! floats are the same with any number of threads.

use std::ops::Range;
use std::sync::{Mutex, OnceLock};

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
/// Conditioning words are numbered from 1, and 0 is the empty word, which is with every word. A sentence that has it among its
/// words has it twice.
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
    /// What [`cells`](Self::cells) has found.
    cells: OnceLock<Vec<u32>>,
    /// The generated words in stretches, for threads to take in turn. They depend on nothing but the text.
    pub(super) blocks: Vec<Block>,
}

/// Generated words with consecutive numbers.
#[derive(Debug)]
pub(super) struct Block {
    /// Their occurrences.
    pub(super) occurrences: Range<usize>,
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
        let condition_numbers = conditions.numbers().max(1);
        let (mut rows, mut columns) = (vec![0], Vec::new());
        let joined = parallelism.map_ordered(
            blocks.len(),
            || RowFinder::new(&conditions, condition_numbers),
            |finder, n| Ok(finder.find(&occurrences[blocks[n].occurrences.clone()])),
            |(words, found): (Vec<(u32, usize)>, Vec<u32>)| {
                for (word, end) in words {
                    rows.resize(word as usize + 1, *rows.last().expect("0 is the first"));
                    rows.push(columns.len() + end);
                }
                columns.extend_from_slice(&found);
                Ok(())
            },
        );
        joined.expect("nothing that finds rows fails");
        rows.resize(words.numbers() + 1, columns.len());
        let cells = OnceLock::new();
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

    /// For each state of each occurrence, in the same order, its cell, counted from the first of the word.
    pub(super) fn cells(&self) -> &[u32] {
        self.cells.get_or_init(|| {
            let mut cells = Vec::with_capacity(self.occurrences.iter().map(|of| of.states as usize).sum());
            let mut cell_of = vec![0; self.condition_numbers];
            for of_word in self.occurrences.chunk_by(|one, next| one.word == next.word) {
                for (&condition, cell) in self.columns[self.row(of_word[0].word)].iter().zip(0..) {
                    cell_of[condition as usize] = cell;
                }
                for occurrence in of_word {
                    let conditions = self.conditions.sentence(occurrence.pair as usize);
                    cells.push(0);
                    cells.extend(conditions.iter().map(|&condition| cell_of[condition as usize]));
                }
            }
            cells
        })
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
    let states =
        |occurrences: &[Occurrence]| -> usize { occurrences.iter().map(|occurrence| occurrence.states as usize).sum() };
    let enough = LEAST_BLOCK.max(states(occurrences).div_ceil(MOST_BLOCKS));
    let words: Vec<_> = occurrences.chunk_by(|one, next| one.word == next.word).collect();
    let mut start = 0;
    let block = |range: Range<usize>| {
        let end = start + words[range].iter().map(|of_word| of_word.len()).sum::<usize>();
        Block { occurrences: std::mem::replace(&mut start, end)..end }
    };
    chunks_by_weight(words.iter().map(|of_word| states(of_word)), enough).into_iter().map(block).collect()
}

/// What finds the conditioning words of generated words.
struct RowFinder<'a> {
    conditions: &'a NumberedSide,
    /// For each conditioning word the last generated word that it was met with.
    met: Vec<u32>,
    /// The conditioning words of a row, with room for one more.
    row: Vec<u32>,
}

impl<'a> RowFinder<'a> {
    fn new(conditions: &'a NumberedSide, condition_numbers: usize) -> Self {
        Self { conditions, met: vec![u32::MAX; condition_numbers], row: vec![0; condition_numbers + 1] }
    }

    /// The generated words of some occurrences, each with the end of its row, and the conditioning words of these rows, in
    /// the order in which they first occur with it.
    fn find(&mut self, occurrences: &[Occurrence]) -> (Vec<(u32, usize)>, Vec<u32>) {
        let Self { conditions, met, row } = self;
        let (mut words, mut rows) = (Vec::new(), Vec::new());
        for of_word in occurrences.chunk_by(|one, next| one.word == next.word) {
            let word = of_word[0].word;
            // 0, the empty word, is the first, and met once even if a sentence has it.
            let mut len = 1;
            met[0] = word;
            for occurrence in of_word {
                for &condition in conditions.sentence(occurrence.pair as usize) {
                    // Without a branch, which nobody could predict: it is written every time, and counts if it is new.
                    row[len] = condition;
                    len += usize::from(std::mem::replace(&mut met[condition as usize], word) != word);
                }
            }
            rows.extend_from_slice(&row[..len]);
            words.push((word, rows.len()));
        }
        (words, rows)
    }
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
        assert_eq!(text.cells(), [0, 1, 2, 1, 0, 3, 0, 3, 0, 1, 2, 1]);
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
