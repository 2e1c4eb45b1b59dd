//! Bigram counts of a text: the left and the right neighbors of each word, with their counts.
//!
//! The border of sentences is one more word, numbered after all others; it stands before and behind each sentence that
//! is not empty. Neighbors are sparse rows, sorted by number, so the border comes last. The words that follow each word
//! are gathered in one array, sorted and counted by runs, in parallel chunks that do not depend on the number of
//! threads. The rows of left neighbors are the transpose. A count beyond 32 bits is split over several entries.

use crate::bitext::{Text, WordId};
use crate::error::Result;
use crate::parallel::{Parallelism, chunks_by_weight};

/// Tokens whose neighbors are sorted as one piece of work.
const CHUNK_TOKENS: usize = 1 << 18;

/// A neighbor of a word, and how often it is that. What occurs more often than 32 bits can say has several entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Neighbor {
    pub(super) word: u32,
    pub(super) count: u32,
}

/// The neighbors of each word on one side, by rising number.
#[derive(Debug, Default)]
struct Rows {
    starts: Vec<usize>,
    neighbors: Vec<Neighbor>,
}

impl Rows {
    fn row(&self, word: usize) -> &[Neighbor] {
        &self.neighbors[self.starts[word]..self.starts[word + 1]]
    }
}

/// The bigrams of a text. The border of sentences is a word too, whose number is that of the words.
#[derive(Debug)]
pub(super) struct Bigrams {
    /// How often each word occurs.
    pub(super) frequencies: Vec<u64>,
    /// Sentences that are not empty.
    pub(super) sentences: u64,
    before: Rows,
    after: Rows,
}

impl Bigrams {
    /// Counts. O(tokens × log of the occurrences of a word), and memory for the tokens once more.
    pub(super) fn of(text: &Text, parallelism: &Parallelism) -> Result<Self> {
        let frequencies = text.frequencies();
        let sentences = (0..text.len()).filter(|&n| !text.sentence(n).is_empty()).count() as u64;
        let after = followers(text, &frequencies, parallelism)?;
        let before = inverted(&after);
        Ok(Self { frequencies, sentences, before, after })
    }

    /// The number of words, the border not counted.
    pub(super) fn words(&self) -> usize {
        self.frequencies.len()
    }

    /// What stands before a word, the border last.
    pub(super) fn before(&self, word: usize) -> &[Neighbor] {
        self.before.row(word)
    }

    /// What stands behind a word, the border last.
    pub(super) fn after(&self, word: usize) -> &[Neighbor] {
        self.after.row(word)
    }
}

/// What follows each word, and in the last row what follows the border.
fn followers(text: &Text, frequencies: &[u64], parallelism: &Parallelism) -> Result<Rows> {
    let border = frequencies.len();
    let occurrences = frequencies.iter().map(|&frequency| frequency as usize);
    let lengths: Vec<usize> = occurrences.chain([text.len()]).collect();
    let mut ends: Vec<usize> = Vec::with_capacity(lengths.len());
    let mut end = 0;
    for length in &lengths {
        ends.push(end);
        end += length;
    }
    // Each end is the row's start here, and moves as the row is filled.
    let starts = ends.clone();
    let mut tokens = vec![0u32; end];
    for n in 0..text.len() {
        let mut last = border;
        let sentence = text.sentence(n);
        let words = sentence.iter().map(|word: &WordId| word.index());
        for word in words.chain((!sentence.is_empty()).then_some(border)) {
            tokens[ends[last]] = word as u32;
            ends[last] += 1;
            last = word;
        }
    }
    let chunks = chunks_by_weight(lengths, CHUNK_TOKENS);
    let mut rows = Rows { starts: vec![0], neighbors: Vec::new() };
    parallelism.map_ordered(
        chunks.len(),
        Vec::new,
        |sorted: &mut Vec<u32>, chunk| {
            let (mut neighbors, mut ends_in_chunk) = (Vec::new(), Vec::new());
            for word in chunks[chunk].clone() {
                sorted.clear();
                sorted.extend_from_slice(&tokens[starts[word]..ends[word]]);
                sorted.sort_unstable();
                count_runs(sorted, u32::MAX, &mut neighbors);
                ends_in_chunk.push(neighbors.len());
            }
            Ok((neighbors, ends_in_chunk))
        },
        |(neighbors, ends_in_chunk)| {
            let before = rows.neighbors.len();
            rows.neighbors.extend(neighbors);
            rows.starts.extend(ends_in_chunk.into_iter().map(|end| before + end));
            Ok(())
        },
    )?;
    Ok(rows)
}

/// Appends each number of a sorted list with the times it is there, at most `most` in an entry.
fn count_runs(sorted: &[u32], most: u32, neighbors: &mut Vec<Neighbor>) {
    let first = neighbors.len();
    for &word in sorted {
        match neighbors[first..].last_mut() {
            Some(last) if last.word == word && last.count < most => last.count += 1,
            _ => neighbors.push(Neighbor { word, count: 1 }),
        }
    }
}

/// Rows seen from the other side.
fn inverted(rows: &Rows) -> Rows {
    let words = rows.starts.len() - 1;
    let mut starts = vec![0; words + 1];
    for neighbor in &rows.neighbors {
        starts[neighbor.word as usize + 1] += 1;
    }
    for word in 0..words {
        starts[word + 1] += starts[word];
    }
    let mut ends = starts.clone();
    let mut neighbors = vec![Neighbor { word: 0, count: 0 }; rows.neighbors.len()];
    for word in 0..words {
        for &Neighbor { word: other, count } in rows.row(word) {
            let end = &mut ends[other as usize];
            neighbors[*end] = Neighbor { word: word as u32, count };
            *end += 1;
        }
    }
    Rows { starts, neighbors }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbors_are_counted_on_both_sides() {
        let mut text = Text::default();
        for line in ["a b a b", "", "b b"] {
            text.push_sentence(line.split(' ').filter(|word| !word.is_empty()).map(str::as_bytes));
        }
        for threads in [1, 2] {
            let bigrams = Bigrams::of(&text, &Parallelism::new(threads).unwrap()).unwrap();
            let pairs = |row: &[Neighbor]| row.iter().map(|n| (n.word, n.count)).collect::<Vec<_>>();
            assert_eq!((bigrams.sentences, &bigrams.frequencies[..]), (2, &[2, 4][..]));
            assert_eq!(pairs(bigrams.after(0)), [(1, 2)]);
            assert_eq!(pairs(bigrams.after(1)), [(0, 1), (1, 1), (2, 2)]);
            assert_eq!(pairs(bigrams.after(2)), [(0, 1), (1, 1)]);
            assert_eq!(pairs(bigrams.before(0)), [(1, 1), (2, 1)]);
            assert_eq!(pairs(bigrams.before(1)), [(0, 2), (1, 1), (2, 1)]);
            assert_eq!(pairs(bigrams.before(2)), [(1, 2)]);
        }
    }

    #[test]
    fn long_runs_have_several_entries() {
        let mut neighbors = Vec::new();
        count_runs(&[4, 4, 4, 4, 4, 7], 2, &mut neighbors);
        count_runs(&[7], 2, &mut neighbors);
        let pairs: Vec<_> = neighbors.iter().map(|n| (n.word, n.count)).collect();
        assert_eq!(pairs, [(4, 2), (4, 2), (4, 1), (7, 1), (7, 1)]);
    }
}
