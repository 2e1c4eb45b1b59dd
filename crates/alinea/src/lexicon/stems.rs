//! Stems: a coarser lexicon that inflected forms share.
//!
//! The [`stem`] of a word with an ASCII digit is the word with every digit replaced by 5; of a word whose first
//! character is U+2E80 or above (the writing systems of East Asia) that character; of any other word its first four
//! characters. Crude, language-independent, and enough for a back-off distribution. A [`StemPairs`] table maps each
//! pair of words to the pair of their stems.

use bstr::ByteSlice;

use super::PairIndex;
use crate::bitext::{RankedBitext, Text, Vocabulary};
use crate::numeric::simd::prefetch;

/// The stem of a word.
///
/// ```
/// use alinea::lexicon::stem;
/// assert_eq!(stem("nationale".as_bytes()), "nati".as_bytes());
/// assert_eq!(stem(b"1,204"), b"5,555");
/// assert_eq!(stem("経済".as_bytes()), "経".as_bytes());
/// ```
pub fn stem(word: &[u8]) -> Vec<u8> {
    if word.iter().any(u8::is_ascii_digit) {
        return word.iter().map(|&byte| if byte.is_ascii_digit() { b'5' } else { byte }).collect();
    }
    let length = if word.chars().next().is_some_and(|first| first >= '\u{2E80}') { 1 } else { 4 };
    let end = word.char_indices().nth(length).map_or(word.len(), |(start, _, _)| start);
    word[..end].to_vec()
}

/// The stems of one vocabulary.
#[derive(Debug, Clone)]
pub struct Stems {
    of_word: Vec<u32>,
    frequencies: Vec<u64>,
}

impl Stems {
    /// The stems of a text's words, with the frequencies of the words summed.
    pub fn of(text: &Text, word_frequencies: &[u64]) -> Self {
        let mut stems = Vocabulary::default();
        let of_word: Vec<u32> =
            text.vocabulary().words().map(|word| stems.intern(&stem(word)).index() as u32).collect();
        let mut frequencies = vec![0; stems.len()];
        for (&stem, &frequency) in of_word.iter().zip(word_frequencies) {
            frequencies[stem as usize] += frequency;
        }
        Self { of_word, frequencies }
    }

    /// The number of distinct stems.
    pub fn len(&self) -> usize {
        self.frequencies.len()
    }

    /// Whether there are no stems.
    pub fn is_empty(&self) -> bool {
        self.frequencies.is_empty()
    }

    /// The stem of each word, by rank.
    pub fn of_word(&self) -> &[u32] {
        &self.of_word
    }

    /// The number of tokens with each stem.
    pub fn frequencies(&self) -> &[u64] {
        &self.frequencies
    }
}

/// Every pair of stems that some pair of words has, numbered from 0, grouped by source stem.
#[derive(Debug, Clone)]
pub struct StemPairs {
    of_pair: Vec<u32>,
    row_starts: Vec<u32>,
    targets: Vec<u32>,
}

const PAIRS_AHEAD: usize = 32;

impl StemPairs {
    /// Collects the stem pairs of all word pairs. O(pairs).
    pub fn of(index: &PairIndex, source: &Stems, target: &Stems) -> Self {
        let (starts, grouped) = group_by_source_stem(index, source, target);
        let mut of_pair = vec![0u32; index.ids()];
        let mut row_starts = Vec::with_capacity(source.len() + 1);
        let mut targets: Vec<u32> = Vec::new();
        // Where this row has each target stem, if it has: valid if it lies in the row.
        let mut place = vec![u32::MAX; target.len()];
        for stem in 0..source.len() {
            let row_start = targets.len() as u32;
            row_starts.push(row_start);
            for &(pair, target_stem) in &grouped[starts[stem] as usize..starts[stem + 1] as usize] {
                let known = &mut place[target_stem as usize];
                if *known == u32::MAX || *known < row_start {
                    *known = targets.len() as u32;
                    targets.push(target_stem);
                }
                of_pair[pair as usize] = *known;
            }
        }
        row_starts.push(targets.len() as u32);
        targets.shrink_to_fit();
        Self { of_pair, row_starts, targets }
    }

    /// The stem pair of each word pair, by id.
    pub fn of_pair(&self) -> &[u32] {
        &self.of_pair
    }

    /// Has what a table by stem pairs says of a word pair fetched, for the pair some ids behind this one.
    #[inline(always)]
    pub(crate) fn prefetch<T>(&self, table: &[T], id: usize) {
        if let Some(&pair) = self.of_pair.get(id + PAIRS_AHEAD) {
            prefetch(table, pair as usize);
        }
    }

    /// The number of stem pairs.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// The stem pairs of one source stem: their numbers, and the target stem of each.
    pub fn row(&self, source_stem: usize) -> (usize, &[u32]) {
        let (start, end) = (self.row_starts[source_stem] as usize, self.row_starts[source_stem + 1] as usize);
        (start, &self.targets[start..end])
    }
}

/// All word pairs with their target stems, counting-sorted by source stem; and where each group starts.
fn group_by_source_stem(index: &PairIndex, source: &Stems, target: &Stems) -> (Vec<u32>, Vec<(u32, u32)>) {
    let mut starts = vec![0u32; source.len() + 1];
    for row in index.rows() {
        for (_, s, _) in row.pairs() {
            starts[source.of_word[s] as usize + 1] += 1;
        }
    }
    for stem in 0..source.len() {
        starts[stem + 1] += starts[stem];
    }
    let mut next = starts.clone();
    let mut grouped = vec![(0u32, 0u32); index.len()];
    for row in index.rows() {
        for (id, s, t) in row.pairs() {
            let place = &mut next[source.of_word[s] as usize];
            grouped[*place as usize] = (id as u32, target.of_word[t]);
            *place += 1;
        }
    }
    (starts, grouped)
}

/// The stems of both sides of a bitext.
pub(crate) fn stems_of(bitext: &RankedBitext) -> (Stems, Stems) {
    (
        Stems::of(&bitext.bitext().source, bitext.source_frequencies()),
        Stems::of(&bitext.bitext().target, bitext.target_frequencies()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitext::Bitext;
    use crate::parallel::Parallelism;
    use crate::progress::Silent;

    #[test]
    fn word_pairs_find_their_stem_pairs() {
        let (mut source, mut target) = (Text::default(), Text::default());
        for (s, t) in [("houses house mine", "maison maisons"), ("house", "ma maison"), ("7 8", "7")] {
            source.push_sentence(s.split(' ').map(str::as_bytes));
            target.push_sentence(t.split(' ').map(str::as_bytes));
        }
        let bitext = RankedBitext::new(Bitext::new(source, target).unwrap());
        let index = PairIndex::build(&bitext, &Parallelism::serial(), &Silent).unwrap();
        let (source_stems, target_stems) = stems_of(&bitext);
        let pairs = StemPairs::of(&index, &source_stems, &target_stems);
        // hous-mais, hous-ma, mine-mais, 5-5
        assert_eq!(pairs.len(), 4);
        for row in index.rows() {
            for (id, s, t) in row.pairs() {
                let (start, row) = pairs.row(source_stems.of_word()[s] as usize);
                let number = pairs.of_pair()[id] as usize;
                assert_eq!(row[number - start], target_stems.of_word()[t]);
            }
        }
        assert_eq!(source_stems.frequencies().iter().sum::<u64>(), 6);
    }
}
